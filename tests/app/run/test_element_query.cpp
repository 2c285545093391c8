// Named elements, for --inspect and the Find field.
#include <memory>
#include <string>

#include "app/run/element_query.h"
#include "compute/context.h"
#include "geometry/frames.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;

namespace {

using By = ElementQuery::By;

struct DeviceSlot {
    Context context{DeviceRequest::kCpu, 2};
    std::shared_ptr<Geometry> input = std::make_shared<Geometry>();
    std::unique_ptr<Lab> lab = make_lab("build");
    DeviceSlot() {
        input->name = "towns";
        input->points = {{0, 0}, {4, 0}, {4, 3}, {0, 3}, {1, 1}, {4, 3}, {3, 2}};
        input->names = {"Oslo", "Rome", "Bern", "Berlin", "Bergen", "Bern again", "paris"};
        lab->reset(context, input);
        lab->finish({});
    }
    Element find(const std::string& text) const {
        return find_element(parse_typed_element(text), *lab, lab->scene(), input.get(), "");
    }
    Point place(const Element& vertex) const { return lab->scene().mesh->positions.read(vertex.id); }
};

}  // namespace

TEST_CASE("element queries: typed text is an element, an index, a place or a name") {
    CHECK(parse_typed_element("edge:417").element.kind == ElementKind::kEdge);
    CHECK(parse_typed_element(" Edge:417 ").element.id == 417);
    CHECK(parse_typed_element("12").by == By::kPoint);
    CHECK(parse_typed_element("12").element.id == 12);
    for (const char* text : {"12.5, 3", "12.5 3", "12.5;3", "at:12.5,3", "  12.5 ,  3 "}) {
        INFO(text);
        const ElementQuery asked = parse_typed_element(text);
        CHECK(asked.by == By::kPlace);
        CHECK(asked.place == Point{12.5, 3});
    }
    CHECK(parse_typed_element("-1e3, 2e-4").place == Point{-1000, 0.0002});
    CHECK(parse_typed_element("Frankfurt: am Main").by == By::kName);
    CHECK(parse_typed_element("Frankfurt: am Main").name == "Frankfurt: am Main");
    CHECK(parse_typed_element("12 Apostles").by == By::kName);
    CHECK(parse_typed_element("name:12").name == "12");
    CHECK(error_of([] { parse_typed_element("  "); }).find("nothing to find") != std::string::npos);
    CHECK(error_of([] { parse_typed_element("edge:x"); }).find("no whole number") != std::string::npos);
    CHECK(error_of([] { parse_element("Berlin"); }).find("--inspect Berlin: there is no colon") == 0);
    CHECK(error_of([] { parse_element("at:1"); }).find("no place") != std::string::npos);
    CHECK(error_of([] { parse_element("name:"); }).find("no name") != std::string::npos);
}

TEST_CASE("element queries: points by index, duplicates by the first, and by name") {
    const DeviceSlot desk;
    for (uint32_t i = 0; i < 7; ++i) {
        const Element found = desk.find("point:" + std::to_string(i));
        CHECK(found.kind == ElementKind::kVertex);
        CHECK(desk.place(found) == desk.input->points[i]);
    }
    std::string merged = "not asked yet";
    for (const auto& [asked, told] : {std::pair{"point:5", "Point 5 lies where point 2 does: both are vertex "},
                                      {"Bern again", "Point 5 lies where point 2 does: both are vertex "},
                                      {"point:2", ""},
                                      {"vertex:0", ""}}) {
        CAPTURE(asked);
        const Element found =
            find_element(parse_typed_element(asked), *desk.lab, desk.lab->scene(), desk.input.get(), "", &merged);
        CHECK(merged == (*told ? told + std::to_string(found.id) + "." : std::string()));
    }
    CHECK(desk.place(desk.find("Rome")) == Point{4, 0});
    CHECK(desk.place(desk.find("rome")) == Point{4, 0});
    CHECK(desk.place(desk.find("PAR")) == Point{3, 2});
    CHECK(desk.place(desk.find("Bern")) == Point{4, 3});  // an exact match precedes beginnings
    CHECK(desk.place(desk.find("berg")) == Point{1, 1});
    CHECK(error_of([&] { desk.find("Ber"); }).find("several names begin so") != std::string::npos);
    CHECK(error_of([&] { desk.find("Madrid"); }).find("no point is called") != std::string::npos);
    CHECK(error_of([&] { desk.find("point:7"); }).find("go from 0 to 6") != std::string::npos);
    desk.input->names.clear();
    CHECK(error_of([&] { desk.find("Rome"); }).find("have no names") != std::string::npos);
}

TEST_CASE("element queries: a place finds a vertex, an edge or a triangle") {
    const DeviceSlot desk;
    CHECK(desk.find("1, 1").kind == ElementKind::kVertex);
    CHECK(desk.find("2, 0").kind == ElementKind::kEdge);
    CHECK(desk.find("0.5, 0.2").kind == ElementKind::kTriangle);
    CHECK(error_of([&] { desk.find("100, 100"); }).find("nothing lies there") != std::string::npos);
    CHECK(error_of([&] { desk.find("edge:999"); }).find("ids go from 0 to") != std::string::npos);
    CHECK(error_of([&] { desk.find("vertex:1@1"); }).find("there is one view") != std::string::npos);
}

TEST_CASE("element queries: a place on a lattice is in the unit of its pixels") {
    Context context(DeviceRequest::kCpu, 1);
    auto stack = std::make_shared<FieldStack>();
    stack->name = "film", stack->width = 40, stack->height = 30, stack->pixel = 0.5, stack->unit = "mm";
    for (uint32_t k = 0; k < 2 * 40 * 30; ++k)
        stack->values.push_back((k / 10) % 2 == 0 && (k / 400) % 2 == 0 ? 1.f : 0.f);
    const auto input = std::make_shared<Geometry>();
    input->unit = stack->unit;
    input->field = stack;
    const std::unique_ptr<Lab> lab = make_lab("events");
    lab->reset(context, input);
    lab->finish({});
    const Element found = find_element(parse_typed_element("12.5, 3"), *lab, lab->scene(), input.get(), "");
    CHECK(found.kind == ElementKind::kPixel);
    CHECK(found.id == 6 * 40 + 25);
}
