#include "geometry/bounding_boxes.h"

#include <cmath>
#include <numeric>

#include "compute/cancel.h"

namespace flipscope {

namespace {

constexpr uint64_t kMostStrips = 8;  // that a box lies in, on average

constexpr double kMostSide = 1000;  // cells of a cover along either axis

}  // namespace

BoxCover::BoxCover(std::span<const BoundingBox> boxes, size_t cells) {
    side_ = static_cast<uint32_t>(std::clamp(std::sqrt(double(cells)), 1.0, kMostSide));
    if (!boxes.empty()) extent_ = boxes[0];
    for (const BoundingBox& box : boxes) extent_.extend(box);
    // Marks where boxes begin and end; the prefix sum is the number of boxes over each cell.
    const size_t row = size_t(side_) + 1;
    std::vector<int32_t> over(row * row, 0);
    CancelPoll poll;
    for (const BoundingBox& box : boxes) {
        poll();
        const auto [left, right] = cells_of(box.low_x, box.high_x, extent_.low_x, extent_.high_x);
        const auto [low, high] = cells_of(box.low_y, box.high_y, extent_.low_y, extent_.high_y);
        ++over[low * row + left];
        --over[low * row + right];
        --over[high * row + left];
        ++over[high * row + right];
    }
    for (size_t y = 0; y < row; ++y)
        for (size_t x = 1; x < row; ++x) over[y * row + x] += over[y * row + x - 1];
    for (size_t y = 1; y < row; ++y)
        for (size_t x = 0; x < row; ++x) over[y * row + x] += over[(y - 1) * row + x];
    sums_.assign(row * row, 0);
    for (size_t y = 0; y + 1 < row; ++y)
        for (size_t x = 0; x + 1 < row; ++x)
            sums_[(y + 1) * row + x + 1] =
                sums_[y * row + x + 1] + sums_[(y + 1) * row + x] - sums_[y * row + x] + (over[y * row + x] > 0);
}

BoxPairs::BoxPairs(std::span<const BoundingBox> boxes, std::span<const uint8_t> left_out) : boxes_(boxes) {
    const auto each_box = [&](const auto& what) {
        CancelPoll poll;
        for (uint32_t i = 0; i < boxes.size(); ++i) {
            poll();
            if (left_out.empty() || !left_out[i]) what(i);
        }
    };
    uint32_t count = 0;
    low_ = INFINITY;
    high_ = -INFINITY;
    each_box([&](uint32_t i) {
        ++count;
        low_ = std::min(low_, boxes[i].low_y);
        high_ = std::max(high_, boxes[i].high_y);
    });
    strips_ = static_cast<uint32_t>(std::sqrt(double(count))) + 1;
    for (;; strips_ = (strips_ + 1) / 2) {  // tall boxes lie in many
        uint64_t entries = 0;
        each_box([&](uint32_t i) { entries += strip_of(boxes[i].high_y) - strip_of(boxes[i].low_y) + 1; });
        if (strips_ == 1 || entries <= kMostStrips * (uint64_t(count) + 1)) break;
    }
    const auto each_entry = [&](const auto& what) {
        each_box([&](uint32_t i) {
            for (uint32_t s = strip_of(boxes[i].low_y), last = strip_of(boxes[i].high_y); s <= last; ++s) what(s, i);
        });
    };
    starts_.assign(size_t(strips_) + 1, 0);
    each_entry([&](uint32_t strip, uint32_t) { ++starts_[strip + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    entries_.resize(starts_.back());
    strip_at_.resize(entries_.size());
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    each_entry([&](uint32_t strip, uint32_t i) {
        strip_at_[next[strip]] = strip;
        entries_[next[strip]++] = i;
    });
    for (uint32_t s = 0; s < strips_; ++s) {
        throw_if_cancelled();
        std::sort(entries_.begin() + starts_[s], entries_.begin() + starts_[s + 1], [&](uint32_t a, uint32_t b) {
            return boxes[a].low_x != boxes[b].low_x ? boxes[a].low_x < boxes[b].low_x : a < b;
        });
    }
}

}  // namespace flipscope
