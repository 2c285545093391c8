// sanitizers: none
#include "geometry/point_processes.h"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include "compute/text.h"
#include "geometry/point_patterns.h"
#include "geometry/point_statistics.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Points = std::vector<Point>;

constexpr double kPi = std::numbers::pi;
constexpr double kTau = std::numbers::phi;

Points process_points(const std::string& text) { return generate(parse_generator(text)).points; }

double process_count(const Points& points) { return static_cast<double>(points.size()); }

/// Whether each of columns × rows boxes of the unit square holds `each` of the points.
bool one_in_each_box(const Points& points, uint64_t columns, uint64_t rows) {
    std::vector<int> boxes(columns * rows, 0);
    for (const Point p : points) {
        // A coordinate k / 3^m that is rounded down belongs to the box that it was in.
        const auto column = static_cast<uint64_t>(p.x * static_cast<double>(columns) + 1e-9);
        const auto row = static_cast<uint64_t>(p.y * static_cast<double>(rows) + 1e-9);
        if (column >= columns || row >= rows || ++boxes[row * columns + column] > 1) return false;
    }
    return points.size() == boxes.size();
}

/// What a ring's g(r) is when g is `at` there, from inner to outer radius.
template <class Function>
double ring_mean(double inner, double outer, const Function& at) {
    constexpr int kSteps = 64;
    double sum = 0, area = 0;
    for (int k = 0; k < kSteps; ++k) {
        const double r = inner + (outer - inner) * (k + 0.5) / kSteps;
        sum += at(r) * r;
        area += r;
    }
    return sum / area;
}

/// The density of the difference of two points of a disc at the distance r, per area.
double disc_pair_density(double r, double radius) {
    if (r >= 2 * radius) return 0;
    const double lens =
        2 * radius * radius * std::acos(r / (2 * radius)) - r / 2 * std::sqrt(4 * radius * radius - r * r);
    return lens / (kPi * kPi * radius * radius * radius * radius);
}

/// Given the numbers of clusters and of points, a pair is of one cluster with the probability 1 / clusters.
template <class Density>
void check_cluster_correlation(const Points& points, double clusters, double reach, const Density& density) {
    constexpr size_t kRings = 12;
    const std::vector<double> g = pair_correlation(points, reach, kRings);
    for (size_t k = 0; k < kRings; ++k) {
        const double inner = reach * static_cast<double>(k) / kRings,
                     outer = reach * static_cast<double>(k + 1) / kRings;
        const double expected = ring_mean(inner, outer, [&](double r) { return 1 + (density(r) - 1) / clusters; });
        CAPTURE(k);
        CHECK(g[k] == doctest::Approx(expected).epsilon(0.06));
    }
}

uint64_t mixed_bits(const Points& points) {
    uint64_t hash = 1469598103934665603u;
    for (const Point p : points)
        for (const double v : {p.x, p.y}) hash = (hash ^ std::bit_cast<uint64_t>(v)) * 1099511628211u;
    return hash;
}

std::string process_refusal(const std::string& text) {
    return error_of([&] { parse_generator(text); });
}

/// Of the vertices' six or ten neighbours at the distance of an edge; kNobody: none there.
constexpr uint32_t kNobody = UINT32_MAX;
std::vector<std::array<uint32_t, 10>> edges_by_direction(const Points& points, double edge) {
    std::vector<std::array<uint32_t, 10>> found(points.size());
    for (auto& all : found) all.fill(kNobody);
    for_each_near(points, edge * (1 + 1e-9), false, [&](uint32_t i, uint32_t j, double dx, double dy) {
        if (std::hypot(dx, dy) < edge * (1 - 1e-9)) return;
        const double tenths = std::atan2(dy, dx) / (2 * kPi) * 10 + 10;
        REQUIRE(std::fabs(tenths - std::round(tenths)) < 1e-6);
        found[i][static_cast<size_t>(std::lround(tenths)) % 10] = j;
    });
    return found;
}

}  // namespace

TEST_CASE("point processes: every 2^m Sobol points have one in each elementary interval") {
    for (const char* options : {"", ",random=1,seed=3"})
        for (uint64_t m = 0; m <= 12; ++m)
            for (const uint64_t block : {0, 1, 5}) {
                const uint64_t n = uint64_t{1} << m;
                const Points points =
                    process_points("sobol:" + std::to_string(n) + "@skip=" + std::to_string(block * n) + options);
                for (uint64_t k = 0; k <= m; ++k) {
                    INFO("m ", m, ", k ", k);
                    CHECK(one_in_each_box(points, uint64_t{1} << k, uint64_t{1} << (m - k)));
                }
            }
}

