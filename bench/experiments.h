// The benchmark's experiments, after the figures of the thesis (Drozd 2025): time against n for each distribution (8
// and 13) beside the peers (14), share of each kernel (17), block size (16), precision (21).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/contestants.h"

namespace flipscope::bench {

struct Plan : Task {
    std::vector<std::string> distributions = {};
    std::vector<uint64_t> sizes = {};
    bool fresh = true;     // see Ours
    bool cgal = true;      // beside ours, if built in
    bool serial = true;    // beside ours
    bool library = false;  // beside ours: triangulate()
};

/// One row of a table: an input and all its measurements.
struct Case {
    std::string experiment;  // "growth", "block size", "precision", "torus"
    std::string distribution;
    uint64_t points = 0;
    std::string variant;                    // "128", "float"; empty for growth
    std::vector<Measurement> measurements;  // ours first
    double reset_ms = 0;                    // median, part of ours
    double upload_ms = 0;                   // median, part of that; 0 on the CPU
    size_t peak_bytes = 0;
    Profile profile;  // of ours, including warm-up
    const Measurement* find(const std::string& name) const;
    double per_point_ns() const { return measurements.front().median() * 1e6 / static_cast<double>(points); }
    double peak_bytes_per_point() const { return static_cast<double>(peak_bytes) / static_cast<double>(points); }
};

/// Of the plane; nullptr if the generator does not make that many.
std::shared_ptr<const Geometry> make_points(const std::string& distribution, uint64_t count, uint64_t seed);

/// Called after every case, for a table that grows during the run.
using OnCase = std::function<void(const Case&)>;

std::vector<Case> run_growth(const Plan& plan, const OnCase& tell);
/// Only on CUDA; elsewhere block size has no meaning, and the result is empty.
std::vector<Case> run_block_sizes(const Plan& plan, uint64_t points, const OnCase& tell);
/// Every choice of the parameter "predicate".
std::vector<Case> run_precisions(const Plan& plan, const OnCase& tell);

/// In a periodic box of side 1, beside the same points in the plane; "ours" is periodic.
std::vector<Case> run_torus(const Plan& plan, const OnCase& tell);

/// Growth exponents of ours and each peer over the sizes of one distribution, by contestant.
std::map<std::string, double> exponents(const std::vector<Case>& cases, const std::string& distribution);

}  // namespace flipscope::bench
