// The neighbour graph of a coloured lattice, found at the pixels where cells meet (Bernaschi, Lulli and Sbragaglia
// 2016, section III B 2). Three passes, of which only the first reads all pixels. With StencilRules::exact_cells the
// neighbours of sites too close for the lattice are found from the sites, see lattice_graph_cells.h. The result is a
// set, made symmetric by adding each link to both rows, and the same on every device and for any number of threads.
#pragma once

#include "compute/launch.h"
#include "mesh/triangle_mesh.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/graph/link_rows.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

class LatticeGraph {
  public:
    /// Whether to keep pixel states for display (default off). Takes effect at the next reset().
    void set_records_states(bool records_states) { records_states_ = records_states; }
    /// Whether to search corners in tiles as small as on CUDA, with the same result (default off). For tests on the
    /// CPU.
    void set_fine(bool fine) { fine_ = fine; }
    /// Allocates for a lattice. Throws Error for more than 2^31 pixels.
    void reset(Context& context, const Lattice& lattice);

    /// Pass "corners": lists the pixels at which to search links, and writes the states of all pixels if they are
    /// recorded. colours: (h, w) labels, kMaxLink for obstacles, kNone without sites.
    void find_corners(Context& context, View<const uint32_t> colours, const StencilRules& rules);
    /// Pass "link": applies the rules at every corner. `count`: labels; all colours but the two special ones are below
    /// it; its bound is the room. `bins`: of the same sites, for the inner ring.
    void link(Context& context, View<const uint32_t> colours, const BinsView& bins, Extent count,
              const StencilRules& rules);
    /// Pass "arrange": makes the rows of adjacency(), symmetric, ascending, without repetitions. Once after each
    /// link().
    void arrange(Context& context);

    /// Valid after arrange(). Its `count` and `entry_count` are upper bounds until read_counts(): rows beyond the true
    /// count, and entries after the last row, are undefined.
    Adjacency& adjacency() { return adjacency_; }
    const Adjacency& adjacency() const { return adjacency_; }
    /// Waits for the device and sets the counts of adjacency(). Throws Error if colours that are not a Voronoi diagram
    /// made more links than a planar graph has and, on CUDA, than there was room for; the next link() has more room.
    void read_counts(Context& context);

    /// (h, w) bits of PixelBit, kDrawn; empty if states are not recorded.
    Buffer<State>& pixel_states() { return states_; }
    const Buffer<State>& pixel_states() const { return states_; }
    /// Corners of the last find_corners(), on the device, in any order; at most one per pixel.
    View<const uint32_t> corners() const { return corners_.view(); }
    Extent corner_count() const {
        return Extent({corner_counts_.view().data + corner_half_, 1}, static_cast<uint32_t>(corners_.size()));
    }
    /// Waits for the device.
    uint32_t read_corner_count() const { return corner_counts_.read(corner_half_); }

  private:
    void make_room(Context& context, uint32_t labels);
    LinkRows rows() const;
    View<uint64_t> counts(uint32_t half) const;
    uint64_t read_lost(Context& context) const;

    Lattice lattice_;
    bool records_states_ = false, fine_ = false;
    bool full_ = false;        // rows have links that arrange() has not removed yet
    bool marked_ = false;      // far_ has marks of a cancelled pass
    uint32_t room_ = 0;        // labels
    uint32_t block_room_ = 0;  // a power of two
    uint32_t least_blocks_ = 64;
    Extent count_{0};  // of the last link()
    // Counters have two halves, used alternately: kernels that run anyway clear the next one.
    uint32_t corner_half_ = 0, count_half_ = 0;
    bool next_corners_ready_ = false, next_counts_ready_ = false;  // the next half is clear

    Buffer<uint32_t> corner_counts_{"corner count"};  // (2)
    Buffer<uint32_t> corners_{"corners"};             // (h · w) pixels
    Buffer<uint32_t> slots_{"links"};                 // LinkRows; all kNone between arrange() and link()
    Buffer<uint32_t> blocks_{"more links"};           // the same
    Buffer<uint32_t> far_{"cells that reach far"};    // by label, then thin ones; all 0 between link() calls
    Buffer<uint64_t> counts_{"link counts"};          // (2) lost, keys, degrees: must be 0 before link()
    Buffer<uint32_t> degree_sums_{"degree sums"};     // on CUDA, for many labels
    Buffer<State> states_{"site states", Residence::kDrawn};
    Adjacency adjacency_;
};

}  // namespace flipscope
