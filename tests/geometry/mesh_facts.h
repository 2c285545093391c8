// Facts about a list of triangles: counts, orientation and angles, by sorting edges.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "compute/context.h"
#include "flipscope/predicates.h"
#include "geometry/point.h"
#include "judge/judge.h"

namespace flipscope {

struct MeshFacts {
    uint64_t vertices = 0;  // used by a triangle
    uint64_t edges = 0, boundary_edges = 0;
    uint64_t crowded_edges = 0;   // with more than two triangles
    uint64_t repeated_edges = 0;  // with two triangles that run the same way along it
    int64_t euler = 0;
    double volume = 0;         // of a closed surface; positive: it faces outwards
    double steepest = 0;       // dihedral angle, radians: 0 where two triangles lie in one plane
    double smallest = 10;      // angle, radians
    double illegal_share = 0;  // of the edges: opposite angles of more than 180° together
};

/// Ids in range and three different ones in each triangle are taken for granted.
inline MeshFacts lesson_values(const Geometry& mesh) {
    struct Side {
        uint32_t low, high, triangle, place;
        bool forward;
    };
    std::vector<Side> sides;
    std::vector<char> used(mesh.points.size(), 0);
    MeshFacts facts;
    const auto corner = [&](uint32_t t, uint32_t k) { return mesh.at(mesh.triangles[t][k % 3]); };
    const auto angle_at = [&](uint32_t t, uint32_t k) {
        const Point3 u = corner(t, k + 1) - corner(t, k), v = corner(t, k + 2) - corner(t, k), w = cross(u, v);
        return std::atan2(std::sqrt(dot(w, w)), dot(u, v));
    };
    const auto normal = [&](uint32_t t) { return cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0)); };
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        facts.volume += dot(corner(t, 0), cross(corner(t, 1), corner(t, 2))) / 6;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t from = mesh.triangles[t][k], to = mesh.triangles[t][(k + 1) % 3];
            used[from] = 1;
            sides.push_back({std::min(from, to), std::max(from, to), t, k, from < to});
            facts.smallest = std::min(facts.smallest, angle_at(t, k));
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::array{a.low, a.high, a.triangle} < std::array{b.low, b.high, b.triangle};
    });
    uint64_t illegal = 0;
    for (size_t i = 0; i < sides.size();) {
        size_t end = i;
        while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high) ++end;
        ++facts.edges;
        facts.boundary_edges += end - i == 1;
        facts.crowded_edges += end - i > 2;
        if (end - i == 2) {
            const Side &a = sides[i], &b = sides[i + 1];
            facts.repeated_edges += a.forward == b.forward;
            illegal += angle_at(a.triangle, a.place + 2) + angle_at(b.triangle, b.place + 2) > 3.14159265358979 + 1e-9;
            const Point3 m = normal(a.triangle), n = (a.forward == b.forward ? -1.0 : 1.0) * normal(b.triangle);
            const Point3 w = cross(m, n);
            facts.steepest = std::max(facts.steepest, std::atan2(std::sqrt(dot(w, w)), dot(m, n)));
        }
        i = end;
    }
    facts.vertices = static_cast<uint64_t>(std::count(used.begin(), used.end(), 1));
    facts.euler = int64_t(facts.vertices) - int64_t(facts.edges) + int64_t(mesh.triangles.size());
    facts.illegal_share = facts.edges ? double(illegal) / double(facts.edges) : 0;
    return facts;
}

/// Whether a planar mesh is a triangulation of its points' convex hull, every triangle counter-clockwise. The judge is
/// compared with a second opinion in tests/judge.
inline bool triangulates_hull(const Geometry& mesh) {
    const auto turns_left = [&](const std::array<uint32_t, 3>& t) {
        return orient2d(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]) > 0;
    };
    Context context(DeviceRequest::kCpu, 1);
    const Judgement judgement = judge(context, mesh);
    return judgement.triangulation && judgement.complete &&
           std::all_of(mesh.triangles.begin(), mesh.triangles.end(), turns_left);
}

}  // namespace flipscope
