// What the Subdivision lab draws while it runs: the cells as they stand, in the colours of what becomes of them, the
// points that are candidates of any, the Voronoi vertices found so far with their triangles, and in cells that are few
// how many candidates each has. Nothing here is state: it is made of the engine's arrays by kernels, into buffers that
// OpenGL draws.
#pragma once

#include <optional>
#include <vector>

#include "delaunay/constructions/subdivision.h"
#include "lab/scene.h"

namespace flipscope {

class SubdivideDrawing {
  public:
    /// More cells than this are not drawn: they are smaller than what a screen shows.
    static constexpr uint32_t kMostCells = 1u << 20;
    /// Of so many or fewer the candidates are counted in the picture.
    static constexpr uint32_t kMostLabels = 400;

    /// Of the engine's present state.
    void draw(const Subdivision& made);
    /// As if nothing was ever drawn.
    void forget();
    /// All layers of a run that is under way; of a finished one, or one of points on a line, those beside its mesh.
    void add_layers(const Subdivision& made, Scene& scene) const;

    /// A cell of the picture, from the engine's present state. Waits for the device.
    struct CellProperties {
        Cell cell;
        uint32_t verdict = kStays;
        bool judged = false;                // the verdict is known
        uint32_t head = 0;                  // where its part of the array begins
        std::vector<uint32_t> candidates;   // vertices, in the order of the array
        std::vector<uint32_t> superfluous;  // of these, those that the next pass pack removes
    };
    static std::optional<CellProperties> lesson_values(const Subdivision& made, uint32_t cell);
    /// The cell of the picture at a place, or kNone.
    static uint32_t cell_at(const Subdivision& made, Point place);
    /// Those of the picture that have more than a corner in common with a cell of it.
    static std::vector<uint32_t> cells_beside(const Subdivision& made, uint32_t cell);

  private:
    uint32_t cells_ = 0, triangles_ = 0, points_ = 0, edges_ = 0;            // that are drawn
    Buffer<Point> corners_{"corners of cells", Residence::kDrawn};           // (c, 4) world units
    Buffer<uint32_t> fills_{"insides of cells", Residence::kDrawn};          // (c, 2, 3)
    Buffer<uint32_t> outlines_{"outlines of cells", Residence::kDrawn};      // (c, 4, 2)
    Buffer<State> fill_states_{"states of cells", Residence::kDrawn};        // (c, 2)
    Buffer<State> outline_states_{"states of outlines", Residence::kDrawn};  // (c, 4)
    Buffer<Point> vertices_{"Voronoi vertices", Residence::kDrawn};          // (t) world units
    Buffer<uint32_t> sides_{"sides of triangles", Residence::kDrawn};        // (t, 3, 2)
    Buffer<uint32_t> voronoi_edges_{"Voronoi edges", Residence::kDrawn};     // (e, 2) triangles
    Buffer<State> point_states_{"states of points", Residence::kDrawn};      // (v)
    std::vector<LabelsLayer::Label> labels_;
};

}  // namespace flipscope
