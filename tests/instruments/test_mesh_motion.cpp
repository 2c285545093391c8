// What changes between two states of a mesh, forwards and backwards.
#include "instruments/mesh_motion.h"

#include <algorithm>
#include <set>
#include <utility>

#include "delaunay/runs.h"
#include "instruments/timeline.h"

using namespace flipscope;

namespace {

using Edges = std::set<std::pair<uint32_t, uint32_t>>;

Edges finite_edges(const TriangleMesh& mesh) {
    Edges edges;
    const std::vector<uint32_t> ends = mesh.edges.download(2 * size_t(mesh.edge_count));
    for (size_t e = 0; e < ends.size(); e += 2) {
        const auto [a, b] = std::minmax(ends[e], ends[e + 1]);
        if (b < mesh.infinite()) edges.emplace(a, b);
    }
    return edges;
}

/// Compares a motion with the edges before and after it; returns how many edges turn.
size_t check_motion(const MeshMotion& motion, const Edges& before, const Edges& after) {
    Edges made, left;
    size_t turned = 0;
    for (size_t e = 0; e < motion.ends.size(); e += 2) {
        const uint32_t a = motion.ends[e], b = motion.ends[e + 1];
        if (a == kNone || a < motion.place_count) {
            CHECK((b == kNone || b < motion.place_count));
            continue;  // it rests
        }
        if (a & MeshMotion::kArrives) {
            const auto [low, high] = std::minmax(a & ~MeshMotion::kArrives, b);
            CHECK_FALSE(before.contains({low, high}));
            made.emplace(low, high);
            continue;
        }
        const size_t p = 2 * (a - motion.place_count), q = 2 * (b - motion.place_count);
        left.insert(std::minmax(motion.ways[p], motion.ways[q]));
        made.insert(std::minmax(motion.ways[p + 1], motion.ways[q + 1]));
        ++turned;
    }
    Edges expected;
    std::ranges::set_difference(after, before, std::inserter(expected, expected.end()));
    CHECK(made == expected);
    for (const auto& edge : left) {
        CHECK(before.contains(edge));
        CHECK_FALSE(after.contains(edge));
    }
    CHECK(left.size() == turned);
    CHECK(motion.ways.size() == 4 * turned);
    CHECK(motion.faces.size() == 12 * turned);
    return turned;
}

}  // namespace

TEST_CASE("motion: every flip turns an old edge into a new one, on the way back too; a test moves nothing") {
    on_every_device([&](Context& context) {
        StartedTimeline timeline(context, generated("uniform:200"), "flip");
        MeshMotionFinder finder;
        const auto mesh = [&]() -> const TriangleMesh& { return *timeline.lab().scene().mesh; };
        size_t forwards = 0, backwards = 0;
        finder.update(timeline.lab().scene());
        CHECK_FALSE(finder.last());
        for (Edges before = finite_edges(mesh()), after; timeline.step(); before = after) {
            finder.update(timeline.lab().scene());
            after = finite_edges(mesh());
            if (before != after) {
                REQUIRE(finder.last());
                forwards += check_motion(*finder.last(), before, after);
            }
            const auto same = finder.last();
            finder.update(timeline.lab().scene());  // of the same state: a repeated exploration
            CHECK(finder.last() == same);
        }
        for (Edges before = finite_edges(mesh()), after; timeline.position() > 0; before = after) {
            timeline.seek(timeline.position() - 1);
            finder.update(timeline.lab().scene());
            after = finite_edges(mesh());
            if (before != after) backwards += check_motion(*finder.last(), before, after);
        }
        CHECK(forwards > 50);
        CHECK(backwards == forwards);
    });
}

TEST_CASE("motion: inserted points are fresh once; another mesh, a large one and lost vertices move nothing") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, generated("uniform:100"), "build");
    MeshMotionFinder finder;
    std::shared_ptr<const MeshMotion> last;
    std::vector<uint32_t> times(100);
    while (timeline.step()) {
        finder.update(timeline.lab().scene());
        if (!finder.last() || std::exchange(last, finder.last()) == finder.last()) continue;
        for (uint32_t v = 0; v < 100; ++v) times[v] += last->fresh[v / 32] >> v % 32 & 1;
    }
    CHECK(*std::ranges::max_element(times) == 1);
    CHECK(std::ranges::count(times, 1u) > 90);  // the first triangle was there before
    finder.update(finished(context, generated("uniform:100"))->scene());
    CHECK_FALSE(finder.last());
    const auto lab = finished(context, generated("uniform:500"));  // whose mesh then has fewer vertices
    finder.update(lab->scene());
    lab->reset(context, generated("uniform:200"));
    lab->finish({});
    finder.update(lab->scene());
    CHECK_FALSE(finder.last());
    const auto large = finished(context, generated("uniform:3000"));
    finder.update(large->scene());
    finder.update(large->scene());
    CHECK_FALSE(finder.last());
}
