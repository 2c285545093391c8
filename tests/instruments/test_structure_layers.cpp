// Structures as layers, tables and answers of the inspector, in labs that triangulate points of the plane.
#include "instruments/structures.h"

#include <variant>

#include "compute/error.h"
#include "geometry/generators.h"
#include "instruments/exploring_lab.h"
#include "lab/facets.h"

using namespace flipscope;

namespace {

uint32_t count_in(const Scene& scene, const char* id) {
    const Layer* const layer = scene.layer(id);
    return layer ? std::visit([](const auto& shape) { return uint32_t(shape.element_count()); }, layer->shape) : 0;
}

std::shared_ptr<const Geometry> points_of(const char* text) {
    return std::make_shared<const Geometry>(generate(parse_generator(text)));
}

}  // namespace

TEST_CASE("structure layers: every lab draws the same graphs of the same points, and only those that are shown") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* id : {"build", "strips", "flip"}) {
            INFO(id, ", ", device.name);
            ExploringLab shown(device, id, points_of("uniform:300@seed=3"));
            CHECK(!shown.show({}).layer("gabriel"));
            ExplorationChoice choice;
            choice.structures = {(1u << kStructureCount) - 1, 2, 0};
            const Scene& scene = shown.show(choice);
            const uint32_t tree = count_in(scene, "mst"), relative = count_in(scene, "rng"),
                           gabriel = count_in(scene, "gabriel"), nearest = count_in(scene, "nearest");
            CHECK(tree == 299);
            CHECK(nearest < tree);
            CHECK(tree < relative);
            CHECK(relative < gabriel);
            CHECK(count_in(scene, "beta-skeleton") == relative);
            CHECK(count_in(scene, "hull") == shown.lab->result().hull_edges);
            CHECK(count_in(scene, "circumcircles") <= shown.lab->result().triangles);
            CHECK(count_in(scene, "voronoi") <= shown.lab->result().edges);
            CHECK(count_in(scene, "circumcircles") > 0.9 * double(shown.lab->result().triangles));
            CHECK(count_in(scene, "voronoi") > 0.9 * double(shown.lab->result().edges));
            CHECK(count_in(scene, "alpha-shape") > 0);
            for (const StructureInfo& info : structure_infos())
                CHECK(shown.exploration.structures().absence(info.kind).empty());
            choice.structures.shown = 1u << uint32_t(StructureKind::kGabriel);
            CHECK(count_in(shown.show(choice), "gabriel") == gabriel);
            CHECK(!shown.scene.layer("mst"));
        }
}

TEST_CASE("structure layers: graphs of Delaunay triangulations are not shown while an edge is illegal") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        ExploringLab shown(device, "flip", points_of("uniform:100"));
        shown.lab->reset(shown.context, shown.input);
        ExplorationChoice choice;
        choice.structures.shown = (1u << kStructureCount) - 1;
        const Scene& scene = shown.show(choice);
        CHECK(!scene.layer("mst"));
        CHECK(!scene.layer("rng"));
        CHECK(shown.exploration.structures().absence(StructureKind::kRelative) ==
              "the triangulation is not Delaunay in this state");
        REQUIRE(scene.layer("gabriel"));
        CHECK(contains(scene.layer("gabriel")->sentence, "not Delaunay yet"));
    }
}

TEST_CASE("structure tables: edges by rows of the input, and the ends of Voronoi edges") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        auto square = std::make_shared<Geometry>();
        square->points = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {2, 2}, {2, 2}};
        const MeasuredLab shown(device, "strips", square);
        CHECK(shown.table(ElementTable::kGabriel).row_count == 8);  // corners lie on the circles of the sides' centres
        CHECK(shown.table(ElementTable::kRelative).row_count == 4);
        CHECK(shown.table(ElementTable::kHull).row_count == 4);
        CHECK(shown.table(ElementTable::kTree).row_count == 4);
        const Table voronoi = shown.table(ElementTable::kVoronoi);
        CHECK(voronoi.row_count == 8);
        size_t unbounded = 0;
        for (size_t i = 0; i < voronoi.row_count; ++i)
            for (const Value& cell : voronoi.row(i).cells) unbounded += cell.empty();
        CHECK(unbounded == 8);  // x and y of four rays
    }
}

TEST_CASE("structure layers: in the middle of a round, with stale incidence and flat triangles, nothing is claimed") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        ExploringLab shown(device, "build", points_of("grid:25"));
        set_parameter(*shown.lab, "seeding", "triangle");
        shown.lab->reset(shown.context, shown.input);
        ExplorationChoice choice;
        choice.structures.shown = (1u << kStructureCount) - 1;
        size_t unknown = 0;
        while (!shown.lab->done()) {
            shown.lab->step();
            const Scene& scene = shown.show(choice);
            for (uint32_t e = 0; scene.mesh && e < scene.mesh->edge_count; ++e) {
                const Report report = facet<Inspectable>(*shown.lab).inspect({ElementKind::kEdge, e});
                unknown += report.find("Other structures") != nullptr;
            }
            if (const Layer* tree = scene.layer("mst")) CHECK(!tree->empty());
        }
        CHECK(unknown > 0);
        CHECK(count_in(shown.scene, "mst") == 24);
    }
}

TEST_CASE("structure layers: circumcentres are not taken for the vertices of these numbers") {
    ExploringLab shown(devices_under_test().front(), "strips", points_of("uniform:20"));
    const std::vector<Point3> before = shown.scene.view(0).corners_of({ElementKind::kVertex, 3});
    const Scene& scene = shown.show({.structures = {1u << uint32_t(StructureKind::kCircumcentres)}});
    REQUIRE(count_in(scene, "circumcentres") > 0);
    const std::vector<Point3> after = scene.view(0).corners_of({ElementKind::kVertex, 3});
    CHECK(after.at(0).x == before.at(0).x);
    CHECK(after.at(0).y == before.at(0).y);
}

TEST_CASE("structures in the inspector: the point that excludes an edge is named") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        auto flat = std::make_shared<Geometry>();
        flat->points = {{0, 0}, {10, 0}, {5, 1}};
        ExploringLab shown(device, "strips", flat);
        bool found = false;
        for (uint32_t e = 0; e < shown.scene.mesh->edge_count; ++e) {
            const Report report = facet<Inspectable>(*shown.lab).inspect({ElementKind::kEdge, e});
            const Property* const gabriel = report.find("Gabriel graph");
            if (!gabriel || text_of(gabriel->value) != "no") continue;
            CHECK(contains(gabriel->why, "lies inside the circle with this edge as its diameter"));
            CHECK(text_of(report.find("Relative neighbourhood graph")->value) == "no");
            CHECK(text_of(report.find("β-skeleton")->value).starts_with("β ≤ 0."));
            CHECK(text_of(report.find("α-complex")->value) == "α ≥ 13");  // the circumradius
            found = true;
        }
        CHECK(found);
    }
}
