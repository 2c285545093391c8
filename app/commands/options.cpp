#include "app/commands/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

#include "app/figures/film.h"
#include "app/judging/failing.h"
#include "app/run/exports.h"
#include "app/run/lesson.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/suggest.h"
#include "io/files.h"
#include "io/state_file.h"
#include "lab/parameters.h"
#include "lab/registry.h"

#ifndef FLIPSCOPE_VERSION
#define FLIPSCOPE_VERSION "0.1.0"
#endif

namespace flipscope::app {

namespace {

/// A negative number would wrap around to a huge one.
CLI::Validator not_negative() {
    return {[](std::string& text) {
                return text.rfind('-', 0) == 0 ? "expected a whole number, 0 or more, found \"" + text + "\""
                                               : std::string();
            },
            ""};
}

/// An empty argument, for example from an unset shell variable, would count as absent and run something else; where no
/// argument is expected, CLI11 would wait forever.
void refuse_empty(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool assigns = word.starts_with("--") && word.find('=') == word.size() - 1;  // "--input="
        if (!word.empty() && !assigns) continue;
        const std::string before = assigns ? word.substr(0, word.size() - 1) : i > 1 ? argv[i - 1] : "";
        throw Error((before.starts_with("--") ? before + ": " : "") + "expected a name, found nothing: argument " +
                    std::to_string(i) + " is empty");
    }
}

constexpr const char* kExamples = R"(Examples:
  flipscope                                     open the window on a few points, before the first pass
  flipscope points.xy                           … on the points or the mesh of a file (or a scenario.json)
  flipscope --points ring:500                   … on generated points
  flipscope run build --points uniform:100000 --check
  flipscope run build --points grid:1e4 --set predicate=float-circumcentre --check --picture grid.png
  flipscope run build --input points.csv --export mesh.ply --json -
  flipscope run build --points uniform:1000 --steps 12 --picture step12.png
  flipscope run flip --mesh torus-knot:20000 --angles --picture knot.png
  flipscope run flip --input mesh.ply --check --export mended.ply
  flipscope run flip --input mesh.ply --steps 0 --check
  flipscope run voronoi --field logo.png --set count=2500 --set lloyd=50 --hide cells,links,marks,overlay \
      --light --picture stipple.png
  flipscope run events --set source=channel --export events.csv
  flipscope run events --tracks foam.csv --json -
  flipscope run events --rounds 20 --save run.state
  flipscope run --resume run.state --json -     … goes on with it to its end
  flipscope run events --set source=emulsion --sweep packing=0.5,0.7,0.9 --plot profiles.svg
  flipscope run lesson.json --export lesson.html  checks a lesson, and makes a page to hand out
  flipscope sheet --picture labs.png            every lab on its example, in one picture
  flipscope read trees.csv                      which columns are x and y, what is missing
  flipscope predicate incircle points.xy 0 1 2 3   the determinant in floats, doubles and exactly
  flipscope check mesh.ply --export failures.csv
  flipscope check points.xy out.tri --json -    judges what another program made of the points
  flipscope check points.xy                     … and what is degenerate about points
  flipscope shrink --points near-ring:10000 --set predicate=float-circumcentre --out small.json
  flipscope torture --command './mine {points} {triangles}' --report torture.html
  flipscope list generators
  flipscope list parameters particles
  flipscope info

Exit status: 0 done, 1 the check failed, 2 wrong use or unreadable input, 3 out of memory or a failed device,
130 ended by Ctrl-C.)";

/// An option of ReadOptions::set().
struct ReadOption {
    const char *name, *help, *value;
};
constexpr std::array kReadOptions{
    ReadOption{"columns",
               "The column of a table for each role, by name or number; 'flipscope read FILE' shows the choice. "
               "Roles: x, y, z, time, id, name, weight, radius",
               "ROLE=COLUMN,…"},
    ReadOption{"decimal", "The decimal mark of a table: point or comma", "MARK"},
    ReadOption{"separator", "What separates the columns of a table: comma, semicolon, tab, bar, blank, or a sign",
               "SIGN"},
    ReadOption{"y", "Whether y points down in the file, as in images, or up; down is flipped, and exports flip it back",
               "down|up"},
    ReadOption{"tiny", "zero: coordinates other than 0 below 2^-200 are read as 0; without it they are refused",
               "zero"},
    ReadOption{"unit", "The unit of the coordinates, instead of the file's: nm", "UNIT"}};

void add_read_options(CLI::App& app, std::array<std::vector<std::string>, kReadOptions.size()>& typed) {
    for (size_t k = 0; k < kReadOptions.size(); ++k)
        app.add_option(std::string("--") + kReadOptions[k].name, typed[k], kReadOptions[k].help)
            ->type_name(kReadOptions[k].value)
            ->allow_extra_args(false);
}

void understand_reading(const std::array<std::vector<std::string>, kReadOptions.size()>& typed, ReadOptions& read) {
    for (size_t k = 0; k < kReadOptions.size(); ++k)
        for (const std::string& value : typed[k]) try {
                read.set(kReadOptions[k].name, value);
            } catch (const Error& error) {
                throw Error(std::string("--") + kReadOptions[k].name + ": " + error.what());
            }
}

/// Option values as typed. Shared by the window and `run`.
struct Typed {
    std::string points, input, triangles, field, tracks, device = "auto", size;
    std::vector<std::string> settings;
    std::array<std::vector<std::string>, kReadOptions.size()> read;  // by option
    std::optional<uint64_t> seed;
    std::optional<uint32_t> block_size;
    std::vector<std::string> shown, hidden;  // layers
    std::optional<double> presenter_scale;
};

