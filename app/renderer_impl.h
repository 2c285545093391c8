// What the renderer is made of, for its own sources: the numbers that its shaders read, its buffers and programs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/mat3x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/renderer.h"
#include "app/renderer_shaders.h"

namespace flipscope::app {

inline constexpr uint32_t kEdgeChunk = 1024;  // edges in one instance of the draw; as in gather_edges.comp
inline constexpr double kDeep = 16384;        // pixels; where the picture is wider, fills are cut out in double

// Rows of the style table that are always there; as in common.glsl.
enum Row : uint32_t {
    kPlainVertex,
    kPlainEdge,
    kPlainTriangle,
    kHelperEdge,
    kHelperVertex,
    kWaitingVertex,
    kSurfaceRow,
    kSurfaceInsideRow,
    kSurfaceEdgeRow,
    kAngleStopsRow,  // four
    kPlainSiteRow = 13,
    kFirstLegendRow = 16,
    kRows = 64
};

struct Frame {  // std140, as in common.glsl
    glm::dvec2 eye;
    double scale;
    glm::vec2 half_size;
    float line_width, point_size;
    uint32_t vertex_count, point_count, helper_begin, infinite, edge_count, triangle_count, edge_capacity, flags;
    float fade, gap;
};
static_assert(sizeof(Frame) == 80);
enum Flags : uint32_t {
    kVertexStates = 1,
    kEdgeStates = 2,
    kTriangleStates = 4,
    kPreview = 8,
    kAngles = 16,
    kOnSurface = 32
};

struct Space {  // std140, as in common.glsl
    glm::dvec4 eye;
    glm::dmat3x4 axes;  // right, up, toward
    double depth_scale;
    float pixel_depth, unused;
    double padding[2];
};
static_assert(sizeof(Space) == 160);

/// A buffer of the renderer's own.
struct OwnBuffer {
    GLuint id = 0;
    size_t bytes = 0;
    OwnBuffer() = default;
    ~OwnBuffer() { drop(); }
    OwnBuffer(const OwnBuffer&) = delete;
    OwnBuffer& operator=(const OwnBuffer&) = delete;
    void reserve(size_t wanted) {
        if (id && wanted <= bytes) return;
        drop();
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
        if (count) glNamedBufferSubData(id, 0, static_cast<GLsizeiptr>(count), from);
    }
};

inline void bind(GLuint place, GLuint buffer) { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, place, buffer); }
/// One invocation for each of `count`, in groups of 64.
void dispatch(uint32_t count);

/// Edges and points are drawn by the same shaders in the plane and in space, made twice.
struct Programs {
    explicit Programs(const std::string& prologue);
    Program project, gather_edges, edges, points;
    GLint edge_list, point_list;
    size_t record_bytes;  // of an edge
};

/// A LatticeLayer as OpenGL buffers; 0: there is none.
struct DrawnLattice {
    uint32_t width = 0, height = 0;
    GLuint colours = 0, names = 0;
    uint32_t name_count = 0;
    GLuint field = 0, states = 0;
    double field_low = 0, field_high = 1;
};

struct Renderer::Impl {
    Programs flat{""}, space{"#define SPACE\n"};
    Program gather_triangles{{"angles.glsl", "gather_triangles.comp"}};
    Program triangles{{"angles.glsl", "triangles.vert", "triangles.frag"}};
    Program triangles_deep{{"angles.glsl", "triangles_deep.vert", "triangles_deep.frag"}};
    Program gather_surface{{"angles.glsl", "gather_surface.comp"}, "#define SPACE\n"};
    Program surface{{"surface.vert", "triangles.frag"}, "#define SPACE\n"};
    Program surface_deep{{"surface_deep.vert", "triangles_deep.frag"}, "#define SPACE\n"};
    std::map<uint32_t, std::unique_ptr<Program>> lattices;  // by version
    const Program& lattice_program(uint32_t version);
    bool coarse_lattice = false;  // fewer samples to a pixel
    GLint gather_stage = gather_triangles.place("stage");
    GLint surface_corners = gather_surface.place("corners_each");
    OwnBuffer frame, space_frame, styles, lookup, screen, records, commands, fills, fill_command, nothing, path,
        missing, missing_states, preview, preview_heights, lattice_frame, over_screen;
    const void* previewed = nullptr;  // whose points or numbers lie in `preview`
    GLuint vertex_array = 0;
    std::vector<LegendEntry> legend;
    bool legend_known = false, light = false;
    bool loud_points = false;

    // renderer_styles.cpp
    void learn(const std::vector<LegendEntry>& entries, bool light_theme);

    void draw_scene(const Scene& scene, const Camera& camera, const PixelBox& part, bool light_theme, double line_scale,
                    const Look& look);
    void draw_triangles(const Scene& scene, bool deep);
    void draw_surface(const Scene& scene, bool deep, bool has_edges);
    void draw_edges(const Programs& programs, GLuint edge_buffer, GLuint state_buffer, Frame& uniforms);
    void draw_points(const Programs& programs, const Scene& scene);
    /// Edges of another mesh of the plane, over what is drawn.
    void draw_over(const TriangleMesh& mesh, Frame uniforms);
    void draw_lattice(const LatticeLayer& layer, const Camera& camera, const PixelBox& part, const Frame& uniforms,
                      double line_scale, const Look& look);
    void draw_lattice(const DrawnLattice& from, const Camera& camera, const PixelBox& part, const Frame& uniforms,
                      double line_scale, const Look& look);
    /// The first frame of a field that no algorithm has taken in yet.
    void draw_preview(const FieldStack& field, const Camera& camera, const PixelBox& part, const Frame& uniforms,
                      double line_scale);
    Frame begin(const Scene& scene, const Camera& camera, const PixelBox& part, bool light_theme, double line_scale);
    void project_vertices(const Programs& programs, const Frame& uniforms, GLuint positions, GLuint heights,
                          OwnBuffer& to);
    /// Which part of space the depths span, and from where it is seen.
    void enter_space(const Scene& scene, const Camera& camera);
    void end();
};

}  // namespace flipscope::app
