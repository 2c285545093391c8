// The picture of the Subdivision lab during a run: the cells, coloured by their verdicts, the candidate points, the
// Voronoi vertices found so far with their triangles, and the number of candidates of each cell if cells are few. No
// state: kernels make all of it from the engine's arrays, in buffers that OpenGL draws.
#pragma once

#include <optional>
#include <vector>

#include "delaunay/constructions/subdivision.h"
#include "lab/scene.h"

namespace flipscope {

class SubdivideDrawing {
  public:
    /// More cells are not drawn: they would be smaller than a pixel.
    static constexpr uint32_t kMostCells = 1u << 20;
    /// Candidates are counted in the picture for up to this many cells.
    static constexpr uint32_t kMostLabels = 400;

    /// Draws the engine's present state.
    void draw(const Subdivision& made);
    /// Discards the picture.
    void forget();
    /// All layers during a run. After it, and for collinear points, only those beside the mesh.
    void add_layers(const Subdivision& made, Scene& scene) const;

    /// A cell of the picture, from the engine's present state. Waits for the device.
    struct CellProperties {
        Cell cell;
        uint32_t verdict = kStays;
        bool judged = false;                // the verdict is known
        uint32_t head = 0;                  // start of its part of the array
        std::vector<uint32_t> candidates;   // vertices, in the order of the array
        std::vector<uint32_t> superfluous;  // the candidates that the next pass pack removes
    };
    static std::optional<CellProperties> lesson_values(const Subdivision& made, uint32_t cell);
    /// The cell of the picture at a place, or kNone.
    static uint32_t cell_at(const Subdivision& made, Point place);
    /// The cells of the picture that share more than a corner with this cell.
    static std::vector<uint32_t> cells_beside(const Subdivision& made, uint32_t cell);

  private:
    uint32_t cells_ = 0, triangles_ = 0, points_ = 0, edges_ = 0;            // drawn ones
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