void add_input_options(CLI::App& app, Typed& typed) {
    app.add_option("--points,--mesh", typed.points,
                   "Generated points, or a mesh, e.g. uniform:100000 (see 'flipscope list generators')")
        ->type_name("SPEC");
    app.add_option("--field", typed.field,
                   "Numbers on a lattice, beside points or alone: an image, a folder of images, a .npy array")
        ->type_name("FILE");
    app.add_option("--tracks", typed.tracks,
                   "Points over time: a table with times, ids, x and y, an array (t, n, 2), or frames of atoms")
        ->type_name("FILE");
    app.add_option("--input", typed.input, "A file of points, of a mesh, or any other; - is standard input")
        ->type_name("FILE")
        ->excludes(app.get_option("--points"));
    add_read_options(app, typed.read);
    app.add_option("--triangles", typed.triangles,
                   "Triangles over the points, made by any program: .tri, .npy, .ele, … (see 'flipscope check --help')")
        ->type_name("FILE");
    app.add_option("--seed", typed.seed, "Seed of the generator (1), or of the lab if nothing is generated")
        ->type_name("N")
        ->check(not_negative());
    app.add_option("--set", typed.settings, "Sets a parameter; may be repeated (see 'flipscope list parameters')")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

/// Layers that a picture or the window shows at first.
void add_display_options(CLI::App& app, Typed& typed, bool& angles) {
    app.add_flag("--angles", angles, "Colours triangles by their minimum angles");
    app.add_option("--show", typed.shown,
                   "Further layers to show: field, the numbers on a lattice; disclinations, vertices without six "
                   "edges; axes; or what "
                   "a scenario hides")
        ->type_name("WHAT,…")
        ->delimiter(',');
    app.add_option("--hide", typed.hidden,
                   "Layers to leave out: cells, marks, links (or edges), points, triangles, overlay, earlier (contacts "
                   "of the Events lab); all but points: "
                   "stipples")
        ->type_name("WHAT,…")
        ->delimiter(',');
    app.add_option("--presenter-scale", typed.presenter_scale,
                   "Size of text and lines; 2 can be read from the last row")
        ->type_name("X")
        ->check(CLI::Range(0.25, 8.0));
}

void add_device_options(CLI::App& app, Typed& typed, DeviceOptions& device) {
    app.add_option("--device", typed.device, "auto (CUDA where it can be used), cpu or cuda")
        ->type_name("NAME")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app.add_option("--threads", device.threads, "CPU threads; 0: as many as the machine has")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    app.add_option("--block-size", typed.block_size, "CUDA threads per block, a multiple of 32 (128)")
        ->type_name("N")
        ->check(not_negative());
    app.add_option("--sharing", device.shared_memory,
                   "How OpenGL accesses the kernels' memory: auto, cuda, mapped, staged")
        ->type_name("NAME")
        ->check(CLI::IsMember({"auto", "cuda", "mapped", "staged"}));
}

PictureSize parse_size(const std::string& text) {
    PictureSize size;
    const char* end = text.data() + text.size();
    const auto width = std::from_chars(text.data(), end, size.width);
    const bool two = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
    const auto height = two ? std::from_chars(width.ptr + 1, end, size.height) : width;
    if (!two || height.ec != std::errc() || height.ptr != end || size.width < 16 || size.height < 16 ||
        size.width > 16384 || size.height > 16384)
        throw Error("--size: expected WIDTHxHEIGHT in pixels, 16 to 16384 each, found " + excerpt(text));
    return size;
}

double parse_degrees(const char*& from, const char* end) {
    double degrees = 0;
    const auto [stop, error] = std::from_chars(from, end, degrees);
    from = stop;
    return error == std::errc() ? degrees : std::nan("");
}

ViewAxes parse_view(const std::string& text) {
    const char *at = text.data(), *end = at + text.size();
    const double azimuth = parse_degrees(at, end);
    const bool two = at != end && *at++ == ',';
    const double elevation = two ? parse_degrees(at, end) : std::nan("");
    if (at != end || !(std::abs(azimuth) <= 360) || !(std::abs(elevation) <= 90))
        throw Error("--view: expected AZIMUTH,ELEVATION in degrees, -360 to 360 and -90 to 90, found " + excerpt(text));
    return seen_from(azimuth * std::numbers::pi / 180, elevation * std::numbers::pi / 180);
}

Window parse_window(const std::string& option, const std::string& text) {
    double ends[4];
    const char *at = text.data(), *end = at + text.size();
    for (int k = 0; k < 4; ++k) {
        if (k > 0 && (at == end || *at++ != ',')) at = nullptr;
        if (!at) break;
        const auto [stop, error] = std::from_chars(at, end, ends[k]);
        at = error == std::errc() && std::isfinite(ends[k]) ? stop : nullptr;
        if (!at) break;
    }
    if (!at || at != end || !(ends[0] < ends[2]) || !(ends[1] < ends[3]))
        throw Error(option + ": expected LEFT,LOWER,RIGHT,UPPER, each end above the other, found " + excerpt(text));
    return {{ends[0], ends[1]}, {ends[2], ends[3]}, false};
}

void check_block_size(const std::optional<uint32_t>& size) {
    if (size && (*size < 32 || *size > 1024 || *size % 32 != 0))
        throw Error("--block-size: expected a multiple of 32 from 32 to 1024, found " + std::to_string(*size));
}

void understand_device(const Typed& typed, DeviceOptions& device) {
    device.device = *parse_device(typed.device);
    check_block_size(typed.block_size);
    device.block_size = typed.block_size;
}

/// The command line overrides a scenario file.
void understand_scenario(const Typed& typed, Scenario& scenario) {
    if (!typed.points.empty() || !typed.input.empty()) {
        scenario.title.clear();  // they describe the replaced input
        scenario.note.clear();
    }
    if (!typed.points.empty()) {
        scenario.points = typed.points;
        scenario.input.clear();
        scenario.places_given.clear();
        scenario.triangles_given.clear();
        scenario.places.erase("points");
    }
    if (!typed.input.empty()) {
        scenario.input = io::user_path(typed.input);
        scenario.points.clear();
        scenario.places_given.clear();
        scenario.triangles_given.clear();
        scenario.places.erase("input");
    }
    if (!typed.triangles.empty()) {
        scenario.triangles = io::user_path(typed.triangles);
        scenario.triangles_given.clear();
        scenario.places.erase("triangles");
    }
    if (!typed.field.empty()) {
        scenario.field = io::user_path(typed.field);
        scenario.places.erase("field");
    }
    if (!typed.tracks.empty()) {
        scenario.tracks = io::user_path(typed.tracks);
        scenario.places.erase("tracks");
    }
    understand_reading(typed.read, scenario.read);
    if (typed.seed) {
        scenario.seed = typed.seed;
        scenario.places.erase("seed");
    }
    if (typed.presenter_scale) scenario.presenter_scale = *typed.presenter_scale;
    set_display(scenario.display, typed.hidden, false);
    set_display(scenario.display, typed.shown, true);
    for (const auto& setting : typed.settings) {
        const size_t sign = setting.find('=');
        if (sign == std::string::npos || sign == 0)
            throw Error("--set: expected name=value, found " + excerpt(setting));
        scenario.set({setting.substr(0, sign), setting.substr(sign + 1)});
    }
}

/// The path of an output file. Checks early, not after a long run, that it is writable and that its format is known.
std::string checked_output(const char* option, const std::string& typed, const std::vector<std::string>& extensions) {
    const std::filesystem::path path = io::user_path(typed);
    const std::string file = path.string();
    std::string extension = path.extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!extensions.empty() && std::find(extensions.begin(), extensions.end(), extension) == extensions.end())
        throw Error(std::string(option) + ": expected a name that ends in " + join_words(extensions) + ", found \"" +
                    file + "\"");
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error(std::string(option) + " " + file + ": expected the name of a file, found a folder");
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error(std::string(option) + " " + file + ": there is no folder " + folder.string());
    return file;
}

double checked_frame_rate(double typed) {
    if (typed > 0 && typed <= 1000) return typed;
    throw Error("--frame-rate: expected more than 0, at most 1000");
}

/// "film/%05d.png": exactly one place for a picture's number.
std::string checked_sequence(const std::string& typed) {
    const std::string file = checked_output("--sequence", typed, {".png"});
    parse_sequence(file);
    return file;
}

void settle_outputs(RunOptions& run) {
    for (auto& file : run.exports) file = checked_output("--export", file, export_extensions());
    if (!run.picture.empty()) run.picture = checked_output("--picture", run.picture, {".png"});
    for (auto& file : run.figures) file = checked_output("--figure", file, {".png", ".svg", ".pdf"});
    if (!run.sequence.empty()) run.sequence = checked_sequence(run.sequence);
    if (!run.video.empty()) run.video = checked_output("--video", run.video, {".mp4", ".mkv", ".webm"});
    if (!run.json.empty() && run.json != "-") run.json = checked_output("--json", run.json, {});
    for (auto& file : run.plots) file = checked_output("--plot", file, {".svg", ".pdf", ".png", ".csv"});
    if (!run.save.empty()) run.save = checked_output("--save", run.save, {kStateExtension});
}

