// Selection and comparison on a lab without a session.
#include "app/session/comparison.h"

#include "app/session/lab_bench.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("selection: it follows the scene, and its points can be copied") {
    LabBench bench("build", "uniform:60");
    if (!bench) return;
    Selection selection(*bench.worker);
    Comparison comparison(*bench.worker, selection);
    const auto settle = [&] { bench.settle([&] { comparison.start_due(); }); };
    CHECK_FALSE(selection.is_ready());
    CHECK(bench.said().find("Nothing is selected") == 0);
    selection.select(parse_selection("point:3,7", "select: "));
    settle();
    CHECK(bench.model().selected == 2);
    CHECK(selection.is_ready());
    selection.copy();
    bench.settle();
    const std::string text = selection.take_copied().value_or("");
    CHECK(std::count(text.begin(), text.end(), '\n') == 2);
    CHECK_FALSE(selection.take_copied());
    selection.select(parse_selection("point:60", "select: "));
    settle();
    CHECK(bench.model().selected == 2);
    CHECK(bench.said().find("60") != std::string::npos);
    CHECK(bench.failure.empty());
}

TEST_CASE("comparison: the kept picture has the caption and the place of its state, until it is dropped") {
    LabBench bench("build", "uniform:60");
    if (!bench) return;
    Selection selection(*bench.worker);
    Comparison comparison(*bench.worker, selection);
    const auto settle = [&] { bench.settle([&] { comparison.start_due(); }); };
    CHECK_FALSE(comparison.active());
    bench.seek(3);
    comparison.toggle();
    CHECK(comparison.active());
    CHECK_FALSE(comparison.kept());
    settle();
    REQUIRE(comparison.kept());
    bench.seek(5);
    CHECK(comparison.caption().find("uniform:60, pass 3 of") != std::string::npos);
    CHECK(comparison.state_caption().find("uniform:60, pass 5 of") != std::string::npos);
    CHECK(comparison.figure_captions().first.find("pass 3") != std::string::npos);
    CHECK(comparison.figure_captions().second.find("pass 5") != std::string::npos);
    CHECK(comparison.position() == 3);
    comparison.toggle();
    CHECK_FALSE(comparison.kept());
    CHECK_FALSE(comparison.position());
    CHECK(comparison.due());
    settle();
    CHECK_FALSE(comparison.due());
}
