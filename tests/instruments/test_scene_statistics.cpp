// sanitizers: none
// Statistics, colouring and selection of the scene, for every lab.
#include "instruments/scene_statistics.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <set>

#include "delaunay/inputs.h"
#include "geometry/generators.h"
#include "instruments/exploring_lab.h"

using namespace flipscope;

namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::string label_of(const Distribution& one) {
    for (uint32_t q = 0; q < kElementQuantityCount; ++q)
        if (one.name == info_of(ElementQuantity(q)).name) return info_of(ElementQuantity(q)).label;
    return one.name;
}

const Distribution& find(const std::vector<Distribution>& all, const std::string& name) {
    for (const Distribution& one : all)
        if (one.name == name) return one;
    throw std::runtime_error("no " + name);
}

}  // namespace

TEST_CASE("statistics of a scene: the same in every lab that triangulates the same points, on every device") {
    std::vector<double> reference;
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* id : {"build", "strips", "flip"}) {
            INFO(id, ", ", device.name);
            ExploringLab shown(device, id, generated("uniform:500@seed=3"));
            SceneStatistics statistics;
            statistics.measure(shown.context, shown.lab->scene(), {});
            REQUIRE(!statistics.empty());
            const Report& report = statistics.report();
            CHECK(report.find("points")->value.number() == 500);
            CHECK(!report.find("illegal edges"));
            const auto distributions = report.all<Distribution>();
            CHECK(distributions.size() == kElementQuantityCount - 1);  // all but the greatest β
            const Result result = shown.lab->result();
            CHECK(sum(find(distributions, "minimum angles").now) == double(result.triangles));
            CHECK(sum(find(distributions, "edge lengths").now) <= double(result.edges));
            CHECK(sum(find(distributions, "edge lengths").now) > 0.95 * double(result.edges));
            const Distribution& degrees = find(distributions, "degrees");
            CHECK(sum(degrees.now) == double(500 - result.hull_edges));
            CHECK(degrees.before_name == "random points, theory");
            CHECK(sum(degrees.before) == doctest::Approx(sum(degrees.now)).epsilon(0.01));
            const auto curves = report.all<Curve>();
            CHECK(curves.size() == 8);  // three with what is expected, and two laws
            SceneStatistics in_polygon;
            SceneStatistics::Options within;
            within.window = area_of_rings({{{0.1, 0.1}, {0.9, 0.2}, {0.6, 0.9}}});
            in_polygon.measure(shown.context, shown.lab->scene(), within);
            CHECK(in_polygon.report().all<Curve>().size() == 8);
            CHECK(in_polygon.structure().points_per_tile == in_polygon.report().find("points")->value.number());
            // With so many sides g(r) takes seconds.
            std::vector<Point> round;
            for (int k = 0; k < 1200; ++k) {
                const double angle = 2 * std::numbers::pi * k / 1200;
                round.push_back({0.5 + 0.4 * std::cos(angle), 0.5 + 0.4 * std::sin(angle)});
            }
            within.window = area_of_rings({round});
            in_polygon.measure(shown.context, shown.lab->scene(), within);
            std::set<std::string> measured;
            for (const Curve& curve : in_polygon.report().all<Curve>()) measured.insert(curve.name);
            CHECK(measured.contains("structure factor"));
            CHECK(measured.contains("number variance"));
            CHECK(!measured.contains("pair correlation"));
            CHECK(in_polygon.report().find("pair correlation")->value == Value("not in this polygon"));
            // Vertices have other ids in other labs, so sums may differ in their last bits.
            std::vector<double> numbers;
            for (const Distribution& one : distributions) numbers.insert(numbers.end(), one.now.begin(), one.now.end());
            if (reference.empty()) reference = numbers;
            CHECK(numbers == reference);
            CHECK(statistics.by_row(ElementQuantity::kCellArea).size() == 500);
            CHECK(statistics.structure_picture().shape == std::vector<size_t>{255, 255});
            const Table summaries = statistics.table();
            for (size_t i = 0; i < summaries.row_count; ++i) {
                const Table::Row row = summaries.row(i);
                CHECK(row.cells[3].empty() != row.cells[4].empty());  // a value, or a count, mean and deviation
                if (row.cells[0] != Value("Voronoi cell area")) continue;
                CHECK(row.cells[2] == Value("world units²"));
                CHECK(row.cells[5].number() == report.find("mean Voronoi cell area")->value.number());
                CHECK(row.cells[6].number() > 0);
                CHECK(row.cells[8].number() > row.cells[5].number());
            }
            const Properties clicked = statistics.of_element({ElementKind::kVertex, 7, 0}, shown.lab->scene());
            CHECK(clicked.find("degree")->value.number() >= 2);
        }
}