/// The commands `flipscope [FILE] …`, `run`, `sheet`, `list` and `info` for CLI11.
struct Grammar {
    explicit Grammar(Options& out) : options(out) {
        app.name("flipscope");
        app.set_version_flag("--version", "flipscope " FLIPSCOPE_VERSION);
        app.set_help_flag("-h,--help", "Prints this, or with a command what it takes");
        app.footer(kExamples);
        app.get_formatter()->column_width(30);
        show_options();
        run_options();
        sheet_options();
        check_options();
        shrink_options();
        torture_options();
        list = app.add_subcommand(
            "list", "Lists labs, their passes, parameters and arrays, generators, file formats, defects and keys");
        list->add_option(
                "what", options.list,
                "labs, passes, parameters, arrays, generators, formats, defects, keys; or recent, the files opened "
                "last; "
                "without it, all but recent")
            ->check(CLI::IsMember(
                {"labs", "passes", "parameters", "arrays", "generators", "formats", "defects", "keys", "recent"}));
        std::vector<std::string> labs;
        for (const auto& entry : registry()) labs.push_back(entry.id);
        list->add_option("lab", options.list_lab, "Of labs, passes, parameters and arrays: those of this lab alone")
            ->check(CLI::IsMember(labs));
        read = app.add_subcommand(
            "read", "Prints what would be read of a file: columns and their roles, box, frames, first rows");
        read->add_option("file", read_input_file, "Any file of points, tracks, meshes or fields; - is standard input")
            ->type_name("FILE")
            ->required();
        add_read_options(*read, read_typed.read);
        read->add_option("--json", options.read.json, "Writes it as JSON into a file, or to stdout (-)")
            ->type_name("FILE");
        read->add_flag("--quiet", options.read.quiet, "Prints nothing");
        predicate = app.add_subcommand("predicate",
                                       "Evaluates a predicate for points of a file: in floats, in doubles and exactly");
        PredicateOptions& of = options.predicate;
        predicate->add_option("predicate", of.predicate, "orient of three points, or incircle of four")
            ->check(CLI::IsMember({"orient", "incircle"}))
            ->required();
        predicate->add_option("file", predicate_input_file, "Any file of points")->type_name("FILE")->required();
        predicate->add_option("points", of.points, "Their indices in the file, from 0")->type_name("ID")->required();
        add_read_options(*predicate, predicate_typed.read);
        predicate->add_option("--json", of.json, "Writes it as JSON into a file, or to stdout (-)")->type_name("FILE");
        predicate->add_flag("--quiet", of.quiet, "Prints nothing");
        info = app.add_subcommand("info", "Devices, drivers, OpenGL and how memory is shared with it");
        app.require_subcommand(0, 1);
    }

    void show_options() {
        app.add_option(
               "file", file,
               "Points, a mesh, an image, tracks (see 'flipscope list formats'), a scenario or a lesson (.json)")
            ->type_name("FILE");
        app.add_option("--lab", show_lab, "A lab (see 'flipscope list labs'); without it, the one for such an input")
            ->type_name("LAB");
        add_input_options(app, show_typed);
        add_device_options(app, show_typed, options.show.device);
        add_display_options(app, show_typed, options.show.scenario.display.angles);
        app.add_option("--size", show_typed.size, "Size of the window, e.g. 1280x800")->type_name("WxH");
        app.add_option("--window", empty_window,
                       "Opens an empty canvas that shows this part of the plane, to draw points on")
            ->type_name("LEFT,LOWER,RIGHT,UPPER");
        app.add_flag("--light", options.show.light, "Light theme");
        app.add_flag("--dark", dark, "Dark theme")->excludes(app.get_option("--light"));
        app.add_flag("--no-preferences", no_preferences,
                     "Neither reads nor writes preferences and the list of recent files");
        app.add_flag("--play", play, "Starts playing at once");
        app.add_flag("--control-stdin", options.show.control_stdin, "Reads commands such as 'status' from stdin");
    }

    void check_options() {
        check = app.add_subcommand(
            "check", "Judges triangulations: are they triangulations, of all points, of the whole hull, Delaunay?");
        check
            ->add_option("file", check_input,
                         "Points, a mesh (see 'flipscope list formats'), or a folder of them; points alone are judged "
                         "as an input")
            ->type_name("FILE")
            ->required();
        check
            ->add_option("triangles,--triangles", check_triangles,
                         "Triangles over the points: .tri, .txt, .csv (three indices from 0 a line), .npy, .ele, or a "
                         "mesh")
            ->type_name("TRIANGLES");
        CheckOptions& to = options.check;
        add_read_options(*check, check_typed.read);
        add_program_options(*check, to.command, to.limits, "What makes it pass");
        check->add_option("--json", to.json, "Writes the verdict as JSON; '-' for stdout")->type_name("FILE");
        check->add_option("--sarif", to.sarif, "Writes the defects as SARIF 2.1.0; '-' for stdout")->type_name("FILE");
        check->add_option("--junit", to.junit, "Writes the verdict as JUnit's XML; '-' for stdout")->type_name("FILE");
        check->add_option("--export", to.exports, "Writes the list as a table; may be repeated")
            ->type_name("FILE.csv")
            ->allow_extra_args(false);
        check->add_option("--threads", to.threads, "CPU threads; 0: as many as the machine has")
            ->type_name("N")
            ->check(CLI::Range(0, 1024));
        check->add_flag("--quiet", to.quiet, "No summary");
    }

    /// Limits of and requirements on a program under test.
    void add_program_options(CLI::App& to, std::string& command, ProgramLimits& limits,
                             const std::string& requirement = "What its answers must be") {
        to.add_option("--command", command,
                      "A program that reads points and writes triangles: './mine {points} {triangles}'; formats as in "
                      "{points.csv} (.xy, .csv, .node, .npy) and {triangles.npy} (.tri, .csv, .npy, .ele, .off, …); "
                      "a command with neither reads sets on its standard input, one after another")
            ->type_name("COMMAND");
        to.add_option("--require", program_required, requirement + ": triangulation, complete or delaunay (default)")
            ->type_name("WHAT")
            ->check(CLI::IsMember({"triangulation", "complete", "delaunay"}));
        to.add_option("--time-limit", limits.seconds, "Time limit for each run, in seconds (10)")
            ->type_name("S")
            ->check(CLI::Range(0.05, 3600.0));
        to.add_option("--memory-limit", memory_limit, "Memory limit for each run, in MiB (4096)")
            ->type_name("MIB")
            ->check(CLI::Range(16, 1 << 20));
    }

    void shrink_options() {
        shrink = app.add_subcommand("shrink", "The fewest and simplest points that still show a failure");
        ShrinkCommandOptions& to = options.shrink;
        shrink->add_option("--lab", shrink_lab, "The lab that fails (build)")->type_name("LAB");
        add_input_options(*shrink, shrink_typed);
        shrink
            ->add_option("--fails", to.fails,
                         "What counts as failing: any (the check fails, or whatever is wrong with a program's answer), "
                         "check, cycles, differs (from the exact triangulation, ties apart), crashed, timed out, or "
                         "the code of a defect")
            ->type_name("WHAT");
        add_program_options(*shrink, to.command, to.limits);
        shrink
            ->add_option(
                "--out", to.outs,
                "The result: a scenario that opens at the failure (.json), the points (.xy, .csv), or a literal "
                "for a unit test (.py, .cpp, .h); may be given again")
            ->type_name("FILE")
            ->required();
        shrink->add_option("--keep", shrink_kinds, "What the points must stay: distinct, floats, integers")
            ->type_name("KIND,…")
            ->delimiter(',');
        shrink->add_option("--json", to.json, "Writes the result as JSON; '-' for stdout")->type_name("FILE");
        shrink->add_option("--seconds", to.seconds, "Time limit in seconds (60); the best so far is the result")
            ->type_name("S")
            ->check(CLI::Range(0.1, 1e6));
        shrink->add_flag("!--keep-coordinates", to.simplify, "Leaves points out and changes no coordinate");
        shrink->add_option("--threads", to.threads, "CPU threads; 0: as many as the machine has")
            ->type_name("N")
            ->check(CLI::Range(0, 1024));
        shrink->add_flag("--quiet", to.quiet, "No summary and no progress");
    }

