// Playback and seek runs on a minimal lab, on the session's worker where threads matter.
#include "app/session/playback.h"

#include "app/session/scripted_lab.h"
#include "app/session/settling.h"
#include "app/session/worker.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

struct Player {
    Rehearsal stage;
    JobLink link;
    Playback playback{link};
    Pace pace;

    explicit Player(uint64_t passes = 40) : stage(passes) { pace.budget_ms = 1e9; }
    PlaybackState at() const { return {true, stage.timeline.position(), stage.timeline.done()}; }
    uint64_t position() const { return stage.timeline.position(); }
    Stops stops;
    std::string said;  // by the last seek run that stopped
    /// Makes one seek run, as a frame of the session does; returns false if there is none.
    bool travel() {
        const auto seek_run = playback.begin_seek_run(at(), pace, stops.active(stage.lab.info()));
        if (!seek_run) return false;
        link.begin(position());
        seek_run->make(stage.timeline, link);
        playback.end_seek_run(*seek_run, stage.timeline.done());
        if (!seek_run->why().empty()) said = seek_run->why();
        return true;
    }
    void settle() {
        while (travel()) {
        }
    }
    Settling<Playback, Player> then_settle() { return {playback, *this}; }
    void play() {
        playback.play(true, at());
        playback.tick(0, pace, true);
        settle();
    }
};

}  // namespace

TEST_CASE("playback: steps, seeks and ways back reach exactly their goals") {
    Player player;
    CHECK_FALSE(player.travel());
    player.playback.step(Level::kPass);
    CHECK(player.playback.is_seeking());
    player.settle();
    CHECK(player.position() == 1);
    player.then_settle()->step(Level::kRound);
    CHECK(player.position() == 4);
    player.then_settle()->seek(11);
    CHECK(player.position() == 11);
    player.then_settle()->back(Level::kIteration, player.at(), player.stage.timeline.history());
    CHECK(player.position() == 10);
    player.then_settle()->seek_round(1);
    CHECK(player.position() == 4);
    player.then_settle()->run_to_end();
    CHECK(player.position() == 40);
    CHECK(player.playback.at_rest());
    player.then_settle()->seek(0);
    CHECK(player.position() == 0);
    player.playback.back(Level::kPass, player.at(), player.stage.timeline.history());
    CHECK(player.playback.at_rest());  // the start is the first state
}

TEST_CASE("playback: it goes to the next pass of a kind, also in several seek runs, or to the end") {
    Player player(9);
    player.pace.budget_ms = 0;  // one pass per seek run
    player.then_settle()->step_to(1);
    CHECK(player.position() == 2);
    CHECK(player.stage.timeline.result(player.position() - 1).pass == 1);
    player.playback.step_to(1);
    CHECK(player.travel());
    CHECK(player.position() == 3);
    CHECK(player.playback.is_seeking());
    player.settle();
    CHECK(player.position() == 4);
    player.playback.step_to(7);  // no such pass
    player.settle();
    CHECK(player.position() == 9);
    CHECK(player.playback.at_rest());
}

TEST_CASE("playback: passes fall due by the speed, never more than a second's worth") {
    Player player(1000);
    player.pace.speed = 10;
    const auto passes_after = [&](double elapsed_s, bool free = true) {
        player.playback.tick(elapsed_s, player.pace, free);
        const uint64_t passes = player.playback.goal() ? player.playback.goal()->count : 0;
        player.settle();
        return passes;
    };
    CHECK(passes_after(1) == 0);  // not playing
    player.playback.play(true, player.at());
    CHECK(passes_after(0) == 1);  // the first one at once
    CHECK(passes_after(0.05) == 0);
    CHECK(passes_after(0.0625) == 1);
    CHECK(passes_after(0.5, false) == 0);  // passes stay due while a job runs
    CHECK(passes_after(0) == 5);
    CHECK(passes_after(1000) == 10);
    player.pace.unlimited = true;
    CHECK(passes_after(0) == UINT64_MAX);
    CHECK(player.position() == 1000);
    CHECK(player.playback.playing());  // the session pauses it when the model says done
    CHECK(passes_after(0) == UINT64_MAX);
    CHECK_FALSE(player.playback.playing());  // at the end
}

TEST_CASE("playback: at the end it plays from the start, and with nothing to play it does not") {
    Player player;
    player.then_settle()->run_to_end();
    player.playback.play(true, player.at());
    CHECK(player.playback.playing());
    player.settle();
    CHECK(player.position() == 0);
    CHECK(player.playback.playing());
    player.playback.play(false, player.at());
    CHECK(player.playback.at_rest());
    player.playback.play(true, {true, 0, true});
    CHECK(player.playback.at_rest());
    // Without a run, the goal is dropped.
    player.playback.seek(5);
    CHECK_FALSE(player.playback.begin_seek_run({}, player.pace));
    CHECK(player.playback.at_rest());
}

TEST_CASE("playback: a seek run ends with its budget and the next one continues, but playing drops passes beyond it") {
    Player player;
    player.pace.budget_ms = 0;
    player.playback.seek(3);
    for (uint64_t position = 1; position <= 3; ++position) {
        CHECK(player.travel());
        CHECK(player.position() == position);
    }
    CHECK_FALSE(player.travel());
    player.pace.unlimited = true;
    player.playback.play(true, player.at());
    player.playback.tick(0, player.pace, true);
    CHECK(player.travel());
    CHECK(player.position() == 4);
    CHECK_FALSE(player.travel());
    // A way back ignores the budget: only its end is shown.
    player.playback.seek(2);
    CHECK(player.travel());
    CHECK(player.position() == 2);
    CHECK_FALSE(player.playback.playing());
}

