// Films in the units of the user: a pixel size, a frame interval, and every report in them.
#include <cmath>
#include <random>

#include "events/inputs.h"
#include "lab/unit_names.h"

using namespace flipscope;

namespace {

/// Discs on a jittered lattice: many events in few frames.
Input shaken_film(const std::string& unit = {}, double pixel = 0, double interval = 0) {
    std::mt19937 random(3);
    std::vector<std::vector<Point>> frames(10);
    for (auto& sites : frames)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 8; ++x)
                sites.push_back({10.0 + 20 * x + 10 * (y % 2) + random() % 12, 10.0 + 20 * y + random() % 12});
    auto stack = std::make_shared<FieldStack>(*film(190, 142, frames)->field);
    stack->pixel = pixel;
    stack->interval = interval;
    auto input = std::make_shared<Geometry>(*recorded(stack));
    input->unit = unit;
    return input;
}

const Settings kSettings{"deformation=on", "matching=assignment", "cap=2"};

Table table_of(const Lab& lab, const std::string& name) { return facet<TableExporter>(lab).table(name); }

const Table::Column& column(const Table& table, const std::string& name) {
    for (const Table::Column& one : table.columns)
        if (one.name == name) return one;
    FAIL("no column " << name);
    return table.columns[0];
}

double first_of(const Table& table, size_t cell) { return table.row(0).cells[cell].number(); }

std::string unit_of_number(const Lab& lab, const std::string& name) {
    const Result result = lab.result();
    const Property* const found = result.numbers.find(name);
    REQUIRE(found);
    return found->value.unit;
}

}  // namespace

TEST_CASE("films: with a pixel size and a frame interval every length, area, time and rate is in these units") {
    Context context(DeviceRequest::kCpu, 2);
    const auto plain = finished(context, shaken_film(), "events", kSettings);
    const auto sized =
        finished(context, shaken_film(), "events", with(kSettings, {"pixel_size=0.5", "frame_interval=0.04"}));
    CHECK(values_of<uint32_t>(*sized, "links") == values_of<uint32_t>(*plain, "links"));
    CHECK(finished(context, shaken_film(), "events", with(kSettings, {"pixel_size=0.5"}))->state_hash() ==
          plain->state_hash());
    const DetectionUnits units = facet<Detector>(*sized).detection_units();
    CHECK(units.length == "µm");
    CHECK(units.time == "s");
    CHECK(facet<Detector>(*plain).detection_units().length == "px");
    CHECK(facet<Detector>(*plain).detection_units().time == "frames");
    CHECK(length_unit(sized->scene(), shaken_film().get()) == "µm");
    CHECK(sized->result().lattice->units.unit == Point{0.5, 0.5});
    CHECK(length_unit(plain->scene(), shaken_film().get()).empty());
    CHECK(number_of(*sized, "time") == 0.36);
    CHECK(unit_of_number(*sized, "time") == "s");

    const std::vector<Detection> before = facet<Detector>(*plain).detections(0),
                                 after = facet<Detector>(*sized).detections(0);
    REQUIRE(before.size() == after.size());
    REQUIRE(after.size() > 20);
    for (size_t i = 0; i < after.size(); ++i) {
        CHECK(after[i].time == doctest::Approx(0.04 * before[i].time));
        CHECK(after[i].given->x == doctest::Approx(0.5 * before[i].given->x));
        if (!std::isnan(before[i].lost_length))
            CHECK(after[i].lost_length == doctest::Approx(0.5 * before[i].lost_length));
        for (size_t k = 0; k < after[i].cells.size(); ++k)
            if (!std::isnan(before[i].cells[k].area_after))
                CHECK(after[i].cells[k].area_after == doctest::Approx(0.25 * before[i].cells[k].area_after));
    }
    CHECK(after.back().time == std::round(after.back().time * 100) / 100);  // 0.28, without lost digits

    struct Case {
        const char *table, *column, *unit;
        size_t cell;
        double ratio;
    };
    for (const Case& one :
         {Case{"changes", "length", "µm", 8, 0.5}, Case{"changes", "time", "s", 1, 0.04},
          Case{"tracks", "area", "µm²", 3, 0.25}, Case{"shapes", "area", "µm²", 2, 0.25},
          Case{"displacement-field", "ux", "µm", 2, 0.5}, Case{"waiting-times", "waiting time", "s", 7, 0.04},
          Case{"avalanches", "duration", "s", 2, 0.04}, Case{"space-correlation", "distance", "µm", 0, 0.5},
          Case{"rates", "rate", "per µm² and s", 3, 1 / (0.25 * 0.04)}}) {
        CAPTURE(one.table);
        const Table table = table_of(*sized, one.table);
        CHECK(column(table, one.column).unit == one.unit);
        REQUIRE(table.row_count > 0);
        CHECK(first_of(table, one.cell) ==
              doctest::Approx(one.ratio * first_of(table_of(*plain, one.table), one.cell)));
    }
    const Table in_time = table_of(*sized, "time-correlation");
    CHECK(column(in_time, "time").unit == "s");
    CHECK(in_time.row(3).cells[1].number() == 0.12);
    for (const auto& [name, power] :
         {std::pair("texture xx", 2), std::pair("texture yy mean", 2), std::pair("elastic stress xy", -1),
          std::pair("elongation", 0), std::pair("largest displacement", 1)}) {
        CAPTURE(name);
        CHECK(number_of(*sized, name) == doctest::Approx(std::pow(0.5, power) * number_of(*plain, name)));
        CHECK(has(unit_of_number(*plain, name), "lattice unit") == (power != 0));
        CHECK(has(unit_of_number(*sized, name), "µm") == (power != 0));
    }
    for (const Section& section : facet<Measurable>(*sized).statistics().sections)
        if (const auto* curve = std::get_if<Curve>(&section.content)) {
            CAPTURE(curve->name);
            CHECK_FALSE(has(curve->x_name + curve->y_name, "px"));
            CHECK_FALSE(has(curve->x_name + curve->y_name, "frame"));
        }
}

