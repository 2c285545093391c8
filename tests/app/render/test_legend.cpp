// The entries of a picture's legend.
#include "app/view/display.h"
#include "app/view/legend.h"

#include "app/render_stage.h"
#include "geometry/generators.h"
#include "lab/registry.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

using Kind = LegendEntry::Element;

std::vector<std::string> names(const std::vector<LegendEntry>& entries) {
    std::vector<std::string> found;
    for (const LegendEntry& entry : entries) found.push_back(entry.name);
    return found;
}
using Names = std::vector<std::string>;

/// What a picture's legend lists.
Names listed(const Scene& scene, const DisplayOptions& display = {}) {
    return names(occurring_entries(scene, count_legend(scene), display));
}

}  // namespace

TEST_CASE("legend: a picture lists what there is to see of, in the legend's order") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}});
    CHECK(listed(stage->scene).empty());
    stage->mesh->triangle_states.write(0, kStateFlipped);
    stage->mesh->edge_states.write(1, kStateIllegal | kStateQueued);
    CHECK(listed(stage->scene) == Names{"flipped", "illegal"});  // the first that matches decides
    CHECK(legend_counts(stage->scene, count_legend(stage->scene)) == std::vector<uint64_t>{1, 1, 0, 0});
    stage->mesh->edge_states.write(0, kStateQueued);
    CHECK(listed(stage->scene) == Names{"flipped", "illegal", "suspected"});
    // Elements of the buffers beyond the counts do not belong to the scene.
    std::get<SegmentsLayer>(stage->scene.layer("edges")->shape).count = 1;
    CHECK(listed(stage->scene) == Names{"flipped", "suspected"});
    stage->scene.layers.clear();
    CHECK(listed(stage->scene).empty());
}

TEST_CASE("legend: what is hidden is not listed") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}, {0.2, 0.2}});  // the fourth waits
    stage->mesh->triangle_states.write(0, kStateFlipped);
    stage->mesh->edge_states.write(1, kStateIllegal);
    Linework over;
    over.reset(stage->context, 2, 1, true);
    over.edge_states.write(0, kStateQueued);
    stage->scene.layers.push_back({"overlay", "Overlay", "", true,
                                   SegmentsLayer{&over.positions, nullptr, 2, &over.edges, 1, {}, &over.edge_states}});
    stage->scene.layers.back().legend = stage->scene.layer("edges")->legend;
    const auto with = [&](const char* part, bool shown) { return listed(stage->scene, {{{part, shown}}}); };
    CHECK(with("triangles", true) == Names{"flipped", "illegal", "suspected", "waiting"});
    CHECK(with("edges", false) == Names{"flipped", "suspected", "waiting"});
    CHECK(with("overlay", false) == Names{"flipped", "illegal", "waiting"});
    CHECK(with("points", false) == Names{"flipped", "illegal", "suspected"});
    CHECK(with("triangles", false) == Names{"illegal", "suspected", "waiting"});
    CHECK(listed(stage->scene, {{}, true}) ==
          Names{"flipped", "illegal", "suspected", "waiting"});  // which is seen over the colours of angles
}

TEST_CASE("legend: shades count for the entry before them, lost hull edges and helpers by their own lists") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}, {5, 5}});
    stage->mesh->vertex_states.write(3, 0);
    constexpr State kFaded = 1 << 6, kMoreFaded = 1 << 7;
    stage->scene.set_legend({{Kind::kEdge, kStateIllegal, Role::kLostContact, "breaking", ""},
                             {Kind::kEdge, kFaded, Role::kLostContact, "", "", 0.5f},
                             {Kind::kEdge, kMoreFaded, Role::kLostContact, "", "", 0.2f},
                             {Kind::kEdge, kStateMissing, Role::kMissing, "lost hull edge", ""},
                             {Kind::kVertex, kStateHelper, Role::kHelper, "supertriangle", ""},
                             {Kind::kVertex, 0, Role::kPlain, "point", ""}});
    CHECK(listed(stage->scene) == Names{"point"});  // an entry without a bit: what no other matches
    stage->mesh->edge_states.write(2, kMoreFaded);
    CHECK(listed(stage->scene) == Names{"breaking", "point"});
    SegmentsLayer lost{&stage->mesh->positions, nullptr, 4};
    lost.few_ends = {0, 1};
    stage->scene.layers.push_back({"lost_edges", "Lost", "", true, lost});
    stage->scene.layers.back().role = Role::kMissing;
    stage->scene.layers.back().legend = stage->scene.layer("edges")->legend;
    auto& points = std::get<PointsLayer>(stage->scene.layer("points")->shape);
    points.count = points.helper_begin = 3;
    points.helper_end = 4;
    CHECK(listed(stage->scene) == Names{"breaking", "lost hull edge", "supertriangle", "point"});
}

TEST_CASE("legend: two scenes side by side have one, and obstacles are in it where there are some") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}});
    TriangleMesh other;
    stage->fill(other, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
    other.edge_states.write(0, kStateQueued);
    SceneView beside;
    beside.add_mesh(other, 3);
    beside.set_legend(stage->scene.legend());
    stage->scene.beside.push_back(beside);
    CHECK(listed(stage->scene) == Names{"suspected"});

    auto colours = stage->drawn<uint32_t>({0, 1, 2, 3});
    stage->scene.layers.push_back({"cells", "Cells", "", true, LatticeLayer{2, 2, &colours}});
    CHECK(listed(stage->scene) == Names{"suspected"});
    colours.write(3, kMaxLink);
    CHECK(listed(stage->scene) == Names{"suspected", "obstacle"});
    CHECK(listed(stage->scene, {{{"cells", false}}}) == Names{"suspected"});
}

TEST_CASE("legend: plain links are listed where there are any") {
    for (const char* id : {"voronoi", "events"}) {
        CAPTURE(id);
        const auto stage = stage_or_skip();
        if (!stage) return;
        const std::unique_ptr<Lab> lab = make_lab(id);
        lab->reset(stage->context,
                   std::make_shared<Geometry>(std::string(id) == "voronoi" ? generate(parse_generator("uniform:40"))
                                                                           : Geometry{}));
        while (!lab->done() && (!lab->scene().layer("links") || lab->scene().layer("links")->empty())) lab->step();
        const Names all = listed(lab->scene());
        CHECK(std::find(all.begin(), all.end(), "link") != all.end());
    }
}

TEST_CASE("legend: categories that colour a layer are listed under their column, first of all, and are no colour bar") {
    const auto stage = stage_or_skip();
    if (!stage) return;
    stage->triangle({{0, 0}, {1, 0}, {0, 1}});
    stage->mesh->edge_states.write(1, kStateIllegal);
    const auto classes = stage->drawn<float>({0, 1, 1});
    Layer& points = *stage->scene.layer("points");
    points.scalars = &classes;
    points.scale = {ColourScale::Kind::kCategories, "species", "", 0, ColourScale::kOtherClass};
    points.scale.classes = {"oak", "beech"};
    const std::vector<LegendEntry> entries = occurring_entries(stage->scene, count_legend(stage->scene));
    CHECK(names(entries) == Names{"illegal", "oak", "beech"});
    const std::vector<LegendGroup> groups = legend_groups(entries, "Points");
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].title == "species");
    CHECK(names(groups[0].entries) == Names{"oak", "beech"});
    CHECK(groups[1].title == "Edges");
    CHECK(shown_scales({}, stage->scene).empty());
    CHECK(listed(stage->scene, {{{"points", false}}}) == Names{"illegal"});
}
