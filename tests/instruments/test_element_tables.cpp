// Tables of points, edges, triangles and cells: rows in the order of the input, for every lab and device.
#include "instruments/element_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "delaunay/hands.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "instruments/exploring_lab.h"

using namespace flipscope;

namespace {

using Q = ElementQuantity;

std::shared_ptr<Geometry> table_input(const std::string& text) {
    return std::make_shared<Geometry>(generate(parse_generator(text)));
}

size_t place_of_column(const Table& table, const std::string& name) {
    for (size_t k = 0; k < table.columns.size(); ++k)
        if (table.columns[k].name == name) return k;
    throw std::runtime_error("no column " + name);
}
bool has_column(const Table& table, const std::string& name) {
    return std::any_of(table.columns.begin(), table.columns.end(), [&](const auto& one) { return one.name == name; });
}
std::vector<double> column_numbers(const Table& table, const std::string& name) {
    const size_t k = place_of_column(table, name);
    std::vector<double> values;
    for (size_t i = 0; i < table.row_count; ++i) values.push_back(table.row(i).cells[k].number());
    return values;
}
double column_sum(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        if (!std::isnan(value)) sum += value;
    return sum;
}
double polygon_area(const std::vector<Point>& polygon) {
    double twice = 0;
    for (size_t k = 0; k < polygon.size(); ++k) {
        const Point a = polygon[k], b = polygon[(k + 1) % polygon.size()];
        twice += a.x * b.y - a.y * b.x;
    }
    return twice / 2;
}

/// Of cells without holes in one part each.
std::vector<std::vector<Point>> outlines_of(const ElementTables& tables) {
    std::vector<std::vector<Point>> all;
    for (const PolygonParts& parts : tables.polygons()) {
        REQUIRE(parts.size() <= 1);
        all.push_back(parts.empty() ? std::vector<Point>() : parts[0].at(0));
    }
    return all;
}

}  // namespace

