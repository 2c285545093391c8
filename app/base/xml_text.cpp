#include "app/base/xml_text.h"

namespace flipscope::app {

std::string escape_xml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&')
            safe += "&amp;";
        else if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '"')
            safe += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t')
            safe += c;
        else
            safe += ' ';
    }
    return safe;
}

}  // namespace flipscope::app
