// The plain recomputation behind EventsMachine::check(): correct events pass, and it finds each fault.
#include "events/verify_events.h"
#include "test_support.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace flipscope;

namespace {

/// Four sites around a diamond whose diagonal changes from 0-1 to 2-3, and a fifth that comes: of the past frame the
/// labels are those of the present one, the other way round.
struct Diamond {
    ComparisonOnHost comparison;
    std::vector<ChangedLink> changed{link(true, 0, 1), link(false, 2, 3)};

    Diamond() {
        comparison.past = frame({{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}}, 4, true);
        comparison.now = frame({{2, 3}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {1, 4}}, 5, false);
        comparison.sites = {{0, 5}, {10, 5}, {5, 0}, {5, 10}, {20, 5}};
        comparison.ids = {70, 71, 72, 73, 74};
        comparison.to_now = {3, 2, 1, 0};
        comparison.to_past = {3, 2, 1, 0, kNone};
        comparison.changed = changed;
        comparison.counts.past = comparison.counts.matched = 4;
        comparison.counts.now = 5;
        comparison.counts.now_links = 6;
        comparison.counts.lost = comparison.counts.created = 1;
    }
    Diamond(const Diamond&) = delete;

    static ChangedLink link(bool lost, uint32_t a, uint32_t b) {
        ChangedLink link;
        link.lost = lost;
        link.now[0] = a;
        link.now[1] = b;
        return link;
    }
    static ComparisonOnHost::Frame frame(const std::vector<LinkEnds>& links, uint32_t count, bool turned) {
        std::vector<std::set<uint32_t>> rows(count);
        for (const auto& [a, b] : links) {
            const uint32_t from = turned ? count - 1 - a : a, to = turned ? count - 1 - b : b;
            rows[from].insert(to);
            rows[to].insert(from);
        }
        ComparisonOnHost::Frame made{count, {0}, {}};
        for (const std::set<uint32_t>& row : rows) {
            made.neighbours.insert(made.neighbours.end(), row.begin(), row.end());
            made.starts.push_back(static_cast<uint32_t>(made.neighbours.size()));
        }
        return made;
    }
};

}  // namespace

TEST_CASE("verifying events: a comparison that is right passes, and its sets are the links of matched sites") {
    const Diamond diamond;
    CheckReport report;
    const VerifiedComparison sets = verify_comparison(diamond.comparison, report);
    CHECK_MESSAGE(report.passed, report.sentence);
    CHECK(report.failures.empty());
    CHECK(sets.translated.size() == 5);
    CHECK(sets.common.size() == 5);  // without the link of the site that came
    CHECK(sets.lost == std::set<LinkEnds>{{0, 1}});
    CHECK(sets.created == std::set<LinkEnds>{{2, 3}});
}

TEST_CASE("verifying events: every fault of a comparison is found, and its sites are named") {
    struct Case {
        const char* code;
        const char* text;
        std::function<void(Diamond&)> spoil;
    };
    for (const Case& one : {
             Case{"broken-row", "neighbours of bubble 70 are",
                  [](Diamond& d) { std::swap(d.comparison.now.neighbours[0], d.comparison.now.neighbours[1]); }},
             Case{"broken-row", "neighbours of label 0 of the frame before are",
                  [](Diamond& d) { d.comparison.past.neighbours[0] = 3; }},
             Case{"link-count", "number of links", [](Diamond& d) { ++d.comparison.counts.now_links; }},
             Case{"one-sided-partner", "partner of bubble 74", [](Diamond& d) { d.comparison.to_past[4] = 0; }},
             Case{"one-sided-partner", "label 1 of the frame before", [](Diamond& d) { d.comparison.to_now[1] = 3; }},
             Case{"partner-count", "number of partners", [](Diamond& d) { d.comparison.counts.matched = 3; }},
             Case{"lost-contacts", "bubbles 70 and 71 is not listed", [](Diamond& d) { d.changed[0] = d.changed[1]; }},
             Case{"lost-contacts", "bubbles 70 and 72 is listed and not lost",
                  [](Diamond& d) { d.changed[0] = Diamond::link(true, 0, 2); }},
             Case{"created-contacts", "bubbles 72 and 73 is not listed",
                  [](Diamond& d) { d.changed[1] = Diamond::link(true, 0, 1); }},
             Case{"created-contacts", "bubbles 71 and 74 is listed and not created",
                  [](Diamond& d) { d.changed[1] = Diamond::link(false, 4, 1); }},
         }) {
        INFO(std::string(one.code) << ": " << std::string(one.text));
        Diamond diamond;
        one.spoil(diamond);
        CheckReport report;
        verify_comparison(diamond.comparison, report);
        CHECK_FALSE(report.passed);
        CHECK(!report.sentence.empty());
        const bool found =
            std::any_of(report.failures.begin(), report.failures.end(), [&](const CheckFailure& failure) {
                return failure.code == one.code && contains(failure.sentence, one.text);
            });
        CHECK(found);
    }
}

TEST_CASE("verifying events: a flood fill joins corner to corner, and across periodic borders only") {
    const std::vector<uint8_t> inside{1, 0, 0, 0,  //
                                      0, 0, 1, 0,  //
                                      1, 0, 0, 1};
    CHECK(flood_labels({4, 3, false}, inside) ==
          std::vector<uint32_t>{0, kNone, kNone, kNone, kNone, kNone, 1, kNone, 2, kNone, kNone, 1});
    CHECK(flood_labels({4, 3, true}, inside) ==
          std::vector<uint32_t>{0, kNone, kNone, kNone, kNone, kNone, 0, kNone, 0, kNone, kNone, 0});
    CheckReport report;
    std::vector<uint32_t> labels = flood_labels({4, 3, false}, inside);
    verify_labels({4, 3, false}, labels, labels, report);
    CHECK(report.passed);
    labels[6] = 2;
    verify_labels({4, 3, false}, labels, flood_labels({4, 3, false}, inside), report);
    CHECK_FALSE(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].sentence == "pixel 2, 1 has label 2, and a flood fill says 1");
    CHECK(report.failures[0].elements[0].id == 6);
}

TEST_CASE("verifying events: links that are too long, and short ones that are missing, are found") {
    Diamond diamond;
    ComparisonOnHost& it = diamond.comparison;
    it.longest = {10.5};
    it.all = Diamond::frame({{2, 3}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {1, 4}, {0, 4}}, 5, false);  // 0-4 is 20 long
    CheckReport right;
    verify_comparison(it, right);
    CHECK_MESSAGE(right.passed, right.sentence);
    for (const auto& [longest, code] : {std::pair(7.5, "long-link"), std::pair(20.5, "lost-link")}) {
        it.longest = {longest};
        CheckReport wrong;
        verify_comparison(it, wrong);
        CHECK_FALSE(wrong.passed);
        REQUIRE_FALSE(wrong.failures.empty());
        CHECK(wrong.failures[0].code == std::string(code));
    }
}
