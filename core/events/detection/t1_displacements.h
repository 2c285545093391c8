// How bubbles around each T1 move from the frame before it to the frame with it, in the frame of the T1: its origin is
// the mean of its four cells, its x axis is the lost contact, and the mean displacement of the four is subtracted. The
// samples of each event are kept, so that the mean can be taken over those events that count. Host code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/snapshot.h"
#include "events/detection/event_log.h"
#include "events/detection/persistence.h"

namespace flipscope {

class T1Displacements {
  public:
    /// A bubble before the T1, and its displacement; mean distances between sites.
    struct Sample {
        float x, y, dx, dy;
    };

    /// `reach`: bubbles farther from a T1 are left out, mean distances; 0: no samples.
    void reset(double reach);
    bool is_needed() const { return reach_ > 0; }
    double reach() const { return reach_; }
    /// Call it after every comparison, once its events are in the log.
    void observe(const EventLog& log, const ComparedSites& sites);
    /// Of an event of the log: those of a T1 with one lost and one created contact; else empty.
    std::span<const Sample> samples_of(size_t event) const;
    void save(Snapshot& snapshot) const;
    size_t load(const Snapshot& snapshot, size_t first);

  private:
    double reach_ = 0;
    std::vector<uint64_t> ends_;  // by event: the end of its samples
    std::vector<Sample> samples_;
};

}  // namespace flipscope
