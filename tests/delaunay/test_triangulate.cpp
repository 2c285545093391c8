// triangulate(), the library's function for points: on every difficult input the result of the Build lab, as arrays
// that are consistent with each other and with counts by hand.
#include "delaunay/constructions/insertion.h"
#include "flipscope/triangulate.h"

#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "delaunay/constructions/hull.h"
#include "delaunay/oracle.h"
#include "delaunay/runs.h"

using namespace flipscope;

namespace {

std::vector<Input> all_inputs() {
    std::vector<Input> inputs = hard_inputs();
    for (const char* text : {"uniform:0", "uniform:1", "uniform:2", "uniform:3", "grid:400", "ring:300", "line:200",
                             "duplicates:2000", "clusters:3000", "uniform:20000"})
        inputs.push_back(generated(text));
    inputs.push_back(make_input("two equal", {{1, 2}, {1, 2}}));
    inputs.push_back(make_input("three equal", {{1, 2}, {1, 2}, {1, 2}}));
    inputs.push_back(make_input("far off", [] {
        std::vector<Point> points = generate(parse_generator("uniform:500@seed=3")).points;
        for (Point& p : points) p = {p.x + 1e15, p.y - 1e14};
        return points;
    }()));
    return inputs;
}

std::vector<uint32_t> first_equal_by_hand(const std::vector<Point>& points) {
    std::map<std::pair<double, double>, uint32_t> first;
    std::vector<uint32_t> found;
    bool any = false;
    for (uint32_t i = 0; i < points.size(); ++i) {
        found.push_back(first.try_emplace({points[i].x + 0.0, points[i].y + 0.0}, i).first->second);
        any = any || found.back() != i;
    }
    return any ? found : std::vector<uint32_t>{};
}

/// By edges looked up in a map.
Triangles neighbours_by_hand(const Triangles& triangles) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> at;  // directed edge: the triangle to its left
    for (uint32_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) at[{triangles[t][k], triangles[t][(k + 1) % 3]}] = t;
    Triangles neighbours;
    for (const auto& t : triangles) {
        neighbours.emplace_back();
        for (int k = 0; k < 3; ++k) {
            const auto other = at.find({t[(k + 2) % 3], t[(k + 1) % 3]});
            neighbours.back()[k] = other == at.end() ? kNone : other->second;
        }
    }
    return neighbours;
}

/// In indices of the input, from the lowest on.
std::vector<uint32_t> hull_by_hand(const std::vector<Point>& points, const std::vector<uint32_t>& first_equal) {
    std::vector<Point> distinct;
    std::vector<uint32_t> inputs;
    for (uint32_t i = 0; i < points.size(); ++i) {
        if (!first_equal.empty() && first_equal[i] != i) continue;
        distinct.push_back(points[i]);
        inputs.push_back(i);
    }
    std::vector<uint32_t> hull = convex_hull(distinct);
    for (uint32_t& v : hull) v = inputs[v];
    if (!hull.empty()) std::rotate(hull.begin(), std::min_element(hull.begin(), hull.end()), hull.end());
    return hull;
}

void check_equal(const Triangulation& a, const Triangulation& b) {
    CHECK(a.triangles == b.triangles);
    CHECK(a.neighbours == b.neighbours);
    CHECK(a.hull == b.hull);
    CHECK(a.path == b.path);
    CHECK(a.duplicate_of == b.duplicate_of);
    CHECK(a.hash == b.hash);
}

}  // namespace

TEST_CASE("triangulate: triangles, neighbours, hull, path and copies of every hard input, on every device") {
    const std::vector<Input> inputs = all_inputs();
    for (size_t i = 0; i < inputs.size(); i += case_stride(3)) {
        const Input& input = inputs[i];
        std::optional<Triangulation> reference;
        on_every_device([&](Context& context) {
            INFO(input->name);
            const Triangulation made = triangulate(context, input->points);
            const auto lab = finished(context, input, "strips");
            CHECK(made.triangles == lab->soup().triangles);
            CHECK(made.path == lab->soup().path);
            CHECK(made.hash == lab->result().triangulation_hash);
            CHECK(made.duplicate_of == first_equal_by_hand(input->points));
            CHECK(made.neighbours == neighbours_by_hand(made.triangles));
            CHECK(made.hull ==
                  (made.triangles.empty() ? std::vector<uint32_t>{} : hull_by_hand(input->points, made.duplicate_of)));
            if (made.triangles.empty()) {
                CHECK(made.path.size() == hull_by_hand(input->points, made.duplicate_of).size());
                CHECK(made.hash == 0);
            }
            if (!reference) reference = made;
            check_equal(made, *reference);
        });
    }
}

