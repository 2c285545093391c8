// State shared by the window's parts: the interface (never the lab), the layout, the key list. Panels get a Ui and
// draw; they pass the user's requests to the Session or the Commands.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/across.h"
#include "app/figures/box.h"
#include "app/figures/theme.h"
#include "app/run/detections.h"
#include "app/session/session.h"
#include "app/view/camera.h"
#include "app/window/figure.h"
#include "app/window/layout.h"
#include "app/window/lesson_presenter.h"
#include "geometry/generators.h"

namespace flipscope::app {

/// Named boxes of what a frame drew. The status reports them to scripts and tests that drive the window.
class Boxes {
  public:
    struct Entry {
        Box box;           // screen coordinates
        std::string text;  // as written there; empty: not recorded
    };
    /// "button/play", "link/17"; a second box of the same name becomes "link/17#2".
    void add(const std::string& name, const Box& box, const std::string& text = {}) {
        std::string key = name;
        for (int i = 2; !all_.try_emplace(key, Entry{box, text}).second; ++i) key = name + "#" + std::to_string(i);
    }
    const std::map<std::string, Entry>& all() const { return all_; }

  private:
    std::map<std::string, Entry> all_;
};

/// Where a frame's time went. These rows follow the kernels in the table of timings and add up to the frame.
struct FramePart {
    const char* label;  // "frame.draw"
    const char* sentence;
    double last_ms = 0, total_ms = 0;
    uint64_t calls = 0;
    void add(double ms) {
        last_ms = ms;
        total_ms += ms;
        ++calls;
    }
    double mean_ms() const { return calls ? total_ms / static_cast<double>(calls) : 0; }
};

struct FrameParts {
    FramePart step{"frame.step", "waiting for kernels and the work around them, within the budget"};
    FramePart draw{"frame.draw", "drawing the scene by OpenGL; nothing when it has not changed"};
    FramePart panels{"frame.panels", "laying out these panels"};
    FramePart present{"frame.present", "drawing the panels and waiting for the screen"};
    FramePart whole{"frame", "one frame of the window, without waiting for keys and mouse"};
    std::array<const FramePart*, 5> all() const { return {&step, &draw, &panels, &present, &whole}; }
};

/// The quantities of a plot: counters first, then measures.
struct PlotChoice {
    int quantity = -1;  // index into LabInfo::counters, continued by its measures
    int second = -1;    // another one to compare; -1: none
    bool logarithmic = false;
};

/// The curves of one state of a run, kept for comparison.
struct StructurePicture;
struct KeptCurves {
    std::string lab, source;
    std::vector<Parameter> parameters;
    uint64_t position = 0;  // passes
    std::vector<Curve> curves;
};

/// A key or a typed character, as GLFW reported it. A callback collects them, so that a key pressed and released within
/// one frame counts.
struct KeyPress {
    int key, modifiers;
    bool repeated;
    unsigned character = 0;  // 0: none; otherwise the key is unknown
};

/// What the left button does in the picture.
enum class Tool { kLook, kMove, kAdd, kRemove, kFreeze, kPaint, kWipe };
struct ToolHelp {
    Tool tool;
    char key;
    const char *name, *sentence;
};
const std::array<ToolHelp, 7>& tool_help();

struct UiState {
    std::vector<KeyPress> keys;  // since the last frame
    ImVec2 mouse_at{};
    bool help_waits = false;   // set by a key press: no tooltip until the mouse moves
    bool chooses = false;      // a list was open at the start of the frame and gets the keys
    bool pressed = false;      // the left button is down
    std::vector<ImVec2> path;  // of the pointer, between the last press and release of the left button
    ImVec2 pressed_at{};       // last press of a button; the mouse may have moved by the next frame

    bool light = false;
    bool motion = true;      // steps are shown on their way
    bool presenter = false;  // the presenter's window is open while a lesson is
    bool show_left = true, show_right = true, show_bottom = true, show_legend = true, show_help = false;
    /// Keeps its height within a run, so that the picture does not move with every pass.
    struct LegendStrip {
        uint64_t input = 0;
        std::string lab;
        float width = 0, line = 0;  // of the canvas; of its text
        float height = 0;
        friend bool operator==(const LegendStrip&, const LegendStrip&) = default;
    } legend_strip;
    bool opened_left = false, opened_right = false;  // opened by hand since the scale was set: they do not fold
    float scale = 1;
    float usual_scale = 1;                                                // from the monitor
    bool presents() const { return scale > std::max(usual_scale, 1.f); }  // the text is larger than necessary
    Camera camera;
    DisplayOptions display;
    Point clicked;                  // last click with the inspector, in the picture's plane
    float inspector_height = 0;     // of its text in the last frame; 0: not known yet
    uint64_t inspected = 0;         // LabModel::inspected in this frame
    bool inspects_another = false;  // it has changed since the last frame
    Tool tool = Tool::kLook;
    bool locked = false;  // no manual edits
    float brush = 14;     // radius, screen coordinates at scale 1
    bool fitted = true;   // the camera has not moved since it was fitted
    bool beside = true;   // show the kept picture
    PlotChoice per_round, per_pass;
    std::map<std::string, bool> logarithmic_bins;  // by lab and name; absent: the default
    std::map<std::string, std::string> spatial;    // texts of the options of SpatialRequest
    std::string curve;                             // name of the shown curve
    std::optional<std::vector<Point>> drawn_ring;  // of the study area: its corners so far, world units; or none drawn
    std::string area_text;                         // of the study area, as typed
    DataView data;                 // its scatter and axes; a selection to make; the rest is the exploration's
    std::string typed_range;       // of colours, as typed
    std::vector<KeptCurves> kept;  // oldest first
    KeptCurves present;            // the current state's curves, as far as they are measured
    std::shared_ptr<StructurePicture> structure;  // made when first shown
    uint64_t present_of = UINT64_MAX;             // LabModel::measured when `present` was made
    std::string plotted_lab;                      // the lab whose quantities the plots show

