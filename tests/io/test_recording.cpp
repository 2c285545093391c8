// Recordings of other programs as JSON lines, .npz archives and folders: their contents, and the messages of refused
// ones.
#include "io/recording.h"

#include <array>
#include <cmath>
#include <limits>

#include "geometry/recording.h"
#include "input_files.h"
#include "npz_files.h"

using namespace flipscope;
using namespace flipscope::input_files;
using npz_files::npz;

namespace {

std::string refused_lines(const std::string& content) { return refusal("rec.jsonl", content); }

const std::string kPoints = npy<double>("<f8", "(3, 2)", {0, 0, 1, 0, 0, 1});
const std::string kTriangle = npy<int64_t>("<i8", "(1, 3)", {0, 1, 2});

const RecordedSteps& steps_of(const Geometry& geometry) {
    REQUIRE(geometry.recording);
    return *geometry.recording;
}

}  // namespace

TEST_CASE("recordings: JSON lines are steps, and omitted parts are those of the step before") {
    std::vector<std::string> notes;
    const Geometry geometry = read("mine.jsonl",
                                   "{\"points\": [[0, 0], [1, 0], [0.25, 1e0]], \"triangles\": []}\r\n"
                                   "\n"
                                   "  {\"caption\": \"one \\u00e9 \\ud83d\\ude00\\n\", \"triangles\": [[0,1,2]] , "
                                   "\"time\": {\"a\": [1, null, {\"b\": \"}\"}], \"c\": {}}}\n"
                                   "{\"marks\": {\"vertices\": [2], \"edges\": [[0, 1], [2, 0]], \"triangles\": [0]}}",
                                   &notes);
    const RecordedSteps& recording = steps_of(geometry);
    CHECK(recording.name == "mine.jsonl");
    REQUIRE(recording.steps.size() == 3);
    CHECK(*recording.steps[0].points == std::vector<Point>{{0, 0}, {1, 0}, {0.25, 1}});
    CHECK(recording.steps[0].triangles->empty());
    CHECK(recording.steps[1].points == recording.steps[0].points);  // shared
    CHECK(*recording.steps[1].triangles == RecordedSteps::Triangles{{0, 1, 2}});
    CHECK(recording.steps[1].caption == "one é \xf0\x9f\x98\x80 ");
    CHECK(recording.steps[1].marks.empty());
    CHECK(recording.steps[2].triangles == recording.steps[1].triangles);
    CHECK(recording.steps[2].marks.vertices == std::vector<uint32_t>{2});
    CHECK(recording.steps[2].marks.edges == std::vector<std::array<uint32_t, 2>>{{0, 1}, {2, 0}});
    CHECK(recording.steps[2].marks.triangles == std::vector<uint32_t>{0});
    CHECK(recording.steps[2].marks.count() == 4);
    CHECK(recording.steps[2].caption.empty());
    // The last step is there for labs that take no recordings.
    CHECK(geometry.points == *recording.steps[2].points);
    CHECK(geometry.triangles == *recording.steps[2].triangles);
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "\"time\" is not used"));
}

TEST_CASE("recordings: numbers keep every bit, decimal or hexadecimal") {
    const double third = 1.0 / 3, least = std::ldexp(1.0, -200);
    const Geometry geometry = read("mine.ndjson",
                                   "{\"points\": [[0.33333333333333331, \"0x1.5555555555555p-2\"], [\"0x1p-200\", "
                                   "\"-0x1.8p+1\"], [-0, 1E3], [1.0000000000000002, 9007199254740993]]}");
    CHECK(geometry.points ==
          std::vector<Point>{{third, third}, {least, -3}, {0, 1000}, {std::nextafter(1, 2), 9007199254740992.}});
}

