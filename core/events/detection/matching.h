// The isomorphism Φ from past to present labels, which Bernaschi, Lulli and Sbragaglia (2016, section III B 3) require
// and do not define: mutual nearest sites within a cap, or sites with the same name in both frames. Labels without a
// partner have vanished or appeared; the comparison leaves them out. Also passes on names.
#pragma once

#include <cstdint>
#include <vector>

#include "events/detection/linked_frame.h"

namespace flipscope {

class Matching {
  public:
    /// Counts of the last match, on the device; read with ChangeDetector's counters.
    enum Count : int { kMatched, kVanished };

    /// Mutual nearest sites: p and q are partners if q is the nearest present site to p, p the nearest past one to q,
    /// and their distance is at most `cap` mean distances between neighbours, √(sites / past sites). Along periodic
    /// axes by minimum image. Ties go to the lowest label, so of coincident sites only the lowest is matched.
    void match_nearest(Context& context, const LinkedFrame& past, const LinkedFrame& now, double cap);
    /// By the names given to both frames.
    void match_names(Context& context, const LinkedFrame& past, const LinkedFrame& now);
    /// Partners chosen by the caller, by past label; kNone: none. No present label twice.
    void match_given(Context& context, const LinkedFrame& past, const LinkedFrame& now,
                     const std::vector<uint32_t>& to_now);
    /// Partners keep their name. New sites get new names from `next` on, in the order of their labels. Only launches.
    void pass_on_names(Context& context, const LinkedFrame& past, LinkedFrame& now, uint32_t next);

    /// Waits for the device.
    void read(uint64_t& matched, uint64_t& vanished) const {
        matched = counts_.read(kMatched);
        vanished = counts_.read(kVanished);
    }

    /// Φ: by past label the present one, kNone: vanished. And its inverse, kNone: appeared.
    View<const uint32_t> to_now() const { return to_now_.view(); }
    View<const uint32_t> to_past() const { return to_past_.view(); }
    const Buffer<uint32_t>& to_now_buffer() const { return to_now_; }
    const Buffer<uint32_t>& to_past_buffer() const { return to_past_; }
    /// (kSumCount) Count; on the device.
    View<uint64_t> counts() const { return counts_.view(); }

  private:
    void begin(Context& context, const LinkedFrame& past, const LinkedFrame& now);
    void pair_up(Context& context, const LinkedFrame& past, const LinkedFrame& now);

    Buffer<uint32_t> to_now_{"partners now"}, to_past_{"partners before"};
    Buffer<uint32_t> choice_now_{"choices now"}, choice_past_{"choices before"};  // as partners, but one-sided
    Buffer<uint32_t> appeared_{"appeared"};                                       // one bit per present label
    Buffer<uint32_t> total_{"total"};
    Buffer<uint64_t> counts_{"match counts"};
};

}  // namespace flipscope