TEST_CASE("statistics of a scene: every lab has some, or shows nothing, and none breaks") {
    const DeviceUnderTest device = devices_under_test().front();
    size_t found = 0;
    for (const auto& entry : registry()) {
        INFO(entry.id);
        Context context(device.request, device.threads);  // outlives what lies in its memory
        const auto lab = entry.make();
        const LabInfo info = lab->info();
        if (info.inputs.has(InputKind::kRecordings) || entry.id == "judge" || entry.id == "microscope") continue;
        if (info.on_cpu_only && device.request == DeviceRequest::kCuda) continue;
        for (const auto& [name, value] :
             {std::pair{"steps", "3"}, {"comparisons", "1"}, {"width", "64"}, {"height", "64"}})
            for (const ParameterDescription& parameter : list_parameters(*lab))
                if (parameter.name == name && !(entry.id != "events" && parameter.name != "steps"))
                    set_parameter(*lab, name, value);
        const bool makes_own = info.inputs.has(InputKind::kNothing);
        lab->reset(context, makes_own ? nothing() : generated(info.example));
        for (int pass = 0; pass < 200 && !lab->done(); ++pass) lab->step();
        SceneStatistics statistics;
        statistics.measure(context, lab->scene(), {});
        if (statistics.empty()) continue;
        ++found;
        CHECK(statistics.report().has<Properties>());
        CHECK(statistics.report().has<Distribution>());
    }
    CHECK(found >= 7);
}

TEST_CASE("statistics of a scene: on a cylinder the window names its borders, and an empty one has no density") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        ExploringLab shown(device, "build", generated("grid:9@x=10,y=40"), {{"domain", "torus"}, {"box", "3x0"}});
        SceneStatistics statistics;
        statistics.measure(shown.context, shown.lab->scene(), {});
        REQUIRE(statistics.report().find("window height"));
        CHECK(statistics.report().find("window width")->why == "the periodic box");
        CHECK(statistics.report().find("window height")->why == "what cells are clipped to, from 41 to 43");
        CHECK(statistics.report().find("density")->value.number() == doctest::Approx(9 / 6.0));
        ExploringLab alone(device, "build", generated("uniform:1"), {{"domain", "torus"}, {"box", "3x0"}});
        statistics.measure(alone.context, alone.lab->scene(), {});
        CHECK(!statistics.report().find("density"));
    }
}

TEST_CASE("exploration: disclinations are the vertices inside the outline without six edges") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        for (const char* points : {"uniform:300@seed=3", "hexagonal:400"}) {
            INFO(points);
            ExploringLab shown(device, "build", generated(points));
            const Scene& scene = shown.show({.marks_disclinations = true});
            const uint32_t count = scene.mesh->infinite();
            const std::vector<uint32_t> edges = scene.mesh->edges.download();
            std::vector<int> degrees(count);
            std::vector<bool> outline(count);
            for (size_t e = 0; 2 * e < edges.size(); ++e)
                for (int k = 0; k < 2; ++k) {
                    const uint32_t at = edges[2 * e + k], other = edges[2 * e + 1 - k];
                    if (at < count && other < count) ++degrees[at];
                    if (at < count && other == count) outline[at] = true;
                }
            std::vector<std::pair<Point, int>> expected;
            const std::vector<Point> places = scene.mesh->positions.download();
            for (uint32_t v = 0; v < count; ++v)
                if (!outline[v] && degrees[v] != 6) expected.emplace_back(places[v], degrees[v]);
            CHECK(shown.exploration.disclinations() == expected.size());
            const Layer* const layer = scene.layer(Exploration::kDisclinationsLayer);
            REQUIRE(layer);
            const auto& dots = std::get<PointsLayer>(layer->shape);
            REQUIRE(dots.count == expected.size());
            for (uint32_t i = 0; i < dots.count; ++i) {
                CHECK(dots.places->read(i) == expected[i].first);
                CHECK(layer->scalars->read(i) == expected[i].second);
            }
        }
    }
}

