// Births, deaths, break-ups and coalescences: the rules alone, and the Events lab's report on constructed films and
// tracks.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "delaunay/runs.h"
#include "events/detection/cell_changes.h"
#include "events/inputs.h"

using namespace flipscope;

namespace {

using Rectangle = std::array<uint32_t, 4>;  // left, bottom, right, top: pixels, the last ones included

/// Frames of filled rectangles.
Input blocks(const std::vector<std::vector<Rectangle>>& frames, uint32_t width = 64, uint32_t height = 48) {
    auto stack = std::make_shared<FieldStack>();
    stack->name = "blocks";
    stack->width = width;
    stack->height = height;
    for (const auto& frame : frames) {
        std::vector<float> values(size_t(width) * height, 0);
        for (const auto& [left, bottom, right, top] : frame)
            for (uint32_t y = bottom; y <= top; ++y)
                for (uint32_t x = left; x <= right; ++x) values[size_t(y % height) * width + x % width] = 1;
        stack->values.insert(stack->values.end(), values.begin(), values.end());
    }
    return recorded(stack);
}

// Three that stay, so that there is something around.
const Rectangle kLeft{2, 2, 9, 9}, kRight{50, 4, 57, 11}, kTop{30, 36, 37, 43};

std::vector<Detection> changes_of(const Lab& lab) {
    std::vector<Detection> found;
    for (Detection& one : facet<Detector>(lab).detections(0))
        if (one.kind != "T1" && one.kind != "boundary" && one.kind != "mixed" && one.kind != "unmatched" &&
            one.kind != "unclear")
            found.push_back(std::move(one));
    return found;
}

std::vector<Detection> changes_of(const Input& input, const Settings& settings = {}) {
    Context context(DeviceRequest::kCpu, 2);
    return changes_of(*finished(context, input, "events", settings));
}

/// A line of names with their units, then one for each row, "; " between cells.
std::vector<std::string> lines_of(const Table& table) {
    std::vector<std::string> lines(1);
    for (const Table::Column& column : table.columns)
        lines[0] +=
            (lines[0].empty() ? "" : "; ") + column.name + (column.unit.empty() ? "" : " [" + column.unit + "]");
    for (size_t i = 0; i < table.row_count; ++i) {
        std::string line;
        for (const Value& cell : table.row(i).cells) line += (line.empty() ? "" : "; ") + text_of(cell);
        lines.push_back(line);
    }
    return lines;
}
std::vector<std::string> lines_of(const Lab& lab, const char* table) {
    return lines_of(facet<TableExporter>(lab).table(table));
}

}  // namespace

TEST_CASE("cell changes: everything without a partner is in one change, whatever overlaps") {
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        const uint32_t past = 1 + random() % 8, now = 1 + random() % 8;
        std::vector<uint32_t> to_now(past, kNone), to_past(now, kNone), past_areas, now_areas;
        for (uint32_t k = 0; k < std::min(past, now); ++k)
            if (random() % 2) to_now[k] = k, to_past[k] = k;
        for (uint32_t p = 0; p < past; ++p) past_areas.push_back(1 + random() % 20);
        for (uint32_t q = 0; q < now; ++q) now_areas.push_back(1 + random() % 20);
        std::vector<CellOverlap> overlaps;
        for (uint32_t p = 0; p < past; ++p)
            for (uint32_t q = 0; q < now; ++q)
                if ((to_now[p] == kNone || to_past[q] == kNone) && random() % 2)
                    overlaps.push_back({p, q, 1 + uint32_t(random() % 15)});
        const auto found = find_cell_changes(to_now, to_past, past_areas, now_areas, overlaps);
        std::shuffle(overlaps.begin(), overlaps.end(), random);
        const auto again = find_cell_changes(to_now, to_past, past_areas, now_areas, overlaps);
        REQUIRE(found.size() == again.size());
        std::vector<int> gone(past, 0), come(now, 0);  // so often as the end of one, as the beginning of one
        for (size_t i = 0; i < found.size(); ++i) {
            CHECK(found[i].past == again[i].past);
            CHECK(found[i].now == again[i].now);
            const auto& [change, before, after] = found[i];
            for (const uint32_t p : before) gone[p] += to_now[p] == kNone;
            if (change == CellChange::kSplit) CHECK((before.size() == 1 && after.size() >= 2));
            if (change == CellChange::kMerge) CHECK((before.size() >= 2 && after.size() == 1));
            if (change == CellChange::kBirth) CHECK((before.empty() && after.size() == 1));
            if (change == CellChange::kDeath) CHECK((before.size() == 1 && after.empty()));
            for (const uint32_t q : after) come[q] += to_past[q] == kNone;
        }
        for (uint32_t p = 0; p < past; ++p) CHECK((gone[p] > 0) == (to_now[p] == kNone));
        for (uint32_t q = 0; q < now; ++q) CHECK((come[q] > 0) == (to_past[q] == kNone));
    }
    CHECK(find_cell_changes({}, {}, {}, {}, {}).empty());
}

