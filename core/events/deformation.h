// The deformation of bubbles in one frame: shapes from their pixels, the texture of their links, and the elastic stress
// of their interfaces. Pure functions, on the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voronoi/lattice.h"

namespace flipscope {

/// A symmetric tensor of the plane.
struct PlaneTensor {
    double xx = 0, xy = 0, yy = 0;

    void add(Point v, double weight = 1) {
        xx += weight * v.x * v.x, xy += weight * v.x * v.y, yy += weight * v.y * v.y;
    }
    PlaneTensor scaled(double by) const { return {by * xx, by * xy, by * yy}; }
    /// The root of the ratio of the eigenvalues, at least 1: for second moments the ratio of the axes of the ellipse
    /// that has them. NaN if they are not positive.
    double elongation() const;
    /// Direction of the long axis from x, radians, 0 … π.
    double angle() const;
};

/// By label the second moments of the pixels, as unit squares, about their mean; lattice units². A bubble that crosses
/// a periodic border is measured as it hangs together over 8 neighbours; parts that do not touch lie at their shortest
/// distance from the bubble's centre. NaN for bubbles that wind around the lattice, which have no shape. `labels`:
/// (h, w), kNone: no bubble; `centres` and `windings`: by label, as of Components.
std::vector<PlaneTensor> shapes_of(const Lattice& lattice, std::span<const uint32_t> labels,
                                   std::span<const Point> centres, std::span<const uint32_t> windings);

/// The texture tensor M = ⟨ℓ ⊗ ℓ⟩, the mean over links, lattice units² (M. Aubouy, Y. Jiang, J. A. Glazier and F.
/// Graner, Granular Matter 5, 2003, 67). It measures the strain of the arrangement; no stress follows from it without a
/// model. `starts` and `rows`: of the graph, each link in both rows. NaN without links.
PlaneTensor texture_of(const Lattice& lattice, std::span<const Point> sites, std::span<const uint32_t> starts,
                       std::span<const uint32_t> rows);

/// Σ l ⊗ l / |l| over the sides l of the contour on which the field has this value, interpolated linearly between
/// pixels; its trace is the length of the contour. Times the surface tension and over the area it is the tension that
/// interfaces carry, γ/A ∮ t ⊗ t ds, whose part without trace is the elastic stress: exact for interfaces of any shape
/// with one tension (G. K. Batchelor, J. Fluid Mech. 41, 1970, 545), up to the resolution of the contour. Sides of
/// Voronoi cells would be interfaces only in a dry foam. Squares with an obstacle or a number that is not finite are
/// left out. `field`, `obstacles`: (h, w); no obstacles: empty.
PlaneTensor contour_tensor(const Lattice& lattice, std::span<const float> field, double value,
                           std::span<const uint8_t> obstacles);

}  // namespace flipscope
