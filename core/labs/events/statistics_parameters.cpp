// Parameters of the Events lab that determine which events count, and of their statistics.
#include "labs/events/source_parameters.h"

namespace flipscope {

void visit_statistics_parameters(ParameterVisitor& visitor, EventsLabParameters& all) {
    visitor.group("Events that count");
    visitor.integer("persistence", "Persistence",
                    "A lost or created contact counts when the change lasts this many comparisons; changes undone "
                    "before are flickers, which are listed apart.",
                    all.persistence.comparisons, 1, 1000000);
    visitor.number("lost_beyond", "Lost beyond",
                   "A lost contact counts when its cells are farther apart than this before they touch again, in mean "
                   "distances between sites; any: at any distance.",
                   all.persistence.lost_beyond, 0, 100);
    visitor.or_word("any");
    visitor.number("created_within", "Created within",
                   "A created contact counts when its cells are nearer than this before they part again, in mean "
                   "distances between sites; any: at any distance.",
                   all.persistence.created_within, 0, 100);
    visitor.or_word("any");
    visitor.group("Statistics of events");
    visitor.choice("event_kinds", "Kinds of events",
                   "The events of which waiting times, avalanches, correlations, rates, directions and displacements "
                   "are taken.",
                   all.statistics.event_kinds,
                   {{"all", "T1s, boundary, mixed and unclear events"},
                    {"t1", "T1s alone: events in the interior"},
                    {"boundary", "events on the boundary alone"}});
    visitor.integer("avalanche_time", "Avalanche gap in time",
                    "Events of one avalanche have at most this many comparisons from one to the next.",
                    all.statistics.avalanche_time, 0, 1000000);
    visitor.number("avalanche_distance", "Avalanche gap in space",
                   "Events of one avalanche have at most this distance from one to the next, in mean distances between "
                   "sites.",
                   all.statistics.avalanche_distance, 0, 1000);
    visitor.number("region", "Side of regions",
                   "Waiting times are listed of equal rectangles that fill the lattice, whose sides have at least this "
                   "length, in mean distances between sites.",
                   all.statistics.region, 0.5, 1000);
    visitor.number("displacement_reach", "Reach of displacements",
                   "Displacements of bubbles around T1s are recorded and averaged up to this distance, in mean "
                   "distances between sites; 0: they are not recorded.",
                   all.statistics.displacement_reach, 0, 20);
    visitor.group("Deformation of bubbles");
    visitor.toggle("deformation", "Measure deformation",
                   "Measures in every frame the texture of links, the elastic stress of contours, the elongation of "
                   "bubbles and the largest displacement, and their means over the window of time.",
                   all.statistics.deformation);
}

}  // namespace flipscope
