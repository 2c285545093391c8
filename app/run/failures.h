// Failures of a check as text: lines of comma-separated values, JSON, and the short forms of the window's list. Knows
// no lab, and of the window nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "mesh/checks.h"

namespace flipscope::app {

/// A heading, then a line each: code,element,id,part,x,y,z,value,vertices,sentence. The place is middle_of();
/// what there is none of stays empty. Doubles keep every bit.
std::string failures_csv(const FailureList& report);

/// [{"code", "sentence", "element": {"kind", "id", "part"} or null, "elements": […], "vertices", "place": [x, y, z] or
/// null, "places", "value" or null}, …]
nlohmann::ordered_json failures_json(const FailureList& report);

/// "edge 12", "edges 3, 8"; empty where it is no single element.
std::string elements_text(const CheckFailure& failure);
/// How many of its places, after those of the elements before, belong to an element (an index into `elements`); past
/// the last one: all.
size_t corners_of(const CheckFailure& failure, size_t element);
/// The middle of those of its elements that are of the first one's kind. False: it has no place.
bool middle_of(const CheckFailure& failure, Point3& middle);
/// "1 failure", "1,548 failures", "100,000 of 1,234,567 failures"; of a check that passed all the same "14 noted".
std::string count_of_failures(const FailureList& report);
const char* word_of(ElementKind kind);

}  // namespace flipscope::app
