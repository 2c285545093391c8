// sanitizers: none
// The map of a predicate's signs over neighbouring numbers: the number of each pixel, and every exact sign against
// rational arithmetic.
#include "geometry/predicate_map.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "geometry/predicate_cases.h"

using namespace flipscope;
using namespace flipscope::predicate_cases;

namespace {

constexpr double kUp = std::numeric_limits<double>::infinity();

/// The sign of the determinant in rational numbers.
int rational_sign(const MovingPredicate& of, Point at) {
    std::array<Rational, 4> x, y, lift;
    for (uint32_t k = 0; k < of.point_count(); ++k) {
        x[k] = Rational(of.point(k, at).x);
        y[k] = Rational(of.point(k, at).y);
        lift[k] = x[k] * x[k] + y[k] * y[k];
    }
    const auto turn = [&](int a, int b, int c) {
        return Rational((x[a] - x[c]) * (y[b] - y[c]) - (y[a] - y[c]) * (x[b] - x[c]));
    };
    if (of.predicate == MapPredicate::kOrientation) return turn(0, 1, 2).sign();
    return Rational(lift[0] * turn(1, 2, 3) - lift[1] * turn(0, 2, 3) + lift[2] * turn(0, 1, 3) -
                    lift[3] * turn(0, 1, 2))
        .sign();
}

struct Case {
    std::string name;
    MovingPredicate of;
    NumberPatch patch;
};

constexpr auto kOrient = MapPredicate::kOrientation;
constexpr auto kCircle = MapPredicate::kInCircle;

/// Patches: where determinants vanish or nearly do, far from that, around 0, powers of two and the ends of the
/// line, with exponents near and far apart, circles that turn back within the patch, and points that coincide.
std::vector<Case> patches() {
    constexpr uint32_t kWidth = 150, kHeight = 40;
    std::vector<Case> all;
    const auto add = [&](const char* name, const MovingPredicate& of, NumberType type, int64_t middle_x,
                         int64_t middle_y, int zoom_out = 0) {
        all.push_back(
            {name, of,
             patch_around(of.points[of.moving], type, kWidth, kHeight, middle_x, middle_y, int64_t(1) << zoom_out)});
    };
    const auto D = NumberType::kDouble, F = NumberType::kFloat;
    add("the example of Kettner et al.", {kOrient, {{12, 12}, {24, 24}, {0.5, 0.5}}, 2}, D, 0, 0);
    add("the same around a power of two", {kOrient, {{12, 12}, {24, 24}, {0.5, 0.5}}, 2}, D, 75, 20);
    add("the same with a moving", {kOrient, {{12, 12}, {24, 24}, {0.5, 0.5}}, 0}, D, 75, 20);
    add("the same with floats", {kOrient, {{12, 12}, {24, 24}, {0.5, 0.5}}, 2}, F, 75, 20);
    add("a line that is no diagonal",
        {kOrient, {{17.3, 17.3}, {24.00000000000005, 24.0000000000000517765}, {0.5, 0.5}}, 2}, D, 75, 20);
    add("a level line", {kOrient, {{-3, 0.25}, {9.1, 0.25}, {1e-7, 0.25}}, 2}, D, 75, 20);
    add("an upright line", {kOrient, {{0.1, -7}, {0.1, 1e5}, {0.1, 0.3}}, 1}, D, 75, 20);
    add("around 0, from 2^-200 to -2^-200", {kOrient, {{-1, -1}, {1, 1}, {0, 0}}, 2}, D, 75, 20);
    add("around 0, zoomed out", {kOrient, {{-1, -1}, {1, 1}, {0, 0}}, 2}, D, 75, 20, 52);
    add("the end of the line of doubles", {kOrient, {{0x1p200, 0x1p200}, {0, 0}, {1, 0x1p200}}, 0}, D, 75, 40);
    add("the end of the line of floats", {kOrient, {{1e30, 1e30}, {0, 0}, {3e38, 3e38}}, 2}, F, 75, 20, 20);
    add("exponents far apart", {kOrient, {{1e-40, 3e-40}, {1e20, 3e20}, {1e-30, 3e-30}}, 2}, D, 75, 20);
    add("two points that coincide", {kOrient, {{0.7, 0.3}, {0.7, 0.3}, {0.7, 0.3}}, 1}, D, 75, 20);
    add("a circle through the middle", {kCircle, {{0.5, -23.5}, {24.5, -23.5}, {24.5, 0.5}, {0.5, 0.5}}, 3}, D, 75, 20);
    add("the same with b moving", {kCircle, {{0.5, -23.5}, {24.5, -23.5}, {24.5, 0.5}, {0.5, 0.5}}, 1}, D, 75, 20);
    add("the top of a circle", {kCircle, {{-1, 0}, {0, -1}, {1, 0}, {0, 1}}, 3}, D, 75, 20, 30);
    add("the top of a circle of large radius", {kCircle, {{-3e9, 1}, {1, -3e9}, {3e9, 1}, {1.25, 3e9}}, 0}, D, 75, 20,
        44);
    add("a whole circle", {kCircle, {{0.1, 0.2}, {0.1000000001, 0.2}, {0.1, 0.2000000001}, {0.10000000005, 0.2}}, 3}, D,
        75, 20, 18);
    add("a circle through three points on a line", {kCircle, {{1, 1}, {2, 2}, {3, 3}, {4, 4}}, 3}, D, 75, 20);
    add("a circle, exponents far apart", {kCircle, {{1e-25, 0}, {0, 1e15}, {-1e15, 1e-25}, {1e15, 3}}, 2}, D, 75, 20);
    add("by circumcentre", {MapPredicate::kCircumcentre, {{0.5, -23.5}, {24.5, -23.5}, {24.5, 0.5}, {0.5, 0.5}}, 3}, D,
        75, 20);
    add("by circumcentre, clockwise",
        {MapPredicate::kCircumcentre, {{24.5, -23.5}, {0.5, -23.5}, {24.5, 0.5}, {0.5, 0.5}}, 3}, D, 75, 20, 20);
    return all;
}

std::vector<uint16_t> exact_words(Context& context, const Case& one, SignCounts* counts = nullptr) {
    Buffer<uint16_t> words("words");
    words.fill(context, one.patch.pixel_count(), 0xFF);
    const SignCounts found = map_exact_signs(context, one.of, one.patch, words.view(), "test.exact");
    if (counts) *counts = found;
    CHECK(count_inexact_signs(context, one.of, one.patch, words.view(), "test.count") == 0);
    return words.download();
}

}  // namespace

