// sanitizers: address thread
// The device from the program's view: how it is chosen, its counts, and how it is interrupted.
#include "compute/context.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "compute/cleared_words.h"
#include "compute/primitives.h"
#include "compute/scratch_pool.h"
#include "flipscope/error.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Fill {
    View<uint32_t> out;
    uint32_t value;
    FLIPSCOPE_HD void operator()(uint32_t i) const { out[i] = value; }
};

}  // namespace

TEST_CASE("context: devices are read by name, and nothing else is one") {
    CHECK(parse_device("auto") == DeviceRequest::kAuto);
    CHECK(parse_device("cpu") == DeviceRequest::kCpu);
    CHECK(parse_device("cuda") == DeviceRequest::kCuda);
    for (const char* text : {"", "CPU", "gpu", "cpu ", "cuda:0", "autocpu"})
        CHECK_FALSE(parse_device(text).has_value());
}

TEST_CASE("context: every call on a lost device reports it, and the destructor is silent") {
    // Not on CUDA: there it would be lost for all tests of this program (tests/app/session/test_session.cpp loses one).
    Context context(DeviceRequest::kCpu, 2);
    Buffer<uint32_t> out("out");
    out.resize(context, 100);
    context.lose_after(3);
    launch(context, "fine", 100, Fill{out.view(), 1});
    launch(context, "fine", 100, Fill{out.view(), 2});
    CHECK(out.read(99) == 2);
    CHECK_THROWS_WITH_AS(launch(context, "failing", 100, Fill{out.view(), 3}),
                         "kernel failing: a test has lost the device", DeviceLost);
    CHECK_THROWS_AS(launch(context, "another", 100, Fill{out.view(), 3}), DeviceLost);
    CHECK_THROWS_AS(out.read(0), DeviceLost);
    CHECK_THROWS_AS(out.download(), DeviceLost);
    CHECK_THROWS_AS(out.resize(context, 1000), DeviceLost);  // which would keep what was there
    Context other(DeviceRequest::kCpu, 2);
    Buffer<uint32_t> elsewhere("elsewhere");
    elsewhere.resize(other, 100);
    launch(other, "fine", 100, Fill{elsewhere.view(), 4});
    CHECK(elsewhere.read(99) == 4);
}

TEST_CASE("context: the CPU is always listed first and usable; a missing CUDA says why") {
    const std::vector<DeviceInfo> devices = list_devices();
    REQUIRE(devices.size() == 2);
    CHECK(devices[0].device == Device::kCpu);
    CHECK(devices[0].usable);
    CHECK(devices[0].name.rfind("CPU, ", 0) == 0);
    CHECK(devices[1].device == Device::kCuda);
    CHECK_FALSE(devices[1].explanation.empty());
    if (devices[1].usable) {
        Context context(DeviceRequest::kAuto);
        CHECK(context.on_cuda());
        CHECK(context.notice().empty());
        return;
    }
    Context context(DeviceRequest::kAuto, 2);
    CHECK_FALSE(context.on_cuda());
    CHECK(contains(context.notice(), devices[1].explanation));
    CHECK(context.notice().find('\n') == std::string::npos);
    CHECK_THROWS_WITH_AS(Context(DeviceRequest::kCuda), doctest::Contains("--device cpu"), std::runtime_error);
}

TEST_CASE("context: the requested number of threads, and as many as the machine has for 0") {
    CHECK(Context(DeviceRequest::kCpu, 1).threads() == 1);
    CHECK(Context(DeviceRequest::kCpu, 3).threads() == 3);
    CHECK(Context(DeviceRequest::kCpu, 0).threads() >= 1);
    CHECK(Context(DeviceRequest::kCpu, 1).device_name() == "CPU, 1 thread");
    CHECK(Context(DeviceRequest::kCpu, 4).device_name() == "CPU, 4 threads");
    CHECK(Context(DeviceRequest::kCpu, 4).notice().empty());
}

TEST_CASE("context: every chunk is run once, by one thread or by more than there are cores and chunks") {
    for (const int threads : {1, 2, 3, 100})
        for (const uint32_t chunks : {0u, 1u, 2u, 63u, 64u, 65u, 1000u}) {
            INFO(threads, " threads, ", chunks, " chunks");
            Context context(DeviceRequest::kCpu, threads);
            std::vector<std::atomic<int>> runs(chunks);
            for (int turn = 1; turn <= 20; ++turn) {
                context.run_chunks(chunks, [&](uint32_t chunk) { ++runs[chunk]; });
                CHECK(std::all_of(runs.begin(), runs.end(), [&](const auto& times) { return times == turn; }));
            }
        }
}

