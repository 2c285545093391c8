// sanitizers: none
// Tracks from a periodic box: neighbours across the seam, wrapped and unwrapped coordinates, and notes about parameters
// without effect.
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "delaunay/runs.h"
#include "events/inputs.h"
#include "geometry/frames.h"

using namespace flipscope;

namespace {

using NamedFrames = std::vector<std::vector<std::pair<int64_t, Point>>>;
using IdPair = std::pair<int64_t, int64_t>;

struct Box {
    Point low, size;
    Settings settings(Settings more) const {
        more.insert(more.end(), {"box_width=" + std::to_string(size.x), "box_height=" + std::to_string(size.y),
                                 "box_x=" + std::to_string(low.x), "box_y=" + std::to_string(low.y)});
        return more;
    }
    Point wrapped(Point p) const {
        if (size.x > 0) p.x -= size.x * std::floor((p.x - low.x) / size.x);
        if (size.y > 0) p.y -= size.y * std::floor((p.y - low.y) / size.y);
        return p;
    }
};

/// Points that go their ways for ever, as simulations write them that do not wrap.
NamedFrames walkers(const Box& box, int count, size_t frames, unsigned seed) {
    std::mt19937 random(seed);
    const auto part = [&] { return double(random() % 100000) / 100000; };
    std::vector<Point> at(count), speed(count);
    for (int i = 0; i < count; ++i) {
        at[i] = {box.low.x + box.size.x * part(), box.low.y + box.size.y * part()};
        speed[i] = {box.size.x * (0.04 + 0.03 * part()), box.size.y * 0.03 * (part() - 0.5)};
    }
    NamedFrames made(frames);
    for (auto& frame : made)
        for (int i = 0; i < count; ++i) {
            frame.push_back({i, at[i]});
            at[i] = {at[i].x + speed[i].x, at[i].y + speed[i].y};
        }
    return made;
}

NamedFrames wrapped(const Box& box, NamedFrames frames) {
    for (auto& frame : frames)
        for (auto& [id, place] : frame) place = box.wrapped(place);
    return frames;
}

std::set<IdPair> lab_links(const Lab& lab) {
    const auto names = values_of<int64_t>(lab, "names");
    const auto flat = values_of<uint32_t>(lab, "links");
    std::set<IdPair> links;
    for (size_t k = 0; k < flat.size(); k += 2) links.insert(std::minmax(names[flat[k]], names[flat[k + 1]]));
    return links;
}

/// The links of the last frame, from an open triangulation of nine copies of the box, or of three along one axis.
std::set<IdPair> links_by_copies(const Box& box, const NamedFrames& frames) {
    constexpr int64_t kCopy = 10000;
    const NamedFrames inside = wrapped(box, frames);
    NamedFrames copies(1);
    for (int64_t copy = 0; copy < 9; ++copy)
        for (const auto& [id, place] : inside.back()) {
            if ((box.size.x == 0 && copy % 3 != 1) || (box.size.y == 0 && copy / 3 != 1)) continue;
            copies[0].push_back(
                {copy * kCopy + id,
                 {place.x + double(copy % 3 - 1) * box.size.x, place.y + double(copy / 3 - 1) * box.size.y}});
        }
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, tracks(copies), "events", {"graph=delaunay"});
    std::set<IdPair> links;
    for (const auto& [a, b] : lab_links(*lab))
        if ((a / kCopy == 4 || b / kCopy == 4) && a % kCopy != b % kCopy)
            links.insert(std::minmax(a % kCopy, b % kCopy));
    return links;
}

std::string greeting_of(const Input& input, const Settings& settings) {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = started(context, input, "events", settings);
    return lab->step().message.text();
}

