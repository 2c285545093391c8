#include "flipscope/interpolate.h"

#include <string>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "delaunay/interpolation/clough_tocher.h"
#include "delaunay/interpolation/natural_weights.h"
#include "geometry/proximity.h"

namespace flipscope {

namespace {

/// The places, what is known at the sites, and the results.
struct Places {
    View<const Point> at;        // (m)
    View<const uint32_t> order;  // null: as given
    View<const double> values;   // (n, columns)
    uint32_t columns;
    View<double> made;       // (m, columns)
    View<uint32_t> refused;  // as of LocatorView::find()

    FLIPSCOPE_HD double value(uint32_t v, uint32_t column) const { return values[size_t(v) * columns + column]; }
    FLIPSCOPE_HD double& result(uint32_t i, uint32_t column) const { return made[size_t(i) * columns + column]; }
    FLIPSCOPE_HD void copy(uint32_t v, uint32_t i) const {
        for (uint32_t k = 0; k < columns; ++k) result(i, k) = value(v, k);
    }
    /// The place at which a thread computes, with the result NaN; kNone: it stays NaN.
    FLIPSCOPE_HD uint32_t begin(uint32_t rank) const {
        const uint32_t i = order ? order[rank] : rank;
        for (uint32_t k = 0; k < columns; ++k) result(i, k) = NAN;
        const Point p = at[i];
        if (coordinate_in_range(p.x) && coordinate_in_range(p.y)) return i;
        if (fabs(p.x) <= kMaxCoordinate && fabs(p.y) <= kMaxCoordinate) atomic_max(refused[0], ~i);
        return kNone;
    }
};

/// A weighted mean of values. Values of weight 0 have no influence, even if they are NaN.
struct Mean {
    const Places& places;
    uint32_t i;
    double total = 0;