    void torture_options() {
        torture = app.add_subcommand(
            "torture", "Runs another program on every generator and on small adversarial sets, and judges its answers");
        TortureOptions& to = options.torture;
        add_program_options(*torture, to.command, to.limits);
        torture->get_option("--command")->required();
        torture->add_option("--sizes", to.sizes, "Numbers of points in the generators' sets (10,1000)")
            ->type_name("N,…")
            ->delimiter(',');
        torture
            ->add_option("--only", to.only,
                         "Generators and kinds of small sets to take (see 'flipscope list generators')")
            ->type_name("NAME,…")
            ->delimiter(',');
        torture->add_option("--small", to.small_sets, "Small adversarial sets (1000)")
            ->type_name("N")
            ->check(not_negative());
        torture
            ->add_option(
                "--kinds", torture_kinds,
                "Points that the program can read; sets are converted to such points: distinct, floats (rounded to "
                "single precision), integers")
            ->type_name("KIND,…")
            ->delimiter(',');
        torture->add_option("--seed", to.seed, "Of generators and small sets (1)")
            ->type_name("N")
            ->check(not_negative());
        torture->add_option("--input", to.input, "Runs the program only on the saved failures in this folder")
            ->type_name("FOLDER")
            ->check(CLI::ExistingDirectory);
        torture->add_option("--report", to.report, "Writes a page with pictures")->type_name("FILE.html");
        torture->add_option("--json", to.json, "Writes all results as JSON; '-' for stdout")->type_name("FILE");
        torture->add_option("--junit", to.junit, "Writes all results as JUnit's XML; '-' for stdout")
            ->type_name("FILE");
        torture->add_option("--failures", to.failures, "Writes the shrunk failures as scenarios into this folder")
            ->type_name("FOLDER");
        torture->add_option("--shrink-seconds", to.shrink_seconds, "Seconds for shrinking all failures (60)")
            ->type_name("S")
            ->check(CLI::Range(0.0, 1e6));
        torture->add_option("--jobs", to.jobs, "Programs at once; 0: as many as the machine has threads")
            ->type_name("N")
            ->check(CLI::Range(0, 1024));
        torture->add_flag("--quiet", to.quiet, "No summary and no progress");
    }

    void run_options() {
        run = app.add_subcommand("run", "Runs a lab without a window");
        run->footer(kExamples);
        // One option: the lab can be given with or without --lab, as for the window.
        run->add_option(
               "lab,--lab", lab,
               "A lab (see 'flipscope list labs'), a scenario or a lesson (.json); with --resume it may be left out")
            ->type_name("LAB");
        add_input_options(*run, run_typed);
        add_device_options(*run, run_typed, options.run.device);
        auto* extent = run->add_option_group("extent", "How far");
        extent->add_flag("--finish", finish, "To the end with as few round trips as it can (default)");
        extent->add_flag("--stepped", stepped,
                         "To the end, pass by pass; a very long run lists its last 65,536 passes and sums up all");
        extent->add_option("--steps", steps, "This many passes; with --resume this many more")
            ->type_name("N")
            ->check(not_negative());
        extent->add_option("--rounds", rounds, "This many rounds; with --resume this many more")
            ->type_name("N")
            ->check(not_negative());
        extent->require_option(0, 1);
        RunOptions& to = options.run;
        run->add_option("--until", to.until,
                        "Stops after the first step at which this holds, and says why: 'pass=NAME', a counter or a "
                        "measure as in 'illegal > 1000', 'changes edge:12', 'differences', 'check fails' or 'check "
                        "finds CODE'; may be repeated. The step after which a check fails is found by bisection over "
                        "the run; --steps and --rounds limit how far it goes")
            ->type_name("WHEN")
            ->allow_extra_args(false);
        run->add_flag(
            "--check", to.check,
            "Checks the result: a triangulation with exact predicates, colours, graph and events of a lattice "
            "against a plain recomputation; exit status 1 if it fails. The end of a run whose predicates are not exact "
            "is always checked. A mesh is checked after the lab's passes; with "
            "--steps 0 as it was given");
        run->add_flag("--statistics", to.statistics,
                      "Measures the points and triangles that the lab shows in the end: degrees, angles, lengths, "
                      "areas, Voronoi cells, order, pair correlation, structure factor, number variance, discrepancy; "
                      "for the summary, --json and --plot");
        run->add_option("--colour-by", colour_by,
                        "Colours vertices (or their Voronoi cells), edges or triangles of pictures and figures by a "
                        "quantity of --statistics or a column of the input; see 'flipscope list arrays'")
            ->type_name("QUANTITY");
        run->add_option("--select", select,
                        "Marks the elements whose quantity lies in a range, degree:7..20, those with a value, "
                        "species=oak,beech, or by their ids: vertex:3,17,40..60, point:5, edge:12, triangle:0..9")
            ->type_name("QUANTITY:LOW..HIGH");
        run->add_option("--against", to.against,
                        "Another input, a generator or a file of points: the distributions of its triangulation are "
                        "compared with those of --statistics, with Kolmogorov–Smirnov distances")
            ->type_name("SPEC|FILE");
        run->add_option("--within", within,
                        "The part of the plane that --statistics measure; by default the bounds of the points")
            ->type_name("LEFT,LOWER,RIGHT,UPPER");
        run->add_option("--json", to.json, "Writes the results as JSON; '-' for stdout")->type_name("FILE");
        run->add_option(
               "--export", to.exports,
               "Writes the triangulation, what the lab detects (events.csv, differences.csv), what fails its check "
               "(failures.csv), its numbers (results.csv), statistics (statistics.csv, histograms.csv, curves.csv), "
               "tables "
               "of points, edges, triangles or cells (points.csv, cells.geojson), what "
               "--inspect asks for (inspected.csv), what --select selects (selection.csv), an array (NAME.npy or "
               "NAME.csv) or the points over time that the "
               "lab "
               "has recorded (.xyz); see 'flipscope list formats' and 'flipscope list arrays'; may be repeated")
            ->type_name("FILE")
            ->allow_extra_args(false);
        run->add_option("--inspect", to.inspect,
                        "Explains an element as the window does when it is clicked: vertex:ID, edge:ID, triangle:ID, "
                        "pixel:X,Y, point:INDEX or name:NAME as the input has them, or at:X,Y; in a race @1 at the "
                        "end means the second view; may be repeated")
            ->type_name("KIND:ID")
            ->allow_extra_args(false);
        run->add_option("--history", to.history,
                        "Lists the passes that made, flipped or changed an edge or triangle or inserted a point, up to "
                        "where the run ends: KIND:ID as for --inspect. The run then goes pass by pass; may be repeated")
            ->type_name("KIND:ID")
            ->allow_extra_args(false);
        run->add_option("--adjust", adjust,
                        "Changes parameters during the run, at the end of a round (0: before the first), as the window "
                        "does: 1000:dt=0.001; of one round all at once. May be repeated; with --resume rounds count "
                        "from the first one of the run. 'flipscope list parameters' says which can change")
            ->type_name("ROUND:NAME=VALUE,…")
            ->allow_extra_args(false);
        run->add_option("--picture", to.picture, "Draws a picture")->type_name("FILE.png");
        run->add_option("--beside", beside,
                        "What pictures and figures show at the left of the run, seen the same way: an earlier or later "
                        "moment of it (a number of passes, or \"end\"), or the lab on another input")
            ->type_name("PASSES|end|SPEC|FILE");
        run->add_option("--figure", to.figures,
                        "Draws a figure for a page: a picture of any size (.png), or a vector drawing with layers "
                        "(.svg, .pdf); may be repeated")
            ->type_name("FILE")
            ->allow_extra_args(false);
        run->add_option("--figure-size", figure_size,
                        "Size of figures, in pixels or as 160x100mm (as --size says, or 1280x800)")
            ->type_name("WxH[mm]");
        run->add_option("--dpi", to.figure.dpi,
                        "Pixels per inch of figures: with millimetres how fine they are (300), with pixels how thick "
                        "lines and text are in them");
        run->add_option(
               "--parts", figure_parts,
               "What stands beside the picture of a figure: legend, colour-bar, scale-bar, title, axes, all or "
               "none (legend,colour-bar,scale-bar)")
            ->type_name("PART,…");
        run->add_option("--figure-title", to.figure.title_text, "The title of figures; without it, that of the lab");
        run->add_flag("--transparent", to.figure.transparent, "Figures have no background");
        run->add_option("--line-width", to.figure.line_pt,
                        "Width of plain lines in figures, in points; other lines and dots scale with it (by default it "
                        "depends on how close the points lie)")
            ->type_name("POINTS");
        run->add_option("--vectors", to.figure.most_vectors,
                        "Up to how many visible elements a vector figure has as shapes; with more they are an image "
                        "within it (5000)")
            ->type_name("N");
        run->add_option("--rectangle", figure_rectangle, "What figures show: two opposite corners, in world units")
            ->type_name("X,Y,X,Y");
        run->add_option("--sequence", to.sequence,
                        "Draws a figure after every step of the run, with --from, --to and --every after some of them, "
                        "into numbered files")
            ->type_name("DIR/%05d.png");
        run->add_option("--video", to.video,
                        "The same as a video, by ffmpeg (.mp4, .mkv, .webm). Of a lesson both show its steps as they "
                        "are played, "
                        "with the words")
            ->type_name("FILE");
        run->add_option("--from", to.from, "The first step that is shown (0: before the first pass)")
            ->type_name("STEP");
        run->add_option("--to", to.to, "The last one; the run ends there")->type_name("STEP");
        run->add_option("--every", to.every, "Steps from one figure to the next (1)")->type_name("N");
        run->add_option("--frame-rate", to.frame_rate, "Pictures per second of the video (25)")->type_name("N");
        run->add_option("--save", to.save,
                        "Saves the state at the end of the run, to go on from there with --resume; it must end between "
                        "rounds, as --rounds does")
            ->type_name("FILE.state");
        run->add_option("--resume", to.resume,
                        "Goes on with a saved run: its lab, parameters, input and state; --steps and --rounds are then "
                        "how many more. The result is the same as without a break, on any device")
            ->type_name("FILE.state");
        run->add_option("--sweep", sweep,
                        "Runs once for each of several values of a parameter, for --plot, --json and the summary")
            ->type_name("NAME=VALUE,…");
        run->add_option(
               "--plot", to.plots,
               "Draws the run's curves (.svg, .pdf, .png), those of a sweep over each other, or writes them as a "
               "table (.csv); may be repeated")
            ->type_name("FILE")
            ->allow_extra_args(false);
        run->add_option("--curve", to.curves,
                        "Which curve: one of the lab's own (all of them, without this option), a distribution, or a "
                        "counter or measure round by round; may be repeated")
            ->type_name("NAME")
            ->allow_extra_args(false);
        run->add_option("--size", run_typed.size, "Size of the picture (1280x800)")->type_name("WxH");
        run->add_option("--view", view, "From where the picture shows a surface, in degrees, e.g. -60,25")
            ->type_name("AZIMUTH,ELEVATION");
        add_display_options(*run, run_typed, to.display.angles);
        run->add_flag("--light", to.light, "Light theme for the picture");
        run->add_flag(
            "--legend,!--no-legend", legend,
            "Draws the legend and colour bars beside or below the picture, or leaves them out (default: drawn from "
            "480x320 on)");
        run->add_flag("--quiet", to.quiet, "No summary and no progress");
    }

