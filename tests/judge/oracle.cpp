#include "oracle.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/rational.hpp>
#include <optional>

#include "delaunay/oracle.h"

namespace flipscope::oracle {

namespace {

int64_t cross(Lattice a, Lattice b, Lattice c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
int sign(int64_t v) { return (v > 0) - (v < 0); }
int turn(Lattice a, Lattice b, Lattice c) { return sign(cross(a, b, c)); }

/// Of the 4 x 4 determinant of (x, y, x² + y², 1): positive for d inside the circle of counter-clockwise a, b, c.
int64_t in_circle(Lattice a, Lattice b, Lattice c, Lattice d) {
    const auto lift = [](Lattice p) { return p.x * p.x + p.y * p.y; };
    return lift(a) * cross(b, c, d) - lift(b) * cross(a, c, d) + lift(c) * cross(a, b, d) - lift(d) * cross(a, b, c);
}
/// The same in the sense that the sign is that of the differences' determinant for any order of a, b, c.
bool strictly_inside(Lattice a, Lattice b, Lattice c, Lattice d) { return in_circle(a, b, c, d) * turn(a, b, c) > 0; }

using Wide = boost::multiprecision::int128_t;
using Fraction = boost::rational<Wide>;
double value_of(const Fraction& f) { return double(f.numerator()) / double(f.denominator()); }

struct Opinions {
    const std::vector<Lattice>& points;
    const std::vector<Triangle>& triangles;
    Opinion opinion = {};
    std::vector<uint32_t> sound = {};    // triangles with three different vertices that exist, no duplicates
    std::vector<Triangle> upright = {};  // by triangle; of those that are not sound as they are
    std::vector<uint8_t> flat = {};      // by triangle
    std::vector<uint32_t> names = {};    // the first point of the same place
    std::set<uint32_t> used = {};        // points
    std::set<Pair> hull = {};            // neighbours on it, by name
    std::vector<Lattice> corners = {};   // of the hull, counter-clockwise, none between two others on a line
    bool in_one_line = true;

    Lattice at(uint32_t v) const { return points[v]; }
    void fault(const char* code, std::vector<uint32_t> ids) { opinion.defects[code].insert(std::move(ids)); }
    static Pair pair(uint32_t a, uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

    void name_points() {
        for (uint32_t v = 0; v < points.size(); ++v) {
            names.push_back(static_cast<uint32_t>(std::find(points.begin(), points.end(), points[v]) - points.begin()));
            if (names[v] != v) fault("duplicate-point", {v});
        }
        for (uint32_t a = 0; a < points.size(); ++a)
            for (uint32_t b = 0; b < points.size(); ++b) {
                if (names[a] != a || names[b] != b || a == b) continue;
                bool on_hull = true;  // all others on the left, or on the line but not between
                for (uint32_t c = 0; c < points.size(); ++c) {
                    const int side = turn(at(a), at(b), at(c));
                    if (side != 0) in_one_line = false;
                    if (side < 0 || (side == 0 && between(c, a, b))) on_hull = false;
                }
                if (on_hull) hull.insert(pair(a, b));
            }
        if (in_one_line) hull.clear();
        std::vector<Lattice> sorted = points;
        std::sort(sorted.begin(), sorted.end());
        for (int round = 0; round < 2; ++round) {  // Andrew's chains
            const size_t base = corners.size();
            for (const Lattice p : sorted) {
                while (corners.size() >= base + 2 && turn(corners[corners.size() - 2], corners.back(), p) <= 0)
                    corners.pop_back();
                corners.push_back(p);
            }
            corners.pop_back();
            std::reverse(sorted.begin(), sorted.end());
        }
    }
    bool between(uint32_t v, uint32_t a, uint32_t b) const {
        const Lattice p = at(a), q = at(b), r = at(v);
        if (turn(p, q, r) != 0 || r == p || r == q) return false;
        return std::min(p, q) < r && r < std::max(p, q);
    }

    void look_at_triangles() {
        std::set<Triangle> seen;
        upright = triangles;
        flat.assign(triangles.size(), 0);
        int clockwise = 0, others = 0;
        std::vector<int> turns(triangles.size(), 0);
        for (uint32_t t = 0; t < triangles.size(); ++t) {
            Triangle c = triangles[t];
            if (std::any_of(c.begin(), c.end(), [&](uint32_t v) { return v >= points.size(); })) {
                fault("missing-vertex", {t});
                opinion.delaunay = false;
                continue;
            }
            used.insert(c.begin(), c.end());
            std::sort(c.begin(), c.end());
            if (c[0] == c[1] || c[1] == c[2]) {
                fault("repeated-vertex", {t});
                opinion.delaunay = false;
                continue;
            }
            if (!seen.insert(c).second) {
                fault("duplicate-triangle", {t});
                continue;
            }
            sound.push_back(t);
            turns[t] = turn(at(triangles[t][0]), at(triangles[t][1]), at(triangles[t][2]));
            flat[t] = turns[t] == 0;
            if (turns[t] < 0) std::swap(upright[t][1], upright[t][2]);
            clockwise += turns[t]<0, others += turns[t]> 0;
            if (!flat[t]) continue;
            fault("flat-triangle", {t});
            opinion.delaunay = false;
        }
        for (const uint32_t t : sound)
            if (turns[t] != 0 && turns[t] == (clockwise > others ? 1 : -1)) fault("inverted-triangle", {t});
    }

    std::set<Pair> edges_of(bool with_flat, bool by_name) const {
        std::set<Pair> edges;
        const auto narrow = [&](const Triangle& c) {  // two corners at one place: no edges of its own
            return names[c[0]] == names[c[1]] || names[c[1]] == names[c[2]] || names[c[2]] == names[c[0]];
        };
        for (const uint32_t t : sound)
            for (uint32_t k = 0; k < 3 && (with_flat || !flat[t]) && !(by_name && narrow(triangles[t])); ++k) {
                uint32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
                if (by_name) a = names[a], b = names[b];
                if (a != b) edges.insert(pair(a, b));
            }
        return edges;
    }

    void look_at_pairs() {
        const std::set<Pair> all = edges_of(true, false), solid = edges_of(false, false);
        for (const Pair& e : all) {
            std::vector<uint32_t> at_edge, forward, back;
            for (const uint32_t t : sound)
                for (uint32_t k = 0; k < 3; ++k) {
                    const uint32_t a = upright[t][k], b = upright[t][(k + 1) % 3];
                    if (pair(a, b) != e) continue;
                    at_edge.push_back(t);
                    if (!flat[t]) (a == e[0] ? forward : back).push_back(t);
                }
            if (at_edge.size() > 2)
                fault("edge-with-three-triangles", {e[0], e[1]});
            else if (forward.size() == 2 || back.size() == 2)
                fault("folded-edge", {e[0], e[1]});
        }
        for (const uint32_t s : sound)
            for (const uint32_t t : sound)
                if (s < t && !flat[s] && !flat[t] && overlap(s, t)) fault("overlapping-triangles", {s, t});
        std::set<uint32_t> vertices;
        for (const uint32_t t : sound)
            if (!flat[t]) vertices.insert(triangles[t].begin(), triangles[t].end());
        for (const Pair& e : solid) {
            for (const Pair& f : solid) {
                const Lattice p = at(e[0]), q = at(e[1]), u = at(f[0]), v = at(f[1]);
                if (e < f && turn(p, q, u) * turn(p, q, v) < 0 && turn(u, v, p) * turn(u, v, q) < 0)
                    fault("crossing-edges", {e[0], e[1], f[0], f[1]});
            }
            for (const uint32_t v : vertices)
                if (between(v, e[0], e[1])) fault("vertex-on-edge", {v, e[0], e[1]});
        }
    }
    bool overlap(uint32_t s, uint32_t t) const {
        const auto parts = [&](const Triangle& c, const Triangle& d) {
            for (uint32_t k = 0; k < 3; ++k)
                if (std::all_of(d.begin(), d.end(),
                                [&](uint32_t v) { return turn(at(c[k]), at(c[(k + 1) % 3]), at(v)) <= 0; }))
                    return true;
            return false;
        };
        return !parts(upright[s], upright[t]) && !parts(upright[t], upright[s]);
    }

    /// Slab by slab between all x at which edges begin, end or cross.
    void look_at_coverage() {
        struct Segment {
            Lattice p, q;  // p left of q
        };
        std::vector<Segment> segments;
        const auto take = [&](Lattice a, Lattice b) {
            if (a.x != b.x) segments.push_back(a.x < b.x ? Segment{a, b} : Segment{b, a});
        };
        for (const uint32_t t : sound)
            for (uint32_t k = 0; k < 3 && !flat[t]; ++k) take(at(upright[t][k]), at(upright[t][(k + 1) % 3]));
        for (size_t i = 0; i < corners.size(); ++i) take(corners[i], corners[(i + 1) % corners.size()]);
        std::vector<Fraction> stops;
        for (const Lattice& p : points) stops.emplace_back(p.x);
        for (const Segment& s : segments)
            for (const Segment& t : segments) {
                const int64_t dx = s.q.x - s.p.x, dy = s.q.y - s.p.y, ex = t.q.x - t.p.x, ey = t.q.y - t.p.y;
                const int64_t bottom = dx * ey - dy * ex;
                if (bottom == 0) continue;
                const int64_t top = (t.p.x - s.p.x) * ey - (t.p.y - s.p.y) * ex;
                if ((bottom > 0 && (top < 0 || top > bottom)) || (bottom < 0 && (top > 0 || top < bottom))) continue;
                const Fraction x{Wide(s.p.x) * bottom + Wide(top) * dx, bottom};
                if (!(x < Fraction(t.p.x)) && !(Fraction(t.q.x) < x)) stops.push_back(x);
            }
        std::sort(stops.begin(), stops.end());
        stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
        for (size_t i = 0; i + 1 < stops.size(); ++i) {
            const Fraction middle = (stops[i] + stops[i + 1]) * Fraction(1, 2);
            const double width = value_of(stops[i + 1] - stops[i]);
            const auto span = [&](const std::vector<Lattice>& outline) {
                std::vector<Fraction> ends;
                for (size_t k = 0; k < outline.size(); ++k) {
                    const Lattice a = outline[k], b = outline[(k + 1) % outline.size()];
                    const Lattice p = std::min(a, b), q = std::max(a, b);
                    if (Fraction(p.x) < middle && middle < Fraction(q.x))
                        ends.push_back(Fraction(p.y) + (middle - Fraction(p.x)) * Fraction(q.y - p.y, q.x - p.x));
                }
                std::sort(ends.begin(), ends.end());
                return ends;
            };
            const std::vector<Fraction> whole = span(corners);
            if (whole.size() != 2) continue;
            std::vector<std::array<Fraction, 2>> covered;
            for (const uint32_t t : sound) {
                if (flat[t]) continue;
                const std::vector<Fraction> ends = span({at(upright[t][0]), at(upright[t][1]), at(upright[t][2])});
                if (ends.size() == 2) covered.push_back({ends[0], ends[1]});
            }
            std::sort(covered.begin(), covered.end(),
                      [](const auto& a, const auto& b) { return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]); });
            Fraction reached = whole[0];
            for (const auto& [low, high] : covered) {
                if (reached < low) opinion.missing_area += width * value_of(low - reached);
                if (reached < high) reached = high;
            }
            if (reached < whole[1]) opinion.missing_area += width * value_of(whole[1] - reached);
        }
    }

    void look_at_circles() {
        std::set<Pair> illegal;
        std::set<Triangle> seen;
        std::vector<uint32_t> counted;  // not flat, and of triangles over the same places one
        for (const uint32_t t : sound) {
            Triangle by_name{names[triangles[t][0]], names[triangles[t][1]], names[triangles[t][2]]};
            std::sort(by_name.begin(), by_name.end());
            if (!flat[t] && seen.insert(by_name).second) counted.push_back(t);
        }
        const auto name_of = [&](uint32_t t, uint32_t k) { return names[upright[t][k % 3]]; };
        for (const Pair& e : edges_of(false, true)) {
            std::vector<Lattice> left, right;
            for (const uint32_t t : counted)
                for (uint32_t k = 0; k < 3; ++k)
                    if (pair(name_of(t, k), name_of(t, k + 1)) == e)
                        (name_of(t, k) == e[0] ? left : right).push_back(at(name_of(t, k + 2)));
            if (left.size() == 1 && right.size() == 1 && strictly_inside(at(e[0]), at(e[1]), left[0], right[0])) {
                illegal.insert(e);
                fault("illegal-edge", {e[0], e[1]});
                opinion.delaunay = false;
            }
        }
        for (const uint32_t t : counted) {
            bool empty = true, bad_edge = false;
            for (const uint32_t v : used)
                empty = empty && !strictly_inside(at(upright[t][0]), at(upright[t][1]), at(upright[t][2]), at(v));
            for (uint32_t k = 0; k < 3; ++k)
                bad_edge = bad_edge || illegal.count(pair(name_of(t, k), name_of(t, k + 1)));
            if (empty) continue;
            opinion.delaunay = false;
            if (!bad_edge) fault("circle-not-empty", {t});
        }
    }

    void compare() {
        std::vector<std::array<int64_t, 2>> distinct;
        std::vector<uint32_t> inputs;
        for (uint32_t v = 0; v < points.size(); ++v) {
            if (names[v] != v) continue;
            distinct.push_back({at(v).x, at(v).y});
            inputs.push_back(v);
        }
        std::set<Pair> exact;
        for (const auto& [a, b, c] : delaunay_by_definition(distinct, inputs))
            exact.insert({pair(a, b), pair(b, c), pair(c, a)});
        const std::set<Pair> judged = edges_of(true, true);
        std::set_difference(exact.begin(), exact.end(), judged.begin(), judged.end(),
                            std::inserter(opinion.missed, opinion.missed.end()));
        std::set_difference(judged.begin(), judged.end(), exact.begin(), exact.end(),
                            std::inserter(opinion.spurious, opinion.spurious.end()));
        // Of a missed one: it is legal either way where some Delaunay triangulation lacks it.
        for (const Pair& e : opinion.missed) {
            if (hull.count(e)) fault("missing-hull-edge", {e[0], e[1]});
            if (!hull.count(e) && circles_through(e) == Circles::kOne) opinion.ties.insert(e);
        }
        for (const Pair& e : opinion.spurious)
            if (circles_through(e) != Circles::kNone && !exact.empty()) opinion.ties.insert(e);
    }
    /// How many circles through both ends have no point inside. Their centres lie on the bisector, and every other
    /// point bounds them on one side.
    enum class Circles { kNone, kOne, kMany };
    Circles circles_through(const Pair& e) const {
        const Lattice p = at(e[0]), q = at(e[1]);
        std::optional<Fraction> low, high;
        for (uint32_t v = 0; v < points.size(); ++v) {
            const Lattice r = at(v);
            if (r == p || r == q) continue;
            const int64_t side = cross(p, q, r);
            const int64_t dot = (p.x - r.x) * (q.x - r.x) + (p.y - r.y) * (q.y - r.y);
            if (side == 0) {
                if (dot < 0) return Circles::kNone;  // between the ends
                continue;
            }
            // The centre at the middle plus t times the left normal; r is outside or on the circle if and only if
            // dot >= 2 t side.
            const Fraction bound(dot, 2 * side);
            if (side > 0 && (!high || bound < *high)) high = bound;
            if (side < 0 && (!low || *low < bound)) low = bound;
        }
        if (!low || !high || *low < *high) return Circles::kMany;
        return *low == *high ? Circles::kOne : Circles::kNone;
    }

    void look_at_points() {
        std::set<uint32_t> used_names;
        for (const uint32_t v : used) used_names.insert(names[v]);
        for (uint32_t v = 0; v < points.size(); ++v) {
            if (names[v] == v && !used_names.count(v) && !in_one_line) fault("unused-point", {v});
            // The first point of a place that a triangle has is not at fault, any further one is.
            if (used.count(v)) {
                uint32_t first = v;
                for (size_t t = 0, found = 0; t < triangles.size() && !found; ++t) {
                    const Triangle& c = triangles[t];
                    if (std::any_of(c.begin(), c.end(), [&](uint32_t w) { return w >= points.size(); })) continue;
                    for (const uint32_t w : c)
                        if (!found && names[w] == names[v]) first = w, found = 1;
                }
                if (first != v) fault("shared-place", {v});
            }
        }
    }

    Opinion judge() {
        name_points();
        look_at_triangles();
        look_at_pairs();
        if (!in_one_line) look_at_coverage();
        look_at_circles();
        compare();
        look_at_points();
        const auto any = [&](std::initializer_list<const char*> codes) {
            return std::any_of(codes.begin(), codes.end(),
                               [&](const char* code) { return opinion.defects.count(code) > 0; });
        };
        opinion.triangulation = !any({"missing-vertex", "repeated-vertex", "duplicate-triangle", "flat-triangle",
                                      "inverted-triangle", "edge-with-three-triangles", "folded-edge",
                                      "overlapping-triangles", "crossing-edges", "vertex-on-edge", "shared-place"});
        opinion.complete = !any({"missing-hull-edge", "unused-point"}) && opinion.missing_area < 1e-9;
        return opinion;
    }
};

}  // namespace

Opinion judge(const std::vector<Lattice>& points, const std::vector<Triangle>& triangles) {
    return Opinions{points, triangles}.judge();
}

bool is_uncovered(const std::vector<Lattice>& points, const std::vector<Triangle>& triangles, double x, double y) {
    const auto side = [&](Lattice a, Lattice b) {
        return double(b.x - a.x) * (y - double(a.y)) - double(b.y - a.y) * (x - double(a.x));
    };
    for (const Triangle& c : triangles) {
        if (std::any_of(c.begin(), c.end(), [&](uint32_t v) { return v >= points.size(); })) continue;
        Lattice a = points[c[0]], b = points[c[1]], d = points[c[2]];
        if (turn(a, b, d) < 0) std::swap(b, d);
        if (turn(a, b, d) != 0 && side(a, b) > 0 && side(b, d) > 0 && side(d, a) > 0) return false;
    }
    std::vector<Lattice> all = points;
    for (const Lattice a : points)
        for (const Lattice b : points) {
            if (a == b) continue;
            if (std::all_of(all.begin(), all.end(), [&](Lattice c) { return turn(a, b, c) >= 0; }) && side(a, b) < 0)
                return false;
        }
    return true;
}

}  // namespace flipscope::oracle
