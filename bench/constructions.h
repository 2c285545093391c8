// Finds the fastest construction for each kind of points: all constructions of the registry and CGAL, taking turns on
// the same points.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/experiments.h"
#include "bench/plot.h"

namespace flipscope::bench {

/// `only`: names of distributions and constructions, in any order; empty: the benchmark's five distributions and all
/// constructions. Throws Error for any other name.
void choose_constructions(const std::vector<std::string>& only, Plan& plan, std::vector<std::string>& constructions);

/// Times every construction on every distribution and size, prints a growing table and adds the numbers to `json`.
/// `kernels`: also prints the time of each kernel, at the largest size of each distribution; launches on CUDA are then
/// timed one by one, which slows the runs. Returns whether all constructions gave the same triangles on the same
/// points, by hash.
bool run_constructions(const Plan& plan, const std::vector<std::string>& constructions, bool kernels,
                       nlohmann::ordered_json& json);

/// Time per point against n, one figure per distribution.
std::vector<Figure> figures_of_constructions(const nlohmann::ordered_json& json);

}  // namespace flipscope::bench
