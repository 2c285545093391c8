// Constructions called directly, without a lab around them: what they count, report, refuse and remember.
#include "delaunay/constructions/construction.h"

#include <cstring>
#include <set>

#include "delaunay/constructions/flipping.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/serial.h"
#include "delaunay/constructions/strips.h"
#include "delaunay/constructions/subdivision.h"
#include "delaunay/engines.h"
#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"

using namespace flipscope;

namespace {

template <class Engine, class Options>
void check_most_points(Context& context, const Options& options) {
    constexpr size_t kMost = kMostTriangles / 2 - 8;
    const Point one{1, 2};  // reset() reads no point
    Engine engine;
    engine.reset(context, generated("uniform:20"), options);
    engine.step();
    const uint64_t state = engine.state_hash();
    CHECK(error_of([&] {
              engine.reset(context, InputPoints({&one, kMost + 1}, "many"), options);
          }) == "many: 357913934 points are too many; at most 357913933 can be triangulated");
    CHECK(engine.state_hash() == state);
    CHECK_NOTHROW(engine.reset(context, InputPoints({&one, kMost}, "many"), options));
}

}  // namespace

TEST_CASE("constructions: more points than can be triangulated are refused, and change nothing") {
    Context context(DeviceRequest::kCpu, 1);
    check_most_points<Insertion>(context, InsertionOptions{});
    check_most_points<Strips>(context, StripsOptions{});
    check_most_points<Subdivision>(context, SubdivisionOptions{});
}

TEST_CASE("constructions: the state of points on a line depends on the order of the input") {
    Context context(DeviceRequest::kCpu, 1);
    for (const std::vector<Point>& points : {std::vector<Point>{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}, {3, 3}}}) {
        const Input input = make_input("in order", points);
        const Input reversed = make_input("reversed", {points.rbegin(), points.rend()});
        CHECK(run_engine<Insertion>(context, input, InsertionOptions{}).state !=
              run_engine<Insertion>(context, reversed, InsertionOptions{}).state);
    }
}

TEST_CASE("constructions: before the first pass no point waits, no round has begun, and the last input is forgotten") {
    Context context(DeviceRequest::kCpu, 1);
    const auto check = [&](auto engine, const auto& options) {
        for (const bool records_states : {true, false, true}) {
            engine.set_records_states(records_states);
            engine.reset(context, generated("uniform:50"), options);
            CHECK(engine.waiting_count() == 0);
            CHECK(engine.round() == 0);
            CHECK(engine.progress() == 0);
            CHECK(engine.distinct() == 0);
            CHECK(engine.mesh().triangle_count == 0);
            engine.finish({});
            CHECK(engine.waiting_count() == 0);
            CHECK(engine.round() > 0);
            CHECK(engine.progress() > 0);
            CHECK(engine.distinct() == 50);
            CHECK(engine.mesh().records_states() == records_states);
        }
    };
    check(Insertion(), InsertionOptions{});
    check(Strips(), StripsOptions{});
    check(Subdivision(), SubdivisionOptions{});
    check(SerialInsertion(), SerialOptions{});
}

TEST_CASE("constructions: a soup has the indices of points, whatever their names") {
    Context context(DeviceRequest::kCpu, 1);
    for (const char* text : {"uniform:40", "line:5", "uniform:0"}) {
        CAPTURE(text);
        const Input input = generated(text);
        std::vector<uint32_t> names;
        for (uint32_t i = 0; i < input->points.size(); ++i) names.push_back(7 * i + 3);
        Insertion plain, named;
        plain.reset(context, input, {});
        plain.finish({});
        named.reset(context, input, {});
        named.name_points(names);
        named.finish({});
        CHECK(named.soup().triangles == plain.soup().triangles);
        CHECK(named.soup().path == plain.soup().path);
        std::vector<uint32_t> inputs = named.mesh().inputs.download(named.distinct());
        std::sort(inputs.begin(), inputs.end());
        CHECK(inputs == names);
    }
}

TEST_CASE("strips: known bounds are those of one input") {
    Context context(DeviceRequest::kCpu, 1);
    const Input first = generated("uniform:500"), second = generated("uniform:500@x=-1000,y=-1000");
    Strips strips;
    strips.reset(context, first, {});
    strips.set_bounds(bounds_of(first->points));
    strips.finish({});
    CHECK(outcome_of(context, strips) == run_engine<Strips>(context, first, StripsOptions{}));
    strips.reset(context, second, {});
    strips.finish({});
    CHECK(outcome_of(context, strips) == run_engine<Strips>(context, second, StripsOptions{}));
    CHECK(strips.bounds().low.x == bounds_of(second->points).low.x);
}

