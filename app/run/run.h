// One run of one lab: the scenario, the input that was read for it, and the timeline of the lab, which is made once.
// The command line, lessons, the sheet and the picture beside another one drive it; the window goes on with it.
// Also: functions that query a run, such as its check and its statistics. Writes and draws nothing.
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
    int threads = 0;                          // 0: as many as the machine has
    std::optional<uint32_t> block_size = {};  // CUDA threads per block
    std::string shared_memory = "auto";       // auto, cuda, mapped or staged
};

/// Opens `device` with the other options. Throws Error where it cannot be had.
std::unique_ptr<Context> open_device(DeviceRequest device, const DeviceOptions& options);

class Run {
  public:
    /// Makes the lab, sets its parameters and reads the input; no device is used yet. A wrong lab or
    /// parameter is reported before the input is read. Without a lab the input decides which it is. A seed without a
    /// generator becomes the lab's, and `block_size` is set where the lab has such a parameter; a parameter that the
    /// scenario sets stays. What the lab leaves out of the input is said in the notes. Throws Error as
    /// make_scenario_lab() and load_input() do, and where the lab cannot start on this input.
    explicit Run(Scenario scenario, const std::optional<uint32_t>& block_size = {});

    /// Complete: with its lab and all that was settled.
    const Scenario& scenario() const { return scenario_; }
    const Input& input() const { return input_; }
    const Geometry& geometry() const { return *input_.geometry; }
    Lab& lab() { return timeline_->lab(); }
    const Lab& lab() const { return timeline_->lab(); }
    Timeline& timeline() { return *timeline_; }
    const Timeline& timeline() const { return *timeline_; }
    /// The lab's parameters as they are where nothing sets them.
    const std::vector<ParameterDescription>& default_parameters() const { return defaults_; }
    /// Hands the timeline over to the caller, who goes on with the run; scenario() and input() stay.
    std::unique_ptr<Timeline> release_timeline() { return std::move(timeline_); }
    /// Adds a sentence to the notes of the input.
    void add_note(std::string note) { input_.notes.push_back(std::move(note)); }

    /// Resets the lab on the input. The device must outlive the run.
    void start(Context& context) { timeline_->reset(context, input_.geometry); }

    /// The pass that was made last; nullptr at the start.
    const StepResult* last_pass() const;
    /// Input and state, for a caption: "uniform:500, pass 12: flip".
    std::string caption() const;

  private:
    bool set_default(const std::string& name, uint64_t value, const std::string& place);

    Scenario scenario_;
    Input input_;
    std::vector<ParameterDescription> defaults_;
    std::unique_ptr<Timeline> timeline_;
};

/// What a lab was started on, for a caption: its own name where nothing was given.
std::string input_text(const LabInfo& info, const Input& input);
/// The state of a lab, for a caption: "at the start", "pass 12: flip", "pass 40, the end"; where passes were not
/// counted "the end". `last`: the pass that was made last; nullptr: it is not known.
std::string state_text(const LabInfo& info, uint64_t position, const StepResult* last, bool done);

/// Everything at fault. Where the lab has no check, the report is of none, and says so.
CheckReport check_of(const Lab& lab);
/// Throws Error where a check is asked for that the lab does not have; `asked` begins its sentence: "--check".
void require_check(const Lab& lab, const std::string& asked);
/// Whether the signs that decide the run are exact, as far as a check could tell otherwise.
bool is_exact(const Lab& lab);
/// Whether the end of a run is checked even where no check was asked for: rounded numbers or another program have
/// decided it, so it is no success before.
bool needs_check(const Lab& lab);
/// The same, and the run ends here.
bool end_needs_check(const Lab& lab);

/// Distributions and curves, of labs that have them, and then those of what it shows, where these were measured; of one
/// name the lab's own. Waits for the device.
Report statistics_of(const Lab& lab, const SceneStatistics* shown = nullptr);
/// All numbers of a result, those that every triangulation has first.
Properties results_of(const Result& result, const LabInfo& info);

}  // namespace flipscope::app
