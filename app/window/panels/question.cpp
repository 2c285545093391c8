// Modal dialogs: the question before edits are discarded, the failure to shrink, and the names for saving; and the
// banner that offers the edits of a program that ended early.
#include <algorithm>
#include <cfloat>
#include <cstdio>
#include <string>
#include <vector>

#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

/// Centres a dialog; dims the rest of the window and blocks its clicks. `without`: window flags to omit.
void begin_dialog(const Ui& ui, const char* name, ImGuiWindowFlags without = 0) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(ui.colors.panel.alpha(0.6f)));
    ImGui::Begin((std::string(name) + " behind").c_str(), nullptr, kSizedOverlay);
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();  // over all panels
    ImGuiStorage& heights = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("height");
    ImGui::End();
    ImGui::PopStyleColor();
    // A little above the middle; at the top if it was too high for that in the last frame.
    const bool fits = 0.5f * heights.GetFloat(id) <= 0.45f * screen.y;
    ImGui::SetNextWindowPos({0.5f * screen.x, fits ? 0.45f * screen.y : 0}, 0, {0.5f, fits ? 0.5f : 0});
    ImGui::SetNextWindowSize({std::min(ui.em(440), screen.x - ui.em(24)), 0});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x, screen.y});  // longer content scrolls
    const Scoped padding(ImGuiStyleVar_WindowPadding, {ui.em(16), ui.em(16)});
    ImGui::Begin(name, nullptr, kSizedOverlay & ~without);
    heights.SetFloat(id, ImGui::GetWindowHeight());
    ImGui::SetWindowFocus();
}

/// Buttons side by side at the right end, or from the left on; returns the index of the one pressed, or -1.
int press_button(Ui& ui, const std::vector<const char*>& texts, bool right = true) {
    const float wider = right ? ui.em(16) : 0, pad = 2 * ImGui::GetStyle().FramePadding.x + wider, gap = ui.em(8);
    float wide = -gap;
    for (const char* text : texts) wide += ImGui::CalcTextSize(text).x + pad + gap;
    if (right) {
        ImGui::Spacing();
        ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), ImGui::GetContentRegionMax().x - wide));
    }
    int pressed = -1;
    for (size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, gap);
        if (ImGui::Button(texts[i], {ImGui::CalcTextSize(texts[i]).x + pad, 0})) pressed = static_cast<int>(i);
    }
    return pressed;
}

}  // namespace

void draw_question(Ui& ui) {
    const Undo::Question* question = ui.session.undo().question();
    if (!question) return;
    begin_dialog(ui, "question");
    ImGui::TextWrapped("%s", question->text.c_str());
    const int pressed = press_button(ui, {(question->yes + " (Return)").c_str(), "Stay (Esc)"});
    ImGui::End();
    if (pressed >= 0) ui.session.undo().answer(pressed == 0);
}

