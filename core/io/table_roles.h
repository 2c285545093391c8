// What the columns of a table mean, by what their header calls them: coordinates, times, ids, names. Knows the words of
// programs that export tables; knows no text and no numbers. Called by the reader of tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/read_options.h"

namespace flipscope::io {

/// A name in a header, without its unit.
struct HeaderName {
    std::string name;  // "x", "Location_Center_X"
    std::string unit;  // "nm" of "x [nm]" and "x (nm)"; empty: none
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
/// time comes before the number of a frame.
TableRoles roles_of(const std::vector<HeaderName>& names, const std::vector<bool>& is_text);

}  // namespace flipscope::io
