// Which graph has the contacts of bubbles: a foam of unequal cells and discs with gaps, whose contacts are known.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "events/inputs.h"

using namespace flipscope;

namespace {

using ContactSet = std::set<std::pair<int64_t, int64_t>>;

Input image_of(uint32_t width, uint32_t height, std::vector<float> values, bool labels) {
    auto stack = std::make_shared<FieldStack>();
    stack->name = "foam.tif";
    stack->width = width;
    stack->height = height;
    stack->values = std::move(values);
    stack->whole = 1;
    stack->labels = labels;
    return recorded(stack);
}

/// A foam: the cells of a power diagram of discs of very different sizes, and between them films of about two pixels.
struct UnequalFoam {
    Input input;
    ContactSet contacts;  // pairs that share at least three sides of pixels before the films are cut

    UnequalFoam(uint32_t width, uint32_t height, uint64_t seed) {
        std::mt19937_64 engine(seed);
        std::vector<Point> at;
        std::vector<double> radii;
        for (int tries = 0; tries < 4000; ++tries) {
            const double r = tries < 150 ? 18 + double(engine() % 8) : 4 + double(engine() % 12);
            const Point p{double(engine() % width), double(engine() % height)};
            bool free = true;
            for (size_t i = 0; i < at.size(); ++i)
                free = free && std::hypot(p.x - at[i].x, p.y - at[i].y) >= 0.95 * (r + radii[i]);
            if (!free) continue;
            at.push_back(p);
            radii.push_back(r);
        }
        std::vector<uint32_t> cells(size_t(width) * height);
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x) {
                double best = INFINITY;
                for (uint32_t i = 0; i < at.size(); ++i) {
                    const double power =
                        (x - at[i].x) * (x - at[i].x) + (y - at[i].y) * (y - at[i].y) - radii[i] * radii[i];
                    if (power < best) best = power, cells[size_t(y) * width + x] = i + 1;
                }
            }
        std::map<std::pair<int64_t, int64_t>, int> sides;
        std::vector<float> cut(cells.begin(), cells.end());
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x)
                for (const bool up : {false, true}) {
                    if (up ? y + 1 == height : x + 1 == width) continue;
                    const size_t here = size_t(y) * width + x, there = here + (up ? width : 1);
                    if (cells[here] == cells[there]) continue;
                    ++sides[std::minmax(int64_t(cells[here]), int64_t(cells[there]))];
                    cut[here] = cut[there] = 0;
                }
        for (const auto& [pair, count] : sides)
            if (count >= 3) contacts.insert(pair);
        input = image_of(width, height, cut, true);
    }
};

/// Discs that lie apart, most of them a pixel and a half from another.
struct SpacedDiscs {
    Input input;
    ContactSet contacts;  // by label in the image
    std::vector<Point> at;
    std::vector<double> radii;

    SpacedDiscs(uint32_t width, uint32_t height, uint64_t seed, bool labels) {
        std::mt19937_64 engine(seed);
        for (int tries = 0; tries < 6000; ++tries) {
            const Point p{double(engine() % width), double(engine() % height)};
            double r = std::min({20.0, p.x, p.y, width - 1 - p.x, height - 1 - p.y});
            for (size_t i = 0; i < at.size(); ++i)
                r = std::min(r, std::hypot(p.x - at[i].x, p.y - at[i].y) - radii[i] - 1.5);
            if (r < 5) continue;
            at.push_back(p);
            radii.push_back(r);
        }
        for (size_t i = 0; i < at.size(); ++i)
            for (size_t j = i + 1; j < at.size(); ++j)
                if (std::hypot(at[i].x - at[j].x, at[i].y - at[j].y) - radii[i] - radii[j] < 1.6)
                    contacts.insert({int64_t(i) + 1, int64_t(j) + 1});
        std::vector<float> image(size_t(width) * height);
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x)
                for (size_t i = 0; i < at.size(); ++i)
                    if (std::hypot(x - at[i].x, y - at[i].y) <= radii[i])
                        image[size_t(y) * width + x] = labels ? float(i + 1) : 1.f;
        input = image_of(width, height, image, labels);
    }
};

