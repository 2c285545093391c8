// TIFF by libtiff: each page of the first one's size is a frame, and so is each image of an ImageJ stack above 4 GB,
// which lists only its first image and appends the others. Samples are read as stored, so that 32-bit labels and
// floating-point numbers are preserved; other colour spaces (YCbCr, CMYK, CIELab) go through libtiff's conversion to
// 8-bit RGB. libtiff returns from errors; its messages come to us instead of stderr.
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>

#include "app/images/image_formats.h"
#include "compute/cancel.h"
#include "compute/text.h"
#include "geometry/point.h"
#include "io/fields.h"
#include "io/files.h"
#include "io/parse.h"

namespace flipscope::app {

namespace {

/// A file in memory, and libtiff's first error and warning.
struct TiffSource {
    std::string_view bytes;
    uint64_t at = 0;
    std::string complaint = {}, warning = {};
};

TiffSource& source_of(thandle_t handle) { return *static_cast<TiffSource*>(handle); }

tmsize_t read_bytes(thandle_t handle, void* to, tmsize_t count) {
    TiffSource& source = source_of(handle);
    if (source.at >= source.bytes.size()) return 0;
    const size_t copied = std::min(static_cast<size_t>(count), source.bytes.size() - static_cast<size_t>(source.at));
    std::memcpy(to, source.bytes.data() + source.at, copied);
    source.at += copied;
    return static_cast<tmsize_t>(copied);
}

toff_t go_to(thandle_t handle, toff_t offset, int from) {
    TiffSource& source = source_of(handle);
    source.at = from == SEEK_CUR ? source.at + offset : from == SEEK_END ? source.bytes.size() + offset : offset;
    return source.at;
}

void keep_first(std::string& kept, const char* format, va_list arguments) {
    if (!kept.empty()) return;
    char text[200];
    std::vsnprintf(text, sizeof text, format, arguments);
    for (const char* c = text; *c; ++c) kept += static_cast<unsigned char>(*c) < ' ' ? ' ' : *c;
    while (kept.ends_with('.')) kept.pop_back();
}

template <std::string TiffSource::*kKept>
int keep(TIFF*, void* source, const char*, const char* format, va_list arguments) {
    keep_first(static_cast<TiffSource*>(source)->*kKept, format, arguments);
    return 1;
}

struct Closer {
    void operator()(TIFF* file) const { TIFFClose(file); }
};

template <class Value>
Value value_at(const unsigned char* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

constexpr uint64_t kMostPlaneBytes = uint64_t{1} << 32;
// Largest expansion of one byte of the file.
constexpr double kMostPlain = 2;        // chroma at half resolution: three bytes from one and a half
constexpr double kMostPacked = 1032;    // by deflate, the tightest of the common codecs
constexpr double kMostTight = 1 << 20;  // by fax codes, zstd, lzma and similar, of a white page

class TiffReader {
  public:
    explicit TiffReader(const ImageFile& image)
        : image_(image), path_(image.path), source_{image.bytes}, stack_{path_.filename().string(), 0, 0, {}} {
        // Some codecs only use the process-wide handlers.
        static const bool silenced = (TIFFSetErrorHandler(nullptr), TIFFSetWarningHandler(nullptr), true);
        (void)silenced;
        const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                       &TIFFOpenOptionsFree);
        if (!options) throw std::bad_alloc();
        TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep<&TiffSource::complaint>, &source_);
        TIFFOpenOptionsSetWarningHandlerExtR(options.get(), keep<&TiffSource::warning>, &source_);
        constexpr size_t kLeastMemory = size_t{256} << 20;  // for codecs
        TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(),
                                            static_cast<tmsize_t>(std::max(kLeastMemory, 2 * image.bytes.size())));
        file_.reset(TIFFClientOpenExt(
            path_.filename().string().c_str(), "rm", &source_, read_bytes,
            [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; }, go_to, [](thandle_t) { return 0; },
            [](thandle_t handle) -> toff_t { return source_of(handle).bytes.size(); }, nullptr, nullptr,
            options.get()));
        if (!file_) throw refusal();
    }

    FieldStack read() {
        read_description();
        size_t page = 0;
        do {
            throw_if_cancelled();
            read_page(page++);
            if (page == 1 && TIFFLastDirectory(file_.get())) read_unlisted();
            source_.complaint.clear();
        } while (TIFFReadDirectory(file_.get()));
        // The end of the file is no error; a broken chain of pages is one.
        if (!source_.complaint.empty()) throw refusal();
        if (stack_.values.empty()) throw image_error(path_, "it has no page but reduced ones and masks");
        say();
        return std::move(stack_);
    }

