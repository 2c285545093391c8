#include "delaunay/torus/triangulate_torus.h"

#include <cmath>
#include <string>

#include "compute/error.h"
#include "delaunay/torus/torus_triangulation.h"
#include "geometry/places.h"

namespace flipscope {

TorusTriangles triangulate_torus(Context& context, std::span<const Point> points, double side) {
    if (!(side >= 1e-30 && side <= 1e30))
        throw Error("the side of a periodic box cannot be " + format_exactly(side) +
                    "; it must be a number from 1e-30 to 1e30");
    const TorusBox box = TorusBox::of(side);
    TorusTriangles result;
    result.side = box.side;
    result.points.reserve(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        Point p = points[i];
        if (!(std::abs(p.x) <= kMostShift * side && std::abs(p.y) <= kMostShift * side))
            throw Error("point " + std::to_string(i) + " at " + place_text(p) +
                        " is too far from the periodic box, which is " + format_exactly(side) +
                        " wide; wrap it into the box first");
        p = {box.on_grid(p.x), box.on_grid(p.y)};
        result.points.push_back({p.x + box.side * box.sides_to_add(p.x), p.y + box.side * box.sides_to_add(p.y)});
    }
    TorusTriangulation torus;
    torus.build(context, box, result.points, false);
    const size_t count = torus.mesh().triangle_count;
    std::vector<uint32_t> ids(3 * count);
    torus.mesh().triangles.download(ids.data(), ids.size());
    const std::vector<ImageShift> images = corner_images(torus.mesh());
    result.triangles.resize(count);
    result.images.resize(count);
    for (size_t t = 0; t < count; ++t)
        for (size_t k = 0; k < 3; ++k) {
            result.triangles[t][k] = ids[3 * t + k];
            result.images[t][k] = images[3 * t + k];
        }
    result.hash = torus.hash();
    return result;
}

}  // namespace flipscope
