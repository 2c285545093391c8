// Tables (labs/report.h) as files for other programs: CSV for spreadsheets and our own reader, JSON as a list of
// objects, NumPy's .npz with an array for each column; and polygons as GeoJSON and as well-known text. Columns are
// named "area [nm²]" in CSV and JSON; in .npz they are called "area", and the array "units" has names and units.
#pragma once

#include <string>
#include <vector>

#include "geometry/point.h"
#include "lab/report.h"

namespace flipscope::app {

/// "area [nm²]", or "area" where the column has no unit.
std::string heading_of(const Table::Column& column);

/// A list of objects, one a line; what a cell does not have is null.
std::string json_of_rows(const Table& table);
/// Whole numbers are int64 where no row lacks one, else numbers are float64 with NaN; text is text.
std::string npz_of(const Table& table);
/// A column of it alone, as .npy.
std::string npy_of(const Table& table, size_t column);
/// A column of it alone, a line each without a heading, as numpy.loadtxt reads it: what there is none of is nan.
std::string csv_of_column(const Table& table, size_t column);

/// A feature for each row: its polygon, or null for one of fewer than three corners, with the row as its properties.
std::string geojson_of(const Table& table, const std::vector<std::vector<Point>>& polygons);
/// A line for each: POLYGON ((x y, …)), or POLYGON EMPTY.
std::string wkt_of(const std::vector<std::vector<Point>>& polygons);

}  // namespace flipscope::app
