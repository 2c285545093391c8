#include "instruments/timeline.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>

#include "compute/error.h"
#include "compute/work.h"
#include "flipscope/error.h"
#include "lab/manual_edits.h"

namespace flipscope {

namespace {

// Users do not notice a replay this short, so keyframes need not be closer.
constexpr double kFirstIntervalMs = 30;
// A cancelled step goes back to the newest keyframe, so it is renewed this often, but for at most this part of the
// time.
constexpr double kRenewMs = 200;
constexpr double kRenewingPart = 0.1;
// Abandoned runs may use this part of the budget for keyframes.
constexpr size_t kBranchPart = 4;

}  // namespace

double Timeline::steady_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Timeline::reset(Context& context, std::shared_ptr<const Geometry> input) {
    try {
        lab_->reset(context, std::move(input));
    } catch (const Error&) {
        throw;  // the algorithm has not changed, nor has the timeline
    } catch (...) {
        invalidate();
        throw;
    }
    begin_here();
}

void Timeline::begin_here() {
    invalidate();
    history_.clear(lab_->info());
    interval_ms_ = kFirstIntervalMs;
    saving_ms_ = 0;
    if (budget_ > 0) keep(lab_->save());
    usable_ = true;
}

bool Timeline::step() {
    if (planned_here()) {
        make_planned();
        return true;
    }
    if (!done()) {
        remember(run_pass());
        return true;
    }
    if (const PlacedEdit* const missed = usable_ ? next_planned() : nullptr) {
        const uint64_t at = missed->at;
        plan_.clear();
        throw Error("there is no place for the edit after pass " + std::to_string(at) + ": the run ends after pass " +
                    std::to_string(position()));
    }
    return false;
}

bool Timeline::step_level(Level level, const std::function<bool()>& keep_going) {
    while (step()) {
        if (history_[position() - 1].ended >= level) return true;
        if (keep_going && !keep_going()) return false;
    }
    return false;
}

bool Timeline::seek(uint64_t target, const std::function<bool()>& keep_going) {
    if (!usable_) return false;
    const PlacedEdit* const next = next_planned();
    load_nearest(next ? std::min(next->at, target) : target);
    while (position() < target && step())
        if (position() < target && keep_going && !keep_going()) return done();
    return true;
}

bool Timeline::back(Level level, const std::function<bool()>& keep_going) {
    if (!usable_) return false;
    if (const auto target = history_.previous(level)) return seek(*target, keep_going);
    // Earlier steps are no longer kept: replay from keyframe to keyframe.
    for (uint64_t end = position(); end > 0;) {
        load_nearest(end - 1);
        const uint64_t begin = position();
        std::optional<uint64_t> found;
        if (begin == 0 || history_[begin - 1].ended >= level) found = begin;
        const auto look = [&](uint64_t i, const StepResult& step) {
            if (step.ended >= level) found = i + 1;
        };
        if (!visit(begin, end - 1, look, keep_going)) return false;
        if (found) return seek(*found, keep_going);
        end = begin;
    }
    return seek(0, keep_going);
}

bool Timeline::seek_round(uint32_t round, const std::function<bool()>& keep_going) {
    if (!usable_) return false;
    const auto [begin, end] = history_.stretch_of_round(round);
    uint64_t last = 0, breakpoint = 0;
    const auto look = [&](uint64_t i, const StepResult& step) {
        if (step.round != round) return;
        last = i + 1;
        if (step.breakpoint_hit) breakpoint = last;
    };
    if (!visit(begin, end, look, keep_going)) return false;
    return last == 0 || seek(breakpoint > 0 ? breakpoint : last, keep_going);
}

/// Visits steps begin … end - 1, repeating those that are not kept. False: stopped.
bool Timeline::visit(uint64_t begin, uint64_t end, const std::function<void(uint64_t, const StepResult&)>& use,
                     const std::function<bool()>& keep_going) {
    if (begin >= history_.recent_begin()) {
        for (uint64_t i = begin; i < end; ++i) use(i, history_[i]);
        return true;
    }
    if (begin >= end) return true;
    if (position() != begin && !seek(begin, keep_going)) return false;
    while (position() < end && step()) {
        use(position() - 1, history_[position() - 1]);
        if (keep_going && !keep_going()) return false;
    }
    return true;
}

void Timeline::edit(const Edit& edit) {
    if (!usable_) return;
    if (!supports_edit(*lab_, edit.kind)) throw Error(refusal_of(lab_->info(), edit.kind));
    if (edit.goes_on && continues(edit)) return go_on(edit);
    Edit begun = edit;
    begun.goes_on = false;
    if (edit.kind == Edit::Kind::kAdjust) begun.values = checked_adjustment(*lab_, edit.values);
    const uint64_t asked_at = position();
    while (!is_at_rest(edit) && !lab_->done()) remember(run_pass());
    // Without keyframes the run cannot be restored.
    const bool can_return = !keyframes_.empty();
    Changes change;
    if (can_return) change.push_back({begun.kind, position(), branch(position(), asked_at)});
    StepResult result = make(begun);
    if (can_return) {
        change.back().other.keyframes = adopt_keyframes_after(position());
        undo_.push_back(std::move(change.back()));
    }
    redo_.clear();
    forget_future();
    edits_[position()] = std::move(begun);
    end_stroke();
    stroke_ = history_.pin();
    remember(std::move(result));
    bound_branches();
}

/// Whether the edit can be made here, and not only at the end of the iteration.
bool Timeline::is_at_rest(const Edit& edit) const {
    const bool adjusts = edit.kind == Edit::Kind::kAdjust;
    const Lab& lab = *lab_;
    if (position() == 0 || (!adjusts && facet<Editable>(lab).supports_at_once(edit.kind))) return true;
    return history_[position() - 1].ended >=
           (adjusts ? facet<Adjustable>(lab).adjustable_after() : facet<Editable>(lab).editable_after());
}

/// nullptr: none is left, or other edits were made.
const PlacedEdit* Timeline::next_planned() const {
    return edits_.size() < plan_.size() && follows_plan() ? &plan_[edits_.size()] : nullptr;
}

const PlacedEdit* Timeline::planned_here() const {
    const PlacedEdit* const next = usable_ && !edits_.contains(position()) ? next_planned() : nullptr;
    const bool is_here = next && (next->at == position() || (next->at == PlacedEdit::kAtEnd && lab_->done()));
    return is_here ? next : nullptr;
}

void Timeline::make_planned() {
    const PlacedEdit planned = *planned_here();
    const std::string place = "the edit after pass " + std::to_string(position());
    try {
        const bool is_early = supports_edit(*lab_, planned.edit.kind) && !is_at_rest(planned.edit);
        while (is_early && !is_at_rest(planned.edit) && !lab_->done()) remember(run_pass());
        if (is_early)
            throw Error("edits are made between iterations; the next such place is after pass " +
                        std::to_string(position()));
        edit(planned.made_on(*lab_));
    } catch (const Error& error) {
        plan_.clear();
        throw Error(place + ": " + error.what());
    }
}

bool Timeline::continues(const Edit& edit) const {
    if (!stroke_) return false;
    const Edit& begun = edits_.at(position() - 1);
    return begun.kind == edit.kind && begun.part == edit.part && begun.radius == edit.radius;
}

// Merges the stroke of the previous step with this edit.
void Timeline::go_on(Edit edit) {
    Edit& stroke = edits_.at(position() - 1);
    edit.place = stroke.end();
    if (edit.kind == Edit::Kind::kMoveVertex) edit.id = stroke.id;
    StepResult result = make(edit);
    stroke.path.insert(stroke.path.end(), edit.path.begin(), edit.path.end());
    history_.go_to(*stroke_);
    forget_future();
    remember(std::move(result));
}

Timeline::Branch Timeline::branch(uint64_t fork, uint64_t position) const {
    return {history_, {edits_.lower_bound(fork), edits_.end()}, {}, position};
}

Timeline::Keyframes Timeline::adopt_keyframes_after(uint64_t fork) {
    Keyframes taken;
    while (!keyframes_.empty() && keyframes_.rbegin()->first > fork) {
        const auto last = std::prev(keyframes_.end());
        keyframe_bytes_ -= last->second.snapshot.bytes();
        history_.unpin(last->first);
        taken.insert(keyframes_.extract(last));
    }
    return taken;
}

size_t Timeline::Branch::bytes() const {
    size_t sum = history.share_of_bytes();
    for (const auto& [position, frame] : keyframes) sum += frame.snapshot.bytes();
    for (const auto& [position, edit] : edits)
        sum += sizeof edit + edit.path.capacity() * sizeof(Point3) + edit.values.size() * sizeof(Parameter);
    return sum;
}

/// Exchanges this run with that of the last of these changes.
bool Timeline::exchange(Changes& from, Changes& to, const std::function<bool()>& keep_going) {
    if (!usable_ || from.empty() || keyframes_.empty()) return false;
    end_stroke();
    plan_.clear();
    const uint64_t fork = from.back().fork, there = from.back().other.position;
    Changes change;
    change.push_back({from.back().kind, fork, branch(fork, position())});
    change.back().other.keyframes = adopt_keyframes_after(fork);
    Branch other = std::move(from.back().other);
    from.pop_back();
    to.push_back(std::move(change.back()));

    edits_.erase(edits_.lower_bound(fork), edits_.end());
    edits_.merge(other.edits);
    // Keyframes before the fork belong to both; later ones are not pinned in the other's history.
    for (auto frame = keyframes_.begin(); frame != keyframes_.end();)
        frame = other.history.is_pinned(frame->first) ? std::next(frame) : drop(frame);
    for (const auto& [position, frame] : other.keyframes) keyframe_bytes_ += frame.snapshot.bytes();
    keyframes_.merge(other.keyframes);
    std::vector<uint64_t> pinned;
    for (const auto& [position, frame] : keyframes_) pinned.push_back(position);
    history_ = std::move(other.history);
    history_.pin_only(pinned);
    unchanged_ = std::min(unchanged_, fork);
    thin();
    bound_branches();
    load(std::prev(keyframes_.upper_bound(there)));
    return seek(there, keep_going);
}

// Drops keyframes of abandoned runs, beginning with the runs that undo and redo reach last; then whole runs.
void Timeline::bound_branches() {
    size_t bytes = 0;
    for (Changes* changes : {&undo_, &redo_})
        for (const Change& change : *changes) bytes += change.other.bytes();
    const size_t most = budget_ / kBranchPart;
    for (Changes* changes : {&undo_, &redo_})
        for (Change& change : *changes) {
            if (bytes <= most) break;
            const size_t before = change.other.bytes();
            for (const auto& [position, frame] : change.other.keyframes) change.other.history.unpin(position);
            change.other.keyframes.clear();
            bytes -= before - change.other.bytes();
        }
    for (Changes* changes : {&undo_, &redo_})
        while (changes->size() > kMostChanges || (bytes > most && changes->size() > 1)) {
            bytes -= std::min(bytes, changes->front().other.bytes());
            changes->pop_front();
        }
}

void Timeline::forget_changes() {
    undo_.clear();
    redo_.clear();
}

void Timeline::end_stroke() {
    if (const auto ended = std::exchange(stroke_, {})) history_.unpin(ended->position());
}

void Timeline::set_keyframe_budget(size_t bytes) {
    budget_ = bytes;
    thin();
}

// Calls the lab. After a failure its state is unknown, unless recover() can go back to a keyframe.
template <class Call>
auto Timeline::guarded(const Call& call, bool fails_unchanged) {
    try {
        return call();
    } catch (const Cancelled&) {
        interrupt();
        throw;
    } catch (const DeviceLost&) {
        interrupt();
        throw;
    } catch (...) {
        if (!fails_unchanged) invalidate();
        throw;
    }
}

StepResult Timeline::run_pass() {
    const double start = now_ms_();
    const auto by_hand = edits_.find(position());
    const uint32_t pass = lab_->next_pass();
    const auto& passes = lab_->info().passes;
    const WorkStage stage(by_hand != edits_.end() || pass >= passes.size() ? "edit" : passes[pass].name.c_str());
    end_stroke();
    StepResult result = guarded([&] { return by_hand != edits_.end() ? execute(by_hand->second) : lab_->step(); });
    at_ms_ += now_ms_() - start;
    return result;
}

// An Error leaves the algorithm, and the timeline, unchanged.
StepResult Timeline::make(const Edit& edit) {
    return guarded([&] { return execute(edit); }, true);
}

StepResult Timeline::execute(const Edit& edit) {
    return edit.kind == Edit::Kind::kAdjust ? facet<Adjustable>(*lab_).adjust(edit.values)
                                            : facet<Editable>(*lab_).edit(edit);
}

void Timeline::remember(StepResult result) {
    const Level ended = result.ended;
    // Some rules are unrepeatable on purpose ("first taken"): the history diverges here.
    if (!history_.agrees(result)) {
        forget_future();
        forget_changes();
    }
    if (const auto other = history_.add(std::move(result))) {
        unchanged_ = std::min(unchanged_, *other);
        forget_from(position());
        forget_changes();
    }
    if (position() == known()) keep_frame_if_due(ended);
}

// The step at this position was just made, or is about to be.
void Timeline::forget_future() { forget_from(position() + 1); }

/// Drops keyframes and edits from `position` on, and the known steps after the present position.
void Timeline::forget_from(uint64_t position) {
    history_.forget_future();
    unchanged_ = std::min(unchanged_, history_.size());
    edits_.erase(edits_.lower_bound(position), edits_.end());
    for (auto later = keyframes_.lower_bound(position); later != keyframes_.end();) later = drop(later);
}

void Timeline::keep(Snapshot snapshot) {
    const size_t bytes = snapshot.bytes();
    Keyframe frame{std::move(snapshot), at_ms_, history_.pin()};
    try {
        keyframes_.emplace(position(), std::move(frame));
    } catch (...) {
        history_.unpin(position());
        throw;
    }
    keyframe_bytes_ += bytes;
}

Timeline::Keyframes::iterator Timeline::drop(Keyframes::iterator frame) {
    keyframe_bytes_ -= frame->second.snapshot.bytes();
    history_.unpin(frame->first);
    return keyframes_.erase(frame);
}

// Algorithms support snapshots only at the end of a round.
void Timeline::keep_frame_if_due(Level ended) {
    if (ended < Level::kRound || keyframes_.empty() || keyframes_.contains(position())) return;
    const double renewal_ms = std::max(kRenewMs, saving_ms_ / kRenewingPart);
    if (at_ms_ - keyframes_.rbegin()->second.at_ms < std::min(interval_ms_, renewal_ms)) return;
    try {
        const double start = now_ms_();
        Snapshot snapshot = lab_->save();
        saving_ms_ = now_ms_() - start;
        // Otherwise copying an expensive state could dominate the stepping time.
        interval_ms_ = std::max(interval_ms_, 2 * saving_ms_);
        drop_passing_frame();
        keep(std::move(snapshot));
        thin();
    } catch (const std::bad_alloc&) {
        interval_ms_ *= 2;  // going back takes longer then, but nothing is lost
    }
}

// Drops the newest keyframe when another replaces it, unless it is due for going back.
void Timeline::drop_passing_frame() {
    if (keyframes_.size() < 2) return;
    const auto newest = std::prev(keyframes_.end());
    if (newest->second.at_ms - std::prev(newest)->second.at_ms >= interval_ms_) return;
    drop(newest);
}

void Timeline::thin() {
    while ((keyframe_bytes_ > budget_ || keyframes_.size() > kMostKeyframes) && keyframes_.size() > 1) {
        const bool only_newest = keyframes_.size() == 2;
        for (auto frame = std::next(keyframes_.begin());
             frame != keyframes_.end() && (only_newest || std::next(frame) != keyframes_.end());) {
            frame = drop(frame);
            if (frame != keyframes_.end()) ++frame;
        }
        interval_ms_ *= 2;
    }
}

// Loads the keyframe at or before `target`, unless stepping on from here is shorter.
void Timeline::load_nearest(uint64_t target) {
    if (keyframes_.empty()) {
        if (target < position()) throw std::logic_error("Timeline: no keyframes are kept, so there is no way back");
        return;
    }
    const auto nearest = std::prev(keyframes_.upper_bound(target));
    if (target >= position() && nearest->first <= position()) return;
    load(nearest);
}

void Timeline::load(Keyframes::const_iterator frame) {
    end_stroke();
    guarded([&] { lab_->load(frame->second.snapshot); });
    history_.go_to(frame->second.mark);
    at_ms_ = frame->second.at_ms;
}

void Timeline::recover() {
    if (!interrupted_) return;
    load(std::prev(keyframes_.upper_bound(position())));
    usable_ = true;
    interrupted_ = false;
}

void Timeline::move_to(std::unique_ptr<Lab> lab, Context& context, std::shared_ptr<const Geometry> input) {
    if (keyframes_.empty()) throw std::logic_error("Timeline: no keyframes are kept, so there is nothing to move");
    interrupt();
    lab->reset(context, std::move(input));
    lab_ = std::move(lab);
    recover();
}

// The algorithm is in an intermediate state; position and history are still valid.
void Timeline::interrupt() {
    if (keyframes_.empty()) return invalidate();
    end_stroke();
    usable_ = false;
    interrupted_ = true;
}

void Timeline::invalidate() {
    stroke_.reset();
    history_.clear(lab_->info());
    unchanged_ = 0;
    edits_.clear();
    plan_.clear();
    forget_changes();
    keyframes_.clear();
    keyframe_bytes_ = 0;
    at_ms_ = 0;
    usable_ = interrupted_ = false;
}

}  // namespace flipscope
