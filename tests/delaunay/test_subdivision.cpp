// Triangulation by space subdivision: the same triangles as every other construction, whatever the points, the device
// and the number of threads; the same state stepped, finished and taken up again; and what it is made of.
#include "delaunay/subdivision.h"

#include <doctest/doctest.h>

#include <optional>
#include <random>

#include "compute/error.h"
#include "delaunay/inputs.h"
#include "delaunay/serial.h"
#include "geometry/predicate_cases.h"
#include "mesh/checks.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Divided {
    uint64_t hash = 0;   // of the set of triangles
    uint64_t state = 0;  // of the whole engine
    std::vector<uint32_t> path;
    bool operator==(const Divided&) const = default;
};

template <class Engine>
Divided outcome_of(Context& context, const Engine& made) {
    Divided outcome;
    outcome.state = made.state_hash();
    if (!made.path().empty()) {
        const std::vector<uint32_t> inputs = made.mesh().inputs.download();
        for (const uint32_t v : made.path()) outcome.path.push_back(inputs[v]);
    }
    if (made.mesh().triangle_count) outcome.hash = summarise(context, made.mesh(), made.distinct()).hash;
    return outcome;
}

Divided divided(Context& context, const Input& input, const SubdivisionOptions& options = {}) {
    Subdivision made;
    made.reset(context, input, options);
    made.finish({});
    if (made.mesh().triangle_count) {
        const CheckReport report = check_mesh(context, made.mesh());
        CHECK_MESSAGE(report.passed, report.sentence);
        CHECK(made.mesh().triangle_count == 2 * made.distinct() - 2);
        CHECK(made.mesh().edge_count == 3 * made.distinct() - 3);
    }
    return outcome_of(context, made);
}

/// Of the serial construction, which shares no step with this one but the predicates.
Divided inserted(const Input& input) {
    Context context(DeviceRequest::kCpu, 1);
    SerialInsertion serial;
    serial.reset(context, input);
    serial.finish({});
    return outcome_of(context, serial);
}

void check_on_every_device(const Input& input, const SubdivisionOptions& options = {}) {
    INFO(input->name, ", ", input->points.size(), " points, leaf ", options.leaf, ", patience ", options.patience);
    const Divided wanted = inserted(input);
    std::optional<uint64_t> state;
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        Context context(device.request, device.threads);
        const Divided made = divided(context, input, options);
        CHECK(made.hash == wanted.hash);
        CHECK(made.path == wanted.path);
        if (!state) state = made.state;
        CHECK(made.state == *state);
    }
}

/// Random points on few coordinates: everything is cocircular, collinear or a duplicate.
Input few_coordinates(std::mt19937_64& random) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    std::vector<Point> points(size_t(1 + below(40)));
    const int kind = below(7), wide = 1 + below(7), tall = 1 + below(7);
    for (Point& p : points) {
        p = {double(below(wide)), double(below(tall))};
        if (kind == 1) p.y = p.x;                                        // a diagonal
        if (kind == 2) p = {p.x + 1e6, p.y - 3e7};                       // far off
        if (kind == 3) p.x = std::nextafter(p.x + 1, double(below(9)));  // an ulp
        if (kind == 4) p = {std::ldexp(p.x + 1, below(60) - 30), std::ldexp(p.y, below(60) - 30)};
        if (kind == 5) p = {std::cos(p.x + 7 * p.y), std::sin(p.x + 7 * p.y)};  // a ring
        if (kind == 6) p = {1e6 + p.x * 0x1p-33, 1e6 + p.y * 0x1p-33};          // on neighbouring doubles
    }
    return make_input("few coordinates", std::move(points));
}

}  // namespace

TEST_CASE("subdivision: every generator at every size gives the triangulation of the serial construction") {
    for (const GeneratorInfo& generator : generators())
        for (const uint64_t count : {1, 2, 3, 4, 5, 10, 100, 1000}) {
            GeneratorSpec spec = parse_generator(std::string(generator.name) + ":1000");
            spec.count = count;
            Input input;
            try {
                input = std::make_shared<Geometry>(generate(spec));
            } catch (const Error&) {
                continue;  // some shapes need more points
            }
            if (input->in_space()) continue;
            check_on_every_device(input);
        }
    check_on_every_device(make_input("nothing", {}));
}

TEST_CASE("subdivision: the inputs that hurt") {
    const std::vector<Input> inputs = hard_inputs();
    for (size_t i = 0; i < inputs.size(); i += case_stride(3)) {
        check_on_every_device(inputs[i]);
        check_on_every_device(inputs[i], {.leaf = 8, .patience = 1});
    }
}

