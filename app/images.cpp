#include "app/images.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <stdexcept>

#include "app/image_formats.h"
#include "compute/error.h"
#include "io/fields.h"
#include "io/files.h"
#include "io/natural_order.h"
#include "labs/parameters.h"

namespace flipscope::app {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostImageBytes = uint64_t{1} << 30;

using namespace std::string_view_literals;

/// A format of images, by name and by what its files begin with.
struct ImageFormat {
    struct Mark {
        std::string_view bytes;
        size_t at = 0;
    };
    std::string name;
    std::vector<std::string> extensions;
    std::vector<Mark> marks;
    FieldStack (*read)(const fs::path& path, std::string_view bytes);  // nullptr: told by name only

    bool has(const std::string& extension) const {
        return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
    }
    bool marks_file(std::string_view bytes) const {
        return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
            return bytes.size() >= mark.at && bytes.substr(mark.at).starts_with(mark.bytes);
        });
    }
};

const std::vector<ImageFormat>& image_formats() {
    static const std::vector<ImageFormat> formats{
        {"PNG", {".png"}, {{"\x89PNG\r\n\x1a\n"sv}}, read_png},
        {"JPEG", {".jpg", ".jpeg"}, {{"\xff\xd8\xff"sv}}, read_jpeg},
        {"PGM", {".pgm", ".pnm"}, {{"P2"sv}, {"P5"sv}}, read_pnm},
        {"PPM", {".ppm", ".pnm"}, {{"P3"sv}, {"P6"sv}}, read_pnm},
        {"PBM", {".pbm", ".pnm"}, {{"P1"sv}, {"P4"sv}}, read_pnm},
        {"BMP", {".bmp"}, {{"BM"sv}}, read_bmp},
        {"GIF", {".gif"}, {{"GIF8"sv}}, nullptr},
        {"TIFF", {".tif", ".tiff"}, {{"II*\0"sv}, {"MM\0*"sv}}, nullptr},
        {"WebP", {".webp"}, {{"WEBP"sv, 8}}, nullptr},
        {"AVIF or HEIF", {".avif", ".heic", ".heif"}, {{"ftyp"sv, 4}}, nullptr},
        {"JPEG 2000", {".jp2", ".j2k"}, {{"jP  "sv, 4}, {"\xff\x4f\xff\x51"sv}}, nullptr},
        {"Radiance HDR", {".hdr"}, {{"#?"sv}}, nullptr},
        {"Photoshop", {".psd"}, {{"8BPS"sv}}, nullptr},
        {"Softimage PIC", {".pic"}, {{"\x53\x80\xf6\x34"sv}}, nullptr},
        {"TGA", {".tga"}, {}, nullptr}};  // begins with nothing of its own
    return formats;
}

/// The format's name, for a file of this name; several for .pnm. Empty: not the name of an image that can be read.
std::string named_format(const std::string& extension) {
    std::vector<std::string> names;
    for (const ImageFormat& format : image_formats())
        if (format.read && format.has(extension)) names.push_back(format.name);
    return join_words(names);
}

/// What can be done with a file in a format that is not read.
constexpr const char* kSaveAsPng = "save it as PNG, of 8 or 16 bits, or its numbers as a .npy array";

const ImageFormat* unread_format(const fs::path& path) {
    const std::string extension = io::lower_extension(path);
    for (const ImageFormat& format : image_formats())
        if (!format.read && format.has(extension)) return &format;
    return nullptr;
}

}  // namespace

const std::vector<FormatInfo>& field_formats() {
    static const std::vector<FormatInfo> formats = [] {
        std::vector<FormatInfo> list{
            {{},
             "an image: its brightness, 0 black to 1 white; a folder of them is a film. GIF, TIFF, TGA, PSD, HDR "
             "and others are not read: save them as PNG"},
            {{".npy"}, "a NumPy array of shape (h, w) or (t, h, w); row 0 is the bottom"}};
        auto& extensions = list.front().extensions;
        for (const ImageFormat& format : image_formats())
            for (const std::string& extension : format.extensions)
                if (format.read && std::find(extensions.begin(), extensions.end(), extension) == extensions.end())
                    extensions.push_back(extension);
        return list;
    }();
    return formats;
}

