// detect_events(), the library's function for frames of sites, against the Events lab on the same frames, and its
// errors.
#include "flipscope/detect_events.h"

#include <cmath>
#include <optional>
#include <random>

#include "events/inputs.h"

using namespace flipscope;

namespace {

/// Sites that move on a torus, some of them missing in some frames.
struct Walk {
    Lattice lattice{96, 64, true};
    std::vector<std::vector<Point>> sites;
    std::vector<std::vector<int64_t>> ids;

    explicit Walk(size_t frames, bool gaps, unsigned seed) : sites(frames), ids(frames) {
        std::mt19937 random(seed);
        const auto part = [&] { return double(random() % 100000) / 100000; };
        std::vector<Point> at(60);
        for (Point& p : at) p = {96 * part(), 64 * part()};
        for (size_t f = 0; f < frames; ++f)
            for (size_t i = 0; i < at.size(); ++i) {
                if (!gaps || random() % 10) {
                    sites[f].push_back(at[i]);
                    ids[f].push_back(int64_t(1000 + i));
                }
                at[i] = lattice.wrapped({at[i].x + 1.5 * (part() - 0.5), at[i].y + 1.5 * (part() - 0.5)});
            }
    }
    std::vector<EventFrame> frames(bool with_ids) const {
        std::vector<EventFrame> made;
        for (size_t f = 0; f < sites.size(); ++f)
            made.push_back({sites[f], with_ids ? std::span<const int64_t>(ids[f]) : std::span<const int64_t>{}});
        return made;
    }
    Input tracks() const {
        std::vector<std::vector<std::pair<int64_t, Point>>> frames(sites.size());
        for (size_t f = 0; f < sites.size(); ++f)
            for (size_t i = 0; i < sites[f].size(); ++i) frames[f].push_back({ids[f][i], sites[f][i]});
        return flipscope::tracks(frames);
    }
};

/// The plastic events of a finished Events lab, with flickers and undecided ones.
std::vector<Detection> plastic_events(const Lab& lab) {
    std::vector<Detection> found = facet<Detector>(lab).detections(0);
    std::erase_if(found, [](const Detection& one) {  // births and their like
        return one.lost_contacts.empty() && one.created_contacts.empty();
    });
    return found;
}

void check_same(const DetectedEvents& a, const DetectedEvents& b) {
    CHECK(a.ids == b.ids);
    REQUIRE(a.events.size() == b.events.size());
    for (size_t i = 0; i < a.events.size(); ++i) {
        const PlasticEvent &e = a.events[i], &f = b.events[i];
        CHECK(e.frame == f.frame);
        CHECK(e.kind == f.kind);
        CHECK(e.verdict == f.verdict);
        CHECK(e.place == f.place);
        CHECK(e.lost == f.lost);
        CHECK(e.created == f.created);
        CHECK(e.sites == f.sites);
    }
}

}  // namespace

TEST_CASE("detect_events: the Events lab's events, by ids and by places, with gaps, on every device") {
    for (const bool gaps : {false, true})
        for (const bool by_ids : {false, true})
            for (const EventLinks links : {EventLinks::kLattice, EventLinks::kDelaunay}) {
                const Walk walk(12, gaps, 3);
                const std::vector<EventFrame> frames = walk.frames(by_ids);
                std::optional<DetectedEvents> reference;
                INFO("gaps ", gaps, ", ids ", by_ids, ", ", int(links));
                on_every_device([&](Context& context) {
                    const DetectedEvents made = detect_events(context, walk.lattice, frames, {.links = links});
                    CHECK(made.comparisons.size() == frames.size() - 1);
                    CHECK(made.ids.size() == frames.size());
                    if (!reference) reference = made;
                    check_same(made, *reference);
                });
                Context context(DeviceRequest::kCpu, 2);
                const auto lab = finished(context, walk.tracks(), "events",
                                          {"width=96", "height=64", "box_width=96", "box_height=64",
                                           links == EventLinks::kLattice ? "graph=lattice" : "graph=delaunay",
                                           by_ids ? "matching=names" : "matching=nearest"});
                const std::vector<Detection> detections = plastic_events(*lab);
                CHECK(detections.size() > 10);
                REQUIRE(detections.size() == reference->events.size());
                size_t lost = 0;
                for (const ComparisonCounts& counts : reference->comparisons) lost += counts.lost;
                for (size_t i = 0; i < detections.size(); ++i) {
                    const PlasticEvent& event = reference->events[i];
                    CHECK(detections[i].round == event.frame);
                    CHECK(detections[i].kind == name_of(event.kind));
                    CHECK(detections[i].place == event.place);
                    lost -= event.lost.size();
                    if (!by_ids) continue;  // the lab names by the file, whatever is matched
                    CHECK(detections[i].lost_contacts == event.lost);
                    CHECK(detections[i].created_contacts == event.created);
                    CHECK(detections[i].vertices == event.sites);
                }
                CHECK(lost == 0);
            }
}

