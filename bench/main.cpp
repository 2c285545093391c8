// flipscope_bench: times insertion, edge flips, lattice Voronoi diagrams and more, by input and kernel, beside other
// programs. See --help.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <set>

#include "bench/experiments.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/output_file.h"
#include "lab/parameters.h"

namespace flipscope::bench {

namespace {

constexpr const char* kExamples = R"(Examples:
  flipscope_bench                               five distributions, 1000 to a million points
  flipscope_bench --max 1e7 --only uniform      one of them, up to ten million
  flipscope_bench --precisions --only disk,normal   float, double and exact on two of the thesis's distributions
  flipscope_bench --torus --only uniform        the triangulation of a periodic box, beside CGAL's
  flipscope_bench --constructions --max 1e7     all constructions of the program and CGAL, in turns
  flipscope_bench --constructions --only strips,cgal,uniform --kernels
  flipscope_bench --agreement --max 1e8         a hundred million triangles by each of them, compared
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

/// Its option is "--name"; insertion has none.
struct Experiment {
    const char* name;
    const char* help;
    bool (*run)(const Task&, Json&);
    double least = 0, most = 0;                             // defaults of --min and --max; 0: its own
    const char* lab = nullptr;                              // whose parameters --set sets
    std::set<std::string> options = {};                     // that not all experiments have, but for --set and --plot
    std::vector<Figure> (*figures)(const Json&) = nullptr;  // of --plot
};

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> all{
        {"insertion", "", run_insertion, 1e3, 1e6, "build", {"--kept", "--kernels"}, figures_of_constructions},
        {"constructions",
         "All constructions of the program, and CGAL, in turns",
         run_constructions,
         1e3,
         1e6,
         nullptr,
         {"--kept", "--kernels"},
         figures_of_constructions},
        {"agreement", "Compares the triangles of all constructions and CGAL, --max of them in all; no times",
         run_agreement, 0, 1e6},
        {"precisions",
         "Insertion by each predicate mode (figure 21)",
         run_precisions,
         1e3,
         1e6,
         "build",
         {"--kept", "--kernels"},
         figures_of_constructions},
        {"torus",
         "Insertion in a periodic box, beside the plane and CGAL's periodic triangulation",
         run_torus,
         1e3,
         1e6,
         "build",
         {"--kept", "--kernels"},
         figures_of_constructions},
        {"flips",
         "The Flip lab: time against triangles, for the paper's noisy quad (its figure 6) and other starts",
         run_flips,
         1e3,
         1e6,
         "flip",
         {"--kernels"},
         figures_of_flips},
        {"meshes",
         "The Flip lab, on meshes of the sizes of the paper's table 1",
         run_meshes,
         1e3,
         1e8,
         "flip",
         {"--kernels"},
         figures_of_flips},
        {"lattice", "Digital Voronoi diagrams", run_lattice, 1e2, 1e6, nullptr, {"--sites"}},
        {"particles",
         "Particles in a periodic box",
         run_particles,
         1 << 10,
         1 << 20,
         nullptr,
         {"--kernels"},
         figures_of_particles},
        {"events", "The Events lab: the chain from field to events, pass by pass, on 2048 x 1024 sites", run_events, 0,
         0, "events"},
        {"judging", "Judging triangulations, beside making them: exact ones, and ones with a single fault",
         run_judging},
        {"statistics", "Statistics of points and their triangulation, part by part: of 1e5 and 1e6 points, or of --max",
         run_statistics},
        {"interpolation", "Interpolation at 1e6 places by every method, between 1e5 points, or between --max",
         run_interpolation},
        {"readers", "Reading tables: of 1e6 rows, or of --max", run_readers},
#ifdef FLIPSCOPE_WITH_FRAMES
        {"frames",
         "Frames during panning and zooming, of a triangulation of 1e6 points, or of --max; --runs: frames of each "
         "movement (120)",
         run_frames,
         0,
         0,
         nullptr,
         {"--beside", "--coloured"}},
#endif
    };
    return all;
}

struct Options {
    const Experiment* experiment = &experiments().front();
    std::string device = "auto", json, plot, other;
    int turns = 5;
    std::vector<std::string> shared;  // with --regress: the options of both builds
    Task task;
};

int parse(int argc, char** argv, Options& options) {
    CLI::App app{"Measures Flipscope's insertion and edge flips, beside CGAL where it was built in."};
    app.name("flipscope_bench");
    app.footer(kExamples);
    Task& task = options.task;
    app.add_option("--device", options.device, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app.add_option("--threads", task.threads, "CPU threads; 0: all")->check(CLI::Range(0, 1024));
    app.add_option("--min", task.least,
                   "Fewest points, or triangles of --flips and --meshes (1e3), or centres of --lattice (1e2), or "
                   "particles (1024)")
        ->check(CLI::Range(3.0, 1e8));
    app.add_option("--max", task.most,
                   "Most of them (1e6, --meshes all, particles 1048576); sizes go by tens, of particles by twos")
        ->check(CLI::Range(3.0, 1e8));
    app.add_option(
           "--only", task.only,
           "Distributions (uniform,normal,clusters,grid,ring, or other generators) and contestants; starts of "
           "--flips; flat or surface of --meshes; sections of --lattice; sections and configurations (c0 ... c4) "
           "of --particles; sources of --events")
        ->delimiter(',');
    app.add_option("--seed", task.seed, "Of the generators (1)");
    app.add_option(
           "--seconds", task.patience.seconds,
           "Seconds of measuring for each line of a table (3); particles whose step would take longer are skipped")
        ->check(CLI::Range(0.0, 1e5));
    app.add_option("--runs", task.runs, "Exact number of runs instead, or of time steps of --particles")
        ->check(CLI::Range(1, 10000));
    app.add_option("--json", options.json, "Writes the numbers to a file");
    std::vector<CLI::Option*> special{
        app.add_option("--plot", options.plot, "Draws them as SVG"),
        app.add_option("--set", task.settings, "A parameter of ours, name=value")->allow_extra_args(false),
        app.add_flag("--kept", task.kept, "Memory kept between runs (default on CUDA, and of --constructions)"),
        app.add_flag("--kernels", task.kernels, "The time of each kernel (adds about 3 µs to a launch on CUDA)"),
        app.add_option("--sites", task.lattice, "Size of the lattice of --lattice (2048x1024)"),
        app.add_flag("--beside", task.beside, "With --frames: two pictures side by side, one of them a kept copy"),
        app.add_flag("--coloured", task.coloured, "With --frames: triangles in the colours of their areas")};
    CLI::Option* const regress =
        app.add_option("--regress", options.other,
                       "Another build of this program: both run the experiment in turns, and what is slower or faster "
                       "than the spread between turns is listed; status 1: something is slower")
            ->check(CLI::ExistingFile);
    app.add_option("--turns", options.turns, "Of --regress (5)")->check(CLI::Range(3, 1000))->needs(regress);
    regress->excludes("--plot");
    auto* others = app.add_option_group("Other experiments", "Instead of insertion, one of");
    others->require_option(0, 1);
    for (const Experiment& one : experiments())
        if (&one != options.experiment)
            others->add_flag_callback(
                std::string("--") + one.name, [&options, &one] { options.experiment = &one; }, one.help);
    try {
        app.parse(argc, argv);
        std::set<std::string> allowed = options.experiment->options;
        if (options.experiment->lab) allowed.insert("--set");
        if (options.experiment->figures) allowed.insert("--plot");
        for (const CLI::Option* option : special)
            if (option->count() > 0 && !allowed.count(option->get_name()))
                throw CLI::ExcludesError("the experiment " + std::string(options.experiment->name), option->get_name());
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i], name = word.substr(0, word.find('='));
            if (name == "--regress" || name == "--turns" || name == "--json")
                i += name == word;  // its value is the next word
            else
                options.shared.push_back(word);
        }
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return -1;
}

int run(Options& options) {
    const Experiment& experiment = *options.experiment;
    Task& task = options.task;
    if (experiment.lab) make_lab_with(experiment.lab, task.settings);  // throws for unknown names
    if (task.least <= 0) task.least = experiment.least;
    if (task.most <= 0) task.most = experiment.most;
    if (task.runs > 0) task.patience.fewest = task.patience.most = task.runs;
    Json json{{"version", FLIPSCOPE_VERSION}, {"seed", task.seed}, {"settings", task.settings}};
#ifdef FLIPSCOPE_WITH_CGAL
    json["peer"] = "CGAL " + cgal_version();
#endif
    {
        const Context context(*parse_device(options.device), task.threads);
        if (!context.notice().empty()) std::fprintf(stderr, "flipscope_bench: %s\n", context.notice().c_str());
        task.device = context.on_cuda() ? DeviceRequest::kCuda : DeviceRequest::kCpu;
        json["device_name"] = context.device_name();
        json["threads"] = context.threads();
        std::printf("Flipscope %s on %s\n", FLIPSCOPE_VERSION, context.device_name().c_str());
    }
    const bool agree = options.other.empty() ? experiment.run(task, json)
                                             : compare_builds(options.other, options.shared, options.turns, json);
    const auto write = [](const std::string& file, const std::string& text) {
        if (!file.empty()) write_whole_file(io::user_path(file), text);
    };
    write(options.json, json.dump(2) + "\n");
    if (!options.plot.empty()) {
        const std::vector<Figure> figures = experiment.figures(json);
        if (figures.empty()) throw Error("--plot: the sections short-range, long-range and all-pairs are drawn");
        write(options.plot, to_svg(figures));
    }
    return agree ? 0 : 1;
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
