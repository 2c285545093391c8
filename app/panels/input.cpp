#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plot.h"
#include "geometry/generators.h"
#include "io/geometry.h"
#include "steps/registry.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

GeneratorSpec spec_of(const UiState& state) {
    GeneratorSpec spec;
    spec.name = generators()[static_cast<size_t>(state.generator)].name;
    spec.count = static_cast<uint64_t>(std::max(state.count, 0));
    spec.seed = state.seed;
    spec.scale = state.generator_scale;
    spec.offset = {state.offset_x, state.offset_y};
    return spec;
}

void label(const Ui& ui, const char* text) {
    ImGui::AlignTextToFramePadding();
    quiet_text(ui, text);
    ImGui::SameLine(ui.em(84));
    ImGui::SetNextItemWidth(-1);
}

bool takes(const AlgorithmInfo& lab, Makes what) {
    switch (what) {
        case Makes::kPoints:
            return true;
        case Makes::kPlanarMesh:
            return lab.takes_meshes || lab.takes_surfaces;
        case Makes::kSurface:
            return lab.takes_surfaces;
    }
    return false;
}

/// Only what the lab takes, under headings where there is more than one kind.
void choose_generator(Ui& ui) {
    static constexpr std::pair<Makes, const char*> kGroups[] = {{Makes::kPoints, "Points"},
                                                                {Makes::kPlanarMesh, "Triangulations of the plane"},
                                                                {Makes::kSurface, "Surfaces in space"}};
    const std::vector<GeneratorInfo>& all = generators();
    int& chosen = ui.state.generator;
    if (!takes(ui.model.info, all[static_cast<size_t>(chosen)].makes)) chosen = 0;
    if (ImGui::BeginCombo("##generator", all[static_cast<size_t>(chosen)].name.c_str(),
                          ImGuiComboFlags_HeightLargest)) {
        for (const auto& [makes, title] : kGroups) {
            bool first = takes(ui.model.info, Makes::kPlanarMesh);
            for (size_t i = 0; i < all.size(); ++i) {
                if (all[i].makes != makes || !takes(ui.model.info, makes)) continue;
                if (first) quiet_text(ui, title);
                first = false;
                if (ImGui::Selectable(all[i].name.c_str(), static_cast<int>(i) == chosen)) chosen = static_cast<int>(i);
                help_for_last(ui, all[i].sentence);
            }
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, all[static_cast<size_t>(chosen)].sentence);
}

void draw_count(Ui& ui, const GeneratorInfo& generator) {
    int& count = ui.state.count;
    const bool mesh = generator.makes != Makes::kPoints;
    const double least = std::max(3.0, static_cast<double>(generator.min_count));
    const double most = std::min(1e7, static_cast<double>(generator.max_count));
    label(ui, mesh ? "Vertices" : "Points");
    ImGui::InputInt("##count", &count, 0);
    help_for_last(ui, std::string(mesh ? "How many vertices" : "How many points") + ". The slider below runs from " +
                          number_text(least) + " to " + number_text(most) + ".");
    label(ui, "");
    auto power = static_cast<float>(std::log10(std::max(count, 1)));
    const auto low = static_cast<float>(std::log10(least)), high = static_cast<float>(std::log10(most));
    if (ImGui::SliderFloat("##count-slider", &power, low, high, "", ImGuiSliderFlags_NoInput)) {
        const double exact = std::pow(10, power), step = std::pow(10, std::max(std::floor(power) - 1, 0.f));
        count = static_cast<int>(std::clamp(std::round(exact / step) * step, least, most));  // two digits are enough
    }
}

void draw_generator(Ui& ui) {
    UiState& state = ui.state;
    label(ui, "Shape");
    choose_generator(ui);
    const GeneratorInfo& generator = generators()[static_cast<size_t>(state.generator)];
    const bool mesh = generator.makes != Makes::kPoints;
    draw_count(ui, generator);
    label(ui, "Seed");
    ImGui::InputScalar("##seed", ImGuiDataType_U64, &state.seed);
    help_for_last(ui, mesh ? "The same seed makes the same mesh, everywhere."
                           : "The same seed makes the same points, everywhere.");
    label(ui, "Scale");
    ImGui::InputDouble("##scale", &state.generator_scale, 0, 0, "%.6g");
    help_for_last(ui, "Every coordinate is multiplied by this.");
    label(ui, "Offset");
    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ui.em(4));
    ImGui::SetNextItemWidth(half);
    ImGui::InputDouble("##x", &state.offset_x, 0, 0, "%.6g");
    help_for_last(ui, "Then moved right by this. Try 1e6 or 1e12: far from the origin, doubles are coarse.");
    ImGui::SameLine(0, ui.em(4));
    ImGui::SetNextItemWidth(half);
    ImGui::InputDouble("##y", &state.offset_y, 0, 0, "%.6g");
    help_for_last(ui, "Then moved up by this.");
    if (ImGui::Button(mesh ? "Make mesh" : "Make points", {-1, 0}))
        ui.session.load(generator_text(spec_of(state)), false);
    help_for_last(ui, mesh ? "Takes this mesh and starts over." : "Takes these points and starts over.");
}

