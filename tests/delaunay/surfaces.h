// Surfaces for tests, and the properties that flips must preserve, found by sorting edges and by trigonometry: shares
// no code with the lab.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "delaunay/runs.h"

namespace flipscope {

using Edge = std::pair<uint32_t, uint32_t>;  // lesser index first

inline double norm(Point3 v) { return std::sqrt(dot(v, v)); }
inline double angle_between(Point3 u, Point3 v) { return std::atan2(norm(cross(u, v)), dot(u, v)); }

/// A surface in one state of a run.
struct Surface {
    std::vector<Point3> at;
    Triangles triangles;
    struct Side {
        uint32_t triangle, apex;
        bool forward;  // the triangle runs from the lesser to the greater index
    };
    std::map<Edge, std::vector<Side>> edges;

    explicit Surface(const TriangleSoup& soup) : triangles(soup.triangles) {
        for (size_t i = 0; i < soup.points->size(); ++i)
            at.push_back({(*soup.points)[i].x, (*soup.points)[i].y, (*soup.heights)[i]});
        for (uint32_t t = 0; t < triangles.size(); ++t)
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
                edges[std::minmax(a, b)].push_back({t, triangles[t][(k + 2) % 3], a < b});
            }
    }
    Point3 normal(uint32_t a, uint32_t b, uint32_t c) const { return cross(at[b] - at[a], at[c] - at[a]); }
    Point3 normal(uint32_t t) const { return normal(triangles[t][0], triangles[t][1], triangles[t][2]); }
    double angle(uint32_t apex, uint32_t a, uint32_t b) const {
        return angle_between(at[a] - at[apex], at[b] - at[apex]);
    }
    /// Height over the longest side, of a triangle: 0 is flat.
    double thinness(uint32_t a, uint32_t b, uint32_t c) const {
        const double longest = std::max({norm(at[b] - at[a]), norm(at[c] - at[b]), norm(at[a] - at[c])});
        return longest > 0 ? norm(normal(a, b, c)) / (longest * longest) : 0;
    }
    bool is_manifold(const std::vector<Side>& sides) const {
        return sides.size() == 2 && sides[0].forward != sides[1].forward;
    }
    /// NaN for what is no edge of two triangles that agree.
    double dihedral(const std::vector<Side>& sides) const {
        if (!is_manifold(sides)) return std::nan("");
        return angle_between(normal(sides[0].triangle), normal(sides[1].triangle));
    }
    std::set<uint32_t> vertices() const {
        std::set<uint32_t> used;
        for (const auto& t : triangles) used.insert(t.begin(), t.end());
        return used;
    }
    /// Edges of one triangle, of more than two, and of two that do not agree.
    std::map<Edge, size_t> borders() const {
        std::map<Edge, size_t> found;
        for (const auto& [edge, sides] : edges)
            if (!is_manifold(sides)) found[edge] = sides.size();
        return found;
    }
    std::set<Edge> creases(double limit) const {
        std::set<Edge> found;
        for (const auto& [edge, sides] : edges)
            if (dihedral(sides) > limit) found.insert(edge);
        return found;
    }
    std::set<std::array<uint32_t, 3>> flat_triangles() const {
        std::set<std::array<uint32_t, 3>> found;
        for (auto t : triangles)
            if (!(thinness(t[0], t[1], t[2]) > 0.9e-10)) {
                std::sort(t.begin(), t.end());
                found.insert(t);
            }
        return found;
    }

    /// Vertices whose triangles hang together at the vertex alone.
    std::set<uint32_t> pinched() const {
        std::map<uint32_t, std::map<uint32_t, uint32_t>> leaders;  // vertex -> triangle -> one of its umbrella
        for (uint32_t t = 0; t < triangles.size(); ++t)
            for (const uint32_t v : triangles[t]) leaders[v][t] = t;
        const auto leader = [&](uint32_t v, uint32_t t) {
            while (leaders[v][t] != t) t = leaders[v][t];
            return t;
        };
        for (const auto& [edge, sides] : edges)
            if (is_manifold(sides))
                for (const uint32_t v : {edge.first, edge.second})
                    leaders[v][leader(v, sides[0].triangle)] = leader(v, sides[1].triangle);
        std::set<uint32_t> found;
        for (const auto& [v, of_triangle] : leaders) {
            size_t umbrellas = 0;
            for (const auto& [t, to] : of_triangle) umbrellas += t == to;
            if (umbrellas > 1) found.insert(v);
        }
        return found;
    }

