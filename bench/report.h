// The benchmark's tables on stdout, and the same numbers as JSON.
#pragma once

#include <string>
#include <vector>

#include "bench/experiments.h"

namespace flipscope::bench {

struct Setting {
    std::string device;       // "cpu" or "cuda"
    std::string device_name;  // "CPU, 2 threads"
    int threads = 0;
    std::string peer;   // "CGAL 5.5.1", or empty
    bool peers = true;  // the experiment's table has columns for peers
    bool fresh = true;
    bool library = false;  // the experiment's table has columns for the library call
};

/// The first lines of a run: what is measured, and how.
void print_heading(const Setting& setting);
/// For run_torus().
void print_torus_columns();
void print_torus_case(const Case& one);
void print_columns(const Setting& setting, const char* experiment);
void print_case(const Setting& setting, const Case& one);
/// n^b for each distribution.
void print_exponents(const std::vector<Case>& cases, const std::vector<std::string>& distributions);
/// Shares of kernels in the total time, for the largest size of each distribution, side by side.
void print_shares(const std::vector<Case>& cases, const std::vector<std::string>& distributions);
/// Prints a warning for each case where contestants differ in the number of triangles. Returns whether there was none.
bool print_disagreements(const std::vector<Case>& cases);

/// Warns if one-threaded peers did not have a core to themselves: then no ratio is reliable.
void print_disturbance(const std::vector<Case>& cases);

std::string to_json(const Setting& setting, const std::vector<Case>& cases,
                    const std::vector<std::string>& distributions);

}  // namespace flipscope::bench
