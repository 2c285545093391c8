// Points in NumPy's .npz with arrays of one number per point, and malformed archives.
#include <cmath>
#include <limits>

#include "geometry/recording.h"
#include "input_files.h"
#include "npz_files.h"

using namespace flipscope;
using namespace flipscope::input_files;
using npz_files::npz;

namespace {

const std::string kCorners = npy<double>("<f8", "(3, 2)", {0, 0, 1, 0, 0, 1});
const std::string kMass = npy<double>("<f8", "(3,)", {0.5, -1, 7});

/// Of the only note, behind the name of the file; empty: there is none.
std::string note_on(const std::string& bytes) {
    std::vector<std::string> notes;
    read("p.npz", bytes, &notes);
    REQUIRE(notes.size() <= 1);
    return notes.empty() ? "" : notes[0].substr(notes[0].find("p.npz: ") + 7);
}
using Values = std::vector<double>;

}  // namespace

TEST_CASE("npz points: arrays of one number per point are attributes, of any type and order of bytes") {
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<std::string> notes;
    const Geometry made = read("p.npz",
                               npz({{"mass.npy", kMass},
                                    {"points.npy", kCorners},
                                    {"id.npy", npy<int16_t>(">i2", "(3,)", {-2, 3, 300})},
                                    {"big.npy", npy<double>(">f8", "(3, 1)", {1e300, infinity, -0.25})},
                                    {"inside.npy", npy<uint8_t>("|b1", "(3,)", {1, 0, 1})},
                                    {"degree.npy", npy<float>("<f4", "(3,)", {NAN, 2, 3}, "True")}}),
                               &notes);
    CHECK(notes.empty());
    CHECK(made.name == "p.npz");
    CHECK(made.points == std::vector<Point>{{0, 0}, {1, 0}, {0, 1}});
    CHECK(!made.recording);
    REQUIRE(made.attributes);
    REQUIRE(made.attributes->size() == 5);
    CHECK((column(made, 0).name == "mass" && column(made, 0).values == Values{0.5, -1, 7}));
    CHECK((column(made, 1).name == "id" && column(made, 1).values == Values{-2, 3, 300}));
    CHECK((column(made, 2).values[0] == 1e300 && std::isnan(column(made, 2).values[1]) &&
           column(made, 2).values[2] == -0.25));
    CHECK((column(made, 3).name == "inside" && column(made, 3).values == Values{1, 0, 1}));
    CHECK(
        (column(made, 4).name == "degree" && std::isnan(column(made, 4).values[0]) && column(made, 4).values[2] == 3));
}

TEST_CASE("npz points: the only array of pairs, one of the known names, x and y, or records") {
    const std::string pairs = npy<float>("<f4", "(2, 2)", {0, 1, 2, 3}),
                      columns = npy<float>("<f4", "(2, 2)", {0, 2, 1, 3}, "True"),
                      whole = npy<int32_t>("<i4", "(2, 2)", {0, 1, 2, 3}),
                      ends = npy<int32_t>("<i4", "(2, 2)", {0, 1, 1, 0});
    const std::vector<Point> expected{{0, 1}, {2, 3}};
    CHECK(read("p.npz", npz({{"a.npy", pairs}})).points == expected);
    CHECK(read("p.npz", npz({{"a.npy", columns}})).points == expected);
    CHECK(read("p.npz", npz({{"a.npy", whole}})).points == expected);
    CHECK(read("p.npz", npz({{"points.npy", whole}})).points == expected);
    const std::string edges_beside = npz({{"edges.npy", ends}, {"a.npy", pairs}});
    CHECK(read("p.npz", edges_beside).points == expected);
    CHECK(note_on(edges_beside) ==
          "left out, since attributes have one value for each of the 2 points: \"edges\" has shape (2, 2)");
    const std::string velocities = npz({{"v.npy", columns}, {"positions.npy", pairs}});
    CHECK(read("p.npz", velocities).points == expected);
    CHECK(note_on(velocities).ends_with("\"v\" has shape (2, 2)"));
    CHECK(refusal("p.npz", npz({{"v.npy", pairs}, {"places.npy", pairs}, {"w.npy", pairs}})) ==
          "p.npz: \"v\" and \"places\" and others could all be the points, of shape (n, 2); call the one that is "
          "\"points\"");

    const std::string axes = npz({{"x.npy", npy<double>("<f8", "(2,)", {0, 2})},
                                  {"q.npy", npy<double>("<f8", "(2,)", {8, 9})},
                                  {"y.npy", npy<int8_t>("|i1", "(2,)", {1, 3})}});
    CHECK(read("p.npz", axes).points == expected);
    REQUIRE(read("p.npz", axes).attributes);
    CHECK(read("p.npz", axes).attributes->size() == 1);
    CHECK(column(read("p.npz", axes), 0).values == Values{8, 9});
    CHECK(refusal("p.npz", npz({{"x.npy", npy<double>("<f8", "(2,)", {0, 2})}, {"y.npy", kMass}})) ==
          "p.npz: x has 2 numbers, and y 3");
    CHECK(refusal("p.npz", npz({{"x.npy", kMass}, {"y.npy", npy<uint8_t>("|b1", "(3,)", {0, 1, 1})}}))
              .starts_with("p.npz: y: expected shape (n,) of numbers, found (3,) of \"'|b1'\""));
    CHECK(refusal("p.npz", npz({{"mass.npy", kMass}})) ==
          "p.npz: there is no array called points_0, triangles_0 or the like in it, and none of shape (n, 2), nor x "
          "and y, which would be points");

    std::string records = npy<double>("[('x', '<f8'), ('mass', '<f8'), ('y', '<f8')]  ", "(2,)", {0, 5, 1, 2, 6, 3});
    records.replace(records.find("'["), 2, "[ ");  // a list, and no text
    records.replace(records.find("]  '"), 4, "]   ");
    const std::string with_fields = npz({{"data.npy", records},
                                         {"mass.npy", npy<double>("<f8", "(2,)", {1, 2})},
                                         {"k.npy", npy<double>("<f8", "(2,)", {3, 4})}});
    const Geometry of_records = read("p.npz", with_fields);
    CHECK(of_records.points == expected);
    REQUIRE((of_records.attributes && of_records.attributes->size() == 2));
    CHECK((column(of_records, 0).name == "mass" && column(of_records, 0).values == Values{5, 6}));
    CHECK((column(of_records, 1).name == "k" && column(of_records, 1).values == Values{3, 4}));
    CHECK(note_on(with_fields).ends_with("\"mass\" is a field of the points, too"));
}