    /// Edges that are illegal, no crease, and could flip: each by a clear margin. But not where both ends of the
    /// new edge are pinched, from where a lab need not see whether it is there already.
    std::vector<Edge> could_flip(double epsilon, double limit) const {
        constexpr double kMargin = 1e-6;
        std::vector<Edge> found;
        const std::set<uint32_t> blind = pinched();
        for (const auto& [edge, sides] : edges) {
            if (!is_manifold(sides)) continue;
            const auto [a, b] = edge;
            const Side &left = sides[sides[0].forward ? 0 : 1], &right = sides[sides[0].forward ? 1 : 0];
            const uint32_t p = left.apex, q = right.apex;
            if (p == q || edges.contains(std::minmax(p, q)) || (blind.contains(p) && blind.contains(q))) continue;
            if (angle(p, a, b) + angle(q, a, b) < std::numbers::pi + epsilon + kMargin) continue;
            if (!(dihedral(sides) < limit - kMargin)) continue;
            if (thinness(a, b, p) < 1e-6 || thinness(a, b, q) < 1e-6) continue;
            if (thinness(a, q, p) < 1e-6 || thinness(b, p, q) < 1e-6) continue;
            const Point3 m = normal(left.triangle), n = normal(right.triangle);
            const Point3 upward = (1 / norm(m)) * m + (1 / norm(n)) * n;
            const Point3 at_a = normal(a, q, p), at_b = normal(b, p, q);
            if (std::min(dot(at_a, upward) / norm(at_a), dot(at_b, upward) / norm(at_b)) < kMargin) continue;
            if (angle_between(at_a, at_b) > limit - kMargin) continue;
            bool fits = true;
            const auto look = [&](uint32_t u, uint32_t v, uint32_t inside, Point3 old, Point3 made) {
                const std::vector<Side>& outer = edges.at(std::minmax(u, v));
                if (!is_manifold(outer)) {
                    fits = fits && outer.size() == 1;  // which of several it is cut from does not matter here
                    return;
                }
                const Side& beyond = outer[0].triangle == inside ? outer[1] : outer[0];
                const Point3 other = normal(beyond.triangle);
                fits = fits &&
                       (angle_between(other, made) < limit - kMargin || angle_between(other, old) > limit + kMargin);
            };
            look(p, a, left.triangle, m, at_a);
            look(b, p, left.triangle, m, at_b);
            look(a, q, right.triangle, n, at_a);
            look(q, b, right.triangle, n, at_b);
            if (fits) found.push_back(edge);
        }
        return found;
    }
};

/// Invariants of `now`, compared with the surface before the first flip.
inline void check_same_shape(const Surface& before, const Surface& now, double limit) {
    CHECK(now.triangles.size() == before.triangles.size());
    CHECK(now.vertices() == before.vertices());
    CHECK(now.borders() == before.borders());
    CHECK(now.edges.size() == before.edges.size());  // with the two above: the Euler characteristic
    // The limit is that of a cosine, which cannot distinguish angles below 10⁻⁶ from 0.
    const std::set<Edge> old_creases = before.creases(limit - 1e-7);
    size_t new_creases = 0;
    for (const Edge& edge : now.creases(limit + 3e-6)) new_creases += !old_creases.contains(edge);
    CHECK(new_creases == 0);
    const auto was_flat = before.flat_triangles();
    size_t newly_flat = 0;
    for (const auto& t : now.flat_triangles()) newly_flat += !was_flat.contains(t);
    CHECK(newly_flat == 0);
}

// ---- surfaces -------------------------------------------------------------------------------------------------------

using Mesh = std::shared_ptr<Geometry>;

inline Mesh make_surface(std::string name, const std::vector<Point3>& at, Triangles triangles) {
    auto mesh = std::make_shared<Geometry>();
    mesh->name = std::move(name);
    for (const Point3& p : at) {
        mesh->points.push_back({p.x, p.y});
        mesh->heights.push_back(p.z);
    }
    mesh->triangles = std::move(triangles);
    return mesh;
}

