#include "app/images.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <memory>
#include <new>

#include "compute/error.h"
#include "io/fields.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace flipscope::app {

namespace {

namespace fs = std::filesystem;

std::string extension_of(const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

std::vector<unsigned char> bytes_of(const fs::path& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) throw Error(path.string() + ": no such file");
    if (fs::is_directory(status)) throw Error(path.string() + ": is a folder, not an image");
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw Error(path.string() + ": cannot be opened; may you read it?");
    std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.bad()) throw Error(path.string() + ": cannot be read");
    if (bytes.size() > size_t(1) << 30) throw Error(path.string() + ": is larger than a gigabyte");
    return bytes;
}

/// Grey, as seen on white paper. `most` is full brightness.
template <class Channel>
void append_grey(const Channel* rgba, double most, int width, int height, std::vector<float>& values) {
    for (int y = height - 1; y >= 0; --y) {
        for (int x = 0; x < width; ++x) {
            const Channel* c = rgba + (size_t(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 4;
            const double luma = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2], alpha = c[3] / most;
            values.push_back(static_cast<float>(std::clamp(luma / most * alpha + (1 - alpha), 0.0, 1.0)));
        }
    }
}

struct Free {
    void operator()(void* pixels) const { stbi_image_free(pixels); }
};

bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

const std::vector<FormatInfo>& field_formats() {
    static const std::vector<FormatInfo> formats{
        {{".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif", ".psd", ".pgm", ".ppm", ".hdr"},
         "an image: its brightness, 0 black to 1 white; a folder of them is a film"},
        {{".npy"}, "a NumPy array of shape (h, w) or (t, h, w); row 0 is the bottom"}};
    return formats;
}

bool is_image_file(const fs::path& path) {
    const auto& extensions = field_formats().front().extensions;
    return std::find(extensions.begin(), extensions.end(), extension_of(path)) != extensions.end();
}

FieldStack read_image(const fs::path& path) {
    const std::vector<unsigned char> bytes = bytes_of(path);
    const auto fail = [&] {
        const char* reason = stbi_failure_reason();
        return Error(path.string() + ": cannot be read as an image: " + (reason ? reason : "unknown format") +
                     "; is it complete, and in the format that its name says?");
    };
    int width = 0, height = 0, channels = 0;
    const auto size = static_cast<int>(bytes.size());
    if (!stbi_info_from_memory(bytes.data(), size, &width, &height, &channels)) throw fail();
    if (uint64_t(width) > kMostSites || uint64_t(height) > kMostSites)
        throw Error(path.string() + ": is " + std::to_string(width) + " × " + std::to_string(height) +
                    " pixels large; at most 16384 each way can be taken");
    FieldStack stack{path.filename().string(), static_cast<uint32_t>(width), static_cast<uint32_t>(height), {}};
    stack.values.reserve(size_t(stack.width) * stack.height);
    if (stbi_is_16_bit_from_memory(bytes.data(), size)) {
        const std::unique_ptr<stbi_us, Free> pixels(
            stbi_load_16_from_memory(bytes.data(), size, &width, &height, &channels, 4));
        if (!pixels) throw fail();
        append_grey(pixels.get(), 65535, width, height, stack.values);
    } else {
        const std::unique_ptr<stbi_uc, Free> pixels(
            stbi_load_from_memory(bytes.data(), size, &width, &height, &channels, 4));
        if (!pixels) throw fail();
        append_grey(pixels.get(), 255, width, height, stack.values);
    }
    return stack;
}

bool comes_before(const std::string& a, const std::string& b) {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (digit(a[i]) && digit(b[j])) {
            while (i < a.size() && a[i] == '0') ++i;
            while (j < b.size() && b[j] == '0') ++j;
            size_t end_i = i, end_j = j;
            while (end_i < a.size() && digit(a[end_i])) ++end_i;
            while (end_j < b.size() && digit(b[end_j])) ++end_j;
            if (end_i - i != end_j - j) return end_i - i < end_j - j;
            const int order = a.compare(i, end_i - i, b, j, end_j - j);
            if (order != 0) return order < 0;
            i = end_i, j = end_j;
            continue;
        }
        const int x = std::tolower(static_cast<unsigned char>(a[i])),
                  y = std::tolower(static_cast<unsigned char>(b[j]));
        if (x != y) return x < y;
        ++i, ++j;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

FieldStack read_frame_folder(const fs::path& folder, std::vector<std::string>* notes) {
    std::vector<fs::path> files;
    size_t others = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') || entry.is_directory()) continue;
        if (is_image_file(entry.path()) || extension_of(entry.path()) == ".npy")
            files.push_back(entry.path());
        else
            ++others;
    }
    if (error) throw Error(folder.string() + ": cannot be read: " + error.message());
    if (files.empty()) throw Error(folder.string() + ": there is no image and no .npy array in this folder");
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return comes_before(a.filename().string(), b.filename().string());
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
                         " no image and no .npy array, and left out");
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
    if (extension_of(path) == ".npy") return read_field(path, notes);
    std::string known = "a folder";
    for (const FormatInfo& format : field_formats())
        for (const std::string& extension : format.extensions) known += ", " + extension;
    throw Error(path.string() + ": expected an image, a folder of images or a .npy array (" + known + ")");
}

}  // namespace flipscope::app
