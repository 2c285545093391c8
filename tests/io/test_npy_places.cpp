// Points and points over time in NumPy's arrays of every type and layout, in records and in archives; triangulations in
// archives; and the notes on each.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "input_files.h"
#include "io/formats.h"
#include "npz_files.h"

using namespace flipscope;
using namespace flipscope::input_files;
using npz_files::npz;

namespace {

/// The 16 bits of a whole number up to 2047 as IEEE's binary16.
uint16_t half(int value) {
    if (value == 0) return 0;
    const int exponent = std::bit_width(static_cast<unsigned>(std::abs(value))) - 1;
    const int fraction = exponent > 10 ? 0 : (std::abs(value) << (10 - exponent)) & 0x3ff;
    return static_cast<uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | fraction);
}

/// Whole numbers from 0 to 100 as raw numbers of a type.
std::string array_of(const std::string& type, const std::string& shape, const std::vector<int>& numbers,
                     const std::string& column_major) {
    const auto as = [&](auto zero) {
        using Number = decltype(zero);
        return npy<Number>(type, shape, std::vector<Number>(numbers.begin(), numbers.end()), column_major);
    };
    const std::string kind = type.substr(1);
    if (kind == "i1") return as(int8_t{});
    if (kind == "u1") return as(uint8_t{});
    if (kind == "i2") return as(int16_t{});
    if (kind == "u2") return as(uint16_t{});
    if (kind == "i4") return as(int32_t{});
    if (kind == "u4") return as(uint32_t{});
    if (kind == "i8") return as(int64_t{});
    if (kind == "u8") return as(uint64_t{});
    if (kind == "f4") return as(float{});
    if (kind == "f8") return as(double{});
    std::vector<uint16_t> halves;
    for (const int number : numbers) halves.push_back(half(number));
    return npy<uint16_t>(type, shape, halves, column_major);
}

struct Layout {
    std::string shape;
    std::vector<int> numbers;  // row-major
    std::string note;          // what it is said to be; empty: nothing
    size_t frames = 0;         // 0: points
    bool has_z = false;
};

/// Row-major numbers of a shape as they lie column-major.
std::vector<int> turned(const std::string& shape, const std::vector<int>& numbers) {
    std::vector<size_t> size;
    for (size_t at = 0; at < shape.size(); ++at)
        if (std::isdigit(static_cast<unsigned char>(shape[at]))) size.push_back(static_cast<size_t>(shape[at] - '0'));
    std::vector<int> made(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
        size_t rest = i, place = 0;
        std::vector<size_t> index(size.size());
        for (size_t axis = size.size(); axis-- > 0; rest /= size[axis]) index[axis] = rest % size[axis];
        for (size_t axis = size.size(); axis-- > 0;) place = place * size[axis] + index[axis];
        made[place] = numbers[i];
    }
    return made;
}

const std::vector<Point> kFive{{10, 20}, {15, 80}, {60, 35}, {70, 75}, {40, 50}};
const std::vector<int> kRows{10, 20, 15, 80, 60, 35, 70, 75, 40, 50};
const std::vector<int> kRowsWithZ{10, 20, 1, 15, 80, 2, 60, 35, 3, 70, 75, 4, 40, 50, 5};

std::vector<int> twice(std::vector<int> numbers) {
    const size_t n = numbers.size();
    numbers.resize(2 * n);
    std::copy_n(numbers.begin(), n, numbers.begin() + static_cast<ptrdiff_t>(n));
    return numbers;
}

