#include "voronoi/density.h"

#include <algorithm>
#include <cmath>

namespace flipscope {

namespace {

/// The image pixels [begin, end) that cover one pixel of the lattice, empty outside the image.
struct Cover {
    int64_t begin, end;
};
Cover cover(uint32_t pixel, double offset, double scale, uint32_t pixels) {
    const double low = (pixel - offset) / scale, high = (pixel + 1 - offset) / scale;
    const double middle = (low + high) / 2;
    if (middle < 0 || middle >= pixels) return {0, 0};
    int64_t begin = static_cast<int64_t>(std::ceil(low - 0.5)), end = static_cast<int64_t>(std::ceil(high - 0.5));
    if (begin >= end) begin = static_cast<int64_t>(middle), end = begin + 1;  // the image is enlarged
    return {std::max<int64_t>(begin, 0), std::min<int64_t>(end, pixels)};
}

double darkness_at(const Lattice& lattice, DensityKind kind, uint32_t x, uint32_t y) {
    const double w = lattice.width, h = lattice.height, size = std::min(w, h);
    const double dx = x - (w - 1) / 2, dy = y - (h - 1) / 2, r = std::sqrt(dx * dx + dy * dy) / size;
    switch (kind) {
        case DensityKind::kRamp:
            return w > 1 ? x / (w - 1) : 1;
        case DensityKind::kHill:
            return std::exp(-r * r / (2 * 0.18 * 0.18));
        case DensityKind::kRing:
            return std::exp(-(r - 0.32) * (r - 0.32) / (2 * 0.07 * 0.07));
        default:
            return 1;
    }
}

}  // namespace

std::vector<float> fit_image(const Lattice& lattice, const FieldStack& stack, size_t frame) {
    const float* image = stack.frame(frame);
    const size_t pixels = size_t(stack.width) * stack.height;
    std::vector<float> shades(lattice.pixel_count(), 1.0f);
    if (pixels == 0) return shades;
    const auto [least, greatest] = std::minmax_element(image, image + pixels);
    double low = 0, range = 1;
    if (*least < 0 || *greatest > 1) {
        low = *least;
        range = *greatest > *least ? double(*greatest) - low : 1;
    }
    const double scale = std::min(double(lattice.width) / stack.width, double(lattice.height) / stack.height);
    const double left = (lattice.width - scale * stack.width) / 2, bottom = (lattice.height - scale * stack.height) / 2;
    for (uint32_t y = 0; y < lattice.height; ++y) {
        const Cover rows = cover(y, bottom, scale, stack.height);
        for (uint32_t x = 0; x < lattice.width; ++x) {
            const Cover columns = cover(x, left, scale, stack.width);
            double sum = 0;
            for (int64_t v = rows.begin; v < rows.end; ++v)
                for (int64_t u = columns.begin; u < columns.end; ++u) sum += image[v * stack.width + u];
            const double count = double(rows.end - rows.begin) * double(columns.end - columns.begin);
            if (count > 0)
                shades[lattice.pixel(x, y)] = static_cast<float>(std::clamp((sum / count - low) / range, 0.0, 1.0));
        }
    }
    return shades;
}

std::vector<uint16_t> make_density(const Lattice& lattice, const DensityOptions& options,
                                   const std::vector<float>& shades) {
    if (options.kind == DensityKind::kUniform) return {};
    std::vector<uint16_t> weights(lattice.pixel_count());
    for (uint32_t pixel = 0; pixel < lattice.pixel_count(); ++pixel) {
        const double dark = options.kind == DensityKind::kImage
                                ? 1.0 - shades[pixel]
                                : darkness_at(lattice, options.kind, lattice.x_of(pixel), lattice.y_of(pixel));
        const double seen = std::clamp(0.5 + (dark - 0.5) * options.contrast, 0.0, 1.0);
        // Never 0: a bright cell needs a positive weight, so that the dark part beside it can attract its site.
        weights[pixel] = static_cast<uint16_t>(1 + std::lround(65534 * std::pow(seen, options.gamma)));
    }
    return weights;
}

}  // namespace flipscope
