#include "delaunay/furthest_point.h"

#include "compute/cancel.h"
#include "delaunay/constructions/hull.h"
#include "flipscope/predicates.h"

namespace flipscope {

namespace {

/// The corners of the convex hull, counter-clockwise, without points on its edges.
std::vector<uint32_t> hull_corners(const std::vector<Point>& points) {
    std::vector<uint32_t> corners;
    const auto drop_before = [&](uint32_t next) {
        while (corners.size() >= 2 &&
               orient2d(points[corners[corners.size() - 2]], points[corners.back()], points[next]) <= 0)
            corners.pop_back();
    };
    for (const uint32_t v : convex_hull(points)) {
        drop_before(v);
        corners.push_back(v);
    }
    if (!corners.empty()) drop_before(corners[0]);
    return corners;
}

}  // namespace

std::optional<std::vector<std::array<uint32_t, 3>>> furthest_point_delaunay(const std::vector<Point>& points,
                                                                            std::span<const uint32_t> inputs,
                                                                            size_t most) {
    const std::vector<uint32_t> corners = hull_corners(points);
    std::vector<std::array<uint32_t, 3>> triangles;
    if (corners.size() > most) return {};
    if (corners.size() < 3) return triangles;
    // Gift wrapping: of the corners beyond a chord, its triangle has the one whose circle contains the others.
    std::vector<std::array<size_t, 2>> chords{{0, corners.size() - 1}};
    while (!chords.empty()) {
        throw_if_cancelled();
        const auto [i, j] = chords.back();
        chords.pop_back();
        if (j - i < 2) continue;
        const uint32_t a = corners[i], b = corners[j];
        size_t apex = i + 1;
        for (size_t k = i + 2; k < j; ++k) {
            const uint32_t c = corners[apex], d = corners[k];
            if (incircle_tied(points[a], points[c], points[b], points[d], inputs[a], inputs[c], inputs[b], inputs[d]) <
                0)
                apex = k;
        }
        triangles.push_back({a, corners[apex], b});
        chords.push_back({i, apex});
        chords.push_back({apex, j});
    }
    return triangles;
}

}  // namespace flipscope
