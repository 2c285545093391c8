#include "delaunay/constructions/construction.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "compute/error.h"
#include "compute/launch.h"
#include "compute/scratch_pool.h"
#include "delaunay/constructions/hull.h"
#include "delaunay/constructions/locate.h"
#include "mesh/checks.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

struct NameVertices {
    View<const uint32_t> names;
    View<uint32_t> inputs, ranks;
    FLIPSCOPE_HD void operator()(uint32_t v) const {
        ranks[v] = inputs[v];
        inputs[v] = names[ranks[v]];
    }
};

struct PlaceInfinite {
    View<Point> positions;
    View<uint32_t> inputs;
    uint32_t infinite;
    Point place;
    FLIPSCOPE_HD void operator()(uint32_t) const {
        positions[infinite] = place;
        inputs[infinite] = kNone;
    }
};

}  // namespace

void Construction::begin(Context& context, const InputPoints& input) {
    if (input.count() > kMostTriangles / 2 - 8)
        throw Error(input.geometry->name + ": " + std::to_string(input.count()) + " points are too many; at most " +
                    std::to_string(kMostTriangles / 2 - 8) + " can be triangulated");
    context_ = &context;
    input_ = input.geometry;
    resident_ = input.resident;
    names_.clear();
    resident_names_ = {};
    known_bounds_.reset();
    helpers_ = 0;
    bounds_ = {};
    distinct_ = 0;
    path_.clear();
    mesh_.vertex_count = mesh_.triangle_count = mesh_.edge_count = 0;
    mesh_.reset_states(context, false);
    lost_.reset();
}

InputPoints Construction::points() const {
    InputPoints points(input_);
    points.resident = resident_;
    return points;
}

void Construction::order_input(uint32_t helpers) {
    const ScratchPool lent(*context_, {mesh_.half_edge_at.memory(), mesh_.corner_of.memory()});  // of the run before
    take_order(order_points(*context_, points(), helpers + 1, mesh_.positions, mesh_.inputs, first_equal_));
}

void Construction::order_input_in_strips(uint32_t strips, PointStrips& made, Memory* idle) {
    const ScratchPool lent(*context_, {mesh_.half_edge_at.memory(), mesh_.corner_of.memory(), idle});
    take_order(order_in_strips(*context_, points(), strips, 1, mesh_.positions, mesh_.inputs, made, first_equal_,
                               known_bounds_));
}

void Construction::take_order(const OrderedPoints& ordered) {
    distinct_ = ordered.count;
    bounds_ = ordered.bounds;
    if (resident_names_ && distinct_ > 0) {
        ranks_->resize(*context_, distinct_, false);
        launch(*context_, "order.name", distinct_, NameVertices{resident_names_, mesh_.inputs.view(), ranks_->view()});
    }
    if (names_.empty() || distinct_ == 0) return;
    std::vector<uint32_t> inputs = mesh_.inputs.download();
    for (uint32_t v = 0; v < distinct_; ++v) inputs[v] = names_[inputs[v]];
    context_->copy(mesh_.inputs.view().data, inputs.data(), distinct_ * sizeof(uint32_t));
}

void Construction::place_infinite() {
    launch(*context_, "mesh.infinity", 1,
           PlaceInfinite{mesh_.positions.view(), mesh_.inputs.view(), mesh_.infinite(), bounds_.low});
}

void Construction::join_line() {
    path_ = sort_along_line(*context_, mesh_.positions, distinct_);
    mesh_.reset(*context_, distinct_, will_record_states_);
    mesh_.positions.write(mesh_.infinite(), bounds_.low);
}

void Construction::start_mesh(uint32_t helpers) {
    helpers_ = helpers;
    mesh_.reset(*context_, distinct_ + helpers, will_record_states_);
    place_infinite();
}

uint64_t Construction::mesh_hash() const {
    uint64_t hash = mix64(input_count() ^ (uint64_t(distinct_) << 32));
    const auto add = [&](const Buffer<uint32_t>& buffer, size_t count) {
        hash = hash_words(*context_, words_of(buffer, count), hash);
    };
    if (distinct_) add(mesh_.inputs, distinct_);
    for (const uint32_t v : path_) hash = mix64(hash ^ v);
    if (mesh_.triangle_count == 0) return hash;
    add(mesh_.triangles, 3 * size_t(mesh_.triangle_count));
    add(mesh_.half_edge_at, 3 * size_t(mesh_.triangle_count));
    add(mesh_.edges, 2 * size_t(mesh_.edge_count));
    add(mesh_.corner_of, 2 * size_t(mesh_.edge_count));
    return hash;
}

