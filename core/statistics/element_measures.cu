#include "statistics/element_measures.h"

#include <array>
#include <cmath>

#include "compute/portable_math.h"
#include "compute/primitives.h"
#include "mesh/legality.h"
#include "mesh/star.h"
#include "statistics/area_rings.h"
#include "statistics/structures.h"

namespace flipscope {

namespace {

constexpr std::array<ElementQuantityInfo, kElementQuantityCount> kQuantities{{
    {ElementQuantity::kDegree, "degree", "degrees", "degree", ElementKind::kVertex, "",
     "Edges at a vertex: 6 on average on a torus, and in the plane a little less.", false, 0},
    {ElementQuantity::kNearest, "nearest", "nearest-neighbour distances", "nearest distance", ElementKind::kVertex,
     "world units", "From a point to the one nearest to it, which a Delaunay edge leads to.", false, 1},
    {ElementQuantity::kCellArea, "cell-area", "Voronoi cell areas", "Voronoi cell area", ElementKind::kVertex,
     "world units²",
     "The area nearer to a point than to any other, within the window; cells that it cuts are not counted.", true, 2},
    {ElementQuantity::kCellPerimeter, "cell-perimeter", "Voronoi cell perimeters", "Voronoi cell perimeter",
     ElementKind::kVertex, "world units",
     "The length of the outline of a cell; cells that the window cuts are not counted.", true, 1},
    {ElementQuantity::kNeighbourDegree, "neighbour-degree", "degrees of neighbours", "degree of its neighbours",
     ElementKind::kVertex, "", "How many edges its neighbours have, on average.", false, 0},
    {ElementQuantity::kBondOrder4, "psi4", "|ψ₄|", "|ψ₄|", ElementKind::kVertex, "",
     "How square the neighbourhood is: |mean of exp(4iθ)| over the directions θ of the edges; 1 in a square lattice "
     "without its diagonals.",
     true, 0},
    {ElementQuantity::kBondOrder6, "psi6", "|ψ₆|", "|ψ₆|", ElementKind::kVertex, "",
     "How hexagonal the neighbourhood is: |mean of exp(6iθ)| over the directions θ of the edges; 1 in a triangular "
     "lattice (Halperin and Nelson 1978).",
     true, 0},
    {ElementQuantity::kBondAngle6, "psi6-angle", "orientations of ψ₆", "orientation of ψ₆", ElementKind::kVertex, "°",
     "How the hexagon that fits a neighbourhood best is turned: arg ψ₆ / 6, from -30° to 30°.", true, 0},
    {ElementQuantity::kEdgeLength, "edge-length", "edge lengths", "edge length", ElementKind::kEdge, "world units",
     "From one end of an edge to the other.", false, 1},
    {ElementQuantity::kAlpha, "alpha", "α of edges", "α", ElementKind::kEdge, "world units",
     "The radius at which an edge enters the α-complex: half its length if no point lies inside the circle with it as "
     "diameter, else the smaller circumradius of its triangles.",
     true, 1},
    {ElementQuantity::kBeta, "beta", "greatest β of edges", "greatest β", ElementKind::kEdge, "",
     "The greatest β of a β-skeleton that has the edge: from 1 on it is a Gabriel edge, from 2 on a relative neighbour "
     "edge. Of a Delaunay triangulation.",
     true, 0},
    {ElementQuantity::kMinimumAngle, "min-angle", "minimum angles", "minimum angle", ElementKind::kTriangle, "°",
     "The smallest angle of a triangle: 60° where all its sides are equal.", false, 0},
    {ElementQuantity::kTriangleArea, "triangle-area", "triangle areas", "triangle area", ElementKind::kTriangle,
     "world units²", "The area of a triangle.", false, 2},
    {ElementQuantity::kCircumradius, "circumradius", "circumradii", "circumradius", ElementKind::kTriangle,
     "world units", "The radius at which a triangle enters the α-complex.", true, 1},
}};
constexpr bool are_in_order() {
    for (uint32_t k = 0; k < kElementQuantityCount; ++k)
        if (kQuantities[k].quantity != ElementQuantity(k)) return false;
    return true;
}
static_assert(are_in_order(), "one row per quantity, in the order of the enumerators");

/// The angle of the direction (cosine, sine), of any length above 0, in [0, π], for sine >= 0. Errors are a few units
/// in the last place; the bits are the same on every device, by the rules of compute/portable_math.h.
FLIPSCOPE_HD inline double angle_of(double cosine, double sine) {
    constexpr double kPi = 3.14159265358979323846;
    // tan of the angle to the nearer axis, at most 1; halved twice, it is at most tan(π/16), where the series is short.
    const double size = cosine < 0 ? -cosine : cosine;
    const bool steep = sine > size;
    const double above = steep ? size : sine, below = steep ? sine : size;
    if (!(below > 0)) return 0;
    double t = above / below;
    for (int halving = 0; halving < 2; ++halving) t /= 1 + sqrt(1 + t * t);
    constexpr double kTerms[] = {1,       -1. / 3,  1. / 5,  -1. / 7,  1. / 9, -1. / 11,
                                 1. / 13, -1. / 15, 1. / 17, -1. / 19, 1. / 21};
    const double nearest = 4 * t * portable::polynomial(kTerms, t * t);
    const double first = steep ? kPi / 2 - nearest : nearest;
    return cosine < 0 ? kPi - first : first;
}

/// What kernels walk on: vertices beyond `inside` count as if they were at infinity.
struct Ring {
    MeshView mesh;
    uint32_t inside;
    Point sides;  // of a torus

