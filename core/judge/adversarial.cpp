#include "judge/adversarial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace flipscope {

namespace {

class Maker {
  public:
    explicit Maker(uint64_t key) : random_(key) {}

    std::vector<Point> grid() {
        const uint64_t columns = 2 + below(4), rows = 2 + below(4);
        std::vector<Point> points;
        for (uint64_t x = 0; x < columns; ++x)
            for (uint64_t y = 0; y < rows; ++y)
                if (below(8)) points.push_back({static_cast<double>(x), static_cast<double>(y)});
        while (points.size() < 3) points.push_back({static_cast<double>(points.size()), -1});
        shuffle(points);
        return points;
    }

    std::vector<Point> one_off_line() {
        std::vector<Point> points = line();
        Point& one = points[below(points.size())];
        one.y = moved(one.y + (one.y == 0 ? 1 : 0), 1);
        return points;
    }

    std::vector<Point> bent_line() {
        std::vector<Point> points = line();
        Point& one = points[below(points.size())];
        one.y = moved(one.y + (one.y == 0 ? 1 : 0), some_ulps(3));
        return points;
    }

    std::vector<Point> rounded_line() {
        const double slope = between(-2, 2), start = between(-1, 1);
        std::vector<Point> points;
        for (uint64_t i = 0, n = few(); i < n; ++i) {
            const double x = between(0, 1);
            points.push_back({x, slope * x + start});
        }
        return points;
    }

    /// Whole numbers x² + y² = 65², of which there are 36.
    std::vector<Point> circle() {
        std::vector<Point> points;
        for (int x = -65; x <= 65; ++x)
            for (int y = -65; y <= 65; ++y)
                if (x * x + y * y == 65 * 65) points.push_back({double(x), double(y)});
        shuffle(points);
        points.resize(few());
        if (below(2)) points.push_back({0, 0});
        return points;
    }

    std::vector<Point> rounded_circle() {
        std::vector<Point> points;
        const uint64_t n = few();
        const double radius = below(2) ? 1 : between(0.1, 1000), x = below(2) ? 0 : between(-10, 10);
        for (uint64_t i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
            points.push_back({x + radius * std::cos(angle), radius * std::sin(angle)});
        }
        for (Point& p : points) p = {std::abs(p.x) < 1e-15 ? 0 : p.x, std::abs(p.y) < 1e-15 ? 0 : p.y};
        shuffle(points);
        return points;
    }

    std::vector<Point> cluster() {
        const Point middle{between(0.5, 1), between(0.5, 1)};
        std::vector<Point> points{{0, 0}, {2, 0}, {0, 2}};
        for (uint64_t i = 0, n = few(); i < n; ++i)
            points.push_back({moved(middle.x, some_ulps(4)), moved(middle.y, some_ulps(4))});
        shuffle(points);
        return points;
    }

    std::vector<Point> copies() {
        std::vector<Point> points;
        for (uint64_t i = 0, n = 3 + below(6); i < n; ++i) points.push_back({between(0, 1), between(0, 1)});
        for (uint64_t i = 0, n = 1 + below(8); i < n; ++i) {
            const Point again = points[below(points.size())];
            points.push_back(below(2) ? again : Point{moved(again.x, some_ulps(1)), moved(again.y, some_ulps(1))});
        }
        shuffle(points);
        return points;
    }

    std::vector<Point> far() {
        const double offset = std::array{5e6, 1e9, 1e12, 0x1p50}[below(4)];
        std::vector<Point> points;
        for (uint64_t i = 0, n = few(); i < n; ++i) points.push_back({offset + between(0, 1), offset + between(0, 1)});
        return points;
    }

    std::vector<Point> scales() {
        std::vector<Point> points;
        for (uint64_t i = 0, n = few(); i < n; ++i) {
            const auto power = [&] {
                const int exponent = static_cast<int>(below(120)) - 60;  // first, with every compiler
                return std::ldexp(below(2) ? 1.0 : -1.0, exponent);
            };
            points.push_back({power(), power()});
        }
        return points;
    }

    /// A parabola that is flat to the last bits, seen from above and below.
    std::vector<Point> flat_hull() {
        const double bend = std::ldexp(1, -static_cast<int>(20 + below(60)));
        std::vector<Point> points;
        for (uint64_t i = 0, n = 3 + below(6); i < n; ++i) {
            const auto x = static_cast<double>(i);
            points.push_back({x, bend * x * x});
            if (below(2)) points.push_back({x, 1 - bend * x * x});
        }
        points.push_back({1, 0.5});
        shuffle(points);
        return points;
    }

    std::vector<Point> needle() {
        const double width = std::ldexp(1, -static_cast<int>(10 + below(50)));
        std::vector<Point> points{{0, 0}, {1, 0}, {1, width}};
        for (uint64_t i = 0, n = 1 + below(8); i < n; ++i) {
            const double x = between(0, 1);
            points.push_back({x, x * width * between(0, 1)});
        }
        return points;
    }

