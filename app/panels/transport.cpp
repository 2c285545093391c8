#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/plot.h"

namespace flipscope::app {

namespace {

constexpr float kTimelineHeight = 38;

std::string sentence_of(const LabInfo& info, uint32_t pass) {
    return capitalised(info.passes[pass].name) + ": " + info.passes[pass].sentence;
}

/// "Finished", but of a run that rounded numbers decided only once its end has been checked.
std::string finished(const LabModel& model) {
    return model.exact || model.check ? "Finished" : "Finished, not verified";
}

/// "Finished: cells 300, links 871, mean area 34.2 sites."
std::string finished_numbers(const LabModel& model, const Result& result) {
    constexpr size_t kMost = 5;
    std::string text;
    for (size_t i = 0; i < std::min(result.numbers.size(), kMost); ++i) {
        const Result::Number& number = result.numbers[i];
        text += (i > 0 ? ", " : "") + number.name + " " + value_text(number.value) +
                (number.unit.empty() ? "" : " " + number.unit);
    }
    return finished(model) + (text.empty() ? "." : ": " + text + ".");
}

/// "; at infinity 10 ghost edges": what no other count has in it. The panel of results says more; here a line must do.
std::string ghosts_text(const Result& result) {
    if (result.ghost_edges == 0) return "";
    return "; at infinity " + number_text(static_cast<double>(result.ghost_edges)) + " ghost edges";
}

std::string finished_triangles(const LabModel& model, const Result& result, bool mesh) {
    const auto count = [](uint64_t n, const char* what) { return number_text(static_cast<double>(n)) + what; };
    const std::string points = count(result.points, mesh ? " vertices" : " points");
    return (result.waiting ? "Stopped: " + count(result.waiting, " of ") + points + " still wait"
                           : finished(model) + ": " + points) +
           (result.duplicates ? ", of them " + count(result.duplicates, " duplicates") : "") + ", " +
           count(result.triangles, " triangles, ") + count(result.edges, " edges, ") +
           (mesh && result.hull_edges == 0
                ? "without a boundary"
                : "of them " + count(result.hull_edges, mesh ? " on the boundary" : " on the hull")) +
           (result.lost_hull_edges ? ", " + count(result.lost_hull_edges, " hull edges lost") : "") +
           ghosts_text(result) + ".";
}

std::string caption(const Ui& ui) {
    const LabModel& model = ui.model;
    if (!model.loaded) return "Nothing is loaded. Choose points on the left, or drop a file here.";
    if (model.failed())
        return (model.refused() ? ""
                : model.done    ? "Finished, but the check failed: "
                                : "The check failed: ") +
               model.check->sentence + ".";
    if (model.done && model.result && !model.info.makes_triangles) return finished_numbers(model, *model.result);
    const bool mesh = ui.session.input() && !ui.session.input()->triangles.empty();
    if (model.done && model.result) return finished_triangles(model, *model.result, mesh);
    if (const StepResult* last = model.last()) return sentence_of(model.info, last->pass);
    return model.info.title + ": " + model.info.sentence;
}

std::string next_line(const LabModel& model) {
    if (!model.loaded) return "";
    if (const CheckFailure* failure = model.chosen_failure())
        return "Failure " + number_text(static_cast<double>(model.failure + 1)) + " of " +
               number_text(static_cast<double>(model.check->failure_count)) + ": " + failure->sentence;
    if (!model.refusal.empty()) return model.info.title + ": it cannot start from this. What is wrong is marked.";
    if (model.done && model.last() && !model.last()->message.empty()) return model.last()->message;
    if (model.done && model.last()) return "Last: " + sentence_of(model.info, model.last()->pass);
    if (model.next_pass < model.info.passes.size()) return "Next: " + sentence_of(model.info, model.next_pass);
    return "";
}

// The longest sentence decides, so that the panel keeps its height from pass to pass.
float caption_height(const Ui& ui, float width) {
    ImGui::PushFont(ui.fonts.caption);
    float height = ImGui::CalcTextSize(caption(ui).c_str(), nullptr, false, width).y;
    const LabInfo& info = ui.model.info;
    for (uint32_t pass = 0; pass < info.passes.size(); ++pass)
        height = std::max(height, ImGui::CalcTextSize(sentence_of(info, pass).c_str(), nullptr, false, width).y);
    ImGui::PopFont();
    return height;
}

// From the caption's reserved lines to the buttons: the line about what comes next.
float line_below(const Ui& ui) {
    ImGui::PushFont(ui.fonts.body);
    const float height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().ItemSpacing.y;
    ImGui::PopFont();
    return height;
}

void draw_caption(Ui& ui) {
    const float width = ImGui::GetContentRegionAvail().x, height = caption_height(ui, width - ui.em(20));
    const ImVec2 origin = ImGui::GetCursorPos();
    const ImVec2 place = ImGui::GetCursorScreenPos();
    Color dot = ui.colors.quiet_text;
    if (const StepResult* last = ui.model.last()) dot = ui.colors.pass(last->pass);
    if (ui.model.failed()) dot = ui.colors.error;
    ImGui::PushFont(ui.fonts.caption);
    const float line = ImGui::GetTextLineHeight();
    ImGui::GetWindowDrawList()->AddRectFilled({place.x, place.y + 0.18f * line},
                                              {place.x + ui.em(6), place.y + 0.9f * line}, packed(dot), ui.em(3));
    ImGui::SetCursorPosX(origin.x + ui.em(16));
    ImGui::PushTextWrapPos(origin.x + width);
    if (ui.model.failed()) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.error));
    ImGui::TextUnformatted(caption(ui).c_str());
    if (ui.model.failed()) ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::SetCursorPosX(origin.x + ui.em(16));
    const std::string next = next_line(ui.model);
    // Rather small than cut off.
    const float room = width - ui.em(20);
    const bool fits = ImGui::CalcTextSize(next.c_str()).x <= room;
    if (!fits) ImGui::PushFont(ui.fonts.small);
    quiet_text(ui, next.empty() ? " " : elided(next, room));
    if (!fits) ImGui::PopFont();
    help_for_last(ui, next);
    ImGui::SetCursorPos({origin.x, origin.y + height + line_below(ui)});
}

