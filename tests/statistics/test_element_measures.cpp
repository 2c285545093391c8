// sanitizers: thread
// Numbers of vertices, edges, triangles and cells, against brute force on every generator of points, and on a torus.
#include "statistics/element_measures.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <set>

#include "compute/random.h"
#include "delaunay/constructions/strips.h"
#include "delaunay/torus/torus_triangulation.h"
#include "geometry/generators.h"
#include "statistics/cut_cell.h"
#include "statistics/summary.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Q = ElementQuantity;

std::vector<double> get(const ElementMeasures& measures, Q quantity) { return measures.values(quantity).download(); }

bool near(double a, double b, double scale = 1, double tolerance = 1e-9) {
    return (std::isnan(a) && std::isnan(b)) ||
           std::fabs(a - b) <= tolerance * std::max({std::fabs(a), std::fabs(b), scale});
}

void triangulate(Strips& strips, Context& context, std::shared_ptr<const Geometry> input) {
    strips.set_records_states(false);
    strips.reset(context, std::move(input), {});
    strips.finish({});
}

Window window_of(const Bounds& bounds) { return {bounds.low, bounds.high}; }

double angle_at(Point apex, Point a, Point b) {
    const Point u{a.x - apex.x, a.y - apex.y}, v{b.x - apex.x, b.y - apex.y};
    return std::atan2(std::fabs(u.x * v.y - u.y * v.x), u.x * v.x + u.y * v.y) * 180 / std::numbers::pi;
}

/// Points at random in a periodic box, or one along one axis: cells are those of all images, and fill the box.
void check_periodic(const TorusBox& box, uint32_t n, uint64_t seed) {
    const Point sides = box.lengths();
    const bool around_x = box.open != OpenAxis::kX, around_y = box.open != OpenAxis::kY;
    std::vector<Point> points, images;  // of all
    for (uint32_t i = 0; i < n; ++i) {
        const RandomPair pair = random_pair(seed, i);
        points.push_back(box.on_grid(Point{pair.first * sides.x * 0.999, pair.second * sides.y * 0.999}));
        for (int x = around_x ? -3 : 0; x <= (around_x ? 3 : 0); ++x)
            for (int y = around_y ? -4 : 0; y <= (around_y ? 4 : 0); ++y)
                images.push_back({points[i].x + x * sides.x, points[i].y + y * sides.y});
    }
    double first = around_x && around_y ? 0 : INFINITY, last = 0;  // between the open borders
    for (const Point p : points) {
        const double at = around_x ? p.y : p.x;
        first = std::min(first, at);
        last = std::max(last, at);
    }
    on_every_device([&](Context& context) {
        INFO(n, " points in ", sides.x, " x ", sides.y, ", periodic along x ", around_x, ", along y ", around_y);
        TorusTriangulation made;
        made.build(context, box, points, false);
        ElementMeasures measures;
        measures.measure(context, measured(made.mesh(), n, {{0, 0}, sides, around_x, around_y}));
        CHECK(measures.illegal_edges() == 0);
        const auto cells = get(measures, Q::kCellArea), outlines = get(measures, Q::kCellPerimeter);
        const auto degrees = get(measures, Q::kDegree), areas = get(measures, Q::kTriangleArea);
        const auto lengths = get(measures, Q::kEdgeLength);
        const std::vector<uint8_t> flags = measures.flags().download();
        double whole = 0, degree = 0, covered = 0;
        for (uint32_t v = 0; v < n; ++v) {
            const Point p = points[v];
            std::vector<Point> others;
            for (const Point image : images)
                if (!(image == p)) others.push_back({image.x - p.x, image.y - p.y});
            const CutCell cell = cell_among(others, {around_x ? -20 : -p.x, around_y ? -20 : -p.y},
                                            {around_x ? 20 : sides.x - p.x, around_y ? 20 : sides.y - p.y});
            CHECK(near(cells[v], cell.area));
            CHECK(near(outlines[v], cell.perimeter));
            const double at = around_x ? p.y : p.x;
            const bool outermost = !(around_x && around_y) && (at == first || at == last);
            CHECK(((flags[v] & kOnOutline) != 0) == outermost);
            whole += cells[v];
            degree += degrees[v];
        }
        for (const double area : areas)
            if (!std::isnan(area)) covered += area;
        CHECK(near(whole, box.area()));
        CHECK(near(covered, around_x && around_y ? box.area() : (around_x ? sides.x : sides.y) * (last - first)));
        const auto edges = std::count_if(lengths.begin(), lengths.end(), [](double d) { return !std::isnan(d); });
        CHECK(degree == 2 * double(edges));
        if (around_x && around_y) CHECK(edges == 3 * n);
    });
}

}  // namespace

