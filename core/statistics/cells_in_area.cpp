// Voronoi cells in a study area. The border is traced from cell to cell: along a side, the distance to a site
// less that to another is linear, so the cells on it are a lower envelope. In each cell that it meets, its arcs are
// joined along the cell's own border, as in K. Weiler and P. Atherton, Hidden surface removal using polygon area
// sorting, 1977.
//
// Ties (a corner on the border of a cell, a side along it or through a Voronoi vertex) are broken by moving the border
// into the area by an infinitesimal ε: each corner by ε m + ε² m', where m points to the left of both its sides and m'
// is m turned by 90°. A moved corner is nearest to one site, a moved side meets no Voronoi vertex, and moved rings do
// not touch. Parts of cells that only share a point thus come apart, and no part is without area.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "compute/error.h"
#include "compute/for_ranges.h"
#include "flipscope/voronoi.h"
#include "geometry/filtered.h"
#include "statistics/area_rings.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

/// A polynomial in ε, ascending powers.
class Series {
  public:
    Series(Whole value = 0) : terms_{std::move(value)} {}
    Series(Whole zeroth, Whole first, Whole second) : terms_{std::move(zeroth), std::move(first), std::move(second)} {}
    friend Series operator+(const Series& a, const Series& b) { return a.plus(b, 1); }
    friend Series operator-(const Series& a, const Series& b) { return a.plus(b, -1); }
    friend Series operator*(const Series& a, const Series& b) {
        Series made;
        made.terms_.assign(a.terms_.size() + b.terms_.size() - 1, 0);
        for (size_t i = 0; i < a.terms_.size(); ++i)
            for (size_t j = 0; j < b.terms_.size(); ++j) made.terms_[i + j] += a.terms_[i] * b.terms_[j];
        return made;
    }
    /// For ε > 0 that is small enough.
    int sign() const {
        for (const Whole& term : terms_)
            if (term != 0) return term.sign();
        return 0;
    }
    /// The limit of the quotient for ε to 0.
    friend Fraction limit(const Series& above, const Series& below) {
        for (size_t k = 0; k < below.terms_.size(); ++k)
            if (below.terms_[k] != 0)
                return quotient(k < above.terms_.size() ? above.terms_[k] : Whole(0), below.terms_[k]);
        return 0;
    }

  private:
    Series plus(const Series& b, int sign) const {
        Series made = *this;
        made.terms_.resize(std::max(terms_.size(), b.terms_.size()));
        for (size_t k = 0; k < b.terms_.size(); ++k) made.terms_[k] += sign * b.terms_[k];
        return made;
    }
    std::vector<Whole> terms_;
};

template <class Number>
struct NumberPair {
    Number x, y;
    friend NumberPair operator-(const NumberPair& a, const NumberPair& b) { return {a.x - b.x, a.y - b.y}; }
    friend Number dot(const NumberPair& a, const NumberPair& b) { return a.x * b.x + a.y * b.y; }
    friend Number cross(const NumberPair& a, const NumberPair& b) { return a.x * b.y - a.y * b.x; }
};

struct BorderSide {
    Point from, to;  // the area is on the left
    uint32_t previous, next;
};

struct BorderCrossing {
    uint32_t side, from, to;  // from the cell of one site to that of another
};

