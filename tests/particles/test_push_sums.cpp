#include "particles/push_sums.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "test_support.h"

using namespace flipscope;

TEST_CASE("push sums: x and y are summed exactly in any order, and taken once") {
    std::mt19937_64 random(3);
    for (size_t run = 0; run < case_count(400); ++run) {
        const size_t count = random() % 40;
        std::vector<uint64_t> words(6, 0);
        const PushSums sums{{words.data(), words.size()}};
        int64_t x = 0, y = 0;
        std::vector<std::pair<int64_t, int64_t>> pushes;
        for (size_t k = 0; k < count; ++k) {
            const auto part = [&] { return static_cast<int64_t>(random() % (1u << 31)) - (int64_t(1) << 30); };
            pushes.emplace_back(part(), part());
            x += pushes.back().first;
            y += pushes.back().second;
        }
        std::shuffle(pushes.begin(), pushes.end(), random);
        for (const auto& [dx, dy] : pushes) sums.add(1, dx, dy);
        const PushSums::Sum sum = run % 2 ? sums.take(1) : sums.take_once(1);
        CHECK(sum.any == (count > 0));
        CHECK(sum.x == x);
        CHECK(sum.y == y);
        CHECK_FALSE(sums.take(1).any);
        CHECK_FALSE(sums.take_once(1).any);
        CHECK(std::all_of(words.begin(), words.end(), [](uint64_t word) { return word == 0; }));  // of the others, too
    }
}

TEST_CASE("push sums: pairs that cancel each other out, or push by 0, are reported") {
    std::vector<uint64_t> words(2, 0);
    const PushSums sums{{words.data(), words.size()}};
    sums.add(0, 5, -7);
    sums.add(0, -5, 7);
    PushSums::Sum sum = sums.take(0);
    CHECK(sum.any);
    CHECK(sum.x == 0);
    CHECK(sum.y == 0);
    sums.add(0, 0, 0);
    CHECK(sums.take(0).any);
}

TEST_CASE("push sums: the unit is a multiple of the grid, and as small as all of them at once allow") {
    for (const double side : {1.0, 37.5, 1500.0, 3e7})
        for (const double longest : {1e-3, 0.9, 1.0, 1.8})
            for (const uint32_t count : {1u, 2u, 1000u, 1u << 20, 1u << 28}) {
                if (longest > side) continue;
                const TorusBox box = TorusBox::of(side);
                const double unit = PushSums::unit_for(longest, count, box);
                INFO("side ", side, ", longest ", longest, ", count ", count);
                CHECK(box.on_grid(unit) == unit);
                CHECK(std::exp2(std::round(std::log2(unit))) == unit);
                CHECK(longest / unit * count < 0x1p51);  // half of x's field
                if (count <= 1u << 20) CHECK(unit < std::max(longest * 0x1p-28, box.grid * 1.5));
            }
}
