// Undo and redo of manual edits: they restore the timeline, with all known steps.
#include "labs/counting.h"

using namespace flipscope;

namespace {

struct TimelineState {
    uint64_t position, known, hash;
    size_t edits;
    bool operator==(const TimelineState&) const = default;
};

TimelineState state_of(const Timeline& timeline) {
    return {timeline.position(), timeline.known(), timeline.lab().state_hash(), timeline.edit_count()};
}

doctest::String toString(const TimelineState& state) {
    return ("position " + std::to_string(state.position) + " of " + std::to_string(state.known) + ", " +
            std::to_string(state.edits) + " edits, state " + std::to_string(state.hash))
        .c_str();
}

Edit drag(std::vector<double> places, uint32_t id, bool goes_on) {
    Edit edit = stroke(std::move(places), goes_on, id);
    edit.kind = Edit::Kind::kMoveVertex;
    return edit;
}

}  // namespace

TEST_CASE("timeline: an edit taken back leaves the run that was there, and made again the run with it") {
    for (const int pass_ms : {0, 9}) {  // without keyframes on the way, and with some
        Bench bench;
        bench.machine.pass_ms = pass_ms;
        bench.reset();
        Timeline& timeline = bench.timeline;
        CHECK_FALSE(timeline.undoable());
        CHECK_FALSE(timeline.undo());
        timeline.run_to_end();
        timeline.seek(8);
        const TimelineState before = state_of(timeline);
        CHECK(before.known == 40);
        timeline.edit(move(5));
        timeline.run_to_end();
        timeline.seek(21);
        const TimelineState after = state_of(timeline);
        REQUIRE(timeline.undoable());
        CHECK(*timeline.undoable() == Edit::Kind::kMoveVertex);
        timeline.take_unchanged();
        CHECK(timeline.undo());
        CHECK(state_of(timeline) == before);
        CHECK(timeline.take_unchanged() == 8);
        CHECK(timeline.result(39).counters[0] == 40);  // known again, without being run
        CHECK_FALSE(timeline.undoable());
        CHECK(timeline.redo());
        CHECK(state_of(timeline) == after);
        CHECK(timeline.take_unchanged() == 8);
        CHECK(timeline.result(8).counters[0] == -5);
        CHECK_FALSE(timeline.redoable());
        // Every step comes out as it was, in both.
        for (int round = 0; round < 2; ++round) {
            timeline.seek(0);
            CHECK(timeline.run_to_end());
            CHECK(timeline.known() == (round == 0 ? 41 : 40));
            timeline.undo();
        }
    }
}

TEST_CASE_FIXTURE(Bench, "timeline: edits are taken back in the order in which they were made, wherever they are") {
    machine.pass_ms = 9;
    reset();
    std::vector<TimelineState> states;
    const auto make = [&](uint32_t id) {
        states.push_back(state_of(timeline));
        timeline.edit(move(id));
    };
    timeline.seek(20);
    make(1);
    timeline.run_to_end();
    make(2);
    timeline.seek(10);  // in the past: what came after is another run, with both edits
    make(3);
    timeline.seek(31);
    make(4);
    timeline.seek(3);  // amid an iteration, whose end comes first
    make(5);
    timeline.run_to_end();
    const TimelineState end = state_of(timeline);
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
        REQUIRE(timeline.undo());
        CHECK(state_of(timeline) == *state);
    }
    CHECK_FALSE(timeline.undo());
    for (size_t i = 1; i <= states.size(); ++i) {
        REQUIRE(timeline.redo());
        if (i < states.size()) CHECK(state_of(timeline).known >= states[i].known);
    }
    CHECK_FALSE(timeline.redo());
    CHECK(state_of(timeline) == end);
    timeline.undo();
    CHECK(timeline.edit_count() == 2);
    timeline.undo();
    timeline.undo();
    CHECK(timeline.edit_count() == 2);  // those that the third took the place of
    timeline.seek(0);
    CHECK(timeline.run_to_end());
    CHECK(machine.mark == 31 * 1 + 2);
}

TEST_CASE_FIXTURE(Bench, "timeline: an edit after one that was taken back takes its place") {
    reset();
    timeline.edit(move(1));
    timeline.edit(move(2));
    CHECK(timeline.undo());
    CHECK(timeline.redoable());
    CHECK_THROWS_AS(timeline.edit(move(13)), Error);  // what is refused changes nothing
    CHECK(timeline.redoable());
    timeline.edit(move(3));
    CHECK_FALSE(timeline.redo());
    CHECK(machine.mark == 31 * 1 + 3);
    CHECK(timeline.undo());
    CHECK(timeline.undo());
    CHECK(machine.mark == 0);
    CHECK(timeline.edit_count() == 0);
    reset();
    CHECK_FALSE(timeline.redo());  // another run
}