TEST_CASE("strips: points wait until the chains are joined") {
    Context context(DeviceRequest::kCpu, 1);
    for (const char* text : {"uniform:50", "line:9", "uniform:2", "uniform:0"}) {
        CAPTURE(text);
        Strips strips;
        strips.reset(context, generated(text), {});
        while (!strips.done()) {
            CHECK(strips.waiting_count() == (strips.joined() ? 0 : strips.distinct()));
            strips.step();
        }
        CHECK(strips.waiting_count() == 0);
    }
}

TEST_CASE("strips: finish() counts what stepping counts, and marks of the zip end with it") {
    Context context(DeviceRequest::kCpu, 1);
    for (const char* text : {"uniform:700", "grid:100", "uniform:3", "line:9"}) {
        CAPTURE(text);
        std::vector<std::vector<int64_t>> stepped, finished;
        Strips strips;
        strips.reset(context, generated(text), {});
        run_rounds(
            std::vector<int64_t>(Strips::kCounters, 0), {},
            [&](const PassResult& round) { stepped.push_back(round.counters); }, [&] { return !strips.done(); },
            [&] {
                const PassResult result = strips.step();
                if (result.pass != Strips::kLegalise) return result;
                for (const State state : strips.mesh().edge_states.download()) {
                    CHECK(bool(state) == bool(state & kStateFlipped));
                    CHECK_FALSE(bool(state & (kStateFresh | kStateChosen)));
                }
                return result;
            });
        strips.reset(context, generated(text), {});
        strips.finish([&](const PassResult& round) { finished.push_back(round.counters); });
        CHECK(finished == stepped);
    }
}

TEST_CASE("subdivision: cells are judged between the passes solve and split") {
    Context context(DeviceRequest::kCpu, 1);
    Subdivision made;
    const Input input = generated("uniform:300");
    for (const bool again : {false, true}) {
        made.reset(context, input, {});
        CAPTURE(again);
        while (!made.done()) {
            CHECK(made.judged_count() == 0);
            const uint32_t cells = made.cell_count(), candidates = made.candidate_count();
            if (made.step().pass != Subdivision::kSolve) continue;
            CHECK(made.judged_count() == cells);
            CHECK(made.judged_candidates() == candidates);
            made.step();
        }
        CHECK(made.judged_count() == 0);
    }
}

TEST_CASE("subdivision: a cell stays while it has more candidates than a leaf and its splits do not multiply them") {
    Context context(DeviceRequest::kCpu, 1);
    std::vector<Point> row;
    for (int i = 0; i < 200; ++i) row.push_back({double(i), i % 7 * 0x1p-20});
    const Input input = make_input("a row", std::move(row));
    for (const uint32_t patience : {1u, 2u, 3u}) {
        CAPTURE(patience);
        Subdivision made;
        made.reset(context, input, {.patience = patience});
        uint32_t most_strain = 0;
        while (!made.done()) {
            const PassResult result = made.step();
            if (result.pass >= Subdivision::kOutside) continue;
            CHECK(result.counters[Subdivision::kCells] == made.cell_count());
            CHECK(result.counters[Subdivision::kCandidates] == made.candidate_count());
            if (result.pass != Subdivision::kSolve) continue;
            const CellsView cells = made.cells();
            for (uint32_t cell = 0; cell < made.cell_count(); ++cell) {
                CHECK(cells.count(cell) > made.options().leaf);
                CHECK(cells.cells[cell].strain < patience);
                most_strain = std::max(most_strain, cells.cells[cell].strain);
            }
        }
        CHECK(most_strain == patience - 1);
    }
}

TEST_CASE("subdivision: a snapshot with an index out of range is refused, and changes nothing") {
    Context context(DeviceRequest::kCpu, 1);
    Subdivision made;
    made.reset(context, generated("uniform:300"), {});
    while (made.next_pass() != Subdivision::kBroadcast || made.found() == 0) made.step();
    const Snapshot whole = made.save();
    const uint64_t state = made.state_hash();
    const uint32_t cells = made.cell_count();
    // The last blocks: triangles, cells, candidates, the cells of candidates, marks.
    const size_t end = whole.blocks.size();
    for (const auto& [block, limit] : {std::pair{end - 5, 300u}, {end - 3, 300u}, {end - 2, cells}}) {
        CAPTURE(block);
        Snapshot damaged = whole;
        for (const bool too_large : {true, false}) {
            const uint32_t index = too_large ? limit : limit - 1;
            REQUIRE(damaged.blocks[block].size() >= sizeof index);
            made.load(whole);
            std::memcpy(damaged.blocks[block].data(), &index, sizeof index);
            if (too_large) {
                CHECK_THROWS_AS(made.load(damaged), std::logic_error);
                CHECK(made.state_hash() == state);
            } else {
                CHECK_NOTHROW(made.load(damaged));
                CHECK(made.state_hash() != state);
            }
        }
    }
    made.load(whole);
    made.finish({});
    CHECK(outcome_of(context, made) ==
          run_engine<Subdivision>(context, generated("uniform:300"), SubdivisionOptions{}));
}

