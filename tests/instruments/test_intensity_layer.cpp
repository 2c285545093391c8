// The layer of the intensity: its pixels are those of the map, in the study area or in the periodic box.
#include "instruments/intensity_layer.h"

#include <cmath>

#include "flipscope/spatial.h"
#include "instruments/exploring_lab.h"

using namespace flipscope;

TEST_CASE("intensity layer: the triangles of a pixel have the value of the map at its middle") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        ExploringLab shown(device, "build", generated("uniform:500@seed=3"));
        const Scene& scene = shown.show({});
        const StudyArea area =
            area_of_rings({{{0.1, 0.1}, {0.9, 0.2}, {0.6, 0.9}}, {{0.4, 0.3}, {0.5, 0.3}, {0.5, 0.5}}});
        IntensityLayer layer;
        layer.update(shown.context, scene, &area);
        Scene drawn = scene;
        layer.apply(drawn);
        const Layer* const made = drawn.layer(IntensityLayer::kName);
        REQUIRE(made);
        // Above what fills triangles, below lines and points.
        const auto at = static_cast<size_t>(made - drawn.view(0).layers.data());
        REQUIRE(at + 1 < drawn.view(0).layers.size());
        CHECK(!std::holds_alternative<TrianglesLayer>(drawn.view(0).layers[at + 1].shape));
        const std::vector<Point> points = scene.mesh->positions.download(scene.mesh->infinite());
        SpatialStatistics statistics(shown.context, area);
        statistics.set_points(points);
        const IntensityMap map = intensity_map(area, points, bandwidth_of(statistics, points, BandwidthRule::kScott));
        const auto& triangles = std::get<TrianglesLayer>(made->shape);
        const std::vector<Point> places = triangles.places->download();
        const std::vector<uint32_t> corners = triangles.corners->download();
        const std::vector<float> values = made->scalars->download();
        size_t inside = 0;
        for (const double value : map.values) inside += !std::isnan(value);
        REQUIRE(values.size() == 2 * inside);
        REQUIRE(corners.size() == 3 * values.size());
        for (size_t t = 0; t < values.size(); t += 2) {  // the diagonal of a pixel is the first and third corner
            const Point a = places[corners[3 * t]], b = places[corners[3 * t + 2]];
            const auto column = size_t(((a.x + b.x) / 2 - map.low.x) / map.size.x),
                       row = size_t(((a.y + b.y) / 2 - map.low.y) / map.size.y);
            REQUIRE(values[t] == float(map.values[row * map.columns + column]));
            REQUIRE(values[t + 1] == values[t]);
        }
        CHECK(made->scale.low < made->scale.high);
    }
}

TEST_CASE("intensity layer: fills a periodic box, and is left out without points or in space") {
    const DeviceUnderTest device = devices_under_test().front();
    ExploringLab torus(device, "build", generated("uniform:200@seed=2"), {{"domain", "torus"}, {"box", "1x1"}});
    Scene scene = torus.show({});
    IntensityLayer layer;
    layer.update(torus.context, scene, nullptr);
    layer.apply(scene);
    const Layer* const made = scene.layer(IntensityLayer::kName);
    REQUIRE(made);
    CHECK(made->periodic.has_value());
    CHECK(std::get<TrianglesLayer>(made->shape).count == 2 * 128 * 128);
    ExploringLab alone(device, "build", generated("uniform:1"));
    Scene none = alone.show({});
    layer.update(alone.context, none, nullptr);
    layer.apply(none);
    CHECK(!none.layer(IntensityLayer::kName));
}
