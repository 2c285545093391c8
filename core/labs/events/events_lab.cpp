// The Events lab: the passes of EventsMachine, their explanations, and the scene: from a field over time, or from
// moving sites, to plastic events (Bernaschi, Lulli and Sbragaglia 2016). One round is one comparison of two frames.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "compute/error.h"
#include "compute/text.h"
#include "events/events_machine.h"
#include "geometry/frames.h"
#include "lab/lab.h"
#include "labs/events/event_reports.h"
#include "labs/events/events_drawing.h"
#include "labs/events/source_parameters.h"
#include "labs/events/source_words.h"
#include "labs/voronoi/site_links.h"
#include "labs/voronoi/stencil_inspect.h"
#include "voronoi/components/components.h"

namespace flipscope {

namespace {

class EventsLab final : public Lab,
                        public Inspectable,
                        public Checkable,
                        public Detector,
                        public Measurable,
                        public Exporter,
                        public TableExporter {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override { visit_events_parameters(visitor, requested_); }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override;
    void set_records_states(bool records_states) override { will_record_states_ = records_states; }

    bool done() const override { return machine_.done(); }
    uint32_t next_pass() const override { return machine_.next_pass(); }
    StepResult step() override;
    void finish(const std::function<void(const StepResult&)>& after_round) override;

    Scene scene() const override;
    Report inspect(Element element) const override;
    Element pick(const Probe& probe) const override;
    Report statistics() const override;
    std::vector<Detection> detections(size_t first) const override;
    size_t detection_count() const override { return settled().rows().size(); }
    DetectionUnits detection_units() const override;
    Report report_of_detection(size_t i) const override;
    bool can_report_detection(size_t i) const override;
    std::vector<ArrayInfo> arrays() const override;
    Array array(const std::string& name) const override;
    std::vector<ArrayInfo> tables() const override;
    void will_export(const std::string& table) override { exports_tracks_ = exports_tracks_ || table == "tracks"; }
    Table table(const std::string& name) const override;

    uint64_t state_hash() const override { return machine_.state_hash(); }
    CheckReport check() const override { return machine_.check(); }
    Result result() const override;
    TriangleSoup soup() const override;
    Snapshot save() const override;
    void load(const Snapshot& snapshot) override;

  private:
    const EventsMachine::State& state() const { return machine_.state(); }
    const EventsChain& chain() const { return machine_.chain(); }
    const LinkedFrame& past() const { return machine_.past(); }
    const LinkedFrame& present() const { return machine_.present(); }
    Source& source() const { return *machine_.source(); }
    const Tracks* tracks() const { return input_ ? input_->tracks.get() : nullptr; }
    size_t first_track_place(const EventsMachine& machine) const {
        return tracks() ? tracks()->starts[machine.source()->steps()] : 0;
    }
    bool shows_labels() const {
        return chain().has_field() && state().last >= EventsMachine::kThreshold &&
               state().last <= EventsMachine::kMeasure;
    }
    /// Labels of the input, not found by a segmentation.
    bool has_label_image() const { return chain().has_labels() && !source().segmentation(); }
    bool has_local_threshold() const { return source().segmentation() && source().segmentation()->local_radius > 0; }
    bool has_threshold() const { return chain().has_field() && !has_label_image() && !has_local_threshold(); }
    bool uses_input_units() const;
    /// Links are films between labels no thicker than film_width.
    bool uses_films() const {
        return now_.events.graph == static_cast<int>(GraphKind::kLabels) && !std::isnan(now_.events.film_width);
    }
    std::optional<LatticeUnits> units() const;
    LatticeUnits units_or_none() const { return units().value_or(LatticeUnits{}); }

    StepResult result_of(const PassResult& pass, bool first, bool advanced);
    StepMessage describe_start();
    void report_few_bubbles(uint64_t count, StepResult& result);
    void show_labels();
    void show_first_bubbles();
    void draw();
    std::vector<TrackedFrame> tracked_frames() const;

    GraphView graph_view() const;
    std::string bubble_name(uint32_t label) const { return std::to_string(machine_.id_of(label)); }
    void inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const;
    void inspect_pixel(uint32_t pixel, Report& report) const;
    std::optional<Curve> flow_curve() const;
    struct Concentration {
        uint64_t inside = 0, open = 0, all = 0;  // pixels of bubbles, pixels without obstacles, and all pixels
    };
    std::optional<Concentration> concentration() const;
    uint64_t averaged_from() const;
    uint32_t compared() const { return machine_.at_rest() ? state().round : state().round ? state().round - 1 : 0; }
    const SettledEvents& settled() const;
    uint32_t first_averaged() const;
    EventsInWindow events_in_window() const;
    std::string averaged_remark() const;

    Context* context_ = nullptr;
    std::shared_ptr<const Geometry> input_;
    EventsLabParameters requested_, now_;  // as set by the user; as of the last reset
    bool will_record_states_ = true, records_states_ = true, exports_tracks_ = false;
    EventsMachine machine_;
    EventsDrawing drawing_;
    std::vector<TrackedFrame> tracked_;  // by round, if they are needed
    std::string frames_unit_;            // of lengths of recorded frames; empty: unknown
    double field_low_ = 0, field_high_ = 1;
    Buffer<Point> first_sites_{"first sites", Residence::kDrawn};         // drawn before the first pass
    Buffer<uint32_t> first_bubbles_{"first bubbles", Residence::kDrawn};  // (h, w) the same, of recorded frames
    std::optional<size_t> first_bubble_count_;                            // of these; nullopt: not drawn
    FlowFields flow_;                                                     // of the present frame, if it is drawn
    uint64_t open_pixels_ = 0;                                            // of the lattice, without obstacles
    StepMessage greeting_;                                                // for the first pass
    uint32_t few_messages_ = 0;  // already given; bits: 0 no bubble, 1 one bubble, 2 a fast flow, 3 no link
    mutable std::vector<Point> soup_points_;
    DeformationRecord deformation_;
    mutable SettledEvents settled_;         // brought up to date by settled()
    mutable std::vector<uint32_t> listed_;  // by row the event of the log, also of rows of later states
};

struct FlowPart {
    const char *id, *title, *sentence, *unit;
};
constexpr FlowPart kFlowParts[FlowFields::kParts] = {
    {"velocity-x", "Velocity x", "Of the emulsion: to the right", "px/step"},
    {"velocity-y", "Velocity y", "Of the emulsion: upwards", "px/step"},
    {"pressure-xx", "Pressure xx", "Of the emulsion: the pressure on a wall across x", "lattice units"},
    {"pressure-yy", "Pressure yy", "Of the emulsion: the pressure on a wall across y", "lattice units"},
    {"pressure-xy", "Pressure xy", "Of the emulsion: the shear stress with its sign turned", "lattice units"}};
constexpr struct {
    const char *before, *behind, *title, *sentence;
} kFlowKinds[] = {{"", "", "", ""},
                  {"mean-", "", ", mean", ", over the window of time"},
                  {"mean-", "-error", ", error", ", the standard error of its mean from blocks of time"}};

/// Smallest and largest finite number of a field.
std::pair<double, double> range_of(const Buffer<float>& field) {
    double low = INFINITY, high = -INFINITY;
    for (const float value : field.download()) {
        if (value < low) low = value;
        if (value > high) high = value;
    }
    return {low, high};
}

void EventsLab::reset(Context& context, std::shared_ptr<const Geometry> input) {
    if (input && input->in_space())
        throw Error(input->name + ": this is a surface in space, and the Events lab takes what moves in the plane");
    EventsLabParameters now = requested_;
    // A threshold set by the user overrides "auto".
    if (now.source.values == SourceParameters::kAuto && !now.events.auto_threshold)
        now.source.values = SourceParameters::kThreshold;
    if (input && input->field && !input->tracks) {
        frames_unit_ = input->points.empty() ? input->unit : input->field->unit;  // not that of points
        double& pixel = now.source.pixel_size;
        const bool is_given = !std::isnan(pixel), counts_pixels = frames_unit_ == "px";
        if (is_given && counts_pixels)
            throw Error(
                "--unit px counts lengths in pixels and pixel_size gives pixels a width; leave one of them out");
        if (is_given && frames_unit_.empty()) frames_unit_ = "µm";
        if (!is_given && (counts_pixels || (!frames_unit_.empty() && !(input->field->pixel > 0)))) pixel = 1;
    }
    std::unique_ptr<Source> source = start_source(context, now.source, input);
    if (now.events.matching == static_cast<int>(MatchBy::kNames) && source->field() &&
        (!source->cells() || source->segmentation()))
        throw Error("matching=names needs a source that gives names, such as tracks or labels; use matching=nearest");
    if (now.events.graph == static_cast<int>(GraphKind::kLabels) && !source->cells() &&
        !(source->field() && !std::isnan(now.events.film_width)))
        throw Error(
            "graph=labels needs a label image, whose labels touch, or bubbles of a field with film_width, the greatest "
            "thickness of their films; use graph=lattice or graph=delaunay");
    if (now.events.graph == static_cast<int>(GraphKind::kRadical) && !source->field() && !source->has_graph())
        source->site_radii();  // throws if there are none
    if (now.events.graph == static_cast<int>(GraphKind::kAuto))
        now.events.graph = static_cast<int>(input && input->tracks ? GraphKind::kDelaunay : GraphKind::kLattice);
    context.set_block_size(static_cast<uint32_t>(now.block_size) / 32 * 32);
    context_ = &context;
    input_ = std::move(input);
    now_ = now;
    records_states_ = will_record_states_;
    machine_.reset(context, now_.events, std::move(source), records_states_);
    machine_.watch_events(now_.persistence, now_.statistics.displacement_reach);
    settled_.reset(now_.persistence);
    listed_.clear();
    tracked_.clear();
    deformation_.clear();
    drawing_.reset(context, chain().lattice(), records_states_);
    field_low_ = 0;
    field_high_ = 1;
    if (chain().has_field()) {
        const auto [low, high] = range_of(*this->source().field());
        if (low < high) field_low_ = low, field_high_ = high;
    }
    const View<const Point> sites = chain().has_field() ? View<const Point>{} : this->source().sites();
    first_sites_.upload(context, sites.data, sites.count);
    show_first_bubbles();
    open_pixels_ = chain().lattice().pixel_count();
    for (const uint8_t blocked : chain().colouring().obstacles().download()) open_pixels_ -= blocked != 0;
    flow_ = {};
    this->source().show_flow(context, flow_);
    few_messages_ = 0;
    greeting_ = describe_start();
}

StepResult EventsLab::step() {
    const bool first = !state().made;
    const PassResult pass = machine_.step();
    StepResult result = result_of(pass, first, pass.pass == EventsMachine::kAdvance);
    if (records_states_ && result.ended >= Level::kRound && result.pass != EventsMachine::kAdvance) draw();
    show_labels();
    if (records_states_ && result.pass == EventsMachine::kAdvance) source().show_flow(*context_, flow_);
    return result;
}

void EventsLab::finish(const std::function<void(const StepResult&)>& after_round) {
    while (!done() && state().made && next_pass() != EventsMachine::kAdvance)
        step();  // finish the comparison in progress
    bool first = !state().made;
    machine_.finish([&](const PassResult& round) {
        const StepResult result = result_of(round, first, !first);
        first = false;
        if (after_round) after_round(result);
    });
    source().show_flow(*context_, flow_);
    if (state().made) draw();
}

/// Result of a pass or a round, with its messages. `first`: there was no frame before; `advanced`: the source moved to
/// another frame.
StepResult EventsLab::result_of(const PassResult& pass, bool first, bool advanced) {
    StepResult result = pass;
    const bool in_trouble = pass.pass == EventsMachine::kAdvance && done();
    if (first) result.message = std::exchange(greeting_, {});
    if (in_trouble) {
        result.message.add("trouble", sentence_of(*source().trouble()));
        return result;
    }
    constexpr uint32_t kFast = 1u << 2;
    if (const auto speed = source().greatest_speed(); advanced && speed > kGreatSpeed && !(few_messages_ & kFast)) {
        few_messages_ |= kFast;
        result.message.add("fast-flow", sentence_of_fast_flow(source().steps(), *speed));
    }
    if (advanced && machine_.advanced() < machine_.interval())
        result.message.add("recording-ends", "The recording ends here: this comparison is over " +
                                                 count_text(machine_.advanced(), "frame", "frames") + ", not " +
                                                 std::to_string(machine_.interval()) + ".");
    if (const int64_t bubbles = pass.counters[EventsMachine::kBubbles]; bubbles != kNotCounted)
        report_few_bubbles(static_cast<uint64_t>(bubbles), result);
    if (done() && now_.source.mean_fields && source().greatest_speed() && source().profile().samples == 0)
        result.message.add("no-means",
                           "There are no mean fields: the run ended before their first sample. Take a shorter "
                           "warmup, or more comparisons.");
    constexpr uint32_t kNoLinks = 1u << 3;
    if (pass.ended >= Level::kRound && pass.counters[EventsMachine::kBubbles] > 1 &&
        pass.counters[EventsMachine::kLinks] == 0 && !std::isnan(now_.events.contact_distance) &&
        !(few_messages_ & kNoLinks)) {
        few_messages_ |= kNoLinks;
        result.message.add(
            "no-links", "No link is as short as contact_distance=" + format_short(now_.events.contact_distance) + ".");
    }
    if (done() && pass.round == 0)
        result.message.add("one-frame", "There is one frame only, so there is nothing to compare it with.");
    const auto persistence = static_cast<uint32_t>(now_.persistence.comparisons);
    if (done() && pass.round > 0 && pass.round < 2 * persistence - 1)
        result.message.add("persistence", "No event can count: persistence=" + std::to_string(persistence) + " needs " +
                                              std::to_string(2 * persistence - 1) + " comparisons, and there are " +
                                              std::to_string(pass.round) + ".");
    for (const uint32_t kind : {EventsMachine::kT1Events, EventsMachine::kBoundaryEvents, EventsMachine::kMixedEvents,
                                EventsMachine::kUnclearEvents})
        result.breakpoint_hit |= pass.counters[kind] > 0;
    if (now_.statistics.deformation && pass.ended >= Level::kRound) deformation_.observe(machine_);
    if (exports_tracks_ && pass.ended >= Level::kRound) {
        tracked_.resize(std::max<size_t>(tracked_.size(), size_t(pass.round) + 1));
        tracked_[pass.round] = tracked_frame(machine_, units_or_none(), first_track_place(machine_));
    }
    return result;
}

/// Labels skip obstacles; the picture shows them.
void EventsLab::show_labels() {
    if (!records_states_ || !shows_labels() || source().obstacles().count == 0) return;
    drawing_.show_labels(*context_, chain().components().labels(), source().obstacles());
}

/// Before the first pass the picture shows the bubbles of the first recorded frame: the effect of the parameters.
void EventsLab::show_first_bubbles() {
    std::vector<uint32_t> bubbles;
    first_bubble_count_.reset();
    if (records_states_ && input_ && input_->field && !input_->tracks) {
        if (const LabelCells* cells = source().cells()) {
            bubbles = cells->pixels;
            first_bubble_count_ = cells->names.size();
        } else {
            const bool below = now_.events.polarity == static_cast<int>(Polarity::kBelow);
            Components found;
            found.reset(*context_, chain().lattice());
            found.threshold(*context_, source().field()->view(), chain().threshold_value(), below, {});
            found.label(*context_);
            bubbles = found.labels().download();
            first_bubble_count_ = found.read_count(*context_);
        }
    }
    first_bubbles_.upload(*context_, bubbles.data(), bubbles.size());
}

/// Draws the present frame; the picture is not part of the state.
void EventsLab::draw() {
    machine_.prepare_picture();
    const ComparisonCounts& counts = state().counts;
    std::vector<Point> vanished;
    if (state().round > 0 && counts.vanished > 0) {
        const std::vector<uint32_t> to_now = machine_.matching().to_now_buffer().download(counts.past);
        const std::vector<Point> places = past().site_buffer().download(counts.past);
        for (size_t p = 0; p < places.size(); ++p)
            if (to_now[p] == kNone) vanished.push_back(places[p]);
    }
    drawing_.draw(*context_, present(), machine_.log(), state().round,
                  state().round > 0 ? machine_.matching().to_past() : View<const uint32_t>{}, state().next_name,
                  vanished);
}

Snapshot EventsLab::save() const {
    Snapshot snapshot = machine_.save();
    put_values(snapshot, &few_messages_, 1);
    deformation_.save(snapshot);
    return snapshot;
}

void EventsLab::load(const Snapshot& snapshot) {
    const size_t block = machine_.load(snapshot);
    load_values(snapshot, block, &few_messages_, 1);
    deformation_.load(snapshot, block + 1);
    source().show_flow(*context_, flow_);
    if (!state().made) return drawing_.reset(*context_, chain().lattice(), records_states_);
    draw();
    show_labels();
}

/// Warnings come first: a status line that is too long is cut at its end.
StepMessage EventsLab::describe_start() {
    StepMessage message;
    for (const SourceNote& note : source().notes()) message.add(kind_of(note), sentence_of(note, source().lattice()));
    if (has_threshold() && now_.events.auto_threshold && now_.events.threshold != EventsParameters{}.threshold)
        message.add("threshold-unused", "The threshold that was set, " + format_short(now_.events.threshold) +
                                            ", is for auto_threshold=off; the usual one, " +
                                            format_short(chain().threshold_value()) + ", is used.");
    const bool makes_bubbles = now_.source.kind == SourceParameters::kBubbles;
    const bool makes_particles = now_.source.kind == SourceParameters::kParticles;
    if (input_ && !input_->points.empty() && !input_->field && !input_->tracks && (makes_bubbles || makes_particles))
        message.add("points-unused",
                    std::string("The points are not used: they are the first positions of droplets, of which ") +
                        (makes_bubbles ? "a random field has none" : "there are none among particles") +
                        "; take source=shear, channel, rolls or emulsion.");
    if (first_bubble_count_ && !source().cells())
        message.add("first-bubbles", count_text(*first_bubble_count_, "bubble", "bubbles") + " in the first frame.");
    message.add("source", "Source: " + text_of(source()) + ".");
    if (const auto units = source().units()) {
        const std::string name = detection_units().length;
        const char* const whose = source().has_graph() ? " of the particles' units" : " of the file's units";
        message.add("units", "A lattice unit is " + format_short(units->unit.x) + (name.empty() ? whose : " " + name) +
                                 ". Positions of events and sites are in " + (name.empty() ? "these units" : name) +
                                 ".");
    }
    if (has_label_image())
        message.add("labels", text_of_labels(source()));
    else if (has_threshold())
        message.add("threshold",
                    std::string("Bubbles are where the field is ") +
                        (now_.events.polarity == int(Polarity::kAbove) ? "above " : "below ") +
                        format_short(chain().threshold_value()) +
                        (now_.events.auto_threshold ? text_of(source().threshold_origin()) : std::string()) + ".");
    if (source().segmentation()) message.add("segmentation", text_of_segmentation(source()));
    return message;
}

void EventsLab::report_few_bubbles(uint64_t count, StepResult& result) {
    if (count > 1 || few_messages_ >> count & 1) return;
    few_messages_ |= 1u << count;  // once is enough: later frames are often the same
    const auto add = [&](const char* what, const char* one, const char* none) {
        result.message.add(std::string(count ? "one-" : "no-") + what, count ? one : none);
    };
    if (!chain().has_field())
        return add("site", "There is one site only: no links.", "There are no sites in this frame.");
    if (chain().has_labels() && source().segmentation())
        return add("bubble", "There is one bubble only in this frame: no links.",
                   "No bubble is left in this frame. Take another threshold, a smaller opening or a smaller "
                   "least_area.");
    if (chain().has_labels())
        return add("site", "There is one label only in this frame: no links.",
                   "There are no labels in this frame: all of it is 0, the background.");
    const bool above = now_.events.polarity == static_cast<int>(Polarity::kAbove);
    const auto [low, high] = range_of(*source().field());
    const std::string where = std::string(above ? "above " : "below ") + format_short(chain().threshold_value());
    const std::string range = low <= high ? "; it goes from " + format_short(low) + " to " + format_short(high)
                                          : std::string("; it has no numbers");
    if (count == 0)
        result.message.add("no-bubble", "There are no bubbles: the field is nowhere " + where + range +
                                            ". Set auto_threshold=off and " + (above ? "a lower" : "a higher") +
                                            " threshold, or the other polarity.");
    else
        result.message.add("one-bubble", "There is one bubble, so there are no links: what is " + where +
                                             " is connected" + range + ". Set auto_threshold=off and " +
                                             (above ? "a higher" : "a lower") + " threshold, or the other polarity.");
}

Scene EventsLab::scene() const {
    Scene scene;
    if (!machine_.source()) return scene;
    const Lattice& lattice = chain().lattice();
    scene.low = {-0.5, -0.5};
    scene.high = {lattice.width - 0.5, lattice.height - 0.5};
    scene.point_count = drawing_.site_count();
    const auto on_lattice = [&](const std::string& id, const std::string& title, const std::string& sentence,
                                bool shown) -> LatticeLayer& {
        scene.layers.push_back({id, title, sentence, shown, LatticeLayer{lattice.width, lattice.height}});
        return std::get<LatticeLayer>(scene.layers.back().shape);
    };
    LatticeLayer& cells = on_lattice("cells", "Cells", "The cells in their tints, and the borders between them", true);
    if (!shows_labels() && now_.events.graph != static_cast<int>(GraphKind::kLabels))
        cells.colours = &chain().colouring().colours();
    else
        cells.colours = drawing_.labels().empty() ? &chain().components().labels() : &drawing_.labels();
    if (state().last == kNone && !first_bubbles_.empty()) cells.colours = &first_bubbles_;
    cells.wraps = lattice.periodic;
    if (source().units()) cells.units = *source().units();
    // During a step the labels belong to this frame and the sites to the one before.
    if (machine_.at_rest()) cells.site_count = std::min(drawing_.site_count(), drawing_.mesh().vertex_count);
    // Names match the labels of the frame only after the matching.
    if (machine_.at_rest() || state().last == EventsMachine::kMatch || state().last == EventsMachine::kTrigger)
        cells.names = &present().names();
    if (machine_.at_rest() && !machine_.given_ids().empty()) cells.ids = &machine_.given_ids();
    const bool links_tracks = machine_.at_rest() && now_.events.matching == static_cast<int>(MatchBy::kAssignment);
    if (cells.ids || (links_tracks && machine_.held().size() == 0))
        cells.first_track_place = first_track_place(machine_);
    scene.in_input_units = uses_input_units() && (tracks() || source().units());
    if (!tracks() && uses_input_units() && source().units()) scene.unit = detection_units().length;
    // Before the first pass the picture shows the field itself.
    const bool untouched = state().last == kNone;
    LatticeLayer& field = on_lattice("field", "Field", "The numbers on the lattice, in place of the cells' tints",
                                     untouched && chain().has_field());
    scene.layers.back().scale = {ColourScale::Kind::kImage, "field", "", field_low_, field_high_};
    if (chain().has_field()) field.field = source().field();
    for (size_t i = 0; i < FlowFields::kCount; ++i) {
        const bool is_there = !flow_.fields[i].empty();
        if (!is_there && (i < FlowFields::kParts || flow_.fields[0].empty() || !now_.source.mean_fields)) continue;
        const FlowPart& part = kFlowParts[i % FlowFields::kParts];
        const auto& [before, behind, kind, over] = kFlowKinds[i / FlowFields::kParts];
        const std::string title = std::string(part.title) + kind;
        const double most = std::max(std::fabs(flow_.low[i]), std::fabs(flow_.high[i]));
        const bool signs = flow_.low[i] < 0 && flow_.high[i] > 0;
        LatticeLayer& layer =
            on_lattice(std::string(before) + part.id + behind, title, std::string(part.sentence) + over, false);
        if (!is_there) continue;  // no sample yet
        layer.field = &flow_.fields[i];
        scene.layers.back().scale = {signs ? ColourScale::Kind::kDiverging : ColourScale::Kind::kSequential, title,
                                     part.unit, signs ? -most : flow_.low[i], signs ? most : flow_.high[i]};
    }
    LatticeLayer& marks = on_lattice("marks", "Marked pixels", "The pixels that the legend lists", true);
    const Buffer<State>& states = chain().lattice_graph().pixel_states();
    const bool has_marks = chain().on_lattice() && !states.empty();
    if (has_marks) marks.states = &states;
    scene.layers.push_back(
        {"links", "Links", "The links between neighbouring cells", true, segments_of(drawing_.mesh())});
    scene.layers.push_back({"earlier", "Earlier contacts", "Links that changed in the comparisons before", true,
                            segments_of(drawing_.earlier())});
    scene.layers.push_back({"overlay", "Overlay", "Further marks that the legend lists, over the links", true,
                            segments_of(drawing_.over())});
    PointsLayer sites = points_of(drawing_.mesh(), drawing_.site_count());
    if (untouched) sites = {&first_sites_, nullptr, static_cast<uint32_t>(first_sites_.size())};
    if (untouched) scene.point_count = sites.count;
    scene.layers.push_back({"points", "Points", "The sites of the cells", true, sites});
    using E = LegendEntry::Element;
    std::vector<LegendEntry> legend = {{E::kEdge, 0, Role::kPlain, "link", "Two cells that touch."}};
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kLostState << age), Role::kLostContact, age ? "" : "lost contact",
                          "A link that is gone (breaking); paler with every comparison since.", kStrength[age]});
    for (uint32_t age = 0; age < kAges; ++age)
        legend.push_back({E::kEdge, State(kCreatedState << age), Role::kCreatedContact, age ? "" : "created contact",
                          "A link that is new (arising); paler with every comparison since.", kStrength[age]});
    legend.push_back({E::kEdge, kVanishedState, Role::kUnmatched, "vanished",
                      "A bubble of the past frame without a partner in the present one."});
    legend.push_back({E::kVertex, kActiveState, Role::kActive, "active", "Its neighbours have changed."});
    legend.push_back(
        {E::kVertex, kAppearedState, Role::kUnmatched, "appeared", "A bubble without a partner in the past frame."});
    if (has_marks) add_pixel_legend(legend);
    scene.set_legend(legend);
    return scene;
}