    FLIPSCOPE_HD bool is_inside(uint32_t v) const { return v < inside; }
    /// Whether the edge at a slot belongs to the border at infinity.
    FLIPSCOPE_HD bool is_outer(uint32_t slot) const {
        return !is_inside(mesh.from(slot)) || !is_inside(mesh.to(slot)) || mesh.is_beyond(slot);
    }
    /// Along the edge at a slot, both ends of which are inside.
    FLIPSCOPE_HD Point3 step(uint32_t slot) const {
        const uint32_t from = mesh.from(slot), to = mesh.to(slot);
        const Point a = mesh.positions[from], b = mesh.positions[to];
        Point3 d{b.x - a.x, b.y - a.y, 0};
        if (mesh.shifts) {
            d.x += sides.x * mesh.shifts[slot].x;
            d.y += sides.y * mesh.shifts[slot].y;
        }
        if (mesh.heights) d.z = mesh.heights[to] - mesh.heights[from];
        return d;
    }
};

struct ClearVertices {
    View<uint32_t> spokes, degree_sums;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        spokes[v] = kNone;
        degree_sums[v] = 0;
    }
};

/// The first slot that starts at each vertex.
struct FindSpokes {
    Ring ring;
    View<uint32_t> spokes;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t slot = 3 * t + k, v = ring.mesh.from(slot);
            if (!ring.is_inside(v)) continue;
            for (uint32_t seen = atomic_load(spokes[v]); slot < seen;) {
                const uint32_t stood = atomic_exchange_if(spokes[v], seen, slot);
                if (stood == seen) break;
                seen = stood;
            }
        }
    }
};

constexpr double kFar = Window::kFar;

/// A neighbour as seen from the vertex.
struct Neighbour {
    Point to{0, 0};
    double squared = 0;
    bool inside = false;
};

/// Along the bisector between the vertex and `self`, from the middle between them and in units of their distance, to
/// the left: where the bisector of another neighbour crosses it. `turn`: 1 / (self × other).
FLIPSCOPE_HD inline double crossing(const Neighbour& self, const Neighbour& other, double turn) {
    return (other.squared - (self.to.x * other.to.x + self.to.y * other.to.y)) * (0.5 * turn);
}
/// 1 / (a × b), 0 where b is not to the right of a.
FLIPSCOPE_HD inline double turn_between(const Neighbour& a, const Neighbour& b) {
    const double turn = a.to.x * b.to.y - a.to.y * b.to.x;
    return a.inside && b.inside && turn < 0 ? 1 / turn : 0;
}

/// Where the window begins and ends as seen from a place: nowhere along a periodic axis.
struct SeenWindow {
    Point low, high;
    FLIPSCOPE_HD SeenWindow(const Window& window, Point p)
        : low{window.low.x - p.x, window.low.y - p.y}, high{window.high.x - p.x, window.high.y - p.y} {
        if (window.periodic_x) low.x = -double(INFINITY), high.x = double(INFINITY);
        if (window.periodic_y) low.y = -double(INFINITY), high.y = double(INFINITY);
    }
};

/// Whether the place at t along a bisector is in the window.
FLIPSCOPE_HD inline bool is_within(Point low, Point high, Point middle, Point to, double t) {
    const double x = middle.x - to.y * t, y = middle.y + to.x * t;
    return x >= low.x && x <= high.x && y >= low.y && y <= high.y;
}

