// What the panels may read of a lab that runs on another thread: a copy of this state, or of the last one while the
// worker is busy. The model publisher writes it.
#pragma once

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

/// What came of a click.
struct Inspection {
    Element element{ElementKind::kVertex, kNone};
    Report report;
    std::vector<Point3> corners;      // 1 to 4 places, world units; without those at infinity; in the plane z is 0
    std::vector<uint32_t> name = {};  // lasting_name() of it
    bool frozen = false;              // a vertex that stays where it is until it is released
    uint64_t request = 0;             // which look-up asked for it, of those that are to be brought into view; 0: none
    bool any() const { return element.id != kNone; }
};

/// A detection that was chosen, and the drawings that show it.
struct DetailView {
    size_t detection = SIZE_MAX;  // index into LabModel::detections; SIZE_MAX: none
    bool looked = false;          // the drawings have been asked for
    std::vector<Diagram> diagrams;
    bool any() const { return detection != SIZE_MAX; }
};

struct LabModel {
    LabInfo info;
    bool loaded = false;      // there is something to step
    std::string source_text;  // generator or file of the present input
    std::string input_name;
    std::string unit;          // of its coordinates; empty: not known
    uint64_t input_count = 0;  // points as given
    History history;           // a copy, which shares what it holds
    uint64_t position = 0;
    uint32_t next_pass = kNone;
    bool done = false;
    Scene scene;  // its bounds are those of the input, from the first
    /// The same, and what manual edits have put beyond them: what is shown when all of it is asked for.
    struct Extent {
        Point low, high;
    };
    std::optional<Extent> edited_extent;           // nothing: there are no edits
    std::shared_ptr<const Geometry> edited_input;  // with the edits that were made; nullptr: as it was given
    uint32_t vertices = 0, triangles = 0,
             edges = 0;                            // finite vertices; triangles and edges of the mesh, ghosts included
    std::optional<Result> result;                  // at the end
    Properties numbers;                            // of this state, of labs that make no triangles; else at the end
    Report statistics;                             // of this state: distributions and curves
    std::shared_ptr<const SceneStatistics> shown;  // of what the scene shows, of the same state; nullptr: not asked for
    bool explorable = false;                       // the scene has a mesh whose elements can be coloured and selected
    uint64_t selected = 0;                         // elements that are
    uint64_t measured = 0;                         // increases whenever these three are others
    std::vector<LayerCounts> legend_counts;        // of what occurs in the scene; while playing, since its begin
    std::vector<Detection> detections;             // as far as known, like the history
    size_t found = 0;                              // of these, up to this state
    DetectionUnits detection_units;                // of these, in files
    PlaceSpread spread;                            // of all of them
    DetailView detail_view;
    std::vector<ParameterDescription> parameters;  // as the algorithm has them
    std::vector<Parameter> begun_with;             // the parameters at the start of the run
    std::vector<LabelTiming> timings;
    MessageLog messages;
    Inspection inspection;
    std::optional<CheckReport> check;  // of this state; nothing: it has not been checked
    size_t failure = SIZE_MAX;         // the one of its failures that was chosen; SIZE_MAX: none
    bool checkable = false;            // the lab has a check
    bool measurable = false;           // the lab has distributions and curves, once there are any
    bool needs_check = false;          // the end of the run is checked unasked
    std::string refusal;               // why no lab can start from this input, which is shown as it is; or empty
    bool can_move_vertices = false, can_flip_edges = false;      // vertices may be dragged, edges flipped by hand
    bool can_add_vertices = false, can_remove_vertices = false;  // vertices may be put somewhere, and taken away
    bool can_paint = false, can_wipe = false;                    // obstacles may be painted, and wiped off
    bool freezes = false;                                        // vertices may be frozen, and released
    bool adjustable = false;                       // parameters of EffectAt::kStep can change during the run
    size_t edits = 0;                              // by hand, and changes of parameters, on the timeline
    std::optional<Edit::Kind> undoable, redoable;  // what undo() and redo() are about
    std::string device_name;
    std::string sharing_name, sharing;  // "mapped", and a line about it
    size_t live_bytes = 0;

    uint64_t known() const { return history.size(); }
    bool refused() const { return !refusal.empty(); }
    bool failed() const { return check && !check->passed; }
    const CheckFailure* chosen_failure() const {
        return check && failure < check->failures.size() ? &check->failures[failure] : nullptr;
    }
    const StepResult* last() const { return position > 0 ? history.find(position - 1) : nullptr; }
};

}  // namespace flipscope::app
