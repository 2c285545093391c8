// The keyboard: one list for the help, one function that does what it says.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>  // to close a list that is open

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "app/figures/labels.h"
#include "app/figures/plane_axes.h"
#include "app/run/detections.h"
#include "app/session/preferences.h"
#include "app/view/looks.h"
#include "app/window/canvas.h"
#include "app/window/minimap.h"
#include "app/window/panels/widgets.h"
#include "app/window/ui.h"
#include "compute/error.h"
#include "compute/text.h"

namespace flipscope::app {

namespace {

constexpr std::pair<const char*, const char*> kLayerKeys[] = {
    {"triangles", "S"}, {"cells", "S"},  {"field", "I"},     {"marks", "M"},   {"edges", "W"},
    {"links", "W"},     {"points", "D"}, {"particles", "D"}, {"overlay", "O"}, {"earlier", "O"}};

}  // namespace

const char* layer_key(const std::string& id) {
    for (const auto& [name, key] : kLayerKeys)
        if (id == name) return key;
    return "";
}

std::vector<KeyHelp> key_help(const LabInfo& info) {
    return {
        {"Space", "play or pause", "Time"},
        {"→  ←", "a pass forward, a pass back", "Time"},
        {"Shift →  ←", "an iteration forward, back", "Time"},
        {".", "the next pass of the kind that ran last", "Time"},
        {"Page ↓  ↑", "a round forward, back", "Time"},
        {"Ctrl →  ←", "the same", "Time"},
        {"Home", "back to the start", "Time"},
        {"End", "run to the end", "Time"},
        {"[  ]", "play slower, faster", "Time"},
        {"R", "start over, with changed parameters", "Time"},
        {"V", "verify what was made, exactly", "Time"},
        {"↑  ↓", "the failure or " + word_of(info) + " before, after this one", "Time"},
        {"Z", "shrink what failed; then open what is left", "Time"},
        {"E", "pause when something is found: on, off", "Time"},
        {"Esc", "cancel, close", "Time"},
        {"drag", "move the picture; turn a surface", "View"},
        {"Shift, right drag", "move the picture, of a surface too", "View"},
        {"wheel  +  −", "zoom, about the cursor", "View"},
        {"Alt →  ←  ↑  ↓", "the microscope: by a pixel; Shift: by 16", "View"},
        {"Alt +  −", "the microscope: fewer, more ulps a pixel", "View"},
        {"Alt wheel", "stretch a thin failure more, less", "View"},
        {"F", "fit the picture", "View"},
        {"T", "a surface from a corner, front, side, top", "View"},
        {"Ctrl drag", "select a box; with Shift: a lasso", "View"},
        {"Ctrl C", "copy the selected coordinates", "View"},
        {"Ctrl V", "paste a table, or coordinates", "View"},
        {"A", "colour triangles by their minimum angle", "View"},
        {"S  W  D", "fills or cells, edges, points on or off", "View"},
        {"I  M  O", "a lattice's field, its marks, the overlay", "View"},
        {"Y", "show or hide ids and names in view", "View"},
        {"/  Ctrl F", "find an element by id, name or place", "View"},
        {"P", "save the picture as PNG", "View"},
        {"Ctrl B", "the scale bar; with Shift: axes", "View"},
        {"Ctrl M", "show or hide the map when zoomed in", "View"},
        {"Ctrl S", "save a picture, a mesh, a table", "View"},
        {"Ctrl Shift S", "save a figure: PNG, SVG, PDF, plots", "View"},
        {"L", "light or dark", "View"},
        {"1", "input and parameters", "Panels"},
        {"2", "counters, plots, timings", "Panels"},
        {"3", "transport and timeline", "Panels"},
        {"4", "legend", "Panels"},
        {"7  8", "statistics; colour by the next quantity", "Panels"},
        {"9", "start or stop comparing with this state", "Panels"},
        {"Tab", "all panels away, or back", "Panels"},
        {"Ctrl +  −  0", "larger, smaller, as the monitor says", "Panels"},
        {"C", "copy the timings as CSV", "Panels"},
        {"Ctrl O", "open a file: its name", "Panels"},
        {"Ctrl Shift O", "open a recent file", "Panels"},
        {"Ctrl I", "choose the columns of a table", "Panels"},
        {"G", "keep the present curves, to compare", "Panels"},
        {"?  H  F1", "this list", "Panels"},
        {"F5", "play the lesson at hand", "Lessons"},
        {"→  ←  Page ↓  ↑", "its next step or answer, the step before", "Lessons"},
        {"Shift →  ←", "a pass forward, a pass back", "Lessons"},
        {".", "a blank picture, and back", "Lessons"},
        {"Esc", "leave the lesson", "Lessons"},
        {"F11", "full screen, or a window again", "Lessons"},
        {"5", "write a lesson: the panel of its steps", "Lessons"},
        {"6", "a laser pointer", "Lessons"},
        {"click", "inspect an element", "Manual edits"},
        {"Q", "look; once more: move points by dragging", "Manual edits"},
        {"X", "flip the inspected edge", "Manual edits"},
        {"N", "add points", "Manual edits"},
        {"K  Delete", "remove points, the inspected one", "Manual edits"},
        {"J", "freeze points, release them", "Manual edits"},
        {"B  U", "paint obstacles, wipe them off", "Manual edits"},
        {"[  ]  Ctrl wheel", "a smaller, larger brush", "Manual edits"},
        {"Ctrl L", "lock or unlock manual edits", "Manual edits"},
        {"Ctrl Z", "undo the last edit", "Manual edits"},
        {"Ctrl Shift Z", "redo it; so does Ctrl Y", "Manual edits"},
    };
}

const std::array<ToolHelp, 7>& tool_help() {
    static const std::array<ToolHelp, 7> tools{{
        {Tool::kLook, 'Q', "Look", "Click an element to inspect it; drag to move the picture."},
        {Tool::kMove, 'Q', "Move points", "Drag a point to move it; a double click adds one."},
        {Tool::kAdd, 'N', "Add points", "Click where the new point is to be."},
        {Tool::kRemove, 'K', "Remove points", "Click on the point to remove."},
        {Tool::kFreeze, 'J', "Freeze points", "Click on a point: it stays where it is until it is clicked once more."},
        {Tool::kPaint, 'B', "Paint obstacles", "Drag; [ and ], or the wheel with Ctrl, change the brush."},
        {Tool::kWipe, 'U', "Wipe off obstacles", "Drag; [ and ], or the wheel with Ctrl, change the brush."},
    }};
    return tools;
}

void colour_by(Ui& ui, ExplorationChoice choice) {
    if (choice.colour && choice.colour != ui.session.selection().exploration().colour) ui.state.look.angles = false;
    ui.session.selection().explore(std::move(choice));
}

bool can_use(const Ui& ui, Tool tool) {
    const LabModel& model = ui.model;
    if (tool != Tool::kLook && ui.state.locked) return false;
    switch (tool) {
        case Tool::kLook:
            return true;
        case Tool::kMove:
            return model.takes_moves;
        case Tool::kAdd:
            return model.takes_adds;
        case Tool::kRemove:
            return model.takes_removes;
        case Tool::kFreeze:
            return model.freezes;
        case Tool::kPaint:
            return model.takes_paint;
        case Tool::kWipe:
            return model.takes_wipes;
    }
    return false;
}

void resize_brush(UiState& state, double factor) {
    state.brush = static_cast<float>(std::clamp(state.brush * factor, 2.0, 200.0));
}

void next_view(UiState& state) {
    const auto& views = standard_views();
    const auto now = std::find(views.begin(), views.end(), state.camera.view);
    state.camera.view = now == views.end() || now + 1 == views.end() ? views.front() : *(now + 1);
    state.wants_fit = true;
}

namespace {

/// Why a key does nothing. Said once: pressed again, it has nothing to add.
void note(Ui& ui, const std::string& text) {
    const Message* const said = ui.session.message();
    if (!said || said->text != text) ui.session.reply(Message::Kind::kNote, text);
}

void change_speed(Ui& ui, double factor) {
    Session& session = ui.session;
    constexpr double kLeast = 0.5, kMost = 1000;  // passes a second
    if (session.unlimited && factor < 1) {
        session.unlimited = false;
        session.speed = 500;
        return;
    }
    if (factor > 1 && session.unlimited) return note(ui, "It plays as fast as it can already.");
    if (factor < 1 && session.speed <= kLeast) return note(ui, "It plays as slowly as it can already.");
    session.speed = std::clamp(session.speed * factor, kLeast, kMost);
    if (session.speed >= kMost) session.unlimited = true;
}

void change_brush(Ui& ui, double factor) {
    const float before = ui.state.brush;
    resize_brush(ui.state, factor);
    if (ui.state.brush == before)
        note(ui, factor > 1 ? "The brush is as large as it can be." : "The brush is as small as it can be.");
}

void toggle_all(UiState& state) {
    const bool any = state.show_left || state.show_right || state.show_bottom;
    state.show_left = state.show_right = state.show_bottom = !any;
    state.asked_left = state.asked_right = false;
}

// Where panels share too little room, opening one side closes the other.
void toggle_side(Ui& ui, bool left) {
    UiState& state = ui.state;
    const bool opens = !(left ? ui.layout.has_left : ui.layout.has_right);
    (left ? state.show_left : state.show_right) = opens;
    (left ? state.asked_left : state.asked_right) = opens;
    if (has_room_for_all(state, ImGui::GetIO().DisplaySize.x)) return;
    (left ? state.asked_right : state.asked_left) = false;
    if (!state.presents()) (left ? state.show_right : state.show_left) = false;
}

/// Whether manual edits are locked; posts a note if they are.
bool is_locked(Ui& ui) {
    if (ui.state.locked) ui.session.reply(Message::Kind::kNote, "Manual edits are locked: Ctrl+L allows them again.");
    return ui.state.locked;
}

void flip_inspected(Ui& ui) {
    if (is_locked(ui)) return;
    const Element& chosen = ui.model.inspection.element;
    if (!ui.model.takes_flips)
        ui.session.reply(Message::Kind::kNote,
                         "The " + ui.model.info.title + " flips no edges manually; the Flip lab does.");
    else if (!ui.model.inspection.any() || chosen.kind != ElementKind::kEdge)
        ui.session.reply(Message::Kind::kNote, "Click on an edge first: X flips the inspected edge.");
    else
        ui.session.edits().flip_edge(chosen);
}

void choose_tool(Ui& ui, const ToolHelp& chosen) {
    // Q looks, and moves points where it looked already.
    const Tool tool = chosen.tool != Tool::kLook || ui.state.tool != Tool::kLook || !can_use(ui, Tool::kMove)
                          ? chosen.tool
                          : Tool::kMove;
    if (tool != Tool::kLook && is_locked(ui)) return;
    const ToolHelp& help = tool == Tool::kMove ? tool_help()[1] : chosen;
    if (ui.state.tool == tool)
        note(ui, std::string("This tool is in use: ") + help.name + ". " + help.sentence);
    else if (can_use(ui, tool)) {
        ui.state.tool = tool;
        if (chosen.tool == Tool::kLook) note(ui, std::string(help.name) + ". " + help.sentence);
    } else
        ui.session.reply(Message::Kind::kNote,
                         "The " + ui.model.info.title + " has no use for this tool: " + chosen.name + ".");
}

void remove_inspected(Ui& ui) {
    if (is_locked(ui)) return;
    const Element& chosen = ui.model.inspection.element;
    if (!ui.model.takes_removes)
        note(ui, "In the " + ui.model.info.title + " no points can be removed manually.");
    else if (!ui.model.inspection.any() || chosen.kind != ElementKind::kVertex)
        note(ui, "Click on a point first: Delete removes the inspected point.");
    else
        ui.session.edits().remove_vertex(chosen);
}

void turn_surface(Ui& ui) {
    if (ui.model.scene.in_space)
        next_view(ui.state);
    else
        note(ui, "T turns a surface in space; this is a plane.");
}

constexpr const char* kNothingLoaded = "Nothing is loaded. Choose points on the left, or drop a file here.";

/// Else says so.
bool is_loaded(Ui& ui) {
    if (!ui.model.loaded)
        note(ui, ui.session.busy() ? ui.session.progress().title + ": there is nothing to show yet." : kNothingLoaded);
    return ui.model.loaded;
}

bool has_layer(const Scene& scene, const std::string& id) {
    const std::vector<const Layer*> layers = scene.toggles();
    return std::any_of(layers.begin(), layers.end(), [&](const Layer* layer) { return layer->id == id; });
}

bool has_any_triangle(const Scene& scene) {
    const std::vector<const Layer*> layers = scene.toggles();
    return std::any_of(layers.begin(), layers.end(), [](const Layer* layer) {
        return std::holds_alternative<TrianglesLayer>(layer->shape) && !layer->empty();
    });
}

void colour_by_angles(Ui& ui) {
    const Scene& scene = ui.model.scene;
    if (!is_loaded(ui)) return;
    if (!has_triangles(scene) && !ui.model.info.makes_triangles)
        return note(ui, "The " + ui.model.info.title + " makes no triangles to colour.");
    Look& look = ui.state.look;
    const bool on = has_any_triangle(scene) ? !shows_angles(look, scene) : !look.angles;
    show_angles(look, scene, on);
    if (has_any_triangle(scene)) return;
    note(ui, std::string("There are no triangles yet; those to come are ") + (on ? "" : "not ") +
                 "coloured by their minimum angle.");
}

void show_ids(Ui& ui) {
    if (!is_loaded(ui)) return;
    if (!ui.model.scene.mesh || ui.model.scene.in_space)
        return note(ui,
                    "The " + ui.model.info.title + " has no triangulation of the plane whose ids could be shown here.");
    const bool on = !ui.state.look.shows(kIdsLook, false);
    ui.state.look.show(kIdsLook, on);
    if (on)
        note(ui, "Ids and names are shown where fewer than " + std::to_string(kMostLabels) +
                     " points are in view, those of edges and triangles closer still.");
}

void show_field(Ui& ui) {
    Look& look = ui.state.look;
    const Scene& scene = ui.model.scene;
    if (!is_loaded(ui)) return;
    if (!has_layer(scene, "field")) return note(ui, "The " + ui.model.info.title + " has no field to show.");
    const bool on = !shows_layer(look, scene, "field");
    look.show("field", on);
    if (scene.lattice().field) return;
    note(ui, on ? "There is no field under this picture; where there is one, it is shown now instead of cells."
                : "There is no field under this picture; where there is one, cells are shown now instead of it.");
}

/// Whether the key is for layers that every mesh has.
bool is_of_meshes(const std::string& key) { return key == "S" || key == "W" || key == "D"; }

/// All layers of this key, as the first that the lab has is not now. `what` they are called in a message.
void toggle_layers(Ui& ui, const char* key, const std::string& what) {
    Look& look = ui.state.look;
    const Scene& scene = ui.model.scene;
    if (!is_loaded(ui)) return;
    std::vector<const Layer*> layers;
    for (const Layer* layer : scene.toggles())
        if (std::string_view(layer_key(layer->id)) == key) layers.push_back(layer);
    // Before its first pass a lab may have no layers yet; of triangulations it is known which come.
    const bool to_come = scene.layers.empty() && (!ui.model.info.makes_triangles || is_of_meshes(key));
    if (layers.empty() && !to_come)
        return note(ui, "The " + ui.model.info.title + " has no " + what + " in this picture to show or hide.");
    std::vector<const char*> ids;
    for (const auto& [id, its_key] : kLayerKeys)
        if (std::string_view(its_key) == key) ids.push_back(id);
    const bool on = !shows_layer(look, scene, layers.empty() ? ids.front() : layers.front()->id);
    for (const char* id : ids) look.show(id, on);
    const bool any = std::any_of(layers.begin(), layers.end(), [](const Layer* layer) { return !layer->empty(); });
    if (any) return;
    note(ui, capitalised(what) + ": none in this picture yet; what comes is " + (on ? "shown." : "hidden."));
}

void pause_or_not(Ui& ui) {
    if (ui.model.info.breakpoint.empty())
        return note(ui, "The " + ui.model.info.title + " looks for nothing to pause at.");
    ui.session.pause_at_breakpoint = !ui.session.pause_at_breakpoint;
}

void open_statistics(Ui& ui) {
    if (!ui.layout.has_right) toggle_side(ui, false);
    ui.state.wants_statistics = true;
}

/// From here, or no more.
void compare(Ui& ui) {
    if (!ui.session.comparison().active() && !is_loaded(ui)) return;
    ui.session.comparison().toggle();
    ui.state.beside = true;
}

/// After the last quantity comes what the lab shows.
void colour_by_next(Ui& ui) {
    if (!ui.model.explorable) return note(ui, "There are no elements of a mesh and no cells to colour.");
    ExplorationChoice choice = ui.session.selection().exploration();
    std::vector<Explored> all;  // what there is, in the order of the list
    for (uint32_t k = 0; k < kElementQuantityCount; ++k) all.emplace_back(ElementQuantity(k));
    for (const std::string& id : attribute_ids(ui.session.input().get())) all.emplace_back(id);
    std::erase_if(all, [&](const Explored& one) { return !offers(ui.model.scene, one); });
    size_t next = 0;
    if (choice.colour) next = size_t(std::find(all.begin(), all.end(), *choice.colour) - all.begin()) + 1;
    choice.colour.reset();
    if (next < all.size()) choice.colour = all[next];
    note(ui, choice.colour ? "Coloured by " + choice.colour->name() + "." : "Coloured by what the lab shows.");
    colour_by(ui, std::move(choice));
}

/// Esc within a lesson: what lies over the picture goes first.
bool leave_lesson(Ui& ui) {
    LessonDesk& lesson = ui.state.lesson;
    if (lesson.blank) {
        lesson.blank = false;
        return true;
    }
    if (!lesson.presenting() || ui.model.inspection.any()) return false;
    lesson.leave(ui);
    return true;
}

void play_lesson(Ui& ui) {
    LessonDesk& lesson = ui.state.lesson;
    if (!lesson.any())
        return note(ui, "No lesson is open: drop one here, or choose or write one in the panel that 5 opens.");
    lesson.presenting() ? lesson.go_to(lesson.player().index()) : lesson.present(ui);
}

/// A presenter's keys, and those of clickers. True: the lesson has taken it.
bool moves_lesson(Ui& ui, const KeyPress& press) {
    LessonDesk& lesson = ui.state.lesson;
    if (press.key == GLFW_KEY_F11 && !press.repeated) return ui.state.wants_full_screen = true;
    if (press.key == GLFW_KEY_F5 && !press.repeated) {
        play_lesson(ui);
        return true;
    }
    const bool arrows = lesson.presenting() && press.modifiers == 0;  // some clickers send them
    const bool forward = press.key == GLFW_KEY_PAGE_DOWN || (arrows && press.key == GLFW_KEY_RIGHT);
    const bool back = press.key == GLFW_KEY_PAGE_UP || (arrows && press.key == GLFW_KEY_LEFT);
    if (!lesson.presents() || (!forward && !back)) return false;
    if (press.repeated) return true;
    forward ? lesson.forward() : lesson.back();
    lesson.blank = false;
    return true;
}

void write_lesson(Ui& ui) {
    LessonDesk& lesson = ui.state.lesson;
    if (lesson.presenting()) lesson.leave(ui);
    lesson.writing = !lesson.writing;
    if (lesson.writing && !ui.layout.has_right) toggle_side(ui, false);
}

void close_something(Ui& ui) {
    if (ui.state.show_help)
        ui.state.show_help = false;
    else if (leave_lesson(ui))
        return;
    else if (ui.session.cancellable())
        ui.session.cancel();
    else if (ui.model.inspection.any())
        ui.session.inspector().close();
    else if (ui.model.chosen_failure())
        ui.session.checks().close_failure();
    else if (ui.state.tool != Tool::kLook)
        ui.state.tool = Tool::kLook;
    else if (ui.model.detail_view.any())
        ui.session.inspector().close_detection();
    else if (ui.session.playback().playing())
        ui.session.play(false);
    else if (ui.session.shrinking().runs())
        ui.session.shrinking().cancel();
    else if (ExplorationChoice choice = ui.session.selection().exploration(); choice.selects()) {
        choice.clear_selection();
        ui.session.selection().explore(std::move(choice));
    } else
        note(ui, "There is nothing to cancel or to close.");
}

/// Whether the timeline can go that way; else says why not. What refused to start says so again by itself.
bool can_go(Ui& ui, bool forward) {
    const LabModel& model = ui.model;
    std::string why;
    if (ui.session.busy() || (forward && model.refused())) return true;
    if (!model.loaded)
        why = kNothingLoaded;
    else if (forward && model.done)
        why = "The run has ended: \u2190 goes back, Space plays it again, R starts over.";
    else if (!forward && model.position == 0)
        why = "The run begins here: there is no pass to go back.";
    if (!why.empty()) note(ui, why);
    return why.empty();
}

/// From push to push, or from flip to flip.
void go_to_same_pass(Ui& ui) {
    if (!can_go(ui, true)) return;
    if (const StepResult* last = ui.model.last())
        ui.session.playback().step_to(last->pass);
    else
        note(ui, "No pass has run yet: go to one with \u2192, and on to the next of its kind with this key.");
}

/// Begins the search for fewer points, says how far it is, opens what came of it: but where something else fails, that
/// is what the next search is for.
void go_on_shrinking(Ui& ui) {
    const Shrinking& shrinking = ui.session.shrinking();
    const Shrinking::Progress now = shrinking.progress();
    if (now.state == Shrinking::State::kRuns)
        ui.session.reply(Message::Kind::kNote, shrinking_text(now) + "; Esc ends it.");
    else if (const std::string& source = ui.model.source_text;
             now.any() && source != shrinking.title(now.points) &&
             (source == shrinking.task().source || !ui.session.shrinker().refusal().empty()))
        ui.session.shrinker().open_best();
    else
        open_shrinking(ui);
}

void handle_character(Ui& ui, unsigned character) {
    Session& session = ui.session;
    UiState& state = ui.state;
    const Box& canvas = ui.layout.canvas;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto zoom = [&](double factor) {
        state.camera.zoom(factor, canvas.holds(mouse) ? from_middle(ui, mouse) : Point{0, 0});
        state.fitted = false;
    };
    switch (character) {
        case '?':
        case 'h':
        case 'H':
            state.show_help = !state.show_help;
            break;
        case '+':
        case '=':
            zoom(1.25);
            break;
        case '-':
            zoom(1 / 1.25);
            break;
        case '.':
            if (state.lesson.presenting())
                state.lesson.blank = !state.lesson.blank;
            else
                go_to_same_pass(ui);
            break;
        case '5':
            write_lesson(ui);
            break;
        case '6':
            state.lesson.laser = !state.lesson.laser;
            break;
        case '[':
            is_brush(state.tool) ? change_brush(ui, 1 / 1.25) : change_speed(ui, 1 / 1.5);
            break;
        case ']':
            is_brush(state.tool) ? change_brush(ui, 1.25) : change_speed(ui, 1.5);
            break;
        case 'f':
        case 'F':
            state.wants_fit = true;
            break;
        case 'r':
        case 'R':
            session.opener().restart();
            break;
        case 'v':
        case 'V':
            if (is_loaded(ui)) session.checks().verify();
            break;
        case 'z':
        case 'Z':
            go_on_shrinking(ui);
            break;
        case 't':
        case 'T':
            turn_surface(ui);
            break;
        case 'a':
        case 'A':
            colour_by_angles(ui);
            break;
        case 's':
        case 'S':
            toggle_layers(ui, "S", "fills or cells");
            break;
        case 'i':
        case 'I':
            show_field(ui);
            break;
        case 'm':
        case 'M':
            toggle_layers(ui, "M", "marked pixels");
            break;
        case 'o':
        case 'O':
            toggle_layers(ui, "O", "overlay");
            break;
        case 'w':
        case 'W':
            toggle_layers(ui, "W", "edges");
            break;
        case 'd':
        case 'D':
            toggle_layers(ui, "D", "points");
            break;
        case 'x':
        case 'X':
            flip_inspected(ui);
            break;
        case '/':
            if (is_loaded(ui)) open_finding(ui);
            break;
        case 'y':
        case 'Y':
            show_ids(ui);
            break;
        case 'p':
        case 'P':
            state.wants_picture = true;
            break;
        case 'l':
        case 'L':
            state.wants_theme = true;
            break;
        case 'e':
        case 'E':
            pause_or_not(ui);
            break;
        case 'c':
        case 'C':
            state.wants_copy = true;
            break;
        case 'g':
        case 'G':
            keep_curves(ui);
            break;
        case '7':
            return open_statistics(ui);
        case '8':
            return colour_by_next(ui);
        case '9':
            return compare(ui);
        case '1':
            toggle_side(ui, true);
            break;
        case '2':
            toggle_side(ui, false);
            break;
        case '3':
            state.show_bottom = !state.show_bottom;
            break;
        case '4':
            state.show_legend = !state.show_legend;
            break;
        default:
            for (const ToolHelp& tool : tool_help())
                if (character == static_cast<unsigned>(tool.key) ||
                    character == static_cast<unsigned>(tool.key - 'A' + 'a'))
                    return choose_tool(ui, tool);
            break;
    }
}

/// Changes one of the lab's steering parameters. Held down, the key goes on as fast as the pictures come.
void steer(Ui& ui, const std::string LabInfo::Steering::*which, int by) {
    if (!is_loaded(ui) || !ui.session.idle()) return;
    const std::string& name = ui.model.info.steering.*which;
    for (size_t i = 0; i < ui.model.parameters.size(); ++i) {
        const ParameterDescription& parameter = ui.model.parameters[i];
        if (name.empty() || parameter.name != name) continue;
        const int now = std::atoi(parameter.value.c_str());
        const int wanted = std::clamp(now + by, static_cast<int>(parameter.least), static_cast<int>(parameter.most));
        if (wanted == now)
            return note(
                ui, parameter.title + " is at its end, " + parameter.value + ": it takes " + parameter.range() + ".");
        return ui.session.parameters().adjust(i, std::to_string(wanted));
    }
    note(ui, "The " + ui.model.info.title + " has nothing for these keys to move; the Predicate microscope does.");
}

/// True: the key is one of those that move what is looked at.
bool steers(Ui& ui, const KeyPress& press) {
    if (!(press.modifiers & GLFW_MOD_ALT)) return false;
    using Steering = LabInfo::Steering;
    const int by = press.modifiers & GLFW_MOD_SHIFT ? 16 : 1;
    switch (press.key) {
        case GLFW_KEY_RIGHT:
            steer(ui, &Steering::right, by);
            return true;
        case GLFW_KEY_LEFT:
            steer(ui, &Steering::right, -by);
            return true;
        case GLFW_KEY_UP:
            steer(ui, &Steering::up, by);
            return true;
        case GLFW_KEY_DOWN:
            steer(ui, &Steering::up, -by);
            return true;
        case GLFW_KEY_EQUAL:
        case GLFW_KEY_KP_ADD:
            steer(ui, &Steering::out, -1);
            return true;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            steer(ui, &Steering::out, 1);
            return true;
        default:
            return false;
    }
}

/// What is wrong comes first; else what the lab has found.
void go_through_list(Ui& ui, int by) {
    const bool failures = ui.model.check && !ui.model.check->failures.empty();
    failures ? go_through_failures(ui, by) : step_through_detections(ui, by);
}

/// What the key writes on the keyboard at hand, where Z may lie where others have Y; 0: no letter.
char letter_of(int key) {
    const char* name = glfwGetKeyName(key, 0);
    return name && name[0] && !name[1] ? static_cast<char>(std::tolower(static_cast<unsigned char>(name[0]))) : '\0';
}

/// What the clipboard holds becomes the input; where that is no points nothing changes.
void paste_points(Ui& ui) {
    const char* const text = ImGui::GetClipboardText();
    if (!text || !*text) return note(ui, "The clipboard has no text.");
    ui.session.columns().paste(text);
}

void handle_control(Ui& ui, char letter, bool shift) {
    switch (letter) {
        case 'z':
        case 'y':
            if (is_locked(ui)) return;
            return shift || letter == 'y' ? ui.session.undo().redo() : ui.session.undo().undo();
        case 'c':
            return ui.session.selection().copy();
        case 'v':
            return paste_points(ui);
        case 'i':
            return ui.session.columns().open();
        case 'o':
            if (shift) {
                ui.state.recent.wanted = true;
                return;
            }
            if (!ui.layout.has_left) toggle_side(ui, true);
            ui.state.wants_file_field = true;
            return;
        case 's':
            return shift ? open_figure(ui) : open_saving(ui);
        case 'b':
            if (shift)
                ui.state.look.layers[kAxesLook] = !ui.state.look.shows(kAxesLook, false);
            else
                ui.state.look.layers[kScaleBarLook] = !ui.state.look.shows(kScaleBarLook, true);
            return;
        case 'l':
            ui.state.locked = !ui.state.locked;
            if (ui.state.locked) ui.state.tool = Tool::kLook;
            note(ui,
                 ui.state.locked ? "Manual edits are locked: Ctrl+L allows them again." : "Manual edits are allowed.");
            return;
        case 'm':
            ui.state.look.layers[kMinimapLook] = !ui.state.look.shows(kMinimapLook, true);
            return;
        case 'f':
            if (is_loaded(ui)) open_finding(ui);
            return;
        default:
            return;
    }
}

/// While a question waits, keys answer it and do nothing else.
void answer_question(Ui& ui, int key) {
    if (key == GLFW_KEY_ESCAPE) ui.session.undo().answer(false);
    if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) ui.session.undo().answer(true);
}

void answer_shrink_question(Ui& ui, int key) {
    UiState& state = ui.state;
    const size_t count = state.shrink_choices.size();
    if (key == GLFW_KEY_ESCAPE) state.asks_to_shrink = false;
    if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) begin_shrinking(ui);
    if (key != GLFW_KEY_DOWN && key != GLFW_KEY_UP) return;
    state.shrink_choice = (state.shrink_choice + (key == GLFW_KEY_DOWN ? 1 : count - 1)) % count;
    state.wants_shrink_choice = true;
}

