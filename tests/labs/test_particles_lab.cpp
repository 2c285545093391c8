// The Particles lab from its callers' view: passes, parameters, edits, inspection, arrays. The engine has its own
// tests.
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "compute/text.h"
#include "delaunay/hands.h"
#include "geometry/frames.h"
#include "instruments/hashed_run.h"
#include "io/fields.h"
#include "io/scratch.h"
#include "io/xyz.h"
#include "labs/particles.h"
#include "labs/particles/particles_drawing.h"
#include "particles/dynamics.h"
#include "particles/model.h"

using namespace flipscope;

namespace {

Edit freezing(uint32_t id, bool freezes = true) {
    return Edit{.kind = freezes ? Edit::Kind::kFreeze : Edit::Kind::kRelease, .id = id};
}

}  // namespace

TEST_CASE("Particles lab: a run of so many steps ends there, without an overlap, and its report has the numbers") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c3", "count=120", "steps=25", "diffusion=1"});
    lab->step();
    const CheckReport amid = facet<Checkable>(*lab).check();  // a time step: nothing is checked, and that is no success
    CHECK_FALSE(amid.checked);
    CHECK_FALSE(amid.passed);
    while (lab->step().ended < Level::kRound) {
    }
    lab->finish({});
    CHECK(lab->done());
    CHECK(lab->next_pass() == kNone);
    CHECK(number_of(*lab, "rounds") == 25);
    CHECK(number_of(*lab, "particles") == 120);
    CHECK(number_of(*lab, "box") == TorusBox::of(side_of_box(named_model("c3"), 120)).sides.x);
    CHECK(number_of(*lab, "pairs_overlapping") == 0);
    CHECK(number_of(*lab, "missed_by_edges") == 0);
    CHECK(number_of(*lab, "smallest_distance") > 1 - 1e-6);
    CHECK(number_of(*lab, "flips") > 0);
    CHECK(number_of(*lab, "pushes") > 0);
    CHECK(number_of(*lab, "rebuilds") >= 0);
    CHECK(lab->result().headline.find("120 particles of c3") == 0);
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK(report.passed);
    CHECK(report.failures.empty());
}

TEST_CASE("Particles lab: 0, 1, 2 and 3 particles run, are drawn, clicked and exported") {
    for (const int count : {0, 1, 2, 3}) {
        INFO(count);
        Context context(DeviceRequest::kCpu, 2);
        const auto lab =
            particles(context, {"config=c4", "count=" + std::to_string(count), "steps=4", "record=1", "cutoff=0.4"});
        CHECK(lab->done() == (count == 0));
        while (!lab->done()) {
            lab->step();
            const Scene scene = lab->scene();
            CHECK(scene.layer("particles") != nullptr);
            if (count > 0) CHECK(std::holds_alternative<PolylinesLayer>(scene.layer("edges")->shape));  // in pieces
        }
        CHECK(facet<Checkable>(*lab).check().passed);
        for (const ArrayInfo& array : facet<Exporter>(*lab).arrays())
            CHECK_NOTHROW(facet<Exporter>(*lab).array(array.name));
        CHECK(positions_of(*lab).size() == size_t(count));
        CHECK(values_of<uint32_t>(*lab, "triangles").size() == 6 * size_t(count));
        CHECK_NOTHROW(facet<Measurable>(*lab).statistics());
        for (const ElementKind kind : {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle})
            CHECK(facet<Inspectable>(*lab).inspect({kind, 0}).empty() == (count == 0));
        CHECK(facet<Inspectable>(*lab).inspect({ElementKind::kVertex, 77}).empty());
    }
}

