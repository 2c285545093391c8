// The Delaunay triangulation of points on a flat torus, on the mesh's own arrays: v vertices, 2v triangles, 3v edges,
// no vertex at infinity and no boundary. A triangle stores which image of a vertex each corner is, as a shift of each
// of its edges, so edges may be longer than half the box and lead from a vertex to an image of itself: one point has a
// triangulation too, of two triangles and three edges, and no covering of the torus is needed. Flips update the shifts.
// On a flat torus flips end in the Delaunay triangulation, as in the plane: V. Despré, J.-M. Schlenker and M. Teillaud,
// Flipping geometric triangulations on hyperbolic surfaces (2020).
//
// On a cylinder, a box that is open along one axis, it is the triangulation of a torus whose open side is infinite.
// That contains the triangulation of the cylinder, and triangles that join its two borders, which are ghosts of the
// mesh (MeshView::is_ghost). Counts, kernels and flips are the same, and only predicates differ
// (cylinder_predicates.h).
//
// Exact, as torus_box.h explains. Ties of cocircular points are settled by an infinitesimal change of the metric
// instead of by indices, because images of one point can be cocircular: distances weight x a little more than y, and
// remaining ties are settled by x·y. The result depends on the set of points alone.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/snapshot.h"
#include "delaunay/torus/moved_vertices.h"
#include "delaunay/torus/torus_flips.h"
#include "geometry/torus_box.h"
#include "mesh/checks.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

template <class Box = TorusBox>
struct FollowTriangles;
struct ShortEdges;
struct StarsInCluster;

class TorusTriangulation {
  public:
    using Rule = TorusRule;
    struct Flipped {
        uint32_t passes = 0;  // that flipped something
        uint64_t flips = 0;
        uint64_t tested = 0, illegal = 0, deferred = 0;  // summed over all passes
    };

    /// Triangulates any number of points in the box, from (0, 0), on its grid. Vertex i is point i. Throws Cancelled,
    /// and Error for two points at one place, or one off the grid or outside the box; it is then as before, or empty.
    void build(Context& context, const TorusBox& box, const std::vector<Point>& points, bool with_states);
    /// Rebuilds the triangulation of the vertices at their present places. Of two at one place the one of the higher id
    /// moves by steps of the grid (torus_box.h), far less than by any force or push. Returns the number of such moves.
    uint64_t rebuild();

    const TorusBox& box() const { return box_; }
    /// Its `shifts` (t, 3) say which image of the end vertex the edge at each corner leads to, relative to its start.
    const TriangleMesh& mesh() const { return mesh_; }
    uint32_t count() const { return mesh_.vertex_count; }

    /// The vertices' places, for a caller who moves them within the box and then calls follow().
    Buffer<Point>& positions() { return mesh_.positions; }
    /// Which vertices were moved.
    struct Motion {
        View<const uint8_t> moved;     // (v) bits of VertexMotion
        View<const ImageShift> sides;  // (v) of vertices that crossed: sides added to the place to keep it in the box
        bool all = false;              // queue every edge, which is faster where most have moved
        uint64_t likely_illegal = 0;   // estimate, for the sizes of launches only
    };
    /// Updates the shifts after vertices were moved, so that edges lead to the same images. Queues the edges that may
    /// have become illegal: those of triangles with a moved corner, or all. Returns the number of triangles that are
    /// not counter-clockwise now; if it is not 0, edges flip by kUpright first, and all are queued again. Waits. Marks
    /// inverted triangles, where states are recorded and if `marks`.
    uint64_t follow(const Motion& motion, bool marks);

    /// follow() for a motion of `all`, the first flip passes by kDelaunay, and kernels of the caller, with one
    /// read-back for all of them. First the caller launches the kernel that begin_follow() returns over all triangles,
    /// or a kernel that includes it; then come the flips. `moved` is unused if the shifts are up to date. Between
    /// launch_follow() and end_follow() the caller may launch a kernel over the returned edges; the list is empty
    /// unless all edges are legal by then. These kernels add to guest_sums(), except the last two, and may append to a
    /// list of length listed_total(), which is 0 before them.
    struct Ahead {
        View<const uint32_t> near;      // edges that flipped, each once
        View<const EdgeBefore> before;  // their ends and images before
        Extent extent;                  // of both
    };
    FollowTriangles<> begin_follow(const Motion& motion);
    Ahead launch_follow(const FollowTriangles<>& follow, uint64_t likely_illegal);
    /// The same for a motion of few vertices; `near` also has the edges shorter than `length` before any flip, and
    /// `before` is missing. First the caller launches a kernel that moves them and calls the result of begin_stars()
    /// for each. `likely`: expected number of vertices; affects launches only, not results.
    MovedStars begin_stars();
    Ahead launch_follow_stars(uint32_t likely, uint64_t likely_illegal, double length = 0);
    /// For a CUDA kernel of one cluster that does all of this at most `times` times; and a call after it, with the
    /// stamp of the next claim.
    StarsInCluster begin_stars_in_cluster(double length, uint32_t times);
    void end_stars_in_cluster(uint32_t next_stamp, bool inverted);
    View<uint64_t> guest_sums() const { return flips_.guest_words(1); }
    View<uint32_t> listed_total() const { return flips_.listed_word(); }
    struct Followed {
        uint64_t inverted = 0;  // not 0: no edge has flipped, and the caller must call follow()
        Flipped flipped;        // the flips, complete
        bool settled = false;   // the caller's kernel has run
        uint64_t guest_sums[kSumCount] = {};
        uint32_t listed = 0;  // listed_total()
    };
    Followed end_follow();
    /// The result of launch_follow() or launch_follow_stars(), after end_follow(): with all flips. Waits.
    Ahead near_now() const;
    /// The sums and the list of the caller's kernel, where it was launched after end_follow(). Waits; afterwards it is
    /// settled.
    void read_guest_sums(Followed& followed) const;

