// Tables of text from practice: separators, numbers, lines before the rows, the meaning of columns.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "geometry/frames.h"
#include "geometry/generators.h"
#include "input_files.h"
#include "io/fields.h"
#include "io/pasted.h"
#include "io/table.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

const Points kPair = {{1, 2}, {3.5, -4e10}};

Points points_of(const std::string& content, const std::string& name = "a.csv") { return read(name, content).points; }

Geometry read_with(const std::string& content, const std::vector<std::pair<std::string, std::string>>& options,
                   const std::string& name = "a.csv", Notes* notes = nullptr) {
    ReadOptions reading;
    for (const auto& [option, value] : options) reading.set(option, value);
    return read(name, content, notes, reading);
}

std::string utf_16(const std::string& text, bool little, bool mark) {
    std::string made = !mark ? "" : little ? "\xff\xfe" : "\xfe\xff";
    for (const char c : text) made += little ? std::string{c, '\0'} : std::string{'\0', c};
    return made;
}

}  // namespace

TEST_CASE("tables: blanks, tabs, commas, semicolons and bars separate, with any line ends") {
    for (const std::string content :
         {"1 2\n3.5 -4e10\n", "1\t2\n3.5\t-4e10", "1,2\r\n3.5,-4e10\r\n", "1;2\n3.5;-4e10\n", "1|2\n3.5|-4e10\n",
          "  1 , 2  \n\t3.5 ,\t-4e10 \n", "1 2\r3.5 -4e10\r", "+1 +2\n3.5 -4E+10", "1\t\t2\n3.5\t\t-4e10\n",
          "\xef\xbb\xbf"
          "1 2\n3.5 -4e10\n"}) {
        CAPTURE(content);
        for (const char* name : {"a.xy", "a.CSV", "a.dat", "a.pts", "a.asc", "a.unknown", "without"})
            CHECK(points_of(content, name) == kPair);
        CHECK(notes_of("a.xy", content).empty());
    }
}

TEST_CASE("tables: the header says which columns are x and y, in any order, with units, prefixes and in any case") {
    constexpr std::string_view kHeaders =
        "X,Y|x [nm],y [nm]|x_um,y_um|POSITION_X,POSITION_Y|Location_Center_X,Location_Center_Y|lon,lat|"
        "Longitude,Latitude|easting,northing|E,N|ra,dec|RAJ2000,DEJ2000|centroid_x,centroid_y|"
        "x (mm),y (mm)|xcoord,ycoord|Pos X,Pos Y|centerX,centerY|\"X\",\"Y\"|axis-1,axis-0|"
        "centroid-1,centroid-0|column,row|gps_lng,gps_lat|X Position,Y Position|x_wgs84,y_wgs84";
    for (const std::string& header : parts_of(kHeaders)) {
        CAPTURE(header);
        const size_t comma = header.find(',');
        const std::string x = header.substr(0, comma), y = header.substr(comma + 1);
        CHECK(points_of(header + "\n1,2\n3.5,-4e10\n") == kPair);
        CHECK(points_of(y + "," + x + "\n2,1\n-4e10,3.5\n") == kPair);
        CHECK(points_of("id," + x + "," + y + ",mass\n7,1,2,5\n9,3.5,-4e10,6\n") == kPair);
        CHECK(points_of(y + ";weight;kind;" + x + "\n2;0.5;a b;1\n-4e10;1;c;3.5\n") == kPair);
    }
    // The exact name is better than one with words around it, and a pair has the same words around.
    CHECK(points_of("Center_X,x,y,Center_Y\n9,1,2,9\n9,3.5,-4e10,9\n") == kPair);
    CHECK(
        points_of("Location_Center_X,Location_CenterMassIntensity_X,Location_Center_Y,Location_CenterMassIntensity_Y\n"
                  "1,8,2,9\n3.5,8,-4e10,9\n") == kPair);
}

TEST_CASE("tables: one note states the columns in use, and a plain table has none") {
    const Notes said =
        notes_of("cells.csv", "ImageNumber,Location_Center_X,Location_Center_Y,Area\n1,1,2,9\n1,3,4,8\n");
    REQUIRE(said.size() == 1);
    CHECK(said[0] ==
          "cells.csv: x from \"Location_Center_X\", y from \"Location_Center_Y\"; 2 columns kept: ImageNumber, Area");
    for (const std::string plain : {"x,y\n1,2\n", "1 2\n", "X;Y\n1;2\n", "x,y,name\n1,2,Oslo\n"})
        CHECK(notes_of("a.csv", plain).empty());
    CHECK(any_contains(notes_of("a.csv", "lat,lon\n41.2,-95.6\n41.3,-95.5\n"), "distances and areas are in degrees"));
}

TEST_CASE("tables: a first column that counts the rows is an index, with a note") {
    const std::string rows = "0,5,6\n1,7,8\n2,9,1\n3,2,2\n";
    CHECK(points_of(rows) == Points{{5, 6}, {7, 8}, {9, 1}, {2, 2}});
    CHECK(any_contains(notes_of("a.csv", rows), "column 1 counts the rows"));
    CHECK(points_of("a,b,c\n" + rows) == Points{{5, 6}, {7, 8}, {9, 1}, {2, 2}});
    CHECK(read_with(rows, {{"columns", "x=1,y=2"}}).points == Points{{0, 5}, {1, 7}, {2, 9}, {3, 2}});
    // pandas writes an index without a name, R leaves its name out.
    CHECK(points_of(",x,y\n0,5,6\n1,7,8\n2,9,1\n") == Points{{5, 6}, {7, 8}, {9, 1}});
    CHECK(points_of("Unnamed: 0,x,y\n17,5,6\n4,7,8\n") == Points{{5, 6}, {7, 8}});
    const Geometry r = read("r.txt", "\"x\" \"y\" \"mass\"\n\"a\" 5 6 1\n\"b\" 7 8 2\n");
    CHECK(r.points == Points{{5, 6}, {7, 8}});
    CHECK(r.names == Notes{"a", "b"});
    CHECK(column(r, "mass").values == std::vector<double>{1, 2});
    // Two columns are x and y; where x counts the rows, that is asked about.
    CHECK(points_of("1 5\n2 7\n3 9\n4 8\n").front() == Point{1, 5});
    CHECK(any_contains(notes_of("a.xy", "1 5\n2 7\n3 9\n4 8\n"), "x counts the rows; is it an index?"));
}

TEST_CASE("tables: options choose columns, decimal mark, separator and unit") {
    const std::string content = "a;b;c;x;y\n1,5;2;3;9;9\n2,5;4;7;9;8\n";
    CHECK(read_with(content, {{"columns", "x=a,y=C"}}).points == Points{{1.5, 3}, {2.5, 7}});
    CHECK(read_with(content, {{"columns", "y=1,x=2"}}).points == Points{{2, 1.5}, {4, 2.5}});
    CHECK(read_with("x,y\n1.234,5\n2.345,6\n", {{"decimal", ","}, {"separator", "comma"}}).points.empty() == false);
    CHECK(read_with("1;2\n3;4\n", {{"unit", "mm"}}).unit == "mm");
    CHECK(read_with("x [nm],y [nm]\n1,2\n", {}).unit == "nm");
    CHECK(read_with("x_um y_um\n1 2\n", {}).unit == "um");
    const Geometry down = read_with("x,y\n1,2\n3,0\n", {{"y", "down"}});
    CHECK(down.points == Points{{1, -2}, {3, 0}});
    CHECK(down.y_down);
    CHECK(!std::signbit(down.points[1].y));
    CHECK(contains(error_of([&] {
                       read_with(content, {{"columns", "x=lon"}});
                   }),
                   "there is no column \"lon\" for x; its columns are \"a\", \"b\", \"c\", \"x\", \"y\""));
    ReadOptions options;
    CHECK_THROWS_WITH_AS(options.set("columns", "u=1"), doctest::Contains("expected ROLE=COLUMN"), Error);
    CHECK_THROWS_WITH_AS(options.set("decimal", "x"), doctest::Contains("expected point or comma"), Error);
    options.set("columns", "x=a, b=c,y=d");
    CHECK(options.columns.size() == 2);
    CHECK(options.columns[0].name == "a, b=c");
    options.set("separator", "tab");
    options.set("y", "down");
    ReadOptions again;
    for (const auto& [option, value] : options.texts()) again.set(option, value);
    CHECK(again.texts() == options.texts());
}

