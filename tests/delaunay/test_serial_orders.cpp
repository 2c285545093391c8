// The serial construction in all orders of insertion, by both methods, with points clicked, removed and moved.
#include <random>

#include "delaunay/engines.h"
#include "delaunay/hands.h"
#include "instruments/hashed_run.h"

using namespace flipscope;

namespace {

const char* const kOrders[] = {"biased", "clicked", "file", "random", "x", "hilbert", "spiral"};

std::vector<Point> small_set(std::mt19937_64& random) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    const int kind = below(4), side = kind == 0 ? 3 : kind == 1 ? 6 : 1 << 20;
    std::vector<Point> points(static_cast<size_t>(1 + below(14)));
    for (Point& p : points) p = {double(below(side)), double(below(kind == 3 ? 4 : side))};
    return points;
}

uint64_t hash_of(const std::vector<Point>& points) { return serial_outcome(make_input("set", points)).hash; }

/// Of a fresh run on the points that are left, which keep their numbers.
uint64_t hash_of_present(Context& context, const Lab& lab) {
    const TriangleMesh* const mesh = lab.scene().mesh;
    std::vector<std::pair<uint32_t, Point>> named;
    for (uint32_t v = 0; mesh && v < mesh->infinite(); ++v)
        named.emplace_back(mesh->inputs.read(v), mesh->positions.read(v));
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Point> points;
    std::vector<uint32_t> names;
    for (const auto& [name, place] : named) {
        names.push_back(name);
        points.push_back(place);
    }
    SerialInsertion serial;
    serial.reset(context, make_input("present", points));
    serial.name_points(names);
    serial.finish({});
    return serial.mesh().triangle_count ? outcome_of(context, serial).hash : 0;
}

}  // namespace

TEST_CASE("serial: small and degenerate sets have one triangulation in all orders, by both methods") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(7);
    for (size_t i = 0; i < case_count(10000); ++i) {
        const auto points = small_set(random);
        const Input input = make_input("set", points);
        const uint64_t wanted = hash_of(points);
        for (uint32_t order = 0; order < std::size(kOrders); ++order)
            for (const auto method : {SerialOptions::Method::kLawson, SerialOptions::Method::kBowyerWatson}) {
                SerialInsertion serial;
                serial.reset(context, input,
                             {static_cast<InsertionOrder>(order), method, SerialOptions::Pace::kTest, i % 2 == 1});
                if (i % 16 == 0)
                    while (!serial.done()) serial.step();
                else
                    serial.finish({});
                REQUIRE_MESSAGE(outcome_of(context, serial).hash == wanted, kOrders[order], " set ", i);
            }
    }
}

TEST_CASE("serial: hard inputs have the triangulation of the default order, stepped and finished") {
    Context context(DeviceRequest::kCpu, 1);
    const size_t orders = std::min(std::size(kOrders), 1 + case_count(60));  // under sanitizers two of each input
    for (size_t first = 0; const Input& input : hard_inputs()) {
        const uint64_t wanted = serial_outcome(input).hash;
        for (size_t k = first; k < first + orders; ++k)
            for (const std::string method : {"lawson", "bowyer-watson"}) {
                const std::string order = kOrders[k % std::size(kOrders)];
                INFO(input->name, " ", order, " ", method);
                const Settings settings{"order=" + order, "method=" + method, "step=test"};
                const auto lab = stepped(context, input, "serial", settings);
                CHECK(lab->result().triangulation_hash == wanted);
                CHECK(finished(context, input, "serial", settings)->state_hash() == lab->state_hash());
                check_passes(*lab);
            }
        ++first;
    }
}

