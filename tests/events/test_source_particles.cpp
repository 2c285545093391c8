// Particles as a source of the Events lab: rows of neighbours from the triangulation on the torus, events as the set
// difference of two triangulations made by other means, one constructed T1, and runs that repeat to the bit.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>
#include <stdexcept>

#include "delaunay/runs.h"
#include "events/comparisons.h"
#include "events/detection/events_chain.h"
#include "events/events_machine.h"
#include "events/inputs.h"
#include "events/sources/source_parts.h"
#include "geometry/generators.h"
#include "labs/events/source_words.h"
#include "particles/dynamics.h"
#include "particles/particle_source.h"

using namespace flipscope;

namespace {

/// The lattice has one pixel to a world unit, so that both have the same coordinates.
SourceParameters pixels(int side) {
    SourceParameters parameters{.kind = SourceParameters::kParticles};
    parameters.width = parameters.height = side;
    return parameters;
}

std::vector<Point> random_places(size_t count, double side, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Point> places(count);
    for (Point& p : places) p = {side * double(random()) / 0x1p32, side * double(random()) / 0x1p32};
    return places;
}

/// They swim, and are pushed apart where they overlap.
ParticleModel swimmers(double speed, double dt) {
    ParticleModel model = named_model("abp-dense");
    model.speed = speed;
    model.dt = dt;
    return model;
}

std::unique_ptr<Source> source_of(Context& context, const SourceParameters& parameters, const ParticleModel& model,
                                  const std::vector<Point>& places, double side) {
    return make_particle_source(context, parameters, model, make_start(model, places, {side, side}, "test"), "test");
}

PairSet links_of(const AdjacencyView& graph) {
    PairSet links;
    for (uint32_t a = 0; a < graph.count; ++a)
        for (uint32_t e = graph.starts[a]; e < graph.starts[a + 1]; ++e)
            if (a < graph.neighbours[e]) links.insert({a, graph.neighbours[e]});
    return links;
}

/// In host memory, of CPU threads.
PairSet links_of(Context& context, Source& source) { return links_of(source.graph(context).view()); }

PairSet triangulated_by_copies(Context& context, Source& source) {
    const View<const Point> sites = source.sites();
    Still still{{sites.data, sites.data + sites.count}, {}};
    still.take_delaunay(context, source.lattice());
    return still.links;
}

/// Two frames of a source, through the kernels of the lab.
struct Watched {
    Watched(Context& context, Source& source) : context_(context), source_(source) {
        chain_.reset(context, {}, source, false);
        for (LinkedFrame& frame : frames) frame.reset(context, source.lattice());
        detector.reset(context, source.lattice(), source.graph_is_closed());
        take();
    }
    void advance(uint32_t steps) {
        source_.advance(context_, steps);
        current_ = 1 - current_;
        take();
        const LinkedFrame &past = frames[1 - current_], &now = frames[current_];
        matching.match_names(context_, past, now);
        matching.pass_on_names(context_, past, frames[current_], 0);
        detector.compare(context_, past, now, matching);
        counts = detector.read();
        if (counts.triggered()) detector.extract(context_, past, now, matching, counts);
        // There is no boundary.
        ChangeDetector open;
        open.reset(context_, source_.lattice());
        open.compare(context_, past, now, matching);
        if (open.read().triggered()) open.extract(context_, past, now, matching, counts);
        const std::shared_ptr<const FoundLinks> found = detector.found(), same = open.found();
        REQUIRE(found->links().size() == same->links().size());
        for (size_t i = 0; i < found->links().size(); ++i) {
            CHECK(found->links()[i].kinds == same->links()[i].kinds);
            CHECK(found->links()[i].triangles == 2);
        }
    }
    PairSet listed(bool lost) const {
        PairSet set;
        for (const ChangedLink& link : detector.found()->links())
            if (bool(link.lost) == lost) CHECK(set.insert(ordered(link.now[0], link.now[1])).second);
        return set;
    }

    LinkedFrame frames[2];
    Matching matching;
    ChangeDetector detector;
    ComparisonCounts counts;

  private:
    void take() {
        chain_.edges(source_);
        chain_.give(source_, frames[current_]);
        if (first_) {
            std::vector<uint32_t> names(frames[0].room());
            for (uint32_t i = 0; i < names.size(); ++i) names[i] = i;
            frames[0].names().upload(context_, names.data(), names.size());
        }
        first_ = false;
    }
    Context& context_;
    Source& source_;
    EventsChain chain_;
    uint32_t current_ = 0;
    bool first_ = true;
};

PairSet without(const PairSet& from, const PairSet& other) {
    PairSet rest;
    std::set_difference(from.begin(), from.end(), other.begin(), other.end(), std::inserter(rest, rest.end()));
    return rest;
}

const Settings kParticles{"source=particles", "width=96", "height=64", "count=60", "comparisons=5", "interval=7"};

}  // namespace

