// Timings: a row for every kernel and for the parts of the window's frame, which add up to the frame.
#include <cstdio>

#include "app/base/number_text.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

namespace {

std::string ms(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 99.95 ? "%.2f" : value < 9999.5 ? "%.0f" : "%.1e", value);
    return text;
}

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", 100 * share);
    return text;
}

double rate(const LabelTiming& row) {
    return row.total_ms > 0 ? static_cast<double>(row.elements) / (row.total_ms * 1e-3) : 0;
}

void cell(const Ui& ui, int column, const std::string& text, bool quiet = false) {
    ImGui::TableSetColumnIndex(column);
    right_number(ui, text, quiet);
}

void draw_budget(Ui& ui) {
    float budget = static_cast<float>(ui.session.budget_ms);
    char text[48];
    std::snprintf(text, sizeof text, "%.0f ms a frame", static_cast<double>(budget));
    if (slider_beside_number(
            ui, {"budget", text, ImGui::GetContentRegionAvail().x, ImGui::CalcTextSize("200 ms a frame").x}, &budget, 1,
            200, ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput))
        ui.session.budget_ms = budget;
    help_for_last(ui,
                  "How many milliseconds of a frame may go into stepping. More: a long run ends sooner. Less: the "
                  "window stays smoother.");
}

}  // namespace

std::string timings_csv(const Ui& ui) {
    std::string text = "label,calls,last_ms,mean_ms,total_ms,share,elements_per_second\n";
    double total = 0;
    for (const LabelTiming& row : ui.model.timings) total += row.total_ms;
    char line[512];
    for (const LabelTiming& row : ui.model.timings) {
        std::snprintf(line, sizeof line, "%s,%llu,%.6f,%.6f,%.6f,%.6f,%.6g\n", row.label.c_str(),
                      static_cast<unsigned long long>(row.calls), row.last_ms,
                      row.calls ? row.total_ms / static_cast<double>(row.calls) : 0, row.total_ms,
                      total > 0 ? row.total_ms / total : 0, rate(row));
        text += line;
    }
    for (const FramePart* part : ui.parts.all()) {
        if (part == &ui.parts.whole) continue;
        std::snprintf(line, sizeof line, "%s,%llu,%.6f,%.6f,%.6f,%.6f,\n", part->label,
                      static_cast<unsigned long long>(part->calls), part->last_ms, part->mean_ms(), part->total_ms,
                      ui.parts.whole.total_ms > 0 ? part->total_ms / ui.parts.whole.total_ms : 0);
        text += line;
    }
    return text;
}

static void draw_timings(Ui& ui) {
    ui.layout.shows_timings = true;
    const LabModel& model = ui.model;
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings;
    const Scoped font(ui.fonts.small);
    if (!ImGui::BeginTable("timings", 6, flags)) return;
    ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("calls", 0, ui.em(36));
    ImGui::TableSetupColumn("last", 0, ui.em(44));
    ImGui::TableSetupColumn("mean", 0, ui.em(44));
    ImGui::TableSetupColumn("share", 0, ui.em(34));
    ImGui::TableSetupColumn("rate", 0, ui.em(46));
    ImGui::TableNextRow();
    static constexpr const char* kNames[] = {"calls", "last ms", "mean ms", "%", "per s"};
    static constexpr const char* kHelp[] = {
        "The number of calls.", "The last call, in milliseconds.", "The mean of all calls, in milliseconds.",
        "Its share of the time of all kernels; below, of the frame.", "Elements it worked on, per second."};
    for (int i = 0; i < 5; ++i) {
        ImGui::TableSetColumnIndex(i + 1);
        right_heading(ui, kNames[i], kHelp[i]);
    }
    double total = 0;
    for (const LabelTiming& row : model.timings) total += row.total_ms;
    for (const LabelTiming& row : model.timings) {
        begin_row(ui, row.label, row.label + ": a kernel or a primitive of that pass");
        cell(ui, 1, short_number(static_cast<double>(row.calls)));
        cell(ui, 2, ms(row.last_ms));
        cell(ui, 3, ms(row.calls ? row.total_ms / static_cast<double>(row.calls) : 0));
        cell(ui, 4, percent(total > 0 ? row.total_ms / total : 0));
        cell(ui, 5, short_number(rate(row)));
    }
    if (model.timings.empty()) {
        begin_row(ui, "No kernel yet", "Kernels are timed on a GPU while this section is open, on CPU threads always.");
    }
    const FrameParts& parts = ui.parts;
    for (const FramePart* part : parts.all()) {
        begin_row(ui, part->label, part->sentence);
        const bool quiet = part != &parts.whole;
        cell(ui, 1, short_number(static_cast<double>(part->calls)), quiet);
        cell(ui, 2, ms(part->last_ms), quiet);
        cell(ui, 3, ms(part->mean_ms()), quiet);
        cell(ui, 4, percent(parts.whole.total_ms > 0 ? part->total_ms / parts.whole.total_ms : 0), quiet);
    }
    ImGui::EndTable();
    draw_budget(ui);
    action_button(ui, "copy-timings", "Copy as CSV");
}

const PanelSection timings_section{"Timings", draw_timings};

}  // namespace flipscope::app
