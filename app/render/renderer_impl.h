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

#include "app/gl/shared_memory.h"
#include "app/render/renderer.h"
#include "app/render/shaders.h"
#include "app/view/density.h"
#include "app/view/palette.h"

namespace flipscope::app {

inline constexpr uint32_t kEdgeChunk = 1024;  // edges in one instance of the draw; as in edges.vert
inline constexpr double kDeep = 16384;        // pixels; where the picture is wider, fills are cut out in double

// Rows of a style table that are always there; as in common.glsl.
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
    kAngleStopsRow,  // five
    kPlainSiteRow = 14,
    kLayerRow,  // what no entry of the layer's legend matches, where that is not plain
    kFirstLegendRow = 16
};

/// How shaders turn a number into a colour: 0 evenly, 1 by its logarithm, 2 by its class. As in shape.glsl.
inline uint32_t scaling_of(const ColourScale& scale) {
    return scale.kind == ColourScale::Kind::kCategories ? 2 : scale.logarithmic && scale.low > 0 ? 1 : 0;
}
inline constexpr size_t kScaleColours = ColourScale::kOtherClass + 1;
/// Five stops from the low end to the high one, or a colour of each class.
inline std::array<Color, kScaleColours> scale_colours(ColourScale::Kind kind, const Palette& colors) {
    if (kind == ColourScale::Kind::kCategories) return colors.categories;
    std::array<Color, kScaleColours> colours{};
    const auto stops = colors.scale_stops(kind);
    std::copy(stops.begin(), stops.end(), colours.begin());
    return colours;
}

struct Frame {  // std140, as in common.glsl
    glm::dvec2 eye;
    double scale;
    glm::vec2 half_size;
    float line_width, point_size;
    uint32_t vertex_count, point_count, helper_begin, spare, edge_count, triangle_count, flags;
    float fade, gap;
};
static_assert(sizeof(Frame) == 80);
enum Flags : uint32_t {
    kVertexStates = 1,
    kEdgeStates = 2,
    kTriangleStates = 4,
    kPreview = 8,
    kAngles = 16,
    kOnSurface = 32,
    kOneStyle = 64,
    kNumbers = 128
};

struct Space {  // std140, as in common.glsl
    glm::dvec4 eye;
    glm::dmat3x4 axes;  // right, up, toward
    double depth_scale;
    float pixel_depth, unused;
    double padding[2];
};
static_assert(sizeof(Space) == 160);

struct DrawCommand {  // as OpenGL reads it
    uint32_t count, instances, first_vertex, base_instance;
};
struct Listing {  // std430, as in listing.glsl; behind it three numbers for each group of a list
    DrawCommand commands[2];
    uint32_t listed[2];
    uint32_t folded;
};
static_assert(sizeof(Listing) == 44);

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

/// Of discs, strokes or facets: one that makes records of those that are seen, and one that draws these.
struct ShapePrograms {
    explicit ShapePrograms(const std::string& name);
    Program gather, draw;
    GLint stage, first, end;
};

struct LayerStyles;

/// Lattice layers as OpenGL buffers; 0: there is none.
struct DrawnLattice {
    uint32_t width = 0, height = 0;
    GLuint colours = 0, names = 0;
    uint32_t name_count = 0;
    GLuint numbers = 0;  // of cells
    uint32_t number_count = 0;
    GLuint field = 0, states = 0;
    ColourScale scale = {}, number_scale = {};  // of the field, of the numbers
    const LayerStyles* styles = nullptr;        // of the states
};

/// What the elements of a layer look like: for each of the 65,536 state words the row of its style, and the rows.
struct LayerStyles {
    LegendEntry::Element element{};
    Role role = Role::kPlain;
    bool light = false;
    std::vector<LegendEntry> legend;
    std::optional<ColourScale::Kind> scale;  // instead of a legend: rows along it, states 0 to 255
    OwnBuffer lookup, rows;
    GLuint texture = 0;  // of the rows
    bool loud = false;   // some of them are loud
    uint64_t used = 0;   // when last
    LayerStyles() = default;
    ~LayerStyles() {
        if (texture) glDeleteTextures(1, &texture);
    }
    LayerStyles(const LayerStyles&) = delete;
    LayerStyles& operator=(const LayerStyles&) = delete;
};

