#include "app/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "app/renderer_shaders.h"
#include "app/shared_memory.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kChunk = 1024;  // edges in one instance of the draw; as in gather_edges.comp
constexpr uint32_t kStates = 1u << 16;
constexpr double kDeep = 16384;  // pixels; where the picture is wider, fills are cut out in double
// Rows of the style table that are always there; as in common.glsl.
enum Row : uint32_t {
    kPlainVertex,
    kPlainEdge,
    kPlainTriangle,
    kHelperEdge,
    kHelperVertex,
    kWaitingVertex,
    kFirstLegendRow = 8,
    kRows = 64
};

struct Frame {  // std140, as in common.glsl
    double eye[2];
    double scale;
    float half_size[2];
    float line_width, point_size;
    uint32_t vertex_count, point_count, helper_begin, infinite, edge_count, triangle_count, edge_capacity, flags;
    float fade, gap;
};
static_assert(sizeof(Frame) == 80);
enum Flags : uint32_t { kVertexStates = 1, kEdgeStates = 2, kTriangleStates = 4, kPreview = 8 };

struct StyleRow {
    float color[4];
    float size, loud, unused[2];
};

struct Command {
    uint32_t count, instances, first_vertex, base_instance;
};
struct Commands {
    Command commands[2];
    uint32_t listed[2];
};

/// A buffer of the renderer's own.
struct OwnBuffer {
    GLuint id = 0;
    size_t bytes = 0;
    ~OwnBuffer() {
        if (id) glDeleteBuffers(1, &id);
    }
    void reserve(size_t wanted) {
        if (id && wanted <= bytes) return;
        if (id) glDeleteBuffers(1, &id);
        glCreateBuffers(1, &id);
        bytes = std::max<size_t>(wanted, 16);
        glNamedBufferStorage(id, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_STORAGE_BIT);
    }
    void drop() {
        if (id) glDeleteBuffers(1, &id);
        id = 0;
        bytes = 0;
    }
    void write(const void* from, size_t count) {
        reserve(count);
        glNamedBufferSubData(id, 0, static_cast<GLsizeiptr>(count), from);
    }
};

void clear(const Canvas& canvas, bool light) {
    const Color background = palette(light).canvas;
    const float color[] = {background.r, background.g, background.b, 1};
    glClearNamedFramebufferfv(canvas.framebuffer(), GL_COLOR, 0, color);
}

void dispatch(uint32_t count) {
    const uint32_t groups = (count + 63) / 64;
    if (groups == 0) return;
    const uint32_t wide = std::min(groups, 32768u);
    glDispatchCompute(wide, (groups + wide - 1) / wide, 1);
}

void bind(GLuint place, GLuint buffer) { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, place, buffer); }

bool same_legend(const std::vector<LegendEntry>& a, const std::vector<LegendEntry>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LegendEntry& x, const LegendEntry& y) {
        return x.element == y.element && x.bit == y.bit && x.role == y.role;
    });
}

}  // namespace

struct Renderer::Impl {
    Program project{{"project.comp"}};
    Program gather_edges{{"gather_edges.comp"}};
    Program gather_triangles{{"gather_triangles.comp"}};
    Program edges{{"edges.vert", "edges.frag"}};
    Program triangles{{"triangles.vert", "triangles.frag"}};
    Program triangles_deep{{"triangles_deep.vert", "triangles_deep.frag"}};
    Program points{{"points.vert", "points.frag"}};
    GLint edge_list = edges.place("list"), point_list = points.place("list");
    OwnBuffer frame, styles, lookup, screen, records, commands, fills, fill_command, nothing, path, missing,
        missing_states, preview;
    const Point* previewed = nullptr;  // whose points lie in `preview`
    GLuint vertex_array = 0;
    std::vector<LegendEntry> legend;
    bool legend_known = false, light = false;
    bool loud_points = false;

    void learn(const std::vector<LegendEntry>& entries, bool light_theme);
    void draw_triangles(const Scene& scene, bool deep);
    void draw_edges(GLuint edge_buffer, GLuint state_buffer, Frame& uniforms);
    void draw_points(const Scene& scene);
    Frame begin(const Scene& scene, const Camera& camera, Canvas& canvas, bool light_theme, double line_scale);
    void project_vertices(const Frame& uniforms, GLuint positions);
    void end();
};

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {
    glCreateVertexArrays(1, &impl_->vertex_array);
    impl_->nothing.reserve(16);
}

Renderer::~Renderer() { glDeleteVertexArrays(1, &impl_->vertex_array); }

double Renderer::spacing(const Scene& scene) {
    const double wide = scene.high.x - scene.low.x, tall = scene.high.y - scene.low.y;
    const double count = std::max<double>(scene.point_count, 1);
    return std::max(std::sqrt(wide / count) * std::sqrt(tall), std::max(wide, tall) / count);
}

