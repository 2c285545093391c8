// Statistics of the Events lab's plastic events as plots and tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "events/event_statistics.h"
#include "lab/report.h"

namespace flipscope {

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
