// Hexagons of many elements, and what a plot of them says.
#include "app/figures/scatter_plot.h"

#include <cmath>
#include <random>

#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

Scatter cloud(size_t count) {
    Scatter scatter{Explored("a"), Explored("b"), "m", "", {}, {}, {}, {}, {}, {}, {}};
    std::mt19937 random(3);
    std::lognormal_distribution<double> size(0, 1);
    for (size_t i = 0; i < count; ++i) {
        scatter.x_values.push_back(size(random));
        scatter.y_values.push_back(i % 10 == 0 ? 0 : size(random));
        scatter.ids.push_back(uint32_t(i));
        scatter.selected.push_back(i % 100 == 0);
    }
    scatter.correlation = correlation_of(scatter.x_values, scatter.y_values);
    return scatter;
}

}  // namespace

TEST_CASE("scatter plots: each element is in the hexagon whose middle is nearest, selected or not") {
    const Scatter scatter = cloud(20'000);
    const PlacedScatter placed = place_scatter(scatter, {});
    const HexBins bins = bin_scatter(scatter, placed, 1.5);
    uint64_t count = 0, selected = 0;
    for (const HexBins::Cell& cell : bins.cells) {
        count += cell.count;
        selected += cell.selected;
        CHECK(cell.count <= bins.most);
    }
    CHECK(count == 20'000);
    CHECK(selected == 200);
    // No other middle is nearer than a hexagon's corner.
    for (size_t i = 0; i < 500; ++i) {
        double nearest = INFINITY;
        for (const HexBins::Cell& cell : bins.cells)
            nearest = std::min(
                nearest, std::hypot(placed.places[i].x - cell.middle.x, (placed.places[i].y - cell.middle.y) / 1.5));
        CHECK(nearest <= bins.half.y / 1.5 * (1 + 1e-9));
    }
}

TEST_CASE("scatter plots: a logarithmic axis leaves out what is not above zero, and says so") {
    const Scatter scatter = cloud(1000);
    const PlacedScatter placed = place_scatter(scatter, {true, true});
    CHECK(placed.left_out == 100);
    CHECK(placed.plane.y.logarithmic);
    Scatter flat = scatter;
    for (double& y : flat.y_values) y = -1;
    CHECK(!place_scatter(flat, {false, true}).plane.y.logarithmic);
    const auto drawing = svg_drawing(400, 300, "plot");
    draw_scatter({*drawing, palette(true), 10}, {0, 0, 400, 300}, scatter, placed);
    const std::string svg = drawing->finish();
    CHECK(has(svg, "a (m); 100 elements at or below 0 left out"));
    CHECK(has(svg, "Pearson r"));
    CHECK(scatter_csv(cloud(2)).starts_with("a,b\n"));
}