const std::vector<Layout>& layouts() {
    static const std::vector<int> columns{10, 15, 60, 70, 40, 20, 80, 35, 75, 50};
    static const std::vector<int> columns_with_z{10, 15, 60, 70, 40, 20, 80, 35, 75, 50, 1, 2, 3, 4, 5};
    static const std::vector<Layout> all{
        {"(5, 2)", kRows, "", 0, false},
        {"(5, 3)", kRowsWithZ, "x and y are the first two of 3 columns, the third is kept as \"z\"", 0, true},
        {"(2, 5)", columns, "shape (2, 5) is 5 points: its rows are x and y", 0, false},
        {"(3, 5)", columns_with_z, "shape (3, 5) is 5 points: its rows are x, y and \"z\"", 0, true},
        {"(5, 1, 2)", kRows, "shape (5, 1, 2) is 5 points", 0, false},
        {"(1, 5, 2)", kRows, "", 1, false},
        {"(2, 5, 2)", twice(kRows), "", 2, false},
        {"(2, 5, 3)", twice(kRowsWithZ), "the third is kept as \"z\"", 2, true},
        {"(2, 2, 5)", twice(columns), "shape (2, 2, 5) is 2 frames of 5 points: the rows of each are x and y", 2,
         false}};
    return all;
}

}  // namespace

TEST_CASE("npy places: every type of number in both byte orders and both orders of axes, in every layout") {
    for (const char* kind : {"i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"})
        for (const char* order : {"<", ">"})
            for (const Layout& layout : layouts())
                for (const bool column_major : {false, true}) {
                    const std::string type = order + std::string(kind);
                    INFO("type ", type, ", shape ", layout.shape, ", column_major ", column_major);
                    std::vector<std::string> notes;
                    const Geometry made =
                        read("a.npy",
                             array_of(type, layout.shape,
                                      column_major ? turned(layout.shape, layout.numbers) : layout.numbers,
                                      column_major ? "True" : "False"),
                             &notes);
                    CHECK(notes.empty() == layout.note.empty());
                    if (!notes.empty()) CHECK(contains(notes[0], layout.note));
                    const std::vector<double> z{1, 2, 3, 4, 5};
                    if (layout.frames == 0) {
                        CHECK(made.points == kFive);
                        CHECK((made.attributes != nullptr) == layout.has_z);
                        if (layout.has_z) CHECK(made.attributes->at(0).name == "z");
                        if (layout.has_z) CHECK(made.attributes->at(0).values == z);
                        continue;
                    }
                    REQUIRE(made.tracks);
                    REQUIRE(made.tracks->frame_count() == layout.frames);
                    REQUIRE(made.tracks->places.size() == 5 * layout.frames);
                    CHECK(made.points.size() == (layout.frames == 1 ? 5 : 0));
                    for (size_t i = 0; i < 5 * layout.frames; ++i) {
                        CHECK(made.tracks->places[i] == kFive[i % 5]);
                        CHECK(made.tracks->ids[i] == static_cast<int64_t>(i % 5));
                        if (layout.has_z) CHECK(made.tracks->attributes.at(0).values.at(i) == z[i % 5]);
                    }
                }
}

TEST_CASE("npy places: where a shape fits both ways its rows are points, and complex numbers are x + iy") {
    CHECK(read("a.npy", npy<double>("<f8", "(2, 2)", {1, 2, 3, 4})).points == std::vector<Point>{{1, 2}, {3, 4}});
    CHECK(read("a.npy", npy<double>("<f8", "(3, 2)", {1, 2, 3, 4, 5, 6})).points.size() == 3);
    CHECK(read("a.npy", npy<double>("<f8", "(3, 3)", {1, 2, 3, 4, 5, 6, 7, 8, 9})).points ==
          std::vector<Point>{{1, 2}, {4, 5}, {7, 8}});
    std::vector<std::string> notes;
    CHECK(read("a.npy", npy<double>("<f8", "(2, 3)", {1, 2, 3, 4, 5, 6}), &notes).points.size() == 2);
    CHECK(contains(notes.at(0), "transpose it if it is 3 points"));
    notes.clear();
    CHECK(read("a.npy", npy<double>(">c16", "(2,)", {1, 2, 3, 4}), &notes).points ==
          std::vector<Point>{{1, 2}, {3, 4}});
    CHECK(notes == std::vector<std::string>{"a.npy: x is the real part, y the imaginary part"});
    CHECK(read("a.npy", npy<float>("<c8", "(2, 4)", std::vector<float>(16, 1))).tracks->frame_count() == 2);
    CHECK(contains(refusal("a.npy", npy<float>("<c8", "(4, 2)", std::vector<float>(16, 1))),
                   "expected shape (n,) of complex numbers"));
    // A field keeps being one: of other shapes, and of bool in all.
    CHECK(read("a.npy", npy<double>("<f8", "(4, 4)", std::vector<double>(16))).field);
    CHECK(read("a.npy", npy<uint8_t>("|b1", "(4, 2)", std::vector<uint8_t>(8))).field);
}

