// sanitizers: address thread
// Work of the host on all cores: no item is skipped, results come in order, and the first error is thrown.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "compute/on_all_cores.h"

using namespace flipscope;

TEST_CASE("on all cores: each part is done once, and what was made is taken in order") {
    for (const size_t count : {0, 1, 2, 3, 1000}) {
        std::vector<std::atomic<int>> done(count);
        on_all_cores(count, [&](size_t i) { ++done[i]; });
        std::vector<size_t> taken;
        std::atomic<int> parts{0};
        on_all_cores_in_order(
            count,
            [&] {
                ++parts;
                return size_t(0);
            },
            [&](size_t& part, size_t i) {
                if (i % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));  // later ones overtake it
                ++done[i];
                part = i;
            },
            [&](size_t& part) { taken.push_back(part); });
        CHECK(parts <= static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
        REQUIRE(taken.size() == count);
        for (size_t i = 0; i < count; ++i) {
            CHECK(done[i] == 2);
            CHECK(taken[i] == i);
        }
    }
}

TEST_CASE("on all cores: of several errors the first counts, and what comes before it is taken") {
    for (const size_t bad : {0, 1, 57, 199})
        for (const bool while_taking : {false, true}) {
            std::vector<size_t> taken;
            const auto fail = [&](size_t i) {
                if (i >= bad) throw std::runtime_error(std::to_string(i));
            };
            std::string error;
            try {
                on_all_cores_in_order(
                    200, [] { return size_t(0); },
                    [&](size_t& part, size_t i) {
                        part = i;
                        if (i == bad) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                        if (!while_taking) fail(i);
                    },
                    [&](size_t& part) {
                        fail(part);
                        taken.push_back(part);
                    });
            } catch (const std::runtime_error& thrown) {
                error = thrown.what();
            }
            CHECK(error == std::to_string(bad));
            CHECK(taken.size() == bad);
        }
}

TEST_CASE("on all cores: Cancelled ends the work") {
    CancelFlag flag;
    flag.set();
    const CancelScope scope(flag);
    size_t taken = 0;
    const auto sleep = [](int&, size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    CHECK_THROWS_AS(on_all_cores_in_order(
                        5000, [] { return 0; }, sleep, [&](int&) { ++taken; }),
                    Cancelled);
    CHECK(taken < 5000);
}
