// flipscope_bench: times insertion, edge flips, lattice Voronoi diagrams and more, by input and kernel, beside other
// programs. See --help.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/constructions.h"
#include "bench/experiments.h"
#include "bench/flip_report.h"
#include "bench/lattice.h"
#include "bench/particles.h"
#include "bench/parts.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "compute/error.h"
#include "geometry/generators.h"
#include "io/files.h"
#include "io/output_file.h"
#include "lab/parameters.h"
#include "lab/registry.h"

#ifdef FLIPSCOPE_WITH_CGAL
#include "bench/cgal.h"
#endif

namespace flipscope::bench {

namespace {

constexpr const char* kExamples = R"(Examples:
  flipscope_bench                               five distributions, 1000 to a million points
  flipscope_bench --max 1e7 --only uniform      one of them, up to ten million
  flipscope_bench --thesis --precisions         float, double and exact on the thesis's distributions
  flipscope_bench --torus --only uniform        the triangulation of a periodic box, beside CGAL's
  flipscope_bench --device cuda --block-sizes   time against threads per block
  flipscope_bench --constructions --max 1e7     all constructions of the program and CGAL, in turns
  flipscope_bench --constructions --only strips,cgal,uniform --kernels
  flipscope_bench --flips --max 2e6             edge flips, time against triangles, beside Lawson's (Navarro's figure 6)
  flipscope_bench --meshes --device cuda        edge flips on meshes of the sizes of Navarro's table 1
  flipscope_bench --lattice                     digital Voronoi diagrams: colouring against sites and centres
  flipscope_bench --particles                   time steps of particles, 1024 to a million (Carter's figures 9 to 12)
  flipscope_bench --particles --only c0,c3,short-range --max 65536
  flipscope_bench --particles --only all-pairs  forces between particles: shuffles, shared memory, CPU (figure 12)
  flipscope_bench --judging                     judging triangulations, beside making them
  flipscope_bench --statistics --max 1e6        statistics of points and their triangulation, part by part
  flipscope_bench --interpolation               a million values between 10^5 scattered points, by every method
  flipscope_bench --readers --max 1e7           reading tables, beside reading their bytes alone
  flipscope_bench --frames --max 1e7            pictures during panning and zooming, without a window
  flipscope_bench --json bench.json --plot bench.svg)";

using Json = nlohmann::ordered_json;

struct Options {
    std::string experiment;  // "flips"; empty: insertion
    std::string device = "auto", json, plot;
    int threads = 0;
    double least = 0, most = 0, seconds = 3;  // least, most 0: the experiment's defaults
    uint64_t seed = 1;
    int runs = 0;
    std::vector<std::string> only, settings;
    bool thesis = false, precisions = false, torus = false, block_sizes = false, no_cgal = false, no_serial = false;
    bool fresh = false, kept = false, library = false, no_lawson = false;
    bool beside = false, coloured = false, kernels = false;
    std::string sites = "2048x1024";
};

int parse(int argc, char** argv, Options& options) {
    CLI::App app{"Measures Flipscope's insertion and edge flips, beside CGAL where it was built in."};
    app.name("flipscope_bench");
    app.footer(kExamples);
    app.add_option("--device", options.device, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app.add_option("--threads", options.threads, "CPU threads; 0: all")->check(CLI::Range(0, 1024));
    app.add_option("--min", options.least,
                   "Fewest points, or triangles of --flips and --meshes (1e3), or centres of --lattice (1e2), or "
                   "particles (1024)")
        ->check(CLI::Range(3.0, 1e8));
    app.add_option("--max", options.most,
                   "Most of them (1e6, --meshes all, particles 1048576); sizes go by tens, of particles by twos")
        ->check(CLI::Range(3.0, 1e8));
    app.add_option("--only", options.only,
                   "Distributions (uniform,normal,clusters,grid,ring); starts of --flips; flat or surface of --meshes; "
                   "sections of --lattice; sections and configurations (c0 ... c4) of --particles")
        ->delimiter(',');
    auto* thesis =
        app.add_flag("--thesis", options.thesis, "The thesis's distributions: disk, disk-centre, disk-rim, normal");
    app.add_option("--seed", options.seed, "Of the generators (1)");
    app.add_option(
           "--seconds", options.seconds,
           "Seconds of measuring for each line of a table (3); particles whose step would take longer are skipped")
        ->check(CLI::Range(0.0, 1e5));
    app.add_option("--runs", options.runs, "Exact number of runs instead, or of time steps of --particles")
        ->check(CLI::Range(1, 10000));
    auto* set = app.add_option("--set", options.settings, "A parameter of ours, name=value")->allow_extra_args(false);
    auto* precisions = app.add_flag("--precisions", options.precisions, "Each predicate mode instead (figure 21)");
    auto* torus = app.add_flag("--torus", options.torus,
                               "In a periodic box instead, beside the plane and CGAL's periodic triangulation");
    auto* block_sizes = app.add_flag("--block-sizes", options.block_sizes,
                                     "CUDA block sizes on 10^5 uniform points instead (figure 16)");
    app.add_flag("--no-cgal", options.no_cgal, "Without CGAL");
    app.add_flag("--no-serial", options.no_serial, "Without the serial algorithm");
    app.add_flag("--library", options.library,
                 "Beside the engine also the library's triangulate(), with neighbours, hull and hash");
    app.add_flag("--no-lawson", options.no_lawson, "Without Lawson's sequential flips");
    auto* fresh = app.add_flag("--fresh", options.fresh, "Memory allocated for every run (default on the CPU)");
    app.add_flag("--kept", options.kept, "Memory kept between runs (default on CUDA)")->excludes(fresh);
    app.add_option("--json", options.json, "Writes the numbers to a file");
    auto* plot = app.add_option("--plot", options.plot, "Draws them as SVG");
    auto* experiments = app.add_option_group("Other experiments", "Instead of insertion, one of");
    experiments->require_option(0, 1);
    const auto add = [&](const char* name, const char* help, const std::vector<CLI::Option*>& excluded) {
        auto* made = experiments->add_flag_callback(
            name, [&options, name] { options.experiment = name + 2; }, help);
        for (CLI::Option* other : excluded) made->excludes(other);
        return made;
    };
    const std::vector<CLI::Option*> of_insertion{fresh, thesis, precisions, torus, block_sizes};
    add("--flips", "The Flip lab: time against triangles, for the paper's noisy quad (its figure 6) and other starts",
        of_insertion);
    add("--meshes", "The Flip lab, on meshes of the sizes of the paper's table 1", of_insertion);
    auto* lattice = add("--lattice", "Digital Voronoi diagrams; --min and --max count centres (1e2, 1e6)",
                        {fresh, thesis, precisions, torus, block_sizes, set, plot});
    auto* constructions =
        add("--constructions", "All constructions of the program, and CGAL, in turns; --only names them, too",
            {precisions, torus, block_sizes, set});
    auto* particles =
        add("--particles", "Particles in a periodic box; --min and --max count them, --only chooses sections",
            {fresh, thesis, precisions, torus, block_sizes, set});
    add("--events", "The Events lab: the chain from field to events, pass by pass, on 2048 x 1024 sites", {});
    add("--timeline",
        "The timeline alone: steps a second of a lab that does nothing, in a run of 1e5 steps and in one of --max "
        "(1e7)",
        {});
    add("--judging", "Judging triangulations, beside making them: exact ones, and ones with a single fault", {});
    add("--statistics",
        "Statistics of points and their triangulation, part by part: of 1e5 and 1e6 points, or of --max", {});
    add("--interpolation", "Interpolation at 1e6 places by every method, between 1e5 points, or between --max", {});
    add("--readers", "Reading tables: of 1e6 rows, or of --max", {});
    auto* frames = add("--frames",
                       "Frames during panning and zooming, of a triangulation of 1e6 points, or of --max; --runs: "
                       "frames of each movement (120)",
                       {});
    app.add_option("--sites", options.sites, "Size of the lattice of --lattice (2048x1024)")->needs(lattice);
    app.add_flag("--beside", options.beside, "With --frames: two pictures side by side, one of them a kept copy")
        ->needs(frames);
    app.add_flag("--coloured", options.coloured, "With --frames: triangles in the colours of their areas")
        ->needs(frames);
    app.add_flag("--kernels", options.kernels,
                 "With --particles and --constructions: the time of each kernel (adds about 3 µs to a launch on CUDA)");
    try {
        app.parse(argc, argv);
        if (options.kernels && constructions->count() + particles->count() == 0)
            throw CLI::RequiresError("--kernels", "--particles or --constructions");
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return -1;
}

/// `least`, `most`: the experiment's defaults.
Task make_task(const Options& options, DeviceRequest device, double least = 0, double most = 0) {
    Task task;
    task.device = device;
    task.threads = options.threads;
    task.least = options.least > 0 ? options.least : least;
    task.most = options.most > 0 ? options.most : most;
    task.runs = options.runs;
    task.only = options.only;
    task.seed = options.seed;
    task.patience.seconds = options.seconds;
    if (options.runs > 0) task.patience.fewest = task.patience.most = options.runs;
    return task;
}

DeviceRequest device_of(const Context& context) {
    return context.on_cuda() ? DeviceRequest::kCuda : DeviceRequest::kCpu;
}

Settings read_settings(const Options& options, const char* lab) {
    Settings settings;
    for (const auto& setting : options.settings) {
        set_parameter(*make_lab(lab), setting);  // throws for unknown names
        const size_t sign = setting.find('=');
        settings.emplace_back(setting.substr(0, sign), setting.substr(sign + 1));
    }
    return settings;
}

Plan make_plan(const Options& options, const Context& context) {
    Plan plan{make_task(options, device_of(context), 1e3, 1e6)};
    plan.settings = read_settings(options, "build");
    plan.distributions = options.thesis ? std::vector<std::string>{"disk", "disk-centre", "disk-rim", "normal"}
                                        : std::vector<std::string>{"uniform", "normal", "clusters", "grid", "ring"};
    for (double size = plan.least; size <= plan.most * 1.0001; size *= 10)
        plan.sizes.push_back(static_cast<uint64_t>(size + 0.5));
    // Driver allocations take milliseconds, and no program pays for them in every triangulation.
    plan.fresh = options.fresh || (!options.kept && !context.on_cuda());
    plan.cgal = !options.no_cgal;
    plan.serial = !options.no_serial;
    plan.library = options.library;
    return plan;
}

void write_text(const std::string& file, const std::string& text) { write_whole_file(io::user_path(file), text); }

/// Writes the JSON, if requested. Returns the exit status.
int finish(const Options& options, const Json& json, bool agree = true) {
    if (!options.json.empty()) write_text(options.json, json.dump(2) + "\n");
    return agree ? 0 : 1;
}

int run_frames_if_built(const Options& options, const Task& task, Json& json) {
#ifdef FLIPSCOPE_WITH_FRAMES
    run_frames(task, options.beside, options.coloured, json);
    return finish(options, json);
#else
    (void)options, (void)task, (void)json;
    throw Error("--frames: this benchmark was built without the window (FLIPSCOPE_WINDOW)");
#endif
}

Setting describe(const Context& context, bool fresh, bool cgal) {
    Setting setting;
    setting.device = context.on_cuda() ? "cuda" : "cpu";
    setting.device_name = context.device_name();
    setting.threads = context.threads();
    setting.fresh = fresh;
#ifdef FLIPSCOPE_WITH_CGAL
    if (cgal) setting.peer = "CGAL " + cgal_version();
#endif
    return setting;
}

int run_flips(const Options& options, const Context& context) {
    const bool meshes = options.experiment == "meshes";
    const FlipTable table = meshes ? FlipTable::kMeshes : FlipTable::kGrowth;
    FlipPlan plan{make_task(options, device_of(context), 1e3, meshes ? 1e8 : 1e6), !options.no_cgal,
                  !options.no_lawson};
    plan.settings = read_settings(options, "flip");
    const Setting setting = describe(context, false, plan.cgal);
    print_flip_heading(setting, table);
    print_flip_columns(table);
    const OnFlipCase tell = [&](const FlipCase& one) { print_flip_case(table, one); };
    const std::vector<FlipCase> cases = meshes ? run_flip_meshes(plan, tell) : run_flip_growth(plan, tell);
    if (cases.empty()) throw Error("nothing lies between --min and --max");
    print_courses(cases);
    print_flip_shares(cases);
    print_flip_disturbance(cases);
    const bool agree = print_complaints(cases);
    if (!options.json.empty()) write_text(options.json, flips_to_json(setting, table, plan, cases));
    if (!options.plot.empty()) write_text(options.plot, to_svg({figure_of_flips(table, cases)}));
    return agree ? 0 : 1;
}

/// Prints the heading of an experiment that writes its sections as JSON.
Json begin(const Context& context, const Task& task) {
    std::printf("Flipscope %s on %s\n", FLIPSCOPE_VERSION, context.device_name().c_str());
    return {{"version", FLIPSCOPE_VERSION},
            {"device_name", context.device_name()},
            {"threads", context.threads()},
            {"seed", task.seed}};
}

int run_on_lattice(const Options& options, const Context& context) {
    const LatticePlan plan{make_task(options, device_of(context), 1e2, 1e6), parse_lattice_size(options.sites)};
    Json json = begin(context, plan);
    json["sites"] = {plan.lattice.width, plan.lattice.height};
    const bool agree = run_lattice(plan, json);
    return finish(options, json, agree);
}

int run_on_particles(const Options& options, const Context& context) {
    ParticlesPlan plan{make_task(options, device_of(context), 1 << 10, 1 << 20)};
    if (plan.most < plan.least) throw Error("nothing lies between --min and --max");
    choose(options.only, plan);
    if (options.runs > 0) plan.steps = options.runs;
    plan.kernels = options.kernels;
    Json json = begin(context, plan);
    json["steps"] = plan.steps;
    json["seconds"] = plan.patience.seconds;
    const bool agree = run_particles(plan, json);
    if (!options.plot.empty()) {
        const std::vector<Figure> figures = figures_of_particles(json);
        if (figures.empty()) throw Error("--plot: the sections short-range, long-range and all-pairs are drawn");
        write_text(options.plot, to_svg(figures));
    }
    return finish(options, json, agree);
}

int run_on_constructions(const Options& options, const Context& context) {
    Plan plan = make_plan(options, context);
    plan.fresh = options.fresh;
    std::vector<std::string> constructions;
    choose_constructions(options.only, plan, constructions);
    if (options.no_cgal) std::erase(constructions, "cgal");
    if (options.no_serial) std::erase(constructions, "serial");
    if (plan.sizes.empty() || constructions.empty()) throw Error("nothing is left to measure");
    Json json = begin(context, plan);
    const bool agree = run_constructions(plan, constructions, options.kernels, json);
    if (!options.plot.empty()) write_text(options.plot, to_svg(figures_of_constructions(json)));
    return finish(options, json, agree);
}

int run_on_events(const Options& options, const Context& context) {
    Task task = make_task(options, device_of(context));
    task.settings = read_settings(options, "events");
    std::printf("Events lab, %s\n", context.device_name().c_str());
    Json json;
    const bool sound = run_events(task, json);
    return finish(options, json, sound);
}

int run_insertion(const Options& options, const Context& context) {
    Plan plan = make_plan(options, context);
    if (!options.only.empty()) plan.distributions = options.only;
    for (const auto& distribution : plan.distributions)
        parse_generator(distribution + ":3");  // throws for unknown names
    if (options.block_sizes && !context.on_cuda())
        throw Error("--block-sizes: block size has no meaning on CPU threads; use --device cuda");
    Setting setting = describe(context, plan.fresh, plan.cgal);
    setting.peers = !options.block_sizes && !options.precisions && !options.torus;
    setting.library = plan.library;
    const OnCase tell = [&](const Case& one) { print_case(setting, one); };
    print_heading(setting);
    std::vector<Case> cases;
    const auto add = [&](std::vector<Case> more) { std::move(more.begin(), more.end(), std::back_inserter(cases)); };
    if (options.block_sizes) {
        print_columns(setting, "Block size (figure 16)");
        add(run_block_sizes(plan, 100'000, tell));
    }
    if (options.precisions) {
        print_columns(setting, "Predicates (figure 21)");
        add(run_precisions(plan, tell));
    }
    bool agree = true;
    if (options.torus) {
        print_torus_columns();
        add(run_torus(plan, print_torus_case));
        agree = print_disagreements(cases);
    }
    if (setting.peers) {
        print_columns(setting, "Time against n (figures 8 and 13)");
        add(run_growth(plan, tell));
        print_exponents(cases, plan.distributions);
        print_shares(cases, plan.distributions);
        print_disturbance(cases);
        agree = print_disagreements(cases);
    }
    if (!options.json.empty()) write_text(options.json, to_json(setting, cases, plan.distributions));
    if (!options.plot.empty() && !cases.empty())
        write_text(options.plot, to_svg({figure_of(cases, cases.front().experiment)}));
    return agree ? 0 : 1;
}

int run(const Options& options) {
    const Task task = make_task(options, *parse_device(options.device));
    Json json{{"version", FLIPSCOPE_VERSION}};
    if (options.experiment == "frames") return run_frames_if_built(options, task, json);
    for (const auto& [name, run_part] : {std::pair{"timeline", &run_timeline},
                                         {"judging", &run_judging},
                                         {"readers", &run_readers},
                                         {"statistics", &run_statistics},
                                         {"interpolation", &run_interpolation}})
        if (options.experiment == name) {
            run_part(task, json);
            return finish(options, json);
        }
    Context context(task.device, task.threads);
    if (!context.notice().empty()) std::fprintf(stderr, "flipscope_bench: %s\n", context.notice().c_str());
    for (const auto& [name, run_on] : {std::pair{"flips", &run_flips},
                                       {"meshes", &run_flips},
                                       {"constructions", &run_on_constructions},
                                       {"events", &run_on_events},
                                       {"lattice", &run_on_lattice},
                                       {"particles", &run_on_particles}})
        if (options.experiment == name) return run_on(options, context);
    return run_insertion(options, context);
}

}  // namespace

}  // namespace flipscope::bench

int main(int argc, char** argv) {
    flipscope::bench::Options options;
    if (const int status = flipscope::bench::parse(argc, argv, options); status >= 0) return status;
    try {
        return flipscope::bench::run(options);
    } catch (const flipscope::Error& error) {
        std::fprintf(stderr, "flipscope_bench: %s\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "flipscope_bench: %s\n", error.what());
        return 3;
    }
}
