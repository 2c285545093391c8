// Vector formats of geography, read by GDAL's OGR where GDAL is installed: it is opened when such a file is read, and
// the program runs without it. It reads from memory, by the drivers of these formats alone, and without the network.
#pragma once

#include <string_view>

#include "geometry/point.h"
#include "io/formats.h"

namespace flipscope::io {

/// Shapefile, GeoPackage, GPX, KML, DXF, GML or FlatGeobuf, from the first bytes.
bool looks_like_geography(std::string_view bytes);

/// Points and vertices of lines are points, polygons are areas, fields are columns, of all layers. Throws Error:
/// without GDAL, with the name of its package.
Geometry read_geography(const InputFile& file);

/// Whether GDAL can be opened.
bool has_gdal();

}  // namespace flipscope::io
