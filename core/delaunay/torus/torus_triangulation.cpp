#include "delaunay/torus/torus_triangulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compute/append.h"
#include "compute/error.h"
#include "compute/primitives.h"
#include "compute/text.h"
#include "delaunay/locate.h"
#include "delaunay/torus/number_along_vertices.h"
#include "delaunay/torus/torus_insertion_kernels.h"
#include "delaunay/torus/torus_rules.h"
#include "geometry/places.h"
#include "mesh/collect_failures.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

template <class Kernel>
BlockSums sums_of(Context& context, const char* label, uint32_t n, const Kernel& kernel) {
    Buffer<uint64_t> block_sums("block sums");
    block_sums.resize(context, kSumCount);
    block_sums.fill_bytes(0);
    launch(context, label, n, kernel, block_sums.view());
    BlockSums sums;
    block_sums.download(sums.value, kSumCount);
    return sums;
}

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

// ---- checks --------------------------------------------------------------------------------------------------------

struct BrokenReference : FailureTest {
    MeshView mesh;
    uint32_t slots = 0;
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t half = 2 * edge + side, slot = mesh.half_slots[half];
            if (slot >= slots || mesh.slot_halves[slot] != half || mesh.from(slot) != mesh.edges[2 * edge + side] ||
                mesh.to(slot) != mesh.edges[2 * edge + 1 - side])
                return true;
        }
        return !(mesh.shifts[mesh.half_slots[2 * edge]] == -mesh.shifts[mesh.half_slots[2 * edge + 1]]);
    }
};

struct BrokenTriangle : FailureTest {
    MeshView mesh;
    uint32_t vertices = 0;
    FLIPSCOPE_HD bool operator()(uint32_t t) const {
        ImageShift round;
        for (uint32_t k = 0; k < 3; ++k) {
            if (mesh.triangles[3 * t + k] >= vertices) return true;
            const ImageShift shift = mesh.shifts[3 * t + k];
            if (shift.x > kMostShift || shift.x < -kMostShift || shift.y > kMostShift || shift.y < -kMostShift)
                return true;
            round = round + shift;
        }
        return !(round == ImageShift{});
    }
};

struct InvertedTriangle : FailureTest {
    MeshView mesh;
    TorusBox box;
    FLIPSCOPE_HD bool operator()(uint32_t t) const {
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        return orient2d({0, 0}, triangle.b, triangle.c) <= 0;
    }
};

struct IllegalEdge : FailureTest {
    MeshView mesh;
    TorusBox box;
    FLIPSCOPE_HD bool operator()(uint32_t edge) const {
        const TorusQuad quad = torus_quad(mesh, box, edge);
        return torus_incircle(quad.to, quad.left, quad.right) > 0;
    }
};

template <class Test>
struct CountFailing {
    Test test;
    FLIPSCOPE_HD void operator()(uint32_t i, BlockSums& sums) const { sums.value[0] += test(i); }
};

/// Sum 0: twice the area of all triangles in steps of the grid squared, modulo 2^64.
struct AddAreas {
    MeshView mesh;
    TorusBox box;
    double per_step;  // 1 / grid, a power of two
    FLIPSCOPE_HD uint64_t steps(double v) const { return static_cast<uint64_t>(static_cast<int64_t>(v * per_step)); }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        const TorusTriangle triangle = torus_triangle(mesh, box, t);
        sums.value[0] += steps(triangle.b.x) * steps(triangle.c.y) - steps(triangle.b.y) * steps(triangle.c.x);
    }
};

struct MarkUsed {
    MeshView mesh;
    View<uint32_t> used;
    FLIPSCOPE_HD void operator()(uint32_t slot) const { atomic_store(used[mesh.triangles[slot]], 1u); }
};
struct UnusedVertex : FailureTest {
    View<const uint32_t> used;
    FLIPSCOPE_HD bool operator()(uint32_t v) const { return !used[v]; }
};

/// A triangle over ids and images, the same for its three rotations.
struct HashTorusTriangles {
    MeshView mesh;
    FLIPSCOPE_HD static uint64_t word(ImageShift shift) { return uint64_t(uint8_t(shift.x)) << 8 | uint8_t(shift.y); }
    FLIPSCOPE_HD void operator()(uint32_t t, BlockSums& sums) const {
        uint64_t sum = 0;  // over its edges, each of which names both ends and the image: no rotation is preferred
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t slot = 3 * t + k;
            const uint64_t edge = mix64(uint64_t(mesh.from(slot)) << 32 | mesh.to(slot)) ^ word(mesh.shifts[slot]);
            sum += mix64(mix64(edge) ^ mesh.apex(slot));
        }
        sums.value[0] += mix64(sum);
    }
};

