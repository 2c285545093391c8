#include "app/judging/shrink_command.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <memory>

#include "app/base/endings.h"
#include "app/base/number_text.h"
#include "app/base/signals.h"
#include "app/judging/failing.h"
#include "app/run/progress.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/work.h"
#include "geometry/exact_values.h"
#include "geometry/places.h"
#include "io/files.h"
#include "io/output_file.h"
#include "judge/shrink.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

/// The elements of a list, each in a line.
std::string lines_of(const Json& list) {
    std::string text;
    for (const Json& one : list) text += (text.empty() ? "\n    " : ",\n    ") + one.dump();
    return text + "\n  ]";
}

Json hex_points(std::span<const Point> points) {
    Json list = Json::array();
    for (const Point& p : points) list.push_back({hex_text(p.x), hex_text(p.y)});
    return list;
}

}  // namespace

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet || isatty(STDERR_FILENO) == 0) {}

void ProgressLine::write(const std::string& text) {
    const auto now = std::chrono::steady_clock::now();
    if (quiet_ || now - written_at_ < std::chrono::milliseconds(500)) return;
    written_at_ = now;
    std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
    written_ = true;
}

void ProgressLine::wipe() {
    if (written_) std::fputs("\r\x1b[K", stderr);
    written_ = false;
}

std::string as_sentence(std::string text) {
    if (text.empty()) return text;
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    if (text.back() != '.') text += '.';
    return text;
}

std::string scenario_text(const SavedFailure& failure) {
    Json json{{"title", failure.title}, {"note", failure.note}, {"lab", failure.lab}};
    if (failure.colour && failure.colour->measured()) json["colour_by"] = failure.colour->id();
    if (!failure.parameters.empty()) json["parameters"] = Json::object();
    for (const auto& [name, value] : failure.parameters) json["parameters"][name] = value;
    json["at"] = "end";
    if (!failure.failure.empty()) json["failure"] = failure.failure;
    std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
    text.resize(text.size() - 2);  // drop the last line
    text += ",\n  \"points\": [" + lines_of(hex_points(failure.points));
    Json triangles = Json::array();
    for (const auto& corners : failure.triangles) {
        Json& one = triangles.emplace_back();
        for (const uint32_t corner : corners) one.push_back(corner == kNone ? Json(-1) : Json(corner));
    }
    if (!triangles.empty()) text += ",\n  \"triangles\": [" + lines_of(triangles);
    return text + "\n}\n";
}

namespace {

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

}  // namespace

int run_shrink(const ShrinkCommandOptions& options) {
    const Interrupt interrupt;
    Context context(DeviceRequest::kCpu, options.threads);
    context.set_cancel_flag(Interrupt::flag());
    Scenario scenario = options.scenario;
    if (scenario.lab.empty()) scenario.lab = "build";
    Input input = load_input(scenario);
    for (const std::string& note : input.notes)
        if (!options.quiet) tell(note);
    const std::vector<Point>& points = input.geometry->points;
    if (input.geometry->in_space() || points.empty())
        throw Error(input.text + ": expected points of the plane to shrink");
    if (!are_of_kind(points, options.kinds))
        throw Error(input.text + ": --keep: the points are not so to begin with; leave it out, or round them first");

    std::unique_ptr<Failing> failing;
    if (options.command.empty())
        failing = std::make_unique<FailingLab>(context, scenario, options.fails);
    else
        failing = std::make_unique<FailingProgram>(context, parse_command(options.command), options.limits,
                                                   options.required, options.fails);
    const PointsOutcome first = failing->run(points);
    if (!first.fails) {
        tell(input.text + " does not fail: " + first.sentence);
        return kCheckFailed;
    }

    std::vector<Point> best = points;
    PointsOutcome failed = first, last = first;  // of the best; of the last run with this failure
    ProgressLine line(options.quiet);
    const auto write = [&] {
        const bool answered = !options.command.empty() && !failed.answer.triangles.empty();
        SavedFailure failure{.lab = answered ? "judge" : scenario.lab,
                             .parameters = scenario.parameters,
                             .points = best,
                             .triangles = {},
                             .failure = failed.code(options.fails),
                             .title = number_text(static_cast<double>(best.size())) + " " +
                                      points_that(best.size(), options.command.empty() ? options.fails : "check"),
                             .note = {},
                             .colour = {}};
        if (answered) failure.triangles = failed.answer.triangles;
        if (!options.command.empty()) failure.note = "Made by " + options.command + ". ";
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

}  // namespace flipscope::app
