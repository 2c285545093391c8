// Colours and selections on the command line, by columns of the input and by quantities: pictures drawn as SVG, whose
// shapes are counted, and exported points.
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/program.h"
#include "test_support.h"

using namespace flipscope;

namespace {

/// The contents of a layer of an SVG; empty: it has none of this name.
std::string svg_layer(const std::string& svg, const std::string& label) {
    const size_t begin = svg.find("inkscape:label=\"" + label + "\"");
    return begin == svg.npos ? "" : svg.substr(begin, svg.find("<g id=\"layer-", begin + 1) - begin);
}

struct Drawn {
    int status = 0;
    std::string err, svg;
    size_t selected(const char* shape) const { return count_of(svg_layer(svg, "Selection"), shape); }
};
Drawn drawn(const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    const std::string file = (folder / "a.svg").string();
    const Outcome outcome =
        run_program(joined({"run", "build", "--device", "cpu", "--threads", "1", "--figure", file}, arguments));
    return {outcome.status, outcome.err, std::filesystem::exists(file) ? read_file(file) : ""};
}

std::string points_with_mass(int count) {
    std::string text = "x,y,mass\n";
    for (int i = 0; i < count; ++i)
        text += std::to_string(i * 37 % 60) + "," + std::to_string(i * 23 % 61) + "," + std::to_string(i) + "\n";
    return text;
}

}  // namespace

TEST_CASE("command line: --select marks points, vertices, edges and triangles by their ids") {
    const std::vector<std::string> points{"--points", "uniform:40"};
    const auto select = [&](const std::string& what) { return drawn(joined(points, {"--select", what})); };
    CHECK(drawn(points).selected("<circle") == 0);
    CHECK(select("vertex:3,10..12").selected("<circle") == 4);
    CHECK(select("point:39,0..5,3").selected("<circle") == 7);
    CHECK(select("triangle:0..4").selected("<polygon") == 5);
    CHECK(select("edge:0..9").selected("<line") <= 10);
    CHECK(select("edge:0..9").selected("<line") > 0);
    // A point is where the input has it, independent of its vertex id.
    const TemporaryFolder folder;
    const std::string file = folder.file("a.csv", points_with_mass(30));
    const Drawn by_point = drawn({"--input", file, "--select", "point:4..8"}),
                by_value = drawn({"--input", file, "--select", "mass:4..8"});
    CHECK(by_point.selected("<circle") == 5);
    CHECK(svg_layer(by_point.svg, "Selection") == svg_layer(by_value.svg, "Selection"));

    const auto refused = [&](const std::string& what, const std::string& why) {
        const Drawn outcome = select(what);
        INFO(what, ": ", outcome.err);
        CHECK(outcome.status != 0);
        CHECK(has(outcome.err, "--select " + what));
        CHECK(has(outcome.err, why));
    };
    refused("triangle:9999", "9999 is beyond the last, ids of triangle go from 0 to ");
    refused("point:40", "40 is beyond the last, ids of point go from 0 to 39");
    for (const char* wrong : {"point:5..3", "triangle:4294967296"})
        CHECK(has(select(wrong).err, "expected QUANTITY:LOW..HIGH"));
}

TEST_CASE("command line: a missing column is refused before the run, with the existing ones") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.csv", points_with_mass(30)),
                      b = folder.file("b.csv", "x,y,pop,height\n0,0,1,2\n1,0,3,4\n0,1,5,6\n2,2,7,8\n");
    const Drawn coloured = drawn({"--input", a, "--colour-by", "mass"});
    CHECK(coloured.status == 0);
    CHECK(has(coloured.svg, ">mass<"));
    for (const auto& [option, value] : {std::pair("--colour-by", "mass"), std::pair("--select", "mass:1..2")}) {
        const Drawn missing = drawn({"--input", b, option, value});
        CHECK(missing.status == 2);
        CHECK(missing.svg.empty());
        CHECK(has(missing.err, "of the input pop and height"));
    }
    const Drawn beside = drawn({"--input", a, "--colour-by", "mass", "--beside", b});
    CHECK(beside.status == 2);
    CHECK(beside.svg.empty());
    CHECK(has(beside.err, "b.csv has no column \"mass\"; it has pop and height"));
    CHECK(drawn({"--input", a, "--colour-by", "mass", "--beside", a}).status == 0);
}

TEST_CASE("command line: columns of points on a torus colour and select, and what has no number is grey") {
    const TemporaryFolder folder;
    const std::string a = folder.file("a.csv", points_with_mass(60));
    const Drawn torus =
        drawn({"--input", a, "--set", "domain=torus", "--colour-by", "mass", "--select", "mass:10..19"});
    INFO(torus.err);
    REQUIRE(torus.status == 0);
    CHECK(has(torus.svg, ">mass<"));
    CHECK(torus.selected("<circle") >= 10);  // those at the border have images

    // Elements without a number are grey.
    const std::string one = folder.file("one.csv", "x,y,mass\n0,0,\n10,0,\n10,10,nan\n0,10,\n5,5,3\n2,7,\n"),
                      cells = svg_layer(drawn({"--input", one, "--colour-by", "mass"}).svg, "Voronoi cells");
    CHECK(count_of(cells, "<title>mass</title>") == 1);
    CHECK(count_of(cells, "<title>no value</title>") == 1);
    const size_t of_mass = cells.find("<title>mass</title>");
    REQUIRE(of_mass != cells.npos);
    CHECK(count_of(cells.substr(of_mass, cells.find("</g>", of_mass) - of_mass), "<polygon") == 4);  // its corners
}

