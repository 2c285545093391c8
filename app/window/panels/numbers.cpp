// The sections of side panels, and the right panel with those of its sections that have no file of their own.
#include <cmath>
#include <cstdio>

#include "app/base/number_text.h"
#include "app/figures/pen.h"
#include "app/run/detections.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/report_view.h"
#include "app/window/panels/running_totals.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

namespace {

constexpr size_t kShortUnit = 4;  // bytes; a longer unit stands below the name

std::string count_or_dash(int64_t value) { return value == kNotCounted ? "\u2013" : number_text(value); }

/// A count, abbreviated if its digits do not fit.
void right_count(Ui& ui, int64_t value) {
    const std::string text = count_or_dash(value);
    const bool fits = Pen::measure(*ui.fonts.small_numbers, text).x <= ImGui::GetContentRegionAvail().x;
    right_number(ui, fits ? text : short_number(static_cast<double>(value)));
    if (!fits) help_for_last(ui, text);
}

void draw_counters(Ui& ui) {
    const LabModel& model = ui.model;
    const StepResult* last = model.last();
    const RunningTotals& running = running_totals_of(ui);
    if (!ImGui::BeginTable("counters", 4, kTable)) return;
    const float number = ui.em(68);  // nine digits, leaving room for "unmatched events"
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    for (const char* name : {"pass", "round", "total"}) ImGui::TableSetupColumn(name, 0, number);
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(1);
    right_heading(ui, "this pass", "What the pass that has just run counted.");
    ImGui::TableSetColumnIndex(2);
    right_heading(ui, "round", "The sum over this round so far.");
    ImGui::TableSetColumnIndex(3);
    right_heading(ui, "total", "The sum over all passes so far.");
    for (size_t i = 0; i < model.info.counters.size(); ++i) {
        begin_row(ui, model.info.counters[i].name, model.info.counters[i].sentence, model.info.counters[i].name);
        ImGui::TableSetColumnIndex(1);
        right_count(ui, last && i < last->counters.size() ? last->counters[i] : kNotCounted);
        ImGui::TableSetColumnIndex(2);
        right_count(ui, running.round[i]);
        ImGui::TableSetColumnIndex(3);
        right_count(ui, running.total[i]);
    }
    ImGui::EndTable();
}

void draw_measures(Ui& ui) {
    const std::vector<MeasureInfo>& measures = ui.model.info.measures;
    const RunningTotals& running = running_totals_of(ui);
    if (!ImGui::BeginTable("measures", 3, kTable)) return;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    for (const char* name : {"first", "now"}) ImGui::TableSetupColumn(name, 0, ui.em(80));
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(1);
    right_heading(ui, "at first", "The first value measured.");
    ImGui::TableSetColumnIndex(2);
    right_heading(ui, "now", "The last value measured, up to this frame.");
    for (size_t i = 0; i < measures.size(); ++i) {
        const std::string unit = measures[i].unit.empty() ? "" : " (" + measures[i].unit + ")";
        const bool beside = !unit.empty() && measures[i].unit.size() <= kShortUnit;
        begin_row(ui, measures[i].name, capitalised(measures[i].name) + ": " + measures[i].sentence + unit);
        if (!unit.empty() && !beside) {
            const Scoped font(ui.fonts.small);
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 0.7f * ImGui::GetStyle().ItemSpacing.y);
            quiet_text(ui, elided(measures[i].unit));
        }
        const double values[] = {running.first[i], running.now[i]};
        for (int k = 0; k < 2; ++k) {
            ImGui::TableSetColumnIndex(k + 1);
            right_number(
                ui, std::isnan(values[k]) ? "\u2013" : value_text(values[k]) + (beside ? " " + measures[i].unit : ""));
        }
    }
    ImGui::EndTable();
}

void draw_messages(Ui& ui) {
    const std::vector<Message>& messages = ui.model.messages.all();
    for (size_t i = messages.size(); i-- > 0 && i + 60 > messages.size();) {
        const Message& message = messages[i];
        ImGui::PushFont(ui.fonts.small_numbers);
        char time[32];
        std::snprintf(time, sizeof time, "%d:%02d", static_cast<int>(message.time) / 60,
                      static_cast<int>(message.time) % 60);
        quiet_text(ui, time);
        ImGui::PopFont();
        ImGui::SameLine(ui.em(52));
        const Scoped font(ui.fonts.small);
        const Scoped colour(ImGuiCol_Text, colour_of(ui.colors, message.kind, ui.colors.text));
        ImGui::TextWrapped("%s", message.text.c_str());
    }
    if (messages.empty()) quiet_text(ui, "No messages.");
}

}  // namespace

const PanelSection counters_section{"Counters", draw_counters};
const PanelSection measures_section{"Measures", draw_measures,
                                    [](const Ui& ui) { return !ui.model.info.measures.empty(); }};
const PanelSection results_section{"Results", [](Ui& ui) { draw_numbers(ui, ui.model.numbers); },
                                   [](const Ui& ui) { return !ui.model.numbers.empty(); }};
const PanelSection distributions_section{"Distributions", [](Ui& ui) { draw_distributions(ui, ui.model.statistics); },
                                         [](const Ui& ui) { return ui.model.statistics.has<Distribution>(); }};
const PanelSection messages_section{"Messages", draw_messages};

void draw_sections(Ui& ui, std::initializer_list<const PanelSection*> sections) {
    for (const PanelSection* each : sections) {
        if (each->when && !each->when(ui)) continue;
        const std::string title = each->title ? each->title : capitalised(words_of(ui.model.info));
        const bool requested = ui.state.opened_section == title;
        if (requested) open_section(title.c_str());
        const bool open = section(ui, title.c_str(), !each->opens || each->opens(ui));
        if (requested) {
            ImGui::SetScrollHereY(0);
            // Until there are curves, sections above still grow; the mouse may choose another place.
            const bool waits = each == &curves_section && !each->opens(ui);
            if (!waits || ImGui::GetIO().MouseWheel != 0 || ImGui::IsMouseClicked(0)) ui.state.opened_section.clear();
        }
        if (open) each->draw(ui);
    }
}

void draw_numbers_panel(Ui& ui) {
    begin_panel(ui, "numbers", ui.layout.right, true);
    draw_sections(ui, {FLIPSCOPE_RIGHT_SECTIONS(FLIPSCOPE_ADDRESS_OF_SECTION)});
    ui.session.selection().plot(scatter_chosen(ui), ui.state.data.log.x);
    ui.session.selection().measure_shown(ui.layout.shows_statistics);
    ImGui::End();
}

}  // namespace flipscope::app
