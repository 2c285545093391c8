// Pictures from the command line; by themselves, since they need OpenGL.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

TEST_CASE("command line: a picture is a PNG of the size asked for, and changes no result") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const std::string file = (folder / "picture.png").string();
    const Outcome outcome = run_program({"run", "build", "--device", "cpu", "--points", "uniform:300", "--picture",
                                         file, "--size", "320x200", "--json", "-"});
    if (outcome.status == 2 && (has(outcome.err, "EGL") || has(outcome.err, "OpenGL"))) {
        skip(outcome.err);
        return;
    }
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const std::string png = read_file(file);
    REQUIRE(png.size() > 1000);
    CHECK(png.substr(1, 3) == "PNG");
    CHECK(png.substr(16, 8) == std::string("\x00\x00\x01\x40\x00\x00\x00\xc8", 8));
    const Json plain =
        Json::parse(run_program({"run", "build", "--device", "cpu", "--points", "uniform:300", "--json", "-"}).out);
    CHECK(Json::parse(outcome.out)["state_hash"] == plain["state_hash"]);
    CHECK(Json::parse(outcome.out)["triangulation_hash"] == plain["triangulation_hash"]);
}

TEST_CASE("command line: a surface is drawn from a side of one's choice") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const std::string picture = (folder / "knot.png").string();
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> all{"run", "flip", "--device", "cpu", "--mesh", "torus-knot:600", "--json", "-"};
        all.insert(all.end(), more.begin(), more.end());
        return run_program(all);
    };
    const auto draw = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--picture", picture, "--size", "300x200"});
        const Outcome outcome = run(more);
        INFO(outcome.err);
        CHECK((outcome.status == 0 || has(outcome.err, "EGL") || has(outcome.err, "OpenGL")));
        return outcome.status == 0 ? read_file(picture) : std::string();
    };
    const std::string plain = draw({});
    if (plain.empty()) {
        skip("no OpenGL for a picture here");
        return;
    }
    // Files of other pictures have other sizes.
    const auto apart = [&](const std::string& a, const std::string& b) {
        return std::abs(static_cast<double>(a.size()) - static_cast<double>(b.size())) /
               static_cast<double>(plain.size());
    };
    const std::string top = draw({"--view", "-90,90"});
    CHECK((draw({}) == plain));
    CHECK(apart(draw({"--angles"}), plain) > 0.02);
    CHECK(apart(top, plain) > 0.1);
    CHECK((draw({"--view", "270,90"}) == top));
}

TEST_CASE("command line: the picture of a run has the same bytes every time") {
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const Environment threads("LP_NUM_THREADS", "4");  // of OpenGL in software: whichever comes first
    const std::string picture = (folder / "picture.png").string();
    for (const std::vector<std::string>& input : {std::vector<std::string>{"flip", "--mesh", "sphere:20000"},
                                                  {"flip", "--mesh", "quad:10000", "--steps", "3"},
                                                  {"build", "--points", "uniform:3000", "--steps", "40"}}) {
        CAPTURE(input);
        std::vector<std::string> all{"run"};
        all.insert(all.end(), input.begin(), input.end());
        all.insert(all.end(), {"--device", "cpu", "--picture", picture, "--size", "640x400"});
        std::string first;
        for (int i = 0; i < 5; ++i) {
            const Outcome outcome = run_program(all);
            if (outcome.status == 2 && (has(outcome.err, "EGL") || has(outcome.err, "OpenGL"))) {
                skip(outcome.err);
                return;
            }
            INFO(outcome.err);
            REQUIRE(outcome.status == 0);
            if (i == 0) first = read_file(picture);
            CHECK((read_file(picture) == first));
        }
    }
}
