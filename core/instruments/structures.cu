#include "instruments/structures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

#include "compute/primitives.h"
#include "compute/text.h"
#include "mesh/legality.h"
#include "statistics/window.h"

namespace flipscope {

namespace {

using K = StructureKind;

constexpr std::array<StructureInfo, kStructureCount> kStructures{{
    {K::kVoronoi, "voronoi", "Voronoi diagram",
     "Places with more than one nearest point; each edge is perpendicular to its edge of the triangulation", false, 0},
    {K::kCircumcircles, "circumcircles", "Circumcircles", "The circles through the corners of each triangle", false, 0},
    {K::kCircumcentres, "circumcentres", "Circumcentres", "The centres of the circumcircles: the Voronoi vertices",
     false, 0},
    {K::kHull, "hull", "Convex hull", "The outline of the triangulation", false, kOnHull},
    {K::kNearest, "nearest", "Nearest-neighbour graph",
     "From each point to its nearest neighbour; of equally near ones, to that of the lowest index", true,
     kNearestOfFrom | kNearestOfTo},
    {K::kTree, "mst", "Euclidean minimum spanning tree", "The shortest network of edges that connects all points", true,
     kInTree},
    {K::kRelative, "rng", "Relative neighbourhood graph",
     "Edges with no point nearer to both ends than the ends are to each other", true, kInRelative},
    {K::kGabriel, "gabriel", "Gabriel graph", "Edges with no point inside the circle that has the edge as its diameter",
     false, kInGabriel},
    {K::kSkeleton, "beta-skeleton", "β-skeleton", "Edges whose β-region contains no point", true, kInSkeleton},
    {K::kAlphaShape, "alpha-shape", "α-complex",
     "Edges and triangles with an empty circle of radius at most α through their corners", false, 0},
}};
constexpr bool are_in_order() {
    for (uint32_t k = 0; k < kStructureCount; ++k)
        if (kStructures[k].kind != StructureKind(k)) return false;
    return true;
}
static_assert(are_in_order(), "one row per structure, in the order of the enumerators");

constexpr uint32_t kSides = 96;  // of a circle

struct ListEdges {
    View<const uint32_t> words, edges;
    uint32_t bits;
    View<uint32_t> corners;
    FLIPSCOPE_HD uint32_t code(uint32_t e) const { return (words[e] & bits) != 0; }
    FLIPSCOPE_HD void emit(uint32_t e, uint32_t rank, uint32_t code) const {
        if (!code) return;
        corners[2 * size_t(rank)] = edges[2 * size_t(e)];
        corners[2 * size_t(rank) + 1] = edges[2 * size_t(e) + 1];
    }
};

struct ListBelow {
    View<const double> values;  // NaN: never
    double limit;
    View<const uint32_t> all;
    uint32_t each;
    View<uint32_t> corners;
    FLIPSCOPE_HD uint32_t code(uint32_t i) const { return values[i] <= limit; }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (!code) return;
        for (uint32_t k = 0; k < each; ++k) corners[size_t(each) * rank + k] = all[size_t(each) * i + k];
    }
};

/// The part of an edge's dual within a box. The dual lies on the bisector, from the circumcentre at the right to that
/// at the left; at the hull it is a ray.
struct WriteDuals {
    StructureMesh s;
    Point low, high;
    View<Point> ends;
    struct Part {
        Point middle, along;
        double from, to;
    };
    /// Where the bisector meets the circumcentre of the triangle with this apex to the left of a b, in lengths of a b.
    FLIPSCOPE_HD static double centre(Point a, Point b, Point apex) {
        const double ax = a.x - apex.x, ay = a.y - apex.y, bx = b.x - apex.x, by = b.y - apex.y;
        return (ax * bx + ay * by) / (2 * (ax * by - ay * bx));
    }
    FLIPSCOPE_HD Part part_of(uint32_t e) const {
        const Quad q = quad_at(s.mesh, e);
        if (!s.is_inside(q.from) || !s.is_inside(q.to)) return {{}, {}, 1, 0};
        const Point a = s.at(q.from), b = s.at(q.to);
        Part part{{(a.x + b.x) / 2, (a.y + b.y) / 2}, {a.y - b.y, b.x - a.x}, -Window::kFar, Window::kFar};
        if (s.is_inside(q.left)) part.to = centre(a, b, s.at(q.left));
        if (s.is_inside(q.right)) part.from = -centre(b, a, s.at(q.right));
        if (part.from > part.to) {  // the edge is not Delaunay
            const double from = part.from;
            part.from = part.to;
            part.to = from;
        }
        narrow(part.middle.x - low.x, part.along.x, part.from, part.to);
        narrow(high.x - part.middle.x, -part.along.x, part.from, part.to);
        narrow(part.middle.y - low.y, part.along.y, part.from, part.to);
        narrow(high.y - part.middle.y, -part.along.y, part.from, part.to);
        return part;
    }
    FLIPSCOPE_HD uint32_t code(uint32_t e) const {
        const Part part = part_of(e);
        return part.from < part.to;
    }
    FLIPSCOPE_HD void emit(uint32_t e, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const Part part = part_of(e);
        for (uint32_t k = 0; k < 2; ++k) {
            const double t = k == 0 ? part.from : part.to;
            ends[2 * size_t(rank) + k] = {part.middle.x + t * part.along.x, part.middle.y + t * part.along.y};
        }
    }
};

struct WriteCentres {
    StructureMesh s;
    Point low, high;
    View<Point> centres;
    FLIPSCOPE_HD Point centre(uint32_t t) const {
        const uint32_t* const v = s.mesh.triangles.data + 3 * size_t(t);
        if (!s.is_inside(v[0]) || !s.is_inside(v[1]) || !s.is_inside(v[2])) return {double(NAN), double(NAN)};
        const Point a = s.at(v[0]), b = s.at(v[1]);
        const double along = WriteDuals::centre(a, b, s.at(v[2]));
        return {(a.x + b.x) / 2 + along * (a.y - b.y), (a.y + b.y) / 2 + along * (b.x - a.x)};
    }
    FLIPSCOPE_HD uint32_t code(uint32_t t) const {
        const Point c = centre(t);
        return c.x >= low.x && c.x <= high.x && c.y >= low.y && c.y <= high.y;
    }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        if (code) centres[rank] = centre(t);
    }
};

