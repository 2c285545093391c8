#include "events/event_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "compute/cancel.h"
#include "compute/disjoint_sets.h"

namespace flipscope {

namespace {

uint32_t bins_of_size(uint32_t extent, double size, double most) {
    return static_cast<uint32_t>(std::clamp(std::floor(extent / std::max(size, 1e-9)), 1.0, most));
}

/// Calls use(i, j, distance) for all pairs with i < j, at most `gap` comparisons apart and `reach` lattice units
/// distant. Events lie in a grid of cells no smaller than `reach`, so only nine cells are searched.
template <class Use>
void for_near_pairs(std::span<const CountedEvent> events, const Lattice& lattice, uint32_t gap, double reach,
                    const Use& use) {
    const uint32_t columns = bins_of_size(lattice.width, reach, 256), rows = bins_of_size(lattice.height, reach, 256);
    std::vector<std::vector<uint32_t>> cells(size_t(columns) * rows);
    std::vector<size_t> begins(cells.size(), 0);  // earlier entries are too old
    const auto around = [](uint32_t at, uint32_t bins, bool periodic) {
        std::vector<uint32_t> near{at};
        if (at + 1 < bins || periodic) near.push_back((at + 1) % bins);
        if (at > 0 || periodic) near.push_back((at + bins - 1) % bins);
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        return near;
    };
    CancelPoll poll;
    for (uint32_t j = 0; j < events.size(); ++j) {
        const CountedEvent& event = events[j];
        const uint32_t x = bin_along(event.place.x, lattice.width, columns),
                       y = bin_along(event.place.y, lattice.height, rows);
        for (const uint32_t row : around(y, rows, lattice.periodic.y))
            for (const uint32_t column : around(x, columns, lattice.periodic.x)) {
                const size_t at = size_t(row) * columns + column;
                const std::vector<uint32_t>& cell = cells[at];
                while (begins[at] < cell.size() && event.round - events[cell[begins[at]]].round > gap) ++begins[at];
                for (size_t k = begins[at]; k < cell.size(); ++k) {
                    poll();
                    const double square = lattice.squared_distance(events[cell[k]].place, event.place);
                    if (square <= reach * reach) use(cell[k], j, std::sqrt(square));
                }
            }
        cells[size_t(y) * columns + x].push_back(j);
    }
}

}  // namespace

uint32_t bin_along(double place, uint32_t extent, uint32_t bins) {
    return static_cast<uint32_t>(std::clamp(std::floor((place + 0.5) / extent * bins), 0.0, bins - 1.0));
}

uint32_t bin_of_direction(Point line, uint32_t bins) {
    const double angle = std::atan2(line.y, line.x), upwards = angle < 0 ? angle + std::numbers::pi : angle;
    return static_cast<uint32_t>(upwards / std::numbers::pi * bins) % bins;
}

std::vector<CountedEvent> counted_events(const EventLog& log, const SettledEvents& settled, uint32_t round) {
    std::vector<CountedEvent> events;
    for (uint32_t row = 0; row < settled.rows().size(); ++row) {
        const SettledEvents::Row& one = settled.rows()[row];
        const LoggedEvent& event = log.events()[one.event];
        if (event.round >= round && settled.is_counted(log, one))
            events.push_back({row, one.event, event.round, event.time, event.place});
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const CountedEvent& a, const CountedEvent& b) { return a.event < b.event; });
    return events;
}

std::vector<Waiting> waiting_of_pairs(const EventLog& log, const SettledEvents& settled,
                                      std::span<const CountedEvent> events) {
    std::map<std::array<int64_t, 2>, uint32_t> last;
    std::vector<Waiting> waiting;
    CancelPoll poll;
    for (uint32_t i = 0; i < events.size(); ++i) {
        const size_t first = waiting.size();
        for (const uint32_t index : settled.links_of(log, settled.rows()[events[i].row])) {
            poll();
            const LoggedLink& link = log.links()[index];
            const std::array<int64_t, 2> pair{std::min(link.ids[0], link.ids[1]), std::max(link.ids[0], link.ids[1])};
            const auto [at, is_new] = last.try_emplace(pair, i);
            if (!is_new) waiting.push_back({at->second, i, pair});
            at->second = i;
        }
        std::sort(waiting.begin() + std::ptrdiff_t(first), waiting.end(),
                  [](const Waiting& a, const Waiting& b) { return a.of < b.of; });
    }
    return waiting;
}

