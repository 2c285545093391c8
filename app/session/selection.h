// The quantity that colours elements, the selected elements, and the statistics of the scene. Every job that changes
// the scene updates them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/selection_query.h"
#include "app/session/lab_worker.h"
#include "instruments/exploration.h"
#include "instruments/paraboloid.h"

namespace flipscope::app {

class Selection {
  public:
    explicit Selection(LabWorker& worker);

    const ExplorationChoice& exploration() const { return explored_; }
    void explore(ExplorationChoice choice);
    /// The exploration of the present scene. On the worker's thread.
    const Exploration& explored() const { return worker_.publisher().stage().exploration(); }
    const Paraboloid::Choice& lift() const { return lift_; }
    /// Shows or hides the paraboloid.
    void lift(Paraboloid::Choice choice) { due_ |= !(std::exchange(lift_, choice) == choice); }
    /// Whether the next steps find what they change: LabModel::motions.
    void follow_motion(bool follows) { due_ |= !std::exchange(follows_motion_, follows) && follows; }
    /// Changes only the study area, to that of a text of read_area(); empty: none. `known`: what the text means, if it
    /// was read before. Replies with the reason if it cannot.
    void study(const std::string& text, std::shared_ptr<const StudyArea> known = {});
    /// After another input was opened: if the study area is the hull or the polygons of the input, reads it again.
    void follow_input();
    /// Changes only the colour.
    void colour_by(const std::optional<Explored>& colour);
    /// Selects by a parsed query; replies with the reason if it cannot.
    void select(const SelectionQuery& asked);
    /// Whether there is a selection and the lab is idle; replies with the reason if not.
    bool is_ready();
    /// The selected points, as in selected_input(). On the worker's thread.
    Geometry selected() const;
    /// Copies the coordinates of the selected points, a line each.
    void copy();
    /// The text for the clipboard, once.
    std::optional<std::string> take_copied() { return std::exchange(copied_, std::nullopt); }

    /// The scene must be explored again.
    bool due() const { return due_ && worker_.model().loaded; }
    void explore_again() { due_ = true; }
    /// An exploring job has started.
    void begin() { due_ = false; }
    /// Adds a note on each chosen column that a new input lacks. The choice stays, since a later input may have it.
    void note_missing_columns(std::vector<std::string>& notes) const;

    /// Enables statistics of the scene.
    void measure_shown(bool measures);
    /// The statistics of the scene; nullptr: not measured, or of another state.
    std::shared_ptr<const SceneStatistics> measured() const;
    bool measures_shown() const { return measures_shown_; }
    /// Adds spatial statistics to those of the scene; nullptr: none.
    void measure_spatial(std::shared_ptr<const SpatialRequest> request);
    const std::shared_ptr<const SpatialRequest>& spatial() const { return spatial_; }
    /// What else the statistics show: a scatter, and whether bins are equal in the logarithm.
    void plot(const std::optional<std::pair<Explored, Explored>>& scatter, bool logarithmic_bins);
    SceneStatistics::Options plotted(std::shared_ptr<const StatisticsSample> beside) const;
    /// Puts text that `write` makes on the worker's thread into the clipboard; it may throw Error. `done`: the message.
    void copy_text(std::function<std::string()> write, const std::string& done);

  private:
    LabWorker& worker_;
    ExplorationChoice explored_;  // as chosen by the user
    Paraboloid::Choice lift_;
    std::shared_ptr<const SpatialRequest> spatial_;
    std::optional<std::pair<Explored, Explored>> scatter_;
    bool logarithmic_bins_ = false;
    bool due_ = false, measures_shown_ = false, follows_motion_ = false;
    std::optional<std::string> copied_;
};

}  // namespace flipscope::app
