// The quality of triangles: distributions of angles, and the harmonic index, the sum of the cotangents of all angles,
// which in the plane decreases with every legal flip (Rippa 1990) and is least for the Delaunay triangulation. Sums
// have a fixed order, so they are the same on every device and for every number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"

namespace flipscope {

inline constexpr uint32_t kAngleBins = 36;  // of 5° each for all angles: [0°, 180°]
inline constexpr uint32_t kLeastBins = 20;  // of 3° each for the smallest angle of each triangle: [0°, 60°]

struct AngleCounts {
    std::vector<uint64_t> all;    // (kAngleBins) angles of finite triangles
    std::vector<uint64_t> least;  // (kLeastBins) finite triangles by their smallest angle
};

/// Counts the angles of all finite triangles. A triangle with two corners at one place counts as an angle of 0. Waits
/// for the device.
AngleCounts count_angles(Context& context, const TriangleMesh& mesh);

/// The sum of the cotangents of the angles of all finite triangles; infinite if a triangle is flat. Waits for the
/// device.
double harmonic_index(Context& context, const TriangleMesh& mesh);

}  // namespace flipscope
