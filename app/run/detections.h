// Detections of a lab as a table for JSON and CSV, as short texts for the window's list, and as the rows of that list.
// Independent of labs and the window.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lab/lab.h"

namespace flipscope::app {

/// Columns time, round, kind, place, vertices, and lost and created contacts with their cells or the lab's measures, by
/// `info`. Places are in units of the input if the detection has them. Valid as long as `detections`.
Table detections_table(const std::vector<Detection>& detections, const LabInfo& info);
/// The same as a file with a column per cell, and units in the headings.
std::string detections_csv(const std::vector<Detection>& detections, const LabInfo& info = {},
                           const DetectionUnits& units = {});

/// "3, 7, 9, 12"; after `most` of them "…".
std::string vertices_text(const Detection& detection, size_t most = 8);
/// "3–7, 4–9", or a dash for none; after `most` of them "…".
std::string pairs_text(const std::vector<std::array<int64_t, 2>>& pairs, size_t most = 8);

/// All properties of a detection, a line each.
std::string in_full(const Detection& detection, const LabInfo& info = {});
/// The bounds of detection places, extended one by one so that a growing list is never scanned again.
struct PlaceSpread {
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};

    void add(const Detection& detection) {
        const Point place = detection.given.value_or(detection.place);
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    /// The resolution of places in a list, which keeps neighbours distinct and the column narrow: a thousandth of the
    /// spread; 0, exact, for a single place.
    double resolution() const { return low.x <= high.x ? 1e-3 * std::max(high.x - low.x, high.y - low.y) : 0; }
};
/// The rows of the list: detections of all kinds or of one, sorted by time or by kind.
class DetectionList {
  public:
    /// Adds new detections. Rebuilds the rows if `all` does not continue the last list, and shows all kinds if the
    /// chosen one is missing.
    void follow(const std::vector<Detection>& all);
    struct Kind {
        std::string name;
        std::vector<uint32_t> detections;  // ascending indices
    };
    const std::vector<Kind>& kinds() const { return kinds_; }  // in order of first occurrence
    /// Empty: all kinds.
    void show(const std::string& kind);
    const std::string& shown() const { return shown_; }
    void sort_by_kind(bool by_kind);
    bool is_by_kind() const { return by_kind_; }
    /// Indices of detections, in list order.
    const std::vector<uint32_t>& rows() const { return rows_; }
    /// The row of a detection; rows().size() if not shown.
    size_t row_of(size_t detection) const;
    /// The number of rows among the first `detections`.
    size_t rows_among(size_t detections) const;

  private:
    void arrange();

    std::vector<Kind> kinds_;
    std::vector<uint32_t> rows_;
    std::string shown_;
    bool by_kind_ = false;
    size_t known_ = 0;
    double last_time_ = 0;  // of the last detection followed
    Point last_place_;
};

/// The different texts among a member of the entries of a list, in order of first occurrence, with the number of their
/// occurrences.
template <class T>
std::vector<std::pair<std::string, size_t>> occurrences(const std::vector<T>& list, std::string T::*member) {
    std::vector<std::pair<std::string, size_t>> found;
    for (const T& one : list) {
        auto same = found.empty() || found.back().first != one.*member ? found.begin() : found.end() - 1;
        while (same != found.end() && same->first != one.*member) ++same;
        if (same == found.end()) same = found.insert(same, {one.*member, 0});
        ++same->second;
    }
    return found;
}

/// The lab's words for one and for several detections: "event", "events".
std::string word_of(const LabInfo& info);
std::string words_of(const LabInfo& info);
/// "1 event", "1,234 events".
std::string count_of_detections(uint64_t count, const LabInfo& info);

}  // namespace flipscope::app
