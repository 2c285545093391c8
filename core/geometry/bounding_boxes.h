// Which of many axis-parallel boxes meet? The first, coarse step of a search for pairs of triangles or edges that
// overlap or cross. Boxes lie in horizontal strips, so that only those of one strip are compared. Host code; it knows
// nothing of what the boxes hold.
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
    void take_in(const BoundingBox& other) {
        low_x = std::min(low_x, other.low_x);
        high_x = std::max(high_x, other.high_x);
        low_y = std::min(low_y, other.low_y);
        high_y = std::max(high_y, other.high_y);
    }
};

/// The place that boxes take up, on a grid of cells: a quick first answer where most others lie elsewhere.
class BoxCover {
  public:
    /// `cells`: about so many, at most a million.
    BoxCover(std::span<const BoundingBox> boxes, size_t cells);
    /// False: `box` meets none of them. Takes the same time for every box.
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
    /// From the cell of `from` to behind that of `to`; empty where they lie outside of the extent.
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
    std::vector<uint32_t> sums_;      // (side + 1, side + 1) of cells to the left and below that are taken
};

/// The pairs of boxes that meet, each once. Boxes lie in horizontal strips, in each by their left ends: those that may
/// meet one come after it, up to its right end. A pair is found in the first strip that has both. Refers to the boxes,
/// which must outlive it.
class BoxPairs {
  public:
    /// `left_out`: empty, or not 0 for boxes that are left out. Throws Cancelled.
    explicit BoxPairs(std::span<const BoundingBox> boxes, std::span<const uint8_t> left_out = {});

    /// A box lies in one or several strips, each time as one entry. Entries may be asked in parallel.
    uint32_t entry_count() const { return static_cast<uint32_t>(entries_.size()); }

    /// `what(i, j)` for the pairs of one entry: i is its box. Takes from `looks` the boxes beside it that are looked
    /// at. False: there are more of them than that, and the last ones were not looked at.
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
