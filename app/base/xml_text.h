// Text for XML, SVG and HTML: figures, check reports and pages.
#pragma once

#include <string>
#include <string_view>

namespace flipscope::app {

/// Escapes special characters, including quotes, and replaces characters that XML forbids by a blank.
std::string escape_xml(std::string_view text);
/// Bytes as text, for pictures within a text.
std::string base64(std::string_view bytes);

}  // namespace flipscope::app
