// Runs the code in docs/labs/recording.md unchanged, and opens the files that it writes.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/program.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

const std::string kSource = FLIPSCOPE_SOURCE_DIR;

/// The code of the page between the fence of this language and the next one.
std::string sample(const std::string& language) {
    const std::string page = read_file(kSource + "/docs/labs/recording.md"), fence = "```" + language + "\n";
    const size_t begin = page.find(fence), end = page.find("```\n", begin + fence.size());
    REQUIRE(begin != page.npos);
    REQUIRE(end != page.npos);
    return page.substr(begin + fence.size(), end - begin - fence.size());
}

bool there_is(const std::string& command) { return run_shell("command -v " + command + " > /dev/null").status == 0; }

Json opened(const std::filesystem::path& file, int status) {
    return json_of_run({"recording", "--input", file.string(), "--stepped"}, status);
}

}  // namespace

TEST_CASE("docs: the Python sample that writes a recording works, and makes the sample in assets") {
    if (!there_is("python3")) return skip("there is no python3");
    const std::string code = sample("python");
    CHECK(count_of(code, "\n") <= 30);
    const TemporaryFolder folder;
    write_file(folder / "write.py", code);
    const Outcome ran = run_shell("cd '" + folder.path().string() + "' && python3 write.py");
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    const std::string written = read_file(folder / "bowyer-watson.jsonl");
    CHECK(written == read_file(kSource + "/assets/bowyer-watson.jsonl"));
    CHECK(written.size() < 10'000);
    const Json run = opened(folder / "bowyer-watson.jsonl", 0);
    CHECK(run["lab"] == "recording");
    CHECK(run["check"]["passed"] == true);
}

TEST_CASE("docs: the C++ sample that writes a recording works, and its broken steps are found") {
    if (!there_is("c++")) return skip("there is no C++ compiler of that name");
    const std::string code = sample("cpp");
    CHECK(count_of(code, "\n") <= 30);
    const TemporaryFolder folder;
    write_file(folder / "write.cpp", code);
    const Outcome ran =
        run_shell("cd '" + folder.path().string() + "' && c++ -std=c++17 -Wall -Werror write.cpp -o write && ./write");
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    const Json run = opened(folder / "fan.jsonl", 1);
    CHECK(run["check"]["passed"] == false);
}
