// The tables, JSON and figures of the flip benchmark.
#pragma once

#include <string>
#include <vector>

#include "bench/flips.h"
#include "bench/plot.h"
#include "bench/report.h"

namespace flipscope::bench {

enum class FlipTable { kGrowth, kMeshes };  // figure 6, table 1

void print_flip_heading(const Setting& setting, FlipTable table);
void print_flip_columns(FlipTable table);
void print_flip_case(FlipTable table, const FlipCase& one);
/// Edges flipped per iteration, for the largest case of each start.
void print_courses(const std::vector<FlipCase>& cases);
void print_flip_shares(const std::vector<FlipCase>& cases);
void print_flip_disturbance(const std::vector<FlipCase>& cases);
/// Prints a warning for each case with differing results. Returns whether there was none.
bool print_complaints(const std::vector<FlipCase>& cases);

std::string flips_to_json(const Setting& setting, FlipTable table, const FlipPlan& plan,
                          const std::vector<FlipCase>& cases);
/// Figure 6 with lines at 30 and 60 frames a second; or table 1 as curves over the number of edges, with the paper's
/// times.
Figure figure_of_flips(FlipTable table, const std::vector<FlipCase>& cases);

}  // namespace flipscope::bench