TEST_CASE("Particles lab: every colour has its legend or its scale") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* colour : {"species", "overlaps", "speed", "orientation", "degree", "bond-order", "cluster"}) {
        INFO(colour);
        const auto lab = particles(
            context, {"config=abp-dense", "count=50", "steps=2", "speed=3", "colour_by=" + std::string(colour)});
        lab->finish({});
        const Scene scene = lab->scene();
        const Layer& discs = *scene.layer("particles");
        const bool by_species = std::string(colour) == "species" || std::string(colour) == "overlaps";
        CHECK(discs.legend.empty() == !by_species);
        CHECK((discs.scalars == nullptr) == by_species);
        if (by_species) continue;
        REQUIRE(discs.scalars->size() >= 50);
        std::vector<float> values = discs.scalars->download(50);
        CHECK(std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); }));
        if (std::string(colour) == "degree") CHECK(std::accumulate(values.begin(), values.end(), 0.f) == 300);
        if (std::string(colour) == "orientation")
            CHECK(std::all_of(values.begin(), values.end(), [](float v) { return v >= 0 && v <= 360; }));
    }
}

TEST_CASE("Particles lab: a click finds a particle across the border, edges, and triangles") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c1", "count=80", "force=none", "diffusion=0"});
    const double side = number_of(*lab, "box");
    facet<Editable>(*lab).edit(move_of(7, Point{0.05, 0.4 * side}));
    const auto& look = facet<Inspectable>(*lab);
    const std::vector<Point> at = positions_of(*lab);
    CHECK(at[7].x == doctest::Approx(0.05));
    // Of the disc at the left border a part lies at the right one.
    const Element found = look.pick({{side - 0.2, 0.4 * side}, 0, {}, 0});
    CHECK(found.kind == ElementKind::kVertex);
    CHECK(found.id == 7);
    for (uint32_t i = 0; i < 80; ++i) {
        const Element self = look.pick({at[i], 0, {}, 0});
        CHECK((self.kind == ElementKind::kVertex && self.id == i));
    }
    // Near to its middle a disc is meant, on an edge, too.
    CHECK(look.pick({{0.05 + 0.2, 0.4 * side}, 0.02, {}, 0}).id == 7);
    CHECK(look.pick({{-0.1, 1}, 1, {}, 0}).id == kNone);
    CHECK(look.pick({{1, side + 0.1}, 1, {}, 0}).id == kNone);
    // Every place is in a disc, on an edge or in a triangle; the middle of an edge is on it.
    const auto shifts = values_of<int64_t>(*lab, "shifts");
    const auto corners = values_of<uint32_t>(*lab, "triangles");
    size_t edges = 0, triangles = 0;
    for (size_t t = 0; t < corners.size() / 3; ++t) {
        const auto corner = [&](size_t k) {
            const Point p = at[corners[3 * t + k]];
            return Point{p.x + side * double(shifts[6 * t + 2 * k]), p.y + side * double(shifts[6 * t + 2 * k + 1])};
        };
        const auto wrap = [&](Point p) {
            return Point{p.x - std::floor(p.x / side) * side, p.y - std::floor(p.y / side) * side};
        };
        const Point a = corner(0), b = corner(1), c = corner(2);
        const Element edge = look.pick({wrap({(a.x + b.x) / 2, (a.y + b.y) / 2}), 0.02, {}, 0});
        edges += edge.kind == ElementKind::kEdge;
        const Element inside = look.pick({wrap({(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3}), 0, {}, 0});
        REQUIRE(inside.id != kNone);
        if (inside.kind == ElementKind::kTriangle) {
            ++triangles;
            CHECK(inside.id == t);
        }
    }
    CHECK(edges == corners.size() / 3);
    CHECK(triangles > 10);
}

TEST_CASE("Particles lab: particles are moved, added and removed between time steps") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c0", "count=50", "steps=20"});
    auto& hand = facet<Editable>(*lab);
    CHECK_FALSE(supports_edit(*lab, Edit::Kind::kFlipEdge));
    CHECK(hand.editable_after() == Level::kRound);
    hand.edit(add_of({3.25, 2.5}));
    CHECK(positions_of(*lab)[50] == Point{3.25, 2.5});
    const uint64_t before = hand.numbering();
    const Point last = positions_of(*lab)[50];
    const StepResult removed = hand.edit(remove_of(4));
    CHECK(contains(removed.message.text(), "particle 50 has its number now"));
    CHECK(number_of(*lab, "particles") == 50);
    CHECK(positions_of(*lab)[4] == last);
    CHECK(hand.numbering() != before);
    for (const CheckFailure& failure : facet<Checkable>(*lab).check().failures)  // by hand they were put onto others
        CHECK(failure.code == "overlap");
    CHECK_THROWS_AS(hand.edit(move_of(50, Point{1, 1})), Error);
    CHECK_THROWS_AS(hand.edit(remove_of(99)), Error);
    CHECK_THROWS_AS(hand.edit(move_of(1, Point{NAN, 1})), Error);
    CHECK_THROWS_AS(hand.edit(flip_of(1)), Error);
    lab->finish({});
    CHECK(number_of(*lab, "pairs_overlapping") == 0);  // the one that was added on top of others was pushed away
    CHECK(facet<Checkable>(*lab).check().passed);
}

