// The dialog of Ctrl+Shift+S and the figure that is being written for it.
#pragma once

#include <string>

#include "app/figures/figure_spec.h"

namespace flipscope::app {

struct UiState;
struct Ui;

struct FigureDialog {
    enum class What : int { kPng, kSvg, kPdf, kPlotsSvg, kPlotsCsv };

    bool open = false, save_requested = false, cancel_requested = false;
    bool name_field_requested = false;  // the keyboard is to write there
    std::string file;                   // its ending and `what` go together
    What what = What::kPng;
    std::string size = "1280x800";            // pixels, or "160x100mm"
    std::string dpi, line;                    // numbers; empty: as suits
    bool transparent = false, whole = false;  // whole: the scene, and not what the window shows of it
    bool legend = true, colour_bars = true, scale_bar = true, title = false, axes = false;
    bool kept = false;         // the kept picture stands at the left
    std::string why_not_kept;  // a kept picture that cannot; else empty
    bool drawing = false;      // a figure is being written
    double progress = 0;       // of it, 0…1
    bool makes_figure() const { return what <= What::kPdf; }
    bool shows_kept() const { return makes_figure() && kept && why_not_kept.empty(); }
};

/// What is asked for, as far as it can be understood; throws Error with a sentence for what cannot.
FigureSpec spec_of(const FigureDialog& dialog, const UiState& state);
/// Gives the name the ending that goes with what is to be saved; and the other way round.
void take_ending(FigureDialog& dialog, FigureDialog::What what);
void take_name(FigureDialog& dialog);
/// Whether the kept picture, where there is one, can stand beside the live one. Every frame that the dialog is open.
void show_kept_picture(Ui& ui);
/// Opens it, with a free name.
void open_figure(Ui& ui);

}  // namespace flipscope::app
