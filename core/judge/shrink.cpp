#include "judge/shrink.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "compute/cancel.h"
#include "flipscope/detail/exact.h"
#include "flipscope/predicates.h"
#include "geometry/bounds.h"

namespace flipscope {

namespace {

constexpr size_t kMostForPairs = 40;  // points of which all pairs are tried

/// Indices of points, so that neighbours in the list are neighbours in the plane: halves of it lie on either side of a
/// straight cut, and so on within each half.
void cut_in_halves(std::span<const Point> points, std::span<uint32_t> order) {
    if (order.size() < 3) return;
    Bounds bounds{points[order[0]], points[order[0]]};
    for (const uint32_t i : order) bounds = bounds.with(points[i]);
    const bool by_x = bounds.high.x - bounds.low.x >= bounds.high.y - bounds.low.y;
    const size_t half = order.size() / 2;
    std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(half), order.end(),
                     [&](uint32_t a, uint32_t b) {
                         const double p = by_x ? points[a].x : points[a].y, q = by_x ? points[b].x : points[b].y;
                         return p != q ? p < q : a < b;
                     });
    cut_in_halves(points, order.first(half));
    cut_in_halves(points, order.subspan(half));
}

/// To so many binary digits; 0 gives 0.
double shortened(double value, int bits, double (*to_whole)(double)) {
    if (bits == 0 || value == 0) return 0;
    const int shift = bits - 1 - std::ilogb(value);
    return std::ldexp(to_whole(std::ldexp(value, shift)), -shift);
}

class Shrinker {
  public:
    Shrinker(std::span<const Point> points, const ShrinkOptions& options)
        : options_(options), points_(points.begin(), points.end()) {}

    Shrunk shrink() {
        if (!are_of_kind(points_, options_.kinds))
            throw std::invalid_argument("these points do not meet the required kinds");
        if (!fails(points_)) throw std::invalid_argument("these points do not fail, so there is nothing to shrink");
        try {
            for (bool changed = true; changed;) {
                leave_out();
                changed = options_.simplify && simplify();
            }
        } catch (const UsedUp&) {
            return {std::move(points_), tests_, false};
        }
        return {std::move(points_), tests_, true};
    }

  private:
    struct UsedUp {};

    bool fails(const std::vector<Point>& candidate) {
        throw_if_cancelled();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        if (tests_ > 0 && seconds > options_.most_seconds) throw UsedUp{};
        ++tests_;
        return options_.fails(candidate);
    }
    void tell() const {
        if (options_.progress) options_.progress({stage_, &points_, tests_});
    }

    /// The points of these places in points_, in their order there.
    bool keeps_failing(std::vector<uint32_t> places) {
        if (places.empty() || places.size() >= points_.size()) return false;
        std::sort(places.begin(), places.end());
        std::vector<Point> candidate;
        candidate.reserve(places.size());
        for (const uint32_t place : places) candidate.push_back(points_[place]);
        if (!fails(candidate)) return false;
        points_ = std::move(candidate);
        tell();
        return true;
    }

    void leave_out() {
        stage_ = "leaving points out";
        tell();
        do {
            for (size_t parts = 2; points_.size() > 1;) {
                parts = std::min(parts, points_.size());
                const size_t before = points_.size();
                if (leave_one_part_out(parts)) {
                    // As fine as before, relative to the remaining points.
                    parts = std::max<size_t>(2, parts * points_.size() / before);
                    continue;
                }
                if (parts == points_.size()) break;
                parts *= 2;
            }
        } while (leave_pair_out());
    }

    /// One of `parts` equal parts alone, or all but one of them.
    bool leave_one_part_out(size_t parts) {
        std::vector<uint32_t> order(points_.size());
        std::iota(order.begin(), order.end(), 0);
        cut_in_halves(points_, order);
        const auto part = [&](size_t i) {
            return std::pair{order.begin() + static_cast<ptrdiff_t>(i * order.size() / parts),
                             order.begin() + static_cast<ptrdiff_t>((i + 1) * order.size() / parts)};
        };
        const bool halves = parts == 2;
        for (size_t i = 0; i < parts; ++i) {
            const auto [begin, end] = part(i);
            if (keeps_failing({begin, end})) return true;
        }
        for (size_t i = 0; i < parts && !halves; ++i) {
            const auto [begin, end] = part(i);
            std::vector<uint32_t> rest(order.begin(), begin);
            rest.insert(rest.end(), end, order.end());
            if (keeps_failing(std::move(rest))) return true;
        }
        return false;
    }

    bool leave_pair_out() {
        const auto n = static_cast<uint32_t>(points_.size());
        if (n > kMostForPairs) return false;
        for (uint32_t a = 0; a < n; ++a)
            for (uint32_t b = a + 1; b < n; ++b) {
                std::vector<uint32_t> rest;
                for (uint32_t v = 0; v < n; ++v)
                    if (v != a && v != b) rest.push_back(v);
                if (keeps_failing(std::move(rest))) return true;
            }
        return false;
    }

