// The parameters of the steps from recorded brightness to bubbles, in the order of the steps.
#include "labs/events/source_parameters.h"

namespace flipscope {

namespace {

const OverrideRule only_of_brightness = override_if(
    [](const ParameterContext& now) { return !now.input.field || now.input.tracks || has_label_frames(now); },
    "No recorded frames of brightness are given.");

}  // namespace

bool has_label_frames(const ParameterContext& now) {
    return now.input.field && !now.input.tracks &&
           (now.is("field", "labels") ||
            (now.is("field", "auto") && now.input.field->labels && now.is("auto_threshold", "on")));
}

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

}  // namespace flipscope
