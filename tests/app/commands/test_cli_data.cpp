// Pictures of data from the command line: colour maps, discs, scatters, plots on a page, the statistics of a selection,
// and what is written to go on with.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.h"
#include "compute/random.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

/// Forty trees; number 7 has no height.
void write_trees(const std::filesystem::path& file) {
    std::ostringstream text;
    text << "x [m],y [m],dbh [cm],height,species\n";
    for (int i = 0; i < 40; ++i) {
        const auto [x, y] = random_pair(11, uint32_t(i));
        text << 100 * x << "," << 100 * y << "," << 10 + i << "," << (i == 7 ? "" : std::to_string(2 * i + 1)) << ","
             << (i % 3 ? "oak" : "beech") << "\n";
    }
    write_file(file, text.str());
}

std::vector<std::string> on(const std::filesystem::path& trees, const std::vector<std::string>& more) {
    return joined({"run", "build", "--device", "cpu", "--quiet", "--input", trees.string()}, more);
}

size_t occurrences(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("command line: a figure of data has discs of the column's sizes and colours, a key, and no mesh") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    write_trees(folder / "trees.csv");
    const std::string file = (folder / "map.svg").string();
    const Outcome outcome =
        run_program(on(folder / "trees.csv",
                       {"--colour-by", "height", "--colour-map", "viridis", "--colour-range", "10:60", "--colour-steps",
                        "5", "--size-by", "dbh", "--hide", "mesh", "--figure", file, "--light"}));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const std::string svg = read_file(file);
    CHECK(has(svg, "Data points"));
    CHECK(!has(svg, "Triangles"));
    CHECK(occurrences(svg, "<circle") >= 40);
    CHECK(has(svg, "#440154"));  // viridis, below the range
    CHECK(has(svg, "#fde725"));  // and above it
    CHECK(has(svg, "Numbers above"));
    CHECK(has(svg, "no value"));
    CHECK(has(svg, "dbh (cm)"));
    CHECK(has(svg, "Sizes"));
    const std::vector<std::string> bare{"--colour-by", "height", "--hide", "mesh", "--figure", file, "--json", "-"};
    CHECK(has(run_program(on(folder / "trees.csv", bare)).out, "--show data draws a disc at each point"));
    check_refused(on(folder / "trees.csv", {"--colour-map", "jet", "--figure", file}), "--colour-map: expected one of");
    check_refused(on(folder / "trees.csv", {"--colour-map", "magma", "--figure", file}), "--colour-by");
    check_refused(on(folder / "trees.csv", {"--scatter", "dbh,height"}), "--plot");
    check_refused(on(folder / "trees.csv", {"--scatter", "dbh,species", "--plot", file}), "has text");
}

TEST_CASE("command line: a scatter is a plot, a table, and a correlation in the results") {
    const TemporaryFolder folder;
    write_trees(folder / "trees.csv");
    const std::string plot = (folder / "s.svg").string(), table = (folder / "s.csv").string();
    const Outcome outcome = run_program(on(folder / "trees.csv", {"--scatter", "dbh,height", "--colour-by", "species",
                                                                  "--plot", plot, "--plot", table, "--json", "-"}));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(occurrences(read_file(table), "\n") == 40);  // a heading, and 39 trees with both numbers
    CHECK(has(read_file(plot), "n = 39, Pearson r = 1.000, Spearman ρ = 1.000"));
    CHECK(has(read_file(plot), "beech"));
    CHECK(Json::parse(outcome.out)["statistics"]["Pearson's r"].get<double>() == doctest::Approx(1));
}

