#include "flipscope/spatial.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/error.h"
#include "compute/histogram.h"
#include "compute/launch.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "geometry/cell_kernels.h"
#include "statistics/pair_weights.h"
#include "statistics/point_grid.h"
#include "statistics/running_mean.h"

namespace flipscope {

namespace {

constexpr uint32_t kMostOfRadii = 1024, kMostDirections = 3600;
constexpr double kFixed = 0x1p28;  // weights in fixed point; the sum of a bin may reach 2^35

constexpr const char* kFunctions[] = {
    "K", "L", "L-r", "g", "G", "F", "J", "cross-K", "cross-g", "mark-connection", "mark-correlation"};
constexpr const char* kCorrections[] = {"none", "border", "translation", "isotropic", "kaplan-meier", "hanisch"};

template <size_t kCount>
size_t index_of(const std::string& name, const char* what, const char* const (&names)[kCount]) {
    std::string known;
    for (size_t i = 0; i < kCount; ++i) {
        if (name == names[i]) return i;
        known += (i > 0 ? ", " : "") + std::string(names[i]);
    }
    throw Error(printable(name) + " is no " + what + "; there are " + known);
}

FLIPSCOPE_HD inline uint64_t fixed_point(double value) {
    return static_cast<uint64_t>(static_cast<int64_t>(value * kFixed + (value < 0 ? -0.5 : 0.5)));
}

/// Points outside a polygon become NaN, which the grid leaves out.
struct KeepInside {
    AreaView area;
    View<const Point> points;
    View<Point> kept;
    FLIPSCOPE_HD void operator()(uint32_t i) const { kept[i] = area.contains(points[i]) ? points[i] : Point{NAN, NAN}; }
};

struct Depths {
    AreaView area;
    View<const Point> points;
    View<double> depths;
    FLIPSCOPE_HD void operator()(uint32_t i) const { depths[i] = area.depth(points[i]); }
};

/// The least distance of each place from a point within reach other than the place itself.
struct FindNearest {
    NearPoints near;
    View<const Point> places;  // empty: the points themselves, by rank
    View<double> nearest;      // world units; INFINITY: none
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const Point p = places.count > 0 ? places[i] : near.grid.positions[i];
        const uint32_t self = places.count > 0 ? kNone : i;
        double least = INFINITY;
        near.each(p, [&](uint32_t rank) {
            const double squared = near.squared(p, near.grid.positions[rank]);
            if (squared < least && rank != self) least = squared;
        });
        nearest[i] = least <= near.reach * near.reach ? sqrt(least) : INFINITY;
    }
};

/// Weights of pairs by their distance: in the bin of the first radius that is not less; or, smeared by the Epanechnikov
/// kernel, at all radii within `smear`.
struct WeighPairs {
    NearPoints near;
    PairWeights weights;
    EdgeCorrection correction;
    View<const double> radii;
    double per_unit;                      // radii per world unit, on average: a first guess
    double smear;                         // world units; 0: bins
    bool divides;                         // by the distance of the pair
    View<const double> from, to, depths;  // (n) by rank: factors of the two points, or empty: 1; world units
    static constexpr uint32_t kIndicesPerPoll = 4, kMostBins = kMostOfRadii;

