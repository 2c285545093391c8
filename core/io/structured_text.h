// Reads points from texts other than tables: JSON, GeoJSON, well-known text, and lists as printed or assigned in
// Python, NumPy and other languages. For files of any extension and for pasted text; nothing is computed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"

namespace flipscope::io {

/// Detects such a text by its beginning.
bool looks_like_structured_text(std::string_view text);

/// Whether it begins with an object that has an array "points", as the steps of a recording do (io/recording.h).
bool looks_like_step(std::string_view text);

/// Pairs, objects with x and y, and arrays x and y become points, and other members columns. In GeoJSON and WKT, points
/// and vertices of lines become points, and polygons areas. Names determine the order of x and y, lat and lon. Throws
/// Error with the line.
Geometry read_structured_text(const InputFile& file);

/// The corners of triangles in such a text, as indices of points: a list of lists of three, or a member named
/// triangles, simplices, faces, cells or elements. kNone: negative or beyond 32 bits. Throws Error with the line.
std::vector<std::array<uint32_t, 3>> read_text_triangles(const InputFile& file);

class Features;
/// Reads a GeoJSON geometry or feature in a line of the file into the present feature.
void read_geojson_shape(const InputFile& file, std::string_view text, uint64_t line, Features& features);

/// A name in the outermost JSON object, with the start of its value.
struct OuterName {
    std::string name;
    char begins;  // '[', '{', '"', or the first letter or digit
};

/// In order, from `text`, the beginning of a file; empty if it is not an object.
std::vector<OuterName> outer_names(std::string_view text);

}  // namespace flipscope::io
