// A predicate of points of an input in float, double and exact arithmetic, for `flipscope predicate` and the window's
// field that finds elements. Runs no lab.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "lab/report.h"

namespace flipscope::app {

/// Number of points of a predicate; 0: unknown name.
size_t points_of_predicate(const std::string& name);
/// The determinant of these points in each arithmetic with its sign, and the tie-break for four cocircular points.
/// Throws Error that starts with `asker` for points that the input lacks, and for a wrong number of points.
Section predicate_of(const std::string& predicate, const std::vector<uint32_t>& points, const Geometry& input,
                     const std::string& asker);
/// Its numbers, without links to points.
Properties own_numbers(const Section& section);
/// The same as lines of aligned columns, with the points' coordinates.
std::string predicate_text(const Section& section, const std::vector<uint32_t>& points, const Geometry& input);
/// Splits "incircle 6 5 8 9" or "orient 0, 1, 2" into name and points, possibly too few. False: the text does not begin
/// with a predicate.
bool parse_predicate(const std::string& text, std::string& name, std::vector<uint32_t>& points);

}  // namespace flipscope::app
