// The benchmark of digital Voronoi diagrams: sections, each with a table. To add one, write a function and a line in
// lattice_sections().
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure.h"
#include "compute/context.h"
#include "voronoi/lattice.h"

namespace flipscope::bench {

struct LatticePlan {
    DeviceRequest device = DeviceRequest::kCpu;  // kCpu or kCuda
    int threads = 0;
    Lattice lattice{2048, 1024, false};  // the size of the paper's droplet lattice
    double least = 1e2, most = 1e6;      // range of the number of sites
    uint64_t seed = 1;
    Patience patience;
    std::vector<std::string> only;  // names of sections; empty: all for the device
};

/// Prints its table and adds its numbers to `json`. Returns false if two methods disagree.
using LatticeSection = bool (*)(const LatticePlan&, nlohmann::ordered_json& json);

struct NamedSection {
    const char* name;
    const char* sentence;
    LatticeSection run;
    bool on_cuda_only;
};
const std::vector<NamedSection>& lattice_sections();

/// "2048x1024". Throws Error for other text.
Lattice parse_lattice_size(const std::string& text);

/// Runs the selected sections. Throws Error for a name that is not in lattice_sections().
bool run_lattice(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