TEST_CASE("context: a block size is a multiple of 32 between 32 and 1024") {
    Context context(DeviceRequest::kCpu, 1);
    for (const uint32_t size : {32u, 64u, 96u, 1024u}) {
        context.set_block_size(size);
        CHECK(context.block_size() == size);
    }
    for (const uint32_t size : {0u, 1u, 31u, 33u, 1025u, 1056u, 0xFFFFFFE0u}) {
        CHECK_THROWS_AS(context.set_block_size(size), std::runtime_error);
        CHECK(context.block_size() == 1024);
    }
}

TEST_CASE("context: results do not depend on the block size") {
    on_every_device([&](Context& context) {
        for (const uint32_t size : {32u, 160u, 512u, 1024u}) {
            context.set_block_size(size);
            Buffer<uint32_t> out("out");
            out.resize(context, 5000);
            launch(context, "test.fill", 5000, Fill{out.view(), size});
            const auto words = out.download();
            CHECK(std::count(words.begin(), words.end(), size) == 5000);
        }
    });
}

TEST_CASE("context: memory is counted, live and at its peak, and all of it comes back") {
    on_every_device([&](Context& context) {
        const size_t before = context.live_bytes();
        {
            Buffer<uint32_t> small("small"), large("large");
            small.resize(context, 1000);
            CHECK(context.live_bytes() >= before + 4000);
            large.resize(context, 3'000'000);
            const size_t both = context.live_bytes();
            CHECK(both >= before + 4000 + 12'000'000);
            CHECK(context.peak_bytes() >= both);
            large.release();
            CHECK(context.live_bytes() <= both - 12'000'000);
            CHECK(context.peak_bytes() >= both);
            context.reset_peak();
            CHECK(context.peak_bytes() == context.live_bytes());
        }
        CHECK(context.live_bytes() == before);
    });
}

TEST_CASE("lent memory: passing buffers lie in it as long as they fit, others never do, and no two share a byte") {
    constexpr size_t kBytes = size_t(1) << 20;
    on_every_device([&](Context& context) {
        Buffer<uint8_t> block("block"), second("second"), large("large", Residence::kTemporary);
        block.resize(context, kBytes);
        second.resize(context, kBytes / 4);
        const size_t before = context.live_bytes();
        {
            const ScratchPool scratch_pool(context, {block.memory(), nullptr, second.memory()});
            Buffer<uint8_t> own("own");
            own.resize(context, 1000);
            CHECK(context.live_bytes() > before);
            own.release();
            {
                Buffer<uint8_t> parts[3] = {Buffer<uint8_t>("a", Residence::kTemporary),
                                            Buffer<uint8_t>("b", Residence::kTemporary),
                                            Buffer<uint8_t>("c", Residence::kTemporary)};
                const size_t sizes[3] = {kBytes / 2, kBytes / 4 - 100, kBytes / 2};
                for (int k = 0; k < 3; ++k) parts[k].resize(context, sizes[k]);
                CHECK(context.live_bytes() == before);
                for (int k = 0; k < 3; ++k) parts[k].fill_bytes(k + 1);
                for (int k = 0; k < 3; ++k) {
                    const std::vector<uint8_t> bytes = parts[k].download();
                    CHECK(std::count(bytes.begin(), bytes.end(), k + 1) == static_cast<ptrdiff_t>(bytes.size()));
                }
                parts[0].swap_memory(parts[2]);
                CHECK(parts[0].read(0) == 3);
                CHECK_THROWS_AS(parts[0].swap_memory(own), std::logic_error);
                Buffer<uint8_t> more("more", Residence::kTemporary);
                more.resize(context, kBytes);  // there is no room left
                CHECK(context.live_bytes() >= before + kBytes);
            }
            Buffer<uint8_t> whole("whole", Residence::kTemporary);
            whole.resize(context, kBytes);  // what was given back is one piece again
            CHECK(context.live_bytes() == before);
        }
        large.resize(context, 1000);  // nothing is lent any more
        CHECK(context.live_bytes() > before);
    });
}

