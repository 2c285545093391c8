// Structures of the triangulation in the scene of any lab, as layers: Voronoi diagram, circumcircles, convex hull,
// proximity graphs and α-shapes (statistics/structures.h). Exploration updates them after every step and adds them to
// the scene; only those that are shown are computed.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lab/scene.h"
#include "statistics/structures.h"

namespace flipscope {

/// The order of the list in the window, and of the classes of colours.
enum class StructureKind : uint32_t {
    kVoronoi,
    kCircumcircles,
    kCircumcentres,
    kHull,
    kNearest,
    kTree,
    kRelative,
    kGabriel,
    kSkeleton,
    kAlphaShape,
};
inline constexpr uint32_t kStructureCount = 10;

struct StructureInfo {
    StructureKind kind;
    const char* id;        // of its layer: "gabriel"
    const char* title;     // "Gabriel graph"
    const char* sentence;  // its definition
    bool of_delaunay;      // has a meaning in a Delaunay triangulation only, and is shown there only
    uint32_t bits;         // of StructureBit: its edges; 0: not a set of edges
};
std::span<const StructureInfo> structure_infos();

struct StructureChoice {
    uint32_t shown = 0;  // bits 1 << StructureKind
    double beta = 1.5;   // kLeastBeta … kMostBeta
    double alpha = 0;    // world units; 0: mean_spacing()
    bool shows(StructureKind kind) const { return shown >> static_cast<uint32_t>(kind) & 1; }
    friend bool operator==(const StructureChoice&, const StructureChoice&) = default;
};

/// √(area / points) of the view's bounds, world units.
double mean_spacing(const SceneView& view);

class StructureLayers {
  public:
    /// Circles of more triangles are not drawn.
    static constexpr uint32_t kMostCircles = 2000;

    /// `mesh`: of the view, in the plane. Waits for the device.
    void update(Context& context, const SceneView& view, const StructureMesh& mesh, const StructureChoice& choice);
    void clear() { choice_.shown = triangle_count_ = 0; }
    /// Adds the layers to the view of the last update(), or to another one of the same state.
    void apply(SceneView& view) const;
    /// Why a chosen structure has no layer, without a full stop; empty: it has one, or no elements.
    std::string absence(StructureKind kind) const;

  private:
    /// Elements of the mesh that make a layer.
    struct Listed {
        Buffer<uint32_t> corners{"structure", Residence::kDrawn};  // (count, 2 or 3) vertices
        uint32_t count = 0;
    };
    template <class Kernel>
    uint32_t list(Context& context, uint32_t n, const Kernel& kernel);
    void write_duals(Context& context, const StructureMesh& mesh, Point low, Point high);
    void write_alpha_shape(Context& context, const StructureMesh& mesh, double alpha);

    StructureChoice choice_;
    double alpha_ = 0;
    bool delaunay_ = false;        // and without helper vertices
    uint32_t triangle_count_ = 0;  // with ghosts; 0: not updated
    EdgeStructures edges_;
    Listed listed_[kStructureCount], alpha_triangles_;
    Buffer<double> edge_alpha_{"edge alpha"}, triangle_alpha_{"triangle alpha"};
    Buffer<Point> duals_{"Voronoi edges", Residence::kDrawn};    // (k, 2)
    Buffer<Point> centres_{"circumcentres", Residence::kDrawn};  // (k)
    Buffer<Point> circles_{"circumcircles", Residence::kDrawn};  // (k, kSides + 1)
    Buffer<Point> directions_{"directions"};                     // (kSides + 1) of length 1
    Buffer<uint32_t> starts_{"circles", Residence::kDrawn};      // (k + 1)
    Buffer<State> states_{"structure states", Residence::kDrawn};
    Buffer<uint32_t> total_{"structure total"};
    uint32_t dual_count_ = 0, centre_count_ = 0, circle_count_ = 0;
};

}  // namespace flipscope
