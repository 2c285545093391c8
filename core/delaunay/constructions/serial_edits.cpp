// Points added to a serial construction, removed from it and moved, between two points.
//
// A vertex is removed ear by ear: the flip of one of its edges cuts the triangle of three successive neighbours off its
// star, until three neighbours are left, whose triangles become one (merge_three()). Then edges flip until all are
// legal. A vertex within the hull has an ear as long as it has more than three neighbours: the triangulation of its
// star's outline has two ears at least, and the vertex lies in one of them at most, or with four neighbours on the edge
// between both. A vertex of the hull gives its outermost edges to the vertex at infinity instead; flips fill the
// pockets that this leaves, as edges to infinity are illegal where the hull is reflex.
#include <algorithm>

#include "delaunay/constructions/serial.h"
#include "mesh/star.h"
#include "mesh/surgery.h"

namespace flipscope {

namespace {

/// The next spoke around the same vertex, counter-clockwise.
uint32_t following_spoke(const MeshView& mesh, uint32_t spoke) { return mesh.across(previous_corner(spoke)); }

template <class Use>
void for_each_spoke(const MeshView& mesh, uint32_t first, const Use& use) {
    uint32_t spoke = first;
    do {
        const uint32_t next = following_spoke(mesh, spoke);
        use(spoke);
        spoke = next;
    } while (spoke != first);
}

int orientation(const MeshView& mesh, uint32_t a, uint32_t b, uint32_t c) {
    return orient2d(mesh.positions[a], mesh.positions[b], mesh.positions[c]);
}

uint32_t find_spoke(const MeshView& mesh, uint32_t triangle_count, uint32_t vertex) {
    for (uint32_t corner = 0; corner < 3 * triangle_count; ++corner)
        if (mesh.triangles[corner] == vertex) return corner;
    return kNone;
}

}  // namespace

SerialInsertion::Edited SerialInsertion::add(const Points& points, uint32_t name) {
    adopt(points);
    const Point place = *std::prev(points.geometry->points.end());
    const View<const Point> positions = mesh_.positions.view();
    const auto vertex =
        static_cast<uint32_t>(std::find(positions.data, positions.data + distinct_, place) - positions.data);
    const bool waits = std::any_of(order_.begin() + state_.inserted, order_.end(),
                                   [&](const OrderedPoint& one) { return one.vertex == vertex; });
    if (!waits && mesh_.inputs.read(vertex) != name) return Edited::kDone;
    insert_next(vertex);
    return Edited::kBegun;
}

SerialInsertion::Edited SerialInsertion::remove(uint32_t vertex, const Points& points) {
    const uint32_t spoke = find_spoke(mesh_.view(), mesh_.triangle_count, vertex);
    if (spoke == kNone) {  // it waits
        forget(vertex);
        adopt(points);
        state_.next = waiting_count() ? uint32_t(kLocate) : kNone;
        return Edited::kDone;
    }
    begin_star(vertex, spoke);
    if (!leaves_triangle()) {
        clear_work();
        return Edited::kImpossible;
    }
    after_ = points;
    state_.next = kEar;
    return Edited::kBegun;
}

SerialInsertion::Edited SerialInsertion::move(uint32_t vertex, Point place, const Points& points) {
    const MeshView mesh = mesh_.view();
    const uint32_t spoke = find_spoke(mesh, mesh_.triangle_count, vertex), name = mesh.inputs[vertex];
    if (spoke == kNone) {
        adopt(points);
        return Edited::kDone;
    }
    begin_star(vertex, spoke);
    const Point from = mesh.positions[vertex];
    mesh_.positions.write(vertex, place);
    const bool valid = star_is_valid();
    mesh_.positions.write(vertex, from);
    if (valid) {
        for_each_spoke(mesh, spoke, [&](uint32_t each) { stack_.push_back(mesh.half_edge_at[each] >> 1); });
        removed_ = kNone;
        adopt(points);
        state_.next = kLegalise;
        if (marking())
            for (const uint32_t edge : stack_) mesh_.edge_states.view()[edge] = kStateQueued;
        return Edited::kBegun;
    }
    if (!leaves_triangle()) {
        clear_work();
        return Edited::kImpossible;
    }
    after_ = points;
    {
        const MarksMeanwhile marks(*this);
        PassResult passes = PassResult::of(kEar, kCounters);
        cut_ears(passes);
        legalise(passes);
    }
    clear_marks();
    const View<const uint32_t> inputs = mesh_.inputs.view();
    insert_next(static_cast<uint32_t>(std::find(inputs.data, inputs.data + distinct_, name) - inputs.data));
    return Edited::kBegun;
}

/// Takes the changed points in, in the order of the curve, and renames the vertices of the mesh, which stays.
void SerialInsertion::adopt(const Points& given) {
    const Points points = given;  // `given` can be after_
    const size_t corners = 3 * size_t(mesh_.triangle_count), half_edges = 2 * size_t(mesh_.edge_count);
    std::vector<uint32_t> triangles = mesh_.triangles.download(corners), edges = mesh_.edges.download(half_edges);
    const std::vector<uint32_t> half_edge_at = mesh_.half_edge_at.download(corners);
    const std::vector<uint32_t> corner_of = mesh_.corner_of.download(half_edges);
    std::vector<uint32_t> new_id = mesh_.inputs.download(distinct_ + 1);  // by old id; first the name
    const uint32_t old_infinite = distinct_, triangle_count = mesh_.triangle_count, edge_count = mesh_.edge_count;
    begin(*context_, points.geometry);
    after_ = points;
    name_points(points.names);
    order_input(0);
    start_mesh(0);
    std::vector<uint32_t> of_name(name_end(), kNone);
    const View<const uint32_t> inputs = mesh_.inputs.view();
    for (uint32_t v = 0; v < distinct_; ++v) of_name[inputs[v]] = v;
    for (uint32_t v = 0; v < old_infinite; ++v) new_id[v] = new_id[v] < of_name.size() ? of_name[new_id[v]] : kNone;
    new_id[old_infinite] = mesh_.infinite();
    for (uint32_t& v : triangles) v = new_id[v];
    for (uint32_t& v : edges) v = new_id[v];
    for (OrderedPoint& one : order_) one.vertex = new_id[one.vertex];
    const auto put = [&](const std::vector<uint32_t>& from, const Buffer<uint32_t>& to) {
        context_->copy(to.view().data, from.data(), from.size() * sizeof(uint32_t));
    };
    put(triangles, mesh_.triangles);
    put(edges, mesh_.edges);
    put(half_edge_at, mesh_.half_edge_at);
    put(corner_of, mesh_.corner_of);
    mesh_.triangle_count = triangle_count;
    mesh_.edge_count = edge_count;
    after_ = {};
    const MeshView mesh = mesh_.view();
    for (uint32_t t = 0; t < triangle_count; ++t) {  // the former centre may be outside the hull now
        if (mesh.is_ghost(t)) continue;
        state_.star = {mesh.positions[mesh.triangles[3 * t]], mesh.positions[mesh.triangles[3 * t + 1]],
                       mesh.positions[mesh.triangles[3 * t + 2]]};
        break;
    }
    mark_waiting();
}

void SerialInsertion::insert_next(uint32_t vertex) {
    forget(vertex);
    order_.insert(order_.begin() + state_.inserted, {vertex, 1});
    state_.next = kLocate;
    if (marking()) mesh_.vertex_states.view()[vertex] = kStateChosen;
}

/// Takes a vertex out of the order.
void SerialInsertion::forget(uint32_t vertex) {
    const auto found =
        std::find_if(order_.begin(), order_.end(), [&](const OrderedPoint& one) { return one.vertex == vertex; });
    if (found == order_.end()) return;
    if (found < order_.begin() + state_.inserted) --state_.inserted;
    order_.erase(found);
}

void SerialInsertion::begin_star(uint32_t vertex, uint32_t spoke) {
    const MeshView mesh = mesh_view();
    clear_work();
    clear_marks();
    removed_ = vertex;
    spoke_ = spoke;
    degree_ = 0;
    on_hull_ = false;
    for_each_spoke(mesh, spoke, [&](uint32_t each) {
        ++degree_;
        on_hull_ |= mesh.to(each) == mesh.infinite;
        stack_.push_back(mesh.half_edge_at[next_corner(each)] >> 1);
        if (mesh.triangle_states) mesh.triangle_states[triangle_of(each)] = kStateLocked;
    });
    if (mesh.vertex_states) mesh.vertex_states[vertex] = kStateChosen;
}

/// Whether the other inserted points are not all on one line.
bool SerialInsertion::leaves_triangle() const {
    if (!on_hull_) return true;
    const MeshView mesh = mesh_.view();
    for (uint32_t t = 0; t < mesh_.triangle_count; ++t) {
        const uint32_t* const v = &mesh.triangles[3 * t];
        if (!mesh.is_ghost(t) && v[0] != removed_ && v[1] != removed_ && v[2] != removed_) return true;
    }
    std::vector<uint32_t> neighbours;
    for_each_spoke(mesh, spoke_, [&](uint32_t each) {
        if (mesh.to(each) != mesh.infinite) neighbours.push_back(mesh.to(each));
    });
    return std::any_of(neighbours.begin() + 2, neighbours.end(),
                       [&](uint32_t v) { return orientation(mesh, neighbours[0], neighbours[1], v) != 0; });
}

/// Whether no triangle at the vertex is flat or inverted, and the hull is convex there.
bool SerialInsertion::star_is_valid() const {
    const MeshView mesh = mesh_.view();
    bool valid = true;
    for_each_spoke(mesh, spoke_, [&](uint32_t spoke) {
        const uint32_t t = triangle_of(spoke);
        if (!mesh.is_ghost(t)) {
            valid &= orientation(mesh, mesh.from(spoke), mesh.to(spoke), mesh.apex(spoke)) > 0;
            return;
        }
        for (const uint32_t corner : {spoke, next_corner(spoke), previous_corner(spoke)}) {
            const Quad quad = quad_at(mesh, mesh.half_edge_at[corner] >> 1);
            const bool to_infinity = quad.from == mesh.infinite || quad.to == mesh.infinite;
            valid &= !(to_infinity && is_illegal(mesh, quad, PredicateMode::kExact));
        }
    });
    return valid;
}

/// Whether the edge at this spoke can flip: its end is then cut off the star.
bool SerialInsertion::is_ear(const MeshView& mesh, uint32_t spoke) const {
    const uint32_t before = mesh.apex(mesh.across(spoke)), end = mesh.to(spoke), after = mesh.apex(spoke);
    if (on_hull_) return before == mesh.infinite;
    if (orientation(mesh, before, end, after) <= 0) return false;
    const int side = orientation(mesh, before, after, removed_);
    return side > 0 || (side == 0 && degree_ == 4);
}

void SerialInsertion::cut_ears(PassResult& result) {
    const MeshView mesh = mesh_view();
    const Pace pace = this->pace();
    uint32_t tested = 0, flipped = 0;
    do {
        if (degree_ == 3) {
            close_star();
            break;
        }
        for (++tested; !is_ear(mesh, spoke_); ++tested) spoke_ = following_spoke(mesh, spoke_);
        const uint32_t edge = mesh.half_edge_at[spoke_] >> 1;
        flip_edge(mesh, edge);
        repair_flipped(mesh, edge);
        ++flipped;
        --degree_;
        stack_.push_back(edge);
        const uint32_t side = mesh.apex(mesh.corner_of[2 * edge]) == removed_ ? 0 : 1;
        const uint32_t inner = mesh.corner_of[2 * edge + side], cut = mesh.corner_of[2 * edge + 1 - side];
        spoke_ = mesh.across(next_corner(inner));
        if (mesh.edge_states) mesh.edge_states[edge] = kStateGranted;
        if (mesh.triangle_states) mesh.triangle_states[triangle_of(cut)] = kStateFresh;
    } while (pace == Pace::kPoint);
    result.counters[kQueued] = tested;
    result.counters[kFlipped] = flipped;
}

/// The three triangles at the vertex become one. The last triangles and edges take the ids that are free then.
void SerialInsertion::close_star() {
    clear_marks();
    const MeshView mesh = mesh_view();
    FreedBySplit freed = merge_three(mesh, spoke_);
    uint32_t merged = triangle_of(spoke_);
    std::sort(std::begin(freed.triangles), std::end(freed.triangles), std::greater<>());
    std::sort(std::begin(freed.edges), std::end(freed.edges), std::greater<>());
    for (const uint32_t hole : freed.triangles) {
        const uint32_t last = --mesh_.triangle_count;
        if (hole == last) continue;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t half_edge = mesh.half_edge_at[3 * last + k];
            mesh.triangles[3 * hole + k] = mesh.triangles[3 * last + k];
            mesh.half_edge_at[3 * hole + k] = half_edge;
            mesh.corner_of[half_edge] = 3 * hole + k;
        }
        if (merged == last) merged = hole;
    }
    for (const uint32_t hole : freed.edges) {
        const uint32_t last = --mesh_.edge_count;
        if (hole == last) continue;
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t corner = mesh.corner_of[2 * last + side];
            mesh.edges[2 * hole + side] = mesh.edges[2 * last + side];
            mesh.corner_of[2 * hole + side] = corner;
            mesh.half_edge_at[corner] = 2 * hole + side;
        }
        std::replace(stack_.begin(), stack_.end(), last, hole);
    }
    state_.last = merged;
    state_.next = kLegalise;
    if (mesh.edge_states)
        for (const uint32_t edge : stack_) mesh.edge_states[edge] = kStateQueued;
}

}  // namespace flipscope
