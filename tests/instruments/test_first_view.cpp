// The scene before the first pass: the image, the field or the points that a lab starts from.
#include "delaunay/runs.h"
#include "geometry/frames.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

std::shared_ptr<Geometry> image_of(uint32_t width, uint32_t height) {
    auto field = std::make_shared<FieldStack>();
    field->name = "image";
    field->width = width;
    field->height = height;
    for (uint32_t i = 0; i < width * height; ++i) field->values.push_back(float(i % width) / float(width - 1));
    auto geometry = std::make_shared<Geometry>();
    geometry->field = field;
    return geometry;
}

const Layer* shown_layer(const Scene& scene, const char* id) {
    const Layer* layer = scene.layer(id);
    return layer && layer->shown && !layer->empty() ? layer : nullptr;
}

}  // namespace

TEST_CASE("first view: the Voronoi lab shows the image that it starts from, until cells take its place") {
    Context context(DeviceRequest::kCpu);
    const std::unique_ptr<Lab> lab = make_lab("voronoi");
    set_parameter(*lab, "count", "30");
    lab->reset(context, image_of(48, 40));
    const Scene first = lab->scene();
    const Layer* field = shown_layer(first, "field");
    REQUIRE(field);
    CHECK(field->has_scale());
    const std::vector<float> shades = std::get<LatticeLayer>(field->shape).field->download();
    CHECK(shades.size() == 48 * 40);
    CHECK(shades[0] < 0.01f);
    CHECK(shades[47] > 0.99f);
    const Scene start = lab->scene();
    const Layer* points = shown_layer(start, "points");  // where the sites will be
    REQUIRE(points);
    CHECK(points->role == Role::kWaiting);
    CHECK(std::get<PointsLayer>(points->shape).count == 30);
    const uint64_t hash = lab->state_hash();
    lab->reset(context, image_of(48, 40));
    CHECK(lab->state_hash() == hash);
    while (!lab->done()) {
        const StepResult result = lab->step();
        const bool coloured = lab->info().passes[result.pass].name == "colour";
        if (!coloured) continue;
        CHECK_FALSE(shown_layer(lab->scene(), "field"));
        CHECK(shown_layer(lab->scene(), "cells"));
        CHECK(lab->scene().layer("field"));  // to be shown by hand
        break;
    }
}

TEST_CASE("first view: a density that is not even is shown dark where it draws centres; an even one is not") {
    Context context(DeviceRequest::kCpu);
    const std::unique_ptr<Lab> lab = make_lab("voronoi");
    for (const char* value : {"30", "48"}) set_parameter(*lab, value[0] == '3' ? "count" : "width", value);
    set_parameter(*lab, "height", "40");
    set_parameter(*lab, "density", "ramp");
    lab->reset(context, std::make_shared<Geometry>());
    const Scene first = lab->scene();
    const Layer* field = shown_layer(first, "field");
    REQUIRE(field);
    const std::vector<float> values = std::get<LatticeLayer>(field->shape).field->download();
    REQUIRE(values.size() == 48 * 40);
    CHECK(values[0] > values[47]);
    set_parameter(*lab, "density", "uniform");
    lab->reset(context, std::make_shared<Geometry>());
    CHECK_FALSE(lab->scene().layer("field"));
}

TEST_CASE("first view: the Events lab shows its field, or the centres that it is given, before the first pass") {
    Context context(DeviceRequest::kCpu);
    const std::unique_ptr<Lab> lab = started(context, std::make_shared<Geometry>(), "events");
    CHECK(shown_layer(lab->scene(), "field"));
    lab->step();
    CHECK_FALSE(shown_layer(lab->scene(), "field"));
    CHECK(shown_layer(lab->scene(), "cells"));
    auto tracks = std::make_shared<Tracks>();
    tracks->name = "tracks";
    for (int64_t frame = 0; frame < 3; ++frame) {
        tracks->times.push_back(double(frame));
        tracks->starts.push_back(tracks->ids.size());
        for (int64_t id = 0; id < 20; ++id) {
            tracks->ids.push_back(id);
            tracks->places.push_back({double(id % 5) + 0.1 * double(frame), double(id / 5) + 0.05 * double(id % 3)});
        }
    }
    tracks->starts.push_back(tracks->ids.size());
    const auto given = std::make_shared<Geometry>();
    given->tracks = tracks;
    lab->reset(context, given);
    CHECK_FALSE(shown_layer(lab->scene(), "field"));
    const Scene scene = lab->scene();
    const Layer* points = shown_layer(scene, "points");
    REQUIRE(points);
    CHECK(std::get<PointsLayer>(points->shape).count == 20);
    while (lab->scene().layer("links")->empty() && !lab->done()) lab->step();
    CHECK(std::get<PointsLayer>(lab->scene().layer("points")->shape).places !=
          std::get<PointsLayer>(points->shape).places);
}
