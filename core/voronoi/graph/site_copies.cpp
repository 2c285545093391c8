#include "voronoi/graph/site_copies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/cancel.h"
#include "flipscope/predicates.h"

namespace flipscope {

namespace {

/// Whether x + turn was rounded, by Knuth.
bool lost(double x, double turn, double sum) {
    const double added = sum - x;
    return (x - (sum - added)) + (turn - added) != 0;
}

}  // namespace

SiteCopies::SiteCopies(const Lattice& lattice, const std::vector<Point>& at, const std::vector<double>& radii,
                       double margin)
    : at_(at), radii_(radii), width_(lattice.width), height_(lattice.height) {
    unit_ = unit_of(width_, unit_of(height_, 0));
    for (const double radius : radii) unit_ = unit_of(radius, unit_);
    std::vector<uint32_t> sites(at.size());
    std::iota(sites.begin(), sites.end(), 0u);
    const auto by_rank = [](uint32_t i, uint32_t j) { return perturbation_rank(i) < perturbation_rank(j); };
    sort_or_cancel(sites.begin(), sites.end(), by_rank);
    const int turns_x = lattice.periodic.x, turns_y = lattice.periodic.y;
    std::vector<Copy> sorted;
    double farthest = 0;
    CancelPoll poll;
    for (const uint32_t i : sites) {
        poll();
        unit_ = unit_of(at[i].x, unit_of(at[i].y, unit_));
        farthest = std::max({farthest, std::fabs(at[i].x), std::fabs(at[i].y)});
        for (int x = -turns_x; x <= turns_x; ++x)
            for (int y = -turns_y; y <= turns_y; ++y) {
                const Point p{at[i].x + x * width_, at[i].y + y * height_};
                const bool near = p.x >= -margin && p.y >= -margin && p.x <= width_ + margin && p.y <= height_ + margin;
                if (near || (x == 0 && y == 0)) sorted.push_back({i, x, y});
            }
    }
    if (lattice.periodic.any()) slack_ = 16 * detail::kHalfUlp * (farthest + width_ + height_);
    std::vector<uint32_t> places(sorted.size());
    std::iota(places.begin(), places.end(), 0u);
    sort_or_cancel(places.begin(), places.end(), by_rank);
    copies_.resize(sorted.size());
    points_.resize(sorted.size());
    for (size_t k = 0; k < sorted.size(); ++k) {
        const Copy& copy = copies_[places[k]] = sorted[k];
        const Point& from = at[copy.site];
        const double turn_x = copy.turn_x * width_, turn_y = copy.turn_y * height_;
        const Point& p = points_[places[k]] = {from.x + turn_x, from.y + turn_y};
        rounded_ = rounded_ || lost(from.x, turn_x, p.x) || lost(from.y, turn_y, p.y);
    }
}

Point SiteCopies::difference(uint32_t a, uint32_t b) const {
    const Copy &from = copies_[a], &to = copies_[b];
    const Point p = at_[from.site], q = at_[to.site];
    return {(q.x - p.x) + (to.turn_x - from.turn_x) * width_, (q.y - p.y) + (to.turn_y - from.turn_y) * height_};
}

int SiteCopies::orient(uint32_t a, uint32_t b, uint32_t c) const {
    const Point p = difference(c, a), q = difference(c, b);
    const double left = p.x * q.y, right = p.y * q.x;
    const double size = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(q.x), std::fabs(q.y)});
    const double error = 4 * detail::kHalfUlp * (std::fabs(left) + std::fabs(right)) + 8 * slack_ * (size + slack_);
    if (std::fabs(left - right) > error) return exact::sign_of(left - right);
    const auto [px, py] = whole_difference(c, a);
    const auto [qx, qy] = whole_difference(c, b);
    return Whole(px * qy - py * qx).sign();
}

int SiteCopies::power(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
    const std::array<uint32_t, 3> corners{a, b, c};
    Point p[3];
    double lift[3], size = 0, high = weight(d);
    for (int k = 0; k < 3; ++k) {
        p[k] = difference(d, corners[k]);
        size = std::max({size, std::fabs(p[k].x), std::fabs(p[k].y)});
        high = std::max(high, weight(corners[k]));
        lift[k] = p[k].x * p[k].x + p[k].y * p[k].y - weight(corners[k]) + weight(d);
    }
    const double value = lift[0] * (p[1].x * p[2].y - p[2].x * p[1].y) + lift[1] * (p[2].x * p[0].y - p[0].x * p[2].y) +
                         lift[2] * (p[0].x * p[1].y - p[1].x * p[0].y);
    // The liftings are at most `top`, the minors 2 size²; each difference is off by at most slack_.
    const double top = 2 * size * size + 2 * high, off = size + slack_;
    const double error = 128 * (detail::kHalfUlp * top * off * off + slack_ * off * (off * off + top));
    if (std::fabs(value) > error) return exact::sign_of(value);
    const int sign = whole_power(corners, d);
    return sign != 0 ? sign : tie({a, b, c, d});
}

bool SiteCopies::covered(uint32_t a, uint32_t b, uint32_t c) const {
    const WholePair to_b = whole_difference(a, b), to_c = whole_difference(a, c);
    const Whole along = to_b.first * to_c.first + to_b.second * to_c.second;
    const Whole whole = to_c.first * to_c.first + to_c.second * to_c.second;
    return whole_lift(to_b, b, a) * whole >= whole_lift(to_c, c, a) * along;
}

bool SiteCopies::before(uint32_t a, uint32_t b) const {
    const auto [x, y] = whole_difference(a, b);
    return x.sign() != 0 ? x.sign() > 0 : y.sign() > 0;
}

SiteCopies::WholePair SiteCopies::whole_difference(uint32_t a, uint32_t b) const {
    const Copy &from = copies_[a], &to = copies_[b];
    const Point p = at_[from.site], q = at_[to.site];
    const auto whole = [&](double v) { return whole_of(v, unit_); };
    return {whole(q.x) - whole(p.x) + whole((to.turn_x - from.turn_x) * width_),
            whole(q.y) - whole(p.y) + whole((to.turn_y - from.turn_y) * height_)};
}

/// The lifting of p from d, less that of d; `way`: from d to p.
Whole SiteCopies::whole_lift(const WholePair& way, uint32_t p, uint32_t d) const {
    const Whole own = whole_of(radius(p), unit_), other = whole_of(radius(d), unit_);
    return way.first * way.first + way.second * way.second - own * own + other * other;
}

int SiteCopies::whole_power(const std::array<uint32_t, 3>& corners, uint32_t d) const {
    WholePair ways[3];
    Whole sum;
    for (int k = 0; k < 3; ++k) ways[k] = whole_difference(d, corners[k]);
    for (int k = 0; k < 3; ++k) {
        const auto& [x, y] = ways[(k + 1) % 3];
        const auto& [z, w] = ways[(k + 2) % 3];
        sum += whole_lift(ways[k], corners[k], d) * (x * w - z * y);
    }
    return sum.sign();
}

/// Raises the liftings by infinitesimals, see detail::resolve_tie().
int SiteCopies::tie(const std::array<uint32_t, 4>& v) const {
    std::array<int, 4> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(),
              [&](int k, int l) { return perturbation_rank(v[k]) > perturbation_rank(v[l]); });
    for (const int top : order) {
        const int sign = orient(v[top == 0], v[top <= 1 ? 2 : 1], v[top <= 2 ? 3 : 2]);
        if (sign != 0) return top % 2 == 0 ? sign : -sign;
    }
    return 0;
}

}  // namespace flipscope