    void sheet_options() {
        sheet =
            app.add_subcommand("sheet", "Draws every lab on its example, with titles and legends, into one picture");
        SheetOptions& to = options.sheet;
        sheet->add_option("--picture", to.picture, "The picture")->type_name("FILE.png")->required();
        sheet->add_option("--size", sheet_typed.size, "Its size (1920x1080)")->type_name("WxH");
        sheet->add_flag("--light", to.light, "Light theme");
        sheet->add_flag("--check", to.check, "Checks the result of each lab; exit status 1 if a check fails");
        sheet->add_flag("--quiet", to.quiet, "No summary");
        add_device_options(*sheet, sheet_typed, to.device);
    }

    Options& options;
    CLI::App app{"Flipscope, a laboratory for Delaunay triangulations on the GPU."};
    CLI::App *run = nullptr, *read = nullptr, *check = nullptr, *shrink = nullptr, *torture = nullptr, *sheet = nullptr,
             *list = nullptr, *info = nullptr, *predicate = nullptr;
    Typed show_typed, run_typed, sheet_typed, shrink_typed, check_typed, read_typed, predicate_typed;
    std::string shrink_lab, program_required;
    std::vector<std::string> shrink_kinds, torture_kinds;
    uint64_t memory_limit = 4096;  // MiB
    std::string colour_by, select, beside;
    std::string file, lab, show_lab, view, within, empty_window, sweep, check_input, check_triangles, read_input_file,
        predicate_input_file;
    std::string figure_size, figure_parts, figure_rectangle;
    std::optional<uint64_t> steps, rounds;
    std::vector<std::string> adjust;
    bool finish = true, stepped = false, play = false, legend = false, dark = false, no_preferences = false;
};

/// A mistyped command looks like a file name; and a lab's name may equal that of a folder, such as build.
void refuse_command(const std::string& word) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(word, ignored);
    if (word.find_first_of("./") != std::string::npos || (!folder && std::filesystem::exists(word, ignored))) return;
    for (const auto& entry : registry())
        if (word == entry.id)
            throw Error("\"" + word + "\" is a lab: flipscope --lab " + word + " opens it, flipscope run " + word +
                        " runs it without a window" + (folder ? "; the folder of this name is ./" + word : ""));
    if (folder) return;
    const std::string meant =
        nearest_word(word, {"run", "read", "predicate", "check", "shrink", "torture", "sheet", "list", "info"});
    throw Error(excerpt(word) +
                " is neither a command (run, read, predicate, check, shrink, torture, sheet, list, info) nor a file" +
                (meant.empty() ? "" : "; did you mean \"" + meant + "\"?"));
}

