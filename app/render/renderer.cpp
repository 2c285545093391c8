#include "app/render/renderer.h"
#include "app/view/density.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "app/render/renderer_impl.h"
#include "geometry/frames.h"

namespace flipscope::app {

namespace {

bool has_depths(const SceneView& view) {
    if (!view.in_space) return false;
    const auto has = [](const auto& shape) {
        if constexpr (requires { shape.heights; }) {
            if (!shape.heights || shape.heights->empty()) return false;
            if constexpr (requires { shape.place_count; }) return shape.place_count > 0;
            return shape.count > 0;
        }
        return false;
    };
    return std::ranges::any_of(view.layers, [&](const Layer& layer) { return std::visit(has, layer.shape); });
}

}  // namespace

void dispatch(uint32_t count) {
    const uint32_t groups = (count + 63) / 64;
    if (groups == 0) return;
    const uint32_t wide = std::min(groups, 32768u);
    glDispatchCompute(wide, (groups + wide - 1) / wide, 1);
}

Programs::Programs(const std::string& prologue)
    : project({"project.comp"}, prologue),
      move({"move.comp"}, prologue),
      gather_edges({"groups.glsl", "listing.glsl", "cut.glsl", "gather_edges.comp"}, prologue),
      edges({"groups.glsl", "edges.vert", "edges.frag"}, prologue),
      points({"points.vert", "points.frag"}, prologue),
      record_bytes(prologue.empty() ? 24 : 32) {}

Renderer::Renderer(const Renderer* other) : impl_(std::make_unique<Impl>()) {
    impl_->shared = other ? other->impl_->shared : std::make_shared<RendererPrograms>();
    glCreateVertexArrays(1, &impl_->vertex_array);
    impl_->nothing.reserve(16);
}

Renderer::~Renderer() { glDeleteVertexArrays(1, &impl_->vertex_array); }

Renderer::PlainSizes Renderer::plain_sizes(const SceneView& view, double gap) {
    // A point in the middle of a cell is easy to find, however small.
    const double large = view.lattice() ? 6.5 : 9.0;
    return {std::clamp(0.05 * gap, 1.15, 2.2), std::clamp(0.03 * large * gap, 0.1, large)};
}

PixelBox Renderer::box_of_view(int width, int height, size_t views, size_t view) {
    if (views <= 1) return {0, 0, width, height};
    const int across = views == 4 ? 2 : static_cast<int>(views), down = views == 4 ? 2 : 1;
    const int column = static_cast<int>(view) % across, row = static_cast<int>(view) / across;  // from the top
    const int left = width * column / across, right = width * (column + 1) / across;
    const int top = height * row / down, below = height * (row + 1) / down;
    return {left, height - below, right - left, below - top};
}

Camera Renderer::camera_of(const SceneView& view, const Camera& linked, const PixelBox& box) {
    if (view.linked) return linked;
    Camera own;
    if (!view.in_space) {
        own.fit(view.low, view.high, box.width, box.height);
        return own;
    }
    // To all sides of a turning cylinder, so that its size stays the same.
    const double half_x = 0.5 * (view.high.x - view.low.x), half_z = 0.5 * (view.high_z - view.low_z);
    own.view = linked.apart;
    const Point middle = own.seen({view.low.x + half_x, 0.5 * (view.low.y + view.high.y), view.low_z + half_z});
    const double reach = std::hypot(half_x, half_z);
    own.fit({middle.x - half_x, middle.y - reach}, {middle.x + half_x, middle.y + reach}, box.width, box.height);
    own.scale *= linked.apart_zoom;
    return own;
}

void Renderer::Impl::prepare(ViewDraw& draw, const Elements& drawn, Frame& uniforms, GLuint heights) {
    uniforms.vertex_count = drawn.place_count;
    uniforms.helper_begin = drawn.helper_begin;
    (drawn.corners == 2 ? uniforms.edge_count : uniforms.triangle_count) = drawn.count;
    project(draw, uniforms, drawn.places, heights);
    bind(2, drawn.ids);
    bind(3, drawn.states ? drawn.states : nothing.id);
}

void Renderer::Impl::bind_frame(const Frame& uniforms) {
    frame.write(&uniforms, sizeof uniforms);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame.id);
}

