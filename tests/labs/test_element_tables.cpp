// Tables of points, edges, triangles and cells: rows in the order of the input, whichever lab and device made them.
#include "labs/element_tables.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "compute/error.h"
#include "geometry/generators.h"
#include "labs/exploration.h"
#include "labs/parameters.h"
#include "labs/registry.h"
#include "labs/scene_statistics.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Q = ElementQuantity;

/// A lab at its end, and what is measured of it.
struct Measured {
    std::unique_ptr<Context> context;
    std::unique_ptr<Lab> lab;
    std::shared_ptr<const Geometry> input;
    Scene scene;
    SceneStatistics statistics;

    Measured(const DeviceUnderTest& device, const std::string& id, std::shared_ptr<const Geometry> given,
             const std::vector<ParameterValue>& parameters = {}, const std::optional<Window>& window = {})
        : context(std::make_unique<Context>(device.request, device.threads)),
          lab(make_lab(id)),
          input(std::move(given)) {
        for (const ParameterValue& one : parameters) set_parameter(*lab, one.name, one.value);
        lab->reset(*context, input);
        lab->finish({});
        scene = lab->scene();
        statistics.measure(*context, scene, {window, false, {}, nullptr, input});
        REQUIRE(!statistics.empty());
    }
    Table table(ElementTable which) const { return ElementTables(statistics, scene).table(which); }
};

std::shared_ptr<Geometry> made(const std::string& text) {
    return std::make_shared<Geometry>(generate(parse_generator(text)));
}

size_t column(const Table& table, const std::string& name) {
    for (size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].name == name) return k;
    throw std::runtime_error("no column " + name);
}
bool has_column(const Table& table, const std::string& name) {
    return std::any_of(table.columns.begin(), table.columns.end(), [&](const auto& one) { return one.name == name; });
}
std::vector<double> numbers(const Table& table, const std::string& name) {
    const size_t k = column(table, name);
    std::vector<double> values;
    for (size_t i = 0; i < table.row_count; ++i) values.push_back(table.row(i).cells[k].number());
    return values;
}
double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        if (!std::isnan(value)) sum += value;
    return sum;
}
double area_of(const std::vector<Point>& polygon) {
    double twice = 0;
    for (size_t k = 0; k < polygon.size(); ++k) {
        const Point a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        twice += a.x * b.y - a.y * b.x;
    }
    return twice / 2;
}

}  // namespace

TEST_CASE("tables of points have the input's rows in their order, with the same numbers in every lab and device") {
    const auto input = made("uniform:300@seed=5");
    std::map<std::string, std::vector<double>> reference;
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* id : {"build", "strips", "flip", "serial"}) {
            INFO(id, ", ", device.name);
            const LabInfo about = make_lab(id)->info();
            if (about.on_cpu_only && device.request == DeviceRequest::kCuda) continue;
            const Measured shown(device, id, input);
            const Table points = shown.table(ElementTable::kPoints);
            REQUIRE(points.row_count == 300);
            CHECK(points.columns[0].name == "row");
            CHECK(!has_column(points, "name"));
            CHECK(!has_column(points, "duplicate-of"));
            CHECK(!has_column(points, "outside"));
            const std::vector<double> row = numbers(points, "row"), x = numbers(points, "x"), y = numbers(points, "y");
            for (size_t i = 0; i < 300; ++i) {
                CHECK(row[i] == double(i));
                CHECK(Point{x[i], y[i]} == input->points[i]);
            }
            CHECK(sum_of(numbers(points, "hull")) == double(shown.lab->result().hull_edges));
            for (const char* name : {"degree", "nearest", "psi6", "cell-area", "cell-perimeter", "cell-cut"}) {
                INFO(name);
                const std::vector<double> values = numbers(points, name);
                std::vector<double>& expected = reference[name];
                if (expected.empty()) expected = values;
                for (size_t i = 0; i < values.size(); ++i)
                    CHECK((values[i] == doctest::Approx(expected[i]).epsilon(1e-9) ||
                           (std::isnan(values[i]) && std::isnan(expected[i]))));
            }
        }
    // Each is the distance to the nearest of all others.
    for (size_t i = 0; i < 300; ++i) {
        double nearest = INFINITY;
        for (size_t j = 0; j < 300; ++j)
            if (j != i)
                nearest = std::min(nearest, std::hypot(input->points[i].x - input->points[j].x,
                                                       input->points[i].y - input->points[j].y));
        CHECK(reference["nearest"][i] == doctest::Approx(nearest));
    }
}

