// The Build lab on a torus: the periodic triangulation of any points, the same stepped, finished and on every device;
// the choice of the box, reports, clicks, saved runs, exports and manual edits.
#include <cmath>
#include <limits>
#include <set>

#include "delaunay/flip_films.h"
#include "delaunay/hands.h"
#include "delaunay/torus/torus_insertion.h"
#include "flipscope/triangulate_torus.h"
#include "labs/periodic.h"

using namespace flipscope;

namespace {

const Settings kOnTorus{"domain=torus"};

Settings with(std::string more) { return {"domain=torus", std::move(more)}; }

/// Of equal places the first.
std::vector<Point> distinct(const std::vector<Point>& points) {
    std::set<std::pair<double, double>> seen;
    std::vector<Point> kept;
    for (const Point p : points)
        if (seen.insert({p.x, p.y}).second) kept.push_back(p);
    return kept;
}

constexpr const char* kFewPoints[] = {"uniform:0", "uniform:1",   "uniform:2", "uniform:3",
                                      "uniform:5", "clusters:40", "line:12",   "grid:16"};

/// Of every kind of element the first ones.
void inspect_some(const Lab& lab) {
    const Scene scene = lab.scene();
    for (const ElementKind kind : {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle})
        for (uint32_t id = 0; id < std::min(scene.count_of(kind), 40u); ++id)
            CHECK_FALSE(facet<Inspectable>(lab).inspect({kind, id}).empty());
}

/// Small sets of points that break triangulators.
std::vector<Input> inputs_on_torus() {
    std::vector<Input> inputs;
    for (const char* text : {"uniform:0", "uniform:1", "uniform:2", "uniform:3", "uniform:5", "uniform:300",
                             "duplicates:200", "line:60", "grid:144", "ring:90", "rings:120", "near-grid:100",
                             "clusters:250", "disk:100@x=1e6,y=-3e5", "jittered-grid:100@scale=1e-9"})
        inputs.push_back(generated(text));
    inputs.push_back(make_input("all equal", std::vector<Point>(9, {1.5, -2})));
    inputs.push_back(make_input("on the border", {{0, 0}, {0, 0.5}, {0.5, 0}, {0.25, 0}, {0, 0.25}, {0.5, 0.5}}));
    inputs.push_back(make_input("a lattice in the unit square", lattice(8, 8, 0.125, {0, 0})));
    inputs.push_back(make_input("near one place", [] {
        std::vector<Point> points;
        for (int i = 0; i < 60; ++i) points.push_back({0.5 + 1e-11 * i, 0.5 + 1e-12 * (i * i % 17)});
        return points;
    }()));
    return inputs;
}

}  // namespace

TEST_CASE("build on a torus: stepped and finished it is one state on every device, and passes the check") {
    for (const Input& input : inputs_on_torus()) {
        INFO(input->name);
        const Film film = compare_films("build", input, kOnTorus);
        on_every_device([&](Context& context) {
            const auto lab = finished(context, input, "build", kOnTorus);
            CHECK(lab->state_hash() == film.hashes.back());
            CHECK(hash_of_states(*lab) == film.marks.back());
            check_passes(*lab);

            const Result result = lab->result();
            const uint64_t vertices = result.points - result.duplicates;
            CHECK(vertices == distinct(input->points).size());
            CHECK(result.triangles == 2 * vertices);
            CHECK(result.edges == 3 * vertices);
            CHECK(result.hull_edges == 0);
            CHECK(facet<Checkable>(*lab).check().euler_characteristic == 0);

            // The triangles are those of the library's function.
            std::vector<Point> points = distinct(input->points);
            if (points.size() < input->points.size()) return;  // these are numbered otherwise
            for (Point& p : points) p = {p.x - number_of(*lab, "box_x"), p.y - number_of(*lab, "box_y")};
            const double side = number_of(*lab, "box");
            CHECK(triangulate_torus(context, points, {side, side}).hash == result.triangulation_hash);
        });
    }
}

