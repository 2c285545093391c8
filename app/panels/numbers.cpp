// The right panel: counters, plots, timings, messages.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plot.h"

namespace flipscope::app {

namespace {

constexpr ImGuiTableFlags kTable = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg |
                                   ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_NoKeepColumnsVisible;

// What the history comes to at this moment. Made anew only when the moment changes: a history can be long.
struct Tally {
    uint64_t position = ~uint64_t(0), known = 0, inputs = 0;
    int per_round = -1, per_pass = -1;
    std::vector<int64_t> round, total;  // by counter; kNotCounted
    PlotSeries rounds, passes;
};

void add(int64_t& sum, int64_t value, bool standing) {
    if (value == kNotCounted) return;
    sum = standing || sum == kNotCounted ? value : sum + value;
}

void count_counters(const LabModel& model, Tally& tally) {
    const std::vector<CounterInfo>& counters = model.info.counters;
    tally.round.assign(counters.size(), kNotCounted);
    tally.total = tally.round;
    const StepResult* last = model.last();
    for (uint64_t i = 0; i < model.position; ++i) {
        const StepResult& step = model.history[i];
        for (size_t k = 0; k < std::min(step.counters.size(), counters.size()); ++k) {
            add(tally.total[k], step.counters[k], counters[k].standing);
            if (last->round > 0 && step.round == last->round)
                add(tally.round[k], step.counters[k], counters[k].standing);
        }
    }
}

void fill_series(const LabModel& model, Tally& tally) {
    tally.rounds = tally.passes = {};
    const auto a = static_cast<size_t>(tally.per_round), b = static_cast<size_t>(tally.per_pass);
    for (uint64_t i = 0; i < model.known(); ++i) {
        const StepResult& step = model.history[i];
        if (step.round > 0 && a < step.counters.size() && step.counters[a] != kNotCounted) {
            std::vector<double>& values = tally.rounds.values;
            if (values.size() < step.round) values.resize(step.round, 0);
            const auto value = static_cast<double>(step.counters[a]);
            values[step.round - 1] = model.info.counters[a].standing ? value : values[step.round - 1] + value;
        }
        if (i < model.position) tally.rounds.shown = std::max<size_t>(tally.rounds.shown, step.round);
        if (b < step.counters.size() && step.counters[b] != kNotCounted) {
            tally.passes.values.push_back(static_cast<double>(step.counters[b]));
            if (i < model.position) tally.passes.shown = tally.passes.values.size();
        }
    }
    tally.rounds.x_name = "round";
    tally.rounds.y_name = model.info.counters[a].name;
    tally.passes.x_name = model.info.counters[b].name == "flipped" ? "flip pass" : "pass that counts it";
    tally.passes.y_name = model.info.counters[b].name;
}

const Tally& tally_of(const Ui& ui) {
    static Tally tally;
    const LabModel& model = ui.model;
    const uint64_t inputs = ui.session.revision();
    if (tally.position != model.position || tally.known != model.known() || tally.inputs != inputs) {
        tally.position = model.position;
        tally.known = model.known();
        tally.inputs = inputs;
        count_counters(model, tally);
        tally.per_round = -1;
    }
    if (!model.info.counters.empty() &&
        (tally.per_round != ui.state.per_round.counter || tally.per_pass != ui.state.per_pass.counter)) {
        tally.per_round = ui.state.per_round.counter;
        tally.per_pass = ui.state.per_pass.counter;
        if (tally.per_round >= 0 && tally.per_pass >= 0) fill_series(model, tally);
    }
    return tally;
}

std::string counted(int64_t value) { return value == kNotCounted ? "\u2013" : number_text(static_cast<double>(value)); }

int counter_named(const LabModel& model, const char* name) {
    for (size_t i = 0; i < model.info.counters.size(); ++i)
        if (model.info.counters[i].name == name) return static_cast<int>(i);
    return model.info.counters.empty() ? -1 : 0;
}

void choose_counter(const Ui& ui, const char* id, PlotChoice& choice, const char* per) {
    ImGui::SetNextItemWidth(ui.em(112));
    ImGui::PushFont(ui.fonts.small);
    const CounterInfo& chosen = ui.model.info.counters[static_cast<size_t>(choice.counter)];
    if (ImGui::BeginCombo(id, chosen.name.c_str(), ImGuiComboFlags_HeightLarge)) {
        for (size_t i = 0; i < ui.model.info.counters.size(); ++i) {
            if (ImGui::Selectable(ui.model.info.counters[i].name.c_str(), static_cast<int>(i) == choice.counter))
                choice.counter = static_cast<int>(i);
            help_for_last(ui, ui.model.info.counters[i].sentence);
        }
        ImGui::EndCombo();
    }
    help_for_last(ui, chosen.sentence);
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    quiet_text(ui, per);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ui.em(58));
    ImGui::Checkbox((std::string("log") + id).c_str(), &choice.logarithmic);
    help_for_last(ui, "A logarithmic axis: every line ten times the one below.");
    ImGui::PopFont();
}

}  // namespace

