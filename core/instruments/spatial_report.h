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
    SpatialOptions options = {};
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

/// Adds one curve per function and correction, each with the expectation, to `report`, and the tests to `numbers`.
/// Roses are distributions. Envelopes are bands: pointwise about the last correction, global about the expectation. Of
/// several frames all are means or sums, with their S(k). `categories`: indexed by marks; empty: these are numbers.
IntensityMap report_spatial(Context& context, const StudyArea& area, std::span<const PointPattern> frames,
                            const std::vector<std::string>& categories, const SpatialRequest& request, Report& report,
                            Properties& numbers);

}  // namespace flipscope
