#include "app/run/report_csv.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "compute/cancel.h"
#include "geometry/places.h"

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
    std::string operator()(std::monostate) const { return {}; }
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
    const std::string name = column.name + unit_of(column), field = csv_field(name);
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

Table table_of(const Properties& properties) {
    std::vector<Table::Row> rows;
    for (const Property& property : properties) {
        const double error = property.value.error;
        rows.push_back(
            {{property.name, property.value, error > 0 ? Value(error) : Value(), property.value.unit, property.why}});
    }
    return Table::of({{"name", ""}, {"value", ""}, {"error", ""}, {"unit", ""}, {"why", ""}}, std::move(rows));
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

}  // namespace flipscope::app
