// Runs that were saved to a file, to be gone on with: what was run, on what, how far it came, and the lab's state. The
// headless run writes and reads them; nothing here knows a lab.
//
// The input is not in the file. The file says how it was given and has a hash of its contents, so that another one in
// its place is noticed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/run/scenario.h"
#include "compute/snapshot.h"
#include "lab/parameters.h"

namespace flipscope::app {

struct SavedRun {
    /// A file of the input.
    struct Part {
        std::filesystem::path given;     // as the user named it; empty: there is no such part
        std::filesystem::path absolute;  // where that was
        std::filesystem::path beside;    // the same from the folder of the saved run
    };
    std::string program;  // version that saved it
    std::string lab;
    std::vector<Parameter> parameters;  // all of them, as the run began
    std::vector<Adjustment> adjusted;   // what changed of them since; the state has it
    std::string points;                 // a generator, or empty
    std::optional<uint64_t> seed;       // of the generator, where it was given apart
    Part input, field, tracks;
    ReadOptions read;                // how these are read
    uint64_t input_hash = 0;         // contents_hash() of what the lab was reset on
    uint64_t rounds = 0;             // that had been made
    std::optional<uint64_t> passes;  // that had been made, where they were counted
    uint64_t state_hash = 0;
    Snapshot state;
};

/// What is common to all inputs with these points, triangles, numbers and tracks, whatever they are called.
uint64_t contents_hash(const Geometry& geometry);

/// The input of a scenario, as a saved run in the file `path` says it.
void put_input(SavedRun& run, const Scenario& scenario, const std::filesystem::path& path);

void write_saved_run(const std::filesystem::path& path, const SavedRun& run);
/// Throws Error as read_state_file() does, and where the header cannot be understood.
SavedRun read_saved_run(const std::filesystem::path& path);

/// What to run to go on: the saved lab, parameters and input, with the rest of `asked` (what is shown, files that the
/// input has gone to). Throws Error where `asked` names something else, and for an input that is not there any more.
Scenario scenario_of(const SavedRun& run, const std::filesystem::path& path, const Scenario& asked);

/// Throws Error where the input is another one than that of the saved run. `input`: as it is named in the sentence.
void require_same_input(const SavedRun& run, const std::filesystem::path& path, const Geometry& geometry,
                        const std::string& input);

/// Brings a lab that was reset on the same input and parameters to the saved state. Throws Error where that is not
/// what comes of it.
void resume(const SavedRun& run, const std::filesystem::path& path, Lab& lab);

}  // namespace flipscope::app
