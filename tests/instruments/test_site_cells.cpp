// sanitizers: none
// Cells of lattices, and the discs and cells of particles: coloured, selected and measured by their sites. Expected
// cells are intersections of half-planes, without a triangulation.
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "delaunay/inputs.h"
#include "instruments/exploration.h"
#include "instruments/scene_statistics.h"
#include "instruments/selected_input.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "statistics/cut_cell.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Q = ElementQuantity;

struct SiteStage {
    std::unique_ptr<Context> context;
    std::unique_ptr<Lab> lab;
    Scene scene() const { return lab->scene(); }
    /// As it is drawn.
    Scene explored(Exploration& exploration, ExplorationChoice choice) const {
        Scene drawn = scene();
        exploration.choose(std::move(choice));
        exploration.update(*context, drawn);
        exploration.apply(drawn);
        return drawn;
    }
};

struct SiteCase {
    const char* lab;
    const char* input;  // or empty
    std::vector<Parameter> parameters;
};

SiteStage stage_of(const DeviceUnderTest& device, const SiteCase& one) {
    SiteStage stage{std::make_unique<Context>(device.request, device.threads), make_lab(one.lab)};
    for (const Parameter& value : one.parameters) set_parameter(*stage.lab, value.name, value.value);
    stage.lab->reset(*stage.context, *one.input ? generated(one.input) : std::make_shared<const Geometry>());
    for (int pass = 0; pass < 400 && !stage.lab->done(); ++pass) {
        const StepResult result = stage.lab->step();
        if (result.ended >= Level::kRound && result.round >= 2) break;
    }
    return stage;
}

/// Open, closed on itself, and closed and not a square, and along one axis; with labels and with Voronoi cells.
std::vector<SiteCase> site_cases() {
    return {{"voronoi", "uniform:60@seed=4", {{"width", "96"}, {"height", "96"}}},
            {"voronoi", "uniform:60@seed=4", {{"width", "96"}, {"height", "96"}, {"borders", "periodic"}}},
            {"voronoi", "uniform:40@seed=9", {{"width", "128"}, {"height", "48"}, {"borders", "periodic"}}},
            {"voronoi", "uniform:5@seed=2", {{"width", "64"}, {"height", "32"}, {"borders", "periodic"}}},
            {"voronoi", "uniform:60@seed=4", {{"width", "96"}, {"height", "96"}, {"borders", "periodic_x"}}},
            {"voronoi", "uniform:40@seed=9", {{"width", "128"}, {"height", "48"}, {"borders", "periodic_y"}}},
            {"voronoi", "uniform:5@seed=2", {{"width", "64"}, {"height", "32"}, {"borders", "periodic_x"}}},
            {"events", "", {{"width", "192"}, {"height", "96"}}}};
}

/// The expected cell, and the sites of its sides.
struct ExpectedCell : CutCell {
    double nearest = 1e300;
};

/// Cut out of the lattice, or along periodic axes of what is within a period, by all others and their images.
ExpectedCell expected_cell(const std::vector<Point>& sites, uint32_t site, const LatticeLayer& cells) {
    const double w = cells.width, h = cells.height;
    const Point p = sites[site];
    const auto [around_x, around_y] = cells.wraps;
    const int turns_x = around_x ? 2 : 0, turns_y = around_y ? 2 : 0;
    std::vector<Point> others;
    std::vector<uint32_t> owners;
    double nearest = 1e300;
    for (uint32_t other = 0; other < sites.size(); ++other)
        for (int i = -turns_x; i <= turns_x; ++i)
            for (int j = -turns_y; j <= turns_y; ++j) {
                const Point d{sites[other].x + i * w - p.x, sites[other].y + j * h - p.y};
                if (d.x == 0 && d.y == 0) continue;
                nearest = std::min(nearest, std::hypot(d.x, d.y));
                others.push_back(d);
                owners.push_back(other);
            }
    const Point low{around_x ? -w : -0.5 - p.x, around_y ? -h : -0.5 - p.y},
        high{around_x ? w : w - 0.5 - p.x, around_y ? h : h - 0.5 - p.y};
    ExpectedCell expected{cell_among(others, low, high), nearest};
    for (uint32_t& one : expected.across) one = owners[one];
    return expected;
}

