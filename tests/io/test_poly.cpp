// Triangle's .poly: points inside or in the .node beside, segments and holes kept.
#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

TEST_CASE("Triangle's .poly: points, segments and holes, counted from 0 or 1") {
    for (const int first : {0, 1}) {
        CAPTURE(first);
        const auto id = [&](int i) { return std::to_string(first + i) + " "; };
        const std::string file = "# a box with a hole\n4 2 1 1\n" + id(0) + "0 0 7 1\n" + id(1) + "3 0 8 1\n" + id(2) +
                                 "3 3 9 1 # corner\n" + id(3) + "0 3 10 0\n\n4 1\n" + id(0) + id(0) + id(1) + "1\n" +
                                 id(1) + id(1) + id(2) + "1\n" + id(2) + id(2) + id(3) + "1\n" + id(3) + id(3) + id(0) +
                                 "1\n1\n" + id(0) + "1.5 1.5\n";
        const Geometry graph = read("a.poly", file);
        CHECK(graph.points == Points{{0, 0}, {3, 0}, {3, 3}, {0, 3}});
        CHECK(graph.segments == Segments{{0, 1}, {1, 2}, {2, 3}, {3, 0}});
        CHECK(graph.holes == Points{{1.5, 1.5}});
        CHECK(graph.triangles.empty());
        REQUIRE(graph.attributes);
        CHECK(graph.attributes->at(0).name == "attribute 1");
        CHECK(graph.attributes->at(1).values == std::vector<double>{1, 1, 1, 0});
        CHECK(notes_of("a.poly", file) ==
              Notes{"a.poly: 2 columns kept", "a.poly: 4 segments and 1 hole are kept, not used yet"});
        CHECK(notes_of("a.poly", file + "1\n1 1 1 0.5 0.1\n").back() == "a.poly: its regions are not used");
        CHECK(notes_of("a.poly", file + "0\n").size() == 2);
    }
    CHECK(read("a.poly", "1 2\n1 4 5\n").points == Points{{4, 5}});  // segments left out
}

TEST_CASE("Triangle's .poly: its points may be in the .node of the same name") {
    const Scratch scratch;
    const std::string poly = "0 2 0 0\n2\n1 1 2\n2 2 3\n0\n";
    CHECK(refusal("a.poly", poly) == "a.poly: its points are missing: there is no a.node beside it");
    scratch.file("a.node", "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    const Geometry graph = read_geometry(scratch.file("a.poly", poly));
    CHECK(graph.points == Points{{0, 0}, {1, 0}, {0, 1}});
    CHECK(graph.segments == Segments{{0, 1}, {1, 2}});
    CHECK(graph.name == "a.poly");
}

TEST_CASE("Triangle's .poly: what cannot be read is refused with its line") {
    const std::string points = "2 2 0 0\n1 0 0\n2 1 0\n";
    CHECK(refusal("a.poly", points + "1\n1 1 3\n") ==
          "a.poly:5: the segment names point 3, but there are 2, counted from 1");
    CHECK(refusal("a.poly", points + "1\n1 1 x\n") == "a.poly:5: expected the indices of two points, found \"x\"");
    CHECK(refusal("a.poly", points + "1\n# no segment\n") == "a.poly: ends after 0 of 1 segments");
    CHECK(refusal("a.poly", points + "4000000000 1\n1 1 2\n")
              .starts_with("a.poly:4: \"4000000000 1\" declares more segments than the file has room for"));
    CHECK(refusal("a.poly", points + "0\n1\n1 1 # no y\n") ==
          "a.poly:6: expected two numbers, the place of a hole, found \"\"");
    CHECK(refusal("a.poly", points + "0\n1\n1 1 nan\n") == "a.poly:6: y is nan, not a finite number");
    CHECK(contains(refusal("a.poly", "4 3 0 1\n1 0 0 0 1\n"), "as TetGen writes them"));
    CHECK(refusal("a.poly", "") == "a.poly: no points found");
}
