// How numbers are written in sentences.
#pragma once

#include <cstdint>
#include <string>

namespace flipscope {

/// Six significant digits, for lengths, areas and angles; coordinates are written by geometry/places.h.
std::string format_short(double value);
std::string count_text(uint64_t count, const char* one, const char* many);  // "1 edge", "2 edges"
std::string with_commas(uint64_t count);                                    // "1,234,567"
const char* sign_name(int sign);                                            // "+", "−" or "0"

}  // namespace flipscope
