// Triangles over the points of another file, as programs write them: tables with headers, index columns and floats,
// arrays, archives; and whether they count from 1.
#include "io/triangles.h"

#include "input_files.h"
#include "npz_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

const Triangles kListedTriangles{{0, 1, 4}, {1, 2, 4}};
const Triangles kFour{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

Triangles read_listed(const std::string& name, const std::string& bytes, std::vector<std::string>* notes = nullptr,
                      uint64_t point_count = 0) {
    const Scratch scratch;
    return read_triangles(scratch.file(name, bytes), notes, point_count);
}
std::string listed_refusal(const std::string& name, const std::string& bytes) {
    return input_files::refused([](const std::filesystem::path& path) { read_triangles(path); }, name, bytes);
}

}  // namespace

TEST_CASE("tables of triangles: separators, headers, comments, counts and whole floats change nothing") {
    for (const std::string text :
         {"0 1 4\n1 2 4\n", "0,1,4\r\n1,2,4\r\n", "0;1;4\n1;2;4", "0\t1\t4\n1\t2\t4\n", "a,b,c\n0,1,4\n1,2,4\n",
          "v0 v1 v2\n0 1 4\n1 2 4\n", "# made by me\n% too\n// three\n\n0, 1, 4 # first\n1, 2, 4\n",
          "2\n0 1 4\n1 2 4\n", "0.0,1.0,4.0\n1.0,2.0,4.0\n", "0.0 1e0 4.000\n1 2 4", "0,0;1,0;4,0\n1,0;2,0;4,0\n",
          "\"p\",\"q\",\"r\"\n\"0\",\"1\",\"4\"\n1,2,4\n",
          "\xef\xbb\xbf"
          "i;j;k\n0;1;4\n1;2;4\n",
          "  0   1\t4\n+1 +2 +4\n", "a|b|c\n0|1|4\n1|2|4\n", "sep=;\n0;1;4\n1;2;4\n",
          "\"a, b\";\"c\";\"d\"\n0;1;4\n1;2;4\n"}) {
        CAPTURE(text);
        for (const char* name : {"a.tri", "a.csv", "a.TXT", "a.tsv", "a.dat"}) {
            std::vector<std::string> notes;
            CHECK(read_listed(name, text, &notes) == kListedTriangles);
            CHECK(notes.empty());
        }
    }
    CHECK(read_listed("a.csv", "a,b,c\n").empty());
    CHECK(read_listed("a.csv", "").empty());
    CHECK(read_listed("a.tri", "0\n").empty());
}

TEST_CASE("tables of triangles: a title is noted, and no header of numbers") {
    std::vector<std::string> notes;
    CHECK(read_listed("a.tri", "made by a program\n0 1 4\n1 2 4\n", &notes) == kListedTriangles);
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "not used, above its first row: \"made by a program\""));
    CHECK(contains(listed_refusal("a.tri", "2 3\n0 1 4\n1 2 4\n"), "expected three whole numbers"));
    CHECK(contains(listed_refusal("a.csv", "0,x,y\n0,1,4\n1,2,4\n"), "expected three whole numbers"));
}

TEST_CASE("tables of triangles: rows of all parts of a large file are in order") {
    std::string text = "n,a,b,c\n";
    constexpr uint32_t kCount = 150000;  // more than one stretch that a thread reads
    for (uint32_t t = 0; t < kCount; ++t) {
        if (t == kCount / 2) text += "# the second half\n\n";
        text += std::to_string(t) + "," + std::to_string(3 * t) + "," + std::to_string(3 * t + 1) + "," +
                std::to_string(3 * t + 2) + "\n";
    }
    const Triangles all = read_listed("a.csv", text);
    REQUIRE(all.size() == kCount);
    uint32_t wrong = 0;
    for (uint32_t t = 0; t < kCount; ++t) wrong += all[t] != std::array<uint32_t, 3>{3 * t, 3 * t + 1, 3 * t + 2};
    CHECK(wrong == 0);
    CHECK(contains(listed_refusal("a.csv", text + "150000,1,2\n"), "a.csv:150004: expected 4 columns as in line 2"));
}

