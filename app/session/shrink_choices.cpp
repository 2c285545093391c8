#include "app/session/shrink_choices.h"

#include <algorithm>

#include "app/base/number_text.h"
#include "app/judging/failing.h"
#include "app/run/detections.h"

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

}  // namespace flipscope::app
