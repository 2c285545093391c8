#include "app/judging/cases.h"

#include <algorithm>
#include <map>

#include "app/run/inputs.h"
#include "app/run/scenario.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/formats.h"
#include "io/npz_file.h"
#include "io/recording.h"
#include "io/triangles.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

namespace fs = std::filesystem;

/// A file name without its extension, and whether it names points or triangles.
struct Stem {
    std::string text;
    bool says_points = false, says_triangles = false;
};
Stem stem_of(const fs::path& path) {
    Stem stem{path.stem().string()};
    for (const auto& [ending, says] : {std::pair{".points", &Stem::says_points}, {".triangles", &Stem::says_triangles}})
        if (stem.text.ends_with(ending)) {
            stem.text.resize(stem.text.size() - std::string(ending).size());
            stem.*says = true;
        }
    return stem;
}

/// Recordings are skipped; an unreadable archive is reported when it is read.
bool is_recording_archive(const fs::path& path) {
    try {
        const std::string bytes = io::read_file(path);
        return io::has_recorded_steps(io::NpzFile(path, bytes));
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

std::string CaseFiles::name() const {
    return points.filename().string() + (triangles.empty() ? "" : ", " + triangles.filename().string());
}

std::vector<CaseFiles> find_cases(const fs::path& folder, std::vector<std::string>& notes) {
    struct Group {
        std::vector<fs::path> meshes, points, triangles;
    };
    std::map<std::string, Group, bool (*)(const std::string&, const std::string&)> groups(&io::comes_before);
    const FormatInfo mesh{io::mesh_extensions(io::MeshUse::kInFolder), {}};
    uint64_t others = 0;
    for (const fs::path& path : io::files_in(folder)) {
        const std::string extension = io::lower_extension(path);
        const Stem stem = stem_of(path);
        Group& group = groups[stem.text];
        if (has_extension(mesh, extension) && !stem.says_triangles)
            group.meshes.push_back(path);
        else if (stem.says_triangles || is_one_of(extension, {".tri", ".ele"}))
            group.triangles.push_back(path);
        else if (extension == ".npz" && !is_recording_archive(path))
            group.meshes.push_back(path);
        else if (is_one_of(extension, {".xy", ".txt", ".csv", ".tsv", ".node", ".npy", ".xyz"}))
            group.points.push_back(path);
        else
            ++others;
    }
    std::vector<CaseFiles> cases;
    for (auto& [stem, group] : groups) {
        // Next to points in another format, an array contains the triangles.
        const auto array = std::stable_partition(group.points.begin(), group.points.end(), [](const fs::path& path) {
            return io::lower_extension(path) != ".npy" || stem_of(path).says_points;
        });
        if (array != group.points.begin() && group.triangles.empty()) {
            group.triangles.assign(array, group.points.end());
            group.points.erase(array, group.points.end());
        }
        for (const fs::path& mesh : group.meshes) cases.push_back({mesh, {}});
        for (const fs::path& triangles : group.triangles) {
            if (group.points.empty())
                notes.push_back(triangles.string() + ": no points of the same name lie beside it; it is left out");
            else
                cases.push_back({group.points.front(), triangles});
        }
        if (group.triangles.empty())
            for (const fs::path& points : group.points) cases.push_back({points, {}});
    }
    if (others > 0)
        notes.push_back(folder.string() + ": " + std::to_string(others) +
                        (others == 1 ? " file is neither points nor triangles and is left out"
                                     : " files are neither points nor triangles and are left out"));
    if (cases.empty())
        throw Error(
            folder.string() +
            ": no points and no triangles found in this folder; expected files such as a.xy with a.tri, or a.ply");
    return cases;
}

Geometry read_case(const CaseFiles& files, std::vector<std::string>& notes, const ReadOptions& options) {
    Geometry geometry = read_input(files.points, &notes, options);
    if (geometry.recording)
        throw Error(files.points.string() +
                    ": this is a recording, and check looks at one triangulation; 'flipscope run recording --input " +
                    files.points.string() + " --check' checks its last step");
    if (geometry.points.empty() && geometry.triangles.empty() && (geometry.field || geometry.tracks))
        throw Error(files.points.string() + ": " +
                    (geometry.tracks ? "these are points over time" : "this is a field") +
                    ", and check looks at points and triangles; 'flipscope run voronoi' or 'run events' takes it");
    if (files.triangles.empty()) return geometry;
    if (geometry.in_space())
        throw Error(files.points.string() + ": expected points of the plane beside " + files.triangles.string() +
                    ", found a surface in space");
    if (!geometry.triangles.empty())
        notes.push_back(files.points.string() + ": its own triangles are not used, those of " +
                        files.triangles.string() + " are");
    set_triangles(geometry, read_triangles(files.triangles, &notes, row_count(geometry)));
    geometry.name = files.name();
    return geometry;
}

std::vector<fs::path> find_saved_points(const fs::path& folder) {
    std::vector<fs::path> files = io::files_in(folder);
    std::erase_if(files, [](const fs::path& file) {
        return !is_one_of(io::lower_extension(file), {".json", ".xy", ".csv", ".node", ".npy"});
    });
    if (files.empty())
        throw Error(folder.string() +
                    ": expected saved failures in this folder: scenarios (.json) or points (.xy, .csv, .node, .npy)");
    return files;
}

std::vector<Point> read_saved_points(const fs::path& file, const ReadOptions& options,
                                     std::vector<std::string>* notes) {
    Scenario scenario;
    const FileKind kind = file_kind(file);
    if (kind == FileKind::kScenario || kind == FileKind::kLesson) {
        scenario = read_scenario(file);
    } else {
        scenario.input = file;
        scenario.read = options;
    }
    scenario.triangles.clear();
    Input input = load_input(scenario);
    if (notes) notes->insert(notes->end(), input.notes.begin(), input.notes.end());
    if (input.geometry->in_space() || input.geometry->points.empty())
        throw Error(file.string() + ": expected points of the plane");
    return input.geometry->points;
}

}  // namespace flipscope::app