/// The side of a cell on the bisector towards `self`, between those of the neighbours to the left and right, as places
/// along it; left <= right: there is none. Returns whether the window ends it.
FLIPSCOPE_HD inline bool cell_side(const Window& window, Point low, Point high, const Neighbour& before,
                                   double before_turn, const Neighbour& self, const Neighbour& after, double turn,
                                   double& left, double& right) {
    left = before_turn != 0 ? crossing(self, before, -before_turn) : kFar;
    right = turn != 0 ? crossing(self, after, turn) : -kFar;
    const Point middle{self.to.x / 2, self.to.y / 2};
    if (window.is_torus() ||
        (is_within(low, high, middle, self.to, left) && is_within(low, high, middle, self.to, right)))
        return false;
    narrow(middle.x - low.x, -self.to.y, right, left);
    narrow(high.x - middle.x, self.to.y, right, left);
    narrow(middle.y - low.y, self.to.x, right, left);
    narrow(high.y - middle.y, -self.to.x, right, left);
    return true;
}

/// Walks around a vertex, clockwise.
struct Walk {
    Ring ring;
    FLIPSCOPE_HD Neighbour at(uint32_t spoke) const {
        Neighbour found;
        found.inside = !ring.is_outer(spoke);
        if (found.inside) {
            const Point3 d = ring.step(spoke);
            found.to = {d.x, d.y};
            found.squared = d.x * d.x + d.y * d.y;
            if (ring.mesh.heights) found.squared += d.z * d.z;
        }
        return found;
    }

    /// The one to the left of the first, as the triangle of its spoke has it.
    FLIPSCOPE_HD Neighbour before(uint32_t first) const {
        Neighbour found;
        const uint32_t apex_slot = previous_corner(first);  // leads from that neighbour to the vertex
        found.inside = !ring.is_outer(apex_slot);
        if (found.inside) {
            const Point3 d = ring.step(apex_slot);
            found.to = {-d.x, -d.y};
            found.squared = d.x * d.x + d.y * d.y + d.z * d.z;
        }
        return found;
    }
    /// Calls visit(spoke, before, its turn, self, after, its turn) for every neighbour. False: the way around does not
    /// come back, since incidence is stale between a flip and its repair; what was visited means nothing.
    template <class Visit>
    FLIPSCOPE_HD bool around(uint32_t first, const Visit& visit) const {
        const uint32_t centre = ring.mesh.from(first);
        uint32_t spoke = first, earlier = first, steps = 0, mark = 1;
        Neighbour last = before(first), self = at(first);
        double last_turn = turn_between(last, self);
        do {
            const uint32_t next = next_spoke(ring.mesh, spoke);
            // A circle without the first spoke meets one of those kept at powers of two (Brent 1980).
            if (ring.mesh.from(next) != centre || (next == earlier && next != first)) return false;
            if (++steps == mark) {
                earlier = next;
                mark *= 2;
            }
            const Neighbour after = at(next);
            const double turn = turn_between(self, after);
            visit(spoke, last, last_turn, self, after, turn);
            last = self;
            self = after;
            last_turn = turn;
            spoke = next;
        } while (spoke != first);
        return true;
    }
    /// The parts of the window's sides that lie in the cell, as ends along them: below, above, left, right.
    FLIPSCOPE_HD void window_sides(uint32_t first, Point low, Point high, double from[4], double to[4]) const {
        from[0] = from[1] = low.x;
        to[0] = to[1] = high.x;
        from[2] = from[3] = low.y;
        to[2] = to[3] = high.y;
        // A window without such sides: none is left of them.
        if (low.x < -kFar) from[2] = from[3] = to[2] = to[3] = 0;
        if (low.y < -kFar) from[0] = from[1] = to[0] = to[1] = 0;
        uint32_t spoke = first;
        do {
            const Neighbour other = at(spoke);
            if (other.inside && other.squared > 0) {
                const double half = other.squared / 2;
                narrow(half - low.y * other.to.y, -other.to.x, from[0], to[0]);
                narrow(half - high.y * other.to.y, -other.to.x, from[1], to[1]);
                narrow(half - low.x * other.to.x, -other.to.y, from[2], to[2]);
                narrow(half - high.x * other.to.x, -other.to.y, from[3], to[3]);
            }
            spoke = next_spoke(ring.mesh, spoke);
        } while (spoke != first);
    }
};

