// The pixels of every kind of layer, made by hand and drawn without a window.
#include <cmath>

#include "app/figures/highlights.h"
#include "app/render_stage.h"
#include "app/view/display.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

const Color kNothing = palette(false).canvas;
using Kind = LegendEntry::Element;

/// A view of ten by ten units with nothing in it yet; 20 pixels to a unit.
std::unique_ptr<DrawnStage> sheet() {
    auto stage = stage_or_skip();
    if (stage) stage->scene.high = {10, 10};
    return stage;
}
Camera straight(double scale = 20) { return {{5, 5}, scale}; }

struct Seen {
    DrawnStage& stage;
    Camera camera = straight();
    Color at(double x, double y) const { return stage.at(camera, Point{x, y}); }
    bool empty(double x, double y) const { return distance(at(x, y), kNothing) < 0.01; }
    bool full(double x, double y) const { return distance(at(x, y), kNothing) > 0.25; }
};

}  // namespace

TEST_CASE("layers: a disc has its radius in pixels, the colour of its number, and a spoke where it points") {
    const auto stage = sheet();
    if (!stage) return;
    const auto centres = stage->drawn<Point>({{5, 5}, {1.5, 1.5}, {8, 1.5}});
    const auto radii = stage->drawn<double>({2, 1, 1});
    const auto turns = stage->drawn<double>({0, 1.5707963267948966, 0});
    const auto numbers = stage->drawn<float>({0.5f, -3, 12});
    DiscsLayer discs{&centres, 3, &radii};
    Layer layer{"discs", "Discs", "", true, discs};
    layer.scalars = &numbers;
    stage->scene.layers = {layer};
    stage->draw(straight());
    const auto color = [](double place) { return palette(false).scale({ColourScale::Kind::kSequential}, place); };
    CHECK(distance(stage->at(100, 100), color(0.5)) < 0.01);
    for (const auto& [x, y] : {std::pair(1., 0.), {-1., 0.}, {0., 1.}, {0., -1.}, {0.6, 0.8}, {-0.8, 0.6}}) {
        CAPTURE(x);
        CAPTURE(y);
        CHECK(distance(stage->at(100 + 37 * x, 100 + 37 * y), color(0.5)) < 0.01);
        CHECK(distance(stage->at(100 + 42 * x, 100 + 42 * y), kNothing) < 0.01);
    }
    const Seen seen{*stage};
    CHECK(distance(seen.at(1.5, 1.5), color(0)) < 0.01);  // beyond the ends: the colours of the ends
    CHECK(distance(seen.at(8, 1.5), color(1)) < 0.01);
    discs.orientations = &turns;
    stage->scene.layers[0].shape = discs;
    stage->draw(straight());
    CHECK(distance(seen.at(6, 5), color(0.5)) > 0.2);
    CHECK(distance(seen.at(4, 5), color(0.5)) < 0.01);
    CHECK(distance(seen.at(1.5, 2), color(0)) > 0.1);
    CHECK(distance(seen.at(2, 1.5), color(0)) < 0.01);
    // One radius for all, and one role; zoomed in until only the inside is seen.
    stage->scene.layers = {{"discs", "Discs", "", true, DiscsLayer{&centres, 3, nullptr, 1.5}}};
    stage->scene.layers[0].role = Role::kActive;
    stage->draw(straight());
    CHECK(distance(seen.at(8, 2.8), palette(false).role(Role::kActive)) < 0.01);
    CHECK(seen.empty(8, 3.1));
    Camera deep = straight(1e7);
    deep.center = {5.4, 5.1};
    stage->draw(deep);
    for (const int x : {1, 100, 198}) CHECK(distance(stage->at(x, x), palette(false).role(Role::kActive)) < 0.01);
}