TEST_CASE("tables of triangles: a column that counts rows is not a corner, whatever its name") {
    for (const std::string text :
         {",0,1,2\n0,0,1,4\n1,1,2,4\n", "index,a,b,c\n0,0,1,4\n1,1,2,4\n", "id;n1;n2;n3\n1;0;1;4\n2;1;2;4\n",
          "\"\",\"V1\",\"V2\",\"V3\"\n\"1\",0,1,4\n\"2\",1,2,4\n", "V1 V2 V3\n1 0 1 4\n2 1 2 4\n",
          "\t0\t1\t2\n0\t0\t1\t4\n1\t1\t2\t4\n", "0 0 1 4\n1 1 2 4\n", "1 0 1 4\n2 1 2 4\n",
          ",p,q,r\nfirst,0,1,4\nlast,1,2,4\n", ",foo,bar,baz\n0,0.0,1.0,4.0\n1,1.0,2.0,4.0\n",
          "a,b,c,quality\n0,1,4,0.5\n1,2,4,0.25\n", "id,region,a,b,c\n0,inner,0,1,4\n1,outer,1,2,4\n"}) {
        CAPTURE(text);
        std::vector<std::string> notes;
        CHECK(read_listed("a.csv", text, &notes) == kListedTriangles);
        CHECK(notes.size() == 1);  // it says which columns
    }
    CHECK(contains(listed_refusal("a.csv", "5,0,1,4\n7,1,2,4\n"), "and nothing more"));
    CHECK(contains(listed_refusal("a.csv", "0,1,4,2\n"), "and nothing more"));  // as good four corners as an index
    CHECK(contains(listed_refusal("a.csv", "h\x16 0 1 2 2\n"),
                   "expected three whole numbers"));  // a word that counts nothing
    CHECK(contains(listed_refusal("a.csv", "a 0 1 2\nb 1 2 3\n"), "expected three whole numbers"));
    CHECK(contains(listed_refusal("a.csv", "v1,v2,v3,v4\n5,1,4,2\n"), "or columns that are called a, b and c"));
    CHECK(contains(listed_refusal("a.csv", "x,a,b,c\n0,1,two,4\n"),
                   "a.csv:2: expected the index of a point, a whole number, in column 3"));
}

TEST_CASE("tables of triangles: a region after the corners is not a corner, even if the first corners count up") {
    const auto first_three = [](const std::string& text, uint64_t points = 0) {
        std::vector<std::string> notes;
        const Triangles found = read_listed("a.tri", text, &notes, points);
        REQUIRE(notes.size() == 1);
        CHECK(contains(notes[0], "the first three of its 4 columns are indices of points, the last is not used"));
        return found;
    };
    const Triangles two{{0, 3, 4}, {1, 2, 4}};
    CHECK(first_three("first,second,third,region\n0,3,4,7\n1,2,4,8\n") == two);  // by its name
    CHECK(first_three("p,s,v,Material\n5,3,4,1\n9,2,4,1\n") == Triangles{{5, 3, 4}, {9, 2, 4}});
    CHECK(first_three("0 3 4 rock\n1 2 4 sand\n") == two);                   // no numbers
    CHECK(first_three("0 3 4 0.5\n1 2 4 0.25\n") == two);                    // no indices
    CHECK(first_three("0 3 4 4\n1 2 4 4\n") == two);                         // they would be corners twice
    CHECK(first_three("0 3 4 -1\n1 2 4 -1\n") == two);                       // no points
    CHECK(first_three("0 3 4 70\n1 2 4 71\n", 5) == two);                    // beyond the points
    CHECK(first_three("0 3 4 1\n1 3 4 1\n2 5 3 0\n3 6 1 4\n").size() == 4);  // three at the edge 3-4
    std::vector<std::string> notes;
    CHECK(contains((read_listed("a.tri", "0 3 4 4\n1 2 4 4\n", &notes), notes.at(0)),
                   "if the first counted the rows, triangle 0 would name a point twice"));
    notes.clear();
    // Both would do: it is said how to choose.
    CHECK(read_listed("a.tri", "0 3 4 1\n1 2 5 0\n", &notes) == Triangles{{3, 4, 1}, {2, 5, 0}});
    CHECK(contains(notes.at(0), "counts or names the rows"));
    CHECK(contains(notes.at(0), "if the last is a region, call them a,b,c,region in a first line"));
    notes.clear();
    CHECK(read_listed("a.tri", "a b c region\n0 3 4 1\n1 2 5 0\n", &notes) == Triangles{{0, 3, 4}, {1, 2, 5}});
    notes.clear();
    CHECK(read_listed("a.tri", "tri p q r\n0 3 4 1\n1 2 5 0\n", &notes) == Triangles{{3, 4, 1}, {2, 5, 0}});
    CHECK(!contains(notes.at(0), "region"));
    CHECK(contains(listed_refusal("a.csv", "5,3,4,1\n7,2,5,0\n"), "and nothing more"));  // quadrangles, perhaps
}