struct WriteCircles {
    WriteCentres centres;
    View<const Point> directions;
    View<Point> points;
    FLIPSCOPE_HD uint32_t code(uint32_t t) const { return centres.code(t); }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        if (!code) return;
        const Point c = centres.centre(t);
        const double radius = sqrt(squared_length(c, centres.s.at(centres.s.mesh.triangles[3 * size_t(t)])));
        for (uint32_t k = 0; k <= kSides; ++k)
            points[size_t(kSides + 1) * rank + k] = {c.x + radius * directions[k].x, c.y + radius * directions[k].y};
    }
};

LegendEntry entry_of(const StructureInfo& info, ElementKind element, const std::string& sentence) {
    LegendEntry entry{element, 0xFFFF, Role::kNumbered, info.title, sentence};
    entry.number = info.kind == K::kVoronoi ? 18 : static_cast<uint32_t>(info.kind);  // 0 is red, as failures are
    if (element == ElementKind::kTriangle) entry.strength = 0.4f;
    return entry;
}

}  // namespace

std::span<const StructureInfo> structure_infos() { return kStructures; }

double mean_spacing(const SceneView& view) {
    const double area = (view.high.x - view.low.x) * (view.high.y - view.low.y);
    return std::sqrt(area / std::max(view.point_count, 1u));
}

template <class Kernel>
uint32_t StructureLayers::list(Context& context, uint32_t n, const Kernel& kernel) {
    total_.resize(context, 1);
    compact(context, "structures.list", n, kernel, total_.view());
    return n > 0 ? total_.read(0) : 0;
}

void StructureLayers::update(Context& context, const SceneView& view, const StructureMesh& mesh,
                             const StructureChoice& choice) {
    choice_ = choice;
    triangle_count_ = mesh.triangle_count;
    alpha_ = choice.alpha > 0 ? choice.alpha : mean_spacing(view);
    delaunay_ = mesh.inside == mesh.mesh.infinite && count_illegal(context, mesh) == 0;
    uint32_t wanted = 0;
    bool grows = false;
    for (const StructureInfo& info : kStructures) {
        if (!choice.shows(info.kind)) continue;
        wanted |= info.bits;
        grows |= info.of_delaunay;
    }
    if (wanted) edges_.find(context, mesh, grows && delaunay_);
    if (choice.shows(K::kSkeleton) && delaunay_) edges_.find_skeleton(context, mesh, choice.beta);
    for (const StructureInfo& info : kStructures) {
        Listed& listed = listed_[static_cast<uint32_t>(info.kind)];
        listed.count = 0;
        if (!info.bits || !choice.shows(info.kind) || (info.of_delaunay && !delaunay_)) continue;
        listed.corners.resize(context, 2 * size_t(mesh.edge_count), false);
        listed.count = list(context, mesh.edge_count,
                            ListEdges{edges_.words().view(), mesh.mesh.edges, info.bits, listed.corners.view()});
    }
    if (choice.shows(K::kAlphaShape)) write_alpha_shape(context, mesh, alpha_);
    write_duals(context, mesh, view.low, view.high);
    states_.fill(context, std::max(mesh.edge_count, mesh.triangle_count), 0xFF);
    context.synchronize();  // before the buffers are drawn
}

void StructureLayers::write_alpha_shape(Context& context, const StructureMesh& mesh, double alpha) {
    Listed& edges = listed_[static_cast<uint32_t>(K::kAlphaShape)];
    edge_alpha_.resize(context, mesh.edge_count, false);
    triangle_alpha_.resize(context, mesh.triangle_count, false);
    write_alpha(context, mesh, edge_alpha_, triangle_alpha_);
    edges.corners.resize(context, 2 * size_t(mesh.edge_count), false);
    alpha_triangles_.corners.resize(context, 3 * size_t(mesh.triangle_count), false);
    edges.count =
        list(context, mesh.edge_count, ListBelow{edge_alpha_.view(), alpha, mesh.mesh.edges, 2, edges.corners.view()});
    alpha_triangles_.count =
        list(context, mesh.triangle_count,
             ListBelow{triangle_alpha_.view(), alpha, mesh.mesh.triangles, 3, alpha_triangles_.corners.view()});
}

