// sanitizers: none
// Every generator can be cancelled, and polls often enough: once in kItemsPerPoll items or more.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "cancel_polls.h"
#include "geometry/generators.h"
#include "tested_count.h"

using namespace flipscope;

TEST_CASE("generators: each looks at the cancel flag once in so many points, and ends at whichever look finds it set") {
    CancelFlag flag;
    const CancelScope scope(flag);
    for (const GeneratorInfo& info : generators()) {
        const uint64_t count = info.second_count > 0
                                   ? tested_count(info, 100'000)
                                   : std::min<uint64_t>(info.max_count, info.process ? 30'000 : 100'000);
        const std::string text = info.name + ":" + std::to_string(count) + "@scale=-2";
        INFO(text);
        uint64_t whole = 0;
        Geometry expected;
        {
            PollObserver polls(flag);
            expected = generate(parse_generator(text));
            whole = polls.count();
        }
        CHECK(whole >= count / kItemsPerPoll);
        CHECK(whole > 0);
        for (uint64_t k = 1; k <= whole; k += std::max<uint64_t>(1, whole / 12)) {
            PollObserver polls(flag, k);
            CHECK_THROWS_AS(generate(parse_generator(text)), Cancelled);
            CHECK(polls.count() == k);
        }
        const Geometry again = generate(parse_generator(text));
        CHECK(std::equal(again.points.begin(), again.points.end(), expected.points.begin(), expected.points.end()));
    }
}
