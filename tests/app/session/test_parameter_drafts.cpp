#include <doctest/doctest.h>

#include "app/session/parameter_drafts.h"

using namespace flipscope;
using namespace flipscope::app;

TEST_CASE("parameter drafts: the value in use is no draft, and what was dropped is the value in use again") {
    std::vector<ParameterDescription> in_use(3);
    const char* names[] = {"predicate", "conflict", "order"};
    for (size_t i = 0; i < 3; ++i) {
        in_use[i].name = names[i];
        in_use[i].value = "old";
    }
    ParameterDrafts drafts;
    CHECK_FALSE(drafts.any());
    CHECK(drafts.value(in_use, 2) == "old");
    drafts.set(in_use, 1, "new");
    drafts.set(in_use, 2, "");  // an empty text is a value like others
    CHECK(drafts.any());
    CHECK(drafts.value(in_use, 0) == "old");
    CHECK(drafts.value(in_use, 1) == "new");
    CHECK(drafts.value(in_use, 2).empty());
    const std::vector<Parameter> expected{{"conflict", "new"}, {"order", ""}};
    CHECK(drafts.changes(in_use) == expected);
    drafts.set(in_use, 1, "old");
    drafts.set(in_use, 2, "old");
    CHECK_FALSE(drafts.any());
    drafts.set(in_use, 0, "new");
    drafts.drop();
    CHECK(drafts.changes(in_use).empty());
    CHECK(drafts.value(in_use, 0) == "old");
}

TEST_CASE("parameter drafts: those that can change amid a run are told apart, and are none once they are in use") {
    std::vector<ParameterDescription> in_use(3);
    const char* names[] = {"dt", "count", "colour"};
    const Takes takes[] = {Takes::kStep, Takes::kStart, Takes::kView};
    for (size_t i = 0; i < 3; ++i) {
        in_use[i].name = names[i];
        in_use[i].value = "1";
        in_use[i].takes = takes[i];
    }
    ParameterDrafts drafts;
    CHECK_FALSE(drafts.any_for_step(in_use));
    drafts.set(in_use, 1, "7");
    drafts.set(in_use, 2, "7");
    CHECK_FALSE(drafts.any_for_step(in_use));
    drafts.set(in_use, 0, "2");
    const std::vector<Parameter> used = drafts.for_step(in_use);
    CHECK(used == std::vector<Parameter>{{"dt", "2"}});
    drafts.set(in_use, 0, "3");  // chosen while the change was on its way
    drafts.drop_used(in_use, used);
    CHECK(drafts.value(in_use, 0) == "3");
    drafts.set(in_use, 0, "2");
    drafts.drop_used(in_use, used);
    CHECK_FALSE(drafts.any_for_step(in_use));
    CHECK(drafts.value(in_use, 1) == "7");
}
