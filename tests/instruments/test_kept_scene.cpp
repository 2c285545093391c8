// A kept picture, while the lab continues.
#include "instruments/kept_scene.h"

#include "delaunay/runs.h"

using namespace flipscope;

namespace {

const SegmentsLayer& edges_of(const Scene& scene) {
    const Layer* const layer = scene.layer("edges");
    REQUIRE(layer);
    return std::get<SegmentsLayer>(layer->shape);
}

}  // namespace

TEST_CASE("kept scene: its picture stays as it was while the lab goes on, and outlives it") {
    on_every_device([&](Context& context) {
        auto lab = make_lab("flip");
        lab->set_records_states(true);
        lab->reset(context, generated("uniform:300"));
        for (int i = 0; i < 4; ++i) lab->step();
        const Scene scene = lab->scene();
        const std::vector<uint32_t> ends = edges_of(scene).ends->download();
        const std::vector<State> states = edges_of(scene).states->download();
        KeptScene kept(context, scene);
        CHECK(kept.bytes() == KeptScene::bytes_of(scene));
        CHECK_THROWS_AS(KeptScene(context, scene, kept.bytes() - 1), Error);
        lab->finish({});
        CHECK_FALSE(edges_of(lab->scene()).ends->download() == ends);
        lab.reset();
        CHECK(edges_of(kept.scene()).ends->download() == ends);
        CHECK(edges_of(kept.scene()).states->download() == states);
        // Layers of one place list still share it.
        CHECK(edges_of(kept.scene()).places == std::get<PointsLayer>(kept.scene().layer("points")->shape).places);
    });
}

TEST_CASE("kept scene: it is coloured as the live picture is, on one scale that spans both") {
    Context context(DeviceRequest::kCpu, 2);
    const auto live_lab = finished(context, generated("uniform:200@scale=5"));
    const auto lab = finished(context, generated("uniform:200"));
    Exploration exploration;
    exploration.choose({.colour = ElementQuantity::kEdgeLength});
    exploration.update(context, live_lab->scene());
    Scene live = live_lab->scene();
    exploration.apply(live);
    const ColourScale before = live.layer("edges")->scale;

    KeptScene kept(context, lab->scene());
    const uint64_t plain = kept.revision();
    kept.show_as({.colour = ElementQuantity::kEdgeLength});
    CHECK_FALSE(kept.scene().layer("edges")->has_scale());
    kept.match(live);
    CHECK(kept.revision() != plain);
    CHECK(kept.scene().layer("edges")->has_scale());
    const ColourScale& common = kept.scene().layer("edges")->scale;
    CHECK(common == live.layer("edges")->scale);
    CHECK(common.high == before.high);  // the live edges are five times as long
    // Beside shorter edges the scale is the kept picture's own.
    exploration.update(context, lab->scene());
    Scene small = lab->scene();
    exploration.apply(small);
    kept.match(small);
    CHECK(kept.scene().layer("edges")->scale.high < before.high);
    CHECK(kept.scene().layer("edges")->scale == small.layer("edges")->scale);
    // Another quantity has nothing to do with it.
    kept.show_as({});
    Scene again = small;
    kept.match(again);
    CHECK_FALSE(kept.scene().layer("edges")->has_scale());
    CHECK(again.layer("edges")->scale == small.layer("edges")->scale);
}

TEST_CASE("kept scene: it has the structures and the paraboloid of the live picture, and loses them with it") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, generated("uniform:100"));
    const auto other = finished(context, generated("uniform:200"));
    KeptScene kept(context, lab->scene());
    ExplorationChoice choice;
    choice.structures.shown = 1u << static_cast<uint32_t>(StructureKind::kGabriel);
    choice.ids = {1, 2};  // the selection is that of the live picture
    kept.show_as(choice, {true, false});
    Scene live = other->scene();
    kept.match(live);
    REQUIRE(kept.scene().view_count() == 2);
    CHECK(kept.scene().view(1).in_space);
    CHECK(kept.scene().layer("gabriel"));
    CHECK_FALSE(kept.scene().layer(Exploration::kSelectionLayer));
    const Buffer<double>* const heights = std::get<PointsLayer>(kept.scene().view(1).layer("points")->shape).heights;
    REQUIRE(heights);
    CHECK(heights->size() >= 100);
    const uint64_t lifted = kept.revision();
    kept.show_as({});
    kept.match(live);
    CHECK(kept.revision() != lifted);
    CHECK(kept.scene().view_count() == 1);
    CHECK_FALSE(kept.scene().layer("gabriel"));
}
