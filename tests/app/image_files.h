// Images made by the libraries that write them, for the tests of reading: any kind of PNG, and JPEG.
#pragma once

#include <cstdint>
#include <string>
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

}  // namespace flipscope
