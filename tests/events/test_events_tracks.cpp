// The Events lab on tracks, whose sites have names: a site that returns keeps its name.
#include <algorithm>
#include <random>
#include <set>

#include "delaunay/runs.h"
#include "events/events_machine.h"
#include "events/inputs.h"

using namespace flipscope;

TEST_CASE("events lab: tracks keep their names, also when ids are missing for a while") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = tracks({{{5, {0, 0}}, {7, {10, 0}}, {9, {5, 8}}},
                                {{5, {0, 0}}, {9, {5, 8}}},
                                {{5, {0, 0}}, {7, {10, 0}}, {9, {5, 8}}},
                                {}});
    for (const char* matching : {"matching=auto", "matching=nearest", "matching=names"}) {
        auto lab = started(context, input, "events", {matching, "graph=delaunay"});
        std::vector<int64_t> appeared, vanished;
        while (!lab->done()) {
            const StepResult result = lab->step();
            if (result.counters[EventsMachine::kAppeared] == kNotCounted) continue;
            appeared.push_back(result.counters[EventsMachine::kAppeared]);
            vanished.push_back(result.counters[EventsMachine::kVanished]);
        }
        CHECK(appeared == std::vector<int64_t>{0, 1, 0});
        CHECK(vanished == std::vector<int64_t>{1, 0, 3});
        CHECK(facet<Detector>(*lab).detection_count() == 5);  // 7 goes and comes back, and then all go
        CHECK(lab->result().numbers.find("lost contacts")->value.number() == 0);
        CHECK(facet<Checkable>(*lab).check().passed);
        // Where names decide, 7 is called again what it was; where places do, it is a new one.
        for (const Property& number : lab->result().numbers)
            if (number.name == "names given so far")
                CHECK(number.value.number() == (std::string(matching) == "matching=nearest" ? 4 : 3));
    }
    auto lab = lab_with("events", {"matching=names"});
    CHECK_THROWS_AS(lab->reset(context, nothing()), Error);
}

TEST_CASE("labs on a lattice: places in the units of the input are told apart, far from the origin too") {
    Context context(DeviceRequest::kCpu, 1);
    std::vector<std::pair<int64_t, Point>> frame;
    std::vector<Point> places;
    for (int i = 0; i < 30; ++i) {
        places.push_back({5402320.125 + 0.5 * (i % 6), -1e6 - 0.25 * (i / 6) - 0.0625 * (i % 6)});
        frame.push_back({i, places.back()});
    }
    for (const std::string id : {"events", "voronoi"}) {
        const auto lab = finished(context, id == "events" ? tracks({frame, frame}) : make_input("far off", places), id,
                                  {"width=64", "height=64"});
        std::set<std::string> seen;
        size_t found = 0;
        for (uint32_t v = 0; v < places.size(); ++v)
            for (const Property& fact : facet<Inspectable>(*lab).inspect({ElementKind::kVertex, v}).properties()) {
                if (fact.name != "In the input") continue;
                const std::string text = text_of(fact.value);
                INFO(id, ": ", text);
                const size_t comma = text.find(", ");
                const Point told{std::stod(text.substr(0, comma)), std::stod(text.substr(comma + 2))};
                double nearest = 1e9;
                for (const Point p : places)
                    nearest = std::min(nearest, std::max(std::fabs(told.x - p.x), std::fabs(told.y - p.y)));
                CHECK(nearest < 1e-6);
                CHECK(text.size() < 40);
                seen.insert(text);
                ++found;
            }
        CHECK(found == places.size());
        CHECK(seen.size() == places.size());
    }
}

TEST_CASE("events lab: places of tracks leave it in the units of their file, and the way to the lattice is told") {
    Context context(DeviceRequest::kCpu, 2);
    std::mt19937 random(5);
    std::vector<std::vector<std::pair<int64_t, Point>>> frames(4);
    for (auto& frame : frames)
        for (int64_t id = 0; id < 40; ++id)
            frame.push_back({id, {-3 + 0.01 * double(random() % 100), 1e3 + 0.005 * double(random() % 100)}});
    const Input input = tracks(frames);
    const auto lab = finished(context, input, "events", {"graph=delaunay"});
    const auto sites = values_of<Point>(*lab, "sites");
    const auto events = values_of<double>(*lab, "events");
    REQUIRE(sites.size() == 40);
    for (size_t i = 0; i < 40; ++i) {
        CHECK(std::abs(sites[i].x - frames.back()[i].second.x) < 1e-10);
        CHECK(std::abs(sites[i].y - frames.back()[i].second.y) < 1e-10);
    }
    const Result result = lab->result();
    REQUIRE(result.lattice);
    CHECK(result.lattice->width == lab->scene().lattice().width);
    CHECK(!result.lattice->periodic.any());
    const auto detections = facet<Detector>(*lab).detections(0);
    REQUIRE(5 * detections.size() == events.size());
    REQUIRE(!detections.empty());
    for (size_t i = 0; i < detections.size(); ++i) {
        const Detection& detection = detections[i];
        REQUIRE(detection.given);
        CHECK((detection.given->x > -3.01 && detection.given->x < -1.99));
        CHECK((detection.given->y > 999.99 && detection.given->y < 1000.51));
        const Point back = result.lattice->units.on_lattice(*detection.given);
        CHECK(back.x == doctest::Approx(detection.place.x));
        CHECK(back.y == doctest::Approx(detection.place.y));
        CHECK(Point{events[5 * i + 3], events[5 * i + 4]} == *detection.given);
    }
    CHECK(!finished(context, nothing(), "events", {"width=64", "height=64", "comparisons=1"})->result().lattice);
}

TEST_CASE("events lab: points at one place are told, and only the one with the lowest id has neighbours") {
    std::vector<std::pair<int64_t, Point>> frame{{1, {0, 0}}, {2, {10, 0}}, {3, {5, 8}}, {4, {5, 3}}, {9, {5, 3}}};
    Context context(DeviceRequest::kCpu, 1);
    for (const char* graph : {"graph=delaunay", "graph=lattice"}) {
        const auto lab = started(context, tracks({frame, frame}), "events", {graph});
        std::string said;
        lab->finish([&](const StepResult& round) { said += round.message.text(); });
        CHECK(contains(said,
                       "2 points lie at the place of another in the same frame, such as ids 4 and 9 at t = 0: of such "
                       "points only the one with the lowest id has neighbours."));
        const Table table = facet<TableExporter>(*lab).table("tracks");
        for (const size_t row : {3, 4, 8, 9}) CHECK(text_of(table.row(row).cells[4]) == (row % 5 == 3 ? "3" : "0"));
    }
    // All at one place: nothing to be seen, and nothing that is no number.
    const Input same = tracks({{{1, {2, 3}}, {2, {2, 3}}}, {{1, {2, 3}}, {2, {2, 3}}}});
    const auto lab = finished(context, same, "events", {});
    for (const Point& p : values_of<Point>(*lab, "sites")) CHECK(p == Point{2, 3});
}
