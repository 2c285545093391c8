// PDF as ISO 32000-1 has it: one page, its layers as optional content groups, text in the standard fonts, images
// deflated. Written by hand: cairo 1.16 has no layers.
#include <zlib.h>

#include <charconv>
#include <cmath>
#include <map>
#include <new>

#include "app/figures/drawing.h"

namespace flipscope::app {

namespace {

void put_pdf(std::string& to, double value) {
    char digits[48];
    const double clamped = std::abs(value) < 30000 ? value : std::copysign(30000, value);
    const char* end = std::to_chars(digits, digits + sizeof digits, clamped, std::chars_format::fixed, 4).ptr;
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
    const std::string_view text(digits, static_cast<size_t>(end - digits));
    to += text == "-0" ? "0" : text;
    to += ' ';
}

std::string deflated(std::string_view bytes) {
    uLongf size = compressBound(bytes.size());
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  bytes.size(), Z_DEFAULT_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    packed.resize(size);
    return packed;
}

std::vector<uint32_t> characters(const std::string& text) {
    std::vector<uint32_t> found;
    for (size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i++]);
        int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
        uint32_t code = more == 3 ? first & 7u : more == 2 ? first & 15u : more == 1 ? first & 31u : first;
        for (; more > 0 && i < text.size(); --more) code = code << 6 | (static_cast<unsigned char>(text[i++]) & 63u);
        found.push_back(code);
    }
    return found;
}

/// In the encoding of the standard fonts, Windows' code page 1252; 0: there is none such.
unsigned char in_helvetica(uint32_t code) {
    if ((code >= 32 && code < 127) || (code >= 160 && code < 256)) return static_cast<unsigned char>(code);
    switch (code) {
        case 0x2026:
            return 133;  // …
        case 0x2013:
        case 0x2212:
            return 150;  // – and the minus sign
        case 0x2019:
            return 146;
        case 0x201C:
            return 147;
        case 0x201D:
            return 148;
        case 0x2009:
        case 0x202F:
            return 32;  // narrow blanks
        default:
            return 0;
    }
}

/// In the encoding of Symbol; 0: there is none such.
unsigned char in_symbol(uint32_t code) {
    static constexpr char kSmall[] = "abgdezhqiklmnxoprVstufcyw", kCapital[] = "ABGDEZHQIKLMNXOPR STUFCYW";
    if (code >= 0x3B1 && code <= 0x3C9) return static_cast<unsigned char>(kSmall[code - 0x3B1]);
    if (code >= 0x391 && code <= 0x3A9) return static_cast<unsigned char>(kCapital[code - 0x391]);
    switch (code) {
        case 0x2264:
            return 163;
        case 0x2265:
            return 179;
        case 0x221E:
            return 165;
        case 0x2192:
            return 174;
        case 0x221A:
            return 214;
        default:
            return 0;
    }
}

class Pdf : public DocumentDrawing {
  public:
    Pdf(double width, double height, const std::string& title) : width_(width), height_(height), title_(title) {}

