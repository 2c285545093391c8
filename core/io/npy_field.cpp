// Fields in NumPy's .npy.

#include <array>
#include <charconv>
#include <cmath>

#include "compute/cancel.h"
#include "geometry/label_image.h"
#include "io/fields.h"
#include "io/frame_readers.h"
#include "io/npy_file.h"

namespace flipscope::io {
namespace {

constexpr const char* kTypes = "floating-point numbers of 2, 4 or 8 bytes, whole numbers or bool";

const std::vector<uint64_t>& shape_of(const NpyFile& file, const std::string& expected) {
    if (!file.type()) throw file.fail_type(kTypes);
    if (!file.shape()) throw file.fail("expected shape " + expected + ", found " + file.written_shape().substr(0, 40));
    return *file.shape();
}

/// The index in the file of an element of a three-dimensional array.
uint64_t index_of(const NpyFile& file, const std::array<uint64_t, 3>& size, uint64_t i, uint64_t j, uint64_t k) {
    return file.column_major() ? i + size[0] * (j + size[1] * k) : (i * size[1] + j) * size[2] + k;
}

/// A field three or four pixels wide cannot be one of bubbles.
bool is_colour_image(const NpyFile& file) {
    const std::vector<uint64_t>& shape = *file.shape();
    return shape.size() == 3 && (shape[2] == 3 || shape[2] == 4) && shape[0] > 4 && shape[1] > 4;
}

std::string shown(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes) {
    const NpyFile file(path, bytes);
    const std::string expected = "(h, w) or (t, h, w)";
    const std::vector<uint64_t>& shape = shape_of(file, expected);
    if (shape.size() != 2 && shape.size() != 3)
        throw file.fail("expected shape " + expected + ", found " + file.written_shape().substr(0, 40));
    if (is_colour_image(file))
        throw file.fail("shape " + file.written_shape().substr(0, 40) +
                        " is a colour image of rows, columns and channels; save its brightness, as array.mean(axis=2)");
    const bool one = shape.size() == 2 || shape[2] == 1;  // (h, w, 1) is an image with one channel
    const std::array<uint64_t, 3> size{one ? 1 : shape[0], shape[one ? 0 : 1], shape[one ? 1 : 2]};
    for (const uint64_t n : size)
        if (n == 0) throw file.fail("has nothing in it: its shape is " + file.written_shape().substr(0, 40));
    if (size[1] > kMostPixels || size[2] > kMostPixels)
        throw file.fail("is " + std::to_string(size[2]) + " × " + std::to_string(size[1]) +
                        " pixels; at most 16384 in each direction can be taken");
    const uint64_t count = file.require_whole("field", notes);
    FieldStack stack{path.filename().string(), static_cast<uint32_t>(size[2]), static_cast<uint32_t>(size[1]), {}};
    stack.values.reserve(count);
    CancelPoll poll;
    bool rounded = false, whole = true;
    for (uint64_t t = 0; t < size[0]; ++t) {
        for (uint64_t row = 0; row < size[1]; ++row) {
            for (uint64_t column = 0; column < size[2]; ++column) {
                poll();
                const double value = file.number(index_of(file, size, t, row, column));
                const float kept = static_cast<float>(value);
                if (!std::isfinite(kept))
                    throw file.fail((one ? "" : "frame " + std::to_string(t) + ", ") + "row " + std::to_string(row) +
                                    ", column " + std::to_string(column) + " is " + shown(value) +
                                    (std::isfinite(value) ? ", too large for a float" : ", not a finite number"));
                if (!rounded && static_cast<double>(kept) != value) {
                    rounded = true;
                    stack.exact.reserve(count);
                    stack.exact.assign(stack.values.begin(), stack.values.end());
                }
                if (rounded) stack.exact.push_back(value);
                stack.values.push_back(kept);
                whole = whole && value >= 0 && value <= 0x1p53 && value == std::floor(value);
            }
        }
    }
    if (whole) stack.whole = 1;
    stack.labels = looks_like_labels(stack);
    return stack;
}

}  // namespace flipscope::io
