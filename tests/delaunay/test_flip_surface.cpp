// sanitizers: none
// The Flip lab on surfaces: flips preserve the shape, and end, in the same way on every device.
#include "delaunay/constructions/flipping.h"
#include "delaunay/flip_films.h"
#include "delaunay/surfaces.h"

using namespace flipscope;

namespace {

double parameter(const Settings& settings, const std::string& name, double otherwise) {
    for (const std::string& setting : settings)
        if (setting.find(name + "=") == 0) return std::stod(setting.substr(name.size() + 1));
    return otherwise;
}

constexpr size_t kMostSteps = 20'000;

/// Steps through, and looks at the surface after every iteration.
void record_surface(const Input& input, const Settings& settings) {
    INFO(input->name, " ", settings.empty() ? "" : settings.back());
    Stage stage(one_device(), input, settings);
    const double limit = parameter(settings, "dihedral", 0.5), epsilon = parameter(settings, "epsilon", 1e-9);
    const Surface before(stage.lab->soup());
    const std::set<uint32_t> seams = [&] {
        std::set<uint32_t> found;
        const HostMesh mesh = stage.mesh();
        for (uint32_t e = 0; e < mesh.edge_count(); ++e)
            if (mesh.edge_states[e] & kStateSeam) found.insert(e);
        return found;
    }();
    uint64_t broken = 0, flipped_seams = 0, unmarked = 0;
    size_t steps = 0;
    bool cycling = false;
    for (; !stage.lab->done() && steps < kMostSteps; ++steps) {
        const StepResult result = stage.lab->step();
        cycling = cycling || contains(result.message.text(), "The flips cycle");
        const HostMesh mesh = stage.mesh();
        for (const uint32_t e : seams) {
            flipped_seams += bool(mesh.edge_states[e] & (kStateFlipped | kStateIllegal | kStateGranted));
            unmarked += !(mesh.edge_states[e] & kStateSeam);
        }
        if (result.ended < Level::kRound) continue;
        broken += broken_references(mesh);
        check_same_shape(before, Surface(stage.lab->soup()), limit);
    }
    REQUIRE(stage.lab->done());
    CHECK(broken == 0);
    CHECK(flipped_seams == 0);
    CHECK(unmarked == 0);
    const Surface after(stage.lab->soup());
    check_same_shape(before, after, limit);
    if (cycling) return;
    check_passes(*stage.lab);
    const std::vector<Edge> missed = after.could_flip(epsilon, limit);
    CHECK_MESSAGE(missed.empty(), missed.size(), " illegal edges could flip");
}

}  // namespace

TEST_CASE("surfaces: after every iteration the same vertices, boundary and topology, no new crease, no flat triangle") {
    for (uint64_t seed = 1; seed <= case_count(2); ++seed)
        for (const Input& input : test_surfaces(seed)) record_surface(input, {});
}

TEST_CASE("surfaces: every dihedral limit and slack") {
    for (const char* dihedral : {"dihedral=0", "dihedral=0.1", "dihedral=1.5", "dihedral=3.1"})
        for (const char* epsilon : {"epsilon=0", "epsilon=0.1"})
            for (const Input& input : test_surfaces(case_count(1) + 2)) record_surface(input, {epsilon, dihedral});
}

TEST_CASE("surfaces: every conflict rule keeps the shape") {
    for (const char* conflict : {"conflict=lowest", "conflict=first"})
        for (const Input& input : test_surfaces(7)) record_surface(input, {conflict});
}

TEST_CASE("surfaces: the state after every step is the same on every device, and finish() ends there") {
    for (const Input& input : test_surfaces(5))
        for (const Settings& settings : {Settings{"conflict=hashed"}, Settings{"epsilon=0", "dihedral=1.5"}}) {
            const Film film = compare_films("flip", input, settings);
            on_every_device([&](Context& context) {
                INFO(input->name);
                for (size_t steps = 0;; steps = 2 * steps + 1) {
                    const auto lab = started(context, input, "flip", settings);
                    for (size_t i = 0; i < steps && !lab->done(); ++i) lab->step();
                    const bool at_end = lab->done();
                    const uint64_t marks = hash_of_states(*lab);
                    lab->finish({});
                    CHECK(lab->done());
                    CHECK(lab->state_hash() == (film.hashes.empty() ? lab->state_hash() : film.hashes.back()));
                    if (at_end) CHECK(hash_of_states(*lab) == marks);
                    if (at_end) break;
                }
            });
        }
}

TEST_CASE("surfaces: any triangles at all: it ends, with every reference in order and every border in place") {
    for (uint64_t seed = 0; seed < case_count(150); ++seed)
        for (const bool flat : {false, true})
            for (const uint32_t triangles : {5u, 20u, 60u}) {
                const Input input = random_soup(flat ? 30 : 12, triangles, flat, 100 * seed + triangles);
                record_surface(input, {"dihedral=3.1"});
                record_surface(input, {"dihedral=0.5"});
            }
    for (uint64_t seed = 0; seed < case_count(10); ++seed)
        compare_films("flip", random_soup(30, 80, seed % 2, seed), {"dihedral=3.1"});
}

