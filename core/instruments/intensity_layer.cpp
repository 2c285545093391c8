#include "instruments/intensity_layer.h"

#include <algorithm>
#include <cmath>

#include "compute/text.h"
#include "flipscope/spatial.h"
#include "instruments/exploration.h"

namespace flipscope {

void IntensityLayer::update(Context& context, const Scene& scene, const StudyArea* area) {
    clear();
    uint32_t k = 0;
    while (k < scene.view_count() && (!scene.view(k).mesh || scene.view(k).in_space || !scene.view(k).has_incidence))
        ++k;
    if (k == scene.view_count()) return;
    const SceneView& view = scene.view(k);
    const MeasuredMesh mesh = measured_in(context, view, area ? std::optional(*area) : std::nullopt);
    const Window& window = mesh.window;
    if (mesh.vertex_count < 2 || !(window.area() > 0)) return;
    const StudyArea within =
        mesh.within_window ? *area : StudyArea{window.low, window.high, window.periodic_x, window.periodic_y};
    const std::vector<Point> points = view.mesh->positions.download(mesh.vertex_count);
    SpatialStatistics statistics(context, within);
    statistics.set_points(points);
    bandwidth_ = bandwidth_of(statistics, points, BandwidthRule::kScott);
    if (!(bandwidth_ > 0)) return;
    const IntensityMap map = intensity_map(within, points, bandwidth_);
    const std::optional<PeriodicBox> box = view.periodic();
    Point low = map.low;
    if (box && window.is_periodic()) low = {low.x + box->low.x, low.y + box->low.y};
    std::vector<Point> places;
    for (uint32_t y = 0; y <= map.rows; ++y)
        for (uint32_t x = 0; x <= map.columns; ++x) places.push_back({low.x + x * map.size.x, low.y + y * map.size.y});
    std::vector<uint32_t> corners;
    std::vector<float> values;
    for (uint32_t i = 0; i < map.values.size(); ++i) {
        if (std::isnan(map.values[i])) continue;
        const uint32_t first = i / map.columns * (map.columns + 1) + i % map.columns, above = first + map.columns + 1;
        corners.insert(corners.end(), {first, first + 1, above + 1, first, above + 1, above});
        values.insert(values.end(), 2, static_cast<float>(map.values[i]));
    }
    if (values.empty()) return;
    places_.upload(context, places.data(), places.size());
    corners_.upload(context, corners.data(), corners.size());
    values_.upload(context, values.data(), values.size());
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    scale_ = {ColourScale::Kind::kSequential, "intensity", "per world unit²", *least, *greatest};
    view_ = k;
    context.synchronize();
}

/// Over the interior of triangles, below everything else.
void IntensityLayer::apply(Scene& scene) const {
    if (view_ >= scene.view_count()) return;
    SceneView& view = scene.view(view_);
    const auto triangles = static_cast<uint32_t>(values_.size());
    Layer layer{kName, "Intensity",
                "The mean number of points per area, by a Gaussian kernel of standard deviation " +
                    text_of(Value(bandwidth_, "world units")) + " (Scott's rule)",
                true, TrianglesLayer{&places_, nullptr, static_cast<uint32_t>(places_.size()), &corners_, triangles}};
    layer.scalars = &values_;
    layer.scale = scale_;
    layer.periodic = view.periodic();
    const auto after = std::find_if(view.layers.begin(), view.layers.end(), [](const Layer& other) {
        return !std::holds_alternative<TrianglesLayer>(other.shape);
    });
    view.layers.insert(after, std::move(layer));
}

}  // namespace flipscope
