// Every format of images: each kind of pixel is decoded as its definition says, and truncated, corrupt, mislabelled or
// oversized images are refused with a message. No file is needed: bytes are decoded.
#include <algorithm>
#include <cmath>
#include <random>

#include "app/folders.h"
#include "app/image_files.h"
#include "app/images/images.h"
#include "app/program.h"
#include "app/run/scenario.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;
using namespace std::string_literals;

namespace {

using Values = std::vector<float>;

std::string refusal(const std::string& name, const std::string& bytes) {
    return error_of([&] { decode_image(name, bytes); });
}

/// The definition: luma after Rec. 709 on white paper, from samples of 0 to 1.
float grey(double red, double green, double blue, double most, double alpha = 1) {
    const double luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    return static_cast<float>(std::clamp(luma / most * alpha + (1 - alpha), 0.0, 1.0));
}

Values from_the_bottom(const Values& rows, size_t width) {
    Values turned;
    for (size_t row = rows.size() / width; row-- > 0;)
        turned.insert(turned.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * width),
                      rows.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    return turned;
}

struct Png {
    PngKind kind;
    std::string bytes;
    Values expected;
};

/// A PNG of random pixels, and what it shows.
Png random_png(PngKind kind, uint32_t width, uint32_t height, std::mt19937& random) {
    constexpr int kGrey = 0, kRgb = 2, kPalette = 3, kGreyAlpha = 4;
    const size_t channels = kind.colour_type == kRgb         ? 3
                            : kind.colour_type == kGreyAlpha ? 2
                            : kind.colour_type == 6          ? 4
                                                             : 1;
    const uint32_t most = (1u << kind.depth) - 1;
    std::vector<uint16_t> samples(size_t{width} * height * channels);
    // Few values in the small ones, so that the transparent colour occurs.
    const bool few = !kind.transparent.empty();
    const uint32_t count = kind.colour_type == kPalette ? static_cast<uint32_t>(kind.palette.size()) : most + 1;
    for (uint16_t& sample : samples)
        sample = static_cast<uint16_t>(few && random() % 2 ? kind.transparent[0] : random() % count);
    Values rows;
    for (size_t i = 0; i < samples.size(); i += channels) {
        const uint16_t* c = &samples[i];
        const bool out = !kind.transparent.empty() && std::equal(kind.transparent.begin(), kind.transparent.end(), c);
        // libpng and stb spread one, two and four bits over eight.
        const double full = kind.depth == 16 ? 65535 : 255, spread = full / most;
        if (kind.colour_type == kPalette) {
            const auto& colour = kind.palette[c[0]];
            const double alpha = c[0] < kind.palette_alpha.size() ? kind.palette_alpha[c[0]] / 255.0 : 1;
            rows.push_back(grey(colour[0], colour[1], colour[2], 255, alpha));
        } else if (kind.colour_type == kGrey) {
            const double g = c[0] * spread;
            rows.push_back(grey(g, g, g, full, out ? 0 : 1));
        } else if (kind.colour_type == kGreyAlpha) {
            rows.push_back(grey(c[0], c[0], c[0], full, c[1] / full));
        } else {
            rows.push_back(grey(c[0], c[1], c[2], full, channels == 4 ? c[3] / full : out ? 0 : 1));
        }
    }
    return {kind, png_of(kind, width, height, samples), from_the_bottom(rows, width)};
}

std::vector<PngKind> png_kinds() {
    std::vector<PngKind> kinds;
    for (const bool interlaced : {false, true}) {
        for (const int depth : {1, 2, 4, 8, 16}) {
            kinds.push_back({0, depth, interlaced});
            kinds.push_back({0, depth, interlaced, {}, {}, {1}});
            if (depth <= 8) {
                PngKind palette{3, depth, interlaced};
                for (int i = 0; i < 1 << depth; ++i)
                    palette.palette.push_back({uint8_t(i * 37), uint8_t(255 - i), uint8_t(i * 101)});
                kinds.push_back(palette);
                palette.palette_alpha = {0, 128};
                kinds.push_back(palette);
            }
            if (depth < 8) continue;
            kinds.push_back({2, depth, interlaced});
            kinds.push_back({2, depth, interlaced, {}, {}, {7, 7, 7}});
            kinds.push_back({4, depth, interlaced});
            kinds.push_back({6, depth, interlaced});
        }
    }
    return kinds;
}

std::string le(uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}
std::string be(uint64_t value, int bytes) {
    const std::string low = le(value, bytes);
    return {low.rbegin(), low.rend()};
}

/// A BMP with the usual header of 40 bytes; `rows` from the bottom, each padded to four bytes.
std::string bmp(int width, int height, int bits, const std::string& rows, const std::string& palette = "",
                uint32_t colours = 0) {
    const size_t at = 54 + palette.size();
    return "BM" + le(at + rows.size(), 4) + le(0, 4) + le(at, 4) + le(40, 4) + le(static_cast<uint32_t>(width), 4) +
           le(static_cast<uint32_t>(height), 4) + le(1, 2) + le(static_cast<uint64_t>(bits), 2) + le(0, 4) +
           le(rows.size(), 4) + le(2835, 4) + le(2835, 4) + le(colours, 4) + le(0, 4) + palette + rows;
}

/// The same with the header of OS/2, whose palettes have three bytes for each colour.
std::string os2_bmp(int width, int height, int bits, const std::string& rows, const std::string& palette) {
    const size_t at = 26 + palette.size();
    return "BM" + le(at + rows.size(), 4) + le(0, 4) + le(at, 4) + le(12, 4) + le(static_cast<uint64_t>(width), 2) +
           le(static_cast<uint64_t>(height), 2) + le(1, 2) + le(static_cast<uint64_t>(bits), 2) + palette + rows;
}

/// A stack as ImageJ writes it above 4 GB: its tags, which list one image, and then `pixels`, all images uncompressed.
std::string imagej_stack(bool high_first, uint16_t bits, uint16_t samples, uint32_t width, uint32_t height,
                         uint32_t images, const std::string& pixels) {
    const std::string description = "ImageJ=1.53t\nimages=" + std::to_string(images) + "\n" + '\0';
    constexpr uint32_t kTags = 11;
    const uint32_t text_at = 8 + 2 + 12 * kTags + 4, pixels_at = text_at + static_cast<uint32_t>(description.size());
    const auto number = [&](uint64_t value, int bytes) { return high_first ? be(value, bytes) : le(value, bytes); };
    std::string made = (high_first ? "MM\0*"s : "II*\0"s) + number(8, 4) + number(kTags, 2);
    const auto tag = [&](uint16_t id, uint16_t type, uint32_t count, uint32_t value) {
        made += number(id, 2) + number(type, 2) + number(count, 4);
        made += type == 3 ? number(value, 2) + number(0, 2) : number(value, 4);
    };
    tag(256, 4, 1, width);
    tag(257, 4, 1, height);
    tag(258, 3, 1, bits);
    tag(259, 3, 1, 1);
    tag(262, 3, 1, samples == 3 ? 2 : 1);
    tag(270, 2, static_cast<uint32_t>(description.size()), text_at);
    tag(273, 4, 1, pixels_at);
    tag(277, 3, 1, samples);
    tag(278, 4, 1, height);
    tag(279, 4, 1, width * height * samples * bits / 8);
    tag(339, 3, 1, bits == 32 ? 3 : 1);
    return made + number(0, 4) + description + pixels;
}

/// Every file that begins like this one and is shorter, but for those that end within `spare` bytes of the end.
void check_cuts(const std::string& name, const std::string& whole, size_t spare = 0) {
    REQUIRE(refusal(name, whole) == "accepted");
    for (size_t length = 0; length + spare < whole.size(); ++length) {
        CAPTURE(length);
        const std::string message = refusal(name, whole.substr(0, length));
        CHECK(message.starts_with(name + ":"));
        CHECK_FALSE(has(message, "\n"));
    }
}

}  // namespace

