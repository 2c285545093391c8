// Breaks text into lines that fit: titles of views in the window, in pictures and in documents.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flipscope::app {

/// Width of a text, in any unit.
using TextMeasure = std::function<double(const std::string&)>;

/// The text, cut with "…" if it does not fit.
std::string cut_text(const std::string& text, double width, const TextMeasure& measure);

/// Greedy line breaking: as many words per line as fit.
std::vector<std::string> filled_lines(const std::string& text, double width, const TextMeasure& measure);

/// One line if it fits; else two, broken after a colon or a comma if possible, else where the longer one is shortest;
/// else as many as needed, cutting words that are too long for a line.
std::vector<std::string> text_in_lines(const std::string& text, double width, const TextMeasure& measure);

}  // namespace flipscope::app
