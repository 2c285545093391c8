// Cells, numbers and marks of a lattice, drawn from the kernels' buffers. A buffer that exceeds the shader's limit is
// drawn in bands of rows.
#include <array>
#include <cmath>

#include "app/render/renderer_impl.h"
#include "geometry/frames.h"
#include "voronoi/lattice.h"

namespace flipscope::app {

namespace {

static_assert(kMaxLink == 0x77777777u, "as in lattice.glsl");

const std::vector<std::string> kLatticeFiles{"lattice.glsl", "lattice.vert", "lattice.frag"};
constexpr double kLarge = 3;  // screen pixels; larger lattice pixels are drawn as squares

// Variants of the program.
enum Version : uint32_t {
    kColours = 1,
    kNames = 2,
    kCells = 4,
    kField = 8,
    kMarks = 16,
    kLargePixels = 32,
    kCoarse = 64,
    kFills = 128,
    kCellNumbers = 256
};

std::string defines_of(uint32_t version) {
    static constexpr std::pair<uint32_t, const char*> kDefines[] = {
        {kColours, "COLOURS"},   {kNames, "NAMES"},   {kCells, "CELLS"}, {kField, "FIELD"},        {kMarks, "MARKS"},
        {kLargePixels, "LARGE"}, {kCoarse, "COARSE"}, {kFills, "FILLS"}, {kCellNumbers, "NUMBERS"}};
    std::string lines;
    for (const auto& [bit, name] : kDefines)
        if (version & bit) lines += std::string("#define ") + name + "\n";
    return lines;
}

struct LatticeNumbers {  // std140, as in lattice.glsl
    int32_t line[2];
    float line_at[2];
    int32_t size[2], rows[2];
    float low[2], high[2];
    uint32_t first_colour, first_field, first_state, name_count;
    float pixel, border_width, border_strength, contrast;
    float field_low, field_scale, hatch_at, hatch_pitch;
    float unit;
    uint32_t scaling, number_count, padding;
    Color border, outline, between, obstacle, hatching;
    Color field_stops[kScaleColours];
    Color mean;
    Color tints[Palette::kCells];
};
static_assert(sizeof(LatticeNumbers) == 112 + 16 * (6 + kScaleColours + Palette::kCells));

/// One axis, in pixels from the middle of the picture: the lattice's extent, cut to the visible part.
struct Span {
    int32_t line;
    float line_at, low, high;
    int64_t first, last;  // pixels that are visible, at least in part; first > last: none
};

Span span_along(double eye, double scale, double half, uint32_t count, double margin) {
    constexpr double kFar = 1e30, kFarLine = 1e9;
    const double line = std::clamp(std::round(eye + 0.5), -kFarLine, kFarLine);
    Span span{};
    span.line = static_cast<int32_t>(line);
    span.line_at = static_cast<float>(std::clamp((line - 0.5 - eye) * scale, -kFar, kFar));
    const double low = (-0.5 - eye) * scale - margin, high = (count - 0.5 - eye) * scale + margin;
    span.low = static_cast<float>(std::clamp(low, -half, half));
    span.high = static_cast<float>(std::clamp(high, -half, half));
    span.first = static_cast<int64_t>(std::clamp(std::floor(eye + 0.5 - (half + margin) / scale) - 1, 0.0, kFarLine));
    span.last = static_cast<int64_t>(
        std::clamp(std::floor(eye + 0.5 + (half + margin) / scale) + 1, -1.0, static_cast<double>(count) - 1));
    return span;
}

/// Binds elements [first, last) of a buffer and returns the index of the first one that the shader sees.
uint32_t bind_part(GLuint place, GLuint buffer, size_t element_bytes, uint64_t first, uint64_t last) {
    GLint alignment = 16;
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    const auto step = static_cast<uint64_t>(std::max(alignment, 4));
    const uint64_t from = first * element_bytes / step * step;
    const uint64_t bytes = (last * element_bytes - from + 3) / 4 * 4;  // blocks end at a multiple of 16
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, place, buffer, static_cast<GLintptr>(from),
                      static_cast<GLsizeiptr>(bytes));
    return static_cast<uint32_t>(from / element_bytes);
}

// Rows that fit into a shader's view of one buffer.
int64_t band_rows(uint32_t width) {
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    return std::max<int64_t>((most - 256) / (4 * int64_t(width)), 1);
}

template <class T>
GLuint drawable(const Buffer<T>* buffer, size_t least) {
    return buffer && !buffer->empty() && buffer->size() >= least ? SharedMemory::buffer_of(buffer->memory()) : 0;
}

}  // namespace

