// Randomly moved vertices of a triangulation on a torus or a cylinder, for tests of its updates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "compute/launch.h"
#include "delaunay/torus/moved_vertices.h"
#include "torus.h"

namespace flipscope {

/// Those where listed corners begin.
struct MoveListed {
    MovedStars stars;
    View<const uint32_t> corners;
    View<const Point> places;
    View<const ImageShift> sides;
    View<Point> positions;
    FLIPSCOPE_HD void operator()(uint32_t k) const {
        const uint32_t i = stars.mesh.from(corners[k]);
        positions[i] = places[i];
        stars.follow(corners[k], sides[i]);
    }
};

/// One vertex in `every` moves by about `far` world units, on a cylinder at most to its borders.
struct MovedPoints {
    uint32_t count = 0;  // that move
    std::vector<uint8_t> moved;
    Buffer<uint8_t> moved_bits{"moved"};
    Buffer<ImageShift> sides{"moved images"};
    Buffer<Point> targets{"where they go"};  // of all
    Buffer<uint32_t> corners{"corners"};     // one at each of them

    MovedPoints(Context& context, const TorusTriangulation& torus, double far, uint64_t every, std::mt19937_64& random,
                std::normal_distribution<double>& normal)
        : moved(torus.count()) {
        const TorusBox& box = torus.box();
        const uint32_t n = torus.count();
        Points points = torus.mesh().positions.download();
        points.resize(n);
        std::vector<uint32_t> corner_at(n, kNone), listed;
        const std::vector<uint32_t> vertices = torus.mesh().triangles.download();
        for (uint32_t corner = 0; corner < 6 * n; ++corner) corner_at[vertices[corner]] = corner;
        std::vector<ImageShift> added(n);
        for (uint32_t i = 0; i < n; ++i) {
            if (random() % every) continue;
            Point p{points[i].x + box.on_grid(far * normal(random)), points[i].y + box.on_grid(far * normal(random))};
            if (box.is_cylinder()) {
                double& v = box.open == OpenAxis::kX ? p.x : p.y;
                v = std::min(std::max(v, 0.0), box.extent);
            }
            added[i] = sides_to_add(box, p);
            moved[i] = kVertexMoved | (added[i] == ImageShift{} ? 0 : kVertexCrossed);
            points[i] = box.image(p, added[i]);
            listed.push_back(corner_at[i]);
        }
        count = static_cast<uint32_t>(listed.size());
        moved_bits.upload(context, moved.data(), n);
        sides.upload(context, added.data(), n);
        targets.upload(context, points.data(), n);
        corners.upload(context, listed.data(), listed.size());
    }
    TorusTriangulation::Motion motion(bool all) const { return {moved_bits.view(), sides.view(), all}; }
    /// Moves them, for follow() or begin_follow().
    void put(Context& context, TorusTriangulation& torus) const {
        const Points points = targets.download();
        torus.positions().upload(context, points.data(), points.size());
    }
    /// Moves them, for launch_follow_stars().
    void launch_moves(Context& context, TorusTriangulation& torus) const {
        launch(context, "test.move", count,
               MoveListed{torus.begin_stars(), corners.view(), targets.view(), sides.view(), torus.positions().view()});
    }
};

}  // namespace flipscope