/// World units in a unit of the lattice.
double size_of(const LatticeLayer& cells) { return std::fabs(cells.units.unit.x); }

const LatticeLayer& cells_in(const SceneView& view) { return std::get<LatticeLayer>(SiteMesh::cells_of(view)->shape); }

std::vector<Point> sites_in(const SceneView& view) {
    return std::get<PointsLayer>(view.layer("points")->shape).places->download(cells_in(view).site_count);
}

std::vector<float> numbers_by(const SiteStage& stage, Q quantity) {
    Exploration exploration;
    const Scene drawn = stage.explored(exploration, {.colour = quantity});
    CHECK(exploration.has_mesh());
    CHECK(drawn.layers.size() == stage.scene().layers.size());
    const Layer& layer = *SiteMesh::cells_of(drawn);
    CHECK(layer.has_scale());
    CHECK(layer.scale.name == info_of(quantity).label);
    REQUIRE(cells_in(drawn).numbers);
    return cells_in(drawn).numbers->download();
}

}  // namespace

TEST_CASE("cells of a lattice: each is coloured by the number of its site's exact Voronoi cell, on a torus, too") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const SiteCase& one : site_cases()) {
            INFO(one.lab, " ", one.input, ", ", device.name);
            const SiteStage stage = stage_of(device, one);
            REQUIRE(SiteMesh::cells_of(stage.scene()));
            const std::vector<Point> sites = sites_in(stage.scene());
            REQUIRE(sites.size() >= 5);
            const std::vector<float> area = numbers_by(stage, Q::kCellArea), degree = numbers_by(stage, Q::kDegree),
                                     perimeter = numbers_by(stage, Q::kCellPerimeter),
                                     nearest = numbers_by(stage, Q::kNearest),
                                     around = numbers_by(stage, Q::kNeighbourDegree);
            REQUIRE(area.size() == sites.size());
            const LatticeLayer cells = cells_in(stage.scene());
            std::vector<ExpectedCell> expected;
            for (uint32_t i = 0; i < sites.size(); ++i) expected.push_back(expected_cell(sites, i, cells));
            double all = 0;
            const double unit = size_of(cells);
            for (uint32_t i = 0; i < sites.size(); ++i) {
                INFO("site ", i);
                CHECK(area[i] == doctest::Approx(expected[i].area * unit * unit).epsilon(1e-5));
                CHECK(perimeter[i] == doctest::Approx(expected[i].perimeter * unit).epsilon(1e-5));
                CHECK(nearest[i] == doctest::Approx(expected[i].nearest * unit).epsilon(1e-5));
                all += area[i];
                if (!cells.wraps.both()) continue;  // at the border neighbours may meet outside of the lattice
                CHECK(degree[i] == double(expected[i].across.size()));
                double sum = 0;
                for (const uint32_t other : expected[i].across) sum += double(expected[other].across.size());
                CHECK(around[i] == doctest::Approx(sum / double(expected[i].across.size())).epsilon(1e-5));
            }
            CHECK(all == doctest::Approx(double(cells.width) * cells.height * unit * unit).epsilon(1e-5));
        }
}

