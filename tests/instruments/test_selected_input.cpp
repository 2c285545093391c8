// sanitizers: none
// A selection as an input: its points, with their names, numbers and order.
#include "instruments/selected_input.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "delaunay/hands.h"
#include "geometry/bounds.h"
#include "geometry/generators.h"
#include "instruments/exploring_lab.h"

using namespace flipscope;

namespace {

double number_of(Point p, double z = 0) { return 3 * p.x - p.y + 7 * z; }

/// Two columns: one that a point's place tells, so that none can have another's, and its index.
std::shared_ptr<Geometry> with_columns(const std::string& generator) {
    auto input = std::make_shared<Geometry>(generate(parse_generator(generator)));
    std::vector<Attribute> columns{{"mass", {}}, {"index", {}}};
    for (size_t i = 0; i < input->points.size(); ++i) {
        columns[0].values.push_back(number_of(input->points[i], input->in_space() ? input->heights[i] : 0));
        columns[1].values.push_back(double(i));
        input->names.push_back("p" + std::to_string(i));
    }
    set_columns(*input, columns);
    return input;
}

ExplorationChoice in_range(const char* column, double low, double high) {
    return {.colour = Explored(column), .range = ExplorationChoice::Range{Explored(column), low, high}};
}

/// Every row is a point of the input, with its name and its numbers, and rows are in the input's order.
void check_rows(const Geometry& selected, const Geometry& input) {
    REQUIRE(selected.attributes);
    REQUIRE(selected.attributes->size() == 2);
    REQUIRE(selected.names.size() == selected.points.size());
    const std::vector<double>&mass = selected.attributes->at(0).values, &index = selected.attributes->at(1).values;
    REQUIRE((mass.size() == selected.points.size() && index.size() == selected.points.size()));
    CHECK(std::is_sorted(index.begin(), index.end()));
    bool all = true;
    for (size_t row = 0; row < selected.points.size(); ++row) {
        const auto i = static_cast<size_t>(index[row]);
        all = all && selected.points[row].x == input.points[i].x && selected.points[row].y == input.points[i].y &&
              mass[row] == input.attributes->at(0).values[i] && selected.names[row] == input.names[i] &&
              selected.in_space() == input.in_space() &&
              (!input.in_space() || selected.heights[row] == input.heights[i]);
    }
    CHECK(all);
}

}  // namespace

TEST_CASE("selected input: points keep their order, names and numbers, in every lab, and colour the next run") {
    const auto input = with_columns("uniform:300@seed=8");
    std::vector<double> expected;
    for (size_t i = 0; i < 300; ++i)
        if (const double mass = number_of(input->points[i]); mass >= 0.5 && mass <= 1.5) expected.push_back(double(i));
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* id : {"build", "flip", "strips", "serial"}) {
            INFO(id, ", ", device.name);
            if (lab_info(id).on_cpu_only && device.request == DeviceRequest::kCuda) continue;
            ExploringLab lab(device, id, input);
            const Geometry selected = lab.take(in_range("mass", 0.5, 1.5));
            check_rows(selected, *input);
            CHECK(selected.attributes->at(1).values == expected);
            CHECK(selected.triangles.empty());

            // By the columns of what was kept, the same are selected again.
            ExploringLab next(device, id, std::make_shared<const Geometry>(selected));
            const Geometry again = next.take(in_range("index", 0, 150));
            check_rows(again, *input);
            CHECK(std::equal(again.attributes->at(1).values.begin(), again.attributes->at(1).values.end(),
                             expected.begin()));
            Scene drawn = next.lab->scene();
            next.exploration.apply(drawn);
            CHECK(drawn.layer(Exploration::kCellsLayer)->scale.name == "index");

            const Geometry quarter = lab.take({.region = {{0, 0}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}}});
            check_rows(quarter, *input);
            CHECK(quarter.points.size() ==
                  size_t(std::count_if(input->points.begin(), input->points.end(),
                                       [](const Point& p) { return p.x < 0.5 && p.y < 0.5; })));
            const Scene scene = lab.lab->scene();
            const bool to_infinity =
                std::max(scene.mesh->edges.read(0), scene.mesh->edges.read(1)) >= scene.mesh->infinite();
            if (!to_infinity) {
                const Geometry ends = lab.take({.ids = {0}, .id_kind = ElementKind::kEdge});
                check_rows(ends, *input);
                CHECK(ends.points.size() == 2);
            }
            lab.take({});
            CHECK(selected_input(lab.exploration, scene, input.get()).points.empty());
        }
}

