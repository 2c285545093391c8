// Reports as comma-separated values, for spreadsheets: the one writer of what labs tell. Numbers keep every bit. Places
// become a column each for x, y and z; ids stand with blanks between them, pairs with a semicolon after each but the
// last ("3 7; 4 9"); a truth is "yes" or "no".
#pragma once

#include <string>

#include "lab/report.h"

namespace flipscope::app {

/// A heading, with units in brackets, then a line for each row.
std::string csv_of(const Table& table);
/// "area [nm²]". In quotes, too, where a part of it reads as a number ("2020", "mass 2"): a line with numbers is no
/// heading to who reads it.
std::string csv_heading(const Table::Column& column);
/// Section after section, each with its title, if it has one, and its heading, and an empty line between two.
/// Properties have the columns name, value, error, unit, why; distributions from, to and their series; curves x and y;
/// diagrams a line for each corner of a shape.
std::string csv_of(const Report& report);

/// The content of a section as a table. Of a distribution what lies below its lowest bin has no `from`, what lies above
/// no `to`.
Table table_of(const Properties& properties);
Table table_of(const Distribution& distribution);
Table table_of(const Curve& curve);
Table table_of(const Diagram& diagram);

/// A field of a line: quoted where it would otherwise end its column, lose blanks, or be a comment to the reader of
/// points (io/points.h).
std::string csv_field(const std::string& text);

}  // namespace flipscope::app
