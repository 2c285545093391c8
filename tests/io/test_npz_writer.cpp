// Archives of arrays and texts: written, and read back.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/npy_writer.h"
#include "io/npz_file.h"
#include "io/npz_points.h"

using namespace flipscope;

TEST_CASE("npy: texts are NumPy's Unicode strings, as long as the longest, padded with zeros") {
    const std::string bytes = npy_bytes(std::vector<std::string>{"ab", "Æ", ""}, {3});
    CHECK(bytes.find("'descr': '<U2'") != bytes.npos);
    CHECK(bytes.find("'shape': (3,)") != bytes.npos);
    const std::string values = bytes.substr(bytes.size() - 24);
    const char32_t expected[6] = {'a', 'b', 0xC6, 0, 0, 0};
    CHECK(values == std::string(reinterpret_cast<const char*>(expected), sizeof expected));
    CHECK(npy_bytes(std::vector<std::string>{}, {0, 2}).find("'<U1'") != std::string::npos);
    CHECK_THROWS_AS(npy_bytes(std::vector<std::string>{"a"}, {2}), std::logic_error);
}

TEST_CASE("npz: an archive of arrays is read back, with its names") {
    const std::vector<double> x{0.5, -1e30, 3}, y{1, 2, 0.1};
    const std::string bytes = npz_bytes({{"x", npy_bytes(make_array(Array::Type::kFloat64, {3}, x))},
                                         {"y", npy_bytes(make_array(Array::Type::kFloat64, {3}, y))},
                                         {"area of µ", npy_bytes(make_array(Array::Type::kFloat64, {3}, x))}});
    const io::NpzFile archive("a.npz", bytes);
    REQUIRE(archive.members().size() == 3);
    CHECK(archive.members()[2].name == "area of µ");
    CHECK(archive.read(archive.members()[1]) == npy_bytes(make_array(Array::Type::kFloat64, {3}, y)));
    std::vector<std::string> notes;
    const std::filesystem::path path = "a.npz";
    const ReadOptions options;
    const Geometry points = io::read_npz_points({path, io::FileBytes(bytes), options, notes});
    REQUIRE(points.points.size() == 3);
    CHECK(points.points[1] == Point{-1e30, 2});
    CHECK(npz_bytes({}).size() == 22);
}
