// Drawings by cairo: painted into pixels, or written as PDF with embedded fonts.
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

#include "app/base/folders.h"
#include "app/figures/writing.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr double kUnitSize = 100;  // size of the fonts for measuring

cairo_font_options_t* font_options() {
    // Glyphs are equal in every tile, and the length of a text is proportional to its size.
    cairo_font_options_t* const options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    return options;
}

/// A part of a text with a font that has its characters.
struct TextPiece {
    cairo_font_face_t* face;
    cairo_scaled_font_t* measured;
    std::string text;
    double width(double size) const {
        cairo_text_extents_t extents;
        cairo_scaled_font_text_extents(measured, text.c_str(), &extents);
        return extents.x_advance * size / kUnitSize;
    }
};

/// Inter, as in the window, and the fonts that fontconfig finds for characters that Inter lacks. Thread-safe: one
/// thread may plan a figure while another draws one.
class FontFaces {
  public:
    static FontFaces& of(Letters letters) {
        // Never destroyed.
        static FontFaces &plain = *new FontFaces(FC_WEIGHT_REGULAR), &strong = *new FontFaces(FC_WEIGHT_SEMIBOLD);
        return letters == Letters::kStrong ? strong : plain;
    }

    /// Replaces invalid UTF-8 by U+FFFD; cairo would stop drawing there.
    std::vector<TextPiece> pieces(std::string_view text) {
        const std::lock_guard lock(mutex_);
        std::vector<TextPiece> made;
        while (!text.empty()) {
            FcChar32 letter = 0;
            const int length = FcUtf8ToUcs4(reinterpret_cast<const FcChar8*>(text.data()), &letter,
                                            static_cast<int>(std::min<size_t>(text.size(), 6)));
            const bool valid = length > 0 && letter >= ' ';
            const Face& face = face_of(valid ? letter : 0xFFFD);
            if (made.empty() || made.back().face != face.face) made.push_back({face.face, face.measured, {}});
            made.back().text += valid ? text.substr(0, static_cast<size_t>(length)) : "\uFFFD";
            text.remove_prefix(static_cast<size_t>(std::max(length, 1)));
        }
        return made;
    }

  private:
    struct Face {
        FcCharSet* letters;
        cairo_font_face_t* face;
        cairo_scaled_font_t* measured;
    };

    explicit FontFaces(int weight) : weight_(weight) {
        const std::filesystem::path own = shared_folder() / "fonts";  // of a bundle: the same text on every machine
        std::error_code ignored;
        if (own.is_absolute() && std::filesystem::is_directory(own, ignored))
            FcConfigAppFontAddDir(nullptr, reinterpret_cast<const FcChar8*>(own.c_str()));
        FcPattern* const inter = FcPatternCreate();
        FcPatternAddString(inter, FC_FAMILY, reinterpret_cast<const FcChar8*>("Inter"));
        if (!add(inter, ' ')) throw Error("fontconfig finds no font for the words of a figure; install fonts-inter");
    }

