#include <limits>

#include "test_support.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/site_sets.h"

using namespace flipscope;

namespace {

struct Binned {
    Context context;
    Buffer<Point> sites{"centres"};
    SiteBins bins;

    explicit Binned(const DeviceUnderTest& device) : context(device.request, device.threads) {}
    void build(const Lattice& lattice, const std::vector<Point>& points) {
        sites.upload(context, points.data(), points.size());
        const View<const Point> view = sites.view();
        bins.build(context, lattice, view, static_cast<uint32_t>(points.size()));
    }
};

Lattice random_lattice(std::mt19937_64& random) {
    const uint32_t sides[] = {1, 2, 3, 7, 16, 33, 64, 200};
    return {sides[random() % 8], sides[random() % 8], kAllBorders[random() % 4]};
}

/// Pixels, places between them, and along open axes places outside.
Point random_place(const Lattice& lattice, std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    if (random() % 2) return {double(random() % lattice.width), double(random() % lattice.height)};
    const auto along = [&](bool periodic) { return periodic ? unit(random) : 3 * unit(random) - 1; };
    return {along(lattice.periodic.x) * lattice.width, along(lattice.periodic.y) * lattice.height};
}

}  // namespace

TEST_CASE("bins: the nearest site is the one that a search of all finds, wherever they lie") {
    // The host queries read the device's memory.
    for (const DeviceUnderTest& device : devices_under_test()) {
        if (device.request == DeviceRequest::kCuda) continue;
        CAPTURE(device.name);
        std::mt19937_64 random(3);
        Binned binned(device);
        for (size_t round = 0; round < case_count(20); ++round)
            for (const char* kind : kSiteSets) {
                const uint32_t most[] = {1, 2, 5, 70, 300, 2000};
                const uint32_t n = 1 + static_cast<uint32_t>(random() % most[random() % 6]);
                const Lattice lattice = random_lattice(random);
                INFO(round, ", ", kind, ", ", n, " sites, ", lattice);
                const std::vector<Point> points = site_set(kind, n, lattice, random);
                binned.build(lattice, points);
                const BinsView bins = binned.bins.view();
                uint32_t wrong = 0;
                for (int k = 0; k < 20; ++k) {
                    const Point p = random_place(lattice, random);
                    wrong += bins.nearest(p) != nearest_by_force(lattice, points, p);
                }
                REQUIRE(wrong == 0);
            }
    }
}

TEST_CASE("bins: without sites none is nearest, and a site that is no number never is") {
    const DeviceUnderTest device = devices_under_test().front();
    if (device.request == DeviceRequest::kCuda) return;
    Binned binned(device);
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    for (const PeriodicAxes periodic : kAllBorders) {
        const Lattice lattice{10, 10, periodic};
        binned.build(lattice, {});
        CHECK(binned.bins.view().nearest({3, 4}) == kNone);
        binned.build(lattice, {{nan, 1}, {2, nan}, {inf, 0}, {0, -inf}});
        CHECK(binned.bins.view().nearest({3, 4}) == kNone);
        binned.build(lattice, {{nan, 1}, {7, 7}, {inf, 0}});
        CHECK(binned.bins.view().nearest({3, 4}) == 1);
        std::vector<Point> crowd(500, Point{nan, nan});
        crowd[77] = {1, 1};
        crowd[99] = {8, 8};
        binned.build(lattice, crowd);
        CHECK(binned.bins.view().nearest({7, 8}) == 99);
        CHECK(binned.bins.view().nearest({2, 2}) == 77);
    }
}
