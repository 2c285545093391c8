// What came of a headless run, for programs (JSON) and for people (a short table). The headless runner fills it in;
// nothing here computes anything.
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

struct RunReport {
    std::string lab, title;
    std::string input;                 // "uniform:100000@seed=7", "points.xy"
    std::string unit;                  // of the input's coordinates; empty: not known
    std::vector<std::string> notes;    // what of the input is left out or was changed in reading, what options did not
                                       // do, and what else was said; a sentence each
    std::vector<std::string> errors;   // what could not be done of what was asked for
    std::vector<std::string> written;  // files
    std::vector<ParameterDescription> parameters;           // as the run began
    std::vector<std::pair<std::string, Override>> decided;  // of these, what something else determines, by name
    std::vector<Adjustment> adjusted;                       // what changed of them on the way
    struct Resumed {
        std::string file;                // "run.state"
        uint64_t rounds = 0;             // that had been made
        std::optional<uint64_t> passes;  // that had been made, where they were counted
        uint64_t state_hash = 0;         // from where it went on
    };
    std::optional<Resumed> resumed;  // the run goes on with a saved one; `passes` and times are of what came then
    struct Until {
        std::vector<std::string> asked;  // "illegal > 1000"
        std::string hit = {};            // the one that was, or empty
        std::string why = {};            // a sentence without its end: "illegal is 1200"
        uint64_t step = 0;               // steps up to it and with it
        uint64_t checks = 0;             // that the search for it has made; 0: there was none
        bool bisected = false;           // not every step before it was checked
    };
    std::optional<Until> until;  // the run was to stop at a breakpoint
    std::string saved_to;        // a file, or empty
    std::string device;          // "cpu" or "cuda"
    std::string device_name;     // "CPU, 2 threads"
    int threads = 0;
    Result result;
    uint64_t state_hash = 0;
    std::optional<CheckReport> check;  // when asked for
    std::string checked;               // what it looked at, where that is not plain: "the mesh as it was given"
    bool checked_unasked = false;      // because the run's signs are not exact
    bool surface = false;              // the input is a mesh in space
    bool has_triangles = false;        // the input has triangles of its own
    bool done = false;
    double elapsed_ms = 0;  // from the input in memory to where the run ended
    bool stepped = false;   // `passes` are single passes, not sums of rounds
    std::vector<StepResult> passes;
    // A run of more passes than are kept: `passes` are the last ones.
    uint64_t passes_left_out = 0;
    std::optional<History> all_passes;  // summed up; only where some are left out
    std::vector<StepMessage> said;      // messages of those left out, the first ones
    uint64_t more_said = 0;             // and how many more
    Report statistics;
    std::optional<Table> summaries;  // SceneStatistics::table()
    struct Inspected {
        std::string asked;  // "edge:12"
        Element element;
        Report report;
    };
    std::vector<Inspected> inspected;  // as --inspect asked
    struct Traced {
        std::string asked;                      // "edge:12"
        std::optional<ElementHistory> history;  // of the run up to its end
        std::string why = {};                   // there is none, a sentence
    };
    std::vector<Traced> histories;      // as --history asked
    std::vector<Detection> detections;  // of labs that find something
    std::vector<LabelTiming> kernels;
    size_t peak_bytes = 0;  // of working memory on the device, the mesh included
};

/// What of the passes is kept one by one, and the rest summed up. `said`: their messages, the first ones,
/// with the index of the pass; `heard`: how many passes had one.
void take_passes(RunReport& report, const History& passes, std::vector<std::pair<uint64_t, StepMessage>> said,
                 uint64_t heard);

/// One JSON object, indented, with a newline at its end. finish_ms is null for a run that was not taken to the end.
std::string report_json(const RunReport& report, const LabInfo& info);

/// The same for runs that differ in one parameter: its name, its values and a report for each. `runs`: what run_json()
/// made of them, so that no report need be kept for this.
std::string sweep_json(const std::string& parameter, const std::vector<std::string>& values,
                       const std::vector<std::string>& runs, const LabInfo& info);
std::string run_json(const RunReport& report, const LabInfo& info);

/// The sections of all that was inspected.
std::string inspected_csv(const RunReport& report);

/// A table of a few lines.
std::string report_table(const RunReport& report, const LabInfo& info);

/// What the passes had to say ("3 of 120 points are duplicates …"), and what else a person should know.
std::vector<std::string> report_remarks(const RunReport& report);

/// As text: JSON's numbers are doubles to many a reader, and would lose the last bits.
std::string hash_text(uint64_t hash);

/// "dt=0.001, diffusion=0 after round 1,000"
std::string adjustment_text(const Adjustment& adjustment);

/// "1,048,576"
std::string grouped(uint64_t number);

}  // namespace flipscope::app
