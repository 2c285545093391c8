// The cells of a label image: every integer but 0 is one cell, whether or not its pixels are connected. Their names,
// areas, centres of mass and contacts. Computed on the host, in one pass over the image.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/frames.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// Two cells that touch.
struct LabelContact {
    uint32_t a = 0, b = 0;  // cells, a < b
    /// Number of shared pixel sides, or of pixel pairs facing each other across a line; 0: contact only at corners of
    /// pixels.
    uint32_t sides = 0;
    friend bool operator==(const LabelContact&, const LabelContact&) = default;
};

struct LabelCells {
    std::vector<int64_t> names;    // (n) ascending: the numbers in the image
    std::vector<uint32_t> pixels;  // (h, w) cells; kNone: background
    std::vector<uint32_t> areas;   // (n) pixels
    std::vector<Point> centres;    // (n) of mass, world units
    /// (n) WindingBits: periodic directions in which the cell covers every column (or row), so that it has no centre
    /// there; it gets the mean of its pixels' coordinates.
    std::vector<uint32_t> windings;
    std::vector<LabelContact> contacts;  // ascending
    /// No cells touch: lines of background, one pixel wide, separate them, and contacts are across these lines.
    bool across_lines = false;
};

/// Throws Error if the frame has a value that is not an integer from 0 to 2^53.
LabelCells label_cells(const Lattice& lattice, const FieldStack& stack, size_t frame);

}  // namespace flipscope
