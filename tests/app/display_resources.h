// Resources of a display that tests of the real window set.
#pragma once

#include <string>

namespace flipscope {

/// Empty when resources can be set here; else what is missing.
std::string missing_for_resources();

/// What the display says of itself to every program, such as "Xft.dpi: 192". Throws std::runtime_error where the
/// display cannot be opened.
void set_resources(const std::string& display, const std::string& resources);

}  // namespace flipscope
