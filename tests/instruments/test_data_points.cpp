// Discs at the points, the scale of colours that a user chooses, and two quantities of the same elements.
#include <cmath>
#include <numbers>

#include "geometry/generators.h"
#include "instruments/exploring_lab.h"

using namespace flipscope;

namespace {

/// "size" is the index but for a missing, a negative and a zero one; "text" has two values.
std::shared_ptr<Geometry> measured_points(size_t count) {
    auto input = std::make_shared<Geometry>(generate(parse_generator("uniform:" + std::to_string(count))));
    Attribute size{"size", {}, "cm", {}}, text{"text", {}, "", {"a", "b"}};
    for (size_t i = 0; i < count; ++i) {
        size.values.push_back(i == 5 ? NAN : i == 6 ? -3 : double(i));
        text.values.push_back(double(i % 2));
    }
    set_columns(*input, {size, text});
    return input;
}

const DiscsLayer& discs_of(const Scene& scene) {
    const Layer* const layer = scene.layer(Exploration::kDataLayer);
    REQUIRE(layer);
    return std::get<DiscsLayer>(layer->shape);
}

}  // namespace

TEST_CASE("data points: the areas of discs are proportional to the column, small discs over large ones") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        ExploringLab shown(device, "build", measured_points(60));
        const Scene& scene = shown.show({.colour = Explored("size"), .size_by = "size"});
        const DiscsLayer& discs = discs_of(scene);
        REQUIRE(discs.sizes);
        CHECK(discs.sizes->greatest == 59);
        CHECK(discs.sizes->missing == 1);
        CHECK(discs.sizes->unit == "cm");
        const std::vector<double> radii = discs.radii->download(60);
        const std::vector<Point> places = discs.centres->download(60);
        const std::vector<float> colours = scene.layer(Exploration::kDataLayer)->scalars->download(60);
        double covered = 0;
        for (size_t k = 0; k < 60; ++k) {
            covered += std::numbers::pi * radii[k] * radii[k];
            if (k > 0) CHECK(radii[k] <= radii[k - 1]);
            if (std::isnan(colours[k])) {
                CHECK(radii[k] == 0);
                continue;
            }
            CHECK(radii[k] == doctest::Approx(discs.sizes->radius * std::sqrt(std::max(0.f, colours[k]) / 59)));
            if (colours[k] >= 0) CHECK(places[k] == shown.input->points[size_t(colours[k])]);
        }
        CHECK(covered < 0.25 * (scene.high.x - scene.low.x) * (scene.high.y - scene.low.y));
        CHECK(covered > 0.01);
        CHECK(!scene.layer(Exploration::kCellsLayer));  // discs replace the cells
        // A column of text has no sizes, and without one all discs are alike.
        CHECK(!discs_of(shown.show({.size_by = "text"})).sizes);
        const std::vector<double> alike = discs_of(shown.show({.shows_data = true})).radii->download(60);
        CHECK(alike.front() == alike.back());
        // Only the selection is drawn.
        shown.show(
            {.shows_data = true, .range = ExplorationChoice::Range{Explored("size"), 10, 19}, .hides_rest = true});
        size_t drawn = 0;
        for (const double radius : discs_of(shown.scene).radii->download(60)) drawn += radius > 0;
        CHECK(drawn == 10);
    }
}

TEST_CASE("data points: one, two and equal points have discs, a surface has none") {
    for (const size_t count : {1, 2, 3}) {
        ExploringLab shown(devices_under_test().front(), "build", measured_points(count));
        const Layer* const layer = shown.show({.shows_data = true}).layer(Exploration::kDataLayer);
        if (layer)
            for (const double radius : std::get<DiscsLayer>(layer->shape).radii->download(count)) CHECK(radius > 0);
    }
}

