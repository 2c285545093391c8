// sanitizers: address thread
// Every lab, cancelled at polls all over a run: continued afterwards, it has the same result. Polls are counted, so
// that each case is the same each time.
#include <memory>

#include "cancel_polls.h"
#include "delaunay/inputs.h"
#include "instruments/timeline.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Case {
    std::string lab, points;
    std::vector<std::string> settings;
    uint64_t items;  // points or sites, of which no pass may take more than a few between two polls
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"build", "clusters:6000@seed=3", {}, 6000},
        {"build", "grid:6000", {"predicate=float-circumcentre"}, 6000},
        {"serial", "uniform:3000", {}, 3000},
        {"strips", "clusters:6000", {}, 6000},
        {"subdivide", "clusters:3000", {}, 3000},
        {"race-builds", "clusters:2000", {}, 2000},
        {"flip", "quad:5000", {}, 5000},
        {"flip", "sphere:3000", {}, 3000},
        {"flip", "uniform:5000", {"start=sweep"}, 5000},
        {"flip", "uniform:3000", {"start=scrambled"}, 3000},
        {"flip", "uniform:3000", {"start=moved"}, 3000},
        {"flip", "ring:2000", {"start=fan"}, 2000},
        {"race", "torus-knot:2000", {}, 2000},
        {"voronoi", "", {"width=200", "height=200", "count=300", "lloyd=2", "compare=on"}, 40'000},
        {"voronoi", "", {"width=200", "height=200", "count=300", "method=every-site"}, 40'000},
        {"voronoi", "", {"width=200", "height=200", "count=300", "method=jump-flooding"}, 40'000},
        {"voronoi", "", {"width=200", "height=200", "count=300", "borders=periodic", "compare=on"}, 40'000},
        {"voronoi", "uniform:5000", {"width=100", "height=100", "data=points", "count=50", "lloyd=2"}, 10'000},
        {"events", "", {"width=200", "height=200", "comparisons=3", "count=60"}, 40'000},
        {"events", "", {"width=200", "height=200", "comparisons=2", "source=shear", "count=40"}, 40'000},
        {"events", "", {"width=128", "height=128", "comparisons=1", "source=emulsion", "count=6"}, 16'384},
        {"events", "", {"width=128", "height=128", "comparisons=2", "source=particles", "count=60"}, 16'384},
        {"microscope", "", {"width=200", "height=200", "sign_of=in-circle"}, 40'000},
        {"particles", "clusters:2000", {"steps=4", "force=none", "record=2", "push_limit=3"}, 2000},
        {"race-predicates", "clusters:2000", {}, 2000},
        {"judge", "clusters:2000", {}, 2000},
        {"recording", "clusters:2000", {}, 2000},
    };
    return all;
}

/// One run, with the flag that ends it.
struct Run {
    explicit Run(const Case& given, int threads) : context(DeviceRequest::kCpu, threads), scope(flag) {
        context.set_cancel_flag(flag);
        auto lab = make_lab(given.lab);
        for (const std::string& setting : given.settings) set_parameter(*lab, setting);
        timeline = std::make_unique<Timeline>(std::move(lab));
        input = std::make_shared<Geometry>();
        if (!given.points.empty()) input = generated(given.points);
    }
    /// Runs it to the end, and describes the final state.
    uint64_t go_on() {
        if (!timeline->usable()) timeline->reset(context, input);
        timeline->run_to_end();
        if (const auto* measurable = find_facet<Measurable>(timeline->lab()))
            measurable->statistics().all<Distribution>();
        timeline->lab().result();
        facet<Checkable>(timeline->lab()).check();
        return timeline->lab().state_hash();
    }
    CancelFlag flag;
    Context context;
    CancelScope scope;
    std::unique_ptr<Timeline> timeline;
    std::shared_ptr<const Geometry> input;
};

}  // namespace

TEST_CASE("cancelling: every lab ends at whichever look finds the flag set, and gets to the same end afterwards") {
    const size_t most = std::max<size_t>(2, case_count(24));
    for (const Case& given : cases()) {
        INFO(given.lab << " " << given.points << (given.settings.empty() ? "" : " " + given.settings.back()));
        Run whole(given, 1);
        uint64_t hash = 0, count = 0;
        {
            PollObserver polls(whole.flag);
            hash = whole.go_on();
            count = polls.count();
        }
        // Passes over all items look at least so often; fewer looks in a whole run would be a serial one without any.
        CHECK(count >= given.items / kItemsPerPoll);
        for (size_t attempt = 0; attempt < most; ++attempt) {
            const uint64_t at = 1 + attempt * (count - 1) / (most - 1);
            CAPTURE(at);
            Run run(given, attempt % 2 ? 2 : 1);
            {
                PollObserver polls(run.flag, at);
                try {
                    run.go_on();
                    CHECK(polls.count() < at);  // several threads: there were fewer
                } catch (const Cancelled&) {
                }
            }
            if (run.timeline->can_recover()) run.timeline->recover();
            CHECK(run.go_on() == hash);
        }
    }
}