    FLIPSCOPE_HD Mean(const Places& of, uint32_t at) : places(of), i(at) {
        for (uint32_t k = 0; k < places.columns; ++k) places.result(i, k) = 0;
    }
    FLIPSCOPE_HD void add(uint32_t v, double weight) {
        if (!(weight != 0)) return;
        total += weight;
        for (uint32_t k = 0; k < places.columns; ++k) places.result(i, k) += weight * places.value(v, k);
    }
    /// False: there is no mean, because the weights are too large for doubles.
    FLIPSCOPE_HD bool finish() const {
        if (!(total > 0) || total - total != 0) return false;
        for (uint32_t k = 0; k < places.columns; ++k) places.result(i, k) /= total;
        return true;
    }
};

/// All triangles of which each corner is as far from the place as the nearest site: those of the polygon whose centre
/// it is.
struct LowestOnCircle {
    const LocatorView& mesh;
    Point place;
    uint32_t lowest;
    FLIPSCOPE_HD bool enters(uint32_t t) const {
        for (uint32_t c = 3 * t; c < 3 * t + 3; ++c)
            if (compare_lengths(place, mesh.points[mesh.triangles[c]], place, mesh.points[lowest]) != 0) return false;
        return true;
    }
    FLIPSCOPE_HD void leave(uint32_t c) {
        if (mesh.triangles[c] < lowest) lowest = mesh.triangles[c];
    }
    FLIPSCOPE_HD void cross(uint32_t) const {}
};

struct TakeNearest {
    LocatorView mesh;
    Places places;

    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t i = places.begin(rank);
        if (i != kNone) places.copy(nearest(places.at[i]), i);
    }
    FLIPSCOPE_HD uint32_t nearest(Point p) const {
        const Bounds& box = mesh.bounds;
        uint32_t best = mesh.start({fmin(fmax(p.x, box.low.x), box.high.x), fmin(fmax(p.y, box.low.y), box.high.y)});
        // A site with no nearer neighbour is the nearest one.
        for (uint32_t from = kNone; from != best;) {
            from = best;
            for_star(mesh, from, [&](uint32_t u, uint32_t) {
                if (compare_lengths(p, mesh.points[u], p, mesh.points[best]) < 0) best = u;
            });
        }
        // Equally near sites: its neighbours, and others of the same circle.
        uint32_t lowest = best, triangle = kNone;
        for_star(mesh, best, [&](uint32_t u, uint32_t t) {
            if (compare_lengths(p, mesh.points[u], p, mesh.points[best]) != 0) return;
            if (u < lowest) lowest = u;
            if (t != kNone && LowestOnCircle{mesh, p, best}.enters(t)) triangle = t;
        });
        if (triangle == kNone) return lowest;
        LowestOnCircle circle{mesh, p, lowest};
        tour(mesh, triangle, circle);
        return circle.lowest;
    }
};

template <Interpolation kMethod>
struct InterpolateInTriangles {
    LocatorView mesh;
    Places places;
    View<const Point> gradients;  // (columns, n)

    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t i = places.begin(rank);
        if (i == kNone) return;
        const Point p = places.at[i];
        const uint32_t t = mesh.find(p, i, places.refused);
        if (t == kNone) return;
        const uint32_t* const sites = &mesh.triangles[3 * t];
        CloughTocher element;
        double weights[3];  // twice the areas opposite to the corners
        for (uint32_t k = 0; k < 3; ++k) element.corners[k] = mesh.points[sites[k]];
        for (uint32_t k = 0; k < 3; ++k)
            weights[k] = accurate_orient2d(element.corners[(k + 1) % 3], element.corners[(k + 2) % 3], p);
        bool on_hull = false;
        for (uint32_t k = 0; k < 3; ++k) {
            if (weights[(k + 1) % 3] == 0 && weights[(k + 2) % 3] == 0) return places.copy(sites[k], i);
            on_hull = on_hull || (weights[k] == 0 && mesh.neighbours[3 * t + k] == kNone);
        }
        if constexpr (kMethod == Interpolation::kCubic) return cubic(element, weights, t, i);
        if constexpr (kMethod == Interpolation::kNatural || kMethod == Interpolation::kLaplace) {
            Mean mean(places, i);
            const auto add = [&](uint32_t v, double weight) { mean.add(v, weight); };
            if (!on_hull) NaturalWeights<kMethod == Interpolation::kLaplace, decltype(add)>(mesh, p, add).find(t);
            if (mean.finish()) return;
        }
        Mean mean(places, i);
        for (uint32_t k = 0; k < 3; ++k) mean.add(sites[k], weights[k]);
        mean.finish();
    }
    FLIPSCOPE_HD void cubic(CloughTocher& element, const double (&weights)[3], uint32_t t, uint32_t i) const {
        for (uint32_t k = 0; k < 3; ++k) {
            element.weights[k] = weights[k] / (weights[0] + weights[1] + weights[2]);
            const uint32_t other = across(mesh, 3 * t + (k + 1) % 3);
            if (other == kNone)
                element.set_hull(k);
            else
                element.set_apex(k, mesh.points[mesh.triangles[next_corner(next_corner(other))]]);
        }
        for (uint32_t column = 0; column < places.columns; ++column) {
            double values[3];
            Point slopes[3];
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t v = mesh.triangles[3 * t + k];
                values[k] = places.value(v, column);
                slopes[k] = gradients[column * mesh.points.count + v];
            }
            places.result(i, column) = element.value(values, slopes);
        }
    }
};

