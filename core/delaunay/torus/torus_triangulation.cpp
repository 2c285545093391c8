#include "delaunay/torus/torus_triangulation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/append.h"
#include "compute/error.h"
#include "compute/primitives.h"
#include "compute/text.h"
#include "delaunay/locate.h"
#include "delaunay/torus/number_along_vertices.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_rounds.h"
#include "delaunay/torus/torus_rules.h"
#include "delaunay/torus/torus_sums.h"
#include "geometry/places.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

void require_apart(const TorusBox& box, const std::vector<Point>& points) {
    const auto place = [&](uint32_t i) { return "point " + std::to_string(i) + " at " + place_text(points[i]); };
    for (uint32_t i = 0; i < points.size(); ++i) {
        const Point p = points[i];
        if (!(p.x >= 0 && p.x < box.side && p.y >= 0 && p.y < box.side))
            throw Error(place(i) + " does not lie in the periodic box, from 0 to " + format_exactly(box.side));
        if (box.on_grid(p.x) != p.x || box.on_grid(p.y) != p.y)
            throw Error(place(i) + " does not lie on the grid of the periodic box, multiples of " +
                        format_exactly(box.grid));
    }
    std::vector<uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        const Point p = points[a], q = points[b];
        return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
    });
    for (size_t k = 1; k < order.size(); ++k)
        if (points[order[k]] == points[order[k - 1]])
            throw Error(place(order[k]) + " lies where point " + std::to_string(order[k - 1]) +
                        " does; remove one of them");
}

struct NumberVertices {
    View<uint32_t> inputs;
    FLIPSCOPE_HD void operator()(uint32_t i) const { inputs[i] = i; }
};

/// The three edges of a triangle with a moved corner lead to the images they led to before. Sum 0: triangles that are
/// inverted or flat now. By launch() for all triangles; by append_unordered() it also lists the edges of triangles with
/// a moved corner, each once: from its side 0 where that triangle has one, else from the other.
struct FollowMotion {
    MeshView mesh;
    TorusBox box;
    View<const uint8_t> moved;
    View<const ImageShift> sides;
    View<uint32_t> list, kept;  // the same twice
    bool marks;

    FLIPSCOPE_HD bool has_moved(uint32_t t) const {
        return moved[mesh.triangles[3 * t]] | moved[mesh.triangles[3 * t + 1]] | moved[mesh.triangles[3 * t + 2]];
    }
    FLIPSCOPE_HD ImageShift shift_now(uint32_t slot) const {
        const ImageShift from = sides[mesh.from(slot)], to = sides[mesh.to(slot)];
        return mesh.shifts[slot] + from + -to;
    }
    FLIPSCOPE_HD bool is_inverted(uint32_t t) const {
        const Point a = mesh.positions[mesh.triangles[3 * t]], b = mesh.positions[mesh.triangles[3 * t + 1]],
                    c = mesh.positions[mesh.triangles[3 * t + 2]];
        return orient2d({0, 0}, box.to_image(a, b, shift_now(3 * t)), box.to_image(a, c, -shift_now(3 * t + 2))) <= 0;
    }
    FLIPSCOPE_HD void follow(uint32_t t) const {
        ImageShift now[3];
        for (uint32_t k = 0; k < 3; ++k) now[k] = shift_now(3 * t + k);
        for (uint32_t k = 0; k < 3; ++k)
            if (!(now[k] == mesh.shifts[3 * t + k])) mesh.shifts[3 * t + k] = now[k];
    }
    FLIPSCOPE_HD void mark(uint32_t t, bool inverted) const {
        if (marks) mesh.triangle_states[t] = inverted ? State(kStateIllegal) : State(0);
    }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        if (!has_moved(t)) return;
        const bool inverted = is_inverted(t);
        sums.value[0] += inverted;
        follow(t);
        mark(t, inverted);
    }

    static constexpr uint32_t kNear = 8, kInverted = 16;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t t, BlockSums& sums) const {
        if (!has_moved(t)) return 0;
        uint32_t code = kNear;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t half = mesh.slot_halves[3 * t + k];
            if ((half & 1) == 0 || !has_moved(triangle_of(mesh.half_slots[half ^ 1]))) code |= 1u << k;
        }
        const bool inverted = is_inverted(t);
        sums.value[0] += inverted;
        return inverted ? code | kInverted : code;
    }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        if (code == 0) return;
        for (uint32_t k = 0; k < 3; ++k)
            if (code >> k & 1) list[rank] = kept[rank] = mesh.slot_halves[3 * t + k] >> 1, ++rank;
        follow(t);
        mark(t, (code & kInverted) != 0);
    }
};

