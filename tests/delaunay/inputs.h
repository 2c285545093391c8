// Inputs that have broken triangulators, for the tests of every construction.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "flipscope/triangulate.h"
#include "geometry/generators.h"
#include "geometry/point_patterns.h"
#include "tested_count.h"

namespace flipscope {

using Input = std::shared_ptr<const Geometry>;

inline Input make_input(std::string name, std::vector<Point> points) {
    return std::make_shared<Geometry>(Geometry{std::move(name), std::move(points)});
}
inline Input nothing() { return make_input("nothing", {}); }
inline Input generated(const GeneratorInfo& generator, uint64_t count, const std::string& options = "") {
    const std::string text = generator.name + ":" + std::to_string(tested_count(generator, count)) + options;
    return std::make_shared<Geometry>(generate(parse_generator(text)));
}
inline Input generated(const std::string& text) { return std::make_shared<Geometry>(generate(parse_generator(text))); }

/// Lattice points on rays from the origin, which is the star's centre: most of them tie with the first triangle.
inline std::vector<Point> radial_lattice(int directions, int steps) {
    std::vector<Point> points{{0, 0}};
    for (int x = -directions; x <= directions; ++x)
        for (int y = -directions; y <= directions; ++y)
            if (std::gcd(x, y) == 1)
                for (int k = 1; k <= steps; ++k) points.push_back({double(k * x), double(k * y)});
    return points;
}

inline std::vector<Point> lattice(int width, int height, double spacing, Point corner) {
    std::vector<Point> points;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) points.push_back({corner.x + x * spacing, corner.y + y * spacing});
    return points;
}

/// Few hundred points each; distinct in what they hurt.
inline std::vector<Input> hard_inputs() {
    std::mt19937_64 random(20250311);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    std::vector<Input> inputs;
    const auto add = [&](const char* name, std::vector<Point> points) {
        inputs.push_back(make_input(name, std::move(points)));
    };
    std::vector<Point> p;

    add("all equal", std::vector<Point>(50, {1.5, -2}));
    add("one off a line", {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {2, 1}});
    add("on an edge", {{0, 0}, {4, 0}, {0, 4}, {2, 0}, {0, 2}, {2, 2}, {1, 1}});
    add("a point between two triangles", {{0, 0}, {8, 0}, {4, 6}, {4, -6}, {4, 0}, {2, 0}, {6, 0}});
    add("on the lines beyond the corners",
        {{0, 0}, {2, 0}, {0, 2}, {-2, 0}, {-4, 0}, {0, -2}, {0, -4}, {4, 0}, {6, 0}, {0, 4}, {4, -2}, {-2, 4}});
    add("rays from the star's centre", radial_lattice(4, 5));
    add("rays, moved far off", [] {
        std::vector<Point> rays = radial_lattice(3, 4);
        for (Point& q : rays) q = {q.x + 0x1p40, q.y - 0x1p41};
        return rays;
    }());

    p.clear();
    for (int i = 0; i < 400; ++i) p.push_back({double(i), 3});
    p.push_back({173, 4});
    add("a row and one above it", p);
    p.push_back({200.5, -1e9});
    add("a row, one above, one far below", p);
    p.clear();
    for (int i = 0; i < 200; ++i) p.push_back({double(i), 0}), p.push_back({double(i), 1});
    add("two rows", p);
    p.clear();
    for (int i = 0; i < 150; ++i) p.push_back({double(i - 75), 0}), p.push_back({0, double(i - 75)});
    add("a cross", p);
    p = lattice_circle_points(300);
    add("a ring in order", p);
    p.push_back({0, 0});
    add("a ring and its centre", p);
    for (int i = 0; i < 12; ++i) p.push_back({1e9 * std::cos(i), 1e9 * std::sin(i)});
    add("points far from a ring see half of its hull", p);
    add("a grid of 0.1", lattice(20, 20, 0.1, {0, 0}));
    add("a grid of ulps at 1e12", lattice(18, 18, 0x1p-13, {1e12, -1e12}));

    p.clear();
    for (int i = 0; i < 300; ++i) p.push_back({i * 0.1, i * 0.1 * (1.0 / 3)});
    add("nearly on a line: products rounded", p);
    p.clear();
    for (int i = 0; i < 300; ++i) {
        const double x = 1 + i * 0x1p-10;
        const double towards = i % 3 == 0 ? 0 : i % 3 == 1 ? 10 : x;
        p.push_back({x, std::nextafter(x, towards)});
    }
    add("within one ulp of a diagonal", p);

    p.clear();
    for (int i = 0; i < 300; ++i) {
        const auto value = [&] { return (below(2) ? 1 : -1) * std::ldexp(1 + uniform(), below(399) - 200); };
        p.push_back({value(), value()});
    }
    add("every magnitude", p);
    p.clear();
    for (int i = 0; i < 300; ++i) {
        const double v = std::ldexp(1, -(i % 190));
        p.push_back({v, v * v * 0x1p-10 * (1 + i / 190)});
    }
    for (Point& q : p)
        if (q.y < 0x1p-200) q.y = 0;
    add("halving towards a corner", p);
    p.clear();
    for (int i = 0; i < 300; ++i)
        p.push_back({std::exp(i * 0.3) * std::cos(i * 0.1), std::exp(i * 0.3) * std::sin(i * 0.1)});
    add("a spiral that grows without measure", p);

    const double border[] = {0x1p200, -0x1p200, 0x1p-200, -0x1p-200, 0.0, 1, -1};
    p.clear();
    for (const double x : border)
        for (const double y : border) p.push_back({x, y});
    add("the borders of the range", p);
    add("both zeros", {{0.0, 0.0}, {-0.0, 0.0}, {0.0, -0.0}, {-0.0, -0.0}, {1, -0.0}, {1, 0.0}, {-0.0, 1}, {-1, -1}});

    p.clear();
    for (int i = 0; i < 200; ++i) p.push_back({uniform(), uniform()}), p.push_back({1e12 + uniform(), uniform()});
    add("two clusters, each in one cell of the curve", p);
    p = {{-1e12, 0}, {1e12, 1}};
    for (int i = 0; i < 500; ++i) p.push_back({double(below(16)), double(below(16))});
    add("copies within one cell of the curve", p);
    p.clear();
    for (int i = 0; i < 300; ++i) p.push_back({double(i), double(i) * i});
    add("a parabola", p);
    for (int i = 0; i < 300; ++i) p.push_back({double(i), -double(i) * i - 1});
    add("two parabolas back to back", p);
    p = lattice(17, 17, 1, {0, 0});
    for (int i = 0; i < 100; ++i) p.push_back({below(33) / 2.0, below(33) / 2.0});
    add("a grid and the middles of its edges", p);
    return inputs;
}

/// A mesh of the plane.
inline Geometry plane_mesh(std::vector<Point> points, std::vector<std::array<uint32_t, 3>> triangles) {
    return {"test", std::move(points), {}, std::move(triangles)};
}
/// The points with their Delaunay triangles.
inline Geometry triangulated(Context& context, Geometry points) {
    points.triangles = triangulate(context, points.points).triangles;
    return points;
}

}  // namespace flipscope