TEST_CASE("tables: the column chosen for radii is the first and is called radius, in files of any format") {
    const std::string content = "x,y,Radius,Colour,Bright [nm]\n1,2,5,a,0.5\n3,4,6,b,0.25\n";
    const std::string over_time =
        "t,id,x,y,Radius,Bright [nm]\n0,1,1,2,5,0.5\n0,2,3,4,6,0.25\n1,1,1,2,5,0.75\n1,2,3,4,6,1\n";
    const std::string atoms =
        "2\nProperties=species:S:1:pos:R:3:radius:R:1:Bright:R:1\nA 1 2 0 5 0.5\nA 3 4 0 6 0.25\n";
    for (const char* name : {"Bright", "bright", "Bright [nm]"}) {
        Notes notes;
        const Geometry made = read_with(content, {{"columns", "radius=" + std::string(name)}}, "a.csv", &notes);
        REQUIRE(made.attributes->size() == 3);
        CHECK(made.attributes->at(0).name == "radius");
        CHECK(made.attributes->at(0).values == std::vector<double>{0.5, 0.25});
        CHECK(made.attributes->at(0).unit == "nm");
        CHECK(made.attributes->at(1).name == "input Radius");
        CHECK(any_contains(notes, "a.csv: radius from \"Bright\""));
    }
    CHECK(read_with(content, {{"columns", "radius=Radius"}}).attributes->at(0).name == "Radius");
    CHECK(read_with("1 2 7\n3 4 8\n5 6 9\n", {{"columns", "x=1,y=2,radius=3"}}).attributes->at(0).name == "radius");
    const Geometry tracks = read_with(over_time, {{"columns", "radius=Bright"}});
    REQUIRE(tracks.tracks);
    CHECK(tracks.tracks->attributes.at(0).name == "radius");
    CHECK(tracks.tracks->attributes.at(0).values == std::vector<double>{0.5, 0.25, 0.75, 1});
    Notes notes;
    const Geometry frame = read_with(atoms, {{"columns", "radius=Bright"}}, "a.xyz", &notes);
    CHECK(frame.attributes->at(0).values == std::vector<double>{0.5, 0.25});
    CHECK_FALSE(any_contains(notes, "without effect"));
    for (const char* name : {"Colour", "5"})
        CHECK(contains(error_of([&] {
                           read_with(content, {{"columns", "radius=" + std::string(name)}});
                       }),
                       "there is no column of numbers called \"" + std::string(name) +
                           "\" for radius; there are \"Radius\", \"Bright\""));
    const Scratch scratch;
    ReadOptions options;
    options.set("columns", "radius=Bright");
    CHECK(read_tracks(scratch.file("t.csv", over_time), nullptr, options).attributes.at(0).name == "radius");
    CHECK(read_pasted(content, nullptr, options).attributes->at(0).name == "radius");
}

TEST_CASE("tables: decimal commas, groups of digits, Fortran exponents and proper minus signs are numbers") {
    CHECK(points_of("x;y\n1,5;2,25\n3;4\n") == Points{{1.5, 2.25}, {3, 4}});
    CHECK(points_of("1,5 2,25\n3,5 4,125\n") == Points{{1.5, 2.25}, {3.5, 4.125}});
    CHECK(points_of("1,5\t2,25\n3,5\t4,125\n") == Points{{1.5, 2.25}, {3.5, 4.125}});
    CHECK(points_of("id, X, Y\n1, \"0,5625\", \"1,75\"\n2, \"998,4\", \"0,3\"\n") ==
          Points{{0.5625, 1.75}, {998.4, 0.3}});
    CHECK(points_of("E;N\n2'600'000.5;1'200'000.25\n2'600'100.75;1'200'050\n").front() == Point{2600000.5, 1200000.25});
    CHECK(points_of("x,y\n\"1,234.5\",\"2,345,678\"\n\"12\",\"0.5\"\n") == Points{{1234.5, 2345678}, {12, 0.5}});
    CHECK(points_of("x;y\n1.234,5;2.345.678,25\n") == Points{{1234.5, 2345678.25}});
    CHECK(points_of("x;y\n1 234,5;2 345 678,25\n") == Points{{1234.5, 2345678.25}});
    CHECK(points_of("x;y\n1\xc2\xa0"
                    "234,5;2\xe2\x80\xaf"
                    "345,25\n") == Points{{1234.5, 2345.25}});
    CHECK(points_of("  1.3D-01  0.42D+00\n 8.7d-01 .15D0\n") == Points{{0.13, 0.42}, {0.87, 0.15}});
    CHECK(points_of("\xe2\x88\x92"
                    "1.5,2\n3,\xe2\x88\x92"
                    "4\n") == Points{{-1.5, 2}, {3, -4}});
    CHECK(points_of("  0.1250 -0.5000\n -0.2500-12.7500\n  3.0000 -1.0000\n") ==
          Points{{0.125, -0.5}, {-0.25, -12.75}, {3, -1}});
    CHECK(any_contains(notes_of("a.csv", "x;y\n1,5;2,25\n"), "the comma is the decimal mark"));
    CHECK(any_contains(notes_of("a.csv", "x,y\n\"1,234\",\"2,345\"\n"),
                       "commas group digits by threes (--decimal , says otherwise)"));
    CHECK(read_with("x,y\n\"1,234\",\"2,345\"\n", {{"decimal", ","}}).points == Points{{1.234, 2.345}});
}

TEST_CASE("tables: comments, titles, counts and sep= above the rows are skipped") {
    for (const std::string content :
         {"# two points\n\n1 2 # the first\n   \n// and\n3.5 -4e10//the second\n",
          "% Model: a.mph\n% x   y\n1 2\n3.5 -4e10\n", "FOIL 2D PROFILE\n1 2\n3.5 -4e10\n",
          "FOIL 2412\n1 2\n3.5 -4e10\n", "sep=;\nx;y\n1;2\n3.5;-4e10\n", "\"sep=,\"\n1,2\n3.5,-4e10\n",
          "2\n2\n1 2\n3.5 -4e10\n", "2 rbox 2 D2\n2\n1 2\n3.5 -4e10\n", "2 2\n1 2\n3.5 -4e10\n",
          "Trial run\nx y\n1 2\n3.5 -4e10\n", "l\xc3\xa4nge breite\n1 2\n3.5 -4e10\n"}) {
        CAPTURE(content);
        CHECK(points_of(content, "a.txt") == kPair);
    }
    CHECK(points_of("FOIL\n 2. 1.\n\n 0 0\n 1 .5\n\n 1 -.5\n") == Points{{0, 0}, {1, .5}, {1, -.5}});
    CHECK(points_of("3 4\n0 0\n1 0\n") == Points{{3, 4}, {0, 0}, {1, 0}});
    CHECK(any_contains(notes_of("a.txt", "FOIL 2412\n1 2\n3.5 -4e10\n"),
                       "1 line before the table is no row: \"FOIL 2412\""));
    // A remark that names as many columns as there are, x and y among them.
    const Geometry named = read("a.txt", "# y x mass\n2 1 5\n-4e10 3.5 6\n");
    CHECK(named.points == kPair);
    CHECK(column(named, "mass").values == std::vector<double>{5, 6});
    CHECK(column_names(read("a.txt", "% x          y        p (Pa)\n1 2 1.5\n3 4 1.25\n")) == Notes{"p"});
}

TEST_CASE("tables: pandas' numbers for columns without names are not a row") {
    for (const std::string text : {",0,1\n0,1,2\n1,3.5,-4e10\n", "\"\",\"0\",\"1\"\n0,1,2\n1,3.5,-4e10\n",
                                   "     0      1\n0  1.0    2.0\n1  3.5  -4e10\n"}) {
        CAPTURE(text);
        CHECK(points_of(text) == kPair);
    }
    CHECK(contains(refusal("a.csv", ",0,1\n\"5\"6,7,8\n"), "a.csv:2: expected a separator after the quote"));
}

