// Events and arrays from the command line, of every lab that has some: the real program is started.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/program.h"
#include "flipscope/study_area.h"
#include "io/geometry.h"
#include "io/ogr.h"
#include "lab/registry.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

/// A few rounds of a lab.
Json run_rounds(const std::string& lab, const std::vector<std::string>& more) {
    return json_of_run(joined({lab, "--rounds", "3"}, more));
}

}  // namespace

TEST_CASE("command line: detections are listed in the JSON, and their exported table has as many lines") {
    size_t found = 0;
    for (const auto& entry : registry()) {
        const LabInfo info = entry.info();
        INFO(entry.id);
        if (info.detects.empty()) continue;
        const TemporaryFolder folder;
        const std::string file = (folder / (info.detects + "s.csv")).string();
        const Json json = run_rounds(entry.id, {"--export", file});
        const Json& events = json[info.detects + "s"];
        found += events.size();
        CHECK(count_of(read_file(file), "\n") == events.size() + 1);
        double before = 0;
        for (const Json& event : events) {
            CHECK(event["time"].get<double>() >= before);
            CHECK(event["place"].size() == 2);
            CHECK(event.contains("lost_contacts") == info.detects_changes);
            before = event["time"];
        }
    }
    CHECK(found > 0);
}

TEST_CASE("command line: fields on a lattice are exported as VTK files, other arrays are not") {
    const TemporaryFolder folder;
    run_rounds("events", {"--export", (folder / "field.vtk").string()});
    CHECK(read_file(folder / "field.vtk").starts_with("# vtk DataFile"));
    const Outcome outcome =
        run_program({"run", "events", "--rounds", "1", "--export", (folder / "sites.vtk").string()});
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, "save it as sites.npy"));
}

TEST_CASE("command line: every array of every lab can be exported") {
    for (const auto& entry : registry()) {
        const auto algorithm = entry.make();
        const std::vector<ArrayInfo> arrays = arrays_of(*algorithm);
        if (arrays.empty()) continue;
        INFO(entry.id);
        const TemporaryFolder folder;
        std::vector<std::string> wanted;
        if (std::any_of(arrays.begin(), arrays.end(), [](const ArrayInfo& array) { return array.recorded; }))
            wanted = {"--set", "record=1"};
        for (const ArrayInfo& array : arrays) {
            for (const char* format : {".npy", ".csv"}) {
                wanted.push_back("--export");
                wanted.push_back((folder / ("a-" + array.name + format)).string());
            }
        }
        run_rounds(entry.id, wanted);
        for (const ArrayInfo& array : arrays) {
            INFO(array.name);
            const std::string bytes = read_file(folder / ("a-" + array.name + ".npy"));
            CHECK(bytes.starts_with("\x93NUMPY"));
            CHECK(has(bytes, "'shape': ("));
            // A table of elements has a heading, and the columns of one.
            const auto* exporter = find_facet<TableExporter>(*algorithm);
            const auto tables = exporter ? exporter->tables() : std::vector<ArrayInfo>{};
            const bool is_table = std::any_of(tables.begin(), tables.end(),
                                              [&](const ArrayInfo& table) { return table.name == array.name; });
            if (array.name != algorithm->info().detects + "s" && array.name != "triangles" && !is_table) {
                const size_t rows = std::stoul(bytes.substr(bytes.find("'shape': (") + 10));
                const std::string table = read_file(folder / ("a-" + array.name + ".csv"));
                CHECK((count_of(table, "\n") == rows || table.empty()));
            }
        }
    }
}

TEST_CASE("command line: figures mark what is inspected, write ids, and have the unit of the input") {
    const TemporaryFolder folder;
    write_file(folder / "a.csv", "x [nm],y [nm]\n0,0\n10,0\n0,10\n11,12\n5,4\n");
    const std::string figure = (folder / "a.svg").string(), plain = (folder / "b.svg").string();
    const std::vector<std::string> run{"build",   "--input", (folder / "a.csv").string(), "--colour-by", "cell-area",
                                       "--parts", "all"};
    json_of_run(joined(run, {"--figure", figure, "--inspect", "point:4", "--show", "ids"}));
    json_of_run(joined(run, {"--figure", plain}));
    const std::string text = read_file(figure);
    CHECK(has(text, "inkscape:label=\"Marks\""));
    CHECK(has(text, ">e1<"));
    CHECK(has(text, " nm<"));
    CHECK(has(text, ">x (nm)<"));
    CHECK(has(text, "(nm²)<"));
    CHECK_FALSE(has(read_file(plain), "inkscape:label=\"Marks\""));
}