TEST_CASE("timeline: a drag is one step, taken back as a whole") {
    for (const int pass_ms : {0, 9}) {
        Bench bench;
        bench.machine.pass_ms = pass_ms;
        bench.reset();
        Timeline& timeline = bench.timeline;
        timeline.run_to_end();
        const TimelineState before = state_of(timeline);
        timeline.edit(drag({}, 7, false));
        timeline.take_unchanged();
        timeline.edit(drag({2, 3}, 9, true));
        CHECK(timeline.take_unchanged() ==
              before.known);  // the step is another one now; ids may have changed on the way: it is still the same one
        timeline.edit(drag({4}, 7, true));
        CHECK(timeline.known() == before.known + 1);
        CHECK(timeline.edit_count() == 1);
        CHECK(timeline.result(before.known).counters[0] == -7);
        CHECK(bench.machine.mark == ((7 * 31 + 2) * 31 + 3) * 31 + 4);
        const TimelineState after = state_of(timeline);
        timeline.seek(0);
        timeline.seek(after.position);
        CHECK(state_of(timeline) == after);
        CHECK(timeline.undo());
        CHECK(state_of(timeline) == before);
        CHECK(timeline.redo());
        CHECK(state_of(timeline) == after);
        timeline.edit(drag({5}, 7, true));  // it was let go in between: another drag
        CHECK(timeline.known() == before.known + 2);
    }
}

TEST_CASE_FIXTURE(Bench, "timeline: keyframes of a run that was left are there when it is gone back to") {
    machine.pass_ms = 9;
    reset();
    machine.last = 4000;
    timeline.run_to_end();
    timeline.seek(4);
    timeline.edit(move(1));
    CHECK(timeline.undo());
    machine.steps_run = 0;
    timeline.seek(3000);
    CHECK(machine.steps_run < 500);
    CHECK(timeline.redo());
    CHECK(timeline.undo());
    timeline.seek(2000);
    machine.steps_run = 0;
    CHECK(timeline.redo());
    CHECK(timeline.undo());
    CHECK(timeline.position() == 2000);
    CHECK(machine.steps_run < 500);
}

TEST_CASE_FIXTURE(Bench, "timeline: what can be taken back needs bounded memory, and the last edit always can be") {
    machine.pass_ms = 9;
    machine.snapshot_bytes = 10000;
    timeline.set_keyframe_budget(200000);
    reset();
    size_t undone = 0;
    for (uint32_t i = 1; i <= 1000; ++i) {
        timeline.edit(move(i == 13 ? 14 : i));
        timeline.seek(timeline.position() + 4);
        REQUIRE(timeline.keyframe_bytes() <= 200000);
    }
    CHECK(timeline.edit_count() == 1000);
    const TimelineState end = state_of(timeline);
    while (timeline.undo()) ++undone;
    CHECK(undone >= 1);
    CHECK(undone <= Timeline::kMostChanges);
    CHECK(timeline.edit_count() == 1000 - undone);
    while (timeline.redo()) {
    }
    CHECK(state_of(timeline) == end);
}

TEST_CASE_FIXTURE(Bench, "timeline: cancelled on the way to an edit made again, it goes back to a sound state") {
    reset();
    timeline.edit(move(1));
    timeline.seek(30);
    CHECK(timeline.undo());
    machine.cancel_at = 20;
    CHECK_THROWS_AS(timeline.redo(), Cancelled);
    CHECK(timeline.can_recover());
    CHECK_FALSE(timeline.undo());
    machine.cancel_at = 0;
    timeline.recover();
    CHECK(timeline.edit_count() == 1);
    CHECK(timeline.known() == 30);
    CHECK(timeline.run_to_end());
    CHECK(machine.mark == 1);
    CHECK(timeline.undo());
    CHECK(timeline.run_to_end());
    CHECK(machine.mark == 0);
}

TEST_CASE_FIXTURE(Bench, "timeline: where steps do not repeat themselves, edits of a lost time cannot be taken back") {
    reset();
    timeline.seek(20);
    timeline.edit(move(1));
    timeline.seek(4);
    machine.generation = 1;
    timeline.seek(8);
    CHECK(timeline.edit_count() == 0);
    CHECK_FALSE(timeline.undo());
    CHECK(timeline.run_to_end());
}

TEST_CASE_FIXTURE(Bench, "timeline: without keyframes there is no way back, and no edit that can be taken back") {
    timeline.set_keyframe_budget(0);
    reset();
    timeline.edit(move(1));
    CHECK_FALSE(timeline.undoable());
    CHECK_FALSE(timeline.undo());
    CHECK(timeline.run_to_end());
}