TEST_CASE("command line: plots share a page of a given size in millimetres, in letters of a given size") {
    const TemporaryFolder folder;
    write_trees(folder / "trees.csv");
    const auto page = [&](const std::string& name, const std::vector<std::string>& more) {
        const Outcome outcome =
            run_program(on(folder / "trees.csv",
                           joined({"--statistics", "--curve", "degrees", "--curve", "edge lengths", "--scatter",
                                   "dbh,cell-area", "--curve", "pair correlation", "--plot", (folder / name).string()},
                                  more)));
        INFO(outcome.err);
        CHECK(outcome.status == 0);
        return outcome.status == 0 ? read_file(folder / name) : std::string();
    };
    const std::string svg = page("a.svg", {"--figure-size", "180x120mm", "--font-size", "7", "--log-axes", "x"});
    CHECK(has(svg, "width=\"510.2"));  // points
    CHECK(has(svg, "font-size=\"7\""));
    CHECK(has(svg, "edge lengths (m) (logarithmic"));
    CHECK(occurrences(svg, "layer-") >= 4);  // a layer for each plot
    CHECK(has(page("a.pdf", {"--figure-size", "180x120mm", "--font-size", "7"}), "%PDF"));
    check_refused(on(folder / "trees.csv", {"--statistics", "--curve", "degrees", "--plot", (folder / "b.svg").string(),
                                            "--figure-size", "20x10mm"}),
                  "no room");
}

TEST_CASE("command line: the selection's mean, median and deviation stand beside those of all") {
    const TemporaryFolder folder;
    write_trees(folder / "trees.csv");
    const std::string csv = (folder / "statistics.csv").string();
    const Outcome outcome = run_program(
        on(folder / "trees.csv", {"--statistics", "--select", "dbh:20..29", "--export", csv, "--json", "-"}));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const Json json = Json::parse(outcome.out);
    bool found = false;
    for (const Json& one : json["summaries"])
        if (one["quantity"] == "dbh" && one.value("category", Json()).is_null()) {
            found = true;
            CHECK(one["median"] == 29.5);
            CHECK(one["mean"] == 29.5);
            CHECK(one["selected"] == 10);
            CHECK(one["selected_mean"] == 24.5);
            CHECK(one["selected_median"] == 24.5);
            CHECK(one["selected_deviation"].get<double>() == doctest::Approx(std::sqrt(99.0 / 12)));
        }
    CHECK(found);
    CHECK(has(read_file(csv), "selected median"));
}

TEST_CASE("command line: what was explored is written as a scenario, which draws the same figure, and as a script") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    write_trees(folder / "trees.csv");
    const std::string scenario = (folder / "scenario.json").string(), script = (folder / "explore.py").string();
    const Outcome outcome = run_program(on(folder / "trees.csv", {"--colour-by",    "height",
                                                                  "--colour-map",   "magma,reverse",
                                                                  "--colour-scale", "log",
                                                                  "--size-by",      "dbh",
                                                                  "--select",       "species=oak",
                                                                  "--hide",         "mesh",
                                                                  "--within",       "0,0,9,9",
                                                                  "--spatial",      "L-r,cross-K",
                                                                  "--mark",         "species",
                                                                  "--radii",        "0:1:0.5",
                                                                  "--correction",   "border,translation",
                                                                  "--envelopes",    "9",
                                                                  "--figure",       (folder / "a.svg").string(),
                                                                  "--export",       scenario,
                                                                  "--export",       script}));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    REQUIRE(
        run_program({"run", scenario, "--device", "cpu", "--quiet", "--figure", (folder / "b.svg").string()}).status ==
        0);
    CHECK(read_file(folder / "a.svg") == read_file(folder / "b.svg"));
    const std::string python = read_file(script);
    CHECK(has(python, "flipscope.statistics(points, area)"));
    CHECK(has(python, "LogNorm(1, "));
    CHECK(has(python, "chosen_by == \"oak\""));
    CHECK(has(python, "columns[\"dbh\"]"));
    CHECK(has(python, "area = (0,0,9,9)"));
    CHECK(has(python,
              "\"L-r\", correction=\"translation\", radii=np.array([0, 0.5, 1]), simulations=9, process=\"csr\")"));
    CHECK(has(python, "pair=(\"beech\", \"oak\")"));
}
