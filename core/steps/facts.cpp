#include "steps/facts.h"

#include <charconv>
#include <cstdio>

namespace flipscope {

std::string format_exactly(double value) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::string format_short(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

const char* sign_name(int sign) { return sign > 0 ? "+" : sign < 0 ? "\xe2\x88\x92" : "0"; }

}  // namespace flipscope
