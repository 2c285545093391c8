// The lab's parameters and the visible layers, as listed; this file knows no parameter by name.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "app/view/density.h"
#include "app/view/display.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "compute/error.h"
#include "geometry/places.h"
#include "lab/parameters.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

Override override_of(const Session& session, size_t parameter) {
    const LabModel& model = session.model();
    const std::shared_ptr<const Geometry>& input = session.input();
    if (!input) return {};
    const LatticeLayer lattice = model.scene.lattice();
    const auto value_of = [&](const std::string& name) {
        for (size_t k = 0; k < model.parameters.size(); ++k)
            if (model.parameters[k].name == name) return session.parameters().value(k);
        throw std::logic_error("there is no parameter " + name);
    };
    return flipscope::override_of(model.parameters[parameter], {*input, value_of, lattice.width, lattice.height});
}

namespace {

/// A slider resolves three digits; a typed number keeps all of its own.
double rounded_for_slider(double value, double least, double most) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::clamp(std::strtod(text, nullptr), least, most);
}

constexpr const char* kWidestNumber = "8888888";

/// Across the row, with the number flush right.
SliderStyle slider_style(const ParameterDescription& parameter, const std::string& text) {
    const float room = ImGui::GetContentRegionAvail().x;
    const float number = std::min(ImGui::CalcTextSize(kWidestNumber).x, 0.5f * room);
    return {parameter.name, elided(text, number), room, number, "%.6g", true};
}

/// Whether a word replaces the number; when it is switched off, the number starts at the current value.
bool edit_word(Ui& ui, size_t i, const ParameterDescription& parameter, const std::string& value) {
    bool on = value == parameter.word;
    const std::string left = on ? override_of(ui.session, i).value : "";
    if (ImGui::Checkbox((parameter.word + "##word of " + parameter.name).c_str(), &on))
        ui.session.parameters().set(i, on             ? parameter.word
                                       : left.empty() ? format_exactly(std::clamp(1.0, parameter.least, parameter.most))
                                                      : left);
    return on;
}

void edit_integer(Ui& ui, size_t i, const ParameterDescription& parameter, const std::string& value) {
    int number = std::atoi(value.c_str());
    const int least = static_cast<int>(parameter.least), most = static_cast<int>(parameter.most);
    const bool wide = parameter.most > 1000;
    SliderStyle style = slider_style(parameter, std::to_string(number));
    style.typed = "%d";
    if (slider_beside_number(ui, style, ImGuiDataType_S32, &number, &least, &most,
                             ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0)))
        ui.session.parameters().set(i, std::to_string(number));
}

/// Sizes, and numbers whose range is too wide for a slider or a drag.
bool is_typed(const ParameterDescription& parameter) {
    using Kind = ParameterDescription::Kind;
    return parameter.kind == Kind::kSize ||
           (parameter.kind == Kind::kNumber && parameter.most - parameter.least > 1e20);
}

/// Shows all digits, or hexadecimal, as on the command line. Malformed text is an error and changes nothing.
void type_number(Ui& ui, size_t i, const ParameterDescription& parameter, const std::string& value) {
    UiState& state = ui.state;
    const bool typing = state.typed_parameter == parameter.name;
    std::string shown = value;
    std::string& text = typing ? state.typed_text : shown;
    ImGui::SetNextItemWidth(-1);
    ImGui::InputText(("##" + parameter.name).c_str(), &text, ImGuiInputTextFlags_AutoSelectAll);
    if (ImGui::IsItemActivated() && !typing) {
        state.typed_text = value;
        state.typed_parameter = parameter.name;
    } else if (typing && ImGui::IsItemDeactivated()) {
        state.typed_parameter.clear();
        if (!ImGui::IsItemDeactivatedAfterEdit() || state.typed_text == value) return;
        try {
            require_value({parameter}, ui.model.info.id, parameter.name, state.typed_text);
            ui.session.parameters().set(i, parameter.kind == ParameterDescription::Kind::kSize
                                               ? text_of_size(size_of_text(state.typed_text).value())
                                               : format_exactly(std::strtod(state.typed_text.c_str(), nullptr)));
        } catch (const Error& error) {
            ui.session.reply(Message::Kind::kError, error.what());
        }
    }
}