TEST_CASE("triangles: lists of three, as JSON has them and other languages print them") {
    for (const char* text :
         {"[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]", "[[0 1 4]\n [1 2 4]\n [2 3 4]\n [3 0 4]]\n",
          "array([[0, 1, 4],\n       [1, 2, 4],\n       [2, 3, 4],\n       [3, 0, 4]], dtype=int32)\n",
          "{\"points\": [[0, 0], [4, 0], [4, 4], [0, 4], [2, 1]], \"triangles\": [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, "
          "0, 4]]}",
          "tri = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]\n", "{{0,1,4},{1,2,4},{2,3,4},{3,0,4}}"}) {
        INFO(std::string(text));
        for (const char* name : {"a.txt", "a.json", "a.tri"}) CHECK(read_listed(name, text) == kFour);
    }
    CHECK(read_listed("a.json", "[[1, 2, 5], [2, 3, 5]]", nullptr, 5) == kListedTriangles);
    CHECK(read_listed("a.json", "[[0, 1, -1]]") == Triangles{{0, 1, kNone}});
    CHECK(contains(listed_refusal("a.json", "[[0, 1, 2],\n [0, 1]]"), "a.json:2: expected three indices of points"));
    CHECK(contains(listed_refusal("a.json", "[[0, 1, 2.5]]"), "expected the index of a point, a whole number"));
    CHECK(contains(listed_refusal("a.json", "[0, 1, 2]"), "expected lists of three indices of points"));
}

TEST_CASE("tables of triangles: malformed rows are refused with their line") {
    CHECK(contains(listed_refusal("a.tri", "0 1 two\n"), "a.tri:1: expected three whole numbers"));
    CHECK(contains(listed_refusal("a.tri", "0 1 2\n0 1 2.5\n"), "a.tri:2: expected three whole numbers"));
    CHECK(contains(listed_refusal("a.tri", "5 1 2\n\n0 1 2 3\n"), "a.tri:3: expected three whole numbers"));
    CHECK(contains(listed_refusal("a.csv", "a,b,c\n0,1,4\n1,2\n"), "a.csv:3: expected three whole numbers"));
    CHECK(contains(listed_refusal("a.tri", "3\n0 1 2\n"),
                   "expected 3 triangles, as its first line of one number says, found 1"));
    CHECK(contains(listed_refusal("a.tri", std::string("\x7f"
                                                       "ELF\0\1 \2 \3\n",
                                                       12)),
                   "expected plain text"));
}

