// Tables as files: CSV, JSON, NumPy's archives, polygons; and exported points, which are read back as the same.
#include "app/run/table_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "app/run/exports.h"
#include "app/run/inputs.h"
#include "app/run/scenario.h"
#include "geometry/generators.h"

using namespace flipscope;
using namespace flipscope::app;
using ParsedJson = nlohmann::json;

namespace {

Table small_table() {
    return Table::of({{"row", ""}, {"species", ""}, {"area", "", {}, 0, "nm²"}, {"2020", "", {}, 0, "°"}},
                     {{{0, "oak, red", 0.1 + 0.2, 1.5}}, {{1, Value(), Value(), 2}}});
}

/// The columns of a CSV, which need no quotes.
std::vector<std::vector<std::string>> fields_of(const std::string& csv) {
    std::vector<std::vector<std::string>> lines{{""}};
    for (const char c : csv) {
        if (c == '\n')
            lines.push_back({""});
        else if (c == ',')
            lines.back().emplace_back();
        else
            lines.back().back() += c;
    }
    lines.pop_back();
    return lines;
}

const char* const kTrees =
    "tag,x [m],y [m],height [cm],species,degree\n"
    "t1,0.5,1.25,310,oak,1\nt2,3.0000000000000004,0.25,,lime,2\nt3,7,5,290,oak,3\nt4,2,6.5,305,oak,4\n"
    "t5,4.5,3.25,120,lime,5\nt6,0.1,7.5,99,oak,6\n";

}  // namespace

TEST_CASE("tables: units follow names in CSV and JSON, and missing values are empty or null") {
    CHECK(csv_of(small_table()) ==
          "row,species,area [nm²],\"2020 [°]\"\n0,\"oak, red\",0.30000000000000004,1.5\n1,,,2\n");
    const ParsedJson rows = ParsedJson::parse(json_of_rows(small_table()));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == ParsedJson{{"row", 0}, {"species", "oak, red"}, {"area [nm²]", 0.1 + 0.2}, {"2020 [°]", 1.5}});
    CHECK(rows[1]["area [nm²]"].is_null());
    CHECK(ParsedJson::parse(json_of_rows(Table())) == ParsedJson::array());
    CHECK(csv_of_column(small_table(), 2) == "0.30000000000000004\nnan\n");
    CHECK(csv_of_column(small_table(), 1) == "\"oak, red\"\nnan\n");
    CHECK(has(npy_of(small_table(), 0), "'descr': '<i8'"));
    CHECK(has(npy_of(small_table(), 1), "'descr': '<U8'"));
    CHECK(has(npy_of(small_table(), 2), "'descr': '<f8'"));
    const std::string archive = npz_of(small_table());
    for (const char* member : {"row.npy", "species.npy", "area.npy", "2020.npy", "units.npy"})
        CHECK(has(archive, member));
}

TEST_CASE("polygons: closed rings in GeoJSON and well-known text, in row order") {
    const std::vector<Point> triangle{{0, 0}, {1, 0}, {0.5, 2}}, hole{{0.5, 1}, {0.6, 0.5}, {0.4, 0.5}};
    const std::vector<PolygonParts> polygons{{{triangle}}, {}};
    const ParsedJson json = ParsedJson::parse(geojson_of(small_table(), polygons));
    CHECK(json["type"] == "FeatureCollection");
    REQUIRE(json["features"].size() == 2);
    CHECK(json["features"][0]["geometry"]["coordinates"] ==
          ParsedJson::array({ParsedJson{{0, 0}, {1, 0}, {0.5, 2}, {0, 0}}}));
    CHECK(json["features"][0]["properties"]["species"] == "oak, red");
    CHECK(json["features"][1]["geometry"].is_null());
    CHECK(wkt_of(polygons) == "POLYGON ((0 0, 1 0, 0.5 2, 0 0))\nPOLYGON EMPTY\n");
    const std::vector<PolygonParts> apart{{{triangle, hole}, {triangle}}, {}};
    CHECK(wkt_of(apart) ==
          "MULTIPOLYGON (((0 0, 1 0, 0.5 2, 0 0), (0.5 1, 0.6 0.5, 0.4 0.5, 0.5 1)), ((0 0, 1 0, 0.5 2, 0 0)))\n"
          "POLYGON EMPTY\n");
    CHECK(svg_of(apart) ==
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -2 1 2\">\n<style>path {fill: none; stroke: black; "
          "vector-effect: non-scaling-stroke}</style>\n"
          "<path id=\"cell-0\" d=\"M0,0 1,0 0.5,-2ZM0.5,-1 0.6,-0.5 0.4,-0.5ZM0,0 1,0 0.5,-2Z\"/>\n</svg>\n");
    const ParsedJson of_both = ParsedJson::parse(geojson_of(small_table(), apart))["features"][0]["geometry"];
    CHECK(of_both["type"] == "MultiPolygon");
    CHECK(of_both["coordinates"][0].size() == 2);
    CHECK(of_both["coordinates"][0][1][0] == ParsedJson{0.5, 1});
}