void understand_show(const Grammar& grammar, ShowOptions& show) {
    const Typed& typed = grammar.show_typed;
    const bool angles = show.scenario.display.angles;  // from its own flag, parsed already
    const bool beside = !typed.input.empty() || !typed.field.empty() || !typed.tracks.empty();
    const bool given = !grammar.file.empty() || !typed.points.empty() || beside;
    if (!grammar.empty_window.empty()) {
        show.empty_window = parse_window("--window", grammar.empty_window);
        if (given) throw Error("--window: it opens a canvas without points, but an input is given; leave one out");
        show.scenario.points = "uniform:0";
    } else if (!given && !grammar.show_lab.empty()) {
        show.scenario.points = example_of(grammar.show_lab);
    } else if (!given) {
        show.scenario.points = "uniform:60";  // few enough to read and to step through
    } else if (is_lesson_file(grammar.file)) {
        const Lesson lesson = read_lesson(io::user_path(grammar.file));
        show.lesson = io::user_path(grammar.file).string();
        show.scenario = lesson.steps.front().scenario;
    } else if (is_scenario_file(grammar.file)) {
        show.scenario = read_scenario(io::user_path(grammar.file));
    } else if (!grammar.file.empty()) {
        for (const auto& [option, named] :
             {std::pair{"--points ", grammar.show_typed.points}, {"--input ", typed.input}})
            if (!named.empty())
                throw Error("\"" + grammar.file + "\" and " + option + named + " both name the input; leave one out");
        refuse_command(grammar.file);
        show.scenario.input = io::user_path(grammar.file);
    }
    understand_scenario(grammar.show_typed, show.scenario);
    show.scenario.display.angles |= angles;
    if (!grammar.show_lab.empty()) {
        show.scenario.lab = grammar.show_lab;
        show.scenario.places.erase("lab");
    }
    understand_device(grammar.show_typed, show.device);
    if (grammar.play) {
        show.scenario.play = true;
        show.scenario.at.reset();
    }
    if (!grammar.show_typed.size.empty()) show.size = parse_size(grammar.show_typed.size);
    show.remembers = !grammar.no_preferences;
    show.has_size = !typed.size.empty();
    show.has_theme = show.light || grammar.dark;
    show.names_nothing = !given && !show.empty_window && grammar.show_lab.empty() && typed.settings.empty() &&
                         !typed.seed && typed.shown.empty() && typed.hidden.empty() && !angles;
    show.file = !grammar.file.empty()   ? grammar.file
                : !typed.input.empty()  ? typed.input
                : !typed.points.empty() ? ""
                : !typed.field.empty()  ? typed.field
                                        : typed.tracks;
}

/// A file in place of a lab.
void refuse_file_as_lab(const std::string& word) {
    std::error_code ignored;
    if (std::filesystem::path(word).extension() == kStateExtension)
        throw Error("\"" + word + "\" is the name of a saved run, which --resume continues: flipscope run --resume " +
                    word);
    if (std::filesystem::is_regular_file(io::user_path(word), ignored))
        throw Error("\"" + word + "\" is a file, and a lab comes first, as in: flipscope run flip --input " + word);
}

/// "packing=0.3,0.5"
RunOptions::Sweep parse_sweep(const std::string& text) {
    const size_t sign = text.find('=');
    RunOptions::Sweep sweep;
    if (sign != std::string::npos) {
        sweep.parameter = text.substr(0, sign);
        for (size_t begin = sign + 1, end = 0; end != std::string::npos; begin = end + 1) {
            end = text.find(',', begin);
            sweep.values.push_back(text.substr(begin, end - begin));
        }
    }
    if (sweep.parameter.empty() || std::count(sweep.values.begin(), sweep.values.end(), "") > 0)
        throw Error("--sweep: expected name=value,value,…, found \"" + text + "\"");
    return sweep;
}

/// "1000:dt=0.001,diffusion=0"
Adjustment parse_adjustment(const std::string& text) {
    Adjustment made;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, made.round);
    bool understood = error == std::errc() && stop != end && *stop == ':';
    for (size_t begin = static_cast<size_t>(stop - text.data()) + 1, to = 0; understood && to != text.npos;
         begin = to + 1) {
        to = text.find(',', begin);
        const std::string one = text.substr(begin, to == text.npos ? text.npos : to - begin);
        const size_t sign = one.find('=');
        understood = sign != one.npos && sign > 0;
        if (understood) made.values.push_back({one.substr(0, sign), one.substr(sign + 1)});
    }
    if (!understood)
        throw Error("--adjust: expected ROUND:NAME=VALUE,…, such as 1000:dt=0.001, found " + excerpt(text));
    return made;
}

/// Adjustments of one round become one change.
void understand_adjustments(const Grammar& grammar, RunOptions& run) {
    for (const std::string& text : grammar.adjust) {
        Adjustment one = parse_adjustment(text);
        const auto same = std::find_if(run.adjust.begin(), run.adjust.end(),
                                       [&](const Adjustment& other) { return other.round == one.round; });
        if (same == run.adjust.end())
            run.adjust.push_back(std::move(one));
        else
            same->values.insert(same->values.end(), one.values.begin(), one.values.end());
    }
    std::sort(run.adjust.begin(), run.adjust.end(),
              [](const Adjustment& a, const Adjustment& b) { return a.round < b.round; });
}

void understand_sweep(const Grammar& grammar, RunOptions& run) {
    if (!run.curves.empty() && run.plots.empty())
        throw Error("--curve: says what --plot draws, and no --plot is given");
    if (grammar.sweep.empty()) return;
    run.sweep = parse_sweep(grammar.sweep);
    for (const auto& [option, given] : {std::pair{"--picture", !run.picture.empty()},
                                        {"--figure", !run.figures.empty()},
                                        {"--sequence", !run.sequence.empty()},
                                        {"--video", !run.video.empty()},
                                        {"--export", !run.exports.empty()},
                                        {"--save", !run.save.empty()},
                                        {"--inspect", !run.inspect.empty()},
                                        {"--history", !run.history.empty()}})
        if (given)
            throw Error(std::string(option) + ": is of one run, and --sweep makes several; leave one of them out");
    for (const auto& setting : grammar.run_typed.settings)
        if (setting.substr(0, setting.find('=')) == run.sweep->parameter)
            throw Error("--sweep " + grammar.sweep + " and --set " + setting +
                        " give the same parameter; leave one of them out");
}

/// A saved run has its own input and parameters. Files may still be given, since the input may have moved.
void refuse_beside_resume(const Grammar& grammar, const RunOptions& run) {
    const Typed& typed = grammar.run_typed;
    const auto refuse = [&](const std::string& what, const std::string& why) {
        throw Error("--resume " + run.resume + ": " + why + "; leave " + what +
                    " out, or start a new run without --resume");
    };
    if (is_scenario_file(grammar.lab)) refuse(grammar.lab, "a scenario says what to start, and the run has begun");
    if (!typed.points.empty()) refuse("--points " + typed.points, "the run has its input");
    if (typed.seed) refuse("--seed " + std::to_string(*typed.seed), "the run goes on with the random numbers it has");
    const std::string keeps = "the run goes on with the parameters that it was saved with";
    if (!typed.settings.empty()) refuse("--set " + typed.settings.front(), keeps);
    if (!grammar.sweep.empty()) refuse("--sweep " + grammar.sweep, keeps);
}

/// Figures inherit the options that they share with pictures.
void understand_figure(const Grammar& grammar, RunOptions& run) {
    FigureSpec& figure = run.figure;
    figure.width = run.size.width;
    figure.height = run.size.height;
    if (!grammar.figure_size.empty()) set_figure_size(figure, grammar.figure_size, "--figure-size");
    if (!grammar.figure_parts.empty()) set_figure_parts(figure, grammar.figure_parts, "--parts");
    if (!grammar.figure_rectangle.empty()) set_figure_rectangle(figure, grammar.figure_rectangle, "--rectangle");
    figure.light = run.light;
    figure.display = run.display;
    figure.view = run.view;
    if (run.legend && !*run.legend) figure.legend = figure.colour_bars = false;
    check_figure(figure);
    if (run.figures.empty() && !run.films())
        for (const char* option : {"--figure-size", "--dpi", "--parts", "--figure-title", "--transparent",
                                   "--line-width", "--vectors", "--rectangle"})
            if (grammar.run->count(option) > 0)
                throw Error(std::string(option) + ": applies to figures only; give --figure, --sequence or --video");
    if (!run.films()) {
        for (const char* option : {"--from", "--to", "--every", "--frame-rate"})
            if (grammar.run->count(option) > 0)
                throw Error(std::string(option) + ": says what --sequence and --video show, and neither is given");
        return;
    }
    if (run.every == 0) throw Error("--every 0: expected 1 or more");
    if (run.to < run.from)
        throw Error("--from " + std::to_string(run.from) + " --to " + std::to_string(run.to) + ": that is no step");
    checked_frame_rate(run.frame_rate);
    if (run.extent == RunOptions::Extent::kFinish) run.extent = RunOptions::Extent::kStepped;
}