  private:
    Error refusal() const {
        return image_error(path_, (source_.complaint.empty() ? "libtiff does not say why" : source_.complaint) +
                                      "; is the file complete?");
    }

    template <class Value>
    Value tag(uint32_t which, Value otherwise) const {
        Value value{};
        return TIFFGetField(file_.get(), which, &value) ? value : otherwise;
    }
    template <class Value>
    Value tag_or_default(uint32_t which) const {
        Value value{};
        TIFFGetFieldDefaulted(file_.get(), which, &value);
        return value;
    }

    void read_page(size_t page) {
        const auto kind = tag<uint32_t>(TIFFTAG_SUBFILETYPE, 0);
        if (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) {
            ++left_out_;
            return;
        }
        width_ = tag<uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
        height_ = tag<uint32_t>(TIFFTAG_IMAGELENGTH, 0);
        require_size(path_, width_, height_);
        bits_ = tag_or_default<uint16_t>(TIFFTAG_BITSPERSAMPLE);
        samples_ = tag_or_default<uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
        format_ = tag_or_default<uint16_t>(TIFFTAG_SAMPLEFORMAT);
        separate_ = tag_or_default<uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && samples_ > 1;
        photometric_ = tag<uint16_t>(TIFFTAG_PHOTOMETRIC, samples_ >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
        compression_ = tag_or_default<uint16_t>(TIFFTAG_COMPRESSION);
        if (format_ == SAMPLEFORMAT_VOID) format_ = SAMPLEFORMAT_UINT;
        if (photometric_ == PHOTOMETRIC_YCBCR && compression_ == COMPRESSION_JPEG) {
            TIFFSetField(file_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
            photometric_ = PHOTOMETRIC_RGB;
        }
        const bool tight = compression_ == COMPRESSION_CCITTFAX3 || compression_ == COMPRESSION_CCITTFAX4 ||
                           compression_ == COMPRESSION_CCITTRLE || compression_ == COMPRESSION_CCITTRLEW ||
                           compression_ == COMPRESSION_ZSTD || compression_ == COMPRESSION_LZMA ||
                           compression_ == COMPRESSION_WEBP || compression_ == COMPRESSION_LERC;
        const double most = compression_ == COMPRESSION_NONE ? kMostPlain : tight ? kMostTight : kMostPacked;
        const double pixels_of_byte = 8 * most / (std::max<double>(bits_, 1) * std::max<double>(samples_, 1));
        require_room(path_, width_, height_, pixels_of_byte, source_.bytes.size());
        if (stack_.values.empty()) first_bits_ = bits_, first_format_ = format_;

        require_memory(1);
        bytes_needed_ += static_cast<double>(width_) * height_ / pixels_of_byte;
        if (bytes_needed_ > static_cast<double>(source_.bytes.size()))
            throw image_error(path_, "its pages declare " + std::to_string(pixels_) + " pixels, more than its " +
                                         std::to_string(source_.bytes.size()) + " bytes can hold; is it complete?");
        source_.warning.clear();  // mostly unknown tags
        FieldStack frame{stack_.name, width_, height_, {}};
        if (is_plain())
            read_samples(frame, page);
        else
            read_converted(frame);
        // A warning while pixels are read means broken data, which the codec paints over; LZW's is about its age.
        if (!source_.warning.empty() && compression_ != COMPRESSION_LZW) {
            source_.complaint = source_.warning;
            throw refusal();
        }
        add(std::move(frame));
    }

    bool is_plain() const {
        return photometric_ == PHOTOMETRIC_MINISBLACK || photometric_ == PHOTOMETRIC_MINISWHITE ||
               photometric_ == PHOTOMETRIC_RGB || photometric_ == PHOTOMETRIC_PALETTE;
    }

    /// Checks the memory for this many more pages.
    void require_memory(uint64_t pages) {
        pixels_ += uint64_t{width_} * height_ * pages;
        // Allow a quarter of the memory for floats, and as much again for later conversions.
        if (pixels_ > io::most_file_bytes() / 8)
            throw Error(path_.string() + ": its pages have more than " + std::to_string(io::most_file_bytes() / 8) +
                        " pixels in all, which is too much for this machine's memory; take a part of them");
    }

    /// An ImageJ stack of one page: reads the images behind it, uncompressed, which have no pages.
    void read_unlisted() {
        TIFF* const file = file_.get();
        if (images_ < 2 || stack_.values.empty() || compression_ != COMPRESSION_NONE || separate_ || !is_plain() ||
            TIFFIsTiled(file) || tag_or_default<uint16_t>(TIFFTAG_FILLORDER) != FILLORDER_MSB2LSB)
            return;
        const uint64_t row = row_bytes(width_, samples_), image = row * height_, size = source_.bytes.size();
        const uint64_t strip = row * std::min(tag_or_default<uint32_t>(TIFFTAG_ROWSPERSTRIP), height_);
        const uint64_t* begins = nullptr;
        if (!TIFFGetField(file, TIFFTAG_STRIPOFFSETS, &begins) || !begins || begins[0] > size) return;
        for (uint32_t k = 1; k < TIFFNumberOfStrips(file); ++k)
            if (begins[k] != begins[0] + k * strip) return;
        const uint64_t held = (size - begins[0]) / image, listing = TIFFCurrentDirOffset(file);
        if (held < 2 || (listing > begins[0] && listing < begins[0] + images_ * image)) return;  // its tags are there
        if (held < images_)
            throw image_error(path_, "ImageJ wrote " + std::to_string(images_) + " images, and it ends within image " +
                                         std::to_string(held + 1) + "; is it complete?");
        require_memory(images_ - 1);
        stack_.values.reserve(pixels_);
        for (uint64_t k = 1; k < images_; ++k) {
            throw_if_cancelled();
            unlisted_ = source_.bytes.substr(begins[0] + k * image, image);
            FieldStack frame{stack_.name, width_, height_, {}};
            read_samples(frame, k);
            add(std::move(frame));
        }
    }

    void add(FieldStack frame) {
        flip_rows(frame);
        orient(frame, tag_or_default<uint16_t>(TIFFTAG_ORIENTATION));
        if (stack_.values.empty()) {
            stack_.width = frame.width, stack_.height = frame.height;
        } else if (frame.width != stack_.width || frame.height != stack_.height) {
            ++left_out_;
            return;
        }
        append_frames(stack_, std::move(frame));
    }

    // ---- samples as stored

    /// Bytes per row of a plane with `each` samples per pixel.
    uint64_t row_bytes(uint64_t pixels, uint64_t each) const { return (pixels * each * bits_ + 7) / 8; }

    void require_known() const {
        const bool is_float = format_ == SAMPLEFORMAT_IEEEFP;
        const bool known = is_float                       ? bits_ == 16 || bits_ == 32 || bits_ == 64
                           : format_ == SAMPLEFORMAT_INT  ? bits_ == 8 || bits_ == 16 || bits_ == 32 || bits_ == 64
                           : format_ == SAMPLEFORMAT_UINT ? (bits_ >= 1 && bits_ <= 16) || bits_ == 32 || bits_ == 64
                                                          : false;
        if (!known || samples_ == 0)
            throw image_error(path_, "its samples have " + std::to_string(bits_) + " bits and are " +
                                         (is_float                       ? "floating-point numbers"
                                          : format_ == SAMPLEFORMAT_INT  ? "signed"
                                          : format_ == SAMPLEFORMAT_UINT ? "unsigned"
                                                                         : "complex") +
                                         "; whole numbers of 1 to 16, 32 or 64 bits and floating-point ones can be "
                                         "read: save it as one of these, or as a .npy array");
        if (photometric_ == PHOTOMETRIC_PALETTE && (bits_ > 8 || format_ != SAMPLEFORMAT_UINT))
            throw image_error(path_, "its palette has more than 256 colours");
    }

    /// The uncompressed rows of a plane: all samples of its pixels, or those of one channel.
    std::vector<unsigned char> read_plane(uint16_t channel) {
        TIFF* const file = file_.get();
        const uint64_t each = separate_ ? 1 : samples_, row = row_bytes(width_, each);
        if (row * height_ > kMostPlaneBytes)
            throw image_error(path_, "its picture takes more than " + std::to_string(kMostPlaneBytes >> 20) +
                                         " MiB of memory; save a part of it");
        std::vector<unsigned char> plane(row * height_);
        if (!unlisted_.empty()) {
            std::memcpy(plane.data(), unlisted_.data(), plane.size());
            const auto count = static_cast<tmsize_t>(plane.size());
            if (!TIFFIsByteSwapped(file)) return plane;
            if (bits_ == 16) TIFFSwabArrayOfShort(reinterpret_cast<uint16_t*>(plane.data()), count / 2);
            if (bits_ == 32) TIFFSwabArrayOfLong(reinterpret_cast<uint32_t*>(plane.data()), count / 4);
            if (bits_ == 64) TIFFSwabArrayOfLong8(reinterpret_cast<uint64_t*>(plane.data()), count / 8);
            return plane;
        }
        CancelPoll poll(64);
        if (!TIFFIsTiled(file)) {
            if (static_cast<uint64_t>(TIFFScanlineSize(file)) != row) throw refusal();
            for (uint32_t y = 0; y < height_; ++y) {
                poll();
                if (TIFFReadScanline(file, plane.data() + row * y, y, channel) != 1) throw refusal();
            }
            return plane;
        }
        const auto tile_width = tag<uint32_t>(TIFFTAG_TILEWIDTH, 0), tile_height = tag<uint32_t>(TIFFTAG_TILELENGTH, 0);
        // Tiles may extend beyond the picture, by less than a tile.
        if (tile_width == 0 || tile_height == 0 || tile_width > 2 * kMostPixels || tile_height > 2 * kMostPixels)
            throw image_error(path_, "its tiles are " + std::to_string(tile_width) + " × " +
                                         std::to_string(tile_height) + " pixels large");
        const uint64_t tile_row = row_bytes(tile_width, each);
        if (static_cast<uint64_t>(TIFFTileSize(file)) != tile_row * tile_height) throw refusal();
        if (tile_row * tile_height > std::max<uint64_t>(4 * row * height_, 1 << 24))
            throw image_error(path_, "its tiles of " + std::to_string(tile_width) + " × " +
                                         std::to_string(tile_height) + " pixels are far larger than the picture");
        if (tile_width * each * bits_ % 8 != 0) throw image_error(path_, "its tiles end within a byte");
        std::vector<unsigned char> tile(tile_row * tile_height);
        for (uint32_t y = 0; y < height_; y += tile_height)
            for (uint32_t x = 0; x < width_; x += tile_width) {
                poll();
                if (TIFFReadTile(file, tile.data(), x, y, 0, channel) < 0) throw refusal();
                const uint64_t at = row_bytes(x, each), length = std::min(tile_row, row - at);
                for (uint32_t k = 0; k < std::min(tile_height, height_ - y); ++k)
                    std::copy_n(tile.data() + tile_row * k, length, plane.data() + row * (y + k) + at);
            }
        return plane;
    }

    double sample(const unsigned char* row, uint64_t index) const {
        const bool is_float = format_ == SAMPLEFORMAT_IEEEFP;
        const auto whole = [&]<class Unsigned>(Unsigned) {
            const auto value = value_at<Unsigned>(row + sizeof(Unsigned) * index);
            return format_ == SAMPLEFORMAT_INT ? static_cast<double>(static_cast<std::make_signed_t<Unsigned>>(value))
                                               : static_cast<double>(value);
        };
        if (bits_ == 8) return whole(uint8_t{});
        if (bits_ == 16) return is_float ? io::real_of(value_at<uint16_t>(row + 2 * index), 2) : whole(uint16_t{});
        if (bits_ == 32) return is_float ? value_at<float>(row + 4 * index) : whole(uint32_t{});
        if (bits_ == 64) return is_float ? value_at<double>(row + 8 * index) : whole(uint64_t{});
        uint32_t value = 0;  // packed, highest bit first
        for (uint64_t bit = index * bits_; bit < (index + 1) * bits_; ++bit)
            value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1);
        return value;
    }

    /// Whether the samples have a scale, which maps to 0…1 (colours, black and white); other numbers stay unchanged.
    bool has_scale() const { return format_ == SAMPLEFORMAT_UINT && bits_ <= 16; }

    /// TIFF palettes have 16 bits per colour; the upper eight count.
    void read_palette(FieldStack& frame) {
        std::array<uint16_t*, 3> map{};
        if (!TIFFGetField(file_.get(), TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
            throw image_error(path_, "it has no palette");
        std::vector<uint8_t> palette(size_t{256} * 3);
        for (size_t i = 0; i < size_t{1} << bits_; ++i)
            for (size_t c = 0; c < 3; ++c) palette[3 * i + c] = static_cast<uint8_t>(map[c][i] >> 8);
        const std::vector<unsigned char> plane = read_plane(0);
        const uint64_t each = separate_ ? 1 : samples_, row_length = row_bytes(width_, each);
        PaletteRows rows(image_, width_, height_, std::move(palette));
        std::vector<uint8_t> row(width_);
        for (uint32_t y = 0; y < height_; ++y) {
            for (uint32_t x = 0; x < width_; ++x)
                row[x] = static_cast<uint8_t>(sample(plane.data() + row_length * y, uint64_t{x} * each));
            rows.add(row.data());
        }
        frame = rows.take();
        flip_rows(frame);
    }

    void read_samples(FieldStack& frame, size_t page) {
        require_known();
        if (photometric_ == PHOTOMETRIC_PALETTE) return read_palette(frame);
        TIFF* const file = file_.get();
        const bool colour = photometric_ == PHOTOMETRIC_RGB && samples_ >= 3;
        const auto channels = static_cast<uint16_t>(colour ? 3 : 1);
        uint16_t extra_count = 0;
        uint16_t* extra = nullptr;
        TIFFGetField(file, TIFFTAG_EXTRASAMPLES, &extra_count, &extra);
        const bool transparent = samples_ > channels && extra_count > 0 && has_scale() &&
                                 (extra[0] == EXTRASAMPLE_ASSOCALPHA || extra[0] == EXTRASAMPLE_UNASSALPHA);
        const bool multiplied = transparent && extra[0] == EXTRASAMPLE_ASSOCALPHA;
        const auto used = static_cast<uint16_t>(channels + transparent);
        if (samples_ > used) unused_samples_ = samples_ - used;
        std::vector<std::vector<unsigned char>> planes;
        for (uint16_t c = 0; c < (separate_ ? used : 1); ++c) planes.push_back(read_plane(c));
        const uint64_t each = separate_ ? 1 : samples_, row = row_bytes(width_, each);
        const double most = has_scale() ? std::exp2(bits_) - 1 : 1;
        const bool inverted = photometric_ == PHOTOMETRIC_MINISWHITE;
        const size_t count = size_t{width_} * height_;
        frame.values.reserve(count);
        bool whole = !transparent, exact = true;
        const auto at = [&](uint32_t x, uint32_t y, uint16_t c) {
            return separate_ ? sample(planes[c].data() + row * y, x)
                             : sample(planes[0].data() + row * y, uint64_t{x} * each + c);
        };
        CancelPoll poll;
        for (uint32_t y = 0; y < height_; ++y)
            for (uint32_t x = 0; x < width_; ++x) {
                poll();
                std::array<double, 3> c{at(x, y, 0), 0, 0};
                if (colour) c[1] = at(x, y, 1), c[2] = at(x, y, 2);
                const bool is_grey = !colour || (c[0] == c[1] && c[0] == c[2]);
                double value = is_grey ? c[0] : 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
                if (!std::isfinite(value) || std::fabs(value) > double{std::numeric_limits<float>::max()})
                    throw Error(path_.string() + ": page " + std::to_string(page + 1) + ", row " + std::to_string(y) +
                                " from the top, column " + std::to_string(x) +
                                " is not a finite number that a float can hold");
                if (inverted) value = has_scale() ? most - value : -value;
                if (transparent) {
                    const double alpha = at(x, y, channels) / most;
                    value = std::clamp(multiplied ? value + (1 - alpha) * most : value * alpha + (1 - alpha) * most,
                                       0.0, most);
                }
                whole = whole && value >= 0 && value <= 0x1p53 && value == std::floor(value);
                const auto kept = static_cast<float>(value / most);
                if (!has_scale() && static_cast<double>(kept) != value && exact) {
                    exact = false;
                    frame.exact.assign(frame.values.begin(), frame.values.end());
                }
                if (!exact) frame.exact.push_back(value);
                frame.values.push_back(kept);
            }
        if (whole) frame.whole = most;
    }

    // ---- conversion by libtiff

    void read_converted(FieldStack& frame) {
        char reason[1024] = "";
        if (!TIFFRGBAImageOK(file_.get(), reason)) throw image_error(path_, std::string(reason) + "; save it as PNG");
        std::vector<uint32_t> pixels(size_t{width_} * height_);
        // As stored; the orientation is applied here.
        TIFFRGBAImage image;
        if (!TIFFRGBAImageBegin(&image, file_.get(), 1, reason)) throw image_error(path_, std::string(reason));
        image.req_orientation = image.orientation;
        const bool read = TIFFRGBAImageGet(&image, pixels.data(), width_, height_);
        TIFFRGBAImageEnd(&image);
        if (!read) throw refusal();
        GreyRows grey(path_, width_, height_);
        std::vector<uint8_t> row(size_t{width_} * 4);
        for (uint32_t y = 0; y < height_; ++y) {
            for (uint32_t x = 0; x < width_; ++x) {
                const uint32_t pixel = pixels[size_t{y} * width_ + x];
                for (size_t c = 0; c < 4; ++c) row[4 * x + c] = static_cast<uint8_t>(pixel >> 8 * c);  // red is lowest
            }
            grey.add(row.data(), 4, 255);
        }
        frame = grey.take();
        frame.whole = 0;
        flip_rows(frame);
    }

    // ---- notes

    void say() {
        const auto note = [&](const std::string& text) { image_.notes.push_back(path_.string() + ": " + text); };
        const size_t frames = stack_.frame_count();
        std::string said = frames > 1 ? std::to_string(frames) + " frames of " : "";
        said += std::to_string(stack_.width) + " × " + std::to_string(stack_.height) + " pixels, " +
                count_text(first_bits_, "bit", "bits") +
                (first_format_ == SAMPLEFORMAT_IEEEFP ? ", floating-point"
                 : first_format_ == SAMPLEFORMAT_INT  ? ", signed"
                                                      : "") +
                "; the top row is the highest y" + resolution_ + interval_;
        note(said);
        if (unused_samples_ > 0)
            note("of each pixel " + count_text(unused_samples_, "sample is", "samples are") + " left out");
        if (left_out_ > 0)
            note(count_text(left_out_, "page is", "pages are") +
                 " left out: of another size than the first, reduced, or a mask");
        if (images_ > frames + left_out_)
            note("ImageJ wrote " + std::to_string(images_) + " images, and the file lists " +
                 std::to_string(frames + left_out_) + " only; save it as an image sequence");
        if (channels_ > 1)
            note("ImageJ wrote " + std::to_string(channels_) +
                 " channels, which follow one another as frames here; save one of them alone");
    }

    /// From the first page: the pixel size, if it is plausible, and ImageJ's channels.
    void read_description() {
        const std::string_view text = [&]() -> std::string_view {
            char* description = nullptr;
            return TIFFGetField(file_.get(), TIFFTAG_IMAGEDESCRIPTION, &description) ? description : "";
        }();
        const auto entry = [&](std::string_view key) -> std::string_view {
            const size_t at = text.find(std::string("\n").append(key).append("="));
            if (!text.starts_with("ImageJ=") || at == text.npos) return {};
            const std::string_view rest = text.substr(at + key.size() + 2);
            return rest.substr(0, rest.find('\n'));
        };
        const auto count_of = [&](std::string_view key) {
            uint64_t count = 0;
            for (const char digit : entry(key).substr(0, 9))
                if (digit >= '0' && digit <= '9') count = 10 * count + static_cast<uint64_t>(digit - '0');
            return count;
        };
        channels_ = count_of("channels");
        images_ = count_of("images");
        if (images_ > 1 && count_of("frames") == images_) set_interval(entry("finterval"), entry("tunit"));
        if (const std::optional<Point> pixel = ome_pixel(text)) return set_pixel(*pixel);
        const double x = tag<float>(TIFFTAG_XRESOLUTION, 0), y = tag<float>(TIFFTAG_YRESOLUTION, 0);  // pixels per unit
        const auto unit = tag_or_default<uint16_t>(TIFFTAG_RESOLUTIONUNIT);
        double micrometres = micrometres_of(entry("unit"));
        if (micrometres == 0 && unit == RESUNIT_CENTIMETER) micrometres = 1e4;
        if (micrometres == 0 && unit == RESUNIT_INCH && x > 1200)
            micrometres = 25400;  // lower resolutions are meant for printing
        set_pixel({micrometres / x, micrometres / (y > 0 ? y : x)});
    }

    /// 0: not a length.
    static double micrometres_of(std::string_view unit) {
        constexpr std::pair<std::string_view, double> kLengths[] = {
            {"micron", 1},      {"microns", 1},      {"micrometer", 1}, {"um", 1},    {"\\u00B5m", 1},
            {"\xC2\xB5m", 1},   {"\xCE\xBCm", 1},    {"\xB5m", 1},      {"nm", 1e-3}, {"nanometer", 1e-3},
            {"mm", 1e3},        {"millimeter", 1e3}, {"cm", 1e4},       {"m", 1e6},   {"pm", 1e-6},
            {"\xC3\x85", 1e-4}, {"inch", 25400},     {"in", 25400}};
        for (const auto& [name, size] : kLengths)
            if (unit == name) return size;
        return 0;
    }

    static double number_of(std::string_view text) {
        double value = 0;
        return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() ? value : 0;
    }

    void set_interval(std::string_view written, std::string_view unit) {
        constexpr std::pair<std::string_view, double> kTimes[] = {
            {"", 1},         {"s", 1},     {"sec", 1},         {"second", 1},       {"seconds", 1}, {"ms", 1e-3},
            {"msec", 1e-3},  {"us", 1e-6}, {"\\u00B5s", 1e-6}, {"\xC2\xB5s", 1e-6}, {"min", 60},    {"minute", 60},
            {"minutes", 60}, {"h", 3600},  {"hr", 3600},       {"hour", 3600},      {"hours", 3600}};
        for (const auto& [name, seconds] : kTimes)
            if (unit == name && number_of(written) > 0) stack_.interval = number_of(written) * seconds;
        if (stack_.interval > 0)
            interval_ = "; " + format_short(stack_.interval) + " s from one frame to the next";
        else if (number_of(written) > 0)
            interval_ = "; the frame interval " + std::string(written) + " has an unknown unit, \"" +
                        std::string(unit) + "\", and is not used: set frame_interval";
    }

    /// From OME's XML, into which microscopes' formats are converted.
    static std::optional<Point> ome_pixel(std::string_view text) {
        const auto attribute = [&](std::string_view name) -> std::string_view {
            const size_t at = text.find(std::string(name) + "=\"");
            if (at == text.npos) return {};
            const std::string_view rest = text.substr(at + name.size() + 2);
            return rest.substr(0, rest.find('"'));
        };
        const auto size = [&](const std::string& axis) {
            const std::string_view written = attribute("PhysicalSize" + axis);
            const std::string_view unit = attribute("PhysicalSize" + axis + "Unit");
            return number_of(written) * (unit.empty() ? 1 : micrometres_of(unit));
        };
        if (text.find("<OME") == text.npos) return std::nullopt;
        const double x = size("X"), y = size("Y");
        if (!(x > 0)) return std::nullopt;
        return Point{x, y > 0 ? y : x};
    }

    /// In µm; of the first page.
    void set_pixel(Point micrometres) {
        const auto [x, y] = micrometres;
        if (!(x > 0) || !std::isfinite(x)) return;
        if (std::fabs(y - x) > 1e-3 * x) {
            resolution_ = "; pixels are " + format_short(x) + " by " + format_short(y) +
                          " µm, by its resolution, and only square ones have a size here: lengths are in pixels";
            return;
        }
        stack_.pixel = x;
        stack_.unit = "µm";
        resolution_ = "; a pixel is " + format_short(x) + " µm wide, by its resolution";
    }

    const ImageFile& image_;
    const std::filesystem::path& path_;
    TiffSource source_;
    std::unique_ptr<TIFF, Closer> file_;
    FieldStack stack_;
    // Of the current page.
    uint32_t width_ = 0, height_ = 0;
    uint16_t bits_ = 0, samples_ = 0, format_ = 0, photometric_ = 0, compression_ = 0;
    bool separate_ = false;           // each channel is a separate plane
    std::string_view unlisted_ = {};  // pixels of an image without a page
    // Of the pages so far.
    uint64_t pixels_ = 0;
    double bytes_needed_ = 0;  // minimum
    // For the notes.
    uint16_t first_bits_ = 0, first_format_ = 0;
    uint64_t left_out_ = 0, unused_samples_ = 0;
    uint64_t channels_ = 0, images_ = 0;  // from ImageJ; 0: not given
    std::string resolution_, interval_;
};

}  // namespace

FieldStack read_tiff(const ImageFile& file) { return TiffReader(file).read(); }

}  // namespace flipscope::app
