// What --export writes for each file name, for labs with triangles, with arrays, with detections, and with none of
// these.
#include "app/run/exports.h"

#include <cmath>

#include "app/program.h"
#include "lab/fake_lab.h"
#include "lab/parameters.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

std::string refusal(const std::string& file, const Lab& lab) {
    return error_of([&] { check_export(file, lab); }, "");
}

FakeLab lab_with_arrays() {
    FakeLab lab;
    lab.about.makes_triangles = false;
    lab.about.detects = "event";
    lab.made["colours"] = array_of<uint32_t>(Array::Type::kUint32, {2, 3}, {1, 2, 3, 4, 5, 6});
    lab.made["cell-areas"] = array_of<double>(Array::Type::kFloat64, {1}, {0.5});
    return lab;
}

}  // namespace

TEST_CASE("export: the stem, or its part after a hyphen, names the array, and an unknown one is refused") {
    const FakeLab lab = lab_with_arrays();
    CHECK(array_of_file("colours.npy", lab) == "colours");
    CHECK(array_of_file("somewhere/run-7-colours.npy", lab) == "colours");
    CHECK(array_of_file("cell-areas.npy", lab) == "cell-areas");
    CHECK(array_of_file("a-b-cell-areas.NPY", lab) == "cell-areas");
    CHECK(array_of_file("coloursx.npy", lab).empty());
    CHECK(array_of_file("xcolours.npy", lab).empty());
    CHECK(array_of_file("colours-.npy", lab).empty());
    CHECK(refusal("run-colours.npy", lab).empty());
    CHECK(has(refusal("colour.npy", lab), "cell-areas and colours"));
    CHECK(has(refusal("colour.npy", lab), "did you mean colours.npy?"));
}

TEST_CASE("export: the window's errors mention no options of the command line") {
    FakeLab plain, mesh;
    plain.about.makes_triangles = false;
    CHECK_THROWS_WITH_AS(write_export("degree.npy", mesh, nullptr, Caller::kWindow),
                         "degree.npy: it is not measured; the statistics (7) measure it", Error);
    CHECK_THROWS_WITH_AS(write_export("run.xyz", plain, nullptr, Caller::kWindow),
                         doctest::Contains("results.csv has its numbers"), Error);
}

TEST_CASE("export: a lab without triangles refuses meshes and names its arrays") {
    FakeLab lab = lab_with_arrays();
    for (const char* file : {"mesh.ply", "mesh.obj", "mesh.ele"}) {
        const std::string sentence = refusal(file, lab);
        CHECK(has(sentence, "makes no triangles"));
        CHECK(has(sentence, "cell-areas.npy, colours.npy or events.csv"));
    }
    lab.made.clear();
    lab.about.detects.clear();
    CHECK(has(refusal("mesh.ply", lab), "--json has its results"));
    CHECK(has(refusal("points.npy", lab), "makes no triangles"));
    CHECK(has(refusal("events.csv", lab), "the name of a table is its content, points.csv"));
}

namespace {

struct RecordingLab final : FakeLab, TrajectoryExporter {
    Trajectory recorded;
    std::string nothing;
    Trajectory trajectory() const override { return recorded; }
    std::string records_nothing() const override { return nothing; }
};

}  // namespace

TEST_CASE("export: points over time are written by labs that record them, and refused by others") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.xyz").string();
    CHECK(has(refusal(file, lab_with_arrays()),
              "the Fake lab records no points over time, which .xyz is for; it has "
              "cell-areas.npy, colours.npy or events.csv"));
    RecordingLab lab;
    lab.nothing = "no frames are recorded; --set record=100 records every 100th step";
    CHECK(has(refusal(file, lab), "run.xyz: no frames are recorded; --set record=100"));
    CHECK_THROWS_AS(write_export(file, lab), Error);
    lab.nothing.clear();
    CHECK(refusal(file, lab).empty());
    CHECK_THROWS_WITH_AS(write_export(file, lab), doctest::Contains("no frames were recorded"), Error);
    CHECK(folder.names().empty());
    lab.recorded.frames = {{0.5, 7, {{1, 2}}, {}, {}, {}}};
    write_export(file, lab);
    CHECK(read_file(file) == "1\npbc=\"F F F\" Properties=species:S:1:pos:R:3 Time=0.5 Step=7\nX 1 2 0\n");
    lab.about.makes_triangles = false;
    CHECK(has(refusal("mesh.ply", lab), "tracks.xyz"));
}

