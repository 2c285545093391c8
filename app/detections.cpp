#include "app/detections.h"

#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/report_csv.h"
#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope::app {

Table detections_table(const std::vector<Detection>& detections, const LabInfo& info) {
    Table table;
    table.columns = {{"time", "in the unit of the input, or steps of the source"},
                     {"round", "the round that found it"},
                     {"kind", ""},
                     {"place", "world units", {}, {}, 2},
                     {"vertices", "by the names that stay the same over time"}};
    if (info.detects_changes) {
        table.columns.push_back({"lost contacts", "pairs that were linked", "lost_contacts", "breaking"});
        table.columns.push_back({"created contacts", "pairs that are linked now", "created_contacts", "arising"});
    }
    for (const MeasureInfo& measure : info.detection_measures)
        table.columns.push_back({measure.name, measure.sentence});
    table.row_count = detections.size();
    table.row = [&detections, changes = info.detects_changes, measures = info.detection_measures.size()](size_t i) {
        const Detection& detection = detections.at(i);
        // One by one: where memory runs out amid a braced list, GCC 12 destroys what has not been made.
        Table::Row row;
        row.cells.push_back(Value::exactly(detection.time));
        row.cells.emplace_back(detection.round);
        row.cells.emplace_back(detection.kind);
        row.cells.emplace_back(detection.given.value_or(detection.place));
        row.cells.emplace_back(detection.vertices);
        if (changes) {
            row.cells.emplace_back(detection.lost_contacts);
            row.cells.emplace_back(detection.created_contacts);
        }
        for (size_t k = 0; k < measures; ++k) {
            const bool has = k < detection.measures.size() && !std::isnan(detection.measures[k]);
            row.cells.push_back(has ? Value::exactly(detection.measures[k]) : Value());
        }
        return row;
    };
    return table;
}

std::string detections_csv(const std::vector<Detection>& detections, const LabInfo& info) {
    return csv_of(detections_table(detections, info));
}

std::string vertices_text(const Detection& detection, size_t most) {
    std::string text;
    for (size_t i = 0; i < std::min(detection.vertices.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(detection.vertices[i]);
    return detection.vertices.size() > most ? text + ", …" : text;
}

std::string pairs_text(const std::vector<std::array<int64_t, 2>>& pairs, size_t most) {
    if (pairs.empty()) return "\u2013";
    std::string text;
    for (size_t i = 0; i < std::min(pairs.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(pairs[i][0]) + "\u2013" + std::to_string(pairs[i][1]);
    return pairs.size() > most ? text + ", …" : text;
}

std::string in_full(const Detection& detection, const LabInfo& info) {
    const Point place = detection.given.value_or(detection.place);
    std::string text = detection.kind + " at time " + format_plainly(detection.time) + ", round " +
                       number_text(static_cast<double>(detection.round)) + "\nplace (" + place_text(place) +
                       ")\nvertices " + vertices_text(detection, 24);
    if (info.detects_changes)
        text += "\nlost contacts " + pairs_text(detection.lost_contacts, 24) + "\ncreated contacts " +
                pairs_text(detection.created_contacts, 24);
    for (size_t i = 0; i < std::min(info.detection_measures.size(), detection.measures.size()); ++i)
        if (!std::isnan(detection.measures[i]))
            text += "\n" + info.detection_measures[i].name + " " + value_text(detection.measures[i]) + " " +
                    info.detection_measures[i].unit;
    return text;
}

double place_resolution(const std::vector<Detection>& detections) {
    PlaceSpread spread;
    for (const Detection& detection : detections) spread.add(detection);
    return spread.resolution();
}

std::string word_of(const LabInfo& info) { return info.detects.empty() ? "detection" : info.detects; }
std::string words_of(const LabInfo& info) { return word_of(info) + "s"; }

std::string count_of_detections(uint64_t count, const LabInfo& info) {
    return number_text(static_cast<double>(count)) + " " + (count == 1 ? word_of(info) : words_of(info));
}

}  // namespace flipscope::app