TEST_CASE("npy places: integers not exact as doubles are refused as coordinates and noted in columns") {
    const int64_t even = int64_t{1} << 60;
    CHECK(read("a.npy", npy<int64_t>("<i8", "(1, 2)", {even, -even})).points == std::vector<Point>{{0x1p60, -0x1p60}});
    CHECK(refusal("a.npy", npy<int64_t>("<i8", "(2, 2)", {0, 1, 2, -even - 1}))
              .starts_with("a.npy: row 1: y is -1152921504606846977, which no double is equal to"));
    CHECK(contains(refusal("a.npy", npy<uint64_t>(">u8", "(1, 2)", {0xffffffffffffffff, 0})), "18446744073709551615"));
    CHECK(contains(refusal("a.npy", npy<uint64_t>("<u8", "(2, 1, 2)", {1, 1, 9007199254740993, 0})), "row 1: x"));
    std::vector<std::string> notes;
    const Geometry made = read("a.npz",
                               npz({{"points.npy", npy<float>("<f4", "(2, 2)", {1, 2, 3, 4})},
                                    {"stamp.npy", npy<int64_t>("<i8", "(2,)", {even, even + 1})}}),
                               &notes);
    CHECK(made.attributes->at(0).values == std::vector<double>{0x1p60, 0x1p60});
    CHECK(contains(notes.at(0), "1 number of \"stamp\" has more digits than a double and is rounded"));
}

TEST_CASE("npy places: rows with nan or infinity are missing points, and their columns go with them") {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    std::vector<std::string> notes;
    const std::string rows = npy<double>("<f8", "(4, 2)", {0, 1, nan, 3, 4, -infinity, 6, 7});
    const Geometry made = read("a.npz",
                               npz({{"points.npy", rows},
                                    {"mass.npy", npy<double>("<f8", "(4,)", {1, 2, 3, 4})},
                                    {"kind.npy", npy<char>("|S1", "(4,)", {'b', 'a', 'a', 'c'})},
                                    {"name.npy", npy<uint32_t>("<U1", "(4,)", {'p', 'q', 'r', 0xe9})}}),
                               &notes);
    CHECK(made.points == std::vector<Point>{{0, 1}, {6, 7}});
    CHECK(made.rows == std::vector<uint64_t>{0, 3});
    CHECK(made.names == std::vector<std::string>{"p", "é"});
    REQUIRE((made.attributes && made.attributes->size() == 2));
    CHECK(made.attributes->at(0).values == std::vector<double>{1, 4});
    CHECK(made.attributes->at(1).values == std::vector<double>{0, 2});
    CHECK(made.attributes->at(1).categories == std::vector<std::string>{"b", "a", "c"});
    CHECK(contains(notes.at(0), "2 rows are left out, whose x or y is nan or infinite: 1, 2 (from 0)"));
    CHECK(read("a.npy", npy<double>("<f8", "(1, 2)", {0, 1})).rows.empty());
    CHECK(contains(refusal("a.npy", npy<double>("<f8", "(2, 2)", {nan, 1, 2, infinity})), "no points found"));
}

