#include "lab/registry.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compute/cancel.h"
#include "compute/error.h"
#include "delaunay/runs.h"

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

TEST_CASE("registry: a planar mesh keeps its height in every lab that makes triangles") {
    Context context(DeviceRequest::kCpu, 2);
    auto mesh = std::make_shared<Geometry>(
        Geometry{.name = "square", .points = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, .triangles = {{0, 1, 2}, {0, 2, 3}}});
    mesh->level = 500;
    size_t labs = 0;
    for (const RegistryEntry& entry : registry()) {
        CAPTURE(entry.id);
        if (!entry.info().makes_triangles || entry.id == std::string("particles")) continue;  // points in a box
        CHECK(finished(context, mesh, entry.id)->soup().level == 500);
        ++labs;
    }
    CHECK(labs > 7);
}