TEST_CASE("tables: polygons and lines in a column are read as from a file of shapes") {
    const std::string wkt =
        "id,zone,geometry\n7,wood,\"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))\"\n8,,\n"
        "9,\"a \"\"meadow\"\"\",\"SRID=3857;MULTIPOLYGON (((5 0, 6 0, 6 1, 5 0)))\"\n";
    std::vector<std::string> notes;
    const Geometry zones = read("zones.csv", wkt, &notes);
    REQUIRE(zones.areas);
    REQUIRE(zones.areas->size() == 2);
    CHECK(zones.areas->at(0).rings.size() == 2);
    CHECK(zones.areas->at(0).rings[1] == Points{{1, 1}, {2, 1}, {2, 2}});
    CHECK(zones.points.size() == 10);  // the vertices
    CHECK(zones.rows == std::vector<uint64_t>{0, 0, 0, 0, 0, 0, 0, 2, 2, 2});
    CHECK(column(zones, "id").values == std::vector<double>{7, 7, 7, 7, 7, 7, 7, 9, 9, 9});
    CHECK(column(zones, "zone").categories == Notes{"wood", "a \"meadow\""});
    CHECK(zones.unit.empty());
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "shapes from \"geometry\""));
    CHECK(contains(notes[0], "2 polygons kept as areas, their corners as points"));
    CHECK(contains(notes[0], "1 feature without a place left out"));

    const Geometry json =
        read("a.csv",
             "n;shape\n1;\"{\"\"type\"\": \"\"Polygon\"\", \"\"coordinates\"\": [[[10, 50], [11, 50], [11, "
             "51], [10, 50]]]}\"\n");
    REQUIRE(json.areas);
    CHECK(json.areas->at(0).rings.at(0) == Points{{10, 50}, {11, 50}, {11, 51}});
    CHECK(json.unit == "°");

    // A line among points, behind the first rows.
    std::string mixed = "name\tgeom\n";
    for (int i = 0; i < 20; ++i) mixed += "p" + std::to_string(i) + "\tPOINT (" + std::to_string(i) + " 1)\n";
    const Geometry road = read("roads.tsv", mixed + "road\tLINESTRING (5 5, 6 7)\n");
    CHECK(road.points.size() == 22);
    CHECK(road.points.back() == Point{6, 7});
    CHECK(road.names.back() == "road");
    CHECK(road.segments == std::vector<std::array<uint32_t, 2>>{{20, 21}});
    const Geometry ways =
        read("ways.csv",
             "n;way\n1;\"{\"\"type\"\": \"\"LineString\"\", \"\"coordinates\"\": [[10, 50], [11, 50], [11, 51]]}\"\n"
             "2;LINESTRING (1 2, 3 4)\n");
    CHECK(ways.points.size() == 5);
    CHECK(ways.segments == std::vector<std::array<uint32_t, 2>>{{0, 1}, {1, 2}, {3, 4}});
    CHECK(points_of("name\nPOINT (1 2)\nPOINT (3.5 -4e10)\n") == kPair);  // whatever it is called
    CHECK(points_of("id,name\n1,POINT (1 2)\n2,POINT (3.5 -4e10)\n") == kPair);
    CHECK(contains(refusal("a.csv", "id,geometry\n1,\"POLYGON ((0 0, 1 0, 1 1))\"\n2,\"POLYGON ((0 0, 1\"\n"),
                   "a.csv:3: expected"));
    CHECK(contains(refusal("a.csv", "id,g\n1,\"LINESTRING (1 2, 3 4)\"\n2,POINT (1 2) 3\n"),
                   "a.csv:3: expected the end of the shape, found \"3\""));
    CHECK(contains(
        refusal("a.csv",
                "id,g\n1,\"POLYGON ((0 0, 1 0, 1 1))\"\n2,\"{\"\"type\"\": \"\"Polygon\"\", \"\"coordinates\"\": "
                "[[[0]]]}\"\n"),
        "a.csv:3: expected two coordinates"));
}

TEST_CASE("tables: shapes between semicolons need no quotes, and points may have decimal commas") {
    const Points two{{1.5, 2.5}, {3.5, -4.25}};
    for (const char* text :
         {"n;kind;geom\n1;\"Oak\";POINT (1,5 2,5)\n2;\"Elm\";POINT (3,5 -4,25)\n",
          "n;kind;geom\n1;\"Oak\";POINT (1.5 2.5)\n2;\"Elm\";POINT (3.5 -4.25)\n",
          "1;\"Oak\";POINT (1,5 2,5)\n2;\"Elm\";POINT (3,5 -4,25)\n",
          "n;d;geom\n1;0,5;POINT (1,5 2,5)\n2;0,75;POINT (3,5 -4,25)\n",
          "n;d;geom\n1;0,5;POINT (1.5 2.5)\n2;0,75;POINT (3.5 -4.25)\n",
          "geom;n\nPOINT (1,5 2,5);1\nPOINT (3,5 -4,25);2\n", "geom;n\nPOINT Z (1,5 2,5 7);1\nPOINT (3,5 -425e-2);2\n",
          "POINT (1,5 2,5)\nPOINT (3,5 -4,25)\n"}) {
        CAPTURE(text);
        CHECK(points_of(text) == two);
    }
    const Geometry ways = read("a.csv", "d;geom\n0,5;LINESTRING (1.5 2.5, 3.5 4)\n0,75;POINT (3,5 -4,25)\n");
    CHECK(ways.points == Points{{1.5, 2.5}, {3.5, 4}, {3.5, -4.25}});
    CHECK(column(ways, "d").values == std::vector<double>{0.5, 0.5, 0.75});
    CHECK(contains(
        refusal("a.csv", "d;geom\n0,5;LINESTRING (1,5 2,5, 3,5 4)\n"),
        "a.csv:2: expected decimal points, since commas separate the vertices of a shape, found \"1,5 2,5, 3,5 4)"));
    for (const char* text : {"n,kind,geom\n1,Oak,POINT (1.5 2.5)\n2,Elm,LINESTRING (1 2, 3 4)\n",
                             "n,geom\n1,\"POINT (1 1)\"\n2,LINESTRING (1 2, 3 4)\n"})
        CHECK(contains(
            refusal("a.csv", text),
            "a.csv:3: the commas of a shape would separate columns; put it in quotes: \"LINESTRING (1 2, 3 4)\""));
    CHECK(points_of("x,y,what,m\n1,2,POINT EMPTY,5\n3.5,-4e10,POINT EMPTY,5\n") == kPair);
    CHECK(points_of("x;y;what\n1,5;2,5;Point(1, 2)\n3,5;-4,25;Point(1,2)\n") == two);  // of a program
}

TEST_CASE("tables: a note points out probable latitude and longitude, which are not swapped") {
    const std::string cities = "40.71,-74.01\n34.05,-118.24\n41.88,-87.63\n29.76,-95.37\n";
    std::vector<std::string> notes;
    CHECK(read("cities.csv", cities, &notes).points.front() == Point{40.71, -74.01});
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "columns 1 and 2 could be latitude and longitude (--columns x=2,y=1"));
    notes.clear();
    CHECK(read_with(cities, {{"columns", "x=2,y=1"}}, "cities.csv", &notes).points.front() == Point{-74.01, 40.71});
    for (const std::string& note : notes) CHECK(!contains(note, "latitude"));
    for (const std::string& other :
         {"x,y\n" + cities, std::string("0.5,0.5\n80.5,170.5\n20.25,90.5\n"), std::string("40,-74\n34,-118\n41,-87\n"),
          std::string("40.5,-74.5\n34.5,-18.5\n41.5,-87.5\n"), std::string("95.5,-74.5\n34.5,-118.5\n41.5,-87.5\n")}) {
        CAPTURE(other);
        notes.clear();
        read("a.csv", other, &notes);
        for (const std::string& note : notes) CHECK(!contains(note, "latitude"));
    }
}

