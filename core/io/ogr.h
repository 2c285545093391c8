// Reads and writes vector formats of geography by GDAL's OGR, which is loaded on demand; the program runs without it.
// Reads from memory, with the drivers of these formats only, and without the network.
#pragma once

#include <filesystem>
#include <string_view>

#include "geometry/point.h"
#include "io/formats.h"

namespace flipscope::io {

/// Shapefile, GeoPackage, GPX, KML, DXF, GML or FlatGeobuf, from the first bytes.
bool looks_like_geography(std::string_view bytes);

/// Of all layers: points and vertices of lines become points, polygons areas, fields columns. Throws Error; without
/// GDAL, with the name of its package.
Geometry read_geography(const InputFile& file);

/// Writes polygons, a collection of GeoJSON, as a Shapefile (.shp and its further files) or a GeoPackage (.gpkg),
/// without a system of reference. Replaces the file. Throws Error.
void write_geography(const std::filesystem::path& path, std::string_view features);

/// Whether GDAL can be loaded.
bool has_gdal();

}  // namespace flipscope::io