    FLIPSCOPE_HD uint32_t bin(double distance) const {
        const double guess = (distance - radii[0]) * per_unit + 1;
        auto k = guess > 0 ? static_cast<uint32_t>(guess) : 0;
        const auto bins = static_cast<uint32_t>(radii.count);
        if (k > bins) k = bins;
        while (k > 0 && radii[k - 1] >= distance) --k;
        while (k < bins && radii[k] < distance) ++k;
        return k;
    }
    FLIPSCOPE_HD void add(const Bins& found, double distance, double weight) const {
        const auto bins = static_cast<uint32_t>(radii.count);
        if (divides) {
            const double ratio = radii[bins - 1] / distance;
            weight *= ratio < 1e7 ? ratio : distance > 0 ? 1e7 : 0;
        }
        if (smear == 0) {
            if (const uint32_t k = bin(distance); k < bins) found.add(k, fixed_point(weight));
            return;
        }
        for (uint32_t k = bin(distance - smear); k < bins && radii[k] < distance + smear; ++k) {
            const double t = (radii[k] - distance) / smear;
            found.add(k, fixed_point(weight * (1 - t * t)));
        }
    }
    /// Of K with translation in a rectangle, without marks: what envelopes spend their time on.
    FLIPSCOPE_HD void weigh_plain(const Bins& found, Point p, Point q, double most) const {
        double dx = q.x - p.x, dy = q.y - p.y;
        const double squared = dx * dx + dy * dy;
        if (!(squared <= most)) return;
        dx = dx < 0 ? -dx : dx, dy = dy < 0 ? -dy : dy;
        const double overlap = (near.grid.window.width() - dx) * (near.grid.window.height() - dy);
        constexpr double kHeaviest = PairWeights::kMost * (2 * kFixed);
        double weight = weights.area.area * (2 * kFixed) / overlap;
        if (!(weight < kHeaviest)) weight = kHeaviest;
        const double distance = sqrt(squared);
        auto k = static_cast<uint32_t>(static_cast<int32_t>((distance - radii[0]) * per_unit + 1));
        const auto bins = static_cast<uint32_t>(radii.count);
        if (k > bins) k = distance > radii[0] ? bins : 0;
        if ((k > 0 && radii[k - 1] >= distance) || (k < bins && radii[k] < distance)) k = bin(distance);
        if (k < bins) found.add(k, static_cast<uint64_t>(static_cast<int64_t>(weight + 0.5)));
    }
    FLIPSCOPE_HD void operator()(uint32_t rank, const Bins& found) const {
        const auto bins = static_cast<uint32_t>(radii.count);
        const double most = near.reach * near.reach;
        const bool symmetric = correction == EdgeCorrection::kNone || correction == EdgeCorrection::kTranslation;
        const Window& window = near.grid.window;
        const Point p = near.grid.positions[rank];
        const uint32_t first = symmetric ? rank + 1 : 0;
        if (correction == EdgeCorrection::kTranslation && smear == 0 && from.count + to.count == 0 &&
            !weights.area.is_polygon() && !window.is_periodic()) {
            near.ranges(p, [&](uint32_t low, uint32_t high) {
                for (uint32_t other = low > first ? low : first; other < high; ++other)
                    weigh_plain(found, p, near.grid.positions[other], most);
            });
            return;
        }
        const double depth = symmetric ? 0 : depths[rank], u = from.count > 0 ? from[rank] : 1;
        const double v = to.count > 0 ? to[rank] : 1;
        if (u == 0 && (!symmetric || v == 0)) return;
        near.ranges(p, [&](uint32_t low, uint32_t high) {
            for (uint32_t other = low > first ? low : first; other < high; ++other) {
                const Point q = near.grid.positions[other];
                const double dx = NearPoints::along(q.x - p.x, window.periodic_x, window.width());
                const double dy = NearPoints::along(q.y - p.y, window.periodic_y, window.height());
                const double squared = dx * dx + dy * dy;
                if (!(squared <= most) || other == rank) continue;
                double factor = u * (to.count > 0 ? to[other] : 1);
                if (symmetric) factor += v * (from.count > 0 ? from[other] : 1);
                if (factor == 0) continue;
                const double distance = sqrt(squared);
                if (correction == EdgeCorrection::kTranslation)
                    factor *= weights.translation(dx, dy);
                else if (correction == EdgeCorrection::kIsotropic && distance > depth)
                    factor *= weights.isotropic(p, distance);
                if (correction == EdgeCorrection::kBorder) {  // seen from p at radii up to its depth
                    if (distance > depth) continue;
                    uint32_t k = bin(depth);
                    if (k < bins && radii[k] == depth) ++k;
                    if (k < bins) found.add(k, uint64_t(0) - fixed_point(factor));
                }
                add(found, distance, factor);
            }
        });
    }
};

/// Weights of pairs at distances in (from, reach] by the direction of their line; or, if `from` is below 0, 1 for each
/// point that is nearer to its nearest neighbour than to the border. Points without a neighbour add to a last bin.
struct WeighDirections {
    NearPoints near;
    PairWeights weights;
    double from;  // world units
    uint32_t bins;
    View<const double> depths;  // (n) by rank, world units
    static constexpr uint32_t kMostBins = kMostDirections + 1;
    FLIPSCOPE_HD uint32_t bin(Point d) const {
        const double angle = portable::atan2(d.y, d.x) / portable::kPi;
        const auto k = static_cast<uint32_t>((angle < 0 ? angle + 1 : angle) * bins);
        return k < bins ? k : 0;
    }
    FLIPSCOPE_HD void operator()(uint32_t rank, const Bins& found) const {
        const Window& window = near.grid.window;
        const Point p = near.grid.positions[rank];
        double least = INFINITY;
        Point nearest{};
        near.each(p, [&](uint32_t other) {
            const Point q = near.grid.positions[other];
            const Point d{NearPoints::along(q.x - p.x, window.periodic_x, window.width()),
                          NearPoints::along(q.y - p.y, window.periodic_y, window.height())};
            const double squared = d.x * d.x + d.y * d.y;
            if (other == rank || squared > near.reach * near.reach) return;
            if (from >= 0) {
                if (other > rank && squared > from * from)
                    found.add(bin(d), fixed_point(weights.translation(d.x, d.y)));
            } else if (squared < least) {
                least = squared;
                nearest = d;
            }
        });
        if (from >= 0) return;
        if (least == INFINITY)
            found.add(bins, fixed_point(1));
        else if (least <= depths[rank] * depths[rank])
            found.add(bin(nearest), fixed_point(1));
    }
};

bool is_distance_function(SpatialFunction function) {
    return function == SpatialFunction::kNearest || function == SpatialFunction::kEmptySpace ||
           function == SpatialFunction::kJ;
}
bool is_cumulative(SpatialFunction function) {
    return function < SpatialFunction::kPairCorrelation || function == SpatialFunction::kCrossK;
}
bool is_of_marks(SpatialFunction function) { return function >= SpatialFunction::kCrossK; }

size_t bin_of(const std::vector<double>& radii, double distance) {
    return static_cast<size_t>(std::ranges::lower_bound(radii, distance) - radii.begin());
}

std::vector<double> ascending_sums(std::vector<double> values) {
    for (size_t k = 1; k < values.size(); ++k) values[k] += values[k - 1];
    return values;
}

/// How many values lie in each bin of radii or beyond.
std::vector<double> counts_beyond(const std::vector<double>& radii, const std::vector<double>& values) {
    std::vector<double> counts(radii.size() + 1);
    for (const double value : values) ++counts[bin_of(radii, value)];
    for (size_t k = radii.size(); k-- > 0;) counts[k] += counts[k + 1];
    return counts;
}

/// Distribution of distances of which those greater than the distance to the border are censored.
std::vector<double> distribution(EdgeCorrection correction, const std::vector<double>& radii,
                                 const SpatialStatistics::Distances& of, const std::vector<double>& eroded) {
    const size_t bins = radii.size();
    std::vector<double> found(bins + 1), lost(bins + 2), observed = of.nearest, values(bins);
    for (size_t i = 0; i < observed.size(); ++i) {
        const bool seen = of.nearest[i] <= of.border[i];
        const size_t k = bin_of(radii, of.nearest[i]);
        if (seen || correction == EdgeCorrection::kNone) ++found[k];
        if (seen) ++lost[bin_of(radii, of.border[i]) + 1];
        if (!seen) observed[i] = of.border[i];
    }
    const double n = double(observed.size());
    if (correction == EdgeCorrection::kNone) {
        values = ascending_sums(found);
        for (double& value : values) value /= n;
    } else if (correction == EdgeCorrection::kBorder) {
        const std::vector<double> at_risk = counts_beyond(radii, of.border), sums = ascending_sums(found),
                                  gone = ascending_sums(lost);
        for (size_t k = 0; k < bins; ++k) values[k] = (sums[k] - gone[k]) / at_risk[k];
    } else if (correction == EdgeCorrection::kKaplanMeier) {
        const std::vector<double> at_risk = counts_beyond(radii, observed);
        double survival = 1;
        for (size_t k = 0; k < bins; ++k) {
            if (at_risk[k] > 0) survival *= 1 - found[k] / at_risk[k];
            values[k] = 1 - survival;
        }
    } else {
        for (size_t k = 0; k < bins; ++k) values[k] = found[k] > 0 ? found[k] / eroded[k] : 0;
        values = ascending_sums(values);
        double most = 0;
        for (const double value : values)
            if (std::isfinite(value)) most = std::max(most, value);
        for (double& value : values) value /= most;
    }
    values.resize(bins);
    return values;
}

}  // namespace

