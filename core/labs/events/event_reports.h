// Results of the Events lab as reports: detections, tables and distributions of its log, and all bubbles over time.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "events/detection/persistence.h"
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

}  // namespace flipscope
