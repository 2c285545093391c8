#include "labs/events/source_parameters.h"

namespace flipscope {

void visit_parameters(ParameterVisitor& visitor, SourceParameters& p) {
    visitor.choice("source", "Source", "What happens over time, where the input has no frames and no tracks.", p.kind,
                   {{"bubbles", "bubbles of a random field that drifts and turns into another"},
                    {"shear", "droplets between two walls that go opposite ways; periodic along them"},
                    {"channel", "droplets driven along a channel with posts on its left wall (figure 10)"},
                    {"rolls", "droplets in a four-roll mill: four eddies, and places where they are drawn apart"},
                    {"emulsion", "droplets of one fluid in another, both computed: a lattice Boltzmann emulsion"}});
    visitor.integer("width", "Width", "Of the lattice, sites.", p.width, 16, 16384);
    visitor.integer("height", "Height", "Of the lattice, sites.", p.height, 16, 16384);
    visitor.toggle("periodic", "Periodic",
                   "What leaves on one side comes back on the other. Shear, channel and emulsion always do, "
                   "along their walls.",
                   p.periodic);
    visitor.toggle("frames_periodic", "Periodic frames", "The same of frames that were recorded.", p.frames_periodic);
    visitor.integer("bubbles", "Bubbles", "How many: of bubbles about, of droplets exactly.", p.count, 1, 1000000);
    visitor.integer("seed", "Seed", "Another number gives other bubbles.", p.seed, 0, 1000000);
    visitor.number("drift_x", "Drift to the right", "Of bubbles, sites per step.", p.drift_x, -10, 10);
    visitor.number("drift_y", "Drift upwards", "Of bubbles, sites per step.", p.drift_y, -10, 10);
    visitor.number("lifetime", "Lifetime", "Steps until little is left of a random field; 0: it stays.", p.lifetime, 0,
                   1e9);
    visitor.number("speed", "Flow", "Mean speed of what carries droplets, sites per step.", p.speed, 0, 1);
    visitor.number("packing", "Packing", "Part of the area that the droplets would take if they were round.", p.packing,
                   0.1, 1.2);
    visitor.number("spread", "Spread of sizes", "Radii differ from their mean by up to this part of it.", p.spread, 0,
                   0.5);
    visitor.integer("posts", "Posts", "On the left wall of the channel.", p.posts, 0, 100);
    visitor.number("post_height", "Post height", "Part of the channel's width.", p.post_height, 0, 0.6);
    visitor.number("post_width", "Post width", "Part of the distance from post to post.", p.post_width, 0.05, 0.9);
    visitor.number("plug", "Plug", "Part of the channel's width that flows as one, as dense emulsions do.", p.plug, 0,
                   0.95);
    visitor.group("Periodic box of tracks");
    visitor.number(
        "box_width", "Box width",
        "Of the box that tracks come from, in the units of their file; 0: there is none, and borders are open. "
        "Coordinates may be wrapped into the box or go on beyond it.",
        p.box_width, 0, 1e30);
    visitor.number("box_height", "Box height", "Of the same box.", p.box_height, 0, 1e30);
    visitor.number("box_x", "Box from x", "Where the box begins: its lowest x.", p.box_x, -1e30, 1e30);
    visitor.number("box_y", "Box from y", "Its lowest y.", p.box_y, -1e30, 1e30);
    visitor.group("Emulsion");
    visitor.choice("vessel", "Vessel", "What the emulsion flows in.", p.vessel,
                   {{"channel", "between two walls, with posts on the left one, pushed upwards (figure 10)"},
                    {"box", "a torus: its lower half is pushed to the right, its upper half to the left"}});
    visitor.number("force", "Body force", "What drives the emulsion, millionths of a site per step² on a unit of mass.",
                   p.force, 0, 1000);
    visitor.number("viscosity", "Viscosity",
                   "Of both fluids, sites² per step: a third of the relaxation time less a half.", p.viscosity, 0.05,
                   0.5);
    visitor.number("repulsion", "Repulsion",
                   "Between the two fluids, lattice units (Shan and Chen's G): more makes the tension of interfaces "
                   "greater, less than about 0.45 lets the fluids mix.",
                   p.repulsion, 0.4, 0.65);
    visitor.number(
        "film", "Film",
        "How strongly the fluids of two droplets repel each other, lattice units, as if a surfactant covered "
        "them; 0: droplets merge where they meet.",
        p.film, 0, 1.2);
}

}  // namespace flipscope
