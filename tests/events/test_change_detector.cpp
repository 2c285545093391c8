// sanitizers: address thread
// Plastic events between two frames, against plain sets and by hand.
#include <cmath>
#include <map>

#include "events/comparisons.h"

using namespace flipscope;

namespace {

const Lattice kOpenBox{64, 48, false}, kTorusBox{64, 48, true};

/// One event as its kind and its links, in present labels.
struct Event {
    uint32_t kinds = 0;
    PairSet lost, created;
};
std::map<uint32_t, Event> events_of(const Comparing& compared) {
    std::map<uint32_t, Event> events;
    for (const ChangedLink& link : compared.links) {
        Event& event = events[link.event];
        event.kinds |= link.kinds;
        (link.lost ? event.lost : event.created).insert(ordered(link.now[0], link.now[1]));
    }
    return events;
}

void check_against_sets(const Comparing& compared, const Still& past, const Still& now) {
    const PairSet lost = plain_difference(past, now, compared.to_now, true);
    const PairSet created = plain_difference(past, now, compared.to_now, false);
    CHECK(compared.listed(true) == lost);
    CHECK(compared.listed(false) == created);
    CHECK(compared.counts.lost == lost.size());
    CHECK(compared.counts.created == created.size());
    CHECK(compared.counts.triggered() == (lost.size() + created.size() > 0));
    std::set<uint32_t> touched;  // the ends of changed links are active, and no others
    for (const PairSet* set : {&lost, &created})
        for (const Pair& link : *set) touched.insert(link.begin(), link.end());
    CHECK(compared.counts.active == touched.size());
    // An event is called by its lowest link, and its links' ends have the names of their sites.
    for (size_t i = 0; i < compared.links.size(); ++i) {
        const ChangedLink& link = compared.links[i];
        CHECK(link.event <= i);
        CHECK(compared.links[link.event].event == link.event);
        for (int k = 0; k < 2; ++k) {
            CHECK(link.names[k] == 100 + link.past[k]);
            CHECK(link.before[k] == past.sites[link.past[k]]);
            CHECK(link.after[k] == now.sites[link.now[k]]);
            CHECK((link.corner_kinds[k] & kActiveVertex) != 0);
        }
    }
}

struct Random {
    std::mt19937_64 engine;
    double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
    uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine() % n); }
};

std::vector<Point> scattered(Random& random, const Lattice& lattice, uint32_t count) {
    std::vector<Point> points(count);
    for (Point& p : points) p = {random(0, lattice.width), random(0, lattice.height)};
    return points;
}

/// All move a little; some vanish, some appear, and the labels are permuted.
std::vector<Point> moved(Random& random, const Lattice& lattice, const std::vector<Point>& from, double by) {
    std::vector<Point> to;
    for (const Point p : from) {
        const Point q{p.x + random(-by, by), p.y + random(-by, by)};
        const bool inside = (lattice.periodic.x || (q.x >= 0 && q.x < lattice.width)) &&
                            (lattice.periodic.y || (q.y >= 0 && q.y < lattice.height));
        if (random(0, 1) < 0.9) to.push_back(inside ? lattice.wrapped(q) : p);
    }
    for (const Point p : scattered(random, lattice, random.below(3))) to.push_back(p);
    std::shuffle(to.begin(), to.end(), random.engine);
    return to;
}

/// Sites around the middle of the lattice.
Still around_middle(const std::vector<Point>& offsets, const PairSet& links) {
    Still still{{}, links};
    for (const Point p : offsets) still.sites.push_back({30 + p.x, 20 + p.y});
    return still;
}

}  // namespace