TEST_CASE("recordings: errors name the line and the place in it") {
    const std::string first = "{\"points\": [[0, 0], [1, 0], [0, 1]]}\n";
    const auto in_second = [&](const std::string& line) { return refused_lines(first + line + "\n"); };
    const std::pair<std::string, std::string> expected[] = {
        {"{\"triangles\": [[0, 1, 2], [0, 1, 3]]}", "rec.jsonl:2: /triangles/1: names point 3, and there are 3"},
        {"{\"triangles\": [[0, 1, -1]]}", "rec.jsonl:2: /triangles/0: names number -1 of the points, and they are"},
        {"{\"triangles\": [[0, 1]]}", "rec.jsonl:2: /triangles/0: expected three indices of points, found \"]]}\""},
        {"{\"triangles\": [[0, 1, 1.5]]}", "rec.jsonl:2: /triangles/0: expected three indices of points, found"},
        {"{\"triangles\": {}}", "rec.jsonl:2: /triangles: expected a list of lists of indices, found \"{}}\""},
        {"{\"points\": [[0, 0], [1, NaN]]}", "rec.jsonl:2: /points/1: y is nan, not a finite number"},
        {"{\"points\": [[1e-400, 0]]}", "rec.jsonl:2: /points/0: x is too small for a double: \"1e-400\""},
        {"{\"points\": [[1e-100, 0]]}", "rec.jsonl:2: /points/0: x is 1e-100, too small"},
        {"{\"points\": [[\"0x1p+5000\", 0]]}", "beyond what a double can hold"},
        {"{\"points\": [[\"two\", 0]]}", "expected a point, two numbers"},
        {"{\"points\": [[0, 1, 2]]}", "rec.jsonl:2: /points/0: expected a bracket after the two numbers of a point"},
        {"{\"marks\": {\"vertices\": [3]}}", "rec.jsonl:2: /marks/vertices/0: names point 3, and there are 3"},
        {"{\"marks\": {\"edges\": [[0, 1], [0, 7]]}}", "rec.jsonl:2: /marks/edges/1: names point 7, and there are"},
        {"{\"marks\": {\"triangles\": [0]}}", "rec.jsonl:2: /marks/triangles/0: names triangle 0, and there are 0"},
        {"{\"marks\": {\"faces\": [0]}}", "rec.jsonl:2: /marks/faces: vertices, edges and triangles can be marked"},
        {"{\"marks\": [1]}", "rec.jsonl:2: /marks: expected marks, as in {"},
        {"{\"caption\": 7}", "rec.jsonl:2: /caption: expected a text in quotes, found \"7}\""},
        {"{\"caption\": \"a", "rec.jsonl:2: /caption: expected the end of a string, found the end of the line"},
        {"{\"caption\": \"\\x\"}", "expected an escape of JSON"},
        {"{\"caption\": \"a\", \"caption\": \"b\"}", "rec.jsonl:2: /caption: is in the step twice"},
        {"{\"caption\": \"a\"} {}", "rec.jsonl:2: expected the end of the line after the step, found \"{}\""},
        {"{\"caption\" \"a\"}", "rec.jsonl:2: expected a colon, found \"\"a\"}\""},
        {"{\"caption\": \"a\" \"b\": 1}", "rec.jsonl:2: expected a comma or }, found \"\"b\": 1}\""},
        {"[1, 2]", "rec.jsonl:2: expected a step, such as {"},
        {"{\"x\": " + std::string(100, '[') + "}", "is nested too deeply"},
        {"{\"x\": tru}", "expected a value of JSON"},
    };
    for (const auto& [given, part] : expected) {
        const std::string said = in_second(given);
        CHECK_MESSAGE(contains(said, part), said);
    }
    // Fewer points than the triangles of the step before name.
    CHECK(refused_lines("{\"points\": [[0, 0], [1, 0], [0, 1]], \"triangles\": [[0, 1, 2]]}\n{\"points\": [[0, 0]]}") ==
          "rec.jsonl:2: the triangles of the step before: /triangles/0: names point 1, and there is 1, counted from 0");
    CHECK(refused_lines("") == "rec.jsonl: it has no step");
    CHECK(refused_lines("{}\n{}\n").starts_with("rec.jsonl: no points found"));
    CHECK(refused_lines(std::string("\0\1\2{", 4)).starts_with("rec.jsonl:1: expected plain text, found"));
}

