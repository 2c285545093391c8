// Layers drawn element by element from their buffers: discs, strokes (arrows, trails) and triangles on a torus or
// coloured by a scale. Only in the plane.
#include <algorithm>
#include <cmath>

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
constexpr size_t kDiscBytes = 48, kStrokeBytes = 64, kFacetBytes = 96;    // of records

enum What : uint32_t {
    kHasRadii = 1,
    kHasOrientations = 2,
    kHasStates = 4,
    kHasScalars = 8,
    kHasEnds = 16,
    kPolylines = 32,
    kFades = 64,
    kArrows = 128,
    kPeriodic = 256
};

ShapeNumbers numbers_of(const ViewDraw& draw, const Layer& layer, const Palette& colors, uint32_t count,
                        uint32_t place_count) {
    if (draw.in_space) throw Error("the layer \"" + layer.id + "\" is drawn in the plane, and this view shows space");
    ShapeNumbers numbers{};
    numbers.count = count;
    numbers.place_count = place_count;
    numbers.images = 1;
    if (layer.periodic) {
        numbers.what |= kPeriodic;
        numbers.box_low = to_glm(layer.periodic->low);
        numbers.box_size = to_glm(layer.periodic->size);
        numbers.images = draw.display.shows(kImagesLayer, true) ? 4 : 1;
    }
    if (layer.scalars) {
        require_scalars(layer, count);
        numbers.what |= kHasScalars;
        const ScaleRange range = range_of(layer.scale);
        numbers.scalar_low = range.low;
        numbers.scalar_scale = range.scale;
        numbers.scaling = scaling_of(layer.scale);
        const auto stops = scale_colours(layer.scale.kind, colors);
        std::copy(stops.begin(), stops.end(), numbers.stops);
    }
    numbers.rim = colors.canvas;
    numbers.line_px = draw.uniforms.line_width;
    return numbers;
}

}  // namespace

ShapePrograms::ShapePrograms(const std::string& name)
    : gather(
          {"shape.glsl", "angles.glsl", "cut.glsl", name + ".glsl", "gather_shapes.glsl", "gather_" + name + ".comp"}),
      draw({"shape.glsl", name + ".glsl", name + ".vert", name + ".frag"}),
      stage(gather.place("stage")),
      first(gather.place("first_element")),
      end(gather.place("end_element")) {}

const ShapePrograms& Renderer::Impl::shape_programs(const std::string& name) {
    std::unique_ptr<ShapePrograms>& programs = shapes[name];
    if (!programs) programs = std::make_unique<ShapePrograms>(name);
    return *programs;
}

void Renderer::Impl::run_shapes(const ShapePrograms& programs, uint32_t begin, uint32_t end) {
    glUseProgram(programs.gather.id());
    glUniform1ui(programs.first, begin);
    glUniform1ui(programs.end, end);
    for (GLuint stage = 0; stage < 3; ++stage) {
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // first: earlier draws used the same buffers
        glUniform1ui(programs.stage, stage);
        dispatch(stage == 1 ? kShapeGroup : std::max(end - begin, 1u));
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glUseProgram(programs.draw.id());
    glDrawArraysIndirect(GL_TRIANGLES, nullptr);
}

// Does once, and only for visible elements, what vertex shaders would do in double six times for every image of every
// element.
void Renderer::Impl::draw_elements(const ViewDraw& draw, const Layer& layer, ShapeNumbers& numbers,
                                   const std::string& shape, size_t record_bytes, const Elements& drawn, GLuint first,
                                   GLuint second) {
    if (drawn.states) numbers.what |= kHasStates;
    use_styles(layer);
    bind_frame(draw.uniforms);
    shape_frame.write(&numbers, sizeof numbers);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, shape_frame.id);
    records.reserve(record_bytes * numbers.images * std::min(drawn.count, kShapesAtOnce));
    shape_command.reserve(kShapeCommandBytes + sizeof(uint32_t) * kShapesAtOnce / kShapeGroup);
    bind(0, drawn.places);
    bind(1, first);
    bind(2, second);
    bind(3, drawn.states ? drawn.states : nothing.id);
    bind(5, drawn.scalars ? drawn.scalars : nothing.id);
    bind(6, shape_command.id);
    bind(7, records.id);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, shape_command.id);
    const ShapePrograms& programs = shape_programs(shape);
    for (uint32_t begin = 0; begin < drawn.count;) {
        const uint32_t count = std::min(drawn.count - begin, kShapesAtOnce);
        run_shapes(programs, begin, begin + count);
        begin += count;
    }
}

