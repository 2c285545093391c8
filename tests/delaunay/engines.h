// Requirements for every construction: the triangles of the serial one, the same state stepped and finished, on every
// device and with any number of threads.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "delaunay/constructions/serial.h"
#include "delaunay/inputs.h"
#include "mesh/checks.h"
#include "test_support.h"

namespace flipscope {

struct EngineOutcome {
    uint64_t hash = 0;           // of the set of triangles
    uint64_t state = 0;          // of the whole engine
    std::vector<uint32_t> path;  // of points on a line, by input index
    bool operator==(const EngineOutcome&) const = default;
};

template <class Engine>
EngineOutcome outcome_of(Context& context, const Engine& made) {
    EngineOutcome outcome;
    outcome.state = made.state_hash();
    if (!made.path().empty()) {
        const std::vector<uint32_t> inputs = made.mesh().inputs.download();
        for (const uint32_t v : made.path()) outcome.path.push_back(inputs[v]);
    }
    if (made.mesh().triangle_count) outcome.hash = summarise(context, made.mesh(), made.distinct()).hash;
    return outcome;
}

/// Runs an engine to its end and checks the mesh that it leaves.
template <class Engine, class Options>
EngineOutcome run_engine(Context& context, const Input& input, const Options& options, bool by_steps = false) {
    Engine engine;
    engine.reset(context, input, options);
    if (by_steps)
        while (!engine.done()) engine.step();
    else
        engine.finish({});
    if (engine.mesh().triangle_count) {
        const CheckReport report = check_mesh(context, engine.mesh());
        CHECK_MESSAGE(report.passed, report.sentence);
        CHECK(engine.mesh().triangle_count == 2 * engine.distinct() - 2);
        CHECK(engine.mesh().edge_count == 3 * engine.distinct() - 3);
    }
    return outcome_of(context, engine);
}

/// Of the serial construction, which shares no step with the others but the predicates.
inline EngineOutcome serial_outcome(const Input& input) {
    Context context(DeviceRequest::kCpu, 1);
    SerialInsertion serial;
    serial.reset(context, input);
    serial.finish({});
    return outcome_of(context, serial);
}

template <class Engine, class Options>
void check_on_every_device(const Input& input, const Options& options, bool also_step = true) {
    INFO(input->name, ", ", input->points.size(), " points");
    const EngineOutcome wanted = serial_outcome(input);
    std::optional<uint64_t> state;
    on_every_device([&](Context& context) {
        const EngineOutcome made = run_engine<Engine>(context, input, options);
        CHECK(made.hash == wanted.hash);
        CHECK(made.path == wanted.path);
        if (!state) state = made.state;
        CHECK(made.state == *state);
        if (also_step) CHECK(run_engine<Engine>(context, input, options, true) == made);
    });
}

/// Every generator of planar points, with so many or so few.
template <class Visit>
void for_each_generated(std::initializer_list<uint64_t> counts, const Visit& visit) {
    for (const GeneratorInfo& generator : generators())
        for (const uint64_t count : counts) {
            GeneratorSpec spec = parse_generator(std::string(generator.name) + ":1000");
            spec.count = tested_count(generator, count);
            Input input;
            try {
                input = std::make_shared<Geometry>(generate(spec));
            } catch (const Error&) {
                continue;  // some shapes need more points
            }
            if (!input->in_space()) visit(input);
        }
}

/// Random points, fewer than `most`, on few coordinates: everything is cocircular, collinear or a duplicate.
inline Input few_coordinates(std::mt19937_64& random, int most = 40) {
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    std::vector<Point> points(size_t(1 + below(most)));
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

/// Thousands of such sets, with the options that `options(i, random)` makes for each.
template <class Engine, class MakeOptions>
void check_degenerate_sets(uint64_t seed, const MakeOptions& options, int most = 40) {
    std::mt19937_64 random(seed);
    Context context(DeviceRequest::kCpu, 1);
    for (size_t i = 0; i < case_count(10000); ++i) {
        CAPTURE(i);
        const Input input = few_coordinates(random, most);
        const EngineOutcome made = run_engine<Engine>(context, input, options(i, random)),
                            wanted = serial_outcome(input);
        REQUIRE(made.hash == wanted.hash);
        REQUIRE(made.path == wanted.path);
    }
}

}  // namespace flipscope
