#include "delaunay/constructions/sample_start.h"

#include "compute/launch.h"

namespace flipscope {

namespace {

struct TakeSample {
    View<const Point> positions;
    View<const uint32_t> inputs;
    uint32_t stride;
    View<Point> taken;     // (m)
    View<uint32_t> names;  // (m)
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        taken[i] = positions[i * stride];
        names[i] = inputs[i * stride];
    }
};

/// One thread for each corner of a triangle or end of an edge, whichever are more.
struct CopySample {
    MeshView from, to;
    View<const uint32_t> ranks;  // of the sample's vertices, before they were sorted into strips
    uint32_t stride, corners, ends;
    View<uint32_t> triangle_at;  // (m)

    FLIPSCOPE_HD uint32_t vertex(uint32_t v) const { return v == from.infinite ? to.infinite : ranks[v] * stride; }
    FLIPSCOPE_HD void operator()(uint32_t i) const {
        if (i < corners) {
            const uint32_t v = from.triangles[i], t = triangle_of(i);
            to.triangles[i] = vertex(v);
            to.half_edge_at[i] = from.half_edge_at[i];
            if (v != from.infinite && !from.is_ghost(t)) atomic_max(triangle_at[ranks[v]], t);
        }
        if (i < ends) {
            to.edges[i] = vertex(from.edges[i]);
            to.corner_of[i] = from.corner_of[i];
        }
    }
};

/// The corners of one of the sample's triangles: any will do.
struct FindCentre {
    MeshView mesh;
    View<const uint32_t> triangle_at;
    View<Point> corners;  // (3)
    FLIPSCOPE_HD void operator()(uint32_t k) const {
        corners[k] = mesh.positions[mesh.triangles[3 * triangle_at[0] + k]];
    }
};

}  // namespace

bool SampleStart::triangulate(Context& context, const TriangleMesh& mesh, uint32_t count, const Bounds& bounds,
                              uint32_t stride) {
    size_ = (count - 1) / stride + 1;
    stride_ = stride;
    positions_.resize(context, size_, false);
    names_.resize(context, size_, false);
    launch(context, "seed.sample", size_,
           TakeSample{mesh.positions.view(), mesh.inputs.view(), stride, positions_.view(), names_.view()});
    if (!strips_) strips_ = std::make_unique<Strips>();
    strips_->set_records_states(false);
    strips_->reset(context, {positions_.view(), "sample"}, {.block_size = context.block_size()});
    strips_->name_points(names_.view(), &ranks_);
    strips_->set_bounds(bounds);
    strips_->finish({});
    return strips_->joined();
}

void SampleStart::place_into(Context& context, TriangleMesh& mesh) {
    const TriangleMesh& made = strips_->mesh();
    mesh.triangle_count = made.triangle_count;
    mesh.edge_count = made.edge_count;
    triangle_of_.fill(context, size_, 0);
    const uint32_t corners = 3 * made.triangle_count, ends = 2 * made.edge_count;
    launch(context, "seed.copy", std::max(corners, ends),
           CopySample{made.view(), mesh.view(), ranks_.view(), stride_, corners, ends, triangle_of_.view()});
    corners_.resize(context, 3);
    launch(context, "seed.centre", 3, FindCentre{mesh.view(), triangle_of_.view(), corners_.view()});
    Point places[3];
    corners_.download(places, 3);
    centre_ = {places[0], places[1], places[2]};
}

}  // namespace flipscope
