#include "judge/points.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/cancel.h"
#include "compute/disjoint_sets.h"
#include "flipscope/predicates.h"
#include "flipscope/triangulate.h"
#include "geometry/range_check.h"
#include "mesh/edge_bundles.h"

namespace flipscope {

namespace {

/// If there are `many` lists or more, sorts them, the longest first, and keeps kMostExamples of them.
void keep_longest(std::vector<std::vector<uint32_t>>& lists, size_t many) {
    if (lists.size() < many) return;
    std::sort(lists.begin(), lists.end(),
              [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
    if (lists.size() > kMostExamples) lists.resize(kMostExamples);
}

class PointsJudge {
  public:
    PointsJudge(Context& context, std::span<const Point> points) : context_(context), points_(points) {}

    PointsJudgement judge() {
        require_in_range(points_, "point");
        found_.points = points_.size();
        TriangulateOptions options;
        options.neighbours = options.hash = false;
        exact_ = triangulate(context_, points_, options);
        found_.triangles = exact_.triangles.size();
        found_.hull_edges = exact_.hull.size();
        found_.edges = (3 * exact_.triangles.size() + exact_.hull.size()) / 2;
        look_at_duplicates();
        look_at_precision();
        found_.in_one_line = exact_.triangles.empty();
        if (found_.in_one_line) {
            if (exact_.path.size() > 2) {
                found_.runs = 1;
                found_.lines.push_back(exact_.path);
            }
            return std::move(found_);
        }
        look_at_turns();
        look_at_edges();
        look_at_circles();
        look_at_lines();
        return std::move(found_);
    }

  private:
    struct Inner {  // an edge with two triangles
        uint32_t from, to, left, right, triangles[2];
    };
    Point at(uint32_t v) const { return points_[v]; }

    void look_at_duplicates() {
        for (uint32_t v = 0; v < exact_.duplicate_of.size(); ++v) {
            if (exact_.duplicate_of[v] == v) continue;
            ++found_.duplicates;
            if (found_.duplicate_pairs.size() < kMostExamples)
                found_.duplicate_pairs.push_back({v, exact_.duplicate_of[v]});
        }
    }

    /// Differences of whole numbers below 2^b are below 2^(b + 1); orient2d is a difference of two products of those,
    /// the in-circle determinant a sum of three products of a difference of such and a sum of two squares.
    void look_at_precision() {
        int low = 2000, high = -2000;
        for (const Point& p : points_)
            for (const double v : {p.x, p.y}) {
                if (v == 0) continue;
                low = std::min(low, exact::lowest_bit(&v, 1));
                high = std::max(high, std::ilogb(v));
            }
        if (high < low) return;  // all are 0
        found_.unit = low;
        found_.coordinate_bits = high - low + 1;
        found_.turn_bits = 2 * (found_.coordinate_bits + 1) + 1;
        found_.circle_bits = 4 * (found_.coordinate_bits + 1) + 4;
    }

    void look_at_turns() {
        CancelPoll poll;
        for (const auto& c : exact_.triangles) {
            poll();
            const Point p = at(c[0]), q = at(c[1]), r = at(c[2]);
            const detail::Determinant value = detail::orient2d(p, q, r);
            found_.filtered_turns += std::abs(value.value) > value.error;
            const auto count = [&](int sign, NaiveSigns& signs) {
                if (sign > 0) return;
                ++signs.wrong_turns;
                if (signs.turns.size() < kMostExamples) signs.turns.push_back(c);
            };
            for (size_t k = 0; k < std::size(kNaivePredicates); ++k)
                count(orient(kNaivePredicates[k], p, q, r), found_.naive[k]);
        }
    }

    void look_at_edges() {
        const auto n = static_cast<uint32_t>(points_.size());
        const EdgeBundles edges({exact_.triangles[0].data(), 3 * exact_.triangles.size()}, n, &context_);
        const auto corner = [&](uint32_t slot, uint32_t k) { return exact_.triangles[slot / 3][(slot % 3 + k) % 3]; };
        edges.each(0, n, [&](const EdgeBundle& edge) {
            if (edge.count != 2) return;
            const uint32_t s = edge.corner(0), t = edge.corner(1);
            const Inner inner{corner(s, 0), corner(s, 1), corner(s, 2), corner(t, 2), {s / 3, t / 3}};
            const Point a = at(inner.from), b = at(inner.to), c = at(inner.left), d = at(inner.right);
            const detail::Determinant value = detail::incircle(a, b, c, d);
            const bool filtered = std::abs(value.value) > value.error;
            const int sign = filtered ? exact::sign_of(value.value) : incircle(a, b, c, d);
            found_.filtered_circles += filtered;
            if (sign == 0) cocircular_.push_back(inner);
            const auto count = [&](int naive, NaiveSigns& signs) {
                if (naive == sign) return;
                ++(sign == 0 ? signs.wrong_ties : signs.wrong_circles);
                if (sign != 0 && signs.circles.size() < kMostExamples)
                    signs.circles.push_back({inner.from, inner.to, inner.left, inner.right});
            };
            for (size_t k = 0; k < std::size(kNaivePredicates); ++k)
                count(naive_in_circle(kNaivePredicates[k], a, b, c, d), found_.naive[k]);
        });
    }

    /// Triangles with a common circle are connected through edges with all four points on it.
    void look_at_circles() {
        std::vector<uint32_t> parents(exact_.triangles.size());
        std::iota(parents.begin(), parents.end(), 0);
        for (const Inner& edge : cocircular_)
            parents[root_of(parents, edge.triangles[0])] = root_of(parents, edge.triangles[1]);
        std::vector<std::array<uint32_t, 2>> corners;  // of cells of two triangles or more: the cell, a point
        for (const Inner& edge : cocircular_)
            for (const uint32_t t : edge.triangles)
                for (const uint32_t v : exact_.triangles[t]) corners.push_back({root_of(parents, t), v});
        sort_distinct_or_cancel(corners);
        for (size_t i = 0; i < corners.size();) {
            std::vector<uint32_t> set;
            for (const uint32_t cell = corners[i][0]; i < corners.size() && corners[i][0] == cell; ++i)
                set.push_back(corners[i][1]);
            ++found_.circles;
            found_.cocircular.push_back(std::move(set));
            keep_longest(found_.cocircular, 4 * kMostExamples);
        }
        keep_longest(found_.cocircular, 0);
    }

    /// At each point, pairs of edges that continue straight through it are found and joined to lists.
    void look_at_lines() {
        const auto n = static_cast<uint32_t>(points_.size());
        std::vector<uint32_t> start(size_t(n) + 1, 0), around;
        const auto each = [&](const auto& what) {
            for (const auto& c : exact_.triangles)
                for (uint32_t k = 0; k < 3; ++k) what(c[k], c[(k + 1) % 3]);
            for (size_t i = 0; i < exact_.hull.size(); ++i)  // the hull in reverse, which has no triangles
                what(exact_.hull[(i + 1) % exact_.hull.size()], exact_.hull[i]);
        };
        each([&](uint32_t from, uint32_t) { ++start[from + 1]; });
        for (uint32_t v = 0; v < n; ++v) start[v + 1] += start[v];
        around.resize(start[n]);
        std::vector<uint32_t> next(start.begin(), start.end() - 1);
        each([&](uint32_t from, uint32_t to) { around[next[from]++] = to; });
        const auto before = [&](uint32_t a, uint32_t b) {
            return at(a).x != at(b).x ? at(a).x < at(b).x : at(a).y < at(b).y;
        };
        // By half-edge: the one that continues straight from its end, for half-edges to the right.
        std::vector<uint32_t> onward(around.size(), kNone);
        std::vector<uint8_t> continues(around.size(), 0);
        const auto edge_to = [&](uint32_t from, uint32_t to) {
            for (uint32_t e = start[from]; e < start[from + 1]; ++e)
                if (around[e] == to) return e;
            return kNone;
        };
        CancelPoll poll;
        for (uint32_t v = 0; v < n; ++v) {
            poll();
            for (uint32_t e = start[v]; e < start[v + 1]; ++e) {
                if (!before(around[e], v)) continue;  // from the left
                for (uint32_t f = start[v]; f < start[v + 1]; ++f) {
                    if (!before(v, around[f]) || orient2d(at(around[e]), at(v), at(around[f])) != 0) continue;
                    onward[edge_to(around[e], v)] = f;
                    continues[f] = 1;
                }
            }
        }
        for (uint32_t v = 0; v < n; ++v)
            for (uint32_t e = start[v]; e < start[v + 1]; ++e) {
                poll();
                if (continues[e] || onward[e] == kNone) continue;
                ++found_.runs;
                std::vector<uint32_t> line{v, around[e]};
                for (uint32_t f = onward[e]; f != kNone; f = onward[f]) line.push_back(around[f]);
                found_.lines.push_back(std::move(line));
                keep_longest(found_.lines, 4 * kMostExamples);
            }
        keep_longest(found_.lines, 0);
        for (size_t i = 0, h = exact_.hull.size(); i < h; ++i)
            found_.hull_points_on_lines +=
                orient2d(at(exact_.hull[i]), at(exact_.hull[(i + 1) % h]), at(exact_.hull[(i + 2) % h])) == 0;
    }

    Context& context_;
    std::span<const Point> points_;
    PointsJudgement found_;
    Triangulation exact_;
    std::vector<Inner> cocircular_;
};

}  // namespace

PointsJudgement judge_points(Context& context, std::span<const Point> points) {
    const CancelScope scope(context.cancel_flag());
    return PointsJudge(context, points).judge();
}

}  // namespace flipscope
