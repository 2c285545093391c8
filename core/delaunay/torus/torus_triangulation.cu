#include "delaunay/torus/torus_triangulation.h"

#include <algorithm>
#include <numeric>

#include "compute/append.h"
#include "compute/error.h"
#include "compute/launch.h"
#include "delaunay/constructions/locate.h"
#include "delaunay/torus/stars_in_cluster.h"
#include "delaunay/torus/torus_checks.h"
#include "delaunay/torus/torus_motion_kernels.h"
#include "delaunay/torus/torus_rounds.h"
#include "delaunay/torus/torus_rules.h"
#include "geometry/places.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

void require_apart(const TorusBox& box, const std::vector<Point>& points) {
    const auto place = [&](uint32_t i) { return "point " + std::to_string(i) + " at " + place_text(points[i]); };
    for (uint32_t i = 0; i < points.size(); ++i) {
        const Point p = points[i];
        if (!box.holds(p))
            throw Error(place(i) + " does not lie in the periodic box, from (0, 0) to " + place_text(box.lengths()));
        if (!(box.on_grid(p) == p))
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

template <class Box>
struct CountInverted {
    MeshView mesh;
    Box box;
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        sums.value[0] += torus_orient2d(box, {0, 0}, triangle.b, triangle.c) <= 0;
    }
};

auto adder(TorusTriangulation::Flipped& flipped) {
    return [&flipped](const FlipCounts& counts) {
        flipped.tested += counts.queued;
        flipped.illegal += counts.illegal;
        flipped.deferred += counts.deferred;
        flipped.flips += counts.granted;
        flipped.passes += counts.granted > 0;
    };
}

}  // namespace

