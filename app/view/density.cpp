#include "app/view/density.h"

#include <algorithm>
#include <cmath>

#include "instruments/exploration.h"

namespace flipscope::app {

namespace {

/// A layer's contribution to a density: places, and the number of points that its elements correspond to.
struct Share {
    const Buffer<Point>* places = nullptr;
    uint32_t places_count = 0;
    double points = 0;
};

/// Points, segments and triangles by their corners: how many of them a triangulation has for each point.
constexpr double kForEachPoint[] = {0, 1, 3, 2};

/// `coloured`: only layers coloured by numbers; otherwise only the others.
Share share_of(const Layer& layer, bool coloured = false) {
    const auto* lines = std::get_if<SegmentsLayer>(&layer.shape);
    if ((layer.scalars != nullptr) != coloured || layer.periodic || (!coloured && layer.role != Role::kPlain) ||
        layer.empty() || (lines && lines->arrows))
        return {};
    const auto share = [](const auto& shape) -> Share {
        if constexpr (requires { shape.helper_begin; }) {
            const NumberedElements all = shape.elements();
            if (all.each == 0 || all.heights || all.places->empty() || !all.places->memory()) return {};
            const uint32_t end = all.each == 1 ? shape.count : std::min(all.place_count, shape.helper_begin);
            return {all.places, end, shape.count / kForEachPoint[all.each]};
        }
        return {};
    };
    // Discs of particles have their true size; those at data points are marks.
    if (const auto* discs = std::get_if<DiscsLayer>(&layer.shape))
        return layer.id != Exploration::kDataLayer ? Share{}
                                                   : Share{discs->centres, discs->count, double(discs->count)};
    return std::visit(share, layer.shape);
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