void Renderer::Impl::draw_triangles(const Elements& drawn, bool deep) {
    if (deep) {
        glUseProgram(shared->triangles_deep.id());
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * drawn.count));
        return;
    }
    fills.reserve(size_t(drawn.count) * 4);
    reserve_listing(drawn.count, 1);
    const uint32_t unfolded = 0;
    glNamedBufferSubData(listing.id, offsetof(Listing, folded), sizeof unfolded, &unfolded);
    bind(5, fills.id);
    bind(6, listing.id);
    glUseProgram(shared->find_folds.id());
    dispatch(drawn.count);
    list_elements(shared->gather_triangles, drawn.count, 1, 3);
    glUseProgram(shared->triangles.id());
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
}

void Renderer::Impl::draw_edges(ViewDraw& draw, const Elements& drawn, Frame& uniforms, GLuint heights) {
    if (drawn.count == 0) return;
    const Programs& programs = draw.in_space ? shared->space : shared->flat;
    prepare(draw, drawn, uniforms, heights);
    records.reserve(size_t(drawn.count) * programs.record_bytes);
    bind(5, records.id);
    list_elements(programs.gather_edges, drawn.count, 2, 3, kEdgeChunk);
    glUseProgram(programs.edges.id());
    for (GLuint list : {0u, 1u}) {
        glUniform1ui(programs.edges.place("list"), list);
        glDrawArraysIndirect(GL_TRIANGLES, reinterpret_cast<const void*>(list * sizeof(DrawCommand)));
    }
}

// The start of every drawing: its target, and the uniforms of all shaders.
Frame Renderer::Impl::begin(const SceneView& scene, const Camera& camera, const PixelBox& part, bool light_theme,
                            double line_scale) {
    light = light_theme;
    projections = 0;
    // A tile uses the whole picture as viewport, so that its arithmetic agrees with the whole's up to the last
    // addition.
    const int left = tile ? part.x - tile->x : part.x, below = tile ? part.y - tile->y : part.y;
    glViewport(left, below, part.width, part.height);
    glScissor(left, below, part.width, part.height);
    glEnable(GL_SCISSOR_TEST);  // points may extend beyond the viewport
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(vertex_array);
    const double gap = std::min(point_spacing(scene) * camera.scale, 1e9);  // pixels
    Frame uniforms{};
    uniforms.eye = to_glm(camera.center);
    uniforms.scale = camera.scale;
    uniforms.half_size = 0.5f * glm::vec2(part.width, part.height);
    // A figure of twice the size must look the same.
    Renderer::PlainSizes plain = Renderer::plain_sizes(scene, tile ? gap / line_scale : gap);
    if (tile && tile->line_px > 0) {
        const double thicker = tile->line_px / (plain.line * line_scale);
        plain = {plain.line * thicker, plain.point * thicker};
    }
    uniforms.line_width = static_cast<float>(plain.line * line_scale);
    uniforms.point_size = static_cast<float>(plain.point * line_scale);
    uniforms.point_count = scene.point_count;
    uniforms.helper_begin = kNone;
    uniforms.fade = 1;
    uniforms.motion = static_cast<float>(motion_at);
    uniforms.gap = static_cast<float>(gap);
    return uniforms;
}

