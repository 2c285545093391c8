// What a check found wrong, one by one: the kind of fault, a sentence, where it is. check_mesh(), the inspection of
// broken input and the labs' own checks fill in lists of these; reports, the window's list and files read them. Knows
// no lab and draws nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "geometry/point.h"
#include "mesh/pick.h"

namespace flipscope {

struct CheckFailure {
    std::string code;               // "illegal-edge", "inverted-triangle", …: the same for every failure of the kind
    std::string sentence;           // "edge 12 (points 3 and 7) is illegal: …"
    std::vector<Element> elements;  // at fault, the one that the code speaks of first; empty: it is no single element
    std::vector<int64_t> vertices;  // their corners, as indices in the input
    std::vector<Point3> places;  // corners of the elements one after the other (1 of a vertex or pixel, 2 of an edge,
                                 // 3 of a triangle), world units; without elements 1 to 3 places, or none
    double value = std::numeric_limits<double>::quiet_NaN();  // what was measured; NaN: nothing
    bool noted = false;  // it spoils nothing: listed, and not marked in the picture
};

/// So many are listed, and so many of one code, so that one kind of fault leaves room for the others;
/// CheckReport::failure_count says how many there are.
inline constexpr size_t kMostFailures = 100'000, kMostOfOneCode = 20'000;

/// One failing element, as a kernel tells of it.
struct FailureRecord {
    uint32_t id;         // of the element
    uint32_t corners;    // how many of `inputs` are its own; the rest are the apexes opposite to an edge
    uint32_t inputs[4];  // indices in the input; kNone: none, or the vertex at infinity
    Point3 places[3];    // of the corners, world units
    double value;
    uint32_t detail;  // as the test says
};

/// "edge 12 (points 3 and 7)"; what lies at infinity is left out.
std::string name_of(const FailureRecord& record, ElementKind kind);

}  // namespace flipscope
