#include "labs/build/build_lab.h"

#include <string>
#include <utility>

#include "delaunay/insertion.h"
#include "labs/point_editing_lab.h"
#include "labs/vocabulary.h"

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
    void set_records_states(bool records_states) override { insertion_.set_records_states(records_states); }

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
    StepMessage message_after(uint32_t pass) const;

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
        if (round.pass != Insertion::kOrder) result.message.add(message_after(round.pass));
        after_round(result);
    });
}

void BuildLab::describe_edit(StepResult& result) const {
    result.round = insertion_.round();
    result.counters[Insertion::kUninserted] = insertion_.waiting_count();
}

/// The message of the pass that ran last.
StepMessage BuildLab::message_after(uint32_t pass) const {
    if (pass == Insertion::kOrder) return ordering_message(insertion_);
    StepMessage said;
    if (pass == Insertion::kSeed) return insertion_.path().empty() ? said : line_message(insertion_);
    if (!done()) return said;
    const std::string round = std::to_string(insertion_.round());
    if (pass == Insertion::kVote)
        said.add("indistinct", "After " + round + " rounds " + std::to_string(insertion_.waiting_count()) +
                                   " points still wait, many in one triangle: this precision cannot distinguish them. "
                                   "Stopped.");
    if (pass == Insertion::kClaim && insertion_.cycling())
        said.add("cycling",
                 "The flips cycle: with this precision both diagonals of some quadrilaterals test illegal. "
                 "Stopped at round " +
                     round + ", pass " + std::to_string(insertion_.iteration()) + "; the cycling edges are marked.");
    if (pass == Insertion::kRelocate && insertion_.helpers())
        if (const size_t lost = insertion_.lost_hull_edges().size() / 2)
            said.add("lost-hull", std::to_string(lost) + (lost == 1 ? " edge" : " edges") +
                                      " of the convex hull are missing: the finite supertriangle is not far enough "
                                      "away.");
    return said;
}

// ---- in words -------------------------------------------------------------------------------------------------------

void BuildLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("predicate", "Predicates", "How the signs of orientation and in-circle are computed.",
                   parameters_.predicate,
                   {{"exact", "floating-point filter, then exact arithmetic; ties by input index"},
                    {"double", "plain double precision, for demonstration: can go wrong on degenerate input"},
                    {"float", "plain single precision, for demonstration: goes wrong, and flips may cycle"}});
    visitor.toggle("flips", "Flips", "Off: points are inserted and no edge is flipped, so triangles get ever thinner.",
                   parameters_.flips);
    visitor.integer("flip_limit", "Flip passes per round",
                    "At most so many flip passes in a round while points wait (0: until nothing is illegal). The last "
                    "round always flips to the end, so the result is the same.",
                    parameters_.flip_limit, 0, 1000);
    visit_conflict_rule(visitor, parameters_.conflict);
    visitor.choice("vote", "Each triangle takes", "Which of its points is inserted into a triangle.", parameters_.vote,
                   {{"circumcentre", "the point nearest to its circumcentre; equal distances: the lowest index"},
                    {"lowest", "the point with the lowest input index"}});
    visitor.choice("enclosure", "Enclosed by", "What closes the plane around the points.", parameters_.enclosure,
                   {{"infinity", "a vertex at infinity: the hull is exact"},
                    {"supertriangle", "a large finite triangle, as in the thesis: hull edges can be missing"}});
    visit_block_size(visitor, parameters_.block_size);
}

}  // namespace

const LabInfo& build_lab_info() {
    static const LabInfo info{
        "build",
        "Build lab",
        "Builds the Delaunay triangulation of points: a point is inserted into every triangle at once, then all "
        "illegal "
        "edges flip.",
        "After P. Drozd, Delaunay Triangulations on the GPU (Trinity College Dublin, 2025), with exact predicates, a "
        "vertex at infinity, point location by walking from the old triangle, and flips over a worklist of edges that "
        "can have become illegal.",
        {{"order",
          "Points are sorted by Hilbert index, so that neighbours in memory are neighbours in the plane; equal points "
          "are merged."},
         {"seed", "Three points make the first triangle; one vertex at infinity closes the plane around it."},
         {"vote", "Every waiting point votes in its triangle, and the one nearest to the circumcentre is chosen."},
         {"split", "Every triangle with a chosen point is split into three, all at once."},
         {"link",
          "New triangles and their old neighbours are linked; edges that can have become illegal enter the worklist."},
         {"claim",
          "Every edge of the worklist is tested; an illegal one claims both triangles beside it, and one claim "
          "each is granted."},
         {"flip",
          "Edges whose claims are granted on both sides flip, all at once; the others are deferred to the next pass."},
         {"repair", "Updates the edge–triangle incidence of edges that a flip moved to the other triangle."},
         {"relocate", "Every waiting point walks from its old triangle to the one that holds it now."},
         {"edit",
          "A manual edit: a point was moved, added or removed, and the rounds so far were run on the present points."}},
        {{"inserted", "points inserted by this pass", false, false, "", Quantity::kInsertedPoints},
         {"queued",
          "worklist edges tested, because they can have become illegal; ghosts, to the vertex at infinity, included",
          false, false, "suspected"},
         {"illegal", "edges that fail the in-circle test"},
         {"granted", "illegal edges whose claims on both their triangles are granted, and which flip", false, false,
          "won", Quantity::kGrantedFlips},
         {"deferred", "illegal edges that must wait for a later pass", false, false, "lost"},
         {"flipped", "edges flipped by this pass", false, false, "", Quantity::kFlips},
         {"uninserted", "points that still wait", true}}};
    return info;
}

std::unique_ptr<Lab> make_build_lab() { return std::make_unique<BuildLab>(); }

}  // namespace flipscope