TEST_CASE("image formats: every kind of PNG is decoded exactly") {
    std::mt19937 random(7);
    for (const PngKind& kind : png_kinds()) {
        for (const uint32_t width : {1u, 5u, 33u}) {
            CAPTURE(kind.colour_type);
            CAPTURE(kind.depth);
            CAPTURE(kind.interlaced);
            CAPTURE(width);
            const Png png = random_png(kind, width, 9, random);
            const FieldStack field = decode_image("a.png", png.bytes);
            REQUIRE(field.values.size() == png.expected.size());
            CHECK(field.values == png.expected);
        }
    }
}

TEST_CASE("image formats: a truncated PNG and one with a changed bit are refused") {
    std::mt19937 random(8);
    for (const PngKind& kind :
         {PngKind{2, 8, false}, PngKind{0, 16, true}, PngKind{3, 2, false, {{1, 2, 3}, {4, 5, 6}}}}) {
        const Png png = random_png(kind, 5, 4, random);
        check_cuts("a.png", png.bytes);
        for (size_t i = 0; i < 8 * png.bytes.size(); ++i) {
            CAPTURE(i);
            std::string spoilt = png.bytes;
            spoilt[i / 8] = static_cast<char>(spoilt[i / 8] ^ 1 << i % 8);
            CHECK(refusal("a.png", spoilt).starts_with("a.png: "));
        }
    }
}

TEST_CASE("image formats: JPEGs are decoded within the compression's error: grey, coloured, progressive and CMYK") {
    constexpr uint32_t kWidth = 37, kHeight = 21;
    for (const int channels : {1, 3, 4}) {
        for (const bool progressive : {false, true}) {
            CAPTURE(channels);
            CAPTURE(progressive);
            std::vector<uint8_t> samples;
            Values rows;
            for (uint32_t y = 0; y < kHeight; ++y) {
                for (uint32_t x = 0; x < kWidth; ++x) {
                    const double c[] = {40.0 + 5 * x, 60.0 + 6 * y, 120.0 + 2 * x, 200.0};
                    for (int k = 0; k < channels; ++k) samples.push_back(static_cast<uint8_t>(c[k]));
                    const double ink = channels == 4 ? c[3] / 255 : 1;
                    rows.push_back(channels == 1 ? grey(c[0], c[0], c[0], 255)
                                                 : grey(c[0] * ink, c[1] * ink, c[2] * ink, 255));
                }
            }
            const std::string bytes = jpeg_of(kWidth, kHeight, channels, progressive, samples);
            const FieldStack field = decode_image("a.jpg", bytes);
            const Values expected = from_the_bottom(rows, kWidth);
            REQUIRE(field.values.size() == expected.size());
            double worst = 0;
            for (size_t i = 0; i < expected.size(); ++i)
                worst = std::max(worst, std::abs(double{field.values[i]} - expected[i]));
            CHECK(worst < 0.03);
            check_cuts("a.jpeg", bytes);
        }
    }
}