TEST_CASE("exploration: elements are selected by value and by region, coloured, and follow the state") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        ExploringLab shown(device, "build", generated("uniform:400@seed=6"));
        const size_t layers = shown.scene.layers.size();
        const Scene& scene = shown.show({.colour = ElementQuantity::kCellArea,
                                         .range = ExplorationChoice::Range{ElementQuantity::kDegree, 7, 20},
                                         .hides_rest = true});
        const Exploration& exploration = shown.exploration;
        const std::vector<Point> places = scene.mesh->positions.download();
        const std::vector<uint32_t> chosen = exploration.selected_vertices();
        CHECK(exploration.selected() == chosen.size());
        std::vector<uint32_t> degrees(400);
        for (uint32_t e = 0; e < scene.mesh->edge_count; ++e)
            for (int k = 0; k < 2; ++k) {
                const uint32_t a = scene.mesh->edges.read(2 * e), b = scene.mesh->edges.read(2 * e + 1);
                if (a < 400 && b < 400) ++degrees[k ? a : b];
            }
        std::vector<uint32_t> expected;
        for (uint32_t v = 0; v < 400; ++v)
            if (degrees[v] >= 7) expected.push_back(v);
        CHECK(chosen == expected);
        CHECK(scene.layers.size() == layers + 3);  // cells, their outlines, the selection
        const Layer* const cells = scene.layer(Exploration::kCellsLayer);
        const Layer* const selection = scene.layer(Exploration::kSelectionLayer);
        REQUIRE(cells);
        REQUIRE(selection);
        CHECK(cells->has_scale());
        CHECK(!scene.layer("edges")->shown);
        CHECK(std::get<PointsLayer>(selection->shape).count == expected.size());
        // The triangles of the cells cover the window once.
        const auto& triangles = std::get<TrianglesLayer>(cells->shape);
        std::vector<Point> corners = triangles.places->download(triangles.place_count);
        double area = 0;
        for (size_t i = 0; i + 2 < corners.size(); i += 3) {
            const Point a = corners[i], b = corners[i + 1], c = corners[i + 2];
            const double twice = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
            CHECK(twice >= -1e-12);
            area += twice / 2;
        }
        const MeasuredMesh whole = measured_in(shown.context, shown.lab->scene());
        CHECK(area == doctest::Approx(whole.window.area()).epsilon(1e-9));

        // Statistics of the selection stand beside those of the whole.
        SceneStatistics statistics;
        statistics.measure(shown.context, shown.lab->scene(), {{}, false, {}, &exploration});
        const auto distributions = statistics.report().all<Distribution>();
        const Distribution& of_degree = find(distributions, "degrees");
        CHECK(of_degree.now_name == "selected");
        for (size_t k = 0; k < 7; ++k) CHECK(of_degree.now[k] == 0);
        CHECK(sum(of_degree.now) > 0);
        double total = 0;
        for (size_t k = 0; k < of_degree.now.size(); ++k) total += double(k) * of_degree.now[k];
        const Properties numbers = statistics.report().properties();
        REQUIRE(numbers.find("selected: mean degree"));
        CHECK(numbers.find("selected: mean degree")->value.number() ==
              doctest::Approx(total / sum(of_degree.now)).epsilon(1e-9));

        // A region, and edges and triangles within it.
        const std::vector<Point> lasso{{0.2, 0.2}, {0.8, 0.25}, {0.5, 0.5}, {0.7, 0.9}, {0.1, 0.6}};
        shown.show({.region = lasso});
        std::vector<uint32_t> inside;
        for (uint32_t v = 0; v < 400; ++v) {
            double turned = 0;  // the winding of the outline around the vertex
            for (size_t i = 0; i < lasso.size(); ++i) {
                const Point a = lasso[i], b = lasso[(i + 1) % lasso.size()], p = places[v];
                turned += std::atan2((a.x - p.x) * (b.y - p.y) - (a.y - p.y) * (b.x - p.x),
                                     (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y));
            }
            if (std::fabs(turned) > 3) inside.push_back(v);
        }
        CHECK(exploration.selected_vertices() == inside);
        shown.show({.range = ExplorationChoice::Range{ElementQuantity::kMinimumAngle, 0, 60}, .region = lasso});
        const std::set<uint32_t> in_lasso(inside.begin(), inside.end());
        uint64_t triangles_inside = 0;
        for (uint32_t t = 0; t < scene.mesh->triangle_count; ++t) {
            bool all = true;
            for (uint32_t k = 0; k < 3; ++k) all = all && in_lasso.count(scene.mesh->triangles.read(3 * t + k));
            triangles_inside += all;
        }
        CHECK(exploration.selected() == triangles_inside);
    }
}

