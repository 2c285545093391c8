// Who is who in two moments.
#include "events/comparisons.h"

namespace flipscope {

namespace {
const Lattice kOpen{64, 48, false}, kTorus{64, 48, true};
}

TEST_CASE("matching: whoever has moved farther than the cap has no partner") {
    Context context(DeviceRequest::kCpu, 1);
    const Still past{{{10, 10}, {40, 30}}, {}};
    const Still now{{{40, 31}, {16, 10}}, {}};
    const double mean = std::sqrt(64.0 * 48 / 2);
    Comparing near(context, kOpen, 6.01 / mean);
    near(past, now);
    CHECK(near.to_now == std::vector<uint32_t>{1, 0});
    CHECK(near.to_past == std::vector<uint32_t>{1, 0});
    Comparing nearer(context, kOpen, 5.99 / mean);
    nearer(past, now);
    CHECK(nearer.to_now == std::vector<uint32_t>{kNone, 0});
    CHECK(nearer.to_past == std::vector<uint32_t>{1, kNone});
    CHECK(nearer.counts.vanished == 1);
    CHECK(nearer.counts.appeared() == 1);
}

TEST_CASE("matching: partners find each other across the borders of a torus, and not across open ones") {
    Context context(DeviceRequest::kCpu, 1);
    const Still past{{{0.5, 47.5}}, {}}, now{{{63.5, 0.5}}, {}};
    Comparing torus(context, kTorus, 0.1), open(context, kOpen, 0.1);
    torus(past, now);
    CHECK(torus.counts.matched == 1);
    open(past, now);
    CHECK(open.counts.matched == 0);
}

TEST_CASE("matching: the nearest must want each other") {
    Context context(DeviceRequest::kCpu, 1);
    // Both past ones are nearest to the only present one; the nearer of the two gets it.
    Comparing compare(context, kOpen, 10);
    compare(Still{{{10, 10}, {13, 10}}, {}}, Still{{{12, 10}}, {}});
    CHECK(compare.to_now == std::vector<uint32_t>{kNone, 0});
    // Equally near: the lowest label.
    compare(Still{{{10, 10}, {14, 10}}, {}}, Still{{{12, 10}}, {}});
    CHECK(compare.to_now == std::vector<uint32_t>{0, kNone});
}

TEST_CASE("matching: of coincident centres one has a partner") {
    Context context(DeviceRequest::kCpu, 1);
    Comparing compare(context, kOpen);
    const Still same{{{5, 5}, {5, 5}, {5, 5}}, {}};
    compare(same, same);
    CHECK(compare.to_now == std::vector<uint32_t>{0, kNone, kNone});
}

TEST_CASE("matching: by given names, in whatever order they come") {
    Context context(DeviceRequest::kCpu, 1);
    Comparing compare(context, kOpen);
    Still past{{{1, 1}, {2, 2}, {3, 3}}, {}, {30, -7, 5000000000}};
    Still now{{{60, 40}, {50, 40}, {40, 40}, {30, 30}}, {}, {5000000000, 8, 30, 31}};
    compare(past, now, true);
    CHECK(compare.to_now == std::vector<uint32_t>{2, kNone, 0});
    CHECK(compare.to_past == std::vector<uint32_t>{2, kNone, 0, kNone});
    CHECK(compare.counts.matched == 2);
    CHECK(compare.counts.vanished == 1);
}

TEST_CASE("matching: names stay with partners, and who appears gets the next one") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        Context context(device.request, device.threads);
        Comparing compare(context, kOpen, 0.2);
        compare(Still{{{10, 10}, {30, 10}, {50, 10}}, {}}, Still{{{20, 40}, {50, 11}, {40, 40}, {10, 11}}, {}});
        CHECK(compare.now().names().download() == std::vector<uint32_t>{1000, 102, 1001, 100});
    }
}

}  // namespace flipscope