TEST_CASE("command line: quantities colour elements of surfaces and cells, and selections are visible") {
    using Words = std::vector<std::string>;
    const std::vector<Words> of_cells{{"--colour-by", "cell-area"}, {"--select", "degree:6..30"}};
    // Cells without the layers over them.
    const Words lattice{"--rounds",  "1",      "--set",         "width=96", "--set",
                        "height=64", "--hide", "links,overlay", "--size",   "300x200"};
    for (const auto& [words, ways] : std::vector<std::pair<Words, std::vector<Words>>>{
             {{"flip", "--mesh", "sphere:600", "--size", "300x200"},
              {{"--colour-by", "degree"},
               {"--colour-by", "edge-length"},
               {"--colour-by", "min-angle"},
               {"--select", "vertex:0..99"},
               {"--select", "edge:0..99"},
               {"--select", "triangle:0..99"},
               {"--show", "disclinations"}}},
             {joined({"voronoi", "--points", "uniform:50"}, lattice), of_cells},
             {joined({"events"}, lattice), of_cells},
             {{"particles", "--rounds", "1", "--hide", "edges", "--size", "300x200"}, of_cells}}) {
        INFO(words[0]);
        std::set<std::string> pictures{picture_of_run(words)};
        if (pictures.contains("")) return;
        for (const Words& way : ways) pictures.insert(picture_of_run(joined(words, way)));
        CHECK(pictures.size() == ways.size() + 1);
    }
}

TEST_CASE("command line: a selection is exported with its columns and names, as a file that can be read again") {
    const TemporaryFolder folder;
    std::string text = "x,y,mass,name,age\n";
    for (int i = 0; i < 30; ++i)
        text += std::to_string(i * 37 % 60) + "." + std::to_string(i) + "," + std::to_string(i * 23 % 61) + "," +
                std::to_string(i) + ",town" + std::to_string(i) + (i == 5 ? "," : ",0." + std::to_string(i)) + "\n";
    const std::string a = folder.file("a.csv", text), kept = (folder / "kept-selection.csv").string();
    const auto exported = [&](const std::string& input, const std::string& what) {
        return run_program(
            {"run", "build", "--device", "cpu", "--quiet", "--input", input, "--select", what, "--export", kept});
    };
    for (const char* what : {"mass:4..7", "point:4..7"}) {
        const Outcome outcome = exported(a, what);
        INFO(outcome.err);
        REQUIRE(outcome.status == 0);
        CHECK(read_file(kept) ==
              "x,y,mass,age,name\n28.4,31,4,0.4,town4\n5.5,54,5,,town5\n42.6,16,6,0.6,town6\n"
              "19.7,39,7,0.7,town7\n");
    }
    const std::string first = read_file(kept);
    CHECK(exported(folder.file("again.csv", first), "mass:0..99").status == 0);
    CHECK(read_file(kept) == first);

    const std::string quoted =
        "x,y,\"a,b\",\"say \"\"x\"\"\",\" lead space\",\"c;d\",\"2020\",mass 2,\"e#f\",name\n"
        "0,0,1,2,3,4,5,6,7,\"Bonn, am Rhein\"\n4,1,1,2,3,4,5,6,7,\"a;b\"\n1,5,1,2,3,4,5,6,7,\"say \"\"x\"\"\"\n"
        "5,5,1,2,3,4,5,6,7,\"# 1 \"\n";
    CHECK(exported(folder.file("quoted.csv", quoted), "point:0..3").status == 0);
    CHECK(read_file(kept) == quoted);

    std::filesystem::remove(kept);
    CHECK(exported(a, "point:99").status != 0);
    CHECK(!std::filesystem::exists(kept));
    check_refused({"run", "build", "--points", "uniform:9", "--export", kept},
                  "nothing is selected; say what with --select");
    check_refused({"run", "build", "--points", "uniform:9", "--select", "degree:3..4"},
                  "--select has no effect: it needs --picture");
}

TEST_CASE("command line: of a lattice points with a cell are selected, equal points by the first of them") {
    const TemporaryFolder folder;
    const std::string file = (folder / "a.png").string(), csv = (folder / "selection.csv").string(),
                      points = folder.file("points.csv", "x,y,mass\n0,0,1\n4,0,2\n4,3,3\n0,3,4\n2,1,5\n4,3,6\n");
    const auto select = [&](const std::string& what) {
        return run_program({"run", "voronoi", "--device", "cpu", "--quiet", "--input", points, "--select", what,
                            "--picture", file, "--export", csv});
    };
    CHECK(select("point:1,2").status == 0);
    CHECK(read_file(csv) == "x,y,mass\n4,0,2\n4,3,3\n");
    const Outcome copy = select("point:5");
    CHECK(copy.status != 0);
    CHECK(has(copy.err, "none of these points is a vertex; equal points are the first of them"));
    CHECK(has(select("edge:1").err, "selected by vertex:ID"));
}