size_t Renderer::Impl::draw_lattices(const ViewDraw& draw, size_t at) {
    const std::vector<Layer>& layers = draw.view.layers;
    DrawnLattice all;
    ShownLattice shown;
    std::vector<const Layer*> marked;  // the visible ones, in order
    for (; at < layers.size(); ++at) {
        const auto* layer = std::get_if<LatticeLayer>(&layers[at].shape);
        if (!layer) break;
        if (!*layer) continue;
        if (all.width && (all.width != layer->width || all.height != layer->height)) break;
        const uint64_t pixels = uint64_t(layer->width) * layer->height;
        const bool wanted = draw.display.shows(layers[at].id, layers[at].shown);
        all.width = layer->width;
        all.height = layer->height;
        // Of several layers with cells, or with numbers, the last visible one hides the others.
        if (layer->colours && (wanted || !shown.cells)) {
            all.colours = drawable(layer->colours, pixels);
            all.names = drawable(layer->names, 1);
            all.name_count = layer->names ? static_cast<uint32_t>(layer->names->size()) : 0;
            all.numbers = drawable(layer->numbers, 1);
            all.number_count = all.numbers ? static_cast<uint32_t>(layer->numbers->size()) : 0;
            all.number_scale = layers[at].scale;
            shown.cells = wanted;
        }
        if (layer->field && (wanted || !shown.field)) {
            all.field = drawable(layer->field, pixels);
            all.scale = layers[at].scale;
            shown.field = wanted;
        }
        if (layer->states && wanted) marked.push_back(&layers[at]);
    }
    if (!all.width) return at;
    // Before there are cells, show the numbers that they will be made from.
    if (!all.colours && shown.cells) shown.field = true;
    bind_frame(draw.uniforms);
    const auto draw_marks = [&](const Layer& layer, DrawnLattice from, ShownLattice with) {
        const LatticeLayer& lattice = std::get<LatticeLayer>(layer.shape);
        from.states = drawable(lattice.states, uint64_t(from.width) * from.height);
        from.styles = &styles_of(LegendEntry::Element::kPixel, layer.role, layer.legend);
        with.marks = !lattice.fills;
        with.fills = lattice.fills;
        draw_lattice(from, with, draw.camera, draw.part, draw.uniforms, draw.line_scale);
    };
    // The first marks are drawn together with the lattice, later ones over it.
    if (marked.empty())
        draw_lattice(all, shown, draw.camera, draw.part, draw.uniforms, draw.line_scale);
    else
        draw_marks(*marked[0], all, shown);
    for (size_t i = 1; i < marked.size(); ++i) draw_marks(*marked[i], {all.width, all.height}, {});
    return at;
}

