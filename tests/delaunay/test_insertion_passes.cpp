// The passes of parallel insertion, called directly: which points vote, wait and walk, and what is marked and counted.
#include <set>

#include "delaunay/constructions/host_mesh.h"
#include "delaunay/constructions/insertion.h"
#include "delaunay/engines.h"

using namespace flipscope;

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
