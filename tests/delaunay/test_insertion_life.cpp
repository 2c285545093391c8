// The life of one Build lab: saved and loaded, cancelled, given one input after the other, with recorded states and
// without.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "cancel_polls.h"
#include "compute/error.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/runs.h"

using namespace flipscope;

TEST_CASE("insertion: a snapshot of the end of any round goes on to the very same states") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        for (const char* text : {"uniform:600", "grid:400", "duplicates:300", "line:50", "rings:300", "uniform:2"})
            for (const Settings& settings :
                 {Settings{}, Settings{"flip_limit=1"}, Settings{"enclosure=supertriangle", "flip_limit=2"},
                  Settings{"flips=off"}, Settings{"predicate=float-circumcentre"}}) {
                INFO(device.name, ", ", text, " ", settings.empty() ? "" : settings.back());
                const auto lab = lab_with("build", settings);
                lab->reset(context, generated(text));
                std::vector<uint64_t> hashes{lab->state_hash()}, states{hash_of_states(*lab)};
                std::map<size_t, Snapshot> snapshots;
                snapshots.emplace(0, lab->save());
                while (!lab->done()) {
                    const StepResult result = lab->step();
                    hashes.push_back(lab->state_hash());
                    states.push_back(hash_of_states(*lab));
                    if (result.ended >= Level::kRound)
                        snapshots.emplace(hashes.size() - 1, lab->save());
                    else
                        CHECK_THROWS_AS(lab->save(), std::logic_error);
                }
                const auto play_from = [&](size_t at, size_t steps) {
                    lab->load(snapshots.at(at));
                    size_t wrong = 0, wrong_marks = 0;
                    for (size_t i = at;; ++i) {
                        wrong += lab->state_hash() != hashes[i];
                        wrong_marks += i + 1 < hashes.size() && hash_of_states(*lab) != states[i];
                        if (lab->done() || i == at + steps) break;
                        lab->step();
                    }
                    CHECK(wrong == 0);
                    CHECK(wrong_marks == 0);
                };
                const size_t last = std::prev(snapshots.end())->first;
                const size_t middle = std::next(snapshots.begin(), long(snapshots.size() / 2))->first;
                play_from(last, 10);
                play_from(middle, 20);  // back, after going on
                play_from(0, 1);        // to the very start, and one pass
                play_from(middle, 7);   // and later again without the passes between
                play_from(0, 0);        // the start, and nothing
                play_from(last, 1);     //
                play_from(middle, hashes.size());
                play_from(0, hashes.size());
                lab->load(snapshots.at(middle));
                lab->finish({});
                CHECK(lab->state_hash() == hashes.back());
            }
    }
}

TEST_CASE("insertion: snapshots of other algorithms and of larger inputs are refused") {
    Context context(DeviceRequest::kCpu, 1);
    const Snapshot small = finished(context, generated("uniform:10"))->save();
    const Snapshot large = finished(context, generated("uniform:1000"))->save();
    const Snapshot serial = finished(context, generated("uniform:10"), "serial")->save();
    const auto refuse = [&](const char* id, const Snapshot& snapshot) {
        const auto lab = finished(context, generated("uniform:10"), id);
        CHECK_THROWS_AS(lab->load(snapshot), std::logic_error);
        lab->reset(context, generated("uniform:100"));
        lab->finish({});
        CHECK(facet<Checkable>(*lab).check().passed);
    };
    refuse("build", large);
    refuse("build", serial);
    refuse("build", Snapshot{});
    refuse("serial", small);
    refuse("serial", Snapshot{});
}

TEST_CASE("insertion: after every round finish() is where stepping is") {
    const std::string n = std::to_string(case_count(8000));
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        for (const char* name : {"uniform:", "grid:", "clusters:", "ring:", "duplicates:"})
            for (const Settings& settings : {Settings{}, Settings{"enclosure=supertriangle", "vote=lowest"},
                                             Settings{"flip_limit=1"}, Settings{"predicate=double-circumcentre"}}) {
                INFO(device.name, ", ", name, n, " ", settings.empty() ? "" : settings[0]);
                const auto lab = lab_with("build", settings);
                std::vector<uint64_t> by_steps, by_rounds;
                lab->reset(context, generated(name + n));
                while (!lab->done())
                    if (lab->step().ended >= Level::kRound) by_steps.push_back(lab->state_hash());
                lab->reset(context, generated(name + n));
                lab->finish([&](const StepResult&) { by_rounds.push_back(lab->state_hash()); });
                CHECK(by_rounds == by_steps);
            }
    }
}

