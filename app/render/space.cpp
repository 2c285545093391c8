// A surface in space: depth, light, and hidden triangles. Edges and points use the shaders of the plane.
#include <algorithm>
#include <glm/geometric.hpp>

#include "app/render/renderer_impl.h"

namespace flipscope::app {

void Renderer::Impl::enter_space(const SceneView& scene, const Camera& camera) {
    const glm::dvec3 low(scene.low.x, scene.low.y, scene.low_z), high(scene.high.x, scene.high.y, scene.high_z);
    const glm::dvec3 half = 0.5 * (high - low), middle = low + half;
    const glm::dmat3 axes = axes_matrix(camera.view);
    // A vertex may be dragged out of the bounds; the depth range is twice as large.
    const double reach = 2 * std::max(glm::length(half), 1e-300);
    Space numbers{};
    const double nearness = (middle * axes).z;  // of the scene's middle, to the viewer
    numbers.eye = glm::dvec4(axes * glm::dvec3(to_glm(camera.center), nearness), 0);
    numbers.axes = glm::dmat3x4(axes);
    numbers.depth_scale = 1 / reach;
    numbers.pixel_depth = static_cast<float>(std::min(1 / (reach * camera.scale), 1.0));
    space_frame.write(&numbers, sizeof numbers);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, space_frame.id);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP);
    glDepthFunc(GL_LEQUAL);
}

void Renderer::Impl::draw_surface(const Elements& drawn, bool deep, bool has_edges) {
    fills.reserve(size_t(drawn.count) * 8);
    bind(5, fills.id);
    list_elements(gather_surface, drawn.count, 1, deep ? 6 : 3);
    glUseProgram(deep ? surface_deep.id() : surface.id());
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
    // Offset the surface by its slope within a line's width, so that edges lie on it entirely. Without edges there is
    // no offset: at silhouettes, where it is largest, the inside would become visible.
    if (has_edges) glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 1.f);
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
}

}  // namespace flipscope::app
