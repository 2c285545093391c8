// What lies over the canvas: the legend, the inspector, what is under way; and over everything the list of keys.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plot.h"
#include "app/window_canvas.h"

namespace flipscope::app {

namespace {

constexpr ImGuiWindowFlags kOverlay = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

/// The sign of one entry, `width` wide around the middle of the line at `at`.
void swatch(const Ui& ui, const LegendEntry& entry, ImVec2 at, float width, float line) {
    const Style style = ui.colors.style(entry.element, entry.role);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 middle(at.x + 0.5f * width, at.y + 0.5f * line);
    switch (entry.element) {
        case LegendEntry::Element::kVertex:
            draw.AddCircleFilled(middle, ui.em(4.2f) * style.size, packed(style.color), 24);
            break;
        case LegendEntry::Element::kEdge:
            draw.AddLine({at.x + ui.em(1), middle.y}, {at.x + width - ui.em(1), middle.y}, packed(style.color),
                         ui.em(1.9f) * style.size);
            break;
        case LegendEntry::Element::kTriangle:
            draw.AddTriangleFilled(
                {middle.x - 0.45f * line, middle.y + 0.4f * line}, {middle.x + 0.45f * line, middle.y + 0.4f * line},
                {middle.x, middle.y - 0.42f * line}, packed(style.color.alpha(std::min(1.f, 2.2f * style.color.a))));
            break;
    }
}

/// Helpers are explained only where there are some.
bool relevant(const LabModel& model, const LegendEntry& entry) {
    return entry.role != Role::kHelper || model.scene.helper_begin < model.vertices;
}

}  // namespace

// Flows along the top of the canvas, in as many lines as it takes.
void draw_legend(Ui& ui) {
    const std::vector<LegendEntry>& legend = ui.model.scene.legend;
    ui.layout.legend_height = 0;
    if (legend.empty() || !ui.model.loaded) return;
    const Box& canvas = ui.layout.canvas;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.em(10), ui.em(7)));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(ui.colors.canvas.alpha(0.85f)));
    ImGui::PushFont(ui.fonts.small);
    const float line = ImGui::GetTextLineHeight(), pitch = line + ui.em(5), mark = ui.em(20);
    const float left = ui.em(10), right = canvas.width - ui.em(10);
    using Element = LegendEntry::Element;
    static constexpr std::pair<Element, const char*> kGroups[] = {
        {Element::kVertex, "Points"}, {Element::kEdge, "Edges"}, {Element::kTriangle, "Triangles"}};
    const auto width_of = [&](const LegendEntry& entry) {
        return mark + ui.em(5) + ImGui::CalcTextSize(entry.name.c_str()).x + ui.em(12);
    };
    // Twice the same walk: first to know how many lines there are, then to draw.
    for (const bool drawing : {false, true}) {
        float x = left, y = ui.em(7);
        if (drawing && ui.layout.legend_height > kMostLegend * canvas.height) break;
        if (drawing) {
            ImGui::SetNextWindowPos(canvas.low());
            ImGui::SetNextWindowSize({canvas.width, ui.layout.legend_height});
            ImGui::Begin("legend", nullptr,
                         (kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize) | ImGuiWindowFlags_NoBringToFrontOnFocus);
        }
        for (const auto& [element, title] : kGroups) {
            bool first = true;
            for (const LegendEntry& entry : legend) {
                if (entry.element != element || !relevant(ui.model, entry)) continue;
                const float title_width = first ? ImGui::CalcTextSize(title).x + ui.em(8) : 0;
                if (x > left && x + title_width + width_of(entry) > right) {
                    x = left;
                    y += pitch;
                }
                if (drawing && first) {
                    ImGui::SetCursorPos({x, y});
                    quiet_text(ui, title);
                }
                x += title_width;
                first = false;
                if (drawing) {
                    swatch(ui, entry, {canvas.x + x, canvas.y + y}, mark, line);
                    ImGui::SetCursorPos({x + mark + ui.em(5), y});
                    ImGui::TextUnformatted(entry.name.c_str());
                    help_for_last(ui, entry.sentence);
                }
                x += width_of(entry);
            }
            if (!first) x += ui.em(10);
        }
        if (drawing)
            ImGui::End();
        else
            ui.layout.legend_height = y + line + ui.em(7);
    }
    ImGui::PopFont();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
}

