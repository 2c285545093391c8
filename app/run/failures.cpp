#include "app/run/failures.h"

#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/run/detections.h"
#include "app/run/report_json.h"
#include "app/run/table_files.h"
#include "compute/cancel.h"
#include "lab/parameters.h"

namespace flipscope::app {

const char* word_of(ElementKind kind) {
    static constexpr const char* kWords[] = {"vertex", "edge", "triangle", "pixel"};
    return kWords[static_cast<int>(kind)];
}

size_t corners_of(const CheckFailure& failure, size_t element) {
    if (element >= failure.elements.size()) return failure.places.size();
    static constexpr size_t kCorners[] = {1, 2, 3, 1};  // a pixel has one place
    return kCorners[static_cast<int>(failure.elements[element].kind)];
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

std::string count_of_failures(const FailureList& report) {
    const auto count = [](uint64_t n) { return number_text(static_cast<double>(n)); };
    const std::string listed =
        report.failure_count > report.failures.size() ? count(report.failures.size()) + " of " : std::string();
    return listed + count(report.failure_count) +
           (report.passed               ? " noted"
            : report.failure_count == 1 ? " failure"
                                        : " failures");
}

std::string failures_csv(const FailureList& report) {
    Table table;
    table.columns = {{"code", ""},         {"element", ""}, {"id", ""},       {"part", ""},
                     {"place", "", {}, 3}, {"value", ""},   {"vertices", ""}, {"sentence", ""}};
    table.row_count = report.failures.size();
    table.row = [&report](size_t i) {
        const CheckFailure& failure = report.failures.at(i);
        Value kind, id, part, place;
        if (!failure.elements.empty()) {
            const Element& first = failure.elements[0];
            kind = word_of(first.kind), id = first.id, part = first.part;
        }
        if (Point3 middle; middle_of(failure, middle)) place = middle;
        Table::Row row;  // cell by cell, as in detections_table()
        row.cells.emplace_back(failure.code);
        for (const Value& cell : {kind, id, part, place}) row.cells.push_back(cell);
        row.cells.push_back(std::isnan(failure.value) ? Value() : Value::exactly(failure.value));
        row.cells.emplace_back(std::vector<int64_t>(failure.vertices.begin(), failure.vertices.end()));
        row.cells.emplace_back(failure.sentence);
        return row;
    };
    return csv_of(table);
}

Json failures_json(const FailureList& report) {
    Json list = Json::array();
    for (const CheckFailure& failure : report.failures) {
        throw_if_cancelled();
        Json elements = Json::array(), places = Json::array();
        for (const Element& element : failure.elements) elements.push_back(json_of(element));
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
