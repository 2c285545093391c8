// File names for the window to write to if the user has chosen none.
#pragma once

#include <string>

namespace flipscope::app {

/// The absolute path, if it can be determined.
std::string absolute_name(const std::string& name);

/// "flipscope-001.png", or the next number that is free here. Throws Error if none is.
std::string free_name(const std::string& start, const char* extension);

}  // namespace flipscope::app