void draw_shrink_question(Ui& ui) {
    UiState& state = ui.state;
    begin_dialog(ui, "shrinking");
    ImGui::TextWrapped("%s", "Shrink to the fewest points with which\u2026");
    // The height of the choices in the last frame, within the available room.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID high_id = ImGui::GetID("height of choices"), rest_id = ImGui::GetID("height of the rest");
    const float shown = std::min(storage.GetFloat(high_id, ui.em(160)),
                                 0.88f * ImGui::GetIO().DisplaySize.y - storage.GetFloat(rest_id, ui.em(160)));
    ImGui::BeginChild("choices", {0, shown});
    const float top = ImGui::GetCursorPosY();
    for (size_t i = 0; i < state.shrink_choices.size(); ++i) {
        const ShrinkChoice& choice = state.shrink_choices[i];
        const Scoped id(i);
        ImGui::BeginGroup();
        if (ImGui::RadioButton(choice.title.c_str(), state.shrink_choice == i)) state.shrink_choice = i;
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
        ImGui::Indent(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
        small_text(ui, capitalised(choice.sentence), true);
        ImGui::Unindent(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x);
        ImGui::EndGroup();
        if (state.shrink_choice == i && state.shrink_choice_requested && !ImGui::IsItemVisible())
            ImGui::SetScrollHereY();
    }
    state.shrink_choice_requested = false;
    const float high = ImGui::GetCursorPosY() - top + 2;
    ImGui::EndChild();
    storage.SetFloat(high_id, high);
    storage.SetFloat(rest_id, ImGui::GetWindowHeight() - shown);
    small_text(
        ui,
        "The lab is run on fewer and fewer points, with the same parameters, in the background. \u2191 \u2193 choose.",
        true);
    const int pressed = press_button(ui, {"Shrink (Return)", "Back (Esc)"});
    ImGui::End();
    if (pressed == 0) begin_shrinking(ui);
    if (pressed >= 0) state.shrink_question = false;
}

void draw_saving(Ui& ui) {
    UiState& state = ui.state;
    begin_dialog(ui, "saving");
    ImGui::TextUnformatted("Save as");
    if (state.takes_focus(UiState::Field::kSaveName)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputText("##name", &state.save_as,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    quiet_text(
        ui,
        std::string("The ending says what: .png the picture") +
            (ui.model.info.makes_triangles ? "; .ply, .obj, .off and others the points and triangles" : "") +
            "; .xy the points, a line for each; .csv and .npy a table or an array that the name says: points.csv, "
            "results.csv, statistics.csv, positions.npy" +
            (state.lesson.any() ? "; .html a page of the lesson to hand out." : "."),
        true);
    const int pressed = press_button(ui, {"Save (Return)", "Back (Esc)"});
    ImGui::End();
    if ((entered || pressed == 0) && !state.save_as.empty()) state.requests.push_back(UiState::Request::kSave);
    if (entered || pressed >= 0) state.saving = false;
}

void draw_figure_dialog(Ui& ui) {
    using What = FigureDialog::What;
    FigureDialog& dialog = ui.state.figure;
    begin_dialog(ui, "figure", ImGuiWindowFlags_NoNav);  // Tab moves between fields
    ImGui::TextUnformatted("Save a figure");
    ImGui::Spacing();
    if (dialog.drawing) {
        ImGui::PushStyleColor(ImGuiCol_PlotHistogram, to_imgui(ui.colors.accent));
        ImGui::ProgressBar(static_cast<float>(dialog.progress), {-FLT_MIN, 0});
        ImGui::PopStyleColor();
        quiet_text(ui, "Drawing " + dialog.file, true);
        if (press_button(ui, {"Cancel (Esc)"}) == 0) dialog.cancel_requested = true;
        return ImGui::End();
    }
    const float left = ui.em(92);
    const auto row = [&](const char* title) {
        ImGui::AlignTextToFramePadding();
        quiet_text(ui, title, false);
        ImGui::SameLine(left);
    };
    const auto choose_format = [&](const char* title, const char* kind, What first, What last) {
        row(title);
        for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
            static constexpr const char* kNames[] = {"PNG", "SVG", "PDF", "PNG", "SVG", "PDF", "CSV"};
            const What what = static_cast<What>(i);
            if (what != first) ImGui::SameLine(0, ui.em(12));
            if (ImGui::RadioButton((kNames[i] + std::string("##") + kind).c_str(), dialog.what == what))
                set_format(dialog, what);
        }
    };
    choose_format("Format", "", What::kPng, What::kPdf);
    choose_format("Plots as", "plots as ", What::kPlotsPng, What::kPlotsCsv);
    row("Name");
    if (ui.state.takes_focus(UiState::Field::kFigureName)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(-FLT_MIN);
    constexpr ImGuiInputTextFlags kField = ImGuiInputTextFlags_AutoSelectAll;
    ImGui::InputText("##name", &dialog.file, kField);
    infer_format(dialog);
    std::string description;
    bool possible = !dialog.file.empty();
    if (dialog.makes_figure()) {
        row("Size");
        ImGui::SetNextItemWidth(ui.em(116));
        ImGui::InputText("##size", &dialog.size, kField);
        ImGui::SameLine(0, ui.em(8));
        quiet_text(ui, "pixels, or 160x100mm", false);
        row("Resolution");
        ImGui::SetNextItemWidth(ui.em(60));
        ImGui::InputTextWithHint("##dpi", "auto", &dialog.dpi, kField);
        ImGui::SameLine(0, ui.em(8));
        quiet_text(ui, "per inch;  lines", false);
        ImGui::SameLine(0, ui.em(8));
        ImGui::SetNextItemWidth(ui.em(60));
        ImGui::InputTextWithHint("##line", "auto", &dialog.line, kField);
        ImGui::SameLine(0, ui.em(8));
        quiet_text(ui, "pt", false);
        row("With");
        for (const FigurePart& part : kFigureParts) {
            const std::string name = words_of(part.name);
            if (part.shown == &FigureSpec::title)
                ImGui::SetCursorPosX(left);
            else if (part.shown != &FigureSpec::legend)
                ImGui::SameLine(0, ui.em(12));
            ImGui::Checkbox(name.c_str(), &(dialog.parts.*part.shown));
        }
        ImGui::SameLine(0, ui.em(12));
        ImGui::Checkbox("transparent ground", &dialog.parts.transparent);
        row("Shows");
        if (ImGui::RadioButton("what the window shows", !dialog.whole)) dialog.whole = false;
        ImGui::SameLine(0, ui.em(12));
        if (ImGui::RadioButton("all of it", dialog.whole)) dialog.whole = true;
        show_kept_picture(ui);
        if (ui.session.comparison().kept()) {
            const bool can = dialog.why_not_kept.empty();
            bool shown = can && dialog.kept;
            ImGui::SetCursorPosX(left);
            ImGui::BeginDisabled(!can);
            if (ImGui::Checkbox("with the kept picture", &shown)) dialog.kept = shown;
            ImGui::EndDisabled();
        }
        try {
            const FigureSpec spec = spec_of(dialog, ui.state);
            char text[160];
            std::snprintf(text, sizeof text, "%d × %d pixels, %.0f × %.0f mm at %.0f per inch", spec.pixel_width(),
                          spec.pixel_height(), spec.width_pt() * 25.4 / 72, spec.height_pt() * 25.4 / 72,
                          spec.resolution());
            description = text;
        } catch (const Error& error) {
            description = error.what();
            possible = false;
        }
    } else {
        description = "The curves of this state, or else its distributions.";
    }
    ImGui::Spacing();
    quiet_text(ui, description, true);
    const bool refuses = dialog.makes_figure() && ui.session.comparison().kept() && !dialog.why_not_kept.empty();
    std::string keys = "Alt with F changes the format";
    if (dialog.makes_figure()) {
        keys += ", with L C B T A what stands beside the picture, with G the ground, with W what is shown";
        if (ui.session.comparison().kept()) keys += ", with K the kept picture";
    }
    // Replaces the keys: with large text there is no room for both.
    small_text(ui, refuses ? "The figure cannot include the kept picture: " + dialog.why_not_kept + "." : keys + ".",
               true);
    const int pressed = press_button(ui, {"Save (Return)", "Back (Esc)"});
    ImGui::End();
    if (pressed == 0 && possible) dialog.save_requested = true;
    if (pressed == 1) dialog.open = false;
}

void draw_leftover(Ui& ui) {
    UiState& state = ui.state;
    if (state.leftover.empty() || state.lesson.presenting()) return;
    begin_banner(ui, "leftover", ui.em(460), ui.layout.canvas.y + ui.layout.legend_height + ui.em(12));
    ImGui::TextWrapped("%s", state.leftover.c_str());
    using Answer = UiState::Leftover;
    static constexpr Answer kAnswers[] = {Answer::kRestore, Answer::kDiscard, Answer::kLater};
    if (const int pressed = press_button(ui, {"Restore (Return)", "Discard", "Later (Esc)"}, false); pressed >= 0)
        state.leftover_answer = kAnswers[pressed];
    ImGui::End();
}

}  // namespace flipscope::app
