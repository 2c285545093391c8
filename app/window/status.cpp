// The window's answers to control lines, and the pictures it saves.
#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/base/file_names.h"
#include "app/figures/plane_axes.h"
#include "app/gl/gl_context.h"
#include "app/images/png.h"
#include "app/run/detections.h"
#include "app/run/failures.h"
#include "app/run/inputs.h"
#include "app/run/report.h"
#include "app/run/report_json.h"
#include "app/view/display.h"
#include "app/window/actions.h"
#include "app/window/control.h"
#include "app/window/panels/panels.h"
#include "app/window/window_main.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

using nlohmann::json;

json box(const Box& b) { return {{"x", b.x}, {"y", b.y}, {"width", b.width}, {"height", b.height}}; }

}  // namespace

/// Answers any line with one line and never throws.
void Window::answer(const std::string& line) {
    const std::string reply = answered_or_refused([&] { return answer_to(line); });
    if (!reply.empty()) std::cout << reply << std::endl;
    std::cout.clear();  // if stdout is closed
}

std::string Window::answer_to(const std::string& line) {
    if (line.empty()) return {};
    if (line == "status") return status_line();
    if (line == "quit") {
        glfwSetWindowShouldClose(window_, GLFW_TRUE);
        return {};
    }
    constexpr std::string_view kScreenshot = "screenshot ";
    if (!line.starts_with(kScreenshot))
        throw Error("unknown command \"" + line + "\": expected status, screenshot PATH or quit");
    const std::string path = io::user_path(line.substr(kScreenshot.size())).string();
    save_window(path);
    return json_line("screenshot", path);
}

