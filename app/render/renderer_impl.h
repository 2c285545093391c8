// The renderer's parts, private to its sources: the data that its shaders read, its buffers and programs.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/mat3x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/gl/shared_memory.h"
#include "app/render/renderer.h"
#include "app/render/shaders.h"
#include "app/view/density.h"
#include "app/view/palette.h"

namespace flipscope::app {

inline constexpr uint32_t kEdgeChunk = 1024;  // edges in one instance of the draw; as in edges.vert
inline constexpr double kDeep = 16384;        // pixels; in wider pictures fills are clipped in double precision

// Fixed rows of a style table; as in common.glsl.
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
    kLayerRow,  // of states without an entry in the layer's legend, if that is not plain
    kFirstLegendRow = 16
};

/// How shaders map a number to a colour: 0 linear, 1 logarithmic, 2 by class, as in shape.glsl; then the number of
/// steps in bits 8 to 15, and whether they go around a wheel in bit 16, as in common.glsl.
inline uint32_t scaling_of(const ColourScale& scale) {
    if (scale.kind == ColourScale::Kind::kCategories) return 2;
    const uint32_t steps = std::min(scale.steps, ColourScale::kMostSteps) << 8;
    return steps | (scale.is_wheel() ? 65536u : 0u) | (scale.logarithmic && scale.low > 0 ? 1u : 0u);
}
inline constexpr size_t kScaleColours = ColourScale::kOtherClass + 1;
/// The stops from low to high and, last, the colour of no number; or a colour per class.
inline std::array<Color, kScaleColours> scale_colours(const ColourScale& scale, const Palette& colors) {
    if (scale.kind == ColourScale::Kind::kCategories) return colors.categories;
    std::array<Color, kScaleColours> colours{};
    const auto stops = colors.scale_stops(scale);
    static_assert(Palette::kStops < kScaleColours);
    std::copy(stops.begin(), stops.end(), colours.begin());
    colours.back() = colors.missing();
    return colours;
}

/// How shaders place a number on a scale: (its logarithm, if `logarithmic`, − low) × scale is 0…1.
struct ScaleRange {
    bool logarithmic = false;
    float low = 0, scale = 0;
};
ScaleRange range_of(const ColourScale& scale);
/// Throws Error if the layer has fewer numbers than elements.
void require_scalars(const Layer& layer, uint32_t count);
static_assert(sizeof(Color) == 16, "a vec4 of the shaders");

struct Frame {  // std140, as in common.glsl
    glm::dvec2 eye;
    double scale;
    glm::vec2 half_size;
    float line_width, point_size;
    uint32_t vertex_count, point_count, helper_begin, spare, edge_count, triangle_count, flags;
    float fade, gap, motion;
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
    kNumbers = 128,
    kGrows = 256
};

struct Space {  // std140, as in common.glsl
    glm::dvec4 eye;
    glm::dmat3x4 axes;  // right, up, toward
    double depth_scale;
    float pixel_depth, unused;
    double padding[2];
};
static_assert(sizeof(Space) == 160);

struct DrawCommand {  // layout fixed by OpenGL
    uint32_t count, instances, first_vertex, base_instance;
};
struct Listing {  // std430, as in listing.glsl; followed by three numbers per group of a list
    DrawCommand commands[2];
    uint32_t listed[2];
    uint32_t folded;
};
static_assert(sizeof(Listing) == 44);

/// A buffer owned by the renderer.
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
/// One invocation per element, in groups of 64.
void dispatch(uint32_t count);

/// Edges and points use the same shaders in the plane and in space, compiled twice.
struct Programs {
    explicit Programs(const std::string& prologue);
    Program project, move, gather_edges, edges, points;
    size_t record_bytes;  // of an edge
};

/// For discs, strokes or facets: `gather` makes records of the visible ones, `draw` draws them.
struct ShapePrograms {
    explicit ShapePrograms(const std::string& name);
    Program gather, draw;
};

/// Data kept for each layer that needs them, in the drawing order of one picture.
template <class T>
class PerLayer {
  public:
    void restart() { used_ = 0; }
    T& next() {
        if (used_ == all_.size()) all_.push_back(std::make_unique<T>());
        return *all_[used_++];
    }

  private:
    std::vector<std::unique_ptr<T>> all_;
    size_t used_ = 0;
};

struct LayerStyles;

/// Lattice layers as OpenGL buffers; 0: none.
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