TEST_CASE("colour styles: map, range, logarithm and steps replace those of the quantity, and ends are marked") {
    ExploringLab shown(devices_under_test().front(), "build", measured_points(60));
    const auto scale_of = [&](const ColourStyle& style, const char* column = "size") {
        return shown.show({.colour = Explored(column), .style = style}).layer(Exploration::kCellsLayer)->scale;
    };
    const ColourScale usual = scale_of({});
    CHECK(usual.map == ColourScale::Map::kOfKind);
    CHECK(usual.shows_missing);
    const ColourScale chosen = scale_of({ColourScale::Map::kMagma, true, {{10, 40}}, {}, 5});
    CHECK(chosen.map == ColourScale::Map::kMagma);
    CHECK(chosen.reversed);
    CHECK(chosen.low == 10);
    CHECK(chosen.high == 40);
    CHECK(chosen.has_below);
    CHECK(chosen.has_above);
    CHECK(chosen.colour_place(chosen.place(10.1)) == 0);
    CHECK(chosen.colour_place(chosen.place(39.9)) == 1);
    CHECK(chosen.colour_place(chosen.place(25)) == 0.5);
    const ColourScale log = scale_of({.logarithmic = true});
    CHECK(log.logarithmic);
    CHECK(log.low == 1);  // the least number above zero
    CHECK(log.has_below);
    CHECK(scale_of({ColourScale::Map::kMagma}, "text").kind == ColourScale::Kind::kCategories);
    ColourScale wheel;
    wheel.map = ColourScale::Map::kCyclic;
    wheel.steps = 4;
    CHECK(wheel.colour_place(1) == 0.75);  // the fifth would be the first
}

TEST_CASE("scatter: pairs of the elements that have both numbers, their correlation, colour and selection") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        ExploringLab shown(device, "build", measured_points(200));
        shown.show({.colour = Explored("size"), .range = ExplorationChoice::Range{Explored("size"), 100, 120}});
        const auto measure = [&](Explored x, Explored y) {
            SceneStatistics::Options how;
            how.of_points = false;
            how.input = shown.input;
            how.selection = &shown.exploration;
            how.scatter = {std::move(x), std::move(y)};
            auto statistics = std::make_unique<SceneStatistics>();
            statistics->measure(shown.context, shown.lab->scene(), how);
            return statistics;
        };
        const auto measured = measure(Explored("size"), Explored("size"));
        const Scatter* scatter = measured->scatter();
        REQUIRE(scatter);
        CHECK(scatter->size() == 199);  // one has no size
        CHECK(scatter->correlation.pearson == doctest::Approx(1));
        CHECK(scatter->x_unit == "cm");
        size_t selected = 0;
        for (size_t i = 0; i < scatter->size(); ++i) {
            selected += scatter->selected[i];
            CHECK(scatter->colours[i] == float(scatter->x_values[i]));
            CHECK((scatter->selected[i] == 1) == (scatter->x_values[i] >= 100 && scatter->x_values[i] <= 120));
        }
        CHECK(selected == 21);
        CHECK(measured->report().find("Pearson's r"));
        const auto of_edges = measure(ElementQuantity::kEdgeLength, ElementQuantity::kAlpha);
        REQUIRE(of_edges->scatter());
        CHECK(of_edges->scatter()->size() > 500);
        CHECK(!measure(Explored("size"), ElementQuantity::kEdgeLength)->scatter());
        CHECK(!measure(Explored("size"), Explored("text"))->scatter());
        // The selection beside the whole: count, mean, median, deviation.
        const Section* both = nullptr;
        for (const Section& section : measured->report().sections)
            if (section.title == "Selected and all") both = &section;
        REQUIRE(both);
        const Table& table = std::get<Table>(both->content);
        for (size_t i = 0; i < table.row_count; ++i) {
            const Table::Row row = table.row(i);
            if (text_of(row.cells[0]) != "size" || text_of(row.cells[1]) != "selected") continue;
            CHECK(row.cells[2].number() == 21);
            CHECK(row.cells[3].number() == 110);
            CHECK(row.cells[4].number() == 110);
            CHECK(row.cells[5].number() == doctest::Approx(std::sqrt(440.0 / 12)));
        }
    }
}

TEST_CASE("distributions: logarithmic bins have one factor and count the same elements") {
    ExploringLab shown(devices_under_test().front(), "build", measured_points(300));
    SceneStatistics linear, logarithmic;
    SceneStatistics::Options how;
    how.of_points = false;
    linear.measure(shown.context, shown.lab->scene(), how);
    how.logarithmic_bins = true;
    logarithmic.measure(shown.context, shown.lab->scene(), how);
    const auto lengths = [](const SceneStatistics& of) {
        for (const Distribution& one : of.report().all<Distribution>())
            if (one.name == info_of(ElementQuantity::kEdgeLength).name) return one;
        return Distribution{};
    };
    const Distribution a = lengths(linear), b = lengths(logarithmic);
    CHECK(!a.in_decades);
    REQUIRE(b.in_decades);
    CHECK(b.edge(1) / b.edge(0) == doctest::Approx(b.edge(60) / b.edge(59)));
    double in_a = a.below + a.above, in_b = b.below + b.above;
    for (const double count : a.now) in_a += count;
    for (const double count : b.now) in_b += count;
    CHECK(in_a == in_b);
}
