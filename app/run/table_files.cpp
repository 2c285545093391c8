#include "app/run/table_files.h"

#include <utility>

#include "app/run/report_csv.h"
#include "app/run/report_json.h"
#include "compute/cancel.h"
#include "geometry/places.h"
#include "io/npy_writer.h"

namespace flipscope::app {

namespace {

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

std::string heading_of(const Table::Column& column) {
    return column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
}

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