/// A layer's styles: a row of the style table for each of the 65,536 state words, and the rows.
struct LayerStyles {
    LegendEntry::Element element{};
    Role role = Role::kPlain;
    bool light = false;
    std::vector<LegendEntry> legend;
    std::optional<ColourScale> scale;  // instead of a legend: rows along the scale, states 0 to 255
    OwnBuffer lookup, rows;
    GLuint texture = 0;  // of the rows
    bool loud = false;   // some rows are loud
    uint64_t used = 0;   // time of the last use
    LayerStyles() = default;
    ~LayerStyles() {
        if (texture) glDeleteTextures(1, &texture);
    }
    LayerStyles(const LayerStyles&) = delete;
    LayerStyles& operator=(const LayerStyles&) = delete;
};

/// What all layers of a view share.
struct ViewDraw {
    const SceneView& view;
    const Camera& camera;
    const PixelBox& part;
    const DisplayOptions& display;
    double line_scale;
    Frame uniforms;   // layers modify copies
    bool on_surface;  // filled triangles in space are drawn
    bool wires;       // edges of a surface are drawn
    bool in_space;    // depth is in use
};

struct DensityLines {
    double first = 0;  // index among the world's lines of cells, counted from the origin
    int count = 0;
};
/// The content of density_smoothed: cells are fixed in the world, so that it stays valid while the camera pans.
struct DensityCells {
    uint64_t revision = 0;  // 0: nothing
    GLuint places = 0;
    uint32_t count = 0;
    double world = 0;  // cell width, world units
    DensityLines x, y;
};

struct DensityPrograms {
    Program count{{"density_count.comp"}}, smooth{{"density_smooth.comp"}};
    Program show{{"density.vert", "density.frag"}};
    Program mark{{"groups.glsl", "listing.glsl", "gather_marked.comp"}};
    Program mark_points{{"groups.glsl", "listing.glsl", "gather_marked.comp"}, "#define POINTS\n"};
};

struct MeanPrograms {
    Program sum{{"density_mean.comp"}}, show{{"density.vert", "density_mean.frag"}};
};

struct NearPrograms {
    Program elements{{"groups.glsl", "listing.glsl", "gather_near.comp"}};
    Program points{{"groups.glsl", "listing.glsl", "gather_near.comp"}, "#define POINTS\n"};
};

/// What renderers of one OpenGL context share: a driver can keep half a megabyte for each program. Every use sets all
/// uniforms that it needs.
struct RendererPrograms {
    Programs flat{""}, space{"#define SPACE\n"};
    Program list_sums{{"groups.glsl", "list_sums.comp"}};
    Program find_folds{{"groups.glsl", "find_folds.comp"}};
    Program gather_triangles{{"groups.glsl", "listing.glsl", "angles.glsl", "gather_triangles.comp"}};
    Program triangles{{"angles.glsl", "triangles.vert", "triangles.frag"}};
    Program triangles_deep{{"angles.glsl", "cut.glsl", "triangles_deep.vert", "triangles_deep.frag"}};
    Program gather_surface{{"groups.glsl", "listing.glsl", "angles.glsl", "gather_surface.comp"}, "#define SPACE\n"};
    Program scalar_states{{"scalar_states.comp"}};
    Program surface{{"surface.vert", "triangles.frag"}, "#define SPACE\n"};
    Program surface_deep{{"cut.glsl", "surface_deep.vert", "triangles_deep.frag"}, "#define SPACE\n"};
    // Compiled on first use:
    std::unique_ptr<Program> renumbering;
    std::unique_ptr<DensityPrograms> density_programs;
    std::unique_ptr<MeanPrograms> mean_programs;
    std::unique_ptr<NearPrograms> near_programs;  // or before
    std::map<uint32_t, Program> lattices;         // by version: there are many, and few are used
    std::map<std::string, ShapePrograms> shapes;  // "discs", "strokes", "facets"
};

struct Renderer::Impl {
    std::shared_ptr<RendererPrograms> shared;
    bool hurried = false;  // the camera moves
    OwnBuffer frame, space_frame, records, fills, listing, nothing, few_ends, preview, preview_heights, lattice_frame,
        shape_frame, shape_command, scalar_words;
    const void* previewed = nullptr;  // whose points or numbers `preview` holds
    GLuint vertex_array = 0;
    bool light = false;
    const Tile* tile = nullptr;  // being drawn; nullptr: the whole picture

    // styles.cpp
    std::vector<std::unique_ptr<LayerStyles>> known_styles;
    uint64_t styles_used = 0;
    /// The styles of such a layer, cached across frames.
    const LayerStyles& styles_of(LegendEntry::Element element, Role role, const std::vector<LegendEntry>& legend);
    const LayerStyles& use_styles(const Layer& layer);
    const LayerStyles& scale_styles_of(LegendEntry::Element element, const ColourScale& scale);
    LayerStyles& another_style(LegendEntry::Element element, Role role);
    /// For a surface: the elements' numbers as state words of use_scale(). The buffer is valid until the next call.
    GLuint states_of_scalars(const Layer& layer, uint32_t count);
    const LayerStyles& use_scale(const Layer& layer);
    void use(const LayerStyles& styles);

