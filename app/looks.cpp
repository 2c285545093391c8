#include "app/looks.h"

#include <utility>

namespace flipscope::app {

namespace {

constexpr std::pair<const char*, bool Look::*> kLooks[] = {
    {"cells", &Look::cells}, {"field", &Look::field},   {"marks", &Look::marks},     {"links", &Look::edges},
    {"edges", &Look::edges}, {"points", &Look::points}, {"triangles", &Look::fills}, {"overlay", &Look::over}};

}  // namespace

std::vector<std::string> look_names() {
    std::vector<std::string> names;
    for (const auto& [name, member] : kLooks) names.emplace_back(name);
    return names;
}

void set_looks(Look& look, const std::vector<std::string>& names, bool shown) {
    for (const std::string& wanted : names)
        for (const auto& [name, member] : kLooks)
            if (wanted == name) look.*member = shown;
}

}  // namespace flipscope::app