TEST_CASE("tables: UTF-16 with and without its mark, Latin-1 and gzip are read") {
    for (const bool little : {true, false})
        for (const bool mark : {true, false}) {
            INFO("little ", little, ", mark ", mark);
            CHECK(points_of(utf_16("x\ty\n1\t2\n3.5\t-4e10\n", little, mark)) == kPair);
        }
    CHECK(read("a.csv", "x [\xb5m],y [\xb5m]\n1,2\n").unit == "\xc2\xb5m");
    CHECK(column(read("a.csv",
                      "x,y,gr\xf6\xdf"
                      "e\n1,2,3\n"),
                 "gr\xc3\xb6\xc3\x9f"
                 "e")
              .values.front() == 3);
    CHECK(column(read("a.csv",
                      "x,y,kind\n1,2,\x93"
                      "a\x94 5\x80\n3,4,\x9c\n"),
                 "kind")
              .categories == Notes{"“a” 5€", "œ"});
    // "1 2\n" twice, by gzip.
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x54\x30\xe2\x32\x04\x62\x00\x5a\x6f"
        "\x85\x9d\x08\x00\x00\x00",
        26);
    CHECK(points_of(packed, "a.xy.gz") == Points{{1, 2}, {1, 2}});
    CHECK(contains(refusal("a.xy.gz", packed.substr(0, 16)), "ends early"));
    CHECK(contains(refusal("a.xy.gz", packed.substr(0, 10) + std::string(20, 'x')), "cannot be decompressed"));
}

TEST_CASE("tables: a row without x or y is left out with a note, and the others keep their numbers") {
    for (const std::string missing : {"", "NA", "nan", "-", "NULL", "inf", "#N/A", "  ", "1.#QNAN", "-1.#IND00"}) {
        CAPTURE(missing);
        Notes notes;
        const Geometry some = read("a.csv", "x,y,mass\n1,2,5\n" + missing + ",7,6\n3.5,-4e10,7\n", &notes);
        CHECK(some.points == kPair);
        CHECK(some.rows == std::vector<uint64_t>{0, 2});
        CHECK(column(some, "mass").values == std::vector<double>{5, 7});
        CHECK(any_contains(notes, "1 row without x or y is left out (line 3)"));
    }
    CHECK(refusal("a.csv", "x,y\nNA,1\nNA,2\n") == "a.csv:2: expected two numbers, found \"NA,1\"");
}

TEST_CASE("tables: missing values in a column of numbers are missing, and do not end the column") {
    const Geometry windows = read("a.txt", "x y m\n1 2 1.#INF\n3.5 -4e10 1.#remark\n5 6 1.5#remark\n1.#IND 2 3\n");
    CHECK(windows.points == Points{{1, 2}, {3.5, -4e10}, {5, 6}});
    CHECK(std::isnan(column(windows, "m").values[0]));
    CHECK(column(windows, "m").values[2] == 1.5);
    const Geometry trees = read("trees.csv", "x,y,dbh,height\n1,2,NA,5\n3,4,12.5,\n5,6,,nan\n7,8,3,2\n");
    const auto& dbh = column(trees, "dbh").values;
    CHECK((std::isnan(dbh[0]) && dbh[1] == 12.5 && std::isnan(dbh[2]) && dbh[3] == 3));
    const auto& height = column(trees, "height").values;
    CHECK((height[0] == 5 && std::isnan(height[1]) && std::isnan(height[2]) && height[3] == 2));
    CHECK(column_names(read("a.csv", "x,y,empty\n1,2,\n3,4,\n")).empty());
    CHECK(any_contains(notes_of("a.csv", "x,y,empty\n1,2,\n3,4,\n"), "empty, and left out: \"empty\""));
    CHECK(any_contains(notes_of("a.csv", "x,y,m\n1,2,3\n3,4\n"), "1 row ends early"));
}

TEST_CASE("tables: columns of text are categories in the order of their first row, and names under name") {
    const Geometry trees = read("trees.tsv",
                                "x_m\ty_m\tspecies\tname\n1\t2\tPicea abies\tA 1\n3\t4\tFagus sylvatica\tA "
                                "2\n5\t6\tPicea abies\tA 3\n7\t8\t\tA 4\n");
    CHECK(trees.unit == "m");
    CHECK(trees.names == Notes{"A 1", "A 2", "A 3", "A 4"});
    const Attribute& species = column(trees, "species");
    CHECK(species.categories == Notes{"Picea abies", "Fagus sylvatica"});
    CHECK(
        (species.values[0] == 0 && species.values[1] == 1 && species.values[2] == 0 && std::isnan(species.values[3])));
    // A column that turns out to hold text further down is text from its beginning.
    std::string content = "x,y,code\n";
    for (int i = 0; i < 1000; ++i)
        content += std::to_string(i) + ",1," + (i == 900 ? "B7" : std::to_string(i % 3)) + "\n";
    const Geometry codes = read("codes.csv", content);
    CHECK(column(codes, "code").categories == Notes{"0", "1", "2", "B7"});
    CHECK(column(codes, "code").values[900] == 3);
    CHECK(read("a.csv", "Oslo,1,2\nBern,3,4\n").names == Notes{"Oslo", "Bern"});
    CHECK(read("a.csv", "x,y,name\n0,0,\n1,1,Bern\n").names == Notes{"", "Bern"});
}

TEST_CASE("tables: fields in quotes hold separators, quotes, blanks and numbers") {
    const Scratch scratch;
    const Geometry read =
        read_geometry(scratch.file("a.csv",
                                   "x,y,\"a,b\",\"say \"\"x\"\"\",\" lead space\",\"a;b # c // d\",\"2020\",name\n"
                                   "0,0,1,2,3,4,\"5\",\"Bonn, \"\"am Rhein\"\"; # 1\"\n"
                                   "\"1.5\",\" -2 \",6,\"7\" , \"8\",9,10,\" Rome \" # a town\n"));
    CHECK(read.points == Points{{0, 0}, {1.5, -2}});
    CHECK(column_names(read) == Notes{"a,b", "say \"x\"", " lead space", "a;b # c // d", "2020"});
    for (size_t k = 0; k < 5; ++k)
        CHECK(read.attributes->at(k).values == std::vector<double>{1.0 + double(k), 6.0 + double(k)});
    CHECK(read.names == Notes{"Bonn, \"am Rhein\"; # 1", " Rome "});
    const Geometry blanks = input_files::read("b.txt", "X Y \"the mass\" name\n1 2 \"3\" \"New York\"\n");
    CHECK(blanks.attributes->at(0).name == "the mass");
    CHECK(blanks.names == Notes{"New York"});
    CHECK(input_files::read("d.csv", "\"1\",\"2\"\n3,4\n").points.size() == 2);
    // A quote within a field is a letter of it.
    CHECK(input_files::read("e.csv", "x,y,name\n1,2,5\" pipe\n").names.at(0) == "5\" pipe");
    CHECK(contains(refusal("p.csv", "x,y,name\n1,2,Oslo\n3,4,\"Bonn, am Rhein\n"),
                   "p.csv:3: column 3: the quote before \"Bonn, am Rhein\" is not closed in this line"));
    CHECK(contains(refusal("p.csv", "x,y,name\n1,2,a\n1,2,\"Big\" Ben\n"),
                   "p.csv:3: expected a separator after the quote that ends column 3"));
    CHECK(contains(refusal("p.csv", "1,\"2\n"), "p.csv:1: column 2: the quote before"));
}

TEST_CASE("tables: a malformed row is refused with its place and its text") {
    CHECK(refusal("points.xy", "1 2\n\n# c\n1.0 abc\n") == "points.xy:4: expected two numbers, found \"1.0 abc\"");
    CHECK(refusal("points.xy", "1 2\n3\n") == "points.xy:2: expected two numbers, found \"3\"");
    CHECK(refusal("points.xy", "1 2 3\n3 4\n") == "points.xy:2: expected 3 columns as in line 1, found \"3 4\"");
    CHECK(refusal("points.xy", "1 2\nx y\n3 4\n") == "points.xy:2: expected two numbers, found \"x y\"");
    CHECK(refusal("points.xy", "O.5 0.25\n") == "points.xy:1: expected two numbers, found \"O.5 0.25\"");
    CHECK(refusal("a.csv", "id,x,y\n1,2,3\n2,abc,4\n") ==
          "a.csv:3: expected a number as x in column 2, found \"2,abc,4\"");
    CHECK(refusal("points.xy", "1,\n") == "points.xy:1: expected two numbers, found \"1,\"");
    const std::string cut = refusal("points.xy", "1 " + std::string(1000, 'a'));
    CHECK(cut.size() < 120);
    CHECK(contains(refusal("p.xy", "1 2e60\n"), "p.xy:1: y is 2e+60, too large: a coordinate must be 0 or between"));
    CHECK(contains(refusal("p.xy", "1 -6e-61\n"), "p.xy:1: y is -6e-61, too small"));
    CHECK(contains(refusal("p.xy", "1 1e400\n"), "p.xy:1: y is too large for a double: \"1e400\""));
    CHECK(refusal("p.xy", "-0.000e-400,0\n") == "accepted");
    CHECK(read_with("1 1e-400\n2 4.9e-324\n0 3\n", {{"tiny", "zero"}}).points == Points{{1, 0}, {2, 0}, {0, 3}});
}

