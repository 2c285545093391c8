// The report of a run, filled in by hand: its contents in JSON and in the table, and their names.
#include "app/run/report.h"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "app/program.h"

using namespace flipscope;
using namespace flipscope::app;
using Json = nlohmann::json;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

LabInfo info_of_test() {
    LabInfo info{"test", "Test lab", "", "", {{"claim", ""}, {"flip", ""}}, {{"flipped", ""}, {"illegal", ""}}};
    info.measures = {{"harmonic index", "", ""}, {"least angle", "", "°"}};
    return info;
}

StepResult pass(uint32_t which, uint32_t round, std::vector<int64_t> counters, std::vector<double> measures) {
    StepResult result;
    result.pass = which;
    result.round = round;
    result.counters = std::move(counters);
    result.measures = std::move(measures);
    return result;
}

RunReport report_of_test() {
    RunReport report;
    report.lab = "test";
    report.title = "Test lab";
    report.input = "sphere:100";
    report.result.points = 100;
    report.result.triangles = 196;
    report.result.edges = 294;
    report.surface = report.has_triangles = report.done = report.stepped = true;
    report.elapsed_ms = 1;
    report.passes = {pass(0, 1, {kNotCounted, 12}, {kNan, kNan}), pass(1, 1, {9, kNotCounted}, {30, 1.5}),
                     pass(0, 2, {kNotCounted, 0}, {}), pass(1, 2, {0, kNotCounted}, {20, kNan})};
    report.statistics.add(Distribution{"smallest angles", "of each triangle", "°", 0, 60, {4, 2, 0}, {0, 2, 4}});
    return report;
}

}  // namespace

TEST_CASE("report: measures appear in the passes that took them, histograms with range, unit and both counts") {
    const Json json = Json::parse(report_json(report_of_test(), info_of_test()));
    CHECK(json["passes"][0]["measures"] == Json::object());
    CHECK(json["passes"][0]["counters"] == Json{{"illegal", 12}});
    CHECK(json["passes"][1]["measures"] == Json{{"harmonic index", 30.0}, {"least angle", 1.5}});
    CHECK(json["passes"][2]["measures"] == Json::object());
    CHECK(json["passes"][3]["measures"] == Json{{"harmonic index", 20.0}});
    CHECK(json["surface"] == true);
    REQUIRE(json["histograms"].size() == 1);
    CHECK(json["histograms"][0] == Json{{"name", "smallest angles"},
                                        {"unit", "°"},
                                        {"low", 0.0},
                                        {"high", 60.0},
                                        {"below", 0},
                                        {"above", 0},
                                        {"before", {4, 2, 0}},
                                        {"now", {0, 2, 4}}});
}

TEST_CASE("report: a number is a number in the JSON, and two series of a histogram can have their own names") {
    RunReport report = report_of_test();
    report.parameters = {{ParameterDescription::Kind::kNumber, "limit", "", "", "0.1", {}, 0, 1}};
    auto& angles = std::get<Distribution>(report.statistics.sections[0].content);
    angles.before_name = "lost";
    angles.now_name = "created";
    angles.counted = "thousandths of the speed in the middle";
    const Json json = Json::parse(report_json(report, info_of_test()));
    CHECK(json["parameters"]["limit"] == 0.1);
    CHECK(json["histograms"][0]["names"] == Json{"lost", "created"});
    CHECK(json["histograms"][0]["counted"] == angles.counted);
}

TEST_CASE("report: the table counts passes and rounds, and gives the time per element") {
    RunReport report = report_of_test();
    std::string table = report_table(report, info_of_test());
    CHECK(has(table, "passes           4, in 2 rounds\n"));
    CHECK(has(table, "1.00 ms, 10,000 ns a point, 5,102 ns a triangle, 3,401 ns an edge"));
    CHECK(has(table, "on the boundary"));
    CHECK(has(table, "harmonic index   20, at first 30\n"));
    report.stepped = report.has_triangles = false;
    table = report_table(report, info_of_test());
    CHECK(has(table, "rounds           2\n"));
    CHECK(has(table, "on the hull"));
    CHECK_FALSE(has(table, "an edge"));
}

