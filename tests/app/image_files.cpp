#include "app/image_files.h"

#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>
#include <png.h>
#include <sys/mman.h>
#include <tiffio.h>
#include <unistd.h>
#include <zlib.h>

namespace flipscope {

namespace {

/// Samples as bytes, each row, or each of a tile, on a whole byte; `format`: as in TiffKind.
void pack(std::string& bytes, uint16_t bits, uint16_t format, const std::vector<double>& row) {
    const auto append = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
    if (bits < 8) {
        unsigned in_byte = 0, used = 0;
        for (const double value : row) {
            in_byte = in_byte << bits | static_cast<unsigned>(value);
            if ((used += bits) == 8) bytes += static_cast<char>(in_byte), in_byte = used = 0;
        }
        if (used > 0) bytes += static_cast<char>(in_byte << (8 - used));
        return;
    }
    for (const double value : row) {
        if (format == 3 && bits == 64)
            append(value);
        else if (format == 3)
            append(static_cast<float>(value));
        else if (bits == 8)
            append(static_cast<uint8_t>(static_cast<int64_t>(value)));
        else if (bits == 16)
            append(static_cast<uint16_t>(static_cast<int64_t>(value)));
        else if (bits == 32)
            append(static_cast<uint32_t>(static_cast<int64_t>(value)));
        else
            append(static_cast<int64_t>(value));
    }
}

}  // namespace

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
    if (kind.depth == 16) png_set_swap(png);  // from little-endian
    const size_t row_length = samples.size() / height;
    std::vector<std::string> rows(height);
    std::vector<png_bytep> pointers;
    for (size_t y = 0; y < height; ++y) {
        const auto begin = samples.begin() + static_cast<ptrdiff_t>(y * row_length);
        pack(rows[y], static_cast<uint16_t>(kind.depth), 1, {begin, begin + static_cast<ptrdiff_t>(row_length)});
        pointers.push_back(reinterpret_cast<png_bytep>(rows[y].data()));
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

std::string exif_of(uint16_t orientation, bool high_first) {
    const auto number = [&](uint32_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * (high_first ? bytes - 1 - i : i));
        return text;
    };
    // Behind the header a directory of two entries: a maker of three letters, and the orientation.
    return (high_first ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2) + number(0x10f, 2) + number(2, 2) +
           number(3, 4) + std::string("us\0\0", 4) + number(0x112, 2) + number(3, 2) + number(1, 4) +
           number(orientation, 2) + number(0, 2) + number(0, 4);
}

std::string with_exif(const std::string& jpeg, uint16_t orientation, bool high_first) {
    const std::string block = std::string("Exif\0\0", 6) + exif_of(orientation, high_first);
    const size_t length = block.size() + 2;
    return jpeg.substr(0, 2) + "\xff\xe1" + static_cast<char>(length >> 8) + static_cast<char>(length) + block +
           jpeg.substr(2);
}

uint32_t checksum_of(std::string_view chunk) {
    return static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size())));
}

std::string with_exif_chunk(const std::string& png, const std::string& exif) {
    const auto number = [](uint32_t value) {
        std::string text;
        for (int i = 3; i >= 0; --i) text += static_cast<char>(value >> 8 * i);
        return text;
    };
    const std::string content = "eXIf" + exif;
    constexpr size_t kHeaderEnd = 33;
    return png.substr(0, kHeaderEnd) + number(static_cast<uint32_t>(exif.size())) + content +
           number(checksum_of(content)) + png.substr(kHeaderEnd);
}

std::string tiff_of(const TiffKind& kind, uint32_t width, uint32_t height,
                    const std::vector<std::vector<double>>& pages) {
    const int memory = memfd_create("test", MFD_CLOEXEC);
    const std::string mode = std::string("w") + (kind.big ? "8" : "4") + (kind.high_first ? "b" : "l");
    TIFF* file = TIFFFdOpen(dup(memory), "test", mode.c_str());
    const uint32_t planes = kind.separate ? kind.samples : 1, each = kind.separate ? 1 : kind.samples;
    for (const auto& page : pages) {
        TIFFSetField(file, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(file, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, kind.bits);
        TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, kind.format);
        TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, kind.samples);
        TIFFSetField(file, TIFFTAG_PHOTOMETRIC, kind.photometric);
        TIFFSetField(file, TIFFTAG_COMPRESSION, kind.compression);
        TIFFSetField(file, TIFFTAG_PLANARCONFIG, kind.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
        TIFFSetField(file, TIFFTAG_ORIENTATION, kind.orientation);
        if (kind.alpha > 0) {
            const auto extra = static_cast<uint16_t>(kind.alpha);
            TIFFSetField(file, TIFFTAG_EXTRASAMPLES, 1, &extra);
        }
        if (!kind.description.empty()) TIFFSetField(file, TIFFTAG_IMAGEDESCRIPTION, kind.description.c_str());
        if (kind.per_centimetre > 0) {
            TIFFSetField(file, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
            TIFFSetField(file, TIFFTAG_XRESOLUTION, kind.per_centimetre);
        }
        const auto sample = [&](uint32_t x, uint32_t y, uint32_t plane, uint32_t k) {
            const size_t c = kind.separate ? plane : k;
            return x < width && y < height ? page[(size_t{y} * width + x) * kind.samples + c] : 0;
        };
        const auto row_of = [&](uint32_t from, uint32_t to, uint32_t y, uint32_t plane) {
            std::vector<double> row;
            for (uint32_t x = from; x < to; ++x)
                for (uint32_t k = 0; k < each; ++k) row.push_back(sample(x, y, plane, k));
            return row;
        };
        if (kind.tile > 0) {
            TIFFSetField(file, TIFFTAG_TILEWIDTH, kind.tile);
            TIFFSetField(file, TIFFTAG_TILELENGTH, kind.tile);
        } else {
            TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, uint32_t{3});
        }
        for (uint32_t plane = 0; plane < planes; ++plane) {
            const uint32_t step = kind.tile > 0 ? kind.tile : 1;
            for (uint32_t y = 0; y < height; y += step)
                for (uint32_t x = 0; x<width; x += kind.tile> 0 ? kind.tile : width) {
                    std::string bytes;
                    for (uint32_t k = 0; k < step; ++k)
                        pack(bytes, kind.bits, kind.format,
                             row_of(x, kind.tile > 0 ? x + kind.tile : width, y + k, plane));
                    if (kind.tile > 0)
                        TIFFWriteTile(file, bytes.data(), x, y, 0, static_cast<uint16_t>(plane));
                    else
                        TIFFWriteScanline(file, bytes.data(), y, static_cast<uint16_t>(plane));
                }
        }
        TIFFWriteDirectory(file);
    }
    TIFFClose(file);
    std::string bytes(static_cast<size_t>(lseek(memory, 0, SEEK_END)), '\0');
    if (pread(memory, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.clear();
    close(memory);
    return bytes;
}

}  // namespace flipscope
