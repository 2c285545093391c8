// Sorting sites into the bins of a grid on CPU threads: first into bands of neighbouring bins, then within each band,
// whose data stays in a core's cache. No thread writes what another reads or writes in the same pass, and sites of a
// bin are in the order of their labels. Included only by bins.cu.
#pragma once

#include <algorithm>

#include "compute/launch.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/colouring/bins_kernels.h"

namespace flipscope {

/// The division into tasks, determined only by the numbers of sites and bins, so that results do not depend on the
/// number of threads.
struct BinBands {
    static constexpr uint32_t kMostBands = 512;                  // a thread writes to all of them alternately
    static constexpr uint32_t kEnoughBands = 64;                 // for any number of threads
    static constexpr uint32_t kFewBins = 256, kManyBins = 4096;  // per band, while there are few bands
    static constexpr uint32_t kFewSites = 2 * kChunk;            // per chunk
    static constexpr uint32_t kMostChunks = 64;

    uint32_t shift = 0;           // bin >> shift is the band
    uint32_t count;               // of bands
    uint32_t chunk_size, chunks;  // consecutive sites by label

    BinBands(uint32_t sites, uint32_t bins) {
        while ((bins - 1) >> shift >= kMostBands || 1u << shift < kFewBins ||
               (1u << shift < kManyBins && bins >> shift > kEnoughBands))
            ++shift;
        count = ((bins - 1) >> shift) + 1;
        chunk_size = std::max(kFewSites, sites / kMostChunks + 1);
        chunks = std::max(1u, (sites + chunk_size - 1) / chunk_size);
    }
};

/// Counts the sites of each chunk in each band.
struct CountIntoBands {
    Lattice lattice;
    BinGrid grid;
    BinBands bands;
    View<const Point> given;
    View<Point> sites;     // (n)
    View<uint32_t> bins;   // (n)
    View<uint32_t> sizes;  // (bands, chunks)

    void operator()(uint32_t chunk) const {
        const CountIntoBands self = *this;  // a copy that no write below can alias
        const uint32_t first = chunk * bands.chunk_size, end = std::min(grid.count, first + bands.chunk_size);
        uint32_t in_band[BinBands::kMostBands] = {};
        for (uint32_t i = first; i < end; ++i) {
            const Point site = self.lattice.wrapped(self.given[i]);
            const uint32_t bin = self.grid.bin(site);
            self.sites[i] = site;
            self.bins[i] = bin;
            ++in_band[bin >> self.bands.shift];
        }
        for (uint32_t band = 0; band < bands.count; ++band) sizes[band * bands.chunks + chunk] = in_band[band];
    }
};

/// Sorts sites by band. Prefetches lines before writing them, because hardware does not predict so many streams.
struct SortIntoBands {
    uint32_t site_count;
    BinBands bands;
    View<const Point> sites;
    View<const uint32_t> bins;
    View<const uint32_t> starts;  // (bands, chunks)
    View<BinnedSite> sorted;      // (n)

    void operator()(uint32_t chunk) const {
        constexpr uint32_t kAhead = 6;
        const uint32_t first = chunk * bands.chunk_size, end = std::min(site_count, first + bands.chunk_size);
        uint32_t places[BinBands::kMostBands];
        for (uint32_t band = 0; band < bands.count; ++band) places[band] = starts[band * bands.chunks + chunk];
        for (uint32_t i = first; i < end; ++i) {
            const uint32_t bin = bins[i];
            BinnedSite* const place = &sorted[places[bin >> bands.shift]++];
            __builtin_prefetch(place + kAhead, 1);
            *place = {sites[i], i, bin};
        }
    }
};

/// Places sites within a band. Sums the occupied bins and the sites beyond kCrowdedRank of their bins.
struct PlaceInBand {
    uint32_t site_count, bin_count;
    BinBands bands;
    View<const uint32_t> band_starts;  // (bands, chunks)
    View<const BinnedSite> sorted;     // (n)
    View<uint32_t> starts;             // (bins + 1)
    View<Point> points;                // (n)
    View<uint32_t> labels;             // (n)
    View<uint64_t> block_sums;

    void operator()(uint32_t band) const {
        const bool last = band + 1 == bands.count;
        const uint32_t first = band_starts[band * bands.chunks];
        const uint32_t end = last ? site_count : band_starts[(band + 1) * bands.chunks];
        const uint32_t first_bin = band << bands.shift, end_bin = last ? bin_count : (band + 1) << bands.shift;
        std::fill(starts.data + first_bin, starts.data + end_bin, 0u);
        for (uint32_t k = first; k < end; ++k) {
            __builtin_prefetch(&points[k], 1);  // for the loop below
            __builtin_prefetch(&labels[k], 1);
            ++starts[sorted[k].bin];
        }
        uint32_t sum = first, occupied = 0, crowd = 0;
        for (uint32_t bin = first_bin; bin < end_bin; ++bin) {
            const uint32_t size = starts[bin];
            occupied += size > 0;
            crowd += size > kCrowdedRank ? size - kCrowdedRank : 0;
            starts[bin] = sum += size;  // the ends, until sites are placed
        }
        if (last) starts[bin_count] = sum;
        for (uint32_t k = end; k > first; --k) {
            const BinnedSite& site = sorted[k - 1];
            const uint32_t slot = --starts[site.bin];
            points[slot] = site.at;
            labels[slot] = site.label;
        }
        atomic_add(block_sums[0], uint64_t(occupied));
        atomic_add(block_sums[1], uint64_t(crowd));
    }
};

}  // namespace flipscope
