// JSON, GeoJSON and printed lists, from files of any ending and pasted.
#include "io/structured_text.h"

#include <cmath>

#include "input_files.h"
#include "io/geometry.h"
#include "io/pasted.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

bool same_values(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); });
}

}  // namespace

TEST_CASE("structured text: the same two points in every language, from a file of any ending and pasted") {
    const std::vector<Point> two{{0.1, 2}, {-3, 4.5}};
    for (const char* text :
         {"[[0.1, 2], [-3, 4.5]]",
          "[[0.1, 2], [-3, 4.5], [null, null]]",
          "[\"0.1\", \"2\", \"-3\", \"4.5\"]",
          "{\"points\": [[0.1, 2], [-3, 4.5]]}",
          "{\"a\": {\"sites\": [[0.1, 2], [-3, 4.5]]}, \"size\": [3, 4]}",
          "[{\"x\": 0.1, \"y\": 2}, {\"x\": -3, \"y\": 4.5}]",
          "[{\"y\": 2, \"x\": 0.1}, {\"x\": \"-3\", \"y\": \"4.5\"}]",
          "{\"x\": 0.1, \"y\": 2}\n{\"x\": -3, \"y\": 4.5}\n",
          "[{\"pos\": [0.1, 2]}, {\"pos\": [-3, 4.5]}]",
          "[{\"position\": {\"x\": 0.1, \"y\": 2}}, {\"position\": {\"x\": -3, \"y\": 4.5}}]",
          "{\"x\": [0.1, -3], \"y\": [2, 4.5]}",
          "{\"x\": {\"0\": 0.1, \"1\": -3}, \"y\": {\"0\": 2, \"1\": 4.5}}",
          "{\"0\": {\"x\": 0.1, \"y\": 2}, \"1\": {\"x\": -3, \"y\": 4.5}}",
          "{\"columns\": [\"y\", \"x\"], \"index\": [0, 1], \"data\": [[2, 0.1], [4.5, -3]]}",
          "{\"data\": [{\"type\": \"scatter\", \"x\": [0.1, -3], \"y\": [2, 4.5]}]}",
          "[[[0.1, 2]], [[-3, 4.5]]]",
          "[(0.1, 2), (-3, 4.5)]",
          "(0.1, 2), (-3, 4.5)",
          "pts = [(0.1, 2), (-3, 4.5),]  # two\n",
          "import numpy as np\n\n# two\npts = np.array([[0.1, 2], [-3, 4.5]])\nprint(len(pts))\n",
          "x = [0.1, -3]\ny = np.array([2., 4.5])\n",
          "[[ 0.1  2. ]\n [-3.   4.5]]\n",
          "array([[ 0.1,  2. ],\n       [-3. ,  4.5]], dtype=float32)",
          "[(np.float64(0.1), np.float64(2.0)), (np.float64(-3.0), np.float64(4.5))]",
          "tensor([[0.1, 2.0], [-3.0, 4.5]], device='cuda:0')",
          "[Point(x=0.1, y=2), Point(x=-3, y=4.5)]",
          "Point(0.1, 2)\nPoint(-3, 4.5)\n",
          "[{'x': 0.1, 'y': 2}, {u'x': -3, u'y': 4.5}]",
          "[0.1+2j, -3+4.5j]",
          "const pts: number[][] = [[0.1, 2], [-3, 4.5]];",
          "var points = [{x: 0.1, y: 2}, {x: -3, y: 4.5}];",
          "export const pts: Array<[number, number]> = [[0.1, 2], [-3, 4.5]];",
          "const pts = [\n  new Point(0.1, 2),\n  new Point(-3, 4.5),\n];\n",
          "List<Point> pts = List.of(new Point(0.1, 2), new Point(-3, 4.5));",
          "let pts = vec![(0.1, 2.0), (-3.0, 4.5)];",
          "var pts = new[] { new Vector2(0.1f, 2f), new Vector2(-3f, 4.5f) };",
          "std::vector<Point2D> pts = { {0.1,2}, {-3,4.5} };",
          "masked_array(\n  data=[[0.1, 2.0], [--, --], [-3.0, 4.5]],\n  mask=[[False, False], [True, "
          "True], [False, False]],\n  fill_value=1e+20)",
          "static const double pts[][2] = {{0.1, 2}, {-3.0f, 4.5}};",
          "{{0.1, 2}, {-3, 4.5}}",
          "% two\npts = [0.1 2; -3 4.5];",
          "pts = [0.1 2\n -3 4.5];\n",
          "pts = [0.1, 2;\n -3, 4.5]\n",
          "{{0.1`, 2.}, {-0.3*^1, 45*^-1}}",
          "Point[{{0.1, 2}, {-3, 4.5}}]",
          "Point2f[[0.1, 2.0], [-3.0, 4.5]]",
          "2-element Vector{Tuple{Float64, Float64}}:\n (0.1, 2.0)\n (-3.0, 4.5)\n",
          "new Point(0.1, 2),\nnew Point(-3, 4.5)\n",
          "vec![\n    Point { x: 0.1, y: 2.0 },\n    Point { x: -3.0, y: 4.5 },\n]\n",
          "structure(list(x = c(0.1, -3), y = c(2, 4.5)), class = \"data.frame\", row.names = c(NA, -2L))\n",
          "[[0.1, 2], /* and */ [-3, 4.5]]",
          "\xEF\xBB\xBF[[0.1, 2], [-3, 4.5]]",
          "{\"meta\": {\"n\": 2}, \"data\": {\"points\": [[0.1, 2], [-3, 4.5]]}}",
          "{\"shapes\": [{\"label\": \"a\", \"points\": [[0.1, 2]]}, {\"label\": \"a\", \"points\": [[-3, 4.5]]}]}",
          "x <- c(0.1, -3)\ny <- c(2, 4.5)\n",
          "x: [0.1, -3]\ny: [2, 4.5]\n",
          "\xEF\xBB\xBF[[0.1, 2],\r\n [-3, 4.5]]\r\n"}) {
        INFO(std::string(text));
        for (const char* name : {"a.json", "a.txt", "a.py", "a.dat", "a"}) CHECK(read(name, text).points == two);
        CHECK(read_pasted(text).points == two);
    }
}