TEST_CASE("tables: empty and binary files are refused, and files of known programs with advice") {
    CHECK(contains(refusal("p.xy", ""), "no points found"));
    CHECK(refusal("p.xy", "\n\n# nothing\n") == "p.xy: no points found");
    CHECK(contains(refusal("p.xy", std::string("\0\1\2\3", 4)), "expected plain text"));
    CHECK(contains(refusal("p.xy", "1 2\n" + std::string(100000, '\0')), "p.xy:2: expected plain text"));
    CHECK(contains(refusal("p.xy", "1 2\n3 \x1b[31m4\n"), "found \"3 \\x1b[31m4\""));
    CHECK(contains(refusal("p.xlsx", std::string("PK\x03\x04\x14\0\6\0", 8)), "save its sheet as CSV"));
    CHECK(contains(refusal("p.xls", "\xd0\xcf\x11\xe0"), "is an Excel workbook"));
    CHECK(contains(refusal("p.parquet", "PAR1xx"), "to_csv"));
    CHECK(contains(refusal("m.vtu", "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\">\n"), "legacy .vtk"));
    CHECK(contains(refusal("A.1.edge", "2  1\n1 1 2 0\n2 2 3 0\n"),
                   "holds edges as Triangle writes them, and no points"));
    CHECK(contains(refusal("A.1.neigh", "2  3\n1 -1 2 -1\n2 1 -1 -1\n"), "take the .ele of the same name"));
    CHECK(contains(refusal("roads.prj", "PROJCS[\"x\"]"), "take the .shp of the same name"));
    CHECK(contains(refusal("box.gro", "t\n1\n    1AR      AR    1   1.0   2.0   3.0\n 3 3 3\n"), "extended XYZ"));
    CHECK(contains(refusal("m.mesh", "MeshVersionFormatted 2\nDimension 2\nVertices\n1\n0 0 0\n"), "meshio convert"));
    const std::string point = "0101000020E6100000000000000000F03F0000000000000040";
    for (const std::string& text : {point + "\n", "gid,geom\n7," + point + "\n"})
        CHECK(contains(refusal("stops.csv", text), "well-known binary: write them as text (PostGIS: ST_AsText(geom)"));
    CHECK(points_of("gid,x,y,geom\n7,1,2," + point + "\n") == std::vector<Point>{{1, 2}});
}

TEST_CASE("tables: a note says that options of tables have no effect on other files") {
    ReadOptions options;
    options.set("columns", "x=y,y=x");
    options.set("decimal", ",");
    const auto notes_of = [&](const std::string& name, const std::string& content) {
        const input_files::Scratch scratch;
        std::vector<std::string> notes;
        read_geometry(scratch.file(name, content), &notes, options);
        std::string all;
        for (const std::string& note : notes) all += note + "\n";
        return all;
    };
    CHECK(contains(notes_of("a.node", "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n"),
                   "a.node: options without effect, since this is not a table: "
                   "columns, decimal"));
    CHECK(contains(notes_of("a.xyz", "1\n\nA 1 2 3\n"), "columns, decimal"));
    CHECK(contains(notes_of("a.json", "[{\"x\": 1, \"y\": 2}]"), "not a table: decimal"));
    CHECK(!contains(notes_of("a.csv", "x;y\n1;2\n"), "without effect"));
}

TEST_CASE("tables: numbers are read to the nearest double, and a hundred thousand come back to the last bit") {
    Points points = generate(parse_generator("normal:1e5@scale=1e-7")).points;
    for (const Point p :
         Points{{0.1, 1.0 / 3}, {-0.0, 0x1p-200}, {0x1p200, -1.7976931348623157e-30}, {9007199254740993.0, 0}})
        points.push_back(p);
    std::string text;
    for (const Point p : points) {
        char line[120];
        std::snprintf(line, sizeof line, "%.17g,%.17g\n", p.x, p.y);
        text += line;
    }
    const Points back = points_of(text);
    REQUIRE(back.size() == points.size());
    CHECK(std::memcmp(back.data(), points.data(), points.size() * sizeof(Point)) == 0);
}

TEST_CASE("tables: files of many megabytes are read by several threads as by one") {
    std::string text = "x,y,kind\n";
    for (int i = 0; i < 200000; ++i) {
        text += std::to_string(i * 0.5) + "," + (i % 1000 == 7 ? "NA" : std::to_string(-i)) + ",k" +
                std::to_string(i * 7919 % 11) + "\n";
        if (i % 5000 == 0) text += "# a remark\n\n";
    }
    const Geometry many = read("many.csv", text);
    CHECK(many.points.size() == 199800);
    CHECK(many.rows.size() == 199800);
    size_t wrong = 0;
    const Attribute& kind = column(many, "kind");
    CHECK(kind.categories.size() == 11);
    CHECK(kind.categories[0] == "k0");
    for (size_t i = 0; i < many.points.size(); ++i) {
        const auto row = static_cast<double>(many.rows[i]);
        const auto number = static_cast<size_t>(many.rows[i] * 7919 % 11);
        wrong += many.points[i].x != row * 0.5 || many.points[i].y != -row ||
                 kind.categories[static_cast<size_t>(kind.values[i])] != "k" + std::to_string(number);
    }
    CHECK(wrong == 0);
}

TEST_CASE("tables: rows and lines are counted correctly where parts of a large file meet") {
    // Rows of all lengths, of which one is longer than a part; remarks and empty lines between; remarks before them
    // all.
    uint64_t random = 1;
    const auto below = [&](uint64_t n) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        return (random >> 33) % n;
    };
    for (const std::string& end : {std::string("\n"), std::string("\r\n"), std::string("\r")}) {
        CAPTURE(end);
        std::string text;
        uint64_t line = 1;
        const auto write = [&](const std::string& content) {
            text += content + end;
            ++line;
        };
        while (text.size() < (end == "\n" ? 1'500'000 : 100)) write("# " + std::string(below(200), 'r'));
        write("x,y,note");
        Points expected;
        std::vector<uint64_t> missing;                  // lines
        std::vector<std::pair<size_t, uint64_t>> rows;  // where they begin, and their lines
        for (size_t i = 0; text.size() < 5'000'000; ++i) {
            if (below(7) == 0) write(below(2) ? "" : "# remark");
            rows.emplace_back(text.size(), line);
            const bool is_missing = below(1000) == 0;
            if (is_missing)
                missing.push_back(line);
            else
                expected.push_back({static_cast<double>(i), 0.5});
            const size_t length = i == 20000 ? 1'200'000 : below(50) == 0 ? below(3000) : below(5);
            write(std::to_string(i) + (is_missing ? ",NA," : ",0.5,") + std::string(length, 'n'));
        }
        if (end != "\r\n") text.resize(text.size() - end.size());  // its last line may have no end
        Notes notes;
        const Geometry read_back = read("large.csv", text, &notes);
        CHECK(read_back.points == expected);
        REQUIRE(missing.size() > 3);
        CHECK(any_contains(notes, "(lines " + std::to_string(missing[0]) + ", " + std::to_string(missing[1]) + ", " +
                                      std::to_string(missing[2]) + " …)"));
        for (const size_t place : {size_t(1000), rows.size() / 3, rows.size() / 2, rows.size() - 1}) {
            std::string broken = text;
            broken.replace(rows[place].first, 1, "?");
            const std::string why = refusal("large.csv", broken);
            CHECK_MESSAGE(why.starts_with("large.csv:" + std::to_string(rows[place].second) +
                                          ": expected a number as x in column 1, found \"?"),
                          why);
        }
    }
}

