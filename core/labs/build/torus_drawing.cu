#include "labs/build/torus_view.h"

#include <utility>

#include "compute/primitives.h"
#include "delaunay/torus/torus_rules.h"
#include "labs/between_borders.h"
#include "labs/construction_lab.h"

namespace flipscope {

namespace {

// No edge of these triangulations spans more than √2 sides along an axis, so a quarter of it is shorter than half the
// box. On a cylinder, edges beyond its borders are not drawn.
constexpr uint32_t kPieces = 4;
constexpr uint32_t kPlaces = (kPieces + 1) * (kPieces + 2) / 2, kParts = kPieces * kPieces;  // of a triangle

FLIPSCOPE_HD inline bool is_long(const TorusBox& box, Point way) {
    const Point half{box.sides.x / 2, box.sides.y / 2};
    return !(way.x < half.x && way.x > -half.x && way.y < half.y && way.y > -half.y);
}

struct ListLongEdges {
    MeshView mesh;
    TorusBox box;
    View<const uint32_t> corners;
    View<uint32_t> list;
    FLIPSCOPE_HD uint32_t code(uint32_t e) const {
        return !mesh.is_beyond(corners[e]) && is_long(box, step_of(mesh, box, corners[e]));
    }
    FLIPSCOPE_HD void emit(uint32_t e, uint32_t rank, uint32_t code) const {
        if (code) list[rank] = e;
    }
};

/// The renderer takes the shortest way from the first corner to both others.
struct ListLargeTriangles {
    MeshView mesh;
    TorusBox box;
    View<uint32_t> list;
    FLIPSCOPE_HD uint32_t code(uint32_t t) const {
        if (mesh.is_beyond_borders(t)) return false;
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        return is_long(box, triangle.b) || is_long(box, triangle.c);
    }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        if (code) list[rank] = t;
    }
};

/// An element with kNone as a corner is not drawn.
struct HideListed {
    View<const uint32_t> list;
    View<uint32_t> corners;
    uint32_t each;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        for (uint32_t k = 0; k < each; ++k) corners[each * list[i] + k] = kNone;
    }
};

struct SplitLongEdges {
    MeshView mesh;
    TorusBox box;
    View<const uint32_t> corners;
    View<const uint32_t> list;
    uint32_t count;
    View<const Point> places;
    View<Point> points;
    View<uint32_t> starts;
    View<State> states;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t corner = corners[list[i]], first = i * (kPieces + 1);
        const Point p = places[mesh.from(corner)], d = step_of(mesh, box, corner);
        starts[i] = first;
        if (i + 1 == count) starts[count] = first + kPieces + 1;
        for (uint32_t k = 0; k <= kPieces; ++k) {
            const double part = double(k) / kPieces;
            points[first + k] = {p.x + part * d.x, p.y + part * d.y};
        }
        states[i] = mesh.edge_states ? mesh.edge_states[list[i]] : State(0);
    }
};

struct SplitLargeTriangles {
    MeshView mesh;
    TorusBox box;
    View<const uint32_t> list;
    View<const Point> places;
    View<Point> points;
    View<uint32_t> corners;
    View<State> states;

    /// Index of place `along` in row `row` of the small triangles' corners; the row has kPieces + 1 - row places.
    FLIPSCOPE_HD static uint32_t place(uint32_t row, uint32_t along) {
        return row * (kPieces + 1) - row * (row - 1) / 2 + along;
    }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        const uint32_t t = list[i], first = i * kPlaces;
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        const Point a = places[mesh.triangles[3 * t]];
        for (uint32_t row = 0; row <= kPieces; ++row)
            for (uint32_t along = 0; along + row <= kPieces; ++along) {
                const double u = double(along) / kPieces, v = double(row) / kPieces;
                points[first + place(row, along)] = {a.x + u * triangle.b.x + v * triangle.c.x,
                                                     a.y + u * triangle.b.y + v * triangle.c.y};
            }
        uint32_t at = 3 * kParts * i;
        const auto add = [&](uint32_t p, uint32_t q, uint32_t r) {
            corners[at] = first + p, corners[at + 1] = first + q, corners[at + 2] = first + r;
            at += 3;
        };
        for (uint32_t row = 0; row < kPieces; ++row)
            for (uint32_t along = 0; along + row < kPieces; ++along) {
                add(place(row, along), place(row, along + 1), place(row + 1, along));
                if (along + row + 1 < kPieces)
                    add(place(row, along + 1), place(row + 1, along + 1), place(row + 1, along));
            }
        for (uint32_t k = 0; k < kParts; ++k)
            states[kParts * i + k] = mesh.triangle_states ? mesh.triangle_states[t] : State(0);
    }
};

}  // namespace

void TorusDrawing::reset() {
    count_ = long_edges_ = long_triangles_ = 0;
    outline_.release();
}

void TorusDrawing::draw(const TorusInsertion& made, bool moved) {
    const TriangleMesh& mesh = made.mesh();
    if (outline_.empty()) {
        const Point sides = made.box().lengths();
        const Point corners[4] = {made.place_of({0, 0}), made.place_of({sides.x, 0}), made.place_of(sides),
                                  made.place_of({0, sides.y})};
        outline_.upload(made.context(), corners, 4);
    }
    // The mesh belongs to an earlier run until the first triangles are made.
    const uint32_t count = made.mesh().triangle_count ? made.distinct() : 0;
    if (count > 0 && (moved || count_ != count))
        place_in_world(made.context(), mesh.positions.view(count), made.corner(), places_);
    count_ = count;
    long_edges_ = long_triangles_ = 0;
    if (count_ == 0) return;
    total_.resize(made.context(), 1);
    split_edges(made);
    split_triangles(made);
}

