#include "labs/build/build_lab.h"

#include <string>
#include <utility>

#include "delaunay/insertion.h"
#include "labs/point_editing_lab.h"

namespace flipscope {

namespace {

/// As the panel and the command line set them.
struct BuildParameters {
    int predicate = 0;  // PredicateMode
    bool flips = true;
    int flip_limit = 0;
    int conflict = 0;   // ConflictRule
    int vote = 0;       // VoteRule
    int enclosure = 0;  // Enclosure
    int block_size = 128;

    InsertionOptions options() const {
        return {.predicate = static_cast<PredicateMode>(predicate),
                .flips = flips,
                .flip_limit = static_cast<uint32_t>(flip_limit),
                .conflict = static_cast<ConflictRule>(conflict),
                .vote = static_cast<VoteRule>(vote),
                .enclosure = static_cast<Enclosure>(enclosure),
                .block_size = static_cast<uint32_t>(block_size)};
    }
};

class BuildLab final : public PointEditingLab {
  public:
    const LabInfo& info() const override { return build_lab_info(); }
    void parameters(ParameterVisitor& visitor) override;
    void set_watched(bool watched) override { insertion_.set_watched(watched); }

    uint32_t next_pass() const override { return insertion_.next_pass(); }
    StepResult step() override {
        StepResult result = insertion_.step();
        result.message = message_after(result.pass);
        return result;
    }
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    bool is_exact() const override { return insertion_.options().predicate == PredicateMode::kExact; }
    /// Within a round points lie in triangles that are not final.
    Level rests_after() const override { return Level::kRound; }

  private:
    void reset_engine(Context& context, std::shared_ptr<const Geometry> input) override {
        require_plane(*input);
        insertion_.reset(context, std::move(input), parameters_.options());
    }
    void restart_engine(std::shared_ptr<const Geometry> input, std::vector<uint32_t> names) override {
        insertion_.reset(insertion_.context(), std::move(input), InsertionOptions(insertion_.options()));
        insertion_.name_points(std::move(names));
    }
    Place place_in_run() const override {
        return {insertion_.next_pass() != Insertion::kOrder, done(), insertion_.round()};
    }
    void run_engine_to(const Place& place) override { insertion_.finish({}, place.done ? kNone : place.count); }
    bool is_seeded() const override { return done() || insertion_.next_pass() > Insertion::kSeed; }
    uint64_t engine_hash() const override { return insertion_.state_hash(); }
    Snapshot save_engine() const override { return insertion_.save(); }
    void load_engine(const Snapshot& snapshot, size_t beside) override { insertion_.load(snapshot, beside); }
    void describe_edit(StepResult& result) const override;
    const Construction& construction() const override { return insertion_; }
    std::string message_after(uint32_t pass) const;

