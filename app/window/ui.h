// What the window's parts share: the state of the interface (never of the lab), the layout, the list of keys. Panels
// get a Ui and draw; what they want done they ask of the Session or of the Commands.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/across.h"
#include "app/figures/box.h"
#include "app/figures/theme.h"
#include "app/run/detections.h"
#include "app/session/session.h"
#include "app/session/shrink_choices.h"
#include "app/view/camera.h"
#include "app/window/boxes.h"
#include "app/window/figure.h"
#include "app/window/layout.h"
#include "app/window/lesson_presenter.h"

namespace flipscope::app {

/// Where a frame's time went; these rows follow the kernels in the table of timings and add up to the frame.
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
    FramePart draw{"frame.draw", "telling OpenGL to draw the scene; nothing when it has not changed"};
    FramePart panels{"frame.panels", "laying out these panels"};
    FramePart present{"frame.present", "drawing the panels and waiting for the screen"};
    FramePart whole{"frame", "one frame of the window, without waiting for keys and mouse"};
    std::array<const FramePart*, 4> all() const { return {&step, &draw, &panels, &present}; }
};

/// What a plot shows: counters first, measures after them.
struct PlotChoice {
    int quantity = -1;  // index into LabInfo::counters, or beyond them into its measures
    int second = -1;    // another of the same kind, to be compared; -1: none
    bool logarithmic = false;
};

/// The curves of one state of a run, kept to be compared with those of others.
struct StructurePicture;
struct KeptCurves {
    std::string lab, source;
    std::vector<Parameter> parameters;
    uint64_t position = 0;  // passes
    std::vector<Curve> curves;
};

/// A key, or a character that is typed with one, as GLFW reported them. Collected by callback: a key that goes down and
/// up within one frame counts, too.
struct KeyPress {
    int key, modifiers;
    bool repeated;
    unsigned character = 0;  // 0: none; else the key is not known
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
    bool help_waits = false;   // set by a key press: no tooltip is shown until the mouse moves
    bool chooses = false;      // a list was open as the frame began, and takes the keys
    bool pressed = false;      // the left button is down
    std::vector<ImVec2> path;  // of the pointer, from where the left button went down last to where it went up
    ImVec2 pressed_at{};       // where a button went down last; the mouse may be elsewhere by the next frame

    bool light = false;
    bool show_left = true, show_right = true, show_bottom = true, show_legend = true, show_help = false;
    /// The legend's strip is not lower than it was before in this run, or the picture would move with every pass.
    struct LegendStrip {
        uint64_t input = 0;
        std::string lab;
        float width = 0, line = 0;  // of the canvas; of its text
        float height = 0;
        bool is_same(const LegendStrip& other) const {
            return input == other.input && lab == other.lab && width == other.width && line == other.line;
        }
    } legend_strip;
    bool opened_left = false, opened_right = false;  // opened by hand since the scale was set: they do not fold
    float scale = 1;
    float usual_scale = 1;                                                // as the monitor says
    bool presents() const { return scale > std::max(usual_scale, 1.f); }  // text is larger than it need be
    Camera camera;
    DisplayOptions display;
    Point clicked;  // where the inspector was asked last, in the plane of the picture, and in which view
    uint32_t clicked_part = 0;
    float inspector_height = 0;  // that its text needs, as the last frame found it; 0: not known yet
    Element inspected;           // which that is so of
    Tool tool = Tool::kLook;
    bool locked = false;  // no manual edits
    float brush = 14;     // radius, screen coordinates at scale 1
    bool fitted = true;   // the camera has not been moved since it was fitted
    bool beside = true;   // a picture that is kept is shown
    PlotChoice per_round, per_pass;
    std::map<std::string, bool> logarithmic_bins;  // by lab and name, where one was chosen
    std::string curve;                             // which one is shown, by name
    std::vector<KeptCurves> kept;                  // the oldest first
    KeptCurves present;                            // the same of this state, as far as it has been measured
    std::shared_ptr<StructurePicture> structure;   // made when it is first shown
    uint64_t present_of = UINT64_MAX;              // LabModel::measured that its curves were made of
    std::string plotted_lab;                       // whose quantities the plots' choices speak of
    std::string coloured_lab;                      // whose passes these colours are of
    std::vector<uint32_t> pass_colours;            // as pass_colours() gives them

