// What tests of the real window do to its display. Files dragged onto a window of another program and dropped there, as
// a file manager does it: for the tests of the real window. Speaks XDND, the X protocol of drag and drop, over a
// connection of its own.
#pragma once

#include <string>
#include <vector>

namespace flipscope {

/// Empty when files can be dropped here; else what is missing.
std::string missing_for_drops();

/// Drops these files, absolute names, on the window of `display` (":7") that takes drops. Returns when it has taken
/// them; throws std::runtime_error where it does not.
void drop_files(const std::string& display, const std::vector<std::string>& files);

/// What the display says of itself to every program, such as "Xft.dpi: 192". Needs what drops need.
void set_resources(const std::string& display, const std::string& resources);

}  // namespace flipscope