TEST_CASE("command line: an option without effect is noted, in the JSON as well") {
    const TemporaryFolder folder;
    const auto notes = [&](const std::string& lab, const std::vector<std::string>& more) {
        const Json json = run_rounds(lab, more);
        std::string all;
        for (const Json& note : json["notes"]) all += note.get<std::string>() + "\n";
        return all;
    };
    const std::string figure = (folder / "a.svg").string();
    CHECK(has(
        notes("build", {"--points", "uniform:30", "--set", "domain=torus", "--statistics", "--within", "0,0,.5,.5"}),
        "--within has no effect: the box is periodic"));
    CHECK(has(notes("events", {"--colour-by", "degree", "--show", "field", "--figure", figure, "--set", "width=64",
                               "--set", "height=64"}),
              "--colour-by degree is not seen"));
    CHECK_FALSE(has(notes("build", {"--points", "uniform:30", "--statistics", "--within", "0,0,.5,.5"}), "no effect"));
}

TEST_CASE("command line: cells in a study area are polygons of a Shapefile or a GeoPackage, where GDAL is installed") {
    const TemporaryFolder folder;
    for (const char* const name : {"cells.shp", "cells.gpkg"})
        for (const int count : {300, 90}) {  // the second replaces the first
            const std::string file = (folder / name).string();
            const Outcome outcome =
                run_program({"run", "build", "--points", "uniform:" + std::to_string(count), "--device", "cpu",
                             "--within", "POLYGON ((0 0, 1 0, 0 1), (0.2 0.2, 0.4 0.2, 0.2 0.4))", "--export", file});
            INFO(outcome.err);
            if (!io::has_gdal()) {
                CHECK(has(outcome.err, "gdal-bin"));
                continue;
            }
            REQUIRE(outcome.status == 0);
            const Geometry cells = read_geometry(file);
            REQUIRE(cells.areas);
            CHECK(cells.areas->size() < size_t(count));
            CHECK(cells.areas->size() > size_t(count) / 3);
            double sum = 0;
            for (const Area& cell : *cells.areas) sum += area_of_rings(cell.rings).area();
            CHECK(sum == doctest::Approx(0.48).epsilon(1e-9));
            REQUIRE(cells.attributes);
            CHECK(std::ranges::count(*cells.attributes, "degree", &Attribute::name) == 1);
            CHECK(std::filesystem::exists(folder / "cells.shp"));
        }
}

