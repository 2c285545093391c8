#include "geometry/predicate_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/launch.h"
#include "geometry/filtered.h"

namespace flipscope {

int64_t ordinal_of(double number, NumberType type) {
    int64_t size;
    if (type == NumberType::kFloat) {
        const double most = std::numeric_limits<float>::max();
        size = std::bit_cast<uint32_t>(static_cast<float>(std::min(std::fabs(number), most)));
    } else {
        const double m = std::fabs(number);
        size = m == 0 ? 0 : static_cast<int64_t>(exact::bits_of(m) - exact::bits_of(kMinCoordinate)) + 1;
    }
    return number < 0 ? -size : size;
}

namespace {

/// The pixels begin … end - 1 whose ordinals at + (i - middle) step are in range.
void find_numbers(int64_t at, int64_t middle, int64_t step, int64_t last, uint32_t count, uint32_t& begin,
                  uint32_t& end) {
    // at + (i - middle) step >= -last, and <= last
    const auto floor_of = [&](exact::Int128 v) { return v >= 0 ? v / step : -((-v + step - 1) / step); };
    const exact::Int128 low = -floor_of(exact::Int128(last) + at) + middle,
                        high = floor_of(exact::Int128(last) - at) + middle;
    const auto clamped = [&](exact::Int128 i) { return static_cast<uint32_t>(i < 0 ? 0 : i > count ? count : i); };
    begin = clamped(low);
    end = std::max(begin, clamped(high + 1));
}

}  // namespace

NumberPatch patch_around(Point place, NumberType type, uint32_t width, uint32_t height, int64_t middle_x,
                         int64_t middle_y, int64_t step) {
    NumberPatch patch;
    patch.type = type;
    patch.width = width;
    patch.height = height;
    patch.step = step;
    patch.at_x = ordinal_of(place.x, type);
    patch.at_y = ordinal_of(place.y, type);
    patch.middle_x = middle_x;
    patch.middle_y = middle_y;
    const int64_t last = last_ordinal(type);
    find_numbers(patch.at_x, middle_x, step, last, width, patch.begin_x, patch.end_x);
    find_numbers(patch.at_y, middle_y, step, last, height, patch.begin_y, patch.end_y);
    return patch;
}

namespace {

FLIPSCOPE_HD void count(BlockSums& sums, int sign, uint64_t pixels) { sums.value[sign + 1] += pixels; }

struct EvaluateNaive {
    MovingPredicate of;
    NumberPatch patch;
    bool in_float;
    View<uint16_t> words;

    FLIPSCOPE_HD void operator()(uint32_t pixel, BlockSums& sums) const {
        const uint32_t x = pixel % patch.width, y = pixel / patch.width;
        if (!patch.has(x, y)) {
            words[pixel] = 0;
            return;
        }
        const int sign = of.naive(in_float, patch.place(x, y));
        words[pixel] = word_of_sign(sign);
        count(sums, sign, 1);
    }
};

/// One thread for a piece of a row.
struct BisectRow {
    static constexpr uint32_t kPiece = 128;         // pixels
    static constexpr uint32_t kIndicesPerPoll = 8;  // each may take twenty exact evaluations

    MovingPredicate of;
    NumberPatch patch;
    uint32_t turn;    // the column from which on signs go the other way
    uint32_t pieces;  // a row
    View<uint16_t> words;

    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const {
        const uint32_t y = i / pieces, from = (i % pieces) * kPiece;
        const uint32_t to = from + kPiece < patch.width ? from + kPiece : patch.width;
        uint32_t begin = within(patch.begin_x, from, to), end = within(patch.end_x, from, to);
        if (y < patch.begin_y || y >= patch.end_y) end = begin;
        for (uint32_t x = from; x < begin; ++x) words[y * patch.width + x] = 0;
        for (uint32_t x = end; x < to; ++x) words[y * patch.width + x] = 0;
        const uint32_t middle = within(turn, begin, end);
        find_changes(y, begin, middle, sums);
        find_changes(y, middle, end, sums);
    }

  private:
    FLIPSCOPE_HD static uint32_t within(uint32_t v, uint32_t low, uint32_t high) {
        return v < low ? low : v > high ? high : v;
    }
    FLIPSCOPE_HD int sign_at(uint32_t x, uint32_t y) const { return of.exact(patch.place(x, y)); }

