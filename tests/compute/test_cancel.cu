// sanitizers: address thread
// All work on CPU threads polls the cancel flag often enough, and leaves nothing behind when it is set. Tests count
// polls and the work between them, and use no clock.
#include "compute/cancel.h"

#include <vector>

#include "cancel_polls.h"
#include "compute/append.h"
#include "compute/primitives.h"
#include "test_support.h"

using namespace flipscope;

namespace {

constexpr uint32_t kCount = 50'000;  // many chunks

/// Counts its calls where tests can see it: on CPU threads only.
struct Worked {
    View<uint64_t> calls;
    FLIPSCOPE_HD void operator()(uint32_t i) const { atomic_add(calls[0], uint64_t(i < 0xFFFFFFFFu)); }
};
struct WorkedHard : Worked {
    static constexpr uint32_t kIndicesPerPoll = 3;
};
struct KeepOdd {
    View<uint64_t> calls;
    View<uint32_t> out;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const {
        atomic_add(calls[0], uint64_t(1));
        return i & 1;
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        atomic_add(calls[0], uint64_t(1));
        if (code) out[rank] = i;
    }
};
struct Greatest {
    View<uint64_t> calls;
    FLIPSCOPE_HD uint32_t operator()(uint32_t i) const {
        atomic_add(calls[0], uint64_t(1));
        return i ^ 0x5555u;
    }
    FLIPSCOPE_HD static uint32_t combine(uint32_t a, uint32_t b) { return a > b ? a : b; }
};

/// Everything a context does that can take long, in turns.
class Bench {
  public:
    explicit Bench(int threads) : context(DeviceRequest::kCpu, threads), scope_(flag) {
        context.set_cancel_flag(flag);
        calls.fill(context, 1, 0);
        out.resize(context, kCount);
        total.resize(context, 1);
        marks.resize(context, kCount);
        keys.resize(context, kCount);
        values.resize(context, kCount);
    }
    static constexpr int kWays = 8;
    /// One number for the result.
    uint64_t run(int way) {
        switch (way) {
            case 0:
                launch(context, "test.work", kCount, Worked{calls.view()});
                return 0;
            case 1:
                launch(context, "test.hard", kCount, WorkedHard{{calls.view()}});
                return 0;
            case 2:
                compact(context, "test.expand", kCount, KeepOdd{calls.view(), out.view()}, total.view());
                return total.read(0) + out.read(total.read(0) - 1);
            case 3:
                append_unordered(context, "test.append", kCount, KeepOdd{calls.view(), out.view()}, total.view());
                return total.read(0) + out.read(total.read(0) - 1);
            case 4:
                return reduce(context, "test.reduce", kCount, Greatest{calls.view()}, 0u);
            case 5:
                marks.fill_bytes(1);
                list_marked(context, "test.marked", marks.view(), out.view(), total.view());
                return total.read(0) + out.read(kCount - 1);
            case 6: {
                std::vector<uint64_t> some(kCount);
                for (uint32_t i = 0; i < kCount; ++i) some[i] = i * 2654435761u % 1000003;
                keys.upload(context, some.data(), kCount);
                sort_by_key(context, "test.sort", keys, values, 64);
                return keys.read(0) + keys.read(kCount - 1);
            }
            default:
                compact(context, "test.few", 1000, KeepOdd{calls.view(), out.view()}, total.view());
                return total.read(0);
        }
    }

    CancelFlag flag;
    Context context;
    Buffer<uint64_t> calls{"calls"}, keys{"keys"};
    Buffer<uint32_t> out{"out"}, total{"total"}, values{"values"};
    Buffer<uint8_t> marks{"marks"};

  private:
    CancelScope scope_;
};

}  // namespace

TEST_CASE("cancelling: between two looks of a kernel lie no more indices than it has named") {
    for (int way = 0; way < Bench::kWays; ++way) {
        CAPTURE(way);
        Bench bench(1);
        PollObserver polls(bench.flag);
        polls.measure([&] { return bench.calls.view()[0]; });
        bench.run(way);
        CHECK(polls.most_between() <= (way == 1 ? 3 : 2 * kIndicesPerPoll));  // code() and emit() count both
        CHECK(polls.count() > 1);
    }
}