    void begin_layer(const std::string&, const std::string& title, const std::optional<Area>& clip) override {
        layers_.push_back(title);
        page_ += "/OC /L" + std::to_string(layers_.size()) + " BDC\nq\n";
        if (!clip) return;
        for (const double value : {clip->x, height_ - clip->bottom(), clip->width, clip->height}) put_pdf(page_, value);
        page_ += "re W n\n";
    }
    void end_layer() override { page_ += "Q\nEMC\n"; }
    void begin_group(const std::string&, const Paint& paint) override {
        paint_ = paint;
        page_ += "q\n";
        if (paint.fill) colour(*paint.fill, "rg");
        if (paint.stroke) {
            colour(*paint.stroke, "RG");
            put_pdf(page_, paint.width);
            page_ += paint.round ? "w 1 J 1 j\n" : "w\n";
        }
        alpha(paint.fill ? paint.fill->a : 1, paint.stroke ? paint.stroke->a : 1);
    }
    void end_group() override { page_ += "Q\n"; }
    void line(Point a, Point b) override {
        path({a, b});
        page_ += "S\n";
    }
    void polyline(const std::vector<Point>& places) override {
        path(places);
        page_ += "S\n";
    }
    void polygon(const std::vector<Point>& places) override {
        path(places);
        close();
    }
    void disc(Point centre, double radius) override {
        constexpr double kHandle = 0.5522847498;  // of the Bézier curves that come nearest to a quarter of a circle
        const double k = kHandle * radius;
        move({centre.x + radius, centre.y});
        const Point corners[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
        for (int i = 0; i < 4; ++i) {
            const Point a = corners[i], b = corners[i + 1];
            place({centre.x + radius * a.x + k * b.x, centre.y + radius * a.y + k * b.y});
            place({centre.x + radius * b.x + k * a.x, centre.y + radius * b.y + k * a.y});
            place({centre.x + radius * b.x, centre.y + radius * b.y});
            page_ += "c\n";
        }
        close();
    }
    void text(Point at, double size, double anchor, const Color& color, const std::string& text) override {
        page_ += "q\n";
        colour(color, "rg");
        alpha(color.a, 1);
        page_ += "BT\n";
        place({at.x - anchor * text_width(text, size), at.y});
        page_ += "Td\n";
        int font = 0;
        std::string run;
        const auto show = [&] {
            if (!run.empty()) page_ += "(" + run + ") Tj\n";
            run.clear();
        };
        for (const uint32_t code : characters(text)) {
            unsigned char byte = in_helvetica(code);
            int wanted = 1;
            if (byte == 0 && (byte = in_symbol(code)) != 0) wanted = 2;
            if (byte == 0) byte = '?';
            if (wanted != font) {
                show();
                page_ += "/F" + std::to_string(wanted) + " ";
                put_pdf(page_, size);
                page_ += "Tf\n";
                font = wanted;
            }
            if (byte == '(' || byte == ')' || byte == '\\') run += '\\';
            run += static_cast<char>(byte);
        }
        show();
        page_ += "ET\nQ\n";
    }
    void image(const Area& area, const Pixels& pixels) override {
        const size_t count = static_cast<size_t>(pixels.width) * static_cast<size_t>(pixels.height);
        std::string colours(3 * count, '\0'), alphas(count, '\0');
        bool opaque = true;
        for (size_t i = 0; i < count; ++i) {
            for (size_t k = 0; k < 3; ++k) colours[3 * i + k] = static_cast<char>(pixels.rgba[4 * i + k]);
            alphas[i] = static_cast<char>(pixels.rgba[4 * i + 3]);
            opaque = opaque && pixels.rgba[4 * i + 3] == 255;
        }
        images_.push_back({pixels.width, pixels.height, deflated(colours), opaque ? std::string() : deflated(alphas)});
        page_ += "q\n";
        for (const double value : {area.width, 0.0, 0.0, area.height, area.x, height_ - area.bottom()})
            put_pdf(page_, value);
        page_ += "cm /I" + std::to_string(images_.size()) + " Do\nQ\n";
    }

    std::string finish() override {
        out_ = "%PDF-1.5\n%\xE2\xE3\xCF\xD3\n";
        // Objects 1 to 6 are always there; then come layers, images and their alphas.
        const size_t first_layer = 7, first_image = first_layer + layers_.size();
        std::string layers, order, properties, states, pictures;
        for (size_t i = 0; i < layers_.size(); ++i) {
            order += reference(first_layer + i);
            properties += "/L" + std::to_string(i + 1) + " " + reference(first_layer + i);
        }
        for (const auto& [key, number] : states_) {
            states += "/G" + std::to_string(number) + " << /ca ";
            put_pdf(states, key.first / 1000.0);
            states += "/CA ";
            put_pdf(states, key.second / 1000.0);
            states += ">> ";
        }
        for (size_t i = 0; i < images_.size(); ++i)
            pictures += "/I" + std::to_string(i + 1) + " " + reference(first_image + 2 * i);
        object(1, "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [" + order + "] /D << /Order [" + order +
                      "] /ON [" + order + "] >> >> >>");
        object(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
        std::string page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ";
        put_pdf(page, width_);
        put_pdf(page, height_);
        page +=
            "] /Contents 4 0 R /Group << /S /Transparency /CS /DeviceRGB >> /Resources << /Font << /F1 << /Type /Font "
            "/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> /F2 << /Type /Font /Subtype /Type1 "
            "/BaseFont /Symbol >> >> /Properties << " +
            properties + ">> /ExtGState << " + states + ">> /XObject << " + pictures + ">> >> >>";
        object(3, page);
        const std::string packed = deflated(page_);
        stream(4, "/Filter /FlateDecode", packed);
        object(5, "<< /Title " + words(title_) + " /Producer (Flipscope) >>");
        object(6, "null");
        for (size_t i = 0; i < layers_.size(); ++i)
            object(first_layer + i, "<< /Type /OCG /Name " + words(layers_[i]) + " >>");
        for (size_t i = 0; i < images_.size(); ++i) {
            const Image& image = images_[i];
            const size_t number = first_image + 2 * i;
            const std::string size = "/Type /XObject /Subtype /Image /Width " + std::to_string(image.width) +
                                     " /Height " + std::to_string(image.height) +
                                     " /BitsPerComponent 8 /Filter /FlateDecode ";
            stream(number,
                   size + "/ColorSpace /DeviceRGB" + (image.alphas.empty() ? "" : " /SMask " + reference(number + 1)),
                   image.colours);
            if (image.alphas.empty())
                object(number + 1, "null");
            else
                stream(number + 1, size + "/ColorSpace /DeviceGray", image.alphas);
        }
        const size_t table = out_.size(), count = offsets_.size() + 1;
        out_ += "xref\n0 " + std::to_string(count) + "\n0000000000 65535 f \n";
        for (const size_t offset : offsets_) {
            std::string digits = std::to_string(offset);
            out_ += std::string(10 - digits.size(), '0') + digits + " 00000 n \n";
        }
        out_ += "trailer\n<< /Size " + std::to_string(count) + " /Root 1 0 R /Info 5 0 R >>\nstartxref\n" +
                std::to_string(table) + "\n%%EOF\n";
        return std::move(out_);
    }

  private:
    struct Image {
        int width, height;
        std::string colours, alphas;  // deflated; no alphas: opaque
    };
    static std::string reference(size_t number) { return std::to_string(number) + " 0 R "; }
    /// A text string in UTF-16.
    static std::string words(const std::string& text) {
        static constexpr char kDigits[] = "0123456789ABCDEF";
        std::string hex = "<FEFF";
        const auto unit = [&](uint32_t value) {
            for (int shift = 12; shift >= 0; shift -= 4) hex += kDigits[value >> shift & 15];
        };
        for (const uint32_t code : characters(text)) {
            if (code < 0x10000) {
                unit(code);
            } else {
                unit(0xD800 + ((code - 0x10000) >> 10));
                unit(0xDC00 + ((code - 0x10000) & 0x3FF));
            }
        }
        return hex + ">";
    }
    void object(size_t number, const std::string& text) {
        offsets_.push_back(out_.size());
        out_ += std::to_string(number) + " 0 obj\n" + text + "\nendobj\n";
    }
    void stream(size_t number, const std::string& entries, const std::string& bytes) {
        object(number,
               "<< " + entries + " /Length " + std::to_string(bytes.size()) + " >>\nstream\n" + bytes + "\nendstream");
    }
    void place(Point p) {
        put_pdf(page_, p.x);
        put_pdf(page_, height_ - p.y);
    }
    void move(Point p) {
        place(p);
        page_ += "m\n";
    }
    void path(const std::vector<Point>& places) {
        for (size_t i = 0; i < places.size(); ++i) {
            place(places[i]);
            page_ += i == 0 ? "m\n" : "l\n";
        }
    }
    void close() { page_ += paint_.fill && paint_.stroke ? "h B\n" : paint_.stroke ? "h S\n" : "h f\n"; }
    void colour(const Color& color, const char* which) {
        for (const float part : {color.r, color.g, color.b}) put_pdf(page_, part);
        (page_ += which) += '\n';
    }
    void alpha(double fill, double stroke) {
        const std::pair key(std::lround(1000 * fill), std::lround(1000 * stroke));
        if (key.first == 1000 && key.second == 1000) return;
        const size_t number = states_.try_emplace(key, states_.size() + 1).first->second;
        page_ += "/G" + std::to_string(number) + " gs\n";
    }

    double width_, height_;
    std::string title_, page_, out_;
    Paint paint_;
    std::vector<std::string> layers_;
    std::map<std::pair<long, long>, size_t> states_;
    std::vector<Image> images_;
    std::vector<size_t> offsets_;
};

}  // namespace

std::unique_ptr<DocumentDrawing> pdf_drawing(double width, double height, const std::string& title) {
    return std::make_unique<Pdf>(width, height, title);
}

}  // namespace flipscope::app
