// Study areas and the cells within them, against brute force in exact fractions.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "flipscope/triangulate.h"
#include "flipscope/voronoi.h"
#include "geometry/filtered.h"
#include "statistics/area_view.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Rings = std::vector<std::vector<Point>>;

struct Line {  // y = height + slope · x
    Fraction height, slope;
    Fraction at(const Fraction& x) const { return height + slope * x; }
};

/// The part of a site's cell within rings: its area, and how many parts its inside has, and how many its outside.
struct Expected {
    Fraction area = 0;
    int parts = 0, outer_parts = 0;
};

/// In slabs between all x where anything changes, inside and outside are trapezia; two in neighbouring slabs are joined
/// if they share more than a point. Without a triangulation, and without a predicate.
Expected expected_cell(const std::vector<Point>& points, uint32_t site, const Rings& rings) {
    const Point p = points[site];
    std::vector<std::pair<Line, bool>> bisectors;  // and whether the cell is above
    std::vector<std::pair<Fraction, bool>> walls;  // upright ones, and whether the cell is on the right
    for (const Point q : points) {
        if (q == p) continue;
        const Fraction dx = Fraction(q.x) - p.x, dy = Fraction(q.y) - p.y,
                       half =
                           (Fraction(q.x) * q.x + Fraction(q.y) * q.y - Fraction(p.x) * p.x - Fraction(p.y) * p.y) / 2;
        if (dy == 0)
            walls.emplace_back(half / dx, dx < 0);
        else
            bisectors.push_back({{half / dy, -dx / dy}, dy < 0});
    }
    std::vector<std::array<Point, 2>> sides;
    std::vector<Fraction> xs{-1000, 1000};
    for (const auto& ring : rings)
        for (size_t i = 0; i < ring.size(); ++i) {
            sides.push_back({ring[i], ring[(i + 1) % ring.size()]});
            xs.emplace_back(ring[i].x);
        }
    const auto line_of = [](const std::array<Point, 2>& side) {
        const Fraction slope = (Fraction(side[1].y) - side[0].y) / (Fraction(side[1].x) - side[0].x);
        return Line{Fraction(side[0].y) - slope * side[0].x, slope};
    };
    const auto add_crossing = [&](const Line& a, const Line& b) {
        if (a.slope != b.slope) xs.push_back((b.height - a.height) / (a.slope - b.slope));
    };
    for (size_t i = 0; i < bisectors.size(); ++i) {
        for (size_t j = 0; j < i; ++j) add_crossing(bisectors[i].first, bisectors[j].first);
        for (const auto& side : sides)
            if (side[0].x != side[1].x) add_crossing(bisectors[i].first, line_of(side));
    }
    for (const auto& wall : walls) xs.push_back(wall.first);
    std::ranges::sort(xs);
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    struct Trapezium {
        Line low, high;
        bool inside;
        size_t group;
    };
    std::vector<Trapezium> before;
    std::vector<size_t> groups;
    std::vector<uint8_t> insides;
    const auto root = [&](size_t g) {
        while (groups[g] != g) g = groups[g];
        return g;
    };
    Expected found;
    for (size_t k = 0; k + 1 < xs.size(); ++k) {
        const Fraction middle = (xs[k] + xs[k + 1]) / 2;
        bool empty = false;
        for (const auto& [x, right] : walls) empty |= right ? middle < x : middle > x;
        std::optional<Line> floor, ceiling;
        for (const auto& [line, above] : bisectors) {
            std::optional<Line>& bound = above ? floor : ceiling;
            if (!bound || (above ? line.at(middle) > bound->at(middle) : line.at(middle) < bound->at(middle)))
                bound = line;
        }
        std::vector<Line> crossed;
        for (const auto& side : sides)
            if (std::min(side[0].x, side[1].x) < middle && std::max(side[0].x, side[1].x) > middle)
                crossed.push_back(line_of(side));
        std::ranges::sort(crossed, [&](const Line& a, const Line& b) { return a.at(middle) < b.at(middle); });
        std::vector<Trapezium> now;
        const auto add = [&](const Line& low, const Line& high, bool inside) {
            if (!(low.at(middle) < high.at(middle))) return;
            now.push_back({low, high, inside, groups.size()});
            groups.push_back(groups.size());
            insides.push_back(inside);
            if (inside) found.area += (high.at(middle) - low.at(middle)) * (xs[k + 1] - xs[k]);
        };
        Line top{-1000, 0};
        for (size_t i = 0; i + 1 < crossed.size() && !empty; i += 2) {
            Line low = crossed[i], high = crossed[i + 1];
            if (floor && floor->at(middle) > low.at(middle)) low = *floor;
            if (ceiling && ceiling->at(middle) < high.at(middle)) high = *ceiling;
            if (!(low.at(middle) < high.at(middle))) continue;
            add(top, low, false);
            add(low, high, true);
            top = high;
        }
        add(top, {1000, 0}, false);
        for (const Trapezium& a : before)
            for (const Trapezium& b : now)
                if (a.inside == b.inside &&
                    std::max(a.low.at(xs[k]), b.low.at(xs[k])) < std::min(a.high.at(xs[k]), b.high.at(xs[k])))
                    groups[root(a.group)] = root(b.group);
        before = std::move(now);
    }
    for (size_t g = 0; g < groups.size(); ++g)
        if (groups[g] == g) ++(insides[g] ? found.parts : found.outer_parts);
    return found;
}

