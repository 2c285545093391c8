#include "app/check_file.h"

#include <algorithm>
#include <cstdio>

#include "app/endings.h"
#include "app/failures.h"
#include "app/inputs.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "compute/work.h"
#include "io/output_file.h"
#include "mesh/inspect.h"

namespace flipscope::app {

namespace {

constexpr size_t kShown = 20;  // sentences of the summary

std::string json_of(const Geometry& geometry, const MeshInspection& found, const std::vector<std::string>& notes) {
    using Json = nlohmann::ordered_json;
    const CheckReport& report = found.report;
    const Json json{{"input", geometry.name},
                    {"notes", notes},
                    {"surface", geometry.in_space()},
                    {"points", geometry.points.size()},
                    {"triangles", geometry.triangles.size()},
                    {"edges", found.edges.size()},
                    {"check",
                     {{"passed", report.passed},
                      {"sentence", report.sentence},
                      {"counts", {{"failures", report.failure_count}, {"listed", report.failures.size()}}}}},
                    {"failures", failures_json(report)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string summary_of(const CheckReport& report) {
    std::string text = (report.passed ? "passed: " : "FAILED: ") + printable(report.sentence) + "\n";
    const size_t shown = std::min(kShown, report.failures.size());
    for (size_t i = 0; i < shown; ++i)
        text += "  " + report.failures[i].code + ": " + printable(report.failures[i].sentence) + "\n";
    if (report.failure_count > shown)
        text += "  … and " + std::to_string(report.failure_count - shown) + " more (--json or --export has " +
                (report.failures.size() < report.failure_count ? "the first of each kind" : "them") + ")\n";
    return text;
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    require_printed();
}

}  // namespace

int check_file(const CheckOptions& options) {
    const Interrupt interrupt;
    Context context(DeviceRequest::kCpu, options.threads);
    context.set_cancel_flag(Interrupt::flag());
    const CancelScope scope(Interrupt::flag());
    Progress progress(options.quiet);
    const WorkScope work(progress.meter());
    std::vector<std::string> notes;
    const Geometry geometry = [&] {
        const WorkStage stage("reading the file");
        return read_input(options.input, &notes);
    }();
    progress.wipe();
    if (geometry.points.empty() && geometry.triangles.empty() && (geometry.field || geometry.tracks))
        throw Error(options.input.string() + ": " +
                    (geometry.tracks ? "these are points over time" : "this is a field") +
                    ", and check looks at points and triangles; 'flipscope run voronoi' or 'run events' takes it");
    if (!options.quiet)
        for (const std::string& note : notes) tell(note);
    const MeshInspection found = [&] {
        const WorkStage stage("check");
        return inspect_mesh(geometry, &context);
    }();
    progress.wipe();
    for (const std::string& file : options.exports) write_whole_file(file, failures_csv(found.report));
    const std::string json = options.json.empty() ? std::string() : json_of(geometry, found, notes);
    if (!options.json.empty() && options.json != "-") write_whole_file(options.json, json);
    if (options.json == "-")
        print(json);
    else if (!options.quiet)
        print(summary_of(found.report));
    return found.report.passed ? kSuccess : kCheckFailed;
}

}  // namespace flipscope::app