/// What is the same for all layers of a view.
struct ViewDraw {
    const SceneView& view;
    const Camera& camera;
    const PixelBox& part;
    const DisplayOptions& display;
    double line_scale;
    Frame uniforms;   // layers change copies of it
    bool on_surface;  // a surface is seen, and what lies on it
    bool wires;       // edges of a surface are seen
    bool in_space;    // there are depths
};

struct DensityLines {
    double first = 0;  // of the world's lines of cells, counted from the origin
    int count = 0;
};
/// What density_smoothed holds: cells lie still in the world, so that it serves while the eye pans.
struct DensityCells {
    uint64_t revision = 0;  // 0: nothing
    GLuint places = 0;
    uint32_t count = 0;
    double world = 0;  // a cell's width, world units
    DensityLines x, y;
};

struct ShapeNumbers;

struct Renderer::Impl {
    Programs flat{""}, space{"#define SPACE\n"};
    Program list_sums{{"list_sums.comp"}};
    std::unique_ptr<Program> renumbering;  // made when first asked for
    Program find_folds{{"find_folds.comp"}};
    Program gather_triangles{{"listing.glsl", "angles.glsl", "gather_triangles.comp"}};
    Program triangles{{"angles.glsl", "triangles.vert", "triangles.frag"}};
    Program triangles_deep{{"angles.glsl", "triangles_deep.vert", "triangles_deep.frag"}};
    Program gather_surface{{"listing.glsl", "angles.glsl", "gather_surface.comp"}, "#define SPACE\n"};
    Program scalar_states{{"scalar_states.comp"}};
    Program surface{{"surface.vert", "triangles.frag"}, "#define SPACE\n"};
    Program surface_deep{{"surface_deep.vert", "triangles_deep.frag"}, "#define SPACE\n"};
    std::map<uint32_t, std::unique_ptr<Program>> lattices;  // by version
    const Program& lattice_program(uint32_t version);
    std::map<std::string, std::unique_ptr<ShapePrograms>> shapes;  // "discs", "strokes", "facets"
    const ShapePrograms& shape_programs(const std::string& name);
    bool hurried = false;         // the eye moves
    bool coarse_lattice = false;  // fewer samples to a pixel
    GLint scalar_count = scalar_states.place("scalar_count"), scalar_range = scalar_states.place("scalar_range"),
          scalar_log = scalar_states.place("logarithmic");
    OwnBuffer frame, space_frame, records, fills, listing, nothing, few_ends, preview, preview_heights, lattice_frame,
        shape_frame, shape_command, scalar_words;
    const void* previewed = nullptr;  // whose points or numbers lie in `preview`
    GLuint vertex_array = 0;
    bool light = false;
    const Tile* tile = nullptr;  // that is being drawn; else the whole picture is

    // renderer_styles.cpp
    std::vector<std::unique_ptr<LayerStyles>> known_styles;
    uint64_t styles_used = 0;
    /// Those of such a layer, kept for the frames to come.
    const LayerStyles& styles_of(LegendEntry::Element element, Role role, const std::vector<LegendEntry>& legend);
    const LayerStyles& use_styles(const Layer& layer);
    const LayerStyles& scale_styles_of(LegendEntry::Element element, ColourScale::Kind kind);
    LayerStyles& another_style(LegendEntry::Element element, Role role);
    /// Of a surface: the elements' numbers as state words of use_scale(). They are in one buffer until the next call.
    GLuint states_of_scalars(const Layer& layer, uint32_t count);
    const LayerStyles& use_scale(const Layer& layer);
    void use(const LayerStyles& styles);

    // Places of vertices on the picture, of this view; layers of the same places share them.
    struct Projected {
        GLuint positions = 0;
        uint32_t count = 0;
        std::unique_ptr<OwnBuffer> screen = std::make_unique<OwnBuffer>();
    };
    std::vector<Projected> projected;
    size_t projections = 0;  // of this view
    void project(ViewDraw& draw, const Frame& uniforms, GLuint positions, GLuint heights);

    /// Elements of a layer as OpenGL buffers.
    struct Elements {
        uint32_t corners = 0;  // vertices of each; 0: points, whose places are `ids`
        GLuint ids = 0;        // that many of each; ids from place_count on have no place
        GLuint states = 0;     // 0: there are none
        uint32_t count = 0;
        GLuint places = 0;
        uint32_t place_count = 0;
        uint32_t helper_begin = kNone;
        GLuint scalars = 0;  // a number for each, that decides its colour; 0: there are none
        friend bool operator==(const Elements&, const Elements&) = default;
    };

