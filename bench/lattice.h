// The questions that the benchmark answers about digital Voronoi diagrams: each a section with a table of its own. A
// new one is a function and a line in lattice_sections().
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
    Lattice lattice{2048, 1024, false};  // the paper's droplets lie on one of this size
    double least = 1e2, most = 1e6;      // sites, where their number is what varies
    uint64_t seed = 1;
    Patience patience;
    std::vector<std::string> only;  // names of sections; empty: all that suit the device
};

/// Prints its table and adds its numbers to `json`. False when two ways to the same result differ.
using LatticeSection = bool (*)(const LatticePlan&, nlohmann::ordered_json& json);

struct NamedSection {
    const char* name;
    const char* sentence;
    LatticeSection run;
    bool on_cuda_only;
};
const std::vector<NamedSection>& lattice_sections();

/// "2048x1024". Throws Error for another text.
Lattice parse_lattice_size(const std::string& text);

/// All sections asked for, one after the other. Throws Error for a name that lattice_sections() does not have.
bool run_lattice(const LatticePlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
