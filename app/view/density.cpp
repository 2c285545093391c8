#include "app/view/density.h"

#include <algorithm>
#include <cmath>

namespace flipscope::app {

namespace {

/// A layer's contribution to a density: places, and the number of points that its elements correspond to.
struct Share {
    const Buffer<Point>* places = nullptr;
    uint32_t places_count = 0;
    double points = 0;
};

/// `coloured`: only layers coloured by numbers; otherwise only the others.
Share share_of(const Layer& layer, bool coloured = false) {
    if ((layer.scalars != nullptr) != coloured || layer.periodic || (!coloured && layer.role != Role::kPlain) ||
        layer.empty())
        return {};
    const auto usable = [](const Buffer<Point>* places) { return places && !places->empty() && places->memory(); };
    if (const auto* points = std::get_if<PointsLayer>(&layer.shape)) {
        if (points->heights || !usable(points->places)) return {};
        return {points->places, points->count, double(points->count)};
    }
    if (const auto* lines = std::get_if<SegmentsLayer>(&layer.shape)) {
        if (lines->heights || lines->arrows || !lines->ends || !lines->few_ends.empty() || !usable(lines->places))
            return {};
        return {lines->places, std::min(lines->place_count, lines->helper_begin), lines->count / 3.0};
    }
    if (const auto* faces = std::get_if<TrianglesLayer>(&layer.shape)) {
        if (faces->heights || !usable(faces->places)) return {};
        return {faces->places, std::min(faces->place_count, faces->helper_begin), faces->count / 2.0};
    }
    return {};
}

}  // namespace

double point_spacing(const SceneView& scene) {
    const double wide = scene.high.x - scene.low.x, tall = scene.high.y - scene.low.y;
    const double count = std::max<double>(scene.point_count, 1);
    if (scene.in_space) {
        const double deep = scene.high_z - scene.low_z;
        return std::sqrt(wide / count * tall + tall / count * deep + deep / count * wide);
    }
    return std::max(std::sqrt(wide / count) * std::sqrt(tall), std::max(wide, tall) / count);
}

double density_strength(double gap) {
    const double t = std::clamp((kNoDensity - gap) / (kNoDensity - kAllDensity), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

double DensityPlan::most() const {
    return std::max(strength, means.empty() ? 0 : *std::max_element(means.begin(), means.end()));
}

DensityPlan plan_density(const SceneView& view, const DisplayOptions& display, double scale, double line_scale,
                         bool hurried) {
    DensityPlan plan;
    const bool forced = display.shows(kDensityDisplay, false);
    if (!display.shows(kDensityDisplay, true) || view.in_space || view.lattice()) return plan;
    plan.replaced.resize(view.layers.size());
    plan.means.resize(view.layers.size());
    const double gap = point_spacing(view) * scale / std::max(line_scale, 1e-3);
    const double all = std::max<double>(view.point_count, 1);
    for (size_t i = 0; i < view.layers.size(); ++i) {
        const Layer& layer = view.layers[i];
        if (!display.shows(layer.id, layer.shown)) continue;
        if (display.angles && std::holds_alternative<TrianglesLayer>(layer.shape) && !layer.empty()) return {};
        if (layer.scalars && layer.scale.kind == ColourScale::Kind::kCategories) continue;  // categories have no mean
        const Share share = share_of(layer, layer.scalars != nullptr);
        if (!share.places || share.places_count == 0 || !(share.points > 0)) continue;
        if (!forced && share.points < 0.9 * kLeastForDensity) continue;
        const double own_gap = gap * std::sqrt(all / share.points);
        const bool stands_in = hurried && share.points >= kLeastHurried && own_gap < kHurriedDensity;
        const double strength = forced || stands_in ? 1 : density_strength(own_gap);
        if (strength <= 0) continue;
        if (layer.scalars) {
            plan.means[i] = strength;
            continue;
        }
        plan.replaced[i] = true;
        plan.strength = std::max(plan.strength, strength);
        const bool points = std::holds_alternative<PointsLayer>(layer.shape);
        if (points || !plan.places) {
            plan.places = share.places;
            plan.count = static_cast<uint32_t>(std::min<size_t>(share.places_count, share.places->size()));
        }
    }
    if (forced || !plan) return plan;
    plan.covered = std::any_of(view.layers.begin(), view.layers.end(), [&](const Layer& layer) {
        return layer.scalars && std::holds_alternative<TrianglesLayer>(layer.shape) && !layer.empty() &&
               display.shows(layer.id, layer.shown);
    });
    if (plan.covered && plan.strength < 0.5) {
        plan.strength = 0;
        std::fill(plan.replaced.begin(), plan.replaced.end(), false);
    }
    return plan;
}

ColourScale density_scale(const SceneView& view, uint32_t count) {
    const double gap = point_spacing(view);
    const double mean = std::max<double>(count, 1) / std::max<double>(view.point_count, 1) / gap / gap;
    ColourScale scale;
    scale.name = "points per unit area";
    scale.low = mean / std::exp2(kDensityPowers);
    scale.high = mean * std::exp2(kDensityPowers);
    scale.logarithmic = true;
    return scale;
}

std::optional<ColourScale> shown_density_scale(const SceneView& view, const DisplayOptions& display, double scale,
                                               double line_scale) {
    const DensityPlan plan = plan_density(view, display, scale, line_scale);
    if (!plan || plan.covered || plan.strength < 0.5) return {};
    return density_scale(view, plan.count);
}

bool can_show_density(const Scene& scene) {
    for (size_t i = 0; i < scene.view_count(); ++i) {
        const SceneView& view = scene.view(i);
        if (view.in_space || view.lattice()) continue;
        for (const Layer& layer : view.layers)
            if (share_of(layer).places) return true;
    }
    return false;
}

}  // namespace flipscope::app
