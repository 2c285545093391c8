// What every lab is to the rest of the program: a machine of named passes. The window, the command line, the tests and
// the benchmark all drive this interface and nothing else, so a new algorithm needs no line in any of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "compute/context.h"
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
};

/// A number that is no count: taken where it is cheap enough, for the eye and the report.
struct MeasureInfo {
    std::string name;      // "harmonic index"
    std::string sentence;  // what it is, and what it tells
    std::string unit;      // or empty
};

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
};

/// Which spans of work a step ended: a pass always; one flip pass (iteration); one round of insertion.
enum class Level : uint32_t { kPass = 0, kIteration = 1, kRound = 2, kEnd = 3 };

inline constexpr int64_t kNotCounted = -1;

struct StepResult {
    uint32_t pass = 0;              // index into AlgorithmInfo::passes: what ran
    uint32_t next = kNone;          // what the next step will run; kNone: finished
    Level ended = Level::kPass;     // the largest span that ended
    uint32_t round = 0;             // 1, 2, …; 0 before the first
    uint32_t iteration = 0;         // flip pass within the round: 1, 2, …; 0 outside
    std::vector<int64_t> counters;  // as AlgorithmInfo::counters; kNotCounted: not of this pass
    std::vector<double> measures;   // as AlgorithmInfo::measures, or empty; NaN: not taken in this pass
    std::string message;            // for the messages panel; mostly empty
};

/// What a hand does to a lab.
struct Edit {
    enum class Kind { kMoveVertex, kFlipEdge } kind = Kind::kMoveVertex;
    uint32_t id = kNone;  // of the vertex or the edge
    uint32_t part = 0;    // as Element::part
    Point3 place;         // where the vertex is to go, world units; z has no meaning in the plane
};

/// How many elements have a value in each of equal bins, to begin with and now.
struct Histogram {
    std::string name, sentence, unit;  // "smallest angles", …, "°"
    double low = 0, high = 0;          // of all bins together
    std::vector<uint64_t> before, now;
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
    kBlocked
};

struct LegendEntry {
    enum class Element { kVertex, kEdge, kTriangle } element;
    State bit;  // this bit set in the element's state word; the first entry that matches decides
    Role role;
    std::string name;      // "illegal"
    std::string sentence;  // "the circle of one of its triangles holds the apex of the other"
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
    std::string title;          // of one of two side by side; else empty
    std::vector<Scene> beside;  // at most one: the other of two, to be drawn beside this one, seen the same way
};

struct Fact {
    std::string name, value;  // value with its unit
    std::string why;          // or empty
};

/// A copy of an algorithm's whole state in host memory, from which it can go on. Opaque to all but the algorithm.
struct Snapshot {
    std::vector<std::vector<std::byte>> blocks;
    size_t bytes() const {
        size_t sum = 0;
        for (const auto& block : blocks) sum += block.size();
        return sum;
    }
};

/// What came of it, for people and for JSON.
struct Result {
    uint64_t points = 0;           // as given
    uint64_t waiting = 0;          // not inserted: not finished, or stopped
    uint64_t duplicates = 0;       // of these, equal to an earlier one
    uint64_t triangles = 0;        // finite, none with a helper vertex
    uint64_t edges = 0;            //
    uint64_t hull_edges = 0;       // on the outline of the finite triangles
    uint64_t lost_hull_edges = 0;  // edges of the convex hull that a finite supertriangle lost
    uint64_t triangulation_hash = 0;
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
    /// Changes the mesh by hand, as one step; the algorithm then goes on from there. Only between iterations or when
    /// done. Throws Error with a sentence, and changes nothing, for what cannot be done.
    virtual StepResult edit(const Edit&) { throw std::logic_error("this lab takes no edits by hand"); }
    /// Distributions worth a plot; empty before the mesh is made. Waits for the device.
    virtual std::vector<Histogram> histograms() const { return {}; }

    virtual uint64_t state_hash() const = 0;
    virtual CheckReport check() const = 0;
    virtual Result result() const = 0;
    virtual TriangleSoup soup() const = 0;

    virtual Snapshot save() const = 0;
    virtual void load(const Snapshot& snapshot) = 0;
};

}  // namespace flipscope
