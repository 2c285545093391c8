// Every lab on its example, and what is counted of a mesh, from the command line.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
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

TEST_CASE("command line: duplicates and unused vertices are counted separately") {
    const TemporaryFolder folder;
    const auto counts = [&](const std::string& lab, const std::string& content) {
        const Json json = json_of_run({lab, "--input", folder.file("mesh.off", content)});
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
