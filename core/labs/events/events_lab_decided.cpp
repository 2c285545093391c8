// Which parameters of the Events lab its input decides, or another parameter: the panel shows them so, and what was set
// all the same is told, so that its effect is not waited for.
#include <algorithm>

#include "compute/text.h"
#include "geometry/frames.h"
#include "labs/events/events_lab.h"
#include "labs/parameters.h"

namespace flipscope {

namespace {

std::string size_of(const std::string& name, uint32_t width, uint32_t height) {
    const uint32_t size = name == "width" ? width : height;
    return size > 0 ? std::to_string(size) : "";
}

/// The rules that read a graph off the lattice's colours.
bool is_rule_of_lattice(const std::string& name) {
    return is_one_of(name,
                     {"gaps", "open_gaps", "mirror", "lenient_strip", "inner_frame", "obstacles_end", "exact_cells"});
}

/// Whether bubbles are known by the names that come with them.
bool goes_by_names(const std::string& matching, bool tracks) {
    return tracks && is_one_of(matching, {"auto", "names"});
}

/// What belongs to which of the built-in sources.
Decided by_source(const std::string& source, const std::string& vessel, const std::string& name) {
    const auto only = [&](const char* of) {
        return Decided{"Of " + std::string(of) + " only: it changes nothing.", ""};
    };
    const bool bubbles = source == "bubbles", emulsion = source == "emulsion";
    const bool posts = source == "channel" || (emulsion && vessel == "channel");
    if (is_one_of(name, {"drift_x", "drift_y", "lifetime"}) && !bubbles) return only("bubbles");
    if (is_one_of(name, {"packing", "radius_spread"}) && bubbles) return only("droplets");
    if (name == "speed" && (bubbles || emulsion)) return only("shear, channel and rolls");
    if (is_one_of(name, {"obstacle_count", "obstacle_height_fraction", "obstacle_width_fraction"}) && !posts)
        return only("a channel");
    if (name == "plug" && source != "channel") return only("the source \"channel\"");
    if (is_one_of(name, {"vessel", "force", "viscosity", "repulsion", "film"}) && !emulsion) return only("an emulsion");
    if (name == "borders" && !bubbles && source != "rolls")
        return {"Always periodic along the walls, if there are any: the source decides.", "periodic"};
    return {};
}

}  // namespace

Decided decided_in_events(const std::string& name, const Geometry& input,
                          const std::function<std::string(const std::string&)>& value_of, uint32_t width,
                          uint32_t height) {
    const bool tracks = input.tracks != nullptr, frames = !tracks && input.field != nullptr;
    if (tracks && is_one_of(name, {"auto_threshold", "threshold", "polarity", "measure"}))
        return {input.tracks->name + " has positions and no field: there is nothing to measure.", ""};
    if (frames && is_one_of(name, {"width", "height"}))
        return {input.field->name + " decides.", size_of(name, width, height)};
    if (tracks && is_one_of(name, {"width", "height"}))
        return {"The number of pixels is width times height; the shape of " + input.tracks->name +
                    " decides how many of them lie in a row.",
                size_of(name, width, height), true};
    if (tracks && is_one_of(name, {"box_x", "box_y"}) && value_of("box_width") == "0" && value_of("box_height") == "0")
        return {"Of a periodic box only, which has a width and a height.", ""};
    if (name == "cap" && goes_by_names(value_of("matching"), tracks))
        return {"Bubbles are known by their names, however far they move.", ""};
    if (is_rule_of_lattice(name) && value_of("graph") == "delaunay")
        return {"Of the lattice's graph only: the graph is \"delaunay\".", ""};
    if (!tracks && is_one_of(name, {"box_width", "box_height", "box_x", "box_y"}))
        return {"Of tracks only, and none are given.", ""};
    if (tracks && name == "frame_borders")
        return {"Tracks are periodic in a box, which has a width and a height.",
                value_of("box_width") != "0" && value_of("box_height") != "0" ? "periodic" : "open"};
    if (tracks || frames) {
        const std::string file = tracks ? input.tracks->name : input.field->name;
        if (name == "source") return {"The frames come from " + file + ".", file};
        if (name == "borders")
            return {tracks ? "Tracks are periodic in a box." : "The borders of frames are a parameter of their own.",
                    tracks ? "" : value_of("frame_borders")};
        if (is_one_of(name, {"count", "seed", "drift_x", "drift_y", "lifetime", "speed", "packing", "radius_spread",
                             "obstacle_count", "obstacle_height_fraction", "obstacle_width_fraction", "plug", "vessel",
                             "force", "viscosity", "repulsion", "film"}))
            return {"The frames come from " + file + ": it changes nothing.", ""};
    } else {
        if (name == "frame_borders") return {"Of recorded frames only, and none are given.", ""};
        const std::string source = value_of("source");
        if (Decided found = by_source(source, value_of("vessel"), name)) return found;
        if (name == "count" && !input.points.empty() && source != "bubbles")
            return {"Droplets start from the points of the input.", std::to_string(input.points.size())};
    }
    if (name == "threshold" && value_of("auto_threshold") == "on")
        return {"The usual threshold is taken, as the toggle above says.", ""};
    return {};
}

std::string EventsLab::set_without_effect() {
    EventsLab usual;
    const std::vector<ParameterDescription> all = list_parameters(*this), untouched = list_parameters(usual);
    const auto value_of = [&](const std::string& name) {
        const auto is_it = [&](const ParameterDescription& each) { return each.name == name; };
        const auto found = std::find_if(all.begin(), all.end(), is_it);
        return found == all.end() ? std::string() : found->value;
    };
    const Geometry nothing;
    const Geometry& input = input_ ? *input_ : nothing;
    std::vector<std::string> names;
    for (size_t i = 0; i < all.size(); ++i) {
        const bool told_elsewhere = all[i].name == "threshold";  // with what it is instead
        if (told_elsewhere || all[i].value == untouched[i].value) continue;
        const Decided decided = decided_in_events(all[i].name, input, value_of, 0, 0);
        if (decided && !decided.in_part) names.push_back(all[i].name);
    }
    if (names.empty()) return {};
    std::string sentence = "Set without effect, as " +
                           (input.tracks  ? std::string("the input has tracks")
                            : input.field ? "the input has frames of a field"
                                          : "the source is " + value_of("source")) +
                           ": " + join_words(names, " and ") + ".";
    if (input.tracks && now_.source.frames_periodic && !source_->lattice().periodic)
        sentence += " Tracks are periodic in a box: set box_width and box_height.";
    return sentence;
}

}  // namespace flipscope
