// The panel for writing lessons: the steps, and the texts of the chosen one.
#include <algorithm>
#include <array>
#include <cfloat>
#include <string>

#include "app/window/lesson_presenter.h"
#include "app/window/panels/widgets.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

void refused(Ui& ui, const Error& error) { ui.session.say(Message::Kind::kError, error.what()); }

/// Replaces blanks by line breaks, so that the cursor keeps its position.
void wrap_in_place(char* text, size_t length, float width) {
    std::replace(text, text + length, '\n', ' ');
    char* line = text;
    char* blank = nullptr;
    for (char* at = text; at <= text + length; ++at) {
        if (at < text + length && *at != ' ') continue;
        if (blank && ImGui::CalcTextSize(line, at).x > width) {
            *blank = '\n';
            line = blank + 1;
        }
        blank = at;
    }
}

int wrap_while_written(ImGuiInputTextCallbackData* data) {
    wrap_in_place(data->Buf, static_cast<size_t>(data->BufTextLen), *static_cast<const float*>(data->UserData));
    data->BufDirty = true;
    return 0;
}

/// A text field that wraps while the user types and grows with its text.
bool words_field(Ui& ui, const char* name, std::string& text, bool wraps = true) {
    quiet_text(ui, name);
    const std::string id = std::string("##") + name;
    ImGui::SetNextItemWidth(-FLT_MIN);
    bool edited = false;
    if (wraps) {
        const ImGuiStyle& style = ImGui::GetStyle();
        float width = ImGui::GetContentRegionAvail().x - 2 * style.FramePadding.x - style.ScrollbarSize;
        std::string wrapped = text;
        wrap_in_place(wrapped.data(), wrapped.size(), width);
        const auto rows = 1 + std::ranges::count(wrapped, '\n');
        const float high = static_cast<float>(rows) * ImGui::GetTextLineHeight() + 2 * style.FramePadding.y;
        edited = ImGui::InputTextMultiline(id.c_str(), &wrapped, {-FLT_MIN, high}, ImGuiInputTextFlags_CallbackEdit,
                                           wrap_while_written, &width);
        if (edited) {
            text = std::move(wrapped);
            std::replace(text.begin(), text.end(), '\n', ' ');
        }
    } else {
        edited = ImGui::InputText(id.c_str(), &text);
    }
    ui.boxes.add(std::string("lesson/") + name, box_of_last());
    return edited;
}

/// What the step is shown beside. Another state or input takes effect with Return: half a number would be another
/// state.
bool beside_field(Ui& ui, LessonStep& step) {
    enum Kind { kNothing, kStepBefore, kMoment, kInput };
    static constexpr std::array<const char*, 4> kNames{"nothing", "the step before", "another moment", "another input"};
    static constexpr std::array<const char*, 4> kMeanings{
        "", "Its picture stands at the left of this one.", "This run at another moment stands at the left of this one.",
        "The same lab on other points stands at the left of this one."};
    LessonPresenter& presenter = ui.state.lesson;
    const size_t index = presenter.player().index();
    int kind = step.beside ? kStepBefore : !step.other ? kNothing : step.other->position ? kMoment : kInput;
    if (kind == kNothing && presenter.beside_request.first == index && presenter.beside_request.second >= kMoment)
        kind = presenter.beside_request.second;
    quiet_text(ui, "Beside");
    ImGui::SetNextItemWidth(-FLT_MIN);
    bool edited = false;
    if (ImGui::BeginCombo("##beside kind", kNames[static_cast<size_t>(kind)])) {
        for (int one = kNothing; one <= kInput; ++one) {
            if (one == kStepBefore && index == 0) continue;
            if (!list_option(ui, kNames[static_cast<size_t>(one)], one == kind) || one == kind) continue;
            presenter.beside_request = {index, one};
            step.beside = one == kStepBefore;
            step.other.reset();
            edited = true;
        }
        ImGui::EndCombo();
    }
    if (edited) presenter.go_to(index);
    if (kind != kNothing) quiet_text(ui, kMeanings[static_cast<size_t>(kind)], true);
    if (kind != kMoment && kind != kInput) return edited;
    std::string named = step.other ? step.other->name() : "";
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputTextWithHint(
        "##beside", kind == kMoment ? "passes, or end; then Return" : "uniform:200 or a file; then Return", &named,
        ImGuiInputTextFlags_EnterReturnsTrue);
    if (!entered || named.empty()) return edited;
    try {
        BesideRequest other = parse_other(named, presenter.player().file());
        if (other.position.has_value() != (kind == kMoment))
            throw Error(named + (kind == kMoment ? ": expected a number of passes, or end"
                                                 : ": expected a generator, such as uniform:200, or a file"));
        step.other = std::move(other);
    } catch (const Error& error) {
        refused(ui, error);
        return edited;
    }
    presenter.go_to(index);
    return true;
}