// The first legend entry that matches a state word decides; here for all words at once.
void Renderer::Impl::learn(const std::vector<LegendEntry>& entries, bool light_theme) {
    if (legend_known && light == light_theme && same_legend(legend, entries)) return;
    using Element = LegendEntry::Element;
    const Palette& colors = palette(light_theme);
    std::array<StyleRow, kRows> rows{};
    const auto put = [&](uint32_t row, const Style& style) {
        rows[row] = {
            {style.color.r, style.color.g, style.color.b, style.color.a}, style.size, style.loud ? 1.f : 0.f, {}};
    };
    put(kPlainVertex, colors.style(Element::kVertex, Role::kPlain));
    put(kPlainEdge, colors.style(Element::kEdge, Role::kPlain));
    put(kPlainTriangle, colors.style(Element::kTriangle, Role::kPlain));
    put(kHelperEdge, colors.style(Element::kEdge, Role::kHelper));
    put(kHelperVertex, colors.style(Element::kVertex, Role::kHelper));
    put(kWaitingVertex, colors.style(Element::kVertex, Role::kWaiting));

    std::vector<uint32_t> table(3 * size_t(kStates));
    std::fill_n(table.begin(), kStates, kPlainEdge);
    std::fill_n(table.begin() + kStates, kStates, kPlainTriangle);
    std::fill_n(table.begin() + 2 * kStates, kStates, kPlainVertex);
    loud_points = false;
    const size_t usable = std::min<size_t>(entries.size(), kRows - kFirstLegendRow);
    for (size_t i = usable; i-- > 0;) {  // backwards, so that the first has the last word
        const LegendEntry& entry = entries[i];
        const auto row = static_cast<uint32_t>(kFirstLegendRow + i);
        const Style style = colors.style(entry.element, entry.role);
        put(row, style);
        const size_t base = entry.element == Element::kEdge ? 0 : entry.element == Element::kTriangle ? 1 : 2;
        for (uint32_t state = 0; state < kStates; ++state)
            if (state & entry.bit) table[base * kStates + state] = row;
        if (entry.element == Element::kVertex && style.loud) loud_points = true;
    }
    styles.write(rows.data(), sizeof rows);
    lookup.write(table.data(), table.size() * sizeof(uint32_t));
    legend = entries;
    light = light_theme;
    legend_known = true;
}

void Renderer::Impl::draw_triangles(const Scene& scene, bool deep) {
    const TriangleMesh& mesh = *scene.mesh;
    if (mesh.triangle_count == 0) return;
    bind(2, SharedMemory::buffer_of(mesh.triangles.memory()));
    bind(3, mesh.triangle_states.empty() ? nothing.id : SharedMemory::buffer_of(mesh.triangle_states.memory()));
    if (deep) {
        glUseProgram(triangles_deep.id());
        glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * mesh.triangle_count));
        return;
    }
    fills.reserve(size_t(mesh.triangle_count) * 4);
    const Command none{0, 1, 0, 0};
    fill_command.write(&none, sizeof none);
    bind(5, fills.id);
    bind(6, fill_command.id);
    glUseProgram(gather_triangles.id());
    dispatch(mesh.triangle_count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glUseProgram(triangles.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, fill_command.id);
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
}

void Renderer::Impl::draw_edges(GLuint edge_buffer, GLuint state_buffer, Frame& uniforms) {
    const uint32_t count = uniforms.edge_count;
    if (count == 0) return;
    records.reserve(size_t(count) * 24);
    uniforms.edge_capacity = static_cast<uint32_t>(records.bytes / 24);
    frame.write(&uniforms, sizeof uniforms);
    Commands none{};
    none.commands[0].count = none.commands[1].count = 3 * kChunk;
    commands.write(&none, sizeof none);
    bind(2, edge_buffer);
    bind(3, state_buffer);
    bind(5, records.id);
    bind(6, commands.id);
    glUseProgram(gather_edges.id());
    dispatch(count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glUseProgram(edges.id());
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, commands.id);
    for (GLuint list : {0u, 1u}) {
        glUniform1ui(edge_list, list);
        glDrawArraysIndirect(GL_TRIANGLES, reinterpret_cast<const void*>(list * sizeof(Command)));
    }
}

void Renderer::Impl::draw_points(const Scene& scene) {
    const TriangleMesh& mesh = *scene.mesh;
    bind(3, mesh.vertex_states.empty() ? nothing.id : SharedMemory::buffer_of(mesh.vertex_states.memory()));
    glUseProgram(points.id());
    glEnable(GL_PROGRAM_POINT_SIZE);
    for (GLuint list : {0u, 1u}) {
        if (list == 1 && !loud_points) break;
        glUniform1ui(point_list, list);
        const uint32_t finite = mesh.vertex_count - 1;
        glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(std::min(scene.point_count, finite)));
        if (list == 0 && scene.helper_begin < finite)
            glDrawArrays(GL_POINTS, static_cast<GLint>(scene.helper_begin),
                         static_cast<GLsizei>(finite - scene.helper_begin));
    }
}

