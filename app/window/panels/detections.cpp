// The list of the lab's detections.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <optional>

#include "app/base/number_text.h"
#include "app/run/detections.h"
#include "app/window/canvas.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "geometry/places.h"

namespace flipscope::app {

namespace {

constexpr size_t kDetectionRows = 7;  // visible rows of the list; the button below it is in sight at 1280 × 800

void draw_row(Ui& ui, size_t index, double resolution, bool times) {
    const Detection& detection = ui.model.detections[index];
    const bool chosen = ui.model.detail_view.detection == index, later = index >= ui.model.found;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const Scoped id(index);
    const float x = ImGui::GetCursorPosX();
    if (ImGui::Selectable("##row", chosen, ImGuiSelectableFlags_SpanAllColumns)) choose_detection(ui, index);
    if (ImGui::IsItemVisible()) ui.boxes.add("detection/" + std::to_string(index), box_of_last());
    help_for_last(ui, in_full(detection, ui.model.info) + (later ? "\nIt happens later than the present frame." : ""));
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(x);
    if (later) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.quiet_text.alpha(0.65f)));
    if (times) {
        right_number(ui, elided(format_plainly(detection.time)));
        next_cell(detection.kind);
    } else {
        ImGui::TextUnformatted(elided(detection.kind).c_str());
    }
    next_cell(vertices_text(detection));
    ImGui::TableNextColumn();
    right_number(ui, elided(place_text(detection.given.value_or(detection.place), resolution)));
    if (later) ImGui::PopStyleColor();
}

/// Labs without time, such as the Judge lab, have no time column.
bool has_times(const LabModel& model) {
    return std::ranges::any_of(model.detections, [](const Detection& one) { return one.time != 0; });
}

/// A heading that sorts the list when clicked; an arrow marks the active one.
void sorting_heading(Ui& ui, const char* text, bool orders, bool by_kind, bool right, const std::string& help) {
    DetectionList& list = ui.state.detections;
    const std::string shown = std::string(text) + (orders ? " \u2193" : "");
    const float wide = ImGui::CalcTextSize(shown.c_str()).x, room = ImGui::GetContentRegionAvail().x;
    if (right && room > wide) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - wide);
    ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.quiet_text));
    if (ImGui::Selectable((shown + "###" + text).c_str(), false, 0, {wide, 0})) {
        list.sort_by_kind(by_kind);
        ui.state.scroll_to_detection = true;
    }
    ImGui::PopStyleColor();
    ui.boxes.add(std::string("detections/") + text, box_of_last());
    help_for_last(ui, help);
}

void headings(Ui& ui, bool times) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (times)
        sorting_heading(ui, "time", !ui.state.detections.is_by_kind(), false, true,
                        "When it was detected, in the unit of the input or in steps of the source. A click sorts the "
                        "list by time.");
    if (times) ImGui::TableNextColumn();
    const bool by_kind = ui.state.detections.is_by_kind();
    sorting_heading(ui, "kind", by_kind, times || !by_kind, false, "A click sorts the list by kind.");
    ImGui::TableNextColumn();
    quiet_text(ui, "vertices");
    help_for_last(ui, "The elements concerned, by the names that stay the same over time.");
    ImGui::TableNextColumn();
    right_heading(ui, "place", "Where it happened, in the units of the input; lattice units where it has none.");
}

std::string count_text(const LabModel& model) {
    const std::string now = count_of_detections(model.found, model.info);
    const size_t later = model.detections.size() - model.found;
    return later > 0 ? now + " so far, " + number_text(later) + " later on" : model.done ? now : now + " so far";
}

/// When detections are listed, if not immediately.
std::string note_of(const LabModel& model) {
    return model.info.detects_note.empty() ? "" : " " + model.info.detects_note;
}

/// Whether the list follows its newest row: until the user scrolls up from it, and again once it is visible.
bool follows(float row) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("follows"), at_id = ImGui::GetID("at");
    const float at = ImGui::GetScrollY(), before = storage.GetFloat(at_id, 0);
    bool follows = storage.GetBool(id, true) && at >= before - 1;
    if (at >= ImGui::GetScrollMaxY() - row) follows = true;
    storage.SetBool(id, follows);
    storage.SetFloat(at_id, at);
    return follows;
}