TEST_CASE("npy places: records of any type, with names that say what they are, and over time") {
    const auto records = [](const std::string& fields, const std::string& shape, const std::string& bytes) {
        std::string file = npy<char>("?", shape, {bytes.begin(), bytes.end()});
        const size_t at = file.find("'?'");
        file.replace(at, 3, fields);
        const size_t length = file.size() - bytes.size() - 10;
        file[8] = static_cast<char>(length & 0xff);
        file[9] = static_cast<char>(length >> 8);
        return file;
    };
    std::vector<std::string> notes;
    const Geometry whole = read("r.npy",
                                records("[('n', '|u1'), ('Y', '|i1'), ('X [nm]', '>i2'), ('', '|V2')]", "(2,)",
                                        std::string("\x07\xff\x01\x00"
                                                    "ab"
                                                    "\x08\x02\xff\xff"
                                                    "cd",
                                                    12)),
                                &notes);
    CHECK(whole.points == std::vector<Point>{{256, -1}, {-1, 2}});
    CHECK(whole.unit.empty());  // y has none
    const Geometry named = read(
        "r.npy", records("[('Location_Center_Y [nm]', '|i1'), ('Location_Center_X [nm]', '|i1'), ('Mass (kg)', '|u1')]",
                         "(2,)", std::string("\x02\x01\x05\x04\x03\x06", 6)));
    CHECK(named.points == std::vector<Point>{{1, 2}, {3, 4}});
    CHECK(named.unit == "nm");
    CHECK(named.attributes->at(0).name == "Mass");
    CHECK(named.attributes->at(0).unit == "kg");
    CHECK(whole.attributes->at(0).values == std::vector<double>{7, 8});
    CHECK(notes == std::vector<std::string>{"r.npy: x from \"X [nm]\", y from \"Y\"; 1 column kept"});

    notes.clear();
    const Geometry of_array =
        read("r.npy", records("[('v', '|u1'), ('pos', '|u1', (3,))]", "(2, 1)", "\1\2\3\4\5\6\7\x08"), &notes);
    CHECK(of_array.points == std::vector<Point>{{2, 3}, {6, 7}});
    REQUIRE(of_array.attributes->size() == 2);
    CHECK(of_array.attributes->at(1).name == "pos[2]");
    CHECK(contains(notes.at(0), "x from \"pos[0]\", y from \"pos[1]\""));

    const std::string rows(
        "\1\5\2\3"
        "\0\5\4\5"
        "\0\4\6\7"
        "\1\4\x08\x09",
        16);
    notes.clear();
    const Geometry moving = read(
        "r.npy", records("[('frame', '|u1'), ('particle', '|u1'), ('y', '|u1'), ('x', '|u1')]", "(4,)", rows), &notes);
    REQUIRE(moving.tracks);
    CHECK(moving.tracks->times == std::vector<double>{0, 1});
    CHECK(moving.tracks->ids == std::vector<int64_t>{4, 5, 4, 5});
    CHECK(moving.tracks->places == std::vector<Point>{{7, 6}, {5, 4}, {9, 8}, {3, 2}});
    CHECK(contains(notes.at(0), "time from \"frame\", id from \"particle\""));
    CHECK(contains(refusal("r.npy", records("[('t', '|u1'), ('id', '|u1'), ('x', '|u1'), ('y', '|u1')]", "(2,)",
                                            std::string("\0\1\0\0\0\1\1\1", 8))),
                   "row 1: id 1 is at t = 0 already in row 0"));
    const Geometry frames = read("r.npy", records("[('x', '|u1'), ('y', '|u1')]", "(2, 2)", "\1\2\3\4\5\6\7\x08"));
    CHECK(frames.tracks->places == std::vector<Point>{{1, 2}, {3, 4}, {5, 6}, {7, 8}});

    // A title, a field of records within records, and times that are neither numbers nor texts.
    CHECK(read("r.npy", records("[(('the x', 'x'), '|u1'), ('y', '|u1')]", "(1,)", "\1\2")).points.size() == 1);
    CHECK(contains(refusal("r.npy", records("[('x', '|u1'), ('y', [('a', '|u1')])]", "(1,)", "\1\2")), "expected"));
    notes.clear();
    read("r.npy", records("[('x', '|u1'), ('y', '|u1'), ('at', '<M8[ns]')]", "(1,)", std::string(10, '\1')), &notes);
    CHECK(contains(notes.at(0), "left out: the field \"at\""));
}