TEST_CASE("serial: points clicked, removed and moved leave the triangulation of the points that are there") {
    Context context(DeviceRequest::kCpu, 1);
    std::mt19937_64 random(11);
    const auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
    for (size_t i = 0; i < case_count(3000); ++i) {
        const std::vector<Point> given = small_set(random);
        const bool cavity = i % 2 == 1;
        StartedTimeline timeline(context, make_input("set", i % 5 ? given : std::vector<Point>{}), "serial",
                                 {std::string("method=") + (cavity ? "bowyer-watson" : "lawson"),
                                  std::string("step=") + (i % 3 == 0   ? "test"
                                                          : i % 3 == 1 ? "flip"
                                                                       : "point"),
                                  std::string("order=") + kOrders[i % std::size(kOrders)]});
        if (i % 4) timeline.seek(below(30));
        for (int k = 0; k < 6; ++k) {
            Lab& lab = timeline.lab();
            const auto& points = given[below(given.size())];
            const uint32_t count = lab.scene().mesh ? lab.scene().mesh->infinite() : 0;
            const Point place{points.x + double(below(3)), points.y + double(below(2))};
            try {
                const size_t what = count > 0 && count != kNone ? below(4) : 0;
                if (what == 3)
                    timeline.edit(remove_of(static_cast<uint32_t>(below(count))));
                else if (what == 2)
                    timeline.edit(move_of(static_cast<uint32_t>(below(count)), place));
                else
                    timeline.edit(add_of(place));
            } catch (const Error&) {  // another point is there
            }
            if (below(2)) timeline.seek(timeline.position() + below(4));
        }
        timeline.run_to_end();
        const Lab& lab = timeline.lab();
        REQUIRE_MESSAGE(facet<Checkable>(lab).check().passed, "set ", i, ": ", facet<Checkable>(lab).check().sentence);
        REQUIRE_MESSAGE(lab.result().triangulation_hash == hash_of_present(context, lab), "set ", i);
    }
}

TEST_CASE("serial: vertices of every degree are removed, one by one, until nothing is left") {
    Context context(DeviceRequest::kCpu, 1);
    for (const Input& input : hard_inputs()) {
        if (input->points.size() > 420) continue;
        INFO(input->name);
        StartedTimeline timeline(context, input, "serial", {"step=flip"});
        timeline.run_to_end();
        std::mt19937_64 random(3);
        for (int k = 0; k < 12 && timeline.lab().scene().mesh; ++k) {
            const uint32_t count = timeline.lab().scene().mesh->infinite();
            if (count == 0 || timeline.lab().result().points == 0) break;
            timeline.edit(remove_of(k == 0 ? 0 : static_cast<uint32_t>(random() % count)));
            timeline.run_to_end();
            CHECK_MESSAGE(facet<Checkable>(timeline.lab()).check().passed,
                          facet<Checkable>(timeline.lab()).check().sentence);
        }
    }
}

TEST_CASE("serial: a run with clicks, removals and moves has one hash at every position") {
    Context context(DeviceRequest::kCpu, 1);
    for (const std::string method : {"lawson", "bowyer-watson"})
        for (const std::string step : {"point", "flip", "test"}) {
            INFO(method, " ", step);
            StartedTimeline timeline(context, generated("uniform:40"), "serial",
                                     {"method=" + method, "step=" + step, "order=spiral"});
            HashedRun run(timeline);
            const auto steps = [&](int count) {
                for (int i = 0; i < count && run.step(); ++i) continue;
            };
            const auto rest = [&] {
                while (timeline.result(timeline.position() - 1).ended < Level::kIteration && run.step()) continue;
            };
            steps(20);
            rest();
            run.edit(add_of({0.5, 0.5}));
            steps(3);
            rest();
            run.edit(remove_of(vertex_of(timeline.lab(), 7)));
            steps(2);
            rest();
            run.edit(add_of({1.5, 0.5}));
            rest();
            run.edit(move_of(vertex_of(timeline.lab(), 40), Point{0.2, 0.9}));
            steps(1000);
            run.edit(move_of(vertex_of(timeline.lab(), 3), Point{0.21, 0.9}));
            steps(1000);
            run.edit(remove_of(vertex_of(timeline.lab(), 41)));
            steps(1000);
            CHECK(timeline.done());
            CHECK(std::count(run.hashes.begin(), run.hashes.end(), 0) == 0);
            run.check_everywhere();
            check_passes(timeline.lab());
        }
}

