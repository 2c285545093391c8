#include "app/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flipscope::app {

std::string number_text(double value, int decimals) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.*f", decimals, std::abs(value));
    std::string text = digits;
    const size_t point = std::min(text.find('.'), text.size());
    for (size_t i = point; i > 3; i -= 3) text.insert(i - 3, ",");
    const bool zero = text.find_first_not_of("0.,") == text.npos;
    return (value < 0 && !zero ? "\u2212" : "") + text;
}

std::string counted(uint64_t count, const std::string& one, const std::string& many) {
    const std::string& noun = count == 1 || many.empty() ? one : many;
    return number_text(static_cast<double>(count)) + " " + noun + (count == 1 || !many.empty() ? "" : "s");
}

std::string short_number(double value) {
    static constexpr const char* kNames[] = {"", " k", " M", " G", " T"};
    int power = 0;
    while (std::abs(value) >= 999.5 && power < 4) {
        value /= 1000;
        ++power;
    }
    char text[64];
    const int decimals = power == 0 ? (value == std::floor(value) ? 0 : 1) : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::snprintf(text, sizeof text, "%.*f%s", decimals, value, kNames[power]);
    return text;
}

std::string words_of_name(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string value_text(double value) {
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e12)) {
        char text[32];
        std::snprintf(text, sizeof text, "%s%.5g", value < 0 ? "\u2212" : "", size);
        return text;
    }
    const int before = size < 1 ? 1 : 1 + static_cast<int>(std::floor(std::log10(size)));
    std::string text = number_text(value, std::max(6 - before, 0));
    if (text.find('.') == text.npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

size_t characters_in(const std::string& text) {
    return static_cast<size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
    constexpr size_t kWidest = 24;
    std::vector<size_t> widths;
    for (const auto& row : rows)
        for (size_t c = 0; c < row.size(); ++c) {
            if (c == widths.size()) widths.push_back(0);
            widths[c] = std::max(widths[c], std::min(kWidest, characters_in(row[c])));
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line = " ";
        for (size_t c = 0; c < row.size(); ++c) {
            line += " " + row[c];
            if (characters_in(row[c]) < widths[c]) line += std::string(widths[c] - characters_in(row[c]), ' ');
            line += " ";
        }
        while (line.ends_with(' ')) line.pop_back();
        text += line + "\n";
    }
    return text;
}

}  // namespace flipscope::app