/// The decisions about sites and sides, exactly.
class BorderPredicates {
  public:
    BorderPredicates(std::span<const Point> points, std::span<const BorderSide> sides)
        : points_(points), sides_(sides) {
        for (const Point p : points) unit_ = unit_of(p.x, unit_of(p.y, unit_));
        for (const BorderSide& side : sides) unit_ = unit_of(side.from.x, unit_of(side.from.y, unit_));
    }
    /// Whether the moved corner where a side begins is nearer to p than to q.
    bool is_nearer(uint32_t side, uint32_t p, uint32_t q) const {
        return sign([&](const auto& in) { return in.excess(side, p, q); }) > 0;
    }
    /// Whether a side passes from the cell of p to that of q before it would pass to that of r, if it comes nearer to
    /// both.
    bool passes_earlier(uint32_t side, uint32_t p, uint32_t q, uint32_t r) const {
        return sign([&](const auto& in) {
                   return in.excess(side, p, q) * in.approach(side, p, r) -
                          in.excess(side, p, r) * in.approach(side, p, q);
               }) < 0;
    }
    /// Whether a comes before b along the border between two cells, counter-clockwise around `cell`.
    bool comes_earlier(const BorderCrossing& a, const BorderCrossing& b, uint32_t cell) const {
        const uint32_t low = std::min(a.from, a.to), high = std::max(a.from, a.to);
        const int before = -sign([&](const auto& in) {
            const auto along = [&](uint32_t side) {
                const auto to = in.site(high) - in.site(low), start = in.corner(side) - in.site(low);
                const auto step = in.corner(in.sides[side].next) - in.corner(side);
                return in.approach(side, low, high) * cross(to, start) + in.excess(side, low, high) * cross(to, step);
            };
            return along(a.side) * in.approach(b.side, low, high) - along(b.side) * in.approach(a.side, low, high);
        });
        return before * (a.from == b.from ? 1 : -1) * (cell == low ? 1 : -1) > 0;
    }
    /// Rounded.
    Point place_of(const BorderCrossing& at) const {
        const uint32_t p = std::min(at.from, at.to), q = std::max(at.from, at.to);
        const auto [from, to, previous, next] = sides_[at.side];
        const Doubles about{points_, sides_};
        const Filtered t = about.excess(at.side, p, q) / about.approach(at.side, p, q);
        const double x = to.x - from.x, y = to.y - from.y;
        if (t.error * std::max(std::fabs(x), std::fabs(y)) <= kTolerance * largest(from, to))
            return {between(from.x, to.x, t.value), between(from.y, to.y, t.value)};
        const Wholes exact{points_, sides_, unit_};
        const Fraction part = limit(exact.excess(at.side, p, q), exact.approach(at.side, p, q));
        const auto along = [&](double a, double b) {
            const Whole start = whole_of(a, unit_);
            return rounded(start + part * (whole_of(b, unit_) - start));
        };
        return {along(from.x, to.x), along(from.y, to.y)};
    }
    /// The centre of the circle through three sites, rounded in the same way from each of them.
    Point centre(uint32_t a, uint32_t b, uint32_t c) const {
        while (a > b || a > c) std::swap(a, b), std::swap(b, c);
        const Point p = points_[a];
        const double ux = points_[b].x - p.x, uy = points_[b].y - p.y, vx = points_[c].x - p.x, vy = points_[c].y - p.y;
        const double uu = ux * ux + uy * uy, vv = vx * vx + vy * vy, turn = 2 * (ux * vy - uy * vx);
        const double turns = 2 * (std::fabs(ux * vy) + std::fabs(uy * vx));
        const Point rough{p.x + (vy * uu - uy * vv) / turn, p.y + (ux * vv - vx * uu) / turn};
        // Numerators have a relative error of 8 u of their terms, twice that with the quotient's own, and the
        // denominator 8 u of its terms.
        const double terms = std::max(std::fabs(vy) * uu + std::fabs(uy) * vv, std::fabs(ux) * vv + std::fabs(vx) * uu);
        const double error = 0x1p-49 * terms / std::fabs(turn) * (1 + turns / std::fabs(turn));
        if (turns > 0x1p-600 && error <= kTolerance * largest(rough, p)) return rough;
        const auto exact = [&](double v) { return whole_of(v, unit_); };
        const Whole ax = exact(p.x), ay = exact(p.y);
        const NumberPair<Whole> u{exact(points_[b].x) - ax, exact(points_[b].y) - ay},
            v{exact(points_[c].x) - ax, exact(points_[c].y) - ay};
        const Whole below = 2 * cross(u, v), squared_u = dot(u, u), squared_v = dot(v, v);
        if (below == 0) return rough;
        return {rounded(ax + quotient(v.y * squared_u - u.y * squared_v, below)),
                rounded(ay + quotient(u.x * squared_v - v.x * squared_u, below))};
    }

