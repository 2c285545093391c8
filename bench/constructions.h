// Which construction is the fastest for which points: all that the registry has, and CGAL, in turns on the same points.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/experiments.h"
#include "bench/plot.h"

namespace flipscope::bench {

/// `only`: names of distributions and of constructions, mixed; empty: the five distributions of the benchmark and all
/// constructions. Throws Error for what is neither.
void choose_constructions(const std::vector<std::string>& only, Plan& plan, std::vector<std::string>& constructions);

/// Times every construction on every distribution and size, tells it as a table that grows, and adds it to `json`.
/// `kernels`: where the time of each goes, at the largest size of each distribution; launches on CUDA are
/// timed one by one then, which makes the runs slower. Returns whether all that ran on the same points gave the same
/// triangles, by hash.
bool run_constructions(const Plan& plan, const std::vector<std::string>& constructions, bool kernels,
                       nlohmann::ordered_json& json);

/// Time a point against n, one figure a distribution.
std::vector<Figure> figures_of_constructions(const nlohmann::ordered_json& json);

}  // namespace flipscope::bench