    /// For pixels over which the determinant is monotonic.
    FLIPSCOPE_HD void find_changes(uint32_t y, uint32_t begin, uint32_t end, BlockSums& sums) const {
        if (begin == end) return;
        const int last = sign_at(end - 1, y);
        int sign = begin + 1 == end ? last : sign_at(begin, y);
        while (sign != last) {
            uint32_t low = begin + 1, high = end - 1;  // where the first other sign is
            while (low < high) {
                const uint32_t middle = low + (high - low) / 2;
                if (sign_at(middle, y) == sign)
                    low = middle + 1;
                else
                    high = middle;
            }
            fill(y, begin, low, sign, sums);
            begin = low;
            sign = low + 1 == end ? last : sign_at(low, y);
        }
        fill(y, begin, end, last, sums);
    }
    FLIPSCOPE_HD void fill(uint32_t y, uint32_t begin, uint32_t end, int sign, BlockSums& sums) const {
        for (uint32_t x = begin; x < end; ++x) words[y * patch.width + x] = word_of_sign(sign);
        count(sums, sign, end - begin);
    }
};

struct MarkWrong {
    View<const uint16_t> exact;
    View<uint16_t> words;

    FLIPSCOPE_HD void operator()(uint32_t pixel, BlockSums& sums) const {
        const uint16_t word = words[pixel];
        if (!word || !exact[pixel]) return;
        if (sign_of_word(word) == sign_of_word(exact[pixel])) return;
        const bool lost = (word & kZeroSign) != 0;
        words[pixel] = static_cast<uint16_t>(word | (lost ? kLostSign : kWrongSign));
        ++sums.value[lost];
    }
};

struct CountInexact {
    MovingPredicate of;
    NumberPatch patch;
    View<const uint16_t> words;

    FLIPSCOPE_HD void operator()(uint32_t pixel, BlockSums& sums) const {
        const uint32_t x = pixel % patch.width, y = pixel / patch.width;
        const uint16_t right = patch.has(x, y) ? word_of_sign(of.exact(patch.place(x, y))) : 0;
        sums.value[0] += words[pixel] != right;
    }
};

SignCounts counts_of(const BlockSums& sums) { return {sums.value[2], sums.value[1], sums.value[0]}; }

/// Whether x lies left of the centre of the circle through p, q and r, which are not collinear. Exact: of the
/// differences from r, the centre is (|p|² q.y - |q|² p.y) / 2 (p × q).
bool is_left_of_centre(double x, Point p, Point q, Point r) {
    int unit = 1000;
    for (const double v : {p.x, p.y, q.x, q.y, r.x, r.y, x}) unit = unit_of(v, unit);
    const auto offset = [unit](double v, double from) { return Whole(whole_of(v, unit) - whole_of(from, unit)); };
    const Whole px = offset(p.x, r.x), py = offset(p.y, r.y), qx = offset(q.x, r.x), qy = offset(q.y, r.y);
    const Whole cross = px * qy - py * qx;
    const Whole side = 2 * cross * offset(x, r.x) - (px * px + py * py) * qy + (qx * qx + qy * qy) * py;
    return cross > 0 ? side < 0 : side > 0;
}

/// The column from which on the in-circle determinant goes the other way along each row; the end, where it never does.
uint32_t turning_column(const MovingPredicate& of, const NumberPatch& patch) {
    if (of.predicate == MapPredicate::kOrientation) return patch.end_x;
    Point stay[3];
    for (uint32_t k = 0, n = 0; k < 4; ++k)
        if (k != of.moving) stay[n++] = of.points[k];
    if (orient2d(stay[0], stay[1], stay[2]) == 0) return patch.end_x;  // linear in x
    uint32_t low = patch.begin_x, high = patch.end_x;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (is_left_of_centre(patch.x_of(middle), stay[0], stay[1], stay[2]))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

SignCounts map_naive_signs(Context& context, const MovingPredicate& of, const NumberPatch& patch, bool in_float,
                           View<uint16_t> words, const char* label) {
    return counts_of(sums_of(context, label, patch.pixel_count(), EvaluateNaive{of, patch, in_float, words}));
}

SignCounts map_exact_signs(Context& context, const MovingPredicate& of, const NumberPatch& patch, View<uint16_t> words,
                           const char* label) {
    const uint32_t pieces = (patch.width + BisectRow::kPiece - 1) / BisectRow::kPiece;
    return counts_of(
        sums_of(context, label, pieces * patch.height, BisectRow{of, patch, turning_column(of, patch), pieces, words}));
}

WrongCounts mark_wrong_signs(Context& context, View<const uint16_t> exact, View<uint16_t> words, uint32_t pixel_count,
                             const char* label) {
    const BlockSums sums = sums_of(context, label, pixel_count, MarkWrong{exact, words});
    return {sums.value[0], sums.value[1]};
}

uint64_t count_inexact_signs(Context& context, const MovingPredicate& of, const NumberPatch& patch,
                             View<const uint16_t> words, const char* label) {
    return sums_of(context, label, patch.pixel_count(), CountInexact{of, patch, words}).value[0];
}

}  // namespace flipscope
