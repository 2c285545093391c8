#include "voronoi/lloyd.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "compute/error.h"
#include "compute/primitives.h"

namespace flipscope {

namespace {

constexpr int kEnergyScale = 30;  // of points: squared distances are counted in units of 2^-30
constexpr double kFarthest = 65536;

/// The pixel nearest to a site, within the lattice: the origin of its cell's offsets.
FLIPSCOPE_HD inline int64_t base_of(double site, uint32_t length) {
    const double nearest = site + 0.5;
    return nearest < 0 ? 0 : nearest >= length ? int64_t(length) - 1 : static_cast<int64_t>(nearest);
}

/// The image of v nearest to the site, as decided by Lattice::shortest().
FLIPSCOPE_HD inline double unwrapped(double site, double v, uint32_t period, bool periodic) {
    if (!periodic) return v;
    const double d = v - site;
    return 2 * d > period ? v - period : 2 * d < -double(period) ? v + period : v;
}

FLIPSCOPE_HD inline void add(CellSums& to, const CellSums& from) {
    atomic_add(to.area, from.area);
    atomic_add(to.weight, from.weight);
    atomic_add(to.along_x, from.along_x);
    atomic_add(to.along_y, from.along_y);
    atomic_add(to.low, from.low);
    if (from.high) atomic_add(to.high, from.high);
}

FLIPSCOPE_HD inline Point centroid_of(const Lattice& lattice, const CellSums& sums, Point site, double unit) {
    if (sums.weight == 0) return site;
    const double weight = double(sums.weight) * unit;
    return lattice.wrapped({base_of(site.x, lattice.width) + double(int64_t(sums.along_x)) / weight,
                            base_of(site.y, lattice.height) + double(int64_t(sums.along_y)) / weight});
}

/// Sums one strip of a row, run by run of equal colour, which needs few atomics.
struct SumStrip {
    Lattice lattice;
    View<const uint32_t> colours;
    View<const uint16_t> density;  // or empty
    View<const Point> sites;
    uint32_t count;  // sites
    View<CellSums> sums;
    uint32_t length, strips;  // pixels per strip, strips per row

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t y = i / strips, end = i % strips + 1 == strips ? lattice.width : (i % strips + 1) * length;
        const uint32_t row = y * lattice.width;
        for (uint32_t x = i % strips * length; x < end;) {
            const uint32_t colour = colours[row + x], first = x;
            while (++x < end && colours[row + x] == colour) {
            }
            if (colour < count) add_run(colour, y, first, x);
        }
    }
    FLIPSCOPE_HD void add_run(uint32_t colour, uint32_t y, uint32_t first, uint32_t end) const {
        const Point site = sites[colour];
        const int64_t base = base_of(site.x, lattice.width);
        const auto offset = [&](uint32_t x) {
            return int64_t(unwrapped(site.x, x, lattice.width, lattice.periodic.x)) - base;
        };
        const int64_t dy =
            int64_t(unwrapped(site.y, y, lattice.height, lattice.periodic.y)) - base_of(site.y, lattice.height);
        const uint64_t n = end - first;
        uint64_t weight = 0, squares = 0;
        int64_t along = 0;
        const int64_t low = offset(first), high = offset(end - 1);
        if (!density && high - low == int64_t(n) - 1) {
            const auto up_to = [](int64_t k) { return k * (k + 1) * (2 * k + 1) / 6; };  // sum of squares
            weight = n;
            along = (low + high) * int64_t(n) / 2;
            squares = uint64_t(up_to(high) - up_to(low - 1) + int64_t(n) * dy * dy);
        } else {
            for (uint32_t x = first; x < end; ++x) {
                const uint64_t w = density ? density[y * lattice.width + x] : 1;
                const int64_t dx = offset(x);
                weight += w;
                along += int64_t(w) * dx;
                squares += w * uint64_t(dx * dx + dy * dy);
            }
        }
        add(sums[colour],
            {n, weight, uint64_t(along), uint64_t(int64_t(weight) * dy), squares & 0xFFFFFFFFu, squares >> 32});
    }
};

/// Assigns a few successive points to the clusters of their nearest sites.
struct JoinClusters {
    Lattice lattice;
    BinsView bins;
    View<const Point> points, sites;
    View<uint32_t> clusters;
    View<CellSums> sums;
    double unit;  // the coordinates are multiples of 1 / unit

