#include "app/window/actions.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/figures/plane_axes.h"
#include "app/run/detections.h"
#include "app/run/lesson.h"
#include "app/view/display.h"
#include "app/window/canvas.h"
#include "app/window/minimap.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/ui.h"
#include "geometry/generators.h"
#include "instruments/area_source.h"
#include "instruments/structures.h"
#include "lab/registry.h"

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

void close_drawn_ring(Ui& ui) {
    std::vector<Point> ring = *std::exchange(ui.state.drawn_ring, std::nullopt);
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    if (ring.size() < 3) return ui.session.reply(Message::Kind::kNote, "A study area needs three corners.");
    const ExplorationChoice& choice = ui.session.selection().exploration();
    StudyArea drawn;
    if (choice.area && choice.area_name.starts_with("POLYGON")) drawn.rings = choice.area->rings;
    drawn.rings.push_back(std::move(ring));
    ui.session.selection().study(area_text(drawn));
}

void colour_by(Ui& ui, ExplorationChoice choice) {
    if (choice.colour && choice.colour != ui.session.selection().exploration().colour) ui.state.display.angles = false;
    ui.session.selection().explore(std::move(choice));
}

std::vector<Explored> offered_quantities(const Ui& ui) {
    std::vector<Explored> all;
    if (!ui.model.explorable) return all;
    for (uint32_t k = 0; k < kElementQuantityCount; ++k) all.emplace_back(ElementQuantity(k));
    for (const std::string& id : attribute_ids(ui.session.input().get())) all.emplace_back(id);
    std::erase_if(all, [&](const Explored& one) { return !offers(ui.model.scene, one); });
    return all;
}

bool can_use(const Ui& ui, Tool tool) {
    const LabModel& model = ui.model;
    if (tool != Tool::kLook && ui.state.locked) return false;
    constexpr Edit::Kind kEdits[] = {Edit::Kind::kMoveVertex, Edit::Kind::kAddVertex, Edit::Kind::kRemoveVertex,
                                     Edit::Kind::kFreeze,     Edit::Kind::kPaint,     Edit::Kind::kWipe};
    return tool == Tool::kLook || model.supports(kEdits[static_cast<int>(tool) - 1]);
}

void resize_brush(UiState& state, double factor) {
    state.brush = static_cast<float>(std::clamp(state.brush * factor, 2.0, 200.0));
}

void next_view(Ui& ui) {
    const auto& views = standard_views();
    ViewAxes& view = ui.model.scene.in_space ? ui.state.camera.view : ui.state.camera.apart;
    const auto now = std::ranges::find(views, view);
    view = now == views.end() || now + 1 == views.end() ? views.front() : *(now + 1);
    if (ui.model.scene.in_space) ui.state.fit_requested = true;
}

