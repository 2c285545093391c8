#include "geometry/bounding_boxes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "geometry/bounds.h"

using namespace flipscope;

namespace {

/// Of widths and heights over several magnitudes; many of them on a lattice, so that boxes touch.
std::vector<BoundingBox> random_boxes(uint32_t count, double typical, std::mt19937_64& random) {
    std::uniform_real_distribution<double> place(0, 1), magnitude(-3, 1.5);
    std::vector<BoundingBox> boxes;
    for (uint32_t i = 0; i < count; ++i) {
        const double width = typical * std::pow(10, magnitude(random)),
                     height = typical * std::pow(10, magnitude(random));
        double x = place(random), y = place(random);
        if (i % 3 == 0) x = std::floor(x * 16) / 16, y = std::floor(y * 16) / 16;
        boxes.push_back({x, i % 3 ? x + width : x + 1.0 / 16, y, i % 3 ? y + height : y + 1.0 / 16});
    }
    return boxes;
}

using Pair = std::pair<uint32_t, uint32_t>;

}  // namespace

TEST_CASE("bounding boxes: every pair that meets is found once") {
    std::mt19937_64 random(7);
    for (const uint32_t count : {0u, 1u, 2u, 50u, 700u})
        for (const double typical : {0.001, 0.05, 1.0}) {
            INFO("count ", count, ", typical ", typical);
            const std::vector<BoundingBox> boxes = random_boxes(count, typical, random);
            std::vector<uint8_t> left_out(count, 0);
            for (uint32_t i = 0; i < count; ++i) left_out[i] = i % 7 == 3;
            std::set<Pair> expected, found;
            for (uint32_t i = 0; i < count; ++i)
                for (uint32_t j = i + 1; j < count; ++j)
                    if (!left_out[i] && !left_out[j] && boxes[i].meets(boxes[j])) expected.insert({i, j});
            const BoxPairs pairs(boxes, left_out);
            bool twice = false;
            uint64_t looks = uint64_t(count) * 10000;
            for (uint32_t entry = 0; entry < pairs.entry_count(); ++entry)
                CHECK(pairs.each_of(entry, looks, [&](uint32_t i, uint32_t j) {
                    twice = !found.insert({std::min(i, j), std::max(i, j)}).second || twice;
                }));
            CHECK_FALSE(twice);
            CHECK(found == expected);
        }
}

TEST_CASE("bounding boxes: a search that looks at too many says so") {
    const std::vector<BoundingBox> boxes(5, BoundingBox{0, 1, 0, 1});
    const BoxPairs pairs(boxes);
    uint32_t found = 0;
    const auto count = [&](uint32_t, uint32_t) { ++found; };
    uint64_t looks = 5;
    CHECK(pairs.each_of(0, looks, count));
    CHECK(looks == 1);
    CHECK(found == 4);
    CHECK_FALSE(pairs.each_of(1, looks, count));
    CHECK(looks == 0);
    CHECK(found == 5);
}

TEST_CASE("bounding boxes: a cover misses no box that meets it, and spares most others") {
    std::mt19937_64 random(8);
    for (const uint32_t count : {1u, 30u})
        for (const size_t cells : {size_t(1), size_t(100), size_t(100000)}) {
            INFO("count ", count, ", cells ", cells);
            const std::vector<BoundingBox> boxes = random_boxes(count, 0.002, random);
            const BoxCover cover(boxes, cells);
            uint32_t spared = 0, missed = 0;
            const std::vector<BoundingBox> asked = random_boxes(2000, 0.01, random);
            for (const BoundingBox& box : asked) {
                bool meets = false;
                for (const BoundingBox& other : boxes) meets = meets || other.meets(box);
                missed += meets && !cover.may_meet(box);
                spared += !cover.may_meet(box);
            }
            CHECK(missed == 0);
            if (cells >= 100) CHECK(spared > 1000);
        }
    CHECK_FALSE(BoxCover({}, 100).may_meet({0, 1, 0, 1}));
    const BoundingBox point{3, 3, 4, 4};
    CHECK(BoxCover({&point, 1}, 100).may_meet({2, 3, 4, 5}));
    CHECK_FALSE(BoxCover({&point, 1}, 100).may_meet({2, 2.9, 4, 5}));
}

TEST_CASE("plane bounds: they hold the points whose coordinates are finite, and nothing more") {
    const Bounds bounds = bounds_of({{NAN, 1}, {3, INFINITY}, {2, -5}, {-1, 4}, {-INFINITY, 0}});
    CHECK(bounds.low == Point{-1, -5});
    CHECK(bounds.high == Point{2, 4});
    for (const std::vector<Point>& none : {std::vector<Point>{}, std::vector<Point>{{NAN, NAN}}}) {
        CHECK(bounds_of(none).low == Point{0, 0});
        CHECK(bounds_of(none).high == Point{0, 0});
    }
}