TEST_CASE("predicate map: ordinals go from each number in range to its neighbour, over 0 and powers of two") {
    for (const NumberType type : {NumberType::kDouble, NumberType::kFloat}) {
        const bool floats = type == NumberType::kFloat;
        CAPTURE(floats);
        const auto next = [&](double v) {
            if (floats) return double(std::nextafter(static_cast<float>(v), std::numeric_limits<float>::infinity()));
            const double up = std::nextafter(v, kUp);
            return coordinate_in_range(up) ? up : v == 0 ? kMinCoordinate : 0.0;
        };
        for (const double v : {0.0, 0.5, 1.0, -1.0, -0.5, 3.0, 1e-3, -12345.5, floats ? -0x1p-149 : -kMinCoordinate,
                               floats ? 0x1p127 : std::nextafter(kMaxCoordinate, 0), floats ? -0x1p-126 : -0x1p-199}) {
            CAPTURE(v);
            const double start = floats ? double(static_cast<float>(v)) : v;
            const int64_t ordinal = ordinal_of(start, type);
            CHECK(number_of(ordinal, type) == start);
            CHECK(number_of(ordinal + 1, type) == next(start));
            CHECK(ordinal_of(-start, type) == -ordinal);
            double walked = start;
            for (int i = 0; i < 100 && walked < (floats ? 1e38 : kMaxCoordinate); ++i) {
                CHECK(number_of(ordinal + i, type) == walked);
                walked = next(walked);
            }
        }
        const int64_t last = last_ordinal(type);
        CHECK(number_of(last, type) == (floats ? double(std::numeric_limits<float>::max()) : kMaxCoordinate));
        CHECK(number_of(-last, type) == -number_of(last, type));
        CHECK(ordinal_of(number_of(last, type), type) == last);
    }
    CHECK(ordinal_of(0x1p200, NumberType::kFloat) == last_ordinal(NumberType::kFloat));
    CHECK(ordinal_of(-0.0, NumberType::kDouble) == 0);
    CHECK(number_of(ordinal_of(0.1, NumberType::kFloat), NumberType::kFloat) == double(0.1f));
}

