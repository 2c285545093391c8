// Text broken into lines that fit: titles of views in the window, in pictures and in documents.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flipscope::app {

/// How wide a text is, in any unit.
using TextMeasure = std::function<double(const std::string&)>;

/// As much of the text as fits, with "…" behind it where that is not all.
std::string cut_text(const std::string& text, double width, const TextMeasure& measure);

/// As many words to each line as there is room for.
std::vector<std::string> filled_lines(const std::string& text, double width, const TextMeasure& measure);

/// One line where it fits, else two, broken behind a colon or a comma where that is possible, else where the longer is
/// shortest; else as many as it takes, of which one is cut where a word alone is too long.
std::vector<std::string> text_in_lines(const std::string& text, double width, const TextMeasure& measure);

}  // namespace flipscope::app
