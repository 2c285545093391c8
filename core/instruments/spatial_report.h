// Which spatial statistics of a scene are wanted, by the names of their options, and their report: curves with
// corrections, expectation and envelopes, and the results of tests. Used by SceneStatistics; the numbers are those of
// flipscope/spatial.h.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "flipscope/spatial.h"
#include "lab/report.h"

namespace flipscope {

struct SpatialRequest {
    std::vector<SpatialFunction> functions = {SpatialFunction::kL};
    SpatialOptions options = {};  // without marks, which the scene has
    EnvelopeOptions envelope = {0};
    std::array<double, 2> directions = {};          // roses of pairs at these distances, world units; 0, 0: none
    uint32_t frames = 0;                            // averages over every such frame of points over time; 0: none
    std::string mark, from, to;                     // a column of the input; two of its texts, or empty: the first two
    std::string bandwidth = "scott";                // of the intensity: a rule, or a length in world units
    std::map<std::string, std::string> texts = {};  // what set() was given, by name

    struct Option {
        const char *name, *value, *sentence;
    };
    /// "spatial", "correction", "radii", … : for the command line, scenarios and the window.
    static const std::vector<Option>& option_list();
    /// Throws Error for an unknown name or a value that cannot be read.
    void set(const std::string& name, const std::string& text);
};

/// A column of the input, by the index of the points.
struct SpatialMarks {
    std::vector<double> values;           // NaN: missing
    std::vector<std::string> categories;  // indexed by values; empty: numbers
};

/// Adds one curve per function and correction, each with the expectation, to `report`, and the tests to `numbers`.
/// Roses are distributions. Curves are means over `frames`, if there are any, the last of which is `points`. Envelopes
/// are bands: pointwise about the last correction, global about the expectation.
IntensityMap report_spatial(Context& context, const StudyArea& area, std::span<const Point> points,
                            const SpatialMarks& marks, const SpatialRequest& request, Report& report,
                            Properties& numbers, std::span<const std::vector<Point>> frames = {});

}  // namespace flipscope
