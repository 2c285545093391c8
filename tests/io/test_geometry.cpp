#include <cctype>
#include <cmath>
#include <random>

#include "input_files.h"
#include "io/mesh.h"

using namespace flipscope;
using namespace flipscope::input_files;
namespace fs = std::filesystem;

namespace {

const Triangles kTetrahedron = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
const Points kTetrahedronPoints = {{0.5, 0}, {0.1, 0.25}, {0, 1}, {-1, 0}};

void check_tetrahedron(const Geometry& mesh) {
    CHECK(mesh.points == kTetrahedronPoints);
    CHECK(mesh.heights == std::vector<double>{0, 1, 0, 0});
    CHECK(mesh.triangles == kTetrahedron);
}

}  // namespace

TEST_CASE("geometry: the same tetrahedron comes out of every mesh format") {
    check_tetrahedron(read("a.obj", kTetrahedronObj));
    check_tetrahedron(read("a.off", kTetrahedronOff));
    check_tetrahedron(read("a.stl", kTetrahedronStl));
    for (const std::string format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        CAPTURE(format);
        check_tetrahedron(read("a.PLY", tetrahedron_ply(format)));
    }
    CHECK(read("a.obj", kTetrahedronObj).name == "a.obj");
}

TEST_CASE("geometry: binary floats stay floats, and numbers in text become doubles") {
    for (const std::string format : {"binary_little_endian", "binary_big_endian"}) {
        const Geometry mesh = read("a.ply", tetrahedron_ply(format, "float"));
        CHECK(mesh.points[1].x == double{0.1f});
        CHECK(mesh.points[1].y == 0.25);
    }
    CHECK(read("a.ply", tetrahedron_ply("ascii", "float")).points[1].x == 0.1);
}

TEST_CASE("geometry: equal heights make a planar triangulation") {
    const std::string faces = "f 1 2 3\n";
    for (const std::string z : {"0", "-0.0", "7.25", "1e100"}) {
        CAPTURE(z);
        const Geometry mesh = read("a.obj", "v 0 0 " + z + "\nv 1 0 " + z + "\nv 0 1 " + z + "\n" + faces);
        CHECK(!mesh.in_space());
        CHECK(mesh.points == Points{{0, 0}, {1, 0}, {0, 1}});
        CHECK(mesh.triangles == Triangles{{0, 1, 2}});
    }
    CHECK(notes_of("a.obj", "v 0 0 7.25\nv 1 0 7.25\nv 0 1 7.25\n" + faces) ==
          Notes{"a.obj: every z is 7.25, so it is read as planar"});
    CHECK(notes_of("a.obj", "v 0 0 0\nv 1 0 -0.0\nv 0 1 0\n" + faces).empty());
}

TEST_CASE("geometry: a PLY without z is planar") {
    const Geometry mesh = read("a.ply",
                               "ply\nformat ascii 1.0\nelement vertex 3\nproperty float y\nproperty uchar red\n"
                               "property float x\nelement face 1\nproperty list int uint vertex_index\nend_header\n"
                               "0.1 255 1\n0.2 0 2\n0.3 9 4\n3 0 1 2\n");
    CHECK(mesh.points == Points{{1, 0.1}, {2, 0.2}, {4, 0.3}});
    CHECK(!mesh.in_space());
    CHECK(mesh.triangles == Triangles{{0, 1, 2}});
}

TEST_CASE("geometry: files without faces are points of the plane, with their heights as a column") {
    CHECK(read("a.obj", "v 1 2 0\nv 3 4 0\n").points == Points{{1, 2}, {3, 4}});
    CHECK(read("a.off", "OFF\n2 0 0\n1 2 0\n3 4 0\n").points == Points{{1, 2}, {3, 4}});
    CHECK(read("a.ply",
               "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nend_header\n1 2\n")
              .points == Points{{1, 2}});
    CHECK(read("a.off", "OFF2 0\n1 2 5\n3 4 5\n").level == 5);
    for (const std::string name : {"a.obj", "a.off", "a.ply"}) {
        CAPTURE(name);
        const std::string file = name == "a.obj"   ? "v 1 2 0\nv 3 4 1\n"
                                 : name == "a.off" ? "OFF\n2 0 0\n1 2 0\n3 4 1\n"
                                                   : "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                                                     "property float y\nproperty float z\nend_header\n1 2 0\n3 4 1\n";
        const Geometry points = read(name, file);
        CHECK(points.points == Points{{1, 2}, {3, 4}});
        CHECK(!points.in_space());
        REQUIRE(points.attributes);
        CHECK(points.attributes->back().name == "z");
        CHECK(points.attributes->back().values == std::vector<double>{0, 1});
        CHECK(notes_of(name, file) == Notes{name + ": there are no triangles, so its points are read as points of the "
                                                   "plane; their heights are the column \"z\""});
    }
}

