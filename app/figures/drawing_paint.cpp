// Drawings painted into pixels, by cairo.
#include "app/figures/drawing.h"
#include "compute/error.h"

#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace flipscope::app {

namespace {

class Painting : public Drawing {
  public:
    Painting(unsigned char* rgba, int width, int height, int left, int top, double dpi)
        : rgba_(rgba), width_(width), height_(height) {
        surface_ = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
        cairo_ = cairo_create(surface_);
        if (cairo_status(cairo_) != CAIRO_STATUS_SUCCESS) throw Error("cairo has no memory for a picture");
        cairo_translate(cairo_, -left, -top);
        cairo_scale(cairo_, dpi / 72, dpi / 72);
        cairo_select_font_face(cairo_, "Helvetica", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
        // Glyphs lie alike in every tile, and texts of every size are as long as their size says.
        cairo_font_options_t* const options = cairo_font_options_create();
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
        cairo_set_font_options(cairo_, options);
        cairo_font_options_destroy(options);
    }
    Painting(const Painting&) = delete;
    Painting& operator=(const Painting&) = delete;
    ~Painting() override {
        cairo_surface_flush(surface_);
        const unsigned char* const from = cairo_image_surface_get_data(surface_);
        const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(surface_));
        for (size_t y = 0; from && y < static_cast<size_t>(height_); ++y)
            for (size_t x = 0; x < static_cast<size_t>(width_); ++x) {
                uint32_t over;  // multiplied by its alpha
                std::memcpy(&over, from + y * stride + 4 * x, sizeof over);
                if (over == 0) continue;
                unsigned char* const to = rgba_ + 4 * (y * static_cast<size_t>(width_) + x);
                const double alpha = (over >> 24) / 255.0, below = to[3] / 255.0, sum = alpha + below * (1 - alpha);
                for (int k = 0; k < 3; ++k) {
                    const double top = (over >> (16 - 8 * k) & 255) / 255.0;
                    to[k] = static_cast<unsigned char>(
                        std::lround(255 * std::min(1.0, (top + to[k] / 255.0 * below * (1 - alpha)) / sum)));
                }
                to[3] = static_cast<unsigned char>(std::lround(255 * sum));
            }
        cairo_destroy(cairo_);
        cairo_surface_destroy(surface_);
    }

    void begin_layer(const std::string&, const std::string&, const std::optional<Area>& clip) override {
        cairo_save(cairo_);
        if (!clip) return;
        cairo_rectangle(cairo_, clip->x, clip->y, clip->width, clip->height);
        cairo_clip(cairo_);
    }
    void end_layer() override { cairo_restore(cairo_); }
    void begin_group(const std::string&, const Paint& paint) override {
        paint_ = paint;
        cairo_set_line_width(cairo_, paint.width);
        cairo_set_line_cap(cairo_, paint.round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT);
        cairo_set_line_join(cairo_, paint.round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER);
        cairo_set_antialias(cairo_, paint.adjoining ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
    }
    void end_group() override { cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT); }
    void line(Point a, Point b) override {
        path({a, b});
        finish(false);
    }
    void polyline(const std::vector<Point>& places) override {
        path(places);
        finish(false);
    }
    void polygon(const std::vector<Point>& places) override {
        path(places);
        cairo_close_path(cairo_);
        finish(true);
    }
    void disc(Point centre, double radius) override {
        cairo_new_path(cairo_);
        cairo_arc(cairo_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
        finish(true);
    }
    void text(Point at, double size, double anchor, const Color& color, const std::string& text) override {
        cairo_set_font_size(cairo_, size);
        cairo_text_extents_t extents;
        cairo_text_extents(cairo_, text.c_str(), &extents);
        cairo_move_to(cairo_, at.x - anchor * extents.x_advance, at.y);
        source(color);
        cairo_show_text(cairo_, text.c_str());
        cairo_new_path(cairo_);
    }
    void image(const Area&, const Pixels&) override {}  // those of the renderer are in the pixels already

  private:
    void source(const Color& color) { cairo_set_source_rgba(cairo_, color.r, color.g, color.b, color.a); }
    void path(const std::vector<Point>& places) {
        cairo_new_path(cairo_);
        for (const Point& p : places) cairo_line_to(cairo_, p.x, p.y);
    }
    void finish(bool closed) {
        if (closed && paint_.fill) {
            source(*paint_.fill);
            cairo_fill_preserve(cairo_);
        }
        if (paint_.stroke) {
            source(*paint_.stroke);
            cairo_stroke_preserve(cairo_);
        }
        cairo_new_path(cairo_);
    }

    unsigned char* rgba_;
    int width_, height_;
    cairo_surface_t* surface_;
    cairo_t* cairo_;
    Paint paint_;
};

}  // namespace

std::unique_ptr<Drawing> painting(unsigned char* rgba, int width, int height, int left, int top, double dpi) {
    return std::make_unique<Painting>(rgba, width, height, left, top, dpi);
}

}  // namespace flipscope::app