TEST_CASE("element measures: every number is that of brute force, on every generator of points") {
    for (const GeneratorInfo& generator : generators()) {
        if (generator.makes != GeneratorOutput::kPoints) continue;
        const uint64_t count = std::min<uint64_t>(generator.max_count ? generator.max_count : 150, 150);
        const auto input = std::make_shared<const Geometry>(generate({generator.name, count, 3}));
        std::vector<double> reference[kElementQuantityCount];
        INFO(generator.name);
        on_every_device([&](Context& context) {
            Strips strips;
            triangulate(strips, context, input);
            const TriangleMesh& mesh = strips.mesh();
            const Window window = window_of(strips.bounds());
            ElementMeasures measures;
            measures.measure(context, measured(mesh, strips.distinct(), window));
            CHECK(measures.illegal_edges() == 0);
            const bool first = reference[0].empty();
            for (uint32_t k = 0; k < kElementQuantityCount; ++k) {
                const auto values = get(measures, Q(k));
                if (first) reference[k] = values;
                REQUIRE(values.size() == reference[k].size());
                // To the last bit: NaN is not equal to itself, its bytes are.
                CHECK(std::memcmp(values.data(), reference[k].data(), values.size() * sizeof(double)) == 0);
            }
            if (!first || mesh.triangle_count == 0) return;  // one device against brute force

            const std::vector<Point> at = mesh.positions.download();
            const std::vector<uint32_t> corners = mesh.triangles.download();
            const uint32_t n = strips.distinct();
            std::vector<std::set<uint32_t>> around(n);
            const auto angles = get(measures, Q::kMinimumAngle), areas = get(measures, Q::kTriangleArea);
            const double box = window.area();
            for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
                const uint32_t* v = &corners[3 * t];
                for (int k = 0; k < 3; ++k)
                    if (v[k] < n && v[(k + 1) % 3] < n) {
                        around[v[k]].insert(v[(k + 1) % 3]);
                        around[v[(k + 1) % 3]].insert(v[k]);
                    }
                if (v[0] >= n || v[1] >= n || v[2] >= n) {
                    CHECK(std::isnan(angles[t]));
                    continue;
                }
                const Point a = at[v[0]], b = at[v[1]], c = at[v[2]];
                CHECK(near(angles[t], std::min({angle_at(a, b, c), angle_at(b, c, a), angle_at(c, a, b)}), 1e-3));
                CHECK(near(areas[t], ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2, box, 1e-14));
            }
            double whole = 0;
            const auto degrees = get(measures, Q::kDegree), nearest = get(measures, Q::kNearest);
            const auto cells = get(measures, Q::kCellArea), outlines = get(measures, Q::kCellPerimeter);
            const auto psi4 = get(measures, Q::kBondOrder4), psi6 = get(measures, Q::kBondOrder6);
            const auto turned = get(measures, Q::kBondAngle6), beside = get(measures, Q::kNeighbourDegree);
            for (uint32_t v = 0; v < n; ++v) {
                INFO("vertex ", v);
                std::vector<Point> others;
                double least = INFINITY, neighbour_degrees = 0;
                for (uint32_t w = 0; w < n; ++w)
                    if (w != v) {
                        others.push_back({at[w].x - at[v].x, at[w].y - at[v].y});
                        least = std::min(least, std::hypot(others.back().x, others.back().y));
                    }
                std::complex<double> four = 0, six = 0;
                for (const uint32_t w : around[v]) {
                    const std::complex<double> e =
                        std::polar(1.0, std::arg(std::complex<double>(at[w].x - at[v].x, at[w].y - at[v].y)));
                    four += std::pow(e, 4);
                    six += std::pow(e, 6);
                    neighbour_degrees += double(around[w].size());
                }
                const double degree = double(around[v].size());
                CHECK(degrees[v] == degree);
                CHECK(near(nearest[v], least, 0));
                CHECK(near(beside[v], neighbour_degrees / degree));
                CHECK(near(psi4[v], std::abs(four) / degree, 1));
                CHECK(near(psi6[v], std::abs(six) / degree, 1));
                if (std::abs(six) > 1e-6 * degree) {
                    const double expected = std::arg(six) * 30 / std::numbers::pi;
                    CHECK(std::min(std::fabs(turned[v] - expected), 60 - std::fabs(turned[v] - expected)) < 1e-8);
                }
                const CutCell cell = cell_among(others, {window.low.x - at[v].x, window.low.y - at[v].y},
                                                {window.high.x - at[v].x, window.high.y - at[v].y});
                const double size = std::sqrt(box);
                CHECK(near(cells[v], cell.area, box, 1e-9));
                CHECK(near(outlines[v], cell.perimeter, size, 1e-7));
                whole += cells[v];
            }
            CHECK(near(whole, box, 0, 1e-9));
        });
    }
}