TEST_CASE("tables of points have the input's rows in their order, with the same numbers in every lab and device") {
    const auto input = table_input("uniform:300@seed=5");
    std::map<std::string, std::vector<double>> reference;
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* id : {"build", "strips", "flip", "serial"}) {
            INFO(id, ", ", device.name);
            const LabInfo about = make_lab(id)->info();
            if (about.on_cpu_only && device.request == DeviceRequest::kCuda) continue;
            const MeasuredLab shown(device, id, input);
            const Table points = shown.table(ElementTable::kPoints);
            REQUIRE(points.row_count == 300);
            CHECK(points.columns[0].name == "row");
            CHECK(!has_column(points, "name"));
            CHECK(!has_column(points, "duplicate-of"));
            CHECK(!has_column(points, "outside"));
            const std::vector<double> row = column_numbers(points, "row"), x = column_numbers(points, "x"),
                                      y = column_numbers(points, "y");
            for (size_t i = 0; i < 300; ++i) {
                CHECK(row[i] == double(i));
                CHECK(Point{x[i], y[i]} == input->points[i]);
            }
            CHECK(column_sum(column_numbers(points, "hull")) == double(shown.lab->result().hull_edges));
            for (const char* name : {"degree", "nearest", "psi6", "cell-area", "cell-perimeter", "cell-cut"}) {
                INFO(name);
                const std::vector<double> values = column_numbers(points, name);
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
    const auto input = table_input("uniform:40@seed=2");
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
    set_columns(*input, columns);
    for (const char* id : {"build", "flip"}) {
        INFO(id);
        const MeasuredLab shown(device, id, input);
        const Table points = shown.table(ElementTable::kPoints);
        REQUIRE(points.row_count == 41);
        CHECK(points.columns[place_of_column(points, "x")].unit == "nm");
        CHECK(points.columns[place_of_column(points, "mass")].unit == "kg");
        CHECK(points.columns[place_of_column(points, "cell-area")].unit == "nm²");
        CHECK(points.columns[place_of_column(points, "degree")].unit.empty());
        CHECK(points.columns[place_of_column(points, "psi6-angle")].unit == "°");
        CHECK(column_numbers(points, "row")[5] == 10);
        CHECK(text_of(points.row(5).cells[place_of_column(points, "name")]) == "p5");
        CHECK(text_of(points.row(5).cells[place_of_column(points, "species")]) == "lime");
        CHECK(points.row(3).cells[place_of_column(points, "mass")].empty());
        CHECK(column_numbers(points, "input.degree")[0] == -1);
        CHECK(column_numbers(points, "degree")[0] >= 2);
        CHECK(column_numbers(points, "duplicate-of")[40] == 14);
        CHECK(points.row(40).cells[place_of_column(points, "degree")].empty());
        CHECK(points.row(7).cells[place_of_column(points, "duplicate-of")].empty());
        CHECK(column_sum(column_numbers(points, "degree")) == 2 * double(shown.lab->result().edges));
    }
}

TEST_CASE("tables of edges and triangles name their ends by rows, once each, and add up") {
    const DeviceUnderTest device = devices_under_test().front();
    const auto input = table_input("uniform:120@seed=4");
    for (const char* domain : {"plane", "torus"}) {
        INFO(domain);
        const MeasuredLab shown(device, "build", input, {{"domain", domain}});
        const Table edges = shown.table(ElementTable::kEdges), triangles = shown.table(ElementTable::kTriangles);
        const Result result = shown.lab->result();
        CHECK(edges.row_count == result.edges);
        CHECK(triangles.row_count == result.triangles);
        const std::vector<double> from = column_numbers(edges, "from"), to = column_numbers(edges, "to"),
                                  length = column_numbers(edges, "edge-length");
        std::vector<double> degree(120);
        for (size_t i = 0; i < edges.row_count; ++i) {
            ++degree[size_t(from[i])];
            ++degree[size_t(to[i])];
            const Point a = input->points[size_t(from[i])], b = input->points[size_t(to[i])];
            if (domain == std::string("plane")) CHECK(length[i] == doctest::Approx(std::hypot(a.x - b.x, a.y - b.y)));
        }
        CHECK(degree == column_numbers(shown.table(ElementTable::kPoints), "degree"));
        if (domain == std::string("torus")) {
            CHECK(column_sum(column_numbers(triangles, "triangle-area")) ==
                  doctest::Approx(shown.statistics.window().area()).epsilon(1e-9));
            CHECK(!has_column(edges, "hull"));
            continue;
        }
        CHECK(column_sum(column_numbers(edges, "hull")) == double(result.hull_edges));
        const std::vector<double> area = column_numbers(triangles, "triangle-area");
        for (size_t i = 0; i < triangles.row_count; ++i) {
            std::vector<Point> corners;
            for (const char* name : {"a", "b", "c"})
                corners.push_back(
                    input->points[size_t(triangles.row(i).cells[place_of_column(triangles, name)].number())]);
            CHECK(area[i] == doctest::Approx(polygon_area(corners)));
            CHECK(triangles.row(i).cells[place_of_column(triangles, "x")].number() ==
                  doctest::Approx((corners[0].x + corners[1].x + corners[2].x) / 3));
            const auto number = [&](const char* name) {
                return triangles.row(i).cells[place_of_column(triangles, name)].number();
            };
            for (const Point& corner : corners)
                CHECK(std::hypot(corner.x - number("circumcentre-x"), corner.y - number("circumcentre-y")) ==
                      doctest::Approx(number("circumradius")).epsilon(1e-6));
        }
        // As the mesh writes them.
        const TriangleSoup soup = shown.lab->soup();
        for (size_t i = 0; i < triangles.row_count; ++i)
            CHECK(column_numbers(triangles, "a")[i] == double(soup.triangles[i][0]));
    }
}

TEST_CASE("polygons of cells have the area that is measured, and fill the window, the torus or the cylinder") {
    const DeviceUnderTest device = devices_under_test().front();
    const auto input = table_input("uniform:80@seed=6");
    for (const std::vector<Parameter>& parameters :
         std::vector<std::vector<Parameter>>{{{"domain", "plane"}},
                                             {{"domain", "torus"}},
                                             {{"domain", "torus"}, {"box", "2x1.25"}},
                                             {{"domain", "torus"}, {"box", "1x0"}},
                                             {{"domain", "torus"}, {"box", "0x1.5"}}}) {
        const std::string domain = parameters.front().value;
        INFO(parameters.back().value);
        const MeasuredLab shown(device, "build", input, parameters);
        const ElementTables tables(shown.statistics, shown.scene);
        const std::vector<std::vector<Point>> polygons = outlines_of(tables);
        const Table cells = tables.table(ElementTable::kCells);
        REQUIRE(polygons.size() == cells.row_count);
        const std::vector<double> area = column_numbers(cells, "cell-area");
        double sum = 0;
        size_t whole = 0;
        for (size_t i = 0; i < polygons.size(); ++i) {
            sum += polygon_area(polygons[i]);
            if (std::isnan(area[i])) continue;
            ++whole;
            CHECK(polygon_area(polygons[i]) == doctest::Approx(area[i]).epsilon(1e-9));
        }
        CHECK(sum == doctest::Approx(shown.statistics.window().area()).epsilon(1e-9));
        const bool is_torus = shown.statistics.window().is_torus();
        CHECK((domain == "torus") == shown.statistics.window().is_periodic());
        CHECK((whole == 80) == is_torus);
        CHECK(has_column(cells, "cell-cut") == !is_torus);
    }
    // A triangulation that is not Delaunay has none.
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

TEST_CASE("a study area of polygons: points in it are counted, and cells with their parts and holes fill it") {
    const auto input = table_input("uniform:3000@seed=2");
    const StudyArea area = area_of_rings({{{0.1, 0.1}, {0.9, 0.2}, {0.5, 0.5}, {0.8, 0.9}, {0.2, 0.8}},
                                          {{0.2, 0.2}, {0.4, 0.25}, {0.3, 0.4}},
                                          {{0.3, 0.6}, {0.301, 0.6}, {0.3, 0.601}}});
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        const MeasuredLab whole(device, "build", input), part(device, "build", input, {}, area);
        const auto inside =
            std::count_if(input->points.begin(), input->points.end(), [&](Point p) { return area.contains(p); });
        const Report& report = part.statistics.report();
        CHECK(report.find("points")->value.number() == double(inside));
        CHECK(report.find("study area")->value.number() == doctest::Approx(area.area()));
        CHECK(report.find("density")->value.number() == doctest::Approx(double(inside) / area.area()));
        const Table cells = part.table(ElementTable::kCells), all = whole.table(ElementTable::kCells);
        const std::vector<double> outside = column_numbers(cells, "outside"), cut = column_numbers(cells, "cell-cut"),
                                  measured = column_numbers(cells, "cell-area"),
                                  every = column_numbers(all, "cell-area");
        const std::vector<PolygonParts> polygons = ElementTables(part.statistics, part.scene).polygons();
        double sum = 0;
        size_t holes = 0, apart = 0;
        for (size_t i = 0; i < polygons.size(); ++i) {
            CHECK((outside[i] == 0) == area.contains(input->points[i]));
            apart += polygons[i].size() > 1;
            double own = 0;
            for (const auto& rings : polygons[i]) {
                for (const std::vector<Point>& ring : rings) own += polygon_area(ring);
                holes += rings.size() - 1;
            }
            sum += own;
            if (outside[i] != 0) continue;
            CHECK(std::isnan(measured[i]) == (cut[i] == 1));
            if (cut[i] == 0) CHECK(measured[i] == every[i]);
            if (cut[i] == 0) CHECK(own == doctest::Approx(measured[i]));
        }
        CHECK(sum == doctest::Approx(area.area()).epsilon(1e-12));
        CHECK(holes == 1);
        CHECK(apart > 0);
        // What the device has for the cells that the border cuts.
        const std::vector<double> areas = part.statistics.elements().values(ElementQuantity::kCellArea).download();
        double counted = 0;
        for (const double value : areas)
            if (!std::isnan(value)) counted += value;
        double expected = 0;
        for (size_t i = 0; i < polygons.size(); ++i)
            for (const auto& rings : polygons[i])
                for (const std::vector<Point>& ring : rings)
                    if (outside[i] == 0) expected += polygon_area(ring);
        CHECK(counted == doctest::Approx(expected));
    }
}

TEST_CASE("a window smaller than the data: everything that is measured is of what lies in it") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        const auto input = table_input("uniform:4000@seed=1");
        const Window window{{0.25, 0.25}, {0.75, 0.75}, false};
        const MeasuredLab whole(device, "build", input),
            part(device, "build", input, {}, StudyArea{window.low, window.high});
        const auto inside = size_t(
            std::count_if(input->points.begin(), input->points.end(), [&](Point p) { return window.depth(p) >= 0; }));
        const Report& report = part.statistics.report();
        CHECK(report.find("points")->value.number() == double(inside));
        CHECK(report.find("density")->value.number() == doctest::Approx(4.0 * double(inside)));
        const Table points = part.table(ElementTable::kPoints), all = whole.table(ElementTable::kPoints);
        REQUIRE(points.row_count == 4000);
        CHECK(double(inside) == 4000 - column_sum(column_numbers(points, "outside")));
        const std::vector<double> degree = column_numbers(points, "degree"),
                                  around = column_numbers(points, "neighbour-degree"),
                                  every = column_numbers(all, "degree"),
                                  every_around = column_numbers(all, "neighbour-degree");
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
        const std::vector<double> x = column_numbers(edges, "x"), y = column_numbers(edges, "y"),
                                  length = column_numbers(edges, "edge-length");
        for (size_t i = 0; i < x.size(); ++i) CHECK(std::isnan(length[i]) == (window.depth({x[i], y[i]}) < 0));
        // Cells and points are those of the window, so a cell has the area per point, but for the cut ones.
        const double area = report.find("mean Voronoi cell area")->value.number();
        CHECK(area * 4 * double(inside) == doctest::Approx(1).epsilon(0.03));
        // A larger one takes all.
        const MeasuredLab wide(device, "build", input, {}, StudyArea{{-1, -1}, {2, 2}});
        CHECK(wide.statistics.report().find("points")->value.number() == 4000);
        CHECK(wide.statistics.report().find("density")->value.number() == doctest::Approx(4000.0 / 9));
    }
}