namespace {

using Steering = LabInfo::Steering;
using Request = UiState::Request;

std::function<void(Ui&)> request(Request what) {
    return [what](Ui& ui) { ui.state.requests.push_back(what); };
}

/// Posts a note unless it is already shown.
void note(Ui& ui, const std::string& text) {
    const Message* const said = ui.session.message();
    if (!said || said->text != text) ui.session.reply(Message::Kind::kNote, text);
}

std::string the_lab(const Ui& ui) { return "The " + ui.model.info.title; }

// ---- reasons for refusal

constexpr const char* kNothingLoaded = "Nothing is loaded. Choose points on the left, or drop a file here.";

std::string not_loaded(const Ui& ui) {
    if (ui.model.loaded) return "";
    return ui.session.busy() ? ui.session.progress().title + ": there is nothing to show yet." : kNothingLoaded;
}

/// A reason that comes first, or else this one unless it is possible.
std::string unless(const std::string& first, bool possible, const std::string& otherwise) {
    return !first.empty() || possible ? first : otherwise;
}

std::string cannot_start(const Ui& ui) {
    return ui.model.refused() ? ui.model.refusal : ui.model.loaded || ui.session.busy() ? "" : kNothingLoaded;
}

std::string cannot_go_on(const Ui& ui) {
    return unless(cannot_start(ui), ui.session.busy() || !ui.model.done,
                  "The run has ended: \u2190 goes back, Space plays it again, R starts over.");
}

std::string cannot_go_back(const Ui& ui) {
    return unless(cannot_start(ui), ui.session.busy() || ui.model.position > 0,
                  "The run begins here: there is no pass to go back.");
}

std::string edits_locked(const Ui& ui) {
    return ui.state.locked ? "Manual edits are locked: Ctrl+L allows them again." : "";
}

std::string not_presenting(const Ui& ui) {
    return ui.state.lesson.presenting() ? "" : "No lesson is played: F5 plays the one at hand.";
}

std::string no_lesson_step(const Ui& ui) { return ui.state.lesson.presents() ? "" : "No lesson is open."; }

std::string no_brush(const Ui& ui) {
    return is_brush(ui.state.tool) ? "" : "The brush is for obstacles: B paints them, U wipes them off.";
}

std::string cannot_use(const Ui& ui, const ToolHelp& tool) {
    if (const std::string why = edits_locked(ui); !why.empty() && tool.tool != Tool::kLook) return why;
    return can_use(ui, tool.tool) ? "" : the_lab(ui) + " has no use for this tool: " + tool.name + ".";
}

bool inspects(const Ui& ui, ElementKind kind) {
    return ui.model.inspection.any() && ui.model.inspection.element.kind == kind;
}

std::string cannot_flip(const Ui& ui) {
    const bool can = ui.model.supports(Edit::Kind::kFlipEdge);
    return unless(edits_locked(ui), can && inspects(ui, ElementKind::kEdge),
                  can ? "Click on an edge first: X flips the inspected edge."
                      : the_lab(ui) + " flips no edges manually; the Flip lab does.");
}

std::string cannot_remove(const Ui& ui) {
    const bool can = ui.model.supports(Edit::Kind::kRemoveVertex);
    return unless(edits_locked(ui), can && inspects(ui, ElementKind::kVertex),
                  can ? "Click on a point first: Delete removes the inspected point."
                      : "In the " + ui.model.info.title + " no points can be removed manually.");
}

std::string cannot_colour_by_angles(const Ui& ui) {
    return unless(not_loaded(ui), has_triangles(ui.model.scene) || ui.model.info.makes_triangles,
                  the_lab(ui) + " makes no triangles to colour.");
}

std::string cannot_show_ids(const Ui& ui) {
    return unless(not_loaded(ui), ui.model.scene.mesh && !ui.model.scene.in_space,
                  the_lab(ui) + " has no triangulation of the plane whose ids could be shown here.");
}

std::string cannot_lift(const Ui& ui) {
    return unless(not_loaded(ui),
                  (!ui.model.scene.in_space && (ui.model.scene.mesh || ui.model.info.makes_triangles)) ||
                      paraboloid_choice(ui.state.display).shown,
                  the_lab(ui) + " has no triangulation of the plane that could be lifted to the paraboloid.");
}

std::vector<const Layer*> layers_of_key(const Scene& scene, const std::string& key) {
    std::vector<const Layer*> layers = scene.toggles();
    std::erase_if(layers, [&](const Layer* layer) { return layer_key(layer->id) != key; });
    return layers;
}

std::string cannot_show_field(const Ui& ui) {
    return unless(not_loaded(ui), !layers_of_key(ui.model.scene, "I").empty(), the_lab(ui) + " has no field to show.");
}

std::string cannot_toggle_layers(const Ui& ui, const std::string& key, const std::string& what) {
    // A lab may have no layers before its first pass; those of triangulations are known in advance.
    const bool of_meshes = key == "S" || key == "W" || key == "D";
    const bool to_come = ui.model.scene.layers.empty() && (!ui.model.info.makes_triangles || of_meshes);
    return unless(not_loaded(ui), to_come || !layers_of_key(ui.model.scene, key).empty(),
                  the_lab(ui) + " has no " + what + " in this picture to show or hide.");
}

std::string cannot_shrink(const Ui& ui) {
    const Shrinking::Progress now = ui.session.shrinker().search().progress();
    return now.state == Shrinking::State::kRuns || now.any() ? "" : ui.session.shrinker().refusal();
}

// ---- the actions' functions

void change_speed(Ui& ui, double factor) {
    Session& session = ui.session;
    constexpr double kLeast = 0.5, kMost = 1000;  // passes a second
    if (session.unlimited && factor < 1) {
        session.unlimited = false;
        session.speed = 500;
        return;
    }
    session.speed = std::clamp(session.speed * factor, kLeast, kMost);
    if (session.speed >= kMost) session.unlimited = true;
}

void change_brush(Ui& ui, double factor) {
    const float before = ui.state.brush;
    resize_brush(ui.state, factor);
    if (ui.state.brush == before)
        note(ui, factor > 1 ? "The brush is as large as it can be." : "The brush is as small as it can be.");
}

void zoom(Ui& ui, double factor) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    ui.state.camera.zoom(factor, ui.layout.canvas.holds(mouse) ? from_middle(ui, mouse) : Point{0, 0});
    ui.state.fitted = false;
}

void toggle_all(Ui& ui) {
    UiState& state = ui.state;
    const bool any = state.show_left || state.show_right || state.show_bottom;
    state.show_left = state.show_right = state.show_bottom = !any;
    state.opened_left = state.opened_right = false;
}

// If both panels do not fit, opening one closes the other.
void toggle_side(Ui& ui, bool left) {
    UiState& state = ui.state;
    const bool opens = !(left ? ui.layout.has_left : ui.layout.has_right);
    (left ? state.show_left : state.show_right) = opens;
    (left ? state.opened_left : state.opened_right) = opens;
    if (has_room_for_all(state, ImGui::GetIO().DisplaySize.x)) return;
    (left ? state.opened_right : state.opened_left) = false;
    if (!state.presents()) (left ? state.show_right : state.show_left) = false;
}

void open_side(Ui& ui, bool left) {
    if (!(left ? ui.layout.has_left : ui.layout.has_right)) toggle_side(ui, left);
}

std::function<void(Ui&)> toggle_display(const char* id, bool usual) {
    return [=](Ui& ui) { ui.state.display.layers[id] = !ui.state.display.shows(id, usual); };
}

void choose_tool(Ui& ui, const ToolHelp& tool) {
    if (ui.state.tool == tool.tool) note(ui, std::string("This tool is in use: ") + tool.name + ". " + tool.sentence);
    ui.state.tool = tool.tool;
}

/// Selects the inspecting tool, or if that is active the moving one.
void inspect_or_move(Ui& ui) {
    const bool moves = ui.state.tool == Tool::kLook && can_use(ui, Tool::kMove);
    const ToolHelp& tool = tool_help()[moves ? 1 : 0];
    if (ui.state.tool != tool.tool) note(ui, std::string(tool.name) + ". " + tool.sentence);
    choose_tool(ui, tool);
}

void lock_or_unlock(Ui& ui) {
    ui.state.locked = !ui.state.locked;
    ui.state.tool = Tool::kLook;
    note(ui, ui.state.locked ? edits_locked(ui) : "Manual edits are allowed.");
}

