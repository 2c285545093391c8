// Before its first pass a lab may have an empty scene: the picture then shows the points of the input.
#include "instruments/input_scene.h"

#include <algorithm>

#include "delaunay/inputs.h"
#include "delaunay/runs.h"
#include "geometry/bounds.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

namespace {

bool has_lattice(const Scene& scene) {
    return std::any_of(scene.layers.begin(), scene.layers.end(),
                       [](const Layer& layer) { return std::holds_alternative<LatticeLayer>(layer.shape); });
}

}  // namespace

TEST_CASE("input scene: no lab of the plane has an empty picture before its first pass") {
    const auto input = generated("uniform:12");
    const Bounds bounds = bounds_of(input->points);
    for (const DeviceUnderTest& device : devices_under_test())
        for (const RegistryEntry& entry : registry()) {
            if (!entry.info().inputs.has(InputKind::kPoints)) continue;
            INFO(entry.id << " on " << device.name);
            Context context(entry.info().on_cpu_only ? DeviceRequest::kCpu : device.request, device.threads);
            const auto lab = started(context, input, entry.id);
            InputScene points;
            const Scene own = lab->scene();
            const Scene shown = points.with_input(context, own, input);
            if (has_lattice(own)) continue;  // whose pixels are not the coordinates of the input
            CHECK_FALSE(shown.nothing_to_draw());
            if (!own.nothing_to_draw()) continue;
            CHECK(shown.low == bounds.low);
            CHECK(shown.high == bounds.high);
            CHECK(shown.count_of(ElementKind::kVertex) == 12);
            const auto corners = shown.corners_of({ElementKind::kVertex, 7});
            REQUIRE(corners.size() == 1);
            CHECK(Point{corners[0].x, corners[0].y} == input->points[7]);
            CHECK(shown.toggles().size() >= own.toggles().size());  // what can be hidden later can be hidden now
        }
}

TEST_CASE("input scene: what draws something is left as it is, and another input takes the place of the one before") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = make_lab("build");
    InputScene points;
    const auto few = generated("uniform:5"), more = generated("grid:9");
    lab->reset(context, few);
    CHECK(points.with_input(context, lab->scene(), few).count_of(ElementKind::kVertex) == 5);
    lab->reset(context, more);
    CHECK(points.with_input(context, lab->scene(), more).count_of(ElementKind::kVertex) == 9);
    lab->finish({});
    const Scene own = lab->scene(), shown = points.with_input(context, own, more);
    CHECK(shown.layers.size() == own.layers.size());
    CHECK(shown.mesh == own.mesh);
    CHECK(points.with_input(context, Scene(), nullptr).nothing_to_draw());
}
