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
    kept.colour(ElementQuantity::kEdgeLength);
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
    kept.colour({});
    Scene again = small;
    kept.match(again);
    CHECK_FALSE(kept.scene().layer("edges")->has_scale());
    CHECK(again.layer("edges")->scale == small.layer("edges")->scale);
}
