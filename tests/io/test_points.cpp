#include <filesystem>
#include <string>

#include "input_files.h"
#include "io/geometry.h"
#include "io/points.h"

using namespace flipscope;
using namespace flipscope::input_files;
namespace fs = std::filesystem;

namespace {

std::vector<Point> read_text(const std::string& name, const std::string& content) { return read(name, content).points; }

const Points kTwoPoints = {{1, 2}, {3.5, -4e10}};

std::string npy_header(const std::string& dictionary, int version = 1) {
    std::string header = "\x93NUMPY";
    header += static_cast<char>(version);
    header += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) header += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
    return header + dictionary;
}

std::string npy_dictionary(const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }          \n";
}

template <typename Real>
std::string raw(const std::vector<double>& numbers, bool big_endian = false) {
    std::string text;
    for (const double v : numbers) text += bytes(static_cast<Real>(v), big_endian);
    return text;
}

std::string npy_points(const std::string& shape, const std::vector<double>& numbers) {
    return npy_header(npy_dictionary("'<f8'", "False", shape)) + raw<double>(numbers);
}

}  // namespace

TEST_CASE("node points: counting from 0 or from 1, attributes and markers left out with a note") {
    CHECK(read_text("a.node", "2 2 0 0\n0 1 2\n1 3.5 -4e10\n") == kTwoPoints);
    CHECK(read_text("a.node", "# made by hand\n2 2 1 1 # header\n\n1 1 2 0.5 1\n  2 3.5 -4e10 7 0\n# end\n") ==
          kTwoPoints);
    CHECK(read_text("a.node", "2 2\r\n1\t1\t2\r\n2\t3.5\t-4e10") == kTwoPoints);
    CHECK(notes_of("a.node", "1 2 1 0\n1 1 2 0.5\n") == std::vector<std::string>{"a.node: 1 column kept"});
    CHECK(notes_of("a.node", "1 2 0 0\n1 1 2\n").empty());
}

TEST_CASE("node points: rows that contradict the header are refused") {
    CHECK(refusal("p.node", "") == "p.node: no points found");
    CHECK(refusal("p.node", "0 2 0 0\n") == "p.node: no points found");
    CHECK(contains(refusal("p.node", "3 3 0 0\n1 1 1 1\n2 2 2 2\n3 3 3 3\n"), "p.node:1: expected dimension 2"));
    CHECK(contains(refusal("p.node", "-2 2 0 0\n"), "expected \"points dimension attributes markers\""));
    CHECK(contains(refusal("p.node", "1 2 0 0 0\n1 1 1\n"), "and nothing more"));
    CHECK(contains(refusal("p.node", "1 2 0 7\n1 1 1 1 1 1 1 1 1 1\n"), "0 or 1 boundary markers"));
    CHECK(refusal("p.node", "2 2 0 0\n1 1.25 1.25\n") == "p.node: expected 2 points as declared, found 1");
    CHECK(refusal("p.node", "1 2 0 0\n1 1 1\n2 2 2\n") ==
          "p.node:3: expected no more than the declared 1 points, found \"2 2 2\"");
    CHECK(refusal("p.node", "2 2 0 0\n1 1 1\n3 2 2\n") == "p.node:3: expected index 2, found \"3 2 2\"");
    CHECK(contains(refusal("p.node", "1 2 0 0\n5 1 1\n"), "p.node:2: expected a first index of 0 or 1"));
    CHECK(contains(refusal("p.node", "1 2 0 0\nx 1 1\n"), "p.node:2: expected index 0"));
    CHECK(contains(refusal("p.node", "1 2 0 0\n1 1 y\n"), "p.node:2: expected an index and two numbers"));
    CHECK(contains(refusal("p.node", "1 2 1 1\n1 1 2 3\n"), "p.node:2: expected 5 columns (index, x, y, 1 attributes"));
    CHECK(contains(refusal("p.node", "1 2 0 0\n1 nan 2\n"), "p.node:2: x is nan"));
    CHECK(contains(refusal("p.node", "1 2 0 0\n1 1e61 2\n"), "p.node:2: x is 1e+61, too large"));
    CHECK(contains(refusal("p.node", "1 2 0 0\n1 1e-999 2\n"), "p.node:2: x is 1e-999, too small: "));
    CHECK(contains(refusal("p.node", std::string("\x7f"
                                                 "ELF\0\0\1\2",
                                                 8)),
                   "p.node:1: expected plain text"));
}

TEST_CASE("node points: a huge declared count is refused by the file's size, before memory is taken") {
    CHECK(refusal("p.node", "1000000000000 2 0 0\n1 1 1\n") ==
          "p.node:1: \"1000000000000 2 0 0\" declares more than the file has room for: 6 bytes follow");
    CHECK(contains(refusal("p.node", "18446744073709551615 2 0 0\n"), "declares more"));
    CHECK(contains(refusal("p.node", "1 2 18446744073709551614 0\n1 1 1\n"), "declares more"));
    CHECK(read_text("a.node", "2 2 0 0\n0 1 2\n1 3 4") == Points{{1, 2}, {3, 4}});  // as short as can be
}

TEST_CASE("npy points: all versions of the header") {  // test_npy_places.cpp has the types
    const std::string rows = raw<double>({1, 2, 3.5, -4e10});
    for (int version : {1, 2, 3})
        CHECK(read_text("a.npy", npy_header(npy_dictionary("'<f8'", "False", "(2, 2)"), version) + rows) == kTwoPoints);
    CHECK(read_text("a.npy", npy_header("{'shape':(1,2),'descr':'<f8','fortran_order':False}") + raw<double>({5, 6})) ==
          Points{{5, 6}});
}