void Renderer::Impl::draw_lattice(const DrawnLattice& from, const ShownLattice& shown, const Camera& camera,
                                  const PixelBox& part, const Frame& uniforms, double line_scale) {
    const double scale = camera.scale, unit = std::max(line_scale, 1e-3);
    const Span x = span_along(camera.center.x, scale, 0.5 * part.width, from.width, 2 * unit);
    const Span y = span_along(camera.center.y, scale, 0.5 * part.height, from.height, 2 * unit);
    uint32_t version = scale >= kLarge * unit ? kLargePixels : hurried ? kCoarse : 0u;
    if (from.colours) version |= kColours | (shown.cells ? kCells : 0u);
    if (from.colours && from.names) version |= kNames;
    if (from.field && shown.field) version |= kField;
    if (from.numbers && (version & kCells) && !(version & kField)) version |= kCellNumbers;
    if (from.states && shown.marks) version |= kMarks;
    if (from.states && shown.fills) version |= kFills;
    const bool seen = x.low < x.high && y.low < y.high && x.first <= x.last && y.first <= y.last;
    if (!seen || !(version & (kCells | kField | kMarks | kFills))) return;

    LatticeNumbers numbers{};
    const Palette& colors = palette(light);
    numbers.line[0] = x.line;
    numbers.line[1] = y.line;
    numbers.line_at[0] = x.line_at;
    numbers.line_at[1] = y.line_at;
    numbers.size[0] = static_cast<int32_t>(from.width);
    numbers.size[1] = static_cast<int32_t>(from.height);
    numbers.low[0] = x.low;
    numbers.high[0] = x.high;
    numbers.pixel = static_cast<float>(std::min(scale, 1e30));
    // In cells of a few pixels the borders dominate; in smaller ones they flicker.
    const double gap = uniforms.point_count > 0 ? uniforms.gap / unit : 1e9;
    const auto between = [](double value, double low, double high) {
        const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
        return static_cast<float>(t * t * (3 - 2 * t));
    };
    numbers.border_width = static_cast<float>(std::clamp(0.05 * gap, 1.1, 2.0) * unit);
    numbers.border_strength = between(gap, 2, 12);
    numbers.contrast = between(gap, 0.5, 4);
    const ColourScale& bar = version & kCellNumbers ? from.number_scale : from.scale;
    const ScaleRange range = range_of(bar);
    numbers.field_low = range.low;
    numbers.field_scale = range.scale;
    numbers.scaling = scaling_of(bar);
    numbers.hatch_pitch = static_cast<float>(7 * unit);
    const double hatch = std::fmod((camera.center.x + camera.center.y) * scale, 7 * unit);
    numbers.hatch_at = static_cast<float>(std::isfinite(hatch) ? hatch : 0);
    numbers.name_count = from.name_count;
    numbers.number_count = from.number_count;
    numbers.unit = static_cast<float>(unit);
    numbers.border = colors.cell_border;
    numbers.outline = colors.cell_outline;
    numbers.between = colors.lattice_line;
    numbers.obstacle = colors.role(Role::kObstacle);
    numbers.hatching = colors.hatching;
    const auto stops = scale_colours(bar, colors);
    std::copy(stops.begin(), stops.end(), numbers.field_stops);
    Color& mean = numbers.mean;
    for (uint32_t i = 0; i < Palette::kCells; ++i) {
        const Color& tint = colors.cells[i];
        numbers.tints[i] = tint;
        mean = {mean.r + tint.r / Palette::kCells, mean.g + tint.g / Palette::kCells, mean.b + tint.b / Palette::kCells,
                1};
    }

    // Samples reach slightly beyond a band's rows.
    const auto reach = static_cast<int64_t>(std::min(std::ceil(2 * unit / scale), 1e9)) + 1;
    const int64_t width = from.width, most = std::max<int64_t>(band_rows(from.width) - 2 * reach, 1);
    // A driver can keep a megabyte of each version.
    constexpr size_t kMostVersions = 16;
    if (shared->lattices.size() >= kMostVersions && !shared->lattices.contains(version)) shared->lattices.clear();
    glUseProgram(shared->lattices.try_emplace(version, kLatticeFiles, defines_of(version)).first->second.id());
    bind(1, from.names ? from.names : nothing.id);
    bind(5, from.numbers ? from.numbers : nothing.id);
    use(from.styles ? *from.styles : styles_of(LegendEntry::Element::kPixel, Role::kPlain, {}));
    const auto at = [&](int64_t row) { return (static_cast<double>(row) - 0.5 - camera.center.y) * scale; };
    for (int64_t row = y.first; row <= y.last; row += most) {
        const int64_t end = std::min(row + most, y.last + 1);
        const int64_t bound_from = std::max<int64_t>(row - reach, 0),
                      bound_to = std::min<int64_t>(end + reach, from.height);
        const auto first = static_cast<uint64_t>(bound_from * width), last = static_cast<uint64_t>(bound_to * width);
        numbers.rows[0] = static_cast<int32_t>(bound_from);
        numbers.rows[1] = static_cast<int32_t>(bound_to);
        numbers.low[1] = row == y.first ? y.low : static_cast<float>(at(row));
        numbers.high[1] = end == y.last + 1 ? y.high : static_cast<float>(at(end));
        const auto bind_pixels = [&](GLuint place, GLuint buffer, size_t bytes) -> uint32_t {
            if (buffer) return bind_part(place, buffer, bytes, first, last);
            bind(place, nothing.id);
            return 0;
        };
        numbers.first_colour = bind_pixels(0, from.colours, 4);
        numbers.first_field = bind_pixels(2, from.field, 4);
        numbers.first_state = bind_pixels(3, from.states, 2);
        lattice_frame.write(&numbers, sizeof numbers);
        glBindBufferBase(GL_UNIFORM_BUFFER, 3, lattice_frame.id);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

void Renderer::Impl::draw_preview(const FieldStack& field, const Camera& camera, const PixelBox& part,
                                  const Frame& uniforms, double line_scale) {
    const size_t pixels = size_t(field.width) * field.height;
    if (previewed != field.values.data()) {
        preview.write(field.values.data(), pixels * sizeof(float));
        previewed = field.values.data();
    }
    const auto [low, high] = std::minmax_element(field.values.begin(), field.values.begin() + ptrdiff_t(pixels));
    DrawnLattice drawn{field.width, field.height};
    drawn.field = preview.id;
    drawn.scale.kind = ColourScale::Kind::kImage;
    drawn.scale.low = *low;
    drawn.scale.high = *high;
    bind_frame(uniforms);
    draw_lattice(drawn, {false, true, false}, camera, part, uniforms, line_scale);
}

}  // namespace flipscope::app