TEST_CASE("predicate map: a patch has numbers up to the end of the line, and none beyond") {
    const NumberPatch end = patch_around({kMaxCoordinate, -kMaxCoordinate}, NumberType::kDouble, 20, 10, 10, 5);
    CHECK(end.begin_x == 0);
    CHECK(end.end_x == 11);
    CHECK(end.begin_y == 5);
    CHECK(end.end_y == 10);
    CHECK(end.place(10, 5) == Point{kMaxCoordinate, -kMaxCoordinate});
    CHECK(end.has(10, 5));
    CHECK_FALSE(end.has(11, 5));
    CHECK_FALSE(end.has(10, 4));
    const NumberPatch moved = patch_around({kMaxCoordinate, 0}, NumberType::kDouble, 20, 10, -30, 8);
    CHECK(moved.begin_x == moved.end_x);
    CHECK(moved.y_of(8) == 0);
    CHECK(moved.y_of(9) == kMinCoordinate);
    // All there is, from end to end.
    const NumberPatch all = patch_around({0, 0}, NumberType::kFloat, 2048, 2048, 1024, 1024, int64_t(1) << 31);
    CHECK(all.end_x - all.begin_x == 1);
    const NumberPatch wide = patch_around({0, 0}, NumberType::kDouble, 16384, 16, 8192, 8, int64_t(1) << 52);
    CHECK(wide.begin_x == 8192 - 400);
    CHECK(wide.end_x == 8192 + 401);
    CHECK(wide.x_of(wide.end_x - 1) == std::nextafter(kMaxCoordinate, 0));
}

TEST_CASE("predicate map: exact signs equal rational arithmetic at every pixel of many patches") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<Case> all = patches();
    REQUIRE(all.size() == 22);
    size_t mixed = 0;
    for (const Case& one : all) {
        INFO(one.name);
        SignCounts counts;
        const std::vector<uint16_t> words = exact_words(context, one, &counts);
        uint64_t wrong = 0, found[3] = {}, without = 0;
        for (uint32_t y = 0; y < one.patch.height; ++y)
            for (uint32_t x = 0; x < one.patch.width; ++x) {
                const uint16_t word = words[y * one.patch.width + x];
                if (!one.patch.has(x, y)) {
                    wrong += word != 0;
                    ++without;
                    continue;
                }
                const int sign = rational_sign(one.of, one.patch.place(x, y));
                wrong += word != word_of_sign(sign);
                ++found[sign + 1];
            }
        CHECK(wrong == 0);
        CHECK(counts.negative == found[0]);
        CHECK(counts.zero == found[1]);
        CHECK(counts.positive == found[2]);
        CHECK(without + found[0] + found[1] + found[2] == one.patch.pixel_count());
        mixed += found[0] > 0 && found[2] > 0;
    }
    CHECK(mixed >= 15);  // the patches lie where signs change
}

TEST_CASE("predicate map: words are the same on every device and number of threads") {
    for (const Case& one : patches()) {
        INFO(one.name);
        Context first(DeviceRequest::kCpu, 1);
        const std::vector<uint16_t> expected = exact_words(first, one);
        on_every_device([&](Context& context) {
            const std::vector<uint16_t> exact = exact_words(context, one);
            CHECK(exact == expected);
            Buffer<uint16_t> exact_buffer("exact"), words("words");
            exact_buffer.upload(context, exact.data(), exact.size());
            words.resize(context, exact.size());
            for (const bool in_float : {true, false}) {
                map_naive_signs(context, one.of, one.patch, in_float, words.view(), "test.naive");
                const std::vector<uint16_t> signs = words.download();
                const WrongCounts counts =
                    mark_wrong_signs(context, exact_buffer.view(), words.view(), one.patch.pixel_count(), "test.mark");
                const std::vector<uint16_t> marked = words.download();
                uint64_t different = 0, wrong = 0, lost = 0;
                for (uint32_t i = 0; i < signs.size(); ++i) {
                    const uint32_t x = i % one.patch.width, y = i / one.patch.width;
                    if (!one.patch.has(x, y)) {
                        different += marked[i] != 0;
                        continue;
                    }
                    const int naive = one.of.naive(in_float, one.patch.place(x, y)), right = sign_of_word(exact[i]);
                    uint16_t word = word_of_sign(naive);
                    different += signs[i] != word;
                    wrong += naive != right && naive != 0;
                    lost += naive != right && naive == 0;
                    if (naive != right) word |= naive == 0 ? kLostSign : kWrongSign;
                    different += marked[i] != word;
                }
                CHECK(different == 0);
                CHECK(counts.wrong == wrong);
                CHECK(counts.lost == lost);
            }
        });
    }
}

