// sanitizers: none
// Parameters of the Particles lab that change during a run: as a step of the timeline or, for the picture, at once.
#include <algorithm>
#include <cmath>

#include "delaunay/runs.h"
#include "lab/parameters.h"
#include "particles/measures.h"
#include "particles/model.h"

using namespace flipscope;

namespace {

using Values = std::vector<Parameter>;

Edit adjust(const Values& values) { return Edit{.kind = Edit::Kind::kAdjust, .values = values}; }

std::unique_ptr<Timeline> run_of(Context& context, const Settings& settings) {
    auto timeline = std::make_unique<Timeline>(lab_with("particles", settings));
    timeline->reset(context, make_input("nothing", {}));
    return timeline;
}

void go_to_round(Timeline& timeline, uint32_t round) {
    while (timeline.position() == 0 || timeline.history()[timeline.position() - 1].round < round ||
           timeline.history()[timeline.position() - 1].ended < Level::kRound)
        if (!timeline.step()) return;
}

std::string value_of(Lab& lab, const std::string& name) {
    for (const ParameterDescription& one : list_parameters(lab))
        if (one.name == name) return one.value;
    return "no such parameter";
}

std::string refusal(Timeline& timeline, const Values& values) {
    return error_of([&] { timeline.edit(adjust(values)); }, "");
}

}  // namespace

TEST_CASE("particles: a parameter that changes amid a run is a step, taken back and repeated as every other") {
    const std::vector<std::pair<Settings, Values>> all{
        {{"config=c2", "count=60", "steps=12"}, {{"dt", "0.002"}, {"diffusion", "0.5"}}},
        {{"config=c3", "count=50", "steps=12"}, {{"force", "long"}, {"delta", "0.5"}}},
        {{"config=abp-dense", "count=50", "steps=12", "speed=3"}, {{"speed", "20"}, {"rotation", "2"}}},
        {{"config=custom", "count=50", "steps=12"}, {{"alpha_1", "-3"}, {"mu_2", "2"}, {"diameter_2", "1.2"}}},
        {{"config=c1", "count=40", "steps=12"}, {{"config", "c4"}}}};
    for (const auto& [settings, values] : all) {
        INFO(settings[0]);
        std::vector<uint64_t> expected;
        on_every_device([&](Context& context) {
            const auto plain = run_of(context, settings);
            plain->run_to_end();
            const auto timeline = run_of(context, settings);
            go_to_round(*timeline, 5);
            const uint64_t before = timeline->position(), state = timeline->lab().state_hash();
            const std::string value = value_of(timeline->lab(), values[0].name);
            timeline->edit(adjust(values));
            CHECK(timeline->position() == before + 1);
            CHECK(timeline->history()[before].message.text().find("Changed: ") == 0);
            CHECK(value_of(timeline->lab(), values[0].name) == values[0].value);
            timeline->run_to_end();
            const uint64_t end = timeline->known();
            const std::vector<uint64_t> hashes{state, timeline->lab().state_hash(), plain->lab().state_hash()};
            CHECK(hashes[1] != hashes[2]);
            CHECK(facet<Checkable>(timeline->lab()).check().passed);
            if (expected.empty()) expected = hashes;
            CHECK(hashes == expected);
            timeline->seek(before);
            CHECK(timeline->lab().state_hash() == state);
            CHECK(value_of(timeline->lab(), values[0].name) == value);
            timeline->seek(end);
            CHECK(timeline->lab().state_hash() == hashes[1]);
            CHECK(value_of(timeline->lab(), values[0].name) == values[0].value);
            REQUIRE(timeline->undo());
            CHECK(value_of(timeline->lab(), values[0].name) == value);
            timeline->run_to_end();
            CHECK(timeline->lab().state_hash() == hashes[2]);
            REQUIRE(timeline->redo());
            timeline->run_to_end();
            CHECK(timeline->lab().state_hash() == hashes[1]);
        });
    }
}

TEST_CASE("particles: \"auto\" is the area fraction at the start, whatever the configuration is amid the run") {
    Context context(DeviceRequest::kCpu, 2);
    const auto timeline = run_of(context, {"config=c2", "count=40", "steps=12"});
    const auto comes_to = [&](const std::string& config) {
        std::vector<ParameterDescription> all = list_parameters(timeline->lab());
        const auto named = [&](const char* name) {
            return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
        };
        if (!config.empty()) named("config")->value = config;
        const Geometry nothing;
        return override_of(*named("density"), ParameterContext{nothing, value_lookup(all)}).value;
    };
    const std::string before = comes_to("");
    CHECK(before != comes_to("c3"));  // of the next start
    timeline->edit(adjust({{"config", "c3"}}));
    CHECK(comes_to("") == before);
    CHECK(comes_to("c2") == before);
    timeline->lab().reset(context, make_input("nothing", {}));
    CHECK(comes_to("") != before);
}

