// The rounds that insert points into a triangulation of a torus, one function for each pass:
//
//   locate → vote → split → link → flips until every triangle is upright → flips until every edge is legal
//
// TorusTriangulation runs them all in one go, TorusInsertion one at a time, with the same result. The kernels are in
// torus_insertion_kernels.h, the flips in torus_flips.h.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "compute/snapshot.h"
#include "delaunay/flip/flip_machine.h"
#include "delaunay/torus/torus_insertion_kernels.h"
#include "geometry/torus_box.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

class TorusRounds {
  public:
    /// Both are borrowed.
    TorusRounds(TriangleMesh& mesh, FlipMachine& flips) : mesh_(&mesh), flips_(&flips) {}

    /// Starts with two triangles whose corners are all images of vertex 0, with legal edges; all other vertices wait in
    /// the first of them. The mesh has been reset for one or more vertices, with positions in the box and on its grid,
    /// and the flip machine for as many triangles.
    void seed(Context& context, const TorusBox& box);
    /// Locates every waiting point. A point at the place of a vertex is moved along x, or y where x is open, by the
    /// fewest grid steps to a free place; returns the number of moved points. Waits for the device.
    uint64_t locate();
    /// Begins a round: selects one of the points in each triangle.
    void vote();
    /// Splits every triangle with a selected point; returns their number.
    uint32_t split();
    /// Links the new triangles and their neighbours, and queues the edges around those that were split.
    void link();
    /// After the flips until every triangle is upright: queues the edges that may be illegal now, the same edges again
    /// or, if an edge has flipped, all.
    void queue_again(bool flipped);

    const TorusBox& box() const { return box_; }
    uint32_t round() const { return round_; }      // rounds begun so far
    uint32_t waiting() const { return waiting_; }  // points that are not inserted
    uint32_t chosen() const { return chosen_; }    // in this round, after split()

    // For display, where states are recorded: marks waiting points, points that the vote selected, the elements that
    // the last split made, and the worklist.
    void mark_waiting();
    void mark_chosen();
    void mark_split();
    void mark_queued();

    /// Hash of the waiting points in order, and so the same on every device.
    uint64_t hash() const;
    static constexpr size_t kBlocks = 4;
    /// Between rounds: saves the waiting points and their triangles. The caller saves the mesh and the flip machine.
    void save(Snapshot& snapshot) const;
    /// After seed() with as many vertices. Throws std::logic_error, and changes nothing, if the snapshot does not fit.
    void load(const Snapshot& snapshot, size_t first);

  private:
    void queue_split();
    struct List {
        Buffer<uint32_t> ids{"waiting ids"}, triangles{"waiting triangles"};
        Buffer<ImageShift> images{"waiting images"};
        void make_room(Context& context, uint32_t n);
        TorusWaiting view() const { return {ids.view(), triangles.view(), images.view()}; }
    };

    Context* context_ = nullptr;
    TriangleMesh* mesh_;
    FlipMachine* flips_;
    TorusBox box_;
    List list_, rest_, points_;  // waiting; waiting after a split; inserted by it
    Buffer<uint64_t> votes_{"votes"};
    Buffer<uint32_t> total_{"total"};
    uint32_t round_ = 0, waiting_ = 0, chosen_ = 0;
};

}  // namespace flipscope