TEST_CASE("recordings: NumPy's archives have a step for each number, stored, deflated and with zip64") {
    const std::string other = npy<float>("<f4", "(4, 2)", {0, 0, 1, 0, 0, 1, 1, 1}),
                      two = npy<uint8_t>("|u1", "(2, 3)", {0, 1, 2, 1, 3, 2}), none = npy<double>("<f8", "(0,)", {});
    for (const bool deflated : {false, true})
        for (const bool zip64 : {false, true}) {
            INFO("deflated ", deflated, ", zip64 ", zip64);
            std::vector<std::string> notes;
            const Geometry geometry =
                read("mine.npz",
                     npz({{"points.npy", kPoints, deflated},
                          {"triangles_10.npy", two, deflated},
                          {"points_10.npy", other, deflated},
                          {"triangles_0002.npy", kTriangle, deflated},
                          {"marked_vertices_3.npy", npy<int32_t>(">i4", "(2,)", {2, 0}), deflated},
                          {"marked_edges_3.npy", npy<int16_t>("<i2", "(2, 2)", {0, 2, 1, 0}, "True"), deflated},
                          {"marked_triangles_3.npy", npy<int64_t>("<i8", "(1,)", {0}), deflated},
                          {"triangles_11.npy", none, deflated},
                          {"captions.npy",
                           npy<char>("|S3", "(4,)", {'o', 'n', 'e', 't', 'w', 'o', 'i', 'i', 'i', 0, 0, 0}), deflated},
                          {"notes.npy", kPoints, deflated},
                          {"readme.txt", "hello", deflated}},
                         zip64),
                     &notes);
            const RecordedSteps& recording = steps_of(geometry);
            REQUIRE(recording.steps.size() == 4);  // 2, 3, 10, 11
            CHECK(*recording.steps[0].points == std::vector<Point>{{0, 0}, {1, 0}, {0, 1}});
            CHECK(*recording.steps[0].triangles == RecordedSteps::Triangles{{0, 1, 2}});
            CHECK(recording.steps[1].triangles == recording.steps[0].triangles);
            CHECK(recording.steps[1].marks.vertices == std::vector<uint32_t>{2, 0});
            CHECK(recording.steps[1].marks.edges == std::vector<std::array<uint32_t, 2>>{{0, 1}, {2, 0}});
            CHECK(recording.steps[1].marks.triangles == std::vector<uint32_t>{0});
            CHECK(recording.steps[2].points->size() == 4);
            CHECK(*recording.steps[2].triangles == RecordedSteps::Triangles{{0, 1, 2}, {1, 3, 2}});
            CHECK(recording.steps[3].triangles->empty());
            CHECK(recording.steps[0].caption == "one");
            CHECK(recording.steps[2].caption == "iii");
            CHECK(recording.steps[3].caption.empty());
            REQUIRE(notes.size() == 2);
            CHECK(contains(notes[0], "\"notes\" is not used"));
            CHECK(contains(notes[1], "1 member of the archive is no .npy file"));
        }
    // Texts of NumPy have four bytes a character. One step alone needs no number.
    const Geometry one = read("one.npz", npz({{"points.npy", kPoints},
                                              {"triangles.npy", kTriangle},
                                              {"captions.npy", npy<uint32_t>("<U2", "(1,)", {0xe9, 0x1f600})}}));
    REQUIRE(steps_of(one).steps.size() == 1);
    CHECK(steps_of(one).steps[0].caption == "é\xf0\x9f\x98\x80");
    CHECK(one.triangles.size() == 1);
}

