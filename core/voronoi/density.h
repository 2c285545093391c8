// How much each pixel of a lattice attracts the sites of a centroidal Voronoi diagram: equation 1 of Bernaschi, Lulli
// and Sbragaglia (2016), whose φ is a density. Tables of integers, made once on the host, so that sums over cells are
// the same in any order and on every device.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/frames.h"
#include "voronoi/lattice.h"

namespace flipscope {

enum class DensityKind : uint32_t { kUniform, kRamp, kHill, kRing, kImage };

struct DensityOptions {
    DensityKind kind = DensityKind::kUniform;
    double contrast = 1;  // about the middle grey: 0 makes all pixels alike, more than 1 leaves less between
    double gamma = 1;     // the darkness is raised to this power: more than 1 spares the light parts
};

/// The frame of a stack as it lies on a lattice: (h, w) 0 black … 1 white. As large as it fits, in the middle, its
/// proportions kept; around it white. Averages where it is made smaller. Values outside 0 … 1 are first brought there,
/// the least to 0 and the greatest to 1.
std::vector<float> fit_image(const Lattice& lattice, const FieldStack& stack, size_t frame);

inline constexpr double kFullWeight = 65535;  // of a pixel where the density is 1

/// (h, w) weights 1 … 65535; empty: all pixels alike. Analytic densities are dark where they attract: a ramp from left
/// to right, a Gaussian hill in the middle, a ring around it. `shades`: of the image, (h, w), where the kind asks for
/// one; dark attracts.
std::vector<uint16_t> make_density(const Lattice& lattice, const DensityOptions& options,
                                   const std::vector<float>& shades);

}  // namespace flipscope