TEST_CASE("command line: exported points keep names, columns, units and order, and are read back") {
    const TemporaryFolder folder;
    write_file(folder / "trees.csv", kTrees);
    const std::string csv = (folder / "points.csv").string(), json = (folder / "a-points.json").string(),
                      npz = (folder / "points.npz").string(), cells = (folder / "cells.geojson").string();
    std::vector<std::string> words{"run", "build",        "--input", (folder / "trees.csv").string(), "--device",
                                   "cpu", "--statistics", "--json",  (folder / "run.json").string()};
    for (const std::string& file :
         {csv, json, npz, cells, (folder / "edges.csv").string(), (folder / "cells.wkt").string(),
          (folder / "cells.svg").string(), (folder / "species.npy").string()})
        words = joined(words, {"--export", file});
    const Outcome outcome = run_program(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(has(read_file(folder / "cells.svg"), "<path id=\"cell-0\" d=\"M"));
    const auto lines = fields_of(read_file(csv));
    REQUIRE(lines.size() == 7);
    const auto place_of = [&](const std::string& name) {
        const auto found = std::find(lines[0].begin(), lines[0].end(), name);
        INFO(name);
        REQUIRE(found != lines[0].end());
        return size_t(found - lines[0].begin());
    };
    CHECK(lines[2][place_of("x [m]")] == "3.0000000000000004");
    CHECK(lines[2][place_of("height [cm]")].empty());
    CHECK(lines[2][place_of("species")] == "lime");
    CHECK(lines[3][place_of("input.degree")] == "3");
    CHECK(lines[2][place_of("row")] == "1");
    place_of("cell-area [m²]");
    place_of("nearest [m]");

    Scenario again;
    again.input = csv;
    const Input read = load_input(again);
    REQUIRE(read.geometry->points.size() == 6);
    CHECK(read.geometry->unit == "m");
    CHECK(read.geometry->points[1] == Point{3.0000000000000004, 0.25});
    REQUIRE(read.geometry->attributes);
    bool has_distance = false;
    for (const Attribute& column : *read.geometry->attributes) {
        has_distance = has_distance || (column.name == "nearest" && column.unit == "m");
        if (column.name == "species") CHECK(column.categories.size() == 2);
    }
    CHECK(has_distance);
    again.input = npz;
    CHECK(load_input(again).geometry->points == read.geometry->points);

    const ParsedJson rows = ParsedJson::parse(read_file(json));
    REQUIRE(rows.size() == 6);
    CHECK(rows[1]["x [m]"].get<double>() == 3.0000000000000004);
    CHECK(rows[1]["height [cm]"].is_null());
    CHECK(ParsedJson::parse(read_file(cells))["features"].size() == 6);
    CHECK(has(read_file(folder / "species.npy"), "'<U4'"));

    const ParsedJson run = ParsedJson::parse(read_file(folder / "run.json"));
    CHECK(run["unit"] == "m");
    CHECK(run["statistics_units"]["density"] == "1/m²");
    CHECK(run["written"].size() == 8);
    const auto is_length = [](const ParsedJson& one) {
        return one["quantity"] == "edge length" && one["unit"] == "m" && one["standard_deviation"].is_number();
    };
    CHECK(std::any_of(run["summaries"].begin(), run["summaries"].end(), is_length));
}

TEST_CASE("command line: statistics are one table, and histograms and curves one each") {
    const TemporaryFolder folder;
    const Outcome outcome = run_program(
        {"run", "build", "--points", "uniform:10000", "--device", "cpu", "--within", ".25,.25,.75,.75", "--export",
         (folder / "statistics.csv").string(), "--export", (folder / "histograms.csv").string(), "--export",
         (folder / "curves.csv").string(), "--json", (folder / "run.json").string(), "--statistics"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const ParsedJson json = ParsedJson::parse(read_file(folder / "run.json"));
    CHECK(json["statistics"]["density"].get<double>() == doctest::Approx(10000).epsilon(0.05));
    CHECK(json["statistics"]["points"].get<double>() == doctest::Approx(2500).epsilon(0.1));
    const auto lines = fields_of(read_file(folder / "statistics.csv"));
    CHECK(lines[0][0] == "quantity");
    for (const auto& line : lines) CHECK(line.size() == lines[0].size());
    CHECK(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line[0] == "quantity"; }) == 1);
    CHECK(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line[0] == "degree"; }) == 1);
    const auto bins = fields_of(read_file(folder / "histograms.csv"));
    double edges = 0, expected = 0;
    for (const auto& line : bins)
        if (line[0] == "edge lengths") edges += std::stod(line[4]);
    for (const ParsedJson& one : json["summaries"])
        if (one["quantity"] == "edge length") expected = one["count"].get<double>();
    CHECK(edges == expected);
    CHECK(has(read_file(folder / "curves.csv"), "pair correlation"));
}
