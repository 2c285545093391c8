#include "app/window/panels/widgets.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "app/base/text_lines.h"
#include "app/figures/pen.h"
#include "app/window/actions.h"
#include "app/window/glossary.h"

namespace flipscope::app {

namespace {

// In a square of side 1 around (0, 0), y down.
void draw_icon(ImDrawList& draw, Icon icon, ImVec2 middle, float size, ImU32 color) {
    const auto at = [&](float x, float y) { return ImVec2(middle.x + x * size, middle.y + y * size); };
    const auto bar = [&](float x) { draw.AddRectFilled(at(x - 0.07f, -0.42f), at(x + 0.07f, 0.42f), color, 1); };
    const auto right = [&](float x, float w) {
        draw.AddTriangleFilled(at(x, -0.42f), at(x + w, 0), at(x, 0.42f), color);
    };
    const auto left = [&](float x, float w) {
        draw.AddTriangleFilled(at(x, -0.42f), at(x - w, 0), at(x, 0.42f), color);
    };
    switch (icon) {
        case Icon::kPlay:
            return right(-0.3f, 0.72f);
        case Icon::kPause:
            draw.AddRectFilled(at(-0.32f, -0.42f), at(-0.1f, 0.42f), color, 1);
            return draw.AddRectFilled(at(0.1f, -0.42f), at(0.32f, 0.42f), color, 1);
        case Icon::kPass:
            return bar(-0.28f), right(-0.08f, 0.5f);
        case Icon::kPassBack:
            return bar(0.28f), left(0.08f, 0.5f);
        case Icon::kRound:
            return right(-0.44f, 0.44f), right(0, 0.44f);
        case Icon::kRoundBack:
            return left(0.44f, 0.44f), left(0, 0.44f);
        case Icon::kStart:
            return bar(-0.4f), left(0.06f, 0.36f), left(0.42f, 0.36f);
        case Icon::kEnd:
            return bar(0.4f), right(-0.42f, 0.36f), right(-0.06f, 0.36f);
        case Icon::kRestart:
            draw.PathArcTo(middle, 0.36f * size, -0.9f, 4.2f, 24);
            draw.PathStroke(color, 0, 0.12f * size);
            return draw.AddTriangleFilled(at(0.02f, -0.48f), at(0.48f, -0.44f), at(0.3f, -0.02f), color);
        case Icon::kPauseThen:
            draw.AddRectFilled(at(-0.46f, -0.42f), at(-0.28f, 0.42f), color, 1);
            draw.AddRectFilled(at(-0.1f, -0.42f), at(0.08f, 0.42f), color, 1);
            draw.AddRectFilled(at(0.3f, -0.42f), at(0.46f, 0.14f), color, 1);
            return draw.AddRectFilled(at(0.3f, 0.26f), at(0.46f, 0.42f), color, 1);
        case Icon::kBefore:
            return draw.AddTriangleFilled(at(-0.4f, 0.25f), at(0.4f, 0.25f), at(0, -0.35f), color);
        case Icon::kNext:
            return draw.AddTriangleFilled(at(-0.4f, -0.25f), at(0, 0.35f), at(0.4f, -0.25f), color);
        case Icon::kClose:
            draw.AddLine(at(-0.26f, -0.26f), at(0.26f, 0.26f), color, 0.11f * size);
            return draw.AddLine(at(-0.26f, 0.26f), at(0.26f, -0.26f), color, 0.11f * size);
        case Icon::kMove:  // four arrows around a point
            draw.AddCircleFilled(at(0, 0), 0.16f * size, color, 16);
            for (const auto& [x, y] : {std::pair{1.f, 0.f}, {-1.f, 0.f}, {0.f, 1.f}, {0.f, -1.f}})
                draw.AddTriangleFilled(at(0.5f * x, 0.5f * y), at(0.28f * x - 0.16f * y, 0.28f * y + 0.16f * x),
                                       at(0.28f * x + 0.16f * y, 0.28f * y - 0.16f * x), color);
            return;
        case Icon::kLock:
            draw.AddRectFilled(at(-0.32f, -0.04f), at(0.32f, 0.44f), color, 0.06f * size);
            return draw.AddBezierCubic(at(-0.2f, 0), at(-0.2f, -0.56f), at(0.2f, -0.56f), at(0.2f, 0), color,
                                       0.1f * size);
        case Icon::kPointer:  // the arrow of a mouse
            draw.AddTriangleFilled(at(-0.26f, -0.46f), at(-0.26f, 0.3f), at(0.28f, 0.1f), color);
            return draw.AddLine(at(-0.02f, 0.1f), at(0.14f, 0.46f), color, 0.15f * size);
        case Icon::kAdd:
            draw.AddCircleFilled(at(-0.14f, 0.14f), 0.24f * size, color, 20);
            draw.AddLine(at(0.3f, -0.46f), at(0.3f, -0.02f), color, 0.11f * size);
            return draw.AddLine(at(0.08f, -0.24f), at(0.52f, -0.24f), color, 0.11f * size);
        case Icon::kRemove:
            draw.AddCircle(at(-0.14f, 0.14f), 0.22f * size, color, 20, 0.1f * size);
            return draw.AddLine(at(0.08f, -0.24f), at(0.52f, -0.24f), color, 0.11f * size);
        case Icon::kFreeze:  // a snowflake
            for (const auto& [x, y] : {std::pair{0.f, 0.48f}, {0.416f, 0.24f}, {0.416f, -0.24f}})
                draw.AddLine(at(-x, -y), at(x, y), color, 0.1f * size);
            return;
        case Icon::kPaint:
            draw.AddLine(at(0.46f, -0.46f), at(0, 0), color, 0.17f * size);
            return draw.AddCircleFilled(at(-0.2f, 0.2f), 0.24f * size, color, 20);
        case Icon::kWipe:
            draw.AddQuadFilled(at(-0.46f, 0.1f), at(0.06f, -0.42f), at(0.42f, -0.06f), at(-0.1f, 0.46f), color);
            return draw.AddLine(at(-0.1f, 0.46f), at(0.5f, 0.46f), color, 0.1f * size);
    }
}

}  // namespace

bool icon_button(const Ui& ui, const char* id, Icon icon, const std::string& help, bool enabled, float accent) {
    const float side = ImGui::GetFrameHeight();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!enabled);
    if (accent > 0) ImGui::PushStyleColor(ImGuiCol_Button, to_imgui(ui.colors.accent.alpha(accent)));
    const bool pressed = ImGui::Button(id, {side * 1.25f, side});
    if (accent > 0) ImGui::PopStyleColor();
    ImGui::EndDisabled();
    const Color color = accent >= kStrong ? ui.colors.canvas : ui.colors.text;
    draw_icon(*ImGui::GetWindowDrawList(), icon, {origin.x + 0.625f * side, origin.y + 0.5f * side}, 0.5f * side,
              packed(color.alpha(enabled ? 1.f : 0.3f)));
    help_for_last(ui, help);
    return pressed && enabled;
}

