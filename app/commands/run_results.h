// Gathers the report of a run without a window: results, statistics, the check, and inspected elements. Writes
// nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/options.h"
#include "app/commands/run_outcome.h"
#include "instruments/scene_statistics.h"

namespace flipscope::app {

/// Begins sentences about the history of elements.
inline constexpr const char* kHistory = "--history ";

class RunResults {
  public:
    /// All outlive it; the run need not have started.
    RunResults(const RunOptions& options, Run& run, Context& context, RunOutcome& outcome);

    /// Into the report of the outcome, at the end of the run.
    void gather();
    /// Whether statistics of what the lab shows are asked for.
    bool measures_scene() const;
    /// These, once gathered; nullptr: they were not asked for.
    const SceneStatistics* shown() const { return shown_ ? &*shown_ : nullptr; }

  private:
    bool exports(bool (*meant)(const std::string& file, const Lab& lab)) const;
    std::shared_ptr<const StatisticsSample> sample_of(const std::string& asked);
    void measure_scene();
    void inspect();
    void trace();

    const RunOptions& options_;
    Run& run_;
    Context& context_;
    RunOutcome& outcome_;
    std::optional<SceneStatistics> shown_;
};

}  // namespace flipscope::app
