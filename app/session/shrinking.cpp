#include "app/session/shrinking.h"

#include <exception>
#include <new>
#include <utility>

#include "app/base/number_text.h"
#include "app/judging/failing.h"
#include "compute/context.h"
#include "compute/error.h"
#include "judge/shrink.h"

namespace flipscope::app {

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void Shrinking::start(Scenario task) {
    close();
    task_ = std::make_shared<const Scenario>(std::move(task));
    cancel_.clear();
    {
        const std::lock_guard lock(mutex_);
        began_ = std::chrono::steady_clock::now();
        progress_.state = State::kRuns;
        progress_.stage = "running it once more";
        progress_.given = task_->places_given.size();
    }
    thread_ = std::thread([this, asked = task_] { search(*asked); });
}

Shrinking::Progress Shrinking::progress() const {
    const std::lock_guard lock(mutex_);
    Progress now = progress_;
    if (now.state == State::kRuns) now.seconds = seconds_since(began_);
    return now;
}

std::vector<Point> Shrinking::best() const {
    const std::lock_guard lock(mutex_);
    return best_;
}

/// Reduces an earlier title to the source that it names.
std::string Shrinking::title(size_t points) const {
    std::string source = task_->title;
    if (const size_t end = source.find(", of ");
        end != source.npos && source.substr(0, end).find(" point") != source.npos)
        source.erase(0, end + 5);
    return number_text(static_cast<double>(points)) + " " + points_that(points, task_->failure) +
           (source.empty() ? "" : ", of " + source);
}

void Shrinking::cancel() {
    const std::lock_guard lock(mutex_);
    if (progress_.state != State::kRuns) return;
    progress_.cancelling = true;
    cancel_.set();
}

void Shrinking::stop() {
    cancel_.set();
    if (thread_.joinable()) thread_.join();
}

void Shrinking::close() {
    stop();
    const std::lock_guard lock(mutex_);
    progress_ = {};
    best_.clear();
    task_ = std::make_shared<const Scenario>();
}

/// The thread's function: must not throw.
void Shrinking::search(const Scenario& task) {
    std::string why;
    try {
        run(task);
    } catch (const Cancelled&) {
        const std::lock_guard lock(mutex_);
        progress_.cancelling = true;
        if (best_.empty()) why = "it was cancelled before the points were seen to fail";
    } catch (const std::bad_alloc&) {
        why = "there is not enough memory for it beside what is shown";
    } catch (const std::exception& error) {
        why = error.what();
    }
    {
        const std::lock_guard lock(mutex_);
        progress_.state = State::kEnded;
        progress_.seconds = seconds_since(began_);
        progress_.why = std::move(why);
    }
    if (wake_) wake_();
}

void Shrinking::run(const Scenario& task) {
    const CancelScope scope(cancel_);
    Context context(DeviceRequest::kCpu, 1);
    context.set_cancel_flag(cancel_);
    require_failure_name(task.failure);
    FailingLab lab(context, task, task.failure);
    const PointsOutcome first = lab.run(task.places_given);
    if (!first.fails) throw Error("run once more, without manual edits, the points do not fail: " + first.sentence);
    {
        const std::lock_guard lock(mutex_);
        best_ = task.places_given;
        progress_.points = best_.size();
        progress_.sentence = first.sentence;
    }
    std::string sentence;  // of the last failing set, the best when the search reports progress
    uint64_t tests = 0;
    ShrinkOptions how;
    how.fails = [&](std::span<const Point> candidate) {
        PointsOutcome outcome = lab.run(candidate);
        const bool same = outcome.is_failure_of(first);
        if (same) sentence = std::move(outcome.sentence);
        const std::lock_guard lock(mutex_);
        progress_.tests = ++tests;
        return same;
    };
    how.progress = [&](const ShrinkProgress& progress) {
        const std::lock_guard lock(mutex_);
        progress_.stage = progress.stage;
        best_ = *progress.best;
        progress_.points = best_.size();
        progress_.sentence = sentence;
    };
    Shrunk shrunk = shrink(task.places_given, how);
    const std::lock_guard lock(mutex_);
    best_ = std::move(shrunk.points);
    progress_.points = best_.size();
    progress_.complete = shrunk.complete;
}

}  // namespace flipscope::app