    // The input panel's draft.
    int generator = 0;
    int count = 1000;
    uint64_t seed = 1;
    double generator_scale = 1, offset_x = 0, offset_y = 0;
    std::string generator_options;  // "mean=30,sigma=0.01", as they are typed
    std::string file;
    std::string stop, stop_refusal;     // a breakpoint that is being written, and why it is none
    size_t changed_stop = SIZE_MAX;     // the one whose place it is to take; SIZE_MAX: none
    bool stop_field_requested = false;  // the keyboard is to write there
    bool file_field_requested = false;  // the keyboard is to write there

    std::string title, note;    // of the scenario that was opened
    std::string titled_source;  // LabModel::source_text that they speak of
    bool is_titled(const std::string& source) const {
        return source == titled_source && !(title.empty() && note.empty());
    }

    FigureDialog figure;  // of Ctrl+Shift+S

    // The strip that chooses columns of a table.
    struct Import {
        size_t focus = 0;  // which of its lists has the keyboard
        float height = 0;  // that it needs, as the last frame found it; 0: not known yet
    } import;

    // The dialog of Ctrl+S.
    bool saving = false, saved_requested = false;
    bool name_field_requested = false;  // the keyboard is to write there
    std::string save_as;                // the name of a file; what its ending says is saved

    std::string typed_parameter, typed_text;  // a parameter that is being typed; without a name: none is

    // The field of Ctrl+F.
    bool find_open = false;
    bool find_field_requested = false;  // the keyboard is to write there
    std::string find_text;
    std::string find_answer;                    // of a predicate that was asked for
    Element find_clicked;                       // the last element that was clicked
    std::string find_note;                      // why the text means nothing
    uint64_t shown_request = 0;                 // Inspection::request that is to be brought into view; 0: none
    bool shows_close = false;                   // it is, as large as it takes to see what lies around it
    std::shared_ptr<std::string> shown_merged;  // what find_element() says of it; written before it is there

    std::string leftover;  // what is offered of edits that a program left; empty: nothing
    enum class Leftover { kNone, kRestore, kDiscard, kLater } leftover_answer = Leftover::kNone;

    struct Palette {
        bool open = false;
        std::string typed = {};
        size_t chosen = 0;     // of those that match
        bool to_view = false;  // it is to be brought into view
    };
    Palette palette;

    struct RecentFile {
        std::string path;
        bool there;  // it was when the palette was opened
    };
    struct Recent {
        bool wanted = false;   // to be read
        std::string why_none;  // a sentence, where there are no files
        std::vector<RecentFile> files;
    };
    Recent recent;

    LessonPresenter lesson;
    bool full_screen_requested = false;  // or no longer

    // Requests of panels and keys that are the window's to grant.
    bool fit_requested = false, picture_requested = false, theme_requested = false, copy_requested = false;
    bool detections_file_requested = false, failures_file_requested = false;
    bool shows_statistics = false;  // their section is to be opened, and brought into view
    DetectionList detections;
    bool scroll_to_detection = false;  // the chosen one is to be seen in the list
    bool scroll_to_failure = false;
    /// The chosen failure stretched across, where it is too thin to be seen; what it was made for.
    struct Across {
        std::optional<AcrossView> view;
        size_t failure = SIZE_MAX;
        std::shared_ptr<const Geometry> input;
        double least = 0;
        double zoom = 1;  // of its thickness, by the wheel with Alt
    };
    Across across;
    double wanted_scale = 0;  // of the interface; 0: as it is
    bool scrubbing = false;
    uint64_t scrub_target = 0;
    bool shrunk_file_requested = false;  // the points that are left of a search, as a scenario

    // The dialog of Z.
    bool shrink_question = false, shrink_choice_requested = false;  // the chosen one is to be brought into view
    std::vector<ShrinkChoice> shrink_choices;
    size_t shrink_choice = 0;
};

/// Part of the canvas that the legend may cover.
inline constexpr float kMostLegend = 0.3f;

