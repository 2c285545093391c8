// The Build lab: parallel insertion with flips, pass by pass.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/text.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_insertion.h"
#include "delaunay/torus/torus_triangulation.h"
#include "delaunay/torus/wrap_points.h"
#include "lab/lab.h"
#include "lab/vocabulary.h"
#include "labs/build/torus_view.h"
#include "labs/point_editing_lab.h"

namespace flipscope {

namespace {

/// The domain of the points.
enum class Domain : int { kPlane, kTorus };

/// As set by the panel and the command line.
struct BuildParameters {
    int domain = 0;     // Domain
    Point box;          // sides of the periodic box, world units; both 0, or one: see box_for()
    int predicate = 0;  // PredicateMode
    int start = 0;      // InsertionStart
    bool flips = true;
    int flip_limit = 0;
    int conflict = 0;   // ConflictRule
    int vote = 0;       // VoteRule
    int enclosure = 0;  // Enclosure
    int block_size = 128;

    bool on_torus() const { return domain == static_cast<int>(Domain::kTorus); }
    InsertionOptions options() const {
        return {.predicate = static_cast<PredicateMode>(predicate),
                .start = static_cast<InsertionStart>(start),
                .flips = flips,
                .flip_limit = static_cast<uint32_t>(flip_limit),
                .conflict = static_cast<ConflictRule>(conflict),
                .vote = static_cast<VoteRule>(vote),
                .enclosure = static_cast<Enclosure>(enclosure),
                .block_size = static_cast<uint32_t>(block_size)};
    }
    TorusInsertionOptions torus_options(const Geometry& input) const {
        return {.place = box_for(input, box),
                .conflict = static_cast<ConflictRule>(conflict),
                .block_size = static_cast<uint32_t>(block_size)};
    }
};

/// Runs one of two engines, of the plane or of a torus, with the same passes, counters and resting places.
class BuildLab final : public PointEditingLab, public Exporter {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    StepResult step() override {
        StepResult result = PointEditingLab::step();
        draw(result.pass == Insertion::kSeed);
        return result;
    }
    void finish(const std::function<void(const StepResult&)>& after_round) override {
        PointEditingLab::finish(after_round);
        draw(true);
    }

    bool is_exact() const override { return torus_ || plane_->options().predicate == PredicateMode::kExact; }
    /// During a round points lie in triangles that are not final.
    Level editable_after() const override { return Level::kRound; }

    Scene scene() const override;
    Report inspect(Element element) const override {
        return torus_ ? inspect_torus(*torus_, element) : ConstructionLab::inspect(element);
    }
    Element pick(const Probe& probe) const override {
        return torus_ ? pick_in_box(*torus_, probe) : ConstructionLab::pick(probe);
    }
    CheckReport check() const override { return torus_ ? check_in_box(*torus_) : ConstructionLab::check(); }
    Result result() const override;
    /// For a torus only: in the plane the mesh files hold everything.
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;

  private:
    PointConstruction& engine() override {
        if (torus_) return *torus_;
        return *plane_;
    }
    void reset_engine(Context& context, std::shared_ptr<const Geometry> input) override;
    void restart_engine(std::shared_ptr<const Geometry> input) override {
        if (torus_) {
            TorusInsertionOptions options = torus_->options();
            options.place = fitted_to(place_, *input);
            torus_->reset(torus_->context(), std::move(input), options);
        } else {
            plane_->reset(plane_->context(), std::move(input), InsertionOptions(plane_->options()));
        }
    }
    void engine_moved(bool restarted) override {
        if (restarted) drawing_.reset();
        draw(true);
    }
    Point place_of_point(Point place) const override;
    void describe_edit(StepResult& result) const override {
        result.counters[Insertion::kUninserted] = construction().waiting_count();
    }
    StepMessage message_after(uint32_t pass) const override;
    StepMessage message_of_round(const PassResult& round, uint32_t first) const override {
        StepMessage message = PointEditingLab::message_of_round(round, first);
        if (round.pass != Insertion::kOrder) message.add(message_after(round.pass));
        return message;
    }
    void draw(bool moved) {
        if (torus_ && records_states_) drawing_.draw(*torus_, moved);
    }

