// Which parameters of the Voronoi lab its input decides, or another parameter.
#include "geometry/frames.h"
#include "labs/parameters.h"
#include "labs/voronoi/voronoi_lab.h"

namespace flipscope {

Decided decided_in_voronoi(const std::string& name, const Geometry& input,
                           const std::function<std::string(const std::string&)>& value_of, uint32_t width,
                           uint32_t height) {
    if (is_one_of(name, {"width", "height"}) && input.field && value_of("image_size") == "on" &&
        (is_one_of(value_of("density"), {"auto", "image"}) || value_of("obstacles") == "image"))
        return {input.field->name + " decides, as \"Size of the image\" is on.",
                width > 0 ? std::to_string(name == "width" ? width : height) : ""};
    if (name == "image_size" && !input.field) return {"No image is given.", ""};
    if (name == "fit" && input.points.empty()) return {"No points are given.", ""};
    if (name == "count" && !input.points.empty() && value_of("data") != "points")
        return {"The points of the input are the sites.", std::to_string(input.points.size())};
    const std::string obstacles = value_of("obstacles");
    if (is_one_of(name, {"obstacle_count", "obstacle_height", "obstacle_width"}) &&
        !is_one_of(obstacles, {"posts", "walls"}))
        return {"Of posts and walls only: the obstacles are \"" + obstacles + "\".", ""};
    if (name == "obstacle_threshold" && obstacles != "image")
        return {"Of obstacles from an image only: they are \"" + obstacles + "\".", ""};
    return {};
}

}  // namespace flipscope
