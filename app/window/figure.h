// The dialog of Ctrl+Shift+S and the figure that it writes.
#pragma once

#include <string>

#include "app/figures/figure_spec.h"

namespace flipscope::app {

struct UiState;
struct Ui;

struct FigureDialog {
    enum class What : int { kPng, kSvg, kPdf, kPlotsPng, kPlotsSvg, kPlotsPdf, kPlotsCsv };

    bool open = false, save_requested = false, cancel_requested = false;
    std::string file;  // its extension agrees with `what`
    What what = What::kPng;
    std::string size = "1280x800";  // pixels, or "160x100mm"
    std::string dpi, line;          // numbers; empty: automatic
    bool whole = false;             // the whole scene instead of the visible part
    FigureSpec parts;               // its background and annotations; the rest is unused
    bool kept = false;              // put the kept picture at the left
    std::string why_not_kept;       // why the kept picture cannot be included; else empty
    bool drawing = false;           // a figure is being written
    double progress = 0;            // 0…1
    bool makes_figure() const { return what <= What::kPdf; }
    bool shows_kept() const { return makes_figure() && kept && why_not_kept.empty(); }
};

/// The figure that the dialog describes. Throws Error with a sentence for an entry that is malformed.
FigureSpec spec_of(const FigureDialog& dialog, const UiState& state);
/// Gives the file name the extension of `what`. infer_format() does the reverse.
void set_format(FigureDialog& dialog, FigureDialog::What what);
void infer_format(FigureDialog& dialog);
/// Decides whether a kept picture can be included. Call every frame while the dialog is open.
void show_kept_picture(Ui& ui);
/// Opens the dialog with an unused file name.
void open_figure(Ui& ui);

}  // namespace flipscope::app
