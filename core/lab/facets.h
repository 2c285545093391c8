// Optional capabilities of a lab. Each is an interface that a lab with the capability derives from; callers use
// facet<Editable>(lab) or find_facet<Editable>(lab).
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "geometry/point.h"
#include "geometry/trajectory.h"
#include "lab/parameter_visitor.h"
#include "lab/report.h"
#include "lab/stepper.h"
#include "mesh/checks.h"
#include "mesh/pick.h"

namespace flipscope {

/// Elements can be picked and explained.
class Inspectable {
  public:
    virtual ~Inspectable() = default;
    /// Properties, diagrams and highlights of an element. Empty: no element has this id.
    virtual Report inspect(Element element) const = 0;
    /// The vertex, edge or triangle under the probe; id kNone: nothing.
    virtual Element pick(const Probe& probe) const = 0;
};

/// A change during a run: a manual edit, or a change of parameters.
struct Edit {
    enum class Kind {
        kMoveVertex,
        kFlipEdge,
        kAddVertex,
        kRemoveVertex,
        kPaint,
        kWipe,
        kFreeze,   // fixes the vertex until it is released
        kRelease,  //
        kAdjust    // parameters; for Adjustable labs, which apply it by adjust()
    } kind = Kind::kMoveVertex;
    uint32_t id = kNone;            // of the vertex or the edge
    uint32_t part = 0;              // as Element::part
    Point3 place = {};              // target of the vertex, or the brush, world units; z is ignored in the plane
    double radius = 0;              // of the brush, world units
    std::vector<Point3> path = {};  // further straight path of the brush or the vertex
    /// Continues the last stroke or drag: edit() replaces the step of the previous part by one step for the whole
    /// stroke. Only valid if nothing else has changed the lab since. `place` is the current place; `id` is that of the
    /// beginning of the drag.
    bool goes_on = false;
    std::vector<Parameter> values = {};  // of kAdjust, all of them as one step

