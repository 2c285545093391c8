// Forms of OFF, PLY and OBJ that other programs write: all of them give the same mesh.
#include <array>
#include <cmath>
#include <limits>

#include "input_files.h"
#include "io/mesh.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

const Points kSquare{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
const std::vector<double> kBent{0, 0, 0, 2};
const Triangles kTwo{{0, 1, 2}, {0, 2, 3}};

void check_bent_square(const std::string& name, const std::string& content) {
    CAPTURE(content);
    const Geometry mesh = read(name, content);
    CHECK(mesh.points == kSquare);
    CHECK(mesh.heights == kBent);
    CHECK(mesh.triangles == kTwo);
}

std::string ply(const std::string& format, const std::string& elements, const std::string& body) {
    return "ply\nformat " + format +
           " 1.0\nelement vertex 4\nproperty double x\nproperty double y\n"
           "property double z\n" +
           elements + "end_header\n" + body;
}
const std::string kPlyPoints = "0 0 0\n1 0 0\n1 1 0\n0 1 2\n";

std::string binary_points(bool big) {
    std::string body;
    for (size_t i = 0; i < 4; ++i) body += bytes(kSquare[i].x, big) + bytes(kSquare[i].y, big) + bytes(kBent[i], big);
    return body;
}

}  // namespace

TEST_CASE("readable meshes: the header of an OFF file may be broken into lines in any way") {
    const std::string body = "0 0 0\n1 0 0\n1 1 0\n0 1 2\n3 0 1 2\n3 0 2 3\n";
    for (const std::string header :
         {"OFF\n4 2 5\n", "OFF 4 2 5\n", "OFF4 2 5\n", "OFF4 2\n", "OFF\n4 2\n", "OFF\n4\n2\n5\n", "OFF 4\n2 5\n",
          "OFF # a mesh\n# of four points\n\n4 2 5 # counts\n\n# points\n", "COFF\n4 2 5\n", "NCOFF 4 2 0\n",
          "STNOFF4 2 0\n", "nOFF\n3\n4 2 5\n", "nOFF3\n4 2 5\n", "OFF\r\n4 2 5\r\n", "\xef\xbb\xbfOFF\n4 2 5\n"})
        check_bent_square("a.off", header + body);
}

TEST_CASE("readable meshes: vertices and faces of an OFF file may go on in the next line, with colours behind them") {
    check_bent_square("a.off", "OFF\n4 2 5\n0 0 0\n1 0 0\n1 1 0\n0 1 2\n3\n0 1 2\n3 0\n2\n3\n");
    check_bent_square("a.off", "OFF\n4 2 5\n0 0\n0\n1\n0 0\n1 1 0 # the third\n0\n1\n2\n3 0 1 # and\n\n2\n3 0 2 3\n");
    check_bent_square("a.off",
                      "COFF\n4 2 5\n0 0 0 1 0 0 1\n1 0 0 255 0 0\n1 1 0 nan nan nan 1\n0 1 2\n3 0 1 2 255 0 0\n"
                      "3 0 2\n3 0.5 0.5 0.5 1\n");
    CHECK(notes_of("a.off", "OFF\n4 2 5\n0 0 0\n1 0 0\n1 1 0\n0 1 2\n3 0 1 2\n3 0 2 3\n7 7\n") ==
          Notes{"a.off: what follows the last face, from line 9 on, is not used"});
}

TEST_CASE("readable meshes: OFF of four coordinates is divided by the last, OFF of two lies in the plane") {
    check_bent_square("a.off", "4OFF\n4 2 5\n0 0 0 1\n2 0 0 2\n0.5 0.5 0 0.5\n0 -1 -2 -1\n3 0 1 2\n3 0 2 3\n");
    const Geometry flat = read("a.off", "nOFF\n2\n4 2 5\n0 0\n1 0\n1 1\n0 1\n3 0 1 2\n3 0 2 3\n");
    CHECK(flat.points == kSquare);
    CHECK(!flat.in_space());
    CHECK(flat.triangles == kTwo);
}

