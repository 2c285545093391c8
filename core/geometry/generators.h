// Named, repeatable inputs: random points, the exactly degenerate ones that break triangulators (lattice grids,
// cocircular rings, collinear runs, copies), and triangulations worth mending, in the plane and in space. Random
// numbers are Philox keyed by the seed and counted by the point's index, so a text such as "uniform:100000@seed=7"
// means the same points everywhere; those that need cos, sin or log (disks, normal, clusters, spiral, and surfaces) may
// differ in the last bit with another C library. Point processes (point_processes.h) have none of that, and take
// options by name, as in "thomas:1e5@mean=20,sigma=0.02". Called by the program, the tests and the benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

enum class Makes { kPoints, kPlanarMesh, kSurface };

/// A number that a generator takes by name.
struct GeneratorOption {
    std::string name;        // "mean"
    std::string sentence;    // "points of a cluster, on average"
    double low = 0;          // the least and the greatest value
    double high = 1;         //
    double usual = 0;        // where none is given; NaN: what usual_text says
    bool whole = false;      // whole numbers alone
    std::string usual_text;  // "0.15 √(mean / count)"; empty: the number

    std::string range_text() const;        // "1 … 1e+06"
    std::string usual_value_text() const;  // usual_text or the number
};

struct GeneratorInfo {
    std::string name;                           // "ring"
    std::string sentence;                       // what it makes, for lists and tooltips
    uint64_t max_count = 0;                     // more points or vertices than this are refused
    Makes makes = Makes::kPoints;               //
    uint64_t min_count = 0;                     // fewer are refused: a mesh needs some
    bool process = false;                       // a point process, or a sequence used in the place of one
    uint64_t second_count = 0;                  // where it is slow: about how many take a second; else 0
    std::string source = {};                    // who described it, and when
    std::vector<GeneratorOption> options = {};  //
};

/// Every generator, in the order they are listed to the user.
const std::vector<GeneratorInfo>& generators();

/// A heading in lists of generators.
struct GeneratorGroup {
    std::string name;  // "point processes"
    Makes makes = Makes::kPoints;
    bool processes = false;
    bool has(const GeneratorInfo& info) const { return info.makes == makes && info.process == processes; }
};
const std::vector<GeneratorGroup>& generator_groups();

struct GeneratorSpec {
    std::string name;
    uint64_t count = 0;
    uint64_t seed = 1;
    double scale = 1;
    Point offset{0, 0};                                        // world units
    std::vector<std::pair<std::string, double>> options = {};  // those of the generator that were given
};

/// What `spec` says of an option of its generator, or the usual value.
double option_of(const GeneratorSpec& spec, const std::string& name);

/// Reads "name:count", "name:1e5" or "name:count@mean=20,scale=1e6,x=1e12,y=-3,seed=7".
/// Throws Error with a sentence (and the nearest known name) when the text is not of that form, the generator or an
/// option is unknown, a value is out of its range, or the count is more than the generator makes.
GeneratorSpec parse_generator(const std::string& text);

/// The text that parse_generator reads back as `spec`; options at their defaults are left out.
std::string generator_text(const GeneratorSpec& spec);

/// Of its generator's own options those that are not as usual: "mean=30,sigma=0.01".
std::string options_text(const GeneratorSpec& spec);

/// Exactly spec.count points or vertices, the same for the same spec. Meshes come with their triangles, and surfaces
/// with heights, which the scale multiplies and the offset leaves alone. Throws Error for an unknown name, or a count
/// too large or too small.
///
/// With the default scale and offset the coordinates are exact as each generator promises. Otherwise every coordinate
/// becomes x * scale + offset, rounded twice, so an exact grid, ring or line may be exact no longer, and a triangle of
/// a mesh may turn over (they stay so when the results are representable: a power of two as the scale, an integer
/// offset within 2^53). The result may lie outside the range of the predicates: check_points in io/points.h tells.
Geometry generate(const GeneratorSpec& spec);

}  // namespace flipscope
