// The field that finds elements by id, name or place, at the top of the picture; and links of reports.
#include <algorithm>
#include <cfloat>
#include <memory>

#include "app/judging/predicate_query.h"
#include "app/run/element_query.h"
#include "app/run/selection_query.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

void follow(Ui& ui, const Link& link) {
    if (link.element.id != kNone) {
        ui.state.shown_request =
            ui.session.inspector().request_element([element = link.element](const Lab&) { return element; });
        ui.state.shows_close = false;
        ui.state.shown_merged.reset();
    } else if (link.position) {
        ui.session.playback().seek(*link.position);
    } else if (!link.lab.empty()) {
        ui.session.opener().open_lab(link.lab, link.parameters, true);
    }
}

void open_find_field(Ui& ui) {
    ui.state.find_open = true;
    ui.state.focus = UiState::Field::kFind;
    ui.state.find_note.clear();
}

/// The input's current points, for a predicate. Throws Error if there are none, or if some were removed, because the
/// others would then have different numbers than in the window.
static std::shared_ptr<const Geometry> predicate_points(const Ui& ui) {
    std::shared_ptr<const Geometry> now = current_points(ui);
    if (!now || now->points.empty()) throw Error("the input has no points");
    const auto& given = ui.session.input();
    const size_t common = std::min(given->points.size(), now->points.size());
    const bool alike = std::equal(now->points.begin(), now->points.begin() + static_cast<std::ptrdiff_t>(common),
                                  given->points.begin());
    if (now->points.size() != given->points.size() && (!alike || now->points.size() < given->points.size()))
        throw Error("points were removed; press R first, so that all have their numbers");
    return now;
}

void find_typed(Ui& ui) {
    UiState& state = ui.state;
    try {
        state.find_answer.clear();
        std::string predicate;
        std::vector<uint32_t> points;
        if (parse_predicate(state.find_text, predicate, points)) {
            const std::shared_ptr<const Geometry> input = predicate_points(ui);
            state.find_answer = predicate_text(predicate_of(predicate, points, *input, ""), points, *input);
            state.find_note.clear();
            return;
        }
        constexpr std::string_view kSelectWord = "select ";
        if (state.find_text.starts_with(kSelectWord)) {
            ui.session.selection().select(parse_selection(state.find_text.substr(kSelectWord.size()), "select: "));
            state.find_open = false;
            return;
        }
        const ElementQuery query = parse_typed_element(state.find_text);
        state.shown_merged = std::make_shared<std::string>();
        state.shown_request = ui.session.inspector().request_element(
            [query, input = ui.session.input(), merged = state.shown_merged](const Lab& lab) {
                return find_element(query, lab, lab.scene(), input.get(), "", merged.get());
            });
        state.shows_close = true;
        state.find_open = false;
    } catch (const Error& error) {
        state.find_note = error.what();
        state.focus = UiState::Field::kFind;
    }
}

/// Adds a clicked point of the input to the predicate in the field.
void add_clicked_point(Ui& ui) {
    UiState& state = ui.state;
    const Inspection& now = ui.model.inspection;
    std::string predicate;
    std::vector<uint32_t> points;
    const std::shared_ptr<const Geometry> input = current_points(ui);
    if (!state.inspects_another || now.element.kind != ElementKind::kVertex || now.corners.empty() || !input) return;
    try {
        if (!parse_predicate(state.find_text, predicate, points)) return;
    } catch (const Error&) {
        return;
    }
    const Point place{now.corners[0].x, now.corners[0].y};
    const auto found = std::ranges::find(input->points, place);
    if (found == input->points.end()) return;
    if (points.size() >= points_of_predicate(predicate)) state.find_text = predicate;  // start the next set
    state.find_text += " " + std::to_string(found - input->points.begin());
    state.find_answer.clear();
    state.find_note.clear();
    if (parse_predicate(state.find_text, predicate, points) && points.size() == points_of_predicate(predicate))
        find_typed(ui);
}

void draw_find_field(Ui& ui) {
    UiState& state = ui.state;
    add_clicked_point(ui);
    begin_banner(ui, "finding", ui.em(state.find_answer.empty() ? 380 : 700),
                 ui.layout.canvas.y + ui.layout.legend_height + ui.em(12));
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Find");
    ImGui::SameLine();
    if (state.takes_focus(UiState::Field::kFind)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputText("##find", &state.find_text,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool named = ui.session.input() && !ui.session.input()->names.empty();
    small_text(ui,
               !state.find_note.empty()
                   ? state.find_note
                   : "edge:417, triangle:88, point:5 (or 5)" + std::string(named ? ", a name" : "") +
                         ", a place as 12.5, 3; select vertex:3,40..60, species=oak; incircle 6 5 8 9 or orient 0 1 2: "
                         "a click adds a point. Return goes there or evaluates, Esc closes.",
               true);
    if (!state.find_answer.empty()) {
        const Scoped font(ui.fonts.small_numbers);
        ImGui::TextWrapped("%s", state.find_answer.c_str());
    }
    ImGui::End();
    if (entered) find_typed(ui);
}

}  // namespace flipscope::app
