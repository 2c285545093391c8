// Pictures from the command line; a separate file, since they need OpenGL.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/images/images.h"
#include "app/program.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("command line: a picture is a PNG of the requested size, and changes no result") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const std::string file = (folder / "picture.png").string();
    const Outcome outcome = run_program({"run", "build", "--device", "cpu", "--points", "uniform:300", "--picture",
                                         file, "--size", "320x200", "--json", "-"});
    if (lacks_opengl(outcome)) return;
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const std::string png = read_file(file);
    REQUIRE(png.size() > 1000);
    CHECK(png.substr(1, 3) == "PNG");
    CHECK(png.substr(16, 8) == std::string("\x00\x00\x01\x40\x00\x00\x00\xc8", 8));
    const Json plain = program_json({"run", "build", "--device", "cpu", "--points", "uniform:300"});
    CHECK(Json::parse(outcome.out)["state_hash"] == plain["state_hash"]);
    CHECK(Json::parse(outcome.out)["triangulation_hash"] == plain["triangulation_hash"]);
}

TEST_CASE("command line: before the first pass a picture shows the points, and they frame a film that begins there") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    // Pixels of the picture's middle that are not of the most common shade.
    const auto drawn = [](const std::filesystem::path& file) {
        const FieldStack seen = app::read_any_field(file);
        std::map<int, size_t> shades;
        for (uint32_t y = seen.height / 8; y < seen.height * 7 / 8; ++y)
            for (uint32_t x = seen.width / 8; x < seen.width * 7 / 8; ++x)
                ++shades[static_cast<int>(255 * seen.values[size_t(y) * seen.width + x])];
        size_t all = 0, most = 0;
        for (const auto& [shade, count] : shades) all += count, most = std::max(most, count);
        return all - most;
    };
    const std::string figure = (folder / "figure.png").string();
    const Outcome outcome =
        run_program({"run", "build", "--device", "cpu", "--points", "uniform:12", "--steps", "0", "--figure", figure});
    if (lacks_opengl(outcome)) return;
    REQUIRE(outcome.status == 0);
    CHECK(drawn(figure) > 12);
    const Outcome film = run_program({"run", "serial", "--device", "cpu", "--points", "uniform:12", "--size", "320x200",
                                      "--steps", "9", "--every", "9", "--sequence", (folder / "s-%d.png").string()});
    INFO(film.err);
    REQUIRE(film.status == 0);
    CHECK(drawn(folder / "s-0.png") > 12);
    CHECK(drawn(folder / "s-1.png") > 100);  // edges, in the same frame
}

TEST_CASE("command line: --view chooses the direction from which a surface is drawn") {
    const auto picture = [](const std::vector<std::string>& view) {
        return picture_of_run(joined({"flip", "--mesh", "torus-knot:600", "--size", "300x200"}, view));
    };
    const std::string usual = picture({});
    if (usual.empty()) return;
    const std::string above = picture({"--view", "-90,90"});
    CHECK((above != usual));
    CHECK((above == picture({"--view", "270,90"})));
}

TEST_CASE("command line: the paraboloid is shown beside the plane, from any direction, with its upper hull") {
    const auto picture = [](const std::vector<std::string>& more) {
        return picture_of_run(joined({"flip", "--mesh", "quad:60", "--steps", "1", "--size", "640x400"}, more));
    };
    const std::string plane = picture({});
    if (plane.empty()) return;
    std::set<std::string> pictures{plane};
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--show", "paraboloid"},
                                                 {"--show", "paraboloid", "--view", "-90,0"},
                                                 {"--show", "upper-hull"},
                                                 {"--show", "paraboloid", "--inspect", "triangle:9"},
                                                 {"--show", "paraboloid", "--hide", "bowl"},
                                                 {"--show", "paraboloid", "--hide", "shadow"}})
        CHECK(pictures.insert(picture(more)).second);
    const TemporaryFolder folder;
    const std::string scenario =
        folder.file("lifted.json", R"({"lab": "flip", "mesh": "quad:60", "show": ["paraboloid"]})");
    CHECK((picture_of_run({scenario, "--steps", "1", "--size", "640x400"}) == picture({"--show", "paraboloid"})));
    const Outcome surface = run_on_cpu(
        {"flip", "--mesh", "sphere:60", "--show", "paraboloid", "--picture", (folder / "sphere.png").string()});
    CHECK(surface.status == 0);
    CHECK(has(surface.err, "no triangulation of the plane"));
}

TEST_CASE("command line: the picture of a run is reproducible") {
    const Environment threads("LP_NUM_THREADS", "4");  // of OpenGL in software: whichever comes first
    for (const std::vector<std::string>& input : {std::vector<std::string>{"flip", "--mesh", "sphere:20000"},
                                                  {"flip", "--mesh", "quad:10000", "--steps", "3"},
                                                  {"build", "--points", "uniform:3000", "--steps", "40"}}) {
        CAPTURE(input);
        const std::vector<std::string> all = joined(input, {"--size", "640x400"});
        const std::string first = picture_of_run(all);
        if (first.empty()) return;
        for (int i = 0; i < 2; ++i) CHECK((picture_of_run(all) == first));
    }
}
