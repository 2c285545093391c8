// How space is seen, and what a user gives a lab: points, perhaps with triangles over them. Used by everything; knows
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "flipscope/point.h"

namespace flipscope {

FLIPSCOPE_HD inline double dot(Point3 a, Point3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FLIPSCOPE_HD inline Point3 cross(Point3 a, Point3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A viewing direction without perspective: three orthogonal unit vectors. The default is the plane.
struct ViewAxes {
    Point3 right{1, 0, 0}, up{0, 1, 0}, toward{0, 0, 1};                                // `toward` points to the camera
    FLIPSCOPE_HD Point project(Point3 p) const { return {dot(p, right), dot(p, up)}; }  // world units
    FLIPSCOPE_HD double nearness(Point3 p) const { return dot(p, toward); }             // greater: nearer to the camera
    friend bool operator==(const ViewAxes& a, const ViewAxes& b) {
        return a.right == b.right && a.up == b.up && a.toward == b.toward;
    }
};

/// An attribute of the points of an input: a column of a table, a property of a mesh's vertices.
struct Attribute {
    std::string name;                          // from the file: "mass"
    std::vector<double> values;                // (n) in the order of the points; NaN: missing
    std::string unit = {};                     // "kg"; empty: unknown
    std::vector<std::string> categories = {};  // of a column of text, indexed by `values`; empty: numbers
};

/// A region of the plane from a file of geography.
struct Area {
    std::string name;                       // empty: none
    std::vector<std::vector<Point>> rings;  // the outer ring of each part and its holes, by the even-odd rule; open
};

struct FieldStack;  // geometry/frames.h
struct Tracks;
struct RecordedSteps;  // geometry/recording.h

/// The input of a lab, in its original order: points of the plane; a planar triangulation; or, with heights, a triangle
/// mesh in space. Also numbers on a lattice, points over time, or the steps of another program, whose last step is also
/// stored as points and triangles. Coordinates never change after reading.
struct Geometry {
    std::string name;                                     // source: "uniform:1000", "points.xy"
    std::vector<Point> points;                            // (n)
    std::vector<double> heights = {};                     // (n) z, world units; empty: in the plane
    std::vector<std::array<uint32_t, 3>> triangles = {};  // (t, 3) indices into points; empty: only points
    std::shared_ptr<const FieldStack> field = {};         // nullptr: none
    std::shared_ptr<const Tracks> tracks = {};            // nullptr: none
    std::shared_ptr<const RecordedSteps> recording = {};  // nullptr: none
    std::vector<std::string> names = {};                  // (n) names in the input; empty: none
    double level = 0;  // in the plane: z of all points, world units; used by writers only
    std::shared_ptr<const std::vector<Attribute>> attributes = {};  // nullptr: none; never empty
    std::string unit = {};                                          // of the coordinates: "nm"; empty: unknown
    std::vector<uint64_t> rows = {};  // (n) each point's row of the input, from 0; empty: point i is row i
    bool y_down = false;              // the file's y points down: negated by readers and writers
    Point box_low = {};               // the periodic box: its lowest corner, world units,
    Point box = {};                   // and its width and height; 0: not periodic along that axis
    Point box_lengths = {};           // the same along every axis, periodic or not; 0: unknown
    std::shared_ptr<const std::vector<Area>> areas = {};  // polygons of the file; nullptr: none
    std::vector<std::array<uint32_t, 2>> segments = {};   // (s, 2) indices into points: the file's constraint edges
    std::vector<Point> holes = {};                        // a point in each hole of the file

    bool in_space() const { return !heights.empty(); }
    bool has_nothing() const { return points.empty() && !field && !tracks && !recording; }
    Point3 at(size_t i) const { return {points[i].x, points[i].y, in_space() ? heights[i] : 0}; }
};

}  // namespace flipscope
