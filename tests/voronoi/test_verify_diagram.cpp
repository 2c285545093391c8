// Checks of diagrams: correct ones pass, and each fault is found.
#include "voronoi/verify_diagram.h"

#include <algorithm>
#include <string>
#include <vector>

#include "voronoi/graphs.h"

using namespace flipscope;

namespace {

const Lattice kSmall{24, 16, false};
const std::vector<Point> kFour{{5, 4}, {18, 4}, {5, 11}, {18, 12}};

bool has_failure(const CheckReport& report, const std::string& code, const std::string& text) {
    return std::any_of(report.failures.begin(), report.failures.end(), [&](const CheckFailure& failure) {
        return failure.code == code && contains(failure.sentence, text);
    });
}

}  // namespace

TEST_CASE("verifying diagrams: a pixel of another colour is found on every device, jump flooding alone excuses it") {
    on_every_device([&](Context& context) {
        Buffer<Point> sites("sites");
        sites.upload(context, kFour.data(), kFour.size());
        Colouring colouring;
        colouring.reset(context, kSmall);
        colouring.colour(context, ColouringMethod::kExact, sites.view(), 4);
        CheckReport right;
        verify_colours(context, colouring, 4, false, right);
        CHECK(right.passed);
        CHECK(right.sentence == "Voronoi: all pixels have the colour of the nearest site");

        std::vector<uint32_t> colours = colouring.colours().download();
        colours[kSmall.pixel(3, 2)] = 2;
        colouring.colours().upload(context, colours.data(), colours.size());
        CheckReport wrong, flooded;
        verify_colours(context, colouring, 4, false, wrong);
        CHECK_FALSE(wrong.passed);
        CHECK(wrong.failure_count == 1);
        CHECK(has_failure(wrong, "wrong-colour", "pixel 3, 2"));
        verify_colours(context, colouring, 4, true, flooded);
        CHECK(flooded.passed);
        CHECK(flooded.failures.empty());
    });
}

TEST_CASE("verifying diagrams: sites beyond a periodic border are lost, beyond an open one they lie outside") {
    const std::vector<Point> sites{{5, 5}, {30, 5}};
    CheckReport open, periodic, no_number;
    verify_sites({24, 16, false}, sites, open);
    CHECK(open.passed);
    CHECK(open.sentence == "1 site lies outside the lattice");
    verify_sites({24, 16, true}, sites, periodic);
    CHECK_FALSE(periodic.passed);
    CHECK(has_failure(periodic, "lost-site", "site 1 left the torus"));
    verify_sites({24, 16, false}, std::vector<Point>{{std::nan(""), 2}}, no_number);
    CHECK_FALSE(no_number.passed);
}

TEST_CASE("verifying diagrams: rows that repeat a site, lack its partner or do not fit are broken") {
    const std::vector<uint32_t> starts{0, 2, 3, 4};
    const auto passes = [&](const std::vector<uint32_t>& entries, uint32_t sites) {
        CheckReport report;
        verify_rows(starts, entries, sites, report);
        CHECK(report.passed == report.failures.empty());
        return report.passed;
    };
    CHECK(passes({1, 2, 0, 0}, 3));
    CHECK_FALSE(passes({2, 1, 0, 0}, 3));
    CHECK_FALSE(passes({1, 1, 0, 0}, 3));
    CHECK_FALSE(passes({1, 2, 0, 1}, 3));
    CHECK_FALSE(passes({1, 2, 0, 7}, 3));
    CHECK_FALSE(passes({1, 2, 0, 0}, 4));
}

TEST_CASE("verifying diagrams: a long contact that is missed is a failure where exact cells guarantee it") {
    GraphComparison comparison;
    LinkError error{.labels = {0, 3}, .missed = true};
    error.dual_length = error.free_length = 5;
    comparison.errors = {error};
    comparison.missed = 1;
    CheckReport promised, no_promise, wrong_colours;
    verify_contacts(comparison, kFour, ExactCells::kAll, true, false, promised);
    CHECK_FALSE(promised.passed);
    CHECK(has_failure(promised, "missed-link", "the link of sites 0 and 3 is missed"));
    verify_contacts(comparison, kFour, ExactCells::kNone, true, false, no_promise);
    CHECK(no_promise.passed);
    verify_contacts(comparison, kFour, ExactCells::kAll, false, false, wrong_colours);
    CHECK(wrong_colours.passed);
}
