// A simple recomputation of the results of EventsMachine on the host: components by a flood fill, lost and created
// contacts as differences of two sets of links. EventsMachine::check() calls it. It shares no code with the kernels.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "events/detection/change_detector.h"
#include "voronoi/verify_diagram.h"

namespace flipscope {

/// Fails the report, and appends the sentence to those of other faults.
void add_fault(CheckReport& report, const std::string& sentence);

/// Components over 8 neighbours, numbered in the order of their lowest pixels. inside: (h, w); kNone elsewhere.
std::vector<uint32_t> flood_labels(const Lattice& lattice, const std::vector<uint8_t>& inside);
/// Lists every pixel whose label is not the expected one: "wrong-label".
void verify_labels(const Lattice& lattice, std::span<const uint32_t> labels, std::span<const uint32_t> expected,
                   CheckReport& report);

/// A comparison of two frames in host memory.
struct ComparisonOnHost {
    struct Frame {
        uint32_t count = 0;                        // sites
        std::vector<uint32_t> starts, neighbours;  // (n + 1), (entries) rows of neighbours
    };
    Frame past, now;
    std::vector<Point> sites;               // (n) of the present frame, world units
    std::vector<int64_t> ids;               // (n) for sentences
    std::vector<uint32_t> to_now, to_past;  // as in Matching
    std::span<const ChangedLink> changed;   // as found; only `lost` and `now` of the ends are used
    ComparisonCounts counts;                // as counted
    Lattice lattice = {};
    LongestLink longest = {};  // the longest link of `now`,
    Frame all = {};            // which has those of this graph that are not longer
};
using LinkEnds = std::array<uint32_t, 2>;  // labels, the lower first
struct VerifiedComparison {
    std::set<LinkEnds> translated, common, lost, created;  // by present labels; past and present links of matched sites
};
/// Lists rows that are not ascending and symmetric, partners that are not mutual, wrong counts, and contacts listed
/// differently from the difference of the sets: "broken-row", "link-count", "long-link", "lost-link",
/// "one-sided-partner", "partner-count", "lost-contacts", "created-contacts". Returns the sets.
VerifiedComparison verify_comparison(const ComparisonOnHost& comparison, CheckReport& report);

}  // namespace flipscope
