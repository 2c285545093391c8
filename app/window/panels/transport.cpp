#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "app/base/number_text.h"
#include "app/figures/pen.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "compute/error.h"

#include <imgui_stdlib.h>

namespace flipscope::app {

namespace {

const std::string kNext = "Next (\u2192): ";  // followed by the pass that the key runs

constexpr float kTimelineHeight = 38, kCompactTimeline = 30;

std::string sentence_of(const LabInfo& info, uint32_t pass) {
    return capitalised(info.passes[pass].name) + ": " + info.passes[pass].sentence;
}

/// Nothing is loaded, because of the error in the last message.
bool could_not_start(const Ui& ui) {
    const Message* const said = ui.session.message();
    return !ui.model.loaded && said && said->kind == Message::Kind::kError;
}

/// "Finished", or "not verified" if the run requires a check that has not happened.
std::string finished(const LabModel& model) {
    return !model.needs_check || model.check ? "Finished" : "Finished, not verified";
}

/// "Finished: cells 300, links 871, mean area 34.2 pixels."
std::string finished_numbers(const LabModel& model, const Result& result) {
    constexpr size_t kMost = 5;
    std::string text;
    for (size_t i = 0; i < std::min(result.numbers.size(), kMost); ++i) {
        const Property& number = result.numbers.list[i];
        const std::string& unit = number.value.unit;
        text += (i > 0 ? ", " : "") + words_of_name(number.name) + " " + value_text(number.value.number()) +
                (unit.empty() ? "" : " " + unit);
    }
    return finished(model) + (text.empty() ? "." : ": " + text + ".");
}

std::string finished_triangles(const Ui& ui) {
    const LabModel& model = ui.model;
    const Result& result = *model.result;
    const bool mesh = ui.session.input() && !ui.session.input()->triangles.empty();
    const std::string points = mesh ? counted(result.points, "vertex", "vertices") : counted(result.points, "point");
    return (result.waiting ? "Stopped: " + number_text(result.waiting) + " of " + points + " wait"
                           : finished(model) + ": " + points) +
           (result.duplicates ? " (" + counted(result.duplicates, "duplicate") + ")" : "") + ", " +
           counted(result.triangles, "triangle") + ", " + counted(result.edges, "edge") + ", " +
           (mesh && result.hull_edges == 0
                ? "without a boundary"
                : number_text(result.hull_edges) + (mesh ? " of them on the boundary" : " of them on the hull")) +
           (result.lost_hull_edges ? ", " + counted(result.lost_hull_edges, "hull edge") + " missing" : "") + ".";
}

/// The recorded caption of the last pass; empty: none.
std::string recorded_caption(const LabModel& model) {
    if (const StepResult* last = model.last())
        for (const StepMessage::Sentence& said : last->message.sentences)
            if (said.kind == "caption") return said.text;
    return "";
}

/// The open scenario, where its title and note explain this state; nullptr: nowhere else.
const Scenario* explained_by(const Ui& ui) {
    const Opening& open = ui.session.loader().present();
    const bool here = ui.model.loaded && !ui.model.failed() && open.explained_at == ui.model.position;
    return here ? &open.run : nullptr;
}

/// The message that repeats title and note; empty: none.
std::string explanation(const Ui& ui) {
    const Opening& open = ui.session.loader().present();
    return open.explained_at ? description(open.run) : "";
}

std::string caption(const Ui& ui) {
    const LabModel& model = ui.model;
    if (const Scenario* scenario = explained_by(ui)) return scenario->title;
    if (!model.loaded && could_not_start(ui))
        return "The " + model.info.title + " could not start. The message below says why; correct it on the left.";
    if (!model.loaded) return "Nothing is loaded. Choose points on the left, or drop a file here.";
    if (model.failed())
        return (model.refused() ? ""
                : model.done    ? "Finished, but the check failed: "
                                : "The check failed: ") +
               model.check->sentence + ".";
    if (const std::string recorded = recorded_caption(model); !recorded.empty()) return recorded;
    if (model.done && model.result && !model.result->headline.empty())
        return finished(model) + ": " + model.result->headline + ".";
    if (model.done && model.result && !model.info.makes_triangles) return finished_numbers(model, *model.result);
    if (model.done && model.result) return finished_triangles(ui);
    if (const StepResult* last = model.last()) return sentence_of(model.info, last->pass);
    return model.info.title + ": " + model.info.sentence;
}

std::string next_line(const Ui& ui) {
    const LabModel& model = ui.model;
    if (!model.loaded) return "";
    if (const Scenario* scenario = explained_by(ui); scenario && !scenario->note.empty()) return scenario->note;
    if (const CheckFailure* failure = model.chosen_failure())
        return std::string(model.failed() ? "Failure " : "Noted, ") + number_text(model.failure + 1) + " of " +
               number_text(model.check->failure_count) + ": " + failure->sentence;
    if (!model.refusal.empty()) return model.info.title + ": it cannot start from this. What is wrong is marked.";
    if (model.done && model.result && !recorded_caption(model).empty()) return finished_triangles(ui);
    if (model.done && model.last() && !model.last()->message.empty()) return model.last()->message.text();
    if (model.done && model.last()) return "Last: " + sentence_of(model.info, model.last()->pass);
    if (model.next_pass < model.info.passes.size()) return kNext + sentence_of(model.info, model.next_pass);
    return "";
}

/// A line with its colour, and a short form for little room.
struct Line {
    std::string text, few_words;
    Color color;
};

/// In the compact transport a message replaces the next pass: briefly, or while an error persists.
constexpr double kToRead = 8;  // seconds

Line second_line(const Ui& ui, bool compact) {
    const LabModel& model = ui.model;
    const Message* said = ui.session.message();
    const bool said_above =
        said && (said->text == model.refusal || said->text == recorded_caption(model) ||
                 said->text == explanation(ui) || (model.failed() && said->text == model.check->sentence));
    if (could_not_start(ui)) return {said->text, "", colour_of(ui.colors, said->kind, ui.colors.quiet_text)};
    if (compact && said && !said_above && !model.chosen_failure() &&
        (said->kind == Message::Kind::kError || said->kind == Message::Kind::kWarning || ui.now - said->time < kToRead))
        return {said->text, "", colour_of(ui.colors, said->kind, ui.colors.quiet_text)};
    Line line{next_line(ui), "", ui.colors.quiet_text};
    const bool waits = model.loaded && model.refusal.empty() && !model.chosen_failure() && !model.done;
    if (waits && model.next_pass < model.info.passes.size())
        line.few_words = kNext + capitalised(model.info.passes[model.next_pass].name);
    return line;
}

float height_of(const ImFont* font, const std::string& text, float width) {
    return Pen::measure(*font, text.empty() ? " " : text, width).y;
}

bool fits_line(const ImFont* font, const std::string& text, float width) {
    return Pen::measure(*font, text).x <= width;
}

ImFont* caption_font(const Ui& ui, const std::string& text, float width, bool compact) {
    return !compact || fits_line(ui.fonts.caption, text, width) ? ui.fonts.caption : ui.fonts.body;
}

/// Prefers a small font to cutting the text, and two lines to both.
ImFont* next_font(const Ui& ui, const std::string& text, float width) {
    return fits_line(ui.fonts.body, text, width) ? ui.fonts.body : ui.fonts.small;
}

float indent(const Ui& ui) { return ui.em(12); }

/// The line, or its short form if it would be higher than `most`.
const std::string& shown_words(const Ui& ui, const Line& line, float width, bool compact, float most) {
    const bool few = compact && !line.few_words.empty() && height_of(ui.fonts.small, line.text, width) > most + 1;
    return few ? line.few_words : line.text;
}

/// Vertical positions of the transport's rows, from its top.
struct Rows {
    bool compact = false;
    float width = 0;  // of the text lines
    float gap = 0, pad = 0, caption = 0, next = 0, controls = 0, timeline = 0, timeline_height = 0, key = 0, status = 0;
    float height = 0;
    float more = 0;  // of that, for the current text only
};

// The longest sentence of a pass, beside a line of another, determines the height, so that it stays constant during a
// run; the compact transport has two lines for each. A longer text increases it while shown.
Rows rows_of(const Ui& ui, float window_width, bool compact) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const LabInfo& info = ui.model.info;
    Rows rows;
    rows.compact = compact;
    rows.width = std::max(window_width - 2 * style.WindowPadding.x - indent(ui) - ui.em(4), ui.em(60));
    rows.pad = compact ? ui.em(4) : style.WindowPadding.y;
    const float gap = rows.gap = compact ? ui.em(4) : style.ItemSpacing.y;
    const auto caption_height = [&](const std::string& text) {
        return height_of(caption_font(ui, text, rows.width, compact), text, rows.width);
    };
    const auto next_height = [&](const std::string& text) {
        return height_of(compact ? ui.fonts.small : next_font(ui, text, rows.width), text, rows.width);
    };
    const std::string two_lines = " \n ";
    const float caption_line = compact ? height_of(ui.fonts.body, two_lines, 0) : caption_height(" "),
                next_line = height_of(compact ? ui.fonts.small : ui.fonts.body, compact ? two_lines : " ", 0);
    float steady = caption_line + next_line;
    for (uint32_t pass = 0; !compact && pass < info.passes.size(); ++pass) {
        const std::string text = sentence_of(info, pass);
        steady = std::max({steady, caption_height(text) + next_line, caption_line + next_height(kNext + text)});
    }
    const Line next = second_line(ui, compact);
    const std::string& shown = shown_words(ui, next, rows.width, compact, next_line);
    const float caption_rows = caption_height(caption(ui));
    rows.more = std::max(caption_rows + next_height(shown) - steady, 0.f);
    rows.caption = rows.pad;
    rows.next = rows.caption + caption_rows + gap;
    rows.controls = rows.caption + steady + rows.more + (compact ? 2 : 3) * gap;
    rows.timeline = rows.controls + ImGui::GetFrameHeight() + gap;
    rows.timeline_height = ui.em(compact ? kCompactTimeline : kTimelineHeight);
    const float small = height_of(ui.fonts.small, " ", 0);
    rows.key = rows.timeline + rows.timeline_height + (compact ? 0 : gap);
    rows.status = compact ? rows.key : rows.key + small + gap;
    rows.height = rows.status + small + rows.pad;
    return rows;
}

void draw_caption(Ui& ui, const Rows& rows) {
    const float left = ImGui::GetStyle().WindowPadding.x;
    ImGui::SetCursorPos({left, rows.caption});
    const ImVec2 place = ImGui::GetCursorScreenPos();
    Color dot = ui.colors.quiet_text;
    if (const StepResult* last = ui.model.last()) dot = ui.colour_of_pass(last->pass);
    if (ui.model.failed()) dot = ui.colors.error;
    const std::string text = caption(ui);
    ImGui::PushFont(caption_font(ui, text, rows.width, rows.compact));
    const float line = ImGui::GetTextLineHeight();
    ImGui::GetWindowDrawList()->AddRectFilled({place.x, place.y + 0.1f * line},
                                              {place.x + ui.em(4), place.y + 0.9f * line}, packed(dot), ui.em(4));
    ImGui::SetCursorPosX(left + indent(ui));
    ImGui::PushTextWrapPos(left + indent(ui) + rows.width);
    ImGui::TextColored(to_imgui(ui.model.failed() ? ui.colors.error : ui.colors.text), "%s", text.c_str());
    help_for_last(ui, "", text);
    ImGui::PopFont();
    const Line next = second_line(ui, rows.compact);
    ImFont* const font = rows.compact ? ui.fonts.small : next_font(ui, next.text, rows.width);
    const std::string& shown = shown_words(ui, next, rows.width, rows.compact, height_of(ui.fonts.small, " \n ", 0));
    ImGui::SetCursorPos({left + indent(ui), rows.next});
    const Scoped small(font);
    ImGui::TextColored(to_imgui(next.color), "%s", shown.empty() ? " " : shown.c_str());
    help_for_last(ui, next.text);
    ImGui::PopTextWrapPos();
    ui.boxes.add("next", box_of_last(), shown);
}

/// Whether the last known pass ended the run, whichever is shown.
bool has_known_end(const LabModel& model) {
    if (model.done) return true;
    const StepResult* last = model.known() > 0 ? model.history.find(model.known() - 1) : nullptr;
    return last && last->ended == Level::kEnd;
}

/// The position in the run, from the full text down to the shortest one.
std::vector<std::string> place_texts(const LabModel& model) {
    const std::string at = number_text(model.position),
                      of = number_text(model.known()) + (has_known_end(model) ? "" : "+");
    std::string round, iteration;
    if (const StepResult* last = model.last()) {
        if (last->round > 0) round = "  ·  round " + number_text(last->round);
        if (last->iteration > 0)
            iteration =
                (model.info.makes_triangles ? "  ·  flip pass " : "  ·  iteration ") + number_text(last->iteration);
    }
    std::vector<std::string> texts{"pass " + at + " of " + of + round + iteration};
    texts.push_back("pass " + at + " of " + of + round);
    texts.push_back("pass " + at + " of " + of);
    texts.push_back(at + " of " + of);
    return texts;
}

/// Whether playback pauses at the lab's detections.
void draw_pause_toggle(Ui& ui) {
    bool& pauses = ui.session.pause_at_breakpoint;
    if (icon_button(ui, "##pause-then", Icon::kPauseThen, pause_help(ui.model.info, pauses), true, pauses ? 0.45f : 0))
        pauses = !pauses;
    ui.boxes.add("pause_toggle", box_of_last(), pause_help(ui.model.info, pauses));
}

constexpr float kStopsWidth = 300;  // of the breakpoint list, screen coordinates at scale 1

/// A breakpoint of the list: a button to remove it, a switch, and a button to edit it.
void draw_stop(Ui& ui, size_t index, std::optional<size_t>& removed) {
    const Stops::Stop& stop = ui.session.stops().all()[index];
    const std::string name = "stop/" + std::to_string(index);
    const Scoped id(index);
    if (icon_button(ui, "##remove", Icon::kClose, "Removes this breakpoint")) removed = index;
    ui.boxes.add(name + "/remove", box_of_last());
    ImGui::SameLine(0, ui.em(8));
    bool on = stop.on;
    const std::string refusal = Stops::refusal(stop, ui.model.info);
    if (!refusal.empty()) ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(ui.colors.quiet_text));
    if (ImGui::Checkbox(stop.text.c_str(), &on)) ui.session.stops().switch_to(index, on);
    if (!refusal.empty()) ImGui::PopStyleColor();
    ui.boxes.add(name + "/on", box_of_last());
    help_for_last(ui, refusal.empty() ? "Whether playing stops here" : "Not in this lab: " + refusal);
    const float end = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x;
    ImGui::SameLine(0, std::max(ui.em(8), ui.em(232) - end));
    if (ImGui::Button("Change")) {
        ui.state.stop = stop.text;
        ui.state.stop_refusal.clear();
        ui.state.changed_stop = index;
        ui.state.focus = UiState::Field::kStop;
    }
    ui.boxes.add(name + "/change", box_of_last());
    help_for_last(ui, "Writes it into the line below, to be changed there");
}

