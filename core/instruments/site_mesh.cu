#include "instruments/site_mesh.h"

#include <algorithm>
#include <cmath>

#include "compute/error.h"
#include "compute/launch.h"
#include "delaunay/constructions/strips.h"

namespace flipscope {

namespace {

constexpr uint32_t kCopies = MeasuredMesh::kCopies, kMiddle = MeasuredMesh::kMiddle;

/// The number of copies of each site, including itself.
uint32_t copies_of(PeriodicAxes wraps) { return wraps.both() ? kCopies : wraps.any() ? 3 : 1; }

const PointsLayer* points_of(const SceneView& view) {
    for (const Layer& layer : view.layers)
        if (const auto* points = std::get_if<PointsLayer>(&layer.shape)) return points;
    return nullptr;
}

struct PlaceSites {
    View<const Point> from;
    Point origin, unit;
    View<Point> places;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        places[i] = {origin.x + from[i].x * unit.x, origin.y + from[i].y * unit.y};
    }
};

struct CopySites {
    View<const Point> places;
    Point size;
    PeriodicAxes wraps;
    uint32_t each;       // copies of a site
    View<Point> copied;  // (site, copy)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point at = places[i / each];
        const int k = static_cast<int>(i % each);
        const int x = !wraps.x ? 0 : (wraps.y ? k / 3 : k) - 1, y = !wraps.y ? 0 : k % 3 - 1;
        copied[i] = {at.x + x * size.x, at.y + y * size.y};
    }
};

/// Gives the three copies along one axis their indices among nine.
struct NumberCopies {
    bool along_x;
    View<uint32_t> inputs;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const uint32_t site = inputs[v] / 3, k = inputs[v] % 3;
        inputs[v] = site * kCopies + (along_x ? 3 * k + 1 : 3 + k);
    }
};

struct FindSites {
    View<const uint32_t> inputs;
    bool copied;
    View<uint32_t> sites;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const uint32_t input = inputs[v];
        sites[v] = !copied ? input : input % kCopies == kMiddle ? input / kCopies : kNone;
    }
};

}  // namespace

SiteMesh::SiteMesh() : strips_(std::make_unique<Strips>()) {}
SiteMesh::~SiteMesh() = default;

const TriangleMesh& SiteMesh::mesh() const { return strips_->mesh(); }

const Buffer<Point>& SiteMesh::sites_of(const SceneView& view) { return *points_of(view)->places; }

const Layer* SiteMesh::cells_of(const SceneView& view) {
    if (view.mesh) return nullptr;
    const PointsLayer* const sites = points_of(view);
    if (!sites || !sites->places) return nullptr;
    for (const Layer& layer : view.layers) {
        const auto* cells = std::get_if<LatticeLayer>(&layer.shape);
        if (cells && *cells && cells->colours && cells->site_count > 0 && cells->site_count <= sites->count)
            return &layer;
    }
    return nullptr;
}

void SiteMesh::build(Context& context, const SceneView& view, const std::optional<StudyArea>& within) {
    const auto& cells = std::get<LatticeLayer>(cells_of(view)->shape);
    const double w = cells.width, h = cells.height;
    const PeriodicAxes wraps = cells.wraps;
    site_count_ = cells.site_count;
    units_ = cells.units;
    const Point pixel{std::fabs(units_.unit.x), std::fabs(units_.unit.y)};
    stretch_ = pixel.y / pixel.x;
    inputs_ = cells.inputs ? cells.inputs->view(site_count_) : View<const uint32_t>{};
    View<const Point> points = sites_of(view).view(site_count_);
    places_.resize(context, site_count_, false);
    launch(context, "sites.place", site_count_,
           PlaceSites{points,
                      {wraps.x ? 0 : units_.origin.x, wraps.y ? 0 : units_.origin.y},
                      {wraps.x ? pixel.x : units_.unit.x, wraps.y ? pixel.y : units_.unit.y},
                      places_.view()});
    if (stretch_ != 1) {
        lattice_places_.resize(context, site_count_, false);
        launch(context, "sites.stretch", site_count_,
               PlaceSites{points, {0, 0}, {1, stretch_}, lattice_places_.view()});
        points = lattice_places_.view();
    }
    const auto in_mesh = [&](Point given) {
        const Point on = units_.on_lattice(given);
        return Point{on.x, on.y * stretch_};
    };
    const auto box_of = [](Point a, Point b) {
        return Window{{std::fmin(a.x, b.x), std::fmin(a.y, b.y)}, {std::fmax(a.x, b.x), std::fmax(a.y, b.y)}, false};
    };
    window_ = within && !wraps.any() ? window_of(*within)
                                     : box_of(units_.as_given({-0.5, -0.5}), units_.as_given({w - 0.5, h - 0.5}));
    if (wraps.x) window_.low.x = 0, window_.high.x = w * pixel.x;
    if (wraps.y) window_.low.y = 0, window_.high.y = h * pixel.y;
    window_.periodic_x = wraps.x;
    window_.periodic_y = wraps.y;
    const uint32_t each = copies_of(wraps);
    if (wraps.any()) {
        if (site_count_ > kNone / kCopies) throw Error("there are too many sites to be triangulated");
        copied_.resize(context, size_t(site_count_) * each, false);
        launch(context, "sites.copy", site_count_ * each,
               CopySites{points, {w, h * stretch_}, wraps, each, copied_.view()});
        points = copied_.view();
    }
    strips_->set_records_states(false);
    strips_->reset(context, {points, "sites"}, {});
    strips_->finish({});
    const uint32_t count = strips_->distinct();
    if (wraps.any() && !wraps.both())
        launch(context, "sites.number", count, NumberCopies{wraps.x, strips_->mesh().inputs.view(count)});
    sites_.resize(context, count, false);
    launch(context, "sites.find", count, FindSites{strips_->mesh().inputs.view(count), wraps.any(), sites_.view()});
    Window of_mesh{{-0.5, -0.5 * stretch_}, {w - 0.5, (h - 0.5) * stretch_}, false};
    if (within && !wraps.any()) of_mesh = box_of(in_mesh(within->low), in_mesh(within->high));
    // Cells in the middle extend no farther than this.
    if (wraps.x) of_mesh.low.x = -w, of_mesh.high.x = 2 * w;
    if (wraps.y) of_mesh.low.y = -h * stretch_, of_mesh.high.y = 2 * h * stretch_;
    measured_ = flipscope::measured(strips_->mesh(), count, of_mesh);
    measured_.unit = pixel.x;
    measured_.within_window = within.has_value();
    if (within && within->is_polygon() && !wraps.any()) {
        std::vector<std::vector<Point>> rings = within->rings;
        for (std::vector<Point>& ring : rings) std::transform(ring.begin(), ring.end(), ring.begin(), in_mesh);
        measured_.polygon = std::make_shared<const StudyArea>(area_of_rings(std::move(rings)));
    }
    if (wraps.any()) measured_.copies = strips_->mesh().inputs.view(count);
}

}  // namespace flipscope
