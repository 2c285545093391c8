// Where no colour goes: obstacles of a lattice, made by parameters, taken from an image, or painted with a brush. The
// colouring gives their pixels the colour kMaxLink, and links do not reach across them.
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
    uint32_t height = 60;   // pixels: how far they reach into the lattice
    uint32_t width = 16;    // pixels: along the border they stand on
    double threshold = .5;  // of an image: darker than this is an obstacle
};

/// (h, w) 1: obstacle; empty: none. Posts stand on the left border at equal distances, as in figure 10 of Bernaschi,
/// Lulli and Sbragaglia (2016); walls stand by turns on the bottom and the top. `shades`: of the image, (h, w) 0 black
/// … 1 white, where the kind asks for one.
std::vector<uint8_t> make_obstacles(const Lattice& lattice, const ObstacleOptions& options,
                                    const std::vector<float>& shades);

/// Gives the pixels within `radius` (world units) of a path, which goes from place to place in straight lines, and
/// those nearest to its places, the value 1 (paint) or 0 (wipe). A brush of less than half a lattice unit leaves a
/// line, too: half a unit to both sides of it. Returns how many had another value before; 0 also when the brush lies
/// beside an open lattice. A jump of more than kLongestJump periods leaves nothing between its ends. Waits
/// for the device.
uint64_t paint_obstacles(Context& context, const Lattice& lattice, Buffer<uint8_t>& obstacles,
                         const std::vector<Point>& path, double radius, bool paint);
inline constexpr double kLongestJump = 16;

}  // namespace flipscope