TEST_CASE("structured text: other members of an object are columns and names") {
    Notes notes;
    const Geometry trees =
        read("trees.json",
             "{\"trees\": [\n"
             "{\"id\": 7, \"name\": \"oak 1\", \"x\": 1, \"y\": 2, \"kind\": \"oak\", \"ok\": true},\n"
             "{\"id\": 8, \"name\": \"elm 1\", \"x\": 3, \"y\": 4, \"kind\": \"elm\", \"h\": \"2.5\"},\n"
             "{\"id\": 9, \"x\": null, \"y\": 4, \"kind\": \"ash\"},\n"
             "{\"id\": 10, \"x\": 5, \"y\": 6, \"kind\": \"oak\", \"tags\": [\"a\"]}]}",
             &notes);
    CHECK(trees.points == std::vector<Point>{{1, 2}, {3, 4}, {5, 6}});
    CHECK(trees.names == std::vector<std::string>{"oak 1", "elm 1", ""});
    CHECK(trees.rows == std::vector<uint64_t>{0, 1, 3});
    CHECK(column(trees, "id").values == std::vector<double>{7, 8, 10});
    CHECK(column(trees, "kind").categories.at(static_cast<size_t>(column(trees, "kind").values[1])) == "elm");
    CHECK(column(trees, "kind").values[0] == column(trees, "kind").values[2]);
    CHECK(same_values(column(trees, "h").values, {NAN, 2.5, NAN}));
    CHECK(column(trees, "h").categories.empty());
    CHECK(same_values(column(trees, "ok").values, {1, NAN, NAN}));
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].starts_with("trees.json: points from \"trees\"; names kept; 4 columns kept; "));
    CHECK(contains(notes[0], "\"tags\""));
    CHECK(notes[0].ends_with("1 point without coordinates left out"));

    const Geometry lists = read("a.json", "[[\"n\", \"x\", \"y\", \"q\"], [\"a\", 1, 2, \"u\"], [\"b\", 3, 4, 5]]");
    CHECK(lists.points == std::vector<Point>{{1, 2}, {3, 4}});
    CHECK(column(lists, "n").categories == std::vector<std::string>{"a", "b"});
    CHECK(column(lists, "q").categories == std::vector<std::string>{"u", "5"});
    const Geometry gaps = read("a.json", "[{\"x\": 1, \"y\": 2, \"m\": \"NA\"}, {\"x\": 3, \"y\": 4, \"m\": 5}]");
    CHECK(same_values(column(gaps, "m").values, {NAN, 5}));
    CHECK(read("a.json", "[[\"a\", 1, 2], [\"b\", 3, 4]]").names == std::vector<std::string>{"a", "b"});
    CHECK(read("a.py", "pos = {'A': (0, 1), 'B': array([2, 3])}").names == std::vector<std::string>{"A", "B"});
    CHECK(column(read("a.json", "[[1, 2, 7], [3, 4, 8]]"), "z").values == std::vector<double>{7, 8});
    CHECK(column(read("a.json", "{\"x\": [1, 2], \"y\": [3, 4], \"m\": [5, null]}"), "m").values[0] == 5);
}

