// The structures that every triangulation in the plane has, as toggles, and the sliders of β and α.
#include <algorithm>

#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "compute/text.h"
#include "instruments/exploration.h"

namespace flipscope::app {

namespace {

/// A logarithmic slider from `least` to `most`.
void choose_number(Ui& ui, const char* name, double& number, double least, double most, const std::string& help) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name);
    ImGui::SameLine();
    SliderStyle style{name, format_short(number), ImGui::GetContentRegionAvail().x, ui.em(50)};
    slider_beside_number(ui, style, ImGuiDataType_Double, &number, &least, &most,
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    help_for_last(ui, help);
}

void draw_structures(Ui& ui) {
    DisplayOptions& display = ui.state.display;
    const Scoped font(ui.fonts.small);
    for (const StructureInfo& info : structure_infos()) {
        bool shown = display.shows(info.id, false);
        if (ImGui::Checkbox((std::string(info.title) + "##" + info.id).c_str(), &shown)) display.show(info.id, shown);
        help_for_last(
            ui, std::string(info.sentence) + (info.of_delaunay ? ". Shown where the triangulation is Delaunay." : "."));
        if (!shown) continue;
        if (info.kind == StructureKind::kSkeleton)
            choose_number(ui, "β", display.beta, 0.1, 10,
                          "1: the Gabriel graph; 2: the relative neighbourhood graph. Ctrl+click types a number.");
        if (info.kind == StructureKind::kAlphaShape) {
            const double spacing = mean_spacing(ui.model.scene);
            double alpha = display.alpha > 0 ? display.alpha : spacing;
            const double before = alpha;
            choose_number(ui, "α", alpha, spacing / 10, spacing * 10,
                          "The radius of the empty circles, in units of the coordinates. Ctrl+click types a number.");
            if (alpha != before) display.alpha = alpha;
        }
        if (!ui.model.scene.layer(info.id) && info.of_delaunay)
            quiet_text(ui, "Not shown while the triangulation is not Delaunay.", true);
    }
}

}  // namespace

const PanelSection structures_section{"Structures", draw_structures,
                                      [](const Ui& ui) { return ui.model.scene.mesh && !ui.model.scene.in_space; },
                                      [](const Ui&) { return false; }};

}  // namespace flipscope::app
