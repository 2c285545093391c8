// Lloyd's iteration on a lattice: the weight and the centroid of each cell of a colouring, its distance from the site,
// and the move of the sites; the same for the clusters of a set of points (k-means). All sums are of integers, so that
// they are equal in any order, on every device and for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The result of one evaluation of all cells.
struct LloydOutcome {
    double energy = 0;        // squared distances to the cell's centre, weighted: equation 1, or the WCSS
    double largest_move = 0;  // world units: the greatest distance of a site from its centroid
    uint32_t moved = 0;       // sites not yet at their centroid
    uint32_t empty = 0;       // cells without weight: their sites stay
};

/// The sums over one cell. Offsets are from the pixel nearest to the site within the lattice, by the shortest
/// displacement.
struct CellSums {
    uint64_t area = 0;           // pixels, or points
    uint64_t weight = 0;         //
    uint64_t along_x = 0;        // weight times offset, two's complement, in units of 2^-scale
    uint64_t along_y = 0;        //
    uint64_t low = 0, high = 0;  // weight times squared distance, low + 2^32 high: for pixels from the origin of the
                                 // offsets, for points from the site, in units of 2^-30
};

class Lloyd {
  public:
    /// Restarts. `density`: (h, w) weights from make_density(); empty: all pixels have weight 1. `reach`: the greatest
    /// distance of a site from the lattice, world units.
    void reset(Context& context, const Lattice& lattice, const std::vector<uint16_t>& density, double reach = 0);
    /// Points to cluster instead, in lattice coordinates; they are rounded to the finest grid that their sums allow, at
    /// worst 2^-13 of a lattice unit. Throws Error for a point farther than 2^16 from the origin.
    void set_points(Context& context, std::vector<Point> points);
    bool of_points() const { return point_count_ > 0; }

    /// Sums every cell of the colouring, or every cluster of the points around the sites in `bins`.
    void sum(Context& context, View<const uint32_t> colours, View<const Point> sites, uint32_t count);
    void sum_points(Context& context, const BinsView& bins, View<const Point> sites, uint32_t count);
    /// Evaluates the sums. Waits for the device.
    LloydOutcome judge(Context& context, View<const Point> sites, uint32_t count);
    /// Moves every site to its centroid, wrapped along periodic axes; the site of an empty cell stays.
    void move(Context& context, View<Point> sites, uint32_t count);

    const Buffer<CellSums>& sums() const { return sums_; }          // (count) of the last sum
    const Buffer<uint16_t>& density() const { return density_; }    // (h, w) or empty
    const Buffer<uint32_t>& clusters() const { return clusters_; }  // (n) by point: the label of its site
    uint32_t point_count() const { return point_count_; }
    /// The centroid of a cell, as used by move().
    Point centroid(const CellSums& sums, Point site) const;

  private:
    double unit() const;
    void clear_sums(Context& context, uint32_t count);

    Lattice lattice_;
    uint32_t point_count_ = 0;
    int scale_ = 0;           // the points' coordinates are multiples of 2^-scale
    double energy_unit_ = 1;  // of the sum over all cells, world units squared
    Buffer<uint16_t> density_{"density"};
    Buffer<Point> points_{"points in clusters"};
    Buffer<uint32_t> clusters_{"clusters"};
    Buffer<CellSums> sums_{"cell sums"};
};

}  // namespace flipscope
