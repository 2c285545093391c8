// Parameters that change during a run without a window: a change happens at the requested step, is reported, and is
// stored in a saved run. The real program is started.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/folders.h"
#include "app/program.h"
#include "app/run/report.h"
#include "instruments/timeline.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using Json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

const Arguments kSmall{"particles", "--set",    "config=c2", "--set",   "count=50",
                       "--set",     "steps=12", "--set",     "record=3"};

Outcome small_run(const Arguments& more) { return run_on_cpu(joined(kSmall, more)); }
Json small_json(const Arguments& more) { return json_of_run(joined(kSmall, more)); }

/// Parameters are changed at the end of a round, as the window does it.
std::string hash_live(uint32_t round, const std::vector<Parameter>& values) {
    Context context(DeviceRequest::kCpu, 1);
    auto lab = make_lab("particles");
    for (const char* setting : {"config=c2", "count=50", "steps=12", "record=3"}) set_parameter(*lab, setting);
    Timeline timeline(std::move(lab));
    timeline.reset(context, std::make_shared<const Geometry>());
    while (timeline.position() == 0 ? round > 0
                                    : timeline.history()[timeline.position() - 1].round < round ||
                                          timeline.history()[timeline.position() - 1].ended < Level::kRound)
        timeline.step();
    Edit change;
    change.kind = Edit::Kind::kAdjust;
    change.values = values;
    timeline.edit(change);
    timeline.run_to_end();
    return app::hash_text(timeline.lab().state_hash());
}

void small_refused(const Arguments& more, const std::string& part) {
    const Outcome outcome = small_run(more);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(has(outcome.err, part));
}

}  // namespace

TEST_CASE("adjust: parameters change at the end of a round as in the window, for every extent of the run") {
    for (const uint32_t round : {0u, 5u, 12u}) {
        const std::string at = std::to_string(round) + ":";
        const std::string live = hash_live(round, {{"dt", "0.002"}, {"diffusion", "0.5"}});
        const Arguments together{"--adjust", at + "dt=0.002,diffusion=0.5"},
            apart{"--adjust", at + "diffusion=0.5", "--adjust", at + "dt=0.002"};
        for (const Arguments& asked : {together, joined(apart, {"--stepped"}), joined(apart, {"--rounds", "12"})}) {
            const Json json = small_json(asked);
            CHECK(json["state_hash"] == live);
            REQUIRE(json["adjusted"].size() == 1);
            CHECK(json["adjusted"][0]["round"] == round);
            CHECK(json["adjusted"][0]["parameters"] == Json{{"dt", 0.002}, {"diffusion", 0.5}});
            CHECK(json["parameters"]["dt"] == 0.01);  // as the run began
            CHECK_FALSE(json["finish_ms"].is_null());
        }
    }
    // Rounds are whole unless something observes their passes.
    const Json whole = small_json({"--rounds", "12"});
    const Json by_pass = small_json({"--rounds", "12", "--until", "illegal > 1000000000"});
    CHECK(whole["passes"].size() == 12);
    CHECK(by_pass["passes"].size() > 12);
    CHECK(whole["state_hash"] == by_pass["state_hash"]);
    CHECK(small_json({})["state_hash"] != hash_live(5, {{"dt", "0.002"}}));
    CHECK_FALSE(small_json({}).contains("adjusted"));
    CHECK(has(small_run({"--adjust", "5:dt=0.002"}).out, "changed            dt=0.002 after round 5"));
}

TEST_CASE("adjust: changes are made in the order of their rounds, and can make a run longer") {
    const Json json = small_json({"--adjust", "12:steps=20", "--adjust", "4:dt=0.002", "--adjust", "15:dt=0.03"});
    CHECK(json["results"]["rounds"] == 20);
    REQUIRE(json["adjusted"].size() == 3);
    CHECK(json["adjusted"][0]["round"] == 4);
    CHECK(json["adjusted"][2]["round"] == 15);
}

TEST_CASE("adjust: a saved and resumed run ends like the unbroken one, with the same frames") {
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string(), one = (folder / "one.xyz").string(),
                      two = (folder / "two.xyz").string();
    const Json unbroken = small_json(
        {"--adjust", "4:dt=0.002,config=custom,diameter_1=1.1", "--adjust", "9:diffusion=1,record=1", "--export", one});
    for (const char* rounds : {"3", "4", "6", "9"}) {
        INFO(rounds);
        const bool first = std::stoi(rounds) >= 4;  // is made before the break
        const bool second = std::stoi(rounds) >= 9;
        Arguments before{"--rounds", rounds, "--save", file}, after{"--resume", file, "--export", two};
        for (const auto& [made, what] :
             {std::pair{first, "4:dt=0.002,config=custom,diameter_1=1.1"}, std::pair{second, "9:diffusion=1,record=1"}})
            for (const std::string& word : {std::string("--adjust"), std::string(what)})
                (made ? before : after).push_back(word);
        small_json(before);
        const Json resumed = json_of_run(after);
        for (const char* key : {"state_hash", "adjusted", "parameters", "results", "curves", "histograms"})
            CHECK(resumed[key] == unbroken[key]);
        CHECK(read_file(one) == read_file(two));
    }
}

