// From a field on a lattice to bubbles: pixels below a threshold, their connected components, and the area and centre
// of mass of each. The first stages of the chain of Bernaschi, Lulli and Sbragaglia (2016, section III A), for the
// Events lab and other users of a field. In the fast path the host reads nothing back: the number of components stays
// on the device, as an Extent.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "geometry/point.h"
#include "voronoi/components/component_runs.h"
#include "voronoi/components/label_cells.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// Two methods for the same sums (the paper's): every run of pixels adds to its component's; or the runs are sorted by
/// label, and the sums are differences of cumulative sums between the ends of the bins.
enum class MeasureMethod : uint32_t { kAtomics, kSortAndDifferences };

/// Call threshold(), label() and measure() for each field. All results are the same on every device and for every
/// number of threads.
class Components {
  public:
    /// Allocates; no pixel is in a component. Throws Error for a lattice too large to be labelled (more than about 2^30
    /// pixels if periodic, 2^32 otherwise; 2^27 rows).
    void reset(Context& context, const Lattice& lattice);

    /// Selects the pixels that are not obstacles and whose value is below the threshold (`below` false: above it; never
    /// if equal or NaN). `field`: (h, w); `obstacles`: (h, w), not 0 at obstacles, or empty. Throws std::logic_error if
    /// their sizes are not the lattice's.
    void threshold(Context& context, View<const float> field, double threshold, bool below,
                   View<const uint8_t> obstacles);
    /// Between threshold() and label(), to display the selection: sets labels() of selected pixels to 0.
    void show_threshold(Context& context);
    /// Components over 8 neighbours, numbered 0, 1, 2… in the order of their lowest pixels; they continue across
    /// periodic borders. A parallel union-find over runs of pixels similar to that of Jaiganesh and Burtscher (ECL-CC,
    /// 2018), where each run also stores its offset in periods from its parent, so that components of any shape are
    /// unwrapped. Once after each threshold(); a second call changes nothing.
    void label(Context& context);
    /// Instead of threshold(), label() and measure(): the cells of a label image, with its numbering.
    void take(Context& context, const LabelCells& cells);
    /// Area and centre of mass of every component, from integer sums and one division. A component that crosses the
    /// borders is measured unwrapped, then its centre is wrapped into [0, width) × [0, height). In a direction in which
    /// a component winds around the lattice it has no centre: it gets the mean of its pixels' lattice coordinates, and
    /// windings() has a bit for it. If the caller uses at most the first `room` components, their number goes to
    /// `clamped` (1).
    void measure(Context& context, MeasureMethod method = MeasureMethod::kAtomics, View<uint32_t> clamped = {},
                 uint32_t room = 0);

    const Lattice& lattice() const { return lattice_; }
    const Buffer<uint32_t>& labels() const { return labels_; }                 // (h, w) kNone: not in a component
    const Buffer<uint32_t>& areas() const { return areas_; }                   // by label: pixels
    const Buffer<Point>& centres_of_mass() const { return centres_of_mass_; }  // by label: world units
    const Buffer<uint32_t>& windings() const { return windings_; }             // by label: WindingBit

    /// The number of components found by label(); the bound is the maximum for this lattice.
    Extent count() const { return {counts_.view(1), most_}; }
    uint32_t most() const { return most_; }
    /// The same on the host: waits for the device.
    uint32_t read_count(Context& context) const;

  private:
    RunRows runs() const;
    View<uint32_t> wound_view() const { return lattice_.periodic.any() ? wound_.view() : View<uint32_t>(); }
    void count_segments();
    void sum_by_sorting(Context& context, Buffer<uint64_t>& sums);

    Lattice lattice_;
    uint32_t most_ = 0;
    bool labelled_ = false;
    RunRows rows_;  // without its views
    Buffer<uint32_t> labels_{"labels", Residence::kDrawn};
    Buffer<uint32_t> areas_{"areas"};
    Buffer<Point> centres_of_mass_{"centres", Residence::kDrawn};
    Buffer<uint32_t> windings_{"windings"};
    Buffer<uint32_t> counts_{"component counts"};  // (2) components; components + 1
    Buffer<uint32_t> bits_{"pixels that belong"};  // (h, words per row)
    Buffer<uint32_t> tops_{"tops of tiles"};       // (h, words per row)
    Buffer<uint32_t> wound_{
        "closed windings"};                    // (h, words per row) WindingBits, two per run; empty on an open lattice
    Buffer<uint64_t> nodes_{"runs"};           // (h, words per row, 16)
    Buffer<uint32_t> totals_{"root counts"};   // (segments)
    Buffer<uint32_t> firsts_{"first labels"};  // (segments)
    Buffer<uint64_t> sums_{"component sums"};  // (label, 3) area, sum of x, sum of y in lattice coordinates
    Buffer<uint64_t> shifts_{
        "component shifts"};  // (label, 2) sum of the periods to add to x, to y; empty on an open lattice
};

}  // namespace flipscope
