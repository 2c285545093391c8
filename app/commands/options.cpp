#include "app/commands/options.h"

#include <algorithm>
#include <cmath>

#include "app/figures/figure_spec.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/files.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

/// The options of ReadOptions::set().
constexpr struct {
    const char *name, *help, *value;
} kReadOptions[] = {
    {"columns",
     "The column of a table for each role, by name or number; 'flipscope read FILE' shows the choice. Roles: x, y, z, "
     "time, id, name, weight, radius",
     "ROLE=COLUMN,…"},
    {"decimal", "The decimal mark of a table: point or comma", "MARK"},
    {"separator", "What separates the columns of a table: comma, semicolon, tab, bar, blank, or a sign", "SIGN"},
    {"y", "Whether y points down in the file, as in images, or up; down is flipped, and exports flip it back",
     "down|up"},
    {"tiny", "zero: coordinates other than 0 below 2^-200 are read as 0; without it they are refused", "zero"},
    {"unit", "The unit of the coordinates, instead of the file's: nm", "UNIT"}};

}  // namespace

CLI::Validator not_negative() {
    return {[](std::string& text) {
                return text.rfind('-', 0) == 0 ? "expected a whole number, 0 or more, found \"" + text + "\""
                                               : std::string();
            },
            ""};
}

CLI::Option* add_file(CLI::App& app, const char* names, const char* type, std::filesystem::path& file,
                      const char* help) {
    return add_parsed(
        app, names, type, [&file](const std::string& text) { file = io::user_path(text); }, help);
}

void add_threads(CLI::App& app, int& threads) {
    add(app, "--threads", "N", threads, "CPU threads; 0: as many as the machine has")->check(CLI::Range(0, 1024));
}

void add_read_options(CLI::App& app) {
    for (const auto& one : kReadOptions)
        app.add_option(std::string("--") + one.name, one.help)->type_name(one.value)->take_all();
}

void understand_reading(const CLI::App& app, ReadOptions& read) {
    for (const auto& one : kReadOptions)
        for (const std::string& value : app.get_option(std::string("--") + one.name)->results()) try {
                read.set(one.name, value);
            } catch (const Error& error) {
                throw Error(std::string("--") + one.name + ": " + error.what());
            }
}

void refuse(const CLI::App& app, std::initializer_list<const char*> options, const std::string& why) {
    for (const char* option : options)
        if (app.count(option) > 0) throw Error(option + why);
}

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
    add(app, "--within", "AREA", typed.within,
        "The study area, in which --statistics count points and measure cells: LEFT,LOWER,RIGHT,UPPER; a file of "
        "polygons, perhaps with #COLUMN=VALUE; POLYGON ((x y, …)); hull; areas, the input's own polygons; by default "
        "the bounds of the points");
    add(app, "--seed", "N", typed.seed, "Seed of the generator (1), or of the lab if nothing is generated")
        ->check(not_negative());
    add(app, "--set", "NAME=VALUE", typed.settings,
        "Sets a parameter; may be repeated (see 'flipscope list parameters')");
}

void add_display_options(CLI::App& app, Typed& typed) {
    app.add_flag("--angles", typed.angles, "Colours triangles by their minimum angles");
    app.add_option(
           "--show", typed.shown,
           "Further layers to show: field, the numbers on a lattice; disclinations, vertices without six edges; "
           "structures of the triangulation (gabriel, voronoi, …, see docs/structures.md); paraboloid, the lifted "
           "points beside the plane; upper-hull, theirs; axes; or what a scenario hides")
        ->type_name("WHAT,…")
        ->delimiter(',');
    app.add_option("--hide", typed.hidden,
                   "Layers to leave out: cells, marks, links (or edges), points, triangles, overlay, earlier (contacts "
                   "of the Events lab); all but points: stipples")
        ->type_name("WHAT,…")
        ->delimiter(',');
    add(app, "--beta", "X", typed.beta, "β of the layer beta-skeleton (1.5)")->check(CLI::Range(kLeastBeta, kMostBeta));
    add(app, "--alpha", "X", typed.alpha, "α of the layer alpha-shape, in units of the coordinates (the mean spacing)")
        ->check(CLI::NonNegativeNumber);
    add(app, "--presenter-scale", "X", typed.presenter_scale, "Size of text and lines; 2 can be read from the last row")
        ->check(CLI::Range(0.25, 8.0));
}

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
    const auto replace = [&](const char* name, auto& to, const auto& given) {
        to = given;
        scenario.places.erase(name);
    };
    if (!typed.triangles.empty()) replace("triangles", scenario.triangles, io::user_path(typed.triangles));
    if (!typed.field.empty()) replace("field", scenario.field, io::user_path(typed.field));
    if (!typed.tracks.empty()) replace("tracks", scenario.tracks, io::user_path(typed.tracks));
    if (!typed.triangles.empty()) scenario.triangles_given.clear();
    understand_reading(app, scenario.read);
    if (typed.seed) replace("seed", scenario.seed, typed.seed);
    if (!typed.within.empty()) replace("within", scenario.within, typed.within);
    if (typed.presenter_scale) scenario.presenter_scale = *typed.presenter_scale;
    for (const auto& [option, text] : typed.spatial) placed("--" + option, [&] { scenario.set_spatial(option, text); });
    if (typed.beta) scenario.display.beta = *typed.beta;
    if (typed.alpha) scenario.display.alpha = *typed.alpha;
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

