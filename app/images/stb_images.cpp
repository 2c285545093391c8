// BMP, TGA and PSD by stb_image, which reads zeros or uninitialised memory where a file ends early, and black for
// colours missing from the palette. So each header is checked first: the size, the presence of all pixels, and their
// colours.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/images/image_formats.h"
#include "io/fields.h"
#include "io/parse.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_PSD
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 16384
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace flipscope::app {

namespace {

static_assert(STBI_MAX_DIMENSIONS == kMostPixels);

/// The bytes of a file, with bounds checks.
class Bytes {
  public:
    Bytes(const ImageFile& image, bool high_first) : path_(image.path), bytes_(image.bytes), high_first_(high_first) {}

    uint32_t number(uint64_t at, int count) const {
        if (at + static_cast<uint64_t>(count) > bytes_.size()) throw image_error(path_, "it ends within its header");
        return static_cast<uint32_t>(io::integer_at(bytes_, at, static_cast<size_t>(count), high_first_));
    }
    uint32_t byte(uint64_t at) const { return number(at, 1); }
    uint32_t half(uint64_t at) const { return number(at, 2); }
    uint32_t word(uint64_t at) const { return number(at, 4); }
    int64_t signed_word(uint64_t at) const { return static_cast<int32_t>(word(at)); }

    Error fail(const std::string& reason) const { return image_error(path_, reason); }
    void require_size(uint64_t width, uint64_t height) const { app::require_size(path_, width, height); }
    /// Throws Error unless all `count` bytes of pixels are there.
    void require_pixels(uint64_t width, uint64_t height, uint64_t at, uint64_t count) const {
        if (at <= bytes_.size() && count <= bytes_.size() - at) return;
        throw fail("it ends early: " + std::to_string(width) + " × " + std::to_string(height) + " pixels take " +
                   std::to_string(count) + " bytes from byte " + std::to_string(at) + " on, and the file has " +
                   std::to_string(bytes_.size()));
    }
    Error no_colour(uint32_t index, uint64_t count) const {
        return fail("a pixel has colour " + std::to_string(index) + " of a palette of " + std::to_string(count));
    }
    size_t size() const { return bytes_.size(); }

    /// stb's decoding. If alpha is 0 everywhere, the writing program meant opaque.
    FieldStack decode(bool of_16_bits = false) const {
        const auto* const data = reinterpret_cast<const stbi_uc*>(bytes_.data());
        const int length = static_cast<int>(bytes_.size());
        int width = 0, height = 0, channels = 0;
        // stb must agree with what was checked.
        if (!stbi_info_from_memory(data, length, &width, &height, &channels)) throw refusal();
        require_size(static_cast<uint64_t>(width), static_cast<uint64_t>(std::abs(height)));
        const auto field_of = [&](auto* pixels, double most) {
            const std::unique_ptr<void, decltype(&std::free)> owner(pixels, &std::free);
            if (!pixels) throw refusal();
            return rows(pixels, width, height, of_16_bits ? 4 : channels, most);
        };
        return of_16_bits ? field_of(stbi_load_16_from_memory(data, length, &width, &height, &channels, 4), 65535)
                          : field_of(stbi_load_from_memory(data, length, &width, &height, &channels, 0), 255);
    }

  private:
    Error refusal() const {
        const std::string reason = stbi_failure_reason();
        if (reason == "outofmem") return Error(path_.string() + ": not enough memory to read it");
        return fail(reason + "; save it as PNG");
    }
    template <class Sample>
    FieldStack rows(Sample* pixels, int width, int height, int channels, double most) const {
        const size_t row = static_cast<size_t>(width) * static_cast<size_t>(channels),
                     count = row * static_cast<size_t>(height), step = static_cast<size_t>(channels);
        if (channels % 2 == 0) {
            size_t at = step - 1;
            while (at < count && pixels[at] == 0) at += step;
            if (at >= count)
                for (at = step - 1; at < count; at += step) pixels[at] = static_cast<Sample>(most);
        }
        GreyRows grey(path_, static_cast<uint32_t>(width), static_cast<uint32_t>(height));
        for (size_t at = 0; at < count; at += row) grey.add(pixels + at, channels, most);
        return grey.take();
    }

    const std::filesystem::path& path_;
    std::string_view bytes_;
    bool high_first_;
};

}  // namespace

FieldStack read_bmp(const ImageFile& image) {
    constexpr uint64_t kHeaderAt = 14;
    constexpr uint32_t kPlain = 0, kMasks = 3;
    const Bytes file(image, false);
    const uint64_t pixels_at = file.word(10), header = file.word(kHeaderAt);
    const bool old = header == 12;  // of OS/2: 16-bit sizes
    if (!old && header != 40 && header != 56 && header != 108 && header != 124)
        throw file.fail("expected a header of 12, 40, 56, 108 or 124 bytes, found " + std::to_string(header));
    const int64_t width = old ? file.half(18) : file.signed_word(18);
    const int64_t height = old ? file.half(20) : file.signed_word(22);
    const auto rows = static_cast<uint64_t>(std::abs(height));
    file.require_size(width < 0 ? 0 : static_cast<uint64_t>(width), rows);
    const auto columns = static_cast<uint64_t>(width);
    const uint32_t bits = file.half(old ? 24 : 28), compression = old ? kPlain : file.word(30);
    const bool has_palette = bits == 1 || bits == 4 || bits == 8;
    if (!(compression == kPlain && (has_palette || bits == 16 || bits == 24 || bits == 32)) &&
        !(compression == kMasks && (bits == 16 || bits == 32)))
        throw file.fail("its pixels have " + std::to_string(bits) + " bits and are " +
                        (compression == kPlain ? "not compressed" : "compressed") +
                        "; uncompressed ones of 1, 4, 8, 16, 24 or 32 bits can be read: save it as PNG");
    const uint64_t row_bytes = (columns * bits + 31) / 32 * 4;
    const uint64_t header_end = kHeaderAt + header + (compression == kMasks && header <= 56 ? 12 : 0);
    file.require_pixels(columns, rows, std::max(pixels_at, header_end), row_bytes * rows);
    if (pixels_at < header_end) throw file.fail("its pixels begin within its header");
    if (old && has_palette) {  // stb loses four colours of OS/2 palettes: convert the header to the Windows form
        const uint64_t colours = std::min(uint64_t{1} << bits, (pixels_at - header_end) / 3);
        std::string made(image.bytes.substr(0, 10));
        for (const uint64_t value : {54 + 4 * colours, uint64_t{40}, columns, rows, uint64_t{bits} << 16 | 1,
                                     uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0}, colours, uint64_t{0}})
            for (int byte = 0; byte < 4; ++byte) made += static_cast<char>(value >> 8 * byte);
        for (uint64_t i = 0; i < colours; ++i) {
            made += image.bytes.substr(header_end + 3 * i, 3);
            made += '\0';
        }
        made += image.bytes.substr(pixels_at);
        return read_bmp({image.path, made, image.notes, image.indices_count});
    }
    if (has_palette) {
        const uint64_t most = uint64_t{1} << bits, declared = file.word(46);
        const uint64_t room = std::min(most, (pixels_at - header_end) / 4);
        if (declared > room)
            throw file.fail("it declares " + std::to_string(declared) + " colours and has room for " +
                            std::to_string(room));
        const uint64_t count = declared == 0 ? room : declared;
        for (uint64_t y = 0; y < rows && count < most; ++y)
            for (uint64_t bit = 0; bit < columns * bits; bit += bits) {
                const uint32_t in_byte = file.byte(pixels_at + y * row_bytes + bit / 8);
                const uint32_t index = in_byte >> (8 - bits - bit % 8) & (static_cast<uint32_t>(most) - 1);
                if (index >= count) throw file.no_colour(index, count);
            }
    }
    return file.decode();
}

