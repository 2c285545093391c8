// Points recorded by a run: their places at several times, with further data of each point. Made by labs (lab/facets.h)
// and written by io/xyz.h. For points from a file see Tracks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope {

/// Points over time. Their number, order and species may differ from frame to frame.
struct Trajectory {
    struct Frame {
        double time = 0;                // in the run's unit of time
        uint64_t step = 0;              // number of steps
        std::vector<Point> positions;   // (n) world units
        std::vector<uint32_t> species;  // (n) indices into Trajectory::species; empty: all points are of one kind
        std::vector<int64_t> ids;       // (n) unique; empty: point i has the id i
        std::vector<std::vector<double>> numbers;  // (c, n) one column for each of Trajectory::columns
    };

    std::vector<std::string> species;           // names, one word each: "green"; empty: one species
    std::vector<std::string> columns;           // names of further numbers, one word each: "orientation"
    Point low;                                  // of the periodic box: its lowest corner, world units
    Point box;                                  // its width and height; 0: none
    bool periodic_x = true, periodic_y = true;  // whether the box is periodic along each axis; otherwise it has walls
    std::vector<Frame> frames;                  // times ascending

    size_t frame_count() const { return frames.size(); }
};

}  // namespace flipscope