void understand_run(const Grammar& grammar, RunOptions& run) {
    if (!run.resume.empty()) {
        run.resume = io::user_path(run.resume).string();
        refuse_beside_resume(grammar, run);
    } else if (grammar.lab.empty()) {
        throw Error("lab is required, as in: flipscope run build; 'flipscope run --help' has the rest");
    }
    if (!is_scenario_file(grammar.lab)) refuse_file_as_lab(grammar.lab);
    if (is_scenario_file(grammar.lab))
        run.scenario = read_scenario(io::user_path(grammar.lab));
    else
        run.scenario.lab = grammar.lab;
    understand_scenario(grammar.run_typed, run.scenario);
    Scenario& scenario = run.scenario;
    if (run.resume.empty() && !scenario.names_input()) scenario.points = example_of(scenario.lab);
    understand_device(grammar.run_typed, run.device);
    if (!grammar.run_typed.size.empty()) run.size = parse_size(grammar.run_typed.size);
    if (grammar.run->count("--legend") > 0) run.legend = grammar.legend;
    if (!grammar.view.empty()) run.view = parse_view(grammar.view);
    if (!grammar.colour_by.empty()) {
        run.explored.colour = Explored(grammar.colour_by);
        scenario.colour_by.reset();
    }
    if (!grammar.select.empty()) run.select = parse_selection(grammar.select, "--select: ");
    const bool drawn = !run.picture.empty() || !run.figures.empty() || !run.sequence.empty() || !run.video.empty();
    const bool exported = std::any_of(run.exports.begin(), run.exports.end(), can_mean_selection);
    if (run.explored.any() && !drawn) throw Error("--colour-by has no effect: it needs --picture or --figure");
    if (run.select && !drawn && !exported)
        throw Error("--select has no effect: it needs --picture, --figure or --export selection.csv");
    if (scenario.colour_by) run.explored.colour = scenario.colour_by;
    if (!run.against.empty()) run.statistics = true;
    if (!grammar.beside.empty()) {
        run.beside = parse_beside(grammar.beside);
        const std::string what = "--beside " + grammar.beside;
        if (!run.draws()) throw Error(what + ": it is of pictures, and no --picture or --figure is given");
        if (!run.resume.empty()) throw Error(what + " and --resume exclude each other: the run has begun elsewhere");
        if (!grammar.adjust.empty())
            throw Error(what + " and --adjust exclude each other: the run beside is not changed");
        if (!run.until.empty() && !run.beside.position)
            throw Error(what + " and --until exclude each other: how far the run beside goes is not known");
    }
    if (!grammar.within.empty()) {
        run.within = parse_window("--within", grammar.within);
        run.statistics = true;
    }
    const bool angles = run.display.angles;  // from its own flag, parsed already
    run.display = run.scenario.display;
    run.display.angles = angles;
    run.explored.marks_disclinations = run.display.shows(Exploration::kDisclinationsLayer, false);
    using Extent = RunOptions::Extent;
    if (grammar.stepped) run.extent = Extent::kStepped;
    if (run.extent == Extent::kFinish && !run.history.empty()) run.extent = Extent::kStepped;
    if (grammar.steps) run.extent = Extent::kSteps;
    if (grammar.rounds) run.extent = Extent::kRounds;
    run.count = grammar.steps.value_or(grammar.rounds.value_or(0));
    if (!run.until.empty()) {
        if (run.extent == Extent::kFinish) run.extent = Extent::kStepped;
        if (!grammar.sweep.empty()) throw Error("--until and --sweep exclude each other");
    }
    understand_figure(grammar, run);
    understand_adjustments(grammar, run);
    understand_sweep(grammar, run);
    settle_outputs(run);
}

/// `flipscope run lesson.json`: rejects options of `run` that concern a single run.
void understand_lesson(const Grammar& grammar, const RunOptions& run, LessonOptions& lesson) {
    static constexpr const char* kKnown[] = {"--export",  "--json",  "--quiet",    "--device",
                                             "--threads", "--size",  "--light",    "--block-size",
                                             "--sharing", "--video", "--sequence", "--frame-rate"};
    std::vector<const CLI::App*> parts{grammar.run};  // groups of mutually exclusive options
    for (const CLI::App* group : grammar.run->get_subcommands([](const CLI::App*) { return true; }))
        parts.push_back(group);
    for (const CLI::App* part : parts)
        for (const CLI::Option* option : part->get_options())
            if (option->count() > 0 && !option->get_positional() &&
                std::find(std::begin(kKnown), std::end(kKnown), option->get_name()) == std::end(kKnown))
                throw Error(option->get_name() + ": is of one run, and a lesson has several; leave it out");
    lesson.lesson = io::user_path(grammar.lab).string();
    lesson.device = run.device;
    understand_device(grammar.run_typed, lesson.device);
    if (!grammar.run_typed.size.empty()) lesson.size = parse_size(grammar.run_typed.size);
    if (run.exports.size() > 1) throw Error("--export: a lesson is written as one page; leave the others out");
    for (const std::string& file : run.exports) lesson.html = checked_output("--export", file, {".html"});
    if (!run.video.empty()) lesson.video = checked_output("--video", run.video, {".mp4", ".mkv", ".webm"});
    if (!run.sequence.empty()) lesson.sequence = checked_sequence(run.sequence);
    const bool films = !lesson.video.empty() || !lesson.sequence.empty();
    if (grammar.run->count("--frame-rate") > 0 && !films)
        throw Error("--frame-rate: says what --sequence and --video show, and neither is given");
    lesson.frame_rate = checked_frame_rate(run.frame_rate);
    lesson.light_film = run.light;
    if (films && grammar.run_typed.size.empty()) lesson.size = {1280, 720};
    lesson.json = run.json;
    if (!lesson.json.empty() && lesson.json != "-") lesson.json = checked_output("--json", lesson.json, {});
    lesson.quiet = run.quiet;
}

void understand_sheet(const Grammar& grammar, SheetOptions& sheet) {
    understand_device(grammar.sheet_typed, sheet.device);
    if (!grammar.sheet_typed.size.empty()) sheet.size = parse_size(grammar.sheet_typed.size);
    sheet.picture = checked_output("--picture", sheet.picture, {".png"});
}

Requirement requirement_of(const std::string& word) {
    return word == "triangulation" ? Requirement::kTriangulation
           : word == "complete"    ? Requirement::kComplete
                                   : Requirement::kDelaunay;
}

void understand_check(const Grammar& grammar, CheckOptions& check) {
    check.input = io::user_path(grammar.check_input);
    if (!grammar.check_triangles.empty()) check.triangles = io::user_path(grammar.check_triangles);
    understand_reading(grammar.check_typed.read, check.read);
    check.required = requirement_of(grammar.program_required);
    check.limits.memory_bytes = grammar.memory_limit << 20;
    if (!check.command.empty() && !check.triangles.empty())
        throw Error("--command: the program makes the triangles; leave " + check.triangles.string() + " out");
    int on_stdout = 0;
    for (const auto& [option, file] :
         {std::pair{"--json", &check.json}, {"--sarif", &check.sarif}, {"--junit", &check.junit}}) {
        if (*file == "-" && ++on_stdout > 1) throw Error(std::string(option) + " -: stdout takes one report alone");
        if (!file->empty() && *file != "-") *file = checked_output(option, *file, {});
    }
    for (auto& file : check.exports) file = checked_output("--export", file, {".csv"});
}

