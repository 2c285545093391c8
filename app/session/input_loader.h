// Opens inputs and labs for a window. A new input joins the present one, or opens a lab that accepts it; a mesh that
// its lab refuses is shown as given. The window's thread makes an Opening; open() executes it on the worker's thread
// and changes nothing but the timeline passed in; adopt() installs the result.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/run.h"
#include "app/run/scenario.h"
#include "app/session/table_import.h"
#include "compute/context.h"
#include "geometry/bounds.h"
#include "instruments/timeline.h"
#include "lab/lab.h"

namespace flipscope::app {

struct SpaceBounds {  // world units; in the plane both z are 0
    Point low{}, high{};
    double low_z = 0, high_z = 0;
};
/// Bounds of the input, in the plane or in space.
SpaceBounds bounds_of(const Geometry& input);

/// The source of labs: the registry, or a test's own labs.
struct LabSource {
    std::function<std::unique_ptr<Lab>(const std::string& id)> make;  // throws Error for an unknown id
    std::function<std::string(const Geometry&)> lab_for;              // the id of a lab for this input
    static LabSource registered();
};

/// Files of an input and their modification times before reading.
using FileTimes = std::vector<std::pair<std::filesystem::path, std::filesystem::file_time_type>>;

struct Opened;

struct Opening {
    /// Makes the input, perhaps from files. May add notes, set the layout of a table that it reads, and throw Error.
    using MakeInput = std::function<std::shared_ptr<const Geometry>(const LabInfo&, Opened& made)>;

    std::string title = {};  // "Reading points.xy": title of the job
    /// The lab to open with its parameters (no lab: the present one, or one that accepts the input), playback, and the
    /// names of the input: a generator, files, or literal points; none if it exists only in memory.
    Scenario run = {};
    /// Reads a scenario and makes its lab; all but the title, `source` and `then` follow from it. Empty: `run` is
    /// given.
    std::function<Run()> read_run = {};
    MakeInput make_input = {};  // empty: `input` is given
    std::shared_ptr<const Geometry> input = {};
    std::vector<std::string> notes = {};  // on the input
    std::string source = {};              // a generator or file, for the input panel

    bool finds_lab = false;      // change the lab if the present one would ignore most of the input
    bool after_failure = false;  // a restart after a failure
    bool remakes_lab = false;    // make the present lab again: a stand-in or a lost device has taken its place
    std::vector<Parameter> parameters = {};  // for the present lab, also if remade
    /// The surface behind a flat input, for labs of surfaces.
    std::shared_ptr<const Geometry> surface = {};
    /// The table to read, or a file that may be one. chooses_columns: open the import strip if columns were guessed.
    TableSource table = {};
    ReadOptions read = {};
    std::optional<TableLayout> layout = {};  // of the table, if known; without columns it is no table
    bool chooses_columns = false;
    FileTimes files = {};
    uint64_t edits = 0;        // manual edits that the input contains, made before the run started over
    bool checks_ends = false;  // ends of runs on this input are checked even if they are exact
    std::optional<uint64_t> explained_at = {};  // passes after which the scenario's title and note explain the picture
    std::function<void()> then = {};            // called on the window's thread once it is open
};

struct Opened {
    std::shared_ptr<const Geometry> input;
    SpaceBounds bounds;
    std::unique_ptr<Timeline> timeline;  // nullptr: reset the present one
    std::vector<std::string> notes;
    std::string refusal;               // why the input is refused, and not opened or shown as given; or empty
    std::optional<TableLayout> table;  // layout of Opening::table; nothing if that is not a table
};

class InputLoader {
  public:
    explicit InputLoader(LabSource labs = LabSource::registered()) : labs_(std::move(labs)) {}

    /// The part of the plane shown when there are no points; by default the unit square.
    void set_empty_window(const Bounds& window) { empty_window_ = window; }
    const Bounds& empty_window() const { return empty_window_; }
    /// How the present input was opened, to open it again in the present lab. Its input is nullptr before the first
    /// adopt(); without a layout it is not a table.
    const Opening& present() const { return present_; }
    const std::shared_ptr<const Geometry>& input() const { return present_.input; }
    /// New modification times if a file of the input has changed since it was read; otherwise nothing.
    std::optional<FileTimes> changed_files() const;
    /// Increases with every new input, so that the picture can be fitted to it.
    uint64_t revision() const { return revision_; }

    // Openings; the caller may add parameters.
    Opening from_memory(Scenario run, std::shared_ptr<const Geometry> input, std::string source,
                        std::vector<std::string> notes = {}) const;
    /// The input of a run. `source`: empty: the input's own text.
    Opening from_run(const Run& run, std::string source = {}) const;
    Opening load(const std::string& text, bool is_file) const;
    /// Reads a table from a file or from the clipboard, which may hold coordinates in another form.
    Opening read_table(const TableSource& source, const ReadOptions& read) const;
    // These require an input:
    /// Reads changed files again, and notes it.
    Opening start_over() const;
    /// Replaces the present input by these edited points.
    Opening edited(Geometry points, uint64_t edits) const;
    enum class Part { kFrames, kPoints };  // frames: field, tracks or recording
    Opening leave_out(Part part) const;
    Opening in_lab(const std::string& id) const;

    /// On the worker's thread: resets `present` or makes another timeline. Throws as reading and Timeline::reset() do;
    /// after an Error `present` is unchanged. `device_for`: the context for a lab. `lab_made`: the lab of the opening
    /// with its parameters; nullptr: made here.
    using DeviceFor = std::function<Context&(const LabInfo&)>;
    Opened open(const Opening& opening, Timeline& present, const DeviceFor& device_for,
                std::unique_ptr<Timeline> lab_made = nullptr) const;
    /// On the window's thread, after open(). Returns whether it is a new input.
    bool adopt(const Opening& opening, const Opened& opened);

  private:
    Opening::MakeInput joined_input(std::function<Geometry(Opened& made)> read) const;
    std::unique_ptr<Timeline> show_refused_mesh(Lab& refusing, std::shared_ptr<const Geometry> input,
                                                Context& context) const;

    LabSource labs_;
    Bounds empty_window_{{0, 0}, {1, 1}};
    Opening present_;
    uint64_t revision_ = 0;
};

}  // namespace flipscope::app
