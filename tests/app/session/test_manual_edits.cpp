// Manual edits and undo on a lab without a session.
#include "app/session/manual_edits.h"

#include "app/session/lab_bench.h"
#include "app/session/run_parameters.h"
#include "app/session/undo.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("manual edits: where there is no vertex, none is held and none is removed") {
    LabBench bench("build", "uniform:60");
    if (!bench) return;
    ManualEdits edits(*bench.worker);
    edits.grab({{-5, -5}, 0.01, {}, 0});
    CHECK(edits.drag_state() == ManualEdits::DragState::kPending);
    bench.settle();
    CHECK(edits.drag_state() == ManualEdits::DragState::kMissed);
    edits.remove_vertex(Probe{{-5, -5}, 0.01, {}, 0});
    bench.settle();
    CHECK(bench.said() == "There is no vertex here that could be removed.");
    CHECK(bench.model().edits == 0);
}

TEST_CASE("manual edits: a click in the Serial lab is followed by the passes that insert the point") {
    for (const char* points : {"uniform:30", "uniform:0"}) {
        LabBench bench("serial", points);
        if (!bench) return;
        ManualEdits edits(*bench.worker);
        Undo undo(*bench.worker, edits);
        for (const Point place : {Point{0.5, 0.5}, Point{1.5, 0.25}, Point{0.25, 0.75}, Point{0.5, 0.25}}) {
            edits.add_vertex({place.x, place.y, 0}, 0);
            bench.settle();
        }
        // The last point is not inserted yet; each earlier click was completed by the next one.
        CHECK(bench.model().edits == 4);
        REQUIRE(bench.worker->playback().goal());
        CHECK(bench.worker->playback().goal()->kind == Goal::Kind::kLevel);
        const uint64_t clicked = bench.model().position;
        CHECK_FALSE(bench.model().done);
        bench.seek(UINT64_MAX);
        CHECK(bench.model().done);
        CHECK(bench.model().position > clicked + 2);
        undo.undo();
        bench.settle();
        CHECK(bench.model().edits == 3);
        CHECK(bench.model().position < clicked);
    }
}

TEST_CASE("undo: asks before edits are discarded, and restores a replaced input if there are none") {
    LabBench bench("build", "uniform:60");
    if (!bench) return;
    ManualEdits edits(*bench.worker);
    Undo undo(*bench.worker, edits);
    int done = 0;
    const auto discard = [&] { undo.confirm_discard_edits("Loading points.xy", "Load", [&] { ++done; }); };
    discard();
    CHECK(done == 1);
    edits.add_vertex({0.5, 0.5, 0}, 0);
    discard();  // the edit is still queued
    REQUIRE(undo.question());
    CHECK(undo.question()->text.find("Loading points.xy leaves 1 manual edit behind") == 0);
    undo.answer(false);
    CHECK(done == 1);
    discard();
    undo.answer(true);
    CHECK(done == 2);
    bench.settle();
    CHECK(bench.model().edits == 1);
    undo.undo();
    bench.settle();
    CHECK(bench.model().edits == 0);
    CHECK(bench.said() == "Taken back: adding a point. Ctrl+Shift+Z makes it again.");
    int back = 0;
    undo.replaces_input(bench.worker->input(), [&] { ++back; });
    for (int i = 0; i < 2; ++i) {
        undo.undo();
        bench.settle();
        CHECK(back == 1);
    }
    CHECK(bench.said() == "There is no manual edit to take back.");
}

TEST_CASE("run parameters: the value in use is not a draft, and dropping a draft restores it") {
    LabBench bench("build", "uniform:20");
    if (!bench) return;
    ManualEdits edits(*bench.worker);
    RunParameters parameters(*bench.worker, edits);
    const std::string in_use = parameters.value(1), name = bench.model().parameters.at(1).name;
    parameters.set(1, "");  // an empty text is a value
    CHECK(parameters.value(1).empty());
    CHECK(parameters.drafts() == std::vector<Parameter>{{name, ""}});
    CHECK_FALSE(parameters.can_change_now());
    parameters.set(1, in_use);
    CHECK_FALSE(parameters.has_drafts());
    parameters.set(1, "other");
    parameters.drop_drafts();
    CHECK(parameters.value(1) == in_use);
}
