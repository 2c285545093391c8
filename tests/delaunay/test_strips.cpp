// sanitizers: address thread
// Triangulation by strips: the same triangles as every other construction, for all points, strips, devices and numbers
// of threads; and the same state stepped, finished and resumed.
#include "delaunay/constructions/strips.h"

#include <random>
#include <type_traits>

#include "delaunay/constructions/insertion.h"
#include "delaunay/engines.h"
#include "delaunay/flip/flip_in_regions.h"
#include "delaunay/flip_films.h"

using namespace flipscope;

namespace {

/// Three strips of a hundred points, with kThreeStrips. All points of the middle one lie between the same two points of
/// one neighbour; the other often has as many different points as lie below.
Input long_runs(std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit;
    const bool mirrored = random() % 2;
    const size_t low = 1 + random() % 99, different = random() % 4 ? low : 1 + random() % 99;
    std::vector<Point> points;
    for (size_t i = 0; i < 300; ++i) {
        const size_t strip = i / 100, k = i % 100;
        Point p{static_cast<double>(strip) + unit(random), 0.1 + 0.8 * unit(random)};
        if (strip == 0) p.y = unit(random) / 10 + (k < low ? 0 : 0.9);
        if (strip == 2 && k >= different) p = points[200 + k % different];
        points.push_back(p);
    }
    if (mirrored)
        for (Point& p : points) p.x = 3 - p.x;
    return make_input("long runs", std::move(points));
}
const StripsOptions kThreeStrips{.strips = 3 / std::sqrt(300.0)};

}  // namespace

TEST_CASE("strips: every generator at every size gives the triangulation of the serial construction") {
    for_each_generated({1, 2, 3, 4, 5, 10, 100, 1000},
                       [](const Input& input) { check_on_every_device<Strips>(input, StripsOptions{}); });
    // In many small regions, too, which stop at each other.
    for_each_generated({100, 1000}, [](const Input& input) {
        check_on_every_device<Strips>(input, StripsOptions{.region = Regions::kStep});
    });
    check_on_every_device<Strips>(make_input("nothing", {}), StripsOptions{});
}

TEST_CASE("strips: the inputs that hurt, with one strip, few and many") {
    for (const Input& input : hard_inputs())
        for (const double factor : {0.0, 0.3, 1.0, 4.0, 1000.0}) {
            INFO("strips x ", factor);
            check_on_every_device<Strips>(input, StripsOptions{.strips = factor}, factor == 1.0);
        }
}

TEST_CASE("strips: thousands of small degenerate sets") {
    check_degenerate_sets<Strips>(7, [](size_t i, std::mt19937_64& random) {
        const double factor = std::ldexp(1, std::uniform_int_distribution<int>(-2, 3)(random));
        return StripsOptions{.strips = factor, .region = i % 2 ? Regions::kStep : 0};
    });
}

TEST_CASE("strips: long runs between two points of a neighbour") {
    std::mt19937_64 random(3);
    for (size_t i = 0; i < std::max<size_t>(case_count(200), 40); ++i)
        check_on_every_device<Strips>(long_runs(random), kThreeStrips, false);
}