struct MeasureVertices {
    Walk walk;
    Window window;
    View<const uint32_t> spokes;
    View<double> degree, nearest, area, perimeter, order4, order6, angle6;
    View<double> bond_x, bond_y;
    View<uint8_t> flags;
    static constexpr bool kManyThreads = true;

    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const double nan = double(NAN);
        const uint32_t first = spokes[v];
        const auto give_up = [&] {
            flags[v] = kNotMeasured;
            degree[v] = nearest[v] = nan;
            if (area) area[v] = perimeter[v] = order4[v] = order6[v] = angle6[v] = bond_x[v] = bond_y[v] = nan;
        };
        if (first == kNone) return give_up();
        const Point p = walk.ring.mesh.positions[v];
        const SeenWindow seen(window, p);
        const Point low = seen.low, high = seen.high;
        uint32_t found = 0;
        uint8_t flag = 0;
        double least = kFar, area4 = 0, length = 0;
        Point four{0, 0}, six{0, 0};
        const bool whole = walk.around(first, [&](uint32_t, const Neighbour& before, double before_turn,
                                                  const Neighbour& self, const Neighbour& after, double turn) {
            if (!self.inside) {
                flag |= kOnOutline;
                return;
            }
            ++found;
            if (self.squared < least) least = self.squared;
            if (!area || !(self.squared > 0)) return;
            const double distance = sqrt(self.squared), per = 1 / distance, x = self.to.x * per, y = self.to.y * per;
            const Point two{x * x - y * y, 2 * x * y};
            const Point to4{two.x * two.x - two.y * two.y, 2 * two.x * two.y};
            four.x += to4.x;
            four.y += to4.y;
            six.x += to4.x * two.x - to4.y * two.y;
            six.y += to4.x * two.y + to4.y * two.x;
            double left, right;
            if (cell_side(window, low, high, before, before_turn, self, after, turn, left, right)) flag |= kCellCut;
            if (left > right) {
                area4 += (left - right) * self.squared;
                length += (left - right) * distance;
            }
        });
        if (!whole) return give_up();
        if (area && flag & kCellCut) {
            double from[4], to[4];
            walk.window_sides(first, low, high, from, to);
            const double distance[4] = {-low.y, high.y, -low.x, high.x};
            for (int k = 0; k < 4; ++k) {
                if (!(to[k] > from[k])) continue;
                area4 += 2 * (to[k] - from[k]) * distance[k];
                length += to[k] - from[k];
            }
        }
        flags[v] = flag;
        degree[v] = found;
        nearest[v] = found ? sqrt(least) : nan;
        if (!area) return;
        area[v] = area4 / 4;
        perimeter[v] = length;
        const double n = found ? found : nan;
        const double size4 = sqrt(four.x * four.x + four.y * four.y) / n;
        const double size6 = sqrt(six.x * six.x + six.y * six.y) / n;
        order4[v] = size4 < 1 ? size4 : found ? 1 : nan;
        order6[v] = size6 < 1 ? size6 : found ? 1 : nan;
        const double turned = angle_of(six.x, six.y < 0 ? -six.y : six.y) * (30 / 3.14159265358979323846);
        angle6[v] = found ? (six.y < 0 ? -turned : turned) : nan;
        bond_x[v] = six.x / n;
        bond_y[v] = six.y / n;
    }
};

/// A triangle for every spoke, where its slot says.
struct WriteCells {
    Walk walk;
    Window window;
    View<const uint32_t> spokes;
    View<const uint8_t> flags;
    uint8_t skipped;  // flags of vertices without triangles
    View<Point> corners;
    View<uint32_t> owners;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        const uint32_t first = spokes[v];
        if (flags[v] & skipped) return;
        const Point p = walk.ring.mesh.positions[v];
        const SeenWindow seen(window, p);
        const Point low = seen.low, high = seen.high;
        walk.around(first, [&](uint32_t spoke, const Neighbour& before, double before_turn, const Neighbour& self,
                               const Neighbour& after, double turn) {
            if (!self.inside) return;
            double left, right;
            cell_side(window, low, high, before, before_turn, self, after, turn, left, right);
            owners[spoke] = v;
            if (!(left > right)) return;
            const Point middle{p.x + self.to.x / 2, p.y + self.to.y / 2};
            corners[3 * size_t(spoke)] = p;
            corners[3 * size_t(spoke) + 1] = {middle.x - self.to.y * right, middle.y + self.to.x * right};
            corners[3 * size_t(spoke) + 2] = {middle.x - self.to.y * left, middle.y + self.to.x * left};
        });
    }
};

