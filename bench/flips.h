// The benchmark of the Flip lab, after Navarro, Hitschfeld and Scheihing (2011): time against the number of triangles
// (figure 6), for their subdivided noisy quad and other starts, and time on meshes of the sizes of their table 1, flat
// and surfaces; beside Lawson's sequential flips and, in the plane, CGAL.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/flip_contestants.h"

namespace flipscope::bench {

struct FlipPlan : Task {
    bool cgal = true;  // beside ours, if built in
    bool lawson = true;
};

/// A line of the paper's table 1, seconds.
struct PaperRow {
    const char* mesh;
    uint64_t edges;
    double cpu_s;  // its sequential method, on a 2.7 GHz Phenom
    double gpu_s;  // on a GTX 580
};

/// One input and all its measurements.
struct FlipCase {
    std::string start;                      // "quad", "moved", …; for table 1 "flat" or the surface's generator
    std::string input;                      // generator text: "uniform:500000"
    uint64_t vertices = 0;                  //
    uint64_t triangles = 0;                 // finite ones
    uint64_t edges = 0;                     //
    std::vector<Measurement> measurements;  // ours first
    Course course;                          // of ours
    LawsonResult lawson;
    Profile profile;                      // of ours
    size_t peak_bytes = 0;                // of ours
    std::vector<std::string> complaints;  // sentences about differing results
    const PaperRow* paper = nullptr;      // only for table 1

    const Measurement& ours() const { return measurements.front(); }
    double illegal_share() const { return static_cast<double>(course.illegal) / static_cast<double>(edges); }
    double ns_per_flip() const { return ours().median() * 1e6 / static_cast<double>(course.all_flips); }
};

/// Called after every case, for a table that grows during the run.
using OnFlipCase = std::function<void(const FlipCase&)>;

struct FlipStart {
    const char* name;
    const char* sentence;
    const char* generator;
    Settings settings;
    double most;  // triangles: beyond this too many flips
};

/// The starts of run_flip_growth(), the paper's first.
const std::vector<FlipStart>& flip_starts();

/// Figure 6. The quad at 1, 2 and 5 times powers of ten, the others at powers of ten. Throws Error for a name in
/// plan.only that is not in flip_starts().
std::vector<FlipCase> run_flip_growth(const FlipPlan& plan, const OnFlipCase& tell);
/// Table 1: a flat mesh and a surface of each size, as close as the generators allow. plan.only: "flat" and "surface".
std::vector<FlipCase> run_flip_meshes(const FlipPlan& plan, const OnFlipCase& tell);

}  // namespace flipscope::bench
