// Tables (lab/report.h) as files: CSV for spreadsheets and our own reader, JSON as a list of objects, NumPy's .npz with
// an array per column; and polygons as GeoJSON and well-known text. CSV and JSON name columns "area [nm²]"; .npz names
// them "area", and its array "units" holds names and units.
#pragma once

#include <string>
#include <vector>

#include "geometry/point.h"
#include "instruments/element_tables.h"
#include "lab/report.h"

namespace flipscope::app {

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