TEST_CASE("recordings: errors name the array and the row") {
    const auto with = [](const std::string& name, const std::string& bytes) {
        return refusal(
            "rec.npz",
            npz({{"points_0.npy", kPoints, true}, {"triangles_0.npy", kTriangle, true}, {name, bytes, true}}));
    };
    const std::array<std::string, 3> expected[] = {
        {"triangles_1.npy", npy<int32_t>("<i4", "(2, 3)", {0, 1, 2, 0, 1, 3}), "rec.npz: triangles_1: row 1: names"},
        {"triangles_1.npy", npy<uint64_t>("<u8", "(1, 3)", {0, 1, uint64_t(1) << 40}), "rec.npz: triangles_1: row"},
        {"triangles_1.npy", npy<double>("<f8", "(1, 3)", {0, 1, 2}), "rec.npz: triangles_1: expected whole numbers"},
        {"triangles_1.npy", npy<int32_t>("<i4", "(3, 2)", {0, 1, 2, 0, 1, 2}), "rec.npz: triangles_1: expected"},
        {"triangles_1.npy", npy<int32_t>("<i4", "(1000000000000, 3)", {0, 1, 2}), "rec.npz: triangles_1: expected"},
        {"points_1.npy", npy<double>("<f8", "(2, 2)", {0, 0, 1, std::numeric_limits<double>::quiet_NaN()}),
         "rec.npz: points_1: row 1: y is nan, not a finite number"},
        {"points_1.npy", npy<double>("<f8", "(1, 2)", {0, 0}), "rec.npz: the triangles before step 1: row 0: names"},
        {"points_1.npy", "no array", "rec.npz: points_1: expected an npy file"},
        {"points_00.npy", kPoints, "rec.npz: \"points_0\" and \"points_00\" are of the same step"},
        {"points_0.npy", kPoints, "rec.npz: points_0: is in the archive twice"},
        {"marked_vertices_0.npy", npy<int8_t>("|i1", "(1,)", {3}), "rec.npz: marked_vertices_0: row 0: names point"},
        {"marked_triangles_0.npy", npy<int8_t>("|i1", "(2,)", {0, 1}), "rec.npz: marked_triangles_0: row 1: names"},
        {"marked_edges_0.npy", npy<int8_t>("|i1", "(1, 2)", {0, 5}), "rec.npz: marked_edges_0: row 0: names point"},
        {"captions.npy", npy<char>("|S1", "(2,)", {'a', 'b'}), "rec.npz: captions: expected shape (1,), a text for"},
        {"captions.npy", kTriangle, "rec.npz: captions: expected an array of texts, found \"'<i8'\""},
        {"captions.npy", npy<char>("|S9999999999", "(1,)", {'a'}), "rec.npz: captions: expected (1,) texts as"},
    };
    for (const auto& [file, given, part] : expected) {
        const std::string said = with(file, given);
        CHECK_MESSAGE(contains(said, part), said);
    }
    CHECK(refusal("rec.npz", npz({{"x.npy", kTriangle}}))
              .starts_with("rec.npz: there is no array called points_0, triangles_0 or the like in it"));
    CHECK(refusal("rec.npz", npz({{"triangles_0.npy", kTriangle}})) ==
          "rec.npz: triangles_0: row 0: names point 0, and there are 0, counted from 0");
}

TEST_CASE("recordings: archives that are cut or changed anywhere are refused") {
    CHECK(refusal("rec.npz", "PK").starts_with("rec.npz: expected an .npz file, a zip archive, found"));
    CHECK(
        refusal("rec.npz", std::string(100, 'x')).starts_with("rec.npz: expected an .npz file, a zip archive, found"));
    for (const bool zip64 : {false, true}) {
        const std::string whole = npz({{"points_0.npy", kPoints, true}, {"triangles_0.npy", kTriangle, false}}, zip64);
        REQUIRE(refusal("rec.npz", whole) == "accepted");
        for (size_t size = 0; size < whole.size(); ++size) {
            CAPTURE(size);
            CHECK(refusal("rec.npz", whole.substr(0, size)).starts_with("rec.npz: "));
        }
        for (size_t i = 0; i < whole.size(); ++i) {
            CAPTURE(i);
            std::string changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ 0x41);
            const std::string said = refusal("rec.npz", changed);
            CHECK((said == "accepted" || said.starts_with("rec.npz: ")));
        }
    }
    std::string lying = npz({{"points_0.npy", kPoints, true}});
    const size_t listed = lying.find("PK\1\2");
    lying.replace(listed + 24, 4, std::string("\xff\xff\xff\x7f", 4));  // two gigabytes of a hundred bytes
    CHECK(contains(refusal("rec.npz", lying), "points_0: declares 2147483647 bytes, which the "));
    std::string other = npz({{"points_0.npy", kPoints, false}});
    other[other.find("PK\3\4") + 30 + 12 + 100] ^= 1;
    CHECK(refusal("rec.npz", other) == "rec.npz: points_0: is corrupt: its checksum differs from that in the archive");
    std::string encrypted = npz({{"points_0.npy", kPoints, false}});
    encrypted[encrypted.find("PK\1\2") + 8] = 1;
    CHECK(refusal("rec.npz", encrypted) == "rec.npz: points_0: is encrypted");
    std::string packed = npz({{"points_0.npy", kPoints, false}});
    packed[packed.find("PK\1\2") + 10] = 12;
    CHECK(refusal("rec.npz", packed).starts_with("rec.npz: points_0: is packed by method 12 of zip"));
}

