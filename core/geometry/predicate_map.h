// Signs of an orientation or in-circle determinant over a patch of neighbouring floating-point numbers, one pixel for
// each pair of them: as floats, as doubles and exactly, by kernels into a buffer of state words. Called by the
// Microscope lab.
#pragma once

#include <bit>
#include <cstdint>

#include "compute/buffer.h"
#include "compute/context.h"
#include "flipscope/predicates.h"
#include "flipscope/view.h"
#include "geometry/point.h"

namespace flipscope {

// ---- the line of numbers --------------------------------------------------------------------------------------------

enum class NumberType : uint32_t { kDouble, kFloat };

/// Ordinals number the valid coordinates in order: 0 is 0, 1 the least positive one, and neighbours differ by 1. Valid
/// doubles are 0 and magnitudes between kMinCoordinate and kMaxCoordinate, so the neighbour of 0 is 2^-200; valid
/// floats are all finite ones, including subnormal numbers. Ordinals go from -last to last.
FLIPSCOPE_HD constexpr int64_t last_ordinal(NumberType type) {
    return type == NumberType::kFloat ? 0x7f7fffff : (int64_t(400) << 52) + 1;
}

/// The number of this ordinal, which must be in range.
FLIPSCOPE_HD inline double number_of(int64_t ordinal, NumberType type) {
    const auto size = static_cast<uint64_t>(ordinal < 0 ? -ordinal : ordinal);
    if (size == 0) return 0;
    double number;
    if (type == NumberType::kFloat) {
#ifdef __CUDA_ARCH__
        number = __uint_as_float(static_cast<uint32_t>(size));
#else
        number = std::bit_cast<float>(static_cast<uint32_t>(size));
#endif
    } else {
        const uint64_t bits = size - 1 + (uint64_t(1023 - 200) << 52);
#ifdef __CUDA_ARCH__
        number = __longlong_as_double(static_cast<long long>(bits));
#else
        number = std::bit_cast<double>(bits);
#endif
    }
    return ordinal < 0 ? -number : number;
}

/// The ordinal of a coordinate in range; for floats that of the nearest one, clamped to the range.
int64_t ordinal_of(double number, NumberType type);

/// Maps pixels to pairs of numbers: columns are x and rows y, in steps of `step` ordinals. Pixels beyond the range of
/// numbers have none.
struct NumberPatch {
    NumberType type = NumberType::kDouble;
    uint32_t width = 0, height = 0;  // pixels
    int64_t step = 1;                // ordinals
    int64_t at_x = 0, at_y = 0;      // ordinals of pixel (middle_x, middle_y)
    int64_t middle_x = 0, middle_y = 0;
    uint32_t begin_x = 0, end_x = 0;  // columns that have a number
    uint32_t begin_y = 0, end_y = 0;  // rows

    FLIPSCOPE_HD uint32_t pixel_count() const { return width * height; }
    FLIPSCOPE_HD bool has(uint32_t x, uint32_t y) const {
        return x >= begin_x && x < end_x && y >= begin_y && y < end_y;
    }
    /// Of a column and a row that have a number.
    FLIPSCOPE_HD double x_of(uint32_t x) const { return number_of(at_x + (int64_t(x) - middle_x) * step, type); }
    FLIPSCOPE_HD double y_of(uint32_t y) const { return number_of(at_y + (int64_t(y) - middle_y) * step, type); }
    FLIPSCOPE_HD Point place(uint32_t x, uint32_t y) const { return {x_of(x), y_of(y)}; }
};

/// The patch whose pixel (middle_x, middle_y), which may lie outside of it, is the number nearest to `place`. `step`:
/// at least 1 and at most 2^52; fewer than 2^31 pixels.
NumberPatch patch_around(Point place, NumberType type, uint32_t width, uint32_t height, int64_t middle_x,
                         int64_t middle_y, int64_t step = 1);

// ---- the determinant ------------------------------------------------------------------------------------------------

/// kCircumcentre: in-circle by circumcentre and squared radius, as naive programs do, instead of the determinant.
enum class MapPredicate : uint32_t { kOrientation, kInCircle, kCircumcentre };

/// A predicate of three or four points, one of which moves over the pixels. Coordinates must be in range.
struct MovingPredicate {
    MapPredicate predicate = MapPredicate::kOrientation;
    Point points[4];      // a, b, c, and d of the in-circle determinant
    uint32_t moving = 2;  // index of the moving point, whose own place is ignored