std::string Window::status_line() {
    json state_hash;  // null while the session is busy
    if (!session_->busy()) {
        if (const std::optional<uint64_t> hash = session_->state_hash()) state_hash = hash_text(*hash);
    }
    const LabModel& model = session_->model();
    const StepResult* last = model.last();
    json status;
    status["lab"] = model.info.id;
    status["loaded"] = model.loaded;
    status["source"] = session_->loader().present().source;
    status["title"] = session_->loader().present().run.title;
    const Geometry none;
    const Geometry& input = session_->input() ? *session_->input() : none;
    status["input"] = input.name;
    status["input_count"] = input.points.size();
    status["position"] = model.position;
    status["known"] = model.known();
    status["done"] = model.done;
    status["pass"] = last ? json(model.info.passes[last->pass].name) : json();
    status["round"] = last ? last->round : 0;
    status["iteration"] = last ? last->iteration : 0;
    status["playing"] = session_->playback().playing();
    status["speed"] = session_->unlimited ? json("unlimited") : json(session_->speed);
    const Session::Progress progress = session_->progress();
    status["progress"] = {{"stage", progress.stage},
                          {"fraction", progress.fraction >= 0 ? json(progress.fraction) : json()},
                          {"seconds", progress.seconds}};
    status["idle"] = session_->idle() && settled_ && input_frames_ == 0;  // a key since the last frame counts
    status["points"] = model.count_of(ElementKind::kVertex);
    const bool counted = model.result && model.info.makes_triangles;  // at the end
    status["triangles"] = counted ? json(model.result->triangles) : json();
    status["edges"] = counted ? json(model.result->edges) : json();
    status["with_ghosts"] = {{"triangles", model.count_of(ElementKind::kTriangle)},
                             {"edges", model.count_of(ElementKind::kEdge)}};
    status["state_hash"] = std::move(state_hash);
    const ViewAxes &view = state_.camera.view, &apart = state_.camera.apart;
    status["camera"] = {{"x", state_.camera.center.x},
                        {"y", state_.camera.center.y},
                        {"scale", state_.camera.scale},
                        {"right", {view.right.x, view.right.y, view.right.z}},
                        {"up", {view.up.x, view.up.y, view.up.z}},
                        {"apart", {apart.toward.x, apart.toward.y, apart.toward.z}}};
    status["kept"] = json();
    if (const KeptScene* const kept = session_->comparison().kept()) {
        const Camera& camera = canvas_->beside().camera();
        status["kept"] = box(layout_.kept);
        status["kept"]["caption"] = session_->comparison().caption();
        status["kept"]["bytes"] = kept->bytes();
        status["kept"]["camera"] = {{"x", camera.center.x}, {"y", camera.center.y}, {"scale", camera.scale}};
    }
    status["in_space"] = model.scene.in_space;
    status["beside"] = model.scene.view_count() > 1;
    // The established names first, then every layer under its own.
    json display = {{"angles", state_.display.angles}};
    using Pair = std::pair<const char*, const char*>;
    for (const auto& [name, id] :
         {Pair{"fills", "triangles"}, Pair{"edges", "edges"}, Pair{"points", "points"}, Pair{"cells", "cells"},
          Pair{"field", "field"}, Pair{"marks", "marks"}, Pair{"over", "overlay"}})
        display[name] = shows_layer(state_.display, model.scene, id);
    display["axes"] = state_.display.shows(kAxesDisplay, false);
    for (const Layer* layer : model.scene.toggles())
        display[layer->id] = shows_layer(state_.display, model.scene, layer->id);
    const ExplorationChoice& explored = session_->selection().exploration();
    status["colour_by"] = explored.colour ? json(explored.colour->id()) : json();
    status["study_area"] = explored.area ? json(explored.area_name) : json();
    status["selected"] = explored.selects() ? json(model.selected) : json();
    status["layers"] = json::array();
    for (size_t i = 0; i < model.scene.view_count(); ++i)
        for (const Layer& layer : model.scene.view(i).layers) status["layers"].push_back(layer.id);
    status["statistics"] = model.shown && !model.shown->empty();
    status["edits"] = model.edits;
    status["edits_kept"] = journal_.kept();
    status["leftover"] = state_.leftover;
    const Undo::Question* question = session_->undo().question();
    status["question"] = question ? json(question->text) : json();
    if (const LessonPresenter& lesson = state_.lesson; lesson.any() || lesson.writing) {
        json lesson_status{{"writing", lesson.writing}, {"presenting", lesson.presenting()},
                           {"laser", lesson.laser},     {"unsaved", lesson.unsaved()},
                           {"save_as", lesson.save_as}, {"verdict", lesson.verdict()}};
        if (lesson.any()) {
            const LessonPlayer& player = lesson.player();
            lesson_status.update({{"step", player.index() + 1},
                                  {"steps", player.lesson().steps.size()},
                                  {"title", player.lesson().title},
                                  {"caption", player.step().caption},
                                  {"revealed", player.revealed()},
                                  {"ended", player.ended()},
                                  {"failed", player.failed()},
                                  {"rests", player.at_rest()},
                                  {"marks", session_->inspector().found_elements().size()}});
        }
        status["lesson"] = std::move(lesson_status);
    }
    status["saving"] = state_.saving;
    status["palette"] = {{"open", state_.palette.open}, {"typed", state_.palette.typed}, {"rows", json::array()}};
    if (state_.palette.open)
        for (const Action& row : palette_rows(make_ui()))
            status["palette"]["rows"].push_back({{"help", row.help}, {"refusal", row.why_not(make_ui())}});
    status["figure"] = {{"open", state_.figure.open},
                        {"file", state_.figure.file},
                        {"kept", session_->comparison().kept() && state_.figure.shows_kept()}};
    status["save_as"] = state_.save_as;
    status["look"] = std::move(display);
    status["bounds"] = {model.scene.low.x, model.scene.low.y, model.scene.high.x, model.scene.high.y};
    status["canvas"] = box(layout_.canvas);
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    status["picture_share"] = picture_share(layout_, window.x, window.y);
    status["legend_height"] = layout_.legend_height;
    status["bottom"] = box(layout_.bottom);
    status["docks"] = layout_.docks;
    status["refusals"] = json::object();  // reasons why actions are disabled
    for (const Action& action : actions())
        if (const std::string why = action.why_not(make_ui()); !why.empty()) status["refusals"][action.id] = why;
    status["inspector"] = box(layout_.inspector);
    status["inspector"]["controls"] = json::array();
    for (const Box& control : layout_.inspector_controls) status["inspector"]["controls"].push_back(box(control));
    status["import"] = nullptr;
    if (const TableImport* const table = session_->columns().table()) {
        json strip = box(layout_.import);
        strip["source"] = table->source.name();
        strip["sentence"] = table->layout.sentence;
        strip["refusal"] = table->refusal;
        strip["focus"] = state_.import.focus;
        strip["options"] = json::object();
        for (const auto& [option, value] : table->read.texts()) strip["options"][option] = value;
        for (const TableLayout::Column& column : table->layout.columns)
            if (column.role)
                strip["columns"][std::string(kColumnRoleNames[static_cast<size_t>(*column.role)])] = column.name;
        status["import"] = std::move(strip);
    }
    status["find"] = {{"open", state_.find_open},
                      {"text", state_.find_text},
                      {"note", state_.find_note},
                      {"answer", state_.find_answer}};
    status["panels"] = {{"left", layout_.has_left},     {"right", layout_.has_right},
                        {"bottom", layout_.has_bottom}, {"legend", state_.show_legend},
                        {"help", state_.show_help},     {"inspector", model.inspection.any()}};
    static constexpr const char* kTools[] = {"look", "move", "add", "remove", "freeze", "paint", "wipe"};
    status["presenter"] = presenter_ != nullptr;
    status["tool"] = kTools[static_cast<int>(state_.tool)];
    status["locked"] = state_.locked;
    status["brush"] = state_.brush * state_.scale;
    status["file"] = state_.file;
    status["generator_options"] = state_.generator_options;
    status["light"] = state_.light;
    status["scale"] = state_.scale;
    status["window"] = {ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    status["hovered"] = session_->inspector().hovered().size();
    status["device"] = model.device_name;
    status["opengl"] = gl_renderer();
    status["frames"] = frames_;
    status["scene_draws"] = canvas_->draws();
    status["motions"] = canvas_->motions();
    status["seconds"] = seconds();
    for (const FramePart* part : parts_.all()) status["frame_ms"][part->label] = {part->last_ms, part->mean_ms()};
    const Message* message = session_->message();
    status["message"] = message ? json(message->text) : json();
    status["messages"] = model.messages.size();
    for (const Message& one : model.messages) status["all_messages"].push_back(one.text);
    status["inspected"] = json();
    if (model.inspection.any()) {
        status["inspected"] = {{"kind", word_of(model.inspection.element.kind)},
                               {"id", model.inspection.element.id},
                               {"part", model.inspection.element.part}};
        for (const Point3& corner : model.inspection.corners)
            status["inspected"]["corners"].push_back({corner.x, corner.y, corner.z});
        for (const Property& one : model.inspection.report.properties())
            status["inspected"]["properties"][one.name] = text_of(one.value);
        status["inspected"]["report"] = json_of(model.inspection.report);
        if (const ElementHistory* history = session_->inspector().history_of(model.inspection.element))
            status["inspected"]["history"] = json_of(properties_of(*history));
    }
    for (size_t i = 0; i < model.parameters.size(); ++i)
        status["parameters"][model.parameters[i].name] = model.parameters[i].value;
    status["picture"] = last_picture_;
    status["detections"] = {{"known", model.detections.size()},
                            {"found", model.found},
                            {"chosen", model.detail_view.any() ? json(model.detail_view.detection) : json()},
                            {"diagrams", model.detail_view.diagrams.size()},
                            {"file", last_detections_},
                            {"rows", state_.detections.rows()},
                            {"shown", state_.detections.shown()}};
    status["detections"]["kinds"] = json::array();
    for (const DetectionList::Kind& kind : state_.detections.kinds())
        status["detections"]["kinds"].push_back({{"name", kind.name}, {"count", kind.detections.size()}});
    status["across"] = state_.across.view ? json(state_.across.zoom) : json();
    const CheckReport* check = model.check ? &*model.check : nullptr;
    status["headline"] = {{"text", headline_of(make_ui())}, {"failed", model.failed()}};
    status["refusal"] = model.refusal;
    status["check"] = check ? json{{"passed", check->passed}, {"sentence", check->sentence}} : json();
    status["failures"] = {{"count", check ? check->failure_count : 0},
                          {"listed", check ? check->failures.size() : 0},
                          {"chosen", model.chosen_failure() ? json(model.failure) : json()},
                          {"file", last_failures_}};
    if (const CheckFailure* failure = model.chosen_failure()) {
        status["failures"]["code"] = failure->code;
        status["failures"]["sentence"] = failure->sentence;
        for (const Point3& place : failure->places) status["failures"]["places"].push_back({place.x, place.y, place.z});
    }
    const Shrinking::Progress shrinking = session_->shrinker().search().progress();
    static constexpr const char* kStates[] = {"none", "runs", "ended"};
    status["shrinking"] = {{"state", kStates[static_cast<int>(shrinking.state)]},
                           {"stage", shrinking.stage},
                           {"given", shrinking.given},
                           {"points", shrinking.points},
                           {"tests", shrinking.tests},
                           {"seconds", shrinking.seconds},
                           {"complete", shrinking.complete},
                           {"why", shrinking.why},
                           {"fails", session_->shrinker().search().task().failure},
                           {"asks", state_.shrink_question},
                           {"file", last_shrunk_},
                           {"choices", json::array()}};
    for (const ShrinkChoice& choice : state_.shrink_choices) status["shrinking"]["choices"].push_back(choice.criterion);
    status["shrinking"]["choice"] = state_.shrink_choice;
    status["detail_view"] = box(layout_.detail_view);
    status["list_open"] = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    status["pauses"] = session_->pause_at_breakpoint;
    status["stops"] = {{"refusal", state_.stop_refusal}, {"listed", json::array()}};
    for (const Stops::Stop& stop : session_->stops().all())
        status["stops"]["listed"].push_back({{"text", stop.text}, {"on", stop.on}});
    status["stops"]["text"] = state_.stop;
    status["boxes"] = json::object();
    for (const auto& [name, entry] : boxes_.all()) {
        status["boxes"][name] = box(entry.box);
        if (!entry.text.empty()) status["boxes"][name]["text"] = entry.text;
    }
    for (size_t i = 0; i < model.parameters.size(); ++i)
        if (const Override found = override_of(*session_, i))
            status["decided"][model.parameters[i].name] = {{"why", found.why}, {"value", found.value}};
    status["curves"] = json::array();
    for (const ShownCurve& shown : shown_curves(make_ui()))
        status["curves"].push_back({{"name", shown.curve->name},
                                    {"label", shown.label},
                                    {"kept", shown.kept},
                                    {"points", shown.curve->x.size()}});
    for (const auto& number : model.numbers) status["numbers"][number.name] = json_of(number.value);
    return status.dump(-1, ' ', false, json::error_handler_t::replace);
}

void Window::save_window(const std::string& path) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    std::vector<unsigned char> bottom_up(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
    std::vector<unsigned char> pixels(bottom_up.size());
    // Draw again into the back buffer: its contents are undefined after a swap.
    glReadBuffer(GL_BACK);
    frame(0);
    redraw();
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bottom_up.data());
    const size_t row = static_cast<size_t>(width) * 4;
    for (size_t y = 0; y < static_cast<size_t>(height); ++y)
        std::copy_n(bottom_up.begin() + static_cast<ptrdiff_t>(y * row), row,
                    pixels.begin() + static_cast<ptrdiff_t>((static_cast<size_t>(height) - 1 - y) * row));
    write_png(path, pixels, width, height);
}

