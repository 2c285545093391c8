// The parameters of the Events lab, as shown by the panel and the command line: its source, the machine, the device.
#pragma once

#include "events/detection/events_chain.h"
#include "lab/parameter_visitor.h"

namespace flipscope {

struct EventsLabParameters {
    SourceParameters source;
    EventsParameters events{.graph = static_cast<int>(GraphKind::kAuto)};
    int block_size = 128;  // CUDA threads per block
};
void visit_events_parameters(ParameterVisitor& visitor, EventsLabParameters& parameters);

}  // namespace flipscope