void edit_number(Ui& ui, size_t i, const ParameterDescription& parameter, const std::string& value) {
    Session& session = ui.session;
    double number = std::strtod(value.c_str(), nullptr);
    const double least = parameter.least, most = parameter.most;
    // Over many decades the slider is logarithmic. That depends on the value in use, so that the scale does not change
    // during a drag.
    const double used = std::strtod(parameter.value.c_str(), nullptr);
    const bool wide = least >= 0 && (least > 0 ? most > 1000 * least : used > 0 && used < 0.01 * most);
    if (is_typed(parameter)) return type_number(ui, i, parameter, value);
    if (least < 0 && most - least > 1e5 * std::max(std::abs(used), 1e-3)) {
        // The range is too long for a slider: dragging changes the number by fractions of itself.
        const auto speed = static_cast<float>(0.005 * std::max(std::abs(number), 1e-3));
        ImGui::SetNextItemWidth(-1);
        if (ImGui::DragScalar(("##" + parameter.name).c_str(), ImGuiDataType_Double, &number, speed, &least, &most,
                              "%.6g", ImGuiSliderFlags_AlwaysClamp))
            session.parameters().set(
                i, format_exactly(ImGui::IsMouseDown(0) ? rounded_for_slider(number, least, most) : number));
        return;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", number);
    if (!slider_beside_number(ui, slider_style(parameter, text), ImGuiDataType_Double, &number, &least, &most,
                              ImGuiSliderFlags_AlwaysClamp | (wide ? ImGuiSliderFlags_Logarithmic : 0)))
        return;
    if (ImGui::IsMouseDown(0)) number = rounded_for_slider(number, least, most);
    session.parameters().set(i, format_exactly(number));
}

void edit_choice(const Ui& ui, size_t i, const ParameterDescription& parameter, const std::string& value) {
    if (!ImGui::BeginCombo(("##" + parameter.name).c_str(), value.c_str(), ImGuiComboFlags_HeightLarge)) return;
    for (const ParameterVisitor::Option& option : parameter.options) {
        if (list_option(ui, option.name, option.name == value)) ui.session.parameters().set(i, option.name);
        help_for_last(ui, option.sentence);
    }
    ImGui::EndCombo();
}

std::string sentence_of_option(const ParameterDescription& parameter, const std::string& value) {
    for (const ParameterVisitor::Option& option : parameter.options)
        if (option.name == value && !option.sentence.empty()) return "\n" + value + ": " + option.sentence;
    return "";
}

constexpr size_t kFew = 14;  // parameters visible without much scrolling

bool is_changed(const Ui& ui, size_t i) { return ui.session.parameters().value(i) != ui.model.parameters[i].value; }

/// An overridden parameter: shows the effective value, disabled.
void draw_decided(const Ui& ui, const ParameterDescription& parameter, const Override& decided) {
    const std::string help = decided.why + "\n" + parameter.sentence;
    ImGui::BeginDisabled();
    if (parameter.kind == ParameterDescription::Kind::kToggle) {
        bool on = decided.value == "on";
        const float room = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ui.em(8);
        ImGui::Checkbox((elided(parameter.title, room) + "##" + parameter.name).c_str(), &on);
    } else {
        quiet_text(ui, elided(parameter.title));
        help_for_last(ui, help);
        const std::string value = decided.value.empty() ? "\u2013" : decided.value;
        const Scoped alignment(ImGuiStyleVar_ButtonTextAlign, {0.5f, 0.5f});
        ImGui::Button((elided(value) + "##" + parameter.name).c_str(), {-1, 0});
    }
    ImGui::EndDisabled();
    help_for_last(ui, help);
}

void draw_parameter(Ui& ui, size_t i) {
    using Kind = ParameterDescription::Kind;
    Session& session = ui.session;
    const Override decided = override_of(session, i);
    if (decided && !decided.in_part) return draw_decided(ui, ui.model.parameters[i], decided);
    const ParameterDescription& parameter = ui.model.parameters[i];
    const std::string value = session.parameters().value(i);
    const bool changed = value != parameter.value;
    std::string help =
        parameter.sentence + sentence_of_option(parameter, value) +
        (!changed                             ? ""
         : session.parameters().can_change(i) ? "\nNow: " + parameter.value + ". Change it now, or start over with it."
                                              : "\nNow: " + parameter.value + ". Start over to change it.");
    if (decided) help += "\n" + decided.why + (decided.value.empty() ? "" : " That is " + decided.value + ".");
    if (changed) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.warning));
    if (parameter.kind == Kind::kToggle) {
        bool on = value == "on";
        const float room = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - ui.em(8);
        if (ImGui::Checkbox((elided(parameter.title, room) + "##" + parameter.name).c_str(), &on))
            session.parameters().set(i, on ? "on" : "off");
    } else {
        const std::string comes_to = decided.value.empty() ? "" : ", " + value + " = " + decided.value;
        quiet_text(ui, elided(parameter.title + comes_to));
        help_for_last(ui, help);
        ImGui::SetNextItemWidth(-1);
        if (parameter.kind == Kind::kChoice) {
            edit_choice(ui, i, parameter, value);
        } else {
            help += "\n" + parameter.range() +
                    (is_typed(parameter) ? ". Type decimal digits, or hexadecimal ones as 0x1.8p-1."
                                         : ". Ctrl+click to type a number.");
            const bool has_word = !parameter.word.empty();
            const bool is_word = has_word && (edit_word(ui, i, parameter, value) || value == parameter.word);
            if (has_word && !is_word) ImGui::SetNextItemWidth(-1);
            if (!is_word && parameter.kind == Kind::kInteger)
                edit_integer(ui, i, parameter, value);
            else if (!is_word)
                edit_number(ui, i, parameter, value);
        }
    }
    if (changed) ImGui::PopStyleColor();
    help_for_last(ui, help);
}

