// Reads text from the clipboard: columns of coordinates, or any text format that is read from files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/error.h"
#include "geometry/point.h"
#include "io/table.h"

namespace flipscope {

/// The layout of a pasted text that is a table: with a header, with more than two columns, or with options. nullopt:
/// not a table.
std::optional<TableLayout> pasted_table(std::string_view text, const ReadOptions& options);

/// Reads a table as from a file; JSON, well-known text and lists as io/structured_text.h. In a single line of numbers
/// the parts between commas are points, if all of these have two numbers or all have three; other numbers in one line
/// or in one column are x, y, x, y …. `notes` receives the interpretation, and `layout`, if given, the layout of a
/// table. Throws Error: `expected coordinates, found "foo"`, `pasted:2: expected two numbers, found "3 4 5"`.
Geometry read_pasted(std::string_view text, std::vector<std::string>* notes = nullptr, const ReadOptions& options = {},
                     TableLayout* layout = nullptr);

}  // namespace flipscope