  private:
    static constexpr double kTolerance = 0x1p-49;  // relative
    static double largest(Point a, Point b) {
        return std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(b.x), std::fabs(b.y)});
    }
    static double between(double a, double b, double t) { return t > 0 ? t < 1 ? a + t * (b - a) : b : a; }
    double rounded(const Fraction& value) const { return std::ldexp(value.convert_to<double>(), unit_); }

    template <class In, class Number>
    struct Formulas {
        std::span<const Point> points;
        std::span<const BorderSide> sides;
        const In& in() const { return static_cast<const In&>(*this); }
        /// The squared distance from the corner where a side begins to q less that to p.
        Number excess(uint32_t side, uint32_t p, uint32_t q) const {
            const auto to = in().site(q) - in().site(p), start = in().corner(side) - in().site(p);
            return dot(to, to) - (dot(to, start) + dot(to, start));
        }
        /// How much of that it loses along the side.
        Number approach(uint32_t side, uint32_t p, uint32_t q) const {
            const auto to = in().site(q) - in().site(p), step = in().corner(sides[side].next) - in().corner(side);
            return dot(to, step) + dot(to, step);
        }
    };
    struct Doubles : Formulas<Doubles, Filtered> {
        NumberPair<Filtered> site(uint32_t s) const { return {points[s].x, points[s].y}; }
        NumberPair<Filtered> corner(uint32_t side) const { return {sides[side].from.x, sides[side].from.y}; }
    };
    struct Wholes : Formulas<Wholes, Series> {
        int unit;
        Wholes(std::span<const Point> p, std::span<const BorderSide> s, int u)
            : Formulas<Wholes, Series>{p, s}, unit(u) {}
        NumberPair<Whole> at(Point p) const { return {whole_of(p.x, unit), whole_of(p.y, unit)}; }
        NumberPair<Series> site(uint32_t s) const {
            const NumberPair<Whole> p = at(points[s]);
            return {p.x, p.y};
        }
        NumberPair<Series> corner(uint32_t side) const {
            const BorderSide& after = sides[side];
            const NumberPair<Whole> p = at(after.from), u = p - at(sides[after.previous].from), v = at(after.to) - p;
            const int turn = cross(u, v).sign();
            const NumberPair<Whole> m = turn == 0 ? NumberPair<Whole>{-u.y, u.x} : turn > 0 ? v - u : u - v;
            return {{p.x, m.x, -m.y}, {p.y, m.y, m.x}};
        }
    };
    template <class Formula>
    int sign(const Formula& formula) const {
        if (const Filtered about = formula(Doubles{points_, sides_}); about.is_certain())
            return about.value > 0 ? 1 : -1;
        return formula(Wholes{points_, sides_, unit_}).sign();
    }
    std::span<const Point> points_;
    std::span<const BorderSide> sides_;
    int unit_ = 1000;
};

/// The sides of rings, each followed by the one that bounds the area next to it: of rings that touch, the one across
/// the area's corner.
std::vector<BorderSide> border_of(const std::vector<std::vector<Point>>& rings) {
    std::vector<BorderSide> sides;
    for (const std::vector<Point>& ring : rings) {
        const auto first = static_cast<uint32_t>(sides.size()), count = static_cast<uint32_t>(ring.size());
        for (uint32_t k = 0; k < count; ++k)
            sides.push_back({ring[k], ring[(k + 1) % count], first + (k + count - 1) % count, first + (k + 1) % count});
    }
    for (const RingJunction& junction : junctions_of(rings)) {
        std::vector<uint32_t> arriving;
        for (const uint32_t side : junction.passages) arriving.push_back(sides[side].previous);
        for (size_t k = 0; k < junction.rays.size(); ++k) {
            // The area is between a side that leaves and the one after it, which arrives.
            const RingJunction::Ray &right = junction.rays[k], &left = junction.rays[(k + 1) % junction.rays.size()];
            if (!right.leaves || left.leaves) continue;
            const uint32_t from = arriving[left.passage], to = junction.passages[right.passage];
            sides[from].next = to;
            sides[to].previous = from;
        }
    }
    return sides;
}

