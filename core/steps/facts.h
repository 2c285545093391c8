// How inspected values are written.
#pragma once

#include <cstdint>
#include <string>

namespace flipscope {

std::string format_exactly(double value);  // the shortest text that reads back as the same double
std::string format_short(double value);    // six significant digits
std::string count_text(uint64_t count, const char* one, const char* many);  // "1 edge", "2 edges"
const char* sign_name(int sign);                                            // "+", "−" or "0"

}  // namespace flipscope
