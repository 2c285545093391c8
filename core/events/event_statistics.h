// Statistics of plastic events in time and space: waiting times, avalanches, correlations, rates, directions, and the
// mean displacement around a T1. Pure functions of a list of events; the formulas are in
// docs/labs/events-statistics.md. Host code.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "events/detection/persistence.h"
#include "events/detection/t1_displacements.h"

namespace flipscope {

/// A plastic event that counts.
struct CountedEvent {
    uint32_t row = 0;    // of SettledEvents
    uint32_t event = 0;  // of the log
    uint32_t round = 0;
    double time = 0;  // unit of the source
    Point place;      // lattice units
};
/// Those from comparison `round` on, in the order of the log.
std::vector<CountedEvent> counted_events(const EventLog& log, const SettledEvents& settled, uint32_t round);

/// The time between two events in a row that concern the same pair of cells, or the same region.
struct Waiting {
    uint32_t first = 0, second = 0;  // indices of CountedEvents
    std::array<int64_t, 2> of{};     // ids of the cells, the lower first; or the region's column and row
};
/// Of pairs: events that lost or created a contact between the two. In the order of the later event, then of the ids.
std::vector<Waiting> waiting_of_pairs(const EventLog& log, const SettledEvents& settled,
                                      std::span<const CountedEvent> events);
/// Of equal regions of the lattice, with sides as near to `side` (lattice units) as whole numbers allow.
std::vector<Waiting> waiting_of_regions(std::span<const CountedEvent> events, const Lattice& lattice, double side);

/// The bin of a place along an axis of `extent` pixels with `bins` bins, and that of a line by its angle to the x axis.
uint32_t bin_along(double place, uint32_t extent, uint32_t bins);
uint32_t bin_of_direction(Point line, uint32_t bins);

/// Clusters of events (indices, ascending). Events are linked if at most `gap` comparisons and `reach` lattice units
/// (minimum image) lie between them. In the order of the first event. Throws Cancelled.
std::vector<std::vector<uint32_t>> find_avalanches(std::span<const CountedEvent> events, const Lattice& lattice,
                                                   uint32_t gap, double reach);

/// Pairs of events by distance, in equal bins from 0 to `reach`.
struct PairCorrelation {
    std::vector<double> together, apart;     // pairs in the same comparison, and in different ones
    double all_together = 0, all_apart = 0;  // at any distance
    /// together/all_together over apart/all_apart: 1 if events of a comparison are independent. NaN: no pairs.
    double g(size_t bin) const;
    /// Of g, from the number of pairs in the bin.
    double error(size_t bin) const;
};
/// All pairs of different comparisons, or a regular sample of them if they are more than kMostPairs. Throws Cancelled.
inline constexpr uint64_t kMostPairs = 1 << 20;
PairCorrelation correlate_in_space(std::span<const CountedEvent> events, const Lattice& lattice, double reach,
                                   uint32_t bins);
/// C(τ) = ⟨N(t) N(t + τ)⟩ / ⟨N⟩² for τ = 0, …, lags − 1 comparisons, where N N is N(N − 1) for τ = 0: 1 if events are
/// independent. Empty without events. `counts`: N by comparison.
std::vector<double> correlate_in_time(std::span<const uint32_t> counts, uint32_t lags);

struct BlockMean {
    double mean = 0, error = 0;  // standard error; NaN: fewer than two blocks
};
inline constexpr uint32_t kBlocksOfMeans = 10;
/// Mean of a series, and its standard error from the means of `blocks` parts in a row, whose lengths differ by one at
/// most and are their weights; of shorter series every value is a part.
BlockMean mean_by_blocks(std::span<const double> series, uint32_t blocks = kBlocksOfMeans);
inline BlockMean mean_by_blocks(std::span<const uint32_t> series, uint32_t blocks = kBlocksOfMeans) {
    return mean_by_blocks(std::vector<double>(series.begin(), series.end()), blocks);
}

/// The mean direction of lines, radians from 0 to π, and their order: 1 if all are parallel, 0 if they have no
/// preferred direction (the nematic order parameter in the plane).
struct MeanDirection {
    double angle = 0, order = 0;
    uint64_t count = 0;
};
MeanDirection mean_direction(std::span<const Point> lines);

/// The mean displacement around T1s, by the place of the bubble before, in the frame of the T1. The two ends of the
/// lost contact are equal, so every sample also counts turned by 180°.
struct MeanField {
    uint32_t side = 0;                       // bins along each axis, from -reach to reach
    std::vector<uint32_t> count;             // (side, side) samples, by y, then x
    std::vector<std::array<double, 4>> sum;  // dx, dy, dx², dy²
    std::vector<uint32_t> ring_count;        // by distance, `side` / 2 bins
    std::vector<double> ring;                // sums of 2 u_r cos 2θ
    uint32_t events = 0;
};
MeanField mean_field(std::span<const CountedEvent> events, const T1Displacements& displacements, double bin);

}  // namespace flipscope
