// Gmsh's .msh as Gmsh and other programs write it: four versions, text and binary, nodes of any number.
#include <array>

#include "input_files.h"

using namespace flipscope;
using namespace flipscope::input_files;

namespace {

const Points kGmshSquare{{0, 0}, {2, 0}, {2, 1}, {0, 1}};
const Triangles kGmshTriangles{{0, 1, 2}, {0, 2, 3}};

std::string head(const std::string& version, const std::string& rest = "") {
    return "$MeshFormat\n" + version + "\n" + rest + "$EndMeshFormat\n";
}

/// Two triangles and a line over four nodes that are called 7, 3, 12 and 5.
std::string version2() {
    return head("2.2 0 8") +
           "$PhysicalNames\n1\n2 1 \"a plate\"\n$EndPhysicalNames\n$Nodes\n4\n7 0 0 0\n3 2 0 0\n12 2 1 0\n5 0 1 0\n"
           "$EndNodes\n$Elements\n3\n1 1 2 0 1 7 3\n2 2 2 1 1 7 3 12\n3 2 3 1 1 0 7 12 5\n$EndElements\n";
}

/// The same, binary, in either order of bytes.
std::string version2_binary(bool big) {
    const auto whole = [&](uint32_t v) { return bytes(v, big); };
    std::string file = head("2.2 1 8", whole(1) + "\n") + "$Nodes\n4\n";
    const uint32_t tags[] = {7, 3, 12, 5};
    for (int i = 0; i < 4; ++i)
        file += whole(tags[i]) + bytes(kGmshSquare[i].x, big) + bytes(kGmshSquare[i].y, big) + bytes(0.0, big);
    file += "\n$EndNodes\n$Elements\n3\n";
    file += whole(1) + whole(1) + whole(2) + whole(1) + whole(0) + whole(1) + whole(7) + whole(3);
    file += whole(2) + whole(2) + whole(2);
    for (const auto& t : {std::array<uint32_t, 4>{2, 7, 3, 12}, {3, 7, 12, 5}})
        file += whole(t[0]) + whole(1) + whole(1) + whole(t[1]) + whole(t[2]) + whole(t[3]);
    return file + "\n$EndElements\n";
}

std::string version41(const std::string& elements) {
    return head("4.1 0 8") +
           "$Entities\n0 0 1 0\n1 0 0 0 2 1 0 0 0\n$EndEntities\n$Nodes\n2 4 3 12\n1 1 1 2\n7\n3\n0 0 0 0.25\n2 0 0 "
           "0.5\n"
           "2 1 0 2\n12\n5\n2 1 0\n0 1 0\n$EndNodes\n$Elements\n" +
           elements + "$EndElements\n";
}

std::string version41_binary(bool big) {
    const auto whole = [&](uint32_t v) { return bytes(v, big); };
    const auto wide = [&](uint64_t v) { return bytes(v, big); };
    std::string file = head("4.1 1 8", whole(1) + "\n") + "$Nodes\n" + wide(1) + wide(4) + wide(3) + wide(12);
    file += whole(2) + whole(1) + whole(0) + wide(4);
    for (const uint64_t tag : {7, 3, 12, 5}) file += wide(tag);
    for (const Point p : kGmshSquare) file += bytes(p.x, big) + bytes(p.y, big) + bytes(0.0, big);
    file += "\n$EndNodes\n$Elements\n" + wide(2) + wide(3) + wide(1) + wide(3);
    file += whole(1) + whole(1) + whole(1) + wide(1) + wide(1) + wide(7) + wide(3);
    file += whole(2) + whole(1) + whole(2) + wide(2);
    for (const auto& t : {std::array<uint64_t, 4>{2, 7, 3, 12}, {3, 7, 12, 5}})
        for (const uint64_t v : t) file += wide(v);
    return file + "\n$EndElements\n";
}

void check_gmsh_square(const std::string& file) {
    Notes notes;
    const Geometry mesh = read("a.msh", file, &notes);
    CHECK(mesh.points == kGmshSquare);
    CHECK(mesh.triangles == kGmshTriangles);
    CHECK(!mesh.in_space());
    REQUIRE(mesh.attributes);
    CHECK(mesh.attributes->at(0).name == "node");
    CHECK(mesh.attributes->at(0).values == std::vector<double>{7, 3, 12, 5});
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].ends_with("a.msh: the numbers of the nodes are the column \"node\""));
    CHECK(notes[1].ends_with("a.msh: points and lines are not used (1)"));
}

}  // namespace

