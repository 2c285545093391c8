// The motion of particles between frames at equal intervals of time, averaged over all time origins t0 and particles i:
// mean-squared displacement, self-intermediate scattering, and how long neighbours and cages last. On the host, in one
// thread: the same bits everywhere, up to the library's cosine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Neighbours of all particles in one frame: those of i are neighbours[starts[i]] … in ascending order.
struct NeighbourRows {
    std::vector<uint32_t> starts;      // (n + 1)
    std::vector<uint32_t> neighbours;  // each pair twice
};

/// By lag: all up to 32 frames, then sixteen in each doubling.
struct MotionCurves {
    std::vector<size_t> lags;         // frames
    std::vector<size_t> origins;      // of each lag
    std::vector<Point> displacement;  // mean squares of both components of r(t0 + t) - r(t0), world units squared
    std::vector<double> scattering;   // F_s(k, t) = mean of (cos k Δx + cos k Δy) / 2
    std::vector<double> neighbours;   // share of the pairs at t0 that are neighbours at t0 + t; empty: no rows given
    std::vector<double> cages;        // share of particles that have then kept more than half of their neighbours
};

/// `displacements`: per frame (n) since any one start, across borders. `rows`: per frame, or empty. `held`: (n) 1:
/// counts in no mean but as a neighbour; or empty. `wavenumber`: k, per world unit. The cages are those of E. Rabani,
/// J. D. Gezelter and B. J. Berne, J. Chem. Phys. 107 (1997) 6867, with half the neighbours as the limit. Throws
/// Cancelled.
MotionCurves motion_over_origins(const std::vector<const std::vector<Point>*>& displacements,
                                 const std::vector<NeighbourRows>& rows, const std::vector<uint8_t>& held,
                                 double wavenumber);

/// A pair that are neighbours in all frames from `begin` up to, not including, `end`.
struct NeighbourPair {
    uint32_t a, b;  // a < b
    size_t begin, end;
    /// Whether both its start and its end were seen among so many frames.
    bool is_complete(size_t frames) const { return begin > 0 && end < frames; }
    friend bool operator==(const NeighbourPair&, const NeighbourPair&) = default;
};
/// All pairs of consecutive frames, sorted by their end, then by particles. Throws Cancelled.
std::vector<NeighbourPair> lasting_pairs(const std::vector<NeighbourRows>& rows);

}  // namespace flipscope
