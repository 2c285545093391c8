// Manual edits of the Voronoi lab, and its timeline: every position has one hash, on every path to it.
#include <cmath>

#include "delaunay/hands.h"
#include "instruments/hashed_run.h"
#include "voronoi/lattice.h"

using namespace flipscope;

namespace {

Edit move(uint32_t id, Point to) { return move_of(id, to); }
Edit brush(Edit::Kind kind, Point at, double radius) {
    Edit edit = add_of(at);
    edit.kind = kind;
    edit.radius = radius;
    return edit;
}
Edit paint(Point at, double radius) { return brush(Edit::Kind::kPaint, at, radius); }
Edit wipe(Point at, double radius) { return brush(Edit::Kind::kWipe, at, radius); }

struct DeviceSlot {
    Context context{DeviceRequest::kCpu, 2};
    Timeline timeline;
    explicit DeviceSlot(const Settings& settings) : timeline(lab_with("voronoi", settings)) {
        timeline.reset(context, make_input("nothing", {}));
    }
    Lab& lab() { return timeline.lab(); }
};

}  // namespace

TEST_CASE("Voronoi lab: with edits, every position has one hash, on every path to it") {
    for (const char* after : {"after_edit=at-once", "after_edit=step"})
        for (const char* method : {"method=exact", "method=jump-flooding"}) {
            INFO(after << " " << method);
            DeviceSlot desk({"count=30", "width=64", "height=48", "lloyd=3", "obstacles=posts", "obstacle_height=9",
                             "obstacle_width=4", "obstacle_count=3", after, method});
            Timeline& timeline = desk.timeline;
            HashedRun run(timeline);
            const auto go = [&](int steps) {
                while (steps-- > 0 && run.step()) continue;
            };
            run.edit(add_of({30.5, 20}));  // before anything has run
            go(9);
            run.edit(move(2, {5, 40}));
            run.edit(paint({32, 24}, 6));
            go(1000);
            CHECK(timeline.done());
            run.edit(remove_of(0));
            run.edit(wipe({32, 24}, 4));
            go(7);
            run.edit(add_of({1, 1}));
            go(1000);
            const uint64_t end = timeline.known();
            run.check_everywhere();
            CHECK(facet<Checkable>(timeline.lab()).check().passed);
            CHECK(timeline.known() == end);
        }
}

TEST_CASE("Voronoi lab: an edit leads to the state that the same sites and obstacles lead to from the start") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<Point> points{{10, 10}, {50, 12}, {30, 40}, {12, 30}, {55, 44}};
    std::vector<Point> edited = points;
    edited[1] = {40, 20};
    edited.erase(edited.begin() + 3);
    edited.push_back({20, 20});
    const Settings settings{"width=64", "height=48", "fit=off"};
    const auto lab = finished(context, make_input("five", points), "voronoi", settings);
    facet<Editable>(*lab).edit(move(1, {40, 20}));
    facet<Editable>(*lab).edit(remove_of(3));
    facet<Editable>(*lab).edit(add_of({20, 20}));
    const auto fresh = finished(context, make_input("five", edited), "voronoi", settings);
    for (const char* name : {"colours", "links", "exact_links", "areas", "sites"})
        CHECK(facet<Exporter>(*lab).array(name).values == facet<Exporter>(*fresh).array(name).values);
    CHECK(values_of<uint32_t>(*lab, "names") == std::vector<uint32_t>{0, 1, 2, 4, 5});
}

TEST_CASE("Voronoi lab: after an edit the passes run again one by one, if the parameter says so") {
    DeviceSlot desk({"count=20", "width=64", "height=48", "after_edit=step"});
    desk.timeline.run_to_end();
    const uint64_t known = desk.timeline.known();
    desk.timeline.edit(move(3, {20, 20}));
    CHECK(desk.timeline.known() == known + 1);
    CHECK_FALSE(desk.timeline.done());
    CHECK(desk.lab().info().passes[desk.lab().next_pass()].name == "colour");
    for (const uint32_t colour : values_of<uint32_t>(desk.lab(), "colours")) REQUIRE(colour == kNone);
    desk.timeline.run_to_end();
    CHECK(desk.timeline.known() > known + 4);
    CHECK(facet<Checkable>(desk.lab()).check().passed);
}