TEST_CASE("build on a torus: in a rectangle the triangles are those of the library's function, and none is squeezed") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = generated("uniform:400@scale=11");
    for (const char* const text : {"box=30x12", "box=12X30", "box=11x0x1.8p+4"}) {
        INFO(text);
        const auto lab = finished(context, input, "build", with(text));
        const Point sides{number_of(*lab, "box_width"), number_of(*lab, "box_height")};
        CHECK(lab->result().numbers.find("box") == nullptr);
        CHECK(number_of(*lab, "box_x") == 0);
        CHECK(facet<Checkable>(*lab).check().passed);
        CHECK(lab->result().triangulation_hash == triangulate_torus(context, input->points, sides).hash);
        CHECK(lab->scene().high == sides);
    }
    CHECK(number_of(*finished(context, input, "build", with("box=14x14")), "box") == 14);
}

TEST_CASE("build on a torus: the input's own box counts where none is set") {
    Context context(DeviceRequest::kCpu, 2);
    Geometry crystal;
    crystal.name = "crystal.xyz";
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 10; ++x) crystal.points.push_back({x + y % 2 * 0.5 - 5, y * std::sqrt(0.75) + 2});
    crystal.box_low = {-5, 2};
    crystal.box = {10, 10 * std::sqrt(0.75)};
    const auto input = std::make_shared<Geometry>(crystal);
    auto lab = started(context, input, "build", kOnTorus);
    const std::string said = lab->step().message.text();
    CHECK_MESSAGE(contains(said, "The periodic box is 10 by 8.66"), said);
    CHECK_MESSAGE(contains(said, "begins at -5, 2, as crystal.xyz says."), said);
    lab->finish({});
    CHECK(number_of(*lab, "box_x") == -5);
    CHECK(number_of(*lab, "box_width") == 10);
    CHECK(number_of(*lab, "wrapped") == 0);
    CHECK(facet<Checkable>(*lab).check().passed);
    const std::vector<uint32_t> triangles = values_of<uint32_t>(*lab, "triangles");
    std::vector<int> degrees(100);
    for (const uint32_t corner : triangles) ++degrees[corner];
    CHECK(degrees == std::vector<int>(100, 6));
    CHECK(number_of(*finished(context, input, "build", with("box=20")), "box") == 20);

    auto plane = started(context, input, "build", {});
    CHECK(contains(plane->step().message.text(), "crystal.xyz has a periodic box, which domain=torus uses"));
    CHECK_THROWS_WITH_AS(finished(context, input, "build", with("box=1000x9")), doctest::Contains("too long"), Error);
}

TEST_CASE("build on a torus: the box is the unit square, or closes a lattice, or is as it is told") {
    const auto box = [](const char* text, double side = 0) { return box_for(*generated(text), {side, side}); };
    for (const char* text : {"uniform:1", "uniform:2", "uniform:3", "uniform:1000", "jittered-grid:400", "poisson:50",
                             "duplicates:100", "uniform:0"}) {
        INFO(text);
        CHECK(box(text).box.sides.x == 1);
        CHECK(box(text).corner == Point{0, 0});
    }
    const PlacedBox grid = box("grid:100");
    const Input at = generated("grid:100");
    CHECK(grid.box.sides.x == 10);
    for (const Point p : at->points) {
        CHECK(p.x > grid.corner.x);
        CHECK(p.y > grid.corner.y);
        CHECK(p.x < grid.corner.x + 10);
        CHECK(p.y < grid.corner.y + 10);
    }
    CHECK(box("uniform:100", 4).box.sides.x == 4);
    CHECK(box("uniform:100", 4).corner == Point{0, 0});
    CHECK(box("disk:100", 4).corner.x < -1.5);  // some are below 0, so they lie in its middle
    CHECK(box_for(*make_input("one", {{7, 8}}), {}).box.sides.x == 1);
    CHECK(box_for(*make_input("one", {{7, 8}}), {}).corner == Point{6.5, 7.5});
    // Two points are not put farther apart than four of their distances.
    CHECK(box_for(*make_input("two", {{0, 0}, {2, 0}}), {}).box.sides.x ==
          doctest::Approx(2 * std::sqrt(2) / (std::sqrt(2) - 1)));
    CHECK_THROWS_WITH_AS(box_for(*make_input("wide", {{-1e40, 0}, {1e40, 0}}), {}),
                         doctest::Contains("wide: the side of the periodic box cannot be"), Error);
}

