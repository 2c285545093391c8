// What every lab is to the rest of the program: a machine of named passes. The window, the command line, the tests and
// the benchmark all drive this interface and nothing else, so a new algorithm needs no line in any of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compute/context.h"
#include "compute/pass.h"
#include "compute/snapshot.h"
#include "geometry/point.h"
#include "mesh/checks.h"
#include "mesh/pick.h"
#include "mesh/soup.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

struct PassInfo {
    std::string name;      // "bid"; also the prefix of its kernels' labels
    std::string sentence;  // what it does, for the class
};

struct CounterInfo {
    std::string name;       // "inserted"
    std::string sentence;   // what it counts, in one pass
    bool standing = false;  // how things stand after the pass ("still waiting"), so that sums over passes mean nothing
    bool first_choice = false;  // what plots show before anybody chooses; of two, the second beside the first
};

/// A number that is no count: taken where it is cheap enough, for the eye and the report.
struct MeasureInfo {
    std::string name;      // "harmonic index"
    std::string sentence;  // what it is, and what it tells
    std::string unit;      // or empty
};

/// What is told of a parameter that changes nothing at present, or that something else comes of than it says.
struct Decided {
    std::string why;       // a sentence; empty: the parameter counts as it stands
    std::string value;     // what holds in its place; empty: nothing does
    bool in_part = false;  // it counts, but what comes of it is `value`
    explicit operator bool() const { return !why.empty(); }
};
/// Whether the input, or another parameter, decides of the one called `name`. `value_of`: the parameters' values, by
/// name. `width`, `height`: of the present lattice, or 0.
using DecidedBy = Decided (*)(const std::string& name, const Geometry& input,
                              const std::function<std::string(const std::string&)>& value_of, uint32_t width,
                              uint32_t height);

struct AlgorithmInfo {
    std::string id;        // "build": what `flipscope run` calls it
    std::string title;     // "Build lab"
    std::string sentence;  // what it is
    std::string paper;     // where it comes from, and what we changed
    std::vector<PassInfo> passes;
    std::vector<CounterInfo> counters;
    std::vector<MeasureInfo> measures = {};
    bool takes_surfaces = false;           // triangle meshes in space, too; all labs take points of the plane
    const char* example = "uniform:1000";  // what to start it on when nothing is given
    bool takes_meshes = false;             // starts from the triangles of its input, not from its points alone
    bool takes_fields = false;             // numbers on a lattice mean something to it: images, stacks
    bool takes_tracks = false;             // so do points over time
    bool needs_points = true;              // false: it can start with nothing given at all
    bool makes_triangles = true;           // false: cells, a graph: soup() is empty, and Result::numbers tell of it
    std::string finds = {};                // what its findings() are, one of them: "event"; empty: it has none
    bool finds_changes = true;             // its findings tell of links that break and arise
    std::vector<MeasureInfo> finding_measures = {};  // numbers that each of its findings has
    DecidedBy decided = nullptr;                     // none: every parameter always counts
    std::string notable = {};  // when StepResult::notable is set: "differences are found"; empty: never
};

/// What one step of a lab did: `pass` is an index into AlgorithmInfo::passes, `counters` are AlgorithmInfo::counters.
struct StepResult : PassResult {
    StepResult() = default;
    StepResult(PassResult result) : PassResult(std::move(result)) {}

    std::vector<double> measures;  // as AlgorithmInfo::measures, or empty; NaN: not taken in this pass
    std::string message;           // for the messages panel; mostly empty
    bool notable = false;          // something happened that one may want to stop at
};

/// What a hand does to a lab.
struct Edit {
    enum class Kind { kMoveVertex, kFlipEdge, kAddVertex, kRemoveVertex, kPaint, kWipe } kind = Kind::kMoveVertex;
    uint32_t id = kNone;  // of the vertex or the edge
    uint32_t part = 0;    // as Element::part
    Point3 place;         // where the vertex is to go, or the brush is, world units; z has no meaning in the plane
    double radius = 0;    // of the brush, world units
    std::vector<Point> path = {};  // where the brush goes on to from there, in straight lines, world units
    /// More of the stroke that edit() was told of last: the state becomes what the whole stroke makes of the one before
    /// it, as one step. Only where nothing else has been asked of the lab since.
    bool goes_on = false;
};

/// How many elements have a value in each of equal bins, to begin with and now.
struct Histogram {
    std::string name, sentence, unit;   // "smallest angles", …, "°"
    double low = 0, high = 0;           // of all bins together
    std::vector<uint64_t> before, now;  // `before` may be empty; where both are different things, see `names`
    bool logarithmic = false;           // to be seen on a logarithmic axis, at first
    bool rose = false;                  // bins are directions from 0 to 180°, to be drawn around a centre
    std::string before_name = "before", now_name = "now";
    std::string counted = {};  // what `before` and `now` count where it is no number of elements: "thousandths of …"
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
};