TEST_CASE("point processes: every 2^a 3^b Halton points have one in each of as many boxes") {
    for (const char* options : {"", ",random=1,seed=3"})
        for (const auto& [columns, rows] :
             {std::pair{1, 1}, {2, 1}, {1, 3}, {2, 3}, {16, 9}, {64, 27}, {8, 729}, {256, 3}})
            for (const int block : {0, 1, 7}) {
                const int n = columns * rows;
                CAPTURE(n);
                CHECK(one_in_each_box(
                    process_points("halton:" + std::to_string(n) + "@skip=" + std::to_string(block * n) + options),
                    static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)));
            }
}

TEST_CASE("point processes: R2 points keep apart") {
    for (const uint64_t n : {100, 3000, 20000}) {
        const Points points = process_points("r2:" + std::to_string(n));
        const std::vector<double> nearest = nearest_distances(points, 2 / std::sqrt(process_count(points)), true);
        CHECK(*std::min_element(nearest.begin(), nearest.end()) * std::sqrt(process_count(points)) > 0.5);
    }
    // Steps by powers of the plastic number: x + y + 1 of three successive points repeat, as g³ = g + 1.
    const Points steps = process_points("r2:2");
    CHECK(steps[0].x == doctest::Approx(0.5 + 0.7548776662466927 - 1));
    CHECK(steps[0].y == doctest::Approx(0.5 + 0.5698402909980532 - 1));
}

TEST_CASE("point processes: jittered points lie one in each of as many cells of the same area") {
    for (const uint64_t n : {1, 2, 3, 5, 10, 97, 1000})
        for (const double amount : {1.0, 0.0}) {
            const Points points = process_points("jittered:" + std::to_string(n) + "@amount=" + std::to_string(amount));
            const auto rows = std::max<uint64_t>(1, static_cast<uint64_t>(std::lround(std::sqrt(double(n)))));
            uint64_t at = 0;
            for (uint64_t row = 0; row < rows; ++row) {
                const uint64_t first = row * n / rows, end = (row + 1) * n / rows;
                for (uint64_t column = 0; column < end - first; ++column, ++at) {
                    const double x = points[at].x * double(end - first) - double(column);
                    const double y = (points[at].y * double(n) - double(first)) / double(end - first);
                    CHECK(x > 0.5 - amount / 2 - 1e-9);
                    CHECK(x < 0.5 + amount / 2 + 1e-9);
                    CHECK(y > 0.5 - amount / 2 - 1e-9);
                    CHECK(y < 0.5 + amount / 2 + 1e-9);
                }
            }
            CHECK(at == n);
        }
}

TEST_CASE("point processes: Thomas and Matern clusters have the pair correlation of their closed forms") {
    const double sigma = 0.004, radius = 0.009;
    const Points thomas = process_points("thomas:40000@mean=20,sigma=0.004");
    check_cluster_correlation(thomas, 2000, 4 * sigma, [&](double r) {
        return std::exp(-r * r / (4 * sigma * sigma)) / (4 * kPi * sigma * sigma);
    });
    const Points matern = process_points("matern-cluster:40000@mean=20,radius=0.009");
    check_cluster_correlation(matern, 2000, 2.4 * radius, [&](double r) { return disc_pair_density(r, radius); });
    for (const Points& points : {thomas, matern})
        for (const Point p : points) REQUIRE((p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1));
}

TEST_CASE("point processes: hard-core points keep their distance and are as many as theory says") {
    for (const double radius : {0.002, 0.006, 0.012}) {
        CAPTURE(radius);
        const uint64_t proposals = 10'000;
        const Points points = hard_core_points(proposals, radius, Random(7), 0);
        const double area = kPi * radius * radius;
        CHECK(process_count(points) == doctest::Approx((1 - std::pow(1 - area, proposals)) / area).epsilon(0.02));
        size_t near = 0;
        for_each_near(points, radius * (1 - 1e-12), true, [&](uint32_t, uint32_t, double, double) { ++near; });
        CHECK(near == 0);
    }
    CHECK(hard_core_points(100, 0.5, Random(7), 0).size() <= 2);
    CHECK(hard_core_points(100, 0, Random(7), 0).size() == 100);
    for (const char* text :
         {"matern2:5000", "matern2:5000@radius=0.0075", "matern2:2@radius=0.37", "matern2:1@radius=0.5"}) {
        CAPTURE(text);
        const GeneratorSpec spec = parse_generator(text);
        const Points points = generate(spec).points;
        CHECK(points.size() == spec.count);
        const double radius =
            spec.options.empty() ? std::sqrt(0.5 / (kPi * double(spec.count))) : spec.options[0].second;
        const std::vector<double> nearest = nearest_distances(points, std::min(0.8, 3 * radius), true);
        for (const double distance : nearest) REQUIRE(distance >= radius * (1 - 1e-12));
        // The mean of the nearest distances of independent points is 1 / (2 √n).
        if (spec.count > 2) CHECK(*std::min_element(nearest.begin(), nearest.end()) < 1.1 * radius);
    }
}

