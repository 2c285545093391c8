// What is known of a run, in bounded memory however long it is: its most recent steps exactly, and over all of its
// steps, and over all of its rounds, buckets with the least, the greatest, the sum and the number of each counter's and
// each measure's values. A bucket's width doubles when there are too many of them, so that a plot of the whole run
// shows every spike, and totals are exact. The timeline writes it; the window reads copies, which share what they hold.
//
// A cursor goes along it as the timeline goes back and forth: add() is told every step that is made or made again, and
// totals are those up to the cursor. To get back to an earlier place one needs a Mark of it, taken when the cursor was
// there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/shared_blocks.h"

namespace flipscope {

/// Of several values, what a plot and a total need. T: int64_t for counters, double for measures.
template <class T>
struct Summary {
    T low = 0, high = 0, sum = 0;  // of no values: 0
    uint64_t count = 0;

    void add(T value) {
        low = count == 0 ? value : std::min(low, value);
        high = count == 0 ? value : std::max(high, value);
        sum += value;
        ++count;
    }
    void add(const Summary& other) {
        if (other.count == 0) return;
        low = count == 0 ? other.low : std::min(low, other.low);
        high = count == 0 ? other.high : std::max(high, other.high);
        sum += other.sum;
        count += other.count;
    }
    /// NaN of no values.
    double mean() const {
        return count == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : static_cast<double>(sum) / static_cast<double>(count);
    }
};

/// Several steps, or several rounds, one after the other. Values of a round are its counters' sums over its passes (of
/// counters that stand, and of measures: the last ones).
struct Bucket {
    uint64_t begin = 0, items = 0;       // of the steps; or of the rounds, in the order in which they were run
    uint64_t step = 0;                   // index of the first step in it
    std::vector<uint64_t> passes;        // how many of its steps ran each pass, as LabInfo::passes; of rounds: empty
    uint32_t round = 0, last_round = 0;  // StepResult::round of the first and of the last item
    uint64_t digest = 0;                 // depends on all they are, measures and messages excepted
    std::vector<Summary<int64_t>> counters;  // as LabInfo::counters
    std::vector<Summary<double>> measures;   // as LabInfo::measures

    uint64_t end() const { return begin + items; }
};

/// Up to a position.
struct Totals {
    std::vector<int64_t> round, total;  // by counter: of this round, of all steps (gauges: the last); or kNotCounted
    std::vector<double> first, now;     // by measure: when first and when last taken; NaN: not yet
    std::string message;                // the last one of this round, or empty
};

class History {
    struct Cursor {
        uint64_t position = 0;  // steps before it
        uint64_t rounds = 0;    // begun before it, this one not included
        Totals totals;
        Bucket steps, round_bucket;  // those that are not full yet, up to the cursor
        // The round that the cursor is in: round 0 is none, and steps of round 0 do not end the one before them.
        uint32_t round = 0, last_step_round = 0;
        uint64_t round_step = 0;  // its first step
        std::vector<int64_t> round_counters;
        std::vector<double> round_measures;
    };

  public:
    // How many recent steps are kept exactly, at least, of a run that only went forward; and how many around a cursor
    // that went far back (after an edit there, only these).
    static constexpr uint64_t kRecentSteps = 65536, kStepsAround = 4096;
    static constexpr size_t kMostStepBytes = size_t(64) << 20;  // where steps are so large that this is less
    static constexpr size_t kMostBuckets = 8192;                // of steps, and as many of rounds

    /// A place to go back to. Good for as long as it is pinned.
    class Mark {
      public:
        uint64_t position() const { return cursor_.position; }

      private:
        friend class History;
        Cursor cursor_;
        std::optional<StepResult> last_;  // the step before it
    };

    /// Empties it, for a run of this lab.
    void clear(const LabInfo& info);

    uint64_t size() const { return size_; }  // steps known
    uint64_t position() const { return cursor_.position; }
    /// Whether step i is kept. The last one known and the one before the cursor always are.
    bool holds(uint64_t i) const { return find(i) != nullptr; }
    /// nullptr for a step that is not kept.
    const StepResult* find(uint64_t i) const;
    /// Throws std::out_of_range for a step that is not kept: it has to be made again, by going there.
    const StepResult& operator[](uint64_t i) const;
    const StepResult& back() const { return (*this)[size_ - 1]; }
    /// Steps from here on are kept.
    uint64_t recent_begin() const { return recent_.steps.begin(); }