TEST_CASE("detection: on random moves, lost and created contacts are the plain set differences, extracted ahead too") {
    const auto same = [](const ChangedLink& a, const ChangedLink& b) {
        return a.lost == b.lost && a.triangles == b.triangles && a.kinds == b.kinds && a.event == b.event &&
               std::equal(a.past, a.past + 4, b.past) && std::equal(a.now, a.now + 4, b.now) &&
               std::equal(a.corner_kinds, a.corner_kinds + 4, b.corner_kinds);
    };
    on_every_device([&](Context& context) {
        for (const PeriodicAxes periodic : kAllBorders) {
            const Lattice lattice{kOpenBox.width, kOpenBox.height, periodic};
            Random random{std::mt19937_64(periodic.any() ? 7 : 8)};
            Comparing compare(context, lattice, 0.6), ahead(context, lattice, 0.6);
            ahead.ahead = true;
            for (size_t round = 0; round < case_count(300); ++round) {
                // Now and then there is far more than the last time.
                Still past{scattered(random, lattice, random.below(round % 25 == 4 ? 400 : 40)), {}};
                past.take_delaunay(context, lattice);
                Still now{moved(random, lattice, past.sites, random(0, 6)), {}};
                now.take_delaunay(context, lattice);
                compare(past, now);
                INFO("round " << round);
                CHECK(compare.to_now == plain_matching(lattice, past, now, 0.6));
                check_against_sets(compare, past, now);
                ahead(past, now);
                check_against_sets(ahead, past, now);
                check_surroundings(ahead, past, now);
                REQUIRE(ahead.links.size() == compare.links.size());
                CHECK(std::equal(ahead.links.begin(), ahead.links.end(), compare.links.begin(), same));
            }
        }
    });
}

TEST_CASE("detection: sets are right for any graph, planar or not") {
    Context context(DeviceRequest::kCpu, 2);
    Random random{std::mt19937_64(3)};
    Comparing compare(context, kOpenBox, 10);
    for (size_t round = 0; round < case_count(2000); ++round) {
        Still past{scattered(random, kOpenBox, 1 + random.below(30)), {}};
        Still now{past.sites, {}};
        std::shuffle(now.sites.begin(), now.sites.end(), random.engine);
        const double density = random(0, 1);
        for (Still* still : {&past, &now})
            for (uint32_t a = 0; a < still->sites.size(); ++a)
                for (uint32_t b = a + 1; b < still->sites.size(); ++b)
                    if (random(0, 1) < density) still->links.insert({a, b});
        compare(past, now);
        check_against_sets(compare, past, now);
    }
}

TEST_CASE("detection: thousands of links that change at once are listed in order") {
    on_every_device([&](Context& context) {
        Random random{std::mt19937_64(10)};
        Still past{scattered(random, kOpenBox, 200), {}}, now{past.sites, {}};
        for (uint32_t a = 0; a < 200; ++a)
            for (uint32_t b = a + 1; b < 200; ++b) (random.below(3) ? past : now).links.insert({a, b});
        Comparing compare(context, kOpenBox, 10);
        compare(past, now);
        check_against_sets(compare, past, now);
        REQUIRE(compare.links.size() == past.links.size() + now.links.size());
        for (size_t i = 1; i < compare.links.size(); ++i) {
            const ChangedLink &a = compare.links[i - 1], &b = compare.links[i];
            const auto *x = a.lost ? a.past : a.now, *y = b.lost ? b.past : b.now;
            CHECK((a.lost > b.lost || std::lexicographical_compare(x, x + 2, y, y + 2)));
        }
        CHECK(compare.found->surroundings().size() == kMostDrawn);
        check_surroundings(compare, past, now);
    });
}

TEST_CASE("detection: rows of thousands of neighbours are sorted and compared") {
    Context context(DeviceRequest::kCpu, 2);
    Random random{std::mt19937_64(4)};
    Still past{scattered(random, kOpenBox, 3000), {}}, now{past.sites, {}};
    std::shuffle(now.sites.begin(), now.sites.end(), random.engine);
    for (uint32_t i = 1; i < 3000; ++i) past.links.insert({0, i});
    for (uint32_t i = 0; i < 3000; ++i)
        if (i != 1500) now.links.insert(ordered(1500, i));
    Comparing compare(context, kOpenBox, 10);
    compare(past, now);
    check_against_sets(compare, past, now);
}

TEST_CASE("detection: all vanish, all appear, and both at once, without an event") {
    Context context(DeviceRequest::kCpu, 2);
    Random random{std::mt19937_64(6)};
    Comparing compare(context, kOpenBox, 0.1);
    Still some{scattered(random, kOpenBox, 20), {}}, none;
    some.take_delaunay(context, kOpenBox);
    compare(some, none);
    CHECK(compare.counts.vanished == 20);
    CHECK(compare.counts.now == 0);
    compare(none, some);
    CHECK(compare.counts.appeared() == 20);
    CHECK(compare.now().names().download()[19] == 1019);
    Still far = some;
    for (Point& p : far.sites) p.x += 1000;
    compare(some, far);
    CHECK(compare.counts.matched == 0);
    CHECK(compare.counts.vanished == 20);
    CHECK(compare.counts.appeared() == 20);
    CHECK_FALSE(compare.counts.triggered());
}