void action_button(Ui& ui, const std::string& id, Icon icon, float accent) {
    const Action& what = action(id);
    const std::string why = what.why_not(ui);
    if (icon_button(ui, ("##" + id).c_str(), icon, why.empty() ? tip_of(what) : why, why.empty(), accent)) what.run(ui);
    ui.boxes.add("button/" + id, box_of_last());
}

void action_button(Ui& ui, const std::string& id, const char* text) {
    const Action& what = action(id);
    const std::string why = what.why_not(ui);
    ImGui::BeginDisabled(!why.empty());
    const bool pressed = ImGui::Button(text);
    ImGui::EndDisabled();
    ui.boxes.add("button/" + id, box_of_last());
    help_for_last(ui, why.empty() ? tip_of(what) : why);
    if (pressed) what.run(ui);
}

bool slider_beside_number(Ui& ui, const SliderStyle& style, ImGuiDataType type, void* value, const void* least,
                          const void* most, ImGuiSliderFlags flags) {
    const std::string id = "##" + style.name;
    const float gap = ui.em(8), track = std::max(style.width - style.number - gap, ui.em(16));
    const ImVec2 on_screen = ImGui::GetCursorScreenPos();
    // The track becomes a field with the number while one is typed; otherwise it is empty.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID typing_id = ImGui::GetID((id + "/typing").c_str());
    const bool typing = storage.GetBool(typing_id);
    const float line = ImGui::GetTextLineHeight(), height = ImGui::GetFrameHeight();
    const float wide = ImGui::CalcTextSize(style.text.c_str()).x;
    const float x = track + gap + (style.right ? std::max(style.number - wide, 0.f) : 0);
    ImGui::GetWindowDrawList()->AddText({on_screen.x + x, std::round(on_screen.y + 0.5f * (height - line))},
                                        ImGui::GetColorU32(ImGuiCol_Text), style.text.c_str());
    ImGui::BeginGroup();
    ImGui::SetNextItemWidth(track);
    if (!typing) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
    const bool changed = ImGui::SliderScalar(id.c_str(), type, value, least, most, style.typed, flags);
    if (!typing) ImGui::PopStyleColor();
    storage.SetBool(typing_id, ImGui::IsItemActive() && !ImGui::IsMouseDown(0));
    ImGui::SameLine(0, 0);
    ImGui::Dummy({style.width - track, height});
    ImGui::EndGroup();
    return changed;
}

