// The Judge lab and the way into the Predicate microscope, in the real window.
#include <fstream>
#include <string>

#include "app/folders.h"
#include "app/window_hands.h"

using namespace flipscope;

TEST_CASE("window: triangles beside their points open in the Judge lab, and each defect is a click away") {
    const TemporaryFolder folder;
    std::ofstream(folder / "kite.xy") << "0 0\n4 -1\n8 0\n4 1\n";
    std::ofstream(folder / "kite.tri") << "0 1 2\n0 2 3\n";
    const auto window =
        window_or_skip({"--input", (folder / "kite.xy").string(), "--triangles", (folder / "kite.tri").string()});
    if (!window) return;
    json status = window->settle();
    CHECK(status["lab"] == "judge");
    CHECK(status["beside"] == true);
    window->key("End");
    status = at_end(*window);
    CHECK(status["check"]["passed"] == false);
    CHECK(has(status["headline"]["text"], "a triangulation, complete, not Delaunay: 1 defect"));
    CHECK(status["numbers"]["Delaunay"] == "no");
    CHECK(status["numbers"]["missed edges"] == 1);
    REQUIRE(status["failures"]["count"] == 1);
    const json& list = status["failures"]["list"];
    window->move(list["x"].get<double>() + 60, list["y"].get<double>() + 0.5 * status["failures"]["row"].get<double>());
    window->settle();
    window->click();
    status = window->wait_for("a choice", [](const json& s) { return !s["failures"]["chosen"].is_null(); });
    CHECK(status["failures"]["chosen"] == 0);
    CHECK(status["detections"]["known"] == 2);
}

TEST_CASE("window: an edge leads under the microscope with its four points") {
    const auto window = window_or_skip({"--lab", "build", "--points", "uniform:40"});
    if (!window) return;
    window->key("End");
    at_end(*window);
    json status = find_element(*window, "edge:30");
    REQUIRE_FALSE(status["inspected"].is_null());
    status = window->settle();
    const json* link = link_named(status, "under the microscope");
    for (int turn = 0; turn < 40 && !link; ++turn) {  // below what is seen of a long answer
        const json& box = status["inspector"];
        window->move(box["x"].get<double>() + box["width"].get<double>() / 2,
                     box["y"].get<double>() + box["height"].get<double>() / 2);
        window->click(5);
        status = window->settle();
        link = link_named(status, "under the microscope");
    }
    REQUIRE(link);
    window->move((*link)["x"].get<double>() + (*link)["width"].get<double>() / 2,
                 (*link)["y"].get<double>() + (*link)["height"].get<double>() / 2);
    window->settle();
    window->click();
    status = window->wait_for("the microscope", [](const json& s) { return s["lab"] == "microscope"; });
    CHECK(status["parameters"]["sign_of"] == "in-circle");
    CHECK(status["parameters"]["a"] != status["parameters"]["b"]);
    CHECK(status["input"] == "uniform:40");
}
