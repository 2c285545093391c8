// What labs tell: values as text, and that reports of real labs hold numbers, with highlights that fit them.
#include "lab/report.h"

#include <doctest/doctest.h>

#include <cmath>

#include "delaunay/runs.h"
#include "geometry/generators.h"
#include "lab/facets.h"
#include "lab/parameters.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

Input uniform(int count) {
    return std::make_shared<const Geometry>(generate(parse_generator("uniform:" + std::to_string(count) + "@seed=3")));
}

}  // namespace

TEST_CASE("report: a value is written by its kind, with the digits that count and units that belong to it") {
    CHECK(text_of({}).empty());
    CHECK(text_of(true) == "yes");
    CHECK(text_of(false) == "no");
    CHECK(text_of(7u) == "7");
    CHECK(text_of(uint64_t(1) << 40) == "1099511627776");
    CHECK(text_of(0.1 + 0.2) == "0.3");
    CHECK(text_of(Value::exactly(0.1 + 0.2)) == "0.30000000000000004");
    CHECK(text_of(Value(30.0, "°")) == "30°");
    CHECK(text_of(Value(1.5, "rad")) == "1.5 rad");
    CHECK(text_of(Value(1.5, "world units")) == "1.5");
    CHECK(text_of(Value(1.5).within(0.25)) == "1.5 ± 0.25");
    CHECK(text_of(Point{5402320.25, -3}) == "5402320.25, -3");
    CHECK(text_of(Value(Point{1.0 / 3, 2}, "world units", 1e-3)) == "0.333, 2");
    CHECK(text_of(Point3{1, 2, 3}) == "1, 2, 3");
    CHECK(text_of(std::vector<int64_t>{3, 7}) == "3, 7");
    CHECK(text_of(std::vector<Value::Pair>{{3, 7}, {4, 9}}) == "3–7, 4–9");
    CHECK(text_of(Value(std::vector<double>{30, 60.5}, "°")) == "30°, 60.5°");
    CHECK(text_of("flat") == "flat");
    CHECK(remark_of({"Length", Value(1.5, "world units"), "rounded"}) == "world units, rounded");
    CHECK(remark_of({"Angle", Value(1.5, "°"), "rounded"}) == "rounded");
    CHECK(remark_of({"Cell", Value::count(1, "pixel", "pixels")}) == "pixel");
    CHECK(Value(2.5).number() == 2.5);
    CHECK(Value(2u).number() == 2);
    CHECK(std::isnan(Value("two").number()));
}

TEST_CASE("report: a table makes its rows when they are asked for, and a report finds its properties") {
    size_t made = 0;
    Table table;
    table.columns = {{"square", ""}};
    table.row_count = 1'000'000'000;
    table.row = [&](size_t i) {
        ++made;
        return Table::Row{{i * i}};
    };
    Report report;
    report.add("Squares", "", table);
    CHECK(made == 0);
    CHECK(text_of(report.all<Table>()[0].row(12).cells[0]) == "144");
    CHECK(made == 1);

    Properties first, second;
    first.add("a", 1);
    second.add("b", 2.0);
    report.add(first);
    report.add(Properties{});
    report.add(second);
    CHECK(report.sections.size() == 3);  // nothing is no section
    CHECK(report.properties().size() == 2);
    REQUIRE(report.find("b"));
    CHECK(report.find("b")->value.number() == 2);
    CHECK_FALSE(report.find("c"));
    CHECK(report.has<Table>());
    CHECK_FALSE(report.has<Curve>());
}

TEST_CASE("report: of a triangle the circumcircle is highlighted, and goes through its corners") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = make_lab("build");
    const Input input = uniform(200);
    lab->reset(context, input);
    lab->finish({});
    const Scene scene = lab->scene();
    size_t circles = 0;
    for (uint32_t t = 0; t < scene.count_of(ElementKind::kTriangle); ++t) {
        const Report report = facet<Inspectable>(*lab).inspect({ElementKind::kTriangle, t});
        const std::vector<Point3> corners = scene.corners_of({ElementKind::kTriangle, t});
        if (corners.size() < 3) {
            CHECK(report.highlights.empty());  // a ghost has no circle
            continue;
        }
        REQUIRE(report.highlights.size() == 1);
        const Highlight& circle = report.highlights[0];
        REQUIRE(circle.kind == Highlight::Kind::kCircle);
        CHECK(circle.name == "circumcircle of triangle " + std::to_string(t));
        CHECK(circle.radius == report.find("Circumradius")->value.number());
        for (const Point3& corner : corners)
            CHECK(std::hypot(corner.x - circle.places[0].x, corner.y - circle.places[0].y) ==
                  doctest::Approx(circle.radius).epsilon(1e-6));
        // With its unit, and as a number.
        CHECK(report.find("Area")->value.number() > 0);
        CHECK(report.find("Area")->value.unit == "world units squared");
        ++circles;
    }
    CHECK(circles > 300);
}

TEST_CASE("report: of a deferred edge those are highlighted that have precedence") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = make_lab("flip");
    lab->reset(context, uniform(300));
    StepResult result;
    do result = lab->step();
    while (lab->info().passes[result.pass].name != "claim");
    const Scene scene = lab->scene();
    size_t deferred = 0;
    for (uint32_t edge = 0; edge < scene.count_of(ElementKind::kEdge); ++edge) {
        const Report report = facet<Inspectable>(*lab).inspect({ElementKind::kEdge, edge});
        const Property* last = report.find("Last pass");
        if (!last || text_of(last->value) != "deferred") continue;
        size_t lines = 0;
        for (const Highlight& highlight : report.highlights) {
            if (highlight.kind == Highlight::Kind::kCircle) {
                CHECK(highlight.role == Role::kIllegal);
                continue;
            }
            if (!highlight.name.starts_with("edge "))
                continue;  // its triangles, the opposite vertices, the other diagonal
            ++lines;
            CHECK((highlight.role == Role::kGranted || highlight.role == Role::kDeferred));
            // It is an edge of the scene, and named by its id.
            const auto id = static_cast<uint32_t>(std::stoul(highlight.name.substr(5)));
            const std::vector<Point3> ends = scene.corners_of({ElementKind::kEdge, id});
            REQUIRE(ends.size() == 2);
            REQUIRE(highlight.places.size() == 2);
            CHECK(((ends[0] == highlight.places[0] && ends[1] == highlight.places[1]) ||
                   (ends[0] == highlight.places[1] && ends[1] == highlight.places[0])));
            CHECK(last->why.find("edge " + std::to_string(id)) != std::string::npos);
        }
        deferred += lines > 0;
    }
    CHECK(deferred > 10);
}

TEST_CASE("report: one of a unit stands in the singular") {
    CHECK(unit_behind(1, "pixels") == "pixel");
    CHECK(unit_behind(1, "world units squared") == "world unit squared");
    CHECK(unit_behind(1, "units of the input") == "unit of the input");
    CHECK(unit_behind(2, "pixels") == "pixels");
    CHECK(unit_behind(1, "ms") == "ms");
}
