// Reports as comma-separated values, for spreadsheets. Numbers keep every bit. Places become columns x, y and z; ids
// are separated by blanks, pairs by semicolons ("3 7; 4 9"); a truth value is "yes" or "no".
#pragma once

#include <string>

#include "lab/report.h"

namespace flipscope::app {

/// A heading, with units in brackets, then a line per row.
std::string csv_of(const Table& table);
/// "area [nm²]". Quoted also if a part of it reads as a number ("2020", "mass 2"), since readers take a line with
/// numbers for data.
std::string csv_heading(const Table::Column& column);
/// The sections, each with any title and a heading, separated by empty lines. Properties have the columns name, value,
/// error, unit, why; distributions from, to and their series; curves x and y; diagrams a line per corner of a shape.
std::string csv_of(const Report& report);

/// A section as a table. In a distribution, the part below the lowest bin has no `from`, and that above the highest no
/// `to`.
inline const Table& table_of(const Table& table) { return table; }
Table table_of(const Properties& properties);
Table table_of(const Distribution& distribution);
Table table_of(const Curve& curve);
Table table_of(const Diagram& diagram);

/// A field of a line, quoted if it would otherwise end its column, lose blanks, or read as a comment (io/points.h).
std::string csv_field(const std::string& text);

}  // namespace flipscope::app