    /// The latest position before the cursor at which a step had ended `level` or more; 0 when there is none, nullopt
    /// when that lies among steps that are not kept.
    std::optional<uint64_t> previous(Level level) const;

    /// Whether the step after the cursor can be this one: false where another one is known in its place.
    bool agrees(const StepResult& step) const;
    /// The step after the cursor, which goes on behind it. Where it is known already, nothing else changes. Steps that
    /// are no longer kept are compared bucket by bucket: where a whole bucket was made again and has come out
    /// otherwise, this is the index of its first step; then the caller must forget_future().
    std::optional<uint64_t> add(StepResult step);
    /// What is behind the cursor was never run. Where much is forgotten, what is left and kept exactly is summed up
    /// anew in narrow buckets, and so is what comes; what is not kept any more stays as coarse as it was.
    void forget_future();

    /// Of the cursor, which must stand at the end. The place is pinned: unpin() it as often.
    Mark pin();
    void unpin(uint64_t position);
    bool is_pinned(uint64_t position) const;
    /// Unpins all places but these, which are pinned; each counts once then.
    void pin_only(const std::vector<uint64_t>& positions);
    /// The cursor goes to a pinned place.
    void go_to(const Mark& mark);

    /// Up to the cursor.
    const Totals& totals() const { return cursor_.totals; }
    /// All of them in order, the last one perhaps not full; those that the cursor has left behind it, too.
    void for_each_step_bucket(const std::function<void(const Bucket&)>& use) const;
    void for_each_round_bucket(const std::function<void(const Bucket&)>& use) const;
    /// The bucket of a known step.
    const Bucket& bucket_of(uint64_t step) const;
    /// Steps among which are all those of the first round of this number; begin == end: there is none.
    struct Stretch {
        uint64_t begin = 0, end = 0;
    };
    Stretch stretch_of_round(uint32_t round) const;
    /// StepResult::round of a known step, or that of an earlier one where it is not kept.
    uint32_t round_before_or_at(uint64_t step) const;
    uint64_t step_width() const { return steps_.width; }  // of a bucket, in steps
    size_t step_bucket_count() const { return static_cast<size_t>(steps_.full.size()); }

    /// In host memory.
    size_t bytes() const;
    /// The same, but what it shares with copies is divided among them.
    size_t share_of_bytes() const;
    /// Steps and buckets that were written, merged or copied so far. Goes with the number of steps, not faster.
    uint64_t work() const { return work_; }

  private:
    // The most recent of a growing sequence of steps.
    struct Window {
        SharedBlocks<StepResult, 256> steps;
        size_t bytes = 0;

        void restart(uint64_t begin);
        uint64_t push(StepResult step, uint64_t least, size_t most_bytes);  // returns the work
        void cut(uint64_t end);
        const StepResult* find(uint64_t i) const { return i >= steps.begin() && i < steps.end() ? &steps[i] : nullptr; }
    };
    struct Pyramid {
        SharedBlocks<Bucket, 64> full;
        uint64_t width = 1;  // items of a bucket that is full; less where one ends at a pinned place

        const Bucket* find(uint64_t item) const;  // nullptr: behind them all
        void cut(uint64_t item);                  // lets go of those that begin there or later
        uint64_t push(Bucket bucket, const std::function<std::vector<uint64_t>()>& pinned);  // returns the work
    };
    struct Pin {
        uint64_t position = 0, rounds = 0;
        int count = 0;  // how often it is pinned
    };

    const Cursor& frontier() const { return cursor_.position == size_ ? cursor_ : end_; }
    Bucket empty_bucket(uint64_t begin) const;
    Bucket open_round(const Cursor& at) const;
    void count(const StepResult& step);
    void begin_round(const StepResult& step, bool fresh);
    void push_steps(Bucket bucket);
    void push_rounds(Bucket bucket);
    void refine();
    size_t bytes_of_bucket() const;

    std::vector<bool> is_gauge_;  // by counter
    size_t measure_count_ = 0, pass_count_ = 0;
    uint64_t size_ = 0;
    Window recent_;  // up to the end
    Window around_;  // up to the cursor, where that is further back
    Pyramid steps_, rounds_;
    Cursor cursor_;
    Cursor end_;             // at the end, while the cursor is elsewhere
    Cursor start_;           // where go_to() put the cursor last
    std::vector<Pin> pins_;  // ascending
    uint64_t work_ = 0;
};

}  // namespace flipscope