void TorusDrawing::split_edges(const TorusInsertion& made) {
    Context& context = made.context();
    const TriangleMesh& mesh = made.mesh();
    const MeshView view = mesh.view();
    listed_.resize(context, mesh.edge_count, false);
    find_corners(context, mesh, edge_corners_);
    compact(context, "draw.long edges", mesh.edge_count,
            ListLongEdges{view, made.box(), edge_corners_.view(), listed_.view()}, total_.view());
    long_edges_ = total_.read(0);
    if (long_edges_ == 0 && !mesh.on_cylinder()) return;
    copy_edges_between(context, mesh, edge_corners_.view(), short_ends_);
    edge_points_.resize(context, size_t(long_edges_) * (kPieces + 1), false);
    edge_starts_.resize(context, size_t(long_edges_) + 1, false);
    edge_states_.resize(context, long_edges_, false);
    launch(context, "draw.hide edges", long_edges_, HideListed{listed_.view(), short_ends_.view(), 2});
    launch(context, "draw.edges", long_edges_,
           SplitLongEdges{view, made.box(), edge_corners_.view(), listed_.view(), long_edges_, places_.view(),
                          edge_points_.view(), edge_starts_.view(), edge_states_.view()});
}

void TorusDrawing::split_triangles(const TorusInsertion& made) {
    Context& context = made.context();
    const TriangleMesh& mesh = made.mesh();
    const MeshView view = mesh.view();
    listed_.resize(context, mesh.triangle_count, false);
    compact(context, "draw.large triangles", mesh.triangle_count, ListLargeTriangles{view, made.box(), listed_.view()},
            total_.view());
    long_triangles_ = total_.read(0);
    if (long_triangles_ == 0 && !mesh.on_cylinder()) return;
    copy_triangles_between(context, mesh, short_corners_);
    triangle_points_.resize(context, size_t(long_triangles_) * kPlaces, false);
    triangle_corners_.resize(context, size_t(long_triangles_) * kParts * 3, false);
    triangle_states_.resize(context, size_t(long_triangles_) * kParts, false);
    launch(context, "draw.hide triangles", long_triangles_, HideListed{listed_.view(), short_corners_.view(), 3});
    launch(context, "draw.triangles", long_triangles_,
           SplitLargeTriangles{view, made.box(), listed_.view(), places_.view(), triangle_points_.view(),
                               triangle_corners_.view(), triangle_states_.view()});
}

void TorusDrawing::add_layers(const TorusInsertion& made, Scene& scene) const {
    const TriangleMesh& mesh = made.mesh();
    const OpenAxis open = made.box().open;
    const PeriodicBox box{made.corner(), made.box().periods()};
    scene.low = made.corner();
    scene.high = made.place_of(made.box().lengths());
    if (count_ > 0) scene.mesh = &mesh;
    scene.point_count = count_;
    const auto add = [&](const char* id, const char* title, const char* sentence, auto shape) {
        scene.layers.push_back({id, title, sentence, true, std::move(shape)});
        scene.layers.back().periodic = box;
    };
    const Buffer<Point>* const places = count_ ? &places_ : nullptr;
    // Layers of one id share a toggle. The pieces come second, so that ids of elements refer to the mesh.
    const char *const insides = "The triangles' insides", *const lines = "The edges, coloured by what happens to them";
    add("triangles", "Triangles", insides,
        TrianglesLayer{places, nullptr, count_,
                       long_triangles_ || mesh.on_cylinder() ? &short_corners_ : &mesh.triangles,
                       count_ ? mesh.triangle_count : 0, states_or_none(mesh.triangle_states)});
    if (long_triangles_)
        add("triangles", "Triangles", insides,
            TrianglesLayer{&triangle_points_, nullptr, long_triangles_ * kPlaces, &triangle_corners_,
                           long_triangles_ * kParts, states_or_none(triangle_states_)});
    add("edges", "Edges", lines,
        SegmentsLayer{places,
                      nullptr,
                      count_,
                      long_edges_ || mesh.on_cylinder() ? &short_ends_ : &mesh.edges,
                      count_ ? mesh.edge_count : 0,
                      {},
                      states_or_none(mesh.edge_states)});
    if (long_edges_)
        add("edges", "Edges", lines,
            PolylinesLayer{&edge_points_, long_edges_ * (kPieces + 1), &edge_starts_, long_edges_,
                           states_or_none(edge_states_)});
    add("points", "Points", "The vertices", PointsLayer{places, nullptr, count_, states_or_none(mesh.vertex_states)});
    scene.layers.push_back({kImagesLayer, "Periodic images",
                            "Elements that cross the border of the box are drawn on the other side, too", true,
                            LabelsLayer{}});
    scene.set_legend(construction_legend());
    if (outline_.empty()) return;
    SegmentsLayer outline{&outline_, nullptr, 4};
    if (open == OpenAxis::kX)
        outline.few_ends = {0, 1, 2, 3};  // the closed borders, as far as the points reach
    else if (open == OpenAxis::kY)
        outline.few_ends = {0, 3, 1, 2};
    else
        outline.few_ends = {0, 1, 1, 2, 2, 3, 3, 0};
    scene.layers.push_back(
        {"box", "Box", "The periodic box: what leaves it on one side returns on the other", true, outline});
    scene.layers.back().role = Role::kExact;
}

}  // namespace flipscope