/// Keeps the chosen row visible, or else the newest one.
void scroll(Ui& ui, float row) {
    const bool newest = follows(row);
    const DetectionList& list = ui.state.detections;
    const bool is_shown =
        ui.model.detail_view.any() && list.row_of(ui.model.detail_view.detection) < list.rows().size();
    if (!is_shown) ui.state.scroll_to_detection = false;
    if (ui.state.scroll_to_detection) {
        scroll_to_row(list.row_of(ui.model.detail_view.detection), row);
        ui.state.scroll_to_detection = false;
    } else if (!ui.model.detail_view.any() && newest && !ui.state.detections.is_by_kind()) {
        ImGui::SetScrollY(ImGui::GetScrollMaxY());
    }
}

/// Width of the kinds' column for all detections, within limits; vertex names get the rest. Measures only new kinds.
float width_of_kinds(const Ui& ui) {
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID count_id = ImGui::GetID("kinds measured"), width_id = ImGui::GetID("width of kinds");
    const auto count = static_cast<int>(std::min<size_t>(ui.model.detections.size(), 1u << 30));
    float width = storage.GetFloat(width_id, 0);
    int measured = storage.GetInt(count_id, 0);
    if (measured > count || width < ui.em(62) || width > ui.em(120)) measured = 0, width = ui.em(62);
    for (; measured < count; ++measured)
        width = std::max(width, ImGui::CalcTextSize(ui.model.detections[static_cast<size_t>(measured)].kind.c_str()).x);
    width = std::min(width, ui.em(120));
    storage.SetFloat(width_id, width);
    storage.SetInt(count_id, measured);
    return width;
}

/// Selects the listed kind, if there are several.
void choose_kind(Ui& ui) {
    DetectionList& list = ui.state.detections;
    if (list.kinds().size() < 2) return;
    const auto row_text = [&](const std::string& name, size_t count) { return name + ", " + number_text(count); };
    const std::string all = row_text("all kinds", ui.model.detections.size());
    const std::string now = list.shown().empty() ? all : row_text(list.shown(), list.rows().size());
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool opened = ImGui::BeginCombo("##kind", now.c_str());
    if (!opened) return;
    std::optional<std::string> chosen;
    if (list_option(ui, all, list.shown().empty())) chosen = "";
    for (const DetectionList::Kind& kind : list.kinds())
        if (list_option(ui, row_text(kind.name, kind.detections.size()), kind.name == list.shown())) chosen = kind.name;
    ImGui::EndCombo();
    if (!chosen) return;
    list.show(*chosen);
    ui.state.scroll_to_detection = true;
}

void draw_detection_list(Ui& ui) {
    const LabModel& model = ui.model;
    const float kinds = width_of_kinds(ui);
    const bool times = has_times(model);
    // The height of rows in the last frame, so that the list scrolled to its end begins with a whole row.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID row_id = ImGui::GetID("row of findings");
    const float row = storage.GetFloat(row_id, ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y);
    const std::vector<uint32_t>& shown = ui.state.detections.rows();
    const auto rows = static_cast<float>(std::clamp<size_t>(shown.size(), 3, kDetectionRows) + 1);
    if (!ImGui::BeginTable("findings", times ? 4 : 3, kTable | ImGuiTableFlags_ScrollY, {0, row * rows + ui.em(1)}))
        return;
    ImGui::TableSetupScrollFreeze(0, 1);
    if (times) ImGui::TableSetupColumn("time", 0, ui.em(52));
    ImGui::TableSetupColumn("kind", ImGuiTableColumnFlags_WidthFixed, kinds);
    ImGui::TableSetupColumn("vertices", ImGuiTableColumnFlags_WidthStretch);
    const double resolution = model.spread.resolution();
    float place = ui.em(92);  // wider for long coordinates
    for (const Detection* end : {&model.detections.front(), &model.detections.back()})
        place = std::max(place, ImGui::CalcTextSize(place_text(end->given.value_or(end->place), resolution).c_str()).x);
    ImGui::TableSetupColumn("place", 0, std::min(place, ui.em(150)));
    headings(ui, times);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            draw_row(ui, shown[static_cast<size_t>(i)], resolution, times);
    const float pitch = clipper.ItemsHeight > 0 ? clipper.ItemsHeight : row;
    scroll(ui, pitch);
    ImGui::EndTable();
    storage.SetFloat(row_id, pitch);
}

}  // namespace

