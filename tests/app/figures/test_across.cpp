// Failures that are too thin to be seen, stretched across their length.
#include "app/figures/across.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace flipscope;
using namespace flipscope::app;

namespace {

CheckFailure triangle(const Geometry& input, uint32_t a, uint32_t b, uint32_t c) {
    CheckFailure failure;
    failure.elements = {{ElementKind::kTriangle, 0}};
    for (const uint32_t i : {a, b, c}) failure.places.push_back({input.points[i].x, input.points[i].y, 0});
    return failure;
}

}  // namespace

TEST_CASE("across: points off a line by the last digit are distinguished, with the side of each") {
    Geometry input;
    // On y = 0.3 x but for the rounding of each, and two that are moved by one unit in the last place.
    for (const double x : {1., 3., 5., 7., 9.}) input.points.push_back({x, 0.3 * x});
    input.points[1].y = std::nextafter(input.points[1].y, 10);
    input.points[3].y = std::nextafter(input.points[3].y, -10);
    const auto view = across_view(triangle(input, 0, 2, 4), input, 1e-3);
    REQUIRE(view);
    CHECK(view->points.size() == 5);
    CHECK(view->thick < 1e-14);
    CHECK(view->thick > 1e-17);
    double side[5] = {};
    for (const AcrossView::Spot& spot : view->points) {
        side[spot.point] = spot.across;
        CHECK(spot.along >= 0);
        CHECK(spot.along <= 1);
    }
    const bool up = view->to.x > view->from.x;  // left of the way is above then
    CHECK((up ? side[1] - side[3] : side[3] - side[1]) > 0.4);
    CHECK(view->elements.size() == 1);
    CHECK(view->elements[0].size() == 3);
}

TEST_CASE("across: what is thick enough to be seen, exactly straight, or of one place is not stretched") {
    Geometry input;
    input.points = {{0, 0}, {4, 0}, {2, 1}, {2, 0}};
    CHECK_FALSE(across_view(triangle(input, 0, 1, 2), input, 1e-3));
    CHECK_FALSE(across_view(triangle(input, 0, 1, 3), input, 1e-3));
    CHECK_FALSE(across_view(triangle(input, 0, 0, 0), input, 1e-3));
    CHECK(across_view(triangle(input, 0, 1, 2), input, 2));  // seen from far away
    input.heights = {0, 0, 0, 0};
    CHECK_FALSE(across_view(triangle(input, 0, 1, 2), input, 2));
}