TEST_CASE("geometry: OBJ counts back from the latest vertex, and reads tabs, fans, long lines and old words") {
    CHECK(read("a.obj", "v 0 0 0\nv\t1\t0 0\nv 0 1 1 1.0\nf\t-3\t-2\t-1\nv 5 5 5\nf -1 1/2 2/3/4\r\n").triangles ==
          Triangles{{0, 1, 2}, {3, 0, 1}});
    CHECK(read("a.obj", "v 0 0 \\\n 0\nv 1 0 0\nv 0 1 1\nfo 1 \\\r\n2 \\\r\n3").triangles == Triangles{{0, 1, 2}});
    CHECK(read("a.obj", "\xef\xbb\xbfv 0 0 0 0.5 0.5 0.5\nv 1 0 0 1 1 1\nv 0 1 1 1 1 1\nf 3 2 1").triangles ==
          Triangles{{2, 1, 0}});
    CHECK(read("a.obj", "\\\n\nv 1 2 0 \\\n").points == Points{{1, 2}});  // a statement of blanks is none
    CHECK(notes_of("a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\np 1\n") ==
          Notes{"a.obj: lines, points and curves are not used (2)"});
}

TEST_CASE("geometry: PLY may have other elements and properties in any order") {
    const Geometry mesh = read("a.ply",
                               "ply\r\nformat ascii 1.0\r\nobj_info none\r\nelement material 2\r\nproperty int red\r\n"
                               "element face 2\r\nproperty uchar flags\r\nproperty list uchar float texcoord\r\n"
                               "property list uchar int vertex_indices\r\nelement vertex 3\r\nproperty int red\r\n"
                               "property double x\r\nproperty double y\r\nproperty double z\r\nproperty list uchar int "
                               "neighbours\r\nend_header\r\n7\r\n8\r\n1 2 0.5 0.5 3 0 1 2\r\n1 0 3 2 1 0\r\n"
                               "0 0 0 0 0\r\n0 1 0 0 2 5 6\r\n0 0 1 1 0\r\n");
    CHECK(mesh.points == Points{{0, 0}, {1, 0}, {0, 1}});
    CHECK(mesh.heights == std::vector<double>{0, 0, 1});
    CHECK(mesh.triangles == Triangles{{0, 1, 2}, {2, 1, 0}});
}

TEST_CASE("geometry: STL joins equal vertices, text and binary, and says how many") {
    CHECK(notes_of("a.stl", kTetrahedronStl) == Notes{"a.stl: 8 repeated vertices are joined"});
    const std::vector<std::vector<float>> two = {{0, 0, 0, 1, 0, 0, 0, 1, 2}, {1, 0, 0, 1, 1, 0, -0.0f, 1, 2}};
    for (const std::string title : {"", "solid made by a program that writes solid", "solid"}) {
        const Geometry mesh = read("a.stl", binary_stl(two, title));
        CHECK(mesh.points == Points{{0, 0}, {1, 0}, {0, 1}, {1, 1}});
        CHECK(mesh.heights == std::vector<double>{0, 0, 2, 0});
        CHECK(mesh.triangles == Triangles{{0, 1, 2}, {1, 3, 2}});
    }
    CHECK(notes_of("a.stl", binary_stl(two) + "more") ==
          Notes{"a.stl: 4 bytes after the last triangle are not used", "a.stl: 2 repeated vertices are joined"});
    CHECK(notes_of("a.stl", binary_stl({two[0], {0, 0, 0, 0, 0, 0, 1, 0, 0}})) ==
          Notes{"a.stl: 3 repeated vertices are joined", "a.stl: 1 triangle has a vertex twice and is left out"});
    std::string upper = kTetrahedronStl;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    check_tetrahedron(read("a.stl", upper));
    check_tetrahedron(read("a.stl", "solid solid\nendsolid solid\n" + kTetrahedronStl));
    for (const std::string end : {"end solid", "End  Solid tetra", "\tENDSOLID"}) {
        std::string spaced = kTetrahedronStl;
        spaced.replace(spaced.find("endsolid tetra"), 14, end);
        for (size_t at; (at = spaced.find("endfacet")) != spaced.npos;) spaced.replace(at, 8, "end facet");
        check_tetrahedron(read("a.stl", spaced));
    }
}

TEST_CASE("geometry: other formats keep equal vertices, with a note") {
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 1\nv 1 0 0\nv 1 1 0\nv 0 1 1\nf 1 2 3\nf 4 5 6\n";
    CHECK(read("a.obj", obj).points.size() == 6);
    CHECK(read("a.obj", obj).triangles == Triangles{{0, 1, 2}, {3, 4, 5}});
    CHECK(notes_of("a.obj", obj) == Notes{"a.obj: 2 vertices have the position of an earlier one; all are kept"});
}