/// Adds the typed breakpoint, or replaces the one being edited.
void submit_breakpoint(Ui& ui) {
    UiState& state = ui.state;
    Stops& stops = ui.session.stops();
    state.stop_refusal.clear();
    try {
        if (state.changed_stop < stops.all().size())
            stops.change(state.changed_stop, state.stop, ui.model.info);
        else
            stops.add(state.stop, ui.model.info);
        state.stop.clear();
        state.changed_stop = SIZE_MAX;
    } catch (const Error& error) {
        state.stop_refusal = error.what();
    }
}

/// Buttons that find the first pass after which the check fails, in any way or with one of the current kinds of
/// failure.
void draw_searches(Ui& ui) {
    const auto button = [&](const std::string& text, const std::string& code, const std::string& help) {
        if (ImGui::Button(text.c_str())) {
            ui.session.playback().find_failure(code);
            ImGui::CloseCurrentPopup();
        }
        help_for_last(ui, help);
    };
    ImGui::BeginDisabled(!ui.model.checkable || !ui.model.loaded);
    button("Find where the check fails", "",
           "Goes to the first of the passes made after which the check fails: by bisection, where it fails at the end "
           "and not at the start");
    ImGui::EndDisabled();
    if (!ui.model.check) return;
    constexpr size_t kMostKinds = 3;
    std::vector<std::pair<std::string, size_t>> codes = occurrences(ui.model.check->failures, &CheckFailure::code);
    codes.resize(std::min(codes.size(), kMostKinds));
    for (const auto& [code, count] : codes)
        button("Find the first: " + words_of(code), code,
               "Goes to the first of the passes made after which the check finds a failure of this kind: while points "
               "wait to be inserted, the check fails for that reason alone");
}

