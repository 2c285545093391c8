// Pixels of surfaces in space: near parts hide far ones, light distinguishes the sides, and positions are right far
// from the origin and close to the camera.
#include "app/render_stage.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

const Color kBareCanvas = palette(false).canvas;
const std::vector<std::array<uint32_t, 3>> kTetrahedron{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/// Apex towards the front (negative y), so that the edge 1–2 at the back lies behind face 0 3 … as seen from the front.
std::vector<Point3> tetrahedron(Point3 at = {0, 0, 0}, double size = 1) {
    return {at + size * Point3{-1, 0, -1}, at + size * Point3{1, 0, -1}, at + size * Point3{0, 1, 0.2},
            at + size * Point3{0, -0.4, 1}};
}

Camera front(const DrawnStage& stage, double size = 200, const ViewAxes& view = standard_views()[1]) {
    Camera camera{.view = view};
    std::vector<Point> places(stage.mesh->vertex_count - 1);
    std::vector<double> heights(places.size());
    stage.mesh->positions.download(places.data(), places.size());
    stage.mesh->heights.download(heights.data(), heights.size());
    camera.fit(places, heights, size, size);
    return camera;
}

float brightness(const Color& color) { return (color.r + color.g + color.b) / 3; }

DisplayOptions only_fills() { return {{{"edges", false}, {"links", false}, {"points", false}}}; }

}  // namespace

TEST_CASE("surfaces: the front face of a tetrahedron hides the edges behind it") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    const auto places = tetrahedron();
    stage->surface(places, kTetrahedron);
    // From the front 0 1 3 is seen alone; 2 lies behind its middle, and so do the edges to it.
    const uint32_t hidden = stage->edge_between(0, 2), seen = stage->edge_between(0, 1);
    stage->mesh->edge_states.write(hidden, kStateIllegal);
    stage->mesh->edge_states.write(seen, kStateIllegal);
    const Camera camera = front(*stage);
    stage->draw(camera, 200, 200, 2);
    const Color loud = palette(false).role(Role::kIllegal);
    const auto middle_of = [&](uint32_t a, uint32_t b) { return stage->at(camera, 0.5 * (places[a] + places[b])); };
    CHECK(distance(middle_of(0, 1), loud) < 0.1);
    CHECK(distance(middle_of(0, 2), loud) > 0.3);
    CHECK(distance(middle_of(0, 2), kBareCanvas) > 0.1);  // the face in front of it
    // Without fills nothing hides it.
    stage->draw(camera, 200, 200, 2, {{{"triangles", false}}});
    CHECK(distance(middle_of(0, 2), loud) < 0.1);
    // From behind it is the other way round.
    Camera behind = camera;
    behind.look_from(seen_from(1.5707963267948966, 0), 0.25 * (places[0] + places[1] + places[2] + places[3]));
    stage->draw(behind, 200, 200, 2);
    CHECK(distance(stage->at(behind, 0.5 * (places[0] + places[2])), loud) < 0.1);
}

TEST_CASE("surfaces: faces are lit by how they face the viewer, and the inside has another colour") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    // Two squares seen from the front: one faces the eye, one is turned away by 70°; a third shows its inside.
    stage->surface({{0, 0, 0},
                    {1, 0, 0},
                    {1, 0, 1},
                    {0, 0, 1},
                    {2, 0, 0},
                    {2.34, 0.94, 0},
                    {2.34, 0.94, 1},
                    {2, 0, 1},
                    {3, 0, 0},
                    {4, 0, 0},
                    {4, 0, 1},
                    {3, 0, 1}},
                   {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {8, 10, 9}, {8, 11, 10}});
    const Camera camera = front(*stage);
    stage->draw(camera, 200, 200, 1, only_fills());
    const auto at = [&](Point3 place) { return stage->at(camera, place); };
    const Color facing = at({0.5, 0, 0.4}), slanted = at({2.17, 0.47, 0.4}), inside = at({3.5, 0, 0.4});
    CHECK(brightness(facing) > brightness(slanted) + 0.05);
    CHECK(brightness(slanted) > brightness(kBareCanvas) + 0.05);  // never wholly in the dark
    CHECK(inside.r > inside.b + 0.03);                            // warm
    CHECK(facing.b > facing.r);                                   // cool
    CHECK(distance(at({1.5, 0, 0.5}), kBareCanvas) < 0.01);
}

