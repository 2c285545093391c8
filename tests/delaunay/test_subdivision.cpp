// Triangulation by space subdivision: the same triangles as every other construction, for all points, devices and
// numbers of threads; the same state stepped, finished and resumed; and its kernels.
#include "delaunay/constructions/subdivision.h"

#include <random>

#include "delaunay/engines.h"
#include "geometry/predicate_cases.h"

using namespace flipscope;

TEST_CASE("subdivision: every generator at every size gives the triangulation of the serial construction") {
    for_each_generated({1, 2, 3, 4, 5, 10, 100, 1000}, [](const Input& input) {
        check_on_every_device<Subdivision>(input, SubdivisionOptions{}, false);
    });
    check_on_every_device<Subdivision>(make_input("nothing", {}), SubdivisionOptions{});
}

TEST_CASE("subdivision: the inputs that hurt") {
    const std::vector<Input> inputs = hard_inputs();
    for (size_t i = 0; i < inputs.size(); i += case_stride(3)) {
        check_on_every_device<Subdivision>(inputs[i], SubdivisionOptions{}, false);
        check_on_every_device<Subdivision>(inputs[i], SubdivisionOptions{.leaf = 8, .patience = 1}, false);
    }
}

TEST_CASE("subdivision: thousands of small degenerate sets") {
    check_degenerate_sets<Subdivision>(17, [](size_t i, std::mt19937_64&) {
        return SubdivisionOptions{.leaf = static_cast<uint32_t>(3 + i % 10), .patience = static_cast<uint32_t>(i % 5)};
    });
}

TEST_CASE("subdivision: thirty thousand points of every generator") {
    for_each_generated({std::max<uint64_t>(1000, case_count(30'000))}, [](const Input& input) {
        check_on_every_device<Subdivision>(input, SubdivisionOptions{}, false);
    });
}

TEST_CASE("subdivision: distances and circumcentres are compared as exact integers do it") {
    using namespace flipscope::predicate_cases;
    Generator random(99);
    const size_t cases = case_count(40000);
    size_t ties = 0;
    for (size_t i = 0; i < cases; ++i) {
        predicate_cases::Quad q = family(static_cast<int>(i % kFamilies), random);
        if (i % 3 == 0) q[3] = {8 * q[3].x, 8 * q[3].y};  // the corners of cells may lie farther out
        CAPTURE(text(q));
        int low = 1100;
        for (const Point p : q)
            for (const double v : {p.x, p.y})
                if (v != 0) low = std::min(low, std::ilogb(v) - 52);
        std::array<Integer, 4> x, y;
        for (size_t k = 0; k < 4; ++k) {
            x[k] = to_integer(q[k].x, low);
            y[k] = to_integer(q[k].y, low);
        }
        const auto sign = [](const Integer& v) { return v > 0 ? 1 : v < 0 ? -1 : 0; };
        const auto distance = [&](size_t a, size_t b) -> Integer {
            return (x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]);
        };
        const int closer = sign(distance(0, 3) - distance(1, 3));
        ties += closer == 0;
        REQUIRE(compare_distances(q[0], q[1], q[3]) == closer);
        REQUIRE(compare_distances(q[1], q[0], q[3]) == -closer);
        REQUIRE(exact::compare_distances_sign(q[0], q[1], q[3]) == closer);
        const double v[6] = {q[0].x, q[0].y, q[1].x, q[1].y, q[3].x, q[3].y};
        const double largest = exact::magnitude(v, 6);
        if (largest > 0) REQUIRE(exact::compare_distances_wide(v, largest) == closer);

        Integer bx = x[1] - x[0], by = y[1] - y[0], cx = x[2] - x[0], cy = y[2] - y[0];
        Integer cross = bx * cy - by * cx;
        if (cross == 0) continue;
        if (cross < 0) {
            std::swap(bx, cx);
            std::swap(by, cy);
            std::swap(q[1], q[2]);
            cross = -cross;
        }
        const Integer b_lift = bx * bx + by * by, c_lift = cx * cx + cy * cy;
        const int right = sign(b_lift * cy - c_lift * by + 2 * cross * (x[0] - x[3]));
        const int above = sign(c_lift * bx - b_lift * cx + 2 * cross * (y[0] - y[3]));
        ties += right == 0;
        REQUIRE(circumcentre_x_side(q[0], q[1], q[2], q[3].x) == right);
        REQUIRE(circumcentre_y_side(q[0], q[1], q[2], q[3].y) == above);
        const double along[7] = {q[0].x, q[0].y, q[1].x, q[1].y, q[2].x, q[2].y, q[3].x};
        REQUIRE(exact::circumcentre_side_sign(along) == right);
        REQUIRE(exact::circumcentre_side_wide(along, exact::magnitude(along, 7)) == right);
    }
    CHECK((ties > cases / 100 || cases < 10000));
}

TEST_CASE("subdivision: after every pass the state is the same on every device, and what is found is counted") {
    for (const char* text : {"uniform:700", "clusters:500", "grid:300", "ring:100", "spiral:400"}) {
        const Input input = generated(text);
        CAPTURE(text);
        std::vector<uint64_t> hashes;
        on_every_device([&](Context& context) {
            Subdivision made;
            made.reset(context, input, {});
            std::vector<uint64_t> seen;
            uint64_t found = 0, cells_left = 0;
            while (!made.done()) {
                const uint32_t candidates = made.candidate_count();
                const PassResult result = made.step();
                seen.push_back(made.state_hash());
                const auto counted = [&](Subdivision::Counter which) {
                    return static_cast<uint64_t>(std::max<int64_t>(0, result.counters[which]));
                };
                found += counted(Subdivision::kFound);
                cells_left += counted(Subdivision::kLeft);
                if (result.pass == Subdivision::kPack)
                    CHECK(counted(Subdivision::kRemoved) == candidates - made.candidate_count());
                if (result.pass == Subdivision::kOrder || result.next == kNone) continue;
                CHECK(made.found() == found);
            }
            CHECK(cells_left > 0);
            if (hashes.empty()) hashes = seen;
            CHECK(seen == hashes);
            made.reset(context, input, {});
            made.finish({});
            CHECK(made.state_hash() == hashes.back());
        });
    }
}

TEST_CASE("subdivision: points of a curve do not make it try every place between them") {
    // Their Voronoi edges run side by side through the whole root: without an end to patience there would be as many
    // cells as there are pairs of points.
    std::vector<Point> row;
    for (int i = 0; i < 3000; ++i) row.push_back({double(i), i % 7 * 0x1p-20});
    Context context(DeviceRequest::kCpu, 1);
    const Input input = make_input("a row", std::move(row));
    Subdivision made;
    made.reset(context, input, {});
    int64_t copied = 0;
    made.finish([&](const PassResult& round) { copied += std::max<int64_t>(0, round.counters[Subdivision::kCopied]); });
    CHECK(copied < 200 * 3000);
    CHECK(summarise(context, made.mesh(), made.distinct()).hash == serial_outcome(input).hash);
}
