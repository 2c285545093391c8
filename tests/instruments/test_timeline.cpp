// The timeline over a test machine with known steps, and over the real labs, whose hashes prove that going back is
// exact.
#include "instruments/timeline.h"

#include <algorithm>
#include <optional>
#include <random>
#include <stdexcept>

#include "delaunay/hands.h"
#include "delaunay/runs.h"
#include "events/inputs.h"
#include "flipscope/error.h"
#include "labs/counting.h"
#include "labs/recordings.h"

using namespace flipscope;

namespace {

/// Particles may overlap still where so short a run has few pushes.
bool is_sound(const CheckReport& report) {
    return report.passed || !report.checked ||
           (!report.failures.empty() && std::all_of(report.failures.begin(), report.failures.end(),
                                                    [](const auto& one) { return one.code.starts_with("overlap"); }));
}

/// A lab on a lattice gets a small one and `comparisons`: going back and forth does not depend on its size.
void make_small(Lab& algorithm, const std::string& comparisons) {
    const std::string lab = algorithm.info().id;
    if (lab == "particles") {
        // Clusters overlap at first, so forces would know no bound, and pushes no end.
        for (const auto& [name, value] :
             {std::pair("steps", "4"), {"force", "none"}, {"record", "2"}, {"push_limit", "3"}})
            set_parameter(algorithm, name, value);
        return;
    }
    if (lab != "events" && lab != "voronoi") return;
    for (const char* side : {"width", "height"}) set_parameter(algorithm, side, "160");
    if (lab == "events") set_parameter(algorithm, "comparisons", comparisons);
}

/// Points that are missing in some frames.
Input tracks_with_gaps() {
    std::mt19937 random(13);
    std::vector<std::vector<std::pair<int64_t, Point>>> frames(12);
    for (auto& frame : frames)
        for (int64_t id = 0; id < 30; ++id) {
            const double x = double(id % 6) * 10 + random() % 5, y = double(id / 6) * 10 + random() % 5;
            if (random() % 4) frame.insert(frame.begin() + random() % (frame.size() + 1), {1000 - id, {x, y}});
        }
    return tracks(frames);
}

}  // namespace

TEST_CASE_FIXTURE(Bench, "timeline: before the first reset nothing moves and nothing is known") {
    CHECK_FALSE(timeline.usable());
    CHECK(timeline.done());
    CHECK_FALSE(timeline.step());
    CHECK_FALSE(timeline.seek(3));
    CHECK_FALSE(timeline.step_level(Level::kRound));
    CHECK(timeline.position() == 0);
    CHECK(timeline.known() == 0);
}

TEST_CASE_FIXTURE(Bench, "timeline: steps by pass, iteration and round, and stops at the end") {
    reset();
    CHECK(timeline.step());
    CHECK(timeline.position() == 1);
    CHECK(timeline.step_level(Level::kIteration));
    CHECK(timeline.position() == 2);
    CHECK(timeline.step_level(Level::kRound));
    CHECK(timeline.position() == 4);
    CHECK(timeline.step_level(Level::kRound));
    CHECK(timeline.position() == 8);
    CHECK(timeline.run_to_end());
    CHECK(timeline.position() == 40);
    CHECK(timeline.done());
    CHECK_FALSE(timeline.step());
    CHECK_FALSE(timeline.step_level(Level::kPass));
    CHECK(timeline.known() == 40);
    for (uint64_t i = 0; i < 40; ++i) CHECK(timeline.result(i).counters[0] == static_cast<int64_t>(i + 1));
}

TEST_CASE_FIXTURE(Bench, "timeline: going back keeps what is known, and stepping over it again appends nothing") {
    reset();
    CHECK(timeline.back(Level::kPass));  // stays at the start
    CHECK(timeline.position() == 0);
    timeline.seek(19);
    CHECK(timeline.back(Level::kPass));
    CHECK(timeline.position() == 18);
    CHECK(machine.at == 18);
    CHECK(timeline.back(Level::kIteration));
    CHECK(timeline.position() == 16);
    CHECK(timeline.back(Level::kRound));
    CHECK(timeline.position() == 12);
    CHECK(timeline.known() == 19);
    timeline.step();
    CHECK(timeline.position() == 13);
    CHECK(timeline.known() == 19);
    CHECK(timeline.back(Level::kRound));
    CHECK(timeline.position() == 12);
    CHECK(timeline.seek(19));
    CHECK(timeline.known() == 19);
    timeline.step();
    CHECK(timeline.known() == 20);
    CHECK(timeline.result(19).counters[0] == 20);
}

