// VTK's legacy files as VTK, Gmsh and meshio write them: surfaces, clouds and lattices, text and binary.
#include <cmath>

#include "geometry/frames.h"
#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

const Triangles kVtkTriangles{{0, 1, 2}, {0, 2, 3}};

std::string vtk(const std::string& kind, bool binary, const std::string& rest, const std::string& version = "3.0") {
    return "# vtk DataFile Version " + version + "\na title\n" + (binary ? "BINARY" : "ASCII") + "\nDATASET " + kind +
           "\n" + rest;
}
std::string big(const std::vector<uint32_t>& values) {
    std::string text;
    for (const uint32_t v : values) text += bytes(v, true);
    return text;
}
template <class Real>
std::string square(const std::string& type) {
    std::string text = "POINTS 4 " + type + "\n";
    for (const Real v : {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) text += bytes(v, true);
    return text + "\n";
}
const std::string kVtkSquare = "POINTS 4 float\n0 0 0 1 0 0\n1 1 0\n0 1 0\n";

void check_square(const Geometry& mesh) {
    CHECK(mesh.points == Points{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    CHECK(mesh.triangles == kVtkTriangles);
}

}  // namespace

TEST_CASE("VTK: polygons and strips of POLYDATA, text and binary") {
    check_square(read("a.vtk", vtk("POLYDATA", false, kVtkSquare + "POLYGONS 2 8\n3 0 1 2\n3 0 2 3\n")));
    check_square(read("a.vtk", vtk("POLYDATA", false, kVtkSquare + "POLYGONS 1 5\n4 0 1 2 3\n")));
    check_square(read(
        "a.vtk", vtk("POLYDATA", true, square<float>("float") + "POLYGONS 2 8\n" + big({3, 0, 1, 2, 3, 0, 2, 3}))));
    check_square(read(
        "a.vtk", vtk("polydata", true, square<double>("double") + "POLYGONS 1 5\n" + big({4, 0, 1, 2, 3}) + "\n")));
    CHECK(read("a.vtk", vtk("POLYDATA", false, kVtkSquare + "TRIANGLE_STRIPS 1 5\n4 0 1 3 2\n")).triangles ==
          Triangles{{0, 1, 3}, {3, 1, 2}});
}

TEST_CASE("VTK: cells by offsets, as version 5 has them") {
    const std::string offsets = "OFFSETS vtktypeint64\n", ids = "CONNECTIVITY vtktypeint64\n";
    check_square(read("a.vtk", vtk("POLYDATA", false,
                                   kVtkSquare + "METADATA\nINFORMATION 0\n\nPOLYGONS 3 6\n" + offsets + "0 3 6\n" +
                                       ids + "0 1 2 0 2 3\n",
                                   "5.1")));
    std::string cells = "CELLS 3 6\n" + offsets;
    for (const uint64_t v : {0, 3, 6}) cells += bytes(v, true);
    cells += "\n" + ids;
    for (const uint64_t v : {0, 1, 2, 0, 2, 3}) cells += bytes(v, true);
    check_square(read("a.vtk", vtk("UNSTRUCTURED_GRID", true,
                                   square<double>("double") + cells + "\nCELL_TYPES 2\n" + big({5, 5}), "5.1")));
    CHECK(refusal("a.vtk", vtk("POLYDATA", false,
                               kVtkSquare + "POLYGONS 3 6\n" + offsets + "0 7 6\n" + ids + "0 1 2 0 2 3\n", "5.1")) !=
          "accepted");
}

TEST_CASE("VTK: cells with an area are read from UNSTRUCTURED_GRID, and others are noted") {
    const auto grid = [](const std::string& cells, const std::string& types) {
        return vtk("UNSTRUCTURED_GRID", false, kVtkSquare + cells + types);
    };
    check_square(read("a.vtk", grid("CELLS 2 8\n3 0 1 2\n3 0 2 3\n", "CELL_TYPES 2\n5\n5\n")));
    check_square(read("a.vtk", grid("CELLS 1 5\n4 0 1 2 3\n", "CELL_TYPES 1\n9\n")));
    check_square(read("a.vtk", grid("CELLS 1 5\n4 0 1 3 2\n", "CELL_TYPES 1\n8\n")));  // a pixel
    CHECK(notes_of("a.vtk", grid("CELLS 3 12\n2 0 1\n4 0 1 2 3\n3 0 1 2\n", "CELL_TYPES 3\n3 10 5\n")) ==
          Notes{"a.vtk: 1 point is no corner of a triangle and left out", "a.vtk: lines are not used (1)",
                "a.vtk: volumes are not used (1)"});
    const std::string six = "POINTS 6 float\n0 0 0 2 0 0 0 2 0 1 0 0 1 1 0 0 1 0\n";
    CHECK(read("a.vtk", vtk("UNSTRUCTURED_GRID", false, six + "CELLS 1 7\n6 0 1 2 3 4 5\nCELL_TYPES 1\n22\n")).points ==
          Points{{0, 0}, {2, 0}, {0, 2}});
    CHECK(refusal("a.vtk", grid("CELLS 1 3\n2 0 1\n", "CELL_TYPES 1\n5\n")) ==
          "a.vtk:12: a cell of type 5 has 2 points");
}

TEST_CASE("VTK: data of points are columns, in every form") {
    std::string file =
        "POINTS 2 float\n1 2 0 3 4 0\nVERTICES 2 4\n1 0\n1 1\nPOINT_DATA 2\n"
        "SCALARS mass float 1\nLOOKUP_TABLE default\n0.5 1.5\nVECTORS v double\n1 2 3 4 5 6\n"
        "FIELD FieldData 2\nSpeed%20(m/s) 1 2 int\n7 -8\nMETADATA\nINFORMATION 0\n\nuv 2 2 float\n1 2 3 nan\n"
        "TENSORS t float\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9\nLOOKUP_TABLE hot 2\n0 0 0 1 1 0 0 1\n"
        "COLOR_SCALARS c 3\n0 0 1 1 0 0\n";
    Notes notes;
    const Geometry points = read("a.vtk", vtk("POLYDATA", false, file), &notes);
    CHECK(points.points == Points{{1, 2}, {3, 4}});
    REQUIRE(points.attributes);
    const auto column = [&](size_t k) { return points.attributes->at(k); };
    using Values = std::vector<double>;
    REQUIRE(points.attributes->size() == 7);
    CHECK((column(0).name == "mass" && column(0).values == Values{0.5, 1.5}));
    CHECK((column(1).name == "v_x" && column(1).values == Values{1, 4}));
    CHECK((column(3).name == "v_z" && column(3).values == Values{3, 6}));
    CHECK((column(4).name == "Speed (m/s)" && column(4).values == Values{7, -8}));
    CHECK((column(6).name == "uv_y" && column(6).values[0] == 2 && std::isnan(column(6).values[1])));
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].ends_with("a.vtk: the array \"t\" of 9 components is not used"));
    CHECK(notes[1].ends_with("a.vtk: 7 columns kept"));

    std::string binary = "FIELD FieldData 1\nTIME 1 1 double\n" + bytes(2.5, true) + "\n" + square<float>("float") +
                         "POINT_DATA 4\nSCALARS id short\nLOOKUP_TABLE default\n";
    for (const int v : {-1, 2, -300, 4}) binary += bytes(static_cast<uint16_t>(v), true);
    binary += "\nSCALARS flag unsigned_char 1\nLOOKUP_TABLE default\n\x01\xff\x02\x03\nGLOBAL_IDS g vtkIdType\n" +
              big({9, 8, 7, 6});
    const Geometry four = read("a.vtk", vtk("POLYDATA", true, binary));
    REQUIRE(four.attributes->size() == 3);
    CHECK(four.attributes->at(0).values == Values{-1, 2, -300, 4});
    CHECK(four.attributes->at(1).values == Values{1, 255, 2, 3});
    CHECK(four.attributes->at(2).values == Values{9, 8, 7, 6});
}

