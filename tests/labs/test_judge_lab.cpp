// The Judge lab: the result of judge(), drawn and listed next to the exact triangulation.
#include <algorithm>
#include <set>

#include "delaunay/inputs.h"
#include "delaunay/runs.h"
#include "flipscope/triangulate.h"
#include "geometry/generators.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

namespace {

std::shared_ptr<const Geometry> kite() {
    return std::make_shared<const Geometry>(
        Geometry{"kite", {{0, 0}, {4, -1}, {8, 0}, {4, 1}}, {}, {{0, 1, 2}, {0, 2, 3}}});
}

/// A pentagon with a cross of two edges, a hole, an unused point and an index that does not exist.
std::shared_ptr<const Geometry> broken() {
    return std::make_shared<const Geometry>(
        Geometry{"broken", {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 6}, {3, 1}}, {}, {{0, 1, 2}, {1, 3, 0}, {2, 9, 3}}});
}

std::vector<State> states(const SceneView& view, ElementKind kind) { return view.states_of(kind)->download(); }

}  // namespace

TEST_CASE("judge lab: an illegal edge is marked and listed, and the edges in which the two differ are in both views") {
    on_every_device([&](Context& context) {
        const auto lab = started(context, kite(), "judge");
        CHECK_FALSE(lab->done());
        CHECK(lab->next_pass() == 0);
        CHECK_FALSE(facet<Checkable>(*lab).check().passed);
        const StepResult result = lab->step();
        CHECK(lab->done());
        CHECK(result.breakpoint_hit);
        CHECK(result.counters == std::vector<int64_t>{1, 1, 1, 0, 0});
        const CheckReport report = facet<Checkable>(*lab).check();
        CHECK_FALSE(report.passed);
        REQUIRE(report.failures.size() == 1);
        const Scene scene = lab->scene();
        REQUIRE(scene.view_count() == 2);
        const Element edge = report.failures[0].elements[0];
        CHECK(scene.corners_of(edge) == std::vector<Point3>{{0, 0, 0}, {8, 0, 0}});
        CHECK((states(scene, ElementKind::kEdge)[edge.id] & kStateIllegal) != 0);
        const std::vector<State> exact = states(scene.view(1), ElementKind::kEdge);
        CHECK(std::count_if(exact.begin(), exact.end(), [](State s) { return s != 0; }) == 1);
        const auto listed = facet<Detector>(*lab).detections(0);
        REQUIRE(listed.size() == 2);
        CHECK(listed[0].kind == "missed");
        CHECK(listed[0].vertices == std::vector<int64_t>{1, 3});
        CHECK(listed[1].kind == "spurious");
        Report told = facet<Inspectable>(*lab).inspect(edge);
        REQUIRE(told.find("Legal"));
        CHECK(told.find("Legal")->value == Value(false));
        CHECK(told.find("At fault")->value == Value("illegal-edge"));
        CHECK(told.find("Difference")->value == Value("spurious"));
        CHECK(std::count_if(told.highlights.begin(), told.highlights.end(), [](const Highlight& one) {
                  return one.kind == Highlight::Kind::kCircle && one.role == Role::kIllegal;
              }) == 2);
    });
}

TEST_CASE("judge lab: what is no triangulation at all is drawn as far as it can be, with every defect listed") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, broken(), "judge");
    const CheckReport report = facet<Checkable>(*lab).check();
    std::set<std::string> codes;
    for (const CheckFailure& failure : report.failures) codes.insert(failure.code);
    for (const char* code : {"missing-vertex", "crossing-edges", "overlapping-triangles", "unused-point",
                             "missing-area", "missing-hull-edge"}) {
        INFO(code);
        CHECK(codes.count(code) == 1);
    }
    const Scene scene = lab->scene();
    CHECK(scene.layer("holes"));
    CHECK(scene.layer("hull"));
    CHECK(scene.count_of(ElementKind::kTriangle) == 3);
    for (const CheckFailure& failure : report.failures)
        for (const Element& element : failure.elements) CHECK(element.id < scene.count_of(element.kind));
    const Element picked = facet<Inspectable>(*lab).pick({{4, 4}, 0.1, {}, 1});
    CHECK(picked.kind == ElementKind::kVertex);
    CHECK(picked.id == 2);
    CHECK(picked.part == 1);
}

TEST_CASE("judge lab: the exact triangulation passes, points alone are shown as such, and surfaces are refused") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = make_lab("judge");
    Geometry made = generate(parse_generator("grid:400"));
    made.triangles = triangulate(context, made.points).triangles;
    lab->reset(context, std::make_shared<const Geometry>(made));
    lab->finish({});
    CHECK(facet<Checkable>(*lab).check().passed);
    CHECK(facet<Detector>(*lab).detection_count() == 0);
    CHECK(lab->result().numbers.find("Delaunay")->value == Value("yes"));

    lab->reset(context, generated("uniform:50"));
    lab->finish({});
    CHECK_FALSE(facet<Checkable>(*lab).check().passed);
    CHECK_FALSE(facet<Checkable>(*lab).check().checked);
    CHECK(lab->soup().triangles.empty());
    CHECK_THROWS_AS(lab->reset(context, generated("torus-knot:500")), Error);
    for (const char* points : {"uniform:0", "uniform:1", "line:5"}) {
        INFO(points);
        lab->reset(context, generated(points));
        lab->finish({});
        CHECK(facet<Checkable>(*lab).check().passed);
        CHECK_NOTHROW(lab->scene());
    }
}