TEST_CASE("particles: whole rounds, a change, and whole rounds again end as pass by pass") {
    for (const uint64_t at : {0, 1, 7, 12}) {
        INFO(at);
        Context context(DeviceRequest::kCpu, 2);
        const Settings settings{"config=c3", "count=70", "steps=12", "record=3", "cluster_interval=4"};
        const Values values{{"dt", "0.003"}, {"record", "2"}, {"steps", "15"}};
        const auto stepped = run_of(context, settings);
        if (at > 0) go_to_round(*stepped, static_cast<uint32_t>(at));
        stepped->edit(adjust(values));
        stepped->run_to_end();
        const auto whole = started(context, make_input("nothing", {}), "particles", settings);
        uint64_t told = 0;
        facet<Adjustable>(*whole).finish_rounds(at, [&](const StepResult&) { ++told; });
        CHECK(told == at);
        facet<Adjustable>(*whole).adjust(values);
        whole->finish({});
        CHECK(whole->state_hash() == stepped->lab().state_hash());
        CHECK(facet<Exporter>(*whole).array("tracks").values == facet<Exporter>(stepped->lab()).array("tracks").values);
        CHECK(facet<Exporter>(*whole).array("track_steps").values ==
              facet<Exporter>(stepped->lab()).array("track_steps").values);
    }
}

TEST_CASE("particles: a refused change leaves everything as it was, and says why") {
    Context context(DeviceRequest::kCpu, 1);
    const auto timeline = run_of(context, {"config=custom", "count=40", "steps=9", "density=0.7"});
    go_to_round(*timeline, 3);
    const std::vector<ParameterDescription> parameters = list_parameters(timeline->lab());
    const uint64_t position = timeline->position(), state = timeline->lab().state_hash();
    const std::vector<std::pair<Values, std::string>> refused{
        {{{"count", "10"}}, "a run must start over to change count"},
        {{{"fraction_1", "0.1"}}, "during a run these can be changed: config"},
        {{{"colour_by", "speed"}}, "changes the picture alone"},
        {{{"dt", "0"}}, "parameter dt: expected 1e-09 … 100, found \"0\""},
        {{{"dd", "1"}}, "has no parameter \"dd\""},
        {{{"dt", "0.1"}, {"dt", "0.2"}}, "dt is given twice"},
        {{}, "no parameter is given"},
        {{{"dt", "0.5"}, {"config", "abp-dense"}}, "there are 2 species"},
        {{{"diameter_1", "3"}}, "in a ratio of 3"},
        {{{"diameter_1", "2"}, {"diameter_2", "2"}}, "of the box: expected at most 0.9069"}};
    for (const auto& [values, part] : refused) {
        const std::string said = refusal(*timeline, values);
        INFO(said);
        CHECK(contains(said, part));
        CHECK(timeline->position() == position);
        CHECK(timeline->known() == position);
        CHECK(timeline->lab().state_hash() == state);
        const std::vector<ParameterDescription> now = list_parameters(timeline->lab());
        for (size_t i = 0; i < now.size(); ++i) CHECK(now[i].value == parameters[i].value);
    }
    const auto plain = run_of(context, {"config=custom", "count=40", "steps=9", "density=0.7"});
    timeline->run_to_end();
    plain->run_to_end();
    CHECK(timeline->lab().state_hash() == plain->lab().state_hash());
}

TEST_CASE("particles: colours change at once, in any state, without a step and without a new start") {
    Context context(DeviceRequest::kCpu, 1);
    const auto timeline = run_of(context, {"config=c3", "count=40", "steps=4"});
    for (int k = 0; k < 7; ++k) timeline->step();  // during a step
    const uint64_t position = timeline->position(), state = timeline->lab().state_hash();
    for (const char* colour : {"bond-order", "speed", "overlaps", "species"}) {
        set_parameter(timeline->lab(), "colour_by", colour);
        facet<Adjustable>(timeline->lab()).apply_view_parameters();
        const Scene scene = timeline->lab().scene();
        CHECK(scene.layer("particles")->has_scale() ==
              (std::string(colour) == "bond-order" || std::string(colour) == "speed"));
        CHECK(timeline->lab().state_hash() == state);
    }
    timeline->seek(0);
    set_parameter(timeline->lab(), "colour_by", "degree");
    facet<Adjustable>(timeline->lab()).apply_view_parameters();
    timeline->seek(position);
    CHECK(timeline->lab().scene().layer("particles")->scale.name == "Delaunay neighbours");
    CHECK(timeline->lab().state_hash() == state);
}

