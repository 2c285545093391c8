#include "image_files.h"

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>
#include <png.h>

namespace flipscope {

std::string png_of(const PngKind& kind, uint32_t width, uint32_t height, const std::vector<uint16_t>& samples) {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp from, png_bytep data, size_t count) {
            static_cast<std::string*>(png_get_io_ptr(from))->append(reinterpret_cast<const char*>(data), count);
        },
        nullptr);
    png_set_IHDR(png, info, width, height, kind.depth, kind.colour_type,
                 kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!kind.palette.empty()) {
        std::vector<png_color> palette;
        for (const auto& colour : kind.palette) palette.push_back({colour[0], colour[1], colour[2]});
        png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    }
    if (!kind.palette_alpha.empty())
        png_set_tRNS(png, info, kind.palette_alpha.data(), static_cast<int>(kind.palette_alpha.size()), nullptr);
    if (!kind.transparent.empty()) {
        png_color_16 colour{};
        colour.gray = colour.red = kind.transparent[0];
        if (kind.transparent.size() == 3) colour.green = kind.transparent[1], colour.blue = kind.transparent[2];
        png_set_tRNS(png, info, nullptr, 0, &colour);
    }
    png_text text{};
    text.compression = PNG_TEXT_COMPRESSION_NONE;
    text.key = const_cast<char*>("Comment");
    text.text = const_cast<char*>("made by a test");
    png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    const size_t row_length = samples.size() / height,
                 row_bytes = (row_length * static_cast<size_t>(kind.depth) + 7) / 8;
    std::vector<std::vector<uint8_t>> rows(height, std::vector<uint8_t>(row_bytes));
    std::vector<png_bytep> pointers;
    for (size_t y = 0; y < height; ++y) {
        for (size_t i = 0; i < row_length; ++i) {
            const uint16_t sample = samples[y * row_length + i];
            const size_t bit = i * static_cast<size_t>(kind.depth);
            if (kind.depth == 16) {
                rows[y][2 * i] = static_cast<uint8_t>(sample >> 8);
                rows[y][2 * i + 1] = static_cast<uint8_t>(sample);
            } else {
                rows[y][bit / 8] |= static_cast<uint8_t>(sample << (8 - static_cast<size_t>(kind.depth) - bit % 8));
            }
        }
        pointers.push_back(rows[y].data());
    }
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return bytes;
}

std::string jpeg_of(uint32_t width, uint32_t height, int channels, bool progressive,
                    const std::vector<uint8_t>& samples) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &memory, &size);
    jpeg.image_width = width;
    jpeg.image_height = height;
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 98, TRUE);
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    const size_t row_length = size_t{width} * static_cast<size_t>(channels);
    while (jpeg.next_scanline < height) {
        auto* row = const_cast<JSAMPROW>(samples.data() + jpeg.next_scanline * row_length);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    std::string bytes(reinterpret_cast<const char*>(memory), size);
    jpeg_destroy_compress(&jpeg);
    std::free(memory);
    return bytes;
}

}  // namespace flipscope
