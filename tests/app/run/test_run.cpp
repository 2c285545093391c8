// Code shared by the window, headless runs and the sheet.
#include "app/run/run.h"

#include <algorithm>

#include "app/folders.h"
#include "app/session/scripted_lab.h"
#include "lab/fake_lab.h"
#include "lab/parameters.h"
#include "lab/registry.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

std::string value_of(Lab& lab, const std::string& name) {
    for (const ParameterDescription& parameter : list_parameters(lab))
        if (parameter.name == name) return parameter.value;
    return {};
}

}  // namespace

TEST_CASE("runs: a scenario becomes a lab with its parameters and an input that fits it") {
    Scenario scenario;
    scenario.lab = "build";
    scenario.points = "uniform:30";
    scenario.seed = 7;
    scenario.parameters = {{"predicate", "double-circumcentre"}};
    Run run(scenario, 64);
    CHECK(run.lab().info().id == "build");
    CHECK(value_of(run.lab(), "predicate") == "double-circumcentre");
    CHECK(value_of(run.lab(), "block_size") == "64");
    CHECK(run.scenario().sets("block_size"));
    CHECK(run.geometry().points.size() == 30);
    CHECK(run.input().seed == 7);
    CHECK(run.input().notes.empty());
    const auto& defaults = run.default_parameters();
    CHECK(std::any_of(defaults.begin(), defaults.end(),
                      [](const auto& one) { return one.name == "predicate" && one.value == "exact"; }));
    scenario.parameters.push_back({"block_size", "128"});
    Run own(scenario, 64);
    CHECK(value_of(own.lab(), "block_size") == "128");
}

TEST_CASE("runs: without a generator a seed is the lab's, unless the scenario sets that") {
    Scenario scenario;
    scenario.lab = "particles";
    scenario.seed = 7;
    Run run(scenario);
    CHECK(value_of(run.lab(), "seed") == "7");
    CHECK(run.input().notes.empty());
    scenario.set({"seed", "5"});
    Run own(scenario);
    CHECK(value_of(own.lab(), "seed") == "5");
}

TEST_CASE("runs: without a lab the input chooses one, and ignored parts are noted") {
    const TemporaryFolder folder;
    Scenario scenario;
    scenario.input = folder.file("two.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
    CHECK(Run(scenario).lab().info().inputs.has(InputKind::kMeshes));
    scenario.lab = "build";
    const Run run(scenario);
    REQUIRE(run.input().notes.size() == 1);
    CHECK(run.input().notes[0].find("leaves the triangles out") != std::string::npos);
}

TEST_CASE("runs: a wrong lab or parameter is reported before the input is read") {
    Scenario scenario;
    scenario.lab = "build";
    scenario.input = "/nowhere/at/all.xy";
    scenario.parameters = {{"predicate", "half"}};
    CHECK_THROWS_WITH_AS(Run{scenario}, doctest::Contains("predicate"), Error);
    scenario.parameters.clear();
    CHECK_THROWS_WITH_AS(Run{scenario}, doctest::Contains("all.xy"), Error);
}

TEST_CASE("runs: a lab without a check runs without one, and refuses a requested check") {
    const FakeLab without;
    CHECK(find_facet<Checkable>(without) == nullptr);
    CHECK_FALSE(end_needs_check(without));
    CHECK(is_exact(without));
    const CheckReport report = check_of(without);
    CHECK_FALSE(report.checked);
    CHECK_FALSE(report.passed);
    CHECK(report.sentence == "the Fake lab has no check");
    CHECK_THROWS_WITH_AS(require_check(without, "--check"), "--check: the Fake lab has no check; run it without",
                         Error);
    Rehearsal stage;
    CHECK_NOTHROW(require_check(stage.lab, "--check"));
    stage.timeline.run_to_end();
    CHECK(check_of(stage.lab).passed);
    for (const RegistryEntry& entry : registry()) CHECK(find_facet<Checkable>(*entry.make()) != nullptr);
}