TEST_CASE("insertion: a run that is cancelled, in whichever pass, starts over as if nothing had been") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        const Input input = generated("uniform:2500"), other = generated("grid:400");
        for (const char* id : {"build", "serial"}) {
            if (std::string(id) == "serial" && context.on_cuda()) continue;
            INFO(device.name, ", ", id);
            const uint64_t expected = finished(context, other, id)->state_hash();
            const auto lab = lab_with(id);
            for (int pass = 0; pass < 40; ++pass) {
                lab->reset(context, input);
                for (int i = 0; i < pass; ++i) lab->step();
                context.cancel();
                CHECK_THROWS_AS(lab->step(), Cancelled);
                context.clear_cancel();
                lab->reset(context, other);
                if (pass % 2)
                    lab->finish({});
                else
                    while (!lab->done()) lab->step();
                CHECK(lab->state_hash() == expected);
                CHECK(facet<Checkable>(*lab).check().passed);
            }
            lab->reset(context, input);
            int rounds = 0;
            CHECK_THROWS_AS(lab->finish([&](const StepResult&) {
                if (++rounds == 3) context.cancel();
            }),
                            Cancelled);
            context.clear_cancel();
            CHECK(rounds == 3);
            lab->reset(context, other);
            lab->finish({});
            CHECK(lab->state_hash() == expected);
        }
    }
}

TEST_CASE("insertion: cancelled at any look at the flag, finish() ends there, and reset() works again") {
    const Input input = generated("uniform:" + std::to_string(case_count(100'000)));
    CancelFlag flag;
    Context context(DeviceRequest::kCpu, 2);
    context.set_cancel_flag(flag);
    const auto lab = lab_with("build");
    lab->reset(context, input);
    uint64_t looks_in_all = 0;
    {
        const PollObserver polls(flag);
        lab->finish({});
        looks_in_all = polls.count();
    }
    for (const uint64_t at : {uint64_t(1), looks_in_all / 3, looks_in_all / 2, looks_in_all - looks_in_all / 8}) {
        CAPTURE(at);
        lab->reset(context, input);
        {
            const PollObserver polls(flag, at);
            CHECK_THROWS_AS(lab->finish({}), Cancelled);
            CHECK(polls.count() >= at);
            CHECK(polls.count() < looks_in_all);
        }
        lab->reset(context, generated("ring:100"));
        lab->finish({});
        CHECK(facet<Checkable>(*lab).check().passed);
    }
}

TEST_CASE("insertion: one lab takes one input after the other, larger and smaller, with and without recorded states") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = lab_with("build");
    for (const char* text : {"uniform:5000", "uniform:0", "grid:100", "uniform:1", "line:20", "ring:3000", "uniform:2",
                             "duplicates:500", "uniform:3"})
        for (const bool records_states : {true, false}) {
            INFO(text);
            lab->set_records_states(records_states);
            lab->reset(context, generated(text));
            CHECK_FALSE(lab->done());
            lab->finish({});
            const auto fresh = finished(context, generated(text));
            CHECK(lab->state_hash() == fresh->state_hash());
            CHECK(lab->result().triangulation_hash == fresh->result().triangulation_hash);
            if (records_states) CHECK(hash_of_states(*lab) == hash_of_states(*fresh));
            CHECK_THROWS_AS(lab->step(), std::logic_error);
            facet<Inspectable>(*lab).inspect({ElementKind::kEdge, 0});
            facet<Inspectable>(*lab).inspect({ElementKind::kTriangle, 3});
            facet<Inspectable>(*lab).inspect({ElementKind::kVertex, 1});
        }
}

TEST_CASE("insertion: no points at all: a message, and done after one pass") {
    Context context(DeviceRequest::kCpu, 1);
    for (const char* id : {"build", "serial"}) {
        const auto lab = lab_with(id);
        lab->reset(context, make_input("nothing", {}));
        const StepResult result = lab->step();
        CHECK(result.message.text() == "There are no points: nothing to triangulate.");
        CHECK(result.ended == Level::kEnd);
        CHECK(lab->done());
        CHECK(lab->soup().triangles.empty());
        CHECK(lab->scene().mesh == nullptr);
        CHECK(lab->result().points == 0);
    }
}

TEST_CASE("insertion: what finish() leaves to draw is what stepping leaves") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:1000", "grid:400", "line:10", "uniform:3"})
        for (const Settings& settings : {Settings{}, Settings{"enclosure=supertriangle"}, Settings{"flips=off"}}) {
            INFO(text);
            CHECK(hash_of_states(*stepped(context, generated(text), "build", settings)) ==
                  hash_of_states(*finished(context, generated(text), "build", settings)));
        }
}

TEST_CASE("insertion: between two inputs nothing of the last one is left to draw") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = lab_with("build");
    for (const char* text : {"uniform:10", "uniform:1000", "line:100", "uniform:20"}) {
        lab->reset(context, generated(text));
        CHECK(lab->scene().mesh == nullptr);
        lab->step();  // ordered, not started
        const Scene scene = lab->scene();
        REQUIRE(scene.mesh);
        const size_t words = scene.mesh->vertex_states.size();
        CHECK((words == 0 || words >= scene.point_count));
        for (const State word : scene.mesh->vertex_states.download()) CHECK(word == 0);
        CHECK(scene.mesh->triangle_count == 0);
        CHECK(scene.mesh->edge_count == 0);
        lab->finish({});
    }
}
