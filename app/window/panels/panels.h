// The panels, one function each. They read the lab's snapshot and pass the user's requests to the session; they contain
// no algorithm and access no buffers.
#pragma once

#include <initializer_list>

#include "app/window/ui.h"

namespace flipscope::app {

struct Action;

/// A foldable section of a side panel.
struct PanelSection {
    const char* title;                   // nullptr: the lab's word for what it detects
    void (*draw)(Ui&);                   // while it is unfolded
    bool (*when)(const Ui&) = nullptr;   // whether the panel has it now; nullptr: always
    bool (*opens)(const Ui&) = nullptr;  // whether it is unfolded until its title is clicked; nullptr: yes
};

// The sections from top to bottom. A file of this folder defines each as NAME_section.
#define FLIPSCOPE_LEFT_SECTIONS(NAME) NAME(input) NAME(parameters) NAME(view)
#define FLIPSCOPE_RIGHT_SECTIONS(NAME) \
    NAME(failures)                     \
    NAME(noted_failures)               \
    NAME(shrinking)                    \
    NAME(counters)                     \
    NAME(detections)                   \
    NAME(measures)                     \
    NAME(plots)                        \
    NAME(results)                      \
    NAME(structures)                   \
    NAME(statistics)                   \
    NAME(scatter)                      \
    NAME(distributions)                \
    NAME(curves)                       \
    NAME(timings)                      \
    NAME(messages)

#define FLIPSCOPE_DECLARE_SECTION(name) extern const PanelSection name##_section;
FLIPSCOPE_LEFT_SECTIONS(FLIPSCOPE_DECLARE_SECTION)
FLIPSCOPE_RIGHT_SECTIONS(FLIPSCOPE_DECLARE_SECTION)
#define FLIPSCOPE_ADDRESS_OF_SECTION(name) &name##_section,
void draw_sections(Ui& ui, std::initializer_list<const PanelSection*> sections);

void draw_transport_panel(Ui& ui);  // bottom: the current state, the buttons, the timeline, the last message
/// The height for the lab's longest sentences in a window of this width (`steady`), and what the current text needs
/// beyond it (`more`). Compact: the same text with less around it.
struct TransportHeight {
    float steady = 0, more = 0;
};
TransportHeight transport_height(const Ui& ui, float width, bool compact);
/// The quantities of the scatter, if this input has them.
std::optional<std::pair<Explored, Explored>> scatter_chosen(const Ui& ui);
void draw_timeline(Ui& ui, float height);
/// The colours of the passes in the timeline, in one line; the rest is in a tooltip.
void draw_pass_key(Ui& ui);
void draw_input_panel(Ui& ui);    // left: the source of the points, parameters, layers
void draw_restart(Ui& ui);        // applies changed parameters
void draw_numbers_panel(Ui& ui);  // right: counters, measures, plots, distributions, timings, messages
/// Whether a value of a text column is selected. select_category() selects it alone, or with Ctrl adds it.
bool is_selected(const ExplorationChoice& choice, const std::string& column, const std::string& value);
void select_category(Ui& ui, const std::string& column, const std::string& value);
void draw_structure_picture(Ui& ui);     // S(k) over the plane of wave vectors
void draw_shrink_question(Ui& ui);       // chooses the failure to shrink, while that dialog is open
void mark_chosen_failure(const Ui& ui);  // over the picture
void mark_chosen_detection(Ui& ui);      // likewise
/// The transport's sentence, in one line.
std::string headline_of(const Ui& ui);
void draw_legend(Ui& ui);                     // over the canvas
float legend_strip(const Ui& ui, int lines);  // height of so many lines
void draw_inspector(Ui& ui);                  // over the canvas, after a click
void draw_detail_view(Ui& ui);                // over the canvas, after a detection was chosen
void draw_tools(Ui& ui);                      // over the canvas, if the lab supports edits beyond moves and flips
void draw_side_buttons(Ui& ui);               // over the canvas, where a side panel is closed
void draw_emptiness(Ui& ui);
void draw_busy(Ui& ui);     // over the canvas, during long operations
void draw_help(Ui& ui);     // over everything
void draw_palette(Ui& ui);  // over everything, the command palette
void open_palette(Ui& ui, const std::string& typed = "");
void press_in_palette(Ui& ui, const KeyPress& press);
/// Its rows, best match first.
std::vector<Action> palette_rows(const Ui& ui);
void draw_question(Ui& ui);                           // over everything, until it is answered
void draw_saving(Ui& ui);                             // over everything, the dialog of Ctrl+S
void draw_figure_dialog(Ui& ui);                      // over everything, the dialog of Ctrl+Shift+S
void draw_leftover(Ui& ui);                           // over the canvas, while recovered edits are offered
void draw_find_field(Ui& ui);                         // over the canvas, the field of Ctrl+F
void draw_import(Ui& ui);                             // at the top, the column chooser
float import_height(const Ui& ui);                    // of the last frame; 0: closed
bool press_in_import(Ui& ui, const KeyPress& press);  // false: it is closed, or this is none of its keys
/// The table of timings as CSV, for other programs.
std::string timings_csv(const Ui& ui);

}  // namespace flipscope::app
