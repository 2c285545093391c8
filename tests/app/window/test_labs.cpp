// Which lab the real window opens, and that its panels hold whatever a lab has to show.
#include "app/program.h"
#include "app/window_tests.h"
#include "lab/registry.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: without a lab the input decides which one is opened, and --lab over it") {
    const auto lab = [](const std::vector<std::string>& arguments) {
        const auto window = window_or_skip(arguments);
        return window ? window->settle()["lab"].get<std::string>() : std::string();
    };
    const TemporaryFolder folder;
    const std::string mesh = (folder / "two.off").string();
    write_file(mesh, "OFF\n4 2 0\n0 0 0\n4 0 0\n4 1 0\n0 1 1\n3 0 1 2\n3 0 2 3\n");
    const std::string chosen = lab({mesh});
    if (chosen.empty()) return;  // no window here
    CHECK(lab_info(chosen).inputs.has(InputKind::kSurfaces));
    CHECK(lab({"--mesh", "quad:50"}) == chosen);
    CHECK(lab({"--points", "uniform:50"}) == registry().front().id);
    CHECK(lab({"--points", "uniform:50", "--lab", chosen}) == chosen);
}