struct LinksBeside {
    size_t links = 0, missed = 0, extra = 0;
    friend bool operator==(const LinksBeside&, const LinksBeside&) = default;
};
/// The links of a graph beside the true contacts, by name.
LinksBeside links_beside(Context& context, const Input& input, const ContactSet& contacts, const Settings& settings) {
    const auto lab = finished(context, input, "events", settings);
    check_passes(*lab);
    const auto names = values_of<int64_t>(*lab, "names");
    const auto flat = values_of<uint32_t>(*lab, "links");
    ContactSet links;
    for (size_t i = 0; i < flat.size(); i += 2) links.insert(std::minmax(names[flat[i]], names[flat[i + 1]]));
    LinksBeside found{links.size(), 0, 0};
    for (const auto& pair : contacts) found.missed += !links.count(pair);
    for (const auto& pair : links) found.extra += !contacts.count(pair);
    return found;
}

/// A raft of sites on a triangular lattice of spacing 10 that are shaken, with a void in its middle.
struct ShakenRaft {
    static constexpr Point kMiddle{100, 90};
    static constexpr double kVoid = 45;
    std::vector<std::vector<Point>> frames;

    ShakenRaft() {
        std::mt19937 random(7);
        const auto shake = [&] { return double(random()) / 0x1p32 * 5 - 2.5; };
        std::vector<Point> rest;
        for (int y = 0; y < 19; ++y)
            for (int x = 0; x < 19; ++x) {
                const Point p{8 + 10.0 * x + 5 * (y % 2), 8 + 8.66 * y};
                if (std::hypot(p.x - kMiddle.x, p.y - kMiddle.y) > kVoid) rest.push_back(p);
            }
        frames.resize(5);
        for (auto& frame : frames)
            for (const Point p : rest) frame.push_back({p.x + shake(), p.y + shake()});
    }
    Input tracked() const {
        std::vector<std::vector<std::pair<int64_t, Point>>> named(frames.size());
        for (size_t f = 0; f < frames.size(); ++f)
            for (size_t i = 0; i < frames[f].size(); ++i) named[f].push_back({int64_t(i), frames[f][i]});
        return tracks(named);
    }
    Input filmed() const { return film(208, 180, frames, 2.5); }
};

/// Events in the middle half of the void. `scale`: pixels per unit of places.
size_t across_void(const Lab& lab, double scale = 1) {
    const std::vector<Detection> all = facet<Detector>(lab).detections(0);
    return size_t(std::count_if(all.begin(), all.end(), [&](const Detection& one) {
        const Point at = one.given.value_or(one.place);
        return one.kind != "unmatched" && std::hypot(at.x * scale - ShakenRaft::kMiddle.x,
                                                     at.y * scale - ShakenRaft::kMiddle.y) < ShakenRaft::kVoid / 2;
    }));
}

}  // namespace

TEST_CASE("contacts: of a foam of unequal cells the films are the contacts, and radical cells come near them") {
    Context context(DeviceRequest::kCpu, 2);
    const UnequalFoam foam(300, 200, 1);
    const auto graph = [&](const Settings& settings) {
        return links_beside(context, foam.input, foam.contacts, settings);
    };
    REQUIRE(foam.contacts.size() == 322);
    CHECK(graph({"graph=labels", "film_width=3"}) == LinksBeside{329, 0, 7});
    CHECK(graph({"graph=radical"}) == LinksBeside{359, 1, 38});
    CHECK(graph({"graph=delaunay"}) == LinksBeside{359, 23, 60});
    CHECK(graph({"graph=lattice"}) == LinksBeside{327, 25, 30});
    CHECK(graph({"graph=labels"}) == LinksBeside{0, 322, 0});  // nothing touches, and films are wider than a line
}

