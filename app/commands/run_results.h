// Gathers the report of a run without a window: results, statistics, the check, and inspected elements. Writes
// nothing.
#pragma once

#include <memory>

#include "app/commands/headless.h"
#include "app/commands/run_outcome.h"
#include "instruments/scene_statistics.h"

namespace flipscope::app {

/// Prefix of sentences about the history of elements.
inline constexpr const char* kHistory = "--history ";

/// Whether statistics of the scene are requested.
bool measures_scene(const RunOptions& options, const Run& run);
/// Fills the outcome's report at the end of the run. Returns the statistics of the scene; nullptr: not requested.
std::unique_ptr<SceneStatistics> gather_results(const RunOptions& options, Run& run, Context& context,
                                                RunOutcome& outcome);

}  // namespace flipscope::app
