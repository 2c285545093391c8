// Labs that take meshes and surfaces, from the command line: the real program reads, runs, draws and writes them.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/mesh.h"
#include "program.h"
#include "steps/registry.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("command line: every lab runs its example to the end and passes the check") {
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const Outcome outcome = run_program({"run", entry.id, "--device", "cpu", "--check", "--json", "-"});
        INFO(outcome.err);
        REQUIRE(outcome.status == 0);
        const Json json = Json::parse(outcome.out);
        CHECK(json["finish_ms"].is_number());
        CHECK(json["check"]["passed"] == true);
        for (const Json& histogram : json["histograms"]) {
            if (!histogram["before"].empty()) CHECK(histogram["before"].size() == histogram["now"].size());
            CHECK(histogram["low"].get<double>() < histogram["high"].get<double>());
        }
    }
}

TEST_CASE("command line: a mesh that was written is read again, and is Delaunay at once") {
    const TemporaryFolder folder;
    for (const char* spec : {"uniform:200", "sphere:300"}) {
        for (const auto& format : mesh_formats()) {
            for (const auto& extension : format.extensions) {
                if (extension == ".npy" || extension == ".node") continue;  // triangles alone, points alone
                const std::string mesh = (folder / ("mesh" + extension)).string();
                INFO(spec << " as " << extension);
                Outcome outcome =
                    run_program({"run", "flip", "--device", "cpu", "--mesh", spec, "--export", mesh, "--json", "-"});
                if (outcome.status == 2 && has(outcome.err, extension)) continue;  // no place for heights
                INFO(outcome.err);
                REQUIRE(outcome.status == 0);
                const Json written = Json::parse(outcome.out);
                outcome = run_program({"run", "flip", "--device", "cpu", "--input", mesh, "--check", "--json", "-"});
                INFO(outcome.err);
                REQUIRE(outcome.status == 0);
                const Json read = Json::parse(outcome.out);
                CHECK(read["points"] == written["points"]);
                CHECK(read["triangles"] == written["triangles"]);
                CHECK(read["surface"] == written["surface"]);
                CHECK(read["check"]["passed"] == true);
                int64_t flips = 0;
                for (const Json& pass : read["passes"]) flips += pass["counters"].value("won", 0);
                CHECK(flips == 0);
            }
        }
    }
}

TEST_CASE("command line: a surface runs stepped or finished to one hash") {
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> all{"run", "flip", "--device", "cpu", "--mesh", "torus-knot:600", "--json", "-"};
        all.insert(all.end(), more.begin(), more.end());
        return run_program(all);
    };
    const Json finished = Json::parse(run({"--check"}).out), stepped = Json::parse(run({"--stepped"}).out);
    CHECK(finished["check"]["passed"] == true);
    CHECK(finished["surface"] == true);
    CHECK(finished["hull_edges"] == 0);
    CHECK(finished["state_hash"] == stepped["state_hash"]);
    CHECK(Json::parse(run({"--steps", "4"}).out)["passes"].size() == 4);
    CHECK(Json::parse(run({"--rounds", "2"}).out)["passes"].back()["round"] == 2);
    REQUIRE(finished["histograms"].size() >= 1);
    int64_t before = 0, now = 0;
    for (const Json& count : finished["histograms"][0]["before"]) before += count.get<int64_t>();
    for (const Json& count : finished["histograms"][0]["now"]) now += count.get<int64_t>();
    CHECK(before == now);  // as many triangles as there were
    CHECK(before > 0);
}

TEST_CASE("command line: a parameter that is a number is set and reported as one") {
    const auto run = [](const std::string& setting) {
        return run_program(
            {"run", "flip", "--device", "cpu", "--points", "uniform:50", "--set", setting, "--json", "-"});
    };
    CHECK(Json::parse(run("epsilon=1e-3").out)["parameters"]["epsilon"] == 0.001);
    CHECK(run("epsilon=-1").status == 2);
    CHECK(has(run("epsilon=small").err, "expected 0 … "));
}
