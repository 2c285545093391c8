#include "particles/motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "compute/cancel.h"

namespace flipscope {

namespace {

bool is_measured_lag(size_t lag) {
    size_t stride = 1;
    while (lag / stride >= 32) stride *= 2;
    return lag % stride == 0;
}

/// How many of two ascending rows are the same.
size_t kept_of(const NeighbourRows& before, const NeighbourRows& after, size_t i) {
    const uint32_t *a = before.neighbours.data() + before.starts[i], *b = after.neighbours.data() + after.starts[i];
    const uint32_t *const end_a = before.neighbours.data() + before.starts[i + 1], *const end_b =
                                                                                       after.neighbours.data() +
                                                                                       after.starts[i + 1];
    size_t kept = 0;
    while (a < end_a && b < end_b) {
        kept += *a == *b;
        const bool next_a = *a <= *b, next_b = *b <= *a;
        a += next_a;
        b += next_b;
    }
    return kept;
}

}  // namespace

MotionCurves motion_over_origins(const std::vector<const std::vector<Point>*>& displacements,
                                 const std::vector<NeighbourRows>& rows, const std::vector<uint8_t>& held,
                                 double wavenumber) {
    MotionCurves curves;
    const size_t frames = displacements.size(), count = frames ? displacements.front()->size() : 0;
    const auto free = count - static_cast<size_t>(std::count_if(held.begin(), held.end(), [](auto h) { return h; }));
    CancelPoll poll;
    for (size_t lag = 1; lag < frames && free > 0; ++lag) {
        if (!is_measured_lag(lag)) continue;
        Point squares{0, 0};
        double cosines = 0;
        size_t pairs = 0, pairs_kept = 0, caged = 0, in_cages = 0;
        for (size_t origin = 0; origin + lag < frames; ++origin) {
            const std::vector<Point>&from = *displacements[origin], &to = *displacements[origin + lag];
            for (size_t i = 0; i < count; ++i) {
                poll();
                if (!held.empty() && held[i]) continue;
                const double x = to[i].x - from[i].x, y = to[i].y - from[i].y;
                squares = {squares.x + x * x, squares.y + y * y};
                cosines += (std::cos(wavenumber * x) + std::cos(wavenumber * y)) / 2;
                if (rows.empty()) continue;
                const size_t had = rows[origin].starts[i + 1] - rows[origin].starts[i];
                if (had == 0) continue;
                const size_t kept = kept_of(rows[origin], rows[origin + lag], i);
                pairs += had;
                pairs_kept += kept;
                ++in_cages;
                caged += 2 * kept > had;
            }
        }
        const double terms = double(free) * double(frames - lag);
        curves.lags.push_back(lag);
        curves.origins.push_back(frames - lag);
        curves.displacement.push_back({squares.x / terms, squares.y / terms});
        curves.scattering.push_back(cosines / terms);
        if (rows.empty()) continue;
        curves.neighbours.push_back(double(pairs_kept) / double(pairs));  // NaN: no particle has a neighbour
        curves.cages.push_back(double(caged) / double(in_cages));
    }
    return curves;
}

std::vector<NeighbourPair> lasting_pairs(const std::vector<NeighbourRows>& rows) {
    std::map<std::pair<uint32_t, uint32_t>, size_t> begins;
    std::vector<NeighbourPair> pairs;
    CancelPoll poll;
    for (size_t frame = 0; frame <= rows.size(); ++frame) {
        std::map<std::pair<uint32_t, uint32_t>, size_t> now;
        for (uint32_t a = 0; frame < rows.size() && a + 1 < rows[frame].starts.size(); ++a)
            for (uint32_t e = rows[frame].starts[a]; e < rows[frame].starts[a + 1]; ++e) {
                poll();
                const uint32_t b = rows[frame].neighbours[e];
                if (a > b) continue;
                const auto known = begins.find({a, b});
                now.emplace_hint(now.end(), std::pair{a, b}, known == begins.end() ? frame : known->second);
            }
        for (const auto& [pair, begin] : begins)
            if (!now.count(pair)) pairs.push_back({pair.first, pair.second, begin, frame});
        begins = std::move(now);
    }
    return pairs;
}

}  // namespace flipscope