/// Cells that the window cuts, and what its sides add to them: four triangles each.
struct WriteCutCells {
    Walk walk;
    Window window;
    uint32_t first_triangle;
    View<const uint32_t> spokes;
    View<const uint8_t> flags;
    View<Point> corners;
    View<uint32_t> owners;
    FLIPSCOPE_HD uint32_t code(uint32_t v) const { return flags[v] & kCellCut ? 4 : 0; }
    FLIPSCOPE_HD void emit(uint32_t v, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const Point p = walk.ring.mesh.positions[v];
        const SeenWindow seen(window, p);
        const Point low = seen.low, high = seen.high;
        double from[4], to[4];
        walk.window_sides(spokes[v], low, high, from, to);
        for (uint32_t k = 0; k < 4; ++k) {
            const size_t triangle = size_t(first_triangle) + rank + k;
            owners[triangle] = v;
            Point a = p, b = p;
            if (to[k] > from[k]) {
                const double side = k == 0   ? window.low.y
                                    : k == 1 ? window.high.y
                                    : k == 2 ? window.low.x
                                             : window.high.x;
                const bool level = k < 2;
                a = level ? Point{p.x + from[k], side} : Point{side, p.y + from[k]};
                b = level ? Point{p.x + to[k], side} : Point{side, p.y + to[k]};
            }
            // Counter-clockwise: above and to the left the other way round.
            const bool turned = k == 1 || k == 2;
            corners[3 * triangle] = p;
            corners[3 * triangle + 1] = turned ? b : a;
            corners[3 * triangle + 2] = turned ? a : b;
        }
    }
};

struct ClearCells {
    View<Point> corners;
    View<uint32_t> owners;
    FLIPSCOPE_HD void operator()(uint32_t triangle) const {
        owners[triangle] = kNone;
        for (uint32_t k = 0; k < 3; ++k) corners[3 * size_t(triangle) + k] = {0, 0};
    }
};

/// Lengths, the degrees of neighbours, and how many edges are illegal.
struct MeasureEdges {
    Ring ring;
    View<const double> degree;
    View<uint32_t> degree_sums;
    View<double> lengths;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        const uint32_t slot = ring.mesh.corner_of[2 * size_t(e)];
        const uint32_t from = ring.mesh.from(slot), to = ring.mesh.to(slot);
        if (ring.is_outer(slot)) {
            lengths[e] = double(NAN);
            return;
        }
        const Point3 d = ring.step(slot);
        lengths[e] = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        if (!degree) return;
        const double here = degree[from], there = degree[to];
        if (there > 0) atomic_add(degree_sums[from], static_cast<uint32_t>(there));
        if (here > 0) atomic_add(degree_sums[to], static_cast<uint32_t>(here));
    }
};

struct CountIllegal {
    Ring ring;
    FLIPSCOPE_HD static bool is_inside(Point a, Point b, Point c, Point d) {
        const detail::Determinant determinant = detail::incircle(a, b, c, d);
        if (fabs(determinant.value) > determinant.error) return determinant.value > 0;
        return exact::incircle_sign(a, b, c, d) > 0;
    }
    FLIPSCOPE_HD void operator()(uint32_t e, BlockSums& sums) const {
        const Quad q = quad_at(ring.mesh, e);
        if (!ring.is_inside(q.from) || !ring.is_inside(q.to) || !ring.is_inside(q.left) || !ring.is_inside(q.right))
            return;
        bool illegal;
        if (ring.mesh.shifts) {
            if (ring.mesh.is_beyond_borders(ring.mesh.corner_of[2 * size_t(e)] / 3) ||
                ring.mesh.is_beyond_borders(ring.mesh.corner_of[2 * size_t(e) + 1] / 3))
                return;
            // As seen from `from`; differences on the torus are exact.
            const uint32_t slot = ring.mesh.corner_of[2 * size_t(e)], other = ring.mesh.corner_of[2 * size_t(e) + 1];
            const Point3 to = ring.step(slot), back = ring.step(previous_corner(slot)),
                         right = ring.step(next_corner(other));
            illegal = is_inside({0, 0}, {to.x, to.y}, {-back.x, -back.y}, {right.x, right.y});
        } else {
            const View<const Point>& at = ring.mesh.positions;
            illegal = is_inside(at[q.from], at[q.to], at[q.left], at[q.right]);
        }
        sums.value[0] += illegal;
    }
};