TEST_CASE("npz points: arrays without one number per point are left out with a note") {
    const auto beside = [](const std::string& bytes) {
        return note_on(npz({{"points.npy", kCorners}, {"a.npy", bytes}}));
    };
    const std::string begin = "left out, since attributes have one value for each of the 3 points: ";
    CHECK(beside(kMass).empty());
    CHECK(beside(npy<double>("<f8", "(2,)", {1, 2})) == begin + "\"a\" has 2 numbers");
    CHECK(beside(npy<double>("<f8", "(1, 3)", {1, 2, 3})) == begin + "\"a\" has shape (1, 3)");
    CHECK(beside(npy<double>("<f8", "()", {1})) == begin + "\"a\" has shape ()");
    CHECK(beside(npy<char>("|S1", "(3,)", {'a', 'b', 'c'})).empty());
    CHECK(beside(npy<char>("|O", "(3,)", {'a'})) == begin + "\"a\" is not an array of numbers");
    CHECK(note_on(npz({{"points.npy", kCorners}, {".npy", kMass}})) == begin + "\"\" has no name");
    CHECK(note_on(npz({{"points.npy", kCorners}, {"a.txt", "hello"}})) ==
          "1 member of the archive is no .npy file, and not used");
    const std::string long_name(300, 'n');
    const Geometry named = read("p.npz", npz({{"points.npy", kCorners}, {long_name + ".npy", kMass}}));
    CHECK(column(named, 0).name.size() <= 80);
    // Names that are one when they are cut are two columns; the second would hide the first.
    CHECK(note_on(npz({{"points.npy", kCorners},
                       {long_name + "1" + long_name + ".npy", kMass},
                       {long_name + "2" + long_name + ".npy", kMass}}))
              .ends_with("has the name of another"));
}

TEST_CASE("npz points: a recording whose steps share their points has columns, too") {
    const std::string triangle = npy<int64_t>("<i8", "(1, 3)", {0, 1, 2});
    const Geometry steps = read("p.npz", npz({{"points.npy", kCorners},
                                              {"mass.npy", kMass},
                                              {"triangles_0.npy", npy<int64_t>("<i8", "(0, 3)", {})},
                                              {"triangles_1.npy", triangle}}));
    REQUIRE(steps.recording);
    CHECK(steps.recording->steps.size() == 2);
    CHECK((column(steps, 0).name == "mass" && column(steps, 0).values == Values{0.5, -1, 7}));
    const std::string of_two = npz({{"points_0.npy", kCorners},
                                    {"points_1.npy", npy<double>("<f8", "(3, 2)", {5, 0, 1, 0, 0, 1})},
                                    {"triangles_0.npy", triangle},
                                    {"mass.npy", kMass}});
    CHECK(!read("p.npz", of_two).attributes);
    CHECK(note_on(of_two) ==
          "\"mass\" is not used: steps have points of their own, and attributes would be of one of them");
}

TEST_CASE("npz points: errors name the malformed array") {
    const auto with = [](const std::string& bytes) {
        return refusal("p.npz", npz({{"points.npy", kCorners, true}, {"a.npy", bytes, true}}));
    };
    CHECK(with("no array").starts_with("p.npz: a: expected an npy file"));
    CHECK(with(npy<double>("<f8", "(3,)", {1, 2}))
              .starts_with("p.npz: a: expected (3,) numbers as declared, but only 16 bytes"));
    CHECK(with(npy<double>("<f8", "(1000000000000,)", {1})) == "accepted");  // no column, by its size alone
    CHECK(refusal("p.npz", npz({{"points.npy", npy<double>("<f8", "(1000000000000, 2)", {1})}}))
              .starts_with("p.npz: points: expected (1000000000000, 2) numbers as declared, but only 8 bytes"));
    CHECK(refusal("p.npz", npz({{"points.npy", npy<int32_t>("<i4", "(1000000000000, 2)", {1})}}))
              .starts_with("p.npz: points: expected (1000000000000, 2) numbers as declared"));
    CHECK(refusal("p.npz", npz({{"points.npy", npy<double>("<f8", "(1, 2)", {0, NAN})}})) ==
          "p.npz: no points found: every row has a coordinate that is nan or infinite");
    CHECK(refusal("p.npz", npz({{"points.npy", npy<double>("<f8", "(0, 2)", {})}})) == "p.npz: no points found");
    // Many times its size of numbers of one byte: a million of them in a kilobyte, in forty columns.
    std::vector<npz_files::Member> bomb{{"points.npy", npy<float>("<f4", "(1, 2)", {0, 0})}};
    const std::string zeros = npy<uint8_t>("|u1", "(1000000,)", std::vector<uint8_t>(1000000));
    for (int k = 0; k < 40; ++k) bomb.push_back({"c" + std::to_string(k) + ".npy", zeros, true});
    CHECK(contains(note_on(npz(bomb)), "\"c0\" has 1000000 numbers"));
}