TEST_CASE_FIXTURE(Bench, "timeline: a seek run can be interrupted anywhere and resumed by asking again") {
    reset();
    CHECK_FALSE(timeline.run_to_end(patience(5)));
    CHECK(timeline.position() == 5);
    CHECK_FALSE(timeline.seek(UINT64_MAX, patience(5)));
    CHECK(timeline.position() == 10);
    CHECK_FALSE(timeline.step_level(Level::kRound, patience(1)));
    CHECK(timeline.position() == 11);
    CHECK(timeline.step_level(Level::kRound, patience(1)));
    CHECK(timeline.position() == 12);
    CHECK_FALSE(timeline.seek(9, patience(2)));  // from the start again: no keyframe is nearer
    CHECK(timeline.position() == 2);
    CHECK(machine.at == 2);
    CHECK(timeline.known() == 12);
    CHECK(timeline.seek(9));
    CHECK(timeline.position() == 9);
    CHECK(timeline.seek(40, patience(31)));  // told to stop just as it arrived
}

TEST_CASE_FIXTURE(Bench, "timeline: keyframes are taken at the ends of rounds, where stepping took long enough") {
    machine.pass_ms = 9;
    reset();
    timeline.run_to_end();
    // A round takes 36 ms, and a keyframe is due every 30 ms: one at each of ten ends, and the start.
    CHECK(timeline.keyframe_count() == 11);
    CHECK(timeline.keyframe_bytes() == timeline.keyframe_count() * machine.snapshot_bytes);
    CHECK_FALSE(machine.saved_within_round);
    machine.pass_ms = 0;
    const uint64_t before = machine.steps_run;
    timeline.seek(39);
    CHECK(machine.steps_run - before == 3);  // from the keyframe at 36
    CHECK(machine.at == 39);
}

TEST_CASE_FIXTURE(Bench, "timeline: keyframes stay within their budget, and the one at the start stays") {
    machine.pass_ms = 9;
    timeline.set_keyframe_budget(3500);
    reset();
    while (timeline.step()) CHECK(timeline.keyframe_bytes() <= 3500);
    CHECK(timeline.keyframe_count() >= 2);
    timeline.set_keyframe_budget(1500);
    CHECK(timeline.keyframe_count() == 1);
    machine.pass_ms = 0;
    for (const uint64_t target : {17, 3, 40, 0, 39}) {
        CHECK(timeline.seek(target));
        CHECK(machine.at == target);
    }
    timeline.set_keyframe_budget(10);
    CHECK(timeline.keyframe_count() == 1);
    CHECK(timeline.seek(5));
    CHECK(machine.at == 5);
}

TEST_CASE_FIXTURE(Bench, "timeline: without a budget nothing is saved, and the way back is refused") {
    timeline.set_keyframe_budget(0);
    reset();
    timeline.seek(10);
    CHECK(machine.saves == 0);
    CHECK(timeline.keyframe_count() == 0);
    CHECK_THROWS_AS(timeline.seek(3), std::logic_error);
    CHECK(timeline.position() == 10);
    CHECK(timeline.seek(12));
}

