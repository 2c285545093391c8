// The cells of a label image: every whole number but 0 is one, wherever its pixels lie and whatever they touch. Their
// names, areas, centres of mass, and which of them touch. On the host, as the image is: one pass over its pixels.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/frames.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// Two cells that touch.
struct LabelContact {
    uint32_t a = 0, b = 0;  // cells, a < b
    /// Of pixels that they share, or that face each other across a line; 0: they meet at corners of pixels only.
    uint32_t sides = 0;
    friend bool operator==(const LabelContact&, const LabelContact&) = default;
};

struct LabelCells {
    std::vector<int64_t> names;    // (n) ascending: the numbers in the image
    std::vector<uint32_t> pixels;  // (h, w) cells; kNone: background
    std::vector<uint32_t> areas;   // (n) pixels
    std::vector<Point> centres;    // (n) of mass, world units
    /// (n) WindingBits: periodic directions in which no column (or row) is free of the cell, so that it has no
    /// centre there; it gets the mean of its pixels' coordinates.
    std::vector<uint32_t> windings;
    std::vector<LabelContact> contacts;  // ascending
    /// No cells touch; lines of background divide them, one pixel wide, and contacts are across these.
    bool across_lines = false;
};

/// Throws Error where the frame holds what is no whole number from 0 to 2^53.
LabelCells label_cells(const Lattice& lattice, const FieldStack& stack, size_t frame);

}  // namespace flipscope
