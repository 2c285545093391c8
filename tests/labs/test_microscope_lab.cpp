// sanitizers: none
// The Predicate microscope: its picture, reports on pixels, and parameters that change during a run.
#include <cmath>
#include <string>
#include <vector>

#include "compute/text.h"
#include "delaunay/runs.h"
#include "geometry/predicate_map.h"

using namespace flipscope;

namespace {

std::vector<int64_t> signs_of(const Lab& lab, const std::string& name = "signs") {
    return values_of<int64_t>(lab, name);
}

std::string microscope_refusal(const Settings& settings, const Input& input) {
    Context context(DeviceRequest::kCpu, 1);
    return error_of([&] { lab_with("microscope", settings)->reset(context, input); }, "");
}

}  // namespace

TEST_CASE("microscope: without input it shows the example of Kettner et al., pass by pass") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, nothing(), "microscope");
    CHECK_FALSE(facet<Checkable>(*lab).check().checked);
    std::vector<std::string> passes;
    StepResult last;
    while (!lab->done()) {
        last = lab->step();
        passes.push_back(lab->info().passes.at(last.pass).name);
    }
    CHECK(passes == std::vector<std::string>{"float", "double", "exact", "compare"});
    CHECK(last.ended == Level::kEnd);
    CHECK(last.round == 1);
    CHECK(number_of(*lab, "pixels") == 65536);
    CHECK(number_of(*lab, "zero, exact") == 256);
    CHECK(number_of(*lab, "zero, float") == 65536);  // all doubles here are the float 0.5
    CHECK(number_of(*lab, "lost signs, float") == 65536 - 256);
    CHECK(number_of(*lab, "wrong signs, float") == 0);
    CHECK(number_of(*lab, "wrong signs, double") > 100);
    CHECK(number_of(*lab, "lost signs, double") > 10000);
    CHECK(last.counters.at(3) == 65536 - 256);
    CHECK(facet<Checkable>(*lab).check().passed);
    const std::vector<double> x = values_of<double>(*lab, "pixel_x"), y = values_of<double>(*lab, "pixel_y");
    CHECK(x[0] == 0.5);
    CHECK(x[255] == 0.5 + 255 * 0x1p-53);
    CHECK(y == x);
    const std::vector<int64_t> exact = signs_of(*lab), rounded = signs_of(*lab, "double_signs");
    REQUIRE(exact.size() == 65536);
    uint64_t wrong = 0, wrong_here = 0;
    for (uint32_t i = 0; i < exact.size(); ++i) {
        const Point c{x[i % 256], y[i / 256]};
        wrong += exact[i] != orient2d({12, 12}, {24, 24}, c);
        wrong += rounded[i] != orient2d_double({12, 12}, {24, 24}, c);
        wrong_here += exact[i] != rounded[i];
    }
    CHECK(wrong == 0);
    CHECK(last.counters.at(4) == static_cast<int64_t>(wrong_here));
}

TEST_CASE("microscope: points of the input, by index, and the one that moves in the middle of the patch") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = make_input("five", {{9, 9}, {-3, 0.1}, {5.5, 0.1}, {0.7, 0.1}, {2, 7}});
    const auto lab = finished(context, input, "microscope", {"a=1", "b=2", "c=3", "width=32", "height=20"});
    const std::vector<double> x = values_of<double>(*lab, "pixel_x"), y = values_of<double>(*lab, "pixel_y");
    CHECK(x[16] == 0.7);
    CHECK(y[10] == 0.1);
    CHECK(x[17] == std::nextafter(0.7, 1));
    const std::vector<int64_t> signs = signs_of(*lab);
    for (uint32_t row = 0; row < 20; ++row)
        CHECK(signs[row * 32 + 5] == (row > 10) - (row < 10));  // above the level line through a and b, and below
    const auto moved =
        finished(context, input, "microscope",
                 {"a=1", "b=2", "c=3", "moves=a", "width=32", "height=20", "step_x=-5", "step_y=2", "zoom_out=1"});
    CHECK(values_of<double>(*moved, "pixel_x")[16 + 5] == -3);
    CHECK(values_of<double>(*moved, "pixel_x")[16 + 4] == std::nextafter(std::nextafter(-3, -4), -4));
    CHECK(values_of<double>(*moved, "pixel_y")[10 - 2] == 0.1);
}

