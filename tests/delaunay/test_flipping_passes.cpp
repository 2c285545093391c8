// The engine of the Flip lab, called directly: what its passes, edits and surveys count, and where cycles end.
#include <set>

#include "delaunay/constructions/flipping.h"
#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"

using namespace flipscope;

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