    /// The edges that the last follow() without `all` queued, or launch_follow_stars() listed, and those that have
    /// flipped since, each once, in no order; after launch_follow() only the latter. Waits.
    View<const uint32_t> near_edges() const;

    /// Queues all edges.
    void queue_all() { flips_.queue_all(mesh_.edge_count); }
    uint32_t queued() const { return flips_.run_state.queued; }
    /// Renumbers triangles and edges along the vertices (number_along_vertices.cu), for many loops over all of them. No
    /// edge may be queued.
    void number_along_vertices();
    /// Sets the names of mesh().inputs for the vertices, until build() or load(), which number them from 0.
    void name_vertices(const std::vector<uint32_t>& names);

    // The three kernels of a flip pass (flip.h), and all passes until none is left.
    FlipCounts claim(Rule rule);
    FlipCounts flip();
    void repair();
    Flipped flip_all(Rule rule);
    /// The number of triangles that are not counter-clockwise. Waits.
    uint64_t count_inverted() const;

    /// Checks references, images, Euler's count, that every triangle is upright and their areas add up to the box
    /// exactly once, and that every edge is legal; all exactly. Waits for the device.
    CheckReport check() const;
    /// Hash of the set of triangles with their images, independent of order; of a cylinder only of those between its
    /// borders.
    uint64_t hash() const;
    /// Hash of the arrays in their order.
    uint64_t state_hash() const;
    void clear_states() { mesh_.clear_states(); }

    static constexpr size_t kBlocks = 7;
    /// Between flip passes only.
    void save(Snapshot& snapshot) const;
    void load(Context& context, const Snapshot& snapshot, size_t first, const TorusBox& box, bool with_states);

  private:
    uint64_t triangulate_vertices();
    // The number of flip passes after a motion before a read-back; mostly enough.
    static constexpr uint32_t kPassesAhead = FlipMachine::kBlindPasses;

    static constexpr uint32_t kStar = 7;  // triangles of a vertex, a little above the mean

    void make_near();
    ShortEdges begin_shorts(double length);
    View<const EdgeBefore> befores() const;
    Ahead ahead_of_passes() const;
    /// After launch_follow(): three times the number of inverted triangles. And its low word.
    View<uint64_t> inverted_sum() const { return {flips_.guest_words(1).data + 3, 1}; }
    const uint32_t* inverted_word() const { return reinterpret_cast<const uint32_t*>(inverted_sum().data); }
    View<uint32_t> near_total() const;
    View<uint32_t> stars_total() const;
    View<uint32_t> late_total() const;
    void queue_near(uint32_t count);

    Context* context_ = nullptr;
    TorusBox box_;
    TriangleMesh mesh_;
    FlipMachine flips_;
    Buffer<uint32_t> near_edges_{"near edges"};          // of the last follow(), or those that have flipped since
    Buffer<uint32_t> near_stamps_{"near stamps"};        // (e) stamps of the last listed edges, or triangles
    Buffer<uint32_t> star_triangles_{"star triangles"};  // of begin_stars()
    Buffer<EdgeBefore> befores_{"edges before"};         // of launch_follow(): near_edges_ before they flipped
    Buffer<uint32_t> late_{"edges and triangles"};       // FollowTriangles::late
    uint32_t near_stamp_ = 0;
    FlipMachine::Passes ahead_;  // between launch_follow() and end_follow()
    bool ahead_all_ = false;
};

/// The image of corner k of every triangle relative to its first corner, for files. (t, 3), first ones 0.
std::vector<ImageShift> corner_images(const TriangleMesh& mesh);

}  // namespace flipscope
