// k-means of points as Lloyd's iteration: against a plain version on the host that starts from the same sites.
#include <cmath>
#include <random>

#include "delaunay/runs.h"
#include "voronoi/lloyd.h"
#include "voronoi/site_sets.h"

using namespace flipscope;

namespace {

struct Clustering {
    std::vector<Point> sites;
    std::vector<uint32_t> labels;
    std::vector<double> energies;  // WCSS of each iteration, before the move
};

Clustering plain_kmeans(const Lattice& lattice, const std::vector<Point>& points, std::vector<Point> sites,
                        int iterations) {
    Clustering made;
    for (int round = 0; round < iterations; ++round) {
        made.labels.assign(points.size(), kNone);
        std::vector<Point> sums(sites.size());
        std::vector<uint32_t> sizes(sites.size());
        double energy = 0;
        for (size_t i = 0; i < points.size(); ++i) {
            double least = 1e300;
            for (uint32_t c = 0; c < sites.size(); ++c) {
                const double squared = lattice.squared_distance(points[i], sites[c]);
                if (squared < least) least = squared, made.labels[i] = c;
            }
            const uint32_t c = made.labels[i];
            const Point d = lattice.difference(sites[c], points[i]);
            sums[c] = {sums[c].x + d.x, sums[c].y + d.y};
            ++sizes[c];
            energy += least;
        }
        made.energies.push_back(energy);
        for (uint32_t c = 0; c < sites.size(); ++c)
            if (sizes[c])
                sites[c] = lattice.wrapped({sites[c].x + sums[c].x / sizes[c], sites[c].y + sums[c].y / sizes[c]});
    }
    made.sites = sites;
    return made;
}

Clustering our_kmeans(Context& context, const Lattice& lattice, const std::vector<Point>& points,
                      const std::vector<Point>& start, int iterations) {
    Lloyd lloyd;
    lloyd.reset(context, lattice, {});
    lloyd.set_points(context, points);
    SiteBins bins;
    Buffer<Point> sites("centres");
    const uint32_t count = uint32_t(start.size());
    sites.upload(context, start.data(), count);
    Clustering made;
    for (int round = 0; round < iterations; ++round) {
        bins.build(context, lattice, sites.view(count), count);
        lloyd.sum_points(context, bins.view(), sites.view(count), count);
        made.energies.push_back(lloyd.judge(context, sites.view(count), count).energy);
        lloyd.move(context, sites.view(count), count);
    }
    made.labels = lloyd.clusters().download();
    made.sites = sites.download();
    return made;
}

std::vector<Point> blobs(std::mt19937_64& random, size_t n, double width, double height) {
    std::vector<Point> middles, points;
    std::uniform_real_distribution<double> x(0, width), y(0, height);
    for (int k = 0; k < 7; ++k) middles.push_back({x(random), y(random)});
    std::normal_distribution<double> spread(0, width / 30);
    while (points.size() < n) {
        const Point m = middles[random() % middles.size()];
        const Point p{m.x + spread(random), m.y + spread(random)};
        // Coordinates that are exact in every way of adding them up, so that ties fall alike.
        points.push_back({std::round(p.x * 64) / 64, std::round(p.y * 64) / 64});
    }
    return points;
}

}  // namespace

TEST_CASE("k-means: centres, clusters and the WCSS of every iteration are those of a plain k-means on the host") {
    std::mt19937_64 random(21);
    for (const PeriodicAxes periodic : kAllBorders)
        for (const uint32_t k : {1u, 2u, 5u, 12u, 60u}) {
            const Lattice lattice{200, 120, periodic};
            std::vector<Point> points = blobs(random, 700, 200, 120);
            for (Point& p : points) p = lattice.wrapped(p);
            const std::vector<Point> start(points.begin(), points.begin() + k);
            const Clustering plain = plain_kmeans(lattice, points, start, 6);
            INFO(k << " clusters"
                   << ", " << periodic);
            std::vector<Point> first;
            on_every_device([&](Context& context) {
                const Clustering ours = our_kmeans(context, lattice, points, start, 6);
                if (first.empty()) first = ours.sites;
                CHECK(ours.sites == first);
                for (size_t round = 0; round < ours.energies.size(); ++round) {
                    CHECK(ours.energies[round] == doctest::Approx(plain.energies[round]).epsilon(1e-6));
                    if (round > 0) CHECK(ours.energies[round] <= ours.energies[round - 1] * (1 + 1e-9));
                }
                for (uint32_t c = 0; c < k; ++c) CHECK(lattice.squared_distance(ours.sites[c], plain.sites[c]) < 1e-10);
                CHECK(ours.labels == plain.labels);
            });
        }
}

TEST_CASE("k-means: a point out of reach is refused with its number") {
    Context context(DeviceRequest::kCpu, 1);
    Lloyd lloyd;
    lloyd.reset(context, {64, 64, false}, {});
    CHECK_THROWS_WITH_AS(lloyd.set_points(context, {{1, 2}, {1e9, 0}}), doctest::Contains("point 1 "), Error);
}