std::vector<Waiting> waiting_of_regions(std::span<const CountedEvent> events, const Lattice& lattice, double side) {
    const uint32_t columns = bins_of_size(lattice.width, side, 4096), rows = bins_of_size(lattice.height, side, 4096);
    std::map<std::array<int64_t, 2>, uint32_t> last;
    std::vector<Waiting> waiting;
    for (uint32_t i = 0; i < events.size(); ++i) {
        const std::array<int64_t, 2> region{bin_along(events[i].place.x, lattice.width, columns),
                                            bin_along(events[i].place.y, lattice.height, rows)};
        const auto [at, is_new] = last.try_emplace(region, i);
        if (!is_new) waiting.push_back({at->second, i, region});
        at->second = i;
    }
    return waiting;
}

std::vector<std::vector<uint32_t>> find_avalanches(std::span<const CountedEvent> events, const Lattice& lattice,
                                                   uint32_t gap, double reach) {
    std::vector<uint32_t> parents(events.size());
    std::iota(parents.begin(), parents.end(), 0u);
    for_near_pairs(events, lattice, gap, reach, [&](uint32_t i, uint32_t j, double) { join_sets(parents, i, j); });
    std::vector<std::vector<uint32_t>> avalanches;
    std::vector<uint32_t> index(events.size());
    for (uint32_t i = 0; i < events.size(); ++i) {
        const uint32_t root = root_of(parents, i);  // the first event
        if (root == i) {
            index[i] = static_cast<uint32_t>(avalanches.size());
            avalanches.emplace_back();
        }
        avalanches[index[root]].push_back(i);
    }
    return avalanches;
}

double PairCorrelation::g(size_t bin) const {
    return apart[bin] > 0 && all_together > 0 ? together[bin] / all_together * all_apart / apart[bin] : NAN;
}

double PairCorrelation::error(size_t bin) const { return together[bin] > 0 ? g(bin) / std::sqrt(together[bin]) : NAN; }

PairCorrelation correlate_in_space(std::span<const CountedEvent> events, const Lattice& lattice, double reach,
                                   uint32_t bins) {
    PairCorrelation found;
    found.together.assign(bins, 0);
    found.apart.assign(bins, 0);
    const auto bin_of = [&](double distance) { return static_cast<size_t>(distance / reach * bins); };
    for_near_pairs(events, lattice, 0, reach, [&](uint32_t, uint32_t, double distance) {
        if (bin_of(distance) < bins) ++found.together[bin_of(distance)];
    });
    for (size_t i = 0, end = 0; i < events.size(); i = end) {
        while (end < events.size() && events[end].round == events[i].round) ++end;
        found.all_together += double(end - i) * double(end - i - 1) / 2;
    }
    const uint64_t n = events.size(),
                   shifts = n > 1 ? std::min<uint64_t>(n - 1, std::max<uint64_t>(1, 2 * kMostPairs / n)) : 0;
    CancelPoll poll;
    for (uint64_t k = 0; k < shifts; ++k) {
        const uint64_t shift = 1 + k * (n - 1) / shifts;
        for (uint64_t i = 0; i + shift < n; ++i) {
            poll();
            if (events[i].round == events[i + shift].round) continue;
            ++found.all_apart;
            const size_t bin = bin_of(std::sqrt(lattice.squared_distance(events[i].place, events[i + shift].place)));
            if (bin < bins) ++found.apart[bin];
        }
    }
    return found;
}

