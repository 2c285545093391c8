// The reference for components: a sequential flood fill over 8 neighbours, unwrapped across the borders as it goes, and
// fields to test it on.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "voronoi/components/component_runs.h"
#include "voronoi/lattice.h"
#include "voronoi/site_sets.h"

namespace flipscope {

struct FloodFill {
    std::vector<uint32_t> labels;           // (h, w)
    std::vector<uint32_t> areas, windings;  // by label
    std::vector<Point> centres;             // by label
};

/// Components in the order of their lowest pixels. `belongs`: (h, w).
inline FloodFill flood_fill(const Lattice& lattice, const std::vector<uint8_t>& belongs) {
    const int64_t width = lattice.width, height = lattice.height;
    FloodFill found;
    found.labels.assign(belongs.size(), kNone);
    std::vector<std::array<int64_t, 2>> window(belongs.size());  // where a pixel was first reached, in periods
    std::vector<uint32_t> reached;
    for (uint32_t first = 0; first < belongs.size(); ++first) {
        if (!belongs[first] || found.labels[first] != kNone) continue;
        const uint32_t label = static_cast<uint32_t>(found.areas.size());
        uint32_t winding = 0;
        reached.assign(1, first);
        found.labels[first] = label;
        window[first] = {0, 0};
        for (size_t next = 0; next < reached.size(); ++next) {
            const uint32_t pixel = reached[next];
            for (int64_t dy = -1; dy <= 1; ++dy)
                for (int64_t dx = -1; dx <= 1; ++dx) {
                    if (dx == 0 && dy == 0) continue;
                    int64_t x = lattice.x_of(pixel) + dx, y = lattice.y_of(pixel) + dy;
                    std::array<int64_t, 2> there = window[pixel];
                    if (!lattice.periodic.x && (x < 0 || x >= width)) continue;
                    if (!lattice.periodic.y && (y < 0 || y >= height)) continue;
                    if (x < 0) x += width, --there[0];
                    if (x >= width) x -= width, ++there[0];
                    if (y < 0) y += height, --there[1];
                    if (y >= height) y -= height, ++there[1];
                    const uint32_t other = static_cast<uint32_t>(y * width + x);
                    if (!belongs[other]) continue;
                    if (found.labels[other] == kNone) {
                        found.labels[other] = label;
                        window[other] = there;
                        reached.push_back(other);
                    }
                    winding |= (window[other][0] != there[0] ? kWindsInX : 0u) |
                               (window[other][1] != there[1] ? kWindsInY : 0u);
                }
        }
        int64_t sum_x = 0, sum_y = 0;
        for (const uint32_t pixel : reached) {
            sum_x += lattice.x_of(pixel) + (winding & kWindsInX ? 0 : width * window[pixel][0]);
            sum_y += lattice.y_of(pixel) + (winding & kWindsInY ? 0 : height * window[pixel][1]);
        }
        const int64_t area = static_cast<int64_t>(reached.size());
        const auto mean = [&](int64_t sum, int64_t period) {  // brought into the box, then divided
            return double(((sum % (period * area)) + period * area) % (period * area)) / double(area);
        };
        found.areas.push_back(static_cast<uint32_t>(area));
        found.windings.push_back(winding);
        found.centres.push_back({mean(sum_x, width), mean(sum_y, height)});
    }
    return found;
}

/// A named pattern: whether the pixel (x, y) of a lattice belongs.
struct Pattern {
    std::string name;
    std::function<bool(uint32_t x, uint32_t y, const Lattice& lattice)> belongs;
};

inline std::vector<Pattern> patterns() {
    const auto ring = [](uint32_t x, uint32_t y, const Lattice& l) {  // how deep a pixel lies below the border
        return std::min(std::min(x, l.width - 1 - x), std::min(y, l.height - 1 - y));
    };
    return {
        {"all full", [](auto, auto, auto&) { return true; }},
        {"all empty", [](auto, auto, auto&) { return false; }},
        {"checkerboard", [](uint32_t x, uint32_t y, auto&) { return (x + y) % 2 == 0; }},
        {"single sites", [](uint32_t x, uint32_t y, auto&) { return x % 2 == 0 && y % 2 == 0; }},
        {"rows", [](auto, uint32_t y, auto&) { return y % 2 == 0; }},
        {"columns", [](uint32_t x, auto, auto&) { return x % 2 == 0; }},
        {"comb, back at the top", [](uint32_t x, uint32_t y, auto&) { return y == 0 || x % 2 == 0; }},
        {"comb, back at the bottom",
         [](uint32_t x, uint32_t y, const Lattice& l) { return y + 1 == l.height || x % 2 == 0; }},
        {"comb on its side", [](uint32_t x, uint32_t y, const Lattice& l) { return x + 1 == l.width || y % 2 == 0; }},
        {"serpentine",
         [](uint32_t x, uint32_t y, const Lattice& l) { return y % 2 == 0 || x == (y % 4 == 1 ? l.width - 1 : 0); }},
        {"nested rings", [ring](uint32_t x, uint32_t y, const Lattice& l) { return ring(x, y, l) % 2 == 0; }},
        {"spiral",
         [ring](uint32_t x, uint32_t y, const Lattice& l) {
             // Rings, each opened beside its corner and joined there to the next one.
             const uint32_t depth = ring(x, y, l);
             const bool gap = x == depth && y == depth + 1;
             const bool bridge = depth > 0 && x == depth && y == depth + 1;
             return depth % 2 == 0 ? !gap || (x == 0 && l.height < 3) : bridge;
         }},
        {"falling diagonals", [](uint32_t x, uint32_t y, auto&) { return (x + y) % 3 == 0; }},
        {"rising diagonals", [](uint32_t x, uint32_t y, auto&) { return (x + 2 * y) % 3 == 0; }},
        {"steep stripes", [](uint32_t x, uint32_t y, auto&) { return (3 * x + y) % 11 < 3; }},
    };
}

/// Each pixel belongs with probability `density`.
inline std::vector<uint8_t> noise(const Lattice& lattice, double density, std::mt19937_64& random) {
    std::vector<uint8_t> belongs(lattice.pixel_count());
    for (uint8_t& pixel : belongs) pixel = double(random() >> 11) * 0x1p-53 < density;
    return belongs;
}

/// A walk of single steps that never touches itself but where it goes on, so that it crosses borders as it likes and
/// still does not wind: the longest way around without a way back.
inline std::vector<uint8_t> crawl(const Lattice& lattice, std::mt19937_64& random) {
    const int64_t width = lattice.width, height = lattice.height;
    std::vector<uint8_t> belongs(lattice.pixel_count());
    int64_t x = int64_t(random() % lattice.width), y = int64_t(random() % lattice.height);
    const int64_t steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    uint32_t heading = random() % 4;
    const auto at = [&](int64_t px, int64_t py) -> uint8_t& {
        return belongs[size_t((py + 2 * height) % height * width + (px + 2 * width) % width)];
    };
    at(x, y) = 1;
    for (bool moved = true; moved;) {
        moved = false;
        const uint32_t turn = random() % 8 == 0 ? uint32_t(random() % 4) : 0;
        for (uint32_t k = 0; k < 4 && !moved; ++k) {
            const uint32_t way = (heading + turn + k) % 4;
            const int64_t dx = steps[way][0], dy = steps[way][1];
            bool free = true;  // the pixel ahead, and all around it but what lies behind
            for (int64_t ahead = 1; ahead <= 2; ++ahead)
                for (int64_t side = -1; side <= 1; ++side)
                    free &= !at(x + ahead * dx + side * dy, y + ahead * dy + side * dx);
            if (!free) continue;
            x = (x + dx + width) % width, y = (y + dy + height) % height, heading = way, moved = true;
            at(x, y) = 1;
        }
    }
    return belongs;
}

}  // namespace flipscope