struct Layout {
    Box left, right, bottom, canvas;
    Box import;             // the strip that chooses columns, above all else; without height: there is none
    Box kept;               // the kept picture, as large as the canvas and left of it; without width: there is none
    float axes_height = 0;  // at the lower edge of the canvas, that axes of the plane take
    float covered = 0;      // height at the lower edge of the canvas over which the words of this moment have grown
    bool has_left = false, has_right = false, has_bottom = false;
    bool compact = false;        // the transport says the same in fewer lines
    float legend_height = 0;     // of the strip along the top of the canvas
    float legend_most = 0;       // and what it may have; it is cut to whole lines
    bool shows_timings = false;  // the section of timings is open
    Box tools;                   // the strip of tools; without width: there is none
    Box detail_view;             // the same
    bool docks = false;          // inspector and detail view stand in a side panel, the right one of two
    Box dock;                    // where; without width: there is neither
    Box inspector;               // it lets clicks through, but for these parts of it
    std::vector<Box> inspector_controls;
    bool inspector_scrolls = false;  // the wheel is for its text

    /// The canvas, with the kept picture beside it.
    Box whole() const {
        return kept.width > 0 ? Box{kept.x, canvas.y, canvas.x + canvas.width - kept.x, canvas.height} : canvas;
    }
    float canvas_bottom() const {
        return canvas.y + canvas.height - covered - axes_height;
    }  // of what is to be seen of it
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
        return pass < state.pass_colours.size() ? colors.pass(state.pass_colours[pass]) : colors.quiet_text;
    }
};

/// What the input, or another parameter, determines a parameter of the lab.
Override override_of(const Session& session, size_t parameter);
/// What the button that makes playing stop does in this lab.
std::string pause_help(const LabInfo& info, bool pauses);

/// Elements coloured by another number, or by none. Their minimum angles, which would be seen in its place, go.
void colour_by(Ui& ui, ExplorationChoice choice);
/// The key that shows and hides a layer of this name; empty: none does.
const char* layer_key(const std::string& id);
/// A surface from the next of the standard views.
void next_view(UiState& state);
/// Goes `by` detections on from the chosen one, or to the nearest before (by < 0) or after this state; nothing at the
/// end.
void step_through_detections(Ui& ui, int by);
/// Goes to a detection: to its state and its place, with a detail view on it.
void choose_detection(Ui& ui, size_t index);
/// Brings the place of a detection into the middle of what the detail view and the legend leave of the canvas.
void centre_on_detection(Ui& ui, size_t index);
/// Goes `by` failures on from the chosen one, or to the first or (by < 0) the last; nothing at the end.
void go_through_failures(Ui& ui, int by);
/// Shows a failure of the check: marked, and large enough in the middle of the picture.
void choose_failure(Ui& ui, size_t index);
/// The points of the input as they are now, edits included.
inline std::shared_ptr<const Geometry> current_points(const Ui& ui) {
    return ui.model.edited_input ? ui.model.edited_input : ui.session.input();
}
void draw_across(Ui& ui);  // of the chosen one, over the lower right of the canvas
/// "leaving points out: 37 points, 214 tests".
std::string shrinking_text(const Shrinking::Progress& progress);
/// Whether the lab takes what the tool does, and editing is not locked.
bool can_use(const Ui& ui, Tool tool);
inline bool is_brush(Tool tool) { return tool == Tool::kPaint || tool == Tool::kWipe; }
void resize_brush(UiState& state, double factor);
/// Keeps the curves of this state, to be compared with those of later runs; the oldest goes where there are many.
void keep_curves(Ui& ui);
struct ShownCurve {
    std::string label;
    const Curve* curve;  // of what is kept, or of the present state: until either changes
    bool kept = false;
};
/// The chosen curves of this state, which may be several of one name, then those kept of the same name and lab.
std::vector<ShownCurve> shown_curves(const Ui& ui);
/// Goes where a link of a report leads.
void follow(Ui& ui, const Link& link);
/// Opens the field that finds elements by id, name or place.
void open_find_field(Ui& ui);
/// Finds what is written in the field, or says in it why not.
void find_typed(Ui& ui);
/// Asks what the fewest points are to show, and begins the search for them; or says why there is nothing to shrink.
void open_shrinking(Ui& ui);
void begin_shrinking(Ui& ui);
/// Asks for the name of a file to save to.
void open_saving(Ui& ui);
/// Does what the keys of this frame ask for.
void handle_keys(Ui& ui);

}  // namespace flipscope::app
