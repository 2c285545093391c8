// sanitizers: address thread
#include <cmath>
#include <limits>
#include <random>

#include "test_support.h"
#include "voronoi/components/components.h"
#include "voronoi/flood_fill.h"

using namespace flipscope;

namespace {

struct Measured {
    std::vector<uint32_t> labels, areas, windings;
    std::vector<Point> centres;
};

Measured result_of(Context& context, Components& components, MeasureMethod method) {
    components.label(context);
    components.measure(context, method);
    Measured measured;
    const uint32_t count = components.read_count(context);
    measured.labels = components.labels().download();
    measured.areas = components.areas().download(count);
    measured.windings = components.windings().download(count);
    measured.centres = components.centres_of_mass().download(count);
    return measured;
}

/// A field that is 0 where a pixel belongs and 1 elsewhere, on the context's device.
Buffer<float> field_of(Context& context, const std::vector<uint8_t>& belongs) {
    std::vector<float> values(belongs.size());
    for (size_t i = 0; i < belongs.size(); ++i) values[i] = belongs[i] ? 0.0f : 1.0f;
    Buffer<float> field("field");
    field.upload(context, values.data(), values.size());
    return field;
}

Measured components_of(Context& context, const Lattice& lattice, const std::vector<uint8_t>& belongs,
                       MeasureMethod method = MeasureMethod::kAtomics) {
    const Buffer<float> field = field_of(context, belongs);
    Components components;
    components.reset(context, lattice);
    components.threshold(context, field.view(), 0.5, true, {});
    return result_of(context, components, method);
}

void check_equal(const Measured& measured, const FloodFill& expected) {
    CHECK(measured.labels == expected.labels);
    CHECK(measured.areas == expected.areas);
    CHECK(measured.windings == expected.windings);
    CHECK(measured.centres == expected.centres);
}

void check_like_flood_fill(Context& context, const Lattice& lattice, const std::vector<uint8_t>& belongs) {
    INFO(lattice.width << " × " << lattice.height << ", " << lattice.periodic);
    const FloodFill expected = flood_fill(lattice, belongs);
    for (const MeasureMethod method : {MeasureMethod::kAtomics, MeasureMethod::kSortAndDifferences})
        check_equal(components_of(context, lattice, belongs, method), expected);
}

std::vector<uint8_t> pixels_of(const Pattern& pattern, const Lattice& lattice) {
    std::vector<uint8_t> belongs(lattice.pixel_count());
    for (uint32_t pixel = 0; pixel < belongs.size(); ++pixel)
        belongs[pixel] = pattern.belongs(lattice.x_of(pixel), lattice.y_of(pixel), lattice);
    return belongs;
}

const uint32_t kSizes[][2] = {{1, 1},  {1, 2},   {2, 1},   {2, 2},   {1, 7},   {7, 1},    {2, 5},
                              {5, 2},  {3, 3},   {4, 4},   {31, 9},  {32, 10}, {33, 12},  {64, 7},
                              {65, 6}, {1, 100}, {100, 1}, {96, 31}, {97, 64}, {200, 130}};

TEST_CASE("components equal a flood fill for all small patterns on tiny lattices") {
    Context context(DeviceRequest::kCpu, 1);
    for (const uint32_t width : {1u, 2u, 3u, 4u})
        for (const uint32_t height : {1u, 2u, 3u})
            for (const PeriodicAxes periodic : kAllBorders) {
                const Lattice lattice{width, height, periodic};
                INFO(width << " × " << height << ", " << periodic);
                Components components;
                components.reset(context, lattice);
                bool equal = true;
                for (uint32_t code = 0; code < 1u << width * height; ++code) {
                    std::vector<uint8_t> belongs(width * height);
                    for (uint32_t k = 0; k < belongs.size(); ++k) belongs[k] = code >> k & 1;
                    const Buffer<float> field = field_of(context, belongs);
                    components.threshold(context, field.view(), 0.5, true, {});
                    const Measured measured = result_of(context, components, MeasureMethod::kAtomics);
                    const FloodFill expected = flood_fill(lattice, belongs);
                    equal &= measured.labels == expected.labels && measured.areas == expected.areas &&
                             measured.windings == expected.windings && measured.centres == expected.centres;
                }
                CHECK(equal);
            }
}

TEST_CASE("components equal a flood fill on combs, spirals, checkerboards and stripes of every size") {
    on_every_device([&](Context& context) {
        for (const Pattern& pattern : patterns())
            for (const auto& size : kSizes)
                for (const PeriodicAxes periodic : kAllBorders) {
                    const Lattice lattice{size[0], size[1], periodic};
                    INFO(pattern.name);
                    check_like_flood_fill(context, lattice, pixels_of(pattern, lattice));
                }
    });
}

TEST_CASE("components equal a flood fill on noise of all densities") {
    std::mt19937_64 random(1);
    on_every_device([&](Context& context) {
        for (size_t k = 0; k < case_count(60); ++k) {
            const Lattice lattice{uint32_t(1 + random() % 180), uint32_t(1 + random() % 90), kAllBorders[random() % 4]};
            const double density = double(k % 20 + 1) / 20;
            INFO("case " << k);
            check_like_flood_fill(context, lattice, noise(lattice, density, random));
        }
    });
}

TEST_CASE("components of a lattice of very many words equal a flood fill") {
    std::mt19937_64 random(5);
    on_every_device([&](Context& context) {
        // One word a row: more than kSegments segments of the least size would be needed to rank so many.
        for (const PeriodicAxes periodic : {PeriodicAxes(true), PeriodicAxes(false, true)}) {
            const Lattice lattice{3, 300000, periodic};
            check_like_flood_fill(context, lattice, noise(lattice, 0.3, random));
        }
    });
}

TEST_CASE("a component that crawls around the torus is unwrapped however long it is") {
    std::mt19937_64 random(2);
    uint32_t straight = 0;
    on_every_device([&](Context& context) {
        for (size_t k = 0; k < case_count(60); ++k) {
            const Lattice lattice{uint32_t(5 + random() % 120), uint32_t(5 + random() % 60), kAllBorders[1 + k % 3]};
            INFO("case " << k);
            const std::vector<uint8_t> belongs = crawl(lattice, random);
            check_like_flood_fill(context, lattice, belongs);
            const FloodFill expected = flood_fill(lattice, belongs);
            straight += expected.windings.size() == 1 && expected.windings[0] == 0;
        }
    });
    CHECK(straight > 0);
}

TEST_CASE("a threshold takes what is below or above it, and never an obstacle or what is no number") {
    const float none = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> values = {0.1f, 0.2f, none, 0.3f, -infinity, infinity, 0.2f, 0.0f};
    const std::vector<uint8_t> obstacles = {0, 0, 0, 0, 0, 0, 0, 1};
    const Lattice lattice{8, 1, false};
    on_every_device([&](Context& context) {
        Buffer<float> field("field");
        Buffer<uint8_t> walls("obstacles");
        field.upload(context, values.data(), values.size());
        walls.upload(context, obstacles.data(), obstacles.size());
        Components components;
        components.reset(context, lattice);
        const auto chosen = [&](double threshold, bool below, bool with_walls) {
            components.threshold(context, field.view(), threshold, below, with_walls ? walls.view() : View<uint8_t>());
            components.show_threshold(context);
            std::string pixels;
            for (const uint32_t label : components.labels().download()) pixels += label == 0 ? 'x' : '.';
            return pixels;
        };
        CHECK(chosen(0.25, true, false) == "xx..x.xx");
        CHECK(chosen(0.25, true, true) == "xx..x.x.");
        CHECK(chosen(0.25, false, false) == "...x.x..");
        CHECK(chosen(double(0.2f), true, false) == "x...x..x");   // equal: neither below…
        CHECK(chosen(double(0.2f), false, false) == "...x.x..");  // …nor above
        // Closer to the value than a float can say.
        CHECK(chosen(std::nextafter(double(0.2f), 1.0), true, false) == "xx..x.xx");
        CHECK(chosen(std::nextafter(double(0.2f), 0.0), false, false) == ".x.x.xx.");
        CHECK(chosen(std::nan(""), true, false) == "........");
        CHECK(chosen(std::nan(""), false, false) == "........");
        CHECK(chosen(1e300, true, false) == "xx.xx.xx");
        CHECK(chosen(-1e300, true, false) == "....x...");
        CHECK(chosen(-1e300, false, false) == "xx.x.xxx");
    });
}

TEST_CASE("obstacles part components, and one object serves field after field") {
    std::mt19937_64 random(3);
    on_every_device([&](Context& context) {
        for (const PeriodicAxes periodic : kAllBorders) {
            const Lattice lattice{150, 40, periodic};
            Components components;
            components.reset(context, lattice);
            CHECK(components.read_count(context) == 0);
            for (size_t k = 0; k < case_count(8); ++k) {
                std::vector<uint8_t> belongs = noise(lattice, 0.4 + 0.05 * double(k % 8), random);
                const std::vector<uint8_t> walls = noise(lattice, 0.1, random);
                const Buffer<float> field = field_of(context, belongs);
                Buffer<uint8_t> obstacles("obstacles");
                obstacles.upload(context, walls.data(), walls.size());
                for (size_t i = 0; i < walls.size(); ++i) belongs[i] &= !walls[i];
                components.threshold(context, field.view(), 0.5, true, obstacles.view());
                const auto method = k % 2 ? MeasureMethod::kSortAndDifferences : MeasureMethod::kAtomics;
                const FloodFill expected = flood_fill(lattice, belongs);
                check_equal(result_of(context, components, method), expected);
                check_equal(result_of(context, components, method), expected);  // asked again: no harm
                CHECK(components.read_count(context) <= components.most());
            }
        }
    });
}

TEST_CASE("a lattice without sites has no components, and one too large says so") {
    Context context(DeviceRequest::kCpu, 1);
    Components components;
    components.reset(context, Lattice{0, 0, false});
    components.threshold(context, {}, 0.5, true, {});
    components.label(context);
    components.measure(context);
    CHECK(components.read_count(context) == 0);
    CHECK_THROWS_AS(components.reset(context, Lattice{65536, 32768, true}), Error);
    CHECK_THROWS_AS(components.reset(context, Lattice{1, 4000000000u, false}), Error);
}

}  // namespace
