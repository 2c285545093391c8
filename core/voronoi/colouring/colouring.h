// Digital Voronoi colouring of a lattice: every pixel gets the label of its nearest site, as in Bernaschi, Lulli and
// Sbragaglia (2016), by three methods that share one definition of nearest (ExactNearest: without rounding, ties to the
// lowest label). The Voronoi and Events labs call it; it knows nothing of fields, graphs or pictures.
#pragma once

#include <memory>

#include "mesh/triangle_mesh.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/colouring/shortlist.h"

namespace flipscope {

class Colouring {
  public:
    /// Memory for a lattice, and no obstacles. Throws Error for a lattice without pixels or with 2^31 of them or more.
    void reset(Context&, const Lattice&);
    const Lattice& lattice() const { return lattice_; }

    /// (h, w), 1: obstacle, whose colour is kMaxLink; empty: none.
    Buffer<uint8_t>& obstacles() { return obstacles_; }
    const Buffer<uint8_t>& obstacles() const { return obstacles_; }
    /// (h, w) label of the nearest site; kMaxLink on an obstacle; kNone when there is no site.
    Buffer<uint32_t>& colours() { return colours_; }
    const Buffer<uint32_t>& colours() const { return colours_; }

    /// All of it. `sites`: (count.bound) world units, as SiteBins::build() takes them; read during the call only.
    void colour(Context&, ColouringMethod, View<const Point> sites, Extent count);

    /// For stepping: begin() bins the sites and, for jump flooding, shows the seeds; each step() is one pass and says
    /// whether there is another. colour() ends in the same colours.
    void begin(Context&, ColouringMethod, View<const Point> sites, Extent count);
    bool step(Context&);
    uint32_t steps_left() const { return steps_left_; }
    /// Pixels between the neighbours that the next step looks at; 0 when it is no jump of a flood.
    uint32_t jump() const;

    /// Of the last call, whatever the method.
    const SiteBins& bins() const { return *bins_; }
    /// The same, for callers that need them longer: as long as they are held, the next call makes others.
    std::shared_ptr<const SiteBins> share_bins() const { return bins_; }

    /// Pixels whose colour is not the exact one for the sites of the last call. Where `marks` (h, w) is given, `bit`
    /// is set at those and cleared elsewhere. Waits for the result.
    uint64_t count_errors(Context&, View<State> marks = {}, State bit = 0);
    /// (h, w) what count_errors() compared with; empty before it was called.
    const Buffer<uint32_t>& exact_colours() const { return exact_; }

    /// How kExact goes about it, with the same result: whole tiles on CPU threads; on CUDA whole tiles by warps where
    /// they are few, else lists shared by strips of pixels. Tests ask for the latter everywhere, and CPU threads to do
    /// without AVX2 where the processor has it.
    enum class Tiling { kByDevice, kSharedLists, kFourLanes };
    void set_tiling(Tiling tiling) { tiling_ = tiling; }

  private:
    void colour_exactly(Context&, View<uint32_t> out);
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
    Buffer<uint64_t> block_sums_{"colouring sums"};
};

}  // namespace flipscope
