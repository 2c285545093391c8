// Neighbours of each site, in rows: the graph of a Voronoi diagram from any source. Rows are symmetric, ascending and
// free of repetitions, so that two graphs can be compared entry by entry.
#pragma once

#include <cstdint>

#include "compute/buffer.h"

namespace flipscope {

struct AdjacencyView {
    View<const uint32_t> starts;      // (n + 1) where each row begins
    View<const uint32_t> neighbours;  // labels, ascending within a row
    uint32_t count = 0;               // n, labels

    FLIPSCOPE_HD uint32_t degree(uint32_t label) const { return starts[label + 1] - starts[label]; }
    /// The last of `n` rows that begins at or before this entry; n: it is the end of all.
    FLIPSCOPE_HD uint32_t last_row(uint32_t n, uint32_t entry) const {
        uint32_t row = 0;
        for (uint32_t end = n + 1; end - row > 1;) {
            const uint32_t middle = row + (end - row) / 2;
            (starts[middle] <= entry ? row : end) = middle;
        }
        return row;
    }
    FLIPSCOPE_HD bool linked(uint32_t a, uint32_t b) const {
        const uint32_t end = starts[a + 1], e = lower_bound(neighbours.data, starts[a], end, b);
        return e < end && neighbours[e] == b;
    }
};

/// The buffers of a graph. Only `neighbours` up to starts[count] are defined.
struct Adjacency {
    uint32_t count = 0;        // labels
    uint32_t entry_count = 0;  // starts[count]: twice the number of links
    Buffer<uint32_t> starts{"row starts"};
    Buffer<uint32_t> neighbours{"neighbours"};
    AdjacencyView view() const { return {starts.view(count + 1), neighbours.view(entry_count), count}; }
};

}  // namespace flipscope
