// The generators of surfaces that are not height fields.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "compute/cancel.h"
#include "geometry/mesh_generators.h"

namespace flipscope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kSurfaceJitter = 0.18;  // of the spacing, each way; from 0.25 on a triangle could be turned over
constexpr double kTwist = 0.6;           // columns by which one row of a tube is turned against the last
constexpr double kLongDiagonals = 0.9;   // the share of quads that are cut along their longer diagonal

using Corners = std::array<uint32_t, 4>;  // vertex ids, counter-clockwise

void add_vertex(Geometry& mesh, Point3 p) {
    mesh.points.push_back({p.x, p.y});
    mesh.heights.push_back(p.z);
}

double distance_squared(const Geometry& mesh, uint32_t a, uint32_t b) {
    const Point3 d = mesh.at(a) - mesh.at(b);
    return dot(d, d);
}

/// Cuts along the longer diagonal, mostly.
void add_quad(Geometry& mesh, const Corners& q, const Random& random, uint64_t index) {
    const bool first_is_longer = distance_squared(mesh, q[0], q[2]) > distance_squared(mesh, q[1], q[3]);
    const bool longer = random.number(Stream::kDiagonal, index) < kLongDiagonals;
    if (first_is_longer == longer) {
        mesh.triangles.push_back({q[0], q[1], q[2]});
        mesh.triangles.push_back({q[0], q[2], q[3]});
    } else {
        mesh.triangles.push_back({q[0], q[1], q[3]});
        mesh.triangles.push_back({q[1], q[2], q[3]});
    }
}

Point3 unit(Point3 v) { return 1 / std::sqrt(dot(v, v)) * v; }

/// A point of a closed curve with two directions at right angles to it and to each other.
struct CurvePoint {
    Point3 place, normal, binormal;
};

/// The (2, 3) torus knot on a torus of radii 2 and 1, whose normal is the curve's.
CurvePoint trefoil(double t) {
    const double p = 2 * kTurn * t, q = 3 * kTurn * t;
    const double cp = std::cos(p), sp = std::sin(p), cq = std::cos(q), sq = std::sin(q);
    const Point3 normal{cq * cp, cq * sp, sq};
    const Point3 tangent{-3 * sq * cp - 2 * (2 + cq) * sp, -3 * sq * sp + 2 * (2 + cq) * cp, 3 * cq};
    return {{(2 + cq) * cp, (2 + cq) * sp, sq}, normal, unit(cross(tangent, normal))};
}

/// Gerono's lemniscate, its two strands lifted apart where they cross. Nowhere vertical.
CurvePoint figure_eight(double t) {
    constexpr double kWidth = 2, kHeight = 0.75, kLift = 0.45;
    const double c = std::cos(kTurn * t), s = std::sin(kTurn * t);
    const double c2 = c * c - s * s, s2 = 2 * s * c;
    const Point3 tangent = unit({-kWidth * s, 2 * kHeight * c2, kLift * c});
    const Point3 normal = unit(Point3{0, 0, 1} - tangent.z * tangent);
    return {{kWidth * c, kHeight * s2, kLift * s}, normal, cross(tangent, normal)};
}

/// Rows and columns of vertices, the last row joined to the first: place(i, j, shake) of each, and then quad(i, j) of
/// each cell. The surplus splits triangles.
template <class Place, class Quad>
Geometry closed_rows(const GridShape& shape, uint64_t cells_in_row, const Random& random, const Place& place,
                     const Quad& quad) {
    const uint64_t count = shape.rows * shape.columns + shape.surplus;
    Geometry mesh;
    CancelPoll poll;
    mesh.points.reserve(count);
    mesh.heights.reserve(count);
    for (uint64_t i = 0; i < shape.rows; ++i)
        for (uint64_t j = 0; j < shape.columns; ++j) {
            poll();
            RandomPair shake = random.pair(Stream::kJitter, i * shape.columns + j);
            for (double* by : {&shake.first, &shake.second}) *by = 2 * kSurfaceJitter * (*by - 0.5);
            add_vertex(mesh, place(static_cast<double>(i) + shake.first, j, shake.second));
        }
    mesh.triangles.reserve(2 * count);
    for (uint64_t i = 0; i < shape.rows; ++i)
        for (uint64_t j = 0; j < cells_in_row; ++j) {
            poll();
            add_quad(mesh, quad(i, j), random, i * shape.columns + j);
        }
    split_triangles(mesh, shape.surplus);
    return mesh;
}

