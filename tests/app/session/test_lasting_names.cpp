// Elements found again after an edit has renumbered the mesh.
#include "app/session/lasting_names.h"

#include <doctest/doctest.h>

#include "app/session/model_publisher.h"
#include "geometry/generators.h"
#include "instruments/timeline.h"
#include "lab/registry.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

/// A finished Build lab on points, and its published copy.
struct NamedDesk {
    Context context{DeviceRequest::kCpu, 2};
    Timeline timeline{make_lab("build")};
    ModelPublisher publisher{[] { return 0.0; }};
    std::shared_ptr<Geometry> input = std::make_shared<Geometry>();

    explicit NamedDesk(const char* points) {
        input->points = generate(parse_generator(points)).points;
        input->name = points;
        timeline.reset(context, input);
        timeline.run_to_end();
        publisher.begin_run(timeline.lab(), bounds_of(*input));
        publish();
    }
    void publish() { publisher.publish(timeline, context, true); }
    SceneView scene() { return timeline.lab().scene(); }
    const Inspection& inspection() const { return publisher.model().inspection; }
    void click(const Element& element) { publisher.set_inspection(inspect_element(timeline.lab(), element)); }
    void edit(Edit::Kind kind, uint32_t point, Point place) {
        Edit made;
        made.kind = kind;
        made.id = kind == Edit::Kind::kAddVertex ? kNone : named_element(scene(), ElementKind::kVertex, {point}, 0).id;
        made.place = {place.x, place.y, 0};
        timeline.edit(made);
        publish();
    }
};

}  // namespace

TEST_CASE("lasting names: every element is found by its name, and an empty name finds none") {
    NamedDesk desk("uniform:60");
    const Scene scene = desk.timeline.lab().scene();
    const TriangleMesh& mesh = *scene.mesh;
    const std::pair<ElementKind, uint32_t> kinds[] = {{ElementKind::kVertex, mesh.infinite()},
                                                      {ElementKind::kEdge, mesh.edge_count},
                                                      {ElementKind::kTriangle, mesh.triangle_count}};
    for (const auto& [kind, count] : kinds)
        for (uint32_t id = 0; id < count; ++id) {
            const std::vector<uint32_t> name = lasting_name(scene, {kind, id});
            CHECK(name.size() == size_t(kind == ElementKind::kVertex ? 1 : kind == ElementKind::kEdge ? 2 : 3));
            CHECK(named_element(scene, kind, name, 0).id == id);
        }
    CHECK(lasting_name(scene, {ElementKind::kEdge, mesh.edge_count}).empty());
    CHECK(lasting_name(Scene{}, {ElementKind::kVertex, 0}).empty());
    CHECK(named_element(scene, ElementKind::kVertex, {60}, 0).id == kNone);
    CHECK(named_element(scene, ElementKind::kVertex, {}, 0).id == kNone);
    CHECK(named_element(scene, ElementKind::kEdge, {3}, 0).id == kNone);
    CHECK(named_element(Scene{}, ElementKind::kEdge, {3, 4}, 0).id == kNone);
}

TEST_CASE("inspector: scrubbing over an edit keeps the inspected element while it exists") {
    NamedDesk desk("uniform:200");
    const uint64_t end = desk.timeline.position();
    desk.edit(Edit::Kind::kMoveVertex, 17, {0.51, 0.49});
    desk.edit(Edit::Kind::kAddVertex, 0, {1.5, 2});
    desk.edit(Edit::Kind::kMoveVertex, 17, {-0.3, 0.2});
    const uint64_t last = desk.timeline.position();
    const auto scrub = [&](uint64_t position) {
        desk.timeline.seek(position);
        desk.publish();
    };
    // The dragged vertex, and a distant one.
    for (const uint32_t point : {17u, 120u}) {
        CAPTURE(point);
        desk.click(named_element(desk.scene(), ElementKind::kVertex, {point}, 0));
        for (const uint64_t position : {end, end + 2, end + 1, last}) {
            scrub(position);
            REQUIRE(desk.inspection().any());
            CHECK(lasting_name(desk.scene(), desk.inspection().element) == std::vector<uint32_t>{point});
        }
    }
    // Edges and triangles that exist before and after all edits.
    const auto names_now = [&](ElementKind kind) {
        std::vector<std::vector<uint32_t>> names;
        const TriangleMesh& mesh = *desk.scene().mesh;
        const uint32_t count = kind == ElementKind::kEdge ? mesh.edge_count : mesh.triangle_count;
        for (uint32_t id = 0; id < count; ++id) names.push_back(lasting_name(desk.scene(), {kind, id}));
        return names;
    };
    for (const ElementKind kind : {ElementKind::kEdge, ElementKind::kTriangle}) {
        scrub(last);
        size_t kept = 0, gone = 0;
        for (const std::vector<uint32_t>& name : names_now(kind)) {
            if ((kept + gone) % 7 == 6 && kept > 20 && gone > 0) break;
            desk.click(named_element(desk.scene(), kind, name, 0));
            REQUIRE(desk.inspection().any());
            scrub(end);
            const bool there = named_element(desk.scene(), kind, name, 0).id != kNone;
            CHECK(desk.inspection().any() == there);
            if (there)
                CHECK(named_element(desk.scene(), kind, desk.inspection().name, 0).id == desk.inspection().element.id);
            ++(there ? kept : gone);
            scrub(last);
            CHECK(desk.inspection().any() == there);
        }
        CHECK(kept > 20);
        CHECK(gone > 0);
    }
    // A removed point is gone.
    desk.click(named_element(desk.scene(), ElementKind::kVertex, {200}, 0));
    scrub(end);
    CHECK_FALSE(desk.inspection().any());
}