TEST_CASE("Particles lab: a frozen particle stays where it is, is marked, and is told of, until it is released") {
    std::vector<uint64_t> expected;
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, nothing(), "particles", {"config=c3", "count=50", "steps=12"});
        const auto rings = [&] {
            const Scene scene = timeline.lab().scene();
            return std::get<PolylinesLayer>(scene.layer("frozen")->shape).count;
        };
        timeline.step_level(Level::kRound);
        CHECK(rings() == 0);
        const uint64_t all_free = timeline.lab().state_hash();
        timeline.edit(freezing(7));
        CHECK(timeline.lab().state_hash() != all_free);
        CHECK(timeline.history().back().message.text() == "Particle 7 is frozen: it stays where it is.");
        timeline.edit(freezing(49));
        CHECK(rings() == 2);
        auto& hand = facet<Editable>(timeline.lab());
        CHECK(hand.is_frozen(7));
        CHECK_FALSE(hand.is_frozen(8));
        CHECK_FALSE(hand.is_frozen(500));
        const auto told = [&](uint32_t id) {
            return facet<Inspectable>(timeline.lab()).inspect({ElementKind::kVertex, id}).find("Frozen") != nullptr;
        };
        CHECK(told(7));
        CHECK_FALSE(told(8));
        for (const Edit& refused : {freezing(7), freezing(8, false), freezing(50)})
            CHECK_THROWS_AS(hand.edit(refused), Error);
        const Point place = positions_of(timeline.lab())[7];
        const uint64_t frozen_at = timeline.position();
        for (int round = 0; round < 4; ++round) timeline.step_level(Level::kRound);
        CHECK(positions_of(timeline.lab())[7] == place);
        timeline.edit(remove_of(3));  // the last one, which is frozen, has its number now
        CHECK(hand.is_frozen(3));
        CHECK(rings() == 2);
        timeline.edit(freezing(7, false));
        CHECK(rings() == 1);
        CHECK_FALSE(told(7));
        timeline.run_to_end();
        CHECK(positions_of(timeline.lab())[7] != place);
        CHECK(facet<Checkable>(timeline.lab()).check().passed);
        const uint64_t end = timeline.lab().state_hash();
        if (expected.empty()) expected = {end};
        CHECK(end == expected.front());
        timeline.seek(frozen_at);
        CHECK(hand.is_frozen(49));
        CHECK(rings() == 2);
        timeline.seek(0);
        CHECK(rings() == 0);
        timeline.run_to_end();
        CHECK(timeline.lab().state_hash() == end);
    });
}

TEST_CASE("Particles lab: with edits, every position has one hash, whichever way one comes to it") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, nothing(), "particles",
                             {"config=c2", "count=40", "steps=8", "record=1", "after_rebuild=go-on"});
    HashedRun run(timeline);
    const auto go = [&](int steps) {
        while (steps-- > 0 && run.step()) continue;
    };
    run.edit(add_of({1.5, 2}));
    go(13);
    run.edit(move_of(2, Point{3, 3}));  // runs on to the end of the step before
    Edit drag = move_of(2, Point{3.5, 3});
    drag.goes_on = true;
    drag.path = {{4, 3.25, 0}, {4.25, 3.5, 0}};
    run.edit(drag);
    go(20);
    run.edit(remove_of(0));
    go(1000);
    CHECK(timeline.done());
    run.check_everywhere();
    CHECK(values_of<int64_t>(timeline.lab(), "track_steps").size() > 2);
    while (timeline.undo()) {
    }
    CHECK(number_of(timeline.lab(), "particles") == 40);
}

