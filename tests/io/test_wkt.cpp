// Well-known text.
#include "io/wkt.h"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

using namespace flipscope;

TEST_CASE("WKT: a cell that is a point gives its place, however it is written") {
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

TEST_CASE("WKT: a cell that is anything else gives nothing") {
    for (const char* cell :
         {"", "POINT", "POINT (", "POINT (1)", "POINT (1 2", "POINT (1 2 3 4 5)", "POINT (1 2) 3", "POINT (1, 2)",
          "POINT (1 2x)", "POINT (1.2.3 4)", "POINTS (1 2)", "LINESTRING (1 2, 3 4)", "MULTIPOINT (1 2, 3 4)",
          "MULTIPOINT ((1 2), (3 4))", "1 2", "SRID=4326", "SRID=x;POINT (1 2)", "POINT (1e999x 2)"}) {
        INFO(std::string(cell));
        CHECK(!io::wkt_point(cell));
    }
}