    void draw_view(const SceneView& view, const Camera& camera, const PixelBox& part, bool light_theme,
                   double line_scale, const DisplayOptions& display);
    void draw_layer(ViewDraw& draw, const Layer& layer, const PointsLayer& points);
    void draw_layer(ViewDraw& draw, const Layer& layer, const SegmentsLayer& segments);
    void draw_layer(ViewDraw& draw, const Layer& layer, const TrianglesLayer& triangles);
    /// Vertices taken to the screen, and buffers bound. `heights`: in space.
    void prepare(ViewDraw& draw, const Elements& drawn, Frame& uniforms, GLuint heights);
    void draw_triangles(const Elements& drawn, bool deep);
    void draw_surface(const Elements& drawn, bool deep, bool has_edges);
    void draw_edges(ViewDraw& draw, const Elements& drawn, Frame& uniforms, GLuint heights);

    // renderer_listing.cpp
    void reserve_listing(uint32_t count, uint32_t lists);
    void clear_groups(uint32_t count, uint32_t lists);
    void sum_groups(uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk);
    uint32_t listed_count() const;  // in the first list
    void note_listed(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk);
    /// Runs a program of listing.glsl over `count` elements, whose buffers are bound: lists them into what is bound at
    /// 5, and leaves commands that draw the lists, of `vertices` for each element, in `listing`, bound for that.
    /// `chunk`: elements that one instance draws; 0: all of them.
    void list_elements(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk = 0);
    /// Some of a layer's elements, copied in their order, and the vertices that they use.
    struct Copied {
        uint64_t revision = 0;
        Elements source;
        OwnBuffer ids, states, scalars, places;
        Elements made;
        bool is_of(uint64_t of_revision, const Elements& from) const {
            return of_revision != 0 && revision == of_revision && source == from;
        }
        void is_now_of(uint64_t of_revision, const Elements& from) {
            revision = of_revision;
            source = from;
        }
    };
    /// How many elements a program of listing.glsl lists. Leaves bound what it reads, for copy_listed().
    uint32_t count_listed(const Program& program, const Elements& from);
    /// Copies the `found` elements that count_listed() has listed.
    void copy_listed(const Program& program, const Elements& from, uint32_t found, Copied& to);
    void renumber(const Elements& from, Copied& to);
    void run_renumber(GLuint stage, uint32_t ids, uint32_t place_count);

    // renderer_density.cpp
    struct DensityPrograms {
        DensityPrograms();
        Program count, smooth, show, mark, mark_points;
    };
    std::unique_ptr<DensityPrograms> density_programs;  // made when first asked for
    OwnBuffer density_counts, density_rows, density_smoothed;
    size_t density_cells = 0;
    DensityCells density_known;
    /// Elements of a layer whose states give them a look of their own, copied.
    struct Marked : Copied {
        std::vector<LegendEntry> legend;
        bool sampled = false;  // these are some of them
    };
    std::vector<std::unique_ptr<Marked>> marked;  // in the order in which layers are drawn
    size_t marked_used = 0;                       // of this picture
    uint64_t revision = 0;
    const Elements& marked_of(const Layer& layer, const Elements& all, uint32_t plain);
    void draw_density(const ViewDraw& draw, const DensityPlan& plan);
    void count_density(const DensityPrograms& programs, const DensityCells& cells);
    void show_density(const ViewDraw& draw, const DensityPlan& plan, const DensityPrograms& programs,
                      const DensityCells& cells, double gap, double cell);
    void draw_marked(ViewDraw& draw, const Layer& layer);

    // renderer_mean.cpp
    struct MeanPrograms {
        MeanPrograms();
        Program sum, show;
    };
    std::unique_ptr<MeanPrograms> mean_programs;  // made when first asked for
    /// Sums of a layer's numbers in cells of the world.
    struct Mean {
        uint64_t revision = 0;
        GLuint scalars = 0;
        uint32_t count = 0;
        ColourScale scale;
        double world = 0;         // side of a cell
        glm::dvec2 origin{0, 0};  // lower left corner of the first
        int wide = 0, tall = 0;   // cells
        OwnBuffer sums;
    };
    std::vector<std::unique_ptr<Mean>> means;  // in the order in which layers are drawn
    size_t means_used = 0;                     // of this picture
    void draw_mean(const ViewDraw& draw, const Layer& layer, double strength);

