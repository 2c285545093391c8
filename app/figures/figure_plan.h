// A figure's layout: the place of the picture and its camera, which elements are shapes and which an image, and the
// annotations. Made once, with the lease; drawn afterwards, piece by piece, any number of times.
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
    std::vector<std::vector<std::string>> titles;  // of views side by side; lines of each
    double title_font = 9;                         // points
    bool in_space = false;

    bool image = true;             // the renderer draws part of the scene
    DisplayOptions image_display;  // which part
    bool vectors = false;          // `shapes` holds the rest; otherwise only the words of labels
    std::vector<ShapeLayer> shapes;
    uint64_t elements = 0;  // shapes

    std::vector<LegendEntry> legend;
    std::string vertices = "Points";
    std::vector<ColourBar> bars;
    bool has_scale_bar = false;
    double scale_length = 0;            // world units
    std::vector<PictureUnits> units;    // of the views' coordinates
    std::vector<Camera> cameras;        // of the views
    std::vector<Highlight> highlights;  // over the picture, by view
    std::vector<ElementLabel> labels;   // likewise; of overlapping ones the first is drawn
    std::string note;                   // a sentence about what did not fit; or empty
    double font = 9;                    // points
    Area caption;                       // legend, colour bars and scale bar
    bool in_column = false;             // they stand beside the picture
};

/// Reads buffers: requires the lease. Throws Error if the figure cannot be made.
FigurePlan plan_figure(const Scene& scene, const FigureSpec& spec, std::vector<Highlight> highlights = {},
                       std::vector<ElementLabel> labels = {});

/// Everything of the figure except its background and what the renderer draws.
void draw_plan(Drawing& drawing, const FigurePlan& plan);

/// The largest of 1, 2 and 5 times powers of ten that is at most `most`; 0: none.
double round_length(double most);

}  // namespace flipscope::app
