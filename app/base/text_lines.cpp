#include "app/base/text_lines.h"

#include <algorithm>

namespace flipscope::app {

std::vector<std::string> filled_lines(const std::string& text, double width, const TextMeasure& measure) {
    std::vector<std::string> lines{""};
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (lines.back().empty() || measure(longer) <= width)
            lines.back() = longer;
        else
            lines.push_back(word);
        begin = end + 1;
    }
    return lines;
}

std::string cut_text(const std::string& text, double width, const TextMeasure& measure) {
    if (measure(text) <= width) return text;
    const auto inside = [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
    };  // a continuation byte of a character
    std::string shorter = text;
    while (!shorter.empty()) {
        while (shorter.size() > 1 && inside(shorter.back())) shorter.pop_back();
        shorter.pop_back();
        if (!shorter.empty() && measure(shorter + "…") <= width) return shorter + "…";
    }
    return {};
}

std::vector<std::string> text_in_lines(const std::string& text, double width, const TextMeasure& measure) {
    std::vector<std::string> best{text}, at_comma;
    double narrowest = measure(text);
    for (size_t at = narrowest <= width ? text.npos : text.find(' '); at != text.npos; at = text.find(' ', at + 1)) {
        std::vector<std::string> two{text.substr(0, at), text.substr(at + 1)};
        const double wide = std::max(measure(two[0]), measure(two[1]));
        if (wide <= width && two[0].ends_with(':')) return two;
        if (wide <= width && two[0].ends_with(',')) at_comma = two;
        if (wide >= narrowest) continue;
        narrowest = wide;
        best = std::move(two);
    }
    if (!at_comma.empty()) return at_comma;
    const size_t colon = text.find(": ");
    if (narrowest > width && best.size() == 2 && colon != text.npos) {
        best = text_in_lines(text.substr(colon + 2), width, measure);
        best.insert(best.begin(), text.substr(0, colon + 1));
    }
    std::vector<std::string> lines;
    for (const std::string& line : best)
        for (const std::string& part : filled_lines(line, width, measure))
            lines.push_back(cut_text(part, width, measure));
    return lines;
}

}  // namespace flipscope::app
