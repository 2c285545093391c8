#include "events/sources/watershed.h"

#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "flipscope/view.h"

namespace flipscope {

namespace {

/// Sets of pixels, each with a representative.
struct MergedPeaks {
    std::vector<uint32_t> parents;

    explicit MergedPeaks(size_t count) : parents(count) { std::iota(parents.begin(), parents.end(), 0u); }
    uint32_t find(uint32_t i) {
        while (parents[i] != i) i = parents[i] = parents[parents[i]];
        return i;
    }
};

}  // namespace

void split_by_watershed(std::vector<uint32_t>& roots, const std::vector<uint32_t>& squares,
                        std::vector<BasinContact> contacts, double height) {
    sort_or_cancel(contacts.begin(), contacts.end(), [](const BasinContact& p, const BasinContact& q) {
        return std::tie(q.square, p.a, p.b) < std::tie(p.square, q.a, q.b);
    });
    CancelPoll poll;
    // From the highest pass down. A connected region has its highest peak as representative; a region that rises too
    // little joins the basin on the other side of the pass.
    MergedPeaks regions(roots.size()), basins(roots.size());
    for (const BasinContact& contact : contacts) {
        poll();
        uint32_t lower = regions.find(contact.a), higher = regions.find(contact.b);
        if (lower == higher) continue;
        const bool swaps = std::tie(squares[lower], lower) > std::tie(squares[higher], higher);
        if (swaps) std::swap(lower, higher);
        regions.parents[lower] = higher;
        if (std::sqrt(double(squares[lower])) - std::sqrt(double(contact.square)) < height)
            basins.parents[basins.find(lower)] = basins.find(swaps ? contact.a : contact.b);
    }
    for (uint32_t& root : roots) {
        poll();
        if (root != kNone) root = basins.find(root);
    }
}

}  // namespace flipscope
