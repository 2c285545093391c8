// What is drawn into the window's lists.
#include "app/figures/pen.h"

#include <cmath>

#include "app/figures/curve_plot.h"
#include "imgui_internal.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("window drawing: a band between curves covers the area between them, no more") {
    ImDrawListSharedData shared;
    ImDrawList list(&shared);
    list._ResetForNewFrame();
    const ImFont font;
    ListDrawing drawing(list, font);
    std::vector<Point> lower, upper;
    for (int x = 0; x <= 100; ++x) {  // both bend the same way
        lower.push_back({double(x), 0.01 * x * x});
        upper.push_back({double(x), 5 + 0.01 * x * x});
    }
    drawing.begin_group("Envelope", {Color{1, 1, 1, 0.5f}, {}});
    drawing.band(lower, upper);
    drawing.end_group();
    double area = 0;
    for (int i = 0; i + 2 < list.IdxBuffer.Size; i += 3) {
        const auto at = [&](int k) { return list.VtxBuffer[list.IdxBuffer[i + k]].pos; };
        const ImVec2 a = at(0), b = at(1), c = at(2);
        area += std::fabs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
    }
    CHECK(area == doctest::Approx(500));
}

TEST_CASE("window drawing: a plot draws an envelope as a band, which may bend") {
    struct Watching : NoDrawing {
        size_t places = 0, polygons = 0;
        void band(const std::vector<Point>& one, const std::vector<Point>&) override { places += one.size(); }
        void polygon(const std::vector<Point>&) override { ++polygons; }
    } drawing;
    Curve curve;
    for (int x = 0; x <= 10; ++x) {
        curve.x.push_back(x);
        curve.y.push_back(x * x);
        curve.band_low.push_back(x * x - 1);
        curve.band_high.push_back(x * x + 1);
    }
    draw_curves({drawing, palette(true)}, {0, 0, 300, 200}, {{&curve, "translation", Color{0, 0, 1, 1}}}, {});
    CHECK(drawing.places == 11);
    CHECK(drawing.polygons == 0);
}