TEST_CASE("subdivision: thousands of small degenerate sets") {
    std::mt19937_64 random(17);
    const size_t cases = case_count(2500);
    Context context(DeviceRequest::kCpu, 1);
    for (size_t i = 0; i < cases; ++i) {
        const Input input = few_coordinates(random);
        CAPTURE(i);
        const auto leaf = static_cast<uint32_t>(3 + i % 10);
        const Divided made = divided(context, input, {.leaf = leaf, .patience = static_cast<uint32_t>(i % 5)});
        const Divided wanted = inserted(input);
        REQUIRE(made.hash == wanted.hash);
        REQUIRE(made.path == wanted.path);
    }
}

TEST_CASE("subdivision: a hundred thousand points, clustered or not") {
    for (const char* text : {"uniform:100000", "clusters:30000", "normal:20000", "grid:20000", "ring:20000"}) {
        GeneratorSpec spec = parse_generator(text);
        spec.count = std::max<uint64_t>(1000, case_count(spec.count));
        check_on_every_device(std::make_shared<Geometry>(generate(spec)));
    }
}

TEST_CASE("subdivision: distances and circumcentres are compared as exact integers do it") {
    using namespace flipscope::predicate_cases;
    Random random(99);
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

TEST_CASE("subdivision: elements of one cell are contiguous after every pass, and the state is the same everywhere") {
    for (const char* text : {"uniform:700", "clusters:500", "grid:300", "ring:100", "spiral:400"}) {
        const Input input = generated(text);
        CAPTURE(text);
        std::vector<uint64_t> hashes;
        for (const DeviceUnderTest& device : devices_under_test()) {
            INFO(device.name);
            Context context(device.request, device.threads);
            Subdivision made;
            made.reset(context, input, {});
            std::vector<uint64_t> seen;
            uint64_t found = 0, cells_left = 0;
            while (!made.done()) {
                const PassResult result = made.step();
                seen.push_back(made.state_hash());
                const auto counted = [&](Subdivision::Counter which) {
                    return static_cast<uint64_t>(std::max<int64_t>(0, result.counters[which]));
                };
                found += counted(Subdivision::kFound);
                cells_left += counted(Subdivision::kLeft);
                if (result.pass == Subdivision::kOrder || result.next == kNone) continue;
                CHECK(made.found() == found);
                const CellsView cells = made.cells();
                std::vector<uint32_t> cell_of(made.candidate_count());
                if (!cell_of.empty())
                    context.copy(cell_of.data(), cells.cell_of.data, cell_of.size() * sizeof(uint32_t));
                CHECK(std::is_sorted(cell_of.begin(), cell_of.end()));
                std::vector<uint32_t> kinds = cell_of;
                kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
                CHECK(kinds.size() == made.cell_count());  // none is empty
            }
            CHECK(cells_left > 0);
            if (hashes.empty()) hashes = seen;
            CHECK(seen == hashes);
            made.reset(context, input, {});
            made.finish({});
            CHECK(made.state_hash() == hashes.back());
        }
    }
}

TEST_CASE("subdivision: taken up again between any two rounds, it is what it was") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        Context context(device.request, device.threads);
        Subdivision made;
        made.reset(context, generated("uniform:600"), {});
        std::vector<Snapshot> saved{made.save()};
        std::vector<uint64_t> hashes{made.state_hash()};
        while (!made.done()) {
            const PassResult result = made.step();
            if (result.ended < Level::kRound) {
                CHECK_THROWS_AS(made.save(), std::logic_error);
                continue;
            }
            saved.push_back(made.save());
            hashes.push_back(made.state_hash());
        }
        REQUIRE(saved.size() > 5);
        for (size_t i = saved.size(); i-- > 0;) {
            made.load(saved[i]);
            CHECK(made.state_hash() == hashes[i]);
        }
        for (size_t i = 1; i < saved.size(); i += 3) {
            made.load(saved[i]);
            made.finish({}, static_cast<uint32_t>(i));  // one round after the pass order and i - 1 rounds
            if (i + 1 < saved.size()) CHECK(made.state_hash() == hashes[i + 1]);
            made.finish({});
            CHECK(made.state_hash() == hashes.back());
        }
        Snapshot broken = saved[2];
        broken.blocks.pop_back();
        CHECK_THROWS_AS(made.load(broken), std::logic_error);
        broken = saved[2];
        broken.blocks[broken.blocks.size() - 3].resize(4);
        CHECK_THROWS_AS(made.load(broken), std::logic_error);
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
    CHECK(summarise(context, made.mesh(), made.distinct()).hash == inserted(input).hash);
}
