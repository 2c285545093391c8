// The parameters of the Events lab, as shown by the panel and the command line: its source, the machine, the device;
// and the source that they describe.
#pragma once

#include <memory>

#include "events/detection/events_chain.h"
#include "events/detection/persistence.h"
#include "events/sources/source.h"
#include "lab/parameter_visitor.h"
#include "labs/events/event_reports.h"

namespace flipscope {

struct EventsLabParameters {
    SourceParameters source;
    EventsParameters events{.graph = static_cast<int>(GraphKind::kAuto)};
    PersistenceRules persistence;
    EventStatisticsParameters statistics;
    int block_size = 128;  // CUDA threads per block
};
void visit_events_parameters(ParameterVisitor& visitor, EventsLabParameters& parameters);
void visit_source_parameters(ParameterVisitor& visitor, SourceParameters& parameters);
/// The frames of the input are label images.
bool has_label_frames(const ParameterContext& now);

/// As make_source(), or make_particle_source() for particles. Same errors.
std::unique_ptr<Source> start_source(Context& context, const SourceParameters& parameters,
                                     std::shared_ptr<const Geometry> input);

}  // namespace flipscope