double signed_area(std::span<const Point> ring) {
    double twice = 0;
    for (size_t i = 1; i + 1 < ring.size(); ++i)
        twice += (ring[i].x - ring[0].x) * (ring[i + 1].y - ring[0].y) -
                 (ring[i].y - ring[0].y) * (ring[i + 1].x - ring[0].x);
    return twice / 2;
}

CellRings cells_of(Context& context, const std::vector<Point>& points, const StudyArea& area) {
    const Triangulation made = triangulate(context, points);
    const VertexRows rows = vertex_rows(context, uint32_t(points.size()), made.triangles, made.neighbours, made.path);
    return cells_in(context, points, rows, area);
}

std::span<const Point> ring_of(const CellRings& cells, size_t ring) {
    return {cells.corners.data() + cells.corner_starts[ring],
            cells.corner_starts[ring + 1] - cells.corner_starts[ring]};
}

/// A star around `centre` with `count` corners, its holes smaller stars.
std::vector<Point> star(std::mt19937_64& random, Point centre, double least, double most, int count) {
    std::uniform_real_distribution<double> radius(least, most);
    std::vector<Point> ring;
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * 3.14159265358979323846 * k / count, r = radius(random);
        ring.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
    }
    return ring;
}

}  // namespace

TEST_CASE("cells in a study area: parts, holes and areas of degenerate sets are those of exact fractions") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(7);
    const auto whole = [&](int most) { return double(random() % uint64_t(most + 1)); };
    int valid = 0, apart = 0, pierced = 0;
    const int wanted = int(case_count(1500));
    while (valid < wanted) {
        const int side = 3 + int(random() % 4);
        Rings rings;
        for (uint64_t k = 1 + random() % 3; k-- > 0;) {
            rings.emplace_back();
            const int reach = rings.size() == 1 ? 2 * side : 2;  // the others are small: holes or islands
            const double x = whole(2 * side - reach), y = whole(2 * side - reach);
            for (uint64_t c = 3 + random() % 6; c-- > 0;) rings.back().push_back({x + whole(reach), y + whole(reach)});
            const Point centre{x + reach / 2 + 0.25, y + reach / 2 + 0.125};
            if (random() % 4 > 0)
                std::ranges::sort(rings.back(), {},
                                  [&](Point p) { return std::atan2(p.y - centre.y, p.x - centre.x); });
        }
        StudyArea area;
        try {
            area = area_of_rings(rings);
        } catch (const Error&) {
            continue;
        }
        ++valid;
        std::vector<Point> points;
        const bool grid = random() % 3 == 0;
        for (int i = 0; i < (grid ? 9 : 2 + int(random() % 9)); ++i)
            points.push_back(grid ? Point{double(i % 3 * side), double(i / 3 * side)}
                                  : Point{whole(2 * side), whole(2 * side)});
        if (random() % 8 == 0)
            for (Point& p : points) p.y = 1;  // on a line
        const CellRings cells = cells_of(context, points, area);
        const std::vector<CellMeasure> measures = measure_cells(context, points, cells);
        double sum = 0;
        for (uint32_t v = 0; v < points.size(); ++v) {
            const bool is_copy = std::find(points.begin(), points.begin() + v, points[v]) != points.begin() + v;
            const Expected expected = is_copy ? Expected{0, 0, 1} : expected_cell(points, v, area.rings);
            const uint32_t first = cells.part_starts[v], end = cells.part_starts[v + 1];
            INFO("polygon " << valid << ", site " << v);
            CHECK(int(end - first) == expected.parts);
            // Parts that touch may enclose more of the outside than their holes.
            const int holes = int(cells.ring_starts[end] - cells.ring_starts[first]) - expected.parts;
            CHECK(holes <= expected.outer_parts - 1);
            if (expected.parts == 1) CHECK(holes == expected.outer_parts - 1);
            CHECK(measures[v].area == doctest::Approx(expected.area.convert_to<double>()).epsilon(1e-12));
            for (uint32_t part = first; part < end; ++part)
                for (uint32_t r = cells.ring_starts[part]; r < cells.ring_starts[part + 1]; ++r)
                    CHECK((signed_area(ring_of(cells, r)) > 0) == (r == cells.ring_starts[part]));
            sum += measures[v].area;
            apart += expected.parts > 1;
            pierced += holes > 0;
        }
        CHECK(sum == doctest::Approx(area.area()).epsilon(1e-12));
    }
    CHECK(apart > wanted / 50);
    CHECK(pierced > 0);
}

