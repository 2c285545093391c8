// Linking bubbles of two frames by assignment: of all ways to pair past and present sites within the cap, the one with
// the least sum of squared distances, where a past site without a partner counts as the square of the cap (J. C.
// Crocker, D. G. Grier, Methods of digital video microscopy for colloidal studies, 1996). And a memory: a bubble that
// is not found is held in the frame for a few comparisons, so that a missed detection changes nothing around it. Host
// code, called by EventsMachine.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/point.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// By past site the present one; kNone: none. `cap` as in Matching::match_nearest(). Squared distances are rounded to
/// 2^-40 of the square of the cap; the sum of these integers is the least. Of several such pairings the same one is
/// returned on every machine. Throws Cancelled, and Error if more than `most_pairs` are within the cap, of 16 bytes
/// each.
std::vector<uint32_t> assign_sites(const Lattice& lattice, std::span<const Point> past, std::span<const Point> now,
                                   double cap, size_t most_pairs = size_t(1) << 27);

/// Past bubbles without a partner that stay in the present frame; their labels follow those of the sites found.
struct HeldBubbles {
    std::vector<Point> places;
    std::vector<uint32_t> past;                  // their past labels
    std::vector<uint32_t> ages;                  // comparisons since they were found
    std::vector<std::array<uint32_t, 2>> links;  // their past links, by present labels
    size_t size() const { return places.size(); }
};

/// A past frame for hold_lost(): its sites, rows of neighbours, and the ages of its last sites if they are held.
struct LinkedSites {
    std::span<const Point> sites;
    std::span<const uint32_t> starts, neighbours;
    std::span<const uint32_t> ages;
};
/// Holds the past sites without a partner that were found at most `memory` comparisons ago, and enters them in
/// `to_now`. Each moves as its linked neighbours with a partner do on the average; it is not held beyond an open border
/// of the lattice.
HeldBubbles hold_lost(const Lattice& lattice, const LinkedSites& past, std::span<const Point> now, uint32_t memory,
                      std::vector<uint32_t>& to_now);

}  // namespace flipscope