void choose_recent(Ui& ui, int key) {
    UiState::Recent& recent = ui.state.recent;
    const size_t count = recent.files.size();
    if (!recent.open || count == 0) return;
    if (key == GLFW_KEY_ESCAPE) recent.open = false;
    if (key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER) open_chosen_recent(ui);
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) {
        const auto digit = static_cast<size_t>(key - GLFW_KEY_0);
        const size_t index = digit == 0 ? 9 : digit - 1;
        if (index >= count) return;
        recent.chosen = index;
        open_chosen_recent(ui);
    }
    if (key != GLFW_KEY_DOWN && key != GLFW_KEY_UP) return;
    recent.chosen = (recent.chosen + (key == GLFW_KEY_DOWN ? 1 : count - 1)) % count;
    recent.to_view = true;
}

void handle_key(Ui& ui, const KeyPress& press) {
    Session& session = ui.session;
    UiState& state = ui.state;
    const bool control = press.modifiers & GLFW_MOD_CONTROL, shift = press.modifiers & GLFW_MOD_SHIFT;
    // In a lesson the arrows alone are a clicker's.
    const Level span = control ? Level::kRound : shift && !state.lesson.presenting() ? Level::kIteration : Level::kPass;
    if (moves_lesson(ui, press)) return;
    // Held down, the arrows go on: but never faster than the passes can run.
    if (press.repeated && !session.idle()) return;
    if (steers(ui, press)) return;
    const auto step = [&](Level level) {
        if (can_go(ui, true)) session.playback().step(level);
    };
    const auto back = [&](Level level) {
        if (can_go(ui, false)) session.back(level);
    };
    switch (press.key) {
        case GLFW_KEY_RIGHT:
            return step(span);
        case GLFW_KEY_LEFT:
            return back(span);
        case GLFW_KEY_PAGE_DOWN:
            return step(Level::kRound);
        case GLFW_KEY_PAGE_UP:
            return back(Level::kRound);
        case GLFW_KEY_UP:
            return go_through_list(ui, -1);
        case GLFW_KEY_DOWN:
            return go_through_list(ui, 1);
        default:
            break;
    }
    if (press.repeated) return;
    switch (press.key) {
        case GLFW_KEY_SPACE:
            if (!ui.model.loaded && !session.busy()) return note(ui, kNothingLoaded);
            return session.play(!session.playback().playing() && !session.running_on());
        case GLFW_KEY_HOME:
            if (can_go(ui, false)) session.playback().seek(0);
            return;
        case GLFW_KEY_END:
            if (can_go(ui, true)) session.playback().run_to_end();
            return;
        case GLFW_KEY_TAB:
            return toggle_all(state);
        case GLFW_KEY_DELETE:
        case GLFW_KEY_BACKSPACE:
            return remove_inspected(ui);
        default:
            break;
    }
    if (!control) return;
    switch (press.key) {
        case GLFW_KEY_EQUAL:
        case GLFW_KEY_KP_ADD:
            state.wanted_scale = state.scale * 1.125;
            break;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            state.wanted_scale = state.scale / 1.125;
            break;
        case GLFW_KEY_0:
            state.wanted_scale = -1;
            break;
        default:
            handle_control(ui, letter_of(press.key), shift);
            break;
    }
}

