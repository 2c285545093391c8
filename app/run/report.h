// The results of a headless run, for programs (JSON) and for people (a short table). The headless runner fills in the
// report; nothing here computes results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario.h"
#include "compute/timings.h"
#include "instruments/element_history.h"
#include "instruments/history.h"
#include "lab/lab.h"
#include "lab/parameters.h"
#include "mesh/checks.h"

namespace flipscope::app {

class SweptFlow;

struct RunReport {
    std::string lab, title;
    std::string input;                 // "uniform:100000@seed=7", "points.xy"
    std::string unit;                  // of the input's coordinates; empty: unknown
    std::vector<std::string> notes;    // a sentence each: ignored or changed input, options without effect, remarks
    std::vector<std::string> errors;   // failed requests
    std::vector<std::string> written;  // files
    std::vector<ParameterDescription> parameters;             // at the start
    std::vector<std::pair<std::string, Override>> overrides;  // parameters determined by something else, by name
    std::vector<Adjustment> adjusted;                         // parameter changes during the run
    struct Resumed {
        std::string file;                // "run.state"
        uint64_t rounds = 0;             // made before
        std::optional<uint64_t> passes;  // made before, if counted
        uint64_t state_hash = 0;         // at the resumption
    };
    std::optional<Resumed> resumed;  // continues a saved run; `passes` and times exclude the saved part
    struct Until {
        std::vector<std::string> breakpoints;  // "illegal > 1000"
        std::string hit = {};                  // the breakpoint hit, or empty
        std::string why = {};                  // a sentence without its end: "illegal is 1200"
        uint64_t step = 0;                     // steps up to and including it
        uint64_t checks = 0;                   // made by the search; 0: no search
        bool bisected = false;                 // not every earlier step was checked
    };
    std::optional<Until> until;  // the run had breakpoints to stop at
    std::string saved_to;        // a file, or empty
    std::string device;          // "cpu" or "cuda"
    std::string device_name;     // "CPU, 2 threads"
    int threads = 0;
    Result result;
    uint64_t state_hash = 0;
    std::optional<CheckReport> check;    // if requested or required
    std::string checked;                 // what it checked, if not obvious: "the mesh as it was given"
    bool checked_automatically = false;  // automatic, because the run's signs are not exact
    bool surface = false;                // the input is a mesh in space
    bool has_triangles = false;          // the input has triangles of its own
    bool done = false;
    double elapsed_ms = 0;  // from the input in memory to the end of the run
    bool stepped = false;   // `passes` are single passes, not sums of rounds
    std::vector<StepResult> passes;
    // If the run has more passes than are kept, `passes` are the last ones.
    uint64_t passes_left_out = 0;
    std::optional<History> all_passes;        // summed up; only if some are left out
    std::vector<StepMessage> first_messages;  // first messages of the passes left out
    uint64_t unkept_messages = 0;             // number of further messages
    Report statistics;
    std::optional<Table> summaries;  // SceneStatistics::table()
    struct Inspected {
        std::string query;  // "edge:12"
        Element element;
        Report report;
    };
    std::vector<Inspected> inspected;  // by --inspect
    struct Traced {
        std::string query;                      // "edge:12"
        std::optional<ElementHistory> history;  // up to the end of the run
        std::string why = {};                   // a sentence, if there is no history
    };
    std::vector<Traced> histories;      // by --history
    std::vector<Detection> detections;  // of labs with a detector
    std::vector<LabelTiming> kernels;
    size_t peak_bytes = 0;  // of working memory on the device, including the mesh
};

/// Stores recent passes one by one, and earlier ones summed up. `said`: the first messages, with the index of their
/// pass; `message_count`: number of passes with a message.
void take_passes(RunReport& report, const History& passes, std::vector<std::pair<uint64_t, StepMessage>> said,
                 uint64_t message_count);

/// One indented JSON object with a final newline. finish_ms is null if the run did not reach its end.
std::string report_json(const RunReport& report, const LabInfo& info);

/// The same for runs that differ in one parameter: its name, its values and a report each. `runs`: the texts from
/// report_json(), so that reports need not be kept. `flow`: the flow curve of the runs.
std::string sweep_json(const std::string& parameter, const std::vector<std::string>& values,
                       const std::vector<std::string>& runs, const LabInfo& info, const SweptFlow& flow);

/// The report sections of all inspected elements.
std::string inspected_csv(const RunReport& report);

/// A short table.
std::string report_table(const RunReport& report, const LabInfo& info);

/// The messages of the passes ("3 of 120 points are duplicates …"), and other remarks for people.
std::vector<std::string> report_remarks(const RunReport& report);

/// A string, because many readers parse JSON numbers as doubles and lose the last bits.
std::string hash_text(uint64_t hash);

/// "dt=0.001, diffusion=0 after round 1,000"
std::string adjustment_text(const Adjustment& adjustment);

}  // namespace flipscope::app
