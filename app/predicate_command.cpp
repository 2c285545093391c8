#include "app/predicate_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/endings.h"
#include "app/inputs.h"
#include "app/number_text.h"
#include "app/options.h"
#include "app/report_json.h"
#include "compute/error.h"
#include "compute/text.h"
#include "geometry/places.h"
#include "geometry/predicates.h"
#include "io/output_file.h"
#include "labs/explain.h"

namespace flipscope::app {

int evaluate_predicate(const PredicateOptions& options) {
    const bool in_circle = options.predicate == "incircle";
    const size_t count = in_circle ? 4 : 3;
    if (options.points.size() != count)
        throw Error(options.predicate + " takes " + std::to_string(count) +
                    " points, by their indices from 0; given: " + std::to_string(options.points.size()));
    std::vector<std::string> notes;
    const Geometry input = read_input(options.file, &notes, options.read);
    std::vector<PredicatePoint> points;
    for (const uint32_t index : options.points) {
        if (index >= input.points.size())
            throw Error(options.file.string() + ": there is no point " + std::to_string(index) + "; it has " +
                        counted(input.points.size(), "point", "points") + ", from 0 on");
        points.push_back({"point " + std::to_string(index), input.points[index], index});
    }
    const Point a = points[0].at, b = points[1].at, c = points[2].at;
    const auto& ids = options.points;
    const int decided =
        in_circle ? incircle_tied(a, b, c, points[3].at, ids[0], ids[1], ids[2], ids[3]) : orient2d(a, b, c);
    const bool tie = in_circle && incircle(a, b, c, points[3].at) == 0 && decided != 0;
    const Section section =
        predicate_section(points, decided, tie ? "the points lie on one circle: their indices decide" : "");
    Properties numbers;
    for (const Property& property : std::get<Properties>(section.content))
        if (property.links.empty()) numbers.list.push_back(property);

    if (!options.json.empty()) {
        nlohmann::ordered_json json{
            {"input", options.file.string()}, {"predicate", options.predicate}, {"points", options.points}};
        for (const PredicatePoint& point : points) json["places"].push_back({point.at.x, point.at.y});
        json["values"] = json_of(numbers);
        json["notes"] = notes;
        write_or_print(options.json, json.dump(2) + "\n");
    }
    if (options.quiet || options.json == "-") return kSuccess;
    std::string text;
    for (const std::string& note : notes) text += note + "\n";
    for (const PredicatePoint& point : points) text += point.name + ": " + place_text(point.at) + "\n";
    text += section.title + ". " + section.sentence + "\n";
    std::vector<std::vector<std::string>> rows;
    for (const Property& property : numbers) rows.push_back({property.name, text_of(property.value), property.why});
    text += aligned(rows);
    std::fwrite(text.data(), 1, text.size(), stdout);
    require_printed();
    return kSuccess;
}

}  // namespace flipscope::app
