// Reports and tables (lab/report.h) as files: CSV for spreadsheets and our own reader, JSON as a list of objects,
// NumPy's .npz with an array per column; and polygons as GeoJSON and well-known text. CSV and JSON name columns "area
// [nm²]"; .npz names them "area", and its array "units" holds names and units. In CSV, numbers keep every bit, places
// become columns x, y and z, ids are separated by blanks, pairs by semicolons ("3 7; 4 9"); a truth value is "yes" or
// "no".
#pragma once

#include <string>
#include <vector>

#include "geometry/point.h"
#include "instruments/element_tables.h"
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

/// Columns of these names, without sentences and units.
std::vector<Table::Column> columns_named(const std::vector<std::string>& names);
/// A section as a table. In a distribution, the part below the lowest bin has no `from`, and that above the highest no
/// `to`.
inline const Table& table_of(const Table& table) { return table; }
Table table_of(const Properties& properties);
Table table_of(const Distribution& distribution);
Table table_of(const Curve& curve);
Table table_of(const Diagram& diagram);

/// A field of a line, quoted if it would otherwise end its column, lose blanks, or read as a comment (io/points.h).
std::string csv_field(const std::string& text);

/// "area [nm²]", or "area" for a column without a unit.
std::string heading_of(const Table::Column& column);

/// A list of objects, one per line; missing values are null.
std::string json_of_rows(const Table& table);
/// Whole numbers are int64 if no row lacks one; other numbers are float64 with NaN; text stays text.
std::string npz_of(const Table& table);
/// One column as .npy.
std::string npy_of(const Table& table, size_t column);
/// One column, a line per row without a heading, as numpy.loadtxt reads it; missing values are nan.
std::string csv_of_column(const Table& table, size_t column);

/// A feature per row: a Polygon, a MultiPolygon, or null without parts, with the row as properties.
std::string geojson_of(const Table& table, const std::vector<PolygonParts>& polygons);
/// A line each: POLYGON ((x y, …)), MULTIPOLYGON, or POLYGON EMPTY.
std::string wkt_of(const std::vector<PolygonParts>& polygons);
/// A drawing in world units, y downward, with a path for each polygon: cell-0 of the first row.
std::string svg_of(const std::vector<PolygonParts>& polygons);

}  // namespace flipscope::app
