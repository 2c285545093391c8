// The list of a check's failures, and the mark around the chosen one in the picture.
#include "app/run/failures.h"
#include "app/run/stage.h"
#include "app/view/density.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/base/number_text.h"
#include "app/figures/highlights.h"
#include "app/figures/pen.h"
#include "app/window/canvas.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "geometry/places.h"
#include "lab/unit_names.h"

namespace flipscope::app {

namespace {

constexpr size_t kRows = 9, kHighRows = 6;  // visible rows of the list, of one line and of two

/// Resolution of places: a thousandth of the mesh's extent, or a tenth of the gap between its points.
double resolution_of(const Scene& scene) {
    const double all = std::max({scene.high.x - scene.low.x, scene.high.y - scene.low.y, scene.high_z - scene.low_z});
    return std::min(1e-3 * all, 0.1 * point_spacing(scene));
}

/// The format of places: one line, or a line per coordinate if the words would have too little room.
struct PlaceColumn {
    double resolution;
    float width;
    bool in_lines;

    std::string text(const CheckFailure& failure) const {
        Point3 middle;
        if (!middle_of(failure, middle)) return "\u2013";
        return format_plainly(middle.x, resolution) + (in_lines ? ",\n" : ", ") + format_plainly(middle.y, resolution);
    }
};

constexpr float kKinds = 130, kLeastElements = 96;  // widths of columns, screen coordinates at scale 1

/// Wide enough for the longest numbers within the mesh's bounds.
PlaceColumn place_column(const Ui& ui, float room) {
    PlaceColumn column{resolution_of(ui.model.scene), 0, false};
    size_t longest = 1;
    for (const Point& corner : {ui.model.scene.low, ui.model.scene.high})
        for (const double value : {corner.x, corner.y})
            // Round bounds can be shorter than the numbers between them.
            for (const double near :
                 {value, value + 1.234567 * column.resolution, value - 1.234567 * column.resolution})
                longest = std::max(longest, format_plainly(near, column.resolution).size());
    const float digit = Pen::measure(*ui.fonts.small_numbers, "0").x;
    const float one = digit * static_cast<float>(longest), both = 2 * one + 2 * digit;
    column.in_lines = both > room - ui.em(kKinds + kLeastElements);
    column.width = std::max(column.in_lines ? one + digit : both, ui.em(100));
    return column;
}

/// With all digits of the input.
std::string place_in_full(const Scene& scene, const Point3& place) {
    return place_text({place.x, place.y}) + (scene.in_space ? ", " + format_plainly(place.z) : "");
}

/// Flush right, one per line.
void lines_of_place(Ui& ui, const std::string& text) {
    const size_t end = text.find('\n');
    if (end == text.npos) return right_number(ui, text);
    const float gap = ImGui::GetStyle().ItemSpacing.y;
    right_number(ui, text.substr(0, end));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - gap);
    right_number(ui, text.substr(end + 1));
}

void draw_row(Ui& ui, size_t index, const PlaceColumn& places) {
    const CheckFailure& failure = ui.model.check->failures[index];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const Scoped id(index);
    const float x = ImGui::GetCursorPosX();
    const float high = (places.in_lines ? 2.f : 1.f) * ImGui::GetTextLineHeight();
    if (ImGui::Selectable("##row", ui.model.failure == index, ImGuiSelectableFlags_SpanAllColumns, {0, high}))
        choose_failure(ui, index);
    if (ImGui::IsItemVisible()) ui.boxes.add("failure/" + std::to_string(index), box_of_last(), places.text(failure));
    Point3 middle;
    const bool placed = middle_of(failure, middle);
    help_for_last(ui, failure.sentence + (placed ? "\nat " + place_in_full(ui.model.scene, middle) : ""));
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(x);
    const std::string words = words_of(failure.code) + (failure.noted ? " (noted)" : "");
    const std::string shown = elided(words);
    failure.noted ? quiet_text(ui, shown.c_str()) : ImGui::TextUnformatted(shown.c_str());
    const bool two_sides = !ui.model.scene.beside.empty() && !failure.elements.empty();
    next_cell(elements_text(failure) + (!two_sides ? "" : failure.elements[0].part > 0 ? ", right" : ", left"));
    ImGui::TableNextColumn();
    lines_of_place(ui, places.text(failure));
}

void draw_failure_list(Ui& ui) {
    const std::vector<CheckFailure>& failures = ui.model.check->failures;
    // The height of rows in the last frame, as in the list of detections.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const float line = ImGui::GetTextLineHeight(), padding = 2 * ImGui::GetStyle().CellPadding.y;
    const PlaceColumn places = place_column(
        ui, ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize - 6 * ImGui::GetStyle().CellPadding.x);
    const ImGuiID row_id = ImGui::GetID(places.in_lines ? "high row of failures" : "row of failures");
    const float row = storage.GetFloat(row_id, (places.in_lines ? 2.f : 1.f) * line + padding);
    const float head = places.in_lines ? line + padding : row;
    const auto rows = static_cast<float>(std::clamp<size_t>(failures.size(), 3, places.in_lines ? kHighRows : kRows));
    if (!ImGui::BeginTable("failures", 3, kTable | ImGuiTableFlags_ScrollY, {0, head + row * rows + ui.em(1)})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("kind", ImGuiTableColumnFlags_WidthFixed, ui.em(kKinds));
    ImGui::TableSetupColumn("element", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("place", ImGuiTableColumnFlags_WidthFixed, places.width);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    quiet_text(ui, "kind");
    ImGui::TableNextColumn();
    quiet_text(ui, "element");
    help_for_last(ui, "The element that fails, by its number in the picture, as a click on it shows.");
    ImGui::TableNextColumn();
    right_heading(ui, "place", in_unit("The middle of the element that fails, world units.", ui.model.unit));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(failures.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) draw_row(ui, static_cast<size_t>(i), places);
    const float pitch = clipper.ItemsHeight > 0 ? clipper.ItemsHeight : row;
    if (ui.state.scroll_to_failure && ui.model.chosen_failure()) {
        scroll_to_row(ui.model.failure, pitch);
        ui.state.scroll_to_failure = false;
    }
    ImGui::EndTable();
    storage.SetFloat(row_id, pitch);
}

void mark_in_part(const Ui& ui, const CheckFailure& failure, uint32_t part) {
    ListDrawing drawing(*ImGui::GetBackgroundDrawList(), *ui.fonts.small);
    // Not in the colour of failures, which surrounds it.
    Ink ink = drawing.ink(ui.colors);
    ink.font *= 1.2;
    std::vector<ShownView> views(part + 1);
    views[part] = {part_box(ui, part), ui.state.camera, 1 / pixels_each()};
    std::vector<Highlight> marks;
    size_t at = 0;
    for (size_t element = 0; at < failure.places.size(); ++element) {
        const size_t end = std::min(at + corners_of(failure, element), failure.places.size());
        marks.push_back(highlight_of(
            {ElementKind::kVertex, kNone, part},
            {failure.places.begin() + static_cast<ptrdiff_t>(at), failure.places.begin() + static_cast<ptrdiff_t>(end)},
            {}));
        at = end;
    }
    draw_highlights(ink, marks, views);
}

uint32_t part_of(const CheckFailure& failure) { return failure.elements.empty() ? 0 : failure.elements[0].part; }

}  // namespace

void go_through_failures(Ui& ui, int by) {
    if (!ui.model.check || ui.model.check->failures.empty()) return;
    const size_t count = ui.model.check->failures.size();
    if (!ui.model.chosen_failure()) return choose_failure(ui, by < 0 ? count - 1 : 0);
    if (by < 0 ? ui.model.failure == 0 : ui.model.failure + 1 >= count)
        ui.session.reply(Message::Kind::kNote,
                         by < 0 ? "This is the first of the list." : "This is the last of the list.");
    if (by < 0 && ui.model.failure == 0) return;
    choose_failure(ui, std::min(by < 0 ? ui.model.failure - 1 : ui.model.failure + 1, count - 1));
}

// Centres a failure, large enough to be legible and with its surroundings. Never zooms out from a failure that is
// entirely visible.
void choose_failure(Ui& ui, size_t index) {
    if (!ui.model.check || index >= ui.model.check->failures.size()) return;
    ui.session.checks().choose_failure(index);
    ui.state.scroll_to_failure = true;
    const CheckFailure& failure = ui.model.check->failures[index];
    if (failure.places.empty()) return;
    Camera& camera = ui.state.camera;
    const auto [low, high] = seen_bounds(camera, failure.places);
    const Box box = part_box(ui, part_of(failure));
    const double legend = ui.layout.legend_height * pixels_each();
    const double width = box.width * pixels_each(), height = box.height * pixels_each() - legend;  // pixels
    const double room = std::min(width, height);
    if (!(room > 0)) return;
    constexpr double kFitted = 0.8;  // of the room, in the tighter direction
    const double gap = point_spacing(ui.model.scene), scale = camera.scale;
    const double share = std::max({(high.x - low.x) * scale / width, (high.y - low.y) * scale / height,
                                   gap * scale / room, 1e-240 * scale / room});
    const Point lowest = camera.to_pixels(low), highest = camera.to_pixels(high);
    const bool in_view = lowest.x >= -0.5 * width && highest.x <= 0.5 * width && lowest.y >= -0.5 * (height + legend) &&
                         highest.y <= 0.5 * (height - legend);
    if (share < 0.12)
        camera.scale = std::clamp(0.25 / share * scale, 1e-250, 1e250);
    else if (share > kFitted && !in_view)
        camera.scale = std::clamp(kFitted / share * scale, 1e-250, 1e250);
    camera.center = {low.x + (high.x - low.x) / 2, low.y + (high.y - low.y) / 2};
    camera.pan(0, -0.5 * legend);
    ui.state.fitted = false;
}

void mark_chosen_failure(const Ui& ui) {
    if (const CheckFailure* failure = ui.model.chosen_failure()) mark_in_part(ui, *failure, part_of(*failure));
}

/// Two digits: "5.3e+11".
static std::string rounded(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", number);
    return text;
}

void draw_across(Ui& ui) {
    constexpr double kThin = 2;                // pixels
    constexpr size_t kMostSearched = 200'000;  // points of the input
    constexpr size_t kMostNumbers = 24;
    UiState::Across& across = ui.state.across;
    const CheckFailure* const failure = ui.model.chosen_failure();
    const std::shared_ptr<const Geometry> input = current_points(ui);
    if (!failure || !input || !ui.model.scene.in_input_units || input->points.size() > kMostSearched) {
        across = {};
        return;
    }
    const double least = kThin / ui.state.camera.scale;
    if (across.failure != ui.model.failure || across.input != input || across.least != least) {
        const double zoom = across.failure == ui.model.failure ? across.zoom : 1;
        across = {across_view(*failure, *input, least), ui.model.failure, input, least, zoom};
    }
    if (!across.view) return;
    const AcrossView& view = *across.view;
    const Box& canvas = ui.layout.canvas;
    const Pen pen{*ImGui::GetBackgroundDrawList(), ui.colors, ui.fonts, ui.scale};
    const ImFont& font = *ui.fonts.small;
    const float line = Pen::line(font), pad = ui.em(8), wide = std::min(ui.em(380), canvas.width - 2 * pad);
    const float high = std::min(ui.em(190), 0.5f * canvas.height);
    if (wide < ui.em(160) || high < ui.em(90)) return;
    const Box box{canvas.x + canvas.width - wide - pad, ui.layout.canvas_bottom() - high - line - 2 * pad, wide, high};
    ui.boxes.add("across", box);
    pen.draw.AddRectFilled(box.low(), box.high(), packed(ui.colors.panel.alpha(0.95f)), ui.em(4));
    pen.draw.AddRect(box.low(), box.high(), packed(ui.colors.panel_edge), ui.em(4));
    const double length = std::hypot(view.to.x - view.from.x, view.to.y - view.from.y);
    const double room_x = wide - 4 * pad, room_y = high - 2 * line - 4 * pad;
    const double factor = across.zoom * room_y / view.thick * length / room_x;  // scale of thickness relative to length
    pen.write(font, {box.x + pad, box.y + 0.5f * pad}, ui.colors.text,
              "Stretched " + rounded(factor) + " times across: " + rounded(view.thick) + " thick, " + rounded(length) +
                  " long");
    pen.write(font, {box.x + pad, box.y + 0.5f * pad + line}, ui.colors.quiet_text,
              "Alt and the wheel stretch it more or less.");
    double low = 0, top = 0;
    const auto widen = [&](const std::vector<AcrossView::Spot>& spots) {
        for (const AcrossView::Spot& spot : spots) low = std::min(low, spot.across), top = std::max(top, spot.across);
    };
    widen(view.points);
    for (const auto& corners : view.elements) widen(corners);
    const double middle = 0.5 * (low + top), centre_y = box.y + 2 * line + 1.5f * pad + 0.5 * room_y;
    const auto place = [&](const AcrossView::Spot& spot) {
        return ImVec2(box.x + 2 * pad + static_cast<float>(std::clamp(spot.along, -1.0, 2.0) * room_x),
                      static_cast<float>(std::clamp(centre_y - (spot.across - middle) * across.zoom * room_y,
                                                    box.y - 1e4, box.y + 1e4)));
    };
    pen.draw.PushClipRect({box.x, box.y + 2 * line + pad}, box.high());
    for (const auto& corners : view.elements)
        for (size_t k = 0; k < (corners.size() > 2 ? corners.size() : 1) && corners.size() > 1; ++k)
            pen.draw.AddLine(place(corners[k]), place(corners[(k + 1) % corners.size()]), packed(ui.colors.mark),
                             ui.em(2));
    for (const AcrossView::Spot& spot : view.points) {
        const ImVec2 at = place(spot);
        pen.draw.AddCircleFilled(at, ui.em(3), packed(ui.colors.text));
        if (view.points.size() <= kMostNumbers)
            pen.write(font, {at.x + ui.em(4), at.y - line}, ui.colors.quiet_text, std::to_string(spot.point));
    }
    pen.draw.PopClipRect();
}

static void draw_failures(Ui& ui) {
    const CheckReport& report = *ui.model.check;
    const Scoped font(ui.fonts.small);
    ImGui::TextColored(to_imgui(report.passed ? ui.colors.quiet_text : ui.colors.error), "%s",
                       count_of_failures(report).c_str());
    if (!report.failures.empty()) {
        draw_failure_list(ui);
        if (const CheckFailure* failure = ui.model.chosen_failure()) quiet_text(ui, failure->sentence, true);
        if (ImGui::Button("Save as CSV##failures")) ui.state.requests.push_back(UiState::Request::kFailures);
        ui.boxes.add("failures/save", box_of_last());
        help_for_last(ui, "Writes all of this list into a file in the folder the program was started in.");
        if (const LabInfo& info = ui.model.info;
            ui.model.failed() && info.makes_triangles && info.inputs.has(InputKind::kPoints)) {
            ImGui::SameLine(0, ui.em(8));
            const std::string why = ui.session.shrinker().refusal();
            if (named_button(ui, "shrinking", "Shrink\u2026",
                             !why.empty() ? why
                                          : "Looks for the fewest and simplest points with which this run still fails "
                                            "(Z); what failing is can be chosen. The search goes on in the background.",
                             why.empty()))
                open_shrinking(ui);
        }
        ImGui::SameLine(0, ui.em(8));
        ImGui::AlignTextToFramePadding();
        quiet_text(ui, "click, or \u2191 \u2193, to go there");
    }
}

const PanelSection failures_section{
    "Failures", draw_failures, [](const Ui& ui) { return ui.model.failed() && ui.model.check->failure_count > 0; }};
const PanelSection noted_failures_section{
    "Noted by the check", draw_failures,
    [](const Ui& ui) { return ui.model.check && ui.model.check->passed && ui.model.check->failure_count > 0; }};

void open_shrinking(Ui& ui) {
    if (const std::string why = ui.session.shrinker().refusal(); !why.empty())
        return ui.session.reply(Message::Kind::kNote, why);
    UiState& state = ui.state;
    state.shrink_choices = shrink_choices(ui.model);
    state.shrink_choice = first_shown(state.shrink_choices);
    state.shrink_question = !state.shrink_choices.empty();
    state.shrink_choice_requested = true;
}

void begin_shrinking(Ui& ui) {
    ui.state.shrink_question = false;
    if (ui.state.shrink_choice < ui.state.shrink_choices.size())
        ui.session.shrinker().start(ui.state.shrink_choices[ui.state.shrink_choice].criterion);
}

std::string shrinking_text(const Shrinking::Progress& progress) {
    if (progress.cancelling && progress.state == Shrinking::State::kRuns) return "ending";
    return progress.stage + ": " + counted(progress.any() ? progress.points : progress.given, "point") + ", " +
           counted(progress.tests, "test");
}

/// The search for the fewest points that still fail.
static void draw_shrinking(Ui& ui) {
    Shrinking& shrinking = ui.session.shrinker().search();
    const Shrinking::Progress now = shrinking.progress();
    const bool runs = now.state == Shrinking::State::kRuns;
    const Scoped font(ui.fonts.small);
    const std::string of = number_text(now.given) + " points";
    if (runs) {
        ImGui::TextWrapped("%s", shrinking_text(now).c_str());
        quiet_text(ui, "looking for " + points_that(2, shrinking.task().failure), true);
        quiet_text(ui, "of " + of + ", " + number_text(now.seconds) + " s", true);
        if (named_button(ui, "shrinking", "Cancel", "Ends the search; the best so far stays.", !now.cancelling))
            shrinking.cancel();
        ImGui::SameLine(0, ui.em(8));
        if (named_button(ui, "shrinking", "Open the best so far",
                         "The points that are left so far, in the same lab with the same parameters, at the end of "
                         "the run. The search goes on.",
                         now.any()))
            ui.session.shrinker().open_best();
    } else if (!now.any()) {
        ImGui::TextWrapped("%s", capitalised(now.why).c_str());
        if (named_button(ui, "shrinking", "Close", "Forgets it.")) shrinking.close();
    } else {
        const std::string shrunk = number_text(now.points) + " " + points_that(now.points, shrinking.task().failure);
        ImGui::TextWrapped("%s, of %s.", shrunk.c_str(), number_text(now.given).c_str());
        if (!now.complete) quiet_text(ui, "Ended early: fewer points may be enough.", true);
        quiet_text(ui, now.sentence, true);
        if (named_button(ui, "shrinking", "Open",
                         "In the same lab with the same parameters, at the end of the run (Z)."))
            ui.session.shrinker().open_best();
        ImGui::SameLine(0, ui.em(8));
        if (named_button(ui, "shrinking", "Save",
                         "Writes them, as hexadecimal numbers that lose nothing, into a scenario that opens at the "
                         "failure, in the folder the program was started in."))
            ui.state.requests.push_back(UiState::Request::kShrunk);
        ImGui::SameLine(0, ui.em(8));
        if (named_button(ui, "shrinking", "Close", "Forgets it. What has been opened or saved stays."))
            shrinking.close();
    }
}

const PanelSection shrinking_section{
    "Shrinking", draw_shrinking,
    [](const Ui& ui) { return ui.session.shrinker().search().progress().state != Shrinking::State::kNone; }};

}  // namespace flipscope::app