std::string place_text(const LabModel& model) {
    std::string text = "pass " + number_text(static_cast<double>(model.position)) + " of " +
                       number_text(static_cast<double>(model.known())) + (model.done ? "" : "+");
    if (const StepResult* last = model.last()) {
        if (last->round > 0) text += "  ·  round " + number_text(last->round);
        if (last->iteration > 0)
            text += (model.info.makes_triangles ? "  ·  flip pass " : "  ·  iteration ") + number_text(last->iteration);
    }
    return text;
}

/// Whether playing stops where the lab finds something.
void draw_pause_toggle(Ui& ui) {
    bool& pauses = ui.session.pause_when_notable;
    if (pauses) ImGui::PushStyleColor(ImGuiCol_Button, to_imgui(ui.colors.accent.alpha(0.45f)));
    const bool pressed = icon_button(ui, "##pause-then", Icon::kPauseThen, pause_help(ui.model.info, pauses));
    if (pauses) ImGui::PopStyleColor();
    if (pressed) pauses = !pauses;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ui.layout.pause_toggle = {low.x, low.y, high.x - low.x, high.y - low.y};
}

void draw_buttons(Ui& ui) {
    Session& session = ui.session;
    const LabModel& model = ui.model;
    // What refused to start says so again.
    const bool can_go = model.loaded && (!model.done || !model.refusal.empty()),
               can_return = model.loaded && model.position > 0;
    if (icon_button(ui, "##start", Icon::kStart, "Back to the start (Home)", can_return)) session.seek(0);
    ImGui::SameLine(0, ui.em(4));
    if (icon_button(ui, "##round-back", Icon::kRoundBack, "A round back (Page Up)", can_return))
        session.back(Level::kRound);
    ImGui::SameLine(0, ui.em(4));
    if (icon_button(ui, "##pass-back", Icon::kPassBack, "A pass back (\u2190)", can_return)) session.back(Level::kPass);
    ImGui::SameLine(0, ui.em(4));
    const bool playing = session.playing();
    if (icon_button(ui, "##play", playing ? Icon::kPause : Icon::kPlay,
                    playing      ? "Pause (Space)"
                    : model.done ? "Play again from the start (Space)"
                                 : "Play (Space)",
                    model.loaded, true))
        session.play(!playing);
    ImGui::SameLine(0, ui.em(4));
    if (!model.info.notable.empty()) {
        draw_pause_toggle(ui);
        ImGui::SameLine(0, ui.em(4));
    }
    if (icon_button(ui, "##pass", Icon::kPass, "One pass forward (\u2192)", can_go)) session.step(Level::kPass);
    ImGui::SameLine(0, ui.em(4));
    if (icon_button(ui, "##round", Icon::kRound, "To the end of the round (Page Down)", can_go))
        session.step(Level::kRound);
    ImGui::SameLine(0, ui.em(4));
    if (icon_button(ui, "##end", Icon::kEnd, "Run to the end (End)", can_go)) session.run_to_end();
    ImGui::SameLine(0, ui.em(12));
    if (icon_button(ui, "##restart", Icon::kRestart, "Start over with the parameters on the left (R)"))
        session.restart();
    ImGui::SameLine(0, ui.em(4));
    if (ImGui::Button("Verify")) session.verify();
    help_for_last(ui, model.info.makes_triangles ? "Is this a Delaunay triangulation? Every edge is asked exactly (V)"
                                                 : "Checks what this lab promises of its result (V)");
}