    GeneratorSpec draft{generators().front().name, 1000};  // of the input panel, without options
    std::string generator_options;                         // "mean=30,sigma=0.01", as typed
    std::string file;
    std::string stop, stop_refusal;  // a breakpoint being written, and why it is invalid
    size_t changed_stop = SIZE_MAX;  // the breakpoint to replace; SIZE_MAX: none

    /// The text field that gets the keyboard focus when it is next drawn.
    enum class Field { kNone, kFile, kStop, kFind, kSaveName, kFigureName } focus = Field::kNone;
    /// Whether this field gets the focus now.
    bool takes_focus(Field field) { return focus == field && std::exchange(focus, Field::kNone) == field; }

    FigureDialog figure;  // of Ctrl+Shift+S

    // The column chooser of a table.
    struct Import {
        size_t focus = 0;  // index of the list with the keyboard focus
        float height = 0;  // of its content in the last frame; 0: not known yet
    } import;

    // The dialog of Ctrl+S.
    bool saving = false;
    std::string save_as;  // file name; its extension chooses what is saved

    std::string typed_parameter, typed_text;  // a parameter being typed; empty name: none

    // The field of Ctrl+F.
    bool find_open = false;
    std::string find_text;
    std::string find_answer;                    // of an evaluated predicate
    std::string find_note;                      // why the text is invalid
    uint64_t shown_request = 0;                 // Inspection::request to bring into view; 0: none
    bool shows_close = false;                   // bring it into view enlarged, with its surroundings visible
    std::shared_ptr<std::string> shown_merged;  // what find_element() says about it; allocated before the result exists

    std::string leftover;  // description of recovered edits on offer; empty: none
    enum class Leftover { kNone, kRestore, kDiscard, kLater } leftover_answer = Leftover::kNone;

    struct Palette {
        bool open = false;
        std::string typed = {};
        size_t chosen = 0;     // index into the matching rows
        bool to_view = false;  // scroll to it
    };
    Palette palette;

    struct RecentFile {
        std::string path;
        bool there;  // it existed when the palette was opened
    };
    struct Recent {
        bool wanted = false;   // must be read
        std::string why_none;  // why there are no files, a sentence
        std::vector<RecentFile> files;
    };
    Recent recent;

    LessonPresenter lesson;

    /// What panels and keys ask of the window, which carries it out after the frame.
    enum class Request {
        kTheme,
        kFullScreen,
        kPicture,
        kDetections,
        kFailures,
        kShrunk,
        kSave,
        kCopyTimings,
        kCopyPython
    };
    std::vector<Request> requests;
    bool fit_requested = false;
    std::string opened_section;  // open the section of this title and scroll to it; empty: none
    std::string wanted_section;  // open_numbers() at this section in the next frame; empty: none
    DetectionList detections;
    bool scroll_to_detection = false;  // scroll the list to the chosen one
    bool scroll_to_failure = false;
    /// The chosen failure, stretched across its length if it is too thin to be visible, and the state that the view was
    /// made for.
    struct Across {
        std::optional<AcrossView> view;
        size_t failure = SIZE_MAX;
        std::shared_ptr<const Geometry> input;
        double least = 0;
        double zoom = 1;  // of its thickness; Alt + wheel
    };
    Across across;
    double wanted_scale = 0;               // of the interface; 0: unchanged
    std::optional<uint64_t> scrub_target;  // while the timeline is dragged

    // The dialog of Z.
    bool shrink_question = false, shrink_choice_requested = false;  // scroll to the chosen one
    std::vector<ShrinkChoice> shrink_choices;
    size_t shrink_choice = 0;
};

/// Largest share of the canvas for the legend.
inline constexpr float kMostLegend = 0.3f;

struct Layout {
    Box left, right, bottom, canvas;
    Box import;             // the column chooser, at the top; height 0: none
    Box kept;               // the kept picture, left of the canvas and of its size; width 0: none
    float axes_height = 0;  // of the plane's axes, at the lower edge of the canvas
    float covered = 0;      // height at the lower edge of the canvas covered by the transport's current text
    bool has_left = false, has_right = false, has_bottom = false;
    bool compact = false;                                  // the transport is compact
    float legend_height = 0;                               // of the strip along the top of the canvas
    float legend_most = 0;                                 // its limit; cut to whole lines
    bool shows_timings = false, shows_statistics = false;  // these sections are open
    Box tools;                                             // the tool strip; width 0: none
    Box detail_view;                                       // width 0: none
    bool docks = false;  // inspector and detail view stand in a side panel, the right one if both are open
    Box dock;            // where; width 0: neither
    Box inspector;       // clicks pass through it, except in its controls
    std::vector<Box> inspector_controls;
    bool inspector_scrolls = false;  // the wheel scrolls its text

