// `flipscope predicate incircle|orient FILE A B C [D]`: what floats, doubles and exact arithmetic say of three or four
// points of a file. Runs nothing.
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

/// The points that a predicate takes; 0: it is none.
size_t points_of_predicate(const std::string& name);
/// The determinant of these points in each arithmetic, the sign that each has, and for four points on a circle the
/// tie-break. Throws Error that starts with `asker` for points that the input does not have, and for too few or many.
Section predicate_of(const std::string& predicate, const std::vector<uint32_t>& points, const Geometry& input,
                     const std::string& asker);
/// The same in lines of aligned columns, with the places of the points.
std::string predicate_text(const Section& section, const std::vector<uint32_t>& points, const Geometry& input);
/// "incircle 6 5 8 9" or "orient 0, 1, 2": the name and what is behind it; the points may still be too few. False: the
/// text begins with no predicate.
bool parse_predicate(const std::string& text, std::string& name, std::vector<uint32_t>& points);

/// Prints the determinant in each arithmetic, with the sign that each has, and for four points on a circle the
/// tie-break. Returns the exit status. Throws Error for a file that cannot be read and for points that it does not
/// have.
int evaluate_predicate(const PredicateOptions& options);

}  // namespace flipscope::app