TEST_CASE("cells of a lattice: a range selects sites, and without the rest only theirs are filled") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const SiteCase& one : site_cases()) {
            INFO(one.lab, " ", one.input, ", ", device.name);
            const SiteStage stage = stage_of(device, one);
            const std::vector<float> degree = numbers_by(stage, Q::kDegree);
            std::vector<uint32_t> expected;
            for (uint32_t i = 0; i < degree.size(); ++i)
                if (degree[i] >= 6) expected.push_back(i);
            Exploration exploration;
            const Scene drawn =
                stage.explored(exploration, {.range = ExplorationChoice::Range{Q::kDegree, 6, 30}, .hides_rest = true});
            CHECK(exploration.selected() == expected.size());
            CHECK(exploration.selected_vertices() == expected);
            const LatticeLayer before = cells_in(stage.scene()), after = cells_in(drawn);
            REQUIRE(after.names);
            CHECK(!after.numbers);
            const std::vector<uint32_t> names = after.names->download();
            REQUIRE(names.size() == degree.size());
            for (uint32_t i = 0; i < names.size(); ++i) {
                const uint32_t name = before.names && i < before.names->size() ? before.names->read(i) : i;
                CHECK(names[i] == (degree[i] >= 6 ? name : kNone));
            }
            CHECK(!drawn.layer("links")->shown);
            CHECK(!drawn.layer("points")->shown);
            const Layer* const selection = drawn.layer(Exploration::kSelectionLayer);
            REQUIRE(selection);
            const auto& dots = std::get<PointsLayer>(selection->shape);
            REQUIRE(dots.count == expected.size());
            // They are at the sites, in any order.
            const std::vector<Point> sites = sites_in(stage.scene());
            std::multiset<std::pair<double, double>> places, there;
            for (uint32_t k = 0; k < dots.count; ++k) {
                const Point at = dots.places->read(k), site = sites[expected[k]];
                there.insert({at.x, at.y});
                places.insert({site.x, site.y});
            }
            CHECK(there == places);
            CHECK(selected_input(exploration, stage.scene(), nullptr).points.size() == expected.size());

            // By ids, which are those of the sites.
            stage.explored(exploration, {.ids = {1, 3}});
            CHECK(exploration.selected_vertices() == std::vector<uint32_t>{1, 3});
        }
}

TEST_CASE("cells of a lattice: what belongs to no cell is not offered, and is not done") {
    const DeviceUnderTest device = devices_under_test().front();
    for (const SiteCase& one : site_cases()) {
        INFO(one.lab);
        const SiteStage stage = stage_of(device, one);
        const Scene scene = stage.scene();
        CHECK(explored_view(scene) == 0);
        CHECK(offers(scene, Q::kBondOrder6));
        for (const Q quantity : {Q::kEdgeLength, Q::kMinimumAngle, Q::kTriangleArea}) CHECK(!offers(scene, quantity));
        // The sites of the Events lab are those of its source.
        CHECK(offers(scene, Explored("mass")) == (one.lab == std::string("voronoi")));
        CHECK(can_be_input(scene) == (one.lab == std::string("voronoi")));
        const std::string words = offered_words(scene, nullptr, "lab");
        CHECK(contains(words, "psi6 and psi6-angle"));
        CHECK_FALSE(contains(words, "edge-length"));
        Exploration exploration;
        const Scene drawn = stage.explored(
            exploration, {.colour = Q::kEdgeLength, .range = ExplorationChoice::Range{Q::kTriangleArea, 0, 1e9}});
        CHECK(drawn.layers.size() == scene.layers.size());
        CHECK(!SiteMesh::cells_of(drawn)->has_scale());
        CHECK(exploration.selected_vertices().empty());
    }
    // Before there are cells there is nothing to explore.
    SiteStage stage{std::make_unique<Context>(device.request, device.threads), make_lab("voronoi")};
    stage.lab->reset(*stage.context, generated("uniform:9"));
    CHECK(explored_view(stage.scene()) == kNone);
    CHECK(contains(offered_words(stage.scene(), nullptr, "Voronoi lab"), "no mesh and no cells"));
}