/// A foldable group heading; returns whether the group is open. A dot marks changed parameters in it.
bool group_heading(Ui& ui, const std::string& title, bool open, bool changed) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight() + ui.em(6);
    const bool shown = folding_heading(("group/" + ui.model.info.id + "/" + title).c_str(), height, open);
    const ImU32 color = packed(ImGui::IsItemHovered() ? ui.colors.accent : ui.colors.text);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float r = ui.em(4), x = at.x + r + ui.em(1), y = at.y + 0.5f * height;
    if (shown)
        draw.AddTriangleFilled({x - r, y - 0.6f * r}, {x + r, y - 0.6f * r}, {x, y + 0.8f * r}, color);
    else
        draw.AddTriangleFilled({x - 0.6f * r, y - r}, {x + 0.8f * r, y}, {x - 0.6f * r, y + r}, color);
    draw.AddText({at.x + ui.em(16), at.y + ui.em(3)}, color, title.c_str());
    if (changed) draw.AddCircleFilled({at.x + width - ui.em(8), y}, ui.em(3.5f), packed(ui.colors.warning), 16);
    return shown;
}

void draw_parameters(Ui& ui) {
    const std::vector<ParameterDescription>& all = ui.model.parameters;
    if (all.empty()) return quiet_text(ui, "This lab has none.");
    for (size_t begin = 0; begin < all.size();) {
        size_t end = begin;
        bool changed = false;
        for (; end < all.size() && all[end].group == all[begin].group; ++end) changed |= is_changed(ui, end);
        const std::string& group = all[begin].group;
        // With many parameters, only the first group starts open.
        if (group.empty() || group_heading(ui, group, begin == 0 || all.size() <= kFew, changed))
            for (size_t i = begin; i < end; ++i) draw_parameter(ui, i);
        begin = end;
    }
}

}  // namespace

const PanelSection parameters_section{"Parameters", draw_parameters};

namespace {

/// Titles of the changed parameters that can change during the run, or cannot: "Δt and Diffusion D".
std::string titles_of_changed(const Ui& ui, bool during_run) {
    std::vector<std::string> titles;
    for (size_t i = 0; i < ui.model.parameters.size(); ++i)
        if (is_changed(ui, i) && ui.session.parameters().can_change(i) == during_run)
            titles.push_back(ui.model.parameters[i].title);
    return join_words(titles, " and ");
}

}  // namespace

