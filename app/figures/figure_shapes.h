// The elements of a scene that a figure shows, as shapes of a vector drawing: clipped, in points, with the colours that
// the renderer gives them. Knows no OpenGL.
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
    std::string title;  // the legend's word for them, or the layer's
    Paint paint;
    std::vector<Point> places;   // points of the figure; two for each line
    std::vector<uint32_t> ends;  // of polygons: behind the last place of each
    std::vector<double> radii;   // of discs
    size_t count() const;
};

struct ShapeLayer {
    struct Word {
        Point at;  // its middle
        std::string text;
        Color color;
    };
    std::string id, title;
    Area clip;
    std::vector<ShapeGroup> groups;
    std::vector<Word> words;
};

struct ShapeRequest {
    Area area;           // where the view is
    Camera camera;       // pixels of `dpi`
    double dpi = 96;     //
    double line_pt = 0;  // 0: as the renderer decides
    bool light = false;
    uint64_t most = 0;  // elements
};

/// Of a view of the plane; lattices are left out. Nothing: there are more elements to be seen than `most`. Reads
/// buffers: call it with the lease.
std::optional<std::vector<ShapeLayer>> shapes_of(const SceneView& view, const DisplayOptions& display,
                                                 const ShapeRequest& request, uint64_t& elements);
/// The words of labels alone.
std::vector<ShapeLayer> words_of(const SceneView& view, const DisplayOptions& display, const ShapeRequest& request);

void draw_shapes(const Ink& ink, const ShapeLayer& layer);

}  // namespace flipscope::app