TEST_CASE("npy places: options name columns, turn y around, make tiny numbers 0 and set the unit") {
    ReadOptions options;
    options.columns = {{ColumnRole::kX, "2"}, {ColumnRole::kY, "4"}};
    const std::string table = npy<double>("<f8", "(2, 5)", {9, 1, 9, 2, 9, 8, 3, 8, 4, 8});
    std::vector<std::string> notes;
    const Geometry made = read("a.npy", table, &notes, options);
    CHECK(made.points == std::vector<Point>{{1, 2}, {3, 4}});
    CHECK(made.attributes->size() == 3);
    CHECK(contains(notes.at(0), "x from \"column 2\", y from \"column 4\"; 3 columns kept"));
    options.columns = {{ColumnRole::kX, "2"}, {ColumnRole::kY, "6"}};
    CHECK(contains(refusal("a.npy", table, options), "there is no column \"6\""));
    ReadOptions other;
    other.y_down = other.tiny_as_zero = true;
    other.unit = "mm";
    notes.clear();
    const Geometry turned = read("a.npy", npy<double>("<f8", "(2, 2)", {1e-70, 2, 3, 0}), &notes, other);
    CHECK(contains(notes.at(0), "1 coordinate below 2^-200 is read as 0"));
    CHECK(turned.points == std::vector<Point>{{0, -2}, {3, 0}});
    CHECK((turned.y_down && turned.unit == "mm"));
    CHECK(contains(
        refusal("a.npy", npy<double>("<f8", "(1, 2)", {1e-70, 2})),
        "row 0: x is 1e-70, too small: a coordinate must be 0 or at least 2^-200 (6.2e-61) in magnitude; --tiny "
        "zero reads smaller ones as 0"));
}

