// An interactive table import: the detected column roles and the user's choices. The import strip shows it; the session
// reads the table again after every choice. Independent of labs and widgets.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "io/read_options.h"
#include "io/table.h"

namespace flipscope::app {

/// The source of a table.
struct TableSource {
    std::filesystem::path file;                 // empty: pasted
    std::shared_ptr<const std::string> pasted;  // nullptr: a file
    bool as_tracks = false;                     // always read as points over time
    bool any() const { return !file.empty() || pasted; }
    std::string name() const { return pasted ? "pasted" : file.filename().string(); }
    friend bool operator==(const TableSource& a, const TableSource& b) {
        return a.file == b.file && a.pasted == b.pasted && a.as_tracks == b.as_tracks;
    }
};

/// Nothing: not a readable table.
std::optional<TableLayout> layout_of(const TableSource& source, const ReadOptions& read);

struct TableImport {
    TableSource source;
    ReadOptions read;     // chosen by the user
    TableLayout layout;   // the layout detected with `read`
    std::string refusal;  // why it cannot be read so, with the previous reading still shown; or empty

    /// The column with this role, if any.
    std::optional<size_t> column_of(ColumnRole role) const;
    /// Whether a column can have this role: coordinates and times must be numeric.
    bool can_have(size_t column, ColumnRole role) const;
    /// The options with this column in this role. The role that the column had moves to the previous column of this
    /// role. None: no column gets the role, except that x and y keep theirs.
    ReadOptions with_column(ColumnRole role, std::optional<size_t> column) const;
    /// With another separator or decimal mark; columns are then detected again.
    ReadOptions with(char ReadOptions::*mark, char sign) const;
    ReadOptions with_y_down(bool down) const;
};

}  // namespace flipscope::app
