#include "app/images/image_formats.h"

#include <algorithm>
#include <stdexcept>

#include "geometry/label_image.h"
#include "io/fields.h"
#include "io/parse.h"

namespace flipscope::app {

Error image_error(const std::filesystem::path& path, const std::string& reason) {
    return Error(path.string() + ": cannot be read as an image: " + reason);
}

void require_size(const std::filesystem::path& path, uint64_t width, uint64_t height) {
    const std::string size = std::to_string(width) + " × " + std::to_string(height);
    if (width == 0 || height == 0) throw image_error(path, "its size is " + size + " pixels");
    if (width > kMostPixels || height > kMostPixels)
        throw Error(path.string() + ": is " + size + " pixels large; at most " + std::to_string(kMostPixels) +
                    " each way can be taken; scale it down");
}

void require_room(const std::filesystem::path& path, uint64_t width, uint64_t height, double most_pixels,
                  size_t bytes) {
    if (static_cast<double>(width) * static_cast<double>(height) <= most_pixels * static_cast<double>(bytes)) return;
    throw image_error(path, "it declares " + std::to_string(width) + " × " + std::to_string(height) +
                                " pixels, more than its " + std::to_string(bytes) + " bytes can hold; is it complete?");
}

GreyRows::GreyRows(const std::filesystem::path& path, uint32_t width, uint32_t height)
    : stack_{path.filename().string(), width, height, {}} {
    stack_.values.reserve(size_t{width} * height);
}

template <class Sample>
void GreyRows::add(const Sample* row, int channels, double most) {
    const bool colour = channels >= 3, transparent = channels % 2 == 0;
    most_ = most;
    for (const Sample* c = row; c != row + size_t{stack_.width} * static_cast<size_t>(channels); c += channels) {
        const double green = c[colour ? 1 : 0], blue = c[colour ? 2 : 0];
        const double luma = 0.2126 * c[0] + 0.7152 * green + 0.0722 * blue;
        const double alpha = transparent ? c[channels - 1] / most : 1;
        is_grey_ = is_grey_ && green == c[0] && blue == c[0] && alpha == 1;
        stack_.values.push_back(static_cast<float>(std::clamp(luma / most * alpha + (1 - alpha), 0.0, 1.0)));
    }
}

template void GreyRows::add(const uint8_t*, int, double);
template void GreyRows::add(const uint16_t*, int, double);

FieldStack GreyRows::take() {
    if (stack_.values.size() != size_t{stack_.width} * stack_.height)
        throw std::logic_error("GreyRows: rows are missing");
    flip_rows(stack_);
    if (is_grey_) stack_.whole = most_;
    return std::move(stack_);
}

PaletteRows::PaletteRows(const ImageFile& file, uint32_t width, uint32_t height, std::vector<uint8_t> palette)
    : indices_count_(file.indices_count),
      palette_(std::move(palette)),
      grey_(file.path, width, height),
      indices_{file.path.filename().string(), width, height, {}} {}

void PaletteRows::add(const uint8_t* row) {
    const size_t channels = palette_.size() / 256;
    row_.clear();
    for (size_t x = 0; x < indices_.width; ++x) {
        const auto at = palette_.begin() + static_cast<std::ptrdiff_t>(row[x] * channels);
        row_.insert(row_.end(), at, at + static_cast<std::ptrdiff_t>(channels));
        indices_.values.push_back(static_cast<float>(row[x]));
    }
    grey_.add(row_.data(), static_cast<int>(channels), 255);
}

FieldStack PaletteRows::take() {
    indices_.whole = 1;
    if (!indices_count_) indices_count_ = looks_like_labels(indices_);
    if (!*indices_count_) return grey_.take();
    flip_rows(indices_);
    return std::move(indices_);
}

void orient(FieldStack& stack, uint32_t orientation) {
    if (orientation < 2 || orientation > 8) return;
    const size_t width = stack.width, height = stack.height, size = width * height;
    const bool lies = orientation >= 5;  // rows become columns
    const bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const size_t new_width = lies ? height : width, new_height = lies ? width : height;
    const auto turn = [&](auto& values) {
        auto turned = values;
        for (size_t frame = 0; frame < values.size(); frame += size)
            for (size_t y = 0; y < new_height; ++y)  // from the top, as x and y of the file below
                for (size_t x = 0; x < new_width; ++x) {
                    size_t from_x = lies ? y : x, from_y = lies ? x : y;
                    if (from_right) from_x = width - 1 - from_x;
                    if (from_below) from_y = height - 1 - from_y;
                    turned[frame + (new_height - 1 - y) * new_width + x] =
                        values[frame + (height - 1 - from_y) * width + from_x];
                }
        values = std::move(turned);
    };
    turn(stack.values);
    turn(stack.exact);
    stack.width = static_cast<uint32_t>(new_width);
    stack.height = static_cast<uint32_t>(new_height);
}

uint32_t exif_orientation(std::string_view exif) {
    if (exif.size() < 8) return 1;
    const auto number = [&](size_t at, size_t bytes) {
        return static_cast<uint32_t>(io::integer_at(exif, at, bytes, exif.starts_with("MM")));
    };
    const size_t directory = number(4, 4);
    if (directory > exif.size() - 2) return 1;
    const size_t count = number(directory, 2), room = (exif.size() - directory - 2) / 12;
    for (size_t i = 0; i < std::min(count, room); ++i) {
        const size_t entry = directory + 2 + 12 * i;
        constexpr uint32_t kOrientation = 0x112;
        if (number(entry, 2) == kOrientation) return number(entry + 8, 2);
    }
    return 1;
}

}  // namespace flipscope::app
