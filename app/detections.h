// Detections of a lab: as a table, which JSON and CSV write, and in the short forms that the window's
// list shows. Knows no lab, and of the window nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "labs/lab.h"

namespace flipscope::app {

/// time, round, kind, place, vertices, and lost and created contacts with their cells, or the measures that the lab's
/// detections have, as `info` says. Places are in the units of the input, where a detection gives them. Valid as long
/// as `detections`.
Table detections_table(const std::vector<Detection>& detections, const LabInfo& info);
/// The same as a file, in which each cell has columns of its own, and what has a unit tells it.
std::string detections_csv(const std::vector<Detection>& detections, const LabInfo& info = {},
                           const DetectionUnits& units = {});

/// "3, 7, 9, 12"; at most `most` of them, then "…".
std::string vertices_text(const Detection& detection, size_t most = 8);
/// "3–7, 4–9", or a dash for none; at most `most` of them, then "…".
std::string pairs_text(const std::vector<std::array<int64_t, 2>>& pairs, size_t most = 8);

/// All there is to say of one, a line each.
std::string in_full(const Detection& detection, const LabInfo& info = {});
/// How finely places are written in a list of these, so that neighbours in it are told apart and a column holds them:
/// a thousandth of what they spread over; 0, exactly, where they lie at one place.
double place_resolution(const std::vector<Detection>& detections);
/// What the places of detections spread over; told of one after the other, so that a growing list is never gone over
/// again.
struct PlaceSpread {
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

    void add(const Detection& detection) {
        const Point place = detection.given.value_or(detection.place);
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    /// As place_resolution() of all that it was told of.
    double resolution() const { return low.x <= high.x ? 1e-3 * std::max(high.x - low.x, high.y - low.y) : 0; }
};
/// What the lab calls one of its detections, and several of them: "event", "events".
std::string word_of(const LabInfo& info);
std::string words_of(const LabInfo& info);
/// "1 event", "1,234 events".
std::string count_of_detections(uint64_t count, const LabInfo& info);

}  // namespace flipscope::app
