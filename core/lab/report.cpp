#include "lab/report.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "compute/text.h"
#include "geometry/places.h"

namespace flipscope {

void Properties::add_links(std::string name, std::vector<Link> links, std::string why) {
    std::string names;
    for (const Link& link : links) names += (names.empty() ? "" : ", ") + link.name;
    add(std::move(name), std::move(names), std::move(why), std::move(links));
}

namespace {

template <class List, class Text>
std::string joined(const List& list, const Text& text) {
    std::string all;
    for (const auto& one : list) all += (all.empty() ? "" : ", ") + text(one);
    return all;
}

std::string attached(const std::string& unit) {
    if (unit.empty() || !is_short_unit(unit)) return {};
    return unit == "°" ? unit : " " + unit;
}

struct Writer {
    const Value& value;

    std::string operator()(Value::Nothing) const { return {}; }
    std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
    std::string operator()(int64_t whole) const { return std::to_string(whole) + attached(value.unit); }
    std::string operator()(double number) const {
        std::string text = value.as_read ? format_exactly(number) : format_short(number);
        if (value.error > 0) text += " ± " + format_short(value.error);
        return text + attached(value.unit);
    }
    std::string operator()(Point place) const { return place_text(place, value.resolution); }
    std::string operator()(Point3 place) const {
        return joined(std::array{place.x, place.y, place.z},
                      [&](double x) { return format_plainly(x, value.resolution); });
    }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<int64_t>& ids) const {
        return joined(ids, [](int64_t id) { return std::to_string(id); });
    }
    std::string operator()(const std::vector<double>& numbers) const {
        return joined(numbers, [&](double number) { return format_short(number) + attached(value.unit); });
    }
    std::string operator()(const std::vector<Value::Pair>& pairs) const {
        return joined(pairs,
                      [](const Value::Pair& pair) { return std::to_string(pair[0]) + "–" + std::to_string(pair[1]); });
    }
};

}  // namespace

double Value::number() const {
    if (const auto* number = std::get_if<double>(&content)) return *number;
    if (const auto* whole = std::get_if<int64_t>(&content)) return static_cast<double>(*whole);
    if (const auto* truth = std::get_if<bool>(&content)) return *truth;
    return std::numeric_limits<double>::quiet_NaN();
}

bool is_short_unit(const std::string& unit) {
    constexpr size_t kShort = 4;  // bytes: "°", "rad", "px"
    return unit.size() <= kShort;
}

std::string unit_behind(double number, std::string unit) {
    if (number != 1) return unit;
    for (const char* plural : {"units", "pixels", "steps", "frames", "rounds", "pairs", "points", "degrees", "bits"}) {
        const size_t at = unit.find(plural), length = std::strlen(plural);
        if (at == std::string::npos || (at > 0 && unit[at - 1] != ' ')) continue;
        if (at + length < unit.size() && unit[at + length] != ' ') continue;
        return unit.erase(at + length - 1, 1);
    }
    return unit;
}

std::string text_of(const Value& value) { return std::visit(Writer{value}, value.content); }

Value in_input_units(Point given, Point unit) {
    return {given, "units of the input", 1e-6 * std::min(std::fabs(unit.x), std::fabs(unit.y))};
}

std::string remark_of(const Property& property) {
    const std::string unit = unit_behind(property.value.number(), property.value.unit);
    if (unit.empty() || is_short_unit(unit)) return property.why;
    return property.why.empty() ? unit : unit + ", " + property.why;
}

const Property* Properties::find(const std::string& name) const {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Property& property) { return property.name == name; });
    return found == list.end() ? nullptr : &*found;
}

double Distribution::edge(size_t i) const {
    const auto bins = static_cast<double>(now.size()), at = static_cast<double>(i);
    return in_decades ? low * std::pow(high / low, at / bins) : low + (high - low) * at / bins;
}

std::vector<double> as_counts(const std::vector<uint64_t>& counts) {
    return std::vector<double>(counts.begin(), counts.end());
}

Properties Report::properties() const {
    Properties found;
    for (Properties& some : all<Properties>()) found.append(std::move(some));
    return found;
}

const Property* Report::find(const std::string& name) const {
    for (const Section& section : sections)
        if (const auto* properties = std::get_if<Properties>(&section.content))
            if (const Property* found = properties->find(name)) return found;
    return nullptr;
}

}  // namespace flipscope