TEST_CASE("Particles lab: recorded frames are those of this run, also after going back and another way on") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, nothing(), "particles", {"config=c1", "count=30", "steps=9", "record=3"});
    const std::vector<Point> start = positions_of(timeline.lab());
    timeline.run_to_end();
    CHECK(values_of<int64_t>(timeline.lab(), "track_steps") == std::vector<int64_t>{0, 3, 6, 9});
    const std::vector<Point> tracks = values_of<Point>(timeline.lab(), "tracks");
    REQUIRE(tracks.size() == 4 * 30);
    CHECK(std::vector<Point>(tracks.begin(), tracks.begin() + 30) == start);
    CHECK(std::vector<Point>(tracks.end() - 30, tracks.end()) == positions_of(timeline.lab()));
    const Trajectory trajectory = facet<TrajectoryExporter>(timeline.lab()).trajectory();
    REQUIRE(trajectory.frames.size() == 4);
    CHECK(trajectory.frames[1].step == 3);
    CHECK(trajectory.frames[3].positions == positions_of(timeline.lab()));
    CHECK(trajectory.box.x == number_of(timeline.lab(), "box"));
    CHECK(trajectory.box.y == trajectory.box.x);

    timeline.seek(0);
    timeline.edit(move_of(5, Point{1, 1}));
    timeline.run_to_end();
    const std::vector<Point> others = values_of<Point>(timeline.lab(), "tracks");
    REQUIRE(others.size() == 4 * 30);
    CHECK(std::vector<Point>(others.end() - 30, others.end()) == positions_of(timeline.lab()));
    CHECK(others != tracks);
    timeline.undo();
    timeline.seek(UINT64_MAX);
    timeline.run_to_end();
    CHECK(values_of<Point>(timeline.lab(), "tracks") == tracks);
}

TEST_CASE("Particles lab: trails lead through the last recorded places, played, gone back and on another way") {
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, nothing(), "particles", {"config=c1", "count=40", "steps=60", "record=1"});
        size_t longest = 0;
        uint32_t moved_by_hand = kNone;  // its trail goes along
        const auto check_trails = [&] {
            const Lab& lab = timeline.lab();
            const Scene scene = lab.scene();
            const auto& trails = std::get<PolylinesLayer>(scene.layer("trails")->shape);
            const std::vector<Point> now = positions_of(lab), tracks = values_of<Point>(lab, "tracks");
            const size_t count = now.size(), recorded = tracks.size() / count, frames = trails.point_count / count - 1;
            CHECK(frames == std::min<size_t>(recorded, ParticlesDrawing::kTrailFrames));
            const std::vector<Point> points = trails.points->download();
            const double side = number_of(lab, "box");
            double worst = 0;
            for (size_t i = 0; i < count; ++i)
                for (size_t f = i == moved_by_hand ? frames : 0; f <= frames; ++f) {
                    const Point p = points[i * (frames + 1) + f],
                                place = f == frames ? now[i] : tracks[(recorded - frames + f) * count + i];
                    for (const double off : {p.x - place.x, p.y - place.y})
                        worst = std::max(worst, std::abs(std::remainder(off, side)));
                }
            CHECK(worst < 1e-12);
            longest = std::max(longest, frames);
        };
        const auto play = [&](int rounds) {
            for (int k = 0; k < rounds; ++k) {
                timeline.step_level(Level::kRound);
                check_trails();
            }
        };
        play(30);
        const uint64_t back = timeline.position();
        play(2);
        timeline.seek(back - 40);
        check_trails();
        timeline.edit(move_of(5, Point{1, 1}));
        moved_by_hand = 5;
        check_trails();
        play(4);
        timeline.undo();
        moved_by_hand = kNone;
        timeline.seek(back);
        check_trails();
        timeline.edit(remove_of(7));  // none is of these particles any more
        play(3);
        timeline.run_to_end();
        check_trails();
        CHECK(longest == ParticlesDrawing::kTrailFrames);
    });
}

