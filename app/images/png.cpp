// PNG by libpng, in both directions. libpng leaves its functions by longjmp on errors. All calls go through one
// function, completes(), and return there; objects with destructors live outside of that call.
#include "app/images/png.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "app/images/image_formats.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

/// libpng's error message.
struct Complaint {
    char text[200] = "";
};

/// Warnings count as errors: they mean that the picture is not what its author saved.
[[noreturn]] void complain(png_structp png, png_const_charp message) {
    auto* complaint = static_cast<Complaint*>(png_get_error_ptr(png));
    std::snprintf(complaint->text, sizeof complaint->text, "%s", message);
    png_longjmp(png, 1);
}

void warn(png_structp png, png_const_charp message) { complain(png, message); }

/// Calls libpng; false after an error. Neither `call` nor its callees may own an object with a destructor.
template <class Call>
bool completes(png_structp png, const Call& call) {
    if (setjmp(png_jmpbuf(png))) return false;
    call();
    return true;
}

void read_bytes(png_structp png, png_bytep to, size_t count) {
    auto* rest = static_cast<std::string_view*>(png_get_io_ptr(png));
    if (count > rest->size()) png_error(png, "it ends early");
    rest->copy(reinterpret_cast<char*>(to), count);
    rest->remove_prefix(count);
}

/// A PNG being read.
class PngReader {
  public:
    explicit PngReader(const ImageFile& file) : file_(file), path_(file.path), rest_(file.bytes) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &complaint_, complain, warn);
        if (png_) info_ = png_create_info_struct(png_);
        if (info_) return;
        png_destroy_read_struct(&png_, nullptr, nullptr);
        throw std::bad_alloc();
    }
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    FieldStack read() {
        const size_t size = rest_.size();
        require([&] {
            png_set_read_fn(png_, &rest_, read_bytes);
            png_set_crc_action(png_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
            // Our own limit has its own message.
            png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
            // Ignore profiles, texts and times; they are no reason to reject a picture.
            png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
            // Keep the orientation, as bytes, so that a malformed one does not reject the picture either.
            png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("eXIf"), 1);
            // Some writers declare a smaller compression window than they use.
            png_set_option(png_, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
            png_read_info(png_, info_);
        });
        width_ = png_get_image_width(png_, info_);
        height_ = png_get_image_height(png_, info_);
        require_size(path_, width_, height_);
        constexpr double kMostDeflated = 1032;  // bytes out of one
        if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_GRAY) grey_bits_ = png_get_bit_depth(png_, info_);
        const int pixel_bits = png_get_channels(png_, info_) * png_get_bit_depth(png_, info_);
        require_room(path_, width_, height_, kMostDeflated * 8 / pixel_bits, size);
        require([&] {
            if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_PALETTE)
                png_set_packing(png_);  // one to four bits to eight
            else
                png_set_expand(png_);  // to eight bits scaled, and a transparent colour to alpha
            if constexpr (std::endian::native == std::endian::little) png_set_swap(png_);
            passes_ = png_set_interlace_handling(png_);
            png_read_update_info(png_, info_);
        });
        return png_get_bit_depth(png_, info_) == 16 ? read_rows<uint16_t>(65535) : read_rows<uint8_t>(255);
    }

  private:
    template <class Call>
    void require(const Call& call) {
        if (!completes(png_, call)) throw image_error(path_, std::string(complaint_.text) + "; is the file complete?");
    }

    /// The palette's colours, with alpha if present; black for indices beyond it.
    std::vector<uint8_t> read_palette() {
        png_colorp colours = nullptr;
        png_bytep alphas = nullptr;
        int colour_count = 0, alpha_count = 0;
        png_get_PLTE(png_, info_, &colours, &colour_count);
        png_get_tRNS(png_, info_, &alphas, &alpha_count, nullptr);
        const size_t channels = alpha_count > 0 ? 4 : 3;
        std::vector<uint8_t> palette(256 * channels);
        for (size_t i = 0; i < 256; ++i) {
            if (i < static_cast<size_t>(colour_count)) {
                const uint8_t colour[] = {colours[i].red, colours[i].green, colours[i].blue};
                std::copy_n(colour, 3, &palette[i * channels]);
            }
            if (channels == 4) palette[i * channels + 3] = i < static_cast<size_t>(alpha_count) ? alphas[i] : 255;
        }
        return palette;
    }

    template <class Sample>
    FieldStack read_rows(double most) {
        const int channels = png_get_channels(png_, info_);
        const size_t row_length = size_t{width_} * static_cast<size_t>(channels);
        const bool has_palette = png_get_color_type(png_, info_) == PNG_COLOR_TYPE_PALETTE;
        PaletteRows coloured(file_, width_, height_, has_palette ? read_palette() : std::vector<uint8_t>());
        GreyRows grey(path_, width_, height_);
        const bool interlaced = passes_ > 1;  // each pass adds to all rows
        std::vector<Sample> samples(interlaced ? row_length * height_ : row_length);
        for (int pass = 0; pass < passes_; ++pass) {
            for (size_t y = 0; y < height_; ++y) {
                Sample* row = samples.data() + (interlaced ? y * row_length : 0);
                require([&] { png_read_row(png_, reinterpret_cast<png_bytep>(row), nullptr); });
                if (pass < passes_ - 1) continue;
                if (has_palette)
                    coloured.add(reinterpret_cast<const uint8_t*>(row));  // eight bits
                else
                    grey.add(row, channels, most);
            }
        }
        require([&] { png_read_end(png_, info_); });
        FieldStack field = has_palette ? coloured.take() : grey.take();
        if (field.whole == 255 && grey_bits_ < 8) field.whole = (1 << grey_bits_) - 1;  // the original depth
        png_unknown_chunkp chunks = nullptr;
        const int count = png_get_unknown_chunks(png_, info_, &chunks);
        for (int i = 0; i < count; ++i)
            orient(field, exif_orientation({reinterpret_cast<const char*>(chunks[i].data), chunks[i].size}));
        return field;
    }

    const ImageFile& file_;
    const std::filesystem::path& path_;
    std::string_view rest_;  // of the file
    Complaint complaint_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    uint32_t width_ = 0, height_ = 0;
    int passes_ = 1, grey_bits_ = 8;
};

}  // namespace

