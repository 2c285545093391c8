// Curves of this state: the lab's own and its distributions, with the kept ones of earlier runs.
#include <algorithm>
#include <utility>
#include <variant>

#include "app/run/overlay.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/plot.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

constexpr size_t kMostKept = 12;

/// All curves of this state, the lab's own first.
std::vector<Curve> curves_now(const LabModel& model) {
    std::vector<Curve> curves = model.statistics.all<Curve>();
    for (const Section& section : model.statistics.sections)
        if (const auto* distribution = std::get_if<Distribution>(&section.content))
            for (Curve& curve : curves_of(*distribution)) curves.push_back(std::move(curve));
    return curves;
}

/// The parameters that differ between `all`, with the values of `of`: "packing=0.5, seed=2".
std::string differences(const KeptCurves& of, const std::vector<const KeptCurves*>& all) {
    std::string text;
    for (size_t i = 0; i < of.parameters.size(); ++i) {
        const bool alike = std::ranges::all_of(all, [&](const KeptCurves* other) {
            return i >= other->parameters.size() || other->parameters[i] == of.parameters[i];
        });
        if (!alike) text += (text.empty() ? "" : ", ") + of.parameters[i].name + "=" + of.parameters[i].value;
    }
    const bool one_source =
        std::ranges::all_of(all, [&](const KeptCurves* other) { return other->source == of.source; });
    if (!one_source) text += (text.empty() ? "" : ", ") + of.source;
    return text;
}

/// The kept curves of this lab.
std::vector<const KeptCurves*> kept_of(const Ui& ui) {
    std::vector<const KeptCurves*> all;
    for (const KeptCurves& kept : ui.state.kept)
        if (kept.lab == ui.model.info.id) all.push_back(&kept);
    return all;
}

/// Names of the current and the kept curves of this lab, without duplicates.
std::vector<std::string> names_of(const Ui& ui, const std::vector<Curve>& now) {
    std::vector<std::string> names;
    const auto add = [&](const std::vector<Curve>& curves) {
        for (const Curve& curve : curves)
            if (std::ranges::find(names, curve.name) == names.end()) names.push_back(curve.name);
    };
    add(now);
    for (const KeptCurves* kept : kept_of(ui)) add(kept->curves);
    return names;
}

/// The chosen name if it exists, else the first.
std::string chosen_of(const Ui& ui, const std::vector<std::string>& names) {
    if (names.empty()) return {};
    return std::ranges::find(names, ui.state.curve) == names.end() ? names.front() : ui.state.curve;
}

/// The current curves, rebuilt after each measurement instead of every frame.
const KeptCurves& present(const Ui& ui) {
    const LabModel& model = ui.model;
    KeptCurves& now = ui.state.present;
    if (std::exchange(ui.state.present_of, model.measured) != model.measured) now.curves = curves_now(model);
    now.lab = model.info.id;
    now.source = ui.session.loader().present().source;
    now.parameters = values_of(model.parameters);
    now.position = model.position;
    return now;
}

void choose_curve(Ui& ui, const std::vector<std::string>& names) {
    const std::string chosen = chosen_of(ui, names);
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##curve", capitalised(chosen).c_str(), ImGuiComboFlags_HeightLarge)) return;
    for (const std::string& name : names)
        if (list_option(ui, name, name == chosen)) ui.state.curve = name;
    ImGui::EndCombo();
}

}  // namespace

void keep_curves(Ui& ui) {
    KeptCurves now = present(ui);
    if (now.curves.empty()) {
        const std::string lab = "The " + ui.model.info.title;
        return ui.session.reply(Message::Kind::kNote,
                                !ui.model.loaded ? std::string("Nothing is loaded, so there are no curves to keep.")
                                : ui.model.measurable
                                    ? lab + " has no curves in this state; further passes may make some."
                                    : lab + " has no curves to keep; what its passes counted is drawn under Plots.");
    }
    if (ui.state.kept.size() == kMostKept) ui.state.kept.erase(ui.state.kept.begin());
    ui.state.kept.push_back(std::move(now));
    ui.session.reply(Message::Kind::kNote,
                     "These curves are kept: those of the next runs are drawn over them, under Curves.");
}