TEST_CASE("constructions: from a snapshot another one continues in the same way") {
    Context context(DeviceRequest::kCpu, 1);
    const auto check = [&]<class Engine>(Engine, const auto& options) {
        const Input input = generated("uniform:400");
        const EngineOutcome wanted = run_engine<Engine>(context, input, options);
        Engine made;
        made.reset(context, input, options);
        size_t saved = 0;
        while (!made.done()) {
            made.step();
            Snapshot snapshot;
            try {
                snapshot = made.save();
            } catch (const std::logic_error&) {
                continue;  // not between all passes
            }
            ++saved;
            for (const bool by_steps : {false, true}) {
                Engine other;
                other.reset(context, input, options);
                other.finish({});  // has ordered the points, and made room
                other.load(snapshot);
                CHECK(other.state_hash() == made.state_hash());
                if (by_steps)
                    while (!other.done()) other.step();
                else
                    other.finish({});
                CHECK(outcome_of(context, other) == wanted);
            }
        }
        CHECK(saved > 1);
    };
    check(Insertion(), InsertionOptions{.start = InsertionStart::kTriangle});
    check(Insertion(), InsertionOptions{.fewest_sampled = 3});
    check(Strips(), StripsOptions{.region = 21});
    check(Subdivision(), SubdivisionOptions{});
}

TEST_CASE("strips: after a claim the edges that hold both their triangles are those that flip") {
    Context context(DeviceRequest::kCpu, 1);
    const Input input = generated("clusters:400");
    Strips strips, other;
    strips.reset(context, input, {.region = 21});
    while (strips.next_pass() != Strips::kClaim) strips.step();
    other.reset(context, input, {.region = 21});
    other.finish({});
    other.load(strips.save());
    int64_t flips = 0;
    while (!other.done()) {
        if (other.step().pass != Strips::kClaim || other.done()) continue;
        const HostMesh mesh = download_mesh(other.mesh());
        const TriangleClaims claims = other.triangle_claims();
        int64_t granted = 0;
        for (uint32_t e = 0; e < mesh.edge_count(); ++e) {
            const uint32_t* const corners = &mesh.corner_of[2 * size_t(e)];
            granted += claims.holder(triangle_of(corners[0])) == e && claims.holder(triangle_of(corners[1])) == e;
        }
        CHECK(granted > 0);
        CHECK(other.step().counters[Strips::kGranted] == granted);
        flips += granted;
    }
    CHECK(flips > 0);
}

TEST_CASE("insertion: illegal edges are granted or deferred, and the granted ones flip") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion insertion;
    insertion.reset(context, generated("uniform:500"), {.start = InsertionStart::kTriangle});
    int64_t illegal = 0, deferred = 0;
    while (!insertion.done()) {
        const PassResult result = insertion.step();
        const bool flips =
            result.pass == Insertion::kClaim || result.pass == Insertion::kFlip || result.pass == Insertion::kRepair;
        CHECK(result.iteration == (flips ? insertion.iteration() : 0));
        if (result.pass == Insertion::kClaim) illegal = result.counters[Insertion::kIllegal];
        if (result.pass != Insertion::kFlip) continue;
        CHECK(result.counters[Insertion::kGranted] + result.counters[Insertion::kDeferred] == illegal);
        CHECK(result.counters[Insertion::kFlipped] == result.counters[Insertion::kGranted]);
        deferred += result.counters[Insertion::kDeferred];
    }
    CHECK(deferred > 0);
}

TEST_CASE("insertion: after every round the triangulation is Delaunay, by as many flip passes as finish() counts") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion stepped, finished;
    for (const InsertionStart start : {InsertionStart::kTriangle, InsertionStart::kSample}) {
        const InsertionOptions options{.start = start, .fewest_sampled = 100};
        stepped.reset(context, generated("clusters:400"), options);
        finished.reset(context, generated("clusters:400"), options);
        while (!stepped.done()) {
            if (stepped.step().ended < Level::kRound) continue;
            CHECK(check_mesh(context, stepped.mesh()).illegal_edges == 0);
            finished.finish({}, stepped.round());
            CHECK(finished.state_hash() == stepped.state_hash());
            CHECK(finished.iteration() == stepped.iteration());
        }
    }
}