Element EventsLab::pick(const Probe& probe) const {
    if (!machine_.source()) return {};
    return pick_on_lattice(*context_, drawing_.mesh(), drawing_.site_count(), chain().lattice(), probe);
}

Report EventsLab::inspect(Element element) const {
    Report report;
    if (element.id == kNone || !machine_.source()) return report;
    if (element.kind == ElementKind::kPixel && element.id < chain().lattice().pixel_count())
        inspect_pixel(element.id, report);
    if (!machine_.at_rest()) return report;  // the picture shows the frame before
    Properties properties;
    if (element.kind == ElementKind::kVertex && element.id < drawing_.site_count())
        inspect_site(element.id, properties, report.highlights);
    if (element.kind == ElementKind::kEdge && element.id < drawing_.mesh().edge_count)
        inspect_link(element.id, properties, report.highlights);
    report.add(std::move(properties));
    return report;
}

GraphView EventsLab::graph_view() const {
    return {chain().lattice(),
            present().starts(),
            present().neighbours(),
            present().site_buffer(),
            drawing_.links(),
            drawing_.mesh().edge_count,
            [this](uint32_t label) { return bubble_name(label); }};
}

void EventsLab::inspect_site(uint32_t label, Properties& properties, std::vector<Highlight>& highlights) const {
    const Point at = present().site_buffer().read(label);
    properties.add("Bubble", bubble_name(label), "label " + std::to_string(label) + " of this frame");
    properties.add("x, y", Value(at, "lattice units"));
    if (const auto given = units()) properties.add("In the input", in_input_units(given->as_given(at), given->unit));
    const size_t found = present().room() - machine_.held().size();
    if (label >= found) {
        properties.add("Held", Value::count(machine_.held().ages.at(label - found), "comparison", "comparisons"),
                       "not found in this frame; its place is where its neighbours would have taken it");
    } else if (chain().has_field()) {
        const uint32_t area = chain().components().areas().read(label);
        properties.add("Area", Value::count(area, "pixel", "pixels"));
        if (const uint32_t winding = chain().components().windings().read(label))
            properties.add(chain().lattice().periodic.both() ? "Winds around the torus" : "Winds around the cylinder",
                           winding == (kWindsInX | kWindsInY) ? "in x and y"
                           : winding == kWindsInX             ? "in x"
                                                              : "in y",
                           "so it has no centre of mass in that direction; the mean of its coordinates is used");
    }
    explain_site(graph_view(), label, properties, highlights);
    if (state().round == 0) return;
    const uint32_t before = machine_.matching().to_past_buffer().read(label);
    if (before == kNone) {
        properties.add("Before", "not there", "no past bubble is its partner: left out of the comparison");
        return;
    }
    const Point was = past().site_buffer().read(before);
    properties.add("Before", Value(was, "lattice units"),
                   "moved by " + format_short(std::sqrt(chain().lattice().squared_distance(was, at))) +
                       " lattice units; its label was " + std::to_string(before));
    if (!machine_.detector().local_trigger().read(before)) {
        properties.add("Active", false, "the same neighbours as before");
        return;
    }
    const uint32_t kinds = machine_.detector().vertex_kinds().read(before);
    properties.add("Active", name_of(event_kind(kinds)),
                   (kinds & kT1) && (kinds & kBoundary)
                       ? "three active neighbours or more, and an active neighbour on the boundary, as it is"
                   : kinds & kT1       ? "three active neighbours or more, before or now"
                   : kinds & kBoundary ? "on the boundary, with an active neighbour on the boundary"
                                       : "fewer than three active neighbours, and none on the boundary");
}

