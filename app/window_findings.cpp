// Session, and what a lab finds: the copy of its findings, going to one of them, and the drawings that show it.
#include <algorithm>
#include <utility>

#include "app/window_session.h"

namespace flipscope::app {

// A finding is known by the round that found it: what was found from `round` on belongs to a history that is no more.
void Session::forget_findings(uint64_t round) {
    std::vector<Finding>& findings = model_.findings;
    const auto first =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.round >= round; });
    if (first != findings.end()) {
        findings.erase(first, findings.end());
        model_.spread = {};
        for (const Finding& finding : findings) model_.spread.add(finding);
    }
    if (model_.loupe.any() && model_.loupe.finding >= findings.size()) model_.loupe = {};
}

// Only what is new is copied. What lies in the future of a moment that somebody has gone back to stays known.
void Session::copy_findings() {
    const auto* detector = find_facet<Detector>(std::as_const(timeline_->lab()));
    model_.found = 0;
    if (!detector) return;
    model_.found = detector->finding_count();
    if (model_.found > model_.findings.size()) {
        const std::vector<Finding> fresh = detector->findings(model_.findings.size());
        model_.findings.insert(model_.findings.end(), fresh.begin(), fresh.end());
        for (const Finding& finding : fresh) model_.spread.add(finding);
    }
    model_.found = std::min(model_.found, model_.findings.size());
    Loupe& loupe = model_.loupe;
    if (loupe.any() && !loupe.looked && loupe.finding < model_.found) {
        loupe.sketches = detector->sketches_of_finding(loupe.finding);
        loupe.looked = true;
    }
}

// After the step that found it, or else after the last one of its round; 0: no such round is known. nullopt: its steps
// are no longer kept, and have to be made again to tell.
std::optional<uint64_t> Session::position_of(const Finding& finding) const {
    const auto [begin, end] = model_.history.stretch_of_round(static_cast<uint32_t>(finding.round));
    if (begin < end && begin < model_.history.recent_begin()) return std::nullopt;
    uint64_t last = 0, notable = 0;
    for (uint64_t i = begin; i < end; ++i) {
        const StepResult& step = model_.history[i];
        if (step.round != finding.round) continue;
        last = i + 1;
        if (step.notable) notable = last;
    }
    return notable > 0 ? notable : last;
}

void Session::visit_finding(size_t index) {
    if (index >= model_.findings.size()) return;
    model_.loupe = {index, false, {}};
    stand_down();
    const std::optional<uint64_t> target = position_of(model_.findings[index]);
    if (!target)
        go({Goal::Kind::kRound, model_.findings[index].round});
    else if (*target > 0 && *target != model_.position)
        seek(*target);
    else
        wishes_.push_back({Wish::Kind::kLoupe});
}

void Session::close_loupe() { model_.loupe = {}; }

void Session::start_loupe() {
    if (!model_.loaded || !model_.loupe.any()) return;
    auto found = std::make_shared<Loupe>(model_.loupe);
    start(
        "", false,
        [=, this] {
            const auto* detector = find_facet<Detector>(std::as_const(timeline_->lab()));
            if (!detector || found->finding >= detector->finding_count()) return;
            found->sketches = detector->sketches_of_finding(found->finding);
            found->looked = true;
        },
        [=, this] {
            if (found->looked && model_.loupe.finding == found->finding) model_.loupe = *found;
        });
}

}  // namespace flipscope::app
