#include "labs/events/source_parameters.h"

#include <utility>
#include <vector>

#include "geometry/frames.h"
#include "geometry/places.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"
#include "particles/particle_source.h"

namespace flipscope {

namespace {

/// The name of the input with frames, used instead of a source of the lab's own; nullptr: none.
const std::string* recording_of(const Geometry& input) {
    if (input.tracks) return &input.tracks->name;
    return input.field ? &input.field->name : nullptr;
}

Override recording_decides_size(const ParameterContext& now, const std::string& side) {
    if (now.input.tracks)
        return {"The number of pixels is width times height; the shape of " + now.input.tracks->name +
                    " decides how many of them lie in a row.",
                side, true};
    if (now.input.field) return {now.input.field->name + " decides.", side};
    if (now.is("source", "particles"))
        return {"The number of pixels is width times height; the box of particles is square.", side, true};
    return {};
}

Override recording_decides_source(const ParameterContext& now) {
    const std::string* const file = recording_of(now.input);
    if (!file) return {};
    return {"The frames come from " + *file + ".", *file};
}

Override recording_has_none(const ParameterContext& now) {
    Override found = recording_decides_source(now);
    found.value.clear();
    return found;
}

Override decides_borders(const ParameterContext& now) {
    if (now.input.tracks) return {"Tracks are periodic in a box.", ""};
    if (now.input.field) return {"The borders of frames are a parameter of their own.", now.value_of("frame_borders")};
    if (now.is("source", "bubbles") || now.is("source", "rolls") || now.is("source", "particles")) return {};
    return {"The source decides: its lattice is periodic along the walls, if it has any.", "periodic"};
}

/// The file has a box, and the user has not overridden it.
bool file_has_box(const ParameterContext& now) {
    return now.input.tracks && (now.input.tracks->box.x > 0 || now.input.tracks->box.y > 0) && now.is("box", "auto");
}
/// Periodic axes of the box of tracks.
PeriodicAxes borders_of_box(const ParameterContext& now) {
    const Point box = file_has_box(now) ? now.input.tracks->box : size_of_text(now.value_of("box")).value_or(Point{});
    return {box.x > 0, box.y > 0};
}
/// For one number of the box.
OverrideRule file_decides(double (*number)(const Tracks& tracks)) {
    return [=](const ParameterContext& now) -> Override {
        if (!file_has_box(now)) return {};
        return {now.input.tracks->name + " gives its box; box sets another one.",
                format_exactly(number(*now.input.tracks))};
    };
}

const OverrideRule only_of_frames = override_if(
    [](const ParameterContext& now) { return !now.input.field || now.input.tracks; }, "No recorded frames are given.");

Override decides_frame_borders(const ParameterContext& now) {
    if (now.input.tracks)
        return {"Tracks are periodic along the sides of their box; box sets them.",
                name_of_borders(borders_of_box(now))};
    return only_of_frames(now);
}

Override points_decide_count(const ParameterContext& now) {
    if (now.input.points.empty() || now.is("source", "bubbles") || now.is("source", "particles")) return {};
    return {"Droplets start from the points of the input.", std::to_string(now.input.points.size())};
}

const OverrideRule only_of_tracks =
    override_if([](const ParameterContext& now) { return !now.input.tracks; }, "No tracks are given.");
const OverrideRule only_of_tracks_and_particles = override_if(
    [](const ParameterContext& now) {
        return !now.input.tracks && (now.input.field || !now.is("source", "particles"));
    },
    "There are neither tracks nor particles, which lie in a box.");
const OverrideRule only_of_a_box = override_if(
    [](const ParameterContext& now) { return now.input.tracks && now.is("box", "auto"); }, "There is no periodic box.");

/// For parameters of some of the lab's own sources.
OverrideRule only_of(const char* what, const std::vector<const char*>& sources) {
    return [=](const ParameterContext& now) -> Override {
        if (Override recorded = recording_has_none(now)) return recorded;
        for (const char* source : sources)
            if (now.is("source", source)) return {};
        return {"The source is \"" + now.value_of("source") + "\", without " + what + ".", ""};
    };
}
const OverrideRule only_of_bubbles = only_of("bubbles", {"bubbles"});
const OverrideRule only_of_droplets = only_of("droplets", {"shear", "channel", "rolls", "emulsion"});
const OverrideRule only_of_emulsions = only_of("an emulsion", {"emulsion"});
const OverrideRule only_of_particles = only_of("particles", {"particles"});
Override only_of_channels(const ParameterContext& now) {
    std::vector<const char*> sources{"channel"};
    if (now.is("vessel", "channel")) sources.push_back("emulsion");
    return only_of("a channel", sources)(now);
}
const OverrideRule only_of_walls_at_rest =
    override_if([](const auto& now) { return now.is("source", "emulsion") && now.is("drive", "rate"); },
                "Walls that move are flat.", "0");
const OverrideRule only_of_posts =
    override_if([](const auto& now) { return now.is("obstacle_count", "0"); }, "There are no posts.");

/// The last visited number accepts "auto" for the configuration's value.
void or_of_config(ParameterVisitor& visitor, const char* name, double ParticleModel::*number) {
    visitor.or_word("auto");
    visitor.overridden_by([=](const ParameterContext& now) -> Override {
        if (!now.is(name, "auto")) return {};
        return {"\"auto\" stands for that of the configuration.",
                format_exactly(named_model(now.value_of("config")).*number), true};
    });
}

void visit_particles(ParameterVisitor& visitor, SourceParameters& p) {
    visitor.group("Particles");
    visitor.choice("config", "Configuration", "Which particles there are, and how they act on each other.", p.config,
                   particle_configurations());
    visitor.number("density", "Area fraction",
                   "Part of the box that discs cover (equation 9); auto: that of the configuration.", p.density, 1e-6,
                   0.9);
    or_of_config(visitor, "density", &ParticleModel::density);
    visitor.number(
        "swimming_speed", "Speed of swimming",
        "V\xE2\x82\x80 of active particles (equation 10), world units per time; auto: that of the configuration.",
        p.swimming_speed, 0, 1000);
    or_of_config(visitor, "swimming_speed", &ParticleModel::speed);
    visitor.number("dt", "\xCE\x94t", "Length of a time step. Of particles; auto: that of the configuration.",
                   p.particle_dt, 1e-9, 100);
    or_of_config(visitor, "dt", &ParticleModel::dt);
    visitor.number("particle_spread", "Spread of discs' radii",
                   "Radii are spread evenly over \xC2\xB1 this part of them.", p.particle_spread, 0, 0.9);
    visit_repulsion(visitor, p.particle_repulsion, p.particle_strength);
    visitor.number("particle_shear_rate", "Shear rate",
                   "Per time: with borders=periodic_x or periodic_y the walls move in opposite directions, and the "
                   "discs at them with them.",
                   p.particle_shear_rate, -1e6, 1e6);
    visitor.overridden_by(
        override_if([](const ParameterContext& now) { return now.is("borders", "periodic"); }, "There are no walls."));
    visitor.group_overridden_by(only_of_particles);
}

}  // namespace

void visit_source_parameters(ParameterVisitor& visitor, SourceParameters& p) {
    visitor.choice("source", "Source", "The process that is simulated if the input has neither frames nor tracks.",
                   p.kind,
                   {{"bubbles", "bubbles of a random field that drifts and decorrelates"},
                    {"shear", "droplets between two walls that move in opposite directions; periodic along the walls"},
                    {"channel", "droplets driven along a channel with posts on its left wall (figure 10)"},
                    {"rolls", "droplets in a four-roll mill: four eddies, and places where droplets are drawn apart"},
                    {"emulsion", "droplets of one fluid in another, both computed: a lattice Boltzmann emulsion"},
                    {"particles", "Brownian and active discs in a periodic box, with the triangulation they keep"}});
    visitor.overridden_by(recording_decides_source);
    visit_lattice_size(visitor, p.width, p.height, recording_decides_size);
    visit_borders(visitor, "borders", "Borders",
                  "The boundary conditions of the lattice. Particles have walls across its open axis.", p.periodic);
    visitor.overridden_by(decides_borders);
    visit_borders(visitor, "frame_borders", "Borders of frames", "The same for recorded frames.", p.frames_periodic);
    visitor.overridden_by(decides_frame_borders);
    visitor.number(
        "pixel_size", "Pixel size",
        "The width of a pixel of recorded frames, in \xC2\xB5m or in the unit of --unit. Lengths, areas and places are "
        "then in this unit; auto: the resolution of the file, else one unit of --unit, else pixels are counted.",
        p.pixel_size, 1e-9, 1e9);
    visitor.or_word("auto");
    visitor.overridden_by(only_of_frames);
    visitor.number(
        "frame_interval", "Frame interval",
        "The time from one recorded frame to the next, seconds. Times are then in seconds; auto: as the file "
        "says, else frames are counted.",
        p.frame_interval, 1e-12, 1e12);
    visitor.or_word("auto");
    visitor.overridden_by(only_of_frames);
    visit_count(visitor, "Bubbles, droplets or particles", " Approximate for bubbles, exact for the others.", p.count,
                1, 1000000);
    visitor.overridden_by(recording_has_none, points_decide_count);
    visit_seed(visitor, "Seed of the source", p.seed);
    visitor.overridden_by(recording_has_none);
    visitor.number("drift_x", "Drift to the right", "Of bubbles, pixels per step.", p.drift_x, -10, 10);
    visitor.overridden_by(only_of_bubbles);
    visitor.number("drift_y", "Drift upwards", "Of bubbles, pixels per step.", p.drift_y, -10, 10);
    visitor.overridden_by(only_of_bubbles);
    visitor.number("lifetime", "Lifetime", "Steps until little is left of a random field; none: it does not change.",
                   p.lifetime, 0.01, 1e9);
    visitor.or_word("none");
    visitor.overridden_by(only_of_bubbles);
    visitor.number("speed", "Flow",
                   "The driving speed. The mean speed of the flow that carries droplets, pixels per step.", p.speed, 0,
                   1);
    visitor.overridden_by(only_of("a flow of a given speed", {"shear", "channel", "rolls"}));
    visitor.number("packing", "Packing", "Fraction of the area that the droplets would cover if they were round.",
                   p.packing, 0.1, 1.2);
    visitor.overridden_by(only_of_droplets);
    visitor.number("radius_spread", "Spread of radii",
                   "Radii differ from their mean by up to this fraction of the mean.", p.spread, 0, 0.5);
    visitor.overridden_by(only_of_droplets);
    visit_obstacle_count(visitor, p.posts, 100);
    visitor.overridden_by(only_of_channels, only_of_walls_at_rest);
    visitor.toggle("obstacles_on_both", "Posts on both walls", "Posts stand on the right wall, too.", p.posts_on_both);
    visitor.overridden_by(only_of_channels, only_of_walls_at_rest, only_of_posts);
    visitor.number("obstacle_height_fraction", "Height of posts",
                   "How far posts stand out from the wall, as a fraction of the channel's width.", p.post_height, 0,
                   0.6);
    visitor.overridden_by(only_of_channels, only_of_walls_at_rest, only_of_posts);
    visitor.number("obstacle_width_fraction", "Width of posts",
                   "Along the wall, as a fraction of the distance from post to post.", p.post_width, 0.05, 0.9);
    visitor.overridden_by(only_of_channels, only_of_walls_at_rest, only_of_posts);
    visitor.number("plug", "Plug", "Fraction of the channel's width that flows as one, as dense emulsions do.", p.plug,
                   0, 0.95);
    visitor.overridden_by(only_of("a plug", {"channel"}));
    visitor.group("Periodic box");
    visit_box(visitor,
              "Of tracks, in the units of their file; auto: that of the file, or open borders if the file has none; "
              "30x0: periodic along x alone. Coordinates may be wrapped into the box or go on beyond it. Of particles; "
              "auto: a square, as the density says.",
              p.box, 1e30);
    visitor.overridden_by(only_of_tracks_and_particles, [](const ParameterContext& now) -> Override {
        if (!file_has_box(now)) return {};
        return {now.input.tracks->name + " gives its box; set another one here.", text_of_size(now.input.tracks->box),
                true};
    });
    visitor.number("box_width", "Box width", "Of the same box: its width alone.", p.box.x, 0, 1e30);
    visitor.overridden_by(only_of_tracks_and_particles,
                          file_decides([](const Tracks& tracks) { return tracks.box.x; }));
    visitor.number("box_height", "Box height", "Of the same box: its height alone.", p.box.y, 0, 1e30);
    visitor.overridden_by(only_of_tracks_and_particles,
                          file_decides([](const Tracks& tracks) { return tracks.box.y; }));
    visitor.number("box_x", "Box from x", "The lowest x of the box.", p.box_x, -1e30, 1e30);
    visitor.overridden_by(file_decides([](const Tracks& tracks) { return tracks.box_low.x; }), only_of_a_box,
                          only_of_tracks);
    visitor.number("box_y", "Box from y", "The lowest y of the box.", p.box_y, -1e30, 1e30);
    visitor.overridden_by(file_decides([](const Tracks& tracks) { return tracks.box_low.y; }), only_of_a_box,
                          only_of_tracks);
    visitor.group("Emulsion");
    visitor.choice("vessel", "Vessel", "What the emulsion flows in.", p.vessel,
                   {{"channel", "between two walls, flat or with posts, along y (figure 10)"},
                    {"box", "a torus: its lower half is driven to the right, its upper half to the left"}});
    visitor.choice("drive", "Driven by", "What makes the emulsion flow.", p.drive,
                   {{"stress", "a body force, given by the shear stress that it causes"},
                    {"rate", "the walls of the channel, which move in opposite directions (Couette flow)"},
                    {"none", "nothing: the emulsion is at rest"}});
    visitor.overridden_by(
        override_if([](const auto& now) { return now.is("vessel", "box") && now.is("drive", "rate"); },
                    "A periodic box has no walls that could move.", "none"));
    visitor.number(
        "stress", "Shear stress",
        "At the walls of a channel, in a box the greatest, lattice units; auto: 2e-4, less in channels wider than "
        "2048 pixels, and where a dilute emulsion would flow faster than 0.05 pixels per step.",
        p.stress, 0, 1);
    visitor.or_word("auto");
    visitor.overridden_by(override_if([](const auto& now) { return !now.is("drive", "stress"); },
                                      "No body force drives the emulsion: drive is not \"stress\"."));
    visitor.number(
        "shear_rate", "Shear rate",
        "The difference of the walls' speeds over the width of the channel. Of an emulsion per step; auto: 5e-05, "
        "or less where the walls would move faster than 0.03 pixels per step.",
        p.shear_rate, 0, 1);
    visitor.or_word("auto");
    visitor.overridden_by(override_if([](const auto& now) { return !now.is("drive", "rate"); },
                                      "The walls do not move: drive is not \"rate\"."));
    visitor.number("repulsion", "Repulsion",
                   "Between the two fluids, lattice units (G12 of Shan and Chen's model): more increases the "
                   "interfacial tension, and less lets the fluids mix.",
                   p.repulsion, 0.3, 0.5);
    visitor.number(
        "wetting", "Wetting",
        "How walls attract droplets: -1: they act like the fluid around the droplets; 0: they prefer neither "
        "fluid (TLBfind); 1: like the droplets.",
        p.wetting, -1, 1);
    visitor.overridden_by(
        override_if([](const auto& now) { return now.is("vessel", "box"); }, "A periodic box has no walls."));
    visitor.group_overridden_by(only_of_emulsions);
    visit_particles(visitor, p);
}

std::unique_ptr<Source> start_source(Context& context, const SourceParameters& parameters,
                                     std::shared_ptr<const Geometry> input) {
    const bool recorded = input && (input->tracks || input->field);
    if (parameters.kind == SourceParameters::kParticles && !recorded) return make_particle_source(context, parameters);
    return make_source(context, parameters, std::move(input));
}

}  // namespace flipscope