TEST_CASE("microscope: with too few points an example is shown, and said so") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab =
        started(context, make_input("three", {{0, 0}, {1, 0}, {0, 1}}), "microscope", {"sign_of=in-circle"});
    CHECK(lab->step().message.text() == "The input has 3 points, and this determinant takes 4: an example is shown.");
    lab->finish({});
    CHECK(number_of(*lab, "zero, exact") >= 1);
    CHECK(number_of(*lab, "positive, exact") > 30000);
    CHECK(number_of(*lab, "negative, exact") > 30000);
    CHECK(lab_with("microscope")->info().inputs.has(InputKind::kNothing));
}

TEST_CASE("microscope: points that are not there and coordinates out of range are refused with a sentence") {
    const Input four = make_input("four", {{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    CHECK(microscope_refusal({}, four) == "");
    CHECK(microscope_refusal({"b=4"}, four) == "parameter b: there is no point 4; the input has points 0 to 3");
    CHECK(microscope_refusal({"d=9"}, four) == "");  // the orientation has no d
    CHECK(microscope_refusal({"coordinates=typed", "b_y=1e-70"}, four) ==
          "point b: expected coordinates that are 0 or between 2^-200 and 2^200 in size, found 1e-70");
    const auto lab = lab_with("microscope");
    CHECK_THROWS_AS(set_parameter(*lab, "a_x=1e90"), Error);
    CHECK_THROWS_AS(set_parameter(*lab, "a_x=0x"), Error);
    CHECK_THROWS_AS(set_parameter(*lab, "a_x=0x-1p3"), Error);
    CHECK_THROWS_AS(set_parameter(*lab, "a_x=nan"), Error);
}

TEST_CASE("microscope: coordinates are typed as decimal or hexadecimal numbers") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, nothing(), "microscope",
                              {"coordinates=typed", "a_x=0x1.8p+3", "a_y=12", "b_x=0X1.8P4", "b_y=24", "c_x=0x1p-1",
                               "c_y=0.5", "anchor=corner"});
    const auto example = finished(context, nothing(), "microscope");
    CHECK(signs_of(*lab) == signs_of(*example));
    CHECK(signs_of(*lab, "double_signs") == signs_of(*example, "double_signs"));
    const auto negative = lab_with("microscope");
    set_parameter(*negative, "a_x=-0x1.4p-2");
    for (const ParameterDescription& one : list_parameters(*negative))
        if (one.name == "a_x") CHECK(one.value == "-0.3125");
}

TEST_CASE("microscope: where each view has numbers of its own, floats are compared with the exact signs there") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, nothing(), "microscope", {"numbers=each"});
    const std::vector<int64_t> floats = signs_of(*lab, "float_signs");
    uint64_t wrong = 0, different = 0;
    for (uint32_t i = 0; i < floats.size(); ++i) {
        const Point c{0.5 + (i % 256) * 0x1p-24, 0.5 + (i / 256) * 0x1p-24};
        different += floats[i] != orient2d_float({12, 12}, {24, 24}, c);
        wrong += floats[i] != orient2d({12, 12}, {24, 24}, c);
    }
    CHECK(different == 0);
    CHECK(number_of(*lab, "wrong signs, float") + number_of(*lab, "lost signs, float") == static_cast<double>(wrong));
    CHECK(wrong > 10000);
    const auto in_floats = finished(context, nothing(), "microscope", {"numbers=float"});
    CHECK(signs_of(*in_floats, "float_signs") == floats);
    CHECK(values_of<double>(*in_floats, "pixel_x")[1] == 0.5 + 0x1p-24);
    CHECK(number_of(*in_floats, "wrong signs, double") + number_of(*in_floats, "lost signs, double") == 0);
}

