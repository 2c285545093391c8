#include "app/session/table_import.h"

#include <algorithm>
#include <cctype>

#include "compute/error.h"
#include "io/files.h"
#include "io/pasted.h"

namespace flipscope::app {

namespace {

/// The name of a column in options: its header if unique, otherwise its number.
std::string name_of(const TableLayout& layout, size_t column) {
    const std::string number = std::to_string(column + 1);
    if (!layout.has_header) return number;
    const std::string& name = layout.columns[column].name;
    const auto same = [&](const TableLayout::Column& other) {
        return io::lower_case(other.name) == io::lower_case(name);
    };
    const bool plain = !name.empty() && name.size() < 40 && name != "column " + number &&
                       name.find_first_of(",=\"") == name.npos && !std::isdigit(static_cast<unsigned char>(name[0]));
    return plain && std::count_if(layout.columns.begin(), layout.columns.end(), same) == 1 ? name : number;
}

bool is_coordinate(ColumnRole role) { return role == ColumnRole::kX || role == ColumnRole::kY; }

}  // namespace

std::optional<TableLayout> layout_of(const TableSource& source, const ReadOptions& read) {
    try {
        if (source.pasted) return pasted_table(*source.pasted, read);
        return source.file.empty() ? std::nullopt : table_layout(source.file, read, source.as_tracks);
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<size_t> TableImport::column_of(ColumnRole role) const {
    for (size_t c = 0; c < layout.columns.size(); ++c)
        if (layout.columns[c].role == role) return c;
    return std::nullopt;
}

bool TableImport::can_have(size_t column, ColumnRole role) const {
    return role == ColumnRole::kId || role == ColumnRole::kName || layout.columns[column].kind != io::ColumnKind::kText;
}

ReadOptions TableImport::with_column(ColumnRole role, std::optional<size_t> column) const {
    ReadOptions chosen = read;
    if (!column && is_coordinate(role)) return chosen;
    const std::optional<size_t> before = column_of(role);
    const auto set = [&](ColumnRole of, std::optional<size_t> to) {
        std::erase_if(chosen.columns, [&](const ReadOptions::Column& one) { return one.role == of; });
        if (to || !is_coordinate(of)) chosen.columns.push_back({of, to ? name_of(layout, *to) : "-"});
    };
    // Fix guessed coordinates, since the next guess could differ.
    for (const ColumnRole of : {ColumnRole::kX, ColumnRole::kY}) {
        const bool is_chosen = std::ranges::count(chosen.columns, of, &ReadOptions::Column::role) > 0;
        if ((layout.guessed || !layout.has_header) && !is_chosen && column_of(of)) set(of, column_of(of));
    }
    set(role, column);
    if (!column || !layout.columns[*column].role || layout.columns[*column].role == role) return chosen;
    const ColumnRole other = layout.columns[*column].role.value();
    set(other, before && can_have(*before, other) ? before : std::nullopt);
    return chosen;
}

ReadOptions TableImport::with(char ReadOptions::*mark, char sign) const {
    ReadOptions chosen = read;
    chosen.*mark = sign;
    chosen.columns.clear();
    return chosen;
}

ReadOptions TableImport::with_y_down(bool down) const {
    ReadOptions chosen = read;
    chosen.y_down = down;
    return chosen;
}

}  // namespace flipscope::app
