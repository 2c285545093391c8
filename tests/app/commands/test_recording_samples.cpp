// Runs the code in docs/labs/recording.md unchanged, and opens the files that it writes.
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

struct Sample {
    std::string language, program, source, command, written;
    int status;  // of a run on what it writes
};

}  // namespace

TEST_CASE("docs: both samples that write a recording work, and the broken steps of one are found") {
    for (const Sample& one :
         {Sample{"python", "python3", "write.py", "python3 write.py", "bowyer-watson.jsonl", 0},
          {"cpp", "c++", "write.cpp", "c++ -std=c++17 -Wall -Werror write.cpp -o write && ./write", "fan.jsonl", 1}}) {
        CAPTURE(one.language);
        if (run_shell("command -v " + one.program + " > /dev/null").status != 0) {
            skip("there is no " + one.program);
            continue;
        }
        const std::string code = sample(one.language);
        CHECK(count_of(code, "\n") <= 30);
        const TemporaryFolder folder;
        write_file(folder / one.source, code);
        const Outcome ran = run_shell("cd '" + folder.path().string() + "' && " + one.command);
        INFO(ran.err);
        REQUIRE(ran.status == 0);
        const Json run =
            json_of_run({"recording", "--input", (folder / one.written).string(), "--stepped"}, one.status);
        CHECK(run["check"]["passed"] == (one.status == 0));
        if (one.status == 0)
            CHECK(read_file(folder / one.written) == read_file(kSource + "/assets/bowyer-watson.jsonl"));
    }
}