TEST_CASE("structured text: names determine x and y, with a note") {
    Notes notes;
    CHECK(read("a.json", "[{\"lat\": \"52.5\", \"lon\": \"13.4\"}]", &notes).points ==
          std::vector<Point>{{13.4, 52.5}});
    CHECK(notes == Notes{"a.json: x from \"lon\", y from \"lat\"; x is longitude and y is latitude, in degrees"});
    CHECK(read("a.json", "[{\"latlng\": [52.5, 13.4]}]").points == std::vector<Point>{{13.4, 52.5}});
    CHECK(read("a.json", "[{\"vx\": 9, \"Pos_Y [nm]\": 2, \"Pos_X [nm]\": 1}]").points == std::vector<Point>{{1, 2}});
    ReadOptions options;
    options.columns = {{ColumnRole::kX, "b"}, {ColumnRole::kY, "A"}, {ColumnRole::kName, "c"}};
    const Geometry told = read("a.json", "[{\"a\": 1, \"b\": 2, \"c\": \"n\"}]", nullptr, options);
    CHECK(told.points == std::vector<Point>{{2, 1}});
    CHECK(told.names == std::vector<std::string>{"n"});
    notes.clear();
    CHECK(read("a.json", "[[0, 5, 6], [1, 7, 8], [2, 9, 9]]", &notes).points[0] == Point{5, 6});
    CHECK(contains(notes.at(0), "count rows"));
    notes.clear();
    CHECK(read("a.json", "[[1, 2, 3, 4, 5], [6, 7, 8, 9, 0]]", &notes).points[1] == Point{2, 7});
    CHECK(contains(notes.at(0), "first list is x"));
    CHECK(read("a.json", "[[1, 2, 3, 4, 5], null, null, [6, 7, 8, 9, 0]]").points.at(4) == Point{5, 0});
    notes.clear();
    read("a.json", "[[1, 2], [3, 4]]", &notes);
    CHECK(notes.empty());

    options = {};
    options.y_down = options.tiny_as_zero = true;
    options.unit = "mm";
    const Geometry down = read("a.json", "[[1, 2], [1e-70, -4]]", nullptr, options);
    CHECK(down.points == std::vector<Point>{{1, -2}, {0, 4}});
    CHECK(down.y_down);
    CHECK(down.unit == "mm");
}

TEST_CASE("structured text: names of columns mean what they mean in tables, with units, prefixes and in any case") {
    Notes notes;
    const Geometry spots =
        read("a.json", R"([{"Location_Center_X [um]": 1, "Mass [kg]": 5, "Location_Center_Y [um]": 2},
                      {"Location_Center_X [um]": 3.5, "Mass [kg]": 6, "Location_Center_Y [um]": -4}])",
             &notes);
    CHECK(spots.points == std::vector<Point>{{1, 2}, {3.5, -4}});
    CHECK(spots.unit == "um");
    CHECK(column(spots, "Mass").unit == "kg");
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] == "a.json: x from \"Location_Center_X [um]\", y from \"Location_Center_Y [um]\"; 1 column kept");
    for (const char* text :
         {R"({"Location_Center_X": [1, 3.5], "Location_Center_Y": [2, -4], "Mass": [5, 6]})",
          R"({"columns": ["mass", "POSITION_Y", "POSITION_X"], "data": [[5, 2, 1], [6, -4, 3.5]]})",
          R"([{"Easting": 1, "Northing": 2, "z": 0}, {"Easting": 3.5, "Northing": -4, "z": 0}])",
          R"([{"tip": {"x": 1, "y": 2}}, {"tip": {"x": 3.5, "y": -4}}])",
          R"([{"address": {"geo": {"lat": 2, "lng": 1}}}, {"address": {"geo": {"lat": -4, "lng": 3.5}}}])"}) {
        INFO(std::string(text));
        CHECK(read("a.json", text).points == spots.points);
    }
    ReadOptions by_name;
    by_name.set("columns", "x=tail.x,y=tail.y");
    CHECK(read("a.json", R"([{"tip": {"x": 1, "y": 2}, "tail": {"x": 3, "y": 4}}])", nullptr, by_name).points ==
          std::vector<Point>{{3, 4}});
    by_name = {};
    by_name.set("columns", "x=tial");
    CHECK_THROWS_WITH_AS(read("a.json", R"([{"tail": 1, "y": 2}])", nullptr, by_name),
                         doctest::Contains("there is no column \"tial\" for x; did you mean \"tail\"?"), Error);
}

