#include "flipscope/triangulate_torus.h"

#include <optional>
#include <string>

#include "compute/error.h"
#include "delaunay/torus/torus_triangulation.h"
#include "delaunay/torus/wrap_points.h"
#include "geometry/places.h"

namespace flipscope {

TorusTriangles triangulate_torus(Context& context, std::span<const Point> points, Point sides) {
    const CancelScope scope(context.cancel_flag());
    require_box("", sides);
    const TorusBox box = TorusBox::of(sides);
    TorusTriangles result;
    result.sides = box.sides;
    result.points.reserve(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        const std::optional<Point> p = wrap_point(box, points[i]);
        if (!p)
            throw Error("point " + std::to_string(i) + " at " + place_text(points[i]) +
                        " is too far from the periodic box of " + box_text(sides) + "; wrap it into the box first");
        result.points.push_back(*p);
    }
    TorusTriangulation torus;
    torus.build(context, box, result.points, false);
    const size_t count = torus.mesh().triangle_count;
    const std::vector<uint32_t> ids = torus.mesh().triangles.download(3 * count);
    const std::vector<uint32_t> half_edge_at = torus.mesh().half_edge_at.download(3 * count);
    const std::vector<uint32_t> corner_of = torus.mesh().corner_of.download(3 * count);
    const std::vector<ImageShift> images = corner_images(torus.mesh());
    result.triangles.resize(count);
    result.images.resize(count);
    result.across.resize(count);
    for (size_t t = 0; t < count; ++t)
        for (size_t k = 0; k < 3; ++k) {
            result.triangles[t][k] = ids[3 * t + k];
            result.images[t][k] = images[3 * t + k];
            result.across[t][k] = corner_of[half_edge_at[3 * t + (k + 1) % 3] ^ 1];
        }
    result.hash = torus.hash();
    return result;
}

}  // namespace flipscope