const char* name_of(SpatialFunction function) { return kFunctions[static_cast<size_t>(function)]; }
const char* name_of(EdgeCorrection correction) { return kCorrections[static_cast<size_t>(correction)]; }
SpatialFunction spatial_function_of(const std::string& name) {
    return static_cast<SpatialFunction>(index_of(name, "spatial function", kFunctions));
}
EdgeCorrection edge_correction_of(const std::string& name) {
    return static_cast<EdgeCorrection>(index_of(name, "edge correction", kCorrections));
}

std::vector<EdgeCorrection> corrections_of(SpatialFunction function, const StudyArea& area) {
    using E = EdgeCorrection;
    if (area.periodic_x && area.periodic_y) return {E::kNone};
    if (is_distance_function(function)) return {E::kNone, E::kBorder, E::kHanisch, E::kKaplanMeier};
    if (is_cumulative(function)) return {E::kNone, E::kBorder, E::kIsotropic, E::kTranslation};
    return {E::kNone, E::kIsotropic, E::kTranslation};
}

std::vector<double> default_radii(SpatialFunction function, const StudyArea& area, uint64_t points) {
    const double density = double(std::max<uint64_t>(points, 1)) / area.area();
    const double width = area.high.x - area.low.x, height = area.high.y - area.low.y;
    double most = std::min(std::sqrt(1000 / (std::numbers::pi * density)), std::min(width, height) / 4);
    if (is_distance_function(function))
        most = std::min(std::sqrt(std::log(1e5) / (std::numbers::pi * density)), std::hypot(width, height) / 2);
    if (area.periodic_x) most = std::min(most, width / 2);
    if (area.periodic_y) most = std::min(most, height / 2);
    std::vector<double> radii(513);
    for (size_t k = 0; k < radii.size(); ++k) radii[k] = double(k) * (most / 512);
    return radii;
}

