// Sums of samples over a window of time, of the flow along a channel or a box and of the shear stress, and of the
// fields of the fluid. Time is divided into blocks of equal length with separate sums, so that the window can move, its
// two halves can be compared, and errors come from the scatter of blocks. Kernels of the sources add the samples on the
// device; the sums are integers, the same in any order.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "compute/snapshot.h"
#include "events/sources/source_parts.h"

namespace flipscope {

/// The sums to read, for kernels too.
struct TimeBlocks {
    View<const uint64_t> sums;  // (kept, row); block b lies in row b % kept
    uint64_t row = 0, kept = 1;
    uint64_t first = 0, end = 0;     // the blocks in the window, of which the last may not be full
    uint64_t each = 1, samples = 0;  // in a full block, and in all of these

    FLIPSCOPE_HD const uint64_t* at(uint64_t block) const { return sums.data + block % kept * row; }
    FLIPSCOPE_HD uint64_t full() const { return samples / each; }
};

class SumsOverTime {
  public:
    /// Clears the sums. `row`: numbers that are summed; `blocks`: at most, even; `every`: steps between samples;
    /// `warmup`: steps before the first sample; `window`: only the last `window` steps count, 0: all since the warm-up.
    void reset(Context& context, size_t row, uint32_t blocks, uint32_t every, uint64_t warmup, uint64_t window);

    /// Whether a sample is due at the beginning of this step (0, 1, …).
    bool due(uint64_t step) const { return step >= warmup_ && step % every_ == 0; }
    /// Returns the sums (row) for the sample of a due step; call it once for each, in order. A kernel adds to them.
    View<uint64_t> open(Context& context);

    TimeBlocks blocks() const;
    /// Steps of the first sample in the window, and of the last one; there must be one.
    uint64_t from() const { return step_of(blocks().first * state_.each); }
    uint64_t to() const { return step_of(state_.taken - 1); }

    /// Copies `other`, which was reset with the same arguments.
    void copy(Context& context, const SumsOverTime& other);
    static constexpr size_t kBlocksOfSnapshot = 2;
    void save(Snapshot& snapshot) const;
    void load(Context& context, const Snapshot& snapshot, size_t first_block);

  private:
    struct RecordState {
        uint64_t taken = 0;  // samples taken since the warm-up
        uint64_t each = 1;   // samples per block
    };
    uint64_t step_of(uint64_t sample) const { return ((warmup_ + every_ - 1) / every_ + sample) * every_; }
    void join(Context& context);

    size_t row_ = 0;
    uint32_t every_ = 1;
    uint64_t warmup_ = 0;
    uint64_t window_ = 0;  // samples; 0: all
    uint32_t kept_ = 1;    // blocks with room
    RecordState state_;

  protected:
    Buffer<uint64_t> sums_{"sums over time"};
};

/// The flow at places across: a row is (kProfileBins, kProfileSums), speed along the channel in 1 / kPixelUnits pixels
/// per step, stress in 1 / kPixelUnits lattice units, and the number of summands.
class FlowRecord : public SumsOverTime {
  public:
    void reset(Context& context, uint32_t every, uint64_t warmup, uint64_t window) {
        SumsOverTime::reset(context, size_t(kProfileSums) * kProfileBins, 64, every, warmup, window);
    }
    /// The mean over the window; waits for the device. `unit`: speeds are relative to that of walls that move; 0: to
    /// that in the middle.
    FlowProfile profile(double unit = 0) const;
};

}  // namespace flipscope
