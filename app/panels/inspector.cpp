// What lies under the click, over the canvas: facts under their headings, drawings, and what a hand can do to it.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/inspector_place.h"
#include "app/panels/panels.h"
#include "app/panels/sketch.h"
#include "app/panels/widgets.h"
#include "app/window_canvas.h"

namespace flipscope::app {

namespace {

/// A fact without a value is a heading over those that follow.
bool is_heading(const Fact& fact) { return fact.value.empty(); }
/// One whose value has columns belongs to a table.
bool is_row(const Fact& fact) { return fact.value.find('\t') != fact.value.npos; }

void draw_heading(const Ui& ui, const Fact& fact) {
    ImGui::Spacing();
    ImGui::PushFont(ui.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.accent));
    ImGui::TextUnformatted(fact.name.c_str());
    ImGui::PopStyleColor();
    if (!fact.why.empty()) quiet_text(ui, fact.why, true);
    ImGui::PopFont();
}

/// Wide enough for the names, but for those that would leave no room for values.
float column_of_values(const Ui& ui, const std::vector<Fact>& facts, float width) {
    float column = ui.em(96);
    for (const Fact& fact : facts) {
        if (is_heading(fact) || is_row(fact)) continue;
        const float wide = ImGui::CalcTextSize(fact.name.c_str()).x + ui.em(12);
        if (wide < 0.5f * width) column = std::max(column, wide);
    }
    return column;
}

/// Coordinates that are too long for one line stand below each other: a break within a number would make two of it.
std::string in_lines(std::string value) {
    if (ImGui::CalcTextSize(value.c_str()).x <= ImGui::GetContentRegionAvail().x) return value;
    const bool numbers = value.find_first_not_of("-+.,e0123456789 ") == value.npos;
    for (size_t at = value.find(", "); numbers && at != value.npos; at = value.find(", ", at))
        value.replace(at, 2, ",\n");
    return value;
}

// The value beside the name, and the reason beside the value, where there is room; else below.
void draw_fact(const Ui& ui, const Fact& fact, float column) {
    quiet_text(ui, fact.name, true);
    if (ImGui::CalcTextSize(fact.name.c_str()).x + ui.em(4) < column)
        ImGui::SameLine(column);
    else
        ImGui::SetCursorPosX(column);
    ImGui::PushTextWrapPos(0);
    ImGui::PushFont(ui.fonts.numbers);
    ImGui::TextUnformatted(in_lines(fact.value).c_str());
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

std::vector<std::string> columns_of(const std::string& text) {
    std::vector<std::string> columns;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, '\t');) columns.push_back(word);
    return columns;
}