TEST_CASE("adjust: impossible changes are refused with a sentence") {
    small_refused({"--adjust", "5"}, "--adjust: expected ROUND:NAME=VALUE,…, such as 1000:dt=0.001, found \"5\"");
    for (const char* wrong : {"5:dt", "-5:dt=1", "5:dt=1,"})
        small_refused({"--adjust", wrong}, "expected ROUND:NAME=VALUE");
    small_refused({"--adjust", "5:dt=no"}, "--adjust 5:dt=no: expected 1e-09 … 100, found \"no\"");
    small_refused({"--adjust", "5:dt=1", "--adjust", "5:dt=2"}, "dt is given twice for the same step");
    small_refused({"--adjust", "5:config=abp-dense"}, "--adjust 5:config=abp-dense: there are 2 species");
    check_refused({"run", "build", "--points", "uniform:50", "--adjust", "1:predicate=float-circumcentre"},
                  "The Build lab changes no parameters during a run; the Particles lab and the Predicate "
                  "microscope do.");
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string();
    REQUIRE(small_run({"--rounds", "5", "--save", file, "--quiet"}).status == 0);
    check_refused({"run", "--resume", file, "--adjust", "4:dt=1", "--quiet"}, "has already made 5 rounds");
}

TEST_CASE("adjust: a round after the end of the run is an error, reported once everything else is written") {
    const TemporaryFolder folder;
    const std::string json = (folder / "run.json").string();
    small_refused({"--adjust", "50:dt=0.1", "--json", json, "--quiet"},
                  "--adjust 50:dt=0.1: the run ended after round 12, before that");
    CHECK(folder.names() == std::vector<std::string>{"run.json"});
}

TEST_CASE("adjust: tracks are written if any part of the run recorded them, and refused otherwise") {
    const TemporaryFolder folder;
    const std::string tracks = (folder / "tracks.xyz").string(), array = (folder / "tracks.npy").string();
    const auto frames_of = [&] {
        const size_t frames = count_of(read_file(tracks), "Lattice=");
        std::filesystem::remove(tracks);
        return frames;
    };
    // Recording ends, or begins, on the way.
    CHECK(small_run({"--adjust", "7:record=off", "--export", tracks}).status == 0);
    CHECK(frames_of() == 3);  // 0, 3, 6
    CHECK(small_run({"--set", "record=off", "--adjust", "7:record=2", "--export", tracks, "--export", array}).status ==
          0);
    CHECK(frames_of() == 3);  // 8, 10, 12
    CHECK(small_run({"--set", "record=off", "--adjust", "0:record=6", "--export", tracks}).status == 0);
    CHECK(frames_of() == 3);  // with the start
    small_refused({"--set", "record=off", "--adjust", "7:dt=0.02", "--export", tracks}, "no positions are recorded");
    // Where that round does not come, all else is written.
    const std::string json = (folder / "run.json").string();
    const Outcome early = small_run(
        {"--set", "record=off", "--adjust", "11:record=1", "--rounds", "4", "--export", tracks, "--json", json});
    CHECK(early.status == 2);
    CHECK(std::filesystem::exists(json));
}

TEST_CASE("steps=none: an endless run needs --rounds, and can be resumed") {
    small_refused({"--set", "steps=none"}, "the run has no end with steps=none; say with --rounds how far it goes");
    small_refused({"--set", "steps=none", "--stepped"}, "say with --rounds");
    small_refused({"--adjust", "3:steps=none"}, "say with --rounds");
    CHECK(small_json({"--set", "steps=none", "--adjust", "3:steps=7"})["results"]["rounds"] == 7);
    const TemporaryFolder folder;
    const std::string file = (folder / "run.state").string();
    const Json whole = small_json({"--set", "steps=none", "--rounds", "9"});
    CHECK(whole["finish_ms"].is_null());
    small_json({"--set", "steps=none", "--rounds", "4", "--save", file});
    CHECK(json_of_run({"--resume", file, "--rounds", "5"})["state_hash"] == whole["state_hash"]);
    check_refused({"run", "--resume", file, "--quiet"}, "say with --rounds how far it goes");
    // A limit can be set inside it.
    CHECK(json_of_run({"--resume", file, "--adjust", "5:steps=6"})["results"]["rounds"] == 6);
}
