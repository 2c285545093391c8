// What a lab may be able to do beyond running: each an interface of its own, which a lab that has it derives from.
// facet<Editable>(lab) and find_facet<Editable>(lab) are how callers ask.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "geometry/point.h"
#include "geometry/trajectory.h"
#include "lab/report.h"
#include "lab/stepper.h"
#include "mesh/checks.h"
#include "mesh/pick.h"

namespace flipscope {

/// Elements can be picked and explained.
class Inspectable {
  public:
    virtual ~Inspectable() = default;
    /// What there is to tell of an element: properties, diagrams, and what to highlight around it. Empty: there is none
    /// of that id.
    virtual Report inspect(Element element) const = 0;
    /// The vertex, edge or triangle that is meant; id kNone: nothing there.
    virtual Element pick(const Probe& probe) const = 0;
};

/// A parameter by its name, and a value as set_parameter() reads it.
struct ParameterValue {
    std::string name, value;
    friend bool operator==(const ParameterValue&, const ParameterValue&) = default;
};

/// A change that is made during a run: by hand, or of parameters.
struct Edit {
    enum class Kind {
        kMoveVertex,
        kFlipEdge,
        kAddVertex,
        kRemoveVertex,
        kPaint,
        kWipe,
        kFreeze,   // the vertex stays where it is until it is released
        kRelease,  //
        kAdjust    // parameters; of labs that are Adjustable, which make it by adjust()
    } kind = Kind::kMoveVertex;
    uint32_t id = kNone;  // of the vertex or the edge
    uint32_t part = 0;    // as Element::part
    Point3 place;         // where the vertex is to go, or the brush is, world units; z has no meaning in the plane
    double radius = 0;    // of the brush, world units
    std::vector<Point3> path = {};  // where the brush, or the vertex, goes on to from there in straight lines
    /// More of the stroke, or of the drag, that edit() was told of last: the state becomes what the whole of it makes
    /// of the one before it, as one step, and its result tells of the whole. Only where nothing else has been asked of
    /// the lab since. `place` is then where it has come to, and `id` is what it was when the drag began.
    bool goes_on = false;
    std::vector<ParameterValue> values = {};  // of kAdjust, all of them as one step