TEST_CASE("VTK: arrays of texts are columns of categories, and one of brightness is a column of whole numbers") {
    const std::string cells = "POLYGONS 1 5\n4 0 1 2 3\n";
    const Geometry text = read(
        "a.vtk", vtk("POLYDATA", false,
                     kVtkSquare + cells + "POINT_DATA 4\nCOLOR_SCALARS grey 1\n0 1 0.0039215686275 0.50196078431\n" +
                         "FIELD FieldData 2\nkind 1 4 string\noak\n\nred%20beech\noak\nm 1 4 int\n1 2 3 4\n"));
    const auto check = [](const Geometry& read) {
        check_square(read);
        REQUIRE(read.attributes);
        REQUIRE(read.attributes->size() == 3);
        CHECK(read.attributes->at(0).values == std::vector<double>{0, 255, 1, 128});
        const Attribute& kind = read.attributes->at(1);
        const auto word = [&](size_t i) { return kind.categories.at(static_cast<size_t>(kind.values[i])); };
        CHECK((word(0) == "oak" && std::isnan(kind.values[1]) && word(2) == "red beech" && word(3) == "oak"));
        CHECK(read.attributes->at(2).values == std::vector<double>{1, 2, 3, 4});
    };
    check(text);
    const std::string long_text(100, 'x');
    const auto binary = [&](const std::string& third, const std::string& length) {
        return vtk("POLYDATA", true,
                   square<float>("float") + "POLYGONS 1 5\n" + big({4, 0, 1, 2, 3}) +
                       "\nPOINT_DATA 4\nCOLOR_SCALARS grey 1\n" + std::string("\x00\xff\x01\x80", 4) +
                       "\nFIELD FieldData 2\nkind 1 4 string\n\xc3oak\xc0" + length + third + "\xc3oak\nm 1 4 int\n" +
                       big({1, 2, 3, 4}) + "\n");
    };
    check(read("a.vtk", binary("red%20beech", "\xcb")));
    const Geometry longer = read("a.vtk", binary(long_text, "\x80\x64"));
    CHECK(longer.attributes->at(1).categories.back().starts_with("xxxx"));
    CHECK(refusal("a.vtk", binary("", "\x3f")) != "accepted");
}

