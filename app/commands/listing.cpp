// `flipscope list` and `flipscope info`: the features of this build, and the machine's support for them. Print on
// stdout.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "app/base/endings.h"
#include "app/base/folders.h"
#include "app/base/number_text.h"
#include "app/commands/options.h"
#include "app/figures/picture.h"
#include "app/judging/failing.h"
#include "app/run/detections.h"
#include "app/session/preferences.h"
#include "app/window/actions.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "geometry/generators.h"
#include "instruments/scene_statistics.h"
#include "io/geometry.h"
#include "io/mesh.h"
#include "io/recording.h"
#include "io/state_file.h"
#include "io/triangles.h"
#include "judge/adversarial.h"
#include "lab/parameters.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

constexpr int kIndent = 2;

/// At least two blanks between name and text: tests/docs/check_docs.py reads these lists.
void line(int indent, const std::string& name, const std::string& text) {
    const int characters = static_cast<int>(characters_in(name));
    std::printf("%*s%s%*s  %s\n", indent, "", name.c_str(), std::max(21 - indent - characters, 0), "", text.c_str());
}

/// The default input.
std::string start_text(const LabInfo& info) {
    const std::string example = info.example ? info.example : "";
    return example.empty() ? "it makes its own" : example;
}

/// The entries of this lab; of all if it is empty.
auto labs_called(const std::string& lab) {
    return registry() | std::views::filter([&](const auto& entry) { return lab.empty() || entry.id == lab; });
}

void list_labs(const std::string& lab) {
    for (const auto& entry : labs_called(lab)) {
        const LabInfo info = entry.info();
        line(kIndent, info.id, info.title + ": " + info.sentence);
        line(kIndent, "", info.paper);
        line(kIndent, "",
             std::string("Takes points") + (info.inputs.has(InputKind::kMeshes) ? ", triangulations" : "") +
                 (info.inputs.has(InputKind::kSurfaces) ? ", surfaces in space" : "") +
                 (info.inputs.has(InputKind::kFields) ? ", pictures and other fields on a lattice" : "") +
                 (info.inputs.has(InputKind::kTracks) ? ", points over time" : "") +
                 (info.inputs.has(InputKind::kRecordings) ? ", recordings of other programs" : "") +
                 "; without input, " + start_text(info) + ".");
        if (!info.detects.empty())
            line(kIndent, "",
                 "Detects " + words_of(info) + ": --export " + words_of(info) + ".csv writes them, --json lists them.");
    }
}

void list_arrays(const std::string& lab) {
    for (const auto& entry : labs_called(lab)) {
        const auto algorithm = entry.make();
        std::vector<ArrayInfo> arrays = arrays_of(*algorithm);
        if (const auto* exporter = find_facet<TableExporter>(*algorithm))
            for (ArrayInfo& table : exporter->tables()) {
                table.name += ".csv";
                arrays.push_back(std::move(table));
            }
        if (arrays.empty()) continue;
        std::printf("  %s\n", entry.id.c_str());
        for (const auto& array : arrays) line(2 * kIndent, array.name, array.sentence);
    }
    std::puts("  any lab that shows points, of what it shows in the end");
    for (const auto& array : SceneStatistics::arrays()) line(2 * kIndent, array.name, array.sentence);
    std::puts("  and the input's columns, by their names");
    std::puts("  Written as --export NAME.npy or --export ANYTHING-NAME.npy; numbers of a row also as .csv.");
}

void list_passes(const std::string& lab) {
    for (const auto& entry : labs_called(lab)) {
        const LabInfo info = entry.info();
        std::printf("  %s\n", info.id.c_str());
        for (const auto& pass : info.passes) line(2 * kIndent, pass.name, pass.sentence);
        std::printf("  %s, counters\n", info.id.c_str());
        for (const auto& counter : info.counters) line(2 * kIndent, counter.name, counter.sentence);
        if (!info.measures.empty()) std::printf("  %s, measures\n", info.id.c_str());
        for (const auto& measure : info.measures)
            line(2 * kIndent, measure.name, measure.sentence + (measure.unit.empty() ? "" : " (" + measure.unit + ")"));
    }
}

