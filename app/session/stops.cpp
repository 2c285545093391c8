#include "app/session/stops.h"

#include <algorithm>

#include "compute/error.h"

namespace flipscope::app {

void Stops::add(const std::string& text, const LabInfo& info) {
    const std::string known = Breakpoint::parse(text, info).text();
    const auto same = std::find_if(all_.begin(), all_.end(), [&](const Stop& stop) { return stop.text == known; });
    if (same != all_.end())
        same->on = true;
    else
        all_.push_back({known});
}

void Stops::change(size_t index, const std::string& text, const LabInfo& info) {
    const std::string known = Breakpoint::parse(text, info).text();
    all_.at(index) = {known};
    for (size_t i = all_.size(); i-- > 0;)
        if (i != index && all_[i].text == known) remove(i);  // no duplicates
}

std::string Stops::refusal(const Stop& stop, const LabInfo& info) {
    try {
        Breakpoint::parse(stop.text, info);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<Breakpoint> Stops::active(const LabInfo& info) const {
    std::vector<Breakpoint> found;
    for (const Stop& stop : all_)
        if (stop.on && refusal(stop, info).empty()) found.push_back(Breakpoint::parse(stop.text, info));
    return found;
}

}  // namespace flipscope::app