void draw_stops(Ui& ui) {
    UiState& state = ui.state;
    const LabInfo& info = ui.model.info;
    std::optional<size_t> removed;
    for (size_t i = 0; i < ui.session.stops().all().size(); ++i) draw_stop(ui, i, removed);
    if (removed) {
        ui.session.stops().remove(*removed);
        if (state.changed_stop != SIZE_MAX) state.stop.clear();
        state.changed_stop = SIZE_MAX;
    }
    if (ImGui::IsWindowAppearing() && state.changed_stop != SIZE_MAX) {  // the list was closed during an edit
        state.stop.clear();
        state.changed_stop = SIZE_MAX;
    }
    const bool changes = state.changed_stop < ui.session.stops().all().size();
    ImGui::SetNextItemWidth(ui.em(220));
    if (ImGui::IsWindowAppearing() || state.takes_focus(UiState::Field::kStop)) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputTextWithHint("##stop", info.counters.empty() ? "pass=NAME" : "a breakpoint, such as counter > 10",
                                 &state.stop, ImGuiInputTextFlags_EnterReturnsTrue);
    ui.boxes.add("stop_field", box_of_last());
    ImGui::SameLine(0, ui.em(8));
    if ((ImGui::Button(changes ? "Change##stop" : "Add") || entered) && !state.stop.empty()) submit_breakpoint(ui);
    if (entered) state.focus = UiState::Field::kStop;  // for the next one
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.em(kStopsWidth));
    if (!state.stop_refusal.empty()) ImGui::TextColored(to_imgui(ui.colors.error), "%s", state.stop_refusal.c_str());
    draw_searches(ui);
    std::vector<std::string> names;
    for (const CounterInfo& counter : info.counters) names.push_back(counter.name);
    for (const MeasureInfo& measure : info.measures) names.push_back(measure.name);
    quiet_text(ui,
               "Playing stops after the first pass at which one of them holds: pass=NAME; one of " +
                   join_words(names, ", ") +
                   " compared with a number by > >= < <= = or !=; changes edge:12 (vertex, triangle); " +
                   (info.breakpoint.empty() ? "" : "differences; ") + "check fails; check finds CODE.",
               true);
    ImGui::PopTextWrapPos();
}