TEST_CASE("detection: a T1 in the interior is one event of one lost and one created contact (figure 8, top)") {
    for (const Lattice& lattice : {kOpenBox, kTorusBox}) {
        Context context(DeviceRequest::kCpu, 1);
        Comparing compare(context, lattice);
        // A quadrilateral 0 1 2 3 within a ring of eight, away from the boundary.
        std::vector<Point> places{{0, 3}, {3, 0}, {0, -3}, {-3, 0}};
        PairSet links{{0, 1}, {1, 2}, {2, 3}, {0, 3}};
        const Point ring[8] = {{0, 9}, {7, 7}, {9, 0}, {7, -7}, {0, -9}, {-7, -7}, {-9, 0}, {-7, 7}};
        for (uint32_t k = 0; k < 8; ++k) {
            places.push_back(ring[k]);
            links.insert(ordered(4 + k, 4 + (k + 1) % 8));
            links.insert({k / 2, 4 + k});  // 0: top, top right …
            links.insert({((k + 1) / 2) % 4, 4 + k});
        }
        Still past = around_middle(places, links), now = past;
        past.links.insert({0, 2});
        now.links.insert({1, 3});
        compare(past, now);
        CHECK(compare.counts.active == 4);
        const auto events = events_of(compare);
        REQUIRE(events.size() == 1);
        const Event& event = events.begin()->second;
        CHECK(event.kinds == kT1);
        CHECK(event.lost == PairSet{{0, 2}});
        CHECK(event.created == PairSet{{1, 3}});
        for (const ChangedLink& link : compare.links) {
            CHECK(link.triangles == 2);
            CHECK(link.corner_kinds[0] == (kT1 | kActiveVertex));
            CHECK(std::set<uint32_t>(link.past, link.past + 4) == std::set<uint32_t>{0, 1, 2, 3});
        }
        // And the same the other way around, with its links seen from the other side.
        compare(now, past);
        CHECK(compare.links.size() == 2);
        CHECK(compare.links[0].event == compare.links[1].event);
    }
}

TEST_CASE("detection: a hull edge that comes or goes is a boundary event of one link (figure 8, bottom)") {
    Context context(DeviceRequest::kCpu, 1);
    Comparing compare(context, kOpenBox);
    // 2 lies just within the hull edge 0 1, and then on the hull.
    Still inside = around_middle({{0, 0}, {10, 0}, {5, 1}, {5, 9}}, {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}});
    Still outside = inside;
    outside.sites[2].y -= 2;
    outside.links.erase({0, 1});
    compare(inside, outside);
    auto events = events_of(compare);
    REQUIRE(events.size() == 1);
    CHECK(events.begin()->second.kinds == kBoundary);
    CHECK(events.begin()->second.lost == PairSet{{0, 1}});
    CHECK(compare.links[0].triangles == 1);  // two common neighbours, but only one triangle is empty
    compare(outside, inside);
    events = events_of(compare);
    REQUIRE(events.size() == 1);
    CHECK(events.begin()->second.kinds == kBoundary);
    CHECK(events.begin()->second.created == PairSet{{0, 1}});
}

TEST_CASE("detection: a vertex may be in a T1 and in a boundary event at the same time (figure 9)") {
    Context context(DeviceRequest::kCpu, 1);
    Comparing compare(context, kOpenBox);
    // The hull edge 0 1 goes, so that 2 comes to the boundary; and the edge 2 3 behind it flips.
    const std::vector<Point> places{{0, 0}, {12, 0}, {6, 2}, {6, 12}, {1, 8}, {11, 8}};
    PairSet both{{0, 2}, {1, 2}, {0, 4}, {1, 5}, {3, 4}, {3, 5}, {2, 4}, {2, 5}};
    Still past = around_middle(places, both), now = past;
    past.links.insert({0, 1});
    past.links.insert({2, 3});
    now.links.insert({4, 5});
    compare(past, now);
    check_against_sets(compare, past, now);
    const auto events = events_of(compare);
    REQUIRE(events.size() == 2);  // they share no triangle
    CHECK(events.begin()->second.kinds == kBoundary);
    CHECK(std::next(events.begin())->second.kinds == kT1);

    // Vertex 2 is in both.
    for (const ChangedLink& link : compare.links)
        for (int k = 0; k < 4; ++k)
            if (link.past[k] == 2 && k < 2) CHECK((link.corner_kinds[k] & (kT1 | kBoundary)) == (kT1 | kBoundary));
}

