// Points in NumPy's .npy: an array of shape (n, 2), or a structured one of n records with fields x and y.

#include <cmath>

#include "compute/cancel.h"
#include "io/npy_file.h"
#include "io/points.h"

namespace flipscope::io {

namespace {

std::vector<Point> read_records(const NpyFile& file, std::vector<std::string>& notes, PointExtras& extras) {
    if (!file.shape() || file.shape()->size() != 1)
        throw file.fail("expected shape (n,) of records, found " + file.written_shape().substr(0, 40));
    const uint64_t n = (*file.shape())[0];
    const NpyField* axes[2] = {};
    for (const NpyField& field : file.fields())
        if (field.name == "x" || field.name == "y") axes[field.name == "y"] = &field;
    for (const NpyField* axis : axes)
        if (!axis || !axis->type || axis->type->kind != 'f')
            throw file.fail("expected records with fields x and y of float64 or float32, found " +
                            excerpt(file.written_type()));
    const size_t size = file.record_size();
    if (n > file.data().size() / size)
        throw file.fail("expected " + std::to_string(n) + " records as declared, but only " +
                        std::to_string(file.data().size()) + " bytes follow the header");
    if (const uint64_t more = file.data().size() - n * size; more > 0)
        notes.push_back(file.name() + ": " + std::to_string(more) + " bytes after the points are not used");
    std::vector<Point> points(n);
    RegularLook look;
    for (uint64_t i = 0; i < n; ++i) {
        look();
        points[i] = {file.number(i, *axes[0]), file.number(i, *axes[1])};
    }
    std::string left_out;
    for (const NpyField& field : file.fields()) {
        if (&field == axes[0] || &field == axes[1]) continue;
        if (!field.type || field.name.empty()) {
            left_out += (left_out.empty() ? "" : ", ") + excerpt(field.name);
            continue;
        }
        Attribute& attribute = extras.attributes.emplace_back(Attribute{field.name, std::vector<double>(n)});
        for (uint64_t i = 0; i < n; ++i) {
            look();
            const double value = file.number(i, field);
            attribute.values[i] = std::isfinite(value) ? value : NAN;
        }
    }
    if (!left_out.empty())
        notes.push_back(file.name() + ": not numbers, and left out: the field" +
                        (left_out.find(", ") == left_out.npos ? " " : "s ") + left_out);
    return points;
}

}  // namespace

std::vector<Point> read_npy(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes,
                            PointExtras& extras) {
    const NpyFile file(path, text);
    if (!file.fields().empty()) return read_records(file, notes, extras);
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
