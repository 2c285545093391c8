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
    const std::vector<std::pair<std::string, std::string>> expected{{"conflict", "new"}, {"order", ""}};
    CHECK(drafts.changes(in_use) == expected);
    drafts.set(in_use, 1, "old");
    drafts.set(in_use, 2, "old");
    CHECK_FALSE(drafts.any());
    drafts.set(in_use, 0, "new");
    drafts.drop();
    CHECK(drafts.changes(in_use).empty());
    CHECK(drafts.value(in_use, 0) == "old");
}
