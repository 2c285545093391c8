// Kernels of a flip pass, alone, in states that labs seldom reach.
#include <set>

#include "delaunay/constructions/host_mesh.h"
#include "delaunay/flip/flip_in_regions.h"
#include "delaunay/flip/flip_machine.h"
#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"
#include "mesh/connect.h"

using namespace flipscope;

namespace {

/// A pass over a surface whose states are recorded: nothing is claimed, all candidates are illegal.
struct HandMadePass {
    HostMesh host;
    std::vector<uint32_t> candidates, changed;
    std::vector<Outcome> outcomes;
    std::vector<uint64_t> claims;
    std::vector<uint8_t> calm;

    explicit HandMadePass(const Input& input) {
        Context context(DeviceRequest::kCpu, 1);
        TriangleMesh mesh;
        Buffer<uint8_t> pinched("pinched");
        connect(context, *input, mesh, pinched, true);
        host = download_mesh(mesh);
        for (uint32_t e = 0; e < host.edge_count(); ++e) candidates.push_back(e);
        changed.resize(host.triangle_count());
        outcomes.resize(host.edge_count(), Outcome::kIllegal);
        claims.resize(host.triangle_count(), ~uint64_t(0));
        calm.resize(host.edge_count());
    }
    FlipPass pass() {
        return {host.view(),
                {},
                {candidates.data(), candidates.size()},
                {outcomes.data(), outcomes.size()},
                {claims.data(), claims.size()},
                {changed.data(), changed.size()},
                {calm.data(), calm.size()},
                1,
                ConflictRule::kLowestId};
    }
    void claim(uint32_t edge) {
        for (uint32_t side = 0; side < 2; ++side)
            place_claim(claims[pass().triangle_at(edge, side)], pass().claim_of(edge), ConflictRule::kLowestId);
    }
};

}  // namespace

TEST_CASE("flip kernels: of two edges that would make the same new edge the higher yields, if the lower can flip") {
    HandMadePass made(octahedron());
    const SurfaceRule rule;
    REQUIRE(made.host.edges[2 * 8] == 2);  // 2-4 and 3-5 would both flip to 0-1
    REQUIRE(made.host.edges[2 * 11] == 3);
    made.claim(11);
    CHECK_FALSE(must_yield(made.pass(), rule, 11));
    made.claim(8);
    CHECK(must_yield(made.pass(), rule, 11));
    CHECK_FALSE(must_yield(made.pass(), rule, 8));
    made.claim(4);  // 1-2 shares a triangle with edge 8, and is a neighbour of 11
    CHECK(must_yield(made.pass(), rule, 11));
    made.calm[4] = made.calm[11] = 1;
    CHECK_FALSE(must_yield(made.pass(), rule, 11));
}

TEST_CASE("flip kernels: edges that cannot flip are no part of a cycle") {
    HandMadePass made(octahedron());
    made.outcomes[0] = Outcome::kPostponed;
    const MarkCycle mark{made.pass()};
    mark(0);
    mark(1);
    CHECK(made.host.edge_states[0] == 0);
    CHECK(made.host.edge_states[1] == (kStateIllegal | kStateCycling));
}

TEST_CASE(
    "flip kernels: only edges that cannot flip are marked as blocked, and no claim holds a triangle that is not") {
    HandMadePass made(octahedron());
    made.outcomes[0] = Outcome::kPostponed;
    const MarkBlocked mark{made.pass()};
    mark(0);
    mark(1);
    CHECK(made.host.edge_states[0] == kStateBlocked);
    CHECK(made.host.edge_states[1] == 0);
    Context context(DeviceRequest::kCpu, 1);
    Buffer<uint64_t> claims("claims");
    made.claim(8);
    claims.upload(context, made.claims.data(), made.claims.size());
    const TriangleClaims by_triangle{&claims, 1, ConflictRule::kLowestId};
    CHECK(by_triangle.holder(made.pass().triangle_at(8, 0)) == 8);
    CHECK(by_triangle.holder(8) == kNone);
}

TEST_CASE("flip kernels: only exact tests of all edges within a hull are made many at a time") {
    HandMadePass made(octahedron());
    BlockSums sums;
    for (const InCircleRule& rule :
         {InCircleRule{PredicateMode::kExact, FlipScope::kAll, true},
          InCircleRule{PredicateMode::kExact, FlipScope::kFlatOnly}, InCircleRule{PredicateMode::kDouble},
          InCircleRule{PredicateMode::kFloatCircumcentre}}) {
        const CollectAndClaim<InCircleRule> collect{{made.pass(), {}}, made.pass(), rule};
        CHECK(collect.codes(0, 0, nullptr, sums) == kNone);
        CHECK(FastClaim<InCircleRule>{{made.pass(), rule}}.codes(0, 0, nullptr, sums) == kNone);
    }
    std::vector<uint8_t> codes(made.candidates.size());
    const FastClaim<InCircleRule> claim{{made.pass(), InCircleRule{}}};
    const auto count = static_cast<uint32_t>(codes.size());
    uint32_t illegal = 0;
    CHECK(claim.codes(0, count, codes.data(), sums) != kNone);
    for (uint32_t i = 0; i < count; ++i) {
        CHECK(codes[i] == claim.code(i));
        illegal += codes[i] != 0;
    }
    CHECK(claim.codes(0, count, codes.data(), sums) == illegal);
}

