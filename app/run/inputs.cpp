#include "app/run/inputs.h"

#include <filesystem>

#include "app/base/number_text.h"
#include "app/images/images.h"
#include "app/run/scenario.h"
#include "compute/error.h"
#include "compute/view.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "geometry/recording.h"
#include "io/geometry.h"
#include "io/recording.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

/// Labs that satisfy a condition, for "take voronoi or events".
template <class Question>
std::string labs_where(const Question& question) {
    std::vector<std::string> labs;
    for (const auto& entry : registry())
        if (question(entry.info())) labs.push_back(entry.id);
    return labs.empty() ? "" : "; take " + join_words(labs);
}

/// A surface for a lab of the plane: x and y of its vertices, with the heights as a column.
std::shared_ptr<const Geometry> flattened(const LabInfo& info, const Geometry& surface,
                                          std::vector<std::string>& notes) {
    auto flat = std::make_shared<Geometry>(surface);
    std::vector<Attribute> attributes;
    if (surface.attributes) attributes = *surface.attributes;
    attributes.push_back({"z", std::move(flat->heights), surface.unit});
    flat->heights.clear();
    flat->attributes = std::make_shared<const std::vector<Attribute>>(std::move(attributes));
    const bool with_triangles = info.inputs.has(InputKind::kMeshes);
    if (!with_triangles) flat->triangles.clear();
    notes.push_back(
        surface.name + " is a surface in space, and the " + info.title + " works in the plane: x and y of its " +
        counted(surface.points.size(), "vertex", "vertices") + " count" +
        (with_triangles ? "" : ", its triangles are left out") + ", and its heights are the column \"z\"" +
        labs_where([](const LabInfo& lab) { return lab.inputs.has(InputKind::kSurfaces); }) + " for the surface");
    return flat;
}

}  // namespace

Geometry read_input(const std::filesystem::path& path, std::vector<std::string>* notes, const ReadOptions& options,
                    TableLayout* layout) {
    const FileKind kind = file_kind(path);
    if (kind == FileKind::kState)
        throw Error(path.string() + ": is the name of a saved run, not of an input; flipscope run --resume " +
                    path.string() + " continues it");
    if (kind != FileKind::kFolder) return read_geometry(path, notes, options, layout);
    if (std::optional<Geometry> recording = read_recording_folder(path, notes)) return *std::move(recording);
    auto field = std::make_shared<FieldStack>(read_frame_folder(path, notes, options));
    Geometry geometry;
    geometry.name = field->name;
    geometry.unit = options.unit.empty() ? field->unit : options.unit;
    geometry.field = std::move(field);
    return geometry;
}

void set_triangles(Geometry& points, std::vector<std::array<uint32_t, 3>> triangles) {
    if (!points.rows.empty()) {
        std::vector<uint32_t> points_of_rows(points.rows.back() + 1, kNone);
        for (size_t i = 0; i < points.rows.size(); ++i) points_of_rows[points.rows[i]] = static_cast<uint32_t>(i);
        for (auto& triangle : triangles)
            for (uint32_t& corner : triangle) corner = corner < points_of_rows.size() ? points_of_rows[corner] : kNone;
    }
    points.triangles = std::move(triangles);
}

size_t row_count(const Geometry& points) { return points.rows.empty() ? points.points.size() : points.rows.back() + 1; }

std::string lab_for(const Geometry& input) {
    // Labels are cells, like those of a film: labs of frames accept them.
    const bool over_time = input.tracks || (input.field && (input.field->frame_count() > 1 || input.field->labels));
    for (const auto& entry : registry()) {
        const LabInfo info = entry.info();
        const bool fits =
            input.recording ? info.inputs.has(InputKind::kRecordings)
            : over_time   ? info.inputs.has(InputKind::kTracks) && (!input.field || info.inputs.has(InputKind::kFields))
            : input.field ? info.inputs.has(InputKind::kFields)
                          : (input.triangles.empty() || info.inputs.has(InputKind::kMeshes)) &&
                                (!input.in_space() || info.inputs.has(InputKind::kSurfaces));
        if (fits) return info.id;
    }
    return registry().front().id;
}

