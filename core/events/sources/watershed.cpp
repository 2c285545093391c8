#include "events/sources/watershed.h"

#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "compute/disjoint_sets.h"
#include "flipscope/view.h"

namespace flipscope {

void split_by_watershed(std::vector<uint32_t>& roots, const std::vector<uint32_t>& squares,
                        std::vector<BasinContact> contacts, double height) {
    sort_or_cancel(contacts.begin(), contacts.end(), [](const BasinContact& p, const BasinContact& q) {
        return std::tie(q.square, p.a, p.b) < std::tie(p.square, q.a, q.b);
    });
    CancelPoll poll;
    // From the highest pass down. A connected region has its highest peak as representative; a region that rises too
    // little joins the basin on the other side of the pass.
    std::vector<uint32_t> regions(roots.size());
    std::iota(regions.begin(), regions.end(), 0u);
    std::vector<uint32_t> basins = regions;
    for (const BasinContact& contact : contacts) {
        poll();
        uint32_t lower = root_of(regions, contact.a), higher = root_of(regions, contact.b);
        if (lower == higher) continue;
        const bool swaps = std::tie(squares[lower], lower) > std::tie(squares[higher], higher);
        if (swaps) std::swap(lower, higher);
        regions[lower] = higher;
        if (std::sqrt(double(squares[lower])) - std::sqrt(double(contact.square)) < height)
            basins[root_of(basins, lower)] = root_of(basins, swaps ? contact.a : contact.b);
    }
    for (uint32_t& root : roots) {
        poll();
        if (root != kNone) root = root_of(basins, root);
    }
}

}  // namespace flipscope
