// Points moved, added and removed by hand in the labs that build a triangulation from points, on every device.
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "delaunay/hands.h"
#include "instruments/hashed_run.h"

using namespace flipscope;

namespace {

Point place_of(const Lab& lab, uint32_t point) { return lab.scene().mesh->positions.read(vertex_of(lab, point)); }

struct DeviceSlot {
    Context context;
    Timeline timeline;
    DeviceSlot(const DeviceUnderTest& device, const std::string& id, const Input& input, const Settings& settings = {})
        : context(device.request, device.threads), timeline(lab_with(id, settings)) {
        timeline.reset(context, input);
    }
    Lab& lab() { return timeline.lab(); }
};

bool runs_on(const std::string& id, const DeviceUnderTest& device) {
    return id != "serial" || device.request != DeviceRequest::kCuda;
}

/// Goes over all labs that edit points so, and all devices.
void for_each_desk(const Input& input, const std::function<void(DeviceSlot&, const std::string& id)>& use,
                   const Settings& of_build = {}) {
    for (const std::string id : {"build", "serial", "strips", "subdivide"})
        for (const DeviceUnderTest& device : devices_under_test()) {
            if (!runs_on(id, device)) continue;
            INFO(id << " on " << device.name);
            DeviceSlot desk(device, id, input, id == "build" ? of_build : Settings{});
            use(desk, id);
        }
}

}  // namespace

TEST_CASE("points edited manually: what comes of an edit is the triangulation of the points as they are then") {
    const Input input = generated("uniform:300");
    for_each_desk(input, [&](DeviceSlot& desk, const std::string& id) {
        desk.timeline.run_to_end();
        auto points = input->points;
        const auto like_fresh = [&] {
            desk.timeline.run_to_end();  // the Serial lab completes an edit by further passes
            Context context(DeviceRequest::kCpu, 1);
            const auto fresh = finished(context, std::make_shared<const Geometry>(Geometry{input->name, points}), id);
            CHECK(desk.lab().done());
            CHECK(facet<Checkable>(desk.lab()).check().passed);
            CHECK(triangles_of(desk.lab()) == triangles_of(*fresh));
            CHECK(desk.lab().result().triangulation_hash == fresh->result().triangulation_hash);
        };
        desk.timeline.edit(move_of(vertex_of(desk.lab(), 17), Point{0.51, 0.49}));
        points[17] = {0.51, 0.49};
        CHECK(place_of(desk.lab(), 17) == points[17]);
        like_fresh();
        desk.timeline.edit(add_of({1.5, 2}));  // beyond the hull
        points.push_back({1.5, 2});
        CHECK(place_of(desk.lab(), 300) == points[300]);
        CHECK(desk.timeline.result(desk.timeline.position() - 1).message.text() == "Point 300 is added.");
        like_fresh();
        CHECK(desk.lab().result().points == 301);
        desk.timeline.edit(move_of(vertex_of(desk.lab(), 300), Point{-3, 0.2}));
        points[300] = {-3, 0.2};
        like_fresh();
        CHECK(desk.timeline.edit_count() == 3);
    });
}

TEST_CASE("points edited manually: points that stay keep their numbers, and ties among them fall as before") {
    const Input grid = generated("grid:400");
    for_each_desk(grid, [&](DeviceSlot& desk, const std::string&) {
        desk.timeline.run_to_end();
        const uint64_t whole = desk.lab().result().triangulation_hash;
        const auto named = [&] {  // triangles by the numbers of their points
            const TriangleMesh& mesh = *desk.lab().scene().mesh;
            Triangles triangles;
            for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
                std::array<uint32_t, 3> names{};
                bool finite = true;
                for (uint32_t k = 0; k < 3; ++k) {
                    const uint32_t v = mesh.triangles.read(3 * size_t(t) + k);
                    finite &= v < mesh.infinite();
                    names[k] = v < mesh.infinite() ? mesh.inputs.read(v) : kNone;
                }
                if (finite) triangles.push_back(names);
            }
            return sorted_triangles(triangles);
        };
        const Triangles before = named();
        desk.timeline.edit(remove_of(vertex_of(desk.lab(), 30)));
        CHECK(desk.timeline.result(desk.timeline.position() - 1).message.text() ==
              "Point 30 is removed; the others keep their numbers.");
        desk.timeline.run_to_end();
        CHECK(vertex_of(desk.lab(), 30) == kNone);
        CHECK(place_of(desk.lab(), 31) == grid->points[31]);
        CHECK(place_of(desk.lab(), 399) == grid->points[399]);
        CHECK(facet<Checkable>(desk.lab()).check().passed);
        CHECK(desk.lab().result().points == 399);
        CHECK(desk.lab().result().duplicates == 0);
        // Nothing but the triangles at that point has changed.
        const Triangles after = named();
        size_t gone = 0;
        for (const auto& triangle : before) {
            const bool there = std::find(after.begin(), after.end(), triangle) != after.end();
            const bool had_it = std::find(triangle.begin(), triangle.end(), 30u) != triangle.end();
            CHECK(there == !had_it);
            gone += had_it;
        }
        CHECK(after.size() == before.size() - gone + gone - 2);
        // Its number is not given again, and where it was another one may be.
        desk.timeline.edit(add_of(grid->points[30]));
        CHECK(place_of(desk.lab(), 400) == grid->points[30]);
        desk.timeline.run_to_end();
        CHECK(facet<Checkable>(desk.lab()).check().passed);
        // A file of it numbers the points without a gap.
        const TriangleSoup soup = desk.lab().soup();
        CHECK(soup.points->size() == 400);
        CHECK((*soup.points)[30] == grid->points[31]);
        CHECK((*soup.points)[399] == grid->points[30]);
        CHECK(desk.timeline.undo());
        CHECK(desk.timeline.undo());
        CHECK(desk.lab().result().triangulation_hash == whole);
    });
}

