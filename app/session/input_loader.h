// How a window comes by its input and its lab: what is loaded joins what is there, or opens the lab that can take it; a
// mesh that its lab refuses is shown as it is. An Opening says what is to be done and is made on the window's thread;
// open() does it on the worker's, and touches nothing but what it is given; take() makes the outcome the present input.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario.h"
#include "app/session/table_import.h"
#include "compute/context.h"
#include "geometry/plane_bounds.h"
#include "instruments/timeline.h"
#include "lab/lab.h"

namespace flipscope::app {

struct SpaceBounds {  // world units; in the plane both z are 0
    Point low{}, high{};
    double low_z = 0, high_z = 0;
};
/// What of the plane or of space an input takes up.
SpaceBounds bounds_of(const Geometry& input);

/// Where labs come from: the registry, unless a test brings its own.
struct LabSource {
    std::function<std::unique_ptr<Lab>(const std::string& id)> make;  // throws Error for one that is not known
    std::function<std::string(const Geometry&)> lab_for;              // the one for such an input
    static LabSource registered();
};

/// Files of an input, and when they were written last before they were read.
using FileTimes = std::vector<std::pair<std::filesystem::path, std::filesystem::file_time_type>>;

struct Opening {
    /// The input, in memory; may read files, say things in the notes, and throw Error.
    using MakeInput = std::function<std::shared_ptr<const Geometry>(const LabInfo&, std::vector<std::string>& notes)>;

    std::string title = {};  // "Reading points.xy", while it takes its time
    std::string lab = {};  // another one; empty: the present one, or where that takes no such input, the one that does
    MakeInput input = {};
    std::string source = {};  // what the input panel shows: a generator or a file

    bool finds_lab = false;                  // another lab, too, where the present one would leave most of it out
    bool after_failure = false;              // it starts over because something went wrong
    bool afresh = false;                     // the present lab is made again: what stands there only stands in for it
    std::vector<Parameter> parameters = {};  // to be set in the present lab, or in the one made again
    std::shared_ptr<const Geometry> before = {};
    /// The surface that the input is made of, where a lab of the plane takes x and y of it.
    std::shared_ptr<const Geometry> surface = {};
    std::vector<Parameter> of_lab = {};  // to be set in `lab` before it starts
    /// A table that this reads, or a file that may be one; chooses_columns: the strip opens where something was
    /// guessed.
    TableSource table = {};
    ReadOptions read = {};
    std::optional<TableLayout> layout = {};  // of it, where that is known
    bool chooses_columns = false;
    /// Names the input: a generator, files, or points that stand in it. Nothing: it is in memory alone.
    std::optional<Scenario> origin = {};
    FileTimes files = {};
    uint64_t edits = 0;  // made by hand, that the input has
};

struct Opened {
    std::shared_ptr<const Geometry> input;
    SpaceBounds bounds;
    std::unique_ptr<Timeline> timeline;  // nullptr: the present one was reset
    std::vector<std::string> notes;
    std::string refusal;               // why the lab did not start from it, which is shown as it is; or empty
    std::optional<TableLayout> table;  // of Opening::table, where that is one
};

class InputLoader {
  public:
    explicit InputLoader(LabSource labs = LabSource::registered()) : labs_(std::move(labs)) {}

    /// What is shown of the plane where there are no points; else the unit square.
    void set_empty_window(const PlaneBounds& window) { empty_window_ = window; }
    /// nullptr before the first one is taken.
    const std::shared_ptr<const Geometry>& input() const { return input_; }
    const std::string& source() const { return source_; }
    /// As Opening::origin, of the present input. Its lab and its parameters mean nothing.
    const std::optional<Scenario>& origin() const { return origin_; }
    /// What the present input was read from, as Opening has it; without a layout it is no table.
    const TableSource& table() const { return table_; }
    const ReadOptions& read() const { return read_; }
    const std::optional<TableLayout>& layout() const { return layout_; }
    bool has_files() const { return !files_.empty(); }
    /// The times of the input's files, where one has been written since it was read; nothing: none has.
    std::optional<FileTimes> changed_files() const;
    /// Made by hand before the run started over on them, that the input has.
    uint64_t edits() const { return edits_; }
    /// Increases with every new input.
    uint64_t revision() const { return revision_; }

    // What may be asked for, with the parameters left to the caller.
    Opening given(std::shared_ptr<const Geometry> input, std::vector<std::string> notes, std::string source,
                  std::optional<Scenario> origin = {}) const;
    Opening load(const std::string& text, bool is_file) const;
    /// `pasted`: with nothing chosen, whatever a text is that holds coordinates.
    Opening read_table(const TableSource& source, const ReadOptions& read) const;
    // Of a present input:
    /// Files that have changed since are read again, and the notes say so.
    Opening again() const;
    /// The present input with other points in its place, which were edited by hand.
    Opening edited(Geometry points, uint64_t edits) const;
    enum class Part { kFrames, kPoints };  // frames: the field or the tracks
    Opening leave_out(Part part) const;
    Opening in_lab(const std::string& id) const;

    /// On the worker's thread. Resets `present` or makes another timeline. Throws what reading and Timeline::reset()
    /// throw; after an Error `present` is as before.
    /// `device_for`: where a lab runs.
    using DeviceFor = std::function<Context&(const LabInfo&)>;
    Opened open(const Opening& opening, Timeline& present, const DeviceFor& device_for) const;
    /// On the window's thread, when that is done.
    void take(const Opening& opening, const Opened& opened);

  private:
    Opening::MakeInput fresh(std::function<Geometry(std::vector<std::string>& notes)> read) const;
    std::unique_ptr<Timeline> shown_as_it_is(Lab& refusing, std::shared_ptr<const Geometry> input,
                                             Context& context) const;

    LabSource labs_;
    PlaneBounds empty_window_{{0, 0}, {1, 1}};
    std::shared_ptr<const Geometry> input_;
    std::shared_ptr<const Geometry> surface_;  // as Opening::surface
    std::string source_;
    std::optional<Scenario> origin_;
    TableSource table_;
    ReadOptions read_;
    std::optional<TableLayout> layout_;
    FileTimes files_;
    uint64_t edits_ = 0;
    uint64_t revision_ = 0;
};

}  // namespace flipscope::app
