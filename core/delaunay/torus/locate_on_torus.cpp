#include <algorithm>
#include <optional>

#include "compute/cancel.h"
#include "compute/for_ranges.h"
#include "delaunay/constructions/locator_view.h"
#include "delaunay/torus/wrap_points.h"
#include "flipscope/triangulate_torus.h"

namespace flipscope {

namespace {

/// A triangle of the unrolled plane: the one whose first corner is in the box, moved by `shift` sides.
struct Unrolled {
    uint32_t triangle = kNone;
    int x = 0, y = 0;  // shift
};

class UnrolledWalk {
  public:
    explicit UnrolledWalk(const TorusTriangles& made) : made_(made), grid_(Bounds{{0, 0}, made.sides}) {
        lowest_.resize(made.points.size());
        for (auto t = static_cast<uint32_t>(made.triangles.size()); t-- > 0;)
            for (uint32_t k = 0; k < 3; ++k) lowest_[made.triangles[t][k]] = 3 * t + k;
        for (uint32_t v = 0; v < lowest_.size(); ++v) starts_.push_back({grid_.key(made.points[v]), lowest_[v]});
        std::sort(starts_.begin(), starts_.end());
    }

    Unrolled locate(Point q) const {
        auto start = std::lower_bound(starts_.begin(), starts_.end(), Start{grid_.key(q), 0});
        if (start == starts_.end()) --start;
        const ImageShift image = made_.images[start->corner / 3][start->corner % 3];
        Unrolled at{start->corner / 3, -image.x, -image.y};
        for (uint32_t k = 0, kept = 0; kept < 3; k = (k + 1) % 3) {
            if (orient2d(place(at, k + 1), place(at, k + 2), q) >= 0) {
                ++kept;
            } else {
                at = across(at, k);
                kept = 0;
            }
        }
        return lowest(at, q);
    }

  private:
    struct Start {
        uint64_t key;  // along the curve
        uint32_t corner;
        auto operator<=>(const Start&) const = default;
    };

    Point place(const Unrolled& at, uint32_t k) const {
        const Point p = made_.points[made_.triangles[at.triangle][k % 3]];
        const ImageShift image = made_.images[at.triangle][k % 3];
        return {p.x + made_.sides.x * (at.x + image.x), p.y + made_.sides.y * (at.y + image.y)};
    }
    /// The triangle of `corner`, moved to where this is corner k of another.
    Unrolled meeting(const Unrolled& at, uint32_t k, uint32_t corner) const {
        const ImageShift here = made_.images[at.triangle][k], there = made_.images[corner / 3][corner % 3];
        return {corner / 3, at.x + here.x - there.x, at.y + here.y - there.y};
    }
    /// The triangle across the edge that is opposite to corner k.
    Unrolled across(const Unrolled& at, uint32_t k) const {
        return meeting(at, (k + 2) % 3, made_.across[at.triangle][k]);
    }
    /// Of the triangles at a place that is on an edge or a vertex of this one.
    Unrolled lowest(const Unrolled& found, Point q) const {
        uint32_t zero[3] = {}, zeros = 0;
        for (uint32_t k = 0; k < 3; ++k)
            if (orient2d(place(found, k + 1), place(found, k + 2), q) == 0) zero[zeros++] = k;
        if (zeros == 0) return found;
        const uint32_t k = 3 - zero[0] - zero[1];  // the corner at the place, if it is a vertex
        const Unrolled other =
            zeros == 1 ? across(found, zero[0]) : meeting(found, k, lowest_[made_.triangles[found.triangle][k]]);
        return other.triangle < found.triangle ? other : found;
    }

    const TorusTriangles& made_;
    LocatorGrid grid_;
    std::vector<uint32_t> lowest_;  // (n) the corner of the lowest triangle at each vertex
    std::vector<Start> starts_;     // (n) ascending
};

}  // namespace

TorusPlaces locate_on_torus(Context& context, const TorusTriangles& made, std::span<const Point> queries) {
    const CancelScope scope(context.cancel_flag());
    TorusPlaces found;
    found.places.assign(queries.begin(), queries.end());
    found.triangles.assign(queries.size(), kNone);
    found.images.resize(queries.size());
    if (made.triangles.empty()) return found;
    const TorusBox box = TorusBox::of(made.sides);
    const UnrolledWalk walk(made);
    for_ranges(context, static_cast<uint32_t>(queries.size()), [&](uint32_t begin, uint32_t end) {
        for (uint32_t i = begin; i < end; ++i) {
            const std::optional<Point> place = wrap_point(box, queries[i]);
            if (!place) continue;
            const Unrolled at = walk.locate(*place);
            found.places[i] = *place;
            found.triangles[i] = at.triangle;
            found.images[i] = {static_cast<int8_t>(at.x), static_cast<int8_t>(at.y)};
        }
    });
    return found;
}

}  // namespace flipscope