TEST_CASE("point processes: eigenvalues have the trace of their matrix and of its square") {
    for (const uint64_t n : {1, 2, 3, 4, 5, 20, 150}) {
        CAPTURE(n);
        const Points matrix = ginibre_matrix(n, Random(n));
        Points work = matrix;
        const Points values = hessenberg_eigenvalues(work, n);
        REQUIRE(values.size() == n);
        double re = 0, im = 0, square_re = 0, square_im = 0;
        const auto take = [](double sign, Point a, Point b, double& real, double& imaginary) {
            real += sign * (a.x * b.x - a.y * b.y);
            imaginary += sign * (a.x * b.y + a.y * b.x);
        };
        for (uint64_t i = 0; i < n; ++i) {
            re += values[i].x - matrix[i * n + i].x;
            im += values[i].y - matrix[i * n + i].y;
            take(1, values[i], values[i], square_re, square_im);
            for (uint64_t j = 0; j < n; ++j) take(-1, matrix[i * n + j], matrix[j * n + i], square_re, square_im);
        }
        const double scale = double(n) * double(n) * 1e-14;
        CHECK(std::fabs(re) < scale);
        CHECK(std::fabs(im) < scale);
        CHECK(std::fabs(square_re) < 10 * scale);
        CHECK(std::fabs(square_im) < 10 * scale);
    }
    // A cyclic permutation, which Wilkinson's shift leaves as it is: the cube roots of 1.
    Points cycle(9, {0, 0});
    cycle[2] = cycle[3] = cycle[7] = {1, 0};
    for (const Point root : hessenberg_eigenvalues(cycle, 3))
        CHECK(root.x * (root.x * root.x - 3 * root.y * root.y) == doctest::Approx(1));
    Points one{{1, 2}};
    CHECK_THROWS_WITH_AS(hessenberg_eigenvalues(one, 2), doctest::Contains("2 rows has 4 entries, found 1"), Error);
}

TEST_CASE("point processes: Ginibre points follow the circular law, and hardly vary in number") {
    constexpr uint64_t kCount = 200, kSets = 40;
    double inner = 0, moduli = 0, squared_deviations = 0;
    for (uint64_t seed = 1; seed <= kSets; ++seed) {
        const Points points = process_points("ginibre:" + std::to_string(kCount) + "@seed=" + std::to_string(seed));
        double inside = 0;
        for (const Point p : points) {
            const double r = std::hypot(p.x, p.y);
            CHECK(r < 1.25);
            moduli += r * r;
            inside += r < 0.7;
        }
        inner += inside;
        squared_deviations += (inside - 0.49 * kCount) * (inside - 0.49 * kCount);
    }
    CHECK(inner / (kCount * kSets) == doctest::Approx(0.49).epsilon(0.02));
    CHECK(moduli / kSets ==
          doctest::Approx((kCount + 1) / 2.0).epsilon(0.01));  // E Σ |λ|² = (n + 1) / 2 (Kostlan 1992)
    CHECK(squared_deviations / kSets < 15);                    // about 5.6 by theory, 50 for independent points
}

