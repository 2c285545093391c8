#include "compute/text.h"

#include <cstdio>

namespace flipscope {

std::string format_short(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string count_text(uint64_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string with_commas(uint64_t count) {
    std::string digits = std::to_string(count);
    for (size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
    return digits;
}

const char* sign_name(int sign) { return sign > 0 ? "+" : sign < 0 ? "\xe2\x88\x92" : "0"; }

}  // namespace flipscope
