#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plot.h"
#include "geometry/generators.h"
#include "io/points.h"
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

void draw_generator(Ui& ui) {
    UiState& state = ui.state;
    const std::vector<GeneratorInfo>& all = generators();
    label(ui, "Shape");
    if (ImGui::BeginCombo("##generator", all[static_cast<size_t>(state.generator)].name.c_str())) {
        for (size_t i = 0; i < all.size(); ++i) {
            if (ImGui::Selectable(all[i].name.c_str(), static_cast<int>(i) == state.generator))
                state.generator = static_cast<int>(i);
            help_for_last(ui, all[i].sentence);
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, all[static_cast<size_t>(state.generator)].sentence);
    label(ui, "Points");
    ImGui::InputInt("##count", &state.count, 0);
    help_for_last(ui, "How many points. The slider below runs from 3 to ten million.");
    label(ui, "");
    float power = std::log10(static_cast<float>(std::max(state.count, 1)));
    if (ImGui::SliderFloat("##count-slider", &power, 0.5f, 7, "", ImGuiSliderFlags_NoInput)) {
        const double exact = std::pow(10, power), step = std::pow(10, std::max(std::floor(power) - 1, 0.f));
        state.count = static_cast<int>(std::round(exact / step) * step);  // two digits are enough
    }
    label(ui, "Seed");
    ImGui::InputScalar("##seed", ImGuiDataType_U64, &state.seed);
    help_for_last(ui, "The same seed makes the same points, everywhere.");
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
    if (ImGui::Button("Make points", {-1, 0})) ui.session.load(generator_text(spec_of(state)), false);
    help_for_last(ui, "Takes these points and starts over.");
}

// The algorithms of the registry, of which this file knows nothing else.
void draw_lab(Ui& ui) {
    if (registry().size() < 2) return;
    label(ui, "Lab");
    if (ImGui::BeginCombo("##lab", ui.model.info.title.c_str())) {
        for (const RegistryEntry& entry : registry()) {
            const AlgorithmInfo info = entry.make()->info();
            if (ImGui::Selectable(info.title.c_str(), info.id == ui.model.info.id) && info.id != ui.model.info.id)
                ui.session.open_lab(info.id);
            help_for_last(ui, info.sentence + "\n" + info.paper);
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
        std::string formats = "Points from a file:";
        for (const FormatInfo& format : point_formats()) {
            std::string names;
            for (const std::string& extension : format.extensions) names += (names.empty() ? "" : " ") + extension;
            formats += "\n" + names + " \u2013 " + format.sentence;
        }
        tooltip(ui, formats);
    }
    ImGui::SameLine(0, ui.em(6));
    if ((ImGui::Button("Load") || entered) && !state.file.empty()) ui.session.load(state.file, true);
}

}  // namespace

void draw_input_panel(Ui& ui) {
    begin_panel(ui, "input", ui.layout.left, true);
    if (section(ui, "Input")) {
        const std::string present = ui.model.input_name.empty() ? "no points yet" : ui.model.input_name;
        ImGui::TextUnformatted(elided(present, ImGui::GetContentRegionAvail().x).c_str());
        help_for_last(ui, ui.model.source_text);
        quiet_text(ui, number_text(static_cast<double>(ui.model.input_count)) + " points");
        ImGui::Spacing();
        draw_lab(ui);
        draw_generator(ui);
        ImGui::Spacing();
        draw_file(ui);
        ImGui::Spacing();
    }
    if (section(ui, "Parameters")) draw_parameters(ui);
    ImGui::End();
}

void draw_parameters(Ui& ui) {
    Session& session = ui.session;
    const LabModel& model = ui.model;
    using Kind = ParameterDescription::Kind;
    for (size_t i = 0; i < model.parameters.size(); ++i) {
        const ParameterDescription& parameter = model.parameters[i];
        const std::string value = session.parameter(i);
        const bool changed = value != parameter.value;
        const std::string id = "##" + parameter.name;
        const std::string help =
            parameter.sentence + (changed ? "\nNow: " + parameter.value + ". Starts over to change." : "");
        if (changed) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.warning));
        if (parameter.kind == Kind::kToggle) {
            bool on = value == "on";
            if (ImGui::Checkbox((parameter.title + id).c_str(), &on)) session.set_parameter(i, on ? "on" : "off");
            help_for_last(ui, help);
        } else if (parameter.kind == Kind::kChoice) {
            quiet_text(ui, parameter.title);
            help_for_last(ui, help);
            ImGui::SetNextItemWidth(-1);
            if (ImGui::BeginCombo(id.c_str(), value.c_str())) {
                for (const ParameterVisitor::Option& option : parameter.options) {
                    if (ImGui::Selectable(option.name.c_str(), option.name == value))
                        session.set_parameter(i, option.name);
                    help_for_last(ui, option.sentence);
                }
                ImGui::EndCombo();
            }
            help_for_last(ui, help);
        } else {
            quiet_text(ui, parameter.title);
            help_for_last(ui, help);
            int number = std::atoi(value.c_str());
            ImGui::SetNextItemWidth(-1);
            const bool wide = parameter.most > 1000;
            if (ImGui::SliderInt(id.c_str(), &number, parameter.least, parameter.most, "%d",
                                 ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0)))
                session.set_parameter(i, std::to_string(number));
            help_for_last(ui, help + "\nCtrl+click to type a number.");
        }
        if (changed) ImGui::PopStyleColor();
    }
    if (model.parameters.empty()) return quiet_text(ui, "This lab has none.");
    const bool changed = session.parameters_changed();
    ImGui::BeginDisabled(!changed);
    if (ImGui::Button("Start over with these", {-1, 0})) session.restart();
    ImGui::EndDisabled();
    help_for_last(ui, "Parameters take effect from the start (R).");
    if (changed && ImGui::Button("Keep the old ones", {-1, 0})) session.drop_drafts();
}

}  // namespace flipscope::app
