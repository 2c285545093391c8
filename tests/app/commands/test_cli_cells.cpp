// Colouring and selecting cells of lattices and particles on the command line.
#include <doctest/doctest.h>

#include "app/program.h"
#include "test_support.h"

using namespace flipscope;

namespace {

std::string picture_of_cells(const std::string& lab, const std::vector<std::string>& more) {
    std::vector<std::string> all{lab, "--threads", "1", "--rounds", "1", "--size", "200x150"};
    if (lab != "particles") all = joined(all, {"--set", "width=96", "--set", "height=64"});
    if (lab == "voronoi") all = joined(all, {"--points", "uniform:50"});
    // The coloured cells, without the layers over them.
    return picture_of_run(joined(joined(all, {"--hide", lab == "particles" ? "edges" : "links,overlay"}), more));
}

}  // namespace

TEST_CASE("command line: cells of lattices and particles are coloured by quantities of their sites") {
    for (const std::string lab : {"voronoi", "events", "particles"}) {
        INFO(lab);
        const std::string plain = picture_of_cells(lab, {});
        if (plain.empty()) return;
        const std::string coloured = picture_of_cells(lab, {"--colour-by", "cell-area"}),
                          selected = picture_of_cells(lab, {"--select", "degree:6..30"});
        CHECK(coloured != plain);
        CHECK(selected != plain);
        CHECK(selected != coloured);
    }
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