TEST_CASE("contacts: of discs with gaps only film_width tells those that touch from those that are neighbours") {
    Context context(DeviceRequest::kCpu, 2);
    const SpacedDiscs discs(300, 200, 2, true);
    const auto graph = [&](const Settings& settings) {
        return links_beside(context, discs.input, discs.contacts, settings);
    };
    REQUIRE(discs.contacts.size() == 94);
    CHECK(graph({"graph=labels", "film_width=1.5"}) == LinksBeside{101, 5, 12});  // pixels round gaps
    CHECK(graph({"graph=radical"}) == LinksBeside{343, 0, 249});
    CHECK(graph({"graph=delaunay"}) == LinksBeside{343, 0, 249});
    // Bubbles past a threshold have the same films; their names are others.
    const SpacedDiscs bright(300, 200, 2, false);
    const auto by_label = finished(context, discs.input, "events", {"graph=labels", "film_width=1.5"}),
               by_threshold = finished(context, bright.input, "events", {"graph=labels", "film_width=1.5"});
    CHECK(by_threshold->result().edges == by_label->result().edges);
    CHECK(values_of<int64_t>(*by_threshold, "contacts").size() == 3 * by_threshold->result().edges);
}

TEST_CASE("contacts: radical and film graphs are the same stepped, finished, saved and on every device") {
    std::vector<std::vector<Point>> places;
    for (int t = 0; t < 4; ++t)
        places.push_back({{10, 10}, {30, 11. + t}, {20, 30. - 2 * t}, {45, 28}, {44, 9. + t}, {27, 44}});
    const Input input = film(60, 52, places, 6);
    for (const Settings& settings : {Settings{"graph=radical"}, Settings{"graph=labels", "film_width=9"}}) {
        uint64_t expected = 0;
        INFO(settings[0]);
        on_every_device([&](Context& context) {
            const auto by_steps = stepped(context, input, "events", settings);
            const auto at_once = finished(context, input, "events", settings);
            CHECK(by_steps->state_hash() == at_once->state_hash());
            check_passes(*at_once);
            if (expected == 0) expected = by_steps->state_hash();
            CHECK(by_steps->state_hash() == expected);
            CHECK(at_once->result().edges > 4);
            auto again = started(context, input, "events", settings);
            again->load(at_once->save());
            CHECK(again->state_hash() == expected);
        });
    }
}

TEST_CASE("contacts: tracks have radical cells from a column radius, r or area, and a sentence where they have none") {
    Context context(DeviceRequest::kCpu, 2);
    const Input plain = tracks({{{1, {0, 0}}, {2, {10, 0}}, {3, {5, 9}}, {4, {5, 3}}}});
    const auto sized = [&](const char* name, std::vector<double> values) {
        auto made = std::make_shared<Tracks>(*plain->tracks);
        made->attributes.push_back({name, std::move(values)});
        auto input = std::make_shared<Geometry>(*plain);
        input->tracks = made;
        return Input(input);
    };
    const auto hidden = [&](const Input& input) {
        return number_of(*finished(context, input, "events", {"graph=radical"}), "hidden bubbles");
    };
    CHECK(hidden(sized("Radius", {5, 5, 5, 5})) == 0);
    CHECK(hidden(sized("r", {6, 6, 6, 1})) == 1);
    CHECK(hidden(sized("AREA", {120, 120, 120, 3})) == 1);
    CHECK(has(error_of([&] { hidden(plain); }), "a column radius, r or area; use graph=delaunay"));
    CHECK(has(error_of([&] { hidden(sized("r", {6, NAN, 6, 1})); }), "r of id 2 at t = 0 is missing"));
    CHECK(has(error_of([&] { hidden(sized("r", {6, 6, 6, -1})); }), "r of id 4 at t = 0 is -1"));
    CHECK(has(error_of([&] {
                  finished(context, film(30, 30, {{{9, 9}}}), "events", {"graph=labels"});
              }),
              "film_width"));
}