TEST_CASE("cells of a lattice are measured in the units of the input, by its rows") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const double scale : {1.0, 250.0}) {
            INFO(device.name, ", ", scale);
            auto input = table_input("uniform:60@seed=4");
            for (Point& p : input->points) p = {scale * p.x + 3 * scale, scale * p.y - scale};
            input->unit = "mm";
            const MeasuredLab plane(device, "build", input);
            const MeasuredLab lattice(device, "voronoi", input, {{"width", "96"}, {"height", "96"}});
            const Table a = plane.table(ElementTable::kPoints), b = lattice.table(ElementTable::kPoints);
            REQUIRE(b.row_count == 60);
            CHECK(b.columns[place_of_column(b, "cell-area")].unit == "mm²");
            size_t compared = 0;
            for (const char* name : {"x", "y", "nearest", "cell-area", "cell-perimeter"}) {
                INFO(name);
                const std::vector<double> here = column_numbers(a, name), there = column_numbers(b, name);
                for (size_t i = 0; i < 60; ++i) {
                    if (std::isnan(here[i]) || std::isnan(there[i])) continue;
                    ++compared;
                    CHECK(there[i] == doctest::Approx(here[i]).epsilon(1e-6));
                }
            }
            CHECK(compared > 200);
            for (size_t i = 0; i < 60; ++i) CHECK(column_numbers(b, "x")[i] == input->points[i].x);
            const Report& report = lattice.statistics.report();
            CHECK(report.find("mean edge length")->value.unit == "mm");
            CHECK(report.find("density")->value.unit == "1/mm²");
            CHECK(report.find("window width")->value.number() > scale);
            CHECK(report.find("window width")->value.number() < 1.6 * scale);
            // A window in these units, too.
            const MeasuredLab part(device, "voronoi", input, {{"width", "96"}, {"height", "96"}},
                                   StudyArea{{3 * scale, -scale}, {3.5 * scale, 0}});
            const auto inside =
                std::count_if(input->points.begin(), input->points.end(), [&](Point p) { return p.x <= 3.5 * scale; });
            CHECK(part.statistics.report().find("points")->value.number() == double(inside));
        }
}

