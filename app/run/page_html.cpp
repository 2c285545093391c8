#include <zlib.h>

#include <stdexcept>

#include "app/base/xml_text.h"
#include "app/run/page.h"
#include "app/run/page_files.h"

namespace flipscope::app {

namespace {

std::string deflated(const std::string& text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string packed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                  static_cast<uLong>(text.size()), 9) != Z_OK)
        throw std::runtime_error("zlib cannot compress the page");
    packed.resize(size);
    return packed;
}

}  // namespace

std::string Page::html() {
    std::string page = page_file("page.html");
    const auto fill = [&page](const std::string& name, const std::string& text) {
        const size_t at = page.find(name);
        if (at == std::string::npos) throw std::logic_error("page.html has no place " + name);
        page.replace(at, name.size(), text);
    };
    fill("{{title}}", escape_xml(title_));
    fill("{{style}}", page_file("page.css") + page_file("window.css"));
    fill("{{script}}", page_file("painter.js") + page_file("page.js"));
    fill("{{data}}", base64(deflated(json().dump(-1, ' ', false, Json::error_handler_t::replace))));
    return page;
}

}  // namespace flipscope::app
