#include "lab/registry.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compute/cancel.h"
#include "compute/error.h"

using namespace flipscope;

TEST_CASE("registry: a lab's entry is its own description, and can be read without a lab") {
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        const LabInfo& info = entry.info();
        CHECK(info.id == entry.id);
        CHECK(&info == &entry.make()->info());
        CHECK(&info == &lab_info(entry.id));
        CHECK(!info.title.empty());
        CHECK(!info.passes.empty());
        CHECK(info.inputs.has(InputKind::kPoints));
        // A surface is a mesh, too, and what moves over time needs no points to start from.
        CHECK((!info.inputs.has(InputKind::kSurfaces) || info.inputs.has(InputKind::kMeshes)));
    }
    CHECK_THROWS_WITH_AS(lab_info("biuld"), doctest::Contains("did you mean \"build\"?"), Error);
    CHECK_THROWS_WITH_AS(make_lab("nothing"), doctest::Contains("(known: build, flip"), Error);
}

TEST_CASE("registry: the labs of a group stand together, so that a list has each heading once") {
    std::vector<std::string> headings;
    for (const RegistryEntry& entry : registry())
        if (headings.empty() || headings.back() != entry.group) headings.emplace_back(entry.group);
    CHECK(headings.size() > 1);
    const size_t all = headings.size();
    sort_distinct_or_cancel(headings);
    CHECK(headings.size() == all);
}