TEST_CASE("edges and triangles of a lattice that closes on itself name its cells, over the border, too") {
    auto input = table_input("uniform:40@seed=6");
    input->points.push_back(input->points[3]);  // lies under another
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* borders : {"periodic", "periodic_x", "periodic_y", "open"}) {
            INFO(device.name, ", borders ", borders);
            const MeasuredLab shown(device, "voronoi", input,
                                    {{"width", "96"}, {"height", "96"}, {"borders", borders}});
            const std::vector<double> degree = column_numbers(shown.table(ElementTable::kPoints), "degree");
            const Table edges = shown.table(ElementTable::kEdges), triangles = shown.table(ElementTable::kTriangles);
            std::vector<double> found(degree.size());
            for (const char* end : {"from", "to"})
                for (const double row : column_numbers(edges, end)) {
                    REQUIRE(row >= 0);
                    REQUIRE(row < double(degree.size()));
                    ++found[static_cast<size_t>(row)];
                }
            for (size_t row = 0; row < degree.size(); ++row)
                if (!std::isnan(degree[row])) CHECK(found[row] == degree[row]);
            for (const char* corner : {"a", "b", "c"})
                for (const double row : column_numbers(triangles, corner)) CHECK(row >= 0);
            if (std::string(borders) == "periodic") CHECK(triangles.row_count == 2 * 40);
        }
}