    /// The final place of the brush or the vertex.
    const Point3& end() const { return path.empty() ? place : path.back(); }
};

/// The state can be edited manually, in the ways that LabInfo::edits lists.
class Editable {
  public:
    virtual ~Editable() = default;
    /// Whether an edit of this kind is possible in the present state; other edits must wait for editable_after().
    virtual bool supports_at_once(Edit::Kind) const { return false; }
    /// Edits are possible after a step that ended this level or a higher one. During an iteration or a round, the steps
    /// up to its end run first.
    virtual Level editable_after() const { return Level::kIteration; }
    /// Changes whenever an edit renumbers the vertices.
    virtual uint64_t numbering() const { return 0; }
    /// Whether a vertex is frozen, in labs that can freeze vertices.
    virtual bool is_frozen(uint32_t /*vertex*/) const { return false; }
    /// The input with the edits so far, for pictures before the first pass; nullptr: unchanged.
    virtual std::shared_ptr<const Geometry> edited_input() const { return nullptr; }
    /// Makes the edit as one step, from which the lab continues. Allowed before the first step, where
    /// editable_after() or supports_at_once() permits, and at the end. Throws Error, and changes nothing, if the edit
    /// is impossible.
    virtual StepResult edit(const Edit& edit) = 0;
};

/// Parameters can be changed during a run: those of EffectAt::kStep as a step, those of EffectAt::kView at once.
class Adjustable {
  public:
    virtual ~Adjustable() = default;
    /// Parameters can be changed after a step that ended this level or a higher one, before the first step, and at the
    /// end.
    virtual Level adjustable_after() const { return Level::kRound; }
    /// Changes parameters of EffectAt::kStep, all in one step; parameters() shows the new values. Pending values of
    /// other parameters stay pending. Snapshots contain the values, so load() restores those of the loaded state.
    /// Throws Error, and changes nothing, if the change is impossible.
    virtual StepResult adjust(const std::vector<Parameter>& values) = 0;
    /// Applies the present values of the parameters of EffectAt::kView; only the picture changes.
    virtual void apply_view_parameters() = 0;
    /// As Stepper::finish(), but for at most `rounds` more rounds, so that parameters can be changed afterwards.
    virtual void finish_rounds(uint64_t rounds, const std::function<void(const StepResult&)>& after_round) = 0;
};

/// The state can be verified.
class Checkable {
  public:
    virtual ~Checkable() = default;
    /// All failures with their places. Waits for the device.
    virtual CheckReport check() const = 0;
    /// Whether the predicates of this run are exact; set by the last reset().
    virtual bool is_exact() const { return true; }
    /// Whether the final state must be checked before it counts as a success: rounded predicates or another program
    /// decided.
    virtual bool needs_check() const { return !is_exact(); }
};

/// The lab detects and lists something: plastic events, differences.
class Detector {
  public:
    virtual ~Detector() = default;
    /// The detections up to this state, from index `first` on, in the order of time.
    virtual std::vector<Detection> detections(size_t first) const = 0;
    virtual size_t detection_count() const = 0;
    virtual DetectionUnits detection_units() const { return {}; }
    /// Diagrams that explain a detection of this or an earlier state; may be empty.
    virtual Report report_of_detection(size_t) const { return {}; }
    /// Whether they can be made in this state: also before it is listed, once what was detected has happened.
    virtual bool can_report_detection(size_t i) const { return i < detection_count(); }
};

/// The lab has distributions and curves to plot.
class Measurable {
  public:
    virtual ~Measurable() = default;
    /// Distributions to plot, and curves to compare between runs; may be empty. Waits for the device.
    virtual Report statistics() const = 0;
};

/// The lab has arrays to save.
class Exporter {
  public:
    virtual ~Exporter() = default;
    /// The arrays that can be saved (known before the first reset(), for lists), and one of them. Throws
    /// std::logic_error for an unlisted name.
    virtual std::vector<ArrayInfo> arrays() const = 0;
    virtual Array array(const std::string& name) const = 0;
    /// The same without a copy; nothing: the state does not hold it in this form in host memory.
    virtual std::optional<ArrayView> array_in_place(const std::string& /*name*/) const { return {}; }
};

/// The lab has tables to save: with headings, and with times and places if it has them.
class TableExporter {
  public:
    virtual ~TableExporter() = default;
    /// As Exporter::arrays().
    virtual std::vector<ArrayInfo> tables() const = 0;
    /// Call it before reset() for tables that will be exported; otherwise table() may have to repeat all steps.
    virtual void will_export(const std::string& /*table*/) {}
    /// The table of this state, valid until the state changes. Throws std::logic_error for an unlisted name.
    virtual Table table(const std::string& name) const = 0;
};

/// The lab records its points over time.
class TrajectoryExporter {
  public:
    virtual ~TrajectoryExporter() = default;
    /// The recording up to this state, including the start. Waits for the device.
    virtual Trajectory trajectory() const = 0;
    /// A sentence if the present parameters, used or pending, record nothing: "no frames are recorded; with record=100
    /// every 100th step is". Otherwise empty.
    virtual std::string records_nothing() const { return {}; }
};

/// nullptr: the lab does not have this facet.
template <class Facet, class Lab>
auto find_facet(Lab& lab) {
    return dynamic_cast<std::conditional_t<std::is_const_v<Lab>, const Facet, Facet>*>(&lab);
}
/// For callers that know the lab has it; throws std::logic_error otherwise.
template <class Facet, class Lab>
auto& facet(Lab& lab) {
    auto* found = find_facet<Facet>(lab);
    if (!found) throw std::logic_error(std::string("this lab does not have the facet ") + typeid(Facet).name());
    return *found;
}

/// Empty if the lab has no arrays.
template <class Lab>
std::vector<ArrayInfo> arrays_of(const Lab& lab) {
    const auto* exporter = find_facet<Exporter>(lab);
    return exporter ? exporter->arrays() : std::vector<ArrayInfo>{};
}

}  // namespace flipscope
