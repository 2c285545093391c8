// Culling for the exact colouring: which sites may be the nearest to some pixel of a tile. The rival is the site
// nearest to the middle of the tile; a site farther than the rival from every pixel of the tile is excluded.
#pragma once

#include "voronoi/colouring/bins.h"

namespace flipscope {

// Differences of squared distances, as a constant and two slopes: single precision loses at most 2^-24 of each number,
// in all at most 8 such parts of the largest, and twice that for the comparison of two.
inline constexpr double kSingleRounding = 1.0 / 524288;  // 2^-19
inline constexpr double kTooLarge = 1e30;                // for single precision, with squared distances

/// Pixels (x, y) with left <= x <= right and bottom <= y <= top.
struct Tile {
    uint32_t left, bottom, right, top;

    FLIPSCOPE_HD Point middle() const { return {0.5 * (double(left) + right), 0.5 * (double(bottom) + top)}; }
    FLIPSCOPE_HD double radius() const {
        const double x = right - left, y = top - bottom;
        return 0.5 * sqrt(x * x + y * y);
    }
};

/// Along each axis, for a place c and a pixel s of the tile, let g(s) be the distance between them, and e(s) that of s
/// and one image of the rival. g² - e² is linear in s along an open axis, the minimum of several such functions along a
/// periodic one, and concave also for a box of places: so its minimum is at an end of the tile, and the two axes add
/// up.
class Rival {
  public:
    FLIPSCOPE_HD Rival(const Lattice& lattice, const Tile& tile, Point place, double squared_to_middle)
        : lattice_(lattice), low_{double(tile.left), double(tile.bottom)}, high_{double(tile.right), double(tile.top)} {
        const Point middle = tile.middle(), off = lattice.difference(middle, place);
        const Point at{middle.x + off.x, middle.y + off.y};
        low_squared_ = {(at.x - low_.x) * (at.x - low_.x), (at.y - low_.y) * (at.y - low_.y)};
        high_squared_ = {(at.x - high_.x) * (at.x - high_.x), (at.y - high_.y) * (at.y - high_.y)};
        reach_ = sqrt(squared_to_middle) + 2 * tile.radius();
        reach_ += kRounding * (reach_ + lattice.width + lattice.height);
        slack_ = kRounding * reach_ * (reach_ + lattice.width + lattice.height);
    }

    /// From the middle of the tile; a site farther away is excluded in any direction.
    FLIPSCOPE_HD double reach() const { return reach_; }
    /// Bound on the rounding error of a lead, world units²; valid for every part of the tile.
    FLIPSCOPE_HD double slack() const { return slack_; }
    FLIPSCOPE_HD bool excludes(Point p) const {
        return lead(lattice_.difference_x(low_.x, p.x), lattice_.difference_x(high_.x, p.x), low_squared_.x,
                    high_squared_.x) +
                   lead(lattice_.difference_y(low_.y, p.y), lattice_.difference_y(high_.y, p.y), low_squared_.y,
                        high_squared_.y) >
               slack_;
    }
    FLIPSCOPE_HD bool excludes(Point low, Point high) const {
        const auto across = [&](double p) { return axis_gap(p, low.x, high.x, lattice_.periodic.x, lattice_.width); };
        const auto up = [&](double p) { return axis_gap(p, low.y, high.y, lattice_.periodic.y, lattice_.height); };
        return lead(across(low_.x), across(high_.x), low_squared_.x, high_squared_.x) +
                   lead(up(low_.y), up(high_.y), low_squared_.y, high_squared_.y) >
               slack_;
    }

  private:
    FLIPSCOPE_HD static double lead(double gap_low, double gap_high, double low_squared, double high_squared) {
        return lesser(gap_low * gap_low - low_squared, gap_high * gap_high - high_squared);
    }

    Lattice lattice_;
    Point low_, high_;                  // first and last pixel
    Point low_squared_, high_squared_;  // squared distances from there to the rival, along each axis
    double reach_, slack_;
};

}  // namespace flipscope
