// What columns mean, by what they are called: coordinates, times, ids, names. Knows the words of programs that export
// tables; knows no text and no numbers. The one list for columns of tables, fields of NumPy's records, arrays of an
// archive and keys of JSON's objects; called by their readers.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_options.h"

namespace flipscope::io {

inline constexpr std::array<ColumnRole, 8> kColumnRoles{ColumnRole::kX,      ColumnRole::kY,     ColumnRole::kZ,
                                                        ColumnRole::kTime,   ColumnRole::kId,    ColumnRole::kName,
                                                        ColumnRole::kWeight, ColumnRole::kRadius};

/// A name in a header, without its unit.
struct HeaderName {
    std::string name;     // "x", "Location_Center_X"
    std::string unit;     // "nm" of "x [nm]" and "x (nm)", not "0" of "v[0]"; empty: none
    std::string written;  // "x [nm]"; empty: the column has no name
};
HeaderName header_name(std::string_view written);

/// Places of columns, from 0.
struct TableRoles {
    std::optional<size_t> x, y, z, time, id, name, weight, radius;
    std::string x_unit, y_unit, time_unit;  // also of names such as "x_nm"; empty: none
    bool degrees = false;                   // longitude and latitude, or the like
    bool of_image = false;                  // pixels of a program for images, whose y goes down
    /// Of a table with a point's coordinates in a pair of columns for each point: "x1", "y1", "x2", "y2".
    struct Pair {
        size_t x, y;
        std::string name;  // "1"
    };
    std::vector<Pair> pairs;  // at least two; empty: it is no such table

    std::optional<size_t>& place(ColumnRole role);
};

/// The roles that the names give, of columns whose kind allows it. `is_text`: (names) whether the column holds text. A
/// time comes before the number of a frame. `any_words`: an x among words that say nothing counts where no other does,
/// as in "tip.x"; unless there are several such places.
TableRoles roles_of(const std::vector<HeaderName>& names, const std::vector<bool>& is_text, bool any_words = false);

/// Whether the user chose a column, or none, for a role.
bool is_chosen(const ReadOptions& options, ColumnRole role);
/// Changes the roles as the user chose them, those of `which` alone. Throws Error where there is no such column:
/// "a.csv: there is no column "Lat" for y; did you mean "lat"?; its columns are "lon" and "lat"".
void choose_roles(TableRoles& roles, const std::vector<HeaderName>& names, const ReadOptions& options,
                  const std::string& place, std::span<const ColumnRole> which = kColumnRoles);
/// Throws Error that says `what`, and which columns there are.
[[noreturn]] void refuse_columns(const std::string& place, const std::string& what,
                                 const std::vector<HeaderName>& names);
/// "mm", "pixel", "deg".
bool is_unit_of_places(std::string_view text);
/// Of the coordinates: what x and y both have, or "°" of longitude and latitude; empty: unknown.
std::string unit_of(const TableRoles& roles);
/// "\"x [nm]\"" of the name as it is written, or "column 3".
std::string source_of(const std::vector<HeaderName>& names, size_t column);

}  // namespace flipscope::io
