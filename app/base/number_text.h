// Number formats of the panels: grouped, with a proper minus sign, without meaningless digits.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace flipscope::app {

/// "12,345", "1.25", "−3": at most `decimals` digits after the point.
std::string number_text(double value, int decimals = 0);
std::string number_text(std::integral auto whole) { return number_text(static_cast<double>(whole)); }
/// "1 point", "2,000 points"; `many`: an irregular plural, such as "vertices".
std::string counted(uint64_t count, const std::string& one, const std::string& many = {});
/// "950", "12.3 k", "1.20 M".
std::string short_number(double value);
/// A JSON name in words: "pairs overlapping".
std::string words_of_name(std::string name);
/// Six significant digits: "0.0125", "1,234.57", "1.5e−09".
std::string value_text(double value);
/// Of UTF-8, which may take several bytes each.
size_t characters_in(const std::string& text);
/// A table of texts with aligned columns; widths in characters.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace flipscope::app