/// A tick or a cross, or the text that is neither "yes" nor "no".
void draw_cell(const Ui& ui, const std::string& text, const std::string& help) {
    const float line = ImGui::GetTextLineHeight();
    if (text != "yes" && text != "no") {
        quiet_text(ui, elided(text, ImGui::GetContentRegionAvail().x));
        return help_for_last(ui, help);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float x = at.x + 0.9f * line, y = at.y + 0.5f * line, r = 0.26f * line, thick = ui.em(1.8f);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (text == "yes") {
        const ImVec2 tick[] = {{x - 1.1f * r, y}, {x - 0.25f * r, y + 0.9f * r}, {x + 1.2f * r, y - r}};
        draw.AddPolyline(tick, 3, packed(ui.colors.success), 0, thick);
    } else {
        draw.AddLine({x - r, y - r}, {x + r, y + r}, packed(ui.colors.error), thick);
        draw.AddLine({x - r, y + r}, {x + r, y - r}, packed(ui.colors.error), thick);
    }
    ImGui::Dummy({ImGui::GetContentRegionAvail().x, line});
    help_for_last(ui, help);
}

/// Facts from `begin` to `end`: the heads, then a row each, whose reason is its help.
void draw_table(const Ui& ui, const std::vector<Fact>& facts, size_t begin, size_t end) {
    const std::vector<std::string> heads = columns_of(facts[begin].value), reasons = columns_of(facts[begin].why);
    ImGui::Spacing();
    ImGui::PushFont(ui.fonts.small);
    constexpr ImGuiTableFlags flags =
        ImGuiTableFlags_RowBg | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_NoPadOuterX;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {ui.em(2), ImGui::GetStyle().CellPadding.y});
    if (ImGui::BeginTable("table", static_cast<int>(heads.size()) + 1, flags)) {
        // Words need what they need, ticks share the rest.
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, ImGui::CalcTextSize("smxmy").x);
        for (size_t k = 0; k < heads.size(); ++k)
            ImGui::TableSetupColumn("", k == 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch,
                                    ImGui::CalcTextSize(k == 0 ? "outside" : heads[k].c_str()).x);
        for (size_t i = begin; i < end; ++i) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            const std::string help = i == begin ? "" : facts[i].name + ": " + facts[i].why;
            if (i == begin)
                quiet_text(ui, facts[i].name);
            else
                ImGui::TextUnformatted(facts[i].name.c_str());
            help_for_last(ui, help);
            const std::vector<std::string> columns = columns_of(facts[i].value);
            for (size_t k = 0; k < columns.size() && k < heads.size(); ++k) {
                ImGui::TableNextColumn();
                draw_cell(ui, columns[k], i > begin ? help : k < reasons.size() ? reasons[k] : "");
            }
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

void add_control(Ui& ui) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ui.layout.inspector_controls.push_back({low.x, low.y, high.x - low.x, high.y - low.y});
}

/// Beside what it speaks of, in what the legend, the tools and the loupe leave of the canvas.
Box place(Ui& ui, const Inspection& found) {
    const Box& canvas = ui.layout.canvas;
    const float beside_tools = ui.layout.tools.width > 0 ? ui.layout.tools.width + ui.em(6) : 0;
    const float loupe = ui.layout.loupe.height > 0 ? ui.layout.loupe.height + ui.em(8) : 0;
    const float gap = ui.em(10);
    InspectorWish wish;
    wish.room = {canvas.x + gap + beside_tools, canvas.y + ui.layout.legend_height + gap,
                 canvas.width - 2 * gap - beside_tools, 0};
    wish.room.height = std::max(ui.em(120), canvas.height - ui.layout.legend_height - 2 * gap - loupe);
    // No more than half of the canvas, unless that is too narrow to read.
    const float half = std::max(ui.em(308), 0.5f * canvas.width - ui.em(20) - beside_tools);
    wish.size = {std::min({ui.em(340), half, wish.room.width}),
                 ui.state.inspector_height > 0 ? ui.state.inspector_height : wish.room.height};
    wish.least = ui.em(110);
    wish.least_width = ui.em(220);
    wish.margin = ui.em(9);
    for (const Point3& corner : found.corners) wish.shape.push_back(on_screen(ui, found.element.part, corner));
    wish.clicked = on_screen(ui, ui.state.clicked_part, ui.state.clicked);
    if (wish.shape.empty()) wish.shape.push_back(wish.clicked);
    return place_inspector(wish);
}

/// What a hand can do to it, where the lab lets it.
void draw_edits(Ui& ui, const Element& element) {
    if (element.kind == ElementKind::kEdge && ui.model.takes_flips) {
        ImGui::Spacing();
        if (ImGui::Button("Flip this edge", {-1, 0})) ui.session.flip_edge(element);
        add_control(ui);
        help_for_last(ui,
                      "Replaces it by the other diagonal, whether that is Delaunay or not. It is a step of its own; "
                      "the next steps continue from there.");
    } else if (element.kind == ElementKind::kVertex && ui.model.takes_moves) {
        ImGui::PushFont(ui.fonts.small);
        const std::string follower = ui.model.info.makes_triangles ? "mesh follows." : "diagram follows.";
        quiet_text(ui, (has_room_to_grab(ui) ? "Drag it, and the " : "Zoom in to drag it: the ") + follower, true);
        ImGui::PopFont();
    }
}