/// A tube around a closed curve: a torus of rows along the curve and columns around it, twisted, and shaken within the
/// surface.
Geometry tube(uint64_t count, const Random& random, CurvePoint (*curve)(double), double radius, uint64_t min_rows) {
    double length = 0;
    constexpr int kPieces = 512;
    for (int i = 0; i < kPieces; ++i) {
        const Point3 piece = curve((i + 1.0) / kPieces).place - curve(double(i) / kPieces).place;
        length += std::sqrt(dot(piece, piece));
    }
    const GridShape shape = choose_grid(count, length / (kTurn * radius), min_rows, 3);
    const auto rows = static_cast<double>(shape.rows), columns = static_cast<double>(shape.columns);
    // Coarse tubes would be creased by it. A whole number, so that the tube closes.
    const double turns = std::round(kTwist * std::clamp((columns - 10) / 20, 0.0, 1.0) * rows / columns);
    const auto place = [&](double row, uint64_t column, double shake) {
        const double t = row / rows, angle = kTurn * ((static_cast<double>(column) + shake) / columns + turns * t);
        const CurvePoint p = curve(t);
        return p.place + radius * (std::cos(angle) * p.normal + std::sin(angle) * p.binormal);
    };
    const auto id = [&](uint64_t row, uint64_t column) {
        return static_cast<uint32_t>(row % shape.rows * shape.columns + column % shape.columns);
    };
    return closed_rows(shape, shape.columns, random, place, [&](uint64_t i, uint64_t j) {
        return Corners{id(i, j), id(i, j + 1), id(i + 1, j + 1), id(i + 1, j)};
    });
}

/// The number of vertices of each ring of a sphere: in proportion to its area, at least three, `count` in total.
std::vector<uint64_t> ring_sizes(uint64_t count, uint64_t ring_count) {
    std::vector<uint64_t> sizes(ring_count);
    const double step = std::numbers::pi / static_cast<double>(ring_count + 1);
    const double first = std::cos(step / 2), all = 2 * first;
    uint64_t given = 0;
    for (uint64_t k = 0; k < ring_count; ++k) {
        const double above = (first - std::cos(step * (static_cast<double>(k) + 1.5))) / all;
        const auto until = static_cast<uint64_t>(std::llround(above * static_cast<double>(count)));
        sizes[k] = std::max<uint64_t>(3, until - std::min(given, until));
        given += sizes[k];
    }
    CancelPoll poll(64);  // at a few thousand sizes each
    for (; given > count; --given) {
        poll();
        --*std::max_element(sizes.begin(), sizes.end());
    }
    for (; given < count; ++given) {
        poll();
        ++*std::min_element(sizes.begin(), sizes.end());
    }
    return sizes;
}

}  // namespace

