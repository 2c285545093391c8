// Everything that was found so far, in the order of time: plastic events with their links, and enough of what lay
// around them to draw them before and after. The Events lab adds to it after every comparison; findings, plots and
// drawings come out of it. Host code.
#pragma once

#include <cstdint>
#include <vector>

#include "events/detection.h"
#include "steps/algorithm.h"

namespace flipscope {

/// A changed link, as ChangedLink has it, but without the labels of its moment.
struct LoggedLink {
    int64_t ids[4];     // what its corners are called outside: names that the source
                        // gave, or our own
    uint32_t names[4];  // what they are called here; kNone: no corner
    uint32_t there[2];  // bit k: corner k was there before; is there after
    uint32_t breaking, triangles, kinds;
    uint32_t unused;
    Point before[4], after[4];  // world units, within the torus
};

struct LoggedEvent {
    double time;
    Point place;     // mean of its links' ends, after
    uint32_t round;  // the comparison that found it
    uint32_t kinds;  // EventBit
    uint32_t first_link, links;
    uint32_t first_around, past_around, now_around;  // places of neighbours, before and after
    uint32_t unused;
};

using KindCounts = std::array<uint32_t, size_t(EventKind::kKinds)>;

class EventLog {
  public:
    void clear(const Lattice& lattice);
    /// What `detection` found in one comparison. `past_ids`, `now_ids`: by label what the source calls them; empty: it
    /// does not. Returns how many events there are of each EventKind.
    KindCounts add(double time, uint32_t round, const Detection& detection, const std::vector<int64_t>& past_ids,
                   const std::vector<int64_t>& now_ids);

    size_t size() const { return events_.size(); }
    const std::vector<LoggedEvent>& events() const { return events_; }
    const LoggedLink* links_of(const LoggedEvent& event) const { return links_.data() + event.first_link; }
    /// Those of comparisons from `round` on; events are in the order of rounds, so this is the index of the first.
    size_t first_since(uint32_t round) const;
    Finding finding(size_t i) const;
    /// The cells around an event, before and after, the links that changed, and the edges of cells that went to zero.
    std::vector<Sketch> loupe(size_t i) const;
    /// Events across x, and the directions of their links.
    std::vector<Histogram> histograms() const;

    uint64_t hash() const { return hash_; }
    static constexpr size_t kBlocks = 4;
    void save(Snapshot& snapshot) const;
    size_t load(const Snapshot& snapshot, size_t first);

  private:
    Point mean_of_ends(const std::vector<ChangedLink>& links, const uint64_t* first, const uint64_t* end);
    uint32_t add_around(const Detection& detection, const uint64_t* first, const uint64_t* end, bool past);

    Lattice lattice_;
    std::vector<LoggedEvent> events_;
    std::vector<LoggedLink> links_;
    std::vector<Point> around_;
    uint64_t hash_ = 0;
    // Of one call of add(), kept for the next one's sake.
    std::vector<uint64_t> order_;       // links by their event, then by index, which is the lower half
    std::vector<uint32_t> last_event_;  // by present label: one more than the event that it was last an end in
    std::vector<Point> places_;
    std::vector<uint32_t> table_;  // by a hash of a place: its index among places_
};

}  // namespace flipscope
