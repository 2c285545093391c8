#include "app/findings.h"

#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/report_csv.h"
#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope::app {

Table findings_table(const std::vector<Finding>& findings, const LabInfo& info) {
    Table table;
    table.columns = {{"time", "in the unit of the input, or steps of the source"},
                     {"round", "the round that found it"},
                     {"kind", ""},
                     {"place", "world units", {}, {}, 2},
                     {"vertices", "by the names that stay the same over time"}};
    if (info.finds_changes) {
        table.columns.push_back({"lost contacts", "pairs that were linked", "lost_contacts", "breaking"});
        table.columns.push_back({"created contacts", "pairs that are linked now", "created_contacts", "arising"});
    }
    for (const MeasureInfo& measure : info.finding_measures) table.columns.push_back({measure.name, measure.sentence});
    table.row_count = findings.size();
    table.row = [&findings, changes = info.finds_changes, measures = info.finding_measures.size()](size_t i) {
        const Finding& finding = findings.at(i);
        Table::Row row{{Value::exactly(finding.time), finding.round, finding.kind,
                        finding.given.value_or(finding.place), finding.vertices}};
        if (changes) {
            row.cells.emplace_back(finding.breaking);
            row.cells.emplace_back(finding.arising);
        }
        for (size_t k = 0; k < measures; ++k) {
            const bool has = k < finding.measures.size() && !std::isnan(finding.measures[k]);
            row.cells.push_back(has ? Value::exactly(finding.measures[k]) : Value());
        }
        return row;
    };
    return table;
}

std::string findings_csv(const std::vector<Finding>& findings, const LabInfo& info) {
    return csv_of(findings_table(findings, info));
}

std::string vertices_text(const Finding& finding, size_t most) {
    std::string text;
    for (size_t i = 0; i < std::min(finding.vertices.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(finding.vertices[i]);
    return finding.vertices.size() > most ? text + ", …" : text;
}

std::string pairs_text(const std::vector<std::array<int64_t, 2>>& pairs, size_t most) {
    if (pairs.empty()) return "\u2013";
    std::string text;
    for (size_t i = 0; i < std::min(pairs.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(pairs[i][0]) + "\u2013" + std::to_string(pairs[i][1]);
    return pairs.size() > most ? text + ", …" : text;
}

std::string in_full(const Finding& finding, const LabInfo& info) {
    const Point place = finding.given.value_or(finding.place);
    std::string text = finding.kind + " at time " + format_plainly(finding.time) + ", round " +
                       number_text(static_cast<double>(finding.round)) + "\nplace (" + place_text(place) +
                       ")\nvertices " + vertices_text(finding, 24);
    if (info.finds_changes)
        text += "\nlost contacts " + pairs_text(finding.breaking, 24) + "\ncreated contacts " +
                pairs_text(finding.arising, 24);
    for (size_t i = 0; i < std::min(info.finding_measures.size(), finding.measures.size()); ++i)
        if (!std::isnan(finding.measures[i]))
            text += "\n" + info.finding_measures[i].name + " " + value_text(finding.measures[i]) + " " +
                    info.finding_measures[i].unit;
    return text;
}

double place_resolution(const std::vector<Finding>& findings) {
    PlaceSpread spread;
    for (const Finding& finding : findings) spread.add(finding);
    return spread.resolution();
}

std::string word_of(const LabInfo& info) { return info.finds.empty() ? "detection" : info.finds; }
std::string words_of(const LabInfo& info) { return word_of(info) + "s"; }

std::string count_of_findings(uint64_t count, const LabInfo& info) {
    return number_text(static_cast<double>(count)) + " " + (count == 1 ? word_of(info) : words_of(info));
}

}  // namespace flipscope::app