TEST_CASE("layers: of discs that are too many for one list each is drawn, later ones over earlier ones") {
    const auto stage = sheet();
    if (!stage) return;
    constexpr size_t kAtOnce = 131072;  // as in gather_shapes.glsl
    for (const size_t count : {kAtOnce - 1, kAtOnce, kAtOnce + 1, 2 * kAtOnce + 100}) {
        CAPTURE(count);
        std::vector<Point> places(count, Point{-50, -50});  // beyond the picture
        std::vector<float> values(count, 0);
        places[0] = {2, 8};
        places[63] = places[64] = {5, 8};  // either side of a group's border
        places[count / 2] = {8, 2};
        places[count - 2] = places[count - 1] = {5, 2};
        values[64] = values[count - 1] = 1;
        const auto centres = stage->drawn<Point>(places);
        const auto numbers = stage->drawn<float>(values);
        Layer layer{"discs", "Discs", "", true, DiscsLayer{&centres, static_cast<uint32_t>(count), nullptr, 0.5}};
        layer.scalars = &numbers;
        stage->scene.layers = {layer};
        stage->draw(straight());
        const Seen seen{*stage};
        const auto color = [](double place) { return palette(false).scale({ColourScale::Kind::kSequential}, place); };
        CHECK(distance(seen.at(2, 8), color(0)) < 0.01);
        CHECK(distance(seen.at(5, 8), color(1)) < 0.01);
        CHECK(distance(seen.at(8, 2), color(0)) < 0.01);
        CHECK(distance(seen.at(5, 2), color(1)) < 0.01);
        CHECK(seen.empty(5, 5));
    }
}

TEST_CASE("layers: arrows have their heads at their second ends, and segments the colours of their numbers") {
    const auto stage = sheet();
    if (!stage) return;
    const auto places = stage->drawn<Point>({{2, 5}, {8, 5}, {2, 8}, {8, 8}});
    const auto numbers = stage->drawn<float>({1, 100});
    SegmentsLayer segments{&places, nullptr, 4, nullptr, 2};
    segments.arrows = true;
    Layer layer{"flow", "Flow", "", true, segments};
    layer.role = Role::kActive;
    stage->scene.layers = {layer};
    stage->draw(straight());
    const Seen seen{*stage};
    CHECK(seen.full(5, 5));
    CHECK(stage->at(152, 97).g > kNothing.g + 0.25);        // within the head, beside the shaft
    CHECK(distance(stage->at(100, 95), kNothing) < 0.01);   // beside the shaft
    CHECK(distance(stage->at(46, 95), kNothing) < 0.01);    // no head at the first end
    CHECK(distance(stage->at(152, 91), kNothing) < 0.01);   // beside the head
    CHECK(distance(stage->at(163, 100), kNothing) < 0.01);  // beyond the tip
    layer.scalars = &numbers;
    layer.scale = {ColourScale::Kind::kDiverging, "speed", "m/s", 1, 10000, true};
    stage->scene.layers = {layer};
    stage->draw(straight());
    CHECK(distance(seen.at(5, 5), palette(false).scale({ColourScale::Kind::kDiverging}, 0)) < 0.02);
    CHECK(distance(seen.at(5, 8), palette(false).scale({ColourScale::Kind::kDiverging}, 0.5)) < 0.02);
    CHECK(layer.scale.place(100) == doctest::Approx(0.5));
    CHECK(layer.scale.place(-1) == 0);
    // In the middle of an arrow whose ends lie far outside: a straight line, and no head.
    stage->draw(straight(1e9));
    CHECK(distance(stage->at(100, 100), kNothing) > 0.25);
    CHECK(distance(stage->at(100, 80), kNothing) < 0.01);
}

TEST_CASE("layers: a trail fades towards its past, and lines that follow each other in the buffer are not joined") {
    const auto stage = sheet();
    if (!stage) return;
    std::vector<Point> points;
    for (int i = 1; i <= 9; ++i) points.push_back({double(i), 5});
    points.insert(points.end(), {{9, 2}, {1, 2}, {1, 1}});
    const auto places = stage->drawn(points);
    const auto starts = stage->drawn<uint32_t>({0, 9, 9, 12});  // the one in the middle has no point
    PolylinesLayer trails{&places, 12, &starts, 3};
    trails.fades = true;
    stage->scene.layers = {{"trails", "Trails", "", true, trails}};
    stage->draw(straight());
    const Seen seen{*stage};
    const auto strength = [&](double x) { return distance(seen.at(x, 5), kNothing); };
    CHECK(strength(1.4) < 0.5 * strength(5.1));
    CHECK(strength(5.1) < 0.75 * strength(8.6));
    CHECK(strength(8.6) > 0.25);
    CHECK(seen.empty(9, 3.5));
    CHECK(seen.full(1, 1.3));
    trails.fades = false;
    stage->scene.layers[0].shape = trails;
    stage->draw(straight());
    CHECK(strength(1.4) == doctest::Approx(strength(8.6)).epsilon(0.01));
    CHECK(distance(seen.at(5.5, 2), seen.at(5.5, 5)) < 0.01);
}