TEST_CASE("Gmsh: versions 2.2, 4.0 and 4.1, as text and as binary of either order, are the same mesh") {
    check_gmsh_square(version2());
    const std::string triangles41 = "2 3 1 3\n1 1 1 1\n1 7 3\n2 1 2 2\n2 7 3 12\n3 7 12 5\n";
    check_gmsh_square(version41(triangles41));
    check_gmsh_square(
        head("4 0 8") +
        "$Nodes\n1 4\n1 2 0 4\n7 0 0 0\n3 2 0 0\n12 2 1 0\n5 0 1 0\n$EndNodes\n$Elements\n2 3\n1 1 1 1\n1 7 3\n"
        "1 2 2 2\n2 7 3 12\n3 7 12 5\n$EndElements\n");
    for (const bool big : {false, true}) {
        check_gmsh_square(version2_binary(big));
        check_gmsh_square(version41_binary(big));
    }
    std::string returns;
    for (const char c : version2()) returns += c == '\n' ? "\r\n" : std::string(1, c);
    check_gmsh_square(returns);
}

TEST_CASE("Gmsh: triangles and quadrangles of a higher order are their corners, and other nodes are left out") {
    const std::string nodes =
        "$Nodes\n9\n1 0 0 0\n2 2 0 0\n3 2 2 0\n4 0 2 0\n5 1 0 0\n6 2 1 0\n7 1 2 0\n8 0 1 0\n9 1 1 0\n$EndNodes\n";
    const auto file = [&](const std::string& elements) {
        return head("2.2 0 8") + nodes + "$Elements\n" + elements + "$EndElements\n";
    };
    const Geometry curved = read("a.msh", file("2\n1 9 0 1 2 3 5 6 9\n2 9 0 1 3 4 9 7 8\n"));
    CHECK(curved.points == Points{{0, 0}, {2, 0}, {2, 2}, {0, 2}});
    CHECK(curved.triangles == kGmshTriangles);
    CHECK(curved.rows == std::vector<uint64_t>{0, 1, 2, 3});
    for (const std::string quad :
         {"1\n1 3 0 1 2 3 4\n", "1\n1 10 2 1 1 1 2 3 4 5 6 7 8 9\n", "1\n1 16 0 1 2 3 4 5 6 7 8\n"}) {
        CHECK(read("a.msh", file(quad)).triangles == kGmshTriangles);
        CHECK(notes_of("a.msh", file(quad)) ==
              Notes{"a.msh: 5 nodes are no corner of a triangle and left out",
                    "a.msh: 1 face of more than three vertices is cut into a fan of triangles"});
    }
    CHECK(read("a.msh", file("1\n1 3 0 9 2 6 3\n")).rows == std::vector<uint64_t>{1, 2, 5, 8});
}

TEST_CASE("Gmsh: nodes with parameters are the same nodes, in version 2.2, too") {
    const std::string plain = version2(), begin = plain.substr(0, plain.find("$Nodes")),
                      end = plain.substr(plain.find("$Elements"));
    check_gmsh_square(begin +
                      "$ParametricNodes\n4\n7 0 0 0 0 1\n3 2 0 0 1 4 0.5\n12 2 1 0 2 9 0.25 0.75\n5 0 1 0 3 1\n"
                      "$EndParametricNodes\n" +
                      end);
    for (const bool big : {false, true}) {
        const auto whole = [&](uint32_t v) { return bytes(v, big); };
        std::string nodes = "$ParametricNodes\n4\n";
        const uint32_t tags[] = {7, 3, 12, 5}, dimensions[] = {0, 1, 2, 3};
        for (size_t i = 0; i < 4; ++i) {
            nodes += whole(tags[i]) + bytes(kGmshSquare[i].x, big) + bytes(kGmshSquare[i].y, big) + bytes(0.0, big) +
                     whole(dimensions[i]) + whole(1);
            for (uint32_t k = 0; k < dimensions[i] % 3; ++k) nodes += bytes(0.5, big);
        }
        std::string file = version2_binary(big);
        const size_t at = file.find("$Nodes"), behind = file.find("$Elements");
        check_gmsh_square(file.substr(0, at) + nodes + "\n$EndParametricNodes\n" + file.substr(behind));
    }
}