TEST_CASE("buffer: growing keeps what was there, shrinking keeps the room") {
    on_every_device([&](Context& context) {
        Buffer<uint32_t> buffer("words");
        CHECK(buffer.empty());
        CHECK(buffer.download().empty());
        CHECK(buffer.memory() == nullptr);
        const std::vector<uint32_t> words{5, 6, 7, 8};
        buffer.upload(context, words.data(), words.size());
        CHECK(buffer.download() == words);
        CHECK(buffer.read(2) == 7);
        buffer.write(2, 9);
        buffer.resize(context, 100'000);
        CHECK(buffer.size() == 100'000);
        CHECK(buffer.read(2) == 9);
        CHECK(buffer.read(3) == 8);
        const size_t room = context.live_bytes();
        buffer.resize(context, 2);
        CHECK(buffer.download() == std::vector<uint32_t>{5, 6});
        buffer.resize(context, 100'000);
        CHECK(context.live_bytes() == room);
        buffer.fill(context, 10, 0xFF);
        CHECK(buffer.download() == std::vector<uint32_t>(10, kNone));
        uint32_t two[2];
        buffer.write(4, 1);
        buffer.download(two, 2, 4);
        CHECK(two[0] == 1);
        CHECK(two[1] == kNone);
        buffer.resize(context, 0);
        CHECK(buffer.empty());
        buffer.release();
        CHECK(buffer.memory() == nullptr);
    });
}

TEST_CASE("buffer: any part of it is read back, from any byte on, however often") {
    on_every_device([&](Context& context) {
        std::vector<uint8_t> bytes(5000);
        for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 37 + i / 256);
        Buffer<uint8_t> buffer("bytes");
        buffer.upload(context, bytes.data(), bytes.size());
        for (const size_t count : {1, 2, 3, 4, 5, 31, 32, 63, 64, 127, 128, 129, 1023, 1024, 1025, 4000})
            for (const size_t first : {0, 1, 2, 3, 4, 700}) {
                const std::vector<uint8_t> read = buffer.download(count, first);
                CHECK(std::equal(read.begin(), read.end(), bytes.begin() + static_cast<ptrdiff_t>(first)));
            }
        for (uint32_t again = 0; again < 1000; ++again) {  // a read that came too early would see the one before
            buffer.write(again % 5000, static_cast<uint8_t>(again));
            REQUIRE(buffer.read(again % 5000) == static_cast<uint8_t>(again));
        }
    });
}

TEST_CASE("context: a launch is booked under its label: calls, elements and time") {
    on_every_device([&](Context& context) {
        Buffer<uint32_t> out("out");
        out.resize(context, 100'000);
        const std::string composed = std::string("test.") + "one";
        launch(context, "test.one", 1000, Fill{out.view(), 1});
        launch(context, "test.two", 100'000, Fill{out.view(), 2});
        launch(context, composed.c_str(), 24, Fill{out.view(), 3});  // an equal text elsewhere: the same row
        launch(context, "test.none", 0, Fill{out.view(), 4});        // nothing to do is nothing to book
        context.synchronize();
        context.collect_timings();
        const auto& rows = context.timings().rows();
        const auto find = [&](const char* label) {
            return std::find_if(rows.begin(), rows.end(), [&](const LabelTiming& row) { return row.label == label; });
        };
        REQUIRE(find("test.one") != rows.end());
        CHECK(find("test.one")->calls == 2);
        CHECK(find("test.one")->elements == 1024);
        CHECK(find("test.two")->calls == 1);
        CHECK(find("test.two")->elements == 100'000);
        CHECK(find("test.two")->last_ms >= 0);
        CHECK(find("test.two")->total_ms == find("test.two")->last_ms);
        CHECK(find("test.none") == rows.end());
        double sum = 0;
        for (const LabelTiming& row : rows) sum += row.total_ms;
        CHECK(context.timings().total_ms() == doctest::Approx(sum));
        context.timings().clear();
        CHECK(context.timings().total_ms() == 0);
        CHECK(find("test.one")->calls == 0);
    });
}

TEST_CASE("timings: a late event of a cleared table is dropped, not booked elsewhere") {
    Timings timings;
    const size_t row = timings.row("a");
    timings.add(row, 2, 10);
    timings.add(row, 3, 10);
    timings.add(row + 1, 5, 1);
    REQUIRE(timings.rows().size() == 1);
    CHECK(timings.rows()[0].total_ms == 5);
    CHECK(timings.rows()[0].last_ms == 3);
    CHECK(timings.rows()[0].elements == 20);
}

TEST_CASE("context: cancel() stops the next launch and every one after it, until it is cleared") {
    on_every_device([&](Context& context) {
        Buffer<uint32_t> out("out"), total("total");
        out.fill(context, 10, 0);
        std::thread([&] { context.cancel(); }).join();
        CHECK(context.cancelled());
        for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(launch(context, "test.fill", 10, Fill{out.view(), 1}), Cancelled);
        CHECK(out.read(0) == 0);
        context.clear_cancel();
        launch(context, "test.fill", 10, Fill{out.view(), 1});
        CHECK(out.read(9) == 1);
    });
}
