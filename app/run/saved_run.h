// Saved runs, to be resumed from a file: lab, input, progress and the lab's state. The headless run writes and reads
// them; independent of labs.
//
// The file does not contain the input, but describes it and stores a hash of its contents, so that a different input is
// detected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/run/scenario.h"
#include "compute/snapshot.h"

namespace flipscope::app {

struct SavedRun {
    std::string program;               // version that saved it
    Scenario scenario;                 // lab, all parameters at the start, and the input
    std::vector<Adjustment> adjusted;  // later changes, contained in the state
    uint64_t input_hash = 0;           // contents_hash() of the input at reset
    uint64_t rounds = 0;               // made so far
    std::optional<uint64_t> passes;    // made so far, if counted
    uint64_t state_hash = 0;
    Snapshot state;
};

/// A hash of points, triangles, numbers and tracks, independent of names.
uint64_t contents_hash(const Geometry& geometry);

void write_saved_run(const std::filesystem::path& path, const SavedRun& run);
/// The files of the input are where they were, or beside the saved run, which may have moved with them. Throws Error as
/// read_state_file() does, or for an invalid header.
SavedRun read_saved_run(const std::filesystem::path& path);

/// The scenario to resume: the saved lab, parameters and input, with the rest of `request` (display options, new
/// locations of input files). Throws Error if `request` contradicts the saved run or an input is missing.
Scenario scenario_of(const SavedRun& run, const std::filesystem::path& path, const Scenario& request);

/// Throws Error if the input differs from the saved run's. `input`: its name in the sentence.
void require_same_input(const SavedRun& run, const std::filesystem::path& path, const Geometry& geometry,
                        const std::string& input);

/// Loads the saved state into a lab reset on the same input and parameters. Throws Error if the result differs.
void resume(const SavedRun& run, const std::filesystem::path& path, Lab& lab);

}  // namespace flipscope::app