/// Return saves; Alt and a letter reaches what is no field to write in.
void press_in_figure(FigureDialog& dialog, const KeyPress& press) {
    if (press.key == GLFW_KEY_ESCAPE) {
        if (dialog.drawing)
            dialog.wants_cancel = true;
        else
            dialog.open = false;
        return;
    }
    if (dialog.drawing) return;
    if (press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER) dialog.wants_save = true;
    if (!(press.modifiers & GLFW_MOD_ALT)) return;
    using What = FigureDialog::What;
    if (press.key == GLFW_KEY_F) {
        take_ending(dialog,
                    dialog.what == What::kPlotsCsv ? What::kPng : static_cast<What>(static_cast<int>(dialog.what) + 1));
        ImGui::ClearActiveID();  // the field has a copy of the name while it is written in
        dialog.wants_name_field = true;
    }
    for (const auto& [key, on] : {std::pair(GLFW_KEY_L, &dialog.legend),
                                  {GLFW_KEY_C, &dialog.colour_bars},
                                  {GLFW_KEY_B, &dialog.scale_bar},
                                  {GLFW_KEY_T, &dialog.title},
                                  {GLFW_KEY_A, &dialog.axes},
                                  {GLFW_KEY_G, &dialog.transparent},
                                  {GLFW_KEY_W, &dialog.whole},
                                  {GLFW_KEY_K, &dialog.kept}})
        if (press.key == key) *on = !*on;
}

