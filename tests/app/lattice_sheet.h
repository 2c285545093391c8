// A lattice and edges over it, made by hand and drawn, for the tests of how they look.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "app/render_stage.h"

namespace flipscope::app {

/// A lattice in shared memory, and what there is to draw besides.
struct Sheet {
    std::unique_ptr<Stage> stage = stage_or_skip();
    Buffer<uint32_t> colours{"colours", Residence::kDrawn}, names{"names", Residence::kDrawn};
    Buffer<float> field{"field", Residence::kDrawn};
    Buffer<State> states{"site states", Residence::kDrawn};
    std::vector<std::unique_ptr<TriangleMesh>> over;
    bool light = false;

    explicit operator bool() const { return stage != nullptr; }
    Scene& scene() { return stage->scene; }
    void cells(uint32_t width, uint32_t height, const std::vector<uint32_t>& values) {
        REQUIRE(values.size() == size_t(width) * height);
        colours.upload(stage->context, values.data(), values.size());
        scene().lattice = {width, height, &colours};
        scene().low = {-0.5, -0.5};
        scene().high = {width - 0.5, height - 0.5};
    }
    TriangleMesh& lines(const std::vector<Point>& points, const std::vector<uint32_t>& pairs) {
        auto mesh = std::make_unique<TriangleMesh>();
        const auto count = static_cast<uint32_t>(points.size());
        mesh->reset(stage->context, count, 0, pairs.size() / 2, true);
        mesh->positions.upload(stage->context, points.data(), count);
        for (size_t i = 0; i < pairs.size(); ++i) mesh->edges.write(i, pairs[i]);
        mesh->edge_count = static_cast<uint32_t>(pairs.size() / 2);
        over.push_back(std::move(mesh));
        return *over.back();
    }
    void draw(const Camera& camera, const Look& look = {}, int width = 200, int height = 200) {
        stage->canvas.resize(width, height);
        stage->sharing.release();
        stage->renderer.draw(scene(), camera, stage->canvas, light, 1, look);
        stage->sharing.drawn();
        stage->sharing.acquire();
        stage->pixels = stage->canvas.pixels();
        CHECK(glGetError() == GL_NO_ERROR);
    }
    Color at(const Camera& camera, Point place) const {
        const Point p = stage->seen(camera, place);
        return stage->at(p.x, p.y);
    }
    Color tint(uint32_t name) const { return palette(light).cell(name); }
    Color canvas() const { return palette(light).canvas; }
};

inline constexpr double kSame = 0.012;

}  // namespace flipscope::app