TEST_CASE("statistics of a scene: compared with another state, by the distance of every distribution") {
    const DeviceUnderTest device = devices_under_test().front();
    ExploringLab random(device, "build", generated("uniform:900@seed=1")),
        other(device, "build", generated("uniform:900@seed=2")), disk(device, "build", generated("disk:900"));
    SceneStatistics first;
    first.measure(random.context, random.lab->scene(), {{}, false, {}, nullptr});
    const auto kept = std::make_shared<const StatisticsSample>(first.sample("kept"));
    CHECK(kept->points == 900);
    CHECK(std::is_sorted(kept->values[0].begin(), kept->values[0].end()));
    const auto distance_of = [&](ExploringLab& shown, const std::string& quantity) {
        SceneStatistics statistics;
        statistics.measure(shown.context, shown.lab->scene(), {{}, false, kept, nullptr});
        for (const Table& table : statistics.report().all<Table>())
            for (size_t i = 0; i < table.row_count; ++i)
                if (text_of(table.row(i).cells[0]) == quantity) return table.row(i).cells[3].number();
        return -1.0;
    };
    CHECK(distance_of(random, "Voronoi cell area") == 0);
    CHECK(distance_of(other, "Voronoi cell area") > 0);
    CHECK(distance_of(other, "Voronoi cell area") < 0.1);
    CHECK(distance_of(disk, "Voronoi cell area") > 0.2);
}

TEST_CASE("histograms: what lies beyond their ends is counted, so that nothing is missing") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = std::make_shared<Geometry>(generate(parse_generator("clusters:600@seed=3")));
    std::vector<double> values(input->points.size(), 1);
    values[3] = 1e6;
    values[4] = values[5] = -2e6;
    for (size_t i = 10; i < values.size(); ++i) values[i] = 0.001 * double(i);
    set_columns(*input, {{"charge", values, "e", {}}});
    const MeasuredLab shown(device, "build", input);
    const SceneStatistics& statistics = shown.statistics;
    for (const Distribution& one : statistics.report().all<Distribution>()) {
        INFO(one.name);
        double counted = one.below + one.above;
        for (const double count : one.now) counted += count;
        const Table table = statistics.table();
        bool found = false;
        for (size_t i = 0; i < table.row_count; ++i) {
            const Table::Row row = table.row(i);
            if (text_of(row.cells[0]) != label_of(one)) continue;
            found = true;
            CHECK(row.cells[4].number() == counted);
        }
        CHECK(found);
        if (one.name != "charge") continue;
        CHECK(one.unit == "e");
        CHECK(one.above == 1);
        CHECK(one.below == 2);
    }
}

TEST_CASE("text columns are counted by category, with means of what is measured, and have no mean of their own") {
    const DeviceUnderTest device = devices_under_test().front();
    auto input = std::make_shared<Geometry>(generate(parse_generator("uniform:200@seed=7")));
    Attribute species{"species", {}, "", {"oak", "lime", "none of these"}};
    for (size_t i = 0; i < 200; ++i) species.values.push_back(i == 5 ? NAN : input->points[i].x < 0.3 ? 0 : 1);
    set_columns(*input, {species});
    input->unit = "m";
    const MeasuredLab shown(device, "build", input);
    const SceneStatistics& statistics = shown.statistics;
    CHECK(!statistics.report().find("mean species"));
    const Properties of_first = statistics.of_element({ElementKind::kVertex, 0}, shown.scene);
    CHECK((of_first.find("species") != nullptr) == (shown.scene.mesh->inputs.read(0) != 5));
    const std::vector<Table> tables = statistics.report().all<Table>();
    REQUIRE(tables.size() == 1);
    REQUIRE(tables[0].row_count == 2);
    CHECK(tables[0].columns[0].name == "species");
    CHECK(text_of(tables[0].row(0).cells[0]) == "lime");
    CHECK(tables[0].row(0).cells[1].number() + tables[0].row(1).cells[1].number() == 199);
    std::vector<double> degree = statistics.by_row(ElementQuantity::kNearest);
    double sum = 0, count = 0;
    for (size_t i = 0; i < 200; ++i)
        if (species.values[i] == 0) sum += degree[i], ++count;
    bool compared = false;
    for (size_t k = 0; k < tables[0].columns.size(); ++k)
        if (tables[0].columns[k].name == "mean nearest distance") {
            compared = true;
            CHECK(tables[0].columns[k].unit == "m");
            CHECK(tables[0].row(1).cells[k].number() == doctest::Approx(sum / count));
        }
    CHECK(compared);
}
