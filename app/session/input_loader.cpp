#include "app/session/input_loader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/run/inputs.h"
#include "compute/error.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "geometry/recording.h"
#include "instruments/refused_input.h"
#include "io/fields.h"
#include "io/files.h"
#include "io/pasted.h"
#include "io/points.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

/// Whether this lab cannot use the input but another may.
bool needs_another_lab(const LabInfo& info, const Geometry& input) {
    return input.points.empty() && ((input.field && !info.inputs.has(InputKind::kFields)) ||
                                    (input.tracks && !info.inputs.has(InputKind::kTracks)));
}

/// Whether this lab would use only the last step of a recording, or only x and y of a surface.
bool leaves_most_out(const LabInfo& info, const Geometry& input) {
    return (input.recording && !info.inputs.has(InputKind::kRecordings)) ||
           (input.in_space() && !info.inputs.has(InputKind::kSurfaces));
}

/// Clears the timings for another lab, and restores them if it does not start.
class FreshTimings {
  public:
    explicit FreshTimings(Context& context) : context_(context) {
        context.synchronize();  // books launches of the previous lab first
        context.collect_timings();
        before_ = context.timings();
        context.timings().clear();
    }
    ~FreshTimings() {
        if (!kept_) context_.timings() = std::move(before_);
    }
    FreshTimings(const FreshTimings&) = delete;
    FreshTimings& operator=(const FreshTimings&) = delete;
    void keep() { kept_ = true; }

  private:
    Context& context_;
    Timings before_;
    bool kept_ = false;
};

/// Adds the name of a field to that of the points it joined, or the reverse.
Scenario joined_names(Scenario fresh, const Opening& before, const Geometry& input) {
    const bool both =
        input.field && !input.points.empty() && before.input && fresh.names_input() && fresh.field.empty();
    if (!both || !before.run.names_input() || before.input.get() == &input) return fresh;
    if (input.field == before.input->field) {
        fresh.field = before.run.field.empty() ? before.run.input : before.run.field;
        return fresh;
    }
    if (input.points != before.input->points) return fresh;
    Scenario whole = before.run;
    whole.field = fresh.input;
    return whole;
}

/// Modification time; nothing if there is no file.
std::optional<std::filesystem::file_time_type> time_of(const std::filesystem::path& file) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(file, error);
    if (error) return std::nullopt;
    return time;
}

FileTimes times_of(const Scenario& scenario) {
    FileTimes files;
    for (const auto& [key, member] : kInputFiles)
        if (const auto time = time_of(scenario.*member)) files.push_back({scenario.*member, *time});
    return files;
}

}  // namespace

SpaceBounds bounds_of(const Geometry& input) {
    if (input.recording) {
        const auto [low, high] = bounds_of(*input.recording);
        return {low, high, 0, 0};
    }
    if (input.points.empty() && input.field && input.field->frame_count() > 0)
        return {{-0.5, -0.5}, {input.field->width - 0.5, input.field->height - 0.5}, 0, 0};
    if (input.points.empty() && input.tracks && !input.tracks->places.empty())
        return bounds_of({input.name, input.tracks->places});
    if (input.points.empty()) return {{0, 0}, {1, 1}, 0, 0};  // room for points added by hand
    auto [low, high] = bounds_of(input.points);
    if (low == high && !input.in_space()) {  // the square of side 1 around a single place
        const double half = std::max(0.5, 1e-6 * std::max(std::fabs(low.x), std::fabs(low.y)));
        low = {low.x - half, low.y - half};
        high = {high.x + half, high.y + half};
    }
    if (!input.in_space()) return {low, high, 0, 0};
    const auto [low_z, high_z] = std::minmax_element(input.heights.begin(), input.heights.end());
    return {low, high, *low_z, *high_z};
}

LabSource LabSource::registered() {
    return {[](const std::string& id) { return make_lab(id); },
            [](const Geometry& input) { return app::lab_for(input); }};
}

Opening InputLoader::from_memory(Scenario run, std::shared_ptr<const Geometry> input, std::string source,
                                 std::vector<std::string> notes) const {
    const bool alone = run.triangles.empty() && run.triangles_given.empty() && run.tracks.empty();
    const bool are_tracks =
        !run.tracks.empty() && run.input.empty() && run.points.empty() && run.places_given.empty() && run.field.empty();
    Opening opening{.title = "Preparing",
                    .run = std::move(run),
                    .input = std::move(input),
                    .notes = std::move(notes),
                    .source = std::move(source)};
    if (are_tracks) opening.table = {opening.run.tracks, nullptr, true};
    if (alone) opening.table.file = opening.run.input;
    if (alone || are_tracks) opening.read = opening.run.read;
    opening.files = times_of(opening.run);
    return opening;
}

Opening InputLoader::from_run(const Run& run, std::string source) const {
    const Input& input = run.input();
    if (source.empty()) source = input.text;
    Opening opening = from_memory(run.scenario(), input.geometry, std::move(source), input.notes);
    opening.layout = input.layout;
    return opening;
}

