// The density of points as a picture: one pass over the points, independent of edges and triangles. Cells are as wide
// as the gap between points, at least a pixel, and stay fixed in the world while the camera pans. Likewise the mean of
// the numbers that colour a layer whose elements are smaller than pixels: each cell has the sum of its elements'
// numbers.
#include <array>
#include <cmath>

#include "app/render/renderer_impl.h"
#include "app/view/density.h"

namespace flipscope::app {

namespace {

constexpr int kMargin = 4;                      // cells around the view, read by the smoothing
constexpr double kLargestCell = 8;              // pixels
constexpr uint32_t kPointsAtOnce = 4'000'000;   // 64 MB; a driver may limit a shader's view of a buffer to 128 MB
constexpr uint32_t kMostHurriedMarks = 40'000;  // per layer; more are sampled while the camera or the state changes
constexpr uint32_t kWhole = 256;                // fixed-point units per point; as in density_count.comp

using Lines = DensityLines;

/// The lines of cells for a view along one axis. `world`: cell width.
Lines lines_along(double eye, double half, double world) {
    const double first = std::floor((eye - half) / world) - kMargin;
    return {first, static_cast<int>(std::ceil(2 * half / world)) + 2 * kMargin + 2};
}

/// Adds half a view at both ends, within the points' bounds: room to pan.
Lines widened(const Lines& needed, double low, double high, double world) {
    const double more = std::floor(needed.count / 2.0), end = needed.first + needed.count;
    const double first = std::min(needed.first, std::max(needed.first - more, std::floor(low / world) - kMargin));
    const double last = std::max(end, std::min(end + more, std::ceil(high / world) + kMargin + 1));
    return {first, static_cast<int>(last - first)};
}

bool holds(const Lines& all, const Lines& some) {
    return all.first <= some.first && some.first + some.count <= all.first + all.count;
}

constexpr double kLargestMeanCell = 8;               // pixels
constexpr double kMeanAround = 0.25;                 // margin on every side for panning, as a share of the picture
constexpr uint32_t kMeanElementsAtOnce = 8'000'000;  // a longer kernel might be mistaken for a hang

}  // namespace

void Renderer::Impl::draw_density(const ViewDraw& draw, const DensityPlan& plan) {
    if (!shared->density_programs) {
        shared->density_programs = std::make_unique<DensityPrograms>();
        prepare_near();  // for elements that appear when zooming in
    }
    for (size_t i = 0; i < draw.view.layers.size(); ++i)
        if (plan.replaced[i]) touch(elements_of(draw.view.layers[i]));
    const DensityPrograms& programs = *shared->density_programs;
    const double gap = point_spacing(draw.view) * draw.camera.scale *
                       std::sqrt(std::max<double>(draw.view.point_count, 1) / std::max<double>(plan.count, 1));
    const double cell = std::clamp(gap, 1.0, kLargestCell);
    const double world = cell / draw.camera.scale;
    const GLuint places = SharedMemory::buffer_of(plan.places->memory());
    const Lines across = lines_along(draw.camera.center.x, 0.5 * draw.part.width / draw.camera.scale, world);
    const Lines up = lines_along(draw.camera.center.y, 0.5 * draw.part.height / draw.camera.scale, world);
    DensityCells& known = density_known;
    const bool same = revision != 0 && known.revision == revision && known.places == places &&
                      known.count == plan.count && known.world == world;
    if (!same || !holds(known.x, across) || !holds(known.y, up)) {
        // Panning keeps the cell width, so the next pictures need the neighbouring cells.
        known = {revision, places, plan.count, world, across, up};
        if (same) {
            known.x = widened(across, draw.view.low.x, draw.view.high.x, world);
            known.y = widened(up, draw.view.low.y, draw.view.high.y, world);
        }
        count_density(programs, known);
    }
    show_density(draw, plan, programs, known, gap, cell);
}

void Renderer::Impl::count_density(const DensityPrograms& programs, const DensityCells& known) {
    const Lines &x = known.x, &y = known.y;
    const auto cells = static_cast<uint32_t>(x.count) * static_cast<uint32_t>(y.count);
    density_counts.reserve(size_t(cells) * 4);
    density_rows.reserve(size_t(cells) * 4);
    density_smoothed.reserve(size_t(cells) * 4);
    glClearNamedBufferData(density_counts.id, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(programs.count.id());
    glUniform2d(programs.count.place("origin"), x.first * known.world, y.first * known.world);
    glUniform1d(programs.count.place("per_cell"), 1 / known.world);
    glUniform2i(programs.count.place("cells"), x.count, y.count);
    bind(1, density_counts.id);
    for (uint32_t first = 0; first < known.count; first += kPointsAtOnce) {
        const uint32_t some = std::min(known.count - first, kPointsAtOnce);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, known.places,
                          static_cast<GLintptr>(size_t(first) * sizeof(Point)),
                          static_cast<GLsizeiptr>(size_t(some) * sizeof(Point)));
        glUniform1ui(programs.count.place("count"), some);
        dispatch(some);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(programs.smooth.id());
    glUniform2i(programs.smooth.place("cells"), x.count, y.count);
    bind(0, density_counts.id);
    bind(1, density_rows.id);
    bind(2, density_smoothed.id);
    for (GLuint stage : {0u, 1u}) {
        glUniform1ui(programs.smooth.place("stage"), stage);
        dispatch(cells);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
}

void Renderer::Impl::show_density(const ViewDraw& draw, const DensityPlan& plan, const DensityPrograms& programs,
                                  const DensityCells& known, double gap, double cell) {
    const double corner_x = (known.x.first * known.world - draw.camera.center.x) * draw.camera.scale,
                 corner_y = (known.y.first * known.world - draw.camera.center.y) * draw.camera.scale;
    bind(2, density_smoothed.id);
    bind_frame(draw.uniforms);
    glUseProgram(programs.show.id());
    glUniform2i(programs.show.place("cells"), known.x.count, known.y.count);
    glUniform2f(programs.show.place("corner"), static_cast<float>(corner_x), static_cast<float>(corner_y));
    glUniform1f(programs.show.place("cell"), static_cast<float>(cell));
    glUniform1f(programs.show.place("gain"), static_cast<float>(gap / cell * (gap / cell) / kWhole));
    glUniform1f(programs.show.place("decades"), static_cast<float>(kDensityPowers));
    const Palette& colors = palette(light);
    const auto stops = colors.scale_stops({});
    glUniform4fv(programs.show.place("stops"), Palette::kStops, &stops[0].r);
    glUniform4f(programs.show.place("ground"), colors.canvas.r, colors.canvas.g, colors.canvas.b, 1);
    glUniform1f(programs.show.place("strength"), static_cast<float>(plan.strength));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

const Renderer::Impl::Elements& Renderer::Impl::marked_of(const Layer& layer, const Elements& all, uint32_t plain) {
    Marked& known = marked.next();
    if (known.is_of(revision, all) && known.legend == layer.legend && (hurried || !known.sampled)) return known.made;
    if (!shared->density_programs) shared->density_programs = std::make_unique<DensityPrograms>();
    known.is_now_of(revision, all);
    known.legend = layer.legend;
    const Program& program = all.corners == 0 ? shared->density_programs->mark_points : shared->density_programs->mark;
    glUseProgram(program.id());
    glUniform1ui(program.place("corners"), all.corners);
    glUniform1ui(program.place("plain_row"), plain);
    glUniform1ui(program.place("each"), 1);
    uint32_t found = count_listed(program, all);
    known.sampled = hurried && found > kMostHurriedMarks;
    if (known.sampled) {
        glUseProgram(program.id());
        glUniform1ui(program.place("each"), found / kMostHurriedMarks + 1);
        found = count_listed(program, all);
    }
    copy_listed(program, all, found, known);
    return known.made;
}

// Draws elements with their own state over a density.
void Renderer::Impl::draw_marked(ViewDraw& draw, const Layer& layer) {
    if (layer.legend.empty()) return;
    const LayerStyles& styles = use_styles(layer);
    const Elements all = elements_of(layer);
    if (!all.states || (all.corners == 0 && !styles.loud) || (all.corners == 3 && all.ids == nothing.id)) return;
    const uint32_t plain = all.corners == 0 ? kPlainVertex : all.corners == 2 ? kPlainEdge : kPlainTriangle;
    const Elements& few = marked_of(layer, all, plain);
    if (few.count == 0) return;
    Frame uniforms = draw.uniforms;
    if (all.corners == 0) {
        uniforms.vertex_count = few.count;
        uniforms.flags |= kVertexStates;
        project(draw, uniforms, few.places, 0);
        bind(3, few.states);
        glUseProgram(shared->flat.points.id());
        glEnable(GL_PROGRAM_POINT_SIZE);
        glUniform1ui(shared->flat.points.place("list"), 1);
        glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(few.count));
    } else if (all.corners == 2) {
        uniforms.flags |= kEdgeStates;
        draw_edges(draw, few, uniforms, 0);
    } else {
        uniforms.flags |= kTriangleStates;
        prepare(draw, few, uniforms, 0);
        draw_triangles(few, false);
    }
}

void Renderer::set_revision(uint64_t revision) { impl_->revision = revision; }

void Renderer::Impl::draw_mean(const ViewDraw& draw, const Layer& layer, double strength) {
    Elements source = elements_of(layer);
    source.count = static_cast<uint32_t>(std::min<size_t>(source.count, layer.scalars->size()));
    if (source.count == 0) return;
    if (!shared->mean_programs) shared->mean_programs = std::make_unique<MeanPrograms>();
    Mean& known = means.next();
    const double gap = point_spacing(draw.view) * draw.camera.scale;
    const double cell = std::clamp(gap, 1.0, kLargestMeanCell), world = cell / draw.camera.scale;
    const glm::dvec2 half = 0.5 * glm::dvec2(draw.part.width, draw.part.height) / draw.camera.scale;
    const glm::dvec2 eye = to_glm(draw.camera.center);
    const glm::dvec2 end = known.origin + glm::dvec2(known.wide, known.tall) * world;
    const double rim = 3 * world;
    const bool kept = revision != 0 && known.revision == revision && known.scalars == source.scalars &&
                      std::abs(known.world / world - 1) < 1e-9 && known.scale == layer.scale &&
                      known.count == source.count && eye.x - half.x >= known.origin.x + rim &&
                      eye.y - half.y >= known.origin.y + rim && eye.x + half.x <= end.x - rim &&
                      eye.y + half.y <= end.y - rim;
    if (!kept) {
        const double around = revision != 0 && !tile ? 1 + 2 * kMeanAround : 1;
        known.revision = revision;
        known.scalars = source.scalars;
        known.world = world;
        known.scale = layer.scale;
        known.count = source.count;
        known.origin = (glm::floor((eye - around * half) / world) - 4.0) * world;
        known.wide = static_cast<int>(std::ceil(2 * around * half.x / world)) + 10;
        known.tall = static_cast<int>(std::ceil(2 * around * half.y / world)) + 10;
        known.sums.reserve(size_t(known.wide) * static_cast<size_t>(known.tall) * 12);
        glClearNamedBufferData(known.sums.id, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
        const ScaleRange range = range_of(layer.scale);
        const Program& sum = shared->mean_programs->sum;
        glUseProgram(sum.id());
        glUniform2d(sum.place("origin"), known.origin.x, known.origin.y);
        glUniform1d(sum.place("per_cell"), 1 / world);
        glUniform2i(sum.place("cells"), known.wide, known.tall);
        glUniform1ui(sum.place("corners"), source.corners);
        glUniform1ui(sum.place("place_count"), std::min(source.place_count, source.helper_begin));
        glUniform1f(sum.place("scalar_low"), range.low);
        glUniform1f(sum.place("scalar_scale"), range.scale);
        glUniform1ui(sum.place("logarithmic"), range.logarithmic ? 1 : 0);
        bind(0, source.places);
        bind(1, known.sums.id);
        bind(2, source.ids);
        bind(5, source.scalars);
        for (uint32_t first = 0; first < source.count; first += kMeanElementsAtOnce) {
            const uint32_t last = first + std::min(source.count - first, kMeanElementsAtOnce);
            glUniform1ui(sum.place("begin"), first);
            glUniform1ui(sum.place("end"), last);
            dispatch(last - first);
        }
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    bind_frame(draw.uniforms);
    const Program& show = shared->mean_programs->show;
    glUseProgram(show.id());
    bind(2, known.sums.id);
    glUniform2i(show.place("cells"), known.wide, known.tall);
    const glm::dvec2 corner = (known.origin - eye) * draw.camera.scale;
    glUniform2f(show.place("corner"), static_cast<float>(corner.x), static_cast<float>(corner.y));
    glUniform1f(show.place("cell"), static_cast<float>(cell));
    glUniform1f(show.place("least"), static_cast<float>(0.2 * 16 * 256 * (cell / gap) * (cell / gap)));
    const auto stops = palette(light).scale_stops(layer.scale);
    glUniform4fv(show.place("stops"), Palette::kStops, &stops[0].r);
    glUniform1ui(show.place("scaling"), scaling_of(layer.scale));
    glUniform1f(show.place("strength"), static_cast<float>(strength));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    prepare_shapes(layer);  // for elements that appear when zooming in
}

}  // namespace flipscope::app