void Renderer::Impl::project_vertices(const Programs& programs, const Frame& uniforms, GLuint positions, GLuint heights,
                                      OwnBuffer& to) {
    to.reserve(size_t(uniforms.vertex_count) * (heights ? 16 : 8));
    bind_frame(uniforms);
    bind(0, positions);
    bind(1, to.id);
    if (heights) bind(7, heights);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // the neighbouring scene was drawn from the same buffers
    glUseProgram(programs.project.id());
    dispatch(uniforms.vertex_count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void Renderer::Impl::end() {
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_DEPTH_CLAMP);
    glDepthMask(GL_TRUE);
    glBindVertexArray(0);
    glUseProgram(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Renderer::Impl::project(ViewDraw& draw, const Frame& uniforms, GLuint positions, GLuint heights) {
    for (size_t i = 0; i < projections; ++i)
        if (projected[i].positions == positions && projected[i].heights == heights &&
            projected[i].count >= uniforms.vertex_count) {
            bind_frame(uniforms);
            bind(0, positions);
            bind(1, projected[i].screen->id);
            if (draw.in_space) bind(7, heights);
            return;
        }
    if (projections == projected.size()) projected.emplace_back();
    Projected& fresh = projected[projections++];
    fresh.positions = positions;
    fresh.heights = heights;
    fresh.count = uniforms.vertex_count;
    project_vertices(draw.in_space ? shared->space : shared->flat, uniforms, positions, draw.in_space ? heights : 0,
                     *fresh.screen);
}

void Renderer::Impl::draw_view(const SceneView& view, const Camera& camera, const PixelBox& part, bool light_theme,
                               double line_scale, const DisplayOptions& display) {
    ViewDraw draw{view,    camera,     part,
                  display, line_scale, begin(view, camera, part, light_theme, line_scale),
                  false,   false,      has_depths(view)};
    bool fills_shown = false;
    for (const Layer& layer : view.layers) {
        if (!display.shows(layer.id, layer.shown)) continue;
        const auto* faces = std::get_if<TrianglesLayer>(&layer.shape);
        fills_shown |= faces && faces->place_count > 0;
        draw.wires |= draw.in_space && std::holds_alternative<SegmentsLayer>(layer.shape);
    }
    draw.on_surface = fills_shown && draw.in_space;
    if (fills_shown && display.angles) draw.uniforms.flags |= kAngles;
    if (draw.on_surface) draw.uniforms.flags |= kOnSurface;
    if (draw.in_space) {
        enter_space(view, camera);
        glDepthMask(GL_FALSE);
    }
    const DensityPlan density = plan_density(view, display, camera.scale, line_scale, hurried);
    if (density && !density.covered) {  // over the elements that it replaces, under all others
        for (size_t i = 0; density.strength < 1 && i < view.layers.size(); ++i)
            if (density.replaced[i]) draw_layer(draw, view.layers[i]);
        draw_density(draw, density);
    }
    for (size_t i = 0; i < view.layers.size();) {
        const Layer& layer = view.layers[i];
        if (std::holds_alternative<LatticeLayer>(layer.shape)) {
            i = draw_lattices(draw, i);
            continue;
        }
        ++i;
        if (!display.shows(layer.id, layer.shown) || layer.empty()) continue;
        const double mean = i - 1 < density.means.size() ? density.means[i - 1] : 0;
        if (density && density.replaced[i - 1])
            draw_marked(draw, layer);
        else
            draw_layer(draw, layer, mean >= 1);
        if (mean > 0) draw_mean(draw, layer, mean);
    }
}

void Renderer::draw(const Scene& scene, const Camera& camera, Canvas& canvas, bool light, double line_scale,
                    const DisplayOptions& display, bool fine, const Tile* tile) {
    Impl& my = *impl_;
    my.hurried = !fine;
    my.tile = tile;
    const int width = tile ? tile->width : canvas.width(), height = tile ? tile->height : canvas.height();
    my.marked.restart();
    my.near_lists.restart();
    my.large_lists.restart();
    my.means.restart();
    my.moving.restart();
    uint64_t& drawn = my.drawn_revisions[&canvas];
    my.still = my.revision != 0 && my.revision == drawn;
    drawn = my.revision;
    const struct Finally {
        Impl& impl;
        ~Finally() {
            impl.end();
            impl.tile = nullptr;
        }
    } finally{my};
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    bool deep = false;
    for (size_t i = 0; i < views; ++i) deep |= has_depths(scene.view(i));
    if (!deep) canvas.drop_depths();
    const GLuint framebuffer = deep ? canvas.deep_framebuffer(fine) : canvas.framebuffer();
    const Palette& colors = palette(light);
    const float there = tile && tile->transparent ? 0.f : 1.f;
    const float background[] = {there * colors.canvas.r, there * colors.canvas.g, there * colors.canvas.b, there};
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, background);
    const float farthest = 1;
    if (deep) glClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &farthest);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (size_t i = 0; i < views; ++i) {
        const PixelBox box = box_of_view(width, height, views, i);
        my.draw_view(scene.view(i), camera_of(scene.view(i), camera, box), box, light, line_scale, display);
    }
    const int wide = std::max(1, static_cast<int>(std::lround(line_scale)));
    const float divider[] = {colors.panel_edge.r, colors.panel_edge.g, colors.panel_edge.b, 1};
    for (size_t i = 0; views > 1 && i < views; ++i) {  // a line at the left of each view, and one above it
        const PixelBox box = box_of_view(width, height, views, i);
        glEnable(GL_SCISSOR_TEST);
        const int top = box.y + box.height, left = tile ? tile->x : 0, below = tile ? tile->y : 0;
        if (box.x > 0) {
            glScissor(box.x - wide / 2 - left, box.y - below, wide, box.height);
            glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, divider);
        }
        if (top < height) {
            glScissor(box.x - left, top - wide / 2 - below, box.width, wide);
            glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, divider);
        }
    }
    if (deep) canvas.resolve();
}

