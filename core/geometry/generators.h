// Named, repeatable inputs: random points, exactly degenerate points that break triangulators (lattice grids,
// cocircular rings, collinear runs, duplicates), and poor triangulations to be improved, in the plane and in space.
// Random numbers are Philox keyed by the seed and counted by the point's index, so a text such as
// "uniform:100000@seed=7" means the same points everywhere; those that use cos, sin or log (disks, normal, clusters,
// spiral, and surfaces) may differ in the last bit between C libraries. Point processes (point_processes.h) do not, and
// have named options, as in "thomas:1e5@mean=20,sigma=0.02". Called by the program, the tests and the benchmarks.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

enum class GeneratorOutput { kPoints, kPlanarMesh, kSurface };

/// A named numeric option of a generator.
struct GeneratorOption {
    std::string name;        // "mean"
    std::string sentence;    // "points of a cluster, on average"
    double low = 0;          // the least and the greatest value
    double high = 1;         //
    double usual = 0;        // the default; NaN: see usual_text
    bool whole = false;      // integers only
    std::string usual_text;  // "0.15 √(mean / count)"; empty: the number

    std::string range_text() const;        // "1 … 1e+06"
    std::string usual_value_text() const;  // usual_text or the number
};

struct GeneratorInfo {
    std::string name;                                  // "ring"
    std::string sentence;                              // what it makes, for lists and tooltips
    uint64_t max_count = 0;                            // the most points or vertices
    GeneratorOutput makes = GeneratorOutput::kPoints;  //
    uint64_t min_count = 0;                            // the fewest, for meshes
    bool process = false;                              // a point process, or a sequence used like one
    uint64_t second_count = 0;                         // for slow ones: points per second, roughly; else 0
    std::string source = {};                           // author and year
    std::vector<GeneratorOption> options = {};         //
};

/// All generators in the order of user-visible lists.
const std::vector<GeneratorInfo>& generators();

/// Throws Error for an unknown name.
const GeneratorInfo& find_generator(const std::string& name);

/// A heading in lists of generators.
struct GeneratorGroup {
    std::string name;  // "point processes"
    GeneratorOutput makes = GeneratorOutput::kPoints;
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
    std::vector<std::pair<std::string, double>> options = {};  // explicitly given options
};

/// Throws Error unless spec names a generator and its count, options, scale and offset are within its limits.
void check_generator(const GeneratorSpec& spec);

/// The value of an option in `spec`, or the default.
double option_of(const GeneratorSpec& spec, const std::string& name);

/// Reads "name:count", "name:1e5" or "name:count@mean=20,scale=1e6,x=1e12,y=-3,seed=7".
/// Throws Error with a sentence (and the nearest known name) when the text is not of that form, the generator or an
/// option is unknown, a value is out of its range, or the count is more than the generator makes.
GeneratorSpec parse_generator(const std::string& text);

/// The text that parse_generator() reads back as `spec`, without options at their defaults.
std::string generator_text(const GeneratorSpec& spec);

/// The generator's own options that differ from the defaults: "mean=30,sigma=0.01".
std::string options_text(const GeneratorSpec& spec);

/// Exactly spec.count points or vertices, the same for the same spec. Meshes have triangles, and surfaces also heights,
/// to which the scale applies but not the offset. Throws Error for an unknown name or a count out of range.
///
/// With the default scale and offset the coordinates are exact as documented. Otherwise every coordinate becomes x *
/// scale + offset, rounded twice, so a grid, ring or line may lose exactness, and a triangle of a mesh may be inverted,
/// unless the results are representable (a power of two as the scale, an integer offset within 2^53). The result may be
/// out of the predicates' range: see check_points() in io/points.h.
Geometry generate(const GeneratorSpec& spec);

}  // namespace flipscope
