#include "app/failures.h"

#include <algorithm>
#include <cmath>

#include "app/findings.h"
#include "app/number_text.h"
#include "compute/cancel.h"
#include "geometry/places.h"
#include "labs/parameters.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

Json element_json(const Element& element) {
    return {{"kind", word_of(element.kind)}, {"id", element.id}, {"part", element.part}};
}

}  // namespace

const char* word_of(ElementKind kind) {
    static constexpr const char* kWords[] = {"vertex", "edge", "triangle", "pixel"};
    return kWords[static_cast<int>(kind)];
}

size_t corners_of(const CheckFailure& failure, size_t element) {
    if (element >= failure.elements.size()) return failure.places.size();
    switch (failure.elements[element].kind) {
        case ElementKind::kEdge:
            return 2;
        case ElementKind::kTriangle:
            return 3;
        case ElementKind::kVertex:
        case ElementKind::kSite:
            break;
    }
    return 1;
}

bool middle_of(const CheckFailure& failure, Point3& middle) {
    middle = {};
    double count = 0;
    for (size_t element = 0, at = 0; at < failure.places.size(); ++element) {
        const size_t end = std::min(at + corners_of(failure, element), failure.places.size());
        const bool alike =
            element >= failure.elements.size() || failure.elements[element].kind == failure.elements[0].kind;
        for (; at < end; ++at)
            if (alike) middle = middle + failure.places[at], ++count;
    }
    if (count == 0) return false;
    middle = (1 / count) * middle;
    return true;
}

std::string elements_text(const CheckFailure& failure) {
    if (failure.elements.empty()) return {};
    const ElementKind kind = failure.elements[0].kind;
    std::vector<std::string> ids;
    for (const Element& element : failure.elements)
        if (element.kind == kind) ids.push_back(std::to_string(element.id));
    const std::string many = kind == ElementKind::kVertex ? "vertices" : std::string(word_of(kind)) + "s";
    return (ids.size() == 1 ? word_of(kind) : many) + " " + join_words(ids, ", ");
}

std::string count_of_failures(const CheckReport& report) {
    const auto count = [](uint64_t n) { return number_text(static_cast<double>(n)); };
    const std::string listed =
        report.failure_count > report.failures.size() ? count(report.failures.size()) + " of " : std::string();
    return listed + count(report.failure_count) + (report.failure_count == 1 ? " failure" : " failures");
}

std::string failures_csv(const CheckReport& report) {
    std::string text = "code,element,id,part,x,y,z,value,vertices,sentence\n";
    for (const CheckFailure& failure : report.failures) {
        throw_if_cancelled();
        text += csv_field(failure.code) + ",";
        if (failure.elements.empty())
            text += ",,,";
        else
            text += std::string(word_of(failure.elements[0].kind)) + "," + std::to_string(failure.elements[0].id) +
                    "," + std::to_string(failure.elements[0].part) + ",";
        Point3 middle;
        text += middle_of(failure, middle)
                    ? format_exactly(middle.x) + "," + format_exactly(middle.y) + "," + format_exactly(middle.z) + ","
                    : ",,,";
        text += (std::isnan(failure.value) ? std::string() : format_exactly(failure.value)) + ",";
        for (size_t i = 0; i < failure.vertices.size(); ++i)
            text += (i > 0 ? " " : "") + std::to_string(failure.vertices[i]);
        text += "," + csv_field(failure.sentence) + "\n";
    }
    return text;
}

Json failures_json(const CheckReport& report) {
    Json list = Json::array();
    for (const CheckFailure& failure : report.failures) {
        throw_if_cancelled();
        Json elements = Json::array(), places = Json::array();
        for (const Element& element : failure.elements) elements.push_back(element_json(element));
        for (const Point3& place : failure.places) places.push_back({place.x, place.y, place.z});
        Point3 middle;
        const bool placed = middle_of(failure, middle);
        list.push_back({{"code", failure.code},
                        {"sentence", failure.sentence},
                        {"element", elements.empty() ? Json() : elements[0]},
                        {"elements", elements},
                        {"vertices", failure.vertices},
                        {"place", placed ? Json({middle.x, middle.y, middle.z}) : Json()},
                        {"places", places},
                        {"value", std::isfinite(failure.value) ? Json(failure.value) : Json()}});
    }
    return list;
}

}  // namespace flipscope::app
