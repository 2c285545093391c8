#include "app/images/images.h"

#include <algorithm>
#include <memory>

#include <new>
#include <stdexcept>

#include "app/images/image_formats.h"
#include "compute/error.h"
#include "geometry/label_image.h"
#include "io/fields.h"
#include "io/files.h"
#include "io/formats.h"
#include "io/geometry.h"
#include "io/input_bytes.h"
#include "io/tlbfind.h"
#include "lab/parameters.h"

namespace flipscope::app {

// The readers of the formats, in files of their own.
FieldStack read_bmp(const ImageFile& file);
FieldStack read_jpeg(const ImageFile& file);
FieldStack read_png(const ImageFile& file);
FieldStack read_pnm(const ImageFile& file);  // PBM, PGM and PPM, plain and raw
FieldStack read_psd(const ImageFile& file);
FieldStack read_tga(const ImageFile& file);
FieldStack read_tiff(const ImageFile& file);  // each page of the first one's size is a frame

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostImageBytes = uint64_t{1} << 30;

using namespace std::string_view_literals;

/// An image format with its file extensions and signatures.
struct ImageFormat {
    struct Mark {
        std::string_view bytes;
        size_t at = 0;
    };
    std::string name;
    std::vector<std::string> extensions;
    std::vector<Mark> marks;
    FieldStack (*read)(const ImageFile& file);  // nullptr: recognised, but not supported
    bool is_text = false;                       // its signature may also begin a text

    bool has(const std::string& extension) const {
        return std::ranges::find(extensions, extension) != extensions.end();
    }
    bool marks_file(std::string_view bytes) const {
        return std::ranges::any_of(marks, [&](const Mark& mark) {
            return bytes.size() >= mark.at && bytes.substr(mark.at).starts_with(mark.bytes);
        });
    }
};

const std::vector<ImageFormat>& image_formats() {
    static const std::vector<ImageFormat> formats{
        {"PNG", {".png"}, {{"\x89PNG\r\n\x1a\n"sv}}, read_png},
        {"JPEG", {".jpg", ".jpeg"}, {{"\xff\xd8\xff"sv}}, read_jpeg},
        {"TIFF", {".tif", ".tiff"}, {{"II*\0"sv}, {"MM\0*"sv}, {"II+\0"sv}, {"MM\0+"sv}}, read_tiff},
        {"PGM", {".pgm", ".pnm"}, {{"P2"sv}, {"P5"sv}}, read_pnm, true},
        {"PPM", {".ppm", ".pnm"}, {{"P3"sv}, {"P6"sv}}, read_pnm, true},
        {"PBM", {".pbm", ".pnm"}, {{"P1"sv}, {"P4"sv}}, read_pnm, true},
        {"BMP", {".bmp"}, {{"BM"sv}}, read_bmp, true},
        {"Photoshop", {".psd"}, {{"8BPS\0"sv}}, read_psd},
        {"TGA", {".tga"}, {}, read_tga},  // no signature
        {"GIF", {".gif"}, {{"GIF87a"sv}, {"GIF89a"sv}}, nullptr},
        {"WebP", {".webp"}, {{"WEBP"sv, 8}}, nullptr},
        {"AVIF or HEIF",
         {".avif", ".heic", ".heif"},
         {{"ftypavif"sv, 4}, {"ftypheic"sv, 4}, {"ftypheix"sv, 4}, {"ftypmif1"sv, 4}},
         nullptr},
        {"JPEG 2000", {".jp2", ".j2k"}, {{"jP  "sv, 4}, {"\xff\x4f\xff\x51"sv}}, nullptr},
        {"Radiance HDR", {".hdr"}, {{"#?RADIANCE"sv}, {"#?RGBE"sv}}, nullptr},
        {"Softimage PIC", {".pic"}, {{"\x53\x80\xf6\x34"sv}}, nullptr}};
    return formats;
}

/// Names of the supported formats with this extension; .pnm has several. Empty: none.
std::string named_format(const std::string& extension) {
    std::vector<std::string> names;
    for (const ImageFormat& format : image_formats())
        if (format.read && format.has(extension)) names.push_back(format.name);
    return join_words(names);
}

bool is_image_file(const fs::path& path) { return !named_format(io::lower_extension(path)).empty(); }

/// Advice for a file in an unsupported format.
constexpr const char* kSaveAsPng = "save it as PNG or TIFF, or its numbers as a .npy array";

const ImageFormat* unread_format(const fs::path& path) {
    const std::string extension = io::lower_extension(path);
    for (const ImageFormat& format : image_formats())
        if (!format.read && format.has(extension)) return &format;
    return nullptr;
}

/// By signatures that no text begins with.
bool is_image(std::string_view bytes) {
    return std::ranges::any_of(image_formats(),
                               [&](const ImageFormat& format) { return !format.is_text && format.marks_file(bytes); });
}

FieldStack decode(const ImageFile& file) try {
    const std::string name = file.path.string(), extension = io::lower_extension(file.path),
                      named = named_format(extension);
    if (file.bytes.empty()) throw image_error(file.path, "the file is empty");
    const ImageFormat* found = nullptr;
    for (const ImageFormat& format : image_formats())
        if (!found && format.marks_file(file.bytes)) found = &format;
    if (!found && extension != ".tga")
        throw image_error(file.path, "it does not begin as " + named + " images do; is it one?");
    if (found && !found->read) throw Error(name + ": " + found->name + " images are not read; " + kSaveAsPng);
    if (found && !found->has(extension) && !named.empty())
        file.notes.push_back(name + ": is a " + found->name + " image, whatever its name says");
    const bool decided = file.indices_count.has_value();
    FieldStack field = found ? found->read(file) : read_tga(file);
    if (!decided && file.indices_count.value_or(false))
        file.notes.push_back(name + ": indices into its palette look like labels, and count in place of colours");
    field.labels = looks_like_labels(field);
    return field;
} catch (const std::bad_alloc&) {
    throw Error(file.path.string() + ": not enough memory to read it");
} catch (const std::length_error&) {
    throw Error(file.path.string() + ": not enough memory to read it");
}

Geometry read_image_file(const io::InputFile& file) {
    auto field = std::make_shared<FieldStack>(decode_image(file.path, file.bytes, &file.notes));
    if (file.options.y_down)
        file.notes.push_back(file.path.string() +
                             ": y down has no effect: the top row of an image is always the highest y");
    if (!file.options.unit.empty() && field->pixel > 0) {
        file.notes.push_back(file.path.string() + ": unit=" + file.options.unit +
                             " replaces the resolution of the image");
        field->pixel = 0, field->unit = file.options.unit;
    }
    Geometry geometry;
    if (field->pixel > 0) geometry.unit = field->unit;
    geometry.field = std::move(field);
    return geometry;
}

io::Format as_one_format() {
    io::Format images{{{},
                       "an image: its brightness, 0 black to 1 white, or labels of cells; the pages of a TIFF, or a "
                       "folder of images, are a film"},
                      is_image,
                      read_image_file};
    auto& endings = images.info.extensions;
    for (const ImageFormat& format : image_formats())
        for (const std::string& extension : format.extensions)
            if (format.read && std::ranges::find(endings, extension) == endings.end()) endings.push_back(extension);
    return images;
}

/// Runs before main(), hence before any file is read.
[[maybe_unused]] const bool is_added = (io::add_format(as_one_format()), true);

}  // namespace

