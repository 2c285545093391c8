// The values of the predicates' determinants: in floats, in doubles with their error bound, and exactly. For reports
// and tests on the host; slow, and not used by algorithms. Its integers are independent of exact.h, so that tests can
// compare them.
#pragma once

#include <string>

#include "geometry/point.h"

namespace flipscope {

struct ExactValue {
    int sign = 0;            // -1, 0 or 1
    double rounded = 0;      // to the nearest double, ties to even
    std::string text = "0";  // "-3 / 2^54", "12", "5 · 2^90"; of many digits "an odd integer of 212 bits / 2^310"
};

struct DeterminantValues {
    float single = 0;    // the same formula in floats, of coordinates rounded to floats
    double rounded = 0;  // in doubles, as the predicates' filter has it
    double error = 0;    // error bound of `rounded`, whose sign is certain if |rounded| exceeds it
    ExactValue exact;
};

/// (a - c) × (b - c), world units squared. Coordinates must be finite.
DeterminantValues orient2d_values(Point a, Point b, Point c);
/// The in-circle determinant, world units to the fourth power; its sign as that of incircle(). Coordinates must be
/// finite.
DeterminantValues incircle_values(Point a, Point b, Point c, Point d);

/// "0x1.8p+3"
std::string hex_text(double value);
/// The shortest digits that identify the float.
std::string float_text(float value);

}  // namespace flipscope