struct SpatialStatistics::Parts {
    Context& context;
    StudyArea area;
    AreaOnDevice on_device;
    Buffer<AreaSide> border{"border of the study area"};
    struct Covariance {
        double reach = 0;
        Buffer<double> table{"set covariance"};
    };
    std::shared_ptr<Covariance> covariance = std::make_shared<Covariance>();
    Buffer<Point> given{"points of the pattern"}, kept{"points in the study area"};
    std::vector<double> marks;  // of the given points
    uint64_t given_count = 0;
    PointGrid grid;
    Buffer<double> depths{"depths"}, from{"first factors"}, to{"second factors"}, marked_points{"points with a mark"},
        values{"factors"}, radii{"radii"};
    Buffer<double> nearest{"nearest"}, place_depths{"depths of places"};
    Buffer<Point> places{"places of a lattice"};

    double density() const { return grid.count() / area.area(); }
    View<const double> gathered(const std::vector<double>& factors, Buffer<double>& sorted) {
        if (factors.empty()) return {};
        values.upload(context, factors.data(), factors.size());
        sorted.resize(context, grid.count(), false);
        launch(context, "spatial.gather", grid.count(),
               GatherByCell<double>{values.view(), grid.view().ids, sorted.view()});
        return sorted.view(grid.count());
    }
    PairWeights weights(EdgeCorrection correction, double reach) {
        if (correction == EdgeCorrection::kTranslation && area.is_polygon() && !(covariance->reach >= reach)) {
            covariance = std::make_shared<Covariance>();
            covariance->reach = reach;
            tabulate_set_covariance(context, area, reach, covariance->table);
        }
        return {on_device.view(), border.view(), covariance->table.view(), covariance->reach};
    }
    /// Sums of weights of ordered pairs by bin, or at every radius if `smear` is not 0.
    std::vector<double> weigh(EdgeCorrection correction, const std::vector<double>& at, double smear, bool divides,
                              View<const double> u, View<const double> v) {
        const auto bins = static_cast<uint32_t>(at.size());
        const double reach = at.back() + smear;
        const PairWeights weight = weights(correction, reach);
        radii.upload(context, at.data(), at.size());
        return summed(histogram_of(context, "spatial.pairs", grid.count(), bins, 32,
                                   WeighPairs{{grid.view(), reach},
                                              weight,
                                              correction,
                                              radii.view(),
                                              (bins - 1) / (at.back() - at.front()),
                                              smear,
                                              divides,
                                              u,
                                              v,
                                              depths.view()}));
    }
    std::vector<double> weigh_directions(double least, double reach, uint32_t bins) {
        const PairWeights weight = weights(least < 0 ? EdgeCorrection::kNone : EdgeCorrection::kTranslation, reach);
        return summed(histogram_of(context, "spatial.directions", grid.count(), bins + 1, 32,
                                   WeighDirections{{grid.view(), reach}, weight, least, bins, depths.view()}));
    }
    static std::vector<double> summed(const std::vector<uint64_t>& fixed) {
        std::vector<double> sums;
        for (const uint64_t sum : fixed) sums.push_back(double(static_cast<int64_t>(sum)) / kFixed);
        return sums;
    }
    /// The distances of a lattice of places in the area from the nearest point and from the border.
    Distances of_places(uint32_t side, double reach) {
        std::vector<Point> all;
        const double width = area.high.x - area.low.x, height = area.high.y - area.low.y;
        for (uint32_t i = 0; i < side * side; ++i)
            all.push_back(
                {area.low.x + width * (i % side + 0.5) / side, area.low.y + height * (i / side + 0.5) / side});
        const auto n = static_cast<uint32_t>(all.size());
        places.upload(context, all.data(), all.size());
        nearest.resize(context, n, false);
        place_depths.resize(context, n, false);
        launch(context, "spatial.place_depths", n, Depths{on_device.view(), places.view(), place_depths.view()});
        if (reach > 0)
            launch(context, "spatial.empty_space", n, FindNearest{{grid.view(), reach}, places.view(), nearest.view()});
        Distances all_of{nearest.download(n), place_depths.download(n)}, inside;
        for (uint32_t i = 0; i < n; ++i)
            if (all_of.border[i] >= 0) {
                inside.nearest.push_back(all_of.nearest[i]);
                inside.border.push_back(all_of.border[i]);
            }
        return inside;
    }
    /// The area farther than each radius from the border: of a polygon, on a lattice of places.
    std::vector<double> eroded(const std::vector<double>& at, uint32_t side) {
        std::vector<double> areas;
        if (area.is_polygon()) {
            std::vector<double> border_distances = of_places(side, 0).border;
            std::ranges::sort(border_distances);
            for (const double r : at) {
                const auto within = std::ranges::lower_bound(border_distances, r);
                areas.push_back(area.area() * double(border_distances.end() - within) /
                                double(border_distances.size()));
            }
            return areas;
        }
        for (const double r : at)
            areas.push_back(std::max(area.high.x - area.low.x - (area.periodic_x ? 0 : 2 * r), 0.0) *
                            std::max(area.high.y - area.low.y - (area.periodic_y ? 0 : 2 * r), 0.0));
        return areas;
    }
    /// Of the points from others, and from the border.
    Distances distances(double reach) {
        nearest.resize(context, grid.count(), false);
        launch(context, "spatial.nearest", grid.count(), FindNearest{{grid.view(), reach}, {}, nearest.view()});
        return {nearest.download(grid.count()), depths.download(grid.count())};
    }
    void measure_pairs(SpatialCurve& curve, const std::vector<double>& at, const SpatialOptions& options,
                       const std::vector<EdgeCorrection>& corrections) {
        using F = SpatialFunction;
        const F function = curve.function;
        const double n = grid.count();
        // The factors of the points of a pair, and the number of pairs and of first points that random points would
        // have.
        std::vector<double> first, second, known;
        double pairs = n * (n - 1), ends = n, product = 1, marked = 0;
        if (is_of_marks(function)) {
            const std::vector<uint32_t> ids = download(context, grid.view().ids);
            first = second = known = marks;
            for (double& mark : known) mark = !std::isnan(mark);
            for (uint32_t rank = 0; rank < grid.count(); ++rank) marked += known[ids[rank]];
            if (function == F::kMarkCorrelation) {
                // Relative to the greatest, in fixed point.
                double most = 0, mean = 0;
                for (double& mark : first) mark = std::isnan(mark) ? 0 : mark;
                for (uint32_t rank = 0; rank < grid.count(); ++rank) {
                    most = std::max(most, std::fabs(first[ids[rank]]));
                    mean += first[ids[rank]] / marked;
                }
                for (double& mark : first) mark /= most > 0 ? most : 1;
                second = first;
                product = mean * mean / (most * most);
            } else {
                for (double& mark : first) mark = mark == options.from;
                for (double& mark : second) mark = mark == options.to;
                double starts = 0;
                ends = 0;
                for (uint32_t rank = 0; rank < grid.count(); ++rank) {
                    starts += first[ids[rank]];
                    ends += second[ids[rank]];
                }
                pairs = starts * (options.from == options.to ? ends - 1 : ends);
            }
        }
        const View<const double> u = gathered(first, from), v = gathered(second, to);
        const double size = area.area();
        const bool smears = !is_cumulative(function) && !options.bins;
        const bool is_ratio = function == F::kMarkConnection || function == F::kMarkCorrelation;
        const double smear = !smears ? 0 : options.bandwidth > 0 ? options.bandwidth : 0.15 / std::sqrt(density());
        curve.bandwidth = smear;
        const bool divides = smears && options.divide_by_distance && !is_ratio;
        for (const EdgeCorrection correction : corrections) {
            std::vector<double> sums = weigh(correction, at, smear, divides, u, v);
            if (is_ratio) {
                // Of all pairs of points with a mark.
                const View<const double> has_mark = marked < n ? gathered(known, marked_points) : View<const double>();
                const std::vector<double> all = weigh(correction, at, smear, false, has_mark, has_mark);
                for (size_t k = 0; k < at.size(); ++k) sums[k] /= all[k] * product;
            } else if (smears) {
                for (size_t k = 0; k < at.size(); ++k)
                    sums[k] *= 3 / (4 * smear) * size / (pairs * 2 * std::numbers::pi * (divides ? at.back() : at[k]));
            } else if (function == F::kPairCorrelation || function == F::kCrossCorrelation) {
                for (size_t k = at.size(); k-- > 1;)
                    sums[k] *= size / (pairs * std::numbers::pi * (at[k] * at[k] - at[k - 1] * at[k - 1]));
                sums.erase(sums.begin());
            } else if (correction == EdgeCorrection::kBorder) {
                std::vector<double> seen = depths.download(grid.count());
                if (u.count > 0) {
                    const std::vector<double> is_first = download(context, u);
                    for (size_t i = 0; i < seen.size(); ++i)
                        if (is_first[i] == 0) seen[i] = -1;
                }
                std::ranges::sort(seen);
                sums = ascending_sums(std::move(sums));
                for (size_t k = 0; k < at.size(); ++k) {
                    const auto centres = double(seen.end() - std::ranges::lower_bound(seen, at[k]));
                    sums[k] *= size / (ends * centres);
                }
            } else {
                sums = ascending_sums(std::move(sums));
                for (double& sum : sums) sum *= size / pairs;
            }
            if (function == F::kL || function == F::kCentredL)
                for (double& sum : sums) sum = std::sqrt(sum / std::numbers::pi);
            for (size_t k = 0; k < at.size() && function == F::kCentredL; ++k) sums[k] -= at[k];
            curve.estimates.push_back({correction, std::move(sums)});
        }
        for (const double r : curve.radii)
            curve.expected.push_back(function == F::kK || function == F::kCrossK ? std::numbers::pi * r * r
                                     : function == F::kL                         ? r
                                     : function == F::kCentredL                  ? 0
                                     : function == F::kMarkConnection            ? pairs / (marked * (marked - 1))
                                                                                 : 1);
    }
    void measure_distances(SpatialCurve& curve, const SpatialOptions& options,
                           const std::vector<EdgeCorrection>& corrections) {
        const std::vector<double>& at = curve.radii;
        const bool is_g = curve.function == SpatialFunction::kNearest, is_j = curve.function == SpatialFunction::kJ;
        for (const double r : at)
            curve.expected.push_back(is_j ? 1 : 1 - std::exp(-density() * std::numbers::pi * r * r));
        const bool any_eroded = std::ranges::find(corrections, EdgeCorrection::kHanisch) != corrections.end();
        const std::vector<double> areas = any_eroded ? eroded(at, options.places) : std::vector<double>{};
        const Distances of_points = is_g || is_j ? distances(at.back()) : Distances{};
        const Distances of_lattice = is_g ? Distances{} : of_places(options.places, at.back());
        for (const EdgeCorrection correction : corrections) {
            std::vector<double> values = distribution(correction, at, is_g ? of_points : of_lattice, areas);
            if (is_j) {
                const std::vector<double> g = distribution(correction, at, of_points, areas);
                for (size_t k = 0; k < at.size(); ++k) values[k] = values[k] < 1 ? (1 - g[k]) / (1 - values[k]) : NAN;
            }
            curve.estimates.push_back({correction, std::move(values)});
        }
    }
};