    /// Where the brush, or the vertex, is in the end.
    const Point3& end() const { return path.empty() ? place : path.back(); }
};

/// The state can be changed by hand.
class Editable {
  public:
    virtual ~Editable() = default;
    /// Whether such an edit can be made by hand in this lab at all.
    virtual bool takes(Edit::Kind kind) const = 0;
    /// Whether an edit of this kind can be made as things stand, where others wait for rests_after().
    virtual bool takes_at_once(Edit::Kind) const { return false; }
    /// After a step that ended this or more, edits can be made; amid an iteration or a round, the steps up to its end
    /// run before.
    virtual Level rests_after() const { return Level::kIteration; }
    /// Another number where vertices have been numbered anew by edits, so that an id means another vertex.
    virtual uint64_t numbering() const { return 0; }
    /// Whether a vertex stays where it is until it is released, where the lab freezes vertices.
    virtual bool is_frozen(uint32_t /*vertex*/) const { return false; }
    /// The input with the edits that were made, for pictures before the first pass; nullptr: as it was given.
    virtual std::shared_ptr<const Geometry> edited_input() const { return nullptr; }
    /// Makes the edit, as one step; the lab then goes on from there. Only before the first step, where rests_after() or
    /// takes_at_once() says, and at the end. Throws Error with a sentence, and changes nothing, for what cannot be
    /// done.
    virtual StepResult edit(const Edit& edit) = 0;
};

/// Parameters can be changed during a run: those of Takes::kStep as a step of it, those of Takes::kView at once.
class Adjustable {
  public:
    virtual ~Adjustable() = default;
    /// After a step that ended this or more, parameters can be changed, as well as before the first step and at the
    /// end.
    virtual Level adjusts_after() const { return Level::kRound; }
    /// Changes parameters of Takes::kStep, all of them as one step, and parameters() shows them from then on; what was
    /// set and not used yet of others stays so. Snapshots hold what they are, so that load() brings back those of the
    /// loaded state. Throws Error with a sentence, and changes nothing, for what cannot be done.
    virtual StepResult adjust(const std::vector<ParameterValue>& values) = 0;
    /// Parameters of Takes::kView are used as they are set now; nothing but the picture changes.
    virtual void show_as_set() = 0;
    /// As Stepper::finish(), but for so many more rounds at most, so that parameters can be changed after them.
    virtual void finish_rounds(uint64_t rounds, const std::function<void(const StepResult&)>& after_round) = 0;
};

/// The state can be verified.
class Checkable {
  public:
    virtual ~Checkable() = default;
    /// Everything at fault, with its place. Waits for the device.
    virtual CheckReport check() const = 0;
    /// Whether the signs that decide this run are exact. Of the last reset().
    virtual bool is_exact() const { return true; }
    /// Whether its end is always checked, and is no success before that: rounded numbers or another program decided.
    virtual bool needs_check() const { return !is_exact(); }
};

/// Something happens in it that is listed: plastic events, differences.
class Detector {
  public:
    virtual ~Detector() = default;
    /// What was found up to this state, from the one of index `first` on, in the order of time.
    virtual std::vector<Detection> detections(size_t first) const = 0;
    virtual size_t detection_count() const = 0;
    virtual DetectionUnits detection_units() const { return {}; }
    /// Diagrams that explain a detection of this state or before; empty: there are none.
    virtual Report report_of_detection(size_t) const { return {}; }
};

/// There are distributions and curves to plot.
class Measurable {
  public:
    virtual ~Measurable() = default;
    /// Distributions worth a plot, and curves worth being compared between runs; empty before there are any. Waits for
    /// the device.
    virtual Report statistics() const = 0;
};

/// It has arrays to save.
class Exporter {
  public:
    virtual ~Exporter() = default;
    /// What can be saved as arrays (known before the first reset(), so that a list can show it), and one of them.
    /// Throws std::logic_error for a name that is not listed.
    virtual std::vector<ArrayInfo> arrays() const = 0;
    virtual Array array(const std::string& name) const = 0;
};

/// It has tables to save beside its arrays, with a heading, and with times and places where there are any.
class TableExporter {
  public:
    virtual ~TableExporter() = default;
    /// As Exporter::arrays().
    virtual std::vector<ArrayInfo> tables() const = 0;
    /// Before reset(): this one will be asked for. Where it was not, table() may run all steps again.
    virtual void will_export(const std::string& /*table*/) {}
    /// Of this state, and valid as long as the lab is in it. Throws std::logic_error for a name that is not listed.
    virtual Table table(const std::string& name) const = 0;
};

/// It records its points over time.
class TrajectoryExporter {
  public:
    virtual ~TrajectoryExporter() = default;
    /// What was recorded up to this state, the start included. Waits for the device.
    virtual Trajectory trajectory() const = 0;
    /// A sentence where nothing is recorded with the parameters as they stand, which need not have been used yet: "no
    /// frames are recorded; with record=100 every 100th step is". Empty: something is.
    virtual std::string records_nothing() const { return {}; }
};

/// nullptr where the lab does not have it.
template <class Facet, class Lab>
auto find_facet(Lab& lab) {
    return dynamic_cast<std::conditional_t<std::is_const_v<Lab>, const Facet, Facet>*>(&lab);
}
/// For callers that know it does; throws std::logic_error where it does not.
template <class Facet, class Lab>
auto& facet(Lab& lab) {
    auto* found = find_facet<Facet>(lab);
    if (!found) throw std::logic_error("this lab does not have that facet");
    return *found;
}

/// Whether such an edit can be made in this lab at all.
template <class Lab>
bool takes_edit(const Lab& lab, Edit::Kind kind) {
    if (kind == Edit::Kind::kAdjust) return find_facet<Adjustable>(lab) != nullptr;
    const auto* editable = find_facet<Editable>(lab);
    return editable && editable->takes(kind);
}
/// None where the lab has no arrays.
template <class Lab>
std::vector<ArrayInfo> arrays_of(const Lab& lab) {
    const auto* exporter = find_facet<Exporter>(lab);
    return exporter ? exporter->arrays() : std::vector<ArrayInfo>{};
}

}  // namespace flipscope
