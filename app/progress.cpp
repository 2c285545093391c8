#include "app/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/report.h"

namespace flipscope::app {

namespace {

using Seconds = std::chrono::duration<double>;
constexpr double kSilence = 1;            // s
constexpr double kEveryOnTerminal = 0.1;  // s
constexpr double kEveryInFile = 5;        // s

}  // namespace

Progress::Progress(const LabInfo& info, uint64_t total, bool quiet)
    : counters_(info.counters),
      inserted_counter_(info.counters.size()),
      total_(total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0) {
    for (size_t i = 0; i < info.counters.size(); ++i)
        if (info.counters[i].quantity == Quantity::kInsertedPoints) inserted_counter_ = i;
}

Progress::~Progress() { wipe(); }

double Progress::elapsed_s() const { return Seconds(std::chrono::steady_clock::now() - start_).count(); }

void Progress::tell(const StepResult& result) {
    round_ = result.round;
    const bool counted = inserted_counter_ < result.counters.size();
    if (counted && result.counters[inserted_counter_] != kNotCounted)
        inserted_ += static_cast<uint64_t>(result.counters[inserted_counter_]);
    if (quiet_ || elapsed_s() < kSilence) return;
    const auto now = std::chrono::steady_clock::now();
    if (written_ && Seconds(now - told_).count() < (terminal_ ? kEveryOnTerminal : kEveryInFile)) return;
    told_ = now;
    written_ = true;
    const std::string what =
        counted ? grouped(inserted_) + " of " + grouped(total_) + " points inserted" : counts(result);
    std::fprintf(stderr, "%sround %u, %s%.0f s%s", terminal_ ? "\r" : "", round_,
                 (what.empty() ? what : what + ", ").c_str(), elapsed_s(), terminal_ ? "\033[K" : "\n");
    std::fflush(stderr);
}

/// "flipped 1,234, illegal 56": of a lab that inserts nothing, what it has to count.
std::string Progress::counts(const StepResult& result) const {
    constexpr int kMost = 3;
    std::string text;
    int told = 0;
    for (size_t i = 0; i < std::min(result.counters.size(), counters_.size()) && told < kMost; ++i) {
        if (result.counters[i] == kNotCounted) continue;
        text += (told++ ? ", " : "") + counters_[i].name + " " + grouped(static_cast<uint64_t>(result.counters[i]));
    }
    return text;
}

void Progress::wipe() {
    if (written_ && terminal_) std::fputs("\r\033[K", stderr);
    written_ = false;
}

}  // namespace flipscope::app
