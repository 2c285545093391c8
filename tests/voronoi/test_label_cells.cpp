#include <doctest/doctest.h>

#include <map>
#include <random>

#include "compute/error.h"
#include "voronoi/components/components.h"
#include "voronoi/components/label_cells.h"
#include "voronoi/flood_fill.h"

using namespace flipscope;

namespace {

FieldStack labels_of(uint32_t width, uint32_t height, const std::vector<double>& labels) {
    FieldStack stack{"labels", width, height, {}};
    for (const double label : labels) stack.values.push_back(static_cast<float>(label));
    stack.exact = labels;
    stack.whole = 1;
    return stack;
}

}  // namespace

TEST_CASE("label cells: each number but 0 is one, in pieces too; areas, centres and contacts are those of its pixels") {
    std::mt19937 random(1);
    for (const PeriodicAxes periodic : kAllBorders)
        for (const uint32_t width : {1u, 2u, 7u, 40u}) {
            INFO("periodic ", periodic, ", width ", width);
            const Lattice lattice{width, 9, periodic};
            std::vector<double> labels;
            const std::vector<double> names{0, 0, 3, 7, 4294967296.0, 9007199254740991.0};
            for (uint32_t i = 0; i < lattice.pixel_count(); ++i) labels.push_back(names[random() % names.size()]);
            const LabelCells cells = label_cells(lattice, labels_of(width, 9, labels), 0);
            std::map<int64_t, std::array<double, 3>> sums;
            std::map<std::array<int64_t, 2>, uint32_t> contacts;
            const auto at = [&](int64_t x, int64_t y) -> int64_t {
                if (periodic.x) x = (x + width) % width;
                if (periodic.y) y = (y + 9) % 9;
                return x < 0 || y < 0 || x >= width || y >= 9
                           ? 0
                           : int64_t(labels[lattice.pixel(uint32_t(x), uint32_t(y))]);
            };
            for (int64_t y = 0; y < 9; ++y)
                for (int64_t x = 0; x < width; ++x) {
                    const int64_t here = at(x, y);
                    const uint32_t cell = cells.pixels[lattice.pixel(uint32_t(x), uint32_t(y))];
                    CHECK((here == 0 ? cell == kNone : cells.names.at(cell) == here));
                    if (here == 0) continue;
                    auto& sum = sums[here];
                    sum = {sum[0] + 1, sum[1] + double(x), sum[2] + double(y)};
                    for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
                        const int64_t there = at(x + dx, y + dy);
                        if (there != 0 && there != here)
                            contacts[{std::min(here, there), std::max(here, there)}] += dx == 0 || dy == 0;
                    }
                }
            REQUIRE(cells.names.size() == sums.size());
            size_t k = 0;
            for (const auto& [name, sum] : sums) {
                CHECK(cells.names[k] == name);
                CHECK(cells.areas[k] == sum[0]);
                if (!periodic.x) CHECK(cells.centres[k].x == sum[1] / sum[0]);
                if (!periodic.y) CHECK(cells.centres[k].y == sum[2] / sum[0]);
                ++k;
            }
            if (contacts.empty()) {
                CHECK((cells.contacts.empty() || cells.across_lines));
                continue;
            }
            REQUIRE(cells.contacts.size() == contacts.size());
            k = 0;
            for (const auto& [pair, sides] : contacts) {
                CHECK(cells.names[cells.contacts[k].a] == pair[0]);
                CHECK(cells.names[cells.contacts[k].b] == pair[1]);
                CHECK(cells.contacts[k++].sides == sides);
            }
        }
}

TEST_CASE("label cells: across periodic borders a cell hangs together, as components do") {
    std::mt19937 random(2);
    size_t across = 0;
    for (int repeat = 0; repeat < 40; ++repeat) {
        const Lattice lattice{24, 17, kAllBorders[repeat % 4]};
        std::vector<uint8_t> belongs(lattice.pixel_count());
        for (int disc = 0; disc < 6; ++disc) {
            const Point centre{double(random() % 24), double(random() % 17)};
            for (uint32_t pixel = 0; pixel < belongs.size(); ++pixel)
                if (lattice.squared_distance(lattice.place(pixel), centre) < 7) belongs[pixel] = 1;
        }
        const FloodFill filled = flood_fill(lattice, belongs);
        std::vector<double> labels;
        for (const uint32_t label : filled.labels) labels.push_back(label == kNone ? 0 : label + 1);
        const LabelCells cells = label_cells(lattice, labels_of(24, 17, labels), 0);
        REQUIRE(cells.names.size() == filled.areas.size());
        for (size_t k = 0; k < cells.names.size(); ++k) {
            CHECK(cells.areas[k] == filled.areas[k]);
            if (cells.windings[k] != 0 || filled.windings[k] != 0) continue;
            CHECK(cells.centres[k] == filled.centres[k]);
            ++across;
        }
        CHECK((cells.contacts.empty() || cells.across_lines));  // components do not touch
    }
    CHECK(across > 50);
    const LabelCells band = label_cells({4, 3, true}, labels_of(4, 3, {0, 0, 0, 0, 5, 5, 5, 5, 0, 0, 0, 0}), 0);
    CHECK(band.windings == std::vector<uint32_t>{kWindsInX});
    CHECK(band.centres.front() == Point{1.5, 1});
}

TEST_CASE("label cells: where lines of background divide all cells, contacts are across them") {
    // Two cells beside each other over a third one, and a fourth two pixels away.
    const std::vector<double> divided{1, 0, 2, 0, 0, 4, 1, 0, 2, 0, 0, 4, 0, 0, 0, 0, 0, 0, 3, 3, 3, 0, 0, 0};
    const LabelCells cells = label_cells({6, 4, false}, labels_of(6, 4, divided), 0);
    CHECK(cells.across_lines);
    CHECK(cells.contacts == std::vector<LabelContact>{{0, 1, 2}, {0, 2, 1}, {1, 2, 1}});
    std::vector<double> touching = divided;
    touching[3] = 2, touching[4] = 4;
    const LabelCells others = label_cells({6, 4, false}, labels_of(6, 4, touching), 0);
    CHECK(!others.across_lines);
    CHECK(others.contacts == std::vector<LabelContact>{{1, 3, 1}});
}

TEST_CASE("label cells: more of them than components can be are taken; what are no labels is refused") {
    Context context(DeviceRequest::kCpu, 2);
    const Lattice lattice{6, 5, false};
    std::vector<double> labels;
    for (int i = 1; i <= 30; ++i) labels.push_back(i);
    Components components;
    components.reset(context, lattice);
    components.take(context, label_cells(lattice, labels_of(6, 5, labels), 0));
    CHECK(components.read_count(context) == 30);
    CHECK(components.labels().download()[29] == 29);
    CHECK(components.areas().read(7) == 1);
    CHECK(components.centres_of_mass().read(29) == Point{5, 4});
    components.take(context, label_cells(lattice, labels_of(6, 5, std::vector<double>(30, 0)), 0));
    CHECK(components.read_count(context) == 0);
    FieldStack shades = labels_of(6, 5, labels);
    shades.whole = 0;
    CHECK_THROWS_WITH_AS(label_cells(lattice, shades, 0),
                         doctest::Contains("labels: labels are whole numbers from 0 on"), Error);
}