TEST_CASE("Gmsh: nodes without triangles are points, and a mesh that bends is a surface") {
    const std::string nodes = "$Nodes\n3\n1 0 0 1\n2 1 0 2\n3 0 1 3\n$EndNodes\n";
    const Geometry points = read("a.msh", head("2.2 0 8") + nodes);
    CHECK(points.points == Points{{0, 0}, {1, 0}, {0, 1}});
    CHECK(points.attributes->at(0).values == std::vector<double>{1, 2, 3});
    CHECK(read("a.msh", head("2.2 0 8") + nodes + "$Elements\n1\n1 15 2 0 1 1\n$EndElements\n").triangles.empty());
    CHECK(read("a.msh", head("2.2 0 8") + nodes + "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n").in_space());
}

TEST_CASE("Gmsh: errors have their place and say how to convert the file") {
    CHECK(refusal("a.msh", "") == "a.msh: the file is empty");
    CHECK(refusal("a.msh", "$NOD\n1\n1 0 0 0\n$ENDNOD\n")
              .starts_with("a.msh:1: expected $MeshFormat, found \"$NOD\"; Gmsh writes another: gmsh -save"));
    CHECK(refusal("a.msh", "*Heading\n")
              .starts_with("a.msh:1: expected $MeshFormat, found \"*Heading\"; Gmsh writes another: "));
    CHECK(refusal("a.msh", head("2.2 0 8") + "nodes\n") ==
          "a.msh:4: expected a section such as $Nodes, found \"nodes\"");
    CHECK(refusal("a.msh", head("3 0 8")).starts_with("a.msh:2: expected version 2.2 or 4.1"));
    CHECK(refusal("a.msh", head("2.2 0 8") + "$Nodes\n2\n1 0 0 0\n") == "a.msh: ends within $Nodes");
    CHECK(refusal("a.msh", head("2.2 0 8") + "$Nodes\n1\n1 0 zero 0\n$EndNodes\n") ==
          "a.msh:6: expected x, y and z of a node, found \"zero\"");
    CHECK(refusal("a.msh", head("2.2 0 8") + "$Nodes\n1\n1 0 0 0 0\n$EndNodes\n") ==
          "a.msh:6: expected the end of the line, found \"0\"");
    CHECK(refusal("a.msh", head("2.2 0 8") + "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n") ==
          "a.msh: node 1 is there twice");
    std::string wrong = version2();
    wrong.replace(wrong.find("7 3 12\n"), 7, "7 3 99\n");
    CHECK(refusal("a.msh", wrong) == "a.msh:18: an element names node 99, which is not among the 4 nodes");
    CHECK(refusal("a.msh", head("2.2 0 8") + "$Nodes\n18446744073709551615\n1 0 0 0\n$EndNodes\n") != "accepted");
    CHECK(refusal("a.msh", head("4.1 1 8", bytes(uint32_t{1}) + "\n") + "$Nodes\n" + bytes(uint64_t{1}) +
                               std::string(24, '\xff') + bytes(uint32_t{2}) + bytes(uint32_t{1}) + bytes(uint32_t{0}) +
                               bytes(UINT64_MAX)) == "a.msh: ends within $Nodes");
    for (const std::string& file : {version2(), version2_binary(true), version41_binary(false)})
        for (size_t size = 0; size < file.find("$EndElements"); ++size)
            refusal("a.msh", file.substr(0, size));  // none crashes
}
