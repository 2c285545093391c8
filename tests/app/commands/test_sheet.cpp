// `flipscope sheet`, and the legend of `flipscope run --picture`, through the real program.
#include <string>

#include "app/images/images.h"
#include "app/program.h"
#include "geometry/frames.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

TEST_CASE("sheet: every lab is on it, checked, with its input") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const auto file = folder / "labs.png";
    const Outcome outcome =
        run_program({"sheet", "--device", "cpu", "--check", "--size", "1200x540", "--picture", file.string()});
    INFO(outcome.err);
    if (lacks_opengl(outcome)) return;
    REQUIRE(outcome.status == 0);
    const FieldStack sheet = app::read_any_field(file);
    CHECK(sheet.width == 1200);
    CHECK(sheet.height == 540);
    CHECK(std::filesystem::file_size(file) > 50000);  // pictures, not an empty ground
    for (const auto& entry : registry()) {
        const auto algorithm = entry.make();
        CAPTURE(entry.id);
        const std::string example = algorithm->info().example;
        CHECK(has(outcome.out, algorithm->info().title + ": " + example.substr(0, example.find(':'))));
    }
    CHECK(has(outcome.out, "check: Delaunay"));
    CHECK_FALSE(has(outcome.out, "nothing was checked"));  // those that go on for longer, too
    CHECK(has(outcome.out, "labs.png"));
    CHECK(folder.names() == std::vector<std::string>{"labs.png"});
}

TEST_CASE("sheet: impossible sheets are refused before any run") {
    check_refused({"sheet"}, "--picture");
    check_refused({"sheet", "--picture", "labs.jpg"}, ".png");
    check_refused({"sheet", "--picture", "/no such folder/labs.png"}, "there is no folder");
    check_refused({"sheet", "--picture", "labs.png", "--size", "300x200"}, "240 × 180 pixels for each");
    check_refused({"sheet", "--picture", "labs.png", "--points", "uniform:10"}, "--points");
    check_refused({"sheets"}, "did you mean \"sheet\"?");
}

TEST_CASE("command line: pictures of a minimum size have a legend by default") {
    const std::vector<std::string> run{"build", "--points", "uniform:60", "--steps", "14"};
    const auto draw = [&](const std::vector<std::string>& more) { return picture_of_run(joined(run, more)); };
    const std::string large = draw({"--size", "640x400"});
    if (large.empty()) return;
    CHECK((draw({"--size", "640x400", "--legend"}) == large));
    CHECK((draw({"--size", "640x400", "--no-legend"}) != large));
    const std::string small = draw({"--size", "320x200"});
    CHECK((draw({"--size", "320x200", "--no-legend"}) == small));
    CHECK((draw({"--size", "320x200", "--legend"}) != small));
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const std::vector<std::string> least{"--size", "60x40", "--legend", "--picture", (folder / "least.png").string()};
    CHECK(has(run_on_cpu(joined(run, least)).err, "no room for its legend"));
}