    FLIPSCOPE_HD uint32_t point_count() const { return predicate == MapPredicate::kOrientation ? 3 : 4; }
    FLIPSCOPE_HD Point point(uint32_t k, Point at) const { return k == moving ? at : points[k]; }
    /// The sign of the determinant: of the triangle's area, or of the in-circle determinant, which is positive inside
    /// the circle where a, b, c are counter-clockwise.
    FLIPSCOPE_HD int exact(Point at) const {
        const Point a = point(0, at), b = point(1, at), c = point(2, at);
        return predicate == MapPredicate::kOrientation ? orient2d(a, b, c) : incircle(a, b, c, point(3, at));
    }
    /// The naive predicate in that precision.
    FLIPSCOPE_HD PredicateMode naive_mode(bool in_float) const {
        if (predicate == MapPredicate::kCircumcentre)
            return in_float ? PredicateMode::kFloatCircumcentre : PredicateMode::kDoubleCircumcentre;
        return in_float ? PredicateMode::kFloat : PredicateMode::kDouble;
    }
    /// The sign of the naive predicate. A circumcentre test ignores the orientation of a, b, c, which is added exactly.
    FLIPSCOPE_HD int naive(bool in_float, Point at) const {
        const Point a = point(0, at), b = point(1, at), c = point(2, at);
        const PredicateMode mode = naive_mode(in_float);
        if (predicate == MapPredicate::kOrientation) return orient(mode, a, b, c);
        const int sign = naive_in_circle(mode, a, b, c, point(3, at));
        return predicate == MapPredicate::kCircumcentre ? orient2d(a, b, c) * sign : sign;
    }
};

// ---- the map --------------------------------------------------------------------------------------------------------

/// Bits of a pixel's word. No bit: the pixel has no number, or was not computed.
enum MapBit : uint16_t {
    kPositiveSign = 1 << 0,
    kZeroSign = 1 << 1,
    kNegativeSign = 1 << 2,
    kWrongSign = 1 << 3,  // a sign, but not the exact one
    kLostSign = 1 << 4,   // 0, though the exact sign is not
};
FLIPSCOPE_HD inline uint16_t word_of_sign(int sign) {
    return sign > 0 ? kPositiveSign : sign < 0 ? kNegativeSign : kZeroSign;
}
/// Of a word with a sign.
FLIPSCOPE_HD inline int sign_of_word(uint16_t word) { return int(word & 1) - int(word >> 2 & 1); }

struct SignCounts {
    uint64_t positive = 0, zero = 0, negative = 0;
};
struct WrongCounts {
    uint64_t wrong = 0, lost = 0;  // pixels
};

// Each writes a word for every pixel of the patch, row after row, into the first pixel_count() elements of `words`, and
// waits for the device. `label` names the kernel.

/// Signs of the naive predicate in floats or doubles: one thread per pixel.
SignCounts map_naive_signs(Context& context, const MovingPredicate& of, const NumberPatch& patch, bool in_float,
                           View<uint16_t> words, const char* label);

/// Exact signs. Along a row the orientation determinant is linear in x and the in-circle determinant quadratic, with
/// its turning point at the centre of the circle through the three points that stay. So the sign changes at most twice
/// on either side of it, through 0, and bisection finds the places: two evaluations suffice for a piece of a row whose
/// ends agree. This is fast even where doubles fail and each evaluation takes a microsecond.
SignCounts map_exact_signs(Context& context, const MovingPredicate& of, const NumberPatch& patch, View<uint16_t> words,
                           const char* label);

/// Marks the words of `words` whose sign is not that of `exact`, of the same patch, with kWrongSign or kLostSign.
WrongCounts mark_wrong_signs(Context& context, View<const uint16_t> exact, View<uint16_t> words, uint32_t pixel_count,
                             const char* label);

/// The number of pixels of `words` with a sign that differs from the exact predicate, evaluated pixel by pixel.
uint64_t count_inexact_signs(Context& context, const MovingPredicate& of, const NumberPatch& patch,
                             View<const uint16_t> words, const char* label);

}  // namespace flipscope
