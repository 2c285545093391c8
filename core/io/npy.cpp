// NumPy's .npy: points, points over time, fields; plain arrays and structured ones.

#include <algorithm>
#include <array>
#include <memory>

#include "io/field_values.h"
#include "io/fields.h"
#include "io/npy_file.h"
#include "io/npy_places.h"
#include "io/track_rows.h"

namespace flipscope::io {

namespace {

/// The array's rows as columns named by their numbers: "2" of (n, 5).
NpyPlaces numbered_columns(const NpyFile& file) {
    NpyPlaces places;
    places.rows = (*file.shape())[0];
    const std::vector<uint64_t> stride = file.strides();
    for (uint64_t k = 0; k < (*file.shape())[1]; ++k)
        places.columns.push_back(
            {"column " + std::to_string(k + 1), {file.data().data(), k * stride[1], stride[0], 0, *file.type()}});
    return places;
}

/// Columns of an array of records, with at most two dimensions that are not 1: frames and rows.
NpyPlaces record_columns(const NpyFile& file) {
    std::vector<uint64_t> size, stride;
    const std::vector<uint64_t> strides = file.strides();
    for (size_t k = 0; k < strides.size(); ++k) {
        if ((*file.shape())[k] == 1 && strides.size() > 1) continue;
        size.push_back((*file.shape())[k]);
        stride.push_back(strides[k]);
    }
    if (size.empty() && !strides.empty()) size = {1}, stride = {file.element_size()};
    if (size.empty() || size.size() > 2) throw file.fail_shape("(n,) or (t, n) of records");
    NpyPlaces places;
    places.is_over_time = size.size() == 2;
    places.frames = places.is_over_time ? size[0] : 1;
    places.rows = size.back();
    std::string left_out;
    for (const NpyField& field : file.fields()) {
        if (!field.type || field.name.empty()) {
            append_clause(left_out, excerpt(field.name), ", ");
            continue;
        }
        places.columns.push_back(
            {field.name,
             {file.data().data(), field.offset, stride.back(), places.is_over_time ? stride[0] : 0, *field.type}});
    }
    if (!left_out.empty())
        places.decided = std::string("not numbers, and left out: the field") +
                         (left_out.find(", ") == left_out.npos ? " " : "s ") + left_out;
    return places;
}

/// If no fields are named x and y: uses the only field that is an array of two or three numbers.
bool assign_array_field(const NpyFile& file, NpyPlaces& places) {
    std::vector<std::string> arrays;
    for (const NpyField& field : file.fields())
        if (field.type && field.element == 0 && (field.elements == 2 || field.elements == 3))
            arrays.push_back(field.name.substr(0, field.name.rfind('[')));
    for (const char* name : {"position", "positions", "pos", "xy", "points", "coordinates", "centroid", "xyz"})
        if (std::ranges::find(arrays, name) != arrays.end()) arrays = {name};
    if (arrays.size() != 1) return false;
    const auto take = [&](const char* element, NpyColumn& column) {
        const auto found = std::ranges::find_if(
            places.columns, [&](const NamedColumn& one) { return one.name == arrays[0] + element; });
        if (found == places.columns.end()) return;
        column = found->column;
        places.columns.erase(found);
    };
    take("[0]", places.x);
    take("[1]", places.y);
    append_clause(places.decided, "x and y from " + excerpt(arrays[0]));
    return true;
}

/// The columns with places; nullopt: a field, or nothing usable.
std::optional<NpyPlaces> places_in(const InputFile& file, const NpyFile& npy, bool frames_first) {
    constexpr uint64_t kMostColumns = 1000;
    if (!npy.fields().empty()) {
        if (!npy.shape()) throw npy.fail_shape("(n,) of records");
        NpyPlaces places = record_columns(npy);
        if (!assign_roles(places, file.options, npy.name()) && !assign_array_field(npy, places))
            throw npy.fail("expected records with fields x and y of numbers, found " + excerpt(npy.written_type()));
        return places;
    }
    const bool is_table = !file.options.columns.empty() && npy.type() && npy.shape() && npy.shape()->size() == 2 &&
                          npy.shape()->back() <= kMostColumns;
    if (!is_table) return find_places(npy, frames_first);
    NpyPlaces places = numbered_columns(npy);
    if (!assign_roles(places, file.options, npy.name()))
        throw npy.fail("expected a column for x and one for y, by their numbers, as in --columns x=2,y=3");
    return places;
}

bool are_tracks(const NpyPlaces& places) { return places.is_over_time || (places.time && places.id); }

Tracks read_tracks(const InputFile& file, const NpyFile& npy, const NpyPlaces& places) {
    // Frames without points occupy no bytes, so the file's size does not bound their number.
    if (npy.require_whole("tracks", file.notes) == 0)
        throw npy.fail("no points found: its shape is " + npy.written_shape());
    return tracks_of(file, npy.name(), places);
}

Error unusable_shape(const NpyFile& file) {
    const auto& shape = file.shape();
    if (file.parts()) return file.fail_shape("(n,) of complex numbers, x their real and y their imaginary part");
    if (shape && shape->size() == 1 && shape->front() == 2)
        return file.fail(
            "has shape (2,), one row of two numbers: points are an array of shape (n, 2), which a[None, :] "
            "makes of it");
    if (shape && shape->size() == 1)
        return file.fail("expected shape (n, 2), found " + file.written_shape() +
                         ", a list of numbers; save x and y side by side, as np.column_stack((x, y))");
    return file.fail_shape("(n, 2) of points, (t, n, 2) of points over time, (h, w) or (t, h, w) of a field");
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

}  // namespace

FieldStack read_npy_field(const std::filesystem::path& path, std::string_view bytes, std::vector<std::string>& notes) {
    const NpyFile file(path, bytes);
    if (!file.type()) throw file.fail_type("floating-point numbers of 2, 4 or 8 bytes, whole numbers or bool");
    if (!file.shape() || (file.shape()->size() != 2 && file.shape()->size() != 3))
        throw file.fail_shape("(h, w) or (t, h, w)");
    const std::vector<uint64_t>& shape = *file.shape();
    if (is_colour_image(file))
        throw file.fail("shape " + file.written_shape() +
                        " is a colour image of rows, columns and channels; save its brightness, as array.mean(axis=2)");
    const bool one = shape.size() == 2 || shape[2] == 1;  // (h, w, 1) is an image with one channel
    const std::array<uint64_t, 3> size{one ? 1 : shape[0], shape[one ? 0 : 1], shape[one ? 1 : 2]};
    for (const uint64_t n : size)
        if (n == 0) throw file.fail("is empty: its shape is " + file.written_shape());
    if (size[1] > kMostPixels || size[2] > kMostPixels)
        throw file.fail("is " + std::to_string(size[2]) + " × " + std::to_string(size[1]) +
                        " pixels; at most 16384 in each direction can be taken");
    file.require_whole("field", notes);
    FieldStack stack{path.filename().string(), static_cast<uint32_t>(size[2]), static_cast<uint32_t>(size[1]), {}};
    set_values(stack, size[0], !one, file.name(), [&](uint64_t t, uint64_t row, uint64_t column) {
        return file.number(index_of(file, size, t, row, column));
    });
    return stack;
}

Geometry read_npy(const InputFile& file) {
    const NpyFile npy(file.path, file.bytes);
    if (npy.fields().empty() && !npy.type() && !npy.parts())
        throw npy.fail_type("floating-point numbers of 2, 4 or 8 bytes, whole numbers, or records of these");
    Geometry geometry;
    const std::optional<NpyPlaces> places = places_in(file, npy, false);
    if (places && are_tracks(*places)) {
        Tracks tracks = read_tracks(file, npy, *places);
        if (tracks.frame_count() == 1) {  // also for labs of static points
            geometry.points = tracks.places;
            geometry.unit = tracks.unit;
            geometry.y_down = tracks.y_down;
            set_attributes(geometry, tracks.attributes);
        }
        geometry.tracks = std::make_shared<const Tracks>(std::move(tracks));
    } else if (places) {
        npy.require_whole("points", file.notes);
        geometry = points_of(file, npy.name(), *places);
    } else if (npy.shape() && npy.type() && (npy.shape()->size() == 2 || npy.shape()->size() == 3)) {
        FieldStack field = read_npy_field(file.path, file.bytes, file.notes);
        if (file.options.y_down) flip_rows(field);
        geometry.field = std::make_shared<const FieldStack>(std::move(field));
    } else {
        throw unusable_shape(npy);
    }
    return geometry;
}

Tracks read_npy_tracks(const InputFile& file) {
    const NpyFile npy(file.path, file.bytes);
    const std::optional<NpyPlaces> places = places_in(file, npy, true);
    if (!places || !are_tracks(*places)) throw npy.fail_shape("(t, n, 2)");
    return read_tracks(file, npy, *places);
}

}  // namespace flipscope::io