TEST_CASE("npy points: errors show an unusable shape or type") {
    CHECK(refusal("p.npy", npy_points("(4,)", {1, 2, 3, 4})).starts_with("p.npy: expected shape (n, 2), found (4,)"));
    CHECK(contains(refusal("p.npy", npy_points("(2,)", {1, 2})), "one row of two numbers"));
    for (const char* shape : {"()", "(-1, 2)", "2", "(1, 1, 1, 2)"})
        CHECK(refusal("p.npy", npy_points(shape, {1, 2})).starts_with("p.npy: expected shape (n, 2) of points"));
    const auto typed = [](const std::string& descr) {
        return refusal("p.npy", npy_header(npy_dictionary(descr, "False", "(1, 2)")) + std::string(64, '\0'));
    };
    CHECK(contains(typed("'<f16'"), "found \"'<f16'\", which no double holds"));
    CHECK(contains(typed("'<U4'"), "found \"'<U4'\""));
    CHECK(contains(typed("'<c16'"), "expected shape (n,) of complex numbers"));
    CHECK(contains(typed("'|O'"), "found \"'|O'\", objects that only Python can read"));
    CHECK(contains(typed("[('x', '<f8'), ('y', '|O')]"), "objects that only Python can read"));
    CHECK(contains(typed("[('x', '<f8'), ('y', [('a', '<f8')])]"), "expected floating-point numbers"));
    CHECK(contains(typed("[('x', '<f8'), ('y', '<U2')]"), "records with fields x and y of numbers"));
}

TEST_CASE("npy points: names of fields may have quotes and backslashes in them, as Python writes them") {
    // repr() of it's 5", of a\b and of a comma in quotes.
    const std::string dictionary = npy_dictionary(
        R"([('x', '<f8'), ('it\'s 5"', '<f8'), ("it's", '<f8'), ('a\\b', '<f8'), ('"a", b', '<f8'), ('y', '<f8')])",
        "False", "(1,)");
    const Scratch scratch;
    const Geometry set = read_geometry(scratch.file("a.npy", npy_header(dictionary) + raw<double>({1, 2, 3, 4, 5, 6})));
    CHECK(set.points == Points{{1, 6}});
    REQUIRE((set.attributes && set.attributes->size() == 4));
    CHECK(set.attributes->at(0).name == "it's 5\"");
    CHECK(set.attributes->at(1).name == "it's");
    CHECK(set.attributes->at(2).name == "a\\b");
    CHECK(set.attributes->at(3).name == "\"a\", b");
    CHECK(set.attributes->at(3).values == std::vector<double>{5});
}

TEST_CASE("npy points: broken files are refused") {
    CHECK(refusal("p.npy", "") == "p.npy: expected an npy file, found \"\"");
    CHECK(refusal("p.npy", "1 2\n3 4\n") == "p.npy: expected an npy file, found \"1 2\\x0a3 4\\x0a\"");
    CHECK(refusal("p.npy", npy_points("(0, 2)", {})) == "p.npy: no points found");
    CHECK(contains(refusal("p.npy", "\x93NUMPY"), "ends within its header"));
    CHECK(contains(refusal("p.npy", npy_header("{}          ", 4)), "expected version 1, 2 or 3, found 4"));
    CHECK(contains(refusal("p.npy", npy_header("{}          ")), "does not say \"descr\""));
    for (const std::string junk : {"", "hello world", "{'descr'", "{'descr': }", "{'a': (1, 2}", "{'a': 'b}", "}{",
                                   "{:", "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)"}) {
        CAPTURE(junk);
        CHECK(refusal("p.npy", npy_header(junk)) != "accepted");
        CHECK(refusal("p.npy", npy_header(junk) + std::string(64, '\0')) != "accepted");
    }
    CHECK(contains(refusal("p.npy", npy_header(npy_dictionary("'<f8'", "Maybe", "(1, 2)")) + raw<double>({1, 2})),
                   "expected fortran_order True or False"));
    CHECK(refusal("p.npy", npy_points("(2, 2)", {1, 2, 3})) ==
          "p.npy: expected (2, 2) numbers as declared, but only 24 bytes follow the header");
    const std::string whole = npy_points("(2, 2)", {1, 2, 3, 4});
    for (size_t length = 0; length < whole.size(); ++length)
        CHECK(refusal("p.npy", whole.substr(0, length)) != "accepted");
}

TEST_CASE("npy points: a huge declared count is refused by the file's size, before memory is taken") {
    CHECK(contains(refusal("p.npy", npy_points("(1000000000000, 2)", {1, 2})),
                   "expected (1000000000000, 2) numbers as declared"));
    CHECK(contains(refusal("p.npy", npy_points("(18446744073709551615, 2)", {1, 2})), "but only 16 bytes"));
    CHECK(contains(refusal("p.npy", npy_points("(99999999999999999999999, 2)", {1, 2})), "expected shape (n, 2)"));
    CHECK(contains(refusal("p.npy", std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14)), "ends within its header"));
}

TEST_CASE("assets: every sample input can be read") {
    const fs::path folder = fs::path(__FILE__).parent_path() / "../../assets";
    if (!fs::exists(folder)) {
        MESSAGE("skipped: no folder " << folder.string());
        return;
    }
    size_t read_count = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        for (const FormatInfo& format : geometry_formats())
            for (const std::string& extension : format.extensions) {
                if (entry.path().extension() != extension || extension == ".json") continue;  // scenarios
                CAPTURE(entry.path().string());
                const Geometry read_text = read_geometry(entry.path());
                CHECK((!read_text.points.empty() || read_text.field || read_text.tracks));
                ++read_count;
            }
    CHECK(read_count > 0);
    CHECK(read_geometry(folder / "degenerate.xy").points.size() == 40);
}
