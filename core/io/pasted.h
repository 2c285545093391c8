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

/// Reads a table as from a file; JSON, well-known text and lists as io/structured_text.h. Otherwise rows are lines, or
/// the parts between commas, if all of these have two numbers or all have three; a single line or column of numbers is
/// x, y, x, y …. Blanks, commas, semicolons and quotes separate; "#" begins a comment; a first line without numbers is
/// skipped. Commas are decimal if semicolons, tabs or a number without one imply it. `notes` receives the
/// interpretation, and `layout`, if given, the layout of a table. Throws Error: `line 3: expected coordinates, found
/// "foo"`, `line 2 has 3 numbers, and line 1 has 2`.
Geometry read_pasted(std::string_view text, std::vector<std::string>* notes = nullptr, const ReadOptions& options = {},
                     TableLayout* layout = nullptr);

}  // namespace flipscope