PointKinds kinds_of(const char* option, const std::vector<std::string>& names) {
    PointKinds kinds;
    for (const std::string& name : names) {
        bool* const kind = name == "distinct"   ? &kinds.distinct
                           : name == "floats"   ? &kinds.floats
                           : name == "integers" ? &kinds.integers
                                                : nullptr;
        if (!kind)
            throw Error(std::string(option) + ": unknown kind " + excerpt(name) +
                        "; known: distinct, floats, integers");
        *kind = true;
    }
    return kinds;
}

void understand_shrink(const Grammar& grammar, ShrinkCommandOptions& shrink) {
    Typed typed = grammar.shrink_typed;
    std::error_code ignored;
    if (typed.input.empty() && std::filesystem::is_regular_file(io::user_path(typed.points), ignored))
        std::swap(typed.input, typed.points);  // --points FILE
    if (typed.points.empty() && typed.input.empty())
        throw Error("shrink: expected points that fail, with --points (a generator or a file) or --input");
    understand_scenario(typed, shrink.scenario);
    shrink.scenario.lab = grammar.shrink_lab.empty() ? "build" : grammar.shrink_lab;
    if (!shrink.command.empty() && (!grammar.shrink_lab.empty() || !typed.settings.empty()))
        throw Error("--command: runs a program in place of a lab; leave --lab and --set out");
    require_failure_name(shrink.fails);
    shrink.required = requirement_of(grammar.program_required);
    shrink.limits.memory_bytes = grammar.memory_limit << 20;
    if (!shrink.scenario.triangles.empty())
        throw Error(
            shrink.scenario.triangles.string() +
            ": a triangulation cannot be shrunk, since fewer points need other triangles; name the program that "
            "made it: --command './mine {points} {triangles}'. 'flipscope check' says what is wrong with it");
    shrink.kinds = kinds_of("--keep", grammar.shrink_kinds);
    for (std::string& out : shrink.outs)
        out = checked_output("--out", out, {".json", ".xy", ".csv", ".py", ".cpp", ".h"});
    if (!shrink.json.empty() && shrink.json != "-") shrink.json = checked_output("--json", shrink.json, {});
}

void understand_torture(const Grammar& grammar, TortureOptions& torture) {
    torture.required = requirement_of(grammar.program_required);
    torture.limits.memory_bytes = grammar.memory_limit << 20;
    torture.kinds = kinds_of("--kinds", grammar.torture_kinds);
    for (const char* option : {"--sizes", "--only", "--small", "--seed"})
        if (!torture.input.empty() && grammar.torture->get_option(option)->count() > 0)
            throw Error(std::string(option) +
                        ": says which sets are made, and --input takes saved ones; leave one out");
    if (torture.json == "-" && torture.junit == "-") throw Error("--junit -: stdout takes one report alone");
    if (!torture.report.empty()) torture.report = checked_output("--report", torture.report, {".html"});
    if (!torture.json.empty() && torture.json != "-") torture.json = checked_output("--json", torture.json, {});
    if (!torture.junit.empty() && torture.junit != "-") torture.junit = checked_output("--junit", torture.junit, {});
    if (!torture.failures.empty()) torture.failures = io::user_path(torture.failures).string();
}

/// An option before the command would silently have no effect.
void refuse_misplaced(const Grammar& grammar, const std::string& command) {
    for (const CLI::Option* option : grammar.app.get_options())
        if (option->count() > 0)
            throw Error((option->get_positional() ? "\"" + grammar.file + "\"" : option->get_name()) +
                        " stands before \"" + command + "\", where it has no effect; move it after the command");
}

/// `; did you mean --check?` for a mistyped option; otherwise empty.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& arguments) {
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options())
        for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    for (const auto& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (name.rfind("--", 0) != 0 || std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string meant = nearest_word(name, known);
        if (!meant.empty()) return "; did you mean " + meant + "?";
    }
    return {};
}

int explain(const Grammar& grammar, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    if (error.get_exit_code() == 0) return grammar.app.exit(error);  // --help, --version
    const auto commands = grammar.app.get_subcommands();
    const CLI::App& app = commands.empty() ? grammar.app : *commands.front();
    std::string hint = dynamic_cast<const CLI::ExtrasError*>(&error) ? suggestion(app, arguments) : "";
    std::error_code ignored;
    for (const std::string& word : app.remaining())
        if (hint.empty() && &app == grammar.run && std::filesystem::exists(word, ignored))
            hint = "; a file is named as in: --input " + word;
    std::fprintf(stderr, "flipscope: %s\nTry 'flipscope %s--help'.\n", printable(error.what() + hint).c_str(),
                 commands.empty() ? "" : (app.get_name() + " ").c_str());
    return kWrongUse;
}

}  // namespace

Options parse_options(int argc, char** argv) {
    refuse_empty(argc, argv);
    Options options;
    Grammar grammar(options);
    try {
        grammar.app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        options.command = Command::kNothing;
        options.status = explain(grammar, error, {argv + 1, argv + argc});
        return options;
    }
    const auto commands = grammar.app.get_subcommands();
    if (commands.empty()) {
        understand_show(grammar, options.show);
        return options;
    }
    refuse_misplaced(grammar, commands.front()->get_name());
    options.command = commands.front() == grammar.run         ? Command::kRun
                      : commands.front() == grammar.read      ? Command::kRead
                      : commands.front() == grammar.predicate ? Command::kPredicate
                      : commands.front() == grammar.check     ? Command::kCheck
                      : commands.front() == grammar.shrink    ? Command::kShrink
                      : commands.front() == grammar.torture   ? Command::kTorture
                      : commands.front() == grammar.sheet     ? Command::kSheet
                      : commands.front() == grammar.list      ? Command::kList
                                                              : Command::kInfo;
    if (options.command == Command::kRun && is_lesson_file(grammar.lab)) options.command = Command::kLesson;
    if (options.command == Command::kRun) understand_run(grammar, options.run);
    if (options.command == Command::kLesson) understand_lesson(grammar, options.run, options.lesson);
    if (options.command == Command::kRead) {
        options.read.file = io::user_path(grammar.read_input_file);
        understand_reading(grammar.read_typed.read, options.read.read);
        if (!options.read.json.empty() && options.read.json != "-")
            options.read.json = checked_output("--json", options.read.json, {});
    }
    if (options.command == Command::kPredicate) {
        options.predicate.file = io::user_path(grammar.predicate_input_file);
        understand_reading(grammar.predicate_typed.read, options.predicate.read);
        if (!options.predicate.json.empty() && options.predicate.json != "-")
            options.predicate.json = checked_output("--json", options.predicate.json, {});
    }
    if (options.command == Command::kCheck) understand_check(grammar, options.check);
    if (options.command == Command::kShrink) understand_shrink(grammar, options.shrink);
    if (options.command == Command::kTorture) understand_torture(grammar, options.torture);
    if (options.command == Command::kSheet) understand_sheet(grammar, options.sheet);
    if (options.command == Command::kList && !options.list_lab.empty() &&
        is_one_of(options.list, {"generators", "formats", "defects", "recent"}))
        throw Error("list " + options.list + " " + options.list_lab + ": " + options.list +
                    " belong to no lab; leave " + options.list_lab + " out");
    return options;
}

}  // namespace flipscope::app
