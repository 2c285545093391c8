#include "app/judging/saved_failure.h"

#include <cctype>

#include "geometry/exact_values.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

/// The elements of a list, each in a line.
std::string lines_of(const Json& list) {
    std::string text;
    for (const Json& one : list) text += (text.empty() ? "\n    " : ",\n    ") + one.dump();
    return text + "\n  ]";
}

}  // namespace

Json hex_points(std::span<const Point> points) {
    Json list = Json::array();
    for (const Point& p : points) list.push_back({hex_text(p.x), hex_text(p.y)});
    return list;
}

std::string as_sentence(std::string text) {
    if (text.empty()) return text;
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    if (text.back() != '.') text += '.';
    return text;
}

std::string scenario_text(const SavedFailure& failure) {
    Json json{{"title", failure.title}, {"note", failure.note}, {"lab", failure.lab}};
    if (failure.colour && failure.colour->measured()) json["colour_by"] = failure.colour->id();
    if (!failure.parameters.empty()) json["parameters"] = Json::object();
    for (const auto& [name, value] : failure.parameters) json["parameters"][name] = value;
    json["at"] = "end";
    if (!failure.failure.empty()) json["failure"] = failure.failure;
    std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);
    text.resize(text.size() - 2);  // drop the last line
    text += ",\n  \"points\": [" + lines_of(hex_points(failure.points));
    Json triangles = Json::array();
    for (const auto& corners : failure.triangles) {
        Json& one = triangles.emplace_back();
        for (const uint32_t corner : corners) one.push_back(corner == kNone ? Json(-1) : Json(corner));
    }
    if (!triangles.empty()) text += ",\n  \"triangles\": [" + lines_of(triangles);
    return text + "\n}\n";
}

}  // namespace flipscope::app