TEST_CASE("tables of points: copies, names, categories, units and rows of the file stand beside their points") {
    const DeviceUnderTest device = devices_under_test().front();
    const auto input = made("uniform:40@seed=2");
    input->points.push_back(input->points[7]);
    for (size_t i = 0; i < input->points.size(); ++i) {
        input->names.push_back("p" + std::to_string(i));
        input->rows.push_back(2 * i);
    }
    input->unit = "nm";
    std::vector<Attribute> columns(3);
    columns[0] = {"mass", std::vector<double>(41, 2.5), "kg", {}};
    columns[0].values[3] = NAN;
    columns[1] = {"species", std::vector<double>(41, 1), "", {"oak", "lime"}};
    columns[2] = {"degree", std::vector<double>(41, -1), "", {}};
    input->attributes = std::make_shared<const std::vector<Attribute>>(columns);
    for (const char* id : {"build", "flip"}) {
        INFO(id);
        const Measured shown(device, id, input);
        const Table points = shown.table(ElementTable::kPoints);
        REQUIRE(points.row_count == 41);
        CHECK(points.columns[column(points, "x")].unit == "nm");
        CHECK(points.columns[column(points, "mass")].unit == "kg");
        CHECK(points.columns[column(points, "cell-area")].unit == "nm²");
        CHECK(points.columns[column(points, "degree")].unit.empty());
        CHECK(points.columns[column(points, "psi6-angle")].unit == "°");
        CHECK(numbers(points, "row")[5] == 10);
        CHECK(text_of(points.row(5).cells[column(points, "name")]) == "p5");
        CHECK(text_of(points.row(5).cells[column(points, "species")]) == "lime");
        CHECK(points.row(3).cells[column(points, "mass")].empty());
        CHECK(numbers(points, "input.degree")[0] == -1);
        CHECK(numbers(points, "degree")[0] >= 2);
        CHECK(numbers(points, "duplicate-of")[40] == 14);
        CHECK(points.row(40).cells[column(points, "degree")].empty());
        CHECK(points.row(7).cells[column(points, "duplicate-of")].empty());
        CHECK(sum_of(numbers(points, "degree")) == 2 * double(shown.lab->result().edges));
    }
}

TEST_CASE("tables of edges and triangles name their ends by rows, once each, and add up") {
    const DeviceUnderTest device = devices_under_test().front();
    const auto input = made("uniform:120@seed=4");
    for (const char* domain : {"plane", "torus"}) {
        INFO(domain);
        const Measured shown(device, "build", input, {{"domain", domain}});
        const Table edges = shown.table(ElementTable::kEdges), triangles = shown.table(ElementTable::kTriangles);
        const Result result = shown.lab->result();
        CHECK(edges.row_count == result.edges);
        CHECK(triangles.row_count == result.triangles);
        const std::vector<double> from = numbers(edges, "from"), to = numbers(edges, "to"),
                                  length = numbers(edges, "edge-length");
        std::vector<double> degree(120);
        for (size_t i = 0; i < edges.row_count; ++i) {
            ++degree[size_t(from[i])];
            ++degree[size_t(to[i])];
            const Point a = input->points[size_t(from[i])], b = input->points[size_t(to[i])];
            if (domain == std::string("plane")) CHECK(length[i] == doctest::Approx(std::hypot(a.x - b.x, a.y - b.y)));
        }
        CHECK(degree == numbers(shown.table(ElementTable::kPoints), "degree"));
        if (domain == std::string("torus")) {
            CHECK(sum_of(numbers(triangles, "triangle-area")) ==
                  doctest::Approx(shown.statistics.window().area()).epsilon(1e-9));
            CHECK(!has_column(edges, "hull"));
            continue;
        }
        CHECK(sum_of(numbers(edges, "hull")) == double(result.hull_edges));
        const std::vector<double> area = numbers(triangles, "triangle-area");
        for (size_t i = 0; i < triangles.row_count; ++i) {
            std::vector<Point> corners;
            for (const char* name : {"a", "b", "c"})
                corners.push_back(input->points[size_t(triangles.row(i).cells[column(triangles, name)].number())]);
            CHECK(area[i] == doctest::Approx(area_of(corners)));
            CHECK(triangles.row(i).cells[column(triangles, "x")].number() ==
                  doctest::Approx((corners[0].x + corners[1].x + corners[2].x) / 3));
        }
        // As the mesh writes them.
        const TriangleSoup soup = shown.lab->soup();
        for (size_t i = 0; i < triangles.row_count; ++i)
            CHECK(numbers(triangles, "a")[i] == double(soup.triangles[i][0]));
    }
}