void EventsLab::inspect_link(uint32_t edge, Properties& properties, std::vector<Highlight>& highlights) const {
    const auto [a, b] = drawing_.link(edge);
    const Point from = present().site_buffer().read(a), to = present().site_buffer().read(b);
    const Point d = chain().lattice().difference(from, to);
    double angle = std::atan2(d.y, d.x) * 180 / std::numbers::pi;
    if (angle < 0) angle += 180;
    properties.add("Link", bubble_name(a) + " – " + bubble_name(b), "neighbours in this frame");
    explain_link(graph_view(), edge, properties, highlights);
    properties.add("Length", Value(std::sqrt(d.x * d.x + d.y * d.y), "lattice units"));
    properties.add("Direction", Value(angle, "°"), "from the x axis");
    if (state().round == 0) return;
    const uint32_t p = machine_.matching().to_past_buffer().read(a), q = machine_.matching().to_past_buffer().read(b);
    if (p == kNone || q == kNone) {
        properties.add("Before", "unknown", "one of the two was not there");
        return;
    }
    const uint32_t begin = past().starts().read(p), end = past().starts().read(p + 1);
    std::vector<uint32_t> row = past().neighbours().download(end - begin, begin);
    const bool was = std::binary_search(row.begin(), row.end(), q);
    properties.add("Before", was ? "linked, too" : "not linked", was ? "" : "a created contact");
}

