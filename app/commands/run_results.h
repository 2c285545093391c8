// Gathers the report of a run without a window: results, statistics, the check, and inspected elements. Writes
// nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/headless.h"
#include "app/commands/run_outcome.h"
#include "instruments/scene_statistics.h"

namespace flipscope::app {

/// Prefix of sentences about the history of elements.
inline constexpr const char* kHistory = "--history ";

class RunResults {
  public:
    /// All arguments must outlive it; the run need not have started.
    RunResults(const RunOptions& options, Run& run, Context& context, RunOutcome& outcome);

    /// Fills the outcome's report at the end of the run.
    void gather();
    /// Whether statistics of the scene are requested.
    bool measures_scene() const;
    /// The statistics after gather(); nullptr: not requested.
    const SceneStatistics* shown() const { return shown_ ? &*shown_ : nullptr; }

  private:
    bool exports(bool (*meant)(const std::string& file, const Lab& lab)) const;
    std::shared_ptr<const StatisticsSample> sample_of(const std::string& source);
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