const std::vector<uint32_t>& Construction::lost_hull_edges() const {
    if (lost_) return *lost_;
    const std::vector<Point> points = mesh_.positions.download();
    const std::vector<uint32_t> hull = convex_hull({points.begin(), points.begin() + distinct_});
    std::set<std::pair<uint32_t, uint32_t>> missing;
    CancelPoll poll;
    for (size_t i = 0; i < hull.size(); ++i) {
        poll();
        const uint32_t a = hull[i], b = hull[(i + 1) % hull.size()];
        missing.insert({std::min(a, b), std::max(a, b)});
    }
    const std::vector<uint32_t> edges = mesh_.edges.download();
    for (size_t e = 0; e < mesh_.edge_count; ++e) {
        poll();
        missing.erase({std::min(edges[2 * e], edges[2 * e + 1]), std::max(edges[2 * e], edges[2 * e + 1])});
    }
    std::vector<uint32_t> pairs;
    for (const auto& [from, to] : missing) pairs.insert(pairs.end(), {from, to});
    return lost_.emplace(std::move(pairs));
}

TriangleSoup Construction::soup() const {
    TriangleSoup soup;
    if (!input_) return soup;
    if (resident_) throw std::logic_error("the points lie in the device's memory: there are none to lend");
    soup.points = &input_->points;
    soup.level = input_->level;
    if (distinct_ == 0) return soup;
    std::vector<uint32_t> inputs = mesh_.inputs.download();
    if (!names_.empty())
        for (uint32_t v = 0; v < distinct_; ++v)
            inputs[v] =
                static_cast<uint32_t>(std::lower_bound(names_.begin(), names_.end(), inputs[v]) - names_.begin());
    for (const uint32_t v : path_) soup.path.push_back(inputs[v]);
    if (mesh_.triangle_count == 0) return soup;
    const std::vector<uint32_t> corners = mesh_.triangles.download();
    CancelPoll poll;
    for (size_t t = 0; t < mesh_.triangle_count; ++t) {
        poll();
        const uint32_t a = corners[3 * t], b = corners[3 * t + 1], c = corners[3 * t + 2];
        if (std::max({a, b, c}) < distinct_) soup.triangles.push_back({inputs[a], inputs[b], inputs[c]});
    }
    return soup;
}

namespace {

struct Shape {
    uint32_t distinct, helpers, vertices, triangles, edges, records_states;
};

}  // namespace

void Construction::save_mesh(Snapshot& snapshot) const {
    const Shape shape{
        distinct_, helpers_, mesh_.vertex_count, mesh_.triangle_count, mesh_.edge_count, mesh_.records_states()};
    put_values(snapshot, &shape, 1);
    put_values(snapshot, path_.data(), path_.size());
    put_block(snapshot, mesh_.triangles, 3 * size_t(shape.triangles));
    put_block(snapshot, mesh_.half_edge_at, 3 * size_t(shape.triangles));
    put_block(snapshot, mesh_.edges, 2 * size_t(shape.edges));
    put_block(snapshot, mesh_.corner_of, 2 * size_t(shape.edges));
    put_block(snapshot, mesh_.edge_states, mesh_.records_states() ? shape.edges : 0);
}

void Construction::require_mesh_fits(const Snapshot& snapshot, size_t first) const {
    const auto shape = load_value<Shape>(snapshot, first);
    if (shape.vertices > mesh_.positions.size())
        throw std::logic_error("a snapshot of another input: too many vertices");
    for (const size_t corners : {2, 3}) require_count<uint32_t>(snapshot, first + corners, 3 * size_t(shape.triangles));
    for (const size_t ends : {4, 5}) require_count<uint32_t>(snapshot, first + ends, 2 * size_t(shape.edges));
    require_count<State>(snapshot, first + 6, shape.records_states ? shape.edges : 0);
    require_fits(snapshot, first + 2, mesh_.triangles);
    require_fits(snapshot, first + 3, mesh_.half_edge_at);
    require_fits(snapshot, first + 4, mesh_.edges);
    require_fits(snapshot, first + 5, mesh_.corner_of);
}

/// Positions, input indices, bounds and buffer sizes do not change once they are made, so they need not be saved.
void Construction::load_mesh(const Snapshot& snapshot, size_t first) {
    lost_.reset();
    const auto shape = load_value<Shape>(snapshot, first);
    distinct_ = shape.distinct;
    helpers_ = shape.helpers;
    mesh_.vertex_count = shape.vertices;
    mesh_.triangle_count = shape.triangles;
    mesh_.edge_count = shape.edges;
    path_ = load_vector<uint32_t>(snapshot, first + 1);
    load_block(*context_, snapshot, first + 2, mesh_.triangles);
    load_block(*context_, snapshot, first + 3, mesh_.half_edge_at);
    load_block(*context_, snapshot, first + 4, mesh_.edges);
    load_block(*context_, snapshot, first + 5, mesh_.corner_of);
    // Whether states are kept is a matter of this run, not of the one that was saved.
    const bool records_states = shape.vertices > 0 && will_record_states_;
    mesh_.reset_states(*context_, records_states);
    if (records_states) load_block(*context_, snapshot, first + 6, mesh_.edge_states);
}

}  // namespace flipscope
