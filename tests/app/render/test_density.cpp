#include <cmath>

#include "app/render_stage.h"
#include "app/view/density.h"
#include "geometry/generators.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// A view of points alone, in shared memory.
struct Crowd {
    std::unique_ptr<DrawnStage> stage = stage_or_skip();
    Buffer<Point> places{"places", Residence::kDrawn};
    Buffer<State> states{"states", Residence::kDrawn};
    Buffer<float> numbers{"numbers", Residence::kDrawn};

    void show(const std::vector<Point>& points, bool with_states = false) {
        DrawnStage& on = *stage;
        const auto count = static_cast<uint32_t>(points.size());
        places.upload(on.context, points.data(), points.size());
        if (with_states) {
            const std::vector<State> none(points.size(), 0);
            states.upload(on.context, none.data(), none.size());
        }
        on.scene.layers.clear();
        on.scene.layers.push_back(
            {"points", "Points", "", true, PointsLayer{&places, nullptr, count, with_states ? &states : nullptr}});
        on.scene.layers[0].legend = {{LegendEntry::Element::kVertex, kStateIllegal, Role::kFailed, "failed", ""}};
        on.scene.point_count = count;
        on.bound(points);
    }
    ~Crowd() {
        if (!stage) return;
        stage->sharing.acquire();
        places = {};
        states = {};
        numbers = {};
    }
};

std::vector<Point> grid(int side, double x = 0) {
    std::vector<Point> points;
    for (int i = 0; i < side * side; ++i) points.push_back({x + i % side, double(i / side)});
    return points;
}

}  // namespace

TEST_CASE("density: counts are reused while the camera pans, with the same picture as new counts") {
    Crowd crowd;
    if (!crowd.stage) return;
    DrawnStage& stage = *crowd.stage;
    crowd.show(generate(parse_generator("clusters:100000")).points);
    Camera camera = fitted(stage.scene);
    camera.scale *= 1.5;
    for (const uint64_t revision : {7, 8}) {
        stage.renderer.set_revision(revision);
        for (int step = 0; step < 6; ++step) {
            stage.draw(camera);
            const auto shown = stage.pixels;
            stage.renderer.set_revision(0);  // nothing is known of the places
            stage.draw(camera);
            CHECK(furthest(shown, stage.pixels) <= 2);
            stage.renderer.set_revision(revision);
            stage.draw(camera);
            camera.pan(7.25, -3.5);
        }
    }
}

TEST_CASE("density: a regular grid of points is flat at any zoom, and no brighter at one than at another") {
    Crowd crowd;
    if (!crowd.stage) return;
    DrawnStage& stage = *crowd.stage;
    crowd.show(grid(500, 1e6));
    for (const double scale : {0.37, 0.613, 0.97, 1.03, 1.71, 2.37}) {
        const Camera camera{{1e6 + 250.3, 249.7}, scale};
        stage.draw(camera);
        float most = 0;
        double sum = 0;
        const Color middle = palette(false).scale({ColourScale::Kind::kSequential}, 0.5);
        const int half = static_cast<int>(std::min(90.0, 240 * scale));
        for (int i = 0; i < 1600; ++i) {
            const float off =
                distance(stage.at(100 - half + i % 40 * half / 20, 100 - half + i / 40 * half / 20), middle);
            most = std::max(most, off);
            sum += off;
        }
        INFO("scale ", scale);
        CHECK(most < 0.04);
        CHECK(sum / 1600 < 0.02);
    }
}

TEST_CASE("density: elements take over as they grow, and what has a state of its own lies over it") {
    CHECK(density_strength(kAllDensity) == 1);
    CHECK(density_strength(kNoDensity) == 0);
    CHECK(density_strength(0.5 * (kAllDensity + kNoDensity)) == doctest::Approx(0.5));
    for (double gap = 2; gap < 5; gap += 0.05)
        CHECK(std::abs(density_strength(gap) - density_strength(gap + 0.05)) < 0.06);
    Crowd crowd;
    if (!crowd.stage) return;
    DrawnStage& stage = *crowd.stage;
    crowd.show(grid(200), true);
    CHECK(plan_density(stage.scene, {}, 2, 1).strength == 1);
    CHECK(plan_density(stage.scene, {}, 5, 1).strength == 0);
    CHECK(plan_density(stage.scene, {}, 5, 2).strength == 1);  // at presenter scale 2
    CHECK(can_show_density(stage.scene));
    const ColourScale scale = density_scale(stage.scene, 40'000);
    CHECK(scale.place(1) == doctest::Approx(0.5).epsilon(0.01));  // one point per unit area
    crowd.states.write(100 * 200 + 100, kStateIllegal);
    const Camera camera{.center = {100, 100}};
    stage.draw(camera);
    float farthest = 0;
    const Color density_there = palette(false).scale({ColourScale::Kind::kSequential}, 0.5);
    for (int y = 97; y < 104; ++y)
        for (int x = 97; x < 104; ++x) farthest = std::max(farthest, distance(stage.at(x, y), density_there));
    CHECK(farthest > 0.2);
    CHECK(distance(stage.at(60, 60), density_there) < 0.04);
}

TEST_CASE("density: crowded elements that are coloured by numbers show their mean") {
    Crowd crowd;
    if (!crowd.stage) return;
    DrawnStage& stage = *crowd.stage;
    const std::vector<Point> points = generate(parse_generator("uniform:40000")).points;
    crowd.show(points);
    std::vector<float> values;  // a linear field, and noise whose mean is nothing
    for (size_t i = 0; i < points.size(); ++i) values.push_back(float(points[i].x) + (i % 2 ? 0.2f : -0.2f));
    values[0] = NAN;
    crowd.numbers.upload(stage.context, values.data(), values.size());
    stage.scene.layers[0].scalars = &crowd.numbers;
    stage.scene.layers[0].scale.low = -0.5;
    stage.scene.layers[0].scale.high = 1.5;
    const DensityPlan plan = plan_density(stage.scene, {}, 200, 1);
    CHECK(!plan);
    REQUIRE(plan.means.size() == 1);
    CHECK(plan.means[0] == 1);
    CHECK(plan_density(stage.scene, {}, 2000, 1).means[0] == 0);
    Camera camera{{0.5, 0.5}, 180};
    const ColourScale& scale = stage.scene.layers[0].scale;
    for (const double moved : {0.0, 0.05}) {
        camera.center.x = 0.5 + moved;
        stage.draw(camera);
        double sum = 0;
        for (int i = 0; i < 400; ++i) {
            const int x = 40 + 6 * (i % 20), y = 40 + 6 * (i / 20);
            const double value = camera.center.x + (x + 0.5 - 100) / camera.scale;
            sum += distance(stage.at(x, y), palette(false).scale({scale.kind}, scale.place(value)));
        }
        CHECK(sum / 400 < 0.06);
        CHECK(distance(stage.at(100, 3), palette(false).canvas) < 0.02);  // beyond the points there is none
    }
}