TEST_CASE("image formats: plain and raw PNM of every depth, with comments and any largest value") {
    const auto values = [](const std::string& name, const std::string& bytes) {
        return decode_image(name, bytes).values;
    };
    const auto fifth = [](int v) { return grey(v, v, v, 5); };
    CHECK(values("a.pgm", "P2\n# by hand\n2 # wide\n2\n5\n0 1\n5 3 # last\n") ==
          Values{fifth(5), fifth(3), fifth(0), fifth(1)});
    CHECK(values("a.pgm", "P5 2 2 5\n\0\1\5\3"s) == Values{fifth(5), fifth(3), fifth(0), fifth(1)});
    CHECK(values("a.pgm", "P5 2 1 255\n\0\x80"s) == Values{0, grey(128, 128, 128, 255)});
    CHECK(values("a.pgm", "P5\n2 1\n65535\n\x12\x34\xff\xff"s) == Values{grey(0x1234, 0x1234, 0x1234, 65535), 1});
    CHECK(values("a.pgm", "P5\r\n2 1\r\n1000\r\n\x01\xf4\x03\xe8"s) == Values{grey(500, 500, 500, 1000), 1});
    CHECK(values("a.pgm", "P5 2 1 255# no more\n\0\xff"s) == Values{0, 1});
    CHECK(values("a.ppm", "P3 1 2 100 100 0 0  0 50 100\n") == Values{grey(0, 50, 100, 100), grey(100, 0, 0, 100)});
    CHECK(values("a.ppm", "P6 1 1 255\n\x01\x02\x03"s) == Values{grey(1, 2, 3, 255)});
    CHECK(values("a.pnm", "P6 1 1 65535\n\x01\x02\x03\x04\x05\x06"s) == Values{grey(0x102, 0x304, 0x506, 65535)});
    CHECK(values("a.pbm", "P1\n3 2\n101\n0 1 0\n") == Values{1, 0, 1, 0, 1, 0});
    CHECK(values("a.pbm", "P4\n10 1\n\xaa\x40"s) == Values{0, 1, 0, 1, 0, 1, 0, 1, 1, 0});
}

TEST_CASE("image formats: a truncated, overlong or impossible PNM is refused with the place") {
    check_cuts("a.pgm", "P5 3 2 255\nabcdef");
    check_cuts("a.pgm", "P5 3 2 65535\nabcdefghijkl");
    check_cuts("a.ppm", "P6 1 2 255\nabcdef");
    check_cuts("a.pbm", "P4 9 2\nabcd");
    check_cuts("a.pgm", "P2 3 2 9 1 2 3 4 5 6");
    check_cuts("a.pbm", "P1 3 2 101010");
    CHECK(refusal("a.pgm", "P5 64 64 65535\n" + std::string(4096, 'x')) ==
          "a.pgm: cannot be read as an image: it ends early: 64 × 64 pixels take at least 8192 bytes, and 4096 follow "
          "its header");
    CHECK(refusal("a.pgm", "P5 65500 65500 9\n").find("is 65500 × 65500 pixels large; at most 16384 each way") !=
          std::string::npos);
    CHECK(has(refusal("a.pgm", "P5 99999999999999999999999 1 9\n"), "pixels large"));
    CHECK(has(refusal("a.pgm", "P5 0 1 9\n"), "its size is 0 × 1 pixels"));
    CHECK(has(refusal("a.pgm", "P5 -1 1 9\n"), "a.pgm:1: expected a width in pixels, found \"-1 1 9\""));
    CHECK(has(refusal("a.pgm", "P5 1\n1\n70000 x"), "a.pgm:3: expected 1 to 65535 as the largest value, found 70000"));
    CHECK(has(refusal("a.pgm", "P5 2 1 9\n\1\2P5 2 1 9\n\1\2"), "11 bytes follow its 2 × 1 pixels"));
    CHECK(refusal("a.pgm", "P5 2 1 9\n\1\2\n") == "accepted");
    CHECK(has(refusal("a.pgm", "P5 2 1 9\n\1\x0a"), "row 0 from the top, column 1 has 10, and the largest value"));
    CHECK(has(refusal("a.pgm", "P2 2 1 9\n1 10"), "a.pgm:2: a sample is 10, and the largest value was to be 9"));
    CHECK(has(refusal("a.pgm", "P2 2 1 9\n1 1.5"), "a.pgm:2: expected a number for each sample, found \"1.5\""));
    CHECK(has(refusal("a.pbm", "P1 2 1\n12"), "a.pbm:2: expected 0 or 1 for each pixel, found \"2\""));
    CHECK(has(refusal("a.pgm", "P2 2 1 9\n\x1b[31m"), "found \"\\x1b[31m\""));
}