TEST_CASE("surfaces: triangles with a state have its colour, and angle colours go by the smallest angle") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    const double h = std::sqrt(3) / 2;
    stage->surface(
        {{0, 0, 0}, {1, 0, 0}, {0.5, 0, h}, {2, 0, 0}, {3, 0, 0}, {2.5, 0, 0.05}, {4, 0, 0}, {5, 0, 0}, {4.5, 0, h}},
        {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
    stage->mesh->triangle_states.write(2, kStateLocked);
    const Camera camera = front(*stage, 400);
    DisplayOptions display = only_fills();
    const auto at = [&](Point3 place) { return stage->at(camera, place); };
    stage->draw(camera, 400, 400, 1, display);
    const Color plain = at({0.5, 0, 0.3}), taken = at({4.5, 0, 0.3});
    CHECK(taken.g > plain.g + 0.05);
    CHECK(taken.g > taken.r + 0.1);
    display.angles = true;
    stage->draw(camera, 400, 400, 1, display);
    const Color good = at({0.5, 0, 0.3}), bad = at({2.5, 0, 0.02});
    // The light falls on both alike, so the ratio of the channels is the palette's.
    const Color best = palette(false).angle(60), worst = palette(false).angle(5.7);
    CHECK(good.b > good.r);
    CHECK(bad.r > bad.b + 0.2);
    CHECK(good.r / good.b == doctest::Approx(best.r / best.b).epsilon(0.05));
    CHECK(bad.b / bad.r == doctest::Approx(worst.b / worst.r).epsilon(0.08));
    CHECK(distance(at({4.5, 0, 0.3}), good) > 0.05);  // a state is seen over the angles
}

TEST_CASE("renderer: a bent outline is filled within and nowhere else") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    // An L: the fan around its first triangle would spill over the notch.
    const std::vector<Point> places{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    stage->triangle(places);
    const uint32_t inf = stage->mesh->infinite();
    const std::vector<uint32_t> triangles{1, 2, 3,   0, 1, 3,   0, 3, 4,   0, 4, 5,   1, 0, inf,
                                          2, 1, inf, 3, 2, inf, 4, 3, inf, 5, 4, inf, 0, 5, inf};
    stage->mesh->reset(stage->context, 6, 10, 15, true);
    for (size_t i = 0; i < triangles.size(); ++i) stage->mesh->triangles.write(i, triangles[i]);
    stage->mesh->triangle_count = 10;
    stage->mesh->edge_count = 0;
    stage->scene.layers.clear();
    stage->scene.add_mesh(*stage->mesh, 6);
    const Camera camera = fitted(stage->scene);
    stage->draw(camera, 200, 200, 1, only_fills());
    const auto at = [&](Point place) { return distance(stage->at(camera, place), kBareCanvas); };
    CHECK(at({0.5, 0.4}) > 0.015);
    CHECK(at({2.5, 0.5}) > 0.015);
    CHECK(at({0.5, 2.5}) > 0.015);
    for (const Point& outside : {Point{1.4, 1.4}, Point{2, 1.5}, Point{1.5, 2}, Point{2, 2}})
        CHECK(at(outside) < 0.005);
}

TEST_CASE("surfaces: far from the origin, and seen from anywhere, vertices are where the camera says") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    const Point3 far{1e9, -3e9, 2e9};
    const auto places = tetrahedron(far, 1.0 / 1024);
    stage->surface(places, kTetrahedron);
    for (const ViewAxes& view : standard_views()) {
        const Camera camera = front(*stage, 200, view);
        stage->draw(camera);
        const Color corner = palette(false).style(LegendEntry::Element::kVertex, Role::kPlain).color;
        // 1e9 has a grain of 1e-7, a pixel here is 1e-5: the picture may be off by about a pixel, not more.
        int found = 0;
        for (const Point3& p : places) {
            const Point q = stage->seen(camera, p);
            float best = 1;
            for (int dx = -1; dx <= 1; ++dx)
                for (int dy = -1; dy <= 1; ++dy)
                    best = std::min(
                        best, distance(stage->at(std::clamp(q.x + dx, 0.0, 199.0), std::clamp(q.y + dy, 0.0, 199.0)),
                                       corner));
            if (best < 0.1) ++found;
        }
        CHECK(found >= 3);  // one may be hidden
    }
}

TEST_CASE("surfaces: so close that corners lie a thousand million pixels away, fills end where they should") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->surface({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}, {{0, 1, 2}, {1, 3, 2}});
    Camera camera{{0, 0.5}, 1e9, standard_views()[1]};  // in the middle of the left side
    stage->draw(camera, 200, 200, 1, only_fills());
    CHECK(distance(stage->at(150, 100), kBareCanvas) > 0.1);
    CHECK(distance(stage->at(102, 10), kBareCanvas) > 0.1);
    CHECK(distance(stage->at(97, 190), kBareCanvas) < 0.01);
    stage->draw(camera, 200, 200, 1);
    CHECK(distance(stage->at(100, 100), stage->at(150, 100)) > 0.05);  // the edge, over the fill
}

TEST_CASE("surfaces: points of no height, one point, and no triangle are drawn without complaint") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    for (const auto& places :
         {std::vector<Point3>{{0, 0, 0}}, {{0, 0, 0}, {1, 1, 1}}, {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}}}) {
        stage->surface(places, places.size() == 3 ? std::vector<std::array<uint32_t, 3>>{{0, 1, 2}}
                                                  : std::vector<std::array<uint32_t, 3>>{});
        stage->draw(front(*stage));
        CHECK(distance(stage->at(1, 1), kBareCanvas) < 0.01);
    }
}
