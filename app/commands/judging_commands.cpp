// The options of `flipscope predicate`, `shrink` and `torture`, which app/judging runs.
#include <memory>
#include <utility>

#include "app/commands/options.h"
#include "app/judging/failing.h"
#include "app/judging/predicate_command.h"
#include "app/judging/shrink_command.h"
#include "app/judging/torture.h"
#include "compute/error.h"
#include "io/files.h"

namespace flipscope::app {

namespace {

struct ShrinkCommand {
    ShrinkCommandOptions shrink;
    Typed typed;
    std::string lab;
};

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

}  // namespace

Prepare add_predicate(CLI::App& app) {
    const auto options = std::make_shared<PredicateOptions>();
    PredicateOptions& to = *options;
    app.add_option("predicate", to.predicate, "orient of three points, or incircle of four")
        ->check(CLI::IsMember({"orient", "incircle"}))
        ->required();
    add_file(app, "file", "FILE", to.file, "Any file of points")->required();
    app.add_option("points", to.points, "Their indices in the file, from 0")->type_name("ID")->required();
    add_read_options(app);
    add(app, "--json", "FILE", to.json, "Writes it as JSON into a file, or to stdout (-)");
    app.add_flag("--quiet", to.quiet, "Prints nothing");
    return [options, &app] {
        understand_reading(app, options->read);
        settle_output("--json", options->json);
        return [options] { return evaluate_predicate(*options); };
    };
}

Prepare add_shrink(CLI::App& app) {
    const auto command = std::make_shared<ShrinkCommand>();
    ShrinkCommandOptions& to = command->shrink;
    add(app, "--lab", "LAB", command->lab, "The lab that fails (build)");
    add_input_options(app, command->typed);
    add(app, "--fails", "WHAT", to.fails,
        "What counts as failing: any (the check fails, or whatever is wrong with a program's answer), check, "
        "cycles, differs (from the exact triangulation, ties apart), crashed, timed out, or the code of a defect");
    add_program_options(app, to.command, to.limits, to.required);
    add(app, "--out", "FILE", to.outs,
        "The result: a scenario that opens at the failure (.json), the points (.xy, .csv), or a literal for a unit "
        "test (.py, .cpp, .h); may be given again")
        ->allow_extra_args()
        ->required();
    add_kinds(app, "--keep", to.kinds, "What the points must stay: distinct, floats, integers");
    add(app, "--json", "FILE", to.json, "Writes the result as JSON; '-' for stdout");
    add(app, "--seconds", "S", to.seconds, "Time limit in seconds (60); the best so far is the result")
        ->check(CLI::Range(0.1, 1e6));
    app.add_flag("!--keep-coordinates", to.simplify, "Leaves points out and changes no coordinate");
    add_threads(app, to.threads);
    app.add_flag("--quiet", to.quiet, "No summary and no progress");
    return [command, &app] {
        auto& [shrink, typed, lab] = *command;
        std::error_code ignored;
        if (typed.input.empty() && std::filesystem::is_regular_file(io::user_path(typed.points), ignored))
            std::swap(typed.input, typed.points);  // --points FILE
        if (typed.points.empty() && typed.input.empty())
            throw Error("shrink: expected points that fail, with --points (a generator or a file) or --input");
        understand_scenario(app, typed, shrink.scenario);
        shrink.scenario.lab = lab.empty() ? "build" : lab;
        if (!shrink.command.empty() && (!lab.empty() || !typed.settings.empty()))
            throw Error("--command: runs a program in place of a lab; leave --lab and --set out");
        require_failure_name(shrink.fails);
        if (!shrink.scenario.triangles.empty())
            throw Error(shrink.scenario.triangles.string() +
                        ": a triangulation cannot be shrunk, since fewer points need other triangles; name the program "
                        "that made "
                        "it: --command './mine {points} {triangles}'. 'flipscope check' says what is wrong with it");
        settle_outputs("--out", shrink.outs, {".json", ".xy", ".csv", ".py", ".cpp", ".h"});
        settle_output("--json", shrink.json);
        return [command] { return run_shrink(command->shrink); };
    };
}

Prepare add_torture(CLI::App& app) {
    const auto options = std::make_shared<TortureOptions>();
    TortureOptions& to = *options;
    add_program_options(app, to.command, to.limits, to.required);
    app.get_option("--command")->required();
    app.add_option("--sizes", to.sizes, "Numbers of points in the generators' sets (10,1000)")
        ->type_name("N,…")
        ->delimiter(',');
    app.add_option("--only", to.only, "Generators and kinds of small sets to take (see 'flipscope list generators')")
        ->type_name("NAME,…")
        ->delimiter(',');
    add(app, "--small", "N", to.small_sets, "Small adversarial sets (1000)")->check(not_negative());
    add_kinds(app, "--kinds", to.kinds,
              "Points that the program can read; sets are converted to such points: distinct, floats (rounded to "
              "single precision), integers");
    add(app, "--seed", "N", to.seed, "Seed of generators and small sets (1)")->check(not_negative());
    add(app, "--input", "FOLDER", to.input, "Runs the program only on the saved failures in this folder")
        ->check(CLI::ExistingDirectory);
    add(app, "--report", "FILE.html", to.report, "Writes a page with pictures");
    add(app, "--json", "FILE", to.json, "Writes all results as JSON; '-' for stdout");
    add(app, "--junit", "FILE", to.junit, "Writes all results as JUnit's XML; '-' for stdout");
    add(app, "--failures", "FOLDER", to.failures, "Writes the shrunk failures as scenarios into this folder");
    add(app, "--shrink-seconds", "S", to.shrink_seconds, "Seconds for shrinking all failures (60)")
        ->check(CLI::Range(0.0, 1e6));
    add(app, "--jobs", "N", to.jobs, "Programs at once; 0: as many as the machine has threads")
        ->check(CLI::Range(0, 1024));
    app.add_flag("--quiet", to.quiet, "No summary and no progress");
    return [options, &app] {
        if (!options->input.empty())
            refuse(app, {"--sizes", "--only", "--small", "--seed"},
                   ": says which sets are made, and --input takes saved ones; leave one out");
        if (options->json == "-" && options->junit == "-") throw Error("--junit -: stdout takes one report alone");
        settle_output("--report", options->report, {".html"});
        settle_output("--json", options->json);
        settle_output("--junit", options->junit);
        if (!options->failures.empty()) options->failures = io::user_path(options->failures).string();
        return [options] { return run_torture(*options); };
    };
}

}  // namespace flipscope::app
