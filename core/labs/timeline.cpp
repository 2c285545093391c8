#include "labs/timeline.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

#include "compute/error.h"
#include "labs/hand.h"

namespace flipscope {

namespace {

// Replaying this long goes unnoticed, so keyframes need not be closer.
constexpr double kFirstIntervalMs = 30;
// The newest keyframe is what a cancelled step goes back to, so it is renewed this often, but not for more than this
// part of the time.
constexpr double kRenewMs = 200;
constexpr double kRenewingPart = 0.1;

bool same_step(const StepResult& a, const StepResult& b) {
    return a.pass == b.pass && a.next == b.next && a.ended == b.ended && a.round == b.round &&
           a.iteration == b.iteration && a.counters == b.counters;  // measures are for the eye
}

}  // namespace

double Timeline::steady_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Timeline::reset(Context& context, std::shared_ptr<const Geometry> input) {
    try {
        lab_->reset(context, std::move(input));
    } catch (const Error&) {
        throw;  // the algorithm is as before, and so are we
    } catch (...) {
        strand();
        throw;
    }
    strand();
    interval_ms_ = kFirstIntervalMs;
    saving_ms_ = 0;
    if (budget_ > 0) {
        Keyframe start{lab_->save(), 0};
        keyframe_bytes_ = start.snapshot.bytes();
        keyframes_.emplace(0, std::move(start));
    }
    usable_ = true;
}

bool Timeline::step() {
    if (done()) return false;
    remember(run_pass());
    return true;
}

bool Timeline::step_level(Level level, const std::function<bool()>& keep_going) {
    while (step()) {
        if (history_[position_ - 1].ended >= level) return true;
        if (keep_going && !keep_going()) return false;
    }
    return false;
}

bool Timeline::seek(uint64_t target, const std::function<bool()>& keep_going) {
    if (!usable_) return false;
    load_nearest(target);
    while (position_ < target && step())
        if (position_ < target && keep_going && !keep_going()) return done();
    return true;
}

void Timeline::edit(const Edit& edit) {
    if (!usable_) return;
    if (!takes_edit(*lab_, edit.kind)) throw Error(refusal_of(lab_->info(), edit.kind));
    if (edit.goes_on && continues(edit)) return go_on(edit);
    const auto at_rest = [&] { return position_ == 0 || history_[position_ - 1].ended >= Level::kIteration; };
    const auto& editable = facet<Editable>(std::as_const(*lab_));
    while (!at_rest() && !editable.takes_at_once(edit.kind) && step()) {
    }
    Edit begun = edit;
    begun.goes_on = false;
    StepResult result = make(begun);
    forget_future();
    edits_[position_] = std::move(begun);
    remember(std::move(result));
    open_ = true;
}

bool Timeline::continues(const Edit& edit) const {
    if (!open_ || position_ == 0) return false;
    const Edit& begun = edits_.at(position_ - 1);
    return begun.kind == edit.kind && begun.part == edit.part && begun.radius == edit.radius;
}

// The step before this moment becomes one of the longer stroke.
void Timeline::go_on(Edit edit) {
    Edit& stroke = edits_.at(position_ - 1);
    if (!stroke.path.empty())
        edit.place = {stroke.path.back().x, stroke.path.back().y, 0};
    else
        edit.place = stroke.place;
    StepResult result = make(edit);
    stroke.path.insert(stroke.path.end(), edit.path.begin(), edit.path.end());
    --position_;
    forget_future();
    remember(std::move(result));
}

uint64_t Timeline::previous(Level level) const {
    if (position_ == 0) return 0;
    uint64_t i = position_ - 1;
    while (i > 0 && history_[i - 1].ended < level) --i;
    return i;
}

void Timeline::set_keyframe_budget(size_t bytes) {
    budget_ = bytes;
    thin();
}

StepResult Timeline::run_pass() {
    const double start = now_ms_();
    const auto by_hand = edits_.find(position_);
    open_ = false;
    try {
        StepResult result = by_hand != edits_.end() ? facet<Editable>(*lab_).edit(by_hand->second) : lab_->step();
        at_ms_ += now_ms_() - start;
        return result;
    } catch (const Cancelled&) {
        tear();
        throw;
    } catch (...) {
        strand();
        throw;
    }
}

// An Error leaves the algorithm, and so us, as before.
StepResult Timeline::make(const Edit& edit) {
    try {
        return facet<Editable>(*lab_).edit(edit);
    } catch (const Cancelled&) {
        tear();
        throw;
    }
}

void Timeline::remember(StepResult result) {
    const Level ended = result.ended;
    if (position_ < known() && !same_step(history_[position_], result)) {
        // Some rules are unrepeatable on purpose ("first taken"): from here on this is another history.
        forget_future();
    }
    if (position_ == known()) history_.push_back(std::move(result));
    ++position_;
    if (position_ == known()) keep_frame_if_due(ended);
}

void Timeline::forget_future() {
    history_.resize(position_);
    unchanged_ = std::min(unchanged_, position_);
    edits_.erase(edits_.upper_bound(position_), edits_.end());
    for (auto later = keyframes_.upper_bound(position_); later != keyframes_.end(); later = keyframes_.erase(later))
        keyframe_bytes_ -= later->second.snapshot.bytes();
}

// Between a bid and its repair an algorithm promises no snapshot, so only the end of a round is a place for one.
void Timeline::keep_frame_if_due(Level ended) {
    if (ended < Level::kRound || keyframes_.empty()) return;
    const double renewal_ms = std::max(kRenewMs, saving_ms_ / kRenewingPart);
    if (at_ms_ - keyframes_.rbegin()->second.at_ms < std::min(interval_ms_, renewal_ms)) return;
    try {
        const double start = now_ms_();
        Keyframe frame{lab_->save(), at_ms_};
        saving_ms_ = now_ms_() - start;
        // Where copying the state costs more than stepping, keyframes would be all we do.
        interval_ms_ = std::max(interval_ms_, 2 * saving_ms_);
        drop_passing_frame();
        keyframe_bytes_ += frame.snapshot.bytes();
        keyframes_.emplace(position_, std::move(frame));
        thin();
    } catch (const std::bad_alloc&) {
        interval_ms_ *= 2;  // going back takes longer then, and nothing is lost
    }
}

// The newest keyframe, when another takes its place and it is not due as one for going back.
void Timeline::drop_passing_frame() {
    if (keyframes_.size() < 2) return;
    const auto newest = std::prev(keyframes_.end());
    if (newest->second.at_ms - std::prev(newest)->second.at_ms >= interval_ms_) return;
    keyframe_bytes_ -= newest->second.snapshot.bytes();
    keyframes_.erase(newest);
}

void Timeline::thin() {
    while (keyframe_bytes_ > budget_ && keyframes_.size() > 1) {
        const bool only_newest = keyframes_.size() == 2;
        for (auto frame = std::next(keyframes_.begin());
             frame != keyframes_.end() && (only_newest || std::next(frame) != keyframes_.end());) {
            keyframe_bytes_ -= frame->second.snapshot.bytes();
            frame = keyframes_.erase(frame);
            if (frame != keyframes_.end()) ++frame;
        }
        interval_ms_ *= 2;
    }
}

// To the keyframe at or before `target`, unless stepping on from here is the shorter way.
void Timeline::load_nearest(uint64_t target) {
    if (keyframes_.empty()) {
        if (target < position_) throw std::logic_error("Timeline: no keyframes are kept, so there is no way back");
        return;
    }
    const auto nearest = std::prev(keyframes_.upper_bound(target));
    if (target >= position_ && nearest->first <= position_) return;
    load(nearest);
}

void Timeline::load(Keyframes::const_iterator frame) {
    open_ = false;
    try {
        lab_->load(frame->second.snapshot);
    } catch (const Cancelled&) {
        tear();
        throw;
    } catch (...) {
        strand();
        throw;
    }
    position_ = frame->first;
    at_ms_ = frame->second.at_ms;
}

void Timeline::recover() {
    if (!torn_) return;
    load(std::prev(keyframes_.upper_bound(position_)));
    usable_ = true;
    torn_ = false;
}

// The algorithm is in the middle of something; where we were, and what we know, still holds.
void Timeline::tear() {
    if (keyframes_.empty()) return strand();
    usable_ = open_ = false;
    torn_ = true;
}

void Timeline::strand() {
    history_.clear();
    unchanged_ = 0;
    edits_.clear();
    keyframes_.clear();
    keyframe_bytes_ = 0;
    position_ = 0;
    at_ms_ = 0;
    usable_ = torn_ = open_ = false;
}

}  // namespace flipscope
