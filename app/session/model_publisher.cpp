#include "app/session/model_publisher.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/run/run.h"
#include "app/session/lasting_names.h"
#include "app/view/pass_colours.h"
#include "compute/work.h"
#include "geometry/bounds.h"
#include "instruments/failure_marks.h"
#include "lab/unit_names.h"

namespace flipscope::app {

Element pick(const Lab& lab, const Probe& probe) {
    const auto* inspectable = find_facet<Inspectable>(lab);
    return inspectable ? inspectable->pick(probe) : Element{};
}

Inspection inspect_element(const Lab& lab, const Element& element, const Stage* stage) {
    Inspection found{element, {}, {}, {}};
    if (!found.any()) return found;
    if (const auto* inspectable = find_facet<Inspectable>(lab)) found.report = inspectable->inspect(element);
    const auto* editable = find_facet<Editable>(lab);
    found.frozen = editable && element.kind == ElementKind::kVertex && editable->is_frozen(element.id);
    const Scene scene = lab.scene();
    const SceneView& view = scene.view(element.part);
    if (element.id < view.count_of(element.kind)) {
        found.corners = view.corners_of(element);
        found.name = lasting_name(view, element);
    }
    if (stage) {
        std::vector<Highlight>& marks = found.report.highlights;
        std::vector<Highlight> all = marks;
        if (!found.corners.empty()) all.push_back(highlight_of(element, found.corners, {}));
        for (Highlight& mark : stage->lifted(scene, element, all)) marks.push_back(std::move(mark));
    }
    return found;
}

void ModelPublisher::set_device(Devices& devices) {
    model_.device_name = devices.context().device_name();
    model_.sharing_name = name_of(devices.sharing().sharing());
    model_.sharing = devices.sharing().description();
}

void ModelPublisher::set_lab(Lab& lab) {
    model_.info = lab.info();
    model_.pass_colours = pass_colours(model_.info);
    model_.parameters = list_parameters(lab);
}

void ModelPublisher::begin_run(Lab& lab, const SpaceBounds& bounds, std::string refusal, bool keep_message) {
    set_lab(lab);
    bounds_ = bounds;
    model_.messages.begin_run(state_id_, model_.position, state_id_ + 1, keep_message);
    ++state_id_;
    model_.loaded = true;
    model_.initial_parameters.clear();
    for (const ParameterDescription& one : model_.parameters)
        model_.initial_parameters.push_back({one.name, one.value});
    model_.refusal = std::move(refusal);
    model_.history = {};
    model_.position = 0;
    set_inspection({});
    clear_measured();
    clear_detections();
}

void ModelPublisher::suspend() {
    model_.loaded = needs_measuring_ = false;
    model_.scene = {};
    model_.edited_extent.reset();
    model_.edited_input = nullptr;
}

void ModelPublisher::lose_run() {
    suspend();
    clear_measured();
    clear_detections();
    model_.history = {};
    model_.position = 0;
    forget_check();
    check_due_ = false;
    ++state_id_;
}

ModelPublisher::TimelineUpdate ModelPublisher::collect_update(Timeline& timeline) const {
    const WorkStage stage("list of detections");
    TimelineUpdate update;
    const uint64_t known = model_.history.size();
    update.from = std::min({timeline.take_unchanged(), known, timeline.history().size()});
    update.kept = model_.detections.size();
    if (update.from < known) update.kept = detections_before(model_.history.round_before_or_at(update.from));
    if (update.kept == model_.detections.size())
        update.spread = model_.spread;
    else
        for (size_t i = 0; i < update.kept; ++i) update.spread.add(model_.detections[i]);
    const auto* detector = find_facet<Detector>(std::as_const(timeline).lab());
    if (detector && detector->detection_count() > update.kept) update.detections = detector->detections(update.kept);
    for (const Detection& detection : update.detections) update.spread.add(detection);
    return update;
}

void ModelPublisher::publish(Timeline& timeline, Context& context, bool changed, std::optional<TimelineUpdate> update) {
    if (!timeline.usable()) return;
    if (!update) update = collect_update(timeline);
    Lab& lab = timeline.lab();
    const bool has_new_steps = copy_history(timeline, update->from);
    if (has_new_steps || model_.position != timeline.position()) {
        ++state_id_;
        model_.messages.move_on(seconds_());
    }
    if (model_.check && checked_at_ != state_id_) forget_check();
    model_.position = timeline.position();
    model_.next_pass = lab.next_pass();
    model_.done = timeline.done();
    model_.scene = lab.scene();
    model_.motions = stage_.motions();
    model_.unit = stage_.unit(model_.scene);
    model_.explorable = stage_.exploration().has_mesh();
    model_.selected = stage_.exploration().selected();
    stage_.compose(model_.scene, model_.check ? &*model_.check : nullptr);
    update_detections(lab, std::move(*update));
    if (finish_) finish_(model_.scene);
    const LabModel::Extent drawn{model_.scene.low, model_.scene.high};  // with manual edits
    set_bounds(model_.scene);
    const auto* const editable = find_facet<Editable>(static_cast<const Lab&>(lab));
    model_.edited_input = editable ? editable->edited_input() : nullptr;
    model_.edited_extent.reset();
    if (timeline.edit_count() > 0 && !model_.scene.lattice()) {
        Bounds edited{drawn.low, drawn.high};
        const bool is_drawn = !model_.scene.layers.empty();
        if (!is_drawn && model_.edited_input) edited = flipscope::bounds_of(model_.edited_input->points);
        const Point &low = model_.scene.low, &high = model_.scene.high;
        if (is_drawn || model_.edited_input)
            model_.edited_extent = {{std::min(low.x, edited.low.x), std::min(low.y, edited.low.y)},
                                    {std::max(high.x, edited.high.x), std::max(high.y, edited.high.y)}};
    }
    for (SceneView& other : model_.scene.beside) set_bounds(other);
    model_.checkable = find_facet<Checkable>(lab) != nullptr;
    model_.measurable = find_facet<Measurable>(lab) != nullptr;
    model_.needs_check = needs_check(lab);
    model_.supported_edits.clear();
    for (int kind = 0; kind <= static_cast<int>(Edit::Kind::kAdjust); ++kind)
        if (supports_edit(lab, Edit::Kind(kind))) model_.supported_edits.push_back(Edit::Kind(kind));
    model_.edits = timeline.edit_count();
    const auto kind_of = [](const Edit::Kind* kind) { return kind ? std::optional(*kind) : std::nullopt; };
    model_.undoable = kind_of(timeline.undoable());
    model_.redoable = kind_of(timeline.redoable());
    model_.parameters = list_parameters(lab);
    context.collect_timings();
    // Rows of earlier labs stay in the context, without calls.
    model_.timings.clear();
    for (const LabelTiming& row : context.timings().rows())
        if (row.calls > 0) model_.timings.push_back(row);
    model_.live_bytes = context.live_bytes();
    if (!changed) return;
    needs_measuring_ = true;
    const bool asked = checks_ends_ && model_.checkable;
    check_due_ = !model_.check && model_.done && (asked || end_needs_check(lab));
    if (!model_.done) model_.result.reset();
    const uint64_t numbering = editable ? editable->numbering() : 0;
    renumbered_ = std::exchange(numbering_, numbering) != numbering;
    set_inspection(inspect_again(lab, model_.inspection));
}

// Uses the bounds of the input from the start, so that the picture does not jump during insertion. The lab knows those
// of a periodic box.
void ModelPublisher::set_bounds(SceneView& view) const {
    if (!view.linked) return;
    if (const LatticeLayer lattice = view.lattice()) {
        if (view.high == view.low) {
            view.low = {-0.5, -0.5};
            view.high = {lattice.width - 0.5, lattice.height - 0.5};
        }
        return;
    }
    if (std::any_of(view.layers.begin(), view.layers.end(), [](const Layer& layer) { return layer.periodic; })) return;
    view.low = bounds_.low;
    view.high = bounds_.high;
    view.low_z = bounds_.low_z;
    view.high_z = bounds_.high_z;
    if (view.layers.empty()) view.in_space = stage_.input() && stage_.input()->in_space();
}

// New steps were added, or replaced by a manual edit or an unrepeatable "first taken" decision. The copy shares its
// data, so its cost does not grow with the run. Returns true if the known steps changed.
bool ModelPublisher::copy_history(const Timeline& timeline, uint64_t from) {
    const History& history = timeline.history();
    const uint64_t known = model_.history.size();
    model_.messages.forget_steps(from);
    for (uint64_t i = std::max(from, history.recent_begin()); i < history.size(); ++i)
        if (!history[i].message.empty())
            model_.messages.say(
                {Message::Kind::kNote, history[i].message.text(), seconds_(), Message::Holds::kBehindStep, i});
    model_.history = history;
    return from < known || from < history.size();
}

void ModelPublisher::say(Message::Kind kind, std::string text, Message::Holds holds) {
    model_.messages.say({kind, std::move(text), seconds_(), holds});
}

void ModelPublisher::reply(Message::Kind kind, std::string text, bool refuses) {
    model_.messages.say({kind, std::move(text), seconds_(), Message::Holds::kForState, state_id_, false, refuses});
}

ModelPublisher::Measured ModelPublisher::measure(const Timeline& timeline, Context* context,
                                                 SceneStatistics::Options how) const {
    const Lab& lab = timeline.lab();
    Measured found;
    // For a triangulation this is slow, and says little before the end.
    if (timeline.done() || !lab.info().makes_triangles) {
        const Result result = lab.result();
        found.numbers = result.numbers;
        if (timeline.done()) found.result = result;
    }
    if (context) {
        const auto scene = std::make_shared<SceneStatistics>();
        how.selection = &stage_.exploration();
        how.input = stage_.input();
        how.structures = stage_.choice.structures;
        if (const std::shared_ptr<const StudyArea>& area = stage_.choice.area) how.window = *area;
        scene->measure(*context, lab.scene(), how);
        found.shown = scene;
    }
    found.statistics = statistics_of(lab, found.shown.get());
    Scene scene = lab.scene();
    stage_.compose(scene);
    found.legend = count_legend(scene);
    return found;
}

void ModelPublisher::set_measured(Measured measured) {
    if (measured.result) name_units(measured.result->numbers, model_.unit);
    name_units(measured.numbers, model_.unit);
    name_units(measured.statistics, model_.unit);
    model_.result = std::move(measured.result);
    model_.numbers = std::move(measured.numbers);
    model_.statistics = std::move(measured.statistics);
    model_.shown = std::move(measured.shown);
    ++model_.measured;
}

// During playback entries accumulate, since passes are faster than reading.
void ModelPublisher::update_legend(std::vector<LayerCounts> counts, bool adds) {
    std::swap(model_.legend_counts, counts);
    if (!adds) return;
    for (LayerCounts& before : counts) {
        const auto same = [&](const LayerCounts& now) { return now.view == before.view && now.layer == before.layer; };
        const auto now = std::find_if(model_.legend_counts.begin(), model_.legend_counts.end(), same);
        if (now == model_.legend_counts.end()) continue;
        for (size_t i = 0; i < std::min(now->entries.size(), before.entries.size()); ++i)
            if (now->entries[i].first == before.entries[i].first) now->entries[i].second += before.entries[i].second;
    }
}

void ModelPublisher::clear_measured() { set_measured(Measured{}); }

void ModelPublisher::set_inspection(Inspection inspection) {
    name_units(inspection.report, model_.unit);
    if (inspection.element != model_.inspection.element) ++model_.inspected;
    model_.inspection = std::move(inspection);
}

/// Finds the element by its lasting name, otherwise the vertex at its present place; none if it is gone.
Element ModelPublisher::find_again(const Lab& lab, const Inspection& found) const {
    const Element none{ElementKind::kVertex, kNone};
    if (!found.name.empty() && found.element.part < model_.scene.view_count()) {
        const Element named =
            named_element(model_.scene.view(found.element.part), found.element.kind, found.name, found.element.part);
        if (named.id != kNone) return named;
    }
    if (found.element.kind != ElementKind::kVertex || found.corners.empty()) return none;
    const Point3 place = moved_ && moved_->first == found.element ? moved_->second : found.corners[0];
    const Element element = pick(lab, {{place.x, place.y}, 0, {}, found.element.part});
    if (element.kind != ElementKind::kVertex || element.id == kNone) return none;
    const std::vector<Point3> corners = inspect_element(lab, element).corners;
    return !corners.empty() && corners[0].x == place.x && corners[0].y == place.y ? element : none;
}

Inspection ModelPublisher::inspect_again(const Lab& lab, const Inspection& found) const {
    if (!found.any()) return found;
    const bool another = renumbered_ && found.element.kind != ElementKind::kPixel;  // pixels keep their ids
    const Element element = another ? find_again(lab, found) : found.element;
    const bool there = element.part < model_.scene.view_count();
    const uint32_t count = there ? model_.scene.view(element.part).count_of(element.kind) : 0;
    return element.id < count ? inspect_element(lab, element, &stage_) : Inspection{};
}

void ModelPublisher::set_check(CheckReport report) {
    forget_check();
    if (!report.checked) return;
    model_.check = std::move(report);
    checked_at_ = state_id_;
    put_failures_into_legend(model_.scene, *model_.check);  // the published scene lacks them
}

void ModelPublisher::forget_check() {
    model_.check.reset();
    model_.failure = SIZE_MAX;
}

void ModelPublisher::choose_failure(size_t index) {
    if (model_.check && index < model_.check->failures.size()) model_.failure = index;
}

// Detections from `round` on belong to a discarded history.
size_t ModelPublisher::detections_before(uint64_t round) const {
    const std::vector<Detection>& detections = model_.detections;
    const auto first = std::ranges::find_if(detections, [&](const Detection& one) { return one.round >= round; });
    return static_cast<size_t>(first - detections.begin());
}

void ModelPublisher::clear_detections() {
    model_.detections = {};
    model_.spread = {};
    model_.detail_view = {};
    model_.found = 0;
}

// Appends new detections. Going back keeps the known ones.
void ModelPublisher::update_detections(const Lab& lab, TimelineUpdate update) {
    std::vector<Detection>& detections = model_.detections;
    const bool cleared = update.kept < detections.size();
    detections.resize(update.kept);
    if (cleared && model_.detail_view.any() && model_.detail_view.detection >= update.kept) model_.detail_view = {};
    if (detections.empty())
        detections = std::move(update.detections);
    else
        detections.insert(detections.end(), std::make_move_iterator(update.detections.begin()),
                          std::make_move_iterator(update.detections.end()));
    model_.spread = update.spread;
    const auto* detector = find_facet<Detector>(lab);
    model_.found = detector ? std::min(detector->detection_count(), detections.size()) : 0;
    model_.detection_units = detector ? detector->detection_units() : DetectionUnits{};
    if (model_.detection_units.length.empty()) model_.detection_units.length = model_.unit;
    if (model_.detail_view.any() && !model_.detail_view.is_inspected)
        model_.detail_view = inspect_detail(lab, model_.detail_view);
}

std::optional<uint64_t> ModelPublisher::position_of(const Detection& detection) const {
    const auto [begin, end] = model_.history.stretch_of_round(static_cast<uint32_t>(detection.round));
    if (begin < end && begin < model_.history.recent_begin()) return std::nullopt;
    uint64_t last = 0, breakpoint = 0;
    for (uint64_t i = begin; i < end; ++i) {
        const StepResult& step = model_.history[i];
        if (step.round != detection.round) continue;
        last = i + 1;
        if (step.breakpoint_hit) breakpoint = last;
    }
    return breakpoint > 0 ? breakpoint : last;
}

DetailView ModelPublisher::inspect_detail(const Lab& lab, DetailView detail_view) {
    const auto* detector = find_facet<Detector>(lab);
    if (!detector || !detector->can_report_detection(detail_view.detection)) return detail_view;
    detail_view.diagrams = detector->report_of_detection(detail_view.detection).all<Diagram>();
    detail_view.is_inspected = true;
    return detail_view;
}

void ModelPublisher::set_detail_view(DetailView detail_view) {
    if (detail_view.is_inspected && model_.detail_view.detection == detail_view.detection)
        model_.detail_view = std::move(detail_view);
}

}  // namespace flipscope::app
