// Numbers on a lattice from .npy files: every type and order, and refused arrays.
#include <limits>

#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

FieldStack field(const std::string& content, std::vector<std::string>* notes = nullptr) {
    const Scratch scratch;
    return read_field(scratch.file("f.npy", content), notes);
}
std::string field_refusal(const std::string& content, const std::string& name = "f.npy") {
    return refused([](const std::filesystem::path& path) { read_field(path); }, name, content);
}

}  // namespace

TEST_CASE("fields: a frame and a stack of frames keep their shape, with row 0 first") {
    const FieldStack one = field(npy<float>("<f4", "(2, 3)", {1, 2, 3, 4, 5, 6}));
    CHECK(one.name == "f.npy");
    CHECK(one.width == 3);
    CHECK(one.height == 2);
    CHECK(one.frame_count() == 1);
    CHECK(one.values == std::vector<float>{1, 2, 3, 4, 5, 6});
    const FieldStack stack = field(npy<float>("<f4", "(3, 1, 2)", {1, 2, 3, 4, 5, 6}));
    CHECK(stack.frame_count() == 3);
    CHECK(stack.frame(2)[1] == 6);
    CHECK(field(npy<float>("<f4", "(1, 1)", {7})).values == std::vector<float>{7});
}

TEST_CASE("fields: floats, whole numbers and bool, in both byte orders") {
    const std::vector<float> expected{0, 1, 2, 100};
    CHECK(field(npy<float>(">f4", "(2, 2)", {0, 1, 2, 100})).values == expected);
    CHECK(field(npy<uint16_t>(">u2", "(2, 2)", {0, 1, 2, 100})).values == expected);
    CHECK(field(npy<int8_t>("|i1", "(1, 3)", {-128, -1, 127})).values == std::vector<float>{-128, -1, 127});
    CHECK(field(npy<uint8_t>("|b1", "(1, 3)", {0, 1, 1})).values == std::vector<float>{0, 1, 1});
    CHECK(field(npy<uint16_t>(">f2", "(1, 4)", {0x3c00, 0xc000, 0x3555, 1})).values ==
          std::vector<float>{1, -2, 0.333251953125f, 0x1p-24f});
}

TEST_CASE("fields: an image of one channel is one frame, and a colour image is refused with advice") {
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    for (const bool turned : {false, true}) {
        const FieldStack read = field(npy<float>(
            "<f4", "(2, 3, 1)", turned ? std::vector<float>{1, 4, 2, 5, 3, 6} : numbers, turned ? "True" : "False"));
        CHECK(read.frame_count() == 1);
        CHECK(read.width == 3);
        CHECK(read.height == 2);
        CHECK(read.values == numbers);
    }
    for (const std::string channels : {"3", "4"})
        CHECK(field_refusal(npy<uint8_t>("|u1", "(5, 6, " + channels + ")", std::vector<uint8_t>(120))) ==
              "f.npy: shape (5, 6, " + channels +
                  ") is a colour image of rows, columns and channels; save its brightness, as array.mean(axis=2)");
    CHECK(field(npy<uint8_t>("|u1", "(2, 2, 3)", std::vector<uint8_t>(12))).frame_count() == 2);
}

TEST_CASE("fields: numbers that are not finite are refused with frame, row and column") {
    const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
    CHECK(field_refusal(npy<float>("<f4", "(2, 2)", {1, 2, 3, nan})) ==
          "f.npy: row 1, column 1 is nan, not a finite number");
    CHECK(field_refusal(npy<float>("<f4", "(2, 1, 2)", {1, 2, -infinity, 3})) ==
          "f.npy: frame 1, row 0, column 0 is -inf, not a finite number");
    CHECK(field_refusal(npy<double>("<f8", "(1, 1)", {1e300})) ==
          "f.npy: row 0, column 0 is 1e+300, too large for a float");
}

