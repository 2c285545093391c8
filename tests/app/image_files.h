// Images for tests of the readers, made by the libraries that write them: any kind of PNG and TIFF, and JPEG.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope {

/// How a PNG stores its pixels, in libpng's numbers.
struct PngKind {
    int colour_type = 0, depth = 8;
    bool interlaced = false;
    std::vector<std::vector<uint8_t>> palette = {};  // red, green, blue
    std::vector<uint8_t> palette_alpha = {};
    std::vector<uint16_t> transparent = {};  // the colour that is (grey, or red, green and blue); none: empty
};

/// `samples`: row by row from the top, as many a pixel as the colour type has, each below 2^depth.
std::string png_of(const PngKind& kind, uint32_t width, uint32_t height, const std::vector<uint16_t>& samples);

/// `samples`: bytes, 1 (grey), 3 (RGB) or 4 (cyan, magenta, yellow, black as Adobe stores them) a pixel.
std::string jpeg_of(uint32_t width, uint32_t height, int channels, bool progressive,
                    const std::vector<uint8_t>& samples);

/// The same with a block of EXIF that says this orientation, in either order of bytes.
std::string with_exif(const std::string& jpeg, uint16_t orientation, bool high_first = false);
/// The block alone, as PNG has it.
std::string exif_of(uint16_t orientation, bool high_first = false);
/// That of a chunk of a PNG, its name included.
uint32_t checksum_of(std::string_view chunk);
std::string with_exif_chunk(const std::string& png, const std::string& exif);

/// How a TIFF stores its pixels, in libtiff's numbers.
struct TiffKind {
    uint16_t bits = 8, format = 1, samples = 1;  // format 1: unsigned, 2: signed, 3: floating point
    uint16_t photometric = 1;                    // 0: white is 0, 1: black is 0, 2: RGB
    uint16_t compression = 1;                    // 1: none, 5: LZW, 8: deflate, 32773: PackBits
    bool separate = false;                       // each channel is a plane of its own
    uint32_t tile = 0;                           // pixels each way; 0: strips
    uint16_t orientation = 1;
    int alpha = 0;  // what the last sample is: 1 alpha that colours are multiplied by, 2 other alpha
    bool big = false, high_first = false;
    std::string description = {};
    double per_centimetre = 0;
};

/// `pages`: of each, samples row by row from the top.
std::string tiff_of(const TiffKind& kind, uint32_t width, uint32_t height,
                    const std::vector<std::vector<double>>& pages);

}  // namespace flipscope
