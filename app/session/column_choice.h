// The choice of table columns in the import strip. Each change reads the table again and updates the picture.
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

    /// The table whose columns are being chosen, or nullptr.
    const TableImport* table() const { return import_ ? &*import_ : nullptr; }
    /// Begins the choice for the present input. Replies with a note where that is not a table.
    void open();
    /// Reads the table with these options. A failure keeps the picture.
    void read_as(ReadOptions read);
    /// Ends the choice: keeps the present reading, or returns to the run before it.
    void end(bool keeps);
    /// Opens a text from the clipboard: a table, or coordinates in another form.
    void paste(std::string text);

  private:
    void request(const TableSource& source, const ReadOptions& read);
    void follow(const Opening& opening, const std::optional<TableLayout>& table, const std::string& refusal);

    LabWorker& worker_;
    Undo& undo_;
    Opener& opener_;
    std::optional<TableImport> import_;
    Opening before_;  // no input: there was no run
};

}  // namespace flipscope::app
