// The failures found by a check: kind, sentence and place of each. check_mesh(), the inspection of broken input and the
// labs' checks make lists of them; reports, the window's list and files show them.
#pragma once

#include <cstdint>
#include <string>

#include "flipscope/judge.h"

namespace flipscope {

/// So many are listed, and so many of one code, so that one kind of fault leaves room for the others;
/// FailureList::failure_count says how many there are.
inline constexpr size_t kMostFailures = 100'000, kMostOfOneCode = 20'000;

/// One failing element, as written by a kernel.
struct FailureRecord {
    uint32_t id;         // of the element
    uint32_t corners;    // how many of `inputs` are corners of the element; the rest are apexes opposite to an edge
    uint32_t inputs[4];  // indices in the input; kNone: none, or the vertex at infinity
    Point3 places[3];    // of the corners, world units
    double value;
    uint32_t detail;  // defined by the test
};

/// "edge 12 (points 3 and 7)", without a vertex at infinity.
std::string name_of(const FailureRecord& record, ElementKind kind);

}  // namespace flipscope