std::vector<double> correlate_in_time(std::span<const uint32_t> counts, uint32_t lags) {
    double sum = 0;
    for (const uint32_t count : counts) sum += count;
    if (sum == 0) return {};
    const double mean = sum / double(counts.size());
    std::vector<double> correlation;
    CancelPoll poll;
    for (size_t lag = 0; lag < std::min<size_t>(lags, counts.size()); ++lag) {
        double products = 0;
        for (size_t t = 0; t + lag < counts.size(); ++t) {
            poll();
            products += double(counts[t]) * (double(counts[t + lag]) - (lag == 0 ? 1 : 0));
        }
        correlation.push_back(products / double(counts.size() - lag) / (mean * mean));
    }
    return correlation;
}

BlockMean mean_by_blocks(std::span<const double> series, uint32_t blocks) {
    if (series.empty()) return {0, NAN};
    const auto mean_of = [](std::span<const double> part) {
        return std::accumulate(part.begin(), part.end(), 0.0) / double(part.size());
    };
    BlockMean result{mean_of(series), NAN};
    blocks = static_cast<uint32_t>(std::min<size_t>(blocks, series.size()));
    if (blocks < 2) return result;
    double square = 0;  // of deviations, weighted by the lengths of blocks
    for (size_t b = 0; b < blocks; ++b) {
        const size_t from = b * series.size() / blocks, to = (b + 1) * series.size() / blocks;
        const double deviation = mean_of(series.subspan(from, to - from)) - result.mean;
        square += deviation * deviation * double(to - from) / double(series.size());
    }
    result.error = std::sqrt(square / (blocks - 1));
    return result;
}

MeanDirection mean_direction(std::span<const Point> lines) {
    double cosine = 0, sine = 0;  // of twice the angle
    MeanDirection mean;
    for (const Point d : lines) {
        const double square = d.x * d.x + d.y * d.y;
        if (square == 0) continue;
        cosine += (d.x * d.x - d.y * d.y) / square;
        sine += 2 * d.x * d.y / square;
        ++mean.count;
    }
    if (mean.count == 0) return mean;
    mean.angle = std::atan2(sine, cosine) / 2;
    if (mean.angle < 0) mean.angle += std::numbers::pi;
    mean.order = std::sqrt(cosine * cosine + sine * sine) / double(mean.count);
    return mean;
}

MeanField mean_field(std::span<const CountedEvent> events, const T1Displacements& displacements, double bin) {
    MeanField field;
    const double reach = displacements.reach();
    field.side = 2 * static_cast<uint32_t>(std::max(1.0, std::floor(reach / bin)));
    field.count.assign(size_t(field.side) * field.side, 0);
    field.sum.assign(field.count.size(), {});
    field.ring_count.assign(field.side / 2, 0);
    field.ring.assign(field.side / 2, {});
    const auto bin_of = [&](double at) {
        return bin_along((at / reach + 1) / 2 * field.side - 0.5, field.side, field.side);
    };
    CancelPoll poll;
    for (const CountedEvent& event : events) {
        const auto samples = displacements.samples_of(event.event);
        field.events += !samples.empty();
        for (const T1Displacements::Sample& sample : samples) {
            poll();
            const double x = sample.x, y = sample.y, dx = sample.dx, dy = sample.dy;
            for (const double sign : {1.0, -1.0}) {
                const size_t at = size_t(bin_of(sign * y)) * field.side + bin_of(sign * x);
                ++field.count[at];
                const std::array<double, 4> more{sign * dx, sign * dy, dx * dx, dy * dy};
                for (size_t k = 0; k < 4; ++k) field.sum[at][k] += more[k];
            }
            const double square = x * x + y * y;
            const auto ring = static_cast<size_t>(std::sqrt(square) / reach * (field.side / 2));
            if (square == 0 || ring >= field.ring.size()) continue;
            ++field.ring_count[ring];
            field.ring[ring] += 2 * (x * x - y * y) / square * (x * dx + y * dy) / std::sqrt(square);
        }
    }
    return field;
}

}  // namespace flipscope
