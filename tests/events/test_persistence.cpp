// Which changes of contacts count, against the states of every pair in every frame; and how flickers, reversals and
// undecided changes are listed.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "delaunay/runs.h"
#include "events/event_statistics.h"
#include "events/events_machine.h"
#include "events/inputs.h"

using namespace flipscope;

namespace {

using TrackFrames = std::vector<std::vector<std::pair<int64_t, Point>>>;
/// Comparison, whether it is a lost contact, and its ends: 1 counts, 0 a flicker, -1 undecided.
using Verdicts = std::map<std::array<int64_t, 4>, int>;

/// Four cells in a diamond within a ring of eight: 8 and 9 beside each other, 10 below 11. By frame half the distance
/// of 8 and 9; that of 10 and 11 is 8 less, so that the two whose number is lower than 8 touch.
TrackFrames quad(const std::vector<double>& half_widths) {
    TrackFrames frames;
    for (const double half : half_widths) {
        auto& frame = frames.emplace_back();
        int64_t id = 0;
        for (const int degrees : {12, 55, 99, 148, 190, 236, 281, 325})
            frame.push_back({id++, {22 * std::cos(degrees / 57.29578), 22 * std::sin(degrees / 57.29578)}});
        for (const Point p : {Point{-half, 0}, {half, 0}, {0, half - 16}, {0, 16 - half}}) frame.push_back({id++, p});
    }
    return frames;
}

/// It flips back and forth, and rests in the first frames and the last ones.
TrackFrames trembling_quad(size_t count, size_t still) {
    std::mt19937 random(3);
    std::vector<double> half(count, 7.9);
    for (size_t t = 12; t + still < count; ++t) half[t] = random() % 2 ? 7.9 : 8.1;
    return quad(half);
}

TrackFrames random_walks(uint32_t seed, size_t count, double step) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(0, 100), motion(-step, step);
    std::vector<Point> places(24);
    for (Point& p : places) p = {place(random), place(random)};
    TrackFrames frames(count);
    for (auto& frame : frames)
        for (size_t i = 0; i < places.size(); ++i) {
            places[i] = {places[i].x + motion(random), places[i].y + motion(random)};
            frame.push_back({int64_t(i), places[i]});
        }
    return frames;
}

std::array<int64_t, 2> ordered_ids(int64_t a, int64_t b) { return {std::min(a, b), std::max(a, b)}; }

/// By the definition: from the links and places of every frame, without a look at any event.
Verdicts plain_verdicts(Context& context, const Input& input, const Settings& settings, const PersistenceRules& rules) {
    std::map<std::array<int64_t, 2>, std::vector<std::pair<bool, double>>> history;  // linked, length
    auto lab = started(context, input, "events", settings);
    while (!lab->done()) {
        if (lab->step().ended < Level::kRound) continue;
        const auto names = values_of<int64_t>(*lab, "names");
        const auto sites = values_of<Point>(*lab, "sites");
        const auto links = values_of<uint32_t>(*lab, "links");
        const Result::OnLattice lattice = *lab->result().lattice;
        const double mean = std::sqrt(double(lattice.width) * lattice.height / double(sites.size()));
        std::set<std::array<int64_t, 2>> linked;
        for (size_t i = 0; i < links.size(); i += 2) linked.insert(ordered_ids(names[links[i]], names[links[i + 1]]));
        for (size_t a = 0; a < names.size(); ++a)
            for (size_t b = a + 1; b < names.size(); ++b) {
                const Point p = lattice.units.on_lattice(sites[a]), q = lattice.units.on_lattice(sites[b]);
                const auto pair = ordered_ids(names[a], names[b]);
                history[pair].push_back({linked.count(pair) > 0, std::hypot(p.x - q.x, p.y - q.y) / mean});
            }
    }
    Verdicts verdicts;
    for (const auto& [pair, states] : history) {
        bool settled = states.front().first, known = false;
        size_t since = 0;
        for (size_t t = 1, end = 1; t < states.size(); t = end) {
            while (end < states.size() && states[end].first == states[t].first) ++end;
            if (t == end || states[t].first == states[t - 1].first) continue;
            const bool lost = !states[t].first;
            known = known || t - since >= size_t(rules.comparisons);
            since = t;
            bool passes = false;
            for (size_t k = t; k < end; ++k) {
                const double threshold = lost ? rules.lost_beyond : rules.created_within;
                passes = passes || std::isnan(threshold) ||
                         (lost ? states[k].second > threshold : states[k].second < threshold);
            }
            int& verdict = verdicts[{int64_t(t), lost, pair[0], pair[1]}];
            if (states[t].first == settled)
                verdict = 0;  // back to where it was
            else if (end - t >= size_t(rules.comparisons) && passes)
                verdict = known ? 1 : -1, known = true, settled = states[t].first;
            else
                verdict = end == states.size() ? -1 : 0;
        }
    }
    return verdicts;
}