TEST_CASE("detection: links of one triangle that go together are one event") {
    Context context(DeviceRequest::kCpu, 1);
    Comparing compare(context, kOpenBox);
    // 0 loses two of its three links: the hull edge to 1, and the one behind it to 2.
    Still past = around_middle({{0, 0}, {10, 0}, {8, 5}, {2, 9}}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}), now = past;
    now.links.erase({0, 1});
    now.links.erase({0, 2});
    compare(past, now);
    const auto events = events_of(compare);
    REQUIRE(events.size() == 1);
    CHECK(events.begin()->second.lost == PairSet{{0, 1}, {0, 2}});
    CHECK((events.begin()->second.kinds & kBoundary) != 0);
}

TEST_CASE("detection: those around a site that vanishes close up, which is no T1 and is called unmatched") {
    Context context(DeviceRequest::kCpu, 1);
    Comparing compare(context, kOpenBox);
    std::vector<Point> ring;
    PairSet outline, spokes;
    for (uint32_t k = 0; k < 6; ++k) {
        ring.push_back({10 * std::cos(1.0471976 * k), 10 * std::sin(1.0471976 * k)});
        outline.insert(ordered(k, (k + 1) % 6));
        spokes.insert({k, 6});
    }
    Still without = around_middle(ring, outline), with = without;
    without.links.insert({{0, 2}, {0, 3}, {0, 4}});
    with.sites.push_back({30, 20});
    with.links.insert(spokes.begin(), spokes.end());
    compare(with, without);
    auto events = events_of(compare);
    REQUIRE(events.size() == 1);
    CHECK(compare.counts.vanished == 1);
    CHECK(events.begin()->second.created == PairSet{{0, 2}, {0, 3}, {0, 4}});
    CHECK(event_kind(events.begin()->second.kinds) == EventKind::kUnmatched);
    compare(without, with);
    events = events_of(compare);
    REQUIRE(events.size() == 1);
    CHECK(events.begin()->second.lost == PairSet{{0, 2}, {0, 3}, {0, 4}});
    CHECK(event_kind(events.begin()->second.kinds) == EventKind::kUnmatched);
}

TEST_CASE("detection: any two triangulations of one polygon are one event") {
    Context context(DeviceRequest::kCpu, 2);
    Random random{std::mt19937_64(9)};
    Comparing compare(context, kOpenBox);
    for (size_t round = 0; round < case_count(300); ++round) {
        const uint32_t corners = 4 + random.below(10);
        Still stills[2];
        for (Still& still : stills) {
            for (uint32_t k = 0; k < corners; ++k) {
                const double angle = 6.283185307179586 * k / corners;
                still.sites.push_back({30 + 15 * std::cos(angle), 20 + 15 * std::sin(angle)});
                still.links.insert(ordered(k, (k + 1) % corners));
            }
            std::vector<uint32_t> left(corners);  // cut off one corner after the other
            for (uint32_t k = 0; k < corners; ++k) left[k] = k;
            while (left.size() > 3) {
                const auto k = random.below(static_cast<uint32_t>(left.size()));
                const auto n = static_cast<uint32_t>(left.size());
                still.links.insert(ordered(left[(k + n - 1) % n], left[(k + 1) % n]));
                left.erase(left.begin() + k);
            }
        }
        compare(stills[0], stills[1]);
        check_against_sets(compare, stills[0], stills[1]);
        // Diagonals that both have cut the polygon into parts; each part that differs is one event.
        uint32_t common = 0;
        for (const Pair& link : stills[0].links) common += static_cast<uint32_t>(stills[1].links.count(link));
        const auto events = events_of(compare);
        CHECK(events.size() <= common - corners + 1);
        for (const auto& [first, event] : events) {
            CHECK(event.lost.size() == event.created.size());
            CHECK((event.kinds & kBoundary) == 0);
        }
    }
}
