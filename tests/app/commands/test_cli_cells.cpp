// Colouring and selecting cells of lattices and particles on the command line.
#include <doctest/doctest.h>

#include <fstream>
#include <tuple>

#include "app/program.h"
#include "test_support.h"

using namespace flipscope;

namespace {

Outcome run_cells(const std::string& lab, const std::vector<std::string>& more) {
    std::vector<std::string> all{"run", lab, "--device", "cpu", "--threads", "1", "--rounds", "1", "--quiet"};
    if (lab != "particles") all = joined(all, {"--set", "width=96", "--set", "height=64"});
    if (lab == "voronoi") all = joined(all, {"--points", "uniform:50"});
    return run_program(joined(all, more));
}

}  // namespace

TEST_CASE("command line: cells of lattices and particles are coloured by quantities of their sites") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const std::string file = (folder / "a.png").string();
    for (const std::string lab : {"voronoi", "events", "particles"}) {
        INFO(lab);
        // The coloured cells, without the layers over them.
        const std::string hidden = lab == "particles" ? "edges" : "links,overlay";
        std::vector<std::string> pictures;
        for (const std::vector<std::string>& more :
             {std::vector<std::string>{}, {"--colour-by", "cell-area"}, {"--select", "degree:6..30"}}) {
            const Outcome outcome =
                run_cells(lab, joined(more, {"--picture", file, "--size", "200x150", "--hide", hidden}));
            if (lacks_opengl(outcome)) return;
            CHECK(outcome.err == "");
            pictures.push_back(read_file(file));
        }
        CHECK(pictures[0] != pictures[1]);
        CHECK(pictures[0] != pictures[2]);
        CHECK(pictures[1] != pictures[2]);
    }
}

TEST_CASE("command line: quantities that cells lack are refused with those that they have") {
    const TemporaryFolder folder;
    const std::string file = (folder / "a.png").string(), csv = (folder / "selection.csv").string();
    for (const auto& [option, value, part] : {std::tuple("--colour-by", "edge-length", "edge-length: the"),
                                              {"--select", "triangle-area:0..1", "psi6-angle"},
                                              {"--select", "edge:1", "selected by vertex:ID"},
                                              {"--select", "vertex:300", "go from 0 to 49"}}) {
        CAPTURE(value);
        const Outcome outcome = run_cells("voronoi", {option, value, "--picture", file});
        CHECK(outcome.status != 0);
        CHECK(has(outcome.err, part));
    }
    // Before there are cells.
    const Outcome early = run_program(
        {"run", "voronoi", "--device", "cpu", "--steps", "0", "--quiet", "--colour-by", "degree", "--picture", file});
    CHECK(early.status != 0);
    CHECK(has(early.err, "shows no mesh and no cells of sites in this state"));
    // Points of the input; equal ones are represented by the first.
    const std::string points = (folder / "points.csv").string();
    std::ofstream(points) << "x,y,mass\n0,0,1\n4,0,2\n4,3,3\n0,3,4\n2,1,5\n4,3,6\n";
    const auto select = [&](const std::string& what) {
        return run_program({"run", "voronoi", "--device", "cpu", "--quiet", "--input", points, "--select", what,
                            "--picture", file, "--export", csv});
    };
    CHECK(select("point:1,2").status == 0);
    CHECK(read_file(csv) == "x,y,mass\n4,0,2\n4,3,3\n");
    const Outcome copy = select("point:5");
    CHECK(copy.status != 0);
    CHECK(has(copy.err, "none of these points is a vertex; equal points are the first of them"));
    CHECK(has(select("point:6").err, "go from 0 to 5"));
}
