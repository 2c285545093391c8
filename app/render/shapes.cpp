// The renderer's code for single kinds of layers: their elements as OpenGL buffers, and their drawing. Discs, strokes
// (arrows, trails) and triangles on a torus or coloured by a scale are drawn element by element, only in the plane;
// other points, edges and triangles with the programs of renderer.cpp.
#include <algorithm>

#include "app/render/renderer_impl.h"
#include "compute/error.h"

namespace flipscope::app {

struct ShapeNumbers {  // std140, as in shape.glsl
    glm::dvec2 box_low, box_size;
    double radius;
    float radius_px, line_px;
    uint32_t count, place_count, images, what;
    float scalar_low, scalar_scale;
    uint32_t scaling, unused;
    Color stops[kScaleColours];
    Color rim;
};
static_assert(sizeof(ShapeNumbers) == 96 + 16 * kScaleColours);

namespace {

constexpr uint32_t kShapeGroup = 64, kShapesAtOnce = 2048 * kShapeGroup;  // as in gather_shapes.glsl
constexpr size_t kShapeCommandBytes = 32;                                 // in front of the counts of groups

/// The programs "gather_NAME" and "NAME", and the bytes of a record that one writes for the other.
struct DrawnShape {
    const char* name;
    size_t record_bytes;
};
constexpr DrawnShape kDiscs{"discs", 48}, kStrokes{"strokes", 64}, kFacets{"facets", 96};

enum What : uint32_t {
    kHasRadii = 1,
    kHasOrientations = 2,
    kHasStates = 4,
    kHasScalars = 8,
    kHasEnds = 16,
    kPolylines = 32,
    kFades = 64,
    kArrows = 128,
    kPeriodic = 256,
    kShowsMissing = 512
};

}  // namespace

ShapePrograms::ShapePrograms(const std::string& name)
    : gather(
          {"shape.glsl", "angles.glsl", "cut.glsl", name + ".glsl", "gather_shapes.glsl", "gather_" + name + ".comp"}),
      draw({"shape.glsl", name + ".glsl", name + ".vert", name + ".frag"}) {}

void Renderer::Impl::run_shapes(const ShapePrograms& programs, uint32_t begin, uint32_t end) {
    glUseProgram(programs.gather.id());
    glUniform1ui(programs.gather.place("first_element"), begin);
    glUniform1ui(programs.gather.place("end_element"), end);
    for (GLuint stage = 0; stage < 3; ++stage) {
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // first: earlier draws used the same buffers
        glUniform1ui(programs.gather.place("stage"), stage);
        dispatch(stage == 1 ? kShapeGroup : std::max(end - begin, 1u));
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glUseProgram(programs.draw.id());
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
}

void Renderer::Impl::prepare_shapes(const Layer& layer) {
    const ElementKind element = layer.element();
    const DrawnShape& shape = element == ElementKind::kTriangle ? kFacets
                              : element == ElementKind::kEdge   ? kStrokes
                                                                : kDiscs;
    if (layer.periodic || shared->shapes.count(shape.name)) return;
    prepare_near();
    const ShapePrograms& programs = shared->shapes.try_emplace(shape.name, shape.name).first->second;
    shape_command.reserve(kShapeCommandBytes + sizeof(uint32_t));
    records.reserve(shape.record_bytes);
    for (GLuint place : {0u, 1u, 2u, 3u, 5u}) bind(place, nothing.id);
    bind(6, shape_command.id);
    bind(7, records.id);
    const ShapeNumbers numbers{};
    shape_frame.write(&numbers, sizeof numbers);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, shape_frame.id);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, shape_command.id);
    run_shapes(programs, 0, 0);
}

struct Renderer::Impl::ToElements {
    Impl& my;

