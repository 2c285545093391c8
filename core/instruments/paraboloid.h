// The paraboloid: the points of a planar triangulation lifted to z = x² + y², as a view in space beside the plane. Its
// edges are convex where they are legal in the plane, and reflex where a flip is due: the lower hull of the lifted
// points is the Delaunay triangulation, the upper hull the furthest-point one (Edelsbrunner and Seidel 1986). Adds a
// view to the scene of any lab with such a mesh, drawn from the lab's own triangles, edges and state words. Does not
// change the lab; a kernel lifts the points after every step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/buffer.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "mesh/pick.h"

namespace flipscope {

/// z = ((x - x₀)² + (y - y₀)²) / L, world units, with (x₀, y₀) the middle of the bounds and L half their longer side: a
/// square becomes a bowl as high as it is wide. Neither the shift nor the factor changes which side of a plane a lifted
/// point lies on.
struct Lift {
    Point centre;
    double length = 1;  // L

    FLIPSCOPE_HD double height(Point p) const {
        const double x = p.x - centre.x, y = p.y - centre.y;
        return (x * x + y * y) / length;
    }
    Point3 operator()(Point p) const { return {p.x, p.y, height(p)}; }
};

class Paraboloid {
  public:
    /// Names of display options: the whole view, and the upper hull with the furthest-point Voronoi diagram.
    static constexpr const char* kName = "paraboloid";
    static constexpr const char* kUpperHull = "upper-hull";
    static constexpr uint32_t kMostUpper = 200'000;      // points that are searched for their upper hull
    static constexpr uint32_t kMostUpperCorners = 3000;  // of the convex hull
    static constexpr uint32_t kMostBelow = 200;          // marked points below a plane

    struct Choice {
        bool shown = false, upper_hull = false;
        friend bool operator==(const Choice&, const Choice&) = default;
    };

    /// Lifts the mesh in the first view of the scene, or the input's points before the first triangle, if it is in the
    /// plane and there is room for another view; this is then scene.view(part()). Waits for the device.
    void update(Context& context, const Scene& scene, Choice choice);
    /// Adds the view to the scene of the last update(), or to another scene of the same state: all layers over the
    /// vertices of the mesh, at their height and as a shadow below; and the upper hull.
    void apply(Scene& scene) const;

    /// The index of the view; kNone: none.
    uint32_t part() const { return part_; }
    const Lift& lift() const { return lift_; }
    double floor() const { return floor_; }  // z of the shadow
    /// The element at a place of that view, which is one of the plane.
    Element pick(Context& context, const Scene& scene, Probe probe) const;
    /// Marks of an element and its explanation in the plane, as they are to be seen on the paraboloid: a circle becomes
    /// the ellipse in which a plane cuts it. Also marks the points below the plane of a triangle, in both views.
    std::vector<Highlight> lifted(Context& context, const Scene& scene, const Element& element,
                                  const std::vector<Highlight>& marks) const;
    /// Triples of vertices, counter-clockwise; empty unless chosen.
    const std::vector<std::array<uint32_t, 3>>& upper_triangles() const { return upper_; }

  private:
    void draw_bowl(Context& context);
    void find_upper_hull(Context& context, const std::vector<Point>& points, const TriangleMesh* mesh);
    Highlight lifted(Highlight mark) const;

    uint32_t part_ = kNone;
    Lift lift_;
    double radius_ = 0, floor_ = 0;                                        // of the bowl's rim; world units
    Buffer<double> heights_{"lifted heights", Residence::kDrawn};          // (v) NaN: a helper
    Buffer<double> floor_heights_{"shadow's heights", Residence::kDrawn};  // (v)
    Buffer<Point> bowl_places_{"bowl", Residence::kDrawn};
    Buffer<double> bowl_heights_{"bowl's heights", Residence::kDrawn};
    Buffer<uint32_t> bowl_ends_{"bowl's lines", Residence::kDrawn};
    std::vector<std::array<uint32_t, 3>> upper_;
    Buffer<uint32_t> upper_edges_{"upper hull", Residence::kDrawn};
    Buffer<Point> furthest_{"furthest-point diagram", Residence::kDrawn};
    bool too_many_ = false;  // points for the upper hull
};

}  // namespace flipscope
