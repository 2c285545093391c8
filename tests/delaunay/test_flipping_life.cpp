// The life of one Flip lab: stepped and finished, saved and loaded, back and forth, reset to other inputs, and stopped
// when rounding makes flips cycle.
#include <numbers>

#include "cancel_polls.h"
#include "delaunay/constructions/flipping.h"
#include "delaunay/flip_films.h"
#include "delaunay/hands.h"
#include "delaunay/surfaces.h"

using namespace flipscope;

namespace {

/// Points on a circle, as well as doubles can: every four of them are a tie that rounding settles anyhow.
Input rounded_circle(int n, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    const Point centre{uniform(), uniform()};
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) {
        const double turn = 2 * std::numbers::pi * uniform();
        points.push_back({centre.x + std::cos(turn), centre.y + std::sin(turn)});
    }
    return make_input("a circle of " + std::to_string(n), points);
}

const std::vector<Point> kSquareAndOne{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {5, 5}};

/// From every snapshot of a run another lab reaches the same states and marks.
void check_snapshots(const Input& input, const Settings& settings, size_t most = 12) {
    Stage stage(one_device(), input, settings);
    std::vector<Snapshot> snapshots{stage.lab->save()};
    std::vector<size_t> places{0};
    std::vector<uint64_t> hashes{stage.lab->state_hash()}, marks{hash_of_states(*stage.lab)};
    while (!stage.lab->done()) {
        const StepResult result = stage.lab->step();
        hashes.push_back(stage.lab->state_hash());
        marks.push_back(hash_of_states(*stage.lab));
        if (result.ended < Level::kRound) {
            CHECK_THROWS_AS(stage.lab->save(), std::logic_error);
            continue;
        }
        snapshots.push_back(stage.lab->save());
        places.push_back(hashes.size() - 1);
    }
    for (size_t s = 0; s < snapshots.size(); s += 1 + snapshots.size() / most) {
        Stage other(one_device(), input, settings);
        other.lab->load(snapshots[s]);
        size_t at = places[s], wrong = 0;
        wrong += other.lab->state_hash() != hashes[at];
        while (!other.lab->done() && at + 1 < hashes.size()) {
            other.lab->step();
            ++at;
            wrong += other.lab->state_hash() != hashes[at];
            wrong += hash_of_states(*other.lab) != marks[at];
        }
        CHECK(wrong == 0);
        CHECK(at + 1 == hashes.size());
        CHECK(other.lab->done());
        for (int twice = 0; twice < 2; ++twice) {
            other.lab->load(snapshots[s]);
            other.lab->finish({});
            CHECK(other.lab->state_hash() == hashes.back());
        }
        other.lab->finish({});  // again, and nothing
        CHECK(other.lab->state_hash() == hashes.back());
    }
}

}  // namespace

TEST_CASE("flipping: the state after every step is the same on every device, and so are marks, counters and measures") {
    for (const char* conflict : {"conflict=lowest", "conflict=hashed"}) {
        for (const char* text :
             {"uniform:600", "grid:225", "ring:60", "near-grid:200", "clusters:300", "duplicates:200", "line:20",
              "uniform:0", "uniform:1", "uniform:2", "uniform:3", "quad:900", "worst:40"})
            for (const char* start : kStarts) {
                if (std::string(text).find("quad") == 0 && start != kStarts[0]) continue;
                compare_films("flip", generated(text), {std::string("start=") + start, conflict});
            }
        compare_films("flip", generated("ring:150"), {"start=fan", conflict});
        for (const char* criterion : {"criterion=angles", "criterion=angles-float"})
            for (const char* text : {"uniform:300", "grid:100", "quad:300"})
                compare_films("flip", generated(text), {"epsilon=0.001", conflict, criterion});
    }
}

TEST_CASE("flipping: finish() ends where stepping ends, from any step") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const Settings& settings :
             {Settings{"start=insertion"}, Settings{"start=sweep", "conflict=lowest"}, Settings{"start=scrambled"},
              Settings{"criterion=angles", "epsilon=0"}, Settings{"criterion=angles-float", "epsilon=0"}})
            for (const char* text : {"uniform:200", "grid:49", "ring:30", "quad:150", "uniform:3", "line:5"}) {
                INFO(device.name, ", ", text, " ", settings.back());
                Context context(device.request, device.threads);
                const auto whole = stepped(context, generated(text), "flip", settings);
                const uint64_t state = whole->state_hash(), result = whole->result().triangulation_hash;
                for (size_t steps = 0;; steps += 1 + steps / 4) {
                    const auto lab = started(context, generated(text), "flip", settings);
                    for (size_t i = 0; i < steps && !lab->done(); ++i) lab->step();
                    const bool at_end = lab->done();
                    lab->finish({});
                    CHECK(lab->done());
                    CHECK(lab->state_hash() == state);
                    CHECK(lab->result().triangulation_hash == result);
                    if (at_end) break;
                }
            }
}

