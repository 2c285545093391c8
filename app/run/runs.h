// What every run has in common, in the window, without one and on the sheet of all labs: a scenario becomes a lab and
// its input, and what there is to tell of a run comes from the same questions. Writes nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/scenario.h"
#include "compute/context.h"
#include "instruments/scene_statistics.h"
#include "lab/lab.h"

namespace flipscope::app {

/// A scenario in memory: complete, with a lab that can take the input.
struct PreparedRun {
    Scenario scenario;
    Input input;
    std::unique_ptr<Lab> lab;  // with its parameters; not reset yet
};
/// What is wrong with the lab's name and its parameters is said before an input is read. `block_size`: CUDA threads per
/// block, where the lab has such a parameter and the scenario does not set it. Throws Error as make_scenario_lab(),
/// load_input() and settle_lab() do.
PreparedRun prepare_run(Scenario scenario, const std::optional<uint32_t>& block_size);

/// The device that was asked for. Throws Error where it cannot be had.
std::unique_ptr<Context> open_device(DeviceRequest device, int threads,
                                     const std::optional<uint32_t>& block_size = std::nullopt);

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

/// What was to be inspected: "edge:12", "pixel:40,12", in a race "edge:12@1"; "point:5" by its index in the input,
/// "name:Berlin" by its name there, "at:12.5,3" by a place.
struct AskedElement {
    enum class By { kId, kPixel, kPoint, kName, kPlace } by = By::kId;
    std::string text;
    Element element = {};  // but for kId the id is not known before the lab has been asked
    uint32_t x = 0, y = 0;
    std::string name = {};
    Point place = {};
};
/// Throws Error for anything else. `asker` begins its sentences.
AskedElement parse_element(const std::string& text, const std::string& asker = "--inspect ");
/// The same as a user types it into a field: a number is the index of a point, two are a place, words are a name.
AskedElement parse_typed_element(const std::string& text);
/// Throws Error where the state of the lab has no such element. `input`: which names and indices are of; nullptr: none.
/// `merged`, when given, becomes a sentence where a point was asked for that lies where another one does, whose vertex
/// this is; else empty.
Element find_element(const AskedElement& asked, const Lab& lab, const Scene& scene, const Geometry* input,
                     const std::string& asker = "--inspect ", std::string* merged = nullptr);

}  // namespace flipscope::app
