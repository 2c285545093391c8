// The detail view: one of the lab's detections, enlarged over the canvas; and moving to it.
#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/figures/pen.h"
#include "app/run/detections.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/report_view.h"
#include "app/window/panels/widgets.h"
#include "geometry/places.h"

namespace flipscope::app {

namespace {

/// A patch in the links' colour and the list of these links: beside their name, or below it in a narrow column.
void draw_links(const Ui& ui, const char* name, Role role, const std::vector<std::array<int64_t, 2>>& pairs,
                bool column) {
    const float line = ImGui::GetTextLineHeight(), mark = ui.em(16);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + 0.5f * line}, {at.x + mark, at.y + 0.5f * line},
                                        packed(ui.colors.role(role)), ui.em(3));
    ImGui::Dummy({mark, line});
    ImGui::SameLine(0, ui.em(8));
    quiet_text(ui, name);
    if (!column) ImGui::SameLine(0, ui.em(8));
    ImGui::TextWrapped("%s", pairs_text(pairs).c_str());
}

/// Explains the bright lines and diamonds across the links.
void draw_edge_key(const Ui& ui, bool column) {
    const float line = ImGui::GetTextLineHeight(), mark = ui.em(16);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Color color = ui.colors.role(Role::kExact);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddLine({at.x, at.y + 0.5f * line}, {at.x + 0.55f * mark, at.y + 0.5f * line}, packed(color), ui.em(3.2f));
    draw_vanishing_edge(ui, draw, {at.x + 0.85f * mark, at.y + 0.5f * line});
    ImGui::Dummy({mark, line});
    ImGui::SameLine(0, ui.em(8));
    const char* const whole = "edge of two cells; a diamond: of almost no length";
    const bool fits = !column && ImGui::CalcTextSize(whole).x <= ImGui::GetContentRegionAvail().x;
    quiet_text(ui, fits ? whole : "cells' edge");
    help_for_last(
        ui,
        "A link stands for an edge that two cells share. It shrinks to nothing before the contact is lost, and "
        "grows from nothing when a contact is created; a diamond marks an edge of almost no length.");
}

/// The detail view's layout. On a high canvas it lies in the lower right corner, with the links below the drawings; on
/// a low one it fills the right part, with the links beside them. In a panel it fills its dock, with whichever
/// arrangement gives larger drawings.
struct DetailViewPlan {
    bool beside = false;        // links beside the drawings
    float width = 0, side = 0;  // of the whole, and of one drawing; screen coordinates
    float height = 0;           // of the whole, approximately
};
DetailViewPlan plan_detail_view(const Ui& ui, const Detection& detection, size_t drawings) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const Box& canvas = ui.layout.canvas;
    const auto count = static_cast<float>(std::max<size_t>(drawings, 1));
    const float gap = ui.em(8), small = Pen::line(*ui.fonts.small) + style.ItemSpacing.y;
    const float tools = ui.layout.tools.width > 0 ? ui.layout.tools.width + ui.em(8) : 0;
    const float room = canvas.width - ui.em(16) - tools;
    const int kinds = !detection.lost_contacts.empty() + !detection.created_contacts.empty();
    const auto links = static_cast<float>(kinds > 0 ? kinds + 1 : 0);  // and a line about their cells' edges
    const float around = 2 * style.WindowPadding.x + (count - 1) * gap;
    const float heading = 2 * style.WindowPadding.y + Pen::line(*ui.fonts.body) + 2 * style.FramePadding.y +
                          style.ItemSpacing.y + small + ui.em(4);
    const float column = links > 0 ? ui.em(122) + gap : 0, least = ui.em(360);

    DetailViewPlan below, beside;
    const float most = 0.6f * canvas.height;  // the legend has at most kMostLegend of the canvas
    below.height = heading + links * small;
    below.side = std::min((std::min(room, std::max(ui.em(440), 0.5f * canvas.width)) - around) / count,
                          std::max(ui.em(60), most - below.height));
    below.width = std::min(room, std::max(least, count * below.side + around));
    below.height += below.side;
    beside.beside = true;
    beside.side = std::min({(std::min(room, 0.72f * canvas.width) - around - column) / count,
                            canvas.height - ui.em(16) - heading, ui.em(260)});
    beside.width = std::min(room, std::max(least, count * beside.side + around + column));
    beside.height = heading + beside.side;
    if (ui.layout.docks) {
        const Box& dock = ui.layout.dock;
        below.height = beside.height = dock.height;
        below.width = beside.width = dock.width;
        below.side = std::min((dock.width - around) / count, dock.height - heading - links * small);
        beside.side = std::min((dock.width - around - column) / count, dock.height - heading);
        for (DetailViewPlan* plan : {&below, &beside}) plan->side = std::max(plan->side, ui.em(20));
        return beside.side > below.side ? beside : below;
    }
    const bool scarce = below.side < ui.em(180) && beside.side > 1.2f * below.side;
    return scarce ? beside : below;
}
bool has_links(const Detection& detection) {
    return !detection.lost_contacts.empty() || !detection.created_contacts.empty();
}
/// The expected number before they exist: changed links are drawn before and after.
size_t drawings_of(const Detection& detection) { return has_links(detection) ? 2 : 1; }
size_t drawings_of(const Detection& detection, const DetailView& detail_view) {
    return detail_view.is_inspected ? detail_view.diagrams.size() : drawings_of(detection);
}