TEST_CASE("tables: exports of programs that track are points over time") {
    const Points first = {{1, 2}, {5, 6}};
    const auto check = [&](const std::string& content, const char* name = "t.csv") {
        CAPTURE(content);
        const Geometry moving = read(name, content);
        REQUIRE(moving.tracks);
        REQUIRE(moving.tracks->frame_count() == 2);
        CHECK(Points(moving.tracks->places.begin(), moving.tracks->places.begin() + 2) == first);
        CHECK(moving.tracks->starts == std::vector<size_t>{0, 2, 4});
    };
    check(
        "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_T,FRAME\nLabel,Spot ID,Track "
        "ID,Quality,X,Y,T,Frame\nLabel,Spot ID,Track ID,Quality,X,Y,T,Frame\n"
        ",,,(quality),(pixel),(pixel),(sec),\nID1,1,0,5,1,2,0.0,0\nID2,2,1,5,5,6,0.0,0\nID3,3,0,5,1,3,0.5,1\nID4,4,1,5,"
        "5,7,0.5,1\n");
    check(",y,x,mass,frame,particle\n0,2,1,700,0,0\n1,6,5,701,0,1\n2,3,1,700,1,0\n3,7,5,701,1,1\n");
    check("ID,Parent ID,Time,z,y,x\n0,,0,0,2,1\n0,,1,0,3,1\n1,,0,0,6,5\n1,,1,0,7,5\n");
    check(
        "Nr\tTID\tPID\tx [pixel]\ty [pixel]\tt "
        "[sec]\n1\t1\t1\t1\t2\t0\n2\t1\t2\t1\t3\t1\n3\t2\t1\t5\t6\t0\n4\t2\t2\t5\t7\t1\n",
        "t.txt");
    check(
        " \tTrack n\xb0\tSlice "
        "n\xb0\tX\tY\tDistance\n1\t1\t1\t1\t2\t-1\n2\t1\t2\t1\t3\t1\n3\t2\t1\t5\t6\t-1\n4\t2\t2\t5\t7\t1\n",
        "t.xls");
    check(
        "ImageNumber,ObjectNumber,TrackObjects_Label_50,Location_Center_X,Location_Center_Y\n1,1,1,1,2\n1,2,2,5,6\n2,1,"
        "1,1,3\n2,2,2,5,7\n");
    check("x1,y1,x2,y2\n1,2,5,6\n1,3,5,7\n");
    check("time,bee_x,bee_y,ant_x,ant_y\n0,1,2,5,6\n1,1,3,5,7\n");
    Notes notes;
    const Geometry untracked =
        read("t.csv", "TRACK_ID,POSITION_X,POSITION_Y,FRAME\n0,1,2,0\n,9,9,0\n0,1,3,1\n", &notes);
    CHECK(untracked.tracks->places.size() == 2);
    CHECK(any_contains(notes, "1 row without a place, a time or an id is left out"));
    // Localisations: a frame, and ids that come once.
    const Geometry spots =
        read("t.csv", "\"id\",\"frame\",\"x [nm]\",\"y [nm]\",\"sigma [nm]\"\n1,1,10,20,5\n2,1,30,40,6\n3,2,11,21,5\n");
    CHECK(!spots.tracks);
    CHECK(spots.points.size() == 3);
    CHECK(spots.unit == "nm");
    CHECK(column(spots, "sigma").unit == "nm");
    CHECK(column_names(spots) == Notes{"id", "frame", "sigma"});
    CHECK(column_names(read("Results.csv", " ,Label,Area,Mean,X,Y\n1,a,9,2,1,2\n2,a,8,3,3.5,-4e10\n")) ==
          Notes{"Label", "Area", "Mean"});
}

TEST_CASE("tables: the header may be above units, rules, zones and titles, or have a name per line") {
    const Points two = {{1, 2}, {3, 4.5}};
    const auto check = [&](const std::string& content, const std::string& unit = "", const char* name = "a.txt") {
        CAPTURE(content);
        const Geometry found = read(name, content);
        CHECK(found.points == two);
        CHECK(found.unit == unit);
    };
    check("n,x,y\n,mm,mm\n7,1,2\n8,3,4.5\n", "mm");
    check("X\tY\tErr\nµm\tµm\tµm\nfirst\tsecond\tthird\n1\t2\t9\n3\t4.5\t9\n", "µm");
    check("#\n#Table\nSource\tRA_ICRS\tDE_ICRS\n\tdeg\tdeg\n------\t---\t---\n77\t1\t2\n78\t3\t4.5\n", "°");
    check("\"s\";\"X center\";\"Y center\"\n\"s\";\"cm\";\"cm\"\n0;1;2\n1;3;4.5\n", "cm");
    check("TITLE = \"foil\"\nVARIABLES = \"P\", \"X\", \"Y\"\nZONE T=\"a\", I=2, F=POINT\n9 1 2\n8 3 4.5\n");
    check("# A tibble: 2 × 3\n      p     x     y\n  <dbl> <dbl> <dbl>\n1     9   1     2\n2     8   3     4.5\n");
    check("|  p|   x|   y|\n|int|real|real|\n   9    1    2\n   8    3  4.5\n");
    check("Walker lake\n3\nV\nXloc\nYloc\n9 1 2\n8 3 4.5\n");
    check(
        "#   1 NUMBER   Running number\n#   2 X_IMAGE   Along x   [pixel]\n#   3 Y_IMAGE   Along y   [pixel]\n1 1 2\n2 "
        "3 4.5\n",
        "px");
    check("n,x,y\n,,\n7,1,2\n8,3,4.5\n");
    CHECK(points_of("Run 12 13\n1 2 7\n3 4.5 7\n5 6 7\n", "a.txt") == Points{{1, 2}, {3, 4.5}, {5, 6}});
    check("/* of a\n program */\n1 2\n3 4.5\n");
    Notes notes;
    read("a.txt", "-- two points\n1 2 3\n4 5 6\n", &notes);
    CHECK(any_contains(notes, "x from column 1, y from column 2"));
    CHECK_THROWS_WITH_AS(read("a.csv", "x,y\n1,two\n3,4\n4,5\n"),
                         doctest::Contains("a.csv:2: expected a row with as many numbers as the rows below"), Error);
    CHECK_THROWS_WITH_AS(read("a.txt", "P =\n\n   1.0e+03 *\n\n    1.25    4.02\n    0.37    1.15\n"),
                         doctest::Contains("a.txt:3: the numbers below are to be multiplied, by \"1.0e+03\""), Error);
}

TEST_CASE("tables: x and y by name in other languages, among other words, and counted") {
    const Points two = {{1, 2}, {3, 4}};
    constexpr std::string_view kHeaders =
        "TRACK_X_LOCATION,TRACK_Y_LOCATION|Coordonnée X,Coordonnée Y|Rechts,Hoch|X_lon,Y_lat|RAdeg,DEdeg|"
        "Längengrad,Breitengrad|Geogr. Länge,Geogr. Breite|raMean,decMean|_RA.icrs,_DE.icrs|xnm,ynm|"
        "Points:0,Points:1|Points_0,Points_1|centroid_weighted-1,centroid_weighted-0|E_KOORD,N_KOORD|"
        "経度,緯度|Долгота,Широта|Ostlig koordinat,Nordlig koordinat|XWIN_IMAGE,YWIN_IMAGE|xcor,ycor|x1,x2|"
        "UMAP_1,UMAP_2|coords.x1,coords.x2|PC0,PC1|\xc2\xa0x,y\xc2\xa0|"
        "AreaShape_Center_X,AreaShape_Center_Y|tip_x,tip_y";
    for (const std::string& header : parts_of(kHeaders)) {
        CAPTURE(header);
        const size_t comma = header.find(',');
        CHECK(points_of("n," + header + "\n8,1,2\n9,3,4\n") == two);
        CHECK(points_of("n," + header.substr(comma + 1) + "," + header.substr(0, comma) + "\n8,2,1\n9,4,3\n") == two);
    }
    CHECK(read("a.csv", "n,xnm,ynm\n1,1,2\n").unit == "nm");
    CHECK(read("a.csv", "ra [deg],dec [deg]\n1,2\n").unit == "°");
    CHECK(points_of(
              "AreaShape_Max_X,AreaShape_Max_Y,AreaShape_Min_X,AreaShape_Min_Y,AreaShape_Center_X,AreaShape_Center_Y\n"
              "9,9,0,0,1,2\n9,9,0,0,3,4\n") == two);
}