TEST_CASE("image formats: BMP of every depth, in both directions of rows, with and without alpha") {
    const auto values = [](const std::string& bytes) { return decode_image("a.bmp", bytes).values; };
    const std::string two_colours("\x10\x20\x30\0\xff\xff\xff\0", 8);  // blue, green, red
    const float dark = grey(0x30, 0x20, 0x10, 255);
    CHECK(values(bmp(3, 2, 1, "\x40\0\0\0\xe0\0\0\0"s, two_colours)) == Values{dark, 1, dark, 1, 1, 1});
    CHECK(values(bmp(3, -2, 1, "\xe0\0\0\0\x40\0\0\0"s, two_colours)) == Values{dark, 1, dark, 1, 1, 1});
    CHECK(values(bmp(3, 1, 4, "\x01\x10\0\0"s, two_colours, 2)) == Values{dark, 1, 1});
    CHECK(values(bmp(3, 1, 8, "\0\1\0\0"s, two_colours, 2)) == Values{dark, 1, dark});
    CHECK(values(bmp(1, 1, 24, "\x10\x20\x30\0"s)) == Values{dark});
    CHECK(values(bmp(1, 1, 32, "\x10\x20\x30\0"s)) == Values{dark});
    CHECK(values(bmp(2, 1, 32, "\x10\x20\x30\xff\0\0\0\0"s)) == Values{dark, 1});
    check_cuts("a.bmp", bmp(3, 2, 8, "\0\1\0\0\0\0\0\0"s, two_colours, 2));
    check_cuts("a.bmp", bmp(2, 2, 24, std::string(16, 'x')));
    CHECK(has(refusal("a.bmp", bmp(3, 1, 8, "\0\2\0\0"s, two_colours, 2)), "colour 2 of a palette of 2"));
    CHECK(has(refusal("a.bmp", bmp(3, 1, 8, "\0\1\0\0"s, two_colours, 200)), "declares 200 colours"));
    CHECK(values(bmp(2, 1, 16, "\0\0\xff\x7f"s)) == Values{0, 1});  // five bits each
    CHECK(has(refusal("a.bmp", bmp(1, 1, 2, std::string(4, 'x'))), "its pixels have 2 bits"));
    CHECK(has(refusal("a.bmp", bmp(16384, 16384, 32, "")), "it ends early"));
    CHECK(has(refusal("a.bmp", bmp(20000, 1, 32, "")), "at most 16384 each way"));
    CHECK(has(refusal("a.bmp", bmp(-5, 1, 32, "")), "its size is 0 × 1"));
    CHECK(has(refusal("a.bmp", bmp(5, INT32_MIN, 32, "")), "5 × 2147483648 pixels large"));
    const std::string of_os2("\x10\x20\x30\xff\xff\xff", 6);
    CHECK(values(os2_bmp(3, 2, 1, "\x40\0\0\0\xe0\0\0\0"s, of_os2)) == Values{dark, 1, dark, 1, 1, 1});
    CHECK(has(refusal("a.bmp", os2_bmp(3, 1, 8, "\0\2\0\0"s, of_os2)), "colour 2 of a palette of 2"));
    std::string packed = bmp(1, 1, 8, std::string(4, '\0'), two_colours, 2);
    packed[30] = 1;
    CHECK(has(refusal("a.bmp", packed), "compressed"));
}

TEST_CASE("image formats: the content of a file decides its format, not its name") {
    std::mt19937 random(9);
    const Png png = random_png({2, 8, false}, 3, 3, random);
    std::vector<std::string> notes;
    CHECK(decode_image("a.jpg", png.bytes, &notes).values == png.expected);
    CHECK(notes == std::vector<std::string>{"a.jpg: is a PNG image, whatever its name says"});
    CHECK(decode_image("a.tga", png.bytes).values == png.expected);
    CHECK(decode_image("scan0001", png.bytes).values == png.expected);
    CHECK(decode_image("a.PNG", "P5 1 1 255\nx").values == Values{grey('x', 'x', 'x', 255)});
    CHECK(refusal("a.pnm", "P5 1 1 255\nx") == "accepted");
    CHECK(refusal("a.png", "GIF89a") ==
          "a.png: GIF images are not read; save it as PNG or TIFF, or its numbers as a .npy array");
    CHECK(has(refusal("a.bmp", "RIFF\1\2\3\4WEBPVP8 "), "a.bmp: WebP images are not read; save it as PNG"));
    CHECK(has(refusal("a.png", "some text"), "a.png: cannot be read as an image: it does not begin as PNG images do"));
    CHECK(has(refusal("a.png", ""), "a.png: cannot be read as an image: the file is empty"));
}

TEST_CASE("image formats: a small file that declares a large picture is refused without allocating") {
    const auto boast = [](std::string png, uint32_t width, uint32_t height) {
        png.replace(16, 8, be(width, 4) + be(height, 4));
        return png.replace(29, 4, be(checksum_of(std::string_view(png).substr(12, 17)), 4));
    };
    std::mt19937 random(10);
    const std::string png = random_png({6, 16, true}, 3, 3, random).bytes;
    CHECK(has(refusal("a.png", boast(png, 16384, 16384)), "it declares 16384 × 16384 pixels, more than its "));
    CHECK(has(refusal("a.png", boast(png, 16385, 1)), "is 16385 × 1 pixels large; at most 16384 each way"));
    CHECK(has(refusal("a.png", boast(png, 0x7fffffff, 0x7fffffff)), "at most 16384 each way"));
    std::string jpeg = jpeg_of(16, 16, 3, true, std::vector<uint8_t>(768, 100));
    const size_t frame = jpeg.find("\xff\xc2");
    REQUIRE(frame != std::string::npos);
    jpeg.replace(frame + 5, 4, "\x40\x00\x40\x00", 4);
    CHECK(has(refusal("a.jpg", jpeg), "it declares 16384 × 16384 pixels, more than its "));
    jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc", 4);
    CHECK(has(refusal("a.jpg", jpeg), "at most 16384 each way"));
}