void tooltip(const Ui& ui, const std::string& text, const std::string& item) {
    const std::string meanings = meanings_in(item + "\n" + text);
    if (text.empty() && meanings.empty()) return;
    const Scoped font(ui.fonts.body);
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.em(340));
    const float room = ui.em(340) - ImGui::GetCursorPosX();
    if (!text.empty()) ImGui::TextUnformatted(broken_at_blanks(text, room).c_str());
    if (!meanings.empty()) {
        if (!text.empty()) ImGui::Spacing();
        small_text(ui, broken_at_blanks(meanings, room));
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void help_for_last(const Ui& ui, const std::string& text, const std::string& item) {
    if (!ui.state.help_waits && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(ui, text, item);
}

bool list_option(const Ui& ui, const std::string& text, bool chosen) {
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.accent));
    const bool pressed = ImGui::Selectable(text.c_str());
    if (!chosen) return pressed;
    ImGui::PopStyleColor();
    ImGui::SetItemDefaultFocus();
    return pressed;
}

void open_section(const char* title) { ImGui::GetStateStorage()->SetBool(ImGui::GetID(title), true); }

bool folding_heading(const char* id, float height, bool open) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID key = ImGui::GetID(id);
    const bool shown = storage.GetBool(key, open);
    if (!ImGui::InvisibleButton(id, {std::max(ImGui::GetContentRegionAvail().x, 1.f), height})) return shown;
    storage.SetBool(key, !shown);
    return !shown;
}

bool section(const Ui& ui, const char* title, bool open) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight() + ui.em(8);
    const bool shown = folding_heading(title, height, open);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 color = packed(ImGui::IsItemHovered() ? ui.colors.text : ui.colors.accent);
    draw.AddText({at.x, at.y + ui.em(4)}, color, title);
    // A chevron at the right end: down while open.
    const float x = at.x + width - ui.em(8), y = at.y + 0.5f * height, r = ui.em(4);
    const ImVec2 down[] = {{x - r, y - 0.5f * r}, {x, y + 0.5f * r}, {x + r, y - 0.5f * r}};
    const ImVec2 left[] = {{x + 0.5f * r, y - r}, {x - 0.5f * r, y}, {x + 0.5f * r, y + r}};
    draw.AddPolyline(shown ? down : left, 3, packed(ui.colors.quiet_text), 0, ui.em(1.5f));
    return shown;
}

std::string broken_at_blanks(const std::string& text, float room) {
    const auto measure = [](const std::string& part) { return double(ImGui::CalcTextSize(part.c_str()).x); };
    std::string broken;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (const std::string& part : filled_lines(line, room, measure)) broken += (broken.empty() ? "" : "\n") + part;
    return broken;
}

