#include "app/commands/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <tuple>

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
               "The column of a table for each role, by name or number; 'flipscope read FILE' shows the choice. Roles: "
               "x, y, z, time, id, name, weight, radius",
               "ROLE=COLUMN,…"},
    ReadOption{"decimal", "The decimal mark of a table: point or comma", "MARK"},
    ReadOption{"separator", "What separates the columns of a table: comma, semicolon, tab, bar, blank, or a sign",
               "SIGN"},
    ReadOption{"y", "Whether y points down in the file, as in images, or up; down is flipped, and exports flip it back",
               "down|up"},
    ReadOption{"tiny", "zero: coordinates other than 0 below 2^-200 are read as 0; without it they are refused",
               "zero"},
    ReadOption{"unit", "The unit of the coordinates, instead of the file's: nm", "UNIT"}};

/// An option with a value, or with a list that each further use extends by one.
template <typename T>
CLI::Option* add(CLI::App& app, const char* names, const char* type, T& value, const char* help) {
    return app.add_option(names, value, help)->type_name(type)->allow_extra_args(false);
}

/// An option whose value is passed on at once.
template <typename T = std::string>
CLI::Option* add_parsed(CLI::App& app, const char* names, const char* type,
                        const std::function<void(const std::type_identity_t<T>&)>& parse, const std::string& help) {
    return app.add_option_function<T>(names, parse, help)->type_name(type);
}

void add_threads(CLI::App& app, int& threads) {
    add(app, "--threads", "N", threads, "CPU threads; 0: as many as the machine has")->check(CLI::Range(0, 1024));
}

void add_read_options(CLI::App& app) {
    for (const ReadOption& one : kReadOptions)
        app.add_option(std::string("--") + one.name, one.help)->type_name(one.value)->take_all();
}

void understand_reading(const CLI::App& app, ReadOptions& read) {
    for (const ReadOption& one : kReadOptions)
        for (const std::string& value : app.get_option(std::string("--") + one.name)->results()) try {
                read.set(one.name, value);
            } catch (const Error& error) {
                throw Error(std::string("--") + one.name + ": " + error.what());
            }
}

/// Throws Error for the first of these options that is given.
void refuse(const CLI::App& app, std::initializer_list<const char*> options, const std::string& why) {
    for (const char* option : options)
        if (app.count(option) > 0) throw Error(option + why);
}

/// Values of options that override a scenario file. Shared by the window, `run` and `shrink`.
struct Typed {
    std::string points, input, triangles, field, tracks;
    std::vector<std::string> settings;
    std::optional<uint64_t> seed;
    std::vector<std::string> shown, hidden;  // layers
    bool angles = false;
    std::optional<double> presenter_scale;
};

void add_input_options(CLI::App& app, Typed& typed) {
    add(app, "--points,--mesh", "SPEC", typed.points,
        "Generated points, or a mesh, e.g. uniform:100000 (see 'flipscope list generators')");
    add(app, "--field", "FILE", typed.field,
        "Numbers on a lattice, beside points or alone: an image, a folder of images, a .npy array");
    add(app, "--tracks", "FILE", typed.tracks,
        "Points over time: a table with times, ids, x and y, an array (t, n, 2), or frames of atoms");
    add(app, "--input", "FILE", typed.input, "A file of points, of a mesh, or any other; - is standard input")
        ->excludes(app.get_option("--points"));
    add_read_options(app);
    add(app, "--triangles", "FILE", typed.triangles,
        "Triangles over the points, made by any program: .tri, .npy, .ele, … (see 'flipscope check --help')");
    add(app, "--seed", "N", typed.seed, "Seed of the generator (1), or of the lab if nothing is generated")
        ->check(not_negative());
    add(app, "--set", "NAME=VALUE", typed.settings,
        "Sets a parameter; may be repeated (see 'flipscope list parameters')");
}

/// Layers that a picture or the window shows at first.
void add_display_options(CLI::App& app, Typed& typed) {
    app.add_flag("--angles", typed.angles, "Colours triangles by their minimum angles");
    app.add_option("--show", typed.shown,
                   "Further layers to show: field, the numbers on a lattice; disclinations, vertices without six "
                   "edges; axes; or what a scenario hides")
        ->type_name("WHAT,…")
        ->delimiter(',');
    app.add_option("--hide", typed.hidden,
                   "Layers to leave out: cells, marks, links (or edges), points, triangles, overlay, earlier (contacts "
                   "of the Events lab); all but points: stipples")
        ->type_name("WHAT,…")
        ->delimiter(',');
    add(app, "--presenter-scale", "X", typed.presenter_scale, "Size of text and lines; 2 can be read from the last row")
        ->check(CLI::Range(0.25, 8.0));
}

void add_device_options(CLI::App& app, DeviceOptions& device) {
    const auto set_device = [&device](const std::string& name) { device.device = *parse_device(name); };
    add_parsed(app, "--device", "NAME", set_device, "auto (CUDA where it can be used), cpu or cuda")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    add_threads(app, device.threads);
    const auto set_block_size = [&device](uint32_t size) {
        if (size < 32 || size > 1024 || size % 32 != 0)
            throw Error("--block-size: expected a multiple of 32 from 32 to 1024, found " + std::to_string(size));
        device.block_size = size;
    };
    add_parsed<uint32_t>(app, "--block-size", "N", set_block_size, "CUDA threads per block, a multiple of 32 (128)")
        ->check(not_negative());
    add(app, "--sharing", "NAME", device.shared_memory,
        "How OpenGL accesses the kernels' memory: auto, cuda, mapped, staged")
        ->check(CLI::IsMember({"auto", "cuda", "mapped", "staged"}));
}

