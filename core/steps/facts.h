// How inspected values are written.
#pragma once

#include <string>

namespace flipscope {

std::string format_exactly(double value);  // the shortest text that reads back as the same double
std::string format_short(double value);    // six significant digits
const char* sign_name(int sign);           // "+", "−" or "0"

}  // namespace flipscope
