#include "app/renderer.h"

#include <algorithm>
#include <cmath>

#include "app/renderer_impl.h"
#include "app/shared_memory.h"
#include "geometry/frames.h"

namespace flipscope::app {

namespace {

struct Command {
    uint32_t count, instances, first_vertex, base_instance;
};
struct Commands {
    Command commands[2];
    uint32_t listed[2];
};
struct FillCommand {
    Command command;
    uint32_t folded;
};

GLuint buffer_or(const Memory* memory, bool there, const OwnBuffer& nothing) {
    return there ? SharedMemory::buffer_of(memory) : nothing.id;
}

bool has_something(const Scene& scene) {
    return scene.mesh && scene.mesh->vertex_count >= 2 && scene.mesh->positions.memory();
}

bool has_depths(const Scene& scene) { return scene.in_space && !scene.mesh->heights.empty(); }

}  // namespace

void dispatch(uint32_t count) {
    const uint32_t groups = (count + 63) / 64;
    if (groups == 0) return;
    const uint32_t wide = std::min(groups, 32768u);
    glDispatchCompute(wide, (groups + wide - 1) / wide, 1);
}

Programs::Programs(const std::string& prologue)
    : project({"project.comp"}, prologue),
      gather_edges({"gather_edges.comp"}, prologue),
      edges({"edges.vert", "edges.frag"}, prologue),
      points({"points.vert", "points.frag"}, prologue),
      edge_list(edges.place("list")),
      point_list(points.place("list")),
      record_bytes(prologue.empty() ? 24 : 32) {}

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {
    glCreateVertexArrays(1, &impl_->vertex_array);
    impl_->nothing.reserve(16);
}

Renderer::~Renderer() { glDeleteVertexArrays(1, &impl_->vertex_array); }

double Renderer::spacing(const Scene& scene) {
    const double wide = scene.high.x - scene.low.x, tall = scene.high.y - scene.low.y;
    const double count = std::max<double>(scene.point_count, 1);
    if (scene.in_space) {
        const double deep = scene.high_z - scene.low_z;
        return std::sqrt(wide / count * tall + tall / count * deep + deep / count * wide);
    }
    return std::max(std::sqrt(wide / count) * std::sqrt(tall), std::max(wide, tall) / count);
}

PixelBox Renderer::part_of(int width, int height, bool beside, uint32_t part) {
    if (!beside) return {0, 0, width, height};
    const int left = width / 2;
    return part == 0 ? PixelBox{0, 0, left, height} : PixelBox{left, 0, width - left, height};
}

void Renderer::Impl::draw_triangles(const Scene& scene, bool deep) {
    const TriangleMesh& mesh = *scene.mesh;
    if (mesh.triangle_count == 0) return;
    bind(2, SharedMemory::buffer_of(mesh.triangles.memory()));
    bind(3, buffer_or(mesh.triangle_states.memory(), !mesh.triangle_states.empty(), nothing));
    if (deep) {
        glUseProgram(triangles_deep.id());
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * mesh.triangle_count));
        return;
    }
    fills.reserve(size_t(mesh.triangle_count) * 4);
    const FillCommand none{{0, 1, 0, 0}, 0};
    fill_command.write(&none, sizeof none);
    bind(5, fills.id);
    bind(6, fill_command.id);
    glUseProgram(gather_triangles.id());
    for (GLuint stage : {0u, 1u}) {
        glUniform1ui(gather_stage, stage);
        dispatch(mesh.triangle_count);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    }
    glUseProgram(triangles.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, fill_command.id);
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
}

void Renderer::Impl::draw_edges(const Programs& programs, GLuint edge_buffer, GLuint state_buffer, Frame& uniforms) {
    const uint32_t count = uniforms.edge_count;
    if (count == 0) return;
    records.reserve(size_t(count) * programs.record_bytes);
    uniforms.edge_capacity = static_cast<uint32_t>(records.bytes / programs.record_bytes);
    frame.write(&uniforms, sizeof uniforms);
    Commands none{};
    none.commands[0].count = none.commands[1].count = 3 * kEdgeChunk;
    commands.write(&none, sizeof none);
    bind(2, edge_buffer);
    bind(3, state_buffer);
    bind(5, records.id);
    bind(6, commands.id);
    glUseProgram(programs.gather_edges.id());
    dispatch(count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glUseProgram(programs.edges.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands.id);
    for (GLuint list : {0u, 1u}) {
        glUniform1ui(programs.edge_list, list);
        glDrawArraysIndirect(GL_TRIANGLES, reinterpret_cast<const void*>(list * sizeof(Command)));
    }
}

void Renderer::Impl::draw_points(const Programs& programs, const Scene& scene) {
    const TriangleMesh& mesh = *scene.mesh;
    bind(3, buffer_or(mesh.vertex_states.memory(), !mesh.vertex_states.empty(), nothing));
    glUseProgram(programs.points.id());
    glEnable(GL_PROGRAM_POINT_SIZE);
    for (GLuint list : {0u, 1u}) {
        if (list == 1 && !loud_points) break;
        glUniform1ui(programs.point_list, list);
        const uint32_t finite = mesh.vertex_count - 1;
        glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(std::min(scene.point_count, finite)));
        if (list == 0 && scene.helper_begin < finite)
            glDrawArrays(GL_POINTS, static_cast<GLint>(scene.helper_begin),
                         static_cast<GLsizei>(finite - scene.helper_begin));
    }
}

