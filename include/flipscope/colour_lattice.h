// Digital Voronoi diagrams: lattices, and a function that computes the diagram of sites on a lattice, for programs that
// use the library.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "flipscope/buffer.h"
#include "flipscope/context.h"
#include "flipscope/point.h"

namespace flipscope {

/// The colour of an obstacle (Bernaschi, Lulli and Sbragaglia 2016): larger than every label.
inline constexpr uint32_t kMaxLink = 0x77777777u;

/// The periodic axes of a lattice: after the last pixel of a row (x), or of a column (y), comes the first one. With
/// both it is a torus, with one a cylinder, with none open.
struct PeriodicAxes {
    bool x = false, y = false;

    constexpr PeriodicAxes() = default;
    FLIPSCOPE_HD constexpr PeriodicAxes(bool both) : x(both), y(both) {}
    FLIPSCOPE_HD constexpr PeriodicAxes(bool along_x, bool along_y) : x(along_x), y(along_y) {}
    FLIPSCOPE_HD constexpr bool any() const { return x || y; }
    FLIPSCOPE_HD constexpr bool both() const { return x && y; }
    FLIPSCOPE_HD friend constexpr bool operator==(PeriodicAxes a, PeriodicAxes b) { return a.x == b.x && a.y == b.y; }
};

/// Pixels (x, y) with 0 <= x < width and 0 <= y < height, at the points (x, y) of the world; pixel y · width + x.
struct Lattice {
    uint32_t width = 0, height = 0;
    PeriodicAxes periodic = {};  // true or false: along both axes, or none
    // Obstacles close a torus along its border x = 0, or y = 0: cells that reach around them do not touch.
    bool walled_x = false, walled_y = false;

    FLIPSCOPE_HD uint32_t pixel_count() const { return width * height; }
    FLIPSCOPE_HD uint32_t pixel(uint32_t x, uint32_t y) const { return y * width + x; }
    FLIPSCOPE_HD uint32_t x_of(uint32_t pixel) const { return pixel % width; }
    FLIPSCOPE_HD uint32_t y_of(uint32_t pixel) const { return pixel / width; }
    FLIPSCOPE_HD friend bool operator==(const Lattice& a, const Lattice& b) {
        return a.width == b.width && a.height == b.height && a.periodic == b.periodic && a.walled_x == b.walled_x &&
               a.walled_y == b.walled_y;
    }

