// Names for files that the window writes where no one has chosen any.
#pragma once

#include <string>

namespace flipscope::app {

/// With the folder that it is in, where that can be told.
std::string absolute_name(const std::string& name);

/// "flipscope-001.png", or with the next number that is free here. Throws Error where none is.
std::string free_name(const std::string& start, const char* extension);

}  // namespace flipscope::app
