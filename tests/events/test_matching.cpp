// sanitizers: address thread
// Matching the sites of two frames.
#include "events/comparisons.h"

using namespace flipscope;

namespace {
const Lattice kOpen{64, 48, false}, kTorus{64, 48, true};
}

TEST_CASE("matching: a site that has moved farther than the cap has no partner") {
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
    // Across the border of a cylinder that is periodic, and not across the other.
    for (const PeriodicAxes periodic : {PeriodicAxes(true, false), PeriodicAxes(false, true)}) {
        Comparing cylinder(context, Lattice{64, 48, periodic}, 0.1);
        cylinder(past, now);
        CHECK(cylinder.counts.matched == 0);
        cylinder(past, periodic.x ? Still{{{63.5, 47.5}}, {}} : Still{{{0.5, 0.5}}, {}});
        CHECK(cylinder.counts.matched == 1);
    }
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

TEST_CASE("matching: among many, in crowds, far outside and in the same place, partners are those of all pairs") {
    on_every_device([&](Context& context) {
        for (const Lattice& lattice :
             {kOpen, kTorus, Lattice{500, 1, true}, Lattice{1, 1, false}, Lattice{64, 48, {true, false}},
              Lattice{64, 48, {false, true}}, Lattice{500, 2, {false, true}}, Lattice{2, 300, {true, false}}}) {
            std::mt19937_64 engine(11);
            const auto below = [&](double n) { return std::uniform_real_distribution<double>(0, n)(engine); };
            for (const uint32_t count : {1u, 2u, 5u, 70u, 600u})
                for (const double spread : {1.0, 0.02}) {
                    Still past, now;
                    for (uint32_t i = 0; i < count; ++i) {
                        // Halves of pixels, so that distances tie; one in ten where another is.
                        Point p{std::floor(below(2 * lattice.width * spread)) / 2,
                                std::floor(below(2 * lattice.height * spread)) / 2};
                        if (i > 0 && below(10) < 1) p = past.sites[engine() % i];
                        if (!lattice.periodic.x && below(20) < 1) p.x += 300;
                        if (!lattice.periodic.y && below(20) < 1) p.y -= 200;
                        past.sites.push_back(p);
                        if (below(10) < 9)
                            now.sites.push_back(lattice.wrapped({p.x + std::floor(below(5)) / 2, p.y - below(1)}));
                    }
                    Comparing compare(context, lattice, 2);
                    compare(past, now);
                    INFO(count << " centres, spread " << spread);
                    CHECK(compare.to_now == plain_matching(lattice, past, now, 2));
                }
        }
    });
}

TEST_CASE("matching: new names come in the order of labels, however many appear") {
    on_every_device([&](Context& context) {
        std::mt19937_64 engine(12);
        for (const uint32_t share : {0u, 3u, 50u, 100u}) {  // that appear, per cent
            Still past, now;
            for (uint32_t i = 0; i < 3000; ++i) {
                const Point p{double(i % 60), double(i / 60) * 0.9};
                now.sites.push_back(p);
                if (engine() % 100 >= share) past.sites.push_back(p);
            }
            Comparing compare(context, kOpen, 0.1);
            compare(past, now);
            const std::vector<uint32_t> names = compare.now().names().download();
            uint32_t next = 1000;
            std::vector<uint32_t> expected;
            for (const uint32_t p : compare.to_past) expected.push_back(p == kNone ? next++ : 100 + p);
            CHECK(next - 1000 == now.sites.size() - past.sites.size());
            CHECK(names == expected);
        }
    });
}