TEST_CASE("selected input: equal points are the first of them, and one that was moved has no name and no numbers") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        auto input = with_columns("uniform:40@seed=2");
        input->points.push_back(input->points[7]);
        input->names.push_back("copy");
        auto columns = *input->attributes;
        columns[0].values.push_back(-100);
        columns[1].values.push_back(40);
        set_columns(*input, columns);
        ExploringLab lab(device, "build", input);
        const Geometry selected = lab.take({.region = {{-1, -1}, {2, -1}, {2, 2}, {-1, 2}}});
        check_rows(selected, *input);
        CHECK(selected.points.size() == 40);
        CHECK(std::find(selected.names.begin(), selected.names.end(), "copy") == selected.names.end());

        Geometry elsewhere = *input;
        elsewhere.points[7].x += 1e-9;
        const Geometry moved = selected_input(lab.exploration, lab.lab->scene(), &elsewhere);
        REQUIRE(moved.points.size() == 40);
        CHECK((moved.points[7].x == input->points[7].x && moved.names[7].empty()));
        CHECK(std::isnan(moved.attributes->at(0).values[7]));
        CHECK((moved.names[8] == "p8" && moved.attributes->at(1).values[8] == 8));
        const Geometry of_none = selected_input(lab.exploration, lab.lab->scene(), nullptr);
        CHECK((of_none.points.size() == 40 && of_none.names.empty() && !of_none.attributes));
    }
}

TEST_CASE("selected input: on a torus points lie where they were given, or where they were wrapped to") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        auto input = with_columns("uniform:200@seed=4");
        for (Point& p : input->points) p = {p.x + 1000.1, p.y - 20.3};  // no multiples of the box's grid
        input->points[11].x += 1;                                       // outside, a side to the right
        auto columns = *input->attributes;
        for (size_t i = 0; i < 200; ++i) columns[0].values[i] = number_of(input->points[i]);
        set_columns(*input, columns);
        ExploringLab lab(device, "build", input, {{"domain", "torus"}, {"box", "1.125"}});
        ExplorationChoice choice = in_range("index", 5, 60);
        const Geometry selected = lab.take(choice);
        REQUIRE(selected.points.size() == 56);
        const Scene scene = lab.lab->scene();
        const Layer* const points = scene.view(0).layer("points");
        REQUIRE((points && points->periodic));
        const PeriodicBox box = *points->periodic;
        for (size_t row = 0; row < 56; ++row) {
            const size_t i = row + 5;
            CAPTURE(i);
            CHECK(selected.names[row] == input->names[i]);
            CHECK(selected.attributes->at(0).values[row] == columns[0].values[i]);
            const Point at = selected.points[row], given = input->points[i];
            const auto inside = [](double x, double low, double side) { return x >= low && x <= low + side; };
            CHECK((inside(at.x, box.low.x, box.size.x) && inside(at.y, box.low.y, box.size.y)));
            if (inside(given.x, box.low.x, box.size.x) && inside(given.y, box.low.y, box.size.y))
                CHECK((at.x == given.x && at.y == given.y));
            else
                CHECK(std::fabs(std::remainder(at.x - given.x, box.size.x)) < 1e-9);
        }
        Scene drawn = scene;
        lab.exploration.apply(drawn);
        CHECK(drawn.layer(Exploration::kCellsLayer)->scale.name == "index");
    }
}

