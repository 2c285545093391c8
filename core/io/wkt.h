// Well-known text, as databases and programs of geography write shapes: "POINT (1 2)", "SRID=4326;POINT Z (1 2 3)".
// Letters may be of either case. The reader of tables calls wkt_point() for each cell of a column of points, or
// read_wkt_shape() where there are other shapes.
#pragma once

#include <optional>
#include <string_view>

#include "geometry/point.h"
#include "io/features.h"

namespace flipscope::io {

/// The place in a text that is a POINT, or a MULTIPOINT of one, and nothing else; z and m are passed over. x and y are
/// nan where it is EMPTY or written so, and are not checked otherwise. Nothing: the text is something else.
std::optional<Point> wkt_point(std::string_view cell);

/// Whether a shape begins here, perhaps behind an SRID; not whether it goes on well.
bool begins_wkt_shape(std::string_view text);

/// Whether a text is shapes alone, from its beginning: one, several, one a line; between quotes, brackets or < and >,
/// as Python prints them; behind the number of their row.
bool looks_like_wkt(std::string_view text);

/// All shapes of such a file, each a feature. Throws Error, with the line.
void read_wkt(const InputFile& file, Features& features);

/// The shape that a cell is, of the present feature; blank: none. `where` begins what is thrown.
void read_wkt_shape(std::string_view cell, const Features::Where& where, Features& features);

}  // namespace flipscope::io