TEST_CASE("constructions: between two inputs there is no mesh to download") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion insertion;
    insertion.reset(context, generated("uniform:40"), {});
    insertion.finish({});
    CHECK(download_mesh(insertion.mesh()).positions.size() == 41);
    insertion.reset(context, generated("uniform:10"), {});
    CHECK(download_mesh(insertion.mesh()).positions.empty());
}

TEST_CASE("insertion: a claim clears the marks of the last flips, and leaves those of the split") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion insertion;
    insertion.reset(context, generated("uniform:200"), {.start = InsertionStart::kTriangle});
    const auto marked = [&](State bits) {
        const std::vector<State> states = insertion.mesh().triangle_states.download(insertion.mesh().triangle_count);
        std::set<size_t> all;
        for (size_t t = 0; t < states.size(); ++t)
            if (states[t] & bits) all.insert(t);
        return all;
    };
    size_t flipped = 0, fresh = 0;
    while (!insertion.done()) {
        const std::set<size_t> before = marked(kStateFresh);
        const PassResult result = insertion.step();
        flipped += marked(kStateFlipped).size();
        if (result.pass != Insertion::kClaim) continue;
        CHECK(marked(kStateFlipped | kStateLocked).empty());
        CHECK(marked(kStateFresh) == before);
        fresh += before.size();
    }
    CHECK(flipped > 0);
    CHECK(fresh > 0);
}

TEST_CASE("insertion: of the points in a triangle the one nearest to its circumcentre is chosen") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion insertion;
    insertion.reset(context, generated("uniform:60"), {.start = InsertionStart::kTriangle});
    size_t choices = 0;
    while (!insertion.done()) {
        if (insertion.step().pass != Insertion::kVote) continue;
        const HostMesh mesh = download_mesh(insertion.mesh());
        const std::vector<State> states = insertion.mesh().vertex_states.download();
        const auto& at = mesh.positions;
        for (uint32_t t = 0; t < mesh.triangle_count(); ++t) {
            const uint32_t* const v = &mesh.triangles[3 * size_t(t)];
            const auto k = static_cast<uint32_t>(std::find(v, v + 3, mesh.infinite) - v);
            const auto nearness = [&](uint32_t p) {  // without a centre if the triangle is a ghost
                return k == 3 ? incircle_value(at[v[0]], at[v[1]], at[v[2]], at[p])
                              : orient2d_value(at[v[(k + 1) % 3]], at[v[(k + 2) % 3]], at[p]);
            };
            uint32_t chosen = kNone;
            std::vector<uint32_t> inside;
            for (uint32_t p = 0; p < insertion.distinct(); ++p) {
                if (!(states[p] & kStateWaiting)) continue;
                const std::vector<uint32_t> walk = insertion.walk_to(p);
                if (walk.front() != t) continue;
                inside.push_back(p);
                if (!(states[p] & kStateChosen)) continue;
                CHECK(chosen == kNone);
                chosen = p;
            }
            REQUIRE((chosen != kNone) == !inside.empty());
            for (const uint32_t p : inside) CHECK(nearness(p) <= nearness(chosen) * (1 + 1e-5));  // compared in 32 bits
            choices += inside.size() > 1;
        }
    }
    CHECK(choices > 1);
}

TEST_CASE("insertion: points that go on waiting begin the list, and chosen ones end it, the last ones first") {
    std::vector<uint32_t> ids{3, 1, 4, 0}, inputs{10, 11, 12, 13, 14};
    std::vector<uint32_t> locations{Location::inside(0).word, Location::on_edge(0, 2).word, Location::inside(1).word,
                                    Location::inside(2).word};
    std::vector<uint64_t> votes{11, 14, 99};  // of points 1 and 4, and of none
    MeshView mesh;
    mesh.inputs = {inputs.data(), inputs.size()};
    const Waiting waiting{{ids.data(), ids.size()}, {locations.data(), locations.size()}};
    std::vector<uint32_t> next_ids(4, kNone), next_locations(4, kNone);
    const ChosenPoints chosen{{{next_ids.data(), 4}, {next_locations.data(), 4}}, 4};
    const ChoosePoints choose{mesh, waiting, chosen, {votes.data(), votes.size()}};
    uint32_t rank = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        choose.emit(i, rank, choose.code(i));
        rank += choose.code(i);
    }
    CHECK(rank == 2);
    CHECK(next_ids == std::vector<uint32_t>{3, 0, 4, 1});
    CHECK(next_locations == std::vector<uint32_t>{locations[0], locations[3], locations[2], locations[1]});
    CHECK(chosen.id(0) == 1);
    CHECK(chosen.id(1) == 4);
    CHECK(chosen.location(0).is_on_edge());
}

