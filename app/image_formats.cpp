#include "app/image_formats.h"

#include <algorithm>
#include <stdexcept>

#include "io/fields.h"

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
    for (const Sample* c = row; c != row + size_t{stack_.width} * static_cast<size_t>(channels); c += channels) {
        const double green = c[colour ? 1 : 0], blue = c[colour ? 2 : 0];
        const double luma = 0.2126 * c[0] + 0.7152 * green + 0.0722 * blue;
        const double alpha = transparent ? c[channels - 1] / most : 1;
        stack_.values.push_back(static_cast<float>(std::clamp(luma / most * alpha + (1 - alpha), 0.0, 1.0)));
    }
}

template void GreyRows::add(const uint8_t*, int, double);
template void GreyRows::add(const uint16_t*, int, double);

FieldStack GreyRows::take() {
    const auto width = static_cast<std::ptrdiff_t>(stack_.width), height = static_cast<std::ptrdiff_t>(stack_.height);
    if (stack_.values.size() != static_cast<size_t>(width * height))
        throw std::logic_error("GreyRows: rows are missing");
    const auto values = stack_.values.begin();
    for (std::ptrdiff_t low = 0, high = height - 1; low < high; ++low, --high)
        std::swap_ranges(values + low * width, values + (low + 1) * width, values + high * width);
    return std::move(stack_);
}

}  // namespace flipscope::app
