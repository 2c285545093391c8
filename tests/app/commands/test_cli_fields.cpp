// Fields and tracks on the command line and in scenario files: with points or alone, opened in a suitable lab, ignored
// with a note, or refused with a message.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "app/run/inputs.h"
#include "app/run/scenario.h"
#include "geometry/frames.h"
#include "geometry/generators.h"
#include "lab/registry.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

const std::string kAssets = std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/";

Geometry with_field(size_t frames) {
    Geometry geometry;
    geometry.name = "film";
    geometry.field = std::make_shared<FieldStack>(FieldStack{"film", 1, 1, std::vector<float>(frames)});
    return geometry;
}

Geometry with_tracks() {
    Geometry geometry;
    geometry.name = "moving";
    geometry.tracks = std::make_shared<Tracks>(Tracks{"moving", {0}, {0, 1}, {1}, {{0, 0}}});
    return geometry;
}

LabInfo info_of(const std::string& lab) { return lab_info(lab); }

std::shared_ptr<const Geometry> shared(Geometry geometry) {
    return std::make_shared<const Geometry>(std::move(geometry));
}

}  // namespace

TEST_CASE("cli fields: a picture opens the Voronoi lab, moments over time the Events lab") {
    CHECK(app::lab_for(with_field(1)) == "voronoi");
    CHECK(app::lab_for(with_field(2)) == "events");
    CHECK(app::lab_for(with_tracks()) == "events");
    Geometry points = generate(parse_generator("uniform:5"));
    CHECK(app::lab_for(points) == "build");
    points.field = with_field(1).field;
    CHECK(app::lab_for(points) == "voronoi");
}

TEST_CASE("cli fields: a scenario names field and tracks relative to its folder") {
    const TemporaryFolder folder;
    write_file(folder / "tracks.csv", "t,id,x,y\n0,1,0,0\n0,2,1,0\n0,3,0,1\n1,1,0,0\n1,2,1,0\n1,3,0,1\n");
    const Json tracks = json_of_run({folder.file("a.json", R"({"tracks": "tracks.csv"})")});
    CHECK(tracks["lab"] == "events");
    CHECK(has(tracks["input"], "tracks.csv"));
    write_file(folder / "b.json", R"({"points": "uniform:20", "field": "picture.pgm"})");
    write_file(folder / "picture.pgm", "P5 32 16 255\n" + std::string(512, 'x'));
    const Json both = json_of_run({(folder / "b.json").string()});
    CHECK(both["lab"] == "voronoi");
    CHECK(both["points"] == 20);
    CHECK(has(both["input"], "uniform:20, "));
    CHECK(has(both["input"], "picture.pgm"));
    const app::Scenario read = app::read_scenario(folder / "b.json");
    CHECK(read.field == folder / "picture.pgm");
}

TEST_CASE("cli fields: as input or by their own options, with points or without") {
    CHECK(json_of_run({"voronoi", "--input", kAssets + "logo.png", "--set", "count=50"})["points"] == 50);
    CHECK(json_of_run({"voronoi", "--field", kAssets + "logo.png", "--points", "uniform:30"})["points"] == 30);
    const Json film = json_of_run({"events", "--input", kAssets + "foam.npy"});
    CHECK(film["results"]["bubbles"] == 40);
    CHECK(film["results"]["comparisons"] == 11);
    CHECK(json_of_run({"events", "--tracks", kAssets + "tracks.csv"})["lab"] == "events");
    CHECK(json_of_run({"events", "--set", "width=64", "--set", "height=64", "--set", "count=10", "--set",
                       "comparisons=2"})["input"] == "nothing given");
}

TEST_CASE("cli fields: a lab without fields or tracks reports what it ignores or what to use instead") {
    const Outcome shown = run_program({"run", "build", "--points", "uniform:20", "--field", kAssets + "logo.png",
                                       "--tracks", kAssets + "tracks.csv", "--device", "cpu"});
    CHECK(shown.status == 0);
    CHECK(has(shown.err, "logo.png: the Build lab takes no fields and leaves it out"));
    CHECK(has(shown.err, "tracks.csv: the Build lab takes no points over time and leaves them out"));
    check_refused({"run", "build", "--field", kAssets + "logo.png"},
                  "logo.png is a field on a lattice, and \"build\" needs points; take voronoi or events");
    check_refused({"run", "voronoi", "--tracks", kAssets + "tracks.csv"}, "take events");
}

TEST_CASE("cli fields: an unreadable file is status 2 with a sentence") {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.npy", "not an array");
    for (const char* option : {"--field", "--tracks", "--input"})
        check_refused({"run", "events", option, path}, "expected an npy file");
    check_refused({folder.file("b.png", "not an image")}, "cannot be read as an image");  // before a window opens
    check_refused({"run", "events", "--input", kAssets + "foam.npy", "--field", kAssets + "logo.png"},
                  "are both fields; leave one out");
    check_refused({"run", "events", "--input", kAssets + "tracks.csv", "--tracks", kAssets + "tracks.csv"},
                  "both have points over time");
}

TEST_CASE("inputs: a lab that takes both gets field and points") {
    const LabInfo voronoi = info_of("voronoi"), events = info_of("events"), build = info_of("build");
    Geometry points = generate(parse_generator("uniform:5"));
    points.name = "five";
    const auto film = shared(with_field(1));
    CHECK(app::joined(voronoi, shared(points), with_field(1))->points.size() == 5);
    CHECK(app::joined(voronoi, shared(points), with_field(1))->name == "five");
    CHECK(app::joined(voronoi, film, points)->field == film->field);
    CHECK(app::joined(voronoi, nullptr, points)->points.size() == 5);
    CHECK(!app::joined(build, film, points)->field);
    CHECK(!app::joined(events, film, points)->field);  // frames stand alone
    CHECK(app::joined(events, shared(points), with_field(3))->points.empty());
    CHECK(app::joined(events, film, with_tracks())->tracks);
}

TEST_CASE("inputs: a lab that needs points gets its example beside frames, but not for an empty input") {
    const LabInfo build = info_of("build"), events = info_of("events");
    std::vector<std::string> notes;
    CHECK(app::lacks_points(build, {}));
    CHECK(!app::lacks_points(events, {}));
    const auto made = app::completed(build, shared(with_tracks()), notes);
    CHECK(!made->points.empty());
    CHECK(made->tracks);  // nothing is lost
    CHECK(notes.size() == 1);
    Geometry none;
    none.name = "uniform:0";
    CHECK(app::completed(build, shared(none), notes)->points.empty());
    CHECK(app::completed(events, shared({}), notes)->points.empty());
    CHECK(notes.size() == 1);
    CHECK(app::frames_text(with_field(3)) == "film, 3 frames of 1 × 1");
    CHECK(app::frames_text(with_field(1)) == "film, 1 × 1");
    CHECK(app::frames_text(with_tracks()) == "moving, 1 frame");
    CHECK(app::frames_text({}).empty());
}