TEST_CASE("command line: a study area comes from a file, a column, well-known text, the hull or a scenario") {
    const TemporaryFolder folder;
    write_file(folder / "two.geojson",
               R"({"type": "FeatureCollection", "features": [
                   {"type": "Feature", "properties": {"name": "west", "use": "wood"}, "geometry": {"type": "Polygon",
                    "coordinates": [[[0, 0], [0.5, 0], [0.5, 1], [0, 1], [0, 0]]]}},
                   {"type": "Feature", "properties": {"name": "east", "use": "field"}, "geometry": {"type": "Polygon",
                    "coordinates": [[[0.5, 0], [1, 0], [1, 1], [0.5, 1], [0.5, 0]], [[0.6, 0.4], [0.8, 0.4], [0.7, 0.6], [0.6, 0.4]]]}}]})");
    const std::string file = (folder / "two.geojson").string();
    const auto area = [&](const std::string& within) {
        return run_rounds("build", {"--points", "uniform:400", "--within", within})["statistics"]["study area"]
            .get<double>();
    };
    CHECK(area(file) == doctest::Approx(0.98));  // the border between the two vanishes
    CHECK(area(file + "#name=east") == doctest::Approx(0.48));
    CHECK(area(file + "#use=wood") == doctest::Approx(0.5));
    CHECK(area("POLYGON ((0 0, 1 0, 0 1, 0 0), (0.1 0.1, 0.2 0.1, 0.1 0.2, 0.1 0.1))") == doctest::Approx(0.495));
    CHECK(area("hull") > 0.9);
    write_file(folder / "area.json", R"({"lab": "build", "points": "uniform:400", "within": "two.geojson#name=west"})");
    const std::string cells = (folder / "cells.geojson").string();
    const Outcome outcome = run_program({"run", (folder / "area.json").string(), "--device", "cpu", "--export", cells});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    double sum = 0;
    const Json written = Json::parse(read_file(cells));
    for (const Json& feature : written["features"]) {
        if (feature["geometry"].is_null()) continue;
        REQUIRE(feature["geometry"]["type"] == "Polygon");
        const Json& ring = feature["geometry"]["coordinates"][0];
        for (size_t k = 0; k + 1 < ring.size(); ++k)
            sum += ring[k][0].get<double>() * ring[k + 1][1].get<double>() -
                   ring[k][1].get<double>() * ring[k + 1][0].get<double>();
    }
    CHECK(sum / 2 == doctest::Approx(0.5).epsilon(1e-12));
    check_refused({"run", "build", "--points", "uniform:30", "--within", file + "#name=north"}, "there are west, east");
    check_refused({"run", "build", "--points", "uniform:30", "--within", "POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))"},
                  "cross near (0.5, 0.5)");
    check_refused({"run", "build", "--points", "uniform:30", "--within", "areas"}, "the input has no polygons");
    check_refused({"run", "build", "--points", "uniform:30", "--within", "nowhere.geojson"}, "a file of polygons");
}

TEST_CASE("command line: tables of events, changes and tracks have headers, and tracks are read back unchanged") {
    const TemporaryFolder folder;
    // A diamond in a ring is flattened the other way; one of the ring is missing for a frame.
    std::string text = "t,id,x,y\n";
    for (int frame = 0; frame < 4; ++frame) {
        const auto add = [&](int id, double x, double y) {
            text += std::to_string(frame * frame) + "," + std::to_string(id) + "," + std::to_string(x) + "," +
                    std::to_string(y) + "\n";
        };
        for (int k = 0; k < 8; ++k)
            if (frame != 3 || k != 5) add(k, 8 * std::cos(0.2 + k * 0.785), 8 * std::sin(0.2 + k * 0.785));
        const double wide = frame < 2 ? 1.5 : 3, tall = frame < 2 ? 3 : 1.5;
        add(20, -wide, 0), add(21, wide, 0), add(22, 0, -tall), add(23, 0, tall);
    }
    const std::string input = folder.file("diamond.csv", text);
    const auto file = [&](const char* name) { return (folder / name).string(); };
    const auto run = [&](const std::string& tracks, const std::string& prefix) {
        std::vector<std::string> words{"events", "--tracks", tracks, "--set", "graph=delaunay"};
        for (const char* table : {"events.csv", "changes.csv", "tracks.csv"})
            words = joined(words, {"--export", file((prefix + table).c_str())});
        return json_of_run(words);
    };
    const Json json = run(input, "a-");
    const std::string events = read_file(file("a-events.csv")), changes = read_file(file("a-changes.csv")),
                      tracks = read_file(file("a-tracks.csv"));
    CHECK(events.starts_with("time,round,kind,x,y,vertices,lost contacts,created contacts,cell 1,"));
    CHECK(has(events, "\n4,2,T1,"));
    CHECK(has(events, ",20 21 22 23,20 21,22 23,20,21,22,23,"));
    CHECK(has(events, "\n9,3,death,"));
    CHECK(changes.starts_with("event,time,lost,cell 1,cell 2,cell 3,cell 4,x,y,length,angle [°],counts\n0,4,1,20,21,"));
    CHECK(count_of(changes, "\n") ==
          1 + json["results"]["lost contacts"].get<size_t>() + json["results"]["created contacts"].get<size_t>());
    CHECK(tracks.starts_with("time,id,x,y,area,degree,boundary\n0,0,"));
    CHECK(count_of(tracks, "\n") == 1 + 12 * 3 + 11);
    // The table is tracks again: the same events of the same names, at the same times.
    const Json again = run(file("a-tracks.csv"), "b-");
    CHECK(again["results"] == json["results"]);
    CHECK(again["events"].size() == json["events"].size());
    for (size_t i = 0; i < std::min(json["events"].size(), again["events"].size()); ++i) {
        CHECK(again["events"][i]["vertices"] == json["events"][i]["vertices"]);
        CHECK(again["events"][i]["kind"] == json["events"][i]["kind"]);
        CHECK(again["events"][i]["time"] == json["events"][i]["time"]);
    }
}

