// Values as text, and the parts of a report.
#include "lab/report.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace flipscope;

TEST_CASE("report: a value is written by its kind, with the digits that count and units that belong to it") {
    CHECK(text_of({}).empty());
    CHECK(text_of(true) == "yes");
    CHECK(text_of(false) == "no");
    CHECK(text_of(7u) == "7");
    CHECK(text_of(uint64_t(1) << 40) == "1099511627776");
    CHECK(text_of(0.1 + 0.2) == "0.3");
    CHECK(text_of(Value::exactly(0.1 + 0.2)) == "0.30000000000000004");
    CHECK(text_of(Value(30.0, "°")) == "30°");
    CHECK(text_of(Value(1.5, "rad")) == "1.5 rad");
    CHECK(text_of(Value(1.5, "world units")) == "1.5");
    CHECK(text_of(Value(1.5).within(0.25)) == "1.5 ± 0.25");
    CHECK(text_of(Point{5402320.25, -3}) == "5402320.25, -3");
    CHECK(text_of(Value(Point{1.0 / 3, 2}, "world units", 1e-3)) == "0.333, 2");
    CHECK(text_of(Point3{1, 2, 3}) == "1, 2, 3");
    CHECK(text_of(std::vector<int64_t>{3, 7}) == "3, 7");
    CHECK(text_of(std::vector<Value::Pair>{{3, 7}, {4, 9}}) == "3–7, 4–9");
    CHECK(text_of(Value(std::vector<double>{30, 60.5}, "°")) == "30°, 60.5°");
    CHECK(text_of("flat") == "flat");
    CHECK(remark_of({"Length", Value(1.5, "world units"), "rounded"}) == "world units, rounded");
    CHECK(remark_of({"Angle", Value(1.5, "°"), "rounded"}) == "rounded");
    CHECK(remark_of({"Cell", Value::count(1, "pixel", "pixels")}) == "pixel");
    CHECK(Value(2.5).number() == 2.5);
    CHECK(Value(2u).number() == 2);
    CHECK(std::isnan(Value("two").number()));
}

TEST_CASE("report: a table makes its rows on demand, and a report finds its properties") {
    size_t made = 0;
    Table table;
    table.columns = {{"square", ""}};
    table.row_count = 1'000'000'000;
    table.row = [&](size_t i) {
        ++made;
        return Table::Row{{i * i}};
    };
    Report report;
    report.add("Squares", "", table);
    CHECK(made == 0);
    CHECK(text_of(report.all<Table>()[0].row(12).cells[0]) == "144");
    CHECK(made == 1);

    Properties first, second;
    first.add("a", 1);
    second.add("b", 2.0);
    report.add(first);
    report.add(Properties{});
    report.add(second);
    CHECK(report.sections.size() == 3);  // nothing is no section
    CHECK(report.properties().size() == 2);
    REQUIRE(report.find("b"));
    CHECK(report.find("b")->value.number() == 2);
    CHECK_FALSE(report.find("c"));
    CHECK(report.has<Table>());
    CHECK_FALSE(report.has<Curve>());
}

TEST_CASE("report: one of a unit stands in the singular") {
    CHECK(unit_behind(1, "pixels") == "pixel");
    CHECK(unit_behind(1, "world units squared") == "world unit squared");
    CHECK(unit_behind(1, "units of the input") == "unit of the input");
    CHECK(unit_behind(2, "pixels") == "pixels");
    CHECK(unit_behind(1, "ms") == "ms");
}