// What every way of drawing begins with: where to, and the numbers that every shader reads.
Frame Renderer::Impl::begin(const Scene& scene, const Camera& camera, const PixelBox& part, bool light_theme,
                            double line_scale) {
    learn(scene.legend, light_theme);
    glViewport(part.x, part.y, part.width, part.height);
    glScissor(part.x, part.y, part.width, part.height);
    glEnable(GL_SCISSOR_TEST);  // points reach out of the viewport
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(vertex_array);
    const double gap = std::min(spacing(scene) * camera.scale, 1e9);  // pixels
    Frame uniforms{};
    uniforms.eye = to_glm(camera.center);
    uniforms.scale = camera.scale;
    uniforms.half_size = 0.5f * glm::vec2(part.width, part.height);
    uniforms.line_width = static_cast<float>(std::clamp(0.05 * gap, 1.15, 2.2) * line_scale);
    // In the middle of a cell a point is found however small it is.
    const double large = scene.lattice ? 6.5 : 9.0;
    uniforms.point_size = static_cast<float>(std::clamp(0.03 * large * gap, 0.1, large) * line_scale);
    uniforms.point_count = scene.point_count;
    uniforms.helper_begin = scene.helper_begin;
    uniforms.fade = 1;
    uniforms.gap = static_cast<float>(gap);
    return uniforms;
}

void Renderer::Impl::project_vertices(const Programs& programs, const Frame& uniforms, GLuint positions, GLuint heights,
                                      OwnBuffer& to) {
    frame.write(&uniforms, sizeof uniforms);
    to.reserve(size_t(uniforms.vertex_count) * (heights ? 16 : 8));
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame.id);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, styles.id);
    bind(0, positions);
    bind(1, to.id);
    bind(4, lookup.id);
    if (heights) bind(7, heights);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // the scene beside this one has been drawn from the same buffers
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

void Renderer::Impl::draw_scene(const Scene& scene, const Camera& camera, const PixelBox& part, bool light_theme,
                                double line_scale, const Look& look) {
    Frame uniforms = begin(scene, camera, part, light_theme, line_scale);
    if (scene.lattice) {
        frame.write(&uniforms, sizeof uniforms);
        draw_lattice(scene.lattice, camera, part, uniforms, line_scale, look);
    }
    const auto draw_others = [&] {
        for (const TriangleMesh* other : scene.over)
            if (other && look.over) draw_over(*other, uniforms);
    };
    if (!has_something(scene)) return draw_others();
    const TriangleMesh& mesh = *scene.mesh;
    const bool in_space = has_depths(scene);
    const Programs& programs = in_space ? space : flat;
    uniforms.vertex_count = mesh.vertex_count - 1;
    uniforms.infinite = mesh.infinite();
    uniforms.triangle_count = mesh.triangle_count;
    if (!mesh.vertex_states.empty()) uniforms.flags |= kVertexStates;
    if (!mesh.edge_states.empty()) uniforms.flags |= kEdgeStates;
    if (!mesh.triangle_states.empty()) uniforms.flags |= kTriangleStates;
    if (look.fills && look.angles) uniforms.flags |= kAngles;
    if (look.fills && in_space) uniforms.flags |= kOnSurface;
    if (in_space) {
        enter_space(scene, camera);
        glDepthMask(GL_FALSE);
    }
    project_vertices(programs, uniforms, SharedMemory::buffer_of(mesh.positions.memory()),
                     in_space ? SharedMemory::buffer_of(mesh.heights.memory()) : 0, screen);

    const double extent =
        std::max({scene.high.x - scene.low.x, scene.high.y - scene.low.y, in_space ? scene.high_z - scene.low_z : 0}) *
        camera.scale;
    if (look.fills && in_space)
        draw_surface(scene, extent > kDeep, look.edges);
    else if (look.fills)
        draw_triangles(scene, extent > kDeep);
    if (look.edges && mesh.edge_count > 0) {
        uniforms.edge_count = mesh.edge_count;
        draw_edges(programs, SharedMemory::buffer_of(mesh.edges.memory()),
                   buffer_or(mesh.edge_states.memory(), !mesh.edge_states.empty(), nothing), uniforms);
    }
    if (scene.path.size() > 1) {
        std::vector<uint32_t> pairs;
        for (size_t i = 1; i < scene.path.size(); ++i) pairs.insert(pairs.end(), {scene.path[i - 1], scene.path[i]});
        path.write(pairs.data(), pairs.size() * sizeof(uint32_t));
        uniforms.edge_count = static_cast<uint32_t>(scene.path.size() - 1);
        uniforms.flags &= ~uint32_t(kEdgeStates);
        draw_edges(programs, path.id, nothing.id, uniforms);
    }
    if (!scene.missing.empty()) {
        const std::vector<State> states(scene.missing.size() / 2, State(kStateMissing));
        missing.write(scene.missing.data(), scene.missing.size() * sizeof(uint32_t));
        missing_states.write(states.data(), states.size() * sizeof(State));
        uniforms.edge_count = static_cast<uint32_t>(states.size());
        uniforms.flags |= kEdgeStates;
        draw_edges(programs, missing.id, missing_states.id, uniforms);
    }
    draw_others();
    if (!look.points) return;
    bind(1, screen.id);
    uniforms.vertex_count = mesh.vertex_count - 1;
    frame.write(&uniforms, sizeof uniforms);
    draw_points(programs, scene);
}

