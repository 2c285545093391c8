// Opens inputs, labs, scenarios, the selected points, and restarts the run. A command first asks before it discards
// manual edits; then the worker's thread reads the input.
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

    // Commands.

    /// Starts the run over, on the edited points if there are any.
    void restart();
    /// Opens a generator, or a file: an input, a scenario or a lesson.
    void load(const std::string& text, bool is_file);
    /// Opens one file, or two in either order: points and their triangles.
    void load_files(const std::vector<std::string>& files);
    void open_scenario(const std::string& title, const Scenario& scenario);
    /// The part of the plane that inputs without points show from now on. Requires an idle worker.
    void set_empty_window(const Bounds& window) { worker_.loader().set_empty_window(window); }
    /// Opens the lab on the present input with these parameters. `to_end`: runs it to its end.
    void open_lab(const std::string& id, const std::vector<Parameter>& parameters = {}, bool to_end = false);
    /// Opens a run in memory at its position, with its playback and failure to choose; an end at Scenario::kAtEnd is
    /// checked.
    void open(Opening opening);
    /// Continues without this part of the input.
    void leave_out(InputLoader::Part part);
    /// Makes the selected points the input, with names and attributes, and on a surface with their triangles.
    void open_selection();

    // For the window.

    /// Read changed files of the input again.
    bool watches = false;
    /// The two file names separated by a blank if points and triangles come from different files; otherwise empty.
    std::string pair_of_files() const;
    /// The scenario opened since the last call; the window applies its display options.
    std::optional<Scenario> take_opened_scenario() { return std::exchange(opened_scenario_, std::nullopt); }
    /// The lesson file loaded since the last call, for the window to play.
    std::optional<std::string> take_opened_lesson() { return std::exchange(opened_lesson_, std::nullopt); }

    // For the parts of the session.

    /// Called after a table was read, or refused for this reason.
    std::function<void(const Opening&, const std::optional<TableLayout>&, const std::string& refusal)> on_table;
    /// Reads a scenario and its input on the worker's thread, opens it, and then calls `opened`. `source`: as in
    /// Opening; empty: the input's own text.
    void request_run(const std::string& title, const std::string& source, std::function<Run()> read,
                     std::function<void()> opened = {});
    /// Opens the present run again, at its position.
    Opening present() const;
    /// The run before the last start_reading(); without an input if there was none.
    const Opening& before_reading() const { return before_reading_; }
    void start_reading(Opening opening);
    void start(Opening opening, Task task);
    /// After a failure: repeats the last opening, or restarts the present input.
    void start_after_failure(bool repeats);
    /// Reports an Error of the opening job to on_table.
    void report_failure() const;
    /// Reads changed files again once they are stable between two calls.
    void poll_files();

  private:
    void open_run(const std::string& title, const std::string& source, std::function<Run()> read);
    void request_start_over(bool keeps_edits, bool to_end = false);
    void request(Opening opening);
    void start_opening_selection();
    void adopt(const Opening& opening, Opened& opened);
    bool opens_at_end(const Opening& opening, const Geometry& input) const;
    const LabModel& model() const { return worker_.model(); }

    LabWorker& worker_;
    Undo& undo_;
    ManualEdits& edits_;
    RunParameters& parameters_;
    Inspector& inspector_;
    Selection& selection_;
    Checks& checks_;

    struct LastOpening {
        std::shared_ptr<Opening> opening;
        Task task{};
        std::shared_ptr<Opened> opened = {};
    } last_opening_;
    Opening before_reading_;
    std::optional<Scenario> opened_scenario_;
    std::optional<std::string> opened_lesson_;
    double polled_at_ = 0;  // seconds
    // Last observed; last read; not read because of edits.
    std::optional<FileTimes> changed_files_, read_files_, refused_files_;
};

}  // namespace flipscope::app