    BuildParameters parameters_;
    // Exactly one of the two, as of the last reset.
    std::unique_ptr<Insertion> plane_ = std::make_unique<Insertion>();
    std::unique_ptr<TorusInsertion> torus_;
    PlacedBox place_;  // of the last reset; edits can make a cylinder longer or shorter
    TorusDrawing drawing_;
};

void BuildLab::reset_engine(Context& context, std::shared_ptr<const Geometry> input) {
    require_plane(*input);
    if (parameters_.on_torus()) {
        const TorusInsertionOptions options = parameters_.torus_options(*input);
        auto fresh = torus_ ? nullptr : std::make_unique<TorusInsertion>();
        if (fresh) fresh->set_records_states(will_record_states_);
        (fresh ? *fresh : *torus_).reset(context, std::move(input), options);
        if (fresh) torus_ = std::move(fresh);
        place_ = options.place;
        plane_ = nullptr;
    } else {
        auto fresh = plane_ ? nullptr : std::make_unique<Insertion>();
        if (fresh) fresh->set_records_states(will_record_states_);
        (fresh ? *fresh : *plane_).reset(context, std::move(input), parameters_.options());
        if (fresh) plane_ = std::move(fresh);
        torus_ = nullptr;
    }
}

/// In a periodic box points are wrapped.
Point BuildLab::place_of_point(Point place) const {
    if (!torus_) return place;
    if (const std::optional<Point> in_box = torus_->place_in_box(place)) return *in_box;
    const TorusBox& box = torus_->box();
    if (!box.is_cylinder()) throw Error("A point cannot go there: it is too far from the periodic box.");
    return {-box.longer(), -box.longer()};  // beyond the borders, where no point lies: the box grows
}

StepMessage BuildLab::message_after(uint32_t pass) const {
    if (pass == Insertion::kOrder) {
        StepMessage message = ordering_message(construction());
        if (torus_) message.add(box_message(*torus_));
        if (const Geometry& input = *construction().input(); plane_ && (input.box.x > 0 || input.box.y > 0))
            message.add("box-unused", input.name + " has a periodic box, which domain=torus uses.");
        return message;
    }
    StepMessage message;
    if (torus_) return message;
    if (pass == Insertion::kSeed) return plane_->path().empty() ? message : line_message(*plane_);
    if (!done()) return message;
    const std::string round = std::to_string(plane_->round());
    if (pass == Insertion::kVote)
        message.add("indistinct",
                    "After " + round + " rounds " + std::to_string(plane_->waiting_count()) +
                        " points still wait, many in one triangle: this precision cannot distinguish them. Stopped.");
    if (pass == Insertion::kClaim && plane_->cycling())
        message.add("cycling",
                    "The flips cycle: with this precision both diagonals of some quadrilaterals test illegal. Stopped "
                    "at round " +
                        round + ", pass " + std::to_string(plane_->iteration()) + "; the cycling edges are marked.");
    if (pass == Insertion::kRelocate && plane_->helpers())
        if (const size_t lost = plane_->lost_hull_edges().size() / 2)
            message.add("lost-hull",
                        count_text(lost, "edge", "edges") +
                            " of the convex hull are missing: the finite supertriangle is not far enough away.");
    return message;
}

Scene BuildLab::scene() const {
    if (!torus_) return ConstructionLab::scene();
    Scene scene;
    drawing_.add_layers(*torus_, scene);
    return scene;
}

Result BuildLab::result() const {
    if (!torus_) return ConstructionLab::result();
    const TriangleMesh& mesh = torus_->mesh();
    const Point corner = torus_->corner();
    Result result;
    result.points = torus_->input()->points.size();
    add_box(result.numbers, torus_->box());
    result.numbers.add("box_x", Value::exactly(corner.x, "world units"), "the lowest x of the box");
    result.numbers.add("box_y", Value::exactly(corner.y, "world units"), "the lowest y of the box");
    result.numbers.add_number("wrapped", "points that lie outside the box", torus_->wrapped_count());
    if (torus_->distinct() == 0) return result;
    result.duplicates = result.points - torus_->distinct();
    result.waiting = torus_->waiting_count();
    const TorusCounts within = count_within_borders(torus_->context(), mesh);
    result.triangles = within.triangles;
    result.edges = within.edges;
    if (mesh.on_cylinder())  // every edge with fewer than two triangles
        result.hull_edges =
            within.triangles ? 2 * uint64_t(within.edges) - 3 * uint64_t(within.triangles) : within.edges;
    result.triangulation_hash = hash_torus(torus_->context(), mesh);
    result.headline = count_text(torus_->distinct(), "point, ", "points, ") +
                      count_text(within.triangles, "triangle and ", "triangles and ") +
                      count_text(within.edges, "edge", "edges") + " in a " + box_words(torus_->box());
    if (result.duplicates > 0)
        result.headline += "; " + count_text(result.duplicates, "duplicate was merged", "duplicates were merged");
    return result;
}

std::vector<ArrayInfo> BuildLab::arrays() const {
    const bool was_reset = construction().input() != nullptr;
    if (was_reset ? !torus_ : !parameters_.on_torus()) return {};
    return {{"positions",
             "(points, 2) x and y of the input's points where they lie in the periodic box, world units; the report "
             "has its sides \"box_width\" and \"box_height\" and its corner"},
            {"triangles", "(triangles, 3) corners, counter-clockwise, as rows of positions"},
            {"shifts",
             "(triangles, 3, 2) which image a corner is: so many boxes to the right and upwards of its position"}};
}

Array BuildLab::array(const std::string& name) const {
    using Type = Array::Type;
    const std::vector<ArrayInfo> known = arrays();
    if (std::none_of(known.begin(), known.end(), [&](const ArrayInfo& one) { return one.name == name; }))
        throw std::logic_error("the Build lab has no array \"" + name + "\"");
    if (!torus_) throw std::logic_error("the Build lab has no arrays before its first reset");
    const TriangleMesh& mesh = torus_->mesh();
    const size_t all = mesh.triangle_count;
    const std::vector<ImageShift> images = all > 0 ? corner_images(mesh) : std::vector<ImageShift>();
    const auto is_within = [&](size_t t) {  // for a cylinder: between its borders
        return !torus_->box().is_beyond(images[3 * t + 1]) && !torus_->box().is_beyond(images[3 * t + 2]);
    };
    if (name == "positions") {
        std::vector<Point> places;
        for (size_t row = 0; row < torus_->input()->points.size(); ++row) places.push_back(torus_->place_of_row(row));
        return make_array(Type::kFloat64, {places.size(), 2}, places);
    }
    if (name == "triangles") {
        std::vector<uint32_t> corners;
        const std::vector<uint32_t> rows = all > 0 ? torus_->rows() : std::vector<uint32_t>();
        const std::vector<uint32_t> ids = mesh.triangles.download(3 * all);
        for (size_t corner = 0; corner < ids.size(); ++corner)
            if (is_within(corner / 3)) corners.push_back(rows[ids[corner]]);
        return make_array(Type::kUint32, {corners.size() / 3, 3}, corners);
    }
    std::vector<int64_t> shifts;
    for (size_t corner = 0; corner < images.size(); ++corner)
        if (is_within(corner / 3)) shifts.insert(shifts.end(), {images[corner].x, images[corner].y});
    return make_array(Type::kInt64, {shifts.size() / 6, 3, 2}, shifts);
}

/// A parameter for the plane, with a fixed `value` on a torus.
OverrideRule only_of_plane(const char* why, const char* value) {
    return override_if([](const auto& now) { return now.is("domain", "torus"); }, why, value);
}

/// Runs that a sample's triangulation cannot represent start from one triangle.
Override decides_seeding(const ParameterContext& now) {
    if (now.is("domain", "torus")) return {"On a torus one point makes the first two triangles.", ""};
    if (!now.is("predicate", "exact") || !now.is("flips", "on") || !now.is("enclosure", "infinity"))
        return {"A sample is for exact predicates, with flips, enclosed by infinity.", "triangle"};
    if (now.input.points.size() < InsertionOptions{}.fewest_sampled)
        return {"Fewer than " + std::to_string(InsertionOptions{}.fewest_sampled) + " points need no sample.",
                "triangle"};
    return {};
}

void BuildLab::parameters(ParameterVisitor& visitor) {
    visitor.choice("domain", "Domain", "The domain of the points.", parameters_.domain,
                   {{"plane", "the plane: the triangulation ends at the convex hull"},
                    {"torus",
                     "a box whose opposite sides are one: what leaves it on one side returns on the other; a cylinder "
                     "where one of its sides is 0"}});
    visit_box(visitor,
              "auto: the input's own, if it has one; or the unit square where it holds all points, else a square "
              "around them, larger by 1 / (√n − 1) of their extent, so that a square lattice closes on itself. Points "
              "outside are wrapped into it. 30x0: periodic along x alone, with circumference 30; along y it is open "
              "and reaches from the lowest point to the highest. 0x30: periodic along y alone.",
              parameters_.box, kMostSide);
    visitor.overridden_by(override_if([](const auto& now) { return now.is("domain", "plane"); },
                                      "The plane has no periodic box; domain=torus has one."));
    visitor.choice("predicate", "Predicates", "How the signs of orientation and in-circle are computed.",
                   parameters_.predicate,
                   {{"exact", "floating-point filter, then exact arithmetic; ties by input index"},
                    {"double", "determinants in double precision: wrong where rounding exceeds them"},
                    {"float", "determinants in single precision: often wrong, and flips may cycle"},
                    {"double-circumcentre",
                     "in-circle by circumcentre and radius in double precision, as in the papers: no sign for flat "
                     "triangles, and wrong even on whole numbers"},
                    {"float-circumcentre", "the same in single precision: wrong soon, and flips may cycle"}});
    visitor.overridden_by(only_of_plane("On a torus predicates are exact.", "exact"));
    visitor.choice("seeding", "Seeded with", "The triangulation with which the first round starts.", parameters_.start,
                   {{"sample",
                     "a sample of the points, one in 32 of many, triangulated as in the Strips lab: it saves the "
                     "rounds in which there are few triangles to insert into"},
                    {"triangle", "three of the points"}});
    visitor.overridden_by(decides_seeding);
    visitor.toggle("flips", "Flips", "Off: points are inserted and no edge is flipped, so triangles get ever thinner.",
                   parameters_.flips);
    visitor.overridden_by(
        only_of_plane("On a torus points are located in Delaunay triangles, so every round flips.", "on"));
    visitor.integer("flip_limit", "Flip passes per round",
                    "The most flip passes in a round while points wait; none: until no edge is illegal. The last round "
                    "always flips to the end, so the result is the same.",
                    parameters_.flip_limit, 1, 1000);
    visitor.or_word("none");
    visitor.overridden_by(
        only_of_plane("On a torus points are located in Delaunay triangles, so every round flips to the end.", "none"));
    visit_conflict_rule(visitor, parameters_.conflict);
    visitor.choice("vote", "Each triangle takes", "Which of its points is inserted into a triangle.", parameters_.vote,
                   {{"circumcentre", "the point nearest to its circumcentre; equal distances: the lowest index"},
                    {"lowest", "the point with the lowest input index"}});
    visitor.overridden_by(only_of_plane("On a torus it is a random one, the same in every run.", ""));
    visitor.choice("enclosure", "Enclosed by", "What closes the plane around the points.", parameters_.enclosure,
                   {{"infinity", "a vertex at infinity: the hull is exact"},
                    {"supertriangle", "a large finite triangle, as in the thesis: hull edges can be missing"}});
    visitor.overridden_by(only_of_plane("A torus has no outside that would have to be closed.", ""));
    visit_block_size(visitor, parameters_.block_size);
}

const LabInfo& BuildLab::info() const {
    static const LabInfo info{
        "build",
        "Build lab",
        "Builds the Delaunay triangulation of points: a point is inserted into every triangle at once, then all "
        "illegal edges flip.",
        "After P. Drozd, Delaunay Triangulations on the GPU (Trinity College Dublin, 2025), with exact predicates, a "
        "vertex at infinity, point location by walking from the old triangle, and flips over a worklist of edges that "
        "may have become illegal.",
        {{"order",
          "Points are sorted by Hilbert index, so that neighbours in memory are neighbours in the plane; equal points "
          "are merged. On a torus all are wrapped into the box before."},
         {"seed",
          "A sample of the points is triangulated by strips; few points start from one triangle. One vertex at "
          "infinity closes the plane around it. On a torus one point makes two triangles, whose corners are all images "
          "of it."},
         {"vote",
          "Every waiting point votes in its triangle, and the one nearest to the circumcentre is chosen. On a torus it "
          "is a random one."},
         {"split", "Every triangle with a chosen point is split into three, all at once."},
         {"link",
          "New triangles and their old neighbours are linked; edges that may have become illegal enter the worklist."},
         {"claim",
          "Every edge of the worklist is tested; an illegal one claims both its triangles, and each triangle grants "
          "one claim."},
         {"flip",
          "Edges whose claims are granted on both sides flip, all at once; the others are deferred to the next pass."},
         {"repair", "Updates the edge–triangle incidence of edges that a flip moved to the other triangle."},
         {"relocate", "Every waiting point walks from its old triangle to the one that holds it now."},
         {"untangle",
          "On a torus, after the link: flat triangles, which a point on an edge leaves, flip until all are upright."},
         {"edit",
          "A manual edit: a point was moved, added or removed, and the rounds so far were run on the present points."}},
        {{"inserted", "points inserted by this pass", false, false, Quantity::kInsertedPoints},
         {"queued",
          "worklist edges tested, because they may have become illegal; ghosts, to the vertex at infinity, included"},
         {"illegal",
          "edges that fail the in-circle test; ghosts, where the hull is reflex, are counted too, and a word marks "
          "each"},
         {"granted", "illegal edges whose claims on both their triangles are granted, and which flip", false, false,
          Quantity::kGrantedFlips},
         {"deferred", "illegal edges that must wait for a later pass"},
         {"flipped", "edges flipped by this pass", false, false, Quantity::kFlips},
         {"uninserted", "points that still wait", true}},
        {},
        PointEditingLab::edits()};
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_build_lab() { return std::make_unique<BuildLab>(); }

}  // namespace flipscope
