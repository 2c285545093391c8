#include "app/session/playback.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "compute/error.h"

namespace flipscope::app {

void SeekRun::make(Timeline& timeline, JobLink& link) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto keep_going = [&] {
        return link.report(timeline.position()) &&
               std::chrono::duration<double, std::milli>(Clock::now() - begin).count() < limit_ms_;
    };
    switch (goal_.kind) {
        case Goal::Kind::kPasses:
            for (Breakpoint& stop : stops_) stop.begin(timeline.lab());
            for (uint64_t left = goal_.count; left > 0 && timeline.step();) {
                const StepResult& made = timeline.result(timeline.position() - 1);
                paused_ = stops_at(timeline) || made.must_stop || (stops_at_hits_ && made.breakpoint_hit);
                if (paused_ || --left == 0 || !keep_going()) break;
            }
            reached_ = true;  // passes beyond the budget are dropped
            break;
        case Goal::Kind::kLevel:
            reached_ = timeline.step_level(goal_.level, keep_going);
            break;
        case Goal::Kind::kSeek:
            reached_ = timeline.seek(goal_.count, keep_going);
            break;
        case Goal::Kind::kBack:
            reached_ = timeline.back(goal_.level, keep_going);
            break;
        case Goal::Kind::kRound:
            reached_ = timeline.seek_round(static_cast<uint32_t>(goal_.count), keep_going);
            break;
        case Goal::Kind::kSamePass:
            while (!reached_ && timeline.step()) {
                reached_ = timeline.result(timeline.position() - 1).pass == goal_.count;
                if (!reached_ && !keep_going()) break;
            }
            break;
        case Goal::Kind::kFailure:
            find_failure(timeline, link);
            reached_ = true;
            break;
    }
}

bool SeekRun::stops_at(const Timeline& timeline) {
    for (Breakpoint& stop : stops_) {
        const std::string why = stop.hit(timeline.lab(), timeline.result(timeline.position() - 1));
        if (why.empty()) continue;
        why_ = "Stopped after pass " + std::to_string(timeline.position()) + ": " + why + ".";
        return true;
    }
    return false;
}

void SeekRun::find_failure(Timeline& timeline, JobLink& link) {
    const Breakpoint check = Breakpoint::parse(goal_.check(), timeline.lab().info());
    const uint64_t known = timeline.known();
    const auto found = find_first_failure(timeline, check, [&] { return !link.stopped(); });
    if (link.stopped()) return;
    found_failure_ = found.has_value();
    if (!found)
        why_ = "The " + goal_.check() + " after none of the " + std::to_string(known) + " passes that were made.";
    else if (found->position == 0)
        why_ = "From the start " + found->why + ".";
    else
        why_ = "After pass " + std::to_string(found->position) + ", and not before it, " + found->why + "." +
               (found->bisected ? " Found by bisection: it is the first if that has been so ever since." : "");
}

void Playback::play(bool on, const PlaybackState& at) {
    if (on && at.done) {
        if (at.position == 0) return;
        go({Goal::Kind::kSeek, 0, Level::kPass, true});
    }
    playing_ = on;
    due_ = on ? 1 : 0;
    if (!on && goal_ && goal_->paced) goal_.reset();
}

void Playback::go(const Goal& goal) {
    if (!goal.paced) playing_ = false;
    link_.stop();
    goal_ = goal;
}

void Playback::back(Level level, const PlaybackState& at, const History& history) {
    if (at.position == 0) return;
    if (const auto target = history.previous(level))
        seek(*target);
    else
        go({Goal::Kind::kBack, 0, level});
}

void Playback::drop() {
    playing_ = false;
    goal_.reset();
}

void Playback::stop_playback() {
    drop();
    link_.stop();
}

void Playback::tick(double elapsed_s, const Pace& pace, bool free) {
    if (!playing_ || goal_) return;
    due_ = std::min(due_ + elapsed_s * pace.speed, std::max(1.0, pace.speed));
    const uint64_t passes = pace.unlimited ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(due_);
    if (passes == 0 || !free) return;
    if (!pace.unlimited) due_ -= static_cast<double>(passes);
    goal_ = Goal{Goal::Kind::kPasses, passes, Level::kPass, true};
}

std::shared_ptr<SeekRun> Playback::begin_seek_run(const PlaybackState& at, const Pace& pace,
                                                  std::vector<Breakpoint> stops) {
    if (!goal_) return nullptr;
    const Goal goal = *goal_;
    goal_.reset();
    if (!at.loaded) return nullptr;
    const bool backwards = goal.goes_back_from(at.position);
    if (!backwards && at.done) {
        playing_ = false;
        return nullptr;
    }
    // Playing keeps to its budget. A long way forward is drawn on the way, a way back only at its end.
    double limit_ms = goal.paced ? pace.budget_ms : std::max(pace.budget_ms, 2 * pace.patience_ms);
    if (backwards) limit_ms = std::numeric_limits<double>::infinity();
    if (!goal.paced) stops.clear();
    return std::make_shared<SeekRun>(goal, limit_ms, pace.pause_at_breakpoint && goal.paced, std::move(stops));
}

void Playback::end_seek_run(const SeekRun& seek_run, bool done) {
    if (!seek_run.reached() && !goal_ && !link_.stopped() && !done) goal_ = seek_run.goal();
    if (seek_run.paused()) playing_ = false;
}

void Stops::add(const std::string& text, const LabInfo& info) {
    const std::string known = Breakpoint::parse(text, info).text();
    const auto same = std::find_if(all_.begin(), all_.end(), [&](const Stop& stop) { return stop.text == known; });
    if (same != all_.end())
        same->on = true;
    else
        all_.push_back({known});
}

void Stops::change(size_t index, const std::string& text, const LabInfo& info) {
    const std::string known = Breakpoint::parse(text, info).text();
    all_.at(index) = {known};
    for (size_t i = all_.size(); i-- > 0;)
        if (i != index && all_[i].text == known) remove(i);  // no duplicates
}

std::string Stops::refusal(const Stop& stop, const LabInfo& info) {
    try {
        Breakpoint::parse(stop.text, info);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<Breakpoint> Stops::active(const LabInfo& info) const {
    std::vector<Breakpoint> found;
    for (const Stop& stop : all_)
        if (stop.on && refusal(stop, info).empty()) found.push_back(Breakpoint::parse(stop.text, info));
    return found;
}

}  // namespace flipscope::app
