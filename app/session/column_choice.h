// The columns of a table that the import strip offers. Each choice reads the table again, and the picture follows.
#pragma once

#include <optional>
#include <string>

#include "app/session/lab_worker.h"
#include "app/session/opener.h"
#include "app/session/table_import.h"
#include "app/session/undo.h"

namespace flipscope::app {

class ColumnChoice {
  public:
    ColumnChoice(LabWorker& worker, Undo& undo, Opener& opener);

    /// The table whose columns are being chosen; nullptr: none.
    const TableImport* table() const { return import_ ? &*import_ : nullptr; }
    /// Begins the choice for the present input; replies where it is no table.
    void open();
    /// Reads the table with these options; the picture stays where that fails.
    void read_as(ReadOptions read);
    /// Ends the choice: keeps the present reading, or goes back to the run before it.
    void end(bool keeps);
    /// Opens a text from the clipboard: a table, or coordinates in another form.
    void paste(std::string text);

  private:
    void request(const TableSource& source, const ReadOptions& read);
    void follow(const Opening& asked, const std::optional<TableLayout>& table, const std::string& refusal);

    LabWorker& worker_;
    Undo& undo_;
    Opener& opener_;
    std::optional<TableImport> import_;
    KnownRun before_;  // without an input: nothing was there
};

}  // namespace flipscope::app