TEST_CASE("cells in a study area: stars with holes keep their area, and every place has its nearest site's cell") {
    Context context(DeviceRequest::kCpu, 2), alone(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> unit(0, 1);
    for (const double offset : {0.0, 5e6}) {
        Rings rings{star(random, {offset + 0.5, 0.5}, 0.3, 0.6, 101), star(random, {offset + 0.5, 0.5}, 0.05, 0.1, 40),
                    star(random, {offset + 0.62, 0.62}, 0.01, 0.03, 9), star(random, {offset + 2, 0.5}, 0.3, 0.6, 12)};
        const StudyArea area = area_of_rings(rings);
        std::vector<Point> points(2000);
        for (Point& p : points) p = {offset + 2.6 * unit(random), unit(random)};
        const CellRings cells = cells_of(context, points, area);
        const std::vector<CellMeasure> measures = measure_cells(context, points, cells);
        double sum = 0;
        for (const CellMeasure& cell : measures) sum += cell.area;
        CHECK(sum == doctest::Approx(area.area()).epsilon(1e-9));
        for (int k = 0; k < 2000; ++k) {
            const Point p{offset + 2.6 * unit(random), unit(random)};
            uint32_t nearest = 0;
            for (uint32_t v = 1; v < points.size(); ++v)
                if (std::hypot(points[v].x - p.x, points[v].y - p.y) <
                    std::hypot(points[nearest].x - p.x, points[nearest].y - p.y))
                    nearest = v;
            Rings own;
            const uint32_t end = cells.ring_starts[cells.part_starts[nearest + 1]];
            for (uint32_t r = cells.ring_starts[cells.part_starts[nearest]]; r < end; ++r)
                own.emplace_back(ring_of(cells, r).begin(), ring_of(cells, r).end());
            CHECK(area.contains(p) ==
                  (!own.empty() && StudyArea{{-1e9, -1e9}, {1e9, 1e9}, false, false, own}.contains(p)));
        }
        const CellRings again = cells_of(alone, points, area);
        CHECK(again.corners == cells.corners);
        CHECK(again.part_starts == cells.part_starts);
    }
}

TEST_CASE("cells in a study area: a rectangle, a single point, no point, and a polygon within one cell") {
    Context context(DeviceRequest::kCpu, 1);
    const StudyArea box = area_of_rectangle({0, 0}, {2, 1});
    CHECK(cells_of(context, {}, box).corners.empty());
    const std::vector<Point> one{{7, 7}};
    CHECK(cells_of(context, one, box).corners == std::vector<Point>{{0, 0}, {2, 0}, {2, 1}, {0, 1}});
    const std::vector<Point> two{{0.5, 0.5}, {1.5, 0.5}};
    CHECK(measure_cells(context, two, cells_of(context, two, box))[1].area == 1);
    const StudyArea small = area_of_rings({{{0.1, 0.1}, {0.2, 0.1}, {0.1, 0.2}}});
    const CellRings cells = cells_of(context, two, small);
    CHECK(cells.corners.size() == 3);
    CHECK(cells.is_cut == std::vector<uint8_t>{1, 0});
    StudyArea periodic = box;
    periodic.periodic_x = true;
    CHECK_THROWS_AS(cells_of(context, two, periodic), Error);
}