PictureSize parse_size(const std::string& text) {
    const std::vector<double> sides = numbers_in(text, 'x');
    const auto fits = [](double side) { return side == std::floor(side) && side >= 16 && side <= 16384; };
    if (sides.size() != 2 || !fits(sides[0]) || !fits(sides[1]))
        throw Error("--size: expected WIDTHxHEIGHT in pixels, 16 to 16384 each, found " + excerpt(text));
    return {static_cast<int>(sides[0]), static_cast<int>(sides[1])};
}

ViewAxes parse_view(const std::string& text) {
    const std::vector<double> angles = numbers_in(text, ',');
    if (angles.size() != 2 || std::abs(angles[0]) > 360 || std::abs(angles[1]) > 90)
        throw Error("--view: expected AZIMUTH,ELEVATION in degrees, -360 to 360 and -90 to 90, found " + excerpt(text));
    return seen_from_degrees({angles[0], angles[1]});
}

Window parse_window(const std::string& option, const std::string& text) {
    const std::vector<double> ends = numbers_in(text, ',');
    if (ends.size() != 4 || ends[0] >= ends[2] || ends[1] >= ends[3])
        throw Error(option + ": expected LEFT,LOWER,RIGHT,UPPER, each end above the other, found " + excerpt(text));
    return {{ends[0], ends[1]}, {ends[2], ends[3]}, false};
}

void add_size(CLI::App& app, PictureSize& size, const char* help) {
    add_parsed(
        app, "--size", "WxH", [&size](const std::string& text) { size = parse_size(text); }, help);
}

/// The command line overrides a scenario file.
void understand_scenario(const CLI::App& app, const Typed& typed, Scenario& scenario) {
    if (!typed.points.empty() || !typed.input.empty()) {
        scenario.title.clear();  // they describe the replaced input
        scenario.note.clear();
        scenario.points = typed.points;
        scenario.input = io::user_path(typed.input);
        scenario.places_given.clear();
        scenario.triangles_given.clear();
        scenario.places.erase("points");
        scenario.places.erase("input");
    }
    for (const auto& [name, given, file] : {std::tuple{"triangles", &typed.triangles, &scenario.triangles},
                                            {"field", &typed.field, &scenario.field},
                                            {"tracks", &typed.tracks, &scenario.tracks}})
        if (!given->empty()) {
            *file = io::user_path(*given);
            scenario.places.erase(name);
        }
    if (!typed.triangles.empty()) scenario.triangles_given.clear();
    understand_reading(app, scenario.read);
    if (typed.seed) {
        scenario.seed = typed.seed;
        scenario.places.erase("seed");
    }
    if (typed.presenter_scale) scenario.presenter_scale = *typed.presenter_scale;
    set_display(scenario.display, typed.hidden, false);
    set_display(scenario.display, typed.shown, true);
    scenario.display.angles |= typed.angles;
    for (const auto& setting : typed.settings) {
        const size_t sign = setting.find('=');
        if (sign == std::string::npos || sign == 0)
            throw Error("--set: expected name=value, found " + excerpt(setting));
        scenario.set({setting.substr(0, sign), setting.substr(sign + 1)});
    }
}

/// Resolves the path of an output file; empty: none is wanted. Checks early, not after a long run, that it is writable
/// and that its format is known. Without `extensions`: of any name, or "-" for stdout.
void settle_output(const std::string& option, std::string& file, const std::vector<std::string>& extensions = {}) {
    if (file.empty() || (extensions.empty() && file == "-")) return;
    const std::filesystem::path path = io::user_path(file);
    file = path.string();
    if (!extensions.empty() &&
        std::find(extensions.begin(), extensions.end(), io::lower_extension(path)) == extensions.end())
        throw Error(option + ": expected a name that ends in " + join_words(extensions) + ", found \"" + file + "\"");
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw Error(option + " " + file + ": expected the name of a file, found a folder");
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error(option + " " + file + ": there is no folder " + folder.string());
}

void settle_outputs(const std::string& option, std::vector<std::string>& files,
                    const std::vector<std::string>& extensions) {
    for (std::string& file : files) settle_output(option, file, extensions);
}

void check_frame_rate(double typed) {
    if (!(typed > 0 && typed <= 1000)) throw Error("--frame-rate: expected more than 0, at most 1000");
}

/// A pattern such as "film/%05d.png", with exactly one place for a picture's number, and a video.
void settle_film(std::string& sequence, std::string& video) {
    settle_output("--sequence", sequence, {".png"});
    if (!sequence.empty()) parse_sequence(sequence);
    settle_output("--video", video, {".mp4", ".mkv", ".webm"});
}