TEST_CASE("Particles lab: without record there are no frames, and it is said how to have them") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"count=10", "steps=2"});
    lab->finish({});
    CHECK(facet<TrajectoryExporter>(*lab).trajectory().frames.empty());
    CHECK(contains(facet<TrajectoryExporter>(*lab).records_nothing(), "with record=100"));
    CHECK(facet<Exporter>(*lab).array("tracks").shape == std::vector<size_t>{0, 10, 2});
    set_parameter(*lab, "record=1");
    CHECK(facet<TrajectoryExporter>(*lab).records_nothing().empty());
}

TEST_CASE("Particles lab: arrays have the shapes that they are said to have, and fit together") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=abp-dense", "count=120", "steps=5", "record=1", "speed=4"});
    lab->finish({});
    const auto shape = [&](const char* name) { return facet<Exporter>(*lab).array(name).shape; };
    using Shape = std::vector<size_t>;
    for (const char* name : {"positions", "velocities", "forces", "pushes"}) CHECK(shape(name) == Shape{120, 2});
    for (const char* name : {"species", "orientations", "degrees", "clusters"}) CHECK(shape(name) == Shape{120});
    CHECK(shape("triangles") == Shape{240, 3});
    CHECK(shape("shifts") == Shape{240, 3, 2});
    CHECK(shape("tracks") == Shape{6, 120, 2});
    CHECK(shape("track_steps") == Shape{6});
    CHECK_THROWS_AS(facet<Exporter>(*lab).array("charges"), std::logic_error);
    const double side = number_of(*lab, "box");
    const std::vector<Point> at = positions_of(*lab);
    for (const Point p : at) CHECK((p.x >= 0 && p.y >= 0 && p.x < side && p.y < side));
    const auto degrees = values_of<uint32_t>(*lab, "degrees");
    CHECK(std::accumulate(degrees.begin(), degrees.end(), 0u) == 6 * 120);
}

TEST_CASE("Particles lab: statistics have distributions, g(r) and the mean-squared displacement with its line") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c1", "count=150", "steps=40"});
    lab->finish({});
    const Report report = facet<Measurable>(*lab).statistics();
    std::set<std::string> names;
    for (const Distribution& one : report.all<Distribution>()) {
        INFO(one.name);
        names.insert(one.name);
        if (one.counted.empty()) CHECK(std::accumulate(one.now.begin(), one.now.end(), 0.0) == 150);
    }
    CHECK(names == std::set<std::string>{"nearest neighbours", "degrees", "bond order", "speeds", "cluster sizes",
                                         "local density"});
    std::map<std::string, Curve> curves;
    for (const Curve& one : report.all<Curve>()) {
        CHECK(one.x.size() == one.y.size());
        curves[one.name] = one;
    }
    REQUIRE(curves.size() == 3);
    CHECK(curves["expected displacement"].y.back() == doctest::Approx(2 * 0.01 * 0.01 * 40).epsilon(0.02));
    CHECK(curves["mean-squared displacement"].x.back() == doctest::Approx(0.4));
}

TEST_CASE("Particles lab: points of an input are scaled into the box, or are the places in a box that is given") {
    Context context(DeviceRequest::kCpu, 2);
    const auto grid = generated("grid:25");
    const auto scaled = particles(context, {"config=c1", "force=none"}, grid);
    CHECK(number_of(*scaled, "particles") == 25);
    CHECK(number_of(*scaled, "box") == TorusBox::of(side_of_box(named_model("c1"), 25)).sides.x);
    // A square lattice closes on itself: all are as far apart as they can be.
    CHECK(number_of(*scaled, "smallest_distance") == doctest::Approx(number_of(*scaled, "box") / 5));
    const auto places = make_input("three", {{1, 1}, {4, 5}, {-1, 12}, {4, 5}});
    const auto given = particles(context, {"config=c1", "box=10", "force=none", "steps=1"}, places);
    CHECK(number_of(*given, "particles") == 3);
    CHECK(given->result().duplicates == 1);
    CHECK(positions_of(*given)[0] == Point{1, 1});
    CHECK(positions_of(*given)[2].x == doctest::Approx(9));
    CHECK(positions_of(*given)[2].y == doctest::Approx(2));
    const std::string said = given->step().message.text();
    CHECK(contains(said, "1 point is a duplicate"));
    CHECK(contains(said, "1 point is wrapped into the box, from 0 to 10 both ways."));
}