// What both ways of drawing begin with: the canvas cleared, and the numbers that every shader reads.
Frame Renderer::Impl::begin(const Scene& scene, const Camera& camera, Canvas& canvas, bool light_theme,
                            double line_scale) {
    learn(scene.legend, light_theme);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer());
    glViewport(0, 0, canvas.width(), canvas.height());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(vertex_array);
    const double gap = std::min(spacing(scene) * camera.scale, 1e9);  // pixels
    Frame uniforms{};
    uniforms.eye[0] = camera.center.x;
    uniforms.eye[1] = camera.center.y;
    uniforms.scale = camera.scale;
    uniforms.half_size[0] = 0.5f * static_cast<float>(canvas.width());
    uniforms.half_size[1] = 0.5f * static_cast<float>(canvas.height());
    uniforms.line_width = static_cast<float>(std::clamp(0.05 * gap, 1.15, 2.2) * line_scale);
    uniforms.point_size = static_cast<float>(std::clamp(0.27 * gap, 0.1, 9.0) * line_scale);
    uniforms.point_count = scene.point_count;
    uniforms.helper_begin = scene.helper_begin;
    uniforms.fade = 1;
    uniforms.gap = static_cast<float>(gap);
    return uniforms;
}

void Renderer::Impl::project_vertices(const Frame& uniforms, GLuint positions) {
    frame.write(&uniforms, sizeof uniforms);
    screen.reserve(size_t(uniforms.vertex_count) * 8);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame.id);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, styles.id);
    bind(0, positions);
    bind(1, screen.id);
    bind(4, lookup.id);
    glUseProgram(project.id());
    dispatch(uniforms.vertex_count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void Renderer::Impl::end() {
    glBindVertexArray(0);
    glUseProgram(0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void Renderer::draw(const Scene& scene, const Camera& camera, Canvas& canvas, bool light, double line_scale) {
    Impl& my = *impl_;
    clear(canvas, light);
    if (!scene.mesh || scene.mesh->vertex_count < 2 || !scene.mesh->positions.memory()) return;
    const TriangleMesh& mesh = *scene.mesh;
    Frame uniforms = my.begin(scene, camera, canvas, light, line_scale);
    uniforms.vertex_count = mesh.vertex_count - 1;
    uniforms.infinite = mesh.infinite();
    uniforms.triangle_count = mesh.triangle_count;
    if (!mesh.vertex_states.empty()) uniforms.flags |= kVertexStates;
    if (!mesh.edge_states.empty()) uniforms.flags |= kEdgeStates;
    if (!mesh.triangle_states.empty()) uniforms.flags |= kTriangleStates;
    my.project_vertices(uniforms, SharedMemory::buffer_of(mesh.positions.memory()));

    const double extent = std::max(scene.high.x - scene.low.x, scene.high.y - scene.low.y) * camera.scale;
    my.draw_triangles(scene, extent > kDeep);
    if (mesh.edge_count > 0) {
        uniforms.edge_count = mesh.edge_count;
        my.draw_edges(SharedMemory::buffer_of(mesh.edges.memory()),
                      mesh.edge_states.empty() ? my.nothing.id : SharedMemory::buffer_of(mesh.edge_states.memory()),
                      uniforms);
    }
    if (scene.path.size() > 1) {
        std::vector<uint32_t> pairs;
        for (size_t i = 1; i < scene.path.size(); ++i) pairs.insert(pairs.end(), {scene.path[i - 1], scene.path[i]});
        my.path.write(pairs.data(), pairs.size() * sizeof(uint32_t));
        uniforms.edge_count = static_cast<uint32_t>(scene.path.size() - 1);
        uniforms.flags &= ~uint32_t(kEdgeStates);
        my.draw_edges(my.path.id, my.nothing.id, uniforms);
    }
    if (!scene.missing.empty()) {
        const std::vector<State> states(scene.missing.size() / 2, State(kStateMissing));
        my.missing.write(scene.missing.data(), scene.missing.size() * sizeof(uint32_t));
        my.missing_states.write(states.data(), states.size() * sizeof(State));
        uniforms.edge_count = static_cast<uint32_t>(states.size());
        uniforms.flags |= kEdgeStates;
        my.draw_edges(my.missing.id, my.missing_states.id, uniforms);
    }
    my.draw_points(scene);
    my.end();
}

void Renderer::draw_input(const Geometry& points, const Scene& bounds, const Camera& camera, Canvas& canvas, bool light,
                          double line_scale) {
    Impl& my = *impl_;
    clear(canvas, light);
    if (points.points.empty()) return;
    Scene scene = bounds;
    scene.point_count = static_cast<uint32_t>(points.points.size());
    Frame uniforms = my.begin(scene, camera, canvas, light, line_scale);
    uniforms.vertex_count = scene.point_count;
    uniforms.flags = kPreview;
    if (my.previewed != points.points.data()) {
        my.preview.write(points.points.data(), points.points.size() * sizeof(Point));
        my.previewed = points.points.data();
    }
    my.project_vertices(uniforms, my.preview.id);
    bind(3, my.nothing.id);
    glUseProgram(my.points.id());
    glEnable(GL_PROGRAM_POINT_SIZE);
    glUniform1ui(my.point_list, 0);
    glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(scene.point_count));
    my.end();
}

void Renderer::forget_input() {
    impl_->previewed = nullptr;
    impl_->preview.drop();
}

}  // namespace flipscope::app
