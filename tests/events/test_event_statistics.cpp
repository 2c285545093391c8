// Statistics of events against all pairs, closed forms, and what the Events lab saves.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <random>
#include <set>

#include "delaunay/runs.h"
#include "events/event_statistics.h"
#include "events/inputs.h"

using namespace flipscope;

namespace {

Lattice lattice_of(uint32_t width, uint32_t height, bool periodic_x, bool periodic_y) {
    Lattice lattice;
    lattice.width = width;
    lattice.height = height;
    lattice.periodic = {periodic_x, periodic_y};
    return lattice;
}

std::vector<CountedEvent> random_events(std::mt19937& random, const Lattice& lattice, size_t count, uint32_t rounds) {
    std::uniform_real_distribution<double> x(-0.5, lattice.width - 0.5), y(-0.5, lattice.height - 0.5);
    std::vector<CountedEvent> events(count);
    for (CountedEvent& event : events) event.round = 1 + random() % rounds;
    std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.round < b.round; });
    for (uint32_t i = 0; i < count; ++i) {
        events[i].row = events[i].event = i;
        events[i].time = 2.5 * events[i].round;
        events[i].place = {x(random), y(random)};
    }
    return events;
}

double distance(const Lattice& lattice, Point a, Point b) { return std::sqrt(lattice.squared_distance(a, b)); }

}  // namespace

TEST_CASE("event statistics: avalanches are the components over all pairs that are near in time and space") {
    std::mt19937 random(7);
    for (size_t k = 0; k < case_count(60); ++k) {
        const Lattice lattice = lattice_of(30 + random() % 90, 20 + random() % 60, random() % 2, random() % 2);
        const auto events = random_events(random, lattice, random() % 60, 1 + random() % 30);
        const uint32_t gap = random() % 4;
        const double reach = std::vector<double>{0, 3, 12, 45, 500}[random() % 5];
        // Components by repeated merging.
        std::vector<uint32_t> component(events.size());
        std::iota(component.begin(), component.end(), 0u);
        for (bool again = true; again;) {
            again = false;
            for (size_t i = 0; i < events.size(); ++i)
                for (size_t j = 0; j < i; ++j)
                    if (events[i].round - events[j].round <= gap &&
                        distance(lattice, events[i].place, events[j].place) <= reach && component[i] != component[j]) {
                        component[i] = component[j] = std::min(component[i], component[j]);
                        again = true;
                    }
        }
        std::map<uint32_t, std::vector<uint32_t>> expected;
        for (uint32_t i = 0; i < events.size(); ++i) expected[component[i]].push_back(i);
        const auto avalanches = find_avalanches(events, lattice, gap, reach);
        REQUIRE(avalanches.size() == expected.size());
        size_t at = 0;
        for (const auto& [first, members] : expected) CHECK(avalanches[at++] == members);
    }
}

TEST_CASE("event statistics: g(r) counts all pairs, and is 1 for independent events") {
    std::mt19937 random(11);
    for (size_t k = 0; k < case_count(40); ++k) {
        const Lattice lattice = lattice_of(40 + random() % 90, 30 + random() % 60, random() % 2, random() % 2);
        const auto events = random_events(random, lattice, random() % 80, 1 + random() % 9);
        const double reach = std::vector<double>{5, 14, 60}[random() % 3];
        const uint32_t bins = 1 + random() % 12;
        std::vector<double> together(bins, 0), apart(bins, 0);
        double all_together = 0, all_apart = 0;
        for (size_t i = 0; i < events.size(); ++i)
            for (size_t j = 0; j < i; ++j) {
                const bool same = events[i].round == events[j].round;
                ++(same ? all_together : all_apart);
                const double d = distance(lattice, events[i].place, events[j].place);
                if (d < reach) ++(same ? together : apart)[size_t(d / reach * bins)];
            }
        const PairCorrelation found = correlate_in_space(events, lattice, reach, bins);
        CHECK(found.together == together);
        CHECK(found.apart == apart);
        CHECK(found.all_together == all_together);
        CHECK(found.all_apart == all_apart);
    }
    // Up to kMostPairs all of them.
    const Lattice wide = lattice_of(200, 200, true, true);
    std::vector<CountedEvent> many = random_events(random, wide, 1400, 1400);
    for (uint32_t i = 0; i < many.size(); ++i) many[i].round = i;
    REQUIRE(1400 * 1399 / 2 < kMostPairs);
    CHECK(correlate_in_space(many, wide, 60, 6).all_apart == 1400 * 1399 / 2);
    // Enough events that pairs of different comparisons are a sample; a second one beside each of some events.
    const Lattice lattice = lattice_of(200, 200, true, true);
    std::vector<CountedEvent> events = random_events(random, lattice, 4000, 40);
    const PairCorrelation independent = correlate_in_space(events, lattice, 60, 6);
    CHECK(independent.all_apart < 4000.0 * 3999 / 2);
    for (size_t b = 1; b < 6; ++b) CHECK(std::abs(independent.g(b) - 1) < 4 * independent.error(b));
    for (size_t i = 0; i < 4000; i += 2) events[i + 1].round = events[i].round, events[i + 1].place = events[i].place;
    CHECK(correlate_in_space(events, lattice, 60, 6).g(0) > 1.2);
}