SpatialStatistics::SpatialStatistics(Context& context, const StudyArea& area)
    : parts_(std::make_unique<Parts>(context, area)) {
    if (!(area.area() > 0)) throw Error("a study area needs an interior; this one has an area of 0");
    parts_->on_device.upload(context, area);
    std::vector<AreaSide> border = sides_of(area);
    if (!area.is_polygon()) {
        // One that ends at a periodic side goes on beyond it.
        const Point low = area.low, high = area.high;
        const double x = area.periodic_x ? high.x - low.x : 0, y = area.periodic_y ? high.y - low.y : 0;
        if (!area.periodic_y) {
            border.push_back({{low.x - x, low.y}, {high.x + x, low.y}});
            border.push_back({{high.x + x, high.y}, {low.x - x, high.y}});
        }
        if (!area.periodic_x) {
            border.push_back({{high.x, low.y - y}, {high.x, high.y + y}});
            border.push_back({{low.x, high.y + y}, {low.x, low.y - y}});
        }
    }
    parts_->border.upload(context, border.data(), border.size());
}
SpatialStatistics::SpatialStatistics(Context& context, const SpatialStatistics& like)
    : SpatialStatistics(context, like.area()) {
    parts_->covariance = like.parts_->covariance;
}
SpatialStatistics::~SpatialStatistics() = default;

