// The quantity that colours elements, the selected elements, and the statistics of the scene. Every job that changes
// the scene updates them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/selection_query.h"
#include "app/session/lab_worker.h"
#include "instruments/exploration.h"

namespace flipscope::app {

class Selection {
  public:
    explicit Selection(LabWorker& worker);

    const ExplorationChoice& exploration() const { return explored_; }
    void explore(ExplorationChoice choice);
    /// Changes the colour alone.
    void colour_by(const std::optional<Explored>& colour);
    /// Selects what was described in words; replies why not.
    void select(const SelectionQuery& asked);
    /// Whether points are selected and the lab can be asked for them; replies why not.
    bool is_ready();
    /// The selected points, as selected_input() has them. On the worker's thread.
    Geometry selected() const;
    /// Copies coordinates of the selected points, a line each.
    void copy();
    /// The text for the clipboard, once.
    std::optional<std::string> take_copied() { return std::exchange(copied_, std::nullopt); }

    /// The scene has to be explored once more.
    bool due() const { return due_ && worker_.model().loaded; }
    void explore_again() { due_ = true; }
    /// A job that explores the scene has been started.
    void begin() { due_ = false; }
    /// Another input: adds a note on each column that it lacks. The choice stays, since a later input may have it.
    void note_missing_columns(std::vector<std::string>& notes) const;

    /// Whether statistics of what the scene shows are measured, too.
    void measure_shown(bool measures);
    /// They; nullptr: not measured, or of another state.
    std::shared_ptr<const SceneStatistics> measured() const;
    /// For ModelPublisher::measure(); nothing where they are not wanted.
    std::optional<ModelPublisher::StatisticsRequest> statistics_request(
        const std::shared_ptr<const StatisticsSample>& compared_with) const;

  private:
    LabWorker& worker_;
    Exploration exploration_;         // of jobs
    Context* explored_in_ = nullptr;  // where its buffers are
    ExplorationChoice explored_;      // as the user wants it
    bool due_ = false, measures_shown_ = false;
    std::optional<std::string> copied_;
};

}  // namespace flipscope::app
