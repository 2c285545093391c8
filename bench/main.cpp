// flipscope_bench: how long the insertion takes, for which input, in which kernels, and beside CGAL. See --help.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "bench/experiments.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "compute/error.h"
#include "geometry/generators.h"
#include "steps/parameters.h"
#include "steps/registry.h"

#ifdef FLIPSCOPE_WITH_CGAL
#include "bench/cgal.h"
#endif

namespace flipscope::bench {

namespace {

constexpr const char* kExamples = R"(Examples:
  flipscope_bench                               five distributions, 1000 to a million points
  flipscope_bench --max 1e7 --only uniform      one of them, up to ten million
  flipscope_bench --thesis --precisions         float, double and exact on the thesis's distributions
  flipscope_bench --device cuda --block-sizes   time against threads per block
  flipscope_bench --json bench.json --plot bench.svg)";

struct Options {
    std::string device = "auto", json, plot;
    int threads = 0;
    double least = 1e3, most = 1e6, seconds = 3;
    uint64_t seed = 1;
    int runs = 0;
    std::vector<std::string> only, settings;
    bool thesis = false, precisions = false, block_sizes = false, no_cgal = false, no_serial = false;
    bool fresh = false, kept = false;
};

int parse(int argc, char** argv, Options& options) {
    CLI::App app{"Measures Flipscope's insertion, beside CGAL where it was built in."};
    app.name("flipscope_bench");
    app.footer(kExamples);
    app.add_option("--device", options.device, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
    app.add_option("--threads", options.threads, "CPU threads; 0: all")->check(CLI::Range(0, 1024));
    app.add_option("--min", options.least, "Fewest points (1e3)")->check(CLI::Range(3.0, 1e8));
    app.add_option("--max", options.most, "Most points (1e6); sizes go by tens")->check(CLI::Range(3.0, 1e8));
    app.add_option("--only", options.only, "Distributions (uniform,normal,clusters,grid,ring)")->delimiter(',');
    app.add_flag("--thesis", options.thesis, "The thesis's distributions: disk, disk-centre, disk-rim, normal");
    app.add_option("--seed", options.seed, "Of the generators (1)");
    app.add_option("--seconds", options.seconds, "Of measuring for each line of a table (3)")
        ->check(CLI::Range(0.0, 1e5));
    app.add_option("--runs", options.runs, "Exactly so many runs instead")->check(CLI::Range(1, 10000));
    app.add_option("--set", options.settings, "A parameter of ours, name=value")->allow_extra_args(false);
    app.add_flag("--precisions", options.precisions, "Each predicate mode instead (figure 21)");
    app.add_flag("--block-sizes", options.block_sizes, "CUDA block sizes on 10^5 uniform points instead (figure 16)");
    app.add_flag("--no-cgal", options.no_cgal, "Without CGAL");
    app.add_flag("--no-serial", options.no_serial, "Without the serial algorithm");
    auto* fresh = app.add_flag("--fresh", options.fresh, "Memory allocated anew for every run (default on the CPU)");
    app.add_flag("--kept", options.kept, "Memory kept between runs (default on CUDA)")->excludes(fresh);
    app.add_option("--json", options.json, "Writes the numbers to a file");
    app.add_option("--plot", options.plot, "Draws them as SVG");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return -1;
}

Plan make_plan(const Options& options, bool on_cuda) {
    Plan plan;
    plan.device = on_cuda ? DeviceRequest::kCuda : DeviceRequest::kCpu;
    plan.threads = options.threads;
    plan.distributions = options.thesis ? std::vector<std::string>{"disk", "disk-centre", "disk-rim", "normal"}
                                        : std::vector<std::string>{"uniform", "normal", "clusters", "grid", "ring"};
    if (!options.only.empty()) plan.distributions = options.only;
    for (const auto& distribution : plan.distributions) parse_generator(distribution + ":3");  // says what is unknown
    for (double size = options.least; size <= options.most * 1.0001; size *= 10)
        plan.sizes.push_back(static_cast<uint64_t>(size + 0.5));
    plan.seed = options.seed;
    plan.patience.seconds = options.seconds;
    if (options.runs > 0) plan.patience.fewest = plan.patience.most = options.runs;
    for (const auto& setting : options.settings) {
        set_parameter(*make_algorithm("build"), setting);  // throws for what is unknown
        const size_t sign = setting.find('=');
        plan.settings.emplace_back(setting.substr(0, sign), setting.substr(sign + 1));
    }
    // The driver takes milliseconds for an allocation, and nobody pays that for every triangulation.
    plan.fresh = options.fresh || (!options.kept && !on_cuda);
    plan.cgal = !options.no_cgal;
    plan.serial = !options.no_serial;
    return plan;
}

Setting describe(const Context& context, const Plan& plan) {
    Setting setting;
    setting.device = context.on_cuda() ? "cuda" : "cpu";
    setting.device_name = context.device_name();
    setting.threads = context.threads();
    setting.fresh = plan.fresh;
#ifdef FLIPSCOPE_WITH_CGAL
    if (plan.cgal) setting.peer = "CGAL " + cgal_version();
#endif
    return setting;
}

void write_text(const std::string& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw Error(file + ": cannot be written");
}

int run(const Options& options) {
    Context context(*parse_device(options.device), options.threads);
    if (!context.notice().empty()) std::fprintf(stderr, "flipscope_bench: %s\n", context.notice().c_str());
    const Plan plan = make_plan(options, context.on_cuda());
    if (options.block_sizes && !context.on_cuda())
        throw Error("--block-sizes: block size has no meaning on CPU threads; use --device cuda");
    Setting setting = describe(context, plan);
    setting.peers = !options.block_sizes && !options.precisions;
    const Tell tell = [&](const Case& one) { print_case(setting, one); };
    print_heading(setting);
    std::vector<Case> cases;
    const auto add = [&](std::vector<Case> more) { std::move(more.begin(), more.end(), std::back_inserter(cases)); };
    if (options.block_sizes) {
        if (!context.on_cuda())
            throw Error("--block-sizes: block size has no meaning on CPU threads; use --device cuda");
        print_columns(setting, "Block size (figure 16)");
        add(run_block_sizes(plan, 100'000, tell));
    }
    if (options.precisions) {
        print_columns(setting, "Predicates (figure 21)");
        add(run_precisions(plan, tell));
    }
    bool agree = true;
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
        write_text(options.plot, to_svg(figure_of(cases, cases.front().experiment)));
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