TEST_CASE("event statistics: correlation in time, means by blocks and mean directions have their closed forms") {
    // Two values by turns: ⟨N N'⟩ is 3 · 5 for odd lags, (9 + 25) / 2 for even ones, less ⟨N⟩ = 4 for lag 0.
    std::vector<uint32_t> turns;
    for (int t = 0; t < 200; ++t) turns.push_back(t % 2 ? 5 : 3);
    const auto correlation = correlate_in_time(turns, 4);
    REQUIRE(correlation.size() == 4);
    CHECK(correlation[0] == doctest::Approx((17.0 - 4) / 16));
    CHECK(correlation[1] == doctest::Approx(15.0 / 16));
    CHECK(correlation[2] == doctest::Approx(17.0 / 16));
    CHECK(correlate_in_time(std::vector<uint32_t>(5, 0), 3).empty());
    CHECK(correlate_in_time({}, 3).empty());

    std::vector<uint32_t> steps;  // block b has the value b
    for (const uint32_t length : {4, 4, 4, 5, 4, 4, 5, 4, 4, 5})
        steps.insert(steps.end(), length, static_cast<uint32_t>(steps.empty() ? 0 : steps.back() + 1));
    const BlockMean mean = mean_by_blocks(steps);
    double sum = 0, square = 0;
    for (const uint32_t value : steps) sum += value;
    for (const uint32_t value : steps) square += (value - sum / 43) * (value - sum / 43);
    CHECK(mean.mean == doctest::Approx(sum / 43));
    CHECK(mean.error == doctest::Approx(std::sqrt(square / 43 / 9)));
    CHECK(std::isnan(mean_by_blocks(std::vector<uint32_t>{4}).error));
    CHECK(mean_by_blocks(std::vector<uint32_t>{4, 6}).error == doctest::Approx(1));

    const auto direction = [](double degrees) {
        return Point{3 * std::cos(degrees / 180 * std::numbers::pi), 3 * std::sin(degrees / 180 * std::numbers::pi)};
    };
    const MeanDirection parallel = mean_direction(std::vector<Point>{direction(150), direction(330), direction(-30)});
    CHECK(parallel.angle * 180 / std::numbers::pi == doctest::Approx(150));
    CHECK(parallel.order == doctest::Approx(1));
    CHECK(mean_direction(std::vector<Point>{direction(20), direction(110)}).order == doctest::Approx(0));
    const MeanDirection spread = mean_direction(std::vector<Point>{direction(10), direction(50)});
    CHECK(spread.angle * 180 / std::numbers::pi == doctest::Approx(30));
    CHECK(spread.order == doctest::Approx(std::cos(40 / 180.0 * std::numbers::pi)));
    CHECK(mean_direction({}).count == 0);
}

