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

// With fewer illegal edges the first pass, too, costs less in one cluster of blocks.
constexpr uint64_t kFewIllegal = 2048;

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
    FlippedList list;
    bool marks;
    View<const uint32_t> triangles{};  // to look at; empty: all

    /// A triangle as the motion finds it: its corners, how they have moved, and where its edges lead now.
    struct Triangle {
        uint32_t t, corners[3];
        uint8_t moved[3];
        ImageShift shifts[3];
        FLIPSCOPE_HD bool has_moved() const { return (moved[0] | moved[1] | moved[2]) != 0; }
        FLIPSCOPE_HD bool has_crossed() const { return ((moved[0] | moved[1] | moved[2]) & kVertexCrossed) != 0; }
    };
    FLIPSCOPE_HD Triangle triangle(uint32_t t) const {
        Triangle triangle{t, {}, {}, {}};
        for (uint32_t k = 0; k < 3; ++k) {
            triangle.corners[k] = mesh.triangles[3 * t + k];
            triangle.moved[k] = moved[triangle.corners[k]];
        }
        return triangle;
    }
    FLIPSCOPE_HD void find_shifts(Triangle& triangle) const {
        for (uint32_t k = 0; k < 3; ++k) triangle.shifts[k] = mesh.shifts[3 * triangle.t + k];
        if (!triangle.has_crossed()) return;
        ImageShift added[3];
        for (uint32_t k = 0; k < 3; ++k)
            if (triangle.moved[k] & kVertexCrossed) added[k] = sides[triangle.corners[k]];
        for (uint32_t k = 0; k < 3; ++k)
            triangle.shifts[k] = triangle.shifts[k] + added[k] + -added[k == 2 ? 0 : k + 1];
    }
    FLIPSCOPE_HD bool is_inverted(const Triangle& triangle) const {
        const Point a = mesh.positions[triangle.corners[0]], b = mesh.positions[triangle.corners[1]],
                    c = mesh.positions[triangle.corners[2]];
        return orient2d({0, 0}, box.to_image(a, b, triangle.shifts[0]), box.to_image(a, c, -triangle.shifts[2])) <= 0;
    }
    /// Of a triangle with a moved corner.
    FLIPSCOPE_HD void follow(const Triangle& triangle, bool inverted) const {
        if (triangle.has_crossed())
            for (uint32_t k = 0; k < 3; ++k) mesh.shifts[3 * triangle.t + k] = triangle.shifts[k];
        if (marks) mesh.triangle_states[triangle.t] = inverted ? State(kStateIllegal) : State(0);
    }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        Triangle at = triangle(t);
        if (!at.has_moved()) return;
        find_shifts(at);
        const bool inverted = is_inverted(at);
        sums.value[0] += inverted;
        follow(at, inverted);
    }

    /// Which of its edges a triangle with a moved corner lists: bits.
    FLIPSCOPE_HD uint32_t listed(const Triangle& triangle) const {
        uint32_t bits = 0;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t half = mesh.slot_halves[3 * triangle.t + k];
            const bool ends_moved = (triangle.moved[k] | triangle.moved[k == 2 ? 0 : k + 1]) != 0;
            if ((half & 1) == 0 || (!ends_moved && !moved[mesh.apex(mesh.half_slots[half ^ 1])])) bits |= 1u << k;
        }
        return bits;
    }
    FLIPSCOPE_HD void put(uint32_t edge, uint32_t rank) const {
        list.edges[rank] = edge;
        list.stamps[edge] = list.stamp;
    }
    FLIPSCOPE_HD uint32_t list_edges(uint32_t t, uint32_t bits, uint32_t rank) const {
        for (uint32_t k = 0; k < 3; ++k)
            if (bits >> k & 1) put(mesh.slot_halves[3 * t + k] >> 1, rank++);
        return rank;
    }
    static constexpr uint32_t kNear = 8, kInverted = 16;
    FLIPSCOPE_HD static uint32_t count_of(uint32_t code) { return (code & 1) + (code >> 1 & 1) + (code >> 2 & 1); }
    FLIPSCOPE_HD uint32_t code(uint32_t i, BlockSums& sums) const {
        Triangle at = triangle(triangles ? triangles[i] : i);
        if (!at.has_moved()) return 0;
        find_shifts(at);
        const bool inverted = is_inverted(at);
        sums.value[0] += inverted;
        const uint32_t bits = listed(at);
        sums.value[2] += count_of(bits);
        return kNear | bits | (inverted ? kInverted : 0) | (at.has_crossed() ? kCrosses : 0);
    }
    FLIPSCOPE_HD void emit(uint32_t i, uint32_t rank, uint32_t code) const {
        if (code == 0) return;
        const uint32_t t = triangles ? triangles[i] : i;
        list_edges(t, code & 7, rank);
        if (!(code & kCrosses) && !marks) return;
        Triangle at = triangle(t);
        find_shifts(at);
        follow(at, (code & kInverted) != 0);
    }
    static constexpr uint32_t kCrosses = 32;
};