bool has_any_triangle(const Scene& scene) {
    const std::vector<const Layer*> layers = scene.toggles();
    return std::ranges::any_of(layers, [](const Layer* layer) {
        return std::holds_alternative<TrianglesLayer>(layer->shape) && !layer->empty();
    });
}

void colour_by_angles(Ui& ui) {
    const Scene& scene = ui.model.scene;
    DisplayOptions& display = ui.state.display;
    const bool on = has_any_triangle(scene) ? !shows_angles(display, scene) : !display.angles;
    show_angles(display, scene, on);
    if (has_any_triangle(scene)) return;
    note(ui, std::string("There are no triangles yet; those to come are ") + (on ? "" : "not ") +
                 "coloured by their minimum angle.");
}

void show_ids(Ui& ui) {
    const bool on = !ui.state.display.shows(kIdsDisplay, false);
    ui.state.display.show(kIdsDisplay, on);
    if (on)
        note(ui, "Ids and names are shown where fewer than " + std::to_string(kMostLabels) +
                     " points are in view, those of edges and triangles closer still.");
}

void show_paraboloid(Ui& ui) {
    const bool on = !paraboloid_choice(ui.state.display).shown;
    ui.state.display.show(Paraboloid::kName, on);
    if (on) note(ui, "The points are lifted to z = x² + y²; drag turns them. Where an edge is reflex, a flip is due.");
}

void show_field(Ui& ui) {
    const bool on = !shows_layer(ui.state.display, ui.model.scene, "field");
    ui.state.display.show("field", on);
    if (ui.model.scene.lattice().field) return;
    note(ui, on ? "There is no field under this picture; where there is one, it is shown now instead of cells."
                : "There is no field under this picture; where there is one, cells are shown now instead of it.");
}

/// Toggles all layers of this key, starting from the state of the lab's first one. `what`: their name in messages.
void toggle_layers(Ui& ui, const std::string& key, const std::string& what) {
    DisplayOptions& display = ui.state.display;
    const std::vector<const Layer*> layers = layers_of_key(ui.model.scene, key);
    std::vector<const char*> ids;
    for (const auto& [id, its_key] : kLayerKeys)
        if (its_key == key) ids.push_back(id);
    const bool on = !shows_layer(display, ui.model.scene, layers.empty() ? ids.front() : layers.front()->id);
    for (const char* id : ids) display.show(id, on);
    const bool any = std::ranges::any_of(layers, [](const Layer* layer) { return !layer->empty(); });
    if (any) return;
    note(ui, capitalised(what) + ": none in this picture yet; what comes is " + (on ? "shown." : "hidden."));
}

void compare(Ui& ui) {
    ui.session.comparison().toggle();
    ui.state.beside = true;
}

void colour_by_quantity(Ui& ui, const std::optional<Explored>& colour) {
    ExplorationChoice choice = ui.session.selection().exploration();
    choice.colour = colour;
    note(ui, colour ? "Coloured by " + colour->name() + "." : "Coloured by what the lab shows.");
    colour_by(ui, std::move(choice));
}

/// The last quantity is followed by the lab's own colours.
void colour_by_next(Ui& ui) {
    const std::vector<Explored> all = offered_quantities(ui);
    const std::optional<Explored>& now = ui.session.selection().exploration().colour;
    const size_t next = now ? size_t(std::ranges::find(all, *now) - all.begin()) + 1 : 0;
    colour_by_quantity(ui, next < all.size() ? std::optional(all[next]) : std::nullopt);
}

/// Esc: closes the topmost thing first.
void close_something(Ui& ui) {
    LessonPresenter& lesson = ui.state.lesson;
    if (ui.state.show_help)
        ui.state.show_help = false;
    else if (lesson.blank)
        lesson.blank = false;
    else if (lesson.presenting() && !ui.model.inspection.any())
        lesson.leave(ui);
    else if (ui.state.drawn_ring)
        ui.state.drawn_ring.reset();
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
    else if (ui.session.shrinker().search().runs())
        ui.session.shrinker().search().cancel();
    else if (ExplorationChoice choice = ui.session.selection().exploration(); choice.selects()) {
        choice.clear_selection();
        ui.session.selection().explore(std::move(choice));
    } else
        note(ui, "There is nothing to cancel or to close.");
}

void play_lesson(Ui& ui) {
    LessonPresenter& lesson = ui.state.lesson;
    lesson.presenting() ? lesson.go_to(lesson.player().index()) : lesson.present(ui);
}

void move_lesson(Ui& ui, bool forward) {
    LessonPresenter& lesson = ui.state.lesson;
    forward ? lesson.forward() : lesson.back();
    lesson.blank = false;
}

void write_lesson(Ui& ui) {
    LessonPresenter& lesson = ui.state.lesson;
    if (lesson.presenting()) lesson.leave(ui);
    lesson.writing = !lesson.writing;
    if (lesson.writing) open_side(ui, false);
}

/// From push to push, or from flip to flip.
void go_to_same_pass(Ui& ui) {
    if (const StepResult* last = ui.model.last())
        ui.session.playback().step_to(last->pass);
    else
        note(ui, "No pass has run yet: go to one with \u2192, and on to the next of its kind with this key.");
}

/// Reports a running search for fewer points, opens the result of a finished one, or starts a search if the current
/// input has another failure to shrink.
void go_on_shrinking(Ui& ui) {
    const Shrinking& shrinking = ui.session.shrinker().search();
    const Shrinking::Progress now = shrinking.progress();
    if (now.state == Shrinking::State::kRuns)
        ui.session.reply(Message::Kind::kNote, shrinking_text(now) + "; Esc ends it.");
    else if (const std::string& source = ui.session.loader().present().source;
             now.any() && source != shrinking.title(now.points) &&
             (source == shrinking.task().title || !ui.session.shrinker().refusal().empty()))
        ui.session.shrinker().open_best();
    else
        open_shrinking(ui);
}

