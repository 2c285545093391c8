// From a field on a lattice to bubbles: pixels below a threshold, their connected components, the area and the centre
// of mass of each. The first stages of the chain of Bernaschi, Lulli and Sbragaglia (2016, section III A), for the
// Events lab and for all callers that have a field. In the fast path the host reads nothing back: how many components
// there are stays on the device, as an Extent.
#pragma once

#include <cstdint>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "geometry/point.h"
#include "voronoi/components/component_runs.h"
#include "voronoi/components/label_cells.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// Two ways to the same sums (the paper's): every run of pixels adds to its component's; or the runs are sorted by
/// label, and the sums are differences of cumulative sums between the ends of the bins.
enum class MeasureMethod : uint32_t { kAtomics, kSortAndDifferences };

/// threshold(), then label(), then measure(), as often as there are fields. All results are the same for every device
/// and every number of threads.
class Components {
  public:
    /// Makes room; no pixel belongs to a component. Throws Error for a lattice too large to be labelled (more
    /// than about 2^30 pixels when periodic, 2^32 otherwise; 2^27 rows).
    void reset(Context& context, const Lattice& lattice);

    /// A pixel belongs to a component when its value is below the threshold (`below` false: above it; never when equal
    /// or not a number) and it is no obstacle. `field`: (h, w); `obstacles`: (h, w), not 0 where one is, or empty.
    /// Throws std::logic_error when their sizes are not the lattice's.
    void threshold(Context& context, View<const float> field, double threshold, bool below,
                   View<const uint8_t> obstacles);
    /// Between threshold() and label(), for callers that step and show what was chosen: labels() become 0 where a
    /// pixel belongs.
    void show_threshold(Context& context);
    /// Components over 8 neighbours, numbered 0, 1, 2… in the order of each one's lowest pixel; across the borders
    /// where the lattice is periodic there. A parallel union-find over runs of pixels in the manner of Jaiganesh and
    /// Burtscher (ECL-CC, 2018), in which each run also knows how many periods it lies away from its parent, so that
    /// components of any shape are unwrapped. Once after each threshold(); a second call changes nothing.
    void label(Context& context);
    /// In place of threshold(), label() and measure(): the cells of a label image, numbered as they are there.
    void take(Context& context, const LabelCells& cells);
    /// Area and centre of mass of every component, from integer sums and one division. A component that crosses the
    /// borders is measured as it hangs together, then its centre is brought into [0, width) × [0, height).
    /// In a direction that a component winds around in there is no centre: it gets the mean of its pixels'
    /// coordinates as they lie on the lattice, and windings() says so.
    /// For callers that go on with the first `room` components at most, their number goes to `clamped` (1), if any.
    void measure(Context& context, MeasureMethod method = MeasureMethod::kAtomics, View<uint32_t> clamped = {},
                 uint32_t room = 0);

    const Lattice& lattice() const { return lattice_; }
    Buffer<uint32_t>& labels() { return labels_; }  // (h, w) kNone: in no component
    const Buffer<uint32_t>& labels() const { return labels_; }
    Buffer<uint32_t>& areas() { return areas_; }  // by label: pixels
    const Buffer<uint32_t>& areas() const { return areas_; }
    Buffer<Point>& centres_of_mass() { return centres_of_mass_; }  // by label: world units
    Buffer<uint32_t>& windings() { return windings_; }             // by label: WindingBit
    const Buffer<uint32_t>& windings() const { return windings_; }

    /// How many components label() found; the bound is the most that such a lattice can have.
    Extent count() const { return {counts_.view(1), most_}; }
    uint32_t most() const { return most_; }
    /// The same on the host: waits for the device.
    uint32_t read_count(Context& context) const;
    /// How many of them wind around a torus or a cylinder, in one direction or both: waits for the device.
    uint32_t read_winding_count(Context& context) const;

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
    Buffer<uint32_t> counts_{"component counts"};  // (3) components; those that wind; components, and one more
    Buffer<uint32_t> bits_{"pixels that belong"};  // (h, words a row)
    Buffer<uint32_t> tops_{"tops of tiles"};       // (h, words a row)
    Buffer<uint32_t> wound_{
        "closed windings"};           // (h, words a row) WindingBits, two for every run; none of an open lattice
    Buffer<uint64_t> nodes_{"runs"};  // (h, words a row, 16)
    Buffer<uint32_t> totals_{"root counts"};   // (segments)
    Buffer<uint32_t> firsts_{"first labels"};  // (segments)
    Buffer<uint64_t> sums_{"component sums"};  // (label, 3) area, sum of x, sum of y as they lie on the lattice
    Buffer<uint64_t> shifts_{
        "component shifts"};  // (label, 2) sum of the periods to add to x, to y; none of an open lattice
};

}  // namespace flipscope
