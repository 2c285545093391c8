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

/// Adds the origin of a field to that of the points it joined, or the reverse.
std::optional<Scenario> joined_origin(std::optional<Scenario> fresh, const std::optional<Scenario>& before,
                                      const Geometry& input, const Geometry* input_before) {
    const bool both = input.field && !input.points.empty() && input_before && fresh && fresh->field.empty();
    if (!both || !before || input_before == &input) return fresh;
    if (input.field == input_before->field) {
        fresh->field = before->field.empty() ? before->input : before->field;
        return fresh;
    }
    if (input.points != input_before->points) return fresh;
    Scenario whole = *before;
    whole.field = fresh->input;
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
    for (const std::filesystem::path& file : {scenario.input, scenario.triangles, scenario.tracks, scenario.field})
        if (const auto time = file.empty() ? std::nullopt : time_of(file)) files.push_back({file, *time});
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

Opening InputLoader::from_memory(std::shared_ptr<const Geometry> input, std::vector<std::string> notes,
                                 std::string source, std::optional<Scenario> origin) const {
    const bool alone = origin && origin->triangles.empty() && origin->triangles_given.empty() && origin->tracks.empty();
    const bool are_tracks = origin && !origin->tracks.empty() && origin->input.empty() && origin->points.empty() &&
                            origin->places_given.empty() && origin->field.empty();
    FileTimes files = origin ? times_of(*origin) : FileTimes{};
    return {.title = "Preparing",
            .input =
                [input = std::move(input), said = std::move(notes)](const LabInfo&,
                                                                    std::vector<std::string>& notes_of_opening) {
                    notes_of_opening = said;
                    return input;
                },
            .source = std::move(source),
            .previous_input = input_,
            .table = are_tracks ? TableSource{origin->tracks, nullptr, true}
                     : alone    ? TableSource{origin->input, nullptr}
                                : TableSource{},
            .read = alone || are_tracks ? origin->read : ReadOptions{},
            .origin = std::move(origin),
            .files = std::move(files)};
}

/// The result of `read`, alone or joined to the present input.
Opening::MakeInput InputLoader::joined_input(std::function<Geometry(std::vector<std::string>& notes)> read) const {
    return [read = std::move(read), before = input_](const LabInfo& info, std::vector<std::string>& notes) {
        auto geometry = joined(info, before, read(notes));
        if (before && !frames_text(*before).empty() && frames_text(*geometry).empty())
            notes.push_back(frames_text(*before) + ": no longer used");
        const bool moves = needs_another_lab(info, *geometry) || leaves_most_out(info, *geometry);
        return moves ? geometry : fitted(info, geometry, notes);
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
    Scenario origin;
    origin.points = text;
    return {.title = "Making " + text,
            .input = joined_input(
                [text](std::vector<std::string>&) { return check_points(generate(parse_generator(text))); }),
            .source = text,
            .finds_lab = true,
            .previous_input = input_,
            .origin = std::move(origin)};
}

Opening InputLoader::read_table(const TableSource& source, const ReadOptions& read) const {
    std::optional<Scenario> origin;
    std::error_code ignored;
    if (!source.pasted) {
        origin.emplace();
        (source.as_tracks ? origin->tracks : origin->input) = std::filesystem::absolute(source.file, ignored);
        origin->read = read;
    }
    FileTimes files = origin ? times_of(*origin) : FileTimes{};
    return {.title = "Reading " + source.name(),
            .input = joined_input([source, read](std::vector<std::string>& notes) {
                if (source.as_tracks) {
                    Geometry geometry{source.name(), {}};
                    geometry.tracks = std::make_shared<const Tracks>(read_tracks(source.file, &notes, read));
                    return geometry;
                }
                if (!source.pasted) return read_input(source.file, &notes, read);
                try {
                    return read_pasted(*source.pasted, &notes, read);
                } catch (const Error& error) {
                    throw Error(std::string("The clipboard holds no points: ") + error.what());
                }
            }),
            .source = source.pasted ? source.name() : source.file.string(),
            .finds_lab = true,
            .previous_input = input_,
            .table = source,
            .read = read,
            .origin = std::move(origin),
            .files = std::move(files)};
}

std::optional<FileTimes> InputLoader::changed_files() const {
    FileTimes now = files_;
    for (auto& [file, time] : now) time = time_of(file).value_or(time);
    return now == files_ ? std::nullopt : std::optional(std::move(now));
}

Opening InputLoader::start_over() const {
    Opening::MakeInput input = [input = input_](const LabInfo&, std::vector<std::string>&) { return input; };
    for (const auto& [file, time] : files_)
        if (const auto now = time_of(file); now && *now != time)
            input = [file = file, origin = *origin_](const LabInfo& info, std::vector<std::string>& notes) {
                Input read = load_input(origin);
                notes.push_back(file.filename().string() + " has changed, and was read again.");
                notes.insert(notes.end(), read.notes.begin(), read.notes.end());
                return fitted(info, read.geometry, notes);
            };
    FileTimes files = changed_files().value_or(files_);
    const bool same = files == files_;
    return {.title = "Starting over",
            .input = std::move(input),
            .source = source_,
            .previous_input = input_,
            .surface = same ? surface_ : nullptr,
            .table = table_,
            .read = read_,
            .layout = same ? layout_ : std::nullopt,
            .origin = origin_,
            .files = std::move(files),
            .edits = edits_};
}

Opening InputLoader::edited(Geometry points, uint64_t edits) const {
    constexpr const char* kEdited = ", edited";
    const bool from_nothing = input_->points.empty();
    points.name = from_nothing                     ? "points made by hand"
                  : points.name.ends_with(kEdited) ? points.name
                                                   : points.name + kEdited;
    Scenario origin;
    origin.places_given = points.points;
    const std::string source = points.name;
    std::vector<std::string> notes;
    for (const auto& [file, time] : files_)
        if (const auto now = time_of(file); now && *now != time)
            notes.push_back(file.filename().string() +
                            " has changed. It was not read again, because of the manual edits; open it to read it.");
    Opening opening =
        from_memory(std::make_shared<const Geometry>(std::move(points)), std::move(notes), source, std::move(origin));
    opening.title = "Starting over";
    opening.edits = edits_ + edits;
    return opening;
}

Opening InputLoader::leave_out(Part part) const {
    const bool points = part == Part::kPoints;
    const auto input = [before = input_, points](const LabInfo& info, std::vector<std::string>& notes) {
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
        return completed(info, std::make_shared<const Geometry>(std::move(alone)), notes);
    };
    std::optional<Scenario> origin = origin_;
    if (origin && points) {
        if (!origin->field.empty() || !origin->tracks.empty()) origin->input.clear();
        origin->points.clear();
        origin->places_given.clear();
        origin->triangles.clear();
        origin->triangles_given.clear();
    } else if (origin) {
        origin->field.clear();
        origin->tracks.clear();
    }
    return {.title = "Starting over",
            .input = input,
            .source = points ? "" : source_,
            .previous_input = input_,
            .origin = std::move(origin),
            .files = files_,
            .edits = edits_};
}

Opening InputLoader::in_lab(const std::string& id) const {
    const auto surface = input_->in_space() ? input_ : surface_;
    const auto input = [before = input_, surface](const LabInfo& info, std::vector<std::string>& notes) {
        return fitted(info, surface && info.inputs.has(InputKind::kSurfaces) ? surface : before, notes);
    };
    return {.title = "Opening the lab",
            .lab = id,
            .input = input,
            .source = source_,
            .previous_input = input_,
            .surface = surface,
            .table = table_,
            .read = read_,
            .layout = layout_,
            .origin = origin_,
            .files = files_,
            .edits = edits_};
}

Opened InputLoader::open(const Opening& opening, Timeline& present, const DeviceFor& device_for) const {
    Opened made;
    const auto& lab = opening.lab;
    if (!lab.empty()) made.timeline = std::make_unique<Timeline>(labs_.make(lab));
    if (lab.empty() && opening.remakes_lab)
        made.timeline = std::make_unique<Timeline>(labs_.make(present.lab().info().id));
    bool same_lab = lab.empty();
    Timeline* timeline = made.timeline ? made.timeline.get() : &present;
    auto geometry = opening.input(timeline->lab().info(), made.notes);
    throw_if_cancelled();
    const LabInfo& asked = timeline->lab().info();
    if (lab.empty() &&
        (needs_another_lab(asked, *geometry) || (opening.finds_lab && leaves_most_out(asked, *geometry)))) {
        made.timeline = std::make_unique<Timeline>(labs_.make(labs_.lab_for(*geometry)));
        timeline = made.timeline.get();
        same_lab = false;
        const LabInfo& info = timeline->lab().info();
        require_fit(info, *geometry);
        geometry = fitted(info, joined(info, opening.previous_input, *geometry), made.notes);
        made.notes.push_back(geometry->name + " is opened in the " + info.title);
    }
    if (!lab.empty())
        for (const auto& [name, value] : opening.lab_parameters) set_parameter(made.timeline->lab(), name, value);
    if (same_lab)
        for (const auto& [name, value] : opening.parameters) set_parameter(timeline->lab(), name, value);
    Context& context = device_for(timeline->lab().info());
    std::optional<FreshTimings> timings;
    if (!same_lab) timings.emplace(context);
    try {
        timeline->reset(context, geometry);
    } catch (const Error& error) {
        made.timeline = show_refused_mesh(timeline->lab(), geometry, context);
        if (!made.timeline) throw;
        made.refusal = error.what();
    }
    if (timings) timings->keep();
    const bool empty = geometry->points.empty() && !geometry->field && !geometry->tracks && !geometry->recording;
    made.bounds = empty ? SpaceBounds{empty_window_.low, empty_window_.high, 0, 0} : bounds_of(*geometry);
    made.input = std::move(geometry);
    made.table = opening.layout ? opening.layout : layout_of(opening.table, opening.read);
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

void InputLoader::adopt(const Opening& opening, const Opened& opened) {
    if (input_ != opened.input || source_ != opening.source) ++revision_;
    origin_ = joined_origin(opening.origin, origin_, *opened.input, input_.get());
    files_ = opening.files;
    edits_ = opening.edits;
    input_ = opened.input;
    surface_ = input_->in_space() ? nullptr : opening.surface;
    source_ = opening.source;
    table_ = opening.table;
    read_ = opening.read;
    layout_ = opened.table;
}

}  // namespace flipscope::app