    GLuint of(const auto* buffer) const { return drawable_or(buffer, my.nothing.id); }
    Elements operator()(const PointsLayer& points) const {
        return {0, of(points.places), points.count, of(points.places), points.count};
    }
    Elements operator()(const DiscsLayer& discs) const {
        return {0, of(discs.centres), discs.count, of(discs.centres), discs.count};
    }
    Elements operator()(const SegmentsLayer& segments) const {
        const bool few = !segments.few_ends.empty();
        if (few) my.few_ends.write(segments.few_ends.data(), segments.few_ends.size() * sizeof(uint32_t));
        const GLuint ends = few ? my.few_ends.id : of(segments.ends);
        return {2, ends, segments.element_count(), of(segments.places), segments.place_count, segments.helper_begin};
    }
    Elements operator()(const PolylinesLayer& lines) const {  // one for each piece between neighbouring points
        return {2, of(lines.starts), lines.point_count - 1, of(lines.points), lines.point_count};
    }
    Elements operator()(const TrianglesLayer& faces) const {
        return {3, of(faces.corners), faces.count, of(faces.places), faces.place_count, faces.helper_begin};
    }
    Elements operator()(const LatticeLayer&) const { return {}; }
    Elements operator()(const LabelsLayer&) const { return {}; }
};

Renderer::Impl::Elements Renderer::Impl::elements_of(const Layer& layer) {
    Elements made = std::visit(ToElements{*this}, layer.shape);
    made.states = drawable_or(layer.states(), 0);
    made.scalars = drawable_or(layer.scalars, 0);
    return made;
}

struct Renderer::Impl::LayerDrawing {
    Impl& my;
    ViewDraw& draw;
    const Layer& layer;
    bool large;  // draws only large elements, below the layer's mean

