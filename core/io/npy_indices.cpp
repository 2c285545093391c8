#include "io/npy_indices.h"

#include <charconv>

#include "compute/cancel.h"
#include "compute/view.h"

namespace flipscope::io {

int64_t NpyIndices::at(const NpyFile& file, uint64_t row, uint64_t k) const {
    NpyColumn column = first;
    column.offset += k * across;
    if (const std::optional<int64_t> index = column.whole(row)) return *index;
    const double value = column.number(row);
    if (column.type.kind == 'u') return -1;
    char digits[32];
    const std::string shown(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    throw file.fail("row " + std::to_string(row) + ": expected the index of a point, a whole number, found " + shown);
}

std::optional<NpyIndices> find_indices(const NpyFile& file, uint64_t most) {
    if (!file.type() || file.type()->kind == 'b' || !file.shape()) return std::nullopt;
    const std::vector<uint64_t>&size = *file.shape(), stride = file.strides();
    if (size.size() == 1 && size[0] == 0) return NpyIndices{};
    if (size.size() != 2) return std::nullopt;
    const auto indices = [&](size_t rows) {
        return NpyIndices{
            size[rows], size[1 - rows], {file.data().data(), 0, stride[rows], 0, *file.type()}, stride[1 - rows], {}};
    };
    const bool is_long = size[0] == 3 && size[1] > 4;  // otherwise three faces with that many corners
    if (size[0] == 0 || (size[1] >= 3 && size[1] <= most && !is_long)) return indices(0);
    if (size[0] != 3) return std::nullopt;
    NpyIndices transposed = indices(1);
    transposed.decided = "shape " + file.written_shape().substr(0, 40) + " is " + std::to_string(size[1]) +
                         (size[1] == 1 ? " triangle" : " triangles") + ": its rows are their corners";
    return transposed;
}

std::vector<std::array<uint32_t, 3>> read_triples(const NpyFile& file, std::vector<std::string>& notes) {
    if (!file.type() || file.type()->kind == 'b') throw file.fail_type("whole numbers, such as dtype '<i4' or '<i8'");
    const std::optional<NpyIndices> indices = find_indices(file);
    if (!indices) throw file.fail("expected shape (t, 3), found " + file.written_shape().substr(0, 40));
    file.require_whole("triangles", notes);
    if (!indices->decided.empty()) notes.push_back(file.name() + ": " + indices->decided);
    std::vector<std::array<uint32_t, 3>> triangles(indices->rows);
    CancelPoll poll;
    for (uint64_t t = 0; t < triangles.size(); ++t) {
        poll();
        for (uint64_t k = 0; k < 3; ++k) {
            const int64_t index = indices->at(file, t, k);
            triangles[t][k] = index < 0 || index >= int64_t(kNone) ? kNone : static_cast<uint32_t>(index);
        }
    }
    return triangles;
}

}  // namespace flipscope::io