TEST_CASE("events lab: a bubble that falls into two parts has broken up, with its names and areas") {
    // Two columns of the middle go.
    const auto found = changes_of(
        blocks({{kLeft, kRight, kTop, {20, 18, 39, 25}}, {kLeft, kRight, kTop, {20, 18, 28, 25}, {31, 18, 39, 25}}}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "break-up");
    CHECK(found[0].round == 1);
    CHECK(found[0].time == 1);
    CHECK(found[0].place == Point{29.5, 21.5});
    REQUIRE(found[0].cells.size() == 2);
    CHECK(found[0].cells[0].area_before == 160);
    CHECK(found[0].cells[0].area_after == 72);  // the part that keeps the name
    CHECK(std::isnan(found[0].cells[1].area_before));
    CHECK(found[0].cells[1].area_after == 72);
    CHECK(found[0].cells[1].name == 4);  // the next one after 0 to 3
    CHECK(found[0].vertices == std::vector<int64_t>{found[0].cells[0].name, 4});

    // Into three, none of which is near enough to be the one that was.
    const auto three = changes_of(blocks({{kLeft, kRight, kTop, {14, 18, 43, 25}},
                                          {kLeft, kRight, kTop, {14, 18, 22, 25}, {25, 18, 32, 20}, {35, 18, 43, 25}}}),
                                  {"cap=0.05"});
    REQUIRE(three.size() == 1);
    CHECK(three[0].kind == "break-up");
    REQUIRE(three[0].cells.size() == 4);
    CHECK(std::isnan(three[0].cells[0].area_after));
    CHECK(three[0].cells[2].area_after == 24);
}

TEST_CASE("events lab: bubbles that run together have merged, also across the border of a torus") {
    const auto found = changes_of(
        blocks({{kLeft, kRight, kTop, {20, 18, 28, 25}, {31, 18, 39, 25}}, {kLeft, kRight, kTop, {20, 18, 39, 25}}}));
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == "coalescence");
    CHECK(found[0].place == Point{29.5, 21.5});
    REQUIRE(found[0].cells.size() == 2);
    CHECK(found[0].cells[0].area_after == 160);
    CHECK(found[0].cells[1].area_before == 72);
    CHECK(std::isnan(found[0].cells[1].area_after));

    const std::vector<std::vector<Rectangle>> frames{{kRight, kTop, {58, 20, 62, 27}, {65, 20, 72, 27}},
                                                     {kRight, kTop, {58, 20, 72, 27}}};
    for (const char* borders : {"frame_borders=periodic", "frame_borders=periodic_x"}) {
        const auto across = changes_of(blocks(frames), {borders});
        REQUIRE(across.size() == 1);
        CHECK(across[0].kind == "coalescence");
    }
    // With open borders it is the part at the right that grows to the border.
    for (const char* borders : {"frame_borders=open", "frame_borders=periodic_y"}) {
        const auto open = changes_of(blocks(frames), {borders});
        CHECK(std::none_of(open.begin(), open.end(), [](const Detection& one) { return one.kind == "coalescence"; }));
    }
}

