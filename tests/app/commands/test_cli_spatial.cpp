// Spatial statistics from the command line and from a scenario: the real program is started.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/program.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

const std::string kForest =
    "x,y,species,height\n0.1,0.1,oak,3\n0.9,0.2,elm,4\n0.5,0.6,oak,9\n0.2,0.8,elm,2\n"
    "0.7,0.7,oak,5\n0.4,0.3,elm,8\n0.6,0.1,oak,7\n0.95,0.9,elm,1\n";

Json curve_of(const Json& run, const std::string& name, const std::string& label) {
    for (const Json& curve : run["curves"])
        if (curve["name"] == name && curve["label"] == label) return curve;
    FAIL("no curve " << name << ", " << label);
    return {};
}

}  // namespace

TEST_CASE("command line: spatial functions have all corrections, the expectation, envelopes and tests") {
    const TemporaryFolder folder;
    const std::string table = (folder / "curves.csv").string(), plot = (folder / "l.svg").string();
    const Json run = json_of_run({"build", "--points", "thomas:300@seed=2", "--spatial", "L,G", "--radii", "0:0.1:0.01",
                                  "--envelopes", "19", "--export", table, "--plot", plot, "--curve", "L"});
    const Json best = curve_of(run, "L", "translation"), random = curve_of(run, "L", "random points");
    CHECK(best["x"].size() == 11);
    CHECK(best["low"].size() == 11);
    CHECK(best["low"][5].get<double>() < 0.05);
    CHECK(best["high"][5].get<double>() > 0.05);
    CHECK(best["y"][5].get<double>() > best["high"][5].get<double>());  // clusters
    CHECK(random["y"][5].get<double>() == doctest::Approx(0.05));
    CHECK(random["low"][5].get<double>() < best["low"][5].get<double>());  // the global envelope is wider
    CHECK_FALSE(curve_of(run, "L", "isotropic").contains("low"));
    CHECK(curve_of(run, "G", "kaplan-meier")["y"][10].get<double>() <= 1);
    CHECK(run["statistics"]["L p-value"] == 0.05);
    CHECK(run["statistics"]["quadrat p-value"].get<double>() < 0.01);
    CHECK(run["statistics"]["Clark–Evans R"].get<double>() < 0.9);
    CHECK(read_file(table).starts_with("curve,label,x is,y is,x,y,error,low,high\n"));
    CHECK(has(read_file(plot), "Envelope"));
}

TEST_CASE("command line: marks are columns of the input, and a scenario has the same options") {
    const TemporaryFolder folder;
    const std::string trees = folder.file("trees.csv", kForest);
    const Json run = json_of_run({"build", "--input", trees, "--spatial", "cross-K", "--radii", "0:0.3:0.1", "--mark",
                                  "species:oak,elm", "--correction", "none"});
    const Json typed = curve_of(run, "cross-K", "none");
    // 16 ordered pairs of an oak and an elm; the window is 0.85 wide and 0.8 high.
    int near = 0;
    const double oaks[4][2] = {{0.1, 0.1}, {0.5, 0.6}, {0.7, 0.7}, {0.6, 0.1}},
                 elms[4][2] = {{0.9, 0.2}, {0.2, 0.8}, {0.4, 0.3}, {0.95, 0.9}};
    for (const auto& oak : oaks)
        for (const auto& elm : elms) near += std::hypot(oak[0] - elm[0], oak[1] - elm[1]) <= 0.3;
    CHECK(typed["y"][3].get<double>() == doctest::Approx(0.85 * 0.8 * near / 16));
    const std::string scenario =
        folder.file("trees.json", R"({"lab": "build", "input": "trees.csv", "spatial": {"spatial": "cross-K", )"
                                  R"("radii": "0:0.3:0.1", "mark": "species:oak,elm", "correction": "none"}})");
    CHECK(curve_of(json_of_run({scenario}), "cross-K", "none") == typed);
    const Json numbers = json_of_run({"build", "--input", trees, "--spatial", "mark-correlation", "--mark", "height"});
    CHECK(std::abs(numbers["statistics"]["Moran's I"].get<double>()) < 1.5);
    const std::string map = (folder / "intensity.csv").string();
    json_of_run({"build", "--input", trees, "--spatial", "L", "--bandwidth", "0.2", "--export", map});
    CHECK(count_of(read_file(map), "\n") >= 128);
}

