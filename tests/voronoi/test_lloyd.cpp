// sanitizers: address thread
// Lloyd's iteration: sums over cells against plain loops on the host.
#include "voronoi/lloyd.h"

#include <cmath>
#include <random>

#include "delaunay/runs.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/density.h"
#include "voronoi/site_sets.h"

using namespace flipscope;

namespace {

struct LloydCase {
    Lattice lattice;
    std::vector<uint16_t> density;  // or empty
    std::vector<Point> sites;
    std::vector<uint8_t> obstacles;  // or empty
};

LloydCase random_case(std::mt19937_64& random) {
    const auto below = [&](uint32_t n) { return std::uniform_int_distribution<uint32_t>(0, n - 1)(random); };
    LloydCase made;
    made.lattice = {1 + below(200), 1 + below(90), kAllBorders[below(4)]};
    const uint32_t sites = below(3) == 0 ? below(4) : below(300);
    std::uniform_real_distribution<double> x(0, made.lattice.width), y(0, made.lattice.height);
    for (uint32_t i = 0; i < sites; ++i)
        made.sites.push_back(i > 0 && below(10) == 0 ? made.sites[below(i)] : Point{x(random), y(random)});
    if (below(2))
        for (uint32_t i = 0; i < made.lattice.pixel_count(); ++i) made.density.push_back(uint16_t(1 + below(65535)));
    if (below(2))
        for (uint32_t i = 0; i < made.lattice.pixel_count(); ++i) made.obstacles.push_back(below(4) == 0);
    return made;
}

/// A colouring with its sites on the device, and Lloyd's iteration over it.
struct Stage {
    Context& context;
    LloydCase given;
    Colouring colouring;
    Lloyd lloyd;
    Buffer<Point> sites{"sites"};
    uint32_t count;

    Stage(Context& on, const LloydCase& made) : context(on), given(made), count(uint32_t(made.sites.size())) {
        colouring.reset(context, given.lattice);
        if (!given.obstacles.empty())
            colouring.obstacles().upload(context, given.obstacles.data(), given.obstacles.size());
        lloyd.reset(context, given.lattice, given.density);
        sites.upload(context, given.sites.data(), count);
    }
    LloydOutcome look() {
        colouring.colour(context, ColouringMethod::kExact, sites.view(count), count);
        lloyd.sum(context, colouring.colours().view(), sites.view(count), count);
        return lloyd.judge(context, sites.view(count), count);
    }
    void move() { lloyd.move(context, sites.view(count), count); }
    std::vector<Point> places() const { return sites.download(count); }
};

/// The same by a plain loop over all sites, in long double.
struct Plain {
    std::vector<uint64_t> areas;
    std::vector<Point> centroids;
    double energy = 0;
};
Plain plain_sums(const LloydCase& given, const std::vector<uint32_t>& colours) {
    const size_t n = given.sites.size();
    std::vector<long double> weight(n), x(n), y(n);
    Plain plain;
    plain.areas.resize(n);
    long double energy = 0;
    for (uint32_t pixel = 0; pixel < given.lattice.pixel_count(); ++pixel) {
        const uint32_t c = colours[pixel];
        if (c >= n) continue;
        const long double w = given.density.empty() ? 1 : given.density[pixel];
        const Point d = given.lattice.difference(given.sites[c], given.lattice.place(pixel));
        ++plain.areas[c];
        weight[c] += w, x[c] += w * d.x, y[c] += w * d.y;
        energy += w * ((long double)(d.x) * d.x + (long double)(d.y) * d.y);
    }
    for (size_t c = 0; c < n; ++c) {
        const Point at = given.sites[c];
        plain.centroids.push_back(
            weight[c] > 0 ? given.lattice.wrapped({double(at.x + x[c] / weight[c]), double(at.y + y[c] / weight[c])})
                          : at);
    }
    plain.energy = double(energy);
    return plain;
}

}  // namespace

TEST_CASE("lloyd: areas, centroids and energy are those of a plain loop, for all borders, densities and obstacles") {
    std::mt19937_64 random(7);
    for (size_t i = 0; i < case_count(60); ++i) {
        const LloydCase made = random_case(random);
        CAPTURE(i);
        Context context(DeviceRequest::kCpu, 2);
        Stage stage(context, made);
        const LloydOutcome outcome = stage.look();
        const Plain plain = plain_sums(made, stage.colouring.colours().download());
        const std::vector<CellSums> sums = stage.lloyd.sums().download();
        double largest = 0;
        uint32_t empty = 0;
        for (uint32_t c = 0; c < stage.count; ++c) {
            REQUIRE(sums[c].area == plain.areas[c]);
            empty += sums[c].weight == 0;
            largest = std::max(largest, std::sqrt(made.lattice.squared_distance(made.sites[c], plain.centroids[c])));
        }
        CHECK(outcome.energy == doctest::Approx(plain.energy).epsilon(1e-9));
        CHECK(outcome.largest_move == doctest::Approx(largest).epsilon(1e-6));
        CHECK(outcome.empty == empty);
        stage.move();
        const std::vector<Point> moved = stage.places();
        for (uint32_t c = 0; c < stage.count; ++c)
            REQUIRE(std::sqrt(made.lattice.squared_distance(moved[c], plain.centroids[c])) < 1e-7);
    }
}

TEST_CASE("lloyd: the largest lattice's sums do not overflow") {
    Context context(DeviceRequest::kCpu, 2);
    // One site for everything, at a corner, and the greatest weight: the most that a sum can come to for its size.
    LloydCase made{{4096, 1024, false}, std::vector<uint16_t>(4096 * 1024, 65535), {{0, 0}}, {}};
    Stage stage(context, made);
    const LloydOutcome outcome = stage.look();
    const auto squares = [](double n) { return (n - 1) * n * (2 * n - 1) / 6; };
    CHECK(outcome.energy == doctest::Approx(65535 * (1024 * squares(4096) + 4096 * squares(1024))).epsilon(1e-12));
    stage.move();
    CHECK(stage.places()[0] == Point{2047.5, 511.5});
}