TEST_CASE("triangles: arrays of any number, transposed, of an archive") {
    const std::vector<int> corners{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}, across{0, 1, 2, 3, 1, 2, 3, 0, 4, 4, 4, 4};
    const auto check = [&](auto zero, const char* type) {
        using Number = decltype(zero);
        CAPTURE(type);
        const std::vector<Number> rows(corners.begin(), corners.end()), columns(across.begin(), across.end());
        std::vector<std::string> notes;
        CHECK(read_listed("a.npy", npy<Number>(type, "(4, 3)", rows), &notes) == kFour);
        CHECK(read_listed("a.npy", npy<Number>(type, "(4, 3)", columns, "True"), &notes) == kFour);
        CHECK(notes.empty());
        CHECK(read_listed("a.npy", npy<Number>(type, "(3, 4)", columns), &notes) == kFour);
        CHECK(contains(notes.at(0), "shape (3, 4) is 4 triangles"));
        CHECK(read_listed("a.npz", npz_files::npz({{"simplices.npy", npy<Number>(type, "(4, 3)", rows), true},
                                                   {"neighbors.npy", npy<Number>(type, "(4, 3)", rows)}})) == kFour);
    };
    check(int8_t{}, "|i1");
    check(uint16_t{}, ">u2");
    check(int32_t{}, "<i4");
    check(uint64_t{}, ">u8");
    check(float{}, "<f4");
    check(double{}, ">f8");
    CHECK(read_listed("a.npy", npy<double>("<f8", "(0,)", {})).empty());
    CHECK(read_listed("a.npy", npy<uint64_t>("<u8", "(1, 3)", {1, 0xffffffffffffffff, 2})) == Triangles{{1, kNone, 2}});
    CHECK(read_listed("a.npy", npy<int32_t>("<i4", "(1, 3)", {1, -1, 2})) == Triangles{{1, kNone, 2}});
    CHECK(contains(listed_refusal("a.npy", npy<double>("<f8", "(1, 3)", {0, 1, 0.5})),
                   "row 0: expected the index of a point"));
    CHECK(contains(listed_refusal("a.npy", npy<int32_t>("<i4", "(1, 4)", {0, 1, 2, 3})),
                   "expected shape (t, 3), found (1, 4)"));
    CHECK(contains(listed_refusal("a.npy", npy<uint8_t>("|b1", "(1, 3)", {0, 1, 1})), "expected whole numbers"));
    CHECK(contains(listed_refusal("a.npz", npz_files::npz({{"a.npy", npy<int32_t>("<i4", "(1, 3)", {0, 1, 2})},
                                                           {"b.npy", npy<int32_t>("<i4", "(1, 3)", {0, 1, 2})}})),
                   "expected an array called triangles or simplices"));
}

TEST_CASE("triangles: they count from 1 if none is 0 and the highest is the number of points, with a note") {
    const std::string text = "1 2 5\n2 3 5\n3 4 5\n4 1 5\n";
    std::vector<std::string> notes;
    CHECK(read_listed("m.tri", text, &notes, 5) == kFour);
    REQUIRE(notes.size() == 1);
    CHECK(contains(notes[0], "m.tri: indices count from 1: none is 0, and the highest is 5, the number of points"));
    notes.clear();
    const Triangles as_they_are{{1, 2, 5}, {2, 3, 5}, {3, 4, 5}, {4, 1, 5}};
    for (const uint64_t point_count : {0, 4, 6}) CHECK(read_listed("m.tri", text, &notes, point_count) == as_they_are);
    CHECK(read_listed("m.tri", "0 1 5\n1 2 5\n", &notes, 5) == Triangles{{0, 1, 5}, {1, 2, 5}});
    CHECK(notes.empty());
    CHECK(read_listed("m.tri", "1 2 5\n-1 2 5\n", &notes, 5) == Triangles{{0, 1, 4}, {kNone, 1, 4}});
    CHECK(read_listed("m.csv", "a,b,c\n1.0,2.0,5.0\n", &notes, 5) == Triangles{{0, 1, 4}});
    CHECK(read_listed("m.npy", npy<double>("<f8", "(1, 3)", {1, 2, 5}), &notes, 5) == Triangles{{0, 1, 4}});
    CHECK(notes.size() == 3);
    CHECK(!counts_from_one({}, 5));
}