std::vector<std::string> left_out(const LabInfo& info, const Geometry& input) {
    std::vector<std::string> sentences;
    if (input.recording && !info.inputs.has(InputKind::kRecordings))
        sentences.push_back(input.recording->name + ": the " + info.title + " uses only its last step");
    if (!input.triangles.empty() && !info.inputs.has(InputKind::kMeshes))
        sentences.push_back(input.name + ": the " + info.title + " takes the points and leaves the triangles out");
    if (input.field && !info.inputs.has(InputKind::kFields))
        sentences.push_back(input.field->name + ": the " + info.title + " takes no fields and leaves it out");
    if (input.tracks && !info.inputs.has(InputKind::kTracks))
        sentences.push_back(input.tracks->name + ": the " + info.title +
                            " takes no points over time and leaves them out");
    return sentences;
}

DeviceRequest device_for(const LabInfo& info, DeviceRequest preferred) {
    return info.on_cpu_only && preferred == DeviceRequest::kAuto ? DeviceRequest::kCpu : preferred;
}

bool lacks_points(const LabInfo& info, const Geometry& input) {
    return !info.inputs.has(InputKind::kNothing) && input.points.empty();
}

void require_fit(const LabInfo& info, const Geometry& input) {
    if (!input.points.empty()) return;
    if (input.tracks && !info.inputs.has(InputKind::kTracks))
        throw Error(input.tracks->name + " has points over time, and \"" + info.id + "\" needs fixed points" +
                    labs_where([](const LabInfo& lab) { return lab.inputs.has(InputKind::kTracks); }));
    if (input.field && !info.inputs.has(InputKind::kFields))
        throw Error(input.field->name + " is a field on a lattice, and \"" + info.id + "\" needs points" +
                    labs_where([](const LabInfo& lab) { return lab.inputs.has(InputKind::kFields); }));
}

std::shared_ptr<const Geometry> joined(const LabInfo& info, const std::shared_ptr<const Geometry>& before,
                                       Geometry fresh) {
    const bool one_frame = info.inputs.has(InputKind::kFields) && !info.inputs.has(InputKind::kTracks);
    if (before && one_frame && !fresh.tracks) {
        const bool points = fresh.points.empty() && fresh.field && !before->points.empty() && !before->in_space();
        const bool field = !fresh.points.empty() && !fresh.in_space() && !fresh.field && before->field;
        if (points) {
            fresh.points = before->points;
            fresh.triangles = before->triangles;
            fresh.level = before->level;
            fresh.name = before->name;
        }
        if (field) fresh.field = before->field;
    }
    return std::make_shared<const Geometry>(std::move(fresh));
}

std::shared_ptr<const Geometry> completed(const LabInfo& info, std::shared_ptr<const Geometry> input,
                                          std::vector<std::string>& notes) {
    // an empty generator, "uniform:0", is deliberate
    const bool given = !input->field && !input->tracks && !input->name.empty();
    if (given || !lacks_points(info, *input) || !info.example || !*info.example) return input;
    auto whole = std::make_shared<Geometry>(*input);
    Geometry made = generate(parse_generator(info.example));
    whole->points = std::move(made.points);
    if (info.inputs.has(InputKind::kMeshes)) whole->triangles = std::move(made.triangles);
    whole->name = info.example;
    notes.push_back("no points are given; the " + info.title + " starts on " + info.example);
    return whole;
}

std::shared_ptr<const Geometry> fitted(const LabInfo& info, std::shared_ptr<const Geometry> input,
                                       std::vector<std::string>& notes) {
    auto whole = completed(info, std::move(input), notes);
    if (whole->in_space() && !info.inputs.has(InputKind::kSurfaces)) whole = flattened(info, *whole, notes);
    for (std::string& sentence : left_out(info, *whole)) notes.push_back(std::move(sentence));
    return whole;
}

std::string frames_text(const Geometry& input) {
    if (input.recording) return input.recording->name + ", " + counted(input.recording->steps.size(), "step");
    if (input.tracks) return input.tracks->name + ", " + counted(input.tracks->frame_count(), "frame");
    if (!input.field) return "";
    const size_t frames = input.field->frame_count();
    return input.field->name + ", " + (frames > 1 ? counted(frames, "frame") + " of " : "") +
           std::to_string(input.field->width) + " × " + std::to_string(input.field->height);
}

}  // namespace flipscope::app