TEST_CASE("cells of a lattice: statistics are those of the sites, each element once, and a pixel is its cell's site") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const SiteCase& one : site_cases()) {
            INFO(one.lab, " ", one.input, ", ", device.name);
            const SiteStage stage = stage_of(device, one);
            const Scene scene = stage.scene();
            const LatticeLayer cells = cells_in(scene);
            const size_t n = cells.site_count;
            SceneStatistics statistics;
            statistics.measure(*stage.context, scene, {});
            REQUIRE(!statistics.empty());
            CHECK(statistics.report().find("points")->value.number() == double(n));
            const double whole = double(cells.width) * cells.height * size_of(cells) * size_of(cells);
            CHECK(statistics.window().area() == doctest::Approx(whole).epsilon(1e-12));
            const std::vector<Distribution> distributions = statistics.report().all<Distribution>();
            const auto total = [&](const char* name) {
                double sum = 0;
                for (const Distribution& each : distributions)
                    if (each.name == name)
                        for (const double count : each.now) sum += count;
                return sum;
            };
            const std::vector<double> values = statistics.by_row(Q::kNearest), areas = statistics.by_row(Q::kCellArea);
            REQUIRE(values.size() == n);
            const std::vector<float> numbers = numbers_by(stage, Q::kNearest),
                                     of_cells = numbers_by(stage, Q::kCellArea);
            for (size_t i = 0; i < n; ++i) {
                CHECK(float(values[i]) == numbers[i]);
                CHECK((float(areas[i]) == of_cells[i] || (!cells.wraps.both() && std::isnan(areas[i]))));  // cut
            }
            if (cells.wraps.both()) {
                CHECK(statistics.report().find("mean degree")->value.number() == doctest::Approx(6));
                CHECK(total("degrees") == double(n));
                CHECK(total("minimum angles") == double(2 * n));
                const double each = statistics.report().find("mean Voronoi cell area")->value.number();
                CHECK(each * double(n) == doctest::Approx(whole).epsilon(1e-9));
            }
            for (uint32_t pixel = 0; pixel < cells.width * cells.height; pixel += 37) {
                const uint32_t site = cells.colours->read(pixel);
                if (site >= n) continue;
                const Properties there = statistics.of_element({ElementKind::kPixel, pixel, 0}, scene),
                                 here = statistics.of_element({ElementKind::kVertex, site, 0}, scene);
                REQUIRE(there.find("nearest distance"));
                CHECK(there.find("nearest distance")->value.number() == values[site]);
                CHECK(here.find("degree")->value.number() == there.find("degree")->value.number());
            }
            CHECK(statistics.of_element({ElementKind::kEdge, 0, 0}, scene).list.empty());
        }
}

TEST_CASE("exploration: particles and their cells are coloured and selected, as discs, and the cells fill the box") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* count : {"150", "20"}) {  // of few, edges are drawn in pieces
            INFO(count, " particles, ", device.name);
            const SiteStage stage = stage_of(device, {"particles", "", {{"count", count}}});
            const Scene scene = stage.scene();
            REQUIRE(scene.mesh);
            const uint32_t n = scene.mesh->vertex_count;
            REQUIRE(n == uint32_t(std::stoul(count)));
            for (uint32_t k = 0; k < kElementQuantityCount; ++k) CHECK(offers(scene, Q(k)));
            Exploration exploration;
            const Scene drawn = stage.explored(
                exploration,
                {.colour = Q::kCellArea, .range = ExplorationChoice::Range{Q::kDegree, 7, 30}, .hides_rest = true});
            const Layer* const discs = drawn.layer("particles");
            REQUIRE(discs->scalars);
            CHECK(discs->scale.name == "Voronoi cell area");
            CHECK(!discs->shown);
            REQUIRE(discs->scalars->size() == n);
            double area = 0;
            for (const float one : discs->scalars->download()) area += one;
            const double side = drawn.layer("particles")->periodic->size.x;
            CHECK(area == doctest::Approx(side * side).epsilon(1e-5));
            const Layer* const cells = drawn.layer(Exploration::kCellsLayer);
            REQUIRE(cells);
            CHECK(cells->periodic);
            CHECK(cells->scale == discs->scale);
            const Layer* const selection = drawn.layer(Exploration::kSelectionLayer);
            REQUIRE(selection);
            const auto& chosen = std::get<DiscsLayer>(selection->shape);
            CHECK(chosen.count == exploration.selected());
            std::vector<uint32_t> degrees(n);
            for (uint32_t e = 0; e < scene.mesh->edge_count; ++e)
                for (uint32_t k = 0; k < 2; ++k) ++degrees[scene.mesh->edges.read(2 * size_t(e) + k)];
            std::vector<uint32_t> expected;
            for (uint32_t v = 0; v < n; ++v)
                if (degrees[v] >= 7) expected.push_back(v);
            CHECK(exploration.selected_vertices() == expected);
            for (uint32_t k = 0; k < chosen.count; ++k) {
                CHECK(chosen.centres->read(k) == scene.mesh->positions.read(expected[k]));
                CHECK(chosen.radii->read(k) == std::get<DiscsLayer>(discs->shape).radius);
            }
            SceneStatistics statistics;
            statistics.measure(*stage.context, scene, {});
            CHECK(statistics.of_element({ElementKind::kVertex, 3, 0}, scene).find("degree")->value.number() ==
                  degrees[3]);
            CHECK(statistics.of_element({ElementKind::kEdge, 3, 0}, scene).find("edge length"));
        }
}