void EventsLab::inspect_pixel(uint32_t pixel, Report& report) const {
    const Lattice& lattice = chain().lattice();
    const uint32_t colour = chain().colouring().colours().read(pixel);
    Properties properties;
    if (chain().on_lattice() && machine_.at_rest() && state().counts.now > 0)
        describe_stencil(
            inspect_stencil(lattice, chain().colouring().colours(), machine_.sites(), pixel, now_.events.rules),
            now_.events.rules, report, [this](uint32_t label) { return graph_view().link(label); });
    else
        properties.add("Pixel", std::vector<int64_t>{lattice.x_of(pixel), lattice.y_of(pixel)});
    if (machine_.at_rest() && colour < state().counts.now)
        properties.add("Cell of bubble", bubble_name(colour), "", {graph_view().link(colour)});
    if (colour == kMaxLink) properties.add("Obstacle", true, "its colour is MAXLINK");
    if (chain().has_field()) {
        const uint32_t label = chain().components().labels().read(pixel);
        properties.add("Field", double(source().field()->read(pixel)));
        if (!chain().has_labels()) properties.add("Threshold", chain().threshold_value(), "of the field");
        properties.add("In a bubble", label != kNone);
    }
    report.add(std::move(properties));
}

std::vector<Detection> EventsLab::detections(size_t first) const {
    std::vector<Detection> detections;
    for (size_t i = first; i < settled().rows().size(); ++i)
        detections.push_back(detection_of(machine_.log(), settled_, i, units_or_none()));
    return detections;
}

