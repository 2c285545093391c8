// Groups the changed links of a comparison by event, and finds the place of each event. Used by EventLog and
// detect_events(). Host code; scratch memory is kept between calls.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "compute/cancel.h"
#include "events/detection/changed_links.h"
#include "voronoi/lattice.h"

namespace flipscope {

class EventGroups {
  public:
    void reset(const Lattice& lattice) {
        lattice_ = lattice;
        last_event_.clear();
        stamp_ = 0;
    }

    /// visit(std::span<const uint32_t>) with the indices of each event's links, ascending; events in the order of their
    /// lowest links.
    template <class Visit>
    void visit(std::span<const ChangedLink> links, const Visit& visit) {
        keys_.resize(links.size());
        for (size_t i = 0; i < links.size(); ++i) keys_[i] = uint64_t(links[i].event) << 32 | i;
        sort_or_cancel(keys_.begin(), keys_.end());
        order_.resize(links.size());
        for (size_t k = 0; k < keys_.size(); ++k) order_[k] = static_cast<uint32_t>(keys_[k]);
        for (size_t first = 0, end = 0; first < keys_.size(); first = end) {
            while (end < keys_.size() && keys_[end] >> 32 == keys_[first] >> 32) ++end;
            visit(std::span<const uint32_t>(order_.data() + first, end - first));
        }
    }

    /// The mean of an event's link ends, each counted once, in the later frame.
    Point place(std::span<const ChangedLink> links, std::span<const uint32_t> event) {
        const Point origin = links[event.front()].after[0];
        ++stamp_;
        Point sum;
        double count = 0;
        for (const uint32_t i : event) {
            const ChangedLink& link = links[i];
            for (int k = 0; k < 2; ++k) {
                if (link.now[k] >= last_event_.size()) last_event_.resize(link.now[k] + 1);
                if (std::exchange(last_event_[link.now[k]], stamp_) == stamp_) continue;
                const Point d = lattice_.difference(origin, link.after[k]);
                sum = {sum.x + d.x, sum.y + d.y};
                ++count;
            }
        }
        return lattice_.wrapped({origin.x + sum.x / count, origin.y + sum.y / count});
    }

  private:
    Lattice lattice_;
    std::vector<uint64_t> keys_;  // event in the upper half, index of the link in the lower
    std::vector<uint32_t> order_;
    std::vector<uint32_t> last_event_;  // by present label: the stamp of the last event with this end
    uint32_t stamp_ = 0;
};

}  // namespace flipscope