void draw_words(Ui& ui) {
    LessonPresenter& presenter = ui.state.lesson;
    LessonStep& step = presenter.chosen();
    if (std::exchange(presenter.shows_caption, false)) ImGui::SetKeyboardFocusHere();
    bool edited = words_field(ui, "Caption", step.caption);
    edited |= words_field(ui, "Why, in one sentence", step.why);
    edited |= words_field(ui, "Notes, for the lecturer alone", step.notes);
    bool asks = step.question.has_value();
    if (ImGui::Checkbox("A question", &asks)) {
        if (asks)
            step.question = LessonStep::Question{"Write the question here.", "Write the answer here.", ""};
        else
            step.question.reset();
        edited = true;
    }
    if (step.question) {
        edited |= words_field(ui, "Question", step.question->ask);
        edited |= words_field(ui, "Answer", step.question->answer);
        const std::string name = inspected_name(ui.model);
        quiet_text(ui, step.question->element.empty() ? "Not answered by a click."
                                                      : "Answered by a click on " + step.question->element);
        if (named_button(ui, "lesson", "The inspected element is the answer", "Click an element first.",
                         !name.empty())) {
            step.question->element = name;
            edited = true;
        }
    }
    edited |= beside_field(ui, step);
    auto flight = static_cast<float>(step.flight_s);
    ImGui::SetNextItemWidth(ui.em(110));
    if (ImGui::SliderFloat("Flight, s", &flight, 0, 5, "%.1f")) {
        step.flight_s = flight;
        edited = true;
    }
    if (edited) presenter.changed();
}

/// All steps, one line each; the chosen one unfolded.
void draw_steps(Ui& ui) {
    LessonPresenter& presenter = ui.state.lesson;
    const size_t chosen = presenter.player().index();
    for (size_t i = 0; i < presenter.player().lesson().steps.size(); ++i) {
        const std::string& caption = presenter.player().lesson().steps[i].caption;
        const std::string text = std::to_string(i + 1) + "  " + (caption.empty() ? "without a caption" : caption);
        const Scoped id(i);
        if (ImGui::Selectable(elided(text).c_str(), i == chosen)) presenter.go_to(i);
        if (i == chosen) {
            if (presenter.shows_caption) ImGui::SetScrollHereY(0);
            ImGui::Indent(ui.em(8));
            draw_words(ui);
            ImGui::Unindent(ui.em(8));
            ImGui::Separator();
        }
    }
}

/// Calls act() and posts its Error.
template <typename Act>
void try_it(Ui& ui, const Act& act) {
    try {
        act();
    } catch (const Error& error) {
        refused(ui, error);
    }
}

}  // namespace

std::string name_of_lesson(const std::filesystem::path& file) {
    std::string name = file.stem().string();
    std::replace(name.begin(), name.end(), '-', ' ');
    return name;
}

void draw_lesson_list(Ui& ui) {
    LessonPresenter& presenter = ui.state.lesson;
    const bool recovers = presenter.has_recovery();
    if (!ImGui::BeginCombo("##lessons", recovers ? "Open a lesson (1 not saved)" : "Open a lesson")) return;
    if (recovers && ImGui::Selectable("The unsaved lesson")) try_it(ui, [&] { presenter.open_recovery(ui); });
    const std::vector<std::filesystem::path> lessons = shipped_lessons();
    if (lessons.empty()) quiet_text(ui, "none was found beside the program");
    for (const std::filesystem::path& file : lessons)
        if (ImGui::Selectable(capitalised(name_of_lesson(file)).c_str())) ui.session.opener().load(file.string(), true);
    ImGui::EndCombo();
}

// The buttons stand above everything of variable height.
void draw_lesson_panel(Ui& ui) {
    LessonPresenter& presenter = ui.state.lesson;
    begin_panel(ui, "lesson", ui.layout.right, true);
    ImGui::SetNextItemWidth(-FLT_MIN);
    draw_lesson_list(ui);
    if (words_field(ui, "Title", presenter.title(), false)) presenter.changed();
    const bool any = presenter.any();
    const size_t index = any ? presenter.player().index() : 0,
                 count = any ? presenter.player().lesson().steps.size() : 0;
    if (named_button(ui, "lesson", "Add this view as a step", "Adds what the window shows, after the chosen step.",
                     true))
        try_it(ui, [&] { presenter.add_view(ui); });
    ImGui::SameLine();
    if (named_button(ui, "lesson", "Take this view", "The chosen step shows what the window shows now.", any))
        try_it(ui, [&] { presenter.take_view(ui); });
    if (named_button(ui, "lesson", "Up", "The step comes one earlier.", index > 0)) presenter.move(-1);
    ImGui::SameLine();
    if (named_button(ui, "lesson", "Down", "The step comes one later.", index + 1 < count)) presenter.move(1);
    ImGui::SameLine();
    if (named_button(ui, "lesson", "Delete", "Undo brings it back.", any)) presenter.remove();
    ImGui::SameLine();
    if (named_button(ui, "lesson", "Undo", "Undoes the last step added, moved or deleted.", presenter.can_undo()))
        presenter.undo();
    quiet_text(ui, presenter.unsaved() ? "File, not saved yet" : "File");
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::InputText("##lesson file", &presenter.save_as);
    help_for_last(ui, "A name that ends in .json for the lesson, or in .html for a page to hand out.");
    if (named_button(ui, "lesson", "Save", "A file of this name is replaced.", any))
        try_it(ui, [&] { presenter.save(ui.session); });
    ImGui::SameLine();
    if (named_button(ui, "lesson", "Play (F5)", "From the chosen step, with the panels away.", any))
        presenter.present(ui);
    ImGui::Separator();
    // If the steps have too little room, the whole panel scrolls.
    const float least = 12 * ImGui::GetFrameHeight();
    if (ImGui::BeginChild("steps", {0, std::max(least, ImGui::GetContentRegionAvail().y)}) && presenter.any())
        draw_steps(ui);
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace flipscope::app