TEST_CASE("image formats: every orientation of EXIF is applied, to JPEG and to PNG, in both orders of bytes") {
    // Where the pixels of three columns and two rows come to lie, from the top, after the figure of the EXIF standard.
    const std::vector<std::vector<int>> turned{{0, 1, 2, 3, 4, 5}, {2, 1, 0, 5, 4, 3}, {5, 4, 3, 2, 1, 0},
                                               {3, 4, 5, 0, 1, 2}, {0, 3, 1, 4, 2, 5}, {3, 0, 4, 1, 5, 2},
                                               {5, 2, 4, 1, 3, 0}, {2, 5, 1, 4, 0, 3}};
    const std::string png = png_of({0, 8}, 3, 2, {0, 40, 80, 120, 160, 200});
    std::vector<uint8_t> blocks;  // of 8 × 8 pixels, which JPEG keeps apart
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 24; ++x) blocks.push_back(static_cast<uint8_t>(40 * (y / 8 * 3 + x / 8)));
    const std::string jpeg = jpeg_of(24, 16, 1, false, blocks);
    for (uint16_t orientation = 1; orientation <= 8; ++orientation)
        for (const bool high_first : {false, true}) {
            CAPTURE(orientation);
            CAPTURE(high_first);
            const std::vector<int>& order = turned[orientation - 1u];
            const uint32_t width = orientation > 4 ? 2 : 3, height = 5 - width;
            Values expected;
            for (const int i : order) expected.push_back(grey(40 * i, 40 * i, 40 * i, 255));
            expected = from_the_bottom(expected, width);
            const FieldStack of_png = decode_image("a.png", with_exif_chunk(png, exif_of(orientation, high_first)));
            CHECK(of_png.width == width);
            CHECK(of_png.height == height);
            CHECK(of_png.values == expected);
            const FieldStack of_jpeg = decode_image("a.jpg", with_exif(jpeg, orientation, high_first));
            REQUIRE(of_jpeg.width == 8 * width);
            REQUIRE(of_jpeg.height == 8 * height);
            for (size_t y = 0; y < height; ++y)
                for (size_t x = 0; x < width; ++x)
                    CHECK(of_jpeg.values[(8 * y + 4) * of_jpeg.width + 8 * x + 4] ==
                          doctest::Approx(expected[y * width + x]).epsilon(0.03));
        }
    CHECK(decode_image("a.png", with_exif_chunk(png, "no EXIF")).values == decode_image("a.png", png).values);
    CHECK(decode_image("a.jpg", with_exif(jpeg, 77)).width == 24);
    const std::string whole = with_exif(jpeg, 6);
    for (size_t at = 2; at < 60; ++at) {  // whatever it says, it is read or refused
        std::string spoilt = whole;
        spoilt[at] = '\xff';
        CHECK(!refusal("a.jpg", spoilt).empty());
    }
}

TEST_CASE("image formats: TIFFs of every type of number, in strips and tiles, compressed or not, are decoded exactly") {
    std::mt19937 random(11);
    const auto check = [&](const TiffKind& kind) {
        CAPTURE(kind.bits);
        CAPTURE(kind.format);
        CAPTURE(kind.samples);
        CAPTURE(kind.photometric);
        CAPTURE(kind.compression);
        CAPTURE(kind.separate);
        CAPTURE(kind.tile);
        CAPTURE(kind.alpha);
        const uint32_t width = 19, height = 8;
        const bool scaled = kind.format == 1 && kind.bits <= 16;
        const double most = scaled ? std::exp2(kind.bits) - 1 : 1;
        std::vector<double> samples;
        for (size_t i = 0; i < size_t{width} * height * kind.samples; ++i) {
            double value = static_cast<double>(random());  // 32 bits
            if (kind.format == 3)
                value = kind.bits == 64 ? value / 7 - 1e8 : static_cast<float>(value / 7 - 1e8);
            else if (kind.format == 2)
                value = std::floor(std::ldexp(value, kind.bits - 32)) - std::exp2(kind.bits - 1);
            else
                value = std::floor(std::ldexp(value, std::min<int>(kind.bits, 53) - 32));
            samples.push_back(value);
        }
        const FieldStack field = decode_image("a.tif", tiff_of(kind, width, height, {samples}));
        Values rows;
        std::vector<double> exact;
        for (size_t i = 0; i < samples.size(); i += kind.samples) {
            const double* c = &samples[i];
            const bool colour = kind.photometric == 2;
            double value = colour ? 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] : c[0];
            if (colour && c[0] == c[1] && c[0] == c[2]) value = c[0];
            if (kind.photometric == 0) value = scaled ? most - value : -value;
            if (kind.alpha > 0) {
                const double alpha = c[kind.samples - 1] / most;
                value = std::clamp((kind.alpha == 1 ? value : value * alpha) + (1 - alpha) * most, 0.0, most);
            }
            rows.push_back(static_cast<float>(value / most));
            exact.push_back(value);
        }
        REQUIRE(field.values.size() == rows.size());
        CHECK(field.values == from_the_bottom(rows, width));
        if (!scaled) {
            for (size_t y = 0; y < height && !field.exact.empty(); ++y)
                for (size_t x = 0; x < width; ++x)
                    CHECK(field.exact[(height - 1 - y) * width + x] == exact[y * width + x]);
            if (kind.bits > 32 || (kind.bits == 32 && kind.format != 3)) CHECK(!field.exact.empty());
        }
        CHECK((field.whole == most) == (kind.format == 1 && kind.samples == 1 && (scaled || kind.photometric == 1)));
    };
    for (const uint16_t bits : {1, 2, 4, 8, 16, 32, 64})
        for (const uint16_t photometric : {0, 1}) check({.bits = bits, .photometric = photometric});
    for (const uint16_t bits : {8, 16, 32}) check({.bits = bits, .format = 2});
    for (const uint16_t bits : {32, 64}) check({.bits = bits, .format = 3});
    for (const uint16_t compression : {1, 5, 8, 32773})
        for (const uint32_t tile : {0u, 16u})
            for (const bool separate : {false, true}) {
                check({.bits = 16, .compression = compression, .tile = tile});
                check({.samples = 3, .photometric = 2, .compression = compression, .separate = separate, .tile = tile});
            }
    check({.bits = 4, .tile = 16});
    for (const int alpha : {1, 2}) {
        check({.samples = 4, .photometric = 2, .alpha = alpha});
        check({.bits = 16, .samples = 2, .separate = true, .alpha = alpha});
    }
    check({.big = true});
    check({.bits = 16, .high_first = true});
    check({.bits = 32, .format = 3, .samples = 3, .photometric = 2});
}