TEST_CASE("structured text: times and ids make points over time, as the same table does") {
    const Scratch scratch;
    const Geometry table = read_geometry(scratch.file(
        "t.csv", "track,frame,x,y,mass\n2,1,5,6,0.5\n1,0,1,2,1.5\n2,0,3,4,2.5\n1,1,7,8,3.5\n1,2,9,10,4.5\n"));
    REQUIRE(table.tracks);
    for (
        const char* text :
        {R"([{"track": 2, "frame": 1, "x": 5, "y": 6, "mass": 0.5}, {"track": 1, "frame": 0, "x": 1, "y": 2, "mass": 1.5},
              {"track": 2, "frame": 0, "x": 3, "y": 4, "mass": 2.5}, {"track": 1, "frame": 1, "x": 7, "y": 8, "mass": 3.5},
              {"track": 1, "frame": 2, "x": 9, "y": 10, "mass": 4.5}])",
         R"({"track": [2, 1, 2, 1, 1], "frame": [1, 0, 0, 1, 2], "x": [5, 1, 3, 7, 9], "y": [6, 2, 4, 8, 10], "mass": [0.5, 1.5, 2.5, 3.5, 4.5]})",
         R"({"columns": ["track", "frame", "x", "y", "mass"], "data": [[2, 1, 5, 6, 0.5], [1, 0, 1, 2, 1.5], [2, 0, 3, 4, 2.5], [1, 1, 7, 8, 3.5], [1, 2, 9, 10, 4.5]]})"}) {
        INFO(std::string(text));
        Notes notes;
        const Geometry made = read("a.json", text, &notes);
        REQUIRE(made.tracks);
        CHECK(made.points.empty());
        CHECK(made.tracks->times == table.tracks->times);
        CHECK(made.tracks->starts == table.tracks->starts);
        CHECK(made.tracks->ids == table.tracks->ids);
        CHECK(made.tracks->places == table.tracks->places);
        REQUIRE(made.tracks->attributes.size() == 1);
        CHECK(made.tracks->attributes[0].values == table.tracks->attributes[0].values);
        REQUIRE(notes.size() == 2);
        CHECK(notes[0] == "a.json: time from \"frame\", id from \"track\"; 1 column kept");
    }
    Notes notes;
    const Geometry once =
        read("a.json", R"([{"id": 1, "t": 0, "x": 1, "y": 2}, {"id": 2, "t": 1, "x": 3, "y": 4}])", &notes);
    CHECK(!once.tracks);
    CHECK(once.points.size() == 2);
    CHECK(contains(notes.at(0), "each id comes once, so these are points, not tracks"));
    ReadOptions named;
    named.set("columns", "time=when,id=who");
    named.set("y", "down");
    const Geometry chosen = read(
        "a.json",
        R"([{"who": "ada", "when": 0, "x": 1, "y": 2}, {"who": "bob", "when": 0, "x": 3, "y": 4}, {"who": "ada", "when": 1, "x": 5, "y": 6}])",
        nullptr, named);
    REQUIRE(chosen.tracks);
    CHECK(chosen.tracks->ids == std::vector<int64_t>{0, 1, 0});
    CHECK(chosen.tracks->places.back() == Point{5, -6});
    CHECK(chosen.tracks->y_down);
    CHECK(contains(
        refusal(
            "a.json",
            R"([{"id": 4, "t": 3, "x": 1, "y": 2}, {"id": 4, "t": 3, "x": 1, "y": 3}, {"id": 4, "t": 5, "x": 1, "y": 3}])"),
        "id 4 is at t = 3 already in row 0"));
}

