#include "app/run/progress.h"
#include "compute/text.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace flipscope::app {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
constexpr double kSilence = 1;            // s
constexpr double kLastingStage = 0.5;     // s: shorter stages are not shown
constexpr double kEveryOnTerminal = 0.1;  // s
constexpr double kEveryInFile = 5;        // s

}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {
    if (!quiet_) thread_ = std::thread([this] { tick(); });
}

Progress::~Progress() {
    if (thread_.joinable()) {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        end_.notify_one();
        thread_.join();
    }
    wipe();
}

void Progress::begin_run(const LabInfo& info, uint64_t total) {
    const std::lock_guard lock(mutex_);
    counters_ = &info.counters;
    inserted_counter_ = info.counters.size();
    for (size_t i = 0; i < info.counters.size(); ++i)
        if (info.counters[i].quantity == Quantity::kInsertedPoints) inserted_counter_ = i;
    total_ = total;
    start_ = written_at_ = Clock::now();
}

double Progress::elapsed_s() const {
    const std::lock_guard lock(mutex_);
    return Seconds(Clock::now() - start_).count();
}

void Progress::report(const StepResult& result) {
    const std::lock_guard lock(mutex_);
    round_ = result.round;
    const bool counted = inserted_counter_ < result.counters.size();
    if (counted && result.counters[inserted_counter_] != kNotCounted)
        inserted_ += static_cast<uint64_t>(result.counters[inserted_counter_]);
    if (!is_due()) return;
    write(counted ? with_commas(inserted_) + " of " + with_commas(total_) + " points inserted" : counts(result));
}

/// The thread's function: reports long unfinished stages.
void Progress::tick() {
    std::unique_lock lock(mutex_);
    while (!end_.wait_for(lock, Seconds(kEveryOnTerminal), [this] { return ends_; })) {
        const WorkMeter::Reading stage = meter_.read(kLastingStage);
        if (!stage.what.empty() && is_due()) write(stage_text(stage));
    }
}

// With the lock held.
bool Progress::is_due() const {
    const auto now = Clock::now();
    if (quiet_ || Seconds(now - start_).count() < kSilence) return false;
    return !written_ || Seconds(now - written_at_).count() >= (terminal_ ? kEveryOnTerminal : kEveryInFile);
}

// With the lock held.
void Progress::write(const std::string& what) {
    written_at_ = Clock::now();
    written_ = true;
    const std::string round = round_ > 0 ? "round " + std::to_string(round_) + ", " : "";
    std::fprintf(stderr, "%s%s%s%.0f s so far%s", terminal_ ? "\r" : "", round.c_str(),
                 (what.empty() ? what : what + ", ").c_str(), Seconds(written_at_ - start_).count(),
                 terminal_ ? "\033[K" : "\n");
    std::fflush(stderr);
}

/// "flipped 1,234, illegal 56": the counters of a lab without insertions.
std::string Progress::counts(const StepResult& result) const {
    constexpr int kMost = 3;
    std::string text;
    int listed = 0;
    for (size_t i = 0; i < std::min(result.counters.size(), counters_->size()) && listed < kMost; ++i) {
        if (result.counters[i] == kNotCounted) continue;
        text += (listed++ ? ", " : "") + (*counters_)[i].name + " " +
                with_commas(static_cast<uint64_t>(result.counters[i]));
    }
    return text;
}

void Progress::wipe() {
    const std::lock_guard lock(mutex_);
    if (written_ && terminal_) std::fputs("\r\033[K", stderr);
    written_ = false;
}

}  // namespace flipscope::app