Report EventsLab::report_of_detection(size_t i) const {
    Report report;
    if (can_report_detection(i))
        report.add(diagrams_of(machine_.log(), listed_[i], chain().colouring().obstacles().download()));
    return report;
}

/// An event is listed when it is decided, later than the comparison that the window shows with it.
bool EventsLab::can_report_detection(size_t i) const {
    settled();
    return i < listed_.size() && listed_[i] < machine_.log().events().size();
}

/// The lattice in the units of the file, whose y axis may point down.
std::optional<LatticeUnits> EventsLab::units() const {
    std::optional<LatticeUnits> units = machine_.source() ? source().units() : std::nullopt;
    if (units && tracks() && tracks()->y_down) {
        units->origin.y = -units->origin.y;
        units->unit.y = -units->unit.y;
    }
    return units;
}

DetectionUnits EventsLab::detection_units() const {
    if (!machine_.source()) return {};
    if (tracks()) return {tracks()->time_unit, tracks()->unit};
    if (!source().units()) return {source().time_unit(), "px"};
    return {source().time_unit(), uses_input_units() ? frames_unit_ : ""};
}

/// The lab's own sources have their own lattice or box, where the input's unit has no meaning.
bool EventsLab::uses_input_units() const { return input_ && (input_->tracks || input_->field); }

/// The first step included in means and sums over time.
uint64_t EventsLab::averaged_from() const {
    const auto warmup = static_cast<uint64_t>(std::max(0, now_.source.warmup));
    const auto window = static_cast<uint64_t>(std::max(0, now_.source.mean_window));
    const uint64_t steps = source().steps();
    return std::max(warmup, window > 0 && steps > window ? steps - window : 0);
}

Report EventsLab::statistics() const {
    Report report;
    if (!state().made) return report;
    for (Distribution& one : distributions_of(machine_.log(), settled(), first_averaged(), averaged_remark()))
        report.add(std::move(one));
    if (std::optional<Curve> flow = flow_curve()) report.add(std::move(*flow));
    add_event_statistics(events_in_window(), report);
    return report;
}

const SettledEvents& EventsLab::settled() const {
    settled_.update(machine_.log(), machine_.contact_watch().passed(), compared(), state().made && done());
    for (size_t row = listed_.size(); row < settled_.rows().size(); ++row)
        listed_.push_back(settled_.rows()[row].event);
    return settled_;
}

/// The first comparison that lies in the window of time as a whole.
uint32_t EventsLab::first_averaged() const {
    const uint64_t from = averaged_from(), interval = machine_.interval();
    return static_cast<uint32_t>(std::min<uint64_t>(1 + (from + interval - 1) / interval, kNone));
}

std::string EventsLab::averaged_remark() const {
    const uint64_t from = averaged_from();
    return from > 0 ? " Counted from step " + std::to_string(from) + " on." : "";
}

/// Comparisons too near the start or the end for their events to be decided are left out.
EventsInWindow EventsLab::events_in_window() const {
    EventsInWindow window{.log = machine_.log(),
                          .settled = settled(),
                          .displacements = machine_.t1_displacements(),
                          .parameters = now_.statistics,
                          .units = units_or_none(),
                          .names = detection_units(),
                          .remark = averaged_remark()};
    if (now_.statistics.event_kinds > 0)
        window.remark += now_.statistics.event_kinds == 1 ? " Of T1s alone." : " Of boundary events alone.";
    const auto undecided = static_cast<uint32_t>(now_.persistence.comparisons - 1);
    window.first = std::max(first_averaged(), undecided + 1);
    window.last = compared() > undecided ? compared() - undecided : 0;
    window.mean_distance =
        std::sqrt(double(chain().lattice().pixel_count()) / double(std::max<uint64_t>(1, state().counts.now)));
    if (window.last < window.first) return window;
    const auto time_of = [&](uint64_t round) {
        const uint64_t step = std::min(round * machine_.interval(), source().steps());
        return tracks()               ? tracks()->times[step]
               : source().steps() > 0 ? source().time() * double(step) / double(source().steps())
                                      : 0.0;
    };
    window.duration = time_of(window.last) - time_of(window.first - 1);
    return window;
}

