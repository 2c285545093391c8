// `flipscope read FILE`: how a file is interpreted. Runs no lab.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/base/endings.h"
#include "app/base/number_text.h"
#include "app/commands/options.h"
#include "app/run/inputs.h"
#include "geometry/frames.h"
#include "io/table.h"

namespace flipscope::app {
namespace {

using Json = nlohmann::ordered_json;

struct ReadFileOptions {
    std::filesystem::path file;
    ReadOptions read;
    std::string json;  // a file, "-" for stdout, or empty
    bool quiet = false;
};

/// A column as read.
struct ReadColumn {
    std::string name, type, role, unit;
    double low = NAN, high = NAN;  // NaN: no numbers
    uint64_t missing = 0;
    size_t categories = 0;
};

void measure(ReadColumn& column, const std::vector<double>& values, size_t categories) {
    bool whole = true;
    column.categories = categories;
    for (const double value : values) {
        if (std::isnan(value)) {
            ++column.missing;
            continue;
        }
        whole = whole && value == std::floor(value);
        if (categories > 0) continue;
        column.low = std::isnan(column.low) ? value : std::min(column.low, value);
        column.high = std::isnan(column.high) ? value : std::max(column.high, value);
    }
    column.type = categories > 0 ? "text" : whole ? "whole number" : "number";
}

const char* kind_of(const Geometry& input) {
    return input.recording          ? "a recording"
           : input.tracks           ? "points over time"
           : input.field            ? "a field on a lattice"
           : input.in_space()       ? "a surface"
           : input.triangles.size() ? "a triangulation"
                                    : "points";
}

/// The file's columns in order, with a summary of their values.
std::vector<ReadColumn> columns_of(const Geometry& input, const std::optional<TableLayout>& layout) {
    const std::vector<Point>& places = input.tracks ? input.tracks->places : input.points;
    static const std::vector<Attribute> none;
    const std::vector<Attribute>& attributes = input.tracks       ? input.tracks->attributes
                                               : input.attributes ? *input.attributes
                                                                  : none;
    std::vector<ReadColumn> columns;
    const auto coordinates = [&](ReadColumn& column, bool is_x) {
        std::vector<double> values(places.size());
        const double sign = !is_x && (input.y_down || (input.tracks && input.tracks->y_down)) ? -1 : 1;
        for (size_t i = 0; i < places.size(); ++i) values[i] = is_x ? places[i].x : sign * places[i].y;
        measure(column, values, 0);
        if (column.unit.empty()) column.unit = input.tracks ? input.tracks->unit : input.unit;
    };
    if (!layout) {
        if (places.empty()) return columns;
        for (const char* axis : {"x", "y"})
            coordinates(columns.emplace_back(ReadColumn{axis, "", axis, ""}), axis[0] == 'x');
        if (!input.heights.empty()) measure(columns.emplace_back(ReadColumn{"z", "", "z", ""}), input.heights, 0);
        for (const Attribute& attribute : attributes)
            measure(columns.emplace_back(ReadColumn{attribute.name, "", "", attribute.unit}), attribute.values,
                    attribute.categories.size());
        return columns;
    }
    for (const TableLayout::Column& found : layout->columns) {
        ReadColumn& column = columns.emplace_back(
            ReadColumn{found.name, found.kind == io::ColumnKind::kText ? "text" : "number",
                       found.role ? std::string(kColumnRoleNames[static_cast<size_t>(*found.role)]) : "", found.unit});
        const auto attribute = std::ranges::find(attributes, found.name, &Attribute::name);
        if (found.role == ColumnRole::kX || found.role == ColumnRole::kY)
            coordinates(column, found.role == ColumnRole::kX);
        else if (attribute != attributes.end())
            measure(column, attribute->values, attribute->categories.size());
        else if (found.role == ColumnRole::kTime && input.tracks)
            measure(column, input.tracks->times, 0);
        else if (found.role == ColumnRole::kId && input.tracks)
            measure(column, {input.tracks->ids.begin(), input.tracks->ids.end()}, 0);
        else if (found.kind == io::ColumnKind::kMissing)
            column.type = "missing";
    }
    return columns;
}

std::string range_text(const ReadColumn& column) {
    if (column.categories > 0)
        return std::to_string(column.categories) + (column.categories == 1 ? " value" : " different values");
    if (std::isnan(column.low)) return "";
    return value_text(column.low) + " … " + value_text(column.high);
}

const char* separator_name(char separator) {
    return separator == ','    ? "commas"
           : separator == ';'  ? "semicolons"
           : separator == '\t' ? "tabs"
           : separator == '|'  ? "bars"
           : separator == ' '  ? "blanks"
                               : "other signs";
}

/// Prints columns with type, role, unit, range and missing values, the box, frames and the first rows. Returns the exit
/// status. Throws Error like read_input().
int read_file(const ReadFileOptions& options) {
    std::vector<std::string> notes;
    TableLayout read;
    const Geometry input = read_input(options.file, &notes, options.read, &read);
    const std::optional<TableLayout> layout = read.columns.empty() ? std::nullopt : std::optional(read);
    const std::vector<ReadColumn> columns = columns_of(input, layout);
    const std::vector<Point>& places = input.tracks ? input.tracks->places : input.points;
    Point low{NAN, NAN}, high{NAN, NAN};
    for (const Point p : places) {
        low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y)};
        high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y)};
    }
    const size_t frames = input.tracks ? input.tracks->frame_count() : input.field ? input.field->frame_count() : 0;
    const Point box = input.tracks ? input.tracks->box : input.box;

    if (!options.json.empty()) {
        Json json{{"file", options.file.string()},
                  {"kind", kind_of(input)},
                  {"points", places.size()},
                  {"triangles", input.triangles.size()}};
        if (frames > 0) json["frames"] = frames;
        if (input.field) json["lattice"] = {{"width", input.field->width}, {"height", input.field->height}};
        if (layout) {
            json["table"] = {{"separator", std::string(1, layout->separator)},
                             {"decimal", std::string(1, layout->decimal)},
                             {"header", layout->has_header},
                             {"guessed", layout->guessed}};
            json["first_rows"] = layout->first_rows;
        }
        json["columns"] = Json::array();
        for (const ReadColumn& column : columns) {
            Json one{{"name", column.name},
                     {"type", column.type},
                     {"role", column.role.empty() ? Json() : Json(column.role)},
                     {"unit", column.unit.empty() ? Json() : Json(column.unit)},
                     {"missing", column.missing}};
            if (column.categories > 0) one["values"] = column.categories;
            if (!std::isnan(column.low)) one["range"] = {column.low, column.high};
            json["columns"].push_back(std::move(one));
        }
        if (!places.empty()) json["bounds"] = {low.x, low.y, high.x, high.y};
        if (box.x > 0 || box.y > 0) json["periodic_box"] = {box.x, box.y};
        if (input.areas) json["areas"] = input.areas->size();
        json["notes"] = notes;
        write_or_print(options.json, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (options.quiet || options.json == "-") return kSuccess;

    std::string text = options.file.string() + ": " + kind_of(input);
    if (!places.empty()) text += ", " + counted(places.size(), input.tracks ? "place" : "point");
    if (!input.triangles.empty()) text += ", " + number_text(input.triangles.size()) + " triangles";
    if (frames > 0) text += ", " + counted(frames, "frame");
    if (input.field) text += " of " + std::to_string(input.field->width) + " × " + std::to_string(input.field->height);
    if (layout) text += std::string("; a table, separated by ") + separator_name(layout->separator);
    text += "\n";
    for (const std::string& note : notes)
        text +=
            "  " +
            (note.starts_with(options.file.string() + ": ") ? note.substr(options.file.string().size() + 2) : note) +
            "\n";
    if (!columns.empty()) {
        std::vector<std::vector<std::string>> rows{{"column", "type", "role", "unit", "range", "missing"}};
        for (const ReadColumn& column : columns)
            rows.push_back({column.name, column.type, column.role, column.unit, range_text(column),
                            column.missing ? std::to_string(column.missing) : ""});
        text += "\n" + aligned(rows);
    }
    if (!places.empty())
        text += "\n  bounds  " + value_text(low.x) + " … " + value_text(high.x) + " by " + value_text(low.y) + " … " +
                value_text(high.y) + "\n";
    if (box.x > 0 || box.y > 0) {
        const Point lengths = input.tracks ? input.tracks->box_lengths : input.box_lengths;
        const auto length = [](double known) { return known > 0 ? value_text(known) : "unknown"; };
        text += "  periodic box  " + length(lengths.x) + " by " + length(lengths.y) +
                (box.x > 0 && box.y > 0 ? "" : std::string(", periodic along ") + (box.x > 0 ? "x" : "y") + " alone") +
                "\n";
    }
    if (input.areas) text += "  areas  " + std::to_string(input.areas->size()) + "\n";
    if (layout && !layout->first_rows.empty()) {
        std::vector<std::vector<std::string>> rows{{}};
        for (const TableLayout::Column& column : layout->columns) rows[0].push_back(column.name);
        rows.insert(rows.end(), layout->first_rows.begin(), layout->first_rows.end());
        text += "\n" + aligned(rows);
    }
    write_or_print("-", text);
    return kSuccess;
}

}  // namespace

Prepare add_read(CLI::App& app) {
    const auto options = std::make_shared<ReadFileOptions>();
    ReadFileOptions& to = *options;
    add_file(app, "file", "FILE", to.file, "Any file of points, tracks, meshes or fields; - is standard input")
        ->required();
    add_read_options(app);
    add(app, "--json", "FILE", to.json, "Writes it as JSON into a file, or to stdout (-)");
    app.add_flag("--quiet", to.quiet, "Prints nothing");
    return [options, &app] {
        understand_reading(app, options->read);
        settle_output("--json", options->json);
        return [options] { return read_file(*options); };
    };
}

}  // namespace flipscope::app