Verdicts listed_verdicts(const Lab& lab) {
    const auto events = values_of<double>(lab, "events");
    const Table table = facet<TableExporter>(lab).table("changes");
    Verdicts verdicts;
    for (size_t i = 0; i < table.row_count; ++i) {
        const Table::Row row = table.row(i);
        const auto event = static_cast<size_t>(row.cells[0].number());
        const auto pair = ordered_ids(int64_t(row.cells[3].number()), int64_t(row.cells[4].number()));
        verdicts[{int64_t(events[5 * event + 1]), int64_t(row.cells[2].number()), pair[0], pair[1]}] =
            row.cells.back().empty() ? -1 : int(row.cells.back().number());
    }
    return verdicts;
}

std::string text_of_events(const Lab& lab) {
    std::string text;
    for (const Detection& one : facet<Detector>(lab).detections(0)) {
        text += one.kind + " " + std::to_string(one.round) + " " + std::to_string(one.place.x) + " ";
        for (const auto& pair : one.lost_contacts)
            text += "-" + std::to_string(pair[0]) + "," + std::to_string(pair[1]);
        for (const auto& pair : one.created_contacts)
            text += "+" + std::to_string(pair[0]) + "," + std::to_string(pair[1]);
        text += " " + std::to_string(one.measures.at(0)) + "\n";
    }
    return text;
}

std::vector<std::string> text_of_tables(const Lab& lab) {
    std::vector<std::string> tables;
    for (const ArrayInfo& info : facet<TableExporter>(lab).tables()) {
        if (info.name == "tracks") continue;
        const Table table = facet<TableExporter>(lab).table(info.name);
        std::string& text = tables.emplace_back();
        for (size_t i = 0; i < table.row_count; ++i)
            for (const Value& value : table.row(i).cells) text += text_of(value) + ";";
    }
    return tables;
}

std::map<std::string, size_t> kinds_of(const Lab& lab) {
    std::map<std::string, size_t> kinds;
    for (const Detection& one : facet<Detector>(lab).detections(0)) ++kinds[one.kind];
    return kinds;
}

}  // namespace

TEST_CASE("persistence: a quad that trembles at the threshold gives pairs of T1s, and none of them lasts") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = tracks(trembling_quad(60, 12));
    const auto raw = finished(context, input, "events");
    const double found = number_of(*raw, "T1 events");
    REQUIRE(found >= 10);
    CHECK(std::fmod(found, 2) == 0);
    CHECK(number_of(*raw, "reversals") == found / 2);
    // Each partner is named once, and is the T1 before with the contacts exchanged.
    const auto all = facet<Detector>(*raw).detections(0);
    std::set<double> partners;
    for (const Detection& one : all)
        if (!std::isnan(one.measures.at(0))) {
            CHECK(partners.insert(one.measures[0]).second);
            const Detection& before = all.at(size_t(one.measures[0]));
            CHECK(before.round < one.round);
            CHECK(before.lost_contacts == one.created_contacts);
            CHECK(before.created_contacts == one.lost_contacts);
        }
    const auto lasting = finished(context, input, "events", {"persistence=10"});
    CHECK(number_of(*lasting, "T1 events") == 0);
    CHECK(number_of(*lasting, "flickers") == found);
    CHECK(number_of(*lasting, "undecided events") == 0);
    CHECK(number_of(*lasting, "lost contacts") == number_of(*raw, "lost contacts"));
    CHECK(number_of(*lasting, "lost contacts that count") == 0);
    CHECK(kinds_of(*lasting) == std::map<std::string, size_t>{{"flicker", size_t(found)}});
    CHECK(values_of<double>(*lasting, "events").at(2) == 11);
    CHECK(lasting->state_hash() == raw->state_hash());
    check_passes(*lasting);
    // A run that ends in the middle of it leaves something undecided.
    const auto cut = finished(context, tracks(trembling_quad(48, 0)), "events", {"persistence=40"});
    CHECK(number_of(*cut, "T1 events") == 0);
    CHECK(number_of(*cut, "undecided events") <= 1);
    CHECK(number_of(*cut, "undecided events") + number_of(*cut, "flickers") ==
          double(kinds_of(*cut)["flicker"] + kinds_of(*cut)["undecided"]));
}

