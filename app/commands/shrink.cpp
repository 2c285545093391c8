// `flipscope shrink`: finds the fewest and simplest points that still show a failure of a lab or of another program,
// and writes a scenario that opens at the failure, points, or a literal for a unit test. It writes the best result
// repeatedly, so that an early end loses nothing.
#include "judge/shrink.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "app/base/endings.h"
#include "app/base/number_text.h"
#include "app/base/signals.h"
#include "app/commands/options.h"
#include "app/commands/progress_line.h"
#include "app/judging/saved_failure.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "geometry/places.h"
#include "io/files.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

struct ShrinkCommand {
    Typed typed;
    std::string lab;
    Scenario scenario;              // the points, and the lab with its parameters
    ProgramRequest program;         // instead of the lab; or without a command
    std::string fails = "any";      // as for Failing
    std::vector<std::string> outs;  // files: a scenario, points, or a literal for a test
    std::string json;               // a file, "-" or empty
    double seconds = 60;
    bool simplify = true;
    PointKinds kinds;  // kinds that the points have and keep
    int threads = 0;   // 0: one per processor
    bool quiet = false;
};

/// The points in the format of the extension: a scenario (.json), "x y" lines (.xy), a table (.csv), a list for Python
/// (.py), an array for C++ (.cpp, .h).
std::string failure_text(const std::string& extension, const SavedFailure& failure) {
    const auto comment = [&](const char* begin) {
        return begin + printable(failure.title) + ". " + printable(failure.note) + "\n";
    };
    if (extension == ".json") return scenario_text(failure);
    if (extension == ".xy") return lines_of_points(failure.points, "%.17g %.17g\n");
    if (extension == ".csv") return "x,y\n" + lines_of_points(failure.points, "%.17g,%.17g\n");
    if (extension == ".py")
        return comment("# ") + "points = [\n" + lines_of_points(failure.points, "    (%.17g, %.17g),\n") + "]\n";
    const std::string count = std::to_string(failure.points.size());
    return comment("// ") + "constexpr double kPoints[" + count + "][2] = {\n" +
           lines_of_points(failure.points, "    {%.17g, %.17g},\n") + "};\n";
}

