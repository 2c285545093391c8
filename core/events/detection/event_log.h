// All events found so far, in the order of time: plastic events with their links, and enough of their surroundings to
// draw them before and after; then the births, deaths, splits and merges of the same comparison. EventsMachine adds to
// it after every comparison. Host code.
//
// The last addition is processed when it is read, or in settle(), which the machine calls while it waits for the
// device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compute/snapshot.h"
#include "events/detection/cell_changes.h"
#include "events/detection/changed_links.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// A changed link, as ChangedLink, but without the labels of its frame.
struct LoggedLink {
    int64_t ids[4];     // of its corners, from the source, or our own
    uint32_t names[4];  // of its corners; kNone: no corner
    uint32_t there[2];  // bit k: corner k existed before; exists after
    uint32_t lost, triangles, kinds;
    uint32_t first_around, past_around, now_around;  // places of neighbours, before and after
    Point before[4], after[4];                       // world units, wrapped along periodic axes
};

struct LoggedEvent {
    double time;
    Point place;     // mean of its links' ends, after
    uint32_t round;  // the comparison that found it
    uint32_t kinds;  // EventBit
    uint32_t first_link, links;
    // For births, deaths and the like, which have no links:
    uint32_t change = kNone;  // CellChange; kNone: a plastic event
    uint32_t first_cell = 0, cells = 0;
    uint32_t is_after = 0;  // 1: drawn in the later frame, 0: in the one before
    uint32_t first_drawn = 0, drawn = 0, first_around = 0, around = 0;

    bool is_plastic() const { return change == kNone; }
};

/// A bubble of a birth, death or the like; areas in pixels, NaN: absent.
struct LoggedCell {
    int64_t id;
    double area_before, area_after;
};
/// One of the bubbles in the diagram of a birth, death or the like.
struct DrawnCell {
    int64_t id;
    uint32_t name;
    uint32_t unused = 0;
    Point site;  // lattice units
};
/// A birth, death, split or merger to add to the log. The first cell is the one that split, or the merged one.
struct AddedCellChange {
    CellChange change;
    Point place;  // lattice units
    std::vector<LoggedCell> cells;
    bool is_after = true;          // its diagram shows the later frame
    std::vector<DrawnCell> drawn;  // in that frame
    std::vector<Point> around;     // sites of their neighbours there
};

/// Areas of the cells of a frame by label, pixels, plus kCutArea if cut. Empty: unknown.
using CellAreas = std::vector<uint32_t>;
/// NaN: unknown or cut.
double area_of(const CellAreas& areas, uint32_t label);

using KindCounts = std::array<uint32_t, size_t(EventKind::kKinds)>;

class EventLog {
  public:
    void clear(const Lattice& lattice);
    /// The bubbles of a frame, by label: ids from the source, or empty; and their areas.
    struct FrameCells {
        std::vector<int64_t> ids;
        CellAreas areas;
    };
    /// Adds the changed links of one comparison. Returns the number of events of each EventKind.
    KindCounts add(double time, uint32_t round, std::shared_ptr<const FoundLinks> found, FrameCells past,
                   FrameCells now);
    /// Adds births, deaths and the like of a comparison, after its links.
    void add(double time, uint32_t round, const std::vector<AddedCellChange>& changes);
    /// Processes the last addition and releases it.
    void settle() const;

    const Lattice& lattice() const { return lattice_; }
    size_t size() const { return events().size(); }
    const std::vector<LoggedEvent>& events() const {
        settle();
        return events_;
    }
    /// The index of the first event of a comparison from `round` on: events are in the order of rounds.
    size_t first_since(uint32_t round) const;

    /// Of all events, in their order.
    std::span<const LoggedLink> links() const {
        settle();
        return links_;
    }
    // `event` must be one of events().
    std::span<const LoggedLink> links_of(const LoggedEvent& event) const {
        return {links_.data() + event.first_link, event.links};
    }
    std::span<const LoggedCell> cells_of(const LoggedEvent& event) const {
        return {cells_.data() + event.first_cell, event.cells};
    }
    std::span<const DrawnCell> drawn_of(const LoggedEvent& event) const {
        return {drawn_.data() + event.first_drawn, event.drawn};
    }
    std::span<const Point> around(const LoggedEvent& event) const {
        return {around_.data() + event.first_around, event.around};
    }
    // `link` must be one of links().
    using LinkAreas = std::array<double, 8>;  // of the corners before, then after; NaN: unknown
    const LinkAreas& areas_of(const LoggedLink& link) const { return areas_[size_t(&link - links_.data())]; }
    std::span<const Point> around(const LoggedLink& link, bool after) const {
        const Point* const first = around_.data() + link.first_around;
        return after ? std::span(first + link.past_around, link.now_around) : std::span(first, link.past_around);
    }

    uint64_t hash() const;
    static constexpr size_t kBlocks = 7;
    void save(Snapshot& snapshot) const;
    size_t load(const Snapshot& snapshot, size_t first);

  private:
    struct Added {
        double time = 0;
        uint32_t round = 0;
        std::shared_ptr<const FoundLinks> found;
        FrameCells past, now;
    };
    void log_link(const ChangedLink& link, const Surroundings* around) const;
    Point place_of(std::span<const ChangedLink> links, std::span<const uint64_t> event) const;

    Lattice lattice_;
    // Mutable because reading brings them up to date.
    mutable Added added_;
    mutable std::vector<LoggedEvent> events_;
    mutable std::vector<LoggedLink> links_;
    mutable std::vector<LinkAreas> areas_;  // of links_
    mutable std::vector<LoggedCell> cells_;
    mutable std::vector<DrawnCell> drawn_;
    mutable std::vector<Point> around_;
    mutable uint64_t hash_ = 0;  // of the first hashed_ events
    mutable size_t hashed_ = 0;
    // Scratch memory for the next comparison.
    mutable std::vector<uint64_t> keys_;  // by event: the event in the upper half, the index of a link in the lower
    mutable std::vector<uint32_t> last_event_;  // by present label: the stamp of the last event with this end
    mutable uint32_t stamp_ = 0;
    std::vector<uint32_t> kinds_;  // by index of an event's lowest link
};

}  // namespace flipscope