/// Where the first test of edges counts inverted triangles: for all triangles, of which few cross the border.
struct FollowAcross {
    FollowMotion follow;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        FollowMotion::Triangle at = follow.triangle(t);
        if (!at.has_crossed()) return;
        follow.find_shifts(at);
        follow.follow(at, false);
    }
};

/// Where few vertices have moved: lists the triangles at them, each once, for FollowMotion. A triangle with several is
/// that one's whose place in it is the first. `slots` (of edges that begin at moved vertices) name every one of these
/// once.
struct ListStars {
    using Code = uint32_t;  // how many triangles are a vertex's own: as many as there are around it
    MeshView mesh;
    View<const uint8_t> moved;
    View<const uint32_t> slots;
    View<uint32_t> triangles;

    template <class Each>
    FLIPSCOPE_HD void each_own(uint32_t slot, const Each& each) const {
        uint32_t at = slot;
        do {
            const uint32_t next = mesh.across(previous_slot(at));  // asked for first: the others are not waited for
            const uint32_t t = triangle_of(at), place = at - 3 * t;
            const bool first = place > 0 && moved[mesh.triangles[3 * t]];
            const bool second = place > 1 && moved[mesh.triangles[3 * t + 1]];
            if (!first && !second) each(t);
            at = next;
        } while (at != slot);
    }
    FLIPSCOPE_HD uint32_t code(uint32_t k) const {
        uint32_t count = 0;
        each_own(slots[k], [&](uint32_t) { ++count; });
        return count;
    }
    FLIPSCOPE_HD void emit(uint32_t k, uint32_t rank, uint32_t code) const {
        if (code) each_own(slots[k], [&](uint32_t t) { triangles[rank++] = t; });
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

// Of the flip machine's guest words: 0, sum 0, inverted triangles, sum 1, length of near_edges_, sum 2, what it was
// before any flip, sum 3, length of near_triangles_; 1, the caller's, and after a motion of all sum 3, inverted
// triangles.

View<uint32_t> TorusTriangulation::near_total() const {
    return {reinterpret_cast<uint32_t*>(flips_.guest_words(0).data + 1), 1};
}

/// Triangles, or edges, near vertices that are listed: some more than there are.
uint32_t TorusTriangulation::likely_near(const Motion& motion) {
    return static_cast<uint32_t>(std::min<size_t>(16 * motion.slots.count, kNone));
}

View<uint64_t> TorusTriangulation::inverted_sum() const {
    return {ahead_all_ ? flips_.guest_words(1).data + 3 : flips_.guest_words(0).data, 1};
}

void TorusTriangulation::launch_follow_alone(const Motion& motion, bool marks, bool lists_flipped, bool counts_later) {
    flips_.clear_words();
    flips_.set_flipped_list({});
    FollowMotion kernel{mesh_.view(), box_, motion.moved, motion.sides, {}, marks && mesh_.records_states()};
    if (!motion.all || lists_flipped) {
        if (near_edges_.size() != mesh_.edge_count) {
            near_edges_.resize(*context_, mesh_.edge_count, false);
            near_stamps_.resize(*context_, mesh_.edge_count, false);
            near_stamps_.fill_bytes(0);
            near_stamp_ = 0;
        }
        if (lists_flipped) near_before_.resize(*context_, mesh_.edge_count, false);
        kernel.list = {near_edges_.view(), near_total(), near_stamps_.view(), ++near_stamp_,
                       lists_flipped ? near_before_.view() : View<EdgeBefore>{}};
        flips_.set_flipped_list(kernel.list);
    }
    if (motion.all && counts_later) {
        launch(*context_, "follow.across", mesh_.triangle_count, FollowAcross{kernel});
        return;
    }
    if (motion.all) {
        launch(*context_, "follow.all", mesh_.triangle_count, kernel, flips_.guest_words(0));
        return;
    }
    Extent extent = mesh_.triangle_count;
    if (motion.slots) {
        near_triangles_.resize(*context_, mesh_.triangle_count, false);
        const View<uint32_t> total{reinterpret_cast<uint32_t*>(flips_.guest_words(0).data + 3), 1};
        append_unordered(*context_, "follow.stars", static_cast<uint32_t>(motion.slots.count),
                         ListStars{mesh_.view(), motion.moved, motion.slots, near_triangles_.view()}, total, {}, true);
        kernel.triangles = near_triangles_.view();
        extent = Extent(total, mesh_.triangle_count);
        extent.likely = likely_near(motion);
    }
    append_unordered(*context_, "follow.near", extent, kernel, near_total(), flips_.guest_words(0), true);
}

View<const uint32_t> TorusTriangulation::near_edges() const { return {near_edges_.view().data, count_flipped()}; }
uint32_t TorusTriangulation::count_flipped() const {
    return static_cast<uint32_t>(flips_.read_words().guests[0].value[1]);
}

uint64_t TorusTriangulation::follow(const Motion& motion, bool marks) {
    launch_follow_alone(motion, marks, false, false);
    const BlockSums sums = flips_.read_words().guests[0];
    if (motion.all) {
        queue_all();
    } else {
        queue_near(static_cast<uint32_t>(sums.value[2]));
    }
    return sums.value[0];
}

void TorusTriangulation::queue_near(uint32_t count) {
    Buffer<uint32_t>& list = flips_.spare_list();
    list.resize(*context_, count, false);
    if (count) context_->copy(list.view().data, near_edges_.view().data, count * sizeof(uint32_t));
    flips_.take_spare_list(count);
}

TorusTriangulation::Ahead TorusTriangulation::begin_follow(const Motion& motion, bool lists_flipped) {
    ahead_all_ = motion.all;
    few_ahead_ = motion.likely_illegal <= kFewIllegal;
    launch_follow_alone(motion, false, lists_flipped, true);
    Ahead ahead{{}, mesh_.edge_count};
    if (motion.all) {
        queue_all();
    } else {
        ahead = {near_edges_.view(), Extent(near_total(), mesh_.edge_count)};
        if (motion.slots) ahead.extent.likely = likely_near(motion);
        ahead.extent.stops[0] = inverted_word();
    }
    return ahead;
}

/// Until nothing is inverted and nothing left to flip.
void TorusTriangulation::hold_back(Extent& extent) const {
    extent.stops[0] = inverted_word();
    extent.stops[1] = flips_.left_word(ahead_);
}

TorusTriangulation::Ahead TorusTriangulation::launch_follow(const Motion& motion) {
    Ahead ahead = begin_follow(motion, false);
    if (motion.all)
        launch_watched(WatchNothing{});
    else
        ahead_ = launch_on_torus(flips_, mesh_, box_, ahead.extent, near_edges_.view(), kPassesAhead, few_ahead_);
    hold_back(ahead.extent);
    return ahead;
}

TorusTriangulation::Followed TorusTriangulation::end_follow() {
    const FlipMachine::Words words = flips_.read_words();
    Followed followed;
    followed.inverted = ahead_all_ ? words.guests[1].value[3] / 3 : words.guests[0].value[0];
    const auto near = static_cast<uint32_t>(words.guests[0].value[2]);
    if (followed.inverted) {
        if (!ahead_all_) queue_near(near);
        return followed;
    }
    followed.settled = words.totals[ahead_.count - 1] == 0;
    std::copy_n(words.guests[1].value, kSumCount, followed.guest_sums);
    followed.listed = static_cast<uint32_t>(words.listed);
    end_on_torus(flips_, mesh_, box_, ahead_, ahead_all_ ? mesh_.edge_count : near, words, adder(followed.flipped));
    return followed;
}

void TorusTriangulation::read_guest_sums(Followed& followed) const {
    const FlipMachine::Words words = flips_.read_words();
    std::copy_n(words.guests[1].value, kSumCount, followed.guest_sums);
    followed.settled = true;
}

void TorusTriangulation::number_along_vertices() { flipscope::number_along_vertices(*context_, mesh_); }

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
