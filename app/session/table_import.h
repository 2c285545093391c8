// A table that is read under the user's eyes: what its columns are taken for, and what the user chooses instead. The
// import strip shows it; the session reads the table again with every choice. Knows no lab and no widget.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/read_options.h"
#include "io/table.h"

namespace flipscope::app {

/// Where a table comes from.
struct TableSource {
    std::filesystem::path file;                 // or empty: pasted
    std::shared_ptr<const std::string> pasted;  // nullptr: a file
    bool as_tracks = false;                     // read as points over time in any case
    bool any() const { return !file.empty() || pasted; }
    std::string name() const { return pasted ? "pasted" : file.filename().string(); }
    friend bool operator==(const TableSource& a, const TableSource& b) {
        return a.file == b.file && a.pasted == b.pasted && a.as_tracks == b.as_tracks;
    }
};

/// Nothing: it is no table, or cannot be read as one in any way.
std::optional<TableLayout> layout_of(const TableSource& source, const ReadOptions& read);

struct TableImport {
    TableSource source;
    ReadOptions read;     // as the user has it
    TableLayout layout;   // what is understood with that, as far as it can be read
    std::string refusal;  // why it cannot be read so: the picture is still that of the reading before; or empty

    /// The column that has this role; none: no column has it.
    std::optional<size_t> column_of(ColumnRole role) const;
    /// Whether a column can have this role: coordinates and times are numbers.
    bool can_have(size_t column, ColumnRole role) const;
    /// The options with another column in this role, which gives a role that the column had the one that this role had.
    /// None: no column has the role; x and y always have one.
    ReadOptions with_column(ColumnRole role, std::optional<size_t> column) const;
    /// With another separator or decimal mark; columns are then found again.
    ReadOptions with_separator(char separator) const;
    ReadOptions with_decimal(char decimal) const;
    ReadOptions with_y_down(bool down) const;
};

}  // namespace flipscope::app