TEST_CASE("image formats: images of an ImageJ stack beyond the listed one follow it in the file") {
    for (const bool high_first : {false, true}) {
        CAPTURE(high_first);
        std::string pixels;
        for (const uint16_t value : {1, 2, 3, 4, 5, 6, 256, 512, 768, 1024, 1280, 65535, 7, 7, 7, 7, 7, 8}) {
            pixels += static_cast<char>(high_first ? value >> 8 : value);
            pixels += static_cast<char>(high_first ? value : value >> 8);
        }
        std::vector<std::string> notes;
        const FieldStack film = decode_image("film.tif", imagej_stack(high_first, 16, 1, 3, 2, 3, pixels), &notes);
        REQUIRE(film.frame_count() == 3);
        CHECK(notes ==
              std::vector<std::string>{"film.tif: 3 frames of 3 × 2 pixels, 16 bits; the top row is the highest y"});
        const auto of = [](int value) { return static_cast<float>(value / 65535.0); };
        CHECK(film.values == Values{of(4), of(5), of(6), of(1), of(2), of(3), of(1024), of(1280), of(65535), of(256),
                                    of(512), of(768), of(7), of(7), of(8), of(7), of(7), of(7)});
        CHECK(film.whole == 65535);
        check_cuts("film.tif", imagej_stack(high_first, 16, 1, 3, 2, 3, pixels), 24);
        CHECK(has(refusal("film.tif", imagej_stack(high_first, 16, 1, 3, 2, 3, pixels.substr(0, 30))),
                  "ImageJ wrote 3 images, and it ends within image 3"));
    }
    const FieldStack colours = decode_image("a.tif", imagej_stack(true, 8, 3, 1, 1, 2, "\x30\x20\x10\x40\x40\x40"s));
    CHECK(colours.values == Values{grey(0x30, 0x20, 0x10, 255), static_cast<float>(0x40 / 255.0)});
    const FieldStack numbers = decode_image("a.tif", imagej_stack(true, 32, 1, 1, 1, 2, "\x3f\x80\0\0\x40\x40\0\0"s));
    CHECK(numbers.values == Values{1, 3});
}

