#include "app/judging/predicate_query.h"

#include <algorithm>
#include <charconv>

#include "app/base/number_text.h"
#include "compute/error.h"
#include "flipscope/predicates.h"
#include "geometry/places.h"
#include "instruments/explain.h"

namespace flipscope::app {

namespace {

std::string point_name(uint32_t point) { return "point " + std::to_string(point); }

}  // namespace

Properties own_numbers(const Section& section) {
    Properties numbers;
    for (const Property& property : std::get<Properties>(section.content))
        if (property.links.empty()) numbers.list.push_back(property);
    return numbers;
}

size_t points_of_predicate(const std::string& name) { return name == "incircle" ? 4 : name == "orient" ? 3 : 0; }

Section predicate_of(const std::string& predicate, const std::vector<uint32_t>& ids, const Geometry& input,
                     const std::string& asker) {
    const size_t count = points_of_predicate(predicate);
    if (ids.size() != count)
        throw Error(asker + predicate + " takes " + std::to_string(count) +
                    " points, by their indices from 0; given: " + std::to_string(ids.size()));
    std::vector<PredicatePoint> points;
    for (const uint32_t index : ids) {
        if (index >= input.points.size())
            throw Error(asker + "there is no point " + std::to_string(index) + "; the input has " +
                        counted(input.points.size(), "point", "points") + ", from 0 on");
        points.push_back({point_name(index), input.points[index], index});
    }
    const bool in_circle = count == 4;
    const Point a = points[0].at, b = points[1].at, c = points[2].at;
    const int decided =
        in_circle ? incircle_tied(a, b, c, points[3].at, ids[0], ids[1], ids[2], ids[3]) : orient2d(a, b, c);
    const bool tie = in_circle && incircle(a, b, c, points[3].at) == 0 && decided != 0;
    return predicate_section(points, decided, tie ? "the points lie on one circle: their indices decide" : "");
}

std::string predicate_text(const Section& section, const std::vector<uint32_t>& points, const Geometry& input) {
    std::string text;
    for (const uint32_t index : points) text += point_name(index) + ": " + place_text(input.points[index]) + "\n";
    text += section.title + ". " + section.sentence + "\n";
    std::vector<std::vector<std::string>> rows;
    for (const Property& property : own_numbers(section))
        rows.push_back({property.name, text_of(property.value), property.why});
    return text + aligned(rows);
}

bool parse_predicate(const std::string& text, std::string& name, std::vector<uint32_t>& points) {
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    name = text.substr(0, end);
    if (points_of_predicate(name) == 0) return false;
    points.clear();
    for (const char *at = text.data() + end, *const last = text.data() + text.size(); at < last;) {
        if (*at == ' ' || *at == '\t' || *at == ',') {
            ++at;
            continue;
        }
        uint32_t point = 0;
        const auto [stop, failure] = std::from_chars(at, last, point);
        if (failure != std::errc())
            throw Error(name + ": expected the indices of " + std::to_string(points_of_predicate(name)) +
                        " points, found " + excerpt(std::string(at, last)));
        points.push_back(point);
        at = stop;
    }
    return true;
}

}  // namespace flipscope::app
