#include "labs/between_borders.h"

#include "compute/launch.h"

namespace flipscope {

namespace {

struct PlaceInWorld {
    View<const Point> positions;
    Point corner;
    View<Point> places;
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        places[i] = {corner.x + positions[i].x, corner.y + positions[i].y};
    }
};

struct FindCorners {
    View<const uint32_t> half_edge_at;
    View<uint32_t> corners;
    FLIPSCOPE_HD void operator()(uint32_t s) const {
        if (half_edge_at[s] % 2 == 0) corners[half_edge_at[s] / 2] = s;
    }
};

struct CopyEdgesBetween {
    MeshView mesh;
    View<const uint32_t> corners;
    View<uint32_t> ends;
    FLIPSCOPE_HD void operator()(uint32_t e) const {
        const bool beyond = mesh.is_beyond(corners[e]);
        for (size_t k = 2 * size_t(e); k < 2 * size_t(e) + 2; ++k) ends[k] = beyond ? kNone : mesh.edges[k];
    }
};

struct CopyTrianglesBetween {
    MeshView mesh;
    View<uint32_t> corners;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        const bool beyond = mesh.is_beyond_borders(t);
        for (size_t k = 3 * size_t(t); k < 3 * size_t(t) + 3; ++k) corners[k] = beyond ? kNone : mesh.triangles[k];
    }
};

}  // namespace

void place_in_world(Context& context, View<const Point> positions, Point corner, Buffer<Point>& places) {
    places.resize(context, positions.count, false);
    launch(context, "draw.places", uint32_t(positions.count), PlaceInWorld{positions, corner, places.view()});
}

void find_corners(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& corners) {
    corners.resize(context, mesh.edge_count, false);
    launch(context, "draw.slots", 3 * mesh.triangle_count, FindCorners{mesh.half_edge_at.view(), corners.view()});
}

void copy_edges_between(Context& context, const TriangleMesh& mesh, View<const uint32_t> corners,
                        Buffer<uint32_t>& ends) {
    ends.resize(context, 2 * size_t(mesh.edge_count), false);
    launch(context, "draw.between", mesh.edge_count, CopyEdgesBetween{mesh.view(), corners, ends.view()});
}

void copy_triangles_between(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& corners) {
    corners.resize(context, 3 * size_t(mesh.triangle_count), false);
    launch(context, "draw.between", mesh.triangle_count, CopyTrianglesBetween{mesh.view(), corners.view()});
}

}  // namespace flipscope
