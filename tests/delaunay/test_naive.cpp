// sanitizers: none
// The naive predicates are exhibits: the result may be wrong, but runs must end, and report cycles.
#include <algorithm>
#include <string>

#include "delaunay/constructions/insertion.h"
#include "delaunay/runs.h"

using namespace flipscope;

namespace {

struct NaiveRun {
    bool cycled = false;
    uint64_t marked = 0;
    uint64_t state_hash = 0;
    uint32_t rounds = 0;
    std::string message;
};

NaiveRun run_naive(Context& context, const Input& input, const Settings& settings, bool by_steps) {
    NaiveRun run;
    const auto lab = started(context, input, "build", settings);
    const auto listen = [&](const StepResult& result) {
        run.message += result.message.text();
        run.rounds = std::max(run.rounds, result.round);
    };
    if (by_steps)
        while (!lab->done()) listen(lab->step());
    else
        lab->finish(listen);
    CHECK(lab->done());
    CHECK(lab->next_pass() == kNone);
    run.cycled = contains(run.message, "The flips cycle");
    if (lab->scene().mesh && lab->scene().mesh->records_states())
        run.marked = count_edges_in_state(*lab, kStateCycling);
    run.state_hash = lab->state_hash();
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK(report.broken_references == 0);
    if (run.cycled) CHECK_FALSE(report.passed);
    return run;
}

}  // namespace

TEST_CASE("naive predicates: every generator ends, in float and in double, and the mesh's references are sound") {
    const size_t n = case_count(100'000), n_far = case_count(20'000);
    Context context(DeviceRequest::kCpu, 2);
    for (const GeneratorInfo& generator : generators())
        for (const char* predicate :
             {"predicate=float", "predicate=double", "predicate=float-circumcentre", "predicate=double-circumcentre"})
            for (const char* offset : {"", "@x=1e6,y=-1e6"}) {
                // Half of all pairs, which takes half the time.
                if (generator.makes != GeneratorOutput::kPoints) continue;
                const bool circumcentre = std::string(predicate).ends_with("circumcentre");
                if (circumcentre != (*offset != 0) && generator.name != "near-grid") continue;
                const Input input = generated(generator, *offset ? n_far : n, offset);
                INFO(input->name, " ", predicate);
                run_naive(context, input, {predicate}, false);
            }
}

TEST_CASE("naive predicates: runs on difficult inputs end, with all parameters") {
    on_every_device([&](Context& context) {
        for (const Input& input : hard_inputs())
            for (const char* predicate : {"predicate=float", "predicate=double", "predicate=float-circumcentre",
                                          "predicate=double-circumcentre"})
                for (const Settings& more : {Settings{}, Settings{"flips=off"}, Settings{"flip_limit=1", "vote=lowest"},
                                             Settings{"enclosure=supertriangle", "conflict=hashed"}}) {
                    if (!more.empty() && !std::string(predicate).ends_with("circumcentre")) continue;
                    Settings settings = more;
                    settings.push_back(predicate);
                    const bool too_large =
                        more.size() == 2 && more[0] == "enclosure=supertriangle" &&
                        (input->name == "every magnitude" || input->name == "the borders of the range");
                    if (too_large) continue;
                    INFO(input->name, " ", predicate, " ", more.empty() ? "" : more[0]);
                    const NaiveRun steps = run_naive(context, input, settings, true);
                    const NaiveRun whole = run_naive(context, input, settings, false);
                    CHECK(steps.state_hash == whole.state_hash);
                    CHECK(steps.cycled == whole.cycled);
                    CHECK(steps.message.empty() == whole.message.empty());
                    CHECK((steps.marked > 0) == steps.cycled);
                }
    });
}

TEST_CASE("naive predicates: flips that repeat themselves are found, said and marked, stepping or not") {
    // Grids of 0.1 and exact rings: both diagonals of a cocircular quadrilateral look illegal.
    size_t cycles = 0;
    on_every_device([&](Context& context) {
        for (const char* predicate :
             {"predicate=float", "predicate=double", "predicate=float-circumcentre", "predicate=double-circumcentre"})
            for (const Input& input : {make_input("grid of 0.1", lattice(100, 100, 0.1, {0, 0})),
                                       make_input("grid of 0.1, far", lattice(60, 60, 0.1, {1000, 1000})),
                                       generated("ring:10000"), generated("near-ring:10000")}) {
                INFO(input->name, " ", predicate);
                const NaiveRun steps = run_naive(context, input, {predicate}, true);
                const NaiveRun whole = run_naive(context, input, {predicate}, false);
                CHECK(steps.cycled == whole.cycled);
                CHECK(steps.state_hash == whole.state_hash);
                CHECK((steps.marked > 0) == steps.cycled);
                CHECK(whole.marked == steps.marked);  // finish() leaves behind what stepping does
                cycles += steps.cycled;
            }
    });
    if (!devices_under_test().empty()) CHECK(cycles >= devices_under_test().size());
}

TEST_CASE("naive predicates: points that are equal as floats do not take a round each") {
    // At 1e12 a float's neighbours are 65536 apart: every orientation is 0.
    Context context(DeviceRequest::kCpu, 2);
    const NaiveRun run =
        run_naive(context, generated("uniform:2000@x=1e12,y=1e12"), {"predicate=float-circumcentre"}, false);
    CHECK(run.rounds < 200);
}
