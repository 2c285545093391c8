#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "app/view/camera.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

constexpr double kPi = std::numbers::pi;

void check_axes(const ViewAxes& view) {
    CHECK(dot(view.right, view.right) == doctest::Approx(1));
    CHECK(dot(view.up, view.up) == doctest::Approx(1));
    CHECK(dot(view.toward, view.toward) == doctest::Approx(1));
    CHECK(std::abs(dot(view.right, view.up)) < 1e-14);
    const Point3 third = cross(view.right, view.up);
    const Point3 off = third - view.toward;
    CHECK(std::sqrt(dot(off, off)) < 1e-14);
}

}  // namespace

TEST_CASE("camera: from straight above space looks exactly as the plane lies") {
    CHECK(seen_from(-kPi / 2, kPi / 2) == ViewAxes{});
    CHECK(standard_views()[3] == ViewAxes{});
    CHECK(standard_views()[1].project({3, 100, 7}) == Point{3, 7});  // the front: x and z
    CHECK(standard_views()[2].project({100, 3, 7}) == Point{3, 7});  // the right side: y and z
    CHECK(standard_views()[1].nearness({0, -5, 0}) == 5);            // the camera is at negative y
}

TEST_CASE("camera: in every direction its axes are orthogonal and up stays up, and it stops at the poles") {
    ViewAxes view = standard_views()[0];
    for (int i = 0; i < 500; ++i) {
        view = turned(view, 0.37 * std::sin(0.1 * i), 0.2 * std::cos(0.07 * i));
        check_axes(view);
        REQUIRE(view.up.z >= 0);
        REQUIRE(view.right.z == 0);  // a turntable: the horizon stays level
    }
    view = turned(view, 0, 100);
    CHECK(view.toward == Point3{0, 0, 1});
    view = turned(view, 0, -100);
    CHECK(view.toward == Point3{0, 0, -1});
    // The azimuth survives a pole.
    const ViewAxes over = turned(turned(seen_from(0.7, 0.1), 0, 9), 0, -kPi / 2 + 0.1);
    CHECK(over.toward.x == doctest::Approx(seen_from(0.7, 0.1).toward.x));
    CHECK(over.toward.y == doctest::Approx(seen_from(0.7, 0.1).toward.y));
}

TEST_CASE("camera: turning keeps the pivot where it is in the picture") {
    Camera camera{{12, -3}, 40};
    const Point3 pivot{1, 2, 3};
    const Point before = camera.to_pixels(pivot);
    camera.look_from(standard_views()[0], pivot);
    camera.look_from(turned(camera.view, 1.1, -0.4), pivot);
    const Point after = camera.to_pixels(pivot);
    CHECK(after.x == doctest::Approx(before.x));
    CHECK(after.y == doctest::Approx(before.y));
    // Nothing has drifted.
    camera.look_from(ViewAxes{}, pivot);
    CHECK(camera.center.x == doctest::Approx(12));
    CHECK(camera.center.y == doctest::Approx(-3));
}

TEST_CASE("camera: in the plane nothing depends on the view, to the last bit") {
    const Camera camera{{0.1, 1e9 + 0.7}, 1e13};
    const Point flat = camera.to_pixels(Point{0.3, 1e9 + 0.9}), deep = camera.to_pixels(Point3{0.3, 1e9 + 0.9, 0});
    CHECK(flat == deep);
}

TEST_CASE("camera: a surface is fitted in its view, whole and no smaller than needed") {
    const std::vector<Point> places{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {5, 5}};
    const std::vector<double> heights{0, 0, 0, 0, 40};
    for (const ViewAxes& view : standard_views()) {
        Camera camera{.view = view};
        camera.fit(places, heights, 800, 600);
        double most_x = 0, most_y = 0;
        for (size_t i = 0; i < places.size(); ++i) {
            const Point p = camera.to_pixels(Point3{places[i].x, places[i].y, heights[i]});
            most_x = std::max(most_x, std::abs(p.x));
            most_y = std::max(most_y, std::abs(p.y));
        }
        CHECK(most_x < 400);
        CHECK(most_y < 300);
        CHECK((most_x > 340 || most_y > 240));
    }
    Camera camera;
    camera.fit(std::vector<Point>{}, std::vector<double>{}, 800, 600);  // nothing to fit: unchanged
    CHECK(camera == Camera{});
    camera.fit(std::vector<Point>{{2, 3}}, std::vector<double>{4}, 800, 600);
    CHECK(std::isfinite(camera.scale));
}

TEST_CASE("camera: zooming about a place keeps the place under the cursor") {
    Camera camera;
    camera.fit({-1e6, 2}, {1e6, 5}, 800, 600);
    const Point anchor{123, -45}, place = camera.to_world(anchor);
    for (int i = 0; i < 40; ++i) camera.zoom(1.25, anchor);
    const Point still = camera.to_world(anchor);
    CHECK(still.x == doctest::Approx(place.x).epsilon(1e-12));
    CHECK(still.y == doctest::Approx(place.y).epsilon(1e-12));
    camera.fit({3, 3}, {3, 3}, 800, 600);  // a single place
    CHECK(std::isfinite(camera.scale));
    CHECK(camera.center == Point{3, 3});
}
