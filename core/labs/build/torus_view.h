// Reports of the Build lab on a triangulation on a torus, and its picture: the vertices in the world, edges and
// triangles on both sides of the border, the outline of the box. The renderer takes the shortest way between two
// places; longer edges and triangles, as between few points, are drawn in pieces. No state: kernels make all of it from
// the mesh, in buffers that OpenGL draws.
#pragma once

#include "delaunay/torus/torus_insertion.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "lab/stepper.h"
#include "mesh/checks.h"

namespace flipscope {

/// Properties of a vertex, an edge or a triangle, worded as by ConstructionLab in the plane.
Report inspect_torus(const TorusInsertion& made, const Element& element);
/// The vertex, edge or triangle at a place of the world; id kNone: nothing, or a place outside the box.
Element pick_in_box(const TorusInsertion& made, Probe probe);
/// check_torus(), with places in the world and all corners of an element on one side of the border.
CheckReport check_in_box(const TorusInsertion& made);
/// After the points are ordered: the box, and the number of points wrapped into it.
StepMessage box_message(const TorusInsertion& made);

class TorusDrawing {
  public:
    /// Draws the engine's present state. `moved`: the points have changed since the last call.
    void draw(const TorusInsertion& made, bool moved);
    /// All layers, over the box; those of the mesh are empty before the first draw() after reset().
    void add_layers(const TorusInsertion& made, Scene& scene) const;
    /// Discards the picture.
    void reset();

  private:
    void split_edges(const TorusInsertion& made);
    void split_triangles(const TorusInsertion& made);

    uint32_t count_ = 0;                                                                 // drawn vertices
    uint32_t long_edges_ = 0, long_triangles_ = 0;                                       // drawn in pieces
    Buffer<Point> outline_{"outline of the box", Residence::kDrawn};                     // (4) world units
    Buffer<Point> places_{"places in the world", Residence::kDrawn};                     // (v)
    Buffer<uint32_t> listed_{"long elements"}, total_{"total"};                          //
    Buffer<uint32_t> edge_corners_{"slots of edges"};                                    // (e)
    Buffer<uint32_t> short_ends_{"edges without long ones", Residence::kDrawn};          // (e, 2); kNone at long ones
    Buffer<Point> edge_points_{"pieces of edges", Residence::kDrawn};                    // (long, pieces + 1)
    Buffer<uint32_t> edge_starts_{"starts of edges", Residence::kDrawn};                 // (long + 1)
    Buffer<State> edge_states_{"states of long edges", Residence::kDrawn};               // (long)
    Buffer<uint32_t> short_corners_{"triangles without large ones", Residence::kDrawn};  // (t, 3)
    Buffer<Point> triangle_points_{"places in large triangles", Residence::kDrawn};      // (long, 15)
    Buffer<uint32_t> triangle_corners_{"pieces of triangles", Residence::kDrawn};        // (long, 16, 3)
    Buffer<State> triangle_states_{"states of pieces", Residence::kDrawn};               // (long, 16)
};

}  // namespace flipscope