TEST_CASE("point processes: a hexagonal lattice has six neighbours, exact vacancies, and the noise it was given") {
    const double height = std::sqrt(0.75);
    for (const uint64_t n : {1000, 5000}) {
        const Points points = process_points("hexagonal:" + std::to_string(n));
        const double spacing = 1 / std::round(std::sqrt(double(n) * height));
        std::vector<int> degrees(points.size(), 0);
        for_each_near(points, 1.7 * spacing, false, [&](uint32_t i, uint32_t, double dx, double dy) {
            REQUIRE(std::hypot(dx, dy) == doctest::Approx(spacing).epsilon(1e-10));
            ++degrees[i];
        });
        size_t inside = 0, wrong = 0;
        for (size_t i = 0; i < n; ++i) {
            const Point p = points[i];
            if (p.x < 2 * spacing || p.x > 1 - 2 * spacing || p.y < 2 * spacing || p.y > 1 - 3 * spacing) continue;
            ++inside;
            wrong += degrees[i] != 6;
        }
        CHECK(wrong == 0);
        CHECK(double(inside) > 0.65 * double(n));
    }
    const uint64_t n = 5000;
    const auto sites = static_cast<uint64_t>(std::lround(double(n) / (1 - 0.1)));
    const auto width = static_cast<uint64_t>(std::lround(std::sqrt(double(sites) * height)));
    const auto site_of = [&](Point p) {
        const auto row = static_cast<uint64_t>(p.y * double(width) / height);
        return row * width + static_cast<uint64_t>(p.x * double(width) - (row % 2 == 0 ? 0.25 : 0.75) + 0.5);
    };
    std::set<uint64_t> taken;
    for (const Point p : process_points("hexagonal:5000@vacancies=0.1")) taken.insert(site_of(p));
    CHECK(taken.size() == n);
    CHECK(*taken.rbegin() < sites);
    CHECK(*taken.rbegin() > sites - 40);  // empty sites lie everywhere, not all at the end
    CHECK(process_points("hexagonal:5000@vacancies=0.1") != process_points("hexagonal:5000@vacancies=0.1,seed=2"));

    const Points still = process_points("hexagonal:5000"), moved = process_points("hexagonal:5000@noise=0.05");
    double squares = 0;
    for (size_t i = 0; i < n; ++i)
        squares += (moved[i].x - still[i].x) * (moved[i].x - still[i].x) +
                   (moved[i].y - still[i].y) * (moved[i].y - still[i].y);
    const double spacing = 1 / std::round(std::sqrt(double(n) * height));
    CHECK(std::sqrt(squares / double(2 * n)) == doctest::Approx(0.05 * spacing).epsilon(0.03));
}

TEST_CASE("point processes: Penrose's vertices are joined to thick and thin rhombs in the golden ratio") {
    for (const auto& [n, seed] : {std::pair{3000, 1}, {20000, 2}}) {
        CAPTURE(n);
        const Points points = process_points("penrose:" + std::to_string(n) + "@seed=" + std::to_string(seed));
        const double edge = std::sqrt(kPenroseDensity / n);
        size_t short_ones = 0;
        for_each_near(points, 0.99 * edge, false, [&](uint32_t, uint32_t, double dx, double dy) {
            ++short_ones;  // the short diagonals of thin rhombs: nothing else is as near
            REQUIRE(std::hypot(dx, dy) == doctest::Approx(edge / kTau).epsilon(1e-9));
        });
        const auto to = edges_by_direction(points, edge);
        size_t thick = 0, thin = 0, inside = 0, wrong_degree = 0, edges = 0;
        for (uint32_t i = 0; i < points.size(); ++i) {
            size_t degree = 0;
            for (size_t d = 0; d < 10; ++d) {
                degree += to[i][d] != kNobody;
                const auto closes = [&](size_t turn) {
                    const uint32_t a = to[i][d], b = to[i][(d + turn) % 10];
                    return a != kNobody && b != kNobody && to[a][(d + turn) % 10] != kNobody &&
                           to[a][(d + turn) % 10] == to[b][d];
                };
                thick += closes(2);  // 72 degrees, at two of four corners
                thin += closes(1);
            }
            edges += degree;
            const Point p = points[i];
            if (std::min({p.x, p.y, 1 - p.x, 1 - p.y}) < 2 * edge) continue;
            ++inside;
            wrong_degree += degree < 3 || degree > 7;
        }
        CHECK(double(inside) > 0.7 * n);
        CHECK(wrong_degree == 0);
        CHECK(double(thick) / double(thin) == doctest::Approx(kTau).epsilon(0.01));
        CHECK(short_ones >= thin);  // at the rim some lie in rhombs that are cut
        CHECK(short_ones - thin < 2 * std::sqrt(n));
        // Euler: vertices - edges + rhombs = 1 where they fill a disc without gaps; at the rim some are cut.
        CHECK(double(edges / 2) == doctest::Approx(2.0 * n).epsilon(0.03));
        CHECK(double(thick / 2 + thin / 2) + double(n) - double(edges / 2) ==
              doctest::Approx(1).epsilon(0.5 * std::sqrt(n)));
    }
}

