// Arrays of a lattice as legacy VTK files: what is written is read back.
#include "io/vtk_writer.h"

#include "io/input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

TEST_CASE("vtk writer: numbers and vectors on a lattice have a header, and values with the first byte first") {
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    const std::string scalars = vtk_bytes("field", make_array(Array::Type::kFloat32, {2, 3}, numbers));
    CHECK(scalars.starts_with(
        "# vtk DataFile Version 2.0\nfield\nBINARY\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 1\n"));
    CHECK(vtk_bytes("field", make_array(Array::Type::kFloat32, {2, 3}, numbers), {-1, 0.25}, {0.5, 2})
              .find("\nORIGIN -1 0.25 0\nSPACING 0.5 2 1\n") != std::string::npos);
    const size_t data = scalars.find("default\n") + 8;
    REQUIRE(scalars.size() == data + 6 * 4 + 1);
    CHECK(scalars.substr(data + 4, 4) == std::string("\x40\x00\x00\x00", 4));  // 2
    const std::string vectors = vtk_bytes("velocity", make_array(Array::Type::kFloat32, {1, 3, 2}, numbers));
    CHECK(vectors.find("VECTORS velocity float\n") != vectors.npos);
    const size_t begin = vectors.find(" float\n") + 7;
    REQUIRE(vectors.size() == begin + 9 * 4 + 1);
    CHECK(vectors.substr(begin + 8, 4) == std::string(4, '\0'));  // the third component
    CHECK(vectors.substr(begin + 12, 4) == std::string("\x40\x40\x00\x00", 4));
    const std::string tensors = vtk_bytes("pressure", make_array(Array::Type::kFloat32, {1, 2, 3}, numbers));
    CHECK(tensors.find("SCALARS pressure float 3\n") != tensors.npos);
    CHECK_THROWS_AS(vtk_bytes("events", make_array(Array::Type::kFloat32, {6}, numbers)), std::logic_error);
    const Scratch scratch;
    const Geometry read = read_geometry(scratch.file("field.vtk", scalars));
    REQUIRE(read.field);
    CHECK(read.field->width == 3);
    CHECK(read.field->values == numbers);
}
