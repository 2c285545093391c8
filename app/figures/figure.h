// A picture of a lab's scene together with what it takes to read it: the legend of what is to be seen, colour bars, and
// the titles of scenes side by side. They lie beside or below the picture, never over it. Used by `flipscope run
// --picture` and by the sheet of all labs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/labels.h"
#include "app/figures/page.h"
#include "app/figures/picture.h"
#include "lab/report.h"

namespace flipscope::app {

struct FigureLook {
    bool light = false;
    double line_scale = 1;  // of lines and points; of text it is the page's
    Look look;
    std::optional<ViewAxes> view;
    std::vector<Highlight> highlights = {};  // over the picture
    std::vector<ElementLabel> labels = {};   // likewise
    CloseUp close_up = CloseUp();
    std::string unit = {};  // of world coordinates, at axes; empty: not known
};

/// What stands beside the picture of a scene.
struct Caption {
    std::vector<LegendEntry> entries;
    std::string vertices = "Points";  // what those of vertices are called
    std::vector<ColourBar> bars;
    std::vector<std::string> titles;  // of scenes side by side; else none
    bool empty() const { return entries.empty() && bars.empty() && titles.empty(); }
};
/// Of this state. Waits for the device; call it with the lease.
Caption caption_of(const Scene& scene, const Look& look, const Palette& colors);

enum class CaptionPlace {
    kBelow,
    kWhereItCostsLeast,  // beside the picture where it leaves that larger
};
struct DrawnFigure {
    Box picture, caption;  // where they are; the caption without width: nowhere
    bool complete = true;  // false: there was no room for the caption, or for the titles
};
/// Draws both into `area` of the page; where there is no room for the caption the picture takes all of it.
DrawnFigure draw_figure(Offscreen& offscreen, Page& page, const Scene& scene, const Box& area, const Caption& caption,
                        CaptionPlace where, const FigureLook& how);

/// The smallest picture that has a legend unless it is told otherwise; in smaller ones there is none to be read.
inline constexpr int kLeastWidthWithLegend = 480, kLeastHeightWithLegend = 320;

/// Draws the scene with its caption into a PNG file. As Offscreen::draw(), which it is where there is nothing to
/// explain. False: there was no room for the caption.
bool draw_with_legend(Offscreen& offscreen, const Scene& scene, const std::filesystem::path& png, int width, int height,
                      const FigureLook& how);
/// The scene alone: the words of its labels are part of it, and so is what is highlighted.
void draw_without_legend(Offscreen& offscreen, const Scene& scene, const std::filesystem::path& png, int width,
                         int height, const FigureLook& how);

}  // namespace flipscope::app
