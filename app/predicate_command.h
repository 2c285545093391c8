// `flipscope predicate incircle|orient FILE A B C [D]`: what floats, doubles and exact arithmetic say of three or four
// points of a file. Runs nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/read_options.h"

namespace flipscope::app {

struct PredicateOptions {
    std::string predicate;  // "incircle" or "orient"
    std::filesystem::path file;
    std::vector<uint32_t> points;  // indices in the file, from 0: four, or three
    ReadOptions read;
    std::string json;  // a file, "-" for stdout, or empty
    bool quiet = false;
};

/// Prints the determinant in each arithmetic, with the sign that each has, and for four points on a circle the
/// tie-break. Returns the exit status. Throws Error for a file that cannot be read and for points that it does not
/// have.
int evaluate_predicate(const PredicateOptions& options);

}  // namespace flipscope::app
