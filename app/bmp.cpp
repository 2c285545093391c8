// BMP, as far as instruments and paint programs write it: uncompressed, with a palette of up to 256 colours, or 24 or
// 32 bits a pixel.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "app/image_formats.h"

namespace flipscope::app {

namespace {

class Reader {
  public:
    Reader(const std::filesystem::path& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

    FieldStack read() {
        const uint64_t pixels_at = word(10), header = word(kHeaderAt);
        const bool old = header == 12;  // of OS/2: 16-bit sizes, palette entries of three bytes
        if (!old && (header < 40 || header > 200))
            throw image_error(path_, "expected a header of 12 or 40 to 200 bytes, found " + std::to_string(header));
        const int64_t width = old ? half(18) : signed_word(18);
        const int64_t height = old ? half(20) : signed_word(22);
        const bool from_the_top = height < 0;
        require_size(path_, width < 0 ? 0 : static_cast<uint64_t>(width), static_cast<uint64_t>(std::abs(height)));
        width_ = static_cast<uint32_t>(width);
        height_ = static_cast<uint32_t>(std::abs(height));
        bits_ = half(old ? 24 : 28);
        compression_ = old ? kPlain : word(30);
        require_known(header);

        const uint64_t row_bytes = (uint64_t{width_} * bits_ + 31) / 32 * 4;
        const uint64_t header_end = kHeaderAt + header + (compression_ == kMasks && header == 40 ? 12 : 0);
        if (pixels_at < header_end || pixels_at > bytes_.size() || row_bytes * height_ > bytes_.size() - pixels_at)
            throw image_error(path_, "it ends early: " + std::to_string(width_) + " × " + std::to_string(height_) +
                                         " pixels take " + std::to_string(row_bytes * height_) + " bytes from byte " +
                                         std::to_string(pixels_at) + " on, and the file has " +
                                         std::to_string(bytes_.size()));
        if (bits_ <= 8) read_palette(header_end, pixels_at, old ? 0 : word(46), old ? 3 : 4);
        transparent_ = bits_ == 32 && has_alpha(header, pixels_at, row_bytes);

        GreyRows grey(path_, width_, height_);
        std::vector<uint8_t> row(size_t{width_} * 4);
        for (uint32_t y = 0; y < height_; ++y) {
            const uint64_t at = pixels_at + row_bytes * (from_the_top ? y : height_ - 1 - y);
            for (uint32_t x = 0; x < width_; ++x) put_pixel(at, x, row.data() + size_t{x} * 4);
            grey.add(row.data(), 4, 255);
        }
        return grey.take();
    }

  private:
    static constexpr size_t kHeaderAt = 14;
    static constexpr uint32_t kPlain = 0, kMasks = 3;
    static constexpr std::array<uint32_t, 3> kUsualMasks{0xff0000, 0xff00, 0xff};

    uint32_t byte(uint64_t at) const {
        if (at >= bytes_.size()) throw image_error(path_, "it ends within its header");
        return static_cast<unsigned char>(bytes_[at]);
    }
    uint32_t half(uint64_t at) const { return byte(at) | byte(at + 1) << 8; }
    uint32_t word(uint64_t at) const { return half(at) | half(at + 2) << 16; }
    int64_t signed_word(uint64_t at) const { return static_cast<int32_t>(word(at)); }

    void require_known(uint64_t header) const {
        const bool palette = bits_ == 1 || bits_ == 4 || bits_ == 8;
        bool known = compression_ == kPlain && (palette || bits_ == 24 || bits_ == 32);
        if (compression_ == kMasks && bits_ == 32) {
            known = true;  // with the masks that say what would be so without them
            for (size_t k = 0; k < 3; ++k) known = known && word(kHeaderAt + 40 + 4 * k) == kUsualMasks[k];
            if (header >= 56) known = known && (alpha_mask() == 0 || alpha_mask() == 0xff000000);
        }
        if (known) return;
        throw image_error(path_, "its pixels have " + std::to_string(bits_) + " bits and are " +
                                     (compression_ == kPlain   ? "not compressed"
                                      : compression_ == kMasks ? "cut up by masks"
                                                               : "compressed") +
                                     "; uncompressed ones of 1, 4, 8, 24 or 32 bits can be read: save it as PNG");
    }

    uint32_t alpha_mask() const { return word(kHeaderAt + 52); }

    void read_palette(uint64_t begin, uint64_t end, uint64_t declared, uint64_t entry_bytes) {
        const uint64_t most = uint64_t{1} << bits_, room = (end - begin) / entry_bytes;
        const uint64_t count = declared == 0 ? std::min(most, room) : declared;
        if (count > most || count > room)
            throw image_error(path_, "it declares " + std::to_string(count) + " colours and has room for " +
                                         std::to_string(std::min(most, room)));
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t at = begin + i * entry_bytes;
            palette_.push_back({static_cast<uint8_t>(byte(at + 2)), static_cast<uint8_t>(byte(at + 1)),
                                static_cast<uint8_t>(byte(at))});
        }
    }

    /// Whether the fourth byte of a pixel says how much it covers. Many programs leave it 0 everywhere and mean opaque.
    bool has_alpha(uint64_t header, uint64_t pixels_at, uint64_t row_bytes) const {
        if (compression_ == kMasks) return header >= 56 && alpha_mask() != 0;
        for (uint64_t at = pixels_at; at < pixels_at + row_bytes * height_; at += 4)
            if (byte(at + 3) != 0) return true;
        return false;
    }

    void put_pixel(uint64_t row, uint32_t x, uint8_t* rgba) const {
        rgba[3] = 255;
        if (bits_ <= 8) {
            const uint32_t bit = x * bits_, shift = 8 - bits_ - bit % 8;
            const uint32_t index = byte(row + bit / 8) >> shift & ((1u << bits_) - 1);
            if (index >= palette_.size())
                throw image_error(path_, "a pixel has colour " + std::to_string(index) + " of a palette of " +
                                             std::to_string(palette_.size()));
            std::copy(palette_[index].begin(), palette_[index].end(), rgba);
            return;
        }
        const uint64_t at = row + uint64_t{x} * (bits_ / 8);
        for (uint64_t k = 0; k < 3; ++k) rgba[k] = static_cast<uint8_t>(byte(at + 2 - k));
        if (transparent_) rgba[3] = static_cast<uint8_t>(byte(at + 3));
    }

    const std::filesystem::path& path_;
    std::string_view bytes_;
    uint32_t width_ = 0, height_ = 0, bits_ = 0, compression_ = kPlain;
    bool transparent_ = false;
    std::vector<std::array<uint8_t, 3>> palette_;  // red, green, blue
};

}  // namespace

FieldStack read_bmp(const std::filesystem::path& path, std::string_view bytes) { return Reader(path, bytes).read(); }

}  // namespace flipscope::app
