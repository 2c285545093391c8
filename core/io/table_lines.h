// Texts of tables whose lines are not rows: fields in quotes that go over several lines, frames drawn around columns,
// what programs write below the last row. The reader of tables mends such a text and reads it again; no line changes
// its number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/table_text.h"

namespace flipscope::io {

/// The text with a row in each line: the breaks within a field in quotes become blanks, and empty lines follow the row;
/// frames of box-drawing characters become bars and rules; several points in a line, "1.5,2 3,4.5", a line each;
/// "x=1 y=2" loses its names; "#7" that begins each row is in quotes; a shape between blanks, as GeoPandas prints it,
/// is in quotes. Nothing: it is so already. `separator`: 0: found out.
std::optional<std::string> with_whole_rows(std::string_view text, char separator);

/// Lines at the end that are no rows.
struct TableFooter {
    size_t begin = 0;  // byte
    size_t lines = 0;  // that are not empty
    std::string first;
};
/// "EOF", "(5 rows)", or what stands behind an empty line and has other fields than a row. Nothing: there is none.
std::optional<TableFooter> footer_of(std::string_view text, const TableText& table);

}  // namespace flipscope::io
