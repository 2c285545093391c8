// The elements of a scene as shapes of a vector drawing: clipped, in points, in the renderer's colours. Independent of
// OpenGL.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/annotation.h"
#include "app/render/renderer.h"

namespace flipscope::app {

struct ShapeGroup {
    enum class Kind { kLines, kPolygons, kDiscs } kind = Kind::kLines;
    std::string title;  // the legend's or the layer's name for them
    Paint paint;
    std::vector<Point> places;   // figure coordinates, points; two per line
    std::vector<uint32_t> ends;  // of polygons: index past each one's last place
    std::vector<double> radii;   // of discs
    size_t count() const;
};

struct ShapeLayer {
    struct Word {
        Point at;  // the middle of the text
        std::string text;
        Color color;
    };
    std::string id, title;
    Area clip;
    std::vector<ShapeGroup> groups;
    std::vector<Word> words;
};

struct ShapeRequest {
    Area area;           // of the view
    Camera camera;       // pixels of `dpi`
    double dpi = 96;     // pixels per inch
    double line_pt = 0;  // 0: chosen by the renderer
    bool light = false;
    uint64_t most = 0;  // limit on the number of elements
};

/// The shapes of a view of the plane, without lattices. Empty if more than `most` elements are visible. Reads buffers:
/// requires the lease.
std::optional<std::vector<ShapeLayer>> shapes_of(const SceneView& view, const DisplayOptions& display,
                                                 const ShapeRequest& request, uint64_t& elements);
/// Only the words of labels.
std::vector<ShapeLayer> words_of(const SceneView& view, const DisplayOptions& display, const ShapeRequest& request);

void draw_shapes(const Ink& ink, const ShapeLayer& layer);

}  // namespace flipscope::app