bool is_image_file(const fs::path& path) { return !named_format(io::lower_extension(path)).empty(); }

void refuse_unread_image(const fs::path& path) {
    if (const ImageFormat* format = unread_format(path))
        throw Error(path.string() + ": " + format->name + " images are not read; " + kSaveAsPng);
}

FieldStack decode_image(const fs::path& path, std::string_view bytes) try {
    const std::string extension = io::lower_extension(path), named = named_format(extension);
    if (bytes.empty()) throw image_error(path, "the file is empty");
    for (const ImageFormat& format : image_formats()) {
        if (!format.marks_file(bytes)) continue;
        if (format.read && format.has(extension)) return format.read(path, bytes);
        throw Error(path.string() + ": is an image in the format " + format.name + ", and its name says " + named +
                    "; " + (format.read ? "rename it to end in " + format.extensions.front() : kSaveAsPng));
    }
    throw image_error(path, "it does not begin as " + named + " images do; is it one?");
} catch (const std::bad_alloc&) {
    throw Error(path.string() + ": not enough memory to read it");
} catch (const std::length_error&) {
    throw Error(path.string() + ": not enough memory to read it");
}

FieldStack read_image(const fs::path& path) { return decode_image(path, io::read_file(path, kMostImageBytes)); }

FieldStack read_frame_folder(const fs::path& folder, std::vector<std::string>* notes) {
    std::vector<fs::path> files;
    size_t others = 0;
    std::string unread;  // the format of an image among the others
    std::error_code error, ignored;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path& file = entry->path();
        if (file.filename().string().starts_with('.') || fs::is_directory(file, ignored)) continue;
        if (is_image_file(file) || io::lower_extension(file) == ".npy") {
            files.push_back(file);
            continue;
        }
        ++others;
        if (const ImageFormat* format = unread_format(file)) unread = format->name;
    }
    if (error) throw Error(folder.string() + ": cannot be read: " + error.message());
    if (files.empty())
        throw Error(folder.string() + ": there is no image and no .npy array in this folder" +
                    (unread.empty() ? "" : "; " + unread + " images are not read: save them as PNG"));
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return io::comes_before(a.filename().string(), b.filename().string());
    });
    FieldStack stack;
    const auto size = [](const FieldStack& frame) {
        return std::to_string(frame.width) + " × " + std::to_string(frame.height);
    };
    for (const fs::path& file : files) {
        FieldStack frame = is_image_file(file) ? read_image(file) : read_field(file, notes);
        if (frame.frame_count() != 1)
            throw Error(file.string() + ": has " + std::to_string(frame.frame_count()) +
                        " frames, and in a folder each file is one frame; name the file itself");
        if (stack.values.empty()) {
            stack = std::move(frame);
        } else if (frame.width != stack.width || frame.height != stack.height) {
            throw Error(file.string() + ": is " + size(frame) + ", but " + files.front().filename().string() + " is " +
                        size(stack) + "; all frames of a film must have one size");
        } else {
            stack.values.insert(stack.values.end(), frame.values.begin(), frame.values.end());
        }
    }
    stack.name = folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
    if (stack.name.empty() || stack.name == ".") stack.name = folder.string();
    if (notes && others > 0)
        notes->push_back(folder.string() + ": " + std::to_string(others) + (others == 1 ? " file is" : " files are") +
                         " no image and no .npy array, and left out" +
                         (unread.empty() ? "" : "; " + unread + " images are not read: save them as PNG"));
    return stack;
}

FieldStack read_any_field(const fs::path& path, std::vector<std::string>* notes) {
    std::error_code ignored;
    try {
        if (fs::is_directory(path, ignored)) return read_frame_folder(path, notes);
        if (is_image_file(path)) return read_image(path);
    } catch (const std::bad_alloc&) {
        throw Error(path.string() + ": not enough memory to read it");
    }
    if (io::lower_extension(path) == ".npy") return read_field(path, notes);
    refuse_unread_image(path);
    std::string known = "a folder";
    for (const FormatInfo& format : field_formats())
        for (const std::string& extension : format.extensions) known += ", " + extension;
    throw Error(path.string() + ": expected an image, a folder of images or a .npy array (" + known + ")");
}

}  // namespace flipscope::app