TEST_CASE("predicate map: doubles have the picture of Kettner, Mehlhorn, Pion, Schirra and Yap") {
    // float_orient(p, q, r) = sign((q.x - p.x) (r.y - p.y) - (q.y - p.y) (r.x - p.x)) at p = (0.5 + x u, 0.5 + y u),
    // u = 2^-53, q = (12, 12), r = (24, 24), figure 2 (a) of the paper.
    const MovingPredicate of{kOrient, {{12, 12}, {24, 24}, {0.5, 0.5}}, 2};
    const NumberPatch patch = patch_around({0.5, 0.5}, NumberType::kDouble, 256, 256, 0, 0);
    Context context(DeviceRequest::kCpu, 2);
    Buffer<uint16_t> words("words");
    words.resize(context, patch.pixel_count());
    const SignCounts counts = map_naive_signs(context, of, patch, false, words.view(), "test.naive");
    uint64_t different = 0;
    for (uint32_t y = 0; y < 256; ++y)
        for (uint32_t x = 0; x < 256; ++x) {
            const double px = 0.5 + x * 0x1p-53, py = 0.5 + y * 0x1p-53;
            const double value = (12 - px) * (24 - py) - (12 - py) * (24 - px);
            different += words.read(y * 256 + x) != word_of_sign(exact::sign_of(value));
        }
    CHECK(different == 0);
    CHECK(counts.zero > 10000);
    SignCounts exactly;
    const std::vector<uint16_t> right = exact_words(context, {"", of, patch}, &exactly);
    uint64_t inexact = 0;
    for (uint32_t i = 0; i < right.size(); ++i) inexact += words.read(i) != right[i];
    CHECK(inexact > 0);
    CHECK(count_inexact_signs(context, of, patch, words.view(), "test.count") == inexact);
    CHECK(exactly.zero == 256);  // the diagonal
    CHECK(exactly.positive == 255 * 128);
    CHECK(exactly.negative == 255 * 128);
}

TEST_CASE("predicates: rounded determinants are off by some parts in 2^52, whatever doubles lose") {
    Generator random(77);
    const size_t cases = case_count(100000);
    size_t failures = 0, doubles_off = 0;
    for (size_t i = 0; i < cases && failures < 10; ++i) {
        const Quad q = family(static_cast<int>(i % kFamilies), random);
        std::array<Rational, 4> x, y, lift;
        for (int k = 0; k < 4; ++k) {
            x[k] = Rational(q[k].x) - Rational(q[3].x);
            y[k] = Rational(q[k].y) - Rational(q[3].y);
            lift[k] = x[k] * x[k] + y[k] * y[k];
        }
        const Rational circle = lift[0] * (x[1] * y[2] - y[1] * x[2]) + lift[1] * (x[2] * y[0] - y[2] * x[0]) +
                                lift[2] * (x[0] * y[1] - y[0] * x[1]);
        const Rational turn = (x[0] - x[2]) * (y[1] - y[2]) - (y[0] - y[2]) * (x[1] - x[2]);
        const double rounded = exact::incircle_rounded(q[0], q[1], q[2], q[3]);
        const auto is_near = [](double v, const Rational& right) {
            const Rational off = abs(Rational(Rational(v) - right));
            return off * (Rational(boost::multiprecision::cpp_int(1) << 50)) <= abs(right);
        };
        doubles_off += !is_near(incircle_value(q[0], q[1], q[2], q[3]), circle);
        if (is_near(rounded, circle) && is_near(exact::orient2d_rounded(q[0], q[1], q[2]), turn)) continue;
        ++failures;
        FAIL_CHECK("rounded to " << rounded << ": " << text(q));
    }
    CHECK(failures == 0);
    CHECK(doubles_off > cases / 20);
}
