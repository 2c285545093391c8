// Manual edits on the timeline: ordinary steps, which going back and forth repeats.
#include "labs/counting.h"

using namespace flipscope;

TEST_CASE_FIXTURE(Bench, "timeline: a manual edit is a step of its own, and the machine goes on from there") {
    reset();
    timeline.edit(move(5));  // before anything has run
    CHECK(timeline.position() == 1);
    CHECK(timeline.known() == 1);
    CHECK(timeline.result(0).counters[0] == -5);
    timeline.seek(5);
    CHECK(machine.at == 4);
    timeline.edit(move(6));
    CHECK(timeline.position() == 6);
    CHECK(timeline.result(5).counters[0] == -6);
    CHECK(machine.mark == 31 * 5 + 6);
    CHECK(timeline.run_to_end());
    CHECK(timeline.known() == 42);
    CHECK(machine.edits_made == 2);
}

TEST_CASE_FIXTURE(Bench, "timeline: planned edits are made at their places, and at the end of the run") {
    reset();
    timeline.seek(5);
    timeline.edit(move(6));
    for (const uint32_t id : {3, 4}) {
        timeline.run_to_end();
        timeline.edit(move(id));
    }
    timeline.run_to_end();
    const uint64_t by_hand = timeline.lab().state_hash(), known = timeline.known();
    const std::vector<PlacedEdit> plan{{6, move(6)}, {PlacedEdit::kAtEnd, move(3)}, {PlacedEdit::kAtEnd, move(4)}};
    reset();
    timeline.plan(plan);
    CHECK(timeline.run_to_end());
    CHECK(timeline.lab().state_hash() == by_hand);
    CHECK(timeline.known() == known);
    CHECK(timeline.edit_count() == 3);
    CHECK(timeline.follows_plan());
    // A plan that is made later goes back to its first place.
    reset();
    timeline.seek(12);
    timeline.plan(plan);
    timeline.seek(8);
    CHECK(timeline.edits().contains(6));
    timeline.run_to_end();
    CHECK(timeline.lab().state_hash() == by_hand);
    // Another edit, or undo, drops what is left of the plan.
    timeline.seek(10);
    timeline.edit(move(9));
    CHECK_FALSE(timeline.follows_plan());
    timeline.run_to_end();
    CHECK(timeline.edit_count() == 2);
    reset();
    timeline.plan(plan);
    timeline.seek(8);
    CHECK(timeline.undo());
    timeline.run_to_end();
    CHECK(timeline.edit_count() == 0);
}

TEST_CASE_FIXTURE(Bench,
                  "timeline: an edit planned where none can be made is refused, and the run goes on without it") {
    reset();
    timeline.plan({{5, move(1)}});  // within an iteration, which ends after pass 6
    CHECK_THROWS_WITH_AS(
        timeline.run_to_end(),
        "the edit after pass 5: edits are made between iterations; the next such place is after pass 6", Error);
    CHECK(timeline.run_to_end());
    CHECK(timeline.edit_count() == 0);
    timeline.plan({{1000, move(1)}});
    CHECK_THROWS_WITH_AS(timeline.run_to_end(),
                         "there is no place for the edit after pass 1000: the run ends after pass 40", Error);
    CHECK(timeline.run_to_end());
}

TEST_CASE_FIXTURE(Bench, "timeline: an edit at the end sets it going again, and going back and forth repeats it") {
    reset();
    timeline.run_to_end();
    const uint64_t before = timeline.lab().state_hash();
    timeline.edit(move(3));
    CHECK_FALSE(timeline.done());
    CHECK(timeline.position() == 41);
    timeline.edit(move(4));  // one after the other, with nothing run between them
    CHECK(timeline.run_to_end());
    CHECK(timeline.known() == 50);
    CHECK(timeline.done());
    timeline.seek(40);
    CHECK(timeline.lab().state_hash() == before);
    CHECK_FALSE(timeline.done());  // the machine is, but an edit is known to follow
    timeline.step();
    CHECK(machine.mark == 3);
    timeline.step();
    CHECK(machine.mark == 31 * 3 + 4);
    CHECK(timeline.known() == 50);
    CHECK(timeline.run_to_end());
    CHECK(timeline.position() == 50);
}

TEST_CASE_FIXTURE(Bench, "timeline: an edit forgets the future it changes, and the edits in it") {
    reset();
    timeline.seek(8);
    timeline.edit(move(1));
    timeline.seek(15);
    timeline.edit(move(2));
    timeline.run_to_end();
    CHECK(timeline.known() == 42);
    timeline.seek(5);  // amid an iteration, whose end comes first
    timeline.edit(move(7));
    CHECK(timeline.position() == 7);
    CHECK(timeline.known() == 7);
    CHECK(machine.mark == 7);
    CHECK(timeline.run_to_end());
    CHECK(timeline.known() == 41);
    CHECK(machine.mark == 7);
    timeline.seek(6);  // another one in the place of the last
    timeline.edit(move(9));
    CHECK(timeline.known() == 7);
    CHECK(machine.mark == 9);
    timeline.seek(0);
    timeline.seek(7);
    CHECK(machine.mark == 9);
}

TEST_CASE_FIXTURE(Bench, "timeline: an edit that is refused changes nothing but the iteration it waited for") {
    reset();
    timeline.edit(move(5));
    timeline.seek(20);
    timeline.seek(4);
    CHECK_THROWS_AS(timeline.edit(move(13)), Error);
    CHECK(timeline.usable());
    CHECK(timeline.position() == 5);
    CHECK(timeline.known() == 20);
    CHECK(machine.mark == 5);
    CHECK(timeline.seek(20));
    CHECK(timeline.known() == 20);
    CHECK(machine.mark == 5);
}

TEST_CASE_FIXTURE(Bench, "timeline: what goes on where no stroke has just been made begins a step") {
    reset();
    timeline.edit(stroke({2}, true));  // nothing to go on with
    CHECK(timeline.known() == 1);
    CHECK(machine.mark == 33);
    timeline.seek(5);
    timeline.edit(stroke({3}, true));  // passes have run since
    CHECK(timeline.known() == 6);
    timeline.edit(stroke({4}, true));
    CHECK(timeline.known() == 6);
    timeline.edit(move(7));
    timeline.edit(stroke({5}, true));  // another edit has been made since
    CHECK(timeline.known() == 8);
    Edit wider = stroke({6}, true);
    wider.radius = 3;
    timeline.edit(wider);
    CHECK(timeline.known() == 9);
    timeline.seek(0);
    timeline.seek(9);
    wider.path = {{8, 0}};
    timeline.edit(wider);  // one has gone back and come again
    CHECK(timeline.known() == 10);
    CHECK(timeline.run_to_end());
    // A refused edit does not change the stroke.
    timeline.edit(stroke({2}));
    const uint64_t mark = machine.mark, known = timeline.known();
    Edit refused = stroke({3}, true);
    refused.id = 13;
    CHECK_THROWS_AS(timeline.edit(refused), Error);
    CHECK(timeline.known() == known);
    timeline.edit(stroke({4}, true));
    CHECK(timeline.known() == known);
    CHECK(machine.mark == 31 * mark + 4);
}

TEST_CASE_FIXTURE(Bench, "timeline: a new input forgets the edits of the old one") {
    reset();
    timeline.edit(move(5));
    reset();
    CHECK(timeline.known() == 0);
    CHECK(timeline.run_to_end());
    CHECK(timeline.known() == 40);
    CHECK(machine.mark == 0);
}
