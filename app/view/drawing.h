// Vector drawings: lines, polygons, discs, text and images in named layers, written as SVG, as PDF or painted into
// pixels (figures/drawing_cairo.h), or drawn in the window (figures/pen.h). Everything in a picture that the renderer
// does not draw goes through here, so that the saved file equals the display. Independent of scenes and OpenGL.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/palette.h"
#include "geometry/point.h"

namespace flipscope::app {

/// From the upper left corner, y down, like all coordinates of a drawing. Units are points (1/72 inch), in the window
/// those of its draw lists.
struct Area {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
};

/// How a group's shapes are drawn. An absent fill or stroke is not drawn.
struct Paint {
    std::optional<Color> fill, stroke;
    double width = 1;        // of strokes, in the drawing's units
    bool round = false;      // ends and corners of strokes
    bool adjoining = false;  // adjacent fills: no seams between them
    double dash = 0;         // length of dashes and gaps; 0: solid lines
};

struct Pixels {
    int width = 0, height = 0;
    std::vector<unsigned char> rgba;  // rows from the top; straight alpha

    /// All in one opaque colour.
    static Pixels filled(int width, int height, const Color& color);
    /// Copies a picture with its upper left corner to (x, y), clipped at the border.
    void place(const Pixels& picture, int x, int y);
};

class Drawing {
  public:
    virtual ~Drawing() = default;
    /// Layers do not nest; `clip`: clips the layer.
    virtual void begin_layer(const std::string& id, const std::string& title, const std::optional<Area>& clip) = 0;
    virtual void end_layer() = 0;
    /// Shapes of one paint within a layer. `title`: what they are, or empty.
    virtual void begin_group(const std::string& title, const Paint& paint) = 0;
    virtual void end_group() = 0;
    virtual void line(Point a, Point b) = 0;
    virtual void polyline(const std::vector<Point>& places) = 0;
    virtual void polygon(const std::vector<Point>& places) = 0;
    /// Between two polylines of equally many places, one above the other, that go right.
    virtual void band(const std::vector<Point>& one, const std::vector<Point>& other);
    virtual void disc(Point centre, double radius) = 0;
    /// Within a layer, outside of groups. `at`: on the base line; `anchor`: 0 left-aligned, 0.5 centred, 1
    /// right-aligned. `size`: font size.
    virtual void text(Point at, double size, double anchor, const Color& color, const std::string& text) = 0;
    virtual void image(const Area& area, const Pixels& pixels) = 0;

    /// A rectangle as a group of its own.
    void rectangle(const Area& area, const Paint& paint, const std::string& title = {});
    void stroke(Point a, Point b, const Color& color, double width);
};

/// Draws nothing: for measuring.
class NoDrawing : public Drawing {
  public:
    void begin_layer(const std::string&, const std::string&, const std::optional<Area>&) override {}
    void end_layer() override {}
    void begin_group(const std::string&, const Paint&) override {}
    void end_group() override {}
    void line(Point, Point) override {}
    void polyline(const std::vector<Point>&) override {}
    void polygon(const std::vector<Point>&) override {}
    void disc(Point, double) override {}
    void text(Point, double, double, const Color&, const std::string&) override {}
    void image(const Area&, const Pixels&) override {}
};

/// A whole file. `title`: of the document.
class DocumentDrawing : public Drawing {
  public:
    virtual std::string finish() = 0;
};
std::unique_ptr<DocumentDrawing> svg_drawing(double width, double height, const std::string& title);

}  // namespace flipscope::app