    /// Adds fontconfig's match for `wanted`, which it consumes. False: the match lacks the letter.
    bool add(FcPattern* wanted, FcChar32 letter) {
        FcPatternAddBool(wanted, FC_SCALABLE, FcTrue);
        FcPatternAddInteger(wanted, FC_WEIGHT, weight_);
        FcConfigSubstitute(nullptr, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        FcResult result;
        FcPattern* const found = FcFontMatch(nullptr, wanted, &result);
        FcPatternDestroy(wanted);
        FcCharSet* letters = nullptr;
        if (!found) return false;
        if (FcPatternGetCharSet(found, FC_CHARSET, 0, &letters) != FcResultMatch ||
            !FcCharSetHasChar(letters, letter)) {
            FcPatternDestroy(found);
            return false;
        }
        cairo_font_face_t* const face = cairo_ft_font_face_create_for_pattern(found);
        cairo_matrix_t size, whole;
        cairo_matrix_init_scale(&size, kUnitSize, kUnitSize);
        cairo_matrix_init_identity(&whole);
        cairo_font_options_t* const options = font_options();
        faces_.push_back({letters, face, cairo_scaled_font_create(face, &size, &whole, options)});
        cairo_font_options_destroy(options);
        return true;
    }

    const Face& face_of(FcChar32 letter) {
        const auto known =
            std::ranges::find_if(faces_, [&](const Face& face) { return FcCharSetHasChar(face.letters, letter); });
        if (known != faces_.end()) return *known;
        if (FcCharSetHasChar(missing_, letter)) return faces_[0];
        FcPattern* const any = FcPatternCreate();
        FcCharSet* const one = FcCharSetCreate();
        FcCharSetAddChar(one, letter);
        FcPatternAddCharSet(any, FC_CHARSET, one);
        FcCharSetDestroy(one);
        if (add(any, letter)) return faces_.back();
        FcCharSetAddChar(missing_, letter);
        return faces_[0];
    }

    int weight_;  // in fontconfig's units
    std::mutex mutex_;
    std::vector<Face> faces_;
    FcCharSet* missing_ = FcCharSetCreate();  // characters that no font has
};

class CairoDrawing : public DocumentDrawing {
  public:
    explicit CairoDrawing(cairo_surface_t* surface, Letters letters = Letters::kPlain)
        : surface_(surface), cairo_(cairo_create(surface)), letters_(letters) {
        if (cairo_status(cairo_) != CAIRO_STATUS_SUCCESS) throw Error("cairo has no memory for a picture");
        cairo_font_options_t* const options = font_options();
        cairo_set_font_options(cairo_, options);
        cairo_font_options_destroy(options);
    }
    CairoDrawing(const CairoDrawing&) = delete;
    CairoDrawing& operator=(const CairoDrawing&) = delete;
    ~CairoDrawing() override {
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
        cairo_set_dash(cairo_, &paint.dash, paint.dash > 0, 0);
        cairo_set_antialias(cairo_, paint.adjoining ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
    }
    void end_group() override { cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT); }
    void line(Point a, Point b) override { polyline({a, b}); }
    void polyline(const std::vector<Point>& places) override {
        path(places);
        finish_path(false);
    }
    void polygon(const std::vector<Point>& places) override {
        path(places);
        cairo_close_path(cairo_);
        finish_path(true);
    }
    void disc(Point centre, double radius) override {
        cairo_new_path(cairo_);
        cairo_arc(cairo_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
        finish_path(true);
    }
    void text(Point at, double size, double anchor, const Color& color, const std::string& text) override {
        source(color);
        double x = at.x - anchor * text_width(text, size, letters_), y = base_line(at.y);
        for (const TextPiece& piece : FontFaces::of(letters_).pieces(text)) {
            cairo_set_font_face(cairo_, piece.face);
            cairo_set_font_size(cairo_, size);
            cairo_move_to(cairo_, x, y);
            show(piece.text.c_str());
            x += piece.width(size);
        }
        cairo_new_path(cairo_);
    }

  protected:
    virtual double base_line(double y) const { return y; }
    virtual void show(const char* text) { cairo_show_text(cairo_, text); }

    cairo_surface_t* surface_;
    cairo_t* cairo_;

  private:
    void source(const Color& color) { cairo_set_source_rgba(cairo_, color.r, color.g, color.b, color.a); }
    void path(const std::vector<Point>& places) {
        cairo_new_path(cairo_);
        for (const Point& p : places) cairo_line_to(cairo_, p.x, p.y);
    }
    void finish_path(bool closed) {
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

    Letters letters_;
    Paint paint_;
};

class Painting : public CairoDrawing {
  public:
    Painting(unsigned char* rgba, int width, int height, int left, int top, double dpi, Letters letters)
        : CairoDrawing(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height), letters),
          rgba_(rgba),
          width_(width),
          height_(height) {
        cairo_translate(cairo_, -left, -top);
        cairo_scale(cairo_, dpi / 72, dpi / 72);
    }
    ~Painting() override {
        cairo_surface_flush(surface_);
        const unsigned char* const from = cairo_image_surface_get_data(surface_);
        const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(surface_));
        for (size_t y = 0; from && y < static_cast<size_t>(height_); ++y)
            for (size_t x = 0; x < static_cast<size_t>(width_); ++x) {
                uint32_t over;  // premultiplied
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
    }
    void image(const Area&, const Pixels&) override {}  // the pixels already contain the renderer's
    std::string finish() override { return {}; }

  protected:
    // Letters are sharper on a whole pixel.
    double base_line(double y) const override {
        double x = 0;
        cairo_user_to_device(cairo_, &x, &y);
        y = std::floor(y + 0.5);  // the same pixel in every tile
        cairo_device_to_user(cairo_, &x, &y);
        return y;
    }
    // As outlines: cairo rounds the places of glyphs to pixels, which leaves gaps within small words.
    void show(const char* text) override {
        cairo_text_path(cairo_, text);
        cairo_fill(cairo_);
    }

  private:
    unsigned char* rgba_;
    int width_, height_;
};

class Pdf : public CairoDrawing {
  public:
    Pdf(std::unique_ptr<std::string> bytes, double width, double height, const std::string& title)
        : CairoDrawing(cairo_pdf_surface_create_for_stream(append, bytes.get(), width, height)),
          bytes_(std::move(bytes)) {
        std::string valid;
        for (const TextPiece& piece : FontFaces::of(Letters::kPlain).pieces(title)) valid += piece.text;
        cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, valid.c_str());
        // Without the date, equal figures are equal files.
        cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATE_DATE, "");
    }
    ~Pdf() override { cairo_surface_finish(surface_); }
    void image(const Area& area, const Pixels& pixels) override {
        cairo_surface_t* const image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels.width, pixels.height);
        unsigned char* const to = cairo_image_surface_get_data(image);
        if (!to) throw Error("cairo has no memory for a picture");
        const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(image));
        const auto width = static_cast<size_t>(pixels.width), height = static_cast<size_t>(pixels.height);
        for (size_t i = 0; i < width * height; ++i) {
            const unsigned char* const from = &pixels.rgba[4 * i];
            uint32_t pixel = uint32_t(from[3]) << 24;
            for (int k = 0; k < 3; ++k) pixel |= (from[k] * uint32_t(from[3]) + 127) / 255 << (16 - 8 * k);
            std::memcpy(to + i / width * stride + 4 * (i % width), &pixel, sizeof pixel);
        }
        cairo_surface_mark_dirty(image);
        cairo_save(cairo_);
        cairo_translate(cairo_, area.x, area.y);
        cairo_scale(cairo_, area.width / pixels.width, area.height / pixels.height);
        cairo_set_source_surface(cairo_, image, 0, 0);
        cairo_paint(cairo_);
        cairo_restore(cairo_);
        cairo_surface_destroy(image);
    }
    std::string finish() override {
        cairo_show_page(cairo_);
        cairo_surface_finish(surface_);
        if (const cairo_status_t status = cairo_surface_status(surface_); status != CAIRO_STATUS_SUCCESS)
            throw Error(std::string("cairo cannot write this PDF: ") + cairo_status_to_string(status));
        return std::move(*bytes_);
    }

  private:
    static cairo_status_t append(void* to, const unsigned char* data, unsigned int length) {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
        return CAIRO_STATUS_SUCCESS;
    }
    std::unique_ptr<std::string> bytes_;
};

}  // namespace

double text_width(const std::string& text, double size, Letters letters) {
    double sum = 0;
    for (const TextPiece& piece : FontFaces::of(letters).pieces(text)) sum += piece.width(size);
    return sum;
}

double text_width(const std::string& text, double size) { return text_width(text, size, Letters::kPlain); }

std::unique_ptr<DocumentDrawing> pdf_drawing(double width, double height, const std::string& title) {
    return std::make_unique<Pdf>(std::make_unique<std::string>(), width, height, title);
}

std::unique_ptr<Drawing> painting(unsigned char* rgba, int width, int height, int left, int top, double dpi) {
    return std::make_unique<Painting>(rgba, width, height, left, top, dpi, Letters::kPlain);
}

Writing::Writing(Pixels& page, const Palette& colors, double size, Letters letters)
    : painting_(std::make_unique<Painting>(page.rgba.data(), page.width, page.height, 0, 0, 72, letters)),
      ink{*painting_, colors, size,
          [letters](const std::string& text, double of_size) { return text_width(text, of_size, letters); }} {}

}  // namespace flipscope::app