TEST_CASE("timeline: after a cancelled step it goes back to the newest keyframe, and what was known stays known") {
    for (const bool slow : {false, true}) {
        Bench bench;
        bench.machine.pass_ms = slow ? 9 : 0;
        bench.reset();
        bench.machine.cancel_at = 32;  // in the eighth round
        CHECK_THROWS_AS(bench.timeline.run_to_end(), Cancelled);
        CHECK_FALSE(bench.timeline.usable());
        CHECK(bench.timeline.can_recover());
        CHECK(bench.timeline.done());
        CHECK(bench.timeline.known() == 31);
        CHECK_FALSE(bench.timeline.step());
        CHECK_FALSE(bench.timeline.seek(0));
        bench.machine.at = 99;  // in the middle of a pass it is nowhere
        bench.timeline.recover();
        CHECK(bench.timeline.usable());
        CHECK_FALSE(bench.timeline.can_recover());
        CHECK(bench.timeline.position() % 4 == 0);
        CHECK(bench.timeline.position() == bench.machine.at);
        CHECK(bench.timeline.position() == (slow ? 28 : 0));
        CHECK(bench.timeline.known() == 31);
        bench.machine.pass_ms = 0;
        CHECK_THROWS_AS(bench.timeline.run_to_end(), Cancelled);
        bench.machine.cancel_at = 0;
        bench.timeline.recover();
        CHECK(bench.timeline.run_to_end());
        CHECK(bench.timeline.position() == 40);
        for (uint64_t i = 0; i < 40; ++i) CHECK(bench.timeline.result(i).counters[0] == static_cast<int64_t>(i + 1));
    }
}

TEST_CASE_FIXTURE(Bench, "timeline: a cancelled step without keyframes leaves it empty, and a reset mends it") {
    timeline.set_keyframe_budget(0);
    reset();
    machine.cancel_at = 7;
    CHECK_THROWS_AS(timeline.run_to_end(), Cancelled);
    CHECK_FALSE(timeline.usable());
    CHECK_FALSE(timeline.can_recover());
    CHECK(timeline.known() == 0);
    timeline.recover();
    CHECK_FALSE(timeline.usable());
    machine.cancel_at = 0;
    reset();
    CHECK(timeline.usable());
    CHECK(timeline.run_to_end());
    CHECK(timeline.position() == 40);
}

TEST_CASE_FIXTURE(Bench, "timeline: the newest keyframe is young, however far apart the others are") {
    machine.pass_ms = 20;
    timeline.set_keyframe_budget(2000);  // the start and one more
    reset();
    for (int round = 0; round < 9; ++round) timeline.step_level(Level::kRound);
    CHECK(timeline.keyframe_count() == 2);
    machine.cancel_at = 39;
    CHECK_THROWS_AS(timeline.run_to_end(), Cancelled);
    machine.cancel_at = 0;
    timeline.recover();
    CHECK(timeline.position() == 32);  // renewed within 200 ms, or three rounds
    CHECK(timeline.keyframe_bytes() <= 2000);
}

TEST_CASE_FIXTURE(Bench, "timeline: rounds made again by a slower machine keep no keyframe twice") {
    machine.pass_ms = 125;
    reset();
    for (int round = 0; round < 6; ++round) timeline.step_level(Level::kRound);
    REQUIRE(timeline.position() == 24);
    const size_t frames = timeline.keyframe_count();
    REQUIRE(frames > 3);
    for (int again = 0; again < 3; ++again) {
        timeline.back(Level::kRound);
        machine.pass_ms *= 1.2;
        timeline.step_level(Level::kRound);
    }
    CHECK(timeline.keyframe_count() == frames);
    CHECK(timeline.keyframe_bytes() == 1000 * frames);
    timeline.seek(20);
    timeline.edit(move(7));
    for (int i = 0; i < 8; ++i) timeline.step();
    timeline.seek(0);
    CHECK(timeline.position() == 0);
    CHECK(timeline.run_to_end());
    CHECK(timeline.keyframe_bytes() == 1000 * timeline.keyframe_count());
}

