// Triangulation by strips: the same triangles as every other construction, whatever the points, the strips, the device
// and the number of threads; and the same state stepped, finished and taken up again.
#include "delaunay/strips.h"

#include <doctest/doctest.h>

#include <random>

#include "compute/error.h"
#include "delaunay/inputs.h"
#include "delaunay/serial.h"
#include "mesh/checks.h"
#include "test_support.h"

using namespace flipscope;

namespace {

struct Made {
    uint64_t hash = 0;   // of the set of triangles
    uint64_t state = 0;  // of the whole engine
    std::vector<uint32_t> path;
    bool operator==(const Made&) const = default;
};

std::vector<uint32_t> path_inputs(const Construction& made) {
    std::vector<uint32_t> path;
    if (made.path().empty()) return path;
    const std::vector<uint32_t> inputs = made.mesh().inputs.download();
    for (const uint32_t v : made.path()) path.push_back(inputs[v]);
    return path;
}

Made outcome_of(Context& context, Strips& strips) {
    Made outcome;
    outcome.state = strips.state_hash();
    outcome.path = path_inputs(strips);
    if (strips.mesh().triangle_count) outcome.hash = summarise(context, strips.mesh(), strips.distinct()).hash;
    return outcome;
}

Made finished(Context& context, const Input& input, double strips_factor = 1) {
    Strips strips;
    strips.reset(context, input, {.strips = strips_factor});
    strips.finish({});
    if (strips.mesh().triangle_count) {
        const CheckReport report = check_mesh(context, strips.mesh());
        CHECK_MESSAGE(report.passed, report.sentence);
        CHECK(strips.mesh().triangle_count == 2 * strips.distinct() - 2);
        CHECK(strips.mesh().edge_count == 3 * strips.distinct() - 3);
    }
    return outcome_of(context, strips);
}

Made stepped(Context& context, const Input& input, double strips_factor = 1) {
    Strips strips;
    strips.reset(context, input, {.strips = strips_factor});
    while (!strips.done()) strips.step();
    return outcome_of(context, strips);
}

/// Of the serial construction, which shares no step with strips but the predicates.
Made expected(const Input& input) {
    Context context(DeviceRequest::kCpu, 1);
    SerialInsertion serial;
    serial.reset(context, input);
    serial.finish({});
    Made outcome;
    outcome.path = path_inputs(serial);
    if (serial.mesh().triangle_count) outcome.hash = summarise(context, serial.mesh(), serial.distinct()).hash;
    return outcome;
}

void check_everywhere(const Input& input, double strips_factor = 1, bool also_step = true) {
    INFO(input->name, ", ", input->points.size(), " points, strips x ", strips_factor);
    const Made wanted = expected(input);
    std::optional<uint64_t> state;
    for (const DeviceUnderTest& device : devices_under_test()) {
        INFO(device.name);
        Context context(device.request, device.threads);
        const Made made = finished(context, input, strips_factor);
        CHECK(made.hash == wanted.hash);
        CHECK(made.path == wanted.path);
        if (!state) state = made.state;
        CHECK(made.state == *state);
        if (also_step) CHECK(stepped(context, input, strips_factor) == made);
    }
}

/// Random points on few coordinates: everything is cocircular, collinear or a duplicate.
Input small_set(std::mt19937_64& random) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    std::vector<Point> points(size_t(1 + below(24)));
    const int kind = below(6), wide = 1 + below(6), tall = 1 + below(6);
    for (Point& p : points) {
        p = {double(below(wide)), double(below(tall))};
        if (kind == 1) p.y = p.x;                                        // a diagonal
        if (kind == 2) p = {p.x + 1e6, p.y - 3e7};                       // far off
        if (kind == 3) p.x = std::nextafter(p.x + 1, double(below(9)));  // an ulp
        if (kind == 4) p = {std::ldexp(p.x + 1, below(60) - 30), std::ldexp(p.y, below(60) - 30)};
        if (kind == 5) p = {std::cos(p.x + 7 * p.y), std::sin(p.x + 7 * p.y)};  // a ring
    }
    return make_input("small", std::move(points));
}

}  // namespace

TEST_CASE("strips: every generator at every size gives the triangulation of the serial construction") {
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
            check_everywhere(input);
        }
    check_everywhere(make_input("nothing", {}));
}

TEST_CASE("strips: the inputs that hurt, with one strip, few and many") {
    for (const Input& input : hard_inputs())
        for (const double factor : {0.0, 0.3, 1.0, 4.0, 1000.0}) check_everywhere(input, factor, factor == 1.0);
}