/// Copies at the rim lack edges: all have the degree of the one in the middle.
struct TakeDegrees {
    View<const uint32_t> copies;
    View<const double> degree;
    View<double> of_points;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        constexpr uint32_t each = MeasuredMesh::kCopies;
        if (copies[v] % each == MeasuredMesh::kMiddle) of_points[copies[v] / each] = degree[v];
    }
};
struct ShareDegrees {
    View<const uint32_t> copies;
    View<const double> of_points;
    View<double> degree;
    FLIPSCOPE_HD void operator()(uint32_t v) const { degree[v] = of_points[copies[v] / MeasuredMesh::kCopies]; }
};

/// Elements that stand for all their copies: one of their corners lies in the middle.
struct StandsForCopies {
    View<const uint32_t> copies;
    static constexpr uint8_t kFlagsKept = 0, kFlagsSet = kNotMeasured;
    FLIPSCOPE_HD bool operator()(const uint32_t* corners, uint32_t count) const {
        uint32_t first = kNone;
        for (uint32_t k = 0; k < count; ++k) {
            const uint32_t copy = corners[k] < copies.count ? copies[corners[k]] : kNone;
            if (copy < first) first = copy;
        }
        return first != kNone && first % MeasuredMesh::kCopies == MeasuredMesh::kMiddle;
    }
};

/// Elements whose centroid lies in the study area, and those of helpers, of which nothing is known anyway.
struct LiesInWindow {
    MeshView mesh;
    AreaView area;
    uint32_t inside;  // vertices from here on are helpers
    static constexpr uint8_t kFlagsKept = 0xff, kFlagsSet = kOutside;
    FLIPSCOPE_HD bool operator()(const uint32_t* corners, uint32_t count) const {
        Point sum{0, 0};
        for (uint32_t k = 0; k < count; ++k) {
            if (corners[k] >= inside) return true;
            sum.x += mesh.positions[corners[k]].x;
            sum.y += mesh.positions[corners[k]].y;
        }
        return area.contains({sum.x / count, sum.y / count});
    }
};

/// Nothing is known of all other elements.
template <class Keep>
struct LeaveOut {
    Keep keep;
    uint32_t each;                 // corners of an element
    View<const uint32_t> corners;  // (n, each); empty: of vertices
    View<double> values[10];       // (n) each, or empty
    View<uint8_t> flags;           // (n) of vertices, or empty
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (corners ? keep(corners.data + size_t(each) * i, each) : keep(&i, 1)) return;
        for (const View<double>& one : values)
            if (one) one[i] = double(NAN);
        if (flags) flags[i] = (flags[i] & Keep::kFlagsKept) | Keep::kFlagsSet;
    }
};

struct ScaleValues {
    double factor;
    View<double> values;
    FLIPSCOPE_HD void operator()(uint32_t i) const { values[i] *= factor; }
};

struct FinishVertices {
    View<const double> degree;
    View<const uint32_t> degree_sums;
    View<double> neighbour_degree;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        neighbour_degree[v] = degree[v] > 0 ? degree_sums[v] / degree[v] : double(NAN);
    }
};

struct MeasureTriangles {
    Ring ring;
    View<double> angles, areas;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (ring.is_outer(3 * t + k)) {
                angles[t] = areas[t] = double(NAN);
                return;
            }
        const Point3 side[3] = {ring.step(3 * t), ring.step(3 * t + 1), ring.step(3 * t + 2)};
        double squared[3];
        for (uint32_t k = 0; k < 3; ++k) squared[k] = dot(side[k], side[k]);
        // The smallest angle lies opposite to the shortest side, between the two others.
        uint32_t shortest = 0;
        for (uint32_t k = 1; k < 3; ++k)
            if (squared[k] < squared[shortest]) shortest = k;
        const Point3 a = side[(shortest + 1) % 3], b = side[(shortest + 2) % 3];
        const Point3 normal = cross(a, b);
        const double twice = sqrt(dot(normal, normal));
        const double cosine = -dot(a, b);
        angles[t] = cosine != 0 || twice != 0 ? angle_of(cosine, twice) * (180 / 3.14159265358979323846) : 0;
        const double signed_twice = ring.mesh.heights || normal.z >= 0 ? twice : -twice;
        areas[t] = signed_twice / 2;
    }
};

}  // namespace

MeasuredMesh measured(const TriangleMesh& mesh, uint32_t vertex_count, const Window& window) {
    return {mesh.view(), vertex_count, mesh.edge_count, mesh.triangle_count, window};
}

std::span<const ElementQuantityInfo> element_quantities() { return kQuantities; }

const ElementQuantityInfo& info_of(ElementQuantity quantity) { return kQuantities[static_cast<uint32_t>(quantity)]; }

