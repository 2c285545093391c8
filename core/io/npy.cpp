// Points in NumPy's .npy: an array of shape (n, 2).

#include "compute/cancel.h"
#include "io/npy_file.h"
#include "io/points.h"

namespace flipscope::io {

std::vector<Point> read_npy(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    const NpyFile file(path, text);
    if (!file.type() || file.type()->kind != 'f')
        throw file.fail("expected dtype '<f8' or '<f4' (float64 or float32), found " + excerpt(file.written_type()));
    if (!file.shape() || file.shape()->size() != 2 || (*file.shape())[1] != 2)
        throw file.fail("expected shape (n, 2), found " + file.written_shape().substr(0, 40));
    const uint64_t n = (*file.shape())[0];
    if (n > file.data().size() / (2 * file.type()->size)) {
        throw file.fail("expected " + std::to_string(n) + " points as declared, but only " +
                        std::to_string(file.data().size()) + " bytes follow the header");
    }
    file.require_whole("points", notes);
    std::vector<Point> points(n);
    // Column-major: all x, then all y.
    RegularLook look;
    for (uint64_t i = 0; i < n; ++i) {
        look();
        points[i] = file.column_major() ? Point{file.number(i), file.number(n + i)}
                                        : Point{file.number(2 * i), file.number(2 * i + 1)};
    }
    return points;
}

}  // namespace flipscope::io
