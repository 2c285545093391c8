#include "labs/events/source_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "compute/text.h"
#include "delaunay/torus/wrap_points.h"
#include "geometry/places.h"

namespace flipscope {

namespace {

std::string size_text(const Lattice& lattice) {
    return std::to_string(lattice.width) + " × " + std::to_string(lattice.height) + " pixels";
}

/// Text after "periodic".
const char* axis_text(PeriodicAxes periodic) { return periodic.both() ? "" : periodic.x ? " along x" : " along y"; }

std::string whole(double number) { return std::to_string(std::llround(number)); }

std::string diameter_text(double diameter) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", diameter);
    return text;
}

// By SourceDescription::Place.
constexpr const char* kPlaces[] = {"", "in a shear flow", "in a channel", "in a four-roll mill", "in a periodic box"};

}  // namespace

std::string text_of(const Source& source) {
    using Kind = SourceDescription::Kind;
    const SourceDescription it = source.description();
    const Lattice lattice = source.lattice();
    const std::string size = size_text(lattice);
    switch (it.kind) {
        case Kind::kBubbles:
            return "bubbles of a random field on " + size +
                   (lattice.periodic.any() ? std::string(", periodic") + axis_text(lattice.periodic) : "");
        case Kind::kDroplets:
            return count_text(it.count, "droplet", "droplets") + " of about " + diameter_text(it.diameter) +
                   " pixels " + kPlaces[static_cast<size_t>(it.place)] + " on " + size;
        case Kind::kEmulsion:
            return "a lattice Boltzmann emulsion that began with " + count_text(it.count, "droplet", "droplets") +
                   " of about " + diameter_text(it.diameter) + " pixels, " +
                   (it.place == SourceDescription::Place::kBox ? "in a periodic box" : "in a channel") +
                   (it.stress > 0
                        ? ", driven by a body force that causes a shear stress of " + format_short(it.stress) +
                              (it.place == SourceDescription::Place::kBox ? "" : " at the walls")
                    : it.shear_rate > 0 ? " whose walls move, with a shear rate of " + format_short(it.shear_rate)
                                        : ", at rest") +
                   ", on " + size;
        case Kind::kRecording:
            return it.name + ": " + count_text(it.count, "frame", "frames") + " of " + size;
        case Kind::kParticles:
            return count_text(it.count, "particle", "particles") + " of " + it.name +
                   (lattice.periodic.both()
                        ? " in a periodic box of " + box_text(it.box)
                        : " in a channel " + format_short(lattice.periodic.x ? it.box.x : it.box.y) + " long and " +
                              format_short(lattice.periodic.x ? it.box.y : it.box.x) +
                              (lattice.periodic.x ? " high" : " wide")) +
                   (lattice.periodic.both() ? "" : std::string(", periodic") + axis_text(lattice.periodic)) +
                   ", on a lattice of " + size;
        case Kind::kTracks:
            break;
    }
    std::string in_box;
    if (lattice.periodic.both())
        in_box = " in a periodic box of " + format_exactly(it.box.x) + " × " + format_exactly(it.box.y);
    else if (lattice.periodic.any())
        in_box = std::string(", periodic") + axis_text(lattice.periodic) + " with a period of " +
                 format_exactly(std::max(it.box.x, it.box.y));
    return it.name + ": " + count_text(it.count, "frame", "frames") + in_box + ", on a lattice of " + size;
}

std::string text_of(ThresholdOrigin origin) {
    if (origin == ThresholdOrigin::kOfSource) return "";
    return origin == ThresholdOrigin::kOfFrame ? ", by Otsu's method"
                                               : ", by Otsu's method of the first frame, in all frames";
}

std::string text_of_labels(const Source& source) {
    const LabelCells& cells = *source.cells();
    std::string text = "Each number of " + source.description().name +
                       " but 0, the background, is a cell: " + count_text(cells.names.size(), "label", "labels");
    if (cells.names.size() > 1)
        text += " from " + std::to_string(cells.names.front()) + " to " + std::to_string(cells.names.back());
    const auto along = static_cast<uint64_t>(
        std::count_if(cells.contacts.begin(), cells.contacts.end(), [](const auto& c) { return c.sides > 0; }));
    const uint64_t corners = cells.contacts.size() - along;
    text += "; " + count_text(along, "pair touches", "pairs touch") +
            (cells.across_lines ? " across lines of one pixel" : " along sides of pixels");
    if (corners > 0) text += ", " + std::to_string(corners) + " more at corners only";
    text += ". graph=labels makes these contacts the links; field=threshold takes the numbers for brightness.";
    if (!source.labels_last())
        text +=
            " Labels change from frame to frame, so cells are matched by place; matching=names keeps to the labels.";
    return text;
}

std::string text_of_segmentation(const Source& source) {
    const SegmentationParameters& it = *source.segmentation();
    const auto window = [](int radius) {
        const std::string side = std::to_string(2 * radius + 1);
        return "the mean over " + side + " × " + side + " pixels";
    };
    std::vector<std::string> parts;
    if (it.smoothing > 0) parts.push_back("smoothed by a Gaussian (σ = " + format_short(it.smoothing) + ")");
    if (it.background_radius > 0) parts.push_back("less " + window(it.background_radius));
    std::string text =
        parts.empty() ? ""
                      : "The field is the brightness " + parts[0] + (parts.size() > 1 ? ", " + parts[1] : "") + ".";
    if (!source.cells()) return text;
    if (it.local_radius > 0)
        text += (text.empty() ? "The" : " The") + std::string(" threshold is ") + window(it.local_radius) +
                " around, less " + format_short(it.local_offset) + ".";
    const std::vector<uint32_t>& areas = source.cells()->areas;
    text +=
        (text.empty() ? "" : " ") + count_text(areas.size(), "bubble is", "bubbles are") + " found in the first frame";
    if (!areas.empty()) {
        const auto [least, most] = std::minmax_element(areas.begin(), areas.end());
        text += ", of " + std::to_string(*least) + " to " + count_text(*most, "pixel", "pixels");
    }
    return text + "; bubbles are matched by place.";
}