TEST_CASE("tables: fields in quotes go over several lines, and errors name the lines of the file") {
    const Points two = {{1, 2}, {3, 4}};
    for (const char* end : {"\n", "\r\n"}) {
        const std::string n = end;
        CHECK(points_of("id,note,x,y" + n + "1,\"one" + n + n + "two, \"\"3\"\"\",1,2" + n + "2,b,3,4" + n) == two);
        CHECK(points_of("id,x,y,note" + n + "1,1,2,\"one" + n + "two\"" + n + "2,3,4,b" + n) == two);
        CHECK(read("a.csv", "id;\"x" + n + "(mm)\";\"y" + n + "(mm)\"" + n + "7;1;2" + n + "9;3;4" + n).unit == "mm");
        const Geometry named = read("a.csv", "x,y,note" + n + "1,2,\"a" + n + "b\"" + n + "3,4,c" + n);
        CHECK(column(named, "note").categories[0] == (n.size() == 1 ? "a b" : "a  b"));
    }
    std::string late = "x,y,note\n";
    for (int i = 0; i < 9000; ++i) late += std::to_string(i) + ",2,none\n";
    CHECK(points_of(late + "1,2,\"a\nb\"\n").size() == 9001);
    CHECK_THROWS_WITH_AS(read("a.csv", "note,x,y\n\"a\nb\",1,2\nc,3,4\nd,three,4\n"),
                         doctest::Contains("a.csv:5: expected a number as x"), Error);
    CHECK_THROWS_WITH_AS(read("a.csv", "note,x,y\na,1,2\n\"b,3,4\nc,5,6\n"),
                         doctest::Contains("a.csv:3: column 1: the quote before"), Error);
    // Between tabs a quote is a character as any other.
    const Geometry stray = read("a.tsv", "note\tx\ty\n\"Old\" mill\t1\t2\n5\" pipe\t3\t4\n\"open\t5\t6\nq\"\t7\t8\n");
    CHECK(stray.points == Points{{1, 2}, {3, 4}, {5, 6}, {7, 8}});
    CHECK(column(stray, "note").categories == Notes{"\"Old\" mill", "5\" pipe", "\"open", "q\""});
}

TEST_CASE("tables: lines below the last row are skipped with a note, and so are drawn frames") {
    const Points two = {{1, 2}, {3, 4}};
    Notes notes;
    CHECK(read("a.tsp", "NAME: two\nNODE_COORD_SECTION\n1 1 2\n2 3 4\n3 5 6\nEOF\n", &notes).points ==
          Points{{1, 2}, {3, 4}, {5, 6}});
    CHECK(any_contains(notes, "1 line below the table is no row: \"EOF\""));
    CHECK(points_of("  x  |  y  \n-----+-----\n 1   | 2   \n 3   | 4   \n(2 rows)\n") == two);
    CHECK(points_of("+---+---+\n| x | y |\n+---+---+\n| 1 | 2 |\n| 3 | 4 |\n+---+---+\n2 rows in set (0.00 sec)\n") ==
          two);
    CHECK(points_of("| x | y |\n|:--|---|\n| 1 | 2 |\n| 3 | 4 |\n") == two);
    CHECK(
        points_of(
            "shape: (2, 2)\n┌─────┬─────┐\n│ x   ┆ y   │\n│ --- ┆ --- │\n│ i64 ┆ i64 │\n╞═════╪═════╡\n│ 1   ┆ 2   │\n"
            "│ 3   ┆ 4   │\n└─────┴─────┘\n") == two);
    notes.clear();
    CHECK(read("a.txt", "n\tx\ty\tv\n7\t1\t2\t9\n8\t3\t4\t9\n\n\nVoxelSizeX : 0.1\nROI List : \n", &notes).points ==
          two);
    CHECK(any_contains(notes, "2 lines below the table are no row: \"VoxelSizeX : 0.1\""));
    CHECK(points_of("\n[Name]\nPlane\n\n[Data]\nX [ m ], Y [ m ], p\n1.5, 2, 3\n3, 4, 5\n\n[Faces]\n0, 1, 2\n") ==
          Points{{1.5, 2}, {3, 4}});
    CHECK_THROWS_WITH_AS(read("a.csv", "x,y\n1,2\n3,4\n5\n"), doctest::Contains("a.csv:4: expected two numbers"),
                         Error);
    CHECK_THROWS_WITH_AS(read("a.csv", "x,y\n1,2\n3,4\n\n5\n"), doctest::Contains("a.csv:5: expected two numbers"),
                         Error);
    CHECK(points_of("1.5,2 3,4.25 5,6\n", "a.txt") == Points{{1.5, 2}, {3, 4.25}, {5, 6}});
    CHECK(points_of("x=1.5 y=2\nx=3 y=4.25\n", "a.txt") == Points{{1.5, 2}, {3, 4.25}});
    CHECK(points_of("(X: 1.5, Y: 2, Z: 9)\n\n(X: 3, Y: 4.25, Z: 9)\n", "a.txt") == Points{{1.5, 2}, {3, 4.25}});
    CHECK_THROWS_WITH_AS(read("a.txt", "x=1 y=2\nx=3\n"), doctest::Contains("a.txt:1: expected two numbers"), Error);
    const Geometry colours = read("a.csv", "colour,x,y\n#ff0000,1,2\n#00ff00,3,4\n");
    CHECK(colours.points == two);
    CHECK(column(colours, "colour").categories == Notes{"#ff0000", "#00ff00"});
    CHECK(points_of("x,y\n# a, b\n1,2\n3,4\n") == two);
    CHECK(points_of("1.5,2,0 3,4.25,0\n", "a.txt") == Points{{1.5, 2}, {3, 4.25}});
    CHECK(points_of("  name     geometry\n0   A0  POINT (1.00 2.00)\n1   A1  POINT (3.00 4.00)\n", "a.txt") == two);
}

TEST_CASE("tables: missing values of spreadsheets, databases and Fortran") {
    for (const char* missing : {"#DIV/0!", "#REF!", "#NAME?", "#WERT!", "#NV", "\\N", "(null)", "-----", "*****",
                                "NULL", "missing", "undefined", "k.a.", ".", "?", "<NA>", "1.#IND"}) {
        CAPTURE(missing);
        const std::string word = missing;
        const Geometry found = read("a.csv", "x,y,v\n1,2," + word + "\n" + word + ",4,5\n3,4,6\n");
        CHECK(found.points == Points{{1, 2}, {3, 4}});
        CHECK(std::isnan(column(found, "v").values[0]));
        CHECK(column(found, "v").values[1] == 6);
    }
    Notes notes;
    read("a.csv", "x,y\n1,2\n-9999,-9999\n3,4\n", &notes);
    CHECK(any_contains(notes, "1 row is at (-9999, -9999), which often stands for a missing place"));
    notes.clear();
    read("a.csv", "x,y,v,w\n1,2,7,a\n3,4,<0.01,b\n5,6,8,9\n", &notes);
    CHECK(any_contains(notes, "\"v\" is text, since not all of its values are numbers: \"<0.01\""));
    CHECK(!any_contains(notes, "\"w\" is text"));
    const Geometry stars = read("a.csv", "x,y,p\n1,2,*\n3,4,***\n");
    CHECK(column(stars, "p").categories == Notes{"*", "***"});
}

