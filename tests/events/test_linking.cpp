// Linking bubbles by assignment, and the memory for those that are not found.
#include "events/detection/linking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "events/inputs.h"

using namespace flipscope;

namespace {

/// The sum that is to be least: squared distances, and for each past site without a partner the square of the cap.
double cost_of(const Lattice& lattice, const std::vector<Point>& past, const std::vector<Point>& now,
               const std::vector<uint32_t>& to_now, double reach) {
    double sum = 0;
    for (size_t p = 0; p < past.size(); ++p)
        sum += to_now[p] == kNone ? reach : lattice.squared_distance(past[p], now[to_now[p]]);
    return sum;
}

/// The least of all pairings.
double least_cost(const Lattice& lattice, const std::vector<Point>& past, const std::vector<Point>& now, double reach) {
    std::vector<uint32_t> to_now(past.size(), kNone);
    std::vector<bool> taken(now.size());
    double least = INFINITY;
    const std::function<void(size_t)> choose = [&](size_t p) {
        if (p == past.size()) {
            least = std::min(least, cost_of(lattice, past, now, to_now, reach));
            return;
        }
        choose(p + 1);
        for (uint32_t q = 0; q < now.size(); ++q) {
            if (taken[q] || lattice.squared_distance(past[p], now[q]) > reach) continue;
            taken[q] = true;
            to_now[p] = q;
            choose(p + 1);
            to_now[p] = kNone;
            taken[q] = false;
        }
    };
    choose(0);
    return least;
}

/// Points carried by two crossed waves on a torus; `missed`: the part of them left out at random in each frame after
/// the first. Their ids are those of the points or, with `anonymous`, mean nothing.
Input stirred(double missed, bool anonymous, size_t frames = 16, uint64_t seed = 4) {
    std::mt19937_64 engine(seed);
    std::vector<Point> places;
    for (int i = 0; i < 14; ++i)
        for (int k = 0; k < 14; ++k)
            places.push_back({i * 10 + k % 2 * 5. + double(engine() % 40) / 10, k * 10 + double(engine() % 40) / 10});
    std::vector<std::vector<std::pair<int64_t, Point>>> all(frames);
    int64_t next = 0;
    std::mt19937_64 losses(seed + 1);
    for (size_t t = 0; t < frames; ++t)
        for (size_t i = 0; i < places.size(); ++i) {
            Point& p = places[i];
            const double turn = 2 * 3.141592653589793 / 140;
            if (t > 0) p = {p.x + 1.5 * std::sin(turn * p.y), p.y + 1.5 * std::sin(turn * p.x)};
            const bool lost = t > 0 && double(losses() % 1000) < 1000 * missed;
            if (!lost) all[t].push_back({anonymous ? next++ : int64_t(i), p});
        }
    return tracks(all);
}

double contact_changes(const Lab& lab) { return number_of(lab, "lost contacts") + number_of(lab, "created contacts"); }

}  // namespace

TEST_CASE("linking: the sum of squared distances is the least of all pairings, on the plane, a cylinder and a torus") {
    std::mt19937_64 engine(3);
    for (const PeriodicAxes periodic : {PeriodicAxes(false), PeriodicAxes(true), PeriodicAxes(false, true)})
        for (int round = 0; round < 60; ++round) {
            const Lattice lattice{16, 12, periodic};
            std::vector<Point> past, now;
            for (uint64_t i = engine() % 7; i > 0; --i) past.push_back({double(engine() % 16), double(engine() % 12)});
            for (uint64_t i = engine() % 7; i > 0; --i) now.push_back({double(engine() % 16), double(engine() % 12)});
            const double cap = round % 3 == 0 ? 0.3 : round % 3 == 1 ? 1 : 5;
            const double reach = cap * cap * 16 * 12 / std::max<double>(1, double(past.size()));
            const std::vector<uint32_t> to_now = assign_sites(lattice, past, now, cap);
            REQUIRE(to_now.size() == past.size());
            std::vector<uint32_t> taken;
            for (size_t p = 0; p < past.size(); ++p) {
                if (to_now[p] == kNone) continue;
                taken.push_back(to_now[p]);
                CHECK(lattice.squared_distance(past[p], now[to_now[p]]) <= reach);
            }
            sort_distinct_or_cancel(taken);
            CHECK(taken.size() ==
                  size_t(std::count_if(to_now.begin(), to_now.end(), [](auto q) { return q != kNone; })));
            CHECK(cost_of(lattice, past, now, to_now, reach) ==
                  doctest::Approx(least_cost(lattice, past, now, reach)).epsilon(1e-9));
        }
    CHECK(assign_sites(Lattice{8, 8, true}, std::vector<Point>{{1, 1}}, std::vector<Point>{{1, 1}}, 0) ==
          std::vector<uint32_t>{0});
    const std::vector<Point> two{{1, 1}, {2, 1}};
    CHECK(assign_sites(Lattice{8, 8, true}, two, two, 100, 4) == std::vector<uint32_t>{0, 1});
    CHECK_THROWS_WITH_AS(assign_sites(Lattice{8, 8, true}, two, two, 100, 3), doctest::Contains("take a smaller cap"),
                         Error);
}