/// Within a box far beyond the picture, where rays end.
void StructureLayers::write_duals(Context& context, const StructureMesh& mesh, Point low, Point high) {
    const double reach = 20 * std::max({high.x - low.x, high.y - low.y, 1e-300});
    low = {low.x - reach, low.y - reach};
    high = {high.x + reach, high.y + reach};
    dual_count_ = centre_count_ = circle_count_ = 0;
    if (choice_.shows(K::kVoronoi)) {
        duals_.resize(context, 2 * size_t(mesh.edge_count), false);
        dual_count_ = list(context, mesh.edge_count, WriteDuals{mesh, low, high, duals_.view()});
    }
    centres_.resize(context, mesh.triangle_count, false);
    const WriteCentres centres{mesh, low, high, centres_.view()};
    if (choice_.shows(K::kCircumcentres)) centre_count_ = list(context, mesh.triangle_count, centres);
    if (!choice_.shows(K::kCircumcircles) || mesh.triangle_count > kMostCircles) return;
    std::vector<Point> directions(kSides + 1);
    for (uint32_t k = 0; k <= kSides; ++k) {
        const double angle = 2 * std::numbers::pi * (k % kSides) / kSides;
        directions[k] = {std::cos(angle), std::sin(angle)};
    }
    directions_.upload(context, directions.data(), directions.size());
    circles_.resize(context, size_t(kSides + 1) * mesh.triangle_count, false);
    circle_count_ = list(context, mesh.triangle_count, WriteCircles{centres, directions_.view(), circles_.view()});
    std::vector<uint32_t> starts(circle_count_ + 1);
    for (uint32_t k = 0; k <= circle_count_; ++k) starts[k] = (kSides + 1) * k;
    starts_.upload(context, starts.data(), starts.size());
}

std::string StructureLayers::absence(StructureKind kind) const {
    if (!choice_.shows(kind) || triangle_count_ == 0) return "";
    if (kStructures[static_cast<uint32_t>(kind)].of_delaunay && !delaunay_)
        return "the triangulation is not Delaunay in this state";
    if (kind == K::kCircumcircles && triangle_count_ > kMostCircles)
        return "circles are drawn of at most " + std::to_string(kMostCircles) + " triangles";
    return "";
}

void StructureLayers::apply(SceneView& view) const {
    if (choice_.shown == 0 || !view.mesh) return;
    const auto make = [&](const StructureInfo& info, auto shape) {
        std::string sentence = info.sentence;
        if (info.kind == K::kSkeleton) sentence += ", for β = " + format_short(choice_.beta);
        if (info.kind == K::kAlphaShape) sentence += ", for α = " + format_short(alpha_);
        if (!delaunay_) sentence += "; here of a triangulation that is not Delaunay yet";
        Layer layer{info.id, info.title, sentence, false, std::move(shape)};
        layer.legend = {entry_of(info, layer.element(), sentence)};
        return layer;
    };
    const TriangleMesh& mesh = *view.mesh;
    const auto add = [&](const StructureInfo& info, auto shape) {
        shape.states = &states_;
        const bool covers = std::is_same_v<decltype(shape), TrianglesLayer>;
        // Triangles lie over the interior of triangles and below everything else, lines below the points. The first
        // layer of each kind numbers the elements, so circumcentres lie over the points.
        const auto before = std::find_if(view.layers.begin(), view.layers.end(), [&](const Layer& other) {
            if (std::is_same_v<decltype(shape), PointsLayer>) return false;
            return covers ? !std::holds_alternative<TrianglesLayer>(other.shape) : other.id == "points";
        });
        view.layers.insert(before, make(info, std::move(shape)));
    };
    // Graphs over those that contain them.
    for (uint32_t k = kStructureCount; k-- > 0;) {
        const StructureInfo& info = kStructures[k];
        if (!choice_.shows(info.kind)) continue;
        if (info.kind == K::kAlphaShape && alpha_triangles_.count > 0)
            add(info, TrianglesLayer{&mesh.positions, nullptr, mesh.infinite(), &alpha_triangles_.corners,
                                     alpha_triangles_.count});
        if (const Listed& listed = listed_[k]; listed.count > 0)
            add(info, SegmentsLayer{&mesh.positions, nullptr, mesh.infinite(), &listed.corners, listed.count});
        if (info.kind == K::kVoronoi && dual_count_ > 0)
            add(info, SegmentsLayer{&duals_, nullptr, 2 * dual_count_, nullptr, dual_count_});
        if (info.kind == K::kCircumcentres && centre_count_ > 0)
            add(info, PointsLayer{&centres_, nullptr, centre_count_});
        if (info.kind == K::kCircumcircles && circle_count_ > 0)
            add(info, PolylinesLayer{&circles_, (kSides + 1) * circle_count_, &starts_, circle_count_});
    }
}

}  // namespace flipscope
