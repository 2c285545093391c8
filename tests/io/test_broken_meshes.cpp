// For every content of a mesh file the outcome is a Geometry or a message that names the file.
#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

std::string broken_ply(const std::string& format, const std::string& elements, const std::string& body) {
    return "ply\nformat " + format + " 1.0\n" + elements + "end_header\n" + body;
}

const std::string kXyz = "property double x\nproperty double y\nproperty double z\n";
const std::string kFaces = "property list uchar int vertex_indices\n";

}  // namespace

TEST_CASE("broken meshes: an empty file is refused with a sentence") {
    for (const std::string extension : {".obj", ".off", ".ply", ".stl", ".ele"}) {
        CAPTURE(extension);
        CHECK(refusal("a" + extension, "") != "accepted");
        CHECK(refusal("a" + extension, "\n \n") != "accepted");
    }
    CHECK(refusal("a.obj", "") == "a.obj: no points found");
    CHECK(refusal("a.off", "") == "a.off: the file is empty");
    CHECK(refusal("a.ply", "") == "a.ply: is not a PLY file: it does not begin with \"ply\"");
    CHECK(refusal("a.stl", "") == "a.stl: is neither text nor binary STL");
    CHECK(refusal("a.ele", "1\n0 0 1 2\n") == "a.ele: its points are missing: there is no a.node beside it");
}

TEST_CASE("broken meshes: errors name a face and its missing vertex") {
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 1\n";
    CHECK(refusal("a.obj", obj + "f 1 2 3\nf 1 2 4\n") ==
          "a.obj:5: the face names vertex 4, but there are 3, counted from 1");
    CHECK(refusal("a.obj", "f 1 2 3\nf 1 2 4\n" + obj) ==
          "a.obj:2: the face names vertex 4, but there are 3, counted from 1");
    CHECK(refusal("a.obj", "f 1 2 3\n" + obj) == "accepted");  // a face may come before its vertices
    CHECK(refusal("a.obj", obj + "f 1 2 0\n") == "a.obj:4: the face names vertex 0, but OBJ counts from 1");
    CHECK(refusal("a.obj", obj + "f -1 -2 -4\n") ==
          "a.obj:4: the face names vertex -4, counted backwards, but only 3 vertices precede it");
    CHECK(refusal("a.obj", obj + "f 1 2 -9223372036854775808\n").starts_with("a.obj:4: the face names vertex -92"));
    CHECK(refusal("a.obj", obj + "f 1 2 5000000000\n") ==
          "a.obj:4: the face names vertex 5000000000, which is more than a file may hold");
    CHECK(refusal("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 1\n3 0 1 3\n") ==
          "a.off:6: the face names vertex 3, but there are 3, counted from 0");
    const std::string vertices = "element vertex 3\n" + kXyz + "element face 1\n" + kFaces;
    CHECK(refusal("a.ply", broken_ply("ascii", vertices, "0 0 0\n1 0 0\n0 1 1\n3 0 1 -1\n")) ==
          "a.ply:13: the face names vertex -1, but there are 3, counted from 0");
    std::string body;
    for (const double v : {0, 0, 0, 1, 0, 0, 0, 1, 1}) body += bytes(v);
    CHECK(refusal("a.ply", broken_ply("binary_little_endian", vertices,
                                      body + '\3' + bytes(uint32_t{0}) + bytes(uint32_t{1}) + bytes(uint32_t{3}))) ==
          "a.ply: face 0: the face names vertex 3, but there are 3, counted from 0");
    const Scratch scratch;
    scratch.file("a.node", "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    for (const std::string id : {"0", "4", "99999999999"}) {
        const std::string message =
            error_of([&] { read_geometry(scratch.file("a.ele", "1 3 0\n1 1 2 " + id + "\n")); });
        CHECK(contains(message, "a.ele:2: triangle 1 names point " + id + ", but there are 3, counted from 1"));
    }
}

