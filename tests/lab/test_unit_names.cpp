// The input's unit in place of "world units".
#include "lab/unit_names.h"

#include <doctest/doctest.h>

using namespace flipscope;

TEST_CASE("units: lengths, areas, densities and axes have the name of the input's unit, or stay as they are") {
    CHECK(in_unit("world units", "nm") == "nm");
    CHECK(in_unit("world units²", "nm") == "nm²");
    CHECK(in_unit("world units squared", "nm") == "nm²");
    CHECK(in_unit("per world unit²", "nm") == "1/nm²");
    CHECK(in_unit("wave number k (radians per world unit)", "µm") == "wave number k (radians per µm)");
    CHECK(in_unit("world units per time", "m") == "m per time");
    CHECK(in_unit("lattice units", "nm") == "lattice units");
    CHECK(in_unit("world units", "") == "world units");

    Report report;
    Properties properties;
    properties.add("Length", Value(2.0, "world units"), "in world units");
    properties.add("Angle", Value(2.0, "°"));
    report.add(properties);
    report.add(Distribution{"areas", "", "world units²", 0, 1, {}, {1}});
    Curve curve;
    curve.x_name = "distance r (world units)";
    report.add(curve);
    report.add("Table", "", Table::of({{"force", "world units per time"}}, {{{Value(1.0, "world units")}}}));
    name_units(report, "cm");
    CHECK(report.find("Length")->value.unit == "cm");
    CHECK(report.find("Length")->why == "in cm");
    CHECK(report.find("Angle")->value.unit == "°");
    CHECK(report.all<Distribution>()[0].unit == "cm²");
    CHECK(report.all<Curve>()[0].x_name == "distance r (cm)");
    CHECK(report.all<Table>()[0].columns[0].sentence == "cm per time");
    CHECK(report.all<Table>()[0].row(0).cells[0].unit == "cm");
}

TEST_CASE("units: a picture of a lattice has the size of its pixels, whichever of its layers tells it") {
    Scene scene;
    CHECK(units_of(scene, "mm").size() == 1);
    LatticeLayer cells{8, 8}, marks{8, 8};
    cells.units = {{10, 20}, {0.5, 0.5}};
    scene.layers.push_back({"cells", "Cells", "", true, cells});
    scene.layers.push_back({"marks", "Marks", "", true, marks});
    const PictureUnits units = units_of(scene, "mm");
    CHECK(units.size() == 0.5);
    CHECK(units.given.as_given({2, 4}) == Point{11, 22});
    CHECK(units.behind() == " mm");
    CHECK(units.axis("x") == "x (mm)");
    CHECK(units_of(scene, "").axis("x") == "x");
}
