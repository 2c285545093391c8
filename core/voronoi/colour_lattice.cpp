#include "flipscope/colour_lattice.h"

#include <string>
#include <utility>

#include "compute/error.h"
#include "geometry/range_check.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/exact_graph.h"
#include "voronoi/graph/lattice_graph.h"

namespace flipscope {

namespace {

Adjacency exact_neighbours(Context& context, const Lattice& lattice, View<const Point> sites) {
    std::vector<Point> on_host = download(context, sites);
    for (Point& p : on_host) p = lattice.wrapped(p);
    return exact_graph(context, on_host, lattice).adjacency(context, true);
}

Adjacency neighbours_of_colours(Context& context, Colouring& colouring, uint32_t count, const StencilRules& rules) {
    LatticeGraph graph;
    graph.reset(context, colouring.lattice());
    const View<const uint32_t> colours = colouring.colours().view();
    graph.find_corners(context, colours, rules);
    // Jump flooding can make colours with more links than a planar graph has; on CUDA they may exceed the room at
    // first.
    constexpr int kMostTries = 8;  // each with four times the room
    for (int tries = 1;; ++tries) {
        graph.link(context, colours, colouring.bins().view(), count, rules);
        graph.arrange(context);
        try {
            graph.read_counts(context);
            return std::move(graph.adjacency());
        } catch (const Error&) {
            if (tries == kMostTries) throw;
        }
    }
}

}  // namespace

DeviceColouredLattice colour_lattice_on_device(Context& context, const Lattice& lattice, View<const Point> sites,
                                               const ColourLatticeOptions& options) {
    const CancelScope scope(context.cancel_flag());
    if (options.neighbours != LatticeNeighbours::kNone && sites.count > kMaxLink)
        throw Error(std::to_string(sites.count) + " sites are too many for a graph of neighbours");
    if (sites.count >= kNone) throw Error(std::to_string(sites.count) + " sites are too many to be coloured");
    Colouring colouring;
    colouring.reset(context, lattice);
    if (!options.obstacles.empty() && options.obstacles.size() != lattice.pixel_count())
        throw Error(std::to_string(options.obstacles.size()) + " obstacle flags for a lattice of " +
                    std::to_string(lattice.width) + " × " + std::to_string(lattice.height) +
                    " pixels; give one for every pixel, or none");
    require_in_range(context, sites, "site");
    colouring.obstacles().upload(context, options.obstacles.data(), options.obstacles.size());
    const auto count = static_cast<uint32_t>(sites.count);
    colouring.colour(context, options.method, sites, count);

    DeviceColouredLattice result;
    Adjacency graph;
    if (options.neighbours == LatticeNeighbours::kColours && count > 0)
        graph = neighbours_of_colours(context, colouring, count, options.rules);
    else if (options.neighbours == LatticeNeighbours::kExact)
        graph = exact_neighbours(context, lattice, sites);
    if (graph.count > 0) {
        graph.starts.resize(context, size_t(graph.count) + 1);
        graph.neighbours.resize(context, graph.entry_count);
        result.row_starts = std::move(graph.starts);
        result.neighbours = std::move(graph.neighbours);
    }
    result.colours = std::move(colouring.colours());
    return result;
}

ColouredLattice colour_lattice(Context& context, const Lattice& lattice, std::span<const Point> sites,
                               const ColourLatticeOptions& options) {
    Buffer<Point> uploaded("sites");
    View<const Point> resident{sites.data(), sites.size()};
    if (context.on_cuda()) {
        uploaded.upload(context, sites.data(), sites.size());
        resident = uploaded.view();
    }
    const DeviceColouredLattice made = colour_lattice_on_device(context, lattice, resident, options);
    ColouredLattice result;
    result.colours = made.colours.download();
    if (options.neighbours == LatticeNeighbours::kNone) return result;
    result.row_starts = sites.empty() ? std::vector<uint32_t>{0} : made.row_starts.download(sites.size() + 1);
    result.neighbours = made.neighbours.download(result.row_starts.back());
    return result;
}

ColouredLattice colour_lattice(const Lattice& lattice, std::span<const Point> sites,
                               const ColourLatticeOptions& options) {
    Context context(options.device, options.threads);
    return colour_lattice(context, lattice, sites, options);
}

}  // namespace flipscope