TEST_CASE("layers: a line of many points in every pixel looks like one of few, however many there are") {
    const auto stage = sheet();
    if (!stage) return;
    const auto few = stage->drawn<Point>({{1, 5}, {5, 5}, {5, 9}});
    const auto few_starts = stage->drawn<uint32_t>({0, 3});
    for (const uint32_t steps : {7u, 100u, 1600u}) {
        CAPTURE(steps);
        std::vector<Point> points;
        for (uint32_t k = 0; k <= steps; ++k) points.push_back({1 + 4.0 * k / steps, 5});
        for (uint32_t k = 1; k <= steps; ++k) points.push_back({5, 5 + 4.0 * k / steps});
        points.insert(points.end(), 1000, {8, 2});  // and one that stays where it is
        const auto places = stage->drawn(points);
        const auto starts = stage->drawn<uint32_t>({0, 2 * steps + 1, 2 * steps + 1001});
        for (const bool fades : {false, true})
            for (const double scale : {20., 3., 170.}) {
                CAPTURE(fades);
                CAPTURE(scale);
                const auto draw = [&](PolylinesLayer lines) {
                    lines.fades = fades;
                    stage->scene.layers = {{"trails", "Trails", "", true, lines}};
                    stage->draw(straight(scale));
                    return stage->pixels;
                };
                const auto two = draw(PolylinesLayer{&few, 3, &few_starts, 1});
                const auto many = draw(PolylinesLayer{&places, 2 * steps + 1, &starts, 1});
                // Half a pixel may be cut off the corner. Where pieces meet, what fades lies twice.
                CHECK(furthest(two, many) <= (fades ? 96 : 64));
            }
        stage->scene.layers = {{"trails", "Trails", "", true, PolylinesLayer{&places, 2 * steps + 1001, &starts, 2}}};
        stage->draw(straight());
        CHECK(Seen{*stage}.full(8, 2));
    }
}

TEST_CASE("layers: what crosses the border of a periodic box comes back on the other side, and nothing lies beyond") {
    const auto stage = sheet();
    if (!stage) return;
    const auto places = stage->drawn<Point>({{9, 4}, {1, 4}, {0, 6}});
    const auto corners = stage->drawn<uint32_t>({0, 1, 2});
    const auto number = stage->drawn<float>({1});
    Layer faces{"triangles", "Triangles", "", true, TrianglesLayer{&places, nullptr, 3, &corners, 1}};
    faces.scalars = &number;
    faces.periodic = PeriodicBox{{0, 0}, {10, 10}};
    const auto centre = stage->drawn<Point>({{9.8, 9.7}});
    Layer disc{"discs", "Discs", "", true, DiscsLayer{&centre, 1, nullptr, 1}};
    disc.periodic = faces.periodic;
    const auto ends = stage->drawn<Point>({{9, 2}, {1, 2}});
    Layer link{"links", "Links", "", true, SegmentsLayer{&ends, nullptr, 2, nullptr, 1}};
    link.periodic = faces.periodic;
    stage->scene.layers = {faces, disc, link};
    stage->draw(straight(15));
    const Seen seen{*stage, straight(15)};
    const Color solid = palette(false).scale({ColourScale::Kind::kSequential}, 1);
    for (const double x : {9.5, 9.9, 0.1, 0.5}) {
        CAPTURE(x);
        CHECK(distance(seen.at(x, 4.4), solid) < 0.01);
        CHECK(seen.full(x, 2));
    }
    for (const double x : {10.5, -0.5, 5.}) {
        CAPTURE(x);
        for (const double y : {4.4, 2., 9.7}) CHECK(seen.empty(x, y));
    }
    for (const double x : {9.5, 0.4})
        for (const double y : {9.5, 0.3}) CHECK(seen.full(x, y));  // the disc in all four corners
    CHECK(seen.empty(9.8, 10.4));
    // Without images it ends at the border.
    stage->draw(straight(15), 200, 200, 1, {{{kImagesLayer, false}}});
    CHECK(seen.full(9.5, 9.5));
    for (const auto& [x, y] : {std::pair(0.4, 9.5), {0.4, 0.3}, {9.5, 0.3}}) CHECK(seen.empty(x, y));
    CHECK(seen.empty(10.4, 9.7));
    // Periodic one way only: a channel.
    stage->scene.layers[1].periodic = PeriodicBox{{0, 0}, {10, 0}};
    stage->draw(straight(15));
    CHECK(seen.full(0.4, 9.5));
    CHECK(seen.empty(0.4, 0.3));
    CHECK(seen.full(9.8, 10.4));
}