TEST_CASE("films: --unit alone makes a pixel one unit wide, and the user's numbers override the file's") {
    Context context(DeviceRequest::kCpu, 1);
    struct Case {
        Input input;
        Settings settings;
        double pixel;
        const char *length, *time;
    };
    for (const Case& one :
         {Case{shaken_film("mm"), {}, 1, "mm", "frames"},
          Case{shaken_film("mm"), {"pixel_size=0.2"}, 0.2, "mm", "frames"},
          Case{shaken_film("px"), {"frame_interval=2"}, 1, "px", "s"},
          Case{shaken_film("µm", 0.25, 0.1), {}, 0.25, "µm", "s"},
          Case{shaken_film("µm", 0.25, 0.1), {"pixel_size=0.3"}, 0.3, "µm", "s"},
          Case{shaken_film("px", 0.25), {}, 1, "px", "frames"}, Case{shaken_film(), {}, 0, "px", "frames"}}) {
        CAPTURE(one.length);
        CAPTURE(one.pixel);
        const auto lab = started(context, one.input, "events", one.settings);
        CHECK(facet<Detector>(*lab).detection_units().length == one.length);
        CHECK(facet<Detector>(*lab).detection_units().time == one.time);
        const LatticeUnits units = lab->result().lattice.value_or(Result::OnLattice{}).units;
        CHECK(units.unit == (one.pixel > 0 ? Point{one.pixel, one.pixel} : Point{1, 1}));
    }
    CHECK(has(messages_of(context, shaken_film("mm"), {"pixel_size=0.2"}), "A lattice unit is 0.2 mm"));
    CHECK_THROWS_WITH_AS(started(context, shaken_film("px"), "events", {"pixel_size=0.2"}),
                         doctest::Contains("leave one of them out"), Error);
    // The unit of points beside the film is not that of its pixels.
    auto both = std::make_shared<Geometry>(*shaken_film("nm"));
    both->points = {{1, 2}};
    const auto beside = started(context, both, "events");
    CHECK(facet<Detector>(*beside).detection_units().length == "px");
    CHECK_FALSE(beside->scene().in_input_units);
    CHECK(facet<Detector>(*started(context, both, "events", {"pixel_size=2"})).detection_units().length == "µm");
    auto named = std::make_shared<FieldStack>(*both->field);
    named->unit = "nm";  // by --unit
    both->field = named;
    const auto sized = started(context, both, "events", {"pixel_size=2"});
    CHECK(facet<Detector>(*sized).detection_units().length == "nm");
    CHECK(length_unit(sized->scene(), both.get()) == "nm");
    // A source of the lab's own has no pixel size.
    const auto own = started(context, nothing(), "events", {"source=particles", "count=30", "pixel_size=0.2"});
    CHECK(facet<Detector>(*own).detection_units().length.empty());
}

TEST_CASE("films: a film in units runs the same stepped and resumed") {
    Context context(DeviceRequest::kCpu, 1);
    const Settings settings = with(kSettings, {"pixel_size=0.5", "frame_interval=0.04", "contact_distance=9"});
    const auto whole = finished(context, shaken_film(), "events", settings);
    const auto half = started(context, shaken_film(), "events", settings);
    while (half->step().round < 4 || half->next_pass() != 0) {
    }
    const auto other = started(context, shaken_film(), "events", settings);
    other->load(half->save());
    check_passes(*other);
    other->finish({});
    CHECK(other->state_hash() == whole->state_hash());
    CHECK(number_of(*other, "texture xx mean") == number_of(*whole, "texture xx mean"));
}