/// Mean speeds across the channel, for sources that have them.
std::optional<Curve> EventsLab::flow_curve() const {
    const FlowProfile profile = source().profile();
    if (profile.points.size() < 2) return {};
    Curve flow;
    const bool box = profile.axis == 'y';
    flow.name = box ? "flow across the box" : "flow across the channel";
    flow.sentence =
        box ? "Mean speed along x, relative to that in the middle of the profile, which lies at a quarter of the box's "
              "height, where the force is greatest."
        : profile.walls_move
            ? "Mean speed along the channel, relative to that of its walls, from the left wall (-1/2) to the right one "
              "(1/2)."
            : "Mean speed along the channel, relative to that in the middle, from the left wall (-1/2) to the right "
              "one (1/2). The middle part that flows as one is the plug; it widens with the concentration.";
    flow.x_name = box ? "(y / height of the box) \xE2\x88\x92 1/4" : "x / width of the channel";
    flow.y_name = profile.walls_move ? "speed / speed of the walls" : "speed / speed in the middle";
    flow.low = -0.5;
    flow.high = 0.5;
    for (const ProfilePoint& at : profile.points) {
        flow.x.push_back(at.place);
        flow.y.push_back(at.speed);
        flow.errors.push_back(at.error);
    }
    if (const auto found = concentration(); found && found->open > 0)
        flow.label = "φ = " + format_short(std::round(1e3 * double(found->inside) / double(found->open)) / 1e3);
    flow.remark = sentence_of(profile);
    if (!std::isnan(profile.drift)) flow.stationary = profile.stationary();
    return flow;
}

/// nullopt if sites are given, or bubbles are not measured yet in this frame.
std::optional<EventsLab::Concentration> EventsLab::concentration() const {
    const bool measured = state().last != kNone && state().last != EventsMachine::kAdvance &&
                          state().last != EventsMachine::kThreshold && state().last != EventsMachine::kLabel;
    if (!chain().has_field() || !measured) return {};
    const uint32_t count = chain().components().read_count(*context_);
    std::vector<uint32_t> areas = chain().components().areas().download(count);
    Concentration found;
    for (const uint32_t area : areas) found.inside += area;
    found.open = open_pixels_;
    found.all = chain().lattice().pixel_count();
    return found;
}

Result EventsLab::result() const {
    Result result;
    if (!machine_.source()) return result;
    result.points = state().counts.now;
    result.edges = state().counts.now_links;
    const char* const so_far = "so far";
    const int persistence = now_.persistence.comparisons;
    const std::string that_count = persistence > 1
                                       ? "so far, that last " + std::to_string(persistence) + " comparisons or more"
                                   : now_.persistence.keeps_all() ? so_far
                                                                  : "so far, that count";
    const SettledEvents::Counts& counts = settled().counts();
    Properties& numbers = result.numbers;
    numbers.add_number("time", source().time_unit(), source().time());
    if (!state().made && first_bubble_count_)
        numbers.add_number("bubbles", "in the first frame", double(*first_bubble_count_));
    else
        numbers.add_number("bubbles", "in this frame", state().counts.now);
    if (now_.events.matching == static_cast<int>(MatchBy::kAssignment))
        numbers.add_number("held bubbles", "of these, not found in this frame", double(machine_.held().size()));
    numbers.add_number("links", "in this frame", state().counts.now_links);
    for (const EventKind kind :
         {EventKind::kT1, EventKind::kBoundary, EventKind::kMixed, EventKind::kUnmatched, EventKind::kUnclear})
        numbers.add_number(std::string(name_of(kind)) + " events", that_count, counts.kinds[size_t(kind)]);
    numbers.add_number("lost contacts", so_far, state().lost);
    numbers.add_number("created contacts", so_far, state().created);
    numbers.add_number("comparisons", "", compared());
    numbers.add_number("names given so far", "", state().next_name);
    numbers.add_number("reversals", "T1s that undo an earlier one, so far", counts.reversals);
    if (!now_.persistence.keeps_all()) {
        numbers.add_number("lost contacts that count", so_far, counts.lost);
        numbers.add_number("created contacts that count", so_far, counts.created);
        numbers.add_number("flickers", "events whose changes did not last, so far", counts.flickers);
        numbers.add_number("undecided events", "too near the start or the end, or still open", counts.undecided);
    }
    const bool has_gaps = machine_.knows_gaps();
    const std::pair<CellChange, const char*> changes[] = {
        {CellChange::kBirth, "births"},       {CellChange::kDeath, "deaths"},       {CellChange::kSplit, "break-ups"},
        {CellChange::kMerge, "coalescences"}, {CellChange::kMissing, "gaps begun"}, {CellChange::kBack, "gaps ended"}};
    for (const auto& [change, name] : changes)
        if (has_gaps ? change != CellChange::kSplit && change != CellChange::kMerge : change < CellChange::kMissing)
            numbers.add_number(name, so_far, state().changes[size_t(change)]);
    if (uses_films()) {
        numbers.add_number("touching labels",
                           "across films of at most " + format_short(now_.events.film_width) + " pixels, in this frame",
                           double(chain().contacts().size()));
    } else if (chain().has_labels()) {
        const auto& contacts = source().cells()->contacts;
        const auto along = std::count_if(contacts.begin(), contacts.end(), [](const auto& c) { return c.sides > 0; });
        numbers.add_number("touching labels",
                           source().cells()->across_lines ? "across lines of one pixel, in this frame"
                                                          : "along sides of pixels, in this frame",
                           along);
        numbers.add_number("labels that meet at corners only", "", double(contacts.size()) - double(along));
    }
    if (has_threshold()) numbers.add_number("threshold", "in the unit of the field", chain().threshold_value());
    if (now_.events.graph == static_cast<int>(GraphKind::kRadical) && !chain().has_graph())
        numbers.add_number("hidden bubbles", "without a radical cell and links, in this frame",
                           double(chain().hidden_count()));
    if (const auto found = concentration()) {
        const auto share = [&](uint64_t of) { return of > 0 ? double(found->inside) / double(of) : 0; };
        const bool walled = found->open != found->all;
        numbers.add_number("concentration φ",
                           walled ? "of the pixels that are no obstacles are in bubbles, in this frame"
                                  : "of the pixels are in bubbles, in this frame",
                           share(found->open));
        if (walled) numbers.add_number("φ of all pixels", "with the obstacles, as in the paper", share(found->all));
    }
    if (const auto packing = source().packing())
        numbers.add_number("packing", "of the open area, if the droplets were round", *packing);
    if (const FlowProfile profile = source().profile(); profile.samples > 0) {
        numbers.add_number("flow in the middle", "pixels per step, mean", profile.middle);
        numbers.add_number("flow mean from", "steps", profile.from);
        numbers.add_number("flow mean to", "steps", profile.to);
        numbers.add_number("flow drift",
                           profile.walls_move ? "of the walls' speed, between the halves of that time"
                                              : "of the flow in the middle, between the halves of that time",
                           profile.drift);
        const auto add = [&](const std::string& name, const std::string& unit, double value, double error) {
            numbers.add_number(name, unit, value);
            numbers.add_number(name + " error", "standard error, from blocks of that time", error);
        };
        const bool fluid = source().greatest_speed().has_value();
        if (fluid && profile.axis == 'x')
            add("shear stress", "lattice units, at the walls of the channel, mean over that time", profile.stress,
                profile.stress_error);
        // Under a body force the slope has opposite signs at both sides of the middle.
        if (fluid && profile.walls_move)
            add("shear rate", "per step, slope of the flow over the middle half of the channel",
                profile.slope / profile.width, profile.slope_error / profile.width);
        if (fluid && !profile.walls_move) {
            const std::string where =
                profile.axis == 'x' ? ", halfway between the middle and the walls" : ", where the stress is greatest";
            add("local shear stress", "lattice units, mean over that time" + where, profile.local_stress,
                profile.local_stress_error);
            add("local shear rate", "per step, slope of the flow" + where, profile.local_slope / profile.width,
                profile.local_slope_error / profile.width);
        }
    }
    if (const auto speed = source().greatest_speed())
        numbers.add_number("greatest speed", "pixels per step, in this frame", *speed);
    if (!flow_.fields[FlowFields::kParts].empty()) {
        numbers.add_number("mean fields from", "steps", flow_.from);
        numbers.add_number("mean fields to", "steps", flow_.to);
    }
    const bool sized = chain().has_field() && units();
    deformation_.add_to(numbers, first_averaged(), sized ? units()->unit.x : 1,
                        sized ? detection_units().length : "lattice units");
    const Lattice& lattice = chain().lattice();
    if (const auto given = units()) result.lattice = {lattice.width, lattice.height, lattice.periodic, *given};
    if (const auto trouble = source().trouble()) result.trouble = sentence_of(*trouble);
    return result;
}