TEST_CASE("layers: four views show two by two what is theirs, linked ones through one camera") {
    const auto stage = sheet();
    if (!stage) return;
    const auto centre = stage->drawn<Point>({{5, 5}});
    std::vector<Buffer<float>> numbers;
    for (int i = 0; i < 4; ++i) numbers.push_back(stage->drawn<float>({float(i)}));
    std::vector<SceneView> views;
    for (int i = 0; i < 4; ++i) {
        SceneView view;
        view.high = {10, 10};
        view.layers = {{"discs", "Discs", "", true, DiscsLayer{&centre, 1, nullptr, 2}}};
        view.layers[0].scalars = &numbers[size_t(i)];
        view.layers[0].scale.high = 3;
        views.push_back(view);
    }
    static_cast<SceneView&>(stage->scene) = views[0];
    stage->scene.beside = {views[1], views[2], views[3]};
    const Point middles[] = {{50, 50}, {150, 50}, {50, 150}, {150, 150}};
    const auto color = [](size_t i) {
        return palette(false).scale({ColourScale::Kind::kSequential}, static_cast<double>(i) / 3);
    };
    stage->draw(straight(8));
    for (size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK(distance(stage->at(middles[i].x + 13, middles[i].y), color(i)) < 0.01);
        CHECK(distance(stage->at(middles[i].x + 19, middles[i].y + 19), kNothing) < 0.01);
    }
    CHECK(distance(stage->at(100, 30), palette(false).panel_edge) < 0.02);
    CHECK(distance(stage->at(30, 99), palette(false).panel_edge) < 0.02);
    stage->scene.beside[2].linked = false;  // shown whole, whatever the camera does
    stage->draw(straight(20));
    for (size_t i = 0; i < 4; ++i) {
        CAPTURE(i);
        CHECK(distance(stage->at(middles[i].x - 25, middles[i].y), i < 3 ? color(i) : kNothing) < 0.01);
    }
    CHECK(distance(stage->at(150, 150), color(3)) < 0.01);
    // Two and three stand side by side.
    for (size_t count : {2, 3})
        for (size_t i = 0; i < count; ++i) {
            const PixelBox box = Renderer::box_of_view(301, 200, count, i);
            CHECK(box.height == 200);
            CHECK(box.y == 0);
            CHECK(std::abs(box.width - 301 / int(count)) <= 1);
        }
    stage->scene.beside.clear();
}

TEST_CASE("layers: sixty legend entries and as many states are all drawn, each in its own colour") {
    const auto stage = sheet();
    if (!stage) return;
    constexpr uint32_t kClasses = 60;
    std::vector<Point> places;
    std::vector<State> states;
    std::vector<LegendEntry> legend;
    for (uint32_t i = 0; i < kClasses; ++i) {
        places.push_back({0.5 + i % 10, 0.5 + i / 10});
        states.push_back(static_cast<State>(i + 1));
        LegendEntry entry{Kind::kVertex, static_cast<State>(i + 1), Role::kNumbered, "class " + std::to_string(i), ""};
        entry.mask = 0xFFFF;
        entry.number = i;
        legend.push_back(entry);
    }
    const auto centres = stage->drawn(places);
    const auto words = stage->drawn(states);
    DiscsLayer discs{&centres, kClasses, nullptr, 0.4};
    discs.states = &words;
    stage->scene.layers = {{"discs", "Discs", "", true, discs}};
    stage->scene.set_legend(legend);
    CHECK(stage->scene.legend().size() == kClasses);
    for (const bool light : {false, true})
        for (uint32_t i = 0; i < 30; ++i)
            for (uint32_t k = 0; k < i; ++k)
                CHECK(distance(palette(light).numbered(i), palette(light).numbered(k)) > 0.04);
    const auto check = [&] {
        stage->draw(straight());
        const Seen seen{*stage};
        for (uint32_t i = 0; i < kClasses; ++i) {
            CAPTURE(i);
            CHECK(distance(seen.at(places[i].x, places[i].y), palette(false).numbered(i)) < 0.01);
        }
    };
    check();
    // Points as dots, by the same words; and thirty of sixteen bits at once: a field of five and flags above it.
    stage->scene.layers[0].shape = PointsLayer{&centres, nullptr, kClasses, &words};
    check();
    for (uint32_t i = 0; i < kClasses; ++i) states[i] = static_cast<State>((i % 30 + 1) | 0x8000);
    const auto fields = stage->drawn(states);
    discs.states = &fields;
    for (LegendEntry& entry : legend) entry.mask = 0x1F;
    legend.resize(30);
    stage->scene.layers[0].shape = discs;
    stage->scene.set_legend(legend);
    stage->draw(straight());
    for (uint32_t i = 0; i < kClasses; ++i)
        CHECK(distance(Seen{*stage}.at(places[i].x, places[i].y), palette(false).numbered(i % 30)) < 0.01);
}