TEST_CASE("cells are cut where they reach an open border, and nowhere else") {
    on_every_device([&](Context& context) {
        for (const PeriodicAxes periodic :
             {PeriodicAxes(false), PeriodicAxes(true), PeriodicAxes(true, false), PeriodicAxes(false, true)}) {
            const Lattice lattice{9, 6, periodic};
            std::vector<uint32_t> colours, expected(9, 0);
            for (uint32_t pixel = 0; pixel < lattice.pixel_count(); ++pixel) {
                const uint32_t x = lattice.x_of(pixel), y = lattice.y_of(pixel), label = x / 3 + y / 2 * 3;
                colours.push_back(label);
                expected[label] += 1;
                if ((x % 8 == 0 && !periodic.x) || (y % 5 == 0 && !periodic.y)) expected[label] |= kCutArea;
            }
            Buffer<uint32_t> given("colours"), areas("areas");
            given.upload(context, colours.data(), colours.size());
            areas.resize(context, 9, false);
            count_colours(context, lattice, given.view(), areas.view());
            CHECK(areas.download() == expected);
        }
    });
}

TEST_CASE("events lab: one vanishes and one appears, beside others that touch neither") {
    const Input input = blocks({{kLeft, kRight, kTop, {20, 18, 27, 25}},
                                {kLeft, kRight, kTop},
                                {kLeft, kRight, kTop, {40, 20, 47, 27}},
                                {kLeft, kRight, kTop, {40, 20, 47, 27}}});
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, input, "events", {});
    const auto found = changes_of(*lab);
    REQUIRE(found.size() == 2);
    CHECK(found[0].kind == "death");
    CHECK(found[0].place == Point{23.5, 21.5});
    CHECK(found[0].time == 1);
    CHECK(found[0].cells.at(0).area_before == 64);
    CHECK(found[1].kind == "birth");
    CHECK(found[1].place == Point{43.5, 23.5});
    CHECK(found[1].cells.at(0).name == 4);
    CHECK(number_of(*lab, "births") == 1);
    CHECK(number_of(*lab, "deaths") == 1);
    CHECK(number_of(*lab, "break-ups") == 0);
}

TEST_CASE("events lab: two that merge while another splits, and one that shrinks away, are told apart") {
    const auto found = changes_of(blocks({{{4, 4, 11, 11}, {14, 4, 21, 11}, {40, 4, 59, 11}, {30, 30, 31, 31}},
                                          {{4, 4, 21, 11}, {40, 4, 48, 11}, {51, 4, 59, 11}}}));
    REQUIRE(found.size() == 3);
    CHECK(found[0].kind == "break-up");
    CHECK(found[1].kind == "coalescence");
    CHECK(found[2].kind == "death");
}

TEST_CASE("events lab: births and deaths are the same on every device, stepped, finished and gone back to") {
    const Settings settings{"width=128", "height=96", "count=60", "comparisons=8", "interval=200"};
    std::string expected;
    on_every_device([&](Context& context) {
        const auto text = [](const Lab& lab) {
            std::string all;
            for (const Detection& one : changes_of(lab)) {
                all += one.kind + " " + std::to_string(one.round) + " " + std::to_string(one.place.x);
                for (const Detection::Cell& cell : one.cells)
                    all += " " + std::to_string(cell.name) + " " + std::to_string(cell.area_before) + " " +
                           std::to_string(cell.area_after);
                all += "\n";
            }
            return all;
        };
        const std::string at_once = text(*finished(context, nothing(), "events", settings));
        CHECK(contains(at_once, "break-up"));
        CHECK(contains(at_once, "coalescence"));
        CHECK(contains(at_once, "birth"));
        CHECK(contains(at_once, "death"));
        if (expected.empty()) expected = at_once;
        CHECK(at_once == expected);
        StartedTimeline timeline(context, nothing(), "events", settings);
        timeline.run_to_end();
        CHECK(text(timeline.lab()) == expected);
        timeline.seek(timeline.position() / 2);
        timeline.run_to_end();
        CHECK(text(timeline.lab()) == expected);
    });
}