TEST_CASE("particles: what was set and waits for a new start still does after a change amid the run") {
    Context context(DeviceRequest::kCpu, 1);
    const auto timeline = run_of(context, {"config=c3", "count=40", "steps=4"});
    timeline->step_level(Level::kRound);
    set_parameter(timeline->lab(), "count", "50");
    timeline->edit(adjust({{"dt", "0.5"}}));
    CHECK(value_of(timeline->lab(), "count") == "50");
    timeline->seek(0);
    CHECK(value_of(timeline->lab(), "count") == "50");
    CHECK(value_of(timeline->lab(), "dt") == "0.01");
    timeline->seek(timeline->known());
    timeline->reset(context, make_input("nothing", {}));
    CHECK(facet<Exporter>(timeline->lab()).array("positions").shape[0] == 50);
    CHECK(value_of(timeline->lab(), "dt") == "0.5");
}

TEST_CASE("particles: time, speeds and the expected displacement account for a change of parameters") {
    Context context(DeviceRequest::kCpu, 2);
    const auto timeline =
        run_of(context, {"config=c0", "force=none", "overlaps=off", "count=30", "steps=20", "record=5", "diffusion=1"});
    go_to_round(*timeline, 10);
    const std::vector<std::byte> velocities = facet<Exporter>(timeline->lab()).array("velocities").values;
    timeline->edit(adjust({{"dt", "0.1"}, {"diffusion", "3"}}));
    CHECK(facet<Exporter>(timeline->lab()).array("velocities").values == velocities);  // of the step before
    timeline->run_to_end();
    const Trajectory tracks = facet<TrajectoryExporter>(timeline->lab()).trajectory();
    REQUIRE(tracks.frames.size() == 5);
    const double times[] = {0, 0.05, 0.1, 0.6, 1.1};
    for (size_t i = 0; i < 5; ++i) CHECK(tracks.frames[i].time == doctest::Approx(times[i]));
    const double one = noise_variance(NoiseTails::kClamped);
    CHECK(timeline->history().back().measures[1] == doctest::Approx(one * (10 * 2 * 1 * 0.01 + 10 * 2 * 3 * 0.1)));
    for (const Curve& curve : facet<Measurable>(timeline->lab()).statistics().all<Curve>())
        if (curve.name == "mean-squared displacement") CHECK(curve.x.back() == doctest::Approx(1.1));
}

TEST_CASE("particles: frames of passive particles have no orientations where they swim later") {
    Context context(DeviceRequest::kCpu, 1);
    const auto timeline = run_of(context, {"config=c2", "count=20", "steps=4", "record=2"});
    go_to_round(*timeline, 2);
    timeline->edit(adjust({{"speed", "5"}}));
    timeline->run_to_end();
    const Trajectory tracks = facet<TrajectoryExporter>(timeline->lab()).trajectory();
    REQUIRE(tracks.frames.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
        REQUIRE(tracks.frames[i].numbers.size() == 2);  // the radius comes first
        REQUIRE(tracks.frames[i].numbers[1].size() == 20);
        CHECK(std::isnan(tracks.frames[i].numbers[1][7]) == (i < 2));
    }
}

TEST_CASE("expected displacement: model after model comes to what one does") {
    ParticleModel model{.dt = 0.02, .diffusion = 0.3};
    for (const double speed : {0.0, 4.0})
        for (const double rotation : {0.0, 0.5, 30.0}) {
            model.speed = speed;
            model.rotation = rotation;
            ExpectedDisplacement parts;
            for (const uint64_t steps : {1, 0, 9, 200, 790}) parts = expected_after(parts, model, steps);
            INFO(speed, ", ", rotation);
            CHECK(parts.squared == doctest::Approx(expected_squared_displacement(model, 1000)).epsilon(1e-9));
        }
}

TEST_CASE("particles: 0 and 1 particles take a change of parameters, too") {
    Context context(DeviceRequest::kCpu, 1);
    for (const char* count : {"count=0", "count=1", "count=2", "count=3"}) {
        const auto timeline = run_of(context, {"config=c4", count, "steps=3"});
        timeline->step_level(Level::kRound);
        timeline->edit(adjust({{"dt", "0.1"}, {"force", "long"}}));
        timeline->run_to_end();
        CHECK(value_of(timeline->lab(), "dt") == "0.1");
    }
}