    static constexpr uint32_t kStrip = 64, kKept = 8;

    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t end = (i + 1) * kStrip < points.count ? (i + 1) * kStrip : static_cast<uint32_t>(points.count);
        CellSums kept[kKept];  // with few clusters all threads would wait for the same words
        uint32_t labels[kKept];
        for (uint32_t k = 0; k < kKept; ++k) labels[k] = kNone;
        for (uint32_t p = i * kStrip; p < end; ++p) {
            const uint32_t label = bins.nearest(points[p]), k = label % kKept;
            clusters[p] = label;
            if (label == kNone) continue;
            if (labels[k] != label) {
                if (labels[k] != kNone) add(sums[labels[k]], kept[k]);
                labels[k] = label;
                kept[k] = {};
            }
            collect(points[p], sites[label], kept[k]);
        }
        for (uint32_t k = 0; k < kKept; ++k)
            if (labels[k] != kNone) add(sums[labels[k]], kept[k]);
    }
    FLIPSCOPE_HD void collect(Point p, Point site, CellSums& sum) const {
        const double dx =
            unwrapped(site.x, p.x, lattice.width, lattice.periodic.x) - double(base_of(site.x, lattice.width));
        const double dy =
            unwrapped(site.y, p.y, lattice.height, lattice.periodic.y) - double(base_of(site.y, lattice.height));
        const auto squared =
            static_cast<uint64_t>(lattice.squared_distance(site, p) * double(1u << kEnergyScale) + 0.5);
        ++sum.area;
        ++sum.weight;
        sum.along_x += uint64_t(int64_t(dx * unit));
        sum.along_y += uint64_t(int64_t(dy * unit));
        sum.low += squared & 0xFFFFFFFFu;
        sum.high += squared >> 32;
    }
};

struct CentroidJudgement {
    uint64_t low = 0, high = 0;  // of the energy, in units
    double largest2 = 0;         // world units, squared
    uint32_t moved = 0, empty = 0;
};

struct JudgeCell {
    Lattice lattice;
    View<const CellSums> sums;
    View<const Point> sites;
    double unit;         // 1 / unit of the offsets
    double energy_unit;  // of pixels; 0: the sums are of points and include the energy

    FLIPSCOPE_HD CentroidJudgement operator()(uint32_t i) const {
        const CellSums s = sums[i];
        const Point z = sites[i];
        CentroidJudgement judgement;
        judgement.empty = s.weight == 0;
        if (judgement.empty) return judgement;
        judgement.largest2 = lattice.squared_distance(z, centroid_of(lattice, s, z, unit));
        judgement.moved = judgement.largest2 > 0;
        if (energy_unit == 0) {
            judgement.low = s.low;
            judgement.high = s.high;
            return judgement;
        }
        const double ex = z.x - base_of(z.x, lattice.width), ey = z.y - base_of(z.y, lattice.height);
        const double about_base = double(s.low) + 4294967296.0 * double(s.high);
        const double shift = (ex * ex + ey * ey) * double(s.weight) -
                             2 * (ex * double(int64_t(s.along_x)) + ey * double(int64_t(s.along_y)));
        const double energy = about_base + shift;
        judgement.low = energy > 0 ? static_cast<uint64_t>(energy / energy_unit + 0.5) : 0;
        return judgement;
    }
    FLIPSCOPE_HD static CentroidJudgement combine(const CentroidJudgement& a, const CentroidJudgement& b) {
        CentroidJudgement both;
        both.low = a.low + b.low;
        both.high = a.high + b.high;
        both.largest2 = a.largest2 > b.largest2 ? a.largest2 : b.largest2;
        both.moved = a.moved + b.moved;
        both.empty = a.empty + b.empty;
        return both;
    }
};