    /// The canvas together with the kept picture.
    Box whole() const {
        return kept.width > 0 ? Box{kept.x, canvas.y, canvas.x + canvas.width - kept.x, canvas.height} : canvas;
    }
    float canvas_bottom() const {
        return canvas.y + canvas.height - covered - axes_height;
    }  // lower edge of its visible part
};

struct Ui {
    Session& session;
    const LabModel& model;
    UiState& state;
    const FrameParts& parts;
    const Palette& colors;
    const Fonts& fonts;
    float scale;
    double now;  // seconds since the window opened
    double frames_per_second;
    Layout layout;
    Boxes boxes = {};

    float em(float pixels) const { return pixels * scale; }
    Color colour_of_pass(uint32_t pass) const {
        return pass < model.pass_colours.size() ? colors.pass(model.pass_colours[pass]) : colors.quiet_text;
    }
};

/// Whether the input or another parameter determines this parameter of the lab.
Override override_of(const Session& session, size_t parameter);
/// The help text of the button that pauses in this lab.
std::string pause_help(const LabInfo& info, bool pauses);

/// Colours elements by another quantity, or by none. Hides minimum angles, which would cover it.
void colour_by(Ui& ui, ExplorationChoice choice);
/// Ends the ring of the study area that is being drawn: an island or a hole of what was drawn before.
void close_drawn_ring(Ui& ui);
/// The quantities that elements can be coloured by now, in the list's order.
std::vector<Explored> offered_quantities(const Ui& ui);
/// Opens the dialog of Ctrl+S with this name.
void open_saving_as(Ui& ui, const std::string& name);
/// The key that toggles the layer of this name; empty: none.
const char* layer_key(const std::string& id);
/// Turns the camera of a surface, or of the paraboloid, to the next standard view.
void next_view(Ui& ui);
/// Moves `by` detections from the chosen one; without one, to the nearest before (by < 0) or after this state. Does
/// nothing at the end.
void step_through_detections(Ui& ui, int by);
/// Goes to a detection's state and place and opens its detail view.
void choose_detection(Ui& ui, size_t index);
/// Moves the camera so that a detection lies in the middle of the canvas that detail view and legend leave free.
void centre_on_detection(Ui& ui, size_t index);
/// Moves `by` failures from the chosen one; without one, to the first or (by < 0) the last. Does nothing at the end.
void go_through_failures(Ui& ui, int by);
/// Marks a failure of the check and shows it enlarged in the middle of the picture.
void choose_failure(Ui& ui, size_t index);
/// The input's current points, with edits.
inline std::shared_ptr<const Geometry> current_points(const Ui& ui) {
    return ui.model.edited_input ? ui.model.edited_input : ui.session.input();
}
void draw_across(Ui& ui);  // the chosen failure, over the lower right of the canvas
/// "leaving points out: 37 points, 214 tests".
std::string shrinking_text(const Shrinking::Progress& progress);
/// Whether the lab supports the tool and editing is unlocked.
bool can_use(const Ui& ui, Tool tool);
inline bool is_brush(Tool tool) { return tool == Tool::kPaint || tool == Tool::kWipe; }
void resize_brush(UiState& state, double factor);
/// Keeps this state's curves for comparison with later runs; drops the oldest when there are many.
void keep_curves(Ui& ui);
struct ShownCurve {
    std::string label;
    const Curve* curve;  // valid until the kept or the current curves change
    bool kept = false;
};
/// The chosen curves of this state (a name may have several), then the kept ones of the same name and lab.
std::vector<ShownCurve> shown_curves(const Ui& ui);
/// Follows a link of a report.
void follow(Ui& ui, const Link& link);
/// Opens the field that finds elements by id, name or place.
void open_find_field(Ui& ui);
/// Finds the text of the field, or shows in it why that is not possible.
void find_typed(Ui& ui);
/// Opens the dialog that asks which failure the search for the fewest points must preserve, or posts why there is
/// nothing to shrink.
void open_shrinking(Ui& ui);
void begin_shrinking(Ui& ui);
/// Opens the dialog that asks for a file name.
void open_saving(Ui& ui);
/// free_name(), or "" if none is.
std::string suggested_name(const std::string& start, const char* extension);
/// The path of a file to be written. Throws Error if there is one.
std::filesystem::path new_path(const std::string& name);
/// Executes the keys of this frame.
void handle_keys(Ui& ui);

}  // namespace flipscope::app
