// Opens what a run starts from: inputs, labs, scenarios, the selected points, and the present run from its start. A
// command asks first where it would discard manual edits; then the input is read on the worker's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/run.h"
#include "app/run/scenario.h"
#include "app/session/checks.h"
#include "app/session/inspector.h"
#include "app/session/lab_worker.h"
#include "app/session/manual_edits.h"
#include "app/session/run_parameters.h"
#include "app/session/selection.h"
#include "app/session/undo.h"

namespace flipscope::app {

/// A lab on an input in memory.
struct KnownRun {
    Scenario run;  // the lab, its parameters, and what follows; kAtEnd is checked
    std::shared_ptr<const Geometry> input = {};
    std::string source = {};              // shown in the input panel
    std::vector<std::string> notes = {};  // said when it has been opened
    std::optional<Scenario> origin = {};  // as Opening::origin
};

class Opener {
  public:
    Opener(LabWorker& worker, Undo& undo, ManualEdits& edits, RunParameters& parameters, Inspector& inspector,
           Selection& selection, Checks& checks)
        : worker_(worker),
          undo_(undo),
          edits_(edits),
          parameters_(parameters),
          inspector_(inspector),
          selection_(selection),
          checks_(checks) {}

    // ---- commands

    /// Starts the run over. Points that were edited by hand stay as they are.
    void restart();
    /// A generator, or a file, which may be a scenario or a lesson.
    void load(const std::string& text, bool is_file);
    /// One file, or points and their triangles in two, in either order.
    void load_files(const std::vector<std::string>& files);
    void open_scenario(const std::string& title, const Scenario& scenario);
    /// Opens the lab on the present input.
    void open_lab(const std::string& id) { open_lab(id, {}, false); }
    /// Opens the lab on the present input with these parameters, and runs it to its end.
    void run_lab(const std::string& id, const std::vector<Parameter>& parameters) { open_lab(id, parameters, true); }
    void open(KnownRun run);
    /// Goes on without this part of the input.
    void leave_out(InputLoader::Part part);
    /// Makes the selected points the input, with their names and attributes, and of a surface also their
    /// triangles.
    void open_selection();

    // ---- for the window

    /// Whether changed files of the input are read again.
    bool watches = false;
    /// The names of the files, with a blank between them, where points and triangles come from two; else empty.
    std::string pair_of_files() const;
    /// The scenario that was opened since the last call, with its LabModel::source_text: its look and its title are the
    /// window's.
    std::optional<std::pair<Scenario, std::string>> take_opened_scenario() {
        return std::exchange(opened_scenario_, std::nullopt);
    }
    /// The name of the lesson that was to be loaded since the last call: the window plays it.
    std::optional<std::string> take_opened_lesson() { return std::exchange(opened_lesson_, std::nullopt); }

    // ---- for the parts of the session

    /// Called when a table has been read, or has been refused for this reason.
    std::function<void(const Opening&, const std::optional<TableLayout>&, const std::string& refusal)> on_table;
    /// Reads a scenario and its input on the worker's thread, opens it, and then calls `opened`. `source`: as
    /// LabModel::source_text; empty: as the input says.
    void request_prepared(const std::string& title, const std::string& source, std::function<Run()> read,
                          std::function<void(const Run&)> opened = {});
    /// The run as it is, to be opened again.
    KnownRun present() const;
    /// The run before the last start_reading(); without an input where there was none.
    const KnownRun& before_reading() const { return before_reading_; }
    void start_reading(Opening opening);
    /// `plays`: starts playing when it is open.
    void start(Opening opening, Task task, bool plays = false);
    /// Starts over because something went wrong: what was being opened, or the present input.
    void open_again();
    void start_over_after_failure();
    /// The job that opens has thrown this.
    void report_failure(const std::exception_ptr& failure) const;
    /// Reads changed files again once they have stayed the same from one call to the next.
    void poll_files();

  private:
    void open_lab(const std::string& id, const std::vector<Parameter>& parameters, bool to_end);
    void prepare(const std::string& title, const std::string& source, std::function<Run()> read);
    void request_start_over(bool keeps_edits, bool to_end = false);
    void open_prepared(const Run& run, const std::string& source);
    void request(KnownRun run);
    void start(const KnownRun& run);
    void start_opening_selection();
    void take(const Opening& asked, Opened& opened);
    bool opens_at_end(const Opening& asked, const Geometry& input) const;
    const LabModel& model() const { return worker_.model(); }

    LabWorker& worker_;
    Undo& undo_;
    ManualEdits& edits_;
    RunParameters& parameters_;
    Inspector& inspector_;
    Selection& selection_;
    Checks& checks_;

    struct LastOpening {
        std::shared_ptr<const Opening> asked;
        Task task{};
        bool plays = false;
        std::shared_ptr<Opened> opened = {};
    } last_opening_;
    KnownRun before_reading_;
    std::optional<std::pair<Scenario, std::string>> opened_scenario_;
    std::optional<std::string> opened_lesson_;
    double polled_at_ = 0;                                                 // seconds
    std::optional<FileTimes> changed_files_, read_files_, refused_files_;  // seen last, read last, not read for edits
};

}  // namespace flipscope::app
