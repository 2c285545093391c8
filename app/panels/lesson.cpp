// The panel that lessons are written in: the steps, and the words of the chosen one.
#include <algorithm>
#include <cfloat>
#include <string>

#include "app/lesson_desk.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

void refused(Ui& ui, const Error& error) { ui.session.say(Message::Kind::kError, error.what()); }

/// A button that is remembered by its words, for who drives the window.
bool lesson_button(Ui& ui, const char* text, bool enabled, const std::string& help) {
    if (!enabled) ImGui::BeginDisabled();
    const bool pressed = ImGui::Button(text);
    if (!enabled) ImGui::EndDisabled();
    ui.layout.lesson_controls.emplace_back(text, box_of_last());
    help_for_last(ui, help);
    return pressed && enabled;
}

/// What is written is wrapped where it is shown; the field itself grows by lines.
bool words_field(Ui& ui, const char* name, std::string& text, int rows) {
    quiet_text(ui, name);
    const std::string id = std::string("##") + name;
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool edited =
        rows > 1 ? ImGui::InputTextMultiline(id.c_str(), &text,
                                             {-FLT_MIN, static_cast<float>(rows) * ImGui::GetTextLineHeight() +
                                                            2 * ImGui::GetStyle().FramePadding.y})
                 : ImGui::InputText(id.c_str(), &text);
    ui.layout.lesson_controls.emplace_back(name, box_of_last());
    if (!edited) return false;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return true;
}

std::string inspected_name(const Ui& ui) {
    const Element& chosen = ui.model.inspection.element;
    if (!ui.model.inspection.any()) return {};
    const char* const kind = chosen.kind == ElementKind::kVertex     ? "vertex"
                             : chosen.kind == ElementKind::kEdge     ? "edge"
                             : chosen.kind == ElementKind::kTriangle ? "triangle"
                                                                     : "";
    if (!*kind) return {};
    return std::string(kind) + ":" + std::to_string(chosen.id) +
           (chosen.part > 0 ? "@" + std::to_string(chosen.part) : "");
}

void draw_steps(Ui& ui) {
    LessonDesk& desk = ui.state.lesson;
    const size_t count = desk.player().lesson().steps.size();
    const float row = ImGui::GetTextLineHeightWithSpacing();
    ImGui::BeginChild("steps", {0, std::clamp(static_cast<float>(count) * row, 3 * row, 9 * row)}, true);
    for (size_t i = 0; i < count; ++i) {
        const LessonStep& step = desk.player().lesson().steps[i];
        const std::string text = std::to_string(i + 1) + "  " + (step.caption.empty() ? "\u2026" : step.caption);
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(elided(text, ImGui::GetContentRegionAvail().x).c_str(), i == desk.player().index()))
            desk.go_to(i);
        help_for_last(ui, step.caption);
        ImGui::PopID();
    }
    ImGui::EndChild();
}

/// Taken with Return: half a number would be another moment.
bool other_field(Ui& ui, LessonStep& step) {
    LessonDesk& desk = ui.state.lesson;
    std::string named = step.other ? step.other->named : "";
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputTextWithHint("##beside", "Beside passes, end, points, a file", &named,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    ui.layout.lesson_controls.emplace_back("Beside", box_of_last());
    help_for_last(ui,
                  "Another moment of this run, as 12 or end, or the lab on another input, as uniform:200 or towns.csv; "
                  "Return shows it.");
    if (!entered) return false;
    try {
        if (named.empty())
            step.other.reset();
        else
            step.other = other_named(named, desk.player().file());
    } catch (const Error& error) {
        refused(ui, error);
        return false;
    }
    if (step.other) step.beside = false;
    desk.go_to(desk.player().index());
    return true;
}

void draw_words(Ui& ui) {
    LessonDesk& desk = ui.state.lesson;
    LessonStep& step = desk.chosen();
    if (std::exchange(desk.wants_caption, false)) ImGui::SetKeyboardFocusHere(1);
    bool edited = words_field(ui, "Caption", step.caption, 3);
    edited |= words_field(ui, "Why, in one sentence", step.why, 2);
    bool asks = step.question.has_value();
    if (ImGui::Checkbox("A question", &asks)) {
        if (asks)
            step.question = LessonStep::Question{"?", "\u2026", ""};
        else
            step.question.reset();
        edited = true;
    }
    ui.layout.lesson_controls.emplace_back("A question", box_of_last());
    if (step.question) {
        edited |= words_field(ui, "Question", step.question->ask, 2);
        edited |= words_field(ui, "Answer", step.question->answer, 2);
        const std::string name = inspected_name(ui);
        quiet_text(ui, step.question->element.empty() ? "A click answers nothing."
                                                      : "A click answers: " + step.question->element);
        if (lesson_button(ui, "The inspected element is the answer", !name.empty(), "Click an element first.")) {
            step.question->element = name;
            edited = true;
        }
    }
    if (desk.player().index() > 0) {
        if (ImGui::Checkbox("Beside the step before", &step.beside)) {
            if (step.beside) step.other.reset();
            edited = true;
        }
        ui.layout.lesson_controls.emplace_back("Beside the step before", box_of_last());
        ImGui::SameLine();
    }
    edited |= other_field(ui, step);
    auto flight = static_cast<float>(step.flight_s);
    ImGui::SetNextItemWidth(ui.em(110));
    if (ImGui::SliderFloat("Flight, s", &flight, 0, 5, "%.1f")) {
        step.flight_s = flight;
        edited = true;
    }
    if (edited) desk.changed();
}

}  // namespace

