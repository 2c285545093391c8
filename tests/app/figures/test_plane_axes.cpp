#include <doctest/doctest.h>

#include "app/figures/plane_axes.h"
#include "app/window/minimap.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("axes: round coordinates, and far from the origin what is to be added to it") {
    const PlaneTicks near = plane_ticks(0.5, 0.5, 5);
    REQUIRE(near.ticks.size() == 6);
    CHECK(near.offset.empty());
    CHECK(near.ticks[0].text == "0");
    CHECK(near.ticks[1].text == "0.2");
    CHECK(near.ticks[5].text == "1.0");
    CHECK(near.ticks[1].off == doctest::Approx(-0.3));
    const PlaneTicks far = plane_ticks(1234567.25, 1e-6, 4);
    CHECK(far.offset.find("1,234,567.25") == 0);
    REQUIRE(far.ticks.size() >= 3);
    for (size_t i = 1; i < far.ticks.size(); ++i) {
        CHECK(far.ticks[i].text != far.ticks[i - 1].text);
        CHECK(far.ticks[i].off - far.ticks[i - 1].off == doctest::Approx(5e-7));
    }
    const PlaneTicks tiny = plane_ticks(0.1, 1e-13, 4);
    CHECK(!tiny.offset.empty());
    REQUIRE(tiny.ticks.size() >= 3);
    CHECK(tiny.ticks[1].text != tiny.ticks[2].text);
    CHECK(plane_ticks(0, 0, 4).ticks.empty());
}

TEST_CASE("minimap: how much of the extent is seen") {
    Camera camera{{0.5, 0.5}, 100};
    CHECK(visible_share({0, 0}, {1, 1}, camera, 200, 200) == 1);
    CHECK(visible_share({0, 0}, {1, 1}, camera, 50, 100) == doctest::Approx(0.5));
    camera.center = {5, 0.5};
    CHECK(visible_share({0, 0}, {1, 1}, camera, 50, 100) == 0);
}