void add_kinds(CLI::App& app, const char* name, PointKinds& kinds, const char* help) {
    const auto set_kinds = [&kinds](const std::vector<std::string>& names) {
        for (const std::string& one : names) {
            kinds.distinct |= one == "distinct";
            kinds.floats |= one == "floats";
            kinds.integers |= one == "integers";
        }
    };
    add_parsed<std::vector<std::string>>(app, name, "KIND,…", set_kinds, help)
        ->delimiter(',')
        ->check(CLI::IsMember({"distinct", "floats", "integers"}));
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

/// Adjustments of one round become one change; sorted by round.
std::vector<Adjustment> parse_adjustments(const std::vector<std::string>& texts) {
    std::map<uint64_t, Adjustment> by_round;
    for (const std::string& text : texts) {
        const Adjustment one = parse_adjustment(text);
        Adjustment& made = by_round[one.round];
        made.round = one.round;
        made.values.insert(made.values.end(), one.values.begin(), one.values.end());
    }
    std::vector<Adjustment> sorted;
    for (auto& [round, one] : by_round) sorted.push_back(std::move(one));
    return sorted;
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
        read_options();
        predicate_options();
        check_options();
        shrink_options();
        torture_options();
        sheet_options();
        list_options();
        add_command("info", Command::kInfo, "Devices, drivers, OpenGL and how memory is shared with it");
        app.require_subcommand(0, 1);
    }

    CLI::App* add_command(const char* name, Command command, const char* help) {
        CLI::App* made = app.add_subcommand(name, help);
        made->callback([this, command] { options.command = command; });
        return made;
    }

    std::vector<std::string> commands() const {
        std::vector<std::string> names;
        for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
            names.push_back(one->get_name());
        return names;
    }

    void list_options() {
        CLI::App* list =
            add_command("list", Command::kList,
                        "Lists labs, their passes, parameters and arrays, generators, file formats, defects and keys");
        list->add_option("what", options.list,
                         "labs, passes, parameters, arrays, generators, formats, defects, keys; or recent, the files "
                         "opened last; without it, all but recent")
            ->check(CLI::IsMember(
                {"labs", "passes", "parameters", "arrays", "generators", "formats", "defects", "keys", "recent"}));
        std::vector<std::string> labs;
        for (const auto& entry : registry()) labs.push_back(entry.id);
        list->add_option("lab", options.list_lab, "Limits labs, passes, parameters and arrays to this lab")
            ->check(CLI::IsMember(labs));
    }

    void read_options() {
        read = add_command("read", Command::kRead,
                           "Prints what would be read of a file: columns and their roles, box, frames, first rows");
        ReadFileOptions& to = options.read;
        add_parsed(
            *read, "file", "FILE", [&to](const std::string& file) { to.file = io::user_path(file); },
            "Any file of points, tracks, meshes or fields; - is standard input")
            ->required();
        add_read_options(*read);
        add(*read, "--json", "FILE", to.json, "Writes it as JSON into a file, or to stdout (-)");
        read->add_flag("--quiet", to.quiet, "Prints nothing");
    }

    void predicate_options() {
        predicate = add_command("predicate", Command::kPredicate,
                                "Evaluates a predicate for points of a file: in floats, in doubles and exactly");
        PredicateOptions& to = options.predicate;
        predicate->add_option("predicate", to.predicate, "orient of three points, or incircle of four")
            ->check(CLI::IsMember({"orient", "incircle"}))
            ->required();
        add_parsed(
            *predicate, "file", "FILE", [&to](const std::string& file) { to.file = io::user_path(file); },
            "Any file of points")
            ->required();
        predicate->add_option("points", to.points, "Their indices in the file, from 0")->type_name("ID")->required();
        add_read_options(*predicate);
        add(*predicate, "--json", "FILE", to.json, "Writes it as JSON into a file, or to stdout (-)");
        predicate->add_flag("--quiet", to.quiet, "Prints nothing");
    }

    void show_options() {
        add(app, "file", "FILE", file,
            "Points, a mesh, an image, tracks (see 'flipscope list formats'), a scenario or a lesson (.json)");
        add(app, "--lab", "LAB", show_lab, "A lab (see 'flipscope list labs'); without it, the one for such an input");
        add_input_options(app, show_typed);
        add_device_options(app, options.show.device);
        add_display_options(app, show_typed);
        add_size(app, options.show.size, "Size of the window, e.g. 1280x800");
        add_parsed(
            app, "--window", "LEFT,LOWER,RIGHT,UPPER",
            [this](const std::string& text) { options.show.empty_window = parse_window("--window", text); },
            "Opens an empty canvas that shows this part of the plane, to draw points on");
        app.add_flag("--light", options.show.light, "Light theme");
        app.add_flag("--dark", dark, "Dark theme")->excludes(app.get_option("--light"));
        app.add_flag("--no-preferences", no_preferences,
                     "Neither reads nor writes preferences and the list of recent files");
        app.add_flag("--play", play, "Starts playing at once");
        app.add_flag("--control-stdin", options.show.control_stdin, "Reads commands such as 'status' from stdin");
    }

    void check_options() {
        check =
            add_command("check", Command::kCheck,
                        "Judges triangulations: are they triangulations, of all points, of the whole hull, Delaunay?");
        CheckOptions& to = options.check;
        add_parsed(
            *check, "file", "FILE", [&to](const std::string& file) { to.input = io::user_path(file); },
            "Points, a mesh (see 'flipscope list formats'), or a folder of them; points alone are judged as an input")
            ->required();
        add_parsed(
            *check, "triangles,--triangles", "TRIANGLES",
            [&to](const std::string& file) { to.triangles = io::user_path(file); },
            "Triangles over the points: .tri, .txt, .csv (three indices from 0 a line), .npy, .ele, or a mesh");
        add_read_options(*check);
        add_program_options(*check, to.command, to.limits, to.required, "What makes it pass");
        add(*check, "--json", "FILE", to.json, "Writes the verdict as JSON; '-' for stdout");
        add(*check, "--sarif", "FILE", to.sarif, "Writes the defects as SARIF 2.1.0; '-' for stdout");
        add(*check, "--junit", "FILE", to.junit, "Writes the verdict as JUnit's XML; '-' for stdout");
        add(*check, "--export", "FILE.csv", to.exports, "Writes the list as a table; may be repeated");
        add_threads(*check, to.threads);
        check->add_flag("--quiet", to.quiet, "No summary");
    }

    /// Limits of and requirements on a program under test.
    static void add_program_options(CLI::App& to, std::string& command, ProgramLimits& limits, Requirement& required,
                                    const std::string& requirement = "What its answers must be") {
        add(to, "--command", "COMMAND", command,
            "A program that reads points and writes triangles: './mine {points} {triangles}'; formats as in "
            "{points.csv} (.xy, .csv, .node, .npy) and {triangles.npy} (.tri, .csv, .npy, .ele, .off, …); a command "
            "with neither reads sets on its standard input, one after another");
        const auto set_required = [&required](const std::string& word) {
            for (const Requirement one : {Requirement::kTriangulation, Requirement::kComplete, Requirement::kDelaunay})
                if (word == word_of(one)) required = one;
        };
        add_parsed(to, "--require", "WHAT", set_required,
                   requirement + ": triangulation, complete or delaunay (default)")
            ->check(CLI::IsMember({"triangulation", "complete", "delaunay"}));
        add(to, "--time-limit", "S", limits.seconds, "Time limit for each run, in seconds (10)")
            ->check(CLI::Range(0.05, 3600.0));
        add_parsed<uint64_t>(
            to, "--memory-limit", "MIB", [&limits](uint64_t mib) { limits.memory_bytes = mib << 20; },
            "Memory limit for each run, in MiB (4096)")
            ->check(CLI::Range(16, 1 << 20));
    }

    void shrink_options() {
        shrink = add_command("shrink", Command::kShrink, "The fewest and simplest points that still show a failure");
        ShrinkCommandOptions& to = options.shrink;
        add(*shrink, "--lab", "LAB", shrink_lab, "The lab that fails (build)");
        add_input_options(*shrink, shrink_typed);
        add(*shrink, "--fails", "WHAT", to.fails,
            "What counts as failing: any (the check fails, or whatever is wrong with a program's answer), check, "
            "cycles, differs (from the exact triangulation, ties apart), crashed, timed out, or the code of a defect");
        add_program_options(*shrink, to.command, to.limits, to.required);
        add(*shrink, "--out", "FILE", to.outs,
            "The result: a scenario that opens at the failure (.json), the points (.xy, .csv), or a literal for a unit "
            "test (.py, .cpp, .h); may be given again")
            ->allow_extra_args()
            ->required();
        add_kinds(*shrink, "--keep", to.kinds, "What the points must stay: distinct, floats, integers");
        add(*shrink, "--json", "FILE", to.json, "Writes the result as JSON; '-' for stdout");
        add(*shrink, "--seconds", "S", to.seconds, "Time limit in seconds (60); the best so far is the result")
            ->check(CLI::Range(0.1, 1e6));
        shrink->add_flag("!--keep-coordinates", to.simplify, "Leaves points out and changes no coordinate");
        add_threads(*shrink, to.threads);
        shrink->add_flag("--quiet", to.quiet, "No summary and no progress");
    }

    void torture_options() {
        torture = add_command(
            "torture", Command::kTorture,
            "Runs another program on every generator and on small adversarial sets, and judges its answers");
        TortureOptions& to = options.torture;
        add_program_options(*torture, to.command, to.limits, to.required);
        torture->get_option("--command")->required();
        torture->add_option("--sizes", to.sizes, "Numbers of points in the generators' sets (10,1000)")
            ->type_name("N,…")
            ->delimiter(',');
        torture
            ->add_option("--only", to.only,
                         "Generators and kinds of small sets to take (see 'flipscope list generators')")
            ->type_name("NAME,…")
            ->delimiter(',');
        add(*torture, "--small", "N", to.small_sets, "Small adversarial sets (1000)")->check(not_negative());
        add_kinds(*torture, "--kinds", to.kinds,
                  "Points that the program can read; sets are converted to such points: distinct, floats (rounded to "
                  "single precision), integers");
        add(*torture, "--seed", "N", to.seed, "Seed of generators and small sets (1)")->check(not_negative());
        add(*torture, "--input", "FOLDER", to.input, "Runs the program only on the saved failures in this folder")
            ->check(CLI::ExistingDirectory);
        add(*torture, "--report", "FILE.html", to.report, "Writes a page with pictures");
        add(*torture, "--json", "FILE", to.json, "Writes all results as JSON; '-' for stdout");
        add(*torture, "--junit", "FILE", to.junit, "Writes all results as JUnit's XML; '-' for stdout");
        add(*torture, "--failures", "FOLDER", to.failures, "Writes the shrunk failures as scenarios into this folder");
        add(*torture, "--shrink-seconds", "S", to.shrink_seconds, "Seconds for shrinking all failures (60)")
            ->check(CLI::Range(0.0, 1e6));
        add(*torture, "--jobs", "N", to.jobs, "Programs at once; 0: as many as the machine has threads")
            ->check(CLI::Range(0, 1024));
        torture->add_flag("--quiet", to.quiet, "No summary and no progress");
    }

    void run_options() {
        run = add_command("run", Command::kRun, "Runs a lab without a window");
        run->footer(kExamples);
        // One option: the lab can be given with or without --lab, as for the window.
        add(*run, "lab,--lab", "LAB", lab,
            "A lab (see 'flipscope list labs'), a scenario or a lesson (.json); with --resume it may be left out");
        add_input_options(*run, run_typed);
        add_device_options(*run, options.run.device);
        auto* extent = run->add_option_group("extent", "How far");
        RunOptions& to = options.run;
        extent->add_flag("--finish")->description("To the end with as few round trips as it can (default)");
        extent->add_flag_callback(
            "--stepped", [&to] { to.extent = RunOptions::Extent::kStepped; },
            "To the end, pass by pass; a very long run lists its last 65,536 passes and sums up all");
        const auto add_extent = [&](const char* name, RunOptions::Extent kind, const char* help) {
            const auto set_extent = [&to, kind](uint64_t count) { to.extent = kind, to.count = count; };
            add_parsed<uint64_t>(*extent, name, "N", set_extent, help)->check(not_negative());
        };
        add_extent("--steps", RunOptions::Extent::kSteps, "This many passes; with --resume this many more");
        add_extent("--rounds", RunOptions::Extent::kRounds, "This many rounds; with --resume this many more");
        extent->require_option(0, 1);
        add(*run, "--until", "WHEN", to.until,
            "Stops after the first step at which this holds, and says why: 'pass=NAME', a counter or a measure as in "
            "'illegal > 1000', 'changes edge:12', 'differences', 'check fails' or 'check finds CODE'; may be repeated. "
            "The step after which a check fails is found by bisection over the run; --steps and --rounds limit how far "
            "it goes");
        run->add_flag(
            "--check", to.check,
            "Checks the result: a triangulation with exact predicates, colours, graph and events of a lattice against "
            "a plain recomputation; exit status 1 if it fails. The end of a run whose predicates are not exact is "
            "always checked. A mesh is checked after the lab's passes; with --steps 0 as it was given");
        run->add_flag("--statistics", to.statistics,
                      "Measures the points and triangles that the lab shows in the end: degrees, angles, lengths, "
                      "areas, Voronoi cells, order, pair correlation, structure factor, number variance, discrepancy; "
                      "for the summary, --json and --plot");
        add_parsed(
            *run, "--colour-by", "QUANTITY", [&to](const std::string& text) { to.explored.colour = Explored(text); },
            "Colours vertices (or their Voronoi cells), edges or triangles of pictures and figures by a quantity of "
            "--statistics or a column of the input; see 'flipscope list arrays'");
        add_parsed(
            *run, "--select", "QUANTITY:LOW..HIGH",
            [&to](const std::string& text) { to.select = parse_selection(text, "--select: "); },
            "Marks the elements whose quantity lies in a range, degree:7..20, those with a value, species=oak,beech, "
            "or by their ids: vertex:3,17,40..60, point:5, edge:12, triangle:0..9");
        add(*run, "--against", "SPEC|FILE", to.against,
            "Another input, a generator or a file of points: the distributions of its triangulation are compared with "
            "those of --statistics, with Kolmogorov–Smirnov distances");
        add_parsed(
            *run, "--within", "LEFT,LOWER,RIGHT,UPPER",
            [&to](const std::string& text) { to.within = parse_window("--within", text); },
            "The part of the plane that --statistics measure; by default the bounds of the points");
        add(*run, "--json", "FILE", to.json, "Writes the results as JSON; '-' for stdout");
        add(*run, "--export", "FILE", to.exports,
            "Writes the triangulation, what the lab detects (events.csv, differences.csv), what fails its check "
            "(failures.csv), its numbers (results.csv), statistics (statistics.csv, histograms.csv, curves.csv), "
            "tables of points, edges, triangles or cells (points.csv, cells.geojson), what --inspect asks for "
            "(inspected.csv), what --select selects (selection.csv), an array (NAME.npy or NAME.csv) or the points "
            "over time that the lab has recorded (.xyz); see 'flipscope list formats' and 'flipscope list arrays'; may "
            "be repeated");
        add(*run, "--inspect", "KIND:ID", to.inspect,
            "Explains an element as the window does when it is clicked: vertex:ID, edge:ID, triangle:ID, pixel:X,Y, "
            "point:INDEX or name:NAME as the input has them, or at:X,Y; in a race @1 at the end means the second view; "
            "may be repeated");
        add(*run, "--history", "KIND:ID", to.history,
            "Lists the passes that made, flipped or changed an edge or triangle or inserted a point, up to where the "
            "run ends: KIND:ID as for --inspect. The run then goes pass by pass; may be repeated");
        add_parsed<std::vector<std::string>>(
            *run, "--adjust", "ROUND:NAME=VALUE,…",
            [&to](const std::vector<std::string>& texts) { to.adjust = parse_adjustments(texts); },
            "Changes parameters during the run, at the end of a round (0: before the first), as the window does: "
            "1000:dt=0.001; of one round all at once. May be repeated; with --resume rounds count from the first one "
            "of the run. 'flipscope list parameters' says which can change")
            ->allow_extra_args(false);
        add(*run, "--picture", "FILE.png", to.picture, "Draws a picture");
        add_parsed(
            *run, "--beside", "PASSES|end|SPEC|FILE",
            [&to](const std::string& text) { to.beside = parse_beside(text); },
            "What pictures and figures show at the left of the run, seen the same way: an earlier or later moment of "
            "it (a number of passes, or \"end\"), or the lab on another input");
        add(*run, "--figure", "FILE", to.figures,
            "Draws a figure for a page: a picture of any size (.png), or a vector drawing with layers (.svg, .pdf); "
            "may be repeated");
        add_parsed(
            *run, "--figure-size", "WxH[mm]",
            [&to](const std::string& text) { set_figure_size(to.figure, text, "--figure-size"); },
            "Size of figures, in pixels or as 160x100mm (as --size says, or 1280x800)");
        run->add_option("--dpi", to.figure.dpi,
                        "Pixels per inch of figures: with millimetres how fine they are (300), with pixels how thick "
                        "lines and text are in them");
        add_parsed(
            *run, "--parts", "PART,…", [&to](const std::string& text) { set_figure_parts(to.figure, text, "--parts"); },
            "What stands beside the picture of a figure: legend, colour-bar, scale-bar, title, axes, all or none "
            "(legend,colour-bar,scale-bar)");
        run->add_option("--figure-title", to.figure.title_text, "The title of figures; without it, that of the lab");
        run->add_flag("--transparent", to.figure.transparent, "Figures have no background");
        add(*run, "--line-width", "POINTS", to.figure.line_pt,
            "Width of plain lines in figures, in points; other lines and dots scale with it (by default it depends on "
            "how close the points lie)");
        add(*run, "--vectors", "N", to.figure.most_vectors,
            "Up to how many visible elements a vector figure has as shapes; with more they are an image within it "
            "(5000)");
        add_parsed(
            *run, "--rectangle", "X,Y,X,Y",
            [&to](const std::string& text) { set_figure_rectangle(to.figure, text, "--rectangle"); },
            "What figures show: two opposite corners, in world units");
        add(*run, "--sequence", "DIR/%05d.png", to.sequence,
            "Draws a figure after every step of the run, with --from, --to and --every after some of them, into "
            "numbered files");
        add(*run, "--video", "FILE", to.video,
            "The same as a video, by ffmpeg (.mp4, .mkv, .webm). Of a lesson both show its steps as they are played, "
            "with the words");
        add(*run, "--from", "STEP", to.from, "The first step that is shown (0: before the first pass)");
        add(*run, "--to", "STEP", to.to, "The last one; the run ends there");
        add(*run, "--every", "N", to.every, "Steps from one figure to the next (1)");
        add(*run, "--frame-rate", "N", to.frame_rate, "Pictures per second of the video (25)");
        add(*run, "--save", "FILE.state", to.save,
            "Saves the state at the end of the run, to go on from there with --resume; it must end between rounds, as "
            "--rounds does");
        add(*run, "--resume", "FILE.state", to.resume,
            "Goes on with a saved run: its lab, parameters, input and state; --steps and --rounds are then how many "
            "more. The result is the same as without a break, on any device");
        add_parsed(
            *run, "--sweep", "NAME=VALUE,…", [&to](const std::string& text) { to.sweep = parse_sweep(text); },
            "Runs once for each of several values of a parameter, for --plot, --json and the summary");
        add(*run, "--plot", "FILE", to.plots,
            "Draws the run's curves (.svg, .pdf, .png), those of a sweep over each other, or writes them as a table "
            "(.csv); may be repeated");
        add(*run, "--curve", "NAME", to.curves,
            "Which curve: one of the lab's own (all of them, without this option), a distribution, or a counter or "
            "measure round by round; may be repeated");
        add_size(*run, to.size, "Size of the picture (1280x800)");
        add_parsed(
            *run, "--view", "AZIMUTH,ELEVATION", [&to](const std::string& text) { to.view = parse_view(text); },
            "From where the picture shows a surface, in degrees, e.g. -60,25");
        add_display_options(*run, run_typed);
        run->add_flag("--light", to.light, "Light theme for the picture");
        run->add_flag_function(
            "--legend,!--no-legend", [&to](int64_t given) { to.legend = given > 0; },
            "Draws the legend and colour bars beside or below the picture, or leaves them out (default: drawn from "
            "480x320 on)");
        run->add_flag("--quiet", to.quiet, "No summary and no progress");
    }

    void sheet_options() {
        sheet = add_command("sheet", Command::kSheet,
                            "Draws every lab on its example, with titles and legends, into one picture");
        SheetOptions& to = options.sheet;
        add(*sheet, "--picture", "FILE.png", to.picture, "The picture")->required();
        add_size(*sheet, to.size, "Its size (1920x1080)");
        sheet->add_flag("--light", to.light, "Light theme");
        sheet->add_flag("--check", to.check, "Checks the result of each lab; exit status 1 if a check fails");
        sheet->add_flag("--quiet", to.quiet, "No summary");
        add_device_options(*sheet, to.device);
    }

    Options& options;
    CLI::App app{"Flipscope, a laboratory for Delaunay triangulations on the GPU."};
    CLI::App *run = nullptr, *read = nullptr, *predicate = nullptr, *check = nullptr, *shrink = nullptr,
             *torture = nullptr, *sheet = nullptr;
    Typed show_typed, run_typed, shrink_typed;
    std::string file, lab, show_lab, shrink_lab;
    bool play = false, dark = false, no_preferences = false;
};

