// A vertex that is dragged in the Flip lab: all its places are one step of the timeline.
#include <random>

#include "delaunay/hands.h"
#include "instruments/timeline.h"

namespace flipscope {

TEST_CASE(
    "manual edits: a drag through many places is one step, made bit by bit or at once, on every device the same") {
    for (const Input& input : {generated("uniform:80"), generated("grid:49"), generated("sphere:200")})
        for (const uint64_t steps : {uint64_t(0), uint64_t(5), UINT64_MAX}) {
            std::vector<uint64_t> reference;
            on_every_device([&](Context& context) {
                INFO(input->name << ", after " << steps);
                Timeline timeline(lab_with("flip", {"start=sweep"})), whole(lab_with("flip", {"start=sweep"}));
                for (Timeline* each : {&timeline, &whole}) {
                    each->reset(context, input);
                    each->seek(steps);
                }
                const uint64_t before = timeline.lab().state_hash(), known = timeline.known();
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
                CHECK(timeline.edit_count() == 1);
                CHECK(timeline.known() <= known + 3);  // the end of the iteration, and the drag
                CHECK(timeline.position() == whole.position());
                CHECK(timeline.lab().state_hash() == whole.lab().state_hash());
                CHECK(timeline.result(timeline.position() - 1).counters == whole.result(whole.position() - 1).counters);
                const uint64_t hash = timeline.lab().state_hash(), end = timeline.position();
                timeline.run_to_end();
                const uint64_t length = timeline.known(), finished = timeline.lab().state_hash();
                timeline.seek(0);
                timeline.seek(end);
                CHECK(timeline.lab().state_hash() == hash);
                CHECK(timeline.known() == length);  // made again, it comes out as it was
                CHECK(timeline.undo());
                CHECK(timeline.lab().state_hash() == before);
                CHECK(timeline.redo());
                timeline.run_to_end();
                CHECK(timeline.lab().state_hash() == finished);
                CHECK(facet<Checkable>(timeline.lab()).check().passed);
                if (reference.empty()) reference = {hash, finished};
                CHECK(reference == std::vector<uint64_t>{hash, finished});
            });
        }
}

TEST_CASE("manual edits: a place that is refused amid a drag ends it where it was") {
    const Input input = generated("uniform:40");
    Context context(DeviceRequest::kCpu, 1);
    Timeline timeline(lab_with("flip"));
    timeline.reset(context, input);
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

}  // namespace flipscope