const ParameterDescription* steered(const Ui& ui, const std::string Steering::*which) {
    const std::string& name = ui.model.info.steering.*which;
    for (const ParameterDescription& parameter : ui.model.parameters)
        if (!name.empty() && parameter.name == name) return &parameter;
    return nullptr;
}

std::string cannot_steer(const Ui& ui, const std::string Steering::*which) {
    return unless(not_loaded(ui), steered(ui, which),
                  the_lab(ui) + " has nothing for these keys to move; the Predicate microscope does.");
}

/// Changes one of the lab's steering parameters.
void steer(Ui& ui, const std::string Steering::*which, int by) {
    const ParameterDescription* const parameter = steered(ui, which);
    if (!parameter || !ui.session.idle()) return;
    const int now = std::atoi(parameter->value.c_str());
    const int wanted = std::clamp(now + by, static_cast<int>(parameter->least), static_cast<int>(parameter->most));
    if (wanted == now)
        return note(
            ui, parameter->title + " is at its end, " + parameter->value + ": it takes " + parameter->range() + ".");
    ui.session.parameters().adjust(static_cast<size_t>(parameter - ui.model.parameters.data()), std::to_string(wanted));
}

/// Failures of the check take precedence over the lab's detections.
void go_through_list(Ui& ui, int by) {
    const bool failures = ui.model.check && !ui.model.check->failures.empty();
    failures ? go_through_failures(ui, by) : step_through_detections(ui, by);
}

/// Makes the clipboard the input; a text without points is an error and changes nothing.
void paste_points(Ui& ui) {
    const char* const text = ImGui::GetClipboardText();
    if (!text || !*text) return note(ui, "The clipboard has no text.");
    ui.session.columns().paste(text);
}

// ---- the table

class ActionTable {
  public:
    void group(const char* name) { group_ = name; }
    Action& add(std::string id, std::vector<std::string> keys, std::string help, std::function<void(Ui&)> run,
                std::function<std::string(const Ui&)> refusal = {}, Action::Held held = Action::Held::kOnce) {
        rows.push_back(
            {std::move(id), std::move(keys), group_, std::move(help), std::move(run), std::move(refusal), held});
        return rows.back();
    }
    /// Of the mouse, or of keys with another meaning in some mode.
    void gesture(std::vector<std::string> keys, const char* help) { add("", std::move(keys), help, {}); }
    /// Puts the last `count` actions into one row of the key list.
    void in_one_row(size_t count, const char* text) {
        for (auto action = rows.end() - static_cast<std::ptrdiff_t>(count); action != rows.end(); ++action)
            action->row = text;
    }
    std::vector<Action> rows;

  private:
    const char* group_ = "";
};

void add_time(ActionTable& table) {
    using Held = Action::Held;
    table.group("Time");
    const auto forward = [&](const char* id, std::vector<std::string> keys, const char* help, Level level) {
        table.add(
            id, std::move(keys), help, [=](Ui& ui) { ui.session.playback().step(level); }, cannot_go_on,
            Held::kRepeatsAtRest);
    };
    const auto back = [&](const char* id, std::vector<std::string> keys, const char* help, Level level) {
        table.add(
            id, std::move(keys), help, [=](Ui& ui) { ui.session.back(level); }, cannot_go_back, Held::kRepeatsAtRest);
    };
    table.add(
        "play", {"Space"}, "play or pause",
        [](Ui& ui) { ui.session.play(!ui.session.playback().playing() && !ui.session.running_on()); }, cannot_start);
    forward("pass-forward", {"→"}, "a pass forward", Level::kPass);
    back("pass-back", {"←"}, "a pass back", Level::kPass);
    table.in_one_row(2, "a pass forward, a pass back");
    forward("iteration-forward", {"Shift+→"}, "an iteration forward", Level::kIteration);
    back("iteration-back", {"Shift+←"}, "an iteration back", Level::kIteration);
    table.in_one_row(2, "an iteration forward, back");
    table.add("same-pass", {"."}, "the next pass of the kind that ran last", go_to_same_pass, cannot_go_on);
    // In a lesson the Page keys, as on a clicker, move between steps, and with Ctrl they move by rounds.
    forward("round-forward", {"Page ↓", "Ctrl+→"}, "a round forward", Level::kRound);
    back("round-back", {"Page ↑", "Ctrl+←"}, "a round back", Level::kRound);
    table.in_one_row(2, "a round forward, back");
    table.add(
        "start", {"Home"}, "back to the start", [](Ui& ui) { ui.session.playback().seek(0); }, cannot_go_back);
    table.add(
        "end", {"End"}, "run to the end", [](Ui& ui) { ui.session.playback().run_to_end(); }, cannot_go_on);
    table.add(
        "slower", {"["}, "play slower", [](Ui& ui) { change_speed(ui, 1 / 1.5); },
        [](const Ui& ui) {
            return ui.session.unlimited || ui.session.speed > 0.5 ? "" : "It plays as slowly as it can already.";
        },
        Held::kRepeats);
    table.add(
        "faster", {"]"}, "play faster", [](Ui& ui) { change_speed(ui, 1.5); },
        [](const Ui& ui) { return ui.session.unlimited ? "It plays as fast as it can already." : ""; }, Held::kRepeats);
    table.in_one_row(2, "play slower, faster");
    table.add("restart", {"R"}, "start over, with changed parameters", [](Ui& ui) { ui.session.opener().restart(); });
    table.add(
        "verify", {"V"}, "verify what was made, exactly", [](Ui& ui) { ui.session.checks().verify(); },
        [](const Ui& ui) { return unless(not_loaded(ui), ui.model.checkable, "This lab has no check."); });
    table.add(
        "before", {"↑"}, "the failure or detection before this one", [](Ui& ui) { go_through_list(ui, -1); }, {},
        Held::kRepeatsAtRest);
    table.add(
        "after", {"↓"}, "the failure or detection after this one", [](Ui& ui) { go_through_list(ui, 1); }, {},
        Held::kRepeatsAtRest);
    table.in_one_row(2, "the failure or detection before, after this one");
    table.add("shrink", {"Z"}, "shrink what failed; then open what is left", go_on_shrinking, cannot_shrink);
    table.add(
        "pause-at-detections", {"E"}, "pause when something is detected: on, off",
        [](Ui& ui) { ui.session.pause_at_breakpoint = !ui.session.pause_at_breakpoint; },
        [](const Ui& ui) {
            return ui.model.info.breakpoint.empty() ? the_lab(ui) + " looks for nothing to pause at." : "";
        });
    table.add("close", {"Esc"}, "cancel, close", close_something);
}

