// The isomorphism Φ from past to present labels, which Bernaschi, Lulli and Sbragaglia (2016, section III B 3) need and
// do not define: sites that are nearest to each other within a cap, or that have the same name in both frames. Labels
// without partner have vanished or appeared; they are left out of the comparison. Here, too, names are passed on.
#pragma once

#include <cstdint>

#include "events/detection/linked_frame.h"

namespace flipscope {

class Matching {
  public:
    /// What the last match came to; counted on the device, read with ChangeDetector's counters.
    enum Count : int { kMatched, kVanished };

    /// Mutual nearest sites: p and q are partners when q is the nearest present site to p, p the nearest past one
    /// to q, and they are no farther apart than `cap` mean distances between neighbours, √(sites / past sites). Along
    /// periodic axes by minimum image; ties go to the lowest label, so of sites in the same place only the lowest is
    /// matched.
    void match_nearest(Context& context, const LinkedFrame& past, const LinkedFrame& now, double cap);
    /// By the names that both frames were given.
    void match_names(Context& context, const LinkedFrame& past, const LinkedFrame& now);
    /// Partners keep the name they had. Those that appeared get new ones, in the order of their labels, from `next` on.
    /// Only launches.
    void pass_on_names(Context& context, const LinkedFrame& past, LinkedFrame& now, uint32_t next);

    /// Waits for the device.
    void read(uint64_t& matched, uint64_t& vanished) const {
        matched = counts_.read(kMatched);
        vanished = counts_.read(kVanished);
    }

    /// Φ: by past label the present one, kNone: vanished. And the other way, kNone: appeared.
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
    Buffer<uint32_t> appeared_{"appeared"};                                       // a bit for each present label
    Buffer<uint32_t> total_{"total"};
    Buffer<uint64_t> counts_{"match counts"};
};

}  // namespace flipscope