TEST_CASE("events lab: a track that is missing for some frames is called so, not dead and born") {
    const Input input = tracks({{{5, {0, 0}}, {7, {10, 0}}, {9, {5, 8}}},
                                {{5, {0, 0}}, {9, {5, 8}}, {11, {9, 9}}},
                                {{5, {0, 0}}, {7, {10, 0}}, {9, {5, 8}}},
                                {}});
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, input, "events", {"graph=delaunay"});
    std::vector<std::string> told;
    for (const Detection& one : changes_of(*lab))
        told.push_back(one.kind + " " + std::to_string(one.vertices.at(0)) + " at " +
                       std::to_string(std::lround(one.time)));
    CHECK(told == std::vector<std::string>{"birth 11 at 10", "missing 7 at 10", "back 7 at 20", "death 11 at 20",
                                           "death 5 at 30", "death 7 at 30", "death 9 at 30"});
    CHECK(number_of(*lab, "gaps begun") == 1);
    CHECK(number_of(*lab, "gaps ended") == 1);
    CHECK(number_of(*lab, "births") == 1);
    // If sites are matched by place, a track that returns is a new one.
    for (const Detection& one : changes_of(*finished(context, input, "events", {"graph=delaunay", "matching=nearest"})))
        CHECK((one.kind == "birth" || one.kind == "death"));
}

TEST_CASE("events lab: a T1 tells its four cells, and the length and angle of both contacts in the units of the file") {
    // A diamond within a ring, flattened the other way; one unit of the file is about 5 pixels.
    std::vector<std::vector<std::pair<int64_t, Point>>> frames(2);
    for (int f = 0; f < 2; ++f) {
        for (int k = 0; k < 8; ++k)
            frames[size_t(f)].push_back({k, {8 * std::cos(0.2 + k * 0.785), 8 * std::sin(0.2 + k * 0.785)}});
        const double wide = f == 0 ? 1.5 : 3, tall = f == 0 ? 3 : 1.5;
        for (const auto& [id, place] :
             {std::pair<int64_t, Point>{20, {-wide, 0}}, {21, {wide, 0}}, {22, {0, -tall}}, {23, {0, tall}}})
            frames[size_t(f)].push_back({id, place});
    }
    Context context(DeviceRequest::kCpu, 1);
    for (const char* graph : {"graph=delaunay", "graph=lattice"}) {
        const Input input = tracks(frames);
        const auto lab = finished(context, input, "events", {graph});
        std::vector<Detection> all = facet<Detector>(*lab).detections(0);
        REQUIRE(all.size() == 1);
        const Detection& t1 = all[0];
        CHECK(t1.kind == "T1");
        REQUIRE(t1.cells.size() == 4);
        for (size_t k = 0; k < 4; ++k) CHECK(t1.cells[k].name == int64_t(20 + k));
        CHECK(t1.lost_length == doctest::Approx(3));
        CHECK(t1.created_length == doctest::Approx(3));
        CHECK(std::fmod(t1.lost_angle, 180) == doctest::Approx(0));
        CHECK(t1.created_angle == doctest::Approx(90));
        // Cells within the ring, in the file's units: to a few hundredths of what the lattice resolves.
        CHECK(t1.cells[0].area_before > 8);
        CHECK(t1.cells[0].area_before < 30);
        CHECK(t1.cells[0].area_after > t1.cells[0].area_before);
        const std::vector<std::string> lines = lines_of(*lab, "changes");
        REQUIRE(lines.size() == 3);
        CHECK(lines[0] == "event; time; lost; cell 1; cell 2; cell 3; cell 4; place; length; angle [°]; counts");
        CHECK(lines[1].starts_with("0; 10; 1; 20; 21; 2"));
        CHECK(lines[2].starts_with("0; 10; 0; 22; 23; 2"));
    }
    // In a file whose y goes down places are written as the file has them, and angles go with them.
    auto down = std::make_shared<Geometry>(*tracks(frames));
    auto flipped = std::make_shared<Tracks>(*down->tracks);
    flipped->y_down = true;
    for (Point& p : flipped->places) p = {p.x + p.y, p.y + 100};  // sheared, so that angles show it
    flipped->unit = "nm";
    flipped->time_unit = "s";
    down->tracks = flipped;
    const auto lab = finished(context, down, "events", {"graph=delaunay"});
    for (const Detection& one : facet<Detector>(*lab).detections(0)) {
        CHECK(one.given.value().y == doctest::Approx(-100).epsilon(0.1));
        if (!std::isnan(one.created_angle) && one.kind == "T1") CHECK(one.created_angle == doctest::Approx(135));
    }
    CHECK(facet<Detector>(*lab).detection_units().length == "nm");
    CHECK(facet<Detector>(*lab).detection_units().time == "s");
}

