// Colouring and selecting cells of lattices and particles on the command line.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

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
    for (const std::string lab : {"voronoi", "events", "particles"}) {
        INFO(lab);
        // What is coloured, and not what lies over it.
        const std::string hidden = lab == "particles" ? "edges" : "links,overlay";
        const auto picture = [&](const std::vector<std::string>& more) {
            const std::string file = (folder / "a.png").string();
            std::filesystem::remove(file);
            const Outcome outcome =
                run_cells(lab, joined(more, {"--picture", file, "--size", "200x150", "--hide", hidden}));
            if (!has(outcome.err, "EGL") && !has(outcome.err, "OpenGL")) CHECK(outcome.err == "");
            return std::filesystem::exists(file) ? read_file(file) : std::string();
        };
        std::vector<std::string> pictures{picture({})};
        if (pictures[0].empty()) {
            skip("no OpenGL for a picture here");
            return;
        }
        for (const char* quantity : {"degree", "cell-area", "psi6"})
            pictures.push_back(picture({"--colour-by", quantity}));
        pictures.push_back(picture({"--select", "degree:6..30"}));
        pictures.push_back(picture({"--select", "vertex:1,2"}));
        for (size_t i = 0; i < pictures.size(); ++i)
            for (size_t k = 0; k < i; ++k) CHECK(pictures[i] != pictures[k]);
        // Of a scenario the same.
        write_file(folder / "a.json",
                   "{\"lab\": \"" + lab + "\", " + (lab == "voronoi" ? "\"points\": \"uniform:50\", " : "") +
                       (lab == "particles" ? "" : "\"parameters\": {\"width\": 96, \"height\": 64}, ") +
                       "\"colour_by\": \"cell-area\"}");
        const std::string file = (folder / "b.png").string();
        const Outcome scenario =
            run_program({"run", (folder / "a.json").string(), "--device", "cpu", "--threads", "1", "--rounds", "1",
                         "--quiet", "--picture", file, "--size", "200x150", "--hide", hidden});
        CHECK(scenario.status == 0);
        CHECK(read_file(file) == pictures[2]);
    }
}

TEST_CASE("command line: quantities that cells lack are refused with those that they have") {
    const TemporaryFolder folder;
    const std::string file = (folder / "a.png").string(), csv = (folder / "selection.csv").string();
    for (const std::string lab : {"voronoi", "events"})
        for (const std::vector<std::string>& asked : std::vector<std::vector<std::string>>{
                 {"--colour-by", "edge-length"}, {"--colour-by", "min-angle"}, {"--select", "triangle-area:0..1"}}) {
            INFO(lab, " ", asked[1]);
            const Outcome outcome = run_cells(lab, joined(asked, {"--picture", file}));
            CHECK(outcome.status != 0);
            CHECK(has(outcome.err, asked[1].substr(0, asked[1].find(':')) + ": the"));
            CHECK(has(outcome.err,
                      "degree, nearest, cell-area, cell-perimeter, neighbour-degree, psi4, psi6 and "
                      "psi6-angle"));
        }
    const Outcome edges = run_cells("voronoi", {"--select", "edge:1", "--picture", file});
    CHECK(edges.status != 0);
    CHECK(has(edges.err, "selected by vertex:ID"));
    const Outcome beyond = run_cells("voronoi", {"--select", "vertex:300", "--picture", file});
    CHECK(has(beyond.err, "go from 0 to 49"));
    // Before there are cells.
    const Outcome early = run_program(
        {"run", "voronoi", "--device", "cpu", "--steps", "0", "--quiet", "--colour-by", "degree", "--picture", file});
    CHECK(early.status != 0);
    CHECK(has(early.err, "shows no mesh and no cells of sites in this state"));
    CHECK(run_cells("particles", {"--colour-by", "edge-length", "--picture", file}).status == 0);
    CHECK(run_cells("voronoi", {"--select", "vertex:1,2,5", "--export", csv}).status == 0);
    const std::string rows = read_file(csv);
    CHECK(std::count(rows.begin(), rows.end(), '\n') >= 3);
    // Points of the input, of which equal ones are the first of them.
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