void draw_speed(Ui& ui, float width) {
    Session& session = ui.session;
    constexpr float kLeast = 0.5f, kMost = 1000;
    float speed = session.unlimited ? kMost : static_cast<float>(session.speed);
    ImGui::SetNextItemWidth(width);
    const char* format = session.unlimited ? "as fast as it fits" : speed < 10 ? "%.1f passes/s" : "%.0f passes/s";
    ImGui::PushFont(ui.fonts.small);
    if (ImGui::SliderFloat("##speed", &speed, kLeast, kMost, format,
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput)) {
        session.unlimited = speed >= 0.98f * kMost;
        session.speed = speed;
    }
    ImGui::PopFont();
    help_for_last(ui,
                  "How fast it plays, in passes per second ([ and ]). At the right end: as many as fit into a frame.");
}

void draw_budget(Ui& ui, float width) {
    float budget = static_cast<float>(ui.session.budget_ms);
    ImGui::SetNextItemWidth(width);
    ImGui::PushFont(ui.fonts.small);
    if (ImGui::SliderFloat("##budget", &budget, 1, 200, "%.0f ms a frame",
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput))
        ui.session.budget_ms = budget;
    ImGui::PopFont();
    help_for_last(ui,
                  "How many milliseconds of a frame may go into stepping. More: a long run ends sooner. Less: the "
                  "window stays smoother.");
}

void draw_controls(Ui& ui) {
    draw_buttons(ui);
    const float end = ImGui::GetContentRegionMax().x;
    const float spare = end - (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x);
    ImGui::PushFont(ui.fonts.numbers);
    std::string place = place_text(ui.model);
    // Room for more digits than there are, so that the sliders keep their width.
    const float reserved = ImGui::CalcTextSize("pass 8,888 of 8,888+  ·  round 88  ·  flip pass 88").x;
    ImGui::PopFont();
    const float least = ui.em(104), most = ui.em(150), gap = ui.em(10);
    const int sliders = std::clamp(static_cast<int>((spare - reserved - gap) / (least + gap)), 0, 2);
    const float slider = sliders > 0 ? std::min(most, (spare - reserved - gap) / static_cast<float>(sliders) - gap) : 0;
    if (sliders > 0) {
        ImGui::SameLine(0, gap + ui.em(4));
        draw_speed(ui, slider);
    }
    if (sliders > 1) {
        ImGui::SameLine(0, ui.em(6));
        draw_budget(ui, slider);
    }
    const float left = end - (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x) - ui.em(14);
    if (left < ui.em(60)) return;
    ImGui::SameLine(0, 0);
    ImGui::PushFont(ui.fonts.numbers);
    place = elided(place, left);
    ImGui::SetCursorPosX(end - ImGui::CalcTextSize(place.c_str()).x);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(place.c_str());
    ImGui::PopFont();
}

Color color_of_message(const Ui& ui, Message::Kind kind) {
    switch (kind) {
        case Message::Kind::kGood:
            return ui.colors.success;
        case Message::Kind::kWarning:
            return ui.colors.warning;
        case Message::Kind::kError:
            return ui.colors.error;
        case Message::Kind::kNote:
            break;
    }
    return ui.colors.quiet_text;
}

void draw_status_line(Ui& ui) {
    ImGui::PushFont(ui.fonts.small);
    const float width = ImGui::GetContentRegionAvail().x, start = ImGui::GetCursorPosX();
    std::string right = ui.model.device_name + "  ·  " + ui.model.sharing_name;
    if (ui.frames_per_second > 0) right += "  ·  " + number_text(ui.frames_per_second) + " fps";
    right += "  ·  ? keys";
    right = elided(right, 0.55f * width);
    const Message* last = ui.session.message();
    // A long message needs the room more.
    const auto fits = [&] {
        return !last ||
               ImGui::CalcTextSize(last->text.c_str()).x + ui.em(24) + ImGui::CalcTextSize(right.c_str()).x <= width;
    };
    if (!fits()) right = "? keys";
    const float right_width = ImGui::CalcTextSize(right.c_str()).x;
    if (last) {
        ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(color_of_message(ui, last->kind)));
        ImGui::TextUnformatted(elided(last->text, width - right_width - ui.em(24)).c_str());
        ImGui::PopStyleColor();
        help_for_last(ui, last->text);
    } else {
        ImGui::TextUnformatted("");
    }
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(start + width - right_width);
    quiet_text(ui, right);
    help_for_last(ui, ui.model.sharing);
    ImGui::PopFont();
}

}  // namespace

std::string headline_of(const Ui& ui) { return caption(ui); }

std::string pause_help(const LabInfo& info, bool pauses) {
    return pauses ? "Playing stops when " + info.notable + "; press to play on (E)"
                  : "Plays on, whatever is found; press to stop when " + info.notable + " (E)";
}

void draw_transport_panel(Ui& ui) {
    begin_panel(ui, "transport", ui.layout.bottom, false);
    draw_caption(ui);
    draw_controls(ui);
    draw_timeline(ui, ui.em(kTimelineHeight));
    draw_status_line(ui);
    const ImGuiStyle& style = ImGui::GetStyle();
    ui.state.transport_height = ImGui::GetCursorPosY() - style.ItemSpacing.y + style.WindowPadding.y;
    ImGui::End();
}

}  // namespace flipscope::app