/// Something that happened, to be listed, clicked through and saved: a plastic event.
struct Finding {
    double time = 0;                               // in the unit of the input, or steps of the source
    std::string kind;                              // "bulk", "boundary"
    Point place;                                   // world units
    std::vector<int64_t> vertices;                 // whom it happened to, by the names that stay the same over time
    std::vector<std::array<int64_t, 2>> breaking;  // pairs of these that were linked, and are no more
    std::vector<std::array<int64_t, 2>> arising;   // pairs that were not linked, and are now
    uint64_t round = 0;                            // StepResult::round that found it
    std::optional<Point> given = {};               // the place in the units of the input, where those are others
    std::vector<double> measures = {};             // as AlgorithmInfo::finding_measures, or empty; NaN: not of its kind
};

/// Named numbers to be saved as an array: colours, labels, links.
struct Array {
    enum class Type { kUint32, kInt64, kFloat32, kFloat64 } type = Type::kUint32;
    std::vector<size_t> shape;      // row-major
    std::vector<std::byte> values;  // product of the shape times the size of the type
};
struct ArrayInfo {
    std::string name;      // "colours": --export colours.npy
    std::string sentence;  // what it holds, with its shape
};

/// Receives every parameter. The panel, the command line and `flipscope list` are visitors.
class ParameterVisitor {
  public:
    virtual ~ParameterVisitor() = default;
    /// `value` is an index into `options` (name for --set, and a sentence each).
    struct Option {
        std::string name, sentence;
    };
    virtual void choice(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                        const std::vector<Option>& options) = 0;
    virtual void toggle(const std::string& name, const std::string& title, const std::string& sentence,
                        bool& value) = 0;
    virtual void integer(const std::string& name, const std::string& title, const std::string& sentence, int& value,
                         int least, int most) = 0;
    virtual void number(const std::string& name, const std::string& title, const std::string& sentence, double& value,
                        double least, double most) = 0;
    /// Parameters visited from here on belong together under this heading; where there are many, it helps.
    virtual void group(const std::string& /*title*/) {}
};

/// Fixed meanings of colour; the renderer owns the colours themselves.
enum class Role {
    kPlain,
    kFresh,
    kIllegal,
    kWon,
    kLost,
    kFlipped,
    kInconsistent,
    kCycling,
    kSuspect,
    kWaiting,
    kChosen,
    kHelper,
    kMissing,
    kTaken,
    kSeam,
    kBlocked,
    kBreaking,   // a link that was
    kArising,    // a link that has come
    kExact,      // the true diagram, over what a lattice makes of it
    kMissed,     // should be linked, and is not
    kSpurious,   // is linked, and should not be
    kObstacle,   //
    kCorner,     // a lattice site where three cells or more meet
    kOdd,        // a lattice site whose surroundings are hard to read: island, prolonged vertex
    kActive,     // its links have changed
    kUnmatched,  // appeared or vanished
};

struct LegendEntry {
    enum class Element { kVertex, kEdge, kTriangle, kSite } element;  // kSite: of the lattice
    State bit;  // this bit set in the element's state word; the first entry that matches decides
    Role role;
    std::string name;      // "illegal"; empty: a shade of the entry before it, not listed
    std::string sentence;  // "the circle of one of its triangles holds the apex of the other"
    float strength = 1;    // 0…1: how strongly it is drawn, for what fades with age
};

/// A lattice to be drawn under the mesh. Site (x, y) is the square of side 1 around the point (x, y) of the world. Size
/// of the buffers: width · height, row y after row y - 1.
struct LatticeLayer {
    uint32_t width = 0, height = 0;             // 0: none
    const Buffer<uint32_t>* colours = nullptr;  // which cell a site belongs to; kMaxLink: an obstacle; kNone: none
    const Buffer<uint32_t>* names = nullptr;    // by colour: what decides its tint, so that a cell keeps it over time
    const Buffer<float>* field = nullptr;       // numbers to be drawn instead of, or through, the cells
    double field_low = 0, field_high = 1;       // drawn darkest and brightest
    const Buffer<State>* states = nullptr;      // read by legend entries of sites
    explicit operator bool() const { return width > 0 && height > 0; }
};