struct CountInverted {
    MeshView mesh;
    TorusBox box;
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        sums.value[0] += orient2d({0, 0}, triangle.b, triangle.c) <= 0;
    }
};

}  // namespace

// ---- building ------------------------------------------------------------------------------------------------------

void TorusTriangulation::build(Context& context, const TorusBox& box, const std::vector<Point>& points,
                               bool with_states) {
    require_apart(box, points);
    if (points.size() > kMostTriangles / 2)
        throw Error(std::to_string(points.size()) + " points are too many for a periodic box: at most " +
                    std::to_string(kMostTriangles / 2) + " fit");
    context_ = &context;
    box_ = box;
    const auto count = static_cast<uint32_t>(points.size());
    mesh_.reset_torus(context, count, with_states);
    mesh_.positions.upload(context, points.data(), points.size());
    mesh_.inputs.resize(context, count, false);
    launch(context, "torus.number", count, NumberVertices{mesh_.inputs.view()});
    try {
        triangulate_vertices();
    } catch (...) {
        mesh_.vertex_count = mesh_.triangle_count = mesh_.edge_count = 0;
        throw;
    }
}

uint64_t TorusTriangulation::rebuild() {
    const bool states = mesh_.records_states();
    mesh_.reset_torus(*context_, mesh_.vertex_count, states);
    return triangulate_vertices();
}

uint64_t TorusTriangulation::triangulate_vertices() {
    flips_.reset(*context_, 2 * size_t(mesh_.vertex_count), ConflictRule::kLowestId);
    flips_.set_first_blind(1);
    if (mesh_.vertex_count == 0) return 0;
    TorusRounds rounds(mesh_, flips_);
    rounds.seed(*context_, box_);
    uint64_t moved = 0;
    while (rounds.waiting() > 0) {
        moved += rounds.locate();
        rounds.vote();
        rounds.split();
        rounds.link();
        rounds.queue_again(flip_all(Rule::kUpright).flips > 0);
        flip_all(Rule::kDelaunay);
    }
    mesh_.clear_states();
    return moved;
}

// ---- moving --------------------------------------------------------------------------------------------------------

uint64_t TorusTriangulation::follow(View<const uint8_t> moved, View<const ImageShift> sides, bool all, bool marks) {
    sums_.resize(*context_, kSumCount, false);
    sums_.fill_bytes(0);
    FollowMotion kernel{mesh_.view(), box_, moved, sides, {}, {}, marks && mesh_.records_states()};
    if (all) {
        launch(*context_, "follow.all", mesh_.triangle_count, kernel, sums_.view());
        queue_all();
    } else {
        Buffer<uint32_t>& list = flips_.spare_list();
        list.resize(*context_, mesh_.edge_count, false);
        near_edges_.resize(*context_, mesh_.edge_count, false);
        kernel.list = list.view();
        kernel.kept = near_edges_.view();
        append_unordered(*context_, "follow.near", mesh_.triangle_count, kernel, flips_.totals(), sums_.view());
        near_count_ = flips_.read_total();
        flips_.take_spare_list(near_count_);
    }
    return sums_.read(0);
}

void TorusTriangulation::number_along_vertices() { flipscope::number_along_vertices(*context_, mesh_); }

FlipCounts TorusTriangulation::claim(Rule rule) {
    return claim_on_torus(flips_, mesh_.view(), box_, rule, mesh_.records_states());
}
FlipCounts TorusTriangulation::flip() { return flips_.flip(mesh_.view(), false); }
void TorusTriangulation::repair() { flips_.repair(mesh_.view(), mesh_.edge_count); }

TorusTriangulation::Flipped TorusTriangulation::flip_all(Rule rule) {
    Flipped flipped;
    flip_all_on_torus(flips_, mesh_, box_, rule, [&](const FlipCounts& counts) {
        flipped.tested += counts.queued;
        flipped.illegal += counts.illegal;
        flipped.deferred += counts.deferred;
        flipped.flips += counts.granted;
        flipped.passes += counts.granted > 0;
    });
    return flipped;
}

uint64_t TorusTriangulation::count_inverted() const {
    return sums_of(*context_, "untangle.count", mesh_.triangle_count, CountInverted{mesh_.view(), box_}).value[0];
}