TEST_CASE("surfaces: a vertex of two thousand triangles") {
    for (const double height : {0.0, 0.02}) {
        const Input input = cone(2000, height);
        record_surface(input, {});
        compare_films("flip", input, {});
    }
    record_surface(merged("two cones, tip to tip", *cone(1000, 0), *cone(1000, 0), {0, 0, 1}, {{0, 0}}), {});
    // Two lids on one rim: two vertices of degree 1000 that are no neighbours.
    const Mesh lid = cone(1000, 0.5);
    std::map<uint32_t, uint32_t> rim;
    for (uint32_t v = 1; v <= 1000; ++v) rim[v] = v;
    const Mesh pillow = merged("a pillow", *lid, *lid, {0, 0, -1}, rim);
    for (const char* dihedral : {"dihedral=0.1", "dihedral=1.5", "dihedral=3.1"}) record_surface(pillow, {dihedral});
}

TEST_CASE("surfaces: the creases of a box stay, and its faces are Delaunay") {
    for (const uint32_t n : {1u, 2u, 5u, 12u}) {
        Context context(DeviceRequest::kCpu, 1);
        const Input input = box(n, n);
        const auto lab = started(context, input, "flip");
        const std::set<Edge> before = Surface(lab->soup()).creases(1.0);
        lab->finish({});
        const Surface after(lab->soup());
        CHECK(before.size() == 12 * n);
        CHECK(after.creases(1.0) == before);
        CHECK(after.borders().empty());
        CHECK(facet<Checkable>(*lab).check().passed);
    }
}

TEST_CASE("surfaces: the same shape at any scale flips alike") {
    for (const char* name : {"sphere:200", "terrain:200", "band:100"}) {
        Context context(DeviceRequest::kCpu, 1);
        const Input one = generated(name);
        const Triangles expected = triangles_of(*finished(context, one, "flip"));
        for (const double by : {0x1p-180, 0x1p-60, 0x1p60, 0x1p190}) {
            auto scaled = std::make_shared<Geometry>(*one);
            for (Point& p : scaled->points) p = {p.x * by, p.y * by};
            for (double& z : scaled->heights) z *= by;
            bool fits = true;
            for (size_t i = 0; i < scaled->points.size(); ++i)
                for (const double v : {scaled->points[i].x, scaled->points[i].y, scaled->heights[i]})
                    fits = fits && coordinate_in_range(v);
            if (!fits) continue;
            INFO(name, " times ", by);
            const auto lab = finished(context, scaled, "flip");
            CHECK(triangles_of(*lab) == expected);
            CHECK(facet<Checkable>(*lab).check().passed);
        }
    }
}

TEST_CASE("surfaces: where both diagonals of a square look illegal by rounding, it ends and passes the check") {
    for (int turn = 0; turn < 20; ++turn) {
        std::vector<Point3> at;
        Triangles triangles;
        for (uint32_t j = 0; j <= 12; ++j)
            for (uint32_t i = 0; i <= 12; ++i) {
                const double u = i * 0.1, v = j * 0.1, c = std::cos(turn), s = std::sin(turn);
                at.push_back({c * u - s * v, s * u + c * v, 0.3 * u});
                if (i == 12 || j == 12) continue;
                const uint32_t a = j * 13 + i, b = a + 1, d = a + 13;
                triangles.push_back({a, b, d + 1});
                triangles.push_back({a, d + 1, d});
            }
        record_surface(make_surface("a slanted grid", at, triangles), {"epsilon=0"});
        record_surface(make_surface("a slanted grid", at, triangles), {"epsilon=0", "dihedral=0"});
    }
}

TEST_CASE("surfaces: a triangle without area is mended where a neighbour can take it in") {
    // Vertex 4 lies on the side 0-1 of triangle 0 1 2.
    const Input input = make_surface("a cap", {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, -1, 0}, {1, 0, 0}},
                                     {{0, 1, 2}, {0, 4, 1}, {4, 0, 3}, {1, 4, 3}});
    record_surface(input, {});
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, input, "flip");
    CHECK(Surface(lab->soup()).flat_triangles().empty());
}

TEST_CASE("surfaces: no flip leaves a triangle inverted or without area, though both old ones hardly have any") {
    const SurfaceRule rule = make_surface_rule(0, 0.5);
    const auto verdict = [&](Point left, Point right, double length) {
        const std::vector<Point> at{{0, 0}, {length, 0}, left, right};
        MeshView mesh;
        mesh.positions = {at.data(), at.size()};
        CHECK(rule.is_illegal_by_angle(mesh, {0, 1, 2, 3}));
        return rule.judge(mesh, 0, {0, 1, 2, 3});
    };
    CHECK(verdict({1, 1e-12}, {2, -1e-12}, 4) == Verdict::kBlocked);        // both without area
    CHECK(verdict({1, 1.5e-10}, {2, -1.5e-10}, 4) == Verdict::kBlocked);    // the one at the far end
    CHECK(verdict({1, 2e-10}, {2, -2e-10}, 4) == Verdict::kBlocked);        // the old ones have no direction
    CHECK(verdict({0.9, 0.99e-10}, {0.5, 2e-10}, 1) == Verdict::kBlocked);  // a fold: the far one inverted
}

TEST_CASE("surfaces: points alone are refused, and surfaces where only the plane is built") {
    Context context(DeviceRequest::kCpu, 1);
    const auto points = make_surface("points", {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {});
    CHECK_THROWS_AS(lab_with("flip")->reset(context, points), Error);
    CHECK_THROWS_AS(lab_with("build")->reset(context, tetrahedron()), Error);
}