TEST_CASE("report: a lab without triangles is described by its own numbers") {
    RunReport report = report_of_test();
    report.result = {};
    report.result.edges = 871;
    report.result.numbers.add_number("cells", "", 300);
    report.result.numbers.add_number("mean area", "pixels", 34.25);
    report.result.numbers.add_number("lost", "", kNan);
    report.has_triangles = report.surface = false;
    LabInfo info = info_of_test();
    info.makes_triangles = false;
    const std::string table = report_table(report, info);
    CHECK(has(table, "cells            300\n"));
    CHECK(has(table, "mean area        34.25 pixels\n"));
    CHECK(has(table, "1.00 ms, 0.50 ms a round, at most 0.0 MB\n"));
    for (const char* word : {"triang", "hull", "boundary", "points ", "a point"}) CHECK_FALSE(has(table, word));
    report.result.numbers.add_number("harmonic index", "", 20);  // told already, as a measure
    CHECK(has(report_table(report, info), "harmonic index   20, at first 30\n"));
    CHECK_FALSE(has(report_table(report, info), "harmonic index   20\n"));
    report.result.numbers.list.pop_back();
    const Json json = Json::parse(report_json(report, info));
    CHECK(json["results"] == Json{{"cells", 300.0}, {"mean area", 34.25}, {"lost", nullptr}});
    CHECK(json["edges"] == 871);
    for (const char* key : {"triangles", "hull_edges", "lost_hull_edges", "triangulation_hash", "events"})
        CHECK_FALSE(json.contains(key));
}

TEST_CASE("report: events are listed in the JSON and counted by kind in the table") {
    RunReport report = report_of_test();
    LabInfo info = info_of_test();
    info.detects = "event";
    CHECK(Json::parse(report_json(report, info))["events"] == Json::array());
    CHECK(has(report_table(report, info), "events           0\n"));
    report.detections.resize(3);
    report.detections[0] = {2.5, "T1", {1, -2}, {3, 7}, {{{3, 7}}}, {}, 4};
    report.detections[1].kind = "boundary";
    report.detections[2].kind = "T1";
    const Json json = Json::parse(report_json(report, info));
    REQUIRE(json["events"].size() == 3);
    CHECK(json["events"][0] == Json{{"time", 2.5},
                                    {"round", 4},
                                    {"kind", "T1"},
                                    {"place", {1.0, -2.0}},
                                    {"vertices", {3, 7}},
                                    {"lost_contacts", Json::array({Json::array({3, 7})})},
                                    {"created_contacts", Json::array()}});
    CHECK(has(report_table(report, info), "events           3: 2 T1, 1 boundary\n"));
    CHECK(!json.contains("lattice"));
    report.detections[0].given = Point{0.25, 8};
    report.result.lattice = {64, 32, true, {{-1, 2}, {0.5, 0.25}}};
    const Json given = Json::parse(report_json(report, info));
    CHECK(given["events"][0]["place"] == Json{0.25, 8.0});
    CHECK(given["lattice"] == Json{{"width", 64},
                                   {"height", 32},
                                   {"borders", "periodic"},
                                   {"periodic", true},
                                   {"origin", {-1.0, 2.0}},
                                   {"unit", {0.5, 0.25}}});
    report.result.lattice->periodic = {true, false};
    const Json along_x = Json::parse(report_json(report, info));
    CHECK(along_x["lattice"]["borders"] == "periodic_x");
}