TEST_CASE("npz places: points over time in one array, in x and y, or in rows with times and ids") {
    const std::string frames = npy<double>("<f8", "(2, 2, 2)", {0, 1, 2, 3, 4, 5, 6, 7});
    std::vector<std::string> notes;
    const Geometry made = read("t.npz",
                               npz({{"positions.npy", frames},
                                    {"times.npy", npy<float>("<f4", "(2,)", {0.5, 2})},
                                    {"ids.npy", npy<int64_t>("<i8", "(2,)", {9, -3})},
                                    {"radius.npy", npy<double>("<f8", "(2,)", {1, 2})},
                                    {"speed.npy", npy<double>("<f8", "(2, 2)", {1, 2, 3, 4}, "True")},
                                    {"junk.npy", npy<double>("<f8", "(5,)", {1, 2, 3, 4, 5})}}),
                               &notes);
    REQUIRE(made.tracks);
    CHECK(made.tracks->times == std::vector<double>{0.5, 2});
    CHECK(made.tracks->ids == std::vector<int64_t>{-3, 9, -3, 9});
    CHECK(made.tracks->places == std::vector<Point>{{2, 3}, {0, 1}, {6, 7}, {4, 5}});
    REQUIRE(made.tracks->attributes.size() == 2);
    CHECK(made.tracks->attributes[0].values == std::vector<double>{2, 1, 2, 1});
    CHECK(made.tracks->attributes[1].values == std::vector<double>{3, 1, 4, 2});
    CHECK(contains(notes.at(0), "\"junk\" has another shape"));

    const std::string x = npy<double>("<f8", "(2, 2)", {0, 2, 4, 6}), y = npy<double>("<f8", "(2, 2)", {1, 3, 5, 7});
    CHECK(read("t.npz", npz({{"x.npy", x}, {"y.npy", y}})).tracks->places ==
          std::vector<Point>{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    const Geometry rows = read("t.npz",
                               npz({{"points.npy", npy<double>("<f8", "(3, 2)", {0, 1, 2, 3, 4, 5})},
                                    {"frame.npy", npy<int32_t>("<i4", "(3,)", {1, 0, 1})},
                                    {"track_id.npy", npy<double>("<f8", "(3,)", {7, 7, std::nan("")})}}),
                               &notes);
    REQUIRE(rows.tracks);
    CHECK(rows.tracks->places == std::vector<Point>{{2, 3}, {0, 1}});
    CHECK(contains(notes.back(), "1 row without an id left out"));
    CHECK(contains(refusal("t.npz", npz({{"positions.npy", frames}, {"times.npy", npy<float>("<f4", "(2,)", {2, 2})}})),
                   "times must ascend"));
    CHECK(contains(refusal("t.npz", npz({{"positions.npy", frames}, {"ids.npy", npy<int64_t>("<i8", "(2,)", {1, 1})}})),
                   "two points have the id 1"));
}

TEST_CASE("npz places: points with triangles are a triangulation, also counted from 1, transposed or of floats") {
    const std::string square = npy<double>("<f8", "(5, 2)", {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.4});
    const std::vector<int32_t> corners{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    const std::vector<std::array<uint32_t, 3>> expected{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    for (const char* name : {"triangles", "simplices", "faces", "cells"}) {
        CAPTURE(name);
        std::vector<std::string> notes;
        const Geometry made = read("m.npz",
                                   npz({{"points.npy", square, true},
                                        {std::string(name) + ".npy", npy<int32_t>("<i4", "(4, 3)", corners)},
                                        {"mass.npy", npy<double>("<f8", "(5,)", {1, 2, 3, 4, 5})}}),
                                   &notes);
        CHECK(notes.empty());
        CHECK(made.triangles == expected);
        CHECK(made.points.size() == 5);
        CHECK(!made.recording);
        CHECK(!made.in_space());
        CHECK(made.attributes->at(0).name == "mass");
    }
    std::vector<double> from_one;
    for (const int32_t corner : corners) from_one.push_back(corner + 1);
    std::vector<std::string> notes;
    const std::string floats = npy<double>("<f8", "(4, 3)", from_one);
    CHECK(read("m.npz", npz({{"points.npy", square}, {"simplices.npy", floats}}), &notes).triangles == expected);
    CHECK(contains(notes.at(0), "m.npz: simplices: indices count from 1: none is 0, and the highest is 5"));
    const std::string transposed = npy<int64_t>("<i8", "(3, 4)", {0, 1, 2, 3, 1, 2, 3, 0, 4, 4, 4, 4});
    CHECK(read("m.npz", npz({{"points.npy", square}, {"triangles.npy", transposed}})).triangles == expected);
    const std::string faces = npy<int16_t>("<i2", "(2, 4)", {0, 1, 2, 3, 0, 1, 4, -1});
    CHECK(read("m.npz", npz({{"vertices.npy", square}, {"faces.npy", faces}})).triangles.size() == 3);
    const std::string lifted = npy<double>("<f8", "(4, 3)", {0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1});
    const std::string two = npy<uint8_t>("|u1", "(2, 3)", {0, 1, 2, 0, 2, 3});
    CHECK(read("m.npz", npz({{"points.npy", lifted}, {"triangles.npy", two}})).in_space());
    CHECK(contains(refusal("m.npz", npz({{"triangles.npy", two}})), "and no points"));
    CHECK(contains(
        refusal("m.npz", npz({{"points.npy", square}, {"triangles.npy", npy<uint8_t>("|u1", "(1, 3)", {0, 1, 9})}})),
        "the face names vertex 9, but there are 5"));
    CHECK(contains(
        refusal("m.npz", npz({{"points.npy", square}, {"triangles.npy", npy<double>("<f8", "(1, 3)", {0, 1, 1.5})}})),
        "m.npz: triangles: row 0: expected the index of a point, a whole number, found 1.5"));
    // Numbered arrays are the steps of a recording, as ever.
    CHECK(read("m.npz", npz({{"points_0.npy", square}, {"triangles_0.npy", two}})).recording);
}