// ---- what it is ----------------------------------------------------------------------------------------------------

CheckReport TorusTriangulation::check() const {
    return mesh_.vertex_count ? check_torus(*context_, mesh_, box_) : check_of_empty_torus();
}
uint64_t TorusTriangulation::hash() const { return mesh_.triangle_count ? hash_torus(*context_, mesh_) : 0; }

uint64_t TorusTriangulation::state_hash() const {
    if (mesh_.vertex_count == 0) return 0;
    const size_t slots = 3 * size_t(mesh_.triangle_count), halves = 2 * size_t(mesh_.edge_count);
    uint64_t hash = hash_words(*context_, words_of(mesh_.positions, mesh_.vertex_count), 0);
    hash = hash_words(*context_, words_of(mesh_.triangles, slots), hash);
    hash = hash_words(*context_, words_of(mesh_.slot_halves, slots), hash);
    hash = hash_words(*context_, words_of(mesh_.half_slots, halves), hash);
    return mix64(hash ^ hash_shifts(*context_, mesh_));
}

void TorusTriangulation::save(Snapshot& snapshot) const {
    const size_t slots = 3 * size_t(mesh_.triangle_count), halves = 2 * size_t(mesh_.edge_count);
    put_values(snapshot, &flips_.run_state, 1);
    put_block(snapshot, mesh_.positions, mesh_.vertex_count);
    put_block(snapshot, mesh_.triangles, slots);
    put_block(snapshot, mesh_.slot_halves, slots);
    put_block(snapshot, mesh_.edges, halves);
    put_block(snapshot, mesh_.half_slots, halves);
    put_block(snapshot, mesh_.shifts, slots);
}

void TorusTriangulation::load(Context& context, const Snapshot& snapshot, size_t first, const TorusBox& box,
                              bool with_states) {
    const auto count = static_cast<uint32_t>(snapshot.blocks.at(first + 1).size() / sizeof(Point));
    require_count<Point>(snapshot, first + 1, count);
    require_count<uint32_t>(snapshot, first + 2, 6 * size_t(count));
    require_count<uint32_t>(snapshot, first + 3, 6 * size_t(count));
    require_count<uint32_t>(snapshot, first + 4, 6 * size_t(count));
    require_count<uint32_t>(snapshot, first + 5, 6 * size_t(count));
    require_count<ImageShift>(snapshot, first + 6, 6 * size_t(count));
    FlipMachine::RunState flips;
    take_values(snapshot, first, &flips, 1);
    require_below<uint32_t>(snapshot, first + 2, count);                // corners
    require_below<uint32_t>(snapshot, first + 3, 6 * uint64_t(count));  // halves of slots
    require_below<uint32_t>(snapshot, first + 4, count);                // ends of edges
    require_below<uint32_t>(snapshot, first + 5, 6 * uint64_t(count));  // slots of halves
    context_ = &context;
    box_ = box;
    mesh_.reset_torus(context, count, with_states);
    mesh_.positions.resize(context, count, false);
    mesh_.inputs.resize(context, count, false);
    take_block(context, snapshot, first + 1, mesh_.positions);
    take_block(context, snapshot, first + 2, mesh_.triangles);
    take_block(context, snapshot, first + 3, mesh_.slot_halves);
    take_block(context, snapshot, first + 4, mesh_.edges);
    take_block(context, snapshot, first + 5, mesh_.half_slots);
    take_block(context, snapshot, first + 6, mesh_.shifts);
    mesh_.triangle_count = 2 * count;
    mesh_.edge_count = 3 * count;
    launch(context, "torus.number", count, NumberVertices{mesh_.inputs.view()});
    flips_.reset(context, 2 * size_t(count), ConflictRule::kLowestId);
    flips_.set_first_blind(1);
    flips_.run_state.stamp = flips.stamp;
}

std::vector<ImageShift> corner_images(const TriangleMesh& mesh) {
    std::vector<ImageShift> shifts(3 * size_t(mesh.triangle_count)), images(shifts.size());
    mesh.shifts.download(shifts.data(), shifts.size());
    for (size_t t = 0; t < mesh.triangle_count; ++t) {
        images[3 * t + 1] = shifts[3 * t];
        images[3 * t + 2] = shifts[3 * t] + shifts[3 * t + 1];
    }
    return images;
}

}  // namespace flipscope