void Renderer::draw_input(const Geometry& input, const SceneView& bounds, const Camera& camera, Canvas& canvas,
                          bool light, double line_scale) {
    Impl& my = *impl_;
    const Color background = palette(light).canvas;
    const float color[] = {background.r, background.g, background.b, 1};
    glDisable(GL_SCISSOR_TEST);
    glClearNamedFramebufferfv(canvas.framebuffer(), GL_COLOR, 0, color);
    const Point* points = input.points.data();
    size_t count = input.points.size();
    const bool has_field = count == 0 && input.field && input.field->frame_count() > 0;
    if (count == 0 && !has_field && input.tracks && input.tracks->frame_count() > 0) {
        points = input.tracks->places.data();
        count = input.tracks->starts[1];
    }
    if (count == 0 && !has_field) return;
    SceneView scene = bounds;
    scene.point_count = static_cast<uint32_t>(count);
    scene.layers.clear();
    const PixelBox whole{0, 0, canvas.width(), canvas.height()};
    glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer());
    Frame uniforms = my.begin(scene, camera, whole, light, line_scale);
    if (has_field) {
        my.draw_preview(*input.field, camera, whole, uniforms, line_scale);
        return my.end();
    }
    uniforms.vertex_count = scene.point_count;
    uniforms.flags = kPreview;
    if (my.previewed != points) {
        my.preview.write(points, count * sizeof(Point));
        if (input.in_space()) my.preview_heights.write(input.heights.data(), count * sizeof(double));
        my.previewed = points;
    }
    const Programs& programs = input.in_space() ? my.shared->space : my.shared->flat;
    if (input.in_space()) {
        my.enter_space(scene, camera);
        glDisable(GL_DEPTH_TEST);
    }
    if (my.projected.empty()) my.projected.emplace_back();
    my.project_vertices(programs, uniforms, my.preview.id, input.in_space() ? my.preview_heights.id : 0,
                        *my.projected[0].screen);
    const LayerStyles& styles = my.styles_of(LegendEntry::Element::kVertex, Role::kPlain, {});
    bind(3, my.nothing.id);
    my.use(styles);
    glUseProgram(programs.points.id());
    glEnable(GL_PROGRAM_POINT_SIZE);
    glUniform1ui(programs.points.place("list"), 0);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(scene.point_count));
    my.end();
}

void Renderer::forget_input() {
    impl_->previewed = nullptr;
    impl_->preview.drop();
    impl_->preview_heights.drop();
}

std::vector<PlacedLabel> label_places(const Scene& scene, const Camera& camera, const DisplayOptions& display,
                                      int width, int height) {
    std::vector<PlacedLabel> placed;
    const size_t views = std::min(scene.view_count(), Scene::kMostViews);
    for (size_t i = 0; i < views; ++i) {
        const PixelBox box = Renderer::box_of_view(width, height, views, i);
        const Camera seen = Renderer::camera_of(scene.view(i), camera, box);
        const PixelBox from_top{box.x, height - box.y - box.height, box.width, box.height};
        const double left = box.x + 0.5 * box.width, below = box.y + 0.5 * box.height;  // of its middle
        for (const Layer& layer : scene.view(i).layers) {
            const auto* labels = std::get_if<LabelsLayer>(&layer.shape);
            if (!labels || !display.shows(layer.id, layer.shown)) continue;
            for (const LabelsLayer::Label& label : labels->labels) {
                const Point off = seen.to_pixels(label.place);
                if (!(std::abs(off.x) <= 0.5 * box.width && std::abs(off.y) <= 0.5 * box.height)) continue;
                placed.push_back({left + off.x, height - (below + off.y), &label.text, layer.role, i, from_top});
            }
        }
    }
    return placed;
}

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
    list_elements(shared->gather_surface, drawn.count, 1, deep ? 6 : 3);
    glUseProgram(deep ? shared->surface_deep.id() : shared->surface.id());
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
