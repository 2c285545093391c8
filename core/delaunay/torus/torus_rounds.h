// The rounds by which points come into a triangulation of a torus, one function for each pass:
//
//   locate → vote → split → link → flips until every triangle is upright → flips until every edge is legal
//
// TorusTriangulation runs them all in one go, TorusInsertion one at a time; so both do the same. The kernels are those
// of torus_insertion_kernels.h, the flips those of torus_flips.h.
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

    /// Two triangles whose corners are all images of vertex 0, with legal edges; all other vertices wait in the first
    /// of them. The mesh has been reset for its vertices, one or more, with their positions in the box, on its
    /// grid, and the flip machine for as many triangles.
    void seed(Context& context, const TorusBox& box);
    /// Every waiting point finds its triangle. One that lies on a vertex is moved along x, or y where x is open, by as
    /// many steps of the grid as it takes to lie on none; returns how many were. Waits for the device.
    uint64_t locate();
    /// Begins a round: of the points in a triangle one is next.
    void vote();
    /// Splits every triangle that has one at it; returns how many.
    uint32_t split();
    /// Links the new triangles and their neighbours, and queues the edges around those that were split.
    void link();
    /// After the flips until every triangle is upright: queues what can be illegal then, the same edges once more or,
    /// where something has flipped, all.
    void queue_again(bool flipped);

    const TorusBox& box() const { return box_; }
    uint32_t round() const { return round_; }      // begun so far
    uint32_t waiting() const { return waiting_; }  // points that are not inserted
    uint32_t chosen() const { return chosen_; }    // of this round, from split() on

    // For display, where states are recorded: of waiting points, of these those that the vote chose, what the last
    // split made, and the worklist.
    void mark_waiting();
    void mark_chosen();
    void mark_split();
    void mark_queued();

    /// Of the waiting points as they lie; in order, and so the same on every device.
    uint64_t hash() const;
    static constexpr size_t kBlocks = 4;
    /// Between rounds: how many wait where. The mesh and the flip machine are the caller's to save.
    void save(Snapshot& snapshot) const;
    /// After seed() of as many vertices. Throws std::logic_error, and changes nothing, for what does not fit.
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
    List list_, rest_, points_;  // waiting; those left by a split; those that it inserts
    Buffer<uint64_t> votes_{"votes"};
    Buffer<uint32_t> total_{"total"};
    uint32_t round_ = 0, waiting_ = 0, chosen_ = 0;
};

}  // namespace flipscope
