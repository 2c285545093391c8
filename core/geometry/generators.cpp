#include "geometry/generators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "compute/cancel.h"
#include "compute/error.h"
#include "geometry/mesh_generators.h"
#include "geometry/point_patterns.h"
#include "geometry/point_processes.h"
#include "geometry/random_streams.h"

namespace flipscope {
namespace {

using enum Stream;

constexpr uint64_t kMaxCount = 100'000'000;
constexpr uint64_t kMaxPoissonCount = 10'000'000;  // dart throwing is serial: about 4 s a million

uint64_t square_width(uint64_t count) {
    auto width = static_cast<uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    return std::max<uint64_t>(width, 1);
}

Point on_unit_circle(double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return {std::cos(angle), std::sin(angle)};
}

/// Two independent standard normal numbers (Box and Muller 1958).
Point normal_pair(RandomPair u) {
    const double r = std::sqrt(-2 * std::log(1 - u.first));  // never the logarithm of 0
    const Point c = on_unit_circle(u.second);
    return {r * c.x, r * c.y};
}

using Points = std::vector<Point>;

Points uniform(uint64_t n, const Random& random) {
    return make_each(n, [&](uint64_t i) {
        const RandomPair u = random.pair(kPlace, i);
        return Point{u.first, u.second};
    });
}

template <double (*kRadius)(double)>
Points disk(uint64_t n, const Random& random) {
    return make_each(n, [&](uint64_t i) {
        const RandomPair u = random.pair(kPlace, i);
        const double r = kRadius(u.first);
        const Point c = on_unit_circle(u.second);
        return Point{r * c.x, r * c.y};
    });
}

double even(double u) { return std::sqrt(u); }
double at_centre(double u) { return u; }
double at_rim(double u) { return std::sqrt(std::sqrt(u)); }

Points normal(uint64_t n, const Random& random) {
    return make_each(n, [&](uint64_t i) { return normal_pair(random.pair(kPlace, i)); });
}

Points clusters(uint64_t n, const Random& random) {
    const uint64_t cluster_count = std::clamp<uint64_t>(square_width(n) / 2, 1, 48);
    return make_each(n, [&](uint64_t i) {
        const uint64_t cluster = below(random.number(kClusterOf, i), cluster_count);
        const RandomPair centre = random.pair(kClusterCentre, 2 * cluster);
        const double w = random.number(kClusterCentre, 2 * cluster + 1);
        const double width = 0.0005 + 0.1 * w * w * w * w;  // most are tight, a few overlap their neighbours
        const Point g = normal_pair(random.pair(kPlace, i));
        return Point{centre.first + width * g.x, centre.second + width * g.y};
    });
}

Points jittered_grid(uint64_t n, const Random& random) {
    const uint64_t width = square_width(n);
    const auto cells = static_cast<double>(width);
    return make_each(n, [&](uint64_t i) {
        const RandomPair u = random.pair(kPlace, i);
        return Point{(static_cast<double>(i % width) + u.first) / cells,
                     (static_cast<double>(i / width) + u.second) / cells};
    });
}

/// From (1, 1), so that moving a coordinate by one ulp never meets the subnormal neighbours of zero.
Points grid(uint64_t n, const Random&) {
    const uint64_t width = square_width(n);
    return make_each(n, [&](uint64_t i) {
        return Point{static_cast<double>(1 + i % width), static_cast<double>(1 + i / width)};
    });
}

Points ring(uint64_t n, const Random& random) {
    Points points = lattice_circle_points(n);
    shuffle(points, random);
    return points;
}

Points rings(uint64_t n, const Random& random) {
    if (n == 0) return {};
    const uint64_t ring_count = std::max<uint64_t>(1, square_width(n) / 2);
    const Points base = lattice_circle_points((n + ring_count - 1) / ring_count);
    Points points = make_each(n, [&](uint64_t i) {
        const auto factor = static_cast<double>(1 + i / base.size());
        const Point p = base[i % base.size()];
        return Point{p.x * factor, p.y * factor};  // integers below 2^53: exact
    });
    shuffle(points, random);
    return points;
}

/// x = 3 t, y = 2 t + c in units of a power of two: exactly collinear, since every product is below 2^53.
Points line(uint64_t n, const Random& random) {
    std::vector<uint64_t> along;
    along.reserve(n);
    CancelPoll poll;
    uint64_t t = 0;
    for (uint64_t i = 0; i < n; ++i) {
        poll();
        along.push_back(t += 1 + below(random.number(kGap, i), 64));
    }
    const int unit = std::bit_width(t) + 2;  // brings the line into the unit square
    const auto intercept = uint64_t{1} << (unit - 2);
    Points points = make_each(n, [&](uint64_t i) {
        return Point{std::ldexp(static_cast<double>(3 * along[i]), -unit),
                     std::ldexp(static_cast<double>(2 * along[i] + intercept), -unit)};
    });
    shuffle(points, random);
    return points;
}

/// A sunflower: equal areas along the golden angle (Vogel 1979).
Points spiral(uint64_t n, const Random& random) {
    const double golden_turn = 2 - std::numbers::phi;
    const double phase = random.number(kPhase, 0);
    return make_each(n, [&](uint64_t i) {
        const auto k = static_cast<double>(i);
        const double turn = k * golden_turn + phase;
        const Point c = on_unit_circle(turn - std::floor(turn));
        const double r = std::sqrt((k + 0.5) / static_cast<double>(n));
        return Point{r * c.x, r * c.y};
    });
}

/// The radius is chosen so that a maximal sampling has slightly too many points; the surplus is removed at random.
Points poisson(uint64_t n, const Random& random) {
    if (n == 0) return {};
    double radius = std::sqrt(kPoissonDensity / static_cast<double>(n));
    for (uint32_t attempt = 0;; ++attempt) {
        Points points = poisson_disk_points(radius, random.seed(), Random::counter(kThrow, uint64_t{attempt} << 40));
        if (points.size() >= n) {
            shuffle(points, random);
            points.resize(n);
            return points;
        }
        radius *= 0.99 * std::sqrt(static_cast<double>(points.size()) / static_cast<double>(n));
    }
}

Points duplicates(uint64_t n, const Random& random) {
    Points points = uniform(n, random);
    CancelPoll poll;
    for (uint64_t i = 1; i < n; ++i) {
        poll();
        const RandomPair u = random.pair(kCopyOf, i);
        if (below(u.first, 3) == 0) points[i] = points[below(u.second, i)];
    }
    return points;
}

/// Each coordinate moves to a neighbouring double, or stays; a zero stays, since its neighbours are subnormal.
Points nudged(Points points, const Random& random) {
    const auto nudge = [](double v, uint64_t choice) {
        if (v == 0 || choice == 0) return v;
        const double limit = std::numeric_limits<double>::infinity();
        return std::nextafter(v, choice == 1 ? limit : -limit);
    };
    CancelPoll poll;
    for (uint64_t i = 0; i < points.size(); ++i) {
        poll();
        const RandomPair u = random.pair(kNudge, i);
        points[i] = {nudge(points[i].x, below(u.first, 3)), nudge(points[i].y, below(u.second, 3))};
    }
    return points;
}

Points near_grid(uint64_t n, const Random& random) { return nudged(grid(n, random), random); }
Points near_ring(uint64_t n, const Random& random) { return nudged(ring(n, random), random); }

const std::vector<GeneratorEntry>& table() {
    constexpr GeneratorOutput kPlane = GeneratorOutput::kPlanarMesh, kSpace = GeneratorOutput::kSurface;
    static const std::vector<GeneratorEntry> all = [] {
        std::vector<GeneratorEntry> list = {
            {{"uniform", "uniformly random in the unit square", kMaxCount}, uniform},
            {{"disk", "uniformly random in the unit disk", kMaxCount}, disk<even>},
            {{"disk-centre", "random in the unit disk, crowded at the centre", kMaxCount}, disk<at_centre>},
            {{"disk-rim", "random in the unit disk, crowded at the rim", kMaxCount}, disk<at_rim>},
            {{"normal", "normally distributed, mean 0 and deviation 1", kMaxCount}, normal},
            {{"clusters", "normal clusters of very different widths in the unit square", kMaxCount}, clusters},
            {{"jittered-grid", "one random point in each cell of a grid on the unit square", kMaxCount}, jittered_grid},
            {{"grid", "an exact integer lattice, row by row: every square is a cocircular tie", kMaxCount}, grid},
            {{"ring", "exactly cocircular: integer points of one circle, shuffled", kMaxLatticeCirclePoints}, ring},
            {{"rings", "concentric exact rings, aligned along rays from the centre, shuffled", kMaxCount}, rings},
            {{"line", "exactly collinear and distinct, unevenly spaced, shuffled", kMaxCount}, line},
            {{"spiral", "a sunflower: evenly spread along the golden angle", kMaxCount, GeneratorOutput::kPoints, 0,
              false, 0, "H. Vogel, Mathematical Biosciences 44, 1979"},
             spiral},
            {{"poisson", "random in the unit square, none too close to another", kMaxPoissonCount,
              GeneratorOutput::kPoints, 0, false, 400'000,
              "R. Bridson, Fast Poisson disk sampling in arbitrary dimensions, SIGGRAPH sketches, 2007"},
             poisson},
            {{"duplicates", "uniform, but about a third are exact copies of others", kMaxCount}, duplicates},
            {{"near-grid", "the grid, each coordinate moved by -1, 0 or +1 ulp", kMaxCount}, near_grid},
            {{"near-ring", "the ring, each coordinate moved by -1, 0 or +1 ulp", kMaxLatticeCirclePoints}, near_ring},
        };
        list.insert(list.end(), point_processes().begin(), point_processes().end());
        list.insert(list.end(),
                    {
                        {{"quad", "a triangulated square: a grid, sheared and shaken, cut along its longer diagonals",
                          kMaxMeshCount, kPlane, kMinQuadCount},
                         make_quad},
                        {{"triangular", "a Delaunay triangulation as it is: a lattice of acute triangles, shaken",
                          kMaxMeshCount, kPlane, kMinQuadCount},
                         make_triangular},
                        {{"worst", "a triangulated strip between two rows that takes about n²/4 flips (Edelsbrunner)",
                          kMaxWorstCount, kPlane, kMinWorstCount},
                         make_worst},
                        {{"sphere", "a closed surface: rings of vertices around the axis, joined aslant", kMaxMeshCount,
                          kSpace, kMinSphereCount},
                         make_sphere},
                        {{"torus-knot", "a closed surface: a tube along the trefoil, its grid twisted", kMaxMeshCount,
                          kSpace, kMinTorusKnotCount},
                         make_torus_knot},
                        {{"terrain", "a hilly height field over a square, with a boundary", kMaxMeshCount, kSpace,
                          kMinTerrainCount},
                         make_terrain},
                        {{"infinity", "a closed surface: a tube along a figure eight that passes over itself",
                          kMaxMeshCount, kSpace, kMinInfinityCount},
                         make_infinity},
                        {{"band", "a Möbius band: one boundary, one side, and so a seam where its triangles disagree",
                          kMaxMeshCount, kSpace, kMinBandCount},
                         make_band},
                    });
        return list;
    }();
    return all;
}

const GeneratorEntry& find(const std::string& name) {
    return *std::find_if(table().begin(), table().end(), [&](const GeneratorEntry& g) { return g.info.name == name; });
}

}  // namespace

const std::vector<GeneratorInfo>& generators() {
    static const std::vector<GeneratorInfo> infos = [] {
        std::vector<GeneratorInfo> list;
        for (const GeneratorEntry& generator : table()) list.push_back(generator.info);
        return list;
    }();
    return infos;
}

double option_of(const GeneratorSpec& spec, const std::string& name) {
    for (const auto& [given, value] : spec.options)
        if (given == name) return value;
    for (const GeneratorOption& option : find_generator(spec.name).options)
        if (option.name == name) return option.usual;
    throw Error("generator " + spec.name + " has no option " + name);
}

Geometry generate(const GeneratorSpec& spec) {
    check_generator(spec);
    const GeneratorEntry& generator = find(spec.name);
    const Random random(spec.seed);
    Geometry set;
    if (const auto* make_points = std::get_if<0>(&generator.make))
        set.points = (*make_points)(spec.count, random);
    else if (const auto* make_process = std::get_if<1>(&generator.make))
        set.points = (*make_process)(spec, random);
    else
        set = std::get<2>(generator.make)(spec.count, random);
    set.name = generator_text(spec);
    CancelPoll poll;
    if (spec.scale != 1 || spec.offset.x != 0 || spec.offset.y != 0) {
        for (Point& p : set.points) {
            poll();
            p = {p.x * spec.scale + spec.offset.x, p.y * spec.scale + spec.offset.y};
        }
    }
    if (spec.scale != 1) {
        for (double& z : set.heights) z *= spec.scale;
        // A negative factor mirrors space, and only turns the plane around.
        if (spec.scale < 0 && set.in_space())
            for (auto& triangle : set.triangles) std::swap(triangle[1], triangle[2]);
    }
    return set;
}

}  // namespace flipscope