TEST_CASE("build on a torus: places of the input stay as they are, and those outside are wrapped") {
    Context context(DeviceRequest::kCpu, 2);
    const Input far = make_input("far", {{100.1, 7.3}, {102.7, 8.9}, {101.3, 9.7}, {103.3, 7.7}, {100.9, 8.1}});
    const auto lab = finished(context, far, "build", kOnTorus);
    CHECK(values_of<Point>(*lab, "positions") == far->points);
    CHECK(number_of(*lab, "wrapped") == 0);

    std::vector<Point> moved = generated("uniform:80")->points;
    const auto home = finished(context, make_input("home", moved), "build", kOnTorus);
    for (size_t i = 0; i < moved.size(); i += 3) moved[i] = {moved[i].x + double(i % 5), moved[i].y - double(i % 7)};
    const auto away = finished(context, make_input("away", moved), "build", with("box=1"));
    CHECK(number_of(*away, "box") == 1);
    CHECK(number_of(*away, "wrapped") > 0);
    check_passes(*away);
    const double x = number_of(*away, "box_x"), y = number_of(*away, "box_y");
    for (const Point p : values_of<Point>(*away, "positions")) {
        CHECK(p.x >= x);
        CHECK(p.y >= y);
        CHECK(p.x < x + 1);
        CHECK(p.y < y + 1);
    }
    // The same triangles, over other images of the points; the grid rounds places of another corner otherwise.
    CHECK(triangles_of(*home).size() == triangles_of(*away).size());
    std::multiset<std::set<uint32_t>> sets[2];
    for (const Lab* each : {home.get(), away.get()}) {
        const auto ids = values_of<uint32_t>(*each, "triangles");
        for (size_t t = 0; t < ids.size(); t += 3) sets[each == away.get()].insert({ids[t], ids[t + 1], ids[t + 2]});
    }
    CHECK(sets[0] == sets[1]);
}

TEST_CASE("build on a torus: equal points are merged, also over the border, and it says so") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = make_input("twins", {{0.25, 0.5}, {0.75, 0.125}, {1.25, 0.5}, {0.75, 0.125}, {0.5, 0.75}});
    const auto lab = started(context, input, "build", with("box=1"));
    const std::string said = lab->step().message.text();
    CHECK(contains(said, "2 of 5 points are duplicates and were merged."));
    CHECK(contains(said, "The periodic box has side 1 and begins at"));
    while (!lab->done()) lab->step();
    CHECK(lab->result().duplicates == 2);
    CHECK(lab->result().triangles == 6);
    check_passes(*lab);
    for (const uint32_t corner : values_of<uint32_t>(*lab, "triangles"))
        CHECK((corner == 0 || corner == 1 || corner == 4));
}

TEST_CASE("build on a torus: what cannot be is refused in a sentence") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, generated("uniform:20"), "build", kOnTorus);
    const uint64_t hash = lab->state_hash();
    const auto refuses = [&](const Input& input, const char* sentence) {
        CHECK_THROWS_WITH_AS(lab->reset(context, input), doctest::Contains(sentence), Error);
        CHECK(lab->state_hash() == hash);
    };
    const double nan = std::nan("");
    refuses(make_input("p", {{0, 0}, {0.5, nan}}), "p: point 1 at");
    refuses(make_input("p", {{0, 0}, {std::numeric_limits<double>::infinity(), 1}}), "is no place");
    refuses(generated("torus-knot:300"), "surface in space");
    set_parameter(*lab, "box=0.01");
    refuses(make_input("p", {{0, 0}, {1, 1}}), "p: point 0 at 0, 0 is too far from the periodic box");
    check_passes(*lab);
}