std::string sentence_of(const SourceNote& note, const Lattice& lattice) {
    using Kind = SourceNote::Kind;
    switch (note.kind) {
        case Kind::kNoPosts:
            return "There are no posts: a height of " + format_short(note.asked) +
                   " of the channel's width is less than half a pixel.";
        case Kind::kNarrowPosts:
        case Kind::kNarrowGaps:
            return "There is no room for " + count_text(static_cast<uint64_t>(note.asked), "post", "posts") +
                   " along " + std::to_string(lattice.height) +
                   " pixels: " + (note.kind == Kind::kNarrowPosts ? "a post" : "the gap between two") + " is " +
                   format_short(note.found) + " pixels wide, and the lattice shows some of them only.";
        case Kind::kWideDroplets:
            return "Droplets wider than " + format_short(note.found) +
                   " pixels do not fit between two posts, and stay in front of them.";
        case Kind::kPackingReduced:
            return "A packing of " + format_short(note.asked) +
                   " cannot be reached: " + count_text(note.count, "droplet", "droplets") + " on " +
                   size_text(lattice) + " reach " + format_short(note.found) +
                   ", as no droplet is wider than a quarter of the narrower side. Take more droplets.";
        case Kind::kMoreBubbles:
            return "About " + count_text(static_cast<uint64_t>(note.found), "bubble", "bubbles") + " form, not " +
                   whole(note.asked) + ": along a short period a random field cannot vary more slowly.";
        case Kind::kFewerBubbles:
            return "There is room for about " + count_text(static_cast<uint64_t>(note.found), "bubble", "bubbles") +
                   ", not " + whole(note.asked) + ": a bubble needs some " + std::to_string(note.count) +
                   " pixels around it.";
        case Kind::kCutoffReduced:
            return "The force between particles ends at " + format_short(note.found) + ", half the box, instead of " +
                   format_short(note.asked) + ": beyond, a particle would meet two images of another.";
        case Kind::kCoincident:
            return count_text(note.count, "point lies", "points lie") +
                   " at the place of another in the same frame, such as ids " + std::to_string(note.ids[0]) + " and " +
                   std::to_string(note.ids[1]) + " at t = " + format_exactly(note.found) +
                   ": of such points only the one with the lowest id has neighbours.";
        case Kind::kOutsideBox:
            break;
    }
    return count_text(note.count, "position lies", "positions lie") + " outside the box and " +
           (note.count == 1 ? "is" : "are") + " wrapped into it.";
}

const char* kind_of(const SourceNote& note) {
    static constexpr const char* kKinds[] = {"no-posts",     "narrow-posts",  "narrow-gaps", "wide-droplets", "packing",
                                             "more-bubbles", "fewer-bubbles", "outside-box", "coincident",    "cutoff"};
    return kKinds[static_cast<size_t>(note.kind)];
}

std::string sentence_of(const SourceTrouble& trouble) {
    if (trouble.kind == SourceTrouble::Kind::kTangled)
        return "In step " + std::to_string(trouble.step) +
               " of the particles flips could not turn all inverted triangles upright, so discs may have passed "
               "through each other. Take a smaller swimming_speed or weaker forces, and start over.";
    return "After step " + std::to_string(trouble.step) +
           " the emulsion became unstable: its densities are not positive, or too great, at " +
           std::to_string(trouble.pixels) + " pixels. Take less stress or a smaller shear_rate, and start over.";
}

std::string sentence_of_fast_flow(uint64_t step, double speed) {
    return "At step " + std::to_string(step) + " the emulsion flows by " + format_short(speed) +
           " pixels per step somewhere. Above " + format_short(kGreatSpeed) +
           " the lattice Boltzmann method loses accuracy: take less stress or a smaller shear_rate.";
}

std::string sentence_of(const FlowProfile& profile) {
    std::string text = "Averaged over " + count_text(profile.samples, "sample", "samples") + " from step " +
                       std::to_string(profile.from) + " to step " + std::to_string(profile.to);
    if (std::isnan(profile.drift)) return text + "; too few to decide whether it is stationary.";
    text += "; the means of its first and its second half differ by at most " + format_short(profile.drift) +
            (profile.walls_move ? " of the walls' speed: " : " of the speed in the middle: ") +
            (profile.stationary() ? "stationary" : "not yet stationary") +
            " (the criterion: " + format_short(FlowProfile::kDriftAllowed) + " or less at every place";
    if (profile.settling > 0)
        text += ", and a window of " + format_short(std::ceil(profile.settling)) +
                " steps or more, the time in which momentum diffuses across " +
                (profile.axis == 'y' ? "the box, H²/(4π²ν)" : "the channel, W²/(π²ν)");
    return text + ").";
}

}  // namespace flipscope