TEST_CASE("polygons of cells have the area that is measured, and fill the window, or the torus") {
    const DeviceUnderTest device = devices_under_test().front();
    const auto input = made("uniform:80@seed=6");
    for (const char* domain : {"plane", "torus"}) {
        INFO(domain);
        const Measured shown(device, "build", input, {{"domain", domain}});
        const ElementTables tables(shown.statistics, shown.scene);
        const std::vector<std::vector<Point>> polygons = tables.polygons();
        const Table cells = tables.table(ElementTable::kCells);
        REQUIRE(polygons.size() == cells.row_count);
        const std::vector<double> area = numbers(cells, "cell-area");
        double sum = 0;
        size_t whole = 0;
        for (size_t i = 0; i < polygons.size(); ++i) {
            sum += area_of(polygons[i]);
            if (std::isnan(area[i])) continue;
            ++whole;
            CHECK(area_of(polygons[i]) == doctest::Approx(area[i]).epsilon(1e-9));
        }
        CHECK(sum == doctest::Approx(shown.statistics.window().area()).epsilon(1e-9));
        CHECK((whole == 80) == (domain == std::string("torus")));
    }
    // Of a triangulation that is not Delaunay there are none.
    auto flat = std::make_shared<Geometry>();
    flat->points = {{-2, 0}, {0, -0.5}, {2, 0}, {0, 0.5}};
    flat->triangles = {{0, 1, 2}, {0, 2, 3}};
    Context context(device.request, device.threads);
    const std::unique_ptr<Lab> lab = make_lab("flip");
    lab->reset(context, flat);
    SceneStatistics statistics;
    const Scene scene = lab->scene();
    statistics.measure(context, scene, {{}, false, {}, nullptr, flat});
    REQUIRE(statistics.elements().illegal_edges() == 1);
    const ElementTables tables(statistics, scene);
    CHECK_THROWS_WITH_AS(tables.table(ElementTable::kCells), doctest::Contains("illegal edges"), Error);
    CHECK(!has_column(tables.table(ElementTable::kPoints), "cell-area"));
    CHECK(has_column(tables.table(ElementTable::kPoints), "degree"));
}

