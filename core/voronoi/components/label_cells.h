// The cells of a label image: every integer but 0 is one cell, whether or not its pixels are connected. Their names,
// areas, centres of mass and contacts. Computed on the host, in one pass over the image.
#pragma once

#include <cstdint>
#include <span>
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

/// Which cells of a labelled lattice touch across a film of background that is no thicker than given.
///
/// labels: (h, w); kNone: background. Every pixel goes to the label whose nearest pixel is nearest to it, ties to the
/// lowest label. Where two pixels that share a side go to different labels, the film there is as thick as the distance
/// between the centres of those two nearest pixels, less one; 0: the cells share the side. A contact is a pair of
/// labels with such a place where the film is at most `width` pixels, 0 to 1000; `sides` counts these places. A third
/// cell between two separates them. obstacles: (h, w), not 0: no film passes there; empty: none. Ascending. Host code,
/// time proportional to pixels · width; throws Cancelled.
std::vector<LabelContact> film_contacts(const Lattice& lattice, std::span<const uint32_t> labels,
                                        std::span<const uint8_t> obstacles, double width);

}  // namespace flipscope