TEST_CASE("fields: wrong shapes, types and lengths are refused and shown") {
    CHECK(field_refusal(npy<float>("<f4", "(4,)", {1, 2, 3, 4})) ==
          "f.npy: expected shape (h, w) or (t, h, w), found (4,)");
    CHECK(field_refusal(npy<float>("<f4", "(1, 1, 1, 1)", {1})) ==
          "f.npy: expected shape (h, w) or (t, h, w), found (1, 1, 1, 1)");
    CHECK(field_refusal(npy<float>("<f4", "()", {1})) == "f.npy: expected shape (h, w) or (t, h, w), found ()");
    CHECK(contains(field_refusal(npy<float>("<f4", "(0, 5)", {})), "is empty"));
    CHECK(contains(field_refusal(npy<float>("<f4", "(0, 5, 5)", {})), "is empty"));
    CHECK(contains(field_refusal(npy<float>("<c8", "(1, 1)", {1, 1})), "found \"'<c8'\""));
    CHECK(field_refusal(npy<float>("<f4", "(2, 2)", {1, 2, 3})) ==
          "f.npy: expected (2, 2) numbers as declared, but only 12 bytes follow the header");
    CHECK(contains(field_refusal(npy<float>("<f4", "(4000000000, 4000, 4000)", {1})), "but only 4 bytes"));
    CHECK(contains(field_refusal(npy<uint8_t>("|u1", "(1, 16385)", std::vector<uint8_t>(16385))),
                   "at most 16384 in each direction"));
    CHECK(contains(field_refusal("not an array"), "expected an npy file"));
    CHECK(contains(field_refusal("1 2 3", "f.xyz"), "expected a .npy array"));
    std::vector<std::string> notes;
    CHECK(field(npy<float>("<f4", "(1, 1)", {1, 2}), &notes).values.size() == 1);
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "4 bytes after the field are not used"));
}

TEST_CASE("fields: read_geometry() distinguishes points, fields and tracks by their shape") {
    const auto read = [](const std::string& content) { return input_files::read("a.npy", content); };
    const Geometry points = read(npy<double>("<f8", "(3, 2)", {1, 2, 3, 4, 5, 6}));
    CHECK(points.points.size() == 3);
    CHECK(!points.field);
    const Geometry field = read(npy<uint8_t>("|u1", "(1, 5)", {1, 2, 3, 4, 5}));
    REQUIRE(field.field);
    CHECK(field.field->width == 5);
    CHECK(field.name == "a.npy");
    CHECK(field.points.empty());
    CHECK(read(npy<float>("<f4", "(1, 1, 5)", {1, 2, 3, 4, 5})).field);
    CHECK(read(npy<uint8_t>("|b1", "(1, 2, 3)", {1, 0, 1, 1, 1, 0})).field);
    const Geometry tracks = read(npy<float>("<f4", "(1, 3, 2)", {1, 2, 3, 4, 5, 6}));
    REQUIRE(tracks.tracks);
    CHECK(tracks.tracks->places == std::vector<Point>{{1, 2}, {3, 4}, {5, 6}});
    CHECK(tracks.points == tracks.tracks->places);  // of one frame, for labs that take points that stay
    CHECK(contains(input_files::refusal("a.npy", npy<float>("<f4", "()", {1})),
                   "expected shape (n, 2) of points, (t, n, 2) of points over time, (h, w) or (t, h, w) of a field"));
}

TEST_CASE("fields: doubles are kept only where floats would round them") {
    CHECK(field(npy<double>("<f8", "(1, 2)", {0.5, 2})).exact.empty());
    CHECK(field(npy<float>("<f4", "(1, 2)", {0.1f, 2})).exact.empty());
    CHECK(field(npy<int32_t>("<i4", "(1, 2)", {1, 1 << 24})).exact.empty());
    const FieldStack some = field(npy<double>("<f8", "(2, 1, 2)", {0.5, 0.1, 2, 0.3}));
    CHECK(some.exact == std::vector<double>{0.5, 0.1, 2, 0.3});
    CHECK(some.values == std::vector<float>{0.5f, 0.1f, 2, 0.3f});
    CHECK(some.exact_frame(1)[1] == 0.3);
    CHECK(field(npy<int32_t>("<i4", "(1, 2)", {1, (1 << 24) + 1})).exact == std::vector<double>{1, (1 << 24) + 1});
}
