// sanitizers: address thread
// A triangulation on a torus after its vertices moved: the result is the same for few or all vertices, pass by pass or
// in one go.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "compute/gather.h"
#include "compute/launch.h"
#include "delaunay/torus/torus_motion_kernels.h"
#include "moved_points.h"
#include "torus.h"

using namespace flipscope;

namespace {

/// Edges of an ascending list that are shorter than some length, as they lead.
std::vector<uint32_t> shorter(const TorusTriangulation& torus, double length, const std::vector<uint32_t>& of) {
    std::vector<uint32_t> found;
    const std::vector<Point> places = torus.mesh().positions.download();
    const std::vector<uint32_t> corners = torus.mesh().triangles.download(),
                                corner_of = torus.mesh().corner_of.download();
    const std::vector<ImageShift> shifts = torus.mesh().shifts.download();
    for (const uint32_t edge : of) {
        const uint32_t corner = corner_of[2 * edge];
        const Point d =
            torus.box().to_image(places[corners[corner]], places[corners[next_corner(corner)]], shifts[corner]);
        if (d.x * d.x + d.y * d.y < length * length) found.push_back(edge);
    }
    return found;
}

/// The ends of an edge.
std::vector<std::array<uint32_t, 2>> ends_of(const TorusTriangulation& torus) {
    const std::vector<uint32_t> corners = torus.mesh().triangles.download(),
                                corner_of = torus.mesh().corner_of.download();
    std::vector<std::array<uint32_t, 2>> ends;
    for (uint32_t edge = 0; edge < torus.mesh().edge_count; ++edge)
        ends.push_back({corners[corner_of[2 * edge]], corners[corner_of[2 * edge + 1]]});
    return ends;
}

/// The list of flipped edges has their ends and images before any flip.
void check_befores(Context& context, const TorusTriangulation& torus, const std::vector<std::array<uint32_t, 2>>& ends,
                   const std::vector<ImageShift>& images) {
    const TorusTriangulation::Ahead near = torus.near_now();
    const std::vector<uint32_t> edges = download(context, near.near.first(near.extent.bound));
    const std::vector<EdgeBefore> befores = download(context, near.before.first(near.extent.bound));
    for (size_t k = 0; k < edges.size(); ++k) {
        CHECK(befores[k].from == ends[edges[k]][0]);
        CHECK(befores[k].to == ends[edges[k]][1]);
        CHECK(befores[k].shift == images[edges[k]]);
    }
}

/// Of the side 0 of every edge.
std::vector<ImageShift> images_of(const TorusTriangulation& torus) {
    const std::vector<uint32_t> corner_of = torus.mesh().corner_of.download();
    const std::vector<ImageShift> shifts = torus.mesh().shifts.download();
    std::vector<ImageShift> images;
    for (uint32_t edge = 0; edge < torus.mesh().edge_count; ++edge) images.push_back(shifts[corner_of[2 * edge]]);
    return images;
}

}  // namespace