FieldStack decode_image(const fs::path& path, std::string_view bytes, std::vector<std::string>* notes) {
    std::vector<std::string> unread;
    std::optional<bool> indices_count;
    return decode({path, bytes, notes ? *notes : unread, indices_count});
}

FieldStack read_frame_folder(const fs::path& folder, std::vector<std::string>* notes, const ReadOptions& options) {
    if (std::optional<FieldStack> series = io::read_tlbfind_folder(folder, notes)) return *std::move(series);
    std::vector<fs::path> files;
    size_t others = 0;
    std::string unread;  // the format of an image among the other files
    for (const fs::path& file : io::files_in(folder)) {
        if (is_image_file(file) || io::lower_extension(file) == ".npy") {
            files.push_back(file);
            continue;
        }
        ++others;
        if (const ImageFormat* format = unread_format(file)) unread = format->name;
    }
    if (files.empty())
        throw Error(folder.string() + ": there is no image and no .npy array in this folder" +
                    (unread.empty() ? "" : "; " + unread + " images are not read: save them as PNG"));
    FieldStack stack;
    std::vector<std::string> unread_notes;  // of each single image
    std::optional<bool> indices_count;
    const auto size = [](const FieldStack& frame) {
        return std::to_string(frame.width) + " × " + std::to_string(frame.height);
    };
    for (const fs::path& file : files) {
        FieldStack frame = is_image_file(file)
                               ? decode({file, io::read_file(file, kMostImageBytes), unread_notes, indices_count})
                               : read_field(file, notes, options);
        if (frame.frame_count() != 1)
            throw Error(file.string() + ": has " + std::to_string(frame.frame_count()) +
                        " frames, and in a folder each file is one frame; name the file itself");
        if (!stack.values.empty() && (frame.width != stack.width || frame.height != stack.height))
            throw Error(file.string() + ": is " + size(frame) + ", but " + files.front().filename().string() + " is " +
                        size(stack) + "; all frames of a film must have one size");
        append_frames(stack, std::move(frame));
    }
    stack.name = io::folder_name(folder);
    if (!options.unit.empty()) stack.pixel = 0, stack.unit = options.unit;
    if (notes && others > 0)
        notes->push_back(folder.string() + ": " + std::to_string(others) + (others == 1 ? " file is" : " files are") +
                         " no image and no .npy array, and left out" +
                         (unread.empty() ? "" : "; " + unread + " images are not read: save them as PNG"));
    return stack;
}

FieldStack read_any_field(const fs::path& path, std::vector<std::string>* notes, const ReadOptions& options) {
    if (std::error_code ignored; fs::is_directory(path, ignored))
        return io::within_memory(path, [&] { return read_frame_folder(path, notes, options); });
    // (n, 2) means points unless the file is opened as a field.
    if (io::lower_extension(path) == ".npy") return read_field(path, notes, options);
    const Geometry read = read_geometry(path, notes, options);
    if (read.field) return *read.field;
    throw Error(path.string() + ": holds no field; expected an image, a folder of images or a .npy array");
}

}  // namespace flipscope::app