TEST_CASE("a window smaller than the data: everything that is measured is of what lies in it") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        const auto input = made("uniform:4000@seed=1");
        const Window window{{0.25, 0.25}, {0.75, 0.75}, false};
        const Measured whole(device, "build", input), part(device, "build", input, {}, window);
        const auto inside = size_t(
            std::count_if(input->points.begin(), input->points.end(), [&](Point p) { return window.depth(p) >= 0; }));
        const Report& report = part.statistics.report();
        CHECK(report.find("points")->value.number() == double(inside));
        CHECK(report.find("density")->value.number() == doctest::Approx(4.0 * double(inside)));
        const Table points = part.table(ElementTable::kPoints), all = whole.table(ElementTable::kPoints);
        REQUIRE(points.row_count == 4000);
        CHECK(double(inside) == 4000 - sum_of(numbers(points, "outside")));
        const std::vector<double> degree = numbers(points, "degree"), around = numbers(points, "neighbour-degree"),
                                  every = numbers(all, "degree"), every_around = numbers(all, "neighbour-degree");
        double sum = 0;
        for (size_t i = 0; i < 4000; ++i) {
            const bool is_inside = window.depth(input->points[i]) >= 0;
            CHECK(std::isnan(degree[i]) == !is_inside);
            if (!is_inside) continue;
            CHECK(degree[i] == every[i]);
            CHECK(around[i] == every_around[i]);
            sum += degree[i];
        }
        CHECK(report.find("mean degree")->value.number() == doctest::Approx(sum / double(inside)));
        const Table edges = part.table(ElementTable::kEdges);
        const std::vector<double> x = numbers(edges, "x"), y = numbers(edges, "y"),
                                  length = numbers(edges, "edge-length");
        for (size_t i = 0; i < x.size(); ++i) CHECK(std::isnan(length[i]) == (window.depth({x[i], y[i]}) < 0));
        // Cells and points are those of the window, so a cell has the area per point, but for the cut ones.
        const double area = report.find("mean Voronoi cell area")->value.number();
        CHECK(area * 4 * double(inside) == doctest::Approx(1).epsilon(0.03));
        // A larger one takes all.
        const Measured wide(device, "build", input, {}, Window{{-1, -1}, {2, 2}, false});
        CHECK(wide.statistics.report().find("points")->value.number() == 4000);
        CHECK(wide.statistics.report().find("density")->value.number() == doctest::Approx(4000.0 / 9));
    }
}

TEST_CASE("cells of a lattice are measured in the units of the input, by its rows") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const double scale : {1.0, 250.0}) {
            INFO(device.name, ", ", scale);
            auto input = made("uniform:60@seed=4");
            for (Point& p : input->points) p = {scale * p.x + 3 * scale, scale * p.y - scale};
            input->unit = "mm";
            const Measured plane(device, "build", input);
            const Measured lattice(device, "voronoi", input, {{"width", "96"}, {"height", "96"}});
            const Table a = plane.table(ElementTable::kPoints), b = lattice.table(ElementTable::kPoints);
            REQUIRE(b.row_count == 60);
            CHECK(b.columns[column(b, "cell-area")].unit == "mm²");
            size_t compared = 0;
            for (const char* name : {"x", "y", "nearest", "cell-area", "cell-perimeter"}) {
                INFO(name);
                const std::vector<double> here = numbers(a, name), there = numbers(b, name);
                for (size_t i = 0; i < 60; ++i) {
                    if (std::isnan(here[i]) || std::isnan(there[i])) continue;
                    ++compared;
                    CHECK(there[i] == doctest::Approx(here[i]).epsilon(1e-6));
                }
            }
            CHECK(compared > 200);
            for (size_t i = 0; i < 60; ++i) CHECK(numbers(b, "x")[i] == input->points[i].x);
            const Report& report = lattice.statistics.report();
            CHECK(report.find("mean edge length")->value.unit == "mm");
            CHECK(report.find("density")->value.unit == "1/mm²");
            CHECK(report.find("window width")->value.number() > scale);
            CHECK(report.find("window width")->value.number() < 1.6 * scale);
            // A window in these units, too.
            const Measured part(device, "voronoi", input, {{"width", "96"}, {"height", "96"}},
                                Window{{3 * scale, -scale}, {3.5 * scale, 0}, false});
            const auto inside =
                std::count_if(input->points.begin(), input->points.end(), [&](Point p) { return p.x <= 3.5 * scale; });
            CHECK(part.statistics.report().find("points")->value.number() == double(inside));
        }
}

TEST_CASE("tables undo what reading did: y goes down again where the file's does") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = made("uniform:30@seed=9");
    input->y_down = true;
    const Measured shown(device, "build", input);
    const ElementTables tables(shown.statistics, shown.scene);
    const Table points = tables.table(ElementTable::kPoints);
    for (size_t i = 0; i < 30; ++i) CHECK(numbers(points, "y")[i] == -input->points[i].y);
    for (const std::vector<Point>& polygon : tables.polygons()) CHECK(area_of(polygon) > 0);
    CHECK(numbers(tables.table(ElementTable::kEdges), "y")[0] < 0);
}