constexpr ImGuiPopupFlags kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;

}  // namespace

void open_chosen_recent(Ui& ui) {
    UiState::Recent& recent = ui.state.recent;
    if (recent.chosen >= recent.files.size()) return;
    UiState::RecentFile& file = recent.files[recent.chosen];
    file.there = is_there(file.path);
    if (!file.there) return ui.session.reply(Message::Kind::kNote, file.path + " is not there any more.");
    recent.open = false;
    ui.state.file = file.path;
    ui.session.opener().load_files(files_named(file.path));
}

/// Keys of the strip that chooses columns; false: this one is none of them.
bool choose_columns(Ui& ui, const KeyPress& press) {
    if (ImGui::GetIO().WantTextInput || press.modifiers & ~GLFW_MOD_SHIFT) return false;
    switch (press.key) {
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER:
            return press_in_import(ui, ImportKey::kKeep);
        case GLFW_KEY_ESCAPE:
            return press_in_import(ui, ImportKey::kBack);
        case GLFW_KEY_TAB:
            return press_in_import(ui, press.modifiers & GLFW_MOD_SHIFT ? ImportKey::kBefore : ImportKey::kNext);
        case GLFW_KEY_RIGHT:
            return press_in_import(ui, ImportKey::kNext);
        case GLFW_KEY_LEFT:
            return press_in_import(ui, ImportKey::kBefore);
        case GLFW_KEY_DOWN:
            return press_in_import(ui, ImportKey::kDown);
        case GLFW_KEY_UP:
            return press_in_import(ui, ImportKey::kUp);
        default:
            return false;
    }
}

