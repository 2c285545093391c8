// Points over time from text and from .npy files: names, order, missing points, and refused files.
#include <algorithm>
#include <cmath>
#include <random>

#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

Tracks tracks(const std::string& content, const std::string& name = "t.csv", Notes* notes = nullptr) {
    return tracks_in(name, content, notes);
}
std::string track_refusal(const std::string& content, const std::string& name = "t.csv") {
    return tracks_refusal(name, content);
}
void check_same(const Tracks& a, const Tracks& b) {
    CHECK(a.times == b.times);
    CHECK(a.starts == b.starts);
    CHECK(a.ids == b.ids);
    CHECK(a.places == b.places);
}

const Tracks kThree{"t.csv", {0, 1.5}, {0, 2, 3}, {3, 7, 3}, {{1, 2}, {5, 6}, {1, 2.5}}};

}  // namespace

TEST_CASE("tracks: commas, semicolons, tabs and blanks, with and without a header") {
    check_same(tracks("0,3,1,2\n0,7,5,6\n1.5,3,1,2.5\n"), kThree);
    check_same(tracks("t;id;x;y\r\n0;3;1;2\r\n0;7;5;6\r\n1.5;3;1;2.5\r\n"), kThree);
    check_same(tracks("t\tid\tx\ty\n0\t3\t1\t2\n0\t7\t5\t6\n1.5\t3\t1\t2.5", "t.tsv"), kThree);
    check_same(tracks("# a comment\n\n0 3 1 2\n0   7 5 6\n\n1.5 3 1 2.5\n", "t.txt"), kThree);
}

TEST_CASE("tracks: a header names the columns in any order, and others are left out with a note") {
    std::vector<std::string> notes;
    check_same(tracks("\"Y\", \"X\", colour, \"Particle\", \"Frame\"\n2,1,red,3,0\n6,5,red,7,0\n2.5,1,red,3,1.5\n",
                      "t.csv", &notes),
               kThree);
    REQUIRE(notes.size() == 2);
    CHECK(contains(notes[0], "time from \"Frame\", id from \"Particle\"; 1 column kept: colour"));
    check_same(tracks("POSITION_X,POSITION_Y,TRACK_ID,POSITION_T\n1,2,3,0\n5,6,7.0,0\n1,2.5,3,1.5\n"), kThree);
}

TEST_CASE("tracks: rows in any order are the same tracks") {
    std::vector<std::string> rows;
    for (int t = 0; t < 7; ++t)
        for (int id = 0; id < 9; ++id)
            rows.push_back(std::to_string(t) + "," + std::to_string(id * id - 20) + "," +
                           std::to_string(id + 0.25 * t) + "," + std::to_string(-id) + "\n");
    const auto joined = [&] {
        std::string text = "t,id,x,y\n";
        for (const std::string& row : rows) text += row;
        return text;
    };
    const Tracks in_order = tracks(joined());
    CHECK(in_order.frame_count() == 7);
    CHECK(std::is_sorted(in_order.ids.begin(), in_order.ids.begin() + 9));
    std::mt19937 random(1);
    for (int k = 0; k < 5; ++k) {
        std::shuffle(rows.begin(), rows.end(), random);
        check_same(tracks(joined()), in_order);
    }
}

TEST_CASE("tracks: a point may be missing in some frames, with a note") {
    std::vector<std::string> notes;
    const Tracks some = tracks("0,1,0,0\n0,2,1,1\n1,1,0,0\n2,1,0,0\n2,2,1,1\n", "t.csv", &notes);
    CHECK(some.starts == std::vector<size_t>{0, 2, 3, 5});
    REQUIRE(notes.size() == 2);
    CHECK(contains(notes[0], "no header: columns 1 to 4 are taken as t, id, x, y"));
    CHECK(notes[1] ==
          "t.csv: 1 of 2 points is missing in some of the 3 frames, and left out there; id 2, for one, at t = 1");
    notes.clear();
    tracks("t,id,x,y\n0,1,0,0\n1,1,0,0\n", "t.csv", &notes);
    CHECK(notes.empty());
}

TEST_CASE("tracks: an id twice in a frame is refused, naming both lines") {
    CHECK(track_refusal("t,id,x,y\n0,4,1,1\n0,5,1,2\n3,4,1,1\n0,4,9,9\n") ==
          "t.csv:5: id 4 is at t = 0 already in line 2");
    CHECK(track_refusal("0,4,1,1\n0,4,1,1\n") == "t.csv:2: id 4 is at t = 0 already in line 1");
}