/// Sites on one line, in order along it by x, then y.
struct InterpolateAlongPath {
    View<const Point> points;
    View<const uint32_t> path;
    Places places;
    bool nearest;

    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t i = places.begin(rank);
        if (path.count == 0 || i == kNone) return;
        const Point p = places.at[i];
        if (nearest) return places.copy(nearest_to(p), i);
        const auto n = static_cast<uint32_t>(path.count);
        const uint32_t after = first_where([&](uint32_t k) { return !is_before(site(k), p); });
        if (after == n || orient2d(site(0), site(n - 1), p) != 0) return;
        if (site(after) == p) return places.copy(path[after], i);
        if (after == 0) return;
        const Point a = site(after - 1), b = site(after);
        const bool steep = fabs(b.y - a.y) > fabs(b.x - a.x);
        Mean mean(places, i);
        mean.add(path[after - 1], steep ? fabs(b.y - p.y) : fabs(b.x - p.x));
        mean.add(path[after], steep ? fabs(p.y - a.y) : fabs(p.x - a.x));
        mean.finish();
    }
    FLIPSCOPE_HD Point site(uint32_t k) const { return points[path[k]]; }
    FLIPSCOPE_HD static bool is_before(Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
    /// The first place along the path for which `is` holds, as for all later ones; the number of places: none.
    template <class Is>
    FLIPSCOPE_HD uint32_t first_where(const Is& is) const {
        uint32_t low = 0, high = static_cast<uint32_t>(path.count);
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (is(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    FLIPSCOPE_HD uint32_t nearest_to(Point p) const {
        const auto last = static_cast<uint32_t>(path.count) - 1;
        const auto compare = [&](uint32_t k) { return compare_lengths(p, site(k), p, site(k + 1)); };
        const uint32_t k = first_where([&](uint32_t k) { return k == last || compare(k) <= 0; });
        return k < last && compare(k) == 0 && path[k + 1] < path[k] ? path[k + 1] : path[k];
    }
};

/// One step of the iteration for the gradients of one column: for each site the gradient that minimises the curvature
/// along its edges if those of its neighbours stay, then extrapolated.
struct ImproveGradient {
    LocatorView mesh;
    Places sites;  // without places
    uint32_t column;
    View<const Point> before;
    View<Point> made;  // two steps before, then the new ones
    double factor;

    FLIPSCOPE_HD void operator()(uint32_t rank) const {
        const uint32_t v = mesh.vertices[rank];  // along the curve: neighbours share memory
        const Point last = made[v];
        const double own = sites.value(v, column);
        if (!mesh.complement[v] || own - own != 0) return;
        double xx = 0, xy = 0, yy = 0, x = 0, y = 0;
        for_star(mesh, v, [&](uint32_t u, uint32_t) {
            const double other = sites.value(u, column);
            if (other - other != 0) return;
            const double dx = mesh.points[u].x - mesh.points[v].x, dy = mesh.points[u].y - mesh.points[v].y;
            const double squared = dx * dx + dy * dy, weight = 1 / (squared * sqrt(squared));
            const double pull = weight * (3 * (other - own) - (dx * before[u].x + dy * before[u].y));
            xx += weight * dx * dx;
            xy += weight * dx * dy;
            yy += weight * dy * dy;
            x += pull * dx;
            y += pull * dy;
        });
        const double determinant = xx * yy - xy * xy, trace = xx + yy;
        if (!(trace > 0)) return;
        // Along one line the least gradient of those that minimise it.
        const Point best = determinant > 0 ? Point{(yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant}
                                           : Point{x / trace, y / trace};
        made[v] = {last.x + factor * (best.x / 2 - last.x), last.y + factor * (best.y / 2 - last.y)};
    }
};

}  // namespace

Interpolator::Interpolator(Context& context, View<const Point> points, const DeviceTriangulation& triangulation,
                           View<const double> values, uint32_t columns, Interpolation method)
    : context_(&context),
      locator_(context, points, triangulation.triangles.view(), triangulation.neighbours.view()),
      columns_(columns),
      method_(method) {
    const CancelScope scope(context.cancel_flag());
    values_.upload(context, values.data, values.count);
    path_.upload(context, triangulation.path.data(), triangulation.path.size());
    if (method == Interpolation::kCubic && triangulation.triangle_count > 0) estimate_gradients();
}

/// Nielson's equations are those of SciPy's estimate_gradients_2d_global(), which runs Gauss-Seidel's iteration to a
/// tolerance. Jacobi's needs no order of the sites. The influence of the neighbours is at most half of a site's own
/// terms, so its eigenvalues are between -1/2 and 1/2 on every triangulation, and Chebyshev's semi-iteration
/// (G. H. Golub and R. S. Varga, 1961) divides the error by 3.7 in each step: after 24 it is below 4e-14.
void Interpolator::estimate_gradients() {
    constexpr uint32_t kSteps = 24;
    const LocatorView mesh = locator_.view();
    const size_t n = mesh.points.count;
    Buffer<Point> others("earlier gradients");
    gradients_.fill(*context_, n * columns_, 0);
    for (uint32_t column = 0; column < columns_; ++column) {
        others.fill(*context_, n, 0);
        View<Point> made = others.view(), before = gradients_.view().part(column * n, n);
        double factor = 1;
        for (uint32_t step = 0; step < kSteps; ++step) {
            launch(*context_, "interpolate.gradients", static_cast<uint32_t>(n),
                   ImproveGradient{mesh, {{}, {}, values_.view(), columns_, {}, {}}, column, before, made, factor});
            std::swap(before, made);
            factor = step == 0 ? 1 / (1 - 1. / 8) : 1 / (1 - factor / 16);
        }
        static_assert(kSteps % 2 == 0, "the last step writes gradients_");
    }
    context_->synchronize();
}

void Interpolator::interpolate(View<const Point> places, View<double> made) {
    const CancelScope scope(context_->cancel_flag());
    const auto n = static_cast<uint32_t>(places.count);
    if (n == 0) return;
    Buffer<Point> copied("places");
    Buffer<double> results("interpolated values");
    View<double> on_device = made;
    if (context_->on_cuda()) {
        copied.upload(*context_, places.data, n);
        results.resize(*context_, made.count);
        places = copied.view();
        on_device = results.view();
    }
    const LocatorView mesh = locator_.view();
    Buffer<uint32_t> order("query order"), refused("refused query");
    refused.fill(*context_, 1, 0);
    if (mesh.triangle_count > 0) locator_.sort(places, order);
    const Places all{places, order.view(), values_.view(), columns_, on_device, refused.view()};
    const auto run = [&](const auto& kernel) { launch(*context_, "interpolate.places", n, kernel); };
    if (mesh.triangle_count == 0)
        run(InterpolateAlongPath{mesh.points, path_.view(), all, method_ == Interpolation::kNearest});
    else if (method_ == Interpolation::kNearest)
        run(TakeNearest{mesh, all});
    else if (method_ == Interpolation::kLinear)
        run(InterpolateInTriangles<Interpolation::kLinear>{mesh, all, {}});
    else if (method_ == Interpolation::kNatural)
        run(InterpolateInTriangles<Interpolation::kNatural>{mesh, all, {}});
    else if (method_ == Interpolation::kLaplace)
        run(InterpolateInTriangles<Interpolation::kLaplace>{mesh, all, {}});
    else
        run(InterpolateInTriangles<Interpolation::kCubic>{mesh, all, gradients_.view()});
    PointLocator::require_decided(refused);
    if (context_->on_cuda()) context_->copy(made.data, on_device.data, made.count * sizeof(double));
}

std::vector<double> interpolate(Context& context, std::span<const Point> points, std::span<const double> values,
                                std::span<const Point> places, Interpolation method, uint32_t columns) {
    if (values.size() != points.size() * columns)
        throw Error("values: " + std::to_string(values.size()) + " numbers for " + std::to_string(points.size()) +
                    " points; each point needs " + std::to_string(columns));
    Buffer<Point> uploaded("input points");
    View<const Point> resident{points.data(), points.size()};
    if (context.on_cuda()) {
        uploaded.upload(context, points.data(), points.size());
        resident = uploaded.view();
    }
    const DeviceTriangulation triangulation =
        triangulate_on_device(context, resident, {.hull = false, .duplicates = false, .hash = false});
    std::vector<double> made(places.size() * columns);
    Interpolator(context, resident, triangulation, {values.data(), values.size()}, columns, method)
        .interpolate({places.data(), places.size()}, {made.data(), made.size()});
    return made;
}

}  // namespace flipscope
