// The Particles lab, pass by pass: Brownian and active discs in a periodic box, or in a channel with two walls, after
// Carter, Hitschfeld, Navarro and Soto. The engine is particles/dynamics.h; here are its scene and its reports. One
// round is a time step of the engine,
//
//   forces → integrate → untangle → claim, flip, repair … → push → untangle → claim, flip, repair … → measure
//
// and finish() runs whole steps of the same engine. A snapshot holds the engine's state, the samples of the
// mean-squared displacement, the parameters that can change during a run, and the ids of the frames recorded so far.
// The frames themselves stay with the lab until reset(); only save_whole() copies them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/text.h"
#include "delaunay/torus/torus_rules.h"
#include "delaunay/torus/wrap_points.h"
#include "geometry/bounds.h"
#include "geometry/places.h"
#include "instruments/explain.h"
#include "instruments/triangle_words.h"
#include "lab/element_links.h"
#include "lab/lab.h"
#include "lab/manual_edits.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"
#include "labs/particles/particles_drawing.h"
#include "labs/particles/particles_parameters.h"
#include "labs/particles/recorded_motion.h"
#include "mesh/hash.h"
#include "particles/dynamics.h"
#include "particles/measures.h"
#include "particles/overlap_audit.h"
#include "particles/stress.h"
#include "particles/walls.h"
#include "statistics/element_measures.h"

