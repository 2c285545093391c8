// How a small triangulation got from one state to the next: edges that turned, edges and vertices that are new. The
// window draws the way between the two states. Compares the elements of both on the host, so it works in both
// directions of the timeline, for any lab, and after manual edits. Does not change the lab, and pictures of a state do
// not depend on it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lab/scene.h"

namespace flipscope {

/// The last change of a mesh.
struct MeshMotion {
    static constexpr uint32_t kMost = 6000;  // edges of a mesh whose changes are found
    /// Bits of an edge's first and second end, as in gather_edges.comp.
    static constexpr uint32_t kArrives = 1u << 31, kLeaves = 1u << 31;

    /// The buffers of the mesh, by which its layers are found.
    const Buffer<Point>* places = nullptr;
    const Buffer<uint32_t>*edges = nullptr, *triangles = nullptr;
    uint32_t place_count = 0;  // finite vertices

    /// (n, 2) place `place_count + i` moves from the first vertex to the second. A flip of c–d to a–b has two: its ends
    /// move along the sides c–a and d–b, so that the edge stays within its triangles.
    std::vector<uint32_t> ways = {};
    std::vector<uint32_t> ends = {};       // (e, 2) places; edges that turned have moving ones, new ones have kArrives
    std::vector<uint32_t> corners = {};    // (t, 3) places; of triangles that turned: three times the same
    std::vector<uint32_t> faces = {};      // (2n, 3) places: what is on both sides of the edges that turn
    std::vector<State> face_states = {};   // (2n), of the triangles that they become; empty: none are recorded
    std::vector<uint32_t> diagonals = {};  // (n, 2) vertices, in turn of an old edge, which kLeaves, and of its new one
    std::vector<uint32_t> fresh = {};      // (v) bits, vertices without an edge before
};

/// Of several views.
using MeshMotions = std::vector<std::shared_ptr<const MeshMotion>>;

/// Follows the mesh of one view from state to state.
class MeshMotionFinder {
  public:
    /// Waits for the device if the mesh is small.
    void update(const SceneView& view);
    /// The change that led to the elements of the last update(). nullptr: none, or the mesh is another one, is large,
    /// on a torus, or has lost vertices.
    const std::shared_ptr<const MeshMotion>& last() const { return last_; }

  private:
    std::shared_ptr<const MeshMotion> last_;
    const TriangleMesh* mesh_ = nullptr;  // of the last update(); only compared
    uint32_t place_count_ = 0;
    std::vector<uint32_t> ends_;   // its edges, as they lie in the mesh
    std::vector<uint64_t> edges_;  // the finite ones, sorted; the lesser end in the high half
};

}  // namespace flipscope