/// The result of `read`, alone or joined to the present input.
Opening::MakeInput InputLoader::joined_input(std::function<Geometry(Opened& made)> read) const {
    return [read = std::move(read), before = present_.input](const LabInfo& info, Opened& made) {
        auto geometry = joined(info, before, read(made));
        if (before && !frames_text(*before).empty() && frames_text(*geometry).empty())
            made.notes.push_back(frames_text(*before) + ": no longer used");
        const bool moves = needs_another_lab(info, *geometry) || leaves_most_out(info, *geometry);
        return moves ? geometry : fitted(info, geometry, made.notes);
    };
}

Opening InputLoader::load(const std::string& text, bool is_file) const {
    if (is_file) {
        Opening opening = read_table({io::user_path(text), nullptr}, {});
        opening.title = "Reading " + text;
        opening.source = text;
        opening.chooses_columns = true;
        return opening;
    }
    Opening opening{
        .title = "Making " + text,
        .make_input = joined_input([text](Opened&) { return check_points(generate(parse_generator(text))); }),
        .source = text,
        .finds_lab = true};
    opening.run.points = text;
    return opening;
}

Opening InputLoader::read_table(const TableSource& source, const ReadOptions& read) const {
    Scenario names;
    std::error_code ignored;
    if (!source.pasted) {
        (source.as_tracks ? names.tracks : names.input) = std::filesystem::absolute(source.file, ignored);
        names.read = read;
    }
    return {.title = "Reading " + source.name(),
            .run = names,
            .make_input = joined_input([source, read](Opened& made) {
                if (source.as_tracks) {
                    Geometry geometry{source.name(), {}};
                    geometry.tracks = std::make_shared<const Tracks>(read_tracks(source.file, &made.notes, read));
                    return geometry;
                }
                if (!source.pasted) return read_input(source.file, &made.notes, read, &made.table.emplace());
                return placed("The clipboard holds no points",
                              [&] { return read_pasted(*source.pasted, &made.notes, read, &made.table.emplace()); });
            }),
            .source = source.pasted ? source.name() : source.file.string(),
            .finds_lab = true,
            .table = source,
            .read = read,
            .files = times_of(names)};
}

std::optional<FileTimes> InputLoader::changed_files() const {
    FileTimes now = present_.files;
    for (auto& [file, time] : now) time = time_of(file).value_or(time);
    return now == present_.files ? std::nullopt : std::optional(std::move(now));
}

Opening InputLoader::start_over() const {
    Opening opening = present_;
    opening.title = "Starting over";
    const std::optional<FileTimes> changed = changed_files();
    if (!changed) return opening;
    std::string name;
    for (size_t i = 0; i < changed->size(); ++i)
        if ((*changed)[i] != present_.files[i]) name = (*changed)[i].first.filename().string();
    opening.make_input = [name, run = present_.run](const LabInfo& info, Opened& made) {
        Input read = load_input(run);
        made.notes.push_back(name + " has changed, and was read again.");
        made.notes.insert(made.notes.end(), read.notes.begin(), read.notes.end());
        return fitted(info, read.geometry, made.notes);
    };
    opening.surface = nullptr;
    opening.layout.reset();
    opening.files = *changed;
    return opening;
}

Opening InputLoader::edited(Geometry points, uint64_t edits) const {
    constexpr const char* kEdited = ", edited";
    const bool from_nothing = present_.input->points.empty();
    points.name = from_nothing                     ? "points made by hand"
                  : points.name.ends_with(kEdited) ? points.name
                                                   : points.name + kEdited;
    Scenario run;
    run.places_given = points.points;
    const std::string source = points.name;
    Opening opening = from_memory(std::move(run), std::make_shared<const Geometry>(std::move(points)), source);
    for (const auto& [file, time] : present_.files)
        if (const auto now = time_of(file); now && *now != time)
            opening.notes.push_back(
                file.filename().string() +
                " has changed. It was not read again, because of the manual edits; open it to read it.");
    opening.title = "Starting over";
    opening.edits = present_.edits + edits;
    return opening;
}

Opening InputLoader::leave_out(Part part) const {
    const bool points = part == Part::kPoints;
    const auto input = [before = present_.input, points](const LabInfo& info, Opened& made) {
        Geometry alone = *before;
        if (points) {
            alone.points.clear();
            alone.triangles.clear();
            alone.heights.clear();
            alone.level = 0;
        } else {
            alone.field.reset();
            alone.tracks.reset();
            alone.recording.reset();
        }
        if (alone.points.empty()) alone.name = alone.field ? alone.field->name : "";
        return completed(info, std::make_shared<const Geometry>(std::move(alone)), made.notes);
    };
    Opening opening{.title = "Starting over",
                    .run = present_.run,
                    .make_input = input,
                    .source = points ? "" : present_.source,
                    .files = present_.files,
                    .edits = present_.edits};
    Scenario& names = opening.run;
    if (points) {
        if (!names.field.empty() || !names.tracks.empty()) names.input.clear();
        names.points.clear();
        names.places_given.clear();
        names.triangles.clear();
        names.triangles_given.clear();
    } else {
        names.field.clear();
        names.tracks.clear();
    }
    return opening;
}