/// The events of tracks in a periodic box, whose last links are the expected ones but for so many.
std::vector<Detection> check_in_box(const Box& box, const NamedFrames& frames, const char* graph,
                                    const std::set<IdPair>& expected, size_t most_wrong) {
    INFO(box.size.x << " by " << box.size.y << ", " << std::string(graph));
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, tracks(frames), "events", box.settings({graph}));
    check_passes(*lab);
    const std::set<IdPair> links = lab_links(*lab);
    std::vector<IdPair> wrong;
    std::set_symmetric_difference(links.begin(), links.end(), expected.begin(), expected.end(),
                                  std::back_inserter(wrong));
    CHECK(wrong.size() <= most_wrong);
    const Result result = lab->result();
    REQUIRE(result.lattice);
    CHECK(result.lattice->periodic == PeriodicAxes(box.size.x > 0, box.size.y > 0));
    CHECK(result.lattice->units.unit.x / result.lattice->units.unit.y == doctest::Approx(1).epsilon(1e-3));
    const auto sites = values_of<double>(*lab, "sites");
    for (size_t i = 0; i < frames.back().size(); ++i) {
        const Point at = box.wrapped(frames.back()[i].second);
        CHECK(std::abs(sites[2 * i] - at.x) < 1e-9 * std::max(box.size.x, box.size.y));
        CHECK(std::abs(sites[2 * i + 1] - at.y) < 1e-9 * std::max(box.size.x, box.size.y));
    }
    std::vector<Detection> detections = facet<Detector>(*lab).detections(0);
    CHECK(detections.size() > 10);
    for (const Detection& detection : detections) CHECK(*detection.given == box.wrapped(*detection.given));
    return detections;
}

void check_same_contacts(const std::vector<Detection>& found, const std::vector<Detection>& expected) {
    REQUIRE(found.size() == expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].lost_contacts == expected[i].lost_contacts);
        CHECK(found[i].created_contacts == expected[i].created_contacts);
    }
}

}  // namespace

TEST_CASE("events lab: tracks from a periodic box have neighbours across its seam, and no hull") {
    for (const Box& box : {Box{{0, 0}, {8, 4}}, Box{{-0.5, -0.5}, {1, 1}}, Box{{100, -7}, {31.7, 47.3}}}) {
        const NamedFrames going = walkers(box, 60, 8, 11);
        const std::set<IdPair> expected = links_by_copies(box, going);
        CHECK(expected.size() == 180);  // three per point: a torus
        std::vector<Detection> first;
        for (const NamedFrames& frames : {going, wrapped(box, going)})
            for (const bool exact : {false, true}) {  // a lattice is coarse
                const char* graph = exact ? "graph=delaunay" : "graph=lattice";
                const std::vector<Detection> found = check_in_box(box, frames, graph, expected, exact ? 0 : 6);
                for (const Detection& detection : found) {
                    CHECK(detection.kind != "boundary");
                    CHECK(detection.kind != "unmatched");
                }
                if (!exact) continue;
                if (first.empty()) first = found;
                check_same_contacts(found, first);
            }
    }
}

TEST_CASE("events lab: tracks from a box along one axis have neighbours across its seam, and its ends are open") {
    const Box whole{{100, -7}, {31.7, 47.3}};
    const NamedFrames going = walkers(whole, 60, 8, 11);
    std::vector<Detection> first;
    for (const bool upright : {false, true}) {
        CAPTURE(upright);
        const auto turned = [&](Point p) { return upright ? Point{p.y, p.x} : p; };
        const Box box{turned(whole.low), turned({whole.size.x, 0})};
        NamedFrames lying = going;
        for (auto& frame : lying)
            for (auto& [id, place] : frame) place = turned(place);
        const std::set<IdPair> expected = links_by_copies(box, lying);
        CHECK(expected.size() < 180);  // a hull at both ends
        CHECK(expected.size() > 150);
        for (const NamedFrames& frames : {lying, wrapped(box, lying)}) {
            check_in_box(box, frames, "graph=lattice", expected, expected.size());
            const std::vector<Detection> found = check_in_box(box, frames, "graph=delaunay", expected, 0);
            if (first.empty()) first = found;
            check_same_contacts(found, first);
            size_t boundary = 0;
            for (size_t i = 0; i < found.size(); ++i) {
                CHECK(found[i].kind == first[i].kind);
                const Point there = turned(*found[i].given), here = *first[i].given;
                CHECK(std::hypot(there.x - here.x, there.y - here.y) < 1e-6);
                boundary += found[i].kind == "boundary";
            }
            CHECK(boundary < found.size());
        }
    }
}

