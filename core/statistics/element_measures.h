// Numbers of every vertex, edge and triangle of a triangulation, and of the Voronoi cells that are its dual: degree,
// nearest neighbour, area and perimeter of the cell, bond order, length, minimum angle, area. They stay on the device,
// where layers can be coloured by them and summaries taken. Nothing here changes the mesh; every number has the same
// bits on every device and for any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/buffer.h"
#include "mesh/pick.h"
#include "mesh/triangle_mesh.h"
#include "statistics/window.h"

namespace flipscope {

/// A triangulation and what is meant by it; views lie where the context of the call computes.
struct MeasuredMesh {
    MeshView mesh;
    uint32_t vertex_count = 0;    // vertices from here on (helpers, the one at infinity) are no part of it
    uint32_t edge_count = 0;      // with those that lead there
    uint32_t triangle_count = 0;  // with those that reach there
    Window window;                // of cells; on a torus as wide as high
    /// (v) Of a plane that repeats a rectangle, such as a torus that is not a square: (which point) · 9 + (which copy
    /// of it), copies numbered column by column from -1 to 1 turns, so that 4 is in the middle. Each element is then
    /// measured once, as the copy whose first corner, by these numbers, lies in the middle; of all others, which are
    /// kNotMeasured, there are no numbers. Empty: every vertex is a point.
    View<const uint32_t> copies = {};
    static constexpr uint32_t kCopies = 9, kMiddle = 4;
    /// Only what lies in the window is measured: vertices in it, edges whose middle and triangles whose centroid is
    /// there. In the plane.
    bool within_window = false;
    double unit = 1;  // world units in a unit of the mesh's coordinates: lengths and areas are given in world units
    bool in_space() const { return bool(mesh.heights); }
};
MeasuredMesh measured(const TriangleMesh& mesh, uint32_t vertex_count, const Window& window);

/// What is measured of an element. NaN where it has no such number: a point that is not inserted, a ghost.
enum class ElementQuantity : uint32_t {
    kDegree,           // vertex: edges at it
    kNearest,          // vertex: distance to the nearest neighbour, which a Delaunay edge leads to; world units
    kCellArea,         // vertex: of its Voronoi cell within the window; world units squared
    kCellPerimeter,    // vertex: world units
    kNeighbourDegree,  // vertex: mean degree of its neighbours
    kBondOrder4,       // vertex: |ψ4|, 0 … 1
    kBondOrder6,       // vertex: |ψ6|, 0 … 1
    kBondAngle6,       // vertex: arg ψ6 / 6, -30° … 30°
    kEdgeLength,       // edge: world units
    kMinimumAngle,     // triangle: degrees
    kTriangleArea,     // triangle: world units squared
};
inline constexpr uint32_t kElementQuantityCount = 11;

struct ElementQuantityInfo {
    ElementQuantity quantity;
    const char* id;     // "cell-area": --colour-by, files
    const char* name;   // "Voronoi cell areas"
    const char* label;  // of one element: "Voronoi cell area"
    ElementKind element;
    const char* unit;      // or ""
    const char* sentence;  // what it is
    bool planar;           // not of surfaces in space
};
const ElementQuantityInfo& info_of(ElementQuantity quantity);
/// nullptr: there is none of this id.
const ElementQuantityInfo* find_quantity(const std::string& id);

/// Bits of ElementMeasures::flags().
inline constexpr uint8_t kCellCut = 1;      // the window ends the cell somewhere
inline constexpr uint8_t kOnOutline = 2;    // the vertex is on the outline of the triangulation
inline constexpr uint8_t kNotMeasured = 4;  // in no triangle
inline constexpr uint8_t kOutside = 8;      // of the window, where only what lies in it is measured

class ElementMeasures {
  public:
    /// Measures everything; does not wait for the device. Cells are those of the Delaunay triangulation of the same
    /// points only where all edges are legal, which illegal_edges() tells.
    void measure(Context& context, const MeasuredMesh& mesh);
    /// The same for one quantity and what it takes; others may be empty or of before.
    void measure_only(Context& context, const MeasuredMesh& mesh, ElementQuantity quantity, bool legality = false);
    /// One number for every vertex, edge or triangle; empty for what a surface in space does not have.
    const Buffer<double>& values(ElementQuantity quantity) const { return values_[static_cast<uint32_t>(quantity)]; }
    const Buffer<uint8_t>& flags() const { return flags_; }  // (v)
    const MeasuredMesh& mesh() const { return mesh_; }
    uint32_t count_of(ElementKind kind) const;
    /// Edges that are not Delaunay, exactly: with any, the cells are not the Voronoi cells. Waits.
    uint64_t illegal_edges() const;
    /// Σ exp(6iθ) / degree of a vertex, for the global order; (v), NaN where it is not measured.
    const Buffer<Point>& bond_orders() const { return bond_orders_; }
    /// The cells as triangles from each vertex to the sides of its cell: `corners` (3 a triangle) places, world units,
    /// and `owners` the vertex of each. Some have no area. Returns how many triangles; after measure(), or
    /// measure_only() of what vertices have. In the plane and on a torus, where cells may reach over the border. Waits.
    uint32_t write_cells(Context& context, Buffer<Point>& corners, Buffer<uint32_t>& owners) const;
    /// As a layer's scalars, NaN staying so.
    void write_scalars(Context& context, ElementQuantity quantity, Buffer<float>& scalars) const;

  private:
    struct Kinds {
        bool vertices = true, edges = true, triangles = true, legality = true;
    };
    void measure(Context& context, const MeasuredMesh& mesh, const Kinds& kinds);

    MeasuredMesh mesh_;
    Context* context_ = nullptr;
    Buffer<double> values_[kElementQuantityCount];
    Buffer<uint8_t> flags_{"vertex flags"};
    Buffer<uint32_t> spokes_{"spokes"}, degree_sums_{"neighbour degrees"};
    Buffer<Point> bond_orders_{"bond orders"};
    Buffer<uint64_t> illegal_{"illegal edges"};
};

}  // namespace flipscope