TEST_CASE("build on a torus: the plane's runs are as they were, before and after") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = generated("uniform:200");
    const auto plane = finished(context, input);
    const auto lab = started(context, input, "build", kOnTorus);
    for (int i = 0; i < 9; ++i) lab->step();
    CHECK(facet<Exporter>(*lab).arrays().size() == 3);
    set_parameter(*lab, "domain=plane");
    CHECK(facet<Exporter>(*lab).arrays().size() == 3);  // of the run, which has not changed yet
    lab->reset(context, input);
    CHECK(facet<Exporter>(*lab).arrays().empty());
    lab->finish({});
    CHECK(lab->state_hash() == plane->state_hash());
    CHECK(hash_of_states(*lab) == hash_of_states(*plane));
    CHECK(lab->result().numbers.find("box") == nullptr);
    set_parameter(*lab, "domain=torus");
    lab->reset(context, input);
    lab->finish({});
    CHECK(lab->state_hash() == finished(context, input, "build", kOnTorus)->state_hash());
}

TEST_CASE("build on a torus: amid a run the check says what is missing, and places its failures in the world") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = generated("uniform:60@x=50");
    const auto lab = started(context, input, "build", kOnTorus);
    CHECK_FALSE(facet<Checkable>(*lab).check().checked);
    size_t failures = 0;
    while (!lab->done()) {
        lab->step();
        const CheckReport report = facet<Checkable>(*lab).check();
        if (lab->result().waiting > 0) CHECK_FALSE(report.passed);
        const double side = number_of(*lab, "box");
        for (const CheckFailure& failure : report.failures) {
            failures += !failure.places.empty();
            for (const Point3& place : failure.places) {
                CHECK(place.x > 50 - 2 * side);
                CHECK(place.x < 51 + 2 * side);
            }
        }
    }
    CHECK(failures > 0);
    check_passes(*lab);
}

TEST_CASE("build on a torus: the exported triangles, with the images they mean, cover the box once") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text :
         {"uniform:1", "uniform:2", "uniform:3", "uniform:200", "grid:49", "duplicates:60", "clusters:100"}) {
        INFO(text);
        const auto lab = finished(context, generated(text), "build", kOnTorus);
        const double side = number_of(*lab, "box");
        CHECK(area_of_images(*lab, {side, side}) == doctest::Approx(side * side).epsilon(1e-9));

        // The same as a mesh, cut open: the points of the input come first.
        const TriangleSoup soup = lab->soup();
        const auto positions = values_of<Point>(*lab, "positions");
        REQUIRE(soup.points->size() >= positions.size());
        CHECK(std::equal(positions.begin(), positions.end(), soup.points->begin()));
        CHECK(soup.triangles.size() == lab->result().triangles);
        double unfolded = 0;
        for (const auto& corners : soup.triangles) {
            const Point a = (*soup.points)[corners[0]], b = (*soup.points)[corners[1]], c = (*soup.points)[corners[2]];
            const double twice = orient2d_value(a, b, c);
            CHECK(twice > 0);
            unfolded += twice / 2;
            const Point middle{(a.x + b.x + c.x) / 3 - number_of(*lab, "box_x"),
                               (a.y + b.y + c.y) / 3 - number_of(*lab, "box_y")};
            CHECK(middle.x > -1e-9 * side);
            CHECK(middle.y > -1e-9 * side);
            CHECK(middle.x < side * (1 + 1e-9));
            CHECK(middle.y < side * (1 + 1e-9));
        }
        CHECK(unfolded == doctest::Approx(side * side).epsilon(1e-9));
    }
}