TEST_CASE("layers: labels stand at their places, in the views that show them") {
    Scene scene;
    scene.high = {10, 10};
    LabelsLayer words;
    words.labels = {{{5, 5}, "here"}, {{50, 5}, "outside"}};
    scene.layers = {{"names", "Names", "", true, words}};
    SceneView other = scene;
    scene.beside = {other};
    const auto placed = label_places(scene, straight(), {}, 400, 200);
    REQUIRE(placed.size() == 2);
    CHECK(*placed[0].text == "here");
    CHECK(placed[0].x == 100);
    CHECK(placed[1].x == 300);
    CHECK(placed[1].y == 100);
    const DisplayOptions display{{{"names", false}}};
    CHECK(label_places(scene, straight(), display, 400, 200).empty());
}

TEST_CASE("layers: triangles are coloured by their angles under any name of their layer, and shown for it") {
    Buffer<Point> places;
    Buffer<uint32_t> corners;
    Scene scene;
    CHECK_FALSE(has_triangles(scene));
    scene.layers = {{"faces", "Faces", "", false, TrianglesLayer{&places, nullptr, 3, &corners, 1, nullptr, 3}},
                    {"cut", "Cut", "", true, SegmentsLayer{}}};
    CHECK(has_triangles(scene));
    DisplayOptions display;
    show_angles(display, scene, true);
    CHECK(shows_angles(display, scene));
    CHECK(display.shows("faces", false));
    CHECK(display.layers.size() == 1);
    show_angles(display, scene, false);
    CHECK_FALSE(shows_angles(display, scene));
    CHECK(display.shows("faces", false));  // they stay where they can be seen
}

TEST_CASE("layers: toggles, names and scales follow from the layers of the scene, each name once") {
    Buffer<Point> none;
    Buffer<float> numbers;
    Scene scene;
    scene.layers = {{"discs", "Discs", "", true, DiscsLayer{&none, 0}},
                    {"trails", "Trails", "", false, PolylinesLayer{}}};
    scene.beside.resize(1);
    scene.beside[0].layers = {{"discs", "Discs", "", true, DiscsLayer{&none, 5}},
                              {"names", "Names", "", true, LabelsLayer{}}};
    scene.beside[0].layers[0].scalars = &numbers;
    scene.beside[0].layers[0].scale.name = "speed";
    const std::vector<const Layer*> toggles = scene.toggles();
    REQUIRE(toggles.size() == 3);
    CHECK(toggles[0]->id == "discs");
    CHECK_FALSE(toggles[0]->empty());  // the one that there is something of
    CHECK_FALSE(toggles[1]->present());
    CHECK(toggles[2]->id == "names");
    const std::vector<std::string> names = display_names(scene);
    for (const char* name : {"discs", "trails", "names", "cells", "links", "edges", "overlay"})
        CHECK(std::count(names.begin(), names.end(), name) == 1);
    DisplayOptions display;
    set_display(display, {"trails", "field"}, true);
    set_display(display, {"links"}, false);
    CHECK_FALSE(display.shows("edges", true));  // the same under its other name
    CHECK(shows_layer(display, scene, "trails"));
    const auto nowhere = [](const std::string&) { return std::string(); };
    CHECK_NOTHROW(check_display(display, scene, nowhere));
    REQUIRE(shown_scales({}, scene).size() == 1);
    CHECK(shown_scales({}, scene)[0].name == "speed");
    {  // of two bars each says what it is of: the layer, or where that is the same, the view
        Scene two = scene;
        two.title = "before";
        two.beside[0].title = "after";
        two.layers[0].shape = DiscsLayer{&none, 3};
        two.layers[0].scalars = &numbers;
        two.layers[0].scale.name = "speed";
        CHECK(shown_scales({}, two).size() == 1);  // the same scale once
        two.layers[0].scale.high = 2;
        std::vector<ColourScale> scales = shown_scales({}, two);
        REQUIRE(scales.size() == 2);
        CHECK(scales[0].name == "before: speed");
        CHECK(scales[1].name == "after: speed");
        two.title = two.beside[0].title = "";
        two.layers[0].title = "Bubbles";
        scales = shown_scales({}, two);
        CHECK(scales[0].name == "Bubbles: speed");
        CHECK(scales[1].name == "Discs: speed");
    }
    const DisplayOptions hidden{{{"discs", false}}};
    CHECK(shown_scales(hidden, scene).empty());
    CHECK(scene.view(1).count_of(ElementKind::kVertex) == 5);
    CHECK(scene.view(7).count_of(ElementKind::kVertex) == 0);  // no such view: the first
}

