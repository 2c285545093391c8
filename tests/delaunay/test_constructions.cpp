// Constructions called directly, without a lab around them: what they count, report, refuse and remember.
#include "delaunay/constructions/construction.h"

#include <cstring>

#include "cancel_polls.h"
#include "delaunay/constructions/host_mesh.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/serial.h"
#include "delaunay/constructions/strips.h"
#include "delaunay/constructions/subdivision.h"
#include "delaunay/engines.h"

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

TEST_CASE("constructions: between two inputs there is no mesh to download") {
    Context context(DeviceRequest::kCpu, 1);
    Insertion insertion;
    insertion.reset(context, generated("uniform:40"), {});
    insertion.finish({});
    CHECK(download_mesh(insertion.mesh()).positions.size() == 41);
    insertion.reset(context, generated("uniform:10"), {});
    CHECK(download_mesh(insertion.mesh()).positions.empty());
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

TEST_CASE("subdivision: a run that was cancelled at any poll leaves no triangle for the next") {
    CancelFlag flag;
    const CancelScope scope(flag);
    Context context(DeviceRequest::kCpu, 1);
    context.set_cancel_flag(flag);
    // Voronoi edges side by side: many cells leave with so many candidates that the host solves them.
    std::vector<Point> row;
    for (int i = 0; i < 40; ++i) row.push_back({double(i), i % 7 * 0x1p-4});
    const Input input = make_input("a row", std::move(row));
    const SubdivisionOptions options{.patience = 1};
    const EngineOutcome wanted = run_engine<Subdivision>(context, input, options);
    Subdivision made;
    uint64_t at = 0;
    for (;;) {
        ++at;
        CAPTURE(at);
        made.reset(context, input, options);
        made.step();
        const Snapshot first = made.save();
        if (!is_cancelled_at(flag, at, [&] { made.finish({}); })) break;
        if (at % 2)
            made.reset(context, input, options);
        else
            made.load(first);
        made.finish({});
        CHECK(outcome_of(context, made) == wanted);
    }
    CHECK(at > 20);
}