TEST_CASE("microscope: an adjusted picture is that of a run which started so, and is taken back") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, nothing(), "microscope", {"width=64", "height=48"});
    timeline.run_to_end();
    const uint64_t before = timeline.lab().state_hash(), position = timeline.position();
    Edit edit{.kind = Edit::Kind::kAdjust, .values = {{"zoom_out", "4"}, {"step_x", "-30"}, {"sign_of", "in-circle"}}};
    timeline.edit(edit);
    CHECK(timeline.position() == position + 1);
    CHECK(timeline.lab().done());
    const auto fresh = finished(context, nothing(), "microscope",
                                {"width=64", "height=48", "zoom_out=4", "step_x=-30", "sign_of=in-circle"});
    CHECK(signs_of(timeline.lab()) == signs_of(*fresh));
    CHECK(signs_of(timeline.lab(), "double_signs") == signs_of(*fresh, "double_signs"));
    CHECK(facet<Checkable>(timeline.lab()).check().passed);
    const uint64_t after = timeline.lab().state_hash();
    CHECK(after != before);
    timeline.seek(position);
    CHECK(timeline.lab().state_hash() == before);
    timeline.seek(position + 1);
    CHECK(timeline.lab().state_hash() == after);
    edit.values = {{"b", "7"}};
    CHECK_NOTHROW(timeline.edit(edit));  // no input: indices have no meaning
    edit.values = {{"width", "99"}};
    CHECK_THROWS_AS(timeline.edit(edit), Error);
    edit.values = {{"coordinates", "typed"}, {"a_x", "1e-65"}};
    const uint64_t untouched = timeline.lab().state_hash();
    CHECK_THROWS_AS(timeline.edit(edit), Error);
    CHECK(timeline.lab().state_hash() == untouched);
}

TEST_CASE("microscope: what is told of a pixel is its numbers, the determinant in each arithmetic and its sign") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, nothing(), "microscope");
    const Inspectable& inspectable = facet<Inspectable>(*lab);
    const std::vector<int64_t> exact = signs_of(*lab), rounded = signs_of(*lab, "double_signs");
    uint32_t pixel = 0;
    while (exact[pixel] == rounded[pixel] || rounded[pixel] == 0) ++pixel;
    Probe probe;
    probe.place = {pixel % 256 + 0.3, pixel / 256 - 0.4};
    probe.part = 1;
    const Element element = inspectable.pick(probe);
    CHECK(element.kind == ElementKind::kPixel);
    CHECK(element.id == pixel);
    CHECK(element.part == 1);
    const Report report = inspectable.inspect(element);
    const double x = 0.5 + (pixel % 256) * 0x1p-53, y = 0.5 + (pixel / 256) * 0x1p-53;
    REQUIRE(report.find("c.x"));
    CHECK(report.find("c.x")->value.number() == x);
    CHECK(std::strtod(report.find("c.x")->why.c_str(), nullptr) == x);
    CHECK(contains(report.find("double")->why, "wrong"));
    CHECK(text_of(report.find("exact")->value) == std::string(sign_name(static_cast<int>(exact[pixel]))));
    CHECK(report.find("As doubles")->value.number() == orient2d_value({12, 12}, {24, 24}, {x, y}));
    // 12 (y - x), which has few digits here.
    CHECK(report.find("Exactly")->value.number() == 12 * (y - x));
    CHECK(report.highlights.size() == 3);
    probe.place = {-0.7, 3};
    CHECK(inspectable.pick(probe).id == kNone);
    CHECK(inspectable.inspect({ElementKind::kPixel, 256 * 256, 0}).empty());

    const auto circle = finished(context, nothing(), "microscope", {"sign_of=in-circle"});
    const Report told = facet<Inspectable>(*circle).inspect({ElementKind::kPixel, 5 * 256 + 9, 2});
    const Point d{0.5 + 9 * 0x1p-53, 0.5 + 5 * 0x1p-53};
    CHECK(told.find("Exactly")->value.number() == exact::incircle_rounded({0.5, -23.5}, {24.5, -23.5}, {24.5, 0.5}, d));
    CHECK(told.find("Determinant, as doubles")->value.number() ==
          incircle_value({0.5, -23.5}, {24.5, -23.5}, {24.5, 0.5}, d));
}

TEST_CASE("microscope: a pixel past the end of the line of numbers has no number and no sign") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = finished(context, nothing(), "microscope",
                              {"coordinates=typed", "c_x=0x1p200", "c_y=1", "a_x=0", "a_y=0", "b_x=0x1p200", "b_y=1",
                               "width=20", "height=20"});
    const std::vector<int64_t> signs = signs_of(*lab);
    CHECK(signs[10 * 20 + 10] == 0);
    CHECK(signs[10 * 20 + 11] == 2);
    CHECK(std::isnan(values_of<double>(*lab, "pixel_x")[11]));
    CHECK(number_of(*lab, "positive, exact") + number_of(*lab, "zero, exact") + number_of(*lab, "negative, exact") ==
          20 * 11);
    const Report report = facet<Inspectable>(*lab).inspect({ElementKind::kPixel, 10 * 20 + 11, 0});
    CHECK(text_of(report.find("Number")->value) == "none");
    CHECK(facet<Checkable>(*lab).check().passed);
}