TEST_CASE("element measures: on a torus or a cylinder cells are those of all images, and end at open borders alone") {
    for (const uint32_t n : {1u, 2u, 3u, 40u}) {
        for (const Point sides : {Point{7.5, 7.5}, Point{9, 4}}) check_periodic(TorusBox::of(sides), n, 11);
        for (const OpenAxis open : {OpenAxis::kX, OpenAxis::kY})
            check_periodic(TorusBox::of_cylinder(7.5, 5, open), n, 12);
    }
}

TEST_CASE("summaries: mean, deviation, range, histogram and sums by degree are those of the numbers") {
    std::vector<double> values, degrees;
    std::vector<uint8_t> flags;
    for (uint32_t i = 0; i < 3001; ++i) {
        values.push_back(i % 97 == 5 ? NAN : random_pair(3, i).first * 10 - 2);
        degrees.push_back(3 + i % 25);
        flags.push_back(i % 13 == 0 ? kCellCut : 0);
    }
    std::vector<uint64_t> bins(20), counts(kMostDegree + 1);
    std::vector<double> sums(kMostDegree + 1);
    double n = 0, sum = 0, squares = 0, least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i]) || flags[i]) continue;
        ++n;
        sum += values[i];
        least = std::min(least, values[i]);
        greatest = std::max(greatest, values[i]);
        if (values[i] >= 0 && values[i] <= 8) ++bins[std::min<size_t>(19, size_t(values[i] / 8 * 20))];
        const auto k = size_t(std::min(degrees[i], double(kMostDegree)));
        ++counts[k];
        sums[k] += values[i];
    }
    for (size_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i]) && !flags[i]) squares += (values[i] - sum / n) * (values[i] - sum / n);
    on_every_device([&](Context& context) {
        Buffer<double> resident("values"), by("degrees");
        Buffer<uint8_t> marks("flags");
        resident.upload(context, values.data(), values.size());
        by.upload(context, degrees.data(), degrees.size());
        marks.upload(context, flags.data(), flags.size());
        const Excluding cut{marks.view(), kCellCut};
        const SampleSummary summary = summarise(context, resident.view(), cut);
        CHECK(summary.count == n);
        CHECK(near(summary.mean, sum / n));
        CHECK(near(summary.deviation, std::sqrt(squares / n)));
        CHECK(summary.least == least);
        CHECK(summary.greatest == greatest);
        CHECK(histogram(context, resident.view(), 0, 8, 20, cut).counts == bins);
        const BinnedNumbers part = histogram(context, resident.view(), 2, 3, 5, cut);
        uint64_t all = part.below + part.above;
        for (const uint64_t count : part.counts) all += count;
        CHECK(all == summary.count);
        CHECK(part.below > 0);
        CHECK(part.above > 0);
        const ByDegree lewis = sum_by_degree(context, by.view(), resident.view(), cut);
        CHECK(lewis.counts == counts);
        for (size_t k = 0; k <= kMostDegree; ++k) CHECK(near(lewis.sums[k], sums[k]));
    });
}

TEST_CASE("the distance between samples is the greatest between their distribution functions") {
    CHECK(distance_between({1, 2, 3, 4}, {1, 2, 3, 4}).distance == 0);
    CHECK(distance_between({1, 2, NAN}, {3, 4}).distance == 1);
    const SampleDistance half = distance_between({1, 1, 2, 5}, {2, 3, 4, 5});
    CHECK(half.distance == 0.5);
    CHECK(half.p_value > 0.3);
    std::vector<double> a, b, c;
    for (uint32_t i = 0; i < 4000; ++i) {
        a.push_back(random_pair(1, i).first);
        b.push_back(random_pair(2, i).first);
        c.push_back(std::pow(random_pair(3, i).first, 1.1));
    }
    CHECK(distance_between(a, b).p_value > 0.01);
    CHECK(distance_between(a, c).p_value < 1e-3);
}
