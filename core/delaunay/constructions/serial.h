// Serial insertion, one point at a time: the engine behind the Serial lab, and the reference for the parallel
// constructions. Host only. A point is located by a walk; then its triangle is split, and edges flip until all are
// legal (Lawson 1977), or the triangles whose circles contain it are removed, and it is joined to the border of the
// cavity (Bowyer 1981, Watson 1981). Both make the same tests and end in the same triangles.
//
// Algorithms 2 and 3 of P. Drozd, Delaunay Triangulations on the GPU (2025). The thesis's point location tests every
// triangle, which makes it O(n²). Here points come by default in a biased randomized order (serial_order.h), so that
// the walk from the last point is short and the whole takes O(n log n) expected time.
//
// Between two points, points can be added, removed and moved by passes of the same kind (serial_edits.cpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "delaunay/constructions/construction.h"
#include "delaunay/constructions/locate.h"
#include "delaunay/constructions/serial_order.h"
#include "mesh/legality.h"

namespace flipscope {

struct SerialOptions {
    InsertionOrder order = InsertionOrder::kBiased;
    enum class Method : uint32_t { kLawson, kBowyerWatson } method = Method::kLawson;
    /// What one step of legalise, cavity or ear does; the states between points are the same. kPoint: all of it.
    /// kFlip: until one edge has flipped or one triangle has joined the cavity. kTest: one test, or one flip.
    enum class Pace : uint32_t { kPoint, kFlip, kTest } pace = Pace::kPoint;
    bool fixed_start = false;  // walks start at triangle 0, not at the last point
};

class SerialInsertion final : public PointConstruction {
  public:
    enum Pass : uint32_t { kOrder, kSeed, kLocate, kSplit, kLegalise, kCavity, kRejoin, kEar };
    enum Counter : uint32_t { kInserted, kWalked, kQueued, kIllegal, kFlipped, kUninserted, kCounters };

    /// Starts over. Throws Error, and changes nothing, on CUDA and for more points than can be triangulated.
    void reset(Context& context, std::shared_ptr<const Geometry> input, const SerialOptions& options = {});
    const SerialOptions& options() const { return options_; }
    uint32_t next_pass() const override { return state_.next; }
    /// Rounds are samples of points, or single points; see serial_order.h.
    void finish(const AfterRound& after_round, uint32_t inserted = kNone) override;
    /// Points that passes have inserted, those of the first triangle not counted.
    uint32_t progress() const override { return state_.inserted; }
    uint32_t round() const override { return state_.round; }
    uint32_t waiting_count() const override;
    std::vector<uint32_t> walk_to(uint32_t vertex) const override;
    uint64_t state_hash() const override;
    /// Between two points; otherwise throws std::logic_error.
    Snapshot save() const override;
    void load(const Snapshot& snapshot, size_t beside = 0) override;

    /// The work for one inserted point.
    struct PointWork {
        uint32_t walked, tested;
        uint32_t changed;  // edges flipped, or triangles of the cavity
    };
    /// Of all points so far, in the order of their insertion.
    const std::vector<PointWork>& work() const { return work_; }

    /// For display, while states are recorded. The triangles that the last pass walked through, at most kMostWalked;
    /// empty after another pass.
    const std::vector<uint32_t>& walk() const { return walk_; }
    /// The last test of the last pass: of an edge against the circle of the triangle on its far side.
    struct EdgeTest {
        uint32_t from, to, apex;  // vertices of that triangle, clockwise
        uint32_t point;           // the vertex that must not be inside
        bool illegal;
    };
    const std::optional<EdgeTest>& last_test() const { return test_; }
    /// The vertex that is being inserted or removed; kNone: none.
    uint32_t vertex_at_work() const { return centre_ != kNone ? centre_ : removed_; }

    /// The points of a changed input, and their names as of name_points().
    struct Points {
        std::shared_ptr<const Geometry> geometry;
        std::vector<uint32_t> names;
    };
    /// Whether the edits below are possible: there are triangles, and no point is being inserted.
    bool can_edit() const { return mesh_.triangle_count > 0 && at_rest(); }
    /// The points that remain when the removal has ended; nullptr: no point is being removed.
    const std::shared_ptr<const Geometry>& points_after() const { return after_.geometry; }
    /// kDone: without a pass. kBegun: the next passes complete it. kImpossible: the other points are on a line, or
    /// were; the state is to be made again.
    enum class Edited { kImpossible, kDone, kBegun };
    /// Adopts points with one more, of this name, and makes it the next to insert. kDone: it equals an inserted point.
    Edited add(const Points& points, uint32_t name);
    /// Begins to remove a vertex; the last pass adopts the points without it.
    Edited remove(uint32_t vertex, const Points& points);
    /// Adopts points with this vertex at another place. If that inverts no triangle, the edges around it are tested by
    /// the next passes; otherwise it is removed at once and is the next to insert.
    Edited move(uint32_t vertex, Point place, const Points& points);

  private:
    PassResult run(uint32_t pass) override;
    using Pace = SerialOptions::Pace;
    struct RunState {
        uint32_t next = kNone;
        uint32_t inserted = 0;  // position in the order
        uint32_t round = 0;     // rounds begun: 1, 2, …; an empty one has no number
        uint32_t last = 0;      // triangle of the last point, where the next walk starts
        StarCentre star = {};
    };

    void order_points(PassResult& result);
    void seed(PassResult& result);
    void locate(PassResult& result);
    void split(PassResult& result);
    void legalise(PassResult& result);
    void explore_cavity(PassResult& result);
    void rejoin(PassResult& result);
    void cut_ears(PassResult& result);

    bool at_rest() const { return state_.next == kLocate || state_.next == kNone; }
    Walk walk_through(const MeshView& mesh) const { return {mesh, state_.star, PredicateMode::kExact, kNone}; }
    uint32_t start_of_walk() const { return options_.fixed_start ? 0 : state_.last; }
    bool test(const MeshView& mesh, uint32_t edge, const Quad& quad);
    void flip(const MeshView& mesh, uint32_t edge);
    /// finish() does all the work of a point at once.
    Pace pace() const { return marks_ ? options_.pace : Pace::kPoint; }
    void end_point(PassResult& result);
    void clear_work();
    void clear_marks();
    void mark_waiting();
    void mark_inserted(uint32_t edge, uint32_t count);

    void adopt(const Points& points);
    void insert_next(uint32_t vertex);
    void forget(uint32_t vertex);
    bool leaves_triangle() const;
    bool star_is_valid() const;
    bool is_ear(const MeshView& mesh, uint32_t spoke) const;
    void begin_star(uint32_t vertex, uint32_t spoke);
    void close_star();

    RunState state_;
    SerialOptions options_;
    std::vector<OrderedPoint> order_;
    std::vector<PointWork> work_;

    // Of the point at work; not saved.
    uint32_t centre_ = kNone;                          // inserted now
    Location location_;                                // of it
    std::vector<uint32_t> stack_;                      // edges to test; of the cavity, the corners inside it
    uint32_t illegal_edge_ = kNone;                    // it flips next
    std::vector<uint32_t> cavity_, crossed_, border_;  // triangles, the edges between them, corners on the border
    PointWork now_ = {};
    uint32_t removed_ = kNone, spoke_ = kNone, degree_ = 0;
    bool on_hull_ = false;
    Points after_;  // adopted when the removal ends

    std::vector<uint32_t> walk_;
    std::optional<EdgeTest> test_;
};

}  // namespace flipscope