    /// b - a on the shortest way, world units; along a periodic axis at most half a period, if both lie in [0, period].
    FLIPSCOPE_HD static double shortest(double a, double b, double period) {
        const double d = b - a;
        return 2 * d > period ? d - period : 2 * d < -period ? d + period : d;
    }
    FLIPSCOPE_HD double difference_x(double a, double b) const { return periodic.x ? shortest(a, b, width) : b - a; }
    FLIPSCOPE_HD double difference_y(double a, double b) const { return periodic.y ? shortest(a, b, height) : b - a; }
    FLIPSCOPE_HD Point difference(Point a, Point b) const { return {difference_x(a.x, b.x), difference_y(a.y, b.y)}; }
    /// Whether the shortest way between two places leads through a wall along the border.
    FLIPSCOPE_HD bool parted(Point a, Point b) const {
        return (walled_x && 2 * std::fabs(b.x - a.x) > width) || (walled_y && 2 * std::fabs(b.y - a.y) > height);
    }
    /// The squared distance, rounded as doubles are: the same on every device, and exact where the coordinates of the
    /// site are multiples of 2^-10 on a lattice of up to 2^14. Colours are decided by comparisons without rounding.
    FLIPSCOPE_HD double squared_distance(Point a, Point b) const {
        const Point d = difference(a, b);
        return d.x * d.x + d.y * d.y;
    }
    FLIPSCOPE_HD Point place(uint32_t pixel) const { return {double(x_of(pixel)), double(y_of(pixel))}; }
    /// The same place within [0, width) along x and [0, height) along y, where these are periodic; NaN for an infinite
    /// coordinate; along an open axis the coordinate itself.
    FLIPSCOPE_HD Point wrapped(Point p) const {
        return {periodic.x ? wrapped(p.x, width) : p.x, periodic.y ? wrapped(p.y, height) : p.y};
    }
    FLIPSCOPE_HD static double wrapped(double x, double period) {
        if (x >= -period && x < 2 * period) {  // exact; nearly all places
            if (x < 0) x += period;
            return x >= period ? x - period : x;
        }
        x = std::fmod(x, period);
        if (x < 0) x += period;
        return x >= period ? 0 : x;
    }
};

/// The method that finds the nearest site of each pixel.
enum class ColouringMethod : uint32_t {
    kExact,        // tiles of pixels share a short list of sites, culled by distance; equal to kEverySite everywhere
    kEverySite,    // one thread per pixel over all sites: the paper's
    kJumpFlooding  // Rong and Tan (2006), with one more jump of 1: approximate
};

/// The cells whose neighbours are computed from the sites, in addition to the rules: none; those of sites that the
/// lattice does not resolve; or all.
enum class ExactCells : int { kNone, kNear, kAll };

/// The variant of the rules of Bernaschi, Lulli and Sbragaglia (2016, III B 2). The defaults follow the paper's text,
/// except at open borders.
struct StencilRules {
    bool mirror = false;         // also test the mirror image of the long diagonal
    bool lenient_strip = false;  // a diagonal strip separates two cells only if it belongs to neither of them
    bool inner_frame = true;     // the fifth condition
    int gaps = 3;                // gaps that make a pixel a corner (a vertex of the paper); 2: all pixels of edges, too
    int open_gaps = 2;           // the same on an open border; the paper: 3
    bool obstacles_end = false;  // an edge may end at an obstacle as at a border; the paper: it may not
    int exact_cells = 0;         // ExactCells; the paper: none
    friend bool operator==(const StencilRules&, const StencilRules&) = default;
};

/// The definition of neighbouring sites.
enum class LatticeNeighbours {
    kNone,     // no neighbours
    kColours,  // whose colours meet on the lattice, by the rules of Bernaschi, Lulli and Sbragaglia (2016, III B 2)
    kExact,    // whose Voronoi cells share an edge or a vertex that the lattice's box shows: the Delaunay edges
};

struct ColourLatticeOptions {
    DeviceRequest device = DeviceRequest::kAuto;  // of the context that is made if the caller gives none
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
    // Each pair is in both rows. Empty without neighbours.
    std::vector<uint32_t> row_starts;  // (n + 1)
    std::vector<uint32_t> neighbours;
};

/// ColouredLattice in the device's memory. Must not outlive the context.
struct DeviceColouredLattice {
    Buffer<uint32_t> colours;                 // (h, w)
    Buffer<uint32_t> row_starts, neighbours;  // as there
};

/// Gives each pixel (x, y) of the lattice, 0 <= x < width and 0 <= y < height, the index of the site nearest to the
/// point (x, y): without rounding, ties to the lowest index, along periodic axes (lattice.periodic) on the shortest
/// way. Jump flooding (Rong and Tan 2006) is approximate.
///
/// `sites`: (n, 2) doubles in host memory, in lattice units; sites beyond the border are allowed, and are wrapped along
/// periodic axes; each coordinate 0 or between 2^-200 and 2^200 in size. Of equal sites the lowest index has the cell.
/// Lattice: at least one pixel and fewer than 2^31.
///
/// Throws Error for a lattice without pixels or with too many, a coordinate that is not in range, obstacles of another
/// size, and more than 2 004 318 071 sites with neighbours (kMaxLink); Cancelled after Context::cancel().
ColouredLattice colour_lattice(Context& context, const Lattice& lattice, std::span<const Point> sites,
                               const ColourLatticeOptions& options = {});

/// The same on a context made for this call, as triangulate() does.
ColouredLattice colour_lattice(const Lattice& lattice, std::span<const Point> sites,
                               const ColourLatticeOptions& options = {});

/// The same for sites in the device's memory (on CPU threads: any memory), with the result there. Only counters are
/// copied to the host, except with kExact, whose graph is partly made there.
DeviceColouredLattice colour_lattice_on_device(Context& context, const Lattice& lattice, View<const Point> sites,
                                               const ColourLatticeOptions& options = {});

}  // namespace flipscope
