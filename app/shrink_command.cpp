#include "app/shrink_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "app/endings.h"
#include "app/failing.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/session/shrink_choices.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/work.h"
#include "geometry/exact_values.h"
#include "geometry/places.h"
#include "io/output_file.h"
#include "judge/shrink.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

/// How it is told, on a line that is written again.
class Told {
  public:
    explicit Told(bool quiet) : quiet_(quiet) {}
    void tell(const ShrinkProgress& progress) {
        if (quiet_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - told_ < std::chrono::milliseconds(500)) return;
        told_ = now;
        std::fprintf(stderr, "\r\x1b[K%s: %zu points, %llu tests", progress.stage, progress.best->size(),
                     static_cast<unsigned long long>(progress.tests));
        written_ = true;
    }
    void wipe() {
        if (written_) std::fputs("\r\x1b[K", stderr);
        written_ = false;
    }
    ~Told() { wipe(); }

  private:
    bool quiet_, written_ = false;
    std::chrono::steady_clock::time_point told_{};
};

}  // namespace

std::string scenario_text(const std::string& lab, const std::vector<Setting>& parameters, std::span<const Point> points,
                          const std::string& title, const std::string& note, const std::optional<Explored>& colour) {
    Json json{{"title", title}, {"note", note}, {"lab", lab}};
    if (colour && colour->measured()) json["colour_by"] = colour->id();
    if (!parameters.empty()) json["parameters"] = Json::object();
    for (const Setting& setting : parameters) json["parameters"][setting.name] = setting.value;
    json["at"] = "end";
    std::string head = json.dump(2, ' ', false, Json::error_handler_t::replace);
    head.resize(head.size() - 2);  // the last line
    std::string text = head + ",\n  \"points\": [";
    for (size_t i = 0; i < points.size(); ++i)
        text +=
            std::string(i ? "," : "") + "\n    [\"" + hex_text(points[i].x) + "\", \"" + hex_text(points[i].y) + "\"]";
    return text + "\n  ]\n}\n";
}

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
    Told told(options.quiet);
    const auto write = [&](const std::vector<Point>& now) {
        const std::string title = std::to_string(now.size()) + " " +
                                  points_that(now.size(), options.command.empty() ? options.fails : "check");
        const std::string note = (options.command.empty() ? "" : "Under " + options.command + ": ") + first.kind +
                                 "; shrunk from " + input.text + " (" + std::to_string(points.size()) + " points).";
        write_whole_file(options.out, scenario_text(scenario.lab, scenario.parameters, now, title, note));
    };
    auto written = std::chrono::steady_clock::now();
    ShrinkOptions how;
    how.simplify = options.simplify;
    how.most_seconds = options.seconds;
    how.fails = [&](std::span<const Point> candidate) { return failing->run(candidate).fails; };
    how.progress = [&](const ShrinkProgress& progress) {
        best = *progress.best;
        told.tell(progress);
        const auto now = std::chrono::steady_clock::now();
        if (now - written < std::chrono::seconds(2)) return;
        written = now;
        write(best);
    };
    bool complete = false, interrupted = false;
    uint64_t tests = 0;
    const auto begin = std::chrono::steady_clock::now();
    try {
        const CancelScope scope(Interrupt::flag());
        Shrunk shrunk = shrink(points, how);
        best = std::move(shrunk.points);
        complete = shrunk.complete;
        tests = shrunk.tests;
    } catch (const Cancelled&) {
        interrupted = true;
        Interrupt::set_said();
        context.clear_cancel();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    told.wipe();
    write(best);
    const PointsOutcome last = failing->run(best);
    if (options.json == "-" || !options.json.empty()) {
        Json list = Json::array();
        for (const Point& p : best) list.push_back({hex_text(p.x), hex_text(p.y)});
        const Json json{{"input", input.text},  {"given", points.size()},    {"points", list},
                        {"failure", last.kind}, {"sentence", last.sentence}, {"tests", tests},
                        {"elapsed_s", seconds}, {"complete", complete},      {"scenario", options.out}};
        const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
        if (options.json == "-")
            std::fwrite(text.data(), 1, text.size(), stdout);
        else
            write_whole_file(options.json, text);
    }
    if (!options.quiet && options.json != "-") {
        std::printf("%zu of %zu points still fail (%llu tests, %.1f s%s): %s\n", best.size(), points.size(),
                    static_cast<unsigned long long>(tests), seconds,
                    complete      ? ""
                    : interrupted ? "; ended by Ctrl-C before the end"
                                  : "; the time was used up before the end",
                    printable(last.sentence).c_str());
        for (size_t i = 0; i < std::min<size_t>(best.size(), 20); ++i)
            std::printf("  %s\n", place_text(best[i]).c_str());
        if (best.size() > 20) std::printf("  …\n");
        std::printf("written: %s\n", printable(options.out).c_str());
    }
    require_printed();
    return kSuccess;
}

}  // namespace flipscope::app