TEST_CASE(
    "detect_events: persistence, lengths, assignment with a memory and radical links are those of the Events lab") {
    struct Case {
        DetectEventsOptions options;
        bool by_ids, gaps;
        Settings settings;
    };
    const Case cases[] = {
        {{.links = EventLinks::kDelaunay, .persistence = 3}, true, false, {"graph=delaunay", "persistence=3"}},
        {{.links = EventLinks::kDelaunay, .persistence = 2, .lost_beyond = 1.2, .created_within = 1.1},
         true,
         true,
         {"graph=delaunay", "persistence=2", "lost_beyond=1.2", "created_within=1.1"}},
        {{.links = EventLinks::kDelaunay, .by_assignment = true, .memory = 2},
         false,
         true,
         {"graph=delaunay", "matching=assignment", "memory=2"}},
        {{.links = EventLinks::kLattice, .by_assignment = true, .persistence = 2},
         false,
         true,
         {"graph=lattice", "matching=assignment", "persistence=2"}},
        {{.links = EventLinks::kRadical, .by_assignment = true, .memory = 3, .persistence = 2},
         false,
         true,
         {"graph=radical", "matching=assignment", "memory=3", "persistence=2"}},
        {{.links = EventLinks::kRadical}, true, false, {"graph=radical"}}};
    for (const Case& one : cases) {
        INFO(one.settings.front(), ", case ", &one - cases);
        const Walk walk(16, one.gaps, 5);
        std::vector<EventFrame> frames = walk.frames(one.by_ids);
        std::vector<std::vector<double>> radii;
        Attribute radius;
        radius.name = "radius";
        for (const std::vector<int64_t>& ids : walk.ids) {
            std::vector<double>& of_frame = radii.emplace_back();
            for (const int64_t id : ids) of_frame.push_back(1 + double(id % 7));
            radius.values.insert(radius.values.end(), of_frame.begin(), of_frame.end());
        }
        for (size_t f = 0; one.options.links == EventLinks::kRadical && f < frames.size(); ++f)
            frames[f].radii = radii[f];
        std::optional<DetectedEvents> reference;
        on_every_device([&](Context& context) {
            const DetectedEvents made = detect_events(context, walk.lattice, frames, one.options);
            if (!reference) reference = made;
            check_same(made, *reference);
        });
        const auto input = std::make_shared<Geometry>(*walk.tracks());
        const auto given = std::make_shared<Tracks>(*input->tracks);
        given->attributes.push_back(radius);
        input->tracks = given;
        Context context(DeviceRequest::kCpu, 2);
        const auto lab = finished(
            context, input, "events",
            with({"width=96", "height=64", "box_width=96", "box_height=64", one.by_ids ? "matching=names" : "cap=0.5"},
                 one.settings));
        const std::vector<Detection> detections = plastic_events(*lab);
        REQUIRE(detections.size() == reference->events.size());
        size_t verdicts[3] = {};
        for (size_t i = 0; i < detections.size(); ++i) {
            const PlasticEvent& event = reference->events[i];
            ++verdicts[size_t(event.verdict)];
            CHECK(detections[i].round == event.frame);
            CHECK(detections[i].kind == name_of(event.kind, event.verdict));
            CHECK(detections[i].place == event.place);
            CHECK(detections[i].lost_contacts == event.lost);
            CHECK(detections[i].created_contacts == event.created);
        }
        CHECK(verdicts[size_t(EventVerdict::kCounts)] > 3);
        if (one.options.persistence > 1) {
            CHECK(verdicts[size_t(EventVerdict::kFlicker)] > 0);
            CHECK(verdicts[size_t(EventVerdict::kUndecided)] > 0);
        }
        for (size_t f = 0; f < frames.size(); ++f) {
            CHECK(reference->ids[f].size() >= frames[f].sites.size());
            if (one.options.memory == 0) CHECK(reference->ids[f].size() == frames[f].sites.size());
        }
    }
}

TEST_CASE("detect_events: no frames, one frame, and frames without sites") {
    Context context(DeviceRequest::kCpu, 2);
    const Lattice lattice{16, 16, true};
    CHECK(detect_events(context, lattice, {}).ids.empty());
    const std::vector<Point> two{{1, 1}, {9, 9}};
    const std::vector<EventFrame> frames{{two}, {}, {two}, {}};
    CHECK(detect_events(context, lattice, std::span(frames).first(1)).ids == std::vector<std::vector<int64_t>>{{0, 1}});
    for (const EventLinks links : {EventLinks::kLattice, EventLinks::kDelaunay}) {
        const DetectedEvents found = detect_events(context, lattice, frames, {.links = links});
        CHECK(found.events.empty());
        CHECK(found.ids == std::vector<std::vector<int64_t>>{{0, 1}, {}, {2, 3}, {}});
        CHECK(found.comparisons[0].vanished == 2);
    }
}