std::vector<ShownCurve> shown_curves(const Ui& ui) {
    const KeptCurves& now = present(ui);
    std::vector<const KeptCurves*> all = kept_of(ui);
    all.insert(all.begin(), &now);
    const std::string chosen = chosen_of(ui, names_of(ui, now.curves));
    std::vector<ShownCurve> shown;
    for (const KeptCurves* one : all) {
        const std::string run = differences(*one, all);
        for (const Curve& curve : one->curves) {
            if (curve.name != chosen) continue;
            std::string label = legend_text(curve.label, run);
            const bool twice = std::ranges::find(shown, label, &ShownCurve::label) != shown.end();
            if (label.empty() || twice)
                label += (label.empty() ? "after " : ", after ") + number_text(one->position) + " passes";
            shown.push_back({label, &curve, one != &now});
        }
    }
    return shown;
}

/// Options of spatial statistics, which are measured on request: envelopes are slow.
static void draw_spatial(Ui& ui) {
    const Scoped font(ui.fonts.small);
    if (!ImGui::TreeNode("Spatial statistics")) return;
    for (const auto& [name, value, sentence] : SpatialRequest::option_list()) {
        ImGui::SetNextItemWidth(ui.em(110));
        ImGui::InputTextWithHint(name, value, &ui.state.spatial[name]);
        help_for_last(ui, sentence);
    }
    if (ImGui::Button("Measure")) try {
            auto request = std::make_shared<SpatialRequest>();
            for (const auto& [name, text] : ui.state.spatial)
                if (!text.empty()) placed(name, [&] { request->set(name, text); });
            ui.state.curve = name_of(request->functions.front());
            ui.session.selection().measure_spatial(std::move(request));
        } catch (const Error& error) {
            ui.session.reply(Message::Kind::kError, error.what());
        }
    help_for_last(ui, "Measures these functions of the points, their tests of randomness and their intensity.");
    ImGui::TreePop();
}

/// The kept curves below those of this state.
static void draw_kept_curves(Ui& ui) {
    if (ui.session.selection().spatial()) ui.layout.shows_statistics = true;
    const std::vector<std::string> names = names_of(ui, present(ui).curves);
    if (names.empty()) return;
    const Scoped font(ui.fonts.small);
    choose_curve(ui, names);
    const std::vector<ShownCurve> shown = shown_curves(ui);
    std::vector<DrawnCurve> drawn;
    uint32_t others = 0;
    for (const ShownCurve& one : shown) {
        const bool leads = drawn.empty() && !one.kept;
        const Color color = leads ? ui.colors.text : ui.colors.numbered(others++);
        drawn.push_back({one.curve, one.label, color, drawn.empty()});
    }
    if (!shown.empty()) {
        const Curve& first = *shown.front().curve;
        help_for_last(ui, capitalised(first.name) + ": " + first.sentence);
        const std::string key = ui.model.info.id + "/curve/" + first.name;
        LogarithmicAxes log = first.logarithmic;
        const std::pair<std::string, bool*> axes[] = {{"log x", &log.x}, {"log y", &log.y}};
        for (const auto& [axis, on] : axes)
            if (const auto chosen = ui.state.logarithmic_bins.find(key + "/" + axis);
                chosen != ui.state.logarithmic_bins.end())
                *on = chosen->second;
        log = drawable_axes(drawn, log);
        draw_curves("##curves", drawn, {ui.colors, ui.fonts, ui.colors.text, ui.colors.text, ui.scale, log},
                    ui.em(190));
        if (!first.remark.empty()) quiet_text(ui, first.remark, true);
        for (const auto& [axis, on] : axes) {
            if (ImGui::Checkbox((axis + "##curves").c_str(), on)) ui.state.logarithmic_bins[key + "/" + axis] = *on;
            help_for_last(ui, "A logarithmic axis; values at or below zero are left out.");
            ImGui::SameLine(0, ui.em(12));
        }
    }
    action_button(ui, "keep-curves", "Keep");
    ImGui::SameLine(0, ui.em(8));
    ImGui::BeginDisabled(kept_of(ui).empty());
    if (ImGui::Button("Forget"))
        std::erase_if(ui.state.kept, [&](const KeptCurves& kept) { return kept.lab == ui.model.info.id; });
    ImGui::EndDisabled();
    help_for_last(ui, "Removes the curves that were kept of this lab's runs.");
    if (!shown.empty() && shown.front().curve->name == SceneStatistics::kStructureFactorCurve)
        draw_structure_picture(ui);
    draw_spatial(ui);
}

const PanelSection curves_section{"Curves", draw_kept_curves,
                                  [](const Ui& ui) {
                                      return !ui.model.statistics.empty() || !kept_of(ui).empty() ||
                                             ui.session.selection().spatial();
                                  },
                                  [](const Ui& ui) { return ui.model.statistics.has<Curve>(); }};

}  // namespace flipscope::app