    bool simplify() {
        stage_ = "simplifying coordinates";
        tell();
        bool changed = simplify_all();
        if (points_.size() > 200) return changed;
        changed = simplify_each() || changed;
        if (points_.size() <= kMostForPairs) changed = make_alike() || changed;
        return changed;
    }

    /// Taken where it is simpler and still fails.
    bool try_points(std::vector<Point> candidate) {
        for (Point& p : candidate) {
            if (!coordinate_in_range(p.x) || !coordinate_in_range(p.y)) return false;
            p = {p.x + 0.0, p.y + 0.0};  // no -0
        }
        if (cost_of(candidate) >= cost_of(points_)) return false;
        // Points that have met are another failure: what a program says of duplicates, or does to them.
        if (place_count(candidate) < place_count(points_) || !are_of_kind(candidate, options_.kinds)) return false;
        if (!fails(candidate)) return false;
        points_ = std::move(candidate);
        tell();
        return true;
    }

    /// All coordinates on one lattice as coarse as can be, in whole numbers, with and without the corner that they
    /// begin at.
    bool simplify_all() {
        const Point low = bounds_of(points_).low;
        double extent = 0, magnitude = 0;
        for (const Point& p : points_) {
            extent = std::max({extent, p.x - low.x, p.y - low.y});
            magnitude = std::max({magnitude, std::abs(p.x), std::abs(p.y)});
        }
        const auto lattice = [&](Point corner, double size) {
            if (!(size > 0)) return false;
            for (int bits = 1; bits <= 53; ++bits) {
                const int shift = bits - 1 - std::ilogb(size);
                std::vector<Point> candidate = points_;
                for (Point& p : candidate)
                    p = {std::nearbyint(std::ldexp(p.x - corner.x, shift)),
                         std::nearbyint(std::ldexp(p.y - corner.y, shift))};
                if (try_points(std::move(candidate))) return true;
            }
            return false;
        };
        return lattice(low, extent) || lattice({0, 0}, magnitude);
    }

    bool simplify_each() {
        bool changed = false;
        for (size_t i = 0; i < 2 * points_.size(); ++i) {
            const auto with = [&](double value) {
                std::vector<Point> candidate = points_;
                (i % 2 ? candidate[i / 2].y : candidate[i / 2].x) = value;
                return candidate;
            };
            const double value = i % 2 ? points_[i / 2].y : points_[i / 2].x;
            bool simpler = false;
            for (int bits = 0; bits < significant_bits(value) && !simpler; ++bits)
                simpler = try_points(with(shortened(value, bits, std::nearbyint))) ||
                          try_points(with(shortened(value, bits, std::trunc)));
            changed = changed || simpler;
        }
        return changed;
    }

    /// Equal magnitudes, which show symmetries.
    bool make_alike() {
        bool changed = false;
        for (size_t i = 0; i < 2 * points_.size(); ++i)
            for (size_t j = 0; j < i; ++j) {
                const auto value = [&](size_t k) { return k % 2 ? points_[k / 2].y : points_[k / 2].x; };
                if (std::abs(value(i)) == std::abs(value(j))) continue;
                std::vector<Point> candidate = points_;
                double& place = i % 2 ? candidate[i / 2].y : candidate[i / 2].x;
                place = std::copysign(value(j), place);
                if (std::abs(place - value(i)) > std::abs(value(i)) / 2) continue;
                changed = try_points(std::move(candidate)) || changed;
            }
        return changed;
    }

    /// Digits of all coordinates together; then how many different sizes there are.
    static uint64_t cost_of(const std::vector<Point>& points) {
        uint64_t bits = 0;
        std::set<double> sizes;
        double magnitude = 0;
        for (const Point& p : points)
            for (const double v : {p.x, p.y}) {
                bits += static_cast<uint64_t>(significant_bits(v));
                sizes.insert(std::abs(v));
                // A whole number that is small is easiest to read.
                if (v != 0) magnitude += std::abs(std::ilogb(v)) + (v == std::nearbyint(v) ? 0 : 8);
            }
        return bits << 32 | std::min<uint64_t>(sizes.size(), 0xffff) << 16 |
               static_cast<uint64_t>(std::min(magnitude, 65535.0));
    }

    const ShrinkOptions& options_;
    std::vector<Point> points_;
    const char* stage_ = "leaving points out";
    uint64_t tests_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

int significant_bits(double value) {
    if (value == 0 || !std::isfinite(value)) return 0;
    const uint64_t mantissa = (exact::bits_of(value) & ((1ull << 52) - 1)) | 1ull << 52;
    return 53 - exact::trailing_zeros(mantissa);
}

Shrunk shrink(std::span<const Point> points, const ShrinkOptions& options) {
    return Shrinker(points, options).shrink();
}

}  // namespace flipscope