TEST_CASE("cells of points over time have the ids and the columns of the file, and labels their numbers") {
    const DeviceUnderTest device = devices_under_test().front();
    auto tracks = std::make_shared<Tracks>();
    tracks->name = "t.csv";
    tracks->unit = "nm";
    const std::vector<Point> places = table_input("uniform:12@seed=8")->points;
    Attribute mass{"mass", {}};
    for (const double time : {0., 1.}) {
        tracks->times.push_back(time);
        tracks->starts.push_back(tracks->places.size());
        for (size_t i = time == 0 ? 0 : 1; i < places.size(); ++i) {  // the first one is lost
            tracks->ids.push_back(100 - int64_t(places.size()) + int64_t(3 * i));
            tracks->places.push_back(places[i]);
            mass.values.push_back(time == 0 ? -1 : 7.0 * double(i));
        }
    }
    tracks->starts.push_back(tracks->places.size());
    tracks->attributes.push_back(mass);
    auto input = std::make_shared<Geometry>();
    input->tracks = tracks;
    input->unit = "nm";
    const MeasuredLab moving(device, "events", input, {{"width", "96"}, {"height", "96"}});
    const Table points = moving.table(ElementTable::kPoints);
    REQUIRE(points.row_count == 11);
    const std::vector<double> names = column_numbers(points, "name"), masses = column_numbers(points, "mass"),
                              x = column_numbers(points, "x");
    for (size_t i = 0; i < 11; ++i) {
        CHECK(names[i] == double(tracks->ids[12 + i]));
        CHECK(masses[i] == 7.0 * double(i + 1));
        CHECK(x[i] == doctest::Approx(places[i + 1].x));
    }
    CHECK(points.columns[place_of_column(points, "x")].unit == "nm");
}

TEST_CASE("a world that is not the input's has no unit of the input, and points that lie as given have its columns") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = table_input("uniform:50@seed=2");
    for (Point& p : input->points) p = {20 * p.x, 20 * p.y};
    input->unit = "nm";
    input->names.assign(50, "site");
    set_columns(*input, {{"mass", std::vector<double>(50, 2)}});
    const auto unit_in = [&](const std::string& lab, const std::vector<Parameter>& parameters) {
        const MeasuredLab shown(device, lab, input, parameters);
        const Table points = shown.table(ElementTable::kPoints);
        return points.columns[place_of_column(points, "x")].unit;
    };
    CHECK(unit_in("particles", {{"steps", "1"}}) == "");  // scaled into its box
    CHECK(unit_in("particles", {{"steps", "1"}, {"box", "20"}}) == "nm");
    CHECK(unit_in("events", {{"width", "128"}, {"height", "128"}, {"comparisons", "1"}}) == "");  // not used
    CHECK(unit_in("voronoi", {{"width", "96"}, {"height", "96"}}) == "nm");
    for (const char* lab : {"judge", "recording"}) {
        CAPTURE(lab);
        const MeasuredLab shown(device, lab, input);
        const Table points = shown.table(ElementTable::kPoints);
        REQUIRE(points.row_count == 50);
        CHECK(has_column(points, "name"));
        CHECK(column_sum(column_numbers(points, "mass")) == 100);
        for (size_t i = 0; i < 50; ++i) CHECK(column_numbers(points, "x")[i] == input->points[i].x);
    }
}