TEST_CASE("strips: a hundred thousand points of every generator") {
    for_each_generated({std::max<uint64_t>(200, case_count(100'000))},
                       [](const Input& input) { check_on_every_device<Strips>(input, StripsOptions{}, false); });
}

TEST_CASE("strips: before the flips every chain is zipped, the outline is closed, and nothing overlaps") {
    std::mt19937_64 random(11);
    for (size_t i = 0; i < case_count(2000); ++i) {
        const bool has_long_runs = i % 4 == 2;
        const Input input = i % 2           ? few_coordinates(random)
                            : has_long_runs ? long_runs(random)
                                            : generated("uniform:" + std::to_string(3 + i % 200));
        CAPTURE(i);
        Context context(DeviceRequest::kCpu, 1);
        Strips strips;
        strips.reset(context, input, has_long_runs ? kThreeStrips : StripsOptions{});
        uint64_t made = 0;
        while (!strips.done() && strips.next_pass() != Strips::kLegalise) {
            const PassResult result = strips.step();
            for (const size_t k : {Strips::kZipped, Strips::kClosed})
                if (result.counters[k] != kNotCounted) made += static_cast<uint64_t>(result.counters[k]);
        }
        if (!strips.joined()) continue;
        // Valid but not Delaunay: every half-edge and its twin agree, no triangle is inverted or flat, and the areas of
        // the triangles add up to that within the outline.
        const HostMesh mesh = download_mesh(strips.mesh());
        REQUIRE(broken_references(mesh) == 0);
        uint64_t finite = 0;
        for (size_t corner = 0; corner < mesh.triangles.size(); corner += 3) {
            const uint32_t* const c = &mesh.triangles[corner];
            if (std::max({c[0], c[1], c[2]}) == mesh.infinite) continue;
            ++finite;
            CHECK(orient2d(mesh.positions[c[0]], mesh.positions[c[1]], mesh.positions[c[2]]) > 0);
        }
        CHECK(finite == made);
        if (input->points.size() < 50) continue;
        REQUIRE(strips.next_pass() == Strips::kLegalise);
        CHECK(strips.step().counters[Strips::kFlipped] > 0);
        CHECK(strips.step().iteration == 1);
    }
}

TEST_CASE("strips: a stepped run marks elements, and leaves no marks at its end") {
    on_every_device([&](Context& context) {
        Strips strips;
        strips.set_records_states(true);
        strips.reset(context, generated("uniform:500"), {.region = Regions::kStep});
        const auto marked = [&] {
            size_t count = 0;
            const TriangleMesh& mesh = strips.mesh();
            for (const Buffer<State>* states : {&mesh.vertex_states, &mesh.edge_states, &mesh.triangle_states})
                for (const State state : states->download()) count += state != 0;
            return count;
        };
        while (strips.next_pass() != Strips::kRepair) strips.step();
        CHECK(marked() > 0);
        while (!strips.done()) strips.step();
        CHECK(marked() == 0);
    });
}

TEST_CASE("strips: a run that starts over or goes back takes no claim of an older one for its own") {
    on_every_device([&](Context& context) {
        const Input large = generated("clusters:5000"), small = generated("uniform:700");
        const EngineOutcome wanted[] = {run_engine<Strips>(context, large, StripsOptions{}),
                                        run_engine<Strips>(context, small, StripsOptions{})};
        Strips strips;
        for (const int which : {0, 1, 0, 0, 1}) {
            strips.reset(context, which ? small : large, {});
            const Snapshot first = strips.save();
            for (int i = 0; i < 9 && !strips.done(); ++i) strips.step();  // left in the middle
            strips.load(first);
            strips.finish({});
            CHECK(outcome_of(context, strips) == wanted[which]);
        }
    });
}

namespace {

/// Of three runs, one after the other, of one engine.
template <class Engine, class Options>
void check_peaks(Context& context, const Input& input, const Options& options) {
    Engine engine;
    engine.set_records_states(false);
    size_t peaks[3];
    for (size_t& peak : peaks) {
        engine.reset(context, input, options);
        context.reset_peak();
        engine.finish({});
        peak = context.peak_bytes();
    }
    CHECK(peaks[1] <= peaks[0] + peaks[0] / 50);
    CHECK(peaks[2] == peaks[1]);
    if (!context.on_cuda() && std::is_same_v<Engine, Strips>) CHECK(peaks[2] <= 200 * input->points.size());
}

}  // namespace

TEST_CASE("constructions: a run beside what the one before it has left needs no more memory than the first") {
    for (const DeviceUnderTest& device : devices_under_test())
        for (const char* points : {"uniform:50000", "grid:40000"}) {  // on a lattice more is looked at in order
            INFO(device.name, ", ", points);
            Context context(device.request, device.threads);
            check_peaks<Strips>(context, generated(points), StripsOptions{});
            check_peaks<Insertion>(context, generated(points), InsertionOptions{});
        }
}