TEST_CASE("triangulate: results that are not requested stay empty, and the rest is the same") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = generated("duplicates:3000");
    const Triangulation all = triangulate(context, input->points);
    for (int asked = 0; asked < 16; ++asked) {
        TriangulateOptions options;
        options.neighbours = asked & 1, options.hull = asked & 2, options.duplicates = asked & 4;
        options.hash = asked & 8;
        Triangulation expected = all;
        if (!options.neighbours) expected.neighbours.clear();
        if (!options.hull) expected.hull.clear();
        if (!options.duplicates) expected.duplicate_of.clear();
        if (!options.hash) expected.hash = 0;
        check_equal(triangulate(context, input->points, options), expected);
    }
}

TEST_CASE("triangulate: one Triangulator for many sets leaves nothing of the last one behind") {
    on_every_device([&](Context& context) {
        Triangulator triangulator(context);
        for (const char* text : {"duplicates:500", "uniform:2000", "line:20", "uniform:0", "ring:100", "grid:64"}) {
            INFO(text);
            const Input input = generated(text);
            check_equal(triangulator.triangulate(input->points), triangulate(context, input->points));
        }
        // After an error, too.
        const std::vector<Point> bad{{0, 0}, {1, 0}, {NAN, 1}};
        CHECK_THROWS_AS(triangulator.triangulate(bad), Error);
        const Input input = generated("uniform:100");
        check_equal(triangulator.triangulate(input->points), triangulate(context, input->points));
        CHECK(triangulator.distinct() == 100);
    });
}

TEST_CASE("triangulate: the mesh of the last call is closed, and its corners and half-edges name each other") {
    Context context(DeviceRequest::kCpu, 2);
    Triangulator triangulator(context);
    CHECK(triangulator.mesh().triangles.count == 0);
    triangulator.triangulate(generated("uniform:100")->points);
    const DeviceMesh mesh = triangulator.mesh();
    CHECK(mesh.infinite == 100);
    CHECK(mesh.positions.count == 101);
    CHECK(mesh.triangles.count == 3 * (2 * 101 - 4));
    CHECK(mesh.edges.count == 2 * (3 * 101 - 6));
    const auto end_of = [&](uint32_t corner) { return mesh.triangles[corner % 3 == 2 ? corner - 2 : corner + 1]; };
    for (uint32_t corner = 0; corner < mesh.triangles.count; ++corner) {
        const uint32_t half = mesh.half_edge_at[corner], across = mesh.corner_of[half ^ 1];
        CHECK(mesh.corner_of[half] == corner);
        CHECK(mesh.edges[half] == mesh.triangles[corner]);
        CHECK(mesh.triangles[across] == end_of(corner));
        CHECK(end_of(across) == mesh.triangles[corner]);
    }
}

TEST_CASE("triangulate: hashes of triangles and of points detect changes") {
    Context context(DeviceRequest::kCpu, 2), other(DeviceRequest::kCpu, 1);
    std::vector<Point> points = generated("uniform:3000")->points;
    const Triangulation made = triangulate(context, points);
    CHECK(triangulation_hash(context, made.triangles) == made.hash);
    CHECK(triangulation_hash(context, {}) == 0);
    const uint64_t before = hash_points(context, points);
    CHECK(hash_points(other, points) == before);
    std::swap(points[1], points[2]);
    CHECK(hash_points(context, points) != before);
    std::swap(points[1], points[2]);
    points[2999].y = std::nextafter(points[2999].y, 2);
    CHECK(hash_points(context, points) != before);
}