TEST_CASE("particles: frames that were recorded are in what is saved whole, and in no keyframe") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* config : {"config=c3", "config=abp-dense"}) {
        const Settings settings{config, "count=40", "steps=12", "record=2"};
        const auto timeline = run_of(context, settings);
        go_to_round(*timeline, 6);
        timeline->edit(adjust({{"dt", "0.02"}}));
        const Snapshot whole = timeline->lab().save_whole(), keyframe = timeline->lab().save();
        CHECK(whole.bytes() > keyframe.bytes() + 4 * 40 * sizeof(Point));
        timeline->run_to_end();
        const auto other = started(context, make_input("nothing", {}), "particles", settings);
        other->load(whole);
        CHECK(value_of(*other, "dt") == "0.02");
        other->finish({});
        CHECK(other->state_hash() == timeline->lab().state_hash());
        for (const char* array : {"tracks", "track_steps"})
            CHECK(facet<Exporter>(*other).array(array).values == facet<Exporter>(timeline->lab()).array(array).values);
        const Trajectory a = facet<TrajectoryExporter>(*other).trajectory(),
                         b = facet<TrajectoryExporter>(timeline->lab()).trajectory();
        REQUIRE(a.frames.size() == b.frames.size());
        for (size_t i = 0; i < a.frames.size(); ++i) CHECK(a.frames[i].time == b.frames[i].time);
        Snapshot cut = whole;
        cut.blocks.back().resize(cut.blocks.back().size() - 5);
        CHECK_THROWS_AS(other->load(cut), std::logic_error);
    }
}

TEST_CASE("particles: a frame of another way on is another one, also where only directions differ") {
    Context context(DeviceRequest::kCpu, 2);
    const auto timeline = run_of(context, {"config=abp-dense", "count=40", "steps=12", "record=1"});
    go_to_round(*timeline, 6);
    const uint64_t before = timeline->position();
    go_to_round(*timeline, 7);
    while (timeline->position() > before) timeline->back(Level::kPass);
    timeline->edit(adjust({{"rotation", "5"}}));
    go_to_round(*timeline, 7);  // particles moved as before, and then turned by more
    const Trajectory tracks = facet<TrajectoryExporter>(timeline->lab()).trajectory();
    REQUIRE(tracks.frames.size() == 8);
    const std::vector<double> turns = values_of<double>(timeline->lab(), "orientations");
    CHECK(tracks.frames.back().numbers.at(1) == turns);
}

TEST_CASE("particles: a run without an end goes on until it is stopped, and is not finished") {
    Context context(DeviceRequest::kCpu, 1);
    const auto timeline = run_of(context, {"config=c2", "count=20", "steps=none"});
    CHECK(timeline->lab().endless() == "the run has no end with steps=none");
    go_to_round(*timeline, 30);
    CHECK_FALSE(timeline->done());
    CHECK_THROWS_AS(timeline->lab().finish({}), std::logic_error);
    timeline->edit(adjust({{"steps", "32"}}));
    CHECK(timeline->lab().endless().empty());
    CHECK(timeline->run_to_end());
    CHECK(timeline->history().back().round == 32);
    timeline->edit(adjust({{"steps", "none"}}));  // at the end
    CHECK_FALSE(timeline->done());
    for (const char* id : {"build", "flip", "voronoi", "events", "race", "serial"})
        CHECK(lab_with(id)->endless().empty());
}

TEST_CASE("particles: a run ends where discs may have passed through each other, and goes on with a smaller step") {
    Context context(DeviceRequest::kCpu, 2);
    const Settings dense{"config=abp-dense", "count=400", "speed=1", "dt=0.5", "steps=40"};
    const auto whole = run_of(context, dense);
    whole->run_to_end();
    const StepResult& last = whole->history()[whole->position() - 1];
    CHECK(last.round < 40);
    CHECK(last.ended == Level::kEnd);
    CHECK(contains(last.message.text(), "so the run ends here"));
    const uint64_t hash = whole->lab().state_hash();

    CHECK(finished(context, make_input("nothing", {}), "particles", dense)->state_hash() == hash);

    whole->edit(adjust({{"dt", "0.001"}}));
    const uint32_t before = last.round;
    go_to_round(*whole, before + 3);
    CHECK(whole->history()[whole->position() - 1].round == before + 3);

    Settings going_on = dense;
    going_on.push_back("after_rebuild=go-on");
    const auto other = run_of(context, going_on);
    go_to_round(*other, before);
    CHECK(other->lab().state_hash() == hash);
    other->run_to_end();
    CHECK(other->history()[other->position() - 1].round == 40);
}

TEST_CASE("particles: in a channel a run goes on after a rebuild") {
    Context context(DeviceRequest::kCpu, 2);
    const auto channel = finished(context, make_input("nothing", {}), "particles",
                                  {"config=abp-dilute", "walls=y", "box=30x12", "steps=60"});
    const Properties numbers = channel->result().numbers;
    CHECK(numbers.find("rounds")->value.number() == 60);
    CHECK(numbers.find("rebuilds")->value.number() > 0);
}
