#include "lab/vocabulary.h"
#include "labs/events/source_parameters.h"
#include "labs/voronoi/stencil_inspect.h"

namespace flipscope {

bool has_label_frames(const ParameterContext& now) {
    return now.input.field && !now.input.tracks &&
           (now.is("field", "labels") ||
            (now.is("field", "auto") && now.input.field->labels && now.is("auto_threshold", "on")));
}

namespace {

bool has_particles(const ParameterContext& now) {
    return now.is("source", "particles") && !now.input.tracks && !now.input.field;
}

Override tracks_have_no_field(const ParameterContext& now) {
    if (has_particles(now)) return {"Particles have positions and no field: there is nothing to measure.", ""};
    if (!now.input.tracks) return {};
    return {now.input.tracks->name + " has positions and no field: there is nothing to measure.", ""};
}

Override labels_have_no_threshold(const ParameterContext& now) {
    if (!has_label_frames(now)) return {};
    return {now.input.field->name + " has labels, each a cell: there is nothing to measure.", ""};
}

const OverrideRule only_of_global_threshold = override_if(
    [](const ParameterContext& now) { return now.input.field && !now.input.tracks && !now.is("local_radius", "0"); },
    "The threshold is local: local_radius is set.");

bool matches_names(const ParameterContext& now) {
    return (now.input.tracks || has_particles(now)) && (now.is("matching", "auto") || now.is("matching", "names"));
}

/// For the rules that derive a graph from the lattice's colours.
Override only_of_lattice_graph(const ParameterContext& now) {
    if (has_particles(now)) return {"Particles keep a triangulation, and the lattice has no graph of them.", ""};
    if (now.is("graph", "lattice") || (now.is("graph", "auto") && !now.input.tracks)) return {};
    if (now.is("graph", "auto")) return {"Tracks have the graph of the Delaunay triangulation.", ""};
    return {"The graph is not that of the lattice: graph is \"" + now.value_of("graph") + "\".", ""};
}

const OverrideRule only_of_brightness = override_if(
    [](const ParameterContext& now) { return !now.input.field || now.input.tracks || has_label_frames(now); },
    "No recorded frames of brightness are given.");

/// Of the steps from recorded brightness to bubbles, in their order.
void visit_segmentation_parameters(ParameterVisitor& visitor, SegmentationParameters& p) {
    using P = SegmentationParameters;
    visitor.group("From image to bubbles");
    visitor.number("smoothing", "Smoothing", "Standard deviation of a Gaussian that smooths frames, pixels; 0: none.",
                   p.smoothing, 0, P::kMostSmoothing);
    visitor.integer("background_radius", "Background radius",
                    "Uneven light: the mean over (2r + 1)² pixels is subtracted from the field; r several times the "
                    "radius of a bubble; 0: none.",
                    p.background_radius, 0, P::kMostRadius);
    visitor.integer("local_radius", "Local threshold radius",
                    "The threshold at a pixel is the mean over (2r + 1)² pixels around it, less local_offset; 0: one "
                    "threshold for all.",
                    p.local_radius, 0, P::kMostRadius);
    visitor.number("local_offset", "Local threshold offset",
                   "What is subtracted from that mean, in the unit of the field.", p.local_offset, -1e9, 1e9);
    visitor.overridden_by(override_if([](const auto& now) { return now.is("local_radius", "0"); },
                                      "The threshold is not local: local_radius is 0."));
    visitor.integer("opening", "Opening",
                    "Radius of a disc, pixels: parts of bubbles into which it does not fit are removed; 0: none.",
                    p.opening, 0, P::kMostDisc);
    visitor.integer("closing", "Closing",
                    "Radius of a disc, pixels: parts of the background into which it does not fit become bubbles; "
                    "0: none.",
                    p.closing, 0, P::kMostDisc);
    visitor.integer("hole_area", "Hole area", "Holes of fewer pixels are filled; 0: none.", p.hole_area, 0,
                    P::kMostArea);
    visitor.number("split_height", "Separation",
                   "Touching bubbles are separated by the watershed of the distance to the background, if both are "
                   "wider than their neck by so much in radius, pixels (h-maxima); 0: they stay one.",
                   p.split_height, 0, P::kMostDisc);
    visitor.integer("least_area", "Least area", "Bubbles of fewer pixels are left out; 0: none.", p.least_area, 0,
                    P::kMostArea);
    visitor.toggle("inner_only", "Only inner bubbles", "Bubbles that touch an open border of the image are left out.",
                   p.inner_only);
    visitor.group_overridden_by(only_of_brightness);
}

/// Which events count, and their statistics.
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

}  // namespace

void visit_events_parameters(ParameterVisitor& visitor, EventsLabParameters& all) {
    EventsParameters& p = all.events;
    visitor.group("Source");
    visit_source_parameters(visitor, all.source);
    visitor.take_effect(EffectAt::kPreview);
    visitor.group("Bubbles");
    visitor.choice("field", "Frames hold", "What the numbers of recorded frames are.", all.source.values,
                   {{"auto", "labels where they look like it (and auto_threshold is on), else brightness"},
                    {"threshold", "brightness: bubbles lie past a threshold"},
                    {"labels", "whole numbers: 0 is background, each other one a cell, also where cells touch"}});
    visitor.overridden_by(override_if([](const auto& now) { return !now.input.field || now.input.tracks; },
                                      "No recorded frames are given."));
    visitor.toggle("auto_threshold", "Usual threshold",
                   "Uses a threshold that suits the source's field (Otsu's for recorded frames), not the one below.",
                   p.auto_threshold);
    visitor.overridden_by(tracks_have_no_field, labels_have_no_threshold, only_of_global_threshold);
    visitor.number("threshold", "Threshold", "Where bubbles end, in the unit of the field; an image goes from 0 to 1.",
                   p.threshold, -1e9, 1e9);
    visitor.overridden_by(tracks_have_no_field, labels_have_no_threshold, only_of_global_threshold,
                          override_if([](const auto& now) { return now.is("auto_threshold", "on"); },
                                      "auto_threshold is on, and the usual threshold is used."));
    visitor.choice(
        "polarity", "Bubbles are", "On which side of the threshold bubbles lie.", p.polarity,
        {{"above", "where the field is above the threshold"}, {"below", "where it is below: the paper's text"}});
    visitor.overridden_by(tracks_have_no_field, labels_have_no_threshold);
    visit_segmentation_parameters(visitor, all.source.segmentation);
    visitor.take_effect(EffectAt::kStart);
    visitor.group("Comparison");
    visitor.integer("interval", "Interval",
                    "Steps of the source, or frames, from one comparison to the next; auto: as suits the source.",
                    p.interval, 1, 1000000);
    visitor.or_word("auto");
    visitor.integer("comparisons", "Comparisons", "The number of them; a recording may end earlier.", p.comparisons, 1,
                    1000000);
    visitor.group("Means over time");
    visitor.integer(
        "warmup", "Warm-up",
        "Steps, or frames, that are left out of means and sums over time: the flow profile, events across x, "
        "directions of links. Each of these says when it begins to count, and the profile whether it is stationary.",
        all.source.warmup, 0, 1000000000);
    visitor.integer("mean_window", "Window of means",
                    "The number of latest steps, or frames, that these means and sums cover; all: since the warm-up.",
                    all.source.mean_window, 1, 1000000000);
    visitor.or_word("all");
    visitor.toggle(
        "mean_fields", "Mean fields",
        "Keeps the means of velocity and pressure at every pixel of a driven emulsion over the window of means, "
        "with standard errors; needs 640 bytes a pixel.",
        all.source.mean_fields);
    visitor.overridden_by(override_if(
        [](const ParameterContext& now) {
            return now.input.field || now.input.tracks || !now.is("source", "emulsion") || now.is("drive", "none");
        },
        "There is no driven emulsion."));
    visitor.group("Graph");
    visitor.choice("graph", "Graph", "Which graph gives the links.", p.graph,
                   {{"lattice", "cells of the coloured lattice that meet at a corner: the paper's"},
                    {"delaunay", "the Delaunay triangulation of the sites"},
                    {"labels", "cells of a label image that touch along sides of pixels, or across films"},
                    {"radical",
                     "radical (power) cells of the sites, from the areas of bubbles, or from a column radius, r or "
                     "area of tracks: an exact regular triangulation"},
                    {"auto", "delaunay for tracks, whose places are exact; else lattice"}});
    visitor.overridden_by(
        override_if(has_particles, "Particles keep a Delaunay triangulation, whose edges are the links."));
    visitor.number("film_width", "Thickest film",
                   "Of graph=labels: labels touch where the film between them is at most this thick, pixels; 0: they "
                   "share a side. It takes any field, also bubbles past a threshold. auto: sides of pixels, or lines "
                   "of one pixel where no labels touch.",
                   p.film_width, 0, 1000);
    visitor.or_word("auto");
    visitor.overridden_by(override_if([](const auto& now) { return !now.is("graph", "labels"); },
                                      "Films are contacts with graph=labels."));
    visitor.number("contact_distance", "Longest contact",
                   "Links longer than this, from centre to centre, are left out. In pixels, or in the unit of "
                   "pixel_size, of tracks or of particles; any: all links count.",
                   p.contact_distance, 1e-9, 1e30);
    visitor.or_word("any");
    visit_colouring_method(visitor, p.method);
    visitor.choice("measure", "Centres of mass", "How areas and centres of mass are summed up; the result is the same.",
                   p.measure,
                   {{"atomics", "every run of pixels adds to its bubble's sums"},
                    {"sorting", "runs sorted by bubble, and differences of cumulative sums: the paper's other way"}});
    visitor.overridden_by(tracks_have_no_field, labels_have_no_threshold);
    visitor.group("Matching");
    visitor.choice(
        "matching", "Same bubble", "How bubbles of the last frame and of this one are matched.", p.matching,
        {{"auto", "by name where the source gives names, else nearest"},
         {"nearest", "mutual nearest sites, not farther apart than the cap"},
         {"names", "by the names that tracks and particles have, or by labels"},
         {"assignment",
          "all at once, so that the sum of squared distances is least; without a partner counts as the cap"}});
    visitor.number("cap", "Cap of matching",
                   "The greatest distance allowed. Sites farther apart are not matched, in mean distances.", p.cap, 0,
                   100);
    visitor.overridden_by(override_if(matches_names, "Bubbles are known by their names, however far they move."));
    visitor.integer("memory", "Memory",
                    "Of matching=assignment: a bubble that is not found is held, with its links, for up to this many "
                    "comparisons, and moves with its neighbours; found near that place it keeps its name. If it does "
                    "not come back, its death is listed that much later.",
                    p.memory, 0, 1000000);
    visitor.overridden_by(
        override_if([](const auto& now) { return !now.is("matching", "assignment") || has_particles(now); },
                    "Lost bubbles are held with matching=assignment, and particles are never lost."));
    visit_statistics_parameters(visitor, all);
    visit_stencil_rules(visitor, p.rules, only_of_lattice_graph);
    visit_block_size(visitor, all.block_size);
}

}  // namespace flipscope