void handle_keys(Ui& ui) {
    const std::vector<KeyPress> keys = std::exchange(ui.state.keys, {});
    const ImGuiIO& io = ImGui::GetIO();
    if (!keys.empty()) ui.state.help_waits = true;
    if (ui.session.undo().question()) {
        for (const KeyPress& press : keys) answer_question(ui, press.key);
        return;
    }
    if (ui.state.saving) {
        for (const KeyPress& press : keys)
            if (press.key == GLFW_KEY_ESCAPE) ui.state.saving = false;
        return;
    }
    if (ui.state.figure.open) {
        for (const KeyPress& press : keys) press_in_figure(ui.state.figure, press);
        return;
    }
    if (ui.state.recent.open) {
        for (const KeyPress& press : keys) choose_recent(ui, press.key);
        return;
    }
    if (ui.state.asks_to_shrink) {
        for (const KeyPress& press : keys) answer_shrink_question(ui, press.key);
        return;
    }
    const bool chooses = ui.state.chooses;  // in an open list, which takes all keys
    for (const KeyPress& press : keys) {
        if (press.repeated && io.WantTextInput) continue;
        if (chooses) {
            if (press.key == GLFW_KEY_ESCAPE && ImGui::IsPopupOpen("", kAnyPopup)) ImGui::ClosePopupToLevel(0, true);
            continue;
        }
        if (press.key == GLFW_KEY_ESCAPE && ui.state.finding) {
            ui.state.finding = false;
            ui.state.find_answer.clear();
            continue;
        }
        if (ui.session.columns().table() && choose_columns(ui, press)) continue;
        if (press.key == GLFW_KEY_ESCAPE && !io.WantTextInput && !ui.state.leftover.empty())
            ui.state.leftover_answer = UiState::Leftover::kLater;
        else if (press.key == GLFW_KEY_ESCAPE && !io.WantTextInput)
            close_something(ui);
        if (press.key == GLFW_KEY_ENTER && !io.WantTextInput && !ui.state.leftover.empty())
            ui.state.leftover_answer = UiState::Leftover::kRestore;
        if (press.key == GLFW_KEY_F1) ui.state.show_help = !ui.state.show_help;
        if (!io.WantTextInput) handle_key(ui, press);  // else text is being written
    }
    if (io.WantTextInput || io.KeyCtrl || io.KeyAlt || chooses) return;
    for (const ImWchar character : io.InputQueueCharacters) handle_character(ui, character);
}

}  // namespace flipscope::app