TEST_CASE("linking: among many, no exchange along any cycle lowers the sum") {
    std::mt19937_64 engine(9);
    for (const double cap : {0.7, 1.5}) {
        const Lattice lattice{60, 50, true};
        std::vector<Point> past, now;
        for (int i = 0; i < 60; ++i) past.push_back({double(engine() % 60), double(engine() % 50)});
        for (int i = 0; i < 55; ++i) now.push_back({double(engine() % 60), double(engine() % 50)});
        const double reach = cap * cap * 60 * 50 / 60;
        const std::vector<uint32_t> to_now = assign_sites(lattice, past, now, cap);
        // The residual network: past sites, present ones, one column for each past site alone, and a node for all free
        // columns. A shortest path that still improves after as many rounds as there are nodes is a cycle.
        struct Arc {
            size_t from, to;
            double cost;
        };
        const size_t columns = past.size(), alone = columns + now.size(), sink = alone + past.size();
        std::vector<Arc> arcs;
        std::vector<bool> used(sink);
        const auto add = [&](size_t p, size_t column, double cost, bool chosen) {
            if (chosen) used[column] = true;
            arcs.push_back(chosen ? Arc{column, p, -cost} : Arc{p, column, cost});
        };
        for (size_t p = 0; p < past.size(); ++p) {
            add(p, alone + p, reach, to_now[p] == kNone);
            for (size_t q = 0; q < now.size(); ++q)
                if (const double squared = lattice.squared_distance(past[p], now[q]); squared <= reach)
                    add(p, columns + q, squared, to_now[p] == q);
        }
        for (size_t column = columns; column < sink; ++column)
            arcs.push_back(used[column] ? Arc{sink, column, 0} : Arc{column, sink, 0});
        std::vector<double> distance(sink + 1, 0.);
        bool improves = true;
        for (size_t round = 0; improves && round <= sink + 1; ++round) {
            improves = false;
            for (const Arc& arc : arcs)
                if (distance[arc.from] + arc.cost < distance[arc.to] - 1e-6) {
                    distance[arc.to] = distance[arc.from] + arc.cost;
                    improves = true;
                }
        }
        CHECK_FALSE(improves);
        CHECK(std::count(to_now.begin(), to_now.end(), kNone) < 40);
    }
}

TEST_CASE("linking: a row that moves by more than half its spacing is kept by assignment, and lost by nearest sites") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<std::vector<std::pair<int64_t, Point>>> frames(2);
    for (int i = 0; i < 5; ++i) {
        frames[0].push_back({i, {10. * i, i % 2 * 3.}});
        frames[1].push_back({10 + i, {10. * i + 6, i % 2 * 3.}});
    }
    const Input input = tracks(frames);
    const auto deaths = [&](const char* matching) {
        return number_of(*finished(context, input, "events", {matching, "cap=1"}), "deaths");
    };
    CHECK(deaths("matching=assignment") == 0);
    CHECK(deaths("matching=nearest") > 0);
}