void add_view(ActionTable& table) {
    using Held = Action::Held;
    table.group("View");
    table.gesture({"drag"}, "move the picture; turn a surface");
    table.gesture({"Shift, right drag"}, "move the picture, of a surface too");
    table.gesture({"wheel"}, "");
    table.add(
        "zoom-in", {"+"}, "zoom in", [](Ui& ui) { zoom(ui, 1.25); }, {}, Held::kRepeats);
    table.add(
        "zoom-out", {"−"}, "zoom out", [](Ui& ui) { zoom(ui, 1 / 1.25); }, {}, Held::kRepeats);
    table.in_one_row(3, "zoom, about the cursor");
    const auto steering = [&](const char* id, const char* key, const char* help, const std::string Steering::*which,
                              int by) {
        table.add(
            id, {key}, std::string("the microscope: ") + help, [=](Ui& ui) { steer(ui, which, by); },
            [=](const Ui& ui) { return cannot_steer(ui, which); }, Held::kRepeatsAtRest);
    };
    steering("steer-right", "Alt+→", "a pixel to the right", &Steering::right, 1);
    steering("steer-left", "Alt+←", "a pixel to the left", &Steering::right, -1);
    steering("steer-up", "Alt+↑", "a pixel up", &Steering::up, 1);
    steering("steer-down", "Alt+↓", "a pixel down", &Steering::up, -1);
    table.in_one_row(4, "the microscope: by a pixel");
    steering("steer-far-right", "Alt+Shift+→", "16 pixels to the right", &Steering::right, 16);
    steering("steer-far-left", "Alt+Shift+←", "16 pixels to the left", &Steering::right, -16);
    steering("steer-far-up", "Alt+Shift+↑", "16 pixels up", &Steering::up, 16);
    steering("steer-far-down", "Alt+Shift+↓", "16 pixels down", &Steering::up, -16);
    table.in_one_row(4, "the microscope: by 16 pixels");
    steering("steer-in", "Alt++", "fewer ulps a pixel", &Steering::out, -1);
    steering("steer-out", "Alt+−", "more ulps a pixel", &Steering::out, 1);
    table.in_one_row(2, "the microscope: fewer, more ulps a pixel");
    table.gesture({"Alt wheel"}, "stretch a thin failure more, less");
    table.add("fit", {"F"}, "fit the picture", [](Ui& ui) { ui.state.fit_requested = true; });
    table.add("turn-surface", {"T"}, "a surface from a corner, front, side, top", next_view, [](const Ui& ui) {
        return ui.model.scene.in_space || paraboloid_choice(ui.state.display).shown
                   ? ""
                   : "T turns a surface in space; this is a plane.";
    });
    table.gesture({"Ctrl drag"}, "select a box; with Shift: a lasso");
    const auto study = [](const char* text) { return [=](Ui& ui) { ui.session.selection().study(text); }; };
    table.add("area-none", {}, "study area: the whole input", study(""));
    table.add("area-hull", {}, "study area: the hull of the points", study("hull"));
    table.add("area-polygons", {}, "study area: the input's polygons", study("areas"), [](const Ui& ui) {
        return ui.session.input() && ui.session.input()->areas ? "" : "The input has no polygons.";
    });
    table.add(
        "area-selection", {}, "study area: the outline of the selection",
        [](Ui& ui) {
            const StudyArea outline{{}, {}, false, false, {ui.session.selection().exploration().region}};
            ui.session.selection().study(area_text(outline));
        },
        [](const Ui& ui) {
            return ui.session.selection().exploration().region.size() > 2
                       ? ""
                       : "No region is selected; drag with Ctrl, or with Ctrl and Shift, over the picture.";
        });
    table.add(
        "area-draw", {}, "study area: draw a ring", [](Ui& ui) { ui.state.drawn_ring.emplace(); },
        [](const Ui& ui) { return ui.model.scene.in_space ? "A study area lies in the plane." : ""; });
    table.add(
        "copy-selection", {"Ctrl+C"}, "copy the selected coordinates", [](Ui& ui) { ui.session.selection().copy(); },
        [](const Ui& ui) {
            return ui.model.explorable && ui.session.selection().exploration().selects()
                       ? ""
                       : "Nothing is selected; drag over a distribution, or with Ctrl over the picture.";
        });
    table.add("copy-python", {"Ctrl+Shift+C"}, "copy the picture as a Python script", request(Request::kCopyPython),
              not_loaded);
    table.add(
        "save-scenario", {}, "save what is explored as a scenario",
        [](Ui& ui) { open_saving_as(ui, suggested_name("explored", ".json")); }, not_loaded);
    table.add("data-points", {}, "show or hide discs at the points", toggle_display(Exploration::kDataLayer, false));
    table.add("paste", {"Ctrl+V"}, "paste a table, or coordinates", paste_points);
    table.add("colour-by-angles", {"A"}, "colour triangles by their minimum angle", colour_by_angles,
              cannot_colour_by_angles);
    const auto layers = [&](const char* key, const std::string& what, std::string help) {
        table.add(
            std::string("layers-") + key, {key}, std::move(help), [=](Ui& ui) { toggle_layers(ui, key, what); },
            [=](const Ui& ui) { return cannot_toggle_layers(ui, key, what); });
    };
    layers("S", "fills or cells", "show or hide fills or cells");
    layers("W", "edges", "show or hide edges");
    layers("D", "points", "show or hide points");
    table.in_one_row(3, "fills or cells, edges, points on or off");
    table.add("field", {"I"}, "show or hide a lattice's field", show_field, cannot_show_field);
    layers("M", "marked pixels", "show or hide a lattice's marks");
    layers("O", "overlay", "show or hide the overlay");
    table.in_one_row(3, "a lattice's field, its marks, the overlay");
    table.add("ids", {"Y"}, "show or hide ids and names in view", show_ids, cannot_show_ids);
    table.add("paraboloid", {"H"}, "lift the points to the paraboloid", show_paraboloid, cannot_lift);
    table.add("upper-hull", {"Ctrl+H"}, "the paraboloid's upper hull, the furthest-point diagram",
              toggle_display(Paraboloid::kUpperHull, false), cannot_lift);
    table.add("find", {"Ctrl+F"}, "find an element by id, name or place", open_find_field, not_loaded);
    table.add("picture", {"P"}, "save the picture as PNG", request(Request::kPicture));
    table.add("scale-bar", {"Ctrl+B"}, "show or hide the scale bar", toggle_display(kScaleBarDisplay, true));
    table.add("axes", {"Ctrl+Shift+B"}, "show or hide axes of coordinates", toggle_display(kAxesDisplay, false));
    table.add("minimap", {"Ctrl+M"}, "show or hide the map when zoomed in", toggle_display(kMinimapDisplay, true));
    table.add("save", {"Ctrl+S"}, "save a picture, a mesh, a table", open_saving);
    table.add("figure", {"Ctrl+Shift+S"}, "save a figure: PNG, SVG, PDF, plots", open_figure);
    table.add("theme", {"L"}, "light or dark", request(Request::kTheme));
    table.add("motion", {}, "motion of steps on or off", [](Ui& ui) { ui.state.motion = !ui.state.motion; });
}