TEST_CASE("detect_events: wrong input is an error that says where") {
    Context context(DeviceRequest::kCpu, 1);
    const Lattice lattice{16, 16, true};
    const std::vector<Point> two{{1, 1}, {9, 9}}, bad{{1, 1}, {NAN, 9}};
    const std::vector<int64_t> ids{4, 5}, twice{7, 7}, one{4};
    const auto detect = [&](const EventFrame& second, const DetectEventsOptions& options = {}) {
        const std::vector<EventFrame> frames{{two, ids}, second};
        return detect_events(context, lattice, frames, options);
    };
    CHECK(detect({two, ids}).events.empty());
    CHECK_THROWS_WITH_AS(detect({two, {}}), doctest::Contains("frame 1: 0 ids for 2 sites"), Error);
    CHECK_THROWS_WITH_AS(detect({two, one}), doctest::Contains("frame 1: 1 ids for 2 sites"), Error);
    CHECK_THROWS_WITH_AS(detect({two, twice}), doctest::Contains("frame 1: id 7 is there twice"), Error);
    CHECK_THROWS_WITH_AS(detect({bad, ids}), doctest::Contains("frame 1, site 1: (nan, 9)"), Error);
    const std::vector<uint8_t> few(3);
    CHECK_THROWS_WITH_AS(detect({two, ids}, {.obstacles = few}), doctest::Contains("3 obstacle flags"), Error);
    CHECK_THROWS_AS(detect_events(context, {0, 0}, {}), Error);
    const std::vector<double> radii{1, 2}, negative{1, -2}, large{1, 0x1p201};
    const auto radical = [&](const std::vector<double>& of_second, EventLinks links = EventLinks::kRadical) {
        const std::vector<EventFrame> frames{{two, {}, radii}, {two, {}, of_second}};
        return detect_events(context, lattice, frames, {.links = links});
    };
    CHECK(radical(radii).events.empty());
    CHECK_THROWS_WITH_AS(radical({}), doctest::Contains("frame 1: 0 radii for 2 sites"), Error);
    CHECK_THROWS_WITH_AS(radical(negative), doctest::Contains("frame 1: a radius is -2"), Error);
    CHECK_THROWS_WITH_AS(radical(large), doctest::Contains("frame 1: a radius is 3.2"), Error);
    CHECK_THROWS_WITH_AS(radical(radii, EventLinks::kDelaunay), doctest::Contains("other links none"), Error);
    CHECK_THROWS_WITH_AS(detect({two, ids}, {.by_assignment = true}), doctest::Contains("leave out the ids"), Error);
    CHECK_THROWS_WITH_AS(detect({two, ids}, {.memory = 1}), doctest::Contains("memory needs matching"), Error);
    CHECK_THROWS_WITH_AS(detect({two, ids}, {.persistence = 0}), doctest::Contains("is 0; expected 1 or more"), Error);
    CHECK_THROWS_WITH_AS(detect({two, ids}, {.lost_beyond = -1}), doctest::Contains("expected 0 or more"), Error);
}

TEST_CASE("find_bubbles: discs, one of them across the border, with their areas and centres") {
    on_every_device([&](Context& context) {
        const Lattice lattice{40, 30, true};
        std::vector<float> field(lattice.pixel_count());
        const std::vector<Point> sites{{0, 5}, {20, 15}};
        for (uint32_t i = 0; i < field.size(); ++i)
            for (const Point c : sites)
                if (lattice.squared_distance(c, lattice.place(i)) <= 9) field[i] = 1;
        std::vector<Bubble> found = find_bubbles(context, lattice, field, 0.5);
        REQUIRE(found.size() == 2);
        for (size_t i = 0; i < 2; ++i) {
            CHECK(found[i].site == sites[i]);
            CHECK(found[i].area == 29);
        }
        for (float& value : field) value = -value;
        CHECK(find_bubbles(context, lattice, field, -0.5, true).size() == 2);
        CHECK(find_bubbles(context, lattice, field, -0.5).size() == 1);
    });
    Context context(DeviceRequest::kCpu, 1);
    CHECK_THROWS_AS(find_bubbles(context, {4, 4}, std::vector<float>(15), 0.5), Error);
    CHECK(find_bubbles(context, {0, 0}, {}, 0.5).empty());
}