    std::vector<Point> cross() {
        std::vector<Point> points{{0, 0}};
        for (uint64_t i = 0, n = 1 + below(4); i < n; ++i) {
            const auto arm = static_cast<double>(1 + below(9));
            for (const Point p : {Point{arm, 0}, {-arm, 0}, {0, arm}, {0, -arm}})
                if (below(8)) points.push_back(p);
        }
        while (points.size() < 3) points.push_back({1, static_cast<double>(points.size())});
        return points;
    }

    std::vector<Point> hexagons() {
        std::vector<Point> points;
        const double height = std::sqrt(3) / 2;
        for (uint64_t y = 0, rows = 2 + below(3); y < rows; ++y)
            for (uint64_t x = 0; x < 4; ++x)
                points.push_back({static_cast<double>(x) + (y % 2 ? 0.5 : 0), static_cast<double>(y) * height});
        shuffle(points);
        return points;
    }

    /// A centre, and rings of opposite points around it that are rounded.
    std::vector<Point> spokes() {
        const Point centre{between(-1, 1), between(-1, 1)};
        std::vector<Point> points{centre};
        for (uint64_t i = 0, n = 2 + below(5); i < n; ++i) {
            const double angle = between(0, std::numbers::pi), radius = std::ldexp(1, static_cast<int>(below(4)));
            const double dx = radius * std::cos(angle), dy = radius * std::sin(angle);
            points.push_back({centre.x + dx, centre.y + dy});
            points.push_back({centre.x - dx, centre.y - dy});
        }
        return points;
    }

  private:
    uint64_t below(uint64_t bound) { return random_() % bound; }
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
    }
    /// So many representable numbers further.
    static double moved(double value, int64_t ulps) {
        for (; ulps > 0; --ulps) value = std::nextafter(value, INFINITY);
        for (; ulps < 0; ++ulps) value = std::nextafter(value, -INFINITY);
        return std::abs(value) < 0x1p-190 ? 0 : value;
    }
    int64_t some_ulps(int64_t most) { return static_cast<int64_t>(below(2 * static_cast<uint64_t>(most) + 1)) - most; }
    uint64_t few() { return 4 + below(13); }
    void shuffle(std::vector<Point>& points) { std::shuffle(points.begin(), points.end(), random_); }

    /// Whole multiples of one direction.
    std::vector<Point> line() {
        const double dx = static_cast<double>(1 + below(7)), dy = static_cast<double>(below(8));
        std::vector<Point> points;
        for (uint64_t i = 0, n = few(); i < n; ++i) {
            const auto step = static_cast<double>(1 + below(40));
            points.push_back({dx * step, dy * step});
        }
        return points;
    }

    std::mt19937_64 random_;
};

struct Kind {
    AdversarialKind kind;
    std::vector<Point> (Maker::*make)();
};
constexpr Kind kKinds[] = {
    {{"small-grid", "a grid of whole numbers with gaps"}, &Maker::grid},
    {{"one-off-line", "points on one line, and one that is off it by the last bit"}, &Maker::one_off_line},
    {{"bent-line", "the same, off by a few last bits or not at all"}, &Maker::bent_line},
    {{"rounded-line", "points on a line of any slope, rounded"}, &Maker::rounded_line},
    {{"circle", "whole numbers on one circle"}, &Maker::circle},
    {{"rounded-circle", "a regular polygon, rounded"}, &Maker::rounded_circle},
    {{"ulp-cluster", "points a few representable numbers apart inside of a large triangle"}, &Maker::cluster},
    {{"copies", "copies of points, and copies that are off by the last bit"}, &Maker::copies},
    {{"far-offset", "points of a unit square far from the origin"}, &Maker::far},
    {{"scales", "powers of two from 2^-60 to 2^60"}, &Maker::scales},
    {{"flat-hull", "hulls that are bent by almost nothing"}, &Maker::flat_hull},
    {{"needle", "points inside of a triangle that is almost flat"}, &Maker::needle},
    {{"cross", "points on both axes"}, &Maker::cross},
    {{"hexagons", "a triangular lattice, rounded"}, &Maker::hexagons},
    {{"spokes", "a centre and pairs of opposite points, rounded"}, &Maker::spokes},
};

}  // namespace

const std::vector<AdversarialKind>& adversarial_kinds() {
    static const std::vector<AdversarialKind> kinds = [] {
        std::vector<AdversarialKind> all;
        for (const Kind& each : kKinds) all.push_back(each.kind);
        return all;
    }();
    return kinds;
}

AdversarialSet adversarial_set(uint64_t number, uint64_t seed) {
    const Kind& kind = kKinds[number % std::size(kKinds)];
    std::seed_seq sequence{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32),
                           static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32)};
    uint32_t words[2];
    sequence.generate(words, words + 2);
    Maker maker(uint64_t(words[0]) << 32 | words[1]);
    return {kind.kind.name, (maker.*kind.make)()};
}

}  // namespace flipscope