void list_all_parameters(const std::string& lab) {
    for (const auto& entry : labs_called(lab)) {
        const auto algorithm = entry.make();
        const auto parameters = list_parameters(*algorithm);
        std::printf("  %s%s\n", entry.id.c_str(), parameters.empty() ? " has none" : "");
        std::string group;
        for (const auto& parameter : parameters) {
            if (parameter.group != group) std::printf("%*s%s\n", 2 * kIndent, "", parameter.group.c_str());
            group = parameter.group;
            line(2 * kIndent, parameter.name,
                 parameter.sentence + " (" + parameter.range() + "; " + parameter.value +
                     (parameter.effect == EffectAt::kStep   ? "; during a run"
                      : parameter.effect == EffectAt::kView ? "; at once"
                                                            : "") +
                     ")");
            for (const auto& option : parameter.options) line(3 * kIndent, option.name, option.sentence);
        }
    }
}

void list_generators(const std::string&) {
    for (const GeneratorGroup& group : generator_groups()) {
        std::printf("  %s\n", group.name.c_str());
        for (const auto& generator : generators()) {
            if (!group.has(generator)) continue;
            const std::string slow =
                generator.second_count > 0 ? "; about " + with_commas(generator.second_count) + " in a second" : "";
            line(2 * kIndent, generator.name,
                 generator.sentence + " (" +
                     (generator.min_count > 0 ? with_commas(generator.min_count) + " to " : "up to ") +
                     with_commas(generator.max_count) + slow + ")");
            if (!generator.source.empty()) line(2 * kIndent, "", generator.source);
            for (const GeneratorOption& option : generator.options)
                line(3 * kIndent, option.name,
                     option.sentence + " (" + option.range_text() + "; " + option.usual_value_text() + ")");
        }
    }
    std::puts("  small adversarial sets, which 'flipscope torture' gives to programs");
    for (const AdversarialKind& kind : adversarial_kinds()) line(2 * kIndent, kind.name, kind.sentence);
    std::puts(
        "  Written NAME:COUNT or NAME:COUNT@scale=S,x=X,y=Y,seed=N, as in ring:1e4@x=1e6,seed=7, with options of");
    std::puts("  the generator among them: thomas:1e4@mean=30,sigma=0.01.");
}

void list_formats(const std::string&) {
    const auto list = [](const char* heading, const std::vector<FormatInfo>& formats) {
        std::printf("  %s\n", heading);
        for (const auto& format : formats) line(2 * kIndent, join_words(format.extensions, ", "), format.sentence);
    };
    list("points, points over time, meshes and fields on a lattice, read", geometry_formats());
    list("triangles over points, read", triangle_formats());
    list("recordings of other programs, read, and folders of a mesh for each step", recording_formats());
    list("triangulations, written", mesh_formats());
    std::printf("  what labs detect, written\n");
    for (const auto& entry : registry()) {
        const LabInfo info = entry.info();
        if (info.detects.empty()) continue;
        std::string columns = "time, round, kind, place, vertices";
        if (info.detects_changes) columns += ", lost and created contacts";
        for (const MeasureInfo& measure : info.detection_measures) columns += ", " + measure.name;
        line(2 * kIndent, words_of(info) + ".csv", "a line each: " + columns);
    }
    std::printf("  curves of one run or of a sweep, written by --plot\n");
    line(2 * kIndent, ".svg, .pdf, .png, .csv", "drawn over each other with a legend; or a line for each point");
    std::printf("  arrays, written by labs that have some (see 'flipscope list arrays')\n");
    line(2 * kIndent, ".npy", "NumPy's, named after the array: colours.npy, run7-colours.npy");
    line(2 * kIndent, ".csv", "a line for each row, numbers with commas between them: links.csv, run7-links.csv");
    line(2 * kIndent, ".vtk", "VTK's legacy format, of numbers for each pixel of a lattice: velocity.vtk");
    std::printf("  tables of elements, written by labs that show points\n");
    line(2 * kIndent, ".csv, .npz, .json",
         "points, edges, triangles, cells: their rows in the input, places, columns and measures, with units");
    line(2 * kIndent, ".geojson, .wkt, .svg, .shp, .gpkg",
         "cells: the polygons of the Voronoi cells; the latter two where GDAL is installed");
    std::printf("  statistics, written by labs that show points\n");
    line(2 * kIndent, ".csv", "statistics: a quantity a line; histograms; curves");
    std::printf("  points over time, written by labs that record them\n");
    line(2 * kIndent, ".xyz", "extended XYZ, a frame for each recorded step: places, species, Time, the periodic box");
    std::printf("  saved runs, written by --save and read by --resume\n");
    line(2 * kIndent, kStateExtension, "a lab's state, its parameters, and what it was started on");
    std::printf("  scenarios, read\n");
    line(2 * kIndent, ".json",
         "lab, points (or mesh) or input, triangles, field, tracks, seed, parameters, play or at, presenter_scale, "
         "show, hide, beta, alpha, colour_by, within, spatial, colour_map, colour_range, colour_scale, colour_steps, "
         "size_by, select, "
         "scatter, log_axes, curve, failure, title, note");
}