TEST_CASE("point processes: blue noise keeps apart as a lattice nearly does, and is none") {
    for (const int n : {300, 4000}) {
        CAPTURE(n);
        const Points points = process_points("blue-noise:" + std::to_string(n));
        const double lattice = std::sqrt(2 / (std::sqrt(3.0) * n));
        const std::vector<double> nearest = nearest_distances(points, 2 * lattice, true);
        CHECK(*std::min_element(nearest.begin(), nearest.end()) > 0.7 * lattice);
        CHECK(*std::max_element(nearest.begin(), nearest.end()) < 1.1 * lattice);
        CHECK(*std::min_element(nearest.begin(), nearest.end()) < 0.9 * lattice);
    }
    CHECK(process_points("blue-noise:100@iterations=0") == process_points("jittered:100"));
    Points lattice = process_points("grid:64@scale=0.125,x=-0.0625,y=-0.0625");
    const Points before = lattice;
    relax(lattice, 3);  // a square lattice is its own relaxation
    for (size_t i = 0; i < lattice.size(); ++i)
        CHECK(std::hypot(lattice[i].x - before[i].x, lattice[i].y - before[i].y) < 1e-12);
}

TEST_CASE("point processes: the points are the same on every machine") {
    const std::pair<std::string, uint64_t> all[] = {
        {"halton:500@random=1", 1867625680550059432u},
        {"sobol:500@random=1", 13420151226080032325u},
        {"r2:500@random=1", 10537052964196982099u},
        {"jittered:500", 11261964627461900255u},
        {"thomas:500", 18038262810497231264u},
        {"matern-cluster:500", 12196849494585690642u},
        {"matern2:500", 10704119123380569714u},
        {"ginibre:50", 11664308499013615077u},
        {"hexagonal:500@noise=0.1,vacancies=0.1", 13411212509483247947u},
        {"penrose:500", 6349468944861623791u},
        {"blue-noise:500", 6790236962047040906u},
    };
    CHECK(std::size(all) == point_processes().size());
    for (const auto& [text, hash] : all) {
        CAPTURE(text);
        CHECK(mixed_bits(process_points(text)) == hash);
    }
}

TEST_CASE("point processes: options are read, written and refused by name") {
    CHECK(generator_text(parse_generator("thomas:1e4@seed=3,sigma=0.02,mean=30")) ==
          "thomas:10000@mean=30,sigma=0.02,seed=3");
    CHECK(generator_text(parse_generator("thomas:10@mean=20,scale=2")) == "thomas:10@scale=2");
    CHECK(generator_text(parse_generator("hexagonal:10@noise=0.1,noise=0.2")) == "hexagonal:10@noise=0.2");
    for (const GeneratorEntry& process : point_processes()) {
        CAPTURE(process.info.name);
        CHECK(!process.info.source.empty());
        for (const GeneratorOption& option : process.info.options) {
            CAPTURE(option.name);
            const std::string before = process.info.name + ":1@" + option.name + "=";
            CHECK(!option.sentence.empty());
            CHECK_NOTHROW(generate(parse_generator(before + format_short(option.low))));
            CHECK(contains(process_refusal(before + std::to_string(option.low - 1)), option.name + " ("));
            CHECK(contains(process_refusal(before + std::to_string(option.high * 1.01 + 1)), " to "));
            CHECK(process_refusal(before) ==
                  "generator \"" + before + "\": " + option.name + " must be a number, found \"\"");
        }
    }
    const std::pair<std::string, std::string> refusals[] = {
        {"thomas:9@mean=0", "generator \"thomas\": mean (points of a cluster, on average) must be a number from 1"},
        {"thomas:9@sgma=1", "unknown option \"sgma\"; did you mean \"sigma\"? (known: mean, sigma, scale, x, y"},
        {"matern2:5000@radius=0.01", "generator \"matern2\": 5000 points have no room with a radius above"},
        {"blue-noise:1e6@iterations=50", "1000000 points take at most 40 iterations, found 50"},
    };
    for (const auto& [given, part] : refusals) {
        const std::string said = process_refusal(given);
        CHECK_MESSAGE(contains(said, part), said);
    }
    GeneratorSpec spec{.name = "thomas", .count = 5};
    spec.options = {{"radius", 1}};
    CHECK_THROWS_WITH_AS(generate(spec), doctest::Contains("unknown option \"radius\""), Error);
}