TEST_CASE("command line: an unstable run has its own status, and the JSON says why") {
    const std::vector<std::string> unstable{
        "run",   "events",    "--device", "cpu",     "--set", "source=emulsion", "--set", "width=96",
        "--set", "height=64", "--set",    "count=8", "--set", "stress=0.2",      "--set", "comparisons=40"};
    const auto with = [&](const std::vector<std::string>& more) { return run_program(joined(unstable, more)); };
    const Outcome outcome = with({"--json", "-"});
    CHECK(outcome.status == 4);
    const std::string notes = Json::parse(outcome.out)["notes"].dump();
    CHECK(has(notes, "the emulsion became unstable"));
    CHECK(has(notes, "A packing of 0.9 cannot be reached"));
    CHECK(has(outcome.err, "the emulsion became unstable"));
    CHECK(with({"--quiet", "--check"}).status == 4);  // its last sound frame passes
    CHECK(with({"--quiet", "--rounds", "1"}).status == 0);
}

TEST_CASE("command line: flow of an emulsion is drawn and written as a VTK file with the numbers of the array") {
    const TemporaryFolder folder;
    const std::string picture = (folder / "flow.png").string(), array = (folder / "velocity.npy").string(),
                      image = (folder / "velocity.vtk").string();
    const Json json = run_rounds("events", {"--set",     "source=emulsion",
                                            "--set",     "width=64",
                                            "--set",     "height=64",
                                            "--set",     "count=4",
                                            "--set",     "interval=5",
                                            "--set",     "obstacle_count=0",
                                            "--show",    "velocity-y",
                                            "--picture", picture,
                                            "--export",  array,
                                            "--export",  image});
    CHECK(read_file(picture).starts_with("\x89PNG"));
    const std::string text = read_file(image), numbers = read_file(array);
    REQUIRE(has(text, "VECTORS velocity"));
    const size_t behind = 64 * 64 - (32 * 64 + 32);  // pixels from one in the middle to the end
    REQUIRE(numbers.size() > 64 * 64 * 8);
    const std::string along_y = numbers.substr(numbers.size() - behind * 8 + 4, 4);
    CHECK(along_y != std::string(4, '\0'));
    const std::string written = text.substr(text.size() - 1 - behind * 12 + 4, 4);  // the most significant byte first
    CHECK(std::string(written.rbegin(), written.rend()) == along_y);
    // Under a body force the mean slope is that of no shear.
    CHECK(json["results"].contains("shear stress"));
    CHECK_FALSE(json["results"].contains("shear rate"));
}

TEST_CASE("command line: structures are exported with their numbers, and refused where they have no meaning") {
    const TemporaryFolder folder;
    const auto lines_of = [&](const std::vector<std::string>& more) {
        const std::string file = (folder / "run-beta-skeleton.csv").string();
        json_of_run(joined({"strips", "--points", "uniform:200@seed=2", "--export", file}, more));
        return count_of(read_file(file), "\n");
    };
    const std::string gabriel = (folder / "gabriel.csv").string();
    json_of_run({"strips", "--points", "uniform:200@seed=2", "--export", gabriel});
    CHECK(read_file(gabriel).starts_with("edge,from,to,x,y,edge-length,alpha,hull\n"));
    CHECK(lines_of({"--beta", "1"}) == count_of(read_file(gabriel), "\n"));
    CHECK(lines_of({"--beta", "2"}) < lines_of({"--beta", "1.5"}));
    CHECK(lines_of({"--beta", "0.5"}) > lines_of({"--beta", "1"}));
    const Outcome early =
        run_program({"run", "flip", "--mesh", "quad:200", "--steps", "1", "--export", (folder / "rng.csv").string()});
    CHECK(early.status == 2);
    CHECK(has(early.err, "the triangulation is not Delaunay in this state"));
    CHECK(run_program({"run", "strips", "--beta", "0"}).status == 2);
}