TEST_CASE("broken meshes: counts that the file has no room for are refused before anything is allocated") {
    CHECK(refusal("a.off", "OFF\n4000000000 4000000000 0\n0 0 0\n") ==
          "a.off:2: \"4000000000 4000000000 0\" promises more than the file has room for: 6 bytes follow");
    CHECK(contains(refusal("a.off", "OFF\n18446744073709551615 3 0\n0 0 0\n"), "a.off:2: "));
    CHECK(contains(refusal("a.off", "OFF\n1 100 0\n0 0 0\n"), "promises more than the file has room for"));
    CHECK(refusal("a.off", "OFF\n1 1 0\n0 0 0\n4000000000 0 0\n") ==
          "a.off:4: expected a face of 4000000000 vertices, found \"4000000000 0 0\"");
    for (const std::string format : {"ascii", "binary_little_endian"}) {
        CHECK(refusal("a.ply", broken_ply(format, "element vertex 1\n" + kXyz + "element face 4000000000\n" + kFaces,
                                          std::string(24, '0') + "\n")) != "accepted");
        CHECK(contains(refusal("a.ply", broken_ply(format, "element vertex 18446744073709551615\n" + kXyz, "0 0 0\n")),
                       "a.ply: promises 18446744073709551615 of vertex, but only 6 bytes are left for them"));
        CHECK(refusal("a.ply", broken_ply(format, "element vertex 4000000000\n", "0 0 0\n")) ==
              "a.ply: the element vertex has no properties");
    }
    CHECK(refusal("a.ply",
                  broken_ply("binary_little_endian",
                             "element vertex 1\n" + kXyz + "element face 1\nproperty list uint int vertex_indices\n",
                             std::string(24, '\0') + bytes(uint32_t{4000000000u}) + "...")) ==
          "a.ply: ends within face 0 of 1, counted from 0");
    CHECK(refusal("a.ply",
                  broken_ply("binary_big_endian",
                             "element vertex 1\n" + kXyz + "element face 1\nproperty list int int vertex_indices\n",
                             std::string(24, '\0') + bytes(uint32_t{0x80000000u}, true) + "...")) ==
          "a.ply: face 0: a list of negative length");
    std::string stl = binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, 2}});
    stl.replace(80, 4, bytes(uint32_t{4000000000u}));
    CHECK(
        refusal("a.stl", stl) ==
        "a.stl: promises 4000000000 triangles, but has room for 1; if it should be text, it must begin with \"solid\"");
    const Scratch scratch;
    scratch.file("a.node", "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    CHECK_THROWS_AS(read_geometry(scratch.file("a.ele", "4000000000 3 0\n1 1 2 3\n")), Error);
}

TEST_CASE("broken meshes: errors name coordinates that are not numbers or out of range") {
    const auto obj = [](const std::string& z) { return "v 0 0 0\nv 1 0 " + z + "\nv 0 1 1\nf 1 2 3\n"; };
    CHECK(refusal("a.obj", obj("nan")) == "a.obj:2: expected \"v x y z\", found \"v 1 0 nan\"");
    CHECK(refusal("a.obj", obj("0,5")) == "a.obj:2: expected \"v x y z\", found \"v 1 0 0,5\"");
    CHECK(refusal("a.obj", obj("0x10")) != "accepted");
    CHECK(refusal("a.obj", obj("")) == "a.obj:2: expected \"v x y z\", found \"v 1 0\"");
    CHECK(contains(refusal("a.obj", obj("1" + std::string(400, '0'))), "is too large for a double"));
    CHECK(contains(refusal("a.obj", obj("1e100")), "a.obj:2: z is 1e+100, too large"));
    CHECK(contains(refusal("a.obj", obj("1e-100")), "a.obj:2: z is 1e-100, too small"));
    CHECK(contains(refusal("a.obj", obj("-1e-400")), "a.obj:2: z is -5e-324, too small"));
    CHECK(refusal("a.off", "OFF\n1 0 0\n0 inf 0\n") == "a.off:3: expected \"x y z\", found \"0 inf 0\"");
    CHECK(contains(refusal("a.off", "OFF\n2 0 0\n0 0 0\n0 -1e300 0\n"), "a.off:4: y is -1e+300, too large"));
    for (const bool big : {false, true}) {
        const auto with = [&](uint64_t y) {
            return refusal("a.ply",
                           broken_ply(big ? "binary_big_endian" : "binary_little_endian", "element vertex 1\n" + kXyz,
                                      bytes(1.0, big) + bytes(std::bit_cast<double>(y), big) + bytes(2.0, big)));
        };
        CHECK(with(0x7ff0000000000000) == "a.ply: vertex 0: y is inf, not a finite number");
        CHECK(with(0x7ff8000000000000) == "a.ply: no points found");  // one that is missing
    }
    const float nan = std::bit_cast<float>(0x7fc00000), infinity = std::bit_cast<float>(0xff800000);
    CHECK(refusal("a.stl", binary_stl({{0, 0, 0, 1, 0, 0, 0, 1, nan}})) ==
          "a.stl: triangle 0: z is not a finite number");
    CHECK(refusal("a.stl", binary_stl({{0, 0, 0, 1, infinity, 0, 0, 1, 0}})) ==
          "a.stl: triangle 0: y is not a finite number");
    std::string stl = kTetrahedronStl;
    stl.replace(stl.find("0.1 0.25 1"), 10, "0.1 1e99 1");
    CHECK(contains(refusal("a.stl", stl), "a.stl:2: a vertex's y is 1e+99, too large"));
    stl.replace(stl.find("0.1 1e99 1"), 10, "0.1 NaN 1 ");
    CHECK(refusal("a.stl", stl) == "a.stl:5: expected \"vertex x y z\", found \"vertex 0.1 NaN 1\"");
}

