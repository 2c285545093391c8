#include <algorithm>
#include <cmath>

#include "app/figures/picture.h"
#include "app/program.h"
#include "app/render_stage.h"
#include "geometry/generators.h"
#include "lab/registry.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

const Color kBackground = palette(false).canvas;

}  // namespace

TEST_CASE("renderer: edges, fills and points are where the camera says, and the rest is empty") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}});
    const Camera camera = fitted(stage->scene);
    stage->draw(camera);
    const float inside = distance(stage->at(camera, {0.25, 0.25}), kBackground);  // a faint fill
    CHECK(inside > 0.015);
    CHECK(inside < 0.15);
    CHECK(distance(stage->at(camera, {0.8, 0.8}), kBackground) < 0.01);
    CHECK(distance(stage->at(camera, {0.5, 0}), kBackground) > 0.3);
    CHECK(distance(stage->at(camera, {0, 0}), palette(false).style(LegendEntry::Element::kVertex, Role::kPlain).color) <
          0.05);
}

TEST_CASE("renderer: the first legend entry that matches an element's state decides its colour") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}});
    stage->mesh->edge_states.write(0, kStateQueued | kStateIllegal);
    stage->mesh->edge_states.write(1, kStateQueued);  // the upper half of a word
    stage->mesh->triangle_states.write(0, kStateFlipped);
    const Camera camera = fitted(stage->scene);
    stage->draw(camera, 200, 200, 2);
    const auto color_at = [&](Point place) { return stage->at(camera, place); };
    CHECK(distance(color_at({0.5, 0}), palette(false).role(Role::kIllegal)) < 0.08);
    CHECK(distance(color_at({0.5, 0.5}), palette(false).role(Role::kQueued)) < 0.08);
    CHECK(distance(color_at({0, 0.5}), palette(false).role(Role::kPlain)) < 0.08);
    const Color fill = color_at({0.25, 0.25});
    CHECK(fill.g > fill.r + 0.05);  // flipped: green
}

TEST_CASE("renderer: zoomed in a million million times, points, edges and fills are still where they are") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    // Three points a few units in the last place apart, at a corner of a triangle of size one.
    const double tiny = std::ldexp(1.0, -40);
    stage->triangle({{0.5, 0.5}, {1.5, 0.5 + tiny}, {0.5, 1.5}, {0.5 + tiny, 0.5 + 3 * tiny}});
    Camera camera{{0.5 + tiny, 0.5 + tiny}, 30 / tiny};  // 3·10¹³ pixels per unit
    stage->draw(camera);
    const Color corner = palette(false).style(LegendEntry::Element::kVertex, Role::kPlain).color;
    const Point a = stage->seen(camera, {0.5, 0.5}), waiting = stage->seen(camera, {0.5 + tiny, 0.5 + 3 * tiny});
    CHECK(distance(stage->at(a.x, a.y), corner) < 0.05);
    CHECK(distance(stage->at(waiting.x, waiting.y), palette(false).role(Role::kWaiting)) < 0.08);
    // The edge to the right is level here, the one upwards upright; both leave the picture.
    CHECK(distance(stage->at(199, a.y), kBackground) > 0.3);
    CHECK(distance(stage->at(a.x, 1), kBackground) > 0.3);
    CHECK(distance(stage->at(199, a.y + 8), kBackground) < 0.01);
    CHECK(distance(stage->at(150, 50), kBackground) > 0.015);  // within the triangle
    CHECK(distance(stage->at(20, 50), kBackground) < 0.01);
    // In the middle of an edge whose ends lie millions of millions of pixels away.
    camera.center = {1.0, 0.5 + tiny / 2};
    stage->draw(camera);
    CHECK(distance(stage->at(100, 99.5), kBackground) > 0.3);
    CHECK(distance(stage->at(100, 90), kBackground) > 0.015);
    CHECK(distance(stage->at(100, 110), kBackground) < 0.01);
}

TEST_CASE("renderer: renderers of one OpenGL context can share their programs, and draw the same picture") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}});
    const Camera camera = fitted(stage->scene);
    stage->draw(camera);
    const std::vector<unsigned char> first = stage->pixels;
    const int programs = live_programs();
    REQUIRE(programs > 0);
    const Renderer owner;
    CHECK(live_programs() > programs);
    const int with_owner = live_programs();
    Renderer sharing(&owner);
    CHECK(live_programs() == with_owner);
    stage->draw({{9, 9}, 1});
    CHECK(stage->pixels != first);
    stage->sharing.release();
    sharing.draw(stage->scene, camera, stage->canvas, false, 1, {}, true);
    stage->sharing.drawn();
    stage->sharing.acquire();
    CHECK(stage->canvas.pixels() == first);
}

TEST_CASE("offscreen: an algorithm runs in shared buffers and is drawn; what cannot be drawn is said") {
    const auto offscreen = made_or_skip<Offscreen>();
    if (!offscreen) return;
    Context context(DeviceRequest::kCpu, 0);
    offscreen->share_with(context);
    CHECK(offscreen->make_of_sharing().starts_with("mapped"));
    const auto algorithm = make_lab("build");
    algorithm->reset(context, std::make_shared<const Geometry>(generate(parse_generator("ring:500"))));
    algorithm->finish({});
    const uint64_t hash = algorithm->state_hash();
    FigureSpec spec{.width = 300, .height = 200};
    const Pixels picture = offscreen->figure(algorithm->scene(), plan_figure(algorithm->scene(), spec));
    CHECK(picture.rgba.size() == 4 * 300 * 200);
    CHECK(std::count(picture.rgba.begin(), picture.rgba.end(), picture.rgba[0]) < 4 * 300 * 200);
    CHECK(algorithm->state_hash() == hash);
    spec.width = 1e6;
    CHECK_THROWS_AS(plan_figure(algorithm->scene(), spec), Error);
    CHECK_THROWS_AS(offscreen->render(algorithm->scene(), 0, 100, {}, true), std::runtime_error);
}