TEST_CASE("layers: what cannot be drawn is refused in a sentence that names the layer") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->surface({{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {{0, 1, 2}});
    const auto centre = stage->drawn<Point>({{0, 0}});
    stage->scene.layers.push_back({"discs", "Discs", "", true, DiscsLayer{&centre, 1, nullptr, 1}});
    stage->canvas.resize(64, 64);
    CHECK_THROWS_WITH_AS(stage->renderer.draw(stage->scene, {}, stage->canvas, false, 1),
                         doctest::Contains("the layer \"discs\" is drawn in the plane"), Error);
    const auto few = stage->drawn<float>({1});
    stage->scene.layers = {{"discs", "Discs", "", true, DiscsLayer{&centre, 2, nullptr, 1}}};
    stage->scene.in_space = false;
    stage->scene.layers[0].scalars = &few;
    CHECK_THROWS_WITH_AS(stage->renderer.draw(stage->scene, {}, stage->canvas, false, 1),
                         doctest::Contains("only 1 numbers"), Error);
    stage->scene.layers.clear();
}

TEST_CASE(
    "layers: triangles of a torus, of one role or of a scale are coloured by their angles, in every linked view") {
    const auto stage = sheet();
    if (!stage) return;
    // A right isosceles triangle across the right side of the box, an equilateral one within it.
    const auto places = stage->drawn<Point>({{9, 2}, {1, 2}, {9, 4}, {2, 6}, {6, 6}, {4, 6 + 2 * std::sqrt(3.0)}});
    const auto corners = stage->drawn<uint32_t>({0, 1, 2, 3, 4, 5});
    const auto numbers = stage->drawn<float>({0.25f, 0.75f});
    Layer torus{"torus", "Torus", "", true, TrianglesLayer{&places, nullptr, 6, &corners, 2}};
    torus.periodic = PeriodicBox{{0, 0}, {10, 10}};
    Layer role{"role", "Role", "", true, TrianglesLayer{&places, nullptr, 6, &corners, 2}};
    role.role = Role::kActive;
    role.periodic = torus.periodic;
    Layer scaled = torus;
    scaled.id = "scaled";
    scaled.scalars = &numbers;
    SceneView second = stage->scene, third = stage->scene;
    stage->scene.layers = {torus};
    second.layers = {role};
    third.layers = {scaled};
    stage->scene.beside = {second, third};
    DisplayOptions display{.layers = {}, .angles = true};
    CHECK(shows_angles(display, stage->scene));
    CHECK(shown_scales(display, stage->scene).empty());  // angles take the place of numbers
    CHECK(shown_scales({}, stage->scene).size() == 1);
    stage->draw(straight(), 600, 200, 1, display);
    for (int view = 0; view < 3; ++view) {
        CAPTURE(view);
        const auto at = [&](double x, double y) { return stage->at(200 * view + 20 * x, 200 - 20 * y); };
        CHECK(distance(at(9.4, 2.4), palette(false).angle(45)) < 0.02);
        CHECK(distance(at(0.3, 2.2), palette(false).angle(45)) < 0.02);  // its image on the other side
        CHECK(distance(at(4, 7), palette(false).angle(60)) < 0.02);
        CHECK(distance(at(5, 3), kNothing) < 0.02);
    }
    // A picture with triangles has a scale of angles, under any name of their layer.
    stage->scene.layers.clear();
    CHECK(shows_angles(display, stage->scene));
    for (const char* id : {"role", "scaled"}) display.show(id, false);
    CHECK_FALSE(shows_angles(display, stage->scene));
    stage->scene.beside.clear();
}