TEST_CASE("selected input: of a surface there are the triangles between what is selected, and no lone points") {
    const auto input = with_columns("sphere:400");
    REQUIRE(input->in_space());
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        ExploringLab lab(device, "flip", input);
        Geometry selected = lab.take(in_range("mass", 0, 1e9));
        check_rows(selected, *input);
        CHECK(selected.points.size() ==
              size_t(std::count_if(input->attributes->at(0).values.begin(), input->attributes->at(0).values.end(),
                                   [](double mass) { return mass >= 0; })));
        REQUIRE(!selected.triangles.empty());
        CHECK(selected.triangles.size() < input->triangles.size());
        // They are triangles of this state.
        std::set<std::set<double>> of_state, kept;
        const Scene scene = lab.lab->scene();
        const std::vector<uint32_t> corners = scene.mesh->triangles.download(), inputs = scene.mesh->inputs.download();
        for (size_t t = 0; t < scene.mesh->triangle_count; ++t) {
            std::set<double> triangle;
            for (size_t k = 0; k < 3; ++k) triangle.insert(inputs[corners[3 * t + k]]);
            if (std::all_of(triangle.begin(), triangle.end(),
                            [&](double i) { return input->attributes->at(0).values[size_t(i)] >= 0; }))
                of_state.insert(triangle);
        }
        for (const auto& triangle : selected.triangles) {
            std::set<double> ids;
            for (const uint32_t v : triangle) ids.insert(selected.attributes->at(1).values[v]);
            kept.insert(ids);
        }
        CHECK(kept == of_state);

        // It can be started from, and coloured by the same numbers.
        leave_out_unused_points(selected);
        check_rows(selected, *input);
        ExploringLab next(device, "flip", std::make_shared<const Geometry>(selected));
        check_rows(next.take(in_range("index", 0, 1e9)), *input);

        const Geometry triangle = lab.take({.ids = {5}, .id_kind = ElementKind::kTriangle});
        check_rows(triangle, *input);
        CHECK((triangle.points.size() == 3 && triangle.triangles.size() == 1));

        Geometry lone = lab.take(in_range("index", 3, 3));
        CHECK((lone.points.size() == 1 && lone.heights.size() == 1 && lone.triangles.empty()));
        CHECK(leave_out_unused_points(lone) == 1);
        CHECK(lone.points.empty());
    }
}

TEST_CASE("selected input: sites of a lattice have the columns of their points, wherever they have moved") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* borders : {"open", "periodic"})
            for (const char* iterations : {"0", "3"}) {
                INFO(device.name, ", ", borders, ", ", iterations);
                const auto input = with_columns("uniform:60@seed=4");
                ExploringLab lab(device, "voronoi", input,
                                 {{"width", "200"}, {"height", "120"}, {"borders", borders}, {"lloyd", iterations}});
                std::vector<double> expected;
                for (size_t i = 0; i < 60; ++i)
                    if (const double mass = number_of(input->points[i]); mass >= 0.5 && mass <= 1.5)
                        expected.push_back(double(i));
                const Geometry selected = lab.take(in_range("mass", 0.5, 1.5));
                REQUIRE(selected.attributes);
                CHECK(selected.attributes->at(1).values == expected);
                const Scene scene = lab.lab->scene();
                const auto& cells = std::get<LatticeLayer>(SiteMesh::cells_of(scene)->shape);
                const auto& sites = std::get<PointsLayer>(scene.layer("points")->shape);
                for (size_t row = 0; row < expected.size(); ++row) {
                    const auto i = static_cast<uint32_t>(expected[row]);
                    CHECK(selected.names[row] == input->names[i]);
                    CHECK(selected.attributes->at(0).values[row] == number_of(input->points[i]));
                    const Point now = cells.units.as_given(sites.places->read(i));
                    CHECK(std::hypot(selected.points[row].x - now.x, selected.points[row].y - now.y) < 1e-9);
                }
                if (iterations == std::string("0")) {
                    check_rows(selected, *input);
                    // Far from the origin, too, to the last bit.
                    auto far = std::make_shared<Geometry>(*input);
                    for (Point& p : far->points) p = {p.x + 1e8, p.y - 3e7};
                    ExploringLab there(device, "voronoi", far,
                                       {{"width", "200"}, {"height", "120"}, {"borders", borders}});
                    const Geometry kept = there.take(in_range("index", 0, 59));
                    CHECK(kept.points.size() == 60);
                    check_rows(kept, *far);
                }
                Scene drawn = scene;
                lab.exploration.apply(drawn);
                const auto& coloured = std::get<LatticeLayer>(SiteMesh::cells_of(drawn)->shape);
                REQUIRE(coloured.numbers);
                for (uint32_t i = 0; i < 60; ++i)
                    CHECK(coloured.numbers->read(i) == static_cast<float>(number_of(input->points[i])));
                // Added points have no numbers, and removed points leave those of others unchanged.
                auto& by_hand = dynamic_cast<Editable&>(*lab.lab);
                by_hand.edit(add_of({100, 60}));
                lab.lab->finish({});
                by_hand.edit(remove_of(5));
                lab.lab->finish({});
                const Geometry edited = lab.take({.region = {{-1, -1}, {201, -1}, {201, 121}, {-1, 121}}});
                REQUIRE(edited.points.size() == 60);
                const std::vector<double>& rows = edited.attributes->at(1).values;
                CHECK((rows[4] == 4 && rows[5] == 6 && std::isnan(rows[59])));
                CHECK(edited.names[59].empty());
            }
}