TEST_CASE("build on a torus: a click finds what lies there over the border, and is answered") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<Point> points = generated("uniform:100")->points;
    points[0] = {0.999, 0.5};
    for (Point& p : points) p = {p.x + 8, p.y - 2};
    const Input input = make_input("off", points);
    const auto lab = finished(context, input, "build", with("box=1"));
    const auto& inspector = facet<Inspectable>(*lab);
    const double low = number_of(*lab, "box_x"), bottom = number_of(*lab, "box_y");
    const auto picked = [&](double x, double y, double radius) { return inspector.pick({{x, y}, radius, {}, 0}); };
    // Point 0 from either side of a border that it is near to, whichever box was chosen.
    const std::vector<Point> positions = values_of<Point>(*lab, "positions");
    const auto rightmost = static_cast<uint32_t>(
        std::max_element(positions.begin(), positions.end(), [](Point a, Point b) { return a.x < b.x; }) -
        positions.begin());
    const double beyond = 1 - (positions[rightmost].x - low);
    const Element over = picked(low, positions[rightmost].y, beyond + 1e-6);
    REQUIRE(over.kind == ElementKind::kVertex);
    const Report vertex = inspector.inspect(over);
    REQUIRE(vertex.find("Point"));
    CHECK(vertex.find("x")->value.number() == positions[static_cast<size_t>(vertex.find("Point")->value.number())].x);
    CHECK(picked(low - 0.1, bottom + 0.5, 0.01).id == kNone);  // outside

    const Scene scene = lab->scene();
    // Elements across a border are highlighted at both.
    for (uint32_t edge = 0; edge < scene.count_of(ElementKind::kEdge); ++edge) {
        const std::vector<Point3> at = scene.corners_of({ElementKind::kEdge, edge});
        const auto leaves = [&](double low_side, double Point3::*axis) {
            return (at[1].*axis < low_side) + (at[1].*axis >= low_side + 1);
        };
        const int borders = leaves(low, &Point3::x) + leaves(bottom, &Point3::y);
        const std::string name = "edge " + std::to_string(edge);
        const Report told = inspector.inspect({ElementKind::kEdge, edge});
        const auto times = std::count_if(told.highlights.begin(), told.highlights.end(),
                                         [&](const Highlight& one) { return one.name == name; });
        CHECK(times == (borders == 0 ? 1 : borders == 1 ? 2 : 4));
    }
    CHECK(inspector.inspect({ElementKind::kVertex, 100}).empty());
    CHECK(inspector.inspect({ElementKind::kEdge, 300}).empty());
    CHECK(inspector.inspect({ElementKind::kTriangle, 200}).empty());

    // The triangle at a place is found across any border: from one corner of the box on, every place lies in a
    // triangle.
    for (const Point place : {Point{low, bottom}, Point{low + 1, bottom + 1}, Point{low + 1e-3, bottom + 0.7}})
        CHECK(picked(place.x, place.y, 0).id != kNone);
}

TEST_CASE("build on a cylinder: every state of few points can be asked about, and passes the check at its end") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : kFewPoints)
        for (const char* const box : {"box=5x0", "box=0x5"}) {
            INFO(text, box);
            const auto lab = started(context, generated(text), "build", with(box));
            for (;; lab->step()) {
                inspect_some(*lab);
                facet<Checkable>(*lab).check();
                if (lab->done()) break;
            }
            check_passes(*lab);
        }
}

TEST_CASE("build on a torus: every state of few points can be drawn, clicked and asked about") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : kFewPoints) {
        INFO(text);
        const auto lab = started(context, generated(text), "build", kOnTorus);
        const auto& inspector = facet<Inspectable>(*lab);
        for (;;) {
            const Scene scene = lab->scene();
            CHECK(scene.high.x > scene.low.x);
            CHECK(std::any_of(scene.layers.begin(), scene.layers.end(),
                              [](const Layer& each) { return each.periodic.has_value(); }));
            uint32_t edges = 0, triangles = 0;  // that are drawn, whole or in pieces
            for (const Layer& layer : scene.layers) {
                if (const auto* segments = std::get_if<SegmentsLayer>(&layer.shape);
                    segments && segments->ends && segments->count) {
                    const std::vector<uint32_t> ends = segments->ends->download();
                    for (const uint32_t end : ends) edges += end != kNone;
                    for (size_t e = 0; e < segments->count; ++e)  // one to its own image is drawn in pieces
                        CHECK((ends[2 * e] == kNone || ends[2 * e] != ends[2 * e + 1]));
                }
                if (const auto* lines = std::get_if<PolylinesLayer>(&layer.shape)) {
                    edges += 2 * lines->count;
                    REQUIRE(lines->starts->read(lines->count) == lines->point_count);
                    const std::vector<Point> at = lines->points->download();
                    for (uint32_t i = 0; i + 1 < lines->point_count; ++i)
                        if ((i + 1) % 5 != 0)
                            CHECK(std::fabs(at[i + 1].x - at[i].x) < 0.5 * (scene.high.x - scene.low.x));
                }
                if (const auto* faces = std::get_if<TrianglesLayer>(&layer.shape); faces && faces->count) {
                    const std::vector<uint32_t> corners = faces->corners->download();
                    const bool parts =
                        triangles > 0 || faces->places != std::get<TrianglesLayer>(scene.layers[0].shape).places;
                    uint32_t shown = 0;
                    for (uint32_t t = 0; t < faces->count; ++t) shown += corners[3 * t] < faces->place_count;
                    triangles += parts ? shown / 16 : shown;
                }
            }
            const uint32_t ends = scene.mesh ? 2 * scene.mesh->edge_count : 0;
            if (lab->done() && scene.mesh) CHECK(edges >= ends);
            if (lab->done() && scene.mesh) CHECK(triangles == scene.mesh->triangle_count);
            inspect_some(*lab);
            const Point middle{(scene.low.x + scene.high.x) / 2, (scene.low.y + scene.high.y) / 2};
            const Element found = inspector.pick({middle, 0, {}, 0});
            CHECK((found.id != kNone) == (scene.mesh != nullptr));
            if (lab->done()) break;
            lab->step();
        }
    }
}

