#include "app/findings.h"

#include <algorithm>

#include "app/number_text.h"
#include "steps/facts.h"

namespace flipscope::app {

namespace {

/// Quoted where the text would otherwise end its column.
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == text.npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_pairs(const std::vector<std::array<int64_t, 2>>& pairs) {
    std::string text;
    for (const auto& [a, b] : pairs) text += (text.empty() ? "" : "; ") + std::to_string(a) + " " + std::to_string(b);
    return text;
}

}  // namespace

std::string findings_csv(const std::vector<Finding>& findings) {
    std::string text = "time,round,kind,x,y,vertices,breaking,arising\n";
    for (const Finding& finding : findings) {
        std::string vertices;
        for (const int64_t vertex : finding.vertices)
            vertices += (vertices.empty() ? "" : " ") + std::to_string(vertex);
        text += format_exactly(finding.time) + "," + std::to_string(finding.round) + "," + csv_field(finding.kind) +
                "," + format_exactly(finding.place.x) + "," + format_exactly(finding.place.y) + "," + vertices + "," +
                csv_pairs(finding.breaking) + "," + csv_pairs(finding.arising) + "\n";
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

std::string in_full(const Finding& finding) {
    return finding.kind + " at time " + value_text(finding.time) + ", round " +
           number_text(static_cast<double>(finding.round)) + "\nplace " + "(" + value_text(finding.place.x) + ", " +
           value_text(finding.place.y) + ")" + "\nvertices " + vertices_text(finding, 24) + "\nbreaking " +
           pairs_text(finding.breaking, 24) + "\narising " + pairs_text(finding.arising, 24);
}

std::string word_of(const AlgorithmInfo& info) { return info.finds.empty() ? "finding" : info.finds; }

}  // namespace flipscope::app
