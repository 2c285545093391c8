// The inspector on a lab without a session.
#include "app/session/inspector.h"

#include "app/session/lab_bench.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

auto with_id(uint32_t vertex) {
    return [vertex](const Lab&) { return Element{ElementKind::kVertex, vertex}; };
}

}  // namespace

TEST_CASE("inspector: a newer request replaces a queued one, and a missing element is a note") {
    LabBench bench("build", "uniform:60");
    if (!bench) return;
    Inspector inspector(*bench.worker);
    inspector.request_element(with_id(3));
    const uint64_t request = inspector.request_element(with_id(7));
    CHECK(bench.worker->commands().size() == 1);
    bench.settle();
    CHECK(bench.model().inspection.element.id == 7);
    CHECK(bench.model().inspection.request == request);
    CHECK_FALSE(bench.model().inspection.report.empty());
    inspector.request_element([](const Lab&) -> Element { throw Error("vertex:99 does not exist"); });
    bench.settle();
    CHECK(bench.said() == "vertex:99 does not exist");
    CHECK(bench.failure.empty());
    CHECK(bench.model().inspection.element.id == 7);
    inspector.close();
    CHECK_FALSE(bench.model().inspection.any());
}

TEST_CASE("inspector: requested elements and labels are found again in every scene") {
    LabBench bench("build", "uniform:20");
    if (!bench) return;
    Inspector inspector(*bench.worker);
    const auto settle = [&] { bench.settle([&] { inspector.start_due(); }); };
    inspector.request_elements({"vertex:3", "vertex:4000"});
    inspector.request_labels({{0, {-10, -10}, {10, 10}}});
    for (const uint64_t position : {uint64_t(UINT64_MAX), uint64_t(5)}) {
        bench.seek(position);
        CHECK(inspector.due());
        CHECK(inspector.labels().empty());  // labels of the previous scene are invalid
        settle();
        CHECK_FALSE(inspector.due());
        REQUIRE(inspector.found_elements().size() == 1);
        CHECK(inspector.found_elements()[0].query == "vertex:3");
        CHECK(inspector.labels().size() >= 20);
    }
    inspector.drop_labels();
    CHECK(inspector.labels().empty());
    CHECK_FALSE(inspector.due());
}

TEST_CASE("inspector: the history of an element is that of this run and of its edits") {
    LabBench bench("build", "uniform:20");
    if (!bench) return;
    Inspector inspector(*bench.worker);
    const Element edge{ElementKind::kEdge, 12};
    const uint64_t end = bench.model().position;
    inspector.trace(edge);
    bench.settle();
    CHECK(bench.model().position == end);
    CHECK(inspector.history_of(edge));
    CHECK_FALSE(inspector.history_of({ElementKind::kEdge, 13}));
    inspector.forget_history();
    CHECK_FALSE(inspector.history_of(edge));
}