TEST_CASE("insertion: a walk begins in the last known triangle, and only points that wait have one") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion insertion;
    insertion.reset(context, generated("uniform:60"), {.start = InsertionStart::kTriangle});
    while (!insertion.done()) {
        const PassResult result = insertion.step();
        if (result.ended < Level::kRound || insertion.done()) continue;
        uint32_t waiting = 0;
        const HostMesh mesh = download_mesh(insertion.mesh());
        const std::set<uint32_t> inserted(mesh.triangles.begin(), mesh.triangles.end());
        for (uint32_t v = 0; v < insertion.distinct(); ++v) {
            const std::vector<uint32_t> walk = insertion.walk_to(v);
            CHECK(walk.empty() == inserted.contains(v));
            waiting += !walk.empty();
            CHECK(walk.size() <= 1);  // it has just been located
        }
        CHECK(waiting == insertion.waiting_count());
    }
    CHECK(insertion.walk_to(7).empty());
}

TEST_CASE("serial: every point is inserted once, by a pass that says so") {
    Context context(DeviceRequest::kCpu, 1);
    for (const auto method : {SerialOptions::Method::kLawson, SerialOptions::Method::kBowyerWatson}) {
        SerialInsertion serial;
        serial.reset(context, generated("uniform:60"), {.method = method});
        int64_t inserted = 0;
        while (!serial.done()) {
            const PassResult result = serial.step();
            const int64_t more = std::max<int64_t>(0, result.counters[SerialInsertion::kInserted]);
            inserted += more;
            if (result.pass != SerialInsertion::kSeed) CHECK(more <= 1);
            if (inserted > 0) CHECK(inserted == 3 + serial.progress());
            if (inserted > 0) CHECK(result.counters[SerialInsertion::kUninserted] == 60 - inserted);
        }
        CHECK(inserted == 60);
        serial.reset(context, generated("uniform:60"), {.method = method});
        serial.finish([&](const PassResult& round) { inserted -= round.counters[SerialInsertion::kInserted]; });
        CHECK(inserted == 0);
    }
}

TEST_CASE("serial: the last point and its edges are marked, the points that wait, and after finish() these alone") {
    Context context(DeviceRequest::kCpu, 1);
    for (const auto method : {SerialOptions::Method::kLawson, SerialOptions::Method::kBowyerWatson}) {
        SerialInsertion serial;
        serial.reset(context, generated("uniform:60"), {.method = method});
        const auto marked = [&](const Buffer<State>& states, State bits) {
            const std::vector<State> all = states.download();
            return std::count_if(all.begin(), all.end(), [&](State state) { return state & bits; });
        };
        const auto check_only_waiting = [&] {
            CHECK(marked(serial.mesh().vertex_states, kStateWaiting) == serial.waiting_count());
            CHECK(marked(serial.mesh().vertex_states, State(~kStateWaiting)) == 0);
            CHECK(marked(serial.mesh().edge_states, State(~0)) == 0);
            CHECK(marked(serial.mesh().triangle_states, State(~0)) == 0);
        };
        while (serial.progress() < 20) {
            const PassResult result = serial.step();
            if (result.pass != SerialInsertion::kSplit && result.pass != SerialInsertion::kRejoin) continue;
            CHECK(marked(serial.mesh().vertex_states, kStateFresh) == 1);
            CHECK(marked(serial.mesh().edge_states, kStateFresh) >= 3);
            CHECK(marked(serial.mesh().vertex_states, kStateWaiting) == serial.waiting_count());
        }
        serial.finish({}, 30);
        CHECK(serial.waiting_count() == 60 - 3 - 30);
        check_only_waiting();
        while (serial.progress() < 31) serial.step();
        serial.finish({});
        check_only_waiting();
    }
}

