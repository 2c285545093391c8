// The history of a run in bounded memory, however long the run: its most recent steps exactly, and over all steps and
// all rounds, buckets with the minimum, maximum, sum and number of the values of each counter and measure. If there are
// too many buckets, their width doubles; so a plot of the whole run shows every spike, and totals are exact. The
// timeline writes it; the window reads copies, which share memory.
//
// A cursor follows the timeline back and forth: the timeline passes every step, new or repeated, to add(), and totals
// are those up to the cursor. Returning to an earlier position requires a Mark made there.
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

/// The summary of several values for plots and totals. T: int64_t for counters, double for measures.
template <class T>
struct Summary {
    T low = 0, high = 0, sum = 0;  // 0 without values
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
    /// NaN without values.
    double mean() const {
        return count == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : static_cast<double>(sum) / static_cast<double>(count);
    }
};

/// Consecutive steps or rounds. The values of a round are the sums of its counters over its passes (for gauges and
/// measures, the last values).
struct Bucket {
    uint64_t begin = 0, items = 0;           // of the steps, or of the rounds in the order of the run
    uint64_t step = 0;                       // index of the first step in it
    std::vector<uint64_t> passes;            // number of steps by pass, as LabInfo::passes; empty for rounds
    uint32_t round = 0, last_round = 0;      // StepResult::round of the first and of the last item
    uint64_t digest = 0;                     // hash of everything but measures and messages
    std::vector<Summary<int64_t>> counters;  // as LabInfo::counters
    std::vector<Summary<double>> measures;   // as LabInfo::measures

    uint64_t end() const { return begin + items; }
};

/// Totals up to a position.
struct Totals {
    std::vector<int64_t> round, total;  // by counter: of this round, of all steps (gauges: the last); or kNotCounted
    std::vector<double> first, now;     // by measure: the first and the last value; NaN: none yet
    std::string message;                // the last one of this round, or empty
};

class History {
    struct Cursor {
        uint64_t position = 0;  // steps before it
        uint64_t rounds = 0;    // begun before the present one
        Totals totals;
        Bucket steps, round_bucket;  // incomplete buckets, up to the cursor
        // The round of the cursor. Round 0 is none; steps of round 0 do not end the previous round.
        uint32_t round = 0, last_step_round = 0;
        uint64_t round_step = 0;  // its first step
        std::vector<int64_t> round_counters;
        std::vector<double> round_measures;
    };

  public:
    // Minimum number of exact recent steps of a run that only went forward, and of exact steps around a cursor that
    // went far back (after an edit there, only these).
    static constexpr uint64_t kRecentSteps = 65536, kStepsAround = 4096;
    static constexpr size_t kMostStepBytes = size_t(64) << 20;  // a tighter limit for large steps
    static constexpr size_t kMostBuckets = 8192;                // of steps, and as many of rounds

    /// A position to return to. Valid while it is pinned.
    class Mark {
      public:
        uint64_t position() const { return cursor_.position; }

      private:
        friend class History;
        Cursor cursor_;
        std::optional<StepResult> last_;  // the step before it
    };

    /// Clears it for a run of this lab.
    void clear(const LabInfo& info);

    uint64_t size() const { return size_; }  // steps known
    uint64_t position() const { return cursor_.position; }
    /// Whether step i is kept. The last known step and the one before the cursor are always kept.
    bool holds(uint64_t i) const { return find(i) != nullptr; }
    /// nullptr: the step is not kept.
    const StepResult* find(uint64_t i) const;
    /// Throws std::out_of_range for a step that is not kept; going there makes it again.
    const StepResult& operator[](uint64_t i) const;
    const StepResult& back() const { return (*this)[size_ - 1]; }
    /// The first of the kept recent steps.
    uint64_t recent_begin() const { return recent_.steps.begin(); }

    /// The latest position before the cursor at which a step ended `level` or higher; 0: none; nullopt: it lies among
    /// steps that are not kept.
    std::optional<uint64_t> previous(Level level) const;