TEST_CASE("export: the name of a table chooses detections or an array, and unknown names are refused") {
    const TemporaryFolder folder;
    FakeLab lab = lab_with_arrays();
    lab.about.detects = "difference";
    lab.found.resize(1);
    lab.made["links"] = array_of<uint32_t>(Array::Type::kUint32, {2, 2}, {0, 7, 3, 9});
    lab.made["names"] = array_of<int64_t>(Array::Type::kInt64, {3}, {-1, 5, 6});
    lab.made["field"] = array_of<float>(Array::Type::kFloat32, {1, 2}, {0.1f, -2});
    const auto written = [&](const std::string& name) {
        write_export((folder / name).string(), lab);
        return read_file(folder / name);
    };
    CHECK(written("links.csv") == "0,7\n3,9\n");
    CHECK(written("run-7-links.CSV") == "0,7\n3,9\n");
    CHECK(written("names.csv") == "-1\n5\n6\n");
    CHECK(written("field.csv") == "0.1,-2\n");
    CHECK(written("cell-areas.csv") == "0.5\n");
    CHECK(written("differences.csv").starts_with("time,round,kind,"));
    for (const char* file : {"events.csv", "table.csv", "difference.csv"}) {
        const std::string sentence = refusal(file, lab);
        CHECK(has(sentence, "cell-areas, colours, field, links, names, differences, results"));
    }
    CHECK(has(refusal("link.csv", lab), "did you mean links.csv?"));
    // Of one name, what was found: its columns are those of the list.
    lab.made["differences"] = array_of<double>(Array::Type::kFloat64, {1}, {1});
    CHECK(written("differences.csv").starts_with("time,round,kind,"));
    CHECK(has(written("differences.npy"), "NUMPY"));
}

TEST_CASE("export: only certain names of .npy files mean triangles and points of a mesh") {
    FakeLab mesh;
    for (const char* file : {"triangles.npy", "mesh.npy", "a-positions.npy", "points.npy", "degree.npy", "edges.npy"})
        CHECK(refusal(file, mesh).empty());
    CHECK(has(refusal("cell-centroid.npy", mesh), "has triangles and positions, and of what it shows degree, "));
    CHECK(has(refusal("cell-aera.npy", mesh), "did you mean cell-area.npy?"));
    CHECK(has(refusal("points.geojson", mesh), "only cells have polygons"));
    for (const char* file : {"points.csv", "run-edges.npz", "triangles.json", "cells.geojson", "a-cells.wkt"}) {
        CHECK(refusal(file, mesh).empty());
        CHECK(means_statistics(file, mesh));
        CHECK_FALSE(means_curves(file, mesh));
        CHECK_THROWS_WITH_AS(write_export(file, mesh, nullptr, Caller::kWindow),
                             doctest::Contains("the statistics (7) measure it"), Error);
    }
    CHECK(means_curves("statistics.csv", mesh));
    CHECK(means_curves("structure-factor.npy", mesh));
    CHECK_FALSE(means_curves("histograms.csv", mesh));
}

TEST_CASE("export: a selection keeps its text columns as text, with units, and y as in its file") {
    Geometry selected;
    selected.points = {{1, -2}, {0.5, 0}};
    selected.unit = "px";
    selected.y_down = true;
    selected.attributes = std::make_shared<const std::vector<Attribute>>(
        std::vector<Attribute>{{"kind", {1, NAN}, "", {"red", "blue, dark"}}, {"mass", {2, 3}, "kg", {}}});
    CHECK(points_csv(selected) == "x [px],y [px],kind,mass [kg]\n1,2,\"blue, dark\",2\n0.5,0,,3\n");
    CHECK(points_xy(selected) == "1 2\n0.5 0\n");
    CHECK(means_points_xy("hand.xy"));
    CHECK(means_points_csv("hand-points.csv"));
    CHECK_FALSE(means_points_csv("edges.csv"));
}

TEST_CASE("export: meshes have the input's direction of y, with counter-clockwise triangles") {
    const TemporaryFolder folder;
    FakeLab mesh;
    mesh.points = {{0, 0}, {1, 0}, {0, 1}};
    mesh.triangles = {{0, 1, 2}};
    Geometry input;
    input.y_down = true;
    write_export((folder / "mesh.off").string(), mesh, nullptr, Caller::kCommandLine, &input);
    const std::string text = read_file(folder / "mesh.off");
    CHECK(has(text, "0 -1 0"));
    CHECK(has(text, "3 0 2 1"));
}

TEST_CASE("parameters: groups are listed, and parameters before the first group have none") {
    FakeLab lab;
    const auto parameters = list_parameters(lab);
    REQUIRE(parameters.size() == 3);
    CHECK(parameters[0].group.empty());
    CHECK(parameters[1].group == "Light");
    CHECK(parameters[2].group == "Sound");
}