TEST_CASE("serial: a vertex can be removed where the others are not on one line") {
    Context context(DeviceRequest::kCpu, 1);
    const auto check = [&](const std::vector<Point>& points, size_t removable) {
        size_t removed = 0;
        for (uint32_t i = 0; i < points.size(); ++i) {
            SerialInsertion serial;
            serial.reset(context, make_input("points", points));
            serial.finish({});
            std::vector<Point> others = points;
            others.erase(others.begin() + i);
            std::vector<uint32_t> names(points.size());
            std::iota(names.begin(), names.end(), 0u);
            names.erase(names.begin() + i);
            const std::vector<uint32_t> inputs = serial.mesh().inputs.download(serial.distinct());
            const auto vertex = static_cast<uint32_t>(std::find(inputs.begin(), inputs.end(), i) - inputs.begin());
            const Input left = make_input("others", others);
            if (serial.remove(vertex, {left, names}) == SerialInsertion::Edited::kImpossible) continue;
            ++removed;
            serial.finish({});
            CHECK(sorted_triangles(serial.soup().triangles) ==
                  sorted_triangles(triangulate(context, others).triangles));
        }
        CHECK(removed == removable);
    };
    check(generated("uniform:12")->points, 12);
    check({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1.5, 1}}, 4);
    check({{0, 0}, {4, 0}, {0, 4}}, 0);
    check({{0, 0}, {4, 0}, {0, 4}, {1, 1}}, 4);
}

TEST_CASE("serial: the walk to the next point is the one that its insertion takes") {
    Context context(DeviceRequest::kCpu, 1);
    for (const bool fixed_start : {false, true}) {
        SerialInsertion serial;
        serial.reset(context, generated("uniform:40"), {.fixed_start = fixed_start});
        size_t walks = 0;
        while (!serial.done()) {
            if (serial.next_pass() != SerialInsertion::kLocate) {
                serial.step();
                continue;
            }
            std::vector<std::vector<uint32_t>> walk_of;
            for (uint32_t v = 0; v < serial.distinct(); ++v) walk_of.push_back(serial.walk_to(v));
            serial.step();
            CHECK(serial.walk() == walk_of[serial.vertex_at_work()]);
            if (fixed_start) CHECK(serial.walk().front() == 0);
            ++walks;
        }
        CHECK(walks == serial.distinct() - 3);
    }
}

TEST_CASE("flipping: an edit counts its flips") {
    Context context(DeviceRequest::kCpu, 1);
    Flipping flipping;
    // Of the low kite the vertical diagonal is an edge, of the high one the horizontal diagonal.
    flipping.reset(
        context,
        make_input("a kite in a square", {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}, {-3, 0}, {3, 0}, {0, 1}, {0, -4}}), {});
    flipping.finish({});
    const auto vertex_at = [&](Point place) {
        const std::vector<Point> at = flipping.mesh().positions.download();
        return static_cast<uint32_t>(std::find(at.begin(), at.end(), place) - at.begin());
    };
    const auto edges = [&] {
        const HostMesh mesh = download_mesh(flipping.mesh());
        std::set<std::pair<uint32_t, uint32_t>> all;
        for (uint32_t e = 0; e < mesh.edge_count(); ++e)
            all.insert(std::minmax(mesh.edges[2 * size_t(e)], mesh.edges[2 * size_t(e) + 1]));
        return all;
    };
    const uint32_t top = vertex_at({0, 1}), left = vertex_at({-3, 0}), right = vertex_at({3, 0});
    for (const double y : {1.5, 6.0, 1.0, 5.0}) {
        CAPTURE(y);
        const auto before = edges();
        const PassResult moved = flipping.move_vertex(top, {0, y, 0});
        int64_t changed = 0;
        for (const auto& edge : edges()) changed += !before.contains(edge);
        CHECK(moved.counters[Flipping::kGranted] == changed);
        CHECK(moved.counters[Flipping::kRemaining] == 0);
        CHECK(moved.next == kNone);
        CHECK(moved.iteration == flipping.iterations());
        CHECK((changed > 0) == (y != 1.5));
        CHECK(flipping.done());
    }
    CHECK(edges().contains(std::minmax(left, right)));
}

