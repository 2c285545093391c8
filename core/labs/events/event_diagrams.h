// The detail views of events: the cells around an event before and after, the links that changed, and the edges of
// cells that went to zero; or the bubbles of a birth and its like among their neighbours. Plain geometry over the log.
#pragma once

#include <vector>

#include "events/detection/event_log.h"
#include "lab/report.h"

namespace flipscope {

/// Of event `i` of the log. obstacles: (h, w) or empty; they are drawn, and what of an edge they cover is not.
std::vector<Diagram> diagrams_of(const EventLog& log, size_t i, const std::vector<uint8_t>& obstacles = {});

}  // namespace flipscope
