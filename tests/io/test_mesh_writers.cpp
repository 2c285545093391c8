#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "input_files.h"
#include "io/geometry.h"
#include "io/mesh.h"
#include "io/triangles.h"
using namespace flipscope;
using namespace flipscope::input_files;
namespace fs = std::filesystem;

namespace {

std::string write_refusal(const fs::path& path, const TriangleSoup& soup) {
    return error_of([&] { write_mesh(path, soup); });
}

const std::vector<Point> kWrittenSquare = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.1, 1.0 / 3}};
const TriangleSoup kFan{&kWrittenSquare, {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}, {}};
const TriangleSoup kPath{&kWrittenSquare, {}, {0, 2, 1}};
const std::vector<Point> kNoPoints;

}  // namespace

TEST_CASE("mesh writers: OBJ counts from 1 and writes shortest numbers") {
    const Scratch scratch;
    const fs::path path = scratch.folder / "a.obj";
    write_mesh(path, kFan);
    const std::string text = content_of(path);
    CHECK(text.starts_with("# "));
    CHECK(
        text.ends_with("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.1 0.3333333333333333 0\n"
                       "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"));
    write_mesh(path, kPath);
    CHECK(content_of(path).ends_with("0.3333333333333333 0\nl 1 3\nl 3 2\n"));
}

TEST_CASE("mesh writers: either of .node and .ele writes both, and the points read back to the last bit") {
    for (const char* name : {"a.node", "a.ele"}) {
        const Scratch scratch;
        write_mesh(scratch.folder / name, kFan);
        CHECK(files_in(scratch.folder) == 2);
        CHECK(read_geometry(scratch.folder / "a.node").points == kWrittenSquare);
        CHECK(content_of(scratch.folder / "a.ele").ends_with("\n4 3 0\n0 0 1 4\n1 1 2 4\n2 2 3 4\n3 3 0 4\n"));
        write_mesh(scratch.folder / name, kPath);
        CHECK(content_of(scratch.folder / "a.ele").ends_with("# all points lie on one line: no triangles\n0 3 0\n"));
    }
}

TEST_CASE("mesh writers: npy is an array of int32") {
    const Scratch scratch;
    const fs::path path = scratch.folder / "a.npy";
    write_mesh(path, kFan);
    CHECK(contains(content_of(path), "'descr': '<i4'"));
    CHECK(read_triangles(path) == kFan.triangles);
    write_mesh(path, kPath);
    CHECK(contains(content_of(path), "'shape': (0, 3)"));
}

TEST_CASE("mesh writers: no points, one point and unused points are written too") {
    const std::vector<Point> one = {{2, 3}};
    for (const TriangleSoup& soup : {TriangleSoup{&kNoPoints, {}, {}}, TriangleSoup{&one, {}, {0}},
                                     TriangleSoup{&one, {}, {}}, TriangleSoup{&kWrittenSquare, {{0, 1, 2}}, {}}}) {
        for (const FormatInfo& format : mesh_formats())
            for (const std::string& extension : format.extensions) {
                const Scratch scratch;
                CHECK_NOTHROW(write_mesh(scratch.folder / ("a" + extension), soup));
                CHECK(files_in(scratch.folder) == format.extensions.size());
            }
    }
}

TEST_CASE("mesh writers: surfaces keep their heights, and formats of the plane refuse them") {
    const std::vector<double> heights = {0.1, -2, 1e-30, 1.0 / 3, 5};
    const TriangleSoup surface{&kWrittenSquare, kFan.triangles, {}, &heights};
    const Scratch scratch;
    write_mesh(scratch.folder / "a.ply", surface);
    write_mesh(scratch.folder / "a.obj", surface);
    CHECK(contains(content_of(scratch.folder / "a.obj"),
                   "v 0 1 0.3333333333333333\nv 0.1 0.3333333333333333 5\nf 1 2 5\n"));
    write_mesh(scratch.folder / "a.off", surface);
    CHECK(contains(content_of(scratch.folder / "a.off"), "\n1 0 -2\n1 1 1e-30\n"));
    write_mesh(scratch.folder / "a.npy", surface);
    CHECK(files_in(scratch.folder) == 4);
    for (const std::string name : {"b.node", "b.ele"})
        CHECK(write_refusal(scratch.folder / name, surface) ==
              (scratch.folder / name).string() +
                  ": a surface has no place in Triangle's two files, counting from 0, which hold points of the plane; "
                  "write it as .ply, .obj, .off, .npy");
    const std::vector<double> too_few = {1, 2};
    CHECK_THROWS_AS(write_mesh(scratch.folder / "b.ply", TriangleSoup{&kWrittenSquare, {}, {}, &too_few}),
                    std::invalid_argument);
    CHECK(files_in(scratch.folder) == 4);
}

TEST_CASE("mesh writers: an error about an unknown extension lists the known ones") {
    const Scratch scratch;
    CHECK(contains(write_refusal(scratch.folder / "a.stl", kFan),
                   "a.stl: unknown mesh format .stl (known: .ply, .obj, .off, .node, .ele, .npy)"));
    CHECK(contains(write_refusal(scratch.folder / "a", kFan), "no extension"));
    CHECK(files_in(scratch.folder) == 0);
    CHECK(write_refusal(scratch.folder / "a.PLY", kFan) == "accepted");
    CHECK(fs::exists(scratch.folder / "a.PLY"));
}

TEST_CASE("mesh writers: a failed write is an error and leaves no file") {
    const Scratch scratch;
    for (const FormatInfo& format : mesh_formats())
        for (const std::string& extension : format.extensions) {
            CAPTURE(extension);
            CHECK(contains(write_refusal(scratch.folder / "missing" / ("a" + extension), kFan), "cannot be written"));
            fs::create_directory(scratch.folder / ("folder" + extension));
            CHECK(contains(write_refusal(scratch.folder / ("folder" + extension), kFan),
                           "cannot be written: is a folder"));
        }
    CHECK(files_in(scratch.folder) == 6);
}

TEST_CASE("mesh writers: .node stays as it was when its .ele cannot be written") {
    const Scratch scratch;
    std::ofstream(scratch.folder / "a.node") << "precious";
    fs::create_directory(scratch.folder / "a.ele");
    CHECK(contains(write_refusal(scratch.folder / "a.node", kFan), "a.ele: cannot be written: is a folder"));
    CHECK(content_of(scratch.folder / "a.node") == "precious");
    CHECK(files_in(scratch.folder) == 2);
}

TEST_CASE("mesh writers: an index beyond the points is a broken invariant and nothing is written") {
    const Scratch scratch;
    CHECK_THROWS_AS(write_mesh(scratch.folder / "a.obj", TriangleSoup{&kWrittenSquare, {{0, 1, 5}}, {}}),
                    std::invalid_argument);
    CHECK_THROWS_AS(write_mesh(scratch.folder / "a.obj", TriangleSoup{&kWrittenSquare, {}, {5}}),
                    std::invalid_argument);
    CHECK_THROWS_AS(write_mesh(scratch.folder / "a.obj", TriangleSoup{}), std::invalid_argument);
    CHECK(files_in(scratch.folder) == 0);
}