TEST_CASE("timeline: a lab whose device is lost anywhere goes on on another one to the same end") {
    const std::string count = std::to_string(std::max<size_t>(300, case_count(1500)));
    const auto points = generated("clusters:" + count + "@seed=3");
    size_t times_lost = 0;
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const auto fresh = [&] {
            auto lab = entry.make();
            make_small(*lab, "4");
            return lab;
        };
        Context sound(DeviceRequest::kCpu, 2);
        Timeline whole(fresh());
        whole.reset(sound, points);
        whole.run_to_end();
        const uint64_t hash = whole.lab().state_hash();
        const uint64_t end = whole.position();
        for (const double part : {0.2, 0.7}) {
            INFO("lost after " << part);
            Context weak(DeviceRequest::kCpu, 2);
            Timeline timeline(fresh());
            timeline.reset(weak, points);
            timeline.seek(static_cast<uint64_t>(static_cast<double>(end) * part));
            const uint64_t there = timeline.position(), known = timeline.known();
            const uint64_t hash_there = timeline.lab().state_hash();
            weak.lose_after(1);
            bool lost = false;
            try {
                timeline.run_to_end();
            } catch (const DeviceLost&) {
                lost = true;
            }
            if (!lost) continue;  // of labs that launch nothing
            ++times_lost;
            CHECK_FALSE(timeline.usable());
            REQUIRE(timeline.can_move());
            const uint64_t reached = timeline.position();
            CHECK(reached >= there);
            timeline.move_to(fresh(), sound, points);
            REQUIRE(timeline.usable());
            CHECK(timeline.known() >= known);
            timeline.seek(there);
            CHECK(timeline.lab().state_hash() == hash_there);
            CHECK(timeline.run_to_end());
            CHECK(timeline.position() == end);
            CHECK(timeline.lab().state_hash() == hash);
        }
    }
    CHECK(times_lost > registry().size());
}

