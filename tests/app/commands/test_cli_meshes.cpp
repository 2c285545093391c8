// Labs that take meshes and surfaces, from the command line: the real program reads, runs, draws and writes them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "io/geometry.h"
#include "io/mesh.h"
#include "lab/registry.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("command line: every lab runs its example to the end and passes the check") {
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const Json json = json_of_run({entry.id, "--check"});
        CHECK(json["finish_ms"].is_number());
        CHECK(json["check"]["passed"] == true);
        for (const Json& histogram : json["histograms"]) {
            if (!histogram["before"].empty()) CHECK(histogram["before"].size() == histogram["now"].size());
            CHECK(histogram["low"].get<double>() < histogram["high"].get<double>());
        }
    }
}

TEST_CASE("command line: a written mesh is read again, and is Delaunay") {
    const TemporaryFolder folder;
    for (const char* spec : {"uniform:200", "sphere:300"}) {
        for (const auto& format : mesh_formats()) {
            for (const auto& extension : format.extensions) {
                if (extension == ".npy" || extension == ".node") continue;  // triangles alone, points alone
                const std::string mesh = (folder / ("mesh" + extension)).string();
                INFO(spec << " as " << extension);
                const Outcome outcome =
                    run_program({"run", "flip", "--device", "cpu", "--mesh", spec, "--export", mesh, "--json", "-"});
                if (outcome.status == 2 && has(outcome.err, extension)) continue;  // no place for heights
                INFO(outcome.err);
                REQUIRE(outcome.status == 0);
                const Json written = Json::parse(outcome.out);
                const Json read = json_of_run({"flip", "--input", mesh, "--check"});
                CHECK(read["points"] == written["points"]);
                CHECK(read["triangles"] == written["triangles"]);
                CHECK(read["surface"] == written["surface"]);
                CHECK(read["check"]["passed"] == true);
                int64_t flips = 0;
                for (const Json& pass : read["passes"]) flips += pass["counters"].value("granted", 0);
                CHECK(flips == 0);
            }
        }
    }
}

TEST_CASE("command line: a planar mesh keeps its height in every lab and every format with heights") {
    const TemporaryFolder folder;
    write_file(folder / "flat.off", "OFF\n4 2 0\n0 0 500\n4 0 500\n5 5 500\n0 4 500\n3 0 1 3\n3 1 2 3\n");
    for (const char* lab : {"flip", "race", "build", "serial"}) {
        for (const char* extension : {".ply", ".obj", ".off"}) {
            CAPTURE(lab);
            CAPTURE(extension);
            const std::string out = (folder / (lab + std::string(extension))).string();
            const Outcome outcome = run_program(
                {"run", lab, "--input", (folder / "flat.off").string(), "--device", "cpu", "--check", "--export", out});
            INFO(outcome.err);
            REQUIRE(outcome.status == 0);
            const Geometry again = read_geometry(out);
            CHECK(again.level == 500);
            CHECK(!again.in_space());
            CHECK(again.triangles.size() == 2);
        }
    }
    // What the start parameter makes of points is as high as they are.
    write_file(folder / "points.off", "OFF\n4 0 0\n0 0 7\n4 0 7\n5 5 7\n0 4 7\n");
    for (const char* start : {"insertion", "scrambled", "moved"}) {
        const std::string out = (folder / "made.obj").string();
        REQUIRE(run_program({"run", "flip", "--input", (folder / "points.off").string(), "--device", "cpu", "--set",
                             std::string("start=") + start, "--export", out})
                    .status == 0);
        CHECK(read_geometry(out).level == 7);
    }
}

TEST_CASE("command line: duplicates and unused vertices are counted separately") {
    const TemporaryFolder folder;
    const auto counts = [&](const std::string& lab, const std::string& content) {
        write_file(folder / "mesh.off", content);
        const Json json = json_of_run({lab, "--input", (folder / "mesh.off").string()});
        return std::pair<int, int>{json["duplicates"], json["unused_vertices"]};
    };
    const std::string triangle = "0 0 0\n1 0 0\n0 1 0\n", face = "3 0 1 2\n";
    CHECK(counts("flip", "OFF 3 1 0\n" + triangle + face) == std::pair<int, int>{0, 0});
    CHECK(counts("flip", "OFF 5 1 0\n" + triangle + "7 7 0\n8 8 0\n" + face) == std::pair<int, int>{0, 2});
    CHECK(counts("flip", "OFF 5 1 0\n" + triangle + "7 7 0\n1 0 0\n" + face) == std::pair<int, int>{1, 1});
    CHECK(counts("flip", "OFF 5 1 0\n0 0 0\n1 0 0\n0 1 2\n7 7 0\n1 0 0\n" + face) == std::pair<int, int>{0, 2});
    CHECK(counts("flip", "OFF 4 0 0\n" + triangle + "1 0 0\n") == std::pair<int, int>{1, 0});
    CHECK(counts("build", "OFF 5 0 0\n" + triangle + "1 0 0\n1 0 0\n") == std::pair<int, int>{2, 0});
}

TEST_CASE("command line: a lab that takes points only notes that it ignores the triangles") {
    const TemporaryFolder folder;
    const std::string path = (folder / "mesh.off").string();
    write_file(path, "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const LabInfo info = entry.info();
        const Outcome outcome =
            run_program({"run", entry.id, "--input", path, "--device", "cpu", "--steps", "1", "--json", "-"});
        INFO(outcome.err);
        REQUIRE(outcome.status == 0);
        const std::string note = "mesh.off: the " + info.title + " takes the points and leaves the triangles out";
        CHECK(has(outcome.err, note) == !info.inputs.has(InputKind::kMeshes));
        const Json notes = Json::parse(outcome.out)["notes"];
        CHECK((std::find(notes.begin(), notes.end(), note) != notes.end()) == !info.inputs.has(InputKind::kMeshes));
    }
    CHECK(json_of_run({"build", "--points", "uniform:5"})["notes"] == Json::array());
}