Opening InputLoader::in_lab(const std::string& id) const {
    Opening opening = present_;
    opening.title = "Opening the lab";
    opening.run.lab = id;
    if (present_.input->in_space()) opening.surface = present_.input;
    opening.make_input = [before = present_.input, surface = opening.surface](const LabInfo& info, Opened& made) {
        return fitted(info, surface && info.inputs.has(InputKind::kSurfaces) ? surface : before, made.notes);
    };
    return opening;
}

Opened InputLoader::open(const Opening& opening, Timeline& present, const DeviceFor& device_for,
                         std::unique_ptr<Timeline> lab_made) const {
    Opened made;
    made.notes = opening.notes;
    made.table = opening.layout;
    made.timeline = std::move(lab_made);
    const std::string& lab = opening.run.lab;
    if (!lab.empty() && !made.timeline) {
        made.timeline = std::make_unique<Timeline>(labs_.make(lab));
        for (const auto& [name, value] : opening.run.parameters) set_parameter(made.timeline->lab(), name, value);
    }
    if (lab.empty() && opening.remakes_lab)
        made.timeline = std::make_unique<Timeline>(labs_.make(present.lab().info().id));
    bool same_lab = lab.empty();
    Timeline* timeline = made.timeline ? made.timeline.get() : &present;
    auto geometry = opening.input;
    if (opening.make_input) geometry = opening.make_input(timeline->lab().info(), made);
    throw_if_cancelled();
    const LabInfo& asked = timeline->lab().info();
    if (lab.empty() &&
        (needs_another_lab(asked, *geometry) || (opening.finds_lab && leaves_most_out(asked, *geometry)))) {
        made.timeline = std::make_unique<Timeline>(labs_.make(labs_.lab_for(*geometry)));
        timeline = made.timeline.get();
        same_lab = false;
        const LabInfo& info = timeline->lab().info();
        require_fit(info, *geometry);
        geometry = fitted(info, joined(info, present_.input, *geometry), made.notes);
        made.notes.push_back(geometry->name + " is opened in the " + info.title);
    }
    if (same_lab)
        for (const auto& [name, value] : opening.parameters) set_parameter(timeline->lab(), name, value);
    Context& context = device_for(timeline->lab().info());
    std::optional<FreshTimings> timings;
    if (!same_lab) timings.emplace(context);
    try {
        timeline->reset(context, geometry);
        timeline->plan(opening.run.edits);
    } catch (const Error& error) {
        made.timeline = show_refused_mesh(timeline->lab(), geometry, context);
        if (!made.timeline) throw;
        made.refusal = error.what();
    }
    if (timings) timings->keep();
    made.bounds =
        geometry->has_nothing() ? SpaceBounds{empty_window_.low, empty_window_.high, 0, 0} : bounds_of(*geometry);
    made.input = std::move(geometry);
    if (!made.table) made.table = layout_of(opening.table, opening.read);
    if (made.table && (made.table->columns.empty() || !opening.table.any())) made.table.reset();
    return made;
}

/// A timeline that shows a broken mesh after this lab refused it; nullptr if the mesh is sound.
std::unique_ptr<Timeline> InputLoader::show_refused_mesh(Lab& refusing, std::shared_ptr<const Geometry> input,
                                                         Context& context) const {
    if (input->triangles.empty() || !refusing.info().inputs.has(InputKind::kMeshes)) return nullptr;
    auto lab = labs_.make(refusing.info().id);
    for (const ParameterDescription& parameter : list_parameters(refusing))
        set_parameter(*lab, parameter.name, parameter.value);
    auto timeline = std::make_unique<Timeline>(make_refused_input(std::move(lab)));
    timeline->reset(context, std::move(input));
    if (facet<Checkable>(timeline->lab()).check().passed) return nullptr;
    return timeline;
}

bool InputLoader::adopt(const Opening& opening, const Opened& opened) {
    const bool is_new = present_.input != opened.input || present_.source != opening.source;
    if (is_new) ++revision_;
    Scenario names = joined_names(opening.run, present_, *opened.input);
    names.lab.clear();
    names.parameters.clear();
    names.at.reset();
    names.edits.clear();
    names.play = false;
    names.failure.clear();
    present_ = {.run = std::move(names),
                .input = opened.input,
                .source = opening.source,
                .surface = opened.input->in_space() ? nullptr : opening.surface,
                .table = opening.table,
                .read = opening.read,
                .layout = opened.table,
                .files = opening.files,
                .edits = opening.edits,
                .checks_ends = opening.checks_ends || opening.run.at == Scenario::kAtEnd};
    if (is_new && !opening.run.title.empty() && opening.run.at != Scenario::kAtEnd)
        present_.explained_at = opening.run.at.value_or(0);
    return is_new;
}

}  // namespace flipscope::app
