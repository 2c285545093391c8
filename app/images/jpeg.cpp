// JPEG by libjpeg-turbo. As with libpng, all calls go through one function, completes(), to which the library returns
// by longjmp on errors; objects with destructors live outside of that call.
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it
#include <vector>

#include <jpeglib.h>

#include "app/images/image_formats.h"

namespace flipscope::app {

namespace {

constexpr int kMostScans = 100;  // of a progressive picture, each as costly as a whole one; programs write about ten

/// The library's state, followed by what our callbacks need: they receive pointers to its parts.
struct Decoder {
    jpeg_decompress_struct library{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf back{};
    char complaint[JMSG_LENGTH_MAX] = "";

    Decoder() = default;
    ~Decoder() { jpeg_destroy_decompress(&library); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
};

Decoder& decoder_of(j_common_ptr library) { return *static_cast<Decoder*>(library->client_data); }

[[noreturn]] void complain(j_common_ptr library) {
    Decoder& decoder = decoder_of(library);
    if (!decoder.complaint[0]) library->err->format_message(library, decoder.complaint);
    std::longjmp(decoder.back, 1);
}

/// Levels below 0 are warnings about broken data, which the library would paint over.
void on_message(j_common_ptr library, int level) {
    if (level < 0) complain(library);
}

void count_scans(j_common_ptr library) {
    Decoder& decoder = decoder_of(library);
    if (!library->is_decompressor || decoder.library.input_scan_number <= kMostScans) return;
    std::snprintf(decoder.complaint, sizeof decoder.complaint, "it has more than %d scans", kMostScans);
    complain(library);
}

/// Calls the library; false after an error. Neither `call` nor its callees may own an object with a destructor.
template <class Call>
bool completes(Decoder& decoder, const Call& call) {
    if (setjmp(decoder.back)) return false;
    call();
    return true;
}

/// A JPEG being read.
class JpegReader {
  public:
    JpegReader(const std::filesystem::path& path, std::string_view bytes) : path_(path), bytes_(bytes) {
        decoder_.library.err = jpeg_std_error(&decoder_.errors);
        decoder_.errors.error_exit = complain;
        decoder_.errors.emit_message = on_message;
        decoder_.library.client_data = &decoder_;
        require([&] { jpeg_create_decompress(&decoder_.library); });
    }

    FieldStack read() {
        jpeg_decompress_struct& jpeg = decoder_.library;
        require([&] {
            decoder_.progress.progress_monitor = count_scans;
            jpeg.progress = &decoder_.progress;
            jpeg_save_markers(&jpeg, JPEG_APP0 + 1, 0xFFFF);
            jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
            jpeg_read_header(&jpeg, TRUE);
        });
        require_size(path_, jpeg.image_width, jpeg.image_height);
        if (jpeg.arith_code)
            throw image_error(path_,
                              "it is coded arithmetically, which few programs read; save it with Huffman coding");
        constexpr double kMostPixels = 8 * 64;  // per byte: at least one bit per block of 8 × 8
        require_room(path_, jpeg.image_width, jpeg.image_height, kMostPixels, bytes_.size());
        const bool cmyk = jpeg.num_components == 4;
        jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : cmyk ? JCS_CMYK : JCS_RGB;
        require([&] { jpeg_start_decompress(&jpeg); });
        const int channels = jpeg.output_components;
        GreyRows grey(path_, jpeg.output_width, jpeg.output_height);
        std::vector<JSAMPLE> row(size_t{jpeg.output_width} * static_cast<size_t>(channels));
        JSAMPROW rows[] = {row.data()};
        while (jpeg.output_scanline < jpeg.output_height) {
            require([&] { jpeg_read_scanlines(&jpeg, rows, 1); });
            if (cmyk) mix_inks(row);
            grey.add(row.data(), cmyk ? 3 : channels, 255);
        }
        const uint32_t orientation = this->orientation();
        require([&] { jpeg_finish_decompress(&jpeg); });
        FieldStack field = grey.take();
        field.whole = 0;  // lossy: the original numbers are unknown
        orient(field, orientation);
        return field;
    }

  private:
    uint32_t orientation() const {
        constexpr std::string_view kExif("Exif\0\0", 6);
        for (auto marker = decoder_.library.marker_list; marker; marker = marker->next) {
            const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
            if (marker->marker == JPEG_APP0 + 1 && data.starts_with(kExif))
                return exif_orientation(data.substr(kExif.size()));
        }
        return 1;
    }

    template <class Call>
    void require(const Call& call) {
        if (completes(decoder_, call)) return;
        throw image_error(path_, std::string(decoder_.complaint) + "; is the file complete?");
    }

    /// Converts cyan, magenta, yellow and black to red, green and blue, three bytes per pixel. Adobe's programs, which
    /// write nearly all such files and mark them, store 255 for no ink.
    void mix_inks(std::vector<JSAMPLE>& row) const {
        const bool inverted = decoder_.library.saw_Adobe_marker;
        const auto light = [&](JSAMPLE ink) { return inverted ? ink : 255 - ink; };
        for (size_t i = 0; i < row.size() / 4; ++i)
            for (size_t k = 0; k < 3; ++k)
                row[3 * i + k] = static_cast<JSAMPLE>((light(row[4 * i + k]) * light(row[4 * i + 3]) + 127) / 255);
    }

    const std::filesystem::path& path_;
    std::string_view bytes_;
    Decoder decoder_;
};

}  // namespace

FieldStack read_jpeg(const ImageFile& file) { return JpegReader(file.path, file.bytes).read(); }

}  // namespace flipscope::app