// The algorithms of the registry, of which this file knows nothing else.
void draw_lab(Ui& ui) {
    if (registry().size() < 2) return;
    const bool in_space = ui.session.input() && ui.session.input()->in_space();
    label(ui, "Lab");
    if (ImGui::BeginCombo("##lab", ui.model.info.title.c_str())) {
        for (const RegistryEntry& entry : registry()) {
            const AlgorithmInfo info = entry.make()->info();
            const bool able = info.takes_surfaces || !in_space;
            const ImGuiSelectableFlags flags = able ? 0 : ImGuiSelectableFlags_Disabled;
            if (ImGui::Selectable(info.title.c_str(), info.id == ui.model.info.id, flags) &&
                info.id != ui.model.info.id)
                ui.session.open_lab(info.id);
            help_for_last(ui, info.sentence + "\n" + info.paper +
                                  (able ? "" : "\nIt works in the plane, and what is loaded is a surface in space."));
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, ui.model.info.sentence + "\n" + ui.model.info.paper);
}

void draw_file(Ui& ui) {
    UiState& state = ui.state;
    const float button = ImGui::CalcTextSize("Load").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(-button - ui.em(6));
    const bool entered = ImGui::InputTextWithHint("##file", "a file, or drop one here", &state.file,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ui.layout.file_field = {low.x, low.y, high.x - low.x, high.y - low.y};
    if (ImGui::IsItemHovered()) {
        std::string formats = "Points or a mesh from a file:";
        for (const FormatInfo& format : geometry_formats()) {
            std::string names;
            for (const std::string& extension : format.extensions) names += (names.empty() ? "" : " ") + extension;
            formats += "\n" + names + " \u2013 " + format.sentence;
        }
        tooltip(ui, formats);
    }
    ImGui::SameLine(0, ui.em(6));
    if ((ImGui::Button("Load") || entered) && !state.file.empty()) ui.session.load(state.file, true);
}

std::string size_text(const Ui& ui) {
    const auto& input = ui.session.input();
    const std::string count = number_text(static_cast<double>(ui.model.input_count));
    if (!input || input->triangles.empty()) return count + " points";
    const std::string triangles = number_text(static_cast<double>(input->triangles.size())) + " triangles";
    return ui.model.info.takes_meshes ? count + " vertices, " + triangles : count + " points, without their mesh";
}

}  // namespace

void draw_input_panel(Ui& ui) {
    begin_panel(ui, "input", ui.layout.left, true);
    if (section(ui, "Input")) {
        const std::string present = ui.model.input_name.empty() ? "no points yet" : ui.model.input_name;
        ImGui::TextUnformatted(elided(present, ImGui::GetContentRegionAvail().x).c_str());
        help_for_last(ui, ui.model.source_text);
        quiet_text(ui, size_text(ui));
        ImGui::Spacing();
        draw_lab(ui);
        draw_generator(ui);
        ImGui::Spacing();
        draw_file(ui);
        ImGui::Spacing();
    }
    if (section(ui, "Parameters")) draw_parameters(ui);
    if (section(ui, "View", ui.model.scene.in_space)) draw_view(ui);
    ImGui::End();
}

}  // namespace flipscope::app
