#include "instruments/input_scene.h"

#include <algorithm>
#include <vector>

#include "geometry/bounds.h"
#include "geometry/frames.h"

namespace flipscope {

Scene InputScene::with_input(Context& context, Scene scene, const std::shared_ptr<const Geometry>& input) {
    if (!input || input->in_space() || !scene.nothing_to_draw() || !scene.in_input_units) return scene;
    const std::vector<const Layer*> layers = scene.toggles();
    const bool has_lattice = std::any_of(layers.begin(), layers.end(), [](const Layer* layer) {
        return std::holds_alternative<LatticeLayer>(layer->shape);
    });
    std::vector<Point> first_frame;
    if (input->points.empty() && input->tracks && input->tracks->frame_count() > 0)
        first_frame.assign(input->tracks->places.begin(), input->tracks->places.begin() + input->tracks->starts[1]);
    const std::vector<Point>& points = input->points.empty() ? first_frame : input->points;
    const auto count = static_cast<uint32_t>(points.size());
    if (has_lattice || count == 0) return scene;
    if (of_ != input) {
        places_.upload(context, points.data(), points.size());
        of_ = input;
    }
    const Bounds bounds = bounds_of(points);
    for (size_t i = 0; i < scene.view_count(); ++i) {
        SceneView& view = scene.view(i);
        view.low = bounds.low;
        view.high = bounds.high;
        view.point_count = count;
        view.mesh = nullptr;  // has no vertices yet
        Layer* layer = view.layer("points");
        if (!layer) {
            layer = &view.layers.emplace_back();
            layer->id = "points";
            layer->title = "Points";
            layer->sentence = "The points of the input";
        }
        layer->shape = PointsLayer{.places = &places_, .count = count};
        layer->periodic.reset();
    }
    return scene;
}

}  // namespace flipscope