const ElementQuantityInfo* find_quantity(const std::string& id) {
    for (const ElementQuantityInfo& info : kQuantities)
        if (id == info.id) return &info;
    return nullptr;
}

uint32_t ElementMeasures::count_of(ElementKind kind) const {
    return kind == ElementKind::kVertex ? mesh_.vertex_count
           : kind == ElementKind::kEdge ? mesh_.edge_count
                                        : mesh_.triangle_count;
}

void ElementMeasures::measure(Context& context, const MeasuredMesh& mesh) { measure(context, mesh, Kinds{}); }

void ElementMeasures::measure_only(Context& context, const MeasuredMesh& mesh, ElementQuantity quantity,
                                   bool legality) {
    const ElementKind kind = info_of(quantity).element;
    const bool neighbours = quantity == ElementQuantity::kNeighbourDegree;
    measure(context, mesh,
            {kind == ElementKind::kVertex, kind == ElementKind::kEdge || neighbours, kind == ElementKind::kTriangle,
             legality, quantity == ElementQuantity::kBeta});
}

/// The quantities of structures.h, in the plane; elsewhere NaN.
void ElementMeasures::measure_structures(Context& context, const Kinds& kinds) {
    const auto clear = [&](ElementQuantity quantity) -> const Buffer<double>& {
        Buffer<double>& values = values_[static_cast<uint32_t>(quantity)];
        values.fill_bytes(0xFF);
        return values;
    };
    const Buffer<double>&alpha = clear(ElementQuantity::kAlpha), &radii = clear(ElementQuantity::kCircumradius),
          &beta = clear(ElementQuantity::kBeta);
    if (mesh_.mesh.shifts || mesh_.in_space()) return;
    const StructureMesh of{mesh_.mesh, mesh_.vertex_count, mesh_.edge_count, mesh_.triangle_count};
    write_alpha(context, of, alpha, radii);
    if (kinds.beta && of.inside == mesh_.mesh.infinite && count_illegal(context, of) == 0)
        write_beta(context, of, beta);
}

