// The shrink choices for constructed states.
#include "app/session/failure_shrinker.h"

#include <doctest/doctest.h>

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// A checked state at the end of a run of one pass.
LabModel ended(const std::vector<std::string>& codes, const std::string& said = "") {
    LabModel model;
    model.loaded = model.done = true;
    StepResult step;
    if (!said.empty()) step.message.add(said, "It is said.");
    History history;
    history.add(step);
    model.history = history;
    model.position = 1;
    CheckReport check;
    check.passed = codes.empty();
    for (const std::string& code : codes) check.failures.push_back({code, "It fails.", {}, {}, {}});
    model.check = check;
    return model;
}

std::string offered(const LabModel& model) {
    std::string all;
    for (const ShrinkChoice& choice : shrink_choices(model)) all += choice.criterion + (choice.shown ? "! " : " ");
    return all;
}

}  // namespace

TEST_CASE("shrink choices: the failures of a state have the order of the command line, each kind once") {
    CHECK(offered(ended({"illegal-edge", "illegal-edge", "reflex-hull", "illegal-edge"})) ==
          "check! differs illegal-edge! reflex-hull! ");
    CHECK(offered(ended({"illegal-edge"}, "cycling")) == "check! cycles! differs illegal-edge! ");
    CHECK(offered(ended({}, "cycling")) == "check! cycles! differs ");
    CHECK(offered(ended({"illegal-edge"}, "blocked")) == "check! differs illegal-edge! ");
    CHECK(first_shown(shrink_choices(ended({"illegal-edge"}, "cycling"))) == 0);
    for (const ShrinkChoice& choice : shrink_choices(ended({"illegal-edge", "unused-point"}, "cycling"))) {
        CHECK(choice.title != "");
        CHECK(choice.sentence != "");
        require_failure_name(choice.criterion);
    }
}

TEST_CASE("shrink choices: a state without failures has none, and failures without a name are not offered") {
    CHECK(offered(ended({})) == "");
    LabModel unchecked = ended({});
    unchecked.check.reset();
    CHECK(offered(unchecked) == "");
    CHECK(offered(ended({"no-such-code", "illegal-edge"})) == "check! differs illegal-edge! ");
    LabModel amid = ended({}, "cycling");
    amid.done = false;
    CHECK_FALSE(has_cycled(amid));
    CHECK(offered(amid) == "");
}

TEST_CASE("shrink choices: the exact triangulation is compared with one triangulation of the plane alone") {
    LabModel race = ended({"illegal-edge"});
    race.scene.beside.emplace_back();
    CHECK(offered(race) == "check! illegal-edge! ");
    LabModel torus = ended({"illegal-edge"});
    torus.scene.layers.push_back({"edges", "Edges", "", true, SegmentsLayer{}});
    CHECK(offered(torus) == "check! differs illegal-edge! ");
    torus.scene.layers.back().periodic = PeriodicBox{{0, 0}, {1, 1}};
    CHECK(offered(torus) == "check! illegal-edge! ");
}

TEST_CASE("shrink choices: points are called by what they show") {
    CHECK(points_that(1, "check") == "point that fails");
    CHECK(points_that(4, "any") == "points that fail");
    CHECK(points_that(5, "cycles") == "points whose flips cycle");
    CHECK(points_that(5, "reflex-hull") == "points with reflex-hull");
}
