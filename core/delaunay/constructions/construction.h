// The common part of all constructions: the points in their order, the mesh over them, and queries of both. An engine
// derives from this and adds its passes; the parts are the same for all, so that two constructions can be compared to
// the bit.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "compute/pass.h"
#include "compute/snapshot.h"
#include "delaunay/constructions/order.h"
#include "delaunay/flip/claims.h"
#include "mesh/soup.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

class Construction {
  public:
    virtual ~Construction() = default;

    /// Whether state words are kept for display (default on). Takes effect at the next reset.
    void set_records_states(bool records_states) { will_record_states_ = records_states; }
    /// Where the next ordering writes, for each input point, the first point equal to it, as order_points() does;
    /// nullptr (default): nowhere. It must live until then.
    void set_first_equal(Buffer<uint32_t>* first_equal) { first_equal_ = first_equal; }
    /// Names of the input's points, in place of their indices: (n), ascending. They break ties, and appear in the
    /// mesh's `inputs` and in all messages. After reset(), before the first pass.
    void name_points(std::vector<uint32_t> names) { names_ = std::move(names); }
    /// The same for names in the device's memory, in any order, which must stay until the first pass has run. `ranks`
    /// receives the input point of each vertex.
    void name_points(View<const uint32_t> names, Buffer<uint32_t>* ranks) {
        resident_names_ = names;
        ranks_ = ranks;
    }
    const std::vector<uint32_t>& names() const { return names_; }  // empty: their indices
    /// A box that contains all points in the device's memory, if the caller has one; it replaces a pass over the points
    /// that computes their bounds. After reset(), before the first pass.
    void set_bounds(const Bounds& bounds) { known_bounds_ = bounds; }
    virtual bool done() const = 0;

    const TriangleMesh& mesh() const { return mesh_; }
    /// Distinct points, which are the first vertices of the mesh; 0 before they are ordered.
    uint32_t distinct() const { return distinct_; }
    /// Vertices of a finite supertriangle, after the distinct points; the vertex at infinity follows them.
    uint32_t helpers() const { return helpers_; }
    const Bounds& bounds() const { return bounds_; }
    /// If all points are on one line: vertex ids in order along it; else empty.
    const std::vector<uint32_t>& path() const { return path_; }
    /// As given to the last reset; nullptr before the first. Without points if these were given in the device's memory.
    const std::shared_ptr<const Geometry>& input() const { return input_; }
    /// Of the last reset; there is one as soon as there are points.
    Context& context() const { return *context_; }
    /// Points that are not inserted yet.
    virtual uint32_t waiting_count() const = 0;
    /// Whether flips leave edges at infinity alone, because the outline need not be the convex hull.
    virtual bool fixed_outline() const { return false; }
    /// Number of distinct vertices of a given mesh that no triangle uses; they are omitted.
    virtual uint64_t unused_count() const { return 0; }
    /// The edges that hold triangles after the last claim pass; of engines that flip by claims.
    virtual TriangleClaims triangle_claims() const { return {}; }
    /// The triangles that the location walk of a waiting point enters in the present mesh: the first is its last known
    /// triangle, the last contains it, or is a ghost beyond the hull. At most kMostWalked. Empty: the vertex does not
    /// wait, or cannot be located while triangles are being linked. Waits for the device.
    static constexpr uint32_t kMostWalked = 256;
    virtual std::vector<uint32_t> walk_to(uint32_t /*vertex*/) const { return {}; }
    /// Edges of the convex hull that a finite supertriangle lost, as pairs of vertex ids. Of a finished mesh.
    const std::vector<uint32_t>& lost_hull_edges() const;
    /// The finite triangles over the input's points, which are borrowed, by index even if points have names. Throws
    /// std::logic_error if the points were given in the device's memory, as the host has none.
    virtual TriangleSoup soup() const;