FieldStack read_tga(const ImageFile& image) {
    const Bytes file(image, false);
    const uint32_t id_length = file.byte(0), has_palette = file.byte(1), kind = file.byte(2);
    const uint64_t columns = file.half(12), rows = file.half(14);
    const uint32_t bits = file.byte(16), descriptor = file.byte(17);
    const bool packed = kind >= 8;
    if (has_palette > 1 || kind % 8 == 0 || kind % 8 > 3 || kind > 11 || (has_palette == 1) != (kind % 8 == 1))
        throw file.fail("its header is not that of a TGA image; is it one?");
    file.require_size(columns, rows);
    uint64_t at = 18 + uint64_t{id_length};
    uint32_t colours = 0;
    if (has_palette) {
        colours = file.half(5);
        if (file.half(3) != 0) throw file.fail("its palette begins at another colour than 0; save it as PNG");
        at += uint64_t{colours} * ((file.byte(7) + 7) / 8);
    }
    const uint64_t pixel_bytes = (bits + 7) / 8, count = columns * rows;
    if (pixel_bytes == 0) throw file.fail("its pixels have no bits");
    if (!packed) file.require_pixels(columns, rows, at, count * pixel_bytes);
    // A packet is one repeated pixel, or several consecutive ones.
    for (uint64_t done = 0; done < count && (packed || has_palette);) {
        uint64_t pixels = count, stored = count;
        if (packed) {
            file.require_pixels(columns, rows, at, 1);
            const uint32_t packet = file.byte(at++);
            pixels = (packet & 127) + 1;
            stored = packet & 128 ? 1 : pixels;
            file.require_pixels(columns, rows, at, stored * pixel_bytes);
        }
        for (uint64_t i = 0; has_palette && i < stored; ++i) {
            const uint32_t index = file.number(at + i * pixel_bytes, pixel_bytes == 1 ? 1 : 2);
            if (index >= colours) throw file.no_colour(index, colours);
        }
        at += stored * pixel_bytes;
        done += pixels;
    }
    FieldStack field = file.decode();
    if (descriptor & 16) orient(field, 2);  // rows run from right to left
    return field;
}