TEST_CASE("points edited manually: a run with edits has one hash at every position, stepped, finished and scrubbed") {
    const Input input = generated("uniform:120");
    std::map<std::string, std::vector<uint64_t>> of_first;  // by lab
    for_each_desk(input, [&](DeviceSlot& desk, const std::string& id) {
        Timeline& timeline = desk.timeline;
        HashedRun run(timeline);
        const auto go_on = [&](Level level) {
            do REQUIRE(run.step());
            while (timeline.result(timeline.position() - 1).ended < level);
        };
        const Level rest = id == "build" ? Level::kRound : Level::kIteration;
        run.edit(add_of({0.3, 0.31}));  // before anything has run
        go_on(Level::kRound);           // the first triangle
        run.edit(move_of(vertex_of(desk.lab(), 3), Point{0.9, 0.1}));
        if (id != "strips") {  // which rest nowhere else before their end
            go_on(rest);
            go_on(rest);
        }
        const uint32_t round = timeline.result(timeline.position() - 1).round;
        run.edit(remove_of(vertex_of(desk.lab(), 50)));
        CHECK(timeline.result(timeline.position() - 1).round == round);
        CHECK_FALSE(desk.lab().done());
        run.edit(move_of(vertex_of(desk.lab(), 51), Point{-1, -1}));
        while (run.step()) continue;
        CHECK(facet<Checkable>(desk.lab()).check().passed);
        run.edit(remove_of(vertex_of(desk.lab(), 120)));
        while (run.step()) continue;
        CHECK(desk.lab().done());
        CHECK(std::count(run.hashes.begin(), run.hashes.end(), 0) == 0);
        run.check_everywhere();
        CHECK(facet<Checkable>(desk.lab()).check().passed);
        // The same on every device.
        std::vector<uint64_t>& first = of_first[id];
        if (first.empty()) first = run.hashes;
        CHECK(run.hashes == first);
        // Finished after any edit, it has the same state as stepped.
        const auto other = started(desk.context, input, id);
        for (int i = 0; i < 4; ++i) other->step();
        const uint32_t resting = id == "strips" ? 5 : 2;
        while (other->next_pass() != resting) other->step();
        facet<Editable>(*other).edit(add_of({0.2, 0.7}));
        if (id == "serial")  // it is saved between points
            while (other->step().ended < Level::kIteration) continue;
        const Snapshot edited = other->save();
        while (!other->done()) other->step();
        const uint64_t by_steps = other->state_hash();
        other->load(edited);
        other->finish({});
        CHECK(other->state_hash() == by_steps);
        other->reset(desk.context, input);  // on the input as it was given
        other->finish({});
        CHECK(other->result().points == 120);
        other->load(edited);  // into a run that knows nothing of the edit
        other->finish({});
        CHECK(other->state_hash() == by_steps);
    });
}

TEST_CASE("points edited manually: a drag leads where its last place does, and never onto another point") {
    const Input input = generated("uniform:80");
    for_each_desk(input, [&](DeviceSlot& desk, const std::string& id) {
        Timeline& timeline = desk.timeline;
        for (int times = 0; times < (id == "build" ? 40 : 90); ++times) timeline.step();
        DeviceSlot direct({DeviceRequest::kCpu, 1, ""}, id, input);
        direct.timeline.seek(timeline.position());
        direct.timeline.edit(move_of(vertex_of(desk.lab(), 9), Point{0.8, 0.75}));
        Edit bit = move_of(vertex_of(desk.lab(), 9), Point{0.2, 0.2});
        timeline.edit(bit);
        bit.goes_on = true;
        bit.path = {{5, 5, 0}, {0.5, 0.4, 0}, {0.8, 0.75, 0}};
        timeline.edit(bit);
        const uint64_t hash = desk.lab().state_hash();
        CHECK(hash == direct.lab().state_hash());
        bit.path = {{input->points[11].x, input->points[11].y, 0}};
        CHECK_THROWS_WITH_AS(timeline.edit(bit), "Point 11 is there already; two cannot share a place.", Error);
        CHECK(desk.lab().state_hash() == hash);
    });
}

