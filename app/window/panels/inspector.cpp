// The inspector: a report on the clicked element over the canvas, and its manual edits.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/view/display.h"
#include "app/window/canvas.h"
#include "app/window/inspector_place.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/report_view.h"
#include "app/window/panels/widgets.h"

namespace flipscope::app {

namespace {

constexpr const char* kUnfold = "Explain";  // of the inspector that a lesson has folded to its title

void add_control(Ui& ui) { ui.layout.inspector_controls.push_back(box_of_last()); }

/// Its place beside the clicked element, in the part of the canvas without legend, tools and detail view. `chip`: its
/// size when folded; width 0: not folded.
Box place(Ui& ui, const Inspection& found, ImVec2 chip) {
    const Box& canvas = ui.layout.canvas;
    const float beside_tools = ui.layout.tools.width > 0 ? ui.layout.tools.width + ui.em(8) : 0;
    const float detail_view = ui.layout.detail_view.height > 0 ? ui.layout.detail_view.height + ui.em(8) : 0;
    const float gap = ui.em(8);
    InspectorRequest request;
    request.room = {canvas.x + gap + beside_tools, canvas.y + ui.layout.legend_height + gap,
                    canvas.width - 2 * gap - beside_tools, 0};
    request.room.height =
        std::max(ui.em(120), canvas.height - ui.layout.legend_height - ui.layout.covered - 2 * gap - detail_view);
    // At most half of the canvas, unless that is too narrow to read.
    const float half = std::max(ui.em(308), 0.5f * canvas.width - ui.em(20) - beside_tools);
    request.size = {std::min({ui.em(360), half, request.room.width}),
                    ui.state.inspector_height > 0 ? ui.state.inspector_height : request.room.height};
    request.least = ui.em(110);
    request.least_width = ui.em(220);
    request.margin = ui.em(8);
    if (chip.x > 0) {
        request.size = {std::min(chip.x, request.room.width), chip.y};
        request.least = chip.y;
        request.least_width = 0;
    }
    for (const Point3& corner : found.corners) request.shape.push_back(on_screen(ui, found.element.part, corner));
    request.clicked = on_screen(ui, found.element.part, ui.state.clicked);
    if (request.shape.empty()) request.shape.push_back(request.clicked);
    return place_inspector(request);
}

/// The element's history, once it has been traced.
void draw_history(Ui& ui, const Element& element) {
    if (!has_history(ui.model.scene, element) || ui.model.position == 0) return;
    const ElementHistory* const history = ui.session.inspector().history_of(element);
    if (history) {
        Report report;
        report.add("history", "", properties_of(*history));
        draw_report(ui, report, 0);
    }
    // The time since the trace is not covered yet.
    if (history && history->to >= ui.model.position) return;
    ImGui::Spacing();
    if (ImGui::Button("History", {-1, 0})) ui.session.inspector().trace(element);
    add_control(ui);
    help_for_last(
        ui, "Goes back along the timeline to find the passes that made, flipped or changed it, and returns here.");
}

/// Manual edits that the lab supports for it.
void draw_edits(Ui& ui, const Element& element) {
    if (ui.state.locked) return;
    if (element.kind == ElementKind::kEdge && ui.model.supports(Edit::Kind::kFlipEdge)) {
        ImGui::Spacing();
        if (ImGui::Button("Flip this edge", {-1, 0})) ui.session.edits().flip_edge(element);
        add_control(ui);
        help_for_last(ui,
                      "Replaces it by the other diagonal, whether that is Delaunay or not. It is a step of its own; "
                      "the next steps continue from there.");
    } else if (element.kind == ElementKind::kVertex && ui.model.supports(Edit::Kind::kMoveVertex)) {
        const std::string follower =
            ui.model.info.makes_triangles || has_triangles(ui.model.scene) ? "mesh follows." : "diagram follows.";
        small_text(ui,
                   (ui.state.tool == Tool::kLook   ? "Q: drag it, and the "
                    : ui.state.tool != Tool::kMove ? "Q Q: drag it, and the "
                    : has_room_to_grab(ui)         ? "Drag it, and the "
                                                   : "Zoom in to drag it: the ") +
                       follower,
                   true);
        if (!ui.model.supports(Edit::Kind::kFreeze)) return;
        const bool frozen = ui.model.inspection.frozen;
        if (ImGui::Button(frozen ? "Release it" : "Freeze it", {-1, 0}))
            ui.session.edits().freeze_vertex(element, !frozen);
        add_control(ui);
        help_for_last(ui, frozen ? "It moves again from the next step on."
                                 : "Keeps it where it is; it still acts on others. This is a step of its own.");
    }
}

/// "Edge 12", "Pixel (40, 12)"; and for scenes side by side, the title of its scene.
std::pair<std::string, std::string> title_of(const LabModel& model, const Inspection& found) {
    const Element& element = found.element;
    static constexpr const char* kKinds[] = {"Vertex ", "Edge ", "Triangle ", "Pixel "};
    const SceneView& scene = model.scene.view(element.part);
    const LatticeLayer lattice = scene.lattice();
    std::string text = kKinds[static_cast<int>(element.kind)];
    const Properties properties = found.report.properties();
    if (element.kind == ElementKind::kPixel && lattice)
        text +=
            "(" + std::to_string(element.id % lattice.width) + ", " + std::to_string(element.id / lattice.width) + ")";
    else if (element.kind == ElementKind::kVertex && !properties.empty() &&
             std::holds_alternative<int64_t>(properties.list[0].value.content))
        text = properties.list[0].name + " " + text_of(properties.list[0].value);  // its number in the input
    else
        text += std::to_string(element.id);
    return {text, model.scene.beside.empty() ? "" : scene.title};
}

}  // namespace

void draw_inspector(Ui& ui) {
    const Inspection& found = ui.model.inspection;
    ui.layout.inspector = {};
    ui.layout.inspector_controls.clear();
    ui.layout.inspector_scrolls = false;
    if (!found.any()) return;
    if (ui.state.inspects_another) ui.state.inspector_height = 0;
    const bool docked = ui.layout.dock.width > 0;
    const auto [title, view] = title_of(ui.model, found);
    const bool folded = !docked && ui.state.lesson.folds_inspector();
    const ImGuiStyle& style = ImGui::GetStyle();
    ImVec2 chip{};
    if (folded)
        chip = {2 * style.WindowPadding.x + 2 * style.ItemSpacing.x + ImGui::CalcTextSize(title.c_str()).x +
                    ImGui::CalcTextSize(kUnfold).x + 2 * style.FramePadding.x + 2.5f * ImGui::GetFrameHeight(),
                2 * style.WindowPadding.y + ImGui::GetFrameHeight()};
    const Box box = docked ? ui.layout.dock : place(ui, found, chip);
    ui.layout.inspector = box;
    if (folded) ui.boxes.add("inspector/folded", box);
    ImGui::SetNextWindowPos(box.low());
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::Begin("inspector", nullptr, kSizedOverlay);
    ImGui::AlignTextToFramePadding();
    const float close_at = ImGui::GetContentRegionMax().x - 1.25f * ImGui::GetFrameHeight();
    const float unfold = folded ? ImGui::CalcTextSize(kUnfold).x + 2 * style.FramePadding.x + style.ItemSpacing.x : 0;
    const float title_room = close_at - unfold - ImGui::GetCursorPosX() - ui.em(8);
    const std::string whole = view.empty() ? title : title + ", " + view;
    const bool in_one_line = view.empty() || ImGui::CalcTextSize(whole.c_str()).x <= title_room;
    ImGui::TextUnformatted(elided(in_one_line ? whole : title, title_room).c_str());
    help_for_last(ui, whole);
    if (folded) {
        ImGui::SameLine(close_at - unfold);
        if (ImGui::Button(kUnfold)) ui.state.lesson.unfold_inspector();
        add_control(ui);
        ui.boxes.add(std::string("link/") + kUnfold, ui.layout.inspector_controls.back());
        help_for_last(ui, "Opens the full explanation, over the picture.");
    }
    ImGui::SameLine(close_at);
    const bool close = icon_button(ui, "##close", Icon::kClose, "Close (Esc)");
    add_control(ui);
    if (folded) {  // a later frame measures its unfolded height
        ImGui::End();
        if (close) ui.session.inspector().close();
        return;
    }
    if (!in_one_line) small_text(ui, view, true);
    ImGui::Separator();
    // The title stays fixed while a long text scrolls; the text's height is that of the last frame.
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
    draw_report(ui, found.report, std::min(ui.em(300), 0.45f * most));
    draw_history(ui, found.element);
    draw_edits(ui, found.element);
    const float needed = above + ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y + below;
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::End();
    // The needed height can depend on the available height by some pixels. The box grows freely but shrinks by at least
    // a line; otherwise it could oscillate.
    const float height = std::ceil(needed) + 1;
    const bool less_than_a_line =
        height < ui.state.inspector_height && height > ui.state.inspector_height - ImGui::GetTextLineHeight();
    if (!less_than_a_line) ui.state.inspector_height = height;
    if (close) ui.session.inspector().close();
}

}  // namespace flipscope::app
