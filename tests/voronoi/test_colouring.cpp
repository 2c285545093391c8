// sanitizers: address thread
#include <algorithm>
#include <array>
#include <limits>

#include "test_support.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/site_sets.h"

using namespace flipscope;

namespace {

using Method = ColouringMethod;
using Tiling = Colouring::Tiling;

/// A colouring on one device, with what it colours.
struct Painter {
    Context context;
    Buffer<Point> sites{"centres"};
    uint32_t count = 0;
    Colouring colouring;

    Painter(DeviceRequest request, int threads) : context(request, threads) {}
    explicit Painter(const DeviceUnderTest& device) : Painter(device.request, device.threads) {}
    void set(const Lattice& lattice, const std::vector<Point>& points, const std::vector<uint8_t>& obstacles = {}) {
        colouring.reset(context, lattice);
        if (!obstacles.empty()) colouring.obstacles().upload(context, obstacles.data(), obstacles.size());
        count = static_cast<uint32_t>(points.size());
        sites.upload(context, points.data(), points.size());
    }
    View<const Point> view() const { return sites.view(); }
    std::vector<uint32_t> colours(Method method) {
        colouring.colour(context, method, view(), count);
        return colouring.colours().download();
    }
    std::vector<uint32_t> colours_by(Tiling tiling) {
        colouring.set_tiling(tiling);
        const std::vector<uint32_t> result = colours(Method::kExact);
        colouring.set_tiling(Tiling::kByDevice);
        return result;
    }
};

std::vector<uint8_t> random_obstacles(const Lattice& lattice, std::mt19937_64& random) {
    std::vector<uint8_t> obstacles(lattice.pixel_count());
    const uint32_t posts = 1 + random() % 4;
    for (uint32_t post = 0; post < posts; ++post) {
        const uint32_t x0 = random() % lattice.width, y0 = random() % lattice.height;
        for (uint32_t y = y0; y < std::min(lattice.height, y0 + 5); ++y)
            for (uint32_t x = x0; x < std::min(lattice.width, x0 + 3); ++x) obstacles[lattice.pixel(x, y)] = 1;
    }
    return obstacles;
}

struct Case {
    Lattice lattice;
    const char* kind;
    uint32_t sites;
    std::vector<Point> points;
    std::vector<uint8_t> obstacles;
};

/// Cells from a hundredth of a pixel to hundreds, tiles that are cut off or as wide as a stamp, 64 pixels a cell and
/// one site more, 16,384 sites and one more.
struct Seam {
    uint32_t width, height, sites;
} constexpr kSeams[] = {{83, 20, 3300},   {104, 41, 2000}, {205, 49, 750}, {66, 130, 700},
                        {131, 67, 90},    {60, 40, 9000},  {3, 100, 100},  {4, 90, 150},
                        {7, 90, 40},      {256, 64, 256},  {256, 64, 257}, {10, 13, 16'384},
                        {10, 13, 16'385}, {100, 16, 3000}, {17, 240, 60},  {300, 200, 9}};

/// The i-th of 500: mostly small lattices with anything, some that are wide with few sites, so that trying all of
/// them stays quick, and in every fourth a seam.
Case make_case(size_t i) {
    std::mt19937_64 random(1000 + i);
    Case one;
    const uint32_t sides[] = {1, 2, 3, 5, 8, 13, 31, 32, 33, 64, 100};
    one.lattice = {sides[random() % 11], sides[random() % 11], kAllBorders[i % 4]};
    uint32_t most = 1u << random() % 8;
    if (i % 50 == 7) {  // more sites than pixels
        one.lattice.width = 1 + random() % 9;
        one.lattice.height = 1 + random() % 9;
        most = i % 100 == 7 ? 100'000 : 5000;
    } else if (i % 50 == 13) {
        one.lattice.width = 300 + random() % 300;
        one.lattice.height = 200 + random() % 100;
        most = 40;
    } else if (i % 250 == 101) {
        one.lattice.width = 2048;
        one.lattice.height = 1024;
        most = 3;
    } else if (i % 50 == 21) {
        one.lattice.width = 1;
        one.lattice.height = 2000;
    } else if (i % 50 == 31) {
        one.lattice.width = 2000;
        one.lattice.height = 1;
    }
    one.kind = kSiteSets[random() % std::size(kSiteSets)];
    one.sites = most == 100'000 ? most : 1 + random() % most;
    if (i % 4 == 2) {
        const Seam& seam = kSeams[i / 4 % std::size(kSeams)];
        one.lattice.width = seam.width, one.lattice.height = seam.height, one.sites = seam.sites;
        one.lattice.periodic = kAllBorders[(i / 4 + i / 64) % 4];
    }
    one.points = site_set(one.kind, one.sites, one.lattice, random);
    if (random() % 2) one.obstacles = random_obstacles(one.lattice, random);
    return one;
}

size_t count_differences(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
    size_t differences = a.size() == b.size() ? 0 : 1;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) differences += a[i] != b[i];
    return differences;
}

/// Sites of which many are as far from some pixel as another one is, but for rounding: each of a few turned around its
/// pixel by any angle.
std::vector<Point> nearly_tied(uint32_t groups, const Lattice& lattice, std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Point> sites;
    for (uint32_t i = 0; i < groups; ++i) {
        const Point pixel{std::floor(unit(random) * lattice.width), std::floor(unit(random) * lattice.height)};
        const double radius = 1 + 4 * unit(random);
        for (int k = 0; k < 3; ++k) {
            const double angle = 6.283185307179586 * unit(random);
            sites.push_back(lattice.wrapped({pixel.x + radius * std::cos(angle), pixel.y + radius * std::sin(angle)}));
        }
    }
    std::shuffle(sites.begin(), sites.end(), random);
    return sites;
}

uint32_t nearest_as_rounded(const Lattice& lattice, const std::vector<Point>& sites, Point p) {
    Nearest best;
    for (uint32_t label = 0; label < sites.size(); ++label) best.consider(lattice, p, sites[label], label);
    return best.label;
}

}  // namespace

TEST_CASE("colouring: the exact one equals one thread per site everywhere, on 500 random cases") {
    const std::vector<DeviceUnderTest> devices = devices_under_test();
    for (size_t i = 0; i < case_count(500); ++i) {
        const Case one = make_case(i);
        const DeviceUnderTest& device = devices[i % devices.size()];
        INFO(device.name, ", ", i, ", ", one.kind, ", ", one.sites, " sites, ", one.lattice);
        Painter painter(device);
        painter.set(one.lattice, one.points, one.obstacles);
        const std::vector<uint32_t> expected = painter.colours(Method::kEverySite);
        REQUIRE(count_differences(painter.colours(Method::kExact), expected) == 0);
        REQUIRE(count_differences(painter.colours_by(Tiling::kSharedLists), expected) == 0);
        REQUIRE(count_differences(painter.colours_by(Tiling::kFourLanes), expected) == 0);
        for (size_t pixel = 0; pixel < one.obstacles.size(); ++pixel)
            if (one.obstacles[pixel]) REQUIRE(expected[pixel] == kMaxLink);
    }
}

TEST_CASE("colouring: a patch with more centres than the list of a tile holds, which is even enough for a grid") {
    const Lattice lattice{96, 64, false};
    std::mt19937_64 random(14);
    std::vector<Point> points = site_set("random", 16'000, {80, 32, false}, random);
    for (Point& p : points) p.y += 14;
    for (const Point p : site_set("random", 12'000, lattice, random))
        if (p.x > 80 || p.y < 14 || p.y > 46) points.push_back(p);
    std::vector<uint32_t> expected;
    on_every_device<Painter>([&](Painter& painter) {
        painter.set(lattice, points);
        if (expected.empty()) expected = painter.colours(Method::kEverySite);
        CHECK(count_differences(painter.colours(Method::kExact), expected) == 0);
        CHECK_FALSE(painter.colouring.bins().uses_tree());
        CHECK(count_differences(painter.colours_by(Tiling::kFourLanes), expected) == 0);
    });
}

TEST_CASE("colouring: crowds whose number is on the device only, and centres that are NaN") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const size_t stride = case_stride(5);
    on_every_device<Painter>([&](Painter& painter) {
        std::mt19937_64 random(13);
        size_t number = 0;
        for (const Lattice lattice : {Lattice{125, 110, false}, Lattice{128, 100, true}, Lattice{80, 61, true},
                                      Lattice{90, 100, {true, false}}, Lattice{100, 70, {false, true}}})
            for (const char* kind : kSiteSets) {
                INFO(kind, ", ", lattice);
                if (++number % stride) continue;
                std::vector<Point> points = site_set(kind, 200, lattice, random);
                for (size_t i = 0; i < points.size(); i += 50) points[i].x = i % 100 ? nan : inf;
                const uint32_t n = std::array{0u, 3u, 195u}[number % 3];
                painter.set(lattice, {points.begin(), points.begin() + n});
                const std::vector<uint32_t> expected = painter.colours(Method::kEverySite);
                painter.set(lattice, points);
                Buffer<uint32_t> count("count");
                count.upload(painter.context, &n, 1);
                const Extent extent(count.view(), 200);
                const auto colours = [&](Method method) {
                    painter.colouring.colour(painter.context, method, painter.view(), extent);
                    return painter.colouring.colours().download();
                };
                REQUIRE(count_differences(colours(Method::kExact), expected) == 0);
                REQUIRE(count_differences(colours(Method::kEverySite), expected) == 0);
            }
    });
}

TEST_CASE("colouring: of equally near centres the lowest label wins, with every method") {
    on_every_device<Painter>([&](Painter& painter) {
        // The middle column is as far from one as from the other, and so are all pixels from two that coincide.
        painter.set({9, 3, false}, {{6, 1}, {2, 1}, {2, 1}});
        for (const Method method : {Method::kExact, Method::kEverySite, Method::kJumpFlooding}) {
            const std::vector<uint32_t> colours = painter.colours(method);
            for (uint32_t pixel = 0; pixel < 27; ++pixel) CHECK(colours[pixel] == (pixel % 9 < 4 ? 1 : 0));
        }
        // Four corners of a square around a pixel.
        painter.set({5, 5, true}, {{3, 3}, {1, 1}, {3, 1}, {1, 3}});
        for (const Method method : {Method::kExact, Method::kEverySite}) CHECK(painter.colours(method)[12] == 0);
    });
}

TEST_CASE("colouring: without a site there is no colour, but obstacles stand") {
    on_every_device<Painter>([&](Painter& painter) {
        for (const PeriodicAxes periodic : kAllBorders)
            for (const Method method : {Method::kExact, Method::kEverySite, Method::kJumpFlooding}) {
                std::vector<uint8_t> obstacles(12 * 7);
                obstacles[30] = 1;
                painter.set({12, 7, periodic}, {}, obstacles);
                std::vector<uint32_t> expected(obstacles.size(), kNone);
                expected[30] = kMaxLink;
                CHECK(painter.colours(method) == expected);
                CHECK(painter.colours_by(Tiling::kSharedLists) == expected);
                CHECK(painter.colouring.count_errors(painter.context) == 0);
            }
    });
}

TEST_CASE("jump flooding: its errors are counted and marked, and are few on random centres") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        CAPTURE(device.name);
        for (const PeriodicAxes periodic : kAllBorders)
            for (const char* kind : {"random", "on sites", "clusters", "two piles"}) {
                INFO(kind, ", periodic ", periodic);
                const Lattice lattice{200, 120, periodic};
                std::mt19937_64 random(6);
                const std::vector<Point> points = site_set(kind, 250, lattice, random);
                Painter painter(device);
                painter.set(lattice, points, random_obstacles(lattice, random));
                const std::vector<uint32_t> expected = painter.colours(Method::kEverySite);
                const std::vector<uint32_t> flooded = painter.colours(Method::kJumpFlooding);
                Buffer<State> marks("marks");
                marks.fill(painter.context, lattice.pixel_count(), 0xFF);
                const uint64_t errors = painter.colouring.count_errors(painter.context, marks.view(), 8);
                CHECK(errors == count_differences(flooded, expected));
                if (std::string(kind) == "random") CHECK(errors < lattice.pixel_count() / 100);
                const std::vector<State> words = marks.download();
                uint32_t mismarked = 0;
                for (uint32_t pixel = 0; pixel < lattice.pixel_count(); ++pixel)
                    mismarked += words[pixel] != (flooded[pixel] != expected[pixel] ? 0xFFFF : 0xFFF7);
                CHECK(mismarked == 0);
                CHECK(painter.colouring.colours().download() == flooded);
            }
    }
}

TEST_CASE("colouring: sites nearly as far from two centres have the colour of the one that rational numbers say") {
    std::vector<Case> cases;
    std::mt19937_64 random(31);
    size_t turned_by_rounding = 0;
    for (size_t round = 0; round < case_count(40); ++round) {
        const Lattice lattice{uint32_t(20 + random() % 80), uint32_t(20 + random() % 60), kAllBorders[round % 4]};
        const uint32_t groups = 1 + random() % (lattice.pixel_count() / 40);
        cases.push_back({lattice, "nearly tied", 3 * groups, nearly_tied(groups, lattice, random), {}});
    }
    on_every_device<Painter>([&](Painter& painter) {
        for (const Case& c : cases) {
            std::vector<uint32_t> expected(c.lattice.pixel_count());
            for (uint32_t pixel = 0; pixel < expected.size(); ++pixel) {
                expected[pixel] = nearest_by_force(c.lattice, c.points, c.lattice.place(pixel));
                turned_by_rounding +=
                    expected[pixel] != nearest_as_rounded(c.lattice, c.points, c.lattice.place(pixel));
            }
            painter.set(c.lattice, c.points);
            REQUIRE(painter.colours(Method::kEverySite) == expected);
            REQUIRE(painter.colours(Method::kExact) == expected);
            REQUIRE(painter.colours_by(Tiling::kFourLanes) == expected);
            REQUIRE(painter.colours_by(Tiling::kSharedLists) == expected);
        }
    });
    if (case_count(40) >= 40) CHECK(turned_by_rounding > 20);  // or nothing was tried
}

TEST_CASE("jump flooding: of two centres nearly as far from a site it takes the one that rational numbers say") {
    std::mt19937_64 random(33);
    std::uniform_real_distribution<double> unit(0, 1);
    size_t turned_by_rounding = 0;
    on_every_device<Painter>([&](Painter& painter) {
        for (size_t round = 0; round < case_count(100); ++round) {
            const Lattice lattice{33, 29, kAllBorders[round % 4]};
            const Point pixel{double(random() % 33), double(random() % 29)};
            // On opposite sides of the pixel, and near it: so that the last jump, of 1, sees both from there.
            std::vector<Point> sites;
            const double angle = 6.283185307179586 * unit(random), turned = angle + 2 + 2 * unit(random);
            for (const double a : {angle, turned})
                sites.push_back(lattice.wrapped({pixel.x + 1.3 * std::cos(a), pixel.y + 1.3 * std::sin(a)}));
            painter.set(lattice, sites);
            const uint32_t expected = nearest_by_force(lattice, sites, pixel);
            turned_by_rounding += expected != nearest_as_rounded(lattice, sites, pixel);
            const uint32_t at = lattice.pixel(uint32_t(pixel.x), uint32_t(pixel.y));
            REQUIRE(painter.colours(Method::kJumpFlooding)[at] == expected);
        }
    });
    if (case_count(100) >= 100) CHECK(turned_by_rounding > 0);
}

TEST_CASE("colouring: distances of far, tiny and half-way coordinates are compared without rounding") {
    std::mt19937_64 random(32);
    std::uniform_real_distribution<double> unit(0, 1);
    for (size_t round = 0; round < case_count(400); ++round) {
        const Lattice lattice{64, 48, kAllBorders[round % 4]};
        const Point pixel{double(random() % 64), double(random() % 48)};
        std::vector<Point> sites;
        for (int k = 0; k < 6; ++k) {
            const double tiny = std::ldexp(unit(random), -20 - int(random() % 150));
            const double x = double(random() % 4) * 8, y = double(random() % 4) * 8;
            const int turn = int(random() % 4);
            Point p{pixel.x + (turn % 2 ? x : -x), pixel.y + (turn / 2 ? y : -y)};
            if (random() % 2) p = {p.x + tiny, p.y};
            if (random() % 2) p = {pixel.x == 0 ? tiny : std::nextafter(p.x, 1e9), p.y - tiny};
            if (round % 5 == 0 && !lattice.periodic.any()) p = {p.x * 1e9, p.y * 1e-40};
            sites.push_back(lattice.wrapped(p));
        }
        ExactNearest best;
        for (uint32_t label = 0; label < sites.size(); ++label) best.consider(lattice, pixel, sites[label], label);
        REQUIRE(best.label == nearest_by_force(lattice, sites, pixel));
    }
}
