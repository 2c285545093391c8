#include "app/session/failure_shrinker.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/base/number_text.h"
#include "app/run/detections.h"
#include "app/session/run_parameters.h"

namespace flipscope::app {

bool has_cycled(const LabModel& model) {
    const StepResult* last = model.last();
    if (!model.done || !last) return false;
    const auto& said = last->message.sentences;
    return std::any_of(said.begin(), said.end(), [](const auto& sentence) { return sentence.kind == "cycling"; });
}

std::vector<ShrinkChoice> shrink_choices(const LabModel& model) {
    std::vector<ShrinkChoice> choices;
    const bool cycles = has_cycled(model), failed = model.failed();
    if (!failed && !cycles) return choices;
    choices.push_back(
        {"check", "the check fails", "whatever is wrong: any failure counts, and flips that cycle.", true});
    if (cycles)
        choices.push_back(
            {"cycles", "the flips cycle", "they repeat themselves, and the run has no proper end.", true});
    if (is_one_plane(model.scene))
        choices.push_back({"differs", "edges differ from the exact triangulation",
                           "edges between points on one circle, which may go either way, do not count.", false});
    if (!failed) return choices;
    for (const auto& [code, count] : occurrences(model.check->failures, &CheckFailure::code)) {
        std::string sentence = sentence_of_failure(code);
        if (sentence.empty()) continue;
        sentence.resize(std::min(sentence.size(), sentence.find(';')));  // the rest is about amounts
        choices.push_back({code, "the check finds: " + words_of(code),
                           sentence + "; " + number_text(static_cast<double>(count)) + " in the list.", true});
    }
    return choices;
}

size_t first_shown(const std::vector<ShrinkChoice>& choices) {
    const auto found = std::find_if(choices.begin(), choices.end(), [](const ShrinkChoice& one) { return one.shown; });
    return found == choices.end() ? 0 : static_cast<size_t>(found - choices.begin());
}

std::string FailureShrinker::refusal() const {
    const LabModel& model = worker_.model();
    const LabInfo& info = model.info;
    const Geometry* input = worker_.input().get();
    if (input && !input->triangles.empty())
        return "These triangles were given, so fewer points cannot be run here. \u201cflipscope shrink --command\u201d "
               "runs the program that made them.";
    if (!info.makes_triangles || info.keeps_triangles || !info.inputs.has(InputKind::kPoints))
        return "The " + info.title + " makes no triangles of points, so there is nothing to shrink.";
    if (!model.loaded || !input || input->points.empty() || input->in_space())
        return "Points of the plane can be shrunk; this is something else.";
    if (!model.failed() && !has_cycled(model))
        return "No check has failed here, so there is nothing to shrink: V checks this state.";
    if (!model.done) return "The run has not ended: what fails at its end can be shrunk.";
    return search_.runs() ? "Another search is running. Stop it, or wait until it ends." : "";
}

void FailureShrinker::start(const std::string& criterion) {
    if (const std::string why = refusal(); !why.empty()) return worker_.note(why);
    const LabModel& model = worker_.model();
    Scenario task;
    task.lab = model.info.id;
    task.places_given = worker_.input()->points;
    task.title = worker_.loader().present().source;
    task.failure = criterion;
    task.parameters = changed_parameters(model);
    search_.start(std::move(task));
    reported_ = false;
    worker_.note("Shrinking has begun, in the background: Z says how far it is, Esc ends it.");
}

void FailureShrinker::open_best() {
    const std::vector<Point> best = search_.best();
    if (best.empty()) return worker_.note("There are no points yet that have been seen to fail.");
    const std::string title = search_.title(best.size());
    Scenario run = search_.task();
    run.places_given = best;
    run.at = Scenario::kAtEnd;
    const auto input = std::make_shared<const Geometry>(Geometry{title, best});
    opener_.open(worker_.loader().from_memory(std::move(run), input, title));
}

void FailureShrinker::report_end() {
    if (reported_) return;
    const Shrinking::Progress now = search_.progress();
    if (now.state == Shrinking::State::kRuns) return;
    reported_ = true;
    if (now.state == Shrinking::State::kNone) return;
    if (!now.any()) return worker_.publisher().say(Message::Kind::kNote, "Shrinking: " + now.why);
    worker_.publisher().say(
        now.complete ? Message::Kind::kGood : Message::Kind::kNote,
        (now.complete ? "Shrunk: " : "Shrinking ended early: ") + search_.title(now.points) + "; Z opens them.");
}

}  // namespace flipscope::app
