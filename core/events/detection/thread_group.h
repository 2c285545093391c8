// Threads that share one task: neighbouring threads of a warp on CUDA, a single one on CPU threads. All threads of a
// group must reach its sums and votes together.
#pragma once

#include <cstdint>

#include "flipscope/view.h"

namespace flipscope {

struct ThreadGroup {
    /// `lane_count`: threads per group, a power of two up to 32, and a divisor of the launch's size; 1 on CPU threads.
    FLIPSCOPE_HD ThreadGroup(uint32_t thread, uint32_t lane_count)
        : index(thread / lane_count), lane(thread % lane_count), lanes(lane_count) {}

    uint32_t index, lane, lanes;  // of the group; of the thread in it; threads per group

    FLIPSCOPE_HD uint32_t sum(uint32_t value) const {
#if defined(__CUDA_ARCH__)
        for (uint32_t other = 1; other < lanes; other *= 2) value += __shfl_xor_sync(members(), value, other);
#endif
        return value;
    }
    /// The number of earlier lanes that vote yes; `all`: of all lanes.
    FLIPSCOPE_HD uint32_t before(bool vote, uint32_t& all) const {
#if defined(__CUDA_ARCH__)
        const uint32_t votes = __ballot_sync(members(), vote) & members();
        all = __popc(votes);
        return __popc(votes & ((1u << threadIdx.x % 32) - 1));
#else
        all = vote;
        return 0;
#endif
    }
    FLIPSCOPE_HD bool any(bool vote) const {
#if defined(__CUDA_ARCH__)
        return __ballot_sync(members(), vote) & members();
#else
        return vote;
#endif
    }
    /// The value of the lane that differs in this bit.
    template <class T>
    FLIPSCOPE_HD T other(uint32_t bit, T value) const {
#if defined(__CUDA_ARCH__)
        return __shfl_xor_sync(members(), value, bit);
#else
        return (void)bit, value;
#endif
    }
    /// The value of this lane.
    template <class T>
    FLIPSCOPE_HD T from(uint32_t whose, T value) const {
#if defined(__CUDA_ARCH__)
        return __shfl_sync(members(), value, whose, lanes);
#else
        return whose == lane ? value : T{};
#endif
    }

  private:
#if defined(__CUDA_ARCH__)
    __device__ uint32_t members() const {
        return lanes == 32 ? ~0u : ((1u << lanes) - 1) << (threadIdx.x % 32 / lanes * lanes);
    }
#endif
};

}  // namespace flipscope