TriangleSoup EventsLab::soup() const {
    TriangleSoup soup;
    soup_points_ = machine_.sites();
    soup.points = &soup_points_;
    return soup;
}

std::vector<ArrayInfo> EventsLab::arrays() const {
    return {
        {"field", "(height, width) the field of this frame; nothing where sites are given"},
        {"labels", "(height, width) the bubble each pixel belongs to; 4294967295: none"},
        {"colours", "(height, width) the label of each pixel's nearest site; 2004318071 is an obstacle"},
        {"sites",
         "(bubbles, 2) x and y, of tracks in the units of their file, of particles in theirs, of frames in that of "
         "pixel_size, else lattice units; the row is the label"},
        {"contacts",
         "(touching labels, 3) of a label image: names of two cells that touch, and how many sides of pixels they "
         "share; 0: corners only. With film_width of graph=labels: how many sides of pixels their film is long"},
        {"names", "(bubbles) what stays the same of each label over time: the bubble's name"},
        {"links", "(links, 2) labels of cells that are neighbours, the lower first"},
        {"profile",
         "(positions, 5) within the window of time: x across the channel, from -1/2 to 1/2, or across a box y over its "
         "height less 1/4, the mean speed relative to "
         "that in the middle or of walls that move, its standard error from blocks of time, and of an emulsion the "
         "shear stress, lattice units, and its standard error"},
        {"velocity", "(height, width, 2) of an emulsion, else nothing, along x and y, pixels per step; 0 at obstacles"},
        {"pressure",
         "(height, width, 3) of an emulsion, xx, yy and xy of the pressure tensor, lattice units; 0 at obstacles"},
        {"mean-velocity",
         "the mean of velocity over the window of time, with mean_fields=on and after its first sample, else nothing"},
        {"mean-velocity-error", "its standard error from blocks of that time, after the second block, else nothing"},
        {"mean-pressure", "the same mean of pressure"},
        {"mean-pressure-error", "its standard error"},
        {"events",
         "(events, 5) time, comparison, kind (0 unclear, 1 T1, 2 boundary, 3 mixed, 4 unmatched, 5 birth, 6 death, "
         "7 break-up, 8 coalescence, 9 missing, 10 back, 11 flicker, 12 undecided), x, y as of sites"},
        {"changes",
         "(changed links, 4) event (-1: not listed yet), 1 a lost or 0 a created contact, and the names of both "
         "ends; flickers included"}};
}

Array EventsLab::array(const std::string& name) const {
    using Type = Array::Type;
    const Lattice& lattice = chain().lattice();
    const std::vector<size_t> shape{lattice.height, lattice.width};
    const LatticeUnits units = units_or_none();
    const bool field = chain().has_field();
    if (name == "profile") {
        std::vector<double> values;
        if (machine_.source())
            for (const ProfilePoint& at : source().profile().points)
                values.insert(values.end(), {at.place, at.speed, at.error, at.stress, at.stress_error});
        return make_array(Type::kFloat64, {values.size() / 5, 5}, values);
    }
    if (name == "field")
        return make_array(Type::kFloat32, field ? shape : std::vector<size_t>{0, 0},
                          field ? source().field()->download() : std::vector<float>{});
    if (const bool velocity = name.find("velocity") != name.npos; velocity || name.find("pressure") != name.npos) {
        FlowFields flow;
        if (machine_.source()) source().show_flow(*context_, flow);
        const size_t parts = velocity ? 2 : 3, kind = name.ends_with("error") ? 2 : name.starts_with("mean") ? 1 : 0;
        const size_t first = kind * FlowFields::kParts + (velocity ? 0 : 2);
        std::vector<float> values(flow.fields[first].size() * parts);
        for (size_t c = 0; c < parts; ++c) {
            const std::vector<float> part = flow.fields[first + c].download();
            for (size_t k = 0; k < part.size(); ++k) values[k * parts + c] = part[k];
        }
        return make_array(Type::kFloat32,
                          values.empty() ? std::vector<size_t>{0, 0, parts}
                                         : std::vector<size_t>{lattice.height, lattice.width, parts},
                          values);
    }
    if (name == "labels")
        return make_array(Type::kUint32, field ? shape : std::vector<size_t>{0, 0},
                          field ? chain().components().labels().download() : std::vector<uint32_t>{});
    if (name == "colours") return make_array(Type::kUint32, shape, chain().colouring().colours().download());
    std::vector<Point> sites = machine_.sites();
    if (name == "sites") {
        for (Point& at : sites) at = units.as_given(at);
        return make_array(Type::kFloat64, {sites.size(), 2}, sites);
    }
    if (name == "names") {
        const std::vector<int64_t> names = machine_.ids();
        return make_array(Type::kInt64, {names.size()}, names);
    }
    if (name == "links") {
        std::vector<uint32_t> flat, starts, row;
        if (!sites.empty()) {
            starts = present().starts().download(sites.size() + 1);
            row = present().neighbours().download(starts.back());
        }
        for (uint32_t a = 0; a < sites.size(); ++a)
            for (uint32_t e = starts[a]; e < starts[a + 1]; ++e)
                if (a < row[e]) flat.insert(flat.end(), {a, row[e]});
        return make_array(Type::kUint32, {flat.size() / 2, 2}, flat);
    }
    if (name == "contacts") {
        std::vector<int64_t> flat;
        const LabelCells* cells = machine_.source() ? source().cells() : nullptr;
        if (uses_films() && machine_.at_rest()) {
            const std::vector<int64_t> names = machine_.ids();
            for (const LabelContact& contact : chain().contacts())
                flat.insert(flat.end(), {names.at(contact.a), names.at(contact.b), int64_t(contact.sides)});
        } else if (cells && !uses_films())
            for (const LabelContact& contact : cells->contacts)
                flat.insert(flat.end(), {cells->names[contact.a], cells->names[contact.b], int64_t(contact.sides)});
        return make_array(Type::kInt64, {flat.size() / 3, 3}, flat);
    }
    if (name == "events") {
        std::vector<double> flat;
        for (const SettledEvents::Row& row : settled().rows()) {
            const LoggedEvent& event = machine_.log().events()[row.event];
            const Point at = units.as_given(event.place);
            flat.insert(flat.end(),
                        {event.time, double(event.round), double(kind_code(machine_.log(), row)), at.x, at.y});
        }
        return make_array(Type::kFloat64, {flat.size() / 5, 5}, flat);
    }
    if (name == "changes") {
        std::vector<int64_t> flat;
        for (size_t i = 0; i < machine_.log().links().size(); ++i) {
            const LoggedLink& link = machine_.log().links()[i];
            const uint32_t row = settled().row_of(i);
            flat.insert(flat.end(), {row == kNone ? -1 : int64_t(row), int64_t(link.lost), link.ids[0], link.ids[1]});
        }
        return make_array(Type::kInt64, {flat.size() / 4, 4}, flat);
    }
    throw std::logic_error("the Events lab has no array \"" + name + "\"");
}