  protected:
    /// Replaces the last input. Throws Error if it has too many points.
    void begin(Context& context, const InputPoints& input);
    size_t input_count() const { return input_ ? points().count() : 0; }
    /// Greater than the names of all points.
    uint32_t name_end() const { return names_.empty() ? static_cast<uint32_t>(input_count()) : names_.back() + 1; }
    /// Orders and merges the input into the mesh's positions. `extra`: helper vertices.
    void order_input(uint32_t extra);
    /// The same into about so many vertical strips (order_in_strips()). `idle`: usable as scratch memory.
    void order_input_in_strips(uint32_t strips, PointStrips& made, Memory* idle);
    /// For points on one line, or fewer than three: makes the path.
    void join_line();
    /// Writes its place, which has no meaning, and its name, which is kNone.
    void place_infinite();
    /// Makes room for all vertices, with so many helpers, and for all triangles.
    void start_mesh(uint32_t helpers);
    /// Hash of the input's order, the path and the mesh built so far.
    uint64_t mesh_hash() const;
    /// The mesh built so far, to the end of a snapshot, and from its blocks `first` … first + kMeshBlocks - 1.
    static constexpr size_t kMeshBlocks = 7;
    void save_mesh(Snapshot& snapshot) const;
    void load_mesh(const Snapshot& snapshot, size_t first);
    /// Throws std::logic_error if load_mesh() would fail on these blocks; changes nothing.
    void require_mesh_fits(const Snapshot& snapshot, size_t first) const;

    /// Whether passes write state words now.
    bool marking() const { return marks_ && mesh_.records_states(); }
    /// With state words only if passes write them.
    MeshView mesh_view() const { return marks_ ? mesh_.view() : without_states(mesh_); }

    /// Turns state words off during its lifetime, unless `on`.
    class MarksMeanwhile {
      public:
        explicit MarksMeanwhile(Construction& of, bool on = false) : marks_(of.marks_) { marks_ = on; }
        ~MarksMeanwhile() { marks_ = true; }
        MarksMeanwhile(const MarksMeanwhile&) = delete;
        MarksMeanwhile& operator=(const MarksMeanwhile&) = delete;

      private:
        bool& marks_;
    };

    bool marks_ = true;  // off: finish() is running, and no state words are written
    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    TriangleMesh mesh_;
    bool will_record_states_ = true;
    uint32_t distinct_ = 0;
    uint32_t helpers_ = 0;
    Bounds bounds_;
    std::vector<uint32_t> path_;
    mutable std::optional<std::vector<uint32_t>> lost_;  // result of lost_hull_edges()

  private:
    InputPoints points() const;
    void take_order(const OrderedPoints& ordered);

    View<const Point> resident_;  // the input's points in the device's memory; nullptr: input_ has them
    std::vector<uint32_t> names_;
    View<const uint32_t> resident_names_;
    std::optional<Bounds> known_bounds_;
    Buffer<uint32_t>* ranks_ = nullptr;
    Buffer<uint32_t>* first_equal_ = nullptr;
};

/// A construction from points as a machine of named passes, which come in rounds.
class PointConstruction : public Construction {
  public:
    bool done() const override { return next_pass() == kNone; }
    virtual uint32_t next_pass() const = 0;  // kNone: done
    /// Throws std::logic_error when done, Cancelled when the context is cancelled.
    PassResult step() {
        if (done()) throw std::logic_error("the construction is finished: reset it to start over");
        return run(next_pass());
    }
    /// Runs to the end: the same kernels and the same state as stepping, with fewer read-backs. `after_round` (may be
    /// empty) gets the counters of each round, summed over its passes. Stops earlier if progress() reaches `progress`.
    virtual void finish(const AfterRound& after_round, uint32_t progress = kNone) = 0;
    /// Rounds begun so far.
    virtual uint32_t round() const = 0;
    /// The quantity that limits finish(): rounds, or points that passes have inserted.
    virtual uint32_t progress() const { return round(); }
    virtual uint64_t state_hash() const = 0;
    /// Before the first pass, between two rounds and at the end; otherwise throws std::logic_error.
    virtual Snapshot save() const = 0;
    /// `beside`: the number of last blocks that belong to the caller.
    virtual void load(const Snapshot& snapshot, size_t beside) = 0;

  protected:
    /// Runs the next pass, which is this one.
    virtual PassResult run(uint32_t pass) = 0;
};

}  // namespace flipscope