TEST_CASE("geometry: faces of more than three vertices are cut into fans that invert no triangle in the plane") {
    const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    CHECK(read("a.obj", square + "f 1 2 3 4\n").triangles == Triangles{{0, 1, 2}, {0, 2, 3}});
    CHECK(notes_of("a.obj", square + "f 1 2 3 4\n") ==
          Notes{"a.obj: 1 face of more than three vertices is cut into a fan of triangles"});
    // An arrow head: only from its notch, or from its tip, is everything seen.
    const std::string arrow = "v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\n";
    CHECK(read("a.obj", arrow + "f 2 3 4 1\n").triangles == Triangles{{2, 3, 0}, {2, 0, 1}});
    CHECK(read("a.obj", arrow + "f 4 3 2 1\n").triangles == Triangles{{2, 1, 0}, {2, 0, 3}});  // the other way round
    // A vertex in the middle of a side makes no empty triangle.
    CHECK(read("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 1 1 0\nf 1 2 3 4\n").triangles ==
          Triangles{{1, 2, 3}, {1, 3, 0}});
    // A quad with a vertex twice is a triangle.
    CHECK(read("a.obj", square + "f 1 2 3 3\n").triangles == Triangles{{0, 1, 2}});
    // A star of which no corner sees all.
    const std::string zigzag = "v 0 0 0\nv 1 2 0\nv 2 0 0\nv 3 2 0\nv 4 0 0\nv 4 3 0\nv 2 1 0\nv 0 3 0\n";
    CHECK(refusal("a.obj", zigzag + "f 1 2 3 4 5 6 7 8\n") ==
          "a.obj:9: a face of 8 vertices is not convex, and no fan from one of them fills it; make triangles of it");
    CHECK(read("a.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 1\n0 1 0\n4 0 1 2 3\n2 0 1\n").triangles ==
          Triangles{{0, 1, 2}, {0, 2, 3}});
}

TEST_CASE("geometry: .ele takes its points from the .node beside it, counted from 0 or 1") {
    const Scratch scratch;
    scratch.file("a.node", "# four points\n4 2 0 1\n1 0 0 1\n2 1 0 1\n3 1 1 1\n4 0 1 1\n");
    const Geometry mesh = read_geometry(scratch.file("a.ele", "2 3 1 # two\n1 1 2 3 0.5\n\n2 1 3 4 0.25\n"));
    CHECK(mesh.points == Points{{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    CHECK(mesh.triangles == Triangles{{0, 1, 2}, {0, 2, 3}});
    CHECK(mesh.name == "a.ele");
    scratch.file("b.node", "3 2 0 0\n0 0 0\n1 1 0\n2 0 1\n");
    CHECK(read_geometry(scratch.file("b.ele", "1\n0 0 1 2\n")).triangles == Triangles{{0, 1, 2}});
    CHECK(read_geometry(scratch.file("b.ele", "0 3 0\n")).triangles.empty());
}

TEST_CASE("geometry: what is written is read back to the last bit, in the plane and in space") {
    std::mt19937_64 random(7);
    const auto number = [&] {  // any sign, any exponent the predicates take
        const auto mantissa = static_cast<double>(random() >> 11);
        return std::ldexp(mantissa, static_cast<int>(random() % 380) - 243) * (random() % 2 ? 1 : -1);
    };
    Points points(500);
    std::vector<double> heights(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        points[i] = {number(), number()};
        heights[i] = number();
    }
    points[3] = points[77];  // copies are kept
    heights[3] = heights[77];
    points[5] = {0, -0.0};
    Triangles triangles(1000);
    for (auto& t : triangles)
        for (uint32_t& v : t) v = static_cast<uint32_t>(random() % points.size());
    for (const FormatInfo& format : mesh_formats())
        for (const std::string& extension : format.extensions) {
            if (extension == ".npy" || extension == ".node") continue;  // triangles alone, points alone
            CAPTURE(extension);
            const Scratch scratch;
            const fs::path path = scratch.folder / ("a" + extension);
            write_mesh(path, {&points, triangles, {}});
            const Geometry plane = read_geometry(path);
            CHECK(plane.points == points);
            CHECK(plane.heights.empty());
            CHECK(plane.triangles == triangles);
            if (extension == ".ele") continue;
            write_mesh(path, {&points, triangles, {}, &heights});
            const Geometry space = read_geometry(path);
            CHECK(space.points == points);
            CHECK(space.heights == heights);
            CHECK(space.triangles == triangles);
        }
}

TEST_CASE("geometry: a path of collinear points is read back as points") {
    const Points points = {{0, 0}, {2, 0}, {1, 0}};
    for (const std::string extension : {".ply", ".obj", ".off", ".ele"}) {
        CAPTURE(extension);
        const Scratch scratch;
        const fs::path path = scratch.folder / ("a" + extension);
        write_mesh(path, {&points, {}, {0, 2, 1}});
        if (extension == ".ply") CHECK(contains(content_of(path), "element face 0\n"));
        if (extension == ".ply") CHECK(contains(content_of(path), "element edge 2\n"));
        if (extension == ".off") CHECK(content_of(path).ends_with("2 0 2\n2 2 1\n"));
        CHECK(read_geometry(path).points == points);
        CHECK(read_geometry(path).triangles.empty());
    }
}
