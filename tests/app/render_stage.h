// A mesh made by hand in shared memory, drawn into a canvas: for the tests that read pixels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "app/gl/gl_context.h"
#include "app/gl/shared_memory.h"
#include "app/made_or_skip.h"
#include "app/render/renderer.h"

namespace flipscope::app {

struct DrawnStage {
    GlContext gl;
    Context context{DeviceRequest::kCpu, 1};
    SharedMemory sharing{context, "auto"};
    Renderer renderer;
    Canvas canvas;
    std::unique_ptr<TriangleMesh> mesh = std::make_unique<TriangleMesh>();
    Scene scene;

    DrawnStage() {
        context.set_shared_memory(&sharing);
        sharing.acquire();
    }
    ~DrawnStage() {
        sharing.acquire();
        mesh.reset();
        sharing.release();
    }
    /// Values in shared memory.
    template <class T>
    Buffer<T> drawn(const std::vector<T>& values) {
        Buffer<T> buffer("by hand", Residence::kDrawn);
        buffer.upload(context, values.data(), values.size());
        return buffer;
    }
    /// The scene's bounds become those of these places.
    template <class Place>
    void bound(const std::vector<Place>& places) {
        scene.low = scene.high = {places[0].x, places[0].y};
        for (const Place& p : places) {
            scene.low = {std::min(scene.low.x, p.x), std::min(scene.low.y, p.y)};
            scene.high = {std::max(scene.high.x, p.x), std::max(scene.high.y, p.y)};
        }
    }
    /// Finite triangle 0 1 2 and its ghosts' edges; further points wait.
    void triangle(const std::vector<Point>& points) {
        const auto count = static_cast<uint32_t>(points.size());
        mesh->reset(context, count, true);
        mesh->positions.upload(context, points.data(), count);
        const uint32_t inf = mesh->infinite();
        const std::vector<uint32_t> triangles{0, 1, 2, 1, 0, inf, 2, 1, inf, 0, 2, inf},
            edges{0, 1, 1, 2, 2, 0, 0, inf};
        for (size_t i = 0; i < triangles.size(); ++i) mesh->triangles.write(i, triangles[i]);
        for (size_t i = 0; i < edges.size(); ++i) mesh->edges.write(i, edges[i]);
        mesh->triangle_count = 4;
        mesh->edge_count = 4;
        for (uint32_t v = 3; v < count; ++v) mesh->vertex_states.write(v, kStateWaiting);
        scene.layers.clear();
        scene.add_mesh(*mesh, count);
        bound(points);
        using Element = LegendEntry::Element;
        scene.set_legend({{Element::kEdge, kStateIllegal, Role::kIllegal, "illegal", ""},
                          {Element::kEdge, kStateQueued, Role::kQueued, "suspected", ""},
                          {Element::kTriangle, kStateFlipped, Role::kFlipped, "flipped", ""},
                          {Element::kVertex, kStateWaiting, Role::kWaiting, "waiting", ""}});
    }
    /// A surface in space with all its edges; where its boundary is open it has no ghosts.
    void surface(const std::vector<Point3>& places, const std::vector<std::array<uint32_t, 3>>& triangles) {
        fill(*mesh, places, triangles);
        scene.layers.clear();
        scene.add_mesh(*mesh, static_cast<uint32_t>(places.size()));
        scene.in_space = true;
        bound(places);
        scene.low_z = scene.high_z = places[0].z;
        for (const Point3& p : places) {
            scene.low_z = std::min(scene.low_z, p.z);
            scene.high_z = std::max(scene.high_z, p.z);
        }
        using Element = LegendEntry::Element;
        scene.set_legend({{Element::kEdge, kStateIllegal, Role::kIllegal, "illegal", ""},
                          {Element::kTriangle, kStateLocked, Role::kLocked, "taken", ""}});
    }
    void fill(TriangleMesh& into, const std::vector<Point3>& places,
              const std::vector<std::array<uint32_t, 3>>& triangles) {
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> edges;
        std::vector<uint32_t> corners, pairs;
        for (const auto& t : triangles)
            for (uint32_t k = 0; k < 3; ++k) {
                corners.push_back(t[k]);
                const auto [u, v] = std::minmax(t[k], t[(k + 1) % 3]);
                if (edges.emplace(std::pair(u, v), static_cast<uint32_t>(edges.size())).second)
                    pairs.insert(pairs.end(), {u, v});
            }
        const auto count = static_cast<uint32_t>(places.size());
        into.reset(context, count, triangles.size(), edges.size(), true);
        std::vector<Point> flat;
        std::vector<double> heights;
        for (const Point3& p : places) {
            flat.push_back({p.x, p.y});
            heights.push_back(p.z);
        }
        flat.emplace_back();
        heights.push_back(0);
        into.positions.upload(context, flat.data(), flat.size());
        into.heights.upload(context, heights.data(), heights.size());
        for (size_t i = 0; i < corners.size(); ++i) into.triangles.write(i, corners[i]);
        for (size_t i = 0; i < pairs.size(); ++i) into.edges.write(i, pairs[i]);
        into.triangle_count = static_cast<uint32_t>(triangles.size());
        into.edge_count = static_cast<uint32_t>(edges.size());
    }
    uint32_t edge_between(uint32_t a, uint32_t b) const {
        for (uint32_t e = 0; e < mesh->edge_count; ++e) {
            const uint32_t u = mesh->edges.read(2 * size_t(e)), v = mesh->edges.read(2 * size_t(e) + 1);
            if ((u == a && v == b) || (u == b && v == a)) return e;
        }
        return kNone;
    }
    void draw(const Camera& camera, int width = 200, int height = 200, double line_scale = 1,
              const DisplayOptions& display = {}, bool fine = true, bool light = false) {
        canvas.resize(width, height);
        sharing.release();
        renderer.draw(scene, camera, canvas, light, line_scale, display, fine);
        sharing.drawn();
        sharing.acquire();
        pixels = canvas.pixels();
        CHECK(glGetError() == GL_NO_ERROR);
    }
    Color at(double x, double y) const {  // pixels from the left and the top
        const size_t i = 4 * (static_cast<size_t>(y) * static_cast<size_t>(canvas.width()) + static_cast<size_t>(x));
        return {pixels[i] / 255.f, pixels[i + 1] / 255.f, pixels[i + 2] / 255.f};
    }
    /// Where the camera shows a place: pixels from the left and the top.
    template <class Place = Point>
    Point seen(const Camera& camera, Place place) const {
        const Point p = camera.to_pixels(place);
        return {0.5 * canvas.width() + p.x, 0.5 * canvas.height() - p.y};
    }
    template <class Place = Point>
    Color at(const Camera& camera, Place place) const {
        const Point p = seen(camera, place);
        return at(p.x, p.y);
    }
    std::vector<unsigned char> pixels;
};

inline std::unique_ptr<DrawnStage> stage_or_skip() { return made_or_skip<DrawnStage>(); }

inline float distance(const Color& a, const Color& b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

/// Programs of the current OpenGL context. Drivers number them from 1.
inline int live_programs() {
    int count = 0;
    for (GLuint name = 1; name < 4096; ++name) count += glIsProgram(name);
    return count;
}

/// The largest difference of two pictures' channels.
inline int furthest(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
    int most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(int(a[i]) - int(b[i])));
    return most;
}

inline Camera fitted(const SceneView& scene, double size = 200) {
    Camera camera;
    camera.fit(scene.low, scene.high, size, size);
    return camera;
}

}  // namespace flipscope::app
