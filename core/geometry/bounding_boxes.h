// Finds the intersecting pairs among many axis-parallel boxes: the coarse step of a search for overlapping triangles or
// crossing edges. Boxes are sorted into horizontal strips, and only boxes of one strip are compared. Host code,
// independent of the contents of the boxes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Closed: boxes that touch meet. Finite.
struct BoundingBox {
    double low_x, high_x, low_y, high_y;

    static BoundingBox of(Point p, Point q) {
        return {std::min(p.x, q.x), std::max(p.x, q.x), std::min(p.y, q.y), std::max(p.y, q.y)};
    }
    static BoundingBox of(Point p, Point q, Point r) {
        return {std::min({p.x, q.x, r.x}), std::max({p.x, q.x, r.x}), std::min({p.y, q.y, r.y}),
                std::max({p.y, q.y, r.y})};
    }
    bool meets(const BoundingBox& other) const {
        return low_x <= other.high_x && other.low_x <= high_x && low_y <= other.high_y && other.low_y <= high_y;
    }
    void extend(const BoundingBox& other) {
        low_x = std::min(low_x, other.low_x);
        high_x = std::max(high_x, other.high_x);
        low_y = std::min(low_y, other.low_y);
        high_y = std::max(high_y, other.high_y);
    }
};

/// The area covered by boxes, on a grid of cells: a quick rejection test.
class BoxCover {
  public:
    /// `cells`: their approximate number, at most a million.
    BoxCover(std::span<const BoundingBox> boxes, size_t cells);
    /// False: `box` meets none of them. Constant time.
    bool may_meet(const BoundingBox& box) const {
        const auto [left, right] = cells_of(box.low_x, box.high_x, extent_.low_x, extent_.high_x);
        const auto [low, high] = cells_of(box.low_y, box.high_y, extent_.low_y, extent_.high_y);
        if (left >= right || low >= high) return false;
        const auto sum = [&](uint32_t x, uint32_t y) { return sums_[size_t(y) * (side_ + 1) + x]; };
        return sum(right, high) - sum(left, high) - sum(right, low) + sum(left, low) > 0;
    }

  private:
    struct Cells {
        uint32_t begin, end;
    };
    /// From the cell of `from` to one past that of `to`; empty outside of the extent.
    Cells cells_of(double from, double to, double low, double high) const {
        if (!(from <= high && to >= low)) return {0, 0};
        const auto cell = [&](double at) {
            const double place = high > low ? (at / 2 - low / 2) / (high / 2 - low / 2) * side_ : 0;
            return static_cast<uint32_t>(std::clamp(place, 0.0, side_ - 1.0));
        };
        return {cell(from), cell(to) + 1};
    }

    BoundingBox extent_{1, 0, 1, 0};  // of all boxes; of none, empty
    uint32_t side_ = 1;               // cells along either axis
    std::vector<uint32_t> sums_;      // (side + 1, side + 1) covered cells to the left and below
};

/// Lists each intersecting pair once. Each strip is sorted by left ends, so the candidates for a box follow it, up to
/// its right end. A pair is reported in the first strip that has both. The boxes must outlive it.
class BoxPairs {
  public:
    /// `left_out`: empty, or not 0 for boxes to ignore. Throws Cancelled.
    explicit BoxPairs(std::span<const BoundingBox> boxes, std::span<const uint8_t> left_out = {});

    /// A box has one entry in each of its strips. Entries may be processed in parallel.
    uint32_t entry_count() const { return static_cast<uint32_t>(entries_.size()); }

    /// Calls `what(i, j)` for the pairs of one entry with box i. Subtracts the number of tested boxes from `looks`.
    /// False: `looks` was too small, and some boxes were not tested.
    template <class What>
    bool each_of(uint32_t entry, uint64_t& looks, const What& what) const {
        const uint32_t i = entries_[entry], strip = strip_at_[entry], end = starts_[strip + 1];
        const BoundingBox& box = boxes_[i];
        for (uint32_t other = entry + 1; other < end; ++other) {
            const uint32_t j = entries_[other];
            if (boxes_[j].low_x > box.high_x) break;
            if (looks == 0) return false;
            --looks;
            if (!box.meets(boxes_[j])) continue;
            if (std::max(strip_of(box.low_y), strip_of(boxes_[j].low_y)) == strip) what(i, j);
        }
        return true;
    }

  private:
    uint32_t strip_of(double y) const {
        const double place = high_ > low_ ? (y / 2 - low_ / 2) / (high_ / 2 - low_ / 2) * strips_ : 0;
        return std::min(static_cast<uint32_t>(place), strips_ - 1);
    }

    std::span<const BoundingBox> boxes_;
    double low_ = 0, high_ = 0;  // of all boxes
    uint32_t strips_ = 1;
    std::vector<uint32_t> starts_;    // (strips + 1) of strips, into entries_
    std::vector<uint32_t> entries_;   // boxes, strip after strip
    std::vector<uint32_t> strip_at_;  // (entries)
};

}  // namespace flipscope