void Renderer::Impl::draw_over(const TriangleMesh& mesh, Frame uniforms) {
    if (mesh.vertex_count < 2 || mesh.edge_count == 0 || !mesh.positions.memory()) return;
    uniforms.vertex_count = mesh.vertex_count - 1;
    uniforms.infinite = mesh.infinite();
    uniforms.edge_count = mesh.edge_count;
    uniforms.helper_begin = kNone;
    uniforms.flags = mesh.edge_states.empty() ? 0u : uint32_t(kEdgeStates);
    project_vertices(flat, uniforms, SharedMemory::buffer_of(mesh.positions.memory()), 0, over_screen);
    draw_edges(flat, SharedMemory::buffer_of(mesh.edges.memory()),
               buffer_or(mesh.edge_states.memory(), !mesh.edge_states.empty(), nothing), uniforms);
}

void Renderer::draw(const Scene& scene, const Camera& camera, Canvas& canvas, bool light, double line_scale,
                    const Look& look, bool fine) {
    Impl& my = *impl_;
    my.coarse_lattice = !fine;
    const bool beside = !scene.beside.empty();
    const bool deep = (has_something(scene) && has_depths(scene)) ||
                      (beside && has_something(scene.beside[0]) && has_depths(scene.beside[0]));
    if (!deep) canvas.drop_depths();
    const GLuint framebuffer = deep ? canvas.deep_framebuffer(fine) : canvas.framebuffer();
    const Palette& colors = palette(light);
    const float background[] = {colors.canvas.r, colors.canvas.g, colors.canvas.b, 1};
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, background);
    const float farthest = 1;
    if (deep) glClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &farthest);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (uint32_t part = 0; part < (beside ? 2u : 1u); ++part)
        my.draw_scene(part == 0 ? scene : scene.beside[0], camera,
                      part_of(canvas.width(), canvas.height(), beside, part), light, line_scale, look);
    if (beside) {
        const int wide = std::max(1, static_cast<int>(std::lround(line_scale)));
        const float divider[] = {colors.panel_edge.r, colors.panel_edge.g, colors.panel_edge.b, 1};
        glEnable(GL_SCISSOR_TEST);
        glScissor(canvas.width() / 2 - wide / 2, 0, wide, canvas.height());
        glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, divider);
    }
    if (deep) canvas.resolve();
    my.end();
}

void Renderer::draw_input(const Geometry& input, const Scene& bounds, const Camera& camera, Canvas& canvas, bool light,
                          double line_scale) {
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
    Scene scene = bounds;
    scene.point_count = static_cast<uint32_t>(count);
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
    const Programs& programs = input.in_space() ? my.space : my.flat;
    if (input.in_space()) {
        my.enter_space(scene, camera);
        glDisable(GL_DEPTH_TEST);
    }
    my.project_vertices(programs, uniforms, my.preview.id, input.in_space() ? my.preview_heights.id : 0, my.screen);
    bind(3, my.nothing.id);
    glUseProgram(programs.points.id());
    glEnable(GL_PROGRAM_POINT_SIZE);
    glUniform1ui(programs.point_list, 0);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(scene.point_count));
    my.end();
}

void Renderer::forget_input() {
    impl_->previewed = nullptr;
    impl_->preview.drop();
    impl_->preview_heights.drop();
}

}  // namespace flipscope::app