TEST_CASE("serial: a test of cocircular points says that they lie on the circle") {
    Context context(DeviceRequest::kCpu, 1);
    StartedTimeline timeline(context, make_input("square", {{0, 0}, {1, 0}, {0, 1}, {1, 1}}), "serial",
                             {"step=test", "order=file"});
    std::string said;
    while (timeline.step()) said += timeline.result(timeline.position() - 1).message.text() + "\n";
    CHECK(said.find("3 lies on the circumcircle") != std::string::npos);
    CHECK(said.find("side the circumcircle") == std::string::npos);
}

TEST_CASE("serial: a click continues the run, and one on a vertex inserts nothing") {
    Context context(DeviceRequest::kCpu, 1);
    StartedTimeline timeline(context, generated("uniform:30"), "serial", {"step=test", "order=file"});
    timeline.seek(40);
    const uint64_t before = timeline.known();
    timeline.edit(add_of({0.5, 0.5}));
    const uint64_t clicked = timeline.position();
    CHECK(clicked > before);
    CHECK(timeline.lab().next_pass() == SerialInsertion::kLocate);
    timeline.step();
    const Scene scene = timeline.lab().scene();
    CHECK(scene.layer("walk"));
    while (!timeline.lab().scene().layer("circle") && timeline.step()) continue;
    CHECK(timeline.lab().scene().layer("circle"));
    CHECK(timeline.result(timeline.position() - 1).message.text().find("The edge from") == 0);
    CHECK(timeline.undo());
    CHECK(timeline.position() == 40);
    timeline.run_to_end();
    timeline.edit(add_of(generated("uniform:30")->points[4]));
    CHECK(timeline.done());
    CHECK(timeline.lab().result().duplicates == 1);
    CHECK(timeline.lab().result().points == 31);
}

TEST_CASE("serial: bad orders are shown to be bad by the work for a point") {
    Context context(DeviceRequest::kCpu, 1);
    const auto mean_of = [&](const std::string& name, const Input& input, const Settings& settings) {
        const auto lab = finished(context, input, "serial", settings);
        for (const Curve& curve : facet<Measurable>(*lab).statistics().all<Curve>())
            if (curve.name == name) {
                CHECK(curve.remark.find("Expected: ") == 0);
                double sum = 0;
                for (const double y : curve.y) sum += y;
                return sum / static_cast<double>(curve.y.size());
            }
        return 0.0;
    };
    const Input few = generated("uniform:1000"), many = generated("uniform:16000");
    // The walk: as √n in random order, as a constant along a curve.
    const Settings random{"order=random", "walk_from=fixed"}, curve{"order=hilbert"};
    CHECK(mean_of("walk", many, random) > 2.5 * mean_of("walk", few, random));
    CHECK(mean_of("walk", many, curve) < 1.5 * mean_of("walk", few, curve));
    CHECK(mean_of("flips", many, random) < 3.2);
    CHECK(mean_of("flips", many, {"order=biased"}) < 3.2);
    // A row, and above it points that come nearer: each takes the whole row from the point before.
    const auto falling = [](int count) {
        std::vector<Point> points;
        for (int i = 0; i < count; ++i) points.push_back({double(i - count / 2), 0});
        for (int i = 0; i < count; ++i) points.push_back({0.5, double(3 * count - i)});
        return make_input("falling", points);
    };
    CHECK(mean_of("flips", falling(400), {"order=file"}) > 3 * mean_of("flips", falling(100), {"order=file"}));
    CHECK(mean_of("flips", falling(400), {"order=random"}) < 30);
    CHECK(mean_of("cavity", many, {"method=bowyer-watson", "order=random"}) < 5);
}