TEST_CASE("triangles that are only drawn, judged or recorded, are measured as a triangulation is, or refused") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        CAPTURE(device.name);
        auto input = table_input("uniform:40@seed=5");
        const MeasuredLab built(device, "build", input);
        const TriangleSoup soup = built.lab->soup();
        REQUIRE(*soup.points == input->points);
        auto given = std::make_shared<Geometry>(*input);
        given->triangles = soup.triangles;
        set_columns(*given, {{"mass", std::vector<double>(40, 2)}});
        const Table expected = built.table(ElementTable::kPoints);
        for (const char* lab : {"judge", "recording"}) {
            CAPTURE(lab);
            MeasuredLab shown(device, lab, given);
            const Table points = shown.table(ElementTable::kPoints);
            REQUIRE(points.row_count == 40);
            CHECK(column_sum(column_numbers(points, "mass")) == 80);
            for (const char* name : {"x", "y", "degree", "nearest", "cell-area", "hull"}) {
                const std::vector<double> here = column_numbers(points, name), there = column_numbers(expected, name);
                for (size_t i = 0; i < 40; ++i)
                    CHECK(((std::isnan(here[i]) && std::isnan(there[i])) || here[i] == doctest::Approx(there[i])));
            }
            CHECK(shown.table(ElementTable::kEdges).row_count == built.table(ElementTable::kEdges).row_count);
            Exploration colours;
            ExplorationChoice choice;
            for (const Q quantity : {Q::kDegree, Q::kEdgeLength, Q::kTriangleArea}) {
                choice.colour = quantity;
                choice.marks_disclinations = true;
                colours.choose(choice);
                colours.update(shown.context, shown.scene);
                CHECK(offers(shown.scene, Explored(quantity)) == (quantity == Q::kTriangleArea));
            }
        }
        given->triangles.push_back(given->triangles.front());
        CHECK_THROWS_AS(MeasuredLab(device, "judge", given), Error);
    }
}

TEST_CASE("tables undo what reading did: y goes down again where the file's does") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = table_input("uniform:30@seed=9");
    input->y_down = true;
    const MeasuredLab shown(device, "build", input);
    const ElementTables tables(shown.statistics, shown.scene);
    const Table points = tables.table(ElementTable::kPoints);
    for (size_t i = 0; i < 30; ++i) CHECK(column_numbers(points, "y")[i] == -input->points[i].y);
    for (const std::vector<Point>& polygon : outlines_of(tables)) CHECK(polygon_area(polygon) > 0);
    CHECK(column_numbers(tables.table(ElementTable::kEdges), "y")[0] < 0);
}

TEST_CASE("particles of an input keep its rows, where duplicates are left out and where others are removed") {
    const DeviceUnderTest device = devices_under_test().front();
    Context context(device.request, device.threads);
    auto input = std::make_shared<Geometry>();
    input->points = {{1, 1}, {4, 5}, {1, 1}, {-1, 12}, {9, 3}, {5, 8}};
    const std::unique_ptr<Lab> lab = make_lab("particles");
    set_parameter(*lab, "box", "10");
    set_parameter(*lab, "config", "c1");
    lab->reset(context, input);
    const auto check = [&](const std::set<size_t>& gone) {
        const Scene scene = lab->scene();
        SceneStatistics statistics;
        statistics.measure(context, scene, {{}, false, {}, nullptr, input});
        const Table points = ElementTables(statistics, scene).table(ElementTable::kPoints);
        const std::vector<double> x = column_numbers(points, "x"), y = column_numbers(points, "y"),
                                  degree = column_numbers(points, "degree");
        REQUIRE(x.size() == 6);
        for (size_t i = 0; i < 6; ++i) {
            CHECK(Point{x[i], y[i]} == input->points[i]);
            CHECK(std::isnan(degree[i]) == (gone.count(i) > 0));
        }
    };
    check({2});
    facet<Editable>(*lab).edit(remove_of(1));
    check({1, 2});
}

