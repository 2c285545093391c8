// A copy of the lab's state for the panels, since the lab runs on another thread. The model publisher updates it; while
// the worker is busy it holds the last state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/detections.h"
#include "app/run/scenario.h"
#include "app/session/messages.h"
#include "app/view/legend.h"
#include "instruments/history.h"
#include "instruments/scene_statistics.h"
#include "lab/lab.h"
#include "lab/parameters.h"

namespace flipscope::app {

/// The result of a click.
struct Inspection {
    Element element{ElementKind::kVertex, kNone};
    Report report;
    std::vector<Point3> corners;      // 1 to 4 places, world units; none at infinity; z is 0 in the plane
    std::vector<uint32_t> name = {};  // lasting_name()
    bool frozen = false;              // a vertex that stays fixed until released
    uint64_t request = 0;             // number of the look-up whose result is brought into view; 0: none
    bool any() const { return element.id != kNone; }
};

/// The chosen detection and its drawings.
struct DetailView {
    size_t detection = SIZE_MAX;  // index into LabModel::detections; SIZE_MAX: none
    bool is_inspected = false;    // `diagrams` is filled
    std::vector<Diagram> diagrams;
    bool any() const { return detection != SIZE_MAX; }
};

struct LabModel {
    LabInfo info;
    std::vector<uint32_t> pass_colours;  // of its passes, numbers for Palette::pass()
    bool loaded = false;                 // there is a run to step
    std::string unit;                    // of coordinates; empty: unknown
    History history;                     // a copy that shares its contents
    uint64_t position = 0;
    uint32_t next_pass = kNone;
    bool done = false;
    Scene scene;          // has the bounds of the input from the start
    MeshMotions motions;  // what led to this scene
    /// These bounds and manual edits beyond them, for fitting the whole picture.
    struct Extent {
        Point low, high;
    };
    std::optional<Extent> edited_extent;           // nothing: no edits
    std::shared_ptr<const Geometry> edited_input;  // the input with the edits; nullptr: as given
    std::optional<Result> result;                  // at the end
    Properties numbers;                            // of this state; of labs that make triangles only at the end
    Report statistics;                             // distributions and curves of this state
    std::shared_ptr<const SceneStatistics> shown;  // statistics of this state's scene; nullptr: not requested
    bool explorable = false;                       // the scene has elements to colour and select
    uint64_t selected = 0;                         // number of selected elements
    uint64_t measured = 0;                         // increases when result, numbers, statistics or shown change
    std::vector<LayerCounts> legend_counts;        // entries in the scene; while playing, accumulated
    std::vector<Detection> detections;             // of all known steps, like the history
    size_t found = 0;                              // detections up to this state
    DetectionUnits detection_units;                // of detections, in files
    PlaceSpread spread;                            // of all detections
    DetailView detail_view;
    std::vector<ParameterDescription> parameters;  // values in use
    std::vector<Parameter> initial_parameters;     // at the start of the run
    std::vector<LabelTiming> timings;
    MessageLog messages;
    Inspection inspection;
    uint64_t inspected = 0;            // increases when another element is inspected, or none
    std::optional<CheckReport> check;  // of this state; nothing: not checked
    size_t failure = SIZE_MAX;         // index of the chosen failure; SIZE_MAX: none
    bool checkable = false;            // the lab has a check
    bool measurable = false;           // the lab can report distributions and curves
    bool needs_check = false;          // the end of the run is checked automatically
    std::string refusal;               // why no lab accepts this input, which is shown as given; or empty
    std::vector<Edit::Kind> supported_edits;
    size_t edits = 0;                              // on the timeline: manual edits and parameter changes
    std::optional<Edit::Kind> undoable, redoable;  // of undo() and redo()
    std::string device_name;
    std::string sharing_name, sharing;  // "mapped", and a description
    size_t live_bytes = 0;

    /// Whether the lab can be edited so by hand; kAdjust: EffectAt::kStep parameters can change during the run.
    bool supports(Edit::Kind kind) const {
        return std::find(supported_edits.begin(), supported_edits.end(), kind) != supported_edits.end();
    }
    /// Finite vertices; triangles and edges of the mesh, with ghosts.
    uint32_t count_of(ElementKind kind) const { return scene.count_of(kind); }
    uint64_t known() const { return history.size(); }
    bool refused() const { return !refusal.empty(); }
    bool failed() const { return check && !check->passed; }
    const CheckFailure* chosen_failure() const {
        return check && failure < check->failures.size() ? &check->failures[failure] : nullptr;
    }
    const StepResult* last() const { return position > 0 ? history.find(position - 1) : nullptr; }
};

}  // namespace flipscope::app
