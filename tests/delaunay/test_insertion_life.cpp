// The life of one Build lab: saved and loaded, cancelled, reset to other inputs, with recorded states and without.
#include "cancel_polls.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/runs.h"

using namespace flipscope;

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
    on_every_device([&](Context& context) {
        for (const char* name : {"uniform:", "grid:", "clusters:", "ring:", "duplicates:"})
            for (const Settings& settings : {Settings{}, Settings{"enclosure=supertriangle", "vote=lowest"},
                                             Settings{"flip_limit=1"}, Settings{"predicate=double-circumcentre"}}) {
                INFO(name, n, " ", settings.empty() ? "" : settings[0]);
                const auto lab = lab_with("build", settings);
                std::vector<uint64_t> by_steps, by_rounds;
                lab->reset(context, generated(name + n));
                while (!lab->done())
                    if (lab->step().ended >= Level::kRound) by_steps.push_back(lab->state_hash());
                lab->reset(context, generated(name + n));
                lab->finish([&](const StepResult&) { by_rounds.push_back(lab->state_hash()); });
                CHECK(by_rounds == by_steps);
            }
    });
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

TEST_CASE("constructions: a snapshot with a block that is too short or too long is refused, and changes nothing") {
    Context context(DeviceRequest::kCpu, 1);
    for (const std::string id : {"build", "strips", "subdivide", "flip"}) {
        const auto lab = started(context, generated(id == "flip" ? "quad:100" : "uniform:100"), id);
        size_t saved = 0;
        Snapshot last;  // of an earlier state, if there is one
        for (size_t step = 0; step < 40; ++step) {
            Snapshot whole;
            try {
                whole = lab->save();
            } catch (const std::logic_error&) {  // not between all passes
                lab->step();
                continue;
            }
            if (++saved == 1) last = whole;
            const uint64_t state = lab->state_hash();
            for (size_t b = 0; b < last.blocks.size(); ++b)
                for (const bool longer : {false, true}) {
                    const bool any_length = b == 2 || (id == "flip" && b + 1 == last.blocks.size());  // path, states
                    if (any_length || (!longer && last.blocks[b].size() < 8)) continue;
                    INFO(id, ", step ", step, ", block ", b);
                    Snapshot damaged = last;
                    damaged.blocks[b].resize(last.blocks[b].size() + (longer ? 8 : -size_t(8)));
                    CHECK_THROWS_AS(lab->load(damaged), std::logic_error);
                    if (step > 0) CHECK(lab->state_hash() == state);
                }
            CHECK_NOTHROW(lab->load(whole));
            last = whole;
            if (lab->done()) break;
            lab->step();
        }
        CHECK(saved > 1);
    }
}
