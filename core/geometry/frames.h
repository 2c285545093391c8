// What a user may give beside points: numbers on a lattice (a picture, a density), one frame or several over time, and
// points that keep their names while they move. Readers make them, labs take them as part of a Geometry.
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
    std::vector<double> exact = {};  // (t, h, w) what `values` are rounded from; empty: nothing was lost
    /// `values` times this are whole numbers from 0 on, as the file has them: 255 of an 8-bit grey image, 1 of an array
    /// of integers; 0: they are no whole numbers, or colours.
    double whole = 0;
    bool labels = false;  // these look like labels: 0 is background, each other number a cell (label_image.h)
    double pixel = 0;     // how wide one is, by the resolution of the image, in `unit`; 0: it does not say
    std::string unit = {};
    size_t frame_count() const { return width && height ? values.size() / (size_t(width) * height) : 0; }
    const float* frame(size_t t) const { return values.data() + t * width * height; }
    const double* exact_frame(size_t t) const { return exact.empty() ? nullptr : exact.data() + t * width * height; }
    /// The whole number of pixel i of all frames; `whole` is not 0.
    double label(size_t i) const { return exact.empty() ? std::nearbyint(values[i] * whole) : exact[i]; }
};

/// Turns every frame upside down.
void flip_rows(FieldStack& stack);
/// Adds a frame, or several, of the same size; the name stays.
void append_frames(FieldStack& stack, FieldStack&& more);

/// Points over time. A point keeps its id from frame to frame; in some frames it may be missing.
struct Tracks {
    std::string name;                        // "foam.csv"
    std::vector<double> times;               // (t) ascending, in the unit of the file
    std::vector<size_t> starts;              // (t + 1) where each frame's points begin
    std::vector<int64_t> ids;                // ascending within a frame, no id twice
    std::vector<Point> places;               // as ids; world units
    Point box_low = {};                      // the periodic box that they move in: its lowest corner, world units,
    Point box = {};                          // and its width and height; 0: not periodic along that axis
    Point box_lengths = {};                  // the same along every axis, periodic or not; 0: unknown
    std::vector<Attribute> attributes = {};  // (n) in the order of places
    std::string unit = {}, time_unit = {};   // "µm", "s"; empty: unknown
    bool y_down = false;                     // as in Geometry
    size_t frame_count() const { return times.size(); }
};

}  // namespace flipscope