namespace flipscope {

namespace {

class ParticlesLab final : public Lab,
                           public Inspectable,
                           public Editable,
                           public Adjustable,
                           public Checkable,
                           public Measurable,
                           public Exporter,
                           public TableExporter,
                           public TrajectoryExporter {
  public:
    /// Passes and counters of the engine come first.
    static constexpr uint32_t kEdit = ParticleDynamics::kPasses;
    enum Measure : uint32_t {
        kDisplacement,
        kExpected,
        kSpeed,
        kOverlapping,
        kPushes,
        kFlipPasses,
        kLeft,
        kLargestCluster,
        kPressure,
        kShearStress,
        kMeasures
    };

    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override { visit_particles_parameters(visitor, requested_); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { will_record_states_ = records_states; }

    bool done() const override;
    std::string endless() const override;
    uint32_t next_pass() const override { return done() ? kNone : dynamics_->next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    Level editable_after() const override { return Level::kRound; }
    uint64_t numbering() const override { return state_.numbering; }
    bool is_frozen(uint32_t vertex) const override { return dynamics_ && dynamics_->is_frozen(vertex); }
    StepResult edit(const Edit& edit) override;
    StepResult adjust(const std::vector<Parameter>& values) override;
    void apply_view_parameters() override;
    void finish_rounds(uint64_t rounds, const std::function<void(const StepResult&)>& after_round) override;
    CheckReport check() const override;
    Report statistics() const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    std::optional<ArrayView> array_in_place(const std::string& name) const override;
    std::vector<ArrayInfo> tables() const override;
    Table table(const std::string& name) const override;
    /// Positions after every `record`-th step, and at the start.
    Trajectory trajectory() const override;
    std::string records_nothing() const override;

    Result result() const override;
    uint64_t state_hash() const override;
    Snapshot save() const override;
    /// Includes the frames recorded up to this state.
    Snapshot save_whole() const override;
    void load(const Snapshot& snapshot) override;

  private:
    struct RunState {
        uint64_t numbering = 0;
        uint64_t edits = 0;
        uint64_t samples = 0, frames = 0;  // counts
        uint64_t next_id = 0;              // greater than all ids
        // The last change of parameters, or the start of the run:
        uint64_t changed_round = 0;     // time steps done by then
        double changed_time = 0;        // their time
        double dt_before = 0;           // Δt of the last of them; 0: none
        ExpectedDisplacement expected;  // its value by then
    };
    /// A sample of the mean-squared displacement, for its curve.
    struct Sample {
        uint64_t step = 0;
        double time = 0;
        double displacement = 0, expected = 0;  // world units squared
    };

    bool is_mid_step() const;
    bool ends_at_rebuild() const;
    double time_after(uint64_t round) const;
    double dt_of_moves() const;
    void use_values(const std::string& values);
    double area_of_all(const ParticleModel& model) const;
    void require_room(const ParticleModel& model) const;
    void complete(StepResult& result);
    void report_overlaps(StepMessage& message) const;
    void report_step(const ParticleDynamics::StepSummary& step, StepMessage& message);
    void keep_frame();
    void know(std::shared_ptr<const ParticleFrame> frame);
    ParticleFrames frames(size_t last = SIZE_MAX) const;
    void draw(bool moved = true);
    void draw_now() const;
    void changed() { audit_.reset(); }
    void name_rows();
    Point in_world(Point in_box) const { return {corner_.x + in_box.x, corner_.y + in_box.y}; }
    Point in_the_box(Point place) const { return {place.x - corner_.x, place.y - corner_.y}; }
    std::vector<Point> all_in_world(std::vector<Point> in_box) const;
    ParticleState particles() const;
    const OverlapAudit& audit() const;
    void measure() const;
    std::optional<ParticleStress> stress() const;
    void add_stress(Properties& numbers) const;
    std::vector<double> local_densities() const;
    RecordedMotion motion(const ParticleFrames& even) const;
    bool is_beyond_walls(Element element) const;
    void inspect_particle(uint32_t id, Report& report) const;
    void inspect_edge(uint32_t edge, Report& report) const;
    void inspect_triangle(uint32_t triangle, Report& report) const;
    void add_forces(uint32_t id, Report& report) const;
    uint64_t step_of_motion() const;
    void describe_overlaps(uint32_t id, Properties& properties, std::vector<Highlight>& highlights) const;
    StepResult begin_edit() const;
    uint8_t species_of_new() const;
    std::string name_of_species(uint32_t species) const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    bool is_scaled_ = false;               // the input's points were scaled
    ParticlesParameters requested_, now_;  // as set by the user; as of the last reset and later steps
    std::string start_values_,
        step_values_;  // those of EffectAt::kStep, one line "dt=0.01" each: at the start; of now_
    bool will_record_states_ = true, records_states_ = true;
    std::unique_ptr<ParticleDynamics> dynamics_;  // nullptr before the first reset
    Point corner_;                                // of the box, in the world
    uint64_t duplicates_ = 0;                     // points of the input left out
    std::vector<uint32_t> rows_;                  // (n) row of the input by initial particle; empty: no input
    StepMessage greeting_;                        // added to the message of the first step
    RunState state_;
    std::vector<Sample> samples_;
    std::vector<int64_t> ids_;                                  // permanent id by particle; empty: i has the id i
    std::vector<uint64_t> kept_;                                // ids of the frames up to this state
    ParticleFrames all_kept_;                                   // also later ones, after going back
    mutable uint64_t trails_drawn_ = 0;                         // hash of the frames in the trails
    mutable bool to_draw_ = false, moved_since_drawn_ = false;  // when the scene is asked for
    mutable ParticlesDrawing drawing_;                          // of the state of the last scene()
    mutable ParticleMeasures measures_;
    mutable std::optional<OverlapAudit> audit_;  // of this state; computed on demand
};

constexpr size_t kLabBlocks = 6;     // of a snapshot, after the engine's
constexpr size_t kMostPartners = 8;  // of a particle: the largest forces
constexpr double kMostShown = 1e7;   // displacements in curves of recorded motion; more are in the tables alone
constexpr double kLargeMove = 0.5;   // diameters in one step; above it Δt counts as large
constexpr uint32_t kDistanceBins = 60, kDegreeBins = 13, kOrderBins = 50, kSpeedBins = 60, kSizeBins = 24;
const char* const kLength = "world units";
const char* const kSpeedUnit = "world units per time";

double length_of(Point p) { return std::sqrt(p.x * p.x + p.y * p.y); }

/// The first 32 steps, then sixteen per doubling of their number.
bool is_sampled(uint64_t step) {
    uint64_t stride = 1;
    while (step / stride >= 32) stride *= 2;
    return step % stride == 0;
}

/// Of several equal places only the first, in order. `rows`: the indices of the remaining points.
std::vector<Point> without_duplicates(const std::vector<Point>& points, std::vector<uint32_t>& rows) {
    const auto before = [](Point a, Point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
    std::set<Point, decltype(before)> known(before);
    std::vector<Point> distinct;
    distinct.reserve(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        const Point p = points[i];
        // Non-finite points are rejected later, with their index.
        if (std::isfinite(p.x) && std::isfinite(p.y) && !known.insert(p).second) continue;
        distinct.push_back(p);
        rows.push_back(static_cast<uint32_t>(i));
    }
    return distinct;
}

/// The box requested for a run.
struct MeantBox {
    Point sides;  // world units; both 0: from the density
    OpenAxis walls = OpenAxis::kNone;
    Point low;                  // of a channel: the lowest corner of the input's points
    bool is_of_input = false;   // the box of the input
    bool holds_points = false;  // the walls touch the input's outermost discs
};
/// `radius`: of the largest disc. Throws Error if a box is periodic along one axis without walls, or if the distance of
/// the walls is unknown.
MeantBox meant_box(const ParticlesParameters& parameters, const Geometry& input, double radius) {
    MeantBox meant;
    meant.sides = parameters.box;
    if (meant.sides == Point{}) {
        meant.sides = input.box;
        meant.is_of_input = !(meant.sides == Point{});
    }
    meant.walls = chosen_walls(parameters.walls, meant.sides, input);
    if (meant.sides == Point{}) return meant;
    const std::string where = meant.is_of_input && !input.name.empty() ? input.name + ": " : "";
    if (meant.walls == OpenAxis::kNone) {
        if ((meant.sides.x > 0) != (meant.sides.y > 0))
            throw Error(
                where + "the box is periodic along " + (meant.sides.x > 0 ? "x" : "y") +
                " alone, and walls=none leaves the other two borders open; walls=" + (meant.sides.x > 0 ? "y" : "x") +
                " makes it a channel, and box=WIDTHxHEIGHT joins these borders, too");
        return meant;
    }
    const bool along_y = meant.walls == OpenAxis::kX;
    double &across = along_y ? meant.sides.x : meant.sides.y, &low = along_y ? meant.low.x : meant.low.y;
    if (!((along_y ? meant.sides.y : meant.sides.x) > 0))
        throw Error(where + "with walls=" + (along_y ? "x" : "y") + " the box is periodic along " +
                    (along_y ? "y" : "x") + ", and the box has no side along that axis; set box=WIDTHxHEIGHT");
    if (meant.is_of_input) {
        if (!(across > 0)) across = along_y ? input.box_lengths.x : input.box_lengths.y;
        meant.low = input.box_low;
    }
    if (across > 0) return meant;
    double least = INFINITY, most = -INFINITY;
    for (const Point p : input.points) {
        const double v = along_y ? p.x : p.y;
        if (!std::isfinite(v)) continue;  // rejected later, with its index
        least = std::min(least, v);
        most = std::max(most, v);
    }
    if (!(least <= most))
        throw Error(
            "box=" + text_of_size(meant.sides) + ": how far apart are the walls? Set " +
            (along_y ? "walls=x and box=12x30 for a channel 12 wide" : "walls=y and box=30x12 for a channel 12 high"));
    meant.holds_points = true;
    low = least - radius;
    across = most - least + 2 * radius;
    return meant;
}

/// Points scaled and moved into a box.
struct Fitted {
    std::vector<Point> places;
    Point sides;  // of the box, world units
};
/// Fits points into a square of this side, so that a square lattice closes on itself; if they clearly fill a rectangle,
/// into a rectangle of that shape and the same area.
Fitted fit_into(const std::vector<Point>& points, double side) {
    const auto [low, high] = bounds_of(points);
    const double width = high.x - low.x, height = high.y - low.y;
    const double extent = std::max(width, height), other = std::min(width, height), n = double(points.size());
    Fitted fitted{points, {side, side}};
    if (!(extent > 0) || !std::isfinite(extent)) return fitted;
    // For n random points in a square the extents rarely differ by more than a part 12 / n.
    const bool is_square = other * 1.1 > extent || other > extent * (1 - 12 / n);
    const double row = std::sqrt(n);
    double scale = side / extent * std::max((row - 1) / row, 0.25);
    Point margin{0.5 * (side - scale * extent), 0.5 * (side - scale * extent)};
    if (!is_square) {
        // The box is larger than the extents by the mean spacing s: (width + s) (height + s) = n s².
        const double sum = width + height,
                     spacing = (sum + std::sqrt(sum * sum + 4 * (n - 1) * width * height)) / (2 * (n - 1));
        const double shape = std::clamp((width + spacing) / (height + spacing), 1 / kMostAspect, kMostAspect);
        fitted.sides = {side * std::sqrt(shape), side / std::sqrt(shape)};
        scale = std::min(fitted.sides.x / (width + spacing), fitted.sides.y / (height + spacing));
        margin = {0.5 * (fitted.sides.x - scale * width), 0.5 * (fitted.sides.y - scale * height)};
    }
    for (Point& p : fitted.places) p = {(p.x - low.x) * scale + margin.x, (p.y - low.y) * scale + margin.y};
    return fitted;
}

/// The diameters that a column of the input gives for these rows; empty: none.
std::vector<double> diameters_given(const Geometry& input, const Attribute* column, const std::vector<uint32_t>& rows) {
    std::vector<double> diameters;
    for (size_t i = 0; i < rows.size(); ++i) {
        const double value = column->values.at(rows[i]);
        if (!(value > 0) || !std::isfinite(value))
            throw Error((input.name.empty() ? "" : input.name + ": ") + "the " + column->name + " of point " +
                        std::to_string(rows[i]) + " is " + format_plainly(value) +
                        ": expected a length above 0; column_radii=off leaves all radii to the species");
        diameters.push_back(is_of_diameters(*column) ? value : 2 * value);
    }
    return diameters;
}

std::vector<double> counted(const std::vector<double>& values, double low, double high, uint32_t bins) {
    std::vector<double> counts(bins, 0);
    for (const double value : values) {
        if (std::isnan(value)) continue;
        const double at = std::floor((value - low) / (high - low) * bins);
        ++counts[static_cast<size_t>(std::clamp(at, 0.0, double(bins - 1)))];
    }
    return counts;
}

double highest(const std::vector<double>& values, double at_least) {
    double most = at_least;
    for (const double value : values)
        if (std::isfinite(value)) most = std::max(most, value);
    return most;
}

std::string force_text(const ParticleModel& model) {
    const std::string soft = model.repulsion == RepulsionKind::kNone  ? ""
                             : model.repulsion == RepulsionKind::kWca ? "WCA repulsion"
                                                                      : "harmonic repulsion";
    const std::string joined = soft.empty() ? "" : " and " + soft;
    switch (model.force) {
        case ForceLaw::kNone:
            return soft.empty() ? "no force" : soft;
        case ForceLaw::kLongRange:
            return "long-range forces between all pairs" + joined;
        case ForceLaw::kShortRange:
            break;
    }
    return "short-range forces up to a distance of " + format_short(model.cutoff) + joined;
}

/// Limits the cutoff of forces to half the box; with a longer one a particle could meet two images of another.
StepMessage put_into_box(ParticleModel& model, const TorusBox& box) {
    StepMessage message;
    if (model.force != ForceLaw::kShortRange || model.cutoff <= box.shorter() / 2) return message;
    model.cutoff = box.shorter() / 2;
    message.add("cutoff", "The cutoff is reduced to " + format_short(model.cutoff) + ", half the " +
                              (box.is_square()     ? "box."
                               : box.is_cylinder() ? "channel's length."
                                                   : "box's shorter side."));
    return message;
}

VisitParameters visit_of(ParticlesParameters& parameters) {
    return [&](ParameterVisitor& visitor) { visit_particles_parameters(visitor, parameters); };
}
std::string values_of_steps(ParticlesParameters parameters) { return step_values(visit_of(parameters)); }

/// The lines that affect motion.
std::string of_motion(const std::string& values) {
    std::string kept;
    for (size_t begin = 0, end = 0; begin < values.size(); begin = end + 1) {
        end = std::min(values.find('\n', begin), values.size());
        const std::string line = values.substr(begin, end - begin), name = line.substr(0, line.find('='));
        if (name != "steps" && name != "record" && name != "cluster_interval" && name != "stress_interval" &&
            name != "after_rebuild")
            kept += line + "\n";
    }
    return kept;
}

uint64_t hash_of(const std::string& text) {
    uint64_t hash = text.size();
    for (const char c : text) hash = mix64(hash ^ static_cast<unsigned char>(c));
    return hash;
}

void ParticlesLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    if (input && input->in_space())
        throw Error(input->name + ": this is a surface in space, and the Particles lab takes points of the plane");
    const ParticlesParameters parameters = requested_;
    ParticleModel model = model_of(parameters);
    StepMessage greeting;
    ParticleStart start;
    uint64_t duplicates = 0;
    std::vector<uint32_t> rows;
    bool is_scaled = false;
    double radius = 0;
    std::vector<Point> places;
    if (input) places = without_duplicates(input->points, rows);
    const Attribute* const column = input ? column_of_radii(*input, parameters.column_radii) : nullptr;
    const std::vector<double> given_diameters = column ? diameters_given(*input, column, rows) : std::vector<double>{};
    if (!given_diameters.empty()) {
        model.spread = 0;
        greeting.add("radii", "Radii are those of the column \"" + column->name + "\".");
        radius = highest(given_diameters, 0) / 2;
    } else {
        radius = largest_diameter(model) / 2;
    }
    const MeantBox meant = meant_box(parameters, input ? *input : Geometry{}, radius);
    if (input && !input->points.empty()) {
        duplicates = input->points.size() - places.size();
        model.count = static_cast<uint32_t>(places.size());
        if (meant.sides.x > 0) {
            start = make_start(model, places, meant.sides, input->name, meant.walls, meant.low, given_diameters);
            const TorusBox& box = start.box;
            const Point low = meant.is_of_input ? input->box_low : meant.low, sides = box.lengths();
            const auto wrapped = std::count_if(places.begin(), places.end(), [&](Point p) {
                return !box.holds({p.x - low.x, p.y - low.y});
            });
            for (Point& p : places) p = {p.x - meant.low.x, p.y - meant.low.y};
            if (wrapped)
                greeting.add("wrapped",
                             count_text(static_cast<uint64_t>(wrapped), "point is", "points are") +
                                 " wrapped into the box, from " +
                                 (box.is_square() ? "0 to " + format_short(sides.x) + " both ways."
                                                  : place_text(low, 1e-6) + " to " +
                                                        place_text({low.x + sides.x, low.y + sides.y}, 1e-6) + "."));
        } else {
            is_scaled = true;
            const Fitted fitted =
                fit_into(places, given_diameters.empty() ? side_of_box(model, model.count)
                                                         : std::sqrt(area_of_discs(given_diameters) / model.density));
            places = fitted.places;
            start = make_start(model, places, fitted.sides, input->name, meant.walls, {}, given_diameters);
            greeting.add("scaled", "The points are scaled into " + box_in_words(start.box) +
                                       ", in which discs have the area fraction " + format_short(model.density) +
                                       "; --set box=… takes them as they are.");
        }
        if (start.box.is_cylinder()) {
            uint64_t moved = 0;
            for (size_t i = 0; i < places.size(); ++i)
                moved += std::fabs(across_channel(start.box, places[i]) -
                                   across_channel(start.box, start.positions[i])) > (1 - kTouching) * radius;
            if (moved)
                greeting.add("moved-to-walls", count_text(moved, "disc reaches", "discs reach") + " into a wall and " +
                                                   (moved == 1 ? "is" : "are") + " moved to touch it.");
        }
        if (duplicates)
            greeting.add("duplicates", count_text(duplicates, "point is a duplicate and is left out.",
                                                  "points are duplicates and are left out."));
    } else {
        start = make_start(model, meant.sides, meant.walls);
    }
    if (meant.holds_points)
        greeting.add("box", "The box is " + box_in_words(start.box) + ": its walls touch the outermost discs of " +
                                input->name + ", if these are the largest.");
    else if (meant.is_of_input && start.box.is_cylinder())
        greeting.add("box", "The box of " + input->name + " is " + box_in_words(start.box) + ".");
    else if (meant.is_of_input)
        greeting.add("box", "The periodic box of " + box_text(meant.sides) + " is that of " + input->name +
                                (input->box_low == Point{} ? "." : "; here it begins at 0, 0."));
    StepMessage reduced = put_into_box(model, start.box);
    if (!start.positions.empty()) greeting.add(reduced);
    const bool given = input && !input->points.empty();
    auto dynamics = std::make_unique<ParticleDynamics>();
    context.set_block_size(static_cast<uint32_t>(parameters.block_size) / 32 * 32);
    dynamics->set_records_states(will_record_states_);
    dynamics->reset(context, model, std::move(start));

    dynamics_ = std::move(dynamics);  // nothing throws from here on
    context_ = &context;
    corner_ = meant.low;
    rows_ = std::move(rows);
    input_ = std::move(input);
    is_scaled_ = is_scaled;
    requested_.config_at_start = parameters.config;
    now_ = requested_;
    start_values_ = step_values_ = values_of_steps(now_);
    records_states_ = will_record_states_;
    duplicates_ = duplicates;
    greeting_ = std::move(greeting);
    state_ = {};
    state_.next_id = dynamics_->count();
    ids_.clear();
    samples_.clear();
    kept_.clear();
    all_kept_.clear();
    changed();
    trails_drawn_ = 0;
    to_draw_ = moved_since_drawn_ = false;
    name_rows();
    drawing_.reset(static_cast<ParticleColour>(now_.colour_by), corner_);
    if (now_.record > 0 && dynamics_->count() > 0) keep_frame();
    if (given || model.spread > 0) report_overlaps(greeting_);
    draw();
}

/// Gives particles the rows of the input as names: duplicates are left out, and edits renumber.
void ParticlesLab::name_rows() {
    if (rows_.empty()) return;
    std::vector<uint32_t> rows(dynamics_->count());
    for (size_t i = 0; i < rows.size(); ++i) {
        const auto id = ids_.empty() ? i : static_cast<size_t>(ids_[i]);
        // Not from a row: after all rows.
        rows[i] = id < rows_.size() ? rows_[id] : static_cast<uint32_t>(input_->points.size() + id - rows_.size());
    }
    dynamics_->name_particles(rows);
}

std::vector<Point> ParticlesLab::all_in_world(std::vector<Point> in_box) const {
    for (Point& p : in_box) p = in_world(p);
    return in_box;
}

/// Reports overlaps at the start. Forces between very close particles are unbounded and move them far in one step.
void ParticlesLab::report_overlaps(StepMessage& message) const {
    const ParticleModel& model = dynamics_->model();
    const uint64_t pairs = audit().pairs_overlapping;
    if (pairs == 0 || !model.overlaps) return;
    message.add("overlapping-start",
                count_text(pairs, "pair of discs overlaps", "pairs of discs overlap") +
                    " at the start; a check lists " + (pairs == 1 ? "it. " : "them. ") +
                    (model.force == ForceLaw::kNone
                         ? "The first step pushes them apart."
                         : "Forces are so strong between overlapping discs that the first step throws them far apart: "
                           "a first step with force=none only pushes them apart."));
}

bool ParticlesLab::is_mid_step() const {
    const uint32_t next = dynamics_->next_pass();
    return next != kNone && next != ParticleDynamics::kForces;
}

/// Whether discs may have passed through each other in the last step, with unchanged parameters. Not in a channel: a
/// disc that reaches a wall leaves several almost flat triangles along it in one step, which single flips cannot
/// follow.
bool ParticlesLab::ends_at_rebuild() const {
    return now_.after_rebuild == 0 && dynamics_->model().overlaps && !dynamics_->box().is_cylinder() &&
           dynamics_->last_step().rebuilds > 0 && dynamics_->round() != state_.changed_round;
}

bool ParticlesLab::done() const {
    if (!dynamics_ || dynamics_->next_pass() == kNone) return true;
    if (!is_mid_step() && ends_at_rebuild()) return true;
    return !is_mid_step() && now_.steps > 0 && dynamics_->round() >= static_cast<uint64_t>(now_.steps);
}

std::string ParticlesLab::endless() const { return requested_.steps > 0 ? "" : "the run has no end with steps=none"; }

/// Δt may have changed during the run.
double ParticlesLab::time_after(uint64_t round) const {
    return state_.changed_time + static_cast<double>(round - state_.changed_round) * dynamics_->model().dt;
}

/// Δt of the step in which particles last moved.
double ParticlesLab::dt_of_moves() const {
    const bool before = state_.dt_before > 0 && dynamics_->round() == state_.changed_round;
    return before ? state_.dt_before : dynamics_->model().dt;
}

StepResult ParticlesLab::step() {
    if (done()) throw std::logic_error("the Particles lab is finished: reset it to start over");
    context_->throw_if_cancelled();
    changed();
    StepResult result = dynamics_->step();
    complete(result);
    const bool moves = result.pass == ParticleDynamics::kForces || result.pass == ParticleDynamics::kIntegrate ||
                       result.pass == ParticleDynamics::kPush || result.pass == ParticleDynamics::kMeasure;
    draw(moves || result.counters[ParticleDynamics::kRebuilt] > 0);
    return result;
}

void ParticlesLab::finish(const std::function<void(const StepResult&)>& after_round) {
    if (!done() && now_.steps == 0) throw std::logic_error("the Particles lab: a run without an end is not finished");
    finish_rounds(UINT64_MAX, after_round);
}

void ParticlesLab::finish_rounds(uint64_t rounds, const std::function<void(const StepResult&)>& after_round) {
    if (done() || rounds == 0) return;
    changed();
    for (; rounds > 0 && !done(); --rounds) {
        context_->throw_if_cancelled();
        StepResult result = dynamics_->finish_round();
        complete(result);
        if (after_round) after_round(result);
    }
    draw();
}

/// Completes the result of a pass or a whole step: adds the messages at the end of a step.
void ParticlesLab::complete(StepResult& result) {
    result.message = std::exchange(greeting_, {});
    if (is_mid_step()) return;
    const ParticleDynamics::StepSummary& step = dynamics_->last_step();
    const double expected =
        expected_after(state_.expected, dynamics_->model(), step.round - state_.changed_round).squared;
    result.measures.assign(kMeasures, std::nan(""));
    result.measures[kDisplacement] = step.mean_squared_displacement;
    result.measures[kExpected] = expected;
    result.measures[kSpeed] = step.mean_speed;
    result.measures[kOverlapping] = static_cast<double>(step.overlapping_first);
    result.measures[kPushes] = step.pushes;
    result.measures[kFlipPasses] = step.flip_passes;
    result.measures[kLeft] = static_cast<double>(step.overlapping_left);
    if (now_.cluster_interval > 0 && step.round % static_cast<uint64_t>(now_.cluster_interval) == 0) {
        measure();
        result.measures[kLargestCluster] = measures_.largest_share();
    }
    if (now_.stress_interval > 0 && step.round % static_cast<uint64_t>(now_.stress_interval) == 0) {
        if (const auto found = stress()) {
            result.measures[kPressure] = found->pressure();
            result.measures[kShearStress] = 0 - found->xy;
        }
    }
    report_step(step, result.message);
    result.breakpoint_hit = (dynamics_->model().overlaps && step.overlapping_left > step.overlapping_held) ||
                            step.rebuilds > 0 || step.cut > 0;
    if (is_sampled(step.round)) {
        samples_.push_back({step.round, time_after(step.round), step.mean_squared_displacement, expected});
        state_.samples = samples_.size();
    }
    if (now_.record > 0 && step.round % static_cast<uint64_t>(now_.record) == 0) keep_frame();
    if (done()) {
        result.ended = Level::kEnd;
        result.next = kNone;
    }
}

void ParticlesLab::report_step(const ParticleDynamics::StepSummary& step, StepMessage& message) {
    const ParticleModel& model = dynamics_->model();
    if (const uint64_t left = step.overlapping_left - step.overlapping_held; model.overlaps && left > 0)
        message.add("unresolved",
                    "After " + count_text(step.pushes, "round of pushes ", "rounds of pushes ") +
                        count_text(left, "pair overlaps still: ", "pairs overlap still: ") +
                        "the next step goes on from there. A smaller \xCE\x94t makes fewer overlaps in a step" +
                        (step.pushes >= model.most_pushes ? ", and push_limit allows more pushes." : "."));
    if (step.rebuilds > 0)
        message.add(
            "rebuilt",
            std::string("Flips could not turn all inverted triangles upright, so the triangulation was rebuilt. ") +
                (!model.overlaps     ? ""
                 : ends_at_rebuild() ? "Discs may have passed through each other in this step, so the run ends here. "
                                       "Take a smaller \xCE\x94t, or after_rebuild=go-on."
                 : dynamics_->box().is_cylinder()
                     ? "A disc that reaches a wall can cause this. Elsewhere discs may have passed through each other: "
                       "take a smaller \xCE\x94t."
                     : "Discs may have passed through each other in this step. Take a smaller \xCE\x94t."));
    const double moved = step.mean_speed * model.dt;
    if (step.cut > 0)
        message.add(
            "cut",
            count_text(step.cut, "particle", "particles") +
                " would have moved by more than half the box, and moved by that much: take a smaller \xCE\x94t.");
    else if (moved > kLargeMove * model.species.front().diameter)
        message.add("large-step",
                    "Particles moved by " + format_short(moved) +
                        " world units on average in one step, far more than a disc is wide: take a smaller \xCE\x94t.");
}

void ParticlesLab::keep_frame() {
    const uint32_t count = dynamics_->count();
    const uint64_t round = dynamics_->round();
    auto frame = std::make_shared<ParticleFrame>();
    frame->round = round;
    frame->numbering = state_.numbering;
    frame->time = time_after(round);
    frame->positions = dynamics_->triangulation().mesh().positions.download(count);
    frame->displacements = dynamics_->displacements().download(count);
    frame->species = dynamics_->species().download(count);
    if (dynamics_->model().speed > 0) frame->orientations = dynamics_->orientations().download(count);
    frame->ids = ids_;
    frame->sizes = dynamics_->sizes();
    for (const Species& kind : dynamics_->model().species) frame->diameters.push_back(kind.diameter);
    frame->id = hash_words(*context_, words_of(dynamics_->triangulation().mesh().positions, count),
                           mix64(round ^ mix64(state_.numbering ^ std::bit_cast<uint64_t>(frame->time))));
    // After a change of parameters these can differ although the particles are the same.
    frame->id = hash_words(*context_, words_of(dynamics_->displacements(), count), frame->id);
    if (!frame->orientations.empty())
        frame->id = hash_words(*context_, words_of(dynamics_->orientations(), count), frame->id);
    kept_.push_back(frame->id);
    state_.frames = kept_.size();
    know(std::move(frame));
}

void ParticlesLab::know(std::shared_ptr<const ParticleFrame> frame) {
    const auto known =
        std::find_if(all_kept_.rbegin(), all_kept_.rend(), [&](const auto& one) { return one->id == frame->id; });
    if (known == all_kept_.rend()) all_kept_.push_back(std::move(frame));
}

/// The frames up to this state, or the last `last` of them.
ParticleFrames ParticlesLab::frames(size_t last) const {
    ParticleFrames found;
    const size_t begin = kept_.size() - std::min(last, kept_.size());
    size_t next = begin;  // frames are mostly in the same order
    for (size_t i = begin; i < kept_.size(); ++i) {
        const uint64_t id = kept_[i];
        for (size_t looked = 0; looked < all_kept_.size(); ++looked, ++next) {
            const auto& one = all_kept_[next % all_kept_.size()];
            if (one->id != id) continue;
            found.push_back(one);
            next = (next + 1) % all_kept_.size();
            break;
        }
    }
    return found;
}

// Many passes run between two pictures, so buffers for drawing only are filled when scene() is called.
void ParticlesLab::draw(bool moved) {
    if (!records_states_) return;
    to_draw_ = true;
    moved_since_drawn_ |= moved;
}

void ParticlesLab::draw_now() const {
    if (!to_draw_) return;
    const uint64_t trails = kept_.empty() ? 0 : mix64(kept_.back() ^ mix64(kept_.size() ^ mix64(state_.numbering)));
    if (trails != trails_drawn_) {
        ParticleFrames trail;
        for (auto& frame : frames(ParticlesDrawing::kTrailFrames))
            if (frame->numbering == state_.numbering && frame->positions.size() == dynamics_->count())
                trail.push_back(std::move(frame));
        drawing_.set_trails(*context_, trail);
        trails_drawn_ = trails;
    }
    drawing_.draw(*context_, *dynamics_, moved_since_drawn_, dt_of_moves(), measures_);
    to_draw_ = moved_since_drawn_ = false;
}

Scene ParticlesLab::scene() const {
    Scene scene;
    if (!dynamics_) return scene;
    draw_now();
    scene.low = corner_;
    scene.high = in_world(dynamics_->box().lengths());
    scene.point_count = dynamics_->count();
    scene.in_input_units = !is_scaled_;
    drawing_.add_layers(*dynamics_, scene);
    return scene;
}

ParticleState ParticlesLab::particles() const {
    return particle_state(dynamics_->triangulation(), dynamics_->species().view(dynamics_->count()),
                          dynamics_->species_table());
}

void ParticlesLab::measure() const { measures_.measure(*context_, particles()); }

/// None where the forces define none.
std::optional<ParticleStress> ParticlesLab::stress() const {
    const uint32_t count = dynamics_->count();
    if (count == 0 || !has_stress(dynamics_->model())) return {};
    return measure_stress(*context_, particles(), dynamics_->model(), dynamics_->orientations().view(count));
}

void ParticlesLab::add_stress(Properties& numbers) const {
    const char* const unit = "energy per area";
    const auto found = is_mid_step() ? std::nullopt : stress();
    if (!found) return;
    numbers.add_number("pressure", unit, found->pressure());
    numbers.add_number("pressure_ideal", unit, found->ideal);
    numbers.add_number("pressure_pairs", unit, (found->xx + found->yy) / 2);
    if (dynamics_->model().speed > 0) numbers.add_number("pressure_swim", unit, found->swim);
    numbers.add_number("stress_xy", unit, 0 - found->xy);  // without forces 0, not -0
    const TorusBox& box = dynamics_->box();
    if (!box.is_cylinder() || dynamics_->model().shear_rate == 0) return;
    const uint32_t count = dynamics_->count();
    const bool along_y = box.open == OpenAxis::kX;
    const std::vector<Point> forces = dynamics_->forces().download(count);
    const std::vector<uint8_t> held = dynamics_->frozen().download(count);
    double low = 0, high = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (held[i] > 1) (held[i] == 2 ? low : high) += along_y ? forces[i].y : forces[i].x;
    numbers.add_number("wall_stress", unit, (low - high) / 2 / (along_y ? box.sides.y : box.sides.x));
}

/// The area of each disc over that of its Voronoi cell, which the walls of a channel clip.
std::vector<double> ParticlesLab::local_densities() const {
    const uint32_t count = dynamics_->count();
    const TorusBox& box = dynamics_->box();
    const Window window{{0, 0}, box.lengths(), box.open != OpenAxis::kX, box.open != OpenAxis::kY};
    ElementMeasures cells;
    cells.measure_only(*context_, measured(dynamics_->triangulation().mesh(), count, window),
                       ElementQuantity::kCellArea);
    std::vector<double> densities = cells.values(ElementQuantity::kCellArea).download(count);
    const std::vector<double> diameters = dynamics_->diameters();
    for (size_t i = 0; i < count; ++i) densities[i] = std::numbers::pi / 4 * diameters[i] * diameters[i] / densities[i];
    return densities;
}

RecordedMotion ParticlesLab::motion(const ParticleFrames& even) const {
    std::vector<uint8_t> held;
    if (!even.empty() && even.back()->positions.size() == dynamics_->count() &&
        even.back()->numbering == state_.numbering)
        held = dynamics_->frozen().download(dynamics_->count());
    double diameter = 0;
    if (!even.empty())
        for (size_t i = 0; i < even.back()->species.size(); ++i)
            diameter += even.back()->diameter(i) / double(even.back()->species.size());
    return recorded_motion(*context_, even, dynamics_->box(), held,
                           std::isnan(now_.wavenumber) ? 2 * std::numbers::pi / diameter : now_.wavenumber,
                           std::isnan(now_.contact_distance) ? 0 : now_.contact_distance);
}

const OverlapAudit& ParticlesLab::audit() const {
    if (!audit_) audit_ = audit_overlaps(*context_, particles());
    return *audit_;
}

Element ParticlesLab::pick(const Probe& probe) const {
    if (!dynamics_ || dynamics_->count() == 0) return {};
    Probe in_box = probe;
    in_box.place = in_the_box(probe.place);
    const Element found = pick_particle(*context_, particles(), in_box);
    return is_beyond_walls(found) ? Element{} : found;
}

/// Whether an edge or a triangle of a channel connects its walls through the outside.
bool ParticlesLab::is_beyond_walls(Element element) const {
    const TorusBox& box = dynamics_->box();
    if (!box.is_cylinder()) return false;
    const TriangleMesh& mesh = dynamics_->triangulation().mesh();
    const auto beyond = [&](uint32_t corner) { return box.is_beyond(mesh.shifts.read(corner)); };
    const uint32_t id = element.id;
    if (element.kind == ElementKind::kEdge) return id < mesh.edge_count && beyond(mesh.corner_of.read(2 * size_t(id)));
    return element.kind == ElementKind::kTriangle && id < mesh.triangle_count &&
           (beyond(3 * id) || beyond(3 * id + 1) || beyond(3 * id + 2));
}

Report ParticlesLab::inspect(Element element) const {
    Report report;
    if (!dynamics_ || element.id == kNone) return report;
    const TriangleMesh& mesh = dynamics_->triangulation().mesh();
    if (is_beyond_walls(element)) return report;
    if (element.kind == ElementKind::kVertex && element.id < dynamics_->count())
        inspect_particle(element.id, report);
    else if (element.kind == ElementKind::kEdge && element.id < mesh.edge_count)
        inspect_edge(element.id, report);
    else if (element.kind == ElementKind::kTriangle && element.id < mesh.triangle_count)
        inspect_triangle(element.id, report);
    return report;
}

std::string ParticlesLab::name_of_species(uint32_t species) const {
    return dynamics_->model().species.size() == 1 ? "" : "species " + std::to_string(species + 1);
}

void ParticlesLab::inspect_particle(uint32_t id, Report& report) const {
    const TriangleMesh& mesh = dynamics_->triangulation().mesh();
    const uint32_t species = dynamics_->species().read(id);
    const Species& kind = dynamics_->model().species[species];
    const double diameter = dynamics_->diameter(id);
    const Point at = in_world(mesh.positions.read(id));
    Properties properties;
    properties.add("Particle", id, name_of_species(species));
    if (const uint32_t row = mesh.inputs.read(id); row != id && row < input_->points.size())
        properties.add("Row", row, "in the input, from 0");
    properties.add("x, y", Value(at, kLength));
    if (dynamics_->model().force != ForceLaw::kNone)
        properties.add("\xCE\xB1, \xCE\xBC", Value(std::vector<double>{kind.alpha, kind.mu}),
                       "charge as the source of forces and as the response to them");
    if (diameter != 1) properties.add("Diameter", Value(diameter, kLength));
    if (const uint8_t held = dynamics_->frozen().read(id))
        properties.add("Frozen", true, held > 1 ? "it moves with a wall" : "it exerts forces and does not move");
    if (dynamics_->model().speed > 0) {
        const double turns = dynamics_->orientations().read(id) / (2 * std::numbers::pi);
        properties.add("Orientation", Value(360 * (turns - std::floor(turns)), "°"),
                       "the direction it swims in, counter-clockwise from the right");
    }
    const InspectedMesh inspected(*context_, mesh, dynamics_->box(), corner_, "particle");
    explain_vertex(inspected, id, properties, report.highlights);
    describe_overlaps(id, properties, report.highlights);
    repeat_over_border(inspected, report.highlights);
    if (dynamics_->round() > 0 &&
        (dynamics_->model().force != ForceLaw::kNone || dynamics_->model().repulsion != RepulsionKind::kNone)) {
        const Point force = dynamics_->forces().read(id);
        properties.add("Force", Value(force, kSpeedUnit, 1e-6),
                       "of all others when time step " + std::to_string(dynamics_->round()) +
                           " began (equation 2); its size is " + format_short(length_of(force)));
    }
    if (const uint64_t step = step_of_motion(); step > 0) {
        const Point moved = dynamics_->moves().read(id), pushed = dynamics_->pushes().read(id);
        const std::string in_step = "in time step " + std::to_string(step);
        properties.add("Moved", Value(length_of(moved), kLength), in_step + ", by " + place_text(moved, 1e-6));
        properties.add("Pushed", Value(length_of(pushed), kLength),
                       dynamics_->overlapped().read(id) == 0 ? "it was in no overlap " + in_step
                       : length_of(pushed) > 0 ? in_step + ", by all pushes together " + place_text(pushed, 1e-6)
                                               : "it was in an overlap " + in_step + ", and was not moved by it");
        const Point since = dynamics_->displacements().read(id);
        properties.add("Displacement", Value(length_of(since), kLength), "since the start, across borders");
    }

    measure();
    const Point order = measures_.bond_orders().read(id);
    properties.add("|\xCF\x88\xE2\x82\x86|", measures_.bond_lengths().read(id),
                   "bond order; \xCF\x88\xE2\x82\x86 = " + format_short(order.x) + (order.y < 0 ? " - " : " + ") +
                       format_short(std::fabs(order.y)) + "i");
    const uint32_t cluster = measures_.clusters().read(id);
    properties.add("Cluster", cluster,
                   "its lowest id; it has " + count_text(measures_.cluster_sizes().read(id), "particle", "particles") +
                       ", each within 1.1 diameters of another along an edge",
                   {inspected.link(cluster)});
    report.add(std::move(properties));
    add_forces(id, report);
}

/// The time step in which particles last moved; 0: none yet.
uint64_t ParticlesLab::step_of_motion() const {
    const uint64_t round = dynamics_->round();
    return dynamics_->next_pass() == ParticleDynamics::kIntegrate ? round - 1 : round;
}

/// Adds the overlapping particles and the depths of overlap, deepest first. Tests all particles.
void ParticlesLab::describe_overlaps(uint32_t id, Properties& properties, std::vector<Highlight>& highlights) const {
    const std::vector<Point> places = dynamics_->triangulation().mesh().positions.download(dynamics_->count());
    const std::vector<double> diameters = dynamics_->diameters();
    struct Overlap {
        double depth;
        uint32_t with;
        Point way;
    };
    std::vector<Overlap> found;
    for (uint32_t k = 0; k < places.size(); ++k) {
        const Point way = dynamics_->box().shortest(places[id], places[k]);
        const double distance = length_of(way), sum = (diameters[id] + diameters[k]) / 2;
        if (k != id && distance < kTouching * sum) found.push_back({sum - distance, k, way});
    }
    std::sort(found.begin(), found.end(), [](const Overlap& a, const Overlap& b) {
        return a.depth != b.depth ? a.depth > b.depth : a.with < b.with;
    });
    properties.add("Overlaps", found.size(),
                   found.empty() ? "with no other particle now" : "other particles that it overlaps now");
    if (found.empty()) return;
    std::vector<Link> partners;
    std::vector<double> depths;
    const Point at = in_world(places[id]);
    for (const auto& [depth, with, way] : found) {
        partners.push_back({std::to_string(with), {ElementKind::kVertex, with}});
        if (depths.size() == kMostListedLinks) continue;
        depths.push_back(depth);
        highlights.push_back(Highlight::line({at.x, at.y, 0}, {at.x + way.x, at.y + way.y, 0}, Role::kIllegal,
                                             "overlap with particle " + std::to_string(with)));
    }
    add_cut_links("Overlaps with", std::move(partners), properties, "deepest first");
    properties.add("Depths", Value(std::move(depths), kLength), "of these overlaps, in this order");
}

/// Adds the particles that contribute most to its force at the present places.
void ParticlesLab::add_forces(uint32_t id, Report& report) const {
    const ParticleModel& model = dynamics_->model();
    if (model.force == ForceLaw::kNone) return;
    const uint32_t count = dynamics_->count();
    const std::vector<Point> places = dynamics_->triangulation().mesh().positions.download(count);
    const std::vector<uint8_t> species = dynamics_->species().download(count);
    struct Part {
        uint32_t from;
        double distance, size;
        Point force;
    };
    std::vector<Part> parts;
    const bool far = model.force == ForceLaw::kLongRange;
    for (uint32_t k = 0; k < count; ++k) {
        const Point r = dynamics_->box().shortest(places[k], places[id]);
        const double distance = length_of(r);
        if (k == id || distance == 0 || (!far && distance > model.cutoff)) continue;
        const double strength =
            model.species[species[id]].mu * model.species[species[k]].alpha / std::pow(distance, far ? 3 : 7);
        parts.push_back({k, distance, std::fabs(strength) * distance, {r.x * strength, r.y * strength}});
    }
    if (parts.empty()) return;
    const size_t shown = std::min(parts.size(), kMostPartners);
    std::partial_sort(parts.begin(), parts.begin() + ptrdiff_t(shown), parts.end(), [](const Part& a, const Part& b) {
        return a.size != b.size ? a.size > b.size : a.from < b.from;
    });
    std::vector<Table::Row> rows;
    std::vector<Link> partners;
    for (size_t i = 0; i < shown; ++i) {
        const Part& part = parts[i];
        partners.push_back({std::to_string(part.from), {ElementKind::kVertex, part.from}});
        const bool repels = model.species[species[id]].mu * model.species[species[part.from]].alpha > 0;
        rows.push_back({{Value(part.from), Value(part.distance, kLength), Value(repels ? part.size : -part.size)},
                        name_of_species(species[part.from])});
    }
    if (auto* properties = std::get_if<Properties>(&report.sections.front().content))
        properties->add_links("Largest forces", std::move(partners), "of these, the largest first");
    report.add("Largest forces by partner",
               "Of " + count_text(parts.size(), "particle", "particles") + ", at the present places.",
               Table::of({{"particle", "which one exerts it"},
                          {"distance", "of the two, world units"},
                          {"force", "its size, world units per time; below 0 it attracts"}},
                         std::move(rows)));
}

void ParticlesLab::inspect_edge(uint32_t edge, Report& report) const {
    const InspectedMesh inspected(*context_, dynamics_->triangulation().mesh(), dynamics_->box(), corner_, "particle");
    const auto [from, to, left, right, triangles] = inspected.quad(edge);
    const Point begin = inspected.at(from), none{0, 0};
    const auto from_there = [&](const InspectedCorner& corner) {
        const Point p = inspected.at(corner);
        return Point{p.x - begin.x, p.y - begin.y};
    };
    const Point b = from_there(to), l = from_there(left), r = from_there(right);
    const double touching = (dynamics_->diameter(from.id) + dynamics_->diameter(to.id)) / 2, distance = length_of(b);
    Properties properties;
    properties.add("Edge", edge, inspected.name(from) + " to " + inspected.name(to));
    properties.add("Length", Value(distance, kLength));
    if (!(to.image == ImageShift{}))
        properties.add("Across the border", std::vector<int64_t>{to.image.x, to.image.y},
                       "boxes to the right and upwards to the image that is meant");
    if (distance < kTouching * touching)
        properties.add("Overlap", Value(touching - distance, kLength), "how far the two discs overlap");
    else
        properties.add("Gap", Value(distance - touching, kLength), "between the two discs");
    const TorusBox& box = dynamics_->box();
    const bool upright = torus_orient2d(box, none, b, l) > 0 && torus_orient2d(box, b, none, r) > 0;
    bool legal = true;
    if (upright) {
        legal = torus_incircle(box, b, l, r) <= 0;
        properties.add("Legal", legal,
                       legal ? "the circumcircle of one of its triangles does not contain the apex of the other"
                             : "the circumcircle of one of its triangles contains the apex of the other");
    } else {
        properties.add("Legal", "not decided", "one of its triangles is inverted");
    }
    const std::array<bool, 2> beyond{is_beyond_walls({ElementKind::kTriangle, triangles[0]}),
                                     is_beyond_walls({ElementKind::kTriangle, triangles[1]})};
    std::vector<int64_t> inside;
    for (const uint32_t side : {0u, 1u})
        if (!beyond[side]) inside.push_back(triangles[side]);
    if (inside.size() == 2)
        properties.add("Triangles", std::move(inside),
                       "with " + inspected.name(left) + " and " + inspected.name(right) + " opposite");
    else if (inside.size() == 1)
        properties.add("Triangle", inside[0],
                       "with " + inspected.name(beyond[0] ? right : left) + " opposite, and a wall at the other side");
    for (const uint32_t side : {0u, 1u}) {
        if (beyond[side]) continue;
        if (auto circle = circumcircle(none, b, side ? r : l)) {
            circle->centre = in_world({begin.x + circle->centre.x, begin.y + circle->centre.y});
            highlight_circle(*circle, triangles[side], distance, legal ? Role::kPlain : Role::kIllegal,
                             report.highlights);
        }
    }
    explain_edge(inspected, edge, properties, report.highlights);
    for (Property& property : properties.list)
        if (property.name == "Triangle") property.links.erase(property.links.begin() + (beyond[0] ? 0 : 1));
    order_of_edge(properties);
    repeat_over_border(inspected, report.highlights, {begin, inspected.at(to)});
    report.add(std::move(properties));
}

void ParticlesLab::inspect_triangle(uint32_t triangle, Report& report) const {
    const InspectedMesh inspected(*context_, dynamics_->triangulation().mesh(), dynamics_->box(), corner_, "particle");
    const auto [a, b, c] = inspected.corners(triangle);
    const std::array<Point, 3> at{inspected.at(a), inspected.at(b), inspected.at(c)};
    Properties properties;
    properties.add("Triangle", triangle, inspected.name(a) + ", " + inspected.name(b) + ", " + inspected.name(c));
    describe_triangle(triangle, at, corner_, properties, report.highlights);
    explain_triangle(inspected, triangle, properties);
    repeat_over_border(inspected, report.highlights, {at.begin(), at.end()});
    report.add(std::move(properties));
}

StepResult ParticlesLab::begin_edit() const {
    StepResult result;
    result.pass = kEdit;
    result.counters.assign(ParticleDynamics::kCounters, kNotCounted);
    result.round = static_cast<uint32_t>(dynamics_->round());
    return result;
}

/// The species with the fewest particles for its fraction.
uint8_t ParticlesLab::species_of_new() const {
    const std::vector<Species>& kinds = dynamics_->model().species;
    std::vector<double> counts(kinds.size(), 0);
    const std::vector<uint8_t> species = dynamics_->species().download(dynamics_->count());
    for (const uint8_t one : species) ++counts[one];
    uint8_t chosen = 0;
    double most = -INFINITY;
    for (size_t k = 0; k < kinds.size(); ++k) {
        const double lacking = kinds[k].fraction * (double(species.size()) + 1) - counts[k];
        if (lacking > most) {
            most = lacking;
            chosen = static_cast<uint8_t>(k);
        }
    }
    return chosen;
}

StepResult ParticlesLab::edit(const Edit& edit) {
    using Kind = Edit::Kind;
    if (!info().supports(edit.kind)) throw Error(refusal_of(info(), edit.kind));
    if (edit.kind == Kind::kAdjust) return adjust(edit.values);
    if (!dynamics_) throw Error("There is no box yet.");
    if (is_mid_step()) throw std::logic_error("the Particles lab is edited between time steps");
    if (edit.kind != Kind::kAddVertex && edit.id >= dynamics_->count())
        throw Error("There is no particle " + std::to_string(edit.id) + " to " +
                    (edit.kind == Kind::kMoveVertex ? "move"
                     : edit.kind == Kind::kFreeze   ? "freeze"
                     : edit.kind == Kind::kRelease  ? "release"
                                                    : "remove") +
                    ".");
    const bool freezes = edit.kind == Kind::kFreeze;
    if ((freezes || edit.kind == Kind::kRelease) && dynamics_->is_frozen(edit.id) == freezes)
        throw Error("Particle " + std::to_string(edit.id) + (freezes ? " is frozen already." : " is not frozen."));
    std::vector<Point> places;
    if (!edit.goes_on || edit.kind != Kind::kMoveVertex) places.push_back({edit.place.x, edit.place.y});
    for (const Point3& place : edit.path) places.push_back({place.x, place.y});
    if (edit.kind == Kind::kMoveVertex || edit.kind == Kind::kAddVertex)
        for (const Point place : places)
            if (!std::isfinite(place.x) || !std::isfinite(place.y))
                throw Error("Nothing can be done here: the coordinates are no numbers.");
    for (Point& place : places) place = in_the_box(place);
    StepResult result = begin_edit();
    changed();
    StepMessage greeting = greeting_;  // no step has shown it yet
    switch (edit.kind) {
        case Kind::kMoveVertex: {
            std::optional<Snapshot> before;  // to restore if a later place is rejected
            if (places.size() > 1) before = dynamics_->save();
            try {
                for (const Point place : places) dynamics_->move_particle(edit.id, place);
            } catch (const Error&) {
                if (before) dynamics_->load(*before);
                throw;
            }
            break;
        }
        case Kind::kAddVertex: {
            const uint8_t species = species_of_new();
            const uint32_t id = dynamics_->add_particle(places.back(), species);
            const std::string name = name_of_species(species);
            if (!ids_.empty()) ids_.push_back(static_cast<int64_t>(state_.next_id));
            ++state_.next_id;
            result.message.add(
                "added", "Particle " + std::to_string(id) + " is added" + (name.empty() ? "" : ", of " + name) + ".");
            break;
        }
        case Kind::kFreeze:
        case Kind::kRelease:
            dynamics_->freeze_particle(edit.id, freezes);
            result.message.add(freezes ? "frozen" : "released",
                               "Particle " + std::to_string(edit.id) +
                                   (freezes ? " is frozen: it stays where it is." : " is released, and moves on."));
            break;
        default: {
            const uint32_t last = dynamics_->count() - 1;
            dynamics_->remove_particle(edit.id);
            if (ids_.empty()) {
                ids_.resize(size_t(last) + 1);
                std::iota(ids_.begin(), ids_.end(), int64_t(0));
            }
            ids_[edit.id] = ids_.back();
            ids_.pop_back();
            result.message.add(
                "removed", "Particle " + std::to_string(edit.id) + " is removed" +
                               (edit.id == last ? "." : "; particle " + std::to_string(last) + " has its number now."));
            state_.numbering = mix64(state_.numbering ^ (uint64_t(edit.id) << 32 | last));
            break;
        }
    }
    name_rows();
    drawing_.update_frozen();
    ++state_.edits;
    greeting.add(result.message);
    result.message = std::move(greeting);
    greeting_ = {};
    result.next = next_pass();
    result.ended = done() ? Level::kEnd : Level::kRound;
    draw();
    return result;
}

/// Applies the output of values_of_steps(). Throws std::logic_error for any other text.
void ParticlesLab::use_values(const std::string& values) {
    if (values == step_values_) return;
    ParticlesParameters now = now_, requested = requested_;
    bool known = true;
    for (ParticlesParameters* each : {&now, &requested}) known = set_step_values(visit_of(*each), values) && known;
    // Values may have had other names when they were saved.
    const std::string taken = values_of_steps(now);
    if (!known || std::count(taken.begin(), taken.end(), '\n') != std::count(values.begin(), values.end(), '\n'))
        throw std::logic_error("a snapshot of another Particles lab: its parameters do not fit this one");
    ParticleModel model = model_of(now);
    model.spread = dynamics_->model().spread;
    put_into_box(model, dynamics_->box());
    dynamics_->change_model(model);
    now_ = now;
    requested_ = requested;
    step_values_ = taken;
}

StepResult ParticlesLab::adjust(const std::vector<Parameter>& values) {
    if (!dynamics_) throw Error("There is no box yet.");
    if (is_mid_step()) throw std::logic_error("parameters of the Particles lab are changed between time steps");
    ParticlesParameters wanted = now_;
    const std::string changes = change_parameters(visit_of(wanted), info().id, checked_adjustment(*this, values));
    ParticleModel model = model_of(wanted);
    model.spread = dynamics_->model().spread;
    StepMessage reduced = put_into_box(model, dynamics_->box());
    check_model(model);
    require_room(model);
    const double time = time_after(dynamics_->round()), dt_of_last = dt_of_moves();
    const double density_before = dynamics_->model().density;
    const ExpectedDisplacement expected =
        expected_after(state_.expected, dynamics_->model(), dynamics_->round() - state_.changed_round);
    dynamics_->change_model(model);  // nothing throws from here on
    changed();
    state_.dt_before = dynamics_->round() > 0 ? dt_of_last : 0;
    state_.changed_round = dynamics_->round();
    state_.changed_time = time;
    state_.expected = expected;
    now_ = wanted;
    step_values_ = values_of_steps(now_);
    // Pending values of other parameters stay pending until the next start.
    set_step_values(visit_of(requested_), step_values_);
    ++state_.edits;
    StepResult result = begin_edit();
    result.message = std::exchange(greeting_, {});  // no step has shown it yet
    if (dynamics_->round() == 0 && dynamics_->count() > 0 && kept_.empty() && now_.record > 0) keep_frame();
    result.message.add("adjusted", changes.empty() ? "All parameters are as they were." : "Changed: " + changes + ".");
    if (model.density != density_before && dynamics_->count() > 0)
        result.message.add("box-stays", "The box stays as it is: discs cover " +
                                            format_short(area_of_all(model) / dynamics_->box().area()) + " of it.");
    result.message.add(reduced);
    result.next = next_pass();
    result.ended = done() ? Level::kEnd : Level::kRound;
    draw();
    return result;
}

/// Area of all discs, with the diameters of this model; world units squared.
double ParticlesLab::area_of_all(const ParticleModel& model) const {
    double area = 0;
    size_t i = 0;
    for (const uint8_t species : dynamics_->species().download(dynamics_->count())) {
        const double diameter =
            model.species[species].diameter * (dynamics_->sizes().empty() ? 1 : dynamics_->sizes()[i++]);
        area += std::numbers::pi / 4 * diameter * diameter;
    }
    return area;
}

/// Throws Error if discs of new diameters would cover more of the box than fits into it.
void ParticlesLab::require_room(const ParticleModel& model) const {
    const std::vector<Species>& before = dynamics_->model().species;
    const auto same = [](const Species& a, const Species& b) { return a.diameter == b.diameter; };
    if (std::equal(before.begin(), before.end(), model.species.begin(), model.species.end(), same)) return;
    if (before.size() != model.species.size()) return;  // the engine rejects it
    const double share = area_of_all(model) / dynamics_->box().area();
    if (share > kClosestPacking)
        throw Error("discs of these diameters would cover " + format_short(share) +
                    " of the box: expected at most 0.9069, where discs are packed most closely");
}

/// Applies the present colours.
void ParticlesLab::apply_view_parameters() {
    now_.colour_by = requested_.colour_by;
    now_.wavenumber = requested_.wavenumber;
    now_.contact_distance = requested_.contact_distance;
    drawing_.set_colour(static_cast<ParticleColour>(now_.colour_by));
    if (dynamics_) draw();
}

CheckReport ParticlesLab::check() const {
    if (dynamics_ && !is_mid_step()) return verify_particles(*dynamics_, audit(), corner_);
    return CheckReport::nothing("during a time step the triangulation need not be Delaunay: nothing was checked");
}

Result ParticlesLab::result() const {
    Result result;
    if (!dynamics_) return result;
    const uint32_t count = dynamics_->count();
    result.points = input_ && !input_->points.empty() ? input_->points.size() : count;
    result.duplicates = duplicates_;
    result.edges = count > 0 ? count_edges(*context_, particles()) : 0;
    Properties& numbers = result.numbers;
    const uint64_t rounds = dynamics_->round();
    numbers.add_number("rounds", "", rounds);
    numbers.add_number("particles", "", count);
    const TorusBox& box = dynamics_->box();
    if (box.is_cylinder()) {
        numbers.add("walls", box.open == OpenAxis::kX ? "x" : "y",
                    "the axis across which the walls of the channel stand");
        numbers.add("box_width", Value::exactly(box.lengths().x, kLength), "the width of the channel");
        numbers.add("box_height", Value::exactly(box.lengths().y, kLength), "the height of the channel");
        numbers.add("box_x", Value::exactly(corner_.x, kLength), "the lowest x of the channel");
        numbers.add("box_y", Value::exactly(corner_.y, kLength), "the lowest y of the channel");
    } else {
        add_box(numbers, box);
    }
    if (count > 0) {
        numbers.add_number("density", "", area_of_all(dynamics_->model()) / box.area());
        const OverlapAudit& found = audit();
        if (box.is_cylinder()) numbers.add_number("discs_in_walls", "", found.in_walls);
        numbers.add_number("pairs_overlapping", "", found.pairs_overlapping);
        if (count > 1) numbers.add_number("smallest_distance", kLength, found.smallest_distance);
        numbers.add_number("missed_by_edges", "overlapping pairs", found.missed_by_edges);
    }
    add_stress(numbers);
    numbers.add_number("flips", "", dynamics_->total_flips());
    numbers.add_number("pushes", "rounds of pushes", dynamics_->total_pushes());
    numbers.add_number("rebuilds", "", dynamics_->total_rebuilds());
    result.headline = count_text(count, "particle", "particles") + " of " + config_name(now_) + " in " +
                      (box.is_cylinder() ? box_in_words(box) : "a periodic box of " + box_text(box.sides)) + ", " +
                      force_text(dynamics_->model()) + ": " + count_text(rounds, "time step", "time steps");
    if (count > 0)
        result.headline += audit().pairs_overlapping == 0
                               ? ", no overlap"
                               : ", " + count_text(audit().pairs_overlapping, "pair overlaps", "pairs overlap");
    return result;
}

Report ParticlesLab::statistics() const {
    Report report;
    if (!dynamics_ || dynamics_->count() == 0) return report;
    const uint32_t count = dynamics_->count();
    const ParticleModel& model = dynamics_->model();
    measure();
    const auto add = [&](const char* name, const char* sentence, const char* unit, double low, double high,
                         std::vector<double> now, const char* of = "") {
        Distribution one;
        one.name = name;
        one.sentence = sentence;
        one.unit = unit;
        one.low = low;
        one.high = high;
        one.now = std::move(now);
        one.counted = of;
        report.add(std::move(one));
    };
    const std::vector<double> nearest = measures_.nearest().download(count);
    const double spacing = std::sqrt(dynamics_->box().area() / count);
    const double reach = std::max(2 * spacing, 1.5 * model.species.front().diameter);
    add("nearest neighbours",
        "The distance from each particle to the nearest other one; the last bin has all larger ones, too.", kLength, 0,
        reach, counted(nearest, 0, reach, kDistanceBins));
    const std::vector<uint32_t> degrees = measures_.degrees().download(count);
    const TorusBox& box = dynamics_->box();
    add("degrees",
        box.is_cylinder()
            ? "The number of Delaunay neighbours of each particle between the walls: at them fewer than 6."
            : "The number of Delaunay neighbours of each particle: 6 on average.",
        "", 0, kDegreeBins, counted({degrees.begin(), degrees.end()}, 0, kDegreeBins, kDegreeBins));
    add("bond order",
        "|\xCF\x88\xE2\x82\x86| of each particle: 1 where its neighbours are at the corners of a regular hexagon.", "",
        0, 1, counted(measures_.bond_lengths().download(count), 0, 1, kOrderBins));
    Buffer<double> speeds("speeds");
    measure_speeds(*context_, dynamics_->moves().view(count), dt_of_moves(), speeds);
    const std::vector<double> speed = speeds.download(count);
    const double fastest = highest(speed, 1e-9);
    add("speeds", "How far each particle moved in the last step, over \xCE\x94t.", kSpeedUnit, 0, fastest,
        counted(speed, 0, fastest, kSpeedBins));
    if (box.is_cylinder()) {
        std::vector<double> across;
        for (const Point p : dynamics_->triangulation().mesh().positions.download(count))
            across.push_back(across_channel(box, p));
        add("places across the channel",
            box.open == OpenAxis::kX ? "x of each particle: how far its centre is from the left wall."
                                     : "y of each particle: how far its centre is from the lower wall.",
            kLength, 0, box.extent, counted(across, 0, box.extent, kDistanceBins));
    }
    // Bin k has sizes from 2^k on.
    std::vector<double> sizes(kSizeBins, 0);
    double largest = 1;
    for (const uint32_t size : measures_.sizes_of_clusters()) {
        ++sizes[std::min<size_t>(static_cast<size_t>(std::log2(double(size))), kSizeBins - 1)];
        largest = std::max(largest, std::floor(std::log2(double(size))) + 1);
    }
    sizes.resize(static_cast<size_t>(largest));
    add("cluster sizes",
        "The number of clusters by the binary logarithm of their size; particles within 1.1 diameters of each other "
        "are in one cluster.",
        "log\xE2\x82\x82 of particles", 0, largest, std::move(sizes), "clusters");

    if (!is_mid_step()) {
        const std::vector<double> densities = local_densities();
        const double most = highest(densities, 1);
        add("local density", "The area of each disc over that of its Voronoi cell.", "", 0, most,
            counted(densities, 0, most, kDistanceBins));
    }

    std::vector<Discs> discs;
    for (const Species& kind : model.species) discs.push_back({0, kind.diameter});
    for (const uint8_t species : dynamics_->species().download(count)) ++discs[species].count;
    const PairCorrelation pairs = pair_correlation(
        *context_, box, dynamics_->triangulation().mesh().positions.view(count), 160, 0, std::move(discs));
    if (!pairs.values.empty()) {
        Curve g;
        g.name = "pair correlation";
        g.sentence = box.is_cylinder()
                         ? "g(r): pairs at a distance r, compared with as many discs placed at random between the "
                           "walls, where they can overlap."
                         : "g(r): pairs at a distance r, compared with as many particles placed at random in the box.";
        g.label = config_name(now_);
        g.x_name = "r, world units";
        g.y_name = "g(r)";
        for (size_t bin = 0; bin < pairs.values.size(); ++bin) {
            g.x.push_back(pairs.middle(bin));
            g.y.push_back(pairs.values[bin]);
        }
        g.high = pairs.width * double(pairs.values.size());
        report.add(std::move(g));
    }
    if (samples_.size() > 1) {
        const auto curve = [&](const char* name, const char* sentence, double Sample::*value) {
            Curve one;
            one.name = name;
            one.sentence = sentence;
            one.label = config_name(now_);
            one.x_name = "time";
            one.y_name = "world units squared";
            one.logarithmic = {true, true};
            for (const Sample& sample : samples_) {
                one.x.push_back(sample.time);
                one.y.push_back(sample.*value);
            }
            report.add(std::move(one));
        };
        curve("mean-squared displacement", "Of all particles since the start, across borders.", &Sample::displacement);
        curve(
            "expected displacement",
            "What the mean-squared displacement would be without forces, overlaps and walls: noise and swimming alone.",
            &Sample::expected);
    }
    const ParticleFrames even = evenly_recorded(frames());
    if (!even.empty() && cost_of_motion(even) <= kMostShown) add_curves(motion(even), config_name(now_), report);
    return report;
}

std::vector<ArrayInfo> ParticlesLab::arrays() const {
    return {
        {"positions",
         "(particles, 2) x and y in the periodic box, which begins at (0, 0), or in the channel, which begins at "
         "\"box_x\" and \"box_y\" of the report; its sides are \"box_width\" and \"box_height\", world units"},
        {"species", "(particles) the species of each particle, from 0"},
        {"orientations", "(particles) the direction in which active particles swim, radians"},
        {"velocities", "(particles, 2) how far each particle moved in the last step, over \xCE\x94t"},
        {"forces", "(particles, 2) the sum of equation 2 when the last step began, before noise"},
        {"pushes", "(particles, 2) all pushes of the last step together, world units"},
        {"degrees", "(particles) the number of Delaunay neighbours"},
        {"local_densities", "(particles) the area of each disc over that of its Voronoi cell, after a time step"},
        {"clusters", "(particles) the label of the cluster that each belongs to: the lowest index of a particle in it"},
        {"triangles", "(triangles, 3) corners, counter-clockwise, as rows of positions"},
        {"shifts", "(triangles, 3, 2) which image a corner is: so many boxes to the right and upwards of its position"},
        {"tracks",
         "(frames, particles, 2) recorded positions, of the parameter record; frames with another number of particles "
         "than the last are left out",
         true},
        {"track_steps", "(frames) the time step of each frame of tracks, from 0", true}};
}

Array ParticlesLab::array(const std::string& name) const {
    using Type = Array::Type;
    const size_t count = dynamics_ ? dynamics_->count() : 0;
    const auto points = [&](const Buffer<Point>& buffer) {
        return make_array(Type::kFloat64, {count, 2}, buffer.download(count));
    };
    const auto ids = [&](const std::vector<uint32_t>& values) {
        return make_array(Type::kUint32, {values.size()}, values);
    };
    const auto known = arrays();
    if (std::none_of(known.begin(), known.end(), [&](const ArrayInfo& one) { return one.name == name; }))
        throw std::logic_error("the Particles lab has no array \"" + name + "\"");
    if (!dynamics_) throw std::logic_error("the Particles lab has no arrays before its first reset");
    const TriangleMesh& mesh = dynamics_->triangulation().mesh();
    if (name == "positions")
        return make_array(Type::kFloat64, {count, 2}, all_in_world(mesh.positions.download(count)));
    if (name == "forces") return points(dynamics_->forces());
    if (name == "pushes") return points(dynamics_->pushes());
    if (name == "velocities") {
        std::vector<Point> moves = dynamics_->moves().download(count);
        const double dt = dt_of_moves();
        for (Point& move : moves) move = {move.x / dt, move.y / dt};
        return make_array(Type::kFloat64, {count, 2}, moves);
    }
    if (name == "species") {
        const std::vector<uint8_t> species = dynamics_->species().download(count);
        return ids({species.begin(), species.end()});
    }
    if (name == "orientations") return make_array(Type::kFloat64, {count}, dynamics_->orientations().download(count));
    if (name == "local_densities")
        return make_array(Type::kFloat64, {count},
                          count && !is_mid_step() ? local_densities() : std::vector<double>(count, std::nan("")));
    if (name == "degrees" || name == "clusters") {
        if (count == 0) return ids({});
        measure();
        return ids((name == "degrees" ? measures_.degrees() : measures_.clusters()).download(count));
    }
    if (name == "triangles" || name == "shifts") {
        std::vector<uint32_t> corners;
        std::vector<int64_t> shifts;
        const std::vector<uint32_t> all = mesh.triangles.download(count ? 3 * size_t(mesh.triangle_count) : 0);
        const std::vector<ImageShift> images = count ? corner_images(mesh) : std::vector<ImageShift>{};
        for (size_t t = 0; t < all.size(); t += 3) {
            const auto beyond = [&](size_t k) { return dynamics_->box().is_beyond(images[t + k]); };
            if (beyond(1) || beyond(2)) continue;  // relative to corner 0: an edge leads across the walls
            corners.insert(corners.end(), {all[t], all[t + 1], all[t + 2]});
            for (size_t k = 0; k < 3; ++k) shifts.insert(shifts.end(), {images[t + k].x, images[t + k].y});
        }
        if (name == "triangles") return make_array(Type::kUint32, {corners.size() / 3, 3}, corners);
        return make_array(Type::kInt64, {shifts.size() / 6, 3, 2}, shifts);
    }
    ParticleFrames kept = frames();
    const size_t width = kept.empty() ? count : kept.back()->positions.size();
    std::erase_if(kept, [&](const auto& frame) { return frame->positions.size() != width; });
    std::vector<Point> tracks;
    std::vector<int64_t> steps;
    for (const auto& frame : kept) {
        steps.push_back(static_cast<int64_t>(frame->round));
        if (name != "tracks") continue;
        const std::vector<Point> places = all_in_world(frame->positions);
        tracks.insert(tracks.end(), places.begin(), places.end());
    }
    if (name == "track_steps") return make_array(Type::kInt64, {steps.size()}, steps);
    return make_array(Type::kFloat64, {kept.size(), width, 2}, tracks);
}

std::optional<ArrayView> ParticlesLab::array_in_place(const std::string& name) const {
    if (!dynamics_ || context_->on_cuda()) return {};
    const size_t count = dynamics_->count();
    const auto points = [&](const Buffer<Point>& buffer) {
        return ArrayView{Array::Type::kFloat64, {count, 2}, buffer.view().data};
    };
    if (name == "positions" && corner_ == Point{}) return points(dynamics_->triangulation().mesh().positions);
    if (name == "forces") return points(dynamics_->forces());
    if (name == "pushes") return points(dynamics_->pushes());
    if (name == "orientations") return ArrayView{Array::Type::kFloat64, {count}, dynamics_->orientations().view().data};
    return {};
}

Trajectory ParticlesLab::trajectory() const {
    Trajectory made;
    if (!dynamics_) return made;
    for (size_t k = 0; k < dynamics_->model().species.size(); ++k) made.species.push_back(std::to_string(k + 1));
    const auto kept = frames();
    // Speeds may have changed during the run.
    const bool active =
        std::any_of(kept.begin(), kept.end(), [](const auto& frame) { return !frame->orientations.empty(); });
    made.columns = {"radius"};
    if (active) made.columns.push_back("orientation");
    made.low = corner_;
    made.box = dynamics_->box().lengths();
    made.periodic_x = dynamics_->box().open != OpenAxis::kX;
    made.periodic_y = dynamics_->box().open != OpenAxis::kY;
    for (const auto& frame : kept) {
        Trajectory::Frame one;
        one.time = frame->time;
        one.step = frame->round;
        one.positions = all_in_world(frame->positions);
        one.species.assign(frame->species.begin(), frame->species.end());
        one.ids = frame->ids;
        if (one.ids.empty()) {
            one.ids.resize(one.positions.size());
            std::iota(one.ids.begin(), one.ids.end(), int64_t(0));
        }
        std::vector<double>& radii = one.numbers.emplace_back();
        for (size_t i = 0; i < frame->species.size(); ++i) radii.push_back(frame->diameter(i) / 2);
        if (active) one.numbers.push_back(frame->orientations);
        if (active) one.numbers.back().resize(frame->positions.size(), std::nan(""));
        made.frames.push_back(std::move(one));
    }
    return made;
}

std::vector<ArrayInfo> ParticlesLab::tables() const {
    return {{"tracks",
             "of each particle in each recorded frame: time, id, x, y, species, radius and, of active ones, the "
             "orientation",
             true},
            {"motion",
             "of recorded frames, by lag time and averaged over all time origins: mean-squared displacement, "
             "self-intermediate scattering, neighbours and cages kept",
             true},
            {"neighbours", "of recorded frames, each pair of neighbours: since when and until when they are it", true}};
}

/// Of the trajectory a row for each particle and frame.
Table ParticlesLab::table(const std::string& name) const {
    if (name == "motion" || name == "neighbours") {
        const auto made =
            std::make_shared<const RecordedMotion>(dynamics_ ? motion(evenly_recorded(frames())) : RecordedMotion{});
        return name == "motion" ? table_of_motion(made) : table_of_neighbours(made);
    }
    if (name != "tracks") throw std::logic_error("the Particles lab has no table \"" + name + "\"");
    const auto made = std::make_shared<const Trajectory>(trajectory());
    Table table;
    table.columns = {
        {"time", ""}, {"id", "what stays the same over time"}, {"place", "in the box", {}, 2}, {"species", "from 1"}};
    for (const std::string& column : made->columns) table.columns.push_back({column, ""});
    std::vector<size_t> starts{0};
    for (const Trajectory::Frame& frame : made->frames) starts.push_back(starts.back() + frame.positions.size());
    table.row_count = starts.back();
    table.row = [made, starts](size_t i) {
        const auto f = static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), i) - starts.begin() - 1);
        const Trajectory::Frame& frame = made->frames[f];
        const size_t k = i - starts[f];
        Table::Row row;
        row.cells.push_back(Value::exactly(frame.time));
        row.cells.emplace_back(frame.ids[k]);
        row.cells.emplace_back(frame.positions[k]);
        row.cells.emplace_back(frame.species[k] + 1);
        for (const std::vector<double>& numbers : frame.numbers)
            row.cells.push_back(std::isnan(numbers[k]) ? Value() : Value::exactly(numbers[k]));
        return row;
    };
    return table;
}

std::string ParticlesLab::records_nothing() const {
    return requested_.record > 0 || !kept_.empty()
               ? ""
               : "no positions are recorded; with record=100 those of every 100th step are";
}

/// Changes of parameters since the start determine the future, except for the length of the run and what is recorded.
uint64_t ParticlesLab::state_hash() const {
    if (!dynamics_) return 0;
    const uint64_t hash = dynamics_->state_hash();
    const std::string now = of_motion(step_values_);
    return now == of_motion(start_values_) ? hash : mix64(hash ^ hash_of(now));
}

Snapshot ParticlesLab::save() const {
    Snapshot snapshot = dynamics_->save();
    put_values(snapshot, &state_, 1);
    put_values(snapshot, samples_.data(), samples_.size());
    put_values(snapshot, kept_.data(), kept_.size());
    put_values(snapshot, ids_.data(), ids_.size());
    put_values(snapshot, step_values_.data(), step_values_.size());
    put_values(snapshot, static_cast<const std::byte*>(nullptr), 0);  // frames stay with the lab
    return snapshot;
}

Snapshot ParticlesLab::save_whole() const {
    Snapshot snapshot = save();
    snapshot.blocks.back() = bytes_of(frames());
    return snapshot;
}

void ParticlesLab::load(const Snapshot& snapshot) {
    if (snapshot.blocks.size() <= kLabBlocks) throw std::logic_error("not a snapshot of the Particles lab");
    const size_t of_lab = snapshot.blocks.size() - kLabBlocks;
    const auto state = load_value<RunState>(snapshot, of_lab);
    require_count<Sample>(snapshot, of_lab + 1, state.samples);
    require_count<uint64_t>(snapshot, of_lab + 2, state.frames);
    std::vector<int64_t> ids = load_vector<int64_t>(snapshot, of_lab + 3);
    const std::vector<char> values = load_vector<char>(snapshot, of_lab + 4);
    ParticleFrames brought = frames_of(snapshot.blocks[of_lab + 5]);
    Snapshot engine;
    engine.blocks.assign(snapshot.blocks.begin(), snapshot.blocks.begin() + ptrdiff_t(of_lab));
    use_values({values.begin(), values.end()});
    dynamics_->load(engine);
    state_ = state;
    ids_ = std::move(ids);
    samples_ = load_vector<Sample>(snapshot, of_lab + 1);
    kept_ = load_vector<uint64_t>(snapshot, of_lab + 2);
    for (auto& frame : brought) know(std::move(frame));
    name_rows();
    drawing_.update_frozen();
    greeting_ = {};
    changed();
    draw();
}

const LabInfo& ParticlesLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{
            "particles",
            "Particles lab",
            "Brownian and active particles in a periodic box or a channel: they attract, repel and swim, and their "
            "overlaps are found and resolved on a Delaunay triangulation that flips along under them.",
            "After F. Carter, N. Hitschfeld, C. Navarro and R. Soto, GPU parallel simulation algorithm of Brownian "
            "particles with excluded volume using Delaunay triangulations (2018), with exact predicates on the torus, "
            "the triangulation made Delaunay again after every push, so that no overlap is missed, and a rebuild where "
            "flips cannot turn all triangles upright.",
            {{"forces", "Sums up for every particle what all others, or the near ones, exert on it (equation 2)."},
             {"integrate",
              "Every particle moves by its force, its noise and its swimming, over \xCE\x94t; triangles can become "
              "inverted."},
             {"untangle", "Edges between an inverted triangle and an upright one flip where that makes both upright."},
             {"claim",
              "Every edge of the worklist is tested; an illegal one claims both its triangles, and each triangle "
              "grants one claim."},
             {"flip",
              "Edges whose claims are granted on both sides flip, all at once, as a rotation of the two triangles."},
             {"repair", "Updates the edge–triangle incidence of edges that a flip moved to the other triangle."},
             {"push",
              "Overlapping pairs are looked for along the Delaunay edges. Every particle moves away from those it "
              "overlaps, by \xCE\xB4 of each overlap, by no more than the cap and not beyond a wall; where none "
              "overlap the pass only finds that out."},
             {"measure", "The step has ended: overlaps that are left, mean-squared displacement and mean speed."},
             {"edit", "A manual edit, or a change of parameters, between two time steps."}},
            {{"queued", "worklist edges tested, because they may have become illegal"},
             {"illegal",
              "edges that must flip: not Delaunay, or beside an inverted triangle that the flip makes upright"},
             {"granted", "illegal edges whose claims on both their triangles are granted, and which flip", false, false,
              Quantity::kGrantedFlips},
             {"deferred", "illegal edges that must wait for a later iteration"},
             {"inverted", "triangles that are not counter-clockwise, before they are untangled"},
             {"overlapping",
              "pairs of particles that overlap, before a push; a sum counts a pair once for each push it takes"},
             {"pushed", "particles moved by a push"},
             {"capped", "of these, particles whose push was shortened to the cap"},
             {"rebuilt", "1: the triangulation was rebuilt"},
             {"cut", "particles that would have moved by more than half the box, and moved by that much"}},
            {{"mean-squared displacement", "Of all particles since the start, across borders.", "world units squared",
              1},
             {"expected displacement",
              "What the mean-squared displacement would be without forces, overlaps and walls: noise and swimming "
              "alone.",
              "world units squared", 1},
             {"mean speed", "Mean distance that particles moved in this step, over \xCE\x94t.", "world units per time"},
             {"overlapping pairs", "Pairs that overlapped before the first push of this step.", ""},
             {"pushes of the step", "Rounds of pushes in it, until no pair overlapped.", ""},
             {"flip passes of the step", "Those of untangling included.", ""},
             {"overlaps left",
              "Pairs that overlap along an edge at the end of this step: 0, unless the pushes of a step are limited to "
              "fewer, or both of a pair are frozen.",
              ""},
             {"largest cluster",
              "Part of all particles that are in the largest cluster, 0 to 1; measured every cluster_interval steps.",
              ""},
             {"pressure",
              "Of pairs, thermal motion and swimming, where the forces define it; measured every stress_interval "
              "steps.",
              "energy per area"},
             {"shear stress", "The stress \xCF\x83_xy of pairs; likewise.", "energy per area"}}};
        made.edits = {Edit::Kind::kMoveVertex, Edit::Kind::kAddVertex, Edit::Kind::kRemoveVertex,
                      Edit::Kind::kFreeze,     Edit::Kind::kRelease,   Edit::Kind::kAdjust};
        made.inputs = {InputKind::kPoints, InputKind::kNothing};
        made.makes_triangles = false;
        made.breakpoint = "a step leaves overlaps, cuts a move or rebuilds the triangulation";
        made.plotted_per_round = {"pushes of the step", "flip passes of the step"};
        made.plotted_per_pass = {"overlapping"};
        made.example = "";
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_particles_lab() { return std::make_unique<ParticlesLab>(); }

}  // namespace flipscope
