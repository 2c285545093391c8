// Coordinates as other programs put them into the clipboard: columns, lists of pairs, JSON, NumPy, WKT.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"
#include "geometry/point.h"
#include "io/table.h"

namespace flipscope {

/// Points of the plane in a text, in its order, as the nearest doubles. Rows are the innermost brackets, the lines, or
/// what stands between commas, where all of these have two numbers or all have three; a single line or column of
/// numbers is x, y, x, y …. Blanks, commas, semicolons, brackets and quotes separate; "#" begins a comment; names of
/// WKT and NumPy are passed over, as is a first line without numbers. Commas are decimal where semicolons, tabs or a
/// number without one tell so. A third and further columns are left out, and said in `notes`. Throws Error: `line 3:
/// expected coordinates, found "foo"`, `line 2 has 3 numbers, and line 1 has 2`.
std::vector<Point> read_pasted_points(std::string_view text, std::vector<std::string>* notes = nullptr);

/// How a text that was pasted is a table: with a header, or with rows of more than two columns, or with options. Nothing:
/// it is none.
std::optional<TableLayout> pasted_table(std::string_view text, const ReadOptions& options);

/// Whatever a text holds that was pasted: a table, or JSON, WKT and lists, which are read as those of files are; else
/// points as above.
Geometry read_pasted(std::string_view text, const ReadOptions& options, std::vector<std::string>& notes);

}  // namespace flipscope