TEST_CASE("torus: after some points moved, their stars give the same result as all triangles, and so do angles") {
    std::mt19937_64 random(12);
    std::normal_distribution<double> normal;
    on_every_device([&](Context& context) {
        uint64_t inverted_in_all = 0, settled = 0, more = 0;
        const bool whole = case_count(96) == 96;
        for (const uint32_t n : {2u, 3u, 7u, 600u}) {
            const int steps = whole ? (n > 100 ? 96 : 24) : 12;  // under a sanitizer they take long
            for (int step = 0; step < steps; ++step) {
                const double far = step % 3 == 0 ? 0.4 : step % 3 == 1 ? 0.01 : 0.2;
                const TorusBox box = TorusBox::of(step % 4 == 3 ? Point{60, 15} : Point{30, 30});
                const Points points = wrapped(box, random_points(random, box.sides, n));
                TorusTriangulation all = built(context, box, points), ahead = built(context, box, points),
                                   tested = built(context, box, points);
                const MovedPoints moves(context, all, far, step % 2 ? 8 : 40, random, normal);
                if (moves.count == 0) continue;
                moves.put(context, all);
                const uint64_t inverted = all.follow(moves.motion(false), false);
                const auto near_of = [&](const TorusTriangulation& torus) {
                    std::vector<uint32_t> near = download(context, torus.near_edges());
                    std::sort(near.begin(), near.end());
                    return near;
                };
                const std::vector<uint32_t> near = near_of(all);
                CHECK(all.queued() == near.size());
                const double length = step % 4 ? 30 / std::sqrt(n) : 0;
                const std::vector<uint32_t> short_near = shorter(all, length, near);
                const std::vector<std::array<uint32_t, 2>> ends = ends_of(all);
                const std::vector<ImageShift> images = images_of(all);
                // The same where a kernel moves them, and only what is around them is looked at.
                moves.launch_moves(context, ahead);
                ahead.launch_follow_stars(moves.count, step % 4 < 2 ? 0 : 1 << 20, length);
                const TorusTriangulation::Followed followed = ahead.end_follow();
                CHECK(followed.inverted == inverted);
                inverted_in_all += inverted;
                settled += followed.settled;
                // Where all are said to move, triangles say first what their angles are.
                moves.put(context, tested);
                const FollowTriangles<> follow = tested.begin_follow(moves.motion(true));
                launch_gathered(context, "test.follow", tested.mesh().triangle_count, follow, follow.illegal, {}, {});
                tested.launch_follow(follow, 0);
                const TorusTriangulation::Followed by_test = tested.end_follow();
                CHECK(by_test.inverted == inverted);
                if (inverted) {
                    CHECK(tested.state_hash() == all.state_hash());
                    CHECK(tested.queued() == tested.mesh().edge_count);
                    CHECK(ahead.state_hash() == all.state_hash());
                    CHECK(ahead.queued() == ahead.mesh().edge_count);
                    CHECK(near_of(ahead) == short_near);
                    CHECK(near_of(tested).empty());
                    continue;
                }
                const TorusTriangulation::Flipped flipped = all.flip_all(TorusTriangulation::Rule::kDelaunay);
                CHECK(flipped.flips == followed.flipped.flips);
                CHECK(flipped.tested == followed.flipped.tested);
                CHECK(flipped.passes == followed.flipped.passes);
                CHECK((followed.settled || flipped.passes > 2));
                CHECK(ahead.state_hash() == all.state_hash());
                CHECK(tested.state_hash() == all.state_hash());
                CHECK(by_test.flipped.flips == flipped.flips);
                const std::vector<uint32_t> now = near_of(all);
                CHECK(std::includes(now.begin(), now.end(), near.begin(), near.end()));
                CHECK(std::adjacent_find(now.begin(), now.end()) == now.end());
                more += now.size() > near.size();
                const std::vector<std::array<uint32_t, 2>> ends_now = ends_of(all);
                const std::vector<uint32_t> none;
                for (const auto& [torus, short_ones] : {std::pair{&ahead, &short_near}, std::pair{&tested, &none}}) {
                    const std::vector<uint32_t> told = near_of(*torus);
                    CHECK(std::adjacent_find(told.begin(), told.end()) == told.end());
                    CHECK(std::includes(told.begin(), told.end(), short_ones->begin(), short_ones->end()));
                    CHECK(told.size() <= short_ones->size() + flipped.flips);
                    for (uint32_t edge = 0; edge < ends.size(); ++edge)
                        if (ends[edge] != ends_now[edge]) CHECK(std::binary_search(told.begin(), told.end(), edge));
                }
                check_befores(context, tested, ends, images);
                const MeshView mesh = all.mesh().view();
                if (context.on_cuda()) continue;
                for (uint32_t edge = 0; edge < all.mesh().edge_count; ++edge)  // all with a moved end
                    if (moves.moved[mesh.edges[2 * edge]] | moves.moved[mesh.edges[2 * edge + 1]])
                        CHECK(std::binary_search(now.begin(), now.end(), edge));
                check_sound(ahead);
            }
        }
        CHECK(inverted_in_all > 0);
        CHECK(settled > 0);
        if (whole) CHECK(more > 0);
    });
}