void step_through_detections(Ui& ui, int by) {
    const LabModel& model = ui.model;
    if (model.detections.empty()) {
        ui.session.reply(Message::Kind::kNote,
                         model.info.detects.empty()
                             ? "The " + model.info.title + " detects nothing that could be listed."
                             : "No " + word_of(model.info) + " was detected" +
                                   (model.done ? "." : " so far; further steps may detect some.") + note_of(model));
        return;
    }
    DetectionList& list = ui.state.detections;
    list.follow(model.detections);
    size_t next = 0;
    const size_t now = model.detail_view.any() ? list.row_of(model.detail_view.detection) : list.rows().size();
    if (now < list.rows().size()) {
        if (by < 0 ? now == 0 : now + 1 == list.rows().size())
            ui.session.reply(Message::Kind::kNote, "This is the " + std::string(by < 0 ? "first " : "last ") +
                                                       word_of(model.info) +
                                                       (list.shown().empty() ? "" : " of this kind") +
                                                       (by < 0 || model.done ? "." : " so far."));
        if (by < 0 && now == 0) return;
        next = by < 0 ? now - 1 : now + 1;
    } else {
        const size_t before = list.is_by_kind() ? 0 : list.rows_among(model.found);
        next = by < 0 ? (before > 0 ? before - 1 : 0) : before;
    }
    choose_detection(ui, list.rows()[std::min(next, list.rows().size() - 1)]);
}

// A ring around the place that includes the changed links.
void mark_chosen_detection(Ui& ui) {
    const DetailView& detail_view = ui.model.detail_view;
    if (!detail_view.any() || detail_view.detection >= ui.model.detections.size()) return;
    const Point place = ui.model.detections[detail_view.detection].place;
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) return;
    double reach = 0;  // world units
    for (const Diagram& diagram : detail_view.diagrams)
        for (const Diagram::Shape& shape : diagram.shapes) {
            const bool changed = shape.role == Role::kLostContact || shape.role == Role::kCreatedContact ||
                                 shape.role == Role::kMissed || shape.role == Role::kSpurious;
            if (changed && shape.kind == Diagram::Shape::Kind::kLine)
                for (const Point& corner : shape.corners)
                    reach = std::max(reach, std::hypot(corner.x - place.x, corner.y - place.y));
        }
    const Box part = part_box(ui, 0);
    const ImVec2 at = on_screen(ui, 0, Point3{place.x, place.y, 0});
    const ImVec2 edge = on_screen(ui, 0, Point3{place.x + reach, place.y, 0});
    const float most = std::max(0.45f * std::min(part.width, part.height), ui.em(13));
    const float radius = std::clamp(edge.x - at.x + ui.em(9), ui.em(13), most);
    ImDrawList& draw = *ImGui::GetBackgroundDrawList();
    draw.PushClipRect(part.low(), part.high());
    draw.AddCircle(at, radius, packed(ui.colors.canvas.alpha(0.85f)), 64, ui.em(6));
    draw.AddCircle(at, radius, packed(ui.colors.mark), 64, ui.em(2.5f));
    draw.PopClipRect();
    ui.boxes.add("event_mark", {at.x - radius, at.y - radius, 2 * radius, 2 * radius});
}

static void draw_detections(Ui& ui) {
    const LabModel& model = ui.model;
    const Scoped font(ui.fonts.small);
    if (model.detections.empty()) {
        quiet_text(ui, "No " + words_of(model.info) + (model.done ? "." : " so far.") + note_of(model), true);
    } else {
        quiet_text(ui, count_text(model));
        ui.state.detections.follow(model.detections);
        choose_kind(ui);
        draw_detection_list(ui);
        if (ImGui::Button("Save as CSV")) ui.state.requests.push_back(UiState::Request::kDetections);
        ui.boxes.add("detections/save", box_of_last());
        help_for_last(ui, "Writes the " + words_of(ui.model.info) +
                              " up to this frame into a file in the folder the program was started in.");
        ImGui::SameLine(0, ui.em(8));
        ImGui::AlignTextToFramePadding();
        quiet_text(ui, "click, or \u2191 \u2193, to go there");
    }
}

const PanelSection detections_section{nullptr, draw_detections, [](const Ui& ui) {
                                          return !ui.model.info.detects.empty() || !ui.model.detections.empty();
                                      }};

}  // namespace flipscope::app