/// Whether the inspector fits beside or above the detail view.
bool fits_with_inspector(const Ui& ui, const DetailViewPlan& plan) {
    const Box& canvas = ui.layout.canvas;
    return !ui.layout.docks && !plan.beside &&
           canvas.height - ui.layout.legend_height - ui.em(24) - plan.height >= ui.em(120);
}

/// The full title, or as much as fits; at least the number.
std::string detail_view_title(const LabInfo& info, const Detection& detection, size_t index, float room) {
    const std::string number = number_text(index + 1), name = capitalised(word_of(info)) + " " + number,
                      kind = name + (detection.kind.empty() ? "" : ", " + detection.kind);
    for (const std::string& title : {kind + ", at time " + format_plainly(detection.time), kind, name})
        if (ImGui::CalcTextSize(title.c_str()).x <= room) return title;
    return elided(number, room);
}

/// Along one axis: where the canvas's middle must lie for `place` to be centred in its visible part, `from` … `to`
/// relative to that middle. The visible part stays within the scene, or the scene within it.
double centre_of_view(double place, double low, double high, double from, double to) {
    const double middle = place - 0.5 * (from + to);
    if (!(high > low)) return middle;
    if (to - from >= high - low) return 0.5 * (low + high) - 0.5 * (from + to);
    return std::clamp(middle, low - from, high - to);
}

}  // namespace

void choose_detection(Ui& ui, size_t index) {
    if (index >= ui.model.detections.size()) return;
    const Detection& detection = ui.model.detections[index];
    const DetailViewPlan plan = plan_detail_view(ui, detection, drawings_of(detection));
    if (!fits_with_inspector(ui, plan)) ui.session.inspector().close();
    ui.session.inspector().open_detection(index);
    ui.state.scroll_to_detection = true;
    centre_on_detection(ui, index);
}

void centre_on_detection(Ui& ui, size_t index) {
    if (index >= ui.model.detections.size()) return;
    const Detection& detection = ui.model.detections[index];
    const Point place = detection.place;
    const DetailViewPlan plan = plan_detail_view(ui, detection, drawings_of(detection));
    if (ui.model.scene.in_space || !std::isfinite(place.x) || !std::isfinite(place.y)) return;
    // Centred in the part of the canvas that detail view and legend leave free; the view leaves the scene only if
    // necessary.
    const double unit = ImGui::GetIO().DisplayFramebufferScale.y / ui.state.camera.scale;
    const Box& canvas = ui.layout.canvas;
    const bool docks = ui.layout.docks;  // it covers nothing of the canvas
    const double covered_right = plan.beside && !docks ? plan.width : 0;
    const double covered_below = plan.beside || docks ? 0 : std::min(plan.height, 0.8f * canvas.height);
    const double covered_above = ui.layout.legend_height;
    const Scene& scene = ui.model.scene;
    const double half_width = 0.5 * canvas.width * unit, half_height = 0.5 * canvas.height * unit;
    ui.state.camera.center = {
        centre_of_view(place.x, scene.low.x, scene.high.x, -half_width, half_width - covered_right * unit),
        centre_of_view(place.y, scene.low.y, scene.high.y, covered_below * unit - half_height,
                       half_height - covered_above * unit)};
    ui.state.fitted = false;
}