TEST_CASE("structured text: triangles beside points") {
    const std::string points = "{\"points\": [[0, 0], [1, 0], [1, 1], [0, 1]], ";
    CHECK(read("a.json", points + "\"simplices\": [[0, 1, 2], [0, 2, 3]]}").triangles ==
          Triangles{{0, 1, 2}, {0, 2, 3}});
    Notes notes;
    CHECK(read("a.json", points + "\"triangles\": [[1, 2, 3], [1, 3, 4]]}", &notes).triangles[1][2] == 3);
    CHECK(notes == Notes{"a.json: triangles count points from 1"});
    CHECK(contains(refusal("a.json", points + "\"triangles\": [[0, 1, 2], [0, 2, 4]]}"), "a whole number below 4"));
    CHECK(read("a.json", "{\"x\": [0, 1, 0], \"y\": [0, 0, 1], \"faces\": [[0, 1, 2]]}").triangles.size() == 1);
    CHECK(contains(refusal("a.json", "{\"points\": [[0, 0], [null, 0], [1, 1], [0, 1]], \"faces\": [[0, 2, 3]]}"),
                   "some of these have no coordinates"));
    notes.clear();
    read("a.json", points + "\"edges\": [[0, 1]]}", &notes);
    CHECK(notes == Notes{"a.json: not used: \"edges\""});
}

TEST_CASE("GeoJSON: points and vertices of lines are points with their properties, polygons are areas") {
    Notes notes;
    const Geometry all = read("all.geojson",
                              R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "id": "q1", "properties": {"name": "A", "mag": 4.5}, "geometry": {"type": "Point", "coordinates": [13, 52, 9]}},
{"type": "Feature", "properties": {"name": "B"}, "geometry": null},
{"type": "Feature", "properties": null, "geometry": {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}},
{"type": "Feature", "properties": {"mag": 5}, "geometry": {"type": "MultiLineString", "coordinates": [[[5, 6], [7, 8]]]}},
{"type": "Feature", "properties": {"name": "P"}, "geometry": {"type": "GeometryCollection", "geometries": [
  {"type": "MultiPolygon", "coordinates": [[[[0, 0], [4, 0], [4, 4], [0, 0]], [[2, 1], [3, 1], [3, 2], [2, 1]]]]}]}}]})",
                              &notes);
    CHECK(all.points == std::vector<Point>{{13, 52}, {1, 2}, {3, 4}, {5, 6}, {7, 8}});
    CHECK(all.rows == std::vector<uint64_t>{0, 2, 2, 3, 3});
    CHECK(all.names.at(0) == "A");
    CHECK(same_values(column(all, "mag").values, {4.5, NAN, NAN, 5, 5}));
    CHECK(same_values(column(all, "z").values, {9, NAN, NAN, NAN, NAN}));
    CHECK(column(all, "id").categories == std::vector<std::string>{"q1"});
    CHECK(all.unit == "°");
    CHECK(all.segments == std::vector<std::array<uint32_t, 2>>{{3, 4}});
    REQUIRE(all.areas);
    REQUIRE(all.areas->size() == 1);
    CHECK(all.areas->front().name == "P");
    CHECK(all.areas->front().rings ==
          std::vector<std::vector<Point>>{{{0, 0}, {4, 0}, {4, 4}}, {{2, 1}, {3, 1}, {3, 2}}});
    REQUIRE(notes.size() == 1);
    CHECK(notes[0] ==
          "all.geojson: x is longitude and y is latitude, in degrees; vertices of 1 line are points, 1 segment kept; 1 "
          "polygon kept as "
          "areas, their corners not as points; names kept; 3 columns kept; 1 feature without a place left out");
}

TEST_CASE("GeoJSON: vertices of polygons are points where nothing else is") {
    Notes notes;
    const std::string ring = "[[[0, 0], [1000, 0], [1000, 1000], [0, 0]]]";
    const Geometry one = read("a.json", "{\"type\": \"Polygon\", \"coordinates\": " + ring + "}", &notes);
    CHECK(one.points == std::vector<Point>{{0, 0}, {1000, 0}, {1000, 1000}});
    CHECK(one.unit.empty());  // beyond longitude and latitude
    CHECK(notes == Notes{"a.json: 1 polygon kept as areas, their corners as points"});
    const std::string point = "{\"type\": \"Point\", \"coordinates\": [1, 2]}";
    for (const std::string& text :
         {point, "[" + point + "]", "{\"type\": \"Feature\", \"geometry\": " + point + "}", point + "\n",
          "\x1e" + point + "\n", "{\"type\": \"GeometryCollection\", \"geometries\": [" + point + "]}"}) {
        INFO(text);
        CHECK(read("a.txt", text).points == std::vector<Point>{{1, 2}});
        CHECK(read_pasted(text).unit == "°");
    }
    CHECK(read("a.json", point + "\n" + point).points.size() == 2);
    const std::string metres =
        R"({"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::28992"}}, )"
        R"("features": [{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]})";
    CHECK(read("a.json", metres).unit.empty());
}

