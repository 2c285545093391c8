// What every lab is to the rest of the program: a machine of named passes with parameters, a scene and a result, and
// the facets that it has. The window, the command line, the tests and the benchmark use this interface and
// nothing else, so a new lab needs no line in any of them.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "lab/facets.h"
#include "lab/parameter_visitor.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "lab/stepper.h"
#include "mesh/soup.h"

namespace flipscope {

struct PassInfo {
    std::string name;      // "claim"; labels of its kernels begin with it, but those of flip passes with "flip."
    std::string sentence;  // what it does, for students
};

/// What a counter counts, where the program itself makes something of it, whatever the lab calls it.
enum class Quantity : uint8_t { kOther, kInsertedPoints, kGrantedFlips, kFlips };

struct CounterInfo {
    std::string name;           // "inserted"
    std::string sentence;       // what it counts, in one pass
    bool is_gauge = false;      // the state after the pass ("still waiting"), so that sums over passes mean nothing
    bool first_choice = false;  // what plots show before the user chooses; of two, the second beside the first
    Quantity quantity = Quantity::kOther;
    uint32_t pair = 0;  // counters of one pair count the same on two sides, and are plotted together; 0: of none
};

/// A number that is no count: taken where it is cheap enough, for display and the report.
struct MeasureInfo {
    std::string name;      // "harmonic index"
    std::string sentence;  // what it is, and what it tells
    std::string unit;      // or empty
    uint32_t pair = 0;     // as CounterInfo::pair
};

/// What there is to start from.
enum class InputKind : uint32_t {
    kPoints = 1,       // of the plane
    kMeshes = 2,       // triangles of the plane: it starts from these, not from their points alone
    kSurfaces = 4,     // triangle meshes in space
    kFields = 8,       // numbers on a lattice: images, stacks
    kTracks = 16,      // points over time
    kNothing = 32,     // it makes something of its own when nothing is given at all
    kRecordings = 64,  // the steps of another program
};
class InputSet {
  public:
    constexpr InputSet(std::initializer_list<InputKind> kinds) {
        for (const InputKind kind : kinds) bits_ |= static_cast<uint32_t>(kind);
    }
    constexpr bool has(InputKind kind) const { return (bits_ & static_cast<uint32_t>(kind)) != 0; }

  private:
    uint32_t bits_ = 0;
};

struct LabInfo {
    std::string id;        // "build": what `flipscope run` calls it
    std::string title;     // "Build lab"
    std::string sentence;  // what it is
    std::string paper;     // where it comes from, and what we changed
    std::vector<PassInfo> passes;
    std::vector<CounterInfo> counters;
    std::vector<MeasureInfo> measures = {};
    InputSet takes = {InputKind::kPoints};  // the lab can start from each of these
    const char* example = "uniform:1000";   // what to start it on when nothing is given
    bool keeps_triangles = false;           // those of the input, as they are: without them there is nothing to run
    bool renumbers_elements = false;        // by every pass: edges and triangles are known by their points alone
    bool makes_triangles = true;            // false: cells, a graph: soup() is empty, and Result::numbers tell of it
    bool on_cpu_only = false;       // it refuses a context on CUDA; where none was chosen, it is run on CPU threads
    std::string detects = {};       // what its detections() are, one of them: "event"; empty: it has none
    bool detects_changes = true;    // its detections have lost and created contacts
    std::string detects_note = {};  // when they are listed, where that is not at once; a sentence, or empty
    std::vector<MeasureInfo> detection_measures = {};  // numbers that each of its detections has
    // Counters or measures that plots show before the user chooses, of two the second beside the first; empty: as the
    // counters say.
    std::vector<std::string> plotted_per_round = {}, plotted_per_pass = {};
    /// Integers that take effect as steps and that keys change by 1: they move what is looked at. Names; empty: none.
    struct Steering {
        std::string right, up, out;
    } steering = {};
    std::string breakpoint = {};  // when StepResult::breakpoint_hit is set: "differences are found"; empty: never
};

class Lab : public Stepper {
  public:
    virtual const LabInfo& info() const = 0;

    /// Visits the parameters; changes take effect at the next reset(). Throws nothing.
    virtual void parameters(ParameterVisitor& visitor) = 0;

    virtual Scene scene() const = 0;
    virtual Result result() const = 0;
    virtual TriangleSoup soup() const = 0;
};

}  // namespace flipscope
