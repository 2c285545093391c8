// Kernel estimates of the intensity on a lattice, and their bandwidth.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "flipscope/spatial.h"
#include "statistics/area_view.h"

namespace flipscope {

namespace {

class IntensityLattice {
  public:
    IntensityLattice(const StudyArea& area, uint32_t side)
        : area_(area),
          side_(side),
          width_((area.high.x - area.low.x) / side),
          height_((area.high.y - area.low.y) / side),
          inside_(size_t(side) * side) {
        const AreaIndex index(area);
        const AreaView view = index.view();
        for (size_t i = 0; i < inside_.size(); ++i)
            inside_[i] = view.contains(
                {area.low.x + width_ * (double(i % side) + 0.5), area.low.y + height_ * (double(i / side) + 0.5)});
    }
    Point size() const { return {width_, height_}; }
    double pixel_area() const { return width_ * height_; }
    const std::vector<double>& inside() const { return inside_; }
    size_t pixel(Point p) const {
        const auto k = [&](double offset, double size) {
            return static_cast<size_t>(std::clamp(offset / size, 0.0, side_ - 1.0));
        };
        return k(p.y - area_.low.y, height_) * side_ + k(p.x - area_.low.x, width_);
    }
    /// Convolves with a Gaussian of integral 1; goes round along periodic axes.
    std::vector<double> smoothed(const std::vector<double>& values, double sigma) const {
        return along(along(values, sigma / width_, 1, side_, area_.periodic_x), sigma / height_, side_, 1,
                     area_.periodic_y);
    }
    /// The value of the kernel at its middle.
    double peak(double sigma) const { return weights(sigma / width_)[0] * weights(sigma / height_)[0] / pixel_area(); }

  private:
    /// Of pixels 0, 1, 2 … away, up to eight standard deviations.
    std::vector<double> weights(double sigma) const {
        std::vector<double> all;
        for (uint32_t k = 0; k < side_ && k <= 8 * sigma + 1; ++k)
            all.push_back(std::exp(-0.5 * (k / sigma) * (k / sigma)) / (sigma * std::sqrt(2 * std::numbers::pi)));
        return all;
    }
    std::vector<double> along(const std::vector<double>& values, double sigma, size_t step, size_t other_step,
                              bool periodic) const {
        const std::vector<double> weight = weights(sigma);
        const auto side = static_cast<int64_t>(side_), reach = static_cast<int64_t>(weight.size()) - 1;
        std::vector<double> made(values.size());
        for (int64_t line = 0; line < side; ++line)
            for (int64_t i = 0; i < side; ++i) {
                double sum = 0;
                for (int64_t j = i - reach; j <= i + reach; ++j) {
                    if (!periodic && (j < 0 || j >= side)) continue;
                    const int64_t from = ((j % side) + side) % side;
                    sum += values[size_t(line) * other_step + size_t(from) * step] * weight[size_t(std::abs(j - i))];
                }
                made[size_t(line) * other_step + size_t(i) * step] = sum;
            }
        return made;
    }

    const StudyArea& area_;
    uint32_t side_;
    double width_, height_;
    std::vector<double> inside_;
};

/// The likelihood of each point under the estimate from the others, and the integral of the estimate.
double likelihood_score(const IntensityLattice& lattice, std::span<const Point> points, double sigma) {
    const std::vector<double> share = lattice.smoothed(lattice.inside(), sigma);
    std::vector<double> counts(share.size());
    for (const Point p : points) ++counts[lattice.pixel(p)];
    const std::vector<double> sums = lattice.smoothed(counts, sigma);
    double score = 0;
    for (const Point p : points) {
        const size_t k = lattice.pixel(p);
        score += std::log(std::max((sums[k] / lattice.pixel_area() - lattice.peak(sigma)) / share[k], 1e-300));
    }
    for (size_t k = 0; k < sums.size(); ++k) score -= lattice.inside()[k] > 0 ? sums[k] / share[k] : 0;
    return score;
}

/// Twice the bandwidth with the least mean square error.
double berman_diggle(SpatialStatistics& statistics) {
    const double density = statistics.count() / statistics.area().area();
    SpatialOptions options;
    options.corrections = {EdgeCorrection::kTranslation};
    const SpatialCurve curve = statistics.measure(SpatialFunction::kK, options);
    const std::vector<double>&r = curve.radii, &k = curve.estimates.back().values;
    double best = r.back() / 4, least = INFINITY;
    for (size_t i = 1; i < r.size() && r[i] <= r.back() / 2; ++i) {
        double sum = 0;
        for (size_t j = 1; j < r.size() && r[j] <= 2 * r[i]; ++j) {
            const double y = std::min(r[j] / (2 * r[i]), 1.0);
            sum += 2 * r[i] * r[i] * (std::acos(y) - y * std::sqrt(1 - y * y)) * (k[j] - k[j - 1]);
        }
        const double disc = std::numbers::pi * r[i] * r[i];
        const double error = (1 / density - 2 * k[i]) / disc + sum / (disc * disc);
        if (error < least) {
            least = error;
            best = r[i] / 2;
        }
    }
    return best;
}

}  // namespace

IntensityMap intensity_map(const StudyArea& area, std::span<const Point> points, double bandwidth, bool diggle,
                           uint32_t side) {
    const IntensityLattice lattice(area, side);
    const std::vector<double> share = lattice.smoothed(lattice.inside(), bandwidth);
    std::vector<double> counts(share.size());
    for (const Point p : points_inside(area, points)) {
        const size_t k = lattice.pixel(p);
        counts[k] += diggle ? 1 / share[k] : 1;
    }
    IntensityMap map{side, side, bandwidth, lattice.smoothed(counts, bandwidth), area.low, lattice.size()};
    for (size_t k = 0; k < share.size(); ++k) {
        map.values[k] /= lattice.pixel_area() * (diggle ? 1 : share[k]);
        if (lattice.inside()[k] == 0) map.values[k] = NAN;
    }
    return map;
}

double bandwidth_of(SpatialStatistics& statistics, std::span<const Point> points, BandwidthRule rule) {
    const StudyArea& area = statistics.area();
    if (statistics.count() < 2) return NAN;
    if (rule == BandwidthRule::kDiggle) return berman_diggle(statistics);
    const std::vector<Point> inside = points_inside(area, points);
    const double n = double(inside.size());
    if (rule == BandwidthRule::kScott) {
        double product = 1;
        for (double Point::*axis : {&Point::x, &Point::y}) {
            double mean = 0, squares = 0;
            for (const Point p : inside) mean += p.*axis / n;
            for (const Point p : inside) squares += (p.*axis - mean) * (p.*axis - mean) / (n - 1);
            product *= squares;
        }
        return std::pow(product, 0.25) * std::pow(n, -1.0 / 6);
    }
    // 32 bandwidths in geometric steps, from a pixel on.
    const IntensityLattice lattice(area, 128);
    const double from = std::sqrt(lattice.pixel_area()), to = std::sqrt(area.area()) / 2;
    double best = from, most = -INFINITY;
    for (int step = 0; step < 32; ++step) {
        const double sigma = from * std::pow(to / from, step / 31.0);
        if (const double score = likelihood_score(lattice, inside, sigma); score > most) {
            most = score;
            best = sigma;
        }
    }
    return best;
}

}  // namespace flipscope