TEST_CASE("contact rows: each neighbour once, none its own, rows symmetric and those of the triangulation") {
    std::vector<std::pair<std::string, std::vector<Point>>> sets{
        {"none", {}}, {"one", {{3, 5}}}, {"two", {{3, 5}, {4, 5.5}}}, {"three", {{3, 5}, {4, 5.5}, {11, 2}}}};
    std::vector<Point> line, lattice, cluster = random_places(900, 0.5, 5);
    for (int i = 0; i < 17; ++i) line.push_back({2 + 0.5 * i, 7});
    for (int i = 0; i < 64; ++i) lattice.push_back({2.0 * (i % 8), 2.0 * (i / 8)});
    cluster.push_back({9, 9});  // it alone closes the torus: neighbours come by several images
    sets.push_back({"line", line});
    sets.push_back({"lattice", lattice});
    sets.push_back({"cluster", cluster});
    for (unsigned seed = 0; seed < 20; ++seed)
        sets.push_back({"random " + std::to_string(seed), random_places(4 + 40 * (seed % 7), 16, seed)});
    for (const auto& [name, places] : sets) {
        std::vector<uint32_t> expected_starts, expected;
        INFO(name);
        on_every_device([&](Context& context) {
            ParticleModel crowd = swimmers(1, 0.01);
            crowd.overlaps = false;  // there are more than discs of that size would have room for
            const auto source = source_of(context, pixels(16), crowd, places, 16);
            const Adjacency& graph = source->graph(context);
            REQUIRE(graph.count == places.size());
            const CheckReport report = source->check_graph();
            CHECK_MESSAGE(report.passed, report.sentence);
            std::vector<uint32_t> starts = graph.starts.download();
            std::vector<uint32_t> rows = graph.neighbours.download();
            rows.resize(starts.back());
            std::set<Pair> entries;
            for (uint32_t a = 0; a < graph.count; ++a)
                for (uint32_t e = starts[a]; e < starts[a + 1]; ++e) {
                    CHECK(rows[e] != a);
                    if (e > starts[a]) CHECK(rows[e - 1] < rows[e]);
                    entries.insert({a, rows[e]});
                }
            for (const Pair& entry : entries) CHECK(entries.count({entry[1], entry[0]}) == 1);
            if (places.size() > 1) CHECK(rows.size() >= places.size());
            if (expected_starts.empty()) expected_starts = starts, expected = rows;
            CHECK(starts == expected_starts);
            CHECK(rows == expected);
        });
    }
}

TEST_CASE("particles as a source: events are the difference of two triangulations made by copies of the box") {
    Context context(DeviceRequest::kCpu, 2);
    const ParticleModel model = swimmers(2, 0.01);
    size_t changed = 0;
    for (unsigned seed = 0; seed < case_count(4); ++seed) {
        const auto source = source_of(context, pixels(32), model, random_places(300, 32, seed), 32);
        Watched watched(context, *source);
        PairSet before = triangulated_by_copies(context, *source);
        CHECK(links_of(context, *source) == before);
        for (int round = 0; round < 4; ++round) {
            watched.advance(5);
            const PairSet now = triangulated_by_copies(context, *source);
            CHECK(links_of(context, *source) == now);
            CHECK(watched.counts.now_links == now.size());
            CHECK(watched.counts.matched == 300);
            if (watched.counts.triggered()) {
                CHECK(watched.listed(true) == without(before, now));
                CHECK(watched.listed(false) == without(now, before));
            }
            CHECK(watched.counts.lost == without(before, now).size());
            changed += watched.counts.lost;
            before = now;
        }
    }
    CHECK(changed > 100);
}

TEST_CASE("particles as a source: in a rectangle or a channel they lie on its lattice, linked as copies are") {
    Context context(DeviceRequest::kCpu, 2);
    for (const PeriodicAxes periodic : {PeriodicAxes(true), PeriodicAxes(true, false), PeriodicAxes(false, true)}) {
        CAPTURE(periodic);
        SourceParameters parameters = pixels(200);
        parameters.count = 150;
        parameters.box = {30, 10};
        parameters.periodic = periodic;
        const auto source = make_particle_source(context, parameters);
        const Lattice lattice = source->lattice();
        CHECK(lattice.periodic == periodic);
        CHECK(double(lattice.width) / lattice.height == doctest::Approx(3).epsilon(0.01));
        CHECK(source->graph_is_closed() == periodic.both());
        if (periodic.both()) {
            REQUIRE(source->units());
            CHECK(source->units()->unit.x * lattice.width == doctest::Approx(30));
            CHECK(source->units()->unit.y * lattice.height == doctest::Approx(10));
        }
        for (int frame = 0; frame < 3; ++frame) {
            source->advance(context, 20);
            const View<const Point> sites = source->sites();
            for (uint32_t i = 0; i < sites.count; ++i) {
                if (!periodic.x) CHECK((sites[i].x > -0.5 && sites[i].x < lattice.width - 0.5));
                if (!periodic.y) CHECK((sites[i].y > -0.5 && sites[i].y < lattice.height - 0.5));
            }
            const CheckReport report = source->check_graph();
            CHECK_MESSAGE(report.passed, report.sentence);
            const PairSet links = links_of(context, *source);
            if (periodic.both())
                CHECK(links.size() == 450);
            else
                CHECK(links == triangulated_by_copies(context, *source));
        }
    }
    SourceParameters open = pixels(200);
    open.periodic = false;
    CHECK_THROWS_WITH_AS(make_particle_source(context, open), doctest::Contains("borders=periodic_x"), Error);
}