void draw_stops_button(Ui& ui) {
    const auto& all = ui.session.stops().all();
    const auto on = std::ranges::count(all, true, &Stops::Stop::on);
    const std::string text = (on > 0 ? "Stops: " + std::to_string(on) : std::string("Stops")) + "##stops";
    if (ImGui::GetContentRegionMax().x - (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x) <
        ImGui::CalcTextSize("Stops: 88").x + ui.em(24))
        return;  // no room
    ImGui::SameLine(0, ui.em(4));
    if (on > 0) ImGui::PushStyleColor(ImGuiCol_Button, to_imgui(ui.colors.accent.alpha(0.45f)));
    const bool pressed = ImGui::Button(text.c_str());
    if (on > 0) ImGui::PopStyleColor();
    ui.boxes.add("stops", box_of_last());
    const ImVec2 low = ImGui::GetItemRectMin();
    help_for_last(ui, "Breakpoints: where playing stops");
    if (pressed) ImGui::OpenPopup("stops");
    // Above the button, as high as its rows need and the window permits, and not beyond the right edge.
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width =
        std::min(ui.em(kStopsWidth) + 2 * ImGui::GetStyle().WindowPadding.x + ImGui::GetStyle().ScrollbarSize,
                 screen.x - ui.em(8));
    ImGui::SetNextWindowPos({std::max(ui.em(4), std::min(low.x, screen.x - width - ui.em(4))), low.y - ui.em(4)},
                            ImGuiCond_Always, {0, 1});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, low.y - ui.em(8)});
    if (ImGui::BeginPopup("stops")) {
        draw_stops(ui);
        ImGui::EndPopup();
    }
}