TEST_CASE("event statistics: tables of a run are those of its list of events") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Settings& source : {Settings{"source=particles", "count=60", "interval=20"},
                                   Settings{"source=particles", "count=60", "interval=20", "persistence=3"},
                                   Settings{"source=shear", "count=40", "interval=30", "warmup=150"}}) {
        INFO(source[0], " ", source.back());
        const auto lab = finished(context, nothing(), "events",
                                  with({"width=96", "height=96", "comparisons=30", "region=3"}, source));
        const auto table = [&](const char* name) {
            const Table made = facet<TableExporter>(*lab).table(name);
            std::vector<Table::Row> rows;
            for (size_t i = 0; i < made.row_count; ++i) {
                rows.push_back(made.row(i));
                CHECK(rows.back().cells.size() == made.columns.size());
            }
            return rows;
        };
        const auto all = facet<Detector>(*lab).detections(0);
        const std::set<std::string> plastic{"T1", "boundary", "mixed", "unclear"};
        // With persistence the first and the last two comparisons are left out.
        const uint32_t first = source.back() == "warmup=150" ? 6 : source.back() == "persistence=3" ? 3 : 1;
        std::vector<size_t> counted;
        for (size_t i = 0; i < all.size(); ++i)
            if (plastic.count(all[i].kind) && all[i].round >= first) counted.push_back(i);
        REQUIRE(counted.size() > 3);

        // Waiting times of pairs, by looking back from every event.
        std::multiset<std::array<double, 5>> expected, listed;
        const auto rounded = [](double time) { return std::round(time * 1e6) / 1e6; };
        for (size_t j = 0; j < counted.size(); ++j) {
            auto pairs = all[counted[j]].lost_contacts;
            const auto& created = all[counted[j]].created_contacts;
            pairs.insert(pairs.end(), created.begin(), created.end());
            for (const auto& pair : pairs)
                for (size_t i = j; i-- > 0;) {
                    const Detection& before = all[counted[i]];
                    const auto has_pair = [&](const auto& list) {
                        return std::find(list.begin(), list.end(), pair) != list.end();
                    };
                    if (!has_pair(before.lost_contacts) && !has_pair(before.created_contacts)) continue;
                    expected.insert({double(pair[0]), double(pair[1]), double(counted[i]), double(counted[j]),
                                     rounded(all[counted[j]].time - before.time)});
                    break;
                }
        }
        size_t regions = 0;
        for (const Table::Row& row : table("waiting-times")) {
            if (text_of(row.cells[0]) == "region") {
                ++regions;
                continue;
            }
            listed.insert({row.cells[1].number(), row.cells[2].number(), row.cells[3].number(), row.cells[4].number(),
                           rounded(row.cells[7].number())});
        }
        CHECK(listed == expected);
        CHECK(regions > 0);

        size_t members = 0;
        for (const Table::Row& row : table("avalanches")) members += size_t(row.cells[0].number());
        CHECK(members == counted.size());
        double across[3] = {};
        for (const Table::Row& row : table("rates")) {
            const std::string axis = text_of(row.cells[0]);
            across[axis == "all" ? 0 : axis == "x" ? 1 : 2] += row.cells[2].number();
            if (axis != "all") continue;
            // One strip: events over area and time, in the units of the table.
            const double area = 96.0 * 96;
            if (source[0] == "source=shear")
                CHECK(row.cells[3].number() == doctest::Approx(double(counted.size()) / area / (30.0 * 25)));
            CHECK(row.cells[4].number() > 0);
        }
        for (const double sum : across) CHECK(sum == double(counted.size()));
        size_t contacts = 0, in_bins = 0;
        for (const size_t i : counted) contacts += all[i].lost_contacts.size() + all[i].created_contacts.size();
        for (const Table::Row& row : table("directions")) in_bins += size_t(row.cells[2].number());
        CHECK(in_bins == contacts);
        // Every curve and distribution has numbers only.
        const Report report = facet<Measurable>(*lab).statistics();
        std::set<std::string> names;
        for (const Curve& curve : report.all<Curve>()) {
            names.insert(curve.name);
            CHECK(curve.x.size() == curve.y.size());
            const bool is_tail = curve.name == "avalanche sizes" || curve.name == "avalanche durations";
            CHECK((curve.logarithmic.x && curve.logarithmic.y) == is_tail);
            if (curve.name == "avalanche sizes")
                for (const double size : curve.x) CHECK(size == std::floor(std::max(size, 1.0)));
            if (curve.name == "rate of events across y") {
                std::map<double, double> errors;  // by place
                for (const Table::Row& row : table("rates"))
                    if (text_of(row.cells[0]) == "y") errors[row.cells[1].number()] = row.cells[4].number();
                REQUIRE(curve.errors.size() == curve.x.size());
                for (size_t i = 0; i < curve.x.size(); ++i) CHECK(curve.errors[i] == errors.at(curve.x[i]));
            }
            CHECK(std::is_sorted(curve.x.begin(), curve.x.end()));
            for (const double y : curve.y) CHECK(std::isfinite(y));
        }
        for (const Distribution& one : report.all<Distribution>()) {
            names.insert(one.name);
            for (const double n : one.before) CHECK(std::isfinite(n));
            if (one.name != "waiting times of regions") continue;
            // A bin is a whole number of comparisons.
            CHECK(std::accumulate(one.now.begin(), one.now.end(), 0.0) == double(regions));
            const double width = one.high / double(one.now.size()) * double(all.back().round) / all.back().time;
            CHECK(width == doctest::Approx(std::round(width)));
            CHECK(width >= 1 - 1e-6);
        }
        for (const char* name : {"events across x", "events across y", "directions of links",
                                 "waiting times of regions", "avalanche sizes", "avalanche durations",
                                 "events in time C(τ)", "rate of events across x", "rate of events across y"})
            CHECK_MESSAGE(names.count(name) == 1, std::string(name));
    }
    const auto quiet = finished(context, tracks({{{1, {0, 0}}, {2, {9, 0}}, {3, {4, 8}}}}), "events");
    for (const ArrayInfo& info : facet<TableExporter>(*quiet).tables())
        CHECK_NOTHROW(facet<TableExporter>(*quiet).table(info.name));
}