TEST_CASE("flipping: finish() reports every round, with the counts of its steps") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* text : {"uniform:400", "quad:300", "uniform:3", "grid:100"}) {
        INFO(text);
        std::vector<std::vector<int64_t>> told;
        uint32_t iterations = 0;
        const auto finishing = started(context, generated(text), "flip");
        finishing->finish([&](const StepResult& round) {
            told.push_back(round.counters);
            CHECK(round.iteration == told.size());
            iterations = round.iteration;
        });
        const auto stepping = started(context, generated(text), "flip");
        size_t round = 0;
        uint32_t last = 0;
        while (!stepping->done()) {
            const StepResult result = stepping->step();
            last = result.iteration;
            REQUIRE(round < told.size());
            for (size_t k = 0; k < 5; ++k)
                if (result.counters[k] >= 0 && k != Flipping::kBlocked) CHECK(told[round][k] == result.counters[k]);
            round += result.ended >= Level::kRound;
        }
        CHECK(round == told.size());
        CHECK(last == iterations);
    }
}

TEST_CASE("flipping: what there is to say of the input is said, however the lab is run") {
    const Input apart =
        with_triangles("a square and a point apart", {.points = &kSquareAndOne, .triangles = {{0, 1, 2}, {0, 2, 3}}});
    for (const auto& [input, sentence] :
         {std::pair{apart, "1 point is in no triangle"}, std::pair{Input(book(3, 1, 1)), "1 edge is non-manifold"}})
        for (const bool by_steps : {false, true})
            on_every_device([&](Context& context) {
                const auto lab = started(context, input, "flip");
                std::string said;
                if (by_steps)
                    while (!lab->done()) said += lab->step().message.text();
                else
                    lab->finish([&](const StepResult& round) { said += round.message.text(); });
                CHECK(contains(said, sentence));
                CHECK(count_edges_in_state(*lab, kStateSeam) == (input == apart ? 0 : 3));
            });
}

TEST_CASE("flipping: snapshots of other labs and inputs are refused") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, generated("uniform:20"), "flip");
    CHECK_THROWS_AS(lab->load(Snapshot{}), std::logic_error);
    CHECK_THROWS_AS(lab->load(finished(context, generated("uniform:20"))->save()), std::logic_error);
    CHECK_THROWS_AS(lab->load(finished(context, generated("uniform:900"), "flip")->save()), std::logic_error);
    CHECK_THROWS_AS(lab->load(finished(context, generated("terrain:20"), "flip")->save()), std::logic_error);
    lab->reset(context, generated("uniform:30"));
    lab->finish({});
    CHECK(facet<Checkable>(*lab).check().passed);
}

