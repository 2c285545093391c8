// A lattice with edges, made by hand and drawn, for tests of their appearance.
#pragma once

#include <memory>
#include <vector>

#include "app/render_stage.h"

namespace flipscope::app {

/// A lattice in shared memory, and the other layers.
struct Sheet {
    std::unique_ptr<DrawnStage> stage = stage_or_skip();
    Buffer<uint32_t> colours{"colours", Residence::kDrawn}, names{"names", Residence::kDrawn};
    Buffer<float> field{"field", Residence::kDrawn};
    Buffer<State> states{"site states", Residence::kDrawn};
    LatticeLayer lattice;
    ColourScale scale{ColourScale::Kind::kImage};  // of its field
    std::vector<LegendEntry> legend;
    std::vector<std::unique_ptr<Linework>> over;
    bool light = false;

    explicit operator bool() const { return stage != nullptr; }
    Scene& scene() { return stage->scene; }
    void cells(uint32_t width, uint32_t height, const std::vector<uint32_t>& values) {
        REQUIRE(values.size() == size_t(width) * height);
        colours.upload(stage->context, values.data(), values.size());
        lattice = {width, height, &colours};
        scene().low = {-0.5, -0.5};
        scene().high = {width - 0.5, height - 0.5};
    }
    Linework& lines(const std::vector<Point>& points, const std::vector<uint32_t>& pairs) {
        auto mesh = std::make_unique<Linework>();
        const auto count = static_cast<uint32_t>(points.size());
        mesh->reset(stage->context, count, pairs.size() / 2, true);
        mesh->positions.upload(stage->context, points.data(), count);
        for (size_t i = 0; i < pairs.size(); ++i) mesh->edges.write(i, pairs[i]);
        mesh->edge_count = static_cast<uint32_t>(pairs.size() / 2);
        over.push_back(std::move(mesh));
        return *over.back();
    }
    /// The lattice's layers, then those of a mesh where there is one, the points last.
    void lay() {
        Scene& whole = scene();
        const TriangleMesh* const mesh = whole.mesh;
        const uint32_t points = whole.point_count;
        whole.layers.clear();
        whole.layers.push_back(
            {"cells", "Cells", "", true, LatticeLayer{lattice.width, lattice.height, lattice.colours, lattice.names}});
        whole.layers.push_back({"field", "Field", "", !lattice.colours,
                                LatticeLayer{lattice.width, lattice.height, nullptr, nullptr, lattice.field}});
        whole.layers.back().scale = scale;
        whole.layers.push_back(
            {"marks", "Marks", "", true,
             LatticeLayer{lattice.width, lattice.height, nullptr, nullptr, nullptr, lattice.states}});
        if (mesh) whole.add_mesh(*mesh, points);
        const auto before = whole.layers.end() - (mesh ? 1 : 0);
        std::vector<Layer> lines;
        for (const auto& each : over)
            lines.push_back({"overlay", "Overlay", "", true,
                             SegmentsLayer{&each->positions,
                                           nullptr,
                                           each->vertex_count,
                                           &each->edges,
                                           each->edge_count,
                                           {},
                                           &each->edge_states}});
        whole.layers.insert(before, lines.begin(), lines.end());
        whole.set_legend(legend);
    }
    void draw(const Camera& camera, const DisplayOptions& display = {}, int width = 200, int height = 200) {
        lay();
        stage->draw(camera, width, height, 1, display, true, light);
    }
    Color at(const Camera& camera, Point place) const { return stage->at(camera, place); }
    Color tint(uint32_t name) const { return palette(light).cell(name); }
    Color canvas() const { return palette(light).canvas; }
};

inline constexpr double kSame = 0.012;

}  // namespace flipscope::app