TEST_CASE("tables: errors say what to do") {
    const auto refused = [](const std::string& content, const std::string& said, const char* name = "a.csv") {
        CAPTURE(content);
        CHECK_THROWS_WITH_AS(read(name, content), doctest::Contains(said.c_str()), Error);
    };
    refused("1:2\n3:4\n", "a.csv:1: expected two numbers, found \"1:2\"; --separator ':' reads it as columns");
    refused("name,lat,lon\nA,52.5N,13.4E\n", "angles are read as decimal degrees");
    refused("geo\tx\ty\nDE\t1 b\t2\nFR\t3\t4\n", "a.csv:2: expected a row with as many numbers as the rows below");
    refused("ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n", "is a grid (ESRI ASCII)", "a.asc");
    refused("id\tra\tdec\n1\t03 47 29.1\t+24 06 18\n2\t03 49 09.7\t+24 03 12\n", "angles are read as decimal degrees");
    refused("id|ra and dec|v\n1|05 34 30.9 +22 00 53|2\n2|21 33 27.02 -00 49 23.7|3\n",
            "no two columns of numbers for x and y");
    refused("id,place\n1,\"[52.5, 13.4]\"\n", "both coordinates are in one column");
    refused("name;place\nA;52.5, 13.4\n", "both coordinates are in one column, \"52.5, 13.4\"");
    refused("\n<!DOCTYPE html>\n<p>1 2</p>\n", "is a web page, not a table");
    refused("<?xml version=\"1.0\"?>\n<VOTABLE/>\n", "is XML of an unsupported kind", "a.vot");
    refused("*Heading\n*Node\n1, 0, 0\n2, 1, 0\n", "is an input file of Abaqus", "a.inp");
    refused("BZh91AY&SY", "is compressed by bzip2; unpack it with bunzip2", "a.csv.bz2");
}

TEST_CASE("tables: dates become seconds from the first, and the id -1 is not a track") {
    const auto check = [](const std::string& a, const std::string& b, double seconds) {
        CAPTURE(a);
        const Geometry moving =
            read("t.csv", "time,id,x,y\n" + b + ",7,1,3\n" + a + ",7,1,2\n" + a + ",8,5,6\n" + b + ",8,5,7\n");
        REQUIRE(moving.tracks);
        CHECK(moving.tracks->times == std::vector<double>{0, seconds});
        CHECK(moving.tracks->time_unit == "s");
        CHECK(moving.tracks->places == Points{{1, 2}, {5, 6}, {1, 3}, {5, 7}});
    };
    check("2020-02-28 23:59:59.5", "2020-03-01 00:00:00", 86400.5);
    check("2020-05-01T13:00Z", "2020-05-01T16:00:00.25+02:00", 3600.25);
    check("31.12.1999 13:00", "01.01.2000 13:00:30", 86430);
    check("2020/5/1", "2020/5/3", 172800);
    check("09:59:59", "10:00:00", 1);
    std::string rows = "time,id,x,y\n";
    for (int k = 0; k < 9; ++k) rows += "09:0" + std::to_string(k) + ",7,1," + std::to_string(k) + "\n";
    const Geometry later = read("t.csv", rows + "later,7,1,9\n");
    REQUIRE(later.tracks);
    CHECK(later.tracks->places.size() == 9);
    // Month and day of 05/01/2020 cannot be told apart.
    CHECK(!read("t.csv", "time,id,x,y\n05/01/2020,7,1,2\n05/02/2020,7,1,3\n").tracks);
    const Geometry sights =
        read("t.csv", "time,id,lat,lon,mag\n2020-05-01T13:00Z,a,1,2,3\n2020-05-02T13:00Z,b,3,4,5\n");
    CHECK(sights.points.size() == 2);
    CHECK(column(sights, "time").values == std::vector<double>{0, 86400});
    CHECK(column(sights, "time").unit == "s");
    Notes notes;
    const Geometry moving = read("t.csv", "frame,track,x,y\n0,-1,9,9\n0,-1,8,8\n0,1,5,6\n1,1,3,3\n1,-1,2,2\n", &notes);
    REQUIRE(moving.tracks);
    CHECK(moving.tracks->ids == std::vector<int64_t>{1, 1});
    CHECK(any_contains(notes, "3 rows with the id -1 are not in a track and are left out"));
    // Spots, none of them in a track.
    CHECK(read("t.csv", "TRACK_ID,POSITION_X,POSITION_Y,FRAME\n,1,2,0\n,3,4,1\n").points == Points{{1, 2}, {3, 4}});
}

TEST_CASE("tables: pairs of columns with the same names are points over time") {
    const auto check = [](const std::string& content) {
        CAPTURE(content);
        const Geometry moving = read("t.csv", content);
        REQUIRE(moving.tracks);
        CHECK(moving.tracks->starts == std::vector<size_t>{0, 2, 4});
        CHECK(moving.tracks->places == Points{{1, 2}, {5, 6}, {1, 3}, {5, 7}});
    };
    check("t,x,y,x,y\n0,1,2,5,6\n1,1,3,5,7\n");
    check("t,x,y,x.1,y.1\n0,1,2,5,6\n1,1,3,5,7\n");
    CHECK(!read("t.csv", "X,Y,name,X,Y\n1,2,a,1,2\n3,4,b,3,4\n").tracks);  // a join
    CHECK(!read("t.csv", "n,x_min,y_min,x_max,y_max\n7,1,2,5,6\n8,1,3,5,7\n").tracks);
    check("t,x[0],y[0],x[1],y[1]\n0,1,2,5,6\n1,1,3,5,7\n");
    check("t,x(1),y(1),x(2),y(2)\n0,1,2,5,6\n1,1,3,5,7\n");
    check(
        "scorer,N,N,N,N,N,N\nbodyparts,nose,nose,nose,tail,tail,tail\ncoords,x,y,likelihood,x,y,likelihood\n"
        "0,1,2,.9,5,6,.9\n1,1,3,.9,5,7,.9\n");
    check("Frame\tX1\tY1\tFlag1\tX2\tY2\tFlag2\t\nTracks 1 to 2\n1\t1\t2\t \t5\t6\t \t\n2\t1\t3\t \t5\t7\t*\t\n");
    check("track,frame_idx,nose.x,nose.y,tail.x,tail.y\na,0,1,2,9,9\nb,0,5,6,9,9\na,1,1,3,9,9\nb,1,5,7,9,9\n");
    CHECK_THROWS_WITH_AS(read("t.csv", "t,x1,y1,x2,y2\n0,1,2,5,6\n0,1,3,5,7\n"),
                         doctest::Contains("t.csv:3: id 1 is at t = 0 already in line 2"), Error);
}

TEST_CASE("tables: the layout has the columns, their types and roles") {
    const Scratch scratch;
    const auto layout = table_layout(scratch.file("a.csv", "id;Lat;Long;kind\n1;41,2;-95,6;a\n2;41,25;-95,5;b\n"));
    REQUIRE(layout);
    REQUIRE(layout->columns.size() == 4);
    CHECK(layout->separator == ';');
    CHECK(layout->decimal == ',');
    CHECK(layout->columns[1].role == ColumnRole::kY);
    CHECK(layout->columns[2].role == ColumnRole::kX);
    CHECK(layout->columns[3].kind == io::ColumnKind::kText);
    CHECK(!layout->guessed);
    CHECK(layout->first_rows == std::vector<Notes>{{"1", "41,2", "-95,6", "a"}, {"2", "41,25", "-95,5", "b"}});
    CHECK(table_layout(scratch.file("b.csv", "0,5,6\n1,7,8\n2,9,1\n"))->guessed);
    const std::string sizes = "id,height,dbh\n1,3.5,20\n2,4.5,30\n", guess = "the first two columns of numbers";
    CHECK(any_contains(notes_of("d.csv", sizes), "the header names no x and y, so they are " + guess));
    const Notes half = notes_of("f.csv", "area,x\n3.5,20\n4.5,30\n");
    CHECK(any_contains(half, "x from \"x\", y from \"area\""));
    CHECK(any_contains(half, "the header names no y, so it is the first other column of numbers"));
    Notes chosen;
    read_with(sizes, {{"columns", "x=height,y=dbh"}}, "e.csv", &chosen);
    CHECK_FALSE(any_contains(chosen, guess));
    CHECK(!table_layout(scratch.file("c.off", "OFF\n0 0 0\n")));
}