TEST_CASE("report: repeated messages of passes are reported once, and limited in number") {
    RunReport report = report_of_test();
    for (auto& pass : report.passes) pass.message.add("", "the same");
    CHECK(report_remarks(report) == std::vector<std::string>{"the same"});
    report.passes.clear();
    for (uint32_t i = 0; i < 100; ++i) {
        report.passes.push_back(pass(0, i, {}, {}));
        report.passes.back().message.add("", "message " + std::to_string(i));
    }
    auto remarks = report_remarks(report);
    CHECK(remarks.size() == 13);
    CHECK(has(remarks.back(), "88 more"));
    // Messages of one kind appear once, even if the first had more text or other words.
    for (uint32_t i = 0; i < 100; ++i) {
        report.passes[i].message = {};
        if (i == 0) report.passes[i].message.add("source", "A random field.");
        report.passes[i].message.add("one-bubble", i % 2 ? "One bubble, from 0." + std::to_string(i) + " on."
                                                         : "One bubble; no numbers " + std::string(i, 'x'));
    }
    remarks = report_remarks(report);
    REQUIRE(remarks.size() == 2);
    CHECK(remarks[0] == "A random field.");
    CHECK(has(remarks[1], "One bubble"));
    CHECK(has(remarks[1], "99 more"));
    // And what differs in its numbers alone, and is of two kinds, is said twice.
    for (uint32_t i = 0; i < 100; ++i) {
        report.passes[i].message = {};
        report.passes[i].message.add(i % 2 ? "odd" : "even", "pass " + std::to_string(i));
    }
    CHECK(report_remarks(report) ==
          std::vector<std::string>{"pass 0 … and 49 more of this kind.", "pass 1 … and 49 more of this kind."});
}

TEST_CASE("report: a long run lists its last passes and sums up all") {
    const LabInfo info = info_of_test();
    constexpr uint64_t kPasses = 4000;
    History history;
    history.clear(info);
    std::vector<std::pair<uint64_t, StepMessage>> said;
    for (uint64_t i = 0; i < kPasses; ++i) {
        StepResult step = pass(i % 2, static_cast<uint32_t>(i / 2 + 1), {i == 17 ? 100'000 : 3, kNotCounted},
                               {static_cast<double>(i), kNan});
        step.message.add("", std::string(50'000, 'x'));  // so that few of them are kept
        if (i == 3) said.emplace_back(i, StepMessage{{{"", "3 of 120 points are duplicates"}}});
        if (i == kPasses - 1) said.emplace_back(i, StepMessage{{{"", "is kept, and said there"}}});
        history.add(std::move(step));
    }
    RunReport report = report_of_test();
    report.passes.clear();
    take_passes(report, history, said, kPasses);
    REQUIRE(report.passes_left_out > 0);
    CHECK(report.unkept_messages == kPasses - 1 - report.passes.size());  // all but those that are kept or said
    CHECK(report.passes_left_out + report.passes.size() == kPasses);
    const Json json = Json::parse(report_json(report, info));
    CHECK(json["passes"].size() == report.passes.size());
    CHECK(json["passes"].back()["round"] == kPasses / 2);
    CHECK(json["passes_left_out"] == report.passes_left_out);
    uint64_t next = 1, sum = 0, most = 0;
    for (const Json& part : json["passes_summed_up"]) {
        CHECK(part["first"] == next);
        next = part["last"].get<uint64_t>() + 1;
        sum += part["counters"]["flipped"]["sum"].get<uint64_t>();
        most = std::max(most, part["counters"]["flipped"]["greatest"].get<uint64_t>());
        CHECK_FALSE(part["counters"].contains("illegal"));
    }
    CHECK(next == kPasses + 1);
    CHECK(sum == 3 * (kPasses - 1) + 100'000);
    CHECK(most == 100'000);
    const std::string table = report_table(report, info);
    CHECK(has(table, "passes           4,000, in 2,000 rounds\n"));
    CHECK(has(table, "3 of 120 points are duplicates"));
    CHECK(has(table, "3999, at first 0"));
    CHECK(has(table, "of 4,000 passes are kept one by one"));
    // A run that is kept whole says nothing of this.
    CHECK_FALSE(Json::parse(report_json(report_of_test(), info)).contains("passes_left_out"));
}
