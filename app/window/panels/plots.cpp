// Plots of counters and measures by round and by pass.
#include <functional>
#include <initializer_list>
#include <utility>

#include "app/window/panels/panels.h"
#include "app/window/panels/running_totals.h"
#include "app/window/panels/widgets.h"
#include "app/window/plot.h"

namespace flipscope::app {

namespace {

int counter_count(const LabInfo& info) { return static_cast<int>(info.counters.size()); }
int quantity_count(const LabInfo& info) { return counter_count(info) + static_cast<int>(info.measures.size()); }

/// A member that counters and measures have in common.
const auto& member_of(const LabInfo& info, int quantity, auto CounterInfo::*of_counter, auto MeasureInfo::*of_measure) {
    const auto i = static_cast<size_t>(quantity);
    return i < info.counters.size() ? info.counters[i].*of_counter
                                    : info.measures[i - info.counters.size()].*of_measure;
}
const std::string& name_of(const LabInfo& info, int quantity) {
    return member_of(info, quantity, &CounterInfo::name, &MeasureInfo::name);
}
const std::string& sentence_of(const LabInfo& info, int quantity) {
    return member_of(info, quantity, &CounterInfo::sentence, &MeasureInfo::sentence);
}
uint32_t pair_of(const LabInfo& info, int quantity) {
    return member_of(info, quantity, &CounterInfo::pair, &MeasureInfo::pair);
}

/// The lab's first counter among `quantities`, in their order; else its first one.
int counter_of(const LabInfo& info, std::initializer_list<Quantity> quantities) {
    for (const Quantity quantity : quantities)
        for (size_t i = 0; i < info.counters.size(); ++i)
            if (info.counters[i].quantity == quantity) return static_cast<int>(i);
    return quantity_count(info) > 0 ? 0 : -1;
}

/// The next counter of the same kind and pair; -1: none.
int counterpart(const LabInfo& info, int quantity) {
    const int end = quantity < counter_count(info) ? counter_count(info) : quantity_count(info);
    for (int i = quantity + 1; i < end; ++i)
        if (pair_of(info, quantity) > 0 && pair_of(info, i) == pair_of(info, quantity)) return i;
    return -1;
}

/// The quantity number `from` of these, with the next one or else its counterpart beside it; without any, `otherwise`.
PlotChoice choice_of(const LabInfo& info, const std::vector<int>& found, size_t from, const PlotChoice& otherwise) {
    if (found.size() <= from) return otherwise;
    return {found[from], from + 1 < found.size() ? found[from + 1] : counterpart(info, found[from]), false};
}

PlotChoice at_first(const LabInfo& info, int quantity) {
    return {quantity, quantity < 0 ? -1 : counterpart(info, quantity), false};
}

/// The lab's preferred counters, from number `from` on.
PlotChoice preferred(const LabInfo& info, size_t from, const PlotChoice& otherwise) {
    std::vector<int> found;
    for (size_t i = 0; i < info.counters.size(); ++i)
        if (info.counters[i].first_choice) found.push_back(static_cast<int>(i));
    return choice_of(info, found, from, otherwise);
}

PlotChoice named(const LabInfo& info, const std::vector<std::string>& names, const PlotChoice& otherwise) {
    std::vector<int> found;
    for (const std::string& name : names)
        for (int i = 0; i < quantity_count(info); ++i)
            if (name_of(info, i) == name) found.push_back(i);
    return choice_of(info, found, 0, otherwise);
}

void heading(const Ui& ui, const char* text) { ImGui::TextColored(to_imgui(ui.colors.quiet_text), "%s", text); }

void choose_first(const Ui& ui, PlotChoice& choice) {
    const LabInfo& info = ui.model.info;
    for (int i = 0; i < quantity_count(info); ++i) {
        if (i == 0 && !info.measures.empty()) heading(ui, "Counters");
        if (i == counter_count(info)) heading(ui, "Measures");
        if (list_option(ui, name_of(info, i), i == choice.quantity)) {
            choice.quantity = i;
            choice.second = counterpart(info, i);
        }
        help_for_last(ui, sentence_of(info, i));
    }
}

/// Of the same kind: a count with a count, a measure with a measure.
void choose_second(const Ui& ui, PlotChoice& choice) {
    const LabInfo& info = ui.model.info;
    if (list_option(ui, "nothing", choice.second < 0)) choice.second = -1;
    const bool measures = choice.quantity >= counter_count(info);
    for (int i = measures ? counter_count(info) : 0; i < (measures ? quantity_count(info) : counter_count(info)); ++i) {
        if (i == choice.quantity) continue;
        if (list_option(ui, name_of(info, i), i == choice.second)) choice.second = i;
        help_for_last(ui, sentence_of(info, i));
    }
}

/// A label, a list and, at the right end, what `after` draws.
void choice_row(const Ui& ui, const std::string& id, const char* label, int chosen, const std::string& help,
                float room_after, const std::function<void()>& list) {
    begin_line(ui, label, ui.em(82), -room_after);
    const std::string name = chosen >= 0 ? name_of(ui.model.info, chosen) : "nothing";
    if (ImGui::BeginCombo(id.c_str(), name.c_str(), ImGuiComboFlags_HeightLarge)) {
        list();
        ImGui::EndCombo();
    }
    help_for_last(ui, chosen >= 0 ? sentence_of(ui.model.info, chosen) + help : help);
}

void choose(const Ui& ui, const std::string& id, const char* per, PlotChoice& choice, const PlotSeries& series) {
    const Scoped font(ui.fonts.small);
    const float log_width =
        ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize("log").x + ui.em(10);
    choice_row(ui, id, per, choice.quantity, "", log_width, [&] { choose_first(ui, choice); });
    ImGui::SameLine(0, ui.em(10));
    const bool can_log = series.has_logarithm();
    bool log = choice.logarithmic && can_log;
    ImGui::BeginDisabled(!can_log);
    if (ImGui::Checkbox(("log" + id).c_str(), &log)) choice.logarithmic = log;
    ImGui::EndDisabled();
    help_for_last(ui, can_log ? "A logarithmic axis: every line ten times the one below."
                              : "A logarithmic axis does not show zero and below.");
    choice_row(ui, id + "-second", "beside", choice.second, "\nDrawn beside it, in another colour.", log_width,
               [&] { choose_second(ui, choice); });
}

/// An empty plot would suggest a count of zero.
void draw_series(const Ui& ui, const char* id, const PlotSeries& series, const PlotStyle& style, float height) {
    if (series.counted) return draw_plot(id, series, style, height);
    small_text(ui,
               ui.model.position == 0 ? "Nothing has run yet; the plot begins with the first step."
                                      : "No pass so far has counted this; choose something else above.",
               true);
}

void draw_plots(Ui& ui) {
    const LabInfo& info = ui.model.info;
    UiState& state = ui.state;
    if (quantity_count(info) == 0) return quiet_text(ui, "This lab counts nothing.");
    if (std::exchange(state.plotted_lab, info.id) != info.id) {
        // Defaults: progress per round, and quality of the mesh or flips per pass.
        const int in_pass =
            info.measures.empty() ? counter_of(info, {Quantity::kFlips, Quantity::kGrantedFlips}) : counter_count(info);
        state.per_round =
            preferred(info, 0, at_first(info, counter_of(info, {Quantity::kInsertedPoints, Quantity::kGrantedFlips})));
        // Measures say more than the lab's other counters.
        state.per_pass = at_first(info, in_pass);
        if (info.measures.empty()) state.per_pass = preferred(info, 2, state.per_pass);
        state.per_round = named(info, info.plotted_per_round, state.per_round);
        state.per_pass = named(info, info.plotted_per_pass, state.per_pass);
    }
    const RunningTotals& running = running_totals_of(ui);
    const float height = ui.em(132);
    // Neutral colours: any quantity may be plotted, and states and passes have their own.
    const Color first = ui.colors.accent, second = ui.colors.second_series;
    choose(ui, "##per-round", "per round", state.per_round, running.rounds);
    draw_series(ui, "plot-round", running.rounds,
                {ui.colors, ui.fonts, first, second, ui.scale, {false, state.per_round.logarithmic}}, height);
    choose(ui, "##per-pass", "per pass", state.per_pass, running.passes);
    draw_series(ui, "plot-pass", running.passes,
                {ui.colors, ui.fonts, first, second, ui.scale, {false, state.per_pass.logarithmic}}, height);
}

}  // namespace

const PanelSection plots_section{"Plots", draw_plots};

}  // namespace flipscope::app
