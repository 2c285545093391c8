// Numbers of every vertex, edge and triangle of a triangulation, and of the Voronoi cells that are its dual: degree,
// nearest neighbour, area and perimeter of the cell, bond order, length, minimum angle, area. They stay on the device,
// for the colours of layers and for summaries. The mesh is not changed; every number has the same bits on every device
// and for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "compute/buffer.h"
#include "flipscope/voronoi.h"
#include "mesh/pick.h"
#include "mesh/triangle_mesh.h"
#include "statistics/area_view.h"

namespace flipscope {

/// A triangulation and its interpretation; views are in the memory of the context's device.
struct MeasuredMesh {
    MeshView mesh;
    uint32_t vertex_count = 0;    // without helpers and the vertex at infinity, which follow
    uint32_t edge_count = 0;      // including edges to these
    uint32_t triangle_count = 0;  // including triangles at these
    Window window;                // clips the cells; on a torus all of it
    /// (v) Of a plane that repeats a rectangle: (which point) · 9 + (which copy of it), copies numbered column by
    /// column from -1 to 1 turns, so that 4 is in the middle. Each element is then measured once, as the copy whose
    /// first corner, by these numbers, lies in the middle; the other copies are kNotMeasured. Empty: every vertex is a
    /// point.
    View<const uint32_t> copies = {};
    static constexpr uint32_t kCopies = 9, kMiddle = 4;
    /// Measures only vertices, midpoints of edges and centroids of triangles within the window. Planar only.
    bool within_window = false;
    /// Polygons in place of the window, which is their bounds; in units of the mesh. Planar only. nullptr: none.
    std::shared_ptr<const StudyArea> polygon = {};
    double unit = 1;  // world units per unit of the mesh's coordinates; results are in world units
    bool in_space() const { return bool(mesh.heights); }
};
MeasuredMesh measured(const TriangleMesh& mesh, uint32_t vertex_count, const Window& window);
/// The neighbours of its vertices in the plane, on the host. nullopt: it has no triangles, or stale incidence. Waits.
std::optional<VertexRows> rows_of(Context& context, const MeasuredMesh& mesh);

/// A measured quantity. NaN: not defined for the element (a point that is not inserted, a ghost).
enum class ElementQuantity : uint32_t {
    kDegree,           // vertex: number of edges
    kNearest,          // vertex: distance to the nearest neighbour, by a Delaunay edge; world units
    kCellArea,         // vertex: of its Voronoi cell within the window; world units squared
    kCellPerimeter,    // vertex: world units
    kNeighbourDegree,  // vertex: mean degree of its neighbours
    kBondOrder4,       // vertex: |ψ4|, 0 … 1
    kBondOrder6,       // vertex: |ψ6|, 0 … 1
    kBondAngle6,       // vertex: arg ψ6 / 6, -30° … 30°
    kEdgeLength,       // edge: world units
    kAlpha,            // edge: where it enters the α-complex, world units (structures.h)
    kBeta,             // edge: the greatest β of a skeleton with it; by measure_only(), of a Delaunay mesh
    kMinimumAngle,     // triangle: degrees
    kTriangleArea,     // triangle: world units squared
    kCircumradius,     // triangle: where it enters the α-complex, world units
};
inline constexpr uint32_t kElementQuantityCount = 14;

struct ElementQuantityInfo {
    ElementQuantity quantity;
    const char* id;     // "cell-area": --colour-by, files
    const char* name;   // "Voronoi cell areas"
    const char* label;  // of one element: "Voronoi cell area"
    ElementKind element;
    const char* unit;      // or ""
    const char* sentence;  // what it is
    bool planar;           // not defined on surfaces in space
    int length_power;      // of the unit of length in its unit: 0, 1 or 2
};
/// All quantities, in the order of their enumerators.
std::span<const ElementQuantityInfo> element_quantities();
const ElementQuantityInfo& info_of(ElementQuantity quantity);
/// nullptr: unknown id.
const ElementQuantityInfo* find_quantity(const std::string& id);

/// Bits of ElementMeasures::flags().
inline constexpr uint8_t kCellCut = 1;      // the window clips the cell
inline constexpr uint8_t kOnOutline = 2;    // the vertex is on the outline of the triangulation
inline constexpr uint8_t kNotMeasured = 4;  // in no triangle
inline constexpr uint8_t kOutside = 8;      // of the window, with within_window

class ElementMeasures {
  public:
    /// Measures everything but kBeta; does not wait for the device. The cells are Voronoi cells only if all edges are
    /// legal; see illegal_edges().
    void measure(Context& context, const MeasuredMesh& mesh);
    /// The same for one quantity and its prerequisites; others may be empty or outdated.
    void measure_only(Context& context, const MeasuredMesh& mesh, ElementQuantity quantity, bool legality = false);
    /// One number per vertex, edge or triangle; empty for planar quantities on a surface in space.
    const Buffer<double>& values(ElementQuantity quantity) const { return values_[static_cast<uint32_t>(quantity)]; }
    const Buffer<uint8_t>& flags() const { return flags_; }  // (v)
    const MeasuredMesh& mesh() const { return mesh_; }
    uint32_t count_of(ElementKind kind) const;
    /// The number of edges that are not Delaunay, exactly; if not 0, the cells are not Voronoi cells. Waits.
    uint64_t illegal_edges() const;
    /// (v) Σ exp(6iθ) / degree, for the global order: its real part (0) or imaginary one (1); NaN: not measured.
    const Buffer<double>& bond_orders(uint32_t part) const { return bond_orders_[part]; }
    /// The cells as triangles from each vertex to the sides of its cell: `corners` (3 a triangle) places, world units,
    /// and `owners` the vertex of each. Some have no area. Returns the number of triangles. Call it after measure(), or
    /// measure_only() of a vertex quantity. In the plane and on a torus, where cells may cross the border. Waits.
    uint32_t write_cells(Context& context, Buffer<Point>& corners, Buffer<uint32_t>& owners) const;

  private:
    struct Kinds {
        bool vertices = true, edges = true, triangles = true, legality = true, beta = false;
    };
    void measure(Context& context, const MeasuredMesh& mesh, const Kinds& kinds);
    void measure_structures(Context& context, const Kinds& kinds);
    void clip_to_polygon(Context& context);

    MeasuredMesh mesh_;
    AreaOnDevice area_;
    Buffer<double> values_[kElementQuantityCount];
    Buffer<uint8_t> flags_{"vertex flags"};
    Buffer<uint32_t> spokes_{"spokes"}, degree_sums_{"neighbour degrees"};
    Buffer<double> bond_orders_[2] = {Buffer<double>{"bond orders"}, Buffer<double>{"bond orders"}};
    Buffer<uint64_t> illegal_{"illegal edges"};
};

}  // namespace flipscope