    // Vertices projected into this view; layers with the same positions share them.
    struct Projected {
        GLuint positions = 0, heights = 0;
        uint32_t count = 0;
        std::unique_ptr<OwnBuffer> screen = std::make_unique<OwnBuffer>();
    };
    std::vector<Projected> projected;
    size_t projections = 0;  // of this view
    void project(ViewDraw& draw, const Frame& uniforms, GLuint positions, GLuint heights);

    /// Elements of a layer as OpenGL buffers.
    struct Elements {
        uint32_t corners = 0;  // vertices per element; 0: points, with positions in `ids`
        GLuint ids = 0;        // `corners` per element; ids from place_count on have no position
        uint32_t count = 0;
        GLuint places = 0;
        uint32_t place_count = 0;
        uint32_t helper_begin = kNone;
        GLuint states = 0;   // 0: none
        GLuint scalars = 0;  // a number per element that determines its colour; 0: none
        friend bool operator==(const Elements&, const Elements&) = default;
    };
    /// Writes and binds the uniforms of all shaders.
    void bind_frame(const Frame& uniforms);

    void draw_view(const SceneView& view, const Camera& camera, const PixelBox& part, bool light_theme,
                   double line_scale, const DisplayOptions& display);
    /// Projects vertices and binds buffers. `heights`: in space.
    void prepare(ViewDraw& draw, const Elements& drawn, Frame& uniforms, GLuint heights);
    void draw_triangles(const Elements& drawn, bool deep);
    void draw_surface(const Elements& drawn, bool deep, bool has_edges);
    void draw_edges(ViewDraw& draw, const Elements& drawn, Frame& uniforms, GLuint heights);

    // listing.cpp
    void reserve_listing(uint32_t count, uint32_t lists);
    void clear_groups(uint32_t count, uint32_t lists);
    void sum_groups(uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk);
    uint32_t listed_count() const;  // in the first list
    void note_listed(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk);
    /// Runs a program of listing.glsl over `count` elements with bound buffers: writes the lists to binding 5 and the
    /// commands that draw them, with `vertices` per element, to `listing`, which is bound for drawing. `chunk`:
    /// elements per instance; 0: all of them.
    void list_elements(const Program& program, uint32_t count, uint32_t lists, uint32_t vertices, uint32_t chunk = 0);
    /// Some elements of a layer, copied in order, with the vertices that they use.
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
    /// Counts the elements that a program of listing.glsl lists. Leaves its buffers bound for copy_listed().
    uint32_t count_listed(const Program& program, const Elements& from);
    /// Copies the `found` elements listed by count_listed().
    void copy_listed(const Program& program, const Elements& from, uint32_t found, Copied& to);
    void renumber(const Elements& from, Copied& to);
    void run_renumber(GLuint stage, uint32_t ids, uint32_t place_count);

    // density.cpp
    OwnBuffer density_counts, density_rows, density_smoothed;
    DensityCells density_known;
    /// Copies of a layer's elements whose states have their own style.
    struct Marked : Copied {
        std::vector<LegendEntry> legend;
        bool sampled = false;  // a sample of them
    };
    PerLayer<Marked> marked;
    uint64_t revision = 0;
    const Elements& marked_of(const Layer& layer, const Elements& all, uint32_t plain);
    void draw_density(const ViewDraw& draw, const DensityPlan& plan);
    void count_density(const DensityPrograms& programs, const DensityCells& cells);
    void show_density(const ViewDraw& draw, const DensityPlan& plan, const DensityPrograms& programs,
                      const DensityCells& cells, double gap, double cell);
    void draw_marked(ViewDraw& draw, const Layer& layer);

    /// Sums of a layer's numbers in cells fixed in the world.
    struct Mean {
        uint64_t revision = 0;
        GLuint scalars = 0;
        uint32_t count = 0;
        ColourScale scale;
        double world = 0;         // side of a cell
        glm::dvec2 origin{0, 0};  // lower left corner of the first cell
        int wide = 0, tall = 0;   // cells
        OwnBuffer sums;
    };
    PerLayer<Mean> means;
    void draw_mean(const ViewDraw& draw, const Layer& layer, double strength);

