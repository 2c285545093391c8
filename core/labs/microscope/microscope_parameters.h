// The parameters of the Predicate microscope, as shown by the panel and the command line, and their meaning for an
// input: the points, the moving point, and the numbers of each view.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "geometry/point.h"
#include "geometry/predicate_map.h"
#include "lab/parameter_visitor.h"

namespace flipscope {

struct MicroscopeParameters {
    enum Coordinates { kInput, kTyped };
    enum Numbers { kDoubles, kFloats, kEach };
    enum Anchor { kAuto, kMiddle, kCorner };

    int predicate = 0;  // MapPredicate
    int coordinates = kInput;
    int index[4] = {0, 1, 2, 3};
    Point typed[4] = {{12, 12}, {24, 24}, {0.5, 0.5}, {12, 0.5}};
    int moves = 0;  // the last point, or 1 + index
    int numbers = kDoubles;
    int anchor = kAuto;
    int zoom_out = 0;
    int step_x = 0, step_y = 0;
    int width = 256, height = 256;
    int block_size = 128;
};

void visit_microscope_parameters(ParameterVisitor& visitor, MicroscopeParameters& parameters);

inline constexpr uint32_t kMicroscopeViews = 3;
inline constexpr const char* kMicroscopeViewNames[kMicroscopeViews] = {"float", "double", "exact"};

/// The initial state of a run.
struct MicroscopeStart {
    MovingPredicate of;
    std::array<NumberPatch, kMicroscopeViews> patches;
    std::array<int64_t, 4> indices{};  // of the points in the input; -1: typed, or of the example
    bool is_example = false;           // of Kettner et al.
    std::string message;               // a sentence, or empty
};

/// Throws Error for missing points and for coordinates outside the predicates' range. `input` may be null.
MicroscopeStart make_microscope_start(const MicroscopeParameters& parameters, const Geometry* input);

}  // namespace flipscope