void draw_buttons(Ui& ui) {
    Session& session = ui.session;
    const auto button = [&](const char* id, Icon icon, float gap = 4) {
        action_button(ui, id, icon, id == std::string_view("play") ? kStrong : 0);
        ImGui::SameLine(0, ui.em(gap));
    };
    button("start", Icon::kStart);
    button("round-back", Icon::kRoundBack);
    button("pass-back", Icon::kPassBack);
    button("play", session.playback().playing() || session.running_on() ? Icon::kPause : Icon::kPlay);
    if (!ui.model.info.breakpoint.empty()) {
        draw_pause_toggle(ui);
        ImGui::SameLine(0, ui.em(4));
    }
    button("pass-forward", Icon::kPass);
    button("round-forward", Icon::kRound);
    button("end", Icon::kEnd, 12);
    button("restart", Icon::kRestart);
    action_button(ui, "verify", "Verify");
    draw_stops_button(ui);
}

constexpr const char* kUnlimited = "as fast as it fits";

void draw_speed(Ui& ui, float width) {
    Session& session = ui.session;
    constexpr float kLeast = 0.5f, kMost = 1000;
    float speed = session.unlimited ? kMost : static_cast<float>(session.speed);
    char text[48];
    std::snprintf(text, sizeof text, speed < 10 ? "%.1f passes/s" : "%.0f passes/s", static_cast<double>(speed));
    const float pad = 0.5f * (ImGui::GetFrameHeight() - Pen::line(*ui.fonts.small));  // as high as the buttons
    const Scoped frame(ImGuiStyleVar_FramePadding, {pad, pad});
    const Scoped font(ui.fonts.small);
    if (slider_beside_number(ui,
                             {"speed", session.unlimited ? kUnlimited : text, width, ImGui::CalcTextSize(kUnlimited).x},
                             &speed, kLeast, kMost, ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput)) {
        session.unlimited = speed >= 0.98f * kMost;
        session.speed = speed;
    }
    help_for_last(ui,
                  "How fast it plays, in passes per second ([ and ]). At the right end: as many as fit into a frame.");
}

