// Well-known text, as databases and programs of geography write shapes: "POINT (1 2)", "SRID=4326;POINT Z (1 2 3)".
// Letters may be of either case. The reader of tables calls wkt_point() for each cell of a column.
#pragma once

#include <optional>
#include <string_view>

#include "geometry/point.h"

namespace flipscope::io {

/// The place in a text that is a POINT, or a MULTIPOINT of one, and nothing else; z and m are passed over. x and y are
/// nan where it is EMPTY or written so, and are not checked otherwise. Nothing: the text is something else.
std::optional<Point> wkt_point(std::string_view cell);

}  // namespace flipscope::io