/// A part of the border in one cell.
struct BorderArc {
    uint32_t cell;
    uint32_t entry, exit;           // crossings; kNone: all of a ring is in the cell
    std::vector<uint32_t> corners;  // the sides that begin in it
};

struct TracedBorder {
    std::vector<BorderCrossing> crossings;
    std::vector<BorderArc> arcs;  // by cell
};

TracedBorder trace_border(std::span<const BorderSide> sides, const VertexRows& rows, const BorderPredicates& exact,
                          uint32_t start) {
    TracedBorder traced;
    CancelPoll poll(64);
    std::vector<uint8_t> done(sides.size(), 0);
    uint32_t cell = start;
    for (uint32_t first = 0; first < sides.size(); ++first) {
        if (done[first]) continue;
        for (uint32_t nearer = cell; nearer != kNone;) {
            cell = nearer;
            nearer = kNone;
            for (const uint32_t other : rows.row(cell))
                if (exact.is_nearer(first, other, nearer == kNone ? cell : nearer)) nearer = other;
            poll();
        }
        const size_t first_arc = traced.arcs.size();
        traced.arcs.push_back({cell, kNone, kNone, {}});
        uint32_t side = first;
        do {
            done[side] = 1;
            traced.arcs.back().corners.push_back(side);
            while (true) {
                poll();
                uint32_t to = kNone;
                for (const uint32_t other : rows.row(cell))
                    if (exact.is_nearer(sides[side].next, other, cell) &&
                        (to == kNone || exact.passes_earlier(side, cell, other, to)))
                        to = other;
                if (to == kNone) break;
                const auto at = static_cast<uint32_t>(traced.crossings.size());
                traced.crossings.push_back({side, cell, to});
                traced.arcs.back().exit = at;
                traced.arcs.push_back({cell = to, at, kNone, {}});
            }
            side = sides[side].next;
        } while (side != first);
        if (traced.arcs.size() == first_arc + 1) continue;
        // The last arc goes on where the first began.
        BorderArc &begun = traced.arcs[first_arc], &last = traced.arcs.back();
        last.corners.insert(last.corners.end(), begun.corners.begin(), begun.corners.end());
        last.exit = begun.exit;
        begun = std::move(last);
        traced.arcs.pop_back();
    }
    std::stable_sort(traced.arcs.begin(), traced.arcs.end(),
                     [](const BorderArc& a, const BorderArc& b) { return a.cell < b.cell; });
    return traced;
}

using CellRing = std::vector<Point>;

bool lies_on(const CellRing& ring, Point p) {
    for (size_t i = 0; i < ring.size(); ++i)
        if (AreaSide{ring[i], ring[(i + 1) % ring.size()]}.contains(p)) return true;
    return false;
}

/// Whether a ring surrounds another that does not cross it.
bool surrounds(const CellRing& outer, const CellRing& inner) {
    for (const Point p : inner) {
        if (lies_on(outer, p)) continue;
        bool inside = false;
        for (size_t i = 0; i < outer.size(); ++i)
            inside ^= AreaSide{outer[i], outer[(i + 1) % outer.size()]}.is_right_of(p);
        return inside;
    }
    return false;
}

double rough_area(const CellRing& ring) {
    double twice = 0;
    for (size_t i = 1; i + 1 < ring.size(); ++i) twice += orient2d_value(ring[0], ring[i], ring[i + 1]);
    return twice / 2;
}