TEST_CASE("readable meshes: faces of an ASCII PLY may have further lists, before and after their vertices") {
    const std::string two = "element face 2\n";
    check_bent_square("a.ply", ply("ascii",
                                   two + "property list uchar int vertex_indices\n"
                                         "property list uchar float texcoord\nproperty int texnumber\n",
                                   kPlyPoints + "3 0 1 2 6 0 0 1 0 1 1 0\n3 0 2 3 0 0\n"));
    check_bent_square("a.ply", ply("ascii",
                                   two + "property uchar red\nproperty list uchar float quality\n"
                                         "property list uchar int vertex_index\n",
                                   kPlyPoints + "255 2 0.5 nan 3 0 1 2\n255 0 3 0 2 3\n"));
    check_bent_square("a.ply", ply("ascii",
                                   two + "property list uchar int vertex_indices\n"
                                         "property list uchar float texcoord\n",
                                   kPlyPoints + "3 0 1 2\n6 0 nan 1 1e-320 1\n-1.5e-400\n3 0 2 3 0\n"));
    CHECK(refusal("a.ply", ply("ascii", "", "0 0 0\n1 0\n1 1 0\n0 1 2\n")) ==
          "a.ply:9: expected more numbers for a vertex, found \"1 0\"");
    check_bent_square("a.ply", ply("ascii", "property float nx\n" + two + "property list uchar int vertex_indices\n",
                                   "0 0 0 nan\n1 0 0 -nan\n1 1 0 inf\n0 1 2 0\n3 0 1 2\n3 0 2 3\n"));
}

TEST_CASE("readable meshes: strips of triangles in PLY, with -1 between them, as text and binary") {
    const std::string element = "element tristrips 1\nproperty list int int vertex_indices\n";
    // 0 1 2, then 2 1 3 turned to agree; a new strip; a corner named twice makes no triangle.
    const std::vector<int32_t> ids{0, 1, 2, 3, -1, 0, 2, 3, 3, -1, -1, 1, 2};
    const Triangles expected{{0, 1, 2}, {2, 1, 3}, {0, 2, 3}};
    std::string text = std::to_string(ids.size());
    for (const int32_t id : ids) text += " " + std::to_string(id);
    const Geometry mesh = read("a.ply", ply("ascii", element, kPlyPoints + text + "\n"));
    CHECK(mesh.triangles == expected);
    CHECK(mesh.points == kSquare);
    for (const bool big : {false, true}) {
        std::string body = binary_points(big) + bytes(static_cast<uint32_t>(ids.size()), big);
        for (const int32_t id : ids) body += bytes(static_cast<uint32_t>(id), big);
        const std::string file = ply(big ? "binary_big_endian" : "binary_little_endian", element, body);
        CHECK(read("a.ply", file).triangles == expected);
        CHECK(notes_of("a.ply", file) == Notes{"a.ply: 1 list of strips is cut into 3 triangles"});
        std::string wrong = file;
        wrong.replace(wrong.size() - 4, 4, bytes(uint32_t{4}, big));
        CHECK(refusal("a.ply", wrong) ==
              "a.ply: tristrips 0: the strip names vertex 4, but there are 4, counted from 0");
        CHECK(refusal("a.ply", file.substr(0, file.size() - 1)) ==
              "a.ply: ends within tristrips 0 of 1, counted from 0");
    }
    CHECK(refusal("a.ply", ply("ascii", element, kPlyPoints + "3 0 1 -2\n")) ==
          "a.ply:14: the strip names vertex -2, but there are 4, counted from 0");
    CHECK(refusal("a.ply", ply("ascii", element, kPlyPoints + "4000000000 0 1 2\n"))
              .starts_with("a.ply:14: expected more"));
}

TEST_CASE("readable meshes: OBJ may have more numbers after a vertex, and comments that start with $") {
    check_bent_square("a.obj",
                      "$ written by a scanner\nv 0 0 0 nan nan nan\nv 1 0 0 1.0\nv 1 1 0 0.5 -nan inf\n$end\n"
                      "v 0 1 2 1 1 1 1\nf 1 2 3\nf 1 3 4\n");
    CHECK(refusal("a.obj", "v 0 0 0 red\n") == "a.obj:1: expected \"v x y z\", found \"v 0 0 0 red\"");
}

