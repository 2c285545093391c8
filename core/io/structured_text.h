// Points in texts that are no tables: JSON, GeoJSON, well-known text, lists as Python, NumPy and other languages print
// or assign them. Files of any ending and what is pasted go through here; nothing is computed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/point.h"
#include "io/formats.h"

namespace flipscope::io {

/// Whether a text is such a one, from its beginning.
bool looks_like_structured_text(std::string_view text);

/// Whether it begins with an object that has an array "points", as the steps of a recording do (io/recording.h).
bool looks_like_step(std::string_view text);

/// Pairs and objects with x and y are points, what else they have are columns; arrays x and y, too. Of GeoJSON and WKT
/// points and the vertices of lines are points, and polygons are areas. The order of x and y, lat and lon is that of
/// their names. Throws Error, with the line.
Geometry read_structured_text(const InputFile& file);

/// The corners of triangles in such a text, as indices of points: a list of lists of three, or the member of an object
/// called triangles, simplices, faces, cells or elements. kNone: negative or beyond 32 bits. Throws Error, with the
/// line.
std::vector<std::array<uint32_t, 3>> read_text_triangles(const InputFile& file);

class Features;
/// The geometry or feature of GeoJSON that a text in a line of the file is, of the present feature.
void read_geojson_shape(const InputFile& file, std::string_view text, uint64_t line, Features& features);

/// A name of the outermost object of JSON, and what its value begins with.
struct OuterName {
    std::string name;
    char begins;       // '[', '{', '"', or the first letter or digit
    std::string text;  // the value, if it is a text
};

/// In their order, as far as `text`, the beginning of a file, has them; none where it is no object.
std::vector<OuterName> outer_names(std::string_view text);

}  // namespace flipscope::io