    /// False: a different step is known after the cursor.
    bool agrees(const StepResult& step) const;
    /// Adds the step after the cursor, and advances the cursor. A known step changes nothing else. Steps that are no
    /// longer kept are compared bucket by bucket: if a repeated bucket differs, returns the index of its first step,
    /// and the caller must call forget_future().
    std::optional<uint64_t> add(StepResult step);
    /// Forgets all steps after the cursor. If many are forgotten, the remaining exact steps, and later ones, are summed
    /// in narrow buckets again; older steps stay as coarse as they were.
    void forget_future();

    /// Marks the cursor, which must be at the end, and pins the position; match each call by unpin().
    Mark pin();
    void unpin(uint64_t position);
    bool is_pinned(uint64_t position) const;
    /// Pins exactly these positions, once each.
    void pin_only(const std::vector<uint64_t>& positions);
    /// Moves the cursor to a pinned position.
    void go_to(const Mark& mark);

    /// Up to the cursor.
    const Totals& totals() const { return cursor_.totals; }
    /// All buckets in order, also those after the cursor; the last one may be incomplete.
    void for_each_step_bucket(const std::function<void(const Bucket&)>& use) const;
    void for_each_round_bucket(const std::function<void(const Bucket&)>& use) const;
    /// The bucket of a known step.
    const Bucket& bucket_of(uint64_t step) const;
    /// A range of steps that contains the first round of this number; empty: none.
    struct Stretch {
        uint64_t begin = 0, end = 0;
    };
    Stretch stretch_of_round(uint32_t round) const;
    /// StepResult::round of a known step, or of an earlier one if the step is not kept.
    uint32_t round_before_or_at(uint64_t step) const;
    uint64_t step_width() const { return steps_.width; }  // of a bucket, in steps
    size_t step_bucket_count() const { return static_cast<size_t>(steps_.full.size()); }

    /// In host memory.
    size_t bytes() const;
    /// The same, with shared memory divided among the copies.
    size_t share_of_bytes() const;

  private:
    // The most recent of a growing sequence of steps.
    struct Window {
        SharedBlocks<StepResult, 256> steps;
        size_t bytes = 0;

        void restart(uint64_t begin);
        void push(StepResult step, uint64_t least, size_t most_bytes);
        void cut(uint64_t end);
        const StepResult* find(uint64_t i) const { return i >= steps.begin() && i < steps.end() ? &steps[i] : nullptr; }
    };
    struct Pin {
        uint64_t position = 0, rounds = 0;
        int count = 0;  // how often it is pinned
    };
    struct Pyramid {
        SharedBlocks<Bucket, 64> full;
        uint64_t width = 1;  // items of a full bucket; a bucket that ends at a pinned position has fewer

        const Bucket* find(uint64_t item) const;  // nullptr: after all of them
        void cut(uint64_t item);                  // drops buckets from there on
        void push(Bucket bucket, const std::vector<Pin>& pins, uint64_t Pin::*place);
    };

    const Cursor& frontier() const { return cursor_.position == size_ ? cursor_ : end_; }
    Bucket empty_bucket(uint64_t begin) const;
    Bucket open_round(const Cursor& at) const;
    void count(const StepResult& step);
    void begin_round(const StepResult& step, bool fresh);
    void end_buckets();
    void refine();
    size_t bytes_of_bucket() const;

    std::vector<bool> is_gauge_;  // by counter
    size_t measure_count_ = 0, pass_count_ = 0;
    uint64_t size_ = 0;
    Window recent_;  // up to the end
    Window around_;  // up to the cursor, if that is further back
    Pyramid steps_, rounds_;
    Cursor cursor_;
    Cursor end_;             // at the end, while the cursor is elsewhere
    Cursor start_;           // the target of the last go_to()
    std::vector<Pin> pins_;  // ascending
};

}  // namespace flipscope
