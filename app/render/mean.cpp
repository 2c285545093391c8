// The mean of the numbers that colour a layer whose elements are smaller than pixels: cells like those of the density,
// each with the sum of its elements' numbers. They are fixed in the world and kept while the camera pans.
#include <array>
#include <cmath>

#include "app/render/renderer_impl.h"
#include "app/view/density.h"

namespace flipscope::app {

namespace {

constexpr double kLargestMeanCell = 8;               // pixels
constexpr double kMeanAround = 0.25;                 // margin on every side for panning, as a share of the picture
constexpr uint32_t kMeanElementsAtOnce = 8'000'000;  // a longer kernel might be mistaken for a hang

}  // namespace

Renderer::Impl::MeanPrograms::MeanPrograms()
    : sum({"density_mean.comp"}), show({"density.vert", "density_mean.frag"}) {}

void Renderer::Impl::draw_mean(const ViewDraw& draw, const Layer& layer, double strength) {
    Elements source = elements_of(layer);
    source.count = static_cast<uint32_t>(std::min<size_t>(source.count, layer.scalars->size()));
    if (source.count == 0) return;
    if (!mean_programs) mean_programs = std::make_unique<MeanPrograms>();
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
        const Program& sum = mean_programs->sum;
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
    const Program& show = mean_programs->show;
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