/// Returns kSuccess with a result, kCheckFailed if the points do not fail at all. Throws Error for what cannot be read
/// or run. Ctrl-C keeps the best result so far and is not a failure.
int run_shrink(const ShrinkCommand& options) {
    const Interrupt interrupt;
    Context context(DeviceRequest::kCpu, options.threads);
    context.set_cancel_flag(Interrupt::flag());
    const Scenario& scenario = options.scenario;
    const Input input = load_input(scenario);
    for (const std::string& note : input.notes)
        if (!options.quiet) tell(note);
    const std::vector<Point>& points = input.geometry->points;
    if (input.geometry->in_space() || points.empty())
        throw Error(input.text + ": expected points of the plane to shrink");
    if (!are_of_kind(points, options.kinds))
        throw Error(input.text + ": --keep: the points are not so to begin with; leave it out, or round them first");

    std::unique_ptr<Failing> failing;
    if (options.program.command.empty())
        failing = std::make_unique<FailingLab>(context, scenario, options.fails);
    else
        failing = std::make_unique<FailingProgram>(context, options.program, options.fails);
    const PointsOutcome first = failing->run(points);
    if (!first.fails) {
        tell(input.text + " does not fail: " + first.sentence);
        return kCheckFailed;
    }

    std::vector<Point> best = points;
    PointsOutcome failed = first, last = first;  // of the best; of the last run with this failure
    ProgressLine line(options.quiet);
    const auto write = [&] {
        const bool answered = !options.program.command.empty() && !failed.answer.triangles.empty();
        SavedFailure failure{
            .lab = answered ? "judge" : scenario.lab,
            .parameters = scenario.parameters,
            .points = best,
            .triangles = {},
            .failure = failed.code(options.fails),
            .title = number_text(best.size()) + " " +
                     points_that(best.size(), options.program.command.empty() ? options.fails : "check"),
            .note = {},
            .colour = {}};
        if (answered) failure.triangles = failed.answer.triangles;
        if (!options.program.command.empty()) failure.note = "Made by " + options.program.command + ". ";
        failure.note +=
            as_sentence(failed.sentence) + " Shrunk from " + input.text + " (" + counted(points.size(), "point") + ").";
        for (const std::string& out : options.outs)
            write_whole_file(out, failure_text(io::lower_extension(out), failure));
    };
    auto written = std::chrono::steady_clock::now();
    ShrinkOptions how;
    how.simplify = options.simplify;
    how.kinds = options.kinds;
    how.most_seconds = options.seconds;
    how.fails = [&](std::span<const Point> candidate) {
        PointsOutcome outcome = failing->run(candidate);
        const bool same = outcome.is_failure_of(first);
        if (same) last = std::move(outcome);
        return same;
    };
    how.progress = [&](const ShrinkProgress& progress) {
        if (best != *progress.best) {
            best = *progress.best;
            failed = last;
        }
        line.write(std::string(progress.stage) + ": " + std::to_string(progress.best->size()) + " points, " +
                   std::to_string(progress.tests) + " tests");
        const auto now = std::chrono::steady_clock::now();
        if (now - written < std::chrono::seconds(2)) return;
        written = now;
        write();
    };
    bool complete = false, interrupted = false;
    uint64_t tests = 0;
    const auto begin = std::chrono::steady_clock::now();
    try {
        const CancelScope scope(Interrupt::flag());
        const Shrunk shrunk = shrink(points, how);
        complete = shrunk.complete;
        tests = shrunk.tests;
    } catch (const Cancelled&) {
        interrupted = true;
        Interrupt::mark_reported();
        context.clear_cancel();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    line.wipe();
    write();
    if (!options.json.empty()) {
        const Json json{{"input", input.text},
                        {"given", points.size()},
                        {"points", hex_points(best)},
                        {"failure", failed.kind},
                        {"identity", failed.identity},
                        {"sentence", failed.sentence},
                        {"tests", tests},
                        {"elapsed_s", seconds},
                        {"complete", complete},
                        {"scenario", options.outs.front()},
                        {"files", options.outs}};
        write_or_print(options.json, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (!options.quiet && options.json != "-") {
        std::printf("%zu of %zu points still fail (%llu tests, %.1f s%s): %s\n", best.size(), points.size(),
                    static_cast<unsigned long long>(tests), seconds,
                    complete      ? ""
                    : interrupted ? "; ended by Ctrl-C before the end"
                                  : "; the time was used up before the end",
                    printable(failed.sentence).c_str());
        for (size_t i = 0; i < std::min<size_t>(best.size(), 20); ++i)
            std::printf("  %s\n", place_text(best[i]).c_str());
        if (best.size() > 20) std::printf("  …\n");
        for (const std::string& out : options.outs) std::printf("written: %s\n", printable(out).c_str());
    }
    require_printed();
    return kSuccess;
}

}  // namespace

Prepare add_shrink(CLI::App& app) {
    const auto command = std::make_shared<ShrinkCommand>();
    ShrinkCommand& to = *command;
    add(app, "--lab", "LAB", to.lab, "The lab that fails (build)");
    add_input_options(app, to.typed);
    add(app, "--fails", "WHAT", to.fails,
        "What counts as failing: any (the check fails, or whatever is wrong with a program's answer), check, "
        "cycles, differs (from the exact triangulation, ties apart), crashed, timed out, or the code of a defect");
    add_program_options(app, to.program);
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
        ShrinkCommand& shrink = *command;
        Typed& typed = shrink.typed;
        std::error_code ignored;
        if (typed.input.empty() && std::filesystem::is_regular_file(io::user_path(typed.points), ignored))
            std::swap(typed.input, typed.points);  // --points FILE
        if (typed.points.empty() && typed.input.empty())
            throw Error("shrink: expected points that fail, with --points (a generator or a file) or --input");
        understand_scenario(app, typed, shrink.scenario);
        shrink.scenario.lab = shrink.lab.empty() ? "build" : shrink.lab;
        if (!shrink.program.command.empty() && (!shrink.lab.empty() || !typed.settings.empty()))
            throw Error("--command: runs a program in place of a lab; leave --lab and --set out");
        require_failure_name(shrink.fails);
        if (!shrink.scenario.triangles.empty())
            throw Error(shrink.scenario.triangles.string() +
                        ": a triangulation cannot be shrunk, since fewer points need other triangles; name the program "
                        "that made "
                        "it: --command './mine {points} {triangles}'. 'flipscope check' says what is wrong with it");
        settle_outputs("--out", shrink.outs, {".json", ".xy", ".csv", ".py", ".cpp", ".h"});
        settle_output("--json", shrink.json);
        return [command] { return run_shrink(*command); };
    };
}

}  // namespace flipscope::app