/// "Edge 12", "Site (40, 12)", and of two scenes side by side which of them it lies in.
std::string title_of(const LabModel& model, const Element& element) {
    static constexpr const char* kKinds[] = {"Vertex ", "Edge ", "Triangle ", "Site "};
    const SceneView& scene = model.scene.view(element.part);
    const LatticeLayer lattice = scene.lattice();
    std::string text = kKinds[static_cast<int>(element.kind)];
    if (element.kind == ElementKind::kSite && lattice)
        text +=
            "(" + std::to_string(element.id % lattice.width) + ", " + std::to_string(element.id / lattice.width) + ")";
    else
        text += std::to_string(element.id);
    return scene.title.empty() || model.scene.beside.empty() ? text : text + ", " + scene.title;
}

}  // namespace

void draw_inspector(Ui& ui) {
    const Inspection& found = ui.model.inspection;
    ui.layout.inspector = {};
    ui.layout.inspector_controls.clear();
    ui.layout.inspector_scrolls = false;
    if (!found.any()) return;
    const Element &now = found.element, &before = ui.state.inspected;
    if (now.kind != before.kind || now.id != before.id || now.part != before.part) ui.state.inspector_height = 0;
    ui.state.inspected = found.element;
    const Box box = place(ui, found);
    ui.layout.inspector = box;
    ImGui::SetNextWindowPos(box.low());
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(ui.colors.panel.alpha(0.95f)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.em(5));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("inspector", nullptr, kOverlay & ~ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::AlignTextToFramePadding();
    const float close_at = ImGui::GetContentRegionMax().x - 1.25f * ImGui::GetFrameHeight();
    const std::string title = title_of(ui.model, found.element);
    ImGui::TextUnformatted(elided(title, close_at - ImGui::GetCursorPosX() - ui.em(6)).c_str());
    help_for_last(ui, title);
    ImGui::SameLine(close_at);
    const bool close = icon_button(ui, "##close", Icon::kClose, "Close (Esc)");
    add_control(ui);
    ImGui::Separator();
    // The title stays where it is while a long answer is scrolled; how long it is the last frame found out.
    const float above = ImGui::GetCursorPosY(), below = ImGui::GetStyle().WindowPadding.y;
    const float room = std::max(ui.em(10), box.height - above - below);
    ui.layout.inspector_scrolls = ui.state.inspector_height > box.height + 1;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0));
    ImGui::BeginChild("answer", {box.width - 2 * ImGui::GetStyle().WindowPadding.x, room});
    if (ui.layout.inspector_scrolls) {
        const float bar = ImGui::GetStyle().ScrollbarSize,
                    right = box.x + box.width - ImGui::GetStyle().WindowPadding.x;
        ui.layout.inspector_controls.push_back({right - bar, box.y + above, bar, room});
    }
    const float most = ui.layout.canvas.height - ui.layout.legend_height;
    draw_sketches(ui, found.sketches, ImGui::GetContentRegionAvail().x, std::min(ui.em(300), 0.45f * most));
    if (!found.sketches.empty()) ImGui::Spacing();
    const float column = column_of_values(ui, found.facts, ImGui::GetContentRegionAvail().x);
    for (size_t i = 0; i < found.facts.size(); ++i) {
        if (is_row(found.facts[i])) {
            const size_t begin = i;
            while (i + 1 < found.facts.size() && is_row(found.facts[i + 1])) ++i;
            draw_table(ui, found.facts, begin, i + 1);
        } else if (is_heading(found.facts[i])) {
            draw_heading(ui, found.facts[i]);
        } else {
            draw_fact(ui, found.facts[i], column);
        }
    }
    draw_edits(ui, found.element);
    const float needed = above + ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + below;
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    ui.state.inspector_height = std::ceil(needed) + 1;
    if (close) ui.session.close_inspection();
}

}  // namespace flipscope::app