struct HashShifts {
    View<const ImageShift> shifts;
    FLIPSCOPE_HD void operator()(uint32_t slot, BlockSums& sums) const {
        sums.value[0] += mix64(uint64_t(slot) << 16 | HashTorusTriangles::word(shifts[slot]));
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
    const uint32_t count = mesh_.vertex_count;
    flips_.reset(*context_, 2 * size_t(count), ConflictRule::kLowestId);
    flips_.set_first_blind(1);
    if (count == 0) return 0;

    // Two triangles between the corners of the box, which are all images of vertex 0; the edges lie along x, along y
    // and along the diagonal.
    constexpr std::array<ImageShift, 6> shifts{{{1, 0}, {0, 1}, {-1, -1}, {1, 1}, {-1, 0}, {0, -1}}};
    constexpr std::array<uint32_t, 6> halves{0, 2, 5, 4, 1, 3};
    std::array<uint32_t, 6> slots{}, zeros{};
    for (uint32_t slot = 0; slot < 6; ++slot) slots[halves[slot]] = slot;
    context_->copy(mesh_.triangles.view().data, zeros.data(), sizeof zeros);
    context_->copy(mesh_.edges.view().data, zeros.data(), sizeof zeros);
    context_->copy(mesh_.slot_halves.view().data, halves.data(), sizeof halves);
    context_->copy(mesh_.half_slots.view().data, slots.data(), sizeof slots);
    context_->copy(mesh_.shifts.view().data, shifts.data(), sizeof shifts);
    mesh_.triangle_count = 2;
    mesh_.edge_count = 3;
    queue_all();
    flip_all(Rule::kDelaunay);

    struct List {
        Buffer<uint32_t> ids{"waiting ids"}, triangles{"waiting triangles"};
        Buffer<ImageShift> images{"waiting images"};
        void make_room(Context& context, uint32_t n) {
            ids.resize(context, n, false);
            triangles.resize(context, n, false);
            images.resize(context, n, false);
        }
        TorusWaiting view() const { return {ids.view(), triangles.view(), images.view()}; }
    } waiting, rest, chosen;
    uint32_t left = count - 1;
    uint64_t moved = 0;
    for (List* list : {&waiting, &rest, &chosen}) list->make_room(*context_, left);
    Buffer<uint64_t> votes("votes");
    Buffer<uint32_t> total("total");
    votes.resize(*context_, 2 * size_t(count), false);
    votes.fill_bytes(0xFF);
    total.resize(*context_, 1);
    launch(*context_, "torus.start", left, StartTorusWaiting{waiting.view()});
    for (uint32_t round = 1; left > 0; ++round) {
        const MeshView mesh = mesh_.view();
        moved += sums_of(*context_, "torus.locate", left,
                         LocateOnTorus{{mesh, box_}, waiting.view(), mesh_.positions.view()})
                     .value[0];
        launch(*context_, "torus.vote", left, VoteOnTorus{waiting.view(), votes.view(), round});
        compact(*context_, "torus.choose", left,
                ChooseOnTorus{waiting.view(), chosen.view(), rest.view(), votes.view(), round}, total.view());
        const uint32_t next = total.read(0);
        launch(*context_, "torus.split", next,
               SplitOnTorus{mesh, chosen.view(), mesh_.triangle_count, mesh_.edge_count});
        launch(*context_, "torus.link", next, LinkOnTorus{mesh, mesh_.triangle_count});
        mesh_.triangle_count += 2 * next;
        mesh_.edge_count += 3 * next;
        left -= next;
        std::swap(waiting, rest);
        queue_all();
        flip_all(Rule::kUpright);
        queue_all();
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
    const MeshView mesh = mesh_.view();
    const bool settles = mesh_.records_states();
    return rule == Rule::kUpright ? flips_.claim(mesh, UprightRule{box_}, settles)
                                  : flips_.claim(mesh, TorusDelaunayRule{box_}, settles);
}
FlipCounts TorusTriangulation::flip() { return flips_.flip(mesh_.view(), false); }
void TorusTriangulation::repair() { flips_.repair(mesh_.view(), mesh_.edge_count); }

TorusTriangulation::Flipped TorusTriangulation::flip_all(Rule rule) {
    Flipped flipped;
    const auto after_pass = [&](const FlipCounts& counts) {
        flipped.tested += counts.queued;
        flipped.illegal += counts.illegal;
        flipped.deferred += counts.deferred;
        flipped.flips += counts.granted;
        flipped.passes += counts.granted > 0;
        return true;
    };
    // No state words: they would be those of a pass amid others.
    MeshView mesh = mesh_.view();
    mesh.vertex_states = mesh.edge_states = mesh.triangle_states = {};
    if (rule == Rule::kUpright)
        flips_.run(mesh, mesh_.edge_count, UprightRule{box_}, kNone, after_pass);
    else
        flips_.run(mesh, mesh_.edge_count, TorusDelaunayRule{box_}, kNone, after_pass);
    return flipped;
}

uint64_t TorusTriangulation::count_inverted() const {
    return sums_of(*context_, "untangle.count", mesh_.triangle_count, CountInverted{mesh_.view(), box_}).value[0];
}

// ---- what it is ----------------------------------------------------------------------------------------------------

CheckReport TorusTriangulation::check() const {
    CheckReport report;
    const uint32_t count = mesh_.vertex_count, triangles = mesh_.triangle_count, edges = mesh_.edge_count;
    if (count == 0) {
        report.sentence = "there is no particle, and nothing to check";
        return report;
    }
    const MeshView mesh = mesh_.view();
    std::string faults;
    const auto test_all = [&](const char* label, uint32_t n, ElementKind kind, const char* code, const auto& test,
                              const char* one, const char* many, const char* says) {
        const uint64_t failing = sums_of(*context_, label, n, CountFailing{test}).value[0];
        if (failing == 0) return failing;
        report.passed = false;
        faults += (faults.empty() ? "" : ", ") + count_text(failing, one, many);
        collect_failures(*context_, "check.list", mesh_, n, kind, code, failing, test, report,
                         [&](const FailureRecord& record) { return name_of(record, kind) + " " + says; });
        if (report.examples.empty()) report.examples = collect_ids(*context_, "check.examples", n, test, 8);
        return failing;
    };
    report.euler = triangles == 2ull * count && edges == 3ull * count;
    if (!report.euler) {
        report.passed = false;
        faults = "Euler's count broken: " + std::to_string(count) + " vertices, " + std::to_string(edges) +
                 " edges and " + std::to_string(triangles) + " triangles";
        add_failure(report, {"euler", faults, {}, {}, {}});
    }
    report.euler_characteristic = int64_t(count) - edges + triangles;
    report.broken_references =
        test_all("check.triangles", triangles, ElementKind::kTriangle, "broken-triangle",
                 BrokenTriangle{{}, mesh, count}, "broken triangle", "broken triangles",
                 "names a vertex that is not there, or its edges do not lead back to where they begin");
    if (report.broken_references == 0)
        report.broken_references = test_all("check.references", edges, ElementKind::kEdge, "broken-reference",
                                            BrokenReference{{}, mesh, 3 * triangles}, "broken reference",
                                            "broken references", "and its triangles do not name each other");
    if (report.broken_references == 0) {
        Buffer<uint32_t> used("used vertices");
        used.resize(*context_, count);
        used.fill_bytes(0);
        launch(*context_, "check.use", 3 * triangles, MarkUsed{mesh, used.view()});
        if (test_all("check.used", count, ElementKind::kVertex, "unused-vertex", UnusedVertex{{}, used.view()},
                     "vertex in no triangle", "vertices in no triangle", "is in no triangle"))
            report.euler = false;
        report.inverted_triangles =
            test_all("check.orientation", triangles, ElementKind::kTriangle, "inverted-triangle",
                     InvertedTriangle{{}, mesh, box_}, "flat or inverted triangle", "flat or inverted triangles",
                     "is not counter-clockwise");
        const double per_step = 1 / box_.grid;
        const uint64_t area = sums_of(*context_, "check.areas", triangles, AddAreas{mesh, box_, per_step}).value[0];
        const auto side = static_cast<uint64_t>(box_.side * per_step);
        if (area != 2 * side * side) {
            report.passed = false;
            const std::string says = "the areas of all triangles do not add up to that of the box";
            faults += (faults.empty() ? "" : ", ") + says;
            add_failure(report, {"area", says, {}, {}, {}});
        }
        report.illegal_edges = test_all("check.legality", edges, ElementKind::kEdge, "illegal-edge",
                                        IllegalEdge{{}, mesh, box_}, "illegal edge", "illegal edges",
                                        "is illegal: the circle of one of its triangles holds the apex of the other");
    }
    report.sentence = report.passed ? "Delaunay on the torus: " + count_text(count, "vertex", "vertices") + ", " +
                                          std::to_string(triangles) + " triangles, which cover the box once, and " +
                                          std::to_string(edges) + " edges, each legal, exactly"
                                    : "not Delaunay on the torus: " + faults;
    return report;
}

uint64_t TorusTriangulation::hash() const {
    if (mesh_.triangle_count == 0) return 0;
    return mix64(sums_of(*context_, "hash.torus", mesh_.triangle_count, HashTorusTriangles{mesh_.view()}).value[0]);
}

uint64_t TorusTriangulation::state_hash() const {
    if (mesh_.vertex_count == 0) return 0;
    const size_t slots = 3 * size_t(mesh_.triangle_count), halves = 2 * size_t(mesh_.edge_count);
    uint64_t hash = hash_words(*context_, words_of(mesh_.positions, mesh_.vertex_count), 0);
    hash = hash_words(*context_, words_of(mesh_.triangles, slots), hash);
    hash = hash_words(*context_, words_of(mesh_.slot_halves, slots), hash);
    hash = hash_words(*context_, words_of(mesh_.half_slots, halves), hash);
    return mix64(
        hash ^
        sums_of(*context_, "hash.shifts", static_cast<uint32_t>(slots), HashShifts{mesh_.shifts.view()}).value[0]);
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