namespace {

// The reason beside the value where there is room, else below it.
void draw_fact(const Ui& ui, const Fact& fact) {
    quiet_text(ui, fact.name);
    ImGui::SameLine(ui.em(130));
    ImGui::PushTextWrapPos(0);
    ImGui::PushFont(ui.fonts.numbers);
    ImGui::TextUnformatted(fact.value.c_str());
    const float used = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
    ImGui::PopFont();
    ImGui::PopTextWrapPos();
    if (fact.why.empty()) return;
    ImGui::PushFont(ui.fonts.small);
    const bool beside = used + ui.em(8) + ImGui::CalcTextSize(fact.why.c_str()).x < ImGui::GetContentRegionMax().x;
    if (beside) ImGui::SameLine(0, ui.em(8));
    quiet_text(ui, fact.why, !beside);
    ImGui::PopFont();
}

/// Over which half of the canvas the element lies.
bool lies_right(const Ui& ui, const Inspection& found) {
    if (!ui.model.scene.beside.empty()) return found.element.part > 0;
    double x = 0;
    for (const Point3& corner : found.corners) x += ui.state.camera.to_pixels(corner).x;
    return x > 0;
}

/// What a hand can do to it, where the lab lets it.
void draw_edits(Ui& ui, const Element& element) {
    if (element.kind == ElementKind::kEdge && ui.model.takes_flips) {
        ImGui::Spacing();
        if (ImGui::Button("Flip this edge", {-1, 0})) ui.session.flip_edge(element);
        help_for_last(ui,
                      "Turns it to join the other two corners, whether that is good or not. It is a step of its own; "
                      "the next steps show what the lab makes of it.");
    } else if (element.kind == ElementKind::kVertex && ui.model.takes_moves) {
        ImGui::PushFont(ui.fonts.small);
        quiet_text(ui,
                   has_room_to_grab(ui) ? "Drag it, and the mesh follows." : "Zoom in to drag it: the mesh follows.",
                   true);
        ImGui::PopFont();
    }
}

/// "Edge 12", and of two scenes side by side which of them it lies in.
std::string title_of(const LabModel& model, const Element& element) {
    static constexpr const char* kKinds[] = {"Vertex ", "Edge ", "Triangle "};
    const std::string text = kKinds[static_cast<int>(element.kind)] + std::to_string(element.id);
    if (model.scene.beside.empty()) return text;
    const std::string& scene = element.part == 0 ? model.scene.title : model.scene.beside[0].title;
    return scene.empty() ? text : text + ", " + scene;
}

}  // namespace

void draw_inspector(Ui& ui) {
    const Inspection& found = ui.model.inspection;
    if (!found.any()) return;
    const Box& canvas = ui.layout.canvas;
    const float width = std::min(ui.em(340), canvas.width - ui.em(20));
    // On the side where it does not hide what it speaks of.
    const bool left = lies_right(ui, found);
    const float top = canvas.y + ui.layout.legend_height + ui.em(10);
    ImGui::SetNextWindowPos({left ? canvas.x + ui.em(10) : canvas.x + canvas.width - ui.em(10), top}, 0,
                            {left ? 0.f : 1.f, 0});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, canvas.height - ui.layout.legend_height - ui.em(20)});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(ui.colors.panel.alpha(0.95f)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.em(5));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("inspector", nullptr,
                 (kOverlay & ~(ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoFocusOnAppearing)) |
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::AlignTextToFramePadding();
    const float close_at = ImGui::GetContentRegionMax().x - 1.25f * ImGui::GetFrameHeight();
    const std::string title = title_of(ui.model, found.element);
    ImGui::TextUnformatted(elided(title, close_at - ImGui::GetCursorPosX() - ui.em(6)).c_str());
    help_for_last(ui, title);
    ImGui::SameLine(close_at);
    const bool close = icon_button(ui, "##close", Icon::kClose, "Close (Esc)");
    ImGui::Separator();
    for (const Fact& fact : found.facts) draw_fact(ui, fact);
    draw_edits(ui, found.element);
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    if (close) ui.session.close_inspection();
}