TEST_CASE("readable meshes: points without coordinates are left out of a cloud and refused in a mesh") {
    const std::string head =
        "element vertex 3\nproperty double x\nproperty double y\nproperty double z\nproperty float q\n";
    const auto check = [&](const std::string& content) {
        std::vector<std::string> notes;
        const Geometry cloud = read("a.ply", content, &notes);
        CHECK(cloud.points == Points{{1, 2}, {3, 4}});
        CHECK(cloud.rows == std::vector<uint64_t>{0, 2});
        CHECK(cloud.attributes->at(0).values == std::vector<double>{0.5, 2.5});
        REQUIRE(!notes.empty());
        CHECK(notes[0].ends_with("a.ply: 1 point without coordinates is left out"));
    };
    const std::string rows = "1 2 0 0.5\nNaN nan -nan 1.5\n3 4 0 2.5\n";
    check("ply\nformat ascii 1.0\n" + head + "end_header\n" + rows);
    const double nan = std::nan("");
    std::string binary = "ply\nformat binary_little_endian 1.0\n" + head + "end_header\n";
    for (const auto& [x, y, q] : {std::tuple(1.0, 2.0, 0.5f), {nan, nan, 1.5f}, {3.0, 4.0, 2.5f}})
        binary += bytes(x, false) + bytes(y, false) + bytes(0.0, false) + bytes(q, false);
    check(binary);
    CHECK(refusal("a.ply", "ply\nformat ascii 1.0\n" + head +
                               "element face 1\nproperty list uchar int vertex_indices\nend_header\n" + rows +
                               "3 0 1 2\n") == "a.ply:12: x is nan, not a finite number");
}

