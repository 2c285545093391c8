#include "mesh/illegal_reason.h"

namespace flipscope {

std::string sentence_of(IllegalReason reason, uint32_t left, uint32_t right) {
    const std::string at_left = "point " + std::to_string(left), at_right = "point " + std::to_string(right);
    switch (reason) {
        case IllegalReason::kInside:
            break;
        case IllegalReason::kTie:
            return "it lies on one circle with " + at_left + " and " + at_right +
                   ", and perturbation ranks choose the other diagonal";
        case IllegalReason::kNoCircle:
            return "a triangle at it is flat or inverted, and the sign of the in-circle determinant decides";
        case IllegalReason::kFlatAtHull:
            return "it is the long side of a flat triangle on the hull";
    }
    return at_right + " lies inside the circumcircle of the triangle with " + at_left;
}

}  // namespace flipscope
