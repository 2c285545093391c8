// Overlays of the canvas: the legend and the current operation; and the key list over everything.
#include <algorithm>
#include <cmath>

#include "app/figures/pen.h"
#include "app/view/legend.h"
#include "app/window/actions.h"
#include "app/window/canvas.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

// Closer at a presenter scale: the picture is to keep its part of the window.
float legend_pad(const Ui& ui) { return ui.em(ui.state.presents() ? 4 : 8); }
float legend_gap(const Ui& ui) { return ui.em(4); }

/// A category to click: selects it; with Ctrl, adds it to the selection.
void draw_category(Ui& ui, const LegendEntry& entry, ImVec2 at, float width, float line) {
    const bool other = entry.number >= ColourScale::kOtherClass;  // of several values
    ImGui::TextUnformatted(entry.name.c_str());
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (is_selected(ui.session.selection().exploration(), entry.group, entry.name))
        draw.AddRect({at.x - ui.em(1), at.y - ui.em(2)}, {at.x + width, at.y + line + ui.em(2)}, packed(ui.colors.mark),
                     ui.em(4), 0, ui.em(1.2f));
    if (other) return help_for_last(ui, entry.sentence + ".");
    ImGui::SetCursorScreenPos(at);
    const Scoped id(entry.number);
    if (ImGui::InvisibleButton("category", {width, line})) select_category(ui, entry.group, entry.name);
    ui.boxes.add(std::string("category/") + entry.group + "=" + entry.name, box_of_last());
    help_for_last(ui, entry.sentence + ". A click selects these, with Ctrl these too.");
}

}  // namespace

float legend_strip(const Ui& ui, int lines) {
    const float line = Pen::line(*ui.fonts.small);
    return 2 * legend_pad(ui) + line + static_cast<float>(lines - 1) * (line + legend_gap(ui));
}

// Along the top of the canvas, in as many lines as needed or allowed.
void draw_legend(Ui& ui) {
    const std::vector<LegendEntry> entries =
        occurring_entries(ui.model.scene, ui.model.legend_counts, ui.state.display);
    ui.layout.legend_height = 0;
    if (!ui.model.loaded || (entries.empty() && legend_of(ui.model.scene).empty())) return;
    const Box canvas = ui.layout.whole();
    // A detail view on the right part of the canvas narrows the legend.
    const Box& detail_view = ui.layout.detail_view;
    const bool beside =
        !ui.layout.docks && detail_view.height > 0 && detail_view.y < canvas.y + kMostLegend * canvas.height;
    const float whole = beside ? std::max(detail_view.x - canvas.x, 1.f) : canvas.width;
    const float left = ui.em(12), pad = legend_pad(ui), line = Pen::line(*ui.fonts.small);
    ListDrawing measuring(*ImGui::GetBackgroundDrawList(), *ui.fonts.small);
    LegendShape shape{whole - 2 * left};
    shape.most = ui.layout.legend_most - 2 * pad;
    shape.leading = legend_gap(ui) / ListDrawing::font_size(*ui.fonts.small);
    const LegendLayout legend =
        lay_out_legend(measuring.ink(ui.colors), entries, vertices_title(ui.model.scene), shape);
    if (legend.items.empty() && !entries.empty()) return;  // it would hide more than it explains
    UiState::LegendStrip& shown = ui.state.legend_strip;
    UiState::LegendStrip strip{ui.session.loader().revision(), ui.model.info.id, whole, line, shown.height};
    if (strip != shown) strip.height = legend_strip(ui, 1);
    strip.height = std::max(strip.height, static_cast<float>(legend.height) + 2 * pad);
    strip.height = std::min(strip.height, std::max(ui.layout.legend_most, legend_strip(ui, 1)));
    shown = strip;
    ui.layout.legend_height = strip.height;
    std::vector<std::string> listed;
    for (const LegendLayout::Item& item : legend.items)
        if (item.entry) listed.push_back(item.text);
    ui.boxes.add("legend", {canvas.x, canvas.y, whole, strip.height}, join_words(listed, ", "));
    const Scoped padding(ImGuiStyleVar_WindowPadding, ImVec2(left, pad));
    const Scoped border(ImGuiStyleVar_WindowBorderSize, 0);
    const Scoped ground(ImGuiCol_WindowBg, ui.colors.canvas.alpha(0.85f));
    const Scoped font(ui.fonts.small);
    ImGui::SetNextWindowPos(canvas.low());
    ImGui::SetNextWindowSize({whole, ui.layout.legend_height});
    ImGui::Begin("legend", nullptr, kSizedOverlay | ImGuiWindowFlags_NoBringToFrontOnFocus);
    ListDrawing drawing(*ImGui::GetWindowDrawList(), *ui.fonts.small);
    const Ink ink = drawing.ink(ui.colors);
    for (const LegendLayout::Item& item : legend.items) {
        const ImVec2 at(std::round(canvas.x + left + static_cast<float>(item.at.x)),
                        std::round(canvas.y + pad + static_cast<float>(item.at.y)));
        ImGui::SetCursorScreenPos(at);
        if (!item.entry) {
            quiet_text(ui, item.text);
            if (&item == &legend.items.back() && !legend.left_over.empty())
                help_for_last(ui, join_words(legend.left_over, ", "));
            continue;
        }
        draw_swatch(ink, *item.entry, {at.x, at.y}, kSwatch * ink.font);
        ImGui::SetCursorScreenPos({at.x + static_cast<float>(legend.text_from), at.y});
        if (item.entry->role == Role::kCategory) {
            draw_category(ui, *item.entry, at, static_cast<float>(item.width) + ui.em(8), line);
        } else {
            ImGui::TextUnformatted(item.text.c_str());
            help_for_last(ui, item.entry->sentence, item.entry->name);
        }
    }
    ImGui::End();
}