TEST_CASE("Particles lab: a rectangle is taken as it is, from the parameter or from the input, and never squeezed") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<Point> places;
    for (int k = 0; k < 270; ++k) places.push_back({1.2 * (k % 25) + 0.1, 1.1 * (k / 25) + 0.1});
    const auto points = make_input("rectangle", places);
    // Without a box they get one of their shape, in which none overlaps.
    const auto scaled = particles(context, {"config=c1", "force=none"}, points);
    CHECK(number_of(*scaled, "box_width") / number_of(*scaled, "box_height") ==
          doctest::Approx(30 / 12.1).epsilon(0.05));
    CHECK(number_of(*scaled, "box_width") * number_of(*scaled, "box_height") ==
          doctest::Approx(area_of_discs(named_model("c1"), 270) / named_model("c1").density));
    CHECK(number_of(*scaled, "pairs_overlapping") == 0);
    auto geometry = std::make_shared<Geometry>(*points);
    geometry->box = {30, 12.5};
    for (const auto& [settings, input] : {std::pair<Settings, Input>{{"box=30x12.5"}, points}, {{}, geometry}}) {
        Settings all{"config=c2", "steps=5", "record=1"};
        all.insert(all.end(), settings.begin(), settings.end());
        const auto lab = particles(context, all, input);
        CHECK(number_of(*lab, "box_width") == 30);
        CHECK(number_of(*lab, "box_height") == 12.5);
        CHECK(positions_of(*lab)[30].x == doctest::Approx(places[30].x));
        CHECK(lab->scene().high == Point{30, 12.5});
        lab->finish({});
        CHECK(facet<Checkable>(*lab).check().passed);
        CHECK(facet<TrajectoryExporter>(*lab).trajectory().box == Point{30, 12.5});
    }
    CHECK(contains(particles(context, {"steps=1"}, geometry)->step().message.text(), "is that of rectangle."));
    const auto made = particles(context, {"box=30x12", "count=250", "steps=5"});
    made->finish({});
    CHECK(number_of(*made, "box_height") == 12);
    CHECK(facet<Checkable>(*made).check().passed);
    CHECK(contains(particles_refusal({"box=30x12", "count=1000"}), "would overlap in a box of 30 by 12"));
    CHECK(contains(particles_refusal({"box=300x1"}), "too long"));
}

TEST_CASE("Particles lab: what cannot be is refused with a sentence, and the lab is as before") {
    CHECK(particles_refusal({"config=custom", "density=0.9", "count=1000", "diameter_1=1"}).empty() == false);
    CHECK(contains(particles_refusal({"config=custom", "species=1", "fraction_1=0"}), "fraction"));
    CHECK(contains(particles_refusal({"config=custom", "species=2", "diameter_2=4"}), "diameter"));
    CHECK(contains(particles_refusal({}, make_input("wrong", {{0, 0}, {NAN, 1}})), "wrong"));
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"count=30", "steps=3"});
    const uint64_t hash = lab->state_hash();
    set_parameter(*lab, "density=0.9");
    CHECK_THROWS_AS(lab->reset(context, nothing()), Error);
    CHECK(lab->state_hash() == hash);
    lab->finish({});
    CHECK(lab->done());
}

TEST_CASE("Particles lab: in a small box the cutoff is at most half of its side, which is said") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c2", "count=5", "cutoff=50", "steps=2"});
    const double side = number_of(*lab, "box");
    CHECK(contains(lab->result().headline, "up to a distance of " + format_short(side / 2)));
    CHECK(lab->step().message.text().find("The cutoff is reduced to " + format_short(side / 2)) == 0);
    lab->finish({});
    CHECK(facet<Checkable>(*lab).check().passed);
}

