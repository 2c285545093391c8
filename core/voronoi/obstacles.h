// Obstacles of a lattice, made from parameters, taken from an image, or painted with a brush. The colouring gives their
// pixels the colour kMaxLink, and links do not cross them.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "voronoi/lattice.h"

namespace flipscope {

enum class ObstacleKind : uint32_t { kNone, kPosts, kWalls, kImage };

struct ObstacleOptions {
    ObstacleKind kind = ObstacleKind::kNone;
    uint32_t count = 8;     // posts, or walls
    uint32_t height = 60;   // pixels: extent into the lattice
    uint32_t width = 16;    // pixels: extent along the border they stand on
    double threshold = .5;  // of an image: darker pixels are obstacles
};

/// (h, w) 1: obstacle; empty: none. Posts stand equally spaced on the left border, as in figure 10 of Bernaschi, Lulli
/// and Sbragaglia (2016); walls stand alternately on the bottom and the top. `shades`: of the image, (h, w) 0 black … 1
/// white, if the kind needs one.
std::vector<uint8_t> make_obstacles(const Lattice& lattice, const ObstacleOptions& options,
                                    const std::vector<float>& shades);

/// Gives the pixels within `radius` (world units) of a polyline, and those nearest to its places, the value 1 (paint)
/// or 0 (wipe). A brush of less than half a lattice unit also leaves a line, half a unit to both sides. Returns the
/// number of changed pixels; 0 also if the brush is outside an open lattice. A jump of more than kLongestJump periods
/// paints nothing between its ends. Waits for the device.
uint64_t paint_obstacles(Context& context, const Lattice& lattice, Buffer<uint8_t>& obstacles,
                         const std::vector<Point>& path, double radius, bool paint);
inline constexpr double kLongestJump = 16;

}  // namespace flipscope
