// The parts of pages for browsers, assets/page/, within the program.
#pragma once

#include <string>

namespace flipscope::app {

/// "page.html", "page.css", "window.css", "painter.js" or "page.js". Throws std::out_of_range for other names.
std::string page_file(const std::string& name);

}  // namespace flipscope::app