/// Rings around the axis, and a vertex at either pole. Two rings are joined as a zip is: the side whose next vertex
/// comes first moves on; but the lower ring lags behind, so that the zip leans over.
Geometry make_sphere(uint64_t count, const Random& random) {
    const double spacing = std::sqrt(8 * std::numbers::pi / std::sqrt(3.0) / static_cast<double>(count));
    const auto wanted = static_cast<uint64_t>(std::llround(std::numbers::pi / (spacing * std::sqrt(0.75)))) - 1;
    const uint64_t ring_count = std::clamp<uint64_t>(wanted, 1, (count - 2) / 3);
    const std::vector<uint64_t> sizes = ring_sizes(count - 2, ring_count);
    Geometry mesh;
    CancelPoll poll;
    mesh.points.reserve(count);
    mesh.heights.reserve(count);
    mesh.triangles.reserve(2 * count - 4);
    add_vertex(mesh, {0, 0, 1});
    for (uint64_t k = 0; k < ring_count; ++k) {
        for (uint64_t j = 0; j < sizes[k]; ++j) {
            poll();
            const RandomPair shake = random.pair(Stream::kJitter, mesh.points.size());
            const double down = std::numbers::pi * (static_cast<double>(k) + 1 + kSurfaceJitter * (shake.first - 0.5)) /
                                static_cast<double>(ring_count + 1);
            const double angle = kTurn * (static_cast<double>(j) + 2 * kSurfaceJitter * (shake.second - 0.5)) /
                                 static_cast<double>(sizes[k]);
            add_vertex(mesh, {std::sin(down) * std::cos(angle), std::sin(down) * std::sin(angle), std::cos(down)});
        }
    }
    add_vertex(mesh, {0, 0, -1});

    uint64_t begin = 1;  // the first vertex of the upper ring
    const auto at = [](uint64_t ring_begin, uint64_t j, uint64_t size) {
        return static_cast<uint32_t>(ring_begin + j % size);
    };
    for (uint64_t j = 0; j < sizes[0]; ++j)
        mesh.triangles.push_back({0, at(begin, j, sizes[0]), at(begin, j + 1, sizes[0])});
    for (uint64_t k = 0; k + 1 < ring_count; ++k) {
        const uint64_t upper = sizes[k], lower = sizes[k + 1], next = begin + upper;
        const auto smaller = static_cast<double>(std::min(upper, lower));
        const double lag = std::clamp((smaller - 8) / 32, 0.0, 1.0) / smaller;  // of a turn
        uint64_t i = 0, j = 0;
        const auto is_lower = [&] {
            return static_cast<double>(j + 1) / static_cast<double>(lower) + lag <
                   static_cast<double>(i + 1) / static_cast<double>(upper);
        };
        while (i < upper || j < lower) {
            poll();
            const bool down = i == upper || (j < lower && is_lower());
            const uint32_t a = at(begin, i, upper), b = at(next, j, lower);
            mesh.triangles.push_back({a, b, down ? at(next, ++j, lower) : at(begin, ++i, upper)});
        }
        begin = next;
    }
    const auto south = static_cast<uint32_t>(count - 1);
    const uint64_t last = sizes.back();
    for (uint64_t j = 0; j < last; ++j) mesh.triangles.push_back({south, at(begin, j + 1, last), at(begin, j, last)});
    return mesh;
}

Geometry make_torus_knot(uint64_t count, const Random& random) { return tube(count, random, trefoil, 0.4, 60); }

Geometry make_infinity(uint64_t count, const Random& random) { return tube(count, random, figure_eight, 0.28, 30); }

Geometry make_band(uint64_t count, const Random& random) {
    constexpr double kHalfWidth = 0.4;
    const GridShape shape = choose_grid(count, kTurn / (2 * kHalfWidth), 8, 2);
    const auto place = [&](double row, uint64_t column, double shake) {
        const bool inner = column > 0 && column + 1 < shape.columns;
        const double across = static_cast<double>(column) + (inner ? shake : 0);
        const double s = kHalfWidth * (2 * across / static_cast<double>(shape.columns - 1) - 1);
        const double angle = kTurn * (row / static_cast<double>(shape.rows)), half = angle / 2;
        const double r = 1 + s * std::cos(half);
        return Point3{r * std::cos(angle), r * std::sin(angle), s * std::sin(half)};
    };
    // The row after the last is the first, from its other end.
    const auto id = [&](uint64_t row, uint64_t column) {
        return static_cast<uint32_t>(row < shape.rows ? row * shape.columns + column : shape.columns - 1 - column);
    };
    return closed_rows(shape, shape.columns - 1, random, place, [&](uint64_t i, uint64_t j) {
        return Corners{id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)};
    });
}

}  // namespace flipscope
