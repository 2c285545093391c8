// The choice of table columns: the resulting options and readings.
#include "app/session/table_import.h"

#include <doctest/doctest.h>

#include "app/folders.h"
#include "app/run/inputs.h"
#include "io/fields.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

TableImport import_of(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    write_file(folder / name, text);
    TableImport table{{folder / name, nullptr}, {}, {}, ""};
    const auto layout = layout_of(table.source, table.read);
    REQUIRE(layout);
    table.layout = *layout;
    return table;
}

/// Reads again with these options, as the session does.
Geometry take(TableImport& table, ReadOptions read) {
    table.read = std::move(read);
    const auto layout = layout_of(table.source, table.read);
    REQUIRE(layout);
    table.layout = *layout;
    return read_input(table.source.file, nullptr, table.read);
}

std::string written(const ReadOptions& read) {
    std::string text;
    for (const auto& [option, value] : read.texts()) text += (text.empty() ? "" : " ") + option + ":" + value;
    return text;
}

}  // namespace

TEST_CASE("columns of a table: a role moves to another column, whose role moves to the previous one") {
    const TemporaryFolder folder;
    TableImport table = import_of(folder, "trees.csv", "lon,lat,height\n1,10,100\n2,20,200\n3,30,300\n");
    CHECK(table.column_of(ColumnRole::kX) == 0);
    CHECK(table.column_of(ColumnRole::kY) == 1);
    CHECK_FALSE(table.column_of(ColumnRole::kTime));
    Geometry read = take(table, table.with_column(ColumnRole::kX, 1));
    CHECK(read.points[0] == Point{10, 1});
    CHECK(written(table.read) == "columns:x=lat,y=lon");
    read = take(table, table.with_column(ColumnRole::kY, 2));
    CHECK(read.points[0] == Point{10, 100});
    CHECK(table.column_of(ColumnRole::kX) == 1);
    CHECK(take(table, table.with_column(ColumnRole::kX, std::nullopt)).points[0] == Point{10, 100});  // x must stay
    read = take(table, table.with_y_down(true));
    CHECK(read.points[0] == Point{10, -100});
    CHECK(read.y_down);
    CHECK(take(table, table.with_y_down(false)).points[0] == Point{10, 100});
}

TEST_CASE("columns of a table: names and other roles can be set and removed") {
    const TemporaryFolder folder;
    TableImport table = import_of(folder, "cities.csv", "name,x,y,kind\nA,1,10,big\nB,2,20,small\nC,3,30,big\n");
    CHECK(table.column_of(ColumnRole::kName) == 0);
    CHECK(table.can_have(3, ColumnRole::kName));
    CHECK_FALSE(table.can_have(3, ColumnRole::kX));
    Geometry read = take(table, table.with_column(ColumnRole::kName, 3));
    CHECK(read.names == std::vector<std::string>{"big", "small", "big"});
    read = take(table, table.with_column(ColumnRole::kName, std::nullopt));
    CHECK(read.names.empty());
    CHECK(written(table.read) == "columns:name=-");
}

TEST_CASE("columns of a table: without a header, or with duplicate names, they have numbers") {
    const TemporaryFolder folder;
    TableImport table = import_of(folder, "plain.txt", "5 1 10\n6 2 20\n8 3 30\n");
    take(table, table.with_column(ColumnRole::kX, 2));
    CHECK(written(table.read) == "columns:y=2,x=3");
    TableImport twice = import_of(folder, "twice.csv", "x,y,mass,Mass\n1,2,3,4\n5,6,7,8\n9,1,2,3\n");
    CHECK(take(twice, twice.with_column(ColumnRole::kX, 3)).points[0] == Point{4, 2});
    CHECK(written(twice.read) == "columns:x=4");
}

TEST_CASE("columns of a table: another separator detects them again") {
    const TemporaryFolder folder;
    TableImport table = import_of(folder, "german.txt", "a;b;c\n1,5;2,5;7\n3,5;4,5;8\n5,5;6,5;9\n");
    CHECK(table.layout.separator == ';');
    take(table, table.with_column(ColumnRole::kX, 2));
    const ReadOptions changed = table.with(&ReadOptions::separator, ';');
    CHECK(changed.columns.empty());
    CHECK(take(table, changed).points[0] == Point{1.5, 2.5});
    CHECK(written(table.with(&ReadOptions::decimal, '.')) == "decimal:. separator:;");
}

TEST_CASE("columns of a table: other files have none") {
    const TemporaryFolder folder;
    write_file(folder / "mesh.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    CHECK_FALSE(layout_of({folder / "mesh.off", nullptr}, {}));
    CHECK_FALSE(layout_of({folder / "not there.csv", nullptr}, {}));
    CHECK_FALSE(layout_of({}, {}));
    CHECK_FALSE(layout_of({{}, std::make_shared<const std::string>("[[1, 2], [3, 4]]")}, {}));
    const auto pasted = layout_of({{}, std::make_shared<const std::string>("id\tx\ty\n1\t2\t3\n2\t4\t5\n")}, {});
    REQUIRE(pasted);
    CHECK(pasted->columns.at(1).role == ColumnRole::kX);
}

TEST_CASE("columns of a table: points over time have roles, too") {
    const TemporaryFolder folder;
    TableImport table = import_of(folder, "walk.csv", "5,7,1,2\n6,7,3,4\n5,8,5,6\n");
    CHECK_FALSE(table.column_of(ColumnRole::kTime));
    table.source.as_tracks = true;
    const auto as_tracks = layout_of(table.source, table.read);
    REQUIRE(as_tracks);
    table.layout = *as_tracks;
    CHECK(table.layout.over_time);
    CHECK(table.column_of(ColumnRole::kTime) == 0);
    CHECK(table.column_of(ColumnRole::kId) == 1);
    CHECK(table.column_of(ColumnRole::kX) == 2);
    table.read = table.with_column(ColumnRole::kTime, 1);
    table.layout = layout_of(table.source, table.read).value();
    CHECK(table.column_of(ColumnRole::kTime) == 1);
    CHECK(table.column_of(ColumnRole::kId) == 0);
    const Tracks swapped = read_tracks(table.source.file, nullptr, table.read);
    CHECK(swapped.times == std::vector<double>{7, 8});
    CHECK(swapped.ids == std::vector<int64_t>{5, 6, 5});
    table.read = table.with_y_down(true);
    CHECK(read_tracks(table.source.file, nullptr, table.read).places[0] == Point{1, -2});
    CHECK(table.with_y_down(false).y_down == false);
}
