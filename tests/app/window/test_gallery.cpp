// Scenarios of the gallery in the real window: each opens at its end, with its title beside the input and its failures
// listed.
#include "app/folders.h"
#include "app/window_tests.h"

using namespace flipscope;
using nlohmann::json;

namespace {

std::string gallery(const std::string& name) {
    return std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/gallery/" + name + ".json";
}

}  // namespace

TEST_CASE(
    "window: a scenario opens at its end, with its failures listed, or at the pass it names; its title is shown") {
    const auto window = window_or_skip({gallery("delaunator-rs-10")});
    if (!window) return;
    json status = at_end(*window);
    CHECK(status["position"] == status["known"]);
    CHECK(status["title"] == "Two almost straight chains");
    CHECK(status["check"]["passed"] == false);
    CHECK(status["failures"]["count"] == 3);
    CHECK(status["headline"]["failed"] == true);
    status = press_key(*window, "r", "/position", 0);
    CHECK(status["title"] == "Two almost straight chains");  // of the same input
    CHECK(status["failures"]["count"] == 0);
    // It is verified at its end, exact as its predicates may be.
    load_file(*window, gallery("geos-719"));
    status = wait_for_value(*window, "/headline/failed", true);
    CHECK(status["failures"]["count"] == 2);

    const TemporaryFolder folder;
    write_file(folder / "seventh.json", R"({"points": "uniform:300", "seed": 1, "title": "Three hundred", "at": 7})");
    load_file(*window, (folder / "seventh.json").string());
    status = wait_for_value(*window, "/position", 7);
    CHECK(status["done"] == false);
    CHECK(status["title"] == "Three hundred");
    write_file(folder / "other.xy", "0 0\n4 0\n0 4\n");
    load_file(*window, (folder / "other.xy").string());
    status = wait_for_value(*window, "/input_count", 3);
    CHECK(status["title"] == "");
}