TEST_CASE("timeline: edits, and what can be undone, move to another device with it") {
    const auto points = generated("uniform:60@seed=3");
    Context weak(DeviceRequest::kCpu, 1), sound(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(weak, points, "build");
    timeline.run_to_end();
    const uint64_t unedited = timeline.lab().state_hash();
    timeline.edit(add_of({0.5, 0.5}));
    timeline.run_to_end();
    const uint64_t hash = timeline.lab().state_hash(), there = timeline.position();
    weak.lose_after(1);
    CHECK_THROWS_AS(timeline.lab().state_hash(), DeviceLost);  // no step: the timeline has not been told
    CHECK(timeline.usable());
    timeline.move_to(make_lab("build"), sound, points);
    CHECK(timeline.seek(there));
    CHECK(timeline.lab().state_hash() == hash);
    CHECK(timeline.edit_count() == 1);
    REQUIRE(timeline.undoable());
    CHECK(timeline.undo());
    CHECK(timeline.lab().state_hash() == unedited);
    CHECK(timeline.redo());
    CHECK(timeline.lab().state_hash() == hash);
}

TEST_CASE_FIXTURE(Bench, "timeline: an input that is refused changes nothing, any other failure empties it") {
    reset();
    timeline.seek(9);
    CHECK_THROWS_AS(reset(13), Error);
    CHECK(timeline.usable());
    CHECK(timeline.position() == 9);
    CHECK(timeline.known() == 9);
    CHECK(timeline.seek(4));
    CHECK_THROWS_AS(reset(14), std::bad_alloc);
    CHECK_FALSE(timeline.usable());
    CHECK(timeline.known() == 0);
}

TEST_CASE("timeline: a lab has one hash at every position, stepped, scrubbed, finished and loaded, on every device") {
    // Under a sanitizer, where all is slow, a shorter run has the same passes.
    const bool whole = case_count(100) >= 100;
    const Input points = generated(whole ? "clusters:700@seed=3" : "clusters:200@seed=3");
    const int seeks = whole ? 60 : 15;
    struct Run {
        std::string lab;
        Settings settings;
        Input input;
    };
    std::vector<Run> runs;
    for (const auto& entry : registry()) runs.push_back({entry.id, {}, points});
    for (const char* box : {"box=auto", "box=0x14"}) runs.push_back({"build", {"domain=torus", box}, points});
    for (const Settings& settings : std::initializer_list<Settings>{
             {"config=c3", "count=70", "steps=6", "record=2"},
             {"config=c0", "count=40", "steps=4", "force=long"},
             {"config=abp-dense", "count=60", "steps=6", "speed=8"},
             {"walls=y", "box=20x6", "config=c2", "count=90", "steps=8", "record=2", "diffusion=1"}})
        runs.push_back({"particles", settings, nothing()});
    runs.push_back({"recording", {}, growing("uniform:60")});
    runs.push_back({"events", {"graph=delaunay"}, tracks_with_gaps()});
    std::vector<std::vector<uint64_t>> expected(runs.size());
    for (const DeviceUnderTest& device : devices_under_test())
        for (size_t run = 0; run < runs.size(); ++run) {
            const auto& [id, settings, input] = runs[run];
            INFO(device.name, ", id ", id, ", run ", run);
            Context context(device.request, device.threads);
            if (id == "serial" && context.on_cuda()) continue;  // it is for the CPU
            const auto fresh = [&, &lab = id, &set = settings] {
                auto made = lab_with(lab, set);
                if (set.empty()) make_small(*made, whole ? "12" : "4");
                return made;
            };
            Timeline timeline(fresh());
            timeline.reset(context, input);
            std::vector<uint64_t> hashes{timeline.lab().state_hash()};
            std::optional<Snapshot> middle;  // of the first round
            while (timeline.step()) {
                hashes.push_back(timeline.lab().state_hash());
                if (!middle && timeline.result(timeline.position() - 1).ended >= Level::kRound)
                    middle = timeline.lab().save();
            }
            if (expected[run].empty()) expected[run] = hashes;
            CHECK(hashes == expected[run]);
            const uint64_t end = timeline.position();
            REQUIRE(end >= 1);
            uint64_t place = 17;  // a walk that visits near and far places
            for (int i = 0; i < seeks; ++i) {
                place = (place * 31 + 7) % (end + 1);
                REQUIRE(timeline.seek(place));
                REQUIRE(timeline.lab().state_hash() == hashes[place]);
            }
            timeline.seek(end);
            while (timeline.position() > 0) {
                timeline.back(Level::kIteration);
                REQUIRE(timeline.lab().state_hash() == hashes[timeline.position()]);
            }
            REQUIRE(timeline.known() == end);
            CHECK(timeline.run_to_end());
            CHECK(timeline.lab().done());
            CHECK(timeline.lab().state_hash() == hashes[end]);
            CHECK(is_sound(facet<Checkable>(timeline.lab()).check()));
            for (const bool loads : {false, true}) {
                const auto other = fresh();
                other->reset(context, input);
                if (loads) other->load(*middle);
                other->finish({});
                CHECK(other->state_hash() == hashes[end]);
            }
        }
}

TEST_CASE("timeline: a copy of the history may keep what is said to be unchanged, and nothing else") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, generated("quad:200"), "flip");
    std::vector<StepResult> copy;
    const auto update = [&] {
        const size_t kept = std::min<size_t>({timeline.take_unchanged(), copy.size(), timeline.known()});
        copy.resize(kept);
        for (size_t i = kept; i < timeline.known(); ++i) copy.push_back(timeline.result(i));
        for (size_t i = 0; i < copy.size(); ++i) {
            REQUIRE(copy[i].counters == timeline.result(i).counters);
            REQUIRE(copy[i].pass == timeline.result(i).pass);
        }
        return kept;
    };
    update();
    timeline.run_to_end();
    update();
    const uint64_t end = timeline.known();
    REQUIRE(end > 8);
    timeline.seek(2);
    CHECK(update() == end);  // going back changes nothing
    timeline.seek(6);
    CHECK(update() == end);
    // An edit in the past: from there on it is another history, and it may become as long as the old one.
    for (uint32_t edge = 0; timeline.known() >= end; ++edge) {
        try {
            timeline.edit(flip_of(edge));
        } catch (const Error&) {  // on the outline, or without a convex quadrilateral
        }
    }
    const uint64_t edited = timeline.position();
    timeline.run_to_end();
    CHECK(update() < edited);
    CHECK(copy.size() == timeline.known());
    timeline.reset(context, generated("quad:300"));
    CHECK(update() == 0);
}