TEST_CASE("flip kernels: regions have as many triangles as asked for, or the next power of two, up to a limit") {
    for (const uint32_t triangles : {1u, 42u, 43u, 84u, 85u, 100'000u}) {
        const uint32_t made = Regions::of(triangles, 1000).triangles();
        CHECK(made >= triangles);
        CHECK((made < 2 * triangles || made == Regions::kStep));
    }
    CHECK(Regions::of(kNone, 1000).triangles() == Regions::kStep << 20);
}

TEST_CASE("flip kernels: a snapshot that names a third worklist is refused") {
    FlipMachine machine;
    FlipMachine::RunState state;
    state.current_list = 2;
    machine.restore_run(state);
    CHECK_THROWS_AS(machine.restore_list(Snapshot{}, 0), std::logic_error);
}

TEST_CASE("flip kernels: the change of the hash that a flip reports is that of all triangles") {
    HandMadePass made(octahedron());
    const auto hash = [&] {
        uint64_t sum = 0;
        for (size_t corner = 0; corner < made.host.triangles.size(); corner += 3) {
            const uint32_t* const v = &made.host.triangles[corner];
            sum += hash_triangle(v[0], v[1], v[2]);
        }
        return sum;
    };
    made.claim(8);
    const uint64_t before = hash();
    BlockSums sums;
    FastFlip({made.pass(), {}, {}}, true, true)(8, sums);
    CHECK(sums.value[0] == 1);
    CHECK(sums.value[2] == hash() - before);
    CHECK(hash() != before);
    CHECK(broken_references(made.host) == 0);
    FastFlip({made.pass(), {}, {}}, true, true)(4, sums);  // not granted: nothing changes
    CHECK(sums.value[0] == 1);
    CHECK(sums.value[1] == 1);
    CHECK(sums.value[2] == hash() - before);
}

TEST_CASE(
    "flip kernels: an edge at a triangle without area is illegal, but not calm, as that triangle has no direction") {
    for (const double height : {0.0, 0.1}) {
        HandMadePass made(
            make_surface("two triangles", {{0, 0, 0}, {2, 0, 0}, {1, height, 0}, {1, -1, 0}}, {{0, 1, 2}, {1, 0, 3}}));
        const MeshView mesh = made.host.view();
        size_t illegal = 0;
        for (uint32_t edge = 0; edge < made.host.edge_count(); ++edge) {
            const Quad q = made.pass().quad(edge);
            if (touches_infinity(mesh, q)) continue;
            ++illegal;
            CHECK(make_surface_rule(1e-9, 0.5).judge(mesh, edge, q) ==
                  (height > 0 ? Verdict::kCalm : Verdict::kIllegal));
        }
        CHECK(illegal == 1);
    }
}

TEST_CASE("flip kernels: lent memory is used until the next reset, if it suffices") {
    HandMadePass made(octahedron());
    const MeshView mesh = made.host.view();
    const uint32_t edges = made.host.edge_count();
    Context context(DeviceRequest::kCpu, 1);
    std::vector<uint32_t> memory[4];
    for (auto& words : memory) words.resize(edges);
    FlipMachine machine;
    machine.reset(context, made.host.triangle_count(), ConflictRule::kLowestId);
    for (const uint32_t count : {edges, edges - 1, edges}) {
        CAPTURE(count);
        machine.lend_lists({memory[0].data(), count}, {memory[1].data(), count});
        machine.lend_outcomes({memory[2].data(), count / 4}, {memory[3].data(), edges / 4 + 1});
        for (const bool was_reset : {false, true}) {
            if (was_reset) machine.reset(context, made.host.triangle_count(), ConflictRule::kLowestId);
            const FlipMachine::OwnPasses passes = machine.begin_own_passes(mesh, edges);
            machine.end_own_passes(passes.first.stamp + 1);
            const bool lends = !was_reset && count >= edges;
            const std::set<const void*> lists{passes.first.candidates.data, passes.other_candidates.data};
            const std::set<const void*> outcomes{passes.first.outcomes.data, passes.other_outcomes.data};
            CHECK(lists.size() == 2);
            CHECK(outcomes.size() == 2);
            for (const auto& lent : {memory[0].data(), memory[1].data()}) CHECK(lists.contains(lent) == lends);
            CHECK(outcomes.contains(memory[2].data()) == lends);
            CHECK(outcomes.contains(memory[3].data()) == !was_reset);
            CHECK(passes.first.candidates.count >= edges);
            CHECK(passes.other_candidates.count >= edges);
            CHECK(passes.first.outcomes.count >= edges);
            CHECK(passes.other_outcomes.count >= edges);
        }
    }
}

TEST_CASE("flip kernels: hashed edges are told apart, and found again by their keys") {
    std::set<uint32_t> keys;
    for (uint32_t i = 0; i < 1000; ++i)
        for (const uint32_t edge : {i, i << 20, ~i}) {
            keys.insert(hashed(edge));
            CHECK(unhashed(hashed(edge)) == edge);
        }
    CHECK(keys.size() == 3 * 1000 - 1);  // 0 twice
}