inline Mesh tetrahedron() {
    return make_surface("a tetrahedron", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}
inline Mesh octahedron() {
    return make_surface("an octahedron", {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                        {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
}
inline Mesh duplicate_triangle() {
    return make_surface("a doubled triangle", {{0, 0, 0}, {1, 0, 0}, {0.3, 0.1, 0}}, {{0, 1, 2}, {0, 2, 1}});
}
/// A disk or a flat cone around one vertex.
inline Mesh cone(uint32_t degree, double height) {
    std::vector<Point3> at{{0, 0, height}};
    Triangles triangles;
    for (uint32_t i = 0; i < degree; ++i) {
        const double angle = 2 * std::numbers::pi * i / degree, r = 1 + 0.3 * std::sin(7.0 * i);
        at.push_back({r * std::cos(angle), r * std::sin(angle), 0});
        triangles.push_back({0, 1 + i, 1 + (i + 1) % degree});
    }
    return make_surface("a cone of " + std::to_string(degree), at, triangles);
}
/// A rectangle of n × n cells with diagonals and places at random, from `at(u, v)` with u and v in 0 … 1.
template <class Place>
void add_sheet(std::vector<Point3>& at, Triangles& triangles, uint32_t n, std::mt19937_64& random, const Place& place) {
    const auto first = static_cast<uint32_t>(at.size());
    const auto shake = [&] { return std::uniform_real_distribution<double>(-0.3, 0.3)(random); };
    for (uint32_t j = 0; j <= n; ++j)
        for (uint32_t i = 0; i <= n; ++i) {
            const double u = i + (i > 0 && i < n ? shake() : 0), v = j + (j > 0 && j < n ? shake() : 0);
            at.push_back(place(u / n, v / n));
        }
    for (uint32_t j = 0; j < n; ++j)
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t a = first + j * (n + 1) + i, b = a + 1, d = a + n + 1, c = d + 1;
            if (random() % 2) {
                triangles.push_back({a, b, c});
                triangles.push_back({a, c, d});
            } else {
                triangles.push_back({a, b, d});
                triangles.push_back({b, c, d});
            }
        }
}
/// Joins vertices at exactly the same place.
inline Mesh joined(std::string name, const std::vector<Point3>& at, Triangles triangles) {
    std::map<std::array<double, 3>, uint32_t> ids;
    std::vector<Point3> places;
    std::vector<uint32_t> id_of;
    for (const Point3& p : at) {
        const auto [found, added] = ids.insert({{p.x, p.y, p.z}, static_cast<uint32_t>(places.size())});
        if (added) places.push_back(p);
        id_of.push_back(found->second);
    }
    for (auto& t : triangles)
        for (uint32_t& v : t) v = id_of[v];
    return make_surface(std::move(name), places, std::move(triangles));
}
/// A box with flat faces, whose edges are creases. Edges' vertices are evenly spaced, so that faces fit together.
inline Mesh box(uint32_t n, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Point3> at;
    Triangles triangles;
    const auto snap = [&](double t) { return t < 1e-12 ? 0.0 : t > 1 - 1e-12 ? 1.0 : t; };
    for (int axis = 0; axis < 3; ++axis)
        for (const bool top : {false, true}) {
            Triangles face;
            std::vector<Point3> places;
            const auto on_border = [&](double u) { return u == 0 || u == 1; };
            const auto grid = [&](double u) { return std::round(u * n) / n; };
            add_sheet(places, face, n, random, [&](double u, double v) {
                u = snap(u), v = snap(v);
                if (on_border(u) || on_border(v)) u = grid(u), v = grid(v);
                const double w[3] = {u, v, top ? 1.0 : 0.0};
                return Point3{w[(3 - axis) % 3], w[(4 - axis) % 3], w[(5 - axis) % 3]};
            });
            for (auto t : face) {
                if (!top) std::swap(t[0], t[1]);
                for (uint32_t& v : t) v += static_cast<uint32_t>(at.size());
                triangles.push_back(t);
            }
            at.insert(at.end(), places.begin(), places.end());
        }
    return joined("a box of " + std::to_string(n), at, triangles);
}
/// Sheets that share one side, as pages do: its edges are non-manifold where there are more than two.
inline Mesh book(uint32_t pages, uint32_t n, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Point3> at;
    Triangles triangles;
    for (uint32_t page = 0; page < pages; ++page) {
        const double turn = 2 * std::numbers::pi * page / pages + 0.1;
        add_sheet(at, triangles, n, random, [&](double u, double v) {
            if (u == 0) return Point3{0, 0, std::round(v * n) / n};
            return Point3{u * std::cos(turn), u * std::sin(turn), v};
        });
    }
    return joined("a book of " + std::to_string(pages) + " pages", at, triangles);
}
/// Two surfaces in one, with `shared` of the second one's vertices taken from the first.
inline Mesh merged(std::string name, const Geometry& a, const Geometry& b, Point3 shift,
                   std::map<uint32_t, uint32_t> shared = {}) {
    auto mesh = std::make_shared<Geometry>(a);
    mesh->name = std::move(name);
    std::vector<uint32_t> ids;
    for (uint32_t i = 0; i < b.points.size(); ++i) {
        if (shared.contains(i)) {
            ids.push_back(shared[i]);
            continue;
        }
        ids.push_back(static_cast<uint32_t>(mesh->points.size()));
        mesh->points.push_back({b.points[i].x + shift.x, b.points[i].y + shift.y});
        mesh->heights.push_back(b.heights[i] + shift.z);
    }
    for (const auto& t : b.triangles) mesh->triangles.push_back({ids[t[0]], ids[t[1]], ids[t[2]]});
    return mesh;
}
/// Without some triangles: around a few vertices, and single ones.
inline Mesh with_holes(const Geometry& whole, uint64_t seed) {
    std::mt19937_64 random(seed);
    auto mesh = std::make_shared<Geometry>(whole);
    mesh->name += " with holes";
    std::set<uint32_t> gone;
    for (int k = 0; k < 4; ++k) gone.insert(whole.triangles[random() % whole.triangles.size()][0]);
    mesh->triangles.clear();
    for (const auto& t : whole.triangles)
        if (!std::any_of(t.begin(), t.end(), [&](uint32_t v) { return gone.contains(v); }) && random() % 25)
            mesh->triangles.push_back(t);
    return mesh;
}
/// Any triangles over a few points: nothing about it is a surface.
inline Mesh random_soup(uint32_t points, uint32_t triangles, bool flat, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    std::vector<Point3> at;
    for (uint32_t i = 0; i < points; ++i) at.push_back({uniform(), uniform(), flat ? 0.01 * uniform() : uniform()});
    Triangles made;
    while (made.size() < triangles) {
        const std::array<uint32_t, 3> t{uint32_t(random() % points), uint32_t(random() % points),
                                        uint32_t(random() % points)};
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) made.push_back(t);
    }
    return make_surface("a soup of " + std::to_string(triangles), at, made);
}

/// More than ten kinds.
inline std::vector<Input> test_surfaces(uint64_t seed) {
    const std::string tail = "@seed=" + std::to_string(seed);
    std::vector<Input> list;
    for (const char* name : {"sphere:6", "sphere:60", "sphere:500", "torus-knot:300", "torus-knot:900", "terrain:4",
                             "terrain:30", "terrain:500", "infinity:120", "infinity:500", "band:24", "band:300"})
        list.push_back(generated(name + tail));
    for (const char* name : {"sphere:300", "torus-knot:600", "terrain:300", "infinity:300", "band:200"})
        list.push_back(with_holes(*generated(name + tail), seed));
    const Input sphere = generated("sphere:150" + tail), terrain = generated("terrain:150" + tail);
    list.push_back(merged("two spheres", *sphere, *sphere, {3, 0, 0}));
    list.push_back(merged("two spheres that touch", *sphere, *sphere, {0, 0, -2}, {{0, 149}}));
    list.push_back(merged("three pieces", *merged("", *sphere, *terrain, {5, 0, 0}), *tetrahedron(), {0, 9, 0}));
    list.push_back(merged("a surface twice in one place", *terrain, *terrain, {0, 0, 0}));
    list.push_back(tetrahedron());
    list.push_back(octahedron());
    list.push_back(duplicate_triangle());
    list.push_back(merged("two tetrahedra that share a vertex", *tetrahedron(), *tetrahedron(), {0, 0, 0}, {{0, 0}}));
    list.push_back(merged("three triangles on an edge",
                          *make_surface("", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}),
                          *make_surface("", {{0, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}}, {{1, 0, 2}, {1, 0, 3}}), {},
                          {{0, 0}, {1, 1}}));
    list.push_back(box(6, seed));
    list.push_back(box(1, seed));
    for (const uint32_t pages : {2u, 3u, 5u}) list.push_back(book(pages, 6, seed));
    list.push_back(cone(200, 0));
    list.push_back(cone(50, 0.05));
    return list;
}

}  // namespace flipscope