TEST_CASE("polygons of cells lie around the places that their rows have, in a periodic box, too") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = table_input("uniform:40@seed=3");
    for (Point& p : input->points) p = {30 * p.x + 95, 12 * p.y - 43};  // in part outside the box
    for (const Point periodic : {Point{30, 12}, Point{30, 0}, Point{0, 12}}) {
        input->box = periodic;
        input->box_low = {100, -40};
        for (const std::string id : {"build", "voronoi", "particles"}) {
            if (id == "particles" && periodic != Point{30, 12}) continue;  // points lie beyond the walls
            INFO(id, " ", periodic.x, " ", periodic.y);
            std::vector<Parameter> parameters;
            if (id == "build") parameters = {{"domain", "torus"}};
            if (id == "particles") parameters = {{"steps", "1"}, {"config", "c1"}, {"force", "none"}};
            const MeasuredLab shown(device, id, input, parameters);
            const ElementTables tables(shown.statistics, shown.scene);
            const Table cells = tables.table(ElementTable::kCells);
            const std::vector<double> x = column_numbers(cells, "x"), y = column_numbers(cells, "y");
            const std::vector<std::vector<Point>> polygons = outlines_of(tables);
            size_t around = 0;
            for (size_t i = 0; i < polygons.size(); ++i) {
                for (size_t k = 0; k < polygons[i].size(); ++k) {
                    const Point a = polygons[i][k], b = polygons[i][(k + 1) % polygons[i].size()];
                    CHECK((b.x - a.x) * (y[i] - a.y) - (b.y - a.y) * (x[i] - a.x) > -1e-9);
                }
                around += !polygons[i].empty();
                if (id != "particles") CHECK(x[i] == input->points[i].x);
            }
            CHECK(around == 40);
            // Edges over the border have a row at both ends.
            const Table edges = tables.table(ElementTable::kEdges);
            for (const char* end : {"from", "to"})
                for (const double row : column_numbers(edges, end)) CHECK((row >= 0 && row < 40));
        }
    }
}

TEST_CASE("ids in tables of edges and triangles are those that the inspector takes, on cylinders, too") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = table_input("uniform:30@seed=8");
    for (Point& p : input->points) p = {30 * p.x, 10 * p.y + 1};
    input->box = {30, 0};
    input->box_lengths = {30, 12};
    for (const std::string id : {"build", "particles"}) {
        INFO(id);
        std::vector<Parameter> parameters{{"domain", "torus"}};
        if (id == "particles") parameters = {{"steps", "1"}, {"config", "c1"}, {"force", "none"}};
        const MeasuredLab shown(device, id, input, parameters);
        const auto& inspectable = facet<Inspectable>(*shown.lab);
        const auto check = [&](ElementTable which, ElementKind kind, const char* column, const char* links,
                               const std::vector<const char*>& corners) {
            const Table table = shown.table(which);
            std::set<uint32_t> listed;
            for (size_t i = 0; i < table.row_count; ++i) {
                const auto element = static_cast<uint32_t>(column_numbers(table, column)[i]);
                listed.insert(element);
                REQUIRE(element < shown.scene.count_of(kind));
                const Report report = inspectable.inspect({kind, element});
                const Property* found = std::get<Properties>(report.sections.at(0).content).find(links);
                REQUIRE(found);
                REQUIRE(found->links.size() == corners.size());
                for (size_t k = 0; k < corners.size(); ++k)
                    CHECK(found->links[k].name == std::to_string(int(column_numbers(table, corners[k])[i])));
            }
            CHECK(listed.size() < shown.scene.count_of(kind));  // but for those beyond the borders
        };
        check(ElementTable::kEdges, ElementKind::kEdge, "edge", "Ends", {"from", "to"});
        check(ElementTable::kTriangles, ElementKind::kTriangle, "triangle", "Corners", {"a", "b", "c"});
    }
}