void quiet_text(const Ui& ui, const std::string& text, bool wrapped) {
    const Scoped colour(ImGuiCol_Text, ui.colors.quiet_text);
    if (wrapped)
        ImGui::TextWrapped("%s", broken_at_blanks(text, ImGui::GetContentRegionAvail().x).c_str());
    else
        ImGui::TextUnformatted(text.c_str());
}

void small_text(const Ui& ui, const std::string& text, bool wrapped) {
    const Scoped font(ui.fonts.small);
    quiet_text(ui, text, wrapped);
}

bool named_button(Ui& ui, const std::string& group, const char* text, const std::string& help, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button((std::string(text) + "##" + group).c_str());
    ImGui::EndDisabled();
    ui.boxes.add(group + "/" + text, box_of_last());
    help_for_last(ui, help);
    return pressed;
}

// A margin of one row at both ends; the heading is about another row high.
void scroll_to_row(size_t row, float pitch) {
    const float at = pitch * static_cast<float>(row), from = ImGui::GetScrollY();
    const float height = ImGui::GetWindowHeight() - 1.2f * pitch;
    if (at < from) ImGui::SetScrollY(std::max(0.f, at - pitch));
    if (at + pitch > from + height) ImGui::SetScrollY(at + 2 * pitch - height);
}

Color colour_of(const Palette& colors, Message::Kind kind, const Color& note) {
    return kind == Message::Kind::kError     ? colors.error
           : kind == Message::Kind::kWarning ? colors.warning
           : kind == Message::Kind::kGood    ? colors.success
                                             : note;
}

void right_number(const Ui& ui, const std::string& text, bool quiet) {
    const float line = ImGui::GetTextLineHeight();
    const Scoped font(ui.fonts.small_numbers);
    const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (spare > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);
    const float lower = std::floor(0.5f * (line - ImGui::GetTextLineHeight()) + 0.5f);
    if (lower > 0) ImGui::SetCursorPosY(ImGui::GetCursorPosY() + lower);  // align with the text beside it
    if (quiet)
        quiet_text(ui, text);
    else
        ImGui::TextUnformatted(text.c_str());
}

void right_heading(const Ui& ui, const char* text, const std::string& help) {
    const Scoped font(ui.fonts.small);
    const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
    if (spare > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + spare);
    quiet_text(ui, text);
    help_for_last(ui, help);
}

std::string elided(const std::string& text, float width) { return Pen::cut(*ImGui::GetFont(), text, width); }

float begin_banner(const Ui& ui, const char* name, float width, float y, float pivot) {
    const Box& canvas = ui.layout.canvas;
    width = std::min(width, canvas.width - ui.em(24));
    ImGui::SetNextWindowPos({canvas.x + 0.5f * canvas.width, y}, 0, {0.5f, pivot});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::Begin(name, nullptr, kSizedOverlay);
    return width;
}

void begin_line(const Ui& ui, const char* label, float column, float width) {
    ImGui::AlignTextToFramePadding();
    quiet_text(ui, label);
    ImGui::SameLine(column);
    ImGui::SetNextItemWidth(width);
}

void begin_row(const Ui& ui, const std::string& name, const std::string& help, const std::string& item) {
    ImGui::TableNextRow();
    next_cell(name);
    help_for_last(ui, help, item);
}

void next_cell(const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(elided(text).c_str());
}

void begin_panel(const Ui& ui, const char* name, const Box& box, bool scrolls) {
    ImGui::SetNextWindowPos(box.low());
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                             ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavInputs |
                             ImGuiWindowFlags_NoBackground;  // the window is already cleared in the panels' colour
    if (!scrolls) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(name, nullptr, flags);
    ImGui::GetBackgroundDrawList()->AddRect(
        {box.x - 0.5f, box.y - 0.5f}, {box.x + box.width + 0.5f, box.y + box.height}, packed(ui.colors.panel_edge));
}

Box box_of_last() {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

std::string capitalised(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

}  // namespace flipscope::app
