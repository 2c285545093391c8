// Selections in words, on the command line and in the window.
#include "app/run/selection_query.h"

#include "app/folders.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

Geometry trees() {
    Geometry input;
    input.points = {{0, 0}, {1, 0}, {0, 1}};
    input.attributes = std::make_shared<const std::vector<Attribute>>(std::vector<Attribute>{
        {"species", {0, 1, 2}, "", {"oak", "oak, red", "a:1..2"}}, {"dbh", {1, 2, 3}, "cm", {}}});
    return input;
}

/// The chosen range, or the error.
ExplorationChoice::Range chosen(const std::string& text) {
    const Geometry input = trees();
    ExplorationChoice choice;
    apply_selection(parse_selection(text, "--select: "), {}, &input, "--select ", choice);
    REQUIRE(choice.range);
    return *choice.range;
}

std::string why_not(const std::string& text) {
    return error_of([&] { chosen(text); }, "");
}

using Values = std::vector<std::string>;

}  // namespace

TEST_CASE("selection queries: values of a column of text, with commas in quotes") {
    CHECK(chosen("species=oak").values == Values{"oak"});
    CHECK(chosen("species=oak").quantity == Explored("species"));
    CHECK(chosen("species=\"oak, red\",oak").values == Values{"oak, red", "oak"});
    CHECK(chosen("species=oak, red").values == Values{"oak, red"});
    CHECK(chosen("species=a:1..2").values == Values{"a:1..2"});
}

TEST_CASE("selection queries: a new selection keeps colours, sizes and layers") {
    const Geometry input = trees();
    ExplorationChoice choice{.colour = Explored("dbh"),
                             .style = {ColourScale::Map::kMagma},
                             .size_by = "dbh",
                             .ids = {1},
                             .marks_disclinations = true};
    apply_selection(parse_selection("dbh:1..2", ""), {}, &input, "", choice);
    CHECK(choice.ids.empty());
    CHECK(choice.style.map == ColourScale::Map::kMagma);
    CHECK(choice.size_by == "dbh");
    CHECK(choice.marks_disclinations);
}

TEST_CASE("selection queries: one number of a column or a quantity, as well as a range") {
    CHECK(chosen("dbh=2").low == 2);
    CHECK(chosen("dbh=2").high == 2);
    CHECK(chosen("degree=5").quantity == Explored(ElementQuantity::kDegree));
    CHECK(chosen("degree=5").values.empty());
    CHECK(chosen("dbh:1..2.5").high == 2.5);
}

TEST_CASE("selection queries: an unknown quantity or value is refused with a list of the known ones") {
    CHECK(has(why_not("species=elm"), "species has no value \"elm\"; it has \"oak\", \"oak, red\" and \"a:1..2\""));
    CHECK(has(why_not("species:0..1"), "species is text, which is selected by value, as species=oak"));
    CHECK(has(why_not("dbh=oak"), "dbh is a number"));
    CHECK(has(why_not("dbh=1,2"), "dbh is a number"));
    CHECK(has(why_not("dbh=nan"), "dbh is a number"));
    CHECK(has(why_not("height=3"), "there is no such quantity"));
    for (const char* text : {"", "species", "species=", "=oak", "degree:7", "vertex:a"})
        CHECK(has(why_not(text), "expected QUANTITY:LOW..HIGH"));
}
