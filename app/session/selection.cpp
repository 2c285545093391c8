#include "app/session/selection.h"

#include <utility>

#include "compute/text.h"
#include "geometry/places.h"
#include "instruments/area_source.h"
#include "instruments/selected_input.h"

namespace flipscope::app {

Selection::Selection(LabWorker& worker) : worker_(worker) {
    worker.hooks.follow = [this] {
        return [&stage = worker_.publisher().stage(), explored = explored_, lift = lift_, follows = follows_motion_](
                   Context& context, const Lab& lab, const auto& input) {
            stage.choice = explored;
            stage.lift = lift;
            stage.follows_motion = follows;
            stage.set_input(input);
            stage.explore(context, lab.scene());
        };
    };
}

void Selection::explore(ExplorationChoice choice) {
    if (choice == explored_) return;
    explored_ = std::move(choice);
    due_ = true;
}

void Selection::study(const std::string& text, std::shared_ptr<const StudyArea> known) {
    const auto apply = [this, text](std::shared_ptr<const StudyArea> area) {
        ExplorationChoice choice = explored_;
        choice.area = std::move(area);
        choice.area_name = text;
        explore(std::move(choice));
    };
    if (known || text.empty()) return apply(std::move(known));
    worker_.request_of_run([=, this] {
        using Answer = std::pair<std::shared_ptr<const StudyArea>, std::string>;
        const auto read = [text, input = worker_.input()](Timeline&) -> Answer {
            try {
                return {std::make_shared<const StudyArea>(read_area(text, input.get())), {}};
            } catch (const Error& error) {
                return {nullptr, error.what()};
            }
        };
        const auto after = [=, this](Answer answer) {
            answer.first ? apply(std::move(answer.first)) : worker_.note("Study area: " + answer.second);
        };
        worker_.start({.task = Task::kLongQuery, .title = "Reading the study area"}, read, after);
    });
}

void Selection::follow_input() {
    const std::string text = explored_.area_name;
    if (text != "hull" && !text.starts_with("areas")) return;
    study({});
    study(text);
}

void Selection::colour_by(const std::optional<Explored>& colour) {
    ExplorationChoice choice = explored_;
    choice.colour = colour;
    explore(std::move(choice));
}

void Selection::select(const SelectionQuery& asked) {
    if (worker_.busy() || !worker_.model().loaded) return worker_.note("The lab is busy; try again when it is done.");
    worker_.query_or_note(
        [asked, explored = explored_, input = worker_.input()](Timeline& timeline) {
            ExplorationChoice choice = explored;
            apply_selection(asked, timeline.lab().scene(), input.get(), "select ", choice);
            return choice;
        },
        [this](ExplorationChoice choice) { explore(std::move(choice)); });
}

bool Selection::is_ready() {
    if (!worker_.busy() && worker_.model().loaded && worker_.model().explorable && explored_.selects()) return true;
    worker_.note(worker_.busy() ? "The lab is busy; try again when it is done."
                                : "Nothing is selected; drag over a distribution, or with Ctrl over the picture.");
    return false;
}

Geometry Selection::selected() const {
    return selected_input(worker_.publisher().stage().exploration(), worker_.timeline().lab().scene(),
                          worker_.input().get());
}

void Selection::copy() {
    if (!is_ready()) return;
    const auto write = [this](Timeline&) {
        const Geometry found = selected();
        std::string text;
        for (size_t i = 0; i < found.points.size(); ++i) {
            text += format_exactly(found.points[i].x) + " " + format_exactly(found.points[i].y);
            if (found.in_space()) text += " " + format_exactly(found.heights[i]);
            text += "\n";
        }
        return std::pair(text, found.points.size());
    };
    const auto after = [this](const std::pair<std::string, size_t>& copied) {
        copied_ = copied.first;
        worker_.publisher().reply(Message::Kind::kGood,
                                  "The clipboard has the coordinates of " +
                                      count_text(copied.second, "selected point", "selected points") + ".");
    };
    worker_.start({.task = Task::kLongQuery, .title = "Copying the selected points"}, write, after);
}

void Selection::copy_text(std::function<std::string()> write, const std::string& done) {
    worker_.query_or_note([write = std::move(write)](Timeline&) { return write(); },
                          [this, done](std::string text) {
                              copied_ = std::move(text);
                              worker_.publisher().reply(Message::Kind::kGood, done);
                          });
}

void Selection::plot(const std::optional<std::pair<Explored, Explored>>& scatter, bool logarithmic_bins) {
    if (scatter == scatter_ && logarithmic_bins == logarithmic_bins_) return;
    scatter_ = scatter;
    logarithmic_bins_ = logarithmic_bins;
    if (measures_shown_) worker_.publisher().request_measuring();
}

SceneStatistics::Options Selection::plotted(std::shared_ptr<const StatisticsSample> beside) const {
    SceneStatistics::Options how;
    how.beside = std::move(beside);
    how.scatter = scatter_;
    how.logarithmic_bins = logarithmic_bins_;
    how.spatial = spatial_;
    return how;
}

void Selection::note_missing_columns(std::vector<std::string>& notes) const {
    const Geometry* const input = worker_.input().get();
    const std::string colour = explored_.colour ? missing_column(*explored_.colour, input) : "",
                      range = explored_.range ? missing_column(explored_.range->quantity, input) : "";
    if (!colour.empty()) notes.push_back("Nothing is coloured: " + colour);
    if (!range.empty() && range != colour) notes.push_back("Nothing is selected: " + range);
}

void Selection::measure_shown(bool measures) {
    if (std::exchange(measures_shown_, measures) == measures) return;
    if (worker_.model().loaded) worker_.publisher().request_measuring();
}

void Selection::measure_spatial(std::shared_ptr<const SpatialRequest> request) {
    spatial_ = std::move(request);
    if (worker_.model().loaded) worker_.publisher().request_measuring();
}

std::shared_ptr<const SceneStatistics> Selection::measured() const {
    return worker_.publisher().needs_measuring() ? nullptr : worker_.model().shown;
}

}  // namespace flipscope::app
