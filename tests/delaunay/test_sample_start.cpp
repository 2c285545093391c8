// The start of an insertion from a sample: which points are in it, that its triangulation is the Delaunay one under the
// names that the points have, and that what waits beside it has a triangle to wait in.
#include "delaunay/constructions/sample_start.h"

#include <doctest/doctest.h>

#include "delaunay/constructions/insertion.h"
#include "delaunay/constructions/order.h"
#include "delaunay/engines.h"

using namespace flipscope;

namespace {

/// Points ordered along the curve, with room for the vertex at infinity, and no triangle yet.
struct OrderedSample {
    TriangleMesh mesh;
    OrderedPoints points;
    OrderedSample(Context& context, const Input& input) {
        points = order_points(context, *input, 1, mesh.positions, mesh.inputs);
        mesh.reset(context, points.count, false);
        mesh.positions.write(mesh.infinite(), points.bounds.low);
        mesh.inputs.write(mesh.infinite(), kNone);
    }
};

}  // namespace

TEST_CASE("sample start: every so many vertices, triangulated as the serial construction does it, under their names") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        // On a grid all is cocircular: the names decide.
        for (const char* text : {"uniform:3000", "grid:2500", "clusters:1000", "ring:400", "duplicates:900"})
            for (const uint32_t stride : {2u, 7u, 32u}) {
                CAPTURE(device.name);
                CAPTURE(text);
                CAPTURE(stride);
                const Input input = generated(text);
                OrderedSample ordered(context, input);
                const uint32_t count = ordered.points.count;
                SampleStart sample;
                REQUIRE(sample.triangulate(context, ordered.mesh, count, ordered.points.bounds, stride));
                sample.place_into(context, ordered.mesh);
                CHECK(sample.size() == (count - 1) / stride + 1);
                REQUIRE(ordered.mesh.triangle_count == 2 * sample.size() - 2);

                const std::vector<Point> at = ordered.mesh.positions.download();
                const std::vector<uint32_t> inputs = ordered.mesh.inputs.download();
                const std::vector<uint32_t> corners = ordered.mesh.triangles.download();
                const CheckReport report = check_mesh(context, ordered.mesh);  // ties by name, as in the whole
                CHECK(report.broken_references + report.inverted_triangles + report.illegal_edges + report.reflex_hull +
                          report.tied_edges ==
                      0);
                // The same points as an input of their own, named so that their order in ties is the same.
                std::vector<std::pair<uint32_t, Point>> named;
                for (uint32_t v = 0; v < count; v += stride) named.emplace_back(inputs[v], at[v]);
                std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
                std::vector<Point> taken;
                std::vector<uint32_t> names;
                for (const auto& [name, place] : named) taken.push_back(place), names.push_back(name);
                SerialInsertion serial;
                Context one(DeviceRequest::kCpu, 1);
                serial.reset(one, make_input("sample", std::move(taken)));
                serial.name_points(std::move(names));
                serial.finish({});
                CHECK(summarise(context, ordered.mesh, count).hash ==
                      summarise(one, serial.mesh(), serial.distinct()).hash);

                // A finite triangle at each.
                std::vector<uint32_t> triangles(sample.size());
                context.copy(triangles.data(), sample.triangles().data, triangles.size() * sizeof(uint32_t));
                uint64_t wrong = 0;
                for (uint32_t i = 0; i < sample.size(); ++i) {
                    const uint32_t* const c = &corners[3 * size_t(triangles[i])];
                    const bool at_it = c[0] == i * stride || c[1] == i * stride || c[2] == i * stride;
                    wrong += !at_it || std::max({c[0], c[1], c[2]}) >= count;
                }
                CHECK(wrong == 0);
                const StarCentre centre = sample.centre();
                CHECK(orient2d(centre.a, centre.b, centre.c) > 0);
            }
    }
}

TEST_CASE("sample start: a sample on one line, or of two points, makes nothing") {
    Context context(DeviceRequest::kCpu, 1);
    const std::vector<Input> inputs{generated("line:200"), make_input("three", {{0, 0}, {4, 0}, {0, 4}})};
    for (const Input& input : inputs) {
        CAPTURE(input->name);
        OrderedSample ordered(context, input);
        SampleStart sample;
        CHECK_FALSE(sample.triangulate(context, ordered.mesh, ordered.points.count, ordered.points.bounds, 2));
        CHECK(ordered.mesh.triangle_count == 0);
    }
}