Context& SpatialStatistics::context() const { return parts_->context; }

void SpatialStatistics::set_points(std::span<const Point> points, std::span<const double> marks) {
    parts_->given.upload(parts_->context, points.data(), points.size());
    set_points(View<const Point>(parts_->given.view(points.size())));
    parts_->marks.assign(marks.begin(), marks.end());
}

void SpatialStatistics::set_points(View<const Point> points) {
    Parts& parts = *parts_;
    Context& context = parts.context;
    const auto n = static_cast<uint32_t>(points.count);
    parts.given_count = n;
    parts.marks.clear();
    if (parts.area.is_polygon()) {
        parts.kept.resize(context, n, false);
        launch(context, "spatial.inside", n, KeepInside{parts.on_device.view(), points, parts.kept.view()});
        points = parts.kept.view(n);
    }
    const double spacing = std::sqrt(parts.area.area() / std::max(n, 1u));
    parts.grid.build(context, window_of(parts.area), points, 2 * spacing);
    parts.depths.resize(context, count(), false);
    launch(context, "spatial.depths", count(),
           Depths{parts.on_device.view(), parts.grid.view().positions, parts.depths.view()});
}

const PointGrid& SpatialStatistics::grid() const { return parts_->grid; }
uint32_t SpatialStatistics::count() const { return parts_->grid.count(); }
const StudyArea& SpatialStatistics::area() const { return parts_->area; }

