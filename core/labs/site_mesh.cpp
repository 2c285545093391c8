#include "labs/site_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace flipscope {

namespace {

const PointsLayer* sites_of(const SceneView& view) {
    for (const Layer& layer : view.layers)
        if (const auto* points = std::get_if<PointsLayer>(&layer.shape)) return points;
    return nullptr;
}

/// Into [0, side), on the grid.
double wrapped(const TorusBox& box, double x) {
    x = box.on_grid(x - box.side * std::floor(x / box.side));
    return x + box.side * box.sides_to_add(x);
}

}  // namespace

const Layer* SiteMesh::cells_of(const SceneView& view) {
    if (view.mesh) return nullptr;
    const PointsLayer* const sites = sites_of(view);
    if (!sites || !sites->places) return nullptr;
    for (const Layer& layer : view.layers) {
        const auto* cells = std::get_if<LatticeLayer>(&layer.shape);
        if (!cells || !*cells || !cells->colours || cells->site_count == 0) continue;
        if (cells->site_count > sites->count || (cells->wraps && cells->width != cells->height)) return nullptr;
        return &layer;
    }
    return nullptr;
}

void SiteMesh::build(Context& context, const SceneView& view) {
    const auto& cells = std::get<LatticeLayer>(cells_of(view)->shape);
    const Buffer<Point>& places = *sites_of(view)->places;
    site_count_ = cells.site_count;
    if (cells.wraps) {
        build_torus(context, places, cells.width);
        return;
    }
    strips_.set_records_states(false);
    strips_.reset(context, places.view(site_count_), {}, "sites");
    strips_.finish({});
    measured_ = flipscope::measured(strips_.mesh(), strips_.distinct(),
                                    {{-0.5, -0.5}, {cells.width - 0.5, cells.height - 0.5}, false});
}

void SiteMesh::build_torus(Context& context, const Buffer<Point>& places, double side) {
    const TorusBox box = TorusBox::of(side);
    std::vector<Point> points(site_count_);
    places.download(points.data(), points.size());
    for (Point& point : points) point = {wrapped(box, point.x), wrapped(box, point.y)};
    std::vector<uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](uint32_t i) { return std::pair(points[i].x, points[i].y); };
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
    const auto end = std::unique(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) == key(b); });
    order.erase(end, order.end());
    std::sort(order.begin(), order.end());
    std::vector<Point> distinct;
    for (const uint32_t i : order) distinct.push_back(points[i]);
    torus_.build(context, box, distinct, false);
    of_torus_.upload(context, order.data(), order.size());
    measured_ = flipscope::measured(torus_.mesh(), torus_.count(), {{0, 0}, {box.side, box.side}, true});
}

std::vector<uint32_t> SiteMesh::host_sites() const {
    std::vector<uint32_t> sites(measured_.vertex_count);
    (measured_.window.periodic ? of_torus_ : strips_.mesh().inputs).download(sites.data(), sites.size());
    return sites;
}

View<const uint32_t> SiteMesh::sites() const {
    return measured_.window.periodic ? of_torus_.view() : strips_.mesh().inputs.view(measured_.vertex_count);
}

}  // namespace flipscope
