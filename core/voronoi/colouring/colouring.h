// Digital Voronoi colouring of a lattice: every pixel gets the label of its nearest site, as in Bernaschi, Lulli and
// Sbragaglia (2016), by three methods with one definition of nearest (ExactNearest: without rounding, ties to the
// lowest label). Used by the Voronoi and Events labs; independent of fields, graphs and pictures.
#pragma once

#include <memory>

#include "mesh/triangle_mesh.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/colouring/shortlist.h"

namespace flipscope {

class Colouring {
  public:
    /// Allocates for a lattice without obstacles. Throws Error for a lattice with no pixels or with 2^31 or more.
    void reset(Context&, const Lattice&);
    const Lattice& lattice() const { return lattice_; }

    /// (h, w), 1: obstacle, whose colour is kMaxLink; empty: none.
    Buffer<uint8_t>& obstacles() { return obstacles_; }
    const Buffer<uint8_t>& obstacles() const { return obstacles_; }
    /// (h, w) label of the nearest site; kMaxLink on an obstacle; kNone without sites.
    Buffer<uint32_t>& colours() { return colours_; }
    const Buffer<uint32_t>& colours() const { return colours_; }

    /// Colours all pixels. `sites`: (count.bound) world units, as for SiteBins::build(); only read during the call.
    void colour(Context&, ColouringMethod, View<const Point> sites, Extent count);

    /// For stepping: begin() bins the sites and, for jump flooding, shows the seeds; each step() is one pass and
    /// returns whether another follows. colour() gives the same colours.
    void begin(Context&, ColouringMethod, View<const Point> sites, Extent count);
    bool step(Context&);
    uint32_t steps_left() const { return steps_left_; }
    /// Distance in pixels of the neighbours in the next step; 0 if it is not a jump of a flood.
    uint32_t jump() const;

    /// Of the last call, for every method.
    const SiteBins& bins() const { return *bins_; }
    /// The same for callers that keep them: while they are held, the next call makes new ones.
    std::shared_ptr<const SiteBins> share_bins() const { return bins_; }

    /// The number of pixels whose colour is not exact for the sites of the last call. If `marks` (h, w) is given, sets
    /// `bit` there and clears it elsewhere. Waits for the result.
    uint64_t count_errors(Context&, View<State> marks = {}, State bit = 0);
    /// (h, w) exact colours of the last count_errors(); empty before.
    const Buffer<uint32_t>& exact_colours() const { return exact_; }

    /// The implementation of kExact; all give the same result. By default whole tiles on CPU threads, and on CUDA whole
    /// tiles per warp if there are few, else lists shared by strips of pixels. Tests can force shared lists everywhere,
    /// or CPU threads without AVX2.
    enum class Tiling { kByDevice, kSharedLists, kFourLanes };
    void set_tiling(Tiling tiling) { tiling_ = tiling; }

  private:
    void colour_exactly(Context&, View<uint32_t> out);
    template <uint32_t kSide>
    void colour_by_lists(Context&, const BinsView&, View<uint32_t> out);
    bool colour_by_warps(Context&, const BinsView&, View<uint32_t> out);
    View<const uint8_t> obstacle_view() const;

    Lattice lattice_;
    ColouringMethod method_ = ColouringMethod::kExact;
    Tiling tiling_ = Tiling::kByDevice;
    uint32_t steps_left_ = 0;
    std::shared_ptr<SiteBins> bins_ = std::make_shared<SiteBins>(), spare_bins_;
    Buffer<uint8_t> obstacles_{"obstacles", Residence::kDrawn};
    Buffer<uint32_t> colours_{"colours", Residence::kDrawn};
    Buffer<uint32_t> flood_[2] = {Buffer<uint32_t>{"flood"}, Buffer<uint32_t>{"flood, next"}};
    Buffer<Shortlist> lists_{"shortlists"};
    Buffer<uint32_t> overfull_{"overfull tiles"}, overfull_parts_{"parts of overfull tiles"}, exact_{"exact colours"};
};

}  // namespace flipscope
