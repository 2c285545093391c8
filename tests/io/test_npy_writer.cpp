// Arrays as .npy files and archives of them: the program's own readers read them back, and the header is as NumPy
// requires.
#include "io/npy_writer.h"

#include <filesystem>
#include <string>
#include <vector>

#include "input_files.h"
#include "io/npz_file.h"
#include "io/npz_points.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

std::string header_of(const std::string& bytes) {
    const size_t length = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    CHECK((10 + length) % 64 == 0);
    CHECK(bytes[10 + length - 1] == '\n');
    return bytes.substr(10, length);
}

}  // namespace

TEST_CASE("npy: points that are written are read back bit by bit") {
    const std::vector<double> values{0.1, -1.0 / 3, 5e-324 * 1e300, 12345.678, 0, 7};
    const Scratch scratch;
    const std::filesystem::path file =
        scratch.file("a.npy", npy_bytes(make_array(Array::Type::kFloat64, {3, 2}, values)));
    const Geometry read = read_geometry(file);
    REQUIRE(read.points.size() == 3);
    for (size_t i = 0; i < 3; ++i) CHECK(read.points[i] == Point{values[2 * i], values[2 * i + 1]});
}

TEST_CASE("npy: a lattice of whole numbers is read back row by row, the first one at the bottom") {
    const Scratch scratch;
    const std::filesystem::path file =
        scratch.file("a.npy", npy_bytes(make_array<uint32_t>(Array::Type::kUint32, {2, 3}, {1, 2, 3, 4, 5, 6})));
    const FieldStack read = read_field(file);
    CHECK(read.width == 3);
    CHECK(read.height == 2);
    CHECK(read.values == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("npy: the header names type and shape as Python writes them, of any number of dimensions") {
    using Type = Array::Type;
    const auto header = [](const Array& array) { return header_of(npy_bytes(array)); };
    CHECK(header({Type::kFloat32, {0}, {}}).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }"));
    CHECK(contains(header({Type::kInt64, {0, 4, 2}, {}}), "'<i8', 'fortran_order': False, 'shape': (0, 4, 2), }"));
    CHECK(contains(header(make_array<double>(Type::kFloat64, {}, {1.5})), "'shape': (), }"));
    CHECK(npy_bytes(make_array<double>(Type::kFloat64, {}, {1.5})).substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
}

TEST_CASE("npy: an array whose bytes do not match its shape is a broken invariant") {
    CHECK_THROWS_AS(npy_bytes({Array::Type::kUint32, {2, 2}, std::vector<std::byte>(15)}), std::logic_error);
    CHECK_THROWS_AS(npy_bytes({Array::Type::kUint32, {}, {}}), std::logic_error);
}

TEST_CASE("npy: texts are NumPy's Unicode strings, as long as the longest, padded with zeros") {
    const std::string bytes = npy_bytes(std::vector<std::string>{"ab", "Æ", ""}, {3});
    CHECK(contains(bytes, "'descr': '<U2'"));
    CHECK(contains(bytes, "'shape': (3,)"));
    const std::string values = bytes.substr(bytes.size() - 24);
    const char32_t expected[6] = {'a', 'b', 0xC6, 0, 0, 0};
    CHECK(values == std::string(reinterpret_cast<const char*>(expected), sizeof expected));
    CHECK(contains(npy_bytes(std::vector<std::string>{}, {0, 2}), "'<U1'"));
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
    const Geometry points = io::read_npz_points({path, io::FileBytes(bytes), options, notes}, archive);
    REQUIRE(points.points.size() == 3);
    CHECK(points.points[1] == Point{-1e30, 2});
    CHECK(npz_bytes({}).size() == 22);
}
