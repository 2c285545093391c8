// The writers of reports: JSON and CSV of every kind of section, and of real labs from the command line.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "app/run/report_json.h"
#include "app/run/table_files.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

Report one_of_each() {
    Report report;
    Properties properties;
    properties.add("Length", Value(0.1 + 0.2, "world units"), "rounded, or not");
    properties.add("Determinant", Value(1e-20).within(1e-21));
    properties.add("Triangles", std::vector<int64_t>{3, 7});
    properties.add("Legal", false);
    report.add(properties);
    report.add("Conditions", "",
               Table::of({{"place", ""}, {"at", "", {}, 2}, {"lost contacts", "", "lost_contacts"}},
                         {{{"a, b", Point{0.5, 2}, std::vector<Value::Pair>{{3, 7}, {4, 9}}}, "why"},
                          {{"c", Value(), Value()}}}));
    report.add(Distribution{"shares", "of a whole", "°", 0, 60, {0.5, 2}, {0.25, 1e300}});
    report.add(Curve{"flow", "", "", "x", "y", 0, 0, {0, 1}, {2, NAN}});
    Curve rate{"rate", "", "", "x", "y", 0, 0, {0, 1}, {2, 3}};
    rate.errors = {0.5, NAN};
    report.add(rate);
    Diagram diagram;
    diagram.title = "Before";
    diagram.shapes.push_back({Diagram::Shape::Kind::kLine, {{0, 1}, {2, 3}}, Role::kExact, kNone, "e"});
    report.add({diagram});
    report.highlights.push_back({Highlight::Kind::kCircle, {{1, 2, 0}}, 3, Role::kIllegal, "circle of 7"});
    return report;
}

}  // namespace

TEST_CASE("report writers: in JSON numbers stay numbers, with units and errors, and what is not finite is null") {
    const auto json = nlohmann::json::parse(json_of(one_of_each()).dump());
    const auto& sections = json["sections"];
    REQUIRE(sections.size() == 6);
    const auto& properties = sections[0]["properties"];
    CHECK(properties[0]["value"].get<double>() == 0.1 + 0.2);
    CHECK(properties[0]["unit"] == "world units");
    CHECK_FALSE(properties[0].contains("error"));
    CHECK(properties[1]["error"].get<double>() == 1e-21);
    CHECK(properties[2]["value"] == nlohmann::json{3, 7});
    CHECK(properties[3]["value"] == false);
    const auto& table = sections[1]["table"];
    CHECK(table[0]["at"] == nlohmann::json{0.5, 2.0});
    CHECK(table[0]["lost_contacts"] == nlohmann::json{{3, 7}, {4, 9}});
    CHECK(table[0]["why"] == "why");
    CHECK(table[1].size() == 1);  // what does not apply is not there
    CHECK(sections[2]["distribution"]["before"] == nlohmann::json{0.5, 2});
    CHECK(sections[2]["distribution"]["now"][1].get<double>() == 1e300);
    CHECK(sections[3]["curve"]["y"][1].is_null());
    CHECK_FALSE(sections[3]["curve"].contains("errors"));
    CHECK(sections[4]["curve"]["errors"] == nlohmann::json{0.5, nullptr});
    CHECK(sections[5]["diagram"]["shapes"][0]["role"] == "exact");
    CHECK(json["highlights"][0] == nlohmann::json{{"kind", "circle"},
                                                  {"name", "circle of 7"},
                                                  {"role", "illegal"},
                                                  {"part", 0},
                                                  {"places", {{1.0, 2.0, 0.0}}},
                                                  {"radius", 3.0}});
}

TEST_CASE("report writers: in CSV every section has its heading, and numbers keep every bit") {
    CHECK(csv_of(one_of_each()) ==
          "name,value,error,unit,why\n"
          "Length,0.30000000000000004,,world units,\"rounded, or not\"\n"
          "Determinant,1e-20,1e-21,,\n"
          "Triangles,3 7,,,\n"
          "Legal,no,,,\n"
          "\nConditions\nplace,x,y,lost contacts,why\n"
          "\"a, b\",0.5,2,\"3 7; 4 9\",why\n"
          "c,,,,\n"
          "\nshares\nfrom,to,before,now\n0,30,0.5,0.25\n30,60,2,1e+300\n"
          "\nflow\nx,y\n0,2\n1,\n"
          "\nrate\nx,y,error\n0,2,0.5\n1,3,\n"
          "\nBefore\nshape,kind,role,text,x,y\n0,line,exact,e,0,1\n0,line,exact,e,2,3\n");
}

TEST_CASE("command line: --inspect explains an element in the summary, in JSON and in CSV, and refuses missing ones") {
    const TemporaryFolder folder;
    const std::string csv = (folder / "inspected.csv").string(), json = (folder / "run.json").string(),
                      statistics = (folder / "run-histograms.csv").string(),
                      results = (folder / "results.csv").string();
    Outcome outcome =
        run_program({"run", "flip", "--points", "uniform:100", "--device", "cpu", "--inspect", "edge:12", "--inspect",
                     "triangle:3", "--export", csv, "--export", statistics, "--export", results, "--json", json});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(has(outcome.out, "  edge:12\n    Edge"));
    CHECK(has(outcome.out, "Circumradius"));
    const auto found = nlohmann::json::parse(read_file(json))["inspected"];
    REQUIRE(found.size() == 2);
    CHECK(found[0]["asked"] == "edge:12");
    CHECK(found[0]["sections"][0]["properties"][0]["value"] == 12);
    CHECK(found[1]["highlights"][0]["radius"].is_number());
    CHECK(read_file(csv).starts_with("edge:12\nname,value,error,unit,why\nEdge,12,"));
    CHECK(read_file(statistics).starts_with("quantity,unit,from,to,count,"));
    CHECK(has(read_file(statistics), "\nminimum angles,°,0,"));
    CHECK(has(read_file(results), "\npoints,100,,,\n"));

    outcome = run_program(
        {"run", "flip", "--points", "uniform:100", "--device", "cpu", "--inspect", "edge:999999", "--json", json});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "--inspect edge:999999: ids go from 0 to "));
    const auto rest = nlohmann::json::parse(read_file(json));
    CHECK(rest["triangles"] > 100);  // nothing else is lost
    CHECK(rest["inspected"][0]["id"].is_null());
    check_refused({"run", "flip", "--points", "uniform:100", "--device", "cpu", "--export", "inspected.csv"},
                  "nothing is inspected");
    check_refused({"run", "flip", "--device", "cpu", "--inspect", "face:3"}, "expected vertex:ID");
}