FieldStack read_png(const ImageFile& file) { return PngReader(file).read(); }

/// libpng's state while writing.
struct PngRows::Impl {
    explicit Impl(std::function<void(std::string_view)> sink) : take(std::move(sink)) {}
    ~Impl() { png_destroy_write_struct(&png, &info); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// Passes libpng's bytes on and holds an exception back, which must not cross libpng.
    void keep(png_bytep bytes, size_t count) noexcept {
        try {
            take(std::string_view(reinterpret_cast<const char*>(bytes), count));
        } catch (...) {
            failure = std::current_exception();
        }
    }
    template <class Call>
    void require(const Call& call) {
        const bool written = completes(png, call);
        if (failure) std::rethrow_exception(failure);
        if (!written) throw Error(std::string("the picture cannot be written: ") + complaint.text);
    }

    std::function<void(std::string_view)> take;
    std::exception_ptr failure;
    Complaint complaint;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &complaint, complain, warn);
    png_infop info = png ? png_create_info_struct(png) : nullptr;
};

PngRows::PngRows(std::function<void(std::string_view)> sink, int width, int height, bool alpha, double dpi)
    : impl_(std::make_unique<Impl>(std::move(sink))) {
    const png_structp png = impl_->png;
    const png_infop info = impl_->info;
    if (!info) throw std::bad_alloc();
    const auto write = [](png_structp to, png_bytep bytes, size_t count) {
        auto* const impl = static_cast<Impl*>(png_get_io_ptr(to));
        impl->keep(bytes, count);
        if (impl->failure) png_error(to, "");
    };
    impl_->require([&] {
        png_set_write_fn(png, impl_.get(), write, [](png_structp) {});
        png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
                     alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        if (dpi > 0) {
            const auto per_metre = static_cast<png_uint_32>(dpi / 0.0254 + 0.5);
            png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
        }
        png_write_info(png, info);
        if (!alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);  // drops the fourth byte of each pixel
    });
}

PngRows::~PngRows() = default;

void PngRows::put(const unsigned char* rgba) {
    impl_->require([&] { png_write_row(impl_->png, rgba); });
}

void PngRows::finish() {
    impl_->require([&] { png_write_end(impl_->png, nullptr); });
}

std::string png_of(const std::vector<unsigned char>& rgba, int width, int height, bool alpha) {
    std::string all;
    PngRows rows([&](std::string_view bytes) { all += bytes; }, width, height, alpha);
    for (size_t y = 0; y < static_cast<size_t>(height); ++y) rows.put(rgba.data() + y * static_cast<size_t>(width) * 4);
    rows.finish();
    return all;
}

std::vector<unsigned char> read_png(const std::filesystem::path& path, int& width, int& height) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    std::vector<unsigned char> rgba;
    if (png_image_begin_read_from_file(&image, path.c_str())) {
        image.format = PNG_FORMAT_RGBA;
        rgba.resize(PNG_IMAGE_SIZE(image));
        png_image_finish_read(&image, nullptr, rgba.data(), 0, nullptr);
    }
    if (PNG_IMAGE_FAILED(image)) throw Error(path.string() + ": " + image.message);
    width = static_cast<int>(image.width);
    height = static_cast<int>(image.height);
    return rgba;
}

void write_png(const std::filesystem::path& path, const std::vector<unsigned char>& rgba, int width, int height) {
    write_whole_file(path, png_of(rgba, width, height));
}

}  // namespace flipscope::app
