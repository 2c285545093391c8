// sanitizers: address thread
// Progress as another thread reads it: read at polls of the cancel flag, never by the clock.
#include "compute/work.h"

#include <doctest/doctest.h>

#include <vector>

#include "compute/launch.h"

using namespace flipscope;

namespace {

struct Count {
    View<uint64_t> calls;
    FLIPSCOPE_HD void operator()(uint32_t) const { atomic_add(calls[0], uint64_t(1)); }
};

/// Reads the meter at every poll.
struct Reader : CancelFlag::Observer {
    explicit Reader(const WorkMeter& read) : meter(read) {}
    void polled() override { readings.push_back(meter.read(0)); }
    const WorkMeter& meter;
    std::vector<WorkMeter::Reading> readings;
};

}  // namespace

TEST_CASE("work: the innermost stage is read, with how much of it is done, and the outer one once it has ended") {
    WorkMeter meter;
    CHECK(meter.read(0).what.empty());
    {
        const WorkScope scope(meter);
        const WorkStage pass("compare");
        CHECK(meter.read(0).what == "compare");
        CHECK(meter.read(0).fraction == -1);
        {
            WorkStage loop("links", 8);
            loop.advance(2);
            CHECK(meter.read(0).what == "links");
            CHECK(meter.read(0).fraction == 0.25);
            loop.advance(20);
            CHECK(meter.read(0).fraction == 1);
            CHECK(meter.read(1e9).what.empty());  // nothing has been under way for so long
        }
        CHECK(meter.read(0).what == "compare");
    }
    CHECK(meter.read(0).what.empty());
    WorkStage unread("nothing", 3);
    unread.advance();
    CHECK(meter.read(0).what.empty());
}

TEST_CASE("work: what is read is written with the part that is done and the time that is left, where they are known") {
    CHECK(stage_text({}).empty());
    CHECK(stage_text({"link", -1, 3}) == "link");
    CHECK(stage_text({"link.cells", 0.01, 3}) == "link.cells 1 %");  // too little to tell when it ends
    CHECK(stage_text({"link.cells", 0.25, 3}) == "link.cells 25 %, 9 s left");
    CHECK(stage_text({"link.cells", 1, 3}) == "link.cells 100 %");
}

TEST_CASE("work: a stage that ends with an exception is not under way any more") {
    WorkMeter meter;
    const WorkScope scope(meter);
    try {
        const WorkStage stage("refused");
        throw Cancelled();
    } catch (const Cancelled&) {
    }
    CHECK(meter.read(0).what.empty());
}

TEST_CASE("work: a launch on CPU threads reports the finished indices under its label") {
    constexpr uint32_t kCount = 40 * kChunk;
    WorkMeter meter;
    Reader reader(meter);
    CancelFlag flag;
    Context context(DeviceRequest::kCpu, 1);  // one thread: readings come in order
    Buffer<uint64_t> calls("calls");
    calls.fill(context, 1, 0);
    context.set_cancel_flag(flag);
    flag.observe(&reader);
    {
        const WorkScope scope(meter);
        launch(context, "test.count", kCount, Count{calls.view()});
    }
    flag.observe(nullptr);
    CHECK(calls.read(0) == kCount);
    double before = 0;
    size_t told = 0;
    for (const WorkMeter::Reading& reading : reader.readings) {
        if (reading.what.empty()) continue;
        CHECK(reading.what == "test.count");
        CHECK(reading.fraction >= before);
        before = reading.fraction;
        ++told;
    }
    CHECK(told > 40);
    CHECK(before > 0.9);
    CHECK(meter.read(0).what.empty());
}