SpatialStatistics::Distances SpatialStatistics::distances(double reach) { return parts_->distances(reach); }

std::vector<SpatialCurve> SpatialStatistics::measure_mean(std::span<const PointPattern> frames,
                                                          std::vector<SpatialMeasure> measures) {
    std::vector<SpatialCurve> curves(measures.size());
    if (frames.size() == 1) {
        set_points(frames.front().points, frames.front().marks);
        for (size_t m = 0; m < measures.size(); ++m) curves[m] = measure(measures[m].function, measures[m].options);
        return curves;
    }
    std::vector<std::vector<RunningMean>> means(measures.size());  // by curve, of its estimates and its expectation
    uint64_t points = 0;
    for (const PointPattern& frame : frames) {
        set_points(frame.points, frame.marks);
        points += count();
        if (count() < 2) continue;
        for (size_t m = 0; m < measures.size(); ++m) {
            auto& [function, options] = measures[m];
            if (options.radii.empty()) options.radii = default_radii(function, area(), count());
            curves[m] = measure(function, options);
            if (curves[m].bandwidth > 0) options.bandwidth = curves[m].bandwidth;
            curves[m].estimates.push_back({{}, curves[m].expected});
            means[m].resize(curves[m].estimates.size() * curves[m].radii.size());
            size_t place = 0;
            for (const auto& estimate : curves[m].estimates)
                for (const double value : estimate.values) means[m][place++].add(value);
        }
    }
    for (size_t m = 0; m < curves.size(); ++m) {
        if (means[m].empty()) curves[m] = measure(measures[m].function, measures[m].options);  // of nothing
        curves[m].count = points;
        if (means[m].empty()) continue;
        size_t place = 0;
        for (auto& estimate : curves[m].estimates)
            for (double& value : estimate.values) {
                const RunningMean& mean = means[m][place++];
                value = mean.mean();
                estimate.errors.push_back(mean.error());
            }
        curves[m].expected = std::move(curves[m].estimates.back().values);
        curves[m].estimates.pop_back();
    }
    return curves;
}