TEST_CASE("Particles lab: a step that may not push often enough says that pairs overlap still") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c0", "count=200", "diffusion=20", "push_limit=1", "steps=3"});
    std::string said;
    while (!lab->done()) said += lab->step().message.text() + " ";
    CHECK(contains(said, "still"));
    CHECK(number_of(*lab, "pairs_overlapping") > number_of(*lab, "missed_by_edges"));
    // Each is a failure, with its place and by how much.
    const CheckReport check = facet<Checkable>(*lab).check();
    CHECK_FALSE(check.passed);
    CHECK(check.failure_count == number_of(*lab, "pairs_overlapping"));
    REQUIRE(check.failures.size() == check.failure_count);
    const std::vector<Point> at = positions_of(*lab);
    const TorusBox box = TorusBox::of(number_of(*lab, "box"));
    for (const CheckFailure& failure : check.failures) {
        REQUIRE(failure.elements.size() == 2);
        const Point way = box.shortest(at[failure.elements[0].id], at[failure.elements[1].id]);
        CHECK(std::hypot(way.x, way.y) == doctest::Approx(failure.value).epsilon(1e-12));
        CHECK(failure.value < 1);
    }
    set_parameter(*lab, "overlaps=off");  // then they are none
    lab->reset(context, nothing());
    lab->finish({});
    const CheckReport let_be = facet<Checkable>(*lab).check();
    CHECK(let_be.passed);
    CHECK(contains(let_be.sentence, "overlaps=off"));
}

TEST_CASE("Particles lab: discs of an input that overlap are told of, listed, seen, and pushed apart") {
    Context context(DeviceRequest::kCpu, 2);
    const auto places = make_input("close", {{1, 1}, {1.7, 1}, {5, 5}, {5, 5.5}, {8, 2}, {9.9, 8}});
    const auto lab = particles(context, {"config=c1", "box=10", "force=none", "steps=2", "colour_by=overlaps"}, places);
    CheckReport check = facet<Checkable>(*lab).check();
    CHECK_FALSE(check.passed);
    CHECK(check.failure_count == 2);
    const auto states = [&] {
        const Scene scene = lab->scene();
        std::vector<State> words = std::get<DiscsLayer>(scene.layer("particles")->shape).states->download(6);
        for (State& word : words) word = State(word & (kOverlaps | kWasInOverlap));
        return words;
    };
    CHECK(states() == std::vector<State>{kOverlaps, kOverlaps, kOverlaps, kOverlaps, 0, 0});
    const auto& look = facet<Inspectable>(*lab);
    CHECK(look.inspect({ElementKind::kVertex, 0}).find("Moved") == nullptr);  // nothing has
    StepResult step = lab->step();
    CHECK(contains(step.message.text(), "2 pairs of discs overlap at the start"));
    CHECK(look.inspect({ElementKind::kVertex, 0}).find("Moved") == nullptr);  // the pass of forces
    while (step.ended < Level::kRound) step = lab->step();
    CHECK(facet<Checkable>(*lab).check().passed);
    CHECK(states() == std::vector<State>{kWasInOverlap, kWasInOverlap, kWasInOverlap, kWasInOverlap, 0, 0});
    const Report told = look.inspect({ElementKind::kVertex, 0});
    CHECK(told.find("Overlaps")->value.number() == 0);
    REQUIRE(told.find("Moved"));
    CHECK(told.find("Moved")->why.find("in time step 1") == 0);
    CHECK(told.find("Pushed")->value.number() > 0.1);
    lab->step();  // the forces of the next step: what moved was moved by the one before
    CHECK(look.inspect({ElementKind::kVertex, 0}).find("Moved")->why.find("in time step 1") == 0);
    // Forces throw such discs about, which is said.
    const auto forced = particles(context, {"config=c1", "box=10", "steps=1"}, places);
    CHECK(contains(forced->step().message.text(), "force=none"));
}

TEST_CASE("Particles lab: a state with indices that there are not is refused, and the lab is as before") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=c2", "count=30", "steps=4"});
    lab->step();
    while (lab->next_pass() != ParticleDynamics::kForces) lab->step();
    const Snapshot good = lab->save();
    const uint64_t hash = lab->state_hash();
    // Species; corners, halves, ends and slots of the triangulation.
    for (const size_t block : {2, 12, 13, 14, 15}) {
        INFO(block);
        Snapshot bad = good;
        REQUIRE(bad.blocks.at(block).size() >= 30);
        bad.blocks[block].back() = std::byte{0xEE};
        CHECK_THROWS_AS(lab->load(bad), std::logic_error);
        CHECK(lab->state_hash() == hash);
    }
    lab->load(good);
    CHECK(lab->state_hash() == hash);
}