void draw_controls(Ui& ui) {
    draw_buttons(ui);
    const float end = ImGui::GetContentRegionMax().x;
    const float spare = end - (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x);
    const std::vector<std::string> places = place_texts(ui.model);
    // Reserve room for more digits, so that the slider keeps its width.
    const float reserved = Pen::measure(*ui.fonts.numbers, "pass 8,888 of 8,888+  ·  round 88  ·  flip pass 88").x;
    const float number = Pen::measure(*ui.fonts.small, kUnlimited).x + ui.em(8);
    const float slider = std::min(spare - reserved - 2 * ui.em(12), ui.em(96) + number);
    if (slider >= ui.em(56) + number) {
        ImGui::SameLine(0, ui.em(12));
        draw_speed(ui, slider);
    }
    const float left = end - (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x) - ui.em(16);
    if (left < ui.em(60)) return;
    ImGui::SameLine(0, 0);
    const Scoped font(ui.fonts.numbers);
    const auto fits = [&](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= left; };
    const auto longest = std::ranges::find_if(places, fits);
    const std::string place = longest == places.end() ? elided(places.back(), left) : *longest;
    ImGui::SetCursorPosX(end - ImGui::CalcTextSize(place.c_str()).x);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(place.c_str());
    help_for_last(ui, places.front());
    ui.boxes.add("place", box_of_last(), place);
}

