// Manual edits in the Flip lab, over time: back and forth over edits, saved, and continued differently.
#include <random>

#include "delaunay/constructions/flipping.h"
#include "delaunay/flip_films.h"
#include "delaunay/hands.h"

using namespace flipscope;

TEST_CASE("manual edits: the timeline goes back and forth over edits, on every device the same") {
    for (const Input& input : {generated("uniform:80"), generated("grid:49"), generated("sphere:200")}) {
        std::vector<uint64_t> reference;
        on_every_device([&](Context& context) {
            INFO(input->name);
            StartedTimeline timeline(context, input, "flip", {"start=sweep"});
            std::mt19937_64 random(21);
            std::vector<uint64_t> hashes{timeline.lab().state_hash()};
            const auto note = [&] {
                if (timeline.position() < hashes.size()) hashes.resize(timeline.position());
                hashes.push_back(timeline.lab().state_hash());
            };
            size_t made = 0;
            for (int i = 0; i < 14; ++i) {
                for (uint64_t steps = random() % 12; steps > 0 && timeline.step(); --steps) note();
                if (i == 9) {  // another history from the middle on
                    timeline.seek(timeline.position() / 2);
                    CHECK(timeline.lab().state_hash() == hashes[timeline.position()]);
                }
                const auto at_rest = [&] {
                    return timeline.position() == 0 ||
                           timeline.result(timeline.position() - 1).ended >= Level::kIteration;
                };
                while (!at_rest() && timeline.step()) note();
                const Scene scene = timeline.lab().scene();
                const auto uniform = [&] { return std::uniform_real_distribution<double>(-0.2, 1.2)(random); };
                const Point place{scene.low.x + uniform() * (scene.high.x - scene.low.x),
                                  scene.low.y + uniform() * (scene.high.y - scene.low.y)};
                const Edit edit =
                    i % 3 ? move_of(uint32_t(random() % scene.mesh->infinite()), Point3{place.x, place.y, 0.5})
                          : flip_of(uint32_t(random() % scene.mesh->edge_count));
                try {
                    timeline.edit(edit);
                    note();
                    ++made;
                } catch (const Error&) {
                }
            }
            while (timeline.step()) note();
            CHECK(made > 5);
            const size_t last = hashes.size() - 1;
            CHECK(timeline.known() == last);
            for (const size_t to : {last / 2, size_t(0), last, size_t(1), last / 3, last, 2 * last / 3}) {
                INFO("to ", to, " of ", last);
                CHECK(timeline.seek(to));
                CHECK(timeline.lab().state_hash() == hashes[to]);
            }
            for (timeline.seek(last); timeline.position() > 0;) {
                timeline.back(Level::kPass);
                CHECK(timeline.lab().state_hash() == hashes[timeline.position()]);
            }
            if (reference.empty()) reference = hashes;
            CHECK(hashes == reference);
        });
    }
}

TEST_CASE("manual edits: a snapshot after edits goes on in another lab") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* text : {"uniform:60", "terrain:100"}) {
            Stage stage(device, generated(text)), other(device, generated(text));
            Lab& lab = *stage.lab;
            for (const bool first : {true, false}) {
                const Point at = lab.scene().mesh->positions.read(5);
                facet<Editable>(lab).edit(move_of(5, Point3{at.x + 0.3, at.y + 0.8, 0.1}));
                other.lab->load(lab.save());
                CHECK(other.lab->state_hash() == lab.state_hash());
                for (int i = 0; i < 9 && !lab.done(); ++i) {
                    lab.step();
                    other.lab->step();
                    CHECK(other.lab->state_hash() == lab.state_hash());
                }
                lab.finish({});
                other.lab->finish({});
                CHECK(other.lab->state_hash() == lab.state_hash());
                CHECK(*other.lab->soup().points == *lab.soup().points);
                CHECK(lab.done());
                if (first) continue;
                other.lab->reset(other.context, generated(text));  // and forgets it all
                Stage fresh(device, generated(text));
                CHECK(other.lab->state_hash() == fresh.lab->state_hash());
                CHECK(*other.lab->soup().points == *fresh.lab->soup().points);
            }
        }
}

TEST_CASE("manual edits: a drag through many places leads to one state, made bit by bit or at once, on every device") {
    for (const Input& input : {generated("uniform:80"), generated("grid:49"), generated("sphere:200")})
        for (const uint64_t steps : {uint64_t(0), uint64_t(5), UINT64_MAX}) {
            std::vector<uint64_t> reference;
            on_every_device([&](Context& context) {
                INFO(input->name, ", after ", steps);
                Timeline timeline(lab_with("flip", {"start=sweep"})), whole(lab_with("flip", {"start=sweep"}));
                for (Timeline* each : {&timeline, &whole}) {
                    each->reset(context, input);
                    each->seek(steps);
                }
                std::mt19937_64 random(4);
                const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
                Edit bit = move_of(9, Point3{uniform(), uniform(), 0.4}), all = bit;
                timeline.edit(bit);
                bit.goes_on = true;
                for (int i = 0; i < 6; ++i) {
                    bit.path = {{uniform(), uniform(), 0.5}};
                    timeline.edit(bit);
                    all.path.push_back(bit.path[0]);
                }
                whole.edit(all);
                CHECK(timeline.position() == whole.position());
                const uint64_t hash = timeline.lab().state_hash();
                CHECK(hash == whole.lab().state_hash());
                CHECK(timeline.result(timeline.position() - 1).counters == whole.result(whole.position() - 1).counters);
                timeline.run_to_end();
                check_passes(timeline.lab());
                if (reference.empty()) reference = {hash, timeline.lab().state_hash()};
                CHECK(reference == std::vector<uint64_t>{hash, timeline.lab().state_hash()});
            });
        }
}

TEST_CASE("manual edits: a refused place during a drag ends it at the last place") {
    const Input input = generated("uniform:40");
    Context context(DeviceRequest::kCpu, 1);
    StartedTimeline timeline(context, input, "flip");
    timeline.run_to_end();
    Edit bit = move_of(3, Point{0.4, 0.45});
    timeline.edit(bit);
    bit.goes_on = true;
    const uint64_t hash = timeline.lab().state_hash(), known = timeline.known();
    const Point taken = timeline.lab().scene().mesh->positions.read(5);
    bit.path = {{0.6, 0.6, 0}, {taken.x, taken.y, 0}};
    CHECK_THROWS_AS(timeline.edit(bit), Error);
    CHECK(timeline.lab().state_hash() == hash);
    CHECK(timeline.known() == known);
    bit.path = {{0.7, 0.6, 0}};
    timeline.edit(bit);
    CHECK(timeline.known() == known);
    CHECK(timeline.lab().scene().mesh->positions.read(3) == Point{0.7, 0.6});
    CHECK(facet<Checkable>(timeline.lab()).check().passed);
}