void add_program_options(CLI::App& app, ProgramRequest& program, const std::string& requirement) {
    add(app, "--command", "COMMAND", program.command,
        "A program that reads points and writes triangles: './mine {points} {triangles}'; formats as in "
        "{points.csv} (.xy, .csv, .node, .npy) and {triangles.npy} (.tri, .csv, .npy, .ele, .off, …); a command "
        "with neither reads sets on its standard input, one after another");
    const auto set_required = [&program](const std::string& word) {
        for (const Requirement one : {Requirement::kTriangulation, Requirement::kComplete, Requirement::kDelaunay})
            if (word == word_of(one)) program.required = one;
    };
    add_parsed(app, "--require", "WHAT", set_required, requirement + ": triangulation, complete or delaunay (default)")
        ->check(CLI::IsMember({"triangulation", "complete", "delaunay"}));
    add(app, "--time-limit", "S", program.limits.seconds, "Time limit for each run, in seconds (10)")
        ->check(CLI::Range(0.05, 3600.0));
    add_parsed<uint64_t>(
        app, "--memory-limit", "MIB", [&program](uint64_t mib) { program.limits.memory_bytes = mib << 20; },
        "Memory limit for each run, in MiB (4096)")
        ->check(CLI::Range(16, 1 << 20));
}

void add_size(CLI::App& app, int& width, int& height, const char* help) {
    const auto set_size = [&width, &height](const std::string& text) {
        const std::vector<double> sides = numbers_in(text, 'x');
        const auto fits = [](double side) { return side == std::floor(side) && side >= 16 && side <= 16384; };
        if (sides.size() != 2 || !fits(sides[0]) || !fits(sides[1]))
            throw Error("--size: expected WIDTHxHEIGHT in pixels, 16 to 16384 each, found " + excerpt(text));
        width = static_cast<int>(sides[0]);
        height = static_cast<int>(sides[1]);
    };
    add_parsed(app, "--size", "WxH", set_size, help);
}

Window parse_window(const std::string& option, const std::string& text) {
    const std::vector<double> ends = numbers_in(text, ',');
    if (ends.size() != 4 || ends[0] >= ends[2] || ends[1] >= ends[3])
        throw Error(option + ": expected LEFT,LOWER,RIGHT,UPPER, each end above the other, found " + excerpt(text));
    return {{ends[0], ends[1]}, {ends[2], ends[3]}, false};
}

void settle_output(const std::string& option, std::string& file, const std::vector<std::string>& extensions) {
    if (file.empty() || (extensions.empty() && file == "-")) return;
    const std::filesystem::path path = io::user_path(file);
    file = path.string();
    if (!extensions.empty() && std::ranges::find(extensions, io::lower_extension(path)) == extensions.end())
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

void keep_inputs(const std::vector<std::filesystem::path>& inputs, const std::vector<std::string>& outputs) {
    std::error_code ignored;
    for (const std::string& output : outputs)
        for (const std::filesystem::path& input : inputs)
            if (std::filesystem::equivalent(input, output, ignored))
                throw Error(output + " is read by this command; give the output another name");
}

}  // namespace flipscope::app