TEST_CASE("triangulate: points in the device's memory give the same there") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* text : {"uniform:5000", "duplicates:2000", "line:50", "uniform:0"}) {
            INFO(device.name, ", ", text);
            Context context(device.request, device.threads);
            const Input input = generated(text);
            Buffer<Point> points("points");
            points.upload(context, input->points.data(), input->points.size());
            const DeviceTriangulation made = triangulate_on_device(context, points.view());
            const Triangulation expected = triangulate(context, input->points);
            CHECK(made.triangle_count == expected.triangles.size());
            const auto equal = [](const Buffer<uint32_t>& words, const auto& triples) {
                const std::vector<uint32_t> values = words.download();
                return values.size() == 3 * triples.size() &&
                       std::equal(values.begin(), values.end(), triples.empty() ? nullptr : triples[0].data());
            };
            CHECK(equal(made.triangles, expected.triangles));
            CHECK(equal(made.neighbours, expected.neighbours));
            CHECK(made.duplicate_of.download() == expected.duplicate_of);
            CHECK(made.hull == expected.hull);
            CHECK(made.path == expected.path);
            CHECK(made.hash == expected.hash);
        }
}

TEST_CASE("triangulate: a coordinate that cannot be decided exactly is an error that names it") {
    const double inf = std::numeric_limits<double>::infinity();
    on_every_device([&](Context& context) {
        for (const double bad : {double(NAN), inf, -inf, 0x1p201, -0x1p-201, 5e-324}) {
            std::vector<Point> points = generated("uniform:5000")->points;
            points[4321].y = bad;
            points[4999].x = bad;
            CHECK_THROWS_WITH_AS(triangulate(context, points), doctest::Contains("point 4321: ("), Error);
        }
        const std::vector<Point> border{{0x1p200, 0x1p-200}, {-0x1p200, 0}, {0, -0x1p-200}};
        CHECK(triangulate(context, border).triangles.size() == 1);
    });
}

TEST_CASE("triangulate: naive predicates give the Delaunay triangulation or an error, never anything else") {
    Context context(DeviceRequest::kCpu, 2);
    const Input easy = generated("uniform:2000");
    const uint64_t hash = triangulate(context, easy->points).hash;
    CHECK(triangulate(context, easy->points, {.predicate = PredicateMode::kDouble}).hash == hash);
    size_t refused = 0;
    for (const Input& input : hard_inputs())
        for (const PredicateMode mode : {PredicateMode::kDouble, PredicateMode::kFloat}) {
            INFO(input->name);
            try {
                const Triangulation made = triangulate(context, input->points, {.predicate = mode});
                if (!made.triangles.empty()) CHECK(made.hash == triangulate(context, input->points).hash);
            } catch (const Error& error) {
                ++refused;
                CHECK(contains(error.what(), "use exact predicates"));
            }
        }
    CHECK(refused > 3);
}

TEST_CASE("triangulate: without a context one is made, and a context keeps its block size") {
    const Input input = generated("uniform:300");
    Context context(DeviceRequest::kCpu, 1);
    context.set_block_size(256);
    const Triangulation expected = triangulate(context, input->points);
    CHECK(context.block_size() == 256);
    check_equal(triangulate(input->points, {.device = DeviceRequest::kCpu, .threads = 2}), expected);
}

TEST_CASE("triangulate: a cancelled call throws, and the next one is whole") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = generated("uniform:3000");
    Triangulator triangulator(context);
    context.cancel();
    CHECK_THROWS_AS(triangulator.triangulate(input->points), Cancelled);
    context.clear_cancel();
    check_equal(triangulator.triangulate(input->points), triangulate(context, input->points));
}

TEST_CASE("insertion: points in the device's memory go through the states of points on the host, step by step") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const Enclosure enclosure : {Enclosure::kInfinity, Enclosure::kSupertriangle}) {
            INFO(device.name);
            Context context(device.request, device.threads);
            const Input input = generated("duplicates:1500");
            Buffer<Point> points("points");
            points.upload(context, input->points.data(), input->points.size());
            Insertion given, resident;
            given.reset(context, input, {.enclosure = enclosure});
            resident.reset(context, View<const Point>(points.view()), {.enclosure = enclosure});
            while (!given.done()) {
                given.step();
                resident.step();
                REQUIRE(given.state_hash() == resident.state_hash());
            }
            CHECK(resident.done());
            CHECK_THROWS_AS(resident.soup(), std::logic_error);
        }
    Context context(DeviceRequest::kCpu, 1);
    const std::vector<Point> wide{{0, 0}, {0x1p199, 0}, {0, 1}};
    Insertion insertion;
    CHECK_THROWS_WITH_AS(insertion.reset(context, {View<const Point>{wide.data(), wide.size()}, "wide"},
                                         {.enclosure = Enclosure::kSupertriangle}),
                         doctest::Contains("wide: coordinates are too large"), Error);
}