void list_defects(const std::string&) {
    std::puts("  what 'flipscope check' finds");
    for (const DefectCode& defect : defect_codes()) line(2 * kIndent, defect.code, defect.sentence);
    std::puts("  what the checks of labs find besides");
    for (const DefectCode& failure : lab_failure_codes()) line(2 * kIndent, failure.code, failure.sentence);
}

/// Keys of the window.
void list_keys(const std::string&) {
    std::string group;
    for (const KeyRow& row : key_rows()) {
        if (row.group != group) std::printf("  %s\n", row.group.c_str());
        group = row.group;
        line(2 * kIndent, row.keys(", "), row.help);
    }
}

/// Latest first; marks missing files.
void list_recent() {
    std::vector<std::string> said;
    for (const std::string& file : RecentFiles(state_folder()).read(said))
        std::printf("  %s%s\n", printable(file).c_str(), is_there(file) ? "" : " (not there any more)");
    for (const std::string& sentence : said) tell(sentence);
}

constexpr std::pair<const char*, void (*)(const std::string& lab)> kLists[] = {{"labs", list_labs},
                                                                               {"passes", list_passes},
                                                                               {"parameters", list_all_parameters},
                                                                               {"arrays", list_arrays},
                                                                               {"generators", list_generators},
                                                                               {"formats", list_formats},
                                                                               {"defects", list_defects},
                                                                               {"keys", list_keys}};

struct ListOptions {
    std::string what;  // one of kLists, or recent; empty: all except recent, each under a heading
    std::string lab;   // restricts labs, passes, parameters and arrays to this lab; empty: all labs
};

int print_list(const ListOptions& options) {
    const auto& [what, lab] = options;
    if (what == "recent") list_recent();
    for (const auto& [name, print] : kLists) {
        if (!what.empty() && what != name) continue;
        std::printf("%s%s\n", name,
                    print == list_all_parameters
                        ? " (what they may be; what they are; when they can change but at the start)"
                        : "");
        print(lab);
    }
    return kSuccess;
}

/// Prints devices with their drivers, OpenGL and the kind of shared memory. Never fails: reports what is missing.
int print_info() {
#ifdef FLIPSCOPE_WITH_CUDA
    const char* kind = "for CUDA and CPU threads";
#else
    const char* kind = "for CPU threads only";
#endif
    std::printf("flipscope %s, built %s\n", FLIPSCOPE_VERSION, kind);
    for (const auto& device : list_devices()) {
        std::string name = device.name;
        if (device.device == Device::kCuda && device.usable) name = "CUDA, " + name;
        std::printf("%s: %s%s\n", name.c_str(), device.usable ? "" : "cannot be used: ", device.explanation.c_str());
    }
    const std::string opengl = describe_opengl();
    std::printf("%s\n", opengl.c_str());
    return kSuccess;
}

}  // namespace

Prepare add_list(CLI::App& app) {
    const auto options = std::make_shared<ListOptions>();
    ListOptions& to = *options;
    std::vector<std::string> names;
    for (const auto& [name, print] : kLists) names.push_back(name);
    names.push_back("recent");
    app.add_option("what", to.what,
                   "labs, passes, parameters, arrays, generators, formats, defects, keys; or recent, the files "
                   "opened last; without it, all but recent")
        ->check(CLI::IsMember(names));
    std::vector<std::string> labs;
    for (const auto& entry : registry()) labs.push_back(entry.id);
    app.add_option("lab", to.lab, "Limits labs, passes, parameters and arrays to this lab")->check(CLI::IsMember(labs));
    return [options] {
        const auto& [what, lab] = *options;
        if (!lab.empty() && is_one_of(what, {"generators", "formats", "defects", "recent"}))
            throw Error("list " + what + " " + lab + ": " + what + " belong to no lab; leave " + lab + " out");
        return [options] { return print_list(*options); };
    };
}

Prepare add_info(CLI::App&) {
    return [] { return print_info; };
}

}  // namespace flipscope::app