// On the right of the canvas, away from the inspector, which takes precedence if both do not fit.
void draw_detail_view(Ui& ui) {
    const DetailView& detail_view = ui.model.detail_view;
    ui.layout.detail_view = {};
    if (!detail_view.any() || detail_view.detection >= ui.model.detections.size()) return;
    const Detection& detection = ui.model.detections[detail_view.detection];
    const Box &canvas = ui.layout.canvas, &dock = ui.layout.dock;
    const bool docked = ui.layout.docks;
    const DetailViewPlan plan = plan_detail_view(ui, detection, drawings_of(detection, detail_view));
    if (plan.width < ui.em(120) || (docked && !(dock.height > 0))) return;
    if (ui.model.inspection.any() && !fits_with_inspector(ui, plan)) return;
    const float margin = ui.em(8);
    if (docked) {
        ImGui::SetNextWindowPos(dock.low());
        ImGui::SetNextWindowSizeConstraints({dock.width, dock.height}, {dock.width, dock.height});
    } else {
        ImGui::SetNextWindowPos({canvas.x + canvas.width - margin, ui.layout.canvas_bottom() - margin}, 0, {1, 1});
        ImGui::SetNextWindowSizeConstraints({plan.width, 0},
                                            {plan.width, canvas.height - ui.layout.covered - 2 * margin});
    }
    ImGui::Begin("detail view", nullptr, kOverlay & ~ImGuiWindowFlags_NoScrollbar);
    const float button = 1.25f * ImGui::GetFrameHeight() + ui.em(4);
    const float buttons_at = ImGui::GetContentRegionMax().x - 3 * button;
    ImGui::AlignTextToFramePadding();
    const float title_room = buttons_at - ImGui::GetCursorPosX() - ui.em(8);
    ImGui::TextUnformatted(detail_view_title(ui.model.info, detection, detail_view.detection, title_room).c_str());
    help_for_last(ui, in_full(detection, ui.model.info));
    ImGui::SameLine(buttons_at);
    const std::string word = word_of(ui.model.info);
    if (icon_button(ui, "##before", Icon::kBefore, "The " + word + " before (\u2191)", detail_view.detection > 0))
        step_through_detections(ui, -1);
    ImGui::SameLine(0, ui.em(4));
    const bool more = detail_view.detection + 1 < ui.model.detections.size();
    if (icon_button(ui, "##next", Icon::kNext, "The next " + word + " (\u2193)", more)) step_through_detections(ui, 1);
    ImGui::SameLine(0, ui.em(4));
    const bool close = icon_button(ui, "##close", Icon::kClose, "Close (Esc)");
    ImGui::PushFont(ui.fonts.small);
    const auto count = static_cast<float>(std::max<size_t>(drawings_of(detection, detail_view), 1));
    const float room = ImGui::GetContentRegionAvail().x;
    const bool column = plan.beside && detail_view.is_inspected && has_links(detection);
    const float width = column ? std::min(room, count * plan.side + (count - 1) * ui.em(8)) : room;
    ImGui::BeginGroup();
    std::vector<const Diagram*> drawn;
    for (const Diagram& diagram : detail_view.diagrams) drawn.push_back(&diagram);
    if (detail_view.is_inspected)
        draw_diagrams(ui, drawn, width, plan.side);
    else
        quiet_text(ui, "It is drawn once the timeline has reached it.", true);
    ImGui::EndGroup();
    if (column) ImGui::SameLine(0, ui.em(8));
    ImGui::BeginGroup();
    if (!detection.lost_contacts.empty())
        draw_links(ui, "lost contacts", Role::kLostContact, detection.lost_contacts, column);
    if (!detection.created_contacts.empty())
        draw_links(ui, "created contacts", Role::kCreatedContact, detection.created_contacts, column);
    if (has_links(detection)) draw_edge_key(ui, column);
    ImGui::EndGroup();
    ImGui::PopFont();
    ui.layout.detail_view = {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y, ImGui::GetWindowWidth(),
                             ImGui::GetWindowHeight()};
    ImGui::End();
    if (close) ui.session.inspector().close_detection();
}

}  // namespace flipscope::app
