// The lab's parameters and what is drawn of its scene. This file knows no parameter by name: it shows what is listed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plot.h"
#include "steps/facts.h"

namespace flipscope::app {

namespace {

/// Three digits are what a slider can tell apart; a typed number keeps all of its own.
double rounded_for_slider(double value, double least, double most) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::clamp(std::strtod(text, nullptr), least, most);
}

void edit_integer(Session& session, size_t i, const ParameterDescription& parameter, const std::string& value) {
    int number = std::atoi(value.c_str());
    const bool wide = parameter.most > 1000;
    if (ImGui::SliderInt(("##" + parameter.name).c_str(), &number, static_cast<int>(parameter.least),
                         static_cast<int>(parameter.most), "%d",
                         ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0)))
        session.set_parameter(i, std::to_string(number));
}

void edit_number(Session& session, size_t i, const ParameterDescription& parameter, const std::string& value) {
    double number = std::strtod(value.c_str(), nullptr);
    const double least = parameter.least, most = parameter.most;
    // Over many decades small values get their share of the way. The value in use decides, so that the scale stays as
    // it is under the mouse.
    const double used = std::strtod(parameter.value.c_str(), nullptr);
    const bool wide = least >= 0 && (least > 0 ? most > 1000 * least : used > 0 && used < 0.01 * most);
    if (!ImGui::SliderScalar(("##" + parameter.name).c_str(), ImGuiDataType_Double, &number, &least, &most, "%.6g",
                             ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0)))
        return;
    if (ImGui::IsMouseDown(0)) number = rounded_for_slider(number, least, most);
    session.set_parameter(i, format_exactly(number));
}

void edit_choice(const Ui& ui, size_t i, const ParameterDescription& parameter, const std::string& value) {
    if (!ImGui::BeginCombo(("##" + parameter.name).c_str(), value.c_str(), ImGuiComboFlags_HeightLarge)) return;
    for (const ParameterVisitor::Option& option : parameter.options) {
        if (ImGui::Selectable(option.name.c_str(), option.name == value)) ui.session.set_parameter(i, option.name);
        help_for_last(ui, option.sentence);
    }
    ImGui::EndCombo();
}

std::string sentence_of_option(const ParameterDescription& parameter, const std::string& value) {
    for (const ParameterVisitor::Option& option : parameter.options)
        if (option.name == value && !option.sentence.empty()) return "\n" + value + ": " + option.sentence;
    return "";
}

}  // namespace

void draw_parameters(Ui& ui) {
    Session& session = ui.session;
    const LabModel& model = ui.model;
    using Kind = ParameterDescription::Kind;
    for (size_t i = 0; i < model.parameters.size(); ++i) {
        const ParameterDescription& parameter = model.parameters[i];
        const std::string value = session.parameter(i);
        const bool changed = value != parameter.value;
        std::string help = parameter.sentence + sentence_of_option(parameter, value) +
                           (changed ? "\nNow: " + parameter.value + ". Starts over to change." : "");
        if (changed) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.warning));
        if (parameter.kind == Kind::kToggle) {
            bool on = value == "on";
            if (ImGui::Checkbox((parameter.title + "##" + parameter.name).c_str(), &on))
                session.set_parameter(i, on ? "on" : "off");
        } else {
            quiet_text(ui, parameter.title);
            help_for_last(ui, help);
            ImGui::SetNextItemWidth(-1);
            if (parameter.kind == Kind::kChoice) {
                edit_choice(ui, i, parameter, value);
            } else {
                help += "\n" + parameter.range() + ". Ctrl+click to type a number.";
                if (parameter.kind == Kind::kInteger)
                    edit_integer(session, i, parameter, value);
                else
                    edit_number(session, i, parameter, value);
            }
        }
        if (changed) ImGui::PopStyleColor();
        help_for_last(ui, help);
    }
    if (model.parameters.empty()) return quiet_text(ui, "This lab has none.");
    const bool changed = session.parameters_changed();
    ImGui::BeginDisabled(!changed);
    if (ImGui::Button("Start over with these", {-1, 0})) session.restart();
    ImGui::EndDisabled();
    help_for_last(ui, "Parameters take effect from the start (R).");
    if (changed && ImGui::Button("Keep the old ones", {-1, 0})) session.drop_drafts();
}

void draw_view(Ui& ui) {
    Look& look = ui.state.look;
    const bool space = ui.model.scene.in_space;
    const auto key_of_last = [&](const char* key, const std::string& help) {
        help_for_last(ui, help + " (" + key + ")");
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        right_number(ui, key, true);
    };
    const auto toggle = [&](const char* name, bool& on, const char* key, const std::string& help) {
        const bool changed = ImGui::Checkbox(name, &on);
        key_of_last(key, help);
        return changed && on;
    };
    toggle("Triangles", look.fills, "S", space ? "The surface, with a light on it" : "The triangles' insides");
    toggle("Edges", look.edges, "W", space ? "The wireframe" : "The edges, coloured by what happens to them");
    toggle("Points", look.points, "D", "The vertices");
    if (toggle("Smallest angles", look.angles, "A",
               "Colours each triangle by its smallest angle: thin ones stand out, good ones stay quiet"))
        look.fills = true;
    if (!space) return;
    const float key_width = ui.em(24);
    if (ImGui::Button("From another side", {ImGui::GetContentRegionAvail().x - key_width, 0})) next_view(ui.state);
    key_of_last("T", "Goes through the views from a corner, the front, the right side and the top");
}

}  // namespace flipscope::app
