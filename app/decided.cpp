#include "app/decided.h"

#include <algorithm>
#include <initializer_list>

#include "geometry/frames.h"

namespace flipscope::app {

namespace {

using Names = std::initializer_list<const char*>;

bool is_one_of(const std::string& name, Names names) {
    return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

std::string size_of(const std::string& name, uint32_t width, uint32_t height) {
    const uint32_t size = name == "width" ? width : height;
    return size > 0 ? std::to_string(size) : "";
}

/// What belongs to which of the sources of our own making.
Decided by_source(const std::string& source, const std::string& vessel, const std::string& name) {
    const auto only = [&](const char* of) {
        return Decided{"Of " + std::string(of) + " only: it changes nothing.", ""};
    };
    const bool bubbles = source == "bubbles", emulsion = source == "emulsion";
    const bool posts = source == "channel" || (emulsion && vessel == "channel");
    if (is_one_of(name, {"drift_x", "drift_y", "lifetime"}) && !bubbles) return only("bubbles");
    if (is_one_of(name, {"packing", "spread"}) && bubbles) return only("droplets");
    if (name == "speed" && (bubbles || emulsion)) return only("shear, channel and rolls");
    if (is_one_of(name, {"posts", "post_height", "post_width"}) && !posts) return only("a channel");
    if (name == "plug" && source != "channel") return only("the source \"channel\"");
    if (is_one_of(name, {"vessel", "force", "viscosity", "repulsion", "film"}) && !emulsion) return only("an emulsion");
    if (name == "periodic" && !bubbles && source != "rolls")
        return {"Always, along the walls, if there are any: the source decides.", "on"};
    return {};
}

Decided in_events(const Geometry& input, const std::string& name,
                  const std::function<std::string(const std::string&)>& value_of, uint32_t width, uint32_t height) {
    const bool tracks = input.tracks != nullptr, frames = !tracks && input.field != nullptr;
    if (tracks && is_one_of(name, {"auto_threshold", "threshold", "polarity", "measure"}))
        return {input.tracks->name + " has places, and no field: there is nothing to measure.", ""};
    if (frames && is_one_of(name, {"width", "height"}))
        return {input.field->name + " decides.", size_of(name, width, height)};
    if (tracks || frames) {
        const std::string file = tracks ? input.tracks->name : input.field->name;
        if (name == "source") return {"The moments come from " + file + ".", file};
        if (name == "periodic")
            return {"Whether frames are periodic is the next parameter.", value_of("frames_periodic")};
        if (is_one_of(name, {"bubbles", "seed", "drift_x", "drift_y", "lifetime", "speed", "packing", "spread", "posts",
                             "post_height", "post_width", "plug", "vessel", "force", "viscosity", "repulsion", "film"}))
            return {"The moments come from " + file + ": it changes nothing.", ""};
    } else {
        if (name == "frames_periodic") return {"Of recorded frames only, and none are given.", ""};
        const std::string source = value_of("source");
        if (Decided found = by_source(source, value_of("vessel"), name)) return found;
        if (name == "bubbles" && !input.points.empty() && source != "bubbles")
            return {"Droplets start from the points of the input.", std::to_string(input.points.size())};
    }
    if (name == "threshold" && value_of("auto_threshold") == "on")
        return {"The usual threshold is taken, as the toggle above says.", ""};
    return {};
}

Decided in_voronoi(const Geometry& input, const std::string& name,
                   const std::function<std::string(const std::string&)>& value_of, uint32_t width, uint32_t height) {
    if (is_one_of(name, {"width", "height"}) && input.field && value_of("image_size") == "on" &&
        (is_one_of(value_of("density"), {"auto", "image"}) || value_of("obstacles") == "image"))
        return {input.field->name + " decides, as \"Size of the image\" is on.", size_of(name, width, height)};
    if (name == "image_size" && !input.field) return {"No image is given.", ""};
    if (name == "fit" && input.points.empty()) return {"No points are given.", ""};
    if (name == "sites" && !input.points.empty() && value_of("data") != "points")
        return {"The points of the input are the sites.", std::to_string(input.points.size())};
    const std::string obstacles = value_of("obstacles");
    if (is_one_of(name, {"obstacle_count", "obstacle_height", "obstacle_width"}) &&
        !is_one_of(obstacles, {"posts", "walls"}))
        return {"Of posts and walls only: the obstacles are \"" + obstacles + "\".", ""};
    if (name == "obstacle_threshold" && obstacles != "image")
        return {"Of obstacles from an image only: they are \"" + obstacles + "\".", ""};
    return {};
}

}  // namespace

Decided decided(const std::string& lab, const Geometry& input, const std::string& name,
                const std::function<std::string(const std::string&)>& value_of, uint32_t width, uint32_t height) {
    if (lab == "events") return in_events(input, name, value_of, width, height);
    if (lab == "voronoi") return in_voronoi(input, name, value_of, width, height);
    return {};
}

}  // namespace flipscope::app
