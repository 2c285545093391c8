// Drawings as SVG, and what all drawings have in common.
#include "app/view/drawing.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/base/xml_text.h"
#include "app/images/png.h"

namespace flipscope::app {

namespace {

/// At most four decimals: a ten-thousandth of a point, in any world units.
void put_number(std::string& to, double value) {
    char digits[48];
    const double clamped = std::abs(value) < 1e9 ? value : std::copysign(1e9, value);
    const char* end = std::to_chars(digits, digits + sizeof digits, clamped, std::chars_format::fixed, 4).ptr;
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
    const std::string_view text(digits, static_cast<size_t>(end - digits));
    to += text == "-0" ? "0" : text;
}

std::string hex_colour(const Color& color) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "#";
    for (const float part : {color.r, color.g, color.b}) {
        const auto byte = static_cast<unsigned>(std::lround(255 * std::clamp(part, 0.f, 1.f)));
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

class Svg : public DocumentDrawing {
  public:
    Svg(double width, double height, const std::string& title) {
        out_ =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "xmlns:inkscape=\"http://www.inkscape.org/namespaces/inkscape\" width=\"";
        put_number(out_, width);
        out_ += "pt\" height=\"";
        put_number(out_, height);
        out_ += "pt\" viewBox=\"0 0 ";
        put_number(out_, width);
        out_ += ' ';
        put_number(out_, height);
        out_ += "\" font-family=\"Inter, Helvetica, Arial, sans-serif\">\n<title>" + escape_xml(title) + "</title>\n";
    }
    void begin_layer(const std::string& id, const std::string& title, const std::optional<Area>& clip) override {
        const std::string name = "layer-" + std::to_string(++layers_) + "-" + id;
        if (clip) {
            out_ += "<clipPath id=\"clip-" + escape_xml(name) + "\"><rect";
            box(*clip);
            out_ += "/></clipPath>\n";
        }
        out_ += "<g id=\"" + escape_xml(name) + "\" inkscape:groupmode=\"layer\" inkscape:label=\"" +
                escape_xml(title) + "\"";
        if (clip) out_ += " clip-path=\"url(#clip-" + escape_xml(name) + ")\"";
        out_ += ">\n";
    }
    void end_layer() override { out_ += "</g>\n"; }
    void begin_group(const std::string& title, const Paint& paint) override {
        out_ += "<g";
        colour("fill", paint.fill);
        colour("stroke", paint.stroke);
        if (paint.stroke) {
            attribute("stroke-width", paint.width);
            if (paint.dash > 0) attribute("stroke-dasharray", paint.dash);
            if (paint.round) out_ += " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
        }
        if (paint.adjoining) out_ += " shape-rendering=\"crispEdges\"";
        out_ += ">\n";
        if (!title.empty()) out_ += "<title>" + escape_xml(title) + "</title>\n";
    }
    void end_group() override { out_ += "</g>\n"; }
    void line(Point a, Point b) override {
        out_ += "<line";
        attribute("x1", a.x);
        attribute("y1", a.y);
        attribute("x2", b.x);
        attribute("y2", b.y);
        out_ += "/>\n";
    }
    void polyline(const std::vector<Point>& places) override { shape("polyline", places, " fill=\"none\""); }
    void polygon(const std::vector<Point>& places) override { shape("polygon", places, ""); }
    void disc(Point centre, double radius) override {
        out_ += "<circle";
        attribute("cx", centre.x);
        attribute("cy", centre.y);
        attribute("r", radius);
        out_ += "/>\n";
    }
    void text(Point at, double size, double anchor, const Color& color, const std::string& text) override {
        out_ += "<text";
        attribute("x", at.x);
        attribute("y", at.y);
        attribute("font-size", size);
        colour("fill", color);
        if (anchor > 0) out_ += anchor < 1 ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
        out_ += ">" + escape_xml(text) + "</text>\n";
    }
    void image(const Area& area, const Pixels& pixels) override {
        const std::string png = png_of(pixels.rgba, pixels.width, pixels.height, true);
        out_ += "<image";
        box(area);
        out_ += " preserveAspectRatio=\"none\" href=\"data:image/png;base64," + base64(png) + "\"/>\n";
    }
    std::string finish() override { return std::move(out_) + "</svg>\n"; }

  private:
    void attribute(const char* name, double value) {
        ((out_ += ' ') += name) += "=\"";
        put_number(out_, value);
        out_ += '"';
    }
    void box(const Area& area) {
        attribute("x", area.x);
        attribute("y", area.y);
        attribute("width", area.width);
        attribute("height", area.height);
    }
    void colour(const char* name, const std::optional<Color>& color) {
        ((out_ += ' ') += name) += "=\"" + (color ? hex_colour(*color) : "none") + "\"";
        if (color && color->a < 1) attribute((std::string(name) + "-opacity").c_str(), color->a);
    }
    void shape(const char* name, const std::vector<Point>& places, const char* more) {
        (out_ += '<') += name;
        (out_ += more) += " points=\"";
        for (size_t i = 0; i < places.size(); ++i) {
            if (i > 0) out_ += ' ';
            put_number(out_, places[i].x);
            out_ += ',';
            put_number(out_, places[i].y);
        }
        out_ += "\"/>\n";
    }

    std::string out_;
    size_t layers_ = 0;
};

}  // namespace

Pixels Pixels::filled(int width, int height, const Color& color) {
    Pixels made{width, height,
                std::vector<unsigned char>(static_cast<size_t>(width) * static_cast<size_t>(height) * 4, 255)};
    const auto byte = [](float part) { return static_cast<unsigned char>(std::lround(255 * part)); };
    const unsigned char parts[] = {byte(color.r), byte(color.g), byte(color.b)};
    for (size_t i = 0; i < made.rgba.size(); i += 4) std::copy_n(parts, 3, &made.rgba[i]);
    return made;
}

void Pixels::place(const Pixels& picture, int x, int y) {
    const int left = std::max(x, 0), right = std::min(x + picture.width, width);
    const auto at = [](const Pixels& of, int column, int row) {
        return 4 * (static_cast<ptrdiff_t>(row) * of.width + column);
    };
    for (int row = std::max(y, 0); left < right && row < std::min(y + picture.height, height); ++row)
        std::copy_n(picture.rgba.begin() + at(picture, left - x, row - y), 4 * (right - left),
                    rgba.begin() + at(*this, left, row));
}

void Drawing::band(const std::vector<Point>& one, const std::vector<Point>& other) {
    std::vector<Point> around = one;
    around.insert(around.end(), other.rbegin(), other.rend());
    polygon(around);
}

void Drawing::rectangle(const Area& area, const Paint& paint, const std::string& title) {
    begin_group(title, paint);
    polygon({{area.x, area.y}, {area.right(), area.y}, {area.right(), area.bottom()}, {area.x, area.bottom()}});
    end_group();
}

void Drawing::stroke(Point a, Point b, const Color& color, double width) {
    begin_group({}, {{}, color, width});
    line(a, b);
    end_group();
}

std::unique_ptr<DocumentDrawing> svg_drawing(double width, double height, const std::string& title) {
    return std::make_unique<Svg>(width, height, title);
}

}  // namespace flipscope::app