void ElementMeasures::measure(Context& context, const MeasuredMesh& mesh, const Kinds& kinds) {
    mesh_ = mesh;
    const uint32_t n = mesh.vertex_count;
    const bool planar = !mesh.in_space();
    const auto wanted = [&](const ElementQuantityInfo& info) {
        if (info.planar && !planar) return false;
        if (info.quantity == ElementQuantity::kBeta) return kinds.beta;
        return info.element == ElementKind::kVertex ? kinds.vertices
               : info.element == ElementKind::kEdge ? kinds.edges
                                                    : kinds.triangles;
    };
    for (const ElementQuantityInfo& info : kQuantities)
        values_[static_cast<uint32_t>(info.quantity)].resize(context, wanted(info) ? count_of(info.element) : 0, false);
    const Ring ring{mesh.mesh, n, {mesh.window.width(), mesh.window.height()}};
    const auto of = [&](ElementQuantity q) {
        Buffer<double>& values = values_[static_cast<uint32_t>(q)];
        return values.empty() ? View<double>{} : values.view();
    };
    if (kinds.vertices) {
        flags_.resize(context, n, false);
        spokes_.resize(context, n, false);
        degree_sums_.resize(context, n, false);
        for (Buffer<double>& part : bond_orders_) part.resize(context, planar ? n : 0, false);
        launch(context, "statistics.clear", n, ClearVertices{spokes_.view(), degree_sums_.view()});
        launch(context, "statistics.spokes", mesh.triangle_count, FindSpokes{ring, spokes_.view()});
        launch(context, "statistics.vertices", n,
               MeasureVertices{{ring},
                               mesh.window,
                               spokes_.view(),
                               of(ElementQuantity::kDegree),
                               of(ElementQuantity::kNearest),
                               of(ElementQuantity::kCellArea),
                               of(ElementQuantity::kCellPerimeter),
                               of(ElementQuantity::kBondOrder4),
                               of(ElementQuantity::kBondOrder6),
                               of(ElementQuantity::kBondAngle6),
                               bond_orders_[0].view(),
                               bond_orders_[1].view(),
                               flags_.view()});
    }
    if (kinds.vertices && mesh.copies && n > 0) {
        Buffer<double> of_points("degrees of points");
        of_points.resize(context, n);  // there are fewer points
        launch(context, "statistics.take_degrees", n,
               TakeDegrees{mesh.copies, of(ElementQuantity::kDegree), of_points.view()});
        launch(context, "statistics.share_degrees", n,
               ShareDegrees{mesh.copies, of_points.view(), of(ElementQuantity::kDegree)});
        context.synchronize();
    }
    if (kinds.edges)
        launch(context, "statistics.edges", mesh.edge_count,
               MeasureEdges{ring, of(ElementQuantity::kDegree), degree_sums_.view(), of(ElementQuantity::kEdgeLength)});
    illegal_.fill(context, kSumCount, 0);
    if (kinds.legality && planar)
        launch(context, "statistics.legality", mesh.edge_count, CountIllegal{ring}, illegal_.view());
    if (kinds.vertices && kinds.edges)
        launch(
            context, "statistics.neighbours", n,
            FinishVertices{of(ElementQuantity::kDegree), degree_sums_.view(), of(ElementQuantity::kNeighbourDegree)});
    if (kinds.triangles)
        launch(context, "statistics.triangles", mesh.triangle_count,
               MeasureTriangles{ring, of(ElementQuantity::kMinimumAngle), of(ElementQuantity::kTriangleArea)});
    measure_structures(context, kinds);
    area_.upload(context, mesh.polygon ? *mesh.polygon : StudyArea());
    if (kinds.vertices && mesh.polygon && planar) {
        illegal_.fill(context, kSumCount, 0);
        launch(context, "statistics.legality", mesh.edge_count, CountIllegal{ring}, illegal_.view());
        if (illegal_edges() == 0) clip_to_polygon(context);
    }
    if (mesh.unit != 1)
        for (const ElementQuantityInfo& info : kQuantities)
            if (info.length_power > 0 && of(info.quantity))
                launch(context, "statistics.units", count_of(info.element),
                       ScaleValues{info.length_power == 1 ? mesh.unit : mesh.unit * mesh.unit, of(info.quantity)});
    const auto leave_out = [&](auto keep, ElementKind kind, uint32_t each, View<const uint32_t> corners) {
        LeaveOut<decltype(keep)> leave{keep, each, corners, {}, {}};
        uint32_t next = 0;
        for (const ElementQuantityInfo& info : kQuantities)
            if (info.element == kind) leave.values[next++] = of(info.quantity);
        if (kind == ElementKind::kVertex) {
            leave.flags = flags_.view();
            for (const Buffer<double>& part : bond_orders_) leave.values[next++] = part.view();
        }
        launch(context, "statistics.left_out", count_of(kind), leave);
    };
    const auto leave_all_out = [&](auto keep) {
        if (kinds.vertices) leave_out(keep, ElementKind::kVertex, 1, {});
        if (kinds.edges) leave_out(keep, ElementKind::kEdge, 2, mesh.mesh.edges);
        if (kinds.triangles) leave_out(keep, ElementKind::kTriangle, 3, mesh.mesh.triangles);
    };
    AreaView area = area_.view();
    if (!mesh.polygon) area.window = mesh.window;
    if (mesh.copies)
        leave_all_out(StandsForCopies{mesh.copies});
    else if (mesh.within_window && planar)
        leave_all_out(LiesInWindow{mesh.mesh, area, n});
}

uint64_t ElementMeasures::illegal_edges() const { return illegal_.empty() ? 0 : illegal_.read(0); }

uint32_t ElementMeasures::write_cells(Context& context, Buffer<Point>& corners, Buffer<uint32_t>& owners) const {
    const uint32_t n = mesh_.vertex_count, slots = 3 * mesh_.triangle_count;
    const Walk walk{{mesh_.mesh, n, {mesh_.window.width(), mesh_.window.height()}}};
    // Room for all cells being cut, as on a circle.
    Buffer<uint32_t> total("cut cells");
    total.resize(context, 1);
    corners.resize(context, 3 * (size_t(slots) + 4 * size_t(n)), false);
    owners.resize(context, size_t(slots) + 4 * size_t(n), false);
    launch(context, "cells.clear", slots, ClearCells{corners.view(), owners.view()});
    const uint8_t skipped = mesh_.polygon ? kNotMeasured | kOutside | kCellCut : kNotMeasured;
    launch(context, "cells.write", n,
           WriteCells{walk, mesh_.window, spokes_.view(), flags_.view(), skipped, corners.view(), owners.view()});
    if (mesh_.polygon) return add_cut_cells(context, mesh_, corners, owners);
    compact(context, "cells.cut", n,
            WriteCutCells{walk, mesh_.window, slots, spokes_.view(), flags_.view(), corners.view(), owners.view()},
            total.view());
    return slots + total.read(0);
}

}  // namespace flipscope