TEST_CASE("VTK: a lattice of bytes is read, labels are detected, and square pixels have the file's spacing") {
    const auto lattice = [](const std::string& spacing) {
        return "DIMENSIONS 3 2 1\nORIGIN 0 0 0\nSPACING " + spacing + "\nPOINT_DATA 6\nCOLOR_SCALARS phi 1\n";
    };
    Notes notes;
    const Geometry bytes_of =
        read("a.vtk", vtk("STRUCTURED_POINTS", true, lattice("0.5 0.5 1") + std::string("\0\1\2\3\4\xff", 6)), &notes);
    CHECK(bytes_of.field->values == std::vector<float>{0, 1, 2, 3, 4, 255});
    CHECK(bytes_of.field->whole == 1);
    CHECK(bytes_of.field->pixel == 0.5);
    CHECK(notes.back().ends_with("a.vtk: a pixel is 0.5 wide, by the file's spacing"));
    const Geometry text =
        read("a.vtk", vtk("STRUCTURED_POINTS", false, lattice("0.5 0.25 1") + "0 0.2 0.4 0.6 0.8 1\n"), &notes);
    CHECK(text.field->values == std::vector<float>{0, 51, 102, 153, 204, 255});
    CHECK(text.field->pixel == 0);
    CHECK(
        notes.back().ends_with("a.vtk: pixels are 0.5 by 0.25, and only square ones have a size here: lengths are in "
                               "pixels"));
    std::string labels = "DIMENSIONS 40 20 1\nPOINT_DATA 800\nSCALARS cell int 1\nLOOKUP_TABLE default\n";
    for (int i = 0; i < 800; ++i) labels += (i % 40 < 15 ? "7 " : i % 40 > 20 ? "300 " : "0 ");
    CHECK(read("a.vtk", vtk("STRUCTURED_POINTS", false, labels + "\n")).field->labels);
}

