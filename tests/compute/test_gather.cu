// sanitizers: address thread
// launch_gathered(): every index reaches its steps once, with the values that it kept, and the lists hold all results.
#include <algorithm>
#include <tuple>
#include <vector>

#include "compute/buffer.h"
#include "compute/gather.h"
#include "test_support.h"

using namespace flipscope;

namespace {

/// One index in `every` continues, and three in four of these have a result: so many entries for the first list as the
/// lowest two bits say, and two for the second list where the next bit is set.
struct GatherSome {
    static constexpr int kBlocks = 4;
    struct Kept {
        uint64_t square;
        uint32_t index;
    };
    uint32_t every;
    View<uint32_t> firsts, thens;  // (n) how often each step was come to
    View<uint32_t> one, other;

    FLIPSCOPE_HD uint32_t first(uint32_t i, Kept& kept, BlockSums& sums) const {
        ++sums.value[0];
        atomic_add(firsts[i], 1u);
        kept = {uint64_t(i) * i, i};
        return i % every == 0 ? 7 * i + 1 : 0;
    }
    FLIPSCOPE_HD uint32_t then(uint32_t i, uint32_t code, const Kept& kept, BlockSums& sums) const {
        ++sums.value[1];
        sums.value[2] += kept.index != i || kept.square != uint64_t(i) * i || code != 7 * i + 1;
        atomic_add(thens[i], 1u);
        return i / every % 8;
    }
    FLIPSCOPE_HD static uint32_t count_of(uint32_t found, uint32_t list) {
        return list == 0 ? found % 4 : found / 4 * 2;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t found, const uint32_t (&ranks)[kGatheredLists]) const {
        for (uint32_t k = 0; k < found % 4; ++k) one[ranks[0] + k] = 4 * i + k;
        for (uint32_t k = 0; k < found / 4 * 2; ++k) other[ranks[1] + k] = 4 * i + k;
    }
};

}  // namespace

TEST_CASE("gather: few or all indices continue, each once with the values it kept, and all results are listed") {
    on_every_device([&](Context& context) {
        for (const uint32_t n : {1u, 31u, 33u, 256u, 5000u, 300000u})
            for (const uint32_t every : {1u, 3u, 40u, 7000u}) {
                INFO("n ", n, ", every ", every);
                Buffer<uint32_t> firsts("firsts"), thens("thens"), one("one"), other("other"), totals("totals");
                Buffer<uint64_t> sums("sums");
                for (Buffer<uint32_t>* buffer : {&firsts, &thens}) buffer->resize(context, n), buffer->fill_bytes(0);
                for (Buffer<uint32_t>* buffer : {&one, &other})
                    buffer->resize(context, 3 * size_t(n) + 5), buffer->fill_bytes(0);
                const uint32_t before[2] = {5, 2};  // behind what is there already
                totals.upload(context, before, 2);
                sums.fill(context, kSumCount, 0);
                const GatherSome kernel{every, firsts.view(), thens.view(), one.view(), other.view()};
                const View<uint32_t> words = totals.view();
                launch_gathered(context, "test.gather", n, kernel, {words.data, 1}, {words.data + 1, 1}, sums.view());

                std::vector<uint32_t> of_one(5, 0), of_other(2, 0), expected_thens(n, 0);
                for (uint32_t i = 0; i < n; i += every) {
                    expected_thens[i] = 1;
                    for (uint32_t k = 0; k < i / every % 4; ++k) of_one.push_back(4 * i + k);
                    for (uint32_t k = 0; k < i / every % 8 / 4 * 2; ++k) of_other.push_back(4 * i + k);
                }
                CHECK(firsts.download() == std::vector<uint32_t>(n, 1));
                CHECK(thens.download() == expected_thens);
                const std::vector<uint64_t> counts = sums.download();
                CHECK(counts[0] == n);
                CHECK(counts[1] == (n - 1) / every + 1);
                CHECK(counts[2] == 0);
                REQUIRE(totals.read(0) == of_one.size());
                REQUIRE(totals.read(1) == of_other.size());
                for (auto& [buffer, expected, skipped] :
                     {std::tuple{&one, &of_one, 5u}, std::tuple{&other, &of_other, 2u}}) {
                    std::vector<uint32_t> got = buffer->download();
                    got.resize(expected->size());
                    std::fill_n(got.begin(), skipped, 0);  // not written
                    std::sort(got.begin(), got.end());
                    CHECK(got == *expected);
                }
            }
    });
}
