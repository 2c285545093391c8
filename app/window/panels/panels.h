// The panels, one function each. They read the lab's copy and ask the session for what the user wants; they hold no
// algorithm and touch no buffer.
#pragma once

#include "app/window/ui.h"

namespace flipscope::app {

struct Action;

void draw_transport_panel(Ui& ui);  // bottom: what runs, the buttons, the timeline, the last message
/// How high it must be in a window of this width for the lab's longest sentences, and what the words of this moment
/// need beyond that. Compact: with less around the same.
struct TransportHeight {
    float steady = 0, more = 0;
};
TransportHeight transport_height(const Ui& ui, float width, bool compact);
void draw_timeline(Ui& ui, float height);
/// Which colour of the strip is which pass, in one line; what finds no room is in a tooltip.
void draw_pass_key(Ui& ui);
void draw_input_panel(Ui& ui);  // left: where the points come from, the parameters, what is drawn
void draw_parameters(Ui& ui);
void draw_restart(Ui& ui);  // what makes changed parameters take effect
void draw_view(Ui& ui);
void draw_numbers_panel(Ui& ui);  // right: counters, measures, plots, distributions, timings, messages
void draw_counters(Ui& ui);
void draw_measures(Ui& ui);
void draw_plots(Ui& ui);
void draw_statistics(Ui& ui);  // of what the picture shows; colouring and selecting
/// Whether a value of a column of text is selected, and what a click on it does: it is, or with Ctrl it is added.
bool is_selected(const ExplorationChoice& choice, const std::string& column, const std::string& value);
void select_category(Ui& ui, const std::string& column, const std::string& value);
bool has_curves(const Ui& ui);
void draw_structure_picture(Ui& ui);     // S(k) over the plane of wave vectors
void draw_kept_curves(Ui& ui);           // curves of this state over those of runs that were kept
void draw_detections(Ui& ui);            // the list of what was found
void draw_failures(Ui& ui);              // the list of what a check found wrong
void draw_shrink_question(Ui& ui);       // what they are to show, while that is asked
void draw_shrinking(Ui& ui);             // the search for the fewest points that still fail
void mark_chosen_failure(const Ui& ui);  // over the picture
void mark_chosen_detection(Ui& ui);      // likewise
/// The sentence in the transport, in one line.
std::string headline_of(const Ui& ui);
void draw_timings(Ui& ui);
void draw_messages(Ui& ui);
void draw_legend(Ui& ui);                     // over the canvas
float legend_strip(const Ui& ui, int lines);  // how high so many lines of it are
void draw_inspector(Ui& ui);                  // over the canvas, when something was clicked
void draw_detail_view(Ui& ui);                // over the canvas, when a detection was chosen
void draw_tools(Ui& ui);                      // over the canvas, where the lab takes more by hand than moves and flips
void draw_emptiness(Ui& ui);
void draw_busy(Ui& ui);     // over the canvas, when something takes long
void draw_help(Ui& ui);     // over everything
void draw_palette(Ui& ui);  // over everything, the command palette
void open_palette(Ui& ui, const std::string& typed = "");
void press_in_palette(Ui& ui, const KeyPress& press);
/// What it lists, best first.
std::vector<Action> palette_rows(const Ui& ui);
void draw_question(Ui& ui);         // over everything, while one waits for its answer
void draw_saving(Ui& ui);           // over everything, the dialog of Ctrl+S
void draw_figure_dialog(Ui& ui);    // over everything, that of Ctrl+Shift+S
void draw_leftover(Ui& ui);         // over the canvas, while edits of a program that ended early are offered
void draw_find_field(Ui& ui);       // over the canvas, the field of Ctrl+F
void draw_import(Ui& ui);           // at the top, while the columns of a table are chosen
float import_height(const Ui& ui);  // as the last frame found it; 0: they are not
enum class ImportKey { kKeep, kBack, kNext, kBefore, kDown, kUp };
bool press_in_import(Ui& ui, ImportKey key);  // false: they are not
/// The table of timings as CSV, for other programs.
std::string timings_csv(const Ui& ui);

}  // namespace flipscope::app
