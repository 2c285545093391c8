// Pixels of a mesh on its way from one state to the next.
#include "app/render_stage.h"
#include "instruments/mesh_motion.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

constexpr Point kLeft{0, 0}, kBelow{2, -1.5}, kRight{4, 0}, kAbove{2, 1.5};
constexpr Point kNew{3.4, 0.9};  // above the right side

/// The quadrilateral 0 1 2 3 with the diagonal 0–2, or 1–3 once it is flipped.
struct Quad {
    DrawnStage& stage;
    MeshMotionFinder finder;

    Quad(DrawnStage& on, bool in_space) : stage(on) {
        const std::vector<Point> places{kLeft, kBelow, kRight, kAbove, kNew};
        std::vector<Point3> lifted;
        for (const Point p : places) lifted.push_back({p.x, p.y, p == kLeft || p == kRight ? 1.0 : 0.0});
        stage.fill(*stage.mesh, lifted, {{0, 1, 2}, {0, 2, 3}, {4, 3, 2}});
        stage.mesh->triangle_count = 2;
        stage.mesh->edge_count = 5;  // the point 4 is not inserted yet
        if (!in_space) stage.mesh->heights = Buffer<double>("none");
        show();
        stage.scene.in_space = in_space;
        stage.scene.high_z = 1;
        stage.bound(places);
        finder.update(stage.scene);
    }
    void show() {
        stage.scene.layers.clear();
        stage.scene.add_mesh(*stage.mesh, 5);
    }
    void flip() {
        const uint32_t edge = stage.edge_between(0, 2);
        stage.mesh->edges.write(2 * size_t(edge), 1);
        stage.mesh->edges.write(2 * size_t(edge) + 1, 3);
        for (const uint32_t corner : {2u, 3u}) stage.mesh->triangles.write(corner, corner == 2 ? 3 : 1);
        finder.update(stage.scene);
        REQUIRE(finder.last());
        REQUIRE(finder.last()->ways.size() == 4);
    }
    void insert() {
        stage.mesh->triangle_count = 3;
        stage.mesh->edge_count = 7;
        show();
        finder.update(stage.scene);
        REQUIRE(finder.last());
    }
    std::vector<unsigned char> draw(const Camera& camera, double at) {
        stage.renderer.set_motion({finder.last()}, at);
        stage.draw(camera);
        return stage.pixels;
    }
};

}  // namespace

TEST_CASE("motion: a flipped edge starts at its old place, crosses the middle turned, and ends as without motion") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    Quad quad(*stage, false);
    const Camera camera = fitted(stage->scene);
    const auto brightness = [&](Point place) { return stage->at(camera, place).r; };
    stage->draw(camera);
    const Point on_old{1, 0}, on_new{2, 0.8};
    const float edge = brightness(on_old), ground = brightness(on_new);
    CHECK(edge > ground + 0.2f);
    const std::vector<unsigned char> before = stage->pixels;
    quad.flip();
    stage->draw(camera);
    const std::vector<unsigned char> after = stage->pixels;
    CHECK(after != before);
    CHECK(quad.draw(camera, 0) == before);
    CHECK(quad.draw(camera, 1) == after);
    const std::vector<unsigned char> half = quad.draw(camera, 0.5);
    CHECK(half != before);
    CHECK(half != after);
    CHECK(brightness(on_old) < edge - 0.2f);
    CHECK(brightness(on_new) < edge - 0.2f);
    // Its ends are halfway along two opposite sides.
    CHECK(brightness({2.5, 0.375}) > edge - 0.2f);
    CHECK(brightness({2.5, -0.375}) < edge - 0.2f);
}

TEST_CASE("motion: a new point grows and its edges fade in, while all else rests") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    Quad quad(*stage, false);
    const Camera camera = fitted(stage->scene);
    quad.insert();
    stage->draw(camera);
    const std::vector<unsigned char> after = stage->pixels;
    const Point on_edge{2.7, 1.2}, resting{1, -0.75}, rim{kNew.x, kNew.y + 3 / camera.scale};
    const Color edge = stage->at(camera, on_edge), dot = stage->at(camera, rim);
    quad.draw(camera, 0);
    const Color no_edge = stage->at(camera, on_edge), no_dot = stage->at(camera, rim);
    CHECK(distance(edge, no_edge) > 0.2);
    CHECK(distance(dot, no_dot) > 0.2);
    const Color rests = stage->at(camera, resting);
    quad.draw(camera, 0.5);
    CHECK(distance(stage->at(camera, on_edge), no_edge) > 0.05);
    CHECK(distance(stage->at(camera, on_edge), edge) > 0.05);
    CHECK(distance(stage->at(camera, resting), rests) == 0);
    CHECK(quad.draw(camera, 1) == after);
}

TEST_CASE("motion: in space the surface goes from the two old sides of the tetrahedron to the two new ones") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    Quad quad(*stage, true);
    stage->scene.set_legend({});
    // From the front and above, the middle of the quadrilateral sinks from z = 1 to z = 0.
    Camera camera{.view = standard_views()[1]};
    const std::vector<Point> places{kLeft, kBelow, kRight, kAbove};
    camera.fit(places, {1, 0, 1, 0}, 200, 200);
    const auto covered = [&] {
        size_t pixels = 0;
        for (size_t i = 0; i < stage->pixels.size(); i += 4)
            pixels += std::abs(stage->pixels[i] - int(255 * palette(false).canvas.r + 0.5f)) > 8;
        return pixels;
    };
    stage->draw(camera);
    const std::vector<unsigned char> before = stage->pixels;
    const size_t covered_before = covered();
    quad.flip();
    stage->draw(camera);
    const std::vector<unsigned char> after = stage->pixels;
    const size_t covered_after = covered();
    CHECK(covered_after < covered_before);
    quad.draw(camera, 0.5);
    CHECK(covered() < covered_before);
    CHECK(covered() > covered_after);
    CHECK(quad.draw(camera, 1) == after);
}
