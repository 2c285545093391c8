// The failures found by a check: kind, sentence and place of each. check_mesh(), the inspection of broken input and the
// labs' checks make lists of them; reports, the window's list and files show them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "mesh/pick.h"

namespace flipscope {

struct CheckFailure {
    std::string code;               // "illegal-edge", "inverted-triangle", …: the kind of failure
    std::string sentence;           // "edge 12 (points 3 and 7) is illegal: …"
    std::vector<Element> elements;  // the failing elements, first the one named by the code; empty: no single element
    std::vector<int64_t> vertices;  // their corners, as indices in the input
    std::vector<Point3> places;  // corners of the elements one after the other (1 of a vertex or pixel, 2 of an edge,
                                 // 3 of a triangle), world units; without elements 1 to 3 places, or none
    double value = std::numeric_limits<double>::quiet_NaN();  // a measured value; NaN: none
    bool noted = false;                                       // harmless: listed, but not marked in the picture
};

/// Limits on listed failures, in total and per code, so that one kind leaves room for others.
/// CheckReport::failure_count is the true number.
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