TEST_CASE("command line: bins, roses, means over frames, and the intensity as an image with its place") {
    const TemporaryFolder folder;
    const std::string map = (folder / "intensity.vtk").string();
    const Json run = json_of_run({"build", "--points", "grid:100", "--spatial", "g", "--kernel", "bins", "--radii",
                                  "0:2:0.5", "--directions", "0.5,1.2", "--export", map});
    CHECK(curve_of(run, "g", "none")["x"] == Json({0.25, 0.75, 1.25, 1.75}));
    for (const Json& rose : run["histograms"]) {
        if (rose["name"] != "directions of pairs") continue;
        CHECK(rose["now"][0].get<double>() == doctest::Approx(101.25));  // 90 pairs of the weight 9/8
        CHECK(rose["now"][9] == 0);
        CHECK(rose["now"][18] == rose["now"][0]);
    }
    CHECK(has(read_file(map), "DIMENSIONS 128 128 1\nORIGIN "));
    const std::string tracks = folder.file("tracks.csv",
                                           "t,id,x,y\n0,1,0,0\n0,2,4,0\n0,3,4,4\n0,4,0,4\n"
                                           "1,1,0,0\n1,2,1,0\n1,3,4,4\n1,4,0,4\n");
    const Json mean = json_of_run(
        {"events", "--tracks", tracks, "--spatial", "K", "--radii", "0:2:1", "--correction", "none", "--frames", "1"});
    const Json k = curve_of(mean, "K", "none");  // one of the six pairs of the second frame is 1 apart
    CHECK(k["y"][1].get<double>() == doctest::Approx(16.0 / 12));
    CHECK(k["errors"][1].get<double>() == doctest::Approx(16.0 / 12));
}

TEST_CASE("command line: marks, tests, S(k), roses and the intensity of frames are the means or sums of each frame's") {
    const TemporaryFolder folder;
    const std::string plot = folder.file(
        "plot.geojson", R"({"type": "Polygon", "coordinates": [[[0, 0], [8, 0], [8, 5], [3, 6], [0, 5], [0, 0]]]})");
    constexpr size_t kFrames = 3;
    std::string tracks = "t,id,x,y,species,height\n";
    std::vector<std::string> files(kFrames, "x,y,species,height\n");
    for (size_t t = 0; t < kFrames; ++t)
        for (int id = 0; id < 60; ++id) {
            const double x = std::fmod(id * 0.618 * 8 + double(t) * 0.3 * (id % 5), 8),
                         y = std::fmod(id * 0.382 * 5 + double(t) * 0.2 * (id % 7), 5);
            const std::string rest = std::to_string(x) + "," + std::to_string(y) + (id % 4 ? ",oak," : ",elm,") +
                                     std::to_string(id % 11) + "\n";
            tracks += std::to_string(t) + "," + std::to_string(id) + "," + rest;
            files[t] += rest;
        }
    const auto measured = [&](std::vector<std::string> arguments, const std::string& mark, const char* map) {
        for (const char* more :
             {"--within", plot.c_str(), "--spatial", mark == "height" ? "mark-correlation" : "cross-K,L", "--mark",
              mark.c_str(), "--radii", "0.5:2:0.5", "--directions", "0.2,1", "--bandwidth", "0.5", "--envelopes", "3",
              "--export", map})
            arguments.push_back(more);
        return json_of_run(arguments);
    };
    const std::string many = folder.file("tracks.csv", tracks);
    for (const std::string mark : {"height", "species:oak,elm"}) {
        CAPTURE(mark);
        const std::string map = (folder / "intensity.csv").string();
        const Json mean = measured({"events", "--tracks", many, "--frames", "1"}, mark, map.c_str());
        const std::string mean_map = read_file(map);
        std::vector<Json> each;
        double intensity = 0;
        const auto first_intensity = [](const std::string& csv) { return std::stod(csv.substr(csv.find("\n") + 1)); };
        for (size_t t = 0; t < kFrames; ++t) {
            each.push_back(
                measured({"build", "--input", folder.file(std::to_string(t) + ".csv", files[t])}, mark, map.c_str()));
            intensity += first_intensity(read_file(map)) / kFrames;
        }
        CHECK(first_intensity(mean_map) == doctest::Approx(intensity));
        const auto sum = [&](const auto& value) {
            double all = 0;
            for (const Json& one : each) all += value(one).template get<double>();
            return all;
        };
        const std::string function = mark == "height" ? "mark-correlation" : "cross-K";
        const auto at_one = [&](const Json& run) { return curve_of(run, function, "translation")["y"][1]; };
        CHECK(at_one(mean).get<double>() == doctest::Approx(sum(at_one) / kFrames));
        CHECK(curve_of(mean, function, "translation")["low"].size() == 4);
        const auto waves = [](const Json& run) {
            for (const Json& curve : run["curves"])
                if (curve["name"] == "structure factor" && curve["label"] != "random points") return curve["y"][2];
            return Json(0);
        };
        CHECK(curve_of(mean, "structure factor", "mean of 3 frames")["y"][2].get<double>() ==
              doctest::Approx(sum(waves) / kFrames));
        const auto rose = [](const Json& run) {
            for (const Json& one : run["histograms"])
                if (one["name"] == "directions of pairs") return one["now"][4];
            return Json(-1);
        };
        CHECK(rose(mean).get<double>() == doctest::Approx(sum(rose)));
        const auto number = [&](const char* name) {
            return [name](const Json& run) { return run["statistics"][name]; };
        };
        CHECK(mean["statistics"]["frames"] == 3);
        CHECK(number("quadrat χ²")(mean).get<double>() == doctest::Approx(sum(number("quadrat χ²"))));
        CHECK(number("Clark–Evans R")(mean).get<double>() == doctest::Approx(sum(number("Clark–Evans R")) / kFrames));
        if (mark != "height") continue;
        CHECK(number("Moran's I")(mean).get<double>() == doctest::Approx(sum(number("Moran's I")) / kFrames));
        CHECK(number("Moran's z")(mean).get<double>() == doctest::Approx(sum(number("Moran's z")) / std::sqrt(3)));
    }
    // A last frame with one point, and a process that does not fit points whose marks alone are shuffled.
    const Json lone = measured({"events", "--tracks", folder.file("lone.csv", tracks + "9,1,2,2,oak,1\n"), "--frames",
                                "1", "--process", "csr"},
                               "species", (folder / "intensity.csv").string().c_str());
    CHECK(curve_of(lone, "cross-K", "translation").contains("low"));
    CHECK(curve_of(lone, "cross-K", "mean of simulations").contains("low"));
    const Json shuffled = json_of_run({"build", "--input", folder.file("trees.csv", files[0]), "--spatial", "cross-K",
                                       "--mark", "species", "--process", "matern", "--envelopes", "3"});
    CHECK(shuffled["statistics"].contains("cross-K p-value"));
    // Moran's I is of the points in the study area.
    const auto moran = [&](const std::string& input, const std::string& area) {
        return json_of_run({"build", "--input", input, "--within", area, "--mark", "height", "--spatial",
                            "L"})["statistics"]["Moran's I"];
    };
    CHECK(moran(folder.file("more.csv", files[0] + "40,40,oak,100\n"), "0,0,9,9") ==
          moran(folder.file("trees.csv", files[0]), "0,0,9,9"));
    check_refused({"run", "events", "--tracks", many, "--spatial", "L", "--frames", "1", "--mark", "age"},
                  "there are species and height");
}

