// What is drawn into the window's lists.
#include "app/figures/pen.h"

#include <cmath>

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
