// The interface of every lab: a machine of named passes with parameters, a scene, a result, and optional facets. The
// window, the command line, the tests and the benchmark use nothing else, so a new lab needs no change in any of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "lab/facets.h"
#include "lab/report.h"
#include "lab/scene.h"
#include "lab/stepper.h"
#include "mesh/soup.h"

namespace flipscope {

struct PassInfo {
    std::string name;      // "claim": prefix of its kernel labels, except for flip passes ("flip.")
    std::string sentence;  // what it does, for students
};

/// The meaning of a counter that the program itself uses, whatever its name.
enum class Quantity : uint8_t { kOther, kInsertedPoints, kGrantedFlips, kFlips };

struct CounterInfo {
    std::string name;           // "inserted"
    std::string sentence;       // what it counts, in one pass
    bool is_gauge = false;      // describes the state after the pass ("still waiting"): not summed over passes
    bool first_choice = false;  // plotted by default; of two, the second beside the first
    Quantity quantity = Quantity::kOther;
    uint32_t pair = 0;  // counters of one pair count the same on two sides and are plotted together; 0: none
};

/// A real-valued measure, taken where it is cheap, for display and the report.
struct MeasureInfo {
    std::string name;      // "harmonic index"
    std::string sentence;  // what it is and means
    std::string unit;      // or empty
    uint32_t pair = 0;     // as CounterInfo::pair
};

/// Kinds of input.
enum class InputKind : uint32_t {
    kPoints = 1,       // of the plane
    kMeshes = 2,       // triangles of the plane, not only their points
    kSurfaces = 4,     // triangle meshes in space
    kFields = 8,       // numbers on a lattice: images, stacks
    kTracks = 16,      // points over time
    kNothing = 32,     // no input: the lab generates its own
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
    std::vector<Edit::Kind> edits = {};      // the kinds of changes during a run that it supports
    InputSet inputs = {InputKind::kPoints};  // the lab can start from each of these
    const char* example = "uniform:1000";    // default input
    bool keeps_triangles = false;            // starts from the input's triangles as they are, and requires them
    bool renumbers_elements = false;         // in every pass: only their points identify edges and triangles
    bool makes_triangles = true;    // false: cells or a graph; soup() is empty and Result::numbers describe the result
    bool on_cpu_only = false;       // refuses CUDA; runs on CPU threads unless a device was chosen
    std::string detects = {};       // noun for one of its detections(): "event"; empty: none
    bool detects_changes = true;    // detections have lost and created contacts
    std::string detects_note = {};  // when delayed detections are listed; a sentence, or empty
    std::vector<MeasureInfo> detection_measures = {};  // measures of each detection
    // Counters or measures plotted by default, of two the second beside the first; empty: those with first_choice.
    std::vector<std::string> plotted_per_round = {}, plotted_per_pass = {};
    /// Names of integer parameters that keys change by 1, as steps: they move the view. Empty: none.
    struct Steering {
        std::string right, up, out;
    } steering = {};
    std::string breakpoint = {};  // condition of StepResult::breakpoint_hit: "differences are found"; empty: never

    bool supports(Edit::Kind kind) const { return std::find(edits.begin(), edits.end(), kind) != edits.end(); }
};

/// A lab needs at least info(), reset(), done(), next_pass(), step(), save(), load(), scene() and result(), and the
/// facet Checkable. A step begins with Context::throw_if_cancelled() (a launch does so); longer loops use a CancelPoll.
class Lab : public Stepper {
  public:
    virtual const LabInfo& info() const = 0;

    /// Visits the parameters; changes take effect at the next reset(). Does not throw. Without an override: none.
    virtual void parameters(ParameterVisitor&) {}

    virtual Scene scene() const = 0;
    virtual Result result() const = 0;
    /// Without an override: empty, for labs that make no triangles.
    virtual TriangleSoup soup() const { return {}; }

    /// Without an override, a lab has no state words that are only for display.
    void set_records_states(bool) override {}
    /// Without an override: step by step. Counters are summed over the passes of a round, gauges have their last value.
    void finish(const std::function<void(const StepResult&)>& after_round) override;
    /// Without an override: of all blocks of save().
    uint64_t state_hash() const override;
};

/// Whether this lab supports this kind of edit: not if it only shows an input that another lab of its kind refused.
inline bool supports_edit(const Lab& lab, Edit::Kind kind) {
    const bool has_facet =
        kind == Edit::Kind::kAdjust ? find_facet<Adjustable>(lab) != nullptr : find_facet<Editable>(lab) != nullptr;
    return has_facet && lab.info().supports(kind);
}

}  // namespace flipscope