TEST_CASE("points edited manually: from nothing to a triangulation, and back to nothing") {
    for_each_desk(std::make_shared<const Geometry>(), [&](DeviceSlot& desk, const std::string&) {
        Timeline& timeline = desk.timeline;
        timeline.run_to_end();
        const Point places[] = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {1, -1}};
        const uint64_t triangles[] = {0, 0, 0, 2, 4};
        for (uint32_t i = 0; i < 5; ++i) {
            timeline.edit(add_of(places[i]));
            timeline.run_to_end();
            CHECK(desk.lab().result().points == i + 1);
            CHECK(desk.lab().result().triangles == triangles[i]);
            CHECK(facet<Checkable>(desk.lab()).check().passed);
        }
        timeline.edit(move_of(vertex_of(desk.lab(), 3), Point{5, 0}));
        timeline.edit(move_of(vertex_of(desk.lab(), 4), Point{-5, 0}));  // all on one line
        timeline.run_to_end();
        CHECK(desk.lab().result().triangles == 0);
        for (uint32_t i = 0; i < 5; ++i) timeline.edit(remove_of(vertex_of(desk.lab(), i)));
        CHECK(desk.lab().result().points == 0);
        const uint64_t hash = desk.lab().state_hash(), end = timeline.position();
        for (int i = 0; i < 8; ++i) REQUIRE(timeline.undo());
        timeline.run_to_end();
        CHECK(desk.lab().result().triangles == 2);
        while (timeline.redo()) {
        }
        CHECK(timeline.position() == end);
        CHECK(desk.lab().state_hash() == hash);
    });
}

TEST_CASE("points edited manually: a vertex stands for all points that were merged in it") {
    const auto input = std::make_shared<const Geometry>(
        Geometry{"twins", {{0, 0}, {4, 0}, {1, 1}, {4, 3}, {1, 1}, {0, 3}, {1, 1}, {3, 2}}});
    for_each_desk(input, [&](DeviceSlot& desk, const std::string&) {
        desk.timeline.run_to_end();
        CHECK(desk.lab().result().duplicates == 2);
        desk.timeline.edit(move_of(vertex_of(desk.lab(), 2), Point{2, 1}));
        desk.timeline.run_to_end();
        CHECK(desk.lab().result().duplicates == 2);
        CHECK(place_of(desk.lab(), 2) == Point{2, 1});
        CHECK_FALSE(edits(desk.lab(), move_of(vertex_of(desk.lab(), 7), Point{2, 1})));
        desk.timeline.edit(remove_of(vertex_of(desk.lab(), 2)));
        CHECK(desk.timeline.result(desk.timeline.position() - 1).message.text() ==
              "Point 2 and its 2 duplicates are removed; the others keep their numbers.");
        desk.timeline.run_to_end();
        CHECK(desk.lab().result().duplicates == 0);
        CHECK(desk.lab().result().points == 5);
    });
}

TEST_CASE("points edited manually: what cannot be is refused in a sentence, and changes nothing") {
    const Input input = generated("uniform:30");
    for_each_desk(input,
                  [&](DeviceSlot& desk, const std::string& id) {
                      CHECK_FALSE(edits(desk.lab(), remove_of(0)));  // there are no vertices yet
                      desk.timeline.run_to_end();
                      const double far = 1e300;
                      if (id != "serial") CHECK_FALSE(edits(desk.lab(), add_of(input->points[4])));
                      CHECK_FALSE(edits(desk.lab(), add_of({std::nan(""), 0})));
                      CHECK_FALSE(edits(desk.lab(), add_of({far, 0})));
                      CHECK_FALSE(edits(desk.lab(), move_of(3, Point{0, far})));
                      CHECK_FALSE(edits(desk.lab(), move_of(1000, Point{0, 0})));
                      CHECK_FALSE(edits(desk.lab(), remove_of(kNone)));
                      CHECK_FALSE(edits(desk.lab(), flip_of(3)));
                      if (id == "build") CHECK_FALSE(edits(desk.lab(), remove_of(31)));  // of the supertriangle
                  },
                  {"enclosure=supertriangle"});
}

TEST_CASE("points edited manually: with other parameters than those of the run, the run's hold") {
    const Input input = generated("uniform:60");
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, input, "build", {"vote=lowest", "flip_limit=1"});
    set_parameter(*lab, "vote=circumcentre");
    facet<Editable>(*lab).edit(add_of({0.5, 0.5}));
    auto points = *input;
    points.points.push_back({0.5, 0.5});
    const auto fresh =
        finished(context, std::make_shared<const Geometry>(points), "build", {"vote=lowest", "flip_limit=1"});
    const TriangleMesh &a = *lab->scene().mesh, &b = *fresh->scene().mesh;
    CHECK(a.triangles.download() == b.triangles.download());
}