/// Frames of every comparison so far, including the first frame. If they were not recorded, all steps are repeated.
std::vector<TrackedFrame> EventsLab::tracked_frames() const {
    if (!state().made) return {};
    const uint32_t rounds = machine_.at_rest() ? state().round : state().round - 1;
    const auto is_kept = [](const TrackedFrame& frame) { return !std::isnan(frame.time); };
    if (tracked_.size() > rounds && std::all_of(tracked_.begin(), tracked_.begin() + rounds + 1, is_kept))
        return {tracked_.begin(), tracked_.begin() + rounds + 1};
    EventsMachine again;
    EventsParameters parameters = now_.events;
    parameters.comparisons = static_cast<int>(rounds);
    again.reset(*context_, parameters, start_source(*context_, now_.source, input_), false);
    std::vector<TrackedFrame> frames;
    again.finish([&](const PassResult& round) {
        if (round.pass != EventsMachine::kAdvance)
            frames.push_back(tracked_frame(again, units_or_none(), first_track_place(again)));
    });
    return frames;
}

std::vector<ArrayInfo> EventsLab::tables() const {
    std::vector<ArrayInfo> tables{
        {"changes",
         "of each lost and created contact: its event, time, the cells at its ends and beside it, its middle, "
         "length and angle, and whether it counts"},
        {"tracks",
         "of each bubble in each frame: time, id, x, y, area (of tracks that of its cell), degree, whether it is "
         "on the boundary, and the columns of the input"},
        {"displacement-field", "of each bubble in both compared frames: its place before, and how far it moved"},
        {"mean-displacements",
         "with deformation=on: the mean displacement between compared frames, over the window of time, in each of "
         "16 × 16 cells of the lattice, by the places before, and its standard error from block averages"},
        {"shapes", "of each bubble of a field: place, area, ratio of its axes and angle of the long one"}};
    for (ArrayInfo& one : event_statistics_tables()) tables.push_back(std::move(one));
    return tables;
}

Table EventsLab::table(const std::string& name) const {
    if (name == "changes") return changed_links(machine_.log(), settled(), units_or_none(), detection_units());
    if (name == "tracks")
        return table_of_tracks(tracked_frames(), detection_units(), tracks() ? &tracks()->attributes : nullptr);
    if (name == "displacement-field") return displacement_table(machine_, units_or_none(), detection_units());
    if (name == "mean-displacements")
        return deformation_.mean_displacements(first_averaged(), chain().lattice(), units_or_none(), detection_units());
    if (name == "shapes") return shape_table(machine_, units_or_none(), detection_units());
    if (std::optional<Table> table = event_statistics_table(events_in_window(), name)) return std::move(*table);
    throw std::logic_error("the Events lab has no table \"" + name + "\"");
}

const LabInfo& EventsLab::info() const {
    static const LabInfo info = [] {
        LabInfo made{
            "events",
            "Events lab",
            "Follows bubbles or moving points, compares the graph of neighbours every few steps, and lists the plastic "
            "events: contacts that are lost and created (the paper's breaking and arising links).",
            "After M. Bernaschi, M. Lulli and M. Sbragaglia, GPU based detection of topological changes in Voronoi "
            "diagrams (2016), section III, with bubbles matched as mutual nearest sites, boundaries recognised by "
            "empty triangles, and changed links grouped into events.",
            {{"advance",
              "The present frame becomes the past one, and the source advances to the next frame to be compared."},
             {"threshold", "Pixels whose value is past the threshold belong to bubbles."},
             {"label",
              "Pixels that touch, also corner to corner, get the same label: a bubble. Of a label image, each number "
              "is one."},
             {"measure",
              "Each bubble's area and centre of mass, its site, from sums over its connected pixels, also across "
              "periodic borders."},
             {"colour", "Every pixel gets the colour of its nearest site: the digital Voronoi diagram."},
             {"corners",
              "Pixels where the colour changes three times around them, or twice on an open border, are corners of "
              "cells."},
             {"link",
              "At every corner the five conditions determine which colours around it are neighbours of its own."},
             {"arrange", "Each cell's neighbours are sorted, each listed once, and each also in the other's row."},
             {"delaunay",
              "The Delaunay triangulation of the sites replaces the lattice's graph; of particles it is the one that "
              "they keep, and replaces all passes from threshold to arrange. With graph=radical: the regular "
              "triangulation, in which larger bubbles have larger cells. With graph=labels: which labels touch."},
             {"match",
              "Past and present sites that are nearest to each other, have the same name, or are assigned to each "
              "other, are the same bubble: "
              "\xCE\xA6."},
             {"trigger",
              "Past rows are translated by \xCE\xA6 and sorted; a bubble whose rows differ is active, and any active "
              "bubble sets the global trigger."},
             {"events",
              "Links between active bubbles that are in one frame only are lost or created contacts; those that are "
              "adjacent make an event."}},
            {{"bubbles", "bubbles of this frame", true},
             {"links", "pairs of neighbours of this frame", true},
             {"matched", "bubbles that have a partner in the past frame", true},
             {"appeared", "bubbles without a past partner, left out of the comparison"},
             {"vanished", "past bubbles without a present partner, left out of the comparison"},
             {"active", "bubbles whose neighbours have changed"},
             {"lost contacts", "links of the past frame only, \xCE\xA6(E_P) \\ E_N (breaking)", false, true},
             {"created contacts", "links of the present frame only, E_N \\ \xCE\xA6(E_P) (arising)", false, true},
             {"T1 events", "events in the interior (bulk)", false, true},
             {"boundary events", "events on the boundary of the triangulation", false, true},
             {"mixed events", "events of links of both kinds"},
             {"unmatched events",
              "events beside a bubble that appeared or vanished: the others make room, or close the gap"},
             {"unclear events", "events that neither rule explains, such as holes of the lattice's graph"}}};
        made.inputs = {InputKind::kPoints, InputKind::kFields, InputKind::kTracks, InputKind::kNothing};
        made.makes_triangles = false;
        made.detects = "event";
        made.detects_note = "With persistence they are listed when they are decided, and flickers as such.";
        made.detection_measures = {
            {"reverses", "the row of the T1 that this one undoes by the same four cells, from 0", ""}};
        made.breakpoint = "events are found, other than unmatched ones";
        made.example = "";
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_events_lab() { return std::make_unique<EventsLab>(); }

}  // namespace flipscope