/// Adds a ring, in pieces that meet no point twice. Those without area are left out.
void add_simple_rings(CellRing ring, std::vector<CellRing>& made) {
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
    const auto before = [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
    CellRing sorted = ring;
    std::sort(sorted.begin(), sorted.end(), before);
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) {
        if (area_sign(ring) != 0) made.push_back(std::move(ring));
        return;
    }
    CellRing open;
    std::vector<bool> is_open(sorted.size());
    const auto index_of = [&](Point p) {
        return static_cast<size_t>(std::lower_bound(sorted.begin(), sorted.end(), p, before) - sorted.begin());
    };
    for (const Point p : ring) {
        if (is_open[index_of(p)]) {
            CellRing loop;
            while (true) {
                loop.push_back(open.back());
                open.pop_back();
                if (loop.back() == p) break;
                is_open[index_of(loop.back())] = false;
            }
            std::reverse(loop.begin(), loop.end());
            if (area_sign(loop) != 0) made.push_back(std::move(loop));
        }
        is_open[index_of(p)] = true;
        open.push_back(p);
    }
    if (area_sign(open) != 0) made.push_back(std::move(open));
}

/// Makes the cells one by one.
class CellsOfBorder {
  public:
    CellsOfBorder(std::span<const Point> points, const VertexRows& rows, std::span<const BorderSide> sides,
                  const TracedBorder& border, const BorderPredicates& exact)
        : points_(points), rows_(rows), sides_(sides), border_(border), exact_(exact) {
        for (const BorderCrossing& crossing : border.crossings) places_.push_back(exact.place_of(crossing));
    }
    std::span<const BorderArc> arcs_in(uint32_t cell) const {
        const auto before = [](const BorderArc& arc, uint32_t of) { return arc.cell < of; };
        const BorderArc *const all = border_.arcs.data(), *const end = all + border_.arcs.size();
        const BorderArc* const first = std::lower_bound(all, end, cell, before);
        return {first, std::lower_bound(first, end, cell + 1, before)};
    }
    /// A bounded cell.
    CellRing whole(uint32_t cell) const {
        CellRing ring;
        const auto row = rows_.row(cell);
        for (size_t k = 0; k < row.size(); ++k) {
            const Point corner = exact_.centre(cell, row[k], row[(k + 1) % row.size()]);
            if (ring.empty() || !(ring.back() == corner)) ring.push_back(corner);
        }
        while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
        return ring;
    }
    /// The part of a cell in the area, as simple rings: outlines counter-clockwise, holes clockwise. False: the arcs do
    /// not bound an area, since the cell is not a Voronoi cell.
    bool cut(uint32_t cell, std::span<const BorderArc> arcs, std::vector<CellRing>& rings) const {
        struct Event {
            uint32_t neighbour;  // its index in the row
            uint32_t crossing, arc;
            bool leaves;
        };
        const auto row = rows_.row(cell);
        const auto index_of = [&](uint32_t other) {
            return static_cast<uint32_t>(std::find(row.begin(), row.end(), other) - row.begin());
        };
        std::vector<Event> events;
        for (uint32_t k = 0; k < arcs.size(); ++k) {
            if (arcs[k].entry == kNone) {
                add_simple_rings(corners_of(arcs[k]), rings);
                continue;
            }
            events.push_back({index_of(border_.crossings[arcs[k].entry].from), arcs[k].entry, k, false});
            events.push_back({index_of(border_.crossings[arcs[k].exit].to), arcs[k].exit, k, true});
        }
        std::sort(events.begin(), events.end(), [&](const Event& a, const Event& b) {
            return a.neighbour != b.neighbour ? a.neighbour < b.neighbour
                   : a.crossing == b.crossing
                       ? false
                       : exact_.comes_earlier(border_.crossings[a.crossing], border_.crossings[b.crossing], cell);
        });
        const size_t count = events.size();
        std::vector<uint32_t> exit_of(arcs.size(), kNone);
        for (uint32_t i = 0; i < count; ++i)
            if (events[i].leaves) exit_of[events[i].arc] = i;
        for (uint32_t first = 0; first < arcs.size(); ++first) {
            if (exit_of[first] == kNone) continue;
            CellRing ring;
            for (uint32_t arc = first; exit_of[arc] != kNone;) {
                ring.push_back(places_[arcs[arc].entry]);
                for (const uint32_t side : arcs[arc].corners) ring.push_back(sides_[side].from);
                ring.push_back(places_[arcs[arc].exit]);
                // Along the border of the cell to where the border of the area enters again.
                const size_t here = exit_of[arc], there = (here + 1) % count;
                exit_of[arc] = kNone;
                if (events[there].leaves) return false;
                const size_t degree = row.size(), from = events[here].neighbour;
                const size_t to = events[there].neighbour + (there < here ? degree : 0);
                for (size_t k = from; k < to; ++k)
                    ring.push_back(exact_.centre(cell, row[k % degree], row[(k + 1) % degree]));
                arc = events[there].arc;
                if (exit_of[arc] == kNone && arc != first) return false;
            }
            add_simple_rings(std::move(ring), rings);
        }
        if (count == 0 && outermost_is_hole(rings)) {
            if (rows_.on_outline[cell]) return false;
            rings.push_back(whole(cell));
        }
        return true;
    }

