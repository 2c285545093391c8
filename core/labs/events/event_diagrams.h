// Diagrams of events: the cells around an event before and after, the changed links, and the cell edges that shrank to
// zero; or the bubbles of a birth, a death and the like among their neighbours. Plain geometry from the log.
#pragma once

#include <vector>

#include "events/detection/event_log.h"
#include "lab/report.h"

namespace flipscope {

/// Diagrams of event `i` of the log. obstacles: (h, w) or empty; they are drawn, and hide covered parts of edges.
std::vector<Diagram> diagrams_of(const EventLog& log, size_t i, const std::vector<uint8_t>& obstacles = {});

}  // namespace flipscope
