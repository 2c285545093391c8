// The flow along a channel or a box at places across it, and the shear stress where it is known: sums of samples over a
// window of time. Time is divided into blocks of equal length with separate sums, so that the window can move, its two
// halves can be compared, and errors come from the scatter of blocks. Kernels of the sources add the samples on the
// device; the sums are integers, the same in any order. The host waits only when blocks are joined, which becomes rarer
// as the record grows.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "compute/snapshot.h"
#include "events/sources/source_parts.h"

namespace flipscope {

class FlowRecord {
  public:
    /// Clears the record. `every`: steps between samples; `warmup`: steps before the first sample; `window`: only the
    /// last `window` steps count, 0: all since the warm-up.
    void reset(Context& context, uint32_t every, uint64_t warmup, uint64_t window);

    /// Whether a sample is due at the beginning of this step (0, 1, …).
    bool due(uint64_t step) const { return step >= warmup_ && step % every_ == 0; }
    /// Returns the sums for the sample of a due step; call it once for each, in order. A kernel adds to them:
    /// (kProfileBins, kProfileSums), speed along the channel in 1 / kPixelUnits pixels per step, stress in 1 /
    /// kPixelUnits lattice units, and the number of summands.
    View<uint64_t> open(Context& context);

    /// The mean over the window; waits for the device. `unit`: speeds are relative to that of walls that move; 0: to
    /// that in the middle.
    FlowProfile profile(double unit = 0) const;

    /// Copies `other`, which was reset with the same arguments.
    void copy(Context& context, const FlowRecord& other);
    static constexpr size_t kBlocksOfSnapshot = 2;
    void save(Snapshot& snapshot) const;
    void load(Context& context, const Snapshot& snapshot, size_t first_block);

  private:
    static constexpr uint32_t kBlocks = 64;  // at most
    static constexpr size_t kSums = size_t(kProfileSums) * kProfileBins;

    struct RecordState {
        uint64_t taken = 0;  // samples taken since the warm-up
        uint64_t each = 1;   // samples per block
    };
    uint64_t first_step() const { return (warmup_ + every_ - 1) / every_ * every_; }
    uint64_t step_of(uint64_t sample) const { return first_step() + sample * every_; }
    void join(Context& context);
    size_t rows() const;

    uint32_t every_ = 1;
    uint64_t warmup_ = 0;
    uint64_t window_ = 0;      // samples; 0: all
    uint32_t kept_ = kBlocks;  // blocks with room
    RecordState state_;
    Buffer<uint64_t> sums_{"flow profile"};  // (kept_, kProfileBins, kProfileSums); block b lies in row b % kept_
};

}  // namespace flipscope
