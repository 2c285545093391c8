// Plots of every width, without a window: they divide by their width, and loop with strides that depend on it.
#include <doctest/doctest.h>

#include "app/figures/pen.h"
#include "app/window/plot.h"

using namespace flipscope::app;

namespace {

/// Dear ImGui alone, for one frame after the other.
class PlotStage {
  public:
    PlotStage() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {600, 400};
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        ImGui::GetStyle().WindowMinSize = {1, 1};
        ImFont* const font = io.Fonts->Fonts[0];
        fonts = {font, font, font, font, font};
    }
    ~PlotStage() { ImGui::DestroyContext(); }

    /// Draws into a window this wide, whose content is that less the padding, or less than nothing.
    template <class Draw>
    void draw(float width, const Draw& what) {
        ImGui::NewFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({width, 300});
        ImGui::Begin("room", nullptr, ImGuiWindowFlags_NoDecoration);
        what();
        ImGui::End();
        ImGui::Render();
    }
    Fonts fonts;
};

PlotSeries series(size_t count, bool lines) {
    PlotSeries series;
    series.x_name = "pass";
    series.lines = lines;
    series.counted = true;
    series.shown = count / 2;
    for (const char* name : {"flipped", "illegal"}) {
        series.of.push_back({name, {}});
        for (size_t i = 0; i < count; ++i) series.of.back().values.push_back(1 + static_cast<double>(i * i % 97));
    }
    return series;
}

}  // namespace

TEST_CASE("plots: there is an end to drawing them in every width, also where axes leave no room at all") {
    PlotStage stage;
    const Palette& colors = palette(false);
    for (const float scale : {0.5f, 1.f, 2.5f})
        for (const bool logarithmic : {false, true}) {
            const PlotStyle display{colors, stage.fonts, colors.accent, colors.error, scale, {false, logarithmic}};
            for (const size_t count : {1, 7, 40, 100'000})
                for (const bool lines : {false, true}) {
                    const PlotSeries given = series(count, lines);
                    // All of them for few values: the width at which an axis is as wide as the plot is one of these.
                    for (float width = 1; width<200; width += count> 1000 ? 23 : 1)
                        stage.draw(width, [&] { draw_plot("plot", given, display, 40 * scale); });
                    stage.draw(120, [&] { draw_plot("plot", given, display, 1); });
                }
            flipscope::Distribution bins{"squares", "", "°", 0, 60, {}, {}};
            const double unit = logarithmic ? 1 : 0.001;  // whole numbers, or parts of one
            for (int i = 0; i < 60; ++i) bins.now.push_back(unit * i * i), bins.before.push_back(unit * i);
            for (float width = 1; width < 200; ++width)
                stage.draw(width, [&] {
                    draw_bins("bins", bins, display, 40 * scale);
                    draw_rose("rose", bins, display, 40 * scale);
                });
            stage.draw(120, [&] {
                draw_bins("bins", bins, display, 1);
                draw_rose("rose", bins, display, 1);
            });
        }
}

TEST_CASE("plots: on a display of density 2 fonts have twice the pixels, and text on the screen the same size") {
    PlotStage stage;
    const ImFont& font = *ImGui::GetIO().Fonts->Fonts[0];
    const double whole = ListDrawing::font_size(font);
    ImGui::GetIO().FontGlobalScale = 0.5f;
    CHECK(ListDrawing::font_size(font) == doctest::Approx(0.5 * whole));
}