    // renderer_near.cpp
    struct NearPrograms {
        NearPrograms();
        Program elements, points;
    };
    std::unique_ptr<NearPrograms> near_programs;  // made when first asked for, or before
    void prepare_near();
    /// Elements of a layer in a window of the world, copied; the first triangle stays the first.
    struct Near : Copied {
        glm::dvec2 low{0, 0}, high{0, 0};  // of the window, world units
    };
    /// Of a layer: windows within windows, each one's elements copied from those of the one before.
    struct NearLevels {
        std::vector<std::unique_ptr<Near>> levels;
        size_t known = 0;  // of them
    };
    uint64_t near_drawn = 0, large_drawn = 0;         // elements of this picture
    std::vector<NearLevels> near_lists;               // in the order in which layers are drawn
    size_t near_used = 0;                             // of this picture
    std::map<const void*, uint64_t> drawn_revisions;  // of the last picture on each canvas
    bool still = false;                               // the picture before was of the same revision
    /// Those that draw the same picture as all do; nullptr: draw all. Of segments those to no place are left out.
    const Elements* near_of(const ViewDraw& draw, const Elements& all);
    /// `least`: world units, that an element must be long; 0: all of them.
    void make_near(const Elements& from, Copied& to, const glm::dvec2& low, const glm::dvec2& high, double least = 0);
    /// Those that a mean cannot stand for: much larger than most, and than a pixel.
    struct Large : Copied {
        double least = 0;  // world units, that each of them is long
    };
    std::vector<std::unique_ptr<Large>> large_lists;  // in the order in which layers are drawn
    size_t large_used = 0;                            // of this picture
    const Elements& large_of(const ViewDraw& draw, const Elements& all);

    // renderer_shapes.cpp
    /// `first`, `second`: the bindings that are the shape's own.
    void draw_elements(const ViewDraw& draw, const Layer& layer, ShapeNumbers& numbers, const std::string& shape,
                       size_t record_bytes, const Elements& drawn, GLuint first, GLuint second);
    /// Drivers compile a program when it first runs: here those that draw a coloured layer run over nothing.
    void prepare_shapes(const Layer& layer);
    void run_shapes(const ShapePrograms& programs, uint32_t begin, uint32_t end);
    /// Of a plane without borders, of those that are near, or all; `large`: the large ones. `numbers` counts them.
    void draw_elements_near(const ViewDraw& draw, const Layer& layer, ShapeNumbers& numbers, const std::string& shape,
                            size_t record_bytes, Elements drawn, bool large = false);
    /// Below the mean of a layer.
    void draw_large(const ViewDraw& draw, const Layer& layer);
    void draw_shape(ViewDraw& draw, const Layer& layer, const PointsLayer& points);
    void draw_shape(ViewDraw& draw, const Layer& layer, const DiscsLayer& discs);
    void draw_shape(const ViewDraw& draw, const Layer& layer, const SegmentsLayer& segments, bool large = false);
    void draw_shape(ViewDraw& draw, const Layer& layer, const PolylinesLayer& lines);
    void draw_shape(const ViewDraw& draw, const Layer& layer, const TrianglesLayer& triangles, bool large = false);

    // renderer_lattice.cpp
    struct ShownLattice {
        bool cells = false, field = false, marks = false, fills = false;
    };
    void draw_lattice(const DrawnLattice& from, const ShownLattice& shown, const Camera& camera, const PixelBox& part,
                      const Frame& uniforms, double line_scale);
    /// The lattice layers from `at` on that follow each other, as one picture; returns the first layer behind them.
    size_t draw_lattices(const ViewDraw& draw, size_t at);
    /// The first frame of a field that no algorithm has taken in yet.
    void draw_preview(const FieldStack& field, const Camera& camera, const PixelBox& part, const Frame& uniforms,
                      double line_scale);

    Frame begin(const SceneView& view, const Camera& camera, const PixelBox& part, bool light_theme, double line_scale);
    void project_vertices(const Programs& programs, const Frame& uniforms, GLuint positions, GLuint heights,
                          OwnBuffer& to);
    /// Which part of space the depths span, and from where it is seen.
    void enter_space(const SceneView& view, const Camera& camera);
    void end();
};

/// The OpenGL buffer of what a layer draws; `nothing` where there is none.
template <class T>
GLuint drawable_or(const Buffer<T>* buffer, GLuint nothing) {
    return buffer && !buffer->empty() && buffer->memory() ? SharedMemory::buffer_of(buffer->memory()) : nothing;
}

}  // namespace flipscope::app
