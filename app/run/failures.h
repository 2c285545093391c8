// Check failures as CSV, JSON and short texts for the window's list. Independent of labs and the window.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "mesh/checks.h"

namespace flipscope::app {

/// A heading and a line per failure: code,element,id,part,x,y,z,value,vertices,sentence. The place is middle_of();
/// missing values are empty. Doubles keep every bit.
std::string failures_csv(const FailureList& report);

/// [{"code", "sentence", "element": {"kind", "id", "part"} or null, "elements": […], "vertices", "place": [x, y, z] or
/// null, "places", "value" or null}, …]
nlohmann::ordered_json failures_json(const FailureList& report);

/// "edge 12", "edges 3, 8"; empty if it has no element.
std::string elements_text(const CheckFailure& failure);
/// The number of places of an element (an index into `elements`), after those of the earlier elements; past the last
/// index: all.
size_t corners_of(const CheckFailure& failure, size_t element);
/// The middle of the elements of the first one's kind. False: it has no place.
bool middle_of(const CheckFailure& failure, Point3& middle);
/// "1 failure", "1,548 failures", "100,000 of 1,234,567 failures"; for a passed check "14 noted".
std::string count_of_failures(const FailureList& report);
const char* word_of(ElementKind kind);

}  // namespace flipscope::app