// A shear that is not the same everywhere turns no triangle over and makes very many edges illegal: on CUDA more than
// one cluster of blocks deals with, before the first pass or after it.
TEST_CASE("torus: however many edges a motion makes illegal, and however many were expected, they flip alike") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit(-0.15, 0.15);
    const auto side = static_cast<uint32_t>(std::sqrt(case_count(62500)));
    const uint32_t n = side * side;
    on_every_device([&](Context& context) {
        const TorusBox box = TorusBox::of(side);
        for (const double steep : {0.1, 2.5}) {
            Points points;
            for (uint32_t k = 0; k < n; ++k)
                points.push_back({k % side + unit(random) + k / side % 2 * 0.5, k / side + unit(random)});
            points = wrapped(box, std::move(points));
            const TorusTriangulation before = built(context, box, points);
            std::vector<ImageShift> sides(n);
            const std::vector<uint8_t> moved(n, kVertexMoved | kVertexCrossed);
            for (uint32_t i = 0; i < n; ++i) {
                const double by =
                    steep * side / 6.283185307179586 * std::sin(6.283185307179586 * points[i].y / box.sides.y);
                const Point p{points[i].x + box.on_grid(by), points[i].y};
                sides[i] = sides_to_add(box, p);
                points[i] = box.image(p, sides[i]);
            }
            Buffer<ImageShift> side_buffer("moved images");
            Buffer<uint8_t> moved_buffer("moved");
            side_buffer.upload(context, sides.data(), n);
            moved_buffer.upload(context, moved.data(), n);
            TorusTriangulation::Motion motion{moved_buffer.view(), side_buffer.view(), true};
            std::optional<TorusTriangulation::Flipped> first;
            uint64_t hash = 0;
            for (const uint64_t expected : {uint64_t(0), uint64_t(1) << 32}) {
                TorusTriangulation torus = built(context, box, wrapped(box, before.mesh().positions.download()));
                torus.positions().upload(context, points.data(), n);
                if (!first) {
                    REQUIRE(torus.follow(motion, false) == 0);
                    first = torus.flip_all(TorusTriangulation::Rule::kDelaunay);
                    hash = torus.state_hash();
                    check_sound(torus);
                    torus = built(context, box, wrapped(box, before.mesh().positions.download()));
                    torus.positions().upload(context, points.data(), n);
                }
                motion.likely_illegal = expected;
                const FollowTriangles<> follow = torus.begin_follow(motion);
                launch_gathered(context, "test.follow", torus.mesh().triangle_count, follow, follow.illegal, {}, {});
                torus.launch_follow(follow, motion.likely_illegal);
                const TorusTriangulation::Followed followed = torus.end_follow();
                CHECK(followed.inverted == 0);
                CHECK(followed.flipped.flips == first->flips);
                CHECK(followed.flipped.tested == first->tested);
                CHECK(followed.flipped.passes == first->passes);
                CHECK(torus.state_hash() == hash);
            }
            if (steep > 0.5 && n == 62500) CHECK(first->illegal > 2 * FlipMachine::kFew);
        }
    });
}

// Lattices of all kinds, moved by nothing, by steps of the grid, or squeezed until triangles are thin: their angles
// leave open what is legal, and the exact tests decide.
TEST_CASE("torus: if angles do not suffice, a motion of all has the same result as sequential tests") {
    std::mt19937_64 random(8);
    on_every_device([&](Context& context) {
        const uint32_t side = case_count(96) == 96 ? 16 : 8;
        const TorusBox box = TorusBox::of(side);
        for (const double flat : {1.0, 1e-3, 1e-9, 1e-12})
            for (const uint64_t steps : {0, 1, 1000}) {
                INFO("flat ", flat, ", steps ", steps);
                Points points;
                for (uint32_t k = 0; k < side * side; ++k)
                    points.push_back({double(k % side), box.on_grid(k / side * flat)});  // rows, near each other
                TorusTriangulation one = built(context, box, points), whole = built(context, box, points);
                for (Point& p : points)
                    for (double* v : {&p.x, &p.y})
                        if (steps && *v > 0.25 * flat && *v < box.sides.x - 1)
                            *v += box.grid * static_cast<double>(random() % (2 * steps + 1)) - box.grid * double(steps);
                Buffer<ImageShift> none("no images");
                Buffer<uint8_t> moved("moved");
                none.fill(context, points.size(), 0);
                moved.fill(context, points.size(), kVertexMoved);
                for (TorusTriangulation* torus : {&one, &whole})
                    torus->positions().upload(context, points.data(), points.size());
                const TorusTriangulation::Motion motion{moved.view(), none.view(), true};
                const uint64_t inverted = one.follow(motion, false);
                CHECK(inverted == one.count_inverted());
                const FollowTriangles<> follow = whole.begin_follow(motion);
                launch_gathered(context, "test.follow", whole.mesh().triangle_count, follow, follow.illegal, {}, {});
                whole.launch_follow(follow, 0);
                const TorusTriangulation::Followed followed = whole.end_follow();
                CHECK(followed.inverted == inverted);
                if (inverted) continue;
                const TorusTriangulation::Flipped flipped = one.flip_all(TorusTriangulation::Rule::kDelaunay);
                CHECK(followed.flipped.flips == flipped.flips);
                CHECK(followed.flipped.illegal == flipped.illegal);
                CHECK(whole.state_hash() == one.state_hash());
                if (steps == 0) CHECK(flipped.flips == 0);
                check_sound(whole);
            }
    });
}
