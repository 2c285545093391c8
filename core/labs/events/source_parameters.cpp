#include "labs/events/source_parameters.h"

#include "labs/vocabulary.h"

namespace flipscope {

void visit_source_parameters(ParameterVisitor& visitor, SourceParameters& p) {
    visitor.choice("source", "Source", "What happens over time, where the input has no frames and no tracks.", p.kind,
                   {{"bubbles", "bubbles of a random field that drifts and decorrelates"},
                    {"shear", "droplets between two walls that move in opposite directions; periodic along the walls"},
                    {"channel", "droplets driven along a channel with posts on its left wall (figure 10)"},
                    {"rolls", "droplets in a four-roll mill: four eddies, and places where droplets are drawn apart"},
                    {"emulsion", "droplets of one fluid in another, both computed: a lattice Boltzmann emulsion"}});
    visit_lattice_size(visitor, p.width, p.height);
    visit_borders(visitor, p.periodic);
    visitor.formerly({"periodic", values_of_toggle("periodic", "open")});
    visit_either(visitor, "frame_borders", "Borders of frames", "The same for recorded frames.", p.frames_periodic,
                 {{"open", "nothing"}, {"periodic", "the first one again: the lattice is a torus"}});
    visitor.formerly({"frames_periodic", values_of_toggle("periodic", "open")});
    visit_count(visitor, "Bubbles or droplets", " Of bubbles about so many, of droplets exactly.", p.count, 1, 1000000);
    visitor.formerly({"bubbles"});
    visit_seed(visitor, "Seed of the source", p.seed);
    visitor.number("drift_x", "Drift to the right", "Of bubbles, pixels per step.", p.drift_x, -10, 10);
    visitor.number("drift_y", "Drift upwards", "Of bubbles, pixels per step.", p.drift_y, -10, 10);
    visitor.number("lifetime", "Lifetime", "Steps until little is left of a random field; 0: it does not change.",
                   p.lifetime, 0, 1e9);
    visitor.number("speed", "Flow", "Mean speed of the flow that carries droplets, pixels per step.", p.speed, 0, 1);
    visitor.number("packing", "Packing", "Fraction of the area that the droplets would cover if they were round.",
                   p.packing, 0.1, 1.2);
    visitor.number("radius_spread", "Spread of radii",
                   "Radii differ from their mean by up to this fraction of the mean.", p.spread, 0, 0.5);
    visitor.formerly({"spread"});
    visit_obstacle_count(visitor, p.posts, 100);
    visitor.formerly({"posts"});
    visitor.number("obstacle_height_fraction", "Height of posts",
                   "How far posts stand out from the wall, as a fraction of the channel's width.", p.post_height, 0,
                   0.6);
    visitor.formerly({"post_height"});
    visitor.number("obstacle_width_fraction", "Width of posts",
                   "Along the wall, as a fraction of the distance from post to post.", p.post_width, 0.05, 0.9);
    visitor.formerly({"post_width"});
    visitor.number("plug", "Plug", "Fraction of the channel's width that flows as one, as dense emulsions do.", p.plug,
                   0, 0.95);
    visitor.group("Periodic box of tracks");
    visitor.number("box_width", "Box width",
                   "Of the box that tracks come from, in the units of their file; 0: there is none, and borders are "
                   "open. Coordinates may be wrapped into the box or go on beyond it.",
                   p.box_width, 0, 1e30);
    visitor.number("box_height", "Box height", "Of the same box.", p.box_height, 0, 1e30);
    visitor.number("box_x", "Box from x", "The lowest x of the box.", p.box_x, -1e30, 1e30);
    visitor.number("box_y", "Box from y", "The lowest y of the box.", p.box_y, -1e30, 1e30);
    visitor.group("Emulsion");
    visitor.choice("vessel", "Vessel", "What the emulsion flows in.", p.vessel,
                   {{"channel", "between two walls, with posts on the left one, driven upwards (figure 10)"},
                    {"box", "a torus: its lower half is driven to the right, its upper half to the left"}});
    visitor.number("force", "Body force",
                   "What drives the emulsion, millionths of a pixel per step² on a unit of mass.", p.force, 0, 1000);
    visitor.number("viscosity", "Viscosity",
                   "Of both fluids, pixels² per step: a third of the relaxation time less a half.", p.viscosity, 0.05,
                   0.5);
    visitor.number("repulsion", "Repulsion",
                   "Between the two fluids, lattice units (Shan and Chen's G): more increases the interfacial tension, "
                   "below about 0.45 the fluids mix.",
                   p.repulsion, 0.4, 0.65);
    visitor.number("film", "Film",
                   "How strongly the fluids of two droplets repel each other, lattice units, as if a surfactant "
                   "covered them; 0: droplets merge where they touch.",
                   p.film, 0, 1.2);
}

}  // namespace flipscope