// If a round ends with nothing visible, the canvas explains why.
void draw_emptiness(Ui& ui) {
    const LabModel& model = ui.model;
    const StepResult* last = model.last();
    if (!model.loaded || !last || last->ended < Level::kRound || model.count_of(ElementKind::kVertex) > 0 ||
        !model.scene.lattice())
        return;
    if (model.scene.readout) return;  // every pixel has a readout
    const std::string& text = model.history.totals().message;
    if (text.empty()) return;
    const Box& canvas = ui.layout.canvas;
    const float width = std::min(ui.em(460), canvas.width - ui.em(40));
    if (width < ui.em(80)) return;
    ImGui::SetNextWindowPos({canvas.x + 0.5f * canvas.width, canvas.y + 0.5f * canvas.height}, 0, {0.5f, 0.5f});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::Begin("emptiness", nullptr,
                 kSizedOverlay | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoInputs);
    ImGui::TextWrapped("%s", text.c_str());
    ImGui::End();
}

void draw_busy(Ui& ui) {
    const Session::Progress progress = ui.session.progress();
    if (!progress.announced || progress.seconds < 0.25) return;
    const float width = begin_banner(ui, "busy", ui.em(320), ui.layout.canvas_bottom() - ui.em(16), 1);
    char text[64];
    std::snprintf(text, sizeof text, "%.1f s", progress.seconds);
    const std::string what = progress.title + (progress.stage.empty() ? " …" : ": " + progress.stage);
    ImGui::TextUnformatted(elided(what, width - ui.em(90)).c_str());
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - ui.em(60));
    right_number(ui, text, true);
    const float button = ImGui::CalcTextSize("Cancelling").x + 2 * ImGui::GetStyle().FramePadding.x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bar = ImGui::GetContentRegionAvail().x - button - ui.em(12), h = ImGui::GetFrameHeight();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float y = at.y + 0.5f * h, thick = ui.em(3);
    draw.AddRectFilled({at.x, y - thick}, {at.x + bar, y + thick}, packed(ui.colors.field), thick);
    const float part = progress.fraction >= 0 ? static_cast<float>(std::clamp(progress.fraction, 0.0, 1.0)) : 0.25f;
    const float from = progress.fraction >= 0 ? 0 : static_cast<float>(std::fmod(ui.now * 0.6, 1.0)) * (1 - part);
    draw.AddRectFilled({at.x + from * bar, y - thick}, {at.x + (from + part) * bar, y + thick},
                       packed(ui.colors.accent), thick);
    ImGui::Dummy({bar, h});
    ImGui::SameLine(0, ui.em(12));
    ImGui::BeginDisabled(progress.cancelling);
    if (ImGui::Button(progress.cancelling ? "Cancelling" : "Cancel", {button, 0})) ui.session.cancel();
    ImGui::EndDisabled();
    help_for_last(ui, "Ends this (Esc); what was there before stays.");
    ImGui::End();
}

void draw_help(Ui& ui) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::GetForegroundDrawList();  // created before the window, which must lie over it
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    const Scoped border(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("help", nullptr, kSizedOverlay & ~ImGuiWindowFlags_NoScrollbar);
    ImGui::SetWindowFocus();
    const std::vector<KeyRow> keys = key_rows();
    // Columns as wide as the longest line, if three fit.
    float keys_wide = 0, longest = 0;
    for (const KeyRow& key : keys) keys_wide = std::max(keys_wide, Pen::measure(*ui.fonts.numbers, key.keys()).x);
    keys_wide += ui.em(12);
    for (const KeyRow& key : keys) longest = std::max(longest, ImGui::CalcTextSize(key.help.c_str()).x);
    const float column = keys_wide + longest + ui.em(12);
    const int columns = std::clamp(static_cast<int>((screen.x - ui.em(20)) / column), 1, 3);
    const float left = 0.5f * (screen.x - static_cast<float>(columns) * column) + ui.em(10);
    std::vector<std::string> groups;
    for (const KeyRow& key : keys)
        if (std::ranges::find(groups, key.group) == groups.end()) groups.emplace_back(key.group);
    ImGui::SetCursorPos({left, ui.em(24)});
    ImGui::PushFont(ui.fonts.caption);
    ImGui::TextUnformatted("Keys");
    ImGui::PopFont();
    const float top = ImGui::GetCursorPosY() + ui.em(8), line = ImGui::GetTextLineHeightWithSpacing();
    // Puts each group into the column that is shortest so far.
    std::vector<float> heights(static_cast<size_t>(columns), top);
    for (const std::string& group : groups) {
        const auto shortest = std::ranges::min_element(heights);
        const float x = left + column * static_cast<float>(shortest - heights.begin());
        float y = *shortest;
        ImGui::SetCursorPos({x, y});
        ImGui::TextColored(to_imgui(ui.colors.accent), "%s", group.c_str());
        y += line;
        for (const KeyRow& key : keys) {
            if (group != key.group) continue;
            ImGui::SetCursorPos({x, y});
            ImGui::PushFont(ui.fonts.numbers);
            ImGui::TextUnformatted(key.keys().c_str());
            ImGui::PopFont();
            ImGui::SetCursorPos({x + keys_wide, y});
            quiet_text(ui, key.help);
            y += line;
        }
        *shortest = y + 0.6f * line;
    }
    ImGui::SetCursorPos({left, *std::ranges::max_element(heights)});
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - left);
    quiet_text(ui, "Esc or F1 closes this. " + ui.model.info.title + ": " + ui.model.info.paper, false);
    ImGui::PopTextWrapPos();
    if (ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered()) ui.state.show_help = false;
    ImGui::End();
}

}  // namespace flipscope::app
