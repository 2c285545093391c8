// How strongly each pixel of a lattice attracts the sites of a centroidal Voronoi diagram: equation 1 of Bernaschi,
// Lulli and Sbragaglia (2016), whose φ is a density. Tables of integers, made once on the host, so that sums over cells
// are the same in any order and on every device.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/frames.h"
#include "voronoi/lattice.h"

namespace flipscope {

enum class DensityKind : uint32_t { kUniform, kRamp, kHill, kRing, kImage };

struct DensityOptions {
    DensityKind kind = DensityKind::kUniform;
    double contrast = 1;  // around the middle grey: 0 makes all pixels equal, above 1 leaves fewer grey levels
    double gamma = 1;     // exponent of the darkness: above 1 reduces the weight of light parts
};

/// Scales the frame of a stack to a lattice: (h, w) 0 black … 1 white. As large as fits, centred, with its proportions
/// kept and white around it. Averages when shrinking. Values outside 0 … 1 are first mapped linearly, the least to 0
/// and the greatest to 1.
std::vector<float> fit_image(const Lattice& lattice, const FieldStack& stack, size_t frame);

inline constexpr double kFullWeight = 65535;  // of a pixel with density 1

/// (h, w) weights 1 … 65535; empty: all pixels equal. Analytic densities are dark where they attract: a ramp from left
/// to right, a Gaussian hill in the middle, a ring around it. `shades`: of the image, (h, w), if the kind needs one;
/// dark attracts.
std::vector<uint16_t> make_density(const Lattice& lattice, const DensityOptions& options,
                                   const std::vector<float>& shades);

}  // namespace flipscope