void add_panels(ActionTable& table) {
    table.group("Panels");
    table.add("palette", {"Ctrl+P", ":"}, "search all actions by name", [](Ui& ui) { open_palette(ui); });
    table.add("help", {"F1", "?"}, "this list of keys", [](Ui& ui) { ui.state.show_help = !ui.state.show_help; });
    table.add("left-panel", {"1"}, "show or hide input and parameters", [](Ui& ui) { toggle_side(ui, true); });
    table.add("right-panel", {"2"}, "show or hide counters, plots, timings", [](Ui& ui) { toggle_side(ui, false); });
    table.add("transport", {"3"}, "show or hide transport and timeline",
              [](Ui& ui) { ui.state.show_bottom = !ui.state.show_bottom; });
    table.add("legend", {"4"}, "show or hide the legend", [](Ui& ui) { ui.state.show_legend = !ui.state.show_legend; });
    table.add("statistics", {"7"}, "statistics of the picture", [](Ui& ui) { open_numbers(ui, "Statistics"); });
    table.add("colour-by-next", {"8"}, "colour by the next quantity", colour_by_next, [](const Ui& ui) {
        return ui.model.explorable ? "" : "There are no elements of a mesh and no cells to colour.";
    });
    table.in_one_row(2, "statistics; colour by the next quantity");
    table.add("compare", {"9"}, "start or stop comparing with this state", compare,
              [](const Ui& ui) { return ui.session.comparison().active() ? "" : not_loaded(ui); });
    table.add("all-panels", {"Tab"}, "all panels away, or back", toggle_all);
    table.add("larger", {"Ctrl++"}, "larger text", [](Ui& ui) { ui.state.wanted_scale = ui.state.scale * 1.125; });
    table.add("smaller", {"Ctrl+−"}, "smaller text", [](Ui& ui) { ui.state.wanted_scale = ui.state.scale / 1.125; });
    table.add("usual-size", {"Ctrl+0"}, "text as large as the monitor says",
              [](Ui& ui) { ui.state.wanted_scale = -1; });
    table.in_one_row(3, "larger, smaller, as the monitor says");
    table.add("copy-timings", {"C"}, "copy the timings as CSV", request(Request::kCopyTimings));
    table.add("open", {"Ctrl+O"}, "open a file: its name", [](Ui& ui) {
        open_side(ui, true);
        ui.state.focus = UiState::Field::kFile;
    });
    table.add("open-recent", {"Ctrl+Shift+O"}, "open a recent file", [](Ui& ui) { open_palette(ui, "recent: "); });
    table.add(
        "columns", {"Ctrl+I"}, "choose the columns of a table", [](Ui& ui) { ui.session.columns().open(); },
        [](const Ui& ui) {
            return ui.session.loader().present().layout ? ""
                                                        : "The input is no table, so there are no columns to choose.";
        });
    table.add("keep-curves", {"G"}, "keep the present curves, to compare", keep_curves);
}

