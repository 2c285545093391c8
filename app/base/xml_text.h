// Text for XML, and so for SVG and HTML: what figures, reports of checks and pages to hand out write.
#pragma once

#include <string>
#include <string_view>

namespace flipscope::app {

/// With entities for what has a meaning there, quotes included, and a blank for what may not stand in it.
std::string escape_xml(std::string_view text);

}  // namespace flipscope::app