TEST_CASE("Particles lab: an active particle that is added swims in a direction of its own") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=abp-dilute", "count=40"});
    for (const double x : {0.5, 3.5}) facet<Editable>(*lab).edit(add_of({x, 0.5}));
    const auto turns = values_of<double>(*lab, "orientations");
    REQUIRE(turns.size() == 42);
    CHECK(turns[40] != 0);
    CHECK(turns[41] != turns[40]);
}

TEST_CASE("Particles lab: 0 is 0, and auto is the configuration's value") {
    Context context(DeviceRequest::kCpu, 1);
    const auto changes = [&](const char* array, const char* setting) {
        const auto lab =
            particles(context, {"config=abp-dilute", "count=30", "steps=3", "diffusion=0", std::string(setting)});
        const std::vector<double> before = values_of<double>(*lab, array);
        lab->finish({});
        return values_of<double>(*lab, array) != before;
    };
    CHECK(changes("positions", "speed=auto"));
    CHECK_FALSE(changes("positions", "speed=0"));
    CHECK(changes("orientations", "rotation=auto"));
    CHECK_FALSE(changes("orientations", "rotation=0"));
    const auto lab = make_lab("particles");
    CHECK_THROWS_WITH_AS(set_parameter(*lab, "density=0"), doctest::Contains("expected 1e-06 … 0.9 or auto"), Error);
}

TEST_CASE("Particles lab: tracks have radius, species and an id that stays, with particles added and removed") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab =
        started(context, std::make_shared<Geometry>(), "particles",
                {"config=custom", "count=6", "diameter_2=1.2", "force=none", "record=1", "density=0.2", "steps=3"});
    auto& editable = facet<Editable>(*lab);
    facet<Adjustable>(*lab).finish_rounds(1, {});
    editable.edit(remove_of(1));
    facet<Adjustable>(*lab).finish_rounds(1, {});
    editable.edit(add_of({0.3, 0.3}));
    const Snapshot saved = lab->save();
    lab->finish({});
    const Trajectory made = facet<TrajectoryExporter>(*lab).trajectory();
    REQUIRE(made.frames.size() == 4);
    CHECK(made.columns == std::vector<std::string>{"radius"});
    CHECK(made.frames[0].ids == std::vector<int64_t>{0, 1, 2, 3, 4, 5});
    CHECK(made.frames[2].ids == std::vector<int64_t>{0, 5, 2, 3, 4});  // the last one has the place of 1
    CHECK(made.frames[3].ids == std::vector<int64_t>{0, 5, 2, 3, 4, 6});
    for (const Trajectory::Frame& frame : made.frames)
        for (size_t i = 0; i < frame.ids.size(); ++i) CHECK(frame.numbers[0][i] == (frame.species[i] == 0 ? 0.5 : 0.6));
    lab->load(saved);
    lab->finish({});
    CHECK(facet<TrajectoryExporter>(*lab).trajectory().frames[3].ids == made.frames[3].ids);
    const Table table = facet<TableExporter>(*lab).table("tracks");
    CHECK(table.row_count == 6 + 6 + 5 + 6);
    CHECK(text_of(table.row(13).cells[1]) == "5");
    CHECK(table.columns.back().name == "radius");

    const std::filesystem::path folder = make_scratch_folder();
    write_xyz(folder / "tracks.xyz", made);
    const Tracks read = read_tracks(folder / "tracks.xyz");
    REQUIRE(read.frame_count() == 4);
    CHECK(std::vector<int64_t>(read.ids.begin() + 12, read.ids.begin() + 17) == std::vector<int64_t>{0, 2, 3, 4, 5});
    CHECK(read.places[16] == made.frames[2].positions[1]);  // that of id 5
    std::filesystem::remove_all(folder);
}