void draw_lesson_list(Ui& ui) {
    if (!ImGui::BeginCombo("##lessons", "Lessons that came with it")) return;
    const std::vector<std::filesystem::path> lessons = shipped_lessons();
    if (lessons.empty()) quiet_text(ui, "none was found beside the program");
    for (const std::filesystem::path& file : lessons) {
        std::string name = file.stem().string();
        std::replace(name.begin(), name.end(), '-', ' ');
        if (ImGui::Selectable(capitalised(name).c_str())) ui.session.load(file.string(), true);
    }
    ImGui::EndCombo();
}

void draw_lesson_panel(Ui& ui) {
    LessonDesk& desk = ui.state.lesson;
    begin_panel(ui, "lesson", ui.layout.right, true);
    ImGui::SetNextItemWidth(-FLT_MIN);
    draw_lesson_list(ui);
    if (desk.has_recovery() &&
        lesson_button(ui, "Open the lesson that was not saved", true, "It was being written when the program ended.")) {
        try {
            desk.open_recovery(ui);
        } catch (const Error& error) {
            refused(ui, error);
        }
    }
    if (words_field(ui, "Title", desk.title(), 1)) desk.changed();
    if (desk.any()) draw_steps(ui);
    if (lesson_button(ui, "Add this view as a step", true, "Behind the chosen step: what the window shows now.")) {
        try {
            desk.add_view(ui);
        } catch (const Error& error) {
            refused(ui, error);
        }
    }
    if (desk.any()) {
        const size_t index = desk.player().index(), count = desk.player().lesson().steps.size();
        if (lesson_button(ui, "Take this view", true, "The chosen step shows what the window shows now.")) {
            try {
                desk.take_view(ui);
            } catch (const Error& error) {
                refused(ui, error);
            }
        }
        if (lesson_button(ui, "Up", index > 0, "The step comes one earlier.")) desk.move(-1);
        ImGui::SameLine();
        if (lesson_button(ui, "Down", index + 1 < count, "The step comes one later.")) desk.move(1);
        ImGui::SameLine();
        if (lesson_button(ui, "Delete", true, "Undo brings it back.")) desk.remove();
        ImGui::SameLine();
    }
    if (lesson_button(ui, "Undo", desk.can_undo(), "Takes the last step that was added, moved or deleted back."))
        desk.undo();
    if (desk.any()) {
        ImGui::Separator();
        draw_words(ui);
        ImGui::Separator();
        quiet_text(ui, "File");
        ImGui::SetNextItemWidth(-FLT_MIN);
        ImGui::InputText("##lesson file", &desk.save_as);
        ui.layout.lesson_controls.emplace_back("File", box_of_last());
        if (lesson_button(ui, "Save", true, "Writes the lesson; a file of this name is replaced.")) {
            try {
                ui.session.say(Message::Kind::kGood, "the lesson is in " + desk.save());
            } catch (const Error& error) {
                refused(ui, error);
            }
        }
        ImGui::SameLine();
        if (lesson_button(ui, "Play (F5)", true, "From the chosen step, with the panels away.")) desk.present(ui);
        if (desk.unsaved()) quiet_text(ui, "Not saved yet.");
    }
    ImGui::End();
}

}  // namespace flipscope::app