void add_lessons(ActionTable& table) {
    table.group("Lessons");
    table.add("lesson-play", {"F5"}, "play the lesson at hand", play_lesson, [](const Ui& ui) {
        return ui.state.lesson.any()
                   ? ""
                   : "No lesson is open: drop one here, or choose or write one in the panel that 5 opens.";
    });
    table.add(
        "lesson-next", {"Page ↓"}, "the next step of the lesson, or its answer", [](Ui& ui) { move_lesson(ui, true); },
        no_lesson_step);
    table.add(
        "lesson-before", {"Page ↑"}, "the step of the lesson before", [](Ui& ui) { move_lesson(ui, false); },
        no_lesson_step);
    table.in_one_row(2, "its next step or answer, the step before");
    table.gesture({"→", "←"}, "the same, while it plays; with Shift: a pass");
    table.add(
        "lesson-blank", {"."}, "a blank picture, and back",
        [](Ui& ui) { ui.state.lesson.blank = !ui.state.lesson.blank; }, not_presenting);
    table.add(
        "presenter", {"Shift+F5"}, "the presenter's window: notes, next step, time",
        [](Ui& ui) { ui.state.presenter = !ui.state.presenter; }, no_lesson_step);
    table.gesture({"Esc"}, "leave the lesson");
    table.add("full-screen", {"F11"}, "full screen, or a window again", request(Request::kFullScreen));
    table.add("lesson-write", {"5"}, "write a lesson: the panel of its steps", write_lesson);
    table.add("laser", {"6"}, "a laser pointer", [](Ui& ui) { ui.state.lesson.laser = !ui.state.lesson.laser; });
}

void add_edits(ActionTable& table) {
    using Held = Action::Held;
    table.group("Manual edits");
    const auto tool = [&](size_t index, const char* id, const char* help) {
        const ToolHelp& what = tool_help()[index];
        std::vector<std::string> keys;
        if (what.tool != Tool::kMove) keys.emplace_back(1, what.key);
        table.add(
            id, std::move(keys), help,
            [=](Ui& ui) { what.tool == Tool::kLook ? inspect_or_move(ui) : choose_tool(ui, what); },
            [=](const Ui& ui) { return cannot_use(ui, what); });
    };
    table.gesture({"click"}, "inspect an element");
    tool(0, "tool-look", "look; once more: move points by dragging");
    tool(1, "tool-move", "move points by dragging");
    table.add(
        "flip-edge", {"X"}, "flip the inspected edge",
        [](Ui& ui) { ui.session.edits().flip_edge(ui.model.inspection.element); }, cannot_flip);
    tool(2, "tool-add", "add points");
    tool(3, "tool-remove", "remove points");
    table.add(
        "remove-point", {"Delete"}, "remove the inspected point",
        [](Ui& ui) {
            ui.session.edits().remove_vertex(ui.model.inspection.element);
            ui.session.inspector().close();  // the number of its vertex may go to another point
        },
        cannot_remove);
    table.in_one_row(2, "remove points, the inspected one");
    tool(4, "tool-freeze", "freeze points, release them");
    tool(5, "tool-paint", "paint obstacles");
    tool(6, "tool-wipe", "wipe obstacles off");
    table.in_one_row(2, "paint obstacles, wipe them off");
    table.add(
        "brush-smaller", {"["}, "a smaller brush", [](Ui& ui) { change_brush(ui, 1 / 1.25); }, no_brush,
        Held::kRepeats);
    table.add(
        "brush-larger", {"]"}, "a larger brush", [](Ui& ui) { change_brush(ui, 1.25); }, no_brush, Held::kRepeats);
    table.gesture({"Ctrl wheel"}, "");
    table.in_one_row(3, "a smaller, larger brush");
    table.add(
        "keep-points", {}, "keep these points: start over on them, in any lab",
        [](Ui& ui) { ui.session.opener().restart(); },
        [](const Ui& ui) { return ui.model.edited_input ? "" : "No point was added, moved or removed."; });
    table.add("lock", {"Ctrl+L"}, "lock or unlock manual edits", lock_or_unlock);
    table.add(
        "undo", {"Ctrl+Z"}, "undo the last edit", [](Ui& ui) { ui.session.undo().undo(); }, edits_locked);
    table.add(
        "redo", {"Ctrl+Shift+Z"}, "redo the edit", [](Ui& ui) { ui.session.undo().redo(); },
        [](const Ui& ui) {
            return unless(edits_locked(ui), !ui.session.idle() || ui.model.redoable, "Nothing to redo.");
        });
}

}  // namespace

const std::vector<Action>& actions() {
    static const std::vector<Action> all = [] {
        ActionTable table;
        for (const auto add : {add_time, add_view, add_panels, add_lessons, add_edits}) add(table);
        return std::move(table.rows);
    }();
    return all;
}

const Action& action(const std::string& id) { return *std::ranges::find(actions(), id, &Action::id); }

std::string tip_of(const Action& action) {
    return capitalised(action.help) + (action.keys.empty() ? "" : " (" + action.keys.front() + ")");
}

void open_numbers(Ui& ui, const std::string& section) {
    open_side(ui, false);
    ui.state.opened_section = section;
}

void run_or_refuse(Ui& ui, const Action& action) {
    const std::string why = action.why_not(ui);
    if (why.empty())
        action.run(ui);
    else if (why == ui.model.refusal)
        ui.session.reply(Message::Kind::kError, why);
    else
        note(ui, why);
}

