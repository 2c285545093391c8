// Commands whose calls fail, each in turn: the allocations, maps of memory, kernel launches, and what they do with
// files. Such a command ends with a sentence and a status, and each of its output files is as before or whole.
// A few of each kind fail; with FLIPSCOPE_TEST_SCALE=1e4 the first call from each new call stack, alone and with all
// that follow; with 1e6 also every call alone, unless an earlier command made the same calls up to it.
// FLIPSCOPE_TEST_SHARE=k/n makes every n-th of these runs, from the k-th.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>

#include "app/base/endings.h"
#include "app/program.h"
#include "test_support.h"

using namespace flipscope;

namespace {

const std::string kPreload = "LD_PRELOAD=" FLIPSCOPE_FAILING_CALLS " ";

/// A line of the shell and the files that it writes into the folder, which exist before.
struct Command {
    std::string line;
    std::vector<std::string> outputs;
    int status = 0;  // when nothing fails
};

class Faults {
  public:
    Faults() {
        const std::string assets = FLIPSCOPE_SOURCE_DIR "/assets/";
        for (const char* name : {"cities.csv", "slivers.off", "logo.png", "airfoil.xy"})
            write_file(folder_ / name, read_file(assets + name));
        const std::string tracks = read_file(assets + "tracks.csv");
        write_file(folder_ / "tracks.csv", tracks.substr(0, tracks.find("2.5,1,")));  // five frames
        write_file(folder_ / "scenario.json",
                   R"({"lab": "flip", "mesh": "quad:60", "parameters": {"conflict": "lowest"}, "hide": ["points"]})");
        write_file(folder_ / "lesson.json", R"({"title": "Two steps", "steps": [
            {"lab": "serial", "points": [[0, 0], [10, 0], [5.3, 9.8], [5.3, 1.7]], "parameters": {"step": "flip"},
             "show": ["points"], "why": "Each triangle is empty.", "caption": "Points.", "notes": "Four.",
             "expect": {"passes": 0, "points": 4}},
            {"at": 2, "beside": true, "caption": "A triangle.", "camera": {"center": [4, 6], "zoom": 0.8},
             "highlight": ["edge:0"], "question": {"ask": "Which?", "answer": "This one.", "element": "edge:0"},
             "expect": {"triangles": 1}},
            {"play": {"to": "end", "speed": 3}, "flight": 1, "caption": "The end.", "expect": {"uninserted": 0}}]})");
        if (const char* share = std::getenv("FLIPSCOPE_TEST_SHARE"))
            REQUIRE(std::sscanf(share, "%zu/%zu", &share_, &shares_) == 2);
        REQUIRE((share_ >= 1 && share_ <= shares_));
        REQUIRE(run_shell(in_folder("$run events $small --rounds 1 --save begun.state --quiet")).status == 0);
    }

    void check(const Command& command) {
        INFO(command.line);
        before(command);
        const Outcome fine = run_shell(in_folder(command.line));
        INFO(fine.err);
        REQUIRE(fine.status == command.status);
        for (const std::string& name : command.outputs) whole_[name] = read_file(folder_ / name);
        kept_ = folder_.names();

        for (const std::string kind : {"allocations", "files", "maps"}) {
            const Calls calls = calls_of(kind, command);
            tested_[kind] += calls.count;
            tested_["new " + kind] += calls.unmade.size();
            tested_["stacks of " + kind] += calls.places.size();
            for (const bool for_good : {false, true}) {
                const size_t runs = case_count(for_good ? 3 : 9);
                const bool all = !for_good && runs > 1'000'000;
                const std::vector<size_t>& numbers = all ? calls.unmade : calls.places;
                for (size_t k = share_ - 1; k < numbers.size(); k += shares_ * (1 + (numbers.size() - 1) / runs))
                    check_run(command, variables(kind) + (for_good ? "FLIPSCOPE_FAIL_FROM=" : "FLIPSCOPE_FAIL_AT=") +
                                           std::to_string(numbers[k]) + " ");
            }
        }
        // Transfers in pieces, interrupted, are no failure.
        if (calls_of("pieces", command).count > 0) {
            const Outcome outcome = check_run(command, variables("pieces"));
            CHECK(outcome.status == command.status);
        }
        for (size_t n = share_;; n += shares_ * (1 + 180 / case_count(9))) {
            const Outcome outcome = check_run(command, "FLIPSCOPE_LOSE_DEVICE=" + std::to_string(n) + " ");
            if (outcome.status == command.status) break;
            tested_["launches"] = std::max<uint64_t>(tested_["launches"], n);
            CHECK(outcome.status == app::kFailed);
            CHECK(has(outcome.err, "the device is lost"));
        }
        MESSAGE("runs so far: ", runs_);
    }

    ~Faults() {
        std::string text;
        for (const auto& [kind, count] : tested_) text += ", " + std::to_string(count) + " " + kind;
        MESSAGE("calls", text, "; ", runs_, " runs with a failure, ", survived_, " of which did without the call");
    }

  private:
    std::string in_folder(const std::string& line) const {
        return "cd " + folder_.path().string() +
               "; run='eval \"$FLIPSCOPE\" run --device cpu --threads 2'; "
               "small='--set width=64 --set height=48'; " +
               line;
    }
    std::string variables(const std::string& kind) const {
        return "FLIPSCOPE_FAIL=" + kind + " FLIPSCOPE_FAIL_BENEATH=" + folder_.path().string() + "/ ";
    }
    void before(const Command& command) const {
        for (const std::string& name : command.outputs) write_file(folder_ / name, "before\n");
    }
    struct Calls {
        size_t count = 0;
        std::vector<size_t> places;  // the numbers of those whose callers no call had before
        std::vector<size_t> unmade;  // of those that no earlier command made after the same calls
    };
    Calls calls_of(const std::string& kind, const Command& command) {
        const TemporaryFolder elsewhere;
        const std::string file = (elsewhere / "count").string();
        before(command);
        const Outcome outcome = run_shell(
            in_folder("export " + kPreload + variables(kind) + "FLIPSCOPE_LIST_TO=" + file + "; " + command.line));
        REQUIRE(outcome.status == command.status);
        std::ifstream listed(file);
        Calls calls;
        uint64_t callers = 0, history = 0;
        while (listed >> callers) {
            ++calls.count;
            history = (history ^ callers) * 1099511628211;
            if (histories_.insert(kind + std::to_string(history)).second) calls.unmade.push_back(calls.count);
            if (known_.insert(kind + std::to_string(callers)).second) calls.places.push_back(calls.count);
        }
        return calls;
    }
    /// Runs the command with these variables.
    Outcome check_run(const Command& command, const std::string& variables) {
        before(command);
        const Outcome outcome = run_shell(in_folder("export " + kPreload + variables + "; " + command.line));
        INFO(variables << ": " << outcome.status << " " << outcome.err);
        ++runs_;
        // Where the program can do without, it goes on, with nothing to say and nothing left out.
        const bool goes_on = outcome.status == command.status;
        survived_ += goes_on;
        CHECK((goes_on || outcome.status == app::kWrongUse || outcome.status == app::kFailed));
        if (!goes_on) CHECK(is_a_sentence(outcome.err));
        for (const std::string& name : command.outputs) {
            INFO(name);
            const std::string bytes = read_file(folder_ / name);
            CHECK((is_whole(name, bytes) || (!goes_on && bytes == "before\n")));
        }
        CHECK(folder_.names() == kept_);
        return outcome;
    }
    /// Times in a JSON file differ from run to run.
    bool is_whole(const std::string& name, const std::string& bytes) const {
        if (name.ends_with("json")) return nlohmann::json::accept(bytes);
        return bytes == whole_.at(name);
    }

    TemporaryFolder folder_;
    std::map<std::string, std::string> whole_;
    std::vector<std::string> kept_;
    std::set<std::string> known_, histories_;  // kinds, with a hash of callers
    std::map<std::string, uint64_t> tested_;
    uint64_t runs_ = 0, survived_ = 0;
    size_t share_ = 1, shares_ = 1;
};

}  // namespace