TEST_CASE("image formats: the pages of a TIFF are frames, described in a note") {
    std::vector<std::string> notes;
    const FieldStack film = decode_image(
        "film.tif",
        tiff_of({.bits = 16, .per_centimetre = 40000}, 3, 2, {{0, 1, 2, 3, 4, 5}, {10, 11, 12, 13, 14, 65535}}),
        &notes);
    CHECK(film.frame_count() == 2);
    CHECK(film.values[0] == static_cast<float>(3 / 65535.0));
    CHECK(film.values[8] == 1);
    CHECK(film.pixel == doctest::Approx(0.25));
    CHECK(film.unit == "µm");
    CHECK(notes == std::vector<std::string>{"film.tif: 2 frames of 3 × 2 pixels, 16 bits; the top row is the highest "
                                            "y; a pixel is 0.25 µm wide, by its resolution"});
    const auto pixel = [](const TiffKind& kind) { return decode_image("a.tif", tiff_of(kind, 1, 1, {{1}})).pixel; };
    for (const auto& [unit, size] : {std::pair("micron", 0.25), std::pair("nm", 0.25e-3), std::pair("mm", 250.0),
                                     std::pair("cm", 2500.0), std::pair("pixel", 2500.0)}) {
        CAPTURE(unit);
        CHECK(pixel({.description = "ImageJ=1.53t\nunit=" + std::string(unit) + "\n", .per_centimetre = 4}) ==
              doctest::Approx(size));
    }
    const std::string ome = "<?xml version=\"1.0\"?><OME><Image><Pixels SizeX=\"1\" PhysicalSizeX=\"0.5\" ";
    CHECK(pixel({.description = ome + "PhysicalSizeXUnit=\"\xc2\xb5m\" PhysicalSizeY=\"0.5\"/>",
                 .per_centimetre = 4}) == 0.5);
    CHECK(pixel({.description = ome + "PhysicalSizeXUnit=\"nm\" PhysicalSizeY=\"500\" PhysicalSizeYUnit=\"pm\"/>"}) ==
          0.5e-3);
    // ImageJ's time from frame to frame, of films alone.
    notes.clear();
    const auto interval = [&](const std::string& entries) {
        return decode_image("a.tif",
                            tiff_of({.description = "ImageJ=1.53t\nimages=2\n" + entries + "\n"}, 1, 1, {{1}, {2}}),
                            &notes)
            .interval;
    };
    CHECK(interval("frames=2\nfinterval=0.04") == 0.04);
    CHECK(has(notes.at(0), "0.04 s from one frame to the next"));
    CHECK(interval("frames=2\nfinterval=40\ntunit=ms") == 0.04);
    CHECK(interval("frames=2\nfinterval=0.5\ntunit=min") == 30);
    CHECK(interval("frames=2\nfinterval=4\ntunit=moons") == 0);
    CHECK(interval("slices=2\nfinterval=4") == 0);
    CHECK(interval("frames=2") == 0);
    notes.clear();
    const FieldStack oblong =
        decode_image("a.tif", tiff_of({.description = ome + "PhysicalSizeY=\"0.25\"/>"}, 1, 1, {{1}}), &notes);
    CHECK(oblong.pixel == 0);
    CHECK(has(notes.at(0), "pixels are 0.5 by 0.25 µm, by its resolution, and only square ones have a size here"));
    decode_image("film.tif", tiff_of({.description = "ImageJ=1.53t\nimages=3\n"}, 2, 2, {{1, 2, 3, 4}}), &notes);
    CHECK(has(notes.back(), "ImageJ wrote 3 images, and the file lists 1 only"));  // behind it are its tags
    for (uint16_t orientation = 1; orientation <= 8; ++orientation) {
        const FieldStack turned =
            decode_image("a.tif", tiff_of({.orientation = orientation}, 3, 2, {{0, 40, 80, 120, 160, 200}}));
        const FieldStack same = decode_image(
            "a.png", with_exif_chunk(png_of({0, 8}, 3, 2, {0, 40, 80, 120, 160, 200}), exif_of(orientation)));
        CHECK(turned.width == same.width);
        CHECK(turned.values == same.values);
    }
}

TEST_CASE("image formats: the resolution of a TIFF is the unit of the input, also as a field") {
    const TemporaryFolder folder;
    write_file(folder / "film.tif", tiff_of({.bits = 16, .per_centimetre = 40000}, 3, 2, {{0, 1, 2, 3, 4, 5}}));
    for (const bool as_field : {false, true}) {
        CAPTURE(as_field);
        Scenario scenario;
        scenario.lab = "voronoi";
        (as_field ? scenario.field : scenario.input) = folder / "film.tif";
        const auto own = load_input(scenario).geometry;
        CHECK(own->unit == "µm");
        CHECK(own->field->pixel == doctest::Approx(0.25));
        scenario.read.unit = "px";
        const auto named = load_input(scenario).geometry;
        CHECK(named->unit == "px");
        CHECK(named->field->pixel == 0);
    }
}

TEST_CASE("image formats: a truncated TIFF is refused, and NaN is named by its place") {
    check_cuts("a.tif", tiff_of({.compression = 5}, 5, 4, {std::vector<double>(20, 7), std::vector<double>(20, 9)}));
    check_cuts("a.tiff",
               tiff_of({.bits = 32, .format = 3, .tile = 16, .big = true}, 5, 4, {std::vector<double>(20, 7)}),
               8);  // the last eight say that no page follows
    std::vector<double> with_nan(6, 1);
    with_nan[4] = std::nan("");
    CHECK(refusal("a.tif", tiff_of({.bits = 32, .format = 3}, 3, 2, {with_nan})) ==
          "a.tif: page 1, row 1 from the top, column 1 is not a finite number that a float can hold");
    // A picture of 16384 × 16384 in a few bytes: width and height are entries of the directory, short numbers, one
    // each.
    std::string boast = tiff_of({}, 9, 7, {std::vector<double>(63, 0)});
    for (const int tag : {256, 257}) {
        const size_t at = boast.find(le(static_cast<uint64_t>(tag), 2) + le(3, 2) + le(1, 4));
        REQUIRE(at != std::string::npos);
        boast.replace(at + 8, 4, le(16384, 4));
    }
    CHECK(has(refusal("a.tif", boast), "it declares 16384 × 16384 pixels, more than its "));
}

