// The Delaunay triangulation of points on a flat torus, on the mesh's own arrays: v vertices, 2v triangles, 3v edges,
// no vertex at infinity and no boundary. Which image of a vertex a triangle means is stored with the triangle, as a
// shift of each of its edges, so edges may be longer than half the box and lead from a vertex to an image of itself:
// one point has a triangulation too, of two triangles and three edges, and no covering of the torus is needed. Flips
// carry the shifts along. That flipping ends in the Delaunay triangulation on a flat torus as in the plane is shown by
// V. Despré, J.-M. Schlenker and M. Teillaud, Flipping geometric triangulations on hyperbolic surfaces (2020).
//
// On a cylinder, a box that is open along one axis, it is the triangulation of a torus whose open side is infinite.
// That contains the triangulation of the cylinder, and triangles that join its two borders, which are ghosts of the
// mesh (MeshView::is_ghost). Counts, kernels and flips are the same, and only predicates differ
// (cylinder_predicates.h).
//
// Exact, as torus_box.h explains. Ties of cocircular points are settled by an infinitesimal change of the metric
// instead of by indices, because images of one point can be cocircular: distances count x a little more than y, and
// what then is left x·y. The result depends on the set of points alone.
#pragma once

#include <cstdint>
#include <string>
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

    /// Triangulates points in the box, from (0, 0), on its grid; any number. Vertex i is point i. Throws Error when two
    /// lie at one place, or one not on the grid or beyond the box; Cancelled; and then is as before, or empty.
    void build(Context& context, const TorusBox& box, const std::vector<Point>& points, bool with_states);
    /// Triangulates the vertices anew where they lie now. Of two at one place the one of the higher id is moved by
    /// steps of the grid (torus_box.h), far below what any force or push moves it. Returns how often that was.
    uint64_t rebuild();

    const TorusBox& box() const { return box_; }
    /// Its `shifts` (t, 3): of the edge at each corner, which image of the vertex it leads to is meant, as seen from
    /// the one where it begins.
    const TriangleMesh& mesh() const { return mesh_; }
    uint32_t count() const { return mesh_.vertex_count; }

    /// The vertices' places, for one who moves them, within the box, and then calls follow().
    Buffer<Point>& positions() { return mesh_.positions; }
    /// Which vertices were moved.
    struct Motion {
        View<const uint8_t> moved;     // (v) bits of VertexMotion
        View<const ImageShift> sides;  // (v) of those that crossed: sides added to the place to keep it in the box
        bool all = false;              // queue every edge, which is faster where most have moved
        uint64_t likely_illegal = 0;   // edges that the motion makes illegal: how launches are made, not what they do
    };
    /// Takes note of vertices that were moved, so that edges lead to the images they led to before. Queues the edges
    /// that may have become illegal: those of triangles with a moved corner, or all. Returns how many triangles are not
    /// counter-clockwise now: with any, edges flip by kUpright first, and are then queued again, all of them. Waits.
    /// Marks inverted triangles, where states are recorded and `marks`.
    uint64_t follow(const Motion& motion, bool marks);

    /// follow() of a motion of `all`, the first flip passes by kDelaunay and kernels of the caller's with one look of
    /// the host at all of them; where shifts are up to date already, without its `moved`. First the caller launches
    /// what begin_follow() returns over all triangles, or a kernel that looks at edges along with it, then come flips.
    /// Between launch_follow() and end_follow() the caller may launch a kernel over the edges that it says. There are
    /// none unless all edges are legal by then. These kernels add up in guest_sums(), but for the last two, and may
    /// keep a list of the length of listed_total(), which is 0 before them.
    struct Ahead {
        View<const uint32_t> near;      // edges that flipped, each once
        View<const EdgeBefore> before;  // what they were before
        Extent extent;                  // of them
    };
    FollowTriangles<> begin_follow(const Motion& motion);
    Ahead launch_follow(const FollowTriangles<>& follow, uint64_t likely_illegal);
    /// The same of few vertices, `near` with those that were shorter than `length` before any flip, and without what
    /// they were. First the caller launches a kernel that moves them and calls what begin_stars() returns for each.
    /// `likely` so many vertices, which decides how launches are made, and not what they do.
    MovedStars begin_stars();
    Ahead launch_follow_stars(uint32_t likely, uint64_t likely_illegal, double length = 0);
    /// For a CUDA kernel of one cluster, which does all of this `times` times at most; and after it, with the stamp of
    /// the claim that would have been next.
    StarsInCluster begin_stars_in_cluster(double length, uint32_t times);
    void end_stars_in_cluster(uint32_t next_stamp, bool inverted);
    View<uint64_t> guest_sums() const { return flips_.guest_words(1); }
    View<uint32_t> listed_total() const { return flips_.listed_word(); }
    struct Followed {
        uint64_t inverted = 0;  // not 0: no edge has flipped, and follow() tells what is to be done now
        Flipped flipped;        // all that was to flip
        bool settled = false;   // the caller's kernel has run
        uint64_t guest_sums[kSumCount] = {};
        uint32_t listed = 0;  // listed_total()
    };
    Followed end_follow();
    /// What launch_follow() or launch_follow_stars() has returned, after end_follow(): with all that has flipped.
    /// Waits.
    Ahead near_now() const;
    /// What the caller's kernel has added up and listed by now, where it was launched after end_follow(). Waits; now it
    /// is settled.
    void read_guest_sums(Followed& followed) const;

    /// The edges that the last follow() without `all` has queued, or launch_follow_stars() has listed, and those that
    /// have flipped since, each once, in no order; after launch_follow() the latter alone. Waits.
    View<const uint32_t> near_edges() const;

    /// All edges will be tested next.
    void queue_all() { flips_.queue_all(mesh_.edge_count); }
    uint32_t queued() const { return flips_.run_state.queued; }
    /// Numbers triangles and edges anew, along the vertices (number_along_vertices.h): for those who go through all of
    /// them many times. Where no edge is queued.
    void number_along_vertices();
    /// What mesh().inputs calls each vertex; until build() and load(), which number them from 0.
    void name_vertices(const std::vector<uint32_t>& names);

    // The three kernels of a flip pass (flip.h), and all passes until none is left.
    FlipCounts claim(Rule rule);
    FlipCounts flip();
    void repair();
    Flipped flip_all(Rule rule);
    /// Triangles that are not counter-clockwise. Waits.
    uint64_t count_inverted() const;

    /// References, images, Euler's count, that every triangle is upright and their areas add up to the box exactly
    /// once, and every edge's legality; all exactly. Waits for the device.
    CheckReport check() const;
    /// Of the set of triangles with the images they mean, whatever their order; of a cylinder of those between its
    /// borders.
    uint64_t hash() const;
    /// Of the arrays as they lie.
    uint64_t state_hash() const;
    void clear_states() { mesh_.clear_states(); }

    static constexpr size_t kBlocks = 7;
    /// Between flip passes.
    void save(Snapshot& snapshot) const;
    void load(Context& context, const Snapshot& snapshot, size_t first, const TorusBox& box, bool with_states);

  private:
    uint64_t triangulate_vertices();
    // Flip passes after a motion before the host looks: mostly all that there are.
    static constexpr uint32_t kPassesAhead = FlipMachine::kBlindPasses;

    static constexpr uint32_t kStar = 7;  // triangles of a vertex, some more than there are mostly

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
    Buffer<uint32_t> near_stamps_{"near stamps"};        // (e) of what was listed last: edges, or triangles
    Buffer<uint32_t> star_triangles_{"star triangles"};  // of begin_stars()
    Buffer<EdgeBefore> befores_{"edges before"};         // of launch_follow(): near_edges_ before they flipped
    Buffer<uint32_t> late_{"edges and triangles"};       // FollowTriangles::late
    uint32_t near_stamp_ = 0;
    FlipMachine::Passes ahead_;  // between launch_follow() and end_follow()
    bool ahead_all_ = false;
};

/// The image of corner k of every triangle, as seen from its first corner: what files have. (t, 3), first ones 0.
std::vector<ImageShift> corner_images(const TriangleMesh& mesh);

}  // namespace flipscope