    void operator()(const PointsLayer& points) const {
        if (large) return;
        Elements drawn = my.elements_of(layer);
        const bool numbers = layer.scalars && draw.in_space;
        if ((layer.scalars && !numbers) || layer.periodic) {
            ShapeNumbers shape = numbers_of(drawn, points.count);
            shape.radius_px = 0.5f * std::max(draw.uniforms.point_size, 1.f);
            return draw_near(shape, kDiscs, drawn);
        }
        const LayerStyles& styles = numbers ? my.use_scale(layer) : my.use_styles(layer);
        Frame uniforms = draw.uniforms;
        uniforms.vertex_count = points.drawn_end();
        uniforms.helper_begin = points.helper_begin;
        if (numbers || drawn.states) uniforms.flags |= kVertexStates;
        if (layer.role != Role::kPlain) uniforms.flags |= kOneStyle;
        if (const Elements* near = points.has_helpers() ? nullptr : my.near_of(draw, drawn)) {
            if (near->count == 0) return;
            drawn = *near;
            uniforms.vertex_count = near->count;
            uniforms.helper_begin = kNone;
        }
        const MeshMotion* const motion = my.motion_of(points.places);
        if (motion) uniforms.flags |= kGrows;
        my.project(draw, uniforms, drawn.places, drawable_or(points.heights, my.nothing.id));
        if (motion) my.fresh.write(motion->fresh.data(), motion->fresh.size() * sizeof(uint32_t));
        bind(2, motion ? my.fresh.id : my.nothing.id);
        if (numbers) drawn.states = my.states_of_scalars(layer, points.count);
        bind(3, drawn.states ? drawn.states : my.nothing.id);
        const Programs& programs = draw.in_space ? my.shared->space : my.shared->flat;
        glUseProgram(programs.points.id());
        glEnable(GL_PROGRAM_POINT_SIZE);
        for (GLuint list : {0u, 1u}) {
            if (list == 1 && !styles.loud) break;
            glUniform1ui(programs.points.place("list"), list);
            glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(drawn.count));
            if (list == 0 && points.has_helpers())
                glDrawArrays(GL_POINTS, static_cast<GLint>(points.helper_begin),
                             static_cast<GLsizei>(points.helper_end - points.helper_begin));
        }
    }

    void operator()(const DiscsLayer& discs) const {
        const Elements drawn = my.elements_of(layer);
        ShapeNumbers numbers = numbers_of(drawn, discs.count);
        numbers.radius = discs.radius;
        if (discs.radii) numbers.what |= kHasRadii;
        if (discs.orientations) numbers.what |= kHasOrientations;
        draw_elements(numbers, kDiscs, drawn, drawable_or(discs.radii, my.nothing.id),
                      drawable_or(discs.orientations, my.nothing.id));
    }

    void operator()(const SegmentsLayer& segments) const {
        const bool few = !segments.few_ends.empty();
        const bool numbers = layer.scalars && draw.in_space;
        Elements drawn = my.elements_of(layer);
        if ((layer.scalars && !numbers) || layer.periodic || segments.arrows || (!few && !segments.ends)) {
            ShapeNumbers shape = numbers_of(drawn, drawn.count);
            const bool has_ends = drawn.ids != my.nothing.id;
            if (has_ends) shape.what |= kHasEnds;
            if (segments.arrows) shape.what |= kArrows;
            if (!few && has_ends) return draw_near(shape, kStrokes, drawn);
            return draw_elements(shape, kStrokes, drawn, drawn.ids, my.nothing.id);
        }
        numbers ? my.use_scale(layer) : my.use_styles(layer);
        Frame uniforms = draw.uniforms;
        if (numbers || drawn.states) uniforms.flags |= kEdgeStates;
        if (layer.role != Role::kPlain) uniforms.flags |= kOneStyle;
        if (const Elements* near = few ? nullptr : my.near_of(draw, drawn)) drawn = *near;
        if (numbers) drawn.states = my.states_of_scalars(layer, drawn.count);
        GLuint heights = drawable_or(segments.heights, my.nothing.id);
        if (const MeshMotion* const motion = my.motion_of(segments, segments.ends))
            heights = my.move(draw.in_space, *motion, motion->ends, drawn, heights);
        my.draw_edges(draw, drawn, uniforms, heights);
    }

    void operator()(const PolylinesLayer& lines) const {
        const Elements drawn = my.elements_of(layer);  // `ids` are the lines' starts
        ShapeNumbers numbers = numbers_of(drawn, lines.count);
        numbers.what |= kPolylines | (lines.fades ? kFades : 0u);
        draw_elements(numbers, kStrokes, drawn, drawn.ids, my.nothing.id);
    }

    void operator()(const TrianglesLayer& faces) const {
        const bool one_style = layer.role != Role::kPlain && !faces.states;
        const bool numbers = layer.scalars && draw.in_space;
        Elements drawn = my.elements_of(layer);
        if ((!draw.in_space && (layer.scalars || one_style)) || layer.periodic) {
            ShapeNumbers shape = numbers_of(drawn, drawn.count);
            return draw_near(shape, kFacets, drawn);
        }
        numbers ? my.use_scale(layer) : my.use_styles(layer);
        Frame uniforms = draw.uniforms;
        if (numbers || drawn.states) uniforms.flags |= kTriangleStates;
        if (numbers) uniforms.flags |= kNumbers;
        if (one_style) uniforms.flags |= kOneStyle;
        if (const Elements* near = my.near_of(draw, drawn)) drawn = *near;
        if (numbers) drawn.states = my.states_of_scalars(layer, drawn.count);
        const SceneView& view = draw.view;
        const double extent = std::max({view.high.x - view.low.x, view.high.y - view.low.y,
                                        draw.in_space ? view.high_z - view.low_z : 0}) *
                              draw.camera.scale;
        const GLuint heights = drawable_or(faces.heights, my.nothing.id);
        const MeshMotion* const motion = draw.in_space ? my.motion_of(faces, faces.corners) : nullptr;
        const Elements all = drawn;
        if (motion) my.list(drawn, motion->corners, my.moving.next());
        my.prepare(draw, drawn, uniforms, heights);
        if (draw.in_space)
            my.draw_surface(drawn, extent > kDeep, draw.wires);
        else
            my.draw_triangles(drawn, extent > kDeep);
        if (motion && !motion->ways.empty()) my.draw_turning(draw, *motion, all, uniforms, heights, extent > kDeep);
    }

    void operator()(const LatticeLayer&) const {}  // several are drawn together: draw_lattices()
    void operator()(const LabelsLayer&) const {}   // text lies over the picture: label_places()

  private:
    ShapeNumbers numbers_of(const Elements& drawn, uint32_t count) const {
        if (draw.in_space)
            throw Error("the layer \"" + layer.id + "\" is drawn in the plane, and this view shows space");
        const Palette& colors = palette(my.light);
        ShapeNumbers numbers{};
        numbers.count = count;
        numbers.place_count = drawn.place_count;
        numbers.images = 1;
        if (layer.periodic) {
            numbers.what |= kPeriodic;
            numbers.box_low = to_glm(layer.periodic->low);
            numbers.box_size = to_glm(layer.periodic->size);
            numbers.images = draw.display.shows(kImagesLayer, true) ? 4 : 1;
        }
        if (layer.scalars) {
            require_scalars(layer, count);
            numbers.what |= kHasScalars | (layer.scale.shows_missing ? uint32_t(kShowsMissing) : 0u);
            const ScaleRange range = range_of(layer.scale);
            numbers.scalar_low = range.low;
            numbers.scalar_scale = range.scale;
            numbers.scaling = scaling_of(layer.scale);
            const auto stops = scale_colours(layer.scale, colors);
            std::copy(stops.begin(), stops.end(), numbers.stops);
        }
        numbers.rim = colors.canvas;
        numbers.line_px = draw.uniforms.line_width;
        return numbers;
    }

    // Does once, and only for visible elements, what vertex shaders would do in double six times for every image of
    // every element. `first`, `second`: the shape's own bindings.
    void draw_elements(ShapeNumbers& numbers, const DrawnShape& shape, const Elements& drawn, GLuint first,
                       GLuint second) const {
        if (drawn.states) numbers.what |= kHasStates;
        my.use_styles(layer);
        my.bind_frame(draw.uniforms);
        my.shape_frame.write(&numbers, sizeof numbers);
        glBindBufferBase(GL_UNIFORM_BUFFER, 3, my.shape_frame.id);
        my.records.reserve(shape.record_bytes * numbers.images * std::min(drawn.count, kShapesAtOnce));
        my.shape_command.reserve(kShapeCommandBytes + sizeof(uint32_t) * kShapesAtOnce / kShapeGroup);
        bind(0, drawn.places);
        bind(1, first);
        bind(2, second);
        bind(3, drawn.states ? drawn.states : my.nothing.id);
        bind(5, drawn.scalars ? drawn.scalars : my.nothing.id);
        bind(6, my.shape_command.id);
        bind(7, my.records.id);
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, my.shape_command.id);
        const ShapePrograms& programs = my.shared->shapes.try_emplace(shape.name, shape.name).first->second;
        for (uint32_t begin = 0; begin < drawn.count; begin += kShapesAtOnce)
            my.run_shapes(programs, begin, begin + std::min(drawn.count - begin, kShapesAtOnce));
    }

    /// For a plane without borders: draws the near elements, or all of them, or the large ones. `numbers` counts them.
    void draw_near(ShapeNumbers& numbers, const DrawnShape& shape, Elements drawn) const {
        if (const Elements* some = layer.periodic ? nullptr
                                   : large        ? &my.large_of(draw, drawn)
                                                  : my.near_of(draw, drawn)) {
            if (some->count == 0) return;
            drawn = *some;
            numbers.count = drawn.count;
            numbers.place_count = drawn.place_count;
        }
        draw_elements(numbers, shape, drawn, drawn.corners ? drawn.ids : my.nothing.id, my.nothing.id);
    }
};

void Renderer::Impl::draw_layer(ViewDraw& draw, const Layer& layer, bool large) {
    std::visit(LayerDrawing{*this, draw, layer, large}, layer.shape);
}

}  // namespace flipscope::app
