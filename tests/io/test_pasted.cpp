// Coordinates from a clipboard.
#include "io/pasted.h"
#include "test_support.h"

#include <string>

using namespace flipscope;

namespace {

std::string why_not(const std::string& text) {
    return error_of([&] { read_pasted(text); }, "");
}

}  // namespace

TEST_CASE("pasted points: the same two points in many notations") {
    const std::vector<Point> two{{0.1, 2}, {-3, 4.5}};
    for (const char* text :
         {"0.1 2\n-3 4.5\n", "0.1,2\r\n-3,4.5", "0.1;2\n-3;4.5", "0.1\t2\n-3\t4.5", "MULTIPOINT (0.1 2, -3 4.5)",
          "POINT(0.1 2)\nPOINT(-3 4.5)", "POINT Z (0.1 2 9)\nPOINT Z (-3 4.5 9)", "x,y\n0.1,2\n-3,4.5\n",
          "longitude latitude\n0.1 2\n-3 4.5", "0,1;2\n-3;4,5", "0,1\t2\n-3\t4,5", "0,1 2\n-3 4,5", "0.1 2 -3 4.5",
          "0.1\n2\n-3\n4.5", "# two\n+0.1 2 # one\n-3 4.5", "0.1 2 7\n-3 4.5 8",
          "\xEF\xBB\xBF"
          "0.1 2\n-3 4.5",
          "0.1,2 -3,4.5"}) {
        INFO(std::string(text));
        CHECK(read_pasted(text).points == two);
    }
    std::vector<std::string> notes;
    CHECK(read_pasted("1 2 3\n4 5 6", &notes).points.size() == 2);
    CHECK(notes.size() == 1);
}

TEST_CASE("pasted points: errors quote the text and name its line") {
    CHECK(why_not("") == "pasted: no points found");
    CHECK(why_not("1 2 3 4 5") == "it contains 5 numbers, an odd count: the last x has no y");
    CHECK(contains(why_not("1 2\n3 foo"), "pasted:2: expected"));
    CHECK(why_not("hello 1 2") == "expected coordinates, found \"hello\"");
    CHECK(contains(why_not("1 2\n3 4 5\n"), "pasted:2: expected two numbers, found \"3 4 5\""));
    CHECK(contains(why_not("1 1e400"), "pasted:1: y is too large for a double"));
    CHECK(contains(why_not("2026-11-26 3"), "pasted:1: expected two numbers"));
    CHECK(contains(why_not("0,5 1,5\n"), "a decimal comma"));
    CHECK(!why_not(std::string("\x89PNG\r\n\x1a\n\0\1", 10)).empty());
}

TEST_CASE("pasted points: a million lines") {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += std::to_string(i) + ".25 " + std::to_string(i % 7) + "\n";
    const std::vector<Point> points = read_pasted(text).points;
    REQUIRE(points.size() == 1'000'000);
    CHECK(points.back().x == 999'999.25);
}

TEST_CASE("pasted: a table is read as from a file, and bare coordinates as a list") {
    std::vector<std::string> notes;
    const Geometry table = read_pasted("species\tY [m]\tX [m]\noak\t1\t10\nbeech\t2\t20\noak\t3\t30\n", &notes);
    CHECK(table.points == std::vector<Point>{{10, 1}, {20, 2}, {30, 3}});
    CHECK(table.unit == "m");
    REQUIRE(table.attributes);
    CHECK(table.attributes->at(0).categories.size() == 2);
    CHECK(table.name == "pasted: 3 points");
    ReadOptions turned;
    turned.columns = {{ColumnRole::kX, "Y"}, {ColumnRole::kY, "X"}};
    CHECK(read_pasted("X;Y\n1,5;2\n3;4\n", &notes, turned).points == std::vector<Point>{{2, 1.5}, {4, 3}});
    for (const char* text : {"1 2\n3 4", "1 2 3 4", "1\n2\n3\n4", "[[1, 2], [3, 4]]", "MULTIPOINT ((1 2), (3 4))"}) {
        INFO(std::string(text));
        CHECK_FALSE(pasted_table(text, {}));
        CHECK(read_pasted(text, &notes).points == std::vector<Point>{{1, 2}, {3, 4}});
    }
    const Geometry rows = read_pasted("1 2 7\n3 4 8\n", &notes);
    CHECK(rows.points == std::vector<Point>{{1, 2}, {3, 4}});
    REQUIRE(rows.attributes);
    CHECK(rows.attributes->at(0).values == std::vector<double>{7, 8});
    for (const char* text : {"", "just words", "a,b\nc,d\n", "1 2\n3 foo"}) {
        INFO(std::string(text));
        CHECK_THROWS_AS(read_pasted(text, &notes), Error);
    }
}
