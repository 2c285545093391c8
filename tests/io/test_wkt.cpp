// Well-known text.
#include "io/wkt.h"

#include <cmath>
#include <string>

#include "input_files.h"
#include "io/pasted.h"
#include "io/structured_text.h"

using namespace flipscope;
using namespace flipscope::input_files;

TEST_CASE("WKT: a cell that is a point has its place, in any notation") {
    for (const char* cell :
         {"POINT (0.5 -2)", "point(0.5 -2)", " Point  ( +0.5\t-2e0 ) ", "POINT Z (0.5 -2 7)", "POINTZ(0.5 -2 7)",
          "POINT M (0.5 -2 7)", "POINT ZM (0.5 -2 7 8)", "POINT(0.5 -2 7)", "SRID=4326;POINT(0.5 -2)",
          "srid = 4326 ; POINT (0.5 -2)", "MULTIPOINT (0.5 -2)", "MULTIPOINT ((0.5 -2))"}) {
        INFO(std::string(cell));
        const auto place = io::wkt_point(cell);
        REQUIRE(place);
        CHECK(*place == Point{0.5, -2});
    }
    for (const char* cell : {"POINT EMPTY", "POINT Z EMPTY", "SRID=4326;POINT EMPTY", "POINT (NaN NaN)"}) {
        INFO(std::string(cell));
        const auto place = io::wkt_point(cell);
        REQUIRE(place);
        CHECK(std::isnan(place->x));
    }
}

TEST_CASE("WKT: any other cell is not a point") {
    for (const char* cell :
         {"", "POINT", "POINT (", "POINT (1)", "POINT (1 2", "POINT (1 2 3 4 5)", "POINT (1 2) 3", "POINT (1, 2)",
          "POINT (1 2x)", "POINT (1.2.3 4)", "POINTS (1 2)", "LINESTRING (1 2, 3 4)", "MULTIPOINT (1 2, 3 4)",
          "MULTIPOINT ((1 2), (3 4))", "1 2", "SRID=4326", "SRID=x;POINT (1 2)", "POINT (1e999x 2)"}) {
        INFO(std::string(cell));
        CHECK(!io::wkt_point(cell));
    }
}

TEST_CASE("WKT: shapes alone, one a line, and as Python prints them") {
    const std::vector<Point> two{{0.1, 2}, {-3, 4.5}};
    for (const char* text :
         {"MULTIPOINT (0.1 2, -3 4.5)", "MULTIPOINT ((0.1 2), (-3 4.5))", "MULTIPOINT ((0.1 2), EMPTY, (-3 4.5))",
          "POINT(0.1 2)\nPOINT(-3 4.5)", "POINT (0.1 2)\r\nPOINT EMPTY\r\nPOINT (-3 4.5)\r\n",
          "POINT Z (0.1 2 9)\nPOINT Z (-3 4.5 9)", "LINESTRING M (0.1 2 1, -3 4.5 2)",
          "LINESTRINGZM(0.1 2 1 7,-3 4.5 2 8)", "MULTILINESTRING ((0.1 2), EMPTY, (-3 4.5))",
          "SRID=28992;GEOMETRYCOLLECTION (POINT (0.1 2), GEOMETRYCOLLECTION (POINT (-3 4.5)))",
          "POLYGON ((0.1 2, -3 4.5, 0.1 2))", "polygon((0.1 2, -3 4.5))", "MULTIPOLYGON (((0.1 2)), ((-3 4.5)))",
          "\"POINT (0.1 2)\"\n\"POINT (-3 4.5)\"", "wkt\nPOINT (0.1 2)\nPOINT (-3 4.5)",
          "[<POINT (0.1 2)>, <POINT (-3 4.5)>]",
          "0    POINT (0.10000 2.00000)\n1    POINT (-3.00000 4.50000)\ndtype: geometry"}) {
        INFO(std::string(text));
        REQUIRE(io::looks_like_structured_text(text));
        CHECK(read("a.wkt", text).points == two);
        CHECK(read_pasted(text).points == two);
    }
}

TEST_CASE("WKT: rows, heights, measures, areas and degrees") {
    std::vector<std::string> notes;
    const Geometry all = read("a.wkt",
                              "SRID=4326;POINT ZM (1 2 3 4)\nSRID=4326;LINESTRING (5 6, 7 8)\n"
                              "SRID=4326;POLYGON ((0 0, 4 0, 4 4, 0 0), (2 1, 3 1, 3 2, 2 1))\n",
                              &notes);
    CHECK(all.points == std::vector<Point>{{1, 2}, {5, 6}, {7, 8}});
    CHECK(all.rows == std::vector<uint64_t>{0, 1, 1});
    REQUIRE(all.attributes);
    CHECK(all.attributes->at(0).name == "z");
    CHECK(all.attributes->at(0).values[0] == 3);
    CHECK(all.attributes->at(1).values[0] == 4);
    REQUIRE(all.areas);
    CHECK(all.areas->at(0).rings.at(1) == std::vector<Point>{{2, 1}, {3, 1}, {3, 2}});
    CHECK(all.segments == std::vector<std::array<uint32_t, 2>>{{1, 2}});
    CHECK(all.unit == "°");
    CHECK(notes == std::vector<std::string>{
                       "a.wkt: x is longitude and y is latitude, in degrees; vertices of 1 line are "
                       "points, 1 segment kept; 1 polygon kept as areas, their corners not as points; 2 columns "
                       "kept"});
}

TEST_CASE("WKT: the vertices of each line are joined by segments, and nothing else is") {
    const Geometry lines = read("a.wkt",
                                "GEOMETRYCOLLECTION (LINESTRING (0 0, 1 0, 1 1), POINT (2 2), LINESTRING (3 3, 3 4))\n"
                                "MULTILINESTRING ((5 5, 6 6), EMPTY, (7 7), (8 8, nan nan, 9 9, 9 8))\nPOINT (0 0)");
    CHECK(lines.points.size() == 13);
    CHECK(lines.segments == std::vector<std::array<uint32_t, 2>>{{0, 1}, {1, 2}, {4, 5}, {6, 7}, {10, 11}});
}

TEST_CASE("WKT: malformed shapes are refused with their line") {
    CHECK(refusal("a.wkt", "POINT (1 2)\nPOINT (3 x)") == "a.wkt:2: expected two numbers, found \"x)\"");
    CHECK(refusal("a.wkt", "LINESTRING (1 2, 3") == "a.wkt:1: expected two numbers, found the end");
    CHECK(refusal("a.wkt", "MULTIPOINT (1 2") == "a.wkt:1: expected a comma or a closing parenthesis, found the end");
    CHECK(refusal("a.wkt", "POINT (1 2)\nCIRCULARSTRING (1 2, 3 4, 5 6)").find("a.wkt:2: CIRCULARSTRING is not read") ==
          0);
    CHECK(refusal("a.wkt", "POINT (1e300 2)").find("a.wkt:1: x is 1e+300, too large") == 0);
    CHECK(refusal("a.wkt", "POINT EMPTY") == "a.wkt: no points found in 1 feature");
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += "GEOMETRYCOLLECTION (";
    CHECK(contains(refusal("a.wkt", deep), "nested more than 32 deep"));
}