void draw_restart(Ui& ui) {
    const bool changed = ui.session.parameters().has_drafts();
    if (ui.session.parameters().can_change_now()) {
        if (ImGui::Button("Change now", {-1, 0})) ui.session.parameters().change_now();
        const std::string waits = titles_of_changed(ui, false);
        help_for_last(ui, "Changes " + titles_of_changed(ui, true) +
                              " at the end of this round, as a step that Ctrl+Z takes back." +
                              (waits.empty() ? "" : "\n" + waits + ": from the start only."));
    }
    ImGui::BeginDisabled(!changed);
    if (ImGui::Button("Start over with these", {-1, 0})) ui.session.opener().restart();
    ImGui::EndDisabled();
    help_for_last(ui, "Parameters take effect from the start (R).");
    if (changed && ImGui::Button("Keep the old ones", {-1, 0})) ui.session.parameters().drop_drafts();
}

static void draw_view(Ui& ui) {
    DisplayOptions& display = ui.state.display;
    const bool space = ui.model.scene.in_space;
    const auto key_of_last = [&](const char* key, const std::string& help) {
        if (!*key) return help_for_last(ui, help);
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
    const auto toggle_display = [&](const std::string& name, const std::string& id, bool shown, const char* key,
                                    const std::string& help) {
        bool on = shown;
        toggle(name.c_str(), on, key, help);
        if (on != shown) display.show(id, on);
    };
    // A toggle for each layer, in drawing order.
    for (const Layer* layer : ui.model.scene.toggles())
        if (layer->present())
            toggle_display(layer->title + "##" + layer->id, layer->id, display.shows(layer->id, layer->shown),
                           layer_key(layer->id), layer->sentence);
    if (ui.model.scene.mesh && !space) {
        toggle_display("Ids and names", kIdsDisplay, display.shows(kIdsDisplay, false), "Y",
                       "Labels of the points, edges and triangles in view, where these are few");
        const auto [lifted, upper] = paraboloid_choice(display);
        toggle_display("Paraboloid", Paraboloid::kName, lifted, "H",
                       "The points lifted to z = x² + y², in space beside the plane");
        if (lifted)
            toggle_display("Upper hull", Paraboloid::kUpperHull, upper, "Ctrl+H",
                           "Its shadow is the furthest-point Delaunay triangulation");
    }
    if (can_show_density(ui.model.scene)) {
        const auto known = display.layers.find(kDensityDisplay);
        int chosen = known == display.layers.end() ? 0 : known->second ? 1 : 2;
        ImGui::SetNextItemWidth(-1);
        constexpr std::array kShown{"Density where crowded", "Density always", "Density never"};
        if (ImGui::BeginCombo("##density", kShown.at(static_cast<size_t>(chosen)))) {
            const int before = chosen;
            for (int i = 0; i < 3; ++i)
                if (list_option(ui, kShown.at(static_cast<size_t>(i)), i == before)) chosen = i;
            ImGui::EndCombo();
            if (chosen != before) display.layers.erase(kDensityDisplay);
            if (chosen != before && chosen > 0) display.show(kDensityDisplay, chosen == 1);
        }
        help_for_last(ui, "How densely points lie, in the place of elements that are smaller than pixels");
    }
    if (!has_triangles(ui.model.scene) && !ui.model.info.makes_triangles) return;
    if (toggle("Minimum angles", display.angles, "A",
               "Colours each triangle by its minimum angle: thin ones are emphasised"))
        show_angles(display, ui.model.scene, true);
    if (!space) return;
    const float key_width = ui.em(24);
    if (ImGui::Button("From another side", {ImGui::GetContentRegionAvail().x - key_width, 0})) next_view(ui);
    key_of_last("T", "Goes through the views from a corner, the front, the right side and the top");
}

const PanelSection view_section{"View", draw_view, nullptr,
                                [](const Ui& ui) { return ui.model.scene.in_space || ui.model.scene.lattice(); }};

}  // namespace flipscope::app