TEST_CASE("persistence: a quad near its threshold never passes a hysteresis of lengths, and a T1 that goes on does") {
    Context context(DeviceRequest::kCpu, 2);
    // The mean distance in the units of the tracks.
    const Result::OnLattice lattice = *finished(context, tracks(quad({7, 7})), "events")->result().lattice;
    const double mean = std::sqrt(double(lattice.width) * lattice.height / 12) * lattice.units.unit.x;
    const Settings hysteresis{"lost_beyond=" + std::to_string(18 / mean),
                              "created_within=" + std::to_string(14 / mean)};
    const auto trembling = finished(context, tracks(trembling_quad(60, 12)), "events", hysteresis);
    CHECK(number_of(*trembling, "T1 events") == 0);
    CHECK(number_of(*trembling, "flickers") > 0);
    check_passes(*trembling);
    for (const double end : {8.9, 9.1}) {  // 8 and 9 part to 17.8, or to 18.2
        const auto lab = finished(context, tracks(quad({7, 7.5, 8.5, 8.8, end, 8.8})), "events", hysteresis);
        const auto all = facet<Detector>(*lab).detections(0);
        REQUIRE(all.size() >= 1);
        CHECK(number_of(*lab, "T1 events") == (end > 9));
        if (end > 9) {
            CHECK(all[0].round == 2);  // when it began, not when it passed
            CHECK(all[0].vertices == std::vector<int64_t>{8, 9, 10, 11});
        }
    }
}

TEST_CASE("persistence: verdicts are those of the states of every pair over time, for persistence and for lengths") {
    Context context(DeviceRequest::kCpu, 1);
    size_t counted = 0, flickers = 0, undecided = 0;
    for (uint32_t seed = 1; seed <= case_count(4); ++seed)
        for (const PersistenceRules& rules :
             {PersistenceRules{1, NAN, NAN}, PersistenceRules{2, NAN, NAN}, PersistenceRules{5, NAN, NAN},
              PersistenceRules{1, 1.5, 1.4}, PersistenceRules{3, 1.7, NAN}, PersistenceRules{2, NAN, 1.2}}) {
            INFO("seed ", seed, ", persistence ", rules.comparisons, ", ", rules.lost_beyond, ", ",
                 rules.created_within);
            const Input input = tracks(random_walks(seed, 25, 1.5));
            Settings settings{"persistence=" + std::to_string(rules.comparisons)};
            if (!std::isnan(rules.lost_beyond)) settings.push_back("lost_beyond=" + std::to_string(rules.lost_beyond));
            if (!std::isnan(rules.created_within))
                settings.push_back("created_within=" + std::to_string(rules.created_within));
            const Verdicts expected = plain_verdicts(context, input, settings, rules);
            const auto lab = finished(context, input, "events", settings);
            CHECK(listed_verdicts(*lab) == expected);
            for (const auto& [change, verdict] : expected) ++(verdict > 0 ? counted : verdict ? undecided : flickers);
            check_passes(*lab);
        }
    CHECK(counted > 0);
    CHECK(flickers > 0);
    CHECK(undecided > 0);
}

TEST_CASE("persistence: a run too short for any event to count says so, and the unit of a count says what counts") {
    Context context(DeviceRequest::kCpu, 1);
    const auto flip = [](size_t before, size_t after) {
        std::vector<double> half(before, 7.0);
        half.resize(before + after, 9.0);
        return tracks(quad(half));
    };
    const auto unit = [](const Lab& lab) { return lab.result().numbers.find("T1 events")->value.unit; };
    // 5 comparisons are the fewest in which a change lasts 3 and so does the state before it.
    const auto enough = finished(context, flip(3, 3), "events", {"persistence=3"});
    CHECK(number_of(*enough, "T1 events") == 1);
    CHECK(unit(*enough) == "so far, that last 3 comparisons or more");
    CHECK(unit(*finished(context, flip(3, 3), "events")) == "so far");
    CHECK(unit(*finished(context, flip(3, 3), "events", {"lost_beyond=1"})) == "so far, that count");
    CHECK_FALSE(has(messages_of(context, flip(3, 3), {"persistence=3"}), "No event can count"));
    for (const Input& input : {flip(3, 2), flip(2, 3)}) {
        CHECK(number_of(*finished(context, input, "events", {"persistence=3"}), "T1 events") == 0);
        CHECK(has(messages_of(context, input, {"persistence=3"}),
                  "No event can count: persistence=3 needs 5 comparisons, and there are 4."));
    }
}