TEST_CASE("VTK: a lattice of one layer is a field, its first row at the bottom") {
    const std::string lattice = "DIMENSIONS 3 2 1\nORIGIN 0 0 0\nSPACING 1 1 1\n";
    Notes notes;
    const Geometry text =
        read("a.vtk",
             vtk("STRUCTURED_POINTS", false,
                 lattice + "POINT_DATA 6\nSCALARS height int 1\nLOOKUP_TABLE default\n1 2 3\n4 5 6\n"),
             &notes);
    REQUIRE(text.field);
    CHECK(text.field->width == 3);
    CHECK(text.field->height == 2);
    CHECK(text.field->values == std::vector<float>{1, 2, 3, 4, 5, 6});
    CHECK(text.field->exact.empty());
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].ends_with("a.vtk: the field is \"height\""));
    std::string binary = lattice + "POINT_DATA 6\nSCALARS height double\nLOOKUP_TABLE default\n";
    for (const double v : {0.1, 2., 3., 4., 5., 6.}) binary += bytes(v, true);
    const Geometry doubles = read("a.vtk", vtk("STRUCTURED_POINTS", true, binary));
    CHECK(doubles.field->exact == std::vector<double>{0.1, 2, 3, 4, 5, 6});
    const Geometry cells = read("a.vtk", vtk("STRUCTURED_POINTS", false,
                                             "DIMENSIONS 3 1 3\nASPECT_RATIO 2 1 1\nCELL_DATA 4\nSCALARS c float\n"
                                             "LOOKUP_TABLE default\n1 2 3 4\n"));
    CHECK(cells.field->width == 2);
    CHECK(cells.field->values == std::vector<float>{1, 2, 3, 4});
    const auto refused = [&](const std::string& dimensions, const std::string& values) {
        return refusal("a.vtk", vtk("STRUCTURED_POINTS", false,
                                    "DIMENSIONS " + dimensions +
                                        "\nPOINT_DATA 8\nSCALARS d float\nLOOKUP_TABLE default\n" + values));
    };
    CHECK(refused("2 2 2", "1 2 3 4 5 6 7 8\n") ==
          "a.vtk: is a lattice of 2 × 2 × 2; one layer of it is read, so save one");
    CHECK(refused("4 2 1", "1 2 3 4 5 6 7 nan\n") == "a.vtk: row 1, column 3 is nan, not a finite number");
    CHECK(refused("40000 2 1", "1 2 3 4 5 6 7 8\n") ==
          "a.vtk: is a lattice of 40000 × 2 × 1; at most 16384 in each direction can be taken");
    CHECK(refused("5 2 1", "1 2 3 4 5 6 7 8\n") == "a.vtk: \"d\" has 8 numbers for a lattice of 5 × 2 × 1");
}

TEST_CASE("VTK: malformed files are refused, and huge counts take no memory") {
    CHECK(refusal("a.vtk", "<?xml version=\"1.0\"?>\n").starts_with("a.vtk:1: expected \"# vtk DataFile Version …\""));
    CHECK(refusal("a.vtk", vtk("STRUCTURED_GRID", false, ""))
              .starts_with("a.vtk:4: expected POLYDATA, UNSTRUCTURED_GRID"));
    CHECK(refusal("a.vtk", vtk("POLYDATA", false, "POINTS 1 real\n0 0 0\n")).starts_with("a.vtk:5: expected a type"));
    CHECK(refusal("a.vtk", vtk("POLYDATA", false, kVtkSquare + "POLYGONS 1 4\n3 0 1 4\n")) ==
          "a.vtk:10: a cell names point 4, but there are 4, counted from 0");
    CHECK(refusal("a.vtk", vtk("POLYDATA", false, kVtkSquare + "POLYGONS 1 5\n3 0 1 2\n")) != "accepted");
    CHECK(refusal("a.vtk", vtk("POLYDATA", false, "SPHERES 3\n")).starts_with("a.vtk:5: expected a keyword of VTK"));
    for (const bool binary : {false, true})
        for (const std::string count : {"4000000000", "18446744073709551615"}) {
            CHECK(refusal("a.vtk", vtk("POLYDATA", binary, "POINTS " + count + " double\n0 0 0\n")) != "accepted");
            CHECK(refusal("a.vtk", vtk("POLYDATA", binary, "POLYGONS " + count + " " + count + "\n3 0 0 0\n")) !=
                  "accepted");
            CHECK(refusal("a.vtk", vtk("POLYDATA", binary, "LOOKUP_TABLE a " + count + "\n3 0 0 0\n")) != "accepted");
            CHECK(refusal("a.vtk", vtk("POLYDATA", binary, "FIELD a " + count + "\nb 4 " + count + " bit\n")) !=
                  "accepted");
        }
    const std::string whole = vtk(
        "UNSTRUCTURED_GRID", true,
        square<double>("double") + "CELLS 2 8\n" + big({3, 0, 1, 2, 3, 0, 2, 3}) + "\nCELL_TYPES 2\n" + big({5, 5}));
    check_square(read("a.vtk", whole));
    for (size_t size = 0; size < whole.size(); ++size) refusal("a.vtk", whole.substr(0, size));  // none crashes
}
