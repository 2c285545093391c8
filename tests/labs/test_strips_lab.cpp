// The Strips lab: drawings and reports while points become chains, chains a mesh, and the mesh Delaunay.
#include "delaunay/inputs.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

namespace {

/// As many passes as named, from the start.
std::unique_ptr<Lab> after_passes(Context& context, const Input& input, int passes) {
    auto lab = make_lab("strips");
    lab->set_records_states(true);
    lab->reset(context, input);
    for (int i = 0; i < passes; ++i) lab->step();
    return lab;
}

uint32_t edges_with(State mask, const Scene& scene) {
    const auto& edges = std::get<SegmentsLayer>(scene.layer("edges")->shape);
    const std::vector<State> states = edges.states->download();
    uint32_t count = 0;
    for (uint32_t e = 0; e < edges.count; ++e) count += (states[e] & mask) != 0;
    return count;
}
uint32_t fresh_edges(const Scene& scene) { return edges_with(kStateFresh, scene); }

}  // namespace

TEST_CASE("strips lab: chains are drawn until all are joined, and every edge is new in the pass that makes it") {
    on_every_device([&](Context& context) {
        const Input input = generated("uniform:300");
        const auto lab = after_passes(context, input, 2);
        const auto chains = [&] { return std::get<PolylinesLayer>(lab->scene().layer("chains")->shape).count; };
        const uint32_t strips = chains();
        CHECK(strips > 10);
        CHECK(strips < 20);
        uint32_t made = fresh_edges(lab->scene());
        CHECK(made == 300 - strips);  // a chain of k points has k - 1
        lab->step();
        const uint32_t zipped = fresh_edges(lab->scene());
        CHECK(zipped > 300);
        CHECK(chains() == strips);
        lab->step();
        made += zipped + fresh_edges(lab->scene());
        CHECK(made == 3 * 300 - 3);
        CHECK(chains() == 0);
        lab->step();
        CHECK(fresh_edges(lab->scene()) == 0);
        while (!lab->done()) lab->step();
        CHECK(edges_with(static_cast<State>(~0), lab->scene()) == 0);
    });
}
