// Detections of a lab: as a table, which JSON and CSV write, in the short forms that the window's list shows, and the
// rows of that list. Knows no lab, and of the window nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/lab.h"

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
/// What the places of detections spread over; told of one after the other, so that a growing list is never gone over
/// again.
struct PlaceSpread {
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

    void add(const Detection& detection) {
        const Point place = detection.given.value_or(detection.place);
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    /// How finely places are written in a list of these, so that neighbours in it are told apart and a column holds
    /// them: a thousandth of what they spread over; 0, exactly, where they lie at one place.
    double resolution() const { return low.x <= high.x ? 1e-3 * std::max(high.x - low.x, high.y - low.y) : 0; }
};
/// The rows of the list: detections of all kinds or of one, sorted by time or by kind.
class DetectionList {
  public:
    /// Adds what is new. If `all` does not continue the list of the last call, the rows are made from it again. If the
    /// chosen kind is not in it, all kinds are shown.
    void follow(const std::vector<Detection>& all);
    struct Kind {
        std::string name;
        std::vector<uint32_t> detections;  // indices, increasing
    };
    const std::vector<Kind>& kinds() const { return kinds_; }  // in the order in which they came first
    /// Empty: all of them.
    void show(const std::string& kind);
    const std::string& shown() const { return shown_; }
    void sort_by_kind(bool by_kind);
    bool is_by_kind() const { return by_kind_; }
    /// Indices of detections, in the order of the list.
    const std::vector<uint32_t>& rows() const { return rows_; }
    /// The row of a detection; rows().size(): it is not shown.
    size_t row_of(size_t detection) const;
    /// How many of the rows are of the first so many detections.
    size_t rows_among(size_t detections) const;

  private:
    void arrange();

    std::vector<Kind> kinds_;
    std::vector<uint32_t> rows_;
    std::string shown_;
    bool by_kind_ = false;
    size_t known_ = 0;
    double last_time_ = 0;  // of the last one that it was told of
    Point last_place_;
};

/// What the lab calls one of its detections, and several of them: "event", "events".
std::string word_of(const LabInfo& info);
std::string words_of(const LabInfo& info);
/// "1 event", "1,234 events".
std::string count_of_detections(uint64_t count, const LabInfo& info);

}  // namespace flipscope::app
