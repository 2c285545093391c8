// Events and arrays from the command line, of every lab that has some: the real program is started.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "labs/registry.h"
#include "program.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

size_t lines_of(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

/// `flipscope run LAB …`, a few rounds of it, with JSON on stdout.
Json run_json(const std::string& lab, std::vector<std::string> more) {
    std::vector<std::string> all{"run", lab, "--device", "cpu", "--rounds", "3", "--quiet", "--json", "-"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run_program(all);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("command line: labs that find something list it in the JSON, and --export of its name has as many lines") {
    size_t found = 0;
    for (const auto& entry : registry()) {
        const LabInfo info = entry.info();
        INFO(entry.id);
        if (info.detects.empty()) {
            const bool arrays = !arrays_of(*entry.make()).empty();  // then it is told which there are
            check_refused({"run", entry.id, "--device", "cpu", "--export", "events.csv"},
                          arrays ? "says which table" : "detects nothing");
            continue;
        }
        const TemporaryFolder folder;
        const std::string file = (folder / (info.detects + "s.csv")).string();
        const Json json = run_json(entry.id, {"--export", file});
        const Json& events = json[info.detects + "s"];
        found += events.size();
        CHECK(lines_of(read_file(file)) == events.size() + 1);
        double before = 0;
        for (const Json& event : events) {
            CHECK(event.size() == (info.detects_changes ? 9 : 5 + 1));
            CHECK(event["time"].get<double>() >= before);
            CHECK(event["place"].size() == 2);
            CHECK(event["kind"].is_string());
            if (!info.detects_changes) {
                CHECK(event.contains("dual length") != event.contains("shortfall"));
                continue;
            }
            CHECK_FALSE((event["lost_contacts"].empty() && event["created_contacts"].empty()));
            std::set<int64_t> known;
            for (const Json& vertex : event["vertices"]) known.insert(vertex.get<int64_t>());
            for (const char* links : {"lost_contacts", "created_contacts"})
                for (const Json& pair : event[links]) {
                    REQUIRE(pair.size() == 2);
                    for (const Json& end : pair) CHECK(known.count(end.get<int64_t>()) == 1);
                }
            before = event["time"];
        }
    }
    CHECK(found > 0);
}

TEST_CASE("command line: every array of every lab can be exported, and a wrong name is refused before the run") {
    for (const auto& entry : registry()) {
        const auto algorithm = entry.make();
        const std::vector<ArrayInfo> arrays = arrays_of(*algorithm);
        if (arrays.empty()) continue;
        INFO(entry.id);
        const TemporaryFolder folder;
        std::vector<std::string> wanted;
        if (std::any_of(arrays.begin(), arrays.end(), [](const ArrayInfo& array) { return array.recorded; }))
            wanted = {"--set", "record=1"};
        for (const ArrayInfo& array : arrays) {
            for (const char* format : {".npy", ".csv"}) {
                wanted.push_back("--export");
                wanted.push_back((folder / ("a-" + array.name + format)).string());
            }
        }
        run_json(entry.id, wanted);
        for (const ArrayInfo& array : arrays) {
            INFO(array.name);
            const std::string bytes = read_file(folder / ("a-" + array.name + ".npy"));
            CHECK(bytes.starts_with("\x93NUMPY"));
            CHECK(has(bytes, "'shape': ("));
            // A table of elements has a heading, and the columns of one.
            if (array.name != algorithm->info().detects + "s" && array.name != "triangles") {
                const size_t rows = std::stoul(bytes.substr(bytes.find("'shape': (") + 10));
                const std::string table = read_file(folder / ("a-" + array.name + ".csv"));
                CHECK((lines_of(table) == rows || table.empty()));
            }
        }
        check_refused({"run", entry.id, "--device", "cpu", "--export", (folder / "no-such.npy").string()},
                      arrays.front().name);
        CHECK_FALSE(std::filesystem::exists(folder / "no-such.npy"));
        check_refused({"run", entry.id, "--device", "cpu", "--export", (folder / "no-such.csv").string()},
                      arrays.front().name);
        const Outcome list = run_program({"list", "arrays"});
        CHECK(list.status == 0);
        for (const ArrayInfo& array : arrays) CHECK(has(list.out, array.name));
    }
}

TEST_CASE("command line: labs that make no triangles write no mesh, and their report speaks of none") {
    for (const auto& entry : registry()) {
        if (entry.info().makes_triangles) continue;
        INFO(entry.id);
        check_refused({"run", entry.id, "--device", "cpu", "--export", "mesh.ply"},
                      entry.id == "particles" ? "close on themselves" : "makes no triangles");
        const Outcome table = run_program({"run", entry.id, "--device", "cpu", "--rounds", "1"});
        CHECK(table.status == 0);
        CHECK_FALSE(has(table.out, "  triang"));
        CHECK_FALSE(has(table.out, "hull"));
        const Json json = run_json(entry.id, {});
        CHECK_FALSE(json["results"].empty());
        CHECK_FALSE(json.contains("triangles"));
    }
}

TEST_CASE(
    "command line: the clusters of points can be exported, and the Voronoi lab's links are links as a table, too") {
    const TemporaryFolder folder;
    const std::string clusters = (folder / "clusters.csv").string(), links = (folder / "links.csv").string();
    const Json json =
        run_json("voronoi", {"--points", "uniform:50", "--set", "data=points", "--set", "count=4", "--set", "width=64",
                             "--set", "height=64", "--export", clusters, "--export", links});
    CHECK(lines_of(read_file(clusters)) == 50);
    CHECK(lines_of(read_file(links)) == json["results"]["links"].get<size_t>());
}

TEST_CASE("command line: --statistics measures what is shown, and its tables and arrays can be exported") {
    const TemporaryFolder folder;
    const std::string table = (folder / "statistics.csv").string(), areas = (folder / "run-cell-area.npy").string();
    const Outcome outcome = run_program({"run", "build", "--points", "uniform:300", "--device", "cpu", "--quiet",
                                         "--json", "-", "--within", "0.1,0.1,0.9,0.9", "--export", table, "--export",
                                         areas, "--export", (folder / "degree.csv").string()});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const Json json = Json::parse(outcome.out);
    CHECK(json["statistics"]["points"].get<int>() < 250);  // of 300, those in the window
    CHECK(json["statistics"]["points"].get<int>() > 150);
    CHECK(json["statistics"]["window width"].get<double>() == doctest::Approx(0.8));
    CHECK(json["statistics_units"]["mean spacing"] == "world units");
    std::set<std::string> curves;
    for (const Json& curve : json["curves"]) curves.insert(curve["name"].get<std::string>());
    CHECK(curves.count("pair correlation") == 1);
    CHECK(curves.count("structure factor") == 1);
    CHECK(lines_of(read_file((folder / "degree.csv").string())) == 300);
    CHECK(has(read_file(table), "global |ψ₆|"));
    CHECK(read_file(areas).size() > 300 * 8);
    check_refused({"run", "build", "--points", "uniform:30", "--device", "cpu", "--within", "0,0,0,1"},
                  "each end above the other");
}
