// The text that names a study area, in --within, scenarios, lessons and the window, and the area that it means.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "flipscope/study_area.h"
#include "geometry/point.h"

namespace flipscope {

/// The study area of a text:
///   0,0,2,1                    a rectangle: left, lower, right, upper; world units
///   POLYGON ((0 0, 2 0, …))    well-known text, also MULTIPOLYGON
///   hull                       the convex hull of the input's points
///   areas                      the polygons of the input's file
///   city.geojson               the polygons of a file that read_geometry() reads
///   city.geojson#name=Oslo     of them only those with this text in a column; also areas#name=Oslo
/// Several polygons are one area; sides that two of them share vanish. `input`: may be nullptr. `notes`, if given,
/// receives what is said of the file. Throws Error for any other text, for polygons that area_of_rings() refuses, and
/// as read_geometry() does.
StudyArea read_area(const std::string& text, const Geometry* input, std::vector<std::string>* notes = nullptr);

/// The text with the name of its file relative to this folder; unchanged if it names no file.
std::string area_text_in(const std::filesystem::path& folder, const std::string& text);

/// A text that means this area, which is not periodic: a rectangle's ends, or well-known text. All digits.
std::string area_text(const StudyArea& area);

}  // namespace flipscope