TEST_CASE(
    "flipping: rounded angles of five points on a circle flip for ever, which ends at the first state seen twice") {
    const Input input = make_input("five points on a circle", {{0x1.4ef14e8b53294p+0, 0x1.996df5e30531dp-2},
                                                               {0x1.196bacac49c48p-1, 0x1.7f9435aaf8266p+0},
                                                               {0x1.c71180581b89ep-3, -0x1.e0e1055b56306p-2},
                                                               {0x1.397f20bb43a08p+0, 0x1.e387b07c9e6bap-1},
                                                               {-0x1.1eab68796f8d6p-2, -0x1.1b73c08d3f6c2p-2}});
    for (const ConflictRule conflict : {ConflictRule::kLowestId, ConflictRule::kHashedId, ConflictRule::kFirstTaken}) {
        const FlippingOptions options{
            .start = Start::kSweep, .maker = {}, .criterion = Criterion::kAngles, .epsilon = 0, .conflict = conflict};
        Context context(DeviceRequest::kCpu, 1);
        Flipping flipping;
        flipping.reset(context, input, options);
        std::vector<std::vector<uint32_t>> edges;  // at every claim
        const auto step_to_the_end = [&] {
            edges.clear();
            while (!flipping.done()) {
                REQUIRE(edges.size() < 500);
                const PassResult result = flipping.step();
                // Each flip moves two edges, whose incidence the next pass repairs.
                CHECK(broken_references(download_mesh(flipping.mesh())) == (result.pass == Flipping::kFlip ? 2 : 0));
                if (result.pass != Flipping::kClaim) continue;
                std::vector<uint32_t> ends = flipping.mesh().edges.download(2 * size_t(flipping.mesh().edge_count));
                for (size_t e = 0; e < ends.size(); e += 2)
                    if (ends[e] > ends[e + 1]) std::swap(ends[e], ends[e + 1]);
                edges.push_back(std::move(ends));
                CHECK(result.counters[Flipping::kIllegal] == 1);
            }
        };
        step_to_the_end();
        CHECK(flipping.cycling());
        CHECK(flipping.iterations() == edges.size());
        // The first hundred iterations are not compared.
        const auto repeated = std::find(edges.begin() + 100, edges.end() - 1, edges.back());
        CHECK(repeated == edges.begin() + 100);
        const auto period = static_cast<uint32_t>(edges.end() - 1 - repeated);
        CHECK(edges.size() == 101 + period);
        const std::vector<State> states = flipping.mesh().edge_states.download();
        CHECK(std::count_if(states.begin(), states.end(), [](State s) { return s & kStateCycling; }) == 1);

        Flipping finishing;
        finishing.reset(context, input, options);
        finishing.finish({});
        CHECK(finishing.cycling());
        CHECK(finishing.iterations() == flipping.iterations());
        CHECK(finishing.state_hash() == flipping.state_hash());
        CHECK(finishing.mesh().edge_states.download() == states);

        // An edit restarts the check.
        flipping.move_vertex(0, {finishing.mesh().positions.read(0).x, finishing.mesh().positions.read(0).y + 1, 0});
        CHECK_FALSE(flipping.cycling());
        flipping.reset(context, input, options);
        flipping.finish({});
        CHECK(flipping.cycling());
        uint32_t edge = 0;
        while (error_of([&] { flipping.flip_edge(edge); }) != "accepted") ++edge;
        CHECK_FALSE(flipping.cycling());
        step_to_the_end();
        CHECK(flipping.cycling());
        CHECK(edges.size() == 101 + period);
    }
}

TEST_CASE("flipping: exact signs decide in the plane by default, angles otherwise") {
    Context context(DeviceRequest::kCpu, 1);
    Flipping flipping;
    flipping.reset(context, generated("uniform:9"), {});
    CHECK(flipping.exact());
    flipping.reset(context, generated("uniform:9"), {.maker = {}, .criterion = Criterion::kAngles});
    CHECK_FALSE(flipping.exact());
    flipping.reset(context, tetrahedron(), {});
    CHECK_FALSE(flipping.exact());
}

TEST_CASE("flipping: edits are remembered until the next input, and so are heights and unused points") {
    Context context(DeviceRequest::kCpu, 1);
    Flipping flipping;
    const Input terrain = generated("terrain:60");
    const auto [low, high] = std::minmax_element(terrain->heights.begin(), terrain->heights.end());
    const auto flip_any = [&] {
        PassResult flipped;
        uint32_t edge = 0;
        while (error_of([&] { flipped = flipping.flip_edge(edge); }) != "accepted") ++edge;
        CHECK(flipped.counters[Flipping::kGranted] == 1);
    };
    for (int twice = 0; twice < 2; ++twice) {
        flipping.reset(context, terrain, {});
        CHECK_FALSE(flipping.edited_by_hand());
        CHECK(flipping.low_z() == *low);
        CHECK(flipping.high_z() == *high);
        flip_any();
        CHECK(flipping.edited_by_hand());
        flipping.move_vertex(5, {0.5, 0.5, 77});
        CHECK(flipping.low_z() == *low);
        CHECK(flipping.high_z() == 77);
        CHECK(flipping.unused_count() == 0);
        flipping.reset(context, generated("uniform:20"), {});
        CHECK_FALSE(flipping.edited_by_hand());
        CHECK(flipping.low_z() == 0);
        CHECK(flipping.high_z() == 0);
        flipping.finish({});
        flip_any();
        CHECK_FALSE(flipping.edited_by_hand());  // flips of the plane change no shape
        flipping.finish({});
        const Point place = flipping.mesh().positions.read(0);
        flipping.move_vertex(0, {place.x + 1e-9, place.y, 5});
        CHECK(flipping.edited_by_hand());
        CHECK(flipping.high_z() == 0);
        auto apart = std::make_shared<Geometry>(Geometry{"apart", {{0, 0}, {1, 0}, {0, 1}, {5, 5}, {6, 6}}});
        apart->triangles = {{0, 1, 2}};
        flipping.reset(context, apart, {});
        CHECK(flipping.unused_count() == 2);
    }
}

