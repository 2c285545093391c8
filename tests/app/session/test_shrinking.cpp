// The background search for the fewest failing points: progress, result, early end.
#include "app/session/shrinking.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "app/bell.h"
#include "app/judging/failing.h"
#include "compute/context.h"
#include "geometry/generators.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

using Now = Shrinking::State;

Scenario task_of(const std::string& points, const Parameter& parameter, const std::string& failure = "check") {
    Scenario task;
    task.lab = "build";
    task.parameters = {parameter};
    task.places_given = generate(parse_generator(points)).points;
    task.title = points;
    task.failure = failure;
    return task;
}
Scenario ring(uint32_t points) {
    return task_of("near-ring:" + std::to_string(points), {"predicate", "float-circumcentre"});
}

/// Waits until `wanted` holds; returns the last progress.
template <class Wanted>
Shrinking::Progress wait_for(const Shrinking& shrinking, const Wanted& wanted) {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        Shrinking::Progress now = shrinking.progress();
        if (wanted(now)) return now;
        REQUIRE(std::chrono::steady_clock::now() - begin < std::chrono::minutes(5));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

bool has_ended(const Shrinking::Progress& progress) { return progress.state == Now::kEnded; }

bool still_fails(const Scenario& task, const std::vector<Point>& points) {
    Context context(DeviceRequest::kCpu, 1);
    return FailingLab(context, task, task.failure).run(points).fails;
}

}  // namespace

TEST_CASE("shrinking: the remaining points grow fewer, and the result is small and fails") {
    Bell bell;
    Shrinking shrinking([&] { bell.ring(); });
    CHECK(shrinking.progress().state == Now::kNone);
    CHECK(shrinking.best().empty());
    const Scenario task = ring(300);
    shrinking.start(task);
    size_t points = SIZE_MAX;
    uint64_t tests = 0;
    const Shrinking::Progress end = wait_for(shrinking, [&](const Shrinking::Progress& now) {
        CHECK(now.given == 300);
        CHECK(now.tests >= tests);
        tests = now.tests;
        if (now.any()) {
            CHECK(now.points <= points);
            points = now.points;
        }
        return has_ended(now);
    });
    bell.wait_for(1);
    CHECK(end.why == "");
    CHECK(end.complete);
    CHECK_FALSE(end.cancelling);
    CHECK(end.tests > 5);
    CHECK(end.seconds > 0);
    CHECK(end.points < 13);
    CHECK(end.sentence != "");
    CHECK(shrinking.best().size() == end.points);
    CHECK(still_fails(task, shrinking.best()));
    CHECK(shrinking.title(end.points) == std::to_string(end.points) + " points that fail, of near-ring:300");
    CHECK(shrinking.progress().seconds == end.seconds);  // stopped clock
    shrinking.close();
    CHECK(shrinking.progress().state == Now::kNone);
    CHECK(shrinking.best().empty());
}

TEST_CASE("shrinking: cancelled early it keeps the best so far, which fails; a new search starts from scratch") {
    Shrinking shrinking;
    const Scenario task = ring(50000);
    shrinking.start(task);
    wait_for(shrinking, [](const Shrinking::Progress& now) { return now.points > 0 && now.points < 50000; });
    shrinking.cancel();
    const Shrinking::Progress end = wait_for(shrinking, has_ended);
    CHECK(end.cancelling != end.complete);  // it may have completed first
    CHECK(end.why == "");
    REQUIRE(end.any());
    CHECK(end.points < 50000);
    CHECK(shrinking.best().size() == end.points);
    CHECK(still_fails(task, shrinking.best()));
    shrinking.cancel();  // nothing to cancel
    CHECK(shrinking.progress().state == Now::kEnded);

    Scenario of_those = ring(100);
    of_those.title = shrinking.title(100);
    shrinking.start(of_those);
    CHECK(shrinking.title(5) == "5 points that fail, of near-ring:50000");  // names the original source
    CHECK(shrinking.progress().given == 100);
    CHECK_FALSE(shrinking.progress().cancelling);
    const Shrinking::Progress again = wait_for(shrinking, has_ended);
    CHECK(again.why == "");
    CHECK(again.points < 100);
    CHECK(still_fails(ring(100), shrinking.best()));
}

TEST_CASE("shrinking: without a failure to shrink, it gives the reason and has no result") {
    Shrinking shrinking;
    const auto refused = [&](const Scenario& task) {
        shrinking.start(task);
        const Shrinking::Progress end = wait_for(shrinking, has_ended);
        CHECK_FALSE(end.any());
        CHECK(shrinking.best().empty());
        return end.why;
    };
    Scenario task = ring(50);
    task.parameters = {{"predicate", "exact"}};
    CHECK(refused(task).find("do not fail") != std::string::npos);
    task.lab = "no such lab";
    CHECK(refused(task).find("no such lab") != std::string::npos);
    task = ring(50);
    task.parameters = {{"predicate", "no such predicate"}};
    CHECK(refused(task).find("predicate") != std::string::npos);
    task = ring(50);
    task.failure = "no such failure";
    CHECK(refused(task).find("no such failure") != std::string::npos);
    for (const size_t few : {0, 1, 2}) {
        task = ring(50);
        task.places_given.resize(few);
        CHECK(refused(task) != "");
    }
}

TEST_CASE("shrinking: it can end at any time, by its destruction or by a new search") {
    for (const int wait_ms : {0, 1, 20}) {
        Shrinking shrinking;
        shrinking.start(ring(50000));
        std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
        if (wait_ms == 1) shrinking.start(ring(50000));
    }
    Shrinking shrinking;
    shrinking.start(ring(50000));
    shrinking.cancel();
    const Shrinking::Progress end = wait_for(shrinking, has_ended);
    CHECK(end.cancelling);
    CHECK(end.any() == end.why.empty());
}

TEST_CASE("shrinking: the remaining points show the wanted failure, also if only the lab's check detects it") {
    for (const std::string fails : {"reflex-hull", "differs"}) {
        CAPTURE(fails);
        const std::string text = fails == "differs" ? "near-ring:300" : "uniform:400@x=5000000,y=5000000";
        const Scenario task = task_of(text, {"predicate", "float-circumcentre"}, fails);
        Shrinking shrinking;
        shrinking.start(task);
        const Shrinking::Progress end = wait_for(shrinking, has_ended);
        CHECK(end.why == "");
        CHECK(end.complete);
        CHECK(end.points < 10);
        CHECK(still_fails(task, shrinking.best()));
    }
    // On a torus only the check counts: the exact triangulation of the plane differs.
    const Scenario torus = task_of("uniform:60", {"domain", "torus"}, "illegal-edge");
    Shrinking shrinking;
    shrinking.start(torus);
    const Shrinking::Progress end = wait_for(shrinking, has_ended);
    CHECK_FALSE(end.any());
    CHECK(end.why.find("do not fail: no illegal-edge; ") != std::string::npos);
}