TEST_CASE("playback: it stops at a step that must stop it, at a breakpoint hit if set to, and can continue") {
    for (const bool must_stop : {true, false}) {
        CAPTURE(must_stop);
        Player player;
        (must_stop ? player.stage.lab.must_stop_at : player.stage.lab.breakpoint_at) = 7;
        player.pace.unlimited = true;
        player.pace.pause_at_breakpoint = !must_stop;
        player.play();
        CHECK(player.position() == 7);
        CHECK_FALSE(player.playback.playing());
        player.play();
        CHECK(player.position() > 7);
        // A seek does not stop.
        player.then_settle()->seek(0);
        player.then_settle()->seek(9);
        CHECK(player.position() == 9);
    }
}

TEST_CASE("playback: it stops at a listed breakpoint with the reason, and can continue") {
    Player player;
    const LabInfo& info = player.stage.lab.info();
    player.stops.add("pass=odd", info);
    player.stops.add("check fails", info);
    player.stops.switch_to(0, false);
    player.stage.lab.before_pass = [&](uint64_t passes) { player.stage.lab.fails_check = passes + 1 >= 7; };
    player.pace.unlimited = true;
    player.play();
    const uint64_t first = player.position();
    CHECK(first >= 7);  // the next one that ends an iteration
    CHECK(player.said == "Stopped after pass " + std::to_string(first) + ": the check fails: it is wrong.");
    CHECK_FALSE(player.playback.playing());
    player.stops.switch_to(0, true);
    player.stops.remove(1);
    player.play();
    CHECK(player.position() > first);
    CHECK(player.stage.timeline.result(player.position() - 1).pass == 1);
    // A seek does not stop.
    player.then_settle()->run_to_end();
    CHECK(player.position() == 40);
}

TEST_CASE("playback: it finds the pass after which the check fails") {
    Player player;
    player.stage.lab.fails_check = true;  // everywhere but before the first pass, where nothing is checked
    player.then_settle()->run_to_end();
    player.then_settle()->find_failure();
    CHECK(player.position() > 0);
    CHECK(player.position() < 5);
    CHECK(player.said.find("and not before it, the check fails: it is wrong. Found by bisection") != std::string::npos);
    player.stage.lab.fails_check = false;
    player.then_settle()->find_failure();
    CHECK(player.said == "The check fails after none of the 40 passes that were made.");
}

TEST_CASE("stops: a breakpoint unknown to the lab is not added, and one of another lab is inactive") {
    Stops stops;
    const ScriptedLab lab;
    CHECK_THROWS_WITH_AS(stops.add("stepz > 3", lab.about), doctest::Contains("did you mean \"steps\"?"), Error);
    CHECK(stops.all().empty());
    stops.add(" steps > 3 ", lab.about);
    stops.switch_to(0, false);
    CHECK(stops.active(lab.about).empty());
    stops.add("steps > 3", lab.about);  // listed already: switched on
    REQUIRE(stops.all().size() == 1);
    CHECK(stops.active(lab.about).size() == 1);
    LabInfo other = lab.about;
    other.counters.clear();
    CHECK(stops.active(other).empty());
    CHECK(!Stops::refusal(stops.all()[0], other).empty());
    stops.add("steps > 9", lab.about);
    CHECK_THROWS_AS(stops.change(0, "stepz > 4", lab.about), Error);
    CHECK(stops.all()[0].text == "steps > 3");
    stops.change(0, "steps > 4", lab.about);
    CHECK(stops.all()[0].text == "steps > 4");
    CHECK(stops.all().size() == 2);
    stops.change(1, "steps > 4", lab.about);  // no duplicate
    REQUIRE(stops.all().size() == 1);
    CHECK(stops.all()[0].on);
    stops.remove(0);
    CHECK(stops.all().empty());
}

TEST_CASE("playback: on the worker's thread a seek run ends after its pass when stopped or replaced by a newer goal") {
    for (const bool replaced : {false, true}) {
        CAPTURE(replaced);
        Player player;
        Bell over, in_pass, go_on;
        player.stage.lab.before_pass = [&](uint64_t passes) {
            if (passes != 5) return;
            in_pass.ring();
            go_on.wait_for(1);
        };
        Worker worker([&] { over.ring(); });
        player.playback.run_to_end();
        const auto seek_run = player.playback.begin_seek_run(player.at(), player.pace);
        REQUIRE(seek_run);
        player.link.begin(0, 40);
        worker.start([&] { seek_run->make(player.stage.timeline, player.link); });
        in_pass.wait_for(1);
        CHECK(player.link.fraction() == 5 / 40.);
        replaced ? player.playback.seek(9) : player.playback.stop_playback();
        go_on.ring();
        over.wait_for(1);
        CHECK_FALSE(worker.collect());
        CHECK(player.position() == 6);
        CHECK_FALSE(seek_run->reached());
        player.playback.end_seek_run(*seek_run, false);
        CHECK(player.playback.at_rest() == !replaced);
        player.settle();
        CHECK(player.position() == (replaced ? 9 : 6));
    }
}
