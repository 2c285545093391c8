// Columns of text: their values are classes of colour, are selected by name, and stay with the points.
#include <cmath>
#include <memory>

#include "geometry/generators.h"
#include "instruments/exploring_lab.h"

using namespace flipscope;

namespace {

const std::vector<std::string> kSpecies{"oak", "beech", "not there", "pine"};

/// Every fourth point is an oak, a beech, a pine, or has no species; "dbh" is the index.
std::shared_ptr<Geometry> forest(const std::string& generator) {
    auto input = std::make_shared<Geometry>(generate(parse_generator(generator)));
    Attribute species{"species", {}, "", kSpecies}, dbh{"dbh", {}, "cm", {}};
    for (size_t i = 0; i < input->points.size(); ++i) {
        static constexpr double kValues[] = {0, 1, 3, NAN};
        species.values.push_back(kValues[i % 4]);
        dbh.values.push_back(double(i));
        input->rows.push_back(10 * i);
    }
    input->unit = "m";
    input->y_down = true;
    set_columns(*input, {species, dbh});
    return input;
}

ExplorationChoice by_value(const char* column, std::vector<std::string> values) {
    return ExplorationChoice{.range = ExplorationChoice::Range{Explored(column), 0, 0, std::move(values)}};
}

Attribute column_of(size_t values, size_t points) {
    Attribute column{"plot", {}, "", {}};
    for (size_t k = 0; k < values; ++k) column.categories.push_back("P" + std::to_string(k));
    for (size_t i = 0; i < points; ++i) column.values.push_back(double(i % values));
    return column;
}

}  // namespace

TEST_CASE("categories: up to ten values have a class each, of more the most frequent have and the rest are one") {
    const CategoryClasses few = classes_of(column_of(10, 100));
    REQUIRE(few.names.size() == 10);
    CHECK(few.names.front() == "P0");
    for (uint32_t k = 0; k < 10; ++k) CHECK(few.of[k] == k);

    Attribute many = column_of(1000, 1000);
    for (int i = 0; i < 5; ++i) many.values.push_back(700), many.values.push_back(3);
    const CategoryClasses classes = classes_of(many);
    REQUIRE(classes.names.size() == ColourScale::kOtherClass + 1);
    CHECK(classes.names.back() == "other (990 values)");
    CHECK(classes.of[3] < ColourScale::kOtherClass);
    CHECK(classes.of[700] < ColourScale::kOtherClass);
    CHECK(classes.of[3] < classes.of[700]);  // in the order of the column
    CHECK(classes.of[999] == ColourScale::kOtherClass);

    const CategoryClasses some = classes_of({"species", {1, NAN, 3, 3, 17, -1}, "", kSpecies});
    CHECK(some.names == std::vector<std::string>{"beech", "pine"});  // those that some point has
    CHECK(classes_of({"empty", {}, "", {"a"}}).names.empty());
}

TEST_CASE("categories: points are coloured by the class of their text, and those without one not at all") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        ExploringLab explorer(device, "build", forest("uniform:40"));
        const Scene& scene = explorer.show({.colour = Explored("species")});
        const Layer* const cells = scene.layer(Exploration::kCellsLayer);
        REQUIRE(cells);
        CHECK(cells->scale.kind == ColourScale::Kind::kCategories);
        CHECK(cells->scale.classes == std::vector<std::string>{"oak", "beech", "pine"});
        CHECK(cells->scale.low == 0);
        CHECK(cells->scale.high == ColourScale::kOtherClass);
        size_t of_class[3] = {}, none = 0;
        for (const float value : cells->scalars->download())
            std::isnan(value) ? ++none : ++of_class[static_cast<size_t>(value)];
        CHECK(none > 0);
        for (const size_t count : of_class) CHECK(count > 0);
    }
}

TEST_CASE("categories: elements are selected by their text, and become an input with columns, rows and units") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        ExploringLab explorer(device, "build", forest("uniform:40"));
        const Geometry oaks = explorer.take(by_value("species", {"oak"}));
        CHECK(explorer.exploration.selected() == 10);
        REQUIRE(oaks.points.size() == 10);
        REQUIRE(oaks.attributes);
        CHECK(oaks.attributes->at(0).categories == kSpecies);
        CHECK(oaks.attributes->at(1).unit == "cm");
        CHECK(oaks.unit == "m");
        CHECK(oaks.y_down);
        REQUIRE(oaks.rows.size() == 10);
        for (size_t k = 0; k < 10; ++k) {
            CHECK(oaks.rows[k] == 40 * k);
            CHECK(oaks.attributes->at(0).values[k] == 0);
            CHECK(oaks.attributes->at(1).values[k] == double(4 * k));
        }
        CHECK(explorer.take(by_value("species", {"pine", "oak"})).points.size() == 20);
        CHECK(explorer.take(by_value("species", {"elm"})).points.empty());
        CHECK(explorer.take(by_value("dbh", {"7"})).points.empty());  // numbers have no text
        CHECK(explorer.take(by_value("height", {"7"})).points.empty());
        // As an input of its own it is selected from in the same way.
        ExploringLab again(device, "build", std::make_shared<const Geometry>(oaks));
        CHECK(again.take(by_value("species", {"oak"})).rows == oaks.rows);
    }
}

TEST_CASE("categories: cells of a lattice have those of their sites") {
    const DeviceUnderTest device = devices_under_test().front();
    ExploringLab explorer(device, "voronoi", forest("uniform:40"), {{"width", "128"}, {"height", "128"}});
    ExplorationChoice choice = by_value("species", {"beech"});
    choice.colour = Explored("species");
    const Scene& scene = explorer.show(choice);
    CHECK(explorer.exploration.selected() == 10);
    const Layer* const cells = SiteMesh::cells_of(scene);
    REQUIRE(cells);
    CHECK(cells->scale.classes == std::vector<std::string>{"oak", "beech", "pine"});
}