TEST_CASE("broken meshes: malformed structure is refused with its line") {
    const std::array<std::string, 3> refusals[] = {
        {"a.obj", "v 0 0 0\n?!\n", "a.obj:2: expected a statement of OBJ such as \"v 1 2 3\" or \"f 1 2 3\", found"},
        {"a.obj",
         std::string("\x7f"
                     "ELF\2\1\1\0\0\0\n\0",
                     12),
         "a.obj:1: expected plain text, found \"\\x7fELF"},
        {"a.obj", "v 0 0 0\nf 1 one 2\n", "a.obj:2: expected vertices of a face such as 7 or 7/1/1, found \"one\""},
        {"a.obj", "v 0 0 0\nf\n", "a.obj:2: expected the vertices of a face, found \"f\""},
        {"a.off", "PLY\n3 1 0\n", "a.off:1: expected \"OFF\", found \"PLY\""},
        {"a.off", "OFF BINARY\n", "a.off:1: expected OFF as text"},
        {"a.off", "nOFF\n4\n1 0 0\n0 0 0 1\n", "a.off:2: expected vertices of two or three"},
        {"a.off", "4nOFF 3\n1 0 0\n0 0 0 1\n", "a.off:1: expected vertices of two or three"},
        {"a.off", "4OFF\n1 0 0\n0 0 0 0\n", "a.off:3: expected a vertex whose fourth coordinate"},
        {"a.off", "OFFX\n1 0 0\n0 0 0\n", "a.off:1: expected \"vertices faces edges\""},
        {"a.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 1\n1 1 1\n3 0 1\n3 0 2 1\n",
         "a.off:7: expected a face of 3"},  // and not taken from the next line
        {"a.off", "OFF\n3 1 0\n0 0\n1 0 0\n0 1 1\n3 0 1 2\n", "a.off:3: expected a vertex of 3 coordinates, found"},
        {"a.off", "OFF\n3 -1 0\n", "a.off:2: expected \"vertices faces edges\", all whole numbers, found \"3 -1 0\""},
        {"a.off", "OFF\n2 1 0\n0.0000 0 0\n0 0 1.0000\n", "a.off: ends after 0 of 1 faces"},
        {"a.off", "OFF\n3 0 0\n0.0000 0 0\n0 0 1.0000\n", "a.off: ends after 2 of 3 vertices"},
        {"a.ply", "ply\nformat ascii 1.0\n", "a.ply: ends within its header: there is no \"end_header\""},
        {"a.ply", broken_ply("ascii", "element vertex many\n", ""), "a.ply:3: expected \"element name count\""},
        {"a.ply", broken_ply("ascii", "element vertex 1\nproperty quad x\n", ""), "a.ply:4: expected a type"},
        {"a.ply", broken_ply("text", "", ""), "a.ply:2: expected ascii, binary_little_endian"},
        {"a.ply", broken_ply("ascii", "", ""), "a.ply: there is no element called vertex"},
        {"a.ply", broken_ply("ascii", "element vertex 1\nproperty float x\n", "1\n"), "one x, one y"},
        {"a.ply",
         broken_ply("binary_little_endian", "element vertex 1\nproperty list int int x\nproperty int y\n", "12345678"),
         "a.ply: the vertices' x is a"},
        {"a.ply",
         broken_ply("binary_little_endian",
                    "element vertex 1\n" + kXyz + "element face 1\nproperty list uchar float vertex_indices\n", ""),
         "a.ply: the faces name their vertices as float"},
        {"a.ply", broken_ply("ascii", "element vertex 2\n" + kXyz, "0 0 0\n1 1\n"), "a.ply:9: expected more numbers"},
        {"a.ply", broken_ply("ascii", "element vertex 2\n" + kXyz, "0 0 0 0\n1 1\n"), "a.ply:8: expected fewer"},
        {"a.ply", tetrahedron_ply("binary_little_endian").substr(0, 300), "a.ply: ends within "},
        {"a.stl", "solid a\nfacet\nvertex 0 0 0\nvertex 0 0 1\nendfacet\nendsolid\n", "a.stl:5: expected a facet of"},
        {"a.stl", "solid a\nfacet\nvertex 0 0 0\n", "a.stl: ends within facet 1, there is no \"endsolid\""},
        {"a.stl", "solid a\nendsolid\n", "a.stl: no triangles found"},
        {"a.stl", "solid a\nloop\n", "a.stl:2: expected \"facet\" or \"endsolid\""},
    };
    for (const auto& [file, given, part] : refusals) {
        const std::string said = refusal(file, given);
        CHECK_MESSAGE(contains(said, part), said);
    }
}
