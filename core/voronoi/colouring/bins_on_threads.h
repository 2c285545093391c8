// How CPU threads sort centres into the bins of a grid: first to bands of neighbouring bins, then within each band,
// whose part of everything stays in the cache of a core. No thread writes what another one reads or writes in the same
// pass, and centres of a bin follow each other as their labels do. For bins.cpp alone.
#pragma once

#include <algorithm>

#include "compute/launch.h"
#include "voronoi/colouring/bins.h"
#include "voronoi/colouring/bins_kernels.h"

namespace flipscope {

/// What the tasks are: by the numbers of centres and bins alone, so that nothing depends on that of the threads.
struct BinBands {
    static constexpr uint32_t kMostBands = 512;                  // a thread writes to all of them in turns
    static constexpr uint32_t kEnoughBands = 64;                 // for whatever number of threads
    static constexpr uint32_t kFewBins = 256, kManyBins = 4096;  // of a band, while bands are few enough
    static constexpr uint32_t kFewCentres = 2 * kChunk;          // of a chunk
    static constexpr uint32_t kMostChunks = 64;

    uint32_t shift = 0;           // bin >> shift is the band
    uint32_t count;               // of bands
    uint32_t chunk_size, chunks;  // centres one after the other by label

    BinBands(uint32_t centres, uint32_t bins) {
        while ((bins - 1) >> shift >= kMostBands || 1u << shift < kFewBins ||
               (1u << shift < kManyBins && bins >> shift > kEnoughBands))
            ++shift;
        count = ((bins - 1) >> shift) + 1;
        chunk_size = std::max(kFewCentres, centres / kMostChunks + 1);
        chunks = std::max(1u, (centres + chunk_size - 1) / chunk_size);
    }
};

/// How many centres of a chunk lie in each band.
struct CountIntoBands {
    Lattice lattice;
    BinGrid grid;
    BinBands bands;
    View<const Point> given;
    View<Point> centres;   // (n)
    View<uint32_t> bins;   // (n)
    View<uint32_t> sizes;  // (bands, chunks)

    static void run(const void* task, uint32_t chunk) { static_cast<const CountIntoBands*>(task)->count(chunk); }
    void count(uint32_t chunk) const {
        const CountIntoBands self = *this;  // which no write below can change
        const uint32_t first = chunk * bands.chunk_size, end = std::min(grid.count, first + bands.chunk_size);
        uint32_t in_band[BinBands::kMostBands] = {};
        for (uint32_t i = first; i < end; ++i) {
            const Point centre = self.lattice.wrapped(self.given[i]);
            const uint32_t bin = self.grid.bin(centre);
            self.centres[i] = centre;
            self.bins[i] = bin;
            ++in_band[bin >> self.bands.shift];
        }
        for (uint32_t band = 0; band < bands.count; ++band) sizes[band * bands.chunks + chunk] = in_band[band];
    }
};

/// Centres by band. Lines of memory are asked for before they are written, as no processor foresees so many streams.
struct SortIntoBands {
    uint32_t centre_count;
    BinBands bands;
    View<const Point> centres;
    View<const uint32_t> bins;
    View<const uint32_t> starts;  // (bands, chunks)
    View<BinnedCentre> sorted;    // (n)

    static void run(const void* task, uint32_t chunk) { static_cast<const SortIntoBands*>(task)->sort(chunk); }
    void sort(uint32_t chunk) const {
        constexpr uint32_t kAhead = 6;
        const uint32_t first = chunk * bands.chunk_size, end = std::min(centre_count, first + bands.chunk_size);
        uint32_t places[BinBands::kMostBands];
        for (uint32_t band = 0; band < bands.count; ++band) places[band] = starts[band * bands.chunks + chunk];
        for (uint32_t i = first; i < end; ++i) {
            const uint32_t bin = bins[i];
            BinnedCentre* const place = &sorted[places[bin >> bands.shift]++];
            __builtin_prefetch(place + kAhead, 1);
            *place = {centres[i], i, bin};
        }
    }
};

/// Within a band. Tallies the bins that are occupied and the centres beyond kCrowdedRank of their bins.
struct PlaceInBand {
    uint32_t centre_count, bin_count;
    BinBands bands;
    View<const uint32_t> band_starts;  // (bands, chunks)
    View<const BinnedCentre> sorted;   // (n)
    View<uint32_t> starts;             // (bins + 1)
    View<Point> points;                // (n)
    View<uint32_t> labels;             // (n)
    View<uint64_t> tallies;

    static void run(const void* task, uint32_t band) { static_cast<const PlaceInBand*>(task)->place(band); }
    void place(uint32_t band) const {
        const bool last = band + 1 == bands.count;
        const uint32_t first = band_starts[band * bands.chunks];
        const uint32_t end = last ? centre_count : band_starts[(band + 1) * bands.chunks];
        const uint32_t first_bin = band << bands.shift, end_bin = last ? bin_count : (band + 1) << bands.shift;
        std::fill(starts.data + first_bin, starts.data + end_bin, 0u);
        for (uint32_t k = first; k < end; ++k) {
            __builtin_prefetch(&points[k], 1);  // for below
            __builtin_prefetch(&labels[k], 1);
            ++starts[sorted[k].bin];
        }
        uint32_t sum = first, occupied = 0, crowd = 0;
        for (uint32_t bin = first_bin; bin < end_bin; ++bin) {
            const uint32_t size = starts[bin];
            occupied += size > 0;
            crowd += size > kCrowdedRank ? size - kCrowdedRank : 0;
            starts[bin] = sum += size;  // ends, for now
        }
        if (last) starts[bin_count] = sum;
        for (uint32_t k = end; k > first; --k) {
            const BinnedCentre& centre = sorted[k - 1];
            const uint32_t slot = --starts[centre.bin];
            points[slot] = centre.at;
            labels[slot] = centre.label;
        }
        atomic_add(tallies[0], uint64_t(occupied));
        atomic_add(tallies[1], uint64_t(crowd));
    }
};

}  // namespace flipscope