    BuildParameters parameters_;
    Insertion insertion_;
};

void BuildLab::finish(const std::function<void(const StepResult&)>& after_round) {
    bool ordered = insertion_.distinct() > 0;
    insertion_.finish([&](const PassResult& round) {
        if (!after_round) return;
        StepResult result = round;
        if (!ordered) result.message = message_after(Insertion::kOrder);
        ordered = true;
        if (round.pass != Insertion::kOrder) join(result.message, message_after(round.pass));
        after_round(result);
    });
}

void BuildLab::describe_edit(StepResult& result) const {
    result.round = insertion_.round();
    result.counters[Insertion::kUninserted] = insertion_.waiting_count();
}

/// What the pass that ran last leaves to be said.
std::string BuildLab::message_after(uint32_t pass) const {
    if (pass == Insertion::kOrder) return ordering_message(insertion_);
    if (pass == Insertion::kSeed) return insertion_.path().empty() ? "" : line_message(insertion_);
    if (!done()) return {};
    const std::string round = std::to_string(insertion_.round());
    if (pass == Insertion::kVote)
        return "After " + round + " rounds " + std::to_string(insertion_.waiting_count()) +
               " points still wait, many in one triangle: this precision cannot tell them apart. Stopped.";
    if (pass == Insertion::kBid && insertion_.cycling())
        return "The flips repeat themselves: with this precision both diagonals of some quadrilaterals look illegal. "
               "Stopped at round " +
               round + ", pass " + std::to_string(insertion_.iteration()) + "; the cycling edges are marked.";
    if (pass == Insertion::kRelocate && insertion_.helpers())
        if (const size_t lost = insertion_.lost_hull_edges().size() / 2)
            return std::to_string(lost) + (lost == 1 ? " edge" : " edges") +
                   " of the convex hull got lost: the finite supertriangle is not far enough away.";
    return {};
}

// ---- in words -------------------------------------------------------------------------------------------------------

void BuildLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("predicate", "Predicates", "How orientation and in-circle are decided.", parameters_.predicate,
                   {{"exact", "floating-point filter, then exact arithmetic; ties by input index"},
                    {"double", "plain double precision, as an exhibit: can go wrong on degenerate input"},
                    {"float", "plain single precision, as an exhibit: goes wrong, and can flip in circles"}});
    visitor.toggle("flips", "Flips", "Off: points are inserted and no edge is flipped, so triangles get ever thinner.",
                   parameters_.flips);
    visitor.integer("flip_limit", "Flip passes per round",
                    "At most so many flip passes in a round while points wait (0: until nothing is illegal). The last "
                    "round always flips to the end, so the result is the same.",
                    parameters_.flip_limit, 0, 1000);
    visitor.choice("conflict", "Conflicts go to", "Which of two illegal edges gets the triangle that both need.",
                   parameters_.conflict,
                   {{"lowest", "the lowest edge id: the same picture on every device, every time"},
                    {"hashed", "the lowest scrambled edge id: repeatable too, and fairer"},
                    {"first", "whoever comes first: the paper's rule; steps then differ from run to run"}});
    visitor.choice("vote", "Each triangle takes", "Which of its points a triangle takes in.", parameters_.vote,
                   {{"circumcentre", "the point nearest to its circumcentre; equal distances: the lowest index"},
                    {"lowest", "the point with the lowest input index"}});
    visitor.choice("enclosure", "Enclosed by", "What closes the plane around the points.", parameters_.enclosure,
                   {{"infinity", "a vertex at infinity: the hull is exact"},
                    {"supertriangle", "a large finite triangle, as in the thesis: hull edges can get lost"}});
    visitor.integer("block_size", "CUDA block size",
                    "Threads per block on CUDA (32 to 1024, rounded down to a multiple of 32).", parameters_.block_size,
                    32, 1024);
}

}  // namespace

const LabInfo& build_lab_info() {
    static const LabInfo info{
        "build",
        "Build lab",
        "Builds the Delaunay triangulation of points: all triangles take in a point at once, then all illegal edges "
        "flip.",
        "After P. Drozd, Delaunay Triangulations on the GPU (Trinity College Dublin, 2025), with exact predicates, a "
        "vertex "
        "at infinity, points that walk to their new triangle, and flips over the edges that can have become illegal.",
        {{"order",
          "Points are laid along a Hilbert curve, so that neighbours in memory are neighbours in the plane; equal "
          "points are merged."},
         {"seed", "Three points make the first triangle; one vertex at infinity closes the plane around it."},
         {"vote", "Every waiting point votes in its triangle, and the one nearest to the circumcentre is chosen."},
         {"split", "Every triangle with a chosen point is split into three, all at once."},
         {"link",
          "New triangles and their old neighbours learn of each other; edges that may now be illegal are listed."},
         {"bid",
          "Each suspected edge is tested; an illegal one bids for both triangles beside it, and the best bid stands."},
         {"flip", "Edges that won both their triangles flip, all at once; the losers wait for the next pass."},
         {"repair", "Edges that a flip moved to the other triangle learn where they are now."},
         {"relocate", "Every waiting point walks from its old triangle to the one that holds it now."},
         {"hand",
          "A point was moved, added or removed, and the rounds so far were run on the points as they are now."}},
        {{"inserted", "points inserted by this pass", false, false, Quantity::kInsertedPoints},
         {"suspected",
          "edges tested, because they can have become illegal; ghosts, to the vertex at infinity, are among them"},
         {"illegal", "edges that fail the in-circle test"},
         {"won", "illegal edges that hold both their triangles and flip", false, false, Quantity::kClaimedFlips},
         {"lost", "illegal edges that must wait for a later pass"},
         {"flipped", "edges flipped by this pass", false, false, Quantity::kFlips},
         {"uninserted", "points that still wait", true}}};
    return info;
}

std::unique_ptr<Lab> make_build_lab() { return std::make_unique<BuildLab>(); }

}  // namespace flipscope