/// What to draw, and how to read it. The buffers belong to the algorithm; counts are of this moment.
struct Scene {
    const TriangleMesh* mesh = nullptr;  // nullptr: nothing to draw yet
    uint32_t point_count = 0;            // vertices [0, point_count) are drawn as points
    uint32_t helper_begin = kNone;       // vertices from here to the infinite one are helpers (the supertriangle)
    Point low, high;                     // bounds of the input, world units
    double low_z = 0, high_z = 0;        // the same, of a surface
    bool in_space = false;               // the mesh has heights: to be shaded, and seen from any side
    std::vector<uint32_t> path;          // all-collinear input: vertex ids in order along the line; else empty
    std::vector<uint32_t> missing;  // (m, 2) vertex ids of hull edges that the mesh lost; to be drawn as kStateMissing
    std::vector<LegendEntry> legend;
    LatticeLayer lattice;                   // drawn first
    std::vector<const TriangleMesh*> over;  // more edges, with state words of their own, drawn over those of the mesh
    std::string title;                      // of one of two side by side; else empty
    std::vector<Scene> beside;  // at most one: the other of two, to be drawn beside this one, seen the same way
};

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

/// Where a lattice lies in the units of the input: site (0, 0), and how far it is to the next in x and in y.
struct LatticeUnits {
    Point origin, unit{1, 1};
    Point as_given(Point place) const { return {origin.x + place.x * unit.x, origin.y + place.y * unit.y}; }
    Point on_lattice(Point given) const { return {(given.x - origin.x) / unit.x, (given.y - origin.y) / unit.y}; }
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
    uint64_t lost_hull_edges = 0;  // edges of the convex hull that a finite supertriangle lost
    uint64_t triangulation_hash = 0;
    struct Number {
        std::string name, unit;  // "cells", or empty
        double value = 0;
    };
    std::vector<Number> numbers;  // what else there is to tell, of labs that make more than a triangulation
    struct OnLattice {
        uint32_t width = 0, height = 0;
        bool periodic = false;
        LatticeUnits units;
    };
    std::optional<OnLattice> lattice;  // of labs that see their input on a lattice, in other units than its own
};

class Algorithm {
  public:
    virtual ~Algorithm() = default;
    virtual const AlgorithmInfo& info() const = 0;

    /// Visits the parameters; changes take effect at the next reset(). Throws nothing.
    virtual void parameters(ParameterVisitor& visitor) = 0;
    /// Starts over on `input`. Throws Error (io/error.h) for input it cannot take, and then is as before the call.
    virtual void reset(Context& context, std::shared_ptr<const Geometry> input) = 0;
    /// Whether state words are kept up to date for the eye (default on). Takes effect at the next reset().
    virtual void set_watched(bool watched) = 0;

    virtual bool done() const = 0;
    /// What step() would run; kNone when done.
    virtual uint32_t next_pass() const = 0;
    /// Runs one pass. Throws std::logic_error when done, Cancelled when the context was told to.
    virtual StepResult step() = 0;
    /// Runs to the end with as few round trips as it can: the same kernels, the same result and state hash as stepping.
    /// `after_round` (may be empty) is told the counters of each round, summed over its passes.
    virtual void finish(const std::function<void(const StepResult&)>& after_round) = 0;

    virtual Scene scene() const = 0;
    virtual std::vector<Fact> inspect(Element element) const = 0;
    /// The vertex, edge or triangle that is meant; id kNone: nothing there.
    virtual Element pick(const Probe& probe) const = 0;

    /// Whether such an edit can be made by hand in this lab at all.
    virtual bool takes(Edit::Kind) const { return false; }
    /// Changes the mesh by hand, as one step; the algorithm then goes on from there. Only between iterations, at the
    /// end, or as TakesAtOnce says. Throws Error with a sentence, and changes nothing, for what cannot be done.
    virtual StepResult edit(const Edit&) { throw std::logic_error("this lab takes no edits by hand"); }
    /// Distributions worth a plot; empty before the mesh is made. Waits for the device.
    virtual std::vector<Histogram> histograms() const { return {}; }
    /// What is worth being compared between runs as a line; empty before there is any. Waits for the device.
    virtual std::vector<Curve> curves() const { return {}; }

    /// What was found up to this moment, from the one of index `first` on, in the order of time.
    virtual std::vector<Finding> findings(size_t) const { return {}; }
    virtual size_t finding_count() const { return 0; }
    /// Drawings that explain an element (the inspector shows them), or a finding of this moment or before.
    virtual std::vector<Sketch> sketches(Element) const { return {}; }
    virtual std::vector<Sketch> sketches_of_finding(size_t) const { return {}; }
    /// What can be saved as arrays (known before the first reset(), so that a list can show it), and one of them.
    /// Throws std::logic_error for a name that is not listed.
    virtual std::vector<ArrayInfo> arrays() const { return {}; }
    virtual Array array(const std::string&) const { throw std::logic_error("this lab has no arrays"); }

    virtual uint64_t state_hash() const = 0;
    virtual CheckReport check() const = 0;
    virtual Result result() const = 0;
    virtual TriangleSoup soup() const = 0;

    virtual Snapshot save() const = 0;
    virtual void load(const Snapshot& snapshot) = 0;
};

}  // namespace flipscope