  private:
    CellRing corners_of(const BorderArc& arc) const {
        CellRing ring;
        for (const uint32_t side : arc.corners) ring.push_back(sides_[side].from);
        return ring;
    }
    static bool outermost_is_hole(const std::vector<CellRing>& rings) {
        Point least{INFINITY, INFINITY};
        double most = 0;
        for (const CellRing& ring : rings)
            for (const Point p : ring) {
                if (p.x > least.x || (p.x == least.x && p.y > least.y)) continue;
                const double area = rough_area(ring);
                if (p == least && std::fabs(area) <= std::fabs(most)) continue;
                least = p, most = area;
            }
        return most < 0;
    }
    std::span<const Point> points_;
    const VertexRows& rows_;
    std::span<const BorderSide> sides_;
    const TracedBorder& border_;
    const BorderPredicates& exact_;
    std::vector<Point> places_;  // of the crossings
};

/// Cells of successive points, with counts instead of starts.
struct CellRun {
    std::vector<uint32_t> parts, rings, corner_counts;
    std::vector<Point> corners;
    void add_ring(const CellRing& ring) {
        corner_counts.push_back(static_cast<uint32_t>(ring.size()));
        corners.insert(corners.end(), ring.begin(), ring.end());
    }
    void add_cell(std::vector<CellRing>& found) {
        std::vector<std::vector<const CellRing*>> made;
        for (const CellRing& ring : found)
            if (area_sign(ring) > 0) made.push_back({&ring});
        for (const CellRing& ring : found) {
            if (area_sign(ring) >= 0) continue;
            std::vector<const CellRing*>* of = made.size() == 1 ? &made[0] : nullptr;
            if (!of)
                for (std::vector<const CellRing*>& part : made)
                    if (surrounds(*part[0], ring) && (!of || rough_area(*part[0]) < rough_area(*(*of)[0]))) of = &part;
            if (of) of->push_back(&ring);
        }
        parts.push_back(static_cast<uint32_t>(made.size()));
        for (const std::vector<const CellRing*>& part : made) {
            rings.push_back(static_cast<uint32_t>(part.size()));
            for (const CellRing* const ring : part) add_ring(*ring);
        }
    }
};

