#include "app/run/report_json.h"

#include "app/run/failures.h"
#include "compute/cancel.h"
#include "io/parse.h"

namespace flipscope::app {

namespace {

/// Whole numbers as such: "12", not "12.0".
Json number_json(double number) {
    const std::optional<int64_t> whole = io::exact_whole(number);
    return whole ? Json(*whole) : Json(number);
}

Json numbers_json(const std::vector<double>& numbers) {
    Json list = Json::array();
    for (const double number : numbers) list.push_back(number_json(number));
    return list;
}

struct ValueWriter {
    Json operator()(Value::Nothing) const { return {}; }
    Json operator()(Point place) const { return {place.x, place.y}; }
    Json operator()(Point3 place) const { return {place.x, place.y, place.z}; }
    template <class Content>
    Json operator()(const Content& content) const {
        return content;
    }
};

/// By the index of the content of a section.
constexpr const char* kContents[] = {"properties", "table", "distribution", "curve", "diagram"};

Json link_json(const Link& link) {
    Json json{{"name", link.name}};
    if (link.element.id != kNone) json.update(json_of(link.element));
    if (link.position) json["position"] = *link.position;
    if (!link.lab.empty()) {
        json["lab"] = link.lab;
        json["parameters"] = Json::object();
        for (const auto& [name, value] : link.parameters) json["parameters"][name] = value;
    }
    return json;
}

Json highlight_json(const Highlight& highlight) {
    static constexpr const char* kKinds[] = {"point", "line", "polygon", "circle"};
    Json places = Json::array();
    for (const Point3& place : highlight.places) places.push_back(ValueWriter{}(place));
    Json json{{"kind", kKinds[static_cast<int>(highlight.kind)]},
              {"name", highlight.name},
              {"role", name_of(highlight.role)},
              {"part", highlight.part},
              {"places", places}};
    if (highlight.kind == Highlight::Kind::kCircle) json["radius"] = highlight.radius;
    if (highlight.style == Highlight::Style::kDashed) json["dashed"] = true;
    return json;
}

}  // namespace

Json json_of(const Value& value) { return std::visit(ValueWriter{}, value.content); }

Json json_of(const Element& element) {
    return {{"kind", word_of(element.kind)}, {"id", element.id}, {"part", element.part}};
}

Json json_of(const Properties& properties) {
    Json list = Json::array();
    for (const Property& property : properties) {
        Json json{{"name", property.name}, {"value", json_of(property.value)}};
        if (!property.value.unit.empty()) json["unit"] = property.value.unit;
        if (property.value.error > 0) json["error"] = property.value.error;
        if (!property.why.empty()) json["why"] = property.why;
        if (!property.links.empty()) json["links"] = Json::array();
        for (const Link& link : property.links) json["links"].push_back(link_json(link));
        list.push_back(std::move(json));
    }
    return list;
}

Json json_of(const Table& table) {
    Json list = Json::array();
    for (size_t i = 0; i < table.row_count; ++i) {
        throw_if_cancelled();
        const Table::Row row = table.row(i);
        Json json = Json::object();
        for (size_t k = 0; k < table.columns.size(); ++k) {
            const Table::Column& column = table.columns[k];
            if (row.cells.at(k).empty()) continue;
            json[column.key.empty() ? column.name : column.key] = json_of(row.cells[k]);
        }
        if (!row.why.empty()) json["why"] = row.why;
        list.push_back(std::move(json));
    }
    return list;
}

Json json_of(const Distribution& distribution) {
    Json json{{"name", distribution.name},
              {"unit", distribution.unit},
              {"low", distribution.low},
              {"high", distribution.high},
              {"below", number_json(distribution.below)},
              {"above", number_json(distribution.above)},
              {"before", numbers_json(distribution.before)},
              {"now", numbers_json(distribution.now)}};
    if (distribution.in_decades) json["bins"] = "logarithmic";
    if (!distribution.counted.empty()) json["counted"] = distribution.counted;
    const Distribution usual;
    if (distribution.before_name != usual.before_name || distribution.now_name != usual.now_name)
        json["names"] = {distribution.before_name, distribution.now_name};
    return json;
}

Json json_of(const Curve& curve) {
    Json json{{"name", curve.name},     {"label", curve.label},
              {"x_name", curve.x_name}, {"y_name", curve.y_name},
              {"remark", curve.remark}, {"stationary", curve.stationary ? Json(*curve.stationary) : Json()},
              {"x", curve.x},           {"y", curve.y}};
    if (!curve.errors.empty()) json["errors"] = curve.errors;
    if (!curve.band_low.empty()) json.update({{"low", curve.band_low}, {"high", curve.band_high}});
    return json;
}

Json json_of(const Diagram& diagram) {
    static constexpr const char* kKinds[] = {"polygon", "line", "point"};
    Json shapes = Json::array();
    for (const Diagram::Shape& shape : diagram.shapes) {
        Json corners = Json::array();
        for (const Point& corner : shape.corners) corners.push_back(ValueWriter{}(corner));
        Json json{{"kind", kKinds[static_cast<int>(shape.kind)]}, {"role", name_of(shape.role)}, {"corners", corners}};
        if (shape.name != kNone) json["cell"] = shape.name;
        if (!shape.text.empty()) json["text"] = shape.text;
        shapes.push_back(std::move(json));
    }
    return {{"low", ValueWriter{}(diagram.low)}, {"high", ValueWriter{}(diagram.high)}, {"shapes", shapes}};
}

Json json_of(const Report& report) {
    Json sections = Json::array(), highlights = Json::array();
    for (const Section& section : report.sections) {
        Json json{{"title", section.title}, {"sentence", section.sentence}};
        json[kContents[section.content.index()]] =
            std::visit([](const auto& content) { return json_of(content); }, section.content);
        sections.push_back(std::move(json));
    }
    for (const Highlight& highlight : report.highlights) highlights.push_back(highlight_json(highlight));
    return {{"sections", sections}, {"highlights", highlights}};
}

Json number_values(const Properties& numbers) {
    Json values = Json::object();
    for (const Property& number : numbers) values[number.name] = json_of(number.value);
    return values;
}

Json number_units(const Properties& numbers) {
    Json units = Json::object();
    for (const Property& number : numbers)
        if (!number.value.unit.empty()) units[number.name] = number.value.unit;
    return units;
}

}  // namespace flipscope::app
