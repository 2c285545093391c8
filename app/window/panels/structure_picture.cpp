// The structure factor over the plane of wave vectors, below its radial average: rings for disordered points, spots for
// lattices, a dark disc in the middle for hyperuniform ones.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "app/base/number_text.h"
#include "app/window/canvas.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "instruments/scene_statistics.h"
#include "lab/unit_names.h"

namespace flipscope::app {

/// The painted structure factor of one state.
struct StructurePicture {
    Canvas canvas;
    std::shared_ptr<const SceneStatistics> of;
    bool light = false;
    double greatest = 0;  // value of the brightest colour
};

namespace {

/// The 99th percentile of the modes, at least 2: the peaks of a lattice reach n and would leave the rest dark.
double greatest_shown(const std::vector<double>& picture) {
    std::vector<double> sorted = picture;
    const auto at = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() * 99 / 100);
    std::nth_element(sorted.begin(), at, sorted.end());
    return std::max(2.0, std::ceil(*at * 10) / 10);
}

void paint(StructurePicture& shown, const std::vector<double>& picture, const Palette& colors) {
    constexpr int side = StructureFactor::kSide;
    shown.greatest = greatest_shown(picture);
    std::vector<uint8_t> pixels(4 * picture.size());
    const auto byte = [](float part) { return static_cast<uint8_t>(std::lround(255 * std::clamp(part, 0.0f, 1.0f))); };
    const size_t middle = picture.size() / 2;  // k = 0 is excluded; it copies its neighbour
    for (size_t i = 0; i < picture.size(); ++i) {
        const double value = picture[i == middle ? i + 1 : i];
        const Color color = colors.scale({}, std::min(1.0, value / shown.greatest));
        pixels[4 * i] = byte(color.r);
        pixels[4 * i + 1] = byte(color.g);
        pixels[4 * i + 2] = byte(color.b);
        pixels[4 * i + 3] = 255;
    }
    shown.canvas.resize(side, side);
    shown.canvas.smooth(false);
    glTextureSubImage2D(shown.canvas.texture(), 0, 0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
}

void draw_bar(const Ui& ui, double greatest) {
    const float width = ImGui::GetContentRegionAvail().x, height = ui.em(8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const auto stops = ui.colors.scale_stops({});
    const float part = width / static_cast<float>(stops.size() - 1);
    for (size_t k = 0; k + 1 < stops.size(); ++k) {
        const ImU32 from = ImGui::GetColorU32(to_imgui(stops[k])), to = ImGui::GetColorU32(to_imgui(stops[k + 1]));
        draw.AddRectFilledMultiColor({at.x + part * static_cast<float>(k), at.y},
                                     {at.x + part * static_cast<float>(k + 1), at.y + height}, from, to, to, from);
    }
    ImGui::Dummy({width, height});
    const std::string high = "S = " + value_text(greatest) + " and above";
    quiet_text(ui, "0");
    ImGui::SameLine(ImGui::GetCursorPosX() + width - ImGui::CalcTextSize(high.c_str()).x);
    quiet_text(ui, high);
}

}  // namespace

void draw_structure_picture(Ui& ui) {
    const SceneStatistics* const statistics = ui.model.shown.get();
    if (!statistics || statistics->structure().picture.empty()) return;
    const StructureFactor& factor = statistics->structure();
    if (!ui.state.structure) ui.state.structure = std::make_shared<StructurePicture>();
    StructurePicture& shown = *ui.state.structure;
    if (shown.of != ui.model.shown || shown.light != ui.state.light) {
        shown.of = ui.model.shown;
        shown.light = ui.state.light;
        paint(shown, factor.picture, ui.colors);
    }
    const double reach_x = StructureFactor::kModes * factor.step_x, reach_y = StructureFactor::kModes * factor.step_y;
    ImGui::Spacing();
    quiet_text(ui,
               "kx within ±" + value_text(reach_x) + ", ky within ±" + value_text(reach_y) +
                   in_unit(" radians per world unit", ui.model.unit),
               true);
    const float side = std::min(ImGui::GetContentRegionAvail().x, ui.em(320));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::Image(image_of(shown.canvas), {side, side}, {0, 1}, {1, 0});
    if (ImGui::IsItemHovered()) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        constexpr int kSide = StructureFactor::kSide, kModes = StructureFactor::kModes;
        const auto mode = [&](float along) {
            return std::clamp(static_cast<int>(along / side * static_cast<float>(kSide)), 0, kSide - 1);
        };
        const int column = mode(mouse.x - at.x), row = kSide - 1 - mode(mouse.y - at.y);
        const double kx = (column - kModes) * factor.step_x, ky = (row - kModes) * factor.step_y;
        const double value = factor.picture[size_t(row) * kSide + size_t(column)];
        help_for_last(ui, column == kModes && row == kModes
                              ? std::string("k = 0: the number of points, which is left out.")
                              : "S = " + value_text(value) + " at k = (" + value_text(kx) + ", " + value_text(ky) +
                                    "), |k| = " + value_text(std::hypot(kx, ky)) + ": a wave of length " +
                                    value_text(2 * std::numbers::pi / std::hypot(kx, ky)) +
                                    in_unit(" world units.", ui.model.unit));
    }
    draw_bar(ui, shown.greatest);
}

}  // namespace flipscope::app