FieldStack read_psd(const ImageFile& image) {
    const Bytes file(image, true);
    if (file.half(4) != 1) throw file.fail("it is a large document (PSB); save it as PNG");
    const uint64_t channels = file.half(12), rows = file.word(14), columns = file.word(18);
    const uint32_t depth = file.half(22), mode = file.half(24);
    file.require_size(columns, rows);
    if (mode != 3 || (depth != 8 && depth != 16) || channels < 3 || channels > 16)
        throw file.fail("it has " + std::to_string(channels) + " channels of " + std::to_string(depth) +
                        " bits, and its colour mode is " + std::to_string(mode) +
                        "; RGB (mode 3) of 8 or 16 bits can be read: save it as PNG");
    uint64_t at = 26;
    for (int section = 0; section < 3; ++section) at += 4 + uint64_t{file.word(at)};
    const uint32_t compression = file.half(at);
    at += 2;
    if (compression > 1 || (compression == 1 && depth == 16))
        throw file.fail("its pixels are compressed in a way that cannot be read; save it as PNG");
    if (compression == 0) {
        file.require_pixels(columns, rows, at, columns * rows * channels * depth / 8);
    } else {
        file.require_pixels(columns, rows, at, 2 * rows * channels);
        uint64_t packed = 2 * rows * channels;  // the length of each row, then the rows
        for (uint64_t row = 0; row < rows * channels; ++row) packed += file.half(at + 2 * row);
        file.require_pixels(columns, rows, at, packed);
    }
    // Photoshop writes the merged picture only if "maximise compatibility" is on; the rest are layers.
    return file.decode(depth == 16);
}

}  // namespace flipscope::app