TEST_CASE("Voronoi lab: a brush paints obstacles on the sites it covers, and a wipe frees them again") {
    DeviceSlot desk({"count=25", "width=64", "height=48"});
    desk.timeline.run_to_end();
    const uint64_t before = values_of<uint32_t>(desk.lab(), "links").size();
    const auto colours_before = values_of<uint32_t>(desk.lab(), "colours");
    desk.timeline.edit(paint({31.4, 20}, 7.5));
    const auto obstacles = values_of<uint32_t>(desk.lab(), "obstacles"),
               colours = values_of<uint32_t>(desk.lab(), "colours");
    size_t count = 0;
    for (uint32_t pixel = 0; pixel < obstacles.size(); ++pixel) {
        const double x = pixel % 64 - 31.4, y = double(pixel / 64) - 20;
        REQUIRE(obstacles[pixel] == (x * x + y * y <= 7.5 * 7.5));
        REQUIRE(colours[pixel] == (obstacles[pixel] ? kMaxLink : colours_before[pixel]));
        count += obstacles[pixel];
    }
    CHECK(count > 150);
    CHECK(facet<Checkable>(desk.lab()).check().passed);
    desk.timeline.edit(paint({2.2, 3.1}, 0));  // one pixel at least
    CHECK(values_of<uint32_t>(desk.lab(), "colours")[3 * 64 + 2] == kMaxLink);
    desk.timeline.edit(wipe({32, 24}, 200));
    CHECK(values_of<uint32_t>(desk.lab(), "colours") == colours_before);
    CHECK(values_of<uint32_t>(desk.lab(), "links").size() == before);
}

TEST_CASE("Voronoi lab: on a cylinder a site dragged over the seam comes back, one dragged past an end stays there") {
    for (const bool upright : {false, true}) {
        const auto turned = [&](Point p) { return upright ? Point{p.y, p.x} : p; };
        DeviceSlot desk({"count=20", upright ? "width=48" : "width=64", upright ? "height=64" : "height=48",
                         upright ? "borders=periodic_y" : "borders=periodic_x"});
        desk.timeline.run_to_end();
        const auto place_of = [&](size_t site) {
            const auto sites = values_of<double>(desk.lab(), "sites");
            return turned({sites[2 * site], sites[2 * site + 1]});
        };
        desk.timeline.edit(move(3, turned({70, -30})));
        CHECK(place_of(3) == Point{6, -0.5});
        desk.timeline.edit(move(3, turned({-2, 100})));
        CHECK(place_of(3) == Point{62, 47.5});
        desk.timeline.edit(add_of(turned({-3, 20})));
        CHECK(place_of(20) == Point{61, 20});
        CHECK_THROWS_WITH_AS(facet<Editable>(desk.lab()).edit(add_of(turned({20, -3}))),
                             doctest::Contains("must lie on the lattice"), Error);
        CHECK(facet<Checkable>(desk.lab()).check().passed);
    }
}

TEST_CASE("Voronoi lab: a stroke and a drag made bit by bit lead to the state of those made at once") {
    for (const char* after : {"after_edit=at-once", "after_edit=step"})
        for (const char* borders : {"borders=open", "borders=periodic", "borders=periodic_x", "borders=periodic_y"}) {
            INFO(after << " " << borders);
            const Settings settings{"count=40",           "width=64",         "height=48", "lloyd=2", "obstacles=walls",
                                    "obstacle_height=20", "obstacle_count=2", after,       borders};
            const std::vector<Point3> way{{12, 9, 0}, {12, 9, 0}, {40, 15, 0}, {90, 30, 0}, {33, 40, 0}};
            DeviceSlot desk(settings), whole(settings);
            for (DeviceSlot* each : {&desk, &whole}) each->timeline.seek(5);
            for (const Edit& edit : {paint({10, 8}, 3), wipe({10, 8}, 3), move(7, {10, 12})}) {
                Edit bit = edit, all = edit;
                all.path = way;
                desk.timeline.edit(bit);
                bit.goes_on = true;
                for (const Point3& place : way) {
                    bit.path = {place};
                    desk.timeline.edit(bit);
                }
                whole.timeline.edit(all);
                CHECK(desk.timeline.position() == whole.timeline.position());
                CHECK(desk.lab().state_hash() == whole.lab().state_hash());
                CHECK(facet<Exporter>(desk.lab()).array("obstacles").values ==
                      facet<Exporter>(whole.lab()).array("obstacles").values);
            }
            desk.timeline.run_to_end();
            whole.timeline.run_to_end();
            CHECK(desk.lab().state_hash() == whole.lab().state_hash());
            CHECK(facet<Checkable>(desk.lab()).check().passed);
        }
}

TEST_CASE("Voronoi lab: a stroke may leave the lattice and cross it, and has numbers for places") {
    DeviceSlot desk({"count=20", "width=64", "height=48"});
    desk.timeline.edit(paint({5, 5}, 2));
    Edit bit = paint({}, 2);
    bit.goes_on = true;
    bit.path = {{-50, -60, 0}};
    desk.timeline.edit(bit);  // a hand that leaves the lattice is not told so
    bit.path = {{0, std::nan(""), 0}};
    CHECK_THROWS_AS(desk.timeline.edit(bit), Error);
    Edit across = paint({-20, 24}, 2);  // both ends beside the lattice
    across.path = {{90, 24, 0}};
    desk.timeline.edit(across);
    CHECK(values_of<uint32_t>(desk.lab(), "colours")[24 * 64 + 32] == kMaxLink);
}

