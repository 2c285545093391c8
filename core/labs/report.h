// What a lab tells in words and numbers: properties of an element, diagrams, distributions, curves, detections, arrays
// and the result of a run. The panels, JSON, CSV and the command line write these and compute nothing themselves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compute/array.h"
#include "compute/view.h"
#include "geometry/point.h"
#include "labs/scene.h"
#include "voronoi/lattice.h"

namespace flipscope {

struct Fact {
    std::string name, value;  // value with its unit
    std::string why;          // or empty
};

/// A small drawing beside the picture: a site and those around it, the four cells of an event before and after.
struct Sketch {
    struct Shape {
        enum class Kind { kPolygon, kLine, kPoint } kind = Kind::kPolygon;
        std::vector<Point> corners;  // of a line two or more, of a point one
        Role role = Role::kPlain;
        uint32_t name = kNone;  // of a polygon: tinted as the cell of this name is in the picture
        std::string text;       // beside a point, in the middle of a polygon; mostly empty
    };
    std::string title, sentence;
    Point low, high;  // what to show of the plane
    std::vector<Shape> shapes;
};

/// How many elements have a value in each of equal bins, to begin with and now.
struct Histogram {
    std::string name, sentence, unit;   // "minimum angles", …, "°"
    double low = 0, high = 0;           // of all bins together
    std::vector<uint64_t> before, now;  // `before` may be empty; where both are different things, see `names`
    bool logarithmic = false;           // to be seen on a logarithmic axis, at first
    bool rose = false;                  // bins are directions from 0 to 180°, to be drawn around a centre
    std::string before_name = "before", now_name = "now";
    std::string counted = {};  // what `before` and `now` count where it is no number of elements: "thousandths of …"
    // What it and its two series were called in the release before; still understood by --curve. Or empty.
    std::string former = {}, former_before_name = {}, former_now_name = {};
};

/// One quantity over another at this moment, such as a velocity profile: a line, to be laid over those of other runs.
struct Curve {
    std::string name, sentence;           // "flow across the channel", and what it is
    std::string label;                    // what tells this run's from another's, for a legend: "φ = 0.43"; or empty
    std::string x_name, y_name;           // of the axes, with their units
    double low = 0, high = 0;             // of the x axis; equal: as far as x goes
    std::vector<double> x, y;             // equally many, x ascending
    bool logarithmic = false;             // y is to be seen on a logarithmic axis, at first
    std::string remark = {};              // what should be known of this one: over which time it is a mean; or empty
    std::optional<bool> stationary = {};  // of means over time: whether they no longer change, as the remark explains
    std::string former = {};              // what it was called in the release before, and is still understood; or empty
};

/// Something that happened, to be listed, clicked through and saved: a plastic event.
struct Finding {
    double time = 0;                               // in the unit of the input, or steps of the source
    std::string kind;                              // "T1", "boundary"
    Point place;                                   // world units
    std::vector<int64_t> vertices;                 // whom it happened to, by the names that stay the same over time
    std::vector<std::array<int64_t, 2>> breaking;  // pairs of these that were linked, and are no more
    std::vector<std::array<int64_t, 2>> arising;   // pairs that were not linked, and are now
    uint64_t round = 0;                            // StepResult::round that found it
    std::optional<Point> given = {};               // the place in the units of the input, where those are others
    std::vector<double> measures = {};             // as LabInfo::finding_measures, or empty; NaN: not of its kind
};

/// An array that can be saved.
struct ArrayInfo {
    std::string name;         // "colours": --export colours.npy
    std::string sentence;     // what it holds, with its shape
    std::string former = {};  // what it was called in the release before, and is still understood; or empty
};

/// What came of it, for people and for JSON.
struct Result {
    uint64_t points = 0;           // as given
    uint64_t waiting = 0;          // not inserted: not finished, or stopped
    uint64_t duplicates = 0;       // of these, equal to an earlier one and merged with it
    uint64_t unused = 0;           // of these, vertices of a given mesh that none of its triangles names
    uint64_t triangles = 0;        // finite, none with a helper vertex
    uint64_t edges = 0;            //
    uint64_t hull_edges = 0;       // on the outline of the finite triangles
    uint64_t ghost_edges = 0;      // of a triangulation: edges to the vertex at infinity
    uint64_t lost_hull_edges = 0;  // edges of the convex hull that a finite supertriangle lost
    uint64_t triangulation_hash = 0;
    struct Number {
        std::string name, unit;  // "cells", or empty
        double value = 0;
        std::string former = {};  // what it was called in the release before; or empty
    };
    std::vector<Number> numbers;  // what else there is to tell, of labs that make more than a triangulation
    struct OnLattice {
        uint32_t width = 0, height = 0;
        bool periodic = false;
        LatticeUnits units;
    };
    std::optional<OnLattice> lattice;  // of labs that see their input on a lattice, in other units than its own
};

}  // namespace flipscope