void draw_status_line(Ui& ui) {
    const Scoped font(ui.fonts.small);
    const float width = ImGui::GetContentRegionAvail().x, start = ImGui::GetCursorPosX();
    std::string right = ui.model.device_name + "  ·  " + ui.model.sharing_name;
    if (ui.frames_per_second > 0) right += "  ·  " + number_text(ui.frames_per_second) + " fps";
    right += "  ·  F1 keys  ·  Ctrl+P actions";
    right = elided(right, 0.55f * width);
    const Message* last = ui.session.message();
    if (last && last->text == explanation(ui)) last = nullptr;
    // A long message takes precedence.
    const auto fits = [&] {
        return !last ||
               ImGui::CalcTextSize(last->text.c_str()).x + ui.em(24) + ImGui::CalcTextSize(right.c_str()).x <= width;
    };
    if (!fits()) right = "F1 keys";
    const float right_width = ImGui::CalcTextSize(right.c_str()).x;
    if (last) {
        ImGui::TextColored(to_imgui(colour_of(ui.colors, last->kind, ui.colors.quiet_text)), "%s",
                           elided(last->text, width - right_width - ui.em(24)).c_str());
        help_for_last(ui, last->text);
    } else {
        ImGui::TextUnformatted("");
    }
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(start + width - right_width);
    quiet_text(ui, right);
    help_for_last(ui, ui.model.sharing);
}

}  // namespace

std::string headline_of(const Ui& ui) { return caption(ui); }

std::string pause_help(const LabInfo& info, bool pauses) {
    return pauses ? "Playing stops when " + info.breakpoint + "; press to play on (E)"
                  : "Plays on, whatever is detected; press to stop when " + info.breakpoint + " (E)";
}

TransportHeight transport_height(const Ui& ui, float width, bool compact) {
    const Rows rows = rows_of(ui, width, compact);
    return {rows.height - rows.more, rows.more};
}

void draw_transport_panel(Ui& ui) {
    // Where the text has grown, it covers the picture, and the neighbouring panels, which keep their height.
    const auto cover = [&](ImDrawList& draw) {
        const Box& box = ui.layout.bottom;
        if (ui.layout.covered > 0)
            draw.AddRectFilled(box.low(), {box.x + box.width, box.y + ui.layout.covered}, packed(ui.colors.panel));
    };
    cover(*ImGui::GetBackgroundDrawList());
    begin_panel(ui, "transport", ui.layout.bottom, false);
    cover(*ImGui::GetWindowDrawList());
    const Rows rows = rows_of(ui, ui.layout.bottom.width, ui.layout.compact);
    const float left = ImGui::GetStyle().WindowPadding.x;
    draw_caption(ui, rows);
    ImGui::SetCursorPos({left, rows.controls});
    draw_controls(ui);
    ImGui::SetCursorPos({left, rows.timeline});
    draw_timeline(ui, rows.timeline_height);
    ImGui::SetCursorPos({left, rows.key});
    draw_pass_key(ui);
    if (!rows.compact) {
        ImGui::SetCursorPos({left, rows.status});
        draw_status_line(ui);
    }
    ImGui::End();
}

}  // namespace flipscope::app
