// One run of one lab: the scenario, its input, and the lab's timeline. The command line, lessons, the sheet and second
// pictures drive it; the window continues it. Also functions that query a run, such as its check and its statistics.
// Writes and draws nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario.h"
#include "compute/context.h"
#include "instruments/scene_statistics.h"
#include "instruments/timeline.h"
#include "lab/lab.h"
#include "lab/parameters.h"

namespace flipscope::app {

struct DeviceOptions {
    DeviceRequest device = DeviceRequest::kAuto;
    int threads = 0;                          // 0: all of the machine
    std::optional<uint32_t> block_size = {};  // CUDA threads per block
    std::string shared_memory = "auto";       // auto, cuda, mapped or staged
};

/// Opens `device` with the other options. Throws Error if it is not available.
std::unique_ptr<Context> open_device(DeviceRequest device, const DeviceOptions& options);

class Run {
  public:
    /// Makes the lab, sets its parameters and reads the input, in this order; uses no device yet. Without a lab, the
    /// input decides which. A seed without a generator sets the lab's seed, and `block_size` the lab's parameter of
    /// this name, unless the scenario sets them. Notes report ignored parts of the input. Throws Error as
    /// make_scenario_lab() and load_input() do, and if the lab cannot start on this input.
    explicit Run(Scenario scenario, const std::optional<uint32_t>& block_size = {});

    /// The scenario, completed with the lab and settled values.
    const Scenario& scenario() const { return scenario_; }
    const Input& input() const { return input_; }
    const Geometry& geometry() const { return *input_.geometry; }
    /// As the scenario names it; nullptr: none.
    const std::shared_ptr<const StudyArea>& area() const { return area_; }
    Lab& lab() { return timeline_->lab(); }
    const Lab& lab() const { return timeline_->lab(); }
    Timeline& timeline() { return *timeline_; }
    const Timeline& timeline() const { return *timeline_; }
    /// The lab's default parameters.
    const std::vector<ParameterDescription>& default_parameters() const { return defaults_; }
    /// Releases the timeline to the caller, who continues the run; keeps scenario() and input().
    std::unique_ptr<Timeline> release_timeline() { return std::move(timeline_); }
    /// Adds a sentence to the notes of the input.
    void add_note(std::string note) { input_.notes.push_back(std::move(note)); }

    /// Resets the lab on the input and plans the scenario's edits. The device must outlive the run.
    void start(Context& context) {
        timeline_->reset(context, input_.geometry);
        timeline_->plan(scenario_.edits);
    }

    /// The last pass; nullptr at the start.
    const StepResult* last_pass() const;
    /// Input and state, for a caption: "uniform:500, pass 12: flip".
    std::string caption() const;

  private:
    bool set_default(const std::string& name, uint64_t value, const std::string& place);

    Scenario scenario_;
    Input input_;
    std::shared_ptr<const StudyArea> area_;
    std::vector<ParameterDescription> defaults_;
    std::unique_ptr<Timeline> timeline_;
};

/// The input in a caption, or the lab's own name if nothing was given. `text`: as in Input.
std::string input_text(const LabInfo& info, const Geometry& input, const std::string& text);
/// The state of a lab in a caption: "at the start", "pass 12: flip", "pass 12 of 40: flip", "pass 40, the end"; "the
/// end" if passes were not counted. `last`: the last pass; nullptr: unknown. `known`: passes, named if more were made.
std::string state_text(const LabInfo& info, uint64_t position, const StepResult* last, bool done, uint64_t known = 0);

/// All failures. If the lab has no check, the report says so.
CheckReport check_of(const Lab& lab);
/// Throws Error if the lab has no check; `option` begins the sentence: "--check".
void require_check(const Lab& lab, const std::string& option);
/// Whether the signs that decide the run are exact, as far as a check could reveal.
bool is_exact(const Lab& lab);
/// Whether the end of a run is always checked: rounded numbers or another program decided it, so it is not yet a
/// success.
bool needs_check(const Lab& lab);
/// The same, and the run is at its end.
bool end_needs_check(const Lab& lab);

/// The lab's distributions and curves, then those of the scene, if measured; the lab's take precedence by name. Waits
/// for the device.
Report statistics_of(const Lab& lab, const SceneStatistics* shown = nullptr);
/// All numbers of a result, those common to all triangulations first.
Properties results_of(const Result& result, const LabInfo& info);

}  // namespace flipscope::app
