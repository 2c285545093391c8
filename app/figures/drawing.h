// Vector drawings: lines, polygons, discs, text and images in named layers, written as SVG, as PDF, painted into
// pixels, or drawn in the window (pen.h). Everything of a picture but what the renderer draws goes through here, so
// that what is seen is what is saved. Knows no scene and no OpenGL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/view/palette.h"
#include "geometry/point.h"

namespace flipscope::app {

/// From the upper left corner, y down, as all places of a drawing. Units are points (1/72 inch), in the window those of
/// its draw lists.
struct Area {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
};

/// How the shapes of a group look. What is not given is not drawn.
struct Paint {
    std::optional<Color> fill, stroke;
    double width = 1;        // of strokes
    bool round = false;      // ends and corners of strokes
    bool adjoining = false;  // fills that lie side by side: no seams between them
    double dash = 0;         // length of dashes and of the gaps between them; 0: whole lines
};

struct Pixels {
    int width = 0, height = 0;
    std::vector<unsigned char> rgba;  // rows from the top; colours not multiplied by their alpha

    /// All in one colour, which is opaque.
    static Pixels filled(int width, int height, const Color& color);
    /// Copies a picture to (x, y), its upper left corner, and clips it at the border.
    void place(const Pixels& picture, int x, int y);
};

class Drawing {
  public:
    virtual ~Drawing() = default;
    /// Layers follow one another; `clip`: nothing of it is seen beyond.
    virtual void begin_layer(const std::string& id, const std::string& title, const std::optional<Area>& clip) = 0;
    virtual void end_layer() = 0;
    /// Shapes of one look within a layer. `title`: what they are, or empty.
    virtual void begin_group(const std::string& title, const Paint& paint) = 0;
    virtual void end_group() = 0;
    virtual void line(Point a, Point b) = 0;
    virtual void polyline(const std::vector<Point>& places) = 0;
    virtual void polygon(const std::vector<Point>& places) = 0;
    virtual void disc(Point centre, double radius) = 0;
    /// In a layer, outside of groups. `at`: on the base line; `anchor`: 0 the text begins there, 0.5 it is centred, 1
    /// it ends there. `size`: of the font.
    virtual void text(Point at, double size, double anchor, const Color& color, const std::string& text) = 0;
    virtual void image(const Area& area, const Pixels& pixels) = 0;

    /// A rectangle as a group of its own.
    void rectangle(const Area& area, const Paint& paint, const std::string& title = {});
    void stroke(Point a, Point b, const Color& color, double width);
};

/// How wide a text is in the font of figures, which is the window's; points.
double text_width(const std::string& text, double size);

/// Nothing is drawn: to find out how large something would be.
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
/// PDF with the fonts that it uses; without layers.
std::unique_ptr<DocumentDrawing> pdf_drawing(double width, double height, const std::string& title);

/// Paints over `rgba`: `width` × `height` pixels, rows from the top, whose upper left corner is pixel (left, top) of
/// the drawing.
std::unique_ptr<Drawing> painting(unsigned char* rgba, int width, int height, int left, int top, double dpi);

}  // namespace flipscope::app
