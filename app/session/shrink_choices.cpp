#include "app/session/shrink_choices.h"

#include <algorithm>

#include "app/base/number_text.h"
#include "app/judging/failing.h"

namespace flipscope::app {

std::vector<std::pair<std::string, size_t>> listed_codes(const CheckReport& check) {
    std::vector<std::pair<std::string, size_t>> codes;
    for (const CheckFailure& failure : check.failures) {
        if (!codes.empty() && codes.back().first == failure.code) {  // equal codes are mostly adjacent
            ++codes.back().second;
            continue;
        }
        const auto same =
            std::find_if(codes.begin(), codes.end(), [&](const auto& code) { return code.first == failure.code; });
        if (same == codes.end())
            codes.emplace_back(failure.code, 1);
        else
            ++same->second;
    }
    return codes;
}

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
    for (const auto& [code, count] : listed_codes(*model.check)) {
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
