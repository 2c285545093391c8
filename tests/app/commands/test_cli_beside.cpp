// Two pictures side by side from the command line.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/images/images.h"
#include "app/program.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;
using Json = nlohmann::json;

TEST_CASE("command line: --beside draws another moment, or another input, at the left of the run") {
    check_refused({"run", "flip", "--device", "cpu", "--beside", "3"}, "--beside 3: it is of pictures");
    const TemporaryFolder folder;
    const ForgiveLeaks forgive;
    const auto draw = [&](const std::string& steps, const std::string& beside, const std::string& file) {
        return run_program({"run", "flip", "--device", "cpu", "--points", "uniform:60", "--steps", steps, "--size",
                            "400x200", "--no-legend", "--beside", beside, "--picture", (folder / file).string(),
                            "--json", "-"});
    };
    const Outcome late = draw("12", "3", "late.png");
    if (lacks_opengl(late)) return;
    INFO(late.err);
    REQUIRE(late.status == 0);
    REQUIRE(draw("3", "3", "same.png").status == 0);
    REQUIRE(draw("3", "halton:60", "input.png").status == 0);
    const auto half = [&](const std::string& file, bool right) {
        const FieldStack picture = read_any_field(folder / file);
        std::vector<float> pixels;
        for (uint32_t y = 0; y < 200; ++y)
            for (uint32_t x = right ? 203 : 3; x < (right ? 397u : 197u); ++x)
                pixels.push_back(picture.values.at(y * size_t(400) + x));
        return pixels;
    };
    constexpr double kShade = 0.01;  // of white, in the mean
    const auto apart = [](const std::vector<float>& a, const std::vector<float>& b) {
        double sum = 0;
        for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
        return sum / static_cast<double>(a.size());
    };
    // The kept moment is drawn as the run itself is that stands there.
    CHECK(apart(half("late.png", false), half("same.png", false)) < kShade);
    CHECK(apart(half("same.png", true), half("same.png", false)) < kShade);
    CHECK(apart(half("late.png", true), half("late.png", false)) > 3 * kShade);
    CHECK(apart(half("input.png", false), half("same.png", false)) > 3 * kShade);
    // It changes no result.
    const Outcome plain =
        run_program({"run", "flip", "--device", "cpu", "--points", "uniform:60", "--steps", "12", "--json", "-"});
    CHECK(Json::parse(late.out)["state_hash"] == Json::parse(plain.out)["state_hash"]);
    // A vector drawing has both with their captions.
    const std::string svg = (folder / "two.svg").string();
    REQUIRE(run_program({"run", "build", "--device", "cpu", "--points", "uniform:40", "--quiet", "--beside",
                         "halton:30", "--figure", svg})
                .status == 0);
    CHECK(has(read_file(svg), "halton:30, the end"));
    CHECK(has(read_file(svg), "uniform:40, the end"));
    check_refused({"run", "particles", "--device", "cpu", "--points", "uniform:40", "--set", "steps=none", "--rounds",
                   "2", "--beside", "end", "--figure", svg},
                  "--beside end: the run has no end with steps=none; give the number of passes instead");
    check_refused(
        {"run", "flip", "--device", "cpu", "--points", "uniform:60", "--beside", "9999", "--picture", svg + ".png"},
        "--beside 9999: the run has only");
}
