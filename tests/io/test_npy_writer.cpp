// Arrays as .npy files: what the program's own readers read back, and what NumPy asks of the header.
#include "io/npy_writer.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

template <class T>
Array written_array(Array::Type type, std::vector<size_t> shape, const std::vector<T>& values) {
    const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
    return {type, std::move(shape), {bytes, bytes + values.size() * sizeof(T)}};
}

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
        scratch.file("a.npy", npy_bytes(written_array(Array::Type::kFloat64, {3, 2}, values)));
    const Geometry read = read_geometry(file);
    REQUIRE(read.points.size() == 3);
    for (size_t i = 0; i < 3; ++i) CHECK(read.points[i] == Point{values[2 * i], values[2 * i + 1]});
}

TEST_CASE("npy: a lattice of whole numbers is read back row by row, the first one at the bottom") {
    const Scratch scratch;
    const std::filesystem::path file =
        scratch.file("a.npy", npy_bytes(written_array<uint32_t>(Array::Type::kUint32, {2, 3}, {1, 2, 3, 4, 5, 6})));
    const FieldStack read = read_field(file);
    CHECK(read.width == 3);
    CHECK(read.height == 2);
    CHECK(read.values == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("npy: the header names type and shape as Python writes them, of any number of dimensions") {
    using Type = Array::Type;
    const auto header = [](const Array& array) { return header_of(npy_bytes(array)); };
    CHECK(header({Type::kFloat32, {0}, {}}).starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }"));
    CHECK(header({Type::kInt64, {0, 4, 2}, {}}).find("'<i8', 'fortran_order': False, 'shape': (0, 4, 2), }") !=
          std::string::npos);
    CHECK(header(written_array<double>(Type::kFloat64, {}, {1.5})).find("'shape': (), }") != std::string::npos);
    CHECK(npy_bytes(written_array<double>(Type::kFloat64, {}, {1.5})).substr(0, 8) ==
          std::string("\x93NUMPY\x01\x00", 8));
}

TEST_CASE("npy: an array with more or fewer bytes than its shape says is a broken promise") {
    CHECK_THROWS_AS(npy_bytes({Array::Type::kUint32, {2, 2}, std::vector<std::byte>(15)}), std::logic_error);
    CHECK_THROWS_AS(npy_bytes({Array::Type::kUint32, {}, {}}), std::logic_error);
}