    // near.cpp
    void prepare_near();
    /// Prepares copies of a large layer's elements, once for each buffer.
    void touch(const Elements& elements);
    std::set<GLuint> touched;
    /// Copies of a layer's elements in a window of the world; the first triangle stays first.
    struct Near : Copied {
        glm::dvec2 low{0, 0}, high{0, 0};  // of the window, world units
    };
    /// Of a layer: nested windows; each one's elements are copied from those of the next larger one.
    struct NearLevels {
        std::vector<std::unique_ptr<Near>> levels;
        size_t known = 0;  // valid ones
    };
    PerLayer<NearLevels> near_lists;
    std::map<const void*, uint64_t> drawn_revisions;  // of the last picture, by canvas
    bool still = false;                               // the previous picture had the same revision
    /// The elements that give the same picture as all of them; nullptr: draw all. Segments with a missing end are
    /// omitted.
    const Elements* near_of(const ViewDraw& draw, const Elements& all);
    /// `least`: minimum length of an element, world units; 0: all of them.
    void make_near(const Elements& from, Copied& to, const glm::dvec2& low, const glm::dvec2& high, double least = 0);
    /// Elements that a mean cannot represent: much larger than most, and than a pixel.
    struct Large : Copied {
        double least = 0;  // minimum length, world units
    };
    PerLayer<Large> large_lists;
    const Elements& large_of(const ViewDraw& draw, const Elements& all);

    // motion.cpp
    MeshMotions motions;
    double motion_at = 1;
    /// Elements over places on their way.
    struct Moving {
        OwnBuffer ids, ways, places, heights;
    };
    PerLayer<Moving> moving;
    OwnBuffer fresh, face_states;
    /// The motion of the mesh that a layer draws from this buffer; nullptr: it rests.
    const MeshMotion* motion_of(const void* buffer) const;
    /// The same for edges or triangles over all its vertices.
    const MeshMotion* motion_of(const auto& shape, const void* ids) const {
        const MeshMotion* const motion = motion_of(ids);
        const bool all = motion && shape.place_count == motion->place_count && shape.helper_begin == kNone;
        return all ? motion : nullptr;
    }
    /// Replaces the elements by others over the same places.
    void list(Elements& drawn, const std::vector<uint32_t>& ids, Moving& to) const;
    /// The same over these places and the moving ones. Returns the heights.
    GLuint move(bool in_space, const MeshMotion& motion, const std::vector<uint32_t>& ids, Elements& drawn,
                GLuint heights);
    /// What edges turn in: the surface on both their sides, and their old and new places. `uniforms`: of the layer,
    /// whose styles are in use.
    void draw_turning(ViewDraw& draw, const MeshMotion& motion, Elements drawn, Frame uniforms, GLuint heights,
                      bool deep);

    // shapes.cpp. Visitors of Layer::shape, with an overload for each kind.
    struct ToElements;
    struct LayerDrawing;
    /// Writes `few_ends` if the layer lists its ends.
    Elements elements_of(const Layer& layer);
    /// `large`: only the elements that the layer's mean cannot represent.
    void draw_layer(ViewDraw& draw, const Layer& layer, bool large = false);
    /// Runs the programs of a coloured layer over nothing, because drivers compile a program when it first runs.
    void prepare_shapes(const Layer& layer);
    void run_shapes(const ShapePrograms& programs, uint32_t begin, uint32_t end);

    // lattice.cpp
    struct ShownLattice {
        bool cells = false, field = false, marks = false, fills = false;
    };
    void draw_lattice(const DrawnLattice& from, const ShownLattice& shown, const Camera& camera, const PixelBox& part,
                      const Frame& uniforms, double line_scale);
    /// Draws the consecutive lattice layers from `at` on as one picture; returns the index past the last one.
    size_t draw_lattices(const ViewDraw& draw, size_t at);
    /// The first frame of a field before an algorithm has read it.
    void draw_preview(const FieldStack& field, const Camera& camera, const PixelBox& part, const Frame& uniforms,
                      double line_scale);

    Frame begin(const SceneView& view, const Camera& camera, const PixelBox& part, bool light_theme, double line_scale);
    void project_vertices(const Programs& programs, const Frame& uniforms, GLuint positions, GLuint heights,
                          OwnBuffer& to);
    /// Chooses the depth range and the viewpoint in space.
    void enter_space(const SceneView& view, const Camera& camera);
    void end();
};

/// The OpenGL buffer of a layer's data; `nothing` if it has none.
template <class T>
GLuint drawable_or(const Buffer<T>* buffer, GLuint nothing) {
    return buffer && !buffer->empty() && buffer->memory() ? SharedMemory::buffer_of(buffer->memory()) : nothing;
}

}  // namespace flipscope::app