TEST_CASE("selected: in a box away from the origin, what is coloured and selected lies where the points are") {
    const auto input = generated("uniform:80@x=10,y=40,scale=3,seed=4");
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* box : {"3", "3x0", "0x3"}) {
            INFO(device.name, ", box ", box);
            ExploringLab selecting(device, "build", input, {{"domain", "torus"}, {"box", box}});
            ExplorationChoice choice{Explored(ElementQuantity::kDegree)};
            choice.region = {{9.9, 39.9}, {13.1, 39.9}, {13.1, 41.5}, {9.9, 41.5}};
            const Geometry below = selecting.take(choice);
            const Scene& scene = selecting.scene;
            const auto layer = [&](const char* id) {
                return std::find_if(scene.layers.begin(), scene.layers.end(),
                                    [&](const Layer& one) { return one.id == id; });
            };
            const auto is_point = [&](Point p) {
                return std::any_of(input->points.begin(), input->points.end(), [&](Point q) {
                    const auto near = [](double d) { return std::fabs(d - 3 * std::round(d / 3)) < 1e-9; };
                    return near(p.x - q.x) && near(p.y - q.y);
                });
            };
            const std::string text = box;
            const auto expected =
                std::count_if(input->points.begin(), input->points.end(), [](Point p) { return p.y < 41.5; });
            if (text != "3") CHECK(below.points.size() == size_t(expected));
            REQUIRE(layer(Exploration::kSelectionLayer) != scene.layers.end());
            const auto& selected = std::get<PointsLayer>(layer(Exploration::kSelectionLayer)->shape);
            const std::vector<Point> places = selected.places->download();
            for (uint32_t i = 0; i < selected.count; ++i) {
                CHECK(is_point(places[i]));
                CHECK(places[i].y > 38);
            }
            REQUIRE(layer(Exploration::kCellsLayer) != scene.layers.end());
            const auto& cells = std::get<TrianglesLayer>(layer(Exploration::kCellsLayer)->shape);
            const auto [low, high] = bounds_of(cells.places->download(cells.place_count));
            CHECK((low.x > 8 && high.x < 15 && low.y > 38 && high.y < 45));
            const auto by = [&](bool x) {
                return std::minmax_element(input->points.begin(), input->points.end(),
                                           [&](Point a, Point b) { return x ? a.x < b.x : a.y < b.y; });
            };
            if (text == "3x0") CHECK(high.y == doctest::Approx(by(false).second->y));
            if (text == "0x3") CHECK(low.x == doctest::Approx(by(true).first->x));
            // Edges over the open axis are none that can be selected.
            selecting.take({.range = ExplorationChoice::Range{Explored(ElementQuantity::kEdgeLength), 0, 1e9}});
            CHECK(selecting.exploration.selected() == selecting.lab->result().edges);
            const auto& drawn = std::get<SegmentsLayer>(layer(Exploration::kSelectionLayer)->shape);
            for (const Point p : drawn.places->download()) CHECK(is_point(p));
            selecting.take({.ids = {0, 1, 2, 3, 4, 5}, .id_kind = ElementKind::kEdge});
            CHECK(selecting.exploration.selected() <= 6);
        }
}