std::vector<double> SpatialStatistics::directions(double from, double to, uint32_t bins) {
    if (bins == 0 || bins > kMostDirections || !(from >= 0 && to > from && std::isfinite(to)))
        throw Error("directions: expected from 1 to 3,600 bins, and two ascending distances from 0 on");
    std::vector<double> found = parts_->weigh_directions(from, to, bins);
    found.pop_back();
    return found;
}

std::vector<double> SpatialStatistics::nearest_directions(uint32_t bins) {
    const StudyArea& area = parts_->area;
    const double most = std::hypot(area.high.x - area.low.x, area.high.y - area.low.y);
    std::vector<double> found;
    for (double reach = std::sqrt(area.area() / std::max(count(), 1u)); reach < 2 * most; reach *= 2) {
        found = parts_->weigh_directions(-1, 2 * reach, bins);
        if (found.back() == 0) break;
    }
    found.pop_back();
    return found;
}

SpatialCurve SpatialStatistics::measure(SpatialFunction function, const SpatialOptions& options) {
    const StudyArea& area = parts_->area;
    const std::vector<double> radii = options.radii.empty() ? default_radii(function, area, count()) : options.radii;
    if (radii.size() < 2 || radii.size() > kMostOfRadii || !(radii.front() >= 0) || !std::isfinite(radii.back()) ||
        std::ranges::adjacent_find(radii, std::greater_equal()) != radii.end())
        throw Error(std::string(name_of(function)) + ": expected from 2 to 1,024 ascending radii from 0 on, found " +
                    count_text(radii.size(), "radius", "radii"));
    const auto reaches_round = [&](bool periodic, double side) { return periodic && radii.back() > side / 2; };
    if (reaches_round(area.periodic_x, area.high.x - area.low.x) ||
        reaches_round(area.periodic_y, area.high.y - area.low.y))
        throw Error(std::string(name_of(function)) + ": the greatest radius, " + format_short(radii.back()) +
                    ", is more than half a periodic side of the study area; smaller radii are needed");
    if (is_of_marks(function) && parts_->marks.size() != parts_->given_count)
        throw Error(std::string(name_of(function)) + " needs one mark for each of " +
                    count_text(parts_->given_count, "point", "points") + ", found " +
                    std::to_string(parts_->marks.size()));
    SpatialCurve curve{.function = function, .radii = radii, .count = count()};
    if (options.bins &&
        (function == SpatialFunction::kPairCorrelation || function == SpatialFunction::kCrossCorrelation)) {
        for (size_t k = 0; k + 1 < radii.size(); ++k) curve.radii[k] = (radii[k] + radii[k + 1]) / 2;
        curve.radii.pop_back();
    }
    std::vector<EdgeCorrection> corrections = corrections_of(function, area);
    const bool is_torus = area.periodic_x && area.periodic_y;
    if (!options.corrections.empty() && !is_torus)
        std::erase_if(corrections, [&](EdgeCorrection one) {
            return std::ranges::find(options.corrections, one) == options.corrections.end();
        });
    if (count() < 2) {
        for (const EdgeCorrection one : corrections)
            curve.estimates.push_back({one, std::vector<double>(curve.radii.size(), NAN)});
        curve.expected.assign(curve.radii.size(), NAN);
    } else if (is_distance_function(function)) {
        parts_->measure_distances(curve, options, corrections);
    } else {
        parts_->measure_pairs(curve, radii, options, corrections);
    }
    return curve;
}

}  // namespace flipscope