TEST_CASE("tracks: malformed rows are refused with their line") {
    CHECK(contains(track_refusal("t,id,x,y\n0,2,1,2\n0,1,1e99,2\n"), "t.csv:3: x is 1e+99, too large"));
    CHECK(contains(track_refusal("t,id,x,y\n0,2,1,2\ninf,1,1,2\n"), "t.csv:3: t is inf"));
    CHECK(contains(track_refusal("t,id,x,y\n0,1.5,1,2\n"), "t.csv:2: expected an id, a whole number, in column 2"));
    CHECK(contains(track_refusal("t,id,x,y\n0,2,1,2\n0,1,1\n"), "t.csv:3: expected 4 columns as in line 2"));
    CHECK(contains(track_refusal("t,id,x,y\n0,2,1,2\n0,1,1,2,3\n"), "t.csv:3: expected 4 columns"));
    CHECK(contains(track_refusal("t,id,x,y\n0,2,1,2\n0,1,a,2\n"), "t.csv:3: expected a number as x in column 3"));
    CHECK(contains(track_refusal("t,owner,x,y\n0,1,1,2\n"), "points over time need a column of ids (--columns id=…)"));
    CHECK(contains(track_refusal("mass,x,y\n0,1,1\n"), "points over time need a column of times (--columns time=…)"));
    CHECK(contains(track_refusal("0,1,2\n"), "t.csv:1: expected four numbers"));
    CHECK(contains(track_refusal(""), "t.csv: no points found"));
    CHECK(track_refusal("t,id,x,y\n") == "t.csv: no points found");
    CHECK(contains(track_refusal(std::string("\x7f"
                                             "ELF\0\1,\2,\3,\4\n",
                                             14)),
                   "plain text"));
}

TEST_CASE("tracks: rows without a place, a time or an id are left out with a note") {
    for (const std::string row : {"0,1,nan,2", "0,1,,2", "0,1,1,NA", "0,,1,2", ",1,1,2"}) {
        CAPTURE(row);
        std::vector<std::string> notes;
        check_same(tracks("t,id,x,y\n0,3,1,2\n" + row + "\n0,7,5,6\n1.5,3,1,2.5\n", "t.csv", &notes), kThree);
        CHECK(contains(notes.at(0), "1 row without a place, a time or an id is left out (line 3)"));
    }
}

TEST_CASE("tracks: text ids are numbered in order of appearance") {
    const Tracks named = tracks("frame,particle,x,y\n0,bee,1,2\n0,ant,5,6\n1.5,bee,1,2.5\n");
    CHECK(named.ids == std::vector<int64_t>{0, 1, 0});
    CHECK(named.places == kThree.places);
}

TEST_CASE("tracks: an array of shape (t, n, 2), where nan twice is missing") {
    const double nan = std::nan("");
    std::vector<std::string> notes;
    const Tracks read =
        tracks(npy<double>("<f8", "(2, 3, 2)", {1, 2, 3, 4, 5, 6, 1, 2, nan, nan, 5, 7}), "t.npy", &notes);
    CHECK(read.times == std::vector<double>{0, 1});
    CHECK(read.starts == std::vector<size_t>{0, 3, 5});
    CHECK(read.ids == std::vector<int64_t>{0, 1, 2, 0, 2});
    CHECK(read.places == std::vector<Point>{{1, 2}, {3, 4}, {5, 6}, {1, 2}, {5, 7}});
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "id 1, for one, at t = 1"));
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(tracks(npy<double>("<f8", "(1, 3, 2)", {1, 2, nan, 4, 5, -infinity}), "t.npy").places ==
          std::vector<Point>{{1, 2}});
    CHECK(contains(track_refusal(npy<double>("<f8", "(1, 1, 2)", {1e99, 4}), "t.npy"), "frame 0, point 0: x is 1e+99"));
    CHECK(contains(track_refusal(npy<double>("<f8", "(1, 2)", {1, 2}), "t.npy"),
                   "expected shape (t, n, 2), found (1, 2)"));
    CHECK(contains(track_refusal(npy<double>("<f8", "(2, 0, 2)", {}), "t.npy"), "no points found"));
    CHECK(contains(track_refusal(npy<double>("<f8", "(2, 3, 2)", {1, 2}), "t.npy"), "but only 16 bytes follow"));
}

TEST_CASE("tracks: any number of frames without points is refused, though they take no bytes") {
    for (const std::string shape : {"(9000000000000000000, 0, 2)", "(0, 5, 2)", "(0, 0, 2)"})
        CHECK(track_refusal(npy<double>("<f8", shape, {}), "t.npy") == "t.npy: no points found: its shape is " + shape);
}
