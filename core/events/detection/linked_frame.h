// One frame of a comparison: the sites, the links between them, and their names. Everything is on the device, including
// the counts, so that the host need not know them. The Events lab alternates between two.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "geometry/point.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The longest link that counts, in units of which a pixel is `unit` wide and high; NaN: any.
struct LongestLink {
    double length = NAN;
    Point unit{1, 1};
    bool is_any() const { return std::isnan(length); }
    FLIPSCOPE_HD bool allows(Point difference) const {
        const Point d{difference.x * unit.x, difference.y * unit.y};
        return d.x * d.x + d.y * d.y <= length * length;
    }
};

class LinkedFrame {
  public:
    /// Clears the frame, on this lattice.
    void reset(Context& context, const Lattice& lattice);
    /// Copies sites and rows, without links that are too long. `count`: the number of sites; its bound is the room.
    /// `bins`: of these sites; nullptr: they are matched by names only.
    void take(Context& context, View<const Point> sites, Extent count, const AdjacencyView& graph,
              std::shared_ptr<const SiteBins> bins, const LongestLink& longest = {});
    /// The same from host memory. `starts` (n + 1), rows symmetric, ascending and free of repetitions.
    void take(Context& context, const std::vector<Point>& sites, const std::vector<uint32_t>& starts,
              const std::vector<uint32_t>& neighbours);
    /// Names from the source, by label, without repetitions; empty: none. Only match_names() uses them.
    void use_names(Context& context, const std::vector<int64_t>& names);

    const Lattice& lattice() const { return lattice_; }
    /// The number of sites, and of entries in all rows: twice the number of links.
    Extent count() const { return {sizes_.view(1), room_}; }
    Extent entries() const { return {View<uint32_t>{sizes_.view().data + 1, 1}, entry_room_}; }
    View<const uint32_t> sizes() const { return sizes_.view(); }
    uint32_t room() const { return room_; }
    /// Waits for the device.
    uint32_t read_count() const { return sizes_.read(0); }
    uint32_t read_entries() const { return sizes_.read(1); }

    View<const Point> sites() const { return sites_.view(); }
    const Buffer<Point>& site_buffer() const { return sites_; }
    /// Its count is the room; rows beyond the true count are undefined.
    AdjacencyView graph() const { return {starts_.view(), neighbours_.view(), room_}; }
    const Buffer<uint32_t>& starts() const { return starts_; }
    const Buffer<uint32_t>& neighbours() const { return neighbours_; }
    /// (n) persistent names of the sites, written by Matching.
    Buffer<uint32_t>& names() { return names_; }
    const Buffer<uint32_t>& names() const { return names_; }
    const SiteBins& bins() const { return *bins_; }
    /// Releases the bins, so that their owner can reuse the memory; none until the next take().
    void give_bins_back() { bins_.reset(); }

    /// Given names in ascending order, and their labels; empty: no names were given.
    const Buffer<int64_t>& given_names() const { return given_; }
    const Buffer<uint32_t>& given_labels() const { return given_labels_; }

  private:
    void make_room(Context& context, uint32_t sites, size_t entries);
    void make_bins(Context& context);

    Lattice lattice_;
    uint32_t room_ = 0, entry_room_ = 0;
    Buffer<uint32_t> sizes_{"frame sizes"};  // (2) sites, entries
    Buffer<Point> sites_{"frame sites"};
    Buffer<uint32_t> starts_{"frame row starts"};  // (n + 1)
    Buffer<uint32_t> neighbours_{"frame neighbours"};
    Buffer<uint32_t> names_{"names", Residence::kDrawn};
    Buffer<int64_t> given_{"given names"};
    Buffer<uint32_t> given_labels_{"labels of given names"};
    std::shared_ptr<const SiteBins> bins_;
};

}  // namespace flipscope