void TorusTriangulation::build(Context& context, const TorusBox& box, const std::vector<Point>& points,
                               bool with_states) {
    require_apart(box, points);
    if (points.size() > kMostTriangles / 2)
        throw Error(std::to_string(points.size()) + " points are too many for a periodic box: at most " +
                    std::to_string(kMostTriangles / 2) + " fit");
    context_ = &context;
    box_ = box;
    const auto count = static_cast<uint32_t>(points.size());
    mesh_.reset_torus(context, count, with_states, box.open);
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

void TorusTriangulation::name_vertices(const std::vector<uint32_t>& names) {
    if (names.size() != mesh_.vertex_count) throw std::logic_error("there is a name for each vertex");
    mesh_.inputs.upload(*context_, names.data(), names.size());
}

uint64_t TorusTriangulation::rebuild() {
    const bool states = mesh_.records_states();
    mesh_.reset_torus(*context_, mesh_.vertex_count, states, box_.open);
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

// Guest words of the flip machine. 0: sum 0, inverted triangles after follow(); sum 1, length of near_edges_; sum 2,
// its length before any flip; sum 3, length of star_triangles_ or late_. 1, after launch_follow(): sums 0 and 1, the
// caller's; sum 2, edges that ClaimAtStars tested; sum 3, inverted triangles.

View<uint32_t> TorusTriangulation::near_total() const {
    return {reinterpret_cast<uint32_t*>(flips_.guest_words(0).data + 1), 1};
}
View<uint32_t> TorusTriangulation::stars_total() const {
    return {reinterpret_cast<uint32_t*>(flips_.guest_words(0).data + 3), 1};
}

View<uint32_t> TorusTriangulation::late_total() const { return stars_total(); }

void TorusTriangulation::make_near() {
    if (near_edges_.size() == mesh_.edge_count) return;
    near_edges_.resize(*context_, mesh_.edge_count, false);
    near_stamps_.fill(*context_, mesh_.edge_count, 0);
    near_stamp_ = 0;
}

View<const uint32_t> TorusTriangulation::near_edges() const {
    return {near_edges_.view().data, static_cast<uint32_t>(flips_.read_words().guests[0].value[1])};
}

uint64_t TorusTriangulation::follow(const Motion& motion, bool marks) {
    flips_.clear_words();
    FlippedList list;
    if (!motion.all) {
        make_near();
        list = {near_edges_.view(), near_total(), near_stamps_.view(), ++near_stamp_, {}};
    }
    flips_.set_flipped_list(list);
    with_static_box(box_, [&]<class Box>(const Box& box) {
        const uint32_t count = mesh_.triangle_count;
        const FollowMotion<Box> kernel{mesh_.view(), box,  motion.moved,
                                       motion.sides, list, marks && mesh_.records_states()};
        if (motion.all)
            launch(*context_, "follow.all", count, kernel, flips_.guest_words(0));
        else
            append_unordered(*context_, "follow.near", count, kernel, near_total(), flips_.guest_words(0), true);
    });
    const BlockSums sums = flips_.read_words().guests[0];
    if (motion.all)
        queue_all();
    else
        queue_near(static_cast<uint32_t>(sums.value[2]));
    return sums.value[0];
}

void TorusTriangulation::queue_near(uint32_t count) {
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(*context_, count, false);
    if (count) context_->copy(list.view().data, near_edges_.view().data, count * sizeof(uint32_t));
    flips_.take_spare_list(count);
}

MovedStars TorusTriangulation::begin_stars() {
    flips_.clear_words();
    make_near();
    star_triangles_.resize(*context_, mesh_.triangle_count, false);
    return {without_states(mesh_), star_triangles_.view(), stars_total(), near_stamps_.view(), ++near_stamp_};
}

ShortEdges TorusTriangulation::begin_shorts(double length) {
    const ShortEdges shorts{{near_edges_.view(), near_total(), near_stamps_.view(), ++near_stamp_, {}},
                            length * length};
    flips_.set_flipped_list(shorts.list);
    return shorts;
}

TorusTriangulation::Ahead TorusTriangulation::ahead_of_passes() const {
    Ahead ahead{near_edges_.view(), befores(), Extent(near_total(), mesh_.edge_count)};
    ahead.extent.stops[0] = inverted_word();
    ahead.extent.stops[1] = flips_.left_word(ahead_);
    return ahead;
}

FollowTriangles<> TorusTriangulation::begin_follow(const Motion& motion) {
    flips_.clear_words();
    make_near();
    befores_.resize(*context_, mesh_.edge_count, false);
    late_.resize(*context_, size_t(mesh_.edge_count) + mesh_.triangle_count, false);
    const FlippedList late{late_.view(), late_total(), near_stamps_.view(), ++near_stamp_, {}};
    flips_.set_flipped_list({near_edges_.view(), near_total(), near_stamps_.view(), ++near_stamp_, befores_.view()});
    queue_all();
    ahead_all_ = true;
    ahead_ = flips_.begin_passes(without_states(mesh_), mesh_.edge_count);
    return {ahead_.now, box_, motion.moved, motion.sides, inverted_sum(), flips_.claimed_word(), late};
}

TorusTriangulation::Ahead TorusTriangulation::launch_follow(const FollowTriangles<>& follow, uint64_t likely_illegal) {
    Extent late(late_total(), static_cast<uint32_t>(late_.size()));
    late.stops[0] = inverted_word();
    late.likely = 0;
    with_static_box(box_, [&]<class Box>(const Box& box) {
        launch(*context_, "flip.claim", late, ClaimLate<Box>{follow.in(box)});
        ahead_ = flips_.launch_passes_after(without_states(mesh_), mesh_.edge_count, TorusDelaunayRule<Box>{box},
                                            ahead_, kPassesAhead, likely_illegal, inverted_word());
    });
    Ahead ahead = ahead_of_passes();
    ahead.extent.likely = static_cast<uint32_t>(std::min<uint64_t>(likely_illegal, mesh_.edge_count));
    return ahead;
}

TorusTriangulation::Ahead TorusTriangulation::launch_follow_stars(uint32_t likely, uint64_t likely_illegal,
                                                                  double length) {
    const uint32_t stamp = ++near_stamp_;
    const ShortEdges shorts = begin_shorts(length);
    Extent triangles(stars_total(), mesh_.triangle_count);
    triangles.likely = static_cast<uint32_t>(std::min<uint64_t>(uint64_t(kStar) * likely, mesh_.triangle_count));
    ahead_all_ = false;
    with_static_box(box_, [&]<class Box>(const Box& box) {
        const auto claim = [&](const FlipPass& pass) {
            return ClaimAtStars<Box>{pass,  box,   inverted_sum(), star_triangles_.view(), near_stamps_.view(),
                                     stamp, shorts};
        };
        ahead_ = flips_.launch_passes(without_states(mesh_), mesh_.edge_count, TorusDelaunayRule<Box>{box},
                                      triangles.times(3), {}, kPassesAhead, likely_illegal, claim, inverted_word());
    });
    Ahead ahead = ahead_of_passes();
    ahead.extent.likely = triangles.likely;
    return ahead;
}

StarsInCluster TorusTriangulation::begin_stars_in_cluster(double length, uint32_t times) {
    make_near();
    star_triangles_.resize(*context_, mesh_.triangle_count, false);
    const FlipMachine::OwnPasses passes = flips_.begin_own_passes(without_states(mesh_), mesh_.edge_count);
    const uint32_t stamp = near_stamp_;
    near_stamp_ += 3 * times;
    return {passes.first,
            passes.other_candidates,
            passes.other_outcomes,
            star_triangles_.view(),
            near_edges_.view(),
            near_stamps_.view(),
            stamp,
            length * length};
}

void TorusTriangulation::end_stars_in_cluster(uint32_t next_stamp, bool inverted) {
    flips_.end_own_passes(next_stamp);
    if (inverted) queue_all();
}

TorusTriangulation::Followed TorusTriangulation::end_follow() {
    const FlipMachine::Words words = flips_.read_words();
    Followed followed;
    followed.inverted = words.guests[1].value[3] / 3;
    if (followed.inverted) {
        queue_all();
        return followed;
    }
    followed.settled = words.totals[ahead_.count - 1] == 0;
    std::copy_n(words.guests[1].value, kSumCount, followed.guest_sums);
    followed.listed = static_cast<uint32_t>(words.listed);
    end_on_torus(flips_, mesh_, box_, ahead_, ahead_all_ ? mesh_.edge_count : words.guests[1].value[2], words,
                 adder(followed.flipped));
    return followed;
}

View<const EdgeBefore> TorusTriangulation::befores() const {
    return ahead_all_ ? befores_.view() : View<const EdgeBefore>{};
}
TorusTriangulation::Ahead TorusTriangulation::near_now() const {
    const View<const uint32_t> near = near_edges();
    return {near, befores(), static_cast<uint32_t>(near.count)};
}

void TorusTriangulation::read_guest_sums(Followed& followed) const {
    const FlipMachine::Words words = flips_.read_words();
    std::copy_n(words.guests[1].value, kSumCount, followed.guest_sums);
    followed.listed = static_cast<uint32_t>(words.listed);
    followed.settled = true;
}

FlipCounts TorusTriangulation::claim(Rule rule) {
    return claim_on_torus(flips_, mesh_.view(), box_, rule, mesh_.records_states());
}
FlipCounts TorusTriangulation::flip() { return flips_.flip(mesh_.view(), false); }
void TorusTriangulation::repair() { flips_.repair(mesh_.view(), mesh_.edge_count); }

TorusTriangulation::Flipped TorusTriangulation::flip_all(Rule rule) {
    Flipped flipped;
    flip_all_on_torus(flips_, mesh_, box_, rule, adder(flipped));
    return flipped;
}

uint64_t TorusTriangulation::count_inverted() const {
    const BlockSums sums = with_static_box(box_, [&]<class Box>(const Box& box) {
        return sums_of(*context_, "untangle.count", mesh_.triangle_count, CountInverted<Box>{mesh_.view(), box});
    });
    return sums.value[0];
}

CheckReport TorusTriangulation::check() const {
    return mesh_.vertex_count ? check_torus(*context_, mesh_, box_) : check_of_empty_torus();
}
uint64_t TorusTriangulation::hash() const { return mesh_.triangle_count ? hash_torus(*context_, mesh_) : 0; }

uint64_t TorusTriangulation::state_hash() const {
    if (mesh_.vertex_count == 0) return 0;
    const size_t corners = 3 * size_t(mesh_.triangle_count), half_edges = 2 * size_t(mesh_.edge_count);
    uint64_t hash = hash_words(*context_, words_of(mesh_.positions, mesh_.vertex_count), 0);
    hash = hash_words(*context_, words_of(mesh_.triangles, corners), hash);
    hash = hash_words(*context_, words_of(mesh_.half_edge_at, corners), hash);
    hash = hash_words(*context_, words_of(mesh_.corner_of, half_edges), hash);
    return mix64(hash ^ hash_shifts(*context_, mesh_));
}

void TorusTriangulation::save(Snapshot& snapshot) const {
    const size_t corners = 3 * size_t(mesh_.triangle_count), half_edges = 2 * size_t(mesh_.edge_count);
    put_values(snapshot, &flips_.run_state, 1);
    put_block(snapshot, mesh_.positions, mesh_.vertex_count);
    put_block(snapshot, mesh_.triangles, corners);
    put_block(snapshot, mesh_.half_edge_at, corners);
    put_block(snapshot, mesh_.edges, half_edges);
    put_block(snapshot, mesh_.corner_of, half_edges);
    put_block(snapshot, mesh_.shifts, corners);
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
    const auto flips = load_value<FlipMachine::RunState>(snapshot, first);
    require_below<uint32_t>(snapshot, first + 2, count);                // corners
    require_below<uint32_t>(snapshot, first + 3, 6 * uint64_t(count));  // half-edges of corners
    require_below<uint32_t>(snapshot, first + 4, count);                // ends of edges
    require_below<uint32_t>(snapshot, first + 5, 6 * uint64_t(count));  // corners of half-edges
    context_ = &context;
    box_ = box;
    mesh_.reset_torus(context, count, with_states, box.open);
    mesh_.positions.resize(context, count, false);
    mesh_.inputs.resize(context, count, false);
    load_block(context, snapshot, first + 1, mesh_.positions);
    load_block(context, snapshot, first + 2, mesh_.triangles);
    load_block(context, snapshot, first + 3, mesh_.half_edge_at);
    load_block(context, snapshot, first + 4, mesh_.edges);
    load_block(context, snapshot, first + 5, mesh_.corner_of);
    load_block(context, snapshot, first + 6, mesh_.shifts);
    mesh_.triangle_count = 2 * count;
    mesh_.edge_count = 3 * count;
    launch(context, "torus.number", count, NumberVertices{mesh_.inputs.view()});
    flips_.reset(context, 2 * size_t(count), ConflictRule::kLowestId);
    flips_.set_first_blind(1);
    flips_.restore_stamp(flips.stamp);
}

std::vector<ImageShift> corner_images(const TriangleMesh& mesh) {
    const std::vector<ImageShift> shifts = mesh.shifts.download(3 * size_t(mesh.triangle_count));
    std::vector<ImageShift> images(shifts.size());
    for (size_t t = 0; t < mesh.triangle_count; ++t) {
        images[3 * t + 1] = shifts[3 * t];
        images[3 * t + 2] = shifts[3 * t] + shifts[3 * t + 1];
    }
    return images;
}

}  // namespace flipscope
