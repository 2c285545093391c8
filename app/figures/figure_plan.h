// A figure laid out: where the picture is and through which camera it is seen, what of it are shapes and what an image,
// and what stands beside it. Made once, with the lease; drawn afterwards, a piece at a time, as often as it takes.
#pragma once

#include <string>
#include <vector>

#include "app/figures/annotation.h"
#include "app/figures/figure_shapes.h"
#include "app/figures/figure_spec.h"
#include "lab/element_labels.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "lab/unit_names.h"

namespace flipscope::app {

struct FigurePlan {
    FigureSpec spec;
    double dpi = 96, width = 0, height = 0;  // pixels per inch; points
    int pixel_width = 0, pixel_height = 0;
    PixelBox picture;                              // pixels from the upper left corner
    Area picture_pt;                               // the same in points
    Camera camera;                                 // pixels
    std::vector<Area> views;                       // points
    std::vector<std::vector<std::string>> titles;  // of views side by side, in lines
    double title_font = 9;                         // points
    bool in_space = false;

    bool image = true;             // something of the scene is drawn by the renderer
    DisplayOptions image_display;  // and what
    bool vectors = false;          // the rest are `shapes`; else these are the words of labels alone
    std::vector<ShapeLayer> shapes;
    uint64_t elements = 0;  // shapes

    std::vector<LegendEntry> legend;
    std::string vertices = "Points";
    std::vector<ColourBar> bars;
    bool has_scale_bar = false;
    double scale_length = 0;            // of it; world units
    std::vector<PictureUnits> units;    // of the coordinates of views
    std::vector<Camera> cameras;        // of views
    std::vector<Highlight> highlights;  // over the picture, by the view they belong to
    std::vector<ElementLabel> labels;   // the same; of those that overlap the first is drawn
    std::string note;                   // what there was no room for, a sentence; or empty
    double font = 9;                    // points
    Area caption;                       // legend, colour bars and scale bar
    bool in_column = false;             // they stand beside the picture
};

/// Reads buffers: call it with the lease. Throws Error where such a figure cannot be made.
FigurePlan plan_figure(const Scene& scene, const FigureSpec& spec);

/// Everything of the figure but its ground and what the renderer draws.
void draw_plan(Drawing& drawing, const FigurePlan& plan);

/// The longest of 1, 2 and 5 times powers of ten that is at most `most`; 0 where there is none.
double round_length(double most);

}  // namespace flipscope::app
