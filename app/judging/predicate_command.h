// `flipscope predicate incircle|orient FILE A B C [D]`: evaluates a predicate on points of a file in float, double and
// exact arithmetic. Runs no lab.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "io/read_options.h"
#include "lab/report.h"

namespace flipscope::app {

struct PredicateOptions {
    std::string predicate;  // "incircle" or "orient"
    std::filesystem::path file;
    std::vector<uint32_t> points;  // indices in the file, from 0: four, or three
    ReadOptions read;
    std::string json;  // a file, "-" for stdout, or empty
    bool quiet = false;
};

/// Number of points of a predicate; 0: unknown name.
size_t points_of_predicate(const std::string& name);
/// The determinant of these points in each arithmetic with its sign, and the tie-break for four cocircular points.
/// Throws Error that starts with `asker` for points that the input lacks, and for a wrong number of points.
Section predicate_of(const std::string& predicate, const std::vector<uint32_t>& points, const Geometry& input,
                     const std::string& asker);
/// The same as lines of aligned columns, with the points' coordinates.
std::string predicate_text(const Section& section, const std::vector<uint32_t>& points, const Geometry& input);
/// Splits "incircle 6 5 8 9" or "orient 0, 1, 2" into name and points, possibly too few. False: the text does not begin
/// with a predicate.
bool parse_predicate(const std::string& text, std::string& name, std::vector<uint32_t>& points);

/// Prints the determinant in each arithmetic with its sign, and the tie-break for four cocircular points. Returns the
/// exit status. Throws Error for an unreadable file and for points that it lacks.
int evaluate_predicate(const PredicateOptions& options);

}  // namespace flipscope::app