TEST_CASE("events lab: a box is told of, and so is what lies outside, and what cannot be is refused") {
    const Box box{{0, 0}, {10, 10}};
    const Input inside = tracks({{{1, {1, 1}}, {2, {9.5, 9}}, {3, {5, 0}}}, {{1, {1, 2}}, {2, {9, 9}}, {3, {10, 10}}}});
    const std::string greeting = greeting_of(inside, box.settings({}));
    CHECK_MESSAGE(has(greeting, "in a periodic box of 10 × 10"), greeting);
    CHECK_FALSE(has(greeting, "outside"));
    const Input beyond = tracks({{{1, {1, 1}}, {2, {19.5, 9}}, {3, {5, -1}}}});
    CHECK(has(greeting_of(beyond, box.settings({})), "2 positions lie outside the box"));
    // Along one axis: outside is what lies beyond that.
    CHECK(has(greeting_of(beyond, {"box=10x0"}), "1 position lies outside the box"));
    CHECK(has(greeting_of(beyond, {"box_height=10"}), "periodic along y with a period of 10"));
    CHECK_THROWS_WITH_AS(greeting_of(inside, {"box_width=1e9", "box_height=1"}),
                         doctest::Contains("too much of one direction"), Error);
    for (const NamedFrames& few : {NamedFrames{{}, {{1, {3, 3}}}}, NamedFrames{{{1, {3, 3}}, {2, {3, 3}}}},
                                   NamedFrames{{{1, {3, 3}}, {2, {5, 3}}, {3, {9, 3}}}, {{2, {1e9, -1e9}}}}}) {
        Context context(DeviceRequest::kCpu, 1);
        for (const char* graph : {"graph=delaunay", "graph=lattice"})
            CHECK(facet<Checkable>(*finished(context, tracks(few), "events", box.settings({graph}))).check().passed);
    }
}

TEST_CASE("events lab: the box that a file says is that of its tracks, and one that is set has the last word") {
    const Box box{{-3, 2}, {12, 7}}, other{{-3, 2}, {12, 9}};
    const Input without = tracks(walkers(box, 40, 6, 3));
    auto geometry = std::make_shared<Geometry>(*without);
    auto said = std::make_shared<Tracks>(*without->tracks);
    said->box_low = box.low;
    said->box = box.size;
    geometry->tracks = said;
    const Input with = geometry;
    Context context(DeviceRequest::kCpu, 1);
    const auto hash = [&](const Input& input, const Settings& settings) {
        return finished(context, input, "events", settings)->state_hash();
    };
    CHECK(hash(with, {}) == hash(without, box.settings({})));
    CHECK(hash(with, {}) != hash(without, {}));
    CHECK(hash(with, other.settings({})) == hash(without, other.settings({})));
    CHECK(hash(without, {"box=12x7", "box_x=-3", "box_y=2"}) == hash(with, {}));
    // The same along one axis.
    auto cylinder = std::make_shared<Geometry>(*geometry);
    auto half = std::make_shared<Tracks>(*said);
    half->box = {12, 0};
    cylinder->tracks = half;
    CHECK(hash(cylinder, {}) == hash(without, {"box=12x0", "box_x=-3"}));
    CHECK(hash(cylinder, {}) != hash(without, {}));
    CHECK(hash(cylinder, box.settings({})) == hash(with, {}));
    // The notes about the parameters.
    const auto lab = lab_with("events", {});
    const auto parameters = list_parameters(*lab);
    const auto told = [&](const Input& input, const char* name) {
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const ParameterDescription& one) { return one.name == name; });
        REQUIRE(found != parameters.end());
        return override_of(*found, {*input, value_lookup(parameters)}).value;
    };
    CHECK(told(cylinder, "frame_borders") == "periodic_x");
    CHECK(told(cylinder, "box") == "12x0");
    CHECK(told(with, "frame_borders") == "periodic");
    CHECK(told(with, "box") == "12x7");
    CHECK(told(with, "box_x") == "-3");
}

TEST_CASE("events lab: a crystal that drifts around a torus changes no neighbours") {
    // Every square of it is a tie, which is to be broken the same way wherever it has drifted to, across the border
    // too.
    for (const Point drift : {Point{0.5, 0.25}, Point{3, 1}, Point{1.3, 0.7}, Point{-7.75, 11}}) {
        const Box box{{0, 0}, {64, 48}};
        NamedFrames frames(12);
        for (size_t frame = 0; frame < frames.size(); ++frame)
            for (int64_t id = 0; id < 48; ++id)
                frames[frame].push_back({id, box.wrapped({8.0 * double(id % 8) + double(frame) * drift.x,
                                                          8.0 * double(id / 8) + double(frame) * drift.y})});
        Context context(DeviceRequest::kCpu, 1);
        auto lab =
            finished(context, tracks(frames), "events", box.settings({"graph=delaunay", "width=64", "height=48"}));
        CAPTURE(drift.x);
        CHECK(facet<Detector>(*lab).detection_count() == 0);
        CHECK(values_of<uint32_t>(*lab, "links").size() == 2 * 144);
    }
}