void draw_counters(Ui& ui) {
    const LabModel& model = ui.model;
    const StepResult* last = model.last();
    const Tally& tally = tally_of(ui);
    if (!ImGui::BeginTable("counters", 4, kTable)) return;
    const float number = ui.em(82);
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
        ImGui::TableNextRow();
        ImGui::TableSetColumnIndex(0);
        ImGui::TextUnformatted(model.info.counters[i].name.c_str());
        help_for_last(ui, model.info.counters[i].sentence);
        ImGui::TableSetColumnIndex(1);
        right_number(ui, counted(last && i < last->counters.size() ? last->counters[i] : kNotCounted));
        ImGui::TableSetColumnIndex(2);
        right_number(ui, counted(tally.round[i]));
        ImGui::TableSetColumnIndex(3);
        right_number(ui, counted(tally.total[i]));
    }
    ImGui::EndTable();
}

void draw_plots(Ui& ui) {
    const LabModel& model = ui.model;
    UiState& state = ui.state;
    if (model.info.counters.empty()) return;
    const auto count = static_cast<int>(model.info.counters.size());
    if (state.per_round.counter < 0 || state.per_round.counter >= count)
        state.per_round.counter = counter_named(model, "inserted");
    if (state.per_pass.counter < 0 || state.per_pass.counter >= count)
        state.per_pass.counter = counter_named(model, "flipped");

    const Tally& tally = tally_of(ui);
    choose_counter(ui, "##per-round", state.per_round, "per round");
    draw_plot("plot-round", tally.rounds,
              {ui.colors, ui.fonts, ui.colors.style(LegendEntry::Element::kEdge, Role::kFresh).color, ui.scale,
               state.per_round.logarithmic},
              ui.em(112));
    choose_counter(ui, "##per-pass", state.per_pass, "per pass");
    draw_plot("plot-pass", tally.passes,
              {ui.colors, ui.fonts, ui.colors.role(Role::kFlipped), ui.scale, state.per_pass.logarithmic}, ui.em(112));
}

void draw_messages(Ui& ui) {
    const std::vector<Message>& messages = ui.model.messages;
    for (size_t i = messages.size(); i-- > 0 && i + 60 > messages.size();) {
        const Message& message = messages[i];
        Color color = ui.colors.text;
        if (message.kind == Message::Kind::kError) color = ui.colors.error;
        if (message.kind == Message::Kind::kWarning) color = ui.colors.warning;
        if (message.kind == Message::Kind::kGood) color = ui.colors.success;
        ImGui::PushFont(ui.fonts.small_numbers);
        char time[32];
        std::snprintf(time, sizeof time, "%d:%02d", static_cast<int>(message.time) / 60,
                      static_cast<int>(message.time) % 60);
        quiet_text(ui, time);
        ImGui::PopFont();
        ImGui::SameLine(ui.em(52));
        ImGui::PushFont(ui.fonts.small);
        ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(color));
        ImGui::TextWrapped("%s", message.text.c_str());
        ImGui::PopStyleColor();
        ImGui::PopFont();
    }
    if (messages.empty()) quiet_text(ui, "No messages.");
}

void draw_numbers_panel(Ui& ui) {
    begin_panel(ui, "numbers", ui.layout.right, true);
    if (section(ui, "Counters")) draw_counters(ui);
    if (section(ui, "Plots")) draw_plots(ui);
    if (section(ui, "Timings")) draw_timings(ui);
    if (section(ui, "Messages")) draw_messages(ui);
    ImGui::End();
}

}  // namespace flipscope::app