TEST_CASE("readable meshes: a planar mesh keeps its height through every format that has one") {
    const Geometry mesh = read("a.off", "OFF\n4 2 0\n0 0 500\n1 0 500\n1 1 500\n0 1 500\n3 0 1 2\n3 0 2 3\n");
    CHECK(!mesh.in_space());
    CHECK(mesh.level == 500);
    TriangleSoup soup;
    soup.points = &mesh.points;
    soup.triangles = mesh.triangles;
    soup.level = mesh.level;
    for (const std::string extension : {".ply", ".obj", ".off", ".node"}) {
        CAPTURE(extension);
        const Scratch scratch;
        write_mesh(scratch.folder / ("b" + extension), soup);  // and those of the plane do not mind
        const Geometry again = read_geometry(scratch.folder / (extension == ".node" ? "b.ele" : "b" + extension));
        CHECK(again.points == mesh.points);
        CHECK(again.triangles == mesh.triangles);
        CHECK(again.level == (extension == ".node" ? 0 : 500));
    }
    const Geometry zero = read("a.obj", "v 0 0 -0.0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    CHECK(zero.level == 0);
    CHECK(!std::signbit(zero.level));
}

TEST_CASE("readable meshes: scalar properties of PLY vertices are attributes, binary in either order of bytes") {
    for (const bool big : {false, true}) {
        CAPTURE(big);
        std::string file = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                           "_endian 1.0\nelement vertex 3\nproperty uchar red\nproperty double x\n"
                           "property short id\nproperty list uchar float w\nproperty double y\nproperty float q\n"
                           "property uint flags\nproperty double z\nproperty char c\nend_header\n";
        for (int i = 0; i < 3; ++i) {
            file += static_cast<char>(200 + i);
            file += bytes(0.1 * (i + 1), big);
            file += bytes(static_cast<uint16_t>(-300 * i), big);
            file += static_cast<char>(i);
            for (int k = 0; k < i; ++k) file += bytes(1e30f, big);
            file += bytes(i == 1 ? 3.0 : 1.0, big);
            file += bytes(i == 2 ? std::numeric_limits<float>::infinity() : 0.5f * float(i), big);
            file += bytes(4000000000u + uint32_t(i), big);
            file += bytes(2.0, big);
            file += static_cast<char>(-5 * i);
        }
        std::vector<std::string> notes;
        const Geometry points = read("a.ply", file, &notes);
        REQUIRE(points.points.size() == 3);
        CHECK(points.points[2] == Point{0.1 * 3, 1});
        REQUIRE(points.attributes);
        REQUIRE(points.attributes->size() == 5);
        const auto column = [&](size_t k) { return points.attributes->at(k); };
        using Values = std::vector<double>;
        CHECK((column(0).name == "red" && column(0).values == Values{200, 201, 202}));
        CHECK((column(1).name == "id" && column(1).values == Values{0, -300, -600}));
        CHECK((column(2).name == "q" && column(2).values[1] == 0.5 && std::isnan(column(2).values[2])));
        CHECK((column(3).name == "flags" && column(3).values == Values{4e9, 4e9 + 1, 4e9 + 2}));
        CHECK((column(4).name == "c" && column(4).values == Values{0, -5, -10}));
        for (size_t size = file.find("end_header") + 11; size < file.size(); ++size)
            CHECK(refusal("a.ply", file.substr(0, size)) != "accepted");
    }
}

TEST_CASE("readable meshes: faces of a PLY name their vertices by any whole type, and coordinates may be whole, too") {
    struct Type {
        std::string name;
        size_t size;
    };
    const Type types[] = {{"char", 1}, {"uint8", 1}, {"short", 2}, {"uint16", 2},
                          {"int", 4},  {"uint", 4},  {"int64", 8}, {"uint64", 8}};
    const auto whole = [](uint64_t value, size_t size, bool big) {
        const std::string all = bytes(value, big);
        return big ? all.substr(8 - size) : all.substr(0, size);
    };
    for (const bool big : {false, true})
        for (const Type& count : types)
            for (const Type& item : types) {
                INFO("count ", count.name, ", item ", item.name);
                std::string file = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                                   "_endian 1.0\nelement vertex 4\nproperty " + item.name + " x\nproperty " +
                                   item.name + " y\nelement face 2\nproperty list " + count.name + " " + item.name +
                                   " vertex_indices\nend_header\n";
                for (const uint64_t v : {0, 0, 1, 0, 1, 1, 0, 1}) file += whole(v, item.size, big);
                for (const auto& face : {std::array<uint64_t, 3>{0, 1, 2}, {0, 2, 3}}) {
                    file += whole(3, count.size, big);
                    for (const uint64_t v : face) file += whole(v, item.size, big);
                }
                const Geometry mesh = read("a.ply", file);
                CHECK(mesh.points == Points{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
                CHECK(mesh.triangles == Triangles{{0, 1, 2}, {0, 2, 3}});
                std::string wrong = file;  // the last vertex
                wrong.replace(wrong.size() - item.size, item.size, whole(UINT64_MAX, item.size, big));
                CHECK(refusal("a.ply", wrong).starts_with("a.ply: face 1: the face names vertex "));
            }
}

TEST_CASE("readable meshes: coordinates below 2^-200 are refused with the option that reads them as 0") {
    const std::string obj = "v 0 0 1e-70\nv 1 -4.9e-324 0\nv 0 1 0\nv 1e-400 0.5 0\nf 1 2 3\nf 1 2 4\n";
    CHECK(
        refusal("a.obj", obj) ==
        "a.obj:1: z is 1e-70, too small: a coordinate must be 0 or at least 2^-200 (6.2e-61) in magnitude; --tiny zero "
        "reads smaller ones as 0");
    const Scratch scratch;
    ReadOptions options;
    options.tiny_as_zero = true;
    Notes notes;
    const Geometry mesh = read_geometry(scratch.file("a.obj", obj), &notes, options);
    CHECK(mesh.points == Points{{0, 0}, {1, 0}, {0, 1}, {0, 0.5}});
    CHECK(!mesh.in_space());  // all heights are 0 now
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].ends_with("a.obj: 3 coordinates below 2^-200 are read as 0"));
    CHECK_THROWS_WITH_AS(read_geometry(scratch.file("b.obj", "v 1e61 0 0\n"), nullptr, options),
                         doctest::Contains("too large"), Error);
}
