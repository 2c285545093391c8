// Label images in the Events lab: each number is a cell, even if cells touch; over time, with permanent labels and
// labels that change.
#include <array>

#include "events/inputs.h"

using namespace flipscope;

namespace {

/// Frames of labels; where nothing is said, they are known to be such.
Input label_film(uint32_t width, uint32_t height, const std::vector<std::vector<double>>& frames, bool known = true,
                 double pixel = 0) {
    auto stack = std::make_shared<FieldStack>();
    stack->name = "cells.tif";
    stack->width = width;
    stack->height = height;
    for (const auto& frame : frames)
        for (const double value : frame) stack->values.push_back(static_cast<float>(value));
    stack->whole = 1;
    stack->labels = known;
    stack->pixel = pixel;
    stack->unit = pixel > 0 ? "µm" : "";
    return recorded(stack);
}

/// Four cells, the first two below and above each other, the others left and right: `tall`: the first two touch, else
/// the others.
std::vector<double> four(bool tall, const std::array<double, 4>& names) {
    std::vector<double> pixels;
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 30; ++x) {
            const int dx = x - 15, dy = y - 15;
            const bool below_or_above = tall ? std::abs(dx) < 4 : std::abs(dy) > 3;
            const bool border = x < 3 || y < 3 || x > 26 || y > 26;
            pixels.push_back(border           ? 0
                             : below_or_above ? (dy < 0 ? names[0] : names[1])
                                              : (dx < 0 ? names[2] : names[3]));
        }
    return pixels;
}

}  // namespace

TEST_CASE("label frames: where the image says how wide a pixel is, places are in that unit") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<double> labels{0, 0, 7, 7, 3, 3, 0, 9, 0, 0, 7, 7, 3, 3, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0};
    const auto lab = finished(context, label_film(8, 3, {labels}, true, 0.25), "events", {"graph=labels"});
    CHECK(values_of<Point>(*lab, "sites") == std::vector<Point>{{1.125, 0.125}, {0.625, 0.125}, {0.875, 0.25}});
    CHECK(facet<Detector>(*lab).detection_units().length == "µm");
    CHECK(lab->state_hash() == finished(context, label_film(8, 3, {labels}), "events", {"graph=labels"})->state_hash());
}

TEST_CASE("label frames: every label is a bubble, those that touch and those in pieces; the labels are its name") {
    Context context(DeviceRequest::kCpu, 2);
    //  0 0 7 7 3 3 0 9      from the bottom
    const Input input = label_film(8, 3, {{0, 0, 7, 7, 3, 3, 0, 9, 0, 0, 7, 7, 3, 3, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}});
    for (const char* graph : {"graph=lattice", "graph=delaunay", "graph=labels"}) {
        CAPTURE(graph);
        const auto lab = finished(context, input, "events", {graph});
        CHECK(lab->result().points == 3);
        CHECK(values_of<int64_t>(*lab, "names") == std::vector<int64_t>{3, 7, 9});
        CHECK(values_of<int64_t>(*lab, "contacts") == std::vector<int64_t>{3, 7, 2});
        const auto sites = values_of<Point>(*lab, "sites");
        CHECK(sites == std::vector<Point>{{4.5, 0.5}, {2.5, 0.5}, {3.5, 1}});
        check_passes(*lab);
        CHECK(stepped(context, input, "events", {graph})->state_hash() == lab->state_hash());
    }
    CHECK(values_of<uint32_t>(*finished(context, input, "events", {"graph=labels"}), "links") ==
          std::vector<uint32_t>{0, 1});
    CHECK(has(messages_of(context, input, {}), "is a cell: 3 labels from 3 to 9; 1 pair touches"));
    // The same numbers as brightness: 7 and 3 are one bubble, and 9 is two.
    for (const Settings& settings :
         {Settings{"field=threshold", "auto_threshold=off", "threshold=1"}, {"auto_threshold=off", "threshold=1"}})
        CHECK(values_of<int64_t>(*finished(context, input, "events", settings), "names") ==
              std::vector<int64_t>{0, 1, 2});
}

TEST_CASE("label frames: contacts of labels that change are events, by the labels' names where these last") {
    Context context(DeviceRequest::kCpu, 2);
    const std::array<double, 4> names{2, 5, 70000, 16777217 - 1};
    const Input input = label_film(30, 30, {four(true, names), four(false, names)});
    const auto lab = finished(context, input, "events", {"graph=labels"});
    CHECK(facet<Checkable>(*lab).check().passed);
    const auto changes = values_of<int64_t>(*lab, "changes");
    CHECK(changes == std::vector<int64_t>{0, 1, 2, 5, 0, 0, 70000, 16777216});
    // Numbered anew in every frame: by place.
    const Input renumbered = label_film(30, 30, {four(true, {1, 2, 3, 4}), four(false, {4, 3, 1, 2})});
    const auto by_place = finished(context, renumbered, "events", {"graph=labels"});
    CHECK(values_of<int64_t>(*by_place, "changes").size() == 8);
    CHECK(by_place->result().points == 4);
    CHECK(has(messages_of(context, renumbered, {}), "so cells are matched by place"));
    CHECK(!has(messages_of(context, input, {}), "matched by place"));
    CHECK(stepped(context, renumbered, "events", {"graph=labels"})->state_hash() == by_place->state_hash());
}

TEST_CASE("label frames: what is asked for and cannot be is refused with a sentence; empty frames go on") {
    Context context(DeviceRequest::kCpu, 1);
    const Input shades = film(20, 20, {{{5, 5}, {15, 15}}});
    CHECK_THROWS_WITH_AS(finished(context, shades, "events", {"field=labels"}),
                         doctest::Contains("labels are whole numbers from 0 on"), Error);
    CHECK_THROWS_WITH_AS(finished(context, shades, "events", {"graph=labels"}),
                         doctest::Contains("graph=labels needs a label image"), Error);
    const std::vector<double> empty(24, 0), one{0, 4, 4, 0, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (const char* graph : {"graph=lattice", "graph=labels"})
        for (const char* borders :
             {"frame_borders=open", "frame_borders=periodic", "frame_borders=periodic_x", "frame_borders=periodic_y"}) {
            const Input input = label_film(8, 3, {empty, one, empty}, false);
            const auto lab = finished(context, input, "events", {"field=labels", graph, borders});
            CHECK(facet<Checkable>(*lab).check().passed);
            CHECK(stepped(context, input, "events", {"field=labels", graph, borders})->state_hash() ==
                  lab->state_hash());
        }
    CHECK(has(messages_of(context, label_film(8, 3, {empty}, false), {"field=labels"}), "no labels in this frame"));
}