CellRings cells_at(Context& context, std::span<const Point> points, const VertexRows& rows, const StudyArea& area,
                   bool whole_ones) {
    if (area.periodic_x || area.periodic_y)
        throw Error("cells in a study area need one without periodic sides; in a periodic box they are not cut");
    const CancelScope scope(context.cancel_flag());
    StudyArea polygon = area;
    const auto [low, high] = std::pair(area.low, area.high);
    if (!area.is_polygon()) polygon.rings = {{low, {high.x, low.y}, high, {low.x, high.y}}};
    const AreaIndex index(polygon);
    const AreaView view = index.view();
    const std::vector<BorderSide> sides = border_of(polygon.rings);
    const BorderPredicates exact(points, sides);
    const auto n = static_cast<uint32_t>(points.size());
    const auto has_cell = [&](uint32_t v) { return !rows.row(v).empty() || rows.on_outline[v]; };
    uint32_t start = 0;
    while (start < n && !has_cell(start)) ++start;
    const TracedBorder border = start < n ? trace_border(sides, rows, exact, start) : TracedBorder{};
    const CellsOfBorder cells(points, rows, sides, border, exact);
    std::vector<CellRun> runs((n + 1023) / 1024);
    CellRings made;
    resize_or_cancel(made.is_cut, n);
    std::atomic<bool> broken = false;
    for_ranges(context, n, [&](uint32_t begin, uint32_t end) {
        CellRun& run = runs[begin / 1024];
        std::vector<CellRing> rings;
        for (uint32_t v = begin; v < end; ++v) {
            rings.clear();
            const std::span<const BorderArc> arcs = has_cell(v) ? cells.arcs_in(v) : std::span<const BorderArc>();
            made.is_cut[v] = !arcs.empty();
            if (!arcs.empty()) {
                if (!cells.cut(v, arcs, rings)) broken = true;
                run.add_cell(rings);
            } else if (whole_ones && has_cell(v) && !rows.on_outline[v] && view.contains(points[v])) {
                run.parts.push_back(1);
                run.rings.push_back(1);
                run.add_ring(cells.whole(v));
            } else {
                run.parts.push_back(0);
            }
        }
    });
    if (broken) throw Error("the triangulation is not Delaunay, so its cells in the study area are not Voronoi cells");
    const auto add_up = [](std::vector<uint32_t>& starts, const std::vector<uint32_t>& counts) {
        for (const uint32_t count : counts) starts.push_back(starts.back() + count);
    };
    made.part_starts = made.ring_starts = made.corner_starts = {0};
    for (CellRun& run : runs) {
        throw_if_cancelled();
        add_up(made.part_starts, run.parts);
        add_up(made.ring_starts, run.rings);
        add_up(made.corner_starts, run.corner_counts);
        made.corners.insert(made.corners.end(), run.corners.begin(), run.corners.end());
        run = {};
    }
    return made;
}

}  // namespace

CellRings cells_in(Context& context, std::span<const Point> points, const VertexRows& rows, const StudyArea& area) {
    return cells_at(context, points, rows, area, true);
}
CellRings cut_cells_in(Context& context, std::span<const Point> points, const VertexRows& rows, const StudyArea& area) {
    return cells_at(context, points, rows, area, false);
}

std::vector<CellMeasure> measure_cells(Context& context, std::span<const Point> points, const CellRings& cells) {
    std::vector<CellMeasure> made(points.size());
    const auto measure = [&](uint32_t v) {
        const Point site = points[v];
        double twice_area = 0, along_x = 0, along_y = 0, squares = 0;
        CellMeasure& cell = made[v];
        cell.centroid = site;
        const uint32_t end = cells.ring_starts[cells.part_starts[v + 1]];
        for (uint32_t r = cells.ring_starts[cells.part_starts[v]]; r < end; ++r) {
            const uint32_t first = cells.corner_starts[r], last = cells.corner_starts[r + 1];
            for (uint32_t k = first; k < last; ++k) {
                const Point p = cells.corners[k], q = cells.corners[k + 1 < last ? k + 1 : first];
                const Point a{p.x - site.x, p.y - site.y}, b{q.x - site.x, q.y - site.y};
                const double turn = a.x * b.y - a.y * b.x;
                cell.perimeter += std::hypot(b.x - a.x, b.y - a.y);
                twice_area += turn;
                along_x += turn * (a.x + b.x);
                along_y += turn * (a.y + b.y);
                squares += turn * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y);
            }
        }
        if (!(twice_area > 0)) return;
        cell.area = twice_area / 2;
        cell.centroid = {site.x + along_x / (3 * twice_area), site.y + along_y / (3 * twice_area)};
        cell.energy = squares / 12;
    };
    for_ranges(context, static_cast<uint32_t>(points.size()), [&](uint32_t begin, uint32_t end) {
        for (uint32_t v = begin; v < end; ++v) measure(v);
    });
    return made;
}

}  // namespace flipscope
