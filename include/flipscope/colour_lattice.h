// The digital Voronoi diagram of sites on a lattice as a function call: for programs that use the library. It runs
// Colouring and, where the neighbours are asked for, LatticeGraph or exact_graph(); a program that colours a lattice in
// every frame keeps these instead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voronoi/colouring/colouring.h"
#include "voronoi/graph/adjacency.h"
#include "voronoi/graph/stencil.h"

namespace flipscope {

/// Which sites count as neighbours.
enum class LatticeNeighbours {
    kNone,     // not asked for
    kColours,  // whose colours meet on the lattice, by the rules of Bernaschi, Lulli and Sbragaglia (2016, III B 2)
    kExact,    // whose Voronoi cells share an edge or a vertex that the lattice's box shows: the Delaunay edges
};

struct ColourLatticeOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made when the caller gives none
    int threads = 0;                              // the same; 0: as many as the machine has
    ColouringMethod method = ColouringMethod::kExact;
    std::span<const uint8_t> obstacles = {};  // (h, w) on the host, not 0: a pixel without a cell; empty: none
    LatticeNeighbours neighbours = LatticeNeighbours::kNone;
    StencilRules rules = {};  // of kColours
};

struct ColouredLattice {
    /// (h, w) row 0 at y = 0: the index of the nearest site; kMaxLink on an obstacle; kNone where there is no site.
    std::vector<uint32_t> colours;
    // The graph of neighbours in rows: those of site i are neighbours[row_starts[i] … row_starts[i + 1]), ascending.
    // Each pair stands in both rows. Empty when not asked for.
    std::vector<uint32_t> row_starts;  // (n + 1)
    std::vector<uint32_t> neighbours;
};

/// The same in the device's memory. It must not outlive the context.
struct DeviceColouredLattice {
    Buffer<uint32_t> colours;  // (h, w)
    Adjacency graph;           // count 0 when not asked for
};

/// Gives each pixel (x, y) of the lattice, 0 <= x < width and 0 <= y < height, the index of the site nearest to the
/// point (x, y): without rounding, ties to the lowest index, along periodic axes (lattice.periodic) on the shortest
/// way. By jump flooding (Rong and Tan 2006), if that is the method, approximately.
///
/// `sites`: (n, 2) doubles in host memory, in lattice units, which may lie beyond the border, and along periodic axes
/// are then wrapped; each coordinate 0 or between 2^-200 and 2^200 in size. Equal sites: the lowest index has the cell.
/// Lattice: at least one pixel and fewer than 2^31.
///
/// Throws Error for a lattice without pixels or with too many, a coordinate that is not in range, obstacles of another
/// size, and more than 2 004 318 071 sites with neighbours (kMaxLink); Cancelled when the context was told to.
ColouredLattice colour_lattice(Context& context, const Lattice& lattice, std::span<const Point> sites,
                               const ColourLatticeOptions& options = {});

/// The same on a context made for this call, as triangulate() does.
ColouredLattice colour_lattice(const Lattice& lattice, std::span<const Point> sites,
                               const ColourLatticeOptions& options = {});

/// The same for sites in the device's memory (on CPU threads: in any), and with the result left there. Nothing but
/// counters is copied to the host, except with kExact, whose graph is made there in part.
DeviceColouredLattice colour_lattice_on_device(Context& context, const Lattice& lattice, View<const Point> sites,
                                               const ColourLatticeOptions& options = {});

}  // namespace flipscope