TEST_CASE("faults: whichever call fails, a command ends in a sentence and leaves outputs as before or whole") {
    Faults faults;
    faults.check({"\"$FLIPSCOPE\" --help >help", {}});
    faults.check({"\"$FLIPSCOPE\" list >list", {}});
    faults.check({"\"$FLIPSCOPE\" read cities.csv --json read.json --quiet", {"read.json"}});
    faults.check(
        {"$run build --input cities.csv --export mesh.ply --export points.npz --json run.json --plot curves.csv "
         "--quiet",
         {"mesh.ply", "points.npz", "run.json", "curves.csv"}});
    // Figures alone, because each run with one opens OpenGL.
    faults.check({"$run build --input cities.csv --figure mesh.svg --quiet", {"mesh.svg"}});
    faults.check({"$run build --points uniform:4 --figure v.png --figure-size 160x120 --quiet", {"v.png"}});
    faults.check({"$run scenario.json --check --export mesh.obj --json -", {"mesh.obj"}});
    faults.check({"$run serial --json - <airfoil.xy --input -", {}});
    faults.check({"$run voronoi --field logo.png --set count=20 --export colours.npy --quiet", {"colours.npy"}});
    faults.check(
        {"$run events --tracks tracks.csv --export events.csv --json run.json --quiet", {"events.csv", "run.json"}});
    faults.check({"$run --resume begun.state --rounds 1 --save ended.state --json - --quiet", {"ended.state"}});
    faults.check({"\"$FLIPSCOPE\" check slivers.off --export failures.csv --sarif check.json --quiet",
                  {"failures.csv", "check.json"},
                  app::kCheckFailed});
    faults.check({"$run lesson.json --export lesson.html --quiet", {"lesson.html"}});
    faults.check({"$run flip --points uniform:50 --sweep start=insertion,sweep --curve queued --plot sweep.csv --quiet",
                  {"sweep.csv"}});
    faults.check(
        {"\"$FLIPSCOPE\" shrink --lab build --points near-grid:16 --set predicate=float --threads 2 --out "
         "shrunk.xy --quiet",
         {"shrunk.xy"}});
    faults.check({"\"$FLIPSCOPE\" predicate incircle airfoil.xy 0 1 2 3 --json sign.json --quiet", {"sign.json"}});
    faults.check({"$run strips --points uniform:180000 --quiet --json run.json", {"run.json"}});
}

TEST_CASE("faults: an unknown option is refused in a sentence where every allocation fails") {
    const Outcome refused =
        run_shell("FLIPSCOPE_FAIL=allocations FLIPSCOPE_FAIL_FROM=900 " + kPreload + "\"$FLIPSCOPE\" run build --chek");
    CHECK((refused.status == app::kWrongUse || refused.status == app::kFailed));
    CHECK(is_a_sentence(refused.err));
}