void Renderer::Impl::prepare_shapes(const Layer& layer) {
    using Element = LegendEntry::Element;
    const Element element = layer.element();
    const char* shape = element == Element::kTriangle ? "facets" : element == Element::kEdge ? "strokes" : "discs";
    if (layer.periodic || shapes.count(shape)) return;
    prepare_near();
    const ShapePrograms& programs = shape_programs(shape);
    shape_command.reserve(kShapeCommandBytes + sizeof(uint32_t));
    records.reserve(kFacetBytes);
    for (GLuint place : {0u, 1u, 2u, 3u, 5u}) bind(place, nothing.id);
    bind(6, shape_command.id);
    bind(7, records.id);
    const ShapeNumbers numbers{};
    shape_frame.write(&numbers, sizeof numbers);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, shape_frame.id);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, shape_command.id);
    run_shapes(programs, 0, 0);
}

void Renderer::Impl::draw_elements_near(const ViewDraw& draw, const Layer& layer, ShapeNumbers& numbers,
                                        const std::string& shape, size_t record_bytes, Elements drawn, bool large) {
    if (const Elements* some = layer.periodic ? nullptr : large ? &large_of(draw, drawn) : near_of(draw, drawn)) {
        if (some->count == 0) return;
        drawn = *some;
        numbers.count = drawn.count;
        numbers.place_count = drawn.place_count;
    }
    draw_elements(draw, layer, numbers, shape, record_bytes, drawn, drawn.corners ? drawn.ids : nothing.id, nothing.id);
}

void Renderer::Impl::draw_shape(ViewDraw& draw, const Layer& layer, const PointsLayer& points) {
    ShapeNumbers numbers = numbers_of(draw, layer, palette(light), points.count, points.count);
    numbers.radius_px = 0.5f * std::max(draw.uniforms.point_size, 1.f);
    draw_elements_near(draw, layer, numbers, "discs", kDiscBytes, elements_of(points, layer.scalars));
}

void Renderer::Impl::draw_shape(ViewDraw& draw, const Layer& layer, const DiscsLayer& discs) {
    ShapeNumbers numbers = numbers_of(draw, layer, palette(light), discs.count, discs.count);
    numbers.radius = discs.radius;
    if (discs.radii) numbers.what |= kHasRadii;
    if (discs.orientations) numbers.what |= kHasOrientations;
    const GLuint centres = drawable_or(discs.centres, nothing.id);
    draw_elements(draw, layer, numbers, "discs", kDiscBytes,
                  {0, centres, drawable_or(discs.states, 0), discs.count, centres, discs.count, kNone,
                   drawable_or(layer.scalars, 0)},
                  drawable_or(discs.radii, nothing.id), drawable_or(discs.orientations, nothing.id));
}

void Renderer::Impl::draw_shape(const ViewDraw& draw, const Layer& layer, const SegmentsLayer& segments, bool large) {
    ShapeNumbers numbers = numbers_of(draw, layer, palette(light), segments.element_count(), segments.place_count);
    const Elements drawn = elements_of(segments, layer.scalars);
    if (drawn.ids != nothing.id) numbers.what |= kHasEnds;
    if (segments.arrows) numbers.what |= kArrows;
    if (segments.few_ends.empty() && drawn.ids != nothing.id)
        draw_elements_near(draw, layer, numbers, "strokes", kStrokeBytes, drawn, large);
    else
        draw_elements(draw, layer, numbers, "strokes", kStrokeBytes, drawn, drawn.ids, nothing.id);
}

void Renderer::Impl::draw_shape(ViewDraw& draw, const Layer& layer, const PolylinesLayer& lines) {
    ShapeNumbers numbers = numbers_of(draw, layer, palette(light), lines.count, lines.point_count);
    numbers.what |= kPolylines | (lines.fades ? kFades : 0u);
    draw_elements(draw, layer, numbers, "strokes", kStrokeBytes,
                  {2, 0, drawable_or(lines.states, 0), lines.point_count - 1, drawable_or(lines.points, nothing.id),
                   lines.point_count, kNone, drawable_or(layer.scalars, 0)},
                  drawable_or(lines.starts, nothing.id), nothing.id);
}

void Renderer::Impl::draw_shape(const ViewDraw& draw, const Layer& layer, const TrianglesLayer& triangles_of,
                                bool large) {
    ShapeNumbers numbers = numbers_of(draw, layer, palette(light), triangles_of.count, triangles_of.place_count);
    draw_elements_near(draw, layer, numbers, "facets", kFacetBytes, elements_of(triangles_of, layer.scalars), large);
}

void Renderer::Impl::draw_large(const ViewDraw& draw, const Layer& layer) {
    if (layer.periodic || draw.in_space) return;
    if (const auto* lines = std::get_if<SegmentsLayer>(&layer.shape); lines && lines->ends && !lines->arrows)
        draw_shape(draw, layer, *lines, true);
    else if (const auto* faces = std::get_if<TrianglesLayer>(&layer.shape))
        draw_shape(draw, layer, *faces, true);
}

}  // namespace flipscope::app