TEST_CASE("Voronoi lab: the last site can go, and others can come after it") {
    DeviceSlot desk({"count=1", "width=32", "height=32"});
    desk.timeline.run_to_end();
    desk.timeline.edit(remove_of(0));
    for (const uint32_t colour : values_of<uint32_t>(desk.lab(), "colours")) REQUIRE(colour == kNone);
    CHECK(facet<Checkable>(desk.lab()).check().passed);
    desk.timeline.edit(add_of({4, 5}));
    desk.timeline.edit(add_of({4, 5}));  // two at one place: the first has the cell
    desk.timeline.edit(add_of({25, 20}));
    CHECK(values_of<uint32_t>(desk.lab(), "links") == std::vector<uint32_t>{0, 2});
    CHECK(values_of<uint32_t>(desk.lab(), "names") == std::vector<uint32_t>{1, 2, 3});
    CHECK(facet<Checkable>(desk.lab()).check().passed);
}

TEST_CASE("Voronoi lab: a manual edit that cannot be made is refused with a sentence, and changes nothing") {
    DeviceSlot desk({"count=10", "width=32", "height=32"});
    desk.timeline.run_to_end();
    const uint64_t hash = desk.lab().state_hash(), known = desk.timeline.known();
    const auto refused = [&](const Edit& edit, const char* why) {
        CHECK_THROWS_WITH_AS(desk.timeline.edit(edit), doctest::Contains(why), Error);
        CHECK(desk.lab().state_hash() == hash);
        CHECK(desk.timeline.known() == known);
    };
    refused(move(10, {1, 1}), "no site 10 to move");
    refused(remove_of(77), "no site 77 to remove");
    refused(add_of({-5, 3}), "must lie on the lattice");
    refused(add_of({0.0 / 0.0, 3}), "no numbers");
    refused(paint({40, 3}, 2), "does not touch the lattice");
    refused(wipe({4, 3}, 2), "no obstacles");
    refused(flip_of(0), "flips no edges manually");
    CHECK_FALSE(supports_edit(desk.lab(), Edit::Kind::kFlipEdge));
    CHECK(supports_edit(desk.lab(), Edit::Kind::kPaint));
    desk.timeline.edit(move(0, {-100, 15}));  // dragged past the border: it stays there
    CHECK(values_of<double>(desk.lab(), "sites")[0] == -0.5);

    Context context(DeviceRequest::kCpu, 1);
    const auto clusters = finished(context, generated("uniform:20"), "voronoi", {"data=points", "count=3"});
    CHECK_THROWS_WITH_AS(facet<Editable>(*clusters).edit(move(3, {1, 1})),
                         doctest::Contains("stays; move a cluster centre"), Error);
    CHECK_NOTHROW(facet<Editable>(*clusters).edit(move(2, {1, 1})));
    CHECK(facet<Checkable>(*clusters).check().passed);
}

TEST_CASE("Voronoi lab: the differences from the exact graph are listed, going back and forth and by finish() alike") {
    const Settings settings{"count=300", "width=96", "height=72", "lloyd=2"};
    DeviceSlot desk(settings);
    Timeline& timeline = desk.timeline;
    timeline.run_to_end();
    const auto list = [&] {
        std::string text;
        for (const Detection& detection : facet<Detector>(desk.lab()).detections(0))
            text += detection.kind + " " + std::to_string(detection.vertices.at(0)) + "-" +
                    std::to_string(detection.vertices.at(1)) + " in round " + std::to_string(detection.round) + "\n";
        return text;
    };
    const size_t first = facet<Detector>(desk.lab()).detection_count();
    const std::string first_list = list();
    REQUIRE(first > 0);
    CHECK(!facet<Detector>(desk.lab()).report_of_detection(0).all<Diagram>().empty());
    const uint64_t end = timeline.position();
    timeline.edit(move(7, {48, 36}));
    timeline.run_to_end();
    const std::string whole = list();
    CHECK(whole.substr(0, first_list.size()) == first_list);
    CHECK(facet<Detector>(desk.lab()).detection_count() > first);
    timeline.seek(3);
    CHECK(facet<Detector>(desk.lab()).detection_count() == 0);
    timeline.seek(end);
    CHECK(list() == first_list);
    timeline.seek(timeline.known());
    CHECK(list() == whole);
    timeline.seek(0);
    timeline.run_to_end();
    CHECK(list() == whole);
    const auto lab = finished(desk.context, make_input("nothing", {}), "voronoi", settings);
    CHECK(facet<Detector>(*lab).detection_count() == first);
}

TEST_CASE("Voronoi edits: where a removed site changes the labels, the numbering is another, and back again") {
    DeviceSlot desk({"count=30", "width=64", "height=48", "lloyd=2"});
    Timeline& timeline = desk.timeline;
    const auto numbering = [&] { return facet<Editable>(desk.lab()).numbering(); };
    while (timeline.position() < 3) timeline.step();  // the sites are placed
    const uint64_t first = numbering();
    timeline.run_to_end();
    CHECK(numbering() == first);  // sites that move keep their labels
    const uint64_t end = timeline.position();
    timeline.edit(remove_of(4));
    CHECK(numbering() != first);
    timeline.seek(end);
    CHECK(numbering() == first);
    timeline.edit(move(7, {48, 36}));
    CHECK(numbering() == first);
}