TEST_CASE(
    "image formats: TGA, raw and compressed, of every depth, from any corner, with a palette; truncated ones are "
    "refused") {
    const auto tga = [](int kind, int width, int height, int bits, int descriptor, const std::string& data,
                        const std::string& palette = "", int palette_bits = 0) {
        const int colours = palette_bits ? static_cast<int>(palette.size()) / (palette_bits / 8) : 0;
        return std::string(1, '\2') + static_cast<char>(palette_bits > 0) + static_cast<char>(kind) + le(0, 2) +
               le(static_cast<uint64_t>(colours), 2) + static_cast<char>(palette_bits) + le(0, 4) +
               le(static_cast<uint64_t>(width), 2) + le(static_cast<uint64_t>(height), 2) + static_cast<char>(bits) +
               static_cast<char>(descriptor) + "id" + palette + data;
    };
    const auto values = [](const std::string& bytes) { return decode_image("a.tga", bytes).values; };
    const float dark = grey(0x30, 0x20, 0x10, 255);
    CHECK(values(tga(3, 2, 2, 8, 0, "\0\1\2\3"s)) ==
          Values{0, grey(1, 1, 1, 255), grey(2, 2, 2, 255), grey(3, 3, 3, 255)});
    CHECK(values(tga(3, 2, 2, 8, 32, "\2\3\0\1"s)) ==  // from the top
          Values{0, grey(1, 1, 1, 255), grey(2, 2, 2, 255), grey(3, 3, 3, 255)});
    CHECK(values(tga(3, 2, 1, 8, 16, "\1\0"s)) == Values{0, grey(1, 1, 1, 255)});  // from the right
    CHECK(values(tga(2, 1, 1, 24, 0, "\x10\x20\x30")) == Values{dark});
    CHECK(values(tga(2, 2, 1, 32, 8, "\x10\x20\x30\xff\0\0\0\0"s)) == Values{dark, 1});
    CHECK(values(tga(2, 1, 1, 32, 0, "\x10\x20\x30\0"s)) == Values{dark});  // its alpha was never set
    CHECK(values(tga(2, 1, 1, 16, 0, "\xff\x7f")) == Values{1});
    CHECK(values(tga(10, 5, 1, 24, 0, "\x82\0\0\0\1\xff\xff\xff\x10\x20\x30"s)) == Values{0, 0, 0, 1, dark});
    CHECK(values(tga(11, 4, 1, 8, 0, "\x82\0\0\xff"s)) == Values{0, 0, 0, 1});
    CHECK(values(tga(1, 3, 1, 8, 0, "\0\1\0"s, "\x10\x20\x30\xff\xff\xff", 24)) == Values{dark, 1, dark});
    CHECK(
        has(refusal("a.tga", tga(1, 1, 1, 8, 0, "\2", "\x10\x20\x30\xff\xff\xff", 24)), "colour 2 of a palette of 2"));
    check_cuts("a.tga", tga(2, 2, 2, 24, 0, std::string(12, 'x')));
    check_cuts("a.tga", tga(10, 5, 1, 24, 0, "\x82\0\0\0\1\xff\xff\xff\x10\x20\x30"s));
    check_cuts("a.tga", tga(9, 5, 1, 8, 0, "\x84\1"s, "\x10\x20\x30\xff\xff\xff", 24));
    CHECK(has(refusal("a.tga", "this is no picture at all"), "its header is not that of a TGA image"));
    CHECK(has(refusal("a.tga", tga(3, 20000, 1, 8, 0, "")), "at most 16384 each way"));
}

TEST_CASE(
    "image formats: the merged picture of a PSD, of 8 and 16 bits, raw and compressed; truncated ones are refused") {
    const auto psd = [&](int channels, int width, int height, int depth, int mode, int compression,
                         const std::string& data) {
        const auto number = [](int n) { return static_cast<uint64_t>(n); };
        return "8BPS" + be(1, 2) + std::string(6, '\0') + be(number(channels), 2) + be(number(height), 4) +
               be(number(width), 4) + be(number(depth), 2) + be(number(mode), 2) + be(0, 4) + be(5, 4) + "names" +
               be(0, 4) + be(number(compression), 2) + data;
    };
    const auto values = [](const std::string& bytes) { return decode_image("a.psd", bytes).values; };
    const float dark = grey(0x30, 0x20, 0x10, 255);
    CHECK(values(psd(3, 2, 1, 8, 3, 0, "\x30\xff\x20\xff\x10\xff")) == Values{dark, 1});
    CHECK(values(psd(3, 1, 2, 8, 3, 0, "\x30\xff\x20\xff\x10\xff")) == Values{1, dark});
    CHECK(values(psd(3, 1, 1, 16, 3, 0, "\x12\x34\x56\x78\x9a\xbc")) == Values{grey(0x1234, 0x5678, 0x9abc, 65535)});
    const std::string packed = be(2, 2) + be(2, 2) + be(3, 2) + "\xff\x30" + "\xff\x20" + "\1\x10\x10"s;
    CHECK(values(psd(3, 2, 1, 8, 3, 1, packed)) == Values{dark, dark});
    check_cuts("a.psd", psd(3, 2, 1, 8, 3, 0, "\x30\xff\x20\xff\x10\xff"));
    check_cuts("a.psd", psd(3, 2, 1, 8, 3, 1, packed));
    CHECK(has(refusal("a.psd", psd(1, 1, 1, 8, 1, 0, "x")), "its colour mode is 1; RGB (mode 3)"));
    CHECK(has(refusal("a.psd", psd(3, 16384, 16384, 8, 3, 0, "xxx")), "it ends early"));
    CHECK(has(refusal("a.psd", psd(3, 20000, 1, 8, 3, 0, "xxx")), "at most 16384 each way"));
}