TEST_CASE("cancelling: a launch ends at any poll that finds the flag set, and the next one runs normally") {
    for (const int threads : {1, 2, 4})
        for (int way = 0; way < Bench::kWays; ++way) {
            INFO("threads ", threads, ", way ", way);
            Bench bench(threads);
            const uint64_t expected = bench.run(way);
            uint64_t whole = 0;
            {
                PollObserver polls(bench.flag);
                bench.run(way);
                whole = polls.count();
            }
            REQUIRE(whole > 2);
            const size_t live = bench.context.live_bytes();
            for (uint64_t k = 1; k <= whole; k += std::max<uint64_t>(1, whole / (case_stride(3) > 1 ? 13 : 40))) {
                CAPTURE(k);
                {
                    // With several threads it is not the same look each time, and the last ones may not come.
                    PollObserver polls(bench.flag, k);
                    bool ended = false;
                    try {
                        bench.run(way);
                    } catch (const Cancelled&) {
                        ended = true;
                    }
                    CHECK((ended || polls.count() < k));
                    if (threads == 1) CHECK(ended);
                }
                CHECK(bench.run(way) == expected);
                CHECK(bench.context.live_bytes() == live);
            }
        }
}

TEST_CASE("cancelling: no rank is given out wrongly while chunks of a compaction are being left out") {
    // emit() writes where its rank says: a wrong one would lie outside, or be met twice.
    for (uint64_t k = 1; k < 3000; k += 97) {
        Bench bench(4);
        bench.out.fill_bytes(0xFF);
        {
            PollObserver polls(bench.flag, k);
            try {
                bench.run(2);
            } catch (const Cancelled&) {
            }
        }
        const std::vector<uint32_t> out = bench.out.download();
        for (uint32_t rank = 0; rank < kCount; ++rank)
            if (out[rank] != kNone) REQUIRE(out[rank] == 2 * rank + 1);
    }
}

TEST_CASE("cancelling: host loops look at the flag of their thread's scope, and only there") {
    CHECK_NOTHROW(throw_if_cancelled());
    CancelFlag outer, inner;
    outer.set();
    const CancelScope scope(outer);
    CHECK_THROWS_AS(throw_if_cancelled(), Cancelled);
    {
        const CancelScope nested(inner);
        CHECK_NOTHROW(throw_if_cancelled());
    }
    CHECK_THROWS_AS(throw_if_cancelled(), Cancelled);
    outer.clear();
    CHECK_NOTHROW(throw_if_cancelled());
}

TEST_CASE("cancelling: sorting and growing look as they go, and do what the standard library does") {
    CancelFlag flag;
    const CancelScope scope(flag);
    std::vector<uint32_t> values(100'000);
    for (uint32_t i = 0; i < values.size(); ++i) values[i] = i * 2654435761u;
    std::vector<uint32_t> expected = values, sorted = values;
    std::sort(expected.begin(), expected.end());
    uint64_t compared = 0;
    {
        PollObserver polls(flag);
        polls.measure([&] { return compared; });
        sort_or_cancel(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
            ++compared;
            return a < b;
        });
        CHECK(polls.most_between() <= kItemsPerPoll);
    }
    CHECK(sorted == expected);
    for (const bool stable : {false, true}) {
        sorted = values;
        PollObserver polls(flag, 20);
        const auto sort = [&] {
            if (stable)
                stable_sort_or_cancel(sorted.begin(), sorted.end(), std::less<uint32_t>());
            else
                sort_or_cancel(sorted.begin(), sorted.end());
        };
        CHECK_THROWS_AS(sort(), Cancelled);
    }
    std::vector<double> grown{7};
    {
        PollObserver polls(flag);
        resize_or_cancel(grown, 9'000'000, 2.0);
        CHECK(polls.count() >= 4);  // 16 MiB each
    }
    CHECK(grown.size() == 9'000'000);
    CHECK(grown.front() == 7);
    CHECK(grown.back() == 2);
    resize_or_cancel(grown, 3);
    CHECK(grown == std::vector<double>{7, 2, 2});
}

TEST_CASE("cancelling: a large copy between host buffers can be broken off") {
    CancelFlag flag;
    Context context(DeviceRequest::kCpu, 1);
    context.set_cancel_flag(flag);
    Buffer<uint8_t> bytes("bytes");
    bytes.resize(context, size_t(200) << 20);
    std::vector<uint8_t> host(bytes.size());
    PollObserver polls(flag, 2);
    CHECK_THROWS_AS(bytes.download(host.data(), host.size()), Cancelled);
    CHECK(polls.count() == 2);
}