void draw_busy(Ui& ui) {
    const Session::Progress progress = ui.session.progress();
    if (progress.title.empty() || progress.seconds < 0.25) return;
    const Box& canvas = ui.layout.canvas;
    const float width = std::min(ui.em(320), canvas.width - ui.em(20));
    ImGui::SetNextWindowPos({canvas.x + 0.5f * canvas.width, canvas.y + canvas.height - ui.em(16)}, 0, {0.5f, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.em(5));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("busy", nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize);
    char text[64];
    std::snprintf(text, sizeof text, "%.1f s", progress.seconds);
    ImGui::TextUnformatted(elided(progress.title + " …", width - ui.em(90)).c_str());
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - ui.em(60));
    right_number(ui, text, true);
    const float button = ImGui::CalcTextSize("Cancelling").x + 2 * ImGui::GetStyle().FramePadding.x;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float bar = ImGui::GetContentRegionAvail().x - button - ui.em(10), h = ImGui::GetFrameHeight();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float y = at.y + 0.5f * h, thick = ui.em(3);
    draw.AddRectFilled({at.x, y - thick}, {at.x + bar, y + thick}, packed(ui.colors.field), thick);
    const float part = progress.fraction >= 0 ? static_cast<float>(std::clamp(progress.fraction, 0.0, 1.0)) : 0.25f;
    const float from = progress.fraction >= 0 ? 0 : static_cast<float>(std::fmod(ui.now * 0.6, 1.0)) * (1 - part);
    draw.AddRectFilled({at.x + from * bar, y - thick}, {at.x + (from + part) * bar, y + thick},
                       packed(ui.colors.accent), thick);
    ImGui::Dummy({bar, h});
    ImGui::SameLine(0, ui.em(10));
    ImGui::BeginDisabled(progress.cancelling);
    if (ImGui::Button(progress.cancelling ? "Cancelling" : "Cancel", {button, 0})) ui.session.cancel();
    ImGui::EndDisabled();
    help_for_last(ui, "Ends this (Esc); what was there before stays.");
    ImGui::End();
    ImGui::PopStyleVar(2);
}

void draw_help(Ui& ui) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::GetForegroundDrawList();  // made before the window, which lies over the dimmed rest
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(ui.colors.panel.alpha(0.97f)));
    ImGui::Begin("help", nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize & ~ImGuiWindowFlags_NoScrollbar);
    ImGui::SetWindowFocus();
    const std::vector<KeyHelp>& keys = key_help();
    const float column = ui.em(392);
    const int columns = std::clamp(static_cast<int>((screen.x - ui.em(40)) / column), 1, 3);
    const float left = 0.5f * (screen.x - static_cast<float>(columns) * column) + ui.em(10);
    std::vector<std::string> groups;
    for (const KeyHelp& key : keys)
        if (std::find(groups.begin(), groups.end(), key.group) == groups.end()) groups.emplace_back(key.group);
    ImGui::SetCursorPos({left, ui.em(28)});
    ImGui::PushFont(ui.fonts.caption);
    ImGui::TextUnformatted("Keys");
    ImGui::PopFont();
    const float top = ImGui::GetCursorPosY() + ui.em(8), line = ImGui::GetTextLineHeightWithSpacing();
    // Whole groups, each into the column that is shortest so far.
    std::vector<float> heights(static_cast<size_t>(columns), top);
    for (const std::string& group : groups) {
        const auto shortest = std::min_element(heights.begin(), heights.end());
        const float x = left + column * static_cast<float>(shortest - heights.begin());
        float y = *shortest;
        ImGui::SetCursorPos({x, y});
        ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.accent));
        ImGui::TextUnformatted(group.c_str());
        ImGui::PopStyleColor();
        y += line;
        for (const KeyHelp& key : keys) {
            if (group != key.group) continue;
            ImGui::SetCursorPos({x, y});
            ImGui::PushFont(ui.fonts.numbers);
            ImGui::TextUnformatted(key.keys);
            ImGui::PopFont();
            ImGui::SetCursorPos({x + ui.em(142), y});
            quiet_text(ui, key.action);
            y += line;
        }
        *shortest = y + 0.6f * line;
    }
    ImGui::SetCursorPos({left, *std::max_element(heights.begin(), heights.end())});
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - left);
    quiet_text(ui, "Esc or ? closes this. " + ui.model.info.title + ": " + ui.model.info.paper, false);
    ImGui::PopTextWrapPos();
    if (ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered()) ui.state.show_help = false;
    ImGui::End();
    ImGui::PopStyleColor();
}

}  // namespace flipscope::app
