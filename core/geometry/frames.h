// Input other than points: numbers on a lattice (a picture, a density), one frame or several over time, and moving
// points with permanent ids. Made by readers, and part of a Geometry.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Pictures of numbers, all of one size.
struct FieldStack {
    std::string name;                // "foam.npy"
    uint32_t width = 0, height = 0;  // pixels
    std::vector<float> values;  // (t, h, w), finite; of an image: 0 black … 1 white. Row 0 is at y = 0, the bottom
    std::vector<double> exact = {};  // (t, h, w) before rounding to `values`; empty: `values` are exact
    /// `values` times this are the file's nonnegative integers: 255 for an 8-bit grey image, 1 for an array of
    /// integers; 0: not integers, or colours.
    double whole = 0;
    bool labels = false;  // detected labels: 0 is background, each other number a cell (label_image.h)
    double pixel = 0;     // width of a pixel in `unit`, by the resolution of the image; 0: unknown
    std::string unit = {};
    double interval = 0;  // from one frame to the next, s; 0: unknown
    size_t frame_count() const { return width && height ? values.size() / (size_t(width) * height) : 0; }
    const float* frame(size_t t) const { return values.data() + t * width * height; }
    const double* exact_frame(size_t t) const { return exact.empty() ? nullptr : exact.data() + t * width * height; }
    /// The integer of pixel i of all frames; requires `whole` != 0.
    double label(size_t i) const { return exact.empty() ? std::nearbyint(values[i] * whole) : exact[i]; }
};

/// Turns every frame upside down.
void flip_rows(FieldStack& stack);
/// Appends frames of the same size; keeps the name.
void append_frames(FieldStack& stack, FieldStack&& more);

/// Points over time. A point keeps its id from frame to frame; in some frames it may be missing.
struct Tracks {
    std::string name;                        // "foam.csv"
    std::vector<double> times;               // (t) ascending, in the unit of the file
    std::vector<size_t> starts;              // (t + 1) the first point of each frame
    std::vector<int64_t> ids;                // ascending within a frame, unique
    std::vector<Point> places;               // as ids; world units
    Point box_low = {};                      // the periodic box: its lowest corner, world units,
    Point box = {};                          // and its width and height; 0: not periodic along that axis
    Point box_lengths = {};                  // the same along every axis, periodic or not; 0: unknown
    std::vector<Attribute> attributes = {};  // (n) in the order of places
    std::string unit = {}, time_unit = {};   // "µm", "s"; empty: unknown
    bool y_down = false;                     // as in Geometry
    size_t frame_count() const { return times.size(); }
};

}  // namespace flipscope
