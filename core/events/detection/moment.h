// One moment as a comparison sees it: the centres, who is linked to whom, and the names they go by. Everything lies on
// the device, the counts too, so that two moments are compared without the host knowing how many there are. The Events
// lab keeps two and lets them take turns.
#pragma once

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

class Moment {
  public:
    /// No centres yet, on such a lattice.
    void reset(Context& context, const Lattice& lattice);
    /// Copies centres and rows. `count`: how many; its bound is the room that is made. `bins`: of these centres.
    void take(Context& context, View<const Point> centres, Extent count, const AdjacencyView& graph,
              std::shared_ptr<const CentreBins> bins);
    /// The same from host memory. `starts` (n + 1), rows symmetric, ascending and free of repetitions.
    void take(Context& context, const std::vector<Point>& centres, const std::vector<uint32_t>& starts,
              const std::vector<uint32_t>& neighbours);
    /// Names that the source gives, by label, none twice; empty: it gives none. Only match_names() asks for them.
    void take_given(Context& context, const std::vector<int64_t>& names);

    const Lattice& lattice() const { return lattice_; }
    /// How many centres, and how many entries all rows have: twice the number of links.
    Extent count() const { return {sizes_.view(1), room_}; }
    Extent entries() const { return {View<uint32_t>{sizes_.view().data + 1, 1}, entry_room_}; }
    View<const uint32_t> sizes() const { return sizes_.view(); }
    uint32_t room() const { return room_; }
    /// Waits for the device.
    uint32_t read_count() const { return sizes_.read(0); }
    uint32_t read_entries() const { return sizes_.read(1); }

    View<const Point> centres() const { return centres_.view(); }
    const Buffer<Point>& centre_buffer() const { return centres_; }
    /// Its count is the room; rows from the true count on mean nothing.
    AdjacencyView graph() const { return {starts_.view(), neighbours_.view(), room_}; }
    const Buffer<uint32_t>& starts() const { return starts_; }
    const Buffer<uint32_t>& neighbours() const { return neighbours_; }
    /// (n) what each centre is called as long as it is there; written by Matching.
    Buffer<uint32_t>& names() { return names_; }
    const Buffer<uint32_t>& names() const { return names_; }
    const CentreBins& bins() const { return *bins_; }
    /// The caller that binned the centres may use that memory anew; until the next take() there are no bins.
    void give_bins_back() { bins_.reset(); }

    /// Given names in ascending order, and whose each is; empty: none were given.
    const Buffer<int64_t>& given_names() const { return given_; }
    const Buffer<uint32_t>& given_labels() const { return given_labels_; }

  private:
    void make_room(Context& context, uint32_t centres, size_t entries);
    void make_bins(Context& context);

    Lattice lattice_;
    uint32_t room_ = 0, entry_room_ = 0;
    Buffer<uint32_t> sizes_{"moment sizes"};  // (2) centres, entries
    Buffer<Point> centres_{"moment centres"};
    Buffer<uint32_t> starts_{"moment row starts"};  // (n + 1)
    Buffer<uint32_t> neighbours_{"moment neighbours"};
    Buffer<uint32_t> names_{"names", Residence::kDrawn};
    Buffer<int64_t> given_{"given names"};
    Buffer<uint32_t> given_labels_{"labels of given names"};
    std::shared_ptr<const CentreBins> bins_;
};

}  // namespace flipscope