TEST_CASE("flipping: angles that are rounded can flip in circles without slack; that is seen, and slack ends it") {
    const size_t trials = case_count(150);
    size_t cycled = 0;
    for (const char* criterion : {"criterion=angles-float", "criterion=angles"})
        for (const char* conflict : {"conflict=lowest", "conflict=hashed", "conflict=first"})
            for (uint64_t seed = 0; seed < trials; ++seed) {
                const Input input = rounded_circle(8 + int(seed % 40), seed);
                INFO(criterion, " ", conflict, ", seed ", seed);
                Settings settings{"start=sweep", criterion, "epsilon=0", conflict};
                Stage stage(one_device(), input, settings);
                std::string said;
                size_t steps = 0;
                for (; !stage.lab->done() && steps < 5000; ++steps) said += stage.lab->step().message.text();
                REQUIRE(stage.lab->done());
                const bool tells = contains(said, "The flips cycle");
                CHECK(tells == (count_edges_in_state(*stage.lab, kStateCycling) > 0));
                CHECK(broken_references(stage.mesh()) == 0);
                CHECK(facet<Checkable>(*stage.lab).check().inverted_triangles == 0);
                settings[2] = "epsilon=0.001";
                Stage slack(one_device(), input, settings);
                for (steps = 0; !slack.lab->done() && steps < 5000; ++steps)
                    CHECK_FALSE(contains(slack.lab->step().message.text(), "cycle"));
                CHECK(slack.lab->done());
                if (!tells) continue;
                ++cycled;
                // A manual flip restarts the check for cycles.
                uint32_t edge = 0;
                while (!edits(*stage.lab, flip_of(edge))) ++edge;
                CHECK_FALSE(stage.lab->done());
                const uint32_t at = stage.lab->step().iteration;
                uint32_t iteration = at;
                for (steps = 0; !stage.lab->done() && steps < 5000; ++steps) iteration = stage.lab->step().iteration;
                REQUIRE(stage.lab->done());
                CHECK((iteration < at + 90 || iteration > at + 99));  // it ended by itself, or was watched for
                if (std::string(conflict) == "conflict=first") continue;
                settings[2] = "epsilon=0";
                const Film film = compare_films("flip", input, settings);
                for (const DeviceUnderTest& device : devices_under_test()) {
                    Stage half_edge(device, input, settings);
                    for (uint64_t i = 0; i < 17 * (seed % 20) && !half_edge.lab->done(); ++i) half_edge.lab->step();
                    half_edge.lab->finish({});
                    CHECK(half_edge.lab->state_hash() == film.hashes.back());
                    CHECK(count_edges_in_state(*half_edge.lab, kStateCycling) > 0);
                }
                check_snapshots(input, settings, 40);
            }
    if (trials >= 150) CHECK(cycled > 0);
}

TEST_CASE("flipping: one lab, one input after the other, with and without recorded states") {
    on_every_device([&](Context& context) {
        const auto lab = lab_with("flip");
        for (const char* text : {"uniform:500", "sphere:200", "uniform:2", "band:100", "quad:900", "uniform:0",
                                 "terrain:100", "line:9", "grid:64"})
            for (const bool records_states : {true, false}) {
                INFO(text);
                lab->set_records_states(records_states);
                lab->reset(context, generated(text));
                run_to_end(*lab, records_states);
                check_passes(*lab);
                const auto alone = finished(context, generated(text), "flip");
                CHECK(alone->state_hash() == lab->state_hash());
                for (uint32_t id = 0; id < 12; ++id)
                    for (const ElementKind kind : {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle})
                        facet<Inspectable>(*lab).inspect({kind, id, 0});
                facet<Measurable>(*lab).statistics().all<Distribution>();
            }
        lab->reset(context, generated("uniform:50"));
        lab->step();
        const uint64_t state = lab->state_hash();
        auto crossing =
            std::make_shared<Geometry>(Geometry{"crossing", {{0, 0}, {4, 0}, {0, 4}, {1, 1}, {5, 1}, {1, 5}}});
        crossing->triangles = {{0, 1, 2}, {3, 4, 5}};
        CHECK_THROWS_AS(lab->reset(context, crossing), Error);
        CHECK(lab->state_hash() == state);
        while (!lab->done()) lab->step();
        CHECK(facet<Checkable>(*lab).check().passed);
    });
}

TEST_CASE("flipping: a run that was cancelled at any poll leaves no mark for the runs after it") {
    CancelFlag flag;
    Context context(DeviceRequest::kCpu, 1);
    context.set_cancel_flag(flag);
    Flipping flipping;
    flipping.set_records_states(false);
    const Input input = generated("uniform:300");
    using Rounds = std::vector<std::vector<int64_t>>;
    const auto rounds_of = [&](const FlippingOptions& options) {
        Rounds rounds;
        flipping.reset(context, input, options);
        flipping.finish([&](const PassResult& round) { rounds.push_back(round.counters); });
        return rounds;
    };
    // A pass with many candidates marks the edges of the next one; a pass with few lists them.
    const FlippingOptions many{.start = Start::kSweep, .maker = {}},
        few{.start = Start::kScrambled, .maker = {.scramble = 0.003}};
    const Rounds wanted_of_many = rounds_of(many), wanted_of_few = rounds_of(few);
    REQUIRE(wanted_of_few[0][Flipping::kIllegal] > 0);
    REQUIRE(wanted_of_few[0][Flipping::kIllegal] < 5);
    uint64_t at = 0;
    for (;;) {
        ++at;
        CAPTURE(at);
        flipping.reset(context, input, many);
        if (!is_cancelled_at(flag, at, [&] { flipping.finish({}); })) break;
        CHECK(rounds_of(few) == wanted_of_few);
        CHECK(rounds_of(many) == wanted_of_many);
    }
    CHECK(at > 20);
}
