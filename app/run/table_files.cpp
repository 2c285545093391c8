#include "app/run/table_files.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "app/run/report_json.h"
#include "compute/cancel.h"
#include "geometry/places.h"
#include "io/npy_writer.h"

namespace flipscope::app {

namespace {

std::string number_csv(double number) { return std::isnan(number) ? std::string() : format_exactly(number); }

template <class List, class Text>
std::string joined(const List& list, const char* between, const Text& text) {
    std::string all;
    for (const auto& one : list) all += (all.empty() ? "" : between) + text(one);
    return all;
}

struct CellWriter {
    std::string operator()(Value::Nothing) const { return {}; }
    std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
    std::string operator()(int64_t whole) const { return std::to_string(whole); }
    std::string operator()(double number) const { return number_csv(number); }
    std::string operator()(Point place) const { return number_csv(place.x) + " " + number_csv(place.y); }
    std::string operator()(Point3 place) const {
        return number_csv(place.x) + " " + number_csv(place.y) + " " + number_csv(place.z);
    }
    std::string operator()(const std::string& text) const { return csv_field(text); }
    std::string operator()(const std::vector<int64_t>& ids) const {
        return joined(ids, " ", [](int64_t id) { return std::to_string(id); });
    }
    std::string operator()(const std::vector<double>& numbers) const { return joined(numbers, " ", number_csv); }
    std::string operator()(const std::vector<Value::Pair>& pairs) const {
        return csv_field(joined(pairs, "; ", [](const Value::Pair& pair) {
            return std::to_string(pair[0]) + " " + std::to_string(pair[1]);
        }));
    }
};

/// Separate x, y and z; empty for a cell without a place.
std::string place_csv(const Value& value, int fields) {
    if (const auto* place = std::get_if<Point>(&value.content))
        return number_csv(place->x) + "," + number_csv(place->y) + (fields == 3 ? "," : "");
    if (const auto* place = std::get_if<Point3>(&value.content))
        return number_csv(place->x) + "," + number_csv(place->y) + (fields == 3 ? "," + number_csv(place->z) : "");
    return std::string(static_cast<size_t>(fields - 1), ',');
}

std::string unit_of(const Table::Column& column) { return column.unit.empty() ? "" : " [" + column.unit + "]"; }

std::string text_of_json(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::vector<Value> cells_of(const Table& table, size_t column) {
    std::vector<Value> cells;
    cells.reserve(table.row_count);
    for (size_t i = 0; i < table.row_count; ++i) {
        throw_if_cancelled();
        cells.push_back(std::move(table.row(i).cells.at(column)));
    }
    return cells;
}

std::string npy_of(const std::vector<Value>& cells) {
    bool text = false, whole = !cells.empty();
    for (const Value& cell : cells) {
        text = text || std::holds_alternative<std::string>(cell.content);
        whole = whole && std::holds_alternative<int64_t>(cell.content);
    }
    if (text) {
        std::vector<std::string> texts;
        for (const Value& cell : cells) {
            const auto* const one = std::get_if<std::string>(&cell.content);
            texts.push_back(one ? *one : std::string());
        }
        return npy_bytes(texts, {texts.size()});
    }
    if (whole) {
        std::vector<int64_t> numbers;
        for (const Value& cell : cells) numbers.push_back(std::get<int64_t>(cell.content));
        return npy_bytes(make_array(Array::Type::kInt64, {numbers.size()}, numbers));
    }
    std::vector<double> numbers;
    for (const Value& cell : cells) numbers.push_back(cell.number());
    return npy_bytes(make_array(Array::Type::kFloat64, {numbers.size()}, numbers));
}

/// {"row": 0, "x": 1.5}
std::string json_of_row(const Table& table, size_t i, const std::vector<std::string>& keys) {
    const Table::Row row = table.row(i);
    std::string text = "{";
    for (size_t k = 0; k < keys.size(); ++k)
        text += (k > 0 ? ", " : "") + keys[k] + ": " + text_of_json(json_of(row.cells[k]));
    return text + "}";
}

std::vector<std::string> keys_of(const Table& table) {
    std::vector<std::string> keys;
    for (const Table::Column& column : table.columns) keys.push_back(text_of_json(Json(heading_of(column))));
    return keys;
}

/// Rings in brackets, each closed by its first corner again; of several parts in brackets as well.
template <class Write>
std::string rings_of(const PolygonParts& parts, char open, char close, const Write& write) {
    std::string text;
    for (const auto& part : parts) {
        text += text.empty() ? "" : ", ";
        std::string rings;
        for (const std::vector<Point>& ring : part) {
            rings += rings.empty() ? "" : ", ";
            rings += open;
            for (size_t k = 0; k <= ring.size(); ++k) rings += (k > 0 ? ", " : "") + write(ring[k % ring.size()]);
            rings += close;
        }
        text += open + rings + close;
    }
    return parts.size() > 1 ? open + text + close : text;
}

}  // namespace

std::string csv_field(const std::string& text) {
    const bool blanks = !text.empty() && (std::isspace(static_cast<unsigned char>(text.front())) ||
                                          std::isspace(static_cast<unsigned char>(text.back())));
    const bool comment = text.find('#') != text.npos || text.find("//") != text.npos;
    if (!blanks && !comment && text.find_first_of(",;\"\n\r\t") == text.npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csv_heading(const Table::Column& column) {
    const std::string name = heading_of(column), field = csv_field(name);
    if (field.starts_with('"')) return field;
    const char* const digits = name.data() + (name.starts_with('+') ? 1 : 0);
    double ignored = 0;
    if (std::from_chars(digits, name.data() + name.size(), ignored).ec != std::errc::invalid_argument)
        return '"' + name + '"';
    return field;
}

std::string csv_of(const Table& table) {
    std::string text;
    const std::string reasons = table.has_reasons ? ",why" : "";
    for (const Table::Column& column : table.columns)
        for (int k = 0; k < std::max(column.places, 1); ++k)
            text += (text.empty() ? "" : ",") +
                    (column.places > 0 ? csv_field("xyz"[k] + unit_of(column)) : csv_heading(column));
    text += reasons + "\n";
    for (size_t i = 0; i < table.row_count; ++i) {
        throw_if_cancelled();
        const Table::Row row = table.row(i);
        for (size_t k = 0; k < table.columns.size(); ++k) {
            const Value& cell = row.cells.at(k);
            const int places = table.columns[k].places;
            text +=
                (k > 0 ? "," : "") + (places > 0 ? place_csv(cell, places) : std::visit(CellWriter{}, cell.content));
        }
        if (table.has_reasons) text += "," + csv_field(row.why);
        text += "\n";
    }
    return text;
}

std::string csv_of(const Report& report) {
    std::string text;
    for (const Section& section : report.sections)
        text += (text.empty() ? "" : "\n") + (section.title.empty() ? "" : csv_field(section.title) + "\n") +
                std::visit([](const auto& content) { return csv_of(table_of(content)); }, section.content);
    return text;
}

std::vector<Table::Column> columns_named(const std::vector<std::string>& names) {
    std::vector<Table::Column> columns;
    for (const std::string& name : names) columns.push_back({name, ""});
    return columns;
}

Table table_of(const Properties& properties) {
    std::vector<Table::Row> rows;
    for (const Property& property : properties) {
        const double error = property.value.error;
        rows.push_back(
            {{property.name, property.value, error > 0 ? Value(error) : Value(), property.value.unit, property.why}});
    }
    return Table::of(columns_named({"name", "value", "error", "unit", "why"}), std::move(rows));
}

Table table_of(const Distribution& distribution) {
    const bool both = distribution.before.size() == distribution.now.size();
    std::vector<Table::Column> columns{{"from", distribution.unit}, {"to", distribution.unit}};
    if (both) columns.push_back({distribution.before_name, distribution.sentence});
    columns.push_back({distribution.now_name, distribution.sentence});
    std::vector<Table::Row> rows;
    const auto beyond = [&](Value from, Value to, double count) {
        if (!(count > 0)) return;
        Table::Row row{{std::move(from), std::move(to)}};
        if (both) row.cells.emplace_back();
        row.cells.emplace_back(count);
        rows.push_back(std::move(row));
    };
    beyond({}, distribution.low, distribution.below);
    for (size_t i = 0; i < distribution.now.size(); ++i) {
        Table::Row row{{distribution.edge(i), distribution.edge(i + 1)}};
        if (both) row.cells.emplace_back(distribution.before[i]);
        row.cells.emplace_back(distribution.now[i]);
        rows.push_back(std::move(row));
    }
    beyond(distribution.high, {}, distribution.above);
    return Table::of(std::move(columns), std::move(rows));
}

Table table_of(const Curve& curve) {
    std::vector<Table::Row> rows;
    std::vector<Table::Column> columns{{curve.x_name, ""}, {curve.y_name, ""}};
    if (!curve.errors.empty()) columns.push_back({"error", ""});
    const bool has_band = !curve.band_low.empty();
    if (has_band) columns.insert(columns.end(), {{"low", ""}, {"high", ""}});
    for (size_t i = 0; i < curve.x.size(); ++i) {
        rows.push_back({{curve.x[i], curve.y[i]}});
        if (!curve.errors.empty()) rows.back().cells.emplace_back(curve.errors.at(i));
        if (has_band) rows.back().cells.insert(rows.back().cells.end(), {curve.band_low[i], curve.band_high[i]});
    }
    return Table::of(std::move(columns), std::move(rows));
}

Table table_of(const Diagram& diagram) {
    static constexpr const char* kKinds[] = {"polygon", "line", "point"};
    std::vector<Table::Row> rows;
    for (size_t i = 0; i < diagram.shapes.size(); ++i) {
        const Diagram::Shape& shape = diagram.shapes[i];
        for (const Point& corner : shape.corners)
            rows.push_back({{i, kKinds[static_cast<int>(shape.kind)], name_of(shape.role), shape.text, corner}});
    }
    return Table::of({{"shape", ""}, {"kind", ""}, {"role", ""}, {"text", ""}, {"place", "", {}, 2}}, std::move(rows));
}

std::string heading_of(const Table::Column& column) { return column.name + unit_of(column); }

std::string json_of_rows(const Table& table) {
    const std::vector<std::string> keys = keys_of(table);
    std::string text = "[";
    for (size_t i = 0; i < table.row_count; ++i) {
        throw_if_cancelled();
        text += (i > 0 ? ",\n" : "\n") + json_of_row(table, i, keys);
    }
    return text + "\n]\n";
}

std::string npz_of(const Table& table) {
    std::vector<std::pair<std::string, std::string>> members;
    std::vector<std::vector<Value>> columns(table.columns.size());
    for (std::vector<Value>& column : columns) column.reserve(table.row_count);
    for (size_t i = 0; i < table.row_count; ++i) {
        throw_if_cancelled();
        Table::Row row = table.row(i);
        for (size_t k = 0; k < columns.size(); ++k) columns[k].push_back(std::move(row.cells[k]));
    }
    std::vector<std::string> units;
    for (size_t k = 0; k < columns.size(); ++k) {
        const Table::Column& column = table.columns[k];
        std::string name = column.name;
        for (char& c : name)
            if (c == '/' || c == '\\') c = '_';  // archive members are file names
        members.emplace_back(name, npy_of(std::exchange(columns[k], {})));
        if (!column.unit.empty()) units.insert(units.end(), {name, column.unit});
    }
    if (!units.empty()) members.emplace_back("units", npy_bytes(units, {units.size() / 2, 2}));
    return npz_bytes(members);
}

std::string npy_of(const Table& table, size_t column) { return npy_of(cells_of(table, column)); }

std::string csv_of_column(const Table& table, size_t column) {
    std::string text;
    for (const Value& cell : cells_of(table, column)) {
        const auto* const words = std::get_if<std::string>(&cell.content);
        text += words ? csv_field(*words) : cell.empty() ? "nan" : format_exactly(cell.number());
        text += "\n";
    }
    return text;
}

std::string geojson_of(const Table& table, const std::vector<PolygonParts>& polygons) {
    const std::vector<std::string> keys = keys_of(table);
    std::string text = "{\"type\": \"FeatureCollection\", \"features\": [";
    for (size_t i = 0; i < table.row_count; ++i) {
        throw_if_cancelled();
        text += i > 0 ? ",\n" : "\n";
        text += "{\"type\": \"Feature\", \"geometry\": ";
        if (polygons[i].empty())
            text += "null";
        else
            text += std::string("{\"type\": \"") + (polygons[i].size() > 1 ? "MultiPolygon" : "Polygon") +
                    "\", \"coordinates\": " +
                    rings_of(polygons[i], '[', ']',
                             [](Point p) { return "[" + format_exactly(p.x) + ", " + format_exactly(p.y) + "]"; }) +
                    "}";
        text += ", \"properties\": " + json_of_row(table, i, keys) + "}";
    }
    return text + "\n]}\n";
}

std::string wkt_of(const std::vector<PolygonParts>& polygons) {
    std::string text;
    for (const PolygonParts& parts : polygons) {
        throw_if_cancelled();
        text += parts.size() > 1 ? "MULTIPOLYGON " : "POLYGON ";
        text += parts.empty() ? "EMPTY" : rings_of(parts, '(', ')', [](Point p) {
            return format_exactly(p.x) + " " + format_exactly(p.y);
        });
        text += "\n";
    }
    return text;
}

std::string svg_of(const std::vector<PolygonParts>& polygons) {
    std::vector<Point> corners;
    std::string paths;
    for (size_t i = 0; i < polygons.size(); ++i) {
        throw_if_cancelled();
        if (polygons[i].empty()) continue;
        paths += "<path id=\"cell-" + std::to_string(i) + "\" d=\"";
        for (const auto& rings : polygons[i])
            for (const auto& ring : rings) {
                for (size_t k = 0; k < ring.size(); ++k)
                    paths += (k > 0 ? " " : "M") + format_exactly(ring[k].x) + "," + format_exactly(0 - ring[k].y);
                paths += "Z";
                corners.insert(corners.end(), ring.begin(), ring.end());
            }
        paths += "\"/>\n";
    }
    const Bounds box = corners.empty() ? Bounds{} : bounds_of(corners);
    std::string view;
    for (const double number : {box.low.x, 0 - box.high.y, box.high.x - box.low.x, box.high.y - box.low.y})
        view += (view.empty() ? "" : " ") + format_exactly(number);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + view +
           "\">\n<style>path {fill: none; stroke: black; vector-effect: non-scaling-stroke}</style>\n" + paths +
           "</svg>\n";
}

}  // namespace flipscope::app