TEST_CASE("events lab: every bubble of every frame is in the table of tracks, kept on the way or made again") {
    const Input input = blocks({{kLeft, kRight, kTop, {20, 18, 39, 25}},
                                {kLeft, kRight, kTop, {20, 18, 28, 25}, {31, 18, 39, 25}},
                                {kLeft, kTop, {20, 18, 28, 25}, {31, 18, 39, 25}}});
    Context context(DeviceRequest::kCpu, 1);
    const auto made_again = finished(context, input, "events", {});
    const auto kept = lab_with("events", {});
    facet<TableExporter>(*kept).will_export("tracks");
    kept->reset(context, input);
    kept->finish({});
    const std::vector<std::string> lines = lines_of(*kept, "tracks");
    CHECK(lines_of(*made_again, "tracks") == lines);
    REQUIRE(lines.size() == 1 + 4 + 5 + 4);
    CHECK(lines[0] == "time [frames]; id; place [px]; area [px²]; degree; boundary");
    CHECK(lines[1].starts_with("0; 0; 5.5, 5.5; 64; "));
    for (size_t i = 10; i < lines.size(); ++i)
        CHECK_FALSE(lines[i].starts_with("2; 1; "));  // that at the right is gone

    // At an earlier state it has only earlier changes.
    StartedTimeline timeline(context, input, "events", {});
    while (number_of(timeline.lab(), "comparisons") < 1) REQUIRE(timeline.step());
    CHECK(lines_of(timeline.lab(), "tracks") == std::vector<std::string>(lines.begin(), lines.begin() + 10));
}

TEST_CASE("events lab: tracks keep the columns of their file, and tell which points are on the boundary") {
    std::vector<std::vector<std::pair<int64_t, Point>>> frames(2);
    for (auto& frame : frames)
        for (int64_t k = 0; k < 25; ++k) frame.push_back({100 + k, {double(k % 5), double(k / 5)}});
    frames[1].erase(frames[1].begin());
    auto with_columns = std::make_shared<Geometry>(*tracks(frames));
    auto own = std::make_shared<Tracks>(*with_columns->tracks);
    own->unit = "µm";
    own->time_unit = "s";
    Attribute mass{"mass", {}, "kg"}, kind{"degree", {}, "", {"round", "flat, thin"}};
    for (size_t i = 0; i < own->places.size(); ++i) {
        mass.values.push_back(i == 3 ? std::nan("") : double(i));
        kind.values.push_back(double(i % 2));
    }
    own->attributes = {mass, kind};
    with_columns->tracks = own;
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, with_columns, "events", {"graph=delaunay"});
    const std::vector<std::string> lines = lines_of(*lab, "tracks");
    REQUIRE(lines.size() == 1 + 25 + 24);
    CHECK(lines[0] == "time [s]; id; place [µm]; area [µm²]; degree; boundary; mass [kg]; input degree");
    size_t inside = 0;
    for (size_t row = 0; row + 1 < lines.size(); ++row) {
        const std::string end = row == 3 ? "; ; " : "; " + std::to_string(row) + "; ";
        CHECK(lines[row + 1].ends_with(end + (row % 2 ? "flat, thin" : "round")));
        inside += contains(lines[row + 1], "; 0" + end);
    }
    CHECK(inside == 9 + 9);
}