TEST_CASE("event statistics: with event_kinds they are those of the T1s alone, or of the events on the boundary") {
    Context context(DeviceRequest::kCpu, 2);
    std::map<std::string, size_t> counted, contacts, listed;
    for (const char* kind : {"all", "T1", "boundary"}) {
        const auto lab =
            finished(context, nothing(), "events",
                     {"width=96", "height=96", "comparisons=30", "source=particles", "borders=periodic_x", "count=60",
                      "interval=20", "event_kinds=" + std::string(kind == std::string("T1") ? "t1" : kind)});
        const auto all = facet<Detector>(*lab).detections(0);
        std::set<size_t> own, members;
        const std::set<std::string> plastic{"T1", "boundary", "mixed", "unclear"};
        for (size_t i = 0; i < all.size(); ++i)
            if (kind == std::string("all") ? plastic.count(all[i].kind) > 0 : all[i].kind == kind) {
                own.insert(i);
                contacts[kind] += all[i].lost_contacts.size() + all[i].created_contacts.size();
            }
        const Table waiting = facet<TableExporter>(*lab).table("waiting-times");
        for (size_t i = 0; i < waiting.row_count; ++i)
            for (const size_t column : {3, 4}) CHECK(own.count(size_t(waiting.row(i).cells[column].number())) == 1);
        const Table avalanches = facet<TableExporter>(*lab).table("avalanches");
        for (size_t i = 0; i < avalanches.row_count; ++i) counted[kind] += size_t(avalanches.row(i).cells[0].number());
        CHECK(counted[kind] == own.size());
        CHECK(facet<TableExporter>(*lab).table("rates").row(0).cells[2].number() == double(own.size()));
        const Table directions = facet<TableExporter>(*lab).table("directions");
        for (size_t i = 0; i < directions.row_count; ++i) listed[kind] += size_t(directions.row(i).cells[2].number());
        CHECK(listed[kind] == contacts[kind]);
        for (const Curve& curve : facet<Measurable>(*lab).statistics().all<Curve>())
            if (curve.name == "avalanche sizes")
                CHECK(curve.sentence.ends_with(" alone.") == (kind != std::string("all")));
    }
    CHECK(counted["T1"] > 0);
    CHECK(counted["boundary"] > 0);
    CHECK(counted["all"] >= counted["T1"] + counted["boundary"]);
}

TEST_CASE("event statistics: displacements around a T1 lie in its frame, whichever way it is turned and drifts") {
    on_every_device([&](Context& context) {
        for (const int turn : {0, 1}) {
            // A diamond of half axes 7 and 8, then 8 and 7, that also drifts by (2, 1), within a ring that drifts too.
            std::vector<std::vector<Point>> frames;
            for (const int t : {0, 1}) {
                std::vector<Point>& frame = frames.emplace_back();
                const Point middle{40.0 + 2 * t, 40.0 + t};
                for (int k = 0; k < 8; ++k)
                    frame.push_back({std::round(middle.x - 2 * t + 22 * std::cos(0.2 + k * 0.785)) + 2 * t,
                                     std::round(middle.y - t + 22 * std::sin(0.2 + k * 0.785)) + t});
                const double a = t ? 8 : 7, b = t ? 7 : 8;
                for (const Point p : {Point{-a, 0}, {a, 0}, {0, -b}, {0, b}})
                    frame.push_back({middle.x + (turn ? p.y : p.x), middle.y + (turn ? p.x : p.y)});
            }
            const auto lab = finished(context, film(80, 80, frames, 2), "events",
                                      {"graph=delaunay", "borders=open", "displacement_reach=1"});
            REQUIRE(number_of(*lab, "T1 events") == 1);
            const double unit = 80 / std::sqrt(12.0);  // mean distance
            const Table table = facet<TableExporter>(*lab).table("displacements");
            size_t moving = 0;
            for (size_t i = 0; i < table.row_count; ++i) {
                const auto cell = [&](size_t k) { return table.row(i).cells[k].number(); };
                const double x = cell(0), y = cell(1), dx = cell(3) * unit, dy = cell(4) * unit;
                if (dx == 0 && dy == 0) continue;
                ++moving;
                // Bins of half a mean distance: the four cells lie in the four bins around the middle.
                CHECK(std::abs(x) == doctest::Approx(0.25));
                CHECK(std::abs(y) == doctest::Approx(0.25));
            }
            CHECK(moving > 0);
            const auto curves = facet<Measurable>(*lab).statistics().all<Curve>();
            const auto curve = std::find_if(curves.begin(), curves.end(),
                                            [](const Curve& one) { return one.name == "displacement around a T1"; });
            REQUIRE(curve != curves.end());
            // All four move by 1 lattice unit, the two that part outwards at 0°, the others inwards at 90°.
            CHECK(curve->y.front() * unit == doctest::Approx(2).epsilon(1e-5));
            CHECK(curve->x.front() == doctest::Approx(0.25));
        }
    });
}