TEST_CASE("persistence: a contact whose cell vanishes within the time has not lasted") {
    Context context(DeviceRequest::kCpu, 1);
    const TrackFrames frames = quad({7, 7, 7, 7, 7, 9, 9, 9, 9, 9, 9, 9});
    CHECK(number_of(*finished(context, tracks(frames), "events", {"persistence=4"}), "T1 events") == 1);
    for (const size_t first : {6, 8, 9}) {  // cell 8 is missing in frames from here on
        TrackFrames gaps = frames;
        for (size_t t = first; t < gaps.size(); ++t) gaps[t].erase(gaps[t].begin() + 8);
        const auto lab = finished(context, tracks(gaps), "events", {"persistence=4"});
        const bool lasts = first >= 9;                                // in frames 5, 6, 7 and 8
        CHECK(number_of(*lab, "lost contacts that count") == lasts);  // of 8 and 9
        CHECK(number_of(*lab, "created contacts that count") >= 1);   // of 10 and 11
        const auto all = facet<Detector>(*lab).detections(0);
        const auto flicker = std::find_if(all.begin(), all.end(),
                                          [](const Detection& one) { return one.kind == "flicker" && one.round == 5; });
        CHECK((flicker != all.end()) == !lasts);
    }
}

TEST_CASE("persistence: what is listed never changes, and is the same stepped, finished and scrubbed on every device") {
    const Settings small{"width=96", "height=64", "count=40", "comparisons=14", "interval=40", "displacement_reach=3"};
    for (const Settings& one :
         {Settings{"source=shear", "persistence=3"}, Settings{"source=particles", "interval=10", "persistence=4"},
          Settings{"source=particles", "interval=10", "lost_beyond=1.5", "created_within=1.2"}}) {
        const Settings settings = with(small, one);
        std::string expected;
        std::vector<std::string> expected_tables;
        on_every_device([&](Context& context) {
            INFO(one[0], " ", one.back());
            const auto at_once = finished(context, nothing(), "events", settings);
            const std::string all = text_of_events(*at_once);
            const std::vector<std::string> tables = text_of_tables(*at_once);
            if (expected.empty()) expected = all, expected_tables = tables;
            CHECK(all == expected);
            CHECK(tables == expected_tables);
            // Saved half way, and finished by another lab.
            const auto half = started(context, nothing(), "events", settings);
            while (half->step().round < 8) {
            }
            const auto other = started(context, nothing(), "events", settings);
            while (half->next_pass() != EventsMachine::kAdvance) half->step();
            other->load(half->save());
            CHECK(text_of_events(*other) == text_of_events(*half));
            other->finish({});
            CHECK(text_of_events(*other) == expected);
            CHECK(text_of_tables(*other) == expected_tables);
            StartedTimeline timeline(context, nothing(), "events", settings);
            std::vector<std::string> by_round;
            std::vector<uint64_t> positions;
            do {
                const std::string listed = text_of_events(timeline.lab());
                if (!by_round.empty()) CHECK(listed.compare(0, by_round.back().size(), by_round.back()) == 0);
                by_round.push_back(listed);
                positions.push_back(timeline.position());
            } while (timeline.step_level(Level::kRound));
            CHECK(by_round.back() == expected);
            CHECK(timeline.lab().state_hash() == at_once->state_hash());
            std::mt19937 random(1);
            for (int k = 0; k < 8; ++k) {
                const size_t at = random() % positions.size();
                timeline.seek(positions[at]);
                CHECK(text_of_events(timeline.lab()) == by_round[at]);
                if (at == 0) continue;
                // The window shows an event in its comparison, where it is not listed yet.
                const double compared = number_of(timeline.lab(), "comparisons");
                const std::vector<Detection> found = facet<Detector>(*at_once).detections(0);
                for (size_t i = 0; i < found.size(); ++i) {
                    const bool has_happened = double(found[i].round) <= compared;
                    CHECK(facet<Detector>(timeline.lab()).can_report_detection(i) == has_happened);
                    const bool has_diagram =
                        !facet<Detector>(timeline.lab()).report_of_detection(i).all<Diagram>().empty();
                    CHECK(has_diagram == has_happened);
                }
            }
        });
        CHECK(!expected.empty());
    }
}