TEST_CASE("structured text: malformed texts are refused with their line") {
    CHECK(refusal("a.json", "[[1, 2],\n[3, \"foo\"]]") == "a.json:2: expected a number for y, found \"foo\"");
    CHECK(refusal("a.json", "[[1, 2],\n[3]]") == "a.json:2: expected a list of 2 as the first one, found 1");
    CHECK(refusal("a.json", "[[1, 2],\n[3, 4]") == "a.json:2: ends before the bracket [ of line 1 is closed");
    CHECK(refusal("a.json", "[[1, 2], [3, 4]}") == "a.json:1: expected the bracket ], found }");
    CHECK(contains(refusal("a.json", "{\"x\": [1, 2], \"y\": }"), "expected a value"));
    CHECK(contains(refusal("a.json", "{\"x\": [1, 2], \"y\": [1]}"), "\"x\" has 2 values, and \"y\" has 1"));
    CHECK(contains(refusal("a.json", "[1, 2, 3]"), "an odd count"));
    CHECK(contains(refusal("a.json", "[[1e400, 2]]"), "beyond what a double can hold"));
    CHECK(contains(refusal("a.json", "[[1e-400, 2]]"), "too small"));
    CHECK(refusal("a.json", "[[3, 4],\n[1, 1e300]]").starts_with("a.json:2: y is 1e+300, too large"));
    CHECK(refusal("a.json", "[[NaN, 2], [1, Infinity]]") == "a.json: no points found in 2 features");
    CHECK(contains(refusal("a.json", "[[1/3, 2]]"), "expected a number, found \"1/3\""));
    for (const char* text : {"p = np.array([[1, 2], [3, 4]]).T", "p = [1 2; 3 4]';", "p = np.array([[1, 2]]) * 2"})
        CHECK(contains(refusal("a.json", text), "nothing computed"));
    CHECK(contains(refusal("a.json", "[[0.1 2]\n ...\n [3 4]]"), "set_printoptions"));
    CHECK(contains(refusal("a.json", std::string(1'000'000, '[')), "more than 64 deep"));
    CHECK(contains(refusal("a.json", std::string(1'000'000, '{')), "more than 64 deep"));
    CHECK(refusal("a.json", "{\"type\": \"FeatureCollection\", \"features\": [{\"ty") != "accepted");
    CHECK(contains(refusal("a.json", "{\"type\": \"Point\", \"coordinates\": [1]}"), "two coordinates, found 1"));
    CHECK(contains(
        refusal("a.json", "{\"type\": \"Feature\", \"geometry\": {\"type\": \"Circle\", \"coordinates\": [1, 2]}}"),
        "found the type \"Circle\""));
    CHECK(contains(refusal("a.json", "{\"type\": \"Topology\"}"), "TopoJSON"));
    for (const char* text : {"", "[]", "{}", "[[]]", "[[], []]", "{\"type\": \"FeatureCollection\", \"features\": []}",
                             "pts = np.random.rand(10, 2)", "[null]", "{\"a\": 1}", "[\"a\"]"}) {
        INFO(std::string(text));
        CHECK(contains(refusal("a.json", text), "no points found"));
    }
    CHECK(contains(refusal("a.json", "{\"points\": \"uniform:100\"}"), "flipscope run"));
}

TEST_CASE("structured text: tables, steps of a recording and headers are not detected as such") {
    for (const char* text :
         {"", "1 2\n3 4\n", "x,y\n1,2\n", "x [nm],y [nm]\n1,2\n", "x (m) y (m)\n1 2\n", "[x],[y]\n1,2\n",
          "x[m];y[m]\n1;2\n", "# [1, 2]\n1 2\n", "name,x\n\"[1]\",2\n", "ITEM: TIMESTEP\n0\n", "4 2 0 0\n1 0 0\n",
          "POINT (1 2);5\n", "id;geom\n1;POINT (1 2)\n", "1,POINT (1 2)\n", "points\n1 2\n", "x=1 y=2\n",
          "y = sin(x)\n1 2\n", "[data]\nx=1\n", "sep=;\n1;2\n"}) {
        INFO(std::string(text));
        CHECK_FALSE(io::looks_like_structured_text(text));
    }
    const Geometry steps = read("a.jsonl", "{\"points\": [[0, 0], [1, 0], [0, 1]], \"triangles\": [[0, 1, 2]]}\n");
    CHECK(steps.recording);
}