TEST_CASE("build on a torus: what comes of an edit is the triangulation of the points as they are then") {
    const Input input = generated("uniform:120@scale=3,x=2");
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, input, "build", with("box=3.5"));
        timeline.run_to_end();
        Lab& lab = timeline.lab();
        const double x = number_of(lab, "box_x"), y = number_of(lab, "box_y");
        std::vector<Point> points = input->points;
        const auto like_fresh = [&] {
            CHECK(lab.done());
            check_passes(lab);
            CHECK(number_of(lab, "box_x") == x);
            std::vector<Point> in_box = points;
            for (Point& p : in_box) p = {p.x - x, p.y - y};
            CHECK(lab.result().triangulation_hash == triangulate_torus(context, in_box, {3.5, 3.5}).hash);
        };
        like_fresh();
        timeline.edit(move_of(vertex_of(lab, 17), Point{3.5, 1.5}));
        points[17] = {3.5, 1.5};
        like_fresh();
        timeline.edit(move_of(vertex_of(lab, 18), Point{x - 0.3, y + 9.125}));  // over two borders
        points[18] = {x - 0.3, y + 9.125};
        like_fresh();
        timeline.edit(add_of({2.25, 2}));
        points.push_back({2.25, 2});
        CHECK(timeline.result(timeline.position() - 1).message.text() == "Point 120 is added.");
        like_fresh();
        const uint64_t before = lab.state_hash();
        timeline.edit(remove_of(vertex_of(lab, 120)));
        points.pop_back();
        like_fresh();
        CHECK(timeline.undo());
        CHECK(lab.state_hash() == before);
        // Where a point is, or an image of one, none can go.
        CHECK_FALSE(edits(lab, add_of({2.25 + 3.5, 2 - 7})));
        CHECK_FALSE(edits(lab, move_of(3, Point{2.25, 2})));
        CHECK_FALSE(edits(lab, add_of({1e6, 0})));
        CHECK_FALSE(edits(lab, add_of({std::nan(""), 0})));
        CHECK_FALSE(edits(lab, move_of(1000, Point{2, 2})));
        CHECK_FALSE(edits(lab, flip_of(3)));
    });
}

TEST_CASE("build on a torus: from nothing to a triangulation, and back to nothing") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, std::make_shared<const Geometry>(), "build", kOnTorus);
    timeline.run_to_end();
    Lab& lab = timeline.lab();
    for (uint32_t i = 0; i < 4; ++i) {
        timeline.edit(add_of({0.2 * i, 0.1 * i * i}));
        CHECK(lab.result().points == i + 1);
        CHECK(lab.result().triangles == 2 * (i + 1));
        CHECK(lab.result().edges == 3 * (i + 1));
        check_passes(lab);
    }
    for (uint32_t i = 0; i < 4; ++i) timeline.edit(remove_of(vertex_of(lab, i)));
    CHECK(lab.result().points == 0);
    CHECK(lab.result().triangles == 0);
    CHECK(lab.scene().layer("box"));
}