TEST_CASE("strips: thousands of small degenerate sets") {
    std::mt19937_64 random(7);
    const size_t cases = case_count(10000);
    Context context(DeviceRequest::kCpu, 1);
    for (size_t i = 0; i < cases; ++i) {
        const Input input = small_set(random);
        CAPTURE(i);
        const double factor = std::ldexp(1, std::uniform_int_distribution<int>(-2, 3)(random));
        const Made made = finished(context, input, factor), wanted = expected(input);
        REQUIRE(made.hash == wanted.hash);
        REQUIRE(made.path == wanted.path);
    }
}

TEST_CASE("strips: a hundred thousand points, clustered or not") {
    for (const char* text : {"uniform:100000", "clusters:100000", "normal:50000", "grid:40000", "ring:20000"}) {
        GeneratorSpec spec = parse_generator(text);
        spec.count = std::max<uint64_t>(1000, case_count(spec.count));
        check_everywhere(std::make_shared<Geometry>(generate(spec)), 1, false);
    }
}

TEST_CASE("strips: before the flips every chain is zipped, the outline is closed, and nothing overlaps") {
    std::mt19937_64 random(11);
    for (size_t i = 0; i < case_count(2000); ++i) {
        const Input input = i % 2 ? small_set(random) : generated("uniform:" + std::to_string(3 + i % 200));
        CAPTURE(i);
        Context context(DeviceRequest::kCpu, 1);
        Strips strips;
        strips.reset(context, input, {});
        uint64_t made = 0;
        while (!strips.done() && strips.next_pass() != Strips::kLegalise) {
            const PassResult result = strips.step();
            for (const size_t k : {Strips::kZipped, Strips::kClosed})
                if (result.counters[k] != kNotCounted) made += static_cast<uint64_t>(result.counters[k]);
        }
        if (!strips.joined()) continue;
        // Valid but not Delaunay: every half-edge and its twin agree, no triangle is inverted or flat, and the areas of
        // the triangles add up to that within the outline.
        const TriangleMesh& mesh = strips.mesh();
        const std::vector<uint32_t> corners = mesh.triangles.download(), halves = mesh.slot_halves.download(),
                                    slots = mesh.half_slots.download(), ends = mesh.edges.download();
        const std::vector<Point> at = mesh.positions.download();
        uint64_t finite = 0;
        for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
            const uint32_t* const c = &corners[3 * t];
            for (uint32_t k = 0; k < 3; ++k) {
                const uint32_t slot = 3 * t + k, half = halves[slot];
                REQUIRE(half < 2 * mesh.edge_count);
                REQUIRE(slots[half] == slot);
                const uint32_t twin = slots[half ^ 1];
                REQUIRE(twin < corners.size());
                CHECK(corners[twin] == c[(k + 1) % 3]);
                CHECK(corners[next_slot(twin)] == c[k]);
                CHECK(ends[half] == c[k]);
                CHECK(ends[half ^ 1] == c[(k + 1) % 3]);
            }
            if (mesh.infinite() == c[0] || mesh.infinite() == c[1] || mesh.infinite() == c[2]) continue;
            ++finite;
            CHECK(orient2d(at[c[0]], at[c[1]], at[c[2]]) > 0);
        }
        CHECK(finite == made);
    }
}

TEST_CASE("strips: taken up again before the flips and at the end, it is what it was") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        const Input input = generated("uniform:3000");
        Strips strips;
        strips.reset(context, input, {});
        const Snapshot at_first = strips.save();
        strips.finish({}, 1);
        REQUIRE(strips.next_pass() == Strips::kClaim);
        const Snapshot joined = strips.save();
        const uint64_t hash = strips.state_hash();
        strips.step();
        CHECK_THROWS_AS(strips.save(), std::logic_error);
        strips.finish({});
        const uint64_t end = strips.state_hash();
        const Snapshot last = strips.save();
        strips.load(joined);
        CHECK(strips.state_hash() == hash);
        while (!strips.done()) strips.step();
        CHECK(strips.state_hash() == end);
        strips.load(at_first);
        CHECK_FALSE(strips.joined());
        strips.load(last);
        CHECK(strips.done());
        CHECK(strips.state_hash() == end);
        Snapshot broken = joined;
        broken.blocks.pop_back();
        CHECK_THROWS_AS(strips.load(broken), std::logic_error);
    }
}