void Window::save_new(const std::string& stem, const char* extension, const std::string& what, std::string& last,
                      const std::function<void(const std::string& name)>& write) {
    try {
        const std::string name = free_name(stem, extension);
        write(name);
        last = absolute_name(name);
        session_->say(Message::Kind::kGood, what + last);
    } catch (const Error& error) {
        session_->say(Message::Kind::kError, error.what());
    }
}

void Window::save_picture() {
    save_new("flipscope", ".png", "the picture is in ", last_picture_, [&](const std::string& name) {
        const Pixels shown = canvas_->pixels(make_ui());
        write_png(name, shown.rgba, shown.width, shown.height);
    });
}

void Window::save_detections() {
    const LabModel& model = session_->model();
    const std::string what = count_of_detections(model.found, model.info) + (model.found == 1 ? " is in " : " are in ");
    save_new("flipscope-" + model.info.id, ".csv", what, last_detections_, [&](const std::string& name) {
        const std::vector<Detection> now(model.detections.begin(),
                                         model.detections.begin() + static_cast<ptrdiff_t>(model.found));
        write_whole_file(name, detections_csv(now, model.info, model.detection_units));
    });
}

void Window::save_failures() {
    const LabModel& model = session_->model();
    if (!model.check) return;
    const std::string what =
        count_of_failures(*model.check) + (model.check->failure_count == 1 ? " is in " : " are in ");
    save_new("flipscope-failures", ".csv", what, last_failures_,
             [&](const std::string& name) { write_whole_file(name, failures_csv(*model.check)); });
}

}  // namespace flipscope::app
