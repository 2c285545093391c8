// What a picture can be told to show or to leave out, by name: the command line and scenario files ask for it.
#pragma once

#include <string>
#include <vector>

#include "app/camera.h"

namespace flipscope::app {

/// "cells", "links", …
std::vector<std::string> look_names();
/// Shows what is named, or leaves it out; names that are none do nothing.
void set_looks(Look& look, const std::vector<std::string>& names, bool shown);

}  // namespace flipscope::app