TEST_CASE("events lab: one to three particles are watched like many, and the force reaches half the box at most") {
    Context context(DeviceRequest::kCpu, 2);
    for (const int count : {1, 2, 3, 5}) {
        INFO(count);
        const auto lab = finished(
            context, nothing(), "events",
            with(kParticles, {"config=c4", "count=" + std::to_string(count), "contact_distance=any", "comparisons=3"}));
        CHECK(lab->result().points == size_t(count));
        CHECK(lab->result().edges == size_t(count) * (size_t(count) - 1) / 2);
        CHECK(facet<Detector>(*lab).detection_count() == 0);
        check_passes(*lab);
    }
    SourceParameters parameters = pixels(20);
    parameters.config = 0;
    parameters.density = 0.5;
    parameters.count = 4;
    const auto source = make_particle_source(context, parameters);
    REQUIRE(source->notes().size() == 1);
    CHECK(contains(sentence_of(source->notes()[0], source->lattice()), "half the box, instead of 2.5"));
    CHECK_THROWS_AS(make_source(context, parameters, nullptr), std::logic_error);
}

TEST_CASE("events lab: particles leave it in their own units, with their own names, and all stay") {
    Context context(DeviceRequest::kCpu, 2);
    auto lab =
        started(context, nothing(), "events", with(kParticles, {"count=200", "interval=50", "swimming_speed=3"}));
    int64_t changed = 0, events = 0;
    while (!lab->done()) {
        const StepResult result = lab->step();
        if (result.ended < Level::kRound || result.round == 0) continue;
        CHECK(result.counters[EventsMachine::kVanished] == kNotCounted);
        changed += result.counters[EventsMachine::kLostContacts];
        events += result.counters[EventsMachine::kT1Events];
    }
    CHECK(changed > 0);
    CHECK(events > 0);
    const Result result = lab->result();
    CHECK(result.edges == 600);
    REQUIRE(result.lattice);
    CHECK(result.lattice->width == 78);  // of 96 · 64 pixels, a square
    CHECK(result.lattice->height == 78);
    CHECK(result.lattice->periodic.both());
    const double side = std::sqrt(200 * std::numbers::pi / 4 / 0.7);
    const auto sites = values_of<Point>(*lab, "sites");
    const auto names = values_of<int64_t>(*lab, "names");
    REQUIRE(sites.size() == 200);
    for (size_t i = 0; i < 200; ++i) {
        CHECK((sites[i].x >= 0 && sites[i].x <= side && sites[i].y >= 0 && sites[i].y <= side));
        CHECK(names.at(i) == int64_t(i));
    }
    for (const Detection& detection : facet<Detector>(*lab).detections(0)) REQUIRE(detection.given);
    CHECK(lab->scene().count_of(ElementKind::kEdge) >= 600);
    lab = started(context, make_input("points", {{0, 0}, {1, 0}, {0, 1}}), "events", kParticles);
    CHECK(contains(lab->step().message.text(), "The points are not used"));
    CHECK(lab->result().points == 60);
}

TEST_CASE("particles as a source: the run ends where discs may have passed through each other") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, make_input("nothing", {}), "events",
                             {"source=particles", "config=abp-dense", "swimming_speed=50", "comparisons=5"});
    uint64_t rounds = 0;
    while (!lab->done()) rounds = lab->step().round;
    CHECK(rounds < 5);
    CHECK(contains(lab->result().trouble, "discs may have passed through each other"));
}

TEST_CASE("events of particles: spread radii, soft repulsion, time step and shear of the parameters reach the source") {
    Context context(DeviceRequest::kCpu, 2);
    SourceParameters parameters = pixels(64);
    parameters.config = 6;
    parameters.count = 80;
    parameters.box = {16, 12};
    parameters.periodic = {true, false};
    parameters.particle_dt = 0.002;
    parameters.particle_spread = 0.4;
    parameters.particle_repulsion = int(RepulsionKind::kHarmonic);
    parameters.particle_strength = 5;
    parameters.particle_shear_rate = 0.3;
    ParticleModel model = named_model("abp-dilute");
    model.count = 80;
    model.dt = 0.002;
    model.spread = 0.4;
    model.repulsion = RepulsionKind::kHarmonic;
    model.repulsion_strength = 5;
    model.shear_rate = 0.3;
    model.overlaps = false;
    ParticleDynamics particles;
    particles.reset(context, model, make_start(model, {16, 12}, OpenAxis::kY));
    const auto source = make_particle_source(context, parameters);
    source->advance(context, 3);
    for (int step = 0; step < 3; ++step) particles.finish_round();
    CHECK(source->hash() == hash_words({3, particles.state_hash()}));
}