TEST_CASE("recordings: compressed lines, and archives under any name, are read as such") {
    const std::string lines = "{\"points\": [[0, 0], [1, 0], [0, 1]]}\n{\"triangles\": [[0, 1, 2]]}\n";
    CHECK(steps_of(read("mine.jsonl.gz", npz_files::deflated(lines, MAX_WBITS + 16))).steps.size() == 2);
    CHECK(steps_of(read("steps", npz({{"points.npy", kPoints}, {"triangles_1.npy", kTriangle}}))).steps.size() == 1);
}

TEST_CASE("recordings: a folder of meshes has a step for each, in the order of their numbers") {
    const Scratch scratch;
    const auto off = [](const char* triangles, int count) {
        return "OFF\n4 " + std::to_string(count) + " 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n" + triangles;
    };
    scratch.file("step10.off", off("3 0 1 3\n3 1 2 3\n", 2));
    scratch.file("step9.off", off("3 0 1 2\n3 0 2 3\n", 2));
    scratch.file("step1.off", off("3 0 1 2\n", 1));
    scratch.file("readme.md", "about it");
    std::vector<std::string> notes;
    const Geometry geometry = read_recording_folder(scratch.folder, &notes).value();
    const RecordedSteps& recording = steps_of(geometry);
    REQUIRE(recording.steps.size() == 3);
    CHECK(recording.steps[0].triangles->size() == 1);
    CHECK(recording.steps[0].caption == "step1.off");
    CHECK((*recording.steps[1].triangles)[0] == std::array<uint32_t, 3>{0, 1, 2});
    CHECK((*recording.steps[2].triangles)[0] == std::array<uint32_t, 3>{0, 1, 3});
    CHECK(recording.steps[2].points == recording.steps[0].points);
    CHECK(recording.name == scratch.folder.filename().string());
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "1 other file is not used"));
    scratch.file("step11.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 1\n3 0 1 2\n");
    CHECK_THROWS_WITH_AS(read_recording_folder(scratch.folder), doctest::Contains("step11.off: is a surface in space"),
                         Error);
    scratch.file("step11.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n");
    CHECK_THROWS_WITH_AS(read_recording_folder(scratch.folder),
                         doctest::Contains("step11.off:6: the face names vertex 9"), Error);
}

TEST_CASE("recordings: a folder of arrays reads as an archive of them") {
    const Scratch scratch;
    scratch.file("points.npy", kPoints);
    CHECK_FALSE(read_recording_folder(scratch.folder));
    scratch.file("triangles_2.npy", kTriangle);
    scratch.file("triangles_10.npy", npy<int32_t>("<i4", "(0, 3)", {}));
    const Geometry geometry = read_recording_folder(scratch.folder).value();
    REQUIRE(steps_of(geometry).steps.size() == 2);
    CHECK(steps_of(geometry).steps[0].triangles->size() == 1);
    CHECK(geometry.triangles.empty());
    scratch.file("triangles_11.npy", npy<int32_t>("<i4", "(1, 3)", {0, 1, 3}));
    CHECK_THROWS_WITH_AS(read_recording_folder(scratch.folder),
                         doctest::Contains("triangles_11.npy: row 0: names point 3, and there are 3"), Error);
}