TEST_CASE("command line: spatial options that cannot be met are refused") {
    const TemporaryFolder folder;
    const std::string trees = folder.file("trees.csv", kForest);
    check_refused({"run", "build", "--spatial", "Q"}, "there are K, L, L-r, g, G, F, J");
    check_refused({"run", "build", "--radii", "0:1"}, "--radii: expected a number");
    check_refused({"run", "build", "--envelopes", "0.5"}, "a whole number");
    check_refused({"run", "build", "--kernel", "box"}, "expected r, d or bins");
    check_refused({"run", "build", "--directions", "2,1"}, "two distances that ascend");
    check_refused({"run", "build", "--spatial", "K", "--frames", "1"}, "no points over time");
    check_refused({"run", "build", "--process", "gibbs"}, "csr, thomas, matern, hardcore");
    check_refused({"run", "build", "--input", trees, "--spatial", "cross-K"}, "needs a column");
    check_refused({"run", "build", "--input", trees, "--spatial", "cross-K", "--mark", "age"}, "age");
    check_refused({"run", "build", "--input", trees, "--spatial", "cross-K", "--mark", "species:oak,fir"}, "fir");
}

TEST_CASE("command line: a file that is read is not written over") {
    const TemporaryFolder folder;
    const std::string points = folder.file("points.csv", kForest), other = (folder / "." / "points.csv").string();
    const std::string area =
        folder.file("cells.geojson", R"({"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [0, 2]]]})");
    const std::string tracks =
        folder.file("tracks.csv", "t,id,x,y\n0,1,0,0\n0,2,4,0\n0,3,4,4\n1,1,0,0\n1,2,1,0\n1,3,4,4\n");
    check_refused({"run", "build", "--input", points, "--export", other}, "points.csv is read by this command");
    check_refused({"run", "events", "--tracks", tracks, "--export", tracks}, "is read by this command");
    check_refused({"run", "voronoi", "--input", points, "--within", area, "--export", area}, "is read by this command");
    check_refused({"run", "build", "--input", points, "--plot", points}, "is read by this command");
    check_refused({"check", points, "--json", points}, "is read by this command");
    CHECK(read_file(points) == kForest);
}
