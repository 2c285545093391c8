// Well-known text, as written by databases and geographic programs: "POINT (1 2)", "SRID=4326;POINT Z (1 2 3)", in any
// case. The reader of tables calls wkt_point() for each cell of a column of points, or read_wkt_shape() for other
// shapes.
#pragma once

#include <optional>
#include <string_view>

#include "geometry/point.h"
#include "io/features.h"

namespace flipscope::io {

/// The place of a POINT, or of a MULTIPOINT with one point; z and m are ignored. x and y are nan for EMPTY or written
/// nan, and otherwise not checked. nullopt: any other text.
std::optional<Point> wkt_point(std::string_view cell);

/// Whether the text begins like a shape, perhaps after an SRID.
bool begins_wkt_shape(std::string_view text);

/// Detects a text of shapes by its beginning: one or several, one per line; in quotes, brackets or < and >, as Python
/// prints them; after a row number.
bool looks_like_wkt(std::string_view text);

/// Reads each shape of such a file as a feature. Throws Error with the line.
void read_wkt(const InputFile& file, Features& features);

/// Reads the shape in a cell into the present feature; blank: none. `where` prefixes errors.
void read_wkt_shape(std::string_view cell, const Features::Where& where, Features& features);

}  // namespace flipscope::io
