// Graphs of coloured lattices by plain loops on the host, the reference for LatticeGraph; and a function that runs its
// passes on any device.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

#include "test_support.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/graph_comparison.h"
#include "voronoi/graph/lattice_graph.h"
#include "voronoi/site_sets.h"

namespace flipscope {

using LinkedCells = std::array<uint32_t, 2>;

/// Colours by the definition. obstacles: (h, w) or empty.
inline std::vector<uint32_t> colours_by_force(const Lattice& lattice, const std::vector<Point>& sites,
                                              const std::vector<uint8_t>& obstacles = {}) {
    std::vector<uint32_t> colours(lattice.pixel_count());
    for (uint32_t pixel = 0; pixel < colours.size(); ++pixel)
        colours[pixel] =
            !obstacles.empty() && obstacles[pixel] ? kMaxLink : nearest_by_force(lattice, sites, lattice.place(pixel));
    return colours;
}

inline View<const uint32_t> view_of(const std::vector<uint32_t>& values) { return {values.data(), values.size()}; }

/// The links that the rules find, each once, with the inner ring by the definition.
inline std::vector<LinkedCells> links_by_rules(const Lattice& lattice, const std::vector<uint32_t>& colours,
                                               const std::vector<Point>& sites, const StencilRules& rules) {
    std::set<LinkedCells> links;
    for (uint32_t y = 0; y < lattice.height; ++y)
        for (uint32_t x = 0; x < lattice.width; ++x) {
            const Stencil s = read_stencil(lattice, view_of(colours), x, y);
            if (!is_corner(s, rules)) continue;
            for (int place = 0; place < kRing; ++place) {
                if (!ring_conditions(s, rules, place).linked()) continue;
                const Point half = inner_point(lattice, x, y, place);
                if (place % 2 && rules.inner_frame &&
                    !inner_condition(s, rules, place, nearest_by_force(lattice, sites, half)))
                    continue;
                links.insert({std::min(s.own, s.at(place)), std::max(s.own, s.at(place))});
            }
        }
    return {links.begin(), links.end()};
}

/// Colours, bins and graph on one device.
struct Grapher {
    Context context;
    Buffer<Point> sites{"centres"};
    Buffer<uint32_t> painted{"painted colours"};
    uint32_t count = 0;
    Lattice lattice;
    Colouring colouring;
    LatticeGraph graph;

    explicit Grapher(DeviceRequest request = DeviceRequest::kCpu, int threads = 1) : context(request, threads) {}

    void set(const Lattice& on, const std::vector<Point>& points, const std::vector<uint8_t>& obstacles = {}) {
        lattice = on;
        colouring.reset(context, lattice);
        if (!obstacles.empty()) colouring.obstacles().upload(context, obstacles.data(), obstacles.size());
        graph.reset(context, lattice);
        count = static_cast<uint32_t>(points.size());
        sites.upload(context, points.data(), points.size());
    }
    /// Colours by the sites, and links them.
    std::vector<LinkedCells> links(const StencilRules& rules = {}) {
        colouring.colour(context, ColouringMethod::kExact, sites.view(), count);
        return link(colouring.colours().view(), count, rules);
    }
    /// Links colours made by hand.
    std::vector<LinkedCells> links_of(const std::vector<uint32_t>& colours, uint32_t labels,
                                      const StencilRules& rules = {}) {
        painted.upload(context, colours.data(), colours.size());
        colouring.colour(context, ColouringMethod::kExact, sites.view(), count);  // for its bins
        return link(painted.view(), labels, rules);
    }
    std::vector<LinkedCells> link(View<const uint32_t> colours, Extent labels, const StencilRules& rules) {
        graph.find_corners(context, colours, rules);
        graph.link(context, colours, colouring.bins().view(), labels, rules);
        graph.arrange(context);
        graph.read_counts(context);
        return pairs_of(graph.adjacency());
    }
};

/// Some walls one pixel wide, each of steps to the right and upwards.
inline std::vector<uint8_t> random_walls(const Lattice& lattice, std::mt19937_64& random) {
    std::vector<uint8_t> obstacles(lattice.pixel_count());
    for (int wall = 0; wall < 4; ++wall) {
        uint32_t x = random() % lattice.width, y = random() % lattice.height;
        for (int step = 0; step < 15; ++step) {
            obstacles[lattice.pixel(x, y)] = 1;
            x = (x + random() % 2) % lattice.width;
            y = (y + random() % 2) % lattice.height;
        }
    }
    return obstacles;
}

/// `n` sites evenly at random, none nearer to another than `apart`.
inline std::vector<Point> scattered(uint32_t n, const Lattice& lattice, double apart, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    const double inset_x = lattice.periodic.x ? 0 : 0.5, inset_y = lattice.periodic.y ? 0 : 0.5;
    std::vector<Point> sites;
    while (sites.size() < n) {
        const Point p{unit(random) * lattice.width - inset_x, unit(random) * lattice.height - inset_y};
        bool free = true;
        if (apart > 0)
            for (const Point& q : sites) free = free && lattice.squared_distance(p, q) >= apart * apart;
        if (free) sites.push_back(p);
    }
    return sites;
}

}  // namespace flipscope