TEST_CASE("surfaces: the edges that a survey counts are those that it lists") {
    Context context(DeviceRequest::kCpu, 2);
    Flipping flipping;
    flipping.reset(context, box(4, 1), {});
    const HostMesh mesh = download_mesh(flipping.mesh());
    std::set<uint32_t> on_box_edges;
    for (uint32_t e = 0; e < mesh.edge_count(); ++e) {
        const auto place = [&](uint32_t side) {
            const uint32_t v = mesh.edges[2 * size_t(e) + side];
            return Point3{mesh.positions[v].x, mesh.positions[v].y, mesh.heights[v]};
        };
        if (mesh.edges[2 * size_t(e)] == mesh.infinite || mesh.edges[2 * size_t(e) + 1] == mesh.infinite) continue;
        const Point3 p = place(0), q = place(1);
        const auto same_face = [](double a, double b) { return a == b && (a == 0 || a == 1); };
        if (same_face(p.x, q.x) + same_face(p.y, q.y) + same_face(p.z, q.z) == 2) on_box_edges.insert(e);
    }
    const auto listed = [&](Flipping::SurfaceFaults which, uint64_t count) {
        CheckReport report;
        flipping.list_surface_faults(
            which, 0, count, [](const FailureRecord& record) { return name_of(record, ElementKind::kEdge); }, report);
        CHECK(report.failure_count == count);
        std::set<uint32_t> ids;
        for (const CheckFailure& failure : report.failures) ids.insert(failure.elements[0].id);
        CHECK(ids.size() == count);
        return ids;
    };
    SurfaceFacts facts = flipping.survey_surface(0);
    CHECK(facts.creases == 12 * 4);
    REQUIRE(facts.illegal > 0);
    CHECK(listed(Flipping::SurfaceFaults::kCreases, facts.creases) == on_box_edges);
    const std::set<uint32_t> illegal = listed(Flipping::SurfaceFaults::kIllegal, facts.illegal);
    const PassResult claim = flipping.step();
    CHECK(claim.counters[Flipping::kIllegal] == int64_t(facts.illegal));
    CHECK(claim.counters[Flipping::kBlocked] == int64_t(facts.blocked));
    const std::vector<State> states = flipping.mesh().edge_states.download(flipping.mesh().edge_count);
    for (uint32_t e = 0; e < states.size(); ++e) CHECK(illegal.contains(e) == bool(states[e] & kStateIllegal));
}

TEST_CASE("surfaces: a flip by hand that would make a triangle without area is refused, at either end") {
    Context context(DeviceRequest::kCpu, 1);
    for (const double x : {0.0, 2.0, 1.0}) {
        CAPTURE(x);
        Flipping flipping;
        flipping.reset(
            context, make_surface("a kite", {{0, 0, 0}, {2, 0, 0}, {x, 1, 0}, {x, -1, 0}}, {{0, 1, 2}, {1, 0, 3}}), {});
        const HostMesh mesh = download_mesh(flipping.mesh());
        size_t inner = 0;
        for (uint32_t e = 0; e < mesh.edge_count(); ++e) {
            const uint32_t ends[] = {mesh.edges[2 * size_t(e)], mesh.edges[2 * size_t(e) + 1]};
            if (std::max(ends[0], ends[1]) != 1) continue;
            ++inner;
            const std::string said = error_of([&] { flipping.flip_edge(e); });
            CHECK(said == (x == 1 ? "accepted" : "This edge cannot flip: it would make a triangle without area."));
        }
        CHECK(inner == 1);
    }
}
