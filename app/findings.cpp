#include "app/findings.h"

#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "compute/cancel.h"
#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope::app {

namespace {

std::string csv_pairs(const std::vector<std::array<int64_t, 2>>& pairs) {
    std::string text;
    for (const auto& [a, b] : pairs) text += (text.empty() ? "" : "; ") + std::to_string(a) + " " + std::to_string(b);
    return text;
}

}  // namespace

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == text.npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string findings_csv(const std::vector<Finding>& findings, const LabInfo& info) {
    std::string text = "time,round,kind,x,y,vertices";
    if (info.finds_changes) text += ",lost contacts,created contacts";
    for (const MeasureInfo& measure : info.finding_measures) text += "," + csv_field(measure.name);
    text += "\n";
    for (const Finding& finding : findings) {
        throw_if_cancelled();
        const Point place = finding.given.value_or(finding.place);
        std::string vertices;
        for (const int64_t vertex : finding.vertices)
            vertices += (vertices.empty() ? "" : " ") + std::to_string(vertex);
        text += format_exactly(finding.time) + "," + std::to_string(finding.round) + "," + csv_field(finding.kind) +
                "," + format_exactly(place.x) + "," + format_exactly(place.y) + "," + vertices;
        if (info.finds_changes) text += "," + csv_pairs(finding.breaking) + "," + csv_pairs(finding.arising);
        for (size_t i = 0; i < info.finding_measures.size(); ++i) {
            const double value = i < finding.measures.size() ? finding.measures[i] : std::nan("");
            text += "," + (std::isnan(value) ? std::string() : format_exactly(value));
        }
        text += "\n";
    }
    return text;
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
