// Results of the Events lab as reports: detections, tables and distributions of its log, all bubbles over time, how
// they are deformed, and statistics of plastic events.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "compute/snapshot.h"
#include "events/detection/persistence.h"
#include "events/event_statistics.h"
#include "events/events_machine.h"
#include "lab/report.h"

namespace flipscope {

/// "T1", …, "birth", …, "flicker" or "undecided".
std::string kind_of(const EventLog& log, const SettledEvents::Row& row);
/// The number that stands for it in the array of events.
uint32_t kind_code(const EventLog& log, const SettledEvents::Row& row);
/// Row `i` of the events. `units`: of the lattice in the input.
Detection detection_of(const EventLog& log, const SettledEvents& settled, size_t i, const LatticeUnits& units);
/// Diagrams of event `i`: the cells around it before and after, the changed links, and the cell edges that shrank to
/// zero; or the bubbles of a birth, a death and the like among their neighbours. Plain geometry from the log.
/// obstacles: (h, w) or empty; they are drawn, and hide covered parts of edges.
std::vector<Diagram> diagrams_of(const EventLog& log, size_t i, const std::vector<uint8_t>& obstacles = {});
/// All contacts that were lost and created, flickers included, one row each. The table reads the log.
Table changed_links(const EventLog& log, const SettledEvents& settled, const LatticeUnits& units,
                    const DetectionUnits& names);
/// Events across x and across y, and the directions of their links, for comparisons from `round` on, without flickers.
/// `remark` ends each sentence.
std::vector<Distribution> distributions_of(const EventLog& log, const SettledEvents& settled, uint32_t round,
                                           const std::string& remark);

/// All bubbles of a frame, in the units of the input.
struct TrackedFrame {
    double time = NAN;          // NaN: not recorded
    size_t first_place = 0;     // of tracks: index of its first place in the input
    size_t found = 0;           // rows from the input; those after them are held by the memory
    std::vector<int64_t> ids;   // (n)
    std::vector<Point> places;  // (n)
    std::vector<double> areas;  // (n) NaN: unknown
    std::vector<uint32_t> degrees;
    std::vector<uint8_t> on_boundary;
};
/// The present frame of a machine between two rounds.
TrackedFrame tracked_frame(const EventsMachine& machine, const LatticeUnits& units, size_t first_place);
/// One row for each bubble in each frame. `attributes`: columns of the input, by place; nullptr: none.
Table table_of_tracks(std::vector<TrackedFrame> of, const DetectionUnits& units,
                      const std::vector<Attribute>* attributes);

/// The deformation of bubbles in every frame, with means over the window of time.
class DeformationRecord {
  public:
    enum Quantity : size_t {
        kTextureXx,
        kTextureXy,
        kTextureYy,
        kStressXy,
        kStressDifference,
        kElongation,
        kDisplacement,
        kQuantities
    };
    using Sample = std::array<double, kQuantities>;  // lattice units; NaN: does not exist in this frame

    void clear() { *this = {}; }
    /// Measures the present frame of a machine between two rounds. Downloads it.
    void observe(const EventsMachine& machine);
    /// Adds the quantities of the last frame, and their means over frames from `first` on, with standard errors from
    /// block averages, in a unit of lengths in which a pixel is so wide.
    void add_to(Properties& numbers, uint32_t first, double pixel, const std::string& length) const;
    /// The mean displacement in each cell over frames from `first` on, with standard errors from block averages.
    Table mean_displacements(uint32_t first, const Lattice& lattice, const LatticeUnits& units,
                             const DetectionUnits& names) const;
    void save(Snapshot& snapshot) const;
    void load(const Snapshot& snapshot, size_t block);

  private:
    static constexpr size_t kCells = 16, kAll = kCells * kCells;  // along each axis of the lattice, for displacements
    struct Displacements {
        double x = 0, y = 0, count = 0;  // sums, lattice units
        void add(const Displacements& other) { x += other.x, y += other.y, count += other.count; }
    };
    std::vector<Sample> samples_;               // by frame
    std::vector<Displacements> displacements_;  // (frames, kCells, kCells) by the places before
};

/// Where each bubble that is in both compared frames was, and how far it moved; in the units of the input.
Table displacement_table(const EventsMachine& machine, const LatticeUnits& units, const DetectionUnits& names);
/// Of each bubble of a field its place, area and shape.
Table shape_table(const EventsMachine& machine, const LatticeUnits& units, const DetectionUnits& names);

struct EventStatisticsParameters {
    int avalanche_time = 1;         // comparisons
    double avalanche_distance = 2;  // mean distances between sites
    double region = 4;              // side of a region of waiting times, mean distances
    double displacement_reach = 0;  // of displacements around T1s, mean distances; 0: not recorded
    bool deformation = false;       // record DeformationRecord
    int event_kinds = 0;            // the events of all these statistics: all, T1s, or boundary events
};

/// The events within the window of time, and what converts them to the units of the input.
struct EventsInWindow {
    const EventLog& log;
    const SettledEvents& settled;
    const T1Displacements& displacements;
    EventStatisticsParameters parameters;
    uint32_t first = 1, last = 0;  // comparisons
    double duration = 0;           // of these, in the unit of time
    double mean_distance = 1;      // between sites, lattice units
    LatticeUnits units;
    DetectionUnits names;
    std::string remark;  // ends each sentence

    uint32_t comparisons() const { return last >= first ? last - first + 1 : 0; }
};

/// Distributions and curves; those without events are left out.
void add_event_statistics(const EventsInWindow& window, Report& report);
std::vector<ArrayInfo> event_statistics_tables();
/// nullopt: it has no table of this name.
std::optional<Table> event_statistics_table(const EventsInWindow& window, const std::string& name);

}  // namespace flipscope