TEST_CASE("contacts: with contact_distance no event lies in a void, in any graph and source, on every device") {
    const ShakenRaft raft;
    struct Case {
        Input input;
        Settings settings;
        const char* distance;
        double scale;
    };
    std::vector<Case> cases{{raft.tracked(), {"graph=delaunay"}, "contact_distance=20", 1},
                            {raft.tracked(), {"graph=lattice"}, "contact_distance=20", 1},
                            {raft.filmed(), {"graph=labels", "film_width=200"}, "contact_distance=20", 1},
                            {raft.filmed(), {"graph=radical", "pixel_size=0.5"}, "contact_distance=10", 2}};
    for (const char* graph : {"graph=lattice", "graph=delaunay", "graph=radical"})
        cases.push_back({raft.filmed(), {graph}, "contact_distance=20", 1});
    for (const Case& one : cases) {
        INFO(one.settings[0], " ", one.scale);
        uint64_t expected = 0;
        on_every_device([&](Context& context) {
            const Settings settings = with(one.settings, {"cap=1", "matching=assignment"});
            const auto any = finished(context, one.input, "events", settings);
            const auto near = finished(context, one.input, "events", with(settings, {one.distance}));
            check_passes(*any);
            check_passes(*near);
            CHECK(across_void(*any, one.scale) > 0);
            CHECK(across_void(*near, one.scale) == 0);
            CHECK(number_of(*near, "T1 events") > 10);  // those in the raft are found
            if (expected == 0) expected = near->state_hash();
            CHECK(near->state_hash() == expected);
            const auto by_steps = stepped(context, one.input, "events", with(settings, {one.distance}));
            CHECK(by_steps->state_hash() == expected);
            CHECK(hash_of_states(*by_steps) == hash_of_states(*near));

            // The links are those of the graph that are short enough: one set less another.
            const auto links = values_of<std::array<uint32_t, 2>>(*near, "links");
            std::vector<std::array<uint32_t, 2>> short_ones;
            const auto sites = values_of<Point>(*any, "sites");
            for (const auto& [a, b] : values_of<std::array<uint32_t, 2>>(*any, "links"))
                if (std::hypot(sites[a].x - sites[b].x, sites[a].y - sites[b].y) <= 20 / one.scale)
                    short_ones.push_back({a, b});
            CHECK(links == short_ones);
            CHECK(near->result().edges == links.size());
            const Table changes = facet<TableExporter>(*near).table("changes");
            for (size_t i = 0; i < changes.row_count; ++i) CHECK(changes.row(i).cells[8].number() <= 20 / one.scale);
        });
    }
}

TEST_CASE("contacts: contact_distance is in the unit of the source, also for the lab's own sources") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Settings& one : {Settings{"source=bubbles"}, Settings{"source=channel", "count=25"},
                                Settings{"source=emulsion", "count=10", "interval=10"},
                                Settings{"source=particles", "count=60", "interval=20"}}) {
        INFO(one[0]);
        const Settings settings = with(one, {"width=96", "height=64", "comparisons=3"});
        const auto any = finished(context, nothing(), "events", settings);
        const double longest = one[0] == "source=particles" ? 1.4 : 14;
        const auto near =
            finished(context, nothing(), "events", with(settings, {"contact_distance=" + std::to_string(longest)}));
        check_passes(*near);
        CHECK(near->result().edges < any->result().edges);
        const auto sites = values_of<Point>(*near, "sites");
        const Result::OnLattice lattice = near->result().lattice.value_or(Result::OnLattice{96, 64, true, {}});
        const Point period{lattice.width * lattice.units.unit.x, lattice.height * lattice.units.unit.y};
        size_t expected = 0;
        for (const auto& [a, b] : values_of<std::array<uint32_t, 2>>(*any, "links")) {
            const Point d{std::remainder(sites[a].x - sites[b].x, period.x),
                          std::remainder(sites[a].y - sites[b].y, period.y)};
            expected += std::hypot(d.x, d.y) <= longest;
        }
        CHECK(near->result().edges == expected);
    }
}