struct MoveToCentroid {
    Lattice lattice;
    View<const CellSums> sums;
    View<Point> sites;
    double unit;
    FLIPSCOPE_HD void operator()(uint32_t i) const { sites[i] = centroid_of(lattice, sums[i], sites[i], unit); }
};

}  // namespace

void Lloyd::reset(Context& context, const Lattice& lattice, const std::vector<uint16_t>& density, double reach) {
    lattice_ = lattice;
    point_count_ = 0;
    scale_ = 0;
    density_.upload(context, density.data(), density.size());
    sums_.resize(context, 0, false);
    clusters_.resize(context, 0, false);
    points_.resize(context, 0, false);
    const double total =
        density.empty() ? lattice.pixel_count() : double(std::accumulate(density.begin(), density.end(), uint64_t(0)));
    const double w = lattice.width + reach, h = lattice.height + reach;
    energy_unit_ = std::ldexp(1.0, std::ilogb(std::max(1.0, total * (w * w + h * h))) + 1 - 62);
}

void Lloyd::set_points(Context& context, std::vector<Point> points) {
    scale_ = std::min(kEnergyScale, 62 - 18 - std::ilogb(double(std::max<size_t>(points.size(), 1))));
    const double unit = std::ldexp(1.0, scale_);
    CancelPoll poll;
    for (size_t i = 0; i < points.size(); ++i) {
        poll();
        Point& p = points[i];
        if (!(std::max(std::fabs(p.x), std::fabs(p.y)) <= kFarthest))
            throw Error("point " + std::to_string(i) +
                        " lies too far from the lattice to be put into a cluster; "
                        "let the points be fitted to it");
        p = lattice_.wrapped({std::nearbyint(p.x * unit) / unit, std::nearbyint(p.y * unit) / unit});
    }
    point_count_ = static_cast<uint32_t>(points.size());
    points_.upload(context, points.data(), points.size());
    clusters_.fill(context, points.size(), 0xFF);
}

void Lloyd::clear_sums(Context& context, uint32_t count) { sums_.fill(context, count, 0); }

void Lloyd::sum(Context& context, View<const uint32_t> colours, View<const Point> sites, uint32_t count) {
    clear_sums(context, count);
    if (count == 0) return;
    const uint32_t length = context.on_cuda() ? 32 : 64, strips = (lattice_.width + length - 1) / length;
    launch(context, "centroids.sum", strips * lattice_.height,
           SumStrip{lattice_, colours, density_.empty() ? View<const uint16_t>{} : density_.view(), sites, count,
                    sums_.view(), length, strips});
}

void Lloyd::sum_points(Context& context, const BinsView& bins, View<const Point> sites, uint32_t count) {
    clear_sums(context, count);
    launch(context, "centroids.join", (point_count_ + JoinClusters::kStrip - 1) / JoinClusters::kStrip,
           JoinClusters{lattice_, bins, points_.view(), sites, clusters_.view(), sums_.view(), unit()});
}

LloydOutcome Lloyd::judge(Context& context, View<const Point> sites, uint32_t count) {
    const JudgeCell judge{lattice_, sums_.view(), sites, unit(), of_points() ? 0 : energy_unit_};
    const CentroidJudgement all = reduce(context, "centroids.judge", count, judge, CentroidJudgement{});
    LloydOutcome outcome;
    outcome.energy = (double(all.low) + 4294967296.0 * double(all.high)) *
                     (of_points() ? std::ldexp(1.0, -kEnergyScale) : energy_unit_);
    outcome.largest_move = std::sqrt(all.largest2);
    outcome.moved = all.moved;
    outcome.empty = all.empty;
    return outcome;
}

void Lloyd::move(Context& context, View<Point> sites, uint32_t count) {
    launch(context, "move", count, MoveToCentroid{lattice_, sums_.view(), sites, unit()});
}

double Lloyd::unit() const { return of_points() ? std::ldexp(1.0, scale_) : 1; }

Point Lloyd::centroid(const CellSums& sums, Point site) const { return centroid_of(lattice_, sums, site, unit()); }

}  // namespace flipscope