/// A mistyped command looks like a file name; and a lab's name may equal that of a folder, such as build.
void refuse_command(const Grammar& grammar, const std::string& word) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(word, ignored);
    if (word.find_first_of("./") != std::string::npos || (!folder && std::filesystem::exists(word, ignored))) return;
    for (const auto& entry : registry())
        if (word == entry.id)
            throw Error("\"" + word + "\" is a lab: flipscope --lab " + word + " opens it, flipscope run " + word +
                        " runs it without a window" + (folder ? "; the folder of this name is ./" + word : ""));
    if (folder) return;
    const std::string meant = nearest_word(word, grammar.commands());
    throw Error(excerpt(word) + " is neither a command (" + join_words(grammar.commands(), ", ") + ") nor a file" +
                (meant.empty() ? "" : "; did you mean \"" + meant + "\"?"));
}

void understand_show(const Grammar& grammar, ShowOptions& show) {
    const Typed& typed = grammar.show_typed;
    const bool beside = !typed.input.empty() || !typed.field.empty() || !typed.tracks.empty();
    const bool given = !grammar.file.empty() || !typed.points.empty() || beside;
    if (show.empty_window) {
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
        for (const auto& [option, named] : {std::pair{"--points ", typed.points}, {"--input ", typed.input}})
            if (!named.empty())
                throw Error("\"" + grammar.file + "\" and " + option + named + " both name the input; leave one out");
        refuse_command(grammar, grammar.file);
        show.scenario.input = io::user_path(grammar.file);
    }
    understand_scenario(grammar.app, typed, show.scenario);
    if (!grammar.show_lab.empty()) {
        show.scenario.lab = grammar.show_lab;
        show.scenario.places.erase("lab");
    }
    if (grammar.play) {
        show.scenario.play = true;
        show.scenario.at.reset();
    }
    show.remembers = !grammar.no_preferences;
    show.has_size = grammar.app.count("--size") > 0;
    show.has_theme = show.light || grammar.dark;
    show.names_nothing = !given && !show.empty_window && grammar.show_lab.empty() && typed.settings.empty() &&
                         !typed.seed && typed.shown.empty() && typed.hidden.empty() && !typed.angles;
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

void understand_sweep(const Grammar& grammar, const RunOptions& run) {
    if (run.plots.empty()) refuse(*grammar.run, {"--curve"}, ": says what --plot draws, and no --plot is given");
    if (run.sweep)
        refuse(*grammar.run,
               {"--picture", "--figure", "--sequence", "--video", "--export", "--save", "--inspect", "--history"},
               ": is of one run, and --sweep makes several; leave one of them out");
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
    if (run.sweep) refuse("--sweep " + grammar.run->get_option("--sweep")->results().front(), keeps);
}

/// Figures inherit the options that they share with pictures.
void understand_figure(const Grammar& grammar, RunOptions& run) {
    FigureSpec& figure = run.figure;
    if (grammar.run->count("--figure-size") == 0) {
        figure.width = run.size.width;
        figure.height = run.size.height;
    }
    figure.light = run.light;
    figure.display = run.display;
    figure.view = run.view;
    if (run.legend && !*run.legend) figure.legend = figure.colour_bars = false;
    check_figure(figure);
    if (run.figures.empty() && !run.films())
        refuse(*grammar.run,
               {"--figure-size", "--dpi", "--parts", "--figure-title", "--transparent", "--line-width", "--vectors",
                "--rectangle"},
               ": applies to figures only; give --figure, --sequence or --video");
    if (!run.films())
        return refuse(*grammar.run, {"--from", "--to", "--every", "--frame-rate"},
                      ": says what --sequence and --video show, and neither is given");
    if (run.every == 0) throw Error("--every 0: expected 1 or more");
    if (run.to < run.from)
        throw Error("--from " + std::to_string(run.from) + " --to " + std::to_string(run.to) + ": that is no step");
    check_frame_rate(run.frame_rate);
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
    understand_scenario(*grammar.run, grammar.run_typed, run.scenario);
    Scenario& scenario = run.scenario;
    if (run.resume.empty() && !scenario.names_input()) scenario.points = example_of(scenario.lab);
    if (run.explored.colour) scenario.colour_by.reset();
    const bool exported = std::any_of(run.exports.begin(), run.exports.end(), can_mean_selection);
    if (run.explored.any() && !run.draws()) throw Error("--colour-by has no effect: it needs --picture or --figure");
    if (run.select && !run.draws() && !exported)
        throw Error("--select has no effect: it needs --picture, --figure or --export selection.csv");
    if (scenario.colour_by) run.explored.colour = scenario.colour_by;
    run.statistics = run.statistics || !run.against.empty() || run.within;
    if (run.beside) {
        const std::string what = "--beside " + run.beside.text;
        if (!run.draws()) throw Error(what + ": it is of pictures, and no --picture or --figure is given");
        if (!run.resume.empty()) throw Error(what + " and --resume exclude each other: the run has begun elsewhere");
        if (!run.adjust.empty()) throw Error(what + " and --adjust exclude each other: the run beside is not changed");
        if (!run.until.empty() && !run.beside.position)
            throw Error(what + " and --until exclude each other: how far the run beside goes is not known");
    }
    run.display = scenario.display;
    run.explored.marks_disclinations = run.display.shows(Exploration::kDisclinationsLayer, false);
    using Extent = RunOptions::Extent;
    if (run.extent == Extent::kFinish && !run.history.empty()) run.extent = Extent::kStepped;
    if (!run.until.empty()) {
        if (run.extent == Extent::kFinish) run.extent = Extent::kStepped;
        if (run.sweep) throw Error("--until and --sweep exclude each other");
    }
    understand_figure(grammar, run);
    understand_sweep(grammar, run);
    settle_outputs("--export", run.exports, export_extensions());
    settle_output("--picture", run.picture, {".png"});
    settle_outputs("--figure", run.figures, {".png", ".svg", ".pdf"});
    settle_film(run.sequence, run.video);
    settle_output("--json", run.json);
    settle_outputs("--plot", run.plots, {".svg", ".pdf", ".png", ".csv"});
    settle_output("--save", run.save, {kStateExtension});
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
    const bool sized = grammar.run->count("--size") > 0;
    if (sized) lesson.size = run.size;
    if (run.exports.size() > 1) throw Error("--export: a lesson is written as one page; leave the others out");
    if (!run.exports.empty()) lesson.html = run.exports.front();
    settle_output("--export", lesson.html, {".html"});
    lesson.video = run.video;
    lesson.sequence = run.sequence;
    settle_film(lesson.sequence, lesson.video);
    if (!run.films())
        refuse(*grammar.run, {"--frame-rate"}, ": says what --sequence and --video show, and neither is given");
    check_frame_rate(run.frame_rate);
    lesson.frame_rate = run.frame_rate;
    lesson.light_film = run.light;
    if (run.films() && !sized) lesson.size = {1280, 720};
    lesson.json = run.json;
    settle_output("--json", lesson.json);
    lesson.quiet = run.quiet;
}

void understand_check(const Grammar& grammar, CheckOptions& check) {
    understand_reading(*grammar.check, check.read);
    if (!check.command.empty() && !check.triangles.empty())
        throw Error("--command: the program makes the triangles; leave " + check.triangles.string() + " out");
    int on_stdout = 0;
    for (const auto& [option, file] :
         {std::pair{"--json", &check.json}, {"--sarif", &check.sarif}, {"--junit", &check.junit}}) {
        if (*file == "-" && ++on_stdout > 1) throw Error(std::string(option) + " -: stdout takes one report alone");
        settle_output(option, *file);
    }
    settle_outputs("--export", check.exports, {".csv"});
}

void understand_shrink(const Grammar& grammar, ShrinkCommandOptions& shrink) {
    Typed typed = grammar.shrink_typed;
    std::error_code ignored;
    if (typed.input.empty() && std::filesystem::is_regular_file(io::user_path(typed.points), ignored))
        std::swap(typed.input, typed.points);  // --points FILE
    if (typed.points.empty() && typed.input.empty())
        throw Error("shrink: expected points that fail, with --points (a generator or a file) or --input");
    understand_scenario(*grammar.shrink, typed, shrink.scenario);
    shrink.scenario.lab = grammar.shrink_lab.empty() ? "build" : grammar.shrink_lab;
    if (!shrink.command.empty() && (!grammar.shrink_lab.empty() || !typed.settings.empty()))
        throw Error("--command: runs a program in place of a lab; leave --lab and --set out");
    require_failure_name(shrink.fails);
    if (!shrink.scenario.triangles.empty())
        throw Error(
            shrink.scenario.triangles.string() +
            ": a triangulation cannot be shrunk, since fewer points need other triangles; name the program that made "
            "it: --command './mine {points} {triangles}'. 'flipscope check' says what is wrong with it");
    settle_outputs("--out", shrink.outs, {".json", ".xy", ".csv", ".py", ".cpp", ".h"});
    settle_output("--json", shrink.json);
}

void understand_torture(const Grammar& grammar, TortureOptions& torture) {
    if (!torture.input.empty())
        refuse(*grammar.torture, {"--sizes", "--only", "--small", "--seed"},
               ": says which sets are made, and --input takes saved ones; leave one out");
    if (torture.json == "-" && torture.junit == "-") throw Error("--junit -: stdout takes one report alone");
    settle_output("--report", torture.report, {".html"});
    settle_output("--json", torture.json);
    settle_output("--junit", torture.junit);
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
    if (!commands.empty()) refuse_misplaced(grammar, commands.front()->get_name());
    if (options.command == Command::kRun && is_lesson_file(grammar.lab)) options.command = Command::kLesson;
    switch (options.command) {
        case Command::kShow:
            understand_show(grammar, options.show);
            break;
        case Command::kRun:
            understand_run(grammar, options.run);
            break;
        case Command::kLesson:
            understand_lesson(grammar, options.run, options.lesson);
            break;
        case Command::kRead:
            understand_reading(*grammar.read, options.read.read);
            settle_output("--json", options.read.json);
            break;
        case Command::kPredicate:
            understand_reading(*grammar.predicate, options.predicate.read);
            settle_output("--json", options.predicate.json);
            break;
        case Command::kCheck:
            understand_check(grammar, options.check);
            break;
        case Command::kShrink:
            understand_shrink(grammar, options.shrink);
            break;
        case Command::kTorture:
            understand_torture(grammar, options.torture);
            break;
        case Command::kSheet:
            settle_output("--picture", options.sheet.picture, {".png"});
            break;
        case Command::kList:
            if (!options.list_lab.empty() && is_one_of(options.list, {"generators", "formats", "defects", "recent"}))
                throw Error("list " + options.list + " " + options.list_lab + ": " + options.list +
                            " belong to no lab; leave " + options.list_lab + " out");
            break;
        case Command::kInfo:
        case Command::kNothing:
            break;
    }
    return options;
}

}  // namespace flipscope::app