std::vector<Action> choices(const Ui& ui) {
    ActionTable table;
    table.group("Labs");
    for (const RegistryEntry& entry : registry()) {
        const bool is_open = entry.id == ui.model.info.id;
        table.add(
            "lab:" + entry.id, {}, "lab: " + entry.info().title,
            [id = entry.id](Ui& to) { to.session.opener().open_lab(id); },
            [is_open](const Ui&) { return is_open ? "This lab is open." : ""; });
    }
    table.group("Parameters");
    for (size_t i = 0; i < ui.model.parameters.size(); ++i)
        for (const ParameterVisitor::Option& option : ui.model.parameters[i].options)
            table.add(
                "parameter:" + ui.model.parameters[i].name + "=" + option.name, {},
                ui.model.parameters[i].name + ": " + option.name,
                [i, value = option.name](Ui& to) {
                    to.session.parameters().set(i, value);
                    to.session.opener().restart();
                },
                [i, value = option.name](const Ui& to) {
                    return to.session.parameters().value(i) == value ? "This value is in use." : "";
                });
    table.group("Colours");
    for (const Explored& one : offered_quantities(ui))
        table.add("colour:" + one.id(), {}, "colour by " + one.name(), [one](Ui& to) { colour_by_quantity(to, one); });
    if (ui.session.selection().exploration().colour)
        table.add("colour:", {}, "colour by what the lab shows", [](Ui& to) { colour_by_quantity(to, std::nullopt); });
    table.group("Layers");
    for (const Layer* layer : ui.model.scene.toggles()) {
        if (!layer->present()) continue;
        const bool shown = ui.state.display.shows(layer->id, layer->shown);
        table.add("layer:" + layer->id, {layer_key(layer->id)}, (shown ? "hide " : "show ") + layer->title,
                  [id = layer->id, shown](Ui& to) { to.state.display.show(id, !shown); });
        if (!*layer_key(layer->id)) table.rows.back().keys.clear();
    }
    for (const StructureInfo& info : structure_infos()) {
        if (!ui.model.scene.mesh || ui.model.scene.in_space || ui.model.scene.layer(info.id)) continue;
        const bool shown = ui.state.display.shows(info.id, false);
        table.add(std::string("layer:") + info.id, {}, (shown ? "hide " : "show ") + std::string(info.title),
                  [id = info.id, shown](Ui& to) { to.state.display.show(id, !shown); });
    }
    table.group("Panels");
    table.add("curves", {}, "curves of the run", [](Ui& to) { open_numbers(to, "Curves"); });
    table.group("Views");
    constexpr const char* kSides[] = {"a corner", "the front", "the right side", "the top"};
    for (size_t i = 0; ui.model.scene.in_space && i < std::size(kSides); ++i)
        table.add("view:" + std::to_string(i), {}, std::string("see the surface from ") + kSides[i], [i](Ui& to) {
            to.state.camera.view = standard_views()[i];
            to.state.fit_requested = true;
        });
    table.group("Points");
    for (const GeneratorInfo& generator : generators())
        if (generator.makes == GeneratorOutput::kPoints)
            table.add("points:" + generator.name, {}, "points: " + generator.name, [name = generator.name](Ui& to) {
                const uint64_t count = to.state.draft.count;
                to.session.opener().load(name + ":" + std::to_string(count > 0 ? count : 100), false);
            });
    table.group("Recent files");
    for (const UiState::RecentFile& file : ui.state.recent.files)
        table.add(
            "recent:" + file.path, {}, "recent: " + file.path,
            [path = file.path](Ui& to) {
                to.state.file = path;
                to.session.opener().load_files(files_named(path));
            },
            [file](const Ui&) { return file.there ? "" : file.path + " is not there any more."; });
    if (ui.state.recent.files.empty())
        table.add("recent:", {}, "recent: no file", {}, [](const Ui& to) { return to.state.recent.why_none; });
    table.group("Lessons");
    for (const std::filesystem::path& file : shipped_lessons())
        table.add("lesson:" + file.stem().string(), {}, "lesson: " + name_of_lesson(file),
                  [file](Ui& to) { to.session.opener().load(file.string(), true); });
    for (size_t i = 0; ui.state.lesson.any() && i < ui.state.lesson.player().lesson().steps.size(); ++i)
        table.add("lesson-step:" + std::to_string(i), {},
                  "lesson step " + std::to_string(i + 1) + ": " + ui.state.lesson.player().lesson().steps[i].caption,
                  [i](Ui& to) { to.state.lesson.go_to(i); });
    return std::move(table.rows);
}

namespace {

/// "Page " of "Page ↓", "Ctrl+" of "Ctrl+S".
std::string prefix_of(const std::string& key) {
    const size_t at = key.size() < 2 ? key.npos : key.find_last_of("+ ", key.size() - 2);
    return at == key.npos ? "" : key.substr(0, at + 1);
}

}  // namespace

// First keys of all actions, then second ones: "Page ↓  ↑  Ctrl+→  ←".
std::string KeyRow::keys(const std::string& between) const {
    std::string text, prefix;
    const auto add = [&](const std::string& key) {
        const bool same = !prefix.empty() && prefix_of(key) == prefix;
        text += (text.empty() ? "" : between) + key.substr(same ? prefix.size() : 0);
        prefix = prefix_of(key);
    };
    for (size_t i = 0; i < 2; ++i)
        for (const Action* action : actions)
            if (i < action->keys.size()) add(action->keys[i]);
    return text;
}

std::vector<KeyRow> key_rows() {
    std::vector<KeyRow> rows;
    for (const Action& action : actions()) {
        if (action.keys.empty()) continue;
        const bool joins = !action.row.empty() && !rows.empty() && rows.back().help == action.row;
        if (!joins) rows.push_back({{}, action.row.empty() ? action.help : action.row, action.group});
        rows.back().actions.push_back(&action);
    }
    return rows;
}

}  // namespace flipscope::app
