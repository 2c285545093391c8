// Normalises tables whose lines are not rows: quoted fields over several lines, frames around columns, footers. The
// reader of tables normalises such a text and reads it again; line numbers do not change.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/table_text.h"

namespace flipscope::io {

/// The text with a row in each line: the breaks within a field in quotes become blanks, and empty lines follow the row;
/// frames of box-drawing characters become bars and rules; several points in a line, "1.5,2 3,4.5", a line each; "x=1
/// y=2" loses its names; "#7" that begins each row is in quotes; a shape between blanks, as GeoPandas prints it, is in
/// quotes. nullopt: nothing to change. `separator`: 0: detected.
std::optional<std::string> with_whole_rows(std::string_view text, char separator);

/// Lines at the end that are not rows.
struct TableFooter {
    size_t begin = 0;  // byte
    size_t lines = 0;  // non-empty
    std::string first;
};
/// "EOF", "(5 rows)", or lines after an empty line that do not look like a row. nullopt: none.
std::optional<TableFooter> footer_of(std::string_view text, const TableText& table);

}  // namespace flipscope::io