TEST_CASE("linking: a bubble that is missed for no longer than the memory changes nothing and keeps its name") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<std::vector<Point>> places(7), complete(7);
    for (int t = 0; t < 7; ++t)
        for (int i = 0; i < 5; ++i)
            for (int k = 0; k < 4; ++k) {
                complete[t].push_back({14. + 20 * i + t + k % 2 * 7, 12. + 18 * k});
                if (!(i == 2 && k == 2 && (t == 2 || t == 3))) places[t].push_back(complete[t].back());
            }
    const Input input = film(130, 80, places, 5);
    for (const char* graph : {"graph=lattice", "graph=delaunay", "graph=radical", "graph=labels"}) {
        INFO(std::string(graph));
        const Settings settings{graph, "film_width=14", "matching=assignment"};
        const auto kept = finished(context, input, "events", with(settings, {"memory=2"}));
        CHECK(contact_changes(*kept) ==
              contact_changes(*finished(context, film(130, 80, complete, 5), "events", settings)));
        CHECK(number_of(*kept, "births") + number_of(*kept, "deaths") == 0);
        CHECK(number_of(*kept, "names given so far") == 20);
        check_passes(*kept);
        const auto lost = finished(context, input, "events", with(settings, {"memory=1"}));
        CHECK(number_of(*lost, "births") == 1);
        CHECK(number_of(*lost, "deaths") == 1);
        CHECK(number_of(*lost, "names given so far") == 21);
    }
    // Of touching labels a held one keeps its contacts, though it has no pixels.
    auto stripes = std::make_shared<FieldStack>();
    stripes->name = "stripes.tif";
    stripes->width = 12;
    stripes->height = 4;
    stripes->whole = 1;
    stripes->labels = true;
    for (int t = 0; t < 3; ++t)
        for (int pixel = 0; pixel < 48; ++pixel) {
            const int label = 1 + pixel % 12 / 3;
            stripes->values.push_back(t == 1 && label == 2 ? 0.f : float(label));
        }
    for (const char* memory : {"memory=0", "memory=1"}) {
        const auto cells =
            finished(context, recorded(stripes), "events", {"graph=labels", "matching=assignment", memory});
        check_passes(*cells);
        CHECK(number_of(*cells, "births") == (memory == std::string("memory=0")));
        CHECK(contact_changes(*cells) == 0);
        CHECK(number_of(*cells, "links") == 3);
    }
    auto lab = started(context, input, "events", {"matching=assignment", "memory=2"});
    while (!lab->done() && number_of(*lab, "held bubbles") == 0) lab->step();
    while (!lab->done() && lab->next_pass() != 0) lab->step();
    const auto held = values_of<Point>(*lab, "sites").back();
    CHECK(held.x == doctest::Approx(14 + 40 + 2));  // carried along by its neighbours
    CHECK(held.y == doctest::Approx(12 + 36));
    CHECK(facet<TableExporter>(*lab).table("tracks").row_count == 60);
}

TEST_CASE("linking: the same stepped, finished, scrubbed, saved and on every device") {
    for (const Settings& settings : {Settings{"matching=assignment", "memory=2", "box=140"},
                                     Settings{"matching=assignment", "box=140", "graph=lattice"}}) {
        uint64_t expected = 0;
        const Input input = stirred(0.05, true, 6);
        on_every_device([&](Context& context) {
            const auto by_steps = stepped(context, input, "events", settings);
            const auto at_once = finished(context, input, "events", settings);
            CHECK(by_steps->state_hash() == at_once->state_hash());
            check_passes(*at_once);
            if (expected == 0) expected = by_steps->state_hash();
            CHECK(by_steps->state_hash() == expected);
            auto halfway = started(context, input, "events", settings);
            for (uint32_t rounds = 0; rounds < 4;) rounds += halfway->step().ended >= Level::kRound;
            auto again = started(context, input, "events", settings);
            again->load(halfway->save());
            CHECK(again->state_hash() == halfway->state_hash());
            again->finish({});
            CHECK(again->state_hash() == expected);
            StartedTimeline timeline(context, input, "events", settings);
            size_t steps = 0;
            while (timeline.step()) ++steps;
            timeline.seek(steps / 2);
            timeline.seek(steps);
            CHECK(timeline.lab().state_hash() == expected);
        });
    }
    Context context(DeviceRequest::kCpu, 1);
    const auto particles =
        finished(context, nothing(), "events",
                 {"source=particles", "count=40", "comparisons=3", "matching=assignment", "memory=3"});
    CHECK(number_of(*particles, "held bubbles") == 0);
    check_passes(*particles);
}

TEST_CASE("linking: with 3 % missed detections the memory leaves the changes near the true ones") {
    Context context(DeviceRequest::kCpu, 2);
    const auto changed = [&](const Input& input, const Settings& settings) {
        const auto lab = finished(context, input, "events", with({"box=140"}, settings));
        return contact_changes(*lab);
    };
    const double truth = changed(stirred(0, false), {"matching=names"});
    const Input movie = stirred(0.03, true);
    const double nearest = changed(movie, {"matching=nearest"}), assigned = changed(movie, {"matching=assignment"}),
                 remembered = changed(movie, {"matching=assignment", "memory=3"});
    CHECK(truth > 50);
    CHECK(nearest > 2 * truth);
    CHECK(assigned > 2 * truth);
    CHECK(remembered < 1.3 * truth);
}
